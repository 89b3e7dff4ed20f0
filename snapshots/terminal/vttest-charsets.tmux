== VT100 sets
|         Selected as G0 (with SI)              Selected as G1 (with SO)
|
|Character set B (US ASCII)
|          !"#$%&'()*+,-./0123456789:;<=>?       !"#$%&'()*+,-./0123456789:;<=>?
|         @ABCDEFGHIJKLMNOPQRSTUVWXYZ[\]^_      @ABCDEFGHIJKLMNOPQRSTUVWXYZ[\]^_
|         `abcdefghijklmnopqrstuvwxyz{|}~       `abcdefghijklmnopqrstuvwxyz{|}~
|Character set A (British)
|          !"#$%&'()*+,-./0123456789:;<=>?       !"#$%&'()*+,-./0123456789:;<=>?
|         @ABCDEFGHIJKLMNOPQRSTUVWXYZ[\]^_      @ABCDEFGHIJKLMNOPQRSTUVWXYZ[\]^_
|         `abcdefghijklmnopqrstuvwxyz{|}~       `abcdefghijklmnopqrstuvwxyz{|}~
|Character set 0 (DEC Special graphics and line drawing)
|          !"#$%&'()*+,-./0123456789:;<=>?       !"#$%&'()*+,-./0123456789:;<=>?
|         @ABCDEFGHIJKLMNOPQRSTUVWXYZ[\]^       @ABCDEFGHIJKLMNOPQRSTUVWXYZ[\]^
|         ◆▒␉␌␍␊°±␤␋┘┐┌└┼⎺⎻─⎼⎽├┤┴┬│≤≥π≠£·       ◆▒␉␌␍␊°±␤␋┘┐┌└┼⎺⎻─⎼⎽├┤┴┬│≤≥π≠£·
|Character set 1 (DEC Alternate character ROM standard characters)
|          !"#$%&'()*+,-./0123456789:;<=>?       !"#$%&'()*+,-./0123456789:;<=>?
|         @ABCDEFGHIJKLMNOPQRSTUVWXYZ[\]^_      @ABCDEFGHIJKLMNOPQRSTUVWXYZ[\]^_
|         `abcdefghijklmnopqrstuvwxyz{|}~       `abcdefghijklmnopqrstuvwxyz{|}~
|Character set 2 (DEC Alternate character ROM special graphics)
|          !"#$%&'()*+,-./0123456789:;<=>?       !"#$%&'()*+,-./0123456789:;<=>?
|         @ABCDEFGHIJKLMNOPQRSTUVWXYZ[\]^_      @ABCDEFGHIJKLMNOPQRSTUVWXYZ[\]^_
|         `abcdefghijklmnopqrstuvwxyz{|}~       `abcdefghijklmnopqrstuvwxyz{|}~
|
|These are the installed character sets. Push <RETURN>
2: 0-8 bold, 10-12 bold, 14-14 bold, 16-18 bold, 20-25 bold
6: 0-8 bold, 10-12 bold, 14-14 bold, 16-24 bold
10: 0-8 bold, 10-12 bold, 14-14 bold, 16-19 bold, 21-27 bold, 29-36 bold, 38-40 bold, 42-45 bold, 47-54 bold
14: 0-8 bold, 10-12 bold, 14-14 bold, 16-19 bold, 21-29 bold, 31-39 bold, 41-43 bold, 45-52 bold, 54-64 bold
18: 0-8 bold, 10-12 bold, 14-14 bold, 16-19 bold, 21-29 bold, 31-39 bold, 41-43 bold, 45-51 bold, 53-61 bold
cursor: 53,23,1
== SI and SO
|         These are the G0 and G1 character sets.
|
|Character set B (US ASCII)                     Selected as G0 (with SI)
|          !"#$%&'()*+,-./0123456789:;<=>?
|         @ABCDEFGHIJKLMNOPQRSTUVWXYZ[\]^_
|         `abcdefghijklmnopqrstuvwxyz{|}~
|Character set A (ISO Latin-1)                  Selected as G1 (with SO)
|          !"#$%&'()*+,-./0123456789:;<=>?
|         @ABCDEFGHIJKLMNOPQRSTUVWXYZ[\]^_
|         `abcdefghijklmnopqrstuvwxyz{|}~
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
|Push <RETURN>
2: 0-8 bold, 10-12 bold, 14-14 bold, 16-18 bold, 20-25 bold
6: 0-8 bold, 10-12 bold, 14-14 bold, 16-19 bold, 21-28 bold
cursor: 13,23,1
