What to change, and what it saves. Without a ledger, and mistakes:
$ stint advise
| period          2026-10-17 to 2026-11-15: 0 runs of 0 jobs
| cost            $0.00 a month
| savings         nothing found
| 
| note: nothing is recorded yet. 'stint run -- COMMAND' records runs: idle time,
|       stalls, failures, repeats and right-sizing come from them. 'stint advise
|       JOB' needs no records
$ stint advise last
! stint: there is no run, job file or model 'last'
!   hint: no run is recorded yet ('stint run -- COMMAND' records one); 'stint catalog show models' lists models
? 4
$ stint advise --category money
! stint: there is no category 'money'
!   hint: use compute, training, serving, storage or carbon
? 2
$ stint advise last --since 30d
! stint: --since and --until are for all runs, not for 'last'
!   hint: 'stint advise --since 90d'
? 2
$ stint advise --effort weeks
! stint: --effort: 'weeks' is not one of minutes, hours, days
? 2
$ stint advise --min-savings 5
! stint: --min-savings: '5' is not an amount of money
!   hint: give the currency: 5usd, or '$5' in quotes, since the shell expands $ and digits
? 2
$ stint advise dismiss
! stint: advise dismiss needs an ID
!   hint: stint advise dismiss idle-time-764e9c1d --reason 'a demo machine'
? 2
$ stint advise dismiss idle-time-00000000
! stint: there is no finding 'idle-time-00000000'
!   hint: 'stint advise' lists them with their ids; name the run or the job for one of theirs
? 4
$ stint advise restore idle-time-00000000
! stint: 'idle-time-00000000' was neither dismissed nor applied
!   hint: 'stint advise --all' shows what was
? 4
$ stint advise rules idle-tim
! stint: there is no rule 'idle-tim'
!   hint: did you mean 'idle-time'?
? 4
$ stint advise rules idle-time
| idle-time  stop runs that are idle
|     category  compute; effort: minutes; risk: low; lever: idle
|     looks at  time in which neither GPU, processor nor disk was busy, by run
|     applies   a run was idle for longer than a guard of 10 min would let it
|     computed  idle money of each run beyond the guard
|     source    measured
$ stint advise facts cost_per
| fact           unit     what
| cost_per_run   dollars  mean cost of completed runs
| cost_per_step  dollars  mean cost per step of completed runs
$ stint advise facts colour
! stint: there is no fact 'colour'
!   hint: 'stint advise facts' lists them
? 4
$ "$STINT_TEST_LEDGER" home/.local/share/stint/ledger.db advise
A month of five works:
$ stint advise
| period          2026-10-17 to 2026-11-15: 23 runs of 5 jobs
| cost            $145 a month
| savings         $99.4 a month ($74.7 to $111), 69 %, with 8 findings together
| 
|  1. bert (project nlp): use a GPU that fits
|     saves     $50.3 a month ($42.4 to $55.9), 49 % of its cost; effort: minutes;
|               risk: medium
|     seen      8 runs, 28 GPU-hours of A100-SXM-40GB, 34 % utilization, 23 % of
|               40 GB used: a smaller GPU would do
|     do        stint run --offer gcp/us-east4/g2-standard-4:on-demand -- COMMAND
|     computed  the same work on gcp/us-east4/g2-standard-4 (1x L4): $37.5 a
|               month, price from 2026-08-22, 1.9 times the time; time by data
|               sheets; 80 % range of price and time; its memory: at most 9.77 of
|               23.9 GB needed (90th percentile), 59 % left
|     id        right-size-4c613784
| 
|  2. bert (project nlp): stop runs that are idle
|     saves     $18.6 a month ($8.81 to $23.0), 18 % of its cost; effort: minutes;
|               risk: low
|     seen      8 runs, 28 GPU-hours; nothing was busy for $23.49 of $102.76 (23
|               %)
|     do        stint run --idle 10min -- COMMAND
|     computed  idle money of each run beyond a guard of 10 min; range: a guard of
|               30 min, of 1 min
|     id        idle-time-9be16c48
| 
|  3. jupyter: stop idle notebooks
|     saves     $13.1 a month ($12.1 to $13.7), 81 % of its cost; effort: minutes;
|               risk: low
|     seen      2 notebooks; nothing was busy for $14.08 of $16.10 (88 %)
|     do        stint run --idle 30min -- jupyter lab
|     computed  idle money of each notebook beyond a guard of 30 min; range: a
|               guard of 1 h, of 10 min
|     id        notebook-idle-75688f5f
| 
|  4. resnet: use spot machines
|     saves     $9.07 a month ($3.21 to $9.81), 57 % of its cost; effort: hours;
|               risk: medium; adds $5.60 a month beside the others
|     seen      6 runs, 15.7 GPU-hours of A10G, 62 % utilization, 75 % of 24 GB
|               used on demand; spot is $0.3535/hr at aws/us-east-2/g5.xlarge
|               instead of $1.01/hr, 0.35 interruptions expected in a run
|     do        save checkpoints and resume from them, then: stint run --offer
|               aws/us-east-2/g5.xlarge:spot -- COMMAND
|     computed  spot price from 2026-08-22, 21 % more time for interruptions (the
|               run begins again); range: their 80 % range, of machines of the
|               provider; what moving the data costs is not known: range from half
|               of it
|     id        spot-bd7226ad
| 
|  5. resnet: load data faster
|     saves     $6.04 a month ($5.03 to $6.04), 38 % of its cost; effort: hours;
|               risk: low
|     seen      6 runs, 15.7 GPU-hours; GPUs waited for data for $6.04 of $15.79
|               (38 %)
|     do        DataLoader(num_workers=twice as many, persistent_workers=True,
|               pin_memory=True), or the data on a local disk
|     computed  a loader that is twice as fast and overlaps the steps; range: 1.5
|               times as fast, no stalls
|     id        data-stalls-658bf6de
| 
|  6. llama (project nlp): find mistakes in a short run
|     saves     $3.69 a month ($2.77 to $4.02), 92 % of its cost; effort: hours;
|               risk: none
|     seen      4 of 4 runs failed: $4.02 of $4.02 (100 %); 4 x killed (status
|               137: mostly out of memory)
|     do        'stint estimate JOB --on GPU' shows what fits, 'stint tune --
|               COMMAND' finds the largest batch
|     computed  cost of failed runs after their first 5 min, in which a trial
|               would fail, too; range: only causes that had happened before, all
|               failures
|     id        failed-runs-5ebe0bf0
| 
|  7. eval: use spot machines
|     saves     $1.19 a month ($0.471 to $1.26), 20 % of its cost; effort: hours;
|               risk: medium
|     seen      3 runs, 6 GPU-hours of A10G, 80 % utilization, 67 % of 24 GB used
|               on demand; spot is $0.3535/hr at aws/us-east-2/g5.xlarge instead
|               of $1.01/hr, 0.29 interruptions expected in a run
|     do        save checkpoints and resume from them, then: stint run --offer
|               aws/us-east-2/g5.xlarge:spot -- COMMAND
|     computed  spot price from 2026-08-22, 17 % more time for interruptions (the
|               run begins again); range: their 80 % range, of machines of the
|               provider; what moving the data costs is not known: range from half
|               of it
|     id        spot-d3e18467
| 
|  8. jupyter: use a GPU that fits
|     saves     $0.938 a month ($0.914 to $0.956), 5.8 % of its cost; effort:
|               minutes; risk: low
|     seen      2 runs, 16 GPU-hours of A10G, 5 % utilization, 17 % of 24 GB used:
|               a smaller GPU would do
|     do        stint run --offer aws/us-east-2/g4dn.xlarge:on-demand -- COMMAND
|     computed  the same work on aws/us-east-2/g4dn.xlarge (1x T4): $8.59 a month,
|               price from 2026-08-22; time by data sheets; 80 % range of price
|               and time; its memory: at most 4.34 of 15.9 GB needed (90th
|               percentile), 73 % left
|     id        right-size-fca91b6b
| 
| may save nothing, and not in the total
| 
|  9. bert (project nlp): use a cheaper machine elsewhere
|     saves     $73.0 a month ($0.00 to $74.1), 71 % of its cost; effort: hours;
|               risk: medium
|     seen      8 runs, 28 GPU-hours of A100-SXM-40GB, 34 % utilization, 23 % of
|               40 GB used at gcp/us-central1/a2-highgpu-1g
|     do        stint run --offer hyperstack/n3-RTX-A4000x1:on-demand -- COMMAND
|     computed  the same work on hyperstack/n3-RTX-A4000x1 (1x RTXA4000): $8.14 a
|               month, price from 2026-08-26, 1.9 times the time; you have no
|               known account there ('providers' in the configuration lists
|               yours), so the savings may be zero
|     id        cheaper-place-1268c23a
| 
| 10. bert (project nlp): use spot machines
|     saves     $28.4 a month ($0.00 to $33.2), 28 % of its cost; effort: hours;
|               risk: medium
|     seen      8 runs, 28 GPU-hours of A100-SXM-40GB, 34 % utilization, 23 % of
|               40 GB used on demand; spot is $2.12/hr instead of $3.67/hr, 0.2
|               interruptions expected in a run
|     do        save checkpoints and resume from them, then: stint run --offer
|               gcp/us-central1/a2-highgpu-1g:spot -- COMMAND
|     computed  spot price from 2026-08-22, 11 % more time for interruptions (the
|               run begins again); range: their 80 % range, of machines of the
|               provider
|     id        spot-ae505c42
| 
| 11. resnet: use a cheaper machine elsewhere
|     saves     $12.3 a month ($0.00 to $12.7), 78 % of its cost; effort: hours;
|               risk: medium
|     seen      6 runs, 15.7 GPU-hours of A10G, 62 % utilization, 75 % of 24 GB
|               used at aws/us-east-1/g5.xlarge
|     do        stint run --offer runpod/1x_RTXA5000_SECURE:on-demand -- COMMAND
|     computed  the same work on runpod/1x_RTXA5000_SECURE (1x RTXA5000): $3.45 a
|               month, price from 2026-08-22, 0.81 times the time; you have no
|               known account there ('providers' in the configuration lists
|               yours), so the savings may be zero
|     id        cheaper-place-c379b7be
| 
| 12. eval: do not repeat runs
|     saves     $4.02 a month ($0.00 to $4.02), 67 % of its cost; effort: minutes;
|               risk: low
|     seen      2 of 3 runs had the same command, configuration and code as one
|               that had ended well: $4.02 of $6.04 (67 %)
|     do        look for the result first: 'stint runs eval' lists what was done
|     computed  cost of the repeated runs; range: only those whose result is the
|               same, too
|     id        repeated-runs-25be625c
| 
| 13. jupyter: use a cheaper machine elsewhere
|     saves     $1.71 a month ($0.00 to $1.76), 11 % of its cost; effort: hours;
|               risk: medium
|     seen      2 runs, 16 GPU-hours of A10G, 5 % utilization, 17 % of 24 GB used
|               at aws/us-east-1/g5.xlarge
|     do        stint run --offer hyperstack/n3-RTX-A4000x1:on-demand -- COMMAND
|     computed  the same work on hyperstack/n3-RTX-A4000x1 (1x RTXA4000): $2.42 a
|               month, price from 2026-08-26; you have no known account there
|               ('providers' in the configuration lists yours), so the savings may
|               be zero
|     id        cheaper-place-8fd9cb38
| 
| 14. eval: use a cheaper machine elsewhere
|     saves     $1.60 a month ($0.00 to $1.65), 27 % of its cost; effort: hours;
|               risk: medium
|     seen      3 runs, 6 GPU-hours of A10G, 80 % utilization, 67 % of 24 GB used
|               at aws/us-east-1/g5.xlarge
|     do        stint run --offer runpod/1x_RTXA5000_SECURE:on-demand -- COMMAND
|     computed  the same work on runpod/1x_RTXA5000_SECURE (1x RTXA5000): $1.23 a
|               month, price from 2026-08-22, 0.76 times the time; you have no
|               known account there ('providers' in the configuration lists
|               yours), so the savings may be zero
|     id        cheaper-place-a2384d10
Only some of it:
$ stint advise --category training
| period          2026-10-17 to 2026-11-15: 23 runs of 5 jobs
| cost            $145 a month
| savings         $6.04 a month ($5.03 to $6.04), 4.2 %, with 1 finding together
| 
|  1. resnet: load data faster
|     saves     $6.04 a month ($5.03 to $6.04), 38 % of its cost; effort: hours;
|               risk: low
|     seen      6 runs, 15.7 GPU-hours; GPUs waited for data for $6.04 of $15.79
|               (38 %)
|     do        DataLoader(num_workers=twice as many, persistent_workers=True,
|               pin_memory=True), or the data on a local disk
|     computed  a loader that is twice as fast and overlaps the steps; range: 1.5
|               times as fast, no stalls
|     id        data-stalls-658bf6de
| 
| 13 left out by options
$ stint advise --effort minutes --min-savings 30usd
| period          2026-10-17 to 2026-11-15: 23 runs of 5 jobs
| cost            $145 a month
| savings         $50.3 a month ($42.4 to $55.9), 35 %, with 1 finding together
| 
|  1. bert (project nlp): use a GPU that fits
|     saves     $50.3 a month ($42.4 to $55.9), 49 % of its cost; effort: minutes;
|               risk: medium
|     seen      8 runs, 28 GPU-hours of A100-SXM-40GB, 34 % utilization, 23 % of
|               40 GB used: a smaller GPU would do
|     do        stint run --offer gcp/us-east4/g2-standard-4:on-demand -- COMMAND
|     computed  the same work on gcp/us-east4/g2-standard-4 (1x L4): $37.5 a
|               month, price from 2026-08-22, 1.9 times the time; time by data
|               sheets; 80 % range of price and time; its memory: at most 9.77 of
|               23.9 GB needed (90th percentile), 59 % left
|     id        right-size-4c613784
| 
| 13 left out by options
$ stint advise --since 7d --category compute --min-savings 10usd
| period          2026-11-09 to 2026-11-15: 0 runs of 0 jobs
| cost            $0.00 a month
| savings         nothing found
| 
| note: no run began in this period; --since 90d looks further back
$ stint advise --expensive 5usd --min-savings 50usd --json | grep -o '"rule":"[a-z-]*"'
| "rule":"expensive-runs"
| "rule":"right-size"
| "rule":"cheaper-place"
$ stint advise --expensive 50usd --json | grep -c expensive-runs
| 0
? 1
The page in the documentation shows real output.
$ . "$cases/transcript.sh"; transcript "$cases/../../docs/guide/advise.md"; grep -c '^[$] stint' expected.txt
| 2
What is decided stays decided, with its reason; what is applied is measured later.
$ stint advise dismiss notebook-idle-75688f5 --reason 'a demo'
! stint: there is no finding 'notebook-idle-75688f5'
!   hint: did you mean 'notebook-idle-75688f5f'?
? 4
$ stint advise dismiss notebook-idle-75688f5f --reason 'a demo machine'
| dismissed notebook-idle-75688f5f (jupyter: stop idle notebooks)
$ stint advise apply data-stalls-658bf6de
| applied data-stalls-658bf6de (resnet: load data faster)
| predicted $6.04 a month; 'stint advise' measures it from now on
$ stint advise --effort minutes --min-savings 13usd
| period          2026-10-17 to 2026-11-15: 23 runs of 5 jobs
| cost            $145 a month
| savings         $68.9 a month ($51.2 to $78.9), 48 %, with 2 findings together
| 
|  1. bert (project nlp): use a GPU that fits
|     saves     $50.3 a month ($42.4 to $55.9), 49 % of its cost; effort: minutes;
|               risk: medium
|     seen      8 runs, 28 GPU-hours of A100-SXM-40GB, 34 % utilization, 23 % of
|               40 GB used: a smaller GPU would do
|     do        stint run --offer gcp/us-east4/g2-standard-4:on-demand -- COMMAND
|     computed  the same work on gcp/us-east4/g2-standard-4 (1x L4): $37.5 a
|               month, price from 2026-08-22, 1.9 times the time; time by data
|               sheets; 80 % range of price and time; its memory: at most 9.77 of
|               23.9 GB needed (90th percentile), 59 % left
|     id        right-size-4c613784
| 
|  2. bert (project nlp): stop runs that are idle
|     saves     $18.6 a month ($8.81 to $23.0), 18 % of its cost; effort: minutes;
|               risk: low
|     seen      8 runs, 28 GPU-hours; nothing was busy for $23.49 of $102.76 (23
|               %)
|     do        stint run --idle 10min -- COMMAND
|     computed  idle money of each run beyond a guard of 10 min; range: a guard of
|               30 min, of 1 min
|     id        idle-time-9be16c48
| 
| applied
|   - resnet: load data faster, since 2026-11-15
|     predicted $6.04 a month; too few completed runs yet: 6 before and 0 since, 3
|     each are needed
| 
| 2 dismissed or applied: --all shows them
| 10 left out by options
$ stint advise --all --effort minutes --min-savings 13usd | grep -A9 notebooks
|  3. jupyter: stop idle notebooks
|     saves     $13.1 a month ($12.1 to $13.7), 81 % of its cost; effort: minutes;
|               risk: low; dismissed
|     seen      2 notebooks; nothing was busy for $14.08 of $16.10 (88 %)
|     do        stint run --idle 30min -- jupyter lab
|     computed  idle money of each notebook beyond a guard of 30 min; range: a
|               guard of 1 h, of 10 min
|     reason    a demo machine
|     id        notebook-idle-75688f5f
| 
| applied
|   - resnet: load data faster, since 2026-11-15
|     predicted $6.04 a month; too few completed runs yet: 6 before and 0 since, 3
$ stint advise restore notebook-idle-75688f5f
| restored notebook-idle-75688f5f (jupyter: stop idle notebooks)
$ stint advise restore notebook-idle-75688f5f
! stint: 'notebook-idle-75688f5f' was neither dismissed nor applied
!   hint: 'stint advise --all' shows what was
? 4
$ stint advise restore data-stalls-658bf6de --json | sed 's,"by":"[^"]*","by":"me",'
| {"schema":"stint.advise.restore/1","id":"data-stalls-658bf6de","rule":"data-stalls","title":"load data faster","subject":"resnet","name":"resnet","project":null,"state":"open","lever":"data","reason":null,"per":"month","by":"me","savings":{"amount":"6.036","currency":"USD"},"savings_low":{"amount":"5.03","currency":"USD"},"savings_high":{"amount":"6.036","currency":"USD"},"at":"2026-11-15T00:00:00Z","ledger":"home/.local/share/stint/ledger.db"}
Rules of one's own, in a file that is named or beside the configuration:
$ mkdir -p home/.config/stint; printf '%s\n' 'rules:' '  - name: long-notebooks' '    title: end notebooks at night' '    when: interactive > 0 and idle_cost > 50% * cost' '    savings: idle_cost * 0.5' '    low: idle_cost * 0.25' '    evidence: "{interactive} notebooks, idle for {idle_cost}"' '    action: "ask the owner of {name}"' '    acts_on: [idle]' >own.yaml
$ stint advise --rules own.yaml --json | grep -o '"id":"long[^}]*},"savings_low[^}]*}'
| "id":"long-notebooks-14d15a07","rule":"long-notebooks","title":"end notebooks at night","category":"compute","subject":"jupyter","savings":{"amount":"7.042","currency":"USD"},"savings_low":{"amount":"3.521","currency":"USD"}
$ cp own.yaml home/.config/stint/rules.yaml; stint advise --min-savings 6usd --effort hours | grep -A8 'at night'
|  5. jupyter: end notebooks at night
|     saves     $7.04 a month ($3.52 to $7.04), 44 % of its cost; effort: hours;
|               risk: low; adds $0.503 a month beside the others
|     seen      2 notebooks, idle for $14.08
|     do        ask the owner of jupyter
|     computed  idle_cost * 0.5
|     id        long-notebooks-14d15a07
| 
|  6. resnet: load data faster
$ stint advise dismiss long-notebooks-00000000
! stint: there is no finding 'long-notebooks-00000000'
!   hint: did you mean 'long-notebooks-14d15a07'?
? 4
$ sed -i 's/savings: idle_cost/savings: idel_cost/' own.yaml; stint advise --rules own.yaml
! stint: own.yaml:2: savings: there is no fact 'idel_cost'
!   hint: did you mean 'idle_cost'?
? 3
$ sed -i 's/idel_cost \* 0.5/cost * (cost \/ startup_cost)/' own.yaml; stint advise --rules own.yaml | tail -2
| 
| note: rule long-notebooks divides by zero for jupyter: it is left out there
$ sed -i 's/savings: .*/savings: runs/' own.yaml; stint advise --rules own.yaml
! stint: own.yaml:2: savings: 'runs' is not dollars
!   hint: multiply a cost: 'idle_cost * 0.5'
? 3
$ stint advise --rules absent.yaml
! stint: cannot open 'absent.yaml': No such file or directory
? 4
$ rm home/.config/stint/rules.yaml
One run; what was decided about its work holds for it:
$ stint advise jupyter --effort minutes --category compute
| run             jupyter (00000023)
| cost            $8.05 a run
| savings         $7.01 a run ($6.49 to $7.35), 87 %, with 2 findings together
| 
|  1. jupyter: stop idle notebooks
|     saves     $6.54 a run ($6.04 to $6.87), 81 % of its cost; effort: minutes;
|               risk: low
|     seen      1 notebook; nothing was busy for $7.04 of $8.05 (88 %)
|     do        stint run --idle 30min -- jupyter lab
|     computed  idle money of each notebook beyond a guard of 30 min; range: a
|               guard of 1 h, of 10 min
|     id        notebook-idle-75688f5f
| 
|  2. jupyter: use a GPU that fits
|     saves     $0.469 a run ($0.457 to $0.478), 5.8 % of its cost; effort:
|               minutes; risk: low
|     seen      1 run, 8 GPU-hours of A10G, 5 % utilization, 17 % of 24 GB used: a
|               smaller GPU would do
|     do        stint run --offer aws/us-east-2/g4dn.xlarge:on-demand -- COMMAND
|     computed  the same work on aws/us-east-2/g4dn.xlarge (1x T4): $4.30 a run,
|               price from 2026-08-22; time by data sheets; 80 % range of price
|               and time; its memory: at most 4.34 of 15.9 GB needed (90th
|               percentile), 73 % left
|     id        right-size-fca91b6b
| 
| 1 left out by options
$ stint advise jupyter --min-savings 6usd --svg advise.svg --json
| {"schema":"stint.advise/1","kind":"run","of":"jupyter (00000023)","per":"run","since":null,"until":null,"runs":1,"jobs":1,"jobs_left_out":0,"unpriced":0,"findings":[{"id":"notebook-idle-75688f5f","rule":"notebook-idle","title":"stop idle notebooks","category":"compute","subject":"jupyter","savings":{"amount":"6.539","currency":"USD"},"savings_low":{"amount":"6.036","currency":"USD"},"savings_high":{"amount":"6.874333333","currency":"USD"},"share":0.8125,"effort":"minutes","risk":"low","lever":"idle","evidence":"1 notebook; nothing was busy for $7.04 of $8.05 (88 %)","action":"stint run --idle 30min -- jupyter lab","method":"idle money of each notebook beyond a guard of 30 min; range: a guard of 1 h, of 10 min","source":"measured","chosen":true,"adds":{"amount":"6.539","currency":"USD"},"state":"open"}],"possible":[],"dismissed":0,"hidden":2,"total":{"spent":{"amount":"8.048","currency":"USD"},"savings":{"amount":"6.539","currency":"USD"},"savings_low":{"amount":"6.036","currency":"USD"},"savings_high":{"amount":"6.874333333","currency":"USD"},"share":0.8125,"findings":1},"applied":[],"compression":[],"compression_unit":null,"cleaner":[],"data":{"folder":null,"at":null,"to":null,"size":null,"files":null,"price":null,"ways":[]},"notes":[],"svg":"advise.svg"}
$ grep -c 'stop idle notebooks' advise.svg
| 2
A job: what is found is computed by the estimator.
$ stint advise llama-2-7b --lora --tokens 25M --on A100 --json | grep -o '"kind":"[a-z]*","of":"[^"]*","per":"[a-z]*"'
| "kind":"job","of":"llama-2-7b","per":"run"
! stint: note: 'A100' means A100-SXM-80GB, the SXM form with the most memory
! stint: warning: the price is 85 days old, 80 % range $1.27/hr to $1.50/hr; 'stint price fetch skypilot' updates prices
$ stint advise nosuchjob
! stint: there is no run, job file or model 'nosuchjob'
!   hint: 'stint runs' lists runs, 'stint catalog show models' models
? 4
An hour is cheaper where a pattern is measured: the mean over all hours of a run counts.
$ mkdir hours; printf 'provider,market,days,from_hour,to_hour,multiplier,kind,date,source,notes\ngcp,on-demand,weekday,0,2,0.5,measured,2026-11-01,made up,\ngcp,on-demand,weekday,2,24,1,measured,2026-11-01,made up,\ngcp,on-demand,weekend,0,24,1,measured,2026-11-01,made up,\n' >hours/price_hours.csv
$ stint advise --catalog hours --json | grep -o '"cheaper-hour"[^{]*{"amount":"[0-9.]*"'
| "cheaper-hour","title":"start at a cheaper hour","category":"compute","subject":"bert (project nlp)","savings":{"amount":"19.818"
$ stint advise --catalog hours --json | grep -o 'start it at [^"]*","method":"[^"]*"'
| start it at 00:00 UTC on a weekday","method":"0.75 times the week's mean then, as measured"
