The worked examples of docs/examples.md, which says what others computed for them and why ours differs.

$ ln -s "$cases/../../examples" examples
LLaMA 7B, all of it, with the DeepSpeed file of the guide: its 6 h and $90.

$ printf '{"zero_optimization": {"stage": 2}, "fp16": {"enabled": true}, "train_micro_batch_size_per_gpu": 4}' >ds.json
$ stint estimate examples/llama-7b-finetune.yaml --on A100-80GBx8 --deepspeed ds.json --price 15usd/hr | grep -E '^(MEMORY|TIME|training|COST)'
| MEMORY          probably fits: 84.0 GB (67.6 to 104.4) of 85.0 GB usable on each
| TIME            2.07 s (1.56 to 2.74) a step: 31,700 tokens/s, MFU 52.4 %
| training        5.75 h (4.33 to 7.62): 10,000 steps, 655 M tokens
| COST            $88.76 ($67.56 to $116.86)
13B on 300 billion tokens: not 480 h and $19,864.

$ printf '{"zero_optimization": {"stage": 3}, "bf16": {"enabled": true}, "train_micro_batch_size_per_gpu": 2, "gradient_accumulation_steps": 8}' >ds.json
$ stint estimate examples/gpt-13b-pretrain.yaml --on A100-80GBx32 --deepspeed ds.json --price 10.32usd/hr | grep -E '^(MEMORY|TIME|training|COST)'
| MEMORY          fits: 42.5 GB (34.2 to 52.8) of 85.0 GB usable on each GPU
| TIME            18.0 s (13.5 to 24.0) a step: 58,200 tokens/s, MFU 46.4 %
| training        59.6 days (44.8 to 79.4): 286,103 steps, 300 B tokens
| COST            $59152.00 ($44420.87 to $78777.39)
$ stint estimate examples/gpt-13b-pretrain.yaml --on A100-80GBx32 --price 10.32usd/hr | grep -E '^(on|TIME|training|COST)'
| on              32 x A100-SXM-80GB in 4 machines: data 32, ZeRO 1
| TIME            12.9 s (11.4 to 14.7) a step: 81,000 tokens/s, MFU 64.5 %
| training        42.9 days (37.7 to 48.8): 286,103 steps, 300 B tokens
| COST            $42562.99 ($37429.17 to $48402.51)
A search with BERT: trials at once cost what they cost one after the other, plus set-up; not four times as much.

$ stint estimate examples/bert-search.yaml --on V100-32GBx8 --set trials=20 --price 12usd/hr | grep -E '^(TIME|in all|COST|  search)'
| TIME            121 ms (99 to 148) a step: 102,000 tokens/s, MFU 21.5 %
| in all          4.00 h with set-up, moving data, evaluation and what is done
| COST            $47.94 ($39.34 to $58.49)
|   search              $44.33
$ stint estimate examples/bert-search.yaml --on V100-32GBx8 --set trials=20,search.parallel=4 --price 12usd/hr | grep -E '^(in all|COST|  search)'
| in all          73.5 min with set-up, moving data, evaluation and what is done
| COST            $52.14 ($43.54 to $62.69)
|   search              $48.53
$ stint estimate examples/bert-search.yaml --on V100-32GB --set trials=20,search.parallel=8 --price 1.5usd/hr | grep -E '^(TIME|in all|COST|  search)'
| TIME            564 ms (469 to 677) a step: 21,800 tokens/s, MFU 36.8 %
| in all          3.56 h with set-up, moving data, evaluation and what is done
| COST            $28.54 ($23.99 to $34.00)
|   search              $27.07
Offload 13B, or take more GPUs: neither; it fits.

$ stint estimate examples/offload-13b.yaml --on A100-80GBx8 --set zero=3 --sweep offload=none,optimizer,all --price 40.96usd/hr
| train           llama-2-13b: 13.0 B parameters, full
| with            bf16, adamw, deepspeed, sequences of 2048 tokens
| on              8 x A100-SXM-80GB
| 
|   offload  fits    GB    step  tokens/s  hours      cost  with
|      none  yes   73.7  9.01 s    14,600   57.3  $2352.82  zero 3, recompute none, batch 2 x 4
| optimizer  yes   50.9  10.6 s    12,400   67.3  $2762.25  zero 3, recompute none, batch 2 x 4
|       all  yes   47.7  11.9 s    11,100   75.4  $3095.93  zero 3, recompute none, batch 2 x 4
$ stint estimate examples/offload-13b.yaml --on A100-80GBx8 --set zero=2 --sweep gpus=8,16 --price 40.96usd/hr | tail -3
| gpus  fits    GB    step  tokens/s  hours      cost  with
|    8  yes   73.5  11.2 s    11,700   71.4  $2929.70  zero 2, recompute none, batch 1 x 8
|   16  yes   62.1  5.73 s    22,900   36.5  $3000.26  zero 2, recompute none, batch 1 x 4
One, two or four machines.

$ stint estimate examples/nodes-7b.yaml --on A100-80GBx8 --sweep gpus=8,16,32 --price 40.96usd/hr
| train           llama-2-7b: 6.74 B parameters, full
| with            bf16, adamw, fsdp, sequences of 1024 tokens
| on              8 x A100-SXM-80GB
| 
| gpus  fits    GB    step  tokens/s  hours      cost  with
|    8  yes   50.7  905 ms    36,200   25.1  $1036.01  zero 1, recompute none, batch 4 x 1
|   16  yes   36.0  488 ms    67,200   13.5  $1123.63  zero 1, recompute none, batch 2 x 1
|   32  yes   32.1  301 ms   109,000   8.36  $1397.40  zero 1, recompute none, batch 1 x 1
Stages of ZeRO: 7B with Adam does not fit without.

$ stint estimate examples/zero-7b.yaml --on A100-80GBx8 --sweep zero=0..3 --price 40.96usd/hr
| train           llama-2-7b: 6.74 B parameters, full
| with            bf16, adamw, deepspeed, sequences of 1024 tokens
| on              8 x A100-SXM-80GB
| 
| zero  fits    GB    step  tokens/s  hours      cost  with
|    0  NO     118  2.18 s    15,000      ?         ?  zero 0, recompute none, batch 1 x 4
|    1  yes   46.7  2.07 s    15,900   23.0   $947.62  zero 1, recompute none, batch 1 x 4
|    2  yes   34.9  2.15 s    15,200   23.9   $985.50  zero 2, recompute none, batch 1 x 4
|    3  yes   23.7  2.55 s    12,900   28.3  $1166.89  zero 3, recompute none, batch 1 x 4
Sizes of batches.

$ stint estimate examples/batch-7b.yaml --on A100-80GBx8 --sweep batch=1,2,4 --price 40.96usd/hr
| train           llama-2-7b: 6.74 B parameters, full
| with            bf16, adamw, fsdp, sequences of 512 tokens
| on              8 x A100-SXM-80GB
| 
| batch  fits    GB    step  tokens/s  hours     cost  with
|     1  yes   42.0  239 ms    17,100   6.65  $279.23  zero 1, recompute none, batch 1 x 1
|     2  yes   42.2  311 ms    26,300   4.32  $183.74  zero 1, recompute none, batch 2 x 1
|     4  yes   42.7  496 ms    33,000   3.45  $148.01  zero 1, recompute none, batch 4 x 1
A face and a style.

$ stint estimate examples/face-lora.yaml --on RTX4090 --price 0.50usd/hr | grep -E '^(MEMORY|TIME|training|in all|COST|  [a-z]+ +[$])'
| MEMORY          fits: 15.9 GB (12.8 to 19.7) of 25.5 GB usable
| TIME            1.32 s (0.96 to 1.81) a step: 3.03 samples/s, MFU 26.1 %
| training        13.7 min (10.0 to 18.8): 625 steps, 2,500 samples, 10 epochs
| in all          17.9 min with set-up, moving data, evaluation and what is done
| COST            $0.1503 ($0.1193 to $0.1927)
|   compute            $0.1144
|   setup              $0.0333
|   upload            $0.00139
|   download         $0.000139
|   egress              $0.001
$ stint estimate examples/style-lora.yaml --on RTX4090 --price 0.35usd/hr | grep -E '^(MEMORY|TIME|training|in all|COST|  [a-z]+ +[$])'
| MEMORY          fits: 16.8 GB (13.5 to 20.9) of 25.5 GB usable
| TIME            729 ms (532 to 1000) a step: 5.48 samples/s, MFU 26.5 %
| training        6.08 min (4.43 to 8.33): 500 steps, 2,000 samples, 10 epochs
| in all          10.2 min with set-up, moving data, evaluation and what is done
| COST            $0.0599 ($0.0503 to $0.0731)
|   compute            $0.0355
|   setup              $0.0233
|   upload           $0.000583
|   download         $0.0000486
|   egress             $0.0005
$ stint estimate examples/lora-40-images.yaml --on RTX4090 --price 0.50usd/hr | grep -E '^(MEMORY|TIME|training|COST)'
| MEMORY          fits: 15.6 GB (12.5 to 19.4) of 25.5 GB usable
| TIME            1.32 s (1.10 to 1.59) a step: 3.03 samples/s, MFU 26.0 %
| training        22.0 min (18.3 to 26.4): 1,000 steps, 4,000 samples, 10 epochs
| COST            $0.2193 ($0.1885 to $0.2562)
A fleet that serves 70B.

$ stint estimate examples/serve-70b.yaml --on H100-SXM-80GBx4 --price 8usd/hr | grep -E '^(TIME|latency|load|COST)'
| TIME            4,240 tokens/s with a batch of 341
| latency         grows without end: more requests come than it can answer
| load            4 replicas needed: more than it can do
| COST            $0.5240 ($0.3613 to $0.7598) for a million tokens
$ stint estimate examples/serve-70b.yaml --on H100-SXM-80GBx8 --price 16usd/hr | grep -E '^(MEMORY|TIME|latency|load|COST|note: (p95|first))'
| MEMORY          fits: 76.5 GB of 85.0 GB usable on each GPU
| TIME            5,120 tokens/s with a batch of 50
| latency         p50 9.89 s, p95 10.0 s, p99 10.1 s, first token p95 238 ms
| load            4 replicas, 62 % busy
| COST            $0.8681 for a million tokens
| note: p95 10.03 s meets the 15.00 s asked for
| note: first token p95 238 ms meets the 2.00 s asked for
The older ones still run.

$ for job in gpt2-pretrain llama-7b-lora sdxl-lora serve-8b; do stint estimate examples/$job.yaml --on H100-SXM-80GB --price 2usd/hr | grep -E '^(MEMORY|COST)'; done
| MEMORY          fits: 18.9 GB (15.2 to 23.5) of 85.0 GB usable
| COST            $12.08 ($11.19 to $13.03)
| MEMORY          fits: 66.7 GB (53.6 to 82.9) of 85.0 GB usable
| COST            $3.05 ($2.84 to $3.28)
| MEMORY          fits: 9.46 GB (7.61 to 11.77) of 85.0 GB usable
| COST            $0.6256 ($0.5015 to $0.7957)
| MEMORY          fits: 76.5 GB of 85.0 GB usable
| COST            $0.2170 for a million tokens
