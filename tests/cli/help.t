Help fits 80 columns, goes to standard output, and shows an example.

$ stint
| Stint prices, plans, runs and accounts for machine-learning jobs.
| 
| Before you run
|   estimate    memory, time, energy and cost of a job on given hardware
|   plan        the cheapest way to run a job
|   price       what machines cost: list, compare, history, fetch
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
| 22
$ for first in 'help' '-h' '--help'; do stint $first | diff - first.txt; done
Every command by group.
$ stint help --all
| usage: stint COMMAND [options]
| 
| Before you run
|   estimate              estimate memory, time, energy and cost of a job
|   plan                  find the cheapest way to run a job, and explain it
|   plan slots            list the cheapest or lowest-carbon hours ahead
|   plan recheck          check whether a saved plan is still good
|   infer                 compare ways to serve a model: what a prediction costs
|   price list            list machine prices
|   price compare         compare providers for a number of GPUs and hours
|   price value           rank offers by performance, reliability and price
|   price spot            list the cheapest spot machines with interruption risk
|   price regions         compare price and carbon of a machine across regions
|   price history         show the price of an offer over time
|   price diff            show which prices changed between two days
|   price fetch           fetch current prices from providers
|   price import          import price lists from files
|   price pack            pack current prices into one signed file
|   price doctor          check stored prices for age, gaps and conflicts
|   gpu list              list accelerators: memory, speed, lowest price
|   gpu show              show one accelerator and where it is cheapest
|   gpu fit               list the smallest GPUs that fit a model
|   spot risk             show interruption risk and what it costs a job
|   spot interval         compute how often to save a checkpoint
|   spot fleet            spread machines over zones and jobs over markets
|   spot decide           decide for a running job: spot, on-demand or wait
|   simulate              simulate the cost on spot, policy by policy
|   tco                   compute the cost of an owned machine and when owning
|                         pays
|   roi                   compare local, rented and faster hardware, including the
|                         value of time
|   tune                  find the batch size with the lowest cost
| 
| While it runs
|   run                   run a command with a meter and a budget
|   top                   show what is running and what it costs
|   send                  send runs that wait on this machine to a server
|   stop                  ask a run to save and exit
|   attach                meter a process that is already running
|   watch                 run a command when this machine is idle or over budget
|   checkpoints list      list the checkpoints in a folder, complete or not
|   checkpoints prune     remove old checkpoints (dry run by default)
|   checkpoints best      show the best checkpoint and a cheaper one close to it
| 
| After it ran
|   runs                  list past runs and what they cost
|   runs add              record work that ran without stint run
|   show                  show everything recorded about a run
|   compare               compare runs side by side: settings, usage, cost
|   why                   explain why a run or a month cost more or less
|   commitments           compute which commitments to buy and what they save
|   maturity              rate cost management practices and suggest next steps
|   checklist             tick the items that the ledger, the configuration and a
|                         job prove
|   targets               score goals: cost per LoRA, utilization, budgets
|   targets set           set a goal
|   targets remove        remove a goal
|   advise                find what to change, and what it saves
|   advise dismiss        dismiss a finding from now on
|   advise restore        show a dismissed or applied finding again
|   advise apply          mark a finding as applied, to measure its savings
|   advise rules          list the rules: when they apply and how savings are
|                         computed
|   advise facts          list the facts that custom rules can use
|   storage               compare the cost of storing a data set, and find the
|                         cheapest lifecycle
|   check                 fail if a job, an estimate or a run costs more than
|                         before
|   comment               post or update one comment on a pull request
|   costs                 show where the money went, by any dimension and period
|   costs trend           show costs month by month
|   costs movers          show the largest changes between two periods
|   costs gpus            show GPU utilization and the cost of idle GPUs
|   costs spot            show the shares of spot, committed and on-demand use
|   costs storage         show storage costs by tier
|   costs repeats         list runs that repeat an earlier configuration
|   import                import cloud bills from files into the ledger
|   import mlflow         import past runs from MLflow into the ledger
|   import wandb          import past runs from Weights & Biases into the ledger
|   bills                 list the bills in the ledger
|   bills remove          remove a bill from the ledger
|   reconcile             compare runs with the bills that charge for them
|   budget set            set a budget that alerts and can stop runs
|   budget check          check all budgets and send alerts
|   budget list           list budgets and how much of each is spent
|   budget show           show one budget day by day
|   budget remove         remove a budget
|   budget split          split a monthly budget and compare plans with it
|   report                write a report to share: figures, tables, JSON
|   serve                 serve runs and costs over HTTP: web page and API
|   metrics               print metrics of running runs, spending and budgets
|   metrics dashboard     write a dashboard for Grafana
|   metrics list          list every metric with its unit and labels
|   metrics rules         write recording and alert rules for Prometheus
|   token add             create a token for the server's page and API
|   token list            list tokens, without their secrets
|   token remove          revoke a token at once
|   alert add             add an alert channel: Slack, email, PagerDuty, ...
|   alert channels        list alert channels
|   alert test            send a test message to a channel
|   alert remove          remove an alert channel
|   alert list            list alerts
|   alert log             list sent messages and their delivery status
|   alert ack             acknowledge an alert
|   alert raise           raise an alert of your own
|   alert send            send queued messages that are due
|   forecast              forecast the cost of a month, with a range
|   anomalies             list days of unusual spending and their likely causes
|   tags                  show tagged and untagged costs
|   tags set              set tags of a run
|   allocation set        set the allocation policy from a file
|   allocation show       show the current allocation policy
|   allocation check      show the cost that each rule of a policy matches
|   allocation remove     remove the allocation policy
|   statement             write the monthly showback or chargeback of each team
|   unit-costs            show the cost of one experiment, update or prediction
|   counts add            record a number of predictions, requests or tokens
|   counts import         import counts from a CSV file
|   counts list           list recorded counts
|   counts remove         remove counts
|   rates import          import exchange rates into the ledger
|   rates list            list exchange rates in the ledger
|   export                export costs as FOCUS, CSV or JSON
|   accuracy              compare estimates with the runs that followed
|   calibrate             improve estimates with what your runs measured
| 
| Facts and setup
|   init                  write the configuration: clouds, currency, budget
|   demo                  create a throwaway ledger of a fictional team
|   example               write example files: jobs, configurations, a bill
|   config                show every setting, its value and its source
|   meters                show what Stint can measure on this machine
|   ledger init           create or upgrade the tables of the ledger
|   ledger copy           copy a ledger into an empty one (SQLite, PostgreSQL)
|   ledger doctor         check the ledger for damage and inconsistent totals
|   catalog list          list the fact tables and their age
|   catalog show          show one fact table
|   catalog import        import prices of hosted models
|   region list           list regions by carbon intensity and PUE
|   schema                describe requests and results of operations as JSON
|                         Schema
|   validate              compare predictions with measurements
|   help                  explain Stint, a group or one command
|   completion            print a completion script for bash, zsh or fish
|   call                  run an operation by its name, with JSON in and out
| 
| stint help COMMAND explains one; stint --version prints the version.
| STINT_LOG=debug logs what a command does.
Each is there once, whatever its group.
$ stint help --all | sed -n 's/^  \([a-z-]*\( [a-z-]*\)*\)  .*/\1/p' | sort | uniq -d
|                     
A group: its commands. A command that leads a group names the others.
$ stint help price
| usage: stint price COMMAND [options]
| 
| what machines cost: list, compare, history, fetch
| 
| commands
|   price list            list machine prices
|   price compare         compare providers for a number of GPUs and hours
|   price value           rank offers by performance, reliability and price
|   price spot            list the cheapest spot machines with interruption risk
|   price regions         compare price and carbon of a machine across regions
|   price history         show the price of an offer over time
|   price diff            show which prices changed between two days
|   price fetch           fetch current prices from providers
|   price import          import price lists from files
|   price pack            pack current prices into one signed file
|   price doctor          check stored prices for age, gaps and conflicts
| 
| example
|   stint price list --gpu H100 --sort per-gpu
|   stint price list --gpu A100 --any-form --market spot --region 'us-*'
|   stint price list --min-memory 40GB --max-price 2usd/hr --json
$ stint help costs | sed '/^options/,$d'
| usage: stint costs [options]
| 
| Shows where the money went: bills, and runs that no bill covers yet, never
| both for the same day of a provider. --by takes dimensions (provider, service,
| category, account, sub_account, region, charge, pricing, instance, gpu, tier,
| team, project, environment, experiment, cost_centre, model, phase, owner) and
| a length of time (day, week, month, quarter, year), whose periods become
| columns. Amounts are shown to the cent; JSON and CSV have all digits.
| 
| more commands
|   costs trend           show costs month by month
|   costs movers          show the largest changes between two periods
|   costs gpus            show GPU utilization and the cost of idle GPUs
|   costs spot            show the shares of spot, committed and on-demand use
|   costs storage         show storage costs by tier
|   costs repeats         list runs that repeat an earlier configuration
| 
$ stint costs trend --help | grep -c 'more commands'
| 0
? 1
$ stint price compare --help
| usage: stint price compare GPU[xN] --hours H [options]
| 
| Compares the same GPUs and hours at every provider and region, cheapest
| first. Only complete machines can be rented: where all have eight GPUs, one
| GPU costs as much as eight. Set-up is billed in the provider's steps (by the
| second where they are not known); egress follows its tiers. Prices older
| than stale_after count at the upper end of their range, so a fresh price
| comes first unless the old one is cheaper by more than its possible drift.
| 
| options
|   GPU[xN]               accelerator and number: A100, H100x8 (required)
|   --hours H             duration of the job: 72, 72h or 3d (required)
|   --egress SIZE         data sent to the internet (default: 10GB)
|   --provider LIST       providers to include, such as aws,gcp
|   --region LIST         regions to include; 'us-*' matches
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
$ for c in '' --all help completion init price gpu region catalog config 'price list' 'price compare' 'price value' 'gpu list' 'gpu show' 'region list' 'catalog list' 'catalog show'; do stint help $c; done | awk 'length > 80'
