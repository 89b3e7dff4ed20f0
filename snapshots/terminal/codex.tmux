== start
|
|  >_ OpenAI Codex (v0.171.0)
|     /tmp/shop
|
|
|
|
|
|
|
|
|                                                       ⣀⣤⣤⣤⣀⣀
|                                                    ⣠⣶⣿⣿⣿⣿⣿⣿⣿⣿⣦⣤⣤⣤⣤⣤⣤⡀
|                                                  ⢀⣾⣿⣿⠿⠋⠉⠉⢉⣭⣿⣿⣿⣿⣿⠿⣿⣿⣿⣿⣷⣄
|                                                 ⣀⣾⣿⣿⠃ ⣀⣴⣾⣿⣿⡿⠟⠋ ⣀⡀ ⠈⠙⢿⣿⣿⣧
|                                              ⣀⣶⣿⣿⣿⣿⡇ ⢸⣿⣿⡿⠛⠉⢀⣠⣴⣿⣿⣿⣷⣦⣀⠈⢻⣿⣿⡇
|                                             ⣰⣿⣿⡿⢿⣿⣿⡇ ⢸⣿⣿⢀⣤⣶⣿⣿⣿⠟⠛⠻⣿⣿⣿⣿⣮⣿⣿⡷
|                                            ⢰⣿⣿⡟⠁⢸⣿⣿⡇ ⢸⣿⣿⣿⣿⠿⠿⣿⣿⣿⣦⣄⡀⠈⠛⠿⣿⣿⣿⣧⡀
|                                            ⣾⣿⣿⠃ ⢸⣿⣿⡇ ⢸⣿⣿⠋⠁  ⠈⠙⢻⣿⣿⣿⣶⣤⡀ ⠹⢿⣿⣷⡄
|                                            ⢸⣿⣿⣇ ⠸⣿⣿⣷⣦⣼⣿⣿      ⢸⣿⣿⠻⢿⣿⣿⡇ ⠘⣿⣿⣿
|                                            ⠈⢿⣿⣿⣦⡀⠈⠛⠿⣿⣿⣿⣿⣄⡀  ⢀⣠⣼⣿⣿  ⣿⣿⡇  ⣿⣿⣿⠇
|                                              ⢻⣿⣿⣿⣷⣦⣀⠈⠙⠻⣿⣿⣿⣶⣶⣿⣿⣿⣿⣿  ⣿⣿⡇ ⣠⣿⣿⣿
|                                              ⢸⣿⣿⡿⢿⣿⣿⣿⣦⣠⣴⣿⣿⣿⡿⠟⠋⢸⣿⣿  ⣿⣿⣷⣴⣿⣿⣿⠃
|                                              ⠘⣿⣿⣷ ⠈⠛⢿⣿⣿⣿⠿⠋⠉ ⣠⣴⣿⣿⣿  ⣿⣿⣿⣿⣿⠟⠁
|                                               ⠻⣿⣿⣿⣤⣀ ⠈⠉ ⢀⣤⣶⣿⣿⣿⠿⠟⠁ ⣰⣿⣿⡟⠋⠁
|                                                ⠈⠿⣿⣿⣿⣿⣶⣾⣿⣿⣿⣿⠟⠋⠁  ⣠⣼⣿⣿⡟
|                                                   ⠙⠛⠛⠛⠻⠛⢿⣿⣿⣿⣿⣷⣾⣿⣿⣿⡿⠏
|                                                          ⠈⠙⠛⠿⠿⠿⠿⠛⠉
|
|
|
|
|
|
|
|
|› Ask Codex to do anything
|
|  gpt-fake default · /tmp/shop
|  ← for agents · ? for shortcuts                                                               ⚠ 1 warning · f2 to view
1: 2-3 fg=#63a8f8, 5-10 bold, 12-16 bold, 18-27 dim
2: 5-13 dim
11: 55-55 fg=#323233, 56-56 fg=#303131, 57-57 fg=#313232, 58-58 fg=#2e3031, 59-59 fg=#2d2f31, 60-60 fg=#272b2e
12: 52-52 fg=#353533, 53-53 fg=#303131, 54-54 fg=#2c2d2e, 55-55 fg=#262729, 56-56 fg=#202226, 57-57 fg=#222427, 58-58 fg=#1f2226, 59-59 fg=#242629, 60-60 fg=#2a2c2e, 61-61 fg=#2e2f31, 62-62 fg=#2c2e30, 63-63 fg=#333434, 64-64 fg=#343433, 65-65 fg=#323233, 66-66 fg=#363534, 67-67 fg=#323333, 68-68 fg=#2b2e30, 69-69 fg=#292c2f
13: 50-50 fg=#2d2f32, 51-51 fg=#313232, 52-52 fg=#27292b, 53-53 fg=#1b1f24, 54-54 fg=#181e23, 55-55 fg=#181c21, 56-56 fg=#171b21, 57-57 fg=#171a20, 58-58 fg=#1f2226, 59-60 fg=#292b2d, 61-61 fg=#2c2d2f, 62-62 fg=#222529, 63-63 fg=#1e2226, 64-64 fg=#1b1e24, 65-65 fg=#1c1f24, 66-67 fg=#1d2025, 68-68 fg=#25272a, 69-69 fg=#2c2e30, 70-70 fg=#2d2e30, 71-71 fg=#292b2e
14: 49-49 fg=#303234, 50-50 fg=#303132, 51-51 fg=#242629, 52-52 fg=#1a2226, 53-53 fg=#1a2227, 55-55 fg=#2f3133, 56-56 fg=#2e3031, 57-57 fg=#333333, 58-58 fg=#2a2c2d, 59-59 fg=#202327, 60-60 fg=#1b1f24, 61-61 fg=#181b21, 62-62 fg=#181e23, 64-64 fg=#2d3032, 65-65 fg=#262a2e, 67-67 fg=#171a1f, 68-68 fg=#171a20, 69-69 fg=#1b1e23, 70-70 fg=#23262a, 71-71 fg=#2c2e30, 72-72 fg=#26282c
15: 46-46 fg=#303031, 47-47 fg=#343433, 48-48 fg=#2e2f30, 49-49 fg=#292b2c, 50-50 fg=#2d2e2f, 51-51 fg=#1f2327, 52-52 fg=#1c292d, 54-54 fg=#2c2e30, 55-55 fg=#303131, 56-56 fg=#212327, 57-57 fg=#1a1e23, 58-58 fg=#181b21, 59-59 fg=#191e24, 60-60 fg=#2f3033, 61-61 fg=#2e3032, 62-62 fg=#343434, 63-63 fg=#2e3031, 64-64 fg=#2b2d2f, 65-65 fg=#2d2f30, 66-66 fg=#2b2e30, 67-67 fg=#292c2f, 68-68 fg=#272b2f, 69-69 fg=#1a1d22, 70-70 fg=#1b1e23, 71-71 fg=#282a2e, 72-72 fg=#2d2e30, 73-73 fg=#212529
16: 45-45 fg=#333434, 46-46 fg=#2d2e2f, 47-47 fg=#202327, 48-48 fg=#191e23, 49-49 fg=#1c2025, 50-50 fg=#313232, 51-51 fg=#202327, 52-52 fg=#1c292d, 54-54 fg=#2c2e31, 55-55 fg=#2c2e2f, 56-56 fg=#1c2429, 57-57 fg=#313335, 58-58 fg=#313334, 59-59 fg=#323233, 60-60 fg=#343433, 61-61 fg=#2f3030, 62-62 fg=#23272a, 63-63 fg=#1c1f24, 64-64 fg=#171b20, 65-65 fg=#1b1e23, 66-66 fg=#1f2126, 67-67 fg=#26282b, 68-68 fg=#2b2d2f, 69-69 fg=#2d2f30, 70-70 fg=#292b2e, 71-71 fg=#2b2d2f, 72-72 fg=#313132, 73-73 fg=#1e2328
17: 44-44 fg=#303133, 45-45 fg=#323230, 46-46 fg=#1c2025, 47-47 fg=#1a2227, 48-48 fg=#1a2429, 49-49 fg=#292b2e, 50-50 fg=#2b2d30, 51-51 fg=#202328, 52-52 fg=#1c292d, 54-54 fg=#2e3032, 55-55 fg=#323232, 56-56 fg=#2d2e30, 57-57 fg=#2c2e2f, 58-58 fg=#26282a, 59-59 fg=#1f2227, 60-60 fg=#232529, 61-61 fg=#26282b, 62-62 fg=#2d2e30, 63-63 fg=#2b2e30, 64-64 fg=#2d2f31, 65-65 fg=#272b2f, 66-66 fg=#1e2a2e, 67-67 fg=#171a20, 68-68 fg=#1a1d22, 69-69 fg=#1d2024, 70-70 fg=#222428, 71-71 fg=#2b2d2f, 72-72 fg=#2c2d30, 73-73 fg=#25282c, 74-74 fg=#25292c
18: 44-44 fg=#2d2e2f, 45-45 fg=#292b2d, 46-46 fg=#1b2429, 47-47 fg=#1b262b, 49-49 fg=#292b2e, 50-50 fg=#2d2e30, 51-51 fg=#212428, 52-52 fg=#1c292d, 54-54 fg=#2f3032, 55-55 fg=#2e2f30, 56-56 fg=#1d2327, 57-57 fg=#181b21, 58-58 fg=#181c22, 61-61 fg=#171a20, 62-62 fg=#191c21, 63-63 fg=#25272b, 64-64 fg=#333333, 65-65 fg=#2e2f30, 66-66 fg=#2e3031, 67-67 fg=#2b2e30, 68-68 fg=#282d30, 69-69 fg=#26292d, 71-71 fg=#181b20, 72-72 fg=#212328, 73-73 fg=#2b2d2f, 74-74 fg=#292b2e, 75-75 fg=#1f2428
19: 44-44 fg=#2b2d30, 45-45 fg=#2a2c2e, 46-46 fg=#1e2227, 47-47 fg=#1c292d, 49-49 fg=#27292d, 50-50 fg=#2c2d2f, 51-51 fg=#2b2c2f, 52-52 fg=#2a2d2f, 53-53 fg=#272c2f, 54-54 fg=#2b2f31, 55-55 fg=#2d2e2f, 56-56 fg=#1c2529, 63-63 fg=#292b2f, 64-64 fg=#333333, 65-65 fg=#1e2227, 66-66 fg=#1d2025, 67-67 fg=#202327, 68-68 fg=#2d2e30, 69-69 fg=#2d2f31, 70-70 fg=#212529, 72-72 fg=#1a1d22, 73-73 fg=#222429, 74-74 fg=#2e3031, 75-75 fg=#212529
20: 44-44 fg=#222429, 45-45 fg=#282a2d, 46-46 fg=#2b2d2f, 47-47 fg=#24292c, 48-48 fg=#202a2e, 49-49 fg=#1c292d, 50-50 fg=#171a20, 51-51 fg=#1d2024, 52-52 fg=#24262a, 53-53 fg=#282a2d, 54-54 fg=#323231, 55-55 fg=#2d2e30, 56-56 fg=#23292d, 57-57 fg=#242b2e, 58-58 fg=#1e292d, 61-61 fg=#292b2e, 62-62 fg=#2d2f32, 63-63 fg=#2e2f32, 64-64 fg=#323233, 65-65 fg=#1e2227, 68-68 fg=#282a2e, 69-69 fg=#333333, 70-70 fg=#212429, 73-73 fg=#23262a, 74-74 fg=#313233, 75-75 fg=#2a2c2e, 76-76 fg=#1a2025
21: 46-46 fg=#27292c, 47-47 fg=#303132, 48-48 fg=#2c2e30, 49-49 fg=#292d2f, 50-50 fg=#262c2f, 51-51 fg=#232a2e, 52-52 fg=#1e292d, 53-53 fg=#171a20, 54-54 fg=#1c1e24, 55-55 fg=#232529, 56-56 fg=#282a2c, 57-58 fg=#2d2f31, 59-59 fg=#2b2f31, 60-60 fg=#323334, 61-61 fg=#303132, 62-62 fg=#2d2e30, 63-63 fg=#2a2b2d, 64-64 fg=#303132, 65-65 fg=#1e2227, 68-68 fg=#282a2e, 69-69 fg=#323333, 70-70 fg=#212428, 72-72 fg=#282a2d, 73-73 fg=#2a2c30, 74-74 fg=#353433, 75-75 fg=#1e2126
22: 46-46 fg=#2a2c2f, 47-47 fg=#303132, 48-48 fg=#1e2226, 49-49 fg=#20262a, 50-50 fg=#26282b, 51-51 fg=#2b2d2f, 52-52 fg=#2b2e30, 53-53 fg=#262c2f, 54-54 fg=#252b2f, 55-55 fg=#2c2f32, 56-56 fg=#303234, 57-57 fg=#2d2e30, 58-58 fg=#2f3031, 59-59 fg=#292b2d, 60-60 fg=#242629, 61-61 fg=#1c2025, 62-62 fg=#191c22, 63-63 fg=#292b2f, 64-64 fg=#313233, 65-65 fg=#1f2428, 68-68 fg=#272a2d, 69-69 fg=#323233, 70-70 fg=#1e262a, 71-71 fg=#2b2d30, 72-72 fg=#303132, 73-73 fg=#343433, 74-74 fg=#27292b, 75-75 fg=#191e23
23: 46-46 fg=#282a2e, 47-47 fg=#2b2d2f, 48-48 fg=#26282c, 49-49 fg=#1c292d, 51-51 fg=#202327, 52-52 fg=#212428, 53-53 fg=#25272b, 54-54 fg=#2c2e2f, 55-55 fg=#2c2d2f, 56-56 fg=#232529, 57-57 fg=#1f2226, 58-58 fg=#1c1f24, 59-59 fg=#181c21, 61-61 fg=#292b2f, 62-62 fg=#2e3032, 63-63 fg=#303132, 64-64 fg=#313232, 65-65 fg=#1f2428, 68-68 fg=#292b2f, 69-69 fg=#333333, 70-70 fg=#2a2c2f, 71-71 fg=#343433, 72-72 fg=#292b2c, 73-73 fg=#1f2226, 74-74 fg=#191c22
24: 47-47 fg=#25272b, 48-48 fg=#2a2c2e, 49-49 fg=#2b2d2f, 50-50 fg=#21292d, 51-51 fg=#1d292d, 52-52 fg=#1e292d, 54-54 fg=#181b20, 55-55 fg=#171b20, 57-57 fg=#292c2f, 58-58 fg=#2c2e31, 59-59 fg=#2f3133, 60-60 fg=#323333, 61-61 fg=#2f3032, 62-62 fg=#2c2d2e, 63-63 fg=#27292b, 64-64 fg=#1c1f25, 65-65 fg=#181b21, 67-67 fg=#282a2e, 68-68 fg=#2e2f32, 69-69 fg=#2e2f30, 70-70 fg=#1c2025, 71-71 fg=#191c22, 72-72 fg=#181c21
25: 48-48 fg=#25282c, 49-49 fg=#26282c, 50-50 fg=#2a2c2e, 51-51 fg=#2d2f31, 52-52 fg=#2c2e30, 53-53 fg=#2b2e30, 54-54 fg=#2d3032, 55-55 fg=#2e3031, 56-56 fg=#303133, 57-57 fg=#343434, 58-58 fg=#313132, 59-59 fg=#25282b, 60-60 fg=#1f2227, 61-61 fg=#191c22, 62-62 fg=#181d22, 65-65 fg=#292b2f, 66-66 fg=#2b2d30, 67-67 fg=#323334, 68-68 fg=#323231, 69-69 fg=#202327
26: 51-52 fg=#212328, 53-53 fg=#24272a, 54-54 fg=#27292b, 55-55 fg=#25272a, 56-56 fg=#1e2126, 57-57 fg=#27292d, 58-58 fg=#2a2b2e, 59-59 fg=#2e3031, 60-60 fg=#292e30, 61-61 fg=#2b2f31, 62-62 fg=#2a2e31, 63-63 fg=#2d3032, 64-64 fg=#303132, 65-65 fg=#2f3032, 66-66 fg=#2f3030, 67-67 fg=#222428, 68-68 fg=#1a1d23
27: 58-59 fg=#1f2227, 60-60 fg=#25272b, 61-61 fg=#26272a, 62-62 fg=#26282a, 63-63 fg=#24262a, 64-64 fg=#222427, 65-65 fg=#1c1f25, 66-66 fg=#181b21
36: 0-0 bold bg=#2e2e2e, 1-1 bg=#2e2e2e, 2-4 dim bg=#2e2e2e, 5-5 bg=#2e2e2e, 6-10 dim bg=#2e2e2e, 11-11 bg=#2e2e2e, 12-13 dim bg=#2e2e2e, 14-14 bg=#2e2e2e, 15-16 dim bg=#2e2e2e, 17-17 bg=#2e2e2e, 18-25 dim bg=#2e2e2e
38: 2-9 fg=#f6e2b7, 11-17 fg=#f6e2b7, 19-19 fg=#848484, 21-29 fg=#abdfa7
39: 2-2 bold fg=#d0d0d0, 4-6 fg=#848484, 8-13 fg=#848484, 15-15 fg=#848484, 17-17 bold fg=#d0d0d0, 19-21 fg=#848484, 23-31 fg=#848484, 95-95 fg=#848484, 97-97 fg=#c4a767, 99-105 fg=#c4a767, 107-107 fg=#848484, 109-110 bold fg=#d0d0d0, 112-113 fg=#848484, 115-118 fg=#848484
cursor: 2,36,1
== markdown
|
|  >_ OpenAI Codex (v0.171.0)
|     /tmp/shop
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
|  2. two ✅ ⚠️  👨‍👩‍👧 é ❤️
|
|  Worked for <1s • 18:38
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
|› Ask Codex to do anything
|
|  gpt-fake default · /tmp/shop · %md
|  ← for agents · ? for shortcuts                                                              ⚠ 2 warnings · f2 to view
1: 2-3 fg=#63a8f8, 5-10 bold, 12-16 bold, 18-27 dim
2: 5-13 dim
5: 0-0 bold dim bg=#373737, 1-4 bg=#373737
8: 0-0 dim, 2-2 bold underline fg=#f38ba8, 3-3 underline fg=#f38ba8, 4-7 bold underline fg=#f38ba8, 8-8 underline fg=#f38ba8, 9-14 bold underline fg=#f38ba8
10: 7-10 bold fg=#f38ba8, 13-18 italic fg=#f38ba8, 21-24 fg=#a6e3a1, 27-32 struck, 40-43 underline fg=#89b4fa, 46-70 underline fg=#89b4fa
12: 3-6 bold fg=#f9e2af, 15-19 bold fg=#f9e2af
13: 2-11 fg=#383838, 14-20 fg=#383838
15: 2-11 fg=#383838, 14-20 fg=#383838
17: 2-11 fg=#383838, 14-20 fg=#383838
20: 2-3 fg=#cba6f7, 5-8 fg=#89b4fa, 9-10 fg=#9399b2, 12-12 fg=#9399b2, 14-21 fg=#89b4fa, 22-22 fg=#9399b2, 23-29 fg=#a6e3a1, 30-31 fg=#9399b2, 33-33 fg=#9399b2
22: 2-3 fg=12
23: 2-3 fg=12
25: 2-7 dim, 9-11 dim, 13-15 dim, 17-17 dim, 19-23 dim
36: 0-0 bold bg=#2e2e2e, 1-1 bg=#2e2e2e, 2-4 dim bg=#2e2e2e, 5-5 bg=#2e2e2e, 6-10 dim bg=#2e2e2e, 11-11 bg=#2e2e2e, 12-13 dim bg=#2e2e2e, 14-14 bg=#2e2e2e, 15-16 dim bg=#2e2e2e, 17-17 bg=#2e2e2e, 18-25 dim bg=#2e2e2e
38: 2-9 fg=#f6e2b7, 11-17 fg=#f6e2b7, 19-19 fg=#848484, 21-29 fg=#abdfa7, 31-31 fg=#848484, 33-35 fg=#b4befe
39: 2-2 bold fg=#d0d0d0, 4-6 fg=#848484, 8-13 fg=#848484, 15-15 fg=#848484, 17-17 bold fg=#d0d0d0, 19-21 fg=#848484, 23-31 fg=#848484, 94-94 fg=#848484, 96-96 fg=#c4a767, 98-105 fg=#c4a767, 107-107 fg=#848484, 109-110 bold fg=#d0d0d0, 112-113 fg=#848484, 115-118 fg=#848484
cursor: 2,36,1
== approval
|› %md
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
|  2. two ✅ ⚠️  👨‍👩‍👧 é ❤️
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
0: 0-0 bold dim bg=#373737, 1-4 bg=#373737
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
23: 0-0 bold fg=#d0d0d0, 2-8 bold, 10-14 fg=#89b4fa, 16-29 fg=#cdd6f4
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
|› %md
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
|  2. two ✅ ⚠️  👨‍👩‍👧 é ❤️
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
|• FAKE-DONE after 1 tool result(s): Chunk ID: ae672f
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
0: 0-0 bold dim bg=#373737, 1-4 bg=#373737
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
38: 2-9 fg=#f6e2b7, 11-17 fg=#f6e2b7, 19-19 fg=#848484, 21-29 fg=#abdfa7, 31-31 fg=#848484, 33-35 fg=#b4befe
39: 2-2 bold fg=#d0d0d0, 4-6 fg=#848484, 8-13 fg=#848484, 15-15 fg=#848484, 17-17 bold fg=#d0d0d0, 19-21 fg=#848484, 23-31 fg=#848484, 94-94 fg=#848484, 96-96 fg=#c4a767, 98-105 fg=#c4a767, 107-107 fg=#848484, 109-110 bold fg=#d0d0d0, 112-113 fg=#848484, 115-118 fg=#848484
cursor: 2,36,1
== wheel
|› %md
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
|  2. two ✅ ⚠️  👨‍👩‍👧 é ❤️
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
|• FAKE-DONE after 1 tool result(s): Chunk ID: ae672f
|  Wall time: 0.0000 seconds
|  Process exited with code 0
|  Original token count: 0
|                                                 ↓ Back to bottom · esc
|
|› Ask Codex to do anything
|
|  gpt-fake default · /tmp/shop · %md
|  enter/esc latest · ? shortcuts                                                              ⚠ 2 warnings · f2 to view
0: 0-0 bold dim bg=#373737, 1-4 bg=#373737
2: 0-0 dim, 2-2 bold underline fg=#f38ba8, 3-3 underline fg=#f38ba8, 4-7 bold underline fg=#f38ba8, 8-8 underline fg=#f38ba8, 9-14 bold underline fg=#f38ba8
4: 7-10 bold fg=#f38ba8, 13-18 italic fg=#f38ba8, 21-24 fg=#a6e3a1, 27-32 struck, 40-43 underline fg=#89b4fa, 46-70 underline fg=#89b4fa
6: 3-6 bold fg=#f9e2af, 15-19 bold fg=#f9e2af
7: 2-11 fg=#383838, 14-20 fg=#383838
9: 2-11 fg=#383838, 14-20 fg=#383838
11: 2-11 fg=#383838, 14-20 fg=#383838
14: 2-3 fg=#cba6f7, 5-8 fg=#89b4fa, 9-10 fg=#9399b2, 12-12 fg=#9399b2, 14-21 fg=#89b4fa, 22-22 fg=#9399b2, 23-29 fg=#a6e3a1, 30-31 fg=#9399b2, 33-33 fg=#9399b2
16: 2-3 fg=12
17: 2-3 fg=12
19: 2-7 dim, 9-11 dim, 13-15 dim, 17-17 dim, 19-23 dim
22: 0-0 bold dim bg=#373737, 1-117 bg=#373737
25: 0-0 fg=2, 6-13 bold, 28-32 dim, 34-47 dim, 49-52 bold, 54-57 bold
27: 0-0 bold fg=2, 2-4 bold, 6-10 fg=#89b4fa, 12-25 fg=#cdd6f4
28: 2-2 dim, 4-6 dim, 8-14 dim
30: 0-0 dim
34: 48-48 bg=#2e2e2e, 49-49 fg=#63a8f8 bg=#2e2e2e, 50-50 bg=#2e2e2e, 51-54 fg=#63a8f8 bg=#2e2e2e, 55-55 bg=#2e2e2e, 56-57 fg=#63a8f8 bg=#2e2e2e, 58-58 bg=#2e2e2e, 59-64 fg=#63a8f8 bg=#2e2e2e, 65-65 bg=#2e2e2e, 66-66 fg=#63a8f8 bg=#2e2e2e, 67-67 bg=#2e2e2e, 68-70 fg=#63a8f8 bg=#2e2e2e
36: 0-0 bold bg=#2e2e2e, 1-1 bg=#2e2e2e, 2-4 dim bg=#2e2e2e, 5-5 bg=#2e2e2e, 6-10 dim bg=#2e2e2e, 11-11 bg=#2e2e2e, 12-13 dim bg=#2e2e2e, 14-14 bg=#2e2e2e, 15-16 dim bg=#2e2e2e, 17-17 bg=#2e2e2e, 18-25 dim bg=#2e2e2e
38: 2-9 fg=#f6e2b7, 11-17 fg=#f6e2b7, 19-19 fg=#848484, 21-29 fg=#abdfa7, 31-31 fg=#848484, 33-35 fg=#b4befe
39: 2-10 bold fg=#d0d0d0, 12-17 dim, 19-19 fg=#848484, 21-21 bold fg=#d0d0d0, 23-31 fg=#848484, 94-94 fg=#848484, 96-96 fg=#c4a767, 98-105 fg=#c4a767, 107-107 fg=#848484, 109-110 bold fg=#d0d0d0, 112-113 fg=#848484, 115-118 fg=#848484
cursor: 2,36,1
== narrow
|› %md
|
|  1. one
|  2. two ✅ ⚠️  👨‍👩‍👧 é ❤️
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
|• FAKE-DONE after 1 tool result(s): Chunk ID: ae672f
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
0: 0-0 bold dim bg=#373737, 1-4 bg=#373737
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
28: 2-9 fg=#f6e2b7, 11-17 fg=#f6e2b7, 19-19 fg=#848484, 21-29 fg=#abdfa7, 31-31 fg=#848484, 33-35 fg=#b4befe
29: 2-2 bold fg=#d0d0d0, 4-6 fg=#848484, 8-13 fg=#848484, 15-15 fg=#848484, 17-17 bold fg=#d0d0d0, 19-21 fg=#848484, 23-31 fg=#848484, 64-64 fg=#848484, 66-66 fg=#c4a767, 68-75 fg=#c4a767, 77-77 fg=#848484, 79-80 bold fg=#d0d0d0, 82-83 fg=#848484, 85-88 fg=#848484
cursor: 2,26,1
== wide
|› %md
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
|  2. two ✅ ⚠️  👨‍👩‍👧 é ❤️
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
|• FAKE-DONE after 1 tool result(s): Chunk ID: ae672f
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
0: 0-0 bold dim bg=#373737, 1-4 bg=#373737
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
38: 2-9 fg=#f6e2b7, 11-17 fg=#f6e2b7, 19-19 fg=#848484, 21-29 fg=#abdfa7, 31-31 fg=#848484, 33-35 fg=#b4befe
39: 2-2 bold fg=#d0d0d0, 4-6 fg=#848484, 8-13 fg=#848484, 15-15 fg=#848484, 17-17 bold fg=#d0d0d0, 19-21 fg=#848484, 23-31 fg=#848484, 94-94 fg=#848484, 96-96 fg=#c4a767, 98-105 fg=#c4a767, 107-107 fg=#848484, 109-110 bold fg=#d0d0d0, 112-113 fg=#848484, 115-118 fg=#848484
cursor: 2,36,1
