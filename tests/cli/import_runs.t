Runs of an MLflow server. The key is needed; two pages of experiments, two of runs, two of a metric's values.
$ start_server mlflow
$ stint import mlflow $SERVER 2>err; status=$?; mask <err; exit $status
| stint: http://SERVER/api/2.0/mlflow/experiments/search: the key is missing or wrong (401): no such token good
|   hint: set MLFLOW_TRACKING_TOKEN, or MLFLOW_TRACKING_USERNAME and MLFLOW_TRACKING_PASSWORD
? 1
$ echo "export MLFLOW_TRACKING_TOKEN=good-token; run_ids() { sed 's/^[0-9a-f]\{8\} /RUN      /'; }" >env
$ . ./env; stint import mlflow $SERVER --dry-run
| run  name         started (UTC)      took  GPU                        cost  result   why
| -    sweep        2026-11-01 10:00     2h  2x NVIDIA A100-SXM4-80GB      ?  added    -
| -    trial 1      2026-11-01 10:00     1h  2x A100                   $0.00  added    nested: the outer run has its time
| -    still going  -                     ?  ?                             ?  skipped  still running: import again when it is over
| -    deleted      2026-11-02 10:00  30min  1x ?                          ?  added    -
| -    no end       2026-11-03 10:00  10min  ?                             ?  added    its end is not recorded: the last sign of it counts
| -    backwards    -                     ?  ?                             ?  skipped  it ends before it starts
| 
| would be: 4 added, 0 updated, 0 unchanged, 2 skipped; 4.50 GPU-hours without 1 of unknown GPUs; cost not known
| 1 nested run adds no time and cost: the outer run has it
| a cost needs a price: import again with --price, --offer or --gpu-price (and
| --gpus, where a run does not name its GPUs)
| nothing was written
$ stint runs
| nothing has been run yet: 'stint run -- COMMAND' records it in home/.local/share/stint/ledger.db
$ . ./env; stint import mlflow $SERVER --tag cost_center=42 | run_ids
| run       name         started (UTC)      took  GPU                        cost  result   why
| RUN       sweep        2026-11-01 10:00     2h  2x NVIDIA A100-SXM4-80GB      ?  added    -
| RUN       trial 1      2026-11-01 10:00     1h  2x A100                   $0.00  added    nested: the outer run has its time
| -         still going  -                     ?  ?                             ?  skipped  still running: import again when it is over
| RUN       deleted      2026-11-02 10:00  30min  1x ?                          ?  added    -
| RUN       no end       2026-11-03 10:00  10min  ?                             ?  added    its end is not recorded: the last sign of it counts
| -         backwards    -                     ?  ?                             ?  skipped  it ends before it starts
| 
| runs: 4 added, 0 updated, 0 unchanged, 2 skipped; 4.50 GPU-hours without 1 of unknown GPUs; cost not known
| 1 nested run adds no time and cost: the outer run has it
| a cost needs a price: import again with --price, --offer or --gpu-price (and
| --gpus, where a run does not name its GPUs)
| ledger: home/.local/share/stint/ledger.db
$ . ./env; stint import mlflow $SERVER
| run  name         started (UTC)  took  GPU  cost  result   why
| -    still going  -                 ?  ?       ?  skipped  still running: import again when it is over
| -    backwards    -                 ?  ?       ?  skipped  it ends before it starts
| 
| runs: 0 added, 0 updated, 4 unchanged, 2 skipped
$ stint runs | sed 's/^[0-9a-f]\{8\} /RUN      /'
| id        name     state    started (UTC)      took   cost  energy  GPU busy  score  why
| RUN       no end   done     2026-11-03 10:00  10min      ?       ?         -      -  mlflow
| RUN       deleted  stopped  2026-11-02 10:00  30min      ?       ?         -      -  user, mlflow
| RUN       trial 1  failed   2026-11-01 10:00     1h  $0.00       ?         -      -  exit 1, mlflow
| RUN       sweep    done     2026-11-01 10:00     2h      ?       ?         -      -  mlflow
| 
| 4 runs: $0.00, without 3 of unknown cost; 3h40min
$ stint show sweep | sed '1s/[0-9a-f-]\{36\}/ID/'
| run             ID
| name            sweep
| state           done (mlflow)
| started         2026-11-01 10:00:00 UTC, took 2h
| command         train.py
| commit          deadbeef
| imported        from MLflow, run by ada on ?: nothing was metered
| tags            cost_center=42
|                 experiment=bert <b>large</b>
|                 team=nlp
| environment     mlflow_run=a1
|                 param.lr=3e-4
|                 param.gpu_name=NVIDIA A100-SXM4-80GB
| 
| price           not known: a tracker has no prices
| cost            ?
| 
| energy          ?
| carbon          ?
| GPU             2x NVIDIA A100-SXM4-80GB
| 
| metric                          values  first  last  lowest, at step  highest, at step  over time
| loss                                 4    2.5  0.25        0.25 at 3          2.5 at 0  #=_
| system/gpu_1_power_usage_watts       2     40    60          40 at 0           60 at 0  _#
$ stint show sweep --json | tr '{' '\n' | grep '"name":"loss"'
| "attempt":1,"name":"loss","values":4,"not_finite":1,"first":2.5,"last":0.25,"last_step":3,"low":0.25,"low_step":3,"high":2.5,"high_step":0,"at_s":[0,800,3500],"steps":[0,1,3],"points":[2.5,1.5,0.25]},
$ stint costs gpus --since 2026-11-01 --by team | tail -n +1
| team    runs  GPU-hours  busy  cost  idle
| nlp        1        4.0     -     ?     ?
| (none)     1        0.5     -     ?     ?
| total      2        4.5     -     ?     ?
| 
| from runs, as they were metered; idle: what was paid for the time in which GPUs did nothing
| not in 'busy' and 'idle': 4.5 GPU-hours without measured use
| not in 'cost' and 'idle': 2 runs with unknown cost
| not in it: 1 run without a GPU
| 2026-11-01 to 2026-11-15 (UTC)

A price given later sets the cost of what is there: 2 h of 2 GPUs at $1.50, half an hour of one; the nested run pays nothing, one has no GPUs.
$ . ./env; stint import mlflow $SERVER --gpu-price 1.50usd/hr | run_ids
| run       name         started (UTC)      took  GPU                          cost  result   why
| RUN       sweep        2026-11-01 10:00     2h  2x NVIDIA A100-SXM4-80GB    $6.00  updated  -
| -         still going  -                     ?  ?                               ?  skipped  still running: import again when it is over
| RUN       deleted      2026-11-02 10:00  30min  1x ?                      $0.7500  updated  -
| -         backwards    -                     ?  ?                               ?  skipped  it ends before it starts
| 
| runs: 0 added, 2 updated, 2 unchanged, 2 skipped; 4.50 GPU-hours; cost $6.75
| ledger: home/.local/share/stint/ledger.db
$ . ./env; stint import mlflow $SERVER --gpu-price 1.50usd/hr --gpus 4 --latest --experiment 'bert*' --since 2026-11-03 | run_ids
| run       name       started (UTC)      took  GPU    cost  result   why
| RUN       no end     2026-11-03 10:00  10min  4x ?  $1.00  updated  its end is not recorded: the last sign of it counts
| -         backwards  -                     ?  ?         ?  skipped  it ends before it starts
| 
| runs: 0 added, 1 updated, 0 unchanged, 1 skipped; 0.667 GPU-hours; cost $1.00
| ledger: home/.local/share/stint/ledger.db
$ stint costs --since 2026-11-01 --by team,owner
| team    owner   cost  share  not billed yet
| nlp     ada    $6.00   77 %           $6.00
| (none)  bob    $1.75   23 %           $1.75
| (none)  ada    $0.00    0 %                
| total          $7.75                  $7.75
| 
| exactly: 7.75 USD, of which 7.75 USD of runs that no bill covers
| 2026-11-01 to 2026-11-15 (UTC), effective cost
| there are no bills in the ledger: only metered runs are included
$ . ./env; stint import mlflow $SERVER --gpu-price 1.50usd/hr --separate --latest | run_ids | grep -v skipped
| run       name         started (UTC)     took  GPU       cost  result   why
| RUN       trial 1      2026-11-01 10:00    1h  2x A100  $3.00  updated  -
| 
| ledger: home/.local/share/stint/ledger.db

What was asked: no key in an address, histories of runs that changed only.
$ grep -c 'get-history' server.log; grep -m1 'runs/search' -A9 server.log | grep body
| 13
|     body: {"experiment_ids":["0"],"run_view_type":"ALL","max_results":200,"order_by":["attributes.start_time ASC"]}

Another login; a server that is none.
$ MLFLOW_TRACKING_USERNAME=ada MLFLOW_TRACKING_PASSWORD=secret stint import mlflow $SERVER 2>err; grep -c 'Basic YWRhOnNlY3JldA==' server.log
| 1
$ . ./env; stint import mlflow $SERVER/elsewhere 2>err; status=$?; mask <err; exit $status
| stint: http://SERVER/elsewhere/api/2.0/mlflow/experiments/search: not found (404)
|   hint: is it the address of an MLflow tracking server, as in http://localhost:5000?
? 4
$ . ./env; stint import mlflow $SERVER --experiment none 2>err; status=$?; mask <err; exit $status
| stint: http://SERVER has no experiment 'none'
|   hint: --experiment takes names or patterns: 'bert*'
? 4

The folder mlruns: files for parameters, tags and each metric, also in folders; invalid UTF-8 in a name. The nested run comes first by its name.
$ mkdir -p mlruns/3/b2/metrics/val mlruns/3/b2/params mlruns/3/b2/tags mlruns/3/b1/metrics mlruns/3/b1/tags mlruns/3/b1/params mlruns/0
$ printf 'experiment_id: "3"\nname: vision\nlifecycle_stage: active\n' >mlruns/3/meta.yaml; printf 'experiment_id: "0"\nname: Default\n' >mlruns/0/meta.yaml
$ printf 'run_id: b2\nrun_name: outer\nexperiment_id: "3"\nuser_id: eve\nstatus: 3\nstart_time: 1793800000000\nend_time: 1793803600000\nlifecycle_stage: active\n' >mlruns/3/b2/meta.yaml
$ printf 'run_id: b1\nrun_name: inner\nexperiment_id: "3"\nuser_id: eve\nstatus: 4\nstart_time: 1793800000500\nend_time: 1793801000000\nlifecycle_stage: deleted\n' >mlruns/3/b1/meta.yaml
$ printf 'b2' >mlruns/3/b1/tags/mlflow.parentRunId; printf 'out\377er' >mlruns/3/b2/tags/mlflow.runName; printf 'H100' >mlruns/3/b2/params/gpu_type; printf '8' >mlruns/3/b2/params/num_gpus
$ printf '1793800001000 0.9 0\n1793800002000 0.7 1\nnonsense\n1793800003000 nan 2\n1793800004000 0.5 3\n' >mlruns/3/b2/metrics/val/loss
$ . ./env; stint import mlflow mlruns --price 20usd/hr | run_ids
| run       name    started (UTC)         took  GPU        cost  result  why
| RUN       out?er  2026-11-04 13:46        1h  8x H100  $20.00  added   -
| RUN       inner   2026-11-04 13:46  16min39s  ?         $0.00  added   nested: the outer run has its time
| 
| runs: 2 added, 0 updated, 0 unchanged, 0 skipped; 8.00 GPU-hours; cost $20.00
| 1 nested run adds no time and cost: the outer run has it
| ledger: home/.local/share/stint/ledger.db
$ . ./env; stint import mlflow mlruns/3/b2
| runs: 0 added, 0 updated, 1 unchanged, 0 skipped
$ stint show 'out?er' | grep -A1 '^metric'
| metric    values  first  last  lowest, at step  highest, at step  over time
| val/loss       4    0.9   0.5         0.5 at 3          0.9 at 0  #:_

Exports of MLflow: CSV, where the newest comes first, and a saved answer. Runs that are there already are not added again.
$ printf 'run_id,experiment_id,status,artifact_uri,start_time,end_time,metrics.loss,params.lr,tags.mlflow.parentRunId,tags.mlflow.runName,tags.mlflow.user\nc2,9,FINISHED,s3://x,2026-11-05 10:30:00.123000+00:00,2026-11-05 11:00:00+00:00,0.1,0.01,c1,child,kim\nc1,9,FINISHED,s3://x,2026-11-05 10:00:00+00:00,2026-11-05 12:00:00+00:00,0.2,0.01,,"parent, ""best""",kim\n' >runs.csv
$ . ./env; stint import mlflow runs.csv --gpu H100 --gpus 1 | run_ids
| run       name            started (UTC)      took  GPU       cost  result  why
| RUN       child           2026-11-05 10:30  30min  1x H100  $0.00  added   nested: the outer run has its time
| RUN       parent, "best"  2026-11-05 10:00     2h  1x H100      ?  added   -
| 
| runs: 2 added, 0 updated, 0 unchanged, 0 skipped; 2.00 GPU-hours; cost not known
| 1 nested run adds no time and cost: the outer run has it
| a cost needs a price: import again with --price, --offer or --gpu-price (and
| --gpus, where a run does not name its GPUs)
| ledger: home/.local/share/stint/ledger.db
$ printf '{"runs":[{"info":{"run_id":"c1","run_name":"parent, \\"best\\"","status":"FINISHED","user_id":"kim","start_time":1793872800000,"end_time":1793880000000},"data":{"metrics":[{"key":"loss","value":0.15}],"params":[{"key":"lr","value":"0.01"}]}}]}' >runs.json
$ . ./env; stint import mlflow runs.json --gpu H100 --gpus 1 | run_ids
| run       name            started (UTC)     took  GPU      cost  result   why
| RUN       parent, "best"  2026-11-05 10:00    2h  1x H100     ?  updated  -
| 
| runs: 0 added, 1 updated, 0 unchanged, 0 skipped; 2.00 GPU-hours; cost not known
| a cost needs a price: import again with --price, --offer or --gpu-price (and
| --gpus, where a run does not name its GPUs)
| ledger: home/.local/share/stint/ledger.db
$ . ./env; stint import mlflow runs.json --gpu H100 --gpus 1
| runs: 0 added, 0 updated, 1 unchanged, 0 skipped

Weights & Biases: the table of its page, with labels and without ids.
$ printf '"Name","State","Notes","User","Tags","Created","Runtime","Sweep","GPU Type","GPU Count","learning_rate","val_loss"\n"fiery-sun-1","finished","-","lee","baseline, debug","2026-11-06T08:00:00.000Z","3600","","NVIDIA L4","2","0.001","0.3"\n"cold-moon-2","crashed","","lee","","2026-11-06T09:00:00","1h 30m","","","","0.01","NaN"\n"now-3","running","","lee","","2026-11-06T09:00:00Z","10","","","","",""\n' >wandb.csv
$ . ./env; stint import wandb wandb.csv --gpu-price 0.80usd/hr | run_ids
| run       name         started (UTC)        took  GPU            cost  result   why
| RUN       fiery-sun-1  2026-11-06 08:00       1h  2x NVIDIA L4  $1.60  added    -
| RUN       cold-moon-2  2026-11-06 09:00  1h30min  ?                 ?  added    -
| -         now-3        -                       ?  ?                 ?  skipped  still running: import again when it is over
| 
| runs: 2 added, 0 updated, 0 unchanged, 1 skipped; 2.00 GPU-hours without 1 of unknown GPUs; cost $1.60, without 1 of unknown cost
| a cost needs a price: import again with --price, --offer or --gpu-price (and
| --gpus, where a run does not name its GPUs)
| ledger: home/.local/share/stint/ledger.db
$ stint import wandb wandb.csv
| run  name   started (UTC)  took  GPU  cost  result   why
| -    now-3  -                 ?  ?       ?  skipped  still running: import again when it is over
| 
| runs: 0 added, 0 updated, 2 unchanged, 1 skipped

As JSON: what its own package gives, with the history; and an answer of its API, whose "name" is the id.
$ printf '[{"id":"ab12cd34","name":"from-api","state":"finished","created_at":"2026-11-07T08:00:00Z","config":{"lr":0.1,"optimizer":{"name":"adam"},"_wandb":{"x":1}},"summary":{"loss":0.5,"_runtime":120,"_timestamp":1794038520,"_wandb":{"runtime":118},"img":{"_type":"image","width":5}},"metadata":{"gpu":"NVIDIA H200","gpu_count":4,"host":"node7","username":"zoe","git":{"commit":"c0ffee"}},"history":[{"_step":0,"_timestamp":1794038400,"loss":0.9},{"_step":1,"_timestamp":1794038460,"loss":0.5}]}]' >api.json
$ . ./env; stint import wandb api.json | run_ids
| run       name      started (UTC)        took  GPU             cost  result  why
| RUN       from-api  2026-11-07 08:00  1min58s  4x NVIDIA H200     ?  added   -
| 
| runs: 1 added, 0 updated, 0 unchanged, 0 skipped; 0.131 GPU-hours; cost not known
| a cost needs a price: import again with --price, --offer or --gpu-price (and
| --gpus, where a run does not name its GPUs)
| ledger: home/.local/share/stint/ledger.db
$ stint show from-api | grep -E 'imported|commit|param|loss|GPU|took'
| started         2026-11-07 08:00:00 UTC, took 1min58s
| commit          c0ffee
| imported        from W&B, run by zoe on node7: nothing was metered
|                 param.lr=0.1
|                 param.optimizer.name=adam
| GPU             4x NVIDIA H200
| loss         2    0.9   0.5         0.5 at 1          0.9 at 0  #_
$ printf '{"data":{"project":{"name":"proj","runs":{"edges":[{"node":{"id":"UnVuOjE=","name":"zz99yy88","displayName":"from-graphql","state":"failed","createdAt":"2026-11-07T10:00:00","heartbeatAt":"2026-11-07T10:05:00","user":{"name":"Zoe","username":"zoe"},"tags":["baseline"],"config":"{\\"lr\\":{\\"value\\":0.2,\\"desc\\":null}}","summaryMetrics":"{\\"loss\\":1.5}"}}],"pageInfo":{"hasNextPage":false}}}}}' >graphql.json
$ . ./env; stint import wandb graphql.json | run_ids
| run       name          started (UTC)     took  GPU  cost  result  why
| RUN       from-graphql  2026-11-07 10:00  5min  ?       ?  added   its end is not recorded: the last sign of it counts
| 
| runs: 1 added, 0 updated, 0 unchanged, 0 skipped; 0 GPU-hours without 1 of unknown GPUs; cost not known
| a cost needs a price: import again with --price, --offer or --gpu-price (and
| --gpus, where a run does not name its GPUs)
| ledger: home/.local/share/stint/ledger.db
$ stint show from-graphql --json | tr ',' '\n' | grep -E 'digest|param|wandb_run|"last"'
| "facts":["wandb_run=zz99yy88"
| "param.lr=0.2"]
| "last":1.5

The folder that it leaves beside a program; the same run from elsewhere is the same run.
$ mkdir -p wandb/run-20261107_080000-ab12cd34/files wandb/run-20261108_080000-ef56gh78/files
$ printf '{"host":"node7","username":"zoe","startedAt":"2026-11-08T08:00:00.5Z","program":"train.py","gpu_nvidia":[{"name":"NVIDIA H200","memoryTotal":"1"},{"name":"NVIDIA H200"}]}' >wandb/run-20261108_080000-ef56gh78/files/wandb-metadata.json
$ printf '{"loss":0.4,"_runtime":1800.5}' >wandb/run-20261108_080000-ef56gh78/files/wandb-summary.json
$ printf 'wandb_version: 1\nlr:\n  desc: null\n  value: 0.05\n_wandb:\n  value:\n    cli_version: 0.16\n' >wandb/run-20261108_080000-ef56gh78/files/config.yaml
$ . ./env; stint import wandb wandb --price 5usd/hr | run_ids
| run       name      started (UTC)      took  GPU              cost  result  why
| RUN       ef56gh78  2026-11-08 08:00  30min  2x NVIDIA H200  $2.50  added   -
| 
| runs: 1 added, 0 updated, 0 unchanged, 0 skipped; 1.00 GPU-hours; cost $2.50
| ledger: home/.local/share/stint/ledger.db
$ stint import wandb wandb/run-20261108_080000-ef56gh78 --json | sed 's/"run":"[^"]*"/"run":"ID"/'
| {"schema":"stint.import.wandb/1","tracker":"wandb","runs":[{"run":"ID","tracker_run":"ef56gh78","name":"ef56gh78","started":"2026-11-08T08:00:00Z","ended":"2026-11-08T08:30:00Z","duration":1800.5,"gpu":"NVIDIA H200","gpus":2,"cost":null,"action":"unchanged","reason":null}],"left_out":0,"added":0,"updated":0,"unchanged":1,"skipped":0,"nested":0,"points":0,"gpu_hours":0,"gpu_unknown":0,"cost":null,"cost_unknown":0,"ledger":"home/.local/share/stint/ledger.db","dry_run":false}

What Python writes as JSON: NaN and Infinity. A value of the summary alone is kept beside a history.
$ printf '[{"id":"py","name":"diverged","state":"crashed","created_at":"2026-11-09T08:00:00Z","summary":{"_runtime":60,"loss":NaN,"best":-Infinity,"acc":0.5},"history":[{"_step":0,"loss":1.5},{"_step":1,"loss":NaN},{"_step":2,"loss":Infinity}]}]' >python.json
$ stint import wandb python.json | tail -2; stint show diverged | sed -n '/^metric/,$p'
| --gpus, where a run does not name its GPUs)
| ledger: home/.local/share/stint/ledger.db
| metric  values  first  last  lowest, at step  highest, at step  over time
| acc          1    0.5   0.5              0.5               0.5  -
| best         1      -     -                -                 -  -
| loss         3    1.5   1.5         1.5 at 0          1.5 at 0  -
A damaged run is skipped, and the others are imported; parameters in folders; a configuration with aliases costs its parameters only; without its metadata, a run began its runtime before the last value.
$ mkdir -p damaged/3/q7/params/opt damaged/3/q7/tags damaged/3/q8 wandb2/run-20261109_080000-gh12ab34/files wandb2/run-20261109_090000-gh12ab35/files wandb2/run-20261109_100000-gh12ab36/files
$ printf 'experiment_id: "3"\nname: vision\n' >damaged/3/meta.yaml; printf 'run_id: q8\nstart_ti' >damaged/3/q8/meta.yaml; printf '0.9' >damaged/3/q7/params/opt/momentum
$ printf 'run_id: q7\nrun_name: sound\nexperiment_id: "3"\nstatus: 3\nstart_time: 1793900000000\nend_time: 1793903600000\n' >damaged/3/q7/meta.yaml
$ . ./env; stint import mlflow damaged | run_ids; stint show sound | grep momentum
| run       name   started (UTC)     took  GPU  cost  result   why
| -         q8     -                    ?  ?       ?  skipped  damaged/3/q8/meta.yaml:3:1: could not find expected ':'
| RUN       sound  2026-11-05 17:33    1h  ?       ?  added    -
| 
| runs: 1 added, 0 updated, 0 unchanged, 1 skipped; 0 GPU-hours without 1 of unknown GPUs; cost not known
| a cost needs a price: import again with --price, --offer or --gpu-price (and
| --gpus, where a run does not name its GPUs)
| ledger: home/.local/share/stint/ledger.db
|                 param.opt/momentum=0.9
$ printf '{"startedAt":"2026-11-09T08:00:00Z"}' >wandb2/run-20261109_080000-gh12ab34/files/wandb-metadata.json; printf '{"loss": ' >wandb2/run-20261109_080000-gh12ab34/files/wandb-summary.json
$ printf '{"loss":1,"_runtime":600,"_timestamp":1794200600.5}' >wandb2/run-20261109_090000-gh12ab35/files/wandb-summary.json
$ printf 'a: &x {value: 1}\nb: *x\n' >wandb2/run-20261109_100000-gh12ab36/files/config.yaml; printf '{"_runtime":60,"_timestamp":1794200600}' >wandb2/run-20261109_100000-gh12ab36/files/wandb-summary.json
$ . ./env; stint import wandb wandb2 | run_ids; stint import wandb wandb2 python.json | tail -1
| run       name                          started (UTC)      took  GPU  cost  result   why
| -         run-20261109_080000-gh12ab34  -                     ?  ?       ?  skipped  wandb2/run-20261109_080000-gh12ab34/files/wandb-summary.json:1:10: the text ends inside an object
| RUN       gh12ab35                      2026-11-09 04:53  10min  ?       ?  added    -
| RUN       gh12ab36                      2026-11-09 05:02   1min  ?       ?  added    -
| 
| runs: 2 added, 0 updated, 0 unchanged, 1 skipped; 0 GPU-hours without 2 of unknown GPUs; cost not known
| a cost needs a price: import again with --price, --offer or --gpu-price (and
| --gpus, where a run does not name its GPUs)
| ledger: home/.local/share/stint/ledger.db
| runs: 0 added, 0 updated, 3 unchanged, 1 skipped

The list price of an offer is an estimate.
$ . ./env; stint import wandb api.json --offer lambda/us-east-1/gpu_1x_a100 2>/dev/null | run_ids
| runs: 0 added, 0 updated, 1 unchanged, 0 skipped
$ . ./env; stint import wandb graphql.json --gpus 1 --offer lambda/us-east-1/gpu_1x_a100 2>&1 | run_ids
| stint: warning: the price of lambda/*/gpu_1x_a100 is from 2026-08-22, 85 days old: 'stint price fetch' gets today's, --price sets what you pay
| run       name          started (UTC)     took  GPU      cost  result   why
| RUN       from-graphql  2026-11-07 10:00  5min  1x ?  $0.1658  updated  its end is not recorded: the last sign of it counts
| 
| runs: 0 added, 1 updated, 0 unchanged, 0 skipped; 0.0833 GPU-hours; cost $0.1658
| ledger: home/.local/share/stint/ledger.db
$ stint show from-graphql | grep -A2 '^price'
| price           $1.99/hr, lambda/*/gpu_1x_a100 on-demand
|                 lambda/*/gpu_1x_a100:on-demand, a list price of 2026-08-22, not
|                 of that time: an estimate

A run that Stint metered itself is in the ledger already.
$ "$STINT_TEST_LEDGER" metered.db
$ printf 'run_id,status,start_time,end_time,tags.stint.run,tags.mlflow.runName\nd1,FINISHED,2026-11-13 18:00:00,2026-11-13 18:20:00,aaaa0001,bert\nd2,FINISHED,2026-11-13 18:00:00,2026-11-13 18:20:00,12345678,elsewhere\n' >metered.csv
$ . ./env; stint import mlflow metered.csv --ledger metered.db | run_ids
| run       name       started (UTC)      took  GPU  cost  result   why
| -         bert       -                     ?  ?       ?  skipped  metered by Stint: the ledger has it
| RUN       elsewhere  2026-11-13 18:00  20min  ?       ?  added    -
| 
| runs: 1 added, 0 updated, 0 unchanged, 1 skipped; 0 GPU-hours without 1 of unknown GPUs; cost not known
| a cost needs a price: import again with --price, --offer or --gpu-price (and
| --gpus, where a run does not name its GPUs)
| ledger: metered.db

Mistakes
$ stint import mlflow
! stint: which runs? name a server, a folder mlruns or an export
!   hint: stint import mlflow http://localhost:5000, stint import mlflow mlruns/, or set MLFLOW_TRACKING_URI
? 2
$ stint import mlflow -
! stint: runs are not read from standard input
!   hint: write them to a file, and name it
? 2
$ stint import wandb
! stint: import wandb needs a FROM
!   hint: stint import wandb wandb_export.csv --gpu-price 1.99usd/hr
? 2
$ stint import wandb https://wandb.ai/acme/proj
! stint: Weights & Biases is not asked over the network
!   hint: export the table of runs as CSV on the project's page, or with wandb's own package: docs/guide/import.md
? 2
$ stint import mlflow runs.csv --price 2usd/hr --gpu-price 1usd/hr
! stint: --price, --gpu-price and --offer exclude each other
? 2
$ stint import mlflow runs.csv --since yesterday
! stint: --since: 'yesterday' is not a time
!   hint: write 2026-11-01, or '2026-11-01 10:00' (UTC)
? 2
$ stint import mlflow wandb.csv
! stint: wandb.csv:1: there is no column 'start_time': this is not an export of runs
!   hint: export with 'mlflow experiments csv', or name the server or the folder mlruns
? 3
$ stint import wandb runs.csv
! stint: runs.csv:1: there is no column 'Created': this is not an export of runs
!   hint: on the project's page, show the column Created and export the table of runs as CSV
? 3
$ mkdir empty; stint import wandb empty; stint import mlflow empty
! stint: 'empty' has no runs of Weights & Biases
!   hint: name a folder wandb, or one of its run-* folders
! stint: 'empty' has no runs of MLflow
!   hint: name the folder mlruns, or an experiment or a run in it
? 3
$ printf '{"runs":[{"info":{"run_id":"c1"' >cut.json; stint import mlflow cut.json
! stint: cut.json:1:32: the text ends inside an object
? 3
$ printf '{"runs":[{"info":{"run_id":"\377"}}]}' >bytes.json; stint import mlflow bytes.json
! stint: bytes.json:1:29: invalid UTF-8 in a string
? 3
$ : >nothing.csv; stint import wandb nothing.csv
! stint: nothing.csv:1: the file is empty
? 3
$ stint import wandb not-there.csv
! stint: cannot open 'not-there.csv': No such file or directory
? 4
$ stint import mlflow runs.csv --tag nonsense
! stint: --tag: 'nonsense' is not a key and a value
!   hint: write it as --tag team=nlp
? 2
