$ "$STINT_TEST_LEDGER" home/.local/share/stint/ledger.db
$ stint compare bert bert-wide
|                          aaaa0001     bbbb0002
| name                         bert    bert-wide
| state                        done         done
| cost                      $0.1167      $0.1283
| took                     16min40s     18min20s
| energy                    58.3 Wh      64.2 Wh
| carbon                22.2 g CO2e  24.4 g CO2e
| GPU busy                     83 %         83 %
| score                          61           61
| step                        2,000        1,900
| metric, last                  1.6       1.4091
| metric, best                  1.6       1.4091
| cost per step          $0.0000583   $0.0000675
| time per step              500 ms       579 ms
| cost per 1 of metric      $0.0511      $0.0534
| cost to target            $0.1167      $0.0700
| time to target           16min40s        10min
| 
| of the metric, lower is better; the target is the value that all reached: 1.6
| 
| last value, lowest to highest         aaaa0001         bbbb0002
| loss                           1.5, 1.375 to 4  1.5, 1.375 to 4
| val_loss                        2.5, 2 to 2.75   2.5, 2 to 2.75
| 
| they differ in
|   name          bert
|                 bert-wide
|   command       python train.py --lr 3e-4
|                 python train.py --lr 3e-4 --wide
|   commit        4f1c2aa90b7e
|                 91d20c3f55aa
|   project       search
|                 ads
|   python        3.11.2
|                 3.12.1
| 
| cost                  aaaa0001 (bert) cost less: 9.1 %
| time                  aaaa0001 (bert) took less: 9.1 %
| energy                aaaa0001 (bert) used less: 9.1 %
| cost per step         aaaa0001 (bert) paid less for a step: 13.6 %
| cost per improvement  aaaa0001 (bert) paid less for a gain: 4.4 %
| cost to target        bbbb0002 (bert-wide) got as good for less: 40.0 %
$ stint compare aaaa0001 vit gpt
|                          aaaa0001    eeee0005    ffff0006
| name                         bert         vit         gpt
| state                        done     stopped     running
| cost                      $0.1167     $0.0397     $0.0140
| took                     16min40s     5min40s        2min
| energy                    58.3 Wh     19.8 Wh        7 Wh
| carbon                22.2 g CO2e  7.5 g CO2e  2.7 g CO2e
| GPU busy                     83 %        83 %        83 %
| score                          61          61          61
| step                        2,000         680         240
| metric, last                  1.6      3.6408      3.3684
| metric, best                  1.6      3.6408      3.3684
| cost per step          $0.0000583  $0.0000583  $0.0000583
| time per step              500 ms      500 ms      500 ms
| cost per 1 of metric      $0.0511     $0.1142     $0.0247
| cost to target           $0.00467     $0.0397    $0.00817
| time to target                40s     5min40s     1min10s
| 
| of the metric, lower is better; the target is the value that all reached: 3.6408
| 
| they differ in
|   name          bert
|                 vit
|                 gpt
|   project       search
|                 -
|                 -
|   team          nlp
|                 -
|                 -
|   os            Debian 12
|                 -
|                 -
|   python        3.11.2
|                 -
|                 -
|   torch         2.3.0
|                 -
|                 -
| 
| not all of them are done, so cost, time and energy are not compared
| 
| cost per improvement  ffff0006 (gpt) paid less for a gain: 51.6 % below the next
| cost to target        aaaa0001 (bert) got as good for less: 42.9 % below the next
$ stint compare cccc0003 dddd0004
|        cccc0003  dddd0004
| name    prepare   prepare
| state    failed      lost
| cost          ?         ?
| took        42s       42s
| 
| they differ in nothing that is recorded
| 
| not all of them are done, so cost, time and energy are not compared
$ stint compare cccc0003 dddd0004 --json
| {"schema":"stint.compare/1","runs":[{"run":{"id":"019d0003-0000-7000-8000-0000cccc0003","short_id":"cccc0003","name":"prepare","state":"failed","started":"2026-11-14T14:00:00Z","ended":"2026-11-14T14:00:42Z","duration":42,"cost":null,"budget":null,"budget_share":null,"energy_kwh":null,"energy_method":null,"energy_error":null,"carbon_g":null,"gpu":null,"gpus":null,"gpu_busy":null,"score":null,"status":3,"reason":null,"attempts":1,"interruptions":0,"lost_s":null,"step":null,"steps":null,"step_s":null,"startup_s":null,"gpu_watts":null,"loss":null,"best":null,"user":"ann","host":"ip-10-0-0-7","folder":"/home/ann/nlp","command":"./prepare.sh","commit":null,"tags":[],"facts":[],"offer":null,"market":null,"price":null,"price_source":null,"electricity":null,"estimated_cost":null,"estimated_time":null,"origin":"run"},"first":null,"improvement":null,"cost_per_step":null,"cost_per_improvement":null,"s_per_step":null,"wh_per_step":null,"cost_to_target":null,"time_to_target":null},{"run":{"id":"019d0004-0000-7000-8000-0000dddd0004","short_id":"dddd0004","name":"prepare","state":"lost","started":"2026-11-14T16:00:00Z","ended":null,"duration":42,"cost":null,"budget":null,"budget_share":null,"energy_kwh":null,"energy_method":null,"energy_error":null,"carbon_g":null,"gpu":null,"gpus":null,"gpu_busy":null,"score":null,"status":null,"reason":null,"attempts":1,"interruptions":0,"lost_s":null,"step":null,"steps":null,"step_s":null,"startup_s":null,"gpu_watts":null,"loss":null,"best":null,"user":"ann","host":"ip-10-0-0-7","folder":"/home/ann/nlp","command":"./prepare.sh","commit":null,"tags":[],"facts":[],"offer":null,"market":null,"price":null,"price_source":null,"electricity":null,"estimated_cost":null,"estimated_time":null,"origin":"run"},"first":null,"improvement":null,"cost_per_step":null,"cost_per_improvement":null,"s_per_step":null,"wh_per_step":null,"cost_to_target":null,"time_to_target":null}],"differences":[],"measures":[],"metrics":[],"metric":null,"target":null,"unfinished":true}

Mistakes
$ stint compare bert
! stint: compare needs 2 to 16 runs, not 1
!   hint: 'stint runs' lists them; 'stint compare 1a2b3c4d last'
? 2
$ stint compare
! stint: compare needs a RUN
!   hint: stint compare 1a2b3c4d last
? 2
$ stint compare bert bret-wide
! stint: there is no run 'bret-wide'
!   hint: did you mean 'bert-wide'?
? 4
