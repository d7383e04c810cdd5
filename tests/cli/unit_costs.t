What one of something cost
$ stint unit-costs experiment
| nothing has the tag 'experiment': 'stint run --tag experiment=NAME' gives it one
| 2026-08-18 to 2026-11-15 (UTC), effective cost
| there are no bills in the ledger: only metered runs are included
$ stint counts list
| nothing is counted: 'stint counts add predictions 1.2M --since DAY' records it
$ stint counts remove predictions
! stint: nothing of 'predictions' is counted
!   hint: 'stint counts list' shows existing counts
? 4

Work that was not run under stint run
$ stint runs add --offer aws/us-east-1/g5.xlarge --start 2026-11-02T09:00:00Z --end 2026-11-02T17:30:00Z --tag experiment=e1,model=bert,phase=train | sed 's/added ......../added ID/'
| added ID g5.xlarge: 2026-11-02 09:00:00 to 2026-11-02 17:30:00 (8h30min), $8.55
| price: aws/us-east-1/g5.xlarge:on-demand, price from 2026-08-22 (85 days old), SkyPilot catalog f2624ac (2026-08-22)
! stint: warning: the price of aws/us-east-1/g5.xlarge is from 2026-08-22, 85 days old: 'stint price fetch' gets today's, --price sets what you pay
$ stint runs add --offer aws/us-east-1/g5.xlarge --start 2026-11-02T10:00:00Z --end 2026-11-02T11:00:00Z 2>&1 | sed 's/(........)/(ID)/'
| stint: warning: the price of aws/us-east-1/g5.xlarge is from 2026-08-22, 85 days old: 'stint price fetch' gets today's, --price sets what you pay
| stint: 'g5.xlarge' is recorded for that time already (ID)
|   hint: use another --name for a different job
$ stint runs add --name many --price 9000000000usd/hr --count 1000000 --start 2026-11-02T10:00:00Z --end 2026-11-02T11:00:00Z
! stint: --count: the cost is more than can be recorded
? 2
$ stint runs add --name many --cost 1usd --count 1 --gpus 5000000000 --start 2026-11-02T10:00:00Z --end 2026-11-02T11:00:00Z
! stint: --gpus: at most 1000000
? 2
$ stint runs add --name old --cost 1usd --start 0001-01-01 --end 2026-11-02T11:00:00Z
! stint: --start: '0001-01-01' is not a time
!   hint: write '2026-11-01 10:00' (UTC), 2026-11-01T10:00:00+01:00 or 2026-11-01
? 2
$ stint runs add --name wide --offer aws/us-east-1/g5.xlarge --price 2usd/hr --count 4 --start 2026-11-02T10:00:00+01:00 --end 2026-11-02T11:30:00Z --tag experiment=e2,model=bert,phase=validation | sed 's/added ......../added ID/'
| added ID wide: 2026-11-02 09:00:00 to 2026-11-02 11:30:00 (2h30min on 4 machines), $20.00
| price: from --price; 4 machines
$ USER=ana stint runs add --name deploy --cost 12usd --gpus 2 --gpu L4 --start 2026-11-03 --end 2026-11-04 --tag experiment=e2,model=bert,phase=deployment | sed 's/added ......../added ID/'
| added ID deploy: 2026-11-03 00:00:00 to 2026-11-04 00:00:00 (24h), $12.00
| price: cost given when it was added
$ stint runs add --name serve --cost 40usd --start 2026-11-04 --end 2026-11-14 --tag model=bert,phase=inference | sed 's/added ......../added ID/'
| added ID serve: 2026-11-04 00:00:00 to 2026-11-14 00:00:00 (10d), $40.00
| price: cost given when it was added
$ stint runs add --name tune --cost 5usd --start 2026-10-04 --end 2026-10-05 --tag model=t5,phase=fine-tuning | sed 's/added ......../added ID/'
| added ID tune: 2026-10-04 00:00:00 to 2026-10-05 00:00:00 (24h), $5.00
| price: cost given when it was added
$ stint runs add --name x --cost 1usd --start 2026-11-04 --end 2026-11-03
! stint: --end (2026-11-03) is not after --start (2026-11-04)
? 2
$ stint runs add --name x --cost 1usd --start 2026-11-04 --end 2026-12-03
! stint: --end (2026-12-03) is in the future
!   hint: add it when it is over, or run it under 'stint run'
? 2
$ stint runs add --name x --start 2026-11-04 --end 2026-11-05
! stint: the cost is missing
!   hint: give --offer aws/us-east-1/g5.xlarge, --price 2.49usd/hr or --cost 12.50usd
? 2
$ stint runs add --name x --cost 1usd --start yesterday --end 2026-11-05
! stint: --start: 'yesterday' is not a time
!   hint: write '2026-11-01 10:00' (UTC), 2026-11-01T10:00:00+01:00 or 2026-11-01
? 2
$ stint runs add --offer g55.xlarge --start 2026-11-04 --end 2026-11-05
! stint: there is no offer 'g55.xlarge'
!   hint: did you mean 'g5.xlarge'? 'stint price list' shows all
? 4
$ stint runs | cut -c 11-
| name       state  started (UTC)        took    cost  energy  GPU busy  score  why
| serve      done   2026-11-04 00:00      10d  $40.00       ?         -      -  added
| deploy     done   2026-11-03 00:00      24h  $12.00       ?         -      -  added
| wide       done   2026-11-02 09:00  2h30min  $20.00       ?         -      -  added
| g5.xlarge  done   2026-11-02 09:00  8h30min   $8.55       ?         -      -  added
| tune       done   2026-10-04 00:00      24h   $5.00       ?         -      -  added
| 
| 5.55; 299h
$ stint show deploy | sed 1d
| name            deploy
| state           done (added)
| started         2026-11-03 00:00:00 UTC, took 24h
| added by hand   by ana: not run under 'stint run', so nothing was metered
| tags            experiment=e2
|                 model=bert
|                 phase=deployment
| 
| price           cost given when it was added
| cost            $12.00
| 
| energy          ?
| carbon          ?
| GPU             2x L4

Counts
$ stint counts add predictions 1.2M --since 2026-11-01 --until 2026-11-15 --tag model=bert
| what         from        to            count  tags        source
| predictions  2026-11-01  2026-11-15  1200000  model=bert  -
| recorded 1 count
$ stint counts add predictions 1.2e6 --from 2026-11-01 --to 2026-11-15 --tag Model=bert
| what         from        to            count  tags        source
| predictions  2026-11-01  2026-11-15  1200000  model=bert  -
| recorded 1 count, 1 of which takes the place of what was there
$ stint counts add predictions many --since 2026-11-01
! stint: 'many' is not a count
!   hint: write it as 1200000, 1.2M or 1.2e6
? 2
$ stint counts add predictions 1.2X --since 2026-11-01
! stint: '1.2X' is not a count
!   hint: write it as 1200000, 1.2M or 1.2e6
? 2
$ stint counts add predictions 5
! stint: the time of the counts is missing
!   hint: --since 2026-10-01 --until 2026-10-31
? 2
$ stint counts add predictions 5 --since 2026-11-01 --from 2026-11-01
! stint: --since and --from are the same: give one
? 2
$ stint counts add predictions 5 --from 2026-11-01 --to 2026-10-01
! stint: --until is before --since
? 2
$ printf 'what,day,count,model,team\npredictions,2026-10-05,1000,t5,nlp\nrequests,2026-10-05,7,,\n' >c.csv; stint counts import c.csv
| recorded 2 counts
$ stint counts import c.csv
| recorded 2 counts, 2 of which take the place of what was there
$ printf 'what,day,count,model,team\npredictions,2026-10-06,5,"t5,team=x",\n' >comma.csv; stint counts import comma.csv
| what         from        to          count  tags             source
| predictions  2026-10-06  2026-10-06      5  model=t5,team=x  comma.csv
| recorded 1 count
$ printf 'what,day,cuont\nx,2026-10-05,3\n' >bad.csv; stint counts import bad.csv
! stint: bad.csv:1: the column 'count' is missing
!   hint: 'cuont' is near: the columns are what,from,to,count and tags: model, team, ...
? 3
$ printf 'what,day,count\nx,2026-10-05,3\nx,5.10.2026,3\n' >bad.csv; stint counts import bad.csv
! stint: bad.csv:3: from: '5.10.2026' is not a day
? 3
$ stint counts list
| what         from        to            count  tags                source
| predictions  2026-10-05  2026-10-05     1000  model=t5, team=nlp  c.csv
| predictions  2026-10-06  2026-10-06        5  model=t5,team=x     comma.csv
| predictions  2026-11-01  2026-11-15  1200000  model=bert          -
| requests     2026-10-05  2026-10-05        7  -                   c.csv
$ stint counts remove requests --since 2026-10-01
! stint: this removes 1 count of requests
!   hint: --force does it; 'stint counts list requests' shows them
? 2
$ stint counts remove requests --since 2026-10-01 --force
| removed 1 count
$ stint counts list requests --json
| {"schema":"stint.counts.list/1","rows":[],"count":0,"replaced":null,"removed":null,"file":null,"ledger":"home/.local/share/stint/ledger.db","no_ledger":false}

What one cost
$ stint unit-costs experiment
| experiment    cost
| e2          $32.00
| e1           $8.55
| 2 experiments: $20.28 on average, half of them under $20.28
| not in it, for want of the tag: $45.00
| 2026-08-18 to 2026-11-15 (UTC), effective cost
| there are no bills in the ledger: only metered runs are included
$ stint unit-costs update
| model  from        to          retraining  validation  deployment  update
| bert   2026-11-02  2026-11-03       $8.55      $20.00      $12.00  $40.55
| t5     2026-10-04  2026-10-31       $5.00       $0.00       $0.00   $5.00
| 2 updates: $22.78 on average, half of them under $22.78
| no deployment was seen of some: those are by the month
| 2026-08-18 to 2026-11-15 (UTC), effective cost
| there are no bills in the ledger: only metered runs are included
$ stint unit-costs prediction
| model  inference      count  for 1000
| bert      $40.00  1,200,000   $0.0333
| 2026-08-18 to 2026-11-15 (UTC), effective cost
| there are no bills in the ledger: only metered runs are included
$ stint unit-costs prediction --json
| {"schema":"stint.unit_costs/1","of":"prediction","by":null,"rows":[{"name":"bert","currency":"USD","amount":{"amount":"40","currency":"USD"},"count":1200000,"per_thousand":0.03333333333333333,"days":15,"first_day":"2026-11-01","last_day":"2026-11-15"}],"trends":[],"rise":0.2,"count":1,"mean":null,"median":null,"mean_currency":null,"without":[],"unknown":0,"basis":{"since":"2026-08-18","until":"2026-11-15","kind":"effective","unpriced":0,"billed_until":null,"converted":null,"rates_from":null,"rates_to":null,"rate_source":null,"ledger":"home/.local/share/stint/ledger.db","no_ledger":false},"csv":null,"alerted":false,"delivered":{"sent":null,"waiting":null,"given_up":null,"postponed":null,"failures":[]}}
$ stint unit-costs update --by month
| month       cost  updates  of one   trend
| 2026-10    $5.00        1   $5.00       -
| 2026-11*  $40.55        1  $40.55  +711 %
| 
| * the running month
| no trend yet: it takes three complete months with a unit cost
| 2025-12-01 to 2026-11-15 (UTC), effective cost
| there are no bills in the ledger: only metered runs are included
$ stint unit-costs improvement
| no run with a price and a metric that changed
| left out: 5 runs without a price, or a metric that changed
$ stint unit-costs update --where model=bert --csv u.csv >u.txt; cat u.csv
| name,from,to,by,currency,retraining,validation,deployment,amount
| bert,2026-11-02,2026-11-03,deployment,USD,8.551,20,12,40.551
$ stint unit-costs egg
! stint: UNIT: 'egg' is not one of experiment, update, prediction, improvement
? 2
$ "$STINT_TEST_LEDGER" other.db; stint --ledger other.db unit-costs improvement
| id        run         first    best     gain   cost  for a gain of 1
| ffff0006  gpt        3.9348  3.3684  0.56636  $0.01          $0.0247
| aaaa0001  bert       3.8846     1.6   2.2846  $0.12          $0.0511
| bbbb0002  bert-wide  3.8125  1.4091   2.4034  $0.13          $0.0534
| eeee0005  vit         3.988  3.6408   0.3472  $0.04          $0.1142
| left out: 2 runs without a price, or a metric that changed
| gains of different metrics do not compare
$ stint counts add predictions 5 --from 2026-11-01 --tag modl=bert,zone=a
| what         from        to          count  tags               source
| predictions  2026-11-01  2026-11-01      5  modl=bert, zone=a  -
| recorded 1 count
! stint: note: the tag 'modl' is stored, but costs are not grouped by it: did you mean 'model'?
$ stint counts remove predictons
! stint: nothing of 'predictons' is counted
!   hint: did you mean 'predictions'?
? 4
$ stint counts remove predictions --until 2026-09-01
! stint: no count of 'predictions' is completely within these days
!   hint: 'stint counts list' shows existing counts
? 4
$ stint runs add --cost 5usd --start 2026-10-02 --end 2026-10-03 --tag teem=nlp,zone=a | sed 's/added ......../added ID/'
| added ID work: 2026-10-02 00:00:00 to 2026-10-03 00:00:00 (24h), $5.00
| price: cost given when it was added
! stint: note: the tag 'teem' is stored, but costs are not grouped by it: did you mean 'team'?
