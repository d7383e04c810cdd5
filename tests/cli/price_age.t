Prices have an age: one that is too old is not chosen while another will do, whatever it is.
$ printf 'provider,region,instance,accelerator,count,on_demand_usd_h,date\nacme,eu-1,old,H100,8,10,2025-10-01\nacme,eu-2,new,H100,8,11,2026-11-10\n' >a.csv
$ stint price import a.csv | tail -2
| 2 offers, 2 of them new; prices: 2 changed, 0 confirmed, 0 gone
| stored in home/.cache/stint/prices.db
$ stint price list --provider acme
| offer          GPUs              GPU GB  on-demand  spot  savings  per GPU      80 % range    age
| acme/eu-1/old  8x H100-SXM-80GB      80     $10.00     ?        -    $1.25  $6.83 to $14.6  410 d
| acme/eu-2/new  8x H100-SXM-80GB      80     $11.00     ?        -    $1.38                    5 d
| 
| US dollars an hour, for the complete machine and for one of its GPUs
| 2 prices, read between 2025-10-01 and 2026-11-10; the newest is 5 days old
! stint: warning: 1 of 2 prices is more than 30 days old (oldest: 2025-10-01); 'stint price doctor' shows what to run
$ stint price compare H100x8 --hours 10 --provider acme
| 8x H100-SXM-80GB for 10 hours, set-up and 10 GB of egress included
| 
|    provider  region  machines  GPUs  per hour    total  on spot     80 % range  savings  set-up  egress    age
|    acme      eu-2    new          8    $11.00  $110.00        ?                       -       ?       ?    5 d
| ~  acme      eu-1    old          8    $10.00  $100.00        ?  $68.3 to $146        -       ?       ?  410 d
| 
| * cheapest on demand, s cheapest on spot (before interruptions); set-up times are estimates
| totals do not include set-up or egress that is unknown ('?')
| ~ the price is too old to be ranked with the others: worth checking
| 2 prices, read between 2025-10-01 and 2026-11-10; the newest is 5 days old
! stint: note: 'H100' means H100-SXM-80GB, the SXM form with the most memory
! stint: warning: 1 of 2 prices is more than 30 days old (oldest: 2025-10-01); 'stint price doctor' shows what to run
$ stint estimate llama-2-7b --method lora --tokens 25M --on H100x8 --set providers=acme | grep -A2 '^COST\|^offer'
| COST            $1.16 ($0.987 to $1.36)
|   compute              $1.16
| offer           acme/eu-2/new, $11.00/hr on-demand, price from 2026-11-10 (5
|                 days old)
| 
! stint: note: 'H100' means H100-SXM-80GB, the SXM form with the most memory
$ stint plan llama-2-7b --method lora --tokens 25M --provider acme | grep '^>\|^rent' 
| >  best  $1.16  $0.987 to $1.36  6.31 min  8x H100-SXM-80GB  acme/eu-2  on-demand        5 d  bf16, zero 1, batch 1
| rent            acme/eu-2/new, $11.00/hr on-demand, price from 2026-11-10 (5
! stint: warning: 1793 of 1824 prices are more than 30 days old (oldest: 2025-08-27); 'stint price doctor' shows what to run
An offer that is named is used, with its range.
$ stint estimate llama-2-7b --method lora --tokens 25M --offer acme/eu-1/old | grep -A2 '^COST\|^offer'
| COST            $1.05 ($0.695 to $1.59)
|   compute              $1.05
| offer           acme/eu-1/old, $10.00/hr on-demand, price from 2025-10-01 (410
|                 days old), now $6.83/hr to $14.65/hr
| 
! stint: warning: the price is 410 days old, 80 % range $6.83/hr to $14.65/hr; 'stint price fetch skypilot' updates prices
Not even at half the price.
$ printf 'provider,region,instance,accelerator,count,on_demand_usd_h,date\nacme,eu-1,old,H100,8,5,2025-10-01\n' >b.csv; stint price import b.csv | tail -2
| 1 offer, 0 of them new; prices: 1 changed, 0 confirmed, 0 gone
| stored in home/.cache/stint/prices.db
$ stint plan llama-2-7b --method lora --tokens 25M --provider acme | grep '^>\|^rent' -A2
| >  best  $1.16  $0.987 to $1.36  6.31 min  8x H100-SXM-80GB  acme/eu-2  on-demand        5 d  bf16, zero 1, batch 1
| 
| why             lowest cost; no other GPU or market meets the limits
| rent            acme/eu-2/new, $11.00/hr on-demand, price from 2026-11-10 (5
|                 days old)
| setting         bf16, zero 1, batch 1: 30.3 GB (27.0 to 34.0) of 85.0 on each
! stint: warning: 1793 of 1824 prices are more than 30 days old (oldest: 2025-08-27); 'stint price doctor' shows what to run
What the user sets has no range.
$ stint estimate llama-2-7b --method lora --tokens 25M --offer acme/eu-1/old --price 5usd/hr | grep -A2 '^COST\|^offer'
| COST            $0.526 ($0.449 to $0.616)
|   compute             $0.526
| offer           at the price given, $5.00/hr on-demand
| 
| note: LoRA of rank 16 on all linear layers
A setting calls more prices fresh.
$ STINT_STALE_AFTER=730d stint plan llama-2-7b --method lora --tokens 25M --provider acme | grep '^>'
| >  best  $1.16  $0.987 to $1.36  6.31 min  8x H100-SXM-80GB  acme/eu-2  on-demand        5 d  bf16, zero 1, batch 1
An outlier is marked, and not chosen until a second day confirms it.
$ for r in r1 r2 r3 r4 low; do echo "beta,$r,m,H100,8,$([ $r = low ] && echo 3 || echo 20),2026-11-13"; done | sed '1i provider,region,instance,accelerator,count,spot_usd_h,date' >c.csv; stint --prices p price import c.csv | tail -2
| 5 offers, 5 of them new; prices: 5 changed, 0 confirmed, 0 gone
| stored in p/prices.db
$ stint --prices p price list --provider beta --market spot
|    offer       GPUs              GPU GB  on-demand    spot  savings  per GPU      80 % range  age
| !  beta/low/m  8x H100-SXM-80GB      80          ?   $3.00        -  $0.3750  $2.93 to $3.07  2 d
|    beta/r1/m   8x H100-SXM-80GB      80          ?  $20.00        -    $2.50  $19.5 to $20.5  2 d
|    beta/r2/m   8x H100-SXM-80GB      80          ?  $20.00        -    $2.50  $19.5 to $20.5  2 d
|    beta/r3/m   8x H100-SXM-80GB      80          ?  $20.00        -    $2.50  $19.5 to $20.5  2 d
|    beta/r4/m   8x H100-SXM-80GB      80          ?  $20.00        -    $2.50  $19.5 to $20.5  2 d
| 
| US dollars an hour, for the complete machine and for one of its GPUs
| ! far below the same GPU's prices in other regions: not chosen until a second import confirms it
| 5 prices, read on 2026-11-13; the newest is 2 days old
$ stint --prices p estimate llama-2-7b --method lora --tokens 25M --on H100x8 --market spot --set providers=beta | grep '^offer'
| offer           beta/r1/m, $20.00/hr spot, price from 2026-11-13 (2 days old),
! stint: note: 'H100' means H100-SXM-80GB, the SXM form with the most memory
$ stint --prices p price doctor | grep -A2 'far below' | grep 'beta\|far below'
| - 4 prices are far below the same GPU's in other regions and seen on one day only: not chosen until a second import confirms them
|     beta/low/m:spot $0.375/hr a GPU, other regions $2.50/hr
The history is that of an offer that would be chosen.
$ stint --prices p price history m:spot | head -1
| beta/r1/m: 8x H100-SXM-80GB, 30 days
! stint: note: 'm:spot' means beta/r1/m, the cheapest of 5 now ($20.00/hr, spot)
One of ten times the others is reported, too, and stays so.
$ printf 'provider,region,instance,accelerator,count,spot_usd_h,date\nbeta,high,m,H100,8,300,2026-11-12\nbeta,high,m,H100,8,300,2026-11-13\n' >high.csv; stint --prices p price import high.csv | tail -2
| 1 offer, 1 of them new; prices: 1 changed, 0 confirmed, 0 gone
| stored in p/prices.db
$ stint --prices p price doctor | grep -A2 'at least 10 times' | grep 'beta\|at least'
| - 1 price is at least 10 times the same GPU's in other regions
|     beta/high/m:spot $37.5/hr a GPU, other regions $2.50/hr
$ sed 's/2026-11-13/2026-11-14/' c.csv >d.csv; stint --prices p price import d.csv | tail -2
| 5 offers, 0 of them new; prices: 0 changed, 5 confirmed, 0 gone
| stored in p/prices.db
$ stint --prices p price list --provider beta --market spot --sort price --limit 1
| offer       GPUs              GPU GB  on-demand   spot  savings  per GPU      80 % range  age
| beta/low/m  8x H100-SXM-80GB      80          ?  $3.00        -  $0.3750  $2.97 to $3.03  1 d
| 
| US dollars an hour, for the complete machine and for one of its GPUs
| 1 price, read on 2026-11-14; it is 1 day old
$ stint --prices p estimate llama-2-7b --method lora --tokens 25M --on H100x8 --market spot --set providers=beta | grep '^offer'
| offer           beta/low/m, $3.00/hr spot, price from 2026-11-14 (1 day old),
! stint: note: 'H100' means H100-SXM-80GB, the SXM form with the most memory
$ stint --prices p price doctor | grep -c 'beta/low'
| 0
? 1
A price book has one age, whichever of its prices a command looks at.
$ export STINT_NOW=2027-12-01; for c in "plan llama-3.1-8b --lora --tokens 10M --limit 1" "plan bert-base --tokens 10M --provider aws,gcp" "price value" "price compare A100 --hours 2" "price compare A100 --hours 2 --provider aws" "price list --gpu H100" "gpu list" "gpu fit 7B" "tco H100x8" "infer llama-3-8b --rate 2/s" "price regions p5.48xlarge --hours 3"; do stint $c 2>&1 >/dev/null | grep -o "the price book is [0-9]* days old" || echo "none: $c"; done | sort | uniq -c | sed "s/^ *//"
| 11 the price book is 466 days old
