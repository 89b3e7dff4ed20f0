== start
|
|
|
|
|
|
|
|
|
|
|
|
|
|                                                                          ▄
|                                         █▀▀█ █▀▀█ █▀▀█ █▀▀▄ █▀▀▀ █▀▀█ █▀▀█ █▀▀█
|                                         █  █ █  █ █▀▀▀ █  █ █    █  █ █  █ █▀▀▀
|                                         ▀▀▀▀ █▀▀▀ ▀▀▀▀ ▀▀▀▀ ▀▀▀▀ ▀▀▀▀ ▀▀▀▀ ▀▀▀▀
|
|
|                       ┃
|                       ┃  Ask anything… "What is the tech stack of this project?"
|                       ┃
|                       ┃  Build · Fake Model Fake
|                       ╹▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀
|                                                                       tab agents  ctrl+p commands
|
|
|
|                             ● Tip Press ctrl+x h to toggle code block visibility in messages
|
|
|
|
|
|
|
|
|
|  /tmp/shop:main  ⊙ 1 MCP /status                                                                              1.18.33
|
13: 0-73 bg=#0a0a0a, 74-74 bold fg=#eeeeee bg=#0a0a0a
14: 0-40 bg=#0a0a0a, 41-44 fg=#808080 bg=#0a0a0a, 45-45 bg=#0a0a0a, 46-49 fg=#808080 bg=#0a0a0a, 50-50 bg=#0a0a0a, 51-54 fg=#808080 bg=#0a0a0a, 55-55 bg=#0a0a0a, 56-59 fg=#808080 bg=#0a0a0a, 60-60 bg=#0a0a0a, 61-64 bold fg=#eeeeee bg=#0a0a0a, 65-65 bg=#0a0a0a, 66-69 bold fg=#eeeeee bg=#0a0a0a, 70-70 bg=#0a0a0a, 71-74 bold fg=#eeeeee bg=#0a0a0a, 75-75 bg=#0a0a0a, 76-79 bold fg=#eeeeee bg=#0a0a0a
15: 0-40 bg=#0a0a0a, 41-41 fg=#808080 bg=#0a0a0a, 42-43 bg=#282828, 44-44 fg=#808080 bg=#0a0a0a, 45-45 bg=#0a0a0a, 46-46 fg=#808080 bg=#0a0a0a, 47-48 bg=#282828, 49-49 fg=#808080 bg=#0a0a0a, 50-50 bg=#0a0a0a, 51-51 fg=#808080 bg=#0a0a0a, 52-54 fg=#808080 bg=#282828, 55-55 bg=#0a0a0a, 56-56 fg=#808080 bg=#0a0a0a, 57-58 bg=#282828, 59-59 fg=#808080 bg=#0a0a0a, 60-60 bg=#0a0a0a, 61-61 bold fg=#eeeeee bg=#0a0a0a, 62-64 bg=#434343, 65-65 bg=#0a0a0a, 66-66 bold fg=#eeeeee bg=#0a0a0a, 67-68 bg=#434343, 69-69 bold fg=#eeeeee bg=#0a0a0a, 70-70 bg=#0a0a0a, 71-71 bold fg=#eeeeee bg=#0a0a0a, 72-73 bg=#434343, 74-74 bold fg=#eeeeee bg=#0a0a0a, 75-75 bg=#0a0a0a, 76-76 bold fg=#eeeeee bg=#0a0a0a, 77-79 bold fg=#eeeeee bg=#434343
16: 0-40 bg=#0a0a0a, 41-44 fg=#808080 bg=#0a0a0a, 45-45 bg=#0a0a0a, 46-49 fg=#808080 bg=#0a0a0a, 50-50 bg=#0a0a0a, 51-54 fg=#808080 bg=#0a0a0a, 55-55 bg=#0a0a0a, 56-56 fg=#808080 bg=#0a0a0a, 57-58 fg=#282828 bg=#0a0a0a, 59-59 fg=#808080 bg=#0a0a0a, 60-60 bg=#0a0a0a, 61-64 bold fg=#eeeeee bg=#0a0a0a, 65-65 bg=#0a0a0a, 66-69 bold fg=#eeeeee bg=#0a0a0a, 70-70 bg=#0a0a0a, 71-74 bold fg=#eeeeee bg=#0a0a0a, 75-75 bg=#0a0a0a, 76-79 bold fg=#eeeeee bg=#0a0a0a
19: 0-22 bg=#0a0a0a, 23-23 fg=#5c9cf5 bg=#0a0a0a
20: 0-22 bg=#0a0a0a, 23-23 fg=#5c9cf5 bg=#0a0a0a, 24-25 bg=#1e1e1e, 26-28 fg=#808080 bg=#1e1e1e, 29-29 bg=#1e1e1e, 30-38 fg=#808080 bg=#1e1e1e, 39-39 bg=#1e1e1e, 40-44 fg=#808080 bg=#1e1e1e, 45-45 bg=#1e1e1e, 46-47 fg=#808080 bg=#1e1e1e, 48-48 bg=#1e1e1e, 49-51 fg=#808080 bg=#1e1e1e, 52-52 bg=#1e1e1e, 53-56 fg=#808080 bg=#1e1e1e, 57-57 bg=#1e1e1e, 58-62 fg=#808080 bg=#1e1e1e, 63-63 bg=#1e1e1e, 64-65 fg=#808080 bg=#1e1e1e, 66-66 bg=#1e1e1e, 67-70 fg=#808080 bg=#1e1e1e, 71-71 bg=#1e1e1e, 72-80 fg=#808080 bg=#1e1e1e
21: 0-22 bg=#0a0a0a, 23-23 fg=#5c9cf5 bg=#0a0a0a
22: 0-22 bg=#0a0a0a, 23-23 fg=#5c9cf5 bg=#0a0a0a, 24-25 bg=#1e1e1e, 26-30 fg=#5c9cf5 bg=#1e1e1e, 31-31 bg=#1e1e1e, 32-32 fg=#808080 bg=#1e1e1e, 33-33 bg=#1e1e1e, 34-37 fg=#eeeeee bg=#1e1e1e, 38-38 bg=#1e1e1e, 39-43 fg=#eeeeee bg=#1e1e1e, 44-44 bg=#1e1e1e, 45-48 fg=#808080 bg=#1e1e1e
23: 0-22 bg=#0a0a0a, 23-23 fg=#5c9cf5 bg=#0a0a0a, 24-97 fg=#1e1e1e bg=#0a0a0a
24: 0-70 bg=#0a0a0a, 71-73 fg=#eeeeee bg=#0a0a0a, 74-74 bg=#0a0a0a, 75-80 fg=#808080 bg=#0a0a0a, 81-82 bg=#0a0a0a, 83-88 fg=#eeeeee bg=#0a0a0a, 89-89 bg=#0a0a0a, 90-97 fg=#808080 bg=#0a0a0a
28: 0-28 bg=#0a0a0a, 29-29 fg=#f5a742 bg=#0a0a0a, 30-30 bg=#0a0a0a, 31-33 fg=#f5a742 bg=#0a0a0a, 34-34 bg=#0a0a0a, 35-39 fg=#808080 bg=#0a0a0a, 40-40 bg=#0a0a0a, 41-46 fg=#eeeeee bg=#0a0a0a, 47-47 bg=#0a0a0a, 48-48 fg=#eeeeee bg=#0a0a0a, 49-49 bg=#0a0a0a, 50-51 fg=#808080 bg=#0a0a0a, 52-52 bg=#0a0a0a, 53-58 fg=#808080 bg=#0a0a0a, 59-59 bg=#0a0a0a, 60-63 fg=#808080 bg=#0a0a0a, 64-64 bg=#0a0a0a, 65-69 fg=#808080 bg=#0a0a0a, 70-70 bg=#0a0a0a, 71-80 fg=#808080 bg=#0a0a0a, 81-81 bg=#0a0a0a, 82-83 fg=#808080 bg=#0a0a0a, 84-84 bg=#0a0a0a, 85-92 fg=#808080 bg=#0a0a0a
38: 0-1 bg=#0a0a0a, 2-15 fg=#808080 bg=#0a0a0a, 16-17 bg=#0a0a0a, 18-18 fg=#7fd88f bg=#0a0a0a, 19-19 bg=#0a0a0a, 20-20 fg=#eeeeee bg=#0a0a0a, 21-21 bg=#0a0a0a, 22-24 fg=#eeeeee bg=#0a0a0a, 25-25 bg=#0a0a0a, 26-32 fg=#808080 bg=#0a0a0a, 33-110 bg=#0a0a0a, 111-117 fg=#808080 bg=#0a0a0a
cursor: 26,20,1
== markdown
|
|  ┃
|  ┃  %md
|  ┃
|
|     Fake answer
|
|     Some bold, italic, code, struck and a link (https://example.invalid/x).
|
|     ┌─────────────────────────────────────────────────────────┬─────────────────────────────────────────────────────┐
|     │name                                                     │value                                                │
|     ├─────────────────────────────────────────────────────────┼─────────────────────────────────────────────────────┤
|     │alpha                                                    │1                                                    │
|     ├─────────────────────────────────────────────────────────┼─────────────────────────────────────────────────────┤
|     │日本語                                                   │22                                                   │
|     ├─────────────────────────────────────────────────────────┼─────────────────────────────────────────────────────┤
|     │emoji 🚀                                                 │333                                                  │
|     └─────────────────────────────────────────────────────────┴─────────────────────────────────────────────────────┘
|
|     fn main() { println!("hello"); }
|
|     1. one
|     2. two ✅ ⚠️  👨‍👩‍👧 é ❤️
|
|     ▣  Build · Fake Model · 7.6s
|
|
|
|
|
|
|
|
|  ┃
|  ┃
|  ┃
|  ┃  Build · Fake Model Fake
|  ╹▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀
|   /tmp/shop                                                                                1.2K (1%)  ctrl+p commands
|
1: 0-1 bg=#0a0a0a, 2-2 fg=#5c9cf5 bg=#0a0a0a
2: 0-1 bg=#0a0a0a, 2-2 fg=#5c9cf5 bg=#0a0a0a, 3-4 bg=#141414, 5-7 fg=#eeeeee bg=#141414
3: 0-1 bg=#0a0a0a, 2-2 fg=#5c9cf5 bg=#0a0a0a
5: 0-4 bg=#0a0a0a, 5-8 bold underline fg=#9d7cd8 bg=#0a0a0a, 9-9 underline fg=#9d7cd8 bg=#0a0a0a, 10-15 bold underline fg=#9d7cd8 bg=#0a0a0a
7: 0-4 bg=#0a0a0a, 5-8 fg=#eeeeee bg=#0a0a0a, 9-9 bg=#0a0a0a, 10-13 bold fg=#f5a742 bg=#0a0a0a, 14-14 fg=#eeeeee bg=#0a0a0a, 15-15 bg=#0a0a0a, 16-21 italic fg=#e5c07b bg=#0a0a0a, 22-22 fg=#eeeeee bg=#0a0a0a, 23-23 bg=#0a0a0a, 24-27 fg=#7fd88f bg=#0a0a0a, 28-28 fg=#eeeeee bg=#0a0a0a, 29-29 bg=#0a0a0a, 30-35 fg=#808080 bg=#0a0a0a, 36-36 bg=#0a0a0a, 37-39 fg=#eeeeee bg=#0a0a0a, 40-40 bg=#0a0a0a, 41-41 fg=#eeeeee bg=#0a0a0a, 42-42 bg=#0a0a0a, 43-46 underline fg=#56b6c2 bg=#0a0a0a, 47-47 bg=#0a0a0a, 48-74 underline fg=#fab283 bg=#0a0a0a, 75-75 fg=#eeeeee bg=#0a0a0a
9: 0-4 bg=#0a0a0a, 5-117 fg=#808080 bg=#0a0a0a
10: 0-4 bg=#0a0a0a, 5-5 fg=#808080 bg=#0a0a0a, 6-9 bold fg=#9d7cd8 bg=#0a0a0a, 10-62 bg=#0a0a0a, 63-63 fg=#808080 bg=#0a0a0a, 64-68 bold fg=#9d7cd8 bg=#0a0a0a, 69-116 bg=#0a0a0a, 117-117 fg=#808080 bg=#0a0a0a
11: 0-4 bg=#0a0a0a, 5-117 fg=#808080 bg=#0a0a0a
12: 0-4 bg=#0a0a0a, 5-5 fg=#808080 bg=#0a0a0a, 6-10 fg=#eeeeee bg=#0a0a0a, 11-62 bg=#0a0a0a, 63-63 fg=#808080 bg=#0a0a0a, 64-64 fg=#eeeeee bg=#0a0a0a, 65-116 bg=#0a0a0a, 117-117 fg=#808080 bg=#0a0a0a
13: 0-4 bg=#0a0a0a, 5-117 fg=#808080 bg=#0a0a0a
14: 0-4 bg=#0a0a0a, 5-5 fg=#808080 bg=#0a0a0a, 6-11 fg=#eeeeee bg=#0a0a0a, 12-62 bg=#0a0a0a, 63-63 fg=#808080 bg=#0a0a0a, 64-65 fg=#eeeeee bg=#0a0a0a, 66-116 bg=#0a0a0a, 117-117 fg=#808080 bg=#0a0a0a
15: 0-4 bg=#0a0a0a, 5-117 fg=#808080 bg=#0a0a0a
16: 0-4 bg=#0a0a0a, 5-5 fg=#808080 bg=#0a0a0a, 6-10 fg=#eeeeee bg=#0a0a0a, 11-11 bg=#0a0a0a, 12-13 fg=#eeeeee bg=#0a0a0a, 14-62 bg=#0a0a0a, 63-63 fg=#808080 bg=#0a0a0a, 64-66 fg=#eeeeee bg=#0a0a0a, 67-116 bg=#0a0a0a, 117-117 fg=#808080 bg=#0a0a0a
17: 0-4 bg=#0a0a0a, 5-117 fg=#808080 bg=#0a0a0a
19: 0-4 bg=#0a0a0a, 5-6 fg=#eeeeee bg=#0a0a0a, 7-7 bg=#0a0a0a, 8-13 fg=#eeeeee bg=#0a0a0a, 14-14 bg=#0a0a0a, 15-15 fg=#eeeeee bg=#0a0a0a, 16-16 bg=#0a0a0a, 17-34 fg=#eeeeee bg=#0a0a0a, 35-35 bg=#0a0a0a, 36-36 fg=#eeeeee bg=#0a0a0a
21: 0-4 bg=#0a0a0a, 5-6 fg=#fab283 bg=#0a0a0a, 7-7 bg=#0a0a0a, 8-10 fg=#eeeeee bg=#0a0a0a
22: 0-4 bg=#0a0a0a, 5-6 fg=#fab283 bg=#0a0a0a, 7-7 bg=#0a0a0a, 8-10 fg=#eeeeee bg=#0a0a0a, 11-11 bg=#0a0a0a, 12-13 fg=#eeeeee bg=#0a0a0a, 14-14 bg=#0a0a0a, 15-16 fg=#eeeeee bg=#0a0a0a, 17-18 bg=#0a0a0a, 19-20 fg=#eeeeee bg=#0a0a0a, 21-21 bg=#0a0a0a, 22-22 fg=#eeeeee bg=#0a0a0a, 23-23 bg=#0a0a0a, 24-25 fg=#eeeeee bg=#0a0a0a
24: 0-4 bg=#0a0a0a, 5-5 fg=#5c9cf5 bg=#0a0a0a, 6-7 bg=#0a0a0a, 8-12 fg=#eeeeee bg=#0a0a0a, 13-13 bg=#0a0a0a, 14-14 fg=#808080 bg=#0a0a0a, 15-15 bg=#0a0a0a, 16-19 fg=#808080 bg=#0a0a0a, 20-20 bg=#0a0a0a, 21-25 fg=#808080 bg=#0a0a0a, 26-26 bg=#0a0a0a, 27-27 fg=#808080 bg=#0a0a0a, 28-28 bg=#0a0a0a, 29-32 fg=#808080 bg=#0a0a0a
33: 0-1 bg=#0a0a0a, 2-2 fg=#5c9cf5 bg=#0a0a0a
34: 0-1 bg=#0a0a0a, 2-2 fg=#5c9cf5 bg=#0a0a0a
35: 0-1 bg=#0a0a0a, 2-2 fg=#5c9cf5 bg=#0a0a0a
36: 0-1 bg=#0a0a0a, 2-2 fg=#5c9cf5 bg=#0a0a0a, 3-4 bg=#1e1e1e, 5-9 fg=#5c9cf5 bg=#1e1e1e, 10-10 bg=#1e1e1e, 11-11 fg=#808080 bg=#1e1e1e, 12-12 bg=#1e1e1e, 13-16 fg=#eeeeee bg=#1e1e1e, 17-17 bg=#1e1e1e, 18-22 fg=#eeeeee bg=#1e1e1e, 23-23 bg=#1e1e1e, 24-27 fg=#808080 bg=#1e1e1e
37: 0-1 bg=#0a0a0a, 2-2 fg=#5c9cf5 bg=#0a0a0a, 3-117 fg=#1e1e1e bg=#0a0a0a
38: 0-2 bg=#0a0a0a, 3-11 fg=#808080 bg=#0a0a0a, 12-91 bg=#0a0a0a, 92-95 fg=#808080 bg=#0a0a0a, 96-96 bg=#0a0a0a, 97-100 fg=#808080 bg=#0a0a0a, 101-102 bg=#0a0a0a, 103-108 fg=#eeeeee bg=#0a0a0a, 109-109 bg=#0a0a0a, 110-117 fg=#808080 bg=#0a0a0a
cursor: 5,34,1
== approval
|
|     Some bold, italic, code, struck and a link (https://example.invalid/x).
|
|     ┌─────────────────────────────────────────────────────────┬─────────────────────────────────────────────────────┐
|     │name                                                     │value                                                │
|     ├─────────────────────────────────────────────────────────┼─────────────────────────────────────────────────────┤
|     │alpha                                                    │1                                                    │
|     ├─────────────────────────────────────────────────────────┼─────────────────────────────────────────────────────┤
|     │日本語                                                   │22                                                   │
|     ├─────────────────────────────────────────────────────────┼─────────────────────────────────────────────────────┤
|     │emoji 🚀                                                 │333                                                  │
|     └─────────────────────────────────────────────────────────┴─────────────────────────────────────────────────────┘
|
|     fn main() { println!("hello"); }
|
|     1. one
|     2. two ✅ ⚠️  👨‍👩‍👧 é ❤️!
|
|     ▣  Build · Fake Model · 7.6s
|
|  ┃
|  ┃  %sh touch opencode-was-here
|  ┃
|
|     I will call bash.
|
|     $ touch opencode-was-here
|
|     ▣  Build · Fake Model
|
|  ┃
|  ┃  △ Permission required
|  ┃    # Shell command
|  ┃
|  ┃  $ touch opencode-was-here
|  ┃
|  ┃
|  ┃   Allow once   Allow always   Reject                                 ctrl+f fullscreen  ⇆ select  enter confirm
|  ┃
|
1: 0-4 bg=#0a0a0a, 5-8 fg=#eeeeee bg=#0a0a0a, 9-9 bg=#0a0a0a, 10-13 bold fg=#f5a742 bg=#0a0a0a, 14-14 fg=#eeeeee bg=#0a0a0a, 15-15 bg=#0a0a0a, 16-21 italic fg=#e5c07b bg=#0a0a0a, 22-22 fg=#eeeeee bg=#0a0a0a, 23-23 bg=#0a0a0a, 24-27 fg=#7fd88f bg=#0a0a0a, 28-28 fg=#eeeeee bg=#0a0a0a, 29-29 bg=#0a0a0a, 30-35 fg=#808080 bg=#0a0a0a, 36-36 bg=#0a0a0a, 37-39 fg=#eeeeee bg=#0a0a0a, 40-40 bg=#0a0a0a, 41-41 fg=#eeeeee bg=#0a0a0a, 42-42 bg=#0a0a0a, 43-46 underline fg=#56b6c2 bg=#0a0a0a, 47-47 bg=#0a0a0a, 48-74 underline fg=#fab283 bg=#0a0a0a, 75-75 fg=#eeeeee bg=#0a0a0a
3: 0-4 bg=#0a0a0a, 5-117 fg=#808080 bg=#0a0a0a
4: 0-4 bg=#0a0a0a, 5-5 fg=#808080 bg=#0a0a0a, 6-9 bold fg=#9d7cd8 bg=#0a0a0a, 10-62 bg=#0a0a0a, 63-63 fg=#808080 bg=#0a0a0a, 64-68 bold fg=#9d7cd8 bg=#0a0a0a, 69-116 bg=#0a0a0a, 117-117 fg=#808080 bg=#0a0a0a
5: 0-4 bg=#0a0a0a, 5-117 fg=#808080 bg=#0a0a0a
6: 0-4 bg=#0a0a0a, 5-5 fg=#808080 bg=#0a0a0a, 6-10 fg=#eeeeee bg=#0a0a0a, 11-62 bg=#0a0a0a, 63-63 fg=#808080 bg=#0a0a0a, 64-64 fg=#eeeeee bg=#0a0a0a, 65-116 bg=#0a0a0a, 117-117 fg=#808080 bg=#0a0a0a
7: 0-4 bg=#0a0a0a, 5-117 fg=#808080 bg=#0a0a0a
8: 0-4 bg=#0a0a0a, 5-5 fg=#808080 bg=#0a0a0a, 6-11 fg=#eeeeee bg=#0a0a0a, 12-62 bg=#0a0a0a, 63-63 fg=#808080 bg=#0a0a0a, 64-65 fg=#eeeeee bg=#0a0a0a, 66-116 bg=#0a0a0a, 117-117 fg=#808080 bg=#0a0a0a
9: 0-4 bg=#0a0a0a, 5-117 fg=#808080 bg=#0a0a0a
10: 0-4 bg=#0a0a0a, 5-5 fg=#808080 bg=#0a0a0a, 6-10 fg=#eeeeee bg=#0a0a0a, 11-11 bg=#0a0a0a, 12-13 fg=#eeeeee bg=#0a0a0a, 14-62 bg=#0a0a0a, 63-63 fg=#808080 bg=#0a0a0a, 64-66 fg=#eeeeee bg=#0a0a0a, 67-116 bg=#0a0a0a, 117-117 fg=#808080 bg=#0a0a0a
11: 0-4 bg=#0a0a0a, 5-117 fg=#808080 bg=#0a0a0a
13: 0-4 bg=#0a0a0a, 5-6 fg=#eeeeee bg=#0a0a0a, 7-7 bg=#0a0a0a, 8-13 fg=#eeeeee bg=#0a0a0a, 14-14 bg=#0a0a0a, 15-15 fg=#eeeeee bg=#0a0a0a, 16-16 bg=#0a0a0a, 17-34 fg=#eeeeee bg=#0a0a0a, 35-35 bg=#0a0a0a, 36-36 fg=#eeeeee bg=#0a0a0a
15: 0-4 bg=#0a0a0a, 5-6 fg=#fab283 bg=#0a0a0a, 7-7 bg=#0a0a0a, 8-10 fg=#eeeeee bg=#0a0a0a
16: 0-4 bg=#0a0a0a, 5-6 fg=#fab283 bg=#0a0a0a, 7-7 bg=#0a0a0a, 8-10 fg=#eeeeee bg=#0a0a0a, 11-11 bg=#0a0a0a, 12-13 fg=#eeeeee bg=#0a0a0a, 14-14 bg=#0a0a0a, 15-16 fg=#eeeeee bg=#0a0a0a, 17-18 bg=#0a0a0a, 19-20 fg=#eeeeee bg=#0a0a0a, 21-21 bg=#0a0a0a, 22-22 fg=#eeeeee bg=#0a0a0a, 23-23 bg=#0a0a0a, 24-26 fg=#eeeeee bg=#0a0a0a
18: 0-4 bg=#0a0a0a, 5-5 fg=#5c9cf5 bg=#0a0a0a, 6-7 bg=#0a0a0a, 8-12 fg=#eeeeee bg=#0a0a0a, 13-13 bg=#0a0a0a, 14-14 fg=#808080 bg=#0a0a0a, 15-15 bg=#0a0a0a, 16-19 fg=#808080 bg=#0a0a0a, 20-20 bg=#0a0a0a, 21-25 fg=#808080 bg=#0a0a0a, 26-26 bg=#0a0a0a, 27-27 fg=#808080 bg=#0a0a0a, 28-28 bg=#0a0a0a, 29-32 fg=#808080 bg=#0a0a0a
20: 0-1 bg=#0a0a0a, 2-2 fg=#5c9cf5 bg=#0a0a0a
21: 0-1 bg=#0a0a0a, 2-2 fg=#5c9cf5 bg=#0a0a0a, 3-4 bg=#141414, 5-7 fg=#eeeeee bg=#141414, 8-8 bg=#141414, 9-13 fg=#eeeeee bg=#141414, 14-14 bg=#141414, 15-31 fg=#eeeeee bg=#141414
22: 0-1 bg=#0a0a0a, 2-2 fg=#5c9cf5 bg=#0a0a0a
24: 0-4 bg=#0a0a0a, 5-5 fg=#eeeeee bg=#0a0a0a, 6-6 bg=#0a0a0a, 7-10 fg=#eeeeee bg=#0a0a0a, 11-11 bg=#0a0a0a, 12-15 fg=#eeeeee bg=#0a0a0a, 16-16 bg=#0a0a0a, 17-21 fg=#eeeeee bg=#0a0a0a
26: 0-4 bg=#0a0a0a, 5-5 fg=#f5a742 bg=#0a0a0a, 6-6 bg=#0a0a0a, 7-11 fg=#f5a742 bg=#0a0a0a, 12-12 bg=#0a0a0a, 13-29 fg=#f5a742 bg=#0a0a0a
28: 0-4 bg=#0a0a0a, 5-5 fg=#5c9cf5 bg=#0a0a0a, 6-7 bg=#0a0a0a, 8-12 fg=#eeeeee bg=#0a0a0a, 13-13 bg=#0a0a0a, 14-14 fg=#808080 bg=#0a0a0a, 15-15 bg=#0a0a0a, 16-19 fg=#808080 bg=#0a0a0a, 20-20 bg=#0a0a0a, 21-25 fg=#808080 bg=#0a0a0a
30: 0-1 bg=#0a0a0a, 2-2 fg=#f5a742 bg=#141414
31: 0-1 bg=#0a0a0a, 2-2 fg=#f5a742 bg=#141414, 3-4 bg=#141414, 5-5 fg=#f5a742 bg=#141414, 6-6 bg=#141414, 7-16 fg=#eeeeee bg=#141414, 17-17 bg=#141414, 18-25 fg=#eeeeee bg=#141414
32: 0-1 bg=#0a0a0a, 2-2 fg=#f5a742 bg=#141414, 3-6 bg=#141414, 7-7 fg=#808080 bg=#141414, 8-8 bg=#141414, 9-13 fg=#eeeeee bg=#141414, 14-14 bg=#141414, 15-21 fg=#eeeeee bg=#141414
33: 0-1 bg=#0a0a0a, 2-2 fg=#f5a742 bg=#141414
34: 0-1 bg=#0a0a0a, 2-2 fg=#f5a742 bg=#141414, 3-4 bg=#141414, 5-5 fg=#eeeeee bg=#141414, 6-6 bg=#141414, 7-11 fg=#eeeeee bg=#141414, 12-12 bg=#141414, 13-29 fg=#eeeeee bg=#141414
35: 0-1 bg=#0a0a0a, 2-2 fg=#f5a742 bg=#141414
36: 0-1 bg=#0a0a0a, 2-2 fg=#f5a742 bg=#141414
37: 0-1 bg=#0a0a0a, 2-2 fg=#f5a742 bg=#141414, 3-4 bg=#1e1e1e, 5-5 bg=#f5a742, 6-10 fg=#0a0a0a bg=#f5a742, 11-11 bg=#f5a742, 12-15 fg=#0a0a0a bg=#f5a742, 16-16 bg=#f5a742, 17-18 bg=#1e1e1e, 19-23 fg=#808080 bg=#1e1e1e, 24-24 bg=#1e1e1e, 25-30 fg=#808080 bg=#1e1e1e, 31-33 bg=#1e1e1e, 34-39 fg=#808080 bg=#1e1e1e, 40-72 bg=#1e1e1e, 73-78 fg=#eeeeee bg=#1e1e1e, 79-79 bg=#1e1e1e, 80-89 fg=#808080 bg=#1e1e1e, 90-91 bg=#1e1e1e, 92-92 fg=#eeeeee bg=#1e1e1e, 93-93 bg=#1e1e1e, 94-99 fg=#808080 bg=#1e1e1e, 100-101 bg=#1e1e1e, 102-106 fg=#eeeeee bg=#1e1e1e, 107-107 bg=#1e1e1e, 108-114 fg=#808080 bg=#1e1e1e
38: 0-1 bg=#0a0a0a, 2-2 fg=#f5a742 bg=#141414
cursor: 118,38,0
== allowed
|     ┌─────────────────────────────────────────────────────────┬─────────────────────────────────────────────────────┐
|     │name                                                     │value                                                │
|     ├─────────────────────────────────────────────────────────┼─────────────────────────────────────────────────────┤
|     │alpha                                                    │1                                                    │
|     ├─────────────────────────────────────────────────────────┼─────────────────────────────────────────────────────┤
|     │日本語                                                   │22                                                   │
|     ├─────────────────────────────────────────────────────────┼─────────────────────────────────────────────────────┤
|     │emoji 🚀                                                 │333                                                  │
|     └─────────────────────────────────────────────────────────┴─────────────────────────────────────────────────────┘
|
|     fn main() { println!("hello"); }
|
|     1. one
|     2. two ✅ ⚠️  👨‍👩‍👧 é ❤️
|
|     ▣  Build · Fake Model · 7.6s
|
|  ┃
|  ┃  %sh touch opencode-was-here
|  ┃
|
|     I will call bash.
|
|  ┃
|  ┃  $ touch opencode-was-here
|  ┃
|  ┃  (no output)
|  ┃
|
|     FAKE-DONE after 1 tool result(s): (no output)
|
|     ▣  Build · Fake Model · 1.7s
|
|  ┃
|  ┃
|  ┃
|  ┃  Build · Fake Model Fake
|  ╹▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀
|   /tmp/shop                                                                                1.2K (1%)  ctrl+p commands
|
0: 0-4 bg=#0a0a0a, 5-117 fg=#808080 bg=#0a0a0a
1: 0-4 bg=#0a0a0a, 5-5 fg=#808080 bg=#0a0a0a, 6-9 bold fg=#9d7cd8 bg=#0a0a0a, 10-62 bg=#0a0a0a, 63-63 fg=#808080 bg=#0a0a0a, 64-68 bold fg=#9d7cd8 bg=#0a0a0a, 69-116 bg=#0a0a0a, 117-117 fg=#808080 bg=#0a0a0a
2: 0-4 bg=#0a0a0a, 5-117 fg=#808080 bg=#0a0a0a
3: 0-4 bg=#0a0a0a, 5-5 fg=#808080 bg=#0a0a0a, 6-10 fg=#eeeeee bg=#0a0a0a, 11-62 bg=#0a0a0a, 63-63 fg=#808080 bg=#0a0a0a, 64-64 fg=#eeeeee bg=#0a0a0a, 65-116 bg=#0a0a0a, 117-117 fg=#808080 bg=#0a0a0a
4: 0-4 bg=#0a0a0a, 5-117 fg=#808080 bg=#0a0a0a
5: 0-4 bg=#0a0a0a, 5-5 fg=#808080 bg=#0a0a0a, 6-11 fg=#eeeeee bg=#0a0a0a, 12-62 bg=#0a0a0a, 63-63 fg=#808080 bg=#0a0a0a, 64-65 fg=#eeeeee bg=#0a0a0a, 66-116 bg=#0a0a0a, 117-117 fg=#808080 bg=#0a0a0a
6: 0-4 bg=#0a0a0a, 5-117 fg=#808080 bg=#0a0a0a
7: 0-4 bg=#0a0a0a, 5-5 fg=#808080 bg=#0a0a0a, 6-10 fg=#eeeeee bg=#0a0a0a, 11-11 bg=#0a0a0a, 12-13 fg=#eeeeee bg=#0a0a0a, 14-62 bg=#0a0a0a, 63-63 fg=#808080 bg=#0a0a0a, 64-66 fg=#eeeeee bg=#0a0a0a, 67-116 bg=#0a0a0a, 117-117 fg=#808080 bg=#0a0a0a
8: 0-4 bg=#0a0a0a, 5-117 fg=#808080 bg=#0a0a0a
10: 0-4 bg=#0a0a0a, 5-6 fg=#eeeeee bg=#0a0a0a, 7-7 bg=#0a0a0a, 8-13 fg=#eeeeee bg=#0a0a0a, 14-14 bg=#0a0a0a, 15-15 fg=#eeeeee bg=#0a0a0a, 16-16 bg=#0a0a0a, 17-34 fg=#eeeeee bg=#0a0a0a, 35-35 bg=#0a0a0a, 36-36 fg=#eeeeee bg=#0a0a0a
12: 0-4 bg=#0a0a0a, 5-6 fg=#fab283 bg=#0a0a0a, 7-7 bg=#0a0a0a, 8-10 fg=#eeeeee bg=#0a0a0a
13: 0-4 bg=#0a0a0a, 5-6 fg=#fab283 bg=#0a0a0a, 7-7 bg=#0a0a0a, 8-10 fg=#eeeeee bg=#0a0a0a, 11-11 bg=#0a0a0a, 12-13 fg=#eeeeee bg=#0a0a0a, 14-14 bg=#0a0a0a, 15-16 fg=#eeeeee bg=#0a0a0a, 17-18 bg=#0a0a0a, 19-20 fg=#eeeeee bg=#0a0a0a, 21-21 bg=#0a0a0a, 22-22 fg=#eeeeee bg=#0a0a0a, 23-23 bg=#0a0a0a, 24-25 fg=#eeeeee bg=#0a0a0a
15: 0-4 bg=#0a0a0a, 5-5 fg=#5c9cf5 bg=#0a0a0a, 6-7 bg=#0a0a0a, 8-12 fg=#eeeeee bg=#0a0a0a, 13-13 bg=#0a0a0a, 14-14 fg=#808080 bg=#0a0a0a, 15-15 bg=#0a0a0a, 16-19 fg=#808080 bg=#0a0a0a, 20-20 bg=#0a0a0a, 21-25 fg=#808080 bg=#0a0a0a, 26-26 bg=#0a0a0a, 27-27 fg=#808080 bg=#0a0a0a, 28-28 bg=#0a0a0a, 29-32 fg=#808080 bg=#0a0a0a
17: 0-1 bg=#0a0a0a, 2-2 fg=#5c9cf5 bg=#0a0a0a
18: 0-1 bg=#0a0a0a, 2-2 fg=#5c9cf5 bg=#0a0a0a, 3-4 bg=#141414, 5-7 fg=#eeeeee bg=#141414, 8-8 bg=#141414, 9-13 fg=#eeeeee bg=#141414, 14-14 bg=#141414, 15-31 fg=#eeeeee bg=#141414
19: 0-1 bg=#0a0a0a, 2-2 fg=#5c9cf5 bg=#0a0a0a
21: 0-4 bg=#0a0a0a, 5-5 fg=#eeeeee bg=#0a0a0a, 6-6 bg=#0a0a0a, 7-10 fg=#eeeeee bg=#0a0a0a, 11-11 bg=#0a0a0a, 12-15 fg=#eeeeee bg=#0a0a0a, 16-16 bg=#0a0a0a, 17-21 fg=#eeeeee bg=#0a0a0a
23: 0-1 bg=#0a0a0a, 2-2 fg=#0a0a0a bg=#141414
24: 0-1 bg=#0a0a0a, 2-2 fg=#0a0a0a bg=#141414, 3-4 bg=#141414, 5-5 fg=#eeeeee bg=#141414, 6-6 bg=#141414, 7-11 fg=#eeeeee bg=#141414, 12-12 bg=#141414, 13-29 fg=#eeeeee bg=#141414
25: 0-1 bg=#0a0a0a, 2-2 fg=#0a0a0a bg=#141414
26: 0-1 bg=#0a0a0a, 2-2 fg=#0a0a0a bg=#141414, 3-4 bg=#141414, 5-7 fg=#eeeeee bg=#141414, 8-8 bg=#141414, 9-15 fg=#eeeeee bg=#141414
27: 0-1 bg=#0a0a0a, 2-2 fg=#0a0a0a bg=#141414
29: 0-4 bg=#0a0a0a, 5-13 fg=#eeeeee bg=#0a0a0a, 14-14 bg=#0a0a0a, 15-19 fg=#eeeeee bg=#0a0a0a, 20-20 bg=#0a0a0a, 21-21 fg=#eeeeee bg=#0a0a0a, 22-22 bg=#0a0a0a, 23-26 fg=#eeeeee bg=#0a0a0a, 27-27 bg=#0a0a0a, 28-37 fg=#eeeeee bg=#0a0a0a, 38-38 bg=#0a0a0a, 39-41 fg=#eeeeee bg=#0a0a0a, 42-42 bg=#0a0a0a, 43-49 fg=#eeeeee bg=#0a0a0a
31: 0-4 bg=#0a0a0a, 5-5 fg=#5c9cf5 bg=#0a0a0a, 6-7 bg=#0a0a0a, 8-12 fg=#eeeeee bg=#0a0a0a, 13-13 bg=#0a0a0a, 14-14 fg=#808080 bg=#0a0a0a, 15-15 bg=#0a0a0a, 16-19 fg=#808080 bg=#0a0a0a, 20-20 bg=#0a0a0a, 21-25 fg=#808080 bg=#0a0a0a, 26-26 bg=#0a0a0a, 27-27 fg=#808080 bg=#0a0a0a, 28-28 bg=#0a0a0a, 29-32 fg=#808080 bg=#0a0a0a
33: 0-1 bg=#0a0a0a, 2-2 fg=#5c9cf5 bg=#0a0a0a
34: 0-1 bg=#0a0a0a, 2-2 fg=#5c9cf5 bg=#0a0a0a
35: 0-1 bg=#0a0a0a, 2-2 fg=#5c9cf5 bg=#0a0a0a
36: 0-1 bg=#0a0a0a, 2-2 fg=#5c9cf5 bg=#0a0a0a, 3-4 bg=#1e1e1e, 5-9 fg=#5c9cf5 bg=#1e1e1e, 10-10 bg=#1e1e1e, 11-11 fg=#808080 bg=#1e1e1e, 12-12 bg=#1e1e1e, 13-16 fg=#eeeeee bg=#1e1e1e, 17-17 bg=#1e1e1e, 18-22 fg=#eeeeee bg=#1e1e1e, 23-23 bg=#1e1e1e, 24-27 fg=#808080 bg=#1e1e1e
37: 0-1 bg=#0a0a0a, 2-2 fg=#5c9cf5 bg=#0a0a0a, 3-117 fg=#1e1e1e bg=#0a0a0a
38: 0-2 bg=#0a0a0a, 3-11 fg=#808080 bg=#0a0a0a, 12-91 bg=#0a0a0a, 92-95 fg=#808080 bg=#0a0a0a, 96-96 bg=#0a0a0a, 97-100 fg=#808080 bg=#0a0a0a, 101-102 bg=#0a0a0a, 103-108 fg=#eeeeee bg=#0a0a0a, 109-109 bg=#0a0a0a, 110-117 fg=#808080 bg=#0a0a0a
cursor: 5,34,1
== narrow
|     fn main() { println!("hello"); }
|
|     1. one
|     2. two ✅ ⚠️─ 👨‍👩‍👧 é ❤️─
|
|     ▣  Build · Fake Model · 7.6s
|
|  ┃
|  ┃  %sh touch opencode-was-here
|  ┃
|
|     I will call bash.
|
|  ┃
|  ┃  $ touch opencode-was-here
|  ┃
|  ┃  (no output)
|  ┃
|
|     FAKE-DONE after 1 tool result(s): (no output)
|
|     ▣  Build · Fake Model · 1.7s
|
|  ┃
|  ┃
|  ┃
|  ┃  Build · Fake Model Fake
|  ╹▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀
|   /tmp/shop                                                  1.2K (1%)  ctrl+p commands
|
0: 0-4 bg=#0a0a0a, 5-6 fg=#eeeeee bg=#0a0a0a, 7-7 bg=#0a0a0a, 8-13 fg=#eeeeee bg=#0a0a0a, 14-14 bg=#0a0a0a, 15-15 fg=#eeeeee bg=#0a0a0a, 16-16 bg=#0a0a0a, 17-34 fg=#eeeeee bg=#0a0a0a, 35-35 bg=#0a0a0a, 36-36 fg=#eeeeee bg=#0a0a0a
2: 0-4 bg=#0a0a0a, 5-6 fg=#fab283 bg=#0a0a0a, 7-7 bg=#0a0a0a, 8-10 fg=#eeeeee bg=#0a0a0a
3: 0-4 bg=#0a0a0a, 5-6 fg=#fab283 bg=#0a0a0a, 7-7 bg=#0a0a0a, 8-10 fg=#eeeeee bg=#0a0a0a, 11-11 bg=#0a0a0a, 12-13 fg=#eeeeee bg=#0a0a0a, 14-14 bg=#0a0a0a, 15-16 fg=#eeeeee bg=#0a0a0a, 17-17 fg=#808080 bg=#0a0a0a, 18-18 bg=#0a0a0a, 19-20 fg=#eeeeee bg=#0a0a0a, 21-21 bg=#0a0a0a, 22-22 fg=#eeeeee bg=#0a0a0a, 23-23 bg=#0a0a0a, 24-25 fg=#eeeeee bg=#0a0a0a, 26-26 fg=#808080 bg=#0a0a0a
5: 0-4 bg=#0a0a0a, 5-5 fg=#5c9cf5 bg=#0a0a0a, 6-7 bg=#0a0a0a, 8-12 fg=#eeeeee bg=#0a0a0a, 13-13 bg=#0a0a0a, 14-14 fg=#808080 bg=#0a0a0a, 15-15 bg=#0a0a0a, 16-19 fg=#808080 bg=#0a0a0a, 20-20 bg=#0a0a0a, 21-25 fg=#808080 bg=#0a0a0a, 26-26 bg=#0a0a0a, 27-27 fg=#808080 bg=#0a0a0a, 28-28 bg=#0a0a0a, 29-32 fg=#808080 bg=#0a0a0a
7: 0-1 bg=#0a0a0a, 2-2 fg=#5c9cf5 bg=#0a0a0a
8: 0-1 bg=#0a0a0a, 2-2 fg=#5c9cf5 bg=#0a0a0a, 3-4 bg=#141414, 5-7 fg=#eeeeee bg=#141414, 8-8 bg=#141414, 9-13 fg=#eeeeee bg=#141414, 14-14 bg=#141414, 15-31 fg=#eeeeee bg=#141414
9: 0-1 bg=#0a0a0a, 2-2 fg=#5c9cf5 bg=#0a0a0a
11: 0-4 bg=#0a0a0a, 5-5 fg=#eeeeee bg=#0a0a0a, 6-6 bg=#0a0a0a, 7-10 fg=#eeeeee bg=#0a0a0a, 11-11 bg=#0a0a0a, 12-15 fg=#eeeeee bg=#0a0a0a, 16-16 bg=#0a0a0a, 17-21 fg=#eeeeee bg=#0a0a0a
13: 0-1 bg=#0a0a0a, 2-2 fg=#0a0a0a bg=#141414
14: 0-1 bg=#0a0a0a, 2-2 fg=#0a0a0a bg=#141414, 3-4 bg=#141414, 5-5 fg=#eeeeee bg=#141414, 6-6 bg=#141414, 7-11 fg=#eeeeee bg=#141414, 12-12 bg=#141414, 13-29 fg=#eeeeee bg=#141414
15: 0-1 bg=#0a0a0a, 2-2 fg=#0a0a0a bg=#141414
16: 0-1 bg=#0a0a0a, 2-2 fg=#0a0a0a bg=#141414, 3-4 bg=#141414, 5-7 fg=#eeeeee bg=#141414, 8-8 bg=#141414, 9-15 fg=#eeeeee bg=#141414
17: 0-1 bg=#0a0a0a, 2-2 fg=#0a0a0a bg=#141414
19: 0-4 bg=#0a0a0a, 5-13 fg=#eeeeee bg=#0a0a0a, 14-14 bg=#0a0a0a, 15-19 fg=#eeeeee bg=#0a0a0a, 20-20 bg=#0a0a0a, 21-21 fg=#eeeeee bg=#0a0a0a, 22-22 bg=#0a0a0a, 23-26 fg=#eeeeee bg=#0a0a0a, 27-27 bg=#0a0a0a, 28-37 fg=#eeeeee bg=#0a0a0a, 38-38 bg=#0a0a0a, 39-41 fg=#eeeeee bg=#0a0a0a, 42-42 bg=#0a0a0a, 43-49 fg=#eeeeee bg=#0a0a0a
21: 0-4 bg=#0a0a0a, 5-5 fg=#5c9cf5 bg=#0a0a0a, 6-7 bg=#0a0a0a, 8-12 fg=#eeeeee bg=#0a0a0a, 13-13 bg=#0a0a0a, 14-14 fg=#808080 bg=#0a0a0a, 15-15 bg=#0a0a0a, 16-19 fg=#808080 bg=#0a0a0a, 20-20 bg=#0a0a0a, 21-25 fg=#808080 bg=#0a0a0a, 26-26 bg=#0a0a0a, 27-27 fg=#808080 bg=#0a0a0a, 28-28 bg=#0a0a0a, 29-32 fg=#808080 bg=#0a0a0a
23: 0-1 bg=#0a0a0a, 2-2 fg=#5c9cf5 bg=#0a0a0a
24: 0-1 bg=#0a0a0a, 2-2 fg=#5c9cf5 bg=#0a0a0a
25: 0-1 bg=#0a0a0a, 2-2 fg=#5c9cf5 bg=#0a0a0a
26: 0-1 bg=#0a0a0a, 2-2 fg=#5c9cf5 bg=#0a0a0a, 3-4 bg=#1e1e1e, 5-9 fg=#5c9cf5 bg=#1e1e1e, 10-10 bg=#1e1e1e, 11-11 fg=#808080 bg=#1e1e1e, 12-12 bg=#1e1e1e, 13-16 fg=#eeeeee bg=#1e1e1e, 17-17 bg=#1e1e1e, 18-22 fg=#eeeeee bg=#1e1e1e, 23-23 bg=#1e1e1e, 24-27 fg=#808080 bg=#1e1e1e
27: 0-1 bg=#0a0a0a, 2-2 fg=#5c9cf5 bg=#0a0a0a, 3-87 fg=#1e1e1e bg=#0a0a0a
28: 0-2 bg=#0a0a0a, 3-11 fg=#808080 bg=#0a0a0a, 12-61 bg=#0a0a0a, 62-65 fg=#808080 bg=#0a0a0a, 66-66 bg=#0a0a0a, 67-70 fg=#808080 bg=#0a0a0a, 71-72 bg=#0a0a0a, 73-78 fg=#eeeeee bg=#0a0a0a, 79-79 bg=#0a0a0a, 80-87 fg=#808080 bg=#0a0a0a
cursor: 5,24,1
== wide
|     ┌─────────────────────────────────────────────────────────┬─────────────────────────────────────────────────────┐
|     │name                                                     │value                                                │
|     ├─────────────────────────────────────────────────────────┼─────────────────────────────────────────────────────┤
|     │alpha                                                    │1                                                    │
|     ├─────────────────────────────────────────────────────────┼─────────────────────────────────────────────────────┤
|     │日本語                                                   │22                                                   │
|     ├─────────────────────────────────────────────────────────┼─────────────────────────────────────────────────────┤
|     │emoji 🚀                                                 │333                                                  │
|     └─────────────────────────────────────────────────────────┴─────────────────────────────────────────────────────┘
|
|     fn main() { println!("hello"); }
|
|     1. one
|     2. two ✅ ⚠️  👨‍👩‍👧 é ❤️
|
|     ▣  Build · Fake Model · 7.6s
|
|  ┃
|  ┃  %sh touch opencode-was-here
|  ┃
|
|     I will call bash.
|
|  ┃
|  ┃  $ touch opencode-was-here
|  ┃
|  ┃  (no output)
|  ┃
|
|     FAKE-DONE after 1 tool result(s): (no output)
|
|     ▣  Build · Fake Model · 1.7s
|
|  ┃
|  ┃
|  ┃
|  ┃  Build · Fake Model Fake
|  ╹▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀
|   /tmp/shop                                                                                1.2K (1%)  ctrl+p commands
|
0: 0-4 bg=#0a0a0a, 5-117 fg=#808080 bg=#0a0a0a
1: 0-4 bg=#0a0a0a, 5-5 fg=#808080 bg=#0a0a0a, 6-9 bold fg=#9d7cd8 bg=#0a0a0a, 10-62 bg=#0a0a0a, 63-63 fg=#808080 bg=#0a0a0a, 64-68 bold fg=#9d7cd8 bg=#0a0a0a, 69-116 bg=#0a0a0a, 117-117 fg=#808080 bg=#0a0a0a
2: 0-4 bg=#0a0a0a, 5-117 fg=#808080 bg=#0a0a0a
3: 0-4 bg=#0a0a0a, 5-5 fg=#808080 bg=#0a0a0a, 6-10 fg=#eeeeee bg=#0a0a0a, 11-62 bg=#0a0a0a, 63-63 fg=#808080 bg=#0a0a0a, 64-64 fg=#eeeeee bg=#0a0a0a, 65-116 bg=#0a0a0a, 117-117 fg=#808080 bg=#0a0a0a
4: 0-4 bg=#0a0a0a, 5-117 fg=#808080 bg=#0a0a0a
5: 0-4 bg=#0a0a0a, 5-5 fg=#808080 bg=#0a0a0a, 6-11 fg=#eeeeee bg=#0a0a0a, 12-62 bg=#0a0a0a, 63-63 fg=#808080 bg=#0a0a0a, 64-65 fg=#eeeeee bg=#0a0a0a, 66-116 bg=#0a0a0a, 117-117 fg=#808080 bg=#0a0a0a
6: 0-4 bg=#0a0a0a, 5-117 fg=#808080 bg=#0a0a0a
7: 0-4 bg=#0a0a0a, 5-5 fg=#808080 bg=#0a0a0a, 6-10 fg=#eeeeee bg=#0a0a0a, 11-11 bg=#0a0a0a, 12-13 fg=#eeeeee bg=#0a0a0a, 14-62 bg=#0a0a0a, 63-63 fg=#808080 bg=#0a0a0a, 64-66 fg=#eeeeee bg=#0a0a0a, 67-116 bg=#0a0a0a, 117-117 fg=#808080 bg=#0a0a0a
8: 0-4 bg=#0a0a0a, 5-117 fg=#808080 bg=#0a0a0a
10: 0-4 bg=#0a0a0a, 5-6 fg=#eeeeee bg=#0a0a0a, 7-7 bg=#0a0a0a, 8-13 fg=#eeeeee bg=#0a0a0a, 14-14 bg=#0a0a0a, 15-15 fg=#eeeeee bg=#0a0a0a, 16-16 bg=#0a0a0a, 17-34 fg=#eeeeee bg=#0a0a0a, 35-35 bg=#0a0a0a, 36-36 fg=#eeeeee bg=#0a0a0a
12: 0-4 bg=#0a0a0a, 5-6 fg=#fab283 bg=#0a0a0a, 7-7 bg=#0a0a0a, 8-10 fg=#eeeeee bg=#0a0a0a
13: 0-4 bg=#0a0a0a, 5-6 fg=#fab283 bg=#0a0a0a, 7-7 bg=#0a0a0a, 8-10 fg=#eeeeee bg=#0a0a0a, 11-11 bg=#0a0a0a, 12-13 fg=#eeeeee bg=#0a0a0a, 14-14 bg=#0a0a0a, 15-16 fg=#eeeeee bg=#0a0a0a, 17-17 bg=#141414, 18-18 bg=#0a0a0a, 19-20 fg=#eeeeee bg=#0a0a0a, 21-21 bg=#0a0a0a, 22-22 fg=#eeeeee bg=#0a0a0a, 23-23 bg=#0a0a0a, 24-25 fg=#eeeeee bg=#0a0a0a
15: 0-4 bg=#0a0a0a, 5-5 fg=#5c9cf5 bg=#0a0a0a, 6-7 bg=#0a0a0a, 8-12 fg=#eeeeee bg=#0a0a0a, 13-13 bg=#0a0a0a, 14-14 fg=#808080 bg=#0a0a0a, 15-15 bg=#0a0a0a, 16-19 fg=#808080 bg=#0a0a0a, 20-20 bg=#0a0a0a, 21-25 fg=#808080 bg=#0a0a0a, 26-26 bg=#0a0a0a, 27-27 fg=#808080 bg=#0a0a0a, 28-28 bg=#0a0a0a, 29-32 fg=#808080 bg=#0a0a0a
17: 0-1 bg=#0a0a0a, 2-2 fg=#5c9cf5 bg=#0a0a0a
18: 0-1 bg=#0a0a0a, 2-2 fg=#5c9cf5 bg=#0a0a0a, 3-4 bg=#141414, 5-7 fg=#eeeeee bg=#141414, 8-8 bg=#141414, 9-13 fg=#eeeeee bg=#141414, 14-14 bg=#141414, 15-31 fg=#eeeeee bg=#141414
19: 0-1 bg=#0a0a0a, 2-2 fg=#5c9cf5 bg=#0a0a0a
21: 0-4 bg=#0a0a0a, 5-5 fg=#eeeeee bg=#0a0a0a, 6-6 bg=#0a0a0a, 7-10 fg=#eeeeee bg=#0a0a0a, 11-11 bg=#0a0a0a, 12-15 fg=#eeeeee bg=#0a0a0a, 16-16 bg=#0a0a0a, 17-21 fg=#eeeeee bg=#0a0a0a
23: 0-1 bg=#0a0a0a, 2-2 fg=#0a0a0a bg=#141414
24: 0-1 bg=#0a0a0a, 2-2 fg=#0a0a0a bg=#141414, 3-4 bg=#141414, 5-5 fg=#eeeeee bg=#141414, 6-6 bg=#141414, 7-11 fg=#eeeeee bg=#141414, 12-12 bg=#141414, 13-29 fg=#eeeeee bg=#141414
25: 0-1 bg=#0a0a0a, 2-2 fg=#0a0a0a bg=#141414
26: 0-1 bg=#0a0a0a, 2-2 fg=#0a0a0a bg=#141414, 3-4 bg=#141414, 5-7 fg=#eeeeee bg=#141414, 8-8 bg=#141414, 9-15 fg=#eeeeee bg=#141414
27: 0-1 bg=#0a0a0a, 2-2 fg=#0a0a0a bg=#141414
29: 0-4 bg=#0a0a0a, 5-13 fg=#eeeeee bg=#0a0a0a, 14-14 bg=#0a0a0a, 15-19 fg=#eeeeee bg=#0a0a0a, 20-20 bg=#0a0a0a, 21-21 fg=#eeeeee bg=#0a0a0a, 22-22 bg=#0a0a0a, 23-26 fg=#eeeeee bg=#0a0a0a, 27-27 bg=#0a0a0a, 28-37 fg=#eeeeee bg=#0a0a0a, 38-38 bg=#0a0a0a, 39-41 fg=#eeeeee bg=#0a0a0a, 42-42 bg=#0a0a0a, 43-49 fg=#eeeeee bg=#0a0a0a
31: 0-4 bg=#0a0a0a, 5-5 fg=#5c9cf5 bg=#0a0a0a, 6-7 bg=#0a0a0a, 8-12 fg=#eeeeee bg=#0a0a0a, 13-13 bg=#0a0a0a, 14-14 fg=#808080 bg=#0a0a0a, 15-15 bg=#0a0a0a, 16-19 fg=#808080 bg=#0a0a0a, 20-20 bg=#0a0a0a, 21-25 fg=#808080 bg=#0a0a0a, 26-26 bg=#0a0a0a, 27-27 fg=#808080 bg=#0a0a0a, 28-28 bg=#0a0a0a, 29-32 fg=#808080 bg=#0a0a0a
33: 0-1 bg=#0a0a0a, 2-2 fg=#5c9cf5 bg=#0a0a0a
34: 0-1 bg=#0a0a0a, 2-2 fg=#5c9cf5 bg=#0a0a0a
35: 0-1 bg=#0a0a0a, 2-2 fg=#5c9cf5 bg=#0a0a0a
36: 0-1 bg=#0a0a0a, 2-2 fg=#5c9cf5 bg=#0a0a0a, 3-4 bg=#1e1e1e, 5-9 fg=#5c9cf5 bg=#1e1e1e, 10-10 bg=#1e1e1e, 11-11 fg=#808080 bg=#1e1e1e, 12-12 bg=#1e1e1e, 13-16 fg=#eeeeee bg=#1e1e1e, 17-17 bg=#1e1e1e, 18-22 fg=#eeeeee bg=#1e1e1e, 23-23 bg=#1e1e1e, 24-27 fg=#808080 bg=#1e1e1e
37: 0-1 bg=#0a0a0a, 2-2 fg=#5c9cf5 bg=#0a0a0a, 3-117 fg=#1e1e1e bg=#0a0a0a
38: 0-2 bg=#0a0a0a, 3-11 fg=#808080 bg=#0a0a0a, 12-91 bg=#0a0a0a, 92-95 fg=#808080 bg=#0a0a0a, 96-96 bg=#0a0a0a, 97-100 fg=#808080 bg=#0a0a0a, 101-102 bg=#0a0a0a, 103-108 fg=#eeeeee bg=#0a0a0a, 109-109 bg=#0a0a0a, 110-117 fg=#808080 bg=#0a0a0a
cursor: 5,34,1
