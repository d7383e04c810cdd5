What a job should do now.
$ stint spot decide --work 48h --done 20h --left 36h --seen us-east-1a=0110111 --spot '$0.97/hr' --on-demand '$3.06/hr'
| do              spot in us-east-1a
| ask again       in 10min
| on-demand       need not start before 7h50min from now
| 
|    option     zone        expected
|    on-demand  us-east-1a     $46.5
| *  spot       us-east-1a     $46.0
|    wait       -              $46.3
| 
| expected: modeled cost from now to the end of the job
Nothing is available, and there is enough time: wait.
$ stint spot decide --work 10h --left 40h --seen a=1110 --spot '$0.97/hr' --on-demand '$3.06/hr'
| do              wait
| ask again       in 10min
| on-demand       need not start before 29h50min from now
| 
|    option     zone  expected
|    on-demand  a        $17.6
| *  wait       -        $17.3
| 
| expected: modeled cost from now to the end of the job
No time left for waiting.
$ stint spot decide --work 10h --left 10h20min --seen a=1110 --spot '$0.97/hr' --on-demand '$3.06/hr'
| do              on-demand in a
| ask again       in 10min
| on-demand       need not start before 10min from now
| 
|    option     zone  expected
| *  on-demand  a        $27.8
|    wait       -        $30.6
| 
| expected: modeled cost from now to the end of the job
On the only machine that meets the deadline.
$ stint spot decide --work 10h --left 10h --running on-demand --starting 0s --seen a=1111 --spot '$0.97/hr' --on-demand '$3.06/hr'
| do              stay in a
| ask again       in 10min
| on-demand       no time for another start: the running job must continue
| 
|    option  zone  expected
| *  stay    a        $30.6
| 
| expected: modeled cost from now to the end of the job
Too late.
$ stint spot decide --work 10h --left 9h --seen a=1111 --spot '$0.97/hr' --on-demand '$3.06/hr'
| do              on-demand in a
| ask again       in 10min
| on-demand       too late, by 1h6min
| 
|    option     zone  expected
| *  on-demand  a        $30.9
| 
| expected: modeled cost from now to the end of the job
! stint: warning: too late: on-demand from now on misses the deadline by 1.1 h
Two zones, for a script.
$ stint spot decide --work 48h --left 60h --seen a=0011,b=1111 --running spot --zone b --starting 0s --spot 'a=$0.92/hr,b=$1.24/hr' --on-demand '$3.06/hr' --json
| {"schema":"stint.spot.decide/1","action":"stay","zone":"b","expected_usd":{"amount":"62.93","currency":"USD"},"options":[{"action":"on-demand","zone":"a","expected_usd":{"amount":"63.84","currency":"USD"},"chosen":false},{"action":"spot","zone":"a","expected_usd":{"amount":"63.3","currency":"USD"},"chosen":false},{"action":"stay","zone":"b","expected_usd":{"amount":"62.93","currency":"USD"},"chosen":true},{"action":"wait","zone":null,"expected_usd":{"amount":"63.49","currency":"USD"},"chosen":false}],"ask_again":600,"latest_on_demand":42600,"late_by":null}
Spot that costs as much is not worth a start.
$ stint spot decide --work 10h --left 14h --running on-demand --starting 0s --seen a=1111 --spot '$3.00/hr' --on-demand '$3.06/hr'
| do              stay in a
| ask again       in 10min
| on-demand       need not start before 3h50min from now
| 
|    option  zone  expected
| *  stay    a        $30.6
|    spot    a        $31.0
|    wait    -        $30.9
| 
| expected: modeled cost from now to the end of the job
Mistakes.
$ stint spot decide --work 10h --left 14h
! stint: what was seen so far is needed, once
!   hint: give --seen us-east-1a=1101 (1: spot was available), or --traces FILE
? 2
$ stint spot decide --work 10h --left 14h --seen a
! stint: --seen 'a' is not ZONE=1101...
? 2
$ stint spot decide --work 10h --left 14h --seen a=11x!
! stint: --seen a: '!' at place 4 is not a count
!   hint: one digit for each observation: 0 for none, 1 for one, ... z for 35; ? where there was none
? 2
$ stint spot decide --work 10h --left 14h --seen a=111
! stint: the spot price of 'a' is not known
!   hint: add --spot '$0.97/hr'
? 2
$ stint spot decide --work 10h --left 14h --seen a=111 --spot '$1/hr'
! stint: the on-demand price of 'a' is not known
!   hint: add --on-demand '$3.06/hr'
? 2
$ stint spot decide --work 10h --left 14h --seen a=111,b=11 --spot '$1/hr' --on-demand '$3/hr'
! stint: 'b' was seen 2 times every 600 s, 'a' 3 times every 600 s
!   hint: zones must be seen at the same times, the last of which is now
? 3
$ stint spot decide --work 10h --left 14h --seen a=111 --spot 'c=$1/hr' --on-demand '$3/hr'
! stint: --spot: zone 'c' is not among those observed
!   hint: the first of 1 is 'a'
? 4
$ stint spot decide --work 10h --done 10h --left 14h --seen a=111 --spot '$1/hr' --on-demand '$3/hr'
! stint: --done equals --work: there is nothing to decide
? 2
$ stint spot decide --work 10h --left 14h --seen a=111 --zone b --spot '$1/hr' --on-demand '$3/hr'
! stint: zone 'b' is not among those observed
!   hint: the first of 1 is 'a'
? 4
$ stint spot decide --work 10h --left 14h --seen a=111,a=110 --spot '$1/hr' --on-demand '$3/hr'
! stint: --seen has zone 'a' twice
? 2
$ stint spot decide --work 10h --left 14h --seen a=111 --running spot --spot '$1/hr' --on-demand '$3/hr'
! stint: --running spot needs --starting
!   hint: add --starting 0s when it works, or the time until its start completes
? 2
$ stint spot decide --work 10h --left 14h --seen a=111 --running spot --starting 1h --spot '$1/hr' --on-demand '$3/hr'
! stint: --starting is more than --delay, the time of a complete start
? 2
$ stint spot decide --work 10h --done 5h --unsaved 5h --left 14h --seen a=111 --spot '$1/hr' --on-demand '$3/hr'
! stint: work that can be lost needs --checkpoint-every
!   hint: add --checkpoint-every 30min, or leave out --unsaved, --checkpoint-time and --notice
? 2
$ stint spot decide --work 10h --left 14h --seen a=111 --spot '=$1/hr' --on-demand '$3/hr'
! stint: --spot: zone '' is not among those observed
!   hint: the first of 1 is 'a'
? 4
$ stint spot decide --work 10h --left 14h --every 1.5s --seen a=111 --spot '$1/hr' --on-demand '$3/hr'
! stint: --every must be whole seconds, up to 24 h
? 2
Work that is not saved yet would be lost: the guard leaves spot while on-demand can still do it all.
$ stint spot decide --work 10h --done 5h --unsaved 5h --checkpoint-every 6h --checkpoint-time 5min --left 10h10min --running spot --starting 0s --seen a=1111 --spot '$1/hr' --on-demand '$3/hr'
| do              wait
| ask again       in 10min
| on-demand       need not start before 5h from now
| 
|    option     zone  expected
|    on-demand  a        $15.8
| *  wait       -        $15.7
| 
| expected: modeled cost from now to the end of the job
A machine that is no longer there was lost, with what was not saved.
$ stint spot decide --work 10h --done 5h --unsaved 30min --checkpoint-every 1h --left 10h --running spot --starting 0s --seen a=1110 --spot '$1/hr' --on-demand '$3/hr'
| do              wait
| ask again       in 10min
| on-demand       need not start before 4h20min from now
| 
|    option     zone  expected
|    on-demand  a        $15.0
| *  wait       -        $14.7
| 
| expected: modeled cost from now to the end of the job
A machine that just starts.
$ stint spot decide --work 2h --left 2h30min --delay 25min --running on-demand --starting 15min --seen a=0111 --spot '$1/hr' --on-demand '$3/hr'
| do              stay in a
| ask again       in 10min
| on-demand       must start now: by the next question it is too late
| 
|    option  zone  expected
| *  stay    a        $6.75
| 
| expected: modeled cost from now to the end of the job
A gang needs its machines at once.
$ stint spot decide --work 10h --left 14h --gang 4 --seen a=2345 --spot '$1/hr' --on-demand '$3/hr'
| do              spot in a
| ask again       in 10min
| on-demand       need not start before 3h50min from now
| 
|    option     zone  expected
|    on-demand  a        $68.6
| *  spot       a        $66.5
|    wait       -        $67.4
| 
| expected: modeled cost from now to the end of the job
$ stint spot decide --work 10h --left 14h --gang 4 --seen a=0111 --spot '$1/hr' --on-demand '$3/hr'
| do              wait
| ask again       in 10min
| on-demand       need not start before 3h50min from now
| 
|    option     zone  expected
|    on-demand  a        $90.3
| *  wait       -        $89.2
| 
| expected: modeled cost from now to the end of the job
! stint: warning: a gang of 4 was never there: digits are counts of machines
What was seen, from a file.
$ printf 'trace a gap=300 n=4 nodes=1 start=- od=3 spot=series\na 0111\np 0:1 2:1.5\n' > seen.trc; stint spot decide --work 10h --left 14h --traces seen.trc
| do              spot in a
| ask again       in 5min
| on-demand       need not start before 3h50min from now
| 
|    option     zone  expected
|    on-demand  a        $20.8
| *  spot       a        $20.4
|    wait       -        $20.5
| 
| expected: modeled cost from now to the end of the job
$ stint spot decide --work 10h --left 14h --traces seen.trc --every 5min
! stint: --every is for --seen: traces have ticks
? 2
An observation that was missed: what was seen before it does not count; the last one must be there.
$ stint spot decide --work 10h --left 14h --seen 'a=0000?111' --spot '$1/hr' --on-demand '$3/hr'
| do              spot in a
| ask again       in 10min
| on-demand       need not start before 3h50min from now
| 
|    option     zone  expected
|    on-demand  a        $17.0
| *  spot       a        $16.5
|    wait       -        $16.7
| 
| expected: modeled cost from now to the end of the job
$ stint spot decide --work 10h --left 14h --seen 'a=0011?' --spot '$1/hr' --on-demand '$3/hr'
! stint: the last observation is missing: what is available now
!   hint: observe every zone once more, then ask
? 2
