A typing mistake gets one line with the problem, and one with what to type.

$ stint pirce list
! stint: there is no command 'pirce'
!   hint: did you mean 'stint price'?
? 2
$ stint price lst
! stint: there is no command 'price lst'
!   hint: did you mean 'stint price list'?
? 2
$ stint nonsense
! stint: there is no command 'nonsense'
!   hint: 'stint help --all' lists the commands
? 2
$ stint recommend
! stint: there is no command 'recommend'
!   hint: 'stint advise' says what to change, 'stint plan JOB' how to run a job
? 2
$ stint recomend
! stint: there is no command 'recomend'
!   hint: 'stint advise' says what to change, 'stint plan JOB' how to run a job
? 2
$ stint optimze my.yaml
! stint: there is no command 'optimze'
!   hint: 'stint advise' says what to change and what it saves
? 2
$ stint monitor
! stint: there is no command 'monitor'
!   hint: 'stint top' shows runs as they go, 'stint watch' acts on an idle machine
? 2
$ stint lora
! stint: there is no command 'lora'
!   hint: 'stint plan MODEL --method lora --tokens 10M' plans it
? 2
$ stint Carbon --region eu
! stint: there is no command 'Carbon'
!   hint: 'stint estimate JOB' prints it, 'stint region list' has the carbon of regions
? 2
$ stint quantize llama-3-8b
! stint: there is no command 'quantize'
!   hint: 'stint infer MODEL --compression' compares quantization, pruning and distillation
? 2
The second word of a command alone; a word that is like none of ours.
$ stint sync data /mnt
! stint: there is no command 'sync'
!   hint: did you mean 'stint data sync'?
? 2
$ stint Doctor
! stint: there is no command 'Doctor'
!   hint: did you mean 'stint price doctor' or 'stint ledger doctor'?
? 2
$ stint gpus
! stint: there is no command 'gpus'
!   hint: 'stint gpu list' lists accelerators, 'stint gpu fit MODEL' those that hold a model
? 2
$ stint remove
! stint: there is no command 'remove'
!   hint: 'stint help --all' lists the commands
? 2
$ stint login
! stint: there is no command 'login'
!   hint: Stint has no accounts; 'stint init' writes your clouds, 'stint run --to URL' sends runs to a server
? 2
$ stint flips
! stint: there is no command 'flips'
!   hint: 'stint estimate JOB --explain' has the arithmetic of a step
? 2
Words of clouds, regions and models that are not quite ours.
$ stint price list --provider amazon
! stint: there is no provider 'amazon'
!   hint: did you mean 'aws'?
? 4
$ stint plan gpt2 --tokens 1M --provider google
! stint: there is no provider 'google'
!   hint: did you mean 'gcp'?
? 4
$ stint price list --region us-east
! stint: note: 'us-east' is one region: '*' behind it includes others, such as us-east-1 of aws
! stint: note: 165 offers have one price everywhere and no region: left out (--region '*' includes them)
! stint: no offer matches
!   hint: leave out a filter; --any-form and --kind any widen the search
? 4
$ stint estimate llama3 --on H100
! stint: there is no model 'llama3'
!   hint: did you mean 'llama-3-8b'? 'stint catalog show models' lists them
? 4
$ stint estimate gpt4 --on H100
! stint: 'gpt4' is not modeled: its weights are not published, so it can only be rented by the token
!   hint: 'stint infer llama-3.1-8b --rate 1/s --api gpt-4o-mini' compares hosted models with your own
? 4
$ stint estimate lstm --on H100
! stint: 'lstm' is not modeled: an LSTM is named by its shape
!   hint: lstm-h128-l2 has 2 layers of width 128, lstm-h512-l3 has 3 of 512
? 4
$ stint help --al
! stint: did not expect '--al'
!   hint: 'stint help COMMAND' explains one, 'stint help --all' lists all
? 2
$ stint help prices
! stint: there is no command 'prices'
!   hint: 'stint price list' lists them
? 2
$ stint price list --gpuz H100
! stint: price list has no option '--gpuz'
!   hint: did you mean '--gpu'?
? 2
Options of other commands and tools, keys of the job file, and what is written without an option.
$ stint run --timeout 5h -- true
! stint: run has no option '--timeout'
!   hint: did you mean '--deadline'?
? 2
$ stint price spot --hours 2
! stint: price spot has no option '--hours'
!   hint: did you mean '--for'?
? 2
$ stint infer llama-3-8b --rps 5
! stint: infer has no option '--rps'
!   hint: did you mean '--rate'?
? 2
$ stint estimate llama-2-7b --on A100 --steps 100
! stint: estimate has no option '--steps'
!   hint: did you mean '--set steps=...'?
? 2
$ stint estimate llama-2-7b --on A100 --zero 3
! stint: estimate has no option '--zero'
!   hint: did you mean '--set parallel.zero=...'?
? 2
$ stint spot risk --gpu A100
! stint: spot risk has no option '--gpu'
!   hint: write it without an option: 'stint spot risk OFFER'
? 2
$ stint plan --model gpt2 --tokens 1M
! stint: plan has no option '--model'
!   hint: write it without an option: 'stint plan JOB'
? 2
$ stint estimate distilgpt2 --on cpu
! stint: there is no accelerator 'cpu'
!   hint: 'stint plan JOB' names machines without a GPU for small models, 'stint run --job JOB' estimates on this one
? 4
$ stint price compare A100 --gpus 8 --hours 24
! stint: there is no accelerator '8'
!   hint: a number follows a name: A100x8
? 4
$ stint price list --max-pricee 2usd/hr
! stint: price list has no option '--max-pricee'
!   hint: did you mean '--max-price'?
? 2
$ stint price list --json=yes
! stint: --json takes no value
? 2
$ stint price list --gpu
! stint: --gpu needs a value
!   hint: --gpu GPU[xN]: accelerator, such as H100 or 'RTX 4090'; H100x8: machines with 8
? 2
$ stint price list extra words
! stint: price list does not expect 'extra'
!   hint: 'stint price list --help' shows what it takes; quote values with blanks
? 2
$ stint price compare
! stint: price compare needs a GPU[xN]
!   hint: stint price compare A100 --hours 72
? 2
$ stint price compare H100x8
! stint: price compare needs --hours H
!   hint: stint price compare A100 --hours 72
? 2
$ stint price compare H100x0 --hours 2
! stint: '0' is not a number of GPUs from 1 to 1000000
!   hint: write the GPU, an x and how many: H100x8
? 2
$ stint price compare H100x99999999 --hours 2
! stint: '99999999' is not a number of GPUs from 1 to 1000000
!   hint: write the GPU, an x and how many: H100x8
? 2
$ stint price compare H100 --hours -2
! stint: --hours: '-2' is not a length of time
!   hint: write it as 24h, 90min, 1h30min, 20s or 3d
? 2
$ stint price compare H100 --hours 72x
! stint: --hours: '72x' is not a length of time
!   hint: write it as 24h, 90min, 1h30min, 20s or 3d
? 2
$ stint price compare H100 --hours nan
! stint: --hours: 'nan' is not a length of time
!   hint: write it as 24h, 90min, 1h30min, 20s or 3d
? 2
$ stint price list --max-price 3
! stint: --max-price: price '3' does not say per what
!   hint: write it as 2.49usd/hr
? 2
$ stint price list --max-price $3/hr
! stint: --max-price: '' is not an amount of money
!   hint: write it as 100usd or, in quotes, '$100'
? 2
$ stint price list --max-price 3eur/hr
! stint: --max-price: '3eur' is not in US dollars
!   hint: prices are kept in US dollars: give the amount as 100usd
? 2
$ stint price list --min-memory 80G
! stint: --min-memory: '80G' is not a size
!   hint: give the unit in full: 80GB is 80 * 1000^3 bytes, 80GiB is 80 * 1024^3
? 2
$ stint price list --limit 0
! stint: --limit: '0' is not 1 or more
? 2
$ stint price list --limit '8 GPUs'
! stint: --limit: '8 GPUs' is not a whole number
!   hint: write digits only, without a unit
? 2
$ stint price list --sort cheapest
! stint: --sort: 'cheapest' is not one of price, per-gpu, memory, age, name
? 2
$ stint price list --provider awss
! stint: there is no provider 'awss'
!   hint: did you mean 'aws'?
? 4
$ stint price list --gpu H1000
! stint: there is no accelerator 'H1000'
!   hint: did you mean 'H100'? 'stint gpu list' shows all
? 4
$ stint gpu show 'RTX 4900'
! stint: there is no accelerator 'RTX 4900'
!   hint: did you mean 'RTX4090'? 'stint gpu list' shows all
? 4
$ stint gpu show
! stint: gpu show needs a GPU
!   hint: stint gpu show h100
? 2
$ stint catalog show offer
! stint: the catalog has no table 'offer'
!   hint: did you mean 'offers'?
? 4
$ stint catalog show offers --where provder=aws
! stint: there is no column 'provder'
!   hint: did you mean 'provider'?
? 2
$ stint catalog show offers --where aws
! stint: where: 'aws' has no '='
!   hint: write a column and what it should be: provider=aws
? 2
$ stint -x
! stint: did not expect '-x'
? 2
$ stint --bogus
! stint: there is no option '--bogus'
!   hint: 'stint --help' lists the options
? 2
$ stint completion tcsh
! stint: there is no completion for 'tcsh'
!   hint: stint completion bash, zsh or fish
? 2
$ stint price list --kind lokal
! stint: --kind: 'lokal' is not one of cloud, local, on-prem, any
!   hint: did you mean 'local'?
? 2
$ STINT_NOW=yesterday stint gpu list
! stint: STINT_NOW: 'yesterday' is not a time
!   hint: write it as 2026-11-15 or 2026-11-15T10:00:00Z
? 2
$ STINT_LOG=loud stint gpu list
! stint: STINT_LOG: 'loud' is not a level
!   hint: use off, warn, info or debug
? 2
$ stint price list --region us-est-1
! stint: there is no region 'us-est-1'
!   hint: did you mean 'us-east-1'?
? 4
$ stint price list --gpu ''
! stint: --gpu: the value is empty
? 2
$ stint region list --country Sweden
! stint: there is no country 'Sweden'
!   hint: give its two letters: US, DE, JP, ...
? 4
$ stint completion bash zsh
! stint: completion does not expect 'zsh'
? 2
$ stint completion --help | sed -n 1p
| usage: stint completion SHELL
$ stint help help | sed -n 1p
| usage: stint help [COMMAND | --all]
$ stint version | sed -n 1p
| stint 0.1.0
