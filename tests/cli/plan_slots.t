Without a filter: what is known of the providers; for those with an account, also that nothing is known.
$ stint plan slots
| provider  market     cheapest slot  price x   swing  basis          date        source
| aws       spot       any: flat        0.999   0.3 %  measured       2026-08-22  AWS daily GPU spot history 2024-01 to 2026-08, 224693 series-weeks
| runpod    spot       any: flat        0.999   0.3 %  measured       2026-08-22  RunPod daily price history 2024-01 to 2026-08, 46810 series-weeks
| vast      on-demand  not measured     0.880  25.0 %  rule of thumb  2026-11-15  two 2025 guides
| vast      spot       not measured     0.880  25.0 %  rule of thumb  2026-11-15  two 2025 guides
| 
| rule of thumb   what guides claim, not measured: it changes no price
| slots of 4 h within 7 days; --offer or --gpu shows them for a machine, by its own prices
$ STINT_PROVIDERS=aws,lambda stint plan slots --hours 8 --days 2
| provider  market  cheapest slot  price x  swing  basis     date        source
| aws       spot    any: flat        0.999  0.3 %  measured  2026-08-22  AWS daily GPU spot history 2024-01 to 2026-08, 224693 series-weeks
| 
| flat            lambda: no known pattern
| slots of 8 h within 2 days; --offer or --gpu shows them for a machine, by its own prices
A provider whose hours differ, by a rule of thumb.
$ stint plan slots --gpu 'RTX 4090' --provider vast --limit 3
| vast/*/8x-RTX_4090-32-65536: 8x RTX4090, on-demand, slots of 4 h within 7 days
| 
| day  start             end               per hour   cost  g/kWh
| Sun  2026-11-15 00:00  2026-11-15 04:00     $2.77  $11.1    475
| Sun  2026-11-15 04:00  2026-11-15 08:00     $2.77  $11.1    475
| Sun  2026-11-15 08:00  2026-11-15 12:00     $2.77  $11.1    475
| 
| ranked by       time: no slot is cheaper than another
| price           no slot is cheaper: nothing measured; a rule of thumb for vast on-demand (two 2025 guides) is not used
| carbon          no slot is cleaner: no known pattern of its grid
| multipliers     of $2.77/hr (as last seen, 2025-10-27) and 475 g CO2e/kWh
! stint: note: not sold on spot: showing on-demand
! stint: note: the cheapest of 3 is vast/*/8x-RTX_4090-32-65536:on-demand
Prices that do not move: no slot is cheaper, but some are cleaner.
$ STINT_NOW=2026-11-15T10:20:00Z stint plan slots --offer aws/us-west-1/p5.48xlarge --hours 5 --limit 3
| aws/us-west-1/p5.48xlarge: 8x H100-SXM-80GB, spot, slots of 5 h within 7 days
| 
| day  start             end               price x  per hour  cost  carbon x  g/kWh  cleaner
| Sun  2026-11-15 18:00  2026-11-15 23:00    1.002    $44.46  $222      0.60    193     47 %
| Mon  2026-11-16 18:00  2026-11-16 23:00    0.999    $44.33  $222      0.60    193     47 %
| Tue  2026-11-17 18:00  2026-11-17 23:00    0.999    $44.33  $222      0.60    193     47 %
| now  2026-11-15 10:20  2026-11-15 15:20    1.002    $44.46  $222      1.12    361        -
| 
| ranked by       carbon: no slot is cheaper than another
| price           no slot is cheaper (they differ by 0.3 %): measured for aws spot (AWS daily GPU spot history 2024-01 to 2026-08, 224693 series-weeks)
| carbon          slots differ by up to 115 %: a rule of thumb for the grid CAISO, by local solar time
| crontab         0 18 * * * COMMAND     (in UTC: CRON_TZ=UTC in the line before)
| multipliers     of $44.37/hr (as last seen, 2026-08-22) and 322 g CO2e/kWh
Neither price nor power: the order of time.
$ stint plan slots --offer gcp/europe-north1/a3-highgpu-1g:on-demand --hours 12 --days 2
| gcp/europe-north1/a3-highgpu-1g: 1x H100-SXM-80GB, on-demand, slots of 12 h within 2 days
| 
| day  start             end               per hour  cost  carbon x  g/kWh
| Sun  2026-11-15 00:00  2026-11-15 12:00    $12.09  $145      1.00     46
| Sun  2026-11-15 12:00  2026-11-16 00:00    $12.09  $145      1.00     46
| Mon  2026-11-16 00:00  2026-11-16 12:00    $12.09  $145      1.00     46
| Mon  2026-11-16 12:00  2026-11-17 00:00    $12.09  $145      1.00     46
| 
| ranked by       time: no slot is cheaper than another
| price           no slot is cheaper: no known pattern
| carbon          no slot is cleaner: a rule of thumb for the grid FI, by local solar time
| multipliers     of $12.09/hr (as last seen, 2026-08-22) and 46 g CO2e/kWh
An offer's own prices: every night cheaper, for ten weeks.
$ awk 'BEGIN { print "provider,region,zone,instance,accelerator,count,spot_usd_h,date"; for (h = 0; h < 1680; h++) { d = int(h / 24) + 1; m = 9; if (d > 30) { d -= 30; m = 10 } if (m == 10 && d > 31) { d -= 31; m = 11 } n = h % 24; printf "aws,us-east-1,use1-az1,p5.48xlarge,H100,8,%.2f,2026-%02d-%02dT%02d:00:00Z\n", (n >= 2 && n < 8 ? 10 : 30) + h * 7919 % 100 / 100, m, d, n } }' >hours.csv
$ stint price import hours.csv --feed hours | tail -2
| 1 offer, 1 of them new; prices: 1 changed, 0 confirmed, 0 gone
| stored in home/.cache/stint/prices.db
$ stint plan slots --offer aws/us-east-1/p5.48xlarge --hours 6 --days 3 --limit 4
| aws/us-east-1/p5.48xlarge: 8x H100-SXM-80GB, spot, slots of 6 h within 3 days
| 
| day  start             end               price x  per hour   cost  carbon x  g/kWh  saves
| Mon  2026-11-16 02:00  2026-11-16 08:00    0.411    $10.75  $64.5      1.00    380   39 %
| Tue  2026-11-17 02:00  2026-11-17 08:00    0.412    $10.76  $64.6      1.00    380   39 %
| Sun  2026-11-15 02:00  2026-11-15 08:00    0.412    $10.77  $64.6      1.00    380   39 %
| Mon  2026-11-16 12:00  2026-11-16 18:00    1.195    $31.24   $187      0.99    377  -78 %
| now  2026-11-15 00:00  2026-11-15 06:00    0.673    $17.59   $106      1.02    385      -
| 
| ranked by       cost, cheapest first
| price           slots differ by up to 191 %: its own prices of 9 weeks, by hour of the week (significant at 0.5 %)
| carbon          slots differ by up to 4.4 %: a rule of thumb for the grid PJM, by local solar time
| crontab         0 2 * * Mon COMMAND     (in UTC: CRON_TZ=UTC in the line before)
| multipliers     of $26.14/hr (mean of its last week, 2026-11-09) and 379 g CO2e/kWh
$ stint plan slots --offer aws/us-east-1/p5.48xlarge --hours 6 --days 3 --limit 1 --json
| {"schema":"stint.plan.slots/1","offer":"aws/us-east-1/p5.48xlarge","provider":"aws","region":"us-east-1","instance":"p5.48xlarge","accelerator":"H100-SXM-80GB","count":8,"market":"spot","price":{"amount":"26.143333333","currency":"USD"},"price_kind":"mean of its last week","price_date":"2026-11-09","hours":6,"days":3,"aim":"cost","ranked":"cost","price_basis":"history","price_why":"its own prices of 9 weeks, by hour of the week (significant at 0.5 %)","price_swing":1.913404,"carbon_basis":"rule of thumb","carbon_why":"a rule of thumb for the grid PJM, by local solar time","carbon_swing":0.044218,"carbon_g_kwh":379.069,"crontab":"0 2 * * Mon COMMAND","slots":[{"day":"Mon","start":"2026-11-16T02:00:00Z","end":"2026-11-16T08:00:00Z","start_h":26,"price_multiplier":0.411356,"per_hour":{"amount":"10.75","currency":"USD"},"cost":{"amount":"64.53","currency":"USD"},"carbon_multiplier":1.003333,"carbon_g_kwh":380.332563,"savings":0.388784}],"now":[{"day":"Sun","start":"2026-11-15T00:00:00Z","end":"2026-11-15T06:00:00Z","start_h":0,"price_multiplier":0.673012,"per_hour":{"amount":"17.59","currency":"USD"},"cost":{"amount":"105.57","currency":"USD"},"carbon_multiplier":1.016667,"carbon_g_kwh":385.386817,"savings":null}],"patterns":[],"flat":[]}
Mistakes.
$ stint plan slots --hours 30 --days 1
! stint: a slot of 30 hours does not fit in 1 day
!   hint: look further ahead: --days 2
? 2
$ stint plan slots --hours 0
! stint: --hours: '0' is not above zero
? 2
$ stint plan slots --offer p5.48xlarg
! stint: there is no offer 'p5.48xlarg'
!   hint: did you mean 'p5.48xlarge'?
? 4
$ stint plan slots --offer p5.48xlarge --gpu H100
! stint: an offer names its GPU
!   hint: leave out --gpu, or --offer
? 2
$ stint plan slots --gpu H100 --aim speed
! stint: --aim: 'speed' is not one of cost, carbon
? 2
