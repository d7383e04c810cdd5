Before anything was imported
$ stint bills
| no bills in home/.local/share/stint/ledger.db: 'stint import FILE' adds one
$ stint import
! stint: import needs a FILE
!   hint: stint import may.csv.gz
? 2
$ stint import nowhere.csv
! stint: cannot open 'nowhere.csv': No such file or directory
? 4
$ stint bills
| no bills in home/.local/share/stint/ledger.db: 'stint import FILE' adds one

A bill of FOCUS
$ head='BilledCost,EffectiveCost,ListCost,ContractedCost,BillingAccountId,BillingAccountName,BillingCurrency,BillingPeriodStart,BillingPeriodEnd,ChargeCategory,ChargeClass,ChargeDescription,ChargePeriodStart,ChargePeriodEnd,InvoiceIssuerName,PricingQuantity,PricingUnit,ProviderName,PublisherName,ServiceCategory,ServiceName,ResourceId,Tags,x_Own'; echo "$head" >head; line() { echo "$1,$1,$1,$1,${3:-111},Example,${4:-USD},2026-05-01T00:00:00Z,2026-06-01T00:00:00Z,Usage,,use,2026-05-0$2T00:00:00Z,2026-05-0$2T01:00:00Z,\"Amazon Web Services, Inc.\",1,Hours,AWS,AWS,Compute,Amazon EC2,i-$2,\"{\"\"team\"\":\"\"nlp\"\"}\",mine"; }; { cat head; line 1.000000000001 1; line 7.0E-10 2; line -0.25 3; } >may.csv; { cat head; line 2 1; line 3 4; } >again.csv; { cat head; line 1 1 222; line 2 2 222 EUR; } >mixed.csv; { cat head; line 1 1; line 1,5 2; } >bad.csv; gzip -k may.csv
$ stint import may.csv
| file     format     days                      lines       its own total  column      read
| may.csv  focus 1.0  2026-05-01 to 2026-05-03      3  0.750000000701 USD  BilledCost  equal
| 
| bill  provider  account  period   lines              billed           effective
|    1  AWS       111      2026-05      3  0.750000000701 USD  0.750000000701 USD
| 
| 3 charges imported, equal to the files' own totals; ledger: home/.local/share/stint/ledger.db
! stint: note: may.csv: columns that FOCUS has no place for are not kept: x_Own
$ stint bills
| bill  provider  account  period   lines              billed           effective  amounts               format     imported (UTC)
|    1  AWS       111      2026-05      3  0.750000000701 USD  0.750000000701 USD  billed and effective  focus 1.0  2026-11-15 00:00
| 
| 1 bill, 3 charges
$ stint import may.csv.gz --dry-run
| file        format     days                      lines       its own total  column      read
| may.csv.gz  focus 1.0  2026-05-01 to 2026-05-03      3  0.750000000701 USD  BilledCost  equal
| 
| bill  provider  account  period   lines              billed           effective
|  new  AWS       111      2026-05      3  0.750000000701 USD  0.750000000701 USD
| 
| the bill of 111 would replace one with 3 charges, 0.750000000701 USD billed and 0.750000000701 USD effective, imported 2026-11-15 00:00
| 3 charges; nothing was written
! stint: note: may.csv.gz: columns that FOCUS has no place for are not kept: x_Own
$ stint import again.csv
! stint: note: again.csv: columns that FOCUS has no place for are not kept: x_Own
! stint: the bill of AWS, account 111, from 2026-05-01 is smaller than the one that is there: now 2 lines of 3
!   hint: nothing was changed: parts of one delivery go in one command, or --add; --replace when it is meant
? 3
$ stint import again.csv --replace --dry-run
| file       format     days                      lines  its own total  column      read
| again.csv  focus 1.0  2026-05-01 to 2026-05-04      2          5 USD  BilledCost  equal
| 
| bill  provider  account  period   lines  billed  effective
|  new  AWS       111      2026-05      2   5 USD      5 USD
| 
| the bill of 111 would replace one with 3 charges, 0.750000000701 USD billed and 0.750000000701 USD effective, imported 2026-11-15 00:00
| 2 charges; nothing was written
! stint: note: again.csv: columns that FOCUS has no place for are not kept: x_Own
$ stint import again.csv --replace --json
| {"schema":"stint.import/1","files":[{"file":"again.csv","format":"focus","version":"1.0","amounts":"billed and effective","lines":2,"column":"BilledCost","total":{"amount":"5","currency":"USD"},"mixed":false,"equal":true,"first_day":"2026-05-01","last_day":"2026-05-04","coarse":false,"unused":"x_Own","same_as":null}],"bills":[{"key":2,"provider":"AWS","account":"111","period":"2026-05","period_start":"2026-05-01T00:00:00Z","period_end":"2026-06-01T00:00:00Z","amounts":"billed and effective","format":"focus","version":"1.0","first_day":"2026-05-01","last_day":"2026-05-04","lines":2,"billed":{"amount":"5","currency":"USD"},"effective":{"amount":"5","currency":"USD"},"replaced":1,"replaced_lines":3,"replaced_billed":{"amount":"0.750000000701","currency":"USD"},"replaced_effective":{"amount":"0.750000000701","currency":"USD"},"replaced_imported":"2026-11-15T00:00:00Z","missing":0,"missing_billed":null,"changed":0,"added":0,"charges":[]}],"lines":2,"left_out":0,"ledger":"home/.local/share/stint/ledger.db","dry_run":false}
! stint: note: again.csv: columns that FOCUS has no place for are not kept: x_Own
$ stint import --add mixed.csv
| file       format     days                      lines       its own total  column      read
| mixed.csv  focus 1.0  2026-05-01 to 2026-05-02      2  several currencies  BilledCost  equal
| 
| bill  provider  account  period   lines  billed  effective
|    3  AWS       222      2026-05      1   1 USD      1 USD
|    4  AWS       222      2026-05      1   2 EUR      2 EUR
| 
| 2 charges imported, equal to the files' own totals; ledger: home/.local/share/stint/ledger.db
! stint: note: mixed.csv: columns that FOCUS has no place for are not kept: x_Own
! stint: warning: the bills are in several currencies: they are kept apart
$ stint bills 222
| bill  provider  account  period   lines  billed  effective  amounts               format     imported (UTC)
|    3  AWS       222      2026-05      1   1 USD      1 USD  billed and effective  focus 1.0  2026-11-15 00:00
|    4  AWS       222      2026-05      1   2 EUR      2 EUR  billed and effective  focus 1.0  2026-11-15 00:00
| 
| 2 bills, 2 charges
$ stint bills AWZ
! stint: no bill of 'AWZ'; the ledger has bills of AWS
!   hint: did you mean 'AWS'?
? 4
$ stint bills aws
| bill  provider  account  period   lines  billed  effective  amounts               format     imported (UTC)
|    2  AWS       111      2026-05      2   5 USD      5 USD  billed and effective  focus 1.0  2026-11-15 00:00
|    3  AWS       222      2026-05      1   1 USD      1 USD  billed and effective  focus 1.0  2026-11-15 00:00
|    4  AWS       222      2026-05      1   2 EUR      2 EUR  billed and effective  focus 1.0  2026-11-15 00:00
| 
| 3 bills, 4 charges
$ stint import --add mixed.csv
! stint: note: mixed.csv: columns that FOCUS has no place for are not kept: x_Own
! stint: the content of 'mixed.csv' is in the ledger already
!   hint: nothing was changed: leave it out, or import without --add
? 3

Errors are reported, and change nothing
$ stint import bad.csv
! stint: bad.csv:3: it has 28 fields, but 24 are wanted
!   hint: a text with a comma in it must be in quotes; nothing was changed
? 3
$ stint import may.csv may.csv.gz
! stint: note: may.csv: columns that FOCUS has no place for are not kept: x_Own
! stint: may.csv.gz: it has the same content as 'may.csv'
!   hint: nothing was changed: name one of them
? 3
$ cp may.csv copy.csv; stint import may.csv copy.csv --replace --dry-run
| file      format     days                      lines       its own total  column      read
| may.csv   focus 1.0  2026-05-01 to 2026-05-03      3  0.750000000701 USD  BilledCost  equal
| copy.csv  -          -                             -                   -  -           skipped: a copy
| 
| bill  provider  account  period   lines              billed           effective
|  new  AWS       111      2026-05      3  0.750000000701 USD  0.750000000701 USD
| 
| the bill of 111 would replace one with 2 charges, 5 USD billed and 5 USD effective, imported 2026-11-15 00:00
| 3 charges; nothing was written
! stint: note: may.csv: columns that FOCUS has no place for are not kept: x_Own
! stint: warning: copy.csv is skipped: it is a copy of may.csv
$ echo 'a,b,c' >other.csv; stint import other.csv
! stint: other.csv: unrecognized bill format: its columns are 'a', 'b' and so on
!   hint: supported: FOCUS 1.0 to 1.4, AWS Cost and Usage Report, AWS CUR 2.0, OCI cost report, AWS Cost Explorer, Google Cloud billing export (CSV), Google Cloud billing export (JSON), Azure cost export (EA, MCA, pay as you go), BigQuery's grouped answers, Cost Explorer's CSV, AWS Bills page, cost table; any other: --map cost=COLUMN --map date=COLUMN
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
! stint: --amortized and --actual exclude each other
? 2
$ : >empty.csv; stint import empty.csv
! stint: empty.csv: it is empty
? 3
$ mkdir none; stint import none
! stint: 'none': there is no file in this folder
? 3
$ mkdir -p deep/down; stint import deep
! stint: 'deep': there is no file in this folder, only folders, which are not searched
!   hint: name them: stint import deep/*
? 3
$ cp may.csv deep/down; cp may.csv deep; stint import deep --dry-run --replace
| file          format     days                      lines       its own total  column      read
| deep/may.csv  focus 1.0  2026-05-01 to 2026-05-03      3  0.750000000701 USD  BilledCost  equal
| 
| bill  provider  account  period   lines              billed           effective
|  new  AWS       111      2026-05      3  0.750000000701 USD  0.750000000701 USD
| 
| the bill of 111 would replace one with 2 charges, 5 USD billed and 5 USD effective, imported 2026-11-15 00:00
| 3 charges; nothing was written
! stint: note: deep: the folder below it is not searched: name it
! stint: note: deep/may.csv: columns that FOCUS has no place for are not kept: x_Own
$ stint import may.csv --format azure
! stint: may.csv: there is no CostInBillingCurrency and Date among the columns of this Azure cost export (EA, MCA, pay as you go) file
!   hint: it looks like FOCUS 1.0 to 1.4: --format focus
? 3
$ printf 'PK\003\004xxxx' >x.zip; stint import x.zip
! stint: x.zip: the zip data are damaged or cut off
!   hint: fetch it again; nothing was changed
? 3
$ python3 -c 'import zipfile; z=zipfile.ZipFile("may.zip","w",zipfile.ZIP_DEFLATED); z.write("may.csv"); z.close(); z=zipfile.ZipFile("two.zip","w"); z.write("may.csv"); z.write("again.csv")'; stint import may.zip --replace --dry-run | tail -1
| 3 charges; nothing was written
! stint: note: may.zip: columns that FOCUS has no place for are not kept: x_Own
$ stint import two.zip
! stint: two.zip: the zip archive holds more than one file
!   hint: unpack it first, and name what was in it
? 3
$ printf 'BZh91AY' >x.csv.bz2; stint import x.csv.bz2
! stint: x.csv.bz2: this is packed with bzip2, which is not read
!   hint: unpack it first, and import what was in it
? 3
$ tar cf x.tar may.csv; stint import x.tar
! stint: x.tar: this is a tar archive, which is not read
!   hint: unpack it first, and import what was in it
? 3
$ tr '\n' '\r' <may.csv >mac.csv; stint import mac.csv
! stint: mac.csv: its lines end in CR alone, as old Macs write them
!   hint: tr '\r' '\n' <FILE >NEW makes lines of it
? 3
$ sed 's/,Example,/,Ex\xe4mple,/' may.csv >latin.csv; stint import latin.csv --dry-run --replace
| file       format     days                      lines       its own total  column      read
| latin.csv  focus 1.0  2026-05-01 to 2026-05-03      3  0.750000000701 USD  BilledCost  equal
| 
| bill  provider  account  period   lines              billed           effective
|  new  AWS       111      2026-05      3  0.750000000701 USD  0.750000000701 USD
| 
| the bill of 111 would replace one with 2 charges, 5 USD billed and 5 USD effective, imported 2026-11-15 00:00
| 3 charges; nothing was written
! stint: note: latin.csv: columns that FOCUS has no place for are not kept: x_Own
! stint: warning: latin.csv:2: some bytes are not UTF-8: they are kept as '?' or U+FFFD
$ echo '{"assemblyId":"a1","reportKeys":["../x.csv"]}' >m-Manifest.json; stint import m-Manifest.json
! stint: m-Manifest.json: the manifest names a file outside of its folder
? 3
$ stint bills
| bill  provider  account  period   lines  billed  effective  amounts               format     imported (UTC)
|    2  AWS       111      2026-05      2   5 USD      5 USD  billed and effective  focus 1.0  2026-11-15 00:00
|    3  AWS       222      2026-05      1   1 USD      1 USD  billed and effective  focus 1.0  2026-11-15 00:00
|    4  AWS       222      2026-05      1   2 EUR      2 EUR  billed and effective  focus 1.0  2026-11-15 00:00
| 
| 3 bills, 4 charges

Folders, standard input, nothing but a header
$ mkdir folder; cp may.csv other.csv folder; stint import folder --replace
| file            format     days                      lines       its own total  column      read
| folder/may.csv  focus 1.0  2026-05-01 to 2026-05-03      3  0.750000000701 USD  BilledCost  equal
| 
| bill  provider  account  period   lines              billed           effective
|    5  AWS       111      2026-05      3  0.750000000701 USD  0.750000000701 USD
| 
| bill 5 replaces one with 2 charges, 5 USD billed and 5 USD effective, imported 2026-11-15 00:00
| 3 charges imported, equal to the files' own totals; ledger: home/.local/share/stint/ledger.db
! stint: note: folder/may.csv: columns that FOCUS has no place for are not kept: x_Own
! stint: note: folder/other.csv is left out: unrecognized bill format: its columns are 'a', 'b' and so on
$ stint import - --replace <again.csv
| file  format     days                      lines  its own total  column      read
| -     focus 1.0  2026-05-01 to 2026-05-04      2          5 USD  BilledCost  equal
| 
| bill  provider  account  period   lines  billed  effective
|    6  AWS       111      2026-05      2   5 USD      5 USD
| 
| bill 6 replaces one with 3 charges, 0.750000000701 USD billed and 0.750000000701 USD effective, imported 2026-11-15 00:00
| 2 charges imported, equal to the files' own totals; ledger: home/.local/share/stint/ledger.db
! stint: note: -: columns that FOCUS has no place for are not kept: x_Own
$ stint import head
| file  format     days  lines  its own total  column      read
| head  focus 1.0  -         0              ?  BilledCost  equal
| 
| no charges: nothing changed
! stint: note: head: columns that FOCUS has no place for are not kept: x_Own
! stint: warning: head has no charges

A delivery: what its manifest lists
$ mkdir -p delivery/parts; cp may.csv delivery/parts/x-1.csv; cp again.csv delivery/stray.csv; echo '{"assemblyId":"a1","reportKeys":["prefix/parts/x-1.csv"],"billingPeriod":{"start":"20260501T000000.000Z","end":"20260601T000000.000Z"}}' >delivery/x-Manifest.json; stint import delivery --replace
| file                    format     days                      lines       its own total  column      read
| delivery/parts/x-1.csv  focus 1.0  2026-05-01 to 2026-05-03      3  0.750000000701 USD  BilledCost  equal
| 
| bill  provider  account  period   lines              billed           effective
|    7  AWS       111      2026-05      3  0.750000000701 USD  0.750000000701 USD
| 
| bill 7 replaces one with 2 charges, 5 USD billed and 5 USD effective, imported 2026-11-15 00:00
| 3 charges imported, equal to the files' own totals; ledger: home/.local/share/stint/ledger.db
! stint: note: delivery/parts/x-1.csv: columns that FOCUS has no place for are not kept: x_Own
$ stint import delivery/x-Manifest.json --dry-run
| file                    format     days                      lines       its own total  column      read
| delivery/parts/x-1.csv  focus 1.0  2026-05-01 to 2026-05-03      3  0.750000000701 USD  BilledCost  equal
| 
| bill  provider  account  period   lines              billed           effective
|  new  AWS       111      2026-05      3  0.750000000701 USD  0.750000000701 USD
| 
| the bill of 111 would replace one with 3 charges, 0.750000000701 USD billed and 0.750000000701 USD effective, imported 2026-11-15 00:00
| 3 charges; nothing was written
! stint: note: delivery/parts/x-1.csv: columns that FOCUS has no place for are not kept: x_Own
$ rm delivery/parts/x-1.csv; stint import delivery
! stint: delivery/x-Manifest.json: the file 'prefix/parts/x-1.csv' that it lists is not there
!   hint: copy the complete delivery, or name the files to import
? 4

Charges outside of their period, and a month in another zone
$ sed 's/,111,/,444,/;s/2026-05-03T/2027-05-03T/g' may.csv >far.csv; stint import far.csv --dry-run
| file     format     days                      lines       its own total  column      read
| far.csv  focus 1.0  2026-05-01 to 2027-05-03      3  0.750000000701 USD  BilledCost  equal
| 
| bill  provider  account  period   lines              billed           effective
|  new  AWS       444      2026-05      3  0.750000000701 USD  0.750000000701 USD
| 
| 3 charges; nothing was written
! stint: note: far.csv: columns that FOCUS has no place for are not kept: x_Own
! stint: warning: far.csv:4: a charge of 2027-05-03 is outside of its billing period, or in the future: it counts on its day
$ sed 's/2026-05-01T00:00:00Z,2026-06-01T00:00:00Z/2026-05-01T00:00:00+02:00,2026-06-01T00:00:00+02:00/' may.csv >east.csv; stint import east.csv
| file      format     days                      lines       its own total  column      read
| east.csv  focus 1.0  2026-05-01 to 2026-05-03      3  0.750000000701 USD  BilledCost  equal
| 
| bill  provider  account  period   lines              billed           effective
|    8  AWS       111      2026-05      3  0.750000000701 USD  0.750000000701 USD
| 
| bill 8 replaces one with 3 charges, 0.750000000701 USD billed and 0.750000000701 USD effective, imported 2026-11-15 00:00
| 3 charges imported, equal to the files' own totals; ledger: home/.local/share/stint/ledger.db
! stint: note: east.csv: columns that FOCUS has no place for are not kept: x_Own

Removed
$ stint bills remove 99
! stint: there is no bill '99' in the ledger
!   hint: 'stint bills' lists them
? 4
$ stint bills remove AWS/222/2026-05
! stint: this removes the bills of AWS, account 222, 2026-05 (2 charges)
!   hint: stint bills remove AWS/222/2026-05 --force
? 2
$ stint bills remove aws/222/2026-05 --force
| bill  provider  account  period   lines  billed  effective  amounts               format     imported (UTC)
|    3  AWS       222      2026-05      1   1 USD      1 USD  billed and effective  focus 1.0  2026-11-15 00:00
|    4  AWS       222      2026-05      1   2 EUR      2 EUR  billed and effective  focus 1.0  2026-11-15 00:00
| 
| removed
$ stint bills
| bill  provider  account  period   lines              billed           effective  amounts               format     imported (UTC)
|    8  AWS       111      2026-05      3  0.750000000701 USD  0.750000000701 USD  billed and effective  focus 1.0  2026-11-15 00:00
| 
| 1 bill, 3 charges

Parts that overlap, and the other part of a month
$ line() { echo "$1,$1,$1,$1,333,Example,USD,2026-05-01T00:00:00Z,2026-06-01T00:00:00Z,Usage,,use,2026-05-0$2T00:00:00Z,2026-05-0$2T01:00:00Z,AWS,1,Hours,AWS,AWS,Compute,Amazon EC2,i-$2,{},mine"; }; { cat head; line 1 1; line 1 2; } >first.csv; { cat head; line 1 2; line 1 3; line 1 4; } >second.csv; { cat head; line 1 3; line 1 4; } >rest.csv; stint import first.csv second.csv
! stint: note: first.csv: columns that FOCUS has no place for are not kept: x_Own
! stint: 'second.csv' has the same 1 charge of 2026-05-02 as 'first.csv'
!   hint: nothing was changed: leave one of the files out, or --force when they are others
? 3
$ stint import first.csv >/dev/null
! stint: note: first.csv: columns that FOCUS has no place for are not kept: x_Own
$ stint import second.csv
! stint: note: second.csv: columns that FOCUS has no place for are not kept: x_Own
! stint: 'second.csv' has 1 of the 2 charges of bill 9 (AWS, account 333): it is another part, or another bill
!   hint: nothing was changed: --add adds it to the existing charges; --replace replaces bill 9 with it
? 3
$ stint import rest.csv
! stint: note: rest.csv: columns that FOCUS has no place for are not kept: x_Own
! stint: 'rest.csv' has 0 of the 2 charges of bill 9 (AWS, account 333): it is another part, or another bill
!   hint: nothing was changed: --add adds it to the existing charges; --replace replaces bill 9 with it
? 3
$ stint import rest.csv --add >/dev/null
! stint: note: rest.csv: columns that FOCUS has no place for are not kept: x_Own
$ stint bills 333
| bill  provider  account  period   lines  billed  effective  amounts               format     imported (UTC)
|    9  AWS       333      2026-05      2   2 USD      2 USD  billed and effective  focus 1.0  2026-11-15 00:00
|   10  AWS       333      2026-05      2   2 USD      2 USD  billed and effective  focus 1.0  2026-11-15 00:00
| 
| 2 bills, 4 charges
$ stint import first.csv second.csv --force --dry-run
| file        format     days                      lines  its own total  column      read
| first.csv   focus 1.0  2026-05-01 to 2026-05-02      2          2 USD  BilledCost  equal
| second.csv  focus 1.0  2026-05-02 to 2026-05-04      3          3 USD  BilledCost  equal
| 
| bill  provider  account  period   lines  billed  effective
|  new  AWS       333      2026-05      5   5 USD      5 USD
| 
| the bill of 333 would replace others with 4 charges, 4 USD billed and 4 USD effective, imported 2026-11-15 00:00
| 5 charges; nothing was written
! stint: note: first.csv: columns that FOCUS has no place for are not kept: x_Own

Columns with misspelled names
$ sed '1s/Tags/Tasg/; 1s/ResourceId/ResouceId/' first.csv >slip.csv; stint import slip.csv --dry-run --replace
| file      format     days                      lines  its own total  column      read
| slip.csv  focus 1.0  2026-05-01 to 2026-05-02      2          2 USD  BilledCost  equal
| 
| bill  provider  account  period   lines  billed  effective
|  new  AWS       333      2026-05      2   2 USD      2 USD
| 
| the bill of 333 would replace others with 4 charges, 4 USD billed and 4 USD effective, imported 2026-11-15 00:00
| 2 charges; nothing was written
! stint: warning: slip.csv: columns that look misspelt are not read: 'ResouceId' (ResourceId?), 'Tasg' (Tags?)
! stint: note: slip.csv: columns that FOCUS has no place for are not kept: ResouceId, Tasg, x_Own
$ sed '1s/BilledCost/BiledCost/' first.csv >slip.csv; stint import slip.csv
! stint: slip.csv: there is no BilledCost among the columns of this FOCUS 1.0 to 1.4 file
!   hint: 'BiledCost' is close: name it BilledCost
? 3
$ mkdir parts; cp first.csv slip.csv other.csv parts; stint import parts
! stint: note: parts/first.csv: columns that FOCUS has no place for are not kept: x_Own
! stint: note: parts/other.csv is left out: unrecognized bill format: its columns are 'a', 'b' and so on
! stint: parts/slip.csv: there is no BilledCost among the columns of this FOCUS 1.0 to 1.4 file
!   hint: 'BiledCost' is close: name it BilledCost
? 3

An export of AWS, with its manifest in a separate folder
$ mkdir -p export/data/BILLING_PERIOD=2026-05 export/metadata/BILLING_PERIOD=2026-05; cp may.csv export/data/BILLING_PERIOD=2026-05; echo '{"executionId":"e1","dataFiles":["s3://bucket/prefix/export/data/BILLING_PERIOD=2026-05/may.csv"]}' >export/metadata/BILLING_PERIOD=2026-05/export-Manifest.json; stint import export/metadata/BILLING_PERIOD=2026-05 --dry-run --replace
| file                                        format     days                      lines       its own total  column      read
| export/data/BILLING_PERIOD=2026-05/may.csv  focus 1.0  2026-05-01 to 2026-05-03      3  0.750000000701 USD  BilledCost  equal
| 
| bill  provider  account  period   lines              billed           effective
|  new  AWS       111      2026-05      3  0.750000000701 USD  0.750000000701 USD
| 
| the bill of 111 would replace one with 3 charges, 0.750000000701 USD billed and 0.750000000701 USD effective, imported 2026-11-15 00:00
| 3 charges; nothing was written
! stint: note: export/data/BILLING_PERIOD=2026-05/may.csv: columns that FOCUS has no place for are not kept: x_Own
$ cd export; stint import metadata/BILLING_PERIOD=2026-05/export-Manifest.json --dry-run --replace
| file                                   format     days                      lines       its own total  column      read
| ./data/BILLING_PERIOD=2026-05/may.csv  focus 1.0  2026-05-01 to 2026-05-03      3  0.750000000701 USD  BilledCost  equal
| 
| bill  provider  account  period   lines              billed           effective
|  new  AWS       111      2026-05      3  0.750000000701 USD  0.750000000701 USD
| 
| 3 charges; nothing was written
! stint: note: ./data/BILLING_PERIOD=2026-05/may.csv: columns that FOCUS has no place for are not kept: x_Own

Pages of Cost Explorer
$ page() { echo "{\"GroupDefinitions\":[{\"Type\":\"DIMENSION\",\"Key\":\"SERVICE\"}],\"ResultsByTime\":[{\"TimePeriod\":{\"Start\":\"2026-05-0$1\",\"End\":\"2026-05-0$2\"},\"Groups\":[{\"Keys\":[\"Tax\"],\"Metrics\":{\"UnblendedCost\":{\"Amount\":\"1.5\",\"Unit\":\"USD\"}}}]}]$3}"; }; page 1 2 ',"NextPageToken":"t"' >page1.json; page 2 3 >page2.json; stint import page1.json --dry-run
! stint: page1.json: the answer has a next page, which is not here
!   hint: nothing was changed: fetch it (--next-token, nextLink), and name the pages in their order
? 3
$ stint import page1.json page2.json --dry-run
| file        format        days        lines  its own total  column         read
| page1.json  aws-explorer  2026-05-01      1        1.5 USD  UnblendedCost  equal
| page2.json  aws-explorer  2026-05-02      1        1.5 USD  UnblendedCost  equal
| 
| all charges were skipped: nothing changed
! stint: warning: 'page1.json': 2 charges of 2026-05-01 to 2026-05-02 (3.0 USD) are left out: bill 8 has the same money in detail

A truncated file
$ gzip -c may.csv | head -c 200 >cut.csv.gz; stint import cut.csv.gz
! stint: cut.csv.gz: the gzip data are damaged or cut off
!   hint: fetch it again; nothing was changed
? 3

GPUs that only a description names
$ line() { echo "1,1,1,1,444,Example,USD,2026-05-01T00:00:00Z,2026-06-01T00:00:00Z,Usage,,$1,2026-05-01T00:00:00Z,2026-05-01T01:00:00Z,AWS,1,Hours,AWS,AWS,Compute,Machines,,{},mine"; }; { cat head; line '$32.77 per On Demand Linux p4d.24xlarge Instance Hour'; line 'Compute - GPU - H100 - v2'; line 'per version v2.100 of A1'; } >gpus.csv; stint import gpus.csv --ledger gpus.db >/dev/null
! stint: note: gpus.csv: columns that FOCUS has no place for are not kept: x_Own
$ stint costs --by gpu --since 2026-05-01 --ledger gpus.db
| gpu      cost  share
| (none)  $1.00   33 %
| A100    $1.00   33 %
| H100    $1.00   33 %
| total   $3.00       
| 
| exactly: 3 USD
| 2026-05-01 to 2026-11-15 (UTC), effective cost
| the newest bill ends on 2026-05-01: after that, only metered runs are included
