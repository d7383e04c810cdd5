$ $STINT_TEST_LEDGER ledger.db
$ stint budget list
| there are no budgets: 'stint budget set NAME 500usd' adds one
$ stint budget set nlp
! stint: a new budget needs an amount
!   hint: stint budget set nlp 500usd
? 2
$ stint budget set nlp 5000
! stint: AMOUNT: '5000' is not an amount of money
!   hint: give the currency: 5000usd, or '$5000' in quotes, since the shell expands $ and digits
? 2
$ stint budget set nlp 5000usd --where taem=nlp
! stint: there is no dimension 'taem'
!   hint: did you mean 'team'?
? 2
$ stint budget set nlp 5000usd --thresholds 50,abc
! stint: --thresholds: 'abc' is not a percentage
!   hint: write it as --thresholds 50,75,90,100 or --thresholds none
? 2
$ stint budget set nlp 5000usd --alert nobody
! stint: there is no channel 'nobody'
!   hint: 'stint alert channels' lists them; 'stint alert add nobody KIND ...' adds it
? 4
$ stint budget set nlp 5000usd --zone Mars/Olympus
! stint: there is no time zone 'Mars/Olympus'
!   hint: use a name from the tz database, such as Europe/Berlin; 'ls /usr/share/zoneinfo' lists them (package tzdata)
? 3
$ stint budget set nlp 5000usd --last-day 2026-12-31
! stint: --first-day and --last-day need --period total
? 2
$ stint --ledger ledger.db budget set nlp 5000usd --where team=nlp --rollover --stop
| added the budget 'nlp': $5,000.00 a month, for team=nlp
| alerts: none ('--alert CHANNEL' sets where they go); at 50, 75, 90, 100 % spent; at 100 % forecast
| stops runs that it covers when it is spent
$ stint --ledger ledger.db budget set all 0.40usd
| added the budget 'all': $0.40 a month, for everything
| alerts: none ('--alert CHANNEL' sets where they go); at 50, 75, 90, 100 % spent; at 100 % forecast
$ stint --ledger ledger.db budget set year 80eur --period year --thresholds 80,100 --forecast none
| added the budget 'year': 80.00 EUR a year, for everything
| alerts: none ('--alert CHANNEL' sets where they go); at 80, 100 % spent
$ stint --ledger ledger.db budget list
| budget  period   spent  of which metered         of  share  forecast  state
| all     2026-11  $0.30             $0.30      $0.40   74 %         -  50 % reached
| nlp     2026-11  $0.25             $0.25  $5,000.00    0 %         -  ok
| year    2026         ?                 -  80.00 EUR      ?         -  not evaluated
| 
| no forecast of all: 2 days of spending known: not enough for a forecast
| no forecast of nlp: 2 days of spending known: not enough for a forecast
| 
| without 2 runs whose cost is unknown
! stint: warning: the budget 'year' was not evaluated: there is no rate of EUR on 2026-11-13
! stint: note: give one of that day, or of the 31 before it: 'stint rates import FILE.csv' (columns date,currency,usd)
? 1
$ stint --ledger ledger.db budget show all
| budget          all
| counts          everything
| period          2026-11 (UTC)
| amount          $0.40
| spent           $0.30
| metered         $0.30
| left            $0.10
| forecast        none: 2 days of spending known: not enough for a forecast
| state           50 % reached
| alerts          none; at 50, 75, 90, 100 % spent; at 100 % forecast
| 
| day (UTC)   spent  of which metered
| 2026-11-01  $0.00             $0.00
| 2026-11-02  $0.00             $0.00
| 2026-11-03  $0.00             $0.00
| 2026-11-04  $0.00             $0.00
| 2026-11-05  $0.00             $0.00
| 2026-11-06  $0.00             $0.00
| 2026-11-07  $0.00             $0.00
| 2026-11-08  $0.00             $0.00
| 2026-11-09  $0.00             $0.00
| 2026-11-10  $0.00             $0.00
| 2026-11-11  $0.00             $0.00
| 2026-11-12  $0.00             $0.00
| 2026-11-13  $0.12             $0.12
| 2026-11-14  $0.18             $0.18
| 2026-11-15  $0.00             $0.00
$ stint --ledger ledger.db budget show al
! stint: there is no budget 'al'
!   hint: did you mean 'all'?
? 4
$ stint --ledger ledger.db budget check; stint --ledger ledger.db alert list
| budget  period   spent  of which metered         of  share  forecast  state
| all     2026-11  $0.30             $0.30      $0.40   74 %         -  50 % reached
| nlp     2026-11  $0.25             $0.25  $5,000.00    0 %         -  ok
| year    2026         ?                 -  80.00 EUR      ?         -  not evaluated
| 
| no forecast of all: 2 days of spending known: not enough for a forecast
| no forecast of nlp: 2 days of spending known: not enough for a forecast
| 
| without 2 runs whose cost is unknown
| id  alert                                state   severity  since (UTC)       changed (UTC)     updates
|  2  Budget year: could not be evaluated  firing  error     2026-11-15 00:00  2026-11-15 00:00        0
|  1  Budget all: 74 % spent               firing  info      2026-11-15 00:00  2026-11-15 00:00        0
! stint: warning: the budget 'year' was not evaluated: there is no rate of EUR on 2026-11-13
! stint: note: give one of that day, or of the 31 before it: 'stint rates import FILE.csv' (columns date,currency,usd)
For cron: only problems are printed.
$ stint --ledger ledger.db budget check --quiet
! stint: warning: the budget 'year' was not evaluated: there is no rate of EUR on 2026-11-13
! stint: note: give one of that day, or of the 31 before it: 'stint rates import FILE.csv' (columns date,currency,usd)
? 1
$ stint --ledger other.db budget set fine 5usd >/dev/null; stint --ledger other.db budget check --quiet
Changed: values that are not given stay.
$ stint --ledger ledger.db budget set nlp 6000usd --no-stop
| changed the budget 'nlp': $6,000.00 a month, for team=nlp
| alerts: none ('--alert CHANNEL' sets where they go); at 50, 75, 90, 100 % spent; at 100 % forecast
$ stint --ledger ledger.db budget list --json
| {"schema":"stint.budget.list/1","budgets":[{"name":"all","period":"2026-11","first_day":"2026-11-01","last_day":"2026-11-30","amount":{"amount":"0.40","currency":"USD"},"carried":{"amount":"0","currency":"USD"},"limit":{"amount":"0.40","currency":"USD"},"spent":{"amount":"0.298666667","currency":"USD"},"metered":{"amount":"0.298666667","currency":"USD"},"remaining":{"amount":"0.101333333","currency":"USD"},"share":0.7466666675,"forecast":null,"forecast_low":null,"forecast_high":null,"method":null,"forecast_problem":"2 days of spending known: not enough for a forecast","state":"50 % reached","problem":null,"unpriced":2,"where":[],"channels":[],"thresholds":[0.5,0.75,0.9,1],"forecast_thresholds":[1],"rollover":false,"stops":false,"zone":"UTC"},{"name":"nlp","period":"2026-11","first_day":"2026-11-01","last_day":"2026-11-30","amount":{"amount":"6000","currency":"USD"},"carried":{"amount":"0","currency":"USD"},"limit":{"amount":"6000","currency":"USD"},"spent":{"amount":"0.245000000","currency":"USD"},"metered":{"amount":"0.245000000","currency":"USD"},"remaining":{"amount":"5999.755000000","currency":"USD"},"share":4.0833333333333334e-05,"forecast":null,"forecast_low":null,"forecast_high":null,"method":null,"forecast_problem":"2 days of spending known: not enough for a forecast","state":"ok","problem":null,"unpriced":0,"where":["team=nlp"],"channels":[],"thresholds":[0.5,0.75,0.9,1],"forecast_thresholds":[1],"rollover":true,"stops":false,"zone":"UTC"},{"name":"year","period":"2026","first_day":null,"last_day":null,"amount":{"amount":"80","currency":"EUR"},"carried":null,"limit":null,"spent":null,"metered":null,"remaining":null,"share":null,"forecast":null,"forecast_low":null,"forecast_high":null,"method":null,"forecast_problem":null,"state":"not evaluated","problem":"there is no rate of EUR on 2026-11-13","unpriced":0,"where":[],"channels":[],"thresholds":[0.8,1],"forecast_thresholds":[],"rollover":false,"stops":false,"zone":"UTC"}]}
! stint: warning: the budget 'year' was not evaluated: there is no rate of EUR on 2026-11-13
! stint: note: give one of that day, or of the 31 before it: 'stint rates import FILE.csv' (columns date,currency,usd)
? 1
$ stint --ledger ledger.db budget remove all; stint --ledger ledger.db alert list
| removed the budget 'all'
| id  alert                                state     severity  since (UTC)       changed (UTC)     updates
|  2  Budget year: could not be evaluated  firing    error     2026-11-15 00:00  2026-11-15 00:00        0
|  1  Budget all: 74 % spent               resolved  info      2026-11-15 00:00  2026-11-15 00:00        0
$ stint --ledger ledger.db budget remove all
! stint: there is no budget 'all'
!   hint: 'stint budget list' lists them; 'stint budget set all 500usd' adds it
? 4

A budget that is spent stops runs before they start.
$ stint --ledger ledger.db budget set tiny 0.01usd --stop
| added the budget 'tiny': $0.01 a month, for everything
| alerts: none ('--alert CHANNEL' sets where they go); at 50, 75, 90, 100 % spent; at 100 % forecast
| stops runs that it covers when it is spent
$ stint --ledger ledger.db run --no-gpu --price '$1/hr' -- touch ran; echo $?; ls ran
| 5
! stint: the budget 'tiny' is spent: $0.30 of $0.01 in 2026-11
!   hint: 'stint budget show tiny' shows on what; 'stint budget set tiny AMOUNT' raises it
! ls: cannot access 'ran': No such file or directory
? 2
