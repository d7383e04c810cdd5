Names that differ in the case of letters alone are one, in tables as in --where
$ printf 'date,cost,currency,provider,service,resource,team\n2026-05-01,10,USD,Lambda,GPU,i-1,NLP\n2026-05-02,5,USD,Lambda,GPU,i-2,nlp\n2026-05-03,1,USD,Lambda,GPU,i-2,vision\n2026-04-01,2,USD,Lambda,GPU,i-2,nlp\n' >own.csv; stint import own.csv >/dev/null
$ stint costs --by team --since 2026-05-01 --until 2026-06-01
| team      cost  share
| NLP     $15.00   94 %
| vision   $1.00  6.2 %
| total   $16.00       
| 
| exactly: 16 USD
| 2026-05-01 to 2026-06-01 (UTC), effective cost
| the newest bill ends on 2026-05-03: after that, only metered runs are included
! stint: warning: team 'nlp' is counted as 'NLP': use one spelling
$ stint costs --by team --where team=nlp --since 2026-05-01 --until 2026-06-01
| team     cost  share
| NLP    $15.00  100 %
| total  $15.00       
| 
| exactly: 15 USD
| 2026-05-01 to 2026-06-01 (UTC), effective cost
| the newest bill ends on 2026-05-03: after that, only metered runs are included
! stint: warning: team 'nlp' is counted as 'NLP': use one spelling
$ stint costs --by team --sort change --since 2026-05-01 --until 2026-05-31 --json
| {"schema":"stint.costs/1","by":["team"],"grain":null,"rows":[{"team":"NLP","period":null,"currency":"USD","amount":{"amount":"15","currency":"USD"},"metered":{"amount":"0","currency":"USD"},"share":0.9375,"lines":2,"runs":0,"others":0,"before":{"amount":"2","currency":"USD"},"change":{"amount":"13","currency":"USD"}},{"team":"vision","period":null,"currency":"USD","amount":{"amount":"1","currency":"USD"},"metered":{"amount":"0","currency":"USD"},"share":0.0625,"lines":1,"runs":0,"others":0,"before":{"amount":"0","currency":"USD"},"change":{"amount":"1","currency":"USD"}}],"totals":[{"currency":"USD","amount":{"amount":"16","currency":"USD"},"metered":{"amount":"0","currency":"USD"},"before":{"amount":"2","currency":"USD"},"change":{"amount":"14","currency":"USD"},"groups":2,"lines":3}],"compared":true,"before":{"since":"2026-03-31","until":"2026-04-02","known":true,"no_bills":false,"left_out_since":"2026-05-04"},"basis":{"since":"2026-05-01","until":"2026-05-03","kind":"effective","unpriced":0,"billed_until":"2026-05-03","converted":null,"rates_from":null,"rates_to":null,"rate_source":null,"ledger":"home/.local/share/stint/ledger.db","no_ledger":false},"csv":null}
! stint: warning: team 'nlp' is counted as 'NLP': use one spelling
$ stint costs movers --since 2026-05-01 --until 2026-05-31
| dimension  value   before     now   change    in %  
| team       NLP      $2.00  $15.00  +$13.00  +650 %  up
| team       vision   $0.00   $1.00   +$1.00       -  new
| total               $2.00  $16.00  +$14.00  +700 %  up
| 
| the same money shows up in every dimension
| before: 2026-03-31 to 2026-04-02
| left out: days from 2026-05-04 on, which no bill covers yet; the same number of days is compared
| 2026-05-01 to 2026-05-03 (UTC), effective cost
! stint: warning: team 'nlp' is counted as 'NLP': use one spelling
$ stint costs --by team --since 2026-05-02 --until 2026-06-01 | head -3
| team     cost  share
| nlp     $5.00   83 %
| vision  $1.00   17 %
