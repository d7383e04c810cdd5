Plans of moving the data: its size is that of the folder, and what would make it less is measured.

$ mkdir -p set/texts && awk 'BEGIN { x = 1; for (i = 0; i < 900; i++) { file = "set/texts/" i ".json"; for (j = 0; j < 20; j++) print "{\"line\": " j ", \"word\": \"w" ((x = x * 16807 % 2147483647) % 1000) "\"}" >file; close(file) } }' && head -c 3000000 /dev/zero >set/zeros && find set -exec touch -d '2026-11-01 12:00:00 UTC' {} + && find set -type f -exec cat {} + | wc -c
| 3510921
$ stint plan llama-2-7b --lora --tokens 25M --data set --provider lambda --data-at aws/us-east-1 | sed '/^COST AND TIME/,$d' | sed -nE '/^set:/,${ s/^bundle +[0-9.]+ kB.*/bundle: smaller/; s/   +/  /g; p }'
| set: 901 files, 3.51 MB, from aws/us-east-1 to lambda/*, where $2.29/hr waits
| for it
| 
| data  moves  80 % range  files  time  cost  saves
| as it is  3.51 MB  901  2.85 s  $0.00181  
| bundle: smaller
| 
| bundle  stint data bundle set -o data.tar.zst
| measured  bundle: 1 piece, 3.51 MB
| 
! stint: warning: the price of the best plan is 85 days old, 80 % range $1.86/hr to $2.81/hr; 'stint price fetch skypilot' updates prices
The same figures in JSON; the plan's upload is the time of moving it as it is.
$ stint plan llama-2-7b --lora --tokens 25M --data set --provider lambda --data-at aws/us-east-1 --json >plan.json; tr ',' '\n' <plan.json | grep -c '"way":'; grep -o '"name":"upload"[^}]*' plan.json; grep -o '"way":"as it is"[^}]*' plan.json | grep -o '"seconds":.*'
| 2
| "name":"upload","amount":{"amount":"0.001813384","currency":"USD"
| "seconds":2.85073421,"cost":{"amount":"0.001813384","currency":"USD"
! stint: warning: the price of the best plan is 85 days old, 80 % range $1.86/hr to $2.81/hr; 'stint price fetch skypilot' updates prices
What it says of a bundle holds: within the range.
$ size=$(stint data bundle set -o real.tar.zst --json | grep -o '"bundle_size":[0-9]*' | cut -d: -f2); grep -o '"way":"bundle"[^}]*' plan.json | tr ',' '\n' | awk -F: -v size="$size" '/size_low/ { low = $2 } /size_high/ { high = $2 } END { print (size >= low && size <= high) ? "within" : "outside: " size " of " low " to " high }'
| within
A job file names the folder beside it; where it is not here, the size of the file counts.
$ mkdir jobs && mv set jobs/set && printf 'model: llama-2-7b\nmethod: lora\ntokens: 25M\ndata: {path: set}\n' >jobs/job.yaml && stint plan jobs/job.yaml --provider lambda | grep '^set:'
| set: 901 files, 3.51 MB, from a machine of your own to lambda/*, where $2.29/hr
! stint: warning: the price of the best plan is 85 days old, 80 % range $1.86/hr to $2.81/hr; 'stint price fetch skypilot' updates prices
$ printf 'model: llama-2-7b\nmethod: lora\ntokens: 25M\ndata: {path: gone, size: 5GB}\n' >gone.yaml && stint plan gone.yaml --provider lambda --json | grep -c '"data":null'
| 1
! stint: note: 'gone' is not here: data.size of the job counts
! stint: warning: the price of the best plan is 85 days old, 80 % range $1.86/hr to $2.81/hr; 'stint price fetch skypilot' updates prices
A saved plan can be checked again without the folder.
$ stint plan jobs/job.yaml --provider lambda --save plan.json >/dev/null && mv jobs/set elsewhere && stint plan recheck plan.json | head -1
| still good: the same price
! stint: warning: the price of the best plan is 85 days old, 80 % range $1.86/hr to $2.81/hr; 'stint price fetch skypilot' updates prices
! stint: note: no price is newer than the plan: 'stint price fetch' gets today's
! stint: warning: all 5 prices are old (newest: 2026-08-22, 85 days); 'stint price fetch skypilot' updates them
Mistakes.
$ stint plan llama-2-7b --lora --tokens 25M --data nowhere
! stint: there is no folder 'nowhere'
!   hint: name the folder with the training data
? 4
$ mkdir empty && stint plan llama-2-7b --lora --tokens 25M --data empty
! stint: there are no files in 'empty'
!   hint: name the folder with the training data
? 3
$ stint plan llama-2-7b --lora --tokens 25M --data gone.yaml
! stint: 'gone.yaml' is not a folder
!   hint: name the folder with the training data
? 3
$ stint plan llama-2-7b --serve --rate 1/s --data elsewhere
! stint: --data is for training
!   hint: leave it out
? 2
$ stint plan gone.yaml jobs/job.yaml --data elsewhere
! stint: --data is for one job
!   hint: write data: {path: DIR} into each job file
? 2
$ stint plan llama-2-7b --lora --tokens 25M --data elsewhere --data-at mars/olympus
! stint: data.at: there is no provider 'mars'
!   hint: write provider/region: aws/us-east-1; 'stint catalog show providers' lists them
? 3
