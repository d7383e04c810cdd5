Plans: written files, several jobs, and rechecking a plan.

A configuration gets the job's values and the choices; assumed values stay as they are in it.
$ printf '{"per_device_train_batch_size": 16, "lora_r": 64, "max_seq_length": 512}\n' >hf.json; cp hf.json hf2.json
$ printf 'stint plan llama-2-7b --method lora --tokens 2M --gpu L40S --provider aws "$@"' >p.sh
$ sh p.sh --write-config hf-trainer --base hf.json 2>/dev/null | sed -n '/^+{/p'
| +{"per_device_train_batch_size": 2, "gradient_accumulation_steps": 2, "bf16": true, "gradient_checkpointing": false, "lora_r": 64, "max_seq_length": 512}
$ sh p.sh --set rank=8,sequence=1024 --write-config hf-trainer --base hf2.json 2>/dev/null | sed -n '/^+{/p'
| +{"per_device_train_batch_size": 4, "gradient_accumulation_steps": 1, "bf16": true, "gradient_checkpointing": false, "lora_r": 8, "max_seq_length": 1024}
$ printf 'network_dim = 8\nresolution = 768\n' >k.toml; cp k.toml k2.toml
$ printf 'train: {model: sdxl, method: lora, data: {images: 40}, epochs: 10}\n' >sdxl.yaml
$ stint plan sdxl.yaml --write-config kohya --base k.toml 2>/dev/null >/dev/null; grep -E 'dim|reso' k.toml
| network_dim = 8
| resolution = 768
$ stint plan sdxl.yaml --set rank=16,resolution=1024 --write-config kohya --base k2.toml >/dev/null 2>&1; grep -E 'dim|reso' k2.toml
| network_dim = 16
| resolution = 1024
A new one is what the trainer takes: the model by its id on the Hub, modules in a list.
$ sh p.sh --set targets=attention --write-config hf-trainer -o new.yaml 2>&1 | grep note: ; grep -E 'model|lora' new.yaml; stint estimate new.yaml --tokens 2M --on L40S 2>/dev/null | grep ^train
| model_name_or_path: meta-llama/Llama-2-7b-hf
| lora_r: 16
| lora_target_modules: ["q_proj", "k_proj", "v_proj", "o_proj"]
| train           llama-2-7b: 6.74 B parameters, lora trains 16.8 M
| training        9.94 min (8.50 to 11.62): 245 steps, 2.00 M tokens
$ stint plan vicuna-7b --lora --tokens 2M --gpu L40S --write-config hf-trainer -o vicuna.yaml 2>&1 | grep note: ; grep model vicuna.yaml
| stint: note: replace 'vicuna-7b' in the file with the model's Hugging Face id or folder
| model_name_or_path: vicuna-7b
$ stint plan gpt2 --lora --set targets=qv --tokens 2M --gpu L40S --write-config hf-trainer -o gpt2.yaml
! stint: gpt2.yaml: the names of the model's modules for 'qv' are unknown
!   hint: name them as the model does: --set targets=query_key_value,dense
? 3
The file as the user wrote it is never lost, however often it is changed.
$ printf '{"optimizer": {"type": "AdamW"}}\n' >ds.json; cp ds.json mine.json
$ sh p.sh --write-config deepspeed --base ds.json 2>&1 | grep note:; cmp mine.json ds.json.bak; cp ds.json first.json
| stint: note: changed ds.json; the old file is ds.json.bak
$ sh p.sh --set batch=1 --write-config deepspeed --base ds.json 2>&1 | grep note:; cmp mine.json ds.json.bak; cmp first.json ds.json.bak.1
| stint: note: changed ds.json; the old file is ds.json.bak.1
$ sh p.sh --write-config deepspeed --base ds.json 2>&1 | grep note:; cmp first.json ds.json
| stint: note: changed ds.json; the old file is ds.json.bak.2
$ for i in $(seq 99); do echo kept >ds.json.bak.$i; done; sh p.sh --set batch=1 --write-config deepspeed --base ds.json >/dev/null; cmp first.json ds.json
! stint: ds.json.bak and 99 more copies exist already
!   hint: remove old copies
A configuration is of the software that trains the model, and that the job names.
$ sh p.sh --write-config kohya
! stint: --write-config kohya: llama-2-7b is not a diffusion model
!   hint: use --write-config deepspeed, accelerate or hf-trainer
? 2
$ stint plan resnet50 --examples 1000 --write-config kohya
! stint: --write-config kohya: resnet50 is not a diffusion model
!   hint: use --write-config deepspeed, accelerate or hf-trainer
? 2
$ stint plan sdxl.yaml --write-config hf-trainer
! stint: --write-config hf-trainer: sdxl is a diffusion model
!   hint: use --write-config kohya
? 2
$ stint plan sdxl.yaml --write-config accelerate
! stint: --write-config accelerate: sdxl is a diffusion model
!   hint: use --write-config kohya
? 2
$ sh p.sh --set framework=megatron --write-config deepspeed
! stint: --write-config deepspeed: the job is for megatron
!   hint: take 'framework: megatron' out of the job, or use --set framework=deepspeed
? 2
$ sh p.sh --set framework=kohya --write-config hf-trainer
! stint: --write-config hf-trainer: the job is for kohya
!   hint: take 'framework: kohya' out of the job, or use --set framework=hf-trainer
? 2
$ sh p.sh --set framework=fsdp --write-config accelerate 2>&1 | grep note:
| stint: note: accelerate's file has no micro-batch: set per_device_train_batch_size (or the DataLoader's batch_size) to 1 in your script
$ for f in megatron-deepspeed trl pytorch; do sh p.sh --set framework=$f --write-config deepspeed 2>/dev/null | grep micro; done
|     "train_micro_batch_size_per_gpu": 2,
|     "train_micro_batch_size_per_gpu": 2,
|     "train_micro_batch_size_per_gpu": 1,

A session that is shorter than the cheapest plan of a job takes faster machines, if there are any.
$ printf '%s\n' 'printf "name: %s\ntrain:\n  model: %s\n  method: %s\n  data: {tokens: %s}\n%s\n" "$@" >$1.yaml' >job.sh
$ sh job.sh a llama-2-7b lora 25M; sh job.sh b llama-2-7b lora 25M
$ stint plan a.yaml b.yaml --provider aws 2>/dev/null | grep -E '^ +[0-9]|together'
|       1  +7.00 min  +1.44 h  a    aws/us-east-1/g7e.2xlarge:on-demand  $4.44       85 d  bf16, batch 4 x 2
|       1    +1.44 h  +2.76 h  b    aws/us-east-1/g7e.2xlarge:on-demand  $4.44       85 d  bf16, batch 4 x 2
| together        $9.27 in 1 session, done after 2.76 h; $0.393 of it for setup
$ stint plan a.yaml b.yaml --provider aws --session 1h 2>/dev/null | grep -E '^ +[0-9]|together'
|       1  +7.00 min  +48.9 min  a    aws/us-east-1/p5.4xlarge:on-demand  $4.80       85 d  bf16, batch 4 x 2
|       2  +7.00 min  +48.9 min  b    aws/us-east-1/p5.4xlarge:on-demand  $4.80       85 d  bf16, batch 4 x 2
| together        $11.2 in 2 sessions, done after 48.9 min; $1.61 of it for setup
$ stint plan a.yaml b.yaml --provider aws --session 9min
! stint: a takes at least 13min with its setup, but a session lasts 9min
!   hint: --session 13min would do
? 6
$ stint plan a.yaml b.yaml --provider aws --session 13min 2>/dev/null | grep -E '^ +[0-9]|together'
|       1  +7.00 min  +13.0 min  a    aws/us-east-1/p5en.48xlarge:on-demand  $6.30       85 d  bf16, zero 1, batch 1
|       2  +7.00 min  +13.0 min  b    aws/us-east-1/p5en.48xlarge:on-demand  $6.30       85 d  bf16, zero 1, batch 1
| together        $27.4 in 2 sessions, done after 13.0 min; $14.8 of it for setup
Jobs that keep the machines of their own best plans share what there is of them, too.
$ sh job.sh d qwen2.5-0.5b lora 5M; sh job.sh e qwen2.5-14b qlora 5M
$ stint plan d.yaml e.yaml a.yaml --provider azure --deadline 1h --supply azure=1 2>/dev/null | grep -E '^ +[0-9]|together'
|       1  +7.00 min  +10.4 min  d    azure/eastus/Standard_NC24ads_A100_v4:on-demand  $0.206      411 d  bf16, batch 4
|       2  +7.00 min  +52.5 min  a    azure/eastus/Standard_NC40ads_H100_v5:on-demand   $5.29      411 d  bf16, batch 4 x 2
|       1  +10.4 min  +52.0 min  e    azure/eastus/Standard_NC24ads_A100_v4:on-demand   $2.55      411 d  bf16, batch 2 x 2
| together        $9.29 in 2 sessions, done after 52.5 min; $1.24 of it for setup

The costs of the jobs and the overhead add up to the total; at another hour too.
$ printf '%s\n' "grep -oE '\"(cost|together|overhead)\":\{\"amount\":\"[0-9.]*' | sed 's/\"//g; s/:{amount:/ /'" >costs.sh
$ stint plan a.yaml b.yaml --provider aws --session 1h --json 2>/dev/null | sh costs.sh
| cost 4.8
| cost 4.8
| together 11.21
| overhead 1.61
$ stint plan a.yaml b.yaml --provider vast --gpu H100 --json 2>/dev/null | sh costs.sh
| cost 1.26
| cost 1.26
| together 2.63
| overhead 0.1202
$ stint plan a.yaml b.yaml --provider vast --gpu H100 --within 48h --json 2>/dev/null | sh costs.sh
| cost 1.26
| cost 1.26
| together 2.63
| overhead 0.1202

A queue keeps the order of dependent jobs; each job has the machine that is best for it.
$ sh job.sh base llama-2-7b full 20M 'experiment: {improvement: 1%, chance: 40%, value: $20000}'; sh job.sh free gpt2 full 2M 'experiment: {improvement: 0.1%, chance: 50%, value: $20000}'
$ sh job.sh next llama-2-7b lora 2M 'experiment: {improvement: 1%, chance: 50%, value: $20000}'; stint plan next.yaml base.yaml free.yaml --queue --provider aws 2>/dev/null | sed -n '3,7p'
| QUEUE: highest expected value per dollar first
|    job   where                                  data  reached     cost  value/cost  spent by then  price age
| 1  next  aws/us-east-1/g6e.xlarge:on-demand    100 %    100 %   $0.595       168 x         $0.595       85 d
| 2  free  aws/us-east-1/g5g.xlarge:on-demand    100 %    100 %  $0.0768       130 x         $0.671       85 d
| 3  base  aws/us-east-1/g7e.12xlarge:on-demand  100 %    100 %    $5.97      13.4 x          $6.64       85 d
$ echo 'after: [base]' >>next.yaml; stint plan next.yaml base.yaml free.yaml --queue --provider aws 2>/dev/null | sed -n '3,7p'
| QUEUE: highest expected value per dollar first
|    job   where                                  data  reached     cost  value/cost  spent by then  price age
| 1  free  aws/us-east-1/g5g.xlarge:on-demand    100 %    100 %  $0.0768       130 x        $0.0768       85 d
| 2  base  aws/us-east-1/g7e.12xlarge:on-demand  100 %    100 %    $5.97      13.4 x          $6.05       85 d
| 3  next  aws/us-east-1/g6e.xlarge:on-demand    100 %    100 %   $0.595       168 x          $6.64       85 d
$ stint plan next.yaml base.yaml free.yaml --queue --provider aws --budget 2usd 2>/dev/null | sed -n '3,7p'
| QUEUE: highest expected value per dollar first
|    job   where                                  data  reached     cost  value/cost  spent by then  price age  budget
| 1  free  aws/us-east-1/g5g.xlarge:on-demand    100 %    100 %  $0.0768       130 x        $0.0768       85 d  within
| 2  base  aws/us-east-1/g7e.12xlarge:on-demand  100 %    100 %    $5.97      13.4 x          $6.05       85 d  OVER
| 3  next  aws/us-east-1/g6e.xlarge:on-demand    100 %    100 %   $0.595       168 x         $0.671       85 d  OVER
$ stint plan next.yaml free.yaml --queue --provider aws
! stint: next comes after 'base', which is not among the jobs
!   hint: give its file too, or take it out of after:
? 3
$ echo 'after: [next]' >>base.yaml; stint plan next.yaml base.yaml --queue --provider aws
! stint: jobs wait for each other in a circle: next after base after next
!   hint: take out one of these dependencies
? 3
$ stint plan free.yaml --queue --provider aws --json 2>/dev/null | grep -o '"offer":"[^"]*"'
| "offer":"aws/us-east-1/g5g.xlarge:on-demand"

Options that have no effect are reported.
$ sh p.sh --session 8h 2>/dev/null | grep -A1 session
| note            --session and --parallel are ignored: they are for several jobs
| note            no deadline: plans longer than 90 days are not considered;
$ sh p.sh --parallel 2 2>/dev/null | grep -A1 session
| note            --session and --parallel are ignored: they are for several jobs
| note            no deadline: plans longer than 90 days are not considered;
$ stint plan free.yaml a.yaml --queue --session 8h --provider aws 2>&1 | grep session
| stint: note: --session and --parallel are ignored with --queue: they are for jobs that share machines
On spot, the cloud's own command that asks for the machines, never at more than on-demand.
$ for c in aws gcp azure; do stint plan gpt2 --tokens 100M --market spot --provider $c --gpu 'A100*' 2>/dev/null | grep '^command'; done
| command         aws ec2 run-instances --region eu-north-1 --instance-type p4d.24xlarge --count 1 --image-id AMI --instance-market-options 'MarketType=spot,SpotOptions={MaxPrice=23.72}'
| command         gcloud compute instances create NAME --machine-type a2-ultragpu-1g --zone us-east5-a --provisioning-model SPOT --instance-termination-action STOP
| command         az vm create --resource-group GROUP --name NAME --location eastus --size Standard_NC24ads_A100_v4 --image IMAGE --count 1 --priority Spot --eviction-policy Deallocate --max-price 3.673
All managed platforms side by side, of which the cheapest is planned.
$ stint plan gpt2 --tokens 100M --platform all 2>/dev/null | grep -A7 '^PLATFORMS'
| PLATFORMS AND PLAIN MACHINES
|    platform         cost  plain there  markup      time  hardware           where       price age             notebooks
|    plain machine  $0.323                         2.14 h  1x RTXA4000        hyperstack       81 d                      
| >  SageMaker       $1.65        $1.38    20 %    3.28 h  1x T4g             aws              85 d  $0.0500 to $16.00/hr
| >  Databricks      $1.79        $1.38    30 %    3.28 h  1x T4g             aws              85 d  $0.0700 to $20.00/hr
| >  Vertex AI       $2.26        $1.97    15 %    1.68 h  2x T4              gcp              85 d  $0.0400 to $12.00/hr
| >  Azure ML        $3.68        $3.68          23.1 min  2x A100-PCIe-80GB  azure             6 d  $0.0500 to $15.00/hr
| difference      SageMaker costs $0.275 (20 %) more than plain machines there,
A GPU that nothing known rents.
$ stint plan gpt2 --tokens 100M --gpu Gaudi3
! stint: note: no price of Gaudi3 for rent is known: 'stint estimate JOB --on Gaudi3 --price 20usd/hr' takes yours, offers.csv in the catalog folder keeps it
! stint: no plan meets these limits
!   hint: gpu RTXA4000 ($0.323) would allow one
? 6
$ stint price list --gpu Gaudi3
! stint: no offer matches
!   hint: no price of Gaudi3 for rent is known: offers.csv in the catalog folder adds yours; --kind any has own machines
? 4
$ stint estimate gpt2 --tokens 100M --on Gaudi3x8 2>/dev/null | grep '^COST'
| COST            ? no price of 8x Gaudi3 is known: --price 20usd/hr sets one
A small model costs no more on a machine without a GPU, which is named and is never the best; limits hold for it, too.
$ stint plan lstm-h128-l2 --examples 3k --epochs 30 --sequence 60 2>/dev/null | sed -n '/^>/p; /^on a CPU/,/rely on it/p'
| >  best       $0.0128    $0.0117 to $0.014  3.19 min  1x RTX2000-Ada  runpod/*  on-demand       85 d  bf16, batch 64
| on a CPU        gcp/us-central1/e2-standard-2 (fp32, 2 vCPUs): about $0.0099
|                 ($0.0077 to $0.0142) and 8.88 min (6.94 min to 12.8 min); rough:
|                 measure some steps, there or on your own computer, before you
|                 rely on it
$ stint plan lstm-h128-l2 --examples 3k --epochs 30 --sequence 60 --provider aws 2>/dev/null | grep -o '^on a CPU *[^ ]*'
| on a CPU        aws/us-east-1/c7g.large
$ for o in "--gpu T4" "--market spot" "--max-carbon-kg 1" "--examples 30M" "--budget 0.006usd"; do stint plan lstm-h128-l2 --examples 3k --epochs 30 --sequence 60 $o 2>/dev/null | grep -c '^on a CPU'; done
| 0
| 0
| 0
| 0
| 0
? 1
$ stint plan lstm-h128-l2 --examples 3k --epochs 30 --sequence 60 --json 2>/dev/null | grep -o '"on_cpu":\[{"role":"on a CPU","offer":"[^"]*"'
| "on_cpu":[{"role":"on a CPU","offer":"gcp/us-central1/e2-standard-2"
