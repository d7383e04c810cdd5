A month's money, by the rule of thumb.
$ stint budget split 100usd
| part           share   amount  of the budget
| experiments   30.0 %   $30.00  ######..............
| production    50.0 %   $50.00  ##########..........
| storage       10.0 %   $10.00  ##..................
| reserve       10.0 %   $10.00  ##..................
| all          100.0 %  $100.00  ####################
! stint: note: the shares are a rule of thumb (30, 50, 10 and 10 %): options such as --experiments 40% change them
$ stint budget split 70usd --experiments 50% --json
| {"schema":"stint.budget.split/1","budget":{"amount":"70","currency":"USD"},"parts":[{"part":"experiments","share":0.5,"amount":{"amount":"35","currency":"USD"},"planned":null,"remaining":null,"over":false},{"part":"production","share":0.35714285714285715,"amount":{"amount":"25","currency":"USD"},"planned":null,"remaining":null,"over":false},{"part":"storage","share":0.07142857142857142,"amount":{"amount":"5","currency":"USD"},"planned":null,"remaining":null,"over":false},{"part":"reserve","share":0.07142857142857142,"amount":{"amount":"5","currency":"USD"},"planned":null,"remaining":null,"over":false}],"plans":[],"planned":null,"remaining":null,"over":{"amount":"0","currency":"USD"},"reserve_covers":true}
A known storage cost is used, the others share the rest; the sum is exact.
$ stint budget split 100usd --storage 20usd
| part           share   amount  of the budget
| experiments   26.7 %   $26.67  #####...............
| production    44.4 %   $44.44  #########...........
| storage       20.0 %   $20.00  ####................
| reserve        8.9 %    $8.89  ##..................
| all          100.0 %  $100.00  ####################
! stint: note: the shares are a rule of thumb (30, 50, 10 and 10 %): options such as --experiments 40% change them
$ stint budget split 100usd --storage 20usd --json | tr ',' '\n' | sed -n 's/.*"amount":"\([0-9.]*\)"$/\1/p'
| 100
| 26.666666667
| 44.444444444
| 20
| 20
| 0
| 8.888888889
| 0
! stint: note: the shares are a rule of thumb (30, 50, 10 and 10 %): options such as --experiments 40% change them
$ stint budget split 100usd --storage 5% --reserve 0
| part           share   amount  of the budget
| experiments   35.6 %   $35.63  #######.............
| production    59.4 %   $59.38  ############........
| storage        5.0 %    $5.00  #...................
| reserve        0.0 %    $0.00  ....................
| all          100.0 %  $100.00  ####################
Saved plans: one is an experiment, the other is not.
$ printf '%s' '{"schema":"stint.plan/1","name":"lora","unit":"job","experiment":true,"plans":[{"offer":"x","cost":{"amount":"12.345","currency":"USD"}}]}' >lora.json
$ printf '%s' '{"schema":"stint.plan/1","name":"chat","unit":"month","plans":[{"cost":{"amount":"55.5","currency":"USD"}},{"cost":{"amount":"99","currency":"USD"}}]}' >chat.json
$ stint budget split 100usd lora.json
| part           share   amount  planned    left  taken
| experiments   30.0 %   $30.00   $12.35  $17.66  ########............
| production    50.0 %   $50.00    $0.00  $50.00  ....................
| storage       10.0 %   $10.00        -       -  -
| reserve       10.0 %   $10.00        -       -  -
| all          100.0 %  $100.00   $12.35  $87.66  ##..................
| 
| plan  compared with    cost  file
| lora  experiments    $12.35  lora.json
! stint: note: the shares are a rule of thumb (30, 50, 10 and 10 %): options such as --experiments 40% change them
$ stint budget split 100usd lora.json chat.json
| part           share   amount  planned    left  taken
| experiments   30.0 %   $30.00   $12.35  $17.66  ########............
| production    50.0 %   $50.00   $55.50  -$5.50  #################### over
| storage       10.0 %   $10.00        -       -  -
| reserve       10.0 %   $10.00        -       -  -
| all          100.0 %  $100.00   $67.85  $32.16  ##############......
| 
| plan  compared with    cost  file
| lora  experiments    $12.35  lora.json
| chat  production     $55.50  chat.json
| 
| over by $5.50 in all: the reserve covers that
! stint: note: the shares are a rule of thumb (30, 50, 10 and 10 %): options such as --experiments 40% change them
$ stint budget split 100usd lora.json chat.json --storage 20usd
| part           share   amount  planned     left  taken
| experiments   26.7 %   $26.67   $12.35   $14.32  #########...........
| production    44.4 %   $44.44   $55.50  -$11.06  #################### over
| storage       20.0 %   $20.00   $20.00    $0.00  ####################
| reserve        8.9 %    $8.89        -        -  -
| all          100.0 %  $100.00   $87.85   $12.16  ##################..
| 
| plan  compared with    cost  file
| lora  experiments    $12.35  lora.json
| chat  production     $55.50  chat.json
| 
| over by $11.06 in all: more than the reserve
! stint: note: the shares are a rule of thumb (30, 50, 10 and 10 %): options such as --experiments 40% change them
$ stint budget split 60usd lora.json chat.json
| part           share  amount  planned     left  taken
| experiments   30.0 %  $18.00   $12.35    $5.66  ##############......
| production    50.0 %  $30.00   $55.50  -$25.50  #################### over
| storage       10.0 %   $6.00        -        -  -
| reserve       10.0 %   $6.00        -        -  -
| all          100.0 %  $60.00   $67.85   -$7.85  #################### over
| 
| plan  compared with    cost  file
| lora  experiments    $12.35  lora.json
| chat  production     $55.50  chat.json
| 
| over by $25.50 in all: more than the reserve
! stint: note: the shares are a rule of thumb (30, 50, 10 and 10 %): options such as --experiments 40% change them
$ stint budget split 100usd lora.json --json
| {"schema":"stint.budget.split/1","budget":{"amount":"100","currency":"USD"},"parts":[{"part":"experiments","share":0.3,"amount":{"amount":"30","currency":"USD"},"planned":{"amount":"12.345","currency":"USD"},"remaining":{"amount":"17.655","currency":"USD"},"over":false},{"part":"production","share":0.5,"amount":{"amount":"50","currency":"USD"},"planned":{"amount":"0","currency":"USD"},"remaining":{"amount":"50","currency":"USD"},"over":false},{"part":"storage","share":0.1,"amount":{"amount":"10","currency":"USD"},"planned":null,"remaining":null,"over":false},{"part":"reserve","share":0.1,"amount":{"amount":"10","currency":"USD"},"planned":null,"remaining":null,"over":false}],"plans":[{"name":"lora","file":"lora.json","part":"experiments","cost":{"amount":"12.345","currency":"USD"},"converted_cost":{"amount":"12.345","currency":"USD"}}],"planned":{"amount":"12.345","currency":"USD"},"remaining":{"amount":"87.655","currency":"USD"},"over":{"amount":"0","currency":"USD"},"reserve_covers":true}
! stint: note: the shares are a rule of thumb (30, 50, 10 and 10 %): options such as --experiments 40% change them
Without an amount it is the configured budget; here in euros, for which there is no rate at first.
$ stint budget split lora.json
! stint: there is no budget to split
!   hint: give one: stint budget split 100usd; or add 'budget: 100usd' to the configuration
? 2
$ STINT_BUDGET=100usd stint budget split
| part           share   amount  of the budget
| experiments   30.0 %   $30.00  ######..............
| production    50.0 %   $50.00  ##########..........
| storage       10.0 %   $10.00  ##..................
| reserve       10.0 %   $10.00  ##..................
| all          100.0 %  $100.00  ####################
! stint: note: the shares are a rule of thumb (30, 50, 10 and 10 %): options such as --experiments 40% change them
$ STINT_BUDGET=100usd stint budget split lora.json
| part           share   amount  planned    left  taken
| experiments   30.0 %   $30.00   $12.35  $17.66  ########............
| production    50.0 %   $50.00    $0.00  $50.00  ....................
| storage       10.0 %   $10.00        -       -  -
| reserve       10.0 %   $10.00        -       -  -
| all          100.0 %  $100.00   $12.35  $87.66  ##..................
| 
| plan  compared with    cost  file
| lora  experiments    $12.35  lora.json
! stint: note: the shares are a rule of thumb (30, 50, 10 and 10 %): options such as --experiments 40% change them
$ stint budget split 80eur lora.json chat.json
| part           share     amount  planned  left  taken
| experiments   30.0 %  24.00 EUR        -     -  -
| production    50.0 %  40.00 EUR        -     -  -
| storage       10.0 %   8.00 EUR        -     -  -
| reserve       10.0 %   8.00 EUR        -     -  -
| all          100.0 %  80.00 EUR        -     -  -
| 
| plan  compared with                cost  file
| lora  nothing: no exchange rate  $12.35  lora.json
| chat  nothing: no exchange rate  $55.50  chat.json
! stint: warning: 'lora.json' is in USD, the budget in EUR: they cannot be compared; add the rate to exchange.csv (see 'stint price import')
! stint: warning: 'chat.json' is in USD, the budget in EUR: they cannot be compared; add the rate to exchange.csv (see 'stint price import')
! stint: note: the shares are a rule of thumb (30, 50, 10 and 10 %): options such as --experiments 40% change them
? 1
$ stint budget split 80eur --storage 20usd
! stint: storage is in USD, the budget in EUR, with no exchange rate
!   hint: give both in one currency, or the rate in exchange.csv
? 3
$ printf 'currency,usd,date,source,notes\nEUR,1.25,2026-11-01,bank,\nGBP,1.5,2026-11-01,bank,\n' >exchange.csv
$ stint --catalog . budget split 80eur lora.json chat.json --storage 10usd
| part           share     amount    planned       left  taken
| experiments   30.0 %  24.00 EUR   9.88 EUR  14.12 EUR  ########............
| production    50.0 %  40.00 EUR  44.40 EUR  -4.40 EUR  #################### over
| storage       10.0 %   8.00 EUR   8.00 EUR   0.00 EUR  ####################
| reserve       10.0 %   8.00 EUR          -          -  -
| all          100.0 %  80.00 EUR  62.28 EUR  17.72 EUR  ################....
| 
| plan  compared with       cost  file
| lora  experiments     9.88 EUR  lora.json
| chat  production     44.40 EUR  chat.json
| 
| over by 4.40 EUR in all: the reserve covers that
! stint: note: the shares are a rule of thumb (30, 50, 10 and 10 %): options such as --experiments 40% change them
! stint: note: prices in EUR are converted: 1 EUR = 1.25 USD of 2026-11-01 (./exchange.csv:2)
$ sed 's/USD/GBP/' lora.json >pounds.json
$ stint --catalog . budget split 80eur pounds.json
! stint: pounds.json: plans: cost: expected an amount in dollars
? 3
$ stint --catalog . budget split 80usd pounds.json
! stint: pounds.json: plans: cost: expected an amount in dollars
? 3
Mistakes.
$ stint budget split 100
! stint: '100' is not an amount of money
!   hint: give the currency: 100usd, or '$100' in quotes, since the shell expands $ and digits
? 3
$ stint budget split 10xyz
! stint: '10xyz' is not an amount of money
!   hint: write it as 100usd, 99.50EUR or, in quotes, '$100'
? 3
$ stint budget split 0usd
! stint: a budget of 0 cannot be split
? 3
$ stint budget split 100usd --experiments 80% --production 30%
! stint: the parts add up to 110 % of the budget
!   hint: leave one out to give it the rest
? 3
$ stint budget split 100usd --experiments 10% --production 20% --storage 30% --reserve 30%
! stint: the parts add up to 90 % of the budget
!   hint: leave one out to give it the rest
? 3
$ stint budget split 100usd --storage 101usd
! stint: storage alone exceeds the budget
? 3
$ stint budget split 100usd --storage 101%
! stint: storage: '101%' is not between 0% and 100%
? 3
$ stint budget split 100usd --storage much
! stint: storage: 'much' is not an amount of money
!   hint: write it as 100usd, 99.50EUR or, in quotes, '$100'
? 3
$ stint budget split 100usd none.json
! stint: cannot open 'none.json': No such file or directory
? 4
$ printf 'train: {model: llama-2-7b}\n' >job.yaml
$ stint budget split 100usd job.yaml
! stint: job.yaml: the job has no amount of data to train on
!   hint: add data: {tokens: 25M}, or --tokens 25M (--examples 5000)
? 3
$ printf '{"train": {"model": "llama-2-7b"}}\n' >job.json
$ stint budget split 100usd job.json
! stint: job.json: not a saved plan: it has no schema
!   hint: 'stint plan JOB --save PLAN.json' writes one
? 3
$ sed 's/"stint.plan.1"/"stint.plan\/2"/' lora.json >new.json
$ stint budget split 100usd new.json
! stint: new.json: its version is 2, but this program reads 1
!   hint: plan again, or use the stint that wrote it
? 3
$ sed 's/"stint.plan.1"/"stint.estimate\/1"/' lora.json >other.json
$ stint budget split 100usd other.json
! stint: other.json: not a saved plan, but 'stint.estimate/1'
!   hint: 'stint plan JOB --save PLAN.json' writes one
? 3
$ printf '{"schema":"stint.plan/1","plans":[]}' >empty.json
$ stint budget split 100usd empty.json
! stint: empty.json: the plan has no cost
? 3
$ printf '{"schema":"stint.plan/1","plans":[{"cost":null}]}' >null.json
$ stint budget split 100usd null.json
! stint: null.json: the plan has no cost
? 3
$ sed 's/12.345/much/' lora.json >bad.json
$ stint budget split 100usd bad.json
! stint: bad.json: plans: cost: expected an amount in dollars
? 3
$ sed 's/12.345/-1/' lora.json >negative.json
$ stint budget split 100usd negative.json
! stint: 'negative.json': what the plan costs is below zero, too large, or has more than 9 decimals
? 3
$ sed 's/"job"/"million tokens"/' lora.json >tokens.json
$ stint budget split 100usd tokens.json
! stint: 'tokens.json' is priced per million tokens, not per month
!   hint: plan it with a request rate
? 3
$ printf '{"schema":' >cut.json
$ stint budget split 100usd cut.json
! stint: cut.json:1:11: the text ends inside an object
? 3
