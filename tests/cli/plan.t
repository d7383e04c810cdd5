Where, on what, how, when and for how much. A model and how much there is to train on are enough.

$ ln -s "$cases/../../examples" examples
$ stint plan llama-2-7b --method lora --tokens 25M
| train llama-2-7b, lora, 25 M tokens
| 
|    plan        cost       80 % range      time  GPUs                        where                    market     price age  setting
| >  best       $1.45   $1.23 to $1.72  36.4 min  1x MI300X                   runpod/*                 on-demand       85 d  bf16, batch 8
|    on spot    $1.37  $0.874 to $2.14    2.10 h  1x RTXPRO6000-Blackwell-SE  nebius/us-central1       spot            85 d  bf16, batch 4 x 2
|    other GPU  $1.47   $1.15 to $1.88    9.81 h  1x RTXA4000                 hyperstack/*             on-demand       81 d  bf16, batch 4 x 2, recompute full, offload all
|    other GPU  $1.48   $1.25 to $1.75    2.27 h  1x RTX5090                  shadeform/oslo-norway-3  on-demand       85 d  bf16, batch 1 x 8
|    other GPU  $1.50   $1.25 to $1.79    5.54 h  1x RTXA5000                 runpod/*                 on-demand       85 d  bf16, batch 4 x 2, recompute full
|    faster     $2.86   $2.42 to $3.41  8.96 min  8x MI300X                   runpod/*                 on-demand       85 d  bf16, zero 1, batch 1
| 
| why             lowest cost without spot; the next GPU, 1x RTXA4000, costs
|                 $0.0212 more and is done 9.21 h later
| rent            runpod/*/1x_MI300X_SECURE, $2.39/hr on-demand, price from
|                 2026-08-22 (85 days old), now $2.19/hr to $2.61/hr
| setting         bf16, batch 8: 137 GB (130 to 144) of 204 on the GPU
| on spot         $1.37: saves $0.0804 (5.5 %), done 1.49 h later; 0.43
|                 interruptions expected
| worth checking  4x RTX5070 of vast would cost $0.897 and take 2.43 h, were its
|                 price still that of 2025-10-27 (384 days old):
|                 vast/*/4x-RTX_5070-32-65536
| prices          from 2025-08-27 to 2026-11-09
| searched        669 offers and 3,456 configurations
| 
| COST AND TIME
|     cost                  time              GPUs         where            market     price age
| >  $1.45  #####       36.4 min  ##########  1x MI300X    runpod/*         on-demand       85 d
|    $2.07  #######     30.4 min  ########    8x RTXA6000  hyperstack/*     on-demand       81 d
|    $2.24  ########    25.9 min  #######     8x RTX5090   yotta/us-east-2  on-demand       85 d
|    $2.49  #########   18.9 min  #####       8x RTX5090   runpod/*         on-demand       85 d
|    $2.86  ##########  8.96 min  ##          8x MI300X    runpod/*         on-demand       85 d
| 
| note            no deadline: plans longer than 90 days are not considered;
|                 --deadline allows them
| note            LoRA of rank 16 on all linear layers
| note            optimizer adamw
| note            framework hf, Hugging Face's model code: choose another with
|                 --set framework
| note            sequences of 2048 tokens
| note            a global batch of 8 (default): --set global_batch=N changes it
! stint: warning: the price of the best plan is 85 days old, 80 % range $2.19/hr to $2.61/hr; 'stint price fetch skypilot' updates prices
A complete job file. A warning is printed once; the rest is the plan.
$ stint plan examples/llama-7b-finetune.yaml 2>err; cat err
| llama-7b-finetune: train llama-7b, full, 655 M tokens
| 
|    plan        cost      80 % range      time  GPUs                        machines  where               market     price age  setting
| >  best       $21.9  $13.8 to $34.4    1.54 h  8x B200-SXM-180GB                  1  gcp/europe-west1    spot            85 d  bf16, zero 1, batch 4
|    other GPU  $35.6  $21.4 to $58.1    14.9 h  2x H100-SXM-80GB                   1  verda/FIN-02        spot            85 d  bf16, zero 2, batch 1 x 16
|    faster     $37.3  $23.5 to $58.9  39.9 min  32x B200-SXM-180GB                 4  gcp/europe-west1    spot            85 d  bf16, zero 1, batch 1
|    other GPU  $37.5  $23.1 to $61.0    2.32 h  16x H200-SXM-141GB                 2  aws/ap-southeast-3  spot            85 d  bf16, zero 1, batch 2
|    other GPU  $37.5  $23.5 to $60.4    7.00 h  8x RTXPRO6000-Blackwell-SE         1  nebius/us-central1  spot            85 d  bf16, zero 1, batch 4
|    on demand  $38.1  $31.7 to $47.5    1.99 h  8x MI300X                          1  runpod/*            on-demand       85 d  bf16, zero 1, batch 4
| 
| why             lowest cost; the next GPU, 2x H100-SXM-80GB, costs $13.7 more
|                 and is done 13.4 h later
| rent            gcp/europe-west1/a4-highgpu-8g, $16.78/hr spot, price from
|                 2026-08-22 (85 days old), now $11.74/hr to $24.00/hr
| command         gcloud compute instances create NAME --machine-type a4-highgpu-8g --zone europe-west1-b --provisioning-model SPOT --instance-termination-action STOP
| setting         bf16, zero 1, batch 4: 83.5 GB (74.5 to 93.7) of 191 on each GPU
| spot            meets the deadline in all simulated runs, 0.12 interruptions
|                 expected, a checkpoint every 33min
| on demand       $38.1: costs $16.2 more (74 %), done 27.2 min later
| prices          from 2025-08-27 to 2026-11-09
| searched        669 offers and 2,601 configurations
| 
| COST AND TIME
|     cost                  time              GPUs                machines  where               market     price age
| >  $21.9  ##            1.54 h  ##########  8x B200-SXM-180GB          1  gcp/europe-west1    spot            85 d
|    $25.5  ##          53.5 min  ######      16x B200-SXM-180GB         2  gcp/europe-west1    spot            85 d
|    $37.3  ###         39.9 min  ####        32x B200-SXM-180GB         4  gcp/europe-west1    spot            85 d
|     $111  ##########  29.0 min  ###         32x B200-SXM-180GB         4  nebius/us-central1  on-demand       85 d
| 
| note            prices far below those of other regions and seen on one day only
|                 are left out: 'stint price doctor' lists them
| note            optimizer adamw
| note            framework hf, Hugging Face's model code: choose another with
|                 --set framework
| note            new accounts of gcp have a quota of 0 GPUs for these machines on
|                 spot (not verified): request an increase first
| stint: warning: the price of the best plan is 85 days old, 80 % range $11.74/hr to $24.00/hr; 'stint price fetch skypilot' updates prices
With all details: the reasons, where the money goes, what each restriction costs, how certain it is.
$ stint plan examples/llama-7b-finetune.yaml --market on-demand --provider aws,lambda --limit 3 --explain 2>/dev/null
| llama-7b-finetune: train llama-7b, full, 655 M tokens
| 
|    plan        cost      80 % range    time  GPUs                machines  where               market     price age  setting
| >  best       $57.3  $44.1 to $76.4  4.14 h  2x B200-SXM-180GB          1  lambda/*            on-demand       85 d  bf16, zero 3, batch 8 x 2
|    pure bf16  $33.5  $26.2 to $43.8  14.6 h  1x GH200-96GB              1  lambda/*            on-demand       85 d  bf16-pure, batch 2 x 16
|    on spot    $37.5  $23.1 to $61.0  2.32 h  16x H200-SXM-141GB         2  aws/ap-southeast-3  spot            85 d  bf16, zero 1, batch 2
|    faster     $61.6  $47.6 to $81.2  1.14 h  8x B200-SXM-180GB          1  lambda/*            on-demand       85 d  bf16, zero 1, batch 4
| 
| why             lowest cost without spot; a faster way, 8x B200-SXM-180GB, costs
|                 $4.36 more and is done 3.00 h sooner
| rent            lambda/*/gpu_2x_b200_sxm6, $13.78/hr on-demand, price from
|                 2026-08-22 (85 days old), now $11.22/hr to $16.93/hr
| setting         bf16, zero 3, batch 8 x 2: probably fits, 173 GB (154 to 194) of
|                 191 on each GPU
| on spot         $37.5: saves $19.8 (35 %), done 1.82 h sooner; 97 % chance of
|                 meeting the deadline, 0.77 interruptions expected
| prices          from 2025-08-27 to 2026-11-09
| searched        669 offers and 1,877 configurations
| 
| COST AND TIME
|     cost                  time              GPUs                machines  where          market     price age
| >  $57.3  ####          4.14 h  ##########  2x B200-SXM-180GB          1  lambda/*       on-demand       85 d
|    $61.6  ####          1.14 h  ###         8x B200-SXM-180GB          1  lambda/*       on-demand       85 d
|     $157  ##########  41.3 min  ##          16x B200-SXM-180GB         2  aws/us-east-1  on-demand       85 d
| 
| WHERE THE MONEY GOES
|   compute               $55.8   97 %  #######################################
|   setup                 $1.15    2 %  #
|   upload              $0.0153    0 %
|   storage             $0.0833    0 %
|   billing              $0.193    0 %
| 
| WHAT EACH RESTRICTION COSTS
| restriction      without it        costs   then  on
| on-demand only   allow spot       +$19.8  $37.5  aws/ap-southeast-3/p5e.48xlarge
| these providers  provider runpod  +$19.2  $38.1  runpod/*/8x_MI300X_SECURE
| 
| RULES OF THUMB
| agrees          an hour or more: spot (on demand costs $19.8 more than spot and
|                 is done 1.8 h later)
| disagrees       fits one GPU: do not shard (sharding over 2 GPUs costs $15.2
|                 less than one GPU and is done 6.2 h sooner)
| does not apply  offload rather than more GPUs (it fits one GPU)
| does not apply  one machine where it fits: more only cost more (machines of this
|                 offer cannot be joined)
| agrees          the narrowest precision that is tolerated (fp32 costs $868 more
|                 than bf16 and is done 63.0 h later, but does not meet the
|                 limits)
| disagrees       the lowest ZeRO stage that fits (ZeRO 3 costs $1.15 less than
|                 ZeRO 0 and is done 5 min sooner)
| agrees          recompute only what does not fit (selective recompute costs
|                 $11.5 more than no recompute and is done 50 min later)
| agrees          the largest micro-batch that fits (a micro-batch of 4 costs
|                 $1.61 more than a micro-batch of 8 and is done 8 min later)
| does not apply  local below an hour, cloud above ten (no machine of your own
|                 would do)
| 
| UNCERTAINTY
| cost            $57.3, 8 of 10 between $44.1 and $76.4: -23 % to +33 %
| time            4.14 h, 8 of 10 between 3.52 h and 5.08 h: -15 % to +23 %
| memory          173 GB (154 to 194) of 191: it probably fits
| on spot         40 % risk of an interruption; 9.0 % more time for checkpoints
|                 and repeated work
| from            the error of predicted against measured times ('stint
|                 validate'), and how far prices of that age move
| 
| NAIVE CHOICES
| choice           cost  best saves       time  GPUs              where     market
| cheapest hour    $107        47 %  4.10 days  1x RTXA6000       lambda/*  on-demand
| as a guide says  $126        54 %     63.1 h  1x A100-SXM-40GB  lambda/*  on-demand
| 
| SETTINGS
| best            2x B200-SXM-180GB, full, bf16, adamw, hf, ZeRO 3, sharded over
|                 2, micro-batch 8 x 2 accumulated x 2 data parallel = 32
|                 sequences of 2048 tokens, 173 GB, 44,900 tokens/s, 12.2 kWh,
|                 4.52 kg CO2e
| pure bf16       1x GH200-96GB, full, bf16-pure, adamw, hf, micro-batch 2 x 16
|                 accumulated = 32 sequences of 2048 tokens, 84.1 GB, 12,500
|                 tokens/s, 20.8 kWh, 7.69 kg CO2e
| on spot         16x H200-SXM-141GB, full, bf16, adamw, hf, ZeRO 1, sharded over
|                 16, micro-batch 2 x 16 data parallel = 32 sequences of 2048
|                 tokens, 49.2 GB, 178,000 tokens/s, 17.5 kWh, 12.5 kg CO2e
| faster          8x B200-SXM-180GB, full, bf16, adamw, hf, ZeRO 1, sharded over
|                 8, micro-batch 4 x 8 data parallel = 32 sequences of 2048
|                 tokens, 83.5 GB, 173,000 tokens/s, 12.6 kWh, 4.64 kg CO2e
| 
| note            optimizer adamw
| note            framework hf, Hugging Face's model code: choose another with
|                 --set framework
For programs: one object, with a schema; the time that the search took is all that changes.
$ printf '%s\n' 'tr ",{" "\n\n" | grep -E "^\"($1)\":" | head -$2' >keys.sh
$ stint plan llama-2-7b --method lora --tokens 25M --json 2>/dev/null >plan.json; sh keys.sh 'schema|name|kind|unit|aim|work' 20 <plan.json
| "schema":"stint.plan/1"
| "name":"llama-2-7b"
| "kind":"train"
| "work":"25 M tokens"
| "unit":"job"
| "aim":"cost"
| "name":"compute"
| "name":"setup"
| "name":"billing"
| "aim":null
$ sh keys.sh 'role|offer|market|gpus|machines|hours|value|setting' 8 <plan.json
| "role":"best"
| "offer":"runpod/*/1x_MI300X_SECURE"
| "market":"on-demand"
| "gpus":1
| "machines":1
| "hours":
| "value":0.6070620484513113
| "setting":"bf16
$ stint plan llama-2-7b --method lora --tokens 25M --json 2>/dev/null | cmp - plan.json

Serving: a rate and latency limits, then the price of a million tokens.
$ stint plan examples/serve-8b.yaml 2>/dev/null
| serve-8b: serve llama-3.1-8b, 20 requests/s for a month of 30 days
| 
|    deployment        cost/month      80 % range     p95  cheaper at     where                            price age  setting
| >  GPU machine             $605    $555 to $659  4.91 s                 runpod/*/1x_RTX6000-Ada_SECURE        85 d  fp8, 1x RTX6000-Ada
|    serverless GPU        $1,370  $893 to $3,110  4.91 s  above 5,080/s  runpod/*/Serverless RTX6000-Ada      318 d  fp8, RTX6000-Ada
|    managed endpoint      $3,390                  2.05 s                 aws/us-east-1/g7e.2xlarge             85 d  SageMaker, fp8, 1x RTXPRO6000-Blackwell-SE
| 
| best            a GPU machine, runpod/*/1x_RTX6000-Ada_SECURE, $0.8400/hr, price
|                 from 2026-08-22 (85 days old)
| break-even      a GPU machine is cheapest at every rate looked at
| excluded        CPU machine: aws/us-east-1/c7g.4xlarge: a request takes 16.2 s,
|                 longer than the latency target
| excluded        serverless: aws/us-east-1/Lambda arm64: a request takes 86.7 s,
|                 longer than the latency target; 8 more (--explain lists them)
| excluded        hosted API: aws: its latency is not known: measure it
| excluded        scale to zero: runpod/*/1x_RTX6000-Ada_SECURE: would never stop
|                 at this rate
| 
| GPU MACHINES
|    plan       cost/month      80 % range     p95  per M out  copies  GPUs            machines  where     market     price age  setting
| >  best             $605    $555 to $659  4.91 s    $0.0911       1  1x RTX6000-Ada         1  runpod/*  on-demand       85 d  fp8, tensor 1, batch 68, vllm
|    on spot          $605  $363 to $1,010  4.91 s    $0.0911       1  1x RTX6000-Ada         1  runpod/*  spot            85 d  fp8, tensor 1, batch 68, vllm
|    other GPU        $691    $634 to $754  4.37 s     $0.104       1  1x RTXPRO5000          1  runpod/*  on-demand       85 d  fp8, tensor 1, batch 59, vllm
|    other GPU        $713    $654 to $777  3.92 s     $0.107       1  1x RTX5090             1  runpod/*  on-demand       85 d  fp8, tensor 1, batch 52, vllm
|    other GPU        $821    $753 to $895  4.84 s     $0.124       2  2x RTXPRO4000          2  runpod/*  on-demand       85 d  fp8, tensor 1, batch 37, vllm
|    faster         $1,040  $951 to $1,130  3.27 s     $0.156       2  2x RTXPRO4500          2  runpod/*  on-demand       85 d  fp8, tensor 1, batch 26, vllm
| 
| why             lowest cost; the next GPU, 1x RTXPRO5000, costs $86.4 more and
|                 answers in 4.37 s
| rent            runpod/*/1x_RTX6000-Ada_SECURE, $0.8400/hr on-demand, price from
|                 2026-08-22 (85 days old), now $0.7704/hr to $0.9159/hr
| setting         fp8, tensor 1, batch 68, vllm: 45.9 GB of 51.0 on the GPU
| on spot         $605: costs $0.00 more (0 %); 92 % risk of an interruption a
|                 day; interruptions are not priced
| prices          from 2025-08-27 to 2026-11-09
| searched        669 offers and 681 configurations
| 
| COST AND LATENCY
|    cost/month                 p95              GPUs                        where     market     price age
| >        $605  #           4.91 s  ##########  1x RTX6000-Ada              runpod/*  on-demand       85 d
|          $713  #           3.92 s  ########    1x RTX5090                  runpod/*  on-demand       85 d
|        $1,360  ###         1.99 s  ####        1x RTXPRO6000-Blackwell-WS  runpod/*  on-demand       85 d
|        $1,650  ###         943 ms  ##          1x GH200-96GB               lambda/*  on-demand       85 d
|        $4,890  ##########  709 ms  #           1x B200-SXM-180GB           runpod/*  on-demand       85 d
$ stint plan llama-3.1-8b --serve --provider aws --limit 3 2>/dev/null
| serve llama-3.1-8b, a million output tokens
| 
|    plan     cost/M out         80 % range     p95  copies  GPUs               where           market     price age  setting
| >  best         $0.266   $0.173 to $0.446  16.8 s       1  1x L40S            aws/us-east-1   on-demand       85 d  fp16, tensor 1, batch 256, vllm
|    on spot     $0.0796  $0.0429 to $0.158  16.8 s       1  1x L40S            aws/eu-north-1  spot            85 d  fp16, tensor 1, batch 256, vllm
|    faster       $0.466   $0.405 to $0.552  3.47 s       8  8x H200-SXM-141GB  aws/us-east-1   on-demand       85 d  fp16, tensor 1, batch 128, vllm
| 
| why             lowest cost without spot; a faster way, 8x H200-SXM-141GB, costs
|                 $0.20 more and answers in 3.47 s
| rent            aws/us-east-1/g6e.xlarge, $1.86/hr on-demand, price from
|                 2026-08-22 (85 days old), unchanged with 99.7 % probability
| setting         fp16, tensor 1, batch 256, vllm: 43.1 GB of 47.8 on the GPU
| on spot         $0.0796: saves $0.186 (70 %); 62 % risk of an interruption a
|                 day; interruptions are not priced
| prices          from 2025-08-27 to 2026-11-09
| searched        669 offers and 1,229 configurations
| 
| COST AND LATENCY
|    cost/M out                 p95              GPUs               where          market     price age
| >      $0.266  ##          16.8 s  ##########  1x L40S            aws/us-east-1  on-demand       85 d
|        $0.458  ####        3.93 s  ##          8x H100-SXM-80GB   aws/us-east-1  on-demand       85 d
|         $1.16  ##########  1.20 s  #           8x B200-SXM-180GB  aws/us-east-1  on-demand       85 d
| 
| note            requests of 512 tokens in and 128 out
| note            served by vllm
| note            no rate given: GPU machines that are always busy; --rate 1/s
|                 compares CPU machines, serverless and others
| note            new accounts of aws have a quota of 0 vCPU for these machines on
|                 demand: request an increase first

A search over hyper-parameters: one after the other or side by side; asha stops bad trials.
$ stint plan examples/bert-search.yaml --set search.scheme=asha --market on-demand --provider aws,runpod --limit 3 2>/dev/null
| bert-search: train bert-large, full, 67.6 M tokens
| 
|    plan       cost      80 % range    time  GPUs         machines  where     market     price age  setting
| >  best      $2.91  $2.34 to $3.82  2.28 h  8x RTXA5000         8  runpod/*  on-demand       85 d  amp-fp16, batch 32, 8 trials at once
|    cheapest  $2.81  $2.24 to $3.72  10.4 h  1x RTXA5000         1  runpod/*  on-demand       85 d  amp-fp16, batch 32
|    on spot   $2.98  $1.67 to $5.37  17.0 h  1x RTXA5000         1  runpod/*  spot            85 d  amp-fp16, batch 32
| 
| why             fastest within 5 % of the lowest cost: an hour of waiting is
|                 taken to be worth $0.0116 (--value-of-time sets it); the
|                 cheapest way, 1x RTXA5000, costs $0.0945 less and is done 8.14 h
|                 later
| rent            8x runpod/*/1x_RTXA5000_SECURE, $0.2700/hr each on-demand, price
|                 from 2026-08-22 (85 days old), now $0.2476/hr to $0.2944/hr
| setting         amp-fp16, batch 32, 8 trials at once: 19.5 GB (18.5 to 20.5) of
|                 25.5 on each GPU
| on spot         $2.98: costs $0.0683 more (2.3 %), done 14.7 h later; meets the
|                 deadline, 3.3 interruptions expected, a checkpoint every 19min
| prices          from 2025-08-27 to 2026-11-09
| searched        669 offers and 3,526 configurations
| 
| SEARCH
| trials          50 by asha in 3 rungs, 90 % stopped early, 8 at a time
| cost            $2.69, $0.0537 a trial on average; done after 1.46 h
| one at a time   $2.59; done after 9.60 h
| 
| COST AND TIME
|     cost                  time              GPUs         machines  where     market     price age
|    $2.81  ######        10.4 h  ##########  1x RTXA5000         1  runpod/*  on-demand       85 d
| >  $2.91  ######        2.28 h  ##          8x RTXA5000         8  runpod/*  on-demand       85 d
|    $4.84  ##########  41.0 min  #           4x MI300X           4  runpod/*  on-demand       85 d
| 
| note            optimizer adamw
| note            framework hf, Hugging Face's model code: choose another with
|                 --set framework
| note            up to 8 machines are assumed to be available: runpod publishes
|                 no limit; --supply runpod=N sets it
| note            offers that may be cheaper are left out: not enough of their
|                 machines are assumed to be available (marketplaces: 1); --supply
|                 OFFER=N sets it
$ stint plan examples/bert-search.yaml --market on-demand --provider azure --deadline 6h --limit 2 2>/dev/null | sed -n '/SEARCH/,/^$/p'
| SEARCH
| trials          50 by random, 4 at a time
| cost            $61.0, $1.22 a trial on average; done after 2.18 h
| one at a time   $58.5; done after 8.39 h
| 

Spot: shown as an alternative when it is not allowed, chosen when it is.
$ stint plan llama-2-7b --method lora --tokens 25M --provider aws --limit 2 2>/dev/null | grep -E '^(.  best|   on |why|on spot|spot|on demand)'
| >  best     $4.83   $4.19 to $5.58  1.44 h  1x RTXPRO6000-Blackwell-SE  aws/us-east-1   on-demand       85 d  bf16, batch 4 x 2
|    on spot  $1.50  $0.931 to $2.41  5.05 h  1x L40S                     aws/eu-north-1  spot            85 d  bf16, batch 2 x 4
| why             lowest cost without spot
| on spot         $1.50: saves $3.33 (69 %), done 3.61 h later; 0.36 interruptions
$ stint plan llama-2-7b --method lora --tokens 25M --provider aws --market any --limit 2 2>/dev/null | grep -E '^(.  best|   on |why|on spot|spot|on demand)'
| >  best       $1.50  $0.931 to $2.41  5.05 h  1x L40S                     aws/eu-north-1  spot            85 d  bf16, batch 2 x 4
|    on demand  $4.83   $4.19 to $5.58  1.44 h  1x RTXPRO6000-Blackwell-SE  aws/us-east-1   on-demand       85 d  bf16, batch 4 x 2
| why             lowest cost
| spot            0.36 interruptions expected
| on demand       $4.83: costs $3.33 more (223 %), done 3.61 h sooner
$ stint plan llama-2-7b --method lora --tokens 25M --provider aws --market reserved --limit 2 2>/dev/null | grep -E '^(.  best|   on |rent|note)'
| >  best     $2,160                   47.3 h  1x RadeonProV520  aws/us-east-1   reserved       85 d  fp16-master, batch 2 x 4, recompute full, offload all
|    on spot   $1.50  $0.931 to $2.41  5.05 h  1x L40S           aws/eu-north-1  spot           85 d  bf16, batch 2 x 4
| rent            aws/us-east-1/g4ad.xlarge, $0.2460/hr reserved, price from
| note            no deadline: plans longer than 90 days are not considered;
| note            prices for a term are the on-demand price less the middle of the
| note            LoRA of rank 16 on all linear layers
| note            optimizer adamw
| note            framework hf, Hugging Face's model code: choose another with
| note            sequences of 2048 tokens
| note            a global batch of 8 (default): --set global_batch=N changes it

Hours already paid for are used first; a managed platform costs more.
$ stint plan llama-2-7b --method lora --tokens 25M --provider aws --max-gpus 1 --owned aws/us-east-1/g6e.xlarge=1h --explain 2>/dev/null | grep -E '^(.  best|rent|use|  [a-z])'
| >  best       $3.05   $2.37 to $3.85    2.64 h  1x L40S                     aws/us-east-1   on-demand       85 d  bf16, batch 2 x 4
| use             aws/us-east-1/g6e.xlarge, 1.00 hours you own, the rest $1.86/hr
|   compute               $4.70   96 %  ######################################
|   setup                $0.217    4 %  ##
|   billing           $0.000082    0 %
|   paid already         -$1.86  -38 %
$ printf 'owned:\n  - aws/us-east-1/g6e.xlarge=100h\n' >owned.yaml; stint plan llama-2-7b --method lora --tokens 25M --provider aws --max-gpus 1 --config owned.yaml 2>/dev/null | grep -E '^(.  best|rent|use|note .*machine-hours)' -A 1
| >  best       $0.00                     2.64 h  1x L40S                     aws/us-east-1   on-demand       85 d  bf16, batch 2 x 4
|    on spot    $1.50  $0.931 to $2.41    5.05 h  1x L40S                     aws/eu-north-1  spot            85 d  bf16, batch 2 x 4
| --
| use             aws/us-east-1/g6e.xlarge, 2.64 hours you own, else $1.86/hr
|                 on-demand, price from 2026-08-22 (85 days old), unchanged with
| --
| note            uses 2.64 of your 100 prepaid machine-hours of
|                 aws/us-east-1/g6e.xlarge
No platform has less in every column than the best: the same prices are too old in all rows.
$ for job in "mistral-7b --method full --tokens 50M" "llama-3.1-70b --qlora --tokens 10M"; do stint plan $job --platform all 2>/dev/null | grep -E '^>  (best|SageMaker|Azure)' | tr -s ' '; done
| > best $15.4 $13.2 to $18.6 1.54 h 2x RTXPRO6000-Blackwell-SE 1 aws/us-east-1 on-demand 85 d bf16, zero 1, batch 1 x 8
| > SageMaker $15.4 $12.8 20 % 1.54 h 2x RTXPRO6000-Blackwell-SE aws 85 d $0.0500 to $16.00/hr
| > Azure ML $17.3 $17.3 58.9 min 2x H100-NVL-94GB azure 6 d $0.0500 to $15.00/hr
| > best $26.9 $24.7 to $29.3 3.26 h 1x H100-SXM-80GB aws/us-east-1 on-demand 85 d bf16, batch 2 x 2, recompute full
| > SageMaker $26.9 $22.4 20 % 3.26 h 1x H100-SXM-80GB aws 85 d $0.0500 to $16.00/hr
| > Azure ML $34.1 $34.1 1.93 h 2x H100-NVL-94GB azure 6 d $0.0500 to $15.00/hr
$ stint plan llama-2-7b --method lora --tokens 25M --platform databricks 2>/dev/null | sed -n '/^PLATFORMS/,/^$/p'
| PLATFORMS AND PLAIN MACHINES
|    platform        cost  plain there  markup      time  hardware                    where   price age             notebooks
|    plain machine  $1.45                       36.4 min  1x MI300X                   runpod       85 d                      
|    SageMaker      $5.80        $4.83    20 %    1.44 h  1x RTXPRO6000-Blackwell-SE  aws          85 d  $0.0500 to $16.00/hr
| >  Databricks     $6.28        $4.83    30 %    1.44 h  1x RTXPRO6000-Blackwell-SE  aws          85 d  $0.0700 to $20.00/hr
|    Vertex AI      $8.33        $7.24    15 %  59.2 min  2x A100-SXM-40GB            gcp          85 d  $0.0400 to $12.00/hr
|    Azure ML       $8.75        $8.75          29.8 min  2x H100-NVL-94GB            azure         6 d  $0.0500 to $15.00/hr
| difference      Databricks costs $1.45 (30 %) more than plain machines there,
|                 $4.37 an hour instead of $3.36; that buys experiment tracking
|                 and a model registry (MLflow); tuning through MLflow
| 
$ stint plan llama-2-7b --method lora --tokens 25M --platform 'azure ml' --provider azure,gcp --json 2>/dev/null | grep -o '"platforms":.*,"money"'
| "platforms":[{"name":"Azure ML","asked":true,"cost":{"amount":"6.105561111","currency":"USD"},"plain":{"amount":"6.105561111","currency":"USD"},"more":{"amount":"0","currency":"USD"},"markup":0,"hours":0.8746006595067483,"provider":"azure","offer":"azure/eastus/Standard_NC40ads_H100_v5","accelerator":"H100-NVL-94GB","gpus":1,"price":{"amount":"6.98","currency":"USD"},"price_age_days":411,"notebook_low":{"amount":"0.05","currency":"USD"},"notebook_high":{"amount":"15","currency":"USD"},"includes":"hyperparameter tuning, experiment tracking, a model registry"},{"name":"plain machine","asked":false,"cost":{"amount":"6.105561111","currency":"USD"},"plain":null,"more":null,"markup":0,"hours":0.8746006595067483,"provider":"azure","offer":"azure/eastus/Standard_NC40ads_H100_v5","accelerator":"H100-NVL-94GB","gpus":1,"price":{"amount":"6.98","currency":"USD"},"price_age_days":411,"notebook_low":null,"notebook_high":null,"includes":null},{"name":"Databricks","asked":false,"cost":{"amount":"7.936974892","currency":"USD"},"plain":{"amount":"4.829814","currency":"USD"},"more":{"amount":"3.107160892","currency":"USD"},"markup":0.3,"hours":0.8746006595067483,"provider":"azure","offer":"azure/eastus/Standard_NC40ads_H100_v5","accelerator":"H100-NVL-94GB","gpus":1,"price":{"amount":"9.074","currency":"USD"},"price_age_days":411,"notebook_low":{"amount":"0.07","currency":"USD"},"notebook_high":{"amount":"20","currency":"USD"},"includes":"experiment tracking and a model registry (MLflow); tuning through MLflow"},{"name":"Vertex AI","asked":false,"cost":{"amount":"8.331213745","currency":"USD"},"plain":{"amount":"7.244731528","currency":"USD"},"more":{"amount":"1.086482217","currency":"USD"},"markup":0.15,"hours":0.9859046598359644,"provider":"gcp","offer":"gcp/us-central1/a2-highgpu-2g","accelerator":"A100-SXM-40GB","gpus":2,"price":{"amount":"8.4487855","currency":"USD"},"price_age_days":85,"notebook_low":{"amount":"0.04","currency":"USD"},"notebook_high":{"amount":"12","currency":"USD"},"includes":"hyperparameter tuning, experiment tracking, a model registry"}],"money"
$ stint plan llama-2-7b --method lora --tokens 25M --platform sagemaker --explain 2>/dev/null | grep -E '^(.  best|rent|note|  (compute|markup))'
| >  best       $5.80  $5.02 to $6.70    1.44 h  1x RTXPRO6000-Blackwell-SE  aws/us-east-1   on-demand       85 d  bf16, batch 4 x 2
| rent            aws/us-east-1/g7e.2xlarge, $3.36/hr on-demand, price from
|   compute               $4.44   77 %  ###############################
|   markup               $0.966   17 %  #######
| note            no deadline: plans longer than 90 days are not considered;
| note            through sagemaker: 20 % on top of machine prices
| note            LoRA of rank 16 on all linear layers
| note            optimizer adamw
| note            framework hf, Hugging Face's model code: choose another with
| note            sequences of 2048 tokens
| note            a global batch of 8 (default): --set global_batch=N changes it
| note            new accounts of aws have a quota of 0 vCPU for these machines on

Providers without an account are left out; what that costs is one line.
$ printf 'providers: [aws, lambda]\n' >accounts.yaml; stint plan llama-2-7b --method lora --tokens 25M --config accounts.yaml 2>/dev/null | grep -E '^(.  best|no account)'
| >  best       $1.60   $1.24 to $2.05  41.2 min  1x GH200-96GB      lambda/*        on-demand       85 d  bf16, batch 4 x 2
| no account      runpod would save $0.152 (9.5 %), but you have no account there

The best start within two days, for money and for carbon.
$ stint plan llama-2-7b --method lora --tokens 25M --provider vast --within 48h 2>/dev/null | grep -E '^(.  best|   plan|start|note)'
|    plan         cost       80 % range      time  GPUs            where   market     price age  setting
| >  best       $0.897  $0.504 to $1.60    2.43 h  4x RTX5070      vast/*  on-demand      384 d  bf16, zero 3, batch 2, recompute full
| note            no deadline: plans longer than 90 days are not considered;
| note            now is the best start within 48 h
| note            LoRA of rank 16 on all linear layers
| note            optimizer adamw
| note            framework hf, Hugging Face's model code: choose another with
| note            sequences of 2048 tokens
| note            a global batch of 8 (default): --set global_batch=N changes it
$ stint plan llama-2-7b --method lora --tokens 25M --provider gcp --within 48h --aim carbon --limit 2 2>/dev/null | grep -E '^(.  best|   plan|why|start|note)'
|    plan      cost      80 % range      time  GPUs                    where              market     price age       CO2e  setting
| >  best     $9.44  $8.72 to $10.2  46.9 min  1x H100-SXM-80GB        gcp/europe-north1  on-demand       85 d  0.0324 kg  bf16, batch 4 x 2
| why             lowest carbon, 0.0324 kg CO2e
| note            no deadline: plans longer than 90 days are not considered;
| note            now is the best start within 48 h
| note            LoRA of rank 16 on all linear layers
| note            optimizer adamw
| note            framework hf, Hugging Face's model code: choose another with
| note            sequences of 2048 tokens
| note            a global batch of 8 (default): --set global_batch=N changes it
| note            new accounts of gcp have a quota of 0 GPUs for these machines on

Other aims.
$ stint plan llama-2-7b --method lora --tokens 25M --aim time --budget 5usd 2>/dev/null | grep -E '^(.  best|   cheaper|why)' -A 1
| >  best       $2.86  $2.42 to $3.41  8.96 min  8x MI300X          runpod/*  on-demand       85 d  bf16, zero 1, batch 1
|    cheapest   $1.45  $1.23 to $1.72  36.4 min  1x MI300X          runpod/*  on-demand       85 d  bf16, batch 8
| --
| why             done soonest; the cheapest way, 1x MI300X, costs $1.41 less and
|                 is done 27.5 min later
$ stint plan llama-2-7b --method lora --tokens 25M --value-of-time 50usd/hr 2>/dev/null | grep -E '^(.  best|   cheaper|why)' -A 3
| >  best       $2.86  $2.42 to $3.41  8.96 min  8x MI300X          runpod/*  on-demand       85 d  bf16, zero 1, batch 1
|    cheapest   $1.45  $1.23 to $1.72  36.4 min  1x MI300X          runpod/*  on-demand       85 d  bf16, batch 8
|    on spot    $3.08  $1.77 to $5.35  14.1 min  8x MI300X          runpod/*  spot            85 d  bf16, zero 1, batch 1
|    other GPU  $4.13  $3.74 to $4.58  9.71 min  8x H100-NVL-94GB   runpod/*  on-demand        6 d  bf16, zero 1, batch 1
| --
| why             lowest cost of money and time together, with an hour of waiting
|                 worth $50.00; the time it saves over the cheapest plan is worth
|                 $22.9; the cheapest way, 1x MI300X, costs $1.41 less and is done
|                 27.5 min later
$ stint plan llama-2-7b --method lora --tokens 25M --aim cost=0.7,time=0.3 2>/dev/null | grep -E '^(.  best|why)' -A 1
| >  best       $2.86  $2.42 to $3.41  8.96 min  8x MI300X                   runpod/*                on-demand       85 d  bf16, zero 1, batch 1
|    cheapest   $1.45  $1.23 to $1.72  36.4 min  1x MI300X                   runpod/*                on-demand       85 d  bf16, batch 8
| --
| why             best by cost=0.7,time=0.3; the cheapest way, 1x MI300X, costs
|                 $1.41 less and is done 27.5 min later
$ stint plan llama-2-7b --method lora --tokens 25M --value-of-time 50usd 2>/dev/null | grep -E '^(.  best|   cheaper|why)' -A 3
? 1
$ stint plan llama-2-7b --method lora --tokens 25M --aim carbon --budget 10usd 2>/dev/null | grep -E '^(.  best|   cheaper|why)' -A 1
| >  best       $8.14  $7.45 to $8.91  20.6 min  8x A100-SXM-40GB        aws/eu-north-1  on-demand       85 d   0.0123 kg  bf16, zero 1, batch 1
|    cheapest   $1.45  $1.23 to $1.72  36.4 min  1x MI300X               runpod/*        on-demand       85 d    0.336 kg  bf16, batch 8
| --
| why             lowest carbon without spot, 0.0123 kg CO2e; the cheapest way, 1x
|                 MI300X, costs $6.68 less and is done 15.9 min later

What the job fixes stays fixed.
$ stint plan llama-2-7b --tokens 25M --set zero=3,micro_batch=2,recompute=full --precision bf16 --gpu 'A100*' --max-gpus 8 --min-gpus 8 2>/dev/null | grep -E '^.  best|^setting'
| >  best       $4.62  $4.18 to $5.26  19.3 min  8x A100-SXM-80GB   runpod/*                on-demand        6 d  bf16, zero 3, batch 2, recompute full
| setting         bf16, zero 3, batch 2, recompute full: 19.4 GB (17.0 to 22.2) of
$ stint plan llama-2-7b --tokens 25M --deepspeed examples/deepspeed-zero3.json --gpu A100 --market any 2>/dev/null | grep -E '^.  best|^setting'
| >  best       $3.01  $1.77 to $5.11  2.44 h  2x A100-SXM-80GB   verda/FIN-02            spot            85 d  bf16, zero 3, batch 4 x 4, recompute full, offload optimizer
| setting         bf16, zero 3, batch 4 x 4, recompute full, offload optimizer:

Several jobs share machines; what comes after another waits for it.
$ printf '%s\n' 'printf "name: %s\ntrain:\n  model: %s\n  method: %s\n  data: {tokens: %s}\n%s\n" "$@" >$1.yaml' >job.sh
$ sh job.sh a llama-2-7b lora 2M; sh job.sh b llama-2-7b lora 3M 'after: [a]'; sh job.sh c gpt2 full 2M
$ stint plan a.yaml b.yaml c.yaml --provider aws 2>/dev/null
| 3 jobs
| 
| SESSIONS
| session      start        end  job  where                                  cost  price age  setting
|       1  +7.00 min  +19.2 min  a    aws/us-east-1/g6e.xlarge:on-demand   $0.377       85 d  bf16, batch 2 x 2
|       2  +7.00 min  +11.0 min  c    aws/us-east-1/g5g.xlarge:on-demand  $0.0278       85 d  amp-fp16, batch 4
|       1  +19.2 min  +37.4 min  b    aws/us-east-1/g6e.xlarge:on-demand   $0.565       85 d  bf16, batch 2 x 2
| 
| together        $1.24 in 2 sessions, done after 37.4 min; $0.266 of it for setup
|                 and billed but unused time; each alone $1.45: saves $0.21 (14 %)
| prices          from 2025-08-27 to 2026-11-09
$ stint plan c.yaml b.yaml a.yaml --provider aws --json 2>/dev/null | sh keys.sh 'job|start_h|session|together|alone' 12
| "job":"c"
| "session":1
| "start_h":0.11666666666666667
| "job":"a"
| "session":2
| "start_h":0.11666666666666667
| "job":"b"
| "session":2
| "start_h":0.3193591255960603
| "together":
| "alone":
| "session":null
$ stint plan a.yaml b.yaml c.yaml --provider aws --session 20min 2>/dev/null | grep -E 'together|^ +[0-9]'
|       1  +7.00 min  +19.2 min  a    aws/us-east-1/g6e.xlarge:on-demand   $0.377       85 d  bf16, batch 2 x 2
|       2  +19.2 min  +28.7 min  b    aws/us-east-1/g7e.2xlarge:on-demand  $0.534       85 d  bf16, batch 4
|       2  +28.7 min  +29.3 min  c    aws/us-east-1/g7e.2xlarge:on-demand  $0.035       85 d  amp-bf16, batch 4
| together        $1.56 in 2 sessions, done after 29.3 min; $0.61 of it for setup

Which experiment first.
$ sh job.sh big llama-2-7b full 20M 'experiment: {improvement: 3%, chance: 40%, value: $20000}'; sh job.sh small llama-2-7b lora 2M 'experiment: {improvement: 1%, chance: 50%, value: $20000}'
$ stint plan big.yaml small.yaml --queue --provider aws --budget 20usd
| 2 jobs
| 
| QUEUE: highest expected value per dollar first
|    job    where                                  data  reached    cost  value/cost  spent by then  price age
| 1  small  aws/us-east-1/g6e.xlarge:on-demand    100 %    100 %  $0.595       168 x         $0.595       85 d
| 2  big    aws/us-east-1/g7e.12xlarge:on-demand  100 %    100 %   $5.97      40.2 x          $6.57       85 d
| 
| prices          from 2025-08-27 to 2026-11-09
! stint: warning: 1792 of 1822 prices are more than 30 days old (oldest: 2025-08-27); 'stint price doctor' shows what to run
$ stint plan a.yaml c.yaml --queue --provider aws
| 2 jobs
| 
| QUEUE: highest expected value per dollar first
|    job  where                                data  reached     cost  improves by/$  spent by then  price age
| 1  c    aws/us-east-1/g5g.xlarge:on-demand    5 %    100 %  $0.0038          7.7 %        $0.0038       85 d
| 2  c    aws/us-east-1/g5g.xlarge:on-demand   25 %     55 %  $0.0154          8.6 %        $0.0123       85 d
| 3  c    aws/us-east-1/g5g.xlarge:on-demand  100 %     37 %  $0.0576           12 %        $0.0335       85 d
| 4  a    aws/us-east-1/g6e.xlarge:on-demand    5 %    100 %  $0.0297          1.0 %        $0.0632       85 d
| 5  a    aws/us-east-1/g6e.xlarge:on-demand   25 %     55 %   $0.119          1.1 %         $0.129       85 d
| 6  a    aws/us-east-1/g6e.xlarge:on-demand  100 %     37 %   $0.446          1.6 %         $0.293       85 d
| 
| prices          from 2025-08-27 to 2026-11-09
! stint: note: assumed: an improvement of 1 % (2 of 2 jobs do not say) with a chance of 30 % (2 do not say); experiment: {improvement: 5%, chance: 50%} in a job sets them
! stint: note: not every job has a value: ranked by improvement per dollar
! stint: warning: 1792 of 1822 prices are more than 30 days old (oldest: 2025-08-27); 'stint price doctor' shows what to run

A table for a spreadsheet, and a file for a later recheck.
$ stint plan llama-2-7b --method lora --tokens 25M --provider aws --csv plans.csv --save saved.json 2>/dev/null | tail -2
| 
| saved           saved.json
$ cut -d, -f1-9 plans.csv | head -4; wc -l <plans.csv
| list,role,offer,provider,region,instance,market,accelerator,gpus
| plan,best,aws/us-east-1/g7e.2xlarge,aws,us-east-1,g7e.2xlarge,on-demand,RTXPRO6000-Blackwell-SE,1
| plan,on spot,aws/eu-north-1/g6e.xlarge,aws,eu-north-1,g6e.xlarge,spot,L40S,1
| plan,other GPU,aws/us-east-1/g6e.xlarge,aws,us-east-1,g6e.xlarge,on-demand,L40S,1
| 13
$ stint plan recheck saved.json 2>/dev/null | head -5
| still good: the same price
| today's best: aws/us-east-1/g7e.2xlarge (on-demand) $4.83: the same
| 
| plan       offer                        market     price then      now  change  cost then    now
| best       aws/us-east-1/g7e.2xlarge    on-demand       $3.36    $3.36     0 %      $4.83  $4.83
$ cp saved.json first.json; stint plan llama-2-7b --method lora --tokens 25M --provider aws --save saved.json >/dev/null 2>&1; cmp first.json saved.json
$ stint budget split 100usd saved.json a.yaml big.yaml 2>/dev/null
| part           share   amount  planned    left  taken
| experiments   30.0 %   $30.00    $1.38  $28.62  #...................
| production    50.0 %   $50.00    $4.96  $45.04  ##..................
| storage       10.0 %   $10.00        -       -  -
| reserve       10.0 %   $10.00        -       -  -
| all          100.0 %  $100.00    $6.34  $93.66  #...................
| 
| plan        compared with   cost  file
| llama-2-7b  production     $4.83  saved.json
| a           production     $0.13  a.yaml
| big         experiments    $1.38  big.yaml

Your own configuration with the choices in it: other keys stay, and the old file is kept as a backup.
$ cp examples/deepspeed-zero3.json ds.json
$ printf 'stint plan llama-2-7b --tokens 25M --gpu A100 --provider aws "$@"' >p.sh
$ sh p.sh --write-config deepspeed ds.json 2>err | sed -n '/^CONF/,$p'; grep note err; cmp ds.json.bak examples/deepspeed-zero3.json
| CONFIGURATION
| --- ds.json
| +++ ds.json
| @@ -1,14 +1,15 @@
|  {
|    "_comment": "ZeRO-3 with the optimizer's states in the host's memory; stint reads it as it is, with --deepspeed",
| -  "train_micro_batch_size_per_gpu": 4,
| -  "gradient_accumulation_steps": 4,
| +  "train_micro_batch_size_per_gpu": 1,
| +  "gradient_accumulation_steps": 1,
| +  "train_batch_size": 8,
|    "bf16": {"enabled": true},
|    "optimizer": {"type": "AdamW", "params": {"lr": 2e-5, "betas": [0.9, 0.95], "weight_decay": 0.1}},
|    "zero_optimization": {
|      "stage": 3,
|      "overlap_comm": true,
|      "contiguous_gradients": true,
| -    "offload_optimizer": {"device": "cpu", "pin_memory": true}
| +    "offload_optimizer": {"device": "none", "pin_memory": true}
|    },
|    "activation_checkpointing": {"partition_activations": true},
|    "gradient_clipping": 1.0
| stint: note: changed ds.json; the old file is ds.json.bak
$ sh p.sh --write-config deepspeed --base ds.json 2>err | sed -n '/^CONF/,$p'; grep note err
| stint: note: ds.json needs no changes
$ printf 'compute_environment: LOCAL_MACHINE # mine\nnum_processes: 1\nmixed_precision: fp16\n' >acc.yaml
$ sh p.sh --write-config accelerate --base acc.yaml 2>/dev/null | sed -n '/^CONF/,$p'; cat acc.yaml.bak
| CONFIGURATION
| --- acc.yaml
| +++ acc.yaml
| @@ -1,3 +1,8 @@
|  compute_environment: LOCAL_MACHINE # mine
| -num_processes: 1
| -mixed_precision: fp16
| +num_processes: 8
| +mixed_precision: bf16
| +deepspeed_config:
| +  zero_stage: 3
| +  gradient_accumulation_steps: 1
| +distributed_type: DEEPSPEED
| +num_machines: 1
| compute_environment: LOCAL_MACHINE # mine
| num_processes: 1
| mixed_precision: fp16
$ sh p.sh --write-config accelerate --base acc.yaml 2>err | sed -n '/^CONF/,$p'; grep note err
| stint: note: acc.yaml needs no changes
| stint: note: accelerate's file has no micro-batch: set per_device_train_batch_size (or the DataLoader's batch_size) to 1 in your script
$ printf 'learning_rate = 1e-4 # mine\ntrain_batch_size = 1\n' >k.toml
$ stint plan examples/lora-40-images.yaml --provider aws --write-config kohya --base k.toml 2>/dev/null | sed -n '/^CONF/,$p'; cat k.toml.bak
| CONFIGURATION
| --- k.toml
| +++ k.toml
| @@ -1,2 +1,7 @@
|  learning_rate = 1e-4 # mine
|  train_batch_size = 1
| +gradient_accumulation_steps = 4
| +gradient_checkpointing = true
| +mixed_precision = "fp16"
| +network_dim = 32
| +resolution = "1024,1024"
| learning_rate = 1e-4 # mine
| train_batch_size = 1
$ stint plan examples/lora-40-images.yaml --provider aws --write-config kohya --base k.toml 2>err | sed -n '/^CONF/,$p'; grep note err
| stint: note: k.toml needs no changes
$ printf '{"per_device_train_batch_size": 1, "bf16": false, "learning_rate": 1e-4}\n' >hf.json
$ sh p.sh --write-config hf-trainer --base hf.json 2>/dev/null | sed -n '/^CONF/,$p'; cat hf.json.bak
| CONFIGURATION
| --- hf.json
| +++ hf.json
| @@ -1 +1 @@
| -{"per_device_train_batch_size": 1, "bf16": false, "learning_rate": 1e-4}
| +{"per_device_train_batch_size": 1, "gradient_accumulation_steps": 1, "bf16": true, "gradient_checkpointing": false, "deepspeed": {"train_micro_batch_size_per_gpu": "auto", "gradient_accumulation_steps": "auto", "train_batch_size": "auto", "zero_optimization": {"stage": 3}}, "learning_rate": 1e-4}
| {"per_device_train_batch_size": 1, "bf16": false, "learning_rate": 1e-4}
$ sh p.sh --write-config hf-trainer --base hf.json 2>err | sed -n '/^CONF/,$p'; grep note err
| stint: note: hf.json needs no changes
Without a user's file, a new one is printed; nothing is written.
With -o the file goes where it is wanted, and nothing is replaced without --force; - prints it alone.
$ sh p.sh --write-config deepspeed -o own.json 2>/dev/null | tail -1; sh p.sh --write-config deepspeed -o - 2>/dev/null | cmp - own.json
| configuration   own.json
$ sh p.sh --write-config deepspeed -o own.json
! stint: 'own.json' exists already
!   hint: --force replaces it; --base own.json changes it and keeps a copy
? 1
$ echo '{}' >empty.json; sh p.sh --write-config deepspeed --base empty.json -o own.json --force >/dev/null 2>&1; cat empty.json; grep -c micro own.json
| {}
| 1
$ sh p.sh --write-config deepspeed --json 2>/dev/null | grep -c '"configuration":"{'
| 1
$ sh p.sh -o own.json
! stint: --output needs --write-config
!   hint: add --write-config deepspeed (accelerate, kohya, hf-trainer); --save FILE.json keeps the plan, --csv FILE.csv its tables
? 2
A file that is called .json is JSON, whatever the format's usual syntax is.
$ sh p.sh --write-config hf-trainer -o args.json >/dev/null 2>&1; head -2 args.json; sh p.sh --write-config hf-trainer -o args.yaml >/dev/null 2>&1; head -1 args.yaml
| {
|   "output_dir": "output",
| output_dir: output
$ stint plan examples/lora-40-images.yaml --provider aws --write-config kohya -o k.json 2>&1 | grep -v note; test -e k.json || echo none
| stint: 'k.json' is the name of a JSON file, and this is none
|   hint: kohya's configuration is TOML: -o config.toml
| none
$ stint plan gpt2 bert-base --tokens 1M --svg x.svg
! stint: --svg is for one job
!   hint: plan each by itself: stint plan gpt2 --svg ...
? 2
$ stint plan gpt2 bert-base --tokens 1M --write-config deepspeed -o x.json
! stint: --write-config is for one job
!   hint: plan each by itself: stint plan gpt2 --write-config ...
? 2
$ rm own.json empty.json
$ ls >../before; sh p.sh --write-config deepspeed 2>/dev/null | sed -n '/^CONF/,$p'; ls | cmp - ../before
| CONFIGURATION
| {
|     "train_micro_batch_size_per_gpu": 1,
|     "gradient_accumulation_steps": 1,
|     "train_batch_size": 8,
|     "bf16": {
|         "enabled": true
|     },
|     "zero_optimization": {
|         "stage": 3
|     }
| }

The cheapest hours to come.
$ stint plan slots --hours 4 --days 7 --provider vast --limit 3 2>/dev/null
| provider  market     cheapest slot  price x   swing  basis          date        source
| vast      on-demand  not measured     0.880  25.0 %  rule of thumb  2026-11-15  two 2025 guides
| vast      spot       not measured     0.880  25.0 %  rule of thumb  2026-11-15  two 2025 guides
| 
| rule of thumb   what guides claim, not measured: it changes no price
| slots of 4 h within 7 days; --offer or --gpu shows them for a machine, by its own prices
The picture: cost over time, with the plans of the table; without an end in time, the cost of each.
$ stint plan examples/llama-7b-lora.yaml --svg time.svg >/dev/null 2>&1; grep -o '>Cost and time of [^<]*\|>best: [^<]*' time.svg | sort -u
| >Cost and time of llama-7b-lora
| >best: 1x H100-SXM-80GB, cudo
$ stint plan examples/serve-8b.yaml --svg cost.svg >/dev/null 2>&1; grep -o '>Cost of [^<]*\|>best: [^<]*' cost.svg | sort -u
| >Cost of serve-8b
| >best: 1x RTX6000-Ada, runpod
| >best: 1x RTX6000-Ada, runpod: $605 ($555 to $659)
