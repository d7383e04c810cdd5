Before anything was run
$ stint top
| nothing has been run yet: 'stint run -- COMMAND' records it in home/.local/share/stint/ledger.db
$ stint top --json
| {"schema":"stint.top/1","at":"2026-11-15T00:00:00Z","running":0,"machines":0,"rate":{"amount":"0","currency":"USD"},"rate_unknown":0,"today":{"amount":"0","currency":"USD"},"month":{"amount":"0","currency":"USD"},"month_unknown":0,"budget":null,"budget_share":null,"runs":[],"events":[],"busy":[],"device_busy":[],"watts":[],"loss":[],"ledger":"home/.local/share/stint/ledger.db","no_ledger":true}

What runs now, and what it costs
$ "$STINT_TEST_LEDGER" home/.local/share/stint/ledger.db
$ stint top
| id        name  state     time     cost  of budget     $/hr  busy    W      step  loss  left  score  host
| ffff0006  gpt   running  2m00s  $0.0140          -  $0.4000  90 %  205  240/2000  3.37   14m     61  ip-10-0-0-7
| 
| now             1 run on 1 machine, $0.4000/hr
| today           $0.00 since midnight UTC
| month           $0.2987, without 2 of unknown cost
$ STINT_BUDGET=2usd stint top --once --sort name
| id        name  state     time     cost  of budget     $/hr  busy    W      step  loss  left  score  host
| ffff0006  gpt   running  2m00s  $0.0140          -  $0.4000  90 %  205  240/2000  3.37   14m     61  ip-10-0-0-7
| 
| now             1 run on 1 machine, $0.4000/hr
| today           $0.00 since midnight UTC
| month           $0.2987 of $2 (14 %), without 2 of unknown cost
$ STINT_BUDGET='2 EUR' stint top
| id        name  state     time     cost  of budget     $/hr  busy    W      step  loss  left  score  host
| ffff0006  gpt   running  2m00s  $0.0140          -  $0.4000  90 %  205  240/2000  3.37   14m     61  ip-10-0-0-7
| 
| now             1 run on 1 machine, $0.4000/hr
| today           $0.00 since midnight UTC
| month           $0.2987 of 2 EUR, without 2 of unknown cost
$ stint top --json --run gpt
| {"schema":"stint.top/1","at":"2026-11-15T00:00:00Z","running":1,"machines":1,"rate":{"amount":"0.4","currency":"USD"},"rate_unknown":0,"today":{"amount":"0","currency":"USD"},"month":{"amount":"0.298666667","currency":"USD"},"month_unknown":2,"budget":null,"budget_share":null,"runs":[{"id":"019d0006-0000-7000-8000-0000ffff0006","short_id":"ffff0006","name":"gpt","state":"running","user":"ann","host":"ip-10-0-0-7","folder":"/home/ann/nlp","command":"python train.py --lr 3e-4","started":"2026-11-14T23:58:00Z","attempts":1,"elapsed":120,"silent_s":0,"cost":{"amount":"0.014","currency":"USD"},"budget":null,"budget_share":null,"projected":{"amount":"0.111777778","currency":"USD"},"rate":{"amount":"0.4","currency":"USD"},"machine_rate":{"amount":"0.4","currency":"USD"},"pays":null,"sharers":null,"gpu":"NVIDIA A10G","gpus":1,"gpu_busy":0.9,"gpu_memory":9500000000,"gpu_memory_total":24000000000,"gpu_memory_run":null,"watts":205,"cpu_cores":1.6,"memory":6500000000,"step":240,"steps":2000,"steps_rate":2,"loss":3.3684210526315788,"best":3.3684210526315788,"left":880,"score":61,"pid":null}],"events":[],"busy":[0.05,0.05,0.05,0.05,0.05,0.9,0.9,0.9,0.9,0.9,0.9,0.9],"device_busy":[],"watts":[207.5,210,212.5,205,207.5,210,212.5,205,207.5,210,212.5,205],"loss":[3.9347826086956523,3.872340425531915,3.8125,3.7551020408163267,3.7,3.6470588235294117,3.5961538461538463,3.547169811320755,3.5,3.4545454545454546,3.4107142857142856,3.3684210526315788],"ledger":"home/.local/share/stint/ledger.db","no_ledger":false}
$ stint top --run gpt
| gpt  ffff0006  running  score 61
| command    python train.py --lr 3e-4
| where      ann@ip-10-0-0-7 /home/ann/nlp
| since      2026-11-14T23:58:00Z, ran for 2m00s
| cost       $0.01, $0.40/hr
| remaining  14m at this pace, $0.11 in total
| uses       1x NVIDIA A10G, 9.5 of 24.0 GB, 1.6 cores, 6.5 GB of memory
| step       240 of 2000, 2.00 a second
| 
| GPU busy   .....||||||| 90%
| power      |||||||||||| 205 W
| loss       ||::::...... 3.37
| 
| no events yet
$ stint top --run gtp
! stint: there is no run 'gtp'
!   hint: did you mean 'gpt'?
? 4
$ stint top --sort price
! stint: --sort: 'price' is not one of cost, rate, time, name
? 2
$ stint top gpt
! stint: top does not expect 'gpt'
!   hint: 'stint top --help' shows what it takes; quote values with blanks
? 2
$ stint top --help
| usage: stint top [options]
| 
| Shows all running jobs in this ledger, on this machine or on others that share
| it, with their cost: live on a terminal, once elsewhere. Unknown values are left
| empty; times are UTC.
| 
| Keys: arrows or j and k select a run; Enter shows details and events; s sorts by
| cost, rate, time or name; x, then y, asks the selected run to save and exit, as
| 'stint stop' does, if it is on this machine; q quits.
| 
| options
|   --run RUN             show the details of this run: events, curves
|   --sort ORDER          sort by cost, rate, time or name (default: cost)
|   --all                 include runs on other machines that were last seen
|                         within a day
|   --once                print the table once and exit
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
|   stint top
|   stint top --once --sort rate
|   stint top --json | jq '.runs[] | {name, cost}'

To end one: where it runs
$ stint stop gpt
! stint: 'gpt' runs on ip-10-0-0-7: stop it there
? 1
$ stint stop last --json
! stint: 'gpt' runs on ip-10-0-0-7: stop it there
? 1
$ stint stop nosuch
! stint: there is no run 'nosuch'
!   hint: 'stint runs' lists them; 'last' is the newest
? 4
$ stint stop --help
| usage: stint stop RUN [options]
| 
| Asks a run to save and exit, as its guards would: by a checkpoint request first,
| then by SIGTERM, and by SIGKILL when its grace period (--grace, or 30 s) is
| over. The run is on this machine, or on one that sends its runs to a server
| ('stint run --to'), which passes the request on within seconds. It is recorded
| as stopped by the user; 'stint run' ends with the command's own status. This
| command does not wait for the end.
| 
| options
|   RUN                   name, id or end of the id, or 'last' (required)
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
|   stint stop train
|   stint stop last
