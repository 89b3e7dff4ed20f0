== page 1
|********************************************************************************
|*++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++*
|*+                                                                            +*
|*+                                                                            +*
|*+                                                                            +*
|*+                                                                            +*
|*+                                                                            +*
|*+                                                                            +*
|*+        EEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEE        +*
|*+        E                                                          E        +*
|*+        E The screen should be cleared,  and have an unbroken bor- E        +*
|*+        E der of *'s and +'s around the edge,   and exactly in the E        +*
|*+        E middle  there should be a frame of E's around this  text E        +*
|*+        E with  one (1) free position around it.    Push <RETURN>  E        +*
|*+        E                                                          E        +*
|*+        EEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEE        +*
|*+                                                                            +*
|*+                                                                            +*
|*+                                                                            +*
|*+                                                                            +*
|*+                                                                            +*
|*+                                                                            +*
|*++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++*
|********************************************************************************
cursor: 67,13,1
== page 2
|********************************************************************************
|*++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++*
|*+                                                                             *
|*+                                                                             *
|*+                                                                             *
|*+                                                                             *
|*+                                                                             *
|*+                                                                             *
|*+                                  EEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEE*
|*+                                  E
|                                    EEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEE*
| The screen should be cleared,  and hader of *'s and +'s around the edge,   and
|exactly in the                        middle  there should be a frame of E's aro
|und this  text                        with  one (1) free position around it.
|Push <RETURN>                                             EEEEEEEEEEEEEEEEEEEEE*
|                                                          EEEEEEEEEEEEEEEEEEEEE*
|*+                                                                             *
|*+                                                                             *
|*+                                                                             *
|*+                                                                             *
|*+                                                                             *
|*+                                                                             *
|++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++ *
|********************************************************************************
cursor: 13,14,1
== page 3
|Test of autowrap, mixing control and print characters.
|The left/right margins should have letters in order:
|M                                                                              m
|N
|n
|O                                                                              o
|P                                                                              p
|Q                                                                              q
|R
|r
|S                                                                              s
|T                                                                              t
|U                                                                              u
|V
|v
|W                                                                              w
|X                                                                              x
|Y                                                                              y
|Z
|z
|
|Push <RETURN>
|
|
cursor: 13,21,1
== page 4
|Test of autowrap, mixing control and print characters.
|The left/right margins should have letters in order:
|M                                                                              m
|N
|n
|O                                                                              o
|P                                                                              p
|Q                                                                              q
|R
|r
|S                                                                              s
|T                                                                              t
|U                                                                              u
|V
|v
|W                                                                              w
|X                                                                              x
|Y                                                                              y
|Z
|z
|
|Push <RETURN>
|
|
cursor: 13,21,1
== page 5
|Test of cursor-control characters inside ESC sequences.
|Below should be four identical lines:
|
|A B C D E F G H I
|A B C D E F G H I
|A B C D E F G H I
|A B C D E F G H I
|
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
cursor: 13,8,1
== page 6
|Test of leading zeros in ESC sequences.
|Two lines below you should see the sentence "This is a correct sentence".
|
|This is a correct sentence
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
|
|
|
cursor: 13,19,1
