A model and a GPU are enough.

$ stint estimate llama-2-7b --method lora --tokens 25M --on A100
| train           llama-2-7b: 6.74 B parameters, lora trains 40.0 M
| with            bf16, adamw, hf, recompute none
| on              A100-SXM-80GB
| batch           4 x 2048 tokens
| 
| MEMORY          fits: 75.8 GB (72.0 to 79.8) of 85.0 GB usable
|   weights            13.5 GB   18 %  #######
|   adapters          0.560 GB    1 %
|   activations        53.3 GB   70 %  ############################
|   logits             3.15 GB    4 %  ##
|   workspace         0.120 GB    0 %
|   fragmentation      4.46 GB    6 %  ##
|   context           0.800 GB    1 %
| 
| TIME            1.77 s (1.64 to 1.91) a step: 4,620 tokens/s, MFU 41.5 %
|   products            920 ms   52 %  #####################
|   attention           118 ms    7 %  ###
|   elementwise         705 ms   40 %  ################
|   head and loss      27.0 ms    2 %  #
|   optimizer           997 us    0 %
|   host               1.02 ms    0 %
| training        1.50 h (1.39 to 1.62): 3,052 steps, 25.0 M tokens
| in all          1.57 h with setup, moving data, evaluation and repeated work
| 
| ENERGY          613 W at the wall: 1.22 kWh (1.13 to 1.32) with PUE 1.30
| carbon          0.581 kg CO2e (0.539 to 0.626) at 475 g/kWh
|                 as much as 2.33 km by car
|                 as much as 46.8 phone charges
|                 as much as a grown tree absorbs in 9.63 days
| 
| COST            $1.46 ($1.36 to $1.57)
|   compute              $1.40
|   setup               $0.062
| offer           vast/*/1x-A100_SXM4_80GB-32-65536, $0.9300/hr on-demand, price
|                 from 2025-10-27 (384 days old)
| 
| note: LoRA of rank 16 on all linear layers
| note: precision bf16, as usual on this card
| note: optimizer adamw
| note: framework hf, Hugging Face's model code: choose another with --set
|       framework
| note: sequences of 2048 tokens
| note: micro-batch 4: the largest that fits well
| note: no accumulation: a global batch of 4
| note: recompute none: the least that fits
| note: the cheapest offer with these GPUs; choose another with --offer
| note: PUE 1.3 is assumed: the data center's own figure is unknown
! stint: note: 'A100' means A100-SXM-80GB, the SXM form with the most memory
! stint: warning: 1 of 1 prices is more than 30 days old (oldest: 2025-10-27); 'stint price doctor' shows what to run
A job file, on a machine that is named.

$ printf 'name: finetune\ntrain:\n  model: meta-llama/Llama-2-7b-hf\n  method: qlora\n  data: {examples: 50000, tokens: 512, size: 50GB}\n  epochs: 3\n  sequence: 512\n  global_batch: 128\n  evaluation: 5%%\n  download: 200MB\n  storage: {size: 50GB, duration: 30d}\n' >job.yaml
$ stint estimate job.yaml --offer aws/us-east-1/p5.48xlarge
| train           llama-2-7b: 6.74 B parameters, qlora trains 40.0 M
| with            bf16, adamw, hf, recompute none
| on              8 x H100-SXM-80GB: data 8
| batch           128 x 512 tokens: micro-batch 16 x 8 data parallel
| 
| MEMORY          fits: 62.8 GB (50.5 to 78.1) of 85.0 GB usable on each GPU
|   weights            4.69 GB    7 %  ###
|   adapters          0.560 GB    1 %
|   activations        49.0 GB   78 %  ###############################
|   logits             3.15 GB    5 %  ##
|   workspace         0.120 GB    0 %
|   fragmentation      4.12 GB    7 %  ###
|   buffers           0.400 GB    1 %
|   context           0.800 GB    1 %  #
| 
| TIME            834 ms (741 to 938) a step: 78,600 tokens/s, MFU 26.7 %
|   products            333 ms   40 %  ################
|   attention          18.3 ms    2 %  #
|   elementwise         436 ms   52 %  #####################
|   head and loss      11.9 ms    1 %  #
|   dequantise         32.2 ms    4 %  ##
|   optimizer           624 us    0 %
|   data parallel       305 us    0 %
|   host               1.02 ms    0 %
| training        16.3 min (14.5 to 18.3): 1,172 steps, 76.8 M tokens, 3 epochs
| in all          32.5 min with setup, moving data, evaluation and repeated work
| 
| ENERGY          6,600 W at the wall: 2.83 kWh (2.59 to 3.10) with PUE 1.14
| carbon          1.07 kg CO2e (0.98 to 1.17) at 379 g/kWh in us-east-1
|                 as much as 4.31 km by car
|                 as much as 86.5 phone charges
|                 as much as a grown tree absorbs in 17.8 days
| 
| COST            $30.9 ($29.2 to $32.9)
|   compute              $14.9
|   setup                $6.42
|   upload               $7.64
|   evaluation          $0.747
|   download           $0.0306
|   storage              $1.15
| offer           aws/us-east-1/p5.48xlarge, $55.04/hr on-demand, price from
|                 2026-08-22 (85 days old)
| 
| note: LoRA of rank 16 on all linear layers
| note: precision bf16, as usual on this card
| note: optimizer adamw
| note: framework hf, Hugging Face's model code: choose another with --set
|       framework
| note: micro-batch 16: the largest that fits well
| note: ZeRO stage 0: the lowest that fits
| note: recompute none: the least that fits
! stint: warning: 1 of 1 prices is more than 30 days old (oldest: 2026-08-22); 'stint price doctor' shows what to run
$ stint estimate job.yaml --on RTX4090 --price '0.40usd/hr' --set epochs=1,batch=4
| train           llama-2-7b: 6.74 B parameters, qlora trains 40.0 M
| with            bf16, adamw, hf, recompute none
| on              RTX4090
| batch           128 x 512 tokens: micro-batch 4 x 32 accumulated
| 
| MEMORY          fits: 20.4 GB (16.4 to 25.3) of 25.5 GB usable
|   weights            4.69 GB   23 %  #########
|   adapters          0.720 GB    4 %  #
|   activations        12.2 GB   60 %  ########################
|   logits            0.786 GB    4 %  ##
|   workspace         0.120 GB    1 %
|   fragmentation      1.03 GB    5 %  ##
|   context           0.800 GB    4 %  ##
| 
| TIME            30.0 s (27.8 to 32.4) a step: 2,180 tokens/s, MFU 35.4 %
|   products            13.8 s   46 %  ##################
|   attention           798 ms    3 %  #
|   elementwise         11.7 s   39 %  ################
|   head and loss       405 ms    1 %  #
|   dequantise          3.35 s   11 %  ####
|   optimizer          1.97 ms    0 %
|   host               1.05 ms    0 %
| training        3.26 h (3.02 to 3.52): 391 steps, 25.6 M tokens
| in all          3.63 h with setup, moving data, evaluation and repeated work
| 
| ENERGY          591 W at the wall: 2.69 kWh (2.50 to 2.90) with PUE 1.30
| carbon          1.28 kg CO2e (1.19 to 1.38) at 475 g/kWh
|                 as much as 5.13 km by car
|                 as much as 103 phone charges
|                 as much as a grown tree absorbs in 21.2 days
| 
| COST            $8.95 ($8.85 to $9.06)
|   compute              $1.30
|   setup              $0.0267
|   upload             $0.0556
|   evaluation         $0.0652
|   download         $0.000222
|   storage              $7.50
|   egress              $0.002
| offer           at the price given, $0.4000/hr on-demand
| 
| note: LoRA of rank 16 on all linear layers
| note: precision bf16, as usual on this card
| note: optimizer adamw
| note: framework hf, Hugging Face's model code: choose another with --set
|       framework
| note: recompute none: the least that fits
| note: PUE 1.3 is assumed: the data center's own figure is unknown
$ stint estimate job.yaml --on H100 --json | cut -c1-300
| {"schema":"stint.estimate/1","name":"finetune","kind":"train","model":"llama-2-7b","params":6738415616,"active_params":6738415616,"trained_params":39976960,"assumed":false,"method":"qlora","precision":"bf16","optimizer":"adamw","recompute":"none","framework":"hf","offload":"none","accelerator":"H100
! stint: note: 'H100' means H100-SXM-80GB, the SXM form with the most memory
! stint: warning: 1 of 1 prices is more than 30 days old (oldest: 2025-08-27); 'stint price doctor' shows what to run
Sweeps.

$ stint estimate llama-2-7b --on A100x8 --tokens 1B --sweep zero=0..3
| train           llama-2-7b: 6.74 B parameters, full
| with            bf16, adamw, hf, sequences of 2048 tokens
| on              8 x A100-SXM-80GB
| 
| zero  fits    GB    step  tokens/s  hours   cost  with
|    0  NO     109  811 ms    20,200      ?      ?  zero 0, recompute full, batch 1 x 1
|    1  yes   54.2  973 ms    33,700   8.25   $103  zero 1, recompute none, batch 2 x 1
|    2  yes   54.2  1.01 s    32,300   8.59   $107  zero 2, recompute none, batch 2 x 1
|    3  yes   72.3  1.88 s    34,800   7.97  $99.3  zero 3, recompute none, batch 4 x 1
! stint: note: 'A100' means A100-SXM-80GB, the SXM form with the most memory
$ stint estimate llama-3-8b --method lora --on 4090 --tokens 100M --sweep batch=1..16
| train           llama-3-8b: 8.03 B parameters, lora trains 41.9 M
| with            bf16, adamw, hf, sequences of 2048 tokens
| on              RTX4090
| 
| batch  fits    GB    step  tokens/s  hours   cost  with
|     1  yes   22.6  1.33 s     1,540   18.1  $7.26  zero 0, recompute full, batch 1 x 1
|     2  yes   25.5  2.57 s     1,590   17.4  $7.01  zero 0, recompute full, batch 2 x 1
|     4  NO    32.7  5.08 s     1,610      ?      ?  zero 0, recompute full, batch 4 x 1
|     8  NO    47.8  10.1 s     1,620      ?      ?  zero 0, recompute full, batch 8 x 1
|    16  NO    78.0  20.1 s     1,630      ?      ?  zero 0, recompute full, batch 16 x 1
$ stint estimate llama-3.1-70b --on H100x8 --tokens 1B --set tp=8 --sweep precision=bf16,fp8
| train           llama-3.1-70b: 70.6 B parameters, full
| with            bf16, adamw, megatron, sequences of 2048 tokens
| on              8 x H100-SXM-80GB
| 
| precision  fits   GB    step  tokens/s  with
|      bf16  NO    161  443 ms     4,620  zero 0, recompute full, batch 1 x 1
|       fp8  NO    161  362 ms     5,670  zero 0, recompute full, batch 1 x 1
! stint: note: 'H100' means H100-SXM-80GB, the SXM form with the most memory
$ stint estimate llama-2-7b --on H100x8 --tokens 1B --sweep gpus=8..64
| train           llama-2-7b: 6.74 B parameters, full
| with            bf16, adamw, hf, sequences of 2048 tokens
| on              8 x H100-SXM-80GB
| 
| gpus  fits    GB    step  tokens/s  hours   cost  with
|    8  yes   54.2  406 ms    80,700   3.44  $52.4  zero 1, recompute none, batch 2 x 1
|   16  yes   78.5  762 ms   172,000   1.62  $50.2  zero 1, recompute none, batch 4 x 1
|   32  yes   75.9  766 ms   342,000  0.812  $52.5  zero 1, recompute none, batch 4 x 1
|   64  yes   74.7  772 ms   680,000  0.409  $56.8  zero 1, recompute none, batch 4 x 1
! stint: note: 'H100' means H100-SXM-80GB, the SXM form with the most memory
The values of a DeepSpeed file are used unchanged.

$ printf '{"train_micro_batch_size_per_gpu": 2, "gradient_accumulation_steps": 4, "bf16": {"enabled": true}, "zero_optimization": {"stage": 2}}' >ds.json
$ stint estimate llama-2-7b --on A100x8 --tokens 1B --deepspeed ds.json
| train           llama-2-7b: 6.74 B parameters, full
| with            bf16, adamw, deepspeed, recompute none
| on              8 x A100-SXM-80GB: data 8, ZeRO 2
| batch           64 x 2048 tokens: micro-batch 2 x 4 accumulated x 8 data
|                 parallel
| 
| MEMORY          fits: 56.7 GB (45.6 to 70.5) of 85.0 GB usable on each GPU
|   weights            13.5 GB   24 %  ##########
|   master weights     3.37 GB    6 %  ##
|   gradients          1.68 GB    3 %  #
|   optimizer          6.74 GB   12 %  #####
|   activations        25.6 GB   45 %  ##################
|   logits             1.31 GB    2 %  #
|   workspace          1.17 GB    2 %  #
|   fragmentation      2.12 GB    4 %  ##
|   buffers           0.400 GB    1 %
|   context           0.800 GB    1 %  #
| 
| TIME            4.69 s (3.53 to 6.21) a step: 28,000 tokens/s, MFU 46.2 %
|   products            2.80 s   60 %  ########################
|   attention           236 ms    5 %  ##
|   elementwise         325 ms    7 %  ###
|   head and loss      72.9 ms    2 %  #
|   optimizer           1.12 s   24 %  ##########
|   data parallel       132 ms    3 %  #
|   host               1.02 ms    0 %
| training        9.93 h (7.49 to 13.17): 7,630 steps, 1.00 B tokens
| in all          10.1 h with setup, moving data, evaluation and repeated work
| 
| ENERGY          4,470 W at the wall: 58.2 kWh (44.0 to 77.0) with PUE 1.30
| carbon          21.5 kg CO2e (16.2 to 28.5) at 369 g/kWh in houston-usa-1
|                 as much as 86.3 km by car
|                 as much as 1,730 phone charges
|                 as much as a grown tree absorbs in 357 days
| offset          $0.136 to avoid as much elsewhere ($6.34 a tonne), $6.88 to
|                 remove it from the air permanently ($320 a tonne)
| 
| COST            $123 ($93.4 to $163)
|   compute               $121
|   setup                $2.03
| offer           denvr/houston-usa-1/A100-sxm4-80GBx8, $12.20/hr on-demand, price
|                 from 2026-08-22 (85 days old)
| 
| note: optimizer adamw
| note: sequences of 2048 tokens
| note: recompute none: the least that fits
| note: the cheapest offer with these GPUs; choose another with --offer
| note: PUE 1.3 is assumed: the data center's own figure is unknown
! stint: note: 'A100' means A100-SXM-80GB, the SXM form with the most memory
! stint: warning: 1 of 1 prices is more than 30 days old (oldest: 2026-08-22); 'stint price doctor' shows what to run
Images, recurrent nets, experts, and unknown code.

$ stint estimate resnet50 --on V100 --examples 1.28M --epochs 90
| train           resnet50: 25.6 M parameters, full
| with            amp-fp16, adamw, eager, recompute none
| on              V100-SXM2-32GB
| batch           64
| 
| MEMORY          fits: 4.72 GB (3.80 to 5.87) of 34.0 GB usable
|   weights           0.102 GB    2 %  #
|   gradients         0.102 GB    2 %  #
|   optimizer         0.204 GB    4 %  ##
|   activations        2.83 GB   60 %  ########################
|   working set      0.0907 GB    2 %  #
|   workspace        0.0600 GB    1 %  #
|   fragmentation     0.526 GB   11 %  ####
|   context           0.800 GB   17 %  #######
| 
| TIME            92.2 ms (76.8 to 110.8) a step: 694 samples/s, MFU 13.6 %
|   products           22.3 ms   24 %  ##########
|   elementwise        67.0 ms   73 %  #############################
|   optimizer          2.91 ms    3 %  #
|   host              0.141 us    0 %
| training        46.1 h (38.4 to 55.4): 1,800,000 steps, 115 M samples, 90 epochs
| 
| ENERGY          499 W at the wall: 46.9 kWh (39.0 to 56.3) with PUE 1.19
| carbon          17.8 kg CO2e (14.8 to 21.3) at 379 g/kWh in eastus
|                 as much as 71.4 km by car
|                 as much as 1,430 phone charges
|                 as much as a grown tree absorbs in 295 days
| offset          $0.113 to avoid as much elsewhere ($6.34 a tonne), $5.69 to
|                 remove it from the air permanently ($320 a tonne)
| 
| COST            $1,020 ($848 to $1,220)
|   compute             $1,020
|   setup                $2.57
| offer           azure/eastus/Standard_ND40rs_v2, $22.03/hr on-demand, price from
|                 2025-09-30 (411 days old)
| 
| note: precision amp-fp16, as usual on this card
| note: optimizer adamw
| note: micro-batch 64: more gains nothing
| note: no accumulation: a global batch of 64
| note: recompute none: the least that fits
| note: complete machines are rented: 8 GPUs, of which 1 are used
| note: the cheapest offer with these GPUs; choose another with --offer
! stint: note: 'V100' means V100-SXM2-32GB, the SXM form with the most memory
! stint: warning: 1 of 1 prices is more than 30 days old (oldest: 2025-09-30); 'stint price doctor' shows what to run
$ stint estimate sdxl --method lora --on 4090 --examples 2000
| train           sdxl: 2.57 B parameters, lora trains 17.1 M
| with            bf16, adamw, eager, recompute none
| on              RTX4090
| batch           1
| 
| MEMORY          fits: 15.3 GB (12.3 to 19.0) of 25.5 GB usable
|   weights            5.14 GB   34 %  #############
|   adapters          0.274 GB    2 %  #
|   activations        7.41 GB   48 %  ###################
|   working set       0.237 GB    2 %  #
|   workspace        0.0600 GB    0 %
|   fragmentation      1.38 GB    9 %  ####
|   context           0.800 GB    5 %  ##
| 
| TIME            331 ms (275 to 398) a step: 3.02 samples/s, MFU 26.0 %
|   products            110 ms   33 %  #############
|   elementwise         213 ms   64 %  ##########################
|   optimizer          1.64 ms    0 %
|   host               6.23 ms    2 %  #
| training        11.0 min (9.2 to 13.3): 2,000 steps, 2,000 samples
| in all          15.0 min with setup, moving data, evaluation and repeated work
| 
| ENERGY          572 W at the wall: 0.156 kWh (0.133 to 0.183) with PUE 1.30
| carbon          0.0739 kg CO2e (0.0630 to 0.0870) at 475 g/kWh
|                 as much as 0.297 km by car
|                 as much as 5.96 phone charges
|                 as much as a grown tree absorbs in 1.23 days
| 
| COST            $0.10 ($0.0879 to $0.115)
|   compute            $0.0735
|   setup              $0.0267
| offer           vast/*/1x-RTX_4090-32-65536, $0.4000/hr on-demand, price from
|                 2025-10-27 (384 days old)
| 
| note: LoRA of rank 16 on all linear layers
| note: precision bf16, as usual on this card
| note: optimizer adamw
| note: micro-batch 1: the largest that fits well
| note: no accumulation: a global batch of 1
| note: recompute none: the least that fits
| note: the cheapest offer with these GPUs; choose another with --offer
| note: PUE 1.3 is assumed: the data center's own figure is unknown
! stint: warning: 1 of 1 prices is more than 30 days old (oldest: 2025-10-27); 'stint price doctor' shows what to run
$ stint estimate lstm-h512-l2 --on T4 --sequence 200 --examples 1M
| train           lstm-h512-l2: 3.29 M parameters, full
| with            amp-fp16, adamw, eager, recompute none
| on              T4
| batch           64 x 200 tokens
| 
| MEMORY          fits: 1.50 GB (1.20 to 1.86) of 15.9 GB usable
|   weights          0.0131 GB    1 %
|   gradients        0.0131 GB    1 %
|   optimizer        0.0263 GB    2 %  #
|   activations       0.542 GB   36 %  ##############
|   workspace        0.0600 GB    4 %  ##
|   fragmentation    0.0428 GB    3 %  #
|   context           0.800 GB   53 %  #####################
| 
| TIME            39.1 ms (32.5 to 47.0) a step: 1,640 samples/s, MFU 9.9 %
|   products           33.4 ms   85 %  ##################################
|   elementwise        4.58 ms   12 %  #####
|   optimizer          1.08 ms    3 %  #
|   host               38.5 us    0 %
| training        10.2 min (8.5 to 12.2): 15,625 steps, 1.00 M samples
| in all          17.2 min with setup, moving data, evaluation and repeated work
| 
| ENERGY          178 W at the wall: 0.0536 kWh (0.0479 to 0.0605) with PUE 1.14
| carbon          0.0203 kg CO2e (0.0182 to 0.0229) at 379 g/kWh in us-east-1
|                 as much as 0.0816 km by car
|                 as much as 1.64 phone charges
|                 as much as a grown tree absorbs in 0.337 days
| 
| COST            $0.151 ($0.136 to $0.169)
|   compute            $0.0892
|   setup              $0.0614
| offer           aws/us-east-1/g4dn.xlarge, $0.5260/hr on-demand, price from
|                 2026-08-22 (85 days old)
| 
| note: precision amp-fp16, as usual on this card
| note: optimizer adamw
| note: micro-batch 64: more gains nothing
| note: no accumulation: a global batch of 64
| note: recompute none: the least that fits
| note: the cheapest offer with these GPUs; choose another with --offer
! stint: warning: 1 of 1 prices is more than 30 days old (oldest: 2026-08-22); 'stint price doctor' shows what to run
$ stint estimate deepseek-v3 --on H100x1024 --tokens 14.8T --set tp=2,pp=8,ep=64,micro_batch=1,global_batch=8192,precision=fp8,framework=megatron
| train           deepseek-v3: 671 B parameters, 37.6 B active, full
| with            fp8, adamw, megatron, recompute none
| on              1024 x H100-SXM-80GB in 128 machines: data 64, tensor 2,
|                 pipeline 8, expert 64
| batch           8,192 x 2048 tokens: micro-batch 1 x 128 accumulated x 64 data
|                 parallel
| 
| MEMORY          probably fits: 85.0 GB (68.4 to 105.7) of 85.0 GB usable on each
|                 GPU
|   weights            5.39 GB    6 %  ###
|   master weights     10.8 GB   13 %  #####
|   gradients          10.8 GB   13 %  #####
|   optimizer          21.6 GB   25 %  ##########
|   activations        31.7 GB   37 %  ###############
|   working set       0.180 GB    0 %
|   workspace         0.120 GB    0 %
|   fragmentation      2.13 GB    3 %  #
|   buffers            1.60 GB    2 %  #
|   context           0.800 GB    1 %
| 
| TIME            17.5 s (12.1 to 25.3) a step: 958,000 tokens/s, MFU 21.9 %
|   products            6.39 s   37 %  ###############
|   attention           779 ms    4 %  ##
|   elementwise         3.02 s   17 %  #######
|   head and loss       170 ms    1 %
|   optimizer          33.6 ms    0 %
|   tensor parallel     311 ms    2 %  #
|   experts             4.89 s   28 %  ###########
|   pipeline            898 ms    5 %  ##
|   data parallel       1.02 s    6 %  ##
|   host               1.02 ms    0 %
| training        219 days (141 to 338): 882,149 steps, 14.8 T tokens
| goodput         82 %: 39.7 days of it lost to slow steps, 1.74 failures a day,
|                 saves and evaluation
| 
| ENERGY          5,760 W for each machine: 5,030 MWh (3,250 to 7,770) with PUE
|                 1.30
| carbon          2,390 t CO2e (1,540 to 3,690) at 475 g/kWh
|                 as much as 9.59 million km by car
|                 as much as 193 million phone charges
|                 as much as 109,000 grown trees absorb in a year
| offset          $15,100 to avoid as much elsewhere ($6.34 a tonne), $764,000 to
|                 remove it from the air permanently ($320 a tonne)
| 
| COST            $10.0 million ($6.49 million to $15.5 million)
|   compute          $8.21 million
|   setup                 $127
|   lost time        $1.82 million
| offer           vast/*/8x-H100_SXM-32-65536, 128 x $14.94/hr on-demand, price
|                 from 2025-10-27 (384 days old)
| 
| note: optimizer adamw
| note: sequences of 2048 tokens
| note: ZeRO stage 0: the lowest that fits
| note: recompute none: the least that fits
| note: the cheapest offer with these GPUs; choose another with --offer
| note: PUE 1.3 is assumed: the data center's own figure is unknown
! stint: note: 'H100' means H100-SXM-80GB, the SXM form with the most memory
! stint: warning: 1 of 1 prices is more than 30 days old (oldest: 2025-10-27); 'stint price doctor' shows what to run
$ stint estimate llama-2-7b --on A100x256 --tokens 2T --set goodput=off 2>&1 | grep -E '^(training|goodput|COST|  lost)'
| training        21.5 days (18.9 to 24.4): 1,907,349 steps, 2.00 T tokens
| COST            $201,000 ($177,000 to $229,000)
$ stint estimate llama-2-7b --on A100x256 --tokens 2T --set goodput=90% 2>&1 | grep -E '^(training|goodput|COST|  lost)'
| training        23.8 days (21.0 to 27.1): 1,907,349 steps, 2.00 T tokens
| goodput         90 %: 57.2 h of it lost
| COST            $223,000 ($196,000 to $254,000)
|   lost time          $22,300
$ stint estimate llama-2-7b --on A100x256 --tokens 2T --set goodput=101% 2>&1 | tail -2
| stint: goodput: '101%' is not a share from 0 to 1
|   hint: write it as 20% or 0.2
$ printf 'train:\n  measured: {gpu: A100, samples_s: 120, compute: 70%%, memory: 20GB}\n  data: {examples: 10M}\n' >own.yaml
$ stint estimate own.yaml --on H100
| train           a model known by its speed
| on              H100-SXM-80GB
| 
| MEMORY          fits: 20.0 GB of 85.0 GB usable
| 
| TIME            ? a step: 297 samples/s
| training        9.34 h (6.78 to 12.87): 10.0 M samples
| 
| ENERGY          947 W at the wall: 11.5 kWh (8.4 to 15.9) with PUE 1.30
| carbon          5.48 kg CO2e (3.98 to 7.54) at 475 g/kWh in default
|                 as much as 22 km by car
|                 as much as 442 phone charges
|                 as much as a grown tree absorbs in 90.9 days
| offset          $0.0347 to avoid as much elsewhere ($6.34 a tonne), $1.75 to
|                 remove it from the air permanently ($320 a tonne)
| 
| COST            $12.2 ($8.85 to $16.7)
|   compute              $12.0
|   setup               $0.108
| offer           hyperbolic/default/1x-H100-75-722, $1.29/hr on-demand, price
|                 from 2025-08-27 (445 days old)
| 
| note: the cheapest offer with these GPUs; choose another with --offer
| note: PUE 1.3 is assumed: the data center's own figure is unknown
! stint: note: 'H100' means H100-SXM-80GB, the SXM form with the most memory
! stint: note: 'A100' means A100-SXM-80GB, the SXM form with the most memory
! stint: warning: 1 of 1 prices is more than 30 days old (oldest: 2025-08-27); 'stint price doctor' shows what to run
Serving.

$ printf 'infer:\n  model: llama-3.1-8b\n  rate: 20/s\n  input: 512\n  output: 128\n' >serve.yaml
$ stint estimate serve.yaml --on H100
| serve           llama-3.1-8b: 8.03 B parameters
| with            fp16, vllm
| on              H100-SXM-80GB
| 
| MEMORY          fits: 76.5 GB of 85.0 GB usable
|   weights            16.1 GB   21 %  ########
|   cache              3.10 GB    4 %  ##
|   activations        1.01 GB    1 %  #
|   workspace          2.00 GB    3 %  #
|   context           0.500 GB    1 %
|   set aside          53.9 GB   70 %  ############################
| 
| TIME            2,560 tokens/s with a batch of 37
| holds           a batch of 671, or one sequence of 131,072 tokens
| first token     23.5 ms (15.4 to 35.9)
| decode step     14.5 ms (10.5 to 20.0)
| request         1.84 s (1.27 to 2.67)
| latency         p50 1.84 s, p95 1.85 s, p99 1.87 s, first token p95 38.0 ms
| load            1 replica, 52 % busy
| 
| ENERGY          686 W at the wall: 0.891 kWh an hour with PUE 1.30
| carbon          0.423 kg CO2e an hour at 475 g/kWh in default
|                 as much as 1.7 km by car
|                 as much as 34.1 phone charges
|                 as much as a grown tree absorbs in 7.03 days
| 
| COST            $0.14 for a million tokens
|                 $0.0179 for 1,000 predictions
| offer           hyperbolic/default/1x-H100-75-722, $1.29/hr on-demand, price
|                 from 2025-08-27 (445 days old)
| 
| note: served by vllm
| note: the cheapest offer with these GPUs; choose another with --offer
| note: PUE 1.3 is assumed: the data center's own figure is unknown
! stint: note: 'H100' means H100-SXM-80GB, the SXM form with the most memory
! stint: warning: 1 of 1 prices is more than 30 days old (oldest: 2025-08-27); 'stint price doctor' shows what to run
$ stint estimate mistral-7b --serve --on L4 --set weights=int4,batch=8,input=256,output=64
| serve           mistral-7b-v0.1: 7.24 B parameters
| with            int4, vllm
| on              L4
| 
| MEMORY          fits: 21.5 GB of 23.9 GB usable
|   weights            4.15 GB   19 %  ########
|   cache             0.336 GB    2 %  #
|   activations       0.245 GB    1 %
|   workspace          2.00 GB    9 %  ####
|   context           0.500 GB    2 %  #
|   set aside          14.3 GB   66 %  ###########################
| 
| TIME            270 tokens/s with a batch of 8
| holds           a batch of 329, or one sequence of 32,768 tokens
| first token     512 ms (335 to 781)
| decode step     21.9 ms (15.9 to 30.2)
| request         1.89 s (1.31 to 2.75)
| 
| ENERGY          199 W at the wall: 0.258 kWh an hour with PUE 1.30
| carbon          0.123 kg CO2e an hour at 475 g/kWh
|                 as much as 0.493 km by car
|                 as much as 9.89 phone charges
|                 as much as a grown tree absorbs in 2.04 days
| 
| COST            $0.503 ($0.347 to $0.73) for a million tokens
|                 $0.0322 ($0.0222 to $0.0467) for 1,000 predictions
| offer           runpod/*/1x_L4_SECURE, $0.4900/hr on-demand, price from
|                 2026-08-22 (85 days old)
| 
| note: served by vllm
| note: the cheapest offer with these GPUs; choose another with --offer
| note: PUE 1.3 is assumed: the data center's own figure is unknown
! stint: warning: 1 of 1 prices is more than 30 days old (oldest: 2026-08-22); 'stint price doctor' shows what to run
$ stint estimate serve.yaml --on L4 --set weights=int4
| serve           llama-3.1-8b: 8.03 B parameters
| with            int4, vllm
| on              L4
| 
| MEMORY          fits: 21.5 GB of 23.9 GB usable
|   weights            5.73 GB   27 %  ###########
|   cache              12.2 GB   57 %  #######################
|   activations        1.12 GB    5 %  ##
|   workspace          2.00 GB    9 %  ####
|   context           0.500 GB    2 %  #
|   set aside        0.0126 GB    0 %
| 
| TIME            611 tokens/s with a batch of 145
| holds           a batch of 145, or one sequence of 94,023 tokens
| decode step     230 ms (167 to 317)
| latency         grows without end: more requests come than it can answer
| load            6 replicas needed: more than it can do
| 
| ENERGY          182 W at the wall: 0.237 kWh an hour with PUE 1.30
| carbon          0.112 kg CO2e an hour at 475 g/kWh
|                 as much as 0.451 km by car
|                 as much as 9.06 phone charges
|                 as much as a grown tree absorbs in 1.86 days
| 
| COST            $0.223 ($0.154 to $0.323) for a million tokens
|                 $0.0285 ($0.0197 to $0.0414) for 1,000 predictions
| offer           runpod/*/1x_L4_SECURE, $0.4900/hr on-demand, price from
|                 2026-08-22 (85 days old)
| 
| note: served by vllm
| note: 20 requests/s are too many: this serves 4.72; 6 replicas are needed
| note: the cheapest offer with these GPUs; choose another with --offer
| note: PUE 1.3 is assumed: the data center's own figure is unknown
! stint: warning: 1 of 1 prices is more than 30 days old (oldest: 2026-08-22); 'stint price doctor' shows what to run
What does not fit is reported, with what would.

$ stint estimate llama-2-70b --on 4090
! stint: warning: 1 of 1 prices is more than 30 days old (oldest: 2025-10-27); 'stint price doctor' shows what to run
! stint: llama-2-70b needs 1105.0 GB on each RTX4090, which has 25.5 GB
!   hint: try --on RTX4090x128; 'stint gpu fit llama-2-70b' shows what holds it
? 6
$ stint estimate llama-3-8b --method lora --on T4 --batch 64
! stint: warning: 1 of 1 prices is more than 30 days old (oldest: 2026-08-22); 'stint price doctor' shows what to run
! stint: llama-3-8b needs 259.5 GB on each T4, which has 15.9 GB
!   hint: 'stint gpu fit llama-3-8b' shows what holds it
? 6
