== start
|
|  >_ OpenAI Codex (v0.171.0)
|     /tmp/shop
|
|  Tip: When the composer is empty, press Esc to step back and edit your last message; Enter confirms.
|
|
|› Ask Codex to do anything
|
|  gpt-fake default · /tmp/shop
|  ← for agents · ? for shortcuts                                                               ⚠ 1 warning · f2 to view
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
1: 2-3 fg=#63a8f8, 5-10 bold, 12-16 bold, 18-27 dim
2: 5-13 dim
4: 2-5 bold fg=#f38ba8, 41-43 fg=#a6e3a1, 86-90 fg=#a6e3a1
7: 0-0 bold bg=#2e2e2e, 1-1 bg=#2e2e2e, 2-4 dim bg=#2e2e2e, 5-5 bg=#2e2e2e, 6-10 dim bg=#2e2e2e, 11-11 bg=#2e2e2e, 12-13 dim bg=#2e2e2e, 14-14 bg=#2e2e2e, 15-16 dim bg=#2e2e2e, 17-17 bg=#2e2e2e, 18-25 dim bg=#2e2e2e
9: 2-9 fg=#f6e2b7, 11-17 fg=#f6e2b7, 19-19 fg=#848484, 21-29 fg=#abdfa7
10: 2-2 bold fg=#d0d0d0, 4-6 fg=#848484, 8-13 fg=#848484, 15-15 fg=#848484, 17-17 bold fg=#d0d0d0, 19-21 fg=#848484, 23-31 fg=#848484, 95-95 fg=#848484, 97-97 fg=#c4a767, 99-105 fg=#c4a767, 107-107 fg=#848484, 109-110 bold fg=#d0d0d0, 112-113 fg=#848484, 115-118 fg=#848484
cursor: 2,7,1
== markdown
|
|  >_ OpenAI Codex (v0.171.0)
|     /tmp/shop
|
|  Tip: When the composer is empty, press Esc to step back and edit your last message; Enter confirms.
|
|
|› %md
|
|
|• # Fake answer
|
|  Some bold, italic, code, struck and a link (https://example.invalid/x).
|
|   name        value
|  ━━━━━━━━━━  ━━━━━━━
|   alpha           1
|  ──────────  ───────
|   日本語         22
|  ──────────  ───────
|   emoji 🚀      333
|
|  fn main() { println!("hello"); }
|
|  1. one
|  2. two ✅ ⚠️ 👨‍👩‍👧 é ❤️
|
|  Worked for <1s • 18:38
|
|
|› Ask Codex to do anything
|
|  gpt-fake default · /tmp/shop · %md
|  ← for agents · ? for shortcuts                                                              ⚠ 2 warnings · f2 to view
|
|
|
|
|
|
1: 2-3 fg=#63a8f8, 5-10 bold, 12-16 bold, 18-27 dim
2: 5-13 dim
4: 2-5 bold fg=#f38ba8, 41-43 fg=#a6e3a1, 86-90 fg=#a6e3a1
7: 0-0 bold dim bg=#373737, 1-4 bg=#373737
10: 0-0 dim, 2-2 bold underline fg=#f38ba8, 3-3 underline fg=#f38ba8, 4-7 bold underline fg=#f38ba8, 8-8 underline fg=#f38ba8, 9-14 bold underline fg=#f38ba8
12: 7-10 bold fg=#f38ba8, 13-18 italic fg=#f38ba8, 21-24 fg=#a6e3a1, 27-32 struck, 40-43 underline fg=#89b4fa, 46-70 underline fg=#89b4fa
14: 3-6 bold fg=#f9e2af, 15-19 bold fg=#f9e2af
15: 2-11 fg=#383838, 14-20 fg=#383838
17: 2-11 fg=#383838, 14-20 fg=#383838
19: 2-11 fg=#383838, 14-20 fg=#383838
22: 2-3 fg=#cba6f7, 5-8 fg=#89b4fa, 9-10 fg=#9399b2, 12-12 fg=#9399b2, 14-21 fg=#89b4fa, 22-22 fg=#9399b2, 23-29 fg=#a6e3a1, 30-31 fg=#9399b2, 33-33 fg=#9399b2
24: 2-3 fg=12
25: 2-3 fg=12
27: 2-7 dim, 9-11 dim, 13-15 dim, 17-17 dim, 19-23 dim
30: 0-0 bold bg=#2e2e2e, 1-1 bg=#2e2e2e, 2-4 dim bg=#2e2e2e, 5-5 bg=#2e2e2e, 6-10 dim bg=#2e2e2e, 11-11 bg=#2e2e2e, 12-13 dim bg=#2e2e2e, 14-14 bg=#2e2e2e, 15-16 dim bg=#2e2e2e, 17-17 bg=#2e2e2e, 18-25 dim bg=#2e2e2e
32: 2-9 fg=#f6e2b7, 11-17 fg=#f6e2b7, 19-19 fg=#848484, 21-29 fg=#abdfa7, 31-31 fg=#848484, 33-35 fg=#74c7ec
33: 2-2 bold fg=#d0d0d0, 4-6 fg=#848484, 8-13 fg=#848484, 15-15 fg=#848484, 17-17 bold fg=#d0d0d0, 19-21 fg=#848484, 23-31 fg=#848484, 94-94 fg=#848484, 96-96 fg=#c4a767, 98-105 fg=#c4a767, 107-107 fg=#848484, 109-110 bold fg=#d0d0d0, 112-113 fg=#848484, 115-118 fg=#848484
cursor: 2,30,1
== approval
|• # Fake answer
|
|  Some bold, italic, code, struck and a link (https://example.invalid/x).
|
|   name        value
|  ━━━━━━━━━━  ━━━━━━━
|   alpha           1
|  ──────────  ───────
|   日本語         22
|  ──────────  ───────
|   emoji 🚀      333
|
|  fn main() { println!("hello"); }
|
|  1. one
|  2. two ✅ ⚠️ 👨‍👩‍👧 é ❤️
|
|  Worked for <1s • 18:38
|
|
|› %tool exec_command {"cmd":"touch codex-was-here","sandbox_permissions":"require_escalated","justification":"May I?"}
|
|
|• Running touch codex-was-here
|
|
|  Would you like to run the following command?
|
|  Environment: local
|
|  Reason: May I?
|
|  $ touch codex-was-here
|
|
|› 1. Yes, proceed (y)
|  2. Yes, and don't ask again for commands that start with `touch codex-was-here` (p)
|  3. No, and tell Codex what to do differently (esc)
|
|  Press enter to confirm or esc to cancel
0: 0-0 dim, 2-2 bold underline fg=#f38ba8, 3-3 underline fg=#f38ba8, 4-7 bold underline fg=#f38ba8, 8-8 underline fg=#f38ba8, 9-14 bold underline fg=#f38ba8
2: 7-10 bold fg=#f38ba8, 13-18 italic fg=#f38ba8, 21-24 fg=#a6e3a1, 27-32 struck, 40-43 underline fg=#89b4fa, 46-70 underline fg=#89b4fa
4: 3-6 bold fg=#f9e2af, 15-19 bold fg=#f9e2af
5: 2-11 fg=#383838, 14-20 fg=#383838
7: 2-11 fg=#383838, 14-20 fg=#383838
9: 2-11 fg=#383838, 14-20 fg=#383838
12: 2-3 fg=#cba6f7, 5-8 fg=#89b4fa, 9-10 fg=#9399b2, 12-12 fg=#9399b2, 14-21 fg=#89b4fa, 22-22 fg=#9399b2, 23-29 fg=#a6e3a1, 30-31 fg=#9399b2, 33-33 fg=#9399b2
14: 2-3 fg=12
15: 2-3 fg=12
17: 2-7 dim, 9-11 dim, 13-15 dim, 17-17 dim, 19-23 dim
20: 0-0 bold dim bg=#373737, 1-117 bg=#373737
23: 0-0 bold fg=#606060, 2-8 bold, 10-14 fg=#89b4fa, 16-29 fg=#cdd6f4
26: 0-1 bg=#2e2e2e, 2-6 bold bg=#2e2e2e, 7-7 bg=#2e2e2e, 8-10 bold bg=#2e2e2e, 11-11 bg=#2e2e2e, 12-15 bold bg=#2e2e2e, 16-16 bg=#2e2e2e, 17-18 bold bg=#2e2e2e, 19-19 bg=#2e2e2e, 20-22 bold bg=#2e2e2e, 23-23 bg=#2e2e2e, 24-26 bold bg=#2e2e2e, 27-27 bg=#2e2e2e, 28-36 bold bg=#2e2e2e, 37-37 bg=#2e2e2e, 38-45 bold bg=#2e2e2e
28: 0-14 bg=#2e2e2e, 15-19 bold bg=#2e2e2e
30: 0-9 bg=#2e2e2e, 10-12 italic bg=#2e2e2e, 13-13 bg=#2e2e2e, 14-15 italic bg=#2e2e2e
32: 0-3 bg=#2e2e2e, 4-8 fg=#89b4fa bg=#2e2e2e, 9-9 bg=#2e2e2e, 10-23 fg=#cdd6f4 bg=#2e2e2e
35: 0-0 bold fg=#00002e bg=#63a8f8, 1-1 bg=#63a8f8, 2-3 bold fg=#00002e bg=#63a8f8, 4-4 bg=#63a8f8, 5-8 bold fg=#00002e bg=#63a8f8, 9-9 bg=#63a8f8, 10-16 bold fg=#00002e bg=#63a8f8, 17-17 bg=#63a8f8, 18-18 bold fg=#00002e bg=#63a8f8, 19-19 bold fg=#3b3b3b bg=#63a8f8, 20-20 bold fg=#00002e bg=#63a8f8
36: 0-82 bg=#2e2e2e, 83-83 bold fg=#d0d0d0 bg=#2e2e2e, 84-84 bg=#2e2e2e
37: 0-47 bg=#2e2e2e, 48-50 bold fg=#d0d0d0 bg=#2e2e2e, 51-51 bg=#2e2e2e
39: 2-6 dim, 8-12 bold fg=#d0d0d0, 14-15 dim, 17-23 dim, 25-26 dim, 28-30 bold fg=#d0d0d0, 32-33 dim, 35-40 dim
cursor: 119,39,0
== allowed
|
|  Some bold, italic, code, struck and a link (https://example.invalid/x).
|
|   name        value
|  ━━━━━━━━━━  ━━━━━━━
|   alpha           1
|  ──────────  ───────
|   日本語         22
|  ──────────  ───────
|   emoji 🚀      333
|
|  fn main() { println!("hello"); }
|
|  1. one
|  2. two ✅ ⚠️ 👨‍👩‍👧 é ❤️
|
|  Worked for <1s • 18:38
|
|
|› %tool exec_command {"cmd":"touch codex-was-here","sandbox_permissions":"require_escalated","justification":"May I?"}
|
|
|✔ You approved codex to run touch codex-was-here this time
|
|• Ran touch codex-was-here
|  └ (no output)
|
|• FAKE-DONE after 1 tool result(s): Chunk ID: 40710f
|  Wall time: 0.0000 seconds
|  Process exited with code 0
|  Original token count: 0
|  Output:
|
|  Worked for 1s • 18:38
|
|
|› Ask Codex to do anything
|
|  gpt-fake default · /tmp/shop · %md
|  ← for agents · ? for shortcuts                                                              ⚠ 2 warnings · f2 to view
1: 7-10 bold fg=#f38ba8, 13-18 italic fg=#f38ba8, 21-24 fg=#a6e3a1, 27-32 struck, 40-43 underline fg=#89b4fa, 46-70 underline fg=#89b4fa
3: 3-6 bold fg=#f9e2af, 15-19 bold fg=#f9e2af
4: 2-11 fg=#383838, 14-20 fg=#383838
6: 2-11 fg=#383838, 14-20 fg=#383838
8: 2-11 fg=#383838, 14-20 fg=#383838
11: 2-3 fg=#cba6f7, 5-8 fg=#89b4fa, 9-10 fg=#9399b2, 12-12 fg=#9399b2, 14-21 fg=#89b4fa, 22-22 fg=#9399b2, 23-29 fg=#a6e3a1, 30-31 fg=#9399b2, 33-33 fg=#9399b2
13: 2-3 fg=12
14: 2-3 fg=12
16: 2-7 dim, 9-11 dim, 13-15 dim, 17-17 dim, 19-23 dim
19: 0-0 bold dim bg=#373737, 1-117 bg=#373737
22: 0-0 fg=2, 6-13 bold, 28-32 dim, 34-47 dim, 49-52 bold, 54-57 bold
24: 0-0 bold fg=2, 2-4 bold, 6-10 fg=#89b4fa, 12-25 fg=#cdd6f4
25: 2-2 dim, 4-6 dim, 8-14 dim
27: 0-0 dim
33: 2-7 dim, 9-11 dim, 13-14 dim, 16-16 dim, 18-22 dim
36: 0-0 bold bg=#2e2e2e, 1-1 bg=#2e2e2e, 2-4 dim bg=#2e2e2e, 5-5 bg=#2e2e2e, 6-10 dim bg=#2e2e2e, 11-11 bg=#2e2e2e, 12-13 dim bg=#2e2e2e, 14-14 bg=#2e2e2e, 15-16 dim bg=#2e2e2e, 17-17 bg=#2e2e2e, 18-25 dim bg=#2e2e2e
38: 2-9 fg=#f6e2b7, 11-17 fg=#f6e2b7, 19-19 fg=#848484, 21-29 fg=#abdfa7, 31-31 fg=#848484, 33-35 fg=#74c7ec
39: 2-2 bold fg=#d0d0d0, 4-6 fg=#848484, 8-13 fg=#848484, 15-15 fg=#848484, 17-17 bold fg=#d0d0d0, 19-21 fg=#848484, 23-31 fg=#848484, 94-94 fg=#848484, 96-96 fg=#c4a767, 98-105 fg=#c4a767, 107-107 fg=#848484, 109-110 bold fg=#d0d0d0, 112-113 fg=#848484, 115-118 fg=#848484
cursor: 2,36,1
== narrow
|  fn main() { println!("hello"); }
|
|  1. one
|  2. two ✅ ⚠️ 👨‍👩‍👧 é ❤️
|
|  Worked for <1s • 18:38
|
|
|› %tool exec_command {"cmd":"touch codex-was-
|  here","sandbox_permissions":"require_escalated","justification":"May I?"}
|
|
|✔ You approved codex to run touch codex-was-here this time
|
|• Ran touch codex-was-here
|  └ (no output)
|
|• FAKE-DONE after 1 tool result(s): Chunk ID: 40710f
|  Wall time: 0.0000 seconds
|  Process exited with code 0
|  Original token count: 0
|  Output:
|
|  Worked for 1s • 18:38
|
|
|› Ask Codex to do anything
|
|  gpt-fake default · /tmp/shop · %md
|  ← for agents · ? for shortcuts                                ⚠ 2 warnings · f2 to view
0: 2-3 fg=#cba6f7, 5-8 fg=#89b4fa, 9-10 fg=#9399b2, 12-12 fg=#9399b2, 14-21 fg=#89b4fa, 22-22 fg=#9399b2, 23-29 fg=#a6e3a1, 30-31 fg=#9399b2, 33-33 fg=#9399b2
2: 2-3 fg=12
3: 2-3 fg=12
5: 2-7 dim, 9-11 dim, 13-15 dim, 17-17 dim, 19-23 dim
8: 0-0 bold dim bg=#373737, 1-44 bg=#373737
9: 0-74 bg=#373737
12: 0-0 fg=2, 6-13 bold, 28-32 dim, 34-47 dim, 49-52 bold, 54-57 bold
14: 0-0 bold fg=2, 2-4 bold, 6-10 fg=#89b4fa, 12-25 fg=#cdd6f4
15: 2-2 dim, 4-6 dim, 8-14 dim
17: 0-0 dim
23: 2-7 dim, 9-11 dim, 13-14 dim, 16-16 dim, 18-22 dim
26: 0-0 bold bg=#2e2e2e, 1-1 bg=#2e2e2e, 2-4 dim bg=#2e2e2e, 5-5 bg=#2e2e2e, 6-10 dim bg=#2e2e2e, 11-11 bg=#2e2e2e, 12-13 dim bg=#2e2e2e, 14-14 bg=#2e2e2e, 15-16 dim bg=#2e2e2e, 17-17 bg=#2e2e2e, 18-25 dim bg=#2e2e2e
28: 2-9 fg=#f6e2b7, 11-17 fg=#f6e2b7, 19-19 fg=#848484, 21-29 fg=#abdfa7, 31-31 fg=#848484, 33-35 fg=#74c7ec
29: 2-2 bold fg=#d0d0d0, 4-6 fg=#848484, 8-13 fg=#848484, 15-15 fg=#848484, 17-17 bold fg=#d0d0d0, 19-21 fg=#848484, 23-31 fg=#848484, 64-64 fg=#848484, 66-66 fg=#c4a767, 68-75 fg=#c4a767, 77-77 fg=#848484, 79-80 bold fg=#d0d0d0, 82-83 fg=#848484, 85-88 fg=#848484
cursor: 2,26,1
== wide
|
|  Some bold, italic, code, struck and a link (https://example.invalid/x).
|
|   name        value
|  ━━━━━━━━━━  ━━━━━━━
|   alpha           1
|  ──────────  ───────
|   日本語         22
|  ──────────  ───────
|   emoji 🚀      333
|
|  fn main() { println!("hello"); }
|
|  1. one
|  2. two ✅ ⚠️ 👨‍👩‍👧 é ❤️
|
|  Worked for <1s • 18:38
|
|
|› %tool exec_command {"cmd":"touch codex-was-here","sandbox_permissions":"require_escalated","justification":"May I?"}
|
|
|✔ You approved codex to run touch codex-was-here this time
|
|• Ran touch codex-was-here
|  └ (no output)
|
|• FAKE-DONE after 1 tool result(s): Chunk ID: 40710f
|  Wall time: 0.0000 seconds
|  Process exited with code 0
|  Original token count: 0
|  Output:
|
|  Worked for 1s • 18:38
|
|
|› Ask Codex to do anything
|
|  gpt-fake default · /tmp/shop · %md
|  ← for agents · ? for shortcuts                                                              ⚠ 2 warnings · f2 to view
1: 7-10 bold fg=#f38ba8, 13-18 italic fg=#f38ba8, 21-24 fg=#a6e3a1, 27-32 struck, 40-43 underline fg=#89b4fa, 46-70 underline fg=#89b4fa
3: 3-6 bold fg=#f9e2af, 15-19 bold fg=#f9e2af
4: 2-11 fg=#383838, 14-20 fg=#383838
6: 2-11 fg=#383838, 14-20 fg=#383838
8: 2-11 fg=#383838, 14-20 fg=#383838
11: 2-3 fg=#cba6f7, 5-8 fg=#89b4fa, 9-10 fg=#9399b2, 12-12 fg=#9399b2, 14-21 fg=#89b4fa, 22-22 fg=#9399b2, 23-29 fg=#a6e3a1, 30-31 fg=#9399b2, 33-33 fg=#9399b2
13: 2-3 fg=12
14: 2-3 fg=12
16: 2-7 dim, 9-11 dim, 13-15 dim, 17-17 dim, 19-23 dim
19: 0-0 bold dim bg=#373737, 1-117 bg=#373737
22: 0-0 fg=2, 6-13 bold, 28-32 dim, 34-47 dim, 49-52 bold, 54-57 bold
24: 0-0 bold fg=2, 2-4 bold, 6-10 fg=#89b4fa, 12-25 fg=#cdd6f4
25: 2-2 dim, 4-6 dim, 8-14 dim
27: 0-0 dim
33: 2-7 dim, 9-11 dim, 13-14 dim, 16-16 dim, 18-22 dim
36: 0-0 bold bg=#2e2e2e, 1-1 bg=#2e2e2e, 2-4 dim bg=#2e2e2e, 5-5 bg=#2e2e2e, 6-10 dim bg=#2e2e2e, 11-11 bg=#2e2e2e, 12-13 dim bg=#2e2e2e, 14-14 bg=#2e2e2e, 15-16 dim bg=#2e2e2e, 17-17 bg=#2e2e2e, 18-25 dim bg=#2e2e2e
38: 2-9 fg=#f6e2b7, 11-17 fg=#f6e2b7, 19-19 fg=#848484, 21-29 fg=#abdfa7, 31-31 fg=#848484, 33-35 fg=#74c7ec
39: 2-2 bold fg=#d0d0d0, 4-6 fg=#848484, 8-13 fg=#848484, 15-15 fg=#848484, 17-17 bold fg=#d0d0d0, 19-21 fg=#848484, 23-31 fg=#848484, 94-94 fg=#848484, 96-96 fg=#c4a767, 98-105 fg=#c4a767, 107-107 fg=#848484, 109-110 bold fg=#d0d0d0, 112-113 fg=#848484, 115-118 fg=#848484
cursor: 2,36,1
