== pattern
|There are 64 color combinations
|8x8 matrix of foreground/background colors, bright *off*
|        black   red     green   yellow  blue    magenta cyan    white
|black   Hello   Hello   Hello   Hello   Hello   Hello   Hello   Hello
|red     Hello   Hello   Hello   Hello   Hello   Hello   Hello   Hello
|green   Hello   Hello   Hello   Hello   Hello   Hello   Hello   Hello
|yellow  Hello   Hello   Hello   Hello   Hello   Hello   Hello   Hello
|blue    Hello   Hello   Hello   Hello   Hello   Hello   Hello   Hello
|magenta Hello   Hello   Hello   Hello   Hello   Hello   Hello   Hello
|cyan    Hello   Hello   Hello   Hello   Hello   Hello   Hello   Hello
|white   Hello   Hello   Hello   Hello   Hello   Hello   Hello   Hello
|
|8x8 matrix of foreground/background colors, bright *on*
|        black   red     green   yellow  blue    magenta cyan    white
|black   Hello   Hello   Hello   Hello   Hello   Hello   Hello   Hello
|red     Hello   Hello   Hello   Hello   Hello   Hello   Hello   Hello
|green   Hello   Hello   Hello   Hello   Hello   Hello   Hello   Hello
|yellow  Hello   Hello   Hello   Hello   Hello   Hello   Hello   Hello
|blue    Hello   Hello   Hello   Hello   Hello   Hello   Hello   Hello
|magenta Hello   Hello   Hello   Hello   Hello   Hello   Hello   Hello
|cyan    Hello   Hello   Hello   Hello   Hello   Hello   Hello   Hello
|white   Hello   Hello   Hello   Hello   Hello   Hello   Hello   Hello
|Push <RETURN>
|
3: 8-12 fg=0 bg=0, 16-20 fg=1 bg=0, 24-28 fg=2 bg=0, 32-36 fg=3 bg=0, 40-44 fg=4 bg=0, 48-52 fg=5 bg=0, 56-60 fg=6 bg=0, 64-68 fg=7 bg=0
4: 8-12 fg=0 bg=1, 16-20 fg=1 bg=1, 24-28 fg=2 bg=1, 32-36 fg=3 bg=1, 40-44 fg=4 bg=1, 48-52 fg=5 bg=1, 56-60 fg=6 bg=1, 64-68 fg=7 bg=1
5: 8-12 fg=0 bg=2, 16-20 fg=1 bg=2, 24-28 fg=2 bg=2, 32-36 fg=3 bg=2, 40-44 fg=4 bg=2, 48-52 fg=5 bg=2, 56-60 fg=6 bg=2, 64-68 fg=7 bg=2
6: 8-12 fg=0 bg=3, 16-20 fg=1 bg=3, 24-28 fg=2 bg=3, 32-36 fg=3 bg=3, 40-44 fg=4 bg=3, 48-52 fg=5 bg=3, 56-60 fg=6 bg=3, 64-68 fg=7 bg=3
7: 8-12 fg=0 bg=4, 16-20 fg=1 bg=4, 24-28 fg=2 bg=4, 32-36 fg=3 bg=4, 40-44 fg=4 bg=4, 48-52 fg=5 bg=4, 56-60 fg=6 bg=4, 64-68 fg=7 bg=4
8: 8-12 fg=0 bg=5, 16-20 fg=1 bg=5, 24-28 fg=2 bg=5, 32-36 fg=3 bg=5, 40-44 fg=4 bg=5, 48-52 fg=5 bg=5, 56-60 fg=6 bg=5, 64-68 fg=7 bg=5
9: 8-12 fg=0 bg=6, 16-20 fg=1 bg=6, 24-28 fg=2 bg=6, 32-36 fg=3 bg=6, 40-44 fg=4 bg=6, 48-52 fg=5 bg=6, 56-60 fg=6 bg=6, 64-68 fg=7 bg=6
10: 8-12 fg=0 bg=7, 16-20 fg=1 bg=7, 24-28 fg=2 bg=7, 32-36 fg=3 bg=7, 40-44 fg=4 bg=7, 48-52 fg=5 bg=7, 56-60 fg=6 bg=7, 64-68 fg=7 bg=7
12: 52-53 bold
14: 8-12 bold fg=0 bg=0, 16-20 bold fg=1 bg=0, 24-28 bold fg=2 bg=0, 32-36 bold fg=3 bg=0, 40-44 bold fg=4 bg=0, 48-52 bold fg=5 bg=0, 56-60 bold fg=6 bg=0, 64-68 bold fg=7 bg=0
15: 8-12 bold fg=0 bg=1, 16-20 bold fg=1 bg=1, 24-28 bold fg=2 bg=1, 32-36 bold fg=3 bg=1, 40-44 bold fg=4 bg=1, 48-52 bold fg=5 bg=1, 56-60 bold fg=6 bg=1, 64-68 bold fg=7 bg=1
16: 8-12 bold fg=0 bg=2, 16-20 bold fg=1 bg=2, 24-28 bold fg=2 bg=2, 32-36 bold fg=3 bg=2, 40-44 bold fg=4 bg=2, 48-52 bold fg=5 bg=2, 56-60 bold fg=6 bg=2, 64-68 bold fg=7 bg=2
17: 8-12 bold fg=0 bg=3, 16-20 bold fg=1 bg=3, 24-28 bold fg=2 bg=3, 32-36 bold fg=3 bg=3, 40-44 bold fg=4 bg=3, 48-52 bold fg=5 bg=3, 56-60 bold fg=6 bg=3, 64-68 bold fg=7 bg=3
18: 8-12 bold fg=0 bg=4, 16-20 bold fg=1 bg=4, 24-28 bold fg=2 bg=4, 32-36 bold fg=3 bg=4, 40-44 bold fg=4 bg=4, 48-52 bold fg=5 bg=4, 56-60 bold fg=6 bg=4, 64-68 bold fg=7 bg=4
19: 8-12 bold fg=0 bg=5, 16-20 bold fg=1 bg=5, 24-28 bold fg=2 bg=5, 32-36 bold fg=3 bg=5, 40-44 bold fg=4 bg=5, 48-52 bold fg=5 bg=5, 56-60 bold fg=6 bg=5, 64-68 bold fg=7 bg=5
20: 8-12 bold fg=0 bg=6, 16-20 bold fg=1 bg=6, 24-28 bold fg=2 bg=6, 32-36 bold fg=3 bg=6, 40-44 bold fg=4 bg=6, 48-52 bold fg=5 bg=6, 56-60 bold fg=6 bg=6, 64-68 bold fg=7 bg=6
21: 8-12 bold fg=0 bg=7, 16-20 bold fg=1 bg=7, 24-28 bold fg=2 bg=7, 32-36 bold fg=3 bg=7, 40-44 bold fg=4 bg=7, 48-52 bold fg=5 bg=7, 56-60 bold fg=6 bg=7, 64-68 bold fg=7 bg=7
cursor: 13,22,1
== reset
|Test SGR-0 color reset
|
|ECMA-48 states that SGR 0 "cancels the effect of any preceding occurrence
|of SGR in the data stream regardless of the setting of the graphic rendition
|combination mode (GRCM)".
|
|
|You should see only black:SGR 30 and SGR 40 don't work:up to here
|You should see only white:SGR 37 and SGR 47 don't work:up to here
|You should see text here: SGR 0 reset works (explicit 0)
|................and here: SGR 0 reset works (default param)
|Push <RETURN>
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
7: 26-28 fg=0 bg=0, 29-29 bg=0, 30-31 fg=0 bg=0, 32-32 bg=0, 33-35 fg=0 bg=0, 36-36 bg=0, 37-39 fg=0 bg=0, 40-40 bg=0, 41-42 fg=0 bg=0, 43-43 bg=0, 44-48 fg=0 bg=0, 49-49 bg=0, 50-53 fg=0 bg=0
8: 26-28 fg=7 bg=7, 29-29 bg=7, 30-31 fg=7 bg=7, 32-32 bg=7, 33-35 fg=7 bg=7, 36-36 bg=7, 37-39 fg=7 bg=7, 40-40 bg=7, 41-42 fg=7 bg=7, 43-43 bg=7, 44-48 fg=7 bg=7, 49-49 bg=7, 50-53 fg=7 bg=7
cursor: 13,11,1
== SGR 22 to 27
|                   Extended/Graphic rendition test pattern:
|
|
|vanilla                                bold
|
|     underline                              bold underline
|
|blink                                  bold blink
|
|     underline blink                        bold underline blink
|
|negative                               bold negative
|
|     underline negative                     bold underline negative
|
|blink negative                         bold blink negative
|
|     underline blink negative               bold underline blink negative
|
|     original foreground                    original background
|
|concealed                              concealed negative <- concealed text
|Dark background. Push <RETURN>
|
0: 0-18 bg=4, 19-34 fg=3 bg=4, 35-35 bg=4, 36-44 fg=3 bg=4, 45-45 bg=4, 46-49 fg=3 bg=4, 50-50 bg=4, 51-58 fg=3 bg=4
3: 0-6 fg=3 bg=4, 7-38 bg=4, 39-42 bold fg=3 bg=4
5: 0-4 bg=4, 5-13 underline fg=3 bg=4, 14-43 bg=4, 44-47 bold underline fg=3 bg=4, 48-48 underline fg=3 bg=4, 49-57 bold underline fg=3 bg=4
7: 0-4 fg=3 bg=4, 5-38 bg=4, 39-42 bold fg=3 bg=4, 43-43 bg=4, 44-48 bold fg=3 bg=4
9: 0-4 bg=4, 5-19 underline fg=3 bg=4, 20-43 bg=4, 44-47 bold underline fg=3 bg=4, 48-48 underline fg=3 bg=4, 49-57 bold underline fg=3 bg=4, 58-58 underline fg=3 bg=4, 59-63 bold underline fg=3 bg=4
11: 0-7 inverse fg=3 bg=4, 8-38 bg=4, 39-42 bold inverse fg=3 bg=4, 43-43 inverse fg=3 bg=4, 44-51 bold inverse fg=3 bg=4
13: 0-4 bg=4, 5-22 underline inverse fg=3 bg=4, 23-43 bg=4, 44-47 bold underline inverse fg=3 bg=4, 48-48 underline inverse fg=3 bg=4, 49-57 bold underline inverse fg=3 bg=4, 58-58 underline inverse fg=3 bg=4, 59-66 bold underline inverse fg=3 bg=4
15: 0-13 inverse fg=3 bg=4, 14-38 bg=4, 39-42 bold inverse fg=3 bg=4, 43-43 inverse fg=3 bg=4, 44-48 bold inverse fg=3 bg=4, 49-49 inverse fg=3 bg=4, 50-57 bold inverse fg=3 bg=4
17: 0-4 bg=4, 5-28 underline inverse fg=3 bg=4, 29-43 bg=4, 44-47 bold underline inverse fg=3 bg=4, 48-48 underline inverse fg=3 bg=4, 49-57 bold underline inverse fg=3 bg=4, 58-58 underline inverse fg=3 bg=4, 59-63 bold underline inverse fg=3 bg=4, 64-64 underline inverse fg=3 bg=4, 65-72 bold underline inverse fg=3 bg=4
19: 0-43 bg=4, 44-51 fg=3, 53-62 fg=3
21: 0-8 hidden fg=3 bg=4, 9-38 bg=4, 39-47 inverse hidden fg=3 bg=4, 48-48 inverse fg=3 bg=4, 49-56 inverse hidden fg=3 bg=4, 57-57 bg=4, 58-59 fg=3 bg=4, 60-60 bg=4, 61-69 fg=3 bg=4, 70-70 bg=4, 71-74 fg=3 bg=4
22: 0-3 fg=3 bg=4, 4-4 bg=4, 5-15 fg=3 bg=4, 16-16 bg=4, 17-20 fg=3 bg=4, 21-21 bg=4, 22-29 fg=3 bg=4
cursor: 30,22,1
