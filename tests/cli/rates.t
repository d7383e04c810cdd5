The European Central Bank's file: a column for each currency, what one euro buys, the newest day first
$ printf 'Date,USD,JPY,GBP,CYP,RUB,\n2026-11-13,1.0832,164.25,0.8321,N/A,N/A,\n2026-11-12,1.08,160,0.8,N/A,N/A,\n' > eurofxref-hist.csv
$ stint rates import eurofxref-hist.csv
| 6 rates of EUR, JPY, GBP, 2026-11-12 to 2026-11-13, stored in home/.local/share/stint/ledger.db
| left out, no currency in use: CYP
$ stint rates list
| currency  days  first       last                   in USD  from
| EUR          2  2026-11-12  2026-11-13             1.0832  eurofxref-hist.csv
| GBP          2  2026-11-12  2026-11-13  1.301766614589593  eurofxref-hist.csv
| JPY          2  2026-11-12  2026-11-13  0.006594824961948  eurofxref-hist.csv
| 
| in USD: what one unit was worth on the last of these days
$ stint rates import eurofxref-hist.csv --json
| {"schema":"stint.rates.import/1","file":"eurofxref-hist.csv","rates":6,"currencies":["EUR","JPY","GBP"],"left_out":["CYP"],"first":"2026-11-12","last":"2026-11-13","ledger":"home/.local/share/stint/ledger.db"}
The file of one day, with blanks
$ printf 'Date, USD, JPY, GBP, \n14 November 2026, 1.09, 165.5, 0.84, \n' > eurofxref.csv
$ stint rates import eurofxref.csv
| 3 rates of EUR, JPY, GBP, 2026-11-14 to 2026-11-14, stored in home/.local/share/stint/ledger.db
$ stint rates list --currency EUR
| currency  days  first       last        in USD  from
| EUR          3  2026-11-12  2026-11-14    1.09  eurofxref.csv
| 
| in USD: what one unit was worth on the last of these days
Mistakes change nothing
$ printf 'Date,JPY,GBP,\n2026-11-13,164.25,0.8321,\n' > nodollar.csv
$ stint rates import nodollar.csv
! stint: nodollar.csv:1: there is no column 'USD'
!   hint: take eurofxref-hist.csv of the ECB, or write date,currency,usd
? 3
$ printf 'Date,USD,JPY,\n2026-11-13,1.0832,abc,\n' > word.csv
$ stint rates import word.csv
! stint: word.csv:2: 'abc' is not a rate
!   hint: what one euro buys: 1.0832, or N/A
? 3
$ printf 'Date,USD,JPY,\n2026-11-13,1,0832,164,25,\n' > commas.csv
$ stint rates import commas.csv
! stint: commas.csv:2: 6 fields, but 4 columns
!   hint: a rate has a point: 1.0832
? 3
$ printf 'Date,USD,EUR,JPY,\n2026-11-13,1,1.08,164,\n' > base.csv
$ stint rates import base.csv
! stint: base.csv:1: a column 'EUR': rates for one euro have none
!   hint: take eurofxref-hist.csv of the ECB, or write date,currency,usd
? 3
$ stint rates list --currency EUR
| currency  days  first       last        in USD  from
| EUR          3  2026-11-12  2026-11-14    1.09  eurofxref.csv
| 
| in USD: what one unit was worth on the last of these days
