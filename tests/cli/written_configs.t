needs: python3
What a plan writes is read back as what was planned: memory, step and hours, for every tool, method and number of GPUs.
$ python3 "$cases/written_configs.py"
! 126 files are what was planned, 14 have no plan
Which trainer a file is for; TRL's PPO has no vLLM.
$ stint plan llama-3.1-8b --lora --objective orpo --examples 10k --gpu H100 --write-config hf-trainer -o orpo.yaml 2>&1 | grep configuration
| stint: note: the configuration is for TRL's ORPOTrainer, which no key says: to estimate it, add --objective orpo
| searched        669 offers and 283 configurations
| note            planned for hf-trainer, the format of the configuration
| configuration   orpo.yaml
$ stint plan llama-3.1-8b --lora --objective ppo --examples 10k --gpu H100 --write-config hf-trainer -o - --set rollout.engine=vllm 2>&1 | grep -v warning
| stint: -: TRL's ppo has no vLLM to write answers
|   hint: plan with --set rollout.engine=hf
$ stint plan llama-3.1-8b --lora --objective grpo --examples 10k --gpu H100 --write-config hf-trainer -o - 2>/dev/null | sed -n '/num_gen/,/vllm_enable/p'
| num_generations: 8
| max_prompt_length: 512
| max_completion_length: 512
| num_iterations: 1
| beta: 0.04
| use_vllm: true
| vllm_mode: colocate
| vllm_enable_sleep_mode: true
