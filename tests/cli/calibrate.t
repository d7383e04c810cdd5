Without a ledger, none is made
$ stint calibrate
! stint: there is no ledger 'home/.local/share/stint/ledger.db' yet
!   hint: 'stint run -- COMMAND' makes it
? 4
$ stint accuracy
! stint: there is no ledger 'home/.local/share/stint/ledger.db' yet
!   hint: 'stint run -- COMMAND' makes it
? 4
$ ls home

Runs without a prediction are not used
$ "$STINT_TEST_LEDGER" other.db; stint --ledger other.db calibrate; stint --ledger other.db accuracy
| there is nothing to learn from yet: it needs runs that were planned ('stint run --plan FILE') and are done
| no planned run has ended well yet: 'stint plan JOB --save PLAN.json', then 'stint run --plan PLAN.json -- COMMAND'

Seven that were: four on one GPU, three on another, one of them ten times too long, one predicted by other constants
$ "$STINT_TEST_LEDGER" empty.db brief; "$STINT_TEST_LEDGER" home/.local/share/stint/ledger.db planned "$(stint --ledger empty.db calibrate --show --json | sed 's/.*"constants":"\([^"]*\)".*/\1/')"
$ stint accuracy
| of       runs  time: median  mean error  worst  cost: median  mean error
| 2026-09     7          +25%       155 %  +900%          +25%       155 %
| 
| run      started (UTC)     GPU            predicted     took  off by
| planned  2026-09-23 00:00  H100-SXM-80GB         1h       2h   +100%
| planned  2026-09-22 00:00  H100-SXM-80GB         1h      10h   +900%
| planned  2026-09-21 00:00  H100-SXM-80GB         1h    54min    -10%
| planned  2026-09-20 00:00  A100-SXM-80GB         1h       1h     +0%
| planned  2026-09-19 00:00  A100-SXM-80GB         1h  1h15min    +25%
| planned  2026-09-18 00:00  A100-SXM-80GB         1h  1h18min    +30%
| planned  2026-09-17 00:00  A100-SXM-80GB         1h  1h12min    +20%
| 
| actual over predicted, less 1; repeated work is left out. 'stint calibrate' learns from it
$ stint accuracy --by gpu
| of             runs  time: median  mean error  worst  cost: median  mean error
| A100-SXM-80GB     4          +22%        19 %   +30%          +22%        19 %
| H100-SXM-80GB     3         +100%       337 %  +900%         +100%       337 %
| all               7          +25%       155 %  +900%          +25%       155 %
| 
| run      started (UTC)     GPU            predicted     took  off by
| planned  2026-09-23 00:00  H100-SXM-80GB         1h       2h   +100%
| planned  2026-09-22 00:00  H100-SXM-80GB         1h      10h   +900%
| planned  2026-09-21 00:00  H100-SXM-80GB         1h    54min    -10%
| planned  2026-09-20 00:00  A100-SXM-80GB         1h       1h     +0%
| planned  2026-09-19 00:00  A100-SXM-80GB         1h  1h15min    +25%
| planned  2026-09-18 00:00  A100-SXM-80GB         1h  1h18min    +30%
| planned  2026-09-17 00:00  A100-SXM-80GB         1h  1h12min    +20%
| 
| actual over predicted, less 1; repeated work is left out. 'stint calibrate' learns from it
$ stint accuracy --by framework --since 56d
| of             runs  time: median  mean error  worst  cost: median  mean error
| (none)            3         +100%       337 %  +900%         +100%       337 %
| pytorch-eager     1           +0%         0 %    +0%           +0%         0 %
| all               4          +50%       253 %  +900%          +50%       253 %
| 
| run      started (UTC)     GPU            predicted   took  off by
| planned  2026-09-23 00:00  H100-SXM-80GB         1h     2h   +100%
| planned  2026-09-22 00:00  H100-SXM-80GB         1h    10h   +900%
| planned  2026-09-21 00:00  H100-SXM-80GB         1h  54min    -10%
| planned  2026-09-20 00:00  A100-SXM-80GB         1h     1h     +0%
| 
| actual over predicted, less 1; repeated work is left out. 'stint calibrate' learns from it
$ stint accuracy --by gpu --since 2026-09-25 --json
| {"schema":"stint.accuracy/1","rows":[],"runs":[],"count":0,"all":{"of":"all","runs":0,"bias":null,"error":null,"worst":null,"cost_bias":null,"cost_error":null}}
$ stint calibrate --show
| GPU            framework      times as long    80 % range  runs  until now
| A100-SXM-80GB  any                     1.19  1.09 to 1.30     4          -
| A100-SXM-80GB  pytorch-eager           1.22  1.14 to 1.31     4          -
| H100-SXM-80GB  any                     0.95  0.83 to 1.09     1          -
| 1 run took more than 4 times as long as predicted, or less than a quarter: left out
| 1 run was predicted by other constants: left out
| nothing was changed; without --show the corrections are stored
$ stint estimate llama-2-7b --method lora --on A100 --tokens 1M 2>/dev/null | grep -c learned
| 0
? 1
$ stint calibrate
| GPU            framework      times as long    80 % range  runs  until now
| A100-SXM-80GB  any                     1.19  1.09 to 1.30     4          -
| A100-SXM-80GB  pytorch-eager           1.22  1.14 to 1.31     4          -
| H100-SXM-80GB  any                     0.95  0.83 to 1.09     1          -
| 1 run took more than 4 times as long as predicted, or less than a quarter: left out
| 1 run was predicted by other constants: left out
| 'stint estimate' and 'stint plan' use them from now on
$ stint calibrate --json | sed 's/"constants":"[^"]*"/"constants":"X"/'
| {"schema":"stint.calibrate/1","corrections":[{"gpu":"A100-SXM-80GB","framework":null,"factor":1.193527441183099,"low":1.0938604114859143,"high":1.302275626669774,"runs":4,"before":1.193527441183099},{"gpu":"A100-SXM-80GB","framework":"pytorch-eager","factor":1.2225009343036877,"low":1.1389583889262376,"high":1.3121713215373474,"runs":4,"before":1.2225009343036877},{"gpu":"H100-SXM-80GB","framework":null,"factor":0.949572605934561,"low":0.8278849942349871,"high":1.0891466087926434,"runs":1,"before":0.949572605934561}],"runs":5,"far":1,"other":1,"constants":"X","shown":false,"forgotten":false}

Estimates use them, and say so
$ stint estimate llama-2-7b --method lora --on A100 --tokens 1M 2>/dev/null | grep -E 'learned|time'
| note: steps take 1.19 times as long (1.09 to 1.30), learned from 4 runs on
$ stint estimate llama-2-7b --method lora --on A100 --tokens 1M --raw 2>/dev/null | grep -c learned
| 0
? 1
$ stint estimate llama-2-7b --method lora --on L4 --tokens 1M 2>/dev/null | grep -c learned
| 0
? 1

A time without runs does not make it forget; --forget does
$ stint calibrate --since 1d
| there is nothing to learn from yet: it needs runs that were planned ('stint run --plan FILE') and are done
$ stint calibrate --show
| GPU            framework      times as long    80 % range  runs  until now
| A100-SXM-80GB  any                     1.19  1.09 to 1.30     4       1.19
| A100-SXM-80GB  pytorch-eager           1.22  1.14 to 1.31     4       1.22
| H100-SXM-80GB  any                     0.95  0.83 to 1.09     1       0.95
| 1 run took more than 4 times as long as predicted, or less than a quarter: left out
| 1 run was predicted by other constants: left out
| nothing was changed; without --show the corrections are stored
$ stint calibrate --forget
| all corrections are removed: estimates use the constants alone
$ stint estimate llama-2-7b --method lora --on A100 --tokens 1M 2>/dev/null | grep -c learned
| 0
? 1

Mistakes
$ stint calibrate --since never
! stint: --since: 'never' is neither a time nor a date
!   hint: write 12h, 7d, 2026-11-01 or '2026-11-01 10:00' (UTC)
? 2
$ stint calibrate --show --forget
! stint: --show changes nothing, --forget does: choose one
? 2
$ stint accuracy --by month,gpu
! stint: --by: 'month,gpu' is not one of month, gpu, framework
? 2
$ stint accuracy --since tomorrow
! stint: --since: 'tomorrow' is neither a time nor a date
!   hint: write 12h, 7d, 2026-11-01 or '2026-11-01 10:00' (UTC)
? 2
$ echo words >words.db; stint --ledger words.db calibrate 2>&1 | head -1
| stint: the ledger 'words.db' is damaged: file is not a database
$ stint --ledger words.db estimate llama-2-7b --method lora --on A100 --tokens 1M 2>&1 >/dev/null | head -1
| stint: warning: estimating without corrections from your runs: the ledger 'words.db' is damaged: file is not a database
