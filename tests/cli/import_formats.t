A user's own table: the columns of docs/reference/bills.md
$ printf 'date,cost,currency,provider,service,resource,team\n2026-05-01,12.50,USD,Lambda,GPU,i-1,nlp\n2026-05-02,3.25,USD,Lambda,GPU,i-2,vision\n' >own.csv; stint import own.csv
| file     format  days                      lines  its own total  column  read
| own.csv  table   2026-05-01 to 2026-05-02      2      15.75 USD  cost    equal
| 
| bill  provider  account  period   lines     billed  effective
|    1  Lambda    -        2026-05      2  15.75 USD  15.75 USD
| 
| 2 charges imported, equal to the files' own totals; ledger: home/.local/share/stint/ledger.db
$ stint costs --by team --since 2026-05-01 --until 2026-06-01 | head -4
| team      cost  share
| nlp     $12.50   79 %
| vision   $3.25   21 %
| total   $15.75       
$ printf 'date,cost,currency,service\n2026-05-01,12.50,USD,GPU\n' >whose.csv; stint import whose.csv
! stint: whose.csv:2: provider is empty
!   hint: set the provider with --provider NAME or a column 'provider'; it is recognized from service names only for AWS, Azure and Google Cloud; nothing was changed
? 3
$ printf 'date,service,cost\n2026-05-01,AmazonEC2,4\n' >athena.csv; stint import athena.csv --dry-run
| file        format  days        lines  its own total  column  read
| athena.csv  table   2026-05-01      1          4 USD  cost    equal
| 
| bill  provider  account  period   lines  billed  effective
|  new  AWS       -        2026-05      1   4 USD      4 USD
| 
| 1 charge; nothing was written
! stint: note: athena.csv: it names no currency, so US dollars are assumed: --currency sets another

What consoles download
$ printf '"Service","EC2-Instances($)","S3($)","Total costs($)"\n"Service total","22.5","0.25","22.75"\n"2026-05-01","12.5","0.25","12.75"\n"2026-05-02","10","","10"\n' >explorer.csv; stint import explorer.csv --dry-run
| file          format       days                      lines  its own total  column       read
| explorer.csv  aws-console  2026-05-01 to 2026-05-02      3      22.75 USD  the columns  equal
| 
| bill  provider  account  period   lines     billed  effective
|  new  AWS       -        2026-05      3  22.75 USD  22.75 USD
| 
| 3 charges; nothing was written
$ printf 'UsageDate,ServiceName,CostUSD,Cost,Currency\n2026-05-01,Virtual Machines,11,10,EUR\n' >analysis.csv; stint import analysis.csv --dry-run
| file          format                     days        lines  its own total  column  read
| analysis.csv  table Azure cost analysis  2026-05-01      1         10 EUR  cost    equal
| 
| bill  provider   account  period   lines  billed  effective
|  new  Microsoft  -        2026-05      1  10 EUR     10 EUR
| 
| 1 charge; nothing was written
$ printf '{"properties":{"nextLink":null,"columns":[{"name":"PreTaxCost"},{"name":"UsageDate"},{"name":"Currency"}],"rows":[[1.5,20260501,"USD"]]}}' >query.json; stint import query.json --dry-run
| file        format             days        lines  its own total  column  read
| query.json  table Azure query  2026-05-01      1        1.5 USD  cost    equal
| 
| bill  provider   account  period   lines   billed  effective
|  new  Microsoft  -        2026-05      1  1.5 USD    1.5 USD
| 
| 1 charge; nothing was written
$ sed 's/null/"https:\/\/example.org\/2"/' query.json >page.json; stint import page.json --dry-run
! stint: page.json: the answer has a next page, which is not here
!   hint: nothing was changed: fetch it (--next-token, nextLink), and name the pages in their order
? 3

UTF-16 with tabs, as spreadsheets save text
$ printf 'date\tcost\tcurrency\tprovider\n2026-05-01\t7\tUSD\tExample\n' | iconv -f UTF-8 -t UTF-16 >text.txt; stint import text.txt --dry-run
| file      format  days        lines  its own total  column  read
| text.txt  table   2026-05-01      1          7 USD  cost    equal
| 
| bill  provider  account  period   lines  billed  effective
|  new  Example   -        2026-05      1   7 USD      7 USD
| 
| 1 charge; nothing was written

A row that is in the file twice
$ printf 'identity/LineItemId,bill/PayerAccountId,lineItem/UsageStartDate,lineItem/UnblendedCost\na,1,2026-05-01T00:00:00Z,1\na,1,2026-05-01T00:00:00Z,1\n' >twice.csv; stint import twice.csv
! stint: twice.csv:3: the line id: 'a' was there before: the row is in the file twice
!   hint: remove the duplicates; use --force if they are different charges; nothing was changed
? 3
$ stint import twice.csv --force --dry-run
| file       format     days        lines  its own total  column                  read
| twice.csv  aws-cur 1  2026-05-01      2          2 USD  lineItem/UnblendedCost  equal
| 
| bill  provider  account  period   lines  billed  effective
|  new  AWS       1        2026-05      2   2 USD      2 USD
| 
| 2 charges; nothing was written
! stint: note: twice.csv: it names no currency, so US dollars are assumed: --currency sets another
$ printf 'Date,Service description,Service ID,Cost ($),Savings programs ($),Other savings ($),Unrounded subtotal ($),Subtotal ($)\n2026-07-01,Compute Engine,6F,500.00,-80.00,-22.00,398.00,398.00\n2026-07-02,Vertex AI,95,220.00,0.00,-20.00,200.00,200.00\n,,,,,,Filtered total,598.00\n' >report.csv; stint import report.csv --dry-run
| file        format            days                      lines  its own total  column              read
| report.csv  table GCP report  2026-07-01 to 2026-07-02      2     598.00 USD  unrounded subtotal  equal
| 
| bill  provider      account  period   lines      billed   effective
|  new  Google Cloud  -        2026-07      2  598.00 USD  598.00 USD
| 
| 2 charges; nothing was written
! stint: note: report.csv: columns that FOCUS has no place for are not kept: Service ID, Other savings
$ printf 'Service description,Cost ($),Savings ($),Subtotal ($)\nCompute Engine,500,-102,398\n' >'Acme_Reports, 2026-07-01 - 2026-07-31.csv'; stint import Acme*.csv --dry-run
| file                                       format            days        lines  its own total  column    read
| Acme_Reports, 2026-07-01 - 2026-07-31.csv  table GCP report  2026-07-01      1        398 USD  subtotal  equal
| 
| bill  provider      account  period   lines   billed  effective
|  new  Google Cloud  -        2026-07      1  398 USD    398 USD
| 
| 1 charge; nothing was written
! stint: note: Acme_Reports, 2026-07-01 - 2026-07-31.csv: it has no dates; charges are assigned to 2026-07-01 to 2026-07-31, from its name or title: --month sets another
$ printf 'service,f0_\nCompute Engine,12.5\n' >query.csv; stint import query.csv --provider gcp --month 2026-07
! stint: query.csv: there is no cost among its columns: 'service', 'f0_'
!   hint: --map cost=COLUMN names it
? 3
$ stint import query.csv --provider gcp --month 2026-07 --map cost=f0_ --dry-run
| file       format  days        lines  its own total  column  read
| query.csv  table   2026-07-01      1       12.5 USD  cost    equal
| 
| bill  provider      account  period   lines    billed  effective
|  new  Google Cloud  -        2026-07      1  12.5 USD   12.5 USD
| 
| 1 charge; nothing was written
! stint: note: query.csv: it names no currency, so US dollars are assumed: --currency sets another
$ printf 'time,amount,rate,balance,gpu\n2026-07-01T05:00:00Z,5.25,0.5,100,NVIDIA GeForce RTX 4090\n' >lambda.csv; stint import lambda.csv
! stint: lambda.csv:2: provider is empty
!   hint: set the provider with --provider NAME or a column 'provider'; it is recognized from service names only for AWS, Azure and Google Cloud; nothing was changed
? 3
$ stint import lambda.csv --provider lambda 2>/dev/null | tail -1 | cut -d';' -f1
| 1 charge imported, equal to the files' own totals
$ stint costs --by gpu --since 2026-07-01 --until 2026-07-02 | head -2
| gpu       cost  share
| RTX4090  $5.25  100 %
$ stint import lambda.csv --map date=rat --provider lambda
! stint: lambda.csv: --map date=rat: there is no column 'rat' among 'time', 'amount', 'rate', 'balance', 'gpu'
? 3
$ stint import lambda.csv --map data=rate
! stint: --map: there is no field 'data'
!   hint: did you mean 'date'?
? 2
$ stint import lambda.csv --map date
! stint: --map: 'date' is not FIELD=COLUMN
!   hint: --map cost=amount --map date=time
? 2
$ stint import lambda.csv --month yesterday
! stint: --month: 'yesterday' is not a month
!   hint: write it as 2026-05
? 2
$ printf 'object_id,description,interval_start,cost\nap-1,train,2026-07-02T00:00:00+00:00,1.25\n' >modal.csv; stint import modal.csv --provider modal 2>/dev/null | tail -1 | cut -d';' -f1
| 1 charge imported, equal to the files' own totals

A report of Google with decimal commas is refused: they are not groups
$ printf 'Date;Service description;Cost (€);Savings programs (€);Unrounded subtotal (€);Subtotal (€)\n2026-05-01;Compute Engine;100,00;-20,00;78,80;78,80\n' >comma.csv; stint import comma.csv
! stint: comma.csv:2: unrounded subtotal: '78,80' is not an amount
!   hint: a comma may group digits or be a decimal point: write 1234.56; nothing was changed
? 3
$ printf 'Date,Service description,Cost (¥),Savings programs (¥),Unrounded subtotal (¥),Subtotal (¥)\n2026-05-01,Compute Engine,"1,234,500",-500,"1,234,000","1,234,000"\n' >groups.csv; stint import groups.csv --dry-run | sed -n 2p
| groups.csv  table GCP report  2026-05-01      1    1234000 JPY  unrounded subtotal  equal

A table whose provider is given names what is missing; providers have one name
$ printf 'who,gpu,spent,at\npod-1,H100,12.5,2026-05-01T00:00:00Z\n' >pods.csv; stint import pods.csv --provider runpod
! stint: pods.csv: there is no cost and no date among its columns: 'who', 'gpu', 'spent', 'at'
!   hint: --map cost=COLUMN and --map date=COLUMN name them
? 3
$ printf 'usage_date_utc,model,cost_usd\n2026-05-01,claude,1.50\n' >claude.csv; stint import claude.csv --provider anthropic --dry-run | sed -n 5p
|  new  Anthropic  -        2026-05      1  1.50 USD   1.50 USD

Payments beside charges are no costs; cents; what may be the amount is asked
$ printf '{"invoices":[{"timestamp":1777593600,"type":"charge","amount":"7.44","gpu_name":"RTX 4090"},{"timestamp":1777593600,"type":"payment","amount":"-50.00","gpu_name":null}]}' >vast.json; stint import vast.json --provider vast --dry-run 2>&1 | grep -e payment -e '^vast'
| stint: note: vast.json: 1 row of payments is left out: no costs
| vast.json  table   2026-05-01      1       7.44 USD  cost    equal
$ printf '{"data":[{"instance_type":{"name":"gpu_1x_a100"},"start_time":"2026-05-03T10:00:00Z","total_cost_cents":258},{"instance_type":{"name":"gpu_1x_a100"},"start_time":"2026-05-04T10:00:00Z","total_cost_cents":300}]}' >lambda.json; stint import lambda.json --provider lambda --dry-run 2>/dev/null | sed -n 2p
| lambda.json  table   2026-05-03 to 2026-05-04      2       5.58 USD  cents   equal
$ printf '{"data":[{"start_time":"2026-05-03T10:00:00Z","paid":258,"name":"a"}]}' >paid.json; stint import paid.json --provider lambda
! stint: paid.json: there is no cost among its columns: 'start_time', 'paid', 'name'
!   hint: --map cost=COLUMN names it
? 3
$ printf 'date,service,amount,charge\n2026-05-01,A,10,12\n' >two.csv; stint import two.csv --provider x
! stint: two.csv:2: charge: '12' is a number, and no type of charge
!   hint: --map cost=COLUMN names the amount that is paid; nothing was changed
? 3
$ printf 'date,service,net,amount_due\n2026-05-01,A,10,12\n' >two.csv; stint import two.csv --provider x
! stint: two.csv: the amount may be 'net' or 'amount_due'
!   hint: --map 'cost=net' or --map 'cost=amount_due' says which is paid
? 3
