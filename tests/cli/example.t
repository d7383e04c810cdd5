Files to try Stint with are part of the program.

$ stint example
| name           file                    what it is
| lora           llama-7b-lora.yaml      a LoRA of Llama 2 7B
| finetune       llama-7b-finetune.yaml  full fine-tuning of LLaMA 7B
| pretrain       gpt2-pretrain.yaml      GPT-2 from scratch on 10 billion tokens
| pretrain-13b   gpt-13b-pretrain.yaml   GPT-3 13B from scratch on 300 billion tokens
| search         bert-search.yaml        a hyperparameter search: 50 trials of BERT-Large
| serve          serve-8b.yaml           Llama 3.1 8B, 20 requests a second
| serve-70b      serve-70b.yaml          Llama 3.1 70B, 20 requests a second
| sdxl           sdxl-lora.yaml          an SDXL LoRA of a subject from 30 pictures
| face           face-lora.yaml          an SDXL LoRA of a face from 25 pictures
| style          style-lora.yaml         an SDXL LoRA of a style from 40 pictures
| images         lora-40-images.yaml     an SDXL LoRA, 4,000 samples
| batch          batch-7b.yaml           batch sizes of a 7B model on eight A100
| zero           zero-7b.yaml            stages of ZeRO, a 7B model on eight A100
| nodes          nodes-7b.yaml           a 7B model on one, two or four machines
| offload        offload-13b.yaml        a 13B model: offload, or more GPUs
| deepspeed      deepspeed-zero3.json    DeepSpeed's configuration, ZeRO 3 with offload
| axolotl        axolotl.yml             axolotl's configuration, QLoRA of 8B
| llama-factory  llama-factory.yaml      LLaMA-Factory's configuration
| torchtune      torchtune.yaml          torchtune's configuration
| litgpt         litgpt.yaml             LitGPT's configuration
| nemo           nemo.yaml               NeMo's configuration
| ultralytics    ultralytics.yaml        ultralytics' configuration
| kohya          kohya.toml              kohya's sd-scripts configuration
| kohya-window   kohya-window.json       what kohya's window saves
| training-args  training-args.json      Hugging Face's TrainingArguments
| accelerate     accelerate.yaml         accelerate's configuration
| bill           bill.csv                a cloud bill of two teams, FOCUS 1.0
| allocation     allocation.yaml         rules that allocate a bill to teams
| mlflow         mlflow-runs.csv         runs of an MLflow server
| traces         zones.trc               traces of spot machines in three zones
| 
| 'stint example NAME' writes one into this folder, --all writes all of them
| into the folder examples
It writes one into this folder, and names the command to try it with. The same file again is fine.
$ stint example lora
| wrote llama-7b-lora.yaml; try it: stint plan llama-7b-lora.yaml
$ stint example lora
| wrote llama-7b-lora.yaml; try it: stint plan llama-7b-lora.yaml
$ cmp llama-7b-lora.yaml "$cases/../../examples/llama-7b-lora.yaml"
$ stint example face-lora style-lora.yaml axolotl
| wrote face-lora.yaml
| wrote style-lora.yaml
| wrote axolotl.yml
A file of that name which is not the example stays as it is, and nothing else is written.
$ echo mine >bert-search.yaml; stint example serve search; cat bert-search.yaml; ls serve-8b.yaml
| mine
! stint: 'bert-search.yaml' is there already, and differs from the example
!   hint: --force replaces it; -o DIR writes to another folder
! ls: cannot access 'serve-8b.yaml': No such file or directory
? 2
$ stint example search --force; head -1 bert-search.yaml
| wrote bert-search.yaml; try it: stint plan bert-search.yaml
| # Look for the best settings of BERT-Large: 50 trials, each 2 times through 88,000 examples.
$ stint example sdxl -o jobs/mine; ls jobs/mine
| wrote jobs/mine/sdxl-lora.yaml
| sdxl-lora.yaml
All of them are those of the sources, but for the C program.
$ stint example --all; diff -r -x c examples "$cases/../../examples"
| wrote 30 files to examples
$ stint example --all --json | head -c 140
| {"schema":"stint.example/1","examples":[{"name":"lora","file":"llama-7b-lora.yaml","about":"a LoRA of Llama 2 7B","command":"stint plan llam
| (no newline at the end)
Mistakes.
$ stint example lorra
! stint: there is no example 'lorra'
!   hint: did you mean 'lora'?
? 4
$ stint example nothing-like-it
! stint: there is no example 'nothing-like-it'
!   hint: 'stint example' lists them
? 4
$ stint example --all lora
! stint: --all writes every example: give no names
? 2
$ mkdir llama-7b-finetune.yaml; stint example finetune
! stint: 'llama-7b-finetune.yaml' is there already, and differs from the example
!   hint: --force replaces it; -o DIR writes to another folder
? 1
Every command that is named works, where the files are.
$ stint example --all -o all >/dev/null; cp all/tools/* all; cd all; stint example --json | tr "}" "\n" | sed -n "s/.*\"command\":\"\([^\"]*\)\".*/\1/p" >commands; wc -l <commands | tr -d ' '; while read -r line; do eval "$line" >out 2>err || { echo "$line"; cat err; }; done <commands
| 30
