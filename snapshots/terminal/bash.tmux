== colours
|shop$ printf '\033[1;31mred\033[0m \033[4munder\033[0m \033[7minverse\033[0m \03
|3[38;5;208m256\033[0m \033[38;2;90;160;220mrgb\033[0m\n'
|red under inverse 256 rgb
|shop$ printf '日本語 größer e\u0301 |\n'
|日本語 größer é |
|shop$
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
2: 0-2 bold fg=1, 4-8 underline, 10-16 inverse, 18-20 fg=208, 22-24 fg=#5aa0dc
cursor: 6,5,1
== scrolled
|38
|39
|40
|41
|42
|43
|44
|45
|46
|47
|48
|49
|50
|51
|52
|53
|54
|55
|56
|57
|58
|59
|60
|shop$
cursor: 6,23,1
== long line
|39
|40
|41
|42
|43
|44
|45
|46
|47
|48
|49
|50
|51
|52
|53
|54
|55
|56
|57
|58
|59
|60
|shop$ echo a line that is so long that the shell has to wrap it over at least tw
|o rows of this terminal, and it is edited in the middle then
cursor: 60,23,1
== edited
|39
|40
|41
|42
|43
|44
|45
|46
|47
|48
|49
|50
|51
|52
|53
|54
|55
|56
|57
|58
|59
|60
|shop$ echo a line that is so long that the shell has to wrap it over at least tw
|o rows of this terminal, and it is edited ixyzn middle then
cursor: 46,23,1
== loop
|46
|47
|48
|49
|50
|51
|52
|53
|54
|55
|56
|57
|58
|59
|60
|shop$ echo a line that is so long that the shell has to wrap it over at least tw
|o rows of this terminal, and it is edited ixyzn middle then
|a line that is so long that the shell has to wrap it over at least two rows of t
|his terminal, and it is edited ixyzn middle then
|shop$ for i in 1 2 3; do printf '%-20s|\n' "row $i"; done
|row 1               |
|row 2               |
|row 3               |
|shop$
cursor: 6,23,1
== cleared
|shop$
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
cursor: 6,0,1
