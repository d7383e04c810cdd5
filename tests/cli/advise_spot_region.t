A machine that costs 70 % on spot here, where it is lost often, and 41 % in another region
$ { echo BilledCost,EffectiveCost,ListCost,BillingAccountId,BillingCurrency,ChargeCategory,ChargePeriodStart,ChargePeriodEnd,ConsumedQuantity,ConsumedUnit,PricingCategory,ProviderName,RegionId,ResourceId,ServiceCategory,ServiceName,SkuMeter,SkuPriceDetails; for d in 01 02 03 04 05 06 07 08 09 10 11 12 13 14; do echo "12.12,12.12,12.12,123456789012,USD,Usage,2026-10-${d}T00:00:00Z,2026-10-${d}T23:59:59Z,10,Hours,Standard,AWS,us-east-1,i-0123456789abcdef7,Compute,Amazon EC2,BoxUsage:g5.2xlarge,\"{\"\"InstanceType\"\":\"\"g5.2xlarge\"\"}\""; done; } >bill.csv; stint import bill.csv | tail -1
| 14 charges imported, equal to the files' own totals; ledger: home/.local/share/stint/ledger.db
$ stint advise --since 2026-10-01 --until 2026-10-31 | sed -n '/^ 1\./,/^$/p;/^  1\./,/^$/p'
|  1. all bills: start machines on spot
|     saves     $95.5 a month ($47.7 to $96.6), 58 % of its cost; effort: hours;
|               risk: medium
|     seen      1 machine on demand for 140 hours, $164 a month:
|               i-0123456789abcdef7 (g5.2xlarge in us-east-1, $169.68; g5.2xlarge
|               in us-west-2)
|     do        start them on spot, if the work saves checkpoints, and in the
|               region in brackets, where one is named, if its data may be moved
|               there; 'stint run' records what runs there
|     computed  today's spot price, with 10 min for each interruption; range:
|               their 80 % range, and half of it in another region, for moving the
|               data
|     id        machines-on-demand-2ba31b19
| 
