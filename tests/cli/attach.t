Metering a process that is already running: what is refused, and the messages. What it does is tested elsewhere
(tests/run/attach.py); its numbers, times and costs differ each time, and are hidden here.

$ printf '%s\n' 's/[0-9.]+m?s$/TIME/' 's/the [0-9a-z.]+ that/the TIME that/' 's/process [0-9]+/process PID/' 's/show [0-9a-f]{8}$/show ID/' 's/ at \$[0-9].*/ at RATE/' 's/(cost +)\$[0-9.]+/\1MONEY/' '/^  (energy|used) /d' >hide
$ printf 'export STINT_ROOT=/nonexistent STINT_NVML=/none STINT_ROCM=/none STINT_MACHINE_DIR=%s\nunset STINT_HL_SMI RUNPOD_POD_ID VAST_CONTAINERLABEL\n' "$PWD" >env
$ stint attach --help
| usage: stint attach PID [options]
| 
| Meters a process that is already running, and everything it starts, as 'stint
| run' would: cost, energy, GPUs, checkpoints, guards and the ledger. Earlier
| usage is not measured; the record shows how long the process ran before. Guards
| stop the process as they stop a command (status 5). Ctrl-C detaches: the process
| continues, unmetered. Its output is not read: progress comes from the run's
| socket or from --metrics-file. Ends with the status of the process where the
| system reports it, otherwise with 0.
| 
| options
|   PID                   process ID (required)
|   --name NAME           name of the run (default: its program); the same name in
|                         the same folder resumes a run that did not complete
|   --new-run             never resume a run of the same name
|   --tag KEY=VALUE       tags of the run: team=nlp
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
|   --no-kill             never stop the process: at a limit request a checkpoint
|                         and warn
|   --if-killed WHAT      action when stint itself is killed: stop or leave the
|                         process (default: leave)
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
|   --metrics-file FILE   read progress from lines of JSON appended to FILE
|   --heartbeat TIME      interval between status lines
|   --summary FILE        write the result as JSON to FILE
|   --quiet               print no line at the start, and no summary
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
|   --ancestor            allow a process that started this command: 'stint attach
|                         --ancestor $$ &'
|   --ready-fd N          write a line of JSON to this descriptor when metering
|                         has begun: id, attempt, socket
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
|   stint attach 4711 --budget '$5' --price '$2.49/hr'
|   stint attach $(pgrep -n -f train.py) --idle 15min --checkpoints out
|   stint attach 4711 --deadline 2h --no-kill --alert team
|   stint attach --ancestor $$ --name nightly &
$ stint attach
! stint: attach needs a PID
!   hint: stint attach 4711 --budget '$5' --price '$2.49/hr'
? 2
$ stint attach train.py
! stint: PID: 'train.py' is not a whole number
? 2
$ stint attach 0
! stint: PID: '0' is not 1 or more
? 2
$ stint attach 1
! stint: process 1 is the machine's first process, not a job
!   hint: 'pgrep -f train.py' prints the numbers of matching processes
? 2
$ stint attach 2147483647
! stint: there is no process 2147483647
!   hint: 'pgrep -f train.py' prints the numbers of matching processes
? 4
$ stint attach 99999999999
! stint: 99999999999 is not the number of a process
!   hint: 'pgrep -f train.py' prints the numbers of matching processes
? 2
$ stint attach $$ 2>told; sed -E 's/process [0-9]+/process PID/' told >&2; grep -c 'started this command' told
| 1
! stint: process PID started this command
!   hint: to meter a script from inside, put it in the background: stint attach --ancestor $$ &
What has ended is no process.
$ true & pid=$!; wait $pid; stint attach $pid 2>told; echo $?; sed -E 's/process [0-9]+/process PID/' told >&2
| 4
! stint: there is no process PID
!   hint: 'pgrep -f train.py' prints the numbers of matching processes
Options.
$ stint attach --budgit 5 4711
! stint: attach has no option '--budgit'
!   hint: did you mean '--budget'?
? 2
$ stint attach --budget 5 4711
! stint: --budget: '5' is not an amount of money
!   hint: give the currency: 5usd, or '$5' in quotes, since the shell expands $ and digits
? 2
$ stint attach --progress 4711
! stint: attach has no option '--progress'
!   hint: 'stint attach --help' lists the options
? 2
A budget needs a price, and options that go together are checked.
$ . ./env; sleep 100 & stint attach --budget '$5' $!; echo $?; kill $!
| 2
! stint: a budget needs a price, and this machine's is not known
!   hint: use --price '$2.49/hr' or --offer NAME for a rented machine; --electricity '0.30usd/kWh', or the setting own_machine, for your own
$ . ./env; sleep 100 & stint attach --keep 2 $!; echo $?; kill $!
| 2
! stint: --keep needs --checkpoints DIR
The process ends by itself; Stint ends with its status.
$ . ./env; sh -c 'while ! [ -e begun ]; do sleep 0.02; done; exit 3' & stint attach $! --on-event 'touch begun' --price '$36/hr' --name job 2>told; echo $?; sed -Ef hide told >&2
| 3
! stint: metering process PID; the TIME that it had run before are not measured
! stint: job failed (status 3) after TIME
!   cost       MONEY at RATE
!   more       stint show ID
$ stint runs --json | grep -oE '"(name|state|reason|status)":[^,]*'
| "name":"job"
| "state":"failed"
| "status":3
| "reason":null
$ stint show last | grep -cE '^ +(attached_pid|ran_before)='
| 2
A guard stops it.
$ . ./env; sleep 100 & stint attach $! --deadline 2s --quiet; echo $?; stint runs --state stopped --json | grep -o '"reason":[^,]*'
| 5
| "reason":"deadline"
! stint: deadline reached: stopping the process
Detached: the process goes on.
$ . ./env; sleep 100 & pid=$!; stint attach $pid --on-event 'touch attached' --name left 2>told & while ! [ -e attached ]; do sleep 0.02; done; kill -TERM $!; wait $!; echo $?; sed -Ef hide told >&2; kill -0 $pid && kill $pid
| 0
! stint: metering process PID; the TIME that it had run before are not measured
! stint: left detached (process PID continues, unmetered) after TIME
!   cost       ? (not known)
!              use --price '$2.49/hr' or --offer NAME for a rented machine; --electricity '0.30usd/kWh', or the setting own_machine, for your own
!   more       stint show ID
$ stint runs 'left' --json | grep -oE '"(state|reason|status)":[^,]*'
| "state":"stopped"
| "status":null
| "reason":"detached"
It was not stopped, nor is it done: lists, records and comparisons say so.
$ stint runs --state detached | grep -oE 'left +detached|it went on, unmetered'
| left  detached
| it went on, unmetered
$ stint show left | grep -E '^ *state'
| state           detached (it went on, unmetered)
$ stint runs 'left' --state stopped --json | grep -o '"count":[0-9]*'
| "count":1
$ stint compare left left 2>/dev/null | grep -E '^ *state' | tr -s ' '
| state detached detached
The job that the process runs is kept with the run.
$ . ./env; printf 'train: {model: llama-2-7b, method: lora, steps: 3000}\n' >sft.yaml; sh -c 'while ! [ -e kept ]; do sleep 0.02; done' & stint attach $! --on-event 'touch kept' --quiet --name kept --job sft.yaml; python3 -c 'import glob, sqlite3; print(*[r for f in glob.glob("home/.local/share/stint/ledger.db") for r in sqlite3.connect(f).execute("select name, job from runs where job is not null")])'
| ('kept', '{"schema":"stint.job/1","kind":"train","job":{"train":{"model":"llama-2-7b","method":"lora","steps":3000}}}')
$ sleep 100 & stint attach $! --job no.yaml; kill $!
! stint: cannot open 'no.yaml': No such file or directory
JSON goes to standard output.
$ . ./env; sh -c 'while ! [ -e again ]; do sleep 0.02; done' & stint attach $! --on-event 'touch again' --quiet --json | grep -oE '"(schema|state|exit_status|reason)":[^,]*'
| "schema":"stint.attach/1"
| "state":"done"
| "reason":null
| "exit_status":0
