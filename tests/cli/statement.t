A team with two currencies: bills in dollars and in euros, a cost in euros that recurs, and a rate for each day.

$ ln -s "$cases/../../examples" examples
$ stint import examples/bill.csv >/dev/null
$ sed 's/,USD,111122223333,Research/,EUR,sub-77,Euro Lab/; s/,AWS,Amazon Elastic Compute Cloud/,Microsoft,Virtual Machines/; s/,AWS,Amazon Simple Storage Service/,Microsoft,Blob Storage/; s/,AWS,AWS Support/,Microsoft,AWS Support/' examples/bill.csv >euros.csv
$ stint import euros.csv | tail -1
| 222 charges imported, equal to the files' own totals; ledger: home/.local/share/stint/ledger.db
$ awk 'BEGIN { print "date,currency,usd"; for (m = 8; m <= 10; m++) for (d = 1; d <= 31; d++) if (m != 9 || d < 31) printf "2026-%02d-%02d,EUR,1.1%02d\n", m, d, d * 3 }' >ecb.csv
$ stint rates import ecb.csv
| 92 rates of EUR, 2026-08-01 to 2026-10-31, stored in home/.local/share/stint/ledger.db
$ { cat examples/allocation.yaml; echo 'recurring:'; echo '- {name: mlflow, cost: 200EUR/month, from: 2026-01-01, tags: {team: vision}}'; } >policy.yaml
$ stint allocation set policy.yaml >/dev/null

They are kept apart, or are one statement when a currency is asked for, at the rate of each day: the same as costs
$ stint statement --team vision
| team vision, 2026-10   no. S-2026-10-vision-EUR-5820fe4f
| section    item              project       2026-09       2026-10         change
| direct     Virtual Machines  defects  3,920.56 EUR  5,435.19 EUR  +1,514.63 EUR
| shared     storage                      170.59 EUR    185.85 EUR     +15.25 EUR
| shared     support                      109.63 EUR    129.81 EUR     +20.18 EUR
| recurring  mlflow                       200.00 EUR    200.00 EUR       0.00 EUR
| total                                 4,400.78 EUR  5,950.84 EUR  +1,550.06 EUR
| 
| team vision, 2026-10   no. S-2026-10-vision-USD-df1f6859
| section  item                          project    2026-09    2026-10      change
| direct   Amazon Elastic Compute Cloud  defects  $3,920.56  $5,435.19  +$1,514.63
| shared   storage                                  $170.68    $185.91     +$15.24
| shared   support                                  $106.26    $127.22     +$20.96
| total                                           $4,197.49  $5,748.32  +$1,550.83
| 
| bills: AWS 111122223333 (Research), 2026-10-01 to 2026-10-31
|        Microsoft sub-77 (Euro Lab), 2026-10-01 to 2026-10-31
| currencies are not added up; --currency CODE converts them
| effective cost, billed or metered; days are in UTC
$ stint statement --team vision --currency EUR --html vision.html
| team vision, 2026-10   no. S-2026-10-vision-EUR-85fe8f18
| section    item                          project       2026-09        2026-10         change
| direct     Amazon Elastic Compute Cloud  defects  3,422.14 EUR   4,720.05 EUR  +1,297.91 EUR
| direct     Virtual Machines              defects  3,920.56 EUR   5,435.19 EUR  +1,514.63 EUR
| shared     storage                                  319.63 EUR     347.97 EUR     +28.34 EUR
| shared     support                                  205.96 EUR     245.15 EUR     +39.18 EUR
| recurring  mlflow                                   200.00 EUR     200.00 EUR       0.00 EUR
| total                                             8,068.30 EUR  10,948.36 EUR  +2,880.06 EUR
| 
| bills: AWS 111122223333 (Research), 2026-10-01 to 2026-10-31
|        Microsoft sub-77 (Euro Lab), 2026-10-01 to 2026-10-31
| converted: USD, at the rates of 2026-09-01 to 2026-10-31 (ecb.csv), to 12 decimals
| effective cost, billed or metered; days are in UTC
| wrote the page to vision.html
$ stint statement --currency eur --json | tr '{' '\n' | sed -n 's/^"number":"\([^"]*\)".*/\1/p; /"converted"/s/.*\("converted".*"rate_source":"[^"]*"\).*/\1/p'
| S-2026-10-nlp-EUR-0f33a93b
| S-2026-10-vision-EUR-85fe8f18
| "converted":"USD","rates_from":"2026-09-01","rates_to":"2026-10-31","rate_source":"ecb.csv"
$ stint costs --by team --month 2026-10 --currency EUR
| team             cost  share
| nlp     12,974.80 EUR   54 %
| vision  10,948.36 EUR   46 %
| total   23,923.16 EUR       
| 
| exactly: 23923.158111879821 EUR
| 2026-10-01 to 2026-10-31 (UTC), effective cost
| converted: USD, at the rates of 2026-10-01 to 2026-10-31 (ecb.csv), to 12 decimals

The page has the same content as the terminal
$ sed 's/<[^>]*>/ /g; s/  */ /g; s/^ //' vision.html | sed -n '/^Showback statement/,$p' | grep -v '^$'
| Showback statement 
| team vision 
| No. S-2026-10-vision-EUR-85fe8f18 
| 2026-10-01 to 2026-10-31 
| made 2026-11-15T00:00:00Z 
| Total of 2026-10 10,948.36 EUR 
| The month before, 2026-09 8,068.30 EUR 
| Change +2,880.06 EUR 
| Direct costs 
| Item Project 2026-09, EUR 2026-10, EUR Change 
| Amazon Elastic Compute Cloud defects 3,422.14 4,720.05 +1,297.91 
| Virtual Machines defects 3,920.56 5,435.19 +1,514.63 
| Sum 7,342.70 10,155.24 +2,812.54 
| Shared costs 
| Item 2026-09, EUR 2026-10, EUR Change 
| storage 319.63 347.97 +28.34 
| support 205.96 245.15 +39.18 
| Sum 525.60 593.12 +67.52 
| Recurring costs 
| Item 2026-09, EUR 2026-10, EUR Change 
| mlflow 200.00 200.00 0.00 
| Sum 200.00 200.00 0.00 
| Bills 
| Of Account Period Currency 
| AWS 111122223333 (Research) 2026-10-01 to 2026-10-31 USD 
| Microsoft sub-77 (Euro Lab) 2026-10-01 to 2026-10-31 EUR 
| converted: USD, at the rates of 2026-09-01 to 2026-10-31 (ecb.csv), to 12 decimals 
| effective cost, billed or metered; days are in UTC 
| Totals are exact and rounded to the cent for display, so a column may differ from its total by a cent. The number changes when an amount does. 

Statements by a dimension that shared costs are not split over report that
$ stint statement --by cost_center --kind chargeback --currency USD --html centre.html
| cost_center (none), 2026-10   no. C-2026-10-nobody-USD-36efdcbb
| section    item                          project     2026-09     2026-10      change
| direct     Amazon Elastic Compute Cloud  defects   $3,920.56   $5,435.19  +$1,514.63
| direct     Amazon Elastic Compute Cloud  search    $6,114.81   $6,227.61    +$112.79
| direct     Virtual Machines              defects   $4,493.93   $6,261.38  +$1,767.45
| direct     Virtual Machines              search    $7,009.66   $7,149.33    +$139.67
| shared     storage                                 $1,464.56   $1,596.63    +$132.07
| shared     support                                   $572.35     $574.40      +$2.05
| recurring  mlflow                                    $229.30     $229.60      +$0.30
| total                                             $23,805.17  $27,474.13  +$3,668.96
| 
| bills: AWS 111122223333 (Research), 2026-10-01 to 2026-10-31
|        Microsoft sub-77 (Euro Lab), 2026-10-01 to 2026-10-31
| shared costs split over team, not over cost_center, stay where they were billed: support, storage
| converted: EUR, at the rates of 2026-09-01 to 2026-10-31 (ecb.csv), to 12 decimals
| billed amounts only, with recurring costs; days are in UTC
| wrote the page to centre.html
$ grep -o 'shared costs split[^<]*' centre.html
| shared costs split over team, not over cost_center, stay where they were billed: support, storage

Mistakes
$ stint statement --currency GBP
! stint: there is no rate of GBP on 2026-10-01
!   hint: give one of that day, or of the 31 before it: 'stint rates import FILE.csv' (columns date,currency,usd)
? 4
$ stint statement --currency euro
! stint: 'euro' is not a currency
!   hint: write its code: EUR, USD, GBP
? 2
