What one of something cost, by day and month
$ for m in 07 08 09 10; do stint runs add --name serve$m --cost 100usd --start 2026-$m-02 --end 2026-$m-12 --tag model=bert,phase=inference; done > out.txt
$ stint runs add --name serve11 --cost 60usd --start 2026-11-02 --end 2026-11-12 --tag model=bert,phase=inference > out.txt
$ stint counts add predictions 1M --since 2026-07-01 --until 2026-07-31 --tag model=bert > out.txt; stint counts add predictions 950k --since 2026-08-01 --until 2026-08-31 --tag model=bert > out.txt; stint counts add predictions 1M --since 2026-09-01 --until 2026-09-30 --tag model=bert > out.txt; stint counts add predictions 500k --since 2026-10-01 --until 2026-10-31 --tag model=bert > out.txt
$ stint unit-costs prediction --by month
| model  month        cost  predictions  for 1000   trend
| bert   2026-07   $100.00    1,000,000   $0.1000       -
| bert   2026-08   $100.00      950,000   $0.1053  +5.3 %
| bert   2026-09   $100.00    1,000,000   $0.1000    -5 %
| bert   2026-10   $100.00      500,000   $0.2000  +100 %
| bert   2026-11*   $60.00            ?         ?       -
| 
| * the running month
| bert: trend +22.5 % a month, over 4 months; up 100 % in 2026-10 from the median of the 3 before
| 2025-12-01 to 2026-11-15 (UTC), effective cost
| there are no bills in the ledger: only metered runs are included
$ stint unit-costs prediction --by month --since 2026-09-01 --limit 1 --json
| {"schema":"stint.unit_costs/1","of":"prediction","by":"month","rows":[{"name":"bert","period":"2026-11","currency":"USD","amount":{"amount":"60","currency":"USD"},"count":null,"unit_cost":null,"change":null,"running":true,"days":0,"first_day":null,"last_day":null,"partial":false}],"trends":[{"name":"bert","currency":"USD","trend":null,"periods":2,"period":"2026-10","newest":0.2,"usual":0.1,"compared":1,"rise":1,"risen":true}],"rise":0.2,"count":3,"mean":null,"median":null,"mean_currency":null,"without":[],"unknown":0,"basis":{"since":"2026-09-01","until":"2026-11-15","kind":"effective","unpriced":0,"billed_until":null,"converted":null,"rates_from":null,"rates_to":null,"rate_source":null,"ledger":"home/.local/share/stint/ledger.db","no_ledger":false},"csv":null,"alerted":false,"delivered":{"sent":null,"waiting":null,"given_up":null,"postponed":null,"failures":[]}}
$ stint unit-costs prediction --by day --since 2026-10-10 --until 2026-10-13
| model  day           cost  predictions  for 1000  trend
| bert   2026-10-10  $10.00       16,129   $0.6200      -
| bert   2026-10-11  $10.00       16,129   $0.6200    0 %
| 
| bert: no trend yet: it takes three complete days with a unit cost
| 2026-10-10 to 2026-10-13 (UTC), effective cost
| there are no bills in the ledger: only metered runs are included
$ stint runs add --name a --cost 10usd --start 2026-11-10 --end 2026-11-11 --tag experiment=e1 > out.txt; stint runs add --name b --cost 12usd --start 2026-11-10 --end 2026-11-11 --tag experiment=e2 > out.txt; stint runs add --name c --cost 30usd --start 2026-11-12 --end 2026-11-13 --tag experiment=e1 > out.txt
$ stint unit-costs experiment --by day --since 2026-11-09
| day           cost  experiments  of one   trend
| 2026-11-10  $22.00            2  $11.00       -
| 2026-11-12  $30.00            1  $30.00  +173 %
| 
| no trend yet: it takes three complete days with a unit cost
| not in it, for want of the tag: $18.00
| 2026-11-09 to 2026-11-15 (UTC), effective cost
| there are no bills in the ledger: only metered runs are included
$ stint unit-costs update --by month
| nothing has a tag 'model' and a phase retraining, validation or deployment
| not in it, for want of the tag: $52.00
| 2025-12-01 to 2026-11-15 (UTC), effective cost
| there are no bills in the ledger: only metered runs are included
$ stint unit-costs improvement --by month
| no run with a price and a metric that changed
| left out: 8 runs without a price, or a metric that changed
An alert when it rises, once
$ stint unit-costs prediction --rise 20% --alert team
! stint: there is no channel 'team'
!   hint: 'stint alert channels' lists them; 'stint alert add team KIND ...' adds it
? 4
$ stint unit-costs prediction --rise much
! stint: --rise: 'much' is not a percentage
!   hint: write it as --rise 15%
? 2
$ stint alert add team webhook --url http://127.0.0.1:1/hook > out.txt
$ stint unit-costs prediction --rise 20% --alert team > out.txt
$ stint unit-costs prediction --rise 20% --alert team > out.txt
$ stint alert list
| id  alert                                               state   severity  since (UTC)       changed (UTC)     updates
|  1  Cost of one prediction (bert): up 100 % in 2026-10  firing  warning   2026-11-15 00:00  2026-11-15 00:00        0
$ stint alert log | cut -c 1-60
| created (UTC)     channel  what    alert                    
| 2026-11-15 00:00  team     firing  Cost of one prediction (b
$ stint unit-costs prediction --rise 150% --alert team > out.txt
$ stint alert list
| id  alert                                               state     severity  since (UTC)       changed (UTC)     updates
|  1  Cost of one prediction (bert): up 100 % in 2026-10  resolved  warning   2026-11-15 00:00  2026-11-15 00:00        0

Days with a cost and without counts are left out of a month, also between two days with counts
$ { echo date,provider,service,cost,currency,model,phase; for d in 01 02 03 04 05; do echo 2026-09-$d,Lambda,GPU,10,USD,gap,inference; done; echo 2026-10-01,Lambda,GPU,10,USD,gap,inference; } >gap.csv; printf 'what,from,to,count,model\npredictions,2026-09-01,2026-09-01,1000,gap\npredictions,2026-09-05,2026-09-05,1000,gap\npredictions,2026-10-01,2026-10-01,1000,gap\n' >counts.csv; stint import gap.csv --ledger gap.db >/dev/null; stint counts import counts.csv --ledger gap.db >/dev/null
$ stint unit-costs prediction --by month --since 2026-09-01 --until 2026-10-31 --ledger gap.db
| model  month      cost  predictions  for 1000  trend
| gap    2026-09  $20.00        2,000    $10.00      -
| gap    2026-10  $10.00        1,000    $10.00    0 %
| 
| 2026-09: cost and predictions of the same 2 days, 2026-09-01 to 2026-09-05; of its other days one of them is missing
| 2026-10: cost and predictions of the same 1 day, 2026-10-01 to 2026-10-01; of its other days one of them is missing
| gap: no trend yet: it takes three complete months with a unit cost
| 2026-09-01 to 2026-10-31 (UTC), effective cost
| the newest bill ends on 2026-10-01: after that, only metered runs are included
