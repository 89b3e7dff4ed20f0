== page 1
|********************************************************************************
|********************************************************************************
|********************************************************************************
|
|This should be three identical lines of *'s completely filling
|the top of the screen without any empty lines between.
|(Test of WRAP AROUND mode setting.)
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
|
|
|
|
cursor: 13,7,1
== page 2
|      *     *     *     *     *     *     *     *     *     *     *     *     *
|      *     *     *     *     *     *     *     *     *     *     *     *     *
|
|Test of TAB setting/resetting. These two lines
|should look the same. Push <RETURN>
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
cursor: 35,4,1
== page 3
|12345678901234567890123456789012345678901234567890123456789012345678901234567890
|123456789012345678901234567890123456789012345678901
|  This is 132 column mode, light background.
|   This is 132 column mode, light background.
|    This is 132 column mode, light background.
|     This is 132 column mode, light background.
|      This is 132 column mode, light background.
|       This is 132 column mode, light background.
|        This is 132 column mode, light background.
|         This is 132 column mode, light background.
|          This is 132 column mode, light background.
|           This is 132 column mode, light background.
|            This is 132 column mode, light background.
|             This is 132 column mode, light background.
|              This is 132 column mode, light background.
|               This is 132 column mode, light background.
|                This is 132 column mode, light background.
|                 This is 132 column mode, light background.
|                  This is 132 column mode, light background.
|                   This is 132 column mode, light background.Push <RETURN>
|
|
|
|
cursor: 74,19,1
== page 4
|1234567890123456789012345678901234567890123456789012345678901234567890123456789
|
|  This is 80 column mode, light background.
|   This is 80 column mode, light background.
|    This is 80 column mode, light background.
|     This is 80 column mode, light background.
|      This is 80 column mode, light background.
|       This is 80 column mode, light background.
|        This is 80 column mode, light background.
|         This is 80 column mode, light background.
|          This is 80 column mode, light background.
|           This is 80 column mode, light background.
|            This is 80 column mode, light background.
|             This is 80 column mode, light background.
|              This is 80 column mode, light background.
|               This is 80 column mode, light background.
|                This is 80 column mode, light background.
|                 This is 80 column mode, light background.
|                  This is 80 column mode, light background.
|                   This is 80 column mode, light background.Push <RETURN>
|
|
|
|
cursor: 73,19,1
== page 5
|12345678901234567890123456789012345678901234567890123456789012345678901234567890
|123456789012345678901234567890123456789012345678901
|  This is 132 column mode, dark background.
|   This is 132 column mode, dark background.
|    This is 132 column mode, dark background.
|     This is 132 column mode, dark background.
|      This is 132 column mode, dark background.
|       This is 132 column mode, dark background.
|        This is 132 column mode, dark background.
|         This is 132 column mode, dark background.
|          This is 132 column mode, dark background.
|           This is 132 column mode, dark background.
|            This is 132 column mode, dark background.
|             This is 132 column mode, dark background.
|              This is 132 column mode, dark background.
|               This is 132 column mode, dark background.
|                This is 132 column mode, dark background.
|                 This is 132 column mode, dark background.
|                  This is 132 column mode, dark background.
|                   This is 132 column mode, dark background.Push <RETURN>
|
|
|
|
cursor: 73,19,1
== page 6
|1234567890123456789012345678901234567890123456789012345678901234567890123456789
|
|  This is 80 column mode, dark background.
|   This is 80 column mode, dark background.
|    This is 80 column mode, dark background.
|     This is 80 column mode, dark background.
|      This is 80 column mode, dark background.
|       This is 80 column mode, dark background.
|        This is 80 column mode, dark background.
|         This is 80 column mode, dark background.
|          This is 80 column mode, dark background.
|           This is 80 column mode, dark background.
|            This is 80 column mode, dark background.
|             This is 80 column mode, dark background.
|              This is 80 column mode, dark background.
|               This is 80 column mode, dark background.
|                This is 80 column mode, dark background.
|                 This is 80 column mode, dark background.
|                  This is 80 column mode, dark background.
|                   This is 80 column mode, dark background.Push <RETURN>
|
|
|
|
cursor: 72,19,1
== page 7
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
|Push <RETURN>
|Soft scroll down region [12..13] size 2 Line 29
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
cursor: 13,11,1
== page 8
|Push <RETURN>
|Soft scroll down region [1..24] size 24 Line 29
|Soft scroll down region [1..24] size 24 Line 28
|Soft scroll down region [1..24] size 24 Line 27
|Soft scroll down region [1..24] size 24 Line 26
|Soft scroll down region [1..24] size 24 Line 25
|Soft scroll down region [1..24] size 24 Line 24
|Soft scroll down region [1..24] size 24 Line 23
|Soft scroll down region [1..24] size 24 Line 22
|Soft scroll down region [1..24] size 24 Line 21
|Soft scroll down region [1..24] size 24 Line 20
|Soft scroll down region [1..24] size 24 Line 19
|Soft scroll down region [1..24] size 24 Line 18
|Soft scroll down region [1..24] size 24 Line 17
|Soft scroll down region [1..24] size 24 Line 16
|Soft scroll down region [1..24] size 24 Line 15
|Soft scroll down region [1..24] size 24 Line 14
|Soft scroll down region [1..24] size 24 Line 13
|Soft scroll down region [1..24] size 24 Line 12
|Soft scroll down region [1..24] size 24 Line 11
|Soft scroll down region [1..24] size 24 Line 10
|Soft scroll down region [1..24] size 24 Line 9
|Soft scroll down region [1..24] size 24 Line 8
|Soft scroll down region [1..24] size 24 Line 7
cursor: 13,0,1
== page 9
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
|Push <RETURN>
|Jump scroll down region [12..13] size 2 Line 29
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
cursor: 13,11,1
== page 10
|Push <RETURN>
|Jump scroll down region [1..24] size 24 Line 29
|Jump scroll down region [1..24] size 24 Line 28
|Jump scroll down region [1..24] size 24 Line 27
|Jump scroll down region [1..24] size 24 Line 26
|Jump scroll down region [1..24] size 24 Line 25
|Jump scroll down region [1..24] size 24 Line 24
|Jump scroll down region [1..24] size 24 Line 23
|Jump scroll down region [1..24] size 24 Line 22
|Jump scroll down region [1..24] size 24 Line 21
|Jump scroll down region [1..24] size 24 Line 20
|Jump scroll down region [1..24] size 24 Line 19
|Jump scroll down region [1..24] size 24 Line 18
|Jump scroll down region [1..24] size 24 Line 17
|Jump scroll down region [1..24] size 24 Line 16
|Jump scroll down region [1..24] size 24 Line 15
|Jump scroll down region [1..24] size 24 Line 14
|Jump scroll down region [1..24] size 24 Line 13
|Jump scroll down region [1..24] size 24 Line 12
|Jump scroll down region [1..24] size 24 Line 11
|Jump scroll down region [1..24] size 24 Line 10
|Jump scroll down region [1..24] size 24 Line 9
|Jump scroll down region [1..24] size 24 Line 8
|Jump scroll down region [1..24] size 24 Line 7
cursor: 13,0,1
== page 11
|
|Origin mode test. This line should be at the bottom of the screen.
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
|This line should be the one above the bottom of the screen. Push <RETURN>
|
cursor: 73,22,1
== page 12
|This line should be at the top of the screen. Push <RETURN>
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
|Origin mode test. This line should be at the bottom of the screen.
cursor: 59,0,1
== page 13
|                   Graphic rendition test pattern:
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
|
|
|
|Dark background. Push <RETURN>
|
3: 39-42 bold
5: 5-13 underline, 44-47 bold underline, 48-48 underline, 49-57 bold underline
7: 39-42 bold, 44-48 bold
9: 5-19 underline, 44-47 bold underline, 48-48 underline, 49-57 bold underline, 58-58 underline, 59-63 bold underline
11: 0-7 inverse, 39-42 bold inverse, 43-43 inverse, 44-51 bold inverse
13: 5-22 underline inverse, 44-47 bold underline inverse, 48-48 underline inverse, 49-57 bold underline inverse, 58-58 underline inverse, 59-66 bold underline inverse
15: 0-13 inverse, 39-42 bold inverse, 43-43 inverse, 44-48 bold inverse, 49-49 inverse, 50-57 bold inverse
17: 5-28 underline inverse, 44-47 bold underline inverse, 48-48 underline inverse, 49-57 bold underline inverse, 58-58 underline inverse, 59-63 bold underline inverse, 64-64 underline inverse, 65-72 bold underline inverse
cursor: 30,22,1
== page 14
|                   Graphic rendition test pattern:
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
|
|
|
|Light background. Push <RETURN>
|
3: 39-42 bold
5: 5-13 underline, 44-47 bold underline, 48-48 underline, 49-57 bold underline
7: 39-42 bold, 44-48 bold
9: 5-19 underline, 44-47 bold underline, 48-48 underline, 49-57 bold underline, 58-58 underline, 59-63 bold underline
11: 0-7 inverse, 39-42 bold inverse, 43-43 inverse, 44-51 bold inverse
13: 5-22 underline inverse, 44-47 bold underline inverse, 48-48 underline inverse, 49-57 bold underline inverse, 58-58 underline inverse, 59-66 bold underline inverse
15: 0-13 inverse, 39-42 bold inverse, 43-43 inverse, 44-48 bold inverse, 49-49 inverse, 50-57 bold inverse
17: 5-28 underline inverse, 44-47 bold underline inverse, 48-48 underline inverse, 49-57 bold underline inverse, 58-58 underline inverse, 59-63 bold underline inverse, 64-64 underline inverse, 65-72 bold underline inverse
cursor: 31,22,1
== page 15
|AAAAA
|AAAAA
|AAAAA
|AAAAA
|
|
|
|           normal      bold        underscored blinking    reversed
|
|stars:     **********  **********  **********  **********  **********
|
|line:      ──────────  ──────────  ──────────  ──────────  ──────────
|
|x'es:      xxxxxxxxxx  xxxxxxxxxx  xxxxxxxxxx  xxxxxxxxxx  xxxxxxxxxx
|
|diamonds:  ◆◆◆◆◆◆◆◆◆◆  ◆◆◆◆◆◆◆◆◆◆  ◆◆◆◆◆◆◆◆◆◆  ◆◆◆◆◆◆◆◆◆◆  ◆◆◆◆◆◆◆◆◆◆
|
|
|
|
|Test of the SAVE/RESTORE CURSOR feature. There should
|be ten characters of each flavour, and a rectangle
|of 5 x 4 A's filling the top left of the screen.
|Push <RETURN>
9: 23-32 bold, 35-44 underline, 59-68 inverse
11: 23-32 bold, 35-44 underline, 59-68 inverse
13: 23-32 bold, 35-44 underline, 59-68 inverse
15: 23-32 bold, 35-44 underline, 59-68 inverse
cursor: 13,23,1
