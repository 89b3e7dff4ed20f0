== REP
| ++
|  ++
|   ++
|    ++
|     ++
|      ++
|       ++
|        ++
|         ++
|          ++
|           ++
|            ++
|             ++
|              ++
|               ++
|                ++
|                 ++
|******************++************************************************************
|----+----1----+----2----+----3----+----4----+----5----+----6----+----7----+----8
|Test Repeat (REP)
|There should be a diagonal of 2 +'s down to the row of *'s above this message.
|The ++ in the row of *'s is the target.  If there are 11 +'s, ECMA-48 does
|not prohibit this, but treats it as undefined behavior (still nonstandard).
|Push <RETURN>
cursor: 13,23,1
== SD
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
|********************
|----+----1----+----2----+----3----+----4----+----5----+----6----+----7----+----8
|Test Scroll-Down (SD)
|There should be a horizontal row of *'s above, just above the message.
|Push <RETURN>
cursor: 13,23,1
== SU
|********************
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
|----+----1----+----2----+----3----+----4----+----5----+----6----+----7----+----8
|Test Scroll-Up (SU)
|There should be a horizontal row of *'s above, on the top row.
|Push <RETURN>
cursor: 13,23,1
