Nothing is kept yet: the built-in prices answer.
$ stint price spot --gpu H100 --region 'us-*' --for 2h --limit 3
|    machine      where          gpus                spot  per GPU  on-demand  savings  moves    losses  observed               risk  seen
| *  p5.48xlarge  aws/us-east-2  8x H100-SXM-80GB  $19.97    $2.50     $55.04     64 %      -  0 in 1 d       1 d  27 % (12 to 55 %)  2026-08-22
|    p5.48xlarge  aws/us-west-2  8x H100-SXM-80GB  $20.39    $2.55     $55.04     63 %      -  0 in 1 d       1 d  29 % (13 to 57 %)  2026-08-22
|    p5.4xlarge   aws/us-west-2  1x H100-SXM-80GB   $2.56    $2.56      $6.88     63 %      -  0 in 1 d       1 d  29 % (13 to 57 %)  2026-08-22
| 
| moves, measured: the mean size of a weekly change
| losses, measured: it vanished or rose to on-demand, in the days it was available
| observed: days with data
| risk of losing it within 2 h, with its 80 % interval: modeled from observed
| machines ('stint catalog show interruptions') and from the interruptions
| 3 of 18 zones with a spot price
| 3 prices, read on 2026-08-22; the newest is 85 days old
! stint: note: no prices are kept yet, so these are built in: 494 of 689 from 2026-08-22 (85 days old), the newest from 2026-11-09; 'stint price fetch skypilot' gets today's
! stint: note: 'H100' means H100-SXM-80GB, the SXM form with the most memory
$ stint price spot --gpu H100 --provider nosuch
! stint: note: no prices are kept yet, so these are built in: 494 of 689 from 2026-08-22 (85 days old), the newest from 2026-11-09; 'stint price fetch skypilot' gets today's
! stint: note: 'H100' means H100-SXM-80GB, the SXM form with the most memory
! stint: there is no provider 'nosuch'
!   hint: 'stint catalog show providers' lists them
? 4
Sixty days: in one zone the machine is lost twice, in the other it rises to on-demand once.
$ awk 'BEGIN { print "date,instance_type,accelerator,count,zone_or_region,on_demand_usd_h,spot_usd_h"; for (d = 0; d < 60; d++) { m = d < 15 ? 9 : d < 46 ? 10 : 11; n = d < 15 ? 16 + d : d < 46 ? d - 14 : d - 45; t = sprintf("2026-%02d-%02d", m, n); print t ",p5.48xlarge,H100,8,use1-az1,55.04," (d == 20 || d == 40 ? "" : 20 + d % 3); print t ",p5.48xlarge,H100,8,use1-az2,55.04," (d == 30 ? 55.04 : 25); if (d > 55) print t ",p5en.48xlarge,H200,8,use1-az2,63.3,30" } }' >aws_gpu_price_history.csv
$ stint price import aws_gpu_price_history.csv --provider aws | tail -2
| 3 offers, 3 of them new; prices: 6 changed, 0 confirmed, 0 gone
| stored in home/.cache/stint/prices.db
$ stint price spot --gpu H100 --for 2h
|    machine      where                   gpus                spot  per GPU  on-demand  savings  moves     losses  observed               risk  seen
| *  p5.48xlarge  aws/us-east-1/use1-az1  8x H100-SXM-80GB  $22.00    $2.75     $55.04     60 %  6.1 %  2 in 58 d      60 d  37 % (17 to 67 %)  2026-11-14
| 
| moves, measured: the mean size of a weekly change
| losses, measured: it vanished or rose to on-demand, in the days it was available
| observed: days with data
| risk of losing it within 2 h, with its 80 % interval: modeled from observed
| machines ('stint catalog show interruptions') and from the interruptions
| 1 of 2 zones with a spot price
| 1 price, read on 2026-11-14; it is 1 day old
! stint: note: 'H100' means H100-SXM-80GB, the SXM form with the most memory
$ stint price spot --all-zones
|    machine        where                   gpus                 spot  per GPU  on-demand  savings  moves     losses  observed  seen
| *  p5.48xlarge    aws/us-east-1/use1-az1  8x H100-SXM-80GB   $22.00    $2.75     $55.04     60 %  6.1 %  2 in 58 d      60 d  2026-11-14
|    p5.48xlarge    aws/us-east-1/use1-az2  8x H100-SXM-80GB   $25.00    $3.13     $55.04     55 %  3.2 %  1 in 59 d      60 d  2026-11-14
|    p5en.48xlarge  aws/us-east-1/use1-az2  8x H200-SXM-141GB  $30.00    $3.75     $63.30     53 %      -   0 in 4 d       4 d  2026-11-14
| 
| moves, measured: the mean size of a weekly change
| losses, measured: it vanished or rose to on-demand, in the days it was available
| observed: days with data
| risk: --for 2h gives it
| 3 of 3 zones with a spot price
| 3 prices, read on 2026-11-14; the newest is 1 day old
$ stint price spot --all-zones --for 2h --max-risk 45%
|    machine      where                   gpus                spot  per GPU  on-demand  savings  moves     losses  observed               risk  seen
| *  p5.48xlarge  aws/us-east-1/use1-az1  8x H100-SXM-80GB  $22.00    $2.75     $55.04     60 %  6.1 %  2 in 58 d      60 d  37 % (17 to 67 %)  2026-11-14
| 
| moves, measured: the mean size of a weekly change
| losses, measured: it vanished or rose to on-demand, in the days it was available
| observed: days with data
| risk of losing it within 2 h, with its 80 % interval: modeled from observed
| machines ('stint catalog show interruptions') and from the interruptions
| 1 of 3 zones with a spot price
| 1 price, read on 2026-11-14; it is 1 day old
! stint: note: 1 left out, their risk is unknown: less than 14 days with data
! stint: note: 1 left out: their risk is above --max-risk
$ stint price spot --gpu H200 --for 2h --json
| {"schema":"stint.price.spot/1","offers":[{"offer":"aws/us-east-1/use1-az2/p5en.48xlarge","provider":"aws","region":"us-east-1","zone":"use1-az2","instance":"p5en.48xlarge","accelerator":"H200-SXM-141GB","count":8,"price":{"amount":"30","currency":"USD"},"per_gpu":{"amount":"3.75","currency":"USD"},"on_demand":{"amount":"63.3","currency":"USD"},"price_low":{"amount":"29.444212806","currency":"USD"},"price_high":{"amount":"30.566278199","currency":"USD"},"savings":0.5260663507109005,"daily":null,"weekly":null,"daily_range":null,"history_days":4,"span_days":4,"interruptions":0,"exposed_h":96,"risk_basis":null,"risk":null,"risk_low":null,"risk_high":null,"risk_unknown":"less than 14 days with data","reliability":null,"seen":"2026-11-14","age_days":1,"feed":"skypilot","doubts":[],"doubtful":false,"cheapest":true}],"candidates":1,"hours":2,"age":{"newest":"2026-11-14","oldest":"2026-11-14","newest_days":1,"stale":0,"future":0,"total":1}}
! stint: note: 'H200' means H200-SXM-141GB, the SXM form with the most memory
An auction's floor is marked, and never the cheapest.
$ printf 'provider,region,instance,accelerator,count,spot_usd_h,date\nauction,eu-1,h100.8x,H100,8,0.05,2026-11-14\n' >floor.csv
$ stint price import floor.csv | tail -2
| 1 offer, 1 of them new; prices: 1 changed, 0 confirmed, 0 gone, 1 doubtful ('stint price doctor' lists them)
| stored in home/.cache/stint/prices.db
$ stint price spot --gpu H100
|    machine      where                   gpus                 spot   per GPU  on-demand  savings  moves     losses  observed  seen
| *  p5.48xlarge  aws/us-east-1/use1-az1  8x H100-SXM-80GB   $22.00     $2.75     $55.04     60 %  6.1 %  2 in 58 d      60 d  2026-11-14
| !  h100.8x      auction/eu-1            8x H100-SXM-80GB  $0.0500  $0.00625          ?        -      -   0 in 1 d       1 d  2026-11-14
| 
| moves, measured: the mean size of a weekly change
| losses, measured: it vanished or rose to on-demand, in the days it was available
| observed: days with data
| risk: --for 2h gives it
| ! auction/eu-1/h100.8x: a floor or too low to be a price, not what one pays
| 2 of 3 zones with a spot price
| 2 prices, read on 2026-11-14; the newest is 1 day old
! stint: note: 'H100' means H100-SXM-80GB, the SXM form with the most memory
Days without data are no days without a loss: the log has none for 104 days.
$ awk 'BEGIN { print "date,instance_type,accelerator,count,zone_or_region,on_demand_usd_h,spot_usd_h"; for (d = 0; d < 10; d++) printf "2026-03-%02d,p4d.24xlarge,A100,8,use1-az1,32.77,%d\n", 22 + d, 10 + d % 2; for (d = 0; d < 10; d++) printf "2026-07-%02d,p4d.24xlarge,A100,8,use1-az1,32.77,%d\n", 13 + d, 12 + d % 2 }' >gap_gpu_price_history.csv
$ HOME=gap stint price import gap_gpu_price_history.csv --provider aws | tail -2
| 1 offer, 1 of them new; prices: 2 changed, 0 confirmed, 0 gone
| stored in gap/.cache/stint/prices.db
$ HOME=gap stint price spot --for 2h
|    machine       where                   gpus                spot  per GPU  on-demand  savings  moves     losses     observed               risk  seen
| *  p4d.24xlarge  aws/us-east-1/use1-az1  8x A100-SXM-40GB  $13.00    $1.63     $32.77     60 %  7.6 %  0 in 20 d  20 of 123 d  36 % (17 to 66 %)  2026-07-22
| 
| moves, measured: the mean size of a weekly change
| losses, measured: it vanished or rose to on-demand, in the days it was available
| observed: days with data, of all that the history spans
| risk of losing it within 2 h, with its 80 % interval: modeled from observed
| machines ('stint catalog show interruptions') and from the interruptions
| 1 of 1 zones with a spot price
| 1 price, read on 2026-07-22; it is 116 days old
! stint: warning: 1 of 1 prices is more than 30 days old (oldest: 2026-07-22); 'stint price doctor' shows what to run
$ HOME=gap stint price history p4d.24xlarge:spot --days 180
| aws/us-east-1/use1-az1/p4d.24xlarge: 8x A100-SXM-40GB, 180 days
| 
| spot, by skypilot (catalog)
| price           $13.00 since 2026-07-22; last seen 2026-07-22
| min, mean, max  $10.00  $11.50  $13.00; +30 % over 19 changes
| rank            cheaper than 0 % of the time; as cheap or cheaper 100 %
| gaps            no data for 103 days, 2026-04-01 to 2026-07-12: left out of all numbers
| stored since    2026-03-22
| trend                              ▁▂▁▃                                 ▆█▇█
|                 2026-01-24 to 2026-07-23
| moves           8.7 % a day (standard deviation), 7.6 % a week (mean; 95 of 100 weeks below 10 %)
| by hour         unknown: changes are seen once a day
| 
| the machine for an hour; means are weighted by time
! stint: warning: a price was last seen 116 days ago: 'stint price doctor' shows what to run
$ HOME=gap stint price doctor | sed -n '/gap/,$p'
| gap/.cache/stint/prices.db: 32.77 kB, 1 offers, 2 series, 21 changes of prices
| 
| feed      provider  kind     read          age  imported    offers  series  gone  changes
| skypilot  aws       catalog  2026-07-22  116 d  2026-11-15       1       2     0       21
| 
| - skypilot of aws was last read 116 days ago
|   run: stint price fetch skypilot
| - 3 prices are far below the same GPU's in other regions and seen on one day only: not chosen until a second import confirms them
|     gcp/asia-east1/n1-highmem-8+1xV100:spot $0.57/hr a GPU, other regions $1.58/hr
|     gcp/europe-north1/a3-highgpu-1g:spot $1.09/hr a GPU, other regions $6.59/hr
|     gcp/europe-north1/a3-highgpu-8g:spot $1.09/hr a GPU, other regions $6.59/hr
|   run: stint price fetch skypilot
| - 1 gap in the history: days without data are left out of means and risks
|     skypilot of aws: 103 days, 2026-04-01 to 2026-07-12
|   run: stint price import FILE, with a history that has these days
$ HOME=gap stint price diff 2026-04-15 2026-06-01
| no price is known on both days
| 2 prices not compared: no data from 2026-04-01 to 2026-07-12
| the nearest days with data: 2026-03-31, 2026-07-13
| between 2026-04-15 and 2026-06-01; the machine for an hour
$ HOME=gap stint spot risk p4d.24xlarge --for 2h
| where                                             risk  when new  available  spot/h  on-demand/h
| aws/us-east-1/use1-az1/p4d.24xlarge  36 % (13 to 76 %)      71 %       53 %  $13.00       $32.77
| 
| risk of losing it within 2h, with its 90 % interval; taken at a random moment
| when new: the same, taken as soon as one is available again
| available: share of the time
| spot price from 2026-07-22
| modeled from machines of the provider that were watched, by how near spot is to
|   on-demand, and from losses of its own price (observed for 20 d of 123 d)
! stint: warning: 1 of 1 prices is more than 30 days old (oldest: 2026-07-22); 'stint price doctor' shows what to run
$ HOME=gap stint spot fleet --job train:10h
| job      work  by  machines  market  offer                                cost  90 %  on-demand     observed  why
| train  10.0 h   -         1  spot    aws/us-east-1/use1-az1/p4d.24xlarge  $137  $144       $331  20 of 123 d  costs less
| 
| all jobs        $137 expected, $331 on demand: it saves 59 %
| 1 price, read on 2026-07-22; it is 116 days old
! stint: warning: 1 of 1 prices is more than 30 days old (oldest: 2026-07-22); 'stint price doctor' shows what to run
Mistakes.
$ stint price spot --max-risk 20%
! stint: --max-risk needs --for: a risk is one within some time
!   hint: stint price spot --for 2h --max-risk 20%
? 2
$ stint price spot --gpu H101
! stint: there is no accelerator 'H101'
!   hint: did you mean 'H100'? 'stint gpu list' shows all
? 4
$ stint price spot --gpu T4
! stint: no spot price matches
!   hint: leave out a filter; --any-form widens the search
? 4
$ stint price spot --provider awss
! stint: there is no provider 'awss'
!   hint: did you mean 'aws'?
? 4
$ stint price spot --max-risk 200% --for 2h
! stint: --max-risk: '200%' is not a share from 0 to 1
!   hint: write it as 20% or 0.2
? 2
