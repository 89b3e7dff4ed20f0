== HPA
|
|
|
|
|
|                   ****************************************
|                   *                                      *
|                   *                                      *
|                   *                                      *
|                   *                                      *
|                   *                                      *
|                   *                                      *
|                   *                                      *
|                   *                                      *
|                   *                                      *
|                   *                                      *
|                   *                                      *
|                   ****************************************
|
|----+----1----+----2----+----3----+----4----+----5----+----6----+----7----+----8
|Test Character-Position-Absolute (HPA)
|There should be a box-outline made of *'s in the middle of the screen.
|Push <RETURN>
|
cursor: 13,22,1
== CBT
|1       2       3       4       5       6       7       8       9       10
|1       2       3       4       5       6       7       8       9       10
|1       2       3       4       5       6       7       8       9       10
|1       2       3       4       5       6       7       8       9       10
|1       2       3       4       5       6       7       8       9       10
|1       2       3       4       5       6       7       8       9       10
|1       2       3       4       5       6       7       8       9       10
|1       2       3       4       5       6       7       8       9       10
|1       2       3       4       5       6       7       8       9       10
|1       2       3       4       5       6       7       8       9       10
|1       2       3       4       5       6       7       8       9       10
|1       2       3       4       5       6       7       8       9       10
|1       2       3       4       5       6       7       8       9       10
|1       2       3       4       5       6       7       8       9       10
|1       2       3       4       5       6       7       8       9       10
|1       2       3       4       5       6       7       8       9       10
|1       2       3       4       5       6       7       8       9       10
|1       2       3       4       5       6       7       8       9       10
|1       2       3       4       5       6       7       8       9       10
|1       2       3       4       5       6       7       8       9       10
|----+----1----+----2----+----3----+----4----+----5----+----6----+----7----+----8
|Test Cursor-Back-Tab (CBT)
|The tab-stops should be numbered consecutively starting at 1 in screen.
|Push <RETURN>
cursor: 13,23,1
== CHA
|
|
|
|
|
|                   ****************************************
|                   *                                      *
|                   *                                      *
|                   *                                      *
|                   *                                      *
|                   *                                      *
|                   *                                      *
|                   *                                      *
|                   *                                      *
|                   *                                      *
|                   *                                      *
|                   *                                      *
|                   ****************************************
|
|----+----1----+----2----+----3----+----4----+----5----+----6----+----7----+----8
|Test Cursor-Character-Absolute (CHA)
|There should be a box-outline made of *'s in the middle of the screen.
|Push <RETURN>
|
cursor: 13,22,1
== CHT
|CHT with param == 1:
|********************
|
|CHT with param != 1:
|+
|
|Normal tabs:
|        *       *       *       *       *       *       *       *       *      *
|*       *       *       *       *       *       *       *       *       *
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
|----+----1----+----2----+----3----+----4----+----5----+----6----+----7----+----8
|Test Cursor-Horizontal-Index (CHT)
|The lines with *'s above should look the same (they wrap once)
|Push <RETURN>
|
cursor: 13,22,1
== HPR
|
|
|
|
|
|**                 *
|**
|**
|**
|**
|**
|**
|**
|**
|**
|**
|**
|**                 **
|
|----+----1----+----2----+----3----+----4----+----5----+----6----+----7----+----8
|Test Horizontal-Position-Relative (HPR)
|There should be a box-outline made of *'s in the middle of the screen.
|Push <RETURN>
|
cursor: 13,22,1
== VPA
|
|
|
|
|
|                  *****************************************
|                  *                                       *
|                  *                                       *
|                  *                                       *
|                  *                                       *
|                  *                                       *
|                  *                                       *
|                  *                                       *
|                  *                                       *
|                  *                                       *
|                  *                                       *
|                  *                                       *
|                  *****************************************
|
|----+----1----+----2----+----3----+----4----+----5----+----6----+----7----+----8
|Test Line-Position-Absolute (VPA)
|There should be a box-outline made of *'s in the middle of the screen.
|Push <RETURN>
|
cursor: 13,22,1
== CNL
|1.
|2.
|3.
|4.
|5.
|6.
|7.
|8.
|9.
|10.
|11.
|12.
|13.
|14.
|15.
|16.
|17.
|18.
|19.
|
|Test Next-Line (CNL)
|The lines above this should be numbered in sequence, from 1.
|Push <RETURN>
|
cursor: 13,22,1
== CPL
|1.
|2.
|3.
|4.
|5.
|6.
|7.
|8.
|9.
|10.
|11.
|12.
|13.
|14.
|15.
|16.
|17.
|18.
|19.
|20.
|Test Previous-Line (CPL)
|The lines above this should be numbered in sequence, from 1.
|Push <RETURN>
|
cursor: 13,22,1
== VPR
|
|
|
|
|
|                   ****************************************
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
|----+----1----+----2----+----3----+----4----+----5----+----6----+----7----+----8
|Test Vertical-Position-Relative (VPR)
|There should be a box-outline made of *'s in the middle of the screen.
|Push <RETURN>
|
cursor: 13,22,1
