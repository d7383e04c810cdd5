needs: python3
Advice on training from the job that a recorded run is.

$ "$STINT_TEST_LEDGER" home/.local/share/stint/ledger.db jobs
$ stint advise sft --category training
| run             sft (00000003)
| cost            $3.60 a run
| savings         $1.58 a run ($0.901 to $2.09), 44 %, with 2 findings together
| 
|  1. sft (project nlp): compile the model
|     saves     $0.996 a run ($0.574 to $1.37), 28 % of its cost; effort: hours;
|               risk: low
|     seen      hf without torch.compile: 9h31min, $34.6, 29.7 GB on a GPU;
|               changed: 6h39min, $24.2, 25.4 GB on a GPU
|     do        --set compile=yes; model = torch.compile(model); Hugging Face:
|               torch_compile=True
|     computed  estimated cost of both on 1x A100-SXM-40GB, without the errors
|               they share; in proportion to the $3.30 that steps cost; a step
|               took 1 s, estimated 11.4 s
|     id        compile-48b7bf0f
| 
|  2. sft (project nlp): a leaner framework
|     saves     $0.868 a run ($0.424 to $1.25), 24 % of its cost; effort: days;
|               risk: medium; instead of another finding
|     seen      framework hf: 9h31min, $34.6, 29.7 GB on a GPU; changed: 7h1min,
|               $25.6, 29.7 GB on a GPU
|     do        --set framework=fsdp; fsdp means torchtitan or the like, megatron
|               Megatron-LM or NeMo
|     computed  estimated cost of both on 1x A100-SXM-40GB, without the errors
|               they share; in proportion to the $3.30 that steps cost; a step
|               took 1 s, estimated 11.4 s
|     id        framework-98f3884a
| 
|  3. sft (project nlp): recompute fewer activations
|     saves     $0.843 a run ($0.396 to $1.23), 23 % of its cost; effort: minutes;
|               risk: none; adds $0.589 a run beside the others
|     seen      activations are recomputed (full): 9h31min, $34.6, 29.7 GB on a
|               GPU; changed: 7h5min, $25.8, 30.3 GB on a GPU
|     do        --set recompute=none; Hugging Face: gradient_checkpointing=False;
|               Megatron: --recompute-granularity
|     computed  estimated cost of both on 1x A100-SXM-40GB, without the errors
|               they share; in proportion to the $3.30 that steps cost; a step
|               took 1 s, estimated 11.4 s
|     id        recomputation-514de335
| 
| 2 left out by options
$ stint advise odd --category training
| run             odd (00000005)
| cost            $3.00 a run
| savings         nothing found
| 
| 2 left out by options
| note: no advice on how odd is trained: there is no model 'no-such-model'
$ stint advise api --category training
| run             api (00000004)
| cost            $3.60 a run
| savings         nothing found
| 
| 2 left out by options
| note: no advice on how api is trained: it serves: 'stint advise JOB' has advice
|       on that
$ stint advise --category training --min-savings 1usd
| period          2026-10-17 to 2026-11-15: 5 runs of 3 jobs
| cost            $17.4 a month
| savings         $4.75 a month ($2.70 to $6.27), 27 %, with 2 findings together
| 
|  1. sft (project nlp): compile the model
|     saves     $2.99 a month ($1.72 to $4.10), 28 % of its cost; effort: hours;
|               risk: low
|     seen      hf without torch.compile: 9h31min, $34.6, 29.7 GB on a GPU;
|               changed: 6h39min, $24.2, 25.4 GB on a GPU
|     do        --set compile=yes; model = torch.compile(model); Hugging Face:
|               torch_compile=True
|     computed  estimated cost of both on 1x A100-SXM-40GB, without the errors
|               they share; in proportion to the $9.90 that steps cost; a step
|               took 1 s, estimated 11.4 s
|     id        compile-48b7bf0f
| 
|  2. sft (project nlp): a leaner framework
|     saves     $2.60 a month ($1.27 to $3.76), 24 % of its cost; effort: days;
|               risk: medium; instead of another finding
|     seen      framework hf: 9h31min, $34.6, 29.7 GB on a GPU; changed: 7h1min,
|               $25.6, 29.7 GB on a GPU
|     do        --set framework=fsdp; fsdp means torchtitan or the like, megatron
|               Megatron-LM or NeMo
|     computed  estimated cost of both on 1x A100-SXM-40GB, without the errors
|               they share; in proportion to the $9.90 that steps cost; a step
|               took 1 s, estimated 11.4 s
|     id        framework-98f3884a
| 
|  3. sft (project nlp): recompute fewer activations
|     saves     $2.53 a month ($1.19 to $3.70), 23 % of its cost; effort: minutes;
|               risk: none; adds $1.77 a month beside the others
|     seen      activations are recomputed (full): 9h31min, $34.6, 29.7 GB on a
|               GPU; changed: 7h5min, $25.8, 30.3 GB on a GPU
|     do        --set recompute=none; Hugging Face: gradient_checkpointing=False;
|               Megatron: --recompute-granularity
|     computed  estimated cost of both on 1x A100-SXM-40GB, without the errors
|               they share; in proportion to the $9.90 that steps cost; a step
|               took 1 s, estimated 11.4 s
|     id        recomputation-514de335
| 
| 6 left out by options
| note: no advice on how api is trained: it serves: 'stint advise JOB' has advice
|       on that
| note: no advice on how odd is trained: there is no model 'no-such-model'

The share that is saved is the estimate's, of the dollars that were measured.

$ printf '%s\n' 'train: {model: llama-2-7b, method: lora, sequence: 2048, global_batch: 16, recompute: full, steps: 3000}' >sft.yaml
$ printf '%s\n' 'import json, subprocess' 'def ask(*words): return json.loads(subprocess.run(["stint"] + list(words) + ["--json"], capture_output=True).stdout)' 'run, job = ask("advise", "sft", "--category", "training"), ask("advise", "sft.yaml", "--category", "training", "--offer", "gcp/us-central1/a2-highgpu-1g", "--price", "3.6usd/hr")' 'cost = {l["name"]: float(l["amount"]["amount"]) for l in ask("estimate", "sft.yaml", "--offer", "gcp/us-central1/a2-highgpu-1g", "--price", "3.6usd/hr")["cost"] if l["amount"]}' 'steps = sum(cost.get(k, 0) for k in ("compute", "evaluation", "checkpoints"))' 'measured = 3.6 * 55 / 60 # 50 min of steps, 5 of evaluation' 'for f in run["findings"]:' '    same = [g for g in job["findings"] if g["rule"] == f["rule"]][0]' '    print(f["rule"], abs(float(f["savings"]["amount"]) / (float(same["savings"]["amount"]) * measured / steps) - 1) < 1e-6)' >same.py; python3 same.py
| compile True
| framework True
| recomputation True

What 'stint run' keeps: the job of a file, of a tool, of a plan; mistakes stop it.

$ stint run --name a --job sft.yaml --price 1usd/hr --quiet -- true
$ stint plan llama-2-7b --lora --tokens 25M --set recompute=full --save plan.json >/dev/null 2>&1; stint run --name b --plan plan.json --quiet -- true 2>/dev/null
$ printf '%s\n' 'import sqlite3' 'for r in sqlite3.connect("home/.local/share/stint/ledger.db").execute("select name, job from runs where length(name) = 1 order by name"): print(*r)' >kept.py; python3 kept.py
| a {"schema":"stint.job/1","kind":"train","job":{"train":{"model":"llama-2-7b","method":"lora","steps":3000,"sequence":2048,"global_batch":16,"recompute":"full"}}}
| b {"schema":"stint.job/1","kind":"train","job":{"train":{"model":"llama-2-7b","method":"lora","data":{"tokens":25000000},"recompute":"full"}}}
$ stint run --job no.yaml -- true
! stint: cannot open 'no.yaml': No such file or directory
? 4
$ echo 'train: {modle: x}' >bad.yaml; stint run --job bad.yaml -- true
! stint: bad.yaml:1:9: there is no key 'modle'
!   hint: did you mean 'model'?
? 3
$ stint run --job lama-2-7b -- true
! stint: there is no model 'lama-2-7b'
!   hint: did you mean 'llama-2-7b'? 'stint catalog show models' lists them
? 4
$ echo 'train: {model: my-own, method: lora, steps: 10}' >own.yaml; stint run --job own.yaml --no-ledger -- true 2>&1 | grep 'no estimate'
| stint: no estimate: there is no model 'my-own'; 'stint catalog show models' lists them; or give params: 7B, or the path of a config.json
$ stint run --job sft.yaml --no-gpu --no-ledger -- true 2>&1 | grep 'no estimate'
| stint: no estimate: no GPU was found on this machine; --offer NAME estimates it for a rented machine
$ stint run --job llama-2-7b --price 1usd/hr --name c --quiet -- true; stint advise c | tail -3
| savings         nothing found
| 
| note: no advice on how c is trained: the GPU is not known

A copy has the jobs, too.

$ stint ledger copy home/.local/share/stint/ledger.db copy.db >/dev/null; stint advise sft --category training --ledger copy.db | head -3
| run             sft (00000003)
| cost            $3.60 a run
| savings         $1.58 a run ($0.901 to $2.09), 44 %, with 2 findings together
