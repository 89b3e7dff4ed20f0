== start
|No API key found. Starting login flow...
|Would you like to log in to Amp? [(y)es, (n)o]:
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
cursor: 48,1,1
== refused
|No API key found. Starting login flow...
|Would you like to log in to Amp? [(y)es, (n)o]: n
|Login cancelled. Run the command again to retry.
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
cursor: 0,3,1
