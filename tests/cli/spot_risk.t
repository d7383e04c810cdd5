Two zones, observed for forty hours: one is lost every two hours, one never.
$ awk 'BEGIN { print "trace flaps gap=600 n=240 nodes=2 start=- od=3.06 spot=0.9731"; printf "a "; for (i = 0; i < 240; i++) printf "%s", (i % 12 < 8 ? "2" : "0"); print "\ntrace calm gap=600 n=240 nodes=1 start=- od=- spot=-"; printf "a "; for (i = 0; i < 240; i++) printf "1"; print "" }' >t.trc
$ stint spot risk --traces t.trc --for 30min
| where              risk  when new  available      losses   spot/h  on-demand/h
| flaps       38 % (38 %)      17 %       67 %  20 in 27 h  $0.9731        $3.06
| calm   0 % (0 to 2.4 %)         ?      100 %   0 in 40 h        ?            ?
| 
| risk of losing it within 30min, with its 90 % interval; taken at a random moment
| when new: the same, taken as soon as one is available again
| available: share of the time
| measured: watched for 40 h, every 600 s
$ stint spot risk --traces t.trc --for 30min --zones flaps --gang 2 --json | sed 's/\([0-9][.][0-9]\{6\}\)[0-9]*/\1/g'
| {"schema":"stint.spot.risk/1","places":[{"place":"flaps","method":"watched for 40 h, every 600 s","spot":{"amount":"0.9731","currency":"USD"},"on_demand":{"amount":"3.06","currency":"USD"},"seen":null,"risk":0.375,"risk_low":0.375,"risk_high":0.375,"risk_new":0.168302,"spells":20,"interruptions":20,"watched_h":40,"up":0.666666,"mean_usd":null,"error_usd":null,"p10_usd":null,"p50_usd":null,"p90_usd":null,"on_demand_usd":null,"savings":null,"on_time":null,"hours_p10":null,"hours_p50":null,"hours_p90":null,"expected_interruptions":null,"overhead":null,"save_every":null,"worth":null}],"hours":0.5,"interval":0.9,"gang":2,"runs":null,"work_h":null,"deadline_h":null,"delay_h":null,"policy":null}
A job: its cost, how far that spreads, and whether it is in time.
$ stint spot risk --traces t.trc --zones flaps --for 2h --work 4h --deadline 9h --policy up
| where           risk  when new  available      losses   spot/h  on-demand/h
| flaps  100 % (100 %)      96 %       67 %  20 in 27 h  $0.9731        $3.06
| 
| risk of losing it within 2h, with its 90 % interval; taken at a random moment
| when new: the same, taken as soon as one is available again
| available: share of the time
| measured: watched for 40 h, every 600 s
| 
| where   cost   10 %   50 %   90 %  on-demand  savings  in time  done (50 %)  done (90 %)  losses  save every
| flaps  $5.08  $4.18  $5.26  $6.09      $12.6     60 %    100 %       6.30 h       7.47 h     3.3           -
| 
| a job of 4h to be done in 9h, 200 simulated runs each, policy: up
$ stint spot risk --traces t.trc --zones flaps --for 2h --work 4h --deadline 5h --spot-only
| where           risk  when new  available      losses   spot/h  on-demand/h
| flaps  100 % (100 %)      96 %       67 %  20 in 27 h  $0.9731        $3.06
| 
| risk of losing it within 2h, with its 90 % interval; taken at a random moment
| when new: the same, taken as soon as one is available again
| available: share of the time
| measured: watched for 40 h, every 600 s
| 
| where   cost   10 %   50 %   90 %  on-demand  savings  in time  done (50 %)  done (90 %)  losses  save every
| flaps  $4.33  $4.18  $4.28  $4.48      $12.6     66 %    8.5 %       6.53 h       8.05 h     3.5           -
| 
| a job of 4h to be done in 5h, 200 simulated runs each, policy: spot alone
$ stint spot risk --traces t.trc --zones calm --work 4h
! stint: what a job costs needs both prices of calm
!   hint: add --spot '$0.97/hr' --on-demand '$3.06/hr'
? 2
$ stint spot risk --traces t.trc --zones flaps --work 4h --deadline 4h
! stint: not even on-demand makes a deadline of 4 h
!   hint: the earliest that can be promised is 4.2 h, in steps of 0.117 h
? 6
$ stint spot risk --traces t.trc --zones flaps --deadline 4h
! stint: --deadline needs --work
!   hint: add --work 48h
? 2
Observed for too short a time, or never available.
$ stint spot risk --traces t.trc --for 7d
| where  risk  when new  available      losses   spot/h  on-demand/h
| flaps     ?     100 %       67 %  20 in 27 h  $0.9731        $3.06
| calm      ?         ?      100 %   0 in 40 h        ?            ?
| 
| risk of losing it within 7d, with its 90 % interval; taken at a random moment
| when new: the same, taken as soon as one is available again
| available: share of the time
| measured: watched for 40 h, every 600 s
! stint: note: 'flaps' was watched for 40 h: too short for a risk within 168 h
! stint: note: 'calm' was watched for 40 h: too short for a risk within 168 h
$ stint spot risk --traces t.trc --gang 3
! stint: a gang of 3: 'flaps' was watched for 2 at most
!   hint: choose other traces with --zones, or a smaller --gang
? 3
A given rate.
$ stint spot risk --mtbf 5h --for 2h
| where     risk
| as given  33 %
| 
| risk of losing it within 2h
| as given: the same at every age, which is seldom true
$ stint spot risk
! stint: no machine is named
!   hint: give one of an offer ('stint price spot' lists them), --traces FILE, or --mtbf 5h
? 2
$ stint spot risk --traces none.trc
! stint: cannot open 'none.trc': No such file or directory
? 4
$ stint spot risk --traces t.trc --zones flpas
! stint: the traces have no zone 'flpas'
!   hint: did you mean 'flaps'?
? 4
$ stint spot risk p5.48xlarge
| where                                    risk  when new  available  spot/h  on-demand/h
| aws/ap-south-1/p5.48xlarge  58 % (24 to 94 %)      90 %       53 %  $17.96       $66.05
| 
| risk of losing it within 24h, with its 90 % interval; taken at a random moment
| when new: the same, taken as soon as one is available again
| available: share of the time
| spot price from 2026-08-22
| modeled from machines of the provider that were watched, by how near spot is to
|   on-demand; its own price history is too short to count (observed for 1 d)
! stint: note: no prices are kept yet, so these are built in: 494 of 689 from 2026-08-22 (85 days old), the newest from 2026-11-09; 'stint price fetch skypilot' gets today's
! stint: note: 'p5.48xlarge' means aws/ap-south-1/p5.48xlarge: of 9 it is expected to cost least, losses included
An offer, whose prices are kept.
$ awk 'BEGIN { print "date,instance_type,accelerator,count,zone_or_region,on_demand_usd_h,spot_usd_h"; for (d = 0; d < 60; d++) { m = d < 15 ? 9 : d < 46 ? 10 : 11; n = d < 15 ? 16 + d : d < 46 ? d - 14 : d - 45; t = sprintf("2026-%02d-%02d", m, n); print t ",p5.48xlarge,H100,8,use1-az1,55.04," (d == 20 || d == 40 ? "" : 20 + d % 3); print t ",p5.48xlarge,H100,8,use1-az2,55.04," 25 } }' >aws_gpu_price_history.csv
$ stint price import aws_gpu_price_history.csv --provider aws | tail -1
| stored in home/.cache/stint/prices.db
$ stint spot risk p5.48xlarge --for 2h
| where                                            risk  when new  available  spot/h  on-demand/h
| aws/us-east-1/use1-az1/p5.48xlarge  37 % (13 to 76 %)      72 %       53 %  $22.00       $55.04
| 
| risk of losing it within 2h, with its 90 % interval; taken at a random moment
| when new: the same, taken as soon as one is available again
| available: share of the time
| spot price from 2026-11-14
| modeled from machines of the provider that were watched, by how near spot is to
|   on-demand, and from losses of its own price (observed for 60 d)
! stint: note: 'p5.48xlarge' means aws/us-east-1/use1-az1/p5.48xlarge: of 2 it is expected to cost least, losses included
$ stint spot risk aws/us-east-1/use1-az2/p5.48xlarge --for 24h --gang 4
| where                                               risk  when new  available  spot/h  on-demand/h
| aws/us-east-1/use1-az2/p5.48xlarge  99 % (79 to >99.9 %)    99.8 %       53 %  $25.00       $55.04
| 
| risk of losing the gang within 24h, with its 90 % interval; taken at a random moment
| when new: the same, taken as soon as one is available again
| available: share of the time
| spot price from 2026-11-14
| modeled from machines of the provider that were watched, by how near spot is to
|   on-demand, and from losses of its own price (observed for 60 d)
! stint: warning: one machine of 4 was watched at a time: losing any of a gang is more likely than this
$ stint spot risk p4d.24xlarge --for 24h
! stint: the price store has no price of 'p4d.24xlarge'
!   hint: did you mean 'p5.48xlarge'?
? 4
Less than one interval; policies that give no advice; loose deadlines.
$ stint spot risk --traces t.trc --zones flaps --for 1min
| where         risk  when new  available      losses   spot/h  on-demand/h
| flaps  13 % (13 %)     6.4 %       67 %  20 in 27 h  $0.9731        $3.06
| 
| risk of losing it within 1min, with its 90 % interval; taken at a random moment
| when new: the same, taken as soon as one is available again
| available: share of the time
| measured: watched for 40 h, every 600 s
! stint: warning: 'flaps' was watched every 600 s only: its risk is within that time, not less
$ stint spot risk --traces t.trc --zones flaps --for 2h --work 4h --deadline 9h --policy on-demand --runs 5 | tail -5
| 
| where   cost   10 %   50 %   90 %  on-demand  savings  in time  done (50 %)  done (90 %)  losses  save every
| flaps  $12.6  $12.6  $12.6  $12.6      $12.6      0 %    100 %       4.20 h       4.20 h     0.0           -
| 
| a job of 4h to be done in 9h, 5 simulated runs each, policy: on-demand
$ stint spot risk --traces t.trc --zones flaps --for 2h --work 4h --deadline 9h --policy optimal --runs 5 | grep yardstick
| optimal knows the future, so it is only a yardstick
$ stint spot risk --traces t.trc --zones flaps --for 2h --work 4h --deadline 600000h --runs 5 --json | sed 's/.*"on_time":\([^,]*\),.*"worth":\("[a-z]*"\).*/\1 \2/'
| 1 "yes"
$ stint spot risk --traces t.trc --zones flaps --for 2h --work 4h --runs 5 --json | sed 's/.*"on_time":\([^,]*\),.*/\1/'
| null
$ stint spot risk --traces t.trc --zones flaps --work 600000h
! stint: a job of 600000 h is too long to be simulated
!   hint: at most about 23333 h of work are
? 6
