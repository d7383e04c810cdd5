$ "$STINT_TEST_LEDGER" home/.local/share/stint/ledger.db
$ stint show bert
| run             019d0001-0000-7000-8000-0000aaaa0001
| name            bert
| state           done
| started         2026-11-13 18:00:00 UTC, took 16min40s
| command         python train.py --lr 3e-4
| folder          /home/ann/nlp
| commit          4f1c2aa90b7e
| by              ann on ip-10-0-0-7
| tags            project=search
|                 team=nlp
| environment     os=Debian 12
|                 python=3.11.2
|                 torch=2.3.0
| 
| price           $0.4000/hr, aws/us-east-1/g5.xlarge spot
|                 spot history of 2026-11-14
| cost            $0.1167 of a budget of $0.2500 (46 %)
| made of         compute      $0.1111   95 %
|                 storage     $0.00556    5 %
| paid for        set-up       $0.0167   14 %
|                 data wait   $0.00556    5 %
|                 train        $0.0833   71 %
|                 checkpoint  $0.00556    5 %
| estimate        $0.1100, 13min20s; it cost 6.1 % more than that; it took 25 % more than that
| cost per step   $0.0000583
| checkpoints     1.2 GB kept: $0.0276 a month in the provider's object store, not in the cost
| 
| energy          58.3 Wh within 5 %, counter; 210 W on average; GPUs 47.2 Wh; processor 11.1 Wh
| carbon          22.2 g CO2e
| GPU             1x NVIDIA A10G, busy 83 % of the time, at most 9.5 GB of 24 GB
| processor       1.60 cores busy on average
| memory          at most 6.5 GB
| storage         12 GB read, 3 GB written
| network         1.5 GB received, 2 MB sent, by the entire machine
| score           61/100; 70 by utilization and memory alone
| progress        step 2,000 of 2,000
| metric          1.6 at the end, 1.6 at best
| 
| GPU busy        ___#########################################################  5 % to 90 %
| power           -*.+::#.*_::-*.+::#.*_::-*.+::#.*_::-*.+::#.*_::-*.+::#.*_::  205 W to 212.5 W
| metric          ##**+++====:::::-------............_________________________  1.6 to 3.8846
| 
| metric    values  first  last  lowest, at step  highest, at step  over time
| loss        2000      4   1.5   1.375 at 1,950            4 at 1  #-__
| val_loss       5   2.75   2.5         2 at 800       2.75 at 400  #_-+
| 
| at (UTC)             attempt  event      about
| 2026-11-13 18:01:00        1  phase      train, after 60 s of set-up
| 2026-11-13 18:16:40        1  budget-50  $0.125 of $0.25
| 
| checkpoint     at (UTC)              step    size    took  metric  cost by then  now
| out/step-800   2026-11-13 18:06:40    800  1.2 GB  4.50 s       2       $0.0467  removed
| out/step-1600  2026-11-13 18:13:20  1,600  1.2 GB  4.50 s       2       $0.0933  kept, best
| 
| verdict         the cost was as predicted, within 10 %
|                 the time was 25 % more than predicted
|                 it kept to its budget and left 53 % of it
|                 at most 40 % of the GPU's memory was used (9.5 GB): a smaller
|                 GPU, or a larger batch, may cost less
|                 $0.0167 (14 %) went into setting up: an image that has it all,
|                 or a cache
$ LC_ALL=C.UTF-8 stint show aaaa0001 | grep -E 'GPU busy|metric'
| metric          1.6 at the end, 1.6 at best
| GPU busy        ▁▁▁█████████████████████████████████████████████████████████  5 % to 90 %
| metric          ██▇▇▆▆▆▅▅▅▅▄▄▄▄▄▃▃▃▃▃▃▃▂▂▂▂▂▂▂▂▂▂▂▂▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁  1.6 to 3.8846
| metric    values  first  last  lowest, at step  highest, at step  over time
| checkpoint     at (UTC)              step    size    took  metric  cost by then  now
$ stint show bert-wide
| run             019d0002-0000-7000-8000-0000bbbb0002
| name            bert-wide
| state           done (2 attempts)
| started         2026-11-14 04:00:00 UTC, took 18min20s
| command         python train.py --lr 3e-4 --wide
| folder          /home/ann/nlp
| commit          91d20c3f55aa
| by              ann on ip-10-0-0-7
| tags            project=ads
|                 team=nlp
| environment     os=Debian 12
|                 python=3.12.1
|                 torch=2.3.0
| 
| price           $0.4000/hr, aws/us-east-1/g5.xlarge spot
|                 spot history of 2026-11-14
| cost            $0.1283
| made of         compute      $0.1222   95 %
|                 storage     $0.00611    5 %
| paid for        set-up       $0.0183   14 %
|                 data wait   $0.00611    5 %
|                 train        $0.0917   71 %
|                 checkpoint  $0.00611    5 %
| cost per step   $0.0000675
| 
| energy          64.2 Wh within 5 %, counter; 210 W on average; GPUs 51.9 Wh; processor 12.2 Wh
| carbon          24.4 g CO2e
| GPU             1x NVIDIA A10G, busy 83 % of the time, at most 9.5 GB of 24 GB
| processor       1.60 cores busy on average
| memory          at most 6.5 GB
| storage         24 GB read, 6 GB written
| network         3 GB received, 4 MB sent, by the entire machine
| score           61/100; 70 by utilization and memory alone
| progress        step 1,900 of 2,000
| metric          1.4091 at the end, 1.4091 at best
| 
| GPU busy        ___##############################__:########################  5 % to 90 %
| power           -*.*.*_:::::#.*.*.+:::::-*.*.*_:::::#.*.*.+:::::-*.*.*_:::::  205 W to 212.5 W
| metric          ##*++==:::------.........._______.__________________________  1.4091 to 3.8125
| 
| metric                values  first  last  lowest, at step  highest, at step  over time
| loss (attempt 2)        2000      4   1.5   1.375 at 1,950            4 at 1  #-__
| val_loss (attempt 2)       5   2.75   2.5         2 at 800       2.75 at 400  #_-+
| 
| attempt  started (UTC)           took     cost  state       step  work lost before  where
|       1  2026-11-14 04:00:00    10min  $0.0700  preempted  1,200                 -  ip-10-0-0-7
|       2  2026-11-14 06:00:00  8min20s  $0.0583  done       1,900          2.50 min  ip-10-0-0-9
| 
| price from (UTC)     an hour  offer                    source
| 2026-11-14 04:00:00  $0.4000  aws/us-east-1/g5.xlarge  spot history of 2026-11-14
| 2026-11-14 06:00:00  $0.5000  aws/us-east-1/g5.xlarge  spot history of 2026-11-14
| 
| at (UTC)             attempt  event   about
| 2026-11-14 04:10:00        1  notice  the cloud takes it in 2 min
| 
| checkpoint     at (UTC)             step    size    took  metric  cost by then  now
| wide/step-900  2026-11-14 04:07:30   900  1.2 GB  4.50 s       2       $0.0525  kept, best
| 
| verdict         at most 40 % of the GPU's memory was used (9.5 GB): a smaller
|                 GPU, or a larger batch, may cost less
|                 $0.0183 (14 %) went into setting up: an image that has it all,
|                 or a cache
|                 14 % of the work was repeated: save more often
$ stint show last
| run             019d0006-0000-7000-8000-0000ffff0006
| name            gpt
| state           running
| started         2026-11-14 23:58:00 UTC, took 2min
| command         python train.py --lr 3e-4
| folder          /home/ann/nlp
| commit          4f1c2aa90b7e
| by              ann on ip-10-0-0-7
| 
| price           $0.4000/hr, aws/us-east-1/g5.xlarge spot
|                 spot history of 2026-11-14
| cost            $0.0140
| made of         compute       $0.0133   95 %
|                 storage     $0.000667    5 %
| paid for        set-up         $0.002   14 %
|                 data wait   $0.000667    5 %
|                 train         $0.0100   71 %
|                 checkpoint  $0.000667    5 %
| cost per step   $0.0000583
| 
| energy          7 Wh within 5 %, counter; 210 W on average; GPUs 5.7 Wh; processor 1.3 Wh
| carbon          2.7 g CO2e
| GPU             1x NVIDIA A10G, busy 83 % of the time, at most 9.5 GB of 24 GB
| processor       1.60 cores busy on average
| memory          at most 6.5 GB
| storage         12 GB read, 3 GB written
| network         1.5 GB received, 2 MB sent, by the entire machine
| score           61/100; 70 by utilization and memory alone
| progress        step 240 of 2,000
| metric          3.3684 at the end, 3.3684 at best
| 
| GPU busy        _____#######  5 % to 90 %
| power           -+#_-+#_-+#_  205 W to 212.5 W
| metric          ##*+=::-..__  3.3684 to 3.9348
| 
| verdict         at most 40 % of the GPU's memory was used (9.5 GB): a smaller
|                 GPU, or a larger batch, may cost less
|                 $0.002 (14 %) went into setting up: an image that has it all, or
|                 a cache
$ stint show 019d0005
| run             019d0005-0000-7000-8000-0000eeee0005
| name            vit
| state           stopped (budget)
| started         2026-11-14 19:00:00 UTC, took 5min40s
| command         python train.py --lr 3e-4
| folder          /home/ann/nlp
| commit          4f1c2aa90b7e
| by              ann on ip-10-0-0-7
| 
| price           $0.4000/hr, aws/us-east-1/g5.xlarge spot
|                 spot history of 2026-11-14
| cost            $0.0397 of a budget of $0.0400 (99 %)
| made of         compute      $0.0378   95 %
|                 storage     $0.00189    5 %
| paid for        set-up      $0.00567   14 %
|                 data wait   $0.00189    5 %
|                 train        $0.0283   71 %
|                 checkpoint  $0.00189    5 %
| cost per step   $0.0000583
| 
| energy          19.8 Wh within 5 %, counter; 210 W on average; GPUs 16.1 Wh; processor 3.8 Wh
| carbon          7.5 g CO2e
| GPU             1x NVIDIA A10G, busy 83 % of the time, at most 9.5 GB of 24 GB
| processor       1.60 cores busy on average
| memory          at most 6.5 GB
| storage         12 GB read, 3 GB written
| network         1.5 GB received, 2 MB sent, by the entire machine
| score           61/100; 70 by utilization and memory alone
| progress        step 680 of 2,000
| metric          3.6408 at the end, 3.6408 at best
| 
| GPU busy        _____#############################  5 % to 90 %
| power           -+#_-+#_-+#_-+#_-+#_-+#_-+#_-+#_-+  205 W to 212.5 W
| metric          ####****++++====::::----....._____  3.6408 to 3.988
| 
| verdict         it kept to its budget and left 0.8 % of it
|                 at most 40 % of the GPU's memory was used (9.5 GB): a smaller
|                 GPU, or a larger batch, may cost less
|                 $0.0057 (14 %) went into setting up: an image that has it all,
|                 or a cache
$ stint show prepare
| run             019d0004-0000-7000-8000-0000dddd0004
| name            prepare
| state           lost: its supervisor is gone; last update 2026-11-14 16:00:42
| started         2026-11-14 16:00:00 UTC, took 42s
| command         ./prepare.sh
| folder          /home/ann/nlp
| by              ann on ip-10-0-0-7
| 
| price           ?
| cost            ?
| 
| energy          ?
| carbon          ?
| processor       1.90 cores busy on average
| memory          at most 250 MB
$ stint show cccc0003 --json
| {"schema":"stint.show/1","run":{"id":"019d0003-0000-7000-8000-0000cccc0003","short_id":"cccc0003","name":"prepare","state":"failed","started":"2026-11-14T14:00:00Z","ended":"2026-11-14T14:00:42Z","duration":42,"cost":null,"budget":null,"budget_share":null,"energy_kwh":null,"energy_method":null,"energy_error":null,"carbon_g":null,"gpu":null,"gpus":null,"gpu_busy":null,"score":null,"status":3,"reason":null,"attempts":1,"interruptions":0,"lost_s":null,"step":null,"steps":null,"step_s":null,"startup_s":null,"gpu_watts":null,"loss":null,"best":null,"user":"ann","host":"ip-10-0-0-7","folder":"/home/ann/nlp","command":"./prepare.sh","commit":null,"tags":[],"facts":[],"offer":null,"market":null,"price":null,"price_source":null,"electricity":null,"estimated_cost":null,"estimated_time":null,"origin":"run"},"last_update":"2026-11-14T14:00:42Z","ledger":"home/.local/share/stint/ledger.db","costs":[],"phases":[],"gpu_kwh":null,"cpu_kwh":null,"mean_watts":null,"cpu_s":80,"cpu_cores":1.9047619047619047,"memory_peak_bytes":250000000,"read_bytes":null,"written_bytes":null,"received_bytes":null,"sent_bytes":null,"gpu_memory_peak_bytes":null,"gpu_memory_total_bytes":null,"gpu_memory_run_bytes":null,"pays":null,"share":null,"sharers":null,"seed_score":null,"cost_per_step":null,"checkpoint_bytes":null,"checkpoint_month":null,"cost_over_estimate":null,"time_over_estimate":null,"attempts":[{"number":1,"state":"failed","started":"2026-11-14T14:00:00Z","ended":"2026-11-14T14:00:42Z","duration":42,"cost":null,"status":3,"reason":null,"host":"ip-10-0-0-7","offer":null,"price":null,"price_source":null,"step":null,"lost_s":null}],"prices":[{"attempt":1,"from":"2026-11-14T14:00:00Z","until":"2026-11-14T14:00:42Z","price":null,"offer":null,"source":null}],"events":[],"checkpoints":[],"devices":[],"idle_gpus":null,"idle_gpu_cost_usd":null,"samples":[],"metrics":[],"verdict":[]}
$ stint show bert --json | tr '{' '\n' | grep -c at_s
| 102

Mistakes
$ stint show
! stint: show needs a RUN
!   hint: stint show last
? 2
$ stint show brt
! stint: there is no run 'brt'
!   hint: did you mean 'bert'?
? 4
$ stint show 019d000
! stint: several runs have ids that start or end with '019d000'
!   hint: give more of it: 019d0006-0000-7000-8000-0000ffff0006, 019d0005-0000-7000-8000-0000eeee0005, 019d0004-0000-7000-8000-0000dddd0004
? 3
$ stint show 1
! stint: there is no run '1'
!   hint: 'stint runs' lists them; 'last' is the newest
? 4
