== open
|line 1 of a long text, which the pager shows page by page
|line 2 of a long text, which the pager shows page by page
|line 3 of a long text, which the pager shows page by page
|line 4 of a long text, which the pager shows page by page
|line 5 of a long text, which the pager shows page by page
|line 6 of a long text, which the pager shows page by page
|line 7 of a long text, which the pager shows page by page
|line 8 of a long text, which the pager shows page by page
|line 9 of a long text, which the pager shows page by page
|line 10 of a long text, which the pager shows page by page
|line 11 of a long text, which the pager shows page by page
|line 12 of a long text, which the pager shows page by page
|line 13 of a long text, which the pager shows page by page
|line 14 of a long text, which the pager shows page by page
|line 15 of a long text, which the pager shows page by page
|line 16 of a long text, which the pager shows page by page
|line 17 of a long text, which the pager shows page by page
|line 18 of a long text, which the pager shows page by page
|line 19 of a long text, which the pager shows page by page
|line 20 of a long text, which the pager shows page by page
|line 21 of a long text, which the pager shows page by page
|line 22 of a long text, which the pager shows page by page
|line 23 of a long text, which the pager shows page by page
|/tmp/home/long.txt
23: 0-17 inverse
cursor: 18,23,1
== page
|line 24 of a long text, which the pager shows page by page
|line 25 of a long text, which the pager shows page by page
|line 26 of a long text, which the pager shows page by page
|line 27 of a long text, which the pager shows page by page
|line 28 of a long text, which the pager shows page by page
|line 29 of a long text, which the pager shows page by page
|line 30 of a long text, which the pager shows page by page
|line 31 of a long text, which the pager shows page by page
|line 32 of a long text, which the pager shows page by page
|line 33 of a long text, which the pager shows page by page
|line 34 of a long text, which the pager shows page by page
|line 35 of a long text, which the pager shows page by page
|line 36 of a long text, which the pager shows page by page
|line 37 of a long text, which the pager shows page by page
|line 38 of a long text, which the pager shows page by page
|line 39 of a long text, which the pager shows page by page
|line 40 of a long text, which the pager shows page by page
|line 41 of a long text, which the pager shows page by page
|line 42 of a long text, which the pager shows page by page
|line 43 of a long text, which the pager shows page by page
|line 44 of a long text, which the pager shows page by page
|line 45 of a long text, which the pager shows page by page
|line 46 of a long text, which the pager shows page by page
|:
cursor: 1,23,1
== lines
|line 28 of a long text, which the pager shows page by page
|line 29 of a long text, which the pager shows page by page
|line 30 of a long text, which the pager shows page by page
|line 31 of a long text, which the pager shows page by page
|line 32 of a long text, which the pager shows page by page
|line 33 of a long text, which the pager shows page by page
|line 34 of a long text, which the pager shows page by page
|line 35 of a long text, which the pager shows page by page
|line 36 of a long text, which the pager shows page by page
|line 37 of a long text, which the pager shows page by page
|line 38 of a long text, which the pager shows page by page
|line 39 of a long text, which the pager shows page by page
|line 40 of a long text, which the pager shows page by page
|line 41 of a long text, which the pager shows page by page
|line 42 of a long text, which the pager shows page by page
|line 43 of a long text, which the pager shows page by page
|line 44 of a long text, which the pager shows page by page
|line 45 of a long text, which the pager shows page by page
|line 46 of a long text, which the pager shows page by page
|line 47 of a long text, which the pager shows page by page
|line 48 of a long text, which the pager shows page by page
|line 49 of a long text, which the pager shows page by page
|line 50 of a long text, which the pager shows page by page
|:
cursor: 1,23,1
== back
|line 26 of a long text, which the pager shows page by page
|line 27 of a long text, which the pager shows page by page
|line 28 of a long text, which the pager shows page by page
|line 29 of a long text, which the pager shows page by page
|line 30 of a long text, which the pager shows page by page
|line 31 of a long text, which the pager shows page by page
|line 32 of a long text, which the pager shows page by page
|line 33 of a long text, which the pager shows page by page
|line 34 of a long text, which the pager shows page by page
|line 35 of a long text, which the pager shows page by page
|line 36 of a long text, which the pager shows page by page
|line 37 of a long text, which the pager shows page by page
|line 38 of a long text, which the pager shows page by page
|line 39 of a long text, which the pager shows page by page
|line 40 of a long text, which the pager shows page by page
|line 41 of a long text, which the pager shows page by page
|line 42 of a long text, which the pager shows page by page
|line 43 of a long text, which the pager shows page by page
|line 44 of a long text, which the pager shows page by page
|line 45 of a long text, which the pager shows page by page
|line 46 of a long text, which the pager shows page by page
|line 47 of a long text, which the pager shows page by page
|line 48 of a long text, which the pager shows page by page
|:
cursor: 1,23,1
== end
|line 278 of a long text, which the pager shows page by page
|line 279 of a long text, which the pager shows page by page
|line 280 of a long text, which the pager shows page by page
|line 281 of a long text, which the pager shows page by page
|line 282 of a long text, which the pager shows page by page
|line 283 of a long text, which the pager shows page by page
|line 284 of a long text, which the pager shows page by page
|line 285 of a long text, which the pager shows page by page
|line 286 of a long text, which the pager shows page by page
|line 287 of a long text, which the pager shows page by page
|line 288 of a long text, which the pager shows page by page
|line 289 of a long text, which the pager shows page by page
|line 290 of a long text, which the pager shows page by page
|line 291 of a long text, which the pager shows page by page
|line 292 of a long text, which the pager shows page by page
|line 293 of a long text, which the pager shows page by page
|line 294 of a long text, which the pager shows page by page
|line 295 of a long text, which the pager shows page by page
|line 296 of a long text, which the pager shows page by page
|line 297 of a long text, which the pager shows page by page
|line 298 of a long text, which the pager shows page by page
|line 299 of a long text, which the pager shows page by page
|line 300 of a long text, which the pager shows page by page
|(END)
23: 0-4 inverse
cursor: 5,23,1
== found
|line 150 of a long text, which the pager shows page by page
|line 151 of a long text, which the pager shows page by page
|line 152 of a long text, which the pager shows page by page
|line 153 of a long text, which the pager shows page by page
|line 154 of a long text, which the pager shows page by page
|line 155 of a long text, which the pager shows page by page
|line 156 of a long text, which the pager shows page by page
|line 157 of a long text, which the pager shows page by page
|line 158 of a long text, which the pager shows page by page
|line 159 of a long text, which the pager shows page by page
|line 160 of a long text, which the pager shows page by page
|line 161 of a long text, which the pager shows page by page
|line 162 of a long text, which the pager shows page by page
|line 163 of a long text, which the pager shows page by page
|line 164 of a long text, which the pager shows page by page
|line 165 of a long text, which the pager shows page by page
|line 166 of a long text, which the pager shows page by page
|line 167 of a long text, which the pager shows page by page
|line 168 of a long text, which the pager shows page by page
|line 169 of a long text, which the pager shows page by page
|line 170 of a long text, which the pager shows page by page
|line 171 of a long text, which the pager shows page by page
|line 172 of a long text, which the pager shows page by page
|:
0: 5-7 inverse
cursor: 1,23,1
== top
|line 1 of a long text, which the pager shows page by page
|line 2 of a long text, which the pager shows page by page
|line 3 of a long text, which the pager shows page by page
|line 4 of a long text, which the pager shows page by page
|line 5 of a long text, which the pager shows page by page
|line 6 of a long text, which the pager shows page by page
|line 7 of a long text, which the pager shows page by page
|line 8 of a long text, which the pager shows page by page
|line 9 of a long text, which the pager shows page by page
|line 10 of a long text, which the pager shows page by page
|line 11 of a long text, which the pager shows page by page
|line 12 of a long text, which the pager shows page by page
|line 13 of a long text, which the pager shows page by page
|line 14 of a long text, which the pager shows page by page
|line 15 of a long text, which the pager shows page by page
|line 16 of a long text, which the pager shows page by page
|line 17 of a long text, which the pager shows page by page
|line 18 of a long text, which the pager shows page by page
|line 19 of a long text, which the pager shows page by page
|line 20 of a long text, which the pager shows page by page
|line 21 of a long text, which the pager shows page by page
|line 22 of a long text, which the pager shows page by page
|line 23 of a long text, which the pager shows page by page
|:
cursor: 1,23,1
== narrow
|line 1 of a long text, which the pager shows page by page
|line 2 of a long text, which the pager shows page by page
|line 3 of a long text, which the pager shows page by page
|line 4 of a long text, which the pager shows page by page
|line 5 of a long text, which the pager shows page by page
|line 6 of a long text, which the pager shows page by page
|line 7 of a long text, which the pager shows page by page
|line 8 of a long text, which the pager shows page by page
|line 9 of a long text, which the pager shows page by page
|line 10 of a long text, which the pager shows page by page
|line 11 of a long text, which the pager shows page by page
|line 12 of a long text, which the pager shows page by page
|line 13 of a long text, which the pager shows page by page
|line 14 of a long text, which the pager shows page by page
|line 15 of a long text, which the pager shows page by page
|line 16 of a long text, which the pager shows page by page
|line 17 of a long text, which the pager shows page by page
|line 18 of a long text, which the pager shows page by page
|line 19 of a long text, which the pager shows page by page
|:
cursor: 1,19,1
