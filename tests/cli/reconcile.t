Without a ledger, and without bills
$ stint reconcile
! stint: there is no ledger 'home/.local/share/stint/ledger.db' yet
!   hint: 'stint run -- COMMAND' makes it
? 4
$ "$STINT_TEST_LEDGER" home/.local/share/stint/ledger.db machines
$ stint reconcile
| the ledger has no bill for this time; 'stint import FILE' adds one
| 
| run       name   started (UTC)     estimated  metered  billed  difference  matched by     machine
| 00000003  three  2026-11-10 16:00          ?    $0.84       -           -  no line found  -
| 00000002  two    2026-11-10 14:00          ?    $5.04       -           -  no line found  -
| 00000001  one    2026-11-10 12:00          ?    $2.52       -           -  no line found  -
| 
| 0 of 3 runs found in the bills; metered $8.40, of it not found in a bill: $8.40

A bill: i-01 by the hour on the 10th, with its traffic; i-02 and i-03 by the day; a machine that is tagged for a run;
one without a run; a disk; tax; an unused commitment, which is no machine
$ echo 'BilledCost,BillingAccountId,BillingCurrency,BillingPeriodStart,BillingPeriodEnd,ChargeCategory,ChargeDescription,ChargePeriodStart,ChargePeriodEnd,EffectiveCost,ProviderName,InvoiceIssuerName,PublisherName,RegionId,ResourceId,ResourceName,ServiceCategory,ServiceName,SkuMeter,SkuPriceDetails,PricingQuantity,PricingUnit,CommitmentDiscountStatus,Tags' >bill.csv
$ echo 'type="\"{\"\"InstanceType\"\":\"\"g5.xlarge\"\"}\""; line() { echo "$4,111,USD,2026-11-01T00:00:00Z,2026-12-01T00:00:00Z,${7:-Usage},x,$1,$2,$4,AWS,AWS,AWS,us-east-1,$3,,Compute,AmazonEC2,${6:-SpotUsage:g5.xlarge},${8-$type},$5,${5:+Hrs},$9,${10}" >>bill.csv; }; day() { line 2026-11-$1T00:00:00Z 2026-11-$(($1 + 1))T00:00:00Z "$2" "$3" "$4" "$5" "$6" "${7-$type}" "$8" "$9"; }' >line.sh
$ . ./line.sh; for h in 12 13 14 15 16 17 18 19; do line 2026-11-10T$h:00:00Z 2026-11-10T$((h + 1)):00:00Z arn:aws:ec2:us-east-1:111:instance/i-01 0.50 1; done; day 10 arn:aws:ec2:us-east-1:111:instance/i-01 0.80 '' DataTransfer
$ . ./line.sh; day 10 i-02 3 6; day 10 i-03 2.1234567890123456 4; day 11 i-03 9 24
$ . ./line.sh; day 10 i-04 4 8 '' '' "$type" '' '"{""stint_run"":""three""}"'; day 12 i-05 12 24
$ . ./line.sh; day 10 vol-1 0.25 '' EBS:VolumeUsage '' ''; day 10 '' 1.5 '' '' Tax ''; day 10 arn:aws:ec2:us-east-1:111:reserved-instances/r1 7 24 '' '' "$type" Unused; wc -l <bill.csv
| 18
$ stint import bill.csv | tail -1
| 17 charges imported, equal to the files' own totals; ledger: home/.local/share/stint/ledger.db
$ stint reconcile --month 2026-11
| billed for                                        amount  share
| runs                                              $10.47   24 %
| idle: machines that runs were on, while none ran  $12.45   29 %
| untracked: machines that no run was on            $12.00   27 %
| other: storage, network, tax, credits, ...         $8.75   20 %
| total billed                                      $43.67  100 %
| 
| run       name   started (UTC)     estimated  metered  billed  difference  matched by  machine
| 00000003  three  2026-11-10 16:00          ?    $0.84   $1.00       +19 %  tag         i-04
| 00000002  two    2026-11-10 14:00          ?    $5.04   $5.87       +17 %  machine id  i-02
| 00000001  one    2026-11-10 12:00          ?    $2.52   $3.60       +43 %  machine id  arn:aws:ec2:us-east-1:111:instance/i-01
| 
| machine                                  type       region     billed  used by runs  remainder  hours  run hours  remainder is
| i-05                                     g5.xlarge  us-east-1  $12.00         $0.00     $12.00   24.0        0.0  untracked
| i-03                                     g5.xlarge  us-east-1  $11.12         $2.87      $8.25   28.0        6.0  idle
| i-04                                     g5.xlarge  us-east-1   $4.00         $1.00      $3.00    8.0        2.0  idle
| arn:aws:ec2:us-east-1:111:instance/i-01  g5.xlarge  us-east-1   $4.80         $3.60      $1.20    8.0        6.0  idle
| i-02                                     g5.xlarge  us-east-1   $3.00         $3.00      $0.00    6.0        6.0  -
| 
| 3 of 3 runs found in the bills; metered $8.40, of it not found in a bill: $0.00
| bill lines from 2026-11-10 to 2026-11-12; amounts are effective cost; --json shows every day
What machines cost that stay on after runs is a finding:
$ stint advise | grep -A8 'turn machines off'
|  1. all runs: turn machines off after runs
|     saves     $12.2 a month ($11.0 to $12.5), 29 % of its cost; effort: minutes;
|               risk: low
|     seen      3 machines on the bill for 44 hours, 30 of them without a run;
|               most of it: i-03
|     do        stint watch --idle 10min --do 'sudo poweroff', on the machine;
|               'stint reconcile' lists the machines
|     computed  what was billed beyond 10 min after each run; range: beyond 1 h,
|               all time without a run
$ stint reconcile --month 2026-11 --json
| {"schema":"stint.reconcile/1","sums":[{"currency":"USD","billed":"43.6734567890123456","matched":"10.4734567890123456","idle":"12.45","untracked":"12","other":"8.75"}],"days":[{"day":"2026-11-10","sums":{"currency":"USD","billed":"22.6734567890123456","matched":"9.7234567890123456","idle":"4.2","untracked":"0","other":"8.75"},"metered":{"amount":"7.56","currency":"USD"},"estimated_only":{"amount":"0","currency":"USD"}},{"day":"2026-11-11","sums":{"currency":"USD","billed":"9","matched":"0.75","idle":"8.25","untracked":"0","other":"0"},"metered":{"amount":"0.84","currency":"USD"},"estimated_only":{"amount":"0","currency":"USD"}},{"day":"2026-11-12","sums":{"currency":"USD","billed":"12","matched":"0","idle":"0","untracked":"12","other":"0"},"metered":{"amount":"0","currency":"USD"},"estimated_only":{"amount":"0","currency":"USD"}}],"resources":[{"resource":"i-05","name":null,"provider":"AWS","region":"us-east-1","instance":"g5.xlarge","currency":"USD","billed":"12","matched":"0","rest":"12","hours":24,"run_hours":0,"runs":0},{"resource":"i-03","name":null,"provider":"AWS","region":"us-east-1","instance":"g5.xlarge","currency":"USD","billed":"11.1234567890123456","matched":"2.8734567890123456","rest":"8.25","hours":28,"run_hours":6,"runs":1},{"resource":"i-04","name":null,"provider":"AWS","region":"us-east-1","instance":"g5.xlarge","currency":"USD","billed":"4","matched":"1","rest":"3","hours":8,"run_hours":2,"runs":1},{"resource":"arn:aws:ec2:us-east-1:111:instance/i-01","name":null,"provider":"AWS","region":"us-east-1","instance":"g5.xlarge","currency":"USD","billed":"4.8","matched":"3.6","rest":"1.2","hours":8,"run_hours":6,"runs":1},{"resource":"i-02","name":null,"provider":"AWS","region":"us-east-1","instance":"g5.xlarge","currency":"USD","billed":"3","matched":"3","rest":"0","hours":6,"run_hours":6,"runs":1}],"runs":[{"id":"019d2000-0000-7000-8000-000000000003","name":"three","started":"2026-11-10T16:00:00Z","matched_by":"tag","machine":"i-04","machines":1,"estimated":null,"metered":{"amount":"0.84","currency":"USD"},"billed":"1","currency":"USD","difference":0.19047619047619047,"covered":1,"reason":null},{"id":"019d2000-0000-7000-8000-000000000002","name":"two","started":"2026-11-10T14:00:00Z","matched_by":"machine id","machine":"i-02","machines":1,"estimated":null,"metered":{"amount":"5.04","currency":"USD"},"billed":"5.8734567890123456","currency":"USD","difference":0.1653684105183224,"covered":1,"reason":null},{"id":"019d2000-0000-7000-8000-000000000001","name":"one","started":"2026-11-10T12:00:00Z","matched_by":"machine id","machine":"arn:aws:ec2:us-east-1:111:instance/i-01","machines":1,"estimated":null,"metered":{"amount":"2.52","currency":"USD"},"billed":"3.6","currency":"USD","difference":0.4285714285714286,"covered":1,"reason":null}],"extras":[{"kind":"volume","provider":"AWS","account":"111","region":"us-east-1","resource":"vol-1","currency":"USD","cost":"0.25","days":1}],"metered":{"amount":"8.4","currency":"USD"},"estimated_only":{"amount":"0","currency":"USD"},"run_count":3,"matched_runs":3,"unpriced":0,"first":"2026-11-10","last":"2026-11-12","no_bills":false}
$ stint reconcile --since 2026-11-11 --until 2026-11-11
| billed for                                        amount  share
| runs                                               $0.75  8.3 %
| idle: machines that runs were on, while none ran   $8.25   92 %
| untracked: machines that no run was on             $0.00    0 %
| other: storage, network, tax, credits, ...         $0.00    0 %
| total billed                                       $9.00  100 %
| 
| run       name  started (UTC)     estimated  metered  billed  difference  matched by  machine
| 00000002  two   2026-11-10 20:00          ?    $0.84   $0.75       -11 %  machine id  i-03
| 
| machine  type       region     billed  used by runs  remainder  hours  run hours  remainder is
| i-03     g5.xlarge  us-east-1   $9.00         $0.75      $8.25   24.0        2.0  idle
| 
| 1 of 1 run found in the bills; metered $0.84, of it not found in a bill: $0.00
| bill lines from 2026-11-11 to 2026-11-11; amounts are effective cost; --json shows every day
$ stint reconcile --month 2026-10
| the ledger has no bill for this time; 'stint import FILE' adds one
| 
| 0 of 0 runs found in the bills; metered $0.00, of it not found in a bill: $0.00
$ stint reconcile --limit 1
| billed for                                        amount  share
| runs                                              $10.47   24 %
| idle: machines that runs were on, while none ran  $12.45   29 %
| untracked: machines that no run was on            $12.00   27 %
| other: storage, network, tax, credits, ...         $8.75   20 %
| total billed                                      $43.67  100 %
| 
| run       name   started (UTC)     estimated  metered  billed  difference  matched by  machine
| 00000003  three  2026-11-10 16:00          ?    $0.84   $1.00       +19 %  tag         i-04
| 
| machine  type       region     billed  used by runs  remainder  hours  run hours  remainder is
| i-05     g5.xlarge  us-east-1  $12.00         $0.00     $12.00   24.0        0.0  untracked
| 
| 3 of 3 runs found in the bills; metered $8.40, of it not found in a bill: $0.00
| bill lines from 2026-11-10 to 2026-11-12; amounts are effective cost; --json shows every day

Another currency is separate
$ head -1 bill.csv >euro.csv; sed -n 2p bill.csv | sed 's/USD/EUR/; s/,111,/,222,/; s/i-01/i-77/' >>euro.csv; stint import euro.csv >/dev/null; stint reconcile --month 2026-11 | head -14
| billed for                                          amount  share
| runs                                              0.00 EUR    0 %
| idle: machines that runs were on, while none ran  0.00 EUR    0 %
| untracked: machines that no run was on            0.50 EUR  100 %
| other: storage, network, tax, credits, ...        0.00 EUR    0 %
| total billed                                      0.50 EUR  100 %
| 
| billed for                                        amount  share
| runs                                              $10.47   24 %
| idle: machines that runs were on, while none ran  $12.45   29 %
| untracked: machines that no run was on            $12.00   27 %
| other: storage, network, tax, credits, ...         $8.75   20 %
| total billed                                      $43.67  100 %
| 

Mistakes
$ stint reconcile --month november
! stint: --month: 'november' is not a month
!   hint: write it as 2026-10, this or last
? 2
$ stint reconcile --month 2026-13
! stint: --month: '2026-13' is not a month
!   hint: write it as 2026-10, this or last
? 2
$ stint reconcile --month 2026-11 --since 3d
! stint: --month is a complete month: give it alone, or --since and --until
? 2
$ stint reconcile --since soon
! stint: --since: 'soon' is neither a time nor a date
!   hint: write yesterday, 12h, 7d, 2026-11-01 or '2026-11-01 10:00' (UTC)
? 2
$ stint reconcile --limit -1
! stint: --limit: '-1' is not 0 or more
? 2
$ stint --ledger nowhere.db reconcile
! stint: there is no ledger 'nowhere.db' yet
!   hint: 'stint run -- COMMAND' makes it
? 4

A run of four machines takes the lines of four; where the bill has fewer, the rest of it is not covered
$ . ./line.sh; head -1 bill.csv >four.csv; rm bill.csv; for m in 1 2 3 4 5; do day 12 m-$m 12 12; done; cat bill.csv >>four.csv; stint --ledger four.db import four.csv | tail -1
| 5 charges imported, equal to the files' own totals; ledger: four.db
$ echo 'add() { stint --ledger four.db runs add --offer aws/us-east-1/g5.xlarge --price 1usd/hr --start 2026-11-12T06:00:00Z --end 2026-11-12T18:00:00Z "$@" | sed "s/added [0-9a-f]*/added RUN/"; }; tell() { stint --ledger four.db reconcile | sed "s/^[0-9a-f]\{8\} /RUN      /"; }' >four.sh
$ . ./four.sh; add --count 4 --name four; tell
| added RUN four: 2026-11-12 06:00:00 to 2026-11-12 18:00:00 (12h on 4 machines), $48.00
| price: from --price; 4 machines
| billed for                                        amount  share
| runs                                              $48.00   80 %
| idle: machines that runs were on, while none ran   $0.00    0 %
| untracked: machines that no run was on            $12.00   20 %
| other: storage, network, tax, credits, ...         $0.00    0 %
| total billed                                      $60.00  100 %
| 
| run       name  started (UTC)     estimated  metered  billed  difference  matched by     machine
| RUN       four  2026-11-12 06:00          ?   $48.00  $48.00         0 %  type and time  m-1 and 3 more
| 
| machine  type       region     billed  used by runs  remainder  hours  run hours  remainder is
| m-5      g5.xlarge  us-east-1  $12.00         $0.00     $12.00   12.0        0.0  untracked
| m-1      g5.xlarge  us-east-1  $12.00        $12.00      $0.00   12.0       12.0  -
| m-2      g5.xlarge  us-east-1  $12.00        $12.00      $0.00   12.0       12.0  -
| m-3      g5.xlarge  us-east-1  $12.00        $12.00      $0.00   12.0       12.0  -
| m-4      g5.xlarge  us-east-1  $12.00        $12.00      $0.00   12.0       12.0  -
| 
| 1 of 1 run found in the bills; metered $48.00, of it not found in a bill: $0.00
| bill lines from 2026-11-12 to 2026-11-12; amounts are effective cost; --json shows every day
$ . ./four.sh; add --count 2 --name two; tell | sed -n '8,/^$/p'; stint --ledger four.db reconcile --json | grep -o '"how":"type and time","machine":"m-5".*"covered":0.5'
| added RUN two: 2026-11-12 06:00:00 to 2026-11-12 18:00:00 (12h on 2 machines), $24.00
| price: from --price; 2 machines
| run       name  started (UTC)     estimated  metered  billed  difference  matched by     machine
| RUN       two   2026-11-12 06:00          ?   $24.00  $12.00           -  type and time  m-5
| RUN       four  2026-11-12 06:00          ?   $48.00  $48.00         0 %  type and time  m-1 and 3 more
| 
? 1
