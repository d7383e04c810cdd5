Without a ledger
$ stint export --focus out.csv
! stint: there is no ledger 'home/.local/share/stint/ledger.db' yet
!   hint: 'stint run -- COMMAND' makes it
? 4

Runs alone: what each day of each attempt cost; what is not known is not in it
$ "$STINT_TEST_LEDGER" home/.local/share/stint/ledger.db
$ stint export
! 3 days and kinds of spending: --csv writes them, --json prints them, --focus writes every line
$ stint export --focus runs.csv
! FOCUS 1.2: 5 rows, 0 of bills and 5 of runs; billed 0.298666667 USD
! so that every row follows the rules (no billed amount was changed):
!   5 rows with a unit price worked out from cost and quantity
! described by runs.metadata.json
! 2 runs are not included: the cost is unknown
$ cut -d, -f2,11,14-16,24,25,30-33 runs.csv
| BilledCost,ChargeCategory,ChargeFrequency,ChargePeriodEnd,ChargePeriodStart,ConsumedQuantity,ConsumedUnit,InvoiceIssuerName,ListCost,ListUnitPrice,PricingCategory
| 0.116666667,Usage,Usage-Based,2026-11-13T18:16:40Z,2026-11-13T18:00:00Z,0.277777778,Hours,AWS,0.116666666999999999914222222,0.420000000863999999,Dynamic
| 0.07,Usage,Usage-Based,2026-11-14T04:10:00Z,2026-11-14T04:00:00Z,0.166666667,Hours,AWS,0.070000000000000000053333334,0.419999999160000002,Dynamic
| 0.058333333,Usage,Usage-Based,2026-11-14T06:08:20Z,2026-11-14T06:00:00Z,0.138888889,Hours,AWS,0.058333332999999999973777778,0.419999997264000002,Dynamic
| 0.039666667,Usage,Usage-Based,2026-11-14T19:05:40Z,2026-11-14T19:00:00Z,0.094444444,Hours,AWS,0.039666667000000000014052276,0.420000005505882379,Dynamic
| 0.014,Usage,Usage-Based,2026-11-15T00:00:00Z,2026-11-14T23:58:00Z,0.033333333,Hours,AWS,0.013999999999999999999999986,0.420000004200000042,Dynamic
$ cat runs.metadata.json | head -12
| {
|   "SchemaId": "stint-focus-1.2-1",
|   "FocusVersion": "1.2",
|   "CreationDate": "2026-11-15T00:00:00Z",
|   "DataGenerator": "stint",
|   "DataGeneratorVersion": "0.1.0",
|   "ColumnDefinition": [
|     {"ColumnName":"AvailabilityZone","DataType":"STRING","StringEncoding":"UTF-8"},
|     {"ColumnName":"BilledCost","DataType":"DECIMAL","NumericPrecision":38,"NumberScale":28},
|     {"ColumnName":"BillingAccountId","DataType":"STRING","StringEncoding":"UTF-8"},
|     {"ColumnName":"BillingAccountName","DataType":"STRING","StringEncoding":"UTF-8"},
|     {"ColumnName":"BillingAccountType","DataType":"STRING","StringEncoding":"UTF-8"},
$ stint export --focus --since 2026-11-14 --until 2026-11-14 - | wc -l
| 5
! FOCUS 1.2: 4 rows, 0 of bills and 4 of runs; billed 0.182000000 USD
! so that every row follows the rules (no billed amount was changed):
!   4 rows with a unit price worked out from cost and quantity
! 2 runs are not included: the cost is unknown
$ stint export --focus --until 2026-10-31 --json none.csv; wc -l <none.csv
| {"schema":"stint.export/1","file":"none.csv","metadata":"none.metadata.json","version":"1.2","rows":0,"bill_rows":0,"run_rows":0,"recurring_rows":0,"changes":[],"billed":[],"unpriced":0,"days":[]}
| 1

FOCUS 1.4 has other columns
$ stint export --focus --version 1.4 new.csv >/dev/null 2>&1; head -1 new.csv | tr , '\n' | grep -n Provider; grep -c ColumnName new.metadata.json
| 36:HostProviderName
| 56:ServiceProviderName
| 70

A bill covers the day before yesterday: its line is there, the run of that day is not
$ echo 'BilledCost,BillingAccountId,BillingCurrency,BillingPeriodStart,BillingPeriodEnd,ChargeCategory,ChargeDescription,ChargePeriodStart,ChargePeriodEnd,EffectiveCost,ProviderName,InvoiceIssuerName,PublisherName,ServiceCategory,ServiceName,PricingQuantity,PricingUnit,Tags' >bill.csv
$ echo '0.123456789012345678,111,USD,2026-11-01T00:00:00Z,2026-12-01T00:00:00Z,Usage,"g5, by the hour",2026-11-13T18:00:00Z,2026-11-13T19:00:00Z,0.123456789012345678,AWS,Amazon Web Services,AWS,Compute,AmazonEC2,3,Hours,"{""a"":{""b"":1}}"' >>bill.csv; stint import bill.csv | tail -1
| 1 charge imported, equal to the files' own totals; ledger: home/.local/share/stint/ledger.db
$ stint export --focus all.csv; cut -d, -f2 all.csv
| BilledCost
| 0.123456789012345678
| 0.07
| 0.058333333
| 0.039666667
| 0.014
! FOCUS 1.2: 5 rows, 1 of bills and 4 of runs; billed 0.305456789012345678 USD
! so that every row follows the rules (no billed amount was changed):
!   1 row given a SKU made of service and description, for want of one
!   5 rows with a unit price worked out from cost and quantity
!   1 row with the provider as the issuer of the invoice
!   1 row in a service category that FOCUS has
!   1 row with a word that FOCUS has in place of another
!   1 row with a name or type filled in from its id, or left out without one
!   1 row with tags made a flat object
! described by all.metadata.json
! 2 runs are not included: the cost is unknown
$ sed -n 2p all.csv
| ,0.123456789012345678,111,111,Billing Account,USD,2026-12-01T00:00:00Z,2026-11-01T00:00:00Z,,,Usage,,"g5, by the hour",Usage-Based,2026-11-13T19:00:00Z,2026-11-13T18:00:00Z,,,,,,,,,,0.123456789012345678,0.041152263004115226,0.123456789012345678,,AWS,0.123456789012345678,0.041152263004115226,Standard,USD,0.041152263004115226,0.123456789012345678,0.041152263004115226,3,Hours,AWS,AWS,,,,,,Compute,AmazonEC2,Other (Compute),"AmazonEC2/g5, by the hour",AmazonEC2,,"AmazonEC2/g5, by the hour",,,,"{""x_Text"":""{\""a\"":{\""b\"":1}}""}",,,,,
$ stint export --focus --from bills - 2>/dev/null | wc -l
| 2
$ stint export --focus --from runs - 2>/dev/null | wc -l
| 6

An export can be imported again unchanged
$ stint --ledger copy.db import all.csv | tail -1; stint --ledger copy.db export --focus again.csv; sed -n 2p all.csv >a; sed -n 2p again.csv >b; cmp a b
| 5 charges imported, equal to the files' own totals; ledger: copy.db
! stint: note: all.csv: columns that FOCUS has no place for are not kept: x_RunId, x_EnergyKWh, x_EmissionsGCO2e, x_GpuHours, x_GpuUtilization
! FOCUS 1.2: 5 rows, 5 of bills and 0 of runs; billed 0.305456789012345678 USD
! described by again.metadata.json

Both amounts of Azure, in two files: neither is in the export twice
$ head='SubscriptionId,Date,MeterCategory,MeterName,MeterId,UnitOfMeasure,Quantity,UnitPrice,CostInBillingCurrency,BillingCurrencyCode,ResourceId,ChargeType,PricingModel,BillingAccountId,BillingPeriodStartDate,BillingPeriodEndDate,ReservationId'; tail='1,USD,/subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/virtualMachines/vm,Usage,OnDemand,9,11/01/2026,11/30/2026,'; echo "$head" >actual.csv; echo "s,11/02/2026,Virtual Machines,NC24,m1,1 Hour,24,3.673,8$tail" >>actual.csv; echo "$head" >amortized.csv; echo "s,11/02/2026,Virtual Machines,NC24,m1,1 Hour,24,3.673,9$tail" >>amortized.csv; stint --ledger azure.db import --actual actual.csv >/dev/null; stint --ledger azure.db import --amortised amortized.csv | tail -1
| 1 charge imported, equal to the files' own totals; ledger: azure.db
! stint: note: actual.csv: dates such as 11/02/2026 are read with the month first
! stint: note: amortized.csv: dates such as 11/02/2026 are read with the month first
$ stint --ledger azure.db export --focus - 2>/dev/null | cut -d, -f2,24,26,28,31,38
| BilledCost,ConsumedQuantity,ContractedCost,EffectiveCost,ListCost,PricingQuantity
| 81,24,81.000,0,81.000,24
| 0,0,0,91,0,0
$ stint --ledger azure.db costs 2>/dev/null | tail -3; stint --ledger azure.db reconcile | head -6
| exactly: 91 USD
| 2026-10-17 to 2026-11-15 (UTC), effective cost
| the newest bill ends on 2026-11-02: after that, only metered runs are included
| billed for                                        amount  share
| runs                                               $0.00    0 %
| idle: machines that runs were on, while none ran   $0.00    0 %
| untracked: machines that no run was on            $91.00  100 %
| other: storage, network, tax, credits, ...         $0.00    0 %
| total billed                                      $91.00  100 %

Day by day
$ stint export --csv
| day,currency,amount,metered,lines,runs,provider,service,category,account,sub_account,region,charge,pricing,instance,gpu,tier,team,project,environment,experiment,cost_center,model,phase,owner
| 2026-11-13,USD,0.123456789012345678,0,1,0,AWS,AmazonEC2,Compute,111,,,Usage,,,,,,,,,,,,
| 2026-11-14,USD,0.053666667,0.053666667,0,2,AWS,Amazon Elastic Compute Cloud,Compute,,,us-east-1,Usage,spot,g5.xlarge,A10G,,,,,,,,,ann
| 2026-11-14,USD,0.128333333,0.128333333,0,1,AWS,Amazon Elastic Compute Cloud,Compute,,,us-east-1,Usage,spot,g5.xlarge,A10G,,nlp,ads,,,,,,ann
! 3 rows
! 2 runs are not included: the cost is unknown
$ stint export --csv days.csv; wc -l <days.csv
| 4
! 3 rows
! 2 runs are not included: the cost is unknown
$ stint export --json --since 2026-11-14
| {"schema":"stint.export/1","file":null,"metadata":null,"version":null,"rows":2,"bill_rows":0,"run_rows":0,"recurring_rows":0,"changes":[],"billed":[],"unpriced":2,"days":[{"day":"2026-11-14","currency":"USD","amount":"0.053666667","metered":"0.053666667","lines":0,"runs":2,"provider":"AWS","service":"Amazon Elastic Compute Cloud","category":"Compute","account":null,"sub_account":null,"region":"us-east-1","charge":"Usage","pricing":"spot","instance":"g5.xlarge","gpu":"A10G","tier":null,"team":null,"project":null,"environment":null,"experiment":null,"cost_center":null,"model":null,"phase":null,"owner":"ann"},{"day":"2026-11-14","currency":"USD","amount":"0.128333333","metered":"0.128333333","lines":0,"runs":1,"provider":"AWS","service":"Amazon Elastic Compute Cloud","category":"Compute","account":null,"sub_account":null,"region":"us-east-1","charge":"Usage","pricing":"spot","instance":"g5.xlarge","gpu":"A10G","tier":null,"team":"nlp","project":"ads","environment":null,"experiment":null,"cost_center":null,"model":null,"phase":null,"owner":"ann"}]}

Recurring costs are charges, up to today; shares of split ones are not, with a note. All three have the same total as costs
$ printf '%s\n' 'shared: [{name: desk, when: {service: desk}, split: even, among: [nlp, tts]}]' 'recurring:' '- {name: desk, cost: $30/month, from: 2026-10-15, tags: {team: ops}}' '- {name: label tool, provider: Acme, cost: 366EUR/year, from: 2026-11-01, until: 2026-11-02}' >policy.yaml; stint allocation set policy.yaml | tail -1
| no amount in the ledger has other tags than before
$ stint export --focus more.csv; grep -e desk -e label more.csv | cut -d, -f2,6,11,13-16,24,25,30,40,48,57
| 16.451612904,USD,Usage,desk,Recurring,2026-11-01T00:00:00Z,2026-10-15T00:00:00Z,17,Days,recurring costs,recurring costs,desk,"{""team"":""ops""}"
| 15,USD,Usage,desk,Recurring,2026-11-16T00:00:00Z,2026-11-01T00:00:00Z,15,Days,recurring costs,recurring costs,desk,"{""team"":""ops""}"
| 2.005479452,EUR,Usage,label tool,Recurring,2026-11-03T00:00:00Z,2026-11-01T00:00:00Z,2,Days,Acme,Acme,label tool,
! stint: note: costs that the policy splits are exported unsplit, where they were billed: 'stint statement --csv FILE' has the shares
! FOCUS 1.2: 8 rows, 1 of bills, 4 of runs and 3 of recurring costs; billed 31.757069693012345678 USD, 2.005479452 EUR
! so that every row follows the rules (no billed amount was changed):
!   1 row given a SKU made of service and description, for want of one
!   8 rows with a unit price worked out from cost and quantity
!   1 row with the provider as the issuer of the invoice
!   1 row in a service category that FOCUS has
!   1 row with a word that FOCUS has in place of another
!   1 row with a name or type filled in from its id, or left out without one
!   1 row with tags made a flat object
! described by more.metadata.json
! 2 runs are not included: the cost is unknown
$ stint export --focus --since 2026-11-14 - 2>/dev/null | grep -c Recurring; stint export --focus --from bills - 2>/dev/null | grep -c Recurring
| 1
| 0
? 1
$ stint export --csv --month 2026-11 | grep -e 2026-11-02 -e 2026-11-15
| 2026-11-02,EUR,1.002739726,0,0,0,Acme,label tool,,,,,Usage,,,,,,,,,,,,
| 2026-11-02,USD,1,0,0,0,recurring costs,desk,,,,,Usage,,,,,ops,,,,,,,
| 2026-11-15,USD,1,0,0,0,recurring costs,desk,,,,,Usage,,,,,ops,,,,,,,
! stint: note: costs that the policy splits are exported unsplit, where they were billed: 'stint statement --csv FILE' has the shares
! 20 rows
! 2 runs are not included: the cost is unknown
$ stint export --csv 2>/dev/null | awk -F, 'NR > 1 { sum[$2] += $3 } END { for (c in sum) printf "%.9f %s\n", sum[c], c }' | sort; stint costs --since 2026-10-01 | grep exactly
| 2.005479452 EUR
| 31.757069693 USD
| exactly: 2.005479452 EUR
| exactly: 31.757069693012345678 USD, of which 0.182 USD of runs that no bill covers
$ stint allocation remove >/dev/null

Mistakes
$ stint export --focus --csv out.csv
! stint: --focus and --csv are two formats: choose one
? 2
$ stint export out.csv
! stint: a file of which format?
!   hint: give --focus or --csv; --json prints the account day by day
? 2
$ stint export --focus --version 1.3 out.csv
! stint: --version: '1.3' is not one of 1.2, 1.4
!   hint: did you mean '1.2'?
? 2
$ stint export --focus --from everything out.csv
! stint: --from: 'everything' is not one of all, bills, runs
? 2
$ stint export --focus .
! stint: cannot write '.': Is a directory
? 1
$ stint export --focus no/where.csv
! stint: cannot write 'no/where.csv': No such file or directory
? 1
$ stint export --focus /dev/full
! stint: cannot write '/dev/full': No space left on device
? 1
$ stint export --focus - >/dev/full
! stint: cannot write 'standard output': No space left on device
? 1
$ stint export --csv /dev/full
! stint: cannot write '/dev/full': No space left on device
? 1
$ stint export --focus - >&-
! stint: cannot write 'standard output': Bad file descriptor
? 1
$ stint export --focus --since later out.csv
! stint: --since: 'later' is neither a time nor a date
!   hint: write yesterday, 12h, 7d, 2026-11-01 or '2026-11-01 10:00' (UTC)
? 2
$ stint --ledger bill.csv export --focus out.csv 2>&1 | head -1
| stint: the ledger 'bill.csv' is damaged: file is not a database
$ mkdir linked && : >linked/real.csv && ln -s linked/real.csv link.csv
$ stint export --csv link.csv
! 3 rows
! 2 runs are not included: the cost is unknown
$ test -L link.csv && test -s linked/real.csv && rm -r link.csv linked
$ ls
| a
| actual.csv
| again.csv
| again.metadata.json
| all.csv
| all.metadata.json
| amortized.csv
| azure.db
| b
| bill.csv
| copy.db
| days.csv
| home
| more.csv
| more.metadata.json
| new.csv
| new.metadata.json
| none.csv
| none.metadata.json
| policy.yaml
| runs.csv
| runs.metadata.json
