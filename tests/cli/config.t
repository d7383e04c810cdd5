$ stint config --show
| setting          value                              from     variable               what it is
| providers        -                                  default  STINT_PROVIDERS        clouds you have accounts with: others are not shown
| currency         USD                                default  STINT_CURRENCY         currency of your budgets, such as USD or EUR
| budget           -                                  default  STINT_BUDGET           monthly budget
| machine          -                                  default  STINT_MACHINE          machine type, as in 'stint catalog show local'
| country          US                                 default  STINT_COUNTRY          country, for electricity and carbon
| electricity      -                                  default  STINT_ELECTRICITY      electricity price per kWh
| own_machine      no                                 default  STINT_OWN_MACHINE      own machine, not rented: a run costs its electricity
| owned            -                                  default  STINT_OWNED            machine-hours already paid for: plans use them first
| supply           -                                  default  STINT_SUPPLY           machines you can get: vast=4, aws/p5.48xlarge=16
| value_of_time    -                                  default  STINT_VALUE_OF_TIME    value of an hour of waiting, for plan and roi: 20usd/hr
| catalog          home/.config/stint/catalog         default  STINT_CATALOG          folder with your own facts and prices
| prices           home/.cache/stint                  default  STINT_PRICES           folder of fetched and imported prices
| ledger           home/.local/share/stint/ledger.db  default  STINT_LEDGER           ledger of runs and bills: a file, or postgres://HOST/DATABASE
| reports          -                                  default  STINT_REPORTS          folder for a report of each run (default: none is written)
| stale_after      30d                                default  STINT_STALE_AFTER      age above which Stint warns about prices
| to               -                                  default  STINT_TO               send runs to this server instead of the ledger: https://HOST:8712
| to_token         -                                  default  STINT_TO_TOKEN         file with the token for it (default: 'token' beside config.yaml; STINT_TOKEN is the token itself)
| to_certificates  -                                  default  STINT_TO_CERTIFICATES  CA bundle to verify the server, PEM (default: the system's)
| to_unencrypted   no                                 default  STINT_TO_UNENCRYPTED   allow plain http to it, on a trusted network only
| trusted_keys     -                                  default  STINT_TRUSTED_KEYS     public keys whose price packs are imported, such as ed25519:4f...
| 
| configuration file: home/.config/stint/config.yaml (not there; 'stint init' writes it)
$ stint init --providers aws,lambda --budget 100usd --country DE --machine desktop-rtx4090 --electricity 0.30usd/kWh
| wrote home/.config/stint/config.yaml:
| 
| # Stint's configuration. 'stint config --show' shows what applies and why.
| providers: ["aws", "lambda"]  # clouds you have accounts with
| currency: USD  # of your budgets; prices are in USD
| budget: 100USD  # a month
| machine: "desktop-rtx4090"  # what this machine is
| country: "DE"  # where it is: electricity and carbon
| electricity: 0.3usd/kWh
| 
| next:
|   stint plan llama-2-7b --method lora --tokens 25M  # the cheapest way to train a LoRA
|   stint run -- sleep 3                              # meter a command: put your own in place of sleep 3
|   stint budget set month 100USD                     # show spending against your budget, which already stops runs
|   stint demo                                        # look around in a made-up team's quarter, apart from your own ledger
$ stat -c '%a %n' home/.config/stint/config.yaml
| 600 home/.config/stint/config.yaml
$ stint config --show
| setting          value                              from         variable               what it is
| providers        aws, lambda                        config.yaml  STINT_PROVIDERS        clouds you have accounts with: others are not shown
| currency         USD                                config.yaml  STINT_CURRENCY         currency of your budgets, such as USD or EUR
| budget           $100                               config.yaml  STINT_BUDGET           monthly budget
| machine          desktop-rtx4090                    config.yaml  STINT_MACHINE          machine type, as in 'stint catalog show local'
| country          DE                                 config.yaml  STINT_COUNTRY          country, for electricity and carbon
| electricity      $0.3/kWh                           config.yaml  STINT_ELECTRICITY      electricity price per kWh
| own_machine      no                                 default      STINT_OWN_MACHINE      own machine, not rented: a run costs its electricity
| owned            -                                  default      STINT_OWNED            machine-hours already paid for: plans use them first
| supply           -                                  default      STINT_SUPPLY           machines you can get: vast=4, aws/p5.48xlarge=16
| value_of_time    -                                  default      STINT_VALUE_OF_TIME    value of an hour of waiting, for plan and roi: 20usd/hr
| catalog          home/.config/stint/catalog         default      STINT_CATALOG          folder with your own facts and prices
| prices           home/.cache/stint                  default      STINT_PRICES           folder of fetched and imported prices
| ledger           home/.local/share/stint/ledger.db  default      STINT_LEDGER           ledger of runs and bills: a file, or postgres://HOST/DATABASE
| reports          -                                  default      STINT_REPORTS          folder for a report of each run (default: none is written)
| stale_after      30d                                default      STINT_STALE_AFTER      age above which Stint warns about prices
| to               -                                  default      STINT_TO               send runs to this server instead of the ledger: https://HOST:8712
| to_token         -                                  default      STINT_TO_TOKEN         file with the token for it (default: 'token' beside config.yaml; STINT_TOKEN is the token itself)
| to_certificates  -                                  default      STINT_TO_CERTIFICATES  CA bundle to verify the server, PEM (default: the system's)
| to_unencrypted   no                                 default      STINT_TO_UNENCRYPTED   allow plain http to it, on a trusted network only
| trusted_keys     -                                  default      STINT_TRUSTED_KEYS     public keys whose price packs are imported, such as ed25519:4f...
| 
| configuration file: home/.config/stint/config.yaml
$ stint init --providers gcp
! stint: 'home/.config/stint/config.yaml' exists already
!   hint: edit it, or write a new one with 'stint init --force'
? 1
$ stint init --providers gcp --currency EUR --budget 80eur --force
| wrote home/.config/stint/config.yaml (the old one is home/.config/stint/config.yaml.bak):
| 
| # Stint's configuration. 'stint config --show' shows what applies and why.
| providers: ["gcp"]  # clouds you have accounts with
| currency: EUR  # of your budgets; prices are in USD
| budget: 80EUR  # a month
| country: "US"  # where it is: electricity and carbon
| 
| next:
|   stint plan llama-2-7b --method lora --tokens 25M  # the cheapest way to train a LoRA
|   stint run -- sleep 3                              # meter a command: put your own in place of sleep 3
|   stint budget set month 80EUR --stop               # show spending against your budget, and stop runs when it is spent
|   stint demo                                        # look around in a made-up team's quarter, apart from your own ledger
$ STINT_CURRENCY=USD STINT_PROVIDERS=azure stint --catalog x config
| setting          value                              from             variable               what it is
| providers        azure                              STINT_PROVIDERS  STINT_PROVIDERS        clouds you have accounts with: others are not shown
| currency         USD                                STINT_CURRENCY   STINT_CURRENCY         currency of your budgets, such as USD or EUR
| budget           80 EUR                             config.yaml      STINT_BUDGET           monthly budget
| machine          -                                  default          STINT_MACHINE          machine type, as in 'stint catalog show local'
| country          US                                 config.yaml      STINT_COUNTRY          country, for electricity and carbon
| electricity      -                                  default          STINT_ELECTRICITY      electricity price per kWh
| own_machine      no                                 default          STINT_OWN_MACHINE      own machine, not rented: a run costs its electricity
| owned            -                                  default          STINT_OWNED            machine-hours already paid for: plans use them first
| supply           -                                  default          STINT_SUPPLY           machines you can get: vast=4, aws/p5.48xlarge=16
| value_of_time    -                                  default          STINT_VALUE_OF_TIME    value of an hour of waiting, for plan and roi: 20usd/hr
| catalog          x                                  --catalog        STINT_CATALOG          folder with your own facts and prices
| prices           home/.cache/stint                  default          STINT_PRICES           folder of fetched and imported prices
| ledger           home/.local/share/stint/ledger.db  default          STINT_LEDGER           ledger of runs and bills: a file, or postgres://HOST/DATABASE
| reports          -                                  default          STINT_REPORTS          folder for a report of each run (default: none is written)
| stale_after      30d                                default          STINT_STALE_AFTER      age above which Stint warns about prices
| to               -                                  default          STINT_TO               send runs to this server instead of the ledger: https://HOST:8712
| to_token         -                                  default          STINT_TO_TOKEN         file with the token for it (default: 'token' beside config.yaml; STINT_TOKEN is the token itself)
| to_certificates  -                                  default          STINT_TO_CERTIFICATES  CA bundle to verify the server, PEM (default: the system's)
| to_unencrypted   no                                 default          STINT_TO_UNENCRYPTED   allow plain http to it, on a trusted network only
| trusted_keys     -                                  default          STINT_TRUSTED_KEYS     public keys whose price packs are imported, such as ed25519:4f...
| 
| configuration file: home/.config/stint/config.yaml
$ STINT_CURRENCY=USD STINT_PROVIDERS=azure stint config --catalog x --json
| {"schema":"stint.config.show/1","path":"home/.config/stint/config.yaml","found":true,"settings":[{"name":"providers","value":"azure","origin":"STINT_PROVIDERS","env":"STINT_PROVIDERS","help":"clouds you have accounts with: others are not shown"},{"name":"currency","value":"USD","origin":"STINT_CURRENCY","env":"STINT_CURRENCY","help":"currency of your budgets, such as USD or EUR"},{"name":"budget","value":"80 EUR","origin":"config.yaml","env":"STINT_BUDGET","help":"monthly budget"},{"name":"machine","value":null,"origin":"default","env":"STINT_MACHINE","help":"machine type, as in 'stint catalog show local'"},{"name":"country","value":"US","origin":"config.yaml","env":"STINT_COUNTRY","help":"country, for electricity and carbon"},{"name":"electricity","value":null,"origin":"default","env":"STINT_ELECTRICITY","help":"electricity price per kWh"},{"name":"own_machine","value":"no","origin":"default","env":"STINT_OWN_MACHINE","help":"own machine, not rented: a run costs its electricity"},{"name":"owned","value":null,"origin":"default","env":"STINT_OWNED","help":"machine-hours already paid for: plans use them first"},{"name":"supply","value":null,"origin":"default","env":"STINT_SUPPLY","help":"machines you can get: vast=4, aws/p5.48xlarge=16"},{"name":"value_of_time","value":null,"origin":"default","env":"STINT_VALUE_OF_TIME","help":"value of an hour of waiting, for plan and roi: 20usd/hr"},{"name":"catalog","value":"x","origin":"--catalog","env":"STINT_CATALOG","help":"folder with your own facts and prices"},{"name":"prices","value":"home/.cache/stint","origin":"default","env":"STINT_PRICES","help":"folder of fetched and imported prices"},{"name":"ledger","value":"home/.local/share/stint/ledger.db","origin":"default","env":"STINT_LEDGER","help":"ledger of runs and bills: a file, or postgres://HOST/DATABASE"},{"name":"reports","value":null,"origin":"default","env":"STINT_REPORTS","help":"folder for a report of each run (default: none is written)"},{"name":"stale_after","value":"30d","origin":"default","env":"STINT_STALE_AFTER","help":"age above which Stint warns about prices"},{"name":"to","value":null,"origin":"default","env":"STINT_TO","help":"send runs to this server instead of the ledger: https://HOST:8712"},{"name":"to_token","value":null,"origin":"default","env":"STINT_TO_TOKEN","help":"file with the token for it (default: 'token' beside config.yaml; STINT_TOKEN is the token itself)"},{"name":"to_certificates","value":null,"origin":"default","env":"STINT_TO_CERTIFICATES","help":"CA bundle to verify the server, PEM (default: the system's)"},{"name":"to_unencrypted","value":"no","origin":"default","env":"STINT_TO_UNENCRYPTED","help":"allow plain http to it, on a trusted network only"},{"name":"trusted_keys","value":null,"origin":"default","env":"STINT_TRUSTED_KEYS","help":"public keys whose price packs are imported, such as ed25519:4f..."}]}
$ STINT_STALE_AFTER=30 stint config
! stint: the environment's STINT_STALE_AFTER: stale_after: '30' is not a length of time
!   hint: give the unit: 30d, 30h, 30min or 30s
? 3
$ stint init --providers lmbda --force
! stint: there is no provider 'lmbda'
!   hint: did you mean 'lambda'?
? 4
$ stint init --machine desktop-rtx409 --force
! stint: there is no machine 'desktop-rtx409' in the catalog
!   hint: did you mean 'desktop-rtx4090'? 'stint catalog show local' lists them
? 4
$ stint init --budget 100 --force
! stint: --budget: '100' is not an amount of money
!   hint: give the currency: 100usd, or '$100' in quotes, since the shell expands $ and digits
? 2
$ stint init --currency dollars --force
! stint: 'dollars' is not a currency
!   hint: give the code of three letters: USD, EUR, JPY, ...
? 3

A new file can be named, and a broken one replaced.

$ stint init --config new.yaml --country SE
| wrote new.yaml:
| 
| # Stint's configuration. 'stint config --show' shows what applies and why.
| currency: USD  # of your budgets; prices are in USD
| country: "SE"  # where it is: electricity and carbon
| 
| next:
|   stint --config new.yaml plan llama-2-7b --method lora --tokens 25M  # the cheapest way to train a LoRA
|   stint --config new.yaml run -- sleep 3                              # meter a command: put your own in place of sleep 3
|   stint --config new.yaml demo                                        # look around in a made-up team's quarter, apart from your own ledger
$ echo '{' >new.yaml; stint init --config new.yaml --country SE --force; stint config --config new.yaml
| wrote new.yaml (the old one is new.yaml.bak):
| 
| # Stint's configuration. 'stint config --show' shows what applies and why.
| currency: USD  # of your budgets; prices are in USD
| country: "SE"  # where it is: electricity and carbon
| 
| next:
|   stint --config new.yaml plan llama-2-7b --method lora --tokens 25M  # the cheapest way to train a LoRA
|   stint --config new.yaml run -- sleep 3                              # meter a command: put your own in place of sleep 3
|   stint --config new.yaml demo                                        # look around in a made-up team's quarter, apart from your own ledger
| setting          value                              from      variable               what it is
| providers        -                                  default   STINT_PROVIDERS        clouds you have accounts with: others are not shown
| currency         USD                                new.yaml  STINT_CURRENCY         currency of your budgets, such as USD or EUR
| budget           -                                  default   STINT_BUDGET           monthly budget
| machine          -                                  default   STINT_MACHINE          machine type, as in 'stint catalog show local'
| country          SE                                 new.yaml  STINT_COUNTRY          country, for electricity and carbon
| electricity      -                                  default   STINT_ELECTRICITY      electricity price per kWh
| own_machine      no                                 default   STINT_OWN_MACHINE      own machine, not rented: a run costs its electricity
| owned            -                                  default   STINT_OWNED            machine-hours already paid for: plans use them first
| supply           -                                  default   STINT_SUPPLY           machines you can get: vast=4, aws/p5.48xlarge=16
| value_of_time    -                                  default   STINT_VALUE_OF_TIME    value of an hour of waiting, for plan and roi: 20usd/hr
| catalog          home/.config/stint/catalog         default   STINT_CATALOG          folder with your own facts and prices
| prices           home/.cache/stint                  default   STINT_PRICES           folder of fetched and imported prices
| ledger           home/.local/share/stint/ledger.db  default   STINT_LEDGER           ledger of runs and bills: a file, or postgres://HOST/DATABASE
| reports          -                                  default   STINT_REPORTS          folder for a report of each run (default: none is written)
| stale_after      30d                                default   STINT_STALE_AFTER      age above which Stint warns about prices
| to               -                                  default   STINT_TO               send runs to this server instead of the ledger: https://HOST:8712
| to_token         -                                  default   STINT_TO_TOKEN         file with the token for it (default: 'token' beside config.yaml; STINT_TOKEN is the token itself)
| to_certificates  -                                  default   STINT_TO_CERTIFICATES  CA bundle to verify the server, PEM (default: the system's)
| to_unencrypted   no                                 default   STINT_TO_UNENCRYPTED   allow plain http to it, on a trusted network only
| trusted_keys     -                                  default   STINT_TRUSTED_KEYS     public keys whose price packs are imported, such as ed25519:4f...
| 
| configuration file: new.yaml

The old file is kept as a backup; a link stays a link; a country has two letters.

$ cat new.yaml.bak
| {
$ mkdir dots; mv new.yaml dots/real.yaml; ln -s dots/real.yaml new.yaml; stint init --config new.yaml --country FR --force >/dev/null; readlink new.yaml; grep country dots/real.yaml
| dots/real.yaml
| country: "FR"  # where it is: electricity and carbon
$ stint init --config other.yaml --country Germany
! stint: there is no country 'Germany'
!   hint: give its two letters: US, DE, JP, ...
? 4
$ stint init --config other.yaml --budget 1e40usd; ls other.yaml
! stint: other.yaml:3:9: budget: '10000000000000000000000000000000000000000USD' is not an amount of money
!   hint: write it as 100usd, 99.50EUR or, in quotes, '$100'
! ls: cannot access 'other.yaml': No such file or directory
? 2
The providers one has accounts with are those that are shown.

$ stint init --config mine.yaml --providers lambda >/dev/null; stint price compare H100 --hours 1 --config mine.yaml
| 1x H100-SXM-80GB for 1 hour, set-up and 10 GB of egress included
| 
|    provider  region  machines          GPUs  per hour  total  on spot      80 % range  savings   set-up  egress   age
| *  lambda    *       gpu_1x_h100_sxm5     1     $4.29  $4.65        ?  $3.78 to $5.71        -  $0.3575   $0.00  85 d
| 
| * cheapest on demand, s cheapest on spot (before interruptions); set-up times are estimates
| 1 price, read on 2026-08-22; it is 85 days old
! stint: note: only your providers (lambda); --provider '*' shows all
! stint: note: 'H100' means H100-SXM-80GB, the SXM form with the most memory
! stint: warning: 1 of 1 prices is more than 30 days old (oldest: 2026-08-22); 'stint price doctor' shows what to run
$ stint price compare H100 --hours 1 --config mine.yaml --provider '*' --limit 1 2>&1 | grep -c 'your settings'
| 0
? 1
$ STINT_PROVIDERS=nobody stint price list
! stint: note: only your providers (nobody); --provider '*' shows all
! stint: there is no provider 'nobody'
!   hint: 'stint catalog show providers' lists them
? 4
$ STINT_MACHINE=desktop-rtx4090 stint price list --kind local
| offer                     GPUs        GPU GB  on-demand  spot  savings  per GPU  age
| local/US/desktop-rtx4090  1x RTX4090      24    $0.1044     ?        -  $0.1044  0 d
| 
| US dollars an hour, for the complete machine and for one of its GPUs
| 1 price, read on 2026-11-15; it is 0 days old
$ STINT_CURRENCY=ZZZ stint price list
! stint: currency: 'ZZZ' is not a currency
!   hint: give the code of three letters: USD, EUR, JPY, ...
? 3

A given file must exist and be valid.

$ stint config --config nowhere.yaml
! stint: cannot open 'nowhere.yaml': No such file or directory
? 4
$ printf 'providers: [aws]\nbugdet: $100\n' >typo.yaml; stint config --config typo.yaml
! stint: typo.yaml:2:1: there is no key 'bugdet'
!   hint: did you mean 'budget'?
? 3
$ printf 'budget: 100\n' >bare.yaml; stint config --config bare.yaml
! stint: bare.yaml:1:9: budget: '100' is not an amount of money
!   hint: give the currency: 100usd, or '$100' in quotes, since the shell expands $ and digits
? 3
$ printf 'currency: USD\ncurrency: EUR\n' >twice.yaml; stint config --config twice.yaml
! stint: twice.yaml:2:1: the second key 'currency'
!   hint: the first 'currency' is on line 1: keep one of them
? 3
$ printf 'stale_after: 30\n' >span.yaml; stint config --config span.yaml
! stint: span.yaml:1:14: stale_after: '30' is not a length of time
!   hint: give the unit: 30d, 30h, 30min or 30s
? 3
$ printf 'providers: &a [aws]\ncurrency: *a\n' >anchor.yaml; stint config --config anchor.yaml
! stint: anchor.yaml:2:11: currency: expected one value
? 3
$ printf '\tcurrency: USD\n' >tab.yaml; stint config --config tab.yaml
! stint: tab.yaml:1:1: found character that cannot start any token
!   hint: indent with blanks, not tabs, and quote values that start with %, @ or `
? 3
$ printf '\000\001\002' >junk.yaml; stint config --config junk.yaml
! stint: junk.yaml:1:1: control characters are not allowed
? 3
$ printf -- '- a\n- b\n' >list.yaml; stint config --config list.yaml
! stint: list.yaml:1:1: expected keys and values
? 3
$ stint config --config .
! stint: '.' is a folder, not a file
? 3

On a terminal, init asks four questions; a wrong answer is explained and asked again.

$ printf 'lmbda\nlambda\n50\n50usd\nGermany\nDE\nmine\nyes\n' | script -E never -qec 'stint init --config asked.yaml' /dev/null | tr -d '\r'
| Four questions. Enter takes the answer in brackets; Ctrl-C writes nothing;
| every answer can be changed later.
| 
| Plans and prices show these clouds; with 'all', every cloud.
| 1/4 Clouds you rent from, such as aws,lambda,runpod [all]:   there is no provider 'lmbda'; did you mean 'lambda'?
| 1/4 Clouds you rent from, such as aws,lambda,runpod [all]: 
| Runs stop before they exceed the month's budget; its currency becomes yours.
| 2/4 Monthly budget, such as 100usd or 80eur [none]:   budget: '50' is not an amount of money; give the currency: 50usd, or '$50' in quotes, since the shell expands $ and digits
| 2/4 Monthly budget, such as 100usd or 80eur [none]: 
| It decides the price and the carbon of electricity.
| 3/4 Country of this machine, two letters [US]:   there is no country 'Germany'; give its two letters: US, DE, JP, ...
| 3/4 Country of this machine, two letters [US]: 
| A run on your own machine costs its electricity. On a rented one, budgets need its price.
| 4/4 Is this machine your own, not rented? yes or no [no]:   own_machine: 'mine' is not yes or no
| 4/4 Is this machine your own, not rented? yes or no [no]: 
| wrote asked.yaml:
| 
| # Stint's configuration. 'stint config --show' shows what applies and why.
| providers: ["lambda"]  # clouds you have accounts with
| currency: USD  # of your budgets; prices are in USD
| budget: 50USD  # a month
| country: "DE"  # where it is: electricity and carbon
| own_machine: true  # not rented: a run costs its electricity
| 
| next:
|   stint --config asked.yaml plan llama-2-7b --method lora --tokens 25M  # the cheapest way to train a LoRA
|   stint --config asked.yaml run -- sleep 3                              # meter a command: put your own in place of sleep 3
|   stint --config asked.yaml budget set month 50USD                      # show spending against your budget, which already stops runs
|   stint --config asked.yaml demo                                        # look around in a made-up team's quarter, apart from your own ledger

Enter takes the defaults; 'all' and 'none' say so in words; --yes asks nothing, nor does an option.

$ long=$(printf 'f%.0s' $(seq 100)); mkdir $long; stint init --yes --config $long/c.yaml | head -1 | tr -d f; stint init --yes --force --config $long/c.yaml | head -1 | tr -d f
| wrote /c.yaml:
| wrote /c.yaml (the old one is /c.yaml.bak):
$ printf 'aws; Lambda  runpod\n\n\n\n' | script -E never -qec 'stint init --config parted.yaml' /dev/null | grep providers
| providers: ["aws", "Lambda", "runpod"]  # clouds you have accounts with
$ printf '\n\n\n\n' | TZ=Europe/Berlin script -E never -qec 'stint init --config enter.yaml' /dev/null | tr -d '\r' | sed -n '/^3/,$p'
| 3/4 Country of this machine, two letters [DE, by the time zone Europe/Berlin]: 
| A run on your own machine costs its electricity. On a rented one, budgets need its price.
| 4/4 Is this machine your own, not rented? yes or no [no]: 
| wrote enter.yaml:
| 
| # Stint's configuration. 'stint config --show' shows what applies and why.
| currency: USD  # of your budgets; prices are in USD
| country: "DE"  # where it is: electricity and carbon (by its time zone, Europe/Berlin)
| 
| next:
|   stint --config enter.yaml plan llama-2-7b --method lora --tokens 25M  # the cheapest way to train a LoRA
|   stint --config enter.yaml run -- sleep 3                              # meter a command: put your own in place of sleep 3
|   stint --config enter.yaml demo                                        # look around in a made-up team's quarter, apart from your own ledger
$ printf 'all\nnone\nse\nno\n' | script -E never -qec 'stint init --config words.yaml' /dev/null | tr -d '\r' | sed -n '/^wrote/,/^$/p'; cat words.yaml
| wrote words.yaml:
| 
| # Stint's configuration. 'stint config --show' shows what applies and why.
| currency: USD  # of your budgets; prices are in USD
| country: "se"  # where it is: electricity and carbon
$ TZ=Europe/Berlin script -E never -qec 'stint init --config yes.yaml --yes' /dev/null </dev/null | tr -d '\r' | head -n 5
| wrote yes.yaml:
| 
| # Stint's configuration. 'stint config --show' shows what applies and why.
| currency: USD  # of your budgets; prices are in USD
| country: "DE"  # where it is: electricity and carbon (by its time zone, Europe/Berlin)
$ script -E never -qec 'stint init --config option.yaml --budget 80eur' /dev/null </dev/null | tr -d '\r' | head -n 5
| wrote option.yaml:
| 
| # Stint's configuration. 'stint config --show' shows what applies and why.
| currency: EUR  # of your budgets; prices are in USD
| budget: 80EUR  # a month

What it names as next steps works.

$ stint init --yes --force --budget 50usd --json >first.json; stint init --yes --force --config 'a b.yaml' --providers openai --budget 80eur --json >second.json
$ sed 's/"command":/\n&/g' first.json second.json | sed -n 's/^"command":"\([^"]*\)".*/\1/p' >steps; cat steps
| stint plan llama-2-7b --method lora --tokens 25M
| stint run -- sleep 3
| stint budget set month 50USD
| stint demo
| stint --config 'a b.yaml' plan llama-2-7b --method lora --tokens 25M --provider '*'
| stint --config 'a b.yaml' run -- sleep 3
| stint --config 'a b.yaml' budget set month 80EUR --stop
| stint --config 'a b.yaml' demo
$ while read -r line; do rm -rf stint-demo; eval "$line" >out 2>&1 || echo "$line failed"; done <steps

A configuration that exists, the end of the input, Ctrl-C, only wrong answers: nothing is written.

$ echo 'x' >there.yaml; printf 'aws\n' | script -E never -qec 'stint init --config there.yaml' /dev/null | tr -d '\r'; cat there.yaml
| stint: 'there.yaml' exists already
|   hint: edit it, or write a new one with 'stint init --force'
| x
$ printf 'aws\n\004' | script -E never -qec 'stint init --config unasked.yaml' /dev/null | tr -d '\r' | tail -n 2; ls unasked.yaml*
| stint: no answer: nothing was written
|   hint: answers can be flags: 'stint init --providers aws --budget 100usd'
! ls: cannot access 'unasked.yaml*': No such file or directory
? 2
$ (printf 'aws\n'; sleep 1; printf '\003') | script -E never -qec 'stint init --config unasked.yaml' /dev/null >/dev/null; ls unasked.yaml*
! ls: cannot access 'unasked.yaml*': No such file or directory
? 2
$ yes xx | head -n 30 | script -E never -qec 'stint init --config unasked.yaml' /dev/null | tr -d '\r' | tail -n 2; ls unasked.yaml*
| stint: no answer that can be used: nothing was written
|   hint: 'stint init --help' lists the flags; 'stint init --yes' asks nothing
! ls: cannot access 'unasked.yaml*': No such file or directory
? 2
