Help fits 80 columns, goes to standard output, and shows an example.

$ stint
| Stint prices, plans, runs and accounts for machine-learning jobs.
| 
| Before you run
|   estimate    memory, time, energy and cost of a job on given hardware
|   plan        the cheapest way to run a job
|   price       what machines cost: list, compare, history, fetch
|   data        data sets and models: make them smaller, bundle, sync
| While it runs
|   run         run a command with a meter and a budget
|   top         what is running and what it costs
| After it ran
|   runs        past runs and what they cost
|   advise      what to change, and what it saves
|   costs       where the money went
|   import      add cloud bills
|   budget      budgets that alert and stop runs
|   report      a report to share
| Facts and setup
|   init        write the configuration: clouds, currency, budget
|   demo        a throw-away ledger of a made-up team, to look at
|   example     example files: jobs, configurations, a bill
| 
| stint help COMMAND explains one; stint help --all lists all.
$ stint >first.txt; wc -l <first.txt
| 23
$ for first in 'help' '-h' '--help'; do stint $first | diff - first.txt; done
Every command, by stage of the work and by group. docs/reference/commands.md and pages.t have all of them.
$ stint help --all | sed -n '1,/^  plan slots/p'
| usage: stint COMMAND [options]
| 
| Before you run
|   estimate              estimate memory, time, energy and cost of a job
|   plan                  find the cheapest way to run a job, and explain it
|   plan slots            list the cheapest or lowest-carbon hours ahead
$ stint help --all | grep '^[A-Z]'
| Before you run
| While it runs
| After it ran
| Facts and setup
| STINT_LOG=debug logs what a command reads and chooses, with its steps' times.
$ stint help --all | sed -n '/^  help/,$p'
|   help                  explain Stint, a group or one command
|   completion            print a completion script for bash, zsh or fish
|   call                  run an operation by its name, with JSON in and out
| 
| stint help COMMAND explains one; stint --version prints the version.
| STINT_LOG=debug logs what a command reads and chooses, with its steps' times.
Each is there once, whatever its group.
$ stint help --all | sed -n 's/^  \([a-z-]*\( [a-z-]*\)*\)  .*/\1/p' | sort | uniq -d
|                     
A group: its commands. A command that leads a group names the others.
$ stint help rates
| usage: stint rates COMMAND [options]
| 
| exchange rates by day
| 
| commands
|   rates import          import exchange rates into the ledger
|   rates list            list exchange rates in the ledger
| 
| example
|   stint rates import rates.csv
|   stint rates import eurofxref-hist.csv
$ stint help bills | sed '/^options/,$d'
| usage: stint bills [PATTERN] [options]
| 
| Lists the bills in the ledger by period. A 'paired' bill has a second one for
| the same account and period, with amortized amounts: billed costs come from one,
| effective costs from the other.
| 
| more commands
|   bills remove          remove a bill from the ledger
| 
$ stint bills remove --help | grep -c 'more commands'
| 0
? 1
$ stint price compare --help
| usage: stint price compare GPU[xN] --hours H [options]
| 
| Compares the same GPUs and hours at every provider and region, cheapest first.
| Only complete machines can be rented: where all have eight GPUs, one GPU costs
| as much as eight. Set-up is billed in the provider's steps (by the second where
| they are not known); egress follows its tiers. A GPU-hour is compared with the
| cheapest of AWS where it is in the list. Prices older than 180 days (of
| marketplaces: 60) come after the others, as worth checking, unless most are so
| old.
| 
| options
|   GPU[xN]               accelerator and number: A100, H100x8 (required)
|   --hours H             duration of the job: 72, 72h or 3d (required)
|   --egress SIZE         data sent to the internet (default: 10GB)
|   --provider LIST       providers to include, such as aws,gcp
|   --region LIST         regions, countries or continents to include: 'us-*', FI,
|                         europe
|   --kind KIND           cloud, local (electricity), on-prem or any (default:
|                         cloud)
|   --any-form            include every form of the GPU's family: PCIe, less
|                         memory
|   --min-memory SIZE     minimum memory of one GPU, such as 40GB
|   --max-price PRICE     maximum price of one machine in the requested market,
|                         such as 3usd/hr
|   --max-age TIME        maximum age of a price, such as 90d
|   --max-machines N      maximum number of machines; 1 keeps all GPUs in one
|   --separate            include machines that cannot be joined, for jobs that
|                         run separately
|   --supply OFFER=N      machines you can get, instead of the limit assumed:
|                         vast=4
|   --limit N             show the first N
|   --all                 show every machine, not only the cheapest of each region
| 
| options of every command
|   --json                print the result as JSON
|   --help                explain the command
|   --config FILE         configuration file to read
|   --catalog DIR         folder of your own facts and prices
|   --prices DIR          folder of fetched and imported prices
|   --ledger FILE         ledger of runs and bills: a file, or postgres://HOST/DB
|   --log FILE            write a log to FILE
| 
| examples
|   stint price compare A100 --hours 72
|   stint price compare H100x8 --hours 24 --provider aws,gcp,lambda
|   stint price compare a100 --hours 3d --any-form --egress 200GB --all
$ stint help completion
| usage: stint completion SHELL
| 
| Prints the script with which a shell completes commands, options, and the values
| of options that have only a few.
| 
| examples
|   stint completion bash >~/.local/share/bash-completion/completions/stint
$ stint help gpu show
| usage: stint gpu show GPU [options]
| 
| Shows the facts about one accelerator, with their source, and where it is
| cheapest. Other names work, too: a100, 'RTX 4090', h100-sxm.
| 
| options
|   GPU                   GPU by any of its names (required)
| 
| options of every command
|   --json                print the result as JSON
|   --help                explain the command
|   --config FILE         configuration file to read
|   --catalog DIR         folder of your own facts and prices
|   --prices DIR          folder of fetched and imported prices
|   --ledger FILE         ledger of runs and bills: a file, or postgres://HOST/DB
|   --log FILE            write a log to FILE
| 
| examples
|   stint gpu show h100
|   stint gpu show 'RTX 4090'
$ for c in '' --all help completion init price gpu region catalog config; do stint help $c; done | awk 'length > 80'
$ stint help --all | sed -n 's/^  \([a-z]*\( [a-z]*\)*\)  .*/\1/p' | while read -r c; do stint help "$c"; done | awk '/^usage/ { shown = 1 } /^example/ { shown = 0 } shown && length > 80'
