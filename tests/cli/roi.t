Is faster or rented hardware worth its price? A job, on the own machine and rented.
$ ln -s "$cases/../../examples" examples
$ stint roi examples/llama-7b-lora.yaml --local rtx4090 --value-of-time 50usd/hr --runs 10/month
| job             examples/llama-7b-lora.yaml
| waiting         $50.00/hr, all of a run
| your machine    desktop-rtx4090 (1x RTX4090): $0.1044/hr electricity, $0.1483/hr wear
| 
|    way         GPUs                   time  money  waiting  total  saves   pays from  runs a day  further run  market     where
|    local       1x RTX4090           9.38 h  $2.37     $469   $471      -           -        2.56            -  own        desktop-rtx4090
|    cheapest    1x H100-SXM-80GB     2.18 h  $4.32     $109   $114  +$358  $0.2710/hr        11.0        $4.91  on-demand  cudo/no-kristiansand-1/sapphire-rapids-h100_1x12v24gb
| *  best value  8x H100-SXM-80GB   21.7 min  $5.72    $18.1  $23.8  +$448  $0.3715/hr        66.4        $5.85  on-demand  cudo/no-kristiansand-1/sapphire-rapids-h100_8x96v192gb
|    on spot     16x H100-SXM-80GB  21.4 min  $8.35    $17.8  $26.2  +$445  $0.6628/hr        67.3        $8.59  spot       nebius/eu-north1/gpu-h100-sxm_8gpu-128vcpu-1600gb
|    fastest     8x H100-SXM-80GB   18.7 min  $9.94    $15.6  $25.5  +$446  $0.8349/hr        77.1        $10.2  on-demand  runpod/*/8x_H100-SXM_SECURE
| saves: money and time, compared with the first; pays from: value of an hour from which
| the faster of both is worth its price; further run: of each run a day more than your machine has time for
| 4 prices, read between 2026-08-22 and 2026-11-09; the newest is 6 days old
| 
| buying one      $2,600, by money alone: paid back after 779 runs (6.48 years at 10 a month), instead of the cheapest
|                 with time: never paid back, instead of the best value
! stint: warning: 3 of 4 prices are more than 30 days old (oldest: 2026-08-22); 'stint price doctor' shows what to run
$ stint roi examples/llama-7b-lora.yaml --local rtx4090 --value-of-time 0usd/hr
| job             examples/llama-7b-lora.yaml
| waiting         $0.00/hr, all of a run
| your machine    desktop-rtx4090 (1x RTX4090): $0.1044/hr electricity, $0.1483/hr wear
| 
|    way       GPUs                  time  money  waiting  total   saves   pays from  runs a day  further run  market     where
| *  local     1x RTX4090          9.38 h  $2.37    $0.00  $2.37       -           -        2.56            -  own        desktop-rtx4090
|    cheapest  1x H100-SXM-80GB    2.18 h  $4.32    $0.00  $4.32  -$1.95  $0.2710/hr        11.0        $4.91  on-demand  cudo/no-kristiansand-1/sapphire-rapids-h100_1x12v24gb
|    on spot   8x H100-SXM-80GB  30.7 min  $6.32    $0.00  $6.32  -$3.95  $0.4455/hr        46.9        $6.55  spot       nebius/eu-north1/gpu-h100-sxm_8gpu-128vcpu-1600gb
|    fastest   8x H100-NVL-94GB  20.0 min  $8.52    $0.00  $8.52  -$6.15  $0.6799/hr        71.9        $8.75  on-demand  runpod/*/8x_H100-NVL_SECURE
| saves: money and time, compared with the first; pays from: value of an hour from which
| the faster of both is worth its price; further run: of each run a day more than your machine has time for
| 3 prices, read between 2026-08-22 and 2026-11-09; the newest is 6 days old
| 
| buying one      $2,600, by money alone: paid back after 779 runs, instead of the cheapest
|                 with time: paid back after 779 runs, instead of the best value
! stint: warning: 2 of 3 prices are more than 30 days old (oldest: 2026-08-22); 'stint price doctor' shows what to run
$ stint roi examples/llama-7b-lora.yaml --local desktop-rtx3070 --waiting 25% --provider aws
| job             examples/llama-7b-lora.yaml
| waiting         $50.00/hr, 25 % of a run
| your machine    desktop-rtx3070 (1x RTX3070): $0.0624/hr electricity, $0.0856/hr wear
| 
|    way         GPUs                   time  money  waiting  total   saves  pays from  runs a day  further run  market     where
|    cheapest    1x H100-SXM-80GB     4.21 h  $8.10    $52.6  $60.7       -          -        5.70            -  spot       aws/ap-south-1/p5.4xlarge
| *  best value  32x A100-SXM-40GB  33.5 min  $12.8    $6.99  $19.7  +$41.0   $1.27/hr        42.9        $13.5  spot       aws/eu-north-1/p4d.24xlarge
|    on demand   8x H100-SXM-80GB   22.7 min  $20.8    $4.73  $25.5  +$35.2   $3.32/hr        63.5        $22.1  on-demand  aws/us-east-1/p5.48xlarge
|    fastest     32x A100-SXM-40GB  17.3 min  $25.4    $3.61  $29.0  +$31.8   $4.40/hr        83.1        $26.6  on-demand  aws/us-east-1/p4d.24xlarge
| saves: money and time, compared with the first; pays from: value of an hour from which
| the faster of both is worth its price; further run: of each run a day more than the first has time for
| 4 prices, read on 2026-08-22; the newest is 85 days old
| note: no setting of the job fits desktop-rtx3070 (1x RTX3070, 8 GB)
! stint: warning: all 4 prices are old (newest: 2026-08-22, 85 days); 'stint price fetch skypilot' updates them
$ stint roi examples/llama-7b-lora.yaml --market on-demand --provider lambda
| job             examples/llama-7b-lora.yaml
| waiting         $50.00/hr, all of a run
| 
|    way         GPUs                  time  money  waiting  total   saves   pays from  runs a day  further run  market     where
|    cheapest    1x H100-SXM-80GB    2.17 h  $9.37     $108   $118       -           -        11.1            -  on-demand  lambda/*/gpu_1x_h100_sxm5
| *  best value  8x H100-SXM-80GB  20.7 min  $11.2    $17.2  $28.4  +$89.3  $0.9876/hr        69.6        $11.5  on-demand  lambda/*/gpu_8x_h100_sxm5
| saves: money and time, compared with the first; pays from: value of an hour from which
| the faster of both is worth its price; further run: of each run a day more than the first has time for
| 2 prices, read on 2026-08-22; the newest is 85 days old
| note: no machine of your own: --local rtx4090 adds one
! stint: warning: all 2 prices are old (newest: 2026-08-22, 85 days); 'stint price fetch skypilot' updates them
$ stint roi examples/lora-40-images.yaml --local rtx3070 --electricity 0.12usd/kWh --price 600usd --runs 3/day
| job             examples/lora-40-images.yaml
| waiting         $50.00/hr, all of a run
| your machine    desktop-rtx3070 (1x RTX3070): $0.0454/hr electricity, $0.0342/hr wear
| 
|    way         GPUs             time   money  waiting  total   saves   pays from  runs a day  further run  market     where
|    cheapest    1x RTXA5000  51.5 min  $0.232    $42.9  $43.2       -           -        27.9            -  on-demand  runpod/*/1x_RTXA5000_SECURE
| *  best value  1x MI300X    11.6 min  $0.464    $9.70  $10.2  +$33.0  $0.3492/hr         124       $0.532  on-demand  runpod/*/1x_MI300X_SECURE
|    on spot     1x MI300X    18.4 min  $0.505    $15.4  $15.9  +$27.3  $0.4951/hr        78.1       $0.657  spot       runpod/*/1x_MI300X_SECURE
| saves: money and time, compared with the first; pays from: value of an hour from which
| the faster of both is worth its price; further run: of each run a day more than the first has time for
| 3 prices, read on 2026-08-22; the newest is 85 days old
| note: no setting of the job fits desktop-rtx3070 (1x RTX3070, 8 GB)
! stint: warning: all 3 prices are old (newest: 2026-08-22, 85 days); 'stint price fetch skypilot' updates them
$ STINT_MACHINE=desktop-rtx4090 stint roi examples/lora-40-images.yaml --json
| {"schema":"stint.roi/1","job":"examples/lora-40-images.yaml","value_of_time":{"amount":"50","currency":"USD"},"waiting":1,"local":{"machine":"desktop-rtx4090","gpu":"RTX4090","gpus":1,"electricity":{"amount":"0.104445","currency":"USD"},"wear":{"amount":"0.1483","currency":"USD"},"tariff":{"amount":"0.165","currency":"USD"}},"options":[{"way":"local","where":"desktop-rtx4090","market":"own","gpu":"RTX4090","gpus":1,"hours":0.6372212655597203,"hours_low":0.5003551971446584,"hours_high":0.8116087011926157,"money":{"amount":"0.1611","currency":"USD"},"money_low":{"amount":"0.1265","currency":"USD"},"money_high":{"amount":"0.2052","currency":"USD"},"waiting":{"amount":"31.86","currency":"USD"},"total":{"amount":"32.02","currency":"USD"},"net":null,"ratio":null,"break_even":null,"runs_day":37.66352646583281,"further_run":null,"base":true,"best":false,"price_date":null},{"way":"cheapest","where":"runpod/*/1x_RTXA5000_SECURE","market":"on-demand","gpu":"RTXA5000","gpus":1,"hours":0.8588349339605812,"hours_low":0.687672046910378,"hours_high":1.0760212765132429,"money":{"amount":"0.2319","currency":"USD"},"money_low":{"amount":"0.182708543","currency":"USD"},"money_high":{"amount":"0.295241715","currency":"USD"},"waiting":{"amount":"42.94","currency":"USD"},"total":{"amount":"43.17","currency":"USD"},"net":{"amount":"-11.15","currency":"USD"},"ratio":-157.50682796670975,"break_even":{"amount":"0","currency":"USD"},"runs_day":27.94483439247425,"further_run":null,"base":false,"best":false,"price_date":"2026-08-22"},{"way":"best value","where":"runpod/*/1x_MI300X_SECURE","market":"on-demand","gpu":"MI300X","gpus":1,"hours":0.19396943536695832,"hours_low":0.16112578622149737,"hours_high":0.2366181881325299,"money":{"amount":"0.4641","currency":"USD"},"money_low":{"amount":"0.378373836","currency":"USD"},"money_high":{"amount":"0.575947414","currency":"USD"},"waiting":{"amount":"9.7","currency":"USD"},"total":{"amount":"10.16","currency":"USD"},"net":{"amount":"21.86","currency":"USD"},"ratio":72.14386636844254,"break_even":{"amount":"0.6836","currency":"USD"},"runs_day":123.73083395637019,"further_run":{"amount":"0.5967","currency":"USD"},"base":false,"best":true,"price_date":"2026-08-22"},{"way":"on spot","where":"runpod/*/1x_MI300X_SECURE","market":"spot","gpu":"MI300X","gpus":1,"hours":0.3072190360600995,"hours_low":0.25519952993494305,"hours_high":0.37476838314675054,"money":{"amount":"0.505","currency":"USD"},"money_low":{"amount":"0.283414898","currency":"USD"},"money_high":{"amount":"0.892031378","currency":"USD"},"waiting":{"amount":"15.36","currency":"USD"},"total":{"amount":"15.87","currency":"USD"},"net":{"amount":"16.16","currency":"USD"},"ratio":46.97938783070961,"break_even":{"amount":"1.04","currency":"USD"},"runs_day":78.12015917954062,"further_run":{"amount":"0.8252","currency":"USD"},"base":false,"best":false,"price_date":"2026-08-22"}],"purchase":{"price":{"amount":"2599","currency":"USD"},"saved_run":{"amount":"0.1653","currency":"USD"},"saved_run_total":{"amount":"-21.77","currency":"USD"},"runs":15719,"runs_total":null,"runs_month":null,"months":null,"months_total":null,"most_runs_month":1145},"runs":[],"days":null,"left_out":null,"age":{"newest":"2026-08-22","oldest":"2026-08-22","newest_days":85,"stale":3,"future":0,"total":3},"notes":[],"svg":null}
! stint: warning: all 3 prices are old (newest: 2026-08-22, 85 days); 'stint price fetch skypilot' updates them
$ stint roi examples/lora-40-images.yaml --local rtx3070 --svg roi.svg >/dev/null; head -c 60 roi.svg; echo; grep -c '<title>' roi.svg
| <svg xmlns="http://www.w3.org/2000/svg" role="img" width="10
| 48
! stint: warning: all 3 prices are old (newest: 2026-08-22, 85 days); 'stint price fetch skypilot' updates them
Past runs.
$ stint roi --local rtx4090
! stint: there is no ledger 'home/.local/share/stint/ledger.db' yet
!   hint: 'stint run -- COMMAND' makes it
? 4
$ "$STINT_TEST_LEDGER" home/.local/share/stint/ledger.db why
$ stint roi --local rtx4090 --since 365d
| waiting         $50.00/hr, all of a run
| your machine    desktop-rtx4090 (1x RTX4090): $0.1044/hr electricity, $0.1483/hr wear
| 
| run          id        GPU                        time   cost  time on yours  cost on yours  renting saved
| idle         00000005  NVIDIA H100 80GB HBM3  43.0 min  $5.48         3.20 h         $0.808          +$119
| unseen       00000006  NVIDIA A100-SXM4-80GB    2.00 h  $7.52         3.91 h         $0.988         +$88.9
| slow-data    00000002  NVIDIA A100-SXM4-80GB    1.40 h  $5.36         2.74 h         $0.692         +$62.2
| slow-steps   00000003  NVIDIA A100-SXM4-80GB    1.30 h  $5.00         2.54 h         $0.642         +$57.7
| restarted    00000007  NVIDIA A100-SXM4-80GB    1.25 h  $5.14         2.44 h         $0.618         +$55.1
| as-planned   00000001  NVIDIA A100-SXM4-80GB    1.05 h  $4.10         2.05 h         $0.519         +$46.5
| other-price  00000004  NVIDIA A100-SXM4-80GB    1.05 h  $5.23         2.05 h         $0.519         +$45.4
| october      00000008  NVIDIA A100-SXM4-80GB    1.00 h  $3.56         1.95 h         $0.494         +$44.7
| october      00000009  NVIDIA A100-SXM4-80GB    1.00 h  $3.56         1.95 h         $0.494         +$44.7
| 
| invested        $45.0 for 9 rented runs in 365 days
| with time       $583 rented; on your machine $1,150
| return          +$564, 1,260 % of the $45.0 that was paid; saved 12.1 h of waiting
| note: 9 runs without a recorded peak of GPU memory: assumed to fit
$ stint roi --local rtx3060 --since 365d --value-of-time 0usd/hr --json
| {"schema":"stint.roi/1","job":null,"value_of_time":{"amount":"0","currency":"USD"},"waiting":1,"local":{"machine":"desktop-rtx3060","gpu":"RTX3060","gpus":1,"electricity":{"amount":"0.05313","currency":"USD"},"wear":{"amount":"0.0759","currency":"USD"},"tariff":{"amount":"0.165","currency":"USD"}},"options":[],"past":{"runs":9,"infeasible":0,"invested":{"amount":"44.954","currency":"USD"},"invested_feasible":{"amount":"44.954","currency":"USD"},"cloud_total":{"amount":"44.95","currency":"USD"},"local_total":{"amount":"12.55","currency":"USD"},"net":{"amount":"-32.41","currency":"USD"},"ratio":-0.7208826470943638,"average":{"amount":"-3.6","currency":"USD"},"hours_saved":86.5107548497069},"runs":[{"id":"00000008","name":"october","gpu":"NVIDIA A100-SXM4-80GB","cost":{"amount":"3.56","currency":"USD"},"hours":1,"local_hours":8.324622898680081,"local_cost":{"amount":"1.07","currency":"USD"},"net":{"amount":"-2.49","currency":"USD"},"why_not":null},{"id":"00000009","name":"october","gpu":"NVIDIA A100-SXM4-80GB","cost":{"amount":"3.56","currency":"USD"},"hours":1,"local_hours":8.324622898680081,"local_cost":{"amount":"1.07","currency":"USD"},"net":{"amount":"-2.49","currency":"USD"},"why_not":null},{"id":"00000001","name":"as-planned","gpu":"NVIDIA A100-SXM4-80GB","cost":{"amount":"4.1","currency":"USD"},"hours":1.05,"local_hours":8.740854043614085,"local_cost":{"amount":"1.13","currency":"USD"},"net":{"amount":"-2.97","currency":"USD"},"why_not":null},{"id":"00000003","name":"slow-steps","gpu":"NVIDIA A100-SXM4-80GB","cost":{"amount":"5","currency":"USD"},"hours":1.3,"local_hours":10.822009768284106,"local_cost":{"amount":"1.4","currency":"USD"},"net":{"amount":"-3.6","currency":"USD"},"why_not":null},{"id":"00000005","name":"idle","gpu":"NVIDIA H100 80GB HBM3","cost":{"amount":"5.48","currency":"USD"},"hours":0.7166666666666667,"local_hours":13.61496138463876,"local_cost":{"amount":"1.76","currency":"USD"},"net":{"amount":"-3.72","currency":"USD"},"why_not":null},{"id":"00000007","name":"restarted","gpu":"NVIDIA A100-SXM4-80GB","cost":{"amount":"5.14","currency":"USD"},"hours":1.25,"local_hours":10.405778623350102,"local_cost":{"amount":"1.34","currency":"USD"},"net":{"amount":"-3.8","currency":"USD"},"why_not":null},{"id":"00000002","name":"slow-data","gpu":"NVIDIA A100-SXM4-80GB","cost":{"amount":"5.36","currency":"USD"},"hours":1.4,"local_hours":11.654472058152113,"local_cost":{"amount":"1.5","currency":"USD"},"net":{"amount":"-3.86","currency":"USD"},"why_not":null},{"id":"00000004","name":"other-price","gpu":"NVIDIA A100-SXM4-80GB","cost":{"amount":"5.234","currency":"USD"},"hours":1.05,"local_hours":8.740854043614085,"local_cost":{"amount":"1.13","currency":"USD"},"net":{"amount":"-4.11","currency":"USD"},"why_not":null},{"id":"00000006","name":"unseen","gpu":"NVIDIA A100-SXM4-80GB","cost":{"amount":"7.52","currency":"USD"},"hours":2,"local_hours":16.649245797360162,"local_cost":{"amount":"2.15","currency":"USD"},"net":{"amount":"-5.37","currency":"USD"},"why_not":null}],"days":365,"left_out":0,"age":{"newest":null,"oldest":null,"newest_days":null,"stale":null,"future":null,"total":null},"notes":["9 runs without a recorded peak of GPU memory: assumed to fit"],"svg":null}
$ stint roi --local rtx4090 --since 365d --svg past.svg >/dev/null; grep -c '<title>' past.svg
| 10
$ stint roi --local rtx4090 --until 2020-01-31 --since 2020-01-01
! stint: the ledger has no rented runs with a known GPU in these 31 days
!   hint: 'stint run --offer OFFER -- COMMAND' records them, --since 365d looks further back; 'stint roi JOB' needs none
? 4
Mistakes.
$ stint roi
! stint: roi needs your own machine to compare with
!   hint: add --local rtx4090, or set 'machine' (stint init); 'stint catalog show local' lists machines
? 2
$ stint roi nosuchmodel --local rtx4090
! stint: there is no model 'nosuchmodel'
!   hint: 'stint catalog show models' lists them; or give params: 7B, or the path of a config.json
? 4
$ stint roi examples/serve-8b.yaml
! stint: roi is about runs that end, and 'examples/serve-8b.yaml' does not
!   hint: 'stint plan JOB --serve' compares ways to serve a model
? 2
$ stint roi examples/lora-40-images.yaml --local rtx9090
! stint: --local: there is no machine 'rtx9090'
!   hint: 'stint catalog show local' lists them; yours goes to local.csv in your catalog folder
? 4
$ stint roi examples/lora-40-images.yaml --local desktop-rtx4O90
! stint: --local: there is no machine 'desktop-rtx4O90'
!   hint: did you mean 'desktop-rtx4090'?
? 4
$ stint roi examples/lora-40-images.yaml --local H100
! stint: --local: there is no machine 'H100'
!   hint: 'stint catalog show local' lists them; yours goes to local.csv in your catalog folder
? 4
$ stint roi examples/lora-40-images.yaml --local rtx4090 --runs 10
! stint: --runs: '10' is not a number of runs
!   hint: such as 10/month, 3/day, 2/week or 50/year
? 2
$ stint roi examples/lora-40-images.yaml --local rtx4090 --runs 0/day
! stint: --runs: '0/day' is not a number of runs
!   hint: such as 10/month, 3/day, 2/week or 50/year
? 2
$ stint roi examples/lora-40-images.yaml --local rtx4090 --value-of-time 50
! stint: --value-of-time: price '50' does not say per what
!   hint: write it as 2.49usd/hr
? 2
$ stint roi examples/lora-40-images.yaml --local rtx4090 --value-of-time -1usd/hr
! stint: --value-of-time: price '-1usd/hr' is less than zero
? 2
$ stint roi examples/lora-40-images.yaml --local rtx4090 --value-of-time 9000000usd/hr
! stint: --value-of-time: the value of an hour must be $0 to $100,000
!   hint: such as --value-of-time 50usd/hr
? 2
$ stint roi examples/lora-40-images.yaml --local rtx4090 --waiting 150%
! stint: --waiting: '150%' is not a share from 0 to 1
!   hint: write it as 20% or 0.2
? 2
$ stint roi examples/lora-40-images.yaml --local rtx4090 --price 0usd
! stint: --price: '0usd' is not above zero
? 2
$ stint roi examples/lora-40-images.yaml --price 100usd
! stint: roi needs your own machine to compare with
!   hint: add --local rtx4090, or set 'machine' (stint init); 'stint catalog show local' lists machines
? 2
$ stint roi examples/lora-40-images.yaml --provider nosuch
! stint: there is no provider 'nosuch'
!   hint: 'stint catalog show providers' lists them
? 4
Figures of the user's own, without a job: the two options of the DeepSpeed guide, 900 % on the extra money.
$ stint roi --way 500usd:40h --way 800usd:10h --value-of-time 100usd/hr
| waiting         $100.00/hr, all of a run
| 
|    way    time  money  waiting   total    saves  return  pays from  runs a day  further run
|    A    40.0 h   $500   $4,000  $4,500        -       -          -       0.600            -
| *  B    10.0 h   $800   $1,000  $1,800  +$2,700   900 %  $10.00/hr        2.40         $900
| saves: money and time, compared with the first; return: that, over the money paid more;
| pays from: value of an hour from which the faster of both is worth its price;
| further run: of each run a day more than the first has time for
$ stint roi --way cloud=10usd:2h --local rtx3070 --local-time 12h --runs 10/month | tail -9
|    way      time  money  waiting  total  saves   return   pays from  runs a day  further run
|    local  12.0 h  $1.78     $600   $602      -        -           -        2.00            -
| *  cloud  2.00 h  $10.0     $100   $110  +$492  5,980 %  $0.8220/hr        12.0        $11.6
| saves: money and time, compared with the first; return: that, over the money paid more;
| pays from: value of an hour from which the faster of both is worth its price;
| further run: of each run a day more than the first has time for
| 
| buying one      $1,500, by money alone: paid back after 163 runs (16.2 months at 10 a month), instead of the cheapest
|                 with time: never paid back, instead of the best value
$ stint roi --way '$100:4h' --way 'slow=$50:12h' --json | grep -o '"runs_day":[0-9.]*'
| "runs_day":2
| "runs_day":6
$ stint roi --way 500usd
! stint: --way: '500usd' is not a way to do a run
!   hint: write what it costs and how long it takes: 500usd:40h, or with a name: spot=800usd:10h
? 2
$ stint roi --way 500usd:40h
! stint: one way alone has nothing to be compared with
!   hint: --way 500usd:40h --way 800usd:10h; or --way 10usd:2h --local rtx3070 --local-time 12h
? 2
$ stint roi examples/llama-7b-lora.yaml --way 5usd:2h
! stint: --way and --local-time compare figures of your own, not a job
!   hint: leave out the job, or these options
? 2
Ways have names of their own, in either order; an option's other names lead to it.
$ stint roi --way 500usd:40h --way 10h:800usd | sed -n '4,6p'
|    A    40.0 h   $500   $2,000  $2,500        -       -          -       0.600            -
| *  B    10.0 h   $800     $500  $1,300  +$1,200   400 %  $10.00/hr        2.40         $900
| saves: money and time, compared with the first; return: that, over the money paid more;
$ stint roi --way a=500usd:40h --way A=800usd:10h
! stint: --way: two ways are called 'A'
!   hint: --way spot=500usd:40h names one
? 2
$ stint roi --way 'B=500usd:40h' --way 800usd:10h
! stint: --way: two ways are called 'B'
!   hint: --way spot=500usd:40h names one
? 2
$ stint roi --way 500usd:40h --way 800usd:10h --hour-worth 20usd/hr
! stint: roi has no option '--hour-worth'
!   hint: did you mean '--value-of-time'?
? 2
$ stint plan llama-3.1-8b --lora --batch-size 8
! stint: plan has no option '--batch-size'
!   hint: did you mean '--batch'?
? 2
