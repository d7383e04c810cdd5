Before anything is known
$ stint forecast
| nothing is recorded yet: 'stint run -- COMMAND' and 'stint import FILE' write to home/.local/share/stint/ledger.db
$ stint anomalies
| nothing is recorded yet: 'stint run -- COMMAND' and 'stint import FILE' write to home/.local/share/stint/ledger.db
$ stint anomalies --alert ops
! stint: there is no ledger yet, and so no channel
!   hint: 'stint alert add NAME KIND' adds one
? 4

A bill: EC2 and S3 by two teams, with a fee at the month's start, an event of one team in October, and two days without S3
$ seq -f @%.0f 1780272000 86400 1794614400 | date -u -f - '+%F %u' >days.txt
$ awk 'BEGIN { print "BilledCost,EffectiveCost,BillingCurrency,ChargePeriodStart,ChargePeriodEnd,ChargeCategory,ProviderName,ServiceName,RegionId,ResourceId,BillingAccountId,BillingPeriodStart,BillingPeriodEnd,Tags" } function put(s, t, x) { printf "%.4f,%.4f,USD,%sT00:00:00Z,%sT24:00:00Z,Usage,AWS,%s,us-east-1,%s-%s,1,%s-01T00:00:00Z,,\"{\"\"team\"\":\"\"%s\"\"}\"\n", x, x, $1, $1, s, s, t, substr($1, 1, 7), t } { w = $2 >= 6 ? 0.6 : 1; n = 1 + (NR * 7919 % 100 - 50) / 1500; put("EC2", "nlp", 180 * w * n); put("EC2", "vision", 120 * w * n * ($1 >= "2026-10-13" && $1 <= "2026-10-15" ? 4 : 1)); put("S3", "nlp", NR > 165 ? 0.01 : 30 * n); put("S3", "vision", NR > 165 ? 0 : 20 * n); if ($1 ~ /-01$/) put("Support", "nlp", 250) }' days.txt | sed 's/\([0-9-]*\)T24:00:00Z/\1T23:59:59Z/' >focus.csv
$ stint import focus.csv >/dev/null

The forecast of the month
$ stint forecast
| month        spent  forecast     low    high  method
| 2026-11  $4,567.65    $9,360  $9,050  $9,750  weekday means
| 
| spent: until 2026-11-14, the last complete day
| forecast: with the 16 days left; 80 % of months end between low and high, if nothing changes
| 2026-11-01 to 2026-11-30 (UTC), effective cost
| the newest bill ends on 2026-11-14: after that, only metered runs are included
$ stint forecast --by team
| team        spent  forecast     low    high  method
| nlp     $2,840.60    $5,650  $5,410  $5,950  weekday means
| vision  $1,727.05    $3,690  $3,650  $3,740  weekday means
| total   $4,567.65    $9,360  $9,050  $9,750  weekday means
| 
| spent: until 2026-11-14, the last complete day
| forecast: with the 16 days left; 80 % of months end between low and high, if nothing changes
| each row and the total are forecast separately; the rows add up to $9,340
| 2026-11-01 to 2026-11-30 (UTC), effective cost
| the newest bill ends on 2026-11-14: after that, only metered runs are included
$ stint forecast --by service --where team=nlp --limit 1
| service      spent  forecast     low    high  method
| EC2      $2,231.26    $4,760  $4,720  $4,810  weekday means
| total    $2,840.60    $5,650  $5,410  $5,950  weekday means
| 
| spent: until 2026-11-14, the last complete day
| forecast: with the 16 days left; 80 % of months end between low and high, if nothing changes
| 2 more are only in the total: --limit 0 shows all
| 2026-11-01 to 2026-11-30 (UTC), effective cost
| the newest bill ends on 2026-11-14: after that, only metered runs are included
$ stint forecast --month 2026-12
| month    spent  forecast     low     high  method
| 2026-12  $0.00    $9,480  $8,760  $10,400  weekday means, with monthly fees
| 
| spent: until 2026-11-14, the last complete day
| forecast: with the 31 days left; 80 % of months end between low and high, if nothing changes
| 2026-12-01 to 2026-12-31 (UTC), effective cost
| the newest bill ends on 2026-11-14: after that, only metered runs are included
$ stint forecast --month 2026-09
| month        spent   forecast        low       high  method
| 2026-09  $9,782.89  $9,782.89  $9,782.89  $9,782.89  all days are known
| 
| spent: until 2026-11-14, the last complete day
| 2026-09-01 to 2026-09-30 (UTC), effective cost
$ stint forecast --json
| {"schema":"stint.forecast/1","by":[],"month":"2026-11","rows":[],"totals":[{"currency":"USD","spent":{"amount":"4567.6467","currency":"USD"},"running":{"amount":"0","currency":"USD"},"forecast":{"amount":"9359.32","currency":"USD"},"low":{"amount":"9049.64","currency":"USD"},"high":{"amount":"9746.43","currency":"USD"},"recurring":{"amount":"0","currency":"USD"},"method":"weekday means","days":167,"problem":null,"added":null}],"others":0,"budgets":[],"known_until":"2026-11-14","days_ago":1,"days_left":16,"basis":{"since":"2026-11-01","until":"2026-11-30","kind":"effective","unpriced":0,"billed_until":"2026-11-14","converted":null,"rates_from":null,"rates_to":null,"rate_source":null,"ledger":"home/.local/share/stint/ledger.db","no_ledger":false}}
$ stint budget set all 10000usd >/dev/null; stint budget set vision 2000usd --where team=vision >/dev/null; stint forecast
| month        spent  forecast     low    high  method
| 2026-11  $4,567.65    $9,360  $9,050  $9,750  weekday means
| 
| budget  period       spent  forecast          of  share  outlook
| all     2026-11  $4,567.65    $9,360  $10,000.00   94 %  within the limit
| vision  2026-11  $1,727.05    $3,690   $2,000.00  184 %  will exceed it
| 
| spent: until 2026-11-14, the last complete day
| forecast: with the 16 days left; 80 % of months end between low and high, if nothing changes
| 2026-11-01 to 2026-11-30 (UTC), effective cost
| the newest bill ends on 2026-11-14: after that, only metered runs are included

A lease until the 20th, and a license from the 25th on: known to the cent, and in no range
docs/guide/forecast.md shows this month and what was unusual.
$ . "$cases/transcript.sh"; transcript "$cases/../../docs/guide/forecast.md" "stint forecast"; grep -c '^[$] stint' expected.txt
| 2
$ printf 'recurring:\n- {name: lease, cost: $600/month, from: 2026-01-01, until: 2026-11-20, tags: {team: vision}}\n- {name: license, cost: 50EUR/day, from: 2026-11-25, tags: {team: vision}}\n' >policy.yaml; stint allocation set policy.yaml >/dev/null; stint forecast --by team; stint allocation remove >/dev/null
| team        spent  forecast      low     high  method
| vision   0.00 EUR   300 EUR  300 EUR  300 EUR  recurring costs alone
| nlp     $2,840.60    $5,650   $5,410   $5,950  weekday means
| vision  $2,007.05    $4,090   $4,050   $4,140  weekday means
| total    0.00 EUR   300 EUR  300 EUR  300 EUR  recurring costs alone
| total   $4,847.65    $9,760   $9,450  $10,100  weekday means
| 
| budget  period       spent  forecast          of  share  outlook
| all     2026-11  $4,867.65         -  $10,000.00      -  there is no rate of EUR on 2026-11-15
| vision  2026-11  $2,027.05         -   $2,000.00      -  exceeded
| 
| spent: until 2026-11-14, the last complete day; not included: $20.00 on days that are not complete yet
| forecast: with the 16 days left; 80 % of months end between low and high, if nothing changes
| recurring costs of the allocation policy: 300.00 EUR, $120.00 on those days, included in forecast, low and high
| each row and the total are forecast separately; the rows add up to $9,740
| currencies are not added up: --currency CODE converts them
| 2026-11-01 to 2026-11-30 (UTC), effective cost
| the newest bill ends on 2026-11-14: after that, only metered runs are included

Anomalies
$ stint anomalies
| service  began                   change  expected      spent  state    likely cause
| S3       2026-11-13, 2 days     -$99.16    $99.18      $0.02  ongoing  data missing?
| EC2      2026-10-13, 3 days  +$1,088.66   $892.22  $1,980.88  ended    team=vision: $120.12 a day before, $480.21 during it (100 % of the change)
| 
| 2 events in 3 series of days, judged until 2026-11-14, the last complete day
| 2026-08-18 to 2026-11-15 (UTC), effective cost
| the newest bill ends on 2026-11-14: after that, only metered runs are included
$ stint anomalies --by team --since 60d
| team    began                   change  expected      spent  state  likely cause
| vision  2026-10-13, 3 days  +$1,084.36   $416.31  $1,500.67  ended  service=EC2: $120.12 a day before, $480.21 during it (100 % of the change)
| 
| 1 event in 2 series of days, judged until 2026-11-14, the last complete day
| 2026-09-17 to 2026-11-15 (UTC), effective cost
| the newest bill ends on 2026-11-14: after that, only metered runs are included
$ stint anomalies --by team,service --min-difference 5000usd
| 0 events in 5 series of days, judged until 2026-11-14, the last complete day
| 2026-08-18 to 2026-11-15 (UTC), effective cost
| the newest bill ends on 2026-11-14: after that, only metered runs are included
$ stint anomalies --by service --until 2026-10-14 --json
| {"schema":"stint.anomalies/1","by":["service"],"rows":[{"service":"EC2","first":"2026-10-13","last":"2026-10-14","seen":"2026-10-13","direction":"up","state":"ongoing","currency":"USD","expected":{"amount":"594.12","currency":"USD"},"actual":{"amount":"1341.56","currency":"USD"},"change":{"amount":"747.44","currency":"USD"},"low":{"amount":"150.58","currency":"USD"},"high":{"amount":"536.55","currency":"USD"},"score":7.994182321378457,"cause":"team=vision","cause_too":null,"explains":0.9935114091056558,"cause_before":{"amount":"120.36","currency":"USD"},"cause_now":{"amount":"487.84","currency":"USD"},"note":null,"also":null}],"count":1,"ongoing":1,"series":3,"too_short":0,"alerts":0,"false_alarms":0,"known_until":"2026-10-14","basis":{"since":"2026-07-17","until":"2026-10-14","kind":"effective","unpriced":0,"billed_until":"2026-11-14","converted":null,"rates_from":null,"rates_to":null,"rate_source":null,"ledger":"home/.local/share/stint/ledger.db","no_ledger":false},"alerted":false,"delivered":{"sent":null,"waiting":null,"given_up":null,"postponed":null,"failures":[]}}

Alerts are sent once
$ stint alert add ops webhook --url http://127.0.0.1:1/hook
| added the webhook channel 'ops'; 'stint alert test ops' sends a message now
$ STINT_NOW=2026-10-15 stint anomalies --alert ops --limit 1 | grep -v 'not sent'
| service  began                 change  expected      spent  state    likely cause
| EC2      2026-10-13, 2 days  +$747.44   $594.12  $1,341.56  ongoing  team=vision: $120.36 a day before, $487.84 during it (99 % of the change)
| 
| 1 event in 3 series of days, judged until 2026-10-14, the last complete day
| 2026-07-18 to 2026-10-15 (UTC), effective cost
$ STINT_NOW=2026-10-15 stint anomalies --alert ops >/dev/null; stint alert list
| id  alert                                                     state   severity  since (UTC)       changed (UTC)     updates
|  1  service=EC2: $747.44 more than expected since 2026-10-13  firing  warning   2026-10-15 00:00  2026-10-15 00:00        0

One ends, another starts
$ stint anomalies --alert ops >/dev/null; stint alert list
| id  alert                                                     state     severity  since (UTC)       changed (UTC)     updates
|  2  service=S3: $99.16 less than expected since 2026-11-13    firing    warning   2026-11-15 00:00  2026-11-15 00:00        0
|  1  service=EC2: $747.44 more than expected since 2026-10-13  resolved  warning   2026-10-15 00:00  2026-11-15 00:00        0

Figures that were corrected
$ sed 's/^0.0[0-9]*,0.0[0-9]*,\(.*,S3,\)/25,25,\1/' focus.csv >right.csv; stint import right.csv >/dev/null; STINT_NOW=2026-11-15T06:00:00Z stint anomalies --alert ops >/dev/null; stint alert list
| id  alert                                                     state     severity  since (UTC)       changed (UTC)     updates
|  2  service=S3: $99.16 less than expected since 2026-11-13    resolved  warning   2026-11-15 00:00  2026-11-15 06:00        0
|  1  service=EC2: $747.44 more than expected since 2026-10-13  resolved  warning   2026-10-15 00:00  2026-11-15 00:00        0

A false alarm
$ stint alert ack 2 --false-alarm >/dev/null; stint anomalies --since 5d
| 0 events in 3 series of days, judged until 2026-11-14, the last complete day
| 2 alerts were sent in these days, 1 of them false
| 2026-11-11 to 2026-11-15 (UTC), effective cost
| the newest bill ends on 2026-11-14: after that, only metered runs are included

Mistakes
$ stint forecast --by month
! stint: --by: only dimensions, no length of time
? 2
$ stint forecast --month november
! stint: --month: 'november' is not a month
!   hint: write it as 2026-10, this or last
? 2
$ stint forecast --month 2029-01
! stint: --month: '2029-01' is more than a year ahead
!   hint: leave it out for this month
? 2
$ stint forecast --where tem=nlp
! stint: there is no dimension 'tem'
!   hint: did you mean 'team'?
? 2
$ stint anomalies --by day
! stint: --by: only dimensions, no length of time
? 2
$ stint anomalies --by srvice
! stint: --by: there is no dimension 'srvice'
!   hint: did you mean 'service'?
? 2
$ stint anomalies --min-difference 20
! stint: --min-difference: '20' is not an amount of money
!   hint: give the currency: 20usd, or '$20' in quotes, since the shell expands $ and digits
? 2
$ stint anomalies --threshold 0
! stint: --threshold: '0' is not above zero
? 2
$ stint anomalies --alert nobody
! stint: there is no channel 'nobody'
!   hint: 'stint alert channels' lists them; 'stint alert add nobody KIND ...' adds it
? 4
