Before anything was run
$ stint runs
| nothing has been run yet: 'stint run -- COMMAND' records it in home/.local/share/stint/ledger.db
$ stint runs --json
| {"schema":"stint.runs/1","runs":[],"count":0,"more":false,"next":null,"cost":{"amount":"0","currency":"USD"},"cost_unknown":0,"cost_known":{"amount":"0","currency":"USD"},"energy_kwh":0,"energy_unknown":0,"energy_known_kwh":0,"duration":0,"ledger":"home/.local/share/stint/ledger.db","csv":null,"filtered":false,"no_ledger":true}
$ stint show last
! stint: there is no ledger 'home/.local/share/stint/ledger.db' yet
!   hint: 'stint run -- COMMAND' makes it
? 4
$ stint compare a b
! stint: there is no ledger 'home/.local/share/stint/ledger.db' yet
!   hint: 'stint run -- COMMAND' makes it
? 4
$ stint runs --csv none.csv && cat none.csv
| nothing has been run yet: 'stint run -- COMMAND' records it in home/.local/share/stint/ledger.db
| wrote 0 runs to none.csv
| id,name,state,started_utc,ended_utc,duration_s,cost_usd,budget_usd,energy_kwh,energy_method,energy_error_share,carbon_g,gpu,gpus,gpu_busy_share,score,status,reason,attempts,interruptions,lost_s,step,loss,best,user,host,folder,command,commit,tags,offer,market,price_usd_h,price_source,estimated_usd,estimated_s,origin

What was run
$ "$STINT_TEST_LEDGER" home/.local/share/stint/ledger.db
$ stint runs
| id        name       state    started (UTC)         took     cost  of budget   energy  GPU busy  score  why
| ffff0006  gpt        running  2026-11-14 23:58      2min  $0.0140          -     7 Wh      83 %     61  -
| eeee0005  vit        stopped  2026-11-14 19:00   5min40s  $0.0397       99 %  19.8 Wh      83 %     61  budget
| dddd0004  prepare    lost     2026-11-14 16:00       42s        ?          -        ?         -      -  -
| cccc0003  prepare    failed   2026-11-14 14:00       42s        ?          -        ?         -      -  exit 3
| bbbb0002  bert-wide  done     2026-11-14 04:00  18min20s  $0.1283          -  64.2 Wh      83 %     61  2 attempts
| aaaa0001  bert       done     2026-11-13 18:00  16min40s  $0.1167       46 %  58.3 Wh      83 %     61  -
| 
| 6 runs: $0.2987, without 2 of unknown cost; 149.3 Wh, without 2 of unknown energy; 44min4s
$ stint runs --limit 2 --json | grep -o '"more":.*"next":"[^"]*"'
| "more":true,"next":"019d0005-0000-7000-8000-0000eeee0005"
$ stint runs --limit 2 --before eeee0005
| id        name     state   started (UTC)     took  cost  energy  GPU busy  score  why
| dddd0004  prepare  lost    2026-11-14 16:00   42s     ?       ?         -      -  -
| cccc0003  prepare  failed  2026-11-14 14:00   42s     ?       ?         -      -  exit 3
| 
| the newest 2 runs: cost not known; 1min24s
| older ones are not shown: --limit 0 shows all
$ stint runs --before aaaa0001
| no matching runs in home/.local/share/stint/ledger.db
$ stint runs --before nosuch
! stint: there is no run 'nosuch'
!   hint: 'stint runs' lists them; 'last' is the newest
? 4
$ stint runs --sort cost --limit 3
| id        name       state    started (UTC)         took     cost  of budget   energy  GPU busy  score  why
| bbbb0002  bert-wide  done     2026-11-14 04:00  18min20s  $0.1283          -  64.2 Wh      83 %     61  2 attempts
| aaaa0001  bert       done     2026-11-13 18:00  16min40s  $0.1167       46 %  58.3 Wh      83 %     61  -
| eeee0005  vit        stopped  2026-11-14 19:00   5min40s  $0.0397       99 %  19.8 Wh      83 %     61  budget
| 
| the first 3 runs: $0.2847; 142.3 Wh; 40min40s
| others are not shown: --limit 0 shows all
$ stint runs --sort time --reverse --limit 2
| id        name     state   started (UTC)     took  cost  energy  GPU busy  score  why
| dddd0004  prepare  lost    2026-11-14 16:00   42s     ?       ?         -      -  -
| cccc0003  prepare  failed  2026-11-14 14:00   42s     ?       ?         -      -  exit 3
| 
| the first 2 runs: cost not known; 1min24s
| others are not shown: --limit 0 shows all
$ stint runs --sort cost --limit 2 --json | grep -o '"more":.*"next":[^,]*'
| "more":true,"next":null
$ COLUMNS=60 stint runs bert
| id        name  state  started (UTC)         took     cost  of budget   energy  GPU busy  score  why
| aaaa0001  bert  done   2026-11-13 18:00  16min40s  $0.1167       46 %  58.3 Wh      83 %     61  -
| 
| 1 run: $0.1167; 58.3 Wh; 16min40s
$ stint runs 'bert*'
| id        name       state  started (UTC)         took     cost  of budget   energy  GPU busy  score  why
| bbbb0002  bert-wide  done   2026-11-14 04:00  18min20s  $0.1283          -  64.2 Wh      83 %     61  2 attempts
| aaaa0001  bert       done   2026-11-13 18:00  16min40s  $0.1167       46 %  58.3 Wh      83 %     61  -
| 
| 2 runs: $0.2450; 122.5 Wh; 35min
$ stint runs --state failed
| id        name     state   started (UTC)     took  cost  energy  GPU busy  score  why
| cccc0003  prepare  failed  2026-11-14 14:00   42s     ?       ?         -      -  exit 3
| 
| 1 run: cost not known; 42s
$ stint runs --since 9h --until 2026-11-14T20:00:00Z
| id        name     state    started (UTC)        took     cost  of budget   energy  GPU busy  score  why
| eeee0005  vit      stopped  2026-11-14 19:00  5min40s  $0.0397       99 %  19.8 Wh      83 %     61  budget
| dddd0004  prepare  lost     2026-11-14 16:00      42s        ?          -        ?         -      -  -
| 
| 2 runs: $0.0397, without 1 of unknown cost; 19.8 Wh, without 1 of unknown energy; 6min22s
$ stint runs --tag team=nlp,project=ads
| id        name       state  started (UTC)         took     cost   energy  GPU busy  score  why
| bbbb0002  bert-wide  done   2026-11-14 04:00  18min20s  $0.1283  64.2 Wh      83 %     61  2 attempts
| 
| 1 run: $0.1283; 64.2 Wh; 18min20s
$ stint runs --tag 'project=*' --limit 1
| id        name       state  started (UTC)         took     cost   energy  GPU busy  score  why
| bbbb0002  bert-wide  done   2026-11-14 04:00  18min20s  $0.1283  64.2 Wh      83 %     61  2 attempts
| 
| the newest 1 run: $0.1283; 64.2 Wh; 18min20s
| older ones are not shown: --limit 0 shows all
$ stint runs nothing-like-it
| no matching runs in home/.local/share/stint/ledger.db
$ stint runs prepare --state failed --json
| {"schema":"stint.runs/1","runs":[{"id":"019d0003-0000-7000-8000-0000cccc0003","short_id":"cccc0003","name":"prepare","state":"failed","started":"2026-11-14T14:00:00Z","ended":"2026-11-14T14:00:42Z","duration":42,"cost":null,"budget":null,"budget_share":null,"energy_kwh":null,"energy_method":null,"energy_error":null,"carbon_g":null,"gpu":null,"gpus":null,"gpu_busy":null,"score":null,"status":3,"reason":null,"attempts":1,"interruptions":0,"lost_s":null,"step":null,"steps":null,"step_s":null,"startup_s":null,"gpu_watts":null,"loss":null,"best":null,"user":"ann","host":"ip-10-0-0-7","folder":"/home/ann/nlp","command":"./prepare.sh","commit":null,"tags":[],"facts":[],"offer":null,"market":null,"price":null,"price_source":null,"electricity":null,"estimated_cost":null,"estimated_time":null,"origin":"run"}],"count":1,"more":false,"next":null,"cost":null,"cost_unknown":1,"cost_known":{"amount":"0","currency":"USD"},"energy_kwh":null,"energy_unknown":1,"energy_known_kwh":0,"duration":42,"ledger":"home/.local/share/stint/ledger.db","csv":null,"filtered":true,"no_ledger":false}
$ stint runs 'bert*' --csv runs.csv
| id        name       state  started (UTC)         took     cost  of budget   energy  GPU busy  score  why
| bbbb0002  bert-wide  done   2026-11-14 04:00  18min20s  $0.1283          -  64.2 Wh      83 %     61  2 attempts
| aaaa0001  bert       done   2026-11-13 18:00  16min40s  $0.1167       46 %  58.3 Wh      83 %     61  -
| 
| 2 runs: $0.2450; 122.5 Wh; 35min
| wrote 2 runs to runs.csv
$ cat runs.csv
| id,name,state,started_utc,ended_utc,duration_s,cost_usd,budget_usd,energy_kwh,energy_method,energy_error_share,carbon_g,gpu,gpus,gpu_busy_share,score,status,reason,attempts,interruptions,lost_s,step,loss,best,user,host,folder,command,commit,tags,offer,market,price_usd_h,price_source,estimated_usd,estimated_s,origin
| 019d0002-0000-7000-8000-0000bbbb0002,bert-wide,done,2026-11-14T04:00:00Z,2026-11-14T06:08:20Z,1100,0.128333333,,0.06416666666666666,counter,0.05,24.383333333333333,NVIDIA A10G,1,0.83,61,0,,2,1,150,1900,1.4090909090909092,1.4090909090909092,ann,ip-10-0-0-7,/home/ann/nlp,python train.py --lr 3e-4 --wide,91d20c3f55aa,project=ads team=nlp,aws/us-east-1/g5.xlarge,spot,0.4,spot history of 2026-11-14,,,run
| 019d0001-0000-7000-8000-0000aaaa0001,bert,done,2026-11-13T18:00:00Z,2026-11-13T18:16:40Z,1000,0.116666667,0.25,0.058333333333333334,counter,0.05,22.166666666666668,NVIDIA A10G,1,0.83,61,0,,1,0,,2000,1.6,1.6,ann,ip-10-0-0-7,/home/ann/nlp,python train.py --lr 3e-4,4f1c2aa90b7e,project=search team=nlp,aws/us-east-1/g5.xlarge,spot,0.4,spot history of 2026-11-14,0.11,800,run

Another ledger
$ "$STINT_TEST_LEDGER" other.db
$ stint --ledger other.db runs vit
| id        name  state    started (UTC)        took     cost  of budget   energy  GPU busy  score  why
| eeee0005  vit   stopped  2026-11-14 19:00  5min40s  $0.0397       99 %  19.8 Wh      83 %     61  budget
| 
| 1 run: $0.0397; 19.8 Wh; 5min40s
$ STINT_LEDGER=other.db stint runs vit
| id        name  state    started (UTC)        took     cost  of budget   energy  GPU busy  score  why
| eeee0005  vit   stopped  2026-11-14 19:00  5min40s  $0.0397       99 %  19.8 Wh      83 %     61  budget
| 
| 1 run: $0.0397; 19.8 Wh; 5min40s
$ STINT_LEDGER=other.db stint config | grep -E 'setting|ledger'
| setting          value                       from          variable               what it is
| ledger           other.db                    STINT_LEDGER  STINT_LEDGER           ledger of runs and bills: a file, or postgres://HOST/DATABASE
| to               -                           default       STINT_TO               send runs to this server instead of the ledger: https://HOST:8712
$ stat -c '%a' other.db
| 600

Times as people say them: a day is all of it.
$ for when in yesterday today now '2 days ago' 'last week'; do stint runs --since "$when" --json | grep -o '"id"' | wc -l | tr -d ' '; done
| 5
| 0
| 0
| 6
| 6
$ stint runs --until yesterday --since 2026-11-14 --json | sed 's/"runs":.*//'; stint runs --since 2026-11-14 --until 2026-11-14 --json >a.json; stint runs --since yesterday --until yesterday --json >b.json; cmp a.json b.json
| {"schema":"stint.runs/1",

Mistakes
$ stint runs --since soon
! stint: --since: 'soon' is neither a time nor a date
!   hint: write yesterday, 12h, 7d, 2026-11-01 or '2026-11-01 10:00' (UTC)
? 2
$ stint runs --state finished
! stint: --state: 'finished' is not one of running, done, failed, stopped, preempted, lost, detached, ended
? 2
$ stint runs --sort price
! stint: --sort: 'price' is not one of newest, cost, time, energy
? 2
$ stint runs --reverse
! stint: --reverse is for runs by cost, time or energy
!   hint: add --sort cost
? 2
$ stint runs --sort cost --before last
! stint: --before goes back in time: it does not fit --sort cost
!   hint: leave one of them out, or list more of them with --limit
? 2
$ stint runs --limit many
! stint: --limit: 'many' is not a whole number
? 2
$ stint --ledger /proc/self/nothing/x.db runs
| nothing has been run yet: 'stint run -- COMMAND' records it in /proc/self/nothing/x.db
$ echo 'no ledger at all, but some words' >words.db
$ stint --ledger words.db runs
! stint: the ledger 'words.db' is damaged: file is not a database
!   hint: move it away (a new one is created); recover what is left with 'stint ledger copy --damaged OLD NEW', or 'sqlite3 OLD .recover | sqlite3 NEW'
? 3
$ stint --ledger . runs
! stint: the ledger '.' is not a file
? 3
$ HOME= stint runs
! stint: there is no home folder to keep the ledger in
!   hint: set HOME or XDG_DATA_HOME, or name the file with --ledger FILE
? 1
$ stint runs --csv no/such/folder.csv
! stint: cannot write 'no/such/folder.csv': No such file or directory
? 1
