The best plan is the fastest within 5 % of the lowest cost, which is a row of its own; the others follow by cost.
$ stint plan llama-3.1-8b --lora --tokens 10M 2>/dev/null | sed -n '/^   plan/,/^rent/p'
|    plan         cost        80 % range      time  GPUs                        where               market     price age  setting
| >  best       $0.711  $0.609 to $0.832  17.8 min  1x MI300X                   runpod/*            on-demand       85 d  bf16, batch 4
|    on spot    $0.637  $0.409 to $0.993  58.5 min  1x RTXPRO6000-Blackwell-SE  nebius/us-central1  spot            85 d  bf16, batch 4
|    cheapest    $0.68   $0.57 to $0.811    2.52 h  1x RTXA5000                 runpod/*            on-demand       85 d  bf16, batch 1 x 4, recompute full
|    other GPU  $0.705   $0.593 to $0.84    1.60 h  1x A40                      runpod/*            on-demand       85 d  bf16, batch 1 x 4
|    faster      $1.40    $1.21 to $1.62  12.3 min  1x B200-SXM-180GB           runpod/*            on-demand       85 d  bf16, batch 4
| 
| why             fastest within 5 % of the lowest cost without spot: an hour of
|                 waiting is taken to be worth $0.014 (--value-of-time sets it);
|                 the cheapest way, 1x RTXA5000, costs $0.0311 less and is done
|                 2.22 h later
| rent            runpod/*/1x_MI300X_SECURE, $2.39/hr on-demand, price from
What an hour of waiting is worth decides instead: given, or as a setting. Of no worth: the cheapest.
$ stint plan llama-3.1-8b --lora --tokens 10M --value-of-time 20usd/hr 2>/dev/null | grep -A2 '^>\|^why'
| >  best       $2.20   $2.00 to $2.42  8.25 min  4x H100-SXM-80GB   runpod/*  on-demand        6 d  bf16, zero 1, batch 1
|    cheapest   $0.68  $0.57 to $0.811    2.52 h  1x RTXA5000        runpod/*  on-demand       85 d  bf16, batch 1 x 4, recompute full
|    other GPU  $1.40   $1.21 to $1.62  12.3 min  1x B200-SXM-180GB  runpod/*  on-demand       85 d  bf16, batch 4
| --
| why             lowest cost of money and time together, with an hour of waiting
|                 worth $20.00; the time it saves over the cheapest plan is worth
|                 $47.6; the cheapest way, 1x RTXA5000, costs $1.52 less and is
| --
| >   $2.20  ##########  8.25 min  #           4x H100-SXM-80GB   runpod/*      on-demand        6 d
| 
| note            no deadline: plans longer than 90 days are not considered;
$ STINT_VALUE_OF_TIME=20usd/hr stint plan llama-3.1-8b --lora --tokens 10M 2>/dev/null | grep '^>'
| >  best       $2.20   $2.00 to $2.42  8.25 min  4x H100-SXM-80GB   runpod/*  on-demand        6 d  bf16, zero 1, batch 1
| >   $2.20  ##########  8.25 min  #           4x H100-SXM-80GB   runpod/*      on-demand        6 d
$ STINT_VALUE_OF_TIME=20usd/hr stint plan llama-3.1-8b --lora --tokens 10M --value-of-time 0usd/hr 2>/dev/null | grep '^>'
| >  best        $0.68   $0.57 to $0.811    2.52 h  1x RTXA5000                 runpod/*            on-demand       85 d  bf16, batch 1 x 4, recompute full
| >   $0.68  ###           2.52 h  ##########  1x RTXA5000        runpod/*      on-demand       85 d
A price that is too old is not the best; where most are, as a year from now, all are compared, and one line says so.
$ stint plan llama-3.1-8b --lora --tokens 10M 2>/dev/null | grep -A2 '^worth'
| worth checking  1x RTX5880-Ada of vast would cost $0.435 and take 1.24 h, were
|                 its price still that of 2025-10-27 (384 days old):
|                 vast/*/1x-RTX_5880Ada-32-65536
$ stint plan llama-3.1-8b --lora --tokens 10M --provider vast --limit 1 2>/dev/null | grep '^>'
| >  best  $0.435  $0.247 to $0.766  1.24 h  1x RTX5880-Ada  vast/*  on-demand      384 d  bf16, batch 1 x 4
$ stint plan llama-3.1-8b --lora --tokens 10M --max-age 1000d --limit 1 2>/dev/null | grep '^>'
| >  best     $0.435  $0.247 to $0.766  1.24 h  1x RTX5880-Ada     vast/*        on-demand      384 d  bf16, batch 1 x 4
$ STINT_NOW=2027-11-19 stint plan llama-3.1-8b --lora --tokens 10M --limit 1 | grep '^>'
| >  best     $0.435  $0.199 to $0.949  1.24 h  1x RTX5880-Ada     vast/*        on-demand      753 d  bf16, batch 1 x 4
! stint: warning: the price book is 454 days old: its prices are compared as they are; 'stint price fetch skypilot' updates it
$ STINT_NOW=2027-11-19 stint price value --gpu A100 --limit 1 | grep -A1 '^score '
| score  offer                              gpus              peak T/s  at    reliable  price/hr    age
|  1172  vast/*/1x-A100_SXM4_80GB-32-65536  1x A100-SXM-80GB       312  bf16     0.970   $0.9300  753 d
! stint: note: 'A100' means A100-SXM-80GB, the SXM form with the most memory
! stint: warning: 1 of 1 prices is more than 30 days old (oldest: 2025-10-27); 'stint price doctor' shows what to run
$ stint price value --gpu A100 --limit 40 2>/dev/null | grep '~'
| ~   1172  vast/*/1x-A100_SXM4_80GB-32-65536                       1x A100-SXM-80GB       312  bf16     0.970   $0.9300  384 d
| ~   1165  vast/*/2x-A100_SXM4_80GB-32-65536                       2x A100-SXM-80GB       624  bf16     0.970     $1.87  384 d
| ~    281  oci/*/BM.GPU.A100-v2.8                                  8x A100-SXM-80GB      2496  bf16     0.999    $32.00  411 d
| ~    274  azure/eastus/Standard_ND96amsr_A100_v4                  8x A100-SXM-80GB      2496  bf16     0.999    $32.77  411 d
| ~    274  azure/eastus2/Standard_ND96amsr_A100_v4                 8x A100-SXM-80GB      2496  bf16     0.999    $32.77  411 d
| ~ the price is too old to be ranked with the others: worth checking
Machines that are no longer rented out are no offers.
$ stint price list --provider azure --gpu K80
! stint: no offer matches
!   hint: no price of K80 for rent is known: offers.csv in the catalog folder adds yours; --kind any has own machines
? 4
$ stint plan bert-base --serve --rate 1/s --p95 200ms --provider aws,gcp,azure 2>/dev/null | grep -c 'NC6\|K80\|M60'
| 0
? 1
A deadline is met with a chance of 80 %; --confidence sets it.
$ stint plan llama-3.1-8b --tokens 1T --deadline 60d --max-gpus 512 --limit 1 --json 2>/dev/null | grep -o '"on_time":[0-9.]*' | head -1
| "on_time":0.9999996794021941
$ stint plan llama-3.1-8b --lora --tokens 10M --gpu A40 --max-gpus 1 --deadline 100min 2>&1 | tail -2
| stint: no plan meets these limits
|   hint: deadline 1.78 h ($0.705), or gpu MI300X ($0.711), or allow spot ($0.798) would allow one
$ stint plan llama-3.1-8b --lora --tokens 10M --gpu A40 --max-gpus 1 --deadline 100min --confidence 50% 2>/dev/null | grep '^>\|^deadline'
| >  best     $0.705  $0.593 to $0.84  1.60 h  1x A40  runpod/*  on-demand       85 d  bf16, batch 1 x 4
| deadline        63 % chance of meeting the deadline
$ stint plan llama-3.1-8b --lora --tokens 10M --deadline 24h --confidence 100%
! stint: a confidence of 100 % is not between 0 and 100 %
!   hint: nothing is certain: --confidence 95%
? 3
Countries and continents are regions.
$ stint plan llama-3.1-8b --lora --tokens 10M --region EU --limit 3 2>/dev/null | sed -n '/^   plan/,/^$/p'
|    plan       cost       80 % range      time  GPUs               where                   market     price age  setting
| >  best     $0.812  $0.654 to $1.01  24.6 min  1x H100-SXM-80GB   cudo/no-kristiansand-1  on-demand       85 d  bf16, batch 2 x 2
|    on spot  $0.696  $0.434 to $1.12    2.35 h  1x L40S            aws/eu-north-1          spot            85 d  bf16, batch 1 x 4
|    faster    $1.36   $1.08 to $1.71  13.3 min  1x B200-SXM-180GB  verda/FIN-03            on-demand       85 d  bf16, batch 4
| 
$ stint plan llama-3.1-8b --lora --tokens 10M --region finland --limit 1 2>/dev/null | grep '^>'
| >  best      $1.27   $1.02 to $1.58  19.1 min  1x H200-SXM-141GB  verda/FIN-03  on-demand       85 d  bf16, batch 4
EU is where its law on data holds: the EEA, with Norway and without the United Kingdom; zones take areas, too.
$ for r in EU eea '!EU' 'EU,!NO'; do stint price list --gpu H100 --region "$r" 2>/dev/null | grep -cE 'eu-west-2|kristiansand'; done; stint price list --gpu H100 --region europe 2>/dev/null | grep -cE 'eu-west-2|kristiansand'
| 2
| 2
| 1
| 0
| 3
$ for r in FI '!FI'; do stint price spot --gpu H100 --all-zones --limit 100 --region "$r" 2>/dev/null | grep -c 'FIN-0\|europe-north1'; done
| 5
| 0
? 1
$ stint price regions p5.48xlarge --hours 10 --region EU 2>/dev/null | grep -c 'eu-'
| 1
$ stint price list --gpu H100 --region '!atlantis'
! stint: there is no region 'atlantis'
!   hint: 'stint catalog show regions' lists them
? 4
$ stint price list --gpu H100 --region us-east,us-west 2>&1 | grep single
| stint: note: 'us-east', 'us-west' are single regions: '*' behind it includes others, such as us-east-1 of aws
$ stint price list --gpu H100x1 --region norway 2>/dev/null | head -3
| offer                                                  GPUs              GPU GB  on-demand  spot  savings  per GPU      80 % range   age
| cudo/no-kristiansand-1/sapphire-rapids-h100_1x12v24gb  1x H100-SXM-80GB      80      $1.98     ?        -    $1.98  $1.61 to $2.43  85 d
| 
What binds is named.
$ stint plan llama-3.1-405b --tokens 15T --max-gpus 16384 --deadline 120d
! stint: no plan meets these limits; at most 64 machines of aws/us-east-1/p6-b300.48xlarge are known to be available (--supply)
!   hint: deadline 1,220 days ($176 million) would allow one
? 6
A job has the same machine alone, with others and in a queue.
$ printf 'name: a\ntrain: {model: llama-3.1-8b, method: lora, data: {tokens: 10M}}\n' >a.yaml; printf 'name: b\ntrain: {model: qwen2.5-7b, method: qlora, data: {tokens: 5M}}\n' >b.yaml
$ stint plan a.yaml 2>/dev/null | grep '^rent'
| rent            runpod/*/1x_MI300X_SECURE, $2.39/hr on-demand, price from
$ stint plan a.yaml b.yaml --session 8h 2>/dev/null | grep '  a  '
|       1  +3.00 min  +17.8 min  a    runpod/*/1x_MI300X_SECURE:on-demand  $0.591       85 d  bf16, batch 4
$ stint plan a.yaml b.yaml --queue 2>/dev/null | grep '  a  '
| 4  a    runpod/*/1x_MI300X_SECURE:on-demand      5 %    100 %  $0.0356          0.8 %         $0.179       85 d
| 5  a    runpod/*/1x_MI300X_SECURE:on-demand     25 %     55 %   $0.142          0.9 %         $0.257       85 d
| 6  a    runpod/*/1x_MI300X_SECURE:on-demand    100 %     37 %   $0.533          1.3 %         $0.454       85 d
Standard settings that cost much less are rows, unless the job says otherwise.
$ stint plan qwen2.5-7b --method full --sequence 2048 --tokens 20M --gpu H100-SXM-80GB --max-gpus 1 --provider runpod 2>/dev/null | sed -n '/^   plan/,/^$/p'
|    plan        cost      80 % range      time  GPUs              where     market     price age  setting
| >  best       $12.4  $11.4 to $13.6    3.10 h  1x H100-SXM-80GB  runpod/*  on-demand        6 d  bf16, batch 2 x 4, offload optimizer
|    pure bf16  $1.60  $1.49 to $1.75  35.7 min  1x H100-SXM-80GB  runpod/*  on-demand        6 d  bf16-pure, batch 1 x 8
| 
$ stint plan qwen2.5-7b --method full --sequence 2048 --tokens 20M --gpu H100-SXM-80GB --max-gpus 1 --provider runpod --set precision=bf16-pure 2>/dev/null | sed -n '/^   plan/,/^$/p'
|    plan   cost      80 % range      time  GPUs              where     market     price age  setting
| >  best  $1.60  $1.49 to $1.75  35.7 min  1x H100-SXM-80GB  runpod/*  on-demand        6 d  bf16-pure, batch 1 x 8
| 
