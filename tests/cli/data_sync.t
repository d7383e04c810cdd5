Data: a folder and another place made equal.
needs: rsync

$ mkdir -p a/sub a/empty && printf one >a/one.txt && printf two >a/sub/two.txt && printf x >"$(printf 'a/new\nline')" && ln -s one.txt a/link
$ stint data sync a b --dry-run --to aws/us-east-1
| step    paths  size  of it new
| upload      5   7 B        7 B
| 
| step    size  path
| upload   0 B  empty/
| upload   0 B  link
| upload   1 B  new?line
| upload   3 B  one.txt
| upload   3 B  sub/two.txt
| 
| would move      7 B in under 1 s, $0.00
| nothing was moved (--dry-run)
$ test -e b; echo $?
| 1
$ stint data sync a b
| step    paths  size  of it new
| upload      5   7 B        7 B
| 
| step    size  path
| upload   0 B  empty/
| upload   0 B  link
| upload   1 B  new?line
| upload   3 B  one.txt
| upload   3 B  sub/two.txt
| 
| moved           7 B in under 1 s, $0.00
$ diff -r --no-dereference a b
| Only in b: .stint-sync
? 1
$ rsync -n -rlc --out-format=%n --exclude=.stint-sync a/ b/
$ stint data sync a b
| equal: 5 paths
What DST has changed stays; what both have changed is a conflict.
$ printf TWO >b/sub/two.txt; printf o >b/own; printf more >a/more; stint data sync a b
| step       paths  size  of it new
| upload         1   4 B        4 B
| kept           2   4 B        4 B
| unchanged      4   4 B        0 B
| 
| step    size  path
| upload   4 B  more
| kept     1 B  own
| kept     3 B  sub/two.txt
| 
| moved           4 B in under 1 s, $0.00
! stint: note: 2 paths stay as DST has it: --delete deletes what SRC has deleted, --both takes over what DST has changed
$ printf 2 >a/sub/two.txt; touch -d 2026-11-01 a/sub/two.txt; touch -d 2026-11-02 b/sub/two.txt; stint data sync a b
| step       paths  size  of it new
| conflict       1   4 B        0 B
| kept           1   1 B        1 B
| unchanged      5   8 B        0 B
| 
| step      size  path
| kept       1 B  own
| conflict   4 B  sub/two.txt
| 
! stint: warning: 1 path changed on both sides and is left as it is: --newer takes the newer
! stint: note: 1 path stays as DST has it: --delete deletes what SRC has deleted, --both takes over what DST has changed
? 1
$ cat a/sub/two.txt b/sub/two.txt; echo
| 2TWO
$ stint data sync a b --both --newer
| step       paths  size  of it new
| download       2   4 B        4 B
| unchanged      5   8 B        0 B
| 
| step      size  path
| download   1 B  own
| download   3 B  sub/two.txt
| 
| moved           4 B in under 1 s, $0.00
$ cat a/sub/two.txt a/own; echo
| TWOo
Deletions are asked for.
$ rm a/own a/more; stint data sync a b --limit 1
| step       paths  size  of it new
| kept           2   5 B        0 B
| unchanged      5   7 B        0 B
| 
| step  size  path
| kept   4 B  more
| and 1 more: --limit
| 
! stint: note: 2 paths stay as DST has it: --delete deletes what SRC has deleted, --both takes over what DST has changed
$ stint data sync a b --delete --verify
| step           paths  size  of it new
| delete remote      2   5 B        0 B
| unchanged          5   7 B        0 B
| 
| step           size  path
| delete remote   4 B  more
| delete remote   1 B  own
| 
| verified        3 files read on both sides
$ ls b
| empty
| link
| new
| line
| one.txt
| sub
$ rm -r a/* && stint data sync a b --delete; ls b
| empty
| link
| new
| line
| one.txt
| sub
! stint: 'a' is empty, and was not at the last sync: nothing is deleted
!   hint: is it mounted? To delete everything on the other side, delete that folder
Every transfer is in the ledger.
$ stint runs --json | tr ',' '\n' | grep -c '"name":"data sync"'
| 3
$ stint show last | grep -E '^(name|state|command|tags|cost|network)' | sed 's/[0-9]* B/N B/g'
| name            data sync
| state           done
| command         stint data sync a b --both --newer
| tags            activity=transfer
| cost            $0.00
| network         N B received, N B sent
$ stint costs --by category
| category     cost  share
| Networking  $0.00      -
| total       $0.00       
| 
| exactly: 0 USD
| 2026-10-17 to 2026-11-15 (UTC), effective cost
| there are no bills in the ledger: only metered runs are included
$ stint data manifest b --json | grep -o '"files":[0-9]*'
| "files":3
Down into a new folder; the other way round it is the same pair.
$ stint data sync b new && ls new && printf 5 >new/five && stint data sync new b | tail -2
| step    paths  size  of it new
| upload      5   7 B        7 B
| 
| step    size  path
| upload   0 B  empty/
| upload   0 B  link
| upload   1 B  new?line
| upload   3 B  one.txt
| upload   3 B  sub/two.txt
| 
| moved           7 B in under 1 s, $0.00
| empty
| link
| new
| line
| one.txt
| sub
| 
| moved           1 B in under 1 s, $0.00
Mistakes.
$ stint data sync nowhere b
! stint: there is no folder 'nowhere'
!   hint: name the folder with the data
? 4
$ stint data sync a a/sub
! stint: one of 'a' and 'a/sub' is in the other
!   hint: name a folder that is in neither
? 3
$ stint data sync host:x other:y
! stint: neither 'host:x' nor 'other:y' is a folder of this machine
!   hint: sync to a folder here first, or run stint on one of the machines
? 3
$ stint data sync -- -x:y b
! stint: '-x' is not the name of a host
!   hint: a folder is written as ./-name
? 3
$ stint data sync a ''
! stint: DST: the value is empty
? 2
$ stint data sync s3:// b
! stint: 's3://' has no bucket
!   hint: name it: s3://bucket/folder
? 3
$ stint data sync a ftp://host/x
! stint: 'ftp://host/x' is not a place for data
!   hint: write HOST:FOLDER, s3://BUCKET/FOLDER, gs://, az:// or a remote of rclone
? 3
$ env -u AZURE_STORAGE_ACCOUNT "$(command -v stint)" data sync a az://container
! stint: 'az://container': the environment has no credentials for az://
!   hint: set AZURE_STORAGE_ACCOUNT, and AZURE_STORAGE_KEY or AZURE_STORAGE_SAS_TOKEN
? 3
$ stint data sync a b --bandwidth 10
! stint: --bandwidth: '10' is not a bandwidth
!   hint: give the unit in full: 100MB/s, 1Gbit/s
? 2
$ stint data sync a b --to awz
! stint: there is no provider 'awz'
!   hint: did you mean 'aws'?
? 4
$ d=$(dirname "$(command -v stint)"); PATH=$d stint data sync a b
! stint: rsync, which moves the data, is not installed
!   hint: install it with the system's packages: apt install rsync rclone
? 4
Holes of a file stay holes.
$ mkdir holes && truncate -s 20M holes/a && printf end >>holes/a && stint data sync holes holes2 >/dev/null && cmp holes/a holes2/a && test "$(stat -c %b holes2/a)" -lt 1000; echo $?
| 0
A folder that does not tell upper from lower case: our own folder in it has another name, too. What is there keeps its name.
$ mkdir -p case/Sub case/sub case2/.stint-sync && ln -s .stint-sync case2/.STINT-SYNC && printf 1 >case/A && printf 2 >case/a && printf 3 >case/Sub/x && printf 4 >case/sub/y && printf 5 >case/B && printf 6 >case2/b
$ stint data sync case case2
| step     paths  size  of it new
| upload       2   2 B        2 B
| kept         2   1 B        1 B
| unknown      3   3 B        3 B
| 
| step     size  path
| kept      0 B  .STINT-SYNC
| upload    1 B  A
| unknown   1 B  B
| upload    1 B  Sub/x
| unknown   1 B  a
| kept      1 B  b
| unknown   1 B  sub/y
| 
| moved           2 B in under 1 s, $0.00
! stint: warning: 3 paths left: the folder that is written to does not tell upper from lower case, and has the same name so: rename them
! stint: note: 2 paths stay as DST has it: --delete deletes what SRC has deleted, --both takes over what DST has changed
? 1
$ cat case2/A case2/Sub/x case2/b; ls case2 case2/Sub
| 136case2:
| A
| Sub
| b
| 
| case2/Sub:
| x
