== open
|
|    0[                                      0.0%] Tasks: 3, 0 thr, 0 kthr; 2 running
|    1[                                      0.0%] Load average: 3.18 2.51 1.51
|  Mem[||||||||||||||||||||||||        999M/23.5G] Uptime: 00:24:54
|  Swp[                                     0K/0K]
|
|  [Main] [I/O]
|    PID USER       PRI  NI  VIRT   RES   SHR S  CPU%▽MEM%   TIME+  Command
|      1 root        20   0  5108  3948  3232 R   0.0  0.0  0:00.00 htop
|      2 root        20   0  2920  1748  1644 S   0.0  0.0  0:00.00 sleep 999
|      3 root        20   0  2920  1672  1564 S   0.0  0.0  0:00.00 sleep 998
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
|F1Help  F2Setup F3SearchF4FilterF5Tree  F6SortByF7Nice -F8Nice +F9Kill  F10Quit
1: 4-4 fg=6, 5-5 bold, 44-47 bold fg=8, 48-48 bold, 50-55 fg=6, 57-57 bold fg=6, 58-58 fg=6, 60-60 bold fg=2, 62-64 fg=6, 65-65 bold fg=8, 67-67 bold fg=8, 69-72 bold fg=8, 73-73 fg=6, 75-75 bold fg=2, 77-83 fg=6
2: 4-4 fg=6, 5-5 bold, 44-47 bold fg=8, 48-48 bold, 50-53 fg=6, 55-62 fg=6, 64-67 bold, 69-72 bold fg=6, 74-77 fg=6
3: 2-4 fg=6, 5-5 bold, 6-7 fg=2, 8-8 bold fg=4, 9-9 fg=5, 10-29 fg=3, 38-47 bold fg=8, 48-48 bold, 50-56 fg=6, 58-65 bold fg=6
4: 2-4 fg=6, 5-5 bold, 43-47 bold fg=8, 48-48 bold
6: 2-2 fg=2 bg=2, 3-6 fg=0 bg=2, 7-7 fg=2 bg=2, 9-9 fg=4 bg=4, 10-12 fg=0 bg=4, 13-13 fg=4 bg=4
7: 0-3 bg=2, 4-6 fg=0 bg=2, 7-7 bg=2, 8-11 fg=0 bg=2, 12-18 bg=2, 19-21 fg=0 bg=2, 22-23 bg=2, 24-25 fg=0 bg=2, 26-27 bg=2, 28-31 fg=0 bg=2, 32-34 bg=2, 35-37 fg=0 bg=2, 38-40 bg=2, 41-43 fg=0 bg=2, 44-44 bg=2, 45-45 fg=0 bg=2, 46-46 bg=2, 47-47 bg=6, 48-52 fg=0 bg=6, 53-56 fg=0 bg=2, 57-59 bg=2, 60-64 fg=0 bg=2, 65-66 bg=2, 67-73 fg=0 bg=2
8: 0-5 bg=6, 6-6 fg=0 bg=6, 7-7 bg=6, 8-11 fg=0 bg=6, 12-19 bg=6, 20-21 fg=0 bg=6, 22-24 bg=6, 25-25 fg=0 bg=6, 26-27 bg=6, 28-31 fg=0 bg=6, 32-33 bg=6, 34-37 fg=0 bg=6, 38-39 bg=6, 40-43 fg=0 bg=6, 44-44 bg=6, 45-45 fg=0 bg=6, 46-48 bg=6, 49-51 fg=0 bg=6, 52-53 bg=6, 54-56 fg=0 bg=6, 57-58 bg=6, 59-65 fg=0 bg=6, 66-66 bg=6, 67-70 fg=0 bg=6
9: 25-25 bold fg=8, 28-28 fg=6, 34-34 fg=6, 40-40 fg=6, 45-45 bold fg=8, 49-51 bold fg=8, 54-56 bold fg=8
10: 25-25 bold fg=8, 28-28 fg=6, 34-34 fg=6, 40-40 fg=6, 45-45 bold fg=8, 49-51 bold fg=8, 54-56 bold fg=8
29: 2-5 fg=0 bg=6, 6-7 bg=6, 10-14 fg=0 bg=6, 15-15 bg=6, 18-23 fg=0 bg=6, 26-31 fg=0 bg=6, 34-37 fg=0 bg=6, 38-39 bg=6, 42-47 fg=0 bg=6, 50-53 fg=0 bg=6, 54-54 bg=6, 55-55 fg=0 bg=6, 58-61 fg=0 bg=6, 62-62 bg=6, 63-63 fg=0 bg=6, 66-69 fg=0 bg=6, 70-71 bg=6, 75-78 fg=0 bg=6
cursor: 81,29,0
== setup
|
|    0[||||||||||||||||||||||||||||||||||||100.0%] Tasks: 3, 0 thr, 0 kthr; 2 running
|    1[|||||||||||||||||||||||||||||||||||||96.8%] Load average: 3.18 2.51 1.51
|  Mem[||||||||||||||||||||||||        648M/23.5G] Uptime: 00:24:54
|  Swp[                                     0K/0K]
|
|  [Setup]
|Categories       Display options
|Display options  For current screen tab: Main
|Header layout    [ ]    Tree view
|Meters           [ ]    - Tree view is always sorted by PID (htop 2 behavior)
|Screens          [ ]    - Tree view is collapsed by default
|Colors           Global options:
|                 [x]    Show tabs for screens
|                 [ ]    Shadow other users' processes
|                 [x]    Hide kernel threads
|                 [ ]    Hide userland process threads
|                 [ ]    Hide processes running in containers
|                 [x]    Display threads in a different color
|                 [ ]    Show custom thread names
|                 [x]    Show program path
|                 [ ]    Highlight program "basename"
|                 [x]    Highlight out-dated/removed programs (red) / libraries (yellow)
|                 [ ]    Shadow distribution path prefixes
|                 [ ]    Merge exe, comm and cmdline in Command
|                 [x]    - Try to find comm in cmdline (when Command is merged)
|                 [x]    - Try to strip exe from cmdline (when Command is merged)
|                 [x]    Highlight large numbers in memory counters
|                 [x]    Leave a margin around header
|F1      F2      F3      F4      F5      F6      F7      F8      F9      F10Done
1: 4-4 fg=6, 5-5 bold, 6-39 fg=2, 40-47 fg=1, 48-48 bold, 50-55 fg=6, 57-57 bold fg=6, 58-58 fg=6, 60-60 bold fg=2, 62-64 fg=6, 65-65 bold fg=8, 67-67 bold fg=8, 69-72 bold fg=8, 73-73 fg=6, 75-75 bold fg=2, 77-83 fg=6
2: 4-4 fg=6, 5-5 bold, 6-34 fg=2, 35-47 fg=1, 48-48 bold, 50-53 fg=6, 55-62 fg=6, 64-67 bold, 69-72 bold fg=6, 74-77 fg=6
3: 2-4 fg=6, 5-5 bold, 6-7 fg=2, 8-8 bold fg=4, 9-9 fg=5, 10-29 fg=3, 38-47 bold fg=8, 48-48 bold, 50-56 fg=6, 58-65 bold fg=6
4: 2-4 fg=6, 5-5 bold, 43-47 bold fg=8, 48-48 bold
6: 2-2 fg=2 bg=2, 3-7 fg=0 bg=2, 8-8 fg=2 bg=2
7: 0-9 fg=0 bg=2, 10-15 bg=2, 17-23 fg=0 bg=2, 24-24 bg=2, 25-31 fg=0 bg=2
8: 0-6 fg=0 bg=6, 7-7 bg=6, 8-14 fg=0 bg=6, 15-15 bg=6, 17-19 fg=0 bg=7, 20-20 bg=7, 21-27 fg=0 bg=7, 28-28 bg=7, 29-34 fg=0 bg=7, 35-35 bg=7, 36-39 fg=0 bg=7, 40-40 bg=7, 41-44 fg=0 bg=7
9: 17-17 fg=6, 19-19 fg=6
10: 17-17 fg=6, 19-19 fg=6
11: 17-17 fg=6, 19-19 fg=6
12: 17-22 bold fg=6, 24-31 bold fg=6
13: 17-17 fg=6, 18-18 bold, 19-19 fg=6
14: 17-17 fg=6, 19-19 fg=6
15: 17-17 fg=6, 18-18 bold, 19-19 fg=6
16: 17-17 fg=6, 19-19 fg=6
17: 17-17 fg=6, 19-19 fg=6
18: 17-17 fg=6, 18-18 bold, 19-19 fg=6
19: 17-17 fg=6, 19-19 fg=6
20: 17-17 fg=6, 18-18 bold, 19-19 fg=6
21: 17-17 fg=6, 19-19 fg=6
22: 17-17 fg=6, 18-18 bold, 19-19 fg=6
23: 17-17 fg=6, 19-19 fg=6
24: 17-17 fg=6, 19-19 fg=6
25: 17-17 fg=6, 18-18 bold, 19-19 fg=6
26: 17-17 fg=6, 18-18 bold, 19-19 fg=6
27: 17-17 fg=6, 18-18 bold, 19-19 fg=6
28: 17-17 fg=6, 18-18 bold, 19-19 fg=6
29: 2-7 bg=6, 10-15 bg=6, 18-23 bg=6, 26-31 bg=6, 34-39 bg=6, 42-47 bg=6, 50-55 bg=6, 58-63 bg=6, 66-71 bg=6, 75-78 fg=0 bg=6
cursor: 17,28,0
== sort
|
|    0[|||||||||||||||||||||||||||||||||||||98.7%] Tasks: 3, 0 thr, 0 kthr; 2 running
|    1[|||||||||||||||||||||||||||||||||||||93.2%] Load average: 3.18 2.51 1.51
|  Mem[||||||||||||||||||||||||        641M/23.5G] Uptime: 00:24:55
|  Swp[                                     0K/0K]
|
|  [Main] [I/O]
|Sort by            PID USER       PRI  NI  VIRT   RES   SHR S  CPU%▽MEM%   TIME+  Command
|PID                  1 root        20   0  5204  4036  3296 R   0.0  0.0  0:00.00 htop
|USER                 2 root        20   0  2920  1748  1644 S   0.0  0.0  0:00.00 sleep 999
|PRIORITY             3 root        20   0  2920  1672  1564 S   0.0  0.0  0:00.00 sleep 998
|NICE
|M_VIRT
|M_RESIDENT
|M_SHARE
|STATE
|PERCENT_CPU
|PERCENT_MEM
|TIME
|Command
|
|
|
|
|
|
|
|
|
|EnterSort   EscCancel
1: 4-4 fg=6, 5-5 bold, 6-42 fg=2, 43-47 fg=1, 48-48 bold, 50-55 fg=6, 57-57 bold fg=6, 58-58 fg=6, 60-60 bold fg=2, 62-64 fg=6, 65-65 bold fg=8, 67-67 bold fg=8, 69-72 bold fg=8, 73-73 fg=6, 75-75 bold fg=2, 77-83 fg=6
2: 4-4 fg=6, 5-5 bold, 6-32 fg=2, 33-46 fg=1, 47-47 bold fg=8, 48-48 bold, 50-53 fg=6, 55-62 fg=6, 64-67 bold, 69-72 bold fg=6, 74-77 fg=6
3: 2-4 fg=6, 5-5 bold, 6-7 fg=2, 8-8 bold fg=4, 9-9 fg=5, 10-29 fg=3, 38-47 bold fg=8, 48-48 bold, 50-56 fg=6, 58-65 bold fg=6
4: 2-4 fg=6, 5-5 bold, 43-47 bold fg=8, 48-48 bold
6: 2-2 fg=2 bg=2, 3-6 fg=0 bg=2, 7-7 fg=2 bg=2, 9-9 fg=4 bg=4, 10-12 fg=0 bg=4, 13-13 fg=4 bg=4
7: 0-3 fg=0 bg=2, 4-4 bg=2, 5-6 fg=0 bg=2, 7-13 bg=2, 15-18 bg=2, 19-21 fg=0 bg=2, 22-22 bg=2, 23-26 fg=0 bg=2, 27-33 bg=2, 34-36 fg=0 bg=2, 37-38 bg=2, 39-40 fg=0 bg=2, 41-42 bg=2, 43-46 fg=0 bg=2, 47-49 bg=2, 50-52 fg=0 bg=2, 53-55 bg=2, 56-58 fg=0 bg=2, 59-59 bg=2, 60-60 fg=0 bg=2, 61-61 bg=2, 62-62 bg=6, 63-67 fg=0 bg=6, 68-71 fg=0 bg=2, 72-74 bg=2, 75-79 fg=0 bg=2, 80-81 bg=2, 82-88 fg=0 bg=2
8: 15-20 bg=7, 21-21 fg=0 bg=7, 22-22 bg=7, 23-26 fg=0 bg=7, 27-34 bg=7, 35-36 fg=0 bg=7, 37-39 bg=7, 40-40 fg=0 bg=7, 41-42 bg=7, 43-46 fg=0 bg=7, 47-48 bg=7, 49-52 fg=0 bg=7, 53-54 bg=7, 55-58 fg=0 bg=7, 59-59 bg=7, 60-60 fg=0 bg=7, 61-63 bg=7, 64-66 fg=0 bg=7, 67-68 bg=7, 69-71 fg=0 bg=7, 72-73 bg=7, 74-80 fg=0 bg=7, 81-81 bg=7, 82-85 fg=0 bg=7
9: 40-40 bold fg=8, 43-43 fg=6, 49-49 fg=6, 55-55 fg=6, 60-60 bold fg=8, 64-66 bold fg=8, 69-71 bold fg=8
10: 40-40 bold fg=8, 43-43 fg=6, 49-49 fg=6, 55-55 fg=6, 60-60 bold fg=8, 64-66 bold fg=8, 69-71 bold fg=8
16: 0-10 fg=0 bg=6
29: 5-8 fg=0 bg=6, 9-11 bg=6, 15-20 fg=0 bg=6
cursor: 15,28,0
== narrow
|
|    0[||||||||||||||||||||||96.0%] Tasks: 3, 0 thr, 0 kthr; 2 runnin
|    1[||||||||||||||||||||||97.3%] Load average: 3.18 2.51 1.51
|  Mem[|||||||||||||||| 629M/23.5G] Uptime: 00:24:55
|  Swp[                      0K/0K]
|
|  [Main] [I/O]
|    PID USER       PRI  NI  VIRT   RES   SHR S  CPU%▽MEM%   TIME+  Com
|      1 root        20   0  5204  4048  3296 R   0.0  0.0  0:00.00 hto
|      2 root        20   0  2920  1748  1644 S   0.0  0.0  0:00.00 sle
|      3 root        20   0  2920  1672  1564 S   0.0  0.0  0:00.00 sle
|
|
|
|
|
|
|
|
|F1Help  F2Setup F3SearchF4FilterF5Tree  F6SortByF7Nice -F8Nice +F9Kill
1: 4-4 fg=6, 5-5 bold, 6-29 fg=2, 30-32 fg=1, 33-33 bold, 35-40 fg=6, 42-42 bold fg=6, 43-43 fg=6, 45-45 bold fg=2, 47-49 fg=6, 50-50 bold fg=8, 52-52 bold fg=8, 54-57 bold fg=8, 58-58 fg=6, 60-60 bold fg=2, 62-67 fg=6
2: 4-4 fg=6, 5-5 bold, 6-27 fg=2, 28-32 fg=1, 33-33 bold, 35-38 fg=6, 40-47 fg=6, 49-52 bold, 54-57 bold fg=6, 59-62 fg=6
3: 2-4 fg=6, 5-5 bold, 6-6 fg=2, 7-7 bold fg=4, 8-8 fg=5, 9-21 fg=3, 23-32 bold fg=8, 33-33 bold, 35-41 fg=6, 43-50 bold fg=6
4: 2-4 fg=6, 5-5 bold, 28-32 bold fg=8, 33-33 bold
6: 2-2 fg=2 bg=2, 3-6 fg=0 bg=2, 7-7 fg=2 bg=2, 9-9 fg=4 bg=4, 10-12 fg=0 bg=4, 13-13 fg=4 bg=4
7: 0-3 bg=2, 4-6 fg=0 bg=2, 7-7 bg=2, 8-11 fg=0 bg=2, 12-18 bg=2, 19-21 fg=0 bg=2, 22-23 bg=2, 24-25 fg=0 bg=2, 26-27 bg=2, 28-31 fg=0 bg=2, 32-34 bg=2, 35-37 fg=0 bg=2, 38-40 bg=2, 41-43 fg=0 bg=2, 44-44 bg=2, 45-45 fg=0 bg=2, 46-46 bg=2, 47-47 bg=6, 48-52 fg=0 bg=6, 53-56 fg=0 bg=2, 57-59 bg=2, 60-64 fg=0 bg=2, 65-66 bg=2, 67-69 fg=0 bg=2
8: 0-5 bg=6, 6-6 fg=0 bg=6, 7-7 bg=6, 8-11 fg=0 bg=6, 12-19 bg=6, 20-21 fg=0 bg=6, 22-24 bg=6, 25-25 fg=0 bg=6, 26-27 bg=6, 28-31 fg=0 bg=6, 32-33 bg=6, 34-37 fg=0 bg=6, 38-39 bg=6, 40-43 fg=0 bg=6, 44-44 bg=6, 45-45 fg=0 bg=6, 46-48 bg=6, 49-51 fg=0 bg=6, 52-53 bg=6, 54-56 fg=0 bg=6, 57-58 bg=6, 59-65 fg=0 bg=6, 66-66 bg=6, 67-69 fg=0 bg=6
9: 25-25 bold fg=8, 28-28 fg=6, 34-34 fg=6, 40-40 fg=6, 45-45 bold fg=8, 49-51 bold fg=8, 54-56 bold fg=8
10: 25-25 bold fg=8, 28-28 fg=6, 34-34 fg=6, 40-40 fg=6, 45-45 bold fg=8, 49-51 bold fg=8, 54-56 bold fg=8
19: 2-5 fg=0 bg=6, 6-7 bg=6, 10-14 fg=0 bg=6, 15-15 bg=6, 18-23 fg=0 bg=6, 26-31 fg=0 bg=6, 34-37 fg=0 bg=6, 38-39 bg=6, 42-47 fg=0 bg=6, 50-53 fg=0 bg=6, 54-54 bg=6, 55-55 fg=0 bg=6, 58-61 fg=0 bg=6, 62-62 bg=6, 63-63 fg=0 bg=6, 66-69 fg=0 bg=6
cursor: 69,19,0
