Before anything was recorded
$ stint costs
| nothing is recorded yet: 'stint run -- COMMAND' and 'stint import FILE' write to home/.local/share/stint/ledger.db
$ stint costs trend
| nothing is recorded yet: 'stint run -- COMMAND' and 'stint import FILE' write to home/.local/share/stint/ledger.db
$ stint costs gpus
| no run used a GPU
| 2026-10-17 to 2026-11-15 (UTC)
$ stint costs repeats
| nothing was run yet
$ stint rates list
| no rate is in home/.local/share/stint/ledger.db: 'stint rates import FILE.csv' takes date,currency,usd

Bills and runs in one account
$ "$STINT_TEST_LEDGER" home/.local/share/stint/ledger.db costs
$ stint costs
| provider            cost   share  not billed yet
| Microsoft     559.50 EUR   100 %                
| AWS            $1,987.80  99.6 %           $1.50
| Lambda             $8.25   0.4 %           $8.25
| this machine       $0.21  <0.1 %           $0.21
| total         559.50 EUR                        
| total          $1,996.26                   $9.96
| 
| exactly: 559.5 EUR
| exactly: 1996.2600000022 USD, of which 9.960000001 USD of runs that no bill covers
| currencies are not added up: --currency CODE converts them
| 2026-10-17 to 2026-11-15 (UTC), effective cost
| the newest bill ends on 2026-11-12: after that, only metered runs are included
| not included: 1 run with unknown cost
$ stint costs --by team,service --since 90d
| team      service                              cost  share  not billed yet
| vision    Virtual Machines               887.50 EUR  100 %                
| vision    Amazon Elastic Compute Cloud    $5,997.52   82 %                
| nlp       Amazon Elastic Compute Cloud      $832.70   11 %           $1.50
| nlp       Amazon Simple Storage Service     $245.20  3.4 %                
| platform  Amazon Elastic Compute Cloud      $175.20  2.4 %                
| (none)    Amazon Simple Storage Service      $14.60  0.2 %                
| vision    runs                                $8.46  0.1 %           $8.46
| total                                    887.50 EUR                       
| total                                     $7,273.68                  $9.96
| 
| exactly: 887.5 EUR
| exactly: 7273.68370367256 USD, of which 9.960000001 USD of runs that no bill covers
| currencies are not added up: --currency CODE converts them
| 2026-08-18 to 2026-11-15 (UTC), effective cost
| the newest bill ends on 2026-11-12: after that, only metered runs are included
| not included: 1 run with unknown cost
docs/guide/costs.md shows this table.
$ . "$cases/transcript.sh"; transcript "$cases/../../docs/guide/costs.md" "stint costs"; grep -c '^[$] stint' expected.txt
| 1
$ stint costs --by team,month --since 2026-09-01 --where provider=aws
| team        2026-09    2026-10  2026-11       cost  share
| vision    $2,949.60  $3,047.92           $5,997.52   83 %
| nlp         $396.70    $461.90  $219.30  $1,077.90   15 %
| platform     $72.00     $74.40   $28.80    $175.20  2.4 %
| (none)        $6.00      $6.20    $2.40     $14.60  0.2 %
| total     $3,424.30  $3,590.42  $250.50  $7,265.22       
| 
| exactly: 7265.22370367256 USD, of which 1.500000001 USD of runs that no bill covers
| 2026-09-01 to 2026-11-15 (UTC), effective cost
| the newest bill ends on 2026-11-12: after that, only metered runs are included
$ stint costs --by day --since 4d --where currency=x
! stint: there is no dimension 'currency'
!   hint: dimensions are provider, service, region, instance, gpu, team, project and more: 'stint costs --help'
? 2
$ stint costs --by day --since 4d --where provider=AWS
| day           cost  share  not billed yet
| 2026-11-12  $20.75   93 %                
| 2026-11-13   $1.50  6.7 %           $1.50
| total       $22.25                  $1.50
| 
| exactly: 22.2500000011 USD, of which 1.500000001 USD of runs that no bill covers
| 2026-11-12 to 2026-11-15 (UTC), effective cost
| the newest bill ends on 2026-11-12: after that, only metered runs are included
$ [ "$(stint costs --month last --by service)" = "$(stint costs --month 2026-10 --by service)" ] && echo the same
| the same
$ stint costs --by service,region,pricing --month 2026-10 --limit 1 --where 'team!=vision'
| service                       region     pricing     cost  share
| Amazon Elastic Compute Cloud  us-east-1  spot     $356.50   66 %
| others (2)                                        $186.00   34 %
| total                                             $542.50       
| 
| exactly: 542.5 USD
| 2026-10-01 to 2026-10-31 (UTC), effective cost
$ stint costs --by team --sort change --where provider=aws
| team           cost  share     before      change
| vision    $1,474.80   74 %  $2,654.64  -$1,179.84
| nlp         $441.30   22 %    $378.83     +$62.47
| platform     $64.80  3.3 %     $64.80       $0.00
| (none)        $5.40  0.3 %      $5.40       $0.00
| total     $1,986.30         $3,103.67  -$1,117.37
| 
| exactly: 1986.3000000012 USD
| before: 2026-09-17 to 2026-10-13
| left out: days from 2026-11-13 on, which no bill covers yet; the same number of days is compared
| 2026-10-17 to 2026-11-12 (UTC), effective cost
$ stint costs --from runs --by provider
| provider        cost  share  not billed yet
| Lambda         $8.25   59 %           $8.25
| AWS            $5.50   39 %           $1.50
| this machine   $0.21  1.5 %           $0.21
| total         $13.96                  $9.96
| 
| exactly: 13.960000001 USD, of which 9.960000001 USD of runs that no bill covers
| 2026-10-17 to 2026-11-15 (UTC), effective cost
| the newest bill ends on 2026-11-12: after that, only metered runs are included
| not included: 1 run with unknown cost
$ stint costs --from bills --cost list --by pricing --where provider=aws --month 2026-10
| pricing         cost  share
| on-demand  $3,175.02   75 %
| spot         $930.00   22 %
| committed    $111.60  2.6 %
| total      $4,216.62       
| 
| exactly: 4216.62 USD
| 2026-10-01 to 2026-10-31 (UTC), list cost
$ stint costs --by team --month 2026-10 --where provider=aws --json
| {"schema":"stint.costs/1","by":["team"],"grain":null,"rows":[{"team":"vision","period":null,"currency":"USD","amount":{"amount":"3047.92","currency":"USD"},"metered":{"amount":"0","currency":"USD"},"share":0.8489034709031256,"lines":31,"runs":0,"others":0,"before":null,"change":null},{"team":"nlp","period":null,"currency":"USD","amount":{"amount":"461.9","currency":"USD"},"metered":{"amount":"0","currency":"USD"},"share":0.1286479019167674,"lines":62,"runs":0,"others":0,"before":null,"change":null},{"team":"platform","period":null,"currency":"USD","amount":{"amount":"74.4","currency":"USD"},"metered":{"amount":"0","currency":"USD"},"share":0.02072180970471421,"lines":31,"runs":0,"others":0,"before":null,"change":null},{"team":null,"period":null,"currency":"USD","amount":{"amount":"6.2","currency":"USD"},"metered":{"amount":"0","currency":"USD"},"share":0.001726817475392851,"lines":31,"runs":0,"others":0,"before":null,"change":null}],"totals":[{"currency":"USD","amount":{"amount":"3590.42","currency":"USD"},"metered":{"amount":"0","currency":"USD"},"before":null,"change":null,"groups":4,"lines":155}],"compared":false,"before":{"since":null,"until":null,"known":false,"no_bills":false,"left_out_since":null},"basis":{"since":"2026-10-01","until":"2026-10-31","kind":"effective","unpriced":0,"billed_until":"2026-11-12","converted":null,"rates_from":null,"rates_to":null,"rate_source":null,"ledger":"home/.local/share/stint/ledger.db","no_ledger":false},"csv":null}
$ stint costs --by team --month 2026-10 --csv teams.csv && cat teams.csv
| team            cost  share
| vision    635.50 EUR  100 %
| vision     $3,047.92   85 %
| nlp          $461.90   13 %
| platform      $74.40  2.1 %
| (none)         $6.20  0.2 %
| total     635.50 EUR       
| total      $3,590.42       
| 
| exactly: 635.5 EUR
| exactly: 3590.42 USD
| currencies are not added up: --currency CODE converts them
| 2026-10-01 to 2026-10-31 (UTC), effective cost
| wrote 5 rows to teams.csv
| team,period,currency,amount,metered,share,lines,runs,others,before,change
| vision,,EUR,635.5,0,1,31,0,0,,
| vision,,USD,3047.92,0,0.8489034709031256,31,0,0,,
| nlp,,USD,461.9,0,0.1286479019167674,62,0,0,,
| platform,,USD,74.4,0,0.02072180970471421,31,0,0,,
| ,,USD,6.2,0,0.001726817475392851,31,0,0,,

Currencies
$ stint costs --currency USD
! stint: there is no rate of EUR on 2026-10-17
!   hint: give one of that day, or of the 31 before it: 'stint rates import FILE.csv' (columns date,currency,usd)
? 4
$ printf 'date,currency,usd\n2026-10-01,EUR,1.0750001\n2026-11-01,EUR,1.08\n' > ecb.csv
$ stint rates import ecb.csv
| 2 rates of EUR, 2026-10-01 to 2026-11-01, stored in home/.local/share/stint/ledger.db
$ stint rates list
| currency  days  first       last        in USD  from
| EUR          2  2026-10-01  2026-11-01    1.08  ecb.csv
| 
| in USD: what one unit was worth on the last of these days
$ stint costs --currency USD
| provider           cost   share  not billed yet
| AWS           $1,987.80    76 %           $1.50
| Microsoft       $602.72    23 %                
| Lambda            $8.25   0.3 %           $8.25
| this machine      $0.21  <0.1 %           $0.21
| total         $2,598.98                   $9.96
| 
| exactly: 2598.9825307522 USD, of which 9.960000001 USD of runs that no bill covers
| 2026-10-17 to 2026-11-15 (UTC), effective cost
| the newest bill ends on 2026-11-12: after that, only metered runs are included
| not included: 1 run with unknown cost
| converted: EUR, at the rates of 2026-10-01 to 2026-11-01 (ecb.csv), to 12 decimals
! stint: warning: a rate that was used is 30 days older than what it converts: 'stint rates import FILE.csv' takes newer ones
$ stint costs --currency eur --by month --since 2026-10-01
| month            cost  share  not billed yet
| 2026-10  3,975.43 EUR   89 %                
| 2026-11    491.78 EUR   11 %        9.22 EUR
| total    4,467.20 EUR               9.22 EUR
| 
| exactly: 4467.203048484459 EUR, of which 9.222222223147 EUR of runs that no bill covers
| 2026-10-01 to 2026-11-15 (UTC), effective cost
| the newest bill ends on 2026-11-12: after that, only metered runs are included
| not included: 1 run with unknown cost
| converted: USD, at the rates of 2026-10-01 to 2026-11-01 (ecb.csv), to 12 decimals
! stint: warning: a rate that was used is 30 days older than what it converts: 'stint rates import FILE.csv' takes newer ones
$ printf 'date,currency,usd\n2026-10-01,EUR,1,08\n' > bad.csv
$ printf 'day,currency,usd\n' > worse.csv
$ stint rates import bad.csv
! stint: bad.csv:2: 4 fields where the first line names 3
!   hint: the columns are date, currency and usd: 2026-11-15,EUR,1.0832
? 3
$ stint rates import worse.csv
! stint: worse.csv:1: the column 'date' is missing
!   hint: 'day' is near: the columns are date, currency and usd: 2026-11-15,EUR,1.0832
? 3
$ stint rates import absent.csv
! stint: cannot open 'absent.csv': No such file or directory
? 4

Other queries
$ stint costs trend --where provider=aws
| month          cost      change    in %
| 2026-09   $3,424.30           ?       -
| 2026-10   $3,590.42    +$166.12  +4.9 %
| 2026-11*    $249.00  -$1,140.84   -82 %
| 
| * the running month, 12 days of it
| before: 2026-10-01 to 2026-10-12
| left out: days from 2026-11-13 on, which no bill covers yet; the same number of days is compared
| 2026-06-01 to 2026-11-12 (UTC), effective cost
$ stint costs trend --by provider --months 2
| provider   month           cost       change    in %
| Microsoft  2026-10   635.50 EUR  +635.50 EUR     new
| Microsoft  2026-11*  252.00 EUR    +6.00 EUR  +2.4 %
| AWS        2026-10    $3,590.42     +$166.12  +4.9 %
| AWS        2026-11*     $249.00   -$1,140.84   -82 %
| Lambda     2026-10        $0.00        $0.00       -
| Lambda     2026-11*       $7.50       +$7.50     new
| 
| * the running month, 12 days of it
| before: 2026-10-01 to 2026-10-12
| left out: days from 2026-11-13 on, which no bill covers yet; the same number of days is compared
| 2026-10-01 to 2026-11-12 (UTC), effective cost
$ stint costs movers --where provider=aws --limit 5
| dimension  value           before        now      change   in %  
| gpu        H100         $2,654.64  $1,474.80  -$1,179.84  -44 %  down
| instance   p5.48xlarge  $2,654.64  $1,474.80  -$1,179.84  -44 %  down
| project    ads          $2,654.64  $1,474.80  -$1,179.84  -44 %  down
| team       vision       $2,654.64  $1,474.80  -$1,179.84  -44 %  down
| pricing    on-demand    $2,747.64  $1,578.00  -$1,169.64  -43 %  down
| total                   $3,103.67  $1,986.30  -$1,117.37  -36 %  down
| 
| the same money shows up in every dimension
| before: 2026-09-17 to 2026-10-13
| left out: days from 2026-11-13 on, which no bill covers yet; the same number of days is compared
| 2026-10-17 to 2026-11-12 (UTC), effective cost
$ stint costs gpus --by team,gpu
| team    gpu   runs  GPU-hours  busy    cost   idle
| vision  A10G     3       42.0  75 %   $8.46  $2.12
| nlp     A10G     3       10.0  75 %   $5.50  $1.38
| total            6       52.0  75 %  $13.96  $3.49
| 
| from runs, as they were metered; idle: what was paid for the time in which GPUs did nothing
| not in 'cost' and 'idle': 1 run with unknown cost
| 2026-10-17 to 2026-11-15 (UTC)
$ stint costs spot --by team --where provider=aws
| team       machines   spot  committed  on demand  other  spot saved  committed saved
| vision    $1,474.80    0 %        0 %      100 %    0 %       $0.00            $0.00
| nlp         $345.00  100 %        0 %        0 %    0 %     $466.50            $0.00
| platform     $64.80    0 %      100 %        0 %    0 %       $0.00           $32.40
| total     $1,884.60   18 %      3.4 %       78 %    0 %     $466.50           $32.40
| 
| saved: compared with the list prices of bills
| unknown is what spot saved on $1.50, for which no bill has a list price
| 2026-10-17 to 2026-11-15 (UTC), effective cost
| the newest bill ends on 2026-11-12: after that, only metered runs are included
$ stint costs storage --month 2026-10
| tier      provider     cost  share
| standard  AWS       $105.40   94 %
| archive   AWS         $6.20  5.6 %
| total               $111.60       
| 
| exactly: 111.6 USD
| 2026-10-01 to 2026-10-31 (UTC), effective cost
$ stint costs repeats
| name  runs  again  again cost  first (UTC)       newest (UTC)      id        command
| bert     3      2       $3.75  2026-11-06 00:00  2026-11-14 00:00  00000005  python train.py
| 
| 2 runs of 1 configuration had been run well before: $3.75

Mistakes
$ stint costs --where temm=nlp
! stint: there is no dimension 'temm'
!   hint: did you mean 'team'?
? 2
$ stint costs --where team=nlq
| nothing that matches was spent from 2026-10-17 to 2026-11-15
! stint: warning: no cost of these days has team 'nlq': did you mean 'nlp'?
$ stint costs --where team
! stint: 'team' is not a condition
!   hint: write team=nlp, 'gpu=H100*' or 'service!=AWS Support'
? 2
$ stint costs --by taem
! stint: --by: there is no dimension 'taem'
!   hint: did you mean 'team'?
? 2
$ stint costs --by day,month
! stint: --by: day, week, month, quarter and year exclude each other
? 2
$ stint costs --since soon
! stint: --since: 'soon' is neither a time nor a date
!   hint: write yesterday, 12h, 7d, 2026-11-01 or '2026-11-01 10:00' (UTC)
? 2
$ stint costs --month 2026-00
! stint: --month: '2026-00' is not a month
!   hint: write it as 2026-10, this or last
? 2
$ stint costs --currency Euro
! stint: 'Euro' is not a currency
!   hint: write its code: EUR, USD, GBP
? 2
$ stint costs --cost net
! stint: --cost: 'net' is not one of effective, billed, list, contracted
? 2
$ stint costs trnd
! stint: costs does not expect 'trnd'
!   hint: did you mean 'stint costs trend'?
? 2
$ stint costs --cost amortised
! stint: --cost: 'amortised' is not one of effective, billed, list, contracted
!   hint: did you mean 'effective'?
? 2
$ stint costs --where 'team=nlp,project=scan'
! stint: 'team=nlp,project=scan' are two conditions
!   hint: give each its own: --where 'team=nlp' --where 'project=scan'
? 2
$ stint budget set v 100usd --where team=vison
| added the budget 'v': $100.00 a month, for team=vison
| alerts: none ('--alert CHANNEL' sets where they go); at 50, 75, 90, 100 % spent; at 100 % forecast
! stint: warning: no cost so far has team 'vison': did you mean 'vision'?
$ stint tags set last modl=bert
| 00000006 bert has now modl=bert, team=nlp
! stint: note: the tag 'modl' is stored, but costs are not grouped by it: did you mean 'model'?
$ stint costs --since 2027-01-01 --until 2027-01-31
| nothing was spent from 2027-01-01 to 2027-01-31; the newest bill ends on 2026-11-12: --since 2026-11-01 shows it
$ stint runs add --cost 5usd --start 2026-11-02 --end 2026-11-03 --name a | sed 's/added ......../added ID/'
| added ID a: 2026-11-02 00:00:00 to 2026-11-03 00:00:00 (24h), $5.00
| price: cost given when it was added
$ stint runs add --cost 5usd --provider 'Acme Cloud' --start 2026-11-02 --end 2026-11-03 --name b | sed 's/added ......../added ID/'
| added ID b: 2026-11-02 00:00:00 to 2026-11-03 00:00:00 (24h), $5.00
| price: cost given when it was added
$ stint runs add --cost 5usd --provider acme/gpu --start 2026-11-02 --end 2026-11-03 --name c
! stint: --provider: 'acme/gpu' is not a name
!   hint: write it as --provider 'Acme Cloud', without '/' and ':'
? 2
$ stint costs --from runs
| provider         cost  share  not billed yet
| Lambda          $8.25   34 %           $8.25
| AWS             $5.50   23 %           $1.50
| Acme Cloud      $5.00   21 %           $5.00
| added by hand   $5.00   21 %           $5.00
| this machine    $0.21  0.9 %           $0.21
| total          $23.96                 $19.96
| 
| exactly: 23.960000001 USD, of which 19.960000001 USD of runs that no bill covers
| 2026-10-17 to 2026-11-15 (UTC), effective cost
| the newest bill ends on 2026-11-12: after that, only metered runs are included
| not included: 1 run with unknown cost
