Checkpoints in a folder: list, prune, best. Nothing waits for files to settle here.

$ mkdir out && cd out && for i in 1 2 3 4 5; do head -c ${i}000 /dev/zero >"epoch=$i-val_loss=0.$((62 - i * 10 + i * i)).ckpt"; touch -d "2026-11-0$i 12:00:00 UTC" epoch=$i-*; done
$ ls out
| epoch=1-val_loss=0.53.ckpt
| epoch=2-val_loss=0.46.ckpt
| epoch=3-val_loss=0.41.ckpt
| epoch=4-val_loss=0.38.ckpt
| epoch=5-val_loss=0.37.ckpt
$ stint checkpoints list out --settle 0s
| checkpoint                  step  size  files  changed (UTC)     state
| epoch=1-val_loss=0.53.ckpt     1  1 kB      1  2026-11-01 12:00  whole
| epoch=2-val_loss=0.46.ckpt     2  2 kB      1  2026-11-02 12:00  whole
| epoch=3-val_loss=0.41.ckpt     3  3 kB      1  2026-11-03 12:00  whole
| epoch=4-val_loss=0.38.ckpt     4  4 kB      1  2026-11-04 12:00  whole
| epoch=5-val_loss=0.37.ckpt     5  5 kB      1  2026-11-05 12:00  whole
| 
| 5 checkpoints, 15 kB
$ stint checkpoints list out --settle 0s --best val_loss:min
| checkpoint                  step  metric  size  files  changed (UTC)     state
| epoch=1-val_loss=0.53.ckpt     1    0.53  1 kB      1  2026-11-01 12:00  whole
| epoch=2-val_loss=0.46.ckpt     2    0.46  2 kB      1  2026-11-02 12:00  whole
| epoch=3-val_loss=0.41.ckpt     3    0.41  3 kB      1  2026-11-03 12:00  whole
| epoch=4-val_loss=0.38.ckpt     4    0.38  4 kB      1  2026-11-04 12:00  whole
| epoch=5-val_loss=0.37.ckpt     5    0.37  5 kB      1  2026-11-05 12:00  whole, the best
| 
| 5 checkpoints, 15 kB
A dry run by default.
$ stint checkpoints prune out --settle 0s --keep 2
| checkpoint                  step  size  files  changed (UTC)     kept
| epoch=1-val_loss=0.53.ckpt     1  1 kB      1  2026-11-01 12:00  no: older than the newest
| epoch=2-val_loss=0.46.ckpt     2  2 kB      1  2026-11-02 12:00  no: older than the newest
| epoch=3-val_loss=0.41.ckpt     3  3 kB      1  2026-11-03 12:00  no: older than the newest
| epoch=4-val_loss=0.38.ckpt     4  4 kB      1  2026-11-04 12:00  yes: among the newest
| epoch=5-val_loss=0.37.ckpt     5  5 kB      1  2026-11-05 12:00  yes: among the newest
| 
| would remove 3 of 5: frees 6 kB, $0.000000138 a month at $0.0230 per GB (aws S3 Standard, 2026-11-15)
| this was a dry run: add --yes to remove them
$ stint checkpoints prune out --settle 0s --keep 1 --best val_loss --storage-price '$0.08/GB'
| checkpoint                  step  metric  size  files  changed (UTC)     kept
| epoch=1-val_loss=0.53.ckpt     1    0.53  1 kB      1  2026-11-01 12:00  no: worse than the best
| epoch=2-val_loss=0.46.ckpt     2    0.46  2 kB      1  2026-11-02 12:00  no: worse than the best
| epoch=3-val_loss=0.41.ckpt     3    0.41  3 kB      1  2026-11-03 12:00  no: worse than the best
| epoch=4-val_loss=0.38.ckpt     4    0.38  4 kB      1  2026-11-04 12:00  no: worse than the best
| epoch=5-val_loss=0.37.ckpt     5    0.37  5 kB      1  2026-11-05 12:00  yes: the best
| 
| would remove 4 of 5: frees 10 kB, $0.0000008 a month at $0.0800 per GB (as given)
| this was a dry run: add --yes to remove them
$ stint checkpoints prune out --settle 0s --keep 1 --provider lambda
| checkpoint                  step  size  files  changed (UTC)     kept
| epoch=1-val_loss=0.53.ckpt     1  1 kB      1  2026-11-01 12:00  no: older than the newest
| epoch=2-val_loss=0.46.ckpt     2  2 kB      1  2026-11-02 12:00  no: older than the newest
| epoch=3-val_loss=0.41.ckpt     3  3 kB      1  2026-11-03 12:00  no: older than the newest
| epoch=4-val_loss=0.38.ckpt     4  4 kB      1  2026-11-04 12:00  no: older than the newest
| epoch=5-val_loss=0.37.ckpt     5  5 kB      1  2026-11-05 12:00  yes: among the newest
| 
| would remove 4 of 5: frees 10 kB, $0.000002 a month at $0.2000 per GB (lambda Lambda filesystem, 2026-11-15)
| this was a dry run: add --yes to remove them
$ ls out
| epoch=1-val_loss=0.53.ckpt
| epoch=2-val_loss=0.46.ckpt
| epoch=3-val_loss=0.41.ckpt
| epoch=4-val_loss=0.38.ckpt
| epoch=5-val_loss=0.37.ckpt
$ stint checkpoints best out --settle 0s --best val_loss:min
| best            epoch=5-val_loss=0.37.ckpt: val_loss 0.37, 5 kB
| cost-efficient  the best one: no earlier one is as good
| 
| better and better           step  metric     gain
| epoch=1-val_loss=0.53.ckpt     1    0.53        -
| epoch=2-val_loss=0.46.ckpt     2    0.46  13.21 %
| epoch=3-val_loss=0.41.ckpt     3    0.41  10.87 %
| epoch=4-val_loss=0.38.ckpt     4    0.38   7.32 %
| epoch=5-val_loss=0.37.ckpt     5    0.37   2.63 %
| 
| costs are unknown: 'stint run --checkpoints DIR' records them
$ stint checkpoints best out --settle 0s --best val_loss:min --within 5%
| best            epoch=5-val_loss=0.37.ckpt: val_loss 0.37, 5 kB
| cost-efficient  epoch=4-val_loss=0.38.ckpt: val_loss 0.38, 4 kB: 2.70 % worse, and earlier
| 
| better and better           step  metric     gain
| epoch=1-val_loss=0.53.ckpt     1    0.53        -
| epoch=2-val_loss=0.46.ckpt     2    0.46  13.21 %
| epoch=3-val_loss=0.41.ckpt     3    0.41  10.87 %
| epoch=4-val_loss=0.38.ckpt     4    0.38   7.32 %
| epoch=5-val_loss=0.37.ckpt     5    0.37   2.63 %
| 
| costs are unknown: 'stint run --checkpoints DIR' records them
What just changed may still be written.
$ stint checkpoints prune out --keep 1 --settle 1w
| checkpoint                  step  size  files  changed (UTC)     kept
| epoch=1-val_loss=0.53.ckpt     1  1 kB      1  2026-11-01 12:00  yes: changed lately
| epoch=2-val_loss=0.46.ckpt     2  2 kB      1  2026-11-02 12:00  yes: changed lately
| epoch=3-val_loss=0.41.ckpt     3  3 kB      1  2026-11-03 12:00  yes: changed lately
| epoch=4-val_loss=0.38.ckpt     4  4 kB      1  2026-11-04 12:00  yes: changed lately
| epoch=5-val_loss=0.37.ckpt     5  5 kB      1  2026-11-05 12:00  yes: changed lately
| 
| nothing to remove: 5 checkpoints, all kept
A checkpoint that a pointer names, or that looks unfinished, is kept.
$ echo 'epoch=1-val_loss=0.53.ckpt' >out/latest; ln -s 'epoch=2-val_loss=0.46.ckpt' out/favorite; : >out/epoch=6-val_loss=0.1.ckpt; touch -d 2026-11-06Z out/epoch=6*
$ stint checkpoints prune out --settle 0s --keep 1 --best val_loss:min
| checkpoint                  step  metric  size  files  changed (UTC)     kept
| epoch=1-val_loss=0.53.ckpt     1    0.53  1 kB      1  2026-11-01 12:00  yes: named by 'latest'
| epoch=2-val_loss=0.46.ckpt     2    0.46  2 kB      1  2026-11-02 12:00  yes: a link names it
| epoch=3-val_loss=0.41.ckpt     3    0.41  3 kB      1  2026-11-03 12:00  no: worse than the best
| epoch=4-val_loss=0.38.ckpt     4    0.38  4 kB      1  2026-11-04 12:00  no: worse than the best
| epoch=5-val_loss=0.37.ckpt     5    0.37  5 kB      1  2026-11-05 12:00  yes: the best
| epoch=6-val_loss=0.1.ckpt      6     0.1   0 B      1  2026-11-06 00:00  yes: no data yet
| 
| would remove 2 of 6: frees 7 kB, $0.000000161 a month at $0.0230 per GB (aws S3 Standard, 2026-11-15)
| this was a dry run: add --yes to remove them
$ stint checkpoints prune out --settle 0s --keep 1 --best val_loss:min --yes --json
| {"schema":"stint.checkpoints.prune/1","folder":"out","metric":"val_loss","dry_run":false,"checkpoints":[{"name":"epoch=1-val_loss=0.53.ckpt","step":1,"metric":0.53,"size":1000,"frees":1000,"files":1,"changed":"2026-11-01T12:00:00Z","cost":null,"state":"whole","whole":true,"best":false,"keep":true,"removed":false,"reason":"named by 'latest'"},{"name":"epoch=2-val_loss=0.46.ckpt","step":2,"metric":0.46,"size":2000,"frees":2000,"files":1,"changed":"2026-11-02T12:00:00Z","cost":null,"state":"whole","whole":true,"best":false,"keep":true,"removed":false,"reason":"a link names it"},{"name":"epoch=3-val_loss=0.41.ckpt","step":3,"metric":0.41,"size":3000,"frees":3000,"files":1,"changed":"2026-11-03T12:00:00Z","cost":null,"state":"whole","whole":true,"best":false,"keep":false,"removed":true,"reason":"worse than the best"},{"name":"epoch=4-val_loss=0.38.ckpt","step":4,"metric":0.38,"size":4000,"frees":4000,"files":1,"changed":"2026-11-04T12:00:00Z","cost":null,"state":"whole","whole":true,"best":false,"keep":false,"removed":true,"reason":"worse than the best"},{"name":"epoch=5-val_loss=0.37.ckpt","step":5,"metric":0.37,"size":5000,"frees":5000,"files":1,"changed":"2026-11-05T12:00:00Z","cost":null,"state":"whole","whole":true,"best":true,"keep":true,"removed":false,"reason":"the best"},{"name":"epoch=6-val_loss=0.1.ckpt","step":6,"metric":0.1,"size":0,"frees":0,"files":1,"changed":"2026-11-06T00:00:00Z","cost":null,"state":"no data yet","whole":false,"best":false,"keep":true,"removed":false,"reason":"no data yet"}],"keep":1,"to_remove":2,"removed":2,"failed":0,"frees":7000,"month":{"amount":"0.000000161","currency":"USD"},"storage_price":{"amount":"0.023","currency":"USD"},"storage_source":"aws S3 Standard, 2026-11-15"}
$ ls -A out
| epoch=1-val_loss=0.53.ckpt
| epoch=2-val_loss=0.46.ckpt
| epoch=5-val_loss=0.37.ckpt
| epoch=6-val_loss=0.1.ckpt
| favorite
| latest
$ stint checkpoints prune out --settle 0s --keep 1 --best val_loss:min --yes
| checkpoint                  step  metric  size  files  changed (UTC)     kept
| epoch=1-val_loss=0.53.ckpt     1    0.53  1 kB      1  2026-11-01 12:00  yes: named by 'latest'
| epoch=2-val_loss=0.46.ckpt     2    0.46  2 kB      1  2026-11-02 12:00  yes: a link names it
| epoch=5-val_loss=0.37.ckpt     5    0.37  5 kB      1  2026-11-05 12:00  yes: the best
| epoch=6-val_loss=0.1.ckpt      6     0.1   0 B      1  2026-11-06 00:00  yes: no data yet
| 
| nothing to remove: 4 checkpoints, all kept
An interrupted removal is finished.
$ mkdir out/.stint-removing-0-epoch=9.ckpt && touch out/.stint-removing-0-epoch=9.ckpt/w
$ stint checkpoints prune out --settle 0s --yes
| checkpoint                  step  size  files  changed (UTC)     kept
| epoch=1-val_loss=0.53.ckpt     1  1 kB      1  2026-11-01 12:00  yes: named by 'latest'
| epoch=2-val_loss=0.46.ckpt     2  2 kB      1  2026-11-02 12:00  yes: a link names it
| epoch=5-val_loss=0.37.ckpt     5  5 kB      1  2026-11-05 12:00  yes: among the newest
| epoch=6-val_loss=0.1.ckpt      6   0 B      1  2026-11-06 00:00  yes: no data yet
| 
| nothing to remove: 4 checkpoints, all kept
! stint: note: finished 1 removal that had been interrupted
$ ls -A out
| epoch=1-val_loss=0.53.ckpt
| epoch=2-val_loss=0.46.ckpt
| epoch=5-val_loss=0.37.ckpt
| epoch=6-val_loss=0.1.ckpt
| favorite
| latest
Names that would harm a terminal.
$ mkdir odd && touch "odd/$(printf 'step_1\033[31m\n.pt')" && touch -d 2026-11-05Z odd/*
$ stint checkpoints list odd --settle 0s
| checkpoint       step  size  files  changed (UTC)     state
| step_1?[31m?.pt     1   0 B      1  2026-11-05 00:00  no data yet
| 
| 1 checkpoint, 0 B
Mistakes.
$ stint checkpoints list
! stint: checkpoints list needs a DIR
!   hint: stint checkpoints list out
? 2
$ stint checkpoints list nowhere
! stint: cannot open the folder 'nowhere': No such file or directory
? 4
$ mkdir empty; stint checkpoints list empty; stint checkpoints prune empty
| no checkpoints in empty
| no checkpoints in empty
$ stint checkpoints prune out --best thing
! stint: is lower or higher 'thing' better?
!   hint: thing:min, or thing:max
? 2
$ stint checkpoints prune out --keep 0
! stint: --keep: '0' is not 1 or more
? 2
$ stint checkpoints prune out --storage-price 0.08
! stint: --storage-price: '0.08' is not a price of data
!   hint: write it per gigabyte: 0.09usd/GB
? 2
$ stint checkpoints prune out --provider lamda
! stint: there is no provider 'lamda'
!   hint: did you mean 'lambda'?
? 4
$ stint checkpoints best out --settle 0s
! stint: checkpoints best needs --best METRIC
!   hint: stint checkpoints best out --best val_loss:min
? 2
$ stint checkpoints best empty --best val_loss:min
! stint: no complete checkpoint in 'empty' has a value of 'val_loss'
!   hint: values come from names (val_loss=0.12), trainer_state.json and the ledger: 'stint run --checkpoints DIR' records it
? 4
$ mkdir one; touch one/trainer_state.json one/optimizer.pt one/rng_state.pth; stint checkpoints prune one --yes
! stint: 'one' is one checkpoint, not a folder of them
!   hint: name the folder it is in
? 3
docs/guide/checkpoints.md shows four of them; these are a thousandth of its size.
$ mkdir page; cd page; metric=0.53; head -c 4210000 /dev/zero >weights; for step in 500 1000 1500 2000; do mkdir -p out/checkpoint-$step; for i in 1 2 3 4 5 6 7; do : >out/checkpoint-$step/state-$i.json; done; cp weights out/checkpoint-$step/weights.dat; printf '{"log_history": [{"step": %s, "val_loss": %s}]}' $step $metric >out/checkpoint-$step/trainer_state.json; touch -d "2026-11-0$((step / 500)) 12:00:00 UTC" out/checkpoint-$step/* out/checkpoint-$step; case $step in 500) metric=0.37 ;; 1000) metric=0.38 ;; *) metric=0.41 ;; esac; done
$ cd page; stint checkpoints prune out --settle 0s --keep 2 --best val_loss:min | sed 's/ MB/ GB/g; s/[$]0[.]0000968[0-9]*/$0.0968/; s/ *$//' >came.txt; sed -n '/^checkpoint  /,/^this was/p' "$cases/../../docs/guide/checkpoints.md" | diff - came.txt
