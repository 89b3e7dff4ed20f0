== allowed
|  Some bold, italic, code, struck and a link (https://example.invalid/x).
|
|  ┌──────────┬───────┐
|  │ name     │ value │
|  ├──────────┼───────┤
|  │ alpha    │ 1     │
|  │ 日本語   │ 22    │
|  │ emoji 🚀 │ 333   │
|  └──────────┴───────┘
|
|   1 fn main() { println!("hello"); }
|
|   1. one
|   2. two ✅ ⚠️ 👨‍👩‍👧 é ❤️
|
|▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄
| > %sh touch gemini-was-here
|▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀
|✦ I will call run_shell_command.
|
|╭──────────────────────────────────────────────────────────────────────────────╮
|│ ✓  Shell touch gemini-was-here                                               │
|│                                                                              │
|│                                                                              │
|╰──────────────────────────────────────────────────────────────────────────────╯
|
|✦ FAKE-DONE after 1 tool result(s): {"output": "<untrusted_context>\nOutput:
|  (empty)\nProcess Group PGID: 18206\n</untrusted_context>"}
|
|
|                                                                    ? for shortcuts
|────────────────────────────────────────────────────────────────────────────────────
| Shift+Tab to accept edits                          1 GEMINI.md file · 1 MCP server
|▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄
| >   Type your message or @path/to/file
|▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀
| workspace (/directory)             branch            sandbox                /model
| /tmp/shop                          main              no sandbox               Auto
|
0: 2-5 fg=#ffffff, 7-10 bold fg=#ffffff, 11-11 fg=#ffffff, 13-18 italic fg=#ffffff, 19-19 fg=#ffffff, 21-24 fg=#d7afff, 25-25 fg=#ffffff, 27-32 struck fg=#ffffff, 34-36 fg=#ffffff, 38-38 fg=#ffffff, 40-43 fg=#ffffff, 45-45 fg=#ffffff, 46-70 fg=#87afff, 71-72 fg=#ffffff
2: 2-21 fg=#515151
3: 2-2 fg=#515151, 4-7 bold fg=#87afff, 13-13 fg=#515151, 15-19 bold fg=#87afff, 21-21 fg=#515151
4: 2-21 fg=#515151
5: 2-2 fg=#515151, 4-8 fg=#ffffff, 13-13 fg=#515151, 15-15 fg=#ffffff, 21-21 fg=#515151
6: 2-2 fg=#515151, 4-9 fg=#ffffff, 13-13 fg=#515151, 15-16 fg=#ffffff, 21-21 fg=#515151
7: 2-2 fg=#515151, 4-8 fg=#ffffff, 10-11 fg=#ffffff, 13-13 fg=#515151, 15-17 fg=#ffffff, 21-21 fg=#515151
8: 2-21 fg=#515151
10: 3-3 fg=#afafaf, 5-6 fg=#87afff, 8-13 fg=#ffffff, 15-15 fg=#ffffff, 17-24 fg=#87d7d7, 25-25 fg=#ffffff, 26-32 fg=#ffffaf, 33-34 fg=#ffffff, 36-36 fg=#ffffff
12: 3-4 fg=#ffffff, 6-8 fg=#ffffff
13: 3-4 fg=#ffffff, 6-8 fg=#ffffff, 10-11 fg=#ffffff, 13-14 fg=#ffffff, 16-17 fg=#ffffff, 19-19 fg=#ffffff, 21-22 fg=#ffffff
15: 0-83 fg=#2b2b2b
16: 0-0 bg=#2b2b2b, 1-1 fg=#d7afff bg=#2b2b2b, 2-2 bg=#2b2b2b, 3-5 fg=#ffffff bg=#2b2b2b, 6-6 bg=#2b2b2b, 7-11 fg=#ffffff bg=#2b2b2b, 12-12 bg=#2b2b2b, 13-27 fg=#ffffff bg=#2b2b2b
17: 0-83 fg=#2b2b2b
18: 0-0 fg=#d7afff, 2-2 fg=#ffffff, 4-7 fg=#ffffff, 9-12 fg=#ffffff, 14-31 fg=#ffffff
20: 0-79 fg=#515151
21: 0-0 fg=#515151, 2-2 fg=#d7ffd7, 5-9 bold fg=#ffffff, 11-15 fg=#afafaf, 17-31 fg=#afafaf, 79-79 fg=#515151
22: 0-0 fg=#515151, 79-79 fg=#515151
23: 0-0 fg=#515151, 2-2 inverse, 79-79 fg=#515151
24: 0-79 fg=#515151
26: 0-0 fg=#d7afff, 2-10 fg=#ffffff, 12-16 fg=#ffffff, 18-18 fg=#ffffff, 20-23 fg=#ffffff, 25-34 fg=#ffffff, 36-45 fg=#ffffff, 47-75 fg=#ffffff
27: 2-17 fg=#ffffff, 19-23 fg=#ffffff, 25-29 fg=#ffffff, 31-59 fg=#ffffff
30: 68-68 fg=#afafaf, 70-72 fg=#afafaf, 74-82 fg=#afafaf
31: 0-83 dim fg=#515151
32: 1-9 fg=#afafaf, 11-12 fg=#afafaf, 14-19 fg=#afafaf, 21-25 fg=#afafaf, 52-52 fg=#afafaf, 54-62 fg=#afafaf, 64-67 fg=#afafaf, 69-69 fg=#afafaf, 71-71 fg=#afafaf, 73-75 fg=#afafaf, 77-82 fg=#afafaf
33: 0-83 fg=#383838
34: 0-0 bg=#383838, 1-1 fg=#d7afff bg=#383838, 2-2 bg=#383838, 3-3 inverse bg=#383838, 4-4 bg=#383838, 5-8 fg=#afafaf bg=#383838, 9-9 bg=#383838, 10-13 fg=#afafaf bg=#383838, 14-14 bg=#383838, 15-21 fg=#afafaf bg=#383838, 22-22 bg=#383838, 23-24 fg=#afafaf bg=#383838, 25-25 bg=#383838, 26-38 fg=#afafaf bg=#383838
35: 0-83 fg=#383838
36: 1-9 fg=#afafaf, 11-22 fg=#afafaf, 36-41 fg=#afafaf, 54-60 fg=#afafaf, 77-82 fg=#afafaf
37: 1-9 fg=#ffffff, 36-39 fg=#ffffff, 54-55 fg=#ff87af, 57-63 fg=#ff87af, 79-82 fg=#ffffff
cursor: 3,34,0
== narrow
|  ├──────────┼───────┤
|  │ alpha    │ 1     │
|  │ 日本語   │ 22    │
|  │ emoji 🚀 │ 333   │
|  └──────────┴───────┘
|
|   1 fn main() { println!("hello"); }
|
|   1. one
|   2. two ✅ ⚠️ 👨‍👩‍👧 é ❤️
|
|▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄
| > %sh touch gemini-was-here
|▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀
|✦ I will call run_shell_command.
|
|╭──────────────────────────────────────────────────────────────────────────────╮
|│ ✓  Shell touch gemini-was-here                                               │
|│                                                                              │
|│                                                                              │
|
|
|                                                                        ? for shortcuts
|────────────────────────────────────────────────────────────────────────────────────────
| Shift+Tab to accept edits                              1 GEMINI.md file · 1 MCP server
|▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄
| >   Type your message or @path/to/file
|▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀
| workspace (/directory)              branch              sandbox                 /model
| /tmp/shop                           main                no sandbox                Auto
|
0: 2-21 fg=#515151
1: 2-2 fg=#515151, 4-8 fg=#ffffff, 13-13 fg=#515151, 15-15 fg=#ffffff, 21-21 fg=#515151
2: 2-2 fg=#515151, 4-9 fg=#ffffff, 13-13 fg=#515151, 15-16 fg=#ffffff, 21-21 fg=#515151
3: 2-2 fg=#515151, 4-8 fg=#ffffff, 10-11 fg=#ffffff, 13-13 fg=#515151, 15-17 fg=#ffffff, 21-21 fg=#515151
4: 2-21 fg=#515151
6: 3-3 fg=#afafaf, 5-6 fg=#87afff, 8-13 fg=#ffffff, 15-15 fg=#ffffff, 17-24 fg=#87d7d7, 25-25 fg=#ffffff, 26-32 fg=#ffffaf, 33-34 fg=#ffffff, 36-36 fg=#ffffff
8: 3-4 fg=#ffffff, 6-8 fg=#ffffff
9: 3-4 fg=#ffffff, 6-8 fg=#ffffff, 10-11 fg=#ffffff, 13-14 fg=#ffffff, 16-17 fg=#ffffff, 19-19 fg=#ffffff, 21-22 fg=#ffffff
11: 0-83 fg=#2b2b2b
12: 0-0 bg=#2b2b2b, 1-1 fg=#d7afff bg=#2b2b2b, 2-2 bg=#2b2b2b, 3-5 fg=#ffffff bg=#2b2b2b, 6-6 bg=#2b2b2b, 7-11 fg=#ffffff bg=#2b2b2b, 12-12 bg=#2b2b2b, 13-27 fg=#ffffff bg=#2b2b2b
13: 0-83 fg=#2b2b2b
14: 0-0 fg=#d7afff, 2-2 fg=#ffffff, 4-7 fg=#ffffff, 9-12 fg=#ffffff, 14-31 fg=#ffffff
16: 0-79 fg=#515151
17: 0-0 fg=#515151, 2-2 fg=#d7ffd7, 5-9 bold fg=#ffffff, 11-15 fg=#afafaf, 17-31 fg=#afafaf, 79-79 fg=#515151
18: 0-0 fg=#515151, 79-79 fg=#515151
19: 0-0 fg=#515151, 2-2 inverse, 79-79 fg=#515151
22: 72-72 fg=#afafaf, 74-76 fg=#afafaf, 78-86 fg=#afafaf
23: 0-87 dim fg=#515151
24: 1-9 fg=#afafaf, 11-12 fg=#afafaf, 14-19 fg=#afafaf, 21-25 fg=#afafaf, 56-56 fg=#afafaf, 58-66 fg=#afafaf, 68-71 fg=#afafaf, 73-73 fg=#afafaf, 75-75 fg=#afafaf, 77-79 fg=#afafaf, 81-86 fg=#afafaf
25: 0-87 fg=#383838
26: 0-0 bg=#383838, 1-1 fg=#d7afff bg=#383838, 2-2 bg=#383838, 3-3 inverse bg=#383838, 4-4 bg=#383838, 5-8 fg=#afafaf bg=#383838, 9-9 bg=#383838, 10-13 fg=#afafaf bg=#383838, 14-14 bg=#383838, 15-21 fg=#afafaf bg=#383838, 22-22 bg=#383838, 23-24 fg=#afafaf bg=#383838, 25-25 bg=#383838, 26-38 fg=#afafaf bg=#383838
27: 0-87 fg=#383838
28: 1-9 fg=#afafaf, 11-22 fg=#afafaf, 37-42 fg=#afafaf, 57-63 fg=#afafaf, 81-86 fg=#afafaf
29: 1-9 fg=#ffffff, 37-40 fg=#ffffff, 57-58 fg=#ff87af, 60-66 fg=#ff87af, 83-86 fg=#ffffff
cursor: 3,26,0
== wide
|  ├──────────┼───────┤
|  │ alpha    │ 1     │
|  │ 日本語   │ 22    │
|  │ emoji 🚀 │ 333   │
|  └──────────┴───────┘
|
|   1 fn main() { println!("hello"); }
|
|   1. one
|   2. two ✅ ⚠️ 👨‍👩‍👧 é ❤️
|
|▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄
| > %sh touch gemini-was-here
|▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀
|✦ I will call run_shell_command.
|
|╭──────────────────────────────────────────────────────────────────────────────╮
|│ ✓  Shell touch gemini-was-here                                               │
|│                                                                              │
|│                                                                              │
|
|
|                                                                        ? for shortc
|uts
|
|
|                                                                    ? for shortcuts
|────────────────────────────────────────────────────────────────────────────────────
| Shift+Tab to accept edits                          1 GEMINI.md file · 1 MCP server
|▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄
| >   Type your message or @path/to/file
|▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀
| workspace (/directory)             branch            sandbox                /model
| /tmp/shop                          main              no sandbox               Auto
|
|del
| /tmp/shop                           main                no sandbox                A
|uto
|
0: 2-21 fg=#515151
1: 2-2 fg=#515151, 4-8 fg=#ffffff, 13-13 fg=#515151, 15-15 fg=#ffffff, 21-21 fg=#515151
2: 2-2 fg=#515151, 4-9 fg=#ffffff, 13-13 fg=#515151, 15-16 fg=#ffffff, 21-21 fg=#515151
3: 2-2 fg=#515151, 4-8 fg=#ffffff, 10-11 fg=#ffffff, 13-13 fg=#515151, 15-17 fg=#ffffff, 21-21 fg=#515151
4: 2-21 fg=#515151
6: 3-3 fg=#afafaf, 5-6 fg=#87afff, 8-13 fg=#ffffff, 15-15 fg=#ffffff, 17-24 fg=#87d7d7, 25-25 fg=#ffffff, 26-32 fg=#ffffaf, 33-34 fg=#ffffff, 36-36 fg=#ffffff
8: 3-4 fg=#ffffff, 6-8 fg=#ffffff
9: 3-4 fg=#ffffff, 6-8 fg=#ffffff, 10-11 fg=#ffffff, 13-14 fg=#ffffff, 16-17 fg=#ffffff, 19-19 fg=#ffffff, 21-22 fg=#ffffff
11: 0-83 fg=#2b2b2b
12: 0-0 bg=#2b2b2b, 1-1 fg=#d7afff bg=#2b2b2b, 2-2 bg=#2b2b2b, 3-5 fg=#ffffff bg=#2b2b2b, 6-6 bg=#2b2b2b, 7-11 fg=#ffffff bg=#2b2b2b, 12-12 bg=#2b2b2b, 13-27 fg=#ffffff bg=#2b2b2b
13: 0-83 fg=#2b2b2b
14: 0-0 fg=#d7afff, 2-2 fg=#ffffff, 4-7 fg=#ffffff, 9-12 fg=#ffffff, 14-31 fg=#ffffff
16: 0-79 fg=#515151
17: 0-0 fg=#515151, 2-2 fg=#d7ffd7, 5-9 bold fg=#ffffff, 11-15 fg=#afafaf, 17-31 fg=#afafaf, 79-79 fg=#515151
18: 0-0 fg=#515151, 79-79 fg=#515151
19: 0-0 fg=#515151, 2-2 inverse, 79-79 fg=#515151
22: 72-72 fg=#afafaf, 74-76 fg=#afafaf, 78-83 fg=#afafaf
23: 0-2 fg=#afafaf
26: 68-68 fg=#afafaf, 70-72 fg=#afafaf, 74-82 fg=#afafaf
27: 0-83 dim fg=#515151
28: 1-9 fg=#afafaf, 11-12 fg=#afafaf, 14-19 fg=#afafaf, 21-25 fg=#afafaf, 52-52 fg=#afafaf, 54-62 fg=#afafaf, 64-67 fg=#afafaf, 69-69 fg=#afafaf, 71-71 fg=#afafaf, 73-75 fg=#afafaf, 77-82 fg=#afafaf
29: 0-83 fg=#383838
30: 0-0 bg=#383838, 1-1 fg=#d7afff bg=#383838, 2-2 bg=#383838, 3-3 inverse bg=#383838, 4-4 bg=#383838, 5-8 fg=#afafaf bg=#383838, 9-9 bg=#383838, 10-13 fg=#afafaf bg=#383838, 14-14 bg=#383838, 15-21 fg=#afafaf bg=#383838, 22-22 bg=#383838, 23-24 fg=#afafaf bg=#383838, 25-25 bg=#383838, 26-38 fg=#afafaf bg=#383838
31: 0-83 fg=#383838
32: 1-9 fg=#afafaf, 11-22 fg=#afafaf, 36-41 fg=#afafaf, 54-60 fg=#afafaf, 77-82 fg=#afafaf
33: 1-9 fg=#ffffff, 36-39 fg=#ffffff, 54-55 fg=#ff87af, 57-63 fg=#ff87af, 79-82 fg=#ffffff
35: 0-2 fg=#afafaf
36: 1-9 fg=#ffffff, 37-40 fg=#ffffff, 57-58 fg=#ff87af, 60-66 fg=#ff87af, 83-83 fg=#ffffff
37: 0-2 fg=#ffffff
cursor: 3,30,0
