A full disk, no home, a home that cannot be written: one line, the right status, no partial files.

$ stint gpu list >/dev/full
! stint: warning: 63 of 66 prices are more than 30 days old (oldest: 2025-09-30); 'stint price doctor' shows what to run
! stint: standard output: cannot write: No space left on device
? 1
$ env -u HOME stint price list --gpu h100 --provider aws --region us-east-1 --json | cut -c1-40
| {"schema":"stint.price.list/1","offers":
! stint: note: 'h100' means H100-SXM-80GB, the SXM form with the most memory
! stint: warning: all 2 prices are old (newest: 2026-08-22, 85 days); 'stint price fetch skypilot' updates them
$ env -u HOME stint init
! stint: there is no home folder to keep the configuration in
!   hint: set HOME or XDG_CONFIG_HOME, or name the file with --config FILE
? 1
$ env -u HOME stint config
| setting          value  from     variable               what it is
| providers        -      default  STINT_PROVIDERS        clouds you have accounts with: others are not shown
| currency         USD    default  STINT_CURRENCY         currency of your budgets, such as USD or EUR
| budget           -      default  STINT_BUDGET           monthly budget
| machine          -      default  STINT_MACHINE          machine type, as in 'stint catalog show local'
| country          US     default  STINT_COUNTRY          country, for electricity and carbon
| electricity      -      default  STINT_ELECTRICITY      electricity price per kWh
| own_machine      no     default  STINT_OWN_MACHINE      own machine, not rented: a run costs its electricity
| owned            -      default  STINT_OWNED            machine-hours already paid for: plans use them first
| supply           -      default  STINT_SUPPLY           machines you can get: vast=4, aws/p5.48xlarge=16
| value_of_time    -      default  STINT_VALUE_OF_TIME    value of an hour of waiting, for plan and roi: 20usd/hr
| catalog          -      default  STINT_CATALOG          folder with your own facts and prices
| prices           -      default  STINT_PRICES           folder of fetched and imported prices
| ledger           -      default  STINT_LEDGER           ledger of runs and bills: a file, or postgres://HOST/DATABASE
| reports          -      default  STINT_REPORTS          folder for a report of each run (default: none is written)
| stale_after      30d    default  STINT_STALE_AFTER      age above which Stint warns about prices
| to               -      default  STINT_TO               send runs to this server instead of the ledger: https://HOST:8712
| to_token         -      default  STINT_TO_TOKEN         file with the token for it (default: 'token' beside config.yaml; STINT_TOKEN is the token itself)
| to_certificates  -      default  STINT_TO_CERTIFICATES  CA bundle to verify the server, PEM (default: the system's)
| to_unencrypted   no     default  STINT_TO_UNENCRYPTED   allow plain http to it, on a trusted network only
| trusted_keys     -      default  STINT_TRUSTED_KEYS     public keys whose price packs are imported, such as ed25519:4f...
| 
| no configuration file: there is no home folder
$ HOME=/proc stint init
! stint: cannot make the folder '/proc/.config': No such file or directory
? 1
$ HOME=/dev/null stint init
! stint: cannot make the folder '/dev/null/.config': Not a directory
? 1
$ mkdir -p ro/.config/stint; printf 'currency: USD\n' >ro/.config/stint/config.yaml; HOME=ro stint init; cat ro/.config/stint/config.yaml; ls ro/.config/stint
| currency: USD
| config.yaml
! stint: 'ro/.config/stint/config.yaml' exists already
!   hint: edit it, or write a new one with 'stint init --force'
$ stint gpu show t4 --log /nowhere/log
! stint: cannot write the log '/nowhere/log': No such file or directory
? 1
$ STINT_LOG=debug stint gpu show t4 --json 2>&1 >/dev/null | sed 's/ reading.*//; s/ ([0-9.]* ms)$//; s/^[^ ]* //; s/[0-9]\{2,\}/N/g'
| debug: stint gpu show, configuration home/.config/stint/config.yaml: no such file
| debug: facts: rows of accelerators N, names N
| debug: facts: rows of offers N, providers N
| debug: facts: rows of discounts 0, exchange 0, price_drift N, retired N
| debug: price store home/.cache/stint/prices.db: 0 offers, 0 prices of 0 feeds
| debug: prices: N rows, built in and of the store
| debug: machines: N selected
| debug: gpu.show: done
$ stint gpu show t4 --log log.txt --json >/dev/null; sed 's/ ([0-9.]* ms)$//; s/^[^ ]* //; s/[0-9]\{2,\}/N/g' log.txt
| debug: stint gpu show, configuration home/.config/stint/config.yaml: no such file
| debug: facts: rows of accelerators N, names N
| debug: facts: rows of offers N, providers N
| debug: facts: rows of discounts 0, exchange 0, price_drift N, retired N
| debug: price store home/.cache/stint/prices.db: 0 offers, 0 prices of 0 feeds
| debug: prices: N rows, built in and of the store
| debug: machines: N selected
| debug: gpu.show: done
$ stint gpu list | head -1
| name                       year   GB  GB/s  bf16  fp16   fp8  link GB/s     W  from/hr  spot/hr    age
! stint: warning: 63 of 66 prices are more than 30 days old (oldest: 2025-09-30); 'stint price doctor' shows what to run
