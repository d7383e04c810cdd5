Nothing is kept yet.
$ stint spot fleet --gpus 32
| machines  offer                      gpus            market    price  per GPU  all/h  risk  observed
|       32  aws/us-east-1/inf1.xlarge  1x Inferentia1  spot    $0.0517  $0.0517  $1.65  44 %       1 d
| 
| GPUs            32, from 24 spot pools to choose from; no other choice is cheaper
| price           $1.65/hr at first, $2.88/hr with on-demand replacements for lost machines
| on-demand       $7.30/hr: it saves 60 %
| risk            44 % to lose more than 50 % of them within 24h; 44 % are interrupted on average
| modeled: a pool is lost as a unit; pools of one region and of one GPU sometimes
|   fail together
| 477 prices, read between 2025-09-30 and 2026-09-20; the newest is 56 days old
! stint: note: no prices are kept yet, so these are built in: 494 of 689 from 2026-08-22 (85 days old), the newest from 2026-11-09; 'stint price fetch skypilot' gets today's
Sixty days of five pools.
$ awk 'BEGIN { print "date,instance_type,accelerator,count,zone_or_region,on_demand_usd_h,spot_usd_h"; for (d = 0; d < 60; d++) { m = d < 15 ? 9 : d < 46 ? 10 : 11; n = d < 15 ? 16 + d : d < 46 ? d - 14 : d - 45; t = sprintf("2026-%02d-%02d", m, n); print t ",p5.48xlarge,H100,8,use1-az1,55.04," 20; print t ",p5.48xlarge,H100,8,use1-az2,55.04," 21; print t ",p5.48xlarge,H100,8,use2-az1,55.04," 24; print t ",p5.48xlarge,H100,8,usw2-az1,55.04," 26; if (d > 55) print t ",p5en.48xlarge,H200,8,use1-az2,63.3,15" } }' >aws_gpu_price_history.csv
$ stint price import aws_gpu_price_history.csv --provider aws | tail -1
| stored in home/.cache/stint/prices.db
$ stint spot fleet --gpus 32 --gpu H100 --for 4h
| machines  offer                               gpus              market   price  per GPU   all/h  risk  observed
|        4  aws/us-east-1/use1-az1/p5.48xlarge  8x H100-SXM-80GB  spot    $20.00    $2.50  $80.00  42 %      60 d
| 
| GPUs            32, from 4 spot pools to choose from; no other choice is cheaper
| price           $80.00/hr at first, $109.43/hr with on-demand replacements for lost machines
| on-demand       $220.16/hr: it saves 50 %
| risk            42 % to lose more than 50 % of them within 4h; 42 % are interrupted on average
| modeled: a pool is lost as a unit; pools of one region and of one GPU sometimes
|   fail together
| 4 prices, read on 2026-11-14; the newest is 1 day old
! stint: note: 'H100' means H100-SXM-80GB, the SXM form with the most memory
$ stint spot fleet --gpus 32 --for 4h --max-risk 25%
| machines  offer                               gpus              market      price  per GPU   all/h  risk  observed
|        1  aws/us-east-1/use1-az1/p5.48xlarge  8x H100-SXM-80GB  spot       $20.00    $2.50  $20.00  42 %      60 d
|        1  aws/us-east-1/use1-az2/p5.48xlarge  8x H100-SXM-80GB  spot       $21.00    $2.63  $21.00  48 %      60 d
|        1  aws/us-east-2/use2-az1/p5.48xlarge  8x H100-SXM-80GB  spot       $24.00    $3.00  $24.00  66 %      60 d
|        1  aws/us-east-1/use1-az1/p5.48xlarge  8x H100-SXM-80GB  on-demand  $55.04    $6.88  $55.04   0 %         -
| 
| GPUs            32, from 4 spot pools to choose from; no other choice is cheaper
| price           $120.04/hr at first, $145.75/hr with on-demand replacements for lost machines
| on-demand       $220.16/hr: it saves 34 %
| risk            25 % to lose more than 50 % of them within 4h; 39 % are interrupted on average
| modeled: a pool is lost as a unit; pools of one region and of one GPU sometimes
|   fail together
| 5 prices, read on 2026-11-14; the newest is 1 day old
! stint: note: 1 left out, their risk is unknown: 'stint price spot --for 24h' explains why
$ stint spot fleet --gpus 32 --for 4h --max-lost 10%
| machines  offer                               gpus              market      price  per GPU    all/h  risk  observed
|        4  aws/us-east-1/use1-az1/p5.48xlarge  8x H100-SXM-80GB  on-demand  $55.04    $6.88  $220.16   0 %         -
| 
| GPUs            32, from 4 spot pools to choose from; no other choice is cheaper
| price           $220.16/hr at first, $220.16/hr with on-demand replacements for lost machines
| on-demand       $220.16/hr: it saves 0 %
| risk            0 % to lose more than 50 % of them within 4h; 0 % are interrupted on average
| modeled: a pool is lost as a unit; pools of one region and of one GPU sometimes
|   fail together
| 5 prices, read on 2026-11-14; the newest is 1 day old
! stint: note: 1 left out, their risk is unknown: 'stint price spot --for 24h' explains why
$ stint spot fleet --gpus 32 --for 4h --max-risk 1% --no-on-demand
! stint: note: 1 left out, their risk is unknown: 'stint price spot --for 24h' explains why
! stint: no set of these pools meets the risk limit
!   hint: raise --max-risk, add providers or regions, or let on-demand in
? 6
$ stint spot fleet --gpus 32 --for 4h --max-risk 25% --json | sed 's/\([0-9][.][0-9]\{6\}\)[0-9]*/\1/g'
| {"schema":"stint.spot.fleet/1","pools":[{"offer":"aws/us-east-1/use1-az1/p5.48xlarge","market":"spot","accelerator":"H100-SXM-80GB","machines":1,"gpus":8,"price":{"amount":"20","currency":"USD"},"per_gpu":{"amount":"2.5","currency":"USD"},"sum":{"amount":"20","currency":"USD"},"risk":0.419945,"history_days":60,"span_days":60},{"offer":"aws/us-east-1/use1-az2/p5.48xlarge","market":"spot","accelerator":"H100-SXM-80GB","machines":1,"gpus":8,"price":{"amount":"21","currency":"USD"},"per_gpu":{"amount":"2.625","currency":"USD"},"sum":{"amount":"21","currency":"USD"},"risk":0.476038,"history_days":60,"span_days":60},{"offer":"aws/us-east-2/use2-az1/p5.48xlarge","market":"spot","accelerator":"H100-SXM-80GB","machines":1,"gpus":8,"price":{"amount":"24","currency":"USD"},"per_gpu":{"amount":"3","currency":"USD"},"sum":{"amount":"24","currency":"USD"},"risk":0.660614,"history_days":60,"span_days":60},{"offer":"aws/us-east-1/use1-az1/p5.48xlarge","market":"on-demand","accelerator":"H100-SXM-80GB","machines":1,"gpus":8,"price":{"amount":"55.04","currency":"USD"},"per_gpu":{"amount":"6.88","currency":"USD"},"sum":{"amount":"55.04","currency":"USD"},"risk":0,"history_days":null,"span_days":null}],"gpus":32,"candidates":4,"hours":4,"price":{"amount":"120.04","currency":"USD"},"expected":{"amount":"145.75","currency":"USD"},"on_demand":{"amount":"220.16","currency":"USD"},"savings":0.337970,"risk":0.248608,"lost_share":0.5,"lost":0.389149,"exact":true,"age":{"newest":"2026-11-14","oldest":"2026-11-14","newest_days":1,"stale":0,"future":0,"total":5},"jobs":[],"jobs_usd":null,"jobs_on_demand_usd":null,"jobs_savings":null}
! stint: note: 1 left out, their risk is unknown: 'stint price spot --for 24h' explains why
Jobs: critical ones on demand, the others where they cost less.
$ stint spot fleet --gpu H100 --job train:10h --job pay:3h:critical:by=9h,big:40h:once
| job      work      by  machines  market     offer                                 cost  90 %  on-demand  observed  why
| train  10.0 h       -         1  spot       aws/us-east-1/use1-az1/p5.48xlarge    $209  $220       $556      60 d  costs less
| pay    3.00 h  9.00 h         1  on-demand  aws/us-east-1/use1-az1/p5.48xlarge    $171     -       $171         -  critical
| big    40.0 h       -         1  on-demand  aws/us-east-1/use1-az1/p5.48xlarge  $2,210     -     $2,210         -  spot would cost more
| 
| all jobs        $2,590 expected, $2,930 on demand: it saves 12 %
| 4 prices, read on 2026-11-14; the newest is 1 day old
! stint: note: 'H100' means H100-SXM-80GB, the SXM form with the most memory
$ printf '# this week\nsweep:6h:4\neval:1h # short\n' >week.txt
$ stint spot fleet --gpu H100 --jobs week.txt --json | sed 's/\([0-9][.][0-9]\{6\}\)[0-9]*/\1/g'
| {"schema":"stint.spot.fleet/1","pools":[],"gpus":null,"candidates":null,"hours":24,"price":null,"expected":null,"on_demand":null,"savings":null,"risk":null,"lost_share":0.5,"lost":null,"exact":false,"age":{"newest":"2026-11-14","oldest":"2026-11-14","newest_days":1,"stale":0,"future":0,"total":4},"jobs":[{"job":"sweep","market":"spot","offer":"aws/us-east-1/use1-az1/p5.48xlarge","reason":"costs less","machines":4,"hours":6,"deadline_h":null,"history_days":60,"span_days":60,"cost_usd":{"amount":"504.32","currency":"USD"},"p90_usd":{"amount":"536","currency":"USD"},"on_demand_usd":{"amount":"1342.98","currency":"USD"}},{"job":"eval","market":"spot","offer":"aws/us-east-1/use1-az1/p5.48xlarge","reason":"costs less","machines":1,"hours":1,"deadline_h":null,"history_days":60,"span_days":60,"cost_usd":{"amount":"23.15","currency":"USD"},"p90_usd":{"amount":"26","currency":"USD"},"on_demand_usd":{"amount":"60.54","currency":"USD"}}],"jobs_usd":{"amount":"527.47","currency":"USD"},"jobs_on_demand_usd":{"amount":"1403.52","currency":"USD"},"jobs_savings":0.624180}
! stint: note: 'H100' means H100-SXM-80GB, the SXM form with the most memory
! stint: warning: one machine of 4 was watched at a time: losing any of a gang is more likely than this
Mistakes.
$ stint spot fleet
! stint: how many GPUs, or which jobs?
!   hint: stint spot fleet --gpus 64 --gpu H100 --max-risk 5%, or --job train:48h:by=60h
? 2
$ stint spot fleet --gpus 0
! stint: --gpus: '0' is not 1 or more
? 2
$ stint spot fleet --gpus 100000
! stint: --gpus is at most 512
? 2
$ stint spot fleet --job train
! stint: job 'train': its hours of work are not a time
!   hint: write NAME:HOURS, then any of :MACHINES, :critical, :once, :by=TIME, such as train:48h:4:by=60h
? 2
$ stint spot fleet --job train:10h:soon
! stint: job 'train:10h:soon': what follows the hours is not known
!   hint: write NAME:HOURS, then any of :MACHINES, :critical, :once, :by=TIME, such as train:48h:4:by=60h
? 2
$ stint spot fleet --gpu H100 --job train:10h:by=5h
! stint: note: 'H100' means H100-SXM-80GB, the SXM form with the most memory
! stint: job 'train': not even on-demand makes a deadline of 5 h
!   hint: the earliest that can be promised is 10.1 h
? 6
$ stint spot fleet --jobs none.txt
! stint: cannot open 'none.txt': No such file or directory
? 4
$ stint spot fleet --gpus 8 --gpu H100 --max-price 1usd/hr --no-on-demand
! stint: note: 'H100' means H100-SXM-80GB, the SXM form with the most memory
! stint: no machine of a known risk passes the filters
!   hint: leave out a filter, or raise --max-price
? 6
$ stint spot fleet --gpus 8 --gpu H100 --max-price 1usd/hr
! stint: note: 'H100' means H100-SXM-80GB, the SXM form with the most memory
! stint: no machine of a known risk passes the filters
!   hint: leave out a filter, or raise --max-price
? 6
$ stint spot fleet --gpu H100 --max-price 1usd/hr --job train:10h
! stint: note: 'H100' means H100-SXM-80GB, the SXM form with the most memory
! stint: job 'train': no machine passes the filters
!   hint: leave out a filter, or raise --max-price
? 6
$ stint spot fleet --gpu H100 --max-price 30usd/hr --job pay:3h:critical
! stint: note: 'H100' means H100-SXM-80GB, the SXM form with the most memory
! stint: job 'pay': it needs on-demand, and no such machine passes
!   hint: raise --max-price, or leave out another filter
? 6
$ printf '# nothing yet\n' >none.txt
$ stint spot fleet --jobs none.txt
! stint: 'none.txt' holds no jobs
!   hint: write one a line, such as train:48h:4:by=60h
? 3
Complete machines, and no on-demand option that qualifies.
$ stint spot fleet --gpus 7 --gpu H100 --for 4h --max-price 30usd/hr
| machines  offer                               gpus              market   price  per GPU   all/h  risk  observed
|        1  aws/us-east-1/use1-az1/p5.48xlarge  8x H100-SXM-80GB  spot    $20.00    $2.50  $20.00  42 %      60 d
| 
| GPUs            8, from 4 spot pools to choose from; no other choice is cheaper
| price           $20.00/hr at first, $27.36/hr with on-demand replacements for lost machines
| on-demand       none passes the filters
| risk            42 % to lose more than 50 % of them within 4h; 42 % are interrupted on average
| modeled: a pool is lost as a unit; pools of one region and of one GPU sometimes
|   fail together
| 4 prices, read on 2026-11-14; the newest is 1 day old
! stint: note: 'H100' means H100-SXM-80GB, the SXM form with the most memory
$ stint spot fleet --gpu H100 --max-price 30usd/hr --job train:10h:2
| job      work  by  machines  market  offer                               cost  90 %  on-demand  observed  why
| train  10.0 h   -         2  spot    aws/us-east-1/use1-az1/p5.48xlarge  $417  $440          -      60 d  no on-demand machine passes
| 
| all jobs        $417 expected
| 4 prices, read on 2026-11-14; the newest is 1 day old
! stint: note: 'H100' means H100-SXM-80GB, the SXM form with the most memory
! stint: warning: one machine of 2 was watched at a time: losing any of a gang is more likely than this
Offers of unknown risk: left out while there are others, else used with a note.
$ printf 'provider,region,instance,accelerator,count,on_demand_usd_h,spot_usd_h,date\naws,eu-1,new.8x,H100,8,50,10,2026-11-14\n' >new.csv
$ HOME=fresh stint price import new.csv | tail -1
| stored in fresh/.cache/stint/prices.db
$ HOME=fresh stint spot fleet --job train:10h
| job      work  by  machines  market  offer            cost  90 %  on-demand  observed  why
| train  10.0 h   -         1  spot    aws/eu-1/new.8x  $102  $106       $505       1 d  costs less
| 
| all jobs        $102 expected, $505 on demand: it saves 80 %
| 1 price, read on 2026-11-14; it is 1 day old
! stint: note: the risk of this offer is unknown (less than 14 days with data): jobs on spot rest on machines watched elsewhere alone
$ stint price import new.csv | tail -1
| stored in home/.cache/stint/prices.db
$ stint spot fleet --gpu H100 --job train:10h
| job      work  by  machines  market  offer                               cost  90 %  on-demand  observed  why
| train  10.0 h   -         1  spot    aws/us-east-1/use1-az1/p5.48xlarge  $209  $220       $505      60 d  costs less
| 
| all jobs        $209 expected, $505 on demand: it saves 59 %
| 5 prices, read on 2026-11-14; the newest is 1 day old
! stint: note: 'H100' means H100-SXM-80GB, the SXM form with the most memory
! stint: note: 1 left out, their risk is unknown: 'stint price spot --for 24h' explains why
Jobs on several machines go on such that can be joined; a fleet takes no more than there are.

$ stint spot fleet --gpu H100 --job train:10h:200 2>&1 | grep -E 'left out|no machine|hint'
| stint: note: 5 of 5 offers left out for jobs on 200 machines, which cannot be joined there or are not known to be available (--supply)
| stint: job 'train': no machine passes the filters
|   hint: leave out a filter, or raise --max-price
$ stint spot fleet --gpu H100 --job train:10h:200 --supply aws=200 2>&1 | grep -E 'train' | head -1 | cut -c 1-60
| train  10.0 h   -       200  spot    aws/us-east-1/use1-az1/
$ stint spot fleet --gpu H100 --gpus 16 --max-risk 5% --supply 'aws/p5*=1' 2>&1 | cut -c 1-90
| stint: note: 'H100' means H100-SXM-80GB, the SXM form with the most memory
| stint: note: 1 left out, their risk is unknown: 'stint price spot --for 24h' explains why
| machines  offer                               gpus              market      price  per GPU
|        1  aws/us-east-1/use1-az1/p5.48xlarge  8x H100-SXM-80GB  spot       $20.00    $2.50
|        1  aws/eu-1/new.8x                     8x H100-SXM-80GB  on-demand  $50.00    $6.25
| 
| GPUs            16, from 4 spot pools to choose from; no other choice is cheaper
| price           $70.00/hr at first, $83.14/hr with on-demand replacements for lost machine
| on-demand       $100.00/hr: it saves 17 %
| risk            0 % to lose more than 50 % of them within 24h; 44 % are interrupted on ave
| modeled: a pool is lost as a unit; pools of one region and of one GPU sometimes
|   fail together
| 5 prices, read on 2026-11-14; the newest is 1 day old
Each job goes on what it needs itself: one on a single machine need not be joined with others.
$ awk 'BEGIN { print "date,instance_type,accelerator,count,zone_or_region,on_demand_usd_h,spot_usd_h"; for (d = 1; d < 31; d++) print sprintf("2026-10-%02d", d) ",8x-H100,H100,8,eu-1,16," 8 }' >vast_gpu_price_history.csv; stint price import vast_gpu_price_history.csv --provider vast 2>/dev/null | tail -1
| stored in home/.cache/stint/prices.db
$ stint spot fleet --gpu H100 --job one:10h:critical --job four:10h:4:critical | cut -c 1-90
| job     work  by  machines  market     offer                                 cost  90 %  o
| one   10.0 h   -         1  on-demand  vast/eu-1/8x-H100                     $162     -   
| four  10.0 h   -         4  on-demand  aws/us-east-1/use1-az1/p5.48xlarge  $2,220     -   
| 
| all jobs        $2,390 expected, $2,390 on demand: it saves 0 %
| 6 prices, read between 2026-10-30 and 2026-11-14; the newest is 1 day old
! stint: note: 'H100' means H100-SXM-80GB, the SXM form with the most memory
! stint: note: 2 of 6 offers left out for jobs on 4 machines, which cannot be joined there or are not known to be available (--supply)
! stint: note: 1 left out, their risk is unknown: 'stint price spot --for 24h' explains why
