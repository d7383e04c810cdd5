Allocation: a bill of two months, and a policy that assigns it to teams
$ h=BilledCost,EffectiveCost,ListCost,ContractedCost,BillingAccountId,BillingAccountName,BillingCurrency,BillingPeriodStart,BillingPeriodEnd,ChargePeriodStart,ChargePeriodEnd,ChargeCategory,ChargeDescription,ProviderName,PublisherName,InvoiceIssuerName,InvoiceId,ServiceName,ServiceCategory,ResourceId,SubAccountId,Tags; echo $h >oct.csv; echo $h >sep.csv
$ line() { echo "$3,$3,$3,$3,1234,Acme,USD,2026-$1-01T00:00:00Z,2026-$2-01T00:00:00Z,2026-$1-05T00:00:00Z,2026-$1-06T00:00:00Z,$4,$5,AWS,AWS,AWS,INV-$1,$6,Compute,$7,777,\"$8\""; }; line 10 11 100.00 Usage 'GPU hours' 'Amazon EC2' i-train-1 '{""team"":""nlp"",""project"":""ads""}' >>oct.csv; line 10 11 50.10 Usage 'GPU hours' 'Amazon EC2' i-2 '{""team"":""vision""}' >>oct.csv; line 10 11 30 Usage Storage 'Amazon S3' bucket-a '{}' >>oct.csv; line 10 11 20 Usage Business 'AWS Support' '' '{}' >>oct.csv; line 10 11 7 Tax VAT Tax '' '{}' >>oct.csv; line 10 11 -5 Credit Promo 'Amazon EC2' '' '{""team"":""nlp""}' >>oct.csv; line 09 10 80 Usage 'GPU hours' 'Amazon EC2' i-train-1 '{""team"":""nlp"",""project"":""ads""}' >>sep.csv
$ stint import oct.csv sep.csv >import.txt; tail -1 import.txt
| 7 charges imported, equal to the files' own totals; ledger: home/.local/share/stint/ledger.db

Without a policy the usual tags are reported
$ stint tags --month 2026-10
| tag           tagged  share  untagged  most has
| team         $150.10   72 %    $57.00  nlp
| project      $100.00   48 %   $107.10  ads
| environment    $0.00    0 %   $207.10  -
| experiment     $0.00    0 %   $207.10  -
| cost_center    $0.00    0 %   $207.10  -
| 
| the largest without them:
| service      account  without                                                money  bill lines  runs
| Amazon EC2   777      environment, experiment, cost_center                 $100.00           1     0
| Amazon EC2   777      project, environment, experiment, cost_center         $50.10           1     0
| Amazon S3    777      team, project, environment, experiment, cost_center   $30.00           1     0
| AWS Support  777      team, project, environment, experiment, cost_center   $20.00           1     0
| Tax          777      team, project, environment, experiment, cost_center    $7.00           1     0
| 
| a rule for the first, for 'stint allocation set':
|   - {when: {service: 'Amazon EC2', sub_account: '777'}, set: {environment: ..., experiment: ..., cost_center: ...}}
| 
| no tag is required: 'required: [team, project]' in an allocation policy
| ('stint allocation set FILE') makes these count
| not in it: credits of -$5.00
| 2026-10-01 to 2026-10-31 (UTC), effective cost
| the newest bill ends on 2026-10-05: after that, only metered runs are included
$ stint allocation show
| # there is no allocation policy: 'stint allocation set FILE' sets one
$ stint allocation remove
| there is no allocation policy

A policy is tried, set and shown
$ printf '%s\n' 'required: [team, project]' 'enforce: refuse' 'rules:' "- {when: {resource: 'bucket*'}, set: {team: platform, project: lake}}" "- {when: {account: '12*', service: Amazon EC2}, set: {project: other}}" '- {when: {service: Nothing}, set: {team: x}}' 'shared:' '- {name: support, when: {service: AWS Support}, split: usage}' '- {name: tax, when: {charge: Tax}, split: even, among: [nlp, vision, platform]}' 'recurring:' '- {name: mlflow server, cost: $200/month, from: 2026-09-15, tags: {team: platform}}' >policy.yaml
$ stint allocation check policy.yaml
| required tags: team, project (runs without are refused)
| 3 rules, 2 shared costs, 1 recurring cost
| line  what       name           rule                                                    bill lines  runs    money  newly tagged
|    4  rule       -              resource=bucket* -> team=platform, project=lake                  1     0   $30.00        $30.00
|    5  rule       -              account=12*, service=Amazon EC2 -> project=other                 4     0  $225.10        $45.10
|    6  rule       -              service=Nothing -> team=x                                        0     0        -             -
|    8  shared     support        service=AWS Support, split by usage over team                    1     0   $20.00             -
|    9  shared     tax            charge=Tax, split evenly over team nlp|vision|platform           1     0    $7.00             -
|   11  recurring  mlflow server  $200/month from 2026-09-15, team=platform                        -     -  $406.67             -
| effective cost of 2026-08-18 to 2026-11-15; nothing was changed
$ stint allocation set policy.yaml
| the allocation policy is now policy.yaml
| required tags: team, project (runs without are refused)
| 3 rules, 2 shared costs, 1 recurring cost
| tag       had it  has it now   of all  share
| team     $225.10     $255.10  $282.10   90 %
| project  $180.00     $255.10  $282.10   90 %
$ stint allocation set policy.yaml
| this is the current policy already
| no amount in the ledger has other tags than before
$ stint allocation show
| # in force since 2026-11-15T00:00:00Z
| required: [team, project]
| enforce: refuse
| rules:
| - {when: {resource: 'bucket*'}, set: {team: platform, project: lake}}
| - {when: {account: '12*', service: Amazon EC2}, set: {project: other}}
| - {when: {service: Nothing}, set: {team: x}}
| shared:
| - {name: support, when: {service: AWS Support}, split: usage}
| - {name: tax, when: {charge: Tax}, split: even, among: [nlp, vision, platform]}
| recurring:
| - {name: mlflow server, cost: $200/month, from: 2026-09-15, tags: {team: platform}}
$ stint tags --month 2026-10
| tag       tagged  share  untagged  of it split  most has
| team     $180.10   87 %    $27.00       $27.00  nlp
| project  $180.10   87 %    $27.00       $27.00  ads
| not in it: credits of -$5.00
| 2026-10-01 to 2026-10-31 (UTC), effective cost
| the newest bill ends on 2026-10-05: after that, only metered runs are included
$ stint costs --by team --month 2026-10
| team         cost  share
| platform  $244.60   61 %
| nlp       $102.40   25 %
| vision     $55.10   14 %
| total     $402.10       
| 
| exactly: 402.1 USD
| 2026-10-01 to 2026-10-31 (UTC), effective cost
| the newest bill ends on 2026-10-05: after that, only metered runs are included
$ stint allocation check --since 2026-10-01 --until 2026-10-31 --json
| {"schema":"stint.allocation.check/1","file":null,"ledger":"home/.local/share/stint/ledger.db","set_at":null,"none":false,"same":false,"required":["team","project"],"enforce":"refuse","rules":3,"shared":2,"recurring":1,"rows":[{"kind":"rule","line":4,"name":null,"text":"resource=bucket* -> team=platform, project=lake","lines":1,"runs":0,"amount":{"amount":"30","currency":"USD"},"changed":{"amount":"30","currency":"USD"}},{"kind":"rule","line":5,"name":null,"text":"account=12*, service=Amazon EC2 -> project=other","lines":3,"runs":0,"amount":{"amount":"145.1","currency":"USD"},"changed":{"amount":"45.1","currency":"USD"}},{"kind":"rule","line":6,"name":null,"text":"service=Nothing -> team=x","lines":0,"runs":0,"amount":null,"changed":null},{"kind":"shared","line":8,"name":"support","text":"service=AWS Support, split by usage over team","lines":1,"runs":0,"amount":{"amount":"20","currency":"USD"},"changed":null},{"kind":"shared","line":9,"name":"tax","text":"charge=Tax, split evenly over team nlp|vision|platform","lines":1,"runs":0,"amount":{"amount":"7","currency":"USD"},"changed":null},{"kind":"recurring","line":11,"name":"mlflow server","text":"$200/month from 2026-09-15, team=platform","lines":null,"runs":null,"amount":{"amount":"200","currency":"USD"},"changed":null}],"coverage":[],"since":"2026-10-01","until":"2026-10-31","text":null}

Runs must have the tags
$ stint run -- true
! stint: the allocation policy requires the tags team and project
!   hint: add --tag team=...,project=...
? 3
$ stint run --quiet --tag team=nlp,project=ads -- true
$ stint runs add --name notebook --cost 12.50usd --start 2026-11-02 --end 2026-11-03
! stint: the allocation policy requires the tags team and project
!   hint: add --tag team=...,project=...
? 3
$ sed -i 's/refuse/warn/' policy.yaml; stint allocation set policy.yaml
| the allocation policy is now policy.yaml
| required tags: team, project (runs without are warned of)
| 3 rules, 2 shared costs, 1 recurring cost
| no amount in the ledger has other tags than before
$ stint runs add --name notebook --cost 12.50usd --start 2026-11-02 --end 2026-11-03 --tag team=nlp | sed 's/added ......../added ID/'
| added ID notebook: 2026-11-02 00:00:00 to 2026-11-03 00:00:00 (24h), $12.50
| price: cost given when it was added
! stint: warning: the allocation policy requires the tag project: add --tag project=...
$ stint tags set notebook project=ads phase=train | sed 's/^......../ID/'
| ID notebook has now phase=train, project=ads, team=nlp
$ stint tags set notebook project=ads | sed 's/^......../ID/'
| ID notebook has already phase=train, project=ads, team=nlp
$ stint show notebook | grep -A4 event
| at (UTC)             attempt  event  about
| 2026-11-15 00:00:00        1  tags   project: -> ads; phase: -> train
$ stint tags set notebook project
! stint: --tag: 'project' is not a key and a value
!   hint: write it as --tag team=nlp
? 2
$ stint tags set notepad project=ads
! stint: there is no run 'notepad'
!   hint: 'stint runs' lists them; 'last' is the newest
? 4

Statements
$ stint statement
| team nlp, 2026-10   no. S-2026-10-nlp-USD-5abbf0c4
| section  item        project  2026-09  2026-10   change
| direct   Amazon EC2  ads       $80.00  $100.00  +$20.00
| shared   support                $0.00    $5.07   +$5.07
| shared   tax                    $0.00    $2.33   +$2.33
| credits  Amazon EC2             $0.00   -$5.00   -$5.00
| total                          $80.00  $102.40  +$22.40
| 
| team platform, 2026-10   no. S-2026-10-platform-USD-05749b93
| section    item           project  2026-09  2026-10    change
| direct     Amazon S3      lake       $0.00   $30.00   +$30.00
| shared     support                   $0.00   $12.26   +$12.26
| shared     tax                       $0.00    $2.33    +$2.33
| recurring  mlflow server           $106.67  $200.00   +$93.33
| total                              $106.67  $244.60  +$137.93
| 
| team vision, 2026-10   no. S-2026-10-vision-USD-1cdce0f1
| section  item        project  2026-09  2026-10   change
| direct   Amazon EC2  other      $0.00   $50.10  +$50.10
| shared   support                $0.00    $2.67   +$2.67
| shared   tax                    $0.00    $2.33   +$2.33
| total                           $0.00   $55.10  +$55.10
| 
| bills: AWS 1234 (Acme), 2026-10-01 to 2026-10-31
| effective cost, billed or metered; days are in UTC
$ stint statement --team nlp --month 2026-11
| team nlp, 2026-11 so far   no. S-2026-11-nlp-USD-7cb797f2
| section  item        project  2026-10-01 to 15  2026-11    change
| direct   Amazon EC2  ads               $100.00    $0.00  -$100.00
| direct   runs        ads                 $0.00   $12.50   +$12.50
| shared   support                         $5.07    $0.00    -$5.07
| shared   tax                             $2.33    $0.00    -$2.33
| credits  Amazon EC2                     -$5.00    $0.00    +$5.00
| total                                  $102.40   $12.50   -$89.90
| of the total, metered but not billed yet: $12.50
| 
| 2026-11 is not over: the change is from 2026-10-01 to 15
| 1 run of the month has no price and is not included
| effective cost, billed or metered; days are in UTC
$ stint statement --kind chargeback --team nlp --csv nlp.csv --html nlp.html && cat nlp.csv && grep -c script nlp.html
| team nlp, 2026-10   no. C-2026-10-nlp-USD-5abbf0c4
| section  item        project  2026-09  2026-10   change
| direct   Amazon EC2  ads       $80.00  $100.00  +$20.00
| shared   support                $0.00    $5.07   +$5.07
| shared   tax                    $0.00    $2.33   +$2.33
| credits  Amazon EC2             $0.00   -$5.00   -$5.00
| total                          $80.00  $102.40  +$22.40
| 
| bills: AWS 1234 (Acme), 2026-10-01 to 2026-10-31, invoice INV-10
| billed amounts only, with recurring costs; days are in UTC
| wrote the lines to nlp.csv
| wrote the page to nlp.html
| statement,kind,month,team,section,item,project,currency,amount,amount_before,amount_metered
| C-2026-10-nlp-USD-5abbf0c4,chargeback,2026-10,nlp,direct,Amazon EC2,ads,USD,100,80,0
| C-2026-10-nlp-USD-5abbf0c4,chargeback,2026-10,nlp,shared,support,,USD,5.065315916,0,0
| C-2026-10-nlp-USD-5abbf0c4,chargeback,2026-10,nlp,shared,tax,,USD,2.333333334,0,0
| C-2026-10-nlp-USD-5abbf0c4,chargeback,2026-10,nlp,credits,Amazon EC2,,USD,-5,0,0
| 0
? 1
$ stint statement --kind chargeback --month 2026-11
! stint: the month is not over, so its costs are not final
!   hint: --kind showback shows the costs known so far
? 3
$ stint statement --kind chargeback --month 2026-08
! stint: the ledger has no bill for 2026-08 to charge for
!   hint: 'stint import FILE' adds bills; --kind showback needs none
? 4
$ stint statement --month 2026-12
! stint: --month: 2026-12 is still to come
? 2
$ stint statement --by region
! stint: --by: 'region' is not a tag
!   hint: statements are by team, project, cost_center, owner, ...
? 2
$ stint statement --by project --team nlp
! stint: --team does not go with --by project
!   hint: write --by project --for nlp
? 2
$ stint statement --by project --for ad
! stint: project 'ad' has no costs in 2026-10 or the month before
!   hint: 'stint costs --by project --month 2026-10' lists the values
? 4
$ stint statement --by project --for 'ad*' --json
| {"schema":"stint.statement/1","month":"2026-10","before":"2026-09","since":"2026-10-01","until":"2026-10-31","whole":true,"by":"project","kind":"showback","statements":[{"number":"S-2026-10-ads-USD-a980cc04","tag_value":"ads","currency":"USD","total":{"amount":"100","currency":"USD"},"before":{"amount":"80","currency":"USD"},"change":{"amount":"20","currency":"USD"},"metered":{"amount":"0","currency":"USD"},"lines":[{"section":"direct","item":"Amazon EC2","project":null,"amount":{"amount":"100","currency":"USD"},"before":{"amount":"80","currency":"USD"},"change":{"amount":"20","currency":"USD"},"metered":{"amount":"0","currency":"USD"}}]}],"bills":[{"provider":"AWS","account":"1234","account_name":"Acme","currency":"USD","period_start":"2026-10-01","period_end":"2026-10-31","invoices":null,"imported":"2026-11-15","final":true}],"kept":[],"elsewhere":[{"rule":"support","over":"team"},{"rule":"tax","over":"team"}],"converted":null,"rates_from":null,"rates_to":null,"rate_source":null,"unpriced":0,"created":"2026-11-15T00:00:00Z","csv":null,"html":null,"no_ledger":false}

Mistakes
$ stint allocation check missing.yaml
! stint: cannot open 'missing.yaml': No such file or directory
? 4
$ printf 'requird: [team]\n' >bad.yaml; stint allocation set bad.yaml
! stint: bad.yaml:1:1: there is no key 'requird'
!   hint: did you mean 'required'?
? 3
$ printf 'shared:\n- {name: a, when: {servce: x}, split: even}\n' >bad.yaml; stint allocation check bad.yaml
! stint: bad.yaml:2:20: a rule cannot look at 'servce'
!   hint: did you mean 'service'?
? 3
$ : >bad.yaml; stint allocation set bad.yaml
! stint: 'bad.yaml' is empty
!   hint: 'stint allocation remove' removes the policy
? 3

Removal
$ stint allocation remove
| the allocation policy is removed
| tag       had it  has it now   of all  share
| team     $267.60     $237.60  $294.60   81 %
| project  $267.60     $192.50  $294.60   65 %
$ stint costs --by team --month 2026-10
| team       cost  share
| nlp      $95.00   47 %
| (none)   $57.00   28 %
| vision   $50.10   25 %
| total   $202.10       
| 
| exactly: 202.1 USD
| 2026-10-01 to 2026-10-31 (UTC), effective cost
| the newest bill ends on 2026-10-05: after that, only metered runs are included
