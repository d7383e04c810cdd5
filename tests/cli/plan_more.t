Plans: what is written, several jobs, and looking at a plan again.

A configuration says what the job says, and what was chosen; what was assumed stays as it is there.
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
