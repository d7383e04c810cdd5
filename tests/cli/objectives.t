Training on preferences and rewards: what it takes beside fine-tuning, from options, job files and files of tools.
$ for o in sft dpo orpo kto reward ppo grpo rloo; do stint estimate qwen2.5-1.5b --objective $o --examples 8k --on H100 2>/dev/null | sed -n 's/^train  *\([^:]*\): [^,]*/\1/p; /^training/p' | tr '\n' ' '; echo; done
| qwen2.5-1.5b, full training        9.44 min (8.72 to 10.43): 1,000 steps, 16.4 M tokens 
| qwen2.5-1.5b, dpo, full training        24.5 min (22.4 to 27.4): 1,000 steps, 32.8 M tokens 
| qwen2.5-1.5b, orpo, full training        18.5 min (17.1 to 20.4): 1,000 steps, 32.8 M tokens 
| qwen2.5-1.5b, kto, full training        18.5 min (16.5 to 21.3): 1,000 steps, 16.4 M tokens 
| qwen2.5-1.5b, reward, full training        15.6 min (14.4 to 17.2): 1,000 steps, 32.8 M tokens 
| qwen2.5-1.5b, ppo, full training        1.31 h (0.77 to 2.57): 1,000 steps, 16.4 M tokens 
| qwen2.5-1.5b, grpo, full training        1.53 h (0.91 to 2.94): 1,000 steps, 32.8 M tokens 
| qwen2.5-1.5b, rloo, full training        1.25 h (0.74 to 2.39): 1,000 steps, 16.4 M tokens 
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
| stint: 1 of 1 GPUs write answers: none is left to train on
|   hint: use --on H100-SXM-80GBx2, or --set rollout.engine_gpus=0
Mini-R1, which took about 6 hours on four H100.
$ printf 'model_name_or_path: Qwen/Qwen2.5-3B-Instruct\nattn_implementation: flash_attention_2\nbf16: true\noutput_dir: runs/r1\nmax_steps: 450\nper_device_train_batch_size: 1\ngradient_accumulation_steps: 8\ngradient_checkpointing: true\nlearning_rate: 5.0e-7\nbeta: 0.001\nmax_prompt_length: 256\nmax_completion_length: 1024\nnum_generations: 8\nuse_vllm: true\nvllm_gpu_memory_utilization: 0.5\n' >mini-r1.yaml
$ stint estimate mini-r1.yaml --on H100x4 2>&1 | grep -E '^train|^on |answers|reference|^not used'
| stint: warning: left open: per_device_train_batch_size (1, computed as 8 answers: TRL before 0.15 counts prompts); --set KEY=VALUE sets ours
| train           qwen2.5-3b: 3.09 B parameters, grpo, full
| on              4x H100-SXM-80GB: data 3, ZeRO 1
|   answers           1.00 min   95 %  ######################################
| training        7.93 h (4.70 to 15.37): 450 steps, 55.3 M tokens
| note: a reference model is in memory beside the trained one; --set reference=no
| note: 8 answers to a prompt, of 1024 tokens at most and 512 on average, an
| note: answers are written by vllm on 1 GPU of its own
Job files, and files of OpenRLHF and verl.
$ printf 'train:\n  model: qwen2.5-7b\n  objective: grpo\n  data: {examples: 8000}\n  reference: no\n  reward: qwen2.5-1.5b\n  rollout: {generations: 16, completion: 2048, length: 600, engine_memory: 40%%}\n' >job.yaml; stint estimate job.yaml --on H100x8 2>/dev/null | grep -E '^train|^batch|  engine|answers|reward'
| train           qwen2.5-7b: 7.62 B parameters, grpo, full
| batch           128 x 2560 tokens: micro-batch 2 x 8 accumulated x 8 data
|   engine             34.0 GB   50 %  ####################
|   answers             20.3 s   88 %  ###################################
| training        6.41 h (3.80 to 12.44): 1,000 steps, 110 M tokens
| note: a reward model of 1.54 billion parameters; --set reward=7B or none
| note: 16 answers to a prompt, of 2048 tokens at most and 600 on average
| note: answers are written by vllm on the GPUs of the training
$ printf 'pretrain: meta-llama/Llama-3.1-8B-Instruct\nreward_pretrain: OpenRLHF/Llama-3-8b-rm-mixture\nrollout_batch_size: 1024\nmicro_train_batch_size: 2\ntrain_batch_size: 128\nn_samples_per_prompt: 1\nmax_epochs: 1\nprompt_max_len: 1024\ngenerate_max_len: 1024\nzero_stage: 3\nvllm_num_engines: 4\ncolocate_all_models: true\nmax_samples: 20000\nadam_offload: true\ngradient_checkpointing: true\nbf16: true\n' >open.yaml; stint estimate open.yaml --on H100x8 2>&1 | grep -E '^stint: note: .open|^train|^with|^batch|answer|reward|critic|not used'
| stint: note: 'open.yaml' is read as OpenRLHF's arguments
| train           llama-3.1-8b: 8.03 B parameters, ppo, full
| with            bf16, adamw, deepspeed, recompute full, offload optimizer
| batch           128 x 2048 tokens: micro-batch 2 x 8 accumulated x 8 data
|   critic              5.43 s   21 %  ########
|   answers             12.2 s   47 %  ###################
| training        1.13 h (0.64 to 2.29): 157 steps, 20.5 M tokens
| note: a reward model of 8.03 billion parameters; --set reward=7B or none
| note: a critic of 8.03 billion parameters is trained too
| note: 1 answer to a prompt, of 1024 tokens at most and 512 on average, an
| note: answers are written by vllm on the GPUs of the training
$ printf 'actor_rollout_ref:\n  model: {path: Qwen/Qwen2.5-7B-Instruct, enable_gradient_checkpointing: true}\n  actor: {ppo_mini_batch_size: 256, ppo_micro_batch_size_per_gpu: 8, use_kl_loss: true}\n  rollout: {name: vllm, n: 5, tensor_model_parallel_size: 2, gpu_memory_utilization: 0.6}\ndata: {train_batch_size: 256, max_prompt_length: 512, max_response_length: 1024}\nalgorithm: {adv_estimator: grpo}\ntrainer: {total_epochs: 15, n_gpus_per_node: 8}\n' >verl.yaml; stint estimate verl.yaml --examples 7473 --on H100x8 2>&1 | grep -E '^stint: note: .verl|^train|^batch|answer|not used'
| stint: note: 'verl.yaml' is read as verl's configuration
| train           qwen2.5-7b: 7.62 B parameters, grpo, full
| batch           1,280 x 1536 tokens: micro-batch 8 x 20 accumulated x 8 data
|   answers             19.2 s   53 %  #####################
| training        4.38 h (2.60 to 8.50): 438 steps, 430 M tokens, 15 epochs
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
$ printf 'pretrain: meta-llama/Meta-Llama-3-8B\nadvantage_estimator: grpo\nmicro_train_batch_size: 8\ntrain_batch_size: 128\nrollout_batch_size: 1024\nn_samples_per_prompt: 8\nmax_samples: 20000\nzero_stage: 3\nbf16: true\nvllm_num_engines: 4\n' >open.yaml; stint estimate open.yaml --on H100x16 2>/dev/null | grep '^on  '
| on              16x H100-SXM-80GB in 2 machines: data 12, ZeRO 3
Models of OpenRLHF that have GPUs of their own wait for each other, which is not computed: it says so.
$ printf 'pretrain: meta-llama/Llama-2-7b-hf\nreward_pretrain: meta-llama/Llama-2-7b-hf\nactor_num_gpus_per_node: 4\ncritic_num_gpus_per_node: 4\nref_num_gpus_per_node: 4\nreward_num_gpus_per_node: 4\nvllm_num_engines: 4\ntrain_batch_size: 128\nrollout_batch_size: 1024\nmax_samples: 1024\nbf16: true\nzero_stage: 3\nadvantage_estimator: gae\n' >own.yaml; stint estimate own.yaml --on A100x16 2>&1 | grep 'left open'
| stint: warning: left open: critic_num_gpus_per_node (4, computed as models that take turns on all GPUs: with GPUs of their own it takes several times as long); --set KEY=VALUE sets ours
$ echo 'colocate_all_models: true' >>own.yaml; stint estimate own.yaml --on A100x16 2>&1 | grep 'left open'
? 1
