What keeping a data set costs, provider by provider, with the cheapest lifecycle of each.
$ stint storage --size 2TB --grows 100GB/month
| data            2 TB, at the end 3.2 TB, objects of 100 MB; 365 days
| reads           1/month when new, half as often every 90d
| 
| provider    storage  reads  requests   total  all hot  download  policy
| gcp            $156   $184     $2.78    $343     $625      $362  Cloud Storage Nearline, Cloud Storage Coldline from day 68, Cloud Storage Archive from day 311
| ovhcloud       $343  $0.00     $0.00    $343   $1,400     $0.00  Object Storage Standard
| azure          $225   $147     $1.32    $373     $575      $270  Blob Storage Hot (LRS), Blob Storage Cool (LRS) from day 23, Blob Storage Cold (LRS) from day 149
| scaleway       $406  $0.00     $0.00    $406   $2,970     $0.00  Object Storage One Zone
| aws            $219   $194     $1.36    $414     $718      $279  S3 Standard-IA, S3 Glacier Instant Retrieval from day 112
| oci            $312   $115   $0.0499    $427     $796     $0.00  Object Storage Infrequent Access
| do             $624  $0.00     $0.00    $624   $3,120     $27.0  Spaces Object Storage
| nebius         $459   $172         ?    $631   $1,650     $0.00  Object Storage Standard
| coreweave    $1,870  $0.00     $0.00  $1,870   $1,870     $0.00  AI Object Storage Hot
| hyperstack   $2,190  $0.00     $0.00  $2,190   $2,190     $0.00  Shared Storage Volume
| 6 more expensive ones are left out here; --json lists all
| 
| cheapest: gcp, $343 instead of $625 all hot: Cloud Storage Nearline, Cloud
|           Storage Coldline from day 68, Cloud Storage Archive from day 311
| 
| note: prices are for one region each, without volume discounts; the data set
|       counts as new at the start, since rules use the age of objects
| note: archives that must be restored first are left out; --wait 15h allows them
| note: where request fees are not known (?), the total is a lower limit, and not
|       called the cheapest
| note: tiers that a provider chooses by use are left out: no rule sets them
$ stint storage --size 1TB --reads 0/month --provider aws --json
| {"schema":"stint.storage/1","dataset":null,"size":1000000000000,"at_end":1000000000000,"object_size":100000000,"objects":10000,"days":365,"reads":"0/month","options":[{"provider":"aws","cheapest":true,"at_least":false,"policy":"S3 Glacier Instant Retrieval","steps":[{"tier":"cold","product":"S3 Glacier Instant Retrieval","day":0}],"storage":{"amount":"48","currency":"USD"},"retrieval":{"amount":"0","currency":"USD"},"requests":{"amount":"0.2","currency":"USD"},"early":{"amount":"0","currency":"USD"},"transfer":{"amount":"0","currency":"USD"},"total":{"amount":"48.2","currency":"USD"},"hot":{"amount":"276.05","currency":"USD"},"download":{"amount":"81","currency":"USD"},"date":"2026-11-15"}],"notes":["prices are for one region each, without volume discounts; the data set counts as new at the start, since rules use the age of objects","archives that must be restored first are left out; --wait 15h allows them"],"svg":null}
By hand: 1 TB that is never read, in S3 Glacier Instant Retrieval for a year is 1,000 x 0.004 x 12 = $48, and 10,000 requests at $0.02 a thousand; all hot 276 and 0.05.
$ stint storage --size 1TB --reads 0/month --provider aws | sed -n 4,5p
| provider  storage  reads  requests  total  all hot  download  policy
| aws         $48.0  $0.00     $0.20  $48.2     $276     $81.0  S3 Glacier Instant Retrieval
Archives that are restored first need patience; reads that do not become rarer.
$ stint storage --size 1TB --reads 0/month --provider aws,azure --wait 15h | sed -n '4,6p'
| provider  storage  reads  requests  total  all hot  download  policy
| aws         $11.9  $0.00     $0.50  $12.4     $276     $81.0  S3 Glacier Deep Archive
| azure       $24.0  $0.00     $0.11  $24.1     $221     $78.3  Blob Storage Archive (LRS)
$ stint storage --size 1TB --reads 4/month --half-life 0d --provider aws,azure,gcp | sed -n '4,7p'
| provider  storage  reads  requests  total  all hot  download  policy
| azure        $221  $0.00    $0.266   $221     $221     $78.3  Blob Storage Hot (LRS)
| gcp          $240  $0.00    $0.242   $240     $240      $120  Cloud Storage Standard
| aws          $276  $0.00    $0.242   $276     $276     $81.0  S3 Standard
Egress at the tiers of each month: 1,100 GB from AWS are 100 free and 1,000 at $0.09; a provider without a price has no total.
$ stint storage --size 1TB --reads 0/month --provider aws,paperspace --egress 1100GB/month | sed -n '4,6p'
| provider    storage  reads  requests  egress   total  all hot  download  policy
| aws           $48.0  $0.00     $0.20  $1,080  $1,130   $1,360     $81.0  S3 Glacier Instant Retrieval
| paperspace   $1,200  $0.00     $0.00       ?       ?        ?         ?  Machine disk
Reads by age; a rule of S3 waits for 30 days; data that is deleted.
$ printf '%s\n' age_days,reads 0,60 7,0 >access.csv; stint storage --size 1TB --access access.csv --provider aws --svg s.svg | sed -n '2,9p'; grep -o '<title>[^<]*' s.svg | head -1
| reads           by age, from access.csv
| 
| provider  storage  reads  requests  total  all hot  download  policy
| aws         $52.4  $0.00    $0.305  $52.7     $276     $81.0  S3 Standard, S3 Glacier Instant Retrieval from day 7
| 
| cheapest: aws, $52.7 instead of $276 all hot: S3 Standard, S3 Glacier Instant
|           Retrieval from day 7
| 
| <title>Keeping 1 TB for 365 days
$ stint storage --size 1TB --reads 0/month --keep 60d --provider gcp | sed -n '1,8p'
| data            1 TB, at the end 0 B, objects of 100 MB; 365 days
| reads           0/month
| 
| provider  storage  reads  requests  early  total  all hot  download  policy
| gcp         $7.89  $0.00     $0.20  $3.95  $12.0    $39.5     $0.00  Cloud Storage Coldline, deleted on day 60
| 
| cheapest: gcp, $12.0 instead of $39.5 all hot: Cloud Storage Coldline, deleted
|           on day 60
A folder: its size and the size of its files; small objects are billed as 128 KB.
$ mkdir -p data/part; head -c 30000 /dev/zero >data/a; head -c 10000 /dev/zero >data/part/b; ln -s / data/link; stint storage data --provider aws --json | sed 's/"options".*//'
| {"schema":"stint.storage/1","dataset":"data","size":40000,"at_end":40000,"object_size":20000,"objects":2,"days":365,"reads":"1/month when new, half as often every 90d",
$ stint storage --size 100GB --object-size 20kB --reads 0/month --provider aws | sed -n '4,5p'
| provider  storage  reads  requests  total  all hot  download  policy
| aws         $27.6  $0.00     $25.0  $52.6    $52.6     $0.00  S3 Standard
Checkpoints: 30 of 14 GB a month.
$ stint storage --size 1TB --provider aws --checkpoint-size 14GB --checkpoints 30 | grep -A 1 checkpoints
| checkpoints: 30 a month of 14 GB cost $121 when all are kept at aws, $11.6 with the last 3
| 
A job: the size of its data and of its checkpoints.
$ printf '%s\n' 'train:' '  model: bert-base' '  data: {examples: 1000, tokens: 128, size: 300GB}' '  checkpoint: {size: 2GB}' >job.yaml; stint storage job.yaml --provider aws 2>/dev/null | grep -E '^(data|aws|checkpoints)'
| data            300 GB, objects of 100 MB; 365 days
| aws         $23.8  $21.4    $0.144  $45.3    $82.8     $18.0  S3 Standard-IA, S3 Glacier Instant Retrieval from day 112
| checkpoints: 30 a month of 2 GB cost $17.3 when all are kept at aws, $1.66 with the last 3
$ sed 's/, size: 300GB//' job.yaml >small.yaml; stint storage small.yaml
! stint: the job does not say how large its data is
!   hint: add data: {size: 50GB} to it, or give --size 50GB
? 3
Your own price for a region.
$ mkdir facts; printf '%s\n' provider,tier,product,region,usd_gb_month,retrieval_usd_gb,minimum_days,enter,wait_h,date,source acme,hot,Disk,*,0.1,0,0,direct,0,2026-11-01,quote 'acme,hot,Disk west,west,0.05,0,0,,,2026-11-01,quote' >facts/storage.csv
$ stint storage --size 1TB --provider acme --catalog facts | sed -n '5p'; stint storage --size 1TB --provider acme --region west --catalog facts | sed -n '5p'
| acme       $1,200  $0.00         ?  $1,200   $1,200         ?  Disk
| acme         $600  $0.00         ?   $600     $600         ?  Disk west
Mistakes.
$ stint storage
! stint: storage needs the size of the data
!   hint: 'stint storage --size 2TB', or 'stint storage FOLDER'
? 2
$ stint storage --size 100
! stint: --size: '100' is not a size
!   hint: give the unit in full: 80GB is 80 * 1000^3 bytes, 80GiB is 80 * 1024^3
? 2
$ stint storage --size 1TB --grows 100GB
! stint: --grows: '100GB' is not a size by time
!   hint: --grows 100GB/month
? 2
$ stint storage --size 1TB --reads twice
! stint: --reads: 'twice' is not a number of reads by time
!   hint: --reads 2/month: all of the data is read twice a month
? 2
$ stint storage --size 1TB --provider azur
! stint: there is no provider 'azur'
!   hint: did you mean 'azure'?
? 4
$ stint storage --size 1TB --months 61
! stint: --months: up to 60
? 2
$ stint storage missing
! stint: cannot open 'missing': No such file or directory
!   hint: name a folder, or give the size: --size 2TB
? 4
$ printf 'age,reads\n' >bad.csv; stint storage --size 1TB --access bad.csv
! stint: bad.csv:1: the column 'age_days' is missing
!   hint: the first line is 'age_days,reads', the others are like '30,0.5': from 30 days on, half of the data is read a month
? 3
$ printf 'age_days,reads\n1,many\n' >bad.csv; stint storage --size 1TB --access bad.csv
! stint: bad.csv:2: reads: 'many' is not a number
!   hint: reads: times a month that all of the data of that age is read
? 3
$ stint storage --size 1TB --provider lambda --svg missing/s.svg
! stint: cannot write 'missing/s.svg': No such file or directory
? 1
