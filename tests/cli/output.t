Where results go, and what must not be overwritten.

A closed standard output is noticed before anything is done.
$ stint runs add --name closed --start 2026-11-13 --end 2026-11-14 --cost 3.10usd >&-
! stint: standard output is closed; nothing was done
!   hint: to see no result: >/dev/null
? 1
$ stint runs
| nothing has been run yet: 'stint run -- COMMAND' records it in home/.local/share/stint/ledger.db
One that cannot be written is not: standard error reports what was done.
$ stint runs add --name full --start 2026-11-13 --end 2026-11-14 --cost 3.10usd 2>err >/dev/full; echo $?; sed 's/[0-9a-f]\{8,\}[-0-9a-f]*/ID/' err
| 1
| added ID full: 2026-11-13 00:00:00 to 2026-11-14 00:00:00 (24h), $3.10
| price: cost given when it was added
| stint: standard output: cannot write: No space left on device
|   hint: the command has been carried out: do not repeat it; its result is above
$ stint runs --json | tr ',' '\n' | grep '"name"'
| "name":"full"
$ stint runs >/dev/full
! stint: standard output: cannot write: No space left on device
? 1

A command does not overwrite its input, the ledger or the configuration.
$ { echo 'trace a gap=3600 n=24 nodes=1 start=2026-01-01T00:00:00Z od=4 spot=1'; echo 'a 111111111111011111111111'; } >one.trc; cp one.trc same.trc; ln same.trc other.trc
$ stint simulate --traces same.trc --work 1h --deadline 2h --save-traces same.trc
! stint: --save-traces: 'same.trc' is read by this command, and would be overwritten
!   hint: name another file
? 2
$ stint simulate --traces same.trc --work 1h --deadline 2h --save-traces ./other.trc
! stint: --save-traces: './other.trc' is read by this command, and would be overwritten
!   hint: name another file
? 2
$ cmp one.trc same.trc
$ stint runs --csv home/.local/share/stint/ledger.db
! stint: --csv: 'home/.local/share/stint/ledger.db' is the ledger, and would be overwritten
!   hint: name another file
? 2
$ stint runs --csv runs.csv >/dev/null; cut -d , -f 1 runs.csv | head -1
| id
$ mkdir -p home/.config/stint; echo 'currency: EUR' >home/.config/stint/config.yaml; stint runs --csv home/.config/stint/config.yaml; cat home/.config/stint/config.yaml
| currency: EUR
! stint: --csv: 'home/.config/stint/config.yaml' is the configuration, and would be overwritten
!   hint: name another file

A relative folder in an XDG variable is ignored, as their specification says.
$ XDG_DATA_HOME=elsewhere stint runs --json | tr ',' '\n' | grep '"name"'; test ! -e elsewhere
| "name":"full"
! stint: warning: XDG_DATA_HOME is not an absolute path, and is ignored
$ XDG_CONFIG_HOME=elsewhere XDG_CACHE_HOME=$PWD/cache stint config | grep -c EUR
| 1
! stint: warning: XDG_CONFIG_HOME is not an absolute path, and is ignored

A configuration with a password is for its owner alone.
$ echo 'ledger: postgres://me:secret@127.0.0.1:1/costs' >home/.config/stint/config.yaml; chmod 644 home/.config/stint/config.yaml; stint gpu show H100 >/dev/null
! stint: warning: others can read 'home/.config/stint/config.yaml', which holds a password: 'chmod 600' it
! stint: note: 'H100' means H100-SXM-80GB, the SXM form with the most memory
$ chmod 600 home/.config/stint/config.yaml; stint gpu show H100 >/dev/null
! stint: note: 'H100' means H100-SXM-80GB, the SXM form with the most memory
$ echo 'ledger: postgres://me@127.0.0.1:1/costs' >home/.config/stint/config.yaml; chmod 644 home/.config/stint/config.yaml; stint gpu show H100 >/dev/null
! stint: note: 'H100' means H100-SXM-80GB, the SXM form with the most memory
The log says what a command read, chose and applied, and how long each step took.
$ rm home/.config/stint/config.yaml; echo 'model: gpt2' >job.yaml; STINT_LOG=debug stint plan job.yaml --tokens 10M --gpu A100 2>&1 >/dev/null | grep -v 'facts: \|^stint: ' | sed 's/([0-9.]* ms)/(N ms)/; s/[0-9][0-9]* \(rows\|places\|selected\|by\|configurations\|ruled\)/N \1/g'
| 2026-11-15T00:00:00Z debug: stint plan, configuration home/.config/stint/config.yaml: no such file
| 2026-11-15T00:00:00Z debug: ledger home/.local/share/stint/ledger.db: opened (N ms)
| 2026-11-15T00:00:00Z debug: reading job.yaml
| 2026-11-15T00:00:00Z debug: job: trains the model 'gpt2'
| 2026-11-15T00:00:00Z debug: price store home/.cache/stint/prices.db: 0 offers, 0 prices of 0 feeds (N ms)
| 2026-11-15T00:00:00Z debug: prices: N rows, built in and of the store (N ms)
| 2026-11-15T00:00:00Z debug: machines: N selected (N ms)
| 2026-11-15T00:00:00Z debug: limits: of N places left out: N by GPU, N by market, N by commitment, N by software, N by age of the price
| 2026-11-15T00:00:00Z debug: search: N configurations computed, N ruled out by a bound
| 2026-11-15T00:00:00Z debug: search: a best plan of GPU machines (N ms)
| 2026-11-15T00:00:00Z debug: price chosen: runpod/*/1x_A100-80GB_COMMUNITY on-demand at $1.19/hr from 2026-11-09; https://www.runpod.io/pricing as read 2026-11-09 (via datareceipts/data-receipts; of N places
| 2026-11-15T00:00:00Z debug: plan: done (N ms)
$ stint infer llama-3-8b --rate 5/s --log log >/dev/null 2>&1; grep -c 'debug: way: GPU machine, [^ ]*/[^ ]*, price from 20' log; grep -c 'debug: ways: [0-9]* chosen, [0-9]* that may cost less at other rates' log; rm log
| 1
| 1
$ echo 'train: {layers: 2, hidden: 64, heads: 4, ffn: 256, vocab: 500, sequence: 32, micro_batch: 4, steps: 300}' >small.yaml; STINT_LOG=debug stint run --price 1usd/hr --budget 1usd --idle 5min --job small.yaml --no-ledger -- sleep 1 2>&1 | grep 'debug: \(price chosen\|limits\|estimate of\)' | sed 's/([0-9.]* ms)/(N ms)/; s/by its GPUs/without a GPU/'
| 2026-11-15T00:00:00Z debug: price chosen: $1.00/hr; from --price
| 2026-11-15T00:00:00Z debug: limits: budget $1.00 idle 5min; estimate by its job
| 2026-11-15T00:00:00Z debug: estimate of the run, without a GPU: done (N ms)
$ stint example bill >/dev/null; stint import bill.csv >/dev/null 2>&1; stint costs --month 2026-10 --log log >/dev/null; sed -n 's/([0-9.]* ms)/(N ms)/; s/.*debug: spending/spending/p' log; rm log
| spending: 3 bills, days from 2026-10-01 until 2026-11-01; policy: 0 rules, 0 shared and 0 recurring costs; 1 sums (N ms)
$ stint advise job.yaml --on A100 --tokens 10M --log log >/dev/null 2>&1; grep -c 'debug: rule [a-z-]*: [0-9]* findings' log
| 67
