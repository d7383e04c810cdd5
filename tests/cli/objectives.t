Training on preferences and rewards: what it takes beside fine-tuning, from options, job files and files of tools.
$ for o in sft dpo orpo kto reward ppo grpo rloo; do stint estimate qwen2.5-1.5b --objective $o --examples 8k --on H100 2>/dev/null | sed -n 's/^train  *\([^:]*\): [^,]*/\1/p; /^training/p' | tr '\n' ' '; echo; done
| qwen2.5-1.5b, full training        9.44 min (8.72 to 10.43): 1,000 steps, 16.4 M tokens 
| qwen2.5-1.5b, dpo, full training        24.5 min (22.4 to 27.4): 1,000 steps, 32.8 M tokens 
| qwen2.5-1.5b, orpo, full training        18.5 min (17.1 to 20.4): 1,000 steps, 32.8 M tokens 
| qwen2.5-1.5b, kto, full training        18.5 min (16.5 to 21.3): 1,000 steps, 16.4 M tokens 
| qwen2.5-1.5b, reward, full training        15.6 min (14.4 to 17.2): 1,000 steps, 32.8 M tokens 
| qwen2.5-1.5b, ppo, full training        1.30 h (0.76 to 2.55): 1,000 steps, 16.4 M tokens 
| qwen2.5-1.5b, grpo, full training        1.48 h (0.88 to 2.84): 1,000 steps, 32.8 M tokens 
| qwen2.5-1.5b, rloo, full training        1.21 h (0.72 to 2.31): 1,000 steps, 16.4 M tokens 
$ stint estimate llama-3.1-8b --lora --method dpo --examples 1k --on H100 2>/dev/null | grep '^train '
| train           llama-3.1-8b: 8.03 B parameters, dpo, lora trains 41.9 M
$ stint estimate llama-3.1-8b --method dpo --examples 1k --on H100x8 2>/dev/null | grep -E '^train |other models|^note: a ref'
| train           llama-3.1-8b: 8.03 B parameters, dpo, full
|   other models       2.01 GB    4 %  #
|   other models        154 ms   24 %  ##########
| note: a reference model is in memory beside the trained one; --set reference=no
$ stint estimate qwen2.5-1.5b --objective grop --examples 8k --on H100
! stint: objective: 'grop' is not an objective
!   hint: did you mean 'grpo'?
? 3
$ stint estimate bert-base --objective dpo --examples 8k --on H100 2>&1 | grep -v 'H100-SXM'
| stint: objective dpo is for models that write text
|   hint: drop objective
$ stint estimate qwen2.5-1.5b --objective grpo --examples 8k --on H100 --set rollout.engine_gpus=1 2>&1 | grep -v 'H100-SXM-80GB.*form'
| stint: 1 GPU is too few: 1 writes answers, and none is left to train on
|   hint: use --on H100-SXM-80GBx2, or change rollout.engine_gpus with --set
Mini-R1, which took about 6 hours on four H100.
$ printf 'model_name_or_path: Qwen/Qwen2.5-3B-Instruct\nattn_implementation: flash_attention_2\nbf16: true\noutput_dir: runs/r1\nmax_steps: 450\nper_device_train_batch_size: 1\ngradient_accumulation_steps: 8\ngradient_checkpointing: true\nlearning_rate: 5.0e-7\nbeta: 0.001\nmax_prompt_length: 256\nmax_completion_length: 1024\nnum_generations: 8\nuse_vllm: true\nvllm_gpu_memory_utilization: 0.5\n' >mini-r1.yaml
$ stint estimate mini-r1.yaml --on H100x4 2>&1 | grep -E '^train|^on |answers|reference|^not used'
| stint: warning: left open: per_device_train_batch_size (1, computed as 8 answers: TRL before 0.15 counts prompts); --set KEY=VALUE sets ours
| train           qwen2.5-3b: 3.09 B parameters, grpo, full
| on              4x H100-SXM-80GB: data 3, ZeRO 1
|   3    trained model, reference       59.7 GB  busy 5.4 %
|   answers           1.01 min   95 %  ######################################
| training        7.97 h (4.72 to 15.45): 450 steps, 55.3 M tokens
| note: a reference model is in memory beside the trained one; --set reference=no
| note: 8 answers to a prompt, of 1024 tokens at most and 512 on average, an
| note: answers are written by vllm on 1 GPU of its own
Job files, and files of OpenRLHF and verl.
$ printf 'train:\n  model: qwen2.5-7b\n  objective: grpo\n  data: {examples: 8000}\n  reference: no\n  reward: qwen2.5-1.5b\n  rollout: {generations: 16, completion: 2048, length: 600, engine_memory: 40%%}\n' >job.yaml; stint estimate job.yaml --on H100x8 2>/dev/null | grep -E '^train|^batch|  engine|answers|reward'
| train           qwen2.5-7b: 7.62 B parameters, grpo, full
| batch           128 x 2560 tokens: micro-batch 2 x 8 accumulated x 8 data
|   engine             34.0 GB   50 %  ####################
|   answers             19.9 s   88 %  ###################################
| training        6.29 h (3.72 to 12.19): 1,000 steps, 110 M tokens
| note: a reward model of 1.54 billion parameters; --set reward=7B or none
| note: 16 answers to a prompt, of 2048 tokens at most and 600 on average
| note: answers are written by vllm on the GPUs of the training
$ printf 'pretrain: meta-llama/Llama-3.1-8B-Instruct\nreward_pretrain: OpenRLHF/Llama-3-8b-rm-mixture\nrollout_batch_size: 1024\nmicro_train_batch_size: 2\ntrain_batch_size: 128\nn_samples_per_prompt: 1\nmax_epochs: 1\nprompt_max_len: 1024\ngenerate_max_len: 1024\nzero_stage: 3\nvllm_num_engines: 4\ncolocate_all_models: true\nmax_samples: 20000\nadam_offload: true\ngradient_checkpointing: true\nbf16: true\n' >open.yaml; stint estimate open.yaml --on H100x8 2>&1 | grep -E '^stint: note: .open|^train|^with|^batch|answer|reward|critic|not used'
| stint: note: 'open.yaml' is read as OpenRLHF's arguments
| train           llama-3.1-8b: 8.03 B parameters, ppo, full
| with            bf16, adamw, deepspeed, recompute full, offload optimizer
| batch           128 x 2048 tokens: micro-batch 2 x 8 accumulated x 8 data
|   critic              5.43 s   34 %  ##############
|   answers             2.36 s   15 %  ######
| training        41.8 min (23.8 to 85.4): 157 steps, 20.5 M tokens
| note: a reward model of 8.03 billion parameters; --set reward=7B or none
| note: a critic of 8.03 billion parameters is trained too
| note: 1 answer to a prompt, of 1024 tokens at most and 512 on average, an
| note: answers are written by vllm on the GPUs of the training
$ printf 'actor_rollout_ref:\n  model: {path: Qwen/Qwen2.5-7B-Instruct, enable_gradient_checkpointing: true}\n  actor: {ppo_mini_batch_size: 256, ppo_micro_batch_size_per_gpu: 8, use_kl_loss: true}\n  rollout: {name: vllm, n: 5, tensor_model_parallel_size: 2, gpu_memory_utilization: 0.6}\ndata: {train_batch_size: 256, max_prompt_length: 512, max_response_length: 1024}\nalgorithm: {adv_estimator: grpo}\ntrainer: {total_epochs: 15, n_gpus_per_node: 8}\n' >verl.yaml; stint estimate verl.yaml --examples 7473 --on H100x8 2>&1 | grep -E '^stint: note: .verl|^train|^batch|answer|not used'
| stint: note: 'verl.yaml' is read as verl's configuration
| train           qwen2.5-7b: 7.62 B parameters, grpo, full
| batch           1,280 x 1536 tokens: micro-batch 8 x 20 accumulated x 8 data
|   answers             18.3 s   52 %  #####################
| training        4.27 h (2.53 to 8.28): 438 steps, 430 M tokens, 15 epochs
| note: 5 answers to a prompt, of 1024 tokens at most and 512 on average, an
| note: answers are written by vllm on the GPUs of the training
What may multiply the work and is not computed is warned of by name.
$ printf 'base_model: gpt2\nnum_epochs: 1\nmicro_batch_size: 4\nrl: xpo\nbest_of: 4\n' >ax.yml; stint estimate ax.yml --examples 1k --on T4 2>&1 | grep warning | head -1
| stint: warning: left open: rl (xpo, computed as plain fine-tuning: generated answers, second answers, reference and reward models multiply the work and are not counted), best_of (4, computed as 1: it may multiply the work); --set KEY=VALUE sets ours
A plan counts the same.
$ stint plan llama-3.1-8b --lora --objective dpo --examples 60k --gpu H100-SXM-80GB --max-gpus 1 2>/dev/null | sed -n '1p;/reference/,/out$/p'
| train llama-3.1-8b, lora, dpo, 246 M tokens
| note            a reference model is the trained one with its adapters switched
|                 off; --set reference=no leaves it out
Keys that may multiply the work are named, however deep they are and whatever they begin with.
$ printf 'algorithm: {adv_estimator: grpo, filter_groups: {enable: true, max_num_gen_batches: 10}}\ndata: {train_batch_size: 512}\nactor_rollout_ref: {model: {path: Qwen/Qwen2.5-7B}, rollout: {name: vllm, n: 16, multi_turn: {enable: true, max_turns: 5}}}\n' >verl-turns.yaml; stint estimate verl-turns.yaml --on H100x8 --examples 8k 2>&1 | grep -A1 'left open\|not used'
| stint: warning: left open: actor_rollout_ref.rollout.multi_turn.max_turns (5, computed as 1: it may multiply the work); --set KEY=VALUE sets ours
| stint: note: 'verl-turns.yaml' is read as verl's configuration
| --
| not used: algorithm.filter_groups, actor_rollout_ref.rollout.multi_turn
$ printf 'model_name_or_path: Qwen/Qwen2.5-1.5B\nnum_generations: 8\nmax_steps: 100\nper_device_train_batch_size: 8\nrollouts_per_example: 3\nmax_turns: 6\ndata_repeat: 4\nnum_beams: 5\ndynamic_sampling: true\n' >turns.yaml; stint estimate turns.yaml --on A100 2>&1 | grep 'left open\|not used'
| stint: warning: left open: rollouts_per_example (3, computed as 1: it may multiply the work), max_turns (6, computed as 1: it may multiply the work), data_repeat (4, computed as 1: it may multiply the work), num_beams (5, computed as 1: it may multiply the work); --set KEY=VALUE sets ours
| not used: dynamic_sampling
TRL's PPO and RLOO say how many answers; OpenRLHF splits no layers where its file does not.
$ printf 'model_name_or_path: Qwen/Qwen2.5-1.5B\nrloo_k: 5\nresponse_length: 256\ntotal_episodes: 20000\nper_device_train_batch_size: 8\ngradient_accumulation_steps: 4\n' >rloo.yaml; stint estimate rloo.yaml --on A100 2>/dev/null | grep '^training\|not used'
| training        1.36 h (0.81 to 2.60): 625 steps, 7.68 M tokens
$ printf 'pretrain: meta-llama/Meta-Llama-3-8B\nadvantage_estimator: grpo\nmicro_train_batch_size: 8\ntrain_batch_size: 128\nrollout_batch_size: 1024\nn_samples_per_prompt: 8\nmax_samples: 20000\nzero_stage: 3\nbf16: true\nvllm_num_engines: 4\ncolocate_actor_ref: true\nactor_num_gpus_per_node: 12\ngradient_checkpointing: true\n' >open.yaml; stint estimate open.yaml --on H100x16 2>/dev/null | grep '^on  '
| on              16x H100-SXM-80GB in 2 machines: data 12, ZeRO 3
Models of OpenRLHF have GPUs of their own unless they are colocated: each must hold its part, those that read or learn at the same time wait for the slowest, and the machines are those of all.
$ printf 'pretrain: meta-llama/Llama-2-7b-hf\nreward_pretrain: meta-llama/Llama-2-7b-hf\nactor_num_gpus_per_node: 4\ncritic_num_gpus_per_node: 4\nref_num_gpus_per_node: 2\nreward_num_gpus_per_node: 2\nvllm_num_engines: 4\nmicro_train_batch_size: 8\ntrain_batch_size: 128\nrollout_batch_size: 1024\nmax_samples: 20480\nprompt_max_len: 1024\ngenerate_max_len: 1024\nbf16: true\nzero_stage: 3\nadam_offload: true\ngradient_checkpointing: true\nadvantage_estimator: gae\n' >own.yaml; stint estimate own.yaml --on A100x16 2>/dev/null | grep -E '^on |^MEMORY|^GPUS|  busy|other models|critic|answers|^training|GPU time|GPUs hold|^with|batch'
| with            bf16, adamw, deepspeed, recompute full, offload optimizer
| on              16x A100-SXM-80GB in 2 machines: data 4, ZeRO 3
| batch           128 x 2048 tokens: micro-batch 8 x 4 accumulated x 4 data
| MEMORY          fits: 19.8 GB (17.0 to 27.0) of 85.0 GB usable on each GPU
| GPUS            59 % of all GPU time is idle
|   4    trained model                  19.8 GB  busy 55 %
|   4    engine                         16.8 GB  busy 36 %
|   2    reference                      19.4 GB  busy 18 %
|   2    reward model                   15.1 GB  busy 18 %
|   4    critic                         18.2 GB  busy 55 %
|   other models        4.50 s   18 %  #######
|   answers             9.14 s   36 %  ##############
| training        1.13 h (0.64 to 2.28): 160 steps, 21.0 M tokens
| note: a critic of 6.74 billion parameters is trained too
| note: answers are written by vllm on 4 GPUs of their own
| note: 2 GPUs hold only the reference
| note: 2 GPUs hold only the reward model
| note: 4 GPUs hold only the critic
| note: 59 % of all GPU time is idle: models on GPUs of their own wait for others
$ stint estimate own.yaml --on A100x16 --json 2>/dev/null | tr ',' '\n' | grep -A99 '"groups"' | grep -E 'name|gpus|models|idle' | head -16
| "groups":[{"name":"trained model"
| "models":"trained model"
| "gpus":4
| {"name":"engine"
| "models":"engine"
| "gpus":4
| {"name":"reference"
| "models":"reference"
| "gpus":2
| {"name":"reward model"
| "models":"reward model"
| "gpus":2
| {"name":"critic"
| "models":"critic"
| "gpus":4
| "idle":0.5897297640733173
$ stint estimate own.yaml --on A100x16 --explain 2>/dev/null | grep -A2 -E '^(work of the|other models|critic|answers|idle|MFU) '
| work of the trained model = GPUs x seconds of a step in which they have work
|                           = 4 x 13.9726
|                           = 55.9 GPU s
| work of the engine = GPUs x seconds of a step in which they have work
|                    = 4 x 9.13528
|                    = 36.5 GPU s
| work of the reference = GPUs x seconds of a step in which they have work
|                       = 2 x 4.49683
|                       = 8.99 GPU s
| work of the reward model = GPUs x seconds of a step in which they have work
|                          = 2 x 4.49683
|                          = 8.99 GPU s
| work of the critic = GPUs x seconds of a step in which they have work
|                    = 4 x 13.9726
|                    = 55.9 GPU s
| other models = longest reading of the answers by the models, side by side
|              = 4.49683
|              = 4.50 s
| answers = writing, before the rest of the step
|         = 9.13528
|         = 9.14 s
| idle = 1 - work of all / (GPUs x step)
|      = 1 - 166.309 / (16 x 25.3353)
|      = 0.590
| --
| MFU = model FLOP x GPUs that are trained on / (step x bf16 peak x all GPUs)
|     = 1.32539e+15 x 4 / (25.3353 x 3.12e+14 x 16)
|     = 0.0419
$ stint estimate own.yaml --on A100x8
! stint: note: 'own.yaml' is read as OpenRLHF's arguments
! stint: note: 'A100' means A100-SXM-80GB, the SXM form with the most memory
! stint: the job has 16 GPUs (4 to train on, 4 write answers, 2 hold the reference, 2 hold the reward model, 4 hold the critic), not 8
!   hint: use --on A100-SXM-80GBx16, or change rollout.policy_gpus with --set
? 3
$ stint estimate own.yaml --on A100x20 --set rollout.policy_gpus=8 2>/dev/null | grep -E '^on |^training|  busy'
| on              20x A100-SXM-80GB in 3 machines: data 8, ZeRO 3
|   8    trained model                  18.1 GB  busy 28 %
|   4    engine                         16.8 GB  busy 36 %
|   2    reference                      19.4 GB  busy 18 %
|   2    reward model                   15.1 GB  busy 18 %
|   4    critic                         18.2 GB  busy 55 %
| training        1.13 h (0.64 to 2.29): 160 steps, 21.0 M tokens
$ (cat own.yaml; printf 'colocate_actor_ref: true\ncolocate_critic_reward: true\nasync_train: true\n') >merged.yaml; stint estimate merged.yaml --on A100x12 2>/dev/null | grep -E '^on |^GPUS|  busy|answers|^training'
| on              12x A100-SXM-80GB in 2 machines: data 4, ZeRO 3
| GPUS            15 % of all GPU time is idle
|   4    trained model, reference       23.2 GB  busy 100 %
|   4    engine                         16.8 GB  busy 56 %
|   4    reward model, critic           21.5 GB  busy 100 %
| training        43.3 min (24.8 to 87.9): 160 steps, 21.0 M tokens
| note: answers are written by vllm on 4 GPUs of their own, while earlier ones are
$ (cat own.yaml; echo 'colocate_all_models: true') >colocated.yaml; stint estimate colocated.yaml --on A100x16 2>/dev/null | grep -E '^on |^GPUS|  busy|answers|^training'
| on              16x A100-SXM-80GB in 2 machines: data 16, ZeRO 3
|   answers             3.34 s   29 %  ############
| training        30.9 min (17.6 to 63.0): 160 steps, 21.0 M tokens
| note: answers are written by vllm on the GPUs of the training
A model that does not fit its GPUs is named.
$ stint estimate own.yaml --on A100x24 --set rollout.reference_gpus=1 --set reward=70B --set rollout.critic_gpus=14 --set rollout.reward_gpus=1 2>&1 | grep -A1 needs
| stint: the reward model needs 148.0 GB on its one A100-SXM-80GB, which has 85.0 GB
|   hint: give it more GPUs of its own, or a smaller model
$ stint estimate own.yaml --on A100x32 --set zero=2 --set reward=70B --set rollout.critic_gpus=16 --set rollout.reward_gpus=4 --set rollout.policy_gpus=6 2>&1 | grep -A1 needs
| stint: the critic needs 173.5 GB on each of its 16 A100-SXM-80GB, which has 85.0 GB
|   hint: give it more GPUs of its own, or a smaller model
The plan takes as many GPUs, in complete machines.
$ stint plan own.yaml --gpu A100 2>/dev/null | sed -n '1,4p;/GPU time/p;/GPUs hold/p'
| train llama-2-7b, full, ppo, 21 M tokens
| 
|    plan        cost      80 % range    time  GPUs                machines  where           market     price age  setting
| >  best       $64.5   $39.1 to $125  1.47 h  16x A100-SXM-40GB          2  aws/us-east-2   on-demand       85 d  bf16, zero 3, batch 8 x 4, recompute full, offload optimizer
| note            2 GPUs hold only the reference
| note            2 GPUs hold only the reward model
| note            4 GPUs hold only the critic
| note            61 % of all GPU time is idle: models on GPUs of their own wait
$ stint plan own.yaml --gpu A100 --write-config hf-trainer -o trl.yaml 2>&1 | grep -A1 'TRL'
| stint: trl.yaml: TRL keeps reference, reward model and critic on the GPUs of the training
|   hint: plan with --set rollout.reference_gpus=0, rollout.reward_gpus=0 and rollout.critic_gpus=0
verl's pools, and an engine that is one step ahead.
$ printf 'actor_rollout_ref:\n  model: {path: Qwen/Qwen2.5-7B-Instruct, enable_gradient_checkpointing: true}\n  hybrid_engine: false\n  actor: {ppo_micro_batch_size_per_gpu: 8}\n  rollout: {name: vllm, n: 8, tensor_model_parallel_size: 1}\ndata: {train_batch_size: 256, max_prompt_length: 512, max_response_length: 2048}\nalgorithm: {adv_estimator: grpo}\nreward_model: {enable: true, enable_resource_pool: true, n_gpus_per_node: 2, nnodes: 1, model: {path: Qwen/Qwen2.5-7B-Instruct}}\ntrainer: {nnodes: 1, n_gpus_per_node: 8, total_epochs: 1}\nrollout: {nnodes: 1, n_gpus_per_node: 6}\n' >pools.yaml; stint estimate pools.yaml --examples 8k --on H100x16 2>&1 | grep -E '^on |^GPUS|  busy|answers|^training|not used|left open'
| on              16x H100-SXM-80GB in 2 machines: data 8, ZeRO 3
| GPUS            40 % of all GPU time is idle
|   8    trained model                  63.0 GB  busy 50 %
|   6    engine                         18.6 GB  busy 76 %
|   2    reward model                   17.4 GB  busy 50 %
| training        37.7 min (22.2 to 73.7): 32 steps, 81.9 M tokens
| note: 8 answers to a prompt, of 2048 tokens at most and 1024 on average, an
| note: answers are written by vllm on 6 GPUs of their own, while earlier ones are
A job file says the same.
$ printf 'train:\n  model: qwen2.5-7b\n  objective: grpo\n  data: {examples: 8000}\n  rollout: {engine_gpus: 4, reference_gpus: 2, async: yes}\n' >own-job.yaml; stint estimate own-job.yaml --on H100x14 2>/dev/null | grep -E '^on |^GPUS|  busy'
| on              14x H100-SXM-80GB in 2 machines: data 8, ZeRO 1
| GPUS            68 % of all GPU time is idle
|   8    trained model                  61.7 GB  busy 4.1 %
|   4    engine                         18.6 GB  busy 100 %
|   2    reference                      19.1 GB  busy 4.4 %
$ stint estimate own-job.yaml --on H100x6 2>&1 | grep -v 'H100-SXM-80GB.*form'
| stint: 6 GPUs are too few: 4 write answers, 2 hold the reference, and none is left to train on
|   hint: use --on H100-SXM-80GBx7, or change their GPUs with --set
$ stint estimate own-job.yaml --on H100x8 --set rollout.engine_gpus=0 2>&1 | grep -v 'H100-SXM-80GB.*form'
| stint: rollout.async: the GPUs that are trained on cannot write answers meanwhile
|   hint: give the engine GPUs of its own: --set rollout.engine_gpus=N, or drop rollout.async
A generation server on another kind of GPU is refused, with what to type.
$ stint estimate own-job.yaml --on H100x8 --set rollout.engine_gpu=L40S 2>&1 | grep -v 'H100-SXM-80GB.*form'
| stint: rollout.engine_gpu: an engine on L40S beside training on H100-SXM-80GB cannot be computed
|   hint: give it H100-SXM-80GB (drop rollout.engine_gpu), and compare with 'stint estimate qwen2.5-7b --serve --on L40Sx4', which is what such a server writes and costs
$ stint estimate own-job.yaml --on H100x8 --set rollout.engine_gpu=h100 2>/dev/null | grep '  busy' | wc -l
| 3
$ stint plan own-job.yaml --gpu H100 --set rollout.engine_gpu=L40S 2>&1 | tail -3
| stint: no plan meets these limits
|   hint: gpu L40S ($44.4) would allow one
The page's example is the program's output.
$ sed -n '/^## Models on GPUs/,/^## Files/p' "$cases/../../docs/guide/alignment.md" >own.md; sed -n '/^```yaml/,/^```$/{/^```/d;p;}' own.md >ppo.yaml; stint estimate ppo.yaml --on A100x16 2>/dev/null | sed -n '/^GPUS/,/critic/p' >got; sed -n '/^GPUS/,/critic/p' own.md | diff - got && grep -c busy got
| 5
