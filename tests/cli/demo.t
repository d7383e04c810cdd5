A made-up team's quarter, in a folder of its own: the same for everyone on the same day.

$ stint demo
| wrote stint-demo/ledger.db: a made-up team, 2026-08-17 to 2026-11-14
| 390 runs ($7,142.29), 1101 charges of AWS and Google Cloud to 2026-11-11, budgets, alerts.
| Nothing of yours was read or changed.
| 
| use it:
|   export STINT_LEDGER="$PWD"/stint-demo/ledger.db STINT_PROVIDERS=aws,gcp,lambda,runpod
| then:
|   stint runs                 # what ran, and what each run cost
|   stint costs --by team      # where the money went
|   stint budget list          # one budget is spent
|   stint advise               # what to change, and what it saves
|   stint report --month last  # a page with figures
|   sh stint-demo/train.sh &   # something that runs, for 5 min
|   stint top                  # what is running, and what it costs
| remove it:
|   unset STINT_LEDGER STINT_PROVIDERS; rm -r stint-demo
$ ls stint-demo; cat stint-demo/README.txt
| README.txt
| aws-bill.csv
| counts.csv
| gcp-bill.csv
| ledger.db
| ledger.db-shm
| ledger.db-wal
| policy.yaml
| rates.csv
| train.sh
| A made-up team's quarter, written by 'stint demo': nothing in it is real.
| ledger.db has runs, bills, budgets and alerts; the other files are what was imported.
| Nothing runs in it. 'sh train.sh &' really runs something, a loop of 5 minutes, for 'stint top' to show.
| 
| use it:     export STINT_LEDGER="$PWD"/stint-demo/ledger.db STINT_PROVIDERS=aws,gcp,lambda,runpod
| remove it:  unset STINT_LEDGER STINT_PROVIDERS; rm -r stint-demo
$ ls -A home
$ stint demo "$PWD/other" --json | sed "s,$PWD,HERE,g"
| {"schema":"stint.demo/1","folder":"HERE/other","ledger":"HERE/other/ledger.db","first_day":"2026-08-17","last_day":"2026-11-14","billed_until":"2026-11-11","runs":390,"charges":1101,"metered":{"amount":"7142.292370453","currency":"USD"},"use":"export STINT_LEDGER=HERE/other/ledger.db STINT_PROVIDERS=aws,gcp,lambda,runpod","remove":"unset STINT_LEDGER STINT_PROVIDERS; rm -r HERE/other","next":[{"command":"stint runs","purpose":"what ran, and what each run cost"},{"command":"stint costs --by team","purpose":"where the money went"},{"command":"stint budget list","purpose":"one budget is spent"},{"command":"stint advise","purpose":"what to change, and what it saves"},{"command":"stint report --month last","purpose":"a page with figures"},{"command":"sh HERE/other/train.sh &","purpose":"something that runs, for 5 min"},{"command":"stint top","purpose":"what is running, and what it costs"}]}
$ cmp stint-demo/aws-bill.csv other/aws-bill.csv; cmp stint-demo/gcp-bill.csv other/gcp-bill.csv; stint runs --limit 0 --ledger other/ledger.db --json 2>/dev/null | sed 's/"ledger":.*//' >one; stint runs --limit 0 --ledger stint-demo/ledger.db --json 2>/dev/null | sed 's/"ledger":.*//' | cmp - one
Everything that is computed from it is the same, too, in any time zone.
$ TZ=Asia/Tokyo stint demo "$PWD/third" >/dev/null; for l in stint-demo third; do for c in 'costs --by team' 'budget list' anomalies reconcile advise 'unit-costs prediction' statement; do STINT_LEDGER="$PWD/$l/ledger.db" stint $c --json 2>&1; done | sed "s,$PWD/$l,HERE,g" >$l.txt; done; cmp stint-demo.txt third.txt; grep -c '"schema"' third.txt; rm -r third
| 7

What is there is never replaced, but for a demo with --force.

$ stint demo
! stint: 'stint-demo' has a demo already
!   hint: 'stint demo --force' makes it new; 'rm -r' removes it
? 1
$ stint demo --force | head -1
| wrote stint-demo/ledger.db: a made-up team, 2026-08-17 to 2026-11-14
$ mkdir mine; echo x >mine/file; stint demo mine; ls mine
| file
! stint: 'mine' exists and is not a demo: nothing was written
!   hint: name a new folder: 'stint demo other-folder'
$ stint demo mine --force
! stint: 'mine' exists and is not a demo: nothing was written
!   hint: name a new folder: 'stint demo other-folder'
? 1
$ "$STINT_TEST_LEDGER" mine/ledger.db; stint demo mine --force; stint runs --ledger mine/ledger.db --limit 1 | head -2
| id        name  state    started (UTC)     took     cost  energy  GPU busy  score  why
| ffff0006  gpt   running  2026-11-14 23:58  2min  $0.0140    7 Wh      83 %     61  -
! stint: 'mine' exists and is not a demo: nothing was written
!   hint: name a new folder: 'stint demo other-folder'
$ stint demo one
! stint: 'one' exists and is not a demo: nothing was written
!   hint: name a new folder: 'stint demo other-folder'
? 1
$ mkdir 'a b'; stint demo 'a b/' | sed -n '/^use/,/^then/p;/^remove/,$p'
| use it:
|   export STINT_LEDGER="$PWD"/'a b/ledger.db' STINT_PROVIDERS=aws,gcp,lambda,runpod
| then:
| remove it:
|   unset STINT_LEDGER STINT_PROVIDERS; rm -r 'a b'
$ stint demo postgres://localhost/costs
! stint: a demo is a folder, not a server
? 2
$ stint demo /proc/nothing
! stint: cannot make the folder '/proc/nothing': No such file or directory
? 1

The commands that it names work, and say what they show.

$ export STINT_LEDGER="$PWD"/stint-demo/ledger.db STINT_PROVIDERS=aws,gcp,lambda,runpod; echo "export STINT_LEDGER=$STINT_LEDGER STINT_PROVIDERS=$STINT_PROVIDERS" >use
$ . ./use; stint runs --limit 4
| id        name          state    started (UTC)        took     cost  of budget    energy  GPU busy  score  why
| a123779d  eval-nightly  done     2026-11-14 03:07  1h15min  $0.3225          -  187.5 Wh      82 %     72  -
| 41b08de3  photo-video   done     2026-11-13 18:26  8h42min   $31.99          -  3.42 kWh      74 %     68  -
| cf9fd54b  support-lora  done     2026-11-13 10:34  4h21min    $8.66       43 %  1.94 kWh      91 %     82  -
| 16316bd5  notebook      stopped  2026-11-13 09:56  8h50min    $6.25          -  954.8 Wh       9 %      6  user
| 
| the newest 4 runs: $47.22; 6.50 kWh; 23h9min
| older ones are not shown: --limit 0 shows all
! stint: note: demo data
$ . ./use; stint costs --by team
| team           cost  share  not billed yet
| vision    $1,888.60   56 %         $131.43
| platform    $720.13   21 %           $1.00
| nlp         $636.34   19 %         $109.50
| (none)      $117.17  3.5 %                
| total     $3,362.24                $241.93
| 
| exactly: 3362.241130238 USD, of which 241.927052851 USD of runs that no bill covers
| 2026-10-17 to 2026-11-15 (UTC), effective cost
| the newest bill ends on 2026-11-11: after that, only metered runs are included
! stint: note: demo data
$ . ./use; stint budget list
| budget   period       spent  of which metered         of  share                   forecast  state
| nlp      2026-11    $193.05            $51.73  $1,600.00   12 %      $739 ($403 to $1,160)  ok
| serving  2026-11    $175.12                 -    $800.00   21 %        $420 ($211 to $681)  ok
| team     2026-11  $1,179.71           $161.43  $4,000.00   29 %  $3,070 ($2,590 to $3,680)  ok
| video    total      $798.28            $85.45    $600.00  133 %  $1,420 ($1,260 to $1,620)  spent
! stint: note: demo data
$ . ./use; stint advise | head -4
| period          2026-10-17 to 2026-11-15: 137 runs of 10 jobs
| cost            $3,240 a month
| savings         $2,080 a month ($1,940 to $2,170), 64 %, with 15 findings together
| 
! stint: note: demo data
$ . ./use; stint report --month last | head -2; grep -ci 'demo data' cost_report/2026-10/report.html cost_report/2026-10/month_teams.svg
| report of month October 2026
|   Spend: $3,784.09 (effective cost, of which $329.25 metered and not billed yet)
| cost_report/2026-10/report.html:3
| cost_report/2026-10/month_teams.svg:1
! stint: note: demo data
$ . ./use; stint report search-finetune -o run 2>/dev/null | head -1; grep -ci 'demo data' run/report.html run/report.md run/cost_dashboard.svg
| report of run search-finetune (53583f1e)
| run/report.html:5
| run/report.md:2
| run/cost_dashboard.svg:3
$ . ./use; stint ledger doctor 2>/dev/null | tail -1
| no problems found

Every command that reads the ledger has something to show.

$ . ./use; for c in 'costs trend' 'costs movers' 'costs gpus' 'costs spot' 'costs storage' 'costs repeats' bills 'reconcile --month 2026-10' anomalies tags 'allocation show' 'statement --month 2026-10' 'alert list' 'alert log' 'alert channels' forecast 'why last' 'why 2026-10' 'why support-lora' commitments maturity 'checklist before' targets 'unit-costs prediction' 'unit-costs experiment' 'unit-costs update' 'unit-costs improvement' 'counts list' 'rates list' accuracy 'budget show video' top 'show last' 'compare photo-seg photo-video' 'export --csv out.csv'; do stint $c >out 2>err || { echo "$c failed"; cat err; }; [ "$(wc -l <out)" -ge 3 ] || { echo "$c shows:"; cat out; }; grep -qx 'stint: note: demo data' err || echo "$c does not say that it is a demo"; done
| alert channels shows:
| name  kind   to  secret             ready           quiet  digest
| team  slack  -   $STINT_DEMO_SLACK  no secret here  -      -
| export --csv out.csv shows:
$ . ./use; stint anomalies 2>/dev/null | sed -n 2p | cut -c1-70
| Compute Engine  2026-10-22, 3 days  +$730.95    $80.09  $811.05  ended
It is found whatever weekday the quarter ends on.
$ for d in 16 17 18 19 20 21; do STINT_NOW=2026-11-$d stint demo week$d >/dev/null 2>&1; STINT_NOW=2026-11-$d stint --ledger week$d/ledger.db anomalies 2>/dev/null | grep -q 'Compute Engine .*a2-highgpu-4g' || echo "not on 2026-11-$d"; STINT_NOW=2026-11-$d stint --ledger week$d/ledger.db budget list 2>/dev/null | grep -q '^video .* spent' || echo "no budget is spent on 2026-11-$d"; done
$ . ./use; stint reconcile --month 2026-10 2>/dev/null | sed -n 1,6p
| billed for                                           amount  share
| runs                                              $2,451.35   74 %
| idle: machines that runs were on, while none ran     $28.85  0.9 %
| untracked: machines that no run was on              $169.01  5.1 %
| other: storage, network, tax, credits, ...          $685.63   21 %
| total billed                                      $3,334.84  100 %
$ . ./use; stint unit-costs prediction 2>/dev/null | head -2
| model         inference      count  for 1000
| llama-3.1-8b  $1,816.92  2,039,383   $0.8909
$ . ./use; stint maturity 2>/dev/null | grep 'budget periods'
| operate   budget periods kept              80 %  walk       95 % for run    8 of 10 budget periods

Figures and footers say that it is a demo, in a sentence of its own.

$ . ./use; stint why 2026-10 --svg why.svg >/dev/null 2>&1; stint advise --svg advise.svg >/dev/null 2>&1; stint maturity --svg maturity.svg >/dev/null 2>&1; stint commitments --svg commitments.svg >/dev/null 2>&1; grep -o 'Demo data[.] [A-Z0-9][a-z]*' why.svg advise.svg maturity.svg commitments.svg
| why.svg:Demo data. From
| advise.svg:Demo data. Ranges
| maturity.svg:Demo data. From
| commitments.svg:Demo data. 2
$ grep -oh 'Demo data[.] [A-Z][a-z]*' cost_report/2026-10/report.html run/report.html run/cost_dashboard.svg | sort | uniq -c
|       4 Demo data. Comparison
|       1 Demo data. Made

What runs really runs: nothing in the ledger only seems to. The script uses the demo's ledger, whatever ledger is set.

$ stint runs --ledger stint-demo/ledger.db --state running --json 2>/dev/null | grep -o '"count":[0-9]*'
| "count":0
$ export STINT_LEDGER=$PWD/never.db; (sh stint-demo/train.sh; :) 2>/dev/null & export STINT_LEDGER=$PWD/stint-demo/ledger.db; while ! stint runs --state running 2>/dev/null | grep -q demo-train; do sleep 0.05; done; stint top 2>/dev/null | grep -Eo 'demo-train +running'; stint stop demo-train >/dev/null 2>&1; wait $! || :; stint runs demo-train 2>/dev/null | grep -Eo 'demo-train +stopped'; [ -e never.db ] || echo untouched
| demo-train  running
| demo-train  stopped
| untouched
--date makes the demo of another day: the same, whatever day it is; and names the day to look at it with.
$ stint demo pinned --date 2026-11-15 | sed -n '6p;$p'
|   export STINT_LEDGER="$PWD"/pinned/ledger.db STINT_PROVIDERS=aws,gcp,lambda,runpod STINT_NOW=2026-11-15
|   unset STINT_LEDGER STINT_PROVIDERS STINT_NOW; rm -r pinned
$ STINT_NOW=2027-03-03 stint demo later --date 2026-11-15 >/dev/null; for command in runs 'costs --by team' 'budget list' advise 'report --month last --json -o pages' bills 'forecast --by team' 'alert list' maturity; do for demo in pinned later; do stint --ledger $demo/ledger.db $command >$demo.txt 2>&1; sed "s,$demo/,,; s/\"size\":[0-9]*//g" -i $demo.txt; done; cmp pinned.txt later.txt || echo "$command"; rm -rf pages; done
$ for file in aws-bill.csv gcp-bill.csv counts.csv rates.csv policy.yaml train.sh; do cmp pinned/$file later/$file; done
$ STINT_LEDGER=later/ledger.db STINT_NOW=2026-11-15 stint costs --by team 2>/dev/null | grep '^total'
| total     $3,362.24                $241.93
$ stint demo old --date 1969-12-31; stint demo old --date 1999-12-31; stint demo old --date yesterday; [ ! -e old ]
! stint: --date: '1969-12-31' is not a day
!   hint: write it as 2026-11-15
! stint: --date: a demo begins in 2000 or later
!   hint: write it as 2026-11-15
! stint: --date: 'yesterday' is not a day
!   hint: write it as 2026-11-15
