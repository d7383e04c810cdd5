Advice on a job that has not run: each change is estimated on the machines that it is for.
$ printf 'name: sentiment\ntrain:\n  model: bert-base\n  data: {examples: 1M}\n  sequence: 128\n  precision: fp32\n  micro_batch: 2\n  global_batch: 64\n  storage: {size: 500GB, duration: 90d}\n' >job.yaml
$ stint advise job.yaml --offer aws/us-east-1/g5.xlarge --price 1usd/hr
| job             sentiment
| cost            $39.5 a run
| savings         $27.6 a run ($26.8 to $28.1), 70 %, with 3 findings together
| 
|  1. sentiment: keep results in a cheaper tier
|     saves     $21.5 a run, 54 % of its cost; effort: minutes; risk: low
|     seen      500 GB for 90 days, read back once: S3 Standard (hot) $34.5, S3
|               Glacier Deep Archive (archive) $13.0
|     do        storage.tier: archive; a lifecycle rule moves what is older;
|               reading it back takes hours
|     computed  price of a month x 90 days (at least 180) + retrieval
|     id        storage-tier-78c1b747
| 
|  2. sentiment: run the job on spot
|     saves     $7.22 a run ($5.87 to $8.05), 18 % of its cost; effort: hours;
|               risk: medium; adds $2.67 a run beside the others
|     seen      5h, $39.5 a run as it is; 8h32min, $32.3 a run on 1x L4 at
|               gcp/us-east4/g2-standard-4, price from 2026-08-22, 0.72
|               interruptions expected
|     do        stint plan job.yaml; stint run --offer
|               gcp/us-east4/g2-standard-4:spot -- COMMAND
|     computed  the best plan of 'stint plan', with its 80 % range
|     id        spot-machine-fb74d3e1
| 
|  3. sentiment: rent the machine that the planner would
|     saves     $5.08 a run ($3.75 to $5.92), 13 % of its cost; effort: minutes;
|               risk: low; instead of another finding
|     seen      5h, $39.5 a run as it is; 6h16min, $34.4 a run on 1x L4 at
|               gcp/us-east4/g2-standard-4, price from 2026-08-22
|     do        stint plan job.yaml; stint run --offer
|               gcp/us-east4/g2-standard-4:on-demand -- COMMAND
|     computed  the best plan of 'stint plan', with its 80 % range
|     id        cheaper-machine-da585daf
| 
|  4. sentiment: another micro-batch, the same batch
|     saves     $3.35 a run ($3.06 to $3.64), 8.5 % of its cost; effort: minutes;
|               risk: none
|     seen      micro-batch 2 x 32: 4h53min, $39.5, 2.84 GB on a GPU; changed:
|               1h32min, $36.2, 7.8 GB on a GPU
|     do        --set micro_batch=64; Hugging Face:
|               per_device_train_batch_size=64, gradient_accumulation_steps=1
|     computed  estimated cost of both on 1x A10G, without the errors they share
|     id        micro-batch-6f74d1c9
| 
|  5. sentiment: compile the model
|     saves     $2.15 a run ($1.65 to $2.58), 5.4 % of its cost; effort: hours;
|               risk: low; instead of another finding
|     seen      hf without torch.compile: 4h53min, $39.5, 2.84 GB on a GPU;
|               changed: 2h44min, $37.4, 2.79 GB on a GPU
|     do        --set compile=yes; model = torch.compile(model); Hugging Face:
|               torch_compile=True
|     computed  estimated cost of both on 1x A10G, without the errors they share
|     id        compile-af9e8d9b
| 
|  6. sentiment: a leaner framework
|     saves     $1.83 a run ($1.28 to $2.31), 4.6 % of its cost; effort: days;
|               risk: medium; instead of another finding
|     seen      framework hf: 4h53min, $39.5, 2.84 GB on a GPU; changed: 3h3min,
|               $37.7, 3.13 GB on a GPU
|     do        --set framework=fsdp; fsdp means torchtitan or the like, megatron
|               Megatron-LM or NeMo
|     computed  estimated cost of both on 1x A10G, without the errors they share
|     id        framework-c13d56ae
| 
| less carbon: where and when, and what that costs more
| 
| where                     start         g/kWh  kg CO2e  less   cost     extra  basis
| aws/us-west-2/g5.xlarge   -               322     0.70  15 %  $39.5  +$0.0301  location-based average
| aws/eu-north-1/g5.xlarge  -                 9     0.02  98 %  $39.8   +$0.336  location-based average
| us-east-1                 at 15:00 UTC    379     0.81   2 %  $39.5     $0.00  rule of thumb
| 
| note: computed from the job alone: runs recorded with 'stint run' would add
|       measured idle time, stalls, failures and a corrected estimate
By effort and category:
$ stint advise job.yaml --offer aws/us-east-1/g5.xlarge --price 1usd/hr --category storage
| job             sentiment
| cost            $39.5 a run
| savings         $21.5 a run, 54 %, with 1 finding together
| 
|  1. sentiment: keep results in a cheaper tier
|     saves     $21.5 a run, 54 % of its cost; effort: minutes; risk: low
|     seen      500 GB for 90 days, read back once: S3 Standard (hot) $34.5, S3
|               Glacier Deep Archive (archive) $13.0
|     do        storage.tier: archive; a lifecycle rule moves what is older;
|               reading it back takes hours
|     computed  price of a month x 90 days (at least 180) + retrieval
|     id        storage-tier-78c1b747
| 
| 5 left out by options
| note: computed from the job alone: runs recorded with 'stint run' would add
|       measured idle time, stalls, failures and a corrected estimate
$ stint advise job.yaml --offer aws/us-east-1/g5.xlarge --effort minutes --min-savings 3usd --json | tr ',' '\n' | grep -c '"rule"'
| 3
! stint: warning: the price is 85 days old; 'stint price fetch skypilot' updates prices
A search, and an experiment that may not work:
$ printf 'experiment: {chance: 40%%}\ntrain:\n  model: llama-2-7b\n  method: lora\n  data: {tokens: 25M}\n  compile: yes\n  framework: torchtune\n  search: {trials: 100}\n' >search.yaml
$ stint advise search.yaml --on H100 --price 2usd/hr
| job             search.yaml
| cost            $89.0 a run
| savings         $77.1 a run ($67.4 to $85.8), 87 %, with 2 findings together
| 
|  1. search.yaml: stop the worse trials early
|     saves     $65.3 a run ($52.8 to $80.7), 73 % of its cost; effort: hours;
|               risk: low
|     seen      100 trials (random) are 100 full runs: $88.0; 100 trials (asha):
|               25.8
|     do        --set search.scheme=asha; Ray Tune: ASHAScheduler; Optuna:
|               SuccessiveHalvingPruner
|     computed  the search x (1 - 25.8 / 100)
|     id        stop-trials-c8f7d28b
| 
|  2. search.yaml: a tenth of the data first
|     saves     $44.3 a run ($35.9 to $54.8), 50 % of its cost; effort: minutes;
|               risk: low; adds $11.8 a run beside the others
|     seen      works with a probability of 40 %; a tenth of the data costs $9.11,
|               all of it $89.0
|     do        --set data.tokens=2500000 first; go on only if the loss falls as
|               hoped
|     computed  89 - (9.11 + 0.4 x 89): on average, if the tenth shows it
|     id        pilot-8ab0dfb1
| 
|  3. search.yaml: fewer trials
|     saves     $36.1 a run ($29.2 to $44.6), 41 % of its cost; effort: minutes;
|               risk: low; instead of another finding
|     seen      100 trials (random) are 100 full runs: $88.0; 59 trials (random):
|               59
|     do        --set search.trials=59; 59 random trials have a chance of 95 % to
|               find one of the best 5 %
|     computed  the search x (1 - 59 / 100)
|     id        fewer-trials-b592ac7e
| 
| may save nothing, and not in the total
| 
|  4. search.yaml: run the job on spot
|     saves     $7.51 a run ($0.00 to $41.7), 8.4 % of its cost; effort: hours;
|               risk: medium
|     seen      44h31min, $89.0 a run as it is; 36h28min, $81.5 a run on 2x
|               H100-SXM-80GB at verda/FIN-02/2H100.80S.80V, price from
|               2026-08-22, 8 interruptions expected
|     do        stint plan search.yaml; stint run --offer
|               verda/FIN-02/2H100.80S.80V:spot -- COMMAND
|     computed  the best plan of 'stint plan', with its 80 % range
|     id        spot-machine-3bfeb507
| 
| note: computed from the job alone: runs recorded with 'stint run' would add
|       measured idle time, stalls, failures and a corrected estimate
! stint: note: 'H100' means H100-SXM-80GB, the SXM form with the most memory
What a job does not say:
$ stint advise llama-2-7b --on H100 --price 2usd/hr
| job             llama-2-7b
| cost            $0.167 a run
| savings         nothing found
| 
| note: computed from the job alone: runs recorded with 'stint run' would add
|       measured idle time, stalls, failures and a corrected estimate
! stint: note: 'H100' means H100-SXM-80GB, the SXM form with the most memory
! stint: warning: the job does not say how much data there is: savings need --tokens N or --examples N
$ stint advise llama-2-7b --on H100 --tokens 25M --offer aws/us-east-1/nothing
! stint: note: 'H100' means H100-SXM-80GB, the SXM form with the most memory
! stint: there is no offer 'aws/us-east-1/nothing'
!   hint: 'stint price list' shows all
? 4
$ stint advise llama-2-70b --tokens 25M --on T4
! stint: warning: the price is 85 days old; 'stint price fetch skypilot' updates prices
! stint: llama-2-70b needs 1115.1 GB on each T4, which has 15.9 GB
!   hint: try --on T4x256; 'stint gpu fit llama-2-70b' shows what holds it
? 6
$ stint advise llama-2-7b --tokens 25M --category trainig
! stint: there is no category 'trainig'
!   hint: use compute, training, serving, storage or carbon
? 2
$ stint advise llama-2-7b --tokens 25M --on H100 --since 30d
! stint: --since and --until are for all runs, not for 'llama-2-7b'
!   hint: 'stint advise --since 90d'
? 2
A model that serves: smaller ones are compared. The losses are the catalog's.
$ printf 'name: chat\ninfer:\n  model: llama-2-70b\n  rate: 2/s\n  input: 512\n  output: 128\nlimits:\n  providers: [aws, lambda]\n' >chat.yaml
$ stint advise chat.yaml --on A100x8
| job             chat
| cost            $16,100 a month
| savings         $14,500 a month ($13,700 to $15,000), 90 %, with 2 findings together
| 
|  1. chat: train a smaller model to serve
|     saves     $11,100 a month ($9,910 to $12,000), 69 % of its cost; effort:
|               days; risk: high
|     seen      as it is: $5,030 a month on 1x lambda/*/gpu_1x_b200_sxm6, 138 GB
|               of weights; distillation: $1,570 a month on 1x
|               lambda/*/gpu_2x_a6000, 69.5 GB of weights; loses 7.4 to 10.1 %
|               (MMLU, published)
|     do        make the model: training with the model as teacher; measure what
|               it loses on your own task
|     computed  cheapest machines that serve each: 1 - 1,570 / 5,030 of the cost
|     id        distill-6ba8826a
| 
|  2. chat: rent the machine that the planner would
|     saves     $11,000 a month ($9,890 to $12,000), 69 % of its cost; effort:
|               minutes; risk: low; adds $3,440 a month beside the others
|     seen      $16,100 a month as it is; $5,030 a month on 1x B200-SXM-180GB at
|               lambda/gpu_1x_b200_sxm6, price from 2026-08-22
|     do        stint plan chat.yaml; stint run --offer
|               lambda/gpu_1x_b200_sxm6:on-demand -- COMMAND
|     computed  the best plan of 'stint plan', with its 80 % range
|     id        cheaper-machine-a6db17e0
| 
|  3. chat: serve weights of fewer bits
|     saves     $10,800 a month ($9,600 to $11,800), 67 % of its cost; effort:
|               hours; risk: medium; instead of another finding
|     seen      as it is: $5,030 a month on 1x lambda/*/gpu_1x_b200_sxm6, 138 GB
|               of weights; fp8: $1,650 a month on 1x lambda/*/gpu_1x_gh200, 69 GB
|               of weights; loses 0 to 1 % (mean of benchmarks, published)
|     do        --set weights=fp8; needs: a GPU with fp8; measure what it loses on
|               your own task
|     computed  cheapest machines that serve each: 1 - 1,650 / 5,030 of the cost
|     id        quantize-ab044aa4
| 
| smaller models: cost of a month on the cheapest machines; losses are published, not measured
| 
| model         weights    GB  on a GPU  speed    cost  saves         loses  of                                          needs                                          cheapest on
| as it is      fp16      138     172.2  1.00x  $5,030      -             -  -                                           -                                              1x lambda/*/gpu_1x_b200_sxm6
| distillation  fp16     69.5      45.9  1.91x  $1,570   69 %   7.4 to 10 %  MMLU                                        training with the model as teacher             1x lambda/*/gpu_2x_a6000
| awq           int4     35.8      91.8  2.00x  $1,650   67 %  1.8 to 2.7 %  WikiText-2 perplexity                       calibration data                               1x lambda/*/gpu_1x_gh200
| dynamic-int8  int8     70.1      91.8  1.47x  $1,650   67 %    0 to 1.6 %  Open LLM Leaderboard v1                     no data                                        1x lambda/*/gpu_1x_gh200
| fp8           fp8      69.0      91.8  1.67x  $1,650   67 %      0 to 1 %  mean of benchmarks                          a GPU with fp8                                 1x lambda/*/gpu_1x_gh200
| gguf-q4       int4     35.8      40.4  1.46x  $1,650   67 %  1.2 to 3.2 %  perplexity                                  no data                                        1x lambda/*/gpu_1x_gh200
| gguf-q8       int8     70.1      76.7  0.99x  $1,650   67 %    0 to 0.1 %  perplexity                                  no data                                        1x lambda/*/gpu_1x_gh200
| gptq          int4     35.8      91.8  2.00x  $1,650   67 %  1.8 to 7.3 %  WikiText-2 perplexity                       calibration data                               1x lambda/*/gpu_1x_gh200
| qat-int4      int4     35.8      91.8  2.00x  $1,650   67 %         4.8 %  mean of MMLU, GSM8k, HellaSwag, Winogrande  fine-tuning with fake quantization             1x lambda/*/gpu_1x_gh200
| static-int8   int8     70.1      91.8  1.47x  $1,650   67 %      1 to 3 %  mean of benchmarks                          calibration data                               1x lambda/*/gpu_1x_gh200
| pruning-2:4   fp16     77.6         -      -       ?      -     6 to 19 %  mean of 7 zero-shot tasks                   calibration data; kernels for sparse products  the speed of sparse products is not estimated
| 
| less carbon: where and when, and what that costs more
| 
| where                           start  g/kWh  kg CO2e  less     cost    extra  basis
| aws/us-west-2/p4de.24xlarge     -        322    1,025  24 %  $19,800  +$3,690  location-based average
| aws/eu-central-1/p4de.24xlarge  -        311   989.33  27 %  $24,700  +$8,620  location-based average
| 
| note: computed from the job alone: runs recorded with 'stint run' would add
|       measured idle time, stalls, failures and a corrected estimate
! stint: note: 'A100' means A100-SXM-80GB, the SXM form with the most memory
! stint: warning: the price is 85 days old, 80 % range $18.17/hr to $27.42/hr; 'stint price fetch skypilot' updates prices
$ stint advise chat.yaml --on A100x8 --json | tr '{' '\n' | grep -c '"method":"[a-z0-9:-]*","weights"'
| 10
! stint: note: 'A100' means A100-SXM-80GB, the SXM form with the most memory
! stint: warning: the price is 85 days old, 80 % range $18.17/hr to $27.42/hr; 'stint price fetch skypilot' updates prices
Without a rate there is no month:
$ stint advise llama-3-8b --serve --on H100 | sed -n 1,8p
| job             llama-3-8b
| cost            $1,420 a month
| savings         nothing found
| 
| smaller models: cost of a million tokens on the cheapest machines; losses are published, not measured
| 
| model         weights    GB  on a GPU  speed     cost  saves         loses  of                                          needs                                          cheapest on
| as it is      fp16     16.1      45.9  1.00x  $0.0524      -             -  -                                           -                                              1x vast/*/1x-RTX_5880Ada-32-65536
! stint: note: 'H100' means H100-SXM-80GB, the SXM form with the most memory
! stint: warning: the price is 85 days old, 80 % range $1.61/hr to $2.43/hr; 'stint price fetch skypilot' updates prices
Users' own facts count:
$ mkdir mine; printf 'method,models,weights,framework,layers_kept,weights_kept,trained,needs,loss_low,loss_high,metric,date,source\nawq,decoder,int4,,1,1,no,calibration data,0.004,0.005,our own test,2026-11-01,we measured it\n' >mine/compression.csv
$ stint advise chat.yaml --on A100x8 --catalog mine | grep '^awq'
| awq           int4     35.8      91.8  2.00x  $1,650   67 %  0.4 to 0.5 %  our own test                                calibration data                               1x lambda/*/gpu_1x_gh200
! stint: note: 'A100' means A100-SXM-80GB, the SXM form with the most memory
! stint: warning: the price is 85 days old, 80 % range $18.17/hr to $27.42/hr; 'stint price fetch skypilot' updates prices
$ printf 'method,models,layers_kept,weights_kept,date,source\nhalf,decoder,2,1,2026-11-01,us\n' >mine/compression.csv; stint advise chat.yaml --on A100x8 --catalog mine
! stint: note: 'A100' means A100-SXM-80GB, the SXM form with the most memory
! stint: warning: the price is 85 days old, 80 % range $18.17/hr to $27.42/hr; 'stint price fetch skypilot' updates prices
! stint: mine/compression.csv:2: layers_kept: '2' is not a share from 0 to 1
!   hint: write it as 20% or 0.2
? 3
Runs that went on after their metric was best:
$ "$STINT_TEST_LEDGER" home/.local/share/stint/ledger.db stopping; stint advise --category training
| period          2026-10-17 to 2026-11-15: 9 runs of 4 jobs
| cost            $180 a month
| savings         $26.0 a month ($10.0 to $34.0), 14 %, with 2 findings together
| 
|  1. accurate: stop when the metric no longer improves
|     saves     $16.0 a month ($8.00 to $20.0), 40 % of its cost; effort: minutes;
|               risk: low
|     seen      2 of 2 runs with eval_accuracy would have ended at 60 % of their
|               time, with the same best value
|     do        stint run --early-stop eval_accuracy:max,patience=3,rule=patience
|               -- COMMAND
|     computed  steps after 3 values without a better one; range: after 5, after 2
|     id        early-stopping-fa3cbf7a
| 
|  2. bert: stop when the metric no longer improves
|     saves     $10.0 a month ($2.00 to $14.0), 17 % of its cost; effort: minutes;
|               risk: low
|     seen      2 of 3 runs with val_loss would have ended at 75 % of their time,
|               with the same best value
|     do        stint run --early-stop val_loss:min,patience=3,rule=patience --
|               COMMAND
|     computed  steps after 3 values without a better one; range: after 5, after 2
|     id        early-stopping-36377834
Checkpoints that are kept cost money every month; a power limit is for machines of one's own.
$ rm home/.local/share/stint/ledger.db*; "$STINT_TEST_LEDGER" home/.local/share/stint/ledger.db home; stint advise
| period          2026-10-17 to 2026-11-15: 2 runs of 2 jobs
| cost            $37.3 a month
| savings         $6.00 a month ($2.00 to $10.0), 16 %, with 1 finding together
| 
|  1. llama: remove checkpoints that are not needed
|     saves     $6.00 a month ($2.00 to $10.0), 18 % of its cost; effort: minutes;
|               risk: low
|     seen      1 run keeps 7 checkpoints, 700 GB; 3 of them, 300 GB, are neither
|               the best nor the newest 3 of a run
|     do        stint checkpoints prune /data/out --run 00020001 --keep 3 --yes
|     computed  their size x $0.02 a GB and month, the store's list price; range:
|               the newest 5, the newest 1
|     id        kept-checkpoints-c3f4e5b8
| 
| may save nothing, and not in the total
| 
|  2. gpt2: limit the power of GPUs
|     saves     $0.238 a month ($0.00 to $0.287), 7.2 % of its cost; effort:
|               minutes; risk: low
|     seen      1 run, 24 GPU-hours of RTX3090 at 345 of 350 W; electricity is
|               paid
|     do        sudo nvidia-smi -pl 298, on the machine (until it is started
|               again)
|     computed  steps take 3.5 % more time (1.8 to 14 %), 0.844 h a month; GPUs
|               are 75 % of the machine's energy and draw 14 % less; electricity
|               only: it pays while an hour of waiting is worth less than $0.281
|     id        power-limit-640689c7
