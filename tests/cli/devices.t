needs: python3
What people see of each GPU of a run: one that is idle or slower than the others is named; GPUs that
are used alike are not, nor is a GPU that waits while another prepares.
$ "$STINT_TEST_LEDGER" home/.local/share/stint/ledger.db devices
$ stint show one-idle | sed -n '/^GPU /,/^progress/p'
| GPU             7x NVIDIA H100 80GB HBM3, busy 93 % of the time, at most 64 GB of 80 GB
| GPU 5 of 8      0 % busy, 500 MB, 75 W, not used by the run
| other 7         93 % busy, 64 GB, 650 W on average
| idle GPUs       1 of 8 GPUs was idle for 100 % of the time, while others worked:
|                 $2.95 of $24.00 went to it, if the price is that of all 8
| progress        step 1,800
$ stint show one-slow | sed -n '/^GPU /,/^progress/p'
| GPU             8x NVIDIA H100 80GB HBM3, busy 93 % of the time, at most 64 GB of 80 GB
| GPU 2 of 8      40 % busy, 500 MB, 315 W
| other 7         93 % busy, 64 GB, 650 W on average
| progress        step 1,800
$ stint show others-use-one | sed -n '/^GPU /,/^progress/p'
| GPU             7x NVIDIA H100 80GB HBM3, busy 93 % of the time, at most 64 GB of 80 GB
| GPU 5 of 8      used by others
| other 7         93 % busy, 64 GB, 650 W on average
| progress        step 1,800
$ stint show idle-at-first | sed -n '/^GPU /,/^progress/p'
| GPU             8x NVIDIA H100 80GB HBM3, busy 93 % of the time, at most 64 GB of 80 GB
| GPU 0 of 8      93 % busy, 64 GB, 650 W
| other 7         62 % busy, 42.83 GB, 458 W on average
| progress        step 1,800
$ stint show even | sed -n '/^GPU /,/^progress/p'
| GPU             8x NVIDIA H100 80GB HBM3, busy 93 % of the time, at most 64 GB of 80 GB
| progress        step 1,800
$ stint show single | sed -n '/^GPU /,/^progress/p'
| GPU             1x NVIDIA H100 80GB HBM3, busy 93 % of the time, at most 64 GB of 80 GB
| progress        step 1,800
The same for programs: each GPU, those that had no work, and what they cost.
$ printf '%s\n' 'import json, sys' 's = json.load(sys.stdin)' 'print("idle", s["idle_gpus"], round(s["idle_gpu_cost_usd"], 2))' 'for d in s["devices"]: print(d["number"], d["used"], d["busy"] and round(d["busy"], 4), d["memory_bytes"], d["idle_since"], d["idle_s"])' >show.py
$ stint show one-idle --json | python3 show.py
| idle 1 2.95
| 0 True 0.93 64000000000 None None
| 1 True 0.93 64000000000 None None
| 2 True 0.93 64000000000 None None
| 3 True 0.93 64000000000 None None
| 4 True 0.93 64000000000 None None
| 5 False 0 500000000 2026-11-05T04:00:00Z 3600
| 6 True 0.93 64000000000 None None
| 7 True 0.93 64000000000 None None
$ stint show idle-at-first --json | python3 show.py | sed -n '1,2p'
| idle 0 0
| 0 True 0.93 64000000000 None None
$ stint show single --json | python3 show.py
| idle 0 0
| 0 True 0.465 32250000000 None None
$ stint show others-use-one --json | python3 show.py | sed -n '1p;7p'
| idle 0 0
| 5 False None None None None
Why it cost what it did, and what to do about it: only where a GPU had no work.
$ stint why one-idle | sed -n '/^note/,$p'
| note: 7 % of each step of one-idle (00000002) is waiting for data, by its
|       samples: GPUs idle inside steps while loaders work or the program sleeps
| note: 1 of 8 GPUs was idle for 100 % of the time, while others worked: $2.95 of
|       $24.00 went to it (one-idle (00000002); by samples, if the price is that
|       of all 8)
| note: no estimate was recorded with this run: 'stint run --job JOB -- COMMAND'
|       records one; 'stint why A B' compares two runs
$ for run in even one-slow idle-at-first others-use-one single; do stint why $run | grep 'GPUs was'; done
? 1
$ for run in one-idle one-slow idle-at-first; do stint advise $run --json | python3 -c 'import json, sys; [print(f["action"]) for f in json.load(sys.stdin)["findings"] if f["rule"] == "idle-gpus"]'; done
| start a process on each GPU (torchrun --nproc-per-node=gpu), or rent a machine with fewer; 'stint show 00000002' lists them
$ stint advise | grep -A4 'GPUs'
|     seen      1 of 8 GPUs was idle for 100 % of the time, while others worked:
|               $2.95 of $24.00 (12 %)
|     do        start a process on each GPU (torchrun --nproc-per-node=gpu), or
|               rent a machine with fewer; 'stint show 00000002' lists them
|     computed  what the runs cost while other GPUs worked, divided by the GPUs of
|               the machine, by samples; assumed: the price is that of all of them
|     id        idle-gpus-2e781178
| 
| may save nothing, and not in the total
A report has a line for each GPU where they differ.
$ stint report one-idle -o idle >/dev/null; grep -o 'GPU [0-9] busy' idle/report.html | sort -u
| GPU 0 busy
| GPU 1 busy
| GPU 2 busy
| GPU 3 busy
| GPU 4 busy
| GPU 5 busy
| GPU 6 busy
| GPU 7 busy
$ stint report even -o even >/dev/null; grep -c 'GPU [0-9] busy' even/report.html
| 0
? 1
