== start
|  Current   Sessions   Issues   Pull requests   Gists
|
|  ╭─╮╭─╮
|  ╰─╯╰─╯  Copilot v1.0.102 uses AI.
|  █ ▘▝ █  Check for mistakes.
|   ▔▔▔▔
|
| ! Model "fake-model" is not in the built-in catalog. Using defaults for: prompt tokens
|   (COPILOT_PROVIDER_MAX_PROMPT_TOKENS), output tokens (COPILOT_PROVIDER_MAX_OUTPUT_TOKENS). Run  copilot help
|   providers  for configuration details.
|
| ● Tip: /memory
|   └ Show memory status, or enable/disable memory across sessions
|
| ● No copilot-instructions.md found. Run /init to generate.
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
| /tmp/shop [⎇ main%]
|╻▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄
|┃
|╹▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀
| ← open sidebar · Interactive · Manual Approval · / commands · ? help · tab next tab                         fake-model
0: 1-1 bg=#0969da, 2-8 bold fg=#ffffff bg=#0969da, 9-9 bg=#0969da, 11-11 bg=#141b22, 12-19 fg=#b1bac4 bg=#141b22, 20-20 bg=#141b22, 23-28 dim fg=#9198a1, 32-35 dim fg=#9198a1, 37-44 dim fg=#9198a1, 47-47 bg=#141b22, 48-52 fg=#b1bac4 bg=#141b22
2: 2-7 fg=#3094ff
3: 2-7 fg=#3094ff, 10-16 fg=#9198a1, 18-25 fg=#9198a1, 27-30 fg=#9198a1, 32-34 fg=#9198a1
4: 2-2 fg=#8534f3, 4-5 fg=#5fed83, 7-7 fg=#8534f3, 10-14 fg=#9198a1, 16-18 fg=#9198a1, 20-28 fg=#9198a1
5: 3-6 fg=#8534f3
7: 1-1 fg=#cdcd00, 3-7 fg=#b8b8b8, 9-20 fg=#b8b8b8, 22-23 fg=#b8b8b8, 25-27 fg=#b8b8b8, 29-30 fg=#b8b8b8, 32-34 fg=#b8b8b8, 36-43 fg=#b8b8b8, 45-52 fg=#b8b8b8, 54-58 fg=#b8b8b8, 60-67 fg=#b8b8b8, 69-72 fg=#b8b8b8, 74-79 fg=#b8b8b8, 81-86 fg=#b8b8b8
8: 3-39 fg=#b8b8b8, 41-46 fg=#b8b8b8, 48-53 fg=#b8b8b8, 55-91 fg=#b8b8b8, 93-95 fg=#b8b8b8, 97-97 bg=#262c36, 98-104 fg=#ffffff bg=#262c36, 105-105 bg=#262c36, 106-109 fg=#ffffff bg=#262c36
9: 3-11 fg=#ffffff bg=#262c36, 12-12 bg=#262c36, 14-16 fg=#b8b8b8, 18-30 fg=#b8b8b8, 32-39 fg=#b8b8b8
11: 1-1 fg=#5e61fe, 3-6 fg=#b8b8b8, 8-14 fg=#b8b8b8
12: 3-3 fg=#9198a1, 5-8 fg=#9198a1, 10-15 fg=#9198a1, 17-23 fg=#9198a1, 25-26 fg=#9198a1, 28-41 fg=#9198a1, 43-48 fg=#9198a1, 50-55 fg=#9198a1, 57-64 fg=#9198a1
14: 1-1 fg=#5e61fe, 3-4 fg=#b8b8b8, 6-28 fg=#b8b8b8, 30-35 fg=#b8b8b8, 37-39 fg=#b8b8b8, 41-45 fg=#b8b8b8, 47-48 fg=#b8b8b8, 50-58 fg=#b8b8b8
35: 1-9 fg=#9198a1, 11-12 fg=#9198a1, 14-19 fg=#9198a1
36: 0-0 fg=#818b98, 1-119 fg=#141b22
37: 0-0 fg=#818b98
38: 0-0 fg=#818b98, 1-119 fg=#141b22
39: 1-1 bold fg=#9198a1, 3-6 fg=#9198a1, 8-14 fg=#9198a1, 16-16 fg=#9198a1, 48-48 fg=#9198a1, 50-50 bold fg=#9198a1, 52-59 fg=#9198a1, 61-61 fg=#9198a1, 63-63 bold fg=#9198a1, 65-68 fg=#9198a1, 70-70 fg=#9198a1, 72-74 bold fg=#9198a1, 76-79 fg=#9198a1, 81-83 fg=#9198a1, 109-118 fg=#9198a1
cursor: 2,37,1
== markdown
|  Current   Sessions   Issues   Pull requests   Gists
|
|  █ ▘▝ █  Check for mistakes.                                                                                          ┃
|   ▔▔▔▔                                                                                                                ┃
|                                                                                                                       ┃
| ! Model "fake-model" is not in the built-in catalog. Using defaults for: prompt tokens                                ┃
|   (COPILOT_PROVIDER_MAX_PROMPT_TOKENS), output tokens (COPILOT_PROVIDER_MAX_OUTPUT_TOKENS). Run  copilot help         ┃
|   providers  for configuration details.                                                                               ┃
|                                                                                                                       ┃
| ● Tip: /memory                                                                                                        ┃
|   └ Show memory status, or enable/disable memory across sessions                                                      ┃
|                                                                                                                       ┃
| ● No copilot-instructions.md found. Run /init to generate.                                                            ┃
| ▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄ ┃
|  ❯ %md                                                                                                        18:40   ┃
| ▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀ ┃
| ● Fake answer                                                                                                         ┃
|                                                                                                                       ┃
|   Some bold, italic,  code , struck and a link.                                                                       ┃
|                                                                                                                       ┃
|   ┌──────────┬───────┐                                                                                                ┃
|   │ name     │ value │                                                                                                ┃
|   ├──────────┼───────┤                                                                                                ┃
|   │ alpha    │     1 │                                                                                                ┃
|   ├──────────┼───────┤                                                                                                ┃
|   │ 日本語   │    22 │                                                                                                ┃
|   ├──────────┼───────┤                                                                                                ┃
|   │ emoji 🚀 │   333 │                                                                                                ┃
|   └──────────┴───────┘                                                                                                ┃
|                                                                                                                       ┃
|   fn main() { println!("hello"); }                                                                                    ┃
|                                                                                                                       ┃
|   1. one                                                                                                              ┃
|   2. two ✅ ⚠️  👨‍👩‍👧 é ❤️                                                                                               ┃
|                                                                                                                       ┃
| /tmp/shop [⎇ main%]
|╻▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄
|┃
|╹▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀
| ← open sidebar · Interactive · Manual Approval · / commands · ? help · tab next tab                         fake-model
0: 1-1 bg=#0969da, 2-8 bold fg=#ffffff bg=#0969da, 9-9 bg=#0969da, 11-11 bg=#141b22, 12-19 fg=#b1bac4 bg=#141b22, 20-20 bg=#141b22, 23-28 dim fg=#9198a1, 32-35 dim fg=#9198a1, 37-44 dim fg=#9198a1, 47-47 bg=#141b22, 48-52 fg=#b1bac4 bg=#141b22
2: 2-2 fg=#8534f3, 4-5 fg=#5fed83, 7-7 fg=#8534f3, 10-14 fg=#9198a1, 16-18 fg=#9198a1, 20-28 fg=#9198a1, 119-119 fg=#9198a1
3: 3-6 fg=#8534f3, 119-119 fg=#9198a1
4: 119-119 fg=#f0f6fc
5: 1-1 fg=#cdcd00, 3-7 fg=#b8b8b8, 9-20 fg=#b8b8b8, 22-23 fg=#b8b8b8, 25-27 fg=#b8b8b8, 29-30 fg=#b8b8b8, 32-34 fg=#b8b8b8, 36-43 fg=#b8b8b8, 45-52 fg=#b8b8b8, 54-58 fg=#b8b8b8, 60-67 fg=#b8b8b8, 69-72 fg=#b8b8b8, 74-79 fg=#b8b8b8, 81-86 fg=#b8b8b8, 119-119 fg=#f0f6fc
6: 3-39 fg=#b8b8b8, 41-46 fg=#b8b8b8, 48-53 fg=#b8b8b8, 55-91 fg=#b8b8b8, 93-95 fg=#b8b8b8, 97-97 bg=#262c36, 98-104 fg=#ffffff bg=#262c36, 105-105 bg=#262c36, 106-109 fg=#ffffff bg=#262c36, 110-110 bg=#262c36, 119-119 fg=#f0f6fc
7: 3-11 fg=#ffffff bg=#262c36, 12-12 bg=#262c36, 14-16 fg=#b8b8b8, 18-30 fg=#b8b8b8, 32-39 fg=#b8b8b8, 119-119 fg=#f0f6fc
8: 119-119 fg=#f0f6fc
9: 1-1 fg=#5e61fe, 3-6 fg=#b8b8b8, 8-14 fg=#b8b8b8, 119-119 fg=#f0f6fc
10: 3-3 fg=#9198a1, 5-8 fg=#9198a1, 10-15 fg=#9198a1, 17-23 fg=#9198a1, 25-26 fg=#9198a1, 28-41 fg=#9198a1, 43-48 fg=#9198a1, 50-55 fg=#9198a1, 57-64 fg=#9198a1, 119-119 fg=#f0f6fc
11: 119-119 fg=#f0f6fc
12: 1-1 fg=#5e61fe, 3-4 fg=#b8b8b8, 6-28 fg=#b8b8b8, 30-35 fg=#b8b8b8, 37-39 fg=#b8b8b8, 41-45 fg=#b8b8b8, 47-48 fg=#b8b8b8, 50-58 fg=#b8b8b8, 119-119 fg=#f0f6fc
13: 1-117 fg=#141b22, 119-119 fg=#f0f6fc
14: 1-1 bg=#141b22, 2-2 fg=#f0f6fc bg=#141b22, 3-3 bg=#141b22, 4-6 fg=#f0f6fc bg=#141b22, 7-110 bg=#141b22, 111-115 fg=#9198a1 bg=#141b22, 116-117 bg=#141b22, 119-119 fg=#f0f6fc
15: 1-117 fg=#141b22, 119-119 fg=#f0f6fc
16: 1-1 fg=#4493f8, 3-6 bold underline fg=#b8b8b8, 7-7 underline fg=#b8b8b8, 8-13 bold underline fg=#b8b8b8, 119-119 fg=#f0f6fc
17: 119-119 fg=#f0f6fc
18: 3-6 fg=#b8b8b8, 8-11 bold fg=#b8b8b8, 12-12 fg=#b8b8b8, 14-19 italic fg=#b8b8b8, 20-20 fg=#b8b8b8, 22-22 bg=#262c36, 23-26 fg=#ffffff bg=#262c36, 27-27 bg=#262c36, 28-28 fg=#b8b8b8, 30-35 struck fg=#b8b8b8, 37-39 fg=#b8b8b8, 41-41 fg=#b8b8b8, 43-46 underline fg=#00cdcd, 47-47 fg=#b8b8b8, 119-119 fg=#f0f6fc
19: 119-119 fg=#f0f6fc
20: 3-22 fg=#3d444d, 119-119 fg=#f0f6fc
21: 3-3 fg=#3d444d, 5-8 bold fg=#f0f6fc, 14-14 fg=#3d444d, 16-20 bold fg=#f0f6fc, 22-22 fg=#3d444d, 119-119 fg=#f0f6fc
22: 3-22 fg=#3d444d, 119-119 fg=#f0f6fc
23: 3-3 fg=#3d444d, 5-9 fg=#f0f6fc, 14-14 fg=#3d444d, 20-20 fg=#f0f6fc, 22-22 fg=#3d444d, 119-119 fg=#f0f6fc
24: 3-22 fg=#3d444d, 119-119 fg=#f0f6fc
25: 3-3 fg=#3d444d, 5-10 fg=#f0f6fc, 14-14 fg=#3d444d, 19-20 fg=#f0f6fc, 22-22 fg=#3d444d, 119-119 fg=#f0f6fc
26: 3-22 fg=#3d444d, 119-119 fg=#f0f6fc
27: 3-3 fg=#3d444d, 5-9 fg=#f0f6fc, 11-12 fg=#f0f6fc, 14-14 fg=#3d444d, 18-20 fg=#f0f6fc, 22-22 fg=#3d444d, 119-119 fg=#f0f6fc
28: 3-22 fg=#3d444d, 119-119 fg=#f0f6fc
29: 119-119 fg=#f0f6fc
30: 3-4 fg=#ff7b72, 6-9 fg=#d2a8ff, 10-11 fg=#00cdcd, 13-13 fg=#00cdcd, 15-22 fg=#ff7b72, 23-23 fg=#00cdcd, 24-30 fg=#a5d6ff, 31-32 fg=#00cdcd, 34-34 fg=#00cdcd, 119-119 fg=#f0f6fc
31: 119-119 fg=#f0f6fc
32: 3-4 fg=#b8b8b8, 6-8 fg=#b8b8b8, 119-119 fg=#f0f6fc
33: 3-4 fg=#b8b8b8, 6-8 fg=#b8b8b8, 10-11 fg=#b8b8b8, 13-14 fg=#b8b8b8, 17-18 fg=#b8b8b8, 20-20 fg=#b8b8b8, 22-23 fg=#b8b8b8, 119-119 fg=#f0f6fc
34: 119-119 fg=#f0f6fc
35: 1-9 fg=#9198a1, 11-12 fg=#9198a1, 14-19 fg=#9198a1
36: 0-0 fg=#818b98, 1-119 fg=#141b22
37: 0-0 fg=#818b98
38: 0-0 fg=#818b98, 1-119 fg=#141b22
39: 1-1 bold fg=#9198a1, 3-6 fg=#9198a1, 8-14 fg=#9198a1, 16-16 fg=#9198a1, 48-48 fg=#9198a1, 50-50 bold fg=#9198a1, 52-59 fg=#9198a1, 61-61 fg=#9198a1, 63-63 bold fg=#9198a1, 65-68 fg=#9198a1, 70-70 fg=#9198a1, 72-74 bold fg=#9198a1, 76-79 fg=#9198a1, 81-83 fg=#9198a1, 109-118 fg=#9198a1
cursor: 2,37,1
== approval
|  Current   Sessions   Issues   Pull requests   Gists
|
|                                                                                                                       ┃
|   ┌──────────┬───────┐                                                                                                ┃
|   │ name     │ value │                                                                                                ┃
|   ├──────────┼───────┤                                                                                                ┃
|   │ alpha    │     1 │                                                                                                ┃
|   ├──────────┼───────┤                                                                                                ┃
|   │ 日本語   │    22 │                                                                                                ┃
|   ├──────────┼───────┤                                                                                                ┃
|   │ emoji 🚀 │   333 │                                                                                                ┃
|   └──────────┴───────┘                                                                                                ┃
|                                                                                                                       ┃
|   fn main() { println!("hello"); }                                                                                    ┃
|                                                                                                                       ┃
|   1. one                                                                                                              ┃
|   2. two ✅ ⚠️  👨‍👩‍👧 é ❤️                                                                                               ┃
| ▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄ ┃
|  ❯ %sh touch copilot-was-here                                                                                 18:40   ┃
| ▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀ ┃
| ● I will call bash.                                                                                                   ┃
|                                                                                                                       ┃
| $ Shell run a scripted command                                                                                        ┃
|   touch copilot-was-here                                                                                              ┃
|                                                                                                                       ┃
|╭──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────╮
|│ run a scripted command                                                                                               │
|│ ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────── │
|│ ╭──────────────────────────────────────────────────────────────────────────────────────────────────────────────────╮ │
|│ │ touch copilot-was-here                                                                                           │ │
|│ ╰──────────────────────────────────────────────────────────────────────────────────────────────────────────────────╯ │
|│                                                                                                                      │
|│ Do you want to run this command?                                                                                     │
|│                                                                                                                      │
|│ ❯ 1. Yes                                                                                                             │
|│   2. Yes, and don't ask again for `touch` in this repo (/tmp/shop)                                                   │
|│   3. No, and tell Copilot what to do differently (Esc to stop)                                                       │
|│                                                                                                                      │
|│ ↑/↓ to navigate · enter to select · esc to cancel                                                                    │
|╰──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────╯
0: 1-1 bg=#0969da, 2-8 bold fg=#ffffff bg=#0969da, 9-9 bg=#0969da, 11-11 bg=#141b22, 12-19 fg=#b1bac4 bg=#141b22, 20-20 bg=#141b22, 23-28 dim fg=#9198a1, 32-35 dim fg=#9198a1, 37-44 dim fg=#9198a1, 47-47 bg=#141b22, 48-52 fg=#b1bac4 bg=#141b22
2: 119-119 fg=#9198a1
3: 3-22 fg=#3d444d, 119-119 fg=#9198a1
4: 3-3 fg=#3d444d, 5-8 bold fg=#f0f6fc, 14-14 fg=#3d444d, 16-20 bold fg=#f0f6fc, 22-22 fg=#3d444d, 119-119 fg=#9198a1
5: 3-22 fg=#3d444d, 119-119 fg=#9198a1
6: 3-3 fg=#3d444d, 5-9 fg=#f0f6fc, 14-14 fg=#3d444d, 20-20 fg=#f0f6fc, 22-22 fg=#3d444d, 119-119 fg=#9198a1
7: 3-22 fg=#3d444d, 119-119 fg=#9198a1
8: 3-3 fg=#3d444d, 5-10 fg=#f0f6fc, 14-14 fg=#3d444d, 19-20 fg=#f0f6fc, 22-22 fg=#3d444d, 119-119 fg=#9198a1
9: 3-22 fg=#3d444d, 119-119 fg=#9198a1
10: 3-3 fg=#3d444d, 5-9 fg=#f0f6fc, 11-12 fg=#f0f6fc, 14-14 fg=#3d444d, 18-20 fg=#f0f6fc, 22-22 fg=#3d444d, 119-119 fg=#f0f6fc
11: 3-22 fg=#3d444d, 119-119 fg=#f0f6fc
12: 119-119 fg=#f0f6fc
13: 3-4 fg=#ff7b72, 6-9 fg=#d2a8ff, 10-11 fg=#00cdcd, 13-13 fg=#00cdcd, 15-22 fg=#ff7b72, 23-23 fg=#00cdcd, 24-30 fg=#a5d6ff, 31-32 fg=#00cdcd, 34-34 fg=#00cdcd, 119-119 fg=#f0f6fc
14: 119-119 fg=#f0f6fc
15: 3-4 fg=#b8b8b8, 6-8 fg=#b8b8b8, 119-119 fg=#f0f6fc
16: 3-4 fg=#b8b8b8, 6-8 fg=#b8b8b8, 10-11 fg=#b8b8b8, 13-14 fg=#b8b8b8, 17-18 fg=#b8b8b8, 20-20 fg=#b8b8b8, 22-23 fg=#b8b8b8, 119-119 fg=#f0f6fc
17: 1-117 fg=#141b22, 119-119 fg=#f0f6fc
18: 1-1 bg=#141b22, 2-2 fg=#f0f6fc bg=#141b22, 3-3 bg=#141b22, 4-6 fg=#f0f6fc bg=#141b22, 7-7 bg=#141b22, 8-12 fg=#f0f6fc bg=#141b22, 13-13 bg=#141b22, 14-29 fg=#f0f6fc bg=#141b22, 30-110 bg=#141b22, 111-115 fg=#9198a1 bg=#141b22, 116-117 bg=#141b22, 119-119 fg=#f0f6fc
19: 1-117 fg=#141b22, 119-119 fg=#f0f6fc
20: 1-1 fg=#4493f8, 3-3 fg=#b8b8b8, 5-8 fg=#b8b8b8, 10-13 fg=#b8b8b8, 15-19 fg=#b8b8b8, 119-119 fg=#f0f6fc
21: 119-119 fg=#f0f6fc
22: 1-1 fg=#cdcd00, 3-7 bold, 9-11 fg=#9198a1, 13-13 fg=#9198a1, 15-22 fg=#9198a1, 24-30 fg=#9198a1, 119-119 fg=#f0f6fc
23: 3-7 fg=#9198a1, 9-24 fg=#9198a1, 119-119 fg=#f0f6fc
24: 119-119 fg=#f0f6fc
25: 0-119 fg=#3d444d
26: 0-0 fg=#3d444d, 2-4 bold fg=#f0f6fc, 6-6 bold fg=#f0f6fc, 8-15 bold fg=#f0f6fc, 17-23 bold fg=#f0f6fc, 119-119 fg=#3d444d
27: 0-0 fg=#3d444d, 2-117 fg=#3d444d, 119-119 fg=#3d444d
28: 0-0 fg=#3d444d, 2-117 fg=#3d444d, 119-119 fg=#3d444d
29: 0-0 fg=#3d444d, 2-2 fg=#3d444d, 117-117 fg=#3d444d, 119-119 fg=#3d444d
30: 0-0 fg=#3d444d, 2-117 fg=#3d444d, 119-119 fg=#3d444d
31: 0-0 fg=#3d444d, 119-119 fg=#3d444d
32: 0-0 fg=#3d444d, 119-119 fg=#3d444d
33: 0-0 fg=#3d444d, 119-119 fg=#3d444d
34: 0-0 fg=#3d444d, 2-2 fg=#ffffff bg=#0969da, 3-3 bg=#0969da, 4-5 fg=#ffffff bg=#0969da, 6-6 bg=#0969da, 7-9 fg=#ffffff bg=#0969da, 10-117 bg=#0969da, 119-119 fg=#3d444d
35: 0-0 fg=#3d444d, 119-119 fg=#3d444d
36: 0-0 fg=#3d444d, 119-119 fg=#3d444d
37: 0-0 fg=#3d444d, 119-119 fg=#3d444d
38: 0-0 fg=#3d444d, 2-4 bold fg=#9198a1, 6-7 fg=#9198a1, 9-16 fg=#9198a1, 18-18 fg=#9198a1, 20-24 bold fg=#9198a1, 26-27 fg=#9198a1, 29-34 fg=#9198a1, 36-36 fg=#9198a1, 38-40 bold fg=#9198a1, 42-43 fg=#9198a1, 45-50 fg=#9198a1, 119-119 fg=#3d444d
39: 0-119 fg=#3d444d
cursor: 119,24,0
== allowed
|  Current   Sessions   Issues   Pull requests   Gists
|
|                                                                                                                       ┃
| ● No copilot-instructions.md found. Run /init to generate.                                                            ┃
| ▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄ ┃
|  ❯ %md                                                                                                        18:40   ┃
| ▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀ ┃
| ● Fake answer                                                                                                         ┃
|                                                                                                                       ┃
|   Some bold, italic,  code , struck and a link.                                                                       ┃
|                                                                                                                       ┃
|   ┌──────────┬───────┐                                                                                                ┃
|   │ name     │ value │                                                                                                ┃
|   ├──────────┼───────┤                                                                                                ┃
|   │ alpha    │     1 │                                                                                                ┃
|   ├──────────┼───────┤                                                                                                ┃
|   │ 日本語   │    22 │                                                                                                ┃
|   ├──────────┼───────┤                                                                                                ┃
|   │ emoji 🚀 │   333 │                                                                                                ┃
|   └──────────┴───────┘                                                                                                ┃
|                                                                                                                       ┃
|   fn main() { println!("hello"); }                                                                                    ┃
|                                                                                                                       ┃
|   1. one                                                                                                              ┃
|   2. two ✅ ⚠️  👨‍👩‍👧 é ❤️                                                                                               ┃
| ▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄ ┃
|  ❯ %sh touch copilot-was-here                                                                                 18:40   ┃
| ▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀ ┃
| ● I will call bash.                                                                                                   ┃
|                                                                                                                       ┃
| $ Shell run a scripted command No Content                                                                             ┃
|   touch copilot-was-here                                                                                              ┃
|                                                                                                                       ┃
| ● FAKE-DONE after 1 tool result(s): <shellId: 0 completed with exit code 0>                                           ┃
|                                                                                                                       ┃
| /tmp/shop [⎇ main%]
|╻▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄
|┃
|╹▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀
| ← open sidebar · Interactive · Manual Approval · / commands · ? help · tab next tab                         fake-model
0: 1-1 bg=#0969da, 2-8 bold fg=#ffffff bg=#0969da, 9-9 bg=#0969da, 11-11 bg=#141b22, 12-19 fg=#b1bac4 bg=#141b22, 20-20 bg=#141b22, 23-28 dim fg=#9198a1, 32-35 dim fg=#9198a1, 37-44 dim fg=#9198a1, 47-47 bg=#141b22, 48-52 fg=#b1bac4 bg=#141b22
2: 119-119 fg=#9198a1
3: 1-1 fg=#5e61fe, 3-4 fg=#b8b8b8, 6-28 fg=#b8b8b8, 30-35 fg=#b8b8b8, 37-39 fg=#b8b8b8, 41-45 fg=#b8b8b8, 47-48 fg=#b8b8b8, 50-58 fg=#b8b8b8, 119-119 fg=#9198a1
4: 1-117 fg=#141b22, 119-119 fg=#9198a1
5: 1-1 bg=#141b22, 2-2 fg=#f0f6fc bg=#141b22, 3-3 bg=#141b22, 4-6 fg=#f0f6fc bg=#141b22, 7-110 bg=#141b22, 111-115 fg=#9198a1 bg=#141b22, 116-117 bg=#141b22, 119-119 fg=#9198a1
6: 1-117 fg=#141b22, 119-119 fg=#9198a1
7: 1-1 fg=#4493f8, 3-6 bold underline fg=#b8b8b8, 7-7 underline fg=#b8b8b8, 8-13 bold underline fg=#b8b8b8, 119-119 fg=#9198a1
8: 119-119 fg=#9198a1
9: 3-6 fg=#b8b8b8, 8-11 bold fg=#b8b8b8, 12-12 fg=#b8b8b8, 14-19 italic fg=#b8b8b8, 20-20 fg=#b8b8b8, 22-22 bg=#262c36, 23-26 fg=#ffffff bg=#262c36, 27-27 bg=#262c36, 28-28 fg=#b8b8b8, 30-35 struck fg=#b8b8b8, 37-39 fg=#b8b8b8, 41-41 fg=#b8b8b8, 43-46 underline fg=#00cdcd, 47-47 fg=#b8b8b8, 119-119 fg=#9198a1
10: 119-119 fg=#f0f6fc
11: 3-22 fg=#3d444d, 119-119 fg=#f0f6fc
12: 3-3 fg=#3d444d, 5-8 bold fg=#f0f6fc, 14-14 fg=#3d444d, 16-20 bold fg=#f0f6fc, 22-22 fg=#3d444d, 119-119 fg=#f0f6fc
13: 3-22 fg=#3d444d, 119-119 fg=#f0f6fc
14: 3-3 fg=#3d444d, 5-9 fg=#f0f6fc, 14-14 fg=#3d444d, 20-20 fg=#f0f6fc, 22-22 fg=#3d444d, 119-119 fg=#f0f6fc
15: 3-22 fg=#3d444d, 119-119 fg=#f0f6fc
16: 3-3 fg=#3d444d, 5-10 fg=#f0f6fc, 14-14 fg=#3d444d, 19-20 fg=#f0f6fc, 22-22 fg=#3d444d, 119-119 fg=#f0f6fc
17: 3-22 fg=#3d444d, 119-119 fg=#f0f6fc
18: 3-3 fg=#3d444d, 5-9 fg=#f0f6fc, 11-12 fg=#f0f6fc, 14-14 fg=#3d444d, 18-20 fg=#f0f6fc, 22-22 fg=#3d444d, 119-119 fg=#f0f6fc
19: 3-22 fg=#3d444d, 119-119 fg=#f0f6fc
20: 119-119 fg=#f0f6fc
21: 3-4 fg=#ff7b72, 6-9 fg=#d2a8ff, 10-11 fg=#00cdcd, 13-13 fg=#00cdcd, 15-22 fg=#ff7b72, 23-23 fg=#00cdcd, 24-30 fg=#a5d6ff, 31-32 fg=#00cdcd, 34-34 fg=#00cdcd, 119-119 fg=#f0f6fc
22: 119-119 fg=#f0f6fc
23: 3-4 fg=#b8b8b8, 6-8 fg=#b8b8b8, 119-119 fg=#f0f6fc
24: 3-4 fg=#b8b8b8, 6-8 fg=#b8b8b8, 10-11 fg=#b8b8b8, 13-14 fg=#b8b8b8, 17-18 fg=#b8b8b8, 20-20 fg=#b8b8b8, 22-23 fg=#b8b8b8, 119-119 fg=#f0f6fc
25: 1-117 fg=#141b22, 119-119 fg=#f0f6fc
26: 1-1 bg=#141b22, 2-2 fg=#f0f6fc bg=#141b22, 3-3 bg=#141b22, 4-6 fg=#f0f6fc bg=#141b22, 7-7 bg=#141b22, 8-12 fg=#f0f6fc bg=#141b22, 13-13 bg=#141b22, 14-29 fg=#f0f6fc bg=#141b22, 30-110 bg=#141b22, 111-115 fg=#9198a1 bg=#141b22, 116-117 bg=#141b22, 119-119 fg=#f0f6fc
27: 1-117 fg=#141b22, 119-119 fg=#f0f6fc
28: 1-1 fg=#4493f8, 3-3 fg=#b8b8b8, 5-8 fg=#b8b8b8, 10-13 fg=#b8b8b8, 15-19 fg=#b8b8b8, 119-119 fg=#f0f6fc
29: 119-119 fg=#f0f6fc
30: 1-1 fg=#cdcd00, 3-7 bold, 9-11 fg=#9198a1, 13-13 fg=#9198a1, 15-22 fg=#9198a1, 24-30 fg=#9198a1, 32-33 fg=#9198a1, 35-41 fg=#9198a1, 119-119 fg=#f0f6fc
31: 3-7 fg=#9198a1, 9-24 fg=#9198a1, 119-119 fg=#f0f6fc
32: 119-119 fg=#f0f6fc
33: 1-1 fg=#4493f8, 3-11 fg=#b8b8b8, 13-17 fg=#b8b8b8, 19-19 fg=#b8b8b8, 21-24 fg=#b8b8b8, 26-35 fg=#b8b8b8, 37-45 fg=#b8b8b8, 47-47 fg=#b8b8b8, 49-57 fg=#b8b8b8, 59-62 fg=#b8b8b8, 64-67 fg=#b8b8b8, 69-72 fg=#b8b8b8, 74-75 fg=#b8b8b8, 119-119 fg=#f0f6fc
34: 119-119 fg=#f0f6fc
35: 1-9 fg=#9198a1, 11-12 fg=#9198a1, 14-19 fg=#9198a1
36: 0-0 fg=#818b98, 1-119 fg=#141b22
37: 0-0 fg=#818b98
38: 0-0 fg=#818b98, 1-119 fg=#141b22
39: 1-1 bold fg=#9198a1, 3-6 fg=#9198a1, 8-14 fg=#9198a1, 16-16 fg=#9198a1, 48-48 fg=#9198a1, 50-50 bold fg=#9198a1, 52-59 fg=#9198a1, 61-61 fg=#9198a1, 63-63 bold fg=#9198a1, 65-68 fg=#9198a1, 70-70 fg=#9198a1, 72-74 bold fg=#9198a1, 76-79 fg=#9198a1, 81-83 fg=#9198a1, 109-118 fg=#9198a1
cursor: 2,37,1
== wheel
|  Current   Sessions   Issues   Pull requests   Gists
|
|  █ ▘▝ █  Check for mistakes.                                                                                          ┃
|   ▔▔▔▔                                                                                                                ┃
|                                                                                                                       ┃
| ! Model "fake-model" is not in the built-in catalog. Using defaults for: prompt tokens                                ┃
|   (COPILOT_PROVIDER_MAX_PROMPT_TOKENS), output tokens (COPILOT_PROVIDER_MAX_OUTPUT_TOKENS). Run  copilot help         ┃
|   providers  for configuration details.                                                                               ┃
|                                                                                                                       ┃
| ● Tip: /memory                                                                                                        ┃
|   └ Show memory status, or enable/disable memory across sessions                                                      ┃
|                                                                                                                       ┃
| ● No copilot-instructions.md found. Run /init to generate.                                                            ┃
| ▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄ ┃
|  ❯ %md                                                                                                        18:40   ┃
| ▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀ ┃
| ● Fake answer                                                                                                         ┃
|                                                                                                                       ┃
|   Some bold, italic,  code , struck and a link.                                                                       ┃
|                                                                                                                       ┃
|   ┌──────────┬───────┐                                                                                                ┃
|   │ name     │ value │                                                                                                ┃
|   ├──────────┼───────┤                                                                                                ┃
|   │ alpha    │     1 │                                                                                                ┃
|   ├──────────┼───────┤                                                                                                ┃
|   │ 日本語   │    22 │                                                                                                ┃
|   ├──────────┼───────┤                                                                                                ┃
|   │ emoji 🚀 │   333 │                                                                                                ┃
|   └──────────┴───────┘                                                                                                ┃
|                                                                                                                       ┃
|   fn main() { println!("hello"); }                                                                                    ┃
|                                                                                                                       ┃
|   1. one                                                                                                              ┃
|   2. two ✅ ⚠️  👨‍👩‍👧 é ❤️                                                                                               ┃
| ▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄ ┃
| /tmp/shop [⎇ main%]
|╻▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄
|┃
|╹▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀
| ← open sidebar · Interactive · Manual Approval · / commands · ? help · tab next tab                         fake-model
0: 1-1 bg=#0969da, 2-8 bold fg=#ffffff bg=#0969da, 9-9 bg=#0969da, 11-11 bg=#141b22, 12-19 fg=#b1bac4 bg=#141b22, 20-20 bg=#141b22, 23-28 dim fg=#9198a1, 32-35 dim fg=#9198a1, 37-44 dim fg=#9198a1, 47-47 bg=#141b22, 48-52 fg=#b1bac4 bg=#141b22
2: 2-2 fg=#8534f3, 4-5 fg=#5fed83, 7-7 fg=#8534f3, 10-14 fg=#9198a1, 16-18 fg=#9198a1, 20-28 fg=#9198a1, 119-119 fg=#9198a1
3: 3-6 fg=#8534f3, 119-119 fg=#f0f6fc
4: 119-119 fg=#f0f6fc
5: 1-1 fg=#cdcd00, 3-7 fg=#b8b8b8, 9-20 fg=#b8b8b8, 22-23 fg=#b8b8b8, 25-27 fg=#b8b8b8, 29-30 fg=#b8b8b8, 32-34 fg=#b8b8b8, 36-43 fg=#b8b8b8, 45-52 fg=#b8b8b8, 54-58 fg=#b8b8b8, 60-67 fg=#b8b8b8, 69-72 fg=#b8b8b8, 74-79 fg=#b8b8b8, 81-86 fg=#b8b8b8, 119-119 fg=#f0f6fc
6: 3-39 fg=#b8b8b8, 41-46 fg=#b8b8b8, 48-53 fg=#b8b8b8, 55-91 fg=#b8b8b8, 93-95 fg=#b8b8b8, 97-97 bg=#262c36, 98-104 fg=#ffffff bg=#262c36, 105-105 bg=#262c36, 106-109 fg=#ffffff bg=#262c36, 110-110 bg=#262c36, 119-119 fg=#f0f6fc
7: 3-11 fg=#ffffff bg=#262c36, 12-12 bg=#262c36, 14-16 fg=#b8b8b8, 18-30 fg=#b8b8b8, 32-39 fg=#b8b8b8, 119-119 fg=#f0f6fc
8: 119-119 fg=#f0f6fc
9: 1-1 fg=#5e61fe, 3-6 fg=#b8b8b8, 8-14 fg=#b8b8b8, 119-119 fg=#f0f6fc
10: 3-3 fg=#9198a1, 5-8 fg=#9198a1, 10-15 fg=#9198a1, 17-23 fg=#9198a1, 25-26 fg=#9198a1, 28-41 fg=#9198a1, 43-48 fg=#9198a1, 50-55 fg=#9198a1, 57-64 fg=#9198a1, 119-119 fg=#f0f6fc
11: 119-119 fg=#f0f6fc
12: 1-1 fg=#5e61fe, 3-4 fg=#b8b8b8, 6-28 fg=#b8b8b8, 30-35 fg=#b8b8b8, 37-39 fg=#b8b8b8, 41-45 fg=#b8b8b8, 47-48 fg=#b8b8b8, 50-58 fg=#b8b8b8, 119-119 fg=#f0f6fc
13: 1-117 fg=#141b22, 119-119 fg=#f0f6fc
14: 1-1 bg=#141b22, 2-2 fg=#f0f6fc bg=#141b22, 3-3 bg=#141b22, 4-6 fg=#f0f6fc bg=#141b22, 7-110 bg=#141b22, 111-115 fg=#9198a1 bg=#141b22, 116-117 bg=#141b22, 119-119 fg=#f0f6fc
15: 1-117 fg=#141b22, 119-119 fg=#f0f6fc
16: 1-1 fg=#4493f8, 3-6 bold underline fg=#b8b8b8, 7-7 underline fg=#b8b8b8, 8-13 bold underline fg=#b8b8b8, 119-119 fg=#f0f6fc
17: 119-119 fg=#f0f6fc
18: 3-6 fg=#b8b8b8, 8-11 bold fg=#b8b8b8, 12-12 fg=#b8b8b8, 14-19 italic fg=#b8b8b8, 20-20 fg=#b8b8b8, 22-22 bg=#262c36, 23-26 fg=#ffffff bg=#262c36, 27-27 bg=#262c36, 28-28 fg=#b8b8b8, 30-35 struck fg=#b8b8b8, 37-39 fg=#b8b8b8, 41-41 fg=#b8b8b8, 43-46 underline fg=#00cdcd, 47-47 fg=#b8b8b8, 119-119 fg=#f0f6fc
19: 119-119 fg=#f0f6fc
20: 3-22 fg=#3d444d, 119-119 fg=#f0f6fc
21: 3-3 fg=#3d444d, 5-8 bold fg=#f0f6fc, 14-14 fg=#3d444d, 16-20 bold fg=#f0f6fc, 22-22 fg=#3d444d, 119-119 fg=#f0f6fc
22: 3-22 fg=#3d444d, 119-119 fg=#f0f6fc
23: 3-3 fg=#3d444d, 5-9 fg=#f0f6fc, 14-14 fg=#3d444d, 20-20 fg=#f0f6fc, 22-22 fg=#3d444d, 119-119 fg=#f0f6fc
24: 3-22 fg=#3d444d, 119-119 fg=#f0f6fc
25: 3-3 fg=#3d444d, 5-10 fg=#f0f6fc, 14-14 fg=#3d444d, 19-20 fg=#f0f6fc, 22-22 fg=#3d444d, 119-119 fg=#f0f6fc
26: 3-22 fg=#3d444d, 119-119 fg=#f0f6fc
27: 3-3 fg=#3d444d, 5-9 fg=#f0f6fc, 11-12 fg=#f0f6fc, 14-14 fg=#3d444d, 18-20 fg=#f0f6fc, 22-22 fg=#3d444d, 119-119 fg=#f0f6fc
28: 3-22 fg=#3d444d, 119-119 fg=#9198a1
29: 119-119 fg=#9198a1
30: 3-4 fg=#ff7b72, 6-9 fg=#d2a8ff, 10-11 fg=#00cdcd, 13-13 fg=#00cdcd, 15-22 fg=#ff7b72, 23-23 fg=#00cdcd, 24-30 fg=#a5d6ff, 31-32 fg=#00cdcd, 34-34 fg=#00cdcd, 119-119 fg=#9198a1
31: 119-119 fg=#9198a1
32: 3-4 fg=#b8b8b8, 6-8 fg=#b8b8b8, 119-119 fg=#9198a1
33: 3-4 fg=#b8b8b8, 6-8 fg=#b8b8b8, 10-11 fg=#b8b8b8, 13-14 fg=#b8b8b8, 17-18 fg=#b8b8b8, 20-20 fg=#b8b8b8, 22-23 fg=#b8b8b8, 119-119 fg=#9198a1
34: 1-117 fg=#141b22, 119-119 fg=#9198a1
35: 1-9 fg=#9198a1, 11-12 fg=#9198a1, 14-19 fg=#9198a1
36: 0-0 fg=#818b98, 1-119 fg=#141b22
37: 0-0 fg=#818b98
38: 0-0 fg=#818b98, 1-119 fg=#141b22
39: 1-1 bold fg=#9198a1, 3-6 fg=#9198a1, 8-14 fg=#9198a1, 16-16 fg=#9198a1, 48-48 fg=#9198a1, 50-50 bold fg=#9198a1, 52-59 fg=#9198a1, 61-61 fg=#9198a1, 63-63 bold fg=#9198a1, 65-68 fg=#9198a1, 70-70 fg=#9198a1, 72-74 bold fg=#9198a1, 76-79 fg=#9198a1, 81-83 fg=#9198a1, 109-118 fg=#9198a1
cursor: 2,37,1
== narrow
|  Current   Sessions   Issues   Pull requests   Gists
|
|   │ name     │ value │                                                                  ┃
|   ├──────────┼───────┤                                                                  ┃
|   │ alpha    │     1 │                                                                  ┃
|   ├──────────┼───────┤                                                                  ┃
|   │ 日本語   │    22 │                                                                  ┃
|   ├──────────┼───────┤                                                                  ┃
|   │ emoji 🚀 │   333 │                                                                  ┃
|   └──────────┴───────┘                                                                  ┃
|                                                                                         ┃
|   fn main() { println!("hello"); }                                                      ┃
|                                                                                         ┃
|   1. one                                                                                ┃
|   2. two ✅ ⚠️ 👨‍👩‍👧 é ❤️                                                                  ┃
| ▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄ ┃
|  ❯ %sh touch copilot-was-here                                                   18:40   ┃
| ▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀ ┃
| ● I will call bash.                                                                     ┃
|                                                                                         ┃
| $ Shell run a scripted command No Content                                               ┃
|   touch copilot-was-here                                                                ┃
|                                                                                         ┃
| ● FAKE-DONE after 1 tool result(s): <shellId: 0 completed with exit code 0>             ┃
|                                                                                         ┃
| /tmp/shop [⎇ main%]
|╻▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄
|┃
|╹▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀
| ← open sidebar · Interactive · Manual Approval · / commands · tab next tab    fake-model
0: 1-1 bg=#0969da, 2-8 bold fg=#ffffff bg=#0969da, 9-9 bg=#0969da, 11-11 bg=#141b22, 12-19 fg=#b1bac4 bg=#141b22, 20-20 bg=#141b22, 23-28 dim fg=#9198a1, 32-35 dim fg=#9198a1, 37-44 dim fg=#9198a1, 47-47 bg=#141b22, 48-52 fg=#b1bac4 bg=#141b22
2: 3-3 fg=#3d444d, 5-8 bold fg=#f0f6fc, 14-14 fg=#3d444d, 16-20 bold fg=#f0f6fc, 22-22 fg=#3d444d, 89-89 fg=#9198a1
3: 3-22 fg=#3d444d, 89-89 fg=#9198a1
4: 3-3 fg=#3d444d, 5-9 fg=#f0f6fc, 14-14 fg=#3d444d, 20-20 fg=#f0f6fc, 22-22 fg=#3d444d, 89-89 fg=#9198a1
5: 3-22 fg=#3d444d, 89-89 fg=#9198a1
6: 3-3 fg=#3d444d, 5-10 fg=#f0f6fc, 14-14 fg=#3d444d, 19-20 fg=#f0f6fc, 22-22 fg=#3d444d, 89-89 fg=#9198a1
7: 3-22 fg=#3d444d, 89-89 fg=#9198a1
8: 3-3 fg=#3d444d, 5-9 fg=#f0f6fc, 11-12 fg=#f0f6fc, 14-14 fg=#3d444d, 18-20 fg=#f0f6fc, 22-22 fg=#3d444d, 89-89 fg=#9198a1
9: 3-22 fg=#3d444d, 89-89 fg=#9198a1
10: 89-89 fg=#9198a1
11: 3-4 fg=#ff7b72, 6-9 fg=#d2a8ff, 10-11 fg=#00cdcd, 13-13 fg=#00cdcd, 15-22 fg=#ff7b72, 23-23 fg=#00cdcd, 24-30 fg=#a5d6ff, 31-32 fg=#00cdcd, 34-34 fg=#00cdcd, 89-89 fg=#9198a1
12: 89-89 fg=#9198a1
13: 3-4 fg=#b8b8b8, 6-8 fg=#b8b8b8, 89-89 fg=#f0f6fc
14: 3-4 fg=#b8b8b8, 6-8 fg=#b8b8b8, 10-11 fg=#b8b8b8, 13-14 fg=#b8b8b8, 16-17 fg=#b8b8b8, 19-19 fg=#b8b8b8, 21-22 fg=#b8b8b8, 89-89 fg=#f0f6fc
15: 1-87 fg=#141b22, 89-89 fg=#f0f6fc
16: 1-1 bg=#141b22, 2-2 fg=#f0f6fc bg=#141b22, 3-3 bg=#141b22, 4-6 fg=#f0f6fc bg=#141b22, 7-7 bg=#141b22, 8-12 fg=#f0f6fc bg=#141b22, 13-13 bg=#141b22, 14-29 fg=#f0f6fc bg=#141b22, 30-80 bg=#141b22, 81-85 fg=#9198a1 bg=#141b22, 86-87 bg=#141b22, 89-89 fg=#f0f6fc
17: 1-87 fg=#141b22, 89-89 fg=#f0f6fc
18: 1-1 fg=#4493f8, 3-3 fg=#b8b8b8, 5-8 fg=#b8b8b8, 10-13 fg=#b8b8b8, 15-19 fg=#b8b8b8, 89-89 fg=#f0f6fc
19: 89-89 fg=#f0f6fc
20: 1-1 fg=#cdcd00, 3-7 bold, 9-11 fg=#9198a1, 13-13 fg=#9198a1, 15-22 fg=#9198a1, 24-30 fg=#9198a1, 32-33 fg=#9198a1, 35-41 fg=#9198a1, 89-89 fg=#f0f6fc
21: 3-7 fg=#9198a1, 9-24 fg=#9198a1, 89-89 fg=#f0f6fc
22: 89-89 fg=#f0f6fc
23: 1-1 fg=#4493f8, 3-11 fg=#b8b8b8, 13-17 fg=#b8b8b8, 19-19 fg=#b8b8b8, 21-24 fg=#b8b8b8, 26-35 fg=#b8b8b8, 37-45 fg=#b8b8b8, 47-47 fg=#b8b8b8, 49-57 fg=#b8b8b8, 59-62 fg=#b8b8b8, 64-67 fg=#b8b8b8, 69-72 fg=#b8b8b8, 74-75 fg=#b8b8b8, 89-89 fg=#f0f6fc
24: 89-89 fg=#f0f6fc
25: 1-9 fg=#9198a1, 11-12 fg=#9198a1, 14-19 fg=#9198a1
26: 0-0 fg=#818b98, 1-89 fg=#141b22
27: 0-0 fg=#818b98
28: 0-0 fg=#818b98, 1-89 fg=#141b22
29: 1-1 bold fg=#9198a1, 3-6 fg=#9198a1, 8-14 fg=#9198a1, 16-16 fg=#9198a1, 48-48 fg=#9198a1, 50-50 bold fg=#9198a1, 52-59 fg=#9198a1, 61-61 fg=#9198a1, 63-65 bold fg=#9198a1, 67-70 fg=#9198a1, 72-74 fg=#9198a1, 79-88 fg=#9198a1
cursor: 2,27,1
== wide
|  Current   Sessions   Issues   Pull requests   Gists
|
|                                                                                                                       ┃
| ● No copilot-instructions.md found. Run /init to generate.                                                            ┃
| ▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄ ┃
|  ❯ %md                                                                                                        18:40   ┃
| ▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀ ┃
| ● Fake answer                                                                                                         ┃
|                                                                                                                       ┃
|   Some bold, italic,  code , struck and a link.                                                                       ┃
|                                                                                                                       ┃
|   ┌──────────┬───────┐                                                                                                ┃
|   │ name     │ value │                                                                                                ┃
|   ├──────────┼───────┤                                                                                                ┃
|   │ alpha    │     1 │                                                                                                ┃
|   ├──────────┼───────┤                                                                                                ┃
|   │ 日本語   │    22 │                                                                                                ┃
|   ├──────────┼───────┤                                                                                                ┃
|   │ emoji 🚀 │   333 │                                                                                                ┃
|   └──────────┴───────┘                                                                                                ┃
|                                                                                                                       ┃
|   fn main() { println!("hello"); }                                                                                    ┃
|                                                                                                                       ┃
|   1. one                                                                                                              ┃
|   2. two ✅ ⚠️ 👨‍👩‍👧 é ❤️                                                                                                ┃
| ▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄ ┃
|  ❯ %sh touch copilot-was-here                                                                                 18:40   ┃
| ▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀ ┃
| ● I will call bash.                                                                                                   ┃
|                                                                                                                       ┃
| $ Shell run a scripted command No Content                                                                             ┃
|   touch copilot-was-here                                                                                              ┃
|                                                                                                                       ┃
| ● FAKE-DONE after 1 tool result(s): <shellId: 0 completed with exit code 0>                                           ┃
|                                                                                                                       ┃
| /tmp/shop [⎇ main%]
|╻▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄
|┃
|╹▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀
| ← open sidebar · Interactive · Manual Approval · / commands · ? help · tab next tab                         fake-model
0: 1-1 bg=#0969da, 2-8 bold fg=#ffffff bg=#0969da, 9-9 bg=#0969da, 11-11 bg=#141b22, 12-19 fg=#b1bac4 bg=#141b22, 20-20 bg=#141b22, 23-28 dim fg=#9198a1, 32-35 dim fg=#9198a1, 37-44 dim fg=#9198a1, 47-47 bg=#141b22, 48-52 fg=#b1bac4 bg=#141b22
2: 119-119 fg=#9198a1
3: 1-1 fg=#5e61fe, 3-4 fg=#b8b8b8, 6-28 fg=#b8b8b8, 30-35 fg=#b8b8b8, 37-39 fg=#b8b8b8, 41-45 fg=#b8b8b8, 47-48 fg=#b8b8b8, 50-58 fg=#b8b8b8, 119-119 fg=#9198a1
4: 1-117 fg=#141b22, 119-119 fg=#9198a1
5: 1-1 bg=#141b22, 2-2 fg=#f0f6fc bg=#141b22, 3-3 bg=#141b22, 4-6 fg=#f0f6fc bg=#141b22, 7-110 bg=#141b22, 111-115 fg=#9198a1 bg=#141b22, 116-117 bg=#141b22, 119-119 fg=#9198a1
6: 1-117 fg=#141b22, 119-119 fg=#9198a1
7: 1-1 fg=#4493f8, 3-6 bold underline fg=#b8b8b8, 7-7 underline fg=#b8b8b8, 8-13 bold underline fg=#b8b8b8, 119-119 fg=#9198a1
8: 119-119 fg=#9198a1
9: 3-6 fg=#b8b8b8, 8-11 bold fg=#b8b8b8, 12-12 fg=#b8b8b8, 14-19 italic fg=#b8b8b8, 20-20 fg=#b8b8b8, 22-22 bg=#262c36, 23-26 fg=#ffffff bg=#262c36, 27-27 bg=#262c36, 28-28 fg=#b8b8b8, 30-35 struck fg=#b8b8b8, 37-39 fg=#b8b8b8, 41-41 fg=#b8b8b8, 43-46 underline fg=#00cdcd, 47-47 fg=#b8b8b8, 119-119 fg=#9198a1
10: 119-119 fg=#f0f6fc
11: 3-22 fg=#3d444d, 119-119 fg=#f0f6fc
12: 3-3 fg=#3d444d, 5-8 bold fg=#f0f6fc, 14-14 fg=#3d444d, 16-20 bold fg=#f0f6fc, 22-22 fg=#3d444d, 119-119 fg=#f0f6fc
13: 3-22 fg=#3d444d, 119-119 fg=#f0f6fc
14: 3-3 fg=#3d444d, 5-9 fg=#f0f6fc, 14-14 fg=#3d444d, 20-20 fg=#f0f6fc, 22-22 fg=#3d444d, 119-119 fg=#f0f6fc
15: 3-22 fg=#3d444d, 119-119 fg=#f0f6fc
16: 3-3 fg=#3d444d, 5-10 fg=#f0f6fc, 14-14 fg=#3d444d, 19-20 fg=#f0f6fc, 22-22 fg=#3d444d, 119-119 fg=#f0f6fc
17: 3-22 fg=#3d444d, 119-119 fg=#f0f6fc
18: 3-3 fg=#3d444d, 5-9 fg=#f0f6fc, 11-12 fg=#f0f6fc, 14-14 fg=#3d444d, 18-20 fg=#f0f6fc, 22-22 fg=#3d444d, 119-119 fg=#f0f6fc
19: 3-22 fg=#3d444d, 119-119 fg=#f0f6fc
20: 119-119 fg=#f0f6fc
21: 3-4 fg=#ff7b72, 6-9 fg=#d2a8ff, 10-11 fg=#00cdcd, 13-13 fg=#00cdcd, 15-22 fg=#ff7b72, 23-23 fg=#00cdcd, 24-30 fg=#a5d6ff, 31-32 fg=#00cdcd, 34-34 fg=#00cdcd, 119-119 fg=#f0f6fc
22: 119-119 fg=#f0f6fc
23: 3-4 fg=#b8b8b8, 6-8 fg=#b8b8b8, 119-119 fg=#f0f6fc
24: 3-4 fg=#b8b8b8, 6-8 fg=#b8b8b8, 10-11 fg=#b8b8b8, 13-14 fg=#b8b8b8, 16-17 fg=#b8b8b8, 19-19 fg=#b8b8b8, 21-22 fg=#b8b8b8, 119-119 fg=#f0f6fc
25: 1-117 fg=#141b22, 119-119 fg=#f0f6fc
26: 1-1 bg=#141b22, 2-2 fg=#f0f6fc bg=#141b22, 3-3 bg=#141b22, 4-6 fg=#f0f6fc bg=#141b22, 7-7 bg=#141b22, 8-12 fg=#f0f6fc bg=#141b22, 13-13 bg=#141b22, 14-29 fg=#f0f6fc bg=#141b22, 30-110 bg=#141b22, 111-115 fg=#9198a1 bg=#141b22, 116-117 bg=#141b22, 119-119 fg=#f0f6fc
27: 1-117 fg=#141b22, 119-119 fg=#f0f6fc
28: 1-1 fg=#4493f8, 3-3 fg=#b8b8b8, 5-8 fg=#b8b8b8, 10-13 fg=#b8b8b8, 15-19 fg=#b8b8b8, 119-119 fg=#f0f6fc
29: 119-119 fg=#f0f6fc
30: 1-1 fg=#cdcd00, 3-7 bold, 9-11 fg=#9198a1, 13-13 fg=#9198a1, 15-22 fg=#9198a1, 24-30 fg=#9198a1, 32-33 fg=#9198a1, 35-41 fg=#9198a1, 119-119 fg=#f0f6fc
31: 3-7 fg=#9198a1, 9-24 fg=#9198a1, 119-119 fg=#f0f6fc
32: 119-119 fg=#f0f6fc
33: 1-1 fg=#4493f8, 3-11 fg=#b8b8b8, 13-17 fg=#b8b8b8, 19-19 fg=#b8b8b8, 21-24 fg=#b8b8b8, 26-35 fg=#b8b8b8, 37-45 fg=#b8b8b8, 47-47 fg=#b8b8b8, 49-57 fg=#b8b8b8, 59-62 fg=#b8b8b8, 64-67 fg=#b8b8b8, 69-72 fg=#b8b8b8, 74-75 fg=#b8b8b8, 119-119 fg=#f0f6fc
34: 119-119 fg=#f0f6fc
35: 1-9 fg=#9198a1, 11-12 fg=#9198a1, 14-19 fg=#9198a1
36: 0-0 fg=#818b98, 1-119 fg=#141b22
37: 0-0 fg=#818b98
38: 0-0 fg=#818b98, 1-119 fg=#141b22
39: 1-1 bold fg=#9198a1, 3-6 fg=#9198a1, 8-14 fg=#9198a1, 16-16 fg=#9198a1, 48-48 fg=#9198a1, 50-50 bold fg=#9198a1, 52-59 fg=#9198a1, 61-61 fg=#9198a1, 63-63 bold fg=#9198a1, 65-68 fg=#9198a1, 70-70 fg=#9198a1, 72-74 bold fg=#9198a1, 76-79 fg=#9198a1, 81-83 fg=#9198a1, 109-118 fg=#9198a1
cursor: 2,37,1
