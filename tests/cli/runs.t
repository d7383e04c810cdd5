Before anything was run
$ stint runs
| nothing was run yet: 'stint run -- COMMAND' records it in home/.local/share/stint/ledger.db
$ stint runs --json
| {"schema":"stint.runs/1","runs":[],"count":0,"more":false,"cost":{"amount":"0","currency":"USD"},"cost_unknown":0,"cost_known":{"amount":"0","currency":"USD"},"energy_kwh":0,"energy_unknown":0,"energy_known_kwh":0,"took":0,"ledger":"home/.local/share/stint/ledger.db","csv":null,"filtered":false,"none_yet":true}
$ stint show last
! stint: there is no ledger 'home/.local/share/stint/ledger.db' yet
!   hint: 'stint run -- COMMAND' makes it
? 4
$ stint compare a b
! stint: there is no ledger 'home/.local/share/stint/ledger.db' yet
!   hint: 'stint run -- COMMAND' makes it
? 4
$ stint runs --csv none.csv && cat none.csv
| nothing was run yet: 'stint run -- COMMAND' records it in home/.local/share/stint/ledger.db
| wrote 0 runs to none.csv
| id,name,state,started_utc,ended_utc,took_s,cost_usd,budget_usd,energy_kwh,energy_method,energy_error_share,carbon_g,gpu,gpus,gpu_busy_share,score,status,reason,attempts,preemptions,lost_s,step,loss,best,user,host,folder,command,commit,tags,offer,market,price_usd_h,price_source,estimated_usd,estimated_s,origin

What was run
$ "$STINT_TEST_LEDGER" home/.local/share/stint/ledger.db
! tests/cli/run.sh: 1: eval: : Permission denied
? 127
$ stint runs
| nothing was run yet: 'stint run -- COMMAND' records it in home/.local/share/stint/ledger.db
$ COLUMNS=60 stint runs bert
| nothing was run yet: 'stint run -- COMMAND' records it in home/.local/share/stint/ledger.db
$ stint runs 'bert*'
| nothing was run yet: 'stint run -- COMMAND' records it in home/.local/share/stint/ledger.db
$ stint runs --state failed
| nothing was run yet: 'stint run -- COMMAND' records it in home/.local/share/stint/ledger.db
$ stint runs --since 9h --until 2026-11-14T20:00:00Z
| nothing was run yet: 'stint run -- COMMAND' records it in home/.local/share/stint/ledger.db
$ stint runs --tag team=nlp,project=ads
| nothing was run yet: 'stint run -- COMMAND' records it in home/.local/share/stint/ledger.db
$ stint runs --tag 'project=*' --limit 1
| nothing was run yet: 'stint run -- COMMAND' records it in home/.local/share/stint/ledger.db
$ stint runs nothing-like-it
| nothing was run yet: 'stint run -- COMMAND' records it in home/.local/share/stint/ledger.db
$ stint runs prepare --state failed --json
| {"schema":"stint.runs/1","runs":[],"count":0,"more":false,"cost":{"amount":"0","currency":"USD"},"cost_unknown":0,"cost_known":{"amount":"0","currency":"USD"},"energy_kwh":0,"energy_unknown":0,"energy_known_kwh":0,"took":0,"ledger":"home/.local/share/stint/ledger.db","csv":null,"filtered":true,"none_yet":true}
$ stint runs 'bert*' --csv runs.csv
| nothing was run yet: 'stint run -- COMMAND' records it in home/.local/share/stint/ledger.db
| wrote 0 runs to runs.csv
$ cat runs.csv
| id,name,state,started_utc,ended_utc,took_s,cost_usd,budget_usd,energy_kwh,energy_method,energy_error_share,carbon_g,gpu,gpus,gpu_busy_share,score,status,reason,attempts,preemptions,lost_s,step,loss,best,user,host,folder,command,commit,tags,offer,market,price_usd_h,price_source,estimated_usd,estimated_s,origin

Another ledger
$ "$STINT_TEST_LEDGER" other.db
! tests/cli/run.sh: 1: eval: : Permission denied
? 127
$ stint --ledger other.db runs vit
| nothing was run yet: 'stint run -- COMMAND' records it in other.db
$ STINT_LEDGER=other.db stint runs vit
| nothing was run yet: 'stint run -- COMMAND' records it in other.db
$ STINT_LEDGER=other.db stint config | grep -E 'setting|ledger'
| setting      value                       from          variable           what it is
| ledger       other.db                    STINT_LEDGER  STINT_LEDGER       where runs are recorded
$ stat -c '%a' other.db
! stat: cannot statx 'other.db': No such file or directory
? 1

Mistakes
$ stint runs --since yesterday
| nothing was run yet: 'stint run -- COMMAND' records it in home/.local/share/stint/ledger.db
$ stint runs --state finished
! stint: --state: 'finished' is not one of running, done, failed, stopped, preempted, lost
? 2
$ stint runs --limit many
! stint: --limit: 'many' is not a whole number
? 2
$ stint --ledger /proc/self/nothing/x.db runs
| nothing was run yet: 'stint run -- COMMAND' records it in /proc/self/nothing/x.db
$ echo 'no ledger at all, but some words' >words.db
$ stint --ledger words.db runs
! stint: the ledger 'words.db' is damaged: file is not a database
!   hint: move it away (a new one is made), and save what is left with 'sqlite3 OLD .recover | sqlite3 NEW'
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
