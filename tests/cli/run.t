Running a command: what is refused before anything runs, and the messages. What a run does is tested elsewhere
(tests/run); its times and costs differ each time, and are hidden here.

$ printf '%s\n' 's/[0-9.]+m?s$/TIME/' 's/show [0-9a-f]{8}$/show ID/' '/^  (energy|used) /d' >hide
$ printf 'export STINT_ROOT=/nonexistent STINT_NVML=/none STINT_ROCM=/none\nunset STINT_HL_SMI RUNPOD_POD_ID VAST_CONTAINERLABEL\n' >env
Options come before the command.
$ stint run --help
| usage: stint run [options] [--] COMMAND...
| 
| Runs a command with its terminal, its input, its signals and its exit status
| passed through, meters the process tree and its GPUs, computes the cost, and
| stops the command gracefully before a budget runs out (status 5). Everything is
| recorded in the ledger, or sent to the server that --to names (kept on this
| machine while it is unreachable). The command's own output is not changed unless
| --status, --heartbeat, --progress, --metrics, --early-stop or --best is given.
| --json prints the result after that output; --summary FILE writes it to a file.
| 
| options
|   COMMAND               command to run, with its arguments (required)
|   --name NAME           name of the run; the same name in the same folder
|                         resumes a run that did not complete
|   --new-run             never resume a run of the same name
|   --tag KEY=VALUE       tags of the run: team=nlp
|   --resume RUN          resume this run (an id, or 'last'); STINT_RESUME does
|                         the same
|   --budget AMOUNT       stop the run before it costs more; earlier attempts
|                         count
|   --month-budget AMOUNT
|                         monthly limit on all runs (default: the configured
|                         budget)
|   --deadline TIME       stop the run after this time
|   --grace TIME          time reserved for the last save before a limit (default:
|                         from earlier saves, or memory in use and disk speed)
|   --idle TIME           act when the run has been idle for this time
|   --idle-below SHARE    use below which a GPU, a core, or 10 MB/s of disk or
|                         network count as idle (default: 5%)
|   --idle-do ACTION      action when idle: warn, checkpoint, stop (the default),
|                         or a command to run
|   --early-stop RULE     stop when a metric no longer improves:
|                         val_loss:min,patience=3
|   --keep-diverging      continue even if the loss is no longer a finite number
|   --stop-diverging      stop when the loss has grown tenfold, too (default: only
|                         warn)
|   --checkpoint-signal SIGNAL
|                         signal to request a checkpoint, sent only to processes
|                         that catch it; or none (default: USR1)
|   --checkpoint-command COMMAND
|                         command to request a checkpoint, instead of a signal
|   --leftovers WHAT      wait for, stop or leave processes that outlive the
|                         command (default: wait)
|   --if-killed WHAT      action when stint itself is killed: stop or leave the
|                         job (default: stop)
|   --notice-status STATUS
|                         exit status, instead of 5, when the cloud takes the
|                         machine back: 75
|   --on-event COMMAND    run this command at every event (STINT_EVENT is its
|                         name)
|   --alert CHANNELS      send low utilization, idleness, cost, stops and notices
|                         to these channels
|   --alert-on LIST       events to alert on: idle, utilization, cost, stop,
|                         notice (default: all)
|   --low-use SHARE       report GPUs that are less busy than this for half an
|                         hour; 0%: never (default: 50%)
|   --on-exit COMMAND     run this command at the end: sync results, shut the
|                         machine down
|   --price PRICE         price of the machine: 2.49usd/hr
|   --offer OFFER         offer of the machine: provider/region/instance:market
|   --plan FILE           saved plan with the machine and the estimate
|   --electricity PRICE   price of electricity, for your own machine
|   --share SHARE         part of the machine's price to pay: 1/8, 12.5% or all
|                         (default: runs on the same machine divide its price)
|   --extra NAME=AMOUNT   add a cost that is not metered: 'labels=$12'
|   --job FILE            job file, tool configuration or model of this run:
|                         estimates it, and is kept for 'stint advise RUN'
|                         (default: that of --plan)
|   --metrics NAME=PATTERN
|                         read a number from the output: 'loss=([0-9.]+)'
|   --metrics-file FILE   read progress from lines of JSON appended to FILE
|   --progress            read progress from the command's output
|   --status              print a status line at the bottom of the terminal: cost,
|                         budget, GPU, time left; in a log, a line from time to
|                         time
|   --heartbeat TIME      interval between status lines in a log (10min with
|                         --status)
|   --summary FILE        write the result as JSON to FILE (--json prints it after
|                         the command's own output)
|   --quiet               print no summary at the end, and no warning about
|                         earlier runs
|   --no-gpu              do not meter GPUs
|   --no-ledger           do not record the run
|   --to URL              send the run to this server instead of the ledger:
|                         https://HOST:8712 (default: the configured one)
|   --to-token FILE       file with the token for it (default: 'token' beside
|                         config.yaml; STINT_TOKEN is the token itself)
|   --to-certificates FILE
|                         CA bundle to verify the server, PEM (default: the
|                         system's)
|   --to-unencrypted      allow plain http to it, on a trusted network only
|   --every TIME          interval between measurements (default: 1s)
|   --checkpoints DIR     watch the checkpoints in DIR and record the cost until
|                         each
|   --keep N              keep the newest N checkpoints of this run, remove the
|                         others; with --best keep the best N and the newest
|   --best METRIC         rank checkpoints by this metric: val_loss:min
|   --prune-all           count and remove checkpoints of other runs in DIR, too,
|                         with --keep
| 
| options of every command
|   --json                print the result as JSON
|   --help                explain the command
|   --config FILE         configuration file to read
|   --catalog DIR         folder of your own facts and prices
|   --prices DIR          folder of fetched and imported prices
|   --ledger FILE         ledger of runs and bills: a file, or postgres://HOST/DB
|   --log FILE            write a log to FILE
| 
| examples
|   stint run --budget '$5' --price '$2.49/hr' -- python train.py
|   stint run --offer lambda/us-east-1/gpu_1x_h100_sxm5 --status -- python train.py
|   stint run --job axolotl.yml -- axolotl train axolotl.yml
|   stint run --plan plan.json --checkpoints out --keep 3 -- ./train.sh
|   stint run --early-stop val_loss:min,patience=3 -- python train.py
|   stint run --to https://costs.example.org:8712 -- python train.py
|   stint run --on-exit 'rclone sync out remote:out; sudo poweroff' -- ./job.sh
$ stint help run | head -1
| usage: stint run [options] [--] COMMAND...
$ stint man run | grep '^.Ss'
| .Ss stint run [options] [\-\-] COMMAND...
$ . ./env; stint run true --budget 5 2>told; sed -Ef hide told >&2
! stint: warning: --budget after the command belongs to the command and limits nothing: type 'stint run --budget ... -- COMMAND'
! stint: true done after TIME
!   cost       ? (not known)
!              use --price '$2.49/hr' or --offer NAME for a rented machine; --electricity '0.30usd/kWh', or the setting own_machine, for your own
!   more       stint show ID
$ . ./env; stint run true --deadline=8h --budget 5 2>told; sed -Ef hide told >&2
! stint: warning: --deadline=8h after the command belongs to the command and limits nothing: type 'stint run --deadline=8h ... -- COMMAND'
! stint: true done after TIME
!   cost       ? (not known)
!              use --price '$2.49/hr' or --offer NAME for a rented machine; --electricity '0.30usd/kWh', or the setting own_machine, for your own
!   more       stint show ID
$ . ./env; stint run --quiet -- echo --budget 5
| --budget 5
$ . ./env; stint run --quiet echo -- --budget 5
| -- --budget 5
$ . ./env; stint run --quiet echo --name x --checkpoints y
| --name x --checkpoints y
$ stint run
! stint: run needs a COMMAND
!   hint: stint run --budget '$5' --price '$2.49/hr' -- python train.py
? 2
$ stint run --budgit 5 true
! stint: run has no option '--budgit'
!   hint: did you mean '--budget'?
? 2
Amounts.
$ stint run --budget 5 true
! stint: --budget: '5' is not an amount of money
!   hint: give the currency: 5usd, or '$5' in quotes, since the shell expands $ and digits
? 2
$ stint run --budget -5 true
! stint: --budget: '-5' is not an amount of money
!   hint: write it as 100usd or, in quotes, '$100'
? 2
$ stint run --budget 5eur true
! stint: --budget: '5eur' is not in US dollars
!   hint: prices are kept in US dollars: give the amount as 100usd
? 2
$ stint run --budget '$5' true
! stint: a budget needs a price, and this machine's is not known
!   hint: use --price '$2.49/hr' or --offer NAME for a rented machine; --electricity '0.30usd/kWh', or the setting own_machine, for your own
? 2
$ stint run --budget '$5' --price '$2.49' true
! stint: --price: price '$2.49' does not say per what
!   hint: write it as 2.49usd/hr
? 2
$ stint run --budget '$5' --price 1eur/hr true
! stint: --price: '1eur' is not in US dollars
!   hint: prices are kept in US dollars: give the amount as 100usd
? 2
$ stint run --budget '$5' --price '$1/hr' --extra 'labels=$12' true
! stint: the costs paid up front ($12.00) use up the budget
!   hint: raise --budget, or leave out --extra
? 2
$ stint run --extra labels true
! stint: --extra: 'labels' is not a name and an amount
!   hint: write it as --extra 'labels=$12'
? 2
$ stint run --extra 'labels=12' true
! stint: --extra labels: '12' is not an amount of money
!   hint: give the currency: 12usd, or '$12' in quotes, since the shell expands $ and digits
? 2
Options that do nothing alone.
$ stint run --idle-do stop true
! stint: --idle-do needs --idle TIME
? 2
$ stint run --idle-below 10% true
! stint: --idle-below needs --idle TIME
? 2
$ stint run --keep 3 true
! stint: --keep needs --checkpoints DIR
? 2
$ stint run --best val_loss:min true
! stint: --best needs --checkpoints DIR
? 2
$ stint run --resume last --no-ledger true
! stint: --resume needs the ledger: leave out --no-ledger
? 2
$ stint run --month-budget '$5' --no-ledger true
! stint: --month-budget needs the ledger: leave out --no-ledger
? 2
Impossible values.
$ stint run --idle 5min --idle-do checkpont true
! stint: --idle-do: 'checkpont' is neither an action nor a command in PATH
!   hint: did you mean 'checkpoint'?
? 2
$ stint run --idle 5 true
! stint: --idle: '5' is not a length of time
!   hint: give the unit: 5d, 5h, 5min or 5s
? 2
$ stint run --tag team=nlp --tag team=cv true
! stint: --tag: 'team' is given twice
? 2
$ stint run --tag nlp true
! stint: --tag: 'nlp' is not a key and a value
!   hint: write it as --tag team=nlp
? 2
$ stint run --metrics 'acc=/acc (/' true
! stint: --metrics: the pattern 'acc (' is wrong at its character 6: missing closing parenthesis
? 2
$ stint run $(for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17; do echo --metrics m$i; done) true
! stint: --metrics: there are more than 16 metrics
? 2
$ stint run --checkpoint-signal KILL true
! stint: --checkpoint-signal: there is no signal 'KILL' for this
!   hint: one of USR1, USR2, HUP, INT, QUIT, ALRM, URG, WINCH, or none
? 2
$ stint run --leftovers keep true
! stint: --leftovers: 'keep' is not one of wait, stop, leave
? 2
$ stint run --early-stop loss:least true
! stint: early stopping: 'least' is neither min nor max
!   hint: write loss:min when lower is better
? 2
$ stint run --offer nowhere/x/y true
! stint: there is no offer 'nowhere/x/y'
!   hint: 'stint price list' shows all; --price '$2.49/hr' needs none
? 4
$ stint run --plan nowhere.json true
! stint: cannot open 'nowhere.json': No such file or directory
? 4
$ stint run --resume nothing true
! stint: cannot resume 'nothing': there is no run 'nothing'
!   hint: 'stint runs' lists them; 'last' is the newest
? 4
$ stint run --summary nowhere/out.json true
! stint: --summary: cannot write 'nowhere/out.json': No such file or directory
!   hint: name a file in an existing folder
? 2
$ . ./env; stint run --grace 2min --deadline 1min true 2>told; sed -Ef hide told >&2
! stint: warning: --grace is not shorter than --deadline: the run is asked to save at once
! stint: true done after TIME
!   cost       ? (not known)
!              use --price '$2.49/hr' or --offer NAME for a rented machine; --electricity '0.30usd/kWh', or the setting own_machine, for your own
!   more       stint show ID
$ . ./env; stint run --quiet ./nowhere
! stint: command not found: './nowhere'
!   hint: is the path right?
? 127
An additional cost is known where the price is not.
$ . ./env; stint run --extra 'labels=$12' --name labeled true 2>told; sed -Ef hide told >&2
! stint: labeled done after TIME
!   cost       at least $12.00 (labels); the machine's price is not known
!              use --price '$2.49/hr' or --offer NAME for a rented machine; --electricity '0.30usd/kWh', or the setting own_machine, for your own
!   more       stint show ID
$ stint show last | sed -n '/^price/,/^$/p'
| price           not known
| cost            at least $12.00 (extra); the machine's price is not known
| 
The price is printed once.
$ . ./env; stint run --price '$2.49/min' true 2>&1 | sed -En 's/^  cost +\$[0-9.]+ /COST /p'
| COST at $149.40/hr (from --price)
The result goes to a separate file, whatever the command prints; unknown is null.
$ . ./env; stint run --quiet --summary out.json echo hello; sed -E 's/"(id|elapsed)":[^,]+/"\1":N/g; s/"(energy_[a-z]+|carbon_g|cpu_s|memory_peak|read|written|received|sent|score)":[^,]+/"\1":N/g' out.json
| hello
| {"schema":"stint.run/1","id":N,"name":"echo","state":"done","reason":null,"detail":null,"attempt":1,"exit_status":0,"exit_signal":0,"attached_pid":null,"ran_before":null,"recorded":true,"sent_to":null,"elapsed":N,"cost":null,"before":{"amount":"0","currency":"USD"},"budget":null,"reserve":null,"reserve_cost":null,"reserve_why":null,"rate":null,"pays":null,"share":null,"sharers":null,"price_source":"not known","offer":null,"compute":null,"setup":null,"storage":null,"transfer":null,"extra":null,"set_up_phase":null,"data_phase":null,"train_phase":null,"evaluate_phase":null,"checkpoint_phase":null,"idle_phase":null,"energy_kwh":N,"energy_method":N,"energy_error":N,"carbon_g":N,"carbon_source":"475 g CO2e/kWh, the world's average: the place is not known, PUE 1.00 (no hall: 1.0)","cpu_s":N,"memory_peak":N,"read":N,"written":N,"received":N,"sent":N,"gpu":null,"gpus":0,"gpu_busy":null,"gpu_memory_peak":null,"gpu_memory_total":null,"gpu_memory_run":null,"score":N,"seed_score":null,"verdict":"unknown","verdict_text":null,"step":null,"steps":null,"loss":null,"checkpoint_bytes":null,"checkpoint_month":null,"removed":0,"removed_bytes":0,"removed_names":[],"estimated_cost":null,"estimated_time":null,"hint":"use --price '$2.49/hr' or --offer NAME for a rented machine; --electricity '0.30usd/kWh', or the setting own_machine, for your own"}
$ . ./env; stint run --quiet --summary /dev/stderr true 2>told; sed -E 's/,"name".*//; s/"id":[^,]+/"id":N/' told
| {"schema":"stint.run/1","id":N
