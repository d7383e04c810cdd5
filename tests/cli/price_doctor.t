Nothing is kept yet.
$ stint price doctor
| home/.cache/stint/prices.db: does not exist yet
| 
| - the price store is empty, so the built-in prices are used: 494 of 689 from 2026-08-22 (85 days old), the newest from 2026-11-09; 138 of 681 are too old to be the best
|   run: stint price fetch skypilot
| - 3 prices are far below the same GPU's in other regions and seen on one day only: not chosen until a second import confirms them
|     gcp/asia-east1/n1-highmem-8+1xV100:spot $0.57/hr a GPU, other regions $1.58/hr
|     gcp/europe-north1/a3-highgpu-1g:spot $1.09/hr a GPU, other regions $6.59/hr
|     gcp/europe-north1/a3-highgpu-8g:spot $1.09/hr a GPU, other regions $6.59/hr
|   run: stint price fetch skypilot
One of each problem.
$ printf 'provider,region,instance,accelerator,count,spot_usd_h,on_demand_usd_h,date\nacme,eu-1,floor,H100,8,0.01,20,2026-11-14\nacme,eu-1,dear,H100,8,30,20,2026-11-14\nacme,eu-1,odd,Voodoo 2,1,,3,2026-11-14\n' >acme.csv
$ printf 'provider,region,instance,accelerator,count,on_demand_usd_h,date\nacme,eu-1,dear,H100,8,25,2026-11-13\n' >other.csv
$ printf 'provider,region,instance,accelerator,count,on_demand_usd_h,date\nold,eu-1,m,H100,8,25,2026-01-13\n' >old.csv
$ stint price import acme.csv | tail -2
| 3 offers, 3 of them new; prices: 5 changed, 0 confirmed, 0 gone, 2 doubtful ('stint price doctor' lists them)
| stored in home/.cache/stint/prices.db
! stint: warning: 1 prices are for accelerators missing from the catalog, such as 'Voodoo 2': they are stored but not listed ('stint gpu list' has the names)
$ stint price import other.csv --feed other | tail -2
| 1 offer, 0 of them new; prices: 1 changed, 0 confirmed, 0 gone
| stored in home/.cache/stint/prices.db
$ stint price import old.csv | tail -2
| 1 offer, 1 of them new; prices: 1 changed, 0 confirmed, 0 gone
| stored in home/.cache/stint/prices.db
$ stint price doctor | sed 's/ [0-9.]* kB,/ N kB,/'
| home/.cache/stint/prices.db: N kB, 4 offers, 7 series, 7 changes of prices
| 
| feed     provider  kind     read          age  imported    offers  series  gone  changes
| other    acme      private  2026-11-13    2 d  2026-11-15       1       1     0        1
| private  acme      private  2026-11-14    1 d  2026-11-15       3       5     0        5
| private  old       private  2026-01-13  306 d  2026-11-15       1       1     0        1
| 
| - private of old was last read 306 days ago
|   run: stint price import FILE, with newer prices
| - 1 price on which feeds differ by more than 1 %
|     acme/eu-1/dear:on-demand $25/hr by other (2026-11-13), $20/hr by private (2026-11-14)
|   run: stint price history acme/eu-1/dear:on-demand
| - 1 current price: a floor or too low to be a price, not what one pays
|     acme/eu-1/floor:spot $0.01/hr by private
|   run: stint price history acme/eu-1/floor:spot
| - 1 current price: spot above on-demand: on-demand is the better buy
|     acme/eu-1/dear:spot $30/hr by private
|   run: stint price history acme/eu-1/dear:spot
| - 3 prices are far below the same GPU's in other regions and seen on one day only: not chosen until a second import confirms them
|     gcp/asia-east1/n1-highmem-8+1xV100:spot $0.57/hr a GPU, other regions $1.58/hr
|     gcp/europe-north1/a3-highgpu-1g:spot $1.09/hr a GPU, other regions $6.59/hr
|     gcp/europe-north1/a3-highgpu-8g:spot $1.09/hr a GPU, other regions $6.59/hr
|   run: stint price fetch skypilot
| - the catalog does not know the accelerators of 1 offer (1 name)
|     Voodoo 2 (1 offer)
|   run: add them to names.csv or accelerators.csv in home/.config/stint/catalog
Old lists of one feed are one finding.
$ printf 'provider,region,instance,accelerator,count,on_demand_usd_h,date\nolder,eu-1,m,H100,8,25,2025-12-13\n' >older.csv
$ stint price import older.csv | tail -2
| 1 offer, 1 of them new; prices: 1 changed, 0 confirmed, 0 gone
| stored in home/.cache/stint/prices.db
$ stint price doctor | grep -A4 'last read'
| - private: 2 providers last read 306 to 337 days ago
|     old: 306 days
|     older: 337 days
|   run: stint price import FILE, with newer prices
| - 1 price on which feeds differ by more than 1 %
$ stint price doctor --limit 0
! stint: --limit: '0' is not 1 or more
? 2
A file that is not a store is reported.
$ printf 'this is not a store' >home/.cache/stint/prices.db
$ stint price doctor 2>/dev/null | head -3
| home/.cache/stint/prices.db: 19 B, 0 offers, 0 series, 0 changes of prices
| 
| - the file is damaged: nothing in it can be read
