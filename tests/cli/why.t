Why something cost more or less, in parts that add up. Nothing is recorded yet:
$ stint why last
! stint: there is no ledger 'home/.local/share/stint/ledger.db' yet
!   hint: 'stint run -- COMMAND' makes it
? 4
$ stint why 2026-10
! stint: there is no ledger 'home/.local/share/stint/ledger.db' yet
!   hint: 'stint run -- COMMAND' makes it
? 4
$ "$STINT_TEST_LEDGER" home/.local/share/stint/ledger.db why
A run as planned; then one cause each.
$ stint why as-planned
| estimate        $4.10
| cost            $4.10  as-planned (00000001)
| 
| part         cost  what
| difference  $0.00  
| 
| largest: nothing to do: no part adds more than 1 % of the cost
$ stint why slow-data
| estimate        $4.10
| cost            $5.36  slow-data (00000002)
| 
| part           cost  what
| data stalls  +$1.20  20min instead of none
| start-up     +$0.06  1min instead of none
| difference   +$1.26  
| 
| largest: data stalls, +$1.20: give the data loader more workers, or keep the
|          data on a local disk
$ stint why slow-steps
| estimate        $4.10
| cost            $5.00  slow-steps (00000003)
| 
| part            cost  what
| slower steps  +$0.90  1.25 s instead of 1 s a step
| difference    +$0.90  
| 
| largest: slower steps, +$0.90: 'stint tune' finds the batch size with the lowest
|          cost; 'stint calibrate' makes the next estimate learn from it
$ stint why other-price
| estimate        $4.10
| cost            $5.23  other-price (00000004)
| 
| part            cost  what
| higher price  +$1.13  $4.68/hr instead of $3.60/hr
| difference    +$1.13  
| 
| largest: higher price, +$1.13: 'stint price compare' lists what costs less now,
|          'stint plan' finds the cheapest for the job
$ stint why restarted
| estimate        $4.10
| cost            $5.14  restarted (00000007)
| 
| part                          cost  what
| failures and repeated work  +$1.02  17min instead of none, 2 attempts
| storage                     +$0.02  $0.04 instead of $0.02
| difference                  +$1.04  
| 
| largest: failures and repeated work, +$1.02: save more often ('stint spot
|          interval' computes how often), and resume from the checkpoint
What is not recorded is not explained; without an estimate it is a breakdown.
$ stint why unseen
| estimate        $4.10
| cost            $7.52  unseen (00000006)
| 
| part             cost  what
| not explained  +$3.42  2h instead of 1h3min of the machine; its use is not recorded
| difference     +$3.42  
| 
| largest: not explained, +$3.42: run it with 'stint run' and let it print its
|          steps, so that the machine's activity is recorded
| note: what the machine did is not recorded: its time cannot be divided
$ stint why idle
| cost            $5.48  idle (00000005)
| 
| part             cost  what
| training        $3.60  30min
| idle time       $1.20  10min
| machine set-up  $0.30  
| checkpoints     $0.18  1min30s
| evaluation      $0.12  1min
| start-up        $0.06  30 s
| storage         $0.02  
| total           $5.48  
| 
| largest: idle time, $1.20: 'stint run --idle 10min' stops a run that does
|          nothing
| note: no estimate was recorded with this run: 'stint run --job JOB -- COMMAND'
|       records one; 'stint why A B' compares two runs
Two runs, exactly.
$ stint why as-planned idle
| from            $4.10  as-planned (00000001)
| to              $5.48  idle (00000005)
| 
| part                   cost  what
| higher price         +$2.58  $7.20/hr instead of $3.60/hr
| faster steps         -$1.80  500 ms instead of 1 s a step
| idle time            +$0.60  10min instead of none
| shorter checkpoints  -$0.09  1min30s instead of 3min
| evaluation           +$0.06  1min instead of none
| start-up             +$0.03  30 s instead of none
| difference           +$1.38  
| 
| largest: higher price, +$2.58: 'stint price compare' lists what costs less now,
|          'stint plan' finds the cheapest for the job
| note: they ran on different GPUs: price and step time go together
$ stint why as-planned idle --json
| {"schema":"stint.why/1","kind":"runs","from":"as-planned (00000001)","to":"idle (00000005)","from_cost":{"amount":"4.1","currency":"USD"},"to_cost":{"amount":"5.48","currency":"USD"},"difference":{"amount":"1.38","currency":"USD"},"parts":[{"cause":"price","name":"higher price","amount":{"amount":"2.58","currency":"USD"},"detail":"$7.20/hr instead of $3.60/hr"},{"cause":"step_time","name":"faster steps","amount":{"amount":"-1.8","currency":"USD"},"detail":"500 ms instead of 1 s a step"},{"cause":"idle","name":"idle time","amount":{"amount":"0.6","currency":"USD"},"detail":"10min instead of none"},{"cause":"checkpoints","name":"shorter checkpoints","amount":{"amount":"-0.09","currency":"USD"},"detail":"1min30s instead of 3min"},{"cause":"evaluation","name":"evaluation","amount":{"amount":"0.06","currency":"USD"},"detail":"1min instead of none"},{"cause":"startup","name":"start-up","amount":{"amount":"0.03","currency":"USD"},"detail":"30 s instead of none"}],"advice":"higher price, +$2.58: 'stint price compare' lists what costs less now, 'stint plan' finds the cheapest for the job","groups":[],"notes":["they ran on different GPUs: price and step time go together"],"svg":null}
$ stint why as-planned slow-data --svg why.svg | tail -2; grep -c '<title>' why.svg; grep -o '>Why[^<]*' why.svg
| largest: data stalls, +$1.20: give the data loader more workers, or keep the
|          data on a local disk
| 5
| >Why slow-data (00000002) cost more than as-planned (00000001)
| >Why slow-data (00000002) cost more than as-planned (00000001)
Months: one is compared with the month before.
$ stint why 2026-11
| from            $7.12  2026-10
| to              $37.83  2026-11
| 
| part                        cost  what
| more runs                +$17.80  nlp, search
| longer runs               +$6.29  nlp, search
| higher prices             +$3.70  nlp, search
| more expensive machines   +$2.93  nlp, search
| difference               +$30.71  
| 
| by       value   before    cost   change
| service  runs     $7.12  $37.83  +$30.71
| gpu      A100     $7.12  $32.35  +$25.23
| gpu      H100     $0.00   $5.48   +$5.48
| team     nlp      $7.12  $37.83  +$30.71
| project  search   $7.12  $37.83  +$30.71
| 
| largest: more runs (nlp, search), +$17.80: 'stint costs repeats' lists runs that
|          repeat an earlier one
| note: 2026-11 is not over: 15 of its 30 days count
$ stint why 2026-10 2026-11 --by gpu --json | grep -o '"parts".*'
| "parts":[{"cause":"runs","name":"more runs","amount":{"amount":"17.8","currency":"USD"},"detail":"nlp, search"},{"cause":"run_hours","name":"longer runs","amount":{"amount":"6.289333333","currency":"USD"},"detail":"nlp, search"},{"cause":"price","name":"higher prices","amount":{"amount":"3.696","currency":"USD"},"detail":"nlp, search"},{"cause":"machines","name":"more expensive machines","amount":{"amount":"2.928666667","currency":"USD"},"detail":"nlp, search"}],"advice":"more runs (nlp, search), +$17.80: 'stint costs repeats' lists runs that repeat an earlier one","groups":[{"dimension":"gpu","value":"A100","before":{"amount":"7.12","currency":"USD"},"amount":{"amount":"32.354","currency":"USD"},"change":{"amount":"25.234","currency":"USD"}},{"dimension":"gpu","value":"H100","before":{"amount":"0","currency":"USD"},"amount":{"amount":"5.48","currency":"USD"},"change":{"amount":"5.48","currency":"USD"}}],"notes":["2026-11 is not over: 15 of its 30 days count"],"svg":null}
$ stint why 2026-11 2026-10 | head -8
| from            $37.83  2026-11
| to              $7.12  2026-10
| 
| part                        cost  what
| fewer runs               -$27.02  nlp, search
| shorter runs              -$2.18  nlp, search
| lower prices              -$0.92  nlp, search
| less expensive machines   -$0.59  nlp, search
$ stint why 2025-01 2025-02
| from            $0.00  2025-01
| to              $0.00  2025-02
| 
| part         cost  what
| difference  $0.00  
| 
| largest: nothing to do: no part adds more than 1 % of the cost
| note: nothing is recorded of these months: 'stint run' and 'stint import' add
|       costs
Mistakes.
$ stint why
! stint: why needs a RUN|MONTH
!   hint: stint why last
? 2
$ stint why nothing-like-this
! stint: there is no run 'nothing-like-this'
!   hint: 'stint runs' lists them; 'last' is the newest
? 4
$ stint why last 2026-10
! stint: why needs a run, two runs, a month or two months
!   hint: 'stint why last', 'stint why 1a2b3c4d last', 'stint why 2026-09 2026-10'
? 2
$ stint why 2026-13 last
! stint: there is no run '2026-13'
!   hint: 'stint runs' lists them; 'last' is the newest
? 4
$ stint why as-planned idle slow-data
! stint: why needs a run, two runs, a month or two months
!   hint: 'stint why last', 'stint why 1a2b3c4d last', 'stint why 2026-09 2026-10'
? 2
$ stint why last --by team
! stint: --by, --where and --currency are for months
!   hint: 'stint why 2026-09 2026-10 --by team'
? 2
$ stint why 2026-10 --by tame
! stint: --by: there is no dimension 'tame'
!   hint: did you mean 'team'?
? 2
$ stint why last --svg missing/why.svg
! stint: cannot write 'missing/why.svg': No such file or directory
? 1
A run without a price, and one that did not end.
$ "$STINT_TEST_LEDGER" runs.db
$ STINT_LEDGER=runs.db stint why prepare
! stint: the cost of run dddd0004 is not known: it has no price
!   hint: run with --price '$2.49/hr' or --offer OFFER; 'stint show dddd0004' has what is known
? 3
$ STINT_LEDGER=runs.db stint why vit
| cost            $0.0397  vit (eeee0005)
| 
| part             cost  what
| training      $0.0283  4min15s
| start-up     $0.00567  51 s
| data stalls  $0.00189  17 s
| checkpoints  $0.00189  17 s
| storage      $0.00189  
| total         $0.0397  
| 
| largest: start-up, $0.00567: use an image that has everything, and a cache for
|          model and packages
| note: vit (eeee0005) is not complete: its state is stopped
| note: no estimate was recorded with this run: 'stint run --job JOB -- COMMAND'
|       records one; 'stint why A B' compares two runs
$ STINT_LEDGER=runs.db stint why bert bert-wide
| from            $0.1167  bert (aaaa0001)
| to              $0.1283  bert-wide (bbbb0002)
| 
| part                                 cost  what
| failures and repeated work       +$0.0250  3min45s instead of none, 2 attempts
| shorter training                -$0.00833  11min15s instead of 12min30s
| shorter start-up                -$0.00667  1min30s instead of 2min30s
| data stalls                    +$0.000556  55 s instead of 50 s
| checkpoints                    +$0.000556  55 s instead of 50 s
| storage                        +$0.000556  $0.00611 instead of $0.00556
| not explained               +$0.000000001  cost without a recorded use
| difference                       +$0.0117  
| 
| largest: failures and repeated work, +$0.0250: save more often ('stint spot
|          interval' computes how often), and resume from the checkpoint
$ STINT_LEDGER=runs.db stint why bert
| estimate        $0.1100
| cost            $0.1167  bert (aaaa0001)
| 
| part                   cost  what
| start-up           +$0.0167  2min30s instead of none
| shorter training  -$0.00556  12min30s instead of 13min20s; steps are not known
| data stalls       +$0.00556  50 s instead of none
| checkpoints       +$0.00556  50 s instead of none
| storage           +$0.00556  $0.00556 instead of nothing
| not explained      -$0.0211  cost without a recorded use
| difference        +$0.00667  
| 
| largest: start-up, +$0.0167: use an image that has everything, and a cache for
|          model and packages
| note: only the estimate's total cost and time were recorded, not its parts
Bills with quantities: twice the price of one, more use of another, one that is new; tax.
$ printf '%s\n' BilledCost,EffectiveCost,BillingCurrency,BillingAccountId,BillingPeriodStart,BillingPeriodEnd,ChargePeriodStart,ChargePeriodEnd,ChargeCategory,ProviderName,ServiceName,SkuId,PricingQuantity,PricingUnit >bill.csv
$ line() { printf '%s,%s,USD,7,2026-%s-01T00:00:00Z,2026-%s-01T00:00:00Z,2026-%s-03T00:00:00Z,2026-%s-04T00:00:00Z,%s,Acme,%s,%s,%s,%s\n' "$3" "$3" "$1" "$2" "$1" "$1" "$4" "$5" "$6" "$7" "$8" >>bill.csv; }; line 09 10 10.00 Usage GPU gpu-a 5 h; line 09 10 3.50 Usage Storage disk 35 GB; line 09 10 1.00 Tax Tax vat '' ''; line 10 11 20.00 Usage GPU gpu-a 5 h; line 10 11 7.000000000001 Usage Storage disk 70 GB; line 10 11 2.00 Tax Tax vat '' ''; line 10 11 4.25 Usage Queue queue 9 messages; line 10 11 -1.50 Credit Credit promo '' ''
$ STINT_LEDGER=bills.db stint import bill.csv | tail -1
| 8 charges imported, equal to the files' own totals; ledger: bills.db
$ STINT_LEDGER=bills.db stint why 2026-10
| from            $14.50  2026-09
| to              $31.75  2026-10
| 
| part                    cost  what
| higher prices        +$10.00  GPU: +$10.00
| new                   +$4.25  Queue
| more use              +$3.50  Storage
| more credits          -$1.50  Credit
| taxes and purchases   +$1.00  Tax
| difference           +$17.25  
| 
| by       value    before    cost   change
| service  GPU      $10.00  $20.00  +$10.00
| service  Queue     $0.00   $4.25   +$4.25
| service  Storage   $3.50   $7.00   +$3.50
| service  Credit    $0.00  -$1.50   -$1.50
| service  Tax       $1.00   $2.00   +$1.00
| 
| largest: higher prices (GPU), +$10.00: 'stint price compare' lists what costs
|          less now
$ STINT_LEDGER=bills.db stint why 2026-09 2026-10 --by service --json
| {"schema":"stint.why/1","kind":"months","from":"2026-09","to":"2026-10","from_cost":{"amount":"14.5","currency":"USD"},"to_cost":{"amount":"31.750000000001","currency":"USD"},"difference":{"amount":"17.250000000001","currency":"USD"},"parts":[{"cause":"price","name":"higher prices","amount":{"amount":"10.000000000001","currency":"USD"},"detail":"GPU: +$10.00"},{"cause":"new","name":"new","amount":{"amount":"4.25","currency":"USD"},"detail":"Queue"},{"cause":"use","name":"more use","amount":{"amount":"3.5","currency":"USD"},"detail":"Storage"},{"cause":"credits","name":"more credits","amount":{"amount":"-1.5","currency":"USD"},"detail":"Credit"},{"cause":"fixed","name":"taxes and purchases","amount":{"amount":"1","currency":"USD"},"detail":"Tax"}],"advice":"higher prices (GPU), +$10.00: 'stint price compare' lists what costs less now","groups":[{"dimension":"service","value":"GPU","before":{"amount":"10","currency":"USD"},"amount":{"amount":"20","currency":"USD"},"change":{"amount":"10","currency":"USD"}},{"dimension":"service","value":"Queue","before":{"amount":"0","currency":"USD"},"amount":{"amount":"4.25","currency":"USD"},"change":{"amount":"4.25","currency":"USD"}},{"dimension":"service","value":"Storage","before":{"amount":"3.5","currency":"USD"},"amount":{"amount":"7.000000000001","currency":"USD"},"change":{"amount":"3.500000000001","currency":"USD"}},{"dimension":"service","value":"Credit","before":{"amount":"0","currency":"USD"},"amount":{"amount":"-1.5","currency":"USD"},"change":{"amount":"-1.5","currency":"USD"}},{"dimension":"service","value":"Tax","before":{"amount":"1","currency":"USD"},"amount":{"amount":"2","currency":"USD"},"change":{"amount":"1","currency":"USD"}}],"notes":[],"svg":null}
Several currencies are converted; bills and runs together, and what a policy adds.
$ "$STINT_TEST_LEDGER" costs.db costs
$ STINT_LEDGER=costs.db stint why 2026-10
! stint: these months have costs in USD and EUR
!   hint: --currency USD converts them, at the rate of each day
? 2
$ printf '%s\n' date,currency,usd 2026-09-01,EUR,1.1 2026-10-01,EUR,1.15 2026-10-20,EUR,1.13 >rates.csv; STINT_LEDGER=costs.db stint rates import rates.csv | tail -1
| 3 rates of EUR, 2026-09-01 to 2026-10-20, stored in costs.db
$ STINT_LEDGER=costs.db stint why 2026-10 --currency USD
| from            $3,424.30  2026-09
| to              $4,316.33  2026-10
| 
| part                           cost  what
| new                        +$725.91  Virtual Machines
| more use or higher prices  +$166.12  Amazon Elastic Compute Cloud: +$98.32
| difference                 +$892.02  
| 
| by       value                             before       cost    change
| service  Virtual Machines                   $0.00    $725.91  +$725.91
| service  Amazon Elastic Compute Cloud   $3,325.30  $3,478.82  +$153.52
| service  Amazon Simple Storage Service     $99.00    $111.60   +$12.60
| gpu      A100                               $0.00    $725.91  +$725.91
| gpu      H100                           $2,949.60  $3,047.92   +$98.32
| gpu      A10G                             $303.70    $356.50   +$52.80
| gpu      (none)                           $171.00    $186.00   +$15.00
| team     vision                         $2,949.60  $3,773.83  +$824.23
| team     nlp                              $396.70    $461.90   +$65.20
| team     platform                          $72.00     $74.40    +$2.40
| team     (none)                             $6.00      $6.20    +$0.20
| project  ads                            $2,949.60  $3,773.83  +$824.23
| project  search                           $396.70    $461.90   +$65.20
| project  (none)                            $78.00     $80.60    +$2.60
| 
| largest: new (Virtual Machines), +$725.91: 'stint costs movers' lists new items
! stint: warning: a rate that was used is 18 days older than what it converts: 'stint rates import FILE.csv' takes newer ones
$ printf '%s\n' recurring: '  - name: desk' '    cost: 310usd/month' '    from: 2026-10-02' >policy.yaml; STINT_LEDGER=costs.db stint allocation set policy.yaml >/dev/null; STINT_LEDGER=costs.db stint why 2026-10 --currency USD --by provider
| from            $3,424.30  2026-09
| to              $4,616.33  2026-10
| 
| part                             cost  what
| new                          +$725.91  Virtual Machines
| recurring costs              +$300.00  of the allocation policy
| more use or higher prices    +$166.12  Amazon Elastic Compute Cloud: +$98.32
| difference                 +$1,192.02  
| 
| by        value               before       cost    change
| provider  Microsoft            $0.00    $725.91  +$725.91
| provider  recurring costs      $0.00    $300.00  +$300.00
| provider  AWS              $3,424.30  $3,590.42  +$166.12
| 
| largest: new (Virtual Machines), +$725.91: 'stint costs movers' lists new items
! stint: warning: a rate that was used is 18 days older than what it converts: 'stint rates import FILE.csv' takes newer ones
Names with escape sequences and markup.
$ stint run --name "$(printf 'a\033[31mb<b>&')" --price 1usd/hr -- true >/dev/null 2>&1; stint why last --svg odd.svg | head -1 | cat -v | sed 's/([0-9a-f]*)/(ID)/; s/\$[0-9.]*/AMOUNT/'; grep -o '>Where[^<]*' odd.svg | sed 's/([0-9a-f]*)/(ID)/'
| cost            AMOUNT  a?[31mb<b>& (ID)
| >Where the money of a?[31mb&lt;b&gt;&amp; (ID) went
| >Where the money of a?[31mb&lt;b&gt;&amp; (ID) went

Waiting for data inside steps, by what the program prints or by its samples. One busy core is the
program itself: its steps are slower.
$ "$STINT_TEST_LEDGER" stalls.db stalls
$ for run in printed loaders-busy asleep one-core gpu-busy; do STINT_LEDGER=stalls.db stint why $run; done
| estimate        $4.10
| cost            $5.00  printed (00000001)
| 
| part                             cost  what
| waiting for data inside steps  +$0.90  15min instead of none
| difference                     +$0.90  
| 
| largest: waiting for data inside steps, +$0.90: give the data loader more
|          workers, or keep the data on a local disk
| note: 20 % of each step of printed (00000001) is waiting for data, by the metric
|       train_data_time_ms
| estimate        $4.10
| cost            $5.00  loaders-busy (00000002)
| 
| part                             cost  what
| waiting for data inside steps  +$0.90  15min instead of none
| difference                     +$0.90  
| 
| largest: waiting for data inside steps, +$0.90: give the data loader more
|          workers, or keep the data on a local disk
| note: 20 % of each step of loaders-busy (00000002) is waiting for data, by its
|       samples: GPUs idle inside steps while loaders work or the program sleeps
| estimate        $4.10
| cost            $5.00  asleep (00000003)
| 
| part                             cost  what
| waiting for data inside steps  +$0.90  15min instead of none
| difference                     +$0.90  
| 
| largest: waiting for data inside steps, +$0.90: give the data loader more
|          workers, or keep the data on a local disk
| note: 20 % of each step of asleep (00000003) is waiting for data, by its
|       samples: GPUs idle inside steps while loaders work or the program sleeps
| estimate        $4.10
| cost            $5.00  one-core (00000004)
| 
| part            cost  what
| slower steps  +$0.90  1.25 s instead of 1 s a step
| difference    +$0.90  
| 
| largest: slower steps, +$0.90: 'stint tune' finds the batch size with the lowest
|          cost; 'stint calibrate' makes the next estimate learn from it
| estimate        $4.10
| cost            $5.00  gpu-busy (00000005)
| 
| part            cost  what
| slower steps  +$0.90  1.25 s instead of 1 s a step
| difference    +$0.90  
| 
| largest: slower steps, +$0.90: 'stint tune' finds the batch size with the lowest
|          cost; 'stint calibrate' makes the next estimate learn from it
$ STINT_LEDGER=stalls.db stint why one-core loaders-busy
| from            $5.00  one-core (00000004)
| to              $5.00  loaders-busy (00000002)
| 
| part                             cost  what
| waiting for data inside steps  +$0.90  15min instead of none
| faster steps                   -$0.90  1 s instead of 1.25 s a step
| difference                      $0.00  
| 
| largest: waiting for data inside steps, +$0.90: give the data loader more
|          workers, or keep the data on a local disk
| note: 20 % of each step of loaders-busy (00000002) is waiting for data, by its
|       samples: GPUs idle inside steps while loaders work or the program sleeps

Pictures beside the drawing; conditions on months.
$ STINT_LEDGER=stalls.db stint why printed --svg w.svg --png w.png --pdf w.pdf >/dev/null; head -c 4 w.png | od -An -c; head -c 5 w.pdf; echo; grep -c '<svg' w.svg
|  211   P   N   G
| %PDF-
| 1
$ STINT_LEDGER=stalls.db stint why printed --png w2.png --json | grep -o '"svg".*'; ls w2.png
| "svg":null,"png":"w2.png"}
| w2.png
$ STINT_LEDGER=stalls.db stint why printed --svg w3.svg --pdf nosuch/w.pdf >/dev/null
! stint: cannot write 'nosuch/w.pdf': No such file or directory
? 1
$ stint why 2026-11 --where team=nlp | head -9
| from            $7.12  2026-10
| to              $37.83  2026-11
| 
| part                        cost  what
| more runs                +$17.80  nlp, search
| longer runs               +$6.29  nlp, search
| higher prices             +$3.70  nlp, search
| more expensive machines   +$2.93  nlp, search
| difference               +$30.71  
$ stint why 2026-11 --where gpu=H100
| from            $0.00  2026-10
| to              $5.48  2026-11
| 
| part          cost  what
| new         +$5.48  nlp, search
| difference  +$5.48  
| 
| by       value   before   cost  change
| service  runs     $0.00  $5.48  +$5.48
| gpu      H100     $0.00  $5.48  +$5.48
| team     nlp      $0.00  $5.48  +$5.48
| project  search   $0.00  $5.48  +$5.48
| 
| largest: new (nlp, search), +$5.48: 'stint costs movers' lists new items
| note: 2026-11 is not over: 15 of its 30 days count
| note: nothing that matches is recorded of one of the months, or of both
$ stint why 2026-11 --where team=nobody
| from            $0.00  2026-10
| to              $0.00  2026-11
| 
| part         cost  what
| difference  $0.00  
| 
| largest: nothing to do: no part adds more than 1 % of the cost
| note: 2026-11 is not over: 15 of its 30 days count
| note: nothing that matches is recorded of one of the months, or of both
$ stint why 2026-11 --where nlp
! stint: 'nlp' is not a condition
!   hint: write team=nlp, 'gpu=H100*' or 'service!=AWS Support'
? 2
$ stint why last --where team=nlp
! stint: --by, --where and --currency are for months
!   hint: 'stint why 2026-09 2026-10 --by team'
? 2
$ STINT_LEDGER=bills.db stint why 2026-09 2026-10 --where 'service=*Storage*'
| from            $3.50  2026-09
| to              $7.00  2026-10
| 
| part              cost  what
| more use        +$3.50  Storage
| higher prices  +<$0.01  Storage
| difference      +$3.50  
| 
| by       value    before   cost  change
| service  Storage   $3.50  $7.00  +$3.50
| 
| largest: more use (Storage), +$3.50: 'stint costs movers' lists the changes
$ STINT_LEDGER=bills.db stint why 2026-09 2026-10 --where 'service!=*Storage*' | head -20
| from            $11.00  2026-09
| to              $24.75  2026-10
| 
| part                    cost  what
| higher prices        +$10.00  GPU
| new                   +$4.25  Queue
| more credits          -$1.50  Credit
| taxes and purchases   +$1.00  Tax
| difference           +$13.75  
| 
| by       value   before    cost   change
| service  GPU     $10.00  $20.00  +$10.00
| service  Queue    $0.00   $4.25   +$4.25
| service  Credit   $0.00  -$1.50   -$1.50
| service  Tax      $1.00   $2.00   +$1.00
| 
| largest: higher prices (GPU), +$10.00: 'stint price compare' lists what costs
|          less now
