$ stint estimate
! stint: estimate needs a JOB
!   hint: stint estimate examples/llama-7b-lora.yaml --on H100x8
? 2
$ stint estimate llama-2-7b
! stint: estimate needs GPUs or an offer
!   hint: add --on H100x8, or --offer aws/p5.48xlarge
? 2
$ stint estimate lama-2-7b --on A100
! stint: there is no model 'lama-2-7b'
!   hint: did you mean 'llama-2-7b'? 'stint catalog show models' lists them
? 4
$ stint estimate llama-2-7b --on A1000
! stint: there is no accelerator 'A1000'
!   hint: did you mean 'A100'? 'stint gpu list' shows all
? 4
$ stint estimate llama-2-7b --offer aws/p5.48xlrge
! stint: there is no offer 'aws/p5.48xlrge'
!   hint: did you mean 'p5.48xlarge'? 'stint price list' shows all
? 4
$ stint estimate llama-2-7b --offer aws/p5.48xlarge:sport
! stint: there is no market 'sport'
!   hint: did you mean 'spot'?
? 2
$ stint estimate llama-2-7b --offer aws/p5.48xlarge:reserved-1y
! stint: 'aws/p5.48xlarge:reserved-1y': only prices on-demand and on spot are estimated
!   hint: leave out ':reserved-1y', and set its price with --price
? 2
$ stint estimate llama-2-7b --on A100 --set bach=3
! stint: there is no key 'bach' in a training job
!   hint: did you mean 'batch'?
? 3
$ stint estimate llama-2-7b --on A100 --set batch
! stint: --set: 'batch' is not KEY=VALUE
!   hint: --set batch=8
? 2
$ stint estimate llama-2-7b --on A100 --set batch=0
! stint: micro_batch: '0' is not 1 or more
? 3
$ stint estimate llama-2-7b --on A100 --set batch=1e30
! stint: micro_batch: '1e30' is not a whole number
!   hint: write digits only, without a unit
? 3
$ stint estimate llama-2-7b --on A100 --sweep batch
! stint: note: 'A100' means A100-SXM-80GB, the SXM form with the most memory
! stint: --sweep: 'batch' is not KEY=FROM..TO or KEY=A,B,C
!   hint: --sweep batch=1..64, --sweep zero=0..3, --sweep precision=bf16,fp8, --sweep gpus=1..64
? 2
$ stint estimate llama-2-7b --on A100 --sweep batch=9..1
! stint: note: 'A100' means A100-SXM-80GB, the SXM form with the most memory
! stint: --sweep: 'batch=9..1' is not KEY=FROM..TO or KEY=A,B,C
!   hint: --sweep batch=1..64, --sweep zero=0..3, --sweep precision=bf16,fp8, --sweep gpus=1..64
? 2
$ stint estimate llama-2-7b --on A100x8 --set tp=3
! stint: note: 'A100' means A100-SXM-80GB, the SXM form with the most memory
! stint: tensor x pipeline x context is 3, which does not divide 8 GPUs
? 3
$ stint estimate llama-2-7b --on A100x8 --set zero=7
! stint: zero: 7 is not from 0 to 3
? 3
$ stint estimate llama-2-7b --on H100 --set precision=fp8,tolerance=0.1%
! stint: note: 'H100' means H100-SXM-80GB, the SXM form with the most memory
! stint: precision fp8 usually costs 0.5 % of accuracy, and 0.1 % is tolerated
!   hint: set precision: bf16, or tolerance: 0.5%
? 3
$ stint estimate 0.5 --on A100
! stint: a model of 0.5 parameters is outside 1M to 5T
? 3
$ stint estimate 900T --on A100
! stint: a model of 900 trillion parameters is outside 1M to 5T
? 3
$ stint estimate nothing.yaml --on A100
! stint: cannot open 'nothing.yaml': No such file or directory
? 4
$ printf 'train:\n  model: llama-2-7b\n  methd: lora\n' >typo.yaml
$ stint estimate typo.yaml --on A100
! stint: typo.yaml:3:3: there is no key 'methd'
!   hint: did you mean 'method'?
? 3
$ printf 'train:\n  model: {layers: 32, hidden: 4096, heads: 33, ffn: 11008, vocab: 32000}\n' >heads.yaml
$ stint estimate heads.yaml --on A100
! stint: heads.yaml: 33 heads do not divide a width of 4096
!   hint: change heads or hidden, or give head_dim
? 3
$ printf 'train:\n  model: {layers: 0, hidden: 4096, heads: 32, ffn: 11008, vocab: 32000}\n' >none.yaml
$ stint estimate none.yaml --on A100
! stint: none.yaml:2:19: layers: '0' is not 1 or more
? 3
$ printf 'name: nothing\n' >empty.yaml
$ stint estimate empty.yaml --on A100
! stint: empty.yaml: the job has neither 'train' nor 'infer'
!   hint: start it with 'train: {model: llama-2-7b, method: lora}'
? 3
$ printf '{"hidden_size": 4096' >config.json
$ stint estimate ./config.json --on A100
! stint: ./config.json:1:21: the text ends inside an object
? 3
$ stint estimate typo.yaml --serve --on A100
! stint: --serve needs a model's name, and 'typo.yaml' is a job file
!   hint: write infer: instead of train: in the file
? 2
Methods and lengths as people write them.
$ stint estimate llama-3-8b --lora --on H100 --tokens 1M --sequence 8k 2>/dev/null | grep -E '^(train|batch)'
| train           llama-3-8b: 8.03 B parameters, lora trains 41.9 M
| batch           4 x 8192 tokens: micro-batch 2 x 2 accumulated
| training        2.79 min (2.55 to 3.05): 31 steps, 1.00 M tokens
$ stint estimate llama-3-8b --qlora --on H100 --tokens 1M --set sequence=1.5K 2>/dev/null | grep -E '^(train|batch)'
| train           llama-3-8b: 8.03 B parameters, qlora trains 41.9 M
| batch           4 x 1536 tokens
| training        1.91 min (1.74 to 2.09): 163 steps, 1.00 M tokens
$ stint estimate llama-3-8b --lora --method qlora --on H100 --tokens 1M
! stint: more than one method is given; use --method alone
? 2
$ stint estimate llama-3-8b --lora --qlora --on H100 --tokens 1M
! stint: more than one method is given; use --method alone
? 2
$ stint estimate llama-3-8b --lora --on H100 --tokens 1M --sequence 8kk
! stint: sequence: '8kk' is not a whole number
!   hint: write digits only, without a unit
? 3
$ stint estimate llama-3-8b --lora --on H100 --tokens 1M --sequence 1.3k
! stint: sequence: '1.3k' is not a whole number
!   hint: write digits only, without a unit
? 3
$ stint estimate llama-3-8b --lora --on H100 --tokens 1M --sequence 999999k
! stint: sequence: 1023998976 is not from 1 to 16777216
? 3
A family whose usual card is only sold by eight: another card of it.
$ stint estimate resnet50 --on V100 --examples 1M 2>&1 | grep -E '^(on|offer|stint: note)'
| stint: note: 'V100' means V100-SXM2-32GB, the SXM form with the most memory
| stint: note: V100-SXM2-32GB is not sold in machines with so few GPUs: this is for V100-SXM2-16GB
| on              V100-SXM2-16GB
| offer           vast/*/1x-Tesla_V100-32-65536, $0.1800/hr on-demand, price from
$ stint estimate resnet50 --on V100-SXM2-32GB --examples 1M 2>&1 | grep -E '^(on|offer|note: complete)'
| on              V100-SXM2-32GB
| offer           aws/us-east-1/p3dn.24xlarge, $31.21/hr on-demand, price from
| note: complete machines are rented: 8 GPUs, of which 1 are used
Limits that are assumed are named.
$ stint plan llama-3.1-405b --tokens 15T 2>&1 | tail -2
| stint: no plan meets these limits; by default at most 90 days (--deadline) and 512 GPUs (--max-gpus)
|   hint: deadline 808 days ($176 million) would allow one
Only what fits is suggested.
$ stint estimate llama-3-8b --on H100x8 --sequence 128k --tokens 1M --set framework=hf 2>&1 | grep hint
|   hint: try --sequence 16384; 'stint gpu fit llama-3-8b' shows what holds it
$ stint estimate llama-3-8b --on H100x8 --sequence 128k --tokens 1M --lora 2>&1 | grep hint
|   hint: try --set parallel.context=8; 'stint gpu fit llama-3-8b' shows what holds it
$ stint estimate llama-3-8b --on H100x8 --sequence 128k --tokens 1M --set parallel.context=2 2>/dev/null | grep -E '^(on|MEMORY)'
| on              8x H100-SXM-80GB: tensor 4, context 2, ZeRO 1
| MEMORY          fits (chance 97 %): 60.6 GB (48.1 to 76.3) of 85.0 GB usable on
$ stint estimate llama-3.1-405b --on H100x8 --tokens 1M 2>&1 | grep hint
|   hint: try --on H100x256, or --method qlora; 'stint gpu fit llama-3.1-405b' shows what holds it
$ stint estimate llama-3.1-405b --on H100x256 --tokens 1M 2>/dev/null | grep -E '^(on|MEMORY)'
| on              256x H100-SXM-80GB in 32 machines: data 256, ZeRO 3
| MEMORY          fits: 55.6 GB (48.7 to 63.4) of 85.0 GB usable on each GPU
$ stint estimate llama-3-8b --qlora --sequence 64k --on T4 --tokens 1M 2>&1 | grep hint
|   hint: try --sequence 1024; 'stint gpu fit llama-3-8b' shows what holds it
$ stint estimate llama-3-8b --lora --batch 64 --on H100 --tokens 1M 2>&1 | grep hint
|   hint: try --batch 8; 'stint gpu fit llama-3-8b' shows what holds it
$ stint estimate llama-3-8b --lora --batch 8 --on H100 --tokens 1M 2>/dev/null | grep -E '^(on|MEMORY)'
| on              H100-SXM-80GB
| MEMORY          fits: 57.9 GB (53.3 to 62.8) of 85.0 GB usable

Servers divide heads evenly among GPUs that share layers.
$ stint estimate llama-3-8b --serve --on H100x8 --set tensor=3
! stint: note: 'H100' means H100-SXM-80GB, the SXM form with the most memory
! stint: tensor 3 does not divide the 32 heads of the model
!   hint: try tensor 2
? 3

A job that says that it needs no time before the first step is believed.
$ stint estimate llama-3-8b --lora --on H100 --tokens 1M --set setup=0s 2>/dev/null | grep -cE '^  setup'
| 0
? 1
$ stint estimate llama-2-7b --on A100x8 --tokens 1B --set parallel.data=4 2>&1 | tail -2
| stint: data parallel 4 with the rest is not 8 GPUs
|   hint: set parallel.tensor, parallel.pipeline or parallel.context too, or leave out parallel.data, which is then 8

A paged optimizer moves its states itself.
$ stint estimate llama-2-7b --on A100 --tokens 1B --set optimizer=paged-adamw,offload=optimizer
! stint: a paged optimizer is not offloaded: it moves its states itself
!   hint: drop parallel.offload, or write optimizer: adamw
? 3
Quantized weights stay on a single GPU, with the software that quantizes them; Trainer recomputes all layers or none.
$ stint estimate llama-3.3-70b --qlora --on T4 --set offload=all
! stint: offload all: bitsandbytes keeps quantized weights on the GPU; only FSDP offloads them, from 2 GPUs on
!   hint: use more GPUs or a larger one, offload: optimizer, or method: lora
? 3
$ stint estimate llama-3.3-70b --qlora --on T4 2>&1 | grep needs
| stint: llama-3.3-70b needs 57.5 GB on each T4, which has 15.9 GB
$ for g in T4 L4 RTX4090 A100 H100; do for m in qwen2.5-3b llama-3.1-8b qwen2.5-14b qwen2.5-32b llama-3.3-70b; do stint estimate $m --qlora --on $g --tokens 10M 2>/dev/null; done; done | grep -cE 'offload|selective'
| 0
? 1
