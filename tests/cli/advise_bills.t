Advice from a bill alone: what spot makes cheaper is not committed to as well
$ { echo BilledCost,EffectiveCost,ListCost,BillingAccountId,BillingCurrency,ChargeCategory,ChargePeriodStart,ChargePeriodEnd,ConsumedQuantity,ConsumedUnit,PricingCategory,ProviderName,RegionId,ResourceId,ServiceCategory,ServiceName,SkuMeter,SkuPriceDetails; for d in 01 02 03 04 05 06 07 08 09 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31; do for m in 'p3.2xlarge 30.6 10 1' 'm6i.4xlarge 18.432 24 2'; do set -- $m; echo "$2,$2,$2,123456789012,USD,Usage,2026-10-${d}T00:00:00Z,2026-10-${d}T23:59:59Z,$3,Hours,Standard,AWS,us-east-1,i-0123456789abcdef$4,Compute,Amazon EC2,BoxUsage:$1,\"{\"\"InstanceType\"\":\"\"$1\"\"}\""; done; done; } >bill.csv; stint import bill.csv | tail -1
| 62 charges imported, equal to the files' own totals; ledger: home/.local/share/stint/ledger.db
$ stint advise --since 2026-10-01 --until 2026-10-31 | grep -E '^saving|^ [0-9]|saves|adds'
| savings         $1,000 a month ($976 to $1,030), 68 %, with 2 findings together
|  1. all bills: start machines on spot
|     saves     $808 a month ($808 to $809), 55 % of its cost; effort: hours;
|     do        start them on spot, if the work saves checkpoints, and in the
|  2. all bills: commit to the steady part
|     saves     $196 a month ($168 to $224), 13 % of its cost; effort: hours;
|  3. all bills: find out what machines are for
|     saves     $553 a month ($0.00 to $553), 38 % of its cost; effort: minutes;

Commitments alone leave it out as well, and say so
$ stint commitments --since 2026-10-01 --until 2026-10-31 | grep -E '^load  |^buy|left out|GPU or'
| load            AWS us-east-1 m6i: $0.768 an hour on demand on average, at most $0.768
| buy: commit to $0.768/hr for 12 months (at on-demand prices; you pay at most
|       GPU or off at night is left out: 'stint advise' lists them
