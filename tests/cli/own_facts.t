Files of the user's override rows with the same key, and add others.
needs: xz zstd

$ mkdir facts
$ printf 'provider,region,zone,instance,accelerator,count,on_demand_usd_h,date,source\nacme,cellar,,box8,H100-SXM-80GB,8,12.00,2026-11-10,our contract\naws,us-east-1,,p5.48xlarge,H100-SXM-80GB,8,40.00,2026-11-01,our contract\n' >facts/offers.csv
$ printf 'provider,title,setup_s,reliability,date,source\nacme,Acme Cellar,60,0.9,2026-11-10,ourselves\n' >facts/providers.csv
$ stint price compare H100x8 --hours 10 --catalog facts --provider acme,aws --region 'us-east-1,cellar'
| 8x H100-SXM-80GB for 10 hours, set-up and 10 GB of egress included
| 
|    provider  region     machines     GPUs  per hour  vs AWS    total  on spot  savings   set-up  egress   age
|    acme      cellar     box8            8    $12.00   -70 %  $120.20        ?        -  $0.2000       ?   5 d
| *  aws       us-east-1  p5.48xlarge     8    $40.00     0 %  $404.67        ?        -    $4.67   $0.00  14 d
| 
| * cheapest on demand, s cheapest on spot (before interruptions); set-up times are estimates
| vs AWS: a GPU-hour on demand and the cheapest of AWS in the list
| totals do not include set-up or egress that is unknown ('?')
| 2 prices, read between 2026-11-01 and 2026-11-10; the newest is 5 days old
! stint: note: 'H100' means H100-SXM-80GB, the SXM form with the most memory
! stint: note: 1 offer is left out: its machines cannot be joined, or there are not enough; --separate shows it
$ stint catalog show offers --catalog facts --where instance=p5.48xlarge,region=us-east-1 --history
| provider  region     zone  instance     accelerator    count  vcpus  memory_gib  on_demand_usd_h  spot_usd_h  date        source                                    notes
| aws       us-east-1  -     p5.48xlarge  H100-SXM-80GB  8      -      -           $40.00/hr        -           2026-11-01  our contract                              -
| aws       us-east-1  -     p5.48xlarge  H100-SXM-80GB  8      192    2048        $55.04/hr        $20.62/hr   2026-08-22  SkyPilot catalog f2624ac (2026-08-22)     spot in use1-az6
| aws       us-east-1  -     p5.48xlarge  H100-SXM-80GB  8      192    2048        $55.04/hr        $26.00/hr   2025-06-05  SkyPilot catalog git history              spot in use1-az6
| aws       us-east-1  -     p5.48xlarge  H100-SXM-80GB  8      192    2048        $98.32/hr        $39.74/hr   2025-01-02  SkyPilot catalog git history              spot in use1-az5
| aws       us-east-1  -     p5.48xlarge  H100-SXM-80GB  8      192    2048        $98.32/hr        -           2025-01-01  DeepSpeed Cost Optimization Guide (2025)  date approximate (the guide says 2024)
| aws       us-east-1  -     p5.48xlarge  H100-SXM-80GB  8      192    2048        $98.32/hr        $70.53/hr   2024-01-01  SkyPilot catalog git history              spot in use1-az5
| 
| 6 rows of offers; '-' is unknown; --json has every column
Compressed files are read as they are.

$ gzip facts/offers.csv; stint price list --catalog facts --provider acme
| offer             GPUs              GPU GB  on-demand  spot  savings  per GPU  age
| acme/cellar/box8  8x H100-SXM-80GB      80     $12.00     ?        -    $1.50  5 d
| 
| US dollars an hour, for the complete machine and for one of its GPUs
| 1 price, read on 2026-11-10; it is 5 days old
$ gzip -d facts/offers.csv.gz; xz facts/offers.csv; stint price list --catalog facts --provider acme
| offer             GPUs              GPU GB  on-demand  spot  savings  per GPU  age
| acme/cellar/box8  8x H100-SXM-80GB      80     $12.00     ?        -    $1.50  5 d
| 
| US dollars an hour, for the complete machine and for one of its GPUs
| 1 price, read on 2026-11-10; it is 5 days old
$ xz -d facts/offers.csv.xz; zstd -q --rm facts/offers.csv; stint price list --catalog facts --provider acme
| offer             GPUs              GPU GB  on-demand  spot  savings  per GPU  age
| acme/cellar/box8  8x H100-SXM-80GB      80     $12.00     ?        -    $1.50  5 d
| 
| US dollars an hour, for the complete machine and for one of its GPUs
| 1 price, read on 2026-11-10; it is 5 days old
$ head -c 60 facts/offers.csv.zst >x; mv x facts/offers.csv.zst; stint price list --catalog facts --provider acme
! stint: facts/offers.csv.zst: the zstd data are damaged or cut off
? 3
Without the loadable part that unpacks, the message says what is missing.

$ cp "$(realpath "$(command -v stint)")" alone; STINT_PARTS=/nowhere ./alone price list --catalog facts
! stint: the part 'compress' of Stint is not installed
!   hint: install Stint again, or set STINT_PARTS to the folder of its parts
? 1
The folder in the home is read without being named.

$ rm -r facts; mkdir -p home/.config/stint/catalog; printf 'country,kind,usd_per_kwh,date,source\nUS,household,0.50,2026-11-01,my bill\n' >home/.config/stint/catalog/electricity.csv; stint price list --kind local --gpu 4090
| offer                        GPUs        GPU GB  on-demand  spot  savings  per GPU  age
| local/US/desktop-2x-rtx4090  2x RTX4090      24    $0.6000     ?        -  $0.3000  0 d
| local/US/desktop-rtx4090     1x RTX4090      24    $0.3165     ?        -  $0.3165  0 d
| 
| US dollars an hour, for the complete machine and for one of its GPUs
| 2 prices, read on 2026-11-15; the newest is 0 days old
