How costs are handled, from facts in the ledger. Without one nothing is known, and it says what to record.
$ stint maturity | head -6; stint maturity | sed -n '/^next steps/,$p'
| There is no ledger yet, so nothing is known. 'stint run -- COMMAND' records runs,
| 'stint import FILE' adds cloud bills.
| 
| inform    not known  0 of 5 practices are known
| optimize  not known  0 of 6 practices are known
| operate   not known  0 of 6 practices are known
| next steps
| 1. record cost that is tagged
|    stint run --tag team=NAME -- COMMAND
| 2. record runs with a known cost
|    stint run -- COMMAND
| 3. record billed machines linked to runs
|    stint import BILL.csv
| 
| from 2026-08-18 to 2026-11-15; --explain shows thresholds and their sources
$ stint checklist | tail -12
| data             8     0         0     8
| experiment      10     0         0    10
| before          16     0         1    15
| during           9     0         0     9
| after           11     0         0    11
| evaluation       4     0         0     4
| compression      8     0         0     8
| deployment       9     0         0     9
| monthly         11     0         0    11
| 
| 'stint checklist PHASE' lists its items
| There is no ledger yet: 'stint run -- COMMAND' records the facts that prove items.
$ stint targets | tail -5
| quality lost over local runs    at most 0 %      ?  not known      -       ?  -      stint run --name NAME --early-stop val_loss:min -- COMMAND, here and in the cloud
| 
| no target is known yet
| from 2026-10-17 to 2026-11-15, compared with the same number of days before; 'stint targets set NAME VALUE'
| changes a goal, --json lists their sources
Runs whose shares are easily computed: 108.40 in all, 88.00 of it tagged, 20.00 failed, 20.00 repeated.
$ "$STINT_TEST_LEDGER" home/.local/share/stint/ledger.db practice
$ STINT_NOW=2026-09-01 stint budget set all 60usd
| added the budget 'all': $60.00 a month, for everything
| alerts: none ('--alert CHANNEL' sets where they go); at 50, 75, 90, 100 % spent; at 100 % forecast
$ stint maturity
| inform    walk       4 of 5 practices are known
| optimize  crawl      6 of 6 practices are known
| operate   crawl      6 of 6 practices are known
| 
| domain    practice                         value  level      next level      measured on
| inform    cost that is tagged               81 %  walk       90 % for run    $88.00 of $108.40 has the tag 'team'
| inform    runs with a known cost            90 %  walk       99 % for run    9 of 10 runs
| inform    GPU-hours measured                98 %  run                        58 of 59 GPU-hours
| inform    billed machines linked to runs       ?  not known                  not recorded yet
| inform    budgets that alert in time         0 %  none       50 % for crawl  0 of 1 budgets send an alert before and at 100 %
| optimize  GPU utilization                   58 %  crawl      60 % for walk   10 runs, 58 GPU-hours, $48.04 paid while idle
| optimize  compute on spot                   41 %  crawl      50 % for walk   of $108.40 for compute
| optimize  cost of failed runs               18 %  crawl      10 % for walk   $20.00 of $108.40 for runs that failed or were lost
| optimize  cost of repeated runs             18 %  crawl      10 % for walk   $20.00 of $108.40 for 1 run of a configuration that had completed
| optimize  long runs with checkpoints        74 %  crawl      80 % for walk   $80.00 of $108.40 for runs of an hour or more
| optimize  runs estimated first              59 %  walk       80 % for run    $64.00 of $108.40 for runs with an estimate
| operate   compute on spot or commitments    41 %  none       60 % for crawl  of $108.40 for compute
| operate   runs with a budget limit          42 %  crawl      50 % for walk   $46.00 of $108.40 for runs with --budget
| operate   budget periods kept               50 %  crawl      80 % for walk   1 of 2 budget periods
| operate   time to acknowledge anomalies   8.00 h  walk       4.00 h for run  median of 2 anomalies, 2 acknowledged
| operate   forecast error of a month         92 %  none       20 % for crawl  median of 1 complete month, forecast on day 15
| operate   estimate error of a run           20 %  walk       15 % for run    median of 5 completed runs
| 
| next steps
| 1. cost of failed runs: from 18 % to 10 % (walk); worth $3.05 a month
|    stint runs --state failed
| 2. cost of repeated runs: from 18 % to 10 % (walk); worth $3.05 a month
|    stint costs repeats
| 3. GPU utilization: from 58 % to 60 % (walk); worth $0.788 a month
|    stint costs gpus
| 
| from 2026-08-18 to 2026-11-15; --explain shows thresholds and their sources
$ stint maturity --explain | sed -n '/^thresholds/,$p' | head -12
| thresholds
|   cost that is tagged: crawl 50 %, walk 80 %, run 90 %. Source: FinOps
|     Foundation, FinOps Maturity Model
|     (framework.finops.org/framework/maturity-model), sample goals as other pages
|     quote them; not checked on the page, 2026-11-17. Now: $88.00 of $108.40 has
|     the tag 'team'
|   runs with a known cost: crawl 50 %, walk 90 %, run 99 %. Source: chosen for
|     Stint; no published threshold is known, 2026-11-17. Now: 9 of 10 runs
|   GPU-hours measured: crawl 50 %, walk 80 %, run 95 %. Source: chosen for Stint;
|     no published threshold is known, 2026-11-17. Now: 58 of 59 GPU-hours
|   billed machines linked to runs: crawl 50 %, walk 80 %, run 95 %. Source:
|     chosen for Stint; no published threshold is known, 2026-11-17. Now: not
$ stint maturity --json --since 90d | grep -o '"domains".*"practices"'
| "domains":[{"domain":"inform","level":"walk","practices":5,"known":4},{"domain":"optimize","level":"crawl","practices":6,"known":6},{"domain":"operate","level":"crawl","practices":6,"known":6}],"practices"
$ stint maturity --json | grep -o '{"domain":"optimize","fact":"gpu_busy"[^}]*}'
| {"domain":"optimize","fact":"gpu_busy","label":"GPU utilization","unit":"share","value":0.5793103448275861,"level":"crawl","crawl":0.5,"walk":0.6,"run":0.7,"goal":0.6,"worth":0.7875409836065587,"evidence":"10 runs, 58 GPU-hours, $48.04 paid while idle","next":"stint costs gpus","source":"ML Cost Optimization Reference (2025)","date":"2025-01-01"}
$ stint maturity --svg m.svg | tail -1; grep -c '<title>' m.svg; grep -o '>Cost maturity[^<]*' m.svg | head -1
| from 2026-08-18 to 2026-11-15; --explain shows thresholds and their sources
| 17
| >Cost maturity by practice
A forecast of the same amount each day is right.
$ "$STINT_TEST_LEDGER" steady.db steady; stint maturity --ledger steady.db --json | grep -o '{"domain":"operate","fact":"forecast_error"[^}]*}'
| {"domain":"operate","fact":"forecast_error","label":"forecast error of a month","unit":"share","value":0,"level":"run","crawl":0.2,"walk":0.15,"run":0.12,"goal":null,"worth":null,"evidence":"median of 3 complete months, forecast on day 15","next":"stint forecast","source":"FinOps Foundation, FinOps Maturity Model (framework.finops.org/framework/maturity-model), sample goals as other pages quote them; not checked on the page","date":"2026-11-17"}
Checklists.
$ stint checklist during
| [ ] Monitor progress for early stopping
|     runs stopped early: 0 of 5 runs
|     how: stint run --early-stop 'val_loss:min,patience=3' -- COMMAND
| [x] Keep GPU utilization above 70 %
|     GPU utilization: 70 % (5 runs, 8 GPU-hours, $4.04 paid while idle)
| [!] Avoid idle time
|     GPU utilization: 70 %, below 80 % (5 runs, 8 GPU-hours, $4.04 paid while
|     idle)
|     how: stint run --idle 10min -- COMMAND
| [ ] Shut the machine down at the end
|     how: stint run --on-exit 'sudo poweroff' -- COMMAND
| [!] Track costs in real time
|     runs with a known cost: 80 %, below 90 % (4 of 5 runs)
|     how: stint top; stint run --status -- COMMAND
| [!] Save checkpoints every 10 to 30 minutes
|     long runs with checkpoints: 0 %, below 95 % ($0.00 of $8.40 for runs of an
|     hour or more)
|     how: stint spot interval computes how often
| [ ] Save only the best checkpoints
|     keeps only some checkpoints: not recorded yet
|     how: stint run --checkpoints DIR --keep 3 -- COMMAND
| [!] Limit what a run may cost
|     runs with a budget limit: 71 %, below 80 % ($6.00 of $8.40 for runs with
|     --budget)
|     how: stint run --budget 5usd -- COMMAND
| [ ] Watch for spot interruptions
|     how: stint run --alert CHANNEL -- COMMAND
| 
| 1 of 9 done, 4 not done, 4 open
$ stint checklist monthly --month 2026-10 | tail -6
|     how: stint forecast
| [!] Show each team its costs
|     allocation policy: no (in the ledger)
|     how: stint allocation set FILE; stint statement --month 2026-10
| 
| 4 of 11 done, 4 not done, 3 open
$ printf 'train:\n  model: llama-2-7b\n  method: lora\n  precision: bf16\n  checkpoint: {resume: yes}\nlimits:\n  budget: $20\n  market: on-demand\n' >job.yaml
$ stint checklist before job.yaml
| [ ] Optimize the data set locally
|     how: filter and compress before the upload
| [!] Choose the GPU for the task
|     runs estimated first: 48 %, below 80 % ($4.00 of $8.40 for runs with an
|     estimate)
|     how: stint plan JOB
| [!] Check spot prices and interruption risk
|     may run on spot: no (limits.market of the job)
|     how: stint price spot; stint spot risk OFFER
| [ ] Schedule for off-peak hours
|     how: stint plan slots --gpu A100
| [ ] Batch several training jobs
|     how: stint plan JOB JOB JOB
| [x] Enable mixed precision (FP16 or BF16)
|     mixed precision: yes (train.precision of the job)
| [ ] Use gradient accumulation where memory is short
|     gradient accumulation: the job leaves it open
|     how: set accumulation
| [ ] Enable gradient checkpointing for large models
|     activation recomputation: the job leaves it open
|     how: set recompute: full or selective
| [x] Configure checkpoints that a restart resumes from
|     resumes from a checkpoint: yes (train.checkpoint.resume of the job)
| [x] Set a training budget that ends the run
|     budget limit: yes (limits.budget of the job)
| [ ] Use the smallest GPU that fits
|     how: stint gpu fit MODEL
| [ ] Benchmark batch sizes
|     how: stint tune --batch 1..64 -- COMMAND
| [ ] Choose the ZeRO stage
|     how: stint estimate JOB --explain
| [!] Use cheaper providers: name those you have accounts with
|     providers in the configuration: 0, below 1 (in the configuration)
|     how: stint init, then stint price compare GPU
| [ ] Load data efficiently (prefetch, workers, pinned memory)
|     how: stint why RUN shows data stalls
| [ ] Compress gradients between machines (1-bit Adam)
|     how: set optimizer: adamw-1bit, and compare: stint estimate JOB --on H100x16
| 
| 3 of 16 done, 3 not done, 10 open
$ stint checklist before job.yaml --json | grep -o '{"phase":"before","item":"precision"[^}]*}'
| {"phase":"before","item":"precision","text":"Enable mixed precision (FP16 or BF16)","state":"done","fact":"job_precision","value":1,"evidence":"mixed precision: yes (train.precision of the job)","how":"set precision: bf16","source":"ML Cost Optimization Reference (2025)"}
$ stint checklist data --md c.md | tail -1; head -4 c.md
| 0 of 8 done, 0 not done, 8 open
| ## data
| 
| - [ ] Store raw data in the cheapest tier that fits; how: `stint costs storage`
| - [ ] Use columnar formats (Parquet, ORC) for tables; how: `convert CSV files once, before training`
$ stint checklist trainning
! stint: there is no phase 'trainning'
!   hint: did you mean 'training'?
? 2
$ stint checklist before nothing.yaml
! stint: cannot open 'nothing.yaml': No such file or directory
? 4
Targets: the defaults, and your own.
$ stint targets
| target                                 goal  value  state      score  before  trend   measured on, or command that records it
| GPU utilization               at least 80 %   70 %  missed      88 %    80 %  worse   5 runs, 8 GPU-hours, $4.04 paid while idle
| budget used                    at most 95 %   37 %  met        100 %   133 %  better  mean of 1 budget period
| cost per LoRA                 at most $2.00  $1.47  met        100 %       ?  -       mean of 3 completed runs
| time saved over local runs    at least 60 %   75 %  met        100 %       ?  -       1 local run with the same work in the cloud
| quality lost over local runs    at most 0 %      ?  not known      -       ?  -       stint run --name NAME --early-stop val_loss:min -- COMMAND, here and in the cloud
| 
| score 97 of 100: 3 of 4 known targets are met
| from 2026-10-17 to 2026-11-15, compared with the same number of days before; 'stint targets set NAME VALUE'
| changes a goal, --json lists their sources
$ stint targets set gpu-busy 50%
| GPU utilization: at least 50 %
$ stint targets set gpu-busy 0.55
| GPU utilization: at least 55 %, instead of 50 %
$ stint targets set cost-per-lora 2
! stint: '2' is not an amount of money
!   hint: give the currency: 2usd, or '$2' in quotes, since the shell expands $ and digits
? 3
$ stint targets set gpu-bussy 70%
! stint: there is no target 'gpu-bussy'
!   hint: did you mean 'gpu_busy'?
? 2
$ stint targets set anomaly-hours 12h; stint targets set estimate-error 10%
| time to acknowledge anomalies: at most 12.0 h
| estimate error of a run: at most 10 %
$ stint targets --since 60d
| target                                   goal   value  state      score  before  trend   measured on, or command that records it
| GPU utilization                 at least 55 %    76 %  met        100 %    50 %  better  6 runs, 18 GPU-hours, $8.04 paid while idle
| budget used                      at most 95 %    85 %  met        100 %   133 %  better  mean of 2 budget periods
| time to acknowledge anomalies  at most 12.0 h  8.00 h  met        100 %       ?  -       median of 2 anomalies, 2 acknowledged
| estimate error of a run          at most 10 %    10 %  met        100 %    20 %  better  median of 2 completed runs
| cost per LoRA                   at most $2.00   $1.47  met        100 %       ?  -       mean of 3 completed runs
| time saved over local runs      at least 60 %    75 %  met        100 %       ?  -       1 local run with the same work in the cloud
| quality lost over local runs      at most 0 %       ?  not known      -       ?  -       stint run --name NAME --early-stop val_loss:min -- COMMAND, here and in the cloud
| 
| score 100 of 100: 6 of 6 known targets are met
| from 2026-09-17 to 2026-11-15, compared with the same number of days before; 'stint targets set NAME VALUE'
| changes a goal, --json lists their sources
$ stint targets --json | grep -o '{"fact":"gpu_busy"[^}]*}'
| {"fact":"gpu_busy","label":"GPU utilization","unit":"share","less_is_better":false,"goal":0.55,"value":0.7000000000000001,"before":0.8,"change":-0.125,"trend":"worse","state":"met","score":1,"evidence":"5 runs, 8 GPU-hours, $4.04 paid while idle","record":null,"source":"set with 'stint targets set'","own":true}
$ stint targets remove gpu-busy; stint targets remove gpu-busy
| removed 1 target
! stint: you have not set the target 'gpu-busy'
!   hint: 'stint targets' lists them
? 4
$ stint targets remove
! stint: which target?
!   hint: 'stint targets remove gpu-busy', or --all
? 2
$ stint targets remove --all; stint targets --json | grep -o '"own":true' | wc -l
| removed 2 targets
| 0
$ stint targets --svg t.svg >/dev/null; grep -c '<title>' t.svg
| 5
Thresholds of your own, and wrong ones.
$ mkdir cat; printf 'fact,domain,crawl,walk,run,next,date,source\ntagged,inform,0.1,0.2,0.3,stint tags,2026-11-01,ours\n' >cat/maturity.csv
$ stint maturity --catalog cat | grep 'that is tagged'
| inform    cost that is tagged               81 %  run                        $88.00 of $108.40 has the tag 'team'
$ printf 'fact,domain,crawl,walk,run,next,date,source\ntaged,inform,0.1,0.2,0.3,stint tags,2026-11-01,ours\n' >cat/maturity.csv
$ stint maturity --catalog cat
! stint: maturity.csv: there is no fact 'taged'
!   hint: 'stint maturity --json' lists the facts
? 3
$ printf 'fact,domain,crawl,walk,run,next,date,source\ntagged,inform,0.1,0.3,0.2,stint tags,2026-11-01,ours\n' >cat/maturity.csv
$ stint maturity --catalog cat
! stint: maturity.csv: tagged: crawl, walk and run must rise or fall
? 3
$ stint maturity --month 2026-13
! stint: --month: '2026-13' is not a month
!   hint: write it as 2026-10, this or last
? 2
The page shows real output.
$ . "$cases/transcript.sh"; transcript "$cases/../../docs/guide/maturity.md"; grep -c '^[$] stint' expected.txt
| 5

A budget of a total has one period, however many days are looked at.

$ "$STINT_TEST_LEDGER" total.db steady; STINT_NOW=2026-10-05 stint budget set once 5usd --period total --first-day 2026-10-01 --last-day 2026-10-31 --ledger total.db >/dev/null; stint maturity --since 90d --ledger total.db --json | grep -o '"fact":"budget_kept"[^}]*evidence":"[^"]*"' | grep -o '[^"]*"$'
| 0 of 1 budget periods"
