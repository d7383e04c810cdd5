The built-in prices, and one that was imported.
$ stint price regions p5.48xlarge --hours 72 --region 'us-*'
|     machine      region         spot/h  on-demand/h  spot total     total  savings  spot zone  g/kWh  kg CO2e  date        source
| *s  p5.48xlarge  aws/us-east-2  $19.97       $55.04    $1437.66  $3962.88     64 %  use2-az1     411      240  2026-08-22  SkyPilot catalog f2624ac (2026-08-22)
|     p5.48xlarge  aws/us-west-2  $20.39       $55.04    $1467.74  $3962.88     63 %  usw2-az1     322      188  2026-08-22  SkyPilot catalog f2624ac (2026-08-22)
|     p5.48xlarge  aws/us-east-1  $20.62       $55.04    $1484.87  $3962.88     63 %  use1-az6     379      221  2026-08-22  SkyPilot catalog f2624ac (2026-08-22)
|     p5.48xlarge  aws/us-west-1  $44.37       $68.80    $3194.96  $4953.60     36 %  usw1-az3     322      188  2026-08-22  SkyPilot catalog f2624ac (2026-08-22)
| 
| * cheapest on demand, s cheapest on spot (before interruptions); totals for 72 h
| kg CO2e: modeled with accelerators at their limit, host and data center included; '?' is unknown
| 4 prices, read on 2026-08-22; the newest is 85 days old
! stint: warning: all 4 prices are old (newest: 2026-08-22, 85 days); 'stint price fetch skypilot' updates them
$ printf 'provider,region,zone,instance,accelerator,count,spot_usd_h,on_demand_usd_h,date\naws,us-east-1,use1-az1,p5.48xlarge,H100,8,15,50,2026-11-15\naws,us-east-1,use1-az2,p5.48xlarge,H100,8,14,50,2026-11-15\n' >own.csv; touch -d 2026-11-15 own.csv
$ stint price import own.csv | tail -2
| 2 offers, 2 of them new; prices: 4 changed, 0 confirmed, 0 gone
| stored in home/.cache/stint/prices.db
! stint: note: 1 file has no date of prices: the day on which it was written is used; --date sets it
$ stint price regions aws/p5.48xlarge --hours 3d --region us-east-1,eu-north-1
|     machine      region          spot/h  on-demand/h  spot total     total  savings  spot zone  g/kWh  kg CO2e  date        source
| *s  p5.48xlarge  aws/us-east-1   $14.00       $50.00    $1008.00  $3600.00     72 %  use1-az2     379      221  2026-11-15  private (own.csv)
|     p5.48xlarge  aws/eu-north-1  $19.16       $58.89    $1379.65  $4240.28     67 %  eun1-az3       9     5.14  2026-08-22  SkyPilot catalog f2624ac (2026-08-22)
| 
| * cheapest on demand, s cheapest on spot (before interruptions); totals for 72 h
| kg CO2e: modeled with accelerators at their limit, host and data center included; '?' is unknown
| 2 prices, read between 2026-08-22 and 2026-11-15; the newest is 0 days old
! stint: warning: 1 of 2 prices is more than 30 days old (oldest: 2026-08-22); 'stint price doctor' shows what to run
$ stint price regions p4d.24xlarge p5.48xlarge --hours 24 --region us-east-1 --markdown
| | machine | provider | region | spot/h | on-demand/h | spot total | total | savings | g CO2e/kWh | kg CO2e | price from |
| |---|---|---|--:|--:|--:|--:|--:|--:|--:|---|
| | p4d.24xlarge | aws | us-east-1 | **$10.13** | **$21.96** | **$243.12** | **$526.98** | 54 % | 379 | 48 | 2026-08-22 |
| | p5.48xlarge | aws | us-east-1 | **$14.00** | **$50.00** | **$336.00** | **$1200.00** | 72 % | 379 | 74 | 2026-11-15 |
| 
| US dollars; totals for 24 hours without interruptions; bold: cheapest; carbon is modeled (accelerators at their limit). Prices from 2026-08-22 to 2026-11-15 by SkyPilot catalog f2624ac (2026-08-22), private (own.csv).
! stint: warning: 1 of 2 prices is more than 30 days old (oldest: 2026-08-22); 'stint price doctor' shows what to run
$ stint price regions p5.48xlarge --hours 1 --region us-east-1 --json
| {"schema":"stint.price.regions/1","hours":1,"regions":[{"instance":"p5.48xlarge","provider":"aws","region":"us-east-1","zone":"use1-az2","place":"N. Virginia","accelerator":"H100-SXM-80GB","count":8,"spot":{"amount":"14","currency":"USD"},"on_demand":{"amount":"50","currency":"USD"},"spot_total":{"amount":"14","currency":"USD"},"on_demand_total":{"amount":"50","currency":"USD"},"savings":0.72,"carbon_g_kwh":379.069,"pue":1.135,"energy_kwh":8.113943734015345,"carbon_kg":3.075744537309463,"date":"2026-11-15","source":"private (own.csv)","age_days":0,"outlier":false,"cheapest":true,"cheapest_spot":true}],"age":{"newest":"2026-11-15","oldest":"2026-11-15","newest_days":0,"stale":0,"future":0,"total":1}}
Names that match nothing get a warning; what is not shown is explained.
$ printf 'provider,region,instance,accelerator,count,spot_usd_h,date\naws,us-east-1,g6f.large,L4,0.125,0.1,2026-11-15\nmithril,us-1,h100.8x,H100,8,0.01,2026-11-15\n' >odd.csv; touch -d 2026-11-15 odd.csv
$ stint price import odd.csv | tail -2
| 2 offers, 2 of them new; prices: 2 changed, 0 confirmed, 0 gone, 1 doubtful ('stint price doctor' lists them)
| stored in home/.cache/stint/prices.db
! stint: note: 1 file has no date of prices: the day on which it was written is used; --date sets it
$ stint price regions p5.48xlarge g6f.large p5.48xlargo --hours 3 --region us-east-1 | head -2
|     machine      region         spot/h  on-demand/h  spot total    total  savings  spot zone  g/kWh  kg CO2e  date        source
| *s  p5.48xlarge  aws/us-east-1  $14.00       $50.00      $42.00  $150.00     72 %  use1-az2     379     9.23  2026-11-15  private (odd.csv)
! stint: warning: 'g6f.large' is not shown: it has part of a GPU (0.125x L4); 'stint price history aws/g6f.large' shows its history
! stint: warning: no region has a price of 'p5.48xlargo'; did you mean 'p5.48xlarge'?
$ stint price regions g6f.large --hours 1
! stint: 'g6f.large' is not shown: it has part of a GPU (0.125x L4)
!   hint: 'stint price history aws/g6f.large' shows its history
? 4
$ stint price regions h100.8x --hours 1
! stint: 'h100.8x' is not shown: its prices are in doubt (a floor or too low to be a price, not what one pays)
!   hint: 'stint price history mithril/h100.8x' shows its history
? 4
Mistakes.
$ stint price regions p5.48xlarge
! stint: price regions needs --hours H
!   hint: stint price regions p4d.24xlarge --hours 72
? 2
$ stint price regions p5.48xlargo --hours 1
! stint: no region has a price of 'p5.48xlargo'
!   hint: did you mean 'p5.48xlarge'?
? 4
$ stint price regions p5.48xlarge --hours 1 --region us-esat-1
! stint: there is no region 'us-esat-1'
!   hint: did you mean 'us-east-1'?
? 4
$ stint price regions p5.48xlarge --hours 200000
! stint: --hours: more than 100000 hours
? 2
