A folder that is synced again and again: keeping a copy, by the ledger's transfers.
needs: rsync

$ mkdir set && head -c 3000000 /dev/zero >set/zeros && for to in a b; do stint data sync set $to --from gcp/us-central1 >out 2>&1 || cat out; done; stint advise | sed -n '3p'
| savings         nothing found
A third time is often; the sync of what has changed is not.
$ stint data sync set c --from gcp/us-central1 >out && echo more >set/more && stint data sync set c --from gcp/us-central1 >out && stint advise | sed -n '/moved-again/d; /^ 1/,/range/p'
|  1. data sync: keep a copy of data that is moved again and again
|     saves     $0.000665 a month ($0.00012 to $0.00072), 62 % of its cost;
|               effort: hours; risk: low
|     seen      'set' was moved 3 times, 3.00 MB each, together $0.00108
|     do        keep one copy where the machines are, on a volume or in a bucket
|               of their region; 'stint data sync' then moves only what changed
|     computed  cost of all moves but one, less keeping 0.003 GB for a month at
|               $0.0184 a GB; range: $0.2 a GB, a disk that is paid for anyway
$ stint advise --data set --data-at gcp/us-central1 --json | grep -o '"way":"a kept copy"[^}]*' | grep -o '"files":[0-9]*'; stint advise --data set | grep -o 'a kept copy (.*)'
| "files":2
| a kept copy (by the month: moved 3 times in 30 days)
