Files by age on cheaper disks. The folders of this test lie on one disk, so that the answer says it.

$ mkdir -p runs/r1/logs runs/r2/checkpoint-10 runs/.git cold && printf 'new' >runs/now.txt && printf '0123456789' >runs/r1/logs/a.log && printf '01234' >runs/r2/b.log && printf 'w' >runs/r2/checkpoint-10/model.bin && printf 'h' >runs/.git/old && touch -d '5 days ago' runs/now.txt && touch -d '40 days ago' runs/r1/logs/a.log && touch -d '313 days ago' runs/r2/b.log runs/r2/checkpoint-10/model.bin runs/.git/old
What would be saved, before a folder is named.
$ stint data tier runs
| tier  from age  files  size  a month  saves  folder
| hot         0s      2   4 B    $0.00  $0.00  -
| warm       30d      1  10 B    $0.00  $0.00  -
| cold       90d      1   5 B    $0.00  $0.00  -
| 
| tier  days  size  path                        step
| warm    40  10 B  r1/logs/a.log               move
| cold   313   5 B  r2/b.log                    move
| cold   313   1 B  r2/checkpoint-10/model.bin  stays: it is part of a checkpoint: 'stint checkpoints prune'
| 
| saves           $0.00 a month
| hot             $0.0230 per GB (aws S3 Standard, 2026-11-15)
| warm            $0.0125 per GB (aws S3 Standard-IA, 2026-11-15)
| cold            $0.004 per GB (aws S3 Glacier Instant Retrieval, 2026-11-15)
| --cold FOLDER names where they go; nothing was moved
! stint: note: left out: 1 file with a name that begins with a dot, or in such a folder
$ stint data tier runs --storage-price '$0.08/GB' --warm-price '$0.04/GB' --cold-price '$0.01/GB'
| tier  from age  files  size  a month         saves  folder
| hot         0s      2   4 B    $0.00         $0.00  -
| warm       30d      1  10 B    $0.00  $0.000000001  -
| cold       90d      1   5 B    $0.00         $0.00  -
| 
| tier  days  size  path                        step
| warm    40  10 B  r1/logs/a.log               move
| cold   313   5 B  r2/b.log                    move
| cold   313   1 B  r2/checkpoint-10/model.bin  stays: it is part of a checkpoint: 'stint checkpoints prune'
| 
| saves           $0.000000001 a month
| hot             $0.0800 per GB (as given)
| warm            $0.0400 per GB (as given)
| cold            $0.0100 per GB (as given)
| --cold FOLDER names where they go; nothing was moved
! stint: note: left out: 1 file with a name that begins with a dot, or in such a folder
A dry run, then the real thing: links are left, and nothing else changes.
$ stint data tier runs --cold cold --delete-after 365d
| tier    from age  files  size  a month  saves  folder
| hot           0s      3  14 B    $0.00  $0.00  -
| cold         90d      1   5 B    $0.00  $0.00  cold
| delete      365d      0   0 B    $0.00  $0.00  -
| 
| tier  days  size  path                        step
| cold   313   5 B  r2/b.log                    move
| cold   313   1 B  r2/checkpoint-10/model.bin  stays: it is part of a checkpoint: 'stint checkpoints prune'
| 
| saves           $0.00 a month
| hot             $0.0230 per GB (aws S3 Standard, 2026-11-15)
| cold            $0.004 per GB (aws S3 Glacier Instant Retrieval, 2026-11-15)
| this was a dry run: add --yes to do it
! stint: warning: 'cold' and 'runs' are on the same disk: moving files saves nothing
! stint: note: left out: 1 file with a name that begins with a dot, or in such a folder
$ find runs cold -type f | sort
| runs/.git/old
| runs/now.txt
| runs/r1/logs/a.log
| runs/r2/b.log
| runs/r2/checkpoint-10/model.bin
$ stint data tier runs --cold cold --link --yes
| tier  from age  files  size  a month  saves  folder
| hot         0s      3  14 B    $0.00  $0.00  -
| cold       90d      1   5 B    $0.00  $0.00  cold
| 
| tier  days  size  path                        step
| cold   313   5 B  r2/b.log                    moved
| cold   313   1 B  r2/checkpoint-10/model.bin  stays: it is part of a checkpoint: 'stint checkpoints prune'
| 
| saves           $0.00 a month
| hot             $0.0230 per GB (aws S3 Standard, 2026-11-15)
| cold            $0.004 per GB (aws S3 Glacier Instant Retrieval, 2026-11-15)
! stint: warning: 'cold' and 'runs' are on the same disk: moving files saves nothing
! stint: note: left out: 1 file with a name that begins with a dot, or in such a folder
$ find runs cold -type f -o -type l | sort
| cold/r2/b.log
| runs/.git/old
| runs/now.txt
| runs/r1/logs/a.log
| runs/r2/b.log
| runs/r2/checkpoint-10/model.bin
$ cat runs/r2/b.log
| 01234
| (no newline at the end)
$ stint data tier runs --cold cold --link --yes
| tier  from age  files  size  a month  saves  folder
| hot         0s      3  14 B    $0.00  $0.00  -
| cold       90d      0   0 B    $0.00  $0.00  cold
| 
| tier  days  size  path                        step
| cold   313   1 B  r2/checkpoint-10/model.bin  stays: it is part of a checkpoint: 'stint checkpoints prune'
| 
| saves           $0.00 a month
| hot             $0.0230 per GB (aws S3 Standard, 2026-11-15)
| cold            $0.004 per GB (aws S3 Glacier Instant Retrieval, 2026-11-15)
! stint: warning: 'cold' and 'runs' are on the same disk: moving files saves nothing
! stint: note: left out: 1 file with a name that begins with a dot, or in such a folder
Another file of that name is not replaced.
$ rm runs/r2/b.log && printf 'other' >runs/r2/b.log && touch -d '313 days ago' runs/r2/b.log && stint data tier runs --cold cold --yes
| tier  from age  files  size  a month  saves  folder
| hot         0s      4  19 B    $0.00  $0.00  -
| cold       90d      0   0 B    $0.00  $0.00  cold
| 
| tier  days  size  path                        step
| cold   313   5 B  r2/b.log                    left
| cold   313   1 B  r2/checkpoint-10/model.bin  stays: it is part of a checkpoint: 'stint checkpoints prune'
| 
| saves           $0.00 a month
| hot             $0.0230 per GB (aws S3 Standard, 2026-11-15)
| cold            $0.004 per GB (aws S3 Glacier Instant Retrieval, 2026-11-15)
| 1 file left: run this again when the reason is gone
! stint: warning: 'cold' and 'runs' are on the same disk: moving files saves nothing
! stint: note: left out: 1 file with a name that begins with a dot, or in such a folder
! stint: warning: 'runs/r2/b.log' was left: there is another 'cold/r2/b.log'
? 1
$ cat cold/r2/b.log runs/r2/b.log
| 01234other
| (no newline at the end)
Deleting needs an age that was asked for.
$ touch -d '678 days ago' runs/r2/b.log && stint data tier runs --delete-after 365d --only '*.log' --yes && find runs cold -type f | sort
| tier    from age  files  size  a month  saves  folder
| hot           0s      1  10 B    $0.00  $0.00  -
| delete      365d      1   5 B    $0.00  $0.00  -
| 
| tier    days  size  path      step
| delete   678   5 B  r2/b.log  deleted
| 
| saves           $0.00 a month
| hot             $0.0230 per GB (aws S3 Standard, 2026-11-15)
| cold/r2/b.log
| runs/.git/old
| runs/now.txt
| runs/r1/logs/a.log
| runs/r2/checkpoint-10/model.bin
The answer of a program.
$ stint data tier runs --cold cold --json | tr ',' '\n' | grep -E 'schema|dry_run|file_count|kept'
| {"schema":"stint.data.tier/1"
| "dry_run":true
| "file_count":1
| "kept":1
| "kept":"it is part of a checkpoint: 'stint checkpoints prune'"
! stint: warning: 'cold' and 'runs' are on the same disk: moving files saves nothing
! stint: note: left out: 1 file with a name that begins with a dot, or in such a folder
Mistakes.
$ stint data tier nowhere
! stint: there is no folder 'nowhere'
!   hint: name the folder with the data
? 4
$ stint data tier runs/now.txt
! stint: 'runs/now.txt' is not a folder
!   hint: name the folder that it is in
? 3
$ stint data tier runs --cold missing
! stint: there is no folder 'missing' for cold files
!   hint: make it, or mount its disk
? 4
$ stint data tier runs --cold runs/r1
! stint: 'runs/r1' is in 'runs' itself
!   hint: name a folder on another disk
? 3
$ stint data tier runs --yes
! stint: --yes needs a tier to move files to
!   hint: --cold FOLDER, --warm FOLDER or --delete-after AGE says what to do
? 2
$ stint data tier runs --cold cold --delete-after 10d
! stint: the ages of the tiers must increase
!   hint: --warm-after 30d --cold-after 90d --delete-after 365d
? 2
$ stint data tier runs --cold cold --warm-after soon
! stint: --warm-after: 'soon' is not a length of time
!   hint: write it as 24h, 90min, 1h30min, 20s or 3d
? 2
$ stint data tier runs --cold-price 0.01
! stint: --cold-price: '0.01' is not a price of data
!   hint: write it per gigabyte: 0.09usd/GB
? 2
