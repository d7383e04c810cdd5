The worked examples of docs/guide/examples.md, which lists what others computed for them and why Stint's result differs.

$ ln -s "$cases/../../examples" examples
LLaMA 7B, all of it, with the DeepSpeed file of the guide: its 6 h and $90.

$ printf '{"zero_optimization": {"stage": 2}, "fp16": {"enabled": true}, "train_micro_batch_size_per_gpu": 4}' >ds.json
$ stint estimate examples/llama-7b-finetune.yaml --on A100-80GBx8 --deepspeed ds.json --price 15usd/hr | grep -E '^(MEMORY|TIME|training|COST)'
| MEMORY          fits: 36.8 GB (31.7 to 50.3) of 85.0 GB usable on each GPU
| TIME            2.61 s (2.08 to 3.48) a step: 25,100 tokens/s, MFU 41 %
| training        7.26 h (5.78 to 9.67): 10,000 steps, 655 M tokens
| COST            $111 ($89.3 to $148)
$ stint plan examples/llama-7b-finetune.yaml 2>err | sed -n '1p;3,5p'
| llama-7b-finetune: train llama-7b, full, 655 M tokens
|    plan        cost      80 % range      time  GPUs                        machines  where               market     price age  setting
| >  best       $21.9  $13.8 to $34.4    1.54 h  8x B200-SXM-180GB                  1  gcp/europe-west1    spot            85 d  bf16, zero 1, batch 4
|    other GPU  $35.6  $21.4 to $58.1    14.9 h  2x H100-SXM-80GB                   1  verda/FIN-02        spot            85 d  bf16, zero 2, batch 1 x 16
13B on 300 billion tokens: not 480 h and $19,864.

$ printf '{"zero_optimization": {"stage": 3}, "bf16": {"enabled": true}, "train_micro_batch_size_per_gpu": 2, "gradient_accumulation_steps": 8}' >ds.json
$ stint estimate examples/gpt-13b-pretrain.yaml --on A100-80GBx32 --deepspeed ds.json --price 10.32usd/hr | grep -E '^(MEMORY|TIME|training|COST)'
| MEMORY          fits: 42.5 GB (36.6 to 58.0) of 85.0 GB usable on each GPU
| TIME            18.0 s (14.3 to 24.1) a step: 58,200 tokens/s, MFU 46 %
| training        62.9 days (49.6 to 85.0): 286,103 steps, 300 B tokens
| COST            $62,400 ($49,100 to $84,200)
$ stint estimate examples/gpt-13b-pretrain.yaml --on A100-80GBx32 --price 10.32usd/hr | grep -E '^(on|TIME|training|COST)'
| on              32x A100-SXM-80GB in 4 machines: data 32, ZeRO 2
| TIME            13.1 s (11.5 to 15.3) a step: 80,200 tokens/s, MFU 64 %
| training        45.7 days (41.3 to 70.6): 286,103 steps, 300 B tokens
| COST            $45,300 ($41,000 to $69,900)
$ stint plan examples/gpt-13b-pretrain.yaml 2>err | sed -n '1p;3,5p'
| gpt-13b-pretrain: train gpt3-13b, full, 300 B tokens
|    plan          cost          80 % range       time  GPUs                machines  where               market     price age  setting
| >  best       $27,900  $24,100 to $44,500  60.7 days  8x MI300X                  1  runpod/*            on-demand       85 d  bf16, zero 1, batch 4 x 16
|    on spot    $12,300   $8,280 to $21,100  39.0 days  8x B200-SXM-180GB          1  gcp/europe-west1    spot            85 d  bf16, zero 1, batch 4 x 16
A search with BERT: trials at once cost what they cost one after the other, plus set-up; not four times as much.

$ stint estimate examples/bert-search.yaml --on V100-32GBx8 --set trials=20 --price 12usd/hr | grep -E '^(TIME|in all|COST|  search)'
| TIME            102 ms (81 to 136) a step: 121,000 tokens/s, MFU 26 %
| in all          3.38 h with setup, moving data, evaluation and repeated work
| COST            $40.5 ($32.4 to $53.8)
|   search               $37.2
$ stint estimate examples/bert-search.yaml --on V100-32GBx8 --set trials=20,search.parallel=4 --price 12usd/hr | grep -E '^(in all|COST|  search)'
| in all          1.05 h with setup, moving data, evaluation and repeated work
| COST            $44.7 ($36.6 to $58.0)
|   search               $41.4
$ stint estimate examples/bert-search.yaml --on V100-32GB --set trials=20,search.parallel=8 --price 1.5usd/hr | grep -E '^(TIME|in all|COST|  search)'
| TIME            580 ms (470 to 757) a step: 21,200 tokens/s, MFU 36 %
| in all          3.66 h with setup, moving data, evaluation and repeated work
| COST            $29.3 ($24.0 to $37.8)
|   search               $27.8
$ stint plan examples/bert-search.yaml 2>err | sed -n '1p;3,5p'
| bert-search: train bert-large, full, 67.6 M tokens
|    plan        cost      80 % range    time  GPUs                        machines  where               market     price age  setting
| >  best       $10.7  $8.57 to $14.2  6.22 h  8x RTXA5000                        8  runpod/*            on-demand       85 d  amp-fp16, batch 32, 8 trials at once
|    cheapest   $10.7  $8.52 to $14.1  10.9 h  4x RTXA5000                        4  runpod/*            on-demand       85 d  amp-fp16, batch 32, 4 trials at once
$ stint plan examples/bert-search.yaml --set scheme=asha 2>err | grep -E '^. +best|^trials'
| >  best       $2.50  $1.88 to $3.46    16.6 h  1x RTXA4000                        1  hyperstack/*        on-demand       81 d  amp-fp16, batch 16 x 2
| trials          50 by asha in 3 rungs, 90 % stopped early, one at a time
Offload 13B, or take more GPUs: neither; it fits.

$ stint estimate examples/offload-13b.yaml --on A100-80GBx8 --set zero=3,tensor=1,pipeline=1 --sweep offload=none,optimizer,all --price 40.96usd/hr
| train           llama-2-13b: 13.0 B parameters, full
| with            bf16, adamw, deepspeed, sequences of 2048 tokens
| on              8x A100-SXM-80GB
| 
|   offload  fits    GB    step  tokens/s  hours    cost  with
|      none  yes   42.8  9.04 s    14,500   57.5  $2,360  zero 3, recompute full, batch 8 x 1
| optimizer  yes   23.2  10.6 s    12,300   67.5  $2,770  zero 3, recompute full, batch 8 x 1, offload optimizer
|       all  yes   20.0  10.9 s    12,000   69.5  $2,850  zero 3, recompute full, batch 8 x 1, offload all
$ stint estimate examples/offload-13b.yaml --on A100-80GBx8 --set zero=2,tensor=1,pipeline=1 --sweep gpus=8,16 --price 40.96usd/hr | tail -3
| gpus  fits    GB    step  tokens/s  hours    cost  with
|    8  yes   64.6  9.09 s    14,400   57.8  $2,370  zero 2, recompute full, batch 8 x 1
|   16  yes   48.6  4.95 s    26,500   31.5  $2,590  zero 2, recompute full, batch 4 x 1
$ stint plan examples/offload-13b.yaml 2>err | sed -n '1p;3,5p'
| offload-13b: train llama-2-13b, full, 3 B tokens
|    plan       cost     80 % range    time  GPUs                machines  where                   market     price age  setting
| >  best       $284   $223 to $383  16.9 h  8x H200-SXM-141GB          1  yotta/ap-east-2         on-demand       85 d  bf16, tensor 2, zero 3, batch 8 x 2
|    on spot    $154  $95.5 to $253  11.7 h  8x B200-SXM-180GB          1  gcp/europe-west1        spot            85 d  bf16, tensor 2, zero 1, batch 8 x 2
$ stint plan examples/offload-13b.yaml --gpu A100-SXM-80GB --provider aws --explain 2>err | grep -A 2 'offload rather'
| disagrees       offload rather than more GPUs (taking 8 GPUs without offload
|                 costs $5,730 less than offload on 2 GPUs and is done 209 h
|                 sooner; offload on 2 GPUs would not meet the limits)
One, two or four machines.

$ stint estimate examples/nodes-7b.yaml --on A100-80GBx8 --sweep gpus=8,16,32 --price 40.96usd/hr
| train           llama-2-7b: 6.74 B parameters, full
| with            bf16, adamw, hf, sequences of 1024 tokens
| on              8x A100-SXM-80GB
| 
| gpus  fits    GB    step  tokens/s  hours    cost  with
|    8  yes   54.2  951 ms    34,500   26.4  $1,090  zero 1, recompute none, batch 4 x 1
|   16  yes   34.6  514 ms    63,700   14.3  $1,180  zero 1, recompute none, batch 2 x 1
|   32  yes   31.3  314 ms   105,000   8.71  $1,450  zero 1, recompute none, batch 1 x 1
$ stint plan examples/nodes-7b.yaml 2>err | sed -n '1p;3,5p'
| nodes-7b: train llama-2-7b, full, 3.28 B tokens
|    plan       cost     80 % range    time  GPUs               where                   market     price age  setting
| >  best       $171   $147 to $203  10.2 h  8x H200-SXM-141GB  yotta/ap-east-2         on-demand       85 d  bf16, zero 1, batch 4
|    on spot    $103  $66.9 to $159  7.71 h  8x B200-SXM-180GB  gcp/europe-west1        spot            85 d  bf16, zero 1, batch 4
$ stint plan examples/nodes-7b.yaml --gpu A100 --provider aws --limit 3 2>err | grep -E '^. +(best|on spot|faster)'
| >  best      $728  $646 to $847  26.5 h  8x A100-SXM-80GB          1  aws/us-east-1   on-demand       85 d  bf16, zero 1, batch 4
|    on spot   $396  $217 to $685  35.7 h  16x A100-SXM-40GB         2  aws/eu-north-1  spot            85 d  bf16, zero 1, batch 2
Stages of ZeRO: 7B with Adam does not fit without.

$ stint estimate examples/zero-7b.yaml --on A100-80GBx8 --set tensor=1,pipeline=1 --sweep zero=0..3 --price 40.96usd/hr
| train           llama-2-7b: 6.74 B parameters, full
| with            bf16, adamw, deepspeed, sequences of 1024 tokens
| on              8x A100-SXM-80GB
| 
| zero  fits    GB    step  tokens/s  hours    cost  with
|    0  NO     118  2.45 s    13,400      ?       ?  zero 0, recompute full, batch 1 x 4
|    1  yes   46.7  2.07 s    15,900   23.0    $948  zero 1, recompute none, batch 1 x 4
|    2  yes   34.9  2.15 s    15,200   23.9    $986  zero 2, recompute none, batch 1 x 4
|    3  yes   23.7  2.55 s    12,900   28.3  $1,170  zero 3, recompute none, batch 1 x 4
$ stint plan examples/zero-7b.yaml 2>err | sed -n '1p;3,5p'
| zero-7b: train llama-2-7b, full, 1.31 B tokens
|    plan       cost    80 % range    time  GPUs               where                   market     price age  setting
| >  best       $185  $142 to $258  35.6 h  8x RTX5090         yotta/us-east-2         on-demand       85 d  bf16, pipeline 8, batch 1 x 32
|    on spot    $185  $111 to $316  13.7 h  8x B200-SXM-180GB  gcp/europe-west1        spot            85 d  bf16, zero 1, batch 1 x 4
Sizes of batches.

$ stint estimate examples/batch-7b.yaml --on A100-80GBx8 --sweep global_batch=8,16,32 --price 40.96usd/hr
| train           llama-2-7b: 6.74 B parameters, full
| with            bf16, adamw, hf, sequences of 512 tokens
| on              8x A100-SXM-80GB
| 
| global_batch  fits    GB    step  tokens/s  hours  cost  with
|            8  yes   38.6  229 ms    17,900   6.37  $268  zero 1, recompute none, batch 1 x 1
|           16  yes   38.9  308 ms    26,600   4.28  $182  zero 1, recompute none, batch 2 x 1
|           32  yes   39.7  512 ms    32,000   3.55  $152  zero 1, recompute none, batch 4 x 1
$ stint plan examples/batch-7b.yaml 2>err | sed -n '1p;3,5p'
| batch-7b: train llama-2-7b, full, 410 M tokens
|    plan        cost      80 % range      time  GPUs               where                   market     price age  setting
| >  best       $20.0  $15.5 to $26.5    16.6 h  8x RTXA4000        hyperstack/*            on-demand       81 d  bf16, zero 3, batch 16 x 4, recompute full, offload optimizer
|    on spot    $13.6  $8.50 to $21.5  55.7 min  8x B200-SXM-180GB  gcp/europe-west1        spot            85 d  bf16, zero 1, batch 32 x 2
A face and a style.

$ stint estimate examples/face-lora.yaml --on RTX4090 --price 0.50usd/hr | grep -E '^(MEMORY|TIME|training|in all|COST|  [a-z]+ +[$])'
| MEMORY          fits (chance 94 %): 17.7 GB (15.2 to 24.1) of 25.5 GB usable
| TIME            2.29 s (1.65 to 3.17) a step: 1.75 samples/s, MFU 15 %
| training        23.8 min (17.2 to 33.0): 625 steps, 2,500 samples, 10 epochs
| in all          34.0 min with setup, moving data, evaluation and repeated work
| COST            $0.283 ($0.228 to $0.36)
|   compute             $0.199
|   setup              $0.0833
|   upload            $0.00139
|   download         $0.000139
$ stint plan examples/face-lora.yaml 2>err | sed -n '1p;3,5p'
| face-lora: train sdxl, lora, 2500 samples
|    plan         cost         80 % range      time  GPUs         where          market     price age  setting
| >  best       $0.151   $0.112 to $0.205  33.4 min  1x RTXA5000  runpod/*       on-demand       85 d  bf16, batch 1 x 4
|    other GPU   $0.16   $0.113 to $0.228    1.06 h  1x RTXA4000  hyperstack/*   on-demand       81 d  bf16, batch 1 x 4, recompute full
$ stint estimate examples/style-lora.yaml --on RTX4090 --price 0.35usd/hr | grep -E '^(MEMORY|TIME|training|in all|COST|  [a-z]+ +[$])'
| MEMORY          fits (chance 90 %): 18.6 GB (16.0 to 25.5) of 25.5 GB usable
| TIME            1.24 s (0.90 to 1.72) a step: 3.21 samples/s, MFU 16 %
| training        10.4 min (7.5 to 14.3): 500 steps, 2,000 samples, 10 epochs
| in all          20.5 min with setup, moving data, evaluation and repeated work
| COST            $0.119 ($0.103 to $0.143)
|   compute            $0.0605
|   setup              $0.0583
|   upload           $0.000583
|   download         $0.0000486
$ stint plan examples/style-lora.yaml 2>err | sed -n '1p;3,5p'
| style-lora: train sdxl, lora, 2000 samples
|    plan          cost          80 % range      time  GPUs         where          market     price age  setting
| >  best       $0.0746  $0.0571 to $0.0991  16.6 min  1x RTXA5000  runpod/*       on-demand       85 d  bf16, batch 2 x 2
|    other GPU    $0.08   $0.0566 to $0.112  31.2 min  1x RTXA4000  hyperstack/*   on-demand       81 d  bf16, batch 2 x 2, recompute full
$ stint estimate examples/lora-40-images.yaml --on RTX4090 --price 0.50usd/hr | grep -E '^(MEMORY|TIME|training|COST)'
| MEMORY          fits (chance 95 %): 17.4 GB (14.9 to 23.7) of 25.5 GB usable
| TIME            2.29 s (1.80 to 2.92) a step: 1.75 samples/s, MFU 15 %
| training        38.2 min (30.0 to 48.6): 1,000 steps, 4,000 samples, 10 epochs
| COST            $0.402 ($0.334 to $0.489)
$ stint plan examples/lora-40-images.yaml 2>err | sed -n '1p;3,5p'
| lora-40-images: train sdxl, lora, 4000 samples
|    plan         cost        80 % range      time  GPUs               where          market     price age  setting
| >  best       $0.232  $0.183 to $0.295  51.5 min  1x RTXA5000        runpod/*       on-demand       85 d  bf16, batch 1 x 4
|    other GPU  $0.243   $0.18 to $0.325    1.60 h  1x RTXA4000        hyperstack/*   on-demand       81 d  bf16, batch 2 x 2, recompute full
A fleet that serves 70B.

$ stint estimate examples/serve-70b.yaml --on H100-SXM-80GBx4 --price 8usd/hr | grep -E '^(TIME|latency|load|COST)'
| TIME            4,240 tokens/s with a batch of 338
| latency         grows without end: more requests come than it can answer
| load            4 replicas needed: more than it can do
| COST            $0.524 ($0.401 to $0.726) for a million output tokens, input
$ stint estimate examples/serve-70b.yaml --on H100-SXM-80GBx8 --price 16usd/hr | grep -E '^(MEMORY|TIME|latency|load|COST|note: (p95|first))'
| MEMORY          fits: 76.5 GB of 85.0 GB usable on each GPU
| TIME            5,120 tokens/s with a batch of 50
| latency         p50 9.89 s, p95 10.0 s, p99 10.1 s, first token p95 238 ms
| load            4 replicas, 62 % busy
| COST            $0.868 for a million output tokens, input included
| note: p95 10.03 s meets the target of 15.00 s
| note: first token p95 238 ms meets the target of 2.00 s
$ stint plan examples/serve-70b.yaml 2>err | sed -n '1p;/^GPU MACHINES/,/on spot/p'
| serve-70b: serve llama-3.1-70b, 20 requests/s for a month of 30 days
| GPU MACHINES
|    plan       cost/month          80 % range     p95  per M out  copies  GPUs               machines  where                   market     price age  setting
| >  best          $11,400   $9,280 to $14,000  10.0 s     $0.859       4  8x H100-SXM-80GB          1  cudo/no-kristiansand-1  on-demand       85 d  fp8, tensor 2, batch 50, vllm
|    on spot        $8,530   $5,640 to $12,900  9.19 s     $0.643       3  3x B200-SXM-180GB         3  nebius/us-central1      spot            85 d  fp8, tensor 1, batch 61, vllm
The older ones still run.

$ for job in gpt2-pretrain llama-7b-lora sdxl-lora serve-8b; do stint estimate examples/$job.yaml --on H100-SXM-80GB --price 2usd/hr | grep -E '^(MEMORY|COST)'; done
| MEMORY          fits: 18.9 GB (16.3 to 25.8) of 85.0 GB usable
| COST            $12.1 ($11.2 to $13.3)
| MEMORY          fits: 76.0 GB (72.2 to 80.0) of 85.0 GB usable
| COST            $4.37 ($4.01 to $4.76)
| MEMORY          fits: 11.4 GB (9.8 to 15.5) of 85.0 GB usable
| COST            $1.44 ($1.09 to $1.94)
| MEMORY          fits: 76.5 GB of 85.0 GB usable
| COST            $0.217 for a million output tokens, input included
$ for job in gpt2-pretrain llama-7b-lora sdxl-lora serve-8b; do stint plan examples/$job.yaml 2>err | grep -E '^. +best'; done
| >  best       $10.4  $8.83 to $12.6    38.5 h  1x RTXA5000        runpod/*                on-demand       85 d  amp-bf16, batch 32 x 16
| >  best       $4.32  $3.46 to $5.40    2.18 h  1x H100-SXM-80GB   cudo/no-kristiansand-1  on-demand       85 d  bf16, batch 16 x 8
| >  best       $0.153  $0.108 to $0.219    1.02 h  1x RTXA4000  hyperstack/*  on-demand       81 d  bf16, batch 1, recompute full
| >  best             $972    $891 to $1,060  4.23 s     $0.147       5  5x RTXA5000           5  runpod/*        on-demand       85 d  fp8, tensor 1, batch 16, vllm
