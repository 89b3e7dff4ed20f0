== start
|
|
|                                                                                                        ? for shortcuts
|────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
| Shift+Tab to accept edits
|▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄
| >   Type your message or @path/to/file
|▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀
| workspace (/directory)                                        sandbox                                           /model
| /tmp/shop                                                     no sandbox                                          Auto
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
|
|
|
|
2: 104-104 fg=#afafaf, 106-108 fg=#afafaf, 110-118 fg=#afafaf
3: 0-119 dim fg=#515151
4: 1-9 fg=#afafaf, 11-12 fg=#afafaf, 14-19 fg=#afafaf, 21-25 fg=#afafaf
5: 0-119 fg=#383838
6: 0-0 bg=#383838, 1-1 fg=#d7afff bg=#383838, 2-2 bg=#383838, 3-3 inverse bg=#383838, 4-4 bg=#383838, 5-8 fg=#afafaf bg=#383838, 9-9 bg=#383838, 10-13 fg=#afafaf bg=#383838, 14-14 bg=#383838, 15-21 fg=#afafaf bg=#383838, 22-22 bg=#383838, 23-24 fg=#afafaf bg=#383838, 25-25 bg=#383838, 26-38 fg=#afafaf bg=#383838
7: 0-119 fg=#383838
8: 1-9 fg=#afafaf, 11-22 fg=#afafaf, 63-69 fg=#afafaf, 113-118 fg=#afafaf
9: 1-9 fg=#ffffff, 63-64 fg=#ff87af, 66-72 fg=#ff87af, 115-118 fg=#ffffff
cursor: 3,6,0
== markdown
|
| ▝▜▄     Gemini CLI v0.61.0
|   ▝▜▄
|  ▗▟▀    Authenticated with gemini-api-key /auth
| ▝▀
|
|
|Tips for getting started:
|1. /help for more information
|2. Ask coding questions, edit code or run commands
|3. Be specific for the best results
|
|ℹ Initializing... Prompts will be queued.
|▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄
| > %md
|▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀
|✦ Fake answer
|
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
|
|
| ⠼ Thinking... (esc to cancel, 0s)                                                                      ? for shortcuts
|────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
| Shift+Tab to accept edits                                                              1 GEMINI.md file · 1 MCP server
|▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄
| >   Type your message or @path/to/file
|▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀
| workspace (/directory)                         branch                        sandbox                            /model
| /tmp/shop                                      main                          no sandbox                           Auto
|
|
1: 1-1 fg=#4796e4, 2-2 fg=#6688d9, 3-3 fg=#847ace, 9-14 bold fg=#ffffff, 16-18 bold fg=#ffffff, 20-26 fg=#afafaf
2: 3-3 fg=#847ace, 4-4 fg=#a471a7, 5-5 fg=#c3677f
3: 2-2 fg=#6688d9, 3-3 fg=#847ace, 4-4 fg=#a471a7, 9-21 fg=#ffffff, 23-26 fg=#ffffff, 28-41 fg=#ffffff, 43-47 fg=#afafaf
4: 1-1 fg=#4796e4, 2-2 fg=#6688d9
7: 0-3 fg=#ffffff, 5-7 fg=#ffffff, 9-15 fg=#ffffff, 17-24 fg=#ffffff
8: 0-1 fg=#ffffff, 3-7 fg=#afafaf, 9-11 fg=#ffffff, 13-16 fg=#ffffff, 18-28 fg=#ffffff
9: 0-1 fg=#ffffff, 3-5 fg=#ffffff, 7-12 fg=#ffffff, 14-23 fg=#ffffff, 25-28 fg=#ffffff, 30-33 fg=#ffffff, 35-36 fg=#ffffff, 38-40 fg=#ffffff, 42-49 fg=#ffffff
10: 0-1 fg=#ffffff, 3-4 fg=#ffffff, 6-13 fg=#ffffff, 15-17 fg=#ffffff, 19-21 fg=#ffffff, 23-26 fg=#ffffff, 28-34 fg=#ffffff
12: 0-0 fg=#ffffaf, 2-16 fg=#ffffaf, 18-24 fg=#ffffaf, 26-29 fg=#ffffaf, 31-32 fg=#ffffaf, 34-40 fg=#ffffaf
13: 0-119 fg=#2b2b2b
14: 0-0 bg=#2b2b2b, 1-1 fg=#d7afff bg=#2b2b2b, 2-2 bg=#2b2b2b, 3-5 fg=#ffffff bg=#2b2b2b
15: 0-119 fg=#2b2b2b
16: 0-0 fg=#d7afff, 2-5 bold fg=#87afff, 7-12 bold fg=#87afff
18: 2-5 fg=#ffffff, 7-10 bold fg=#ffffff, 11-11 fg=#ffffff, 13-18 italic fg=#ffffff, 19-19 fg=#ffffff, 21-24 fg=#d7afff, 25-25 fg=#ffffff, 27-32 struck fg=#ffffff, 34-36 fg=#ffffff, 38-38 fg=#ffffff, 40-43 fg=#ffffff, 45-45 fg=#ffffff, 46-70 fg=#87afff, 71-72 fg=#ffffff
20: 2-21 fg=#515151
21: 2-2 fg=#515151, 4-7 bold fg=#87afff, 13-13 fg=#515151, 15-19 bold fg=#87afff, 21-21 fg=#515151
22: 2-21 fg=#515151
23: 2-2 fg=#515151, 4-8 fg=#ffffff, 13-13 fg=#515151, 15-15 fg=#ffffff, 21-21 fg=#515151
24: 2-2 fg=#515151, 4-9 fg=#ffffff, 13-13 fg=#515151, 15-16 fg=#ffffff, 21-21 fg=#515151
25: 2-2 fg=#515151, 4-8 fg=#ffffff, 10-11 fg=#ffffff, 13-13 fg=#515151, 15-17 fg=#ffffff, 21-21 fg=#515151
26: 2-21 fg=#515151
30: 1-1 fg=#c5afff, 3-13 italic fg=#ffffff, 15-18 fg=#afafaf, 20-21 fg=#afafaf, 23-29 fg=#afafaf, 31-33 fg=#afafaf, 104-104 fg=#afafaf, 106-108 fg=#afafaf, 110-118 fg=#afafaf
31: 0-119 dim fg=#515151
32: 1-9 fg=#afafaf, 11-12 fg=#afafaf, 14-19 fg=#afafaf, 21-25 fg=#afafaf, 88-88 fg=#afafaf, 90-98 fg=#afafaf, 100-103 fg=#afafaf, 105-105 fg=#afafaf, 107-107 fg=#afafaf, 109-111 fg=#afafaf, 113-118 fg=#afafaf
33: 0-119 fg=#383838
34: 0-0 bg=#383838, 1-1 fg=#d7afff bg=#383838, 2-2 bg=#383838, 3-3 inverse bg=#383838, 4-4 bg=#383838, 5-8 fg=#afafaf bg=#383838, 9-9 bg=#383838, 10-13 fg=#afafaf bg=#383838, 14-14 bg=#383838, 15-21 fg=#afafaf bg=#383838, 22-22 bg=#383838, 23-24 fg=#afafaf bg=#383838, 25-25 bg=#383838, 26-38 fg=#afafaf bg=#383838
35: 0-119 fg=#383838
36: 1-9 fg=#afafaf, 11-22 fg=#afafaf, 48-53 fg=#afafaf, 78-84 fg=#afafaf, 113-118 fg=#afafaf
37: 1-9 fg=#ffffff, 48-51 fg=#ffffff, 78-79 fg=#ff87af, 81-87 fg=#ff87af, 115-118 fg=#ffffff
cursor: 3,34,0
== approval
|
|ℹ Initializing... Prompts will be queued.
|▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄
| > %md
|▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀
|✦ Fake answer
|
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
|▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄
| > %sh touch gemini-was-here
|▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀
|✦ I will call run_shell_command.
|
|╭──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────╮
|│ ? Shell  touch gemini-was-here                                                                                       │
|│ ╭──────────────────────────────────────────────────────────────────────────────────────────────────────────────────╮ │
|│ │ touch gemini-was-here                                                                                            │ │
|│ ╰──────────────────────────────────────────────────────────────────────────────────────────────────────────────────╯ │
|│ Allow execution of [Shell]?                                                                                          │
|│                                                                                                                      │
|│ ● 1. Allow once                                                                                                      │
|│   2. Allow for this session                                                                                          │
|│   3. No, suggest changes (esc)                                                                                       │
|╰──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────╯
|
|
1: 0-0 fg=#ffffaf, 2-16 fg=#ffffaf, 18-24 fg=#ffffaf, 26-29 fg=#ffffaf, 31-32 fg=#ffffaf, 34-40 fg=#ffffaf
2: 0-119 fg=#2b2b2b
3: 0-0 bg=#2b2b2b, 1-1 fg=#d7afff bg=#2b2b2b, 2-2 bg=#2b2b2b, 3-5 fg=#ffffff bg=#2b2b2b
4: 0-119 fg=#2b2b2b
5: 0-0 fg=#d7afff, 2-5 bold fg=#87afff, 7-12 bold fg=#87afff
7: 2-5 fg=#ffffff, 7-10 bold fg=#ffffff, 11-11 fg=#ffffff, 13-18 italic fg=#ffffff, 19-19 fg=#ffffff, 21-24 fg=#d7afff, 25-25 fg=#ffffff, 27-32 struck fg=#ffffff, 34-36 fg=#ffffff, 38-38 fg=#ffffff, 40-43 fg=#ffffff, 45-45 fg=#ffffff, 46-70 fg=#87afff, 71-72 fg=#ffffff
9: 2-21 fg=#515151
10: 2-2 fg=#515151, 4-7 bold fg=#87afff, 13-13 fg=#515151, 15-19 bold fg=#87afff, 21-21 fg=#515151
11: 2-21 fg=#515151
12: 2-2 fg=#515151, 4-8 fg=#ffffff, 13-13 fg=#515151, 15-15 fg=#ffffff, 21-21 fg=#515151
13: 2-2 fg=#515151, 4-9 fg=#ffffff, 13-13 fg=#515151, 15-16 fg=#ffffff, 21-21 fg=#515151
14: 2-2 fg=#515151, 4-8 fg=#ffffff, 10-11 fg=#ffffff, 13-13 fg=#515151, 15-17 fg=#ffffff, 21-21 fg=#515151
15: 2-21 fg=#515151
17: 3-3 fg=#afafaf, 5-6 fg=#87afff, 8-13 fg=#ffffff, 15-15 fg=#ffffff, 17-24 fg=#87d7d7, 25-25 fg=#ffffff, 26-32 fg=#ffffaf, 33-34 fg=#ffffff, 36-36 fg=#ffffff
19: 3-4 fg=#ffffff, 6-8 fg=#ffffff
20: 3-4 fg=#ffffff, 6-8 fg=#ffffff, 10-11 fg=#ffffff, 13-14 fg=#ffffff, 16-17 fg=#ffffff, 19-19 fg=#ffffff, 21-22 fg=#ffffff
22: 0-119 fg=#2b2b2b
23: 0-0 bg=#2b2b2b, 1-1 fg=#d7afff bg=#2b2b2b, 2-2 bg=#2b2b2b, 3-5 fg=#ffffff bg=#2b2b2b, 6-6 bg=#2b2b2b, 7-11 fg=#ffffff bg=#2b2b2b, 12-12 bg=#2b2b2b, 13-27 fg=#ffffff bg=#2b2b2b
24: 0-119 fg=#2b2b2b
25: 0-0 fg=#d7afff, 2-2 fg=#ffffff, 4-7 fg=#ffffff, 9-12 fg=#ffffff, 14-31 fg=#ffffff
27: 0-119 fg=#515151
28: 0-0 fg=#515151, 2-2 bold fg=#ffffaf, 4-8 bold fg=#ffffaf, 11-15 fg=#ffffff, 17-31 fg=#ffffff, 119-119 fg=#515151
29: 0-0 fg=#515151, 2-117 fg=#515151, 119-119 fg=#515151
30: 0-0 fg=#515151, 2-2 fg=#515151, 4-8 fg=#87d7d7, 10-24 fg=#ffffff, 117-117 fg=#515151, 119-119 fg=#515151
31: 0-0 fg=#515151, 2-117 fg=#515151, 119-119 fg=#515151
32: 0-0 fg=#515151, 21-27 bold fg=#ffffaf, 119-119 fg=#515151
33: 0-0 fg=#515151, 119-119 fg=#515151
34: 0-0 fg=#515151, 2-2 fg=#d7ffd7 bg=#394139, 3-3 bg=#394139, 4-5 fg=#d7ffd7 bg=#394139, 6-6 bg=#394139, 7-11 fg=#d7ffd7 bg=#394139, 12-12 bg=#394139, 13-16 fg=#d7ffd7 bg=#394139, 17-31 bg=#394139, 119-119 fg=#515151
35: 0-0 fg=#515151, 4-5 fg=#ffffff, 7-11 fg=#ffffff, 13-15 fg=#ffffff, 17-20 fg=#ffffff, 22-28 fg=#ffffff, 119-119 fg=#515151
36: 0-0 fg=#515151, 4-5 fg=#ffffff, 7-9 fg=#ffffff, 11-17 fg=#ffffff, 19-25 fg=#ffffff, 27-31 fg=#ffffff, 119-119 fg=#515151
37: 0-119 fg=#515151
cursor: 0,39,0
== allowed
|
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
|▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄
| > %sh touch gemini-was-here
|▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀
|✦ I will call run_shell_command.
|
|╭──────────────────────────────────────────────────────────────────────────────────────────────────────────────────╮
|│ ✓  Shell touch gemini-was-here                                                                                   │
|│                                                                                                                  │
|│                                                                                                                  │
|╰──────────────────────────────────────────────────────────────────────────────────────────────────────────────────╯
|
|✦ FAKE-DONE after 1 tool result(s): {"output": "<untrusted_context>\nOutput: (empty)\nProcess Group PGID:
|  2660\n</untrusted_context>"}
|
|
|                                                                                                        ? for shortcuts
|────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
| Shift+Tab to accept edits                                                              1 GEMINI.md file · 1 MCP server
|▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄
| >   Type your message or @path/to/file
|▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀
| workspace (/directory)                         branch                        sandbox                            /model
| /tmp/shop                                      main                          no sandbox                           Auto
|
1: 2-5 fg=#ffffff, 7-10 bold fg=#ffffff, 11-11 fg=#ffffff, 13-18 italic fg=#ffffff, 19-19 fg=#ffffff, 21-24 fg=#d7afff, 25-25 fg=#ffffff, 27-32 struck fg=#ffffff, 34-36 fg=#ffffff, 38-38 fg=#ffffff, 40-43 fg=#ffffff, 45-45 fg=#ffffff, 46-70 fg=#87afff, 71-72 fg=#ffffff
3: 2-21 fg=#515151
4: 2-2 fg=#515151, 4-7 bold fg=#87afff, 13-13 fg=#515151, 15-19 bold fg=#87afff, 21-21 fg=#515151
5: 2-21 fg=#515151
6: 2-2 fg=#515151, 4-8 fg=#ffffff, 13-13 fg=#515151, 15-15 fg=#ffffff, 21-21 fg=#515151
7: 2-2 fg=#515151, 4-9 fg=#ffffff, 13-13 fg=#515151, 15-16 fg=#ffffff, 21-21 fg=#515151
8: 2-2 fg=#515151, 4-8 fg=#ffffff, 10-11 fg=#ffffff, 13-13 fg=#515151, 15-17 fg=#ffffff, 21-21 fg=#515151
9: 2-21 fg=#515151
11: 3-3 fg=#afafaf, 5-6 fg=#87afff, 8-13 fg=#ffffff, 15-15 fg=#ffffff, 17-24 fg=#87d7d7, 25-25 fg=#ffffff, 26-32 fg=#ffffaf, 33-34 fg=#ffffff, 36-36 fg=#ffffff
13: 3-4 fg=#ffffff, 6-8 fg=#ffffff
14: 3-4 fg=#ffffff, 6-8 fg=#ffffff, 10-11 fg=#ffffff, 13-14 fg=#ffffff, 16-17 fg=#ffffff, 19-19 fg=#ffffff, 21-22 fg=#ffffff
16: 0-119 fg=#2b2b2b
17: 0-0 bg=#2b2b2b, 1-1 fg=#d7afff bg=#2b2b2b, 2-2 bg=#2b2b2b, 3-5 fg=#ffffff bg=#2b2b2b, 6-6 bg=#2b2b2b, 7-11 fg=#ffffff bg=#2b2b2b, 12-12 bg=#2b2b2b, 13-27 fg=#ffffff bg=#2b2b2b
18: 0-119 fg=#2b2b2b
19: 0-0 fg=#d7afff, 2-2 fg=#ffffff, 4-7 fg=#ffffff, 9-12 fg=#ffffff, 14-31 fg=#ffffff
21: 0-115 fg=#515151
22: 0-0 fg=#515151, 2-2 fg=#d7ffd7, 5-9 bold fg=#ffffff, 11-15 fg=#afafaf, 17-31 fg=#afafaf, 115-115 fg=#515151
23: 0-0 fg=#515151, 115-115 fg=#515151
24: 0-0 fg=#515151, 2-2 inverse, 115-115 fg=#515151
25: 0-115 fg=#515151
27: 0-0 fg=#d7afff, 2-10 fg=#ffffff, 12-16 fg=#ffffff, 18-18 fg=#ffffff, 20-23 fg=#ffffff, 25-34 fg=#ffffff, 36-45 fg=#ffffff, 47-75 fg=#ffffff, 77-92 fg=#ffffff, 94-98 fg=#ffffff, 100-104 fg=#ffffff
28: 2-29 fg=#ffffff
31: 104-104 fg=#afafaf, 106-108 fg=#afafaf, 110-118 fg=#afafaf
32: 0-119 dim fg=#515151
33: 1-9 fg=#afafaf, 11-12 fg=#afafaf, 14-19 fg=#afafaf, 21-25 fg=#afafaf, 88-88 fg=#afafaf, 90-98 fg=#afafaf, 100-103 fg=#afafaf, 105-105 fg=#afafaf, 107-107 fg=#afafaf, 109-111 fg=#afafaf, 113-118 fg=#afafaf
34: 0-119 fg=#383838
35: 0-0 bg=#383838, 1-1 fg=#d7afff bg=#383838, 2-2 bg=#383838, 3-3 inverse bg=#383838, 4-4 bg=#383838, 5-8 fg=#afafaf bg=#383838, 9-9 bg=#383838, 10-13 fg=#afafaf bg=#383838, 14-14 bg=#383838, 15-21 fg=#afafaf bg=#383838, 22-22 bg=#383838, 23-24 fg=#afafaf bg=#383838, 25-25 bg=#383838, 26-38 fg=#afafaf bg=#383838
36: 0-119 fg=#383838
37: 1-9 fg=#afafaf, 11-22 fg=#afafaf, 48-53 fg=#afafaf, 78-84 fg=#afafaf, 113-118 fg=#afafaf
38: 1-9 fg=#ffffff, 48-51 fg=#ffffff, 78-79 fg=#ff87af, 81-87 fg=#ff87af, 115-118 fg=#ffffff
cursor: 3,35,0
== narrow
|▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀
|▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀
|✦ I will call run_shell_command.
|
|╭─────────────────────────────────────────────────────────────────────────────────────────
|─────────────────────────╮
|│ ✓  Shell touch gemini-was-here
|                         │
|│
|                         │
|│
|                         │
|╰─────────────────────────────────────────────────────────────────────────────────────────
|─────────────────────────╯
|
|✦ FAKE-DONE after 1 tool result(s): {"output": "<untrusted_context>\nOutput: (empty)\nProc
|ess Group PGID:
|  2660\n</untrusted_context>"}
|
|
|
|                                                                          ? for shortcuts
|──────────────────────────────────────────────────────────────────────────────────────────
| Shift+Tab to accept edits                                1 GEMINI.md file · 1 MCP server
|▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄
| >   Type your message or @path/to/file
|▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀
| workspace (/directory)               branch              sandbox                  /model
| /tmp/shop                            main                no sandbox                 Auto
|
0: 0-89 fg=#2b2b2b
1: 0-29 fg=#2b2b2b
2: 0-0 fg=#d7afff, 2-2 fg=#ffffff, 4-7 fg=#ffffff, 9-12 fg=#ffffff, 14-31 fg=#ffffff
4: 0-89 fg=#515151
5: 0-25 fg=#515151
6: 0-0 fg=#515151, 2-2 fg=#d7ffd7, 5-9 bold fg=#ffffff, 11-15 fg=#afafaf, 17-31 fg=#afafaf
7: 25-25 fg=#515151
8: 0-0 fg=#515151
9: 25-25 fg=#515151
10: 0-0 fg=#515151, 2-2 inverse
11: 25-25 fg=#515151
12: 0-89 fg=#515151
13: 0-25 fg=#515151
15: 0-0 fg=#d7afff, 2-10 fg=#ffffff, 12-16 fg=#ffffff, 18-18 fg=#ffffff, 20-23 fg=#ffffff, 25-34 fg=#ffffff, 36-45 fg=#ffffff, 47-75 fg=#ffffff, 77-89 fg=#ffffff
16: 0-2 fg=#ffffff, 4-8 fg=#ffffff, 10-14 fg=#ffffff
17: 2-29 fg=#ffffff
21: 74-74 fg=#afafaf, 76-78 fg=#afafaf, 80-88 fg=#afafaf
22: 0-89 dim fg=#515151
23: 1-9 fg=#afafaf, 11-12 fg=#afafaf, 14-19 fg=#afafaf, 21-25 fg=#afafaf, 58-58 fg=#afafaf, 60-68 fg=#afafaf, 70-73 fg=#afafaf, 75-75 fg=#afafaf, 77-77 fg=#afafaf, 79-81 fg=#afafaf, 83-88 fg=#afafaf
24: 0-89 fg=#383838
25: 0-0 bg=#383838, 1-1 fg=#d7afff bg=#383838, 2-2 bg=#383838, 3-3 inverse bg=#383838, 4-4 bg=#383838, 5-8 fg=#afafaf bg=#383838, 9-9 bg=#383838, 10-13 fg=#afafaf bg=#383838, 14-14 bg=#383838, 15-21 fg=#afafaf bg=#383838, 22-22 bg=#383838, 23-24 fg=#afafaf bg=#383838, 25-25 bg=#383838, 26-38 fg=#afafaf bg=#383838
26: 0-89 fg=#383838
27: 1-9 fg=#afafaf, 11-22 fg=#afafaf, 38-43 fg=#afafaf, 58-64 fg=#afafaf, 83-88 fg=#afafaf
28: 1-9 fg=#ffffff, 38-41 fg=#ffffff, 58-59 fg=#ff87af, 61-67 fg=#ff87af, 85-88 fg=#ffffff
cursor: 3,25,0
== wide
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
|▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄
| > %sh touch gemini-was-here
|▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀
|✦ I will call run_shell_command.
|
|╭──────────────────────────────────────────────────────────────────────────────────────────────────────────────────╮
|│ ✓  Shell touch gemini-was-here                                                                                   │
|│                                                                                                                  │
|│                                                                                                                  │
|╰──────────────────────────────────────────────────────────────────────────────────────────────────────────────────╯
|
|✦ FAKE-DONE after 1 tool result(s): {"output": "<untrusted_context>\nOutput: (empty)\nProcess Group PGID:
|  2660\n</untrusted_context>"}
|
|
|
|                                                                                                        ? for shortcuts
|────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
| Shift+Tab to accept edits                                                              1 GEMINI.md file · 1 MCP server
|▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄
| >   Type your message or @path/to/file
|▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀
| workspace (/directory)                         branch                        sandbox                            /model
| /tmp/shop                                      main                          no sandbox                           Auto
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
15: 0-119 fg=#2b2b2b
16: 0-0 bg=#2b2b2b, 1-1 fg=#d7afff bg=#2b2b2b, 2-2 bg=#2b2b2b, 3-5 fg=#ffffff bg=#2b2b2b, 6-6 bg=#2b2b2b, 7-11 fg=#ffffff bg=#2b2b2b, 12-12 bg=#2b2b2b, 13-27 fg=#ffffff bg=#2b2b2b
17: 0-119 fg=#2b2b2b
18: 0-0 fg=#d7afff, 2-2 fg=#ffffff, 4-7 fg=#ffffff, 9-12 fg=#ffffff, 14-31 fg=#ffffff
20: 0-115 fg=#515151
21: 0-0 fg=#515151, 2-2 fg=#d7ffd7, 5-9 bold fg=#ffffff, 11-15 fg=#afafaf, 17-31 fg=#afafaf, 115-115 fg=#515151
22: 0-0 fg=#515151, 115-115 fg=#515151
23: 0-0 fg=#515151, 2-2 inverse, 115-115 fg=#515151
24: 0-115 fg=#515151
26: 0-0 fg=#d7afff, 2-10 fg=#ffffff, 12-16 fg=#ffffff, 18-18 fg=#ffffff, 20-23 fg=#ffffff, 25-34 fg=#ffffff, 36-45 fg=#ffffff, 47-75 fg=#ffffff, 77-92 fg=#ffffff, 94-98 fg=#ffffff, 100-104 fg=#ffffff
27: 2-29 fg=#ffffff
31: 104-104 fg=#afafaf, 106-108 fg=#afafaf, 110-118 fg=#afafaf
32: 0-119 dim fg=#515151
33: 1-9 fg=#afafaf, 11-12 fg=#afafaf, 14-19 fg=#afafaf, 21-25 fg=#afafaf, 88-88 fg=#afafaf, 90-98 fg=#afafaf, 100-103 fg=#afafaf, 105-105 fg=#afafaf, 107-107 fg=#afafaf, 109-111 fg=#afafaf, 113-118 fg=#afafaf
34: 0-119 fg=#383838
35: 0-0 bg=#383838, 1-1 fg=#d7afff bg=#383838, 2-2 bg=#383838, 3-3 inverse bg=#383838, 4-4 bg=#383838, 5-8 fg=#afafaf bg=#383838, 9-9 bg=#383838, 10-13 fg=#afafaf bg=#383838, 14-14 bg=#383838, 15-21 fg=#afafaf bg=#383838, 22-22 bg=#383838, 23-24 fg=#afafaf bg=#383838, 25-25 bg=#383838, 26-38 fg=#afafaf bg=#383838
36: 0-119 fg=#383838
37: 1-9 fg=#afafaf, 11-22 fg=#afafaf, 48-53 fg=#afafaf, 78-84 fg=#afafaf, 113-118 fg=#afafaf
38: 1-9 fg=#ffffff, 48-51 fg=#ffffff, 78-79 fg=#ff87af, 81-87 fg=#ff87af, 115-118 fg=#ffffff
cursor: 3,35,0
