What to commit to, for a load in a file: two machines always, four by day.
$ awk 'BEGIN { print "hour,amount"; for (d = 1; d <= 28; d++) for (h = 0; h < 24; h++) printf "2026-02-%02d %02d:00,%d\n", d, h, (h >= 8 && h < 20 ? 4 : 2) }' >load.csv
$ stint commitments --load load.csv --provider aws --price 10usd/hr
| period          2026-02-01 to 2026-02-28, from load.csv
| load            aws: $30.0 an hour on demand on average, at most $40.0
| observed        672 of 672 hours (100 %)
| 
|      term    discount      commit  covers   used  saves a year                range  owed in all
| 12 months  30 to 40 %  2 machines    67 %  100 %       $61,300   $52,600 to $70,100     $123,000
| 36 months  50 to 60 %  2 machines    67 %  100 %       $96,400  $87,600 to $105,000     $263,000
| 
| saves over its term  load -25 %     -50 %  no load after 6 months
| 12 months               $41,600   $30,700                -$35,000
| 36 months              $208,000  $153,000               -$175,000
| 
| buy: commit to 2 machines for 12 months: saves $61,300 ($52,600 to $70,100) a
|      year. A committed dollar pays when it is used in more than 70 % of the
|      hours
$ stint commitments --load load.csv --provider aws --price 10usd/hr --term 12 --json
| {"schema":"stint.commitments/1","source":"load.csv","since":"2026-02-01","until":"2026-02-28","hours":672,"loads":[{"provider":"aws","region":null,"family":null,"observed":672,"total":20160,"mean":30,"peak":40,"to_day":0,"to_month":0,"from_runs":0}],"options":[{"provider":"aws","region":null,"family":null,"term_months":12,"upfront":null,"discount":0.35,"discount_low":0.3,"discount_high":0.4,"sustained":0,"break_even":0.7,"commit":{"amount":"20","currency":"USD"},"pay":{"amount":"14","currency":"USD"},"machines":2,"coverage":0.6666666666666667,"utilization":1,"on_demand":{"amount":"262800","currency":"USD"},"cost_low":{"amount":"192720","currency":"USD"},"cost_high":{"amount":"210240","currency":"USD"},"savings":{"amount":"61320","currency":"USD"},"savings_low":{"amount":"52560","currency":"USD"},"savings_high":{"amount":"70080","currency":"USD"},"owed":{"amount":"122640","currency":"USD"},"if_load_falls":[{"by":0.25,"savings":{"amount":"41610","currency":"USD"},"regret":{"amount":"0","currency":"USD"},"best":{"amount":"20","currency":"USD"}},{"by":0.5,"savings":{"amount":"30660","currency":"USD"},"regret":{"amount":"0","currency":"USD"},"best":{"amount":"20","currency":"USD"}},{"by":1,"savings":{"amount":"-35040","currency":"USD"},"regret":{"amount":"35040","currency":"USD"},"best":{"amount":"0","currency":"USD"}}],"buy":true,"why_not":null,"source":"ML Cost Optimization Reference (2025)","date":"2025-01-01"}],"commitments":[],"covered":null,"spot":null,"idle":null,"unused":null,"moved":null,"others":null,"notes":[],"svg":null}
In dollars; with a quote; providers that publish an upper limit, or nothing; one that is not known.
$ stint commitments --load load.csv --discount 45%
| period          2026-02-01 to 2026-02-28, from load.csv
| load            load: $3.00 an hour on demand on average, at most $4.00
| observed        672 of 672 hours (100 %)
| 
|      term  discount    commit  covers   used  saves a year  owed in all
| 12 months      45 %  $2.00/hr    67 %  100 %        $7,880       $9,640
| 
| saves over its term  load -25 %   -50 %  no load after 6 months
| 12 months                $6,790  $5,690                   -$876
| 
| buy: commit to $2.00/hr for 12 months (at on-demand prices; you pay at most
|      $1.10/hr): saves $7,880 a year. A committed dollar pays when it is used in
|      more than 55 % of the hours
$ stint commitments --load load.csv --provider coreweave
| period          2026-02-01 to 2026-02-28, from load.csv
| load            coreweave: $3.00 an hour on demand on average, at most $4.00
| observed        672 of 672 hours (100 %)
| 
|      term    discount    commit  covers  used  saves a year          range  owed in all
| 12 months  up to 60 %  $4.00/hr   100 %  75 %             -  up to $12,300      $14,000
| 
| saves over its term  load -25 %   -50 %  no load after 6 months
| 12 months                $8,980  $5,690                   -$876
| 
| buy: nothing: only an upper limit of the discount is published
$ stint commitments --load load.csv --provider runpod
| period          2026-02-01 to 2026-02-28, from load.csv
| load            runpod: $3.00 an hour on demand on average, at most $4.00
| observed        672 of 672 hours (100 %)
| 
|     term  upfront  discount  commit  covers  used  saves a year  owed in all
| 3 months  all             -       -       -     -             -            ?
| 6 months  all             -       -       -     -             -            ?
| 
| saves over its term  upfront  load -25 %  -50 %  no load after 6 months
| 3 months             all               -      -                       -
| 6 months             all               -      -                       -
| 
| buy: nothing: the discount is not published: ask for a quote and give it as
|      --discount
$ stint commitments --load load.csv --provider nowhere
| period          2026-02-01 to 2026-02-28, from load.csv
| load            nowhere: $3.00 an hour on demand on average, at most $4.00
| observed        672 of 672 hours (100 %)
| 
| no commitments of this provider are known; --discount 35% --term 12 takes a quote
Sustained use is automatic: N1 gets 30 % off, so that a commitment of 20 % off never pays.
$ stint commitments --load load.csv --provider gcp --family n1 --term 12
| period          2026-02-01 to 2026-02-28, from load.csv
| load            gcp n1: $3.00 an hour on demand on average, at most $4.00
| observed        672 of 672 hours (100 %)
| 
|      term    discount    commit  covers  used  saves a year  owed in all
| 12 months  20 to 37 %  $0.00/hr     0 %     -         $0.00        $0.00
| 
| saves over its term  load -25 %  -50 %  no load after 6 months
| 12 months                 $0.00  $0.00                   $0.00
| 
| buy: nothing: the discount for sustained use, without it, is larger
$ stint commitments --load load.csv --provider gcp --family a2 --term 12 --json | grep -o '"sustained":[^,]*,"break_even":[^,]*'
| "sustained":0,"break_even":0.8
Hours that are missing are unknown, not zero; a figure.
$ sed '100,200d' load.csv >gaps.csv; stint commitments --load gaps.csv --provider aws --svg c.svg | grep -E 'observed|load  |note' -A 1; grep -o '<title>[^<]*' c.svg | head -1
| load            aws: $3.01 an hour on demand on average, at most $4.00
| observed        571 of 672 hours (85 %)
| 
| --
| buy: nothing: less than four weeks were observed for each year of its term
| 
| note: 101 of 672 hours have no observation: they are unknown, not zero, and left
|       out
| <title>What to commit to: aws
Your own facts, with what is paid at once.
$ mkdir facts; printf '%s\n' provider,kind,term_months,families,upfront,discount_low,discount_high,automatic,date,source acme,commitment,12,,none,0.25,0.25,no,2026-11-01,quote acme,commitment,12,,all,0.32,0.32,no,2026-11-01,quote 'acme,commitment,12,x* y1,all,0.4,0.4,no,2026-11-01,quote' >facts/commitments.csv
$ stint commitments --load load.csv --provider acme --catalog facts | sed -n '5,8p'
|      term  upfront  discount    commit  covers   used  saves a year  owed in all
| 12 months  all          32 %  $2.00/hr    67 %  100 %        $5,610      $11,900
| 12 months  none         25 %  $2.00/hr    67 %  100 %        $4,380      $13,100
| 
$ stint commitments --load load.csv --provider acme --family y1 --catalog facts | sed -n '5,8p'
|      term  upfront  discount    commit  covers   used  saves a year  owed in all
| 12 months  none         25 %  $2.00/hr    67 %  100 %        $4,380      $13,100
| 12 months  all          40 %  $2.00/hr    67 %  100 %        $7,010      $10,500
| 
Mistakes.
$ stint commitments --load load.csv
! stint: --load needs the provider or the discount
!   hint: --provider aws (discounts of the catalog), or --discount 35% --term 12
? 2
$ stint commitments --load missing.csv --provider aws
! stint: cannot open 'missing.csv': No such file or directory
? 4
$ printf 'hour,cost\n' >bad.csv; stint commitments --load bad.csv --provider aws
! stint: bad.csv:1: the column 'amount' is missing
!   hint: the first line is 'hour,amount', the others are like '2026-01-01 13:00,24.5'
? 3
$ printf 'hour,amount\n2026-02-30 10:00,5\n' >bad.csv; stint commitments --load bad.csv --provider aws
! stint: bad.csv:2: hour: '2026-02-30 10:00' is not a time
!   hint: write it as 2026-11-15 or 2026-11-15T10:00:00Z
? 3
$ printf 'hour,amount\n2026-02-20 10:00,5\n2026-02-20 10:30,5\n' >bad.csv; stint commitments --load bad.csv --provider aws
! stint: bad.csv: the hour 2026-02-20T10:00:00Z is there twice
!   hint: add up the amounts of an hour
? 3
$ printf 'hour,amount\n2026-02-20 10:00,-5\n' >bad.csv; stint commitments --load bad.csv --provider aws
! stint: bad.csv:2: amount: '-5' is not zero or more
!   hint: amount: US dollars of that hour on demand; with --price, machines
? 3
$ stint commitments --load load.csv --discount 100%
! stint: a discount of 100 % or more is no price
!   hint: --discount 35%
? 2
$ stint commitments --load load.csv --discount 10% --term 121
! stint: --term: up to 120 months
!   hint: --term 12, --term 36
? 2
$ stint commitments --price 3usd/hr
! stint: --price and --family are for --load
!   hint: 'stint commitments --load load.csv --provider aws --price 32.77usd/hr'
? 2
$ stint commitments --by gpu
! stint: --by: 'gpu' is not one of family, region, provider
? 2
$ stint commitments
! stint: there is no ledger 'home/.local/share/stint/ledger.db' yet
!   hint: 'stint import BILL' makes it; --load load.csv takes the load of each hour from a file
? 4
Bills by the hour and by the day, a commitment that was used for 18 hours of each day, and spot.
$ printf '%s\n' 'function row(cost, list, start, end, pricing, region, machine, id, state) { printf "%s,%s,%s,%s,USD,7,2026-09-01T00:00:00Z,2026-10-01T00:00:00Z,%s,%s,Usage,AWS,Amazon EC2,Compute,%s,%s,\"{\"\"InstanceType\"\":\"\"%s\"\"}\",%s,%s,%s,%s\n", id == "" ? cost : 0, cost, list, list, start, end, pricing, region, machine, id, id == "" ? "" : "team plan", id == "" ? "" : "Savings Plan", state }' >bill.awk
$ printf '%s\n' 'function at(d, h) { return d == 30 && h == 24 ? "2026-10-01T00:00:00Z" : sprintf("2026-09-%02dT%02d:00:00Z", d + (h == 24), h % 24) }' >>bill.awk
$ printf '%s\n' 'BEGIN { print "BilledCost,EffectiveCost,ListCost,ContractedCost,BillingCurrency,BillingAccountId,BillingPeriodStart,BillingPeriodEnd,ChargePeriodStart,ChargePeriodEnd,ChargeCategory,ProviderName,ServiceName,ServiceCategory,PricingCategory,RegionId,SkuPriceDetails,CommitmentDiscountId,CommitmentDiscountName,CommitmentDiscountType,CommitmentDiscountStatus"' >>bill.awk
$ printf '%s\n' 'for (d = 1; d <= 30; d++) { row(48, 48, at(d, 0), at(d, 24), "Standard", "eu-west-1", "g5.12xlarge"); row(5, 9, at(d, 0), at(d, 1), "Dynamic", "us-east-1", "p4d.24xlarge"); for (h = 0; h < 24; h++) { row(h >= 8 && h < 20 ? 20 : 10, h >= 8 && h < 20 ? 20 : 10, at(d, h), at(d, h + 1), "Standard", "us-east-1", "p4d.24xlarge"); row(0.6, h < 18 ? 1 : 0, at(d, h), at(d, h + 1), "Committed", "us-east-1", "g5.xlarge", "sp-1", h < 18 ? "Used" : "Unused") } } }' >>bill.awk
$ awk -f bill.awk >bill.csv; stint import bill.csv | tail -1
| 1500 charges imported, equal to the files' own totals; ledger: home/.local/share/stint/ledger.db
$ stint commitments
| period          2025-11-16 to 2026-11-14, from the ledger
| load            AWS us-east-1 p4d: $15.0 an hour on demand on average, at most $20.0
| observed        720 of 8,736 hours (8.2 %)
| 
|      term    discount    commit  covers   used  saves a year               range  owed in all
| 12 months  30 to 40 %  $10.0/hr    67 %  100 %       $30,700  $26,300 to $35,000      $61,300
| 36 months  50 to 60 %  $10.0/hr    67 %  100 %       $48,200  $43,800 to $52,600     $131,000
| 
| saves over its term  load -25 %    -50 %  no load after 6 months
| 12 months               $20,800  $15,300                -$17,500
| 36 months              $104,000  $76,700                -$87,600
| 
| buy: commit to $10.0/hr for 12 months (at on-demand prices; you pay at most
|      $7.00/hr): saves $30,700 ($26,300 to $35,000) a year. A committed dollar
|      pays when it is used in more than 70 % of the hours
| 
| load            AWS eu-west-1 g5: $2.00 an hour on demand on average, at most $2.00
| observed        720 of 8,736 hours (8.2 %)
| 
|      term    discount    commit  covers   used  saves a year              range  owed in all
| 12 months  30 to 40 %  $2.00/hr   100 %  100 %        $6,130   $5,260 to $7,010      $12,300
| 36 months  50 to 60 %  $2.00/hr   100 %  100 %        $9,640  $8,760 to $10,500      $26,300
| 
| saves over its term  load -25 %   -50 %  no load after 6 months
| 12 months                $3,070    $876                 -$3,500
| 36 months               $15,300  $4,380                -$17,500
| 
| buy: commit to $2.00/hr for 12 months (at on-demand prices; you pay at most
|      $1.40/hr): saves $6,130 ($5,260 to $7,010) a year. A committed dollar pays
|      when it is used in more than 70 % of the hours
| 
| commitment on the bills  type          used  unused  utilization  saved
| team plan                Savings Plan  $324    $108         75 %   $108
| commitments cover 4.2 % of the use of machines (without spot)
| 
| note: 12 % of the use is known by the day only and spread evenly over it:
|       savings are upper limits, and a bill by the hour would show the steady
|       part
| note: 8016 of 8736 hours have no observation: they are unknown, not zero, and
|       left out
| note: $150 on spot is left out: commitments do not cover it
$ stint commitments --by provider --since 2026-09-01 --until 2026-09-30 --json
| {"schema":"stint.commitments/1","source":"ledger","since":"2026-09-01","until":"2026-09-30","hours":720,"loads":[{"provider":"AWS","region":null,"family":null,"observed":720,"total":12240,"mean":17,"peak":22,"to_day":0.11764705882352941,"to_month":0,"from_runs":0}],"options":[{"provider":"AWS","region":null,"family":null,"term_months":12,"upfront":null,"discount":0.35,"discount_low":0.3,"discount_high":0.4,"sustained":0,"break_even":0.7,"commit":{"amount":"12","currency":"USD"},"pay":{"amount":"8.4","currency":"USD"},"machines":null,"coverage":0.7058823529411764,"utilization":1,"on_demand":{"amount":"148920","currency":"USD"},"cost_low":{"amount":"106872","currency":"USD"},"cost_high":{"amount":"117384","currency":"USD"},"savings":{"amount":"36792","currency":"USD"},"savings_low":{"amount":"31536","currency":"USD"},"savings_high":{"amount":"42048","currency":"USD"},"owed":{"amount":"73584","currency":"USD"},"if_load_falls":[{"by":0.25,"savings":{"amount":"24966","currency":"USD"},"regret":{"amount":"0","currency":"USD"},"best":{"amount":"12","currency":"USD"}},{"by":0.5,"savings":{"amount":"16206","currency":"USD"},"regret":{"amount":"1752","currency":"USD"},"best":{"amount":"11","currency":"USD"}},{"by":1,"savings":{"amount":"-21024","currency":"USD"},"regret":{"amount":"21024","currency":"USD"},"best":{"amount":"0","currency":"USD"}}],"buy":true,"why_not":null,"source":"ML Cost Optimization Reference (2025)","date":"2025-01-01"},{"provider":"AWS","region":null,"family":null,"term_months":36,"upfront":null,"discount":0.55,"discount_low":0.5,"discount_high":0.6,"sustained":0,"break_even":0.5,"commit":{"amount":"12","currency":"USD"},"pay":{"amount":"6","currency":"USD"},"machines":null,"coverage":0.7058823529411764,"utilization":1,"on_demand":{"amount":"148920","currency":"USD"},"cost_low":{"amount":"85848","currency":"USD"},"cost_high":{"amount":"96360","currency":"USD"},"savings":{"amount":"57816","currency":"USD"},"savings_low":{"amount":"52560","currency":"USD"},"savings_high":{"amount":"63072","currency":"USD"},"owed":{"amount":"157680","currency":"USD"},"if_load_falls":[{"by":0.25,"savings":{"amount":"124830","currency":"USD"},"regret":{"amount":"0","currency":"USD"},"best":{"amount":"12","currency":"USD"}},{"by":0.5,"savings":{"amount":"81030","currency":"USD"},"regret":{"amount":"8760","currency":"USD"},"best":{"amount":"11","currency":"USD"}},{"by":1,"savings":{"amount":"-105120","currency":"USD"},"regret":{"amount":"105120","currency":"USD"},"best":{"amount":"0","currency":"USD"}}],"buy":false,"why_not":"less than four weeks were observed for each year of its term","source":"ML Cost Optimization Reference (2025)","date":"2025-01-01"}],"commitments":[{"id":"sp-1","name":"team plan","type":"Savings Plan","provider":"AWS","used":324.00000000000085,"unused":107.99999999999969,"utilization":0.750000000000001,"list":540,"saved":107.99999999999943}],"covered":0.04225352112676056,"spot":150,"idle":0,"unused":0,"moved":0,"others":0,"notes":["12 % of the use is known by the day only and spread evenly over it: savings are upper limits, and a bill by the hour would show the steady part","$150 on spot is left out: commitments do not cover it"],"svg":null}
$ stint commitments --provider azure | head -2
| period          2025-11-16 to 2026-11-14, from the ledger
| no machines were paid on demand in this time: there is nothing to commit to
Runs, on days that no bill covers.
$ "$STINT_TEST_LEDGER" runs.db why; STINT_LEDGER=runs.db stint commitments --since 60d --discount 30%
| period          2026-09-17 to 2026-11-14, from the ledger
| load            Lambda us-east-1 gpu_1x_a100_sxm4: $0.0461 an hour on demand on average, at most $4.68
| observed        794 of 1,416 hours (56 %)
| 
|      term  discount    commit  covers  used  saves a year  owed in all
| 12 months      30 %  $0.00/hr     0 %     -         $0.00        $0.00
| 
| saves over its term  load -25 %  -50 %  no load after 6 months
| 12 months                 $0.00  $0.00                   $0.00
| 
| buy: nothing: no part of the load is used in enough hours
| 
| load            Lambda us-east-1 gpu_1x_h100_sxm5: $0.0065 an hour on demand on average, at most $5.16
| observed        794 of 1,416 hours (56 %)
| 
|      term  discount    commit  covers  used  saves a year  owed in all
| 12 months      30 %  $0.00/hr     0 %     -         $0.00        $0.00
| 
| saves over its term  load -25 %  -50 %  no load after 6 months
| 12 months                 $0.00  $0.00                   $0.00
| 
| buy: nothing: no part of the load is used in enough hours
| 
| note: 622 of 1416 hours have no observation: they are unknown, not zero, and
|       left out
| note: $41.8 of it is from runs: hours in which a machine was rented but ran
|       nothing that Stint metered are not in it; 'stint import' adds bills
