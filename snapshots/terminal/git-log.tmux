== open
|*   commit bd0f7009e2bc95300d31dc22d2b3d685e81ef50a (HEAD -> main)
||\  Merge: 2f16c3b 2b768a6
|| | Author: Ada <ada@example.org>
|| | Date:   Tue Jan 20 10:00:00 2026 +0000
|| |
|| |     Merge the side
|| |
|| * commit 2b768a6ed53ccc876adf74cd9e3435c438be214a (side)
|| | Author: Ada <ada@example.org>
|| | Date:   Mon Jan 12 10:00:00 2026 +0000
|| |
|| |     Test the side 2 — größer, 日本語
|| |
|| |  tests/side.txt | 1 +
|| |  1 file changed, 1 insertion(+)
|| |
|| * commit 108778794e87a461d3ca7da6b06d6c094636e1b9
|| | Author: Ada <ada@example.org>
|| | Date:   Sun Jan 11 10:00:00 2026 +0000
|| |
|| |     Test the side 1 — größer, 日本語
|| |
|| |  tests/side.txt | 1 +
|:
0: 4-9 fg=3, 11-50 fg=3, 52-52 fg=3, 53-56 bold fg=6, 58-59 bold fg=6, 61-64 bold fg=2, 65-65 fg=3
1: 0-0 fg=1, 1-1 fg=2
2: 0-0 fg=1, 2-2 fg=2
3: 0-0 fg=1, 2-2 fg=2
4: 0-0 fg=1, 2-2 fg=2
5: 0-0 fg=1, 2-2 fg=2
6: 0-0 fg=1, 2-2 fg=2
7: 0-0 fg=1, 4-9 fg=3, 11-50 fg=3, 52-52 fg=3, 53-56 bold fg=2, 57-57 fg=3
8: 0-0 fg=1, 2-2 fg=2
9: 0-0 fg=1, 2-2 fg=2
10: 0-0 fg=1, 2-2 fg=2
11: 0-0 fg=1, 2-2 fg=2
12: 0-0 fg=1, 2-2 fg=2
13: 0-0 fg=1, 2-2 fg=2, 24-24 fg=2
14: 0-0 fg=1, 2-2 fg=2
15: 0-0 fg=1, 2-2 fg=2
16: 0-0 fg=1, 4-9 fg=3, 11-50 fg=3
17: 0-0 fg=1, 2-2 fg=2
18: 0-0 fg=1, 2-2 fg=2
19: 0-0 fg=1, 2-2 fg=2
20: 0-0 fg=1, 2-2 fg=2
21: 0-0 fg=1, 2-2 fg=2
22: 0-0 fg=1, 2-2 fg=2, 24-24 fg=2
cursor: 1,23,1
== down
|*   commit bd0f7009e2bc95300d31dc22d2b3d685e81ef50a (HEAD -> main)
||\  Merge: 2f16c3b 2b768a6
|| | Author: Ada <ada@example.org>
|| | Date:   Tue Jan 20 10:00:00 2026 +0000
|| |
|| |     Merge the side
|| |
|| * commit 2b768a6ed53ccc876adf74cd9e3435c438be214a (side)
|| | Author: Ada <ada@example.org>
|| | Date:   Mon Jan 12 10:00:00 2026 +0000
|| |
|| |     Test the side 2 — größer, 日本語
|| |
|| |  tests/side.txt | 1 +
|| |  1 file changed, 1 insertion(+)
|| |
|| * commit 108778794e87a461d3ca7da6b06d6c094636e1b9
|| | Author: Ada <ada@example.org>
|| | Date:   Sun Jan 11 10:00:00 2026 +0000
|| |
|| |     Test the side 1 — größer, 日本語
|| |
|| |  tests/side.txt | 1 +
|:
0: 4-9 fg=3, 11-50 fg=3, 52-52 fg=3, 53-56 bold fg=6, 58-59 bold fg=6, 61-64 bold fg=2, 65-65 fg=3
1: 0-0 fg=1, 1-1 fg=2
2: 0-0 fg=1, 2-2 fg=2
3: 0-0 fg=1, 2-2 fg=2
4: 0-0 fg=1, 2-2 fg=2
5: 0-0 fg=1, 2-2 fg=2
6: 0-0 fg=1, 2-2 fg=2
7: 0-0 fg=1, 4-9 fg=3, 11-50 fg=3, 52-52 fg=3, 53-56 bold fg=2, 57-57 fg=3
8: 0-0 fg=1, 2-2 fg=2
9: 0-0 fg=1, 2-2 fg=2
10: 0-0 fg=1, 2-2 fg=2
11: 0-0 fg=1, 2-2 fg=2
12: 0-0 fg=1, 2-2 fg=2
13: 0-0 fg=1, 2-2 fg=2, 24-24 fg=2
14: 0-0 fg=1, 2-2 fg=2
15: 0-0 fg=1, 2-2 fg=2
16: 0-0 fg=1, 4-9 fg=3, 11-50 fg=3
17: 0-0 fg=1, 2-2 fg=2
18: 0-0 fg=1, 2-2 fg=2
19: 0-0 fg=1, 2-2 fg=2
20: 0-0 fg=1, 2-2 fg=2
21: 0-0 fg=1, 2-2 fg=2
22: 0-0 fg=1, 2-2 fg=2, 24-24 fg=2
cursor: 1,23,1
