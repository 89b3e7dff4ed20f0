== DSR
|Test of Device Status Report 5 (report terminal status).
|Report is: <27> [ 0 n  -- means "TERMINAL OK"
|
|Test of Device Status Report 6 (report cursor position).
|Report is: <27> [ 5 ; 1 R  -- OK
|
|
|Report is: <27> [ 5 ; 1 R  -- OK
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
|Push <RETURN>
|
1: 10-21 inverse
4: 10-25 inverse
7: 10-25 inverse
cursor: 13,22,1
== DA1
|Test of Device Attributes report (what are you)
|
|Report is: <27> [ ? 6 2 ; 2 2 c  VT200 family
|    22 = color
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
|Push <RETURN>
|
2: 10-31 inverse
cursor: 13,22,1
== DA2
|Testing Secondary Device Attributes (Firmware version)
|
|          <27> [ > 1 ; 2 7 7 ; 0 c
|         Pp=1 (VT220)
|         Pv=277, firmware version 27.7
|         Pc=0, ROM cartridge registration number ok
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
|Push <RETURN>
|
2: 9-34 inverse
cursor: 13,22,1
== DA3
|Testing Tertiary Device Attributes (unit ID)
|
|          <27> P ! | 0 0 0 0 0 0 0 0 <27> \  ok
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
|Push <RETURN>
|
2: 9-43 inverse
cursor: 13,22,1
