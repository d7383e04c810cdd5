Two parts of a month, with as many lines
$ head() { echo 'BilledCost,EffectiveCost,ListCost,ContractedCost,BillingAccountId,BillingAccountName,BillingCurrency,BillingPeriodStart,BillingPeriodEnd,ChargeCategory,ChargeDescription,ChargePeriodStart,ChargePeriodEnd,ProviderName,PublisherName,InvoiceIssuerName,ServiceCategory,ServiceName,ResourceId'; }; line() { echo "$1,$1,$1,$1,111,Example,USD,2026-05-01T00:00:00Z,2026-06-01T00:00:00Z,Usage,use,2026-05-0$2T00:00:00Z,2026-05-0$2T01:00:00Z,AWS,AWS,AWS,Compute,Amazon EC2,$3"; }; { head; line 1 1 i-1; line 2 2 i-1; line 3 3 i-1; } >part1.csv; { head; line 1 1 i-2; line 2 2 i-2; line 3 3 i-2; } >part2.csv; { head; line 1 1 i-1; line 2.5 2 i-1; line 3 3 i-1; line 9 4 i-1; } >corrected.csv; stint import part1.csv >/dev/null
$ stint import part2.csv
! stint: 'part2.csv' has 0 of the 3 charges of bill 1 (AWS, account 111): it is another part, or another bill
!   hint: nothing was changed: --add adds it to the existing charges; --replace replaces bill 1 with it
? 3
$ stint import part2.csv --add | tail -1
| 3 charges imported, equal to the files' own totals; ledger: home/.local/share/stint/ledger.db
$ stint bills
| bill  provider  account  period   lines  billed  effective  amounts               format     imported (UTC)
|    1  AWS       111      2026-05      3   6 USD      6 USD  billed and effective  focus 1.0  2026-11-15 00:00
|    2  AWS       111      2026-05      3   6 USD      6 USD  billed and effective  focus 1.0  2026-11-15 00:00
| 
| 2 bills, 6 charges

A correction of one part replaces that part alone, and a complete month both
$ stint import corrected.csv
| file           format     days                      lines  its own total  column      read
| corrected.csv  focus 1.0  2026-05-01 to 2026-05-04      4       15.5 USD  BilledCost  equal
| 
| bill  provider  account  period   lines    billed  effective
|    3  AWS       111      2026-05      4  15.5 USD   15.5 USD
| 
| bill 3 replaces one with 3 charges, 6 USD billed and 6 USD effective, imported 2026-11-15 00:00
| 4 charges imported, equal to the files' own totals; ledger: home/.local/share/stint/ledger.db
$ { cat corrected.csv; tail -n +2 part2.csv; } >month.csv; stint import month.csv
| file       format     days                      lines  its own total  column      read
| month.csv  focus 1.0  2026-05-01 to 2026-05-04      7       21.5 USD  BilledCost  equal
| 
| bill  provider  account  period   lines    billed  effective
|    4  AWS       111      2026-05      7  21.5 USD   21.5 USD
| 
| bill 4 replaces others with 7 charges, 21.5 USD billed and 21.5 USD effective, imported 2026-11-15 00:00
| 7 charges imported, equal to the files' own totals; ledger: home/.local/share/stint/ledger.db
$ stint bills
| bill  provider  account  period   lines    billed  effective  amounts               format     imported (UTC)
|    4  AWS       111      2026-05      7  21.5 USD   21.5 USD  billed and effective  focus 1.0  2026-11-15 00:00
| 
| 1 bill, 7 charges

The same money from Cost Explorer is left out, for the days that the bill covers
$ day() { printf '{"TimePeriod":{"Start":"2026-05-0%s","End":"2026-05-0%s"},"Groups":[{"Keys":["Amazon EC2"],"Metrics":{"UnblendedCost":{"Amount":"%s","Unit":"USD"}}}]}' $1 $(($1 + 1)) $2; }; answer() { printf '{"GroupDefinitions":[{"Type":"DIMENSION","Key":"SERVICE"}],"ResultsByTime":['; printf '%s]}\n' "$1"; }; answer "$(day 1 2),$(day 2 4.5),$(day 3 6),$(day 4 9)" >explorer.json; answer "$(day 4 9),$(day 5 7)" >later.json; answer "$(day 1 20),$(day 2 45)" >more.json; stint import explorer.json
| file           format        days                      lines  its own total  column         read
| explorer.json  aws-explorer  2026-05-01 to 2026-05-04      4       21.5 USD  UnblendedCost  equal
| 
| all charges were skipped: nothing changed
! stint: warning: 'explorer.json': 4 charges of 2026-05-01 to 2026-05-04 (21.5 USD) are left out: bill 4 has the same money in detail
$ stint import later.json
| file        format        days                      lines  its own total  column         read
| later.json  aws-explorer  2026-05-04 to 2026-05-05      2         16 USD  UnblendedCost  equal
| 
| bill  provider  account  period   lines  billed  effective
|    5  AWS       -        2026-05      1   7 USD      7 USD
| 
| 1 charge imported, equal to the files' own totals; ledger: home/.local/share/stint/ledger.db
! stint: warning: 'later.json': 1 charge of 2026-05-04 (9 USD) is left out: bill 4 has the same money in detail
$ stint costs --by provider --since 2026-05-01 --until 2026-06-01
| provider    cost  share
| AWS       $28.50  100 %
| total     $28.50       
| 
| exactly: 28.5 USD
| 2026-05-01 to 2026-06-01 (UTC), effective cost
| the newest bill ends on 2026-05-05: after that, only metered runs are included
$ stint import more.json
! stint: 'more.json' has 65 USD for 2026-05-01 to 2026-05-02, but the detailed bill 4 has 6.5 USD: they are not of the same charges
!   hint: nothing was changed: --add keeps both; --replace leaves out what the detailed bill covers
? 3
$ stint import more.json month.csv
! stint: 'more.json' has 65 USD for 2026-05-01 to 2026-05-02, but the detailed bill 4 has 6.5 USD: they are not of the same charges
!   hint: nothing was changed: --add keeps both; --replace leaves out what the detailed bill covers
? 3

The other way round: details replace what they cover
$ stint bills remove 4 --force >/dev/null; stint bills remove 5 --force >/dev/null; stint import explorer.json | tail -1
| 4 charges imported, equal to the files' own totals; ledger: home/.local/share/stint/ledger.db
$ stint import part1.csv
! stint: bill 1 (aws-explorer) has 12.5 USD for 2026-05-01 to 2026-05-03, but the detailed bill has 6 USD: they are not of the same charges
!   hint: nothing was changed: --add keeps both; --replace puts the details in the place of bill 1
? 3
$ stint import part1.csv --replace --dry-run
| file       format     days                      lines  its own total  column      read
| part1.csv  focus 1.0  2026-05-01 to 2026-05-03      3          6 USD  BilledCost  equal
| 
| bill  provider  account  period   lines  billed  effective
|  new  AWS       111      2026-05      3   6 USD      6 USD
| 
| 3 charges; nothing was written
! stint: warning: 3 charges of 2026-05-01 to 2026-05-03 (12.5 USD) in bill 1 (aws-explorer) are replaced by the detailed bill; its 1 other charge is kept
$ stint import part1.csv part2.csv
| file       format     days                      lines  its own total  column      read
| part1.csv  focus 1.0  2026-05-01 to 2026-05-03      3          6 USD  BilledCost  equal
| part2.csv  focus 1.0  2026-05-01 to 2026-05-03      3          6 USD  BilledCost  equal
| 
| bill  provider  account  period   lines  billed  effective
|    2  AWS       111      2026-05      6  12 USD     12 USD
|    3  AWS       -        2026-05      1   9 USD      9 USD
| 
| 6 charges imported, equal to the files' own totals; ledger: home/.local/share/stint/ledger.db
! stint: warning: 3 charges of 2026-05-01 to 2026-05-03 (12.5 USD) in bill 1 (aws-explorer) are replaced by the detailed bill 2; its 1 other charge is kept as bill 3
$ stint bills
| bill  provider  account  period   lines  billed  effective  amounts               format        imported (UTC)
|    3  AWS       -        2026-05      1   9 USD      9 USD  billed and effective  aws-explorer  2026-11-15 00:00
|    2  AWS       111      2026-05      6  12 USD     12 USD  billed and effective  focus 1.0     2026-11-15 00:00
| 
| 2 bills, 7 charges

Google's export, then a grouped answer of BigQuery for the same days; and the reverse
$ row() { printf '{"billing_account_id":"01-AB","service":{"description":"Compute Engine"},"sku":{"id":"S","description":"GPU"},"usage_start_time":"2026-06-0%s 00:00:00 UTC","usage_end_time":"2026-06-0%s 01:00:00 UTC","project":{"id":"ml"},"cost":%s,"currency":"USD","credits":[],"invoice":{"month":"202606"},"resource":{"name":"vm-%s"}}\n' $1 $1 $2 $3; }; { row 1 4 a; row 1 6 b; row 2 5 a; } >gcp.ndjson; printf 'usage_date,service,project_id,cost,currency\n2026-06-01,Compute Engine,ml,10,USD\n2026-06-02,Compute Engine,ml,5,USD\n2026-06-03,Compute Engine,ml,7,USD\n' >bq.csv; stint import gcp.ndjson >/dev/null; stint import bq.csv
| file    format    days                      lines  its own total  column  read
| bq.csv  bigquery  2026-06-01 to 2026-06-03      3         22 USD  cost    equal
| 
| bill  provider      account  period   lines  billed  effective
|    5  Google Cloud  -        2026-06      1   7 USD      7 USD
| 
| 1 charge imported, equal to the files' own totals; ledger: home/.local/share/stint/ledger.db
! stint: warning: 'bq.csv': 2 charges of 2026-06-01 to 2026-06-02 (15 USD) are left out: bill 4 has the same money in detail
$ stint import bq.csv --ledger other.db >/dev/null; stint import gcp.ndjson --ledger other.db
| file        format               days                      lines  its own total  column                   read
| gcp.ndjson  gcp-ndjson detailed  2026-06-01 to 2026-06-02      3         15 USD  cost and credits.amount  equal
| 
| bill  provider      account  period   lines  billed  effective
|    2  Google Cloud  01-AB    2026-06      3  15 USD     15 USD
|    3  Google Cloud  -        2026-06      1   7 USD      7 USD
| 
| 3 charges imported, equal to the files' own totals; ledger: other.db
! stint: warning: 2 charges of 2026-06-01 to 2026-06-02 (15 USD) in bill 1 (bigquery) are replaced by the detailed bill 2; its 1 other charge is kept as bill 3
$ stint costs --by service --since 2026-06-01 --until 2026-07-01 --ledger other.db | head -3
| service           cost  share
| Compute Engine  $22.00  100 %
| total           $22.00       

Sums of one month by day, by month and by account are the same money; another account's are not a correction
$ ce() { awk -v by="$1" -v k="$2" 'BEGIN { n = split(by, keys, ","); printf "{\"ResultsByTime\":["; for (d = 1; d < 8; d++) { printf "%s{\"TimePeriod\":{\"Start\":\"2026-08-0%d\",\"End\":\"2026-08-0%d\"},\"Groups\":[", (d > 1 ? "," : ""), d, d + 1; for (g = 1; g <= n; g++) printf "%s{\"Keys\":[\"%s\"],\"Metrics\":{\"UnblendedCost\":{\"Amount\":\"%.2f\",\"Unit\":\"USD\"}}}", (g > 1 ? "," : ""), keys[g], (100 + d * k) / n; printf "]}" } printf "]}\n" }'; }; ce 'Amazon EC2' 2 >days.json; ce '111122223333,444455556666' 2 >accounts.json; ce 'Amazon EC2' 40 >other.json; ce 'Amazon EC2' 2.1 >corrected.json
$ stint import days.json --ledger sums.db | tail -1
| 7 charges imported, equal to the files' own totals; ledger: sums.db
$ stint import accounts.json --ledger sums.db
! stint: 'accounts.json' has the same money as bill 1 (AWS), grouped differently: its days cost the same
!   hint: nothing was changed: --replace replaces bill 1 with it; --add counts both
? 3
$ stint import other.json --ledger sums.db
! stint: 'other.json' names no account, and its amounts are not those of bill 1 (AWS): is it of another account?
!   hint: nothing was changed: if so, --add keeps both; if it corrects bill 1, --replace
? 3
$ stint import corrected.json --ledger sums.db | tail -2
| bill 2 replaces one with 7 charges, 756.00 USD billed and 756.00 USD effective, imported 2026-11-15 00:00
| 7 charges imported, equal to the files' own totals; ledger: sums.db
$ printf 'RecordType,PayerAccountId,BillingPeriodStartDate,BillingPeriodEndDate,ProductCode,ProductName,UsageStartDate,UsageEndDate,CurrencyCode,CostBeforeTax,TaxAmount,TotalCost\nPayerLineItem,999988887777,2026/08/01 00:00:00,2026/08/31 23:59:59,AmazonEC2,Amazon Elastic Compute Cloud,2026/08/01 00:00:00,2026/08/08 00:00:00,USD,758.80,0,758.80\nStatementTotal,999988887777,,,,,,,USD,758.80,0,758.80\n' >page.csv; stint import page.csv --ledger sums.db 2>&1 | grep -v note
| stint: 'page.csv' has the same money as bill 2 (aws-explorer, account unknown), 2026-08-01 to 2026-08-07: the same total; 758.80 USD and 758.80 USD
|   hint: nothing was changed: --replace replaces bill 2 with it; --add counts both

What is in a bill of more accounts already is left out, not put in its place
$ part() { echo 'BilledCost,EffectiveCost,BillingAccountId,BillingCurrency,ChargeCategory,ChargePeriodStart,ChargePeriodEnd,ProviderName,ServiceName,ResourceId,SubAccountId'; for d in 1 2 3 4 5; do for a in $2; do echo "$((d * a)),$((d * a)),$1,USD,Usage,2026-08-0${d}T00:00:00Z,2026-08-0${d}T01:00:00Z,AWS,Amazon EC2,i-0000000000000$a,$a"; done; done; }; part 999 '111 11' >payer.csv; part 111 111 >linked.csv; stint import payer.csv --ledger payer.db >/dev/null
$ stint import linked.csv --ledger payer.db
! stint: 'linked.csv' has the same money as bill 1 (focus, account 999), 2026-08-01 to 2026-08-05: 5 of 5 costs by resource and day; 1665 USD and 1830 USD
!   hint: nothing was changed: bill 1 has it already, and more: leave it out; --add counts both
? 3
