How often to save: one rate for all ages is Daly's formula.
$ stint spot interval --checkpoint 2min --delay 6min --mtbf 5h
| save            every 33min of work (Young 35min, Daly 33min)
| overhead        14.8 % of the work: checkpoints 6.0, lost work 6.5, restarts 2.3
| life            5.00 h on average
| from            as given: the same at every age, which is seldom true
| 
|    save every  overhead  checkpoints  lost work  restarts
|       4min10s    52.6 %       48.0 %      1.5 %     3.0 %
|       8min20s    28.7 %       24.0 %      2.2 %     2.5 %
|         17min    17.9 %       12.0 %      3.6 %     2.3 %
| *       33min    14.8 %        6.0 %      6.5 %     2.3 %
|        1h7min    18.1 %        3.0 %     12.7 %     2.3 %
|       2h13min    30.8 %        1.5 %     26.7 %     2.6 %
|       4h27min    66.2 %        0.8 %     62.2 %     3.3 %
$ stint spot interval --checkpoint 2min --hazard 0.2 --spot '$0.97/hr' --on-demand '$3.06/hr' --work 48h
| save            every 33min of work (Young 35min, Daly 33min)
| overhead        14.8 % of the work: checkpoints 6.0, lost work 6.5, restarts 2.3
| life            5.00 h on average
| from            as given: the same at every age, which is seldom true
| savings         64 % of on-demand ($0.9700/hr against $3.06/hr); none from an overhead of 215 % on
| job             48 h of work take 55.1 h of machine
| cost            $53.4 expected on spot, $147 on demand
| 
|    save every  overhead  checkpoints  lost work  restarts
|       4min10s    52.6 %       48.0 %      1.5 %     3.0 %
|       8min20s    28.7 %       24.0 %      2.2 %     2.5 %
|         17min    17.9 %       12.0 %      3.6 %     2.3 %
| *       33min    14.8 %        6.0 %      6.5 %     2.3 %
|        1h7min    18.1 %        3.0 %     12.7 %     2.3 %
|       2h13min    30.8 %        1.5 %     26.7 %     2.6 %
|       4h27min    66.2 %        0.8 %     62.2 %     3.3 %
$ stint spot interval --checkpoint 1min --mtbf 5h --notice 2min
| save            only on notice: it is long enough
| overhead        2.4 % of the work: checkpoints 0.3, lost work 0.0, restarts 2.0
| life            5.00 h on average
| from            as given: the same at every age, which is seldom true
| 
|    save every  overhead  checkpoints  lost work  restarts
|          3min    37.2 %       33.6 %      0.9 %     2.7 %
|          6min    20.5 %       16.8 %      1.4 %     2.4 %
|         12min    13.0 %        8.4 %      2.4 %     2.2 %
|         24min    10.8 %        4.2 %      4.4 %     2.2 %
|         48min    13.1 %        2.1 %      8.7 %     2.2 %
|       1h35min    21.6 %        1.0 %     18.1 %     2.4 %
|       3h11min    43.6 %        0.5 %     40.2 %     2.8 %
| *   on notice     2.4 %        0.3 %      0.0 %     2.0 %
$ stint spot interval --checkpoint 2min --mtbf 5h --json | sed 's/\([0-9][.][0-9]\{6\}\)[0-9]*/\1/g'
| {"schema":"stint.spot.interval/1","place":null,"method":"as given: the same at every age, which is seldom true","mean_life_h":5,"best":{"every":1999,"overhead":0.147672,"save":0.060030,"lost":0.064916,"restart":0.022725,"best":true},"young":2078.460969,"daly":1999.230769,"others":[{"every":249.875,"overhead":0.525765,"save":0.480240,"lost":0.015313,"restart":0.030212,"best":false},{"every":499.75,"overhead":0.287204,"save":0.240120,"lost":0.021596,"restart":0.025488,"best":false},{"every":999.5,"overhead":0.178969,"save":0.120060,"lost":0.035564,"restart":0.023345,"best":false},{"every":1999,"overhead":0.147672,"save":0.060030,"lost":0.064916,"restart":0.022725,"best":true},{"every":3998,"overhead":0.180740,"save":0.030015,"lost":0.127345,"restart":0.023380,"best":false},{"every":7996,"overhead":0.308389,"save":0.015007,"lost":0.267474,"restart":0.025907,"best":false},{"every":15992,"overhead":0.662288,"save":0.007503,"lost":0.621869,"restart":0.032915,"best":false}],"by_age":[],"gain":0,"spot":null,"on_demand":null,"savings":null,"break_even":null,"work_h":null,"machine_h":null,"spot_usd":null,"on_demand_usd":null}
From a trace: young machines are lost first, so that they save more often.
$ awk 'BEGIN { print "trace z gap=600 n=1000 nodes=1 start=- od=3.06 spot=0.9731"; printf "a "; for (i = 0; i < 1000; i++) printf "%s", (i % 50 < 2 || (i % 50 > 6 && i % 50 < 48) ? "1" : "0"); print "\ntrace y gap=600 n=10 nodes=1 start=- od=- spot=-\na 1111111111" }' >t.trc
$ stint spot interval --checkpoint 1min --traces t.trc --zones z
| where           z
| save            every 19min of work (Young 21min, Daly 20min)
| overhead        13.0 % of the work: checkpoints 5.4, lost work 4.6, restarts 3.0
| life            3.59 h on average
| from            watched for 167 h, every 600 s
| savings         64 % of on-demand ($0.9731/hr against $3.06/hr); none from an overhead of 214 % on
| 
|    save every  overhead  checkpoints  lost work  restarts
|       2min20s    48.3 %       43.2 %      1.0 %     4.0 %
|       4min40s    26.5 %       21.6 %      1.5 %     3.4 %
|       9min20s    16.4 %       10.8 %      2.5 %     3.1 %
| *       19min    13.0 %        5.4 %      4.6 %     3.0 %
|         37min    13.7 %        2.7 %      7.9 %     3.0 %
|       1h14min    17.7 %        1.4 %     13.2 %     3.2 %
|       2h28min    30.4 %        0.7 %     26.3 %     3.5 %
| 
| by age it takes 0.8 % less machine time: 8min at first, 20min from 15min on,
|   26min from 30min on, 39min from 16h on
Mistakes.
$ stint spot interval --mtbf 5h
! stint: spot interval needs --checkpoint TIME
!   hint: stint spot interval --checkpoint 2min --delay 6min --mtbf 5h
? 2
$ stint spot interval --checkpoint 2min
! stint: no machine is named
!   hint: give one of an offer ('stint price spot' lists them), --traces FILE, or --mtbf 5h
? 2
$ stint spot interval --checkpoint 2min --mtbf 5h --hazard 0.2
! stint: more than one of an offer, traces and a rate is given
!   hint: give one of an offer ('stint price spot' lists them), --traces FILE, or --mtbf 5h
? 2
$ stint spot interval --checkpoint 2min --traces t.trc
! stint: the traces have 2 zones: an interval is for one
!   hint: choose it: --zones z
? 2
$ stint spot interval --checkpoint 2min --restart 2h --mtbf 1min
! stint: no progress is possible: machines are lost after 0.0167 h on average, and a restart with a checkpoint takes 2.03 h
!   hint: use on-demand, or make the restart shorter
? 6
$ stint spot interval --checkpoint 0s --mtbf 5h
! stint: --checkpoint: '0s' is not above zero
? 2
$ stint spot interval --checkpoint 2 --mtbf 5h
! stint: --checkpoint: '2' is not a length of time
!   hint: give the unit: 2d, 2h, 2min or 2s
? 2
Nothing is saved; nothing is paid; a gang; a rate that is as good as none.
$ stint spot interval --checkpoint 2min --mtbf 5h --spot '$5/hr' --on-demand '$3/hr' | grep saving
| savings         none ($5.00/hr against $3.00/hr)
$ stint spot interval --checkpoint 2min --mtbf 5h --spot '$0/hr' --on-demand '$3/hr' | grep saving
| savings         100 % of on-demand ($0.00/hr against $3.00/hr)
$ stint spot interval --checkpoint 2min --mtbf 50h --gang 10 | grep -E 'save  |life|from'
| save            every 33min of work (Young 35min, Daly 33min)
| life            5.00 h on average
| from            as given, for each of the gang: the same at every age, which is
$ stint spot interval --checkpoint 2min --mtbf 20000h | grep life
| life            2.28 years on average
$ stint spot interval --checkpoint 2min --hazard 1e-30
! stint: 1e-30 losses an hour are as good as none
!   hint: give --mtbf from a second to ten thousand years
? 2
