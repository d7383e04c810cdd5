$ stint catalog show storage --where provider=aws
| provider  tier     product                       region  usd_gb_month  retrieval_usd_gb  minimum_days  put_usd_1000  get_usd_1000  minimum_kb  enter  rule_days  wait_h  date        source                                                                                                                                                                                        notes
| aws       archive  S3 Glacier Deep Archive       *       $0.00099/GB   $0.02/GB          180           0.05          0.1           -           any    0          12      2026-11-15  ML Cost Optimization Reference (2025); my.globalxperts.net and refine.habilelabs.io (copies of the AWS price list); docs.aws.amazon.com/goto/WebAPI/s3-2006-03-01/Transition (days of rules)  us-east-1; standard retrieval within 12 hours; Glacier Flexible Retrieval is 0.0036 with 90 days; the retrieval price is an estimate; request prices are estimates
| aws       cold     S3 Glacier Instant Retrieval  *       $0.004/GB     $0.03/GB          90            0.02          0.01          128         any    0          0       2026-11-15  ML Cost Optimization Reference (2025); my.globalxperts.net and refine.habilelabs.io (copies of the AWS price list); docs.aws.amazon.com/goto/WebAPI/s3-2006-03-01/Transition (days of rules)  us-east-1; objects below 128 KB are billed as 128 KB; the retrieval price is an estimate; request prices are estimates
| aws       hot      S3 Standard                   *       $0.023/GB     $0/GB             0             0.005         0.0004        -           any    0          0       2026-11-15  ML Cost Optimization Reference (2025); my.globalxperts.net and refine.habilelabs.io (copies of the AWS price list); docs.aws.amazon.com/goto/WebAPI/s3-2006-03-01/Transition (days of rules)  us-east-1, first 50 TB; request prices are estimates
| aws       warm     S3 Standard-IA                *       $0.0125/GB    $0.01/GB          30            0.01          0.001         128         any    30         0       2026-11-15  ML Cost Optimization Reference (2025); my.globalxperts.net and refine.habilelabs.io (copies of the AWS price list); docs.aws.amazon.com/goto/WebAPI/s3-2006-03-01/Transition (days of rules)  us-east-1; objects below 128 KB are billed as 128 KB; a lifecycle rule needs 30 days first; the retrieval price is an estimate; request prices are estimates
| 
| 4 rows of storage; '-' is unknown; --json has every column
$ stint catalog show spend --where size=typical --json
| {"schema":"stint.catalog.show/1","table":"spend","rows":[{"workload":"Batch inference (daily)","size":"typical","low_usd_month":{"amount":"100","currency":"USD"},"high_usd_month":{"amount":"500","currency":"USD"},"date":"2025-01-01","source":"ML Cost Optimization Reference (2025)","notes":null},{"workload":"Experiment tracking + storage","size":"typical","low_usd_month":{"amount":"50","currency":"USD"},"high_usd_month":{"amount":"200","currency":"USD"},"date":"2025-01-01","source":"ML Cost Optimization Reference (2025)","notes":null},{"workload":"HPO (50 trials, monthly)","size":"typical","low_usd_month":{"amount":"500","currency":"USD"},"high_usd_month":{"amount":"5000","currency":"USD"},"date":"2025-01-01","source":"ML Cost Optimization Reference (2025)","notes":null},{"workload":"Real-time inference (1 model)","size":"typical","low_usd_month":{"amount":"400","currency":"USD"},"high_usd_month":{"amount":"2000","currency":"USD"},"date":"2025-01-01","source":"ML Cost Optimization Reference (2025)","notes":null},{"workload":"Single model training (weekly)","size":"typical","low_usd_month":{"amount":"200","currency":"USD"},"high_usd_month":{"amount":"1000","currency":"USD"},"date":"2025-01-01","source":"ML Cost Optimization Reference (2025)","notes":null},{"workload":"Total monthly ML spend","size":"typical","low_usd_month":{"amount":"1250","currency":"USD"},"high_usd_month":{"amount":"8700","currency":"USD"},"date":"2025-01-01","source":"ML Cost Optimization Reference (2025)","notes":"the sum of the five rows above"}]}
$ stint catalog show offers --where 'provider=aws,region=us-east-1,instance=p5.48xlarge' --history
| provider  region     zone  instance     accelerator    count  vcpus  memory_gib  on_demand_usd_h  spot_usd_h  date        source                                    notes
| aws       us-east-1  -     p5.48xlarge  H100-SXM-80GB  8      192    2048        $55.04/hr        $20.62/hr   2026-08-22  SkyPilot catalog f2624ac (2026-08-22)     spot in use1-az6
| aws       us-east-1  -     p5.48xlarge  H100-SXM-80GB  8      192    2048        $55.04/hr        $26.00/hr   2025-06-05  SkyPilot catalog git history              spot in use1-az6
| aws       us-east-1  -     p5.48xlarge  H100-SXM-80GB  8      192    2048        $98.32/hr        $39.74/hr   2025-01-02  SkyPilot catalog git history              spot in use1-az5
| aws       us-east-1  -     p5.48xlarge  H100-SXM-80GB  8      192    2048        $98.32/hr        -           2025-01-01  DeepSpeed Cost Optimization Guide (2025)  date approximate (the guide says 2024)
| aws       us-east-1  -     p5.48xlarge  H100-SXM-80GB  8      192    2048        $98.32/hr        $70.53/hr   2024-01-01  SkyPilot catalog git history              spot in use1-az5
| 
| 5 rows of offers; '-' is unknown; --json has every column
$ stint catalog show providers --where provider=lambda --json
| {"schema":"stint.catalog.show/1","table":"providers","rows":[{"provider":"lambda","title":"Lambda Cloud","notice_s":null,"billing_s":60,"minimum_s":60,"setup_s":300,"reliability":0.99,"reliability_basis":"no SLA on on-demand: judgment","spot_training":"none","scale_to_zero":"none","gpu_sharing":"none","billing_export":null,"marketplace":false,"date":"2026-11-15","source":"docs.lambda.ai/public-cloud/billing","notes":"no spot market; billing begins when the instance passes health checks; set-up is an estimate"}]}
$ stint catalog show transfer --where provider=nobody
! stint: no row of transfer matches
!   hint: 'stint catalog show transfer' shows all
? 4
A table that has no rows says where they go, whatever is asked of it.

$ stint catalog show exchange
! stint: the table exchange is empty
!   hint: rows of your own go into home/.config/stint/catalog/exchange.csv
? 4
$ stint catalog show discounts --where provider=aws --history
! stint: the table discounts is empty
!   hint: rows of your own go into home/.config/stint/catalog/discounts.csv
? 4
$ mkdir facts; stint catalog show exchange --catalog facts
! stint: the table exchange is empty
!   hint: rows of your own go into facts/exchange.csv
? 4
$ HOME= stint catalog show exchange
! stint: the table exchange is empty
!   hint: rows of your own go into exchange.csv, in the folder that --catalog names
? 4
$ printf 'currency,usd,date,source\nEUR,1.16,2026-11-14,our bank\n' >facts/exchange.csv; stint catalog show exchange --catalog facts
| currency  usd   date        source    notes
| EUR       1.16  2026-11-14  our bank  -
| 
| 1 row of exchange; '-' is unknown; --json has every column
$ stint catalog show exchange --catalog facts --where currency=GBP
! stint: no row of exchange matches
!   hint: 'stint catalog show exchange' shows all
? 4
