Stint's own CSV: the fewest columns.
$ printf 'provider,region,instance,accelerator,count,on_demand_usd_h,spot_usd_h,date\nacme,eu-1,big,H100,8,20,9.5,2026-11-14\nacme,eu-1,small,A100 80GB,1,1.25,,2026-11-14\n' >acme.csv
$ stint price import acme.csv
| file      format  stored as  provider  prices from  rows  machines  not ours  bad
| acme.csv  stint   private    -          2026-11-14     2         2         0    0
| 
| 2 offers, 2 of them new; prices: 3 changed, 0 confirmed, 0 gone
| stored in home/.cache/stint/prices.db
$ stint price list --provider acme
| offer            GPUs              GPU GB  on-demand   spot  savings  per GPU  age
| acme/eu-1/small  1x A100-SXM-80GB      80      $1.25      ?        -    $1.25  1 d
| acme/eu-1/big    8x H100-SXM-80GB      80     $20.00  $9.50     53 %    $2.50  1 d
| 
| US dollars an hour, for the complete machine and for one of its GPUs
| 2 prices, read on 2026-11-14; the newest is 1 day old
$ stint price list --provider acme --json
| {"schema":"stint.price.list/1","offers":[{"offer":"acme/eu-1/small","provider":"acme","region":"eu-1","instance":"small","kind":"cloud","accelerator":"A100-SXM-80GB","count":1,"gpu_memory_gb":80,"vcpus":null,"memory_gib":null,"on_demand":{"amount":"1.25","currency":"USD"},"spot":null,"spot_savings":null,"per_gpu":{"amount":"1.25","currency":"USD"},"date":"2026-11-14","age_days":1,"source":"private (acme.csv)","notes":null,"list_on_demand":null,"list_spot":null,"price_low":{"amount":"1.25","currency":"USD"},"price_high":{"amount":"1.25","currency":"USD"},"price_unchanged":0.998,"outlier":false,"conflict":null},{"offer":"acme/eu-1/big","provider":"acme","region":"eu-1","instance":"big","kind":"cloud","accelerator":"H100-SXM-80GB","count":8,"gpu_memory_gb":80,"vcpus":null,"memory_gib":null,"on_demand":{"amount":"20","currency":"USD"},"spot":{"amount":"9.5","currency":"USD"},"spot_savings":0.525,"per_gpu":{"amount":"2.5","currency":"USD"},"date":"2026-11-14","age_days":1,"source":"private (acme.csv)","notes":null,"list_on_demand":null,"list_spot":null,"price_low":{"amount":"20","currency":"USD"},"price_high":{"amount":"20","currency":"USD"},"price_unchanged":0.998,"outlier":false,"conflict":null}],"age":{"newest":"2026-11-14","oldest":"2026-11-14","newest_days":1,"stale":0,"future":0,"total":2}}
Bare lists, and a catalog of gpuhunt, whose file name contains the provider.
$ mkdir -p hunt; printf 'instance_name,location,price,cpu,memory,gpu_count,gpu_name,gpu_memory,spot\n12345,se,0.34,16,64.0,1,RTX4090,24.0,False\nc1,se,0.01,2,4.0,0,,,False\n' >hunt/vastai.csv
$ echo '[{"id":"NVIDIA H100 80GB HBM3","displayName":"H100 SXM","memoryInGb":80,"maxGpuCount":1,"secureCloud":true,"communityCloud":false,"securePrice":2.99,"secureSpotPrice":1.75}]' >gpus.json
$ echo '[{"gpu_name":"RTX 4090","num_gpus":1,"gpu_ram":24564,"dph_base":0.34,"min_bid":0.19,"geolocation":"Sweden, SE","verification":"verified","rentable":true}]' >offers.json
$ stint --prices lists price import --date 2026-11-14 hunt/vastai.csv gpus.json offers.json
| file             format       stored as   provider  prices from  rows  machines  not ours  bad
| hunt/vastai.csv  gpuhunt      gpuhunt     vast       2026-11-14     2         1         1    0
| gpus.json        runpod-list  runpod-api  runpod     2026-11-14     1         1         0    0
| offers.json      vast-list    vast-api    vast       2026-11-14     1         2         0    0
| 
| 3 offers, 3 of them new; prices: 5 changed, 0 confirmed, 0 gone, 1 doubtful ('stint price doctor' lists them)
| stored in lists/prices.db
$ stint --prices lists price list --provider vast --gpu RTX4090 --region SE
| offer                         GPUs        GPU GB  on-demand  spot  savings  per GPU        80 % range  age
| vast/SE/1x-RTX_4090-32-65536  1x RTX4090      24    $0.3400     ?        -  $0.3400  $0.314 to $0.369  1 d
| vast/se/12345                 1x RTX4090      24    $0.3400     ?        -  $0.3400  $0.314 to $0.369  1 d
| 
| US dollars an hour, for the complete machine and for one of its GPUs
| 2 prices, read on 2026-11-14; the newest is 1 day old
! stint: note: 3 offers have one price everywhere and no region: left out (--region '*' includes them)
$ stint --prices lists price list --provider runpod --gpu H100
| offer                           GPUs              GPU GB  on-demand   spot  savings  per GPU  age
| runpod/*/1x_H100-SXM_COMMUNITY  1x H100-SXM-80GB      80      $2.69      ?        -    $2.69  6 d
| runpod/*/1x_H100-SXM_SECURE     1x H100-SXM-80GB      80      $2.99  $1.75     41 %    $2.99  1 d
| runpod/*/2x_H100-SXM_SECURE     2x H100-SXM-80GB      80      $7.98      ?        -    $3.99  6 d
| runpod/*/4x_H100-SXM_SECURE     4x H100-SXM-80GB      80     $15.96      ?        -    $3.99  6 d
| runpod/*/8x_H100-SXM_SECURE     8x H100-SXM-80GB      80     $31.92      ?        -    $3.99  6 d
| 
| US dollars an hour, for the complete machine and for one of its GPUs
| 5 prices, read between 2026-11-09 and 2026-11-14; the newest is 1 day old
! stint: note: 'H100' means H100-SXM-80GB, the SXM form with the most memory
Again: nothing changes.
$ stint price import acme.csv
| file      format  stored as  provider  prices from  rows  machines  not ours  bad
| acme.csv  stint   private    -          2026-11-14     2         2         0    0
| 
| 2 offers, 0 of them new; prices: 0 changed, 3 confirmed, 0 gone
| stored in home/.cache/stint/prices.db
Another day, another price; the old one is history.
$ printf 'provider,region,instance,accelerator,count,on_demand_usd_h,date\nacme,eu-1,big,H100,8,18,2026-11-15\n' | gzip >acme2.csv.gz; touch -d 2026-11-15 acme2.csv.gz
$ stint price import acme2.csv.gz
| file          format  stored as  provider  prices from  rows  machines  not ours  bad
| acme2.csv.gz  stint   private    -          2026-11-15     1         1         0    0
| 
| 1 offer, 0 of them new; prices: 1 changed, 0 confirmed, 0 gone
| stored in home/.cache/stint/prices.db
! stint: note: 1 file has no date of prices: the day on which it was written is used; --date sets it
$ stint price list --provider acme
| offer            GPUs              GPU GB  on-demand   spot  savings  per GPU  age
| acme/eu-1/small  1x A100-SXM-80GB      80      $1.25      ?        -    $1.25  1 d
| acme/eu-1/big    8x H100-SXM-80GB      80     $18.00  $9.50     47 %    $2.25  0 d
| 
| US dollars an hour, for the complete machine and for one of its GPUs
| 2 prices, read between 2026-11-14 and 2026-11-15; the newest is 0 days old
Euros need a rate; a rate has a date.
$ printf 'provider,region,instance,accelerator,count,price,currency\nacme,eu-2,big,H100,8,17.50,EUR\n' >euro.csv
$ stint price import euro.csv --date 2026-11-15
| file      format  stored as  provider  prices from  rows  machines  not ours  bad
| euro.csv  stint   private    -          2026-11-15     1         1         0    0
| 
| 1 offer, 1 of them new; prices: 1 changed, 0 confirmed, 0 gone
| stored in home/.cache/stint/prices.db
$ stint price list --provider acme
| offer            GPUs              GPU GB  on-demand   spot  savings  per GPU  age
| acme/eu-1/small  1x A100-SXM-80GB      80      $1.25      ?        -    $1.25  1 d
| acme/eu-1/big    8x H100-SXM-80GB      80     $18.00  $9.50     47 %    $2.25  0 d
| 
| US dollars an hour, for the complete machine and for one of its GPUs
| 2 prices, read between 2026-11-14 and 2026-11-15; the newest is 0 days old
! stint: warning: left out: 1 offer priced in EUR; add its rate to exchange.csv ('stint price import' takes it)
$ printf 'currency,usd,date,source\nEUR,1.1,2026-11-01,the bank\nEUR,1.0,2026-01-01,the bank\n' >rates.csv
$ stint price import rates.csv
| 2 rows of exchange written to home/.config/stint/catalog/exchange.csv
$ stint price list --provider acme
| offer            GPUs              GPU GB  on-demand   spot  savings  per GPU  age
| acme/eu-1/small  1x A100-SXM-80GB      80      $1.25      ?        -    $1.25  1 d
| acme/eu-1/big    8x H100-SXM-80GB      80     $18.00  $9.50     47 %    $2.25  0 d
| acme/eu-2/big    8x H100-SXM-80GB      80     $19.25      ?        -    $2.41  0 d
| 
| US dollars an hour, for the complete machine and for one of its GPUs
| 3 prices, read between 2026-11-14 and 2026-11-15; the newest is 0 days old
! stint: note: prices in EUR are converted: 1 EUR = 1.1 USD of 2026-11-01 (home/.config/stint/catalog/exchange.csv:2)
Negotiated prices.
$ printf 'provider,region,instance,discount,price_h,date,source\nacme,*,*,10%%,,2026-11-01,contract\nacme,eu-1,small,,1.00,2026-11-01,contract\n' >terms.csv
$ stint price import terms.csv
| 2 rows of discounts written to home/.config/stint/catalog/discounts.csv
$ stint price list --provider acme
| offer            GPUs              GPU GB  on-demand   spot  savings  per GPU  age
| acme/eu-1/small  1x A100-SXM-80GB      80      $1.00      ?        -    $1.00  1 d
| acme/eu-1/big    8x H100-SXM-80GB      80     $16.20  $9.50     41 %    $2.03  0 d
| acme/eu-2/big    8x H100-SXM-80GB      80     $17.33      ?        -    $2.17  0 d
| 
| US dollars an hour, for the complete machine and for one of its GPUs
| 3 prices, read between 2026-11-14 and 2026-11-15; the newest is 0 days old
! stint: note: your discounts are taken off (of 3 offers)
! stint: note: prices in EUR are converted: 1 EUR = 1.1 USD of 2026-11-01 (home/.config/stint/catalog/exchange.csv:2)
$ ls home/.config/stint/catalog home/.cache/stint
| home/.cache/stint:
| prices.db
| 
| home/.config/stint/catalog:
| discounts.csv
| exchange.csv
Folders are searched, and what is not a price list in them is left alone.
$ mkdir -p catalogs/v8/newcloud; printf 'InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,Price,SpotPrice,Region\ng1,H100,1,8,64,,2.5,1.0,north\ng2,,,8,64,,0.5,,north\n' >catalogs/v8/newcloud/vms.csv; echo hello >catalogs/README
$ stint price import catalogs --date 2026-11-10
| file                          format    stored as  provider  prices from  rows  machines  not ours  bad
| catalogs/v8/newcloud/vms.csv  skypilot  skypilot   newcloud   2026-11-10     2         1         1    0
| 
| 1 offer, 1 of them new; prices: 2 changed, 0 confirmed, 0 gone
| stored in home/.cache/stint/prices.db
$ stint price list --provider newcloud
| offer              GPUs              GPU GB  on-demand   spot  savings  per GPU  age
| newcloud/north/g1  1x H100-SXM-80GB      80      $2.50  $1.00     60 %    $2.50  5 d
| 
| US dollars an hour, for the complete machine and for one of its GPUs
| 1 price, read on 2026-11-10; it is 5 days old
Complete lists of several days at once: what the later one does not name is gone since then.
$ for d in 2026-10-01 2026-11-01; do mkdir -p snaps/$d; printf 'InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,Price,SpotPrice,Region\nh1,H100,1,8,64,,2.5,1.0,north\n' >snaps/$d/vms.csv; done; echo h2,H100,1,8,64,,2.0,,north >>snaps/2026-10-01/vms.csv
$ stint price import snaps --provider daily
| file                      format    stored as  provider  prices from  rows  machines  not ours  bad
| snaps/2026-10-01/vms.csv  skypilot  skypilot   daily      2026-10-01     2         2         0    0
| snaps/2026-11-01/vms.csv  skypilot  skypilot   daily      2026-11-01     1         1         0    0
| 
| 3 offers, 2 of them new; prices: 4 changed, 2 confirmed, 1 gone
| stored in home/.cache/stint/prices.db
$ stint price history daily/north/h2 --days 60 | head -5
| daily/north/h2: 1x H100-SXM-80GB, 60 days
| 
| on-demand, by skypilot (catalog)
| price           gone since 2026-11-01; last seen 2026-11-01
| min, mean, max  $2.00  $2.00  $2.00
A zone that was not observed for months does not beat one of yesterday; China is paid in yuan; a price from next year is not in force.
$ spot() { printf '{"SpotPriceHistory":[{"AvailabilityZone":"%s","InstanceType":"%s","ProductDescription":"Linux/UNIX","SpotPrice":"%s","Timestamp":"%s"}]}' "$@"; }; spot us-east-1a p5en.48xlarge 5.0 2026-05-01T10:00:00Z >old.json; spot us-east-1b p5en.48xlarge 25.0 2026-11-14T10:00:00Z >new.json; spot cn-northwest-1a p4d.24xlarge 8.0 2026-11-14T10:00:00Z >cn.json; stint price import old.json new.json cn.json | tail -2
| 3 offers, 3 of them new; prices: 3 changed, 0 confirmed, 0 gone
| stored in home/.cache/stint/prices.db
$ stint price list --market spot --provider aws --gpu H200 --region us-east-1
| offer                        GPUs               GPU GB  on-demand    spot  savings  per GPU      80 % range  age
| aws/us-east-1/p5en.48xlarge  8x H200-SXM-141GB     141     $63.30  $25.00     61 %    $3.13  $24.5 to $25.5  1 d
| 
| US dollars an hour, for the complete machine and for one of its GPUs
| 1 price, read on 2026-11-14; it is 1 day old
! stint: note: 'H200' means H200-SXM-141GB, the SXM form with the most memory
$ stint price list --market spot --provider aws --region 'cn-*'
! stint: warning: left out: 1 offer priced in CNY; add its rate to exchange.csv ('stint price import' takes it)
! stint: no offer matches
!   hint: leave out a filter; --any-form and --kind any widen the search
? 4
$ printf 'provider,region,instance,accelerator,count,price,date\nacme,eu-3,next,A100,8,12.5,2026-11-01\nacme,eu-3,next,A100,8,10,2027-01-01\n' >next.csv; stint price import next.csv | tail -2; stint price list --provider acme --region eu-3 | head -2
| 1 offer, 1 of them new; prices: 1 changed, 0 confirmed, 0 gone
| stored in home/.cache/stint/prices.db
| offer           GPUs              GPU GB  on-demand  spot  savings  per GPU   age
| acme/eu-3/next  8x A100-SXM-80GB      80     $11.25     ?        -    $1.41  14 d
! stint: warning: 1 prices are dated in the future: check the dates
! stint: note: your discounts are taken off (of 1 offer)
From standard input.
$ printf 'provider,region,instance,accelerator,count,on_demand_usd_h,date\nacme,eu-9,piped,H100,8,20,2026-11-14\n' | stint price import - | tail -2
| 1 offer, 1 of them new; prices: 1 changed, 0 confirmed, 0 gone
| stored in home/.cache/stint/prices.db
Mistakes.
$ stint price import
! stint: price import needs a FILE
!   hint: stint price import catalogs/v8/aws/vms.csv --date 2026-08-22
? 2
$ stint price import nowhere.csv
! stint: cannot open 'nowhere.csv': No such file or directory
? 4
$ stint price import catalogs/README
! stint: catalogs/README: unknown format of a price list
!   hint: name its format with --format; 'stint help price import' lists the formats
? 3
$ mkdir empty; stint price import empty
! stint: 'empty': no price list in this folder
? 3
$ stint price import acme.csv --format skypilt
! stint: there is no price format 'skypilt'
!   hint: did you mean 'skypilot'?
? 2
$ printf 'provider,region,instance,accelerator,count,on_demand_usd_h\nacme,eu-1,big,H100,8,20\nacme,eu-1,small,H100,1,cheap\nacme,eu-1,tiny,H100,1,2.1\n' >bad.csv
$ stint price import bad.csv --date 2026-11-15
! stint: bad.csv:3: on_demand_usd_h: 'cheap' is not a price
!   hint: write the price per hour as 2.49, or leave it empty if unknown
? 3
$ stint price import bad.csv --date 2026-11-15 --skip-bad
| file     format  stored as  provider  prices from  rows  machines  not ours  bad
| bad.csv  stint   private    -          2026-11-15     3         2         0    1
| 
| 2 offers, 1 of them new; prices: 2 changed, 0 confirmed, 0 gone
| stored in home/.cache/stint/prices.db
! stint: warning: left out: bad.csv:3: on_demand_usd_h: 'cheap' is not a price
$ printf 'provider,region,instance,acelerator,on_demand_usd_h\n' >typo.csv; stint price import typo.csv
! stint: typo.csv:1: there is no column 'acelerator'
!   hint: did you mean 'accelerator'?
? 3
$ printf 'provider,instance,on_demand_usd_h\nacme,unheard-of,3\n' >which.csv; stint price import which.csv
! stint: which.csv:2: which accelerator is in 'unheard-of'?
!   hint: add the columns 'accelerator' and 'count'
? 3
$ printf 'InstanceType,AcceleratorName,AcceleratorCount,Price,Region\ng1,H100,1,2.5,north\n' >vms.csv; stint price import vms.csv
! stint: vms.csv: the file does not name the provider of its prices
!   hint: set it with --provider, such as --provider aws
? 2
$ printf 'provider,discount,price_h,date,source\nacme,10%%,3,2026-11-01,x\n' >both.csv; stint price import both.csv
! stint: both.csv:2: give a discount or a price_h, one of them
? 3
$ printf 'currency,usd,date,source\nEURO,1.1,2026-11-01,x\n' >euro2.csv; stint price import euro2.csv
! stint: euro2.csv:2: currency: 'EURO' is not a currency
? 3
A damaged store is reported, with what to type.
$ cp home/.cache/stint/prices.db good.db; printf 'XXXX' | dd of=home/.cache/stint/prices.db bs=1 conv=notrunc status=none; stint price list --provider newcloud
! stint: warning: the price store 'home/.cache/stint/prices.db' is damaged: file is not a database; without it only built-in prices are known: delete it and run 'stint price fetch --all', or import your files again
! stint: there is no provider 'newcloud'
!   hint: did you mean 'ovhcloud'?
? 4
$ stint price import acme.csv
! stint: the price store 'home/.cache/stint/prices.db' is damaged: file is not a database
!   hint: delete it and run 'stint price fetch --all', or import your files again
? 3
$ stint price doctor | sed -n '/^-/,$p'
| - the file is damaged: nothing in it can be read
|   run: rm home/.cache/stint/prices.db, then stint price fetch --all or stint price import FILE
| - 3 prices are far below the same GPU's in other regions and seen on one day only: not chosen until a second import confirms them
|     gcp/asia-east1/n1-highmem-8+1xV100:spot $0.57/hr a GPU, other regions $1.58/hr
|     gcp/europe-north1/a3-highgpu-1g:spot $1.09/hr a GPU, other regions $6.59/hr
|     gcp/europe-north1/a3-highgpu-8g:spot $1.09/hr a GPU, other regions $6.59/hr
|   run: stint price fetch skypilot
! stint: warning: the price store 'home/.cache/stint/prices.db' is damaged: file is not a database; without it only built-in prices are known: delete it and run 'stint price fetch --all', or import your files again
$ cp good.db home/.cache/stint/prices.db; stint price list --provider newcloud | head -2
| offer              GPUs              GPU GB  on-demand   spot  savings  per GPU  age
| newcloud/north/g1  1x H100-SXM-80GB      80      $2.50  $1.00     60 %    $2.50  5 d
