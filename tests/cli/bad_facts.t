A bad file gets one line: what, where, and what to type instead.

$ mkdir d
$ header='provider,region,zone,instance,accelerator,count,on_demand_usd_h,spot_usd_h,date,source'; try() { printf "%s\n$1\n" "$header" >d/offers.csv; stint price list --catalog d --limit 1 --provider acme; }; try 'acme,r,,i,H100-SXM-80GB,8,-3,,2026-01-01,s'; try 'acme,r,,i,H100-SXM-80GB,0,3,,2026-01-01,s'; try 'acme,r,,i,H100-SXM-80GB,8,nan,,2026-01-01,s'; try 'acme,r,,i,H100-SXM-80GB,8,inf,,2026-01-01,s'; try 'acme,r,,i,H100-SXM-80GB,8,0,,2026-01-01,s'; try 'acme,r,,i,H100-SXM-80GB,8,1e400,,2026-01-01,s'; try 'acme,r,,i,H100-SXM-80GB,8 GPUs,3,,2026-01-01,s'; try 'acme,r,,i,H100,8,3,,2026-01-01,s'; try 'acme,r,,i,H1OO-SXM-80GB,8,3,,2026-01-01,s'; try 'acme,r,,i,H100-SXM-80GB,8,3,,2026-02-30,s'; try 'acme,r,,i,H100-SXM-80GB,8,3,,2026-01-01'; try ',r,,i,H100-SXM-80GB,8,3,,2026-01-01,s'; try 'acme,r,,i,H100-SXM-80GB,8,"3,,2026-01-01,s'; try 'a,r,,i,H100-SXM-80GB,8,3,,2026-01-01,s\na,r,,i,H100-SXM-80GB,8,4,,2026-01-01,s'; try 'acme,r,,i\033[31m,H100-SXM-80GB,8,\033[31m,,2026-01-01,s'
! stint: d/offers.csv:2: on_demand_usd_h: '-3' is not a price above zero
!   hint: on_demand_usd_h: on-demand price, US dollars per hour
! stint: d/offers.csv:2: count: '0' is not 1 or more
!   hint: count: accelerators in the machine
! stint: d/offers.csv:2: on_demand_usd_h: 'nan' is not a price
!   hint: on_demand_usd_h: on-demand price, US dollars per hour
! stint: d/offers.csv:2: on_demand_usd_h: 'inf' is not a price
!   hint: on_demand_usd_h: on-demand price, US dollars per hour
! stint: d/offers.csv:2: on_demand_usd_h: '0' is not a price above zero
!   hint: on_demand_usd_h: on-demand price, US dollars per hour
! stint: d/offers.csv:2: on_demand_usd_h: '1e400' is not a price
!   hint: on_demand_usd_h: on-demand price, US dollars per hour
! stint: d/offers.csv:2: count: '8 GPUs' is not a whole number
!   hint: write digits only, without a unit
! stint: d/offers.csv:2: accelerator: 'H100' is not an exact name
!   hint: write 'H100-SXM-80GB'; 'stint gpu list' shows all names
! stint: d/offers.csv:2: there is no accelerator 'H1OO-SXM-80GB'
!   hint: did you mean 'H100-SXM-80GB'? 'stint gpu list' shows all
! stint: d/offers.csv:2: date: '2026-02-30' is not a day
!   hint: write it as 2026-11-15
! stint: d/offers.csv:2: 9 fields where the first line names 10
!   hint: the first line names the columns; data/README.md lists them
! stint: d/offers.csv:2: 'provider' is empty
! stint: d/offers.csv:2: a quoted field is never closed
!   hint: end the field with a quote; write a quote inside it twice
! stint: d/offers.csv:3: the same fact as on line 2
! stint: d/offers.csv:2: on_demand_usd_h: '?[31m' is not a price
!   hint: on_demand_usd_h: on-demand price, US dollars per hour
? 3
$ printf 'provider,region,instance,acelerator,count,date,source\n' >d/offers.csv; stint price list --catalog d
! stint: d/offers.csv:1: there is no column 'acelerator'
!   hint: did you mean 'accelerator'?
? 3
$ printf 'provider,region,instance,count,date,source\n' >d/offers.csv; stint price list --catalog d
! stint: d/offers.csv:1: the column 'accelerator' is missing
!   hint: the first line names the columns; data/README.md lists them
? 3
$ printf 'provider,provider\n' >d/offers.csv; stint price list --catalog d
! stint: d/offers.csv:1: the column 'provider' is there twice
? 3
$ : >d/offers.csv; stint price list --catalog d
! stint: d/offers.csv: the file is empty: the first line names the columns
? 3
$ head -c 100000 /dev/zero >d/offers.csv; stint price list --catalog d
! stint: d/offers.csv:1: a NUL byte: this is not a text file
!   hint: save it again as CSV in UTF-8
? 3
$ head -c 3000000 /dev/zero | tr '\0' 'a' >d/offers.csv; stint price list --catalog d
! stint: d/offers.csv:1: a row is longer than 1048576 bytes
!   hint: check that this is a CSV file, with one row on each line
? 3
$ rm d/offers.csv; mkdir d/offers.csv; stint price list --catalog d
! stint: 'd/offers.csv' is a folder, not a file
? 3
$ rmdir d/offers.csv; ln -s /nowhere d/offers.csv; stint price list --catalog d --gpu h100 --provider aws --region us-east-1 --limit 1 --json | cut -c1-40
! stint: cannot open 'd/offers.csv': No such file or directory

A given folder must exist and contain only known tables.

$ stint price list --catalog nowhere
! stint: cannot read the catalog folder 'nowhere': No such file or directory
!   hint: --catalog takes a folder with files such as offers.csv
? 4
$ STINT_CATALOG=nowhere stint price list
! stint: cannot read the catalog folder 'nowhere': No such file or directory
!   hint: --catalog takes a folder with files such as offers.csv
? 4
$ : >afile; stint price list --catalog afile
! stint: cannot read the catalog folder 'afile': Not a directory
!   hint: --catalog takes a folder with files such as offers.csv
? 3
$ stint price list --catalog ''
! stint: --catalog: the value is empty
? 2
$ mkdir e; : >e/offer.csv; stint price list --catalog e
! stint: e/offer.csv: the catalog has no such table
!   hint: did you mean 'offers.csv'? 'stint catalog list' shows the tables
? 3
$ rm e/offer.csv; : >e/spend.csv; gzip -k e/spend.csv; stint price list --catalog e; rm e/spend*
! stint: e: there are two files for the table spend
!   hint: keep one of them, plain or compressed
$ : >e/README.md; stint price list --catalog e --gpu h100 --provider aws --region us-east-1 --json 2>/dev/null | cut -c1-40
| {"schema":"stint.price.list/1","offers":
$ printf 'name,memory_gb,date,source\nMyGPU,10,2026-01-01,me\n' >e/accelerators.csv; stint gpu show mygpu --catalog e
| name            MyGPU
| memory          10 GB
| offers          0 in the catalog
| source          me (2026-01-01)
$ printf 'provider,region,instance,accelerator,count,on_demand_usd_h,date,source,notes\nmine,hq,box,MyGPU,1,1,2030-01-01,me,\033[31m\377\n' >e/offers.csv; stint price list --catalog e --provider mine
| offer        GPUs      GPU GB  on-demand  spot  savings  per GPU  age
| mine/hq/box  1x MyGPU      10      $1.00     ?        -    $1.00  0 d
| 
| US dollars an hour, for the complete machine and for one of its GPUs
| 1 price, read on 2030-01-01; it is 0 days old
! stint: warning: 1 of 1 prices is dated in the future
$ stint price value --catalog e --provider mine
! stint: no offer matches with price, performance and reliability known
!   hint: leave out a filter, choose another --precision, or add the provider's reliability to your providers.csv
? 4
