A job file as it was before and as it is: both are planned at today's prices, so their errors cancel.
$ printf '%s\n' 'train:' '  model: llama-2-7b' '  method: lora' '  data: {examples: 50000, tokens: 512}' '  epochs: 3' '  global_batch: 128' 'limits: {gpus: [H100]}' >before.yaml; sed 's/epochs: 3/epochs: 4/' before.yaml >after.yaml
$ stint check before.yaml --baseline before.yaml
| before          before.yaml, on cudo/no-kristiansand-1/sapphire-rapids-h100_1x12v24gb:on-demand at $1.98/hr, price from 2026-08-22
| after           before.yaml, on cudo/no-kristiansand-1/sapphire-rapids-h100_1x12v24gb:on-demand at $1.98/hr, price from 2026-08-22
| 
|           before     after  change  
| cost       $4.32     $4.32     0 %  same
| time     2h11min   2h11min     0 %  same
| energy  2.43 kWh  2.43 kWh     0 %  same
| 
| passed: nothing increased by more than 10 %
! stint: warning: the price of the best plan is 85 days old, 80 % range $1.61/hr to $2.43/hr; 'stint price fetch skypilot' updates prices
$ stint check after.yaml --baseline before.yaml --markdown check.md
| before          before.yaml, on cudo/no-kristiansand-1/sapphire-rapids-h100_1x12v24gb:on-demand at $1.98/hr, price from 2026-08-22
| after           after.yaml, on cudo/no-kristiansand-1/sapphire-rapids-h100_1x12v24gb:on-demand at $1.98/hr, price from 2026-08-22
| 
|           before     after  change  
| cost       $4.32     $5.70   +32 %  increased
| time     2h11min   2h52min   +32 %  increased
| energy  2.43 kWh  3.23 kWh   +33 %  increased
| 
| failed: cost increased by 32 % ($4.32 to $5.70), time by 32 % (2h11min to 2h52min), energy by 33 % (2.43 kWh to 3.23 kWh); the limit is 10 %
! stint: warning: the price of the best plan is 85 days old, 80 % range $1.61/hr to $2.43/hr; 'stint price fetch skypilot' updates prices
? 5
$ cat check.md
| ### Cost check: failed
| 
| | | before | after | change | |
| |---|---:|---:|---:|---|
| | cost | $4.32 ($3.46 to $5.40) | $5.70 ($4.56 to $7.12) | +32 % | **increased** |
| | time | 2h11min (2h to 2h22min) | 2h52min (2h38min to 3h8min) | +32 % | **increased** |
| | energy | 2.43 kWh (2.23 kWh to 2.65 kWh) | 3.23 kWh (2.96 kWh to 3.52 kWh) | +33 % | **increased** |
| 
| cost increased by 32 % ($4.32 to $5.70), time by 32 % (2h11min to 2h52min), energy by 33 % (2.43 kWh to 3.23 kWh); the limit is 10 %
| 
| - before: plan `before.yaml`, cost of a job, on `cudo/no-kristiansand-1/sapphire-rapids-h100_1x12v24gb:on-demand` at $1.98/hr, price from 2026-08-22
| - after: plan `after.yaml`, cost of a job, on `cudo/no-kristiansand-1/sapphire-rapids-h100_1x12v24gb:on-demand` at $1.98/hr, price from 2026-08-22
$ stint check after.yaml --baseline before.yaml --max-increase 40%
| before          before.yaml, on cudo/no-kristiansand-1/sapphire-rapids-h100_1x12v24gb:on-demand at $1.98/hr, price from 2026-08-22
| after           after.yaml, on cudo/no-kristiansand-1/sapphire-rapids-h100_1x12v24gb:on-demand at $1.98/hr, price from 2026-08-22
| 
|           before     after  change  
| cost       $4.32     $5.70   +32 %  within the limit
| time     2h11min   2h52min   +32 %  within the limit
| energy  2.43 kWh  3.23 kWh   +33 %  within the limit
| 
| passed: nothing increased by more than 40 %
! stint: warning: the price of the best plan is 85 days old, 80 % range $1.61/hr to $2.43/hr; 'stint price fetch skypilot' updates prices
$ stint check after.yaml --baseline before.yaml --measures energy,predictions --max-increase 12.5% 2>/dev/null
| before          before.yaml, on cudo/no-kristiansand-1/sapphire-rapids-h100_1x12v24gb:on-demand at $1.98/hr, price from 2026-08-22
| after           after.yaml, on cudo/no-kristiansand-1/sapphire-rapids-h100_1x12v24gb:on-demand at $1.98/hr, price from 2026-08-22
| 
|           before     after  change  
| cost       $4.32     $5.70   +32 %  not checked
| time     2h11min   2h52min   +32 %  not checked
| energy  2.43 kWh  3.23 kWh   +33 %  increased
| 
| failed: energy increased by 33 % (2.43 kWh to 3.23 kWh); the limit is 12.5 %
? 5
$ stint check before.yaml --baseline after.yaml --json 2>/dev/null | grep -o '"passed":[a-z]*,"verdict":"[^"]*"'
| "passed":true,"verdict":"passed: nothing increased by more than 10 %"

On given GPUs; another GPU has other errors.
$ stint check after.yaml --baseline before.yaml --on H100 2>/dev/null
| before          before.yaml, on cudo/no-kristiansand-1/sapphire-rapids-h100_1x12v24gb:on-demand at $1.98/hr, price from 2026-08-22
| after           after.yaml, on cudo/no-kristiansand-1/sapphire-rapids-h100_1x12v24gb:on-demand at $1.98/hr, price from 2026-08-22
| 
|           before     after  change  
| cost       $4.32     $5.69   +32 %  increased
| time     2h11min   2h52min   +32 %  increased
| energy  2.43 kWh  3.23 kWh   +33 %  increased
| 
| failed: cost increased by 32 % ($4.32 to $5.69), time by 32 % (2h11min to 2h52min), energy by 33 % (2.43 kWh to 3.23 kWh); the limit is 10 %
? 5
$ sed 's/H100/A100/' before.yaml >a100.yaml; stint check a100.yaml --baseline before.yaml 2>/dev/null
| before          before.yaml, on cudo/no-kristiansand-1/sapphire-rapids-h100_1x12v24gb:on-demand at $1.98/hr, price from 2026-08-22
| after           a100.yaml, on runpod/*/1x_A100-80GB_COMMUNITY:on-demand at $1.19/hr, price from 2026-11-09
| 
|           before     after  change  error  
| cost       $4.32     $5.89   +36 %   27 %  within the error
| time     2h11min   4h56min  +127 %   13 %  increased
| energy  2.43 kWh  2.84 kWh   +17 %   13 %  within the error
| 
| failed: time increased by 127 % (2h11min to 4h56min); the limit is 10 %
? 5

Saved plans and estimates.
$ stint plan before.yaml --save plan.json >/dev/null 2>&1; stint estimate before.yaml --on H100 --json 2>/dev/null >estimate.json
$ stint check after.yaml --baseline plan.json 2>/dev/null | tail -n 1
| failed: cost increased by 32 % ($4.32 to $5.70), time by 32 % (2h11min to 2h52min), energy by 33 % (2.43 kWh to 3.23 kWh); the limit is 10 %
$ stint check plan.json --baseline estimate.json
| before          estimate.json, on cudo/no-kristiansand-1/sapphire-rapids-h100_1x12v24gb:on-demand at $1.98/hr, price from 2026-08-22
| after           plan.json, on cudo/no-kristiansand-1/sapphire-rapids-h100_1x12v24gb:on-demand at $1.98/hr, price from 2026-08-22
| 
|           before     after   change  
| cost       $4.32     $4.32  <+0.1 %  same
| time     2h11min   2h11min      0 %  same
| energy  2.43 kWh  2.43 kWh      0 %  same
| 
| passed: nothing increased by more than 10 %
$ sed 's/"price":{"amount":"1[^"]*"/"price":{"amount":"1"/g; s/"cost":{"amount":"4[^"]*"/"cost":{"amount":"2.2"/' plan.json >cheap.json; stint check plan.json --baseline cheap.json
| before          cheap.json, on cudo/no-kristiansand-1/sapphire-rapids-h100_1x12v24gb:on-demand at $1.00/hr, price from 2026-08-22
| after           plan.json, on cudo/no-kristiansand-1/sapphire-rapids-h100_1x12v24gb:on-demand at $1.98/hr, price from 2026-08-22
| 
|           before     after  change  
| cost       $2.20     $4.32   +96 %  price change
| time     2h11min   2h11min     0 %  same
| energy  2.43 kWh  2.43 kWh     0 %  same
| 
| passed: increases above 10 % are explained: cost +96 % by the price of the machine (+98 %)

A price that changed fails an absolute limit.
$ stint check plan.json --max-cost 4usd
| checked         plan.json, on cudo/no-kristiansand-1/sapphire-rapids-h100_1x12v24gb:on-demand at $1.98/hr, price from 2026-08-22
| 
|              now
| cost       $4.32
| time     2h11min
| energy  2.43 kWh
| 
| failed: cost $4.32 is above the limit of $4.00
? 5
$ stint check plan.json --max-cost '$5' --baseline cheap.json | tail -n 1
| passed: increases above 10 % are explained: cost +96 % by the price of the machine (+98 %); cost $4.32 is within $5.00

Serving: cost of a month and of 1,000 predictions.
$ printf '%s\n' 'infer: {model: bert-base, rate: 20/s, input: 128}' >serve.yaml; sed 's/base/large/' serve.yaml >more.yaml
$ stint check more.yaml --baseline serve.yaml 2>/dev/null
| before          serve.yaml, on hyperstack/*/n3-RTX-A4000x1 at $0.1500/hr, price from 2026-08-26
| after           more.yaml, on hyperstack/*/n3-RTX-A4000x1 at $0.1500/hr, price from 2026-08-26
| 
|                               before     after  change  error  
| cost                            $108      $108     0 %   31 %  same
| time                             4ms      11ms  +144 %   24 %  increased
| cost per 1,000 predictions  $0.00208  $0.00208     0 %   31 %  same
| 
| failed: time increased by 144 % (4ms to 11ms); the limit is 10 %
? 5
$ stint check serve.yaml --baseline before.yaml 2>&1 | tail -n 1
| stint: 'before.yaml' has the cost of a job, but 'serve.yaml' of a month

Reports: the keys of the cost guide, in the folder of the experiment.
$ mkdir -p old/cost_analysis new/cost_analysis; echo '{"cost_breakdown":{"training":{"time_hours":0.12,"energy_kwh":0.0583,"cost_local_usd":0.0076,"cost_aws_usd":0.36},"inference":{"cost_per_1k":0.0000167}},"recommendations":[]}' >old/cost_analysis/cost_analysis.json; sed 's/0.0000167/0.00002/; s/0.0076/0.0512/' old/cost_analysis/cost_analysis.json >new/cost_analysis/cost_analysis.json
$ stint check new --baseline old --max-cost 0.05usd
| before          old, varies by 9.4 % (no repeats: assumed)
| after           new, varies by 9.4 % (no repeats: assumed)
| 
|                                 before     after  change  error  
| cost                           $0.0076   $0.0512  +574 %   14 %  increased
| time                           7min12s   7min12s     0 %   14 %  same
| energy                         58.3 Wh   58.3 Wh     0 %   14 %  same
| cost per 1,000 predictions  $0.0000167  $0.00002   +20 %   14 %  within the error
| 
| failed: cost increased by 574 % ($0.0076 to $0.0512); the limit is 10 %; cost $0.0512 is above the limit of $0.0500
? 5
$ stint check old/cost_analysis/cost_analysis.json --baseline old --max-increase 0%
| before          old, varies by 9.4 % (no repeats: assumed)
| after           old/cost_analysis/cost_analysis.json, varies by 9.4 % (no repeats: assumed)
| 
|                                 before       after  change  error  
| cost                           $0.0076     $0.0076     0 %   14 %  same
| time                           7min12s     7min12s     0 %   14 %  same
| energy                         58.3 Wh     58.3 Wh     0 %   14 %  same
| cost per 1,000 predictions  $0.0000167  $0.0000167     0 %   14 %  same
| 
| passed: nothing increased by more than 0 %

Runs. Without repeats they vary as is assumed: 20 % more may be noise, 40 % more is not.
$ stint check --baseline before.yaml
! stint: there is no ledger 'home/.local/share/stint/ledger.db' yet
!   hint: 'stint run -- COMMAND' makes it
? 4
$ stint runs add --name nightly --cost 100usd --start 2026-11-01T00:00:00Z --end 2026-11-01T10:00:00Z >/dev/null; stint runs add --name today --cost 120usd --start 2026-11-02T00:00:00Z --end 2026-11-02T10:30:00Z >/dev/null
$ stint check today --baseline nightly >out; status=$?; sed 's/run [0-9a-f]*/run ID/' out; exit $status
| before          run ID (nightly), varies by 9.4 % (no repeats: assumed)
| after           run ID (today), varies by 9.4 % (no repeats: assumed)
| 
|        before     after  change  error  
| cost  $100.00   $120.00   +20 %   14 %  within the error
| time      10h  10h30min    +5 %   14 %  within the limit
| 
| passed: increases above 10 % are explained: cost +20 % by error (14 %)
$ stint runs add --name later --cost 140usd --start 2026-11-01T12:00:00Z --end 2026-11-01T22:00:00Z >/dev/null; stint check later --baseline nightly | tail -n 1; stint check later --baseline nightly --json | grep -o '"variation[^,}]*'
| failed: cost increased by 40 % ($100.00 to $140.00); the limit is 10 %
| "variation":0.09385920688474322
| "variation_from":"no repeats: assumed"
| "variation":0.09385920688474322
| "variation_from":"no repeats: assumed"
$ stint check --max-cost 100usd >out; status=$?; sed 's/run [0-9a-f]*/run ID/' out; exit $status
| checked         run ID (today)
| 
|            now
| cost   $120.00
| time  10h30min
| 
| failed: cost $120.00 is above the limit of $100.00
? 5

Repeats of the same run show how much it varies.
$ $STINT_TEST_LEDGER repeats.db repeats
$ stint check 0005 --baseline 0004 --ledger repeats.db
| before          run 00000004 (nightly), on aws/us-east-1/g5.xlarge at $0.4000/hr, varies by 9.7 % (4 repeats)
| after           run 00000005 (nightly), on aws/us-east-1/g5.xlarge at $0.4000/hr, varies by 9.7 % (4 repeats)
| 
|           before    after  change  error  
| cost     $0.4258  $0.4900   +15 %   14 %  within the error
| time          1h  1h10min   +15 %   14 %  within the error
| energy  212.9 Wh   245 Wh   +15 %   16 %  within the error
| 
| passed: increases above 10 % are explained: cost +15 % by error (14 %), time +15 % by error (14 %), energy +15 % by error (16 %)
$ stint check 0006 --baseline 0004 --ledger repeats.db
| before          run 00000004 (nightly), on aws/us-east-1/g5.xlarge at $0.4000/hr, varies by 9.7 % (4 repeats)
| after           run 00000006 (nightly), on aws/us-east-1/g5.xlarge at $0.4000/hr, varies by 9.7 % (4 repeats)
| 
|           before    after  change  error  
| cost     $0.4258  $0.6300   +48 %   14 %  increased
| time          1h  1h30min   +48 %   14 %  increased
| energy  212.9 Wh   315 Wh   +48 %   16 %  increased
| 
| failed: cost increased by 48 % ($0.4258 to $0.6300), time by 48 % (1h to 1h30min), energy by 48 % (212.9 Wh to 315 Wh); the limit is 10 %
? 5
$ stint check --baseline 0004 --ledger repeats.db | tail -n 1
| passed: nothing increased by more than 10 %
$ stint check 0004 --baseline estimate.json --ledger repeats.db --measures time
| before          estimate.json, on cudo/no-kristiansand-1/sapphire-rapids-h100_1x12v24gb:on-demand at $1.98/hr, price from 2026-08-22
| after           run 00000004 (nightly), on aws/us-east-1/g5.xlarge at $0.4000/hr, varies by 9.7 % (4 repeats)
| 
|           before     after  change  error  
| cost       $4.32   $0.4258   -90 %   27 %  lower
| time     2h11min        1h   -54 %   14 %  lower
| energy  2.43 kWh  212.9 Wh   -91 %   15 %  lower
| 
| passed: nothing increased by more than 10 %

The report of a run, which a later one is compared with.
$ stint report 0004 --ledger repeats.db -o report >/dev/null; stint check 0006 --baseline report --ledger repeats.db
| before          report, varies by 9.7 % (4 past runs of repeated work)
| after           run 00000006 (nightly), on aws/us-east-1/g5.xlarge at $0.4000/hr, varies by 9.7 % (4 past runs of repeated work)
| 
|           before    after  change  error  
| cost     $0.4258  $0.6300   +48 %   14 %  increased
| time          1h  1h30min   +48 %   14 %  increased
| energy  212.9 Wh   315 Wh   +48 %   16 %  increased
| 
| failed: cost increased by 48 % ($0.4258 to $0.6300), time by 48 % (1h to 1h30min), energy by 48 % (212.9 Wh to 315 Wh); the limit is 10 %
? 5

A run that failed, and a ledger with one of every kind.
$ $STINT_TEST_LEDGER runs.db
$ stint check prepare --max-cost 1usd --ledger runs.db
! stint: warning: run dddd0004 is not complete (lost): its cost does not cover the complete work
! stint: run dddd0004 (prepare): its cost is not known, so --max-cost cannot be checked
? 3

Names are shown as they are, whatever is in them.
$ cp plan.json 'a`b|<b>@all.json'; stint check 'a`b|<b>@all.json' --max-cost 9usd --markdown - | tail -n 1; stint check 'a`b|<b>@all.json' --max-cost 9usd --markdown - | grep '^- '
| passed: cost $4.32 is within $9.00
| - checked: plan `` a`b|<b>@all.json ``, cost of a job, on `cudo/no-kristiansand-1/sapphire-rapids-h100_1x12v24gb:on-demand` at $1.98/hr, price from 2026-08-22
$ printf 'x\033[31m\377' >name; cp plan.json "$(cat name)"; stint check "$(cat name)" --max-cost 9usd --markdown odd.md | head -n 1; tail -n 1 odd.md | cut -c 1-30
| checked         x?[31m?, on cudo/no-kristiansand-1/sapphire-rapids-h100_1x12v24gb:on-demand at $1.98/hr, price from 2026-08-22
| - checked: plan `x?[31m?`, cos

Nothing is half-written, and nothing that is read is overwritten.
$ stint check plan.json --max-cost 9usd --markdown none/check.md
! stint: cannot write 'none/check.md': No such file or directory
? 1
$ stint check plan.json --max-cost 9usd --markdown plan.json
! stint: --markdown: 'plan.json' is read by this command, and would be overwritten
!   hint: name another file
? 2

Errors.
$ stint check
! stint: check needs --baseline or --max-cost
!   hint: stint check job.yaml --baseline job-before.yaml --max-increase 10%
? 2
$ stint check before.yaml --baseline none.yaml 2>&1 | tail -n 1
| stint: --baseline: cannot open 'none.yaml': No such file or directory
$ stint check none --baseline plan.json
! stint: there is no run 'none'
!   hint: 'stint runs' lists them; 'last' is the newest
? 4
$ stint check check.md --baseline plan.json
! stint: check.md:3:3: did not find expected comment or line break
? 3
$ echo '{"a":1}' >a.json; stint check a.json --baseline plan.json
! stint: a.json: not a saved plan, an estimate or a cost analysis: it has no schema
!   hint: give a file of 'stint plan --save', 'stint estimate --json' or 'stint report', a job file, or a run
? 3
$ echo '{"schema":"stint.runs/1"}' >a.json; stint check plan.json --baseline a.json
! stint: --baseline: a.json: 'stint.runs/1' has no cost to compare
!   hint: give a file of 'stint plan --save', 'stint estimate --json' or 'stint report', a job file, or a run
? 3
$ echo '{"cost_breakdown":{"training":{"time_hours":"long"}}}' >a.json; stint check a.json --baseline plan.json
! stint: a.json: time_hours: expected a number that is not negative
? 3
$ echo '{"cost_breakdown":{}}' >a.json; stint check a.json --baseline plan.json
! stint: nothing to compare: 'plan.json' and 'a.json' have no cost, time or energy in common
? 3
$ mkdir empty; stint check empty --baseline plan.json
! stint: 'empty' has no cost_analysis/cost_analysis.json
!   hint: 'stint report --experiment empty' writes it
? 4
$ stint check plan.json --baseline plan.json --measures cost,tme
! stint: --measures: 'tme' is not one of cost, time, energy, predictions
!   hint: did you mean 'time'?
? 2
$ stint check plan.json --baseline plan.json --max-increase 10
! stint: --max-increase: '10' is not a share from 0 to 1
!   hint: write it as 20% or 0.2
? 2
$ stint check plan.json --max-cost 5
! stint: --max-cost: '5' is not an amount of money
!   hint: give the currency: 5usd, or '$5' in quotes, since the shell expands $ and digits
? 2
$ stint check before.yaml --max-cost 5usd --price 1usd/hr
! stint: --price needs --on or --offer
!   hint: which machine has that price? --offer aws/p5.48xlarge
? 2
