A preprocessing command runs when something has changed, and only then.

$ mkdir raw && echo 1 >raw/1 && echo 2 >raw/2 && printf '#!/bin/sh\necho running "$@"\nmkdir -p out && cat raw/* >out/all && echo "$SEED" >out/seed\n' >prep.sh && chmod +x prep.sh && printf '#!/bin/sh\nexec sed "s/took .*/took TIME/"\n' >took && chmod +x took
$ stint data cache --input raw --output out --env SEED -- ./prep.sh fast 2>said; ./took <said; cat out/all
| running fast
| stint: kept out (5 B) for the next time: the command took TIME
| 1
| 2
$ stint data cache --input raw --output out --env SEED -- ./prep.sh fast 2>said; ./took <said
| stint: unchanged: out (5 B), in place of a command that took TIME
$ rm -r out && stint data cache --input raw/ --output out/ --env SEED -- ./prep.sh fast 2>said; ./took <said; cat out/all
| stint: restored out (5 B), in place of a command that took TIME
| 1
| 2
Times are not content. A variable, an argument, an input and the script itself are.
$ touch raw/1 prep.sh && stint data cache --input raw --output out --env SEED -- ./prep.sh fast 2>&1 | ./took
| stint: unchanged: out (5 B), in place of a command that took TIME
$ SEED=1 stint data cache --input raw --output out --env SEED -- ./prep.sh fast 2>&1 | ./took; cat out/seed
| running fast
| stint: kept out (6 B) for the next time: the command took TIME
| 1
$ stint data cache --input raw --output out --env SEED -- ./prep.sh slow 2>&1 | ./took
| running slow
| stint: kept out (5 B) for the next time: the command took TIME
$ echo 3 >raw/3 && stint data cache --input raw --output out --env SEED -- ./prep.sh fast 2>&1 | ./took; cat out/all
| running fast
| stint: kept out (7 B) for the next time: the command took TIME
| 1
| 2
| 3
$ echo '# changed' >>prep.sh; stint data cache --input raw --output out --env SEED -- ./prep.sh fast 2>&1 | ./took
| running fast
| stint: kept out (7 B) for the next time: the command took TIME
Back to what was: no run is needed.
$ rm raw/3 && sed -i '/changed/d' prep.sh && stint data cache --input raw --output out --env SEED -- ./prep.sh fast 2>&1 | ./took; cat out/all
| stint: restored out (5 B), in place of a command that took TIME
| 1
| 2
What did not come from the cache is not lost.
$ echo mine >out/mine; stint data cache --input raw --output out --env SEED -- ./prep.sh fast; ls out
| all
| mine
| seed
! stint: 'out' is not what the cache had made: it would be lost
!   hint: move it away, or --replace
$ stint data cache --input raw --output out --env SEED --replace -- ./prep.sh fast 2>&1 | ./took; ls out
| stint: restored out (5 B), in place of a command that took TIME
| all
| seed
A command that fails leaves what was there.
$ stint data cache --output out -- sh -c 'mkdir out; echo part >out/x; exit 3'; echo $?; ls out out.broken; rm -r out.broken
| 3
| out:
| all
| seed
| 
| out.broken:
| x
! stint: note: what there was of 'out' is kept as 'out.broken'
$ stint data cache --output none -- true
! stint: warning: not kept: the command did not make 'none'
? 1
A file that nobody declared is reported.
$ stint data cache --output a.txt -- sh -c 'echo a >a.txt; echo b >b.txt' 2>&1 | ./took
| stint: warning: 'b.txt' changed meanwhile and is no output: if the command wrote it, --output keeps it, too
| stint: kept a.txt (2 B) for the next time: the command took TIME
One that was killed on the way: what was there before comes back.
$ mv out out.stint-old && stint data cache --input raw --output out --env SEED -- ./prep.sh fast 2>&1 | ./took
| stint: unchanged: out (5 B), in place of a command that took TIME
$ cp -r out out.stint-old; stint data cache --input raw --output out --env SEED -- ./prep.sh fast; rm -r out.stint-old
! stint: an earlier call was killed: 'out.stint-old' is what there was before, 'out' what the command had written
!   hint: remove the one that you do not want
Two at once: one runs, the other waits for what it makes.
$ for i in 1 2; do stint data cache --output slow.txt -- sh -c 'sleep 0.3; echo done >slow.txt; echo ran >&3' 3>>ran.log 2>/dev/null & done; wait; cat ran.log
| ran
The cache itself.
$ stint data cache --list | sed -n 's/.* B  //p; $s/, .*//p' | sort
| ./prep.sh fast
| ./prep.sh fast
| ./prep.sh fast
| ./prep.sh fast
| ./prep.sh slow
| 7 commands
| sh -c 'echo a >a.txt; echo b >b.txt'
| sh -c 'sleep 0.3; echo done >slow.txt; echo ran >&3'
$ before=$(stint data cache --list | wc -l); stint data cache --keep 1kB --output big -- sh -c 'echo x >big' 2>&1 | ./took; [ "$(stint data cache --list | wc -l)" -lt "$before" ] && stint data cache --list | grep -c big
| stint: kept big (2 B) for the next time: the command took TIME
| 1
$ stint data cache --clear | sed 's/.* removed, .*/removed/'; stint data cache --list
| removed
| nothing is kept
Mistakes.
$ stint data cache --output out
! stint: there is no command
!   hint: stint data cache --input raw --output tokens -- python tokenize.py
? 2
$ stint data cache -- true
! stint: --output says what the command makes
!   hint: stint data cache --input raw --output tokens -- python tokenize.py
? 2
$ stint data cache --output x -- nosuch
! stint: there is no program 'nosuch'
!   hint: a shell's command: sh -c '...'
? 4
$ stint data cache --input nowhere --output x -- true
! stint: there is no input 'nowhere'
? 4
$ stint data cache --input raw --output raw/x -- touch raw/x
! stint: the output 'raw/x' is in the input 'raw'
!   hint: name as inputs the parts that are read
? 3
$ stint data cache --output x --env A=1 -- true
! stint: --env: 'A=1' is not the name of a variable
!   hint: its value is that of the environment
? 2
