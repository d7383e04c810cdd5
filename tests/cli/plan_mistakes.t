Every mistake is one line, with what to do, and nothing on standard output; no file is left behind.

$ ln -s "$cases/../../examples" examples
$ printf 'stint plan llama-2-7b --method lora --tokens 25M "$@"\n' >p.sh
No job, or one that is not there.
$ stint plan
! stint: plan needs a JOB
!   hint: stint plan examples/llama-7b-lora.yaml
? 2
$ stint plan none.yaml
! stint: cannot open 'none.yaml': No such file or directory
? 4
$ stint plan lama-2-7b --tokens 25M
! stint: there is no model 'lama-2-7b'
!   hint: did you mean 'llama-2-7b'? 'stint catalog show models' lists them
? 4
$ stint plan llama-2-7b
! stint: the job has no amount of data to train on
!   hint: add data: {tokens: 25M}, or --tokens 25M (--examples 5000)
? 3
$ printf 'train:\n  model: llama-2-7b\n  dat: {tokens: 25M}\n' >bad.yaml; stint plan bad.yaml
! stint: bad.yaml:3:3: there is no key 'dat'
!   hint: did you mean 'data'?
? 3
$ stint plan ''
! stint: JOB: the value is empty
? 2
$ stint plan bad.yaml --set nothing=3
! stint: bad.yaml:3:3: there is no key 'dat'
!   hint: did you mean 'data'?
? 3
$ stint plan llama-2-7b --tokens many
! stint: tokens: 'many' is not a number from 0 to 1e18
!   hint: write it as 250000, 25M (million), 7B or 1.5T
? 3
Limits that contradict each other, or mean nothing.
$ sh p.sh --budget 0usd
! stint: --budget: '0usd' is not above zero
? 2
$ sh p.sh --budget 50
! stint: --budget: '50' is not an amount of money
!   hint: give the currency: 50usd, or '$50' in quotes, since the shell expands $ and digits
? 2
$ sh p.sh --deadline 0h
! stint: --deadline: '0h' is not above zero
? 2
$ sh p.sh --min-gpus 8 --max-gpus 4
! stint: at least 8 GPUs are requested, and at most 4
!   hint: raise --max-gpus to 8, or leave one of them out
? 3
$ sh p.sh --max-risk 120%
! stint: --max-risk: '120%' is not a share from 0 to 1
!   hint: write it as 20% or 0.2
? 2
$ sh p.sh --limit 0
! stint: --limit: '0' is not 1 or more
? 2
Unknown names.
$ sh p.sh --gpu H900
! stint: there is no accelerator 'H900'
!   hint: did you mean 'H100'? 'stint gpu list' shows all
? 4
$ sh p.sh --gpu '!H900'
! stint: there is no accelerator 'H900'
!   hint: did you mean 'H100'? 'stint gpu list' shows all
? 4
$ sh p.sh --provider awz
! stint: there is no provider 'awz'
!   hint: did you mean 'aws'?
? 4
$ sh p.sh --region us-esat-1
! stint: there is no region 'us-esat-1'
!   hint: did you mean 'us-east-1'?
? 4
$ sh p.sh --platform sagemakr
! stint: there is no platform 'sagemakr'
!   hint: did you mean 'SageMaker'?
? 4
$ sh p.sh --market hourly
! stint: --market: 'hourly' is not one of on-demand, spot, reserved, any
? 2
$ sh p.sh --owned aws/us-east-1/nothing=3h
! stint: owned: there is no offer 'aws/us-east-1/nothing' with an on-demand price
!   hint: 'stint price list' shows all
? 4
$ sh p.sh --owned aws/us-east-1/g6e.xlarge
! stint: owned: 'aws/us-east-1/g6e.xlarge' has no hours
!   hint: write OFFER=HOURS, such as aws/us-east-1/p5.48xlarge=200h
? 2
$ sh p.sh --owned aws/us-east-1/g6e.xlarge=-3h
! stint: owned: '-3h' is not a number of hours
!   hint: write OFFER=HOURS, such as aws/us-east-1/p5.48xlarge=200h
? 2
$ printf 'limits: {gpus: [H900]}\ntrain: {model: gpt2, data: {tokens: 1M}}\n' >gpu.yaml; stint plan gpu.yaml
! stint: there is no accelerator 'H900'
!   hint: did you mean 'H100'? 'stint gpu list' shows all
? 4
Aims.
$ sh p.sh --aim cheap
! stint: --aim: 'cheap' is not an aim
!   hint: use cost, time, carbon or value, or weights: cost=0.7,time=0.3
? 2
$ sh p.sh --aim cost=0.7,speed=0.3
! stint: --aim: 'cost=0.7,speed=0.3' is not an aim
!   hint: use cost, time, carbon or value, or weights: cost=0.7,time=0.3
? 2
$ sh p.sh --aim cost=0
! stint: --aim: 'cost=0' is not an aim
!   hint: use cost, time, carbon or value, or weights: cost=0.7,time=0.3
? 2
$ sh p.sh --aim value
! stint: --aim value needs the worth of an hour
!   hint: add --value-of-time 50usd/hr
? 2
$ sh p.sh --aim time --value-of-time 50usd/hr
! stint: --value-of-time is for --aim value
!   hint: leave one of them out
? 2
$ sh p.sh --value-of-time 50
! stint: --value-of-time: price '50' does not say per what
!   hint: write it as 2.49usd/hr
? 2
Configurations: the user's file stays as it was.
$ echo 'not JSON' >no.json; echo '[1, 2]' >list.json; echo 'a = 1' >k.toml; mkdir folder; ls >../before
$ sh p.sh --base no.json
! stint: --base needs --write-config
!   hint: add --write-config deepspeed (accelerate, kohya, hf-trainer)
? 2
$ sh p.sh --write-config deepspeed --base no.json
! stint: no.json:1:1: unknown word 'not'
!   hint: a DeepSpeed configuration is JSON
? 3
$ sh p.sh --write-config deepspeed --base list.json
! stint: list.json: expected keys and values
!   hint: a DeepSpeed configuration is JSON
? 3
$ sh p.sh --write-config deepspeed --base k.toml
! stint: k.toml:1:1: unknown word 'a'
!   hint: a DeepSpeed configuration is JSON
? 3
$ sh p.sh --write-config accelerate --base no.json
! stint: no.json: expected keys and values
!   hint: an accelerate configuration is YAML
? 3
$ stint plan sdxl --method lora --examples 40 --write-config kohya --base list.json
! stint: list.json:1:3: expected ] after the name of a table
!   hint: a kohya configuration is TOML
? 3
$ sh p.sh --write-config deepspeed --base none.json
! stint: cannot open 'none.json': No such file or directory
? 4
$ sh p.sh --write-config deepspeed --base folder
! stint: 'folder' is a folder, not a file
? 3
$ sh p.sh --write-config toml --base k.toml
! stint: --write-config: 'toml' is not one of deepspeed, accelerate, kohya, hf-trainer
? 2
$ stint plan llama-3.1-8b --serve --write-config deepspeed
! stint: --write-config needs a training job with a known model
? 2
$ sh p.sh none.yaml --write-config deepspeed --base k.toml
! stint: --write-config is for one job
!   hint: plan each by itself: stint plan llama-2-7b --write-config ...
? 2
An output that cannot be written: then nothing is written at all.
$ echo '{}' >ds.json; ls >../before
$ sh p.sh --save none/p.json
! stint: cannot write 'none/p.json': No such file or directory
? 1
$ sh p.sh --csv none/p.csv
! stint: cannot write 'none/p.csv': No such file or directory
? 1
$ sh p.sh --save folder
! stint: cannot write 'folder': Is a directory
? 1
$ sh p.sh --write-config deepspeed --base ds.json --save none/p.json
! stint: cannot write 'none/p.json': No such file or directory
? 1
$ cat ds.json; ls | cmp - ../before
| {}
Files that are no plan.
$ stint plan recheck
! stint: plan recheck needs a PLAN.json
!   hint: stint plan recheck plan.json
? 2
$ stint plan recheck no.json
! stint: no.json:1:1: unknown word 'not'
? 3
$ stint plan recheck list.json
! stint: list.json: not a saved plan: it has no schema
!   hint: 'stint plan JOB --save PLAN.json' writes one
? 3
$ stint plan recheck none.json
! stint: cannot open 'none.json': No such file or directory
? 4
$ stint estimate gpt2 --tokens 1M --on T4 --json >estimate.json; stint plan recheck estimate.json
! stint: warning: the price is 85 days old; 'stint price fetch skypilot' updates prices
! stint: estimate.json: not a saved plan, but 'stint.estimate/1'
!   hint: 'stint plan JOB --save PLAN.json' writes one
? 3
$ sh p.sh --save whole.json >/dev/null 2>&1; head -c 40 whole.json >half.json; stint plan recheck half.json
! stint: half.json:1:41: the text ends inside a string
? 3
It fits nowhere, and what comes nearest.
$ stint plan llama-3.1-405b --tokens 25M --gpu T4 --max-gpus 8
! stint: no plan meets these limits
!   hint: without any of them it costs $201.23 and takes 5.5 h
? 6
$ stint plan llama-3.1-405b --serve --gpu T4 --max-gpus 2
! stint: no plan meets these limits
!   hint: gpu H200-SXM-141GB with 8 GPUs ($4.81) would allow one
? 6
$ stint plan llama-2-7b --tokens 25M --set micro_batch=4096,sequence=131072
! stint: the job does not fit anywhere: it needs 17 times the memory of 256 x H200-SXM-141GB
!   hint: leave open what the job fixes (batch, recompute, parallel), or try --method lora or qlora, shorter sequences, more --max-gpus
? 6
$ stint plan llama-3.1-70b --serve --set weights=bf16,tensor=1,pipeline=1,kv=bf16,input=2000000
! stint: the job does not fit anywhere: it needs 2.6 times the memory of 1 x B300-SXM-288GB
!   hint: try --set weights=int4, or shorter requests
? 6
It fits, but not within the limits: what would give a plan.
$ sh p.sh --deadline 1min
! stint: no plan meets these limits; by default at most 512 GPUs (--max-gpus)
!   hint: deadline 9.77 min ($5.50) would allow one
? 6
$ sh p.sh --budget 0.01usd
! stint: no plan meets these limits
!   hint: budget $1.46 would allow one
? 6
$ sh p.sh --budget 0.6usd --deadline 10min
! stint: no plan meets these limits
!   hint: budget $2.86 would allow one
? 6
$ sh p.sh --market spot --provider lambda
! stint: no plan meets these limits
!   hint: provider nebius ($1.37), or allow on-demand ($1.60) would allow one
? 6
$ sh p.sh --provider lambda --gpu T4
! stint: no plan meets these limits
!   hint: gpu GH200-96GB ($1.60), or provider aws ($7.97) would allow one
? 6
$ sh p.sh --provider lambda --region us-east-1
! stint: no plan meets these limits
!   hint: lambda without a region ($1.60), or provider aws ($4.83) would allow one
? 6
$ sh p.sh --max-risk 0 --market spot
! stint: no plan meets these limits
!   hint: allow on-demand ($1.45), or risk 0.552 % ($3.24) would allow one
? 6
$ sh p.sh --max-carbon-kg 0.0001
! stint: no plan meets these limits
!   hint: 0.00779 kg CO2e ($18.1) would allow one
? 6
$ sh p.sh --min-reliability 99.999%
! stint: no plan meets these limits
!   hint: allow runpod, reliable to 98 % ($1.45) would allow one
? 6
$ sh p.sh --min-gpus 100000
! stint: no plan meets these limits
!   hint: 8 GPUs ($1.80) would allow one
? 6
$ printf 'providers: [lambda]\n' >c.yaml; sh p.sh --gpu T4 --config c.yaml
! stint: no plan meets these limits
!   hint: gpu GH200-96GB ($1.60), or an account with aws ($7.97) would allow one
? 6
$ stint plan examples/bert-search.yaml --budget 1usd --market on-demand
! stint: no plan meets these limits
!   hint: budget $10.68, or 3 trials would allow one
? 6
$ stint plan examples/serve-8b.yaml --budget 100usd
! stint: no plan meets these limits; some offers have too few machines (--supply)
!   hint: budget $604.80 would allow one (GPU machine, runpod/*/1x_RTX6000-Ada_SECURE)
? 6
$ stint plan examples/serve-8b.yaml --set slo.p95=1ms
! stint: no number of machines meets the latency in slo:
!   hint: the lowest possible p95 is 0.667 s ($102540 a month): allow more in slo:
? 6
No offers; with one offer there is a plan.
$ sh p.sh --max-age 1min
! stint: there is no machine to plan with
!   hint: 1825 prices are older than allowed: leave out --max-age, or run 'stint price fetch'
? 4
$ mkdir mine; printf 'provider,region,instance,accelerator,count,on_demand_usd_h,date,source\nmine,here,box,A100-SXM-80GB,1,1.5,2026-11-14,me\n' >mine/offers.csv
$ sh p.sh --catalog mine --provider mine
| train llama-2-7b, lora, 25 M tokens
| 
|    plan   cost      80 % range    time  GPUs              where      market     price age  setting
| >  best  $2.25  $2.06 to $2.46  1.50 h  1x A100-SXM-80GB  mine/here  on-demand        1 d  bf16, batch 4 x 2
| 
| why             lowest cost; no other GPU or market meets the limits
| rent            mine/here/box, $1.50/hr on-demand, price from 2026-11-14 (1 day
|                 old)
| setting         bf16, batch 4 x 2: 76.0 GB (72.2 to 80.0) of 85.0 on the GPU
| prices          from 2025-08-27 to 2026-11-14
| searched        670 offers and 31 configurations
| 
| note            no deadline: plans longer than 90 days are not considered;
|                 --deadline allows them
| note            LoRA of rank 16 on all linear layers
| note            optimizer adamw
| note            framework hf, Hugging Face's model code: choose another with
|                 --set framework
| note            sequences of 2048 tokens
| note            a global batch of 8 (default): --set global_batch=N changes it
! stint: warning: 1792 of 1823 prices are more than 30 days old (oldest: 2025-08-27); 'stint price doctor' shows what to run
$ sh p.sh --catalog mine --provider mine --explain 2>/dev/null | sed -n '/MONEY/,$p'
| WHERE THE MONEY GOES
|   compute               $2.25  100 %  ########################################
| 
| WHAT EACH RESTRICTION COSTS
| restriction      without it         costs   then  on
| these providers  provider runpod  +$0.801  $1.45  runpod/*/1x_MI300X_SECURE
| 
| RULES OF THUMB
| does not apply  below an hour: not worth spot (no spot that would do is known)
| agrees          fits one GPU: do not shard (only one GPU is possible)
| does not apply  offload rather than more GPUs (it fits one GPU)
| does not apply  one machine where it fits: more only cost more (machines of this
|                 offer cannot be joined)
| agrees          the narrowest precision that is tolerated (fp32 costs $20.1 more
|                 than bf16 and is done 13.4 h later)
| does not apply  the lowest ZeRO stage that fits (no two GPUs hold the same, so
|                 there is nothing to share)
| agrees          recompute only what does not fit (selective recompute costs
|                 $0.637 more than no recompute and is done 25 min later)
| agrees          the largest micro-batch that fits (a micro-batch of 2 costs
|                 $0.0426 more than a micro-batch of 4 and is done 2 min later)
| does not apply  local below an hour, cloud above ten (no machine of your own
|                 would do)
| 
| UNCERTAINTY
| cost            $2.25, 8 of 10 between $2.06 and $2.46: -9 % to +9 %
| time            1.50 h, 8 of 10 between 1.37 h and 1.64 h: -9 % to +9 %
| memory          76.0 GB (72.2 to 80.0) of 85.0: it fits
| from            the error of predicted against measured times ('stint
|                 validate'), and how far prices of that age move
| 
| NAIVE CHOICES
| choice          cost  best saves    time  GPUs              where      market
| cheapest hour  $2.25         0 %  1.50 h  1x A100-SXM-80GB  mine/here  on-demand
| 
| SETTINGS
| best            1x A100-SXM-80GB, lora, bf16, adamw, hf, micro-batch 4 x 2
|                 accumulated = 8 sequences of 2048 tokens, 76.0 GB, 4,630
|                 tokens/s, 1.20 kWh, 0.568 kg CO2e
| 
| note            no deadline: plans longer than 90 days are not considered;
|                 --deadline allows them
| note            LoRA of rank 16 on all linear layers
| note            optimizer adamw
| note            framework hf, Hugging Face's model code: choose another with
|                 --set framework
| note            sequences of 2048 tokens
| note            a global batch of 8 (default): --set global_batch=N changes it
$ sh p.sh --catalog mine --provider mine --deadline 10min
! stint: no plan meets these limits; by default at most 512 GPUs (--max-gpus)
!   hint: deadline 1.6 h ($2.25), or provider runpod ($2.86) would allow one
? 6
Several jobs.
$ printf 'name: %s\ntrain: {model: gpt2, data: {tokens: 1M}}\n' a >a.yaml; printf 'name: second\nafter: [third]\ntrain: {model: gpt2, data: {tokens: 1M}}\n' >b.yaml; printf 'name: third\nafter: [second]\ntrain: {model: gpt2, data: {tokens: 1M}}\n' >c.yaml
$ stint plan a.yaml none.yaml
! stint: cannot open 'none.yaml': No such file or directory
? 4
$ stint plan a.yaml bad.yaml
! stint: bad.yaml:3:3: there is no key 'dat'
!   hint: did you mean 'data'?
? 3
$ stint plan a.yaml examples/serve-8b.yaml
! stint: examples/serve-8b.yaml serves: it never ends and cannot share machines
!   hint: plan it alone
? 2
$ stint plan a.yaml b.yaml
! stint: second comes after 'third', which is not among the jobs
!   hint: give its file too, or take it out of after:
? 3
$ stint plan b.yaml c.yaml
! stint: jobs wait for each other in a circle: second after third after second
!   hint: take out one of these dependencies
? 3
$ printf 'name: d\nafter: [d]\ntrain: {model: gpt2, data: {tokens: 1M}}\n' >d.yaml; stint plan a.yaml d.yaml
! stint: jobs wait for each other in a circle: d after d
!   hint: take out one of these dependencies
? 3
$ stint plan a.yaml llama-2-7b
! stint: llama-2-7b: the job has no amount of data to train on
!   hint: add data: {tokens: 25M}, or --tokens 25M (--examples 5000)
? 3
$ stint plan a.yaml a.yaml --save p.json
! stint: --save is for one job
!   hint: plan each by itself: stint plan a.yaml --save ...
? 2
$ stint plan a.yaml a.yaml --session 1min
! stint: a takes at least 4min with its setup, but a session lasts 1min
!   hint: --session 4min would do
? 6
$ stint plan a.yaml a.yaml --deadline 1min
! stint: a.yaml: no plan meets these limits; by default at most 512 GPUs (--max-gpus)
!   hint: deadline 3.17 min ($0.376) would allow one
? 6
$ stint plan $(for i in $(seq 101); do echo a.yaml; done)
! stint: more than 40 jobs at once
? 2
$ stint plan a.yaml --queue --provider aws 2>/dev/null
| 1 job
| 
| QUEUE: highest expected value per dollar first
|    job  where                                data  reached     cost  improves by/$  spent by then  price age
| 1  a    aws/us-east-1/g5g.xlarge:on-demand    5 %    100 %  $0.0032          9.3 %        $0.0032       85 d
| 2  a    aws/us-east-1/g5g.xlarge:on-demand   25 %     55 %  $0.0126           11 %        $0.0101       85 d
| 3  a    aws/us-east-1/g5g.xlarge:on-demand  100 %     37 %  $0.0473           15 %        $0.0275       85 d
| 
| prices          from 2025-08-27 to 2026-11-09
$ printf 'name: e\nexperiment: {improvement: 120%%}\ntrain: {model: gpt2, data: {tokens: 1M}}\n' >e.yaml; stint plan a.yaml e.yaml --queue
! stint: e.yaml:2:27: improvement: '120%' is not a share from 0 to 1
!   hint: write it as 20% or 0.2
? 3
$ stint plan --queue
! stint: plan needs a JOB
!   hint: stint plan examples/llama-7b-lora.yaml
? 2
$ stint budget split 100usd a.yaml none.yaml
! stint: cannot open 'none.yaml': No such file or directory
? 4
$ stint budget split 100usd bad.yaml
! stint: bad.yaml:3:3: there is no key 'dat'
!   hint: did you mean 'data'?
? 3
The cheapest hours.
$ stint plan slots --hours 0
! stint: --hours: '0' is not above zero
? 2
$ stint plan slots --provider awz
! stint: there is no provider 'awz'
!   hint: did you mean 'aws'?
? 4
$ stint plan slots --offer aws/us-east-1/nothing
! stint: there is no offer 'aws/us-east-1/nothing'
!   hint: 'stint price list' shows all
? 4
$ stint plan llama-3.1-8b --lora --tokens 10M --confidence 90%
! stint: --confidence is the chance of meeting a deadline, and there is none
!   hint: --deadline 24h sets one
? 2
