The worked examples of docs/examples.md, which lists what others computed for them and why Stint's result differs.

$ ln -s "$cases/../../examples" examples
LLaMA 7B, all of it, with the DeepSpeed file of the guide: its 6 h and $90.

$ printf '{"zero_optimization": {"stage": 2}, "fp16": {"enabled": true}, "train_micro_batch_size_per_gpu": 4}' >ds.json
$ stint estimate examples/llama-7b-finetune.yaml --on A100-80GBx8 --deepspeed ds.json --price 15usd/hr | grep -E '^(MEMORY|TIME|training|COST)'
| MEMORY          fits (chance 97 %): 57.6 GB (44.6 to 74.5) of 85.0 GB usable on
| TIME            2.35 s (1.82 to 3.05) a step: 27,800 tokens/s, MFU 46.0 %
| training        6.54 h (5.04 to 8.47): 10,000 steps, 655 M tokens
| COST            $101 ($78.2 to $130)
$ stint plan examples/llama-7b-finetune.yaml 2>err | sed -n '1p;3,5p'
| llama-7b-finetune: train llama-7b, full, 655 M tokens
|    plan        cost  80 % range      time  GPUs                        machines  where               market     setting
| >  best       $20.7  $15.1-26.9    1.45 h  8x B200-SXM-180GB                  1  gcp/europe-west1    spot       bf16, zero 1, batch 4
|    on demand  $32.1  $28.0-36.9    4.29 h  4x H100-SXM-80GB                   1  vast/*              on-demand  bf16, zero 1, batch 2 x 4
13B on 300 billion tokens: not 480 h and $19,864.

$ printf '{"zero_optimization": {"stage": 3}, "bf16": {"enabled": true}, "train_micro_batch_size_per_gpu": 2, "gradient_accumulation_steps": 8}' >ds.json
$ stint estimate examples/gpt-13b-pretrain.yaml --on A100-80GBx32 --deepspeed ds.json --price 10.32usd/hr | grep -E '^(MEMORY|TIME|training|COST)'
| MEMORY          fits: 42.5 GB (32.9 to 54.9) of 85.0 GB usable on each GPU
| TIME            18.0 s (13.8 to 23.4) a step: 58,200 tokens/s, MFU 46.4 %
| training        62.9 days (48.1 to 82.4): 286,103 steps, 300 B tokens
| COST            $62,400 ($47,700 to $81,700)
$ stint estimate examples/gpt-13b-pretrain.yaml --on A100-80GBx32 --price 10.32usd/hr | grep -E '^(on|TIME|training|COST)'
| on              32 x A100-SXM-80GB in 4 machines: data 32, ZeRO 3
| TIME            13.0 s (11.2 to 15.0) a step: 80,700 tokens/s, MFU 64.3 %
| training        45.4 days (34.7 to 59.4): 286,103 steps, 300 B tokens
| COST            $45,100 ($36,900 to $59,000)
$ stint plan examples/gpt-13b-pretrain.yaml 2>err | sed -n '1p;3,5p'
| gpt-13b-pretrain: train gpt3-13b, full, 300 B tokens
|    plan          cost  80 % range           time  GPUs                 machines  where             market     setting
| >  best       $23,300  $19,800-30,200  64.8 days  8x H100-SXM-80GB            1  vast/*            on-demand  bf16, tensor 2, zero 1, batch 1 x 128
|    on spot    $12,100  $9,290-16,100   38.4 days  8x B200-SXM-180GB           1  gcp/europe-west1  spot       bf16, zero 1, batch 4 x 16
A search with BERT: trials at once cost what they cost one after the other, plus set-up; not four times as much.

$ stint estimate examples/bert-search.yaml --on V100-32GBx8 --set trials=20 --price 12usd/hr | grep -E '^(TIME|in all|COST|  search)'
| TIME            98.8 ms (73.9 to 131.9) a step: 124,000 tokens/s, MFU 26.3 %
| in all          3.29 h with setup, moving data, evaluation and repeated work
| COST            $39.4 ($29.9 to $52.2)
|   search               $36.2
$ stint estimate examples/bert-search.yaml --on V100-32GBx8 --set trials=20,search.parallel=4 --price 12usd/hr | grep -E '^(in all|COST|  search)'
| in all          1.02 h with setup, moving data, evaluation and repeated work
| COST            $43.6 ($34.1 to $56.4)
|   search               $40.4
$ stint estimate examples/bert-search.yaml --on V100-32GB --set trials=20,search.parallel=8 --price 1.5usd/hr | grep -E '^(TIME|in all|COST|  search)'
| TIME            580 ms (443 to 758) a step: 21,200 tokens/s, MFU 35.8 %
| in all          3.66 h with setup, moving data, evaluation and repeated work
| COST            $29.3 ($22.7 to $37.9)
|   search               $27.8
$ stint plan examples/bert-search.yaml 2>err | sed -n '1p;3,5p'
| bert-search: train bert-large, full, 67.6 M tokens
|    plan        cost  80 % range      time  GPUs               machines  where               market     setting
| >  best       $7.02  $5.26-9.37    19.0 h  4x RTX5070                1  vast/*              on-demand  amp-fp16, zero 3, batch 8
|    on spot    $8.30  $4.95-12.1    6.50 h  50x T4                   50  azure/westus2       spot       amp-fp16, batch 16 x 2, 50 trials at once
$ stint plan examples/bert-search.yaml --set scheme=asha 2>err | grep -E '^. +best|^trials'
| >  best       $1.87  $1.41-2.49    5.05 h  4x RTX5070                1  vast/*              on-demand  amp-fp16, zero 3, batch 8
| trials          50 by asha in 3 rungs, 90 % stopped early, one at a time
Offload 13B, or take more GPUs: neither; it fits.

$ stint estimate examples/offload-13b.yaml --on A100-80GBx8 --set zero=3,tensor=1,pipeline=1 --sweep offload=none,optimizer,all --price 40.96usd/hr
| train           llama-2-13b: 13.0 B parameters, full
| with            bf16, adamw, deepspeed, sequences of 2048 tokens
| on              8 x A100-SXM-80GB
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
|    plan       cost  80 % range    time  GPUs                machines  where             market     setting
| >  best       $284  $220-368    16.9 h  8x H200-SXM-141GB          1  yotta/ap-east-2   on-demand  bf16, tensor 2, zero 3, batch 8 x 2
|    on spot    $150  $106-207    11.4 h  8x B200-SXM-180GB          1  gcp/europe-west1  spot       bf16, tensor 2, zero 1, batch 8 x 2
$ stint plan examples/offload-13b.yaml --gpu A100-SXM-80GB --provider aws --explain 2>err | grep -A 2 'offload rather'
| disagrees       offload rather than more GPUs (taking 16 GPUs without offload
|                 costs $5,780 less than offload on 2 GPUs and is done 235 h
|                 sooner; offload on 2 GPUs would not meet the limits)
One, two or four machines.

$ stint estimate examples/nodes-7b.yaml --on A100-80GBx8 --sweep gpus=8,16,32 --price 40.96usd/hr
| train           llama-2-7b: 6.74 B parameters, full
| with            bf16, adamw, hf, sequences of 1024 tokens
| on              8 x A100-SXM-80GB
| 
| gpus  fits    GB    step  tokens/s  hours    cost  with
|    8  yes   54.2  951 ms    34,500   26.4  $1,090  zero 1, recompute none, batch 4 x 1
|   16  yes   34.6  514 ms    63,700   14.3  $1,180  zero 1, recompute none, batch 2 x 1
|   32  yes   31.3  314 ms   105,000   8.71  $1,450  zero 1, recompute none, batch 1 x 1
$ stint plan examples/nodes-7b.yaml 2>err | sed -n '1p;3,5p'
| nodes-7b: train llama-2-7b, full, 3.28 B tokens
|    plan        cost  80 % range    time  GPUs               where               market     setting
| >  best        $117  $102-135    45.5 h  2x H100-SXM-80GB   hyperbolic/default  on-demand  bf16, zero 2, batch 2 x 8
|    on spot    $96.8  $74.4-122   7.27 h  8x B200-SXM-180GB  gcp/europe-west1    spot       bf16, zero 1, batch 4
$ stint plan examples/nodes-7b.yaml --gpu A100 --provider aws --limit 3 2>err | grep -E '^. +(best|on spot|faster)'
| >  best     $673  $582-778    15.3 h  16x A100-SXM-40GB         2  aws/us-east-2   on-demand  bf16, zero 1, batch 2
|    on spot  $315  $216-418    29.9 h  16x A100-SXM-40GB         2  aws/eu-north-1  spot       bf16, zero 1, batch 2
|    faster   $969  $839-1,120  8.83 h  32x A100-SXM-80GB         4  aws/us-east-1   on-demand  bf16, zero 1, batch 1
Stages of ZeRO: 7B with Adam does not fit without.

$ stint estimate examples/zero-7b.yaml --on A100-80GBx8 --set tensor=1,pipeline=1 --sweep zero=0..3 --price 40.96usd/hr
| train           llama-2-7b: 6.74 B parameters, full
| with            bf16, adamw, deepspeed, sequences of 1024 tokens
| on              8 x A100-SXM-80GB
| 
| zero  fits    GB    step  tokens/s  hours    cost  with
|    0  NO     118  2.45 s    13,400      ?       ?  zero 0, recompute full, batch 1 x 4
|    1  yes   46.7  2.07 s    15,900   23.0    $948  zero 1, recompute none, batch 1 x 4
|    2  yes   34.9  2.15 s    15,200   23.9    $986  zero 2, recompute none, batch 1 x 4
|    3  yes   23.7  2.55 s    12,900   28.3  $1,170  zero 3, recompute none, batch 1 x 4
$ stint plan examples/zero-7b.yaml 2>err | sed -n '1p;3,5p'
| zero-7b: train llama-2-7b, full, 1.31 B tokens
|    plan       cost  80 % range    time  GPUs               machines  where              market     setting
| >  best       $136  $102-182    33.6 h  8x RTX5090                1  vast/*             on-demand  bf16, tensor 2, zero 1, batch 1 x 8
|    on spot    $147  $104-200    10.6 h  16x H100-SXM-80GB         2  gcp/europe-north1  spot       bf16, zero 1, batch 1 x 2
Sizes of batches.

$ stint estimate examples/batch-7b.yaml --on A100-80GBx8 --sweep global_batch=8,16,32 --price 40.96usd/hr
| train           llama-2-7b: 6.74 B parameters, full
| with            bf16, adamw, hf, sequences of 512 tokens
| on              8 x A100-SXM-80GB
| 
| global_batch  fits    GB    step  tokens/s  hours  cost  with
|            8  yes   38.6  229 ms    17,900   6.35  $267  zero 1, recompute none, batch 1 x 1
|           16  yes   38.9  308 ms    26,600   4.28  $182  zero 1, recompute none, batch 2 x 1
|           32  yes   39.7  512 ms    32,000   3.55  $152  zero 1, recompute none, batch 4 x 1
$ stint plan examples/batch-7b.yaml 2>err | sed -n '1p;3,5p'
| batch-7b: train llama-2-7b, full, 410 M tokens
|    plan        cost  80 % range      time  GPUs                        where               market     setting
| >  best       $14.2  $12.3-16.3    5.50 h  2x H100-SXM-80GB            hyperbolic/default  on-demand  bf16, zero 2, batch 4 x 64
|    on spot    $12.9  $9.22-16.8  52.4 min  8x B200-SXM-180GB           gcp/europe-west1    spot       bf16, zero 1, batch 32 x 2
A face and a style.

$ stint estimate examples/face-lora.yaml --on RTX4090 --price 0.50usd/hr | grep -E '^(MEMORY|TIME|training|in all|COST|  [a-z]+ +[$])'
| MEMORY          fits (chance 99 %): 15.9 GB (12.3 to 20.5) of 25.5 GB usable
| TIME            1.32 s (0.93 to 1.86) a step: 3.03 samples/s, MFU 26.1 %
| training        13.7 min (9.7 to 19.4): 625 steps, 2,500 samples, 10 epochs
| in all          17.9 min with setup, moving data, evaluation and repeated work
| COST            $0.15 ($0.117 to $0.198)
|   compute             $0.114
|   setup              $0.0333
|   upload            $0.00139
|   download         $0.000139
|   egress              $0.001
$ stint plan examples/face-lora.yaml 2>err | sed -n '1p;3,5p'
| face-lora: train sdxl, lora, 2500 samples
|    plan          cost  80 % range         time  GPUs               where          market     setting
| >  best       $0.0717  $0.0473-0.103    1.69 h  1x T4              azure/westus2  spot       fp16-master, batch 2 x 2, recompute full
|    on demand   $0.078  $0.0591-0.105  22.0 min  4x RTX3060         vast/*         on-demand  bf16, zero 0, batch 1, recompute full
$ stint estimate examples/style-lora.yaml --on RTX4090 --price 0.35usd/hr | grep -E '^(MEMORY|TIME|training|in all|COST|  [a-z]+ +[$])'
| MEMORY          fits (chance 98 %): 16.8 GB (13.0 to 21.8) of 25.5 GB usable
| TIME            729 ms (516 to 1030) a step: 5.48 samples/s, MFU 26.5 %
| training        6.08 min (4.30 to 8.59): 500 steps, 2,000 samples, 10 epochs
| in all          10.2 min with setup, moving data, evaluation and repeated work
| COST            $0.0599 ($0.0496 to $0.0746)
|   compute            $0.0355
|   setup              $0.0233
|   upload           $0.000583
|   download         $0.0000486
|   egress             $0.0005
$ stint plan examples/style-lora.yaml 2>err | sed -n '1p;3,5p'
| style-lora: train sdxl, lora, 2000 samples
|    plan          cost  80 % range          time  GPUs               where          market     setting
| >  best       $0.0296  $0.0211-0.0404  41.9 min  1x T4              azure/westus2  spot       fp16-master, batch 1 x 4
|    on demand  $0.0408  $0.0326-0.0523  13.4 min  1x V100-SXM2-16GB  vast/*         on-demand  fp16-master, batch 1 x 4
$ stint estimate examples/lora-40-images.yaml --on RTX4090 --price 0.50usd/hr | grep -E '^(MEMORY|TIME|training|COST)'
| MEMORY          fits (chance 99 %): 15.6 GB (12.0 to 20.1) of 25.5 GB usable
| TIME            1.32 s (1.01 to 1.73) a step: 3.03 samples/s, MFU 26.0 %
| training        22.0 min (16.8 to 28.8): 1,000 steps, 4,000 samples, 10 epochs
| COST            $0.219 ($0.176 to $0.276)
$ stint plan examples/lora-40-images.yaml 2>err | sed -n '1p;3,5p'
| lora-40-images: train sdxl, lora, 4000 samples
|    plan         cost  80 % range         time  GPUs         where          market     setting
| >  best        $0.11  $0.0764-0.151    2.60 h  1x T4        azure/westus2  spot       fp16-master, batch 2 x 2, recompute full
|    on demand  $0.115  $0.0932-0.145  18.4 min  4x RTX5070   vast/*         on-demand  bf16, zero 0, batch 1, recompute full
A fleet that serves 70B.

$ stint estimate examples/serve-70b.yaml --on H100-SXM-80GBx4 --price 8usd/hr | grep -E '^(TIME|latency|load|COST)'
| TIME            4,240 tokens/s with a batch of 341
| latency         grows without end: more requests come than it can answer
| load            4 replicas needed: more than it can do
| COST            $0.524 ($0.389 to $0.705) for a million output tokens, input
$ stint estimate examples/serve-70b.yaml --on H100-SXM-80GBx8 --price 16usd/hr | grep -E '^(MEMORY|TIME|latency|load|COST|note: (p95|first))'
| MEMORY          fits: 76.5 GB of 85.0 GB usable on each GPU
| TIME            5,120 tokens/s with a batch of 50
| latency         p50 9.89 s, p95 10.0 s, p99 10.1 s, first token p95 238 ms
| load            4 replicas, 62 % busy
| COST            $0.868 for a million output tokens, input included
| note: p95 10.03 s meets the target of 15.00 s
| note: first token p95 238 ms meets the target of 2.00 s
$ stint plan examples/serve-70b.yaml 2>err | sed -n '1p;3,5p'
| serve-70b: serve llama-3.1-70b, 20 requests/s for a month of 30 days
|    plan       cost/month     p95  per M out  copies  GPUs               machines  where               market     setting
| >  best           $7,430  10.0 s      $0.56       4  8x H100-SXM-80GB          4  hyperbolic/default  on-demand  fp8, tensor 2, batch 50, vllm
|    on spot        $6,270  10.0 s     $0.472       4  8x H100-SXM-80GB          1  gcp/europe-north1   spot       fp8, tensor 2, batch 50, vllm
The older ones still run.

$ for job in gpt2-pretrain llama-7b-lora sdxl-lora serve-8b; do stint estimate examples/$job.yaml --on H100-SXM-80GB --price 2usd/hr | grep -E '^(MEMORY|COST)'; done
| MEMORY          fits: 18.9 GB (14.6 to 24.5) of 85.0 GB usable
| COST            $12.1 ($11.0 to $13.2)
| MEMORY          fits: 76.0 GB (72.2 to 80.0) of 85.0 GB usable
| COST            $4.33 ($3.98 to $4.73)
| MEMORY          fits: 9.46 GB (7.32 to 12.23) of 85.0 GB usable
| COST            $0.626 ($0.50 to $0.799)
| MEMORY          fits: 76.5 GB of 85.0 GB usable
| COST            $0.217 for a million output tokens, input included
$ for job in gpt2-pretrain llama-7b-lora sdxl-lora serve-8b; do stint plan examples/$job.yaml 2>err | grep -E '^. +best'; done
| >  best       $6.63  $5.67-7.75    18.9 h  1x RTX5880-Ada    vast/*              on-demand  amp-bf16, batch 32 x 16
| >  best       $2.73  $2.16-3.31    2.79 h  1x H100-SXM-80GB          1  gcp/europe-north1   spot       bf16, batch 16 x 8
| >  best       $0.0739  $0.0557-0.10   21.1 min  4x RTX3060         vast/*        on-demand  bf16, zero 0, batch 1, recompute full
| >  best             $972  4.23 s     $0.147       5  5x RTXA5000           5  runpod/*        on-demand  fp8, tensor 1, batch 16, vllm
