A model and a GPU are enough.

$ stint estimate llama-2-7b --method lora --tokens 25M --on A100
| train           llama-2-7b: 6.74 B parameters, lora trains 40.0 M
| with            bf16, adamw, hf, recompute none
| on              A100-SXM-80GB
| batch           8 x 2048 tokens: micro-batch 4 x 2 accumulated
| 
| MEMORY          fits: 76.0 GB (72.2 to 80.0) of 85.0 GB usable
|   weights            13.5 GB   18 %  #######
|   adapters          0.720 GB    1 %
|   activations        53.3 GB   70 %  ############################
|   logits             3.15 GB    4 %  ##
|   workspace         0.120 GB    0 %
|   fragmentation      4.46 GB    6 %  ##
|   context           0.800 GB    1 %
| 
| TIME            3.54 s (3.24 to 3.87) a step: 4,630 tokens/s, MFU 42 %
|   products            1.84 s   52 %  #####################
|   attention           235 ms    7 %  ###
|   elementwise         1.41 s   40 %  ################
|   head and loss      54.0 ms    2 %  #
|   optimizer           997 us    0 %
|   host               1.02 ms    0 %
| training        1.50 h (1.37 to 1.64): 1,526 steps, 25.0 M tokens
| in all          1.67 h with setup, moving data, evaluation and repeated work
| 
| ENERGY          613 W at the wall: 1.26 kWh (1.16 to 1.37) with PUE 1.30
| carbon          0.466 kg CO2e (0.428 to 0.507) at 369 g/kWh in desmoines-usa-1
|                 as much as 1.87 km by car
|                 as much as 37.6 phone charges
|                 as much as a grown tree absorbs in 7.73 days
| 
| COST            $2.30 ($2.05 to $2.59)
|   compute              $2.07
|   setup                $0.23
| offer           shadeform/desmoines-usa-1/massedcompute_A100-sxm4-80GB, $1.38/hr
|                 on-demand, price from 2026-08-22 (85 days old), now $1.27/hr to
|                 $1.50/hr
| 
| note: LoRA of rank 16 on all linear layers
| note: precision bf16, as usual on this card: products and frozen weights;
|       adapters and their states have 32 bits
| note: optimizer adamw
| note: framework hf, Hugging Face's model code: choose another with --set
|       framework
| note: sequences of 2048 tokens
| note: a global batch of 8, which leaves 1526 steps
| note: micro-batch 4, recompute none: the fastest that fits
| note: the cheapest offer with these GPUs; choose another with --offer
| note: PUE 1.3 is assumed: the data center's own figure is unknown
! stint: note: 'A100' means A100-SXM-80GB, the SXM form with the most memory
! stint: warning: the price is 85 days old, 80 % range $1.27/hr to $1.50/hr; 'stint price fetch skypilot' updates prices
States are offloaded where that helps; Adafactor has next to none.
$ stint estimate gpt2 --set optimizer=adafactor,micro_batch=8,accumulation=1 --on H100x8 --examples 10k 2>/dev/null | grep ^with
| with            bf16, adafactor, hf, recompute none

A job file, on a machine that is named.

$ printf 'name: finetune\ntrain:\n  model: meta-llama/Llama-2-7b-hf\n  method: qlora\n  data: {examples: 50000, tokens: 512, size: 50GB}\n  epochs: 3\n  sequence: 512\n  global_batch: 128\n  evaluation: 5%%\n  download: 200MB\n  storage: {size: 50GB, duration: 30d}\n' >job.yaml
$ stint estimate job.yaml --offer aws/us-east-1/p5.48xlarge
| train           llama-2-7b: 6.74 B parameters, qlora trains 40.0 M
| with            bf16, adamw, hf, recompute none
| on              8x H100-SXM-80GB: data 8, ZeRO 1
| batch           128 x 512 tokens: micro-batch 16 x 8 data parallel
| 
| MEMORY          fits (chance 96 %): 62.5 GB (49.6 to 78.7) of 85.0 GB usable on
|                 each GPU
|   weights            4.69 GB    8 %  ###
|   adapters          0.280 GB    0 %
|   activations        49.0 GB   78 %  ###############################
|   logits             3.15 GB    5 %  ##
|   workspace         0.120 GB    0 %
|   fragmentation      4.12 GB    7 %  ###
|   buffers           0.400 GB    1 %
|   context           0.800 GB    1 %  #
| 
| TIME            833 ms (727 to 955) a step: 78,600 tokens/s, MFU 27 %
|   products            333 ms   40 %  ################
|   attention          18.3 ms    2 %  #
|   elementwise         436 ms   52 %  #####################
|   head and loss      11.9 ms    1 %  #
|   dequantize         32.2 ms    4 %  ##
|   optimizer           117 us    0 %
|   data parallel       305 us    0 %
|   host               1.02 ms    0 %
| training        16.3 min (14.2 to 18.7): 1,172 steps, 76.8 M tokens, 3 epochs
| in all          32.5 min with setup, moving data, evaluation and repeated work
| 
| ENERGY          6,600 W at the wall: 2.83 kWh (2.56 to 3.14) with PUE 1.14
| carbon          1.07 kg CO2e (0.97 to 1.19) at 379 g/kWh in us-east-1
|                 as much as 4.31 km by car
|                 as much as 86.5 phone charges
|                 as much as a grown tree absorbs in 17.8 days
| 
| COST            $30.9 ($28.9 to $33.2)
|   compute              $14.9
|   setup                $6.42
|   upload               $7.64
|   evaluation          $0.747
|   download           $0.0306
|   storage              $1.15
| offer           aws/us-east-1/p5.48xlarge, $55.04/hr on-demand, price from
|                 2026-08-22 (85 days old), unchanged with 93 % probability
| 
| note: LoRA of rank 16 on all linear layers
| note: precision bf16, as usual on this card: products; the frozen weights have 4
|       bits, adapters 32
| note: optimizer adamw
| note: framework hf, Hugging Face's model code: choose another with --set
|       framework
| note: ZeRO 1, micro-batch 16, recompute none: the fastest that fits
! stint: warning: the price is 85 days old; 'stint price fetch skypilot' updates prices
$ stint estimate job.yaml --on RTX4090 --price '0.40usd/hr' --set epochs=1,batch=4
| train           llama-2-7b: 6.74 B parameters, qlora trains 40.0 M
| with            bf16, adamw, hf, recompute none
| on              RTX4090
| batch           128 x 512 tokens: micro-batch 4 x 32 accumulated
| 
| MEMORY          fits (chance 89 %): 20.4 GB (16.2 to 25.7) of 25.5 GB usable
|   weights            4.69 GB   23 %  #########
|   adapters          0.720 GB    4 %  #
|   activations        12.2 GB   60 %  ########################
|   logits            0.786 GB    4 %  ##
|   workspace         0.120 GB    1 %
|   fragmentation      1.03 GB    5 %  ##
|   context           0.800 GB    4 %  ##
| 
| TIME            30.0 s (25.7 to 35.1) a step: 2,180 tokens/s, MFU 35 %
|   products            13.8 s   46 %  ##################
|   attention           798 ms    3 %  #
|   elementwise         11.7 s   39 %  ################
|   head and loss       405 ms    1 %  #
|   dequantize          3.35 s   11 %  ####
|   optimizer          1.97 ms    0 %
|   host               1.06 ms    0 %
| training        3.26 h (2.79 to 3.81): 391 steps, 25.6 M tokens
| in all          3.73 h with setup, moving data, evaluation and repeated work
| 
| ENERGY          591 W at the wall: 2.72 kWh (2.34 to 3.16) with PUE 1.30
| carbon          0.0818 kg CO2e (0.0703 to 0.0952) at 30.1 g/kWh in oslo-norway-3
|                 as much as 0.328 km by car
|                 as much as 6.6 phone charges
|                 as much as a grown tree absorbs in 1.36 days
| 
| COST            $1.49 ($1.29 to $1.72)
|   compute              $1.30
|   setup              $0.0667
|   upload             $0.0556
|   evaluation         $0.0652
|   download         $0.000222
| offer           at the price given, $0.4000/hr on-demand
| 
| note: LoRA of rank 16 on all linear layers
| note: precision bf16, as usual on this card: products; the frozen weights have 4
|       bits, adapters 32
| note: optimizer adamw
| note: framework hf, Hugging Face's model code: choose another with --set
|       framework
| note: recompute none: the fastest that fits
| note: PUE 1.3 is assumed: the data center's own figure is unknown
| note: the price of the download is unknown there: the cost is without it
| note: the price of storage is unknown there: the cost is without it
$ stint estimate job.yaml --on H100 --json | cut -c1-300
| {"schema":"stint.estimate/1","name":"finetune","kind":"train","model":"llama-2-7b","params":6738415616,"active_params":6738415616,"trained_params":39976960,"assumed":false,"objective":"sft","method":"qlora","precision":"bf16","optimizer":"adamw","recompute":"none","framework":"hf","offload":"none","
! stint: note: 'H100' means H100-SXM-80GB, the SXM form with the most memory
! stint: warning: the price is 85 days old, 80 % range $1.61/hr to $2.43/hr; 'stint price fetch skypilot' updates prices
Sweeps.

$ stint estimate llama-2-7b --on A100x8 --tokens 1B --sweep zero=0..3
| train           llama-2-7b: 6.74 B parameters, full
| with            bf16, adamw, hf, sequences of 2048 tokens
| on              8x A100-SXM-80GB
| 
| zero  fits    GB    step  tokens/s  hours   cost  with
|    0  NO     111  20.1 s    26,100      ?      ?  zero 0, recompute full, batch 1 x 32
|    1  yes   67.7  14.7 s    35,600   7.80  $97.2  zero 1, recompute none, batch 2 x 16
|    2  yes   55.9  15.0 s    34,900   7.97  $99.2  zero 2, recompute none, batch 2 x 16
|    3  yes   44.7  15.6 s    33,700   8.25   $103  zero 3, recompute none, batch 2 x 16
! stint: note: 'A100' means A100-SXM-80GB, the SXM form with the most memory
$ stint estimate llama-3-8b --method lora --on 4090 --tokens 100M --sweep batch=1..16
| train           llama-3-8b: 8.03 B parameters, lora trains 41.9 M
| with            bf16, adamw, hf, sequences of 2048 tokens
| on              RTX4090
| 
| batch  fits    GB      step  tokens/s  hours   cost  with
|     1  yes   22.8    42.6 s     1,540   18.0  $10.9  zero 0, recompute full, batch 1 x 32
|     2  yes   13.9  1.11 min       986   28.2  $17.0  zero 3, recompute full, batch 2 x 16, offload all
|     4  yes   23.9    53.3 s     1,230   22.6  $13.7  zero 3, recompute full, batch 4 x 8, offload all
|     8  NO    48.0    40.4 s     1,620      ?      ?  zero 0, recompute full, batch 8 x 4
|    16  NO    78.2    40.3 s     1,630      ?      ?  zero 0, recompute full, batch 16 x 2
$ stint estimate llama-3.1-70b --on H100x8 --tokens 1B --set tp=8 --sweep precision=bf16,fp8
| train           llama-3.1-70b: 70.6 B parameters, full
| with            bf16, adamw, megatron, sequences of 2048 tokens
| on              8x H100-SXM-80GB
| 
| precision  fits   GB      step  tokens/s  with
|      bf16  NO    161  1.42 min     6,150  tensor 8, zero 0, recompute full, batch 1 x 256
|       fp8  NO    161  1.07 min     8,150  tensor 8, zero 0, recompute full, batch 1 x 256
! stint: note: 'H100' means H100-SXM-80GB, the SXM form with the most memory
$ stint estimate llama-2-7b --on H100x8 --tokens 1B --sweep gpus=8..64
| train           llama-2-7b: 6.74 B parameters, full
| with            bf16, adamw, hf, sequences of 2048 tokens
| on              8x H100-SXM-80GB
| 
| gpus  fits    GB    step  tokens/s  hours   cost  offer                                                   with
|    8  yes   67.7  5.94 s    88,200   3.15  $51.4  cudo/no-kristiansand-1/sapphire-rapids-h100_8x96v192gb  zero 1, recompute none, batch 2 x 16
|   16  yes   62.6  3.01 s   174,000   1.59   $103  nebius/eu-north1/gpu-h100-sxm_8gpu-128vcpu-1600gb       zero 1, recompute none, batch 2 x 8
|   32  yes   60.1  1.53 s   342,000  0.812   $110  nebius/eu-north1/gpu-h100-sxm_8gpu-128vcpu-1600gb       zero 1, recompute none, batch 2 x 4
|   64  yes   58.8  787 ms   666,000  0.417   $123  nebius/eu-north1/gpu-h100-sxm_8gpu-128vcpu-1600gb       zero 1, recompute none, batch 2 x 2
! stint: note: 'H100' means H100-SXM-80GB, the SXM form with the most memory
The values of a DeepSpeed file are used unchanged.

$ printf '{"train_micro_batch_size_per_gpu": 2, "gradient_accumulation_steps": 4, "bf16": {"enabled": true}, "zero_optimization": {"stage": 2}}' >ds.json
$ stint estimate llama-2-7b --on A100x8 --tokens 1B --deepspeed ds.json
| train           llama-2-7b: 6.74 B parameters, full
| with            bf16, adamw, deepspeed, recompute none
| on              8x A100-SXM-80GB: data 8, ZeRO 2
| batch           64 x 2048 tokens: micro-batch 2 x 4 accumulated x 8 data
|                 parallel
| 
| MEMORY          fits (chance 96 %): 56.7 GB (48.8 to 77.4) of 85.0 GB usable on
|                 each GPU
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
| TIME            4.69 s (3.73 to 6.24) a step: 28,000 tokens/s, MFU 46 %
|   products            2.80 s   60 %  ########################
|   attention           236 ms    5 %  ##
|   elementwise         325 ms    7 %  ###
|   head and loss      72.9 ms    2 %  #
|   optimizer           1.12 s   24 %  ##########
|   data parallel       132 ms    3 %  #
|   host               1.02 ms    0 %
| training        9.93 h (7.92 to 13.23): 7,630 steps, 1.00 B tokens
| in all          10.1 h with setup, moving data, evaluation and repeated work
| 
| ENERGY          4,470 W at the wall: 58.2 kWh (46.5 to 77.4) with PUE 1.30
| carbon          21.5 kg CO2e (17.2 to 28.6) at 369 g/kWh in houston-usa-1
|                 as much as 86.3 km by car
|                 as much as 1,730 phone charges
|                 as much as a grown tree absorbs in 357 days
| offset          $0.136 to avoid as much elsewhere ($6.34 a tonne), $6.88 to
|                 remove it from the air permanently ($320 a tonne)
| 
| COST            $123 ($91.0 to $175)
|   compute               $121
|   setup                $2.03
| offer           denvr/houston-usa-1/A100-sxm4-80GBx8, $12.20/hr on-demand, price
|                 from 2026-08-22 (85 days old), now $9.93/hr to $14.99/hr
| 
| note: optimizer adamw
| note: sequences of 2048 tokens
| note: recompute none: the fastest that fits
| note: the cheapest offer with these GPUs; choose another with --offer
| note: PUE 1.3 is assumed: the data center's own figure is unknown
! stint: note: 'A100' means A100-SXM-80GB, the SXM form with the most memory
! stint: warning: the price is 85 days old, 80 % range $9.93/hr to $14.99/hr; 'stint price fetch skypilot' updates prices
Images, recurrent nets, experts, and unknown code.

$ stint estimate resnet50 --on V100-SXM2-32GB --examples 1.28M --epochs 90
| train           resnet50: 25.6 M parameters, full
| with            amp-fp16, adamw, eager, recompute none
| on              V100-SXM2-32GB
| batch           2,048: micro-batch 64 x 32 accumulated
| 
| MEMORY          fits: 4.72 GB (4.06 to 6.45) of 34.0 GB usable
|   weights           0.102 GB    2 %  #
|   gradients         0.102 GB    2 %  #
|   optimizer         0.204 GB    4 %  ##
|   activations        2.83 GB   60 %  ########################
|   working set      0.0907 GB    2 %  #
|   workspace        0.0600 GB    1 %  #
|   fragmentation     0.526 GB   11 %  ####
|   context           0.800 GB   17 %  #######
| 
| TIME            3.84 s (3.12 to 5.02) a step: 533 samples/s, MFU 10 %
|   products            713 ms   19 %  #######
|   elementwise         3.13 s   81 %  #################################
|   optimizer          2.91 ms    0 %
|   host              0.497 us    0 %
| training        60.1 h (48.7 to 78.4): 56,250 steps, 115 M samples, 90 epochs
| 
| ENERGY          497 W at the wall: 58.3 kWh (47.2 to 76.0) with PUE 1.14
| carbon          22.1 kg CO2e (17.9 to 28.8) at 379 g/kWh in us-east-1
|                 as much as 88.7 km by car
|                 as much as 1,780 phone charges
|                 as much as 1 grown trees absorb in a year
| offset          $0.14 to avoid as much elsewhere ($6.34 a tonne), $7.07 to
|                 remove it from the air permanently ($320 a tonne)
| 
| COST            $1,880 ($1,520 to $2,450)
|   compute             $1,870
|   setup                $3.64
| offer           aws/us-east-1/p3dn.24xlarge, $31.21/hr on-demand, price from
|                 2026-08-22 (85 days old), unchanged with 99.7 % probability
| 
| note: precision amp-fp16, as usual on this card: products; weights, gradients
|       and states have 32 bits
| note: optimizer adamw
| note: PyTorch's default layout of convolutions: --set layout=channels-last is up
|       to 1.9 times as fast
| note: a global batch of 2048, which leaves 56250 steps
| note: micro-batch 64, recompute none: the fastest that fits
| note: complete machines are rented: 8 GPUs, of which 1 are used
| note: the cheapest offer with these GPUs; choose another with --offer
! stint: warning: the price is 85 days old; 'stint price fetch skypilot' updates prices
$ stint estimate sdxl --method lora --on 4090 --examples 2000
| train           sdxl: 2.57 B parameters, lora trains 17.1 M
| with            bf16, adamw, eager, recompute none
| on              RTX4090
| batch           4: micro-batch 1 x 4 accumulated
| 
| MEMORY          fits (chance 96 %): 17.1 GB (14.7 to 23.3) of 25.5 GB usable
|   weights            6.94 GB   41 %  ################
|   adapters          0.274 GB    2 %  #
|   activations        7.41 GB   43 %  #################
|   working set       0.237 GB    1 %  #
|   workspace        0.0600 GB    0 %
|   fragmentation      1.38 GB    8 %  ###
|   context           0.800 GB    5 %  ##
| 
| TIME            2.29 s (1.80 to 2.92) a step: 1.75 samples/s, MFU 15 %
|   products            720 ms   31 %  #############
|   elementwise         944 ms   41 %  ################
|   encoders            526 ms   23 %  #########
|   optimizer          1.64 ms    0 %
|   host               97.6 ms    4 %  ##
| training        19.1 min (15.0 to 24.3): 500 steps, 2,000 samples
| in all          29.1 min with setup, moving data, evaluation and repeated work
| 
| ENERGY          572 W at the wall: 0.284 kWh (0.233 to 0.348) with PUE 1.30
| carbon          0.00853 kg CO2e (0.00700 to 0.01048) at 30.1 g/kWh in
|                 oslo-norway-3
|                 as much as 0.0343 km by car
|                 as much as 0.688 phone charges
|                 as much as a grown tree absorbs in 0.142 days
| 
| COST            $0.291 ($0.244 to $0.35)
|   compute             $0.191
|   setup                $0.10
| offer           shadeform/oslo-norway-3/excesssupply_RTX4090, $0.6000/hr
|                 on-demand, price from 2026-08-22 (85 days old), now $0.5503/hr
|                 to $0.6542/hr
| 
| note: LoRA of rank 16 on all linear layers
| note: precision bf16, as usual on this card: products and frozen weights;
|       adapters and their states have 32 bits
| note: optimizer adamw
| note: latents and texts are encoded in each step: --set latents=cached leaves
|       that out
| note: a global batch of 4, which leaves 500 steps
| note: micro-batch 1, recompute none: the fastest that fits
| note: the cheapest offer with these GPUs; choose another with --offer
| note: PUE 1.3 is assumed: the data center's own figure is unknown
! stint: warning: the price is 85 days old, 80 % range $0.5503/hr to $0.6542/hr; 'stint price fetch skypilot' updates prices
$ stint estimate lstm-h512-l2 --on T4 --sequence 200 --examples 1M
| train           lstm-h512-l2: 3.29 M parameters, full
| with            amp-fp16, adamw, eager, recompute none
| on              T4
| batch           512 x 200 tokens: micro-batch 64 x 8 accumulated
| 
| MEMORY          fits: 1.50 GB (1.29 to 2.05) of 15.9 GB usable
|   weights          0.0131 GB    1 %
|   gradients        0.0131 GB    1 %
|   optimizer        0.0263 GB    2 %  #
|   activations       0.542 GB   36 %  ##############
|   workspace        0.0600 GB    4 %  ##
|   fragmentation    0.0428 GB    3 %  #
|   context           0.800 GB   53 %  #####################
| 
| TIME            305 ms (247 to 398) a step: 1,680 samples/s, MFU 10 %
|   products            267 ms   88 %  ###################################
|   elementwise        36.6 ms   12 %  #####
|   optimizer          1.08 ms    0 %
|   host                260 us    0 %
| training        9.94 min (8.05 to 12.96): 1,954 steps, 1.00 M samples
| in all          16.9 min with setup, moving data, evaluation and repeated work
| 
| ENERGY          177 W at the wall: 0.0527 kWh (0.0464 to 0.0629) with PUE 1.14
| carbon          0.0200 kg CO2e (0.0176 to 0.0238) at 379 g/kWh in us-east-1
|                 as much as 0.0803 km by car
|                 as much as 1.61 phone charges
|                 as much as a grown tree absorbs in 0.332 days
| 
| COST            $0.148 ($0.132 to $0.175)
|   compute            $0.0871
|   setup              $0.0614
| offer           aws/us-east-1/g4dn.xlarge, $0.5260/hr on-demand, price from
|                 2026-08-22 (85 days old), unchanged with 99.7 % probability
| 
| note: precision amp-fp16, as usual on this card: products; weights, gradients
|       and states have 32 bits
| note: optimizer adamw
| note: each example counts as 200 tokens; --set data.tokens=N, if shorter
| note: a global batch of 512, which leaves 1954 steps
| note: micro-batch 64, recompute none: the fastest that fits
| note: the cheapest offer with these GPUs; choose another with --offer
! stint: warning: the price is 85 days old; 'stint price fetch skypilot' updates prices
$ stint estimate deepseek-v3 --on H100x1024 --tokens 14.8T --set tp=2,pp=8,ep=64,micro_batch=1,global_batch=8192,precision=fp8,framework=megatron
| train           deepseek-v3: 671 B parameters, 37.6 B active, full
| with            fp8, adamw, megatron, recompute none
| on              1024x H100-SXM-80GB in 128 machines: data 64, tensor 2, pipeline
|                 8, expert 64, ZeRO 1
| network         3200 Gbit/s EFA for each machine, as of 2026-11-16
| batch           8,192 x 2048 tokens: micro-batch 1 x 128 accumulated x 64 data
|                 parallel
| 
| MEMORY          fits (chance 88 %): 68.7 GB (54.5 to 86.5) of 85.0 GB usable on
|                 each GPU
|   weights            5.39 GB    8 %  ###
|   master weights     5.20 GB    8 %  ###
|   gradients          10.8 GB   16 %  ######
|   optimizer          10.4 GB   15 %  ######
|   activations        31.7 GB   46 %  ##################
|   working set       0.180 GB    0 %
|   workspace         0.120 GB    0 %
|   fragmentation      2.52 GB    4 %  #
|   buffers            1.60 GB    2 %  #
|   context           0.800 GB    1 %
| 
| TIME            21.2 s (15.6 to 31.4) a step: 791,000 tokens/s, MFU 18 %
|   products            6.93 s   33 %  #############
|   attention           817 ms    4 %  ##
|   elementwise         3.00 s   14 %  ######
|   head and loss       170 ms    1 %
|   optimizer           568 us    0 %
|   tensor parallel     326 ms    2 %  #
|   experts             7.34 s   35 %  ##############
|   pipeline            1.08 s    5 %  ##
|   data parallel       1.27 s    6 %  ##
|   host                293 ms    1 %  #
| training        265 days (181 to 420): 882,149 steps, 14.8 T tokens
| goodput         82 %: 48.1 days of it lost to slow steps, 1.74 failures a day,
|                 saves and evaluation
| 
| ENERGY          5,530 W for each machine: 5,110 MWh (3,500 to 8,100) with PUE
|                 1.14
| carbon          1,940 t CO2e (1,320 to 3,070) at 379 g/kWh in us-east-1
|                 as much as 7.77 million km by car
|                 as much as 156 million phone charges
|                 as much as 88,000 grown trees absorb in a year
| offset          $12,300 to avoid as much elsewhere ($6.34 a tonne), $619,000 to
|                 remove it from the air permanently ($320 a tonne)
| 
| COST            $44.8 million ($30.6 million to $71.0 million)
|   compute          $36.6 million
|   setup                 $822
|   lost time        $8.14 million
| offer           aws/us-east-1/p5.48xlarge, 128x $55.04/hr on-demand, price from
|                 2026-08-22 (85 days old), unchanged with 93 % probability
| 
| note: published in fp8: the weights are unpacked to 16 bits for this training,
|       1342 GB; --qlora keeps them small
| note: optimizer adamw
| note: sequences of 2048 tokens
| note: ZeRO 1, recompute none: the fastest that fits
| note: 1.7 times as fast with pipeline 8, virtual 4, expert 16, ZeRO 1,
|       micro-batch 2, recompute full: leave these open
| note: the cheapest offer with these GPUs that can be joined; choose another with
|       --offer
| note: new accounts of aws have a quota of 0 vCPU for these machines on demand
|       (not verified): request an increase first
! stint: note: 'H100' means H100-SXM-80GB, the SXM form with the most memory
! stint: warning: 128 machines of aws/us-east-1/p5.48xlarge are needed, and at most 64 are available without a contract (--supply sets it)
! stint: warning: the price is 85 days old; 'stint price fetch skypilot' updates prices
$ stint estimate llama-2-7b --on A100x256 --tokens 2T 2>&1 | grep -E -A2 '^(training|goodput|COST|  lost)'
| training        27.0 days (22.9 to 44.6): 476,838 steps, 2.00 T tokens
| goodput         83 %: 4.48 days of it lost to slow steps, 0.587 failures a day,
|                 saves and evaluation
| 
| --
| COST            $570,000 ($482,000 to $939,000)
|   compute           $475,000
|   setup                 $102
|   lost time          $94,500
| offer           aws/us-east-1/p4de.24xlarge, 32x $27.45/hr on-demand, price from
|                 2026-08-22 (85 days old), unchanged with 93 % probability
$ stint estimate llama-2-7b --on A100x256 --tokens 2T --set goodput=off 2>&1 | grep -E '^(training|goodput|COST|  lost)'
| training        22.5 days (19.9 to 26.4): 476,838 steps, 2.00 T tokens
| COST            $475,000 ($419,000 to $556,000)
$ stint estimate llama-2-7b --on A100x256 --tokens 2T --set goodput=90% 2>&1 | grep -E '^(training|goodput|COST|  lost)'
| training        25.0 days (22.1 to 29.3): 476,838 steps, 2.00 T tokens
| goodput         90 %: 60.1 h of it lost
| COST            $528,000 ($466,000 to $618,000)
|   lost time          $52,800
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
| in all          9.44 h with setup, moving data, evaluation and repeated work
| 
| ENERGY          947 W at the wall: 11.5 kWh (8.4 to 15.9) with PUE 1.30
| carbon          0.347 kg CO2e (0.252 to 0.478) at 30.1 g/kWh in
|                 no-kristiansand-1
|                 as much as 1.39 km by car
|                 as much as 28 phone charges
|                 as much as a grown tree absorbs in 5.76 days
| 
| COST            $18.7 ($12.8 to $27.3)
|   compute              $18.5
|   setup               $0.198
| offer           cudo/no-kristiansand-1/sapphire-rapids-h100_1x12v24gb, $1.98/hr
|                 on-demand, price from 2026-08-22 (85 days old), now $1.61/hr to
|                 $2.43/hr
| 
| note: the cheapest offer with these GPUs; choose another with --offer
| note: PUE 1.3 is assumed: the data center's own figure is unknown
! stint: note: 'H100' means H100-SXM-80GB, the SXM form with the most memory
! stint: note: 'A100' means A100-SXM-80GB, the SXM form with the most memory
! stint: warning: the price is 85 days old, 80 % range $1.61/hr to $2.43/hr; 'stint price fetch skypilot' updates prices
Serving.

$ printf 'infer:\n  model: llama-3.1-8b\n  rate: 20/s\n  input: 512\n  output: 128\n' >serve.yaml
$ stint estimate serve.yaml --on H100
| serve           llama-3.1-8b: 8.03 B parameters
| with            fp16, vllm
| on              H100-SXM-80GB
| 
| MEMORY          fits: 76.5 GB of 85.0 GB usable
|   weights            16.1 GB   21 %  ########
|   cache              2.26 GB    3 %  #
|   activations        1.00 GB    1 %  #
|   workspace          2.00 GB    3 %  #
|   context           0.800 GB    1 %
|   set aside          54.4 GB   71 %  ############################
| 
| TIME            2,560 tokens/s with a batch of 30
| holds           a batch of 667, or one sequence of 131,072 tokens
| first token     44.4 ms (33.8 to 61.7)
| decode step     12.1 ms (10.1 to 15.1)
| request         1.59 s (1.32 to 1.98)
| latency         p50 1.59 s, p95 1.84 s, p99 1.92 s, first token p95 60.9 ms, per
|                 token p95 13.6 ms
| load            1 replica, 46 % busy
| 
| ENERGY          724 W at the wall: 0.941 kWh an hour with PUE 1.30
| carbon          0.0283 kg CO2e an hour at 30.1 g/kWh in no-kristiansand-1
|                 as much as 0.114 km by car
|                 as much as 2.28 phone charges
|                 as much as a grown tree absorbs in 0.47 days
| 
| COST            $0.215 ($0.175 to $0.264) for a million output tokens, input
|                 included
|                 $0.0275 ($0.0224 to $0.0338) for 1,000 predictions
| offer           cudo/no-kristiansand-1/sapphire-rapids-h100_1x12v24gb, $1.98/hr
|                 on-demand, price from 2026-08-22 (85 days old), now $1.61/hr to
|                 $2.43/hr
| 
| note: served by vllm
| note: the cheapest offer with these GPUs; choose another with --offer
| note: PUE 1.3 is assumed: the data center's own figure is unknown
! stint: note: 'H100' means H100-SXM-80GB, the SXM form with the most memory
! stint: warning: the price is 85 days old, 80 % range $1.61/hr to $2.43/hr; 'stint price fetch skypilot' updates prices
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
|   context           0.800 GB    4 %  #
|   set aside          14.0 GB   65 %  ##########################
| 
| TIME            276 tokens/s with a batch of 8
| holds           a batch of 322, or one sequence of 32,768 tokens
| first token     486 ms (295 to 885)
| decode step     21.7 ms (13.7 to 37.6)
| request         1.85 s (1.17 to 3.21)
| 
| ENERGY          199 W at the wall: 0.259 kWh an hour with PUE 1.30
| carbon          0.123 kg CO2e an hour at 475 g/kWh
|                 as much as 0.494 km by car
|                 as much as 9.92 phone charges
|                 as much as a grown tree absorbs in 2.04 days
| 
| COST            $0.492 ($0.31 to $0.859) for a million output tokens, input
|                 included
|                 $0.0315 ($0.0198 to $0.055) for 1,000 predictions
| offer           runpod/*/1x_L4_SECURE, $0.4900/hr on-demand, price from
|                 2026-08-22 (85 days old), now $0.4494/hr to $0.5343/hr
| 
| note: served by vllm
| note: the cheapest offer with these GPUs; choose another with --offer
| note: PUE 1.3 is assumed: the data center's own figure is unknown
! stint: warning: the price is 85 days old, 80 % range $0.4494/hr to $0.5343/hr; 'stint price fetch skypilot' updates prices
$ stint estimate serve.yaml --on L4 --set weights=int4
| serve           llama-3.1-8b: 8.03 B parameters
| with            int4, vllm
| on              L4
| 
| MEMORY          fits: 21.5 GB of 23.9 GB usable
|   weights            5.73 GB   27 %  ###########
|   cache              10.6 GB   49 %  ####################
|   activations        1.12 GB    5 %  ##
|   workspace          2.00 GB    9 %  ####
|   context           0.800 GB    4 %  #
|   set aside          1.24 GB    6 %  ##
| 
| TIME            667 tokens/s with a batch of 141
| holds           a batch of 141, or one sequence of 91,734 tokens
| decode step     232 ms (147 to 403)
| latency         grows without end: more requests come than it can answer
| load            5 replicas needed: more than it can do
| 
| ENERGY          182 W at the wall: 0.237 kWh an hour with PUE 1.30
| carbon          0.113 kg CO2e an hour at 475 g/kWh
|                 as much as 0.453 km by car
|                 as much as 9.09 phone charges
|                 as much as a grown tree absorbs in 1.87 days
| 
| COST            $0.204 ($0.128 to $0.356) for a million output tokens, input
|                 included
|                 $0.0261 ($0.0164 to $0.0456) for 1,000 predictions
| offer           runpod/*/1x_L4_SECURE, $0.4900/hr on-demand, price from
|                 2026-08-22 (85 days old), now $0.4494/hr to $0.5343/hr
| 
| note: served by vllm
| note: 20 requests/s are too many: this serves 5.21; 5 replicas are needed
| note: the cheapest offer with these GPUs; choose another with --offer
| note: PUE 1.3 is assumed: the data center's own figure is unknown
! stint: warning: the price is 85 days old, 80 % range $0.4494/hr to $0.5343/hr; 'stint price fetch skypilot' updates prices
What does not fit is reported, with what would.

$ stint estimate llama-2-70b --on 4090
! stint: warning: the price is 85 days old, 80 % range $0.5503/hr to $0.6542/hr; 'stint price fetch skypilot' updates prices
! stint: llama-2-70b needs 1248.9 GB on each RTX4090, which has 25.5 GB
!   hint: try --on RTX4090x128; 'stint gpu fit llama-2-70b' shows what holds it
? 6
$ stint estimate llama-3-8b --method lora --on T4 --batch 64
! stint: warning: the price is 85 days old; 'stint price fetch skypilot' updates prices
! stint: llama-3-8b needs 259.5 GB on each T4, which has 15.9 GB
!   hint: 'stint gpu fit llama-3-8b' shows what holds it
? 6

A paged optimizer's states leave a full GPU, as in the QLoRA paper: 65B at rank 64 on 48 GB.

$ stint estimate llama-65b --method qlora --on RTXA6000 --tokens 10M --set rank=64,sequence=512,micro_batch=1,global_batch=16,base=nf4-dq,precision=bf16-pure,optimizer=paged_adamw_32bit --price 0.5usd/hr | grep -E '^(with|MEMORY|paged|  adapters|  offload)'
| with            bf16-pure, paged-adamw, hf, recompute full
| MEMORY          fits (chance 80 %): 43.9 GB (34.8 to 55.2) of 51.0 GB usable
|   adapters           5.18 GB   12 %  #####
| paged           4.41 GB of the machine's memory, which has 153 GB; it is worth
|   offload             217 ms    0 %
$ stint estimate llama-2-7b --method qlora --on RTXA6000 --tokens 10M --set sequence=512,optimizer=paged-adamw-8bit --price 0.5usd/hr | grep -cE '^(paged|offloaded|  offload)'
| 0
? 1
Machines that were not named have room for what is offloaded.
$ stint estimate llama-2-13b --on A100 --tokens 25M 2>&1 | grep -E '^offloaded|^offer|warning: a machine'
| offloaded       182 GB of the machine's memory, which has 510 GB; it is worth
| offer           runpod/*/2x_A100-80GB-SXM_SECURE, $3.58/hr on-demand, price from
They do too where the job does not fit a usual machine, and the plan names the same one. A price of one's own is of no such machine.
$ stint estimate mistral-7b --method full --on T4 --tokens 15M 2>/dev/null | grep -E -A1 '^(MEMORY|offloaded|offer|note: the cheapest)'
| MEMORY          fits: 9.01 GB (8.30 to 9.79) of 15.9 GB usable
|   activations        2.28 GB   25 %  ##########
| --
| offloaded       116 GB of the machine's memory, which has 137 GB; it is worth
|                 $0.1159/hr to $0.5793/hr of the machine's price
| --
| offer           aws/us-east-1/g4dn.8xlarge, $2.18/hr on-demand, price from
|                 2026-08-22 (85 days old), unchanged with 99.7 % probability
| --
| note: the cheapest offer with these GPUs and memory for what is offloaded;
|       choose another with --offer
$ stint plan mistral-7b --method full --gpu T4 --max-gpus 1 --tokens 15M 2>/dev/null | grep '^rent'
| rent            aws/us-east-1/g4dn.8xlarge, $2.18/hr on-demand, price from
$ stint estimate mistral-7b --method full --on T4 --tokens 15M --price 0.5usd/hr
! stint: mistral-7b-v0.1 needs 119.1 GB on each T4, which has 15.9 GB
!   hint: try --on T4x16, or --method qlora; 'stint gpu fit mistral-7b-v0.1' shows what holds it
? 6
