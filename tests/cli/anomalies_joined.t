One cause that affects three services is one event, and one alert
$ echo BilledCost,EffectiveCost,BillingCurrency,ProviderName,BillingAccountId,ChargePeriodStart,ChargePeriodEnd,BillingPeriodStart,BillingPeriodEnd,ServiceCategory,ServiceName,ChargeCategory,Tags > bill.csv
$ for d in $(seq 0 79); do a=$(date -u -d "2026-08-12 +$d days" +%F); b=$(date -u -d "$a +1 day" +%F); m=${a%??}01; n=$(date -u -d "$m +1 month" +%F); for s in 1 2 3; do for k in 1 2; do x=$((100 * s + d % 5)); [ $k = 1 ] && [ $d -ge 70 ] && [ $d -lt 76 ] && x=$((400 * s)); echo "$x,$x,USD,AWS,1,${a}T00:00:00Z,${b}T00:00:00Z,${m}T00:00:00Z,${n}T00:00:00Z,Compute,S$s,Usage,\"{\"\"team\"\":\"\"t$k\"\"}\""; done; done; done >> bill.csv
$ stint import bill.csv > out.txt
$ STINT_NOW=2026-10-30 stint anomalies --by service
| service  began                    change   expected       spent  state  likely cause
| S3       2026-10-21, 6 days  +$10,752.43  $7,277.57  $18,030.00  ended  team=t1: $302.08 a day before, $1,200.00 during it (100 % of the change); also service=S2; service=S1
| 
| 1 event in 3 series of days, judged until 2026-10-29, the last complete day
| 2026-08-02 to 2026-10-30 (UTC), effective cost
$ stint alert add team webhook --url http://127.0.0.1:1/hook > out.txt
$ STINT_NOW=2026-10-27 stint anomalies --by service --alert team > out.txt
$ STINT_NOW=2026-10-27 stint alert list --firing
| id  alert                                                      state   severity  since (UTC)       changed (UTC)     updates
|  1  service=S3: $10752.43 more than expected since 2026-10-21  firing  warning   2026-10-27 00:00  2026-10-27 00:00        0
