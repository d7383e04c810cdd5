All of a budget spent is critical whatever its thresholds are, and several thresholds passed at once are one message
$ echo 'echo BilledCost,EffectiveCost,BillingCurrency,ProviderName,BillingAccountId,ChargePeriodStart,ChargePeriodEnd,BillingPeriodStart,BillingPeriodEnd,ServiceCategory,ServiceName,ChargeCategory,Tags; echo "$1,$1,USD,AWS,1,2026-11-02T00:00:00Z,2026-11-03T00:00:00Z,2026-11-01T00:00:00Z,2026-12-01T00:00:00Z,Compute,EC2,Usage,\"{\"\"team\"\":\"\"ads\"\"}\""' > bill.sh
$ sh bill.sh 40 > bill.csv; STINT_NOW=2026-11-03T06:00:00Z stint import bill.csv > out.txt
$ stint alert add one webhook --url http://127.0.0.1:1/one > out.txt; stint alert add two webhook --url http://127.0.0.1:1/two > out.txt
$ STINT_NOW=2026-11-03T07:00:00Z stint budget set ads 100usd --where team=ads --thresholds 50,80 --forecast none --alert one > out.txt
$ STINT_NOW=2026-11-03T07:00:00Z stint budget check > out.txt; STINT_NOW=2026-11-03T07:00:00Z stint alert list
| no alerts
$ sh bill.sh 200 > bill.csv; STINT_NOW=2026-11-04T06:00:00Z stint import --replace bill.csv > out.txt
$ STINT_NOW=2026-11-04T07:00:00Z stint budget check > out.txt 2>&1; STINT_NOW=2026-11-04T07:00:00Z stint alert list
| id  alert                    state   severity  since (UTC)       changed (UTC)     updates
|  1  Budget ads: 200 % spent  firing  critical  2026-11-04 07:00  2026-11-04 07:00        0
$ STINT_NOW=2026-11-04T07:00:30Z stint budget check > out.txt 2>&1; STINT_NOW=2026-11-04T07:00:30Z stint alert log --json | tr , "\n" | grep -E '"(channel|what|title)"'
| "channel":"one"
| "what":"firing"
| "title":"Budget ads: 200 % spent"
A channel that is added while it fires gets it once, and the others nothing
$ STINT_NOW=2026-11-04T07:00:40Z stint budget set ads --alert one,two > out.txt
$ STINT_NOW=2026-11-04T07:00:40Z stint budget check > out.txt 2>&1; STINT_NOW=2026-11-04T07:00:50Z stint budget check > out.txt 2>&1
$ STINT_NOW=2026-11-04T07:00:50Z stint alert log --json | tr , "\n" | grep -E '"(channel|what|title)"'
| "channel":"two"
| "what":"firing"
| "title":"Budget ads: 200 % spent"
| "channel":"one"
| "what":"firing"
| "title":"Budget ads: 200 % spent"
What is resolved has the new share
$ STINT_NOW=2026-11-04T11:00:00Z stint budget set ads 1000usd > out.txt; STINT_NOW=2026-11-04T11:00:00Z stint budget check > out.txt 2>&1; STINT_NOW=2026-11-04T11:00:00Z stint alert list
| id  alert                   state     severity  since (UTC)       changed (UTC)     updates
|  1  Budget ads: 20 % spent  resolved  critical  2026-11-04 07:00  2026-11-04 11:00        0
