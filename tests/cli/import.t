Before anything was imported
$ stint bills
| no bill is in home/.local/share/stint/ledger.db: 'stint import FILE' reads one
$ stint import
! stint: import needs a FILE
!   hint: stint import may.csv.gz
? 2
$ stint import nowhere.csv
! stint: cannot open 'nowhere.csv': No such file or directory
? 4
$ stint bills
| no bill is in home/.local/share/stint/ledger.db: 'stint import FILE' reads one

A bill of FOCUS
$ head='BilledCost,EffectiveCost,ListCost,ContractedCost,BillingAccountId,BillingAccountName,BillingCurrency,BillingPeriodStart,BillingPeriodEnd,ChargeCategory,ChargeClass,ChargeDescription,ChargePeriodStart,ChargePeriodEnd,InvoiceIssuerName,PricingQuantity,PricingUnit,ProviderName,PublisherName,ServiceCategory,ServiceName,ResourceId,Tags,x_Own'; echo "$head" >head; line() { echo "$1,$1,$1,$1,${3:-111},Example,${4:-USD},2026-05-01T00:00:00Z,2026-06-01T00:00:00Z,Usage,,use,2026-05-0$2T00:00:00Z,2026-05-0$2T01:00:00Z,\"Amazon Web Services, Inc.\",1,Hours,AWS,AWS,Compute,Amazon EC2,i-$2,\"{\"\"team\"\":\"\"nlp\"\"}\",mine"; }; { cat head; line 1.000000000001 1; line 7.0E-10 2; line -0.25 3; } >may.csv; { cat head; line 2 1; line 3 4; } >again.csv; { cat head; line 1 1 222; line 2 2 222 EUR; } >mixed.csv; { cat head; line 1 1; line 1,5 2; } >bad.csv; gzip -k may.csv
$ stint import may.csv
| file     format     days                      lines       its own total  of          read
| may.csv  focus 1.0  2026-05-01 to 2026-05-03      3  0.750000000701 USD  BilledCost  equal
| 
| bill  of   account  period   lines              billed           effective
|    1  AWS  111      2026-05      3  0.750000000701 USD  0.750000000701 USD
| 
| 3 charges imported, equal to the files' own totals; kept in home/.local/share/stint/ledger.db
! stint: note: may.csv: columns that FOCUS has no place for are not kept: x_Own
$ stint bills
| bill  of   account  period   lines              billed           effective  amounts               format     imported (UTC)
|    1  AWS  111      2026-05      3  0.750000000701 USD  0.750000000701 USD  billed and effective  focus 1.0  2026-11-15 00:00
| 
| 1 bill, 3 charges
$ stint import may.csv.gz --dry-run
| file        format     days                      lines       its own total  of          read
| may.csv.gz  focus 1.0  2026-05-01 to 2026-05-03      3  0.750000000701 USD  BilledCost  equal
| 
| 3 charges; nothing was written
! stint: note: may.csv.gz: columns that FOCUS has no place for are not kept: x_Own
$ stint import again.csv --json
| {"schema":"stint.import/1","files":[{"file":"again.csv","format":"focus","version":"1.0","amounts":"billed and effective","lines":2,"column":"BilledCost","total":{"amount":"5","currency":"USD"},"mixed":false,"equal":true,"first_day":"2026-05-01","last_day":"2026-05-04","coarse":false,"unused":"x_Own","same_as":null}],"bills":[{"key":2,"provider":"AWS","account":"111","period":"2026-05","period_start":"2026-05-01T00:00:00Z","period_end":"2026-06-01T00:00:00Z","amounts":"billed and effective","format":"focus","version":"1.0","first_day":"2026-05-01","last_day":"2026-05-04","lines":2,"billed":{"amount":"5","currency":"USD"},"effective":{"amount":"5","currency":"USD"},"replaced":1,"replaced_billed":{"amount":"0.750000000701","currency":"USD"},"replaced_effective":{"amount":"0.750000000701","currency":"USD"},"replaced_imported":"2026-11-15T00:00:00Z"}],"lines":2,"ledger":"home/.local/share/stint/ledger.db","dry_run":false}
! stint: note: again.csv: columns that FOCUS has no place for are not kept: x_Own
$ stint import --add mixed.csv
| file       format     days                      lines       its own total  of          read
| mixed.csv  focus 1.0  2026-05-01 to 2026-05-02      2  several currencies  BilledCost  equal
| 
| bill  of   account  period   lines  billed  effective
|    3  AWS  222      2026-05      1   1 USD      1 USD
|    4  AWS  222      2026-05      1   2 EUR      2 EUR
| 
| 2 charges imported, equal to the files' own totals; kept in home/.local/share/stint/ledger.db
! stint: note: mixed.csv: columns that FOCUS has no place for are not kept: x_Own
! stint: warning: the bills are in several currencies: they are kept apart
$ stint bills 222
| bill  of   account  period   lines  billed  effective  amounts               format     imported (UTC)
|    3  AWS  222      2026-05      1   1 USD      1 USD  billed and effective  focus 1.0  2026-11-15 00:00
|    4  AWS  222      2026-05      1   2 EUR      2 EUR  billed and effective  focus 1.0  2026-11-15 00:00
| 
| 2 bills, 2 charges
$ stint import --add mixed.csv
! stint: note: mixed.csv: columns that FOCUS has no place for are not kept: x_Own
! stint: the content of 'mixed.csv' is in the ledger already
!   hint: nothing was changed: leave it out, or import without --add
? 3

What is wrong is said, and changes nothing
$ stint import bad.csv
! stint: bad.csv:3: it has 28 fields, but 24 are wanted
!   hint: a text with a comma in it must stand in quotes; nothing was changed
? 3
$ stint import may.csv may.csv.gz
! stint: note: may.csv: columns that FOCUS has no place for are not kept: x_Own
! stint: may.csv.gz: it has the same content as 'may.csv'
!   hint: nothing was changed: name one of them
? 3
$ cp may.csv copy.csv; stint import may.csv copy.csv --dry-run
| file      format     days                      lines       its own total  of          read
| may.csv   focus 1.0  2026-05-01 to 2026-05-03      3  0.750000000701 USD  BilledCost  equal
| copy.csv  -          -                             -                   -  -           skipped: a copy
| 
| 3 charges; nothing was written
! stint: note: may.csv: columns that FOCUS has no place for are not kept: x_Own
! stint: warning: copy.csv is skipped: it is a copy of may.csv
$ echo 'a,b,c' >other.csv; stint import other.csv
! stint: other.csv: this is no bill that is known: its columns are 'a', 'b' and so on
!   hint: known are: FOCUS 1.0 to 1.4, AWS Cost and Usage Report, AWS CUR 2.0, OCI cost report, AWS Cost Explorer, Google Cloud billing export (CSV), Google Cloud billing export (JSON), Azure cost export (EA, MCA, pay as you go), BigQuery's grouped answers
? 3
$ printf 'provider,region,instance,accelerator,count,on_demand_usd_h\naws,us-east-1,x,H100,8,1\n' >prices.csv; stint import prices.csv
! stint: prices.csv: this is a price list, not a bill
!   hint: stint price import prices.csv
? 3
$ stint runs --csv runs.csv >/dev/null && stint import runs.csv
! stint: runs.csv: this is a list of runs, not a bill
!   hint: runs are recorded by 'stint run', or entered by 'stint runs add'
? 3
$ stint import may.csv --format fokus
! stint: --format: there is no format 'fokus'
!   hint: did you mean 'focus'?
? 2
$ stint import may.csv --amortised --actual
! stint: --amortised and --actual exclude each other
? 2
$ : >empty.csv; stint import empty.csv
! stint: empty.csv: it is empty
? 3
$ mkdir none; stint import none
! stint: 'none': there is no file in this folder
!   hint: folders below it are not searched: name them
? 3
$ stint bills
| bill  of   account  period   lines  billed  effective  amounts               format     imported (UTC)
|    2  AWS  111      2026-05      2   5 USD      5 USD  billed and effective  focus 1.0  2026-11-15 00:00
|    3  AWS  222      2026-05      1   1 USD      1 USD  billed and effective  focus 1.0  2026-11-15 00:00
|    4  AWS  222      2026-05      1   2 EUR      2 EUR  billed and effective  focus 1.0  2026-11-15 00:00
| 
| 3 bills, 4 charges

Folders, standard input, nothing but a header
$ mkdir folder; cp may.csv other.csv folder; stint import folder
| file            format     days                      lines       its own total  of          read
| folder/may.csv  focus 1.0  2026-05-01 to 2026-05-03      3  0.750000000701 USD  BilledCost  equal
| 
| bill  of   account  period   lines              billed           effective
|    5  AWS  111      2026-05      3  0.750000000701 USD  0.750000000701 USD
| 
| bill 5 takes the place of one with 5 USD billed and 5 USD effective, imported 2026-11-15 00:00
| 3 charges imported, equal to the files' own totals; kept in home/.local/share/stint/ledger.db
! stint: note: folder/may.csv: columns that FOCUS has no place for are not kept: x_Own
! stint: note: folder/other.csv is left out: this is no bill that is known: its columns are 'a', 'b' and so on
$ stint import - <again.csv
| file  format     days                      lines  its own total  of          read
| -     focus 1.0  2026-05-01 to 2026-05-04      2          5 USD  BilledCost  equal
| 
| bill  of   account  period   lines  billed  effective
|    6  AWS  111      2026-05      2   5 USD      5 USD
| 
| bill 6 takes the place of one with 0.750000000701 USD billed and 0.750000000701 USD effective, imported 2026-11-15 00:00
| 2 charges imported, equal to the files' own totals; kept in home/.local/share/stint/ledger.db
! stint: note: -: columns that FOCUS has no place for are not kept: x_Own
$ stint import head
| file  format     days  lines  its own total  of          read
| head  focus 1.0  -         0              ?  BilledCost  equal
| 
| no charges: nothing was changed
! stint: note: head: columns that FOCUS has no place for are not kept: x_Own
! stint: warning: head has no charges

A delivery: what its manifest lists
$ mkdir -p delivery/parts; cp may.csv delivery/parts/x-1.csv; cp again.csv delivery/stray.csv; echo '{"assemblyId":"a1","reportKeys":["prefix/parts/x-1.csv"],"billingPeriod":{"start":"20260501T000000.000Z","end":"20260601T000000.000Z"}}' >delivery/x-Manifest.json; stint import delivery
| file                    format     days                      lines       its own total  of          read
| delivery/parts/x-1.csv  focus 1.0  2026-05-01 to 2026-05-03      3  0.750000000701 USD  BilledCost  equal
| 
| bill  of   account  period   lines              billed           effective
|    7  AWS  111      2026-05      3  0.750000000701 USD  0.750000000701 USD
| 
| bill 7 takes the place of one with 5 USD billed and 5 USD effective, imported 2026-11-15 00:00
| 3 charges imported, equal to the files' own totals; kept in home/.local/share/stint/ledger.db
! stint: note: delivery/parts/x-1.csv: columns that FOCUS has no place for are not kept: x_Own
$ stint import delivery/x-Manifest.json --dry-run
| file                    format     days                      lines       its own total  of          read
| delivery/parts/x-1.csv  focus 1.0  2026-05-01 to 2026-05-03      3  0.750000000701 USD  BilledCost  equal
| 
| 3 charges; nothing was written
! stint: note: delivery/parts/x-1.csv: columns that FOCUS has no place for are not kept: x_Own
$ rm delivery/parts/x-1.csv; stint import delivery
! stint: delivery/x-Manifest.json: the file 'prefix/parts/x-1.csv' that it lists is not there
!   hint: copy the whole delivery, or name the files that are to be imported
? 4

Taken away
$ stint bills remove 99
! stint: there is no bill '99' in the ledger
!   hint: 'stint bills' lists them
? 4
$ stint bills remove AWS/222/2026-05
! stint: this takes away the bills of AWS, account 222, 2026-05 (2 charges)
!   hint: stint bills remove AWS/222/2026-05 --force
? 2
$ stint bills remove aws/222/2026-05 --force
| bill  of   account  period   lines  billed  effective  amounts               format     imported (UTC)
|    3  AWS  222      2026-05      1   1 USD      1 USD  billed and effective  focus 1.0  2026-11-15 00:00
|    4  AWS  222      2026-05      1   2 EUR      2 EUR  billed and effective  focus 1.0  2026-11-15 00:00
| 
| they are gone
$ stint bills
| bill  of   account  period   lines              billed           effective  amounts               format     imported (UTC)
|    7  AWS  111      2026-05      3  0.750000000701 USD  0.750000000701 USD  billed and effective  focus 1.0  2026-11-15 00:00
| 
| 1 bill, 3 charges
