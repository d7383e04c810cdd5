A machine that its provider has taken out of service is not among the built-in ones.
$ stint price history azure/Standard_NC6
! stint: note: no prices are kept yet, so these are built in: 494 of 689 from 2026-08-22 (85 days old), the newest from 2026-11-09; 'stint price fetch skypilot' gets today's
! stint: the price store has no price of 'azure/Standard_NC6'
!   hint: did you mean 'Standard_NC64as_T4_v3'?
? 4
Sixty days of one machine in two zones: the price of a day goes up and down.
$ awk 'BEGIN { print "provider,region,zone,instance,accelerator,count,spot_usd_h,on_demand_usd_h,date"; for (d = 0; d < 60; d++) { m = d < 15 ? 9 : d < 46 ? 10 : 11; n = d < 15 ? 16 + d : d < 46 ? d - 14 : d - 45; printf "aws,us-east-1,use1-az1,p5.48xlarge,H100,8,%.2f,55.04,2026-%02d-%02d\naws,us-east-1,use1-az2,p5.48xlarge,H100,8,%.2f,55.04,2026-%02d-%02d\n", 20 + d % 7, m, n, 30 - d / 10, m, n } }' >days.csv
$ stint price import days.csv --feed days | tail -2
| 2 offers, 2 of them new; prices: 4 changed, 0 confirmed, 0 gone
| stored in home/.cache/stint/prices.db
$ stint price history p5.48xlarge:spot
| aws/us-east-1/use1-az1/p5.48xlarge: 8x H100-SXM-80GB, 30 days
| 
| spot, by days (private)
| price           $23.00 since 2026-11-14; last seen 2026-11-14
| min, mean, max  $20.00  $22.97  $26.00; +4.5 % over 29 changes
| rank            cheaper than 40 % of the time; as cheap or cheaper 60 %
| trend           ▃▃▄▄▆▆▇▇██▁▁▂▂▃▃▄▄▆▆▇▇██▁▁▂▂▃▃▄▄▆▆▇▇██▁▁▂▂▃▃▄▄▆▆▇▇██▁▁▂▂▃▃▄▄
|                 2026-10-16 to 2026-11-15
| moves           11 % a day (standard deviation), 0.2 % a week (mean; 95 of 100 weeks below 0.0 %)
| by weekday      Mon 1.087  Tue 1.130  Wed 0.870  Thu 0.913  Fri 0.957  Sat 1.000  Sun 1.043
|                 cheapest Wed, most expensive Tue UTC: 30 % apart, over 7 weeks
| by hour         unknown: changes are seen once a day
| 
| the machine for an hour; means are weighted by time
! stint: note: 'p5.48xlarge:spot' means aws/us-east-1/use1-az1/p5.48xlarge, the cheapest of 2 now ($23.00/hr, spot)
A terminal that shows no blocks, another window, a market that does not change.
$ TERM=dumb stint price history aws/us-east-1/use1-az2/p5.48xlarge --days 20 --until 2026-11-01
| aws/us-east-1/use1-az2/p5.48xlarge: 8x H100-SXM-80GB, 20 days
| 
| on-demand, by days (private)
| price           $55.04 since 2026-09-16; last seen 2026-11-14
| moves           not at all in this window
| 
| spot, by days (private)
| price           $25.40 since 2026-11-01; last seen 2026-11-14
| min, mean, max  $25.40  $26.35  $27.30; -7.0 % over 19 changes
| rank            cheaper than 95 % of the time; as cheap or cheaper 5 %
| trend           #########******+++++++++======::::::---------......_________
|                 2026-10-13 to 2026-11-02
| moves           0.1 % a day (standard deviation), 2.6 % a week (mean; 95 of 100 weeks below 2.7 %)
| by weekday      no pattern beyond chance in 5 weeks
| by hour         unknown: changes are seen once a day
| 
| the machine for an hour; means are weighted by time
$ stint price history p5.48xlarge --market spot --zones --days 7 | grep -v trend
| aws/us-east-1/use1-az1/p5.48xlarge: 8x H100-SXM-80GB, 7 days
| 
| spot of aws/us-east-1/use1-az1/p5.48xlarge, by days (private)
| price           $23.00 since 2026-11-14; last seen 2026-11-14
| min, mean, max  $20.00  $23.00  $26.00; -4.2 % over 6 changes
| rank            cheaper than 43 % of the time; as cheap or cheaper 57 %
|                 2026-11-08 to 2026-11-15
| moves           11 % a day (standard deviation)
| by weekday      Mon 1.087  Tue 1.130  Wed 0.870  Thu 0.913  Fri 0.957  Sat 1.000  Sun 1.043
|                 cheapest Wed, most expensive Tue UTC: 30 % apart, over 7 weeks
| by hour         unknown: changes are seen once a day
| 
| spot of aws/us-east-1/use1-az2/p5.48xlarge, by days (private)
| price           $24.10 since 2026-11-14; last seen 2026-11-14
| min, mean, max  $24.10  $24.40  $24.70; -2.4 % over 6 changes
| rank            cheaper than 86 % of the time; as cheap or cheaper 14 %
|                 2026-11-08 to 2026-11-15
| moves           0.2 % a day (standard deviation)
| by weekday      no pattern beyond chance in 7 weeks
| by hour         unknown: changes are seen once a day
| 
| the machine for an hour; means are weighted by time
! stint: note: 'p5.48xlarge' means aws/us-east-1/use1-az1/p5.48xlarge, the cheapest of 2 now ($23.00/hr, spot)
Offers without any price are left out; a jump is reported.
$ printf 'date,instance_type,accelerator,count,zone_or_region,on_demand_usd_h,spot_usd_h\n2026-11-01,g5.xlarge,A10G,1,use1-az1,1.0,\n2026-11-08,g5.xlarge,A10G,1,use1-az1,12.5,\n2026-11-09,g5.xlarge,A10G,1,use1-az1,1.0,\n' >aws_gpu_price_history.csv
$ stint price import aws_gpu_price_history.csv --provider aws | tail -2
| 1 offer, 1 of them new; prices: 2 changed, 0 confirmed, 0 gone, 1 doubtful ('stint price doctor' lists them)
| stored in home/.cache/stint/prices.db
$ stint price history g5.xlarge
| aws/us-east-1/use1-az1/g5.xlarge: 1x A10G, 30 days
| 
| on-demand, by skypilot (catalog)
| price           $1.00 since 2026-11-09; last seen 2026-11-09
| min, mean, max  $1.00  $2.28  $12.50; 0.0 % over 2 changes
| rank            cheaper than 11 % of the time; as cheap or cheaper 89 %
| stored since    2026-11-01
| jumps           2 of ten times or more; the largest to 12.5 times on 2026-11-08: possibly an error of the feed
| trend                                                     ▁▁▁▁▁▁▁▁▁▁▁▁▁▁██▁▁
|                 2026-10-11 to 2026-11-10
| moves           126 % a day (standard deviation)
| doubtful        ten times up or down at once: possibly an error of the feed
| 
| the machine for an hour; means are weighted by time
$ stint price history g5.xlarge:spot
! stint: aws/us-east-1/use1-az1/g5.xlarge never had a spot price
!   hint: 'stint price history aws/us-east-1/use1-az1/g5.xlarge' shows its other markets
? 4
A GPU stands for the machines with it.
$ for gpu in H100 h100x8 H100x8:spot; do stint price history $gpu --until 2026-11-14 2>&1 | head -2; done
| stint: note: 'H100' means aws/us-east-1/use1-az1/p5.48xlarge, the cheapest of 2 now ($23.00/hr, spot)
| aws/us-east-1/use1-az1/p5.48xlarge: 8x H100-SXM-80GB, 30 days
| stint: note: 'h100x8' means aws/us-east-1/use1-az1/p5.48xlarge, the cheapest of 2 now ($23.00/hr, spot)
| aws/us-east-1/use1-az1/p5.48xlarge: 8x H100-SXM-80GB, 30 days
| stint: note: 'H100x8:spot' means aws/us-east-1/use1-az1/p5.48xlarge, the cheapest of 2 now ($23.00/hr, spot)
| aws/us-east-1/use1-az1/p5.48xlarge: 8x H100-SXM-80GB, 30 days
$ stint price history H100x4
! stint: the price store has no price of 'H100x4'
!   hint: 'stint price doctor' lists what is stored, 'stint price fetch --all' gets more
? 4
$ stint spot risk H100 --for 2h 2>&1 | sed -n '/means/p;$p'
| stint: note: 'H100' means aws/us-east-1/use1-az1/p5.48xlarge: of 2 it is expected to cost least, losses included
|   on-demand, and from losses of its own price (observed for 60 d)
The prices of another feed; an offer that is gone.
$ printf 'provider,region,zone,instance,accelerator,count,price,market,date\naws,us-east-1,use1-az1,p5.48xlarge,H100,8,49,on-demand,2026-11-14\n' >own.csv
$ stint price import own.csv --feed acme | tail -2
| 1 offer, 0 of them new; prices: 1 changed, 0 confirmed, 0 gone
| stored in home/.cache/stint/prices.db
$ stint price history aws/us-east-1/use1-az1/p5.48xlarge:on-demand
| aws/us-east-1/use1-az1/p5.48xlarge: 8x H100-SXM-80GB, 30 days
| 
| on-demand, by acme (private)
| price           $49.00 since 2026-11-14; last seen 2026-11-14
| min, mean, max  $49.00  $49.00  $49.00
| rank            cheaper than 0 % of the time; as cheap or cheaper 100 %
| stored since    2026-11-14
| trend                                                                     ▄▄
|                 2026-10-16 to 2026-11-15
| 
| on-demand, by days (private)
| price           $55.04 since 2026-09-16; last seen 2026-11-14
| moves           not at all in this window
| 
| the machine for an hour; means are weighted by time
! stint: warning: acme and days differ about the on-demand price: both are shown, none is averaged
$ printf 'date,instance_type,accelerator,count,zone_or_region,on_demand_usd_h,spot_usd_h\n2026-11-01,g6.xlarge,L4,1,use1-az1,0.8,0.3\n2026-11-08,g6.xlarge,L4,1,use1-az1,0.8,\n' >aws_gpu_price_history.csv
$ stint price import aws_gpu_price_history.csv --provider aws | tail -2
| 1 offer, 1 of them new; prices: 2 changed, 0 confirmed, 0 gone
| stored in home/.cache/stint/prices.db
$ stint price history g6.xlarge:spot
| aws/us-east-1/use1-az1/g6.xlarge: 1x L4, 30 days
| 
| spot, by skypilot (catalog)
| price           gone since 2026-11-08; last seen 2026-11-08
| min, mean, max  $0.3000  $0.3000  $0.3000
| gone            12 % of the time
| stored since    2026-11-01
| trend                                                       ▄▄▄▄▄▄▄▄▄▄▄▄▄▄  
|                 2026-10-10 to 2026-11-09
| moves           0.0 % a day (standard deviation)
| 
| the machine for an hour; means are weighted by time
$ stint price history p5.48xlarge:spot --days 2 --json
| {"schema":"stint.price.history/1","offer":"aws/us-east-1/use1-az1/p5.48xlarge","provider":"aws","region":"us-east-1","zone":"use1-az1","instance":"p5.48xlarge","accelerator":"H100-SXM-80GB","count":8,"days":2,"series":[{"offer":"aws/us-east-1/use1-az1/p5.48xlarge","market":"spot","feed":"days","source":"days.csv","confidence":"private","current":{"amount":"23","currency":"USD"},"gone":false,"since":"2026-11-14","seen":"2026-11-14","first":"2026-09-16","unseen_days":1,"from":"2026-11-13","until":"2026-11-15","min":{"amount":"22","currency":"USD"},"mean":{"amount":"22.5","currency":"USD"},"median":{"amount":"22","currency":"USD"},"max":{"amount":"23","currency":"USD"},"change":0.045454545454545414,"percentile":1,"cheaper_than":0,"covered":1,"observed":1,"gaps":[],"changes":1,"jumps":0,"largest_jump":null,"jump_at":null,"daily":null,"weekly":null,"weekly_p95":null,"daily_range":null,"weekdays":{"found":"yes","weeks":7,"swing":0.2999999999999998,"chance":0.005,"cheapest":"Wed","most_expensive":"Tue","slots":[{"slot":"Mon","ratio":1.0869565217391306},{"slot":"Tue","ratio":1.1304347826086956},{"slot":"Wed","ratio":0.8695652173913044},{"slot":"Thu","ratio":0.9130434782608694},{"slot":"Fri","ratio":0.9565217391304347},{"slot":"Sat","ratio":1},{"slot":"Sun","ratio":1.0434782608695652}]},"hours":{"found":"once a day","weeks":0,"swing":null,"chance":null,"cheapest":null,"most_expensive":null,"slots":[]},"doubts":[],"trend":[{"from":"2026-11-13","price":22},{"from":"2026-11-13T00:48:00Z","price":22},{"from":"2026-11-13T01:36:00Z","price":22},{"from":"2026-11-13T02:24:00Z","price":22},{"from":"2026-11-13T03:12:00Z","price":22},{"from":"2026-11-13T04:00:00Z","price":22},{"from":"2026-11-13T04:48:00Z","price":22},{"from":"2026-11-13T05:36:00Z","price":22},{"from":"2026-11-13T06:24:00Z","price":22},{"from":"2026-11-13T07:12:00Z","price":22},{"from":"2026-11-13T08:00:00Z","price":22},{"from":"2026-11-13T08:48:00Z","price":22},{"from":"2026-11-13T09:36:00Z","price":22},{"from":"2026-11-13T10:24:00Z","price":22},{"from":"2026-11-13T11:12:00Z","price":22},{"from":"2026-11-13T12:00:00Z","price":22},{"from":"2026-11-13T12:48:00Z","price":22},{"from":"2026-11-13T13:36:00Z","price":22},{"from":"2026-11-13T14:24:00Z","price":22},{"from":"2026-11-13T15:12:00Z","price":22},{"from":"2026-11-13T16:00:00Z","price":22},{"from":"2026-11-13T16:48:00Z","price":22},{"from":"2026-11-13T17:36:00Z","price":22},{"from":"2026-11-13T18:24:00Z","price":22},{"from":"2026-11-13T19:12:00Z","price":22},{"from":"2026-11-13T20:00:00Z","price":22},{"from":"2026-11-13T20:48:00Z","price":22},{"from":"2026-11-13T21:36:00Z","price":22},{"from":"2026-11-13T22:24:00Z","price":22},{"from":"2026-11-13T23:12:00Z","price":22},{"from":"2026-11-14","price":23},{"from":"2026-11-14T00:48:00Z","price":23},{"from":"2026-11-14T01:36:00Z","price":23},{"from":"2026-11-14T02:24:00Z","price":23},{"from":"2026-11-14T03:12:00Z","price":23},{"from":"2026-11-14T04:00:00Z","price":23},{"from":"2026-11-14T04:48:00Z","price":23},{"from":"2026-11-14T05:36:00Z","price":23},{"from":"2026-11-14T06:24:00Z","price":23},{"from":"2026-11-14T07:12:00Z","price":23},{"from":"2026-11-14T08:00:00Z","price":23},{"from":"2026-11-14T08:48:00Z","price":23},{"from":"2026-11-14T09:36:00Z","price":23},{"from":"2026-11-14T10:24:00Z","price":23},{"from":"2026-11-14T11:12:00Z","price":23},{"from":"2026-11-14T12:00:00Z","price":23},{"from":"2026-11-14T12:48:00Z","price":23},{"from":"2026-11-14T13:36:00Z","price":23},{"from":"2026-11-14T14:24:00Z","price":23},{"from":"2026-11-14T15:12:00Z","price":23},{"from":"2026-11-14T16:00:00Z","price":23},{"from":"2026-11-14T16:48:00Z","price":23},{"from":"2026-11-14T17:36:00Z","price":23},{"from":"2026-11-14T18:24:00Z","price":23},{"from":"2026-11-14T19:12:00Z","price":23},{"from":"2026-11-14T20:00:00Z","price":23},{"from":"2026-11-14T20:48:00Z","price":23},{"from":"2026-11-14T21:36:00Z","price":23},{"from":"2026-11-14T22:24:00Z","price":23},{"from":"2026-11-14T23:12:00Z","price":23}],"points":[{"at":"2026-11-13","price":{"amount":"22","currency":"USD"},"observed":true},{"at":"2026-11-14","price":{"amount":"23","currency":"USD"},"observed":true}]}]}
! stint: note: 'p5.48xlarge:spot' means aws/us-east-1/use1-az1/p5.48xlarge, the cheapest of 2 now ($23.00/hr, spot)
Days without data are left out of the mean and shown, between observations too far apart.
$ awk 'BEGIN { print "provider,region,instance,accelerator,count,spot_usd_h,date"; for (d = 1; d <= 20; d++) printf "gap,eu-1,a,H100,8,%d,2026-%02d-%02d\n", (d < 11 ? 10 : 40), (d < 11 ? 3 : 7), (d < 11 ? 21 + d : d) }' >gap.csv
$ stint price import gap.csv | tail -2
| 1 offer, 1 of them new; prices: 1 changed, 0 confirmed, 0 gone
| stored in home/.cache/stint/prices.db
$ stint price history gap/a --days 130 --until 2026-07-20
| gap/eu-1/a: 8x H100-SXM-80GB, 130 days
| 
| spot, by private (private)
| price           $40.00 since 2026-07-11; last seen 2026-07-20
| min, mean, max  $10.00  $25.00  $40.00; +300 % over 1 change
| rank            cheaper than 0 % of the time; as cheap or cheaper 100 %
| gaps            no data for 101 days, 2026-04-01 to 2026-07-10: left out of all numbers
| stored since    2026-03-22
| trend               ▁▁▁▁▁                                              █████
|                 2026-03-13 to 2026-07-21
| moves           0.0 % a day (standard deviation), 0.0 % a week (mean; 95 of 100 weeks below 0.0 %)
| by hour         unknown: changes are seen once a day
| 
| the machine for an hour; means are weighted by time
! stint: warning: a price was last seen 118 days ago: 'stint price doctor' shows what to run
$ stint price history gap/a --days 10 --until 2026-05-20
| gap/eu-1/a: 8x H100-SXM-80GB, 10 days
| 
| spot, by private (private)
| price           unknown: no data since 2026-04-01; last seen 2026-07-20
| gaps            no data for 10 days, 2026-05-11 to 2026-05-20: left out of all numbers
| by hour         unknown: changes are seen once a day
| 
| the machine for an hour; means are weighted by time
! stint: warning: a price was last seen 118 days ago: 'stint price doctor' shows what to run
$ stint price history gap/a --days 130 --until 2026-07-20 --json | tr ',' '\n' | grep -A5 '"gaps"'
| "gaps":[{"from":"2026-04-01"
| "to":"2026-07-10"}]
| "changes":1
| "jumps":0
| "largest_jump":null
| "jump_at":null
! stint: warning: a price was last seen 118 days ago: 'stint price doctor' shows what to run
Mistakes.
$ stint price history
! stint: price history needs an OFFER
!   hint: stint price history p4d.24xlarge:spot
? 2
$ stint price history p5.48xlargo
! stint: the price store has no price of 'p5.48xlargo'
!   hint: did you mean 'p5.48xlarge'?
? 4
$ stint price history gcp/p5.48xlarge
! stint: the price store has no price of 'gcp/p5.48xlarge'
!   hint: 'p5.48xlarge' has prices elsewhere: leave out the provider and region
? 4
$ stint price history p5.48xlarge:sport
! stint: there is no market 'sport'
!   hint: did you mean 'spot'?
? 2
$ stint price history p5.48xlarge --market reserved-1y
! stint: note: 'p5.48xlarge' means aws/us-east-1/use1-az1/p5.48xlarge, one of 2
! stint: the price store has no reserved-1y price of aws/us-east-1/use1-az1/p5.48xlarge
!   hint: it has 3 series of other markets or feeds: leave out --market and --feed
? 4
$ stint price history p5.48xlarge --feed nobody
! stint: note: 'p5.48xlarge' means aws/us-east-1/use1-az1/p5.48xlarge, the cheapest of 2 now ($23.00/hr, spot)
! stint: the price store has no such price of aws/us-east-1/use1-az1/p5.48xlarge
!   hint: it has 3 series of other markets or feeds: leave out --market and --feed
? 4
$ stint price history a/b/c/d/e
! stint: 'a/b/c/d/e' is not an offer
!   hint: write it as provider/region/instance, provider/instance or instance, with :spot for one market
? 2
