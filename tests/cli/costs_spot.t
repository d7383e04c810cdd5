Bills without list prices: what spot and commitments saved is not known
$ printf 'BilledCost,EffectiveCost,BillingCurrency,ProviderName,BillingAccountId,ChargePeriodStart,ChargePeriodEnd,BillingPeriodStart,BillingPeriodEnd,ServiceCategory,ServiceName,ChargeCategory,PricingCategory,ListCost\n' > head.csv
$ (cat head.csv; printf '%s\n' '10,10,USD,AWS,1,2026-11-02T00:00:00Z,2026-11-03T00:00:00Z,2026-11-01T00:00:00Z,2026-12-01T00:00:00Z,Compute,EC2,Usage,Dynamic,' '0,4,USD,AWS,1,2026-11-02T00:00:00Z,2026-11-03T00:00:00Z,2026-11-01T00:00:00Z,2026-12-01T00:00:00Z,Compute,EC2,Usage,Committed,' '5,5,USD,AWS,1,2026-11-02T00:00:00Z,2026-11-03T00:00:00Z,2026-11-01T00:00:00Z,2026-12-01T00:00:00Z,Compute,EC2,Usage,Standard,') > november.csv
$ stint import november.csv > out.txt
$ stint costs spot --since 2026-11-01
|        machines  spot  committed  on demand  other  spot saved  committed saved
| total    $19.00  53 %       21 %       26 %    0 %           ?                ?
| 
| saved: compared with the list prices of bills
| unknown is what spot saved on $10.00, for which no bill has a list price
| unknown is what commitments saved on $4.00, for which no bill has a list price
| 2026-11-01 to 2026-11-15 (UTC), effective cost
| the newest bill ends on 2026-11-02: after that, only metered runs are included
$ stint costs spot --since 2026-11-01 --json
| {"schema":"stint.costs.spot/1","by":[],"rows":[{"currency":"USD","amount":{"amount":"19","currency":"USD"},"spot":0.5263157894736842,"committed":0.21052631578947367,"on_demand":0.2631578947368421,"other":0,"saved":null,"saved_by_commitments":null,"unknown":{"amount":"10","currency":"USD"},"unknown_committed":{"amount":"4","currency":"USD"}}],"totals":[{"currency":"USD","amount":{"amount":"19","currency":"USD"},"spot":0.5263157894736842,"committed":0.21052631578947367,"on_demand":0.2631578947368421,"other":0,"saved":null,"saved_by_commitments":null,"unknown":{"amount":"10","currency":"USD"},"unknown_committed":{"amount":"4","currency":"USD"}}],"credits":[],"basis":{"since":"2026-11-01","until":"2026-11-15","kind":"effective","unpriced":0,"billed_until":"2026-11-02","converted":null,"rates_from":null,"rates_to":null,"rate_source":null,"ledger":"home/.local/share/stint/ledger.db","no_ledger":false},"csv":null}
And with list prices on some
$ (cat head.csv; printf '%s\n' '10,10,USD,AWS,2,2026-11-02T00:00:00Z,2026-11-03T00:00:00Z,2026-11-01T00:00:00Z,2026-12-01T00:00:00Z,Compute,EC2,Usage,Dynamic,30') > other.csv
$ stint import other.csv > out.txt
$ stint costs spot --since 2026-11-01 --by account
| account  machines   spot  committed  on demand  other  spot saved  committed saved
| 1          $19.00   53 %       21 %       26 %    0 %           ?                ?
| 2          $10.00  100 %        0 %        0 %    0 %      $20.00            $0.00
| total      $29.00   69 %       14 %       17 %    0 %      $20.00                ?
| 
| saved: compared with the list prices of bills
| unknown is what spot saved on $10.00, for which no bill has a list price
| unknown is what commitments saved on $4.00, for which no bill has a list price
| 2026-11-01 to 2026-11-15 (UTC), effective cost
| the newest bill ends on 2026-11-02: after that, only metered runs are included
