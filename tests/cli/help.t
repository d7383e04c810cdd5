Help fits 80 columns, goes to standard output, and shows an example.

$ stint
| usage: stint COMMAND [options]
| 
| Stint makes machine-learning work cost less: what a job will need and cost,
| the cheapest way to run it, and where the money went.
| 
| commands
|   init                  write the configuration: clouds, currency, budget, this
|                         machine
|   price list            list what machines cost
|   price compare         compare what so many GPUs cost for so many hours
|   price value           rank offers by performance x reliability / price
|   price spot            find the cheapest spot machines, with their risk
|   price regions         compare price and carbon of machines in every region
|   price history         show what an offer cost over time
|   price diff            show which prices changed between two days
|   price fetch           ask providers for their prices of today
|   price import          read price lists from files into the price store
|   price doctor          check the kept prices: age, gaps, doubts, conflicts
|   gpu list              list accelerators: memory, speed, cheapest price
|   gpu show              show all that is known of one accelerator
|   gpu fit               list the smallest GPUs that hold a model
|   plan                  find the cheapest honest way to run a job, and why
|   plan slots            list the cheapest or cleanest hours to come
|   plan recheck          say whether a saved plan is still good
|   run                   run a command under a meter, inside its budget
|   watch                 guard this machine: idle, forgotten, over its budget
|   top                   what runs now, and what it costs an hour
|   stop                  ask a run to save and to end
|   runs                  what was run, and what it cost
|   runs add              record work that was not run under stint run
|   show                  everything that is known of a run
|   compare               runs side by side: what they took, what they differ in,
|                         which is better
|   import                read bills from files into the ledger
|   bills                 the bills that are in the ledger
|   bills remove          take a bill out of the ledger
|   reconcile             runs against the bills that were for them
|   export                the account as a file: FOCUS, CSV or JSON
|   costs                 where the money went, by any dimension and length of
|                         time
|   costs trend           costs month over month
|   costs movers          what changed most between two periods
|   costs gpus            how busy GPUs were, and what idle ones cost
|   costs spot            the share of machines on spot, committed and on demand
|   costs storage         what storage cost, by tier
|   costs repeats         runs of a configuration that had been run already
|   forecast              what a month will come to, with a range
|   anomalies             days whose spending is out of the ordinary, and why
|   rates import          keep exchange rates in the ledger
|   rates list            exchange rates of the ledger
|   tags                  how much of the money has its tags, and what has none
|   tags set              set tags of a run
|   allocation set        make a file the allocation policy
|   allocation show       the allocation policy in force
|   allocation check      what each rule of a policy is about, in money
|   allocation remove     take the allocation policy away
|   statement             what each team is shown or charged for a month
|   unit-costs            what one experiment, update, prediction or improvement
|                         cost
|   counts add            record how many predictions (or else) were made
|   counts import         record counts from a CSV file
|   counts list           what was counted
|   counts remove         forget counts
|   checkpoints list      the checkpoints in a folder, and whether they are whole
|   checkpoints prune     remove checkpoints that nobody needs: first only told
|   checkpoints best      the best checkpoint, and the one that is nearly as good
|                         for less
|   tune                  the batch size that costs least, by running your command
|   meters                what this machine can be metered by, and what is missing
|   estimate              estimate memory, time, energy and cost of a job
|   validate              hold predictions against measured rows: the error
|   accuracy              estimates against what came of them
|   calibrate             learn from your runs how estimates come out
|   simulate              simulate what spot would have cost, policy by policy
|   spot risk             the risk of losing a spot machine, and what a job costs
|   spot interval         how often to save a checkpoint
|   spot fleet            spread machines over zones, and jobs over markets
|   spot decide           what a job should do now: stay, take spot, go on-demand
|                         or wait
|   budget set            a budget that acts: who is told, what is stopped
|   budget check          evaluate all budgets, and tell who is to be told
|   budget list           how budgets stand
|   budget show           how one budget stands, day by day
|   budget remove         remove a budget
|   budget split          split the budget of a month, and hold plans against it
|   alert add             a channel for alerts: Slack, mail, PagerDuty, ...
|   alert channels        where alerts go
|   alert test            send a message to a channel, now
|   alert remove          remove a channel
|   alert list            what people were told of, or should have been
|   alert log             what was sent to whom, and what became of it
|   alert ack             acknowledge an alert
|   alert raise           send an alert of your own
|   alert send            send what is due
|   region list           list regions by carbon intensity and PUE
|   catalog list          list the tables of facts and how old they are
|   catalog show          show the facts of one table
|   ledger init           make the tables of the ledger, or take them forward
|   ledger copy           copy a ledger into an empty one, of either engine
|   ledger doctor         check the ledger: damage, sums that do not agree, what
|                         is left over
|   config                show every setting, its value and where it came from
|   help [COMMAND]        explain Stint or one command
|   completion SHELL      print a completion script: bash, zsh or fish
| 
| examples
|   stint init
|   stint price compare A100 --hours 72
|   stint gpu show h100
|   stint run --budget '$5' -- python train.py
|   stint costs --by team,service --since 90d
|   stint help price list
| 
| 'stint --version' tells the version. Trouble? STINT_LOG=debug shows what it does.
$ stint help price
| usage: stint price COMMAND [options]
| 
| what hardware costs, where
| 
| commands
|   price list            list what machines cost
|   price compare         compare what so many GPUs cost for so many hours
|   price value           rank offers by performance x reliability / price
|   price spot            find the cheapest spot machines, with their risk
|   price regions         compare price and carbon of machines in every region
|   price history         show what an offer cost over time
|   price diff            show which prices changed between two days
|   price fetch           ask providers for their prices of today
|   price import          read price lists from files into the price store
|   price doctor          check the kept prices: age, gaps, doubts, conflicts
| 
| example
|   stint price list --gpu H100 --sort per-gpu
|   stint price list --gpu A100 --any-form --market spot --region 'us-*'
|   stint price list --min-memory 40GB --max-price 2usd/hr --json
$ stint price compare --help
| usage: stint price compare GPU[xN] --hours H [options]
| 
| The same GPUs and hours at every provider and region, cheapest first. Machines
| are rented whole: where only machines of eight are sold, one GPU costs eight.
| Set-up is billed in the provider's steps (by the second where they are not
| known); egress follows its tiers.
| 
| options
|   GPU[xN]               accelerator and how many: A100, H100x8 (required)
|   --hours H             how long the job runs: 72, 72h or 3d (required)
|   --egress SIZE         results taken out to the internet (default: 10GB)
|   --provider LIST       only these, such as aws,lambda
|   --region LIST         only these; 'us-*' matches
|   --kind KIND           cloud, local (electricity), on-prem or any (default:
|                         cloud)
|   --any-form            every form of the GPU's family, PCIe and less memory too
|   --min-memory SIZE     of one GPU, such as 40GB
|   --max-price PRICE     of one machine in the market asked for, such as 3usd/hr
|   --max-age TIME        only prices younger than this, such as 90d
|   --max-machines N      no more machines than this; 1 keeps all GPUs in one
|   --limit N             only the first N
|   --all                 every machine, not only the cheapest of each region
| 
| options of every command
|   --json                print the result as JSON
|   --help                explain the command
|   --config FILE         read this configuration
|   --catalog DIR         read your own facts and prices from here
|   --prices DIR          keep fetched and imported prices here
|   --ledger FILE         runs and bills are here: a file, or postgres://HOST/DB
|   --log FILE            write what the program does to FILE
| 
| examples
|   stint price compare A100 --hours 72
|   stint price compare H100x8 --hours 24 --provider aws,gcp,lambda
|   stint price compare a100 --hours 3d --any-form --egress 200GB --all
$ stint help gpu show
| usage: stint gpu show GPU [options]
| 
| All that is known of one accelerator, with its source, and where it is cheapest.
| Any name people use will do: a100, 'RTX 4090', h100-sxm.
| 
| options
|   GPU                   any name people use for it (required)
| 
| options of every command
|   --json                print the result as JSON
|   --help                explain the command
|   --config FILE         read this configuration
|   --catalog DIR         read your own facts and prices from here
|   --prices DIR          keep fetched and imported prices here
|   --ledger FILE         runs and bills are here: a file, or postgres://HOST/DB
|   --log FILE            write what the program does to FILE
| 
| examples
|   stint gpu show h100
|   stint gpu show 'RTX 4090'
$ for c in '' init price gpu region catalog config 'price list' 'price compare' 'price value' 'gpu list' 'gpu show' 'region list' 'catalog list' 'catalog show'; do stint help $c; done | awk 'length > 80'
| 'stint --version' tells the version. Trouble? STINT_LOG=debug shows what it does.
| Writes the configuration. On a terminal and without options it asks: which clouds
| Every setting, its value, and what set it: the default, the configuration file, an
| three factors beside. Performance is the dense peak of the data sheet, so this is
| How clean each region's power is, and how much of it the halls take. Which factor
