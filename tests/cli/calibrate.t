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
| nothing to learn from yet: runs with an estimate ('stint run --job JOB', '--plan FILE', or a callback) that completed and printed their steps are needed
| no run with an estimate and steps has ended well yet: 'stint run --job JOB -- COMMAND' makes one

Nine that were: five on one GPU, four of them of one model; on another GPU one ten times too long, one predicted by other constants, one without steps
$ "$STINT_TEST_LEDGER" empty.db brief; "$STINT_TEST_LEDGER" home/.local/share/stint/ledger.db planned "$(stint --ledger empty.db calibrate --show --json | sed 's/.*"constants":"\([^"]*\)".*/\1/')"
$ stint accuracy
| of       runs  step: median  mean error   worst  memory: median  mean error  cost: median  mean error
| 2026-09     8         +22 %       132 %  +900 %            +5 %         5 %           0 %         0 %
| 
| run      started (UTC)     GPU            model       step predicted  measured  off by  memory off by
| planned  2026-09-24 00:00  H100-SXM-80GB  -                   1.00 s    1.50 s   +50 %              -
| planned  2026-09-23 00:00  H100-SXM-80GB  -                   1.00 s    10.0 s  +900 %              -
| planned  2026-09-22 00:00  H100-SXM-80GB  -                   1.00 s    900 ms   -10 %              -
| planned  2026-09-21 00:00  A100-SXM-80GB  phi-2               1.00 s    1.20 s   +20 %           +5 %
| planned  2026-09-20 00:00  A100-SXM-80GB  llama-2-7b          1.00 s    1.00 s     0 %           +5 %
| planned  2026-09-19 00:00  A100-SXM-80GB  llama-2-7b          1.00 s    1.25 s   +25 %           +5 %
| planned  2026-09-18 00:00  A100-SXM-80GB  llama-2-7b          1.00 s    1.30 s   +30 %           +5 %
| planned  2026-09-17 00:00  A100-SXM-80GB  llama-2-7b          1.00 s    1.20 s   +20 %           +5 %
| 
| measured over predicted, less 1: the steady step time, without start-up, evaluations and checkpoints. 'stint calibrate' learns from it
| 1 run was on another GPU than estimated: left out
| 1 run recorded no step time (too short, or no steps printed): left out
$ stint accuracy --by gpu
| of             runs  step: median  mean error   worst  memory: median  mean error  cost: median  mean error
| A100-SXM-80GB     5         +20 %        19 %   +30 %            +5 %         5 %           0 %         0 %
| H100-SXM-80GB     3         +50 %       320 %  +900 %               -           -           0 %         0 %
| all               8         +22 %       132 %  +900 %            +5 %         5 %           0 %         0 %
| 
| run      started (UTC)     GPU            model       step predicted  measured  off by  memory off by
| planned  2026-09-24 00:00  H100-SXM-80GB  -                   1.00 s    1.50 s   +50 %              -
| planned  2026-09-23 00:00  H100-SXM-80GB  -                   1.00 s    10.0 s  +900 %              -
| planned  2026-09-22 00:00  H100-SXM-80GB  -                   1.00 s    900 ms   -10 %              -
| planned  2026-09-21 00:00  A100-SXM-80GB  phi-2               1.00 s    1.20 s   +20 %           +5 %
| planned  2026-09-20 00:00  A100-SXM-80GB  llama-2-7b          1.00 s    1.00 s     0 %           +5 %
| planned  2026-09-19 00:00  A100-SXM-80GB  llama-2-7b          1.00 s    1.25 s   +25 %           +5 %
| planned  2026-09-18 00:00  A100-SXM-80GB  llama-2-7b          1.00 s    1.30 s   +30 %           +5 %
| planned  2026-09-17 00:00  A100-SXM-80GB  llama-2-7b          1.00 s    1.20 s   +20 %           +5 %
| 
| measured over predicted, less 1: the steady step time, without start-up, evaluations and checkpoints. 'stint calibrate' learns from it
| 1 run was on another GPU than estimated: left out
| 1 run recorded no step time (too short, or no steps printed): left out
$ stint accuracy --by framework --since 56d
| of      runs  step: median  mean error   worst  memory: median  mean error  cost: median  mean error
| (none)     3         +50 %       320 %  +900 %               -           -           0 %         0 %
| hf         2         +10 %        10 %   +20 %            +5 %         5 %           0 %         0 %
| all        5         +20 %       196 %  +900 %            +5 %         5 %           0 %         0 %
| 
| run      started (UTC)     GPU            model       step predicted  measured  off by  memory off by
| planned  2026-09-24 00:00  H100-SXM-80GB  -                   1.00 s    1.50 s   +50 %              -
| planned  2026-09-23 00:00  H100-SXM-80GB  -                   1.00 s    10.0 s  +900 %              -
| planned  2026-09-22 00:00  H100-SXM-80GB  -                   1.00 s    900 ms   -10 %              -
| planned  2026-09-21 00:00  A100-SXM-80GB  phi-2               1.00 s    1.20 s   +20 %           +5 %
| planned  2026-09-20 00:00  A100-SXM-80GB  llama-2-7b          1.00 s    1.00 s     0 %           +5 %
| 
| measured over predicted, less 1: the steady step time, without start-up, evaluations and checkpoints. 'stint calibrate' learns from it
| 1 run was on another GPU than estimated: left out
| 1 run recorded no step time (too short, or no steps printed): left out
$ stint accuracy --by gpu --since 2026-09-25 --json
| {"schema":"stint.accuracy/1","rows":[],"runs":[],"count":0,"without_steps":1,"other_gpu":1,"all":{"of":"all","runs":0,"bias":null,"error":null,"worst":null,"memory_bias":null,"memory_error":null,"cost_bias":null,"cost_error":null}}
$ stint calibrate --show
| corrects   GPU            framework  model       setting                  factor           range  runs  error if left out  until now
| step time  A100-SXM-80GB  hf         llama-2-7b  lora bf16, sequence 512   1.242  1.210 to 1.274     4      19.9 -> 3.1 %          -
| memory     A100-SXM-80GB  hf         llama-2-7b  lora bf16, sequence 512   1.049  1.028 to 1.070     4       4.8 -> 0.1 %          -
| start-up   A100-SXM-80GB  hf         llama-2-7b  any                      10.5 s       9 to 12 s     4                  -          -
| 1 run recorded no step time (too short, or no steps printed): left out
| 1 run had steps more than 2 times as long as predicted, or less than half, and no two others of its setting agree: left out
| 1 run was on another GPU than estimated: left out
| 1 run was predicted by other constants: left out
| nothing was changed; without --show the corrections are stored
$ stint estimate llama-2-7b --method lora --on A100 --tokens 1M --set sequence=512 2>/dev/null | grep -c learned
| 0
? 1
$ stint calibrate
| corrects   GPU            framework  model       setting                  factor           range  runs  error if left out  until now
| step time  A100-SXM-80GB  hf         llama-2-7b  lora bf16, sequence 512   1.242  1.210 to 1.274     4      19.9 -> 3.1 %          -
| memory     A100-SXM-80GB  hf         llama-2-7b  lora bf16, sequence 512   1.049  1.028 to 1.070     4       4.8 -> 0.1 %          -
| start-up   A100-SXM-80GB  hf         llama-2-7b  any                      10.5 s       9 to 12 s     4                  -          -
| 1 run recorded no step time (too short, or no steps printed): left out
| 1 run had steps more than 2 times as long as predicted, or less than half, and no two others of its setting agree: left out
| 1 run was on another GPU than estimated: left out
| 1 run was predicted by other constants: left out
| estimates, plans and 'stint infer' use them from now on
$ stint calibrate --json | sed -E 's/"constants":"[^"]*"/"constants":"X"/; s/([0-9][.][0-9]{6})[0-9]+/\1/g'
| {"schema":"stint.calibrate/1","corrections":[{"of":"step","gpu":"A100-SXM-80GB","framework":"hf","model":"llama-2-7b","setting":"lora bf16, sequence 512","factor":1.241814,"low":1.210434,"high":1.274009,"runs":4,"error_before":0.199358,"error_after":0.030569,"before":1.241814},{"of":"memory","gpu":"A100-SXM-80GB","framework":"hf","model":"llama-2-7b","setting":"lora bf16, sequence 512","factor":1.049126,"low":1.028259,"high":1.070416,"runs":4,"error_before":0.047619,"error_after":0.001103,"before":1.049126},{"of":"startup","gpu":"A100-SXM-80GB","framework":"hf","model":"llama-2-7b","setting":null,"factor":10.5,"low":9,"high":12,"runs":4,"error_before":null,"error_after":null,"before":10.5}],"runs":6,"outliers":1,"other":1,"without_steps":1,"other_gpu":1,"rejected":7,"single":1,"servers":0,"servers_left_out":0,"constants":"X","dry_run":false,"forgotten":false}

Estimates use them, and say so
$ stint estimate llama-2-7b --method lora --on A100 --tokens 1M --set sequence=512 2>/dev/null | grep -E 'learned|time'
| note: steps take 1.24 times as long (1.21 to 1.27), memory is 1.05 times as much
|       (1.03 to 1.07), learned from 4 runs of this setting of llama-2-7b on
$ stint estimate llama-2-7b --method lora --on A100 --tokens 1M --set sequence=512 --raw 2>/dev/null | grep -c learned
| 0
? 1
$ stint estimate llama-2-7b --method lora --on A100 --tokens 1M --set sequence=1024 2>/dev/null | grep -E 'learned|starts'
| note: the first step starts after 10.5 s (not in this estimate), learned from 4
$ stint estimate llama-2-7b --method lora --on L4 --tokens 1M 2>/dev/null | grep -c learned
| 0
? 1

A time without runs does not make it forget; --forget does
$ stint calibrate --since 1d
| nothing to learn from yet: runs with an estimate ('stint run --job JOB', '--plan FILE', or a callback) that completed and printed their steps are needed
$ stint calibrate --show
| corrects   GPU            framework  model       setting                  factor           range  runs  error if left out  until now
| step time  A100-SXM-80GB  hf         llama-2-7b  lora bf16, sequence 512   1.242  1.210 to 1.274     4      19.9 -> 3.1 %      1.242
| memory     A100-SXM-80GB  hf         llama-2-7b  lora bf16, sequence 512   1.049  1.028 to 1.070     4       4.8 -> 0.1 %      1.049
| start-up   A100-SXM-80GB  hf         llama-2-7b  any                      10.5 s       9 to 12 s     4                  -     10.500
| 1 run recorded no step time (too short, or no steps printed): left out
| 1 run had steps more than 2 times as long as predicted, or less than half, and no two others of its setting agree: left out
| 1 run was on another GPU than estimated: left out
| 1 run was predicted by other constants: left out
| nothing was changed; without --show the corrections are stored
$ stint calibrate --forget
| all corrections are removed: estimates use the constants alone
$ stint estimate llama-2-7b --method lora --on A100 --tokens 1M --set sequence=512 2>/dev/null | grep -c learned
| 0
? 1

Mistakes
$ stint calibrate --since never
! stint: --since: 'never' is neither a time nor a date
!   hint: write yesterday, 12h, 7d, 2026-11-01 or '2026-11-01 10:00' (UTC)
? 2
$ stint calibrate --show --forget
! stint: --show changes nothing, --forget does: choose one
? 2
$ stint accuracy --by month,gpu
! stint: --by: 'month,gpu' is not one of month, gpu, framework
? 2
$ stint accuracy --since tomorrow
! stint: --since: 'tomorrow' is neither a time nor a date
!   hint: write yesterday, 12h, 7d, 2026-11-01 or '2026-11-01 10:00' (UTC)
? 2
$ echo words >words.db; stint --ledger words.db calibrate 2>&1 | head -1
| stint: the ledger 'words.db' is damaged: file is not a database
$ stint --ledger words.db estimate llama-2-7b --method lora --on A100 --tokens 1M 2>&1 >/dev/null | head -1
| stint: warning: estimating without corrections from your runs: the ledger 'words.db' is damaged: file is not a database
