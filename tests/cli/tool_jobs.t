Configurations of training tools are jobs as they are.

$ ln -s "$cases/../../examples/tools" tools
$ stint estimate tools/axolotl.yml --on A100 --examples 20k 2>&1 | grep -E 'read as|^train|^with|^batch|^training'
| stint: note: 'tools/axolotl.yml' is read as axolotl's configuration
| train           llama-3-8b: 8.03 B parameters, qlora trains 83.9 M
| with            bf16, adamw-8bit, hf, recompute full
| batch           8 x 4096 tokens: micro-batch 2 x 4 accumulated
| training        24.5 h (22.4 to 26.7): 7,500 steps, 246 M tokens, 3 epochs
$ stint estimate tools/llama-factory.yaml --on A100x2 2>&1 | grep -E 'read as|^train|^with|^batch|^training'
| stint: note: 'tools/llama-factory.yaml' is read as LLaMA-Factory's configuration
| train           qwen2.5-7b: 7.62 B parameters, lora trains 20.2 M
| with            bf16, adamw, hf, recompute full
| batch           16 x 2048 tokens: micro-batch 1 x 8 accumulated x 2 data
| training        5.61 h (4.89 to 6.43): 3,750 steps, 123 M tokens, 3 epochs
$ stint estimate tools/torchtune.yaml --on A100 --tokens 10M 2>&1 | grep -E 'read as|^train|^with|^batch'
| stint: note: 'tools/torchtune.yaml' is read as torchtune's configuration
| train           llama-3.1-8b: 8.03 B parameters, lora trains 19.7 M
| with            bf16-pure, adamw, compiled, recompute full
| batch           16 x 4096 tokens: micro-batch 2 x 8 accumulated
| training        44.5 min (36.0 to 55.1): 153 steps, 10.0 M tokens
$ stint estimate tools/training-args.json --set model=bert-base --examples 10k --on T4 2>&1 | grep -E 'read as|^train|^with|^batch'
| stint: note: 'tools/training-args.json' is read as Hugging Face's TrainingArguments
| train           bert-base: 109 M parameters, full
| with            amp-fp16, adamw, hf, recompute none
| batch           16 x 512 tokens: micro-batch 8 x 2 accumulated
| training        9.86 min (7.99 to 12.86): 1,875 steps, 15.4 M tokens, 3 epochs
$ stint estimate tools/accelerate.yaml --set model=llama-2-13b --tokens 10M --on A100x8 2>&1 | grep -E 'read as|^train|^with|^on'
| stint: note: 'tools/accelerate.yaml' is read as accelerate's configuration
| train           llama-2-13b: 13.0 B parameters, full
| with            bf16, adamw, hf, recompute none, offload optimizer
| on              8x A100-SXM-80GB: data 8, ZeRO 3
| training        18.5 min (16.4 to 21.5): 306 steps, 10.0 M tokens
$ stint estimate tools/kohya.toml --on RTX4090 2>&1 | grep -E 'read as|^train|^with|^batch'
| stint: note: 'tools/kohya.toml' is read as kohya's configuration
| train           sdxl: 2.57 B parameters, lora trains 34.2 M
| with            bf16, adamw-8bit, hf, recompute full
| batch           2
| training        36.0 min (26.0 to 49.9): 2,000 steps, 4,000 samples
$ stint estimate tools/kohya-window.json --on RTX4090 2>&1 | grep -E 'read as|^train|^with|^batch'
| stint: note: 'tools/kohya-window.json' is read as kohya's configuration
| train           sdxl: 2.57 B parameters, lora trains 17.1 M
| with            bf16, adafactor, hf, recompute full
| batch           1
| training        28.1 min (19.7 to 40.2): 1,500 steps, 1,500 samples
$ stint estimate tools/litgpt.yaml --on A100 --examples 2k 2>&1 | grep -E 'read as|^train|^with|^batch|not used'
| stint: note: 'tools/litgpt.yaml' is read as LitGPT's configuration
| train           llama-2-7b: 6.74 B parameters, qlora trains 16.8 M
| with            bf16-pure, adamw, eager, recompute none
| batch           8 x 512 tokens: micro-batch 2 x 4 accumulated
| training        14.7 min (13.4 to 16.1): 1,000 steps, 4.10 M tokens, 4 epochs
$ stint estimate tools/nemo.yaml --on A100x16 2>&1 | grep -E 'read as|^train|^with|^batch|^on|open|not used'
| stint: warning: left open: model.tokenizer (its vocabulary, computed as 51,200 words); --set KEY=VALUE sets ours
| stint: note: 'tools/nemo.yaml' is read as NeMo's configuration
| train           described: 12.8 B parameters, full
| with            bf16, adamw, megatron, recompute selective
| on              16x A100-SXM-80GB in 2 machines: data 4, tensor 4, ZeRO 1
| batch           256 x 2048 tokens: micro-batch 4 x 16 accumulated x 4 data
| training        38.5 h (34.0 to 45.1): 10,000 steps, 5.24 B tokens
$ stint estimate tools/ultralytics.yaml --on RTX4090 --images 118k 2>&1 | grep -E 'read as|^train|^with|^batch|not used'
| stint: note: 'tools/ultralytics.yaml' is read as ultralytics' configuration
| train           yolov8m: 25.9 M parameters, full
| with            amp-fp16, sgd, eager, recompute none
| batch           32
| training        27.5 h (22.3 to 35.9): 368,750 steps, 11.8 M samples, 100 epochs
Modules that are trained in full beside adapters count: a billion parameters of a large vocabulary.
$ printf 'base_model: llama-3-8b\nadapter: lora\nlora_r: 16\nsequence_len: 2048\nmicro_batch_size: 1\nnum_epochs: 1\nlora_modules_to_save: [embed_tokens, lm_head]\n' >full.yml; stint estimate full.yml --on A100 --tokens 1M 2>/dev/null | grep -E '^(train|memory|  lora) '
| train           llama-3-8b: 8.03 B parameters, lora trains 1.09 B
$ sed 's/^lora_modules.*//' full.yml >less.yml; stint estimate less.yml --on A100 --tokens 1M 2>/dev/null | grep -E '^(train|memory|  lora) '
| train           llama-3-8b: 8.03 B parameters, lora trains 41.9 M
What may change the cost and is not computed ends the answer; what does not is not mentioned.
$ (cat less.yml; printf 'use_unsloth: true\noptimizer: apollo_adamw\noutput_dir: x\nwandb_project: y\nseed: 3\nmagic_speed: 4\nload_in_8bit: true\n') >odd.yml; stint estimate odd.yml --on A100 --tokens 1M 2>/dev/null | grep -E 'bits|not used'
|       bits, adapters 32
| not used: optimizer (apollo_adamw), use_unsloth, magic_speed (4)
$ stint estimate odd.yml --on A100 --tokens 1M --json 2>/dev/null | grep -o '"not_used":[^]]*]'
| "not_used":["optimizer (apollo_adamw)","use_unsloth","magic_speed (4)"]
$ stint estimate less.yml --on A100 --tokens 1M --json 2>/dev/null | grep -o '"not_used":[^]]*]'
| "not_used":[]
Wherever a file is estimated: in sweeps, plans of one and of several, simulations, advice and runs.
$ stint estimate odd.yml --on A100 --tokens 1M --sweep batch=1,2 2>/dev/null | tail -1
| not used: optimizer (apollo_adamw), use_unsloth, magic_speed (4)
$ stint plan odd.yml --tokens 1M 2>/dev/null | grep 'not used'
| not used: optimizer (apollo_adamw), use_unsloth, magic_speed (4)
$ stint plan odd.yml --tokens 1M --json 2>/dev/null | grep -o '"not_used":[^]]*]'
| "not_used":["optimizer (apollo_adamw)","use_unsloth","magic_speed (4)"]
$ stint plan odd.yml less.yml --tokens 1M 2>/dev/null | sed -n '/not used/,$p' | grep -v prices
| not used: odd.yml: optimizer (apollo_adamw), odd.yml: use_unsloth, odd.yml:
|           magic_speed (4)
$ stint simulate odd.yml --on A100 --set data.tokens=1M 2>&1 | grep 'not used'
| stint: note: not used: optimizer (apollo_adamw), use_unsloth, magic_speed (4)
$ stint advise odd.yml --on A100 --tokens 1M 2>&1 | grep 'not used'
| stint: note: not used: optimizer (apollo_adamw), use_unsloth, magic_speed (4)
$ stint run --job odd.yml --price '$1/hr' -- true 2>&1 | grep 'not used'
| stint: note: not used: optimizer (apollo_adamw), use_unsloth, magic_speed (4)
DoRA, frozen layers, GaLore and steps in the backward pass are computed.
$ sed 's/^lora_modules.*/peft_use_dora: true/' full.yml >dora.yml; stint estimate dora.yml --on A100 --tokens 1M 2>/dev/null | grep -E '^(train|not used)'
| train           llama-3-8b: 8.03 B parameters, lora trains 43.3 M
| training        8.87 min (8.11 to 9.70): 489 steps, 1.00 M tokens
$ printf 'model_name_or_path: llama-3-8b\nstage: sft\nfinetuning_type: freeze\nfreeze_trainable_layers: 8\ncutoff_len: 1024\nper_device_train_batch_size: 1\nbf16: true\n' >freeze.yml; stint estimate freeze.yml --on A100 --tokens 1M 2>&1 | grep -E '^(train|MEMORY|not used)|open'
| train           llama-3-8b: 8.03 B parameters, full trains 1.74 B
| MEMORY          fits: 42.3 GB (38.9 to 45.9) of 85.0 GB usable
| training        22.1 min (20.4 to 24.5): 2,930 steps, 3.00 M tokens, 3 epochs
| note: 2.9 times as fast with micro-batch 4, recompute none: leave these open
$ sed 's/: 8$/: -8/' freeze.yml >first.yml; stint estimate first.yml --on H100 --tokens 1M 2>/dev/null | grep -E '^(train|not used)'
| train           llama-3-8b: 8.03 B parameters, full
| training        6.62 h (6.12 to 7.33): 2,930 steps, 3.00 M tokens, 3 epochs
| not used: freeze_trainable_layers (-8)
$ printf 'model_name_or_path: llama-2-7b\nstage: sft\nfinetuning_type: full\nuse_galore: true\ngalore_layerwise: true\ngalore_target: mlp,self_attn\ngalore_rank: 1024\npure_bf16: true\nper_device_train_batch_size: 1\n' >galore.yml; stint estimate galore.yml --on H100 --tokens 1M 2>/dev/null | grep -E '^(train|MEMORY|not used|note: GaL)|^  optimizer .*GB'
| train           llama-2-7b: 6.74 B parameters, full
| MEMORY          fits: 25.6 GB (23.6 to 27.8) of 85.0 GB usable
|   optimizer          9.40 GB   37 %  ###############
| training        7.76 min (7.12 to 8.65): 1,465 steps, 3.00 M tokens, 3 epochs
| note: GaLore: memory of its states is computed, the time of its projections is
$ sed 's/use_galore: true/use_galore: false/; s/galore_layerwise: true//' galore.yml >adamw.yml; stint estimate adamw.yml --on H100 --tokens 1M 2>/dev/null | grep -E '^(MEMORY|not used)|^  optimizer .*GB'
| MEMORY          fits: 55.6 GB (51.2 to 60.3) of 85.0 GB usable
|   optimizer          27.0 GB   49 %  ###################
$ printf '{"model_name_or_path": "llama-2-7b", "per_device_train_batch_size": 1, "max_steps": 10, "optim": "galore_adamw_8bit_layerwise", "optim_args": "rank=1024, update_proj_gap=200", "bf16": true}' >galore.json; stint estimate galore.json --on H100 2>/dev/null | grep -E '^(with|not used)|^  optimizer .*GB'
| with            amp-bf16, adamw-8bit, hf, recompute none
|   optimizer          7.58 GB   11 %  #####
Scripts of diffusers and Unsloth, and NeMo's AutoModel.
$ printf '{"pretrained_model_name_or_path": "stabilityai/stable-diffusion-xl-base-1.0", "instance_prompt": "a dog", "resolution": 1024, "train_batch_size": 1, "max_train_steps": 500, "rank": 32, "mixed_precision": "fp16"}' >diffusers.json; stint estimate diffusers.json --on A100 2>&1 | grep -E 'read as|^train'
| stint: note: 'diffusers.json' is read as arguments of diffusers' scripts
| train           sdxl: 2.57 B parameters, lora trains 34.2 M
| training        4.11 min (2.95 to 5.73): 500 steps, 500 samples
$ printf 'model_name: unsloth/llama-3-8b-bnb-4bit\nmax_seq_length: 2048\nr: 32\ntarget_modules: [q_proj, v_proj]\nuse_gradient_checkpointing: unsloth\nper_device_train_batch_size: 2\nmax_steps: 60\n' >unsloth.yml; stint estimate unsloth.yml --on T4 2>/dev/null | grep -E '^(train|with|not used)'
| train           llama-3-8b: 8.03 B parameters, qlora trains 13.6 M
| with            fp16-master, adamw, hf, recompute full
| training        7.31 min (6.25 to 8.55): 60 steps, 246 k tokens
$ printf 'step_scheduler: {global_batch_size: 64, local_batch_size: 8, num_epochs: 2}\nmodel: {_target_: a.from_pretrained, pretrained_model_name_or_path: meta-llama/Llama-3.2-1B}\npeft: {_target_: b.PeftConfig, match_all_linear: True, dim: 8}\ndistributed: {tp_size: 1, defer_offload: true}\n' >auto.yml; stint estimate auto.yml --on A100x2 --tokens 1M 2>&1 | grep -E 'read as|^(train|batch|not used)'
| stint: note: 'auto.yml' is read as NeMo AutoModel's configuration
| train           llama-3.2-1b: 1.24 B parameters, lora trains 5.64 M
| batch           64 x 2048 tokens: micro-batch 8 x 4 accumulated x 2 data
| training        57.4 s (50.1 to 65.8): 16 steps, 2.00 M tokens, 2 epochs
| not used: distributed.defer_offload
Other tools' files and programs are named, with what to type.
$ printf 'base_model: meta-llama/Llama-2-7b-hf\nadapter: {type: lora}\ntrainer: {epochs: 3}\ninput_features: [{name: prompt}]\n' >ludwig.yml; stint estimate ludwig.yml
! stint: ludwig.yml: this is Ludwig's configuration, which is not read
!   hint: stint estimate meta-llama/Llama-2-7b-hf --tokens 25M (or --examples N), and --method lora or qlora for adapters
? 3
$ printf 'path: ../coco8\ntrain: images/train\nval: images/val\nnames: {0: person}\n' >data.yaml; stint plan data.yaml
! stint: data.yaml: this is the data set of ultralytics, which is not read
!   hint: give the file of the training (args.yaml), or: stint estimate yolov8n --images 5000
? 3
$ printf '[model]\nflavor = "8B"\n[training]\nseq_len = 8192\n' >titan.toml; stint plan titan.toml
! stint: titan.toml: this is torchtitan's configuration, which is not read
!   hint: name the model: stint estimate llama-3-8b --tokens 25M (or --examples N), and --method lora or qlora for adapters
? 3
$ echo '{"zero_optimization": {"stage": 2}}' >ds.json; stint estimate ds.json
! stint: ds.json: this is a DeepSpeed configuration, which is not read
!   hint: give it beside the model: stint estimate llama-2-7b --deepspeed FILE
? 3
$ printf 'import nemo_run as run\nrecipe = llm.llama3_1_8b.pretrain_recipe(dir="x")\n' >recipe.py; stint estimate recipe.py
! stint: recipe.py: this is a program, and only configurations are read
!   hint: a NeMo recipe: stint estimate llama-3.1-8b --tokens 25M --on H100x8
? 3
$ printf 'print(1)\n' >train.py; stint plan train.py
! stint: train.py: this is a program, and only configurations are read
!   hint: name the model: stint estimate llama-3-8b --tokens 25M; or measure it: stint run -- COMMAND
? 3
$ for t in seg cls pose; do printf "model: yolov8s-$t.pt\nimgsz: 320\nepochs: 1\n" >y.yml; stint estimate y.yml --on T4 --images 1000 2>&1 | grep -o 'model (.*much)\|model (.*less)'; done
| model (yolov8s-seg.pt, computed as the detector, which costs a third less)
| model (yolov8s-cls.pt, computed as the detector, which costs about twice as much)
| model (yolov8s-pose.pt, computed as the detector, which costs a little less)
TRL's files of preferences and rewards: the objective is that of their keys; one that does not hold all answers is of an old version.
$ printf 'model_name_or_path: qwen2.5-3b\nmax_steps: 450\nlearning_rate: 5e-7\nper_device_train_batch_size: 1\nbeta: 0.001\nmax_prompt_length: 256\nmax_completion_length: 1024\nnum_generations: 8\nuse_vllm: true\n' >grpo.yml; stint estimate grpo.yml --on H100x4 2>&1 | grep -E 'left open|not used'
| stint: warning: left open: per_device_train_batch_size (1, computed as 8 answers: TRL before 0.15 counts prompts); --set KEY=VALUE sets ours
Names of published weights say what they are stored in.
$ for m in unsloth/llama-3-8b-bnb-4bit unsloth/Meta-Llama-3.1-8B-Instruct-unsloth-bnb-4bit TheBloke/Llama-2-7B-GPTQ casperhansen/llama-3-8b-instruct-awq mlx-community/Meta-Llama-3-8B-Instruct-4bit neuralmagic/Meta-Llama-3.1-8B-Instruct-FP8 NousResearch/Llama-2-7b-hf; do stint estimate $m --serve --on A100 2>/dev/null | sed -n '1,2p' | tr '\n' ' '; echo; done
| serve           llama-3-8b: 8.03 B parameters with            nf4, vllm 
| serve           llama-3.1-8b: 8.03 B parameters with            nf4, vllm 
| serve           llama-2-7b: 6.74 B parameters with            int4, vllm 
| serve           llama-3-8b: 8.03 B parameters with            int4, vllm 
| serve           llama-3-8b: 8.03 B parameters with            int4, vllm 
| serve           llama-3.1-8b: 8.03 B parameters with            fp8, vllm 
| serve           llama-2-7b: 6.74 B parameters with            fp16, vllm 
$ for m in bartowski/Meta-Llama-3.1-8B-Instruct-Q4_K_M.gguf Llama-3.1-8B-Instruct-Q5_K_M.gguf Qwen2.5-7B-Instruct-Q8_0.gguf bartowski/Meta-Llama-3.1-8B-Instruct-GGUF:IQ4_XS llama-2-7b.Q5_K_S.gguf llama3.1:8b-instruct-q4_K_M llama3.1:8b; do stint estimate $m --serve --on A100 2>/dev/null | sed -n '1,2p' | tr '\n' ' '; echo; done
| serve           llama-3.1-8b: 8.03 B parameters with            int4, vllm 
| serve           llama-3.1-8b: 8.03 B parameters with            int8, vllm 
| serve           qwen2.5-7b: 7.62 B parameters with            int8, vllm 
| serve           llama-3.1-8b: 8.03 B parameters with            int4, vllm 
| serve           llama-2-7b: 6.74 B parameters with            int8, vllm 
| serve           llama-3.1-8b: 8.03 B parameters with            int4, vllm 
| serve           llama-3.1-8b: 8.03 B parameters with            fp16, vllm 
A repository of GGUF files does not say which of them is served.
$ stint estimate TheBloke/Llama-2-7B-GGUF --serve --on A100 2>&1 | grep -E 'quantization|^with'
| stint: warning: 'TheBloke/Llama-2-7B-GGUF' does not say its quantization: 4 bits are assumed, as Q4_K_M has; name one (TheBloke/Llama-2-7B-GGUF:Q8_0), or --set weights=int8
| with            int4, vllm
$ stint estimate TheBloke/Llama-2-7B-GGUF --serve --on A100 --set weights=fp16 2>&1 | grep -E 'quantization|^with'
| with            fp16, vllm
$ stint estimate unsloth/llama-3-8b-bnb-4bit --tokens 1M --on T4 2>/dev/null | head -1
| train           llama-3-8b: 8.03 B parameters, qlora trains 41.9 M
$ stint estimate unsloth/llama-3-8b-bnb-4bit --method full --tokens 1M --on H100x8 2>/dev/null | head -1
| train           llama-3-8b: 8.03 B parameters, full
The planner reads them too, and what is set by hand counts.
$ stint plan tools/axolotl.yml --examples 20k --set sequence=2048 2>/dev/null | head -1
| train llama-3-8b, qlora, 123 M tokens
$ stint estimate tools/axolotl.yml --on A100 --examples 20k --set method=lora,recompute=none 2>/dev/null | grep -E '^(train|with) '
| train           llama-3-8b: 8.03 B parameters, lora trains 83.9 M
| with            bf16, adamw-8bit, hf, recompute none, offload all
A DeepSpeed file that they name is read, from here or from their folder; else its name counts.
$ mkdir -p conf/ds; echo '{"zero_optimization": {"stage": 2, "offload_optimizer": {"device": "cpu"}}}' >conf/ds/mine.json
$ printf 'base_model: llama-2-7b\nnum_epochs: 1\nsequence_len: 1024\ndeepspeed: ds/mine.json\n' >conf/a.yml
$ stint estimate conf/a.yml --on A100x8 --tokens 10M 2>&1 | grep -E 'not here|^with|^on'
| with            bf16, adamw, hf, recompute none, offload optimizer
| on              8x A100-SXM-80GB: data 8, ZeRO 2
$ mv conf/ds/mine.json conf/other.json; stint estimate conf/a.yml --on A100x8 --tokens 10M 2>&1 | grep -E 'not here|^with|^on'
| stint: warning: 'ds/mine.json' is not here: its ZeRO stage and offload are left open; --deepspeed FILE names it
| with            bf16, adamw, hf, recompute none
| on              8x A100-SXM-80GB: data 8, ZeRO 1
$ sed 's,ds/mine,ds/zero3_cpuoffload,' conf/a.yml >conf/b.yml; stint estimate conf/b.yml --on A100x8 --tokens 10M 2>&1 | grep -E 'not here|^with|^on'
| stint: note: 'ds/zero3_cpuoffload.json' is not here: ZeRO 3, as its name says
| with            bf16, adamw, hf, recompute none, offload all
| on              8x A100-SXM-80GB: data 8, ZeRO 3
$ stint estimate conf/b.yml --deepspeed conf/other.json --on A100x8 --tokens 10M 2>&1 | grep -E 'not here|^with|^on'
| with            bf16, adamw, hf, recompute none, offload optimizer
| on              8x A100-SXM-80GB: data 8, ZeRO 2
How long examples are is not in these files: what is assumed is shown.
$ stint estimate tools/axolotl.yml --on A100 --examples 20k 2>&1 | grep 'each example'
| note: each example counts as 4096 tokens; --set data.tokens=N, if shorter
$ stint estimate tools/axolotl.yml --on A100 --examples 20k --set data.tokens=400 2>&1 | grep -E 'each example|^training'
| training        2.39 h (2.18 to 2.61): 733 steps, 24.0 M tokens, 3 epochs
What they lack is asked for.
$ stint plan tools/axolotl.yml
! stint: note: 'tools/axolotl.yml' is read as axolotl's configuration
! stint: the job has no amount of data to train on
!   hint: add data: {tokens: 25M}, or --tokens 25M (--examples 5000)
? 3
$ stint plan tools/training-args.json --tokens 1M
! stint: note: 'tools/training-args.json' is read as Hugging Face's TrainingArguments
! stint: tools/training-args.json: the job does not say which model
!   hint: --set model=llama-2-7b adds it
? 3
Mistakes in them have a place; templates are left open.
$ printf 'base_model: gpt2\nnum_epochs: many\n' >bad.yml; stint plan bad.yml
! stint: bad.yml:2:13: epochs: 'many' is not a number from 0 to 1e18
!   hint: write it as 250000, 25M (million), 7B or 1.5T
? 3
$ printf 'base_model: "${MODEL}"\nnum_epochs: 3\n' >open.yml; stint plan open.yml --tokens 1M
! stint: warning: left open: base_model (${MODEL}); --set KEY=VALUE sets ours
! stint: note: 'open.yml' is read as axolotl's configuration
! stint: open.yml: the job does not say which model
!   hint: --set model=llama-2-7b adds it
? 3
$ printf 'base_model: gpt2\nnum_epochs: 3\noptimizer: magic\n' >new.yml; stint estimate new.yml --tokens 1M --on T4 2>&1 | grep -E 'open|^with'
| stint: warning: left open: optimizer (magic); --set KEY=VALUE sets ours
| with            amp-fp16, adamw, hf, recompute none
A model's config.json is still one.
$ printf '{"model_type": "llama", "hidden_size": 2048, "num_hidden_layers": 16, "num_attention_heads": 32, "vocab_size": 32000, "intermediate_size": 5632}' >config.json; stint estimate config.json --tokens 1M --on T4 2>/dev/null | head -1
| train           config.json: 953 M parameters, full
A folder with a model is one, however its path is written; in a job file it may be beside the file.
$ mkdir -p models/tiny jobs/out/tiny empty; cp config.json models/tiny; mv config.json jobs/out/tiny
$ for p in ./models/tiny "$PWD/models/tiny" ../*/models/tiny models/tiny models/tiny/; do stint estimate "$p" --tokens 1M --on T4 2>/dev/null | head -1; done | uniq -c | sed 's/^ *//'
| 3 train           tiny: 953 M parameters, full
| 1 train           models/tiny: 953 M parameters, full
| 1 train           tiny: 953 M parameters, full
$ cd models/tiny; stint estimate . --tokens 1M --on T4 2>/dev/null | head -1; cd ..; HOME=$PWD stint gpu fit '~/tiny' 2>/dev/null | head -1
| train           config.json: 953 M parameters, full
| tiny: 953 M parameters, a batch of 1 x 2048 tokens
$ stint infer ./models/tiny --rate 1/s 2>/dev/null | head -1
| serve ./models/tiny, 1.00/s of 512 tokens in and 128 out: 2.59 M requests a month
$ printf 'train: {model: ./out/tiny, data: {tokens: 1M}}\n' >jobs/a.yaml; stint estimate jobs/a.yaml --on T4 2>/dev/null | head -1
| train           tiny: 953 M parameters, full
$ printf 'train: {model: ../models/tiny, data: {tokens: 1M}}\n' >jobs/b.yaml; stint estimate jobs/b.yaml --on T4 2>/dev/null | head -1
| train           tiny: 953 M parameters, full
$ stint estimate ./empty --tokens 1M --on T4
! stint: the folder './empty' has no config.json
!   hint: name the folder that the model was saved in, or a config.json
? 3
One whose file may not be read is not said to have none.
$ mkdir loop; ln -s config.json loop/config.json; stint estimate ./loop --tokens 1M --on T4
! stint: cannot open './loop/config.json': Too many levels of symbolic links
? 1
$ printf 'model_name_or_path: llama-3.2-1b\nstage: sft\nfinetuning_type: lora\nmax_samples: 1000\nval_size: 0.1\n' >lf.yaml; stint estimate lf.yaml --set parallel.tensor=4 --on T4x2 2>&1 | grep -v note
| stint: tensor 4 x pipeline 1 x context 1 is more than 2 GPUs
|   hint: give more GPUs: --on GPUx4; or --set parallel.tensor=1
What PEFT saved is a job of its base model; a folder's weights may be quantized.
$ mkdir adapter quantized; echo '{"peft_type": "LORA", "base_model_name_or_path": "meta-llama/Llama-2-7b-hf", "r": 64, "target_modules": ["q_proj", "v_proj"], "lora_alpha": 16}' >adapter/adapter_config.json; stint estimate ./adapter --tokens 1M --on A100 2>&1 | grep -E 'read as|^train '
| stint: note: './adapter/adapter_config.json' is read as a PEFT adapter
| train           llama-2-7b: 6.74 B parameters, lora trains 33.6 M
$ stint estimate adapter --serve --on A100 2>/dev/null | head -1
| serve           llama-2-7b: 6.74 B parameters
$ sed 's/}$/, "quantization_config": {"quant_method": "gptq", "bits": 4}}/' models/tiny/config.json >quantized/config.json; stint estimate ./quantized --serve --on T4 2>/dev/null | sed -n 2p; stint estimate ./quantized --tokens 1M --on T4 2>/dev/null | head -1
| with            int4, vllm
| train           quantized: 953 M parameters, qlora trains 10.1 M
Anchors, aliases and merge keys are read; what would grow without end is not.
$ printf 'common: &c {base_model: gpt2, num_epochs: 3}\n<<: *c\nsequence_len: &n 256\nmicro_batch_size: 4\n' >merge.yml; stint estimate merge.yml --tokens 1M --on T4 2>/dev/null | grep -E '^(train|batch) '
| train           gpt2: 124 M parameters, full
| batch           4 x 256 tokens
$ printf 'lora: &l {lora_r: 8, adapter: lora}\n<<: *l\nbase_model: gpt2\nsequence_len: 256\nmicro_batch_size: 4\nnum_epochs: 1\n' >stash.yml; stint estimate stash.yml --tokens 1M --on T4 2>/dev/null | grep -E '^(train  |not used)'
| train           gpt2: 124 M parameters, lora trains 1.33 M
$ printf 'common: &c\n  sequence: 256\ntrain:\n  model: gpt2\n  data: {tokens: 1M}\n  <<: *c\n' >own.yaml; stint estimate own.yaml --on T4 2>/dev/null | grep '^train  '
| train           gpt2: 124 M parameters, full
$ printf 'common:\n  sequence: 256\ntrain:\n  model: gpt2\n' >own.yaml; stint estimate own.yaml --on T4
! stint: own.yaml:1:1: there is no key 'common'
? 3
$ printf 'a: &a [x, x, x, x, x, x, x, x, x, x]\nb: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a]\nc: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b, *b]\nd: &d [*c, *c, *c, *c, *c, *c, *c, *c, *c, *c]\ne: [*d, *d, *d, *d, *d, *d, *d, *d, *d, *d]\n' >bomb.yml; stint estimate bomb.yml --on T4
! stint: bomb.yml:5:33: too many values, or too deep inside each other
? 3
A TOML file that is none, and a model that its file's name does not tell.
$ printf '[[datasets]]\nresolution = 512\n' >data.toml; stint plan data.toml
! stint: data.toml: a TOML file, but not a configuration of kohya's training
!   hint: give the file of --config_file; job files are YAML: train: {model: sdxl}
? 3
$ printf 'pretrained_model_name_or_path = "mine.ckpt"\nnetwork_dim = 8\n' >mine.toml; stint plan mine.toml
! stint: warning: left open: pretrained_model_name_or_path (mine.ckpt); --set KEY=VALUE sets ours
! stint: note: 'mine.toml' is read as kohya's configuration
! stint: mine.toml: the job does not say which model
!   hint: --set model=sdxl adds it
? 3
$ stint estimate mine.toml --set model=sd-1.5 --on T4 2>/dev/null | grep -E '^train'
| train           sd-1.5: 860 M parameters, lora trains 2.87 M
| training        7.42 min (5.37 to 10.25): 1,600 steps, 1,600 samples
Nothing is offloaded by software that cannot: torchtune on one GPU, LitGPT.
$ stint plan tools/torchtune.yaml --tokens 10M --limit 20 2>/dev/null | grep -c '  1x .*offload'
| 0
? 1
$ stint plan tools/litgpt.yaml --examples 20k --gpu 'T4,L4,A10' --limit 20 2>/dev/null | grep -c offload
| 0
? 1
DeepSpeed has no autocast: on a card without bf16 what is offloaded is planned in fp16 with a copy, as its file is read.
$ stint plan mistral-7b --method full --tokens 15M --gpu T4 --max-gpus 1 2>/dev/null | grep '^>' | head -1
| >  best     $28.8  $25.1 to $34.2  13.2 h  1x T4  aws/us-east-1  on-demand       85 d  fp16-master, batch 4, recompute full, offload all
