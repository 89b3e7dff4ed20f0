== open
|pub fn login_1() -> bool {
|    true
|}
|pub fn login_2() -> bool {
|    true
|}
|pub fn login_3() -> bool {
|    true
|}
|pub fn login_4() -> bool {
|    true
|}
|pub fn login_5() -> bool {
|    true
|}
|pub fn login_6() -> bool {
|    true
|}
|~
|~
|~
|~
|~
|~
|~
|~
|~
|~
|src/login.rs                                                                      1,1            All
|"src/login.rs" 18L, 228B
0: 0-2 fg=11, 4-5 fg=11, 7-13 bold fg=14, 17-18 fg=11, 20-23 fg=121
1: 4-7 fg=13
3: 0-2 fg=11, 4-5 fg=11, 7-13 bold fg=14, 17-18 fg=11, 20-23 fg=121
4: 4-7 fg=13
6: 0-2 fg=11, 4-5 fg=11, 7-13 bold fg=14, 17-18 fg=11, 20-23 fg=121
7: 4-7 fg=13
9: 0-2 fg=11, 4-5 fg=11, 7-13 bold fg=14, 17-18 fg=11, 20-23 fg=121
10: 4-7 fg=13
12: 0-2 fg=11, 4-5 fg=11, 7-13 bold fg=14, 17-18 fg=11, 20-23 fg=121
13: 4-7 fg=13
15: 0-2 fg=11, 4-5 fg=11, 7-13 bold fg=14, 17-18 fg=11, 20-23 fg=121
16: 4-7 fg=13
18: 0-0 fg=12
19: 0-0 fg=12
20: 0-0 fg=12
21: 0-0 fg=12
22: 0-0 fg=12
23: 0-0 fg=12
24: 0-0 fg=12
25: 0-0 fg=12
26: 0-0 fg=12
27: 0-0 fg=12
28: 0-11 bold inverse, 12-81 inverse, 82-84 bold inverse, 85-96 inverse, 97-99 bold inverse
cursor: 0,0,1
== edited
|inserted line
|pub fn login_1() -> bool {
|}
|pub fn login_2() -> bool {
|    true
|}
|pub fn login_3() -> bool {
|    true
|}
|pub fn login_4() -> bool {
|    true
|}
|pub fn login_5() -> bool {
|    true
|}
|pub fn login_6() -> bool {
|    true
|}
|    true
|~
|~
|~
|~
|~
|~
|~
|~
|~
|src/login.rs [+]                                                                  19,5           All
|
1: 0-2 fg=11, 4-5 fg=11, 7-13 bold fg=14, 17-18 fg=11, 20-23 fg=121
3: 0-2 fg=11, 4-5 fg=11, 7-13 bold fg=14, 17-18 fg=11, 20-23 fg=121
4: 4-7 fg=13
6: 0-2 fg=11, 4-5 fg=11, 7-13 bold fg=14, 17-18 fg=11, 20-23 fg=121
7: 4-7 fg=13
9: 0-2 fg=11, 4-5 fg=11, 7-13 bold fg=14, 17-18 fg=11, 20-23 fg=121
10: 4-7 fg=13
12: 0-2 fg=11, 4-5 fg=11, 7-13 bold fg=14, 17-18 fg=11, 20-23 fg=121
13: 4-7 fg=13
15: 0-2 fg=11, 4-5 fg=11, 7-13 bold fg=14, 17-18 fg=11, 20-23 fg=121
16: 4-7 fg=13
18: 4-7 fg=13
19: 0-0 fg=12
20: 0-0 fg=12
21: 0-0 fg=12
22: 0-0 fg=12
23: 0-0 fg=12
24: 0-0 fg=12
25: 0-0 fg=12
26: 0-0 fg=12
27: 0-0 fg=12
28: 0-11 bold inverse, 12-12 inverse, 13-15 bold inverse, 16-81 inverse, 82-85 bold inverse, 86-96 inverse, 97-99 bold inverse
cursor: 4,18,1
== found
|inserted line
|pub fn login_1() -> bool {
|}
|pub fn login_2() -> bool {
|    true
|}
|pub fn login_3() -> bool {
|    true
|}
|pub fn login_4() -> bool {
|    true
|}
|pub fn login_5() -> bool {
|    true
|}
|pub fn login_6() -> bool {
|    true
|}
|    true
|~
|~
|~
|~
|~
|~
|~
|~
|~
|src/login.rs [+]                                                                  10,8           All
|search hit BOTTOM, continuing at TOP
1: 0-2 fg=11, 4-5 fg=11, 7-13 bold fg=14, 17-18 fg=11, 20-23 fg=121
3: 0-2 fg=11, 4-5 fg=11, 7-13 bold fg=14, 17-18 fg=11, 20-23 fg=121
4: 4-7 fg=13
6: 0-2 fg=11, 4-5 fg=11, 7-13 bold fg=14, 17-18 fg=11, 20-23 fg=121
7: 4-7 fg=13
9: 0-2 fg=11, 4-5 fg=11, 7-13 bold fg=0 bg=11, 17-18 fg=11, 20-23 fg=121
10: 4-7 fg=13
12: 0-2 fg=11, 4-5 fg=11, 7-13 bold fg=14, 17-18 fg=11, 20-23 fg=121
13: 4-7 fg=13
15: 0-2 fg=11, 4-5 fg=11, 7-13 bold fg=14, 17-18 fg=11, 20-23 fg=121
16: 4-7 fg=13
18: 4-7 fg=13
19: 0-0 fg=12
20: 0-0 fg=12
21: 0-0 fg=12
22: 0-0 fg=12
23: 0-0 fg=12
24: 0-0 fg=12
25: 0-0 fg=12
26: 0-0 fg=12
27: 0-0 fg=12
28: 0-11 bold inverse, 12-12 inverse, 13-15 bold inverse, 16-81 inverse, 82-85 bold inverse, 86-96 inverse, 97-99 bold inverse
29: 0-5 fg=224, 7-9 fg=224, 11-17 fg=224, 19-28 fg=224, 30-31 fg=224, 33-35 fg=224
cursor: 7,9,1
== split
|  1 inserted line$                                |inserted line
|  2 pub fn login_1() -> bool {$                   |pub fn login_1() -> bool {
|  3 }$                                            |}
|  4 pub fn login_2() -> bool {$                   |pub fn login_2() -> bool {
|  5     true$                                     |    true
|  6 }$                                            |}
|  7 pub fn login_3() -> bool {$                   |pub fn login_3() -> bool {
|  8     true$                                     |    true
|  9 }$                                            |}
| 10 pub fn login_4() -> bool {$                   |pub fn login_4() -> bool {
| 11     true$                                     |    true
| 12 }$                                            |}
| 13 pub fn login_5() -> bool {$                   |pub fn login_5() -> bool {
| 14     true$                                     |    true
| 15 }$                                            |}
| 16 pub fn login_6() -> bool {$                   |pub fn login_6() -> bool {
| 17     true$                                     |    true
| 18 }$                                            |}
| 19     true$                                     |    true
|~                                                 |~
|~                                                 |~
|~                                                 |~
|~                                                 |~
|~                                                 |~
|~                                                 |~
|~                                                 |~
|~                                                 |~
|~                                                 |~
|src/login.rs [+]                10,8           All src/login.rs [+]               10,8           All
|:set number list
0: 2-2 fg=11, 17-17 fg=12, 50-50 inverse
1: 2-2 fg=11, 4-6 fg=11, 8-9 fg=11, 11-17 bold fg=14, 21-22 fg=11, 24-27 fg=121, 30-30 fg=12, 50-50 inverse, 51-53 fg=11, 55-56 fg=11, 58-64 bold fg=14, 68-69 fg=11, 71-74 fg=121
2: 2-2 fg=11, 5-5 fg=12, 50-50 inverse
3: 2-2 fg=11, 4-6 fg=11, 8-9 fg=11, 11-17 bold fg=14, 21-22 fg=11, 24-27 fg=121, 30-30 fg=12, 50-50 inverse, 51-53 fg=11, 55-56 fg=11, 58-64 bold fg=14, 68-69 fg=11, 71-74 fg=121
4: 2-2 fg=11, 8-11 fg=13, 12-12 fg=12, 50-50 inverse, 55-58 fg=13
5: 2-2 fg=11, 5-5 fg=12, 50-50 inverse
6: 2-2 fg=11, 4-6 fg=11, 8-9 fg=11, 11-17 bold fg=14, 21-22 fg=11, 24-27 fg=121, 30-30 fg=12, 50-50 inverse, 51-53 fg=11, 55-56 fg=11, 58-64 bold fg=14, 68-69 fg=11, 71-74 fg=121
7: 2-2 fg=11, 8-11 fg=13, 12-12 fg=12, 50-50 inverse, 55-58 fg=13
8: 2-2 fg=11, 5-5 fg=12, 50-50 inverse
9: 1-2 fg=11, 4-6 fg=11, 8-9 fg=11, 11-17 bold fg=0 bg=11, 21-22 fg=11, 24-27 fg=121, 30-30 fg=12, 50-50 inverse, 51-53 fg=11, 55-56 fg=11, 58-64 bold fg=0 bg=11, 68-69 fg=11, 71-74 fg=121
10: 1-2 fg=11, 8-11 fg=13, 12-12 fg=12, 50-50 inverse, 55-58 fg=13
11: 1-2 fg=11, 5-5 fg=12, 50-50 inverse
12: 1-2 fg=11, 4-6 fg=11, 8-9 fg=11, 11-17 bold fg=14, 21-22 fg=11, 24-27 fg=121, 30-30 fg=12, 50-50 inverse, 51-53 fg=11, 55-56 fg=11, 58-64 bold fg=14, 68-69 fg=11, 71-74 fg=121
13: 1-2 fg=11, 8-11 fg=13, 12-12 fg=12, 50-50 inverse, 55-58 fg=13
14: 1-2 fg=11, 5-5 fg=12, 50-50 inverse
15: 1-2 fg=11, 4-6 fg=11, 8-9 fg=11, 11-17 bold fg=14, 21-22 fg=11, 24-27 fg=121, 30-30 fg=12, 50-50 inverse, 51-53 fg=11, 55-56 fg=11, 58-64 bold fg=14, 68-69 fg=11, 71-74 fg=121
16: 1-2 fg=11, 8-11 fg=13, 12-12 fg=12, 50-50 inverse, 55-58 fg=13
17: 1-2 fg=11, 5-5 fg=12, 50-50 inverse
18: 1-2 fg=11, 8-11 fg=13, 12-12 fg=12, 50-50 inverse, 55-58 fg=13
19: 0-0 fg=12, 50-50 inverse, 51-51 fg=12
20: 0-0 fg=12, 50-50 inverse, 51-51 fg=12
21: 0-0 fg=12, 50-50 inverse, 51-51 fg=12
22: 0-0 fg=12, 50-50 inverse, 51-51 fg=12
23: 0-0 fg=12, 50-50 inverse, 51-51 fg=12
24: 0-0 fg=12, 50-50 inverse, 51-51 fg=12
25: 0-0 fg=12, 50-50 inverse, 51-51 fg=12
26: 0-0 fg=12, 50-50 inverse, 51-51 fg=12
27: 0-0 fg=12, 50-50 inverse, 51-51 fg=12
28: 0-11 bold inverse, 12-12 inverse, 13-15 bold inverse, 16-31 inverse, 32-35 bold inverse, 36-46 inverse, 47-49 bold inverse, 50-99 inverse
cursor: 11,9,1
== paged
|  1 inserted line$                                |inserted line
|  2 pub fn login_1() -> bool {$                   |pub fn login_1() -> bool {
|  3 }$                                            |}
|  4 pub fn login_2() -> bool {$                   |pub fn login_2() -> bool {
|  5     true$                                     |    true
|  6 }$                                            |}
|  7 pub fn login_3() -> bool {$                   |pub fn login_3() -> bool {
|  8     true$                                     |    true
|  9 }$                                            |}
| 10 pub fn login_4() -> bool {$                   |pub fn login_4() -> bool {
| 11     true$                                     |    true
| 12 }$                                            |}
| 13 pub fn login_5() -> bool {$                   |pub fn login_5() -> bool {
| 14     true$                                     |    true
| 15 }$                                            |}
| 16 pub fn login_6() -> bool {$                   |pub fn login_6() -> bool {
| 17     true$                                     |    true
| 18 }$                                            |}
| 19     true$                                     |    true
|~                                                 |~
|~                                                 |~
|~                                                 |~
|~                                                 |~
|~                                                 |~
|~                                                 |~
|~                                                 |~
|~                                                 |~
|~                                                 |~
|src/login.rs [+]                18,1           All src/login.rs [+]               10,8           All
|
0: 2-2 fg=11, 17-17 fg=12, 50-50 inverse
1: 2-2 fg=11, 4-6 fg=11, 8-9 fg=11, 11-17 bold fg=14, 21-22 fg=11, 24-27 fg=121, 30-30 fg=12, 50-50 inverse, 51-53 fg=11, 55-56 fg=11, 58-64 bold fg=14, 68-69 fg=11, 71-74 fg=121
2: 2-2 fg=11, 5-5 fg=12, 50-50 inverse
3: 2-2 fg=11, 4-6 fg=11, 8-9 fg=11, 11-17 bold fg=14, 21-22 fg=11, 24-27 fg=121, 30-30 fg=12, 50-50 inverse, 51-53 fg=11, 55-56 fg=11, 58-64 bold fg=14, 68-69 fg=11, 71-74 fg=121
4: 2-2 fg=11, 8-11 fg=13, 12-12 fg=12, 50-50 inverse, 55-58 fg=13
5: 2-2 fg=11, 5-5 fg=12, 50-50 inverse
6: 2-2 fg=11, 4-6 fg=11, 8-9 fg=11, 11-17 bold fg=14, 21-22 fg=11, 24-27 fg=121, 30-30 fg=12, 50-50 inverse, 51-53 fg=11, 55-56 fg=11, 58-64 bold fg=14, 68-69 fg=11, 71-74 fg=121
7: 2-2 fg=11, 8-11 fg=13, 12-12 fg=12, 50-50 inverse, 55-58 fg=13
8: 2-2 fg=11, 5-5 fg=12, 50-50 inverse
9: 1-2 fg=11, 4-6 fg=11, 8-9 fg=11, 11-17 bold fg=0 bg=11, 21-22 fg=11, 24-27 fg=121, 30-30 fg=12, 50-50 inverse, 51-53 fg=11, 55-56 fg=11, 58-64 bold fg=0 bg=11, 68-69 fg=11, 71-74 fg=121
10: 1-2 fg=11, 8-11 fg=13, 12-12 fg=12, 50-50 inverse, 55-58 fg=13
11: 1-2 fg=11, 5-5 fg=12, 50-50 inverse
12: 1-2 fg=11, 4-6 fg=11, 8-9 fg=11, 11-17 bold fg=14, 21-22 fg=11, 24-27 fg=121, 30-30 fg=12, 50-50 inverse, 51-53 fg=11, 55-56 fg=11, 58-64 bold fg=14, 68-69 fg=11, 71-74 fg=121
13: 1-2 fg=11, 8-11 fg=13, 12-12 fg=12, 50-50 inverse, 55-58 fg=13
14: 1-2 fg=11, 5-5 fg=12, 50-50 inverse
15: 1-2 fg=11, 4-6 fg=11, 8-9 fg=11, 11-17 bold fg=14, 21-22 fg=11, 24-27 fg=121, 30-30 fg=12, 50-50 inverse, 51-53 fg=11, 55-56 fg=11, 58-64 bold fg=14, 68-69 fg=11, 71-74 fg=121
16: 1-2 fg=11, 8-11 fg=13, 12-12 fg=12, 50-50 inverse, 55-58 fg=13
17: 1-2 fg=11, 5-5 fg=12, 50-50 inverse
18: 1-2 fg=11, 8-11 fg=13, 12-12 fg=12, 50-50 inverse, 55-58 fg=13
19: 0-0 fg=12, 50-50 inverse, 51-51 fg=12
20: 0-0 fg=12, 50-50 inverse, 51-51 fg=12
21: 0-0 fg=12, 50-50 inverse, 51-51 fg=12
22: 0-0 fg=12, 50-50 inverse, 51-51 fg=12
23: 0-0 fg=12, 50-50 inverse, 51-51 fg=12
24: 0-0 fg=12, 50-50 inverse, 51-51 fg=12
25: 0-0 fg=12, 50-50 inverse, 51-51 fg=12
26: 0-0 fg=12, 50-50 inverse, 51-51 fg=12
27: 0-0 fg=12, 50-50 inverse, 51-51 fg=12
28: 0-11 bold inverse, 12-12 inverse, 13-15 bold inverse, 16-31 inverse, 32-35 bold inverse, 36-46 inverse, 47-49 bold inverse, 50-99 inverse
cursor: 4,17,1
== undone
|  1 inserted line$                                |}
|  2 pub fn login_1() -> bool {$                   |pub fn login_3() -> bool {
|  3 }$                                            |    true
|  4 pub fn login_2() -> bool {$                   |}
|  5     true$                                     |pub fn login_4() -> bool {
|  6 }$                                            |    true
|  7 pub fn login_3() -> bool {$                   |}
|  8     true$                                     |pub fn login_5() -> bool {
|  9 }$                                            |    true
| 10 pub fn login_4() -> bool {$                   |}
| 11     true$                                     |pub fn login_6() -> bool {
| 12 }$                                            |    true
| 13 pub fn login_5() -> bool {$                   |}
| 14     true$                                     |    true
| 15 }$                                            |~
| 16 pub fn login_6() -> bool {$                   |~
| 17     true$                                     |~
| 18 }$                                            |~
| 19     true$                                     |~
|~                                                 |~
|~                                                 |~
|~                                                 |~
|~                                                 |~
|~                                                 |~
|~                                                 |~
|~                                                 |~
|~                                                 |~
|~                                                 |~
|src/login.rs [+]                1,1            All src/login.rs [+]               10,8           All
|5 more lines; before #4  0 seconds ago
0: 2-2 fg=11, 17-17 fg=12, 50-50 inverse
1: 2-2 fg=11, 4-6 fg=11, 8-9 fg=11, 11-17 bold fg=14, 21-22 fg=11, 24-27 fg=121, 30-30 fg=12, 50-50 inverse, 51-53 fg=11, 55-56 fg=11, 58-64 bold fg=14, 68-69 fg=11, 71-74 fg=121
2: 2-2 fg=11, 5-5 fg=12, 50-50 inverse, 55-58 fg=13
3: 2-2 fg=11, 4-6 fg=11, 8-9 fg=11, 11-17 bold fg=14, 21-22 fg=11, 24-27 fg=121, 30-30 fg=12, 50-50 inverse
4: 2-2 fg=11, 8-11 fg=13, 12-12 fg=12, 50-50 inverse, 51-53 fg=11, 55-56 fg=11, 58-64 bold fg=0 bg=11, 68-69 fg=11, 71-74 fg=121
5: 2-2 fg=11, 5-5 fg=12, 50-50 inverse, 55-58 fg=13
6: 2-2 fg=11, 4-6 fg=11, 8-9 fg=11, 11-17 bold fg=14, 21-22 fg=11, 24-27 fg=121, 30-30 fg=12, 50-50 inverse
7: 2-2 fg=11, 8-11 fg=13, 12-12 fg=12, 50-50 inverse, 51-53 fg=11, 55-56 fg=11, 58-64 bold fg=14, 68-69 fg=11, 71-74 fg=121
8: 2-2 fg=11, 5-5 fg=12, 50-50 inverse, 55-58 fg=13
9: 1-2 fg=11, 4-6 fg=11, 8-9 fg=11, 11-17 bold fg=0 bg=11, 21-22 fg=11, 24-27 fg=121, 30-30 fg=12, 50-50 inverse
10: 1-2 fg=11, 8-11 fg=13, 12-12 fg=12, 50-50 inverse, 51-53 fg=11, 55-56 fg=11, 58-64 bold fg=14, 68-69 fg=11, 71-74 fg=121
11: 1-2 fg=11, 5-5 fg=12, 50-50 inverse, 55-58 fg=13
12: 1-2 fg=11, 4-6 fg=11, 8-9 fg=11, 11-17 bold fg=14, 21-22 fg=11, 24-27 fg=121, 30-30 fg=12, 50-50 inverse
13: 1-2 fg=11, 8-11 fg=13, 12-12 fg=12, 50-50 inverse, 55-58 fg=13
14: 1-2 fg=11, 5-5 fg=12, 50-50 inverse, 51-51 fg=12
15: 1-2 fg=11, 4-6 fg=11, 8-9 fg=11, 11-17 bold fg=14, 21-22 fg=11, 24-27 fg=121, 30-30 fg=12, 50-50 inverse, 51-51 fg=12
16: 1-2 fg=11, 8-11 fg=13, 12-12 fg=12, 50-50 inverse, 51-51 fg=12
17: 1-2 fg=11, 5-5 fg=12, 50-50 inverse, 51-51 fg=12
18: 1-2 fg=11, 8-11 fg=13, 12-12 fg=12, 50-50 inverse, 51-51 fg=12
19: 0-0 fg=12, 50-50 inverse, 51-51 fg=12
20: 0-0 fg=12, 50-50 inverse, 51-51 fg=12
21: 0-0 fg=12, 50-50 inverse, 51-51 fg=12
22: 0-0 fg=12, 50-50 inverse, 51-51 fg=12
23: 0-0 fg=12, 50-50 inverse, 51-51 fg=12
24: 0-0 fg=12, 50-50 inverse, 51-51 fg=12
25: 0-0 fg=12, 50-50 inverse, 51-51 fg=12
26: 0-0 fg=12, 50-50 inverse, 51-51 fg=12
27: 0-0 fg=12, 50-50 inverse, 51-51 fg=12
28: 0-11 bold inverse, 12-12 inverse, 13-15 bold inverse, 16-31 inverse, 32-34 bold inverse, 35-46 inverse, 47-49 bold inverse, 50-99 inverse
cursor: 4,0,1
== narrow
|  1 inserted line$                                |pub fn login_2() ->
|  2 pub fn login_1() -> bool {$                   | bool {
|  3 }$                                            |    true
|  4 pub fn login_2() -> bool {$                   |}
|  5     true$                                     |pub fn login_3() ->
|  6 }$                                            | bool {
|  7 pub fn login_3() -> bool {$                   |    true
|  8     true$                                     |}
|  9 }$                                            |pub fn login_4() ->
| 10 pub fn login_4() -> bool {$                   | bool {
| 11     true$                                     |    true
| 12 }$                                            |}
| 13 pub fn login_5() -> bool {$                   |pub fn login_5() ->
| 14     true$                                     | bool {
| 15 }$                                            |    true
| 16 pub fn login_6() -> bool {$                   |}
| 17     true$                                     |pub fn login_6() ->
| 18 }$                                            | bool {
|src/login.rs [+]                1,1            Top <n.rs [+] 10,8  50%
|
0: 2-2 fg=11, 17-17 fg=12, 50-50 inverse, 51-53 fg=11, 55-56 fg=11, 58-64 bold fg=14, 68-69 fg=11
1: 2-2 fg=11, 4-6 fg=11, 8-9 fg=11, 11-17 bold fg=14, 21-22 fg=11, 24-27 fg=121, 30-30 fg=12, 50-50 inverse, 52-55 fg=121
2: 2-2 fg=11, 5-5 fg=12, 50-50 inverse, 55-58 fg=13
3: 2-2 fg=11, 4-6 fg=11, 8-9 fg=11, 11-17 bold fg=14, 21-22 fg=11, 24-27 fg=121, 30-30 fg=12, 50-50 inverse
4: 2-2 fg=11, 8-11 fg=13, 12-12 fg=12, 50-50 inverse, 51-53 fg=11, 55-56 fg=11, 58-64 bold fg=14, 68-69 fg=11
5: 2-2 fg=11, 5-5 fg=12, 50-50 inverse, 52-55 fg=121
6: 2-2 fg=11, 4-6 fg=11, 8-9 fg=11, 11-17 bold fg=14, 21-22 fg=11, 24-27 fg=121, 30-30 fg=12, 50-50 inverse, 55-58 fg=13
7: 2-2 fg=11, 8-11 fg=13, 12-12 fg=12, 50-50 inverse
8: 2-2 fg=11, 5-5 fg=12, 50-50 inverse, 51-53 fg=11, 55-56 fg=11, 58-64 bold fg=0 bg=11, 68-69 fg=11
9: 1-2 fg=11, 4-6 fg=11, 8-9 fg=11, 11-17 bold fg=0 bg=11, 21-22 fg=11, 24-27 fg=121, 30-30 fg=12, 50-50 inverse, 52-55 fg=121
10: 1-2 fg=11, 8-11 fg=13, 12-12 fg=12, 50-50 inverse, 55-58 fg=13
11: 1-2 fg=11, 5-5 fg=12, 50-50 inverse
12: 1-2 fg=11, 4-6 fg=11, 8-9 fg=11, 11-17 bold fg=14, 21-22 fg=11, 24-27 fg=121, 30-30 fg=12, 50-50 inverse, 51-53 fg=11, 55-56 fg=11, 58-64 bold fg=14, 68-69 fg=11
13: 1-2 fg=11, 8-11 fg=13, 12-12 fg=12, 50-50 inverse, 52-55 fg=121
14: 1-2 fg=11, 5-5 fg=12, 50-50 inverse, 55-58 fg=13
15: 1-2 fg=11, 4-6 fg=11, 8-9 fg=11, 11-17 bold fg=14, 21-22 fg=11, 24-27 fg=121, 30-30 fg=12, 50-50 inverse
16: 1-2 fg=11, 8-11 fg=13, 12-12 fg=12, 50-50 inverse, 51-53 fg=11, 55-56 fg=11, 58-64 bold fg=14, 68-69 fg=11
17: 1-2 fg=11, 5-5 fg=12, 50-50 inverse, 52-55 fg=121
18: 0-11 bold inverse, 12-12 inverse, 13-15 bold inverse, 16-31 inverse, 32-34 bold inverse, 35-46 inverse, 47-49 bold inverse, 50-69 inverse
cursor: 4,0,1
== wide
|  1 inserted line$                                |}
|  2 pub fn login_1() -> bool {$                   |pub fn login_2() -> bool {
|  3 }$                                            |    true
|  4 pub fn login_2() -> bool {$                   |}
|  5     true$                                     |pub fn login_3() -> bool {
|  6 }$                                            |    true
|  7 pub fn login_3() -> bool {$                   |}
|  8     true$                                     |pub fn login_4() -> bool {
|  9 }$                                            |    true
| 10 pub fn login_4() -> bool {$                   |}
| 11     true$                                     |pub fn login_5() -> bool {
| 12 }$                                            |    true
| 13 pub fn login_5() -> bool {$                   |}
| 14     true$                                     |pub fn login_6() -> bool {
| 15 }$                                            |    true
| 16 pub fn login_6() -> bool {$                   |}
| 17     true$                                     |    true
| 18 }$                                            |~
| 19     true$                                     |~
|~                                                 |~
|~                                                 |~
|~                                                 |~
|~                                                 |~
|~                                                 |~
|~                                                 |~
|~                                                 |~
|~                                                 |~
|~                                                 |~
|src/login.rs [+]                1,1            All src/login.rs [+]               10,8           Bot
|
0: 2-2 fg=11, 17-17 fg=12, 50-50 inverse
1: 2-2 fg=11, 4-6 fg=11, 8-9 fg=11, 11-17 bold fg=14, 21-22 fg=11, 24-27 fg=121, 30-30 fg=12, 50-50 inverse, 51-53 fg=11, 55-56 fg=11, 58-64 bold fg=14, 68-69 fg=11, 71-74 fg=121
2: 2-2 fg=11, 5-5 fg=12, 50-50 inverse, 55-58 fg=13
3: 2-2 fg=11, 4-6 fg=11, 8-9 fg=11, 11-17 bold fg=14, 21-22 fg=11, 24-27 fg=121, 30-30 fg=12, 50-50 inverse
4: 2-2 fg=11, 8-11 fg=13, 12-12 fg=12, 50-50 inverse, 51-53 fg=11, 55-56 fg=11, 58-64 bold fg=14, 68-69 fg=11, 71-74 fg=121
5: 2-2 fg=11, 5-5 fg=12, 50-50 inverse, 55-58 fg=13
6: 2-2 fg=11, 4-6 fg=11, 8-9 fg=11, 11-17 bold fg=14, 21-22 fg=11, 24-27 fg=121, 30-30 fg=12, 50-50 inverse
7: 2-2 fg=11, 8-11 fg=13, 12-12 fg=12, 50-50 inverse, 51-53 fg=11, 55-56 fg=11, 58-64 bold fg=0 bg=11, 68-69 fg=11, 71-74 fg=121
8: 2-2 fg=11, 5-5 fg=12, 50-50 inverse, 55-58 fg=13
9: 1-2 fg=11, 4-6 fg=11, 8-9 fg=11, 11-17 bold fg=0 bg=11, 21-22 fg=11, 24-27 fg=121, 30-30 fg=12, 50-50 inverse
10: 1-2 fg=11, 8-11 fg=13, 12-12 fg=12, 50-50 inverse, 51-53 fg=11, 55-56 fg=11, 58-64 bold fg=14, 68-69 fg=11, 71-74 fg=121
11: 1-2 fg=11, 5-5 fg=12, 50-50 inverse, 55-58 fg=13
12: 1-2 fg=11, 4-6 fg=11, 8-9 fg=11, 11-17 bold fg=14, 21-22 fg=11, 24-27 fg=121, 30-30 fg=12, 50-50 inverse
13: 1-2 fg=11, 8-11 fg=13, 12-12 fg=12, 50-50 inverse, 51-53 fg=11, 55-56 fg=11, 58-64 bold fg=14, 68-69 fg=11, 71-74 fg=121
14: 1-2 fg=11, 5-5 fg=12, 50-50 inverse, 55-58 fg=13
15: 1-2 fg=11, 4-6 fg=11, 8-9 fg=11, 11-17 bold fg=14, 21-22 fg=11, 24-27 fg=121, 30-30 fg=12, 50-50 inverse
16: 1-2 fg=11, 8-11 fg=13, 12-12 fg=12, 50-50 inverse, 55-58 fg=13
17: 1-2 fg=11, 5-5 fg=12, 50-50 inverse, 51-51 fg=12
18: 1-2 fg=11, 8-11 fg=13, 12-12 fg=12, 50-50 inverse, 51-51 fg=12
19: 0-0 fg=12, 50-50 inverse, 51-51 fg=12
20: 0-0 fg=12, 50-50 inverse, 51-51 fg=12
21: 0-0 fg=12, 50-50 inverse, 51-51 fg=12
22: 0-0 fg=12, 50-50 inverse, 51-51 fg=12
23: 0-0 fg=12, 50-50 inverse, 51-51 fg=12
24: 0-0 fg=12, 50-50 inverse, 51-51 fg=12
25: 0-0 fg=12, 50-50 inverse, 51-51 fg=12
26: 0-0 fg=12, 50-50 inverse, 51-51 fg=12
27: 0-0 fg=12, 50-50 inverse, 51-51 fg=12
28: 0-11 bold inverse, 12-12 inverse, 13-15 bold inverse, 16-31 inverse, 32-34 bold inverse, 35-46 inverse, 47-49 bold inverse, 50-99 inverse
cursor: 4,0,1
