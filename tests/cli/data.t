Data: manifests of folders, and what makes two of them equal.

$ mkdir -p a/sub a/empty && printf one >a/one.txt && printf two >a/sub/two.txt && ln -s one.txt a/link && printf x >"$(printf 'a/new\nline')" && find a -exec touch -h -d '2026-11-01 12:00:00 UTC' {} +
$ stint data manifest a -o a.manifest
| a: 3 files, 7 B, 1 link, 1 empty folder
| 
| sha256          91c315e4d3094e1ff2389648ed551b791090cf3c499ff2762d3cdffe13ad1fb2
| read            3 files, 7 B
| written         a.manifest
$ grep -v ^taken a.manifest
| stint manifest 1
| files 3
| bytes 7
| sha256 91c315e4d3094e1ff2389648ed551b791090cf3c499ff2762d3cdffe13ad1fb2
| 
| d empty/
| l 4bc812ba0c30fc415977fb34715b63843b3e1f324aa869e40eb26d08fa2ca900 7 1793534400.000000000 link
| f 2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881 1 1793534400.000000000 new\nline
| f 7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed 3 1793534400.000000000 one.txt
| f 3fc4ccfe745870e2c0d99f71f30ff0656c8dedd41cc1d7d3d376b0dbe685e2f3 3 1793534400.000000000 sub/two.txt
| end
The content decides, not times and places.
$ cp -r a b && stint data manifest b --json | sed 's/.*"sha256":"\([0-9a-f]*\)".*/\1/'
| 91c315e4d3094e1ff2389648ed551b791090cf3c499ff2762d3cdffe13ad1fb2
$ stint data diff a b
| equal: 5 paths
$ stint data diff a.manifest b
| equal: 5 paths
What changed, and on which side: the base says it.
$ printf three >b/three.txt && printf TWO >b/sub/two.txt && rm b/one.txt && printf new >a/new.txt
$ stint data diff a b
| step       paths  size  new data
| upload         2   6 B       6 B
| download       1   5 B       5 B
| conflict       1   6 B       0 B
| unchanged      3   1 B       0 B
| 
| step      size  path
| upload     3 B  new.txt
| upload     3 B  one.txt
| conflict   6 B  sub/two.txt
| download   5 B  three.txt
| 
| upload          6 B in under 1 s, $0.00
| download        5 B in under 1 s, $0.00
$ stint data diff a b --base a.manifest --to aws/us-east-1 --bandwidth 10MB
| step          paths  size  new data
| upload            1   3 B       3 B
| download          2   8 B       8 B
| delete local      1   3 B       0 B
| unchanged         3   1 B       0 B
| 
| step          size  path
| upload         3 B  new.txt
| delete local   3 B  one.txt
| download       3 B  sub/two.txt
| download       5 B  three.txt
| 
| upload          3 B in under 1 s, $0.00
| download        8 B in under 1 s, $0.00
! stint: note: aws charges nothing for the first 100 GB to the internet in a month: the price is right if nothing else has used them
$ touch -d '2026-11-02 12:00:00 UTC' b/sub/two.txt && stint data diff a b --newer --limit 2
| step       paths  size  new data
| upload         2   6 B       6 B
| download       2   8 B       8 B
| unchanged      3   1 B       0 B
| 
| step    size  path
| upload   3 B  new.txt
| upload   3 B  one.txt
| and 2 more: --limit
| 
| upload          6 B in under 1 s, $0.00
| download        8 B in under 1 s, $0.00
A file where the other side has a folder.
$ rm -r b && mkdir -p b/one.txt && printf x >b/one.txt/x && stint data diff a b --limit 3
| step      paths  size  new data
| upload        5   7 B       7 B
| conflict      2   4 B       0 B
| 
| step    size  path
| upload   0 B  empty/
| upload   0 B  link
| upload   1 B  new?line
| and 4 more: --limit
| 
| upload          7 B in under 1 s, $0.00
What cannot be an entry is said.
$ mkfifo a/pipe && stint data manifest a
| a: 4 files, 10 B, 1 link, 1 empty folder
| 
| sha256          40da6f0afab978ce4adb3d34573c13684779697b5890f74bffdae9f0a2ae6633
| read            4 files, 10 B
| 
| path  problem
| pipe  a named pipe
! stint: note: 1 path in 'a' left out: neither a file nor a folder
Mistakes.
$ stint data manifest nowhere
! stint: there is no folder 'nowhere'
!   hint: name the folder with the data
? 4
$ stint data manifest a.manifest
! stint: 'a.manifest' is not a folder
!   hint: name the folder that it is in
? 3
$ stint data diff a nowhere
! stint: note: 1 path in 'a' left out: neither a file nor a folder
! stint: cannot open 'nowhere': No such file or directory
!   hint: name a folder, or a manifest that 'stint data manifest' wrote
? 4
$ stint data diff a a/one.txt
! stint: note: 1 path in 'a' left out: neither a file nor a folder
! stint: a/one.txt:1: not a Stint manifest
!   hint: 'stint data manifest' writes a new one
? 3
$ head -n 8 a.manifest >cut && stint data diff a cut
! stint: note: 1 path in 'a' left out: neither a file nor a folder
! stint: cut:9: the manifest ends here: it is not complete
!   hint: 'stint data manifest' writes a new one
? 3
$ sed 's/^f \(.\)/f 0/' a.manifest >edited && stint data diff a edited
! stint: note: 1 path in 'a' left out: neither a file nor a folder
! stint: edited:12: its SHA-256 is not that of its head
!   hint: 'stint data manifest' writes a new one
? 3
$ stint data diff a b --from awz
! stint: there is no provider 'awz'
!   hint: did you mean 'aws'?
? 4
$ stint data diff a b --to aws/us-eest-1; stint data diff a b --to nocloud/us
! stint: aws has no region 'us-eest-1'
!   hint: did you mean 'us-east-1'?
! stint: there is no provider 'nocloud'
!   hint: did you mean 'ovhcloud'?
? 4
$ for r in 10MB/s 80Mbit/s 80Mbps; do stint data diff a b --bandwidth $r --json 2>/dev/null | grep -o '"upload":{[^}]*"seconds":[^,]*'; done
| "upload":{"size":7,"seconds":7e-07
| "upload":{"size":7,"seconds":7e-07
| "upload":{"size":7,"seconds":7e-07
$ stint data diff a b --bandwidth 10
! stint: --bandwidth: '10' is not a bandwidth
!   hint: give the unit in full: 100MB/s, 1Gbit/s
? 2
$ stint data maniffest a
! stint: there is no command 'data maniffest'
!   hint: did you mean 'stint data manifest'?
? 2
$ stint data
| usage: stint data COMMAND [options]
| 
| data sets and models: make them smaller, bundle, sync
| 
| commands
|   data manifest         list size, time and SHA-256 of every file of a folder
|   data diff             compare two folders: what to upload, download and
|                         delete, and its price
|   data tier             move files that are old to cheaper disks (dry run by
|                         default)
|   data sample           make a folder of links with a part of a data set
|   data cache            run a preprocessing command only when something has
|                         changed
|   data images           make an image set smaller, in a new folder
|   data weights          make a model folder smaller, in a new folder
|   data tables           turn CSV and JSONL files into Parquet, in a new folder
|   data bundle           pack a data set, its configuration and scripts into one
|                         archive
|   data unbundle         unpack a bundle, verified, into a new folder
|   data sync             make a folder and another place equal, and record what
|                         it cost
| 
| example
|   stint data manifest dataset
|   stint data manifest dataset -o before.manifest
|   stint data manifest /mnt/archive --reread
A manifest with what could not be an entry is read again; a file in the folder is warned of.
$ stint data manifest a -o pipe.manifest >/dev/null; stint data diff a pipe.manifest
| step       paths  size  new data
| unknown        1   0 B       0 B
| unchanged      6  10 B       0 B
| 
| step     size  path
| unknown   0 B  pipe
| 
! stint: note: 1 path in 'a' left out: neither a file nor a folder
! stint: note: 1 path in 'a' left out: neither a file nor a folder
$ stint data manifest a -o a/own.manifest | tail -1; rm a/own.manifest
| pipe  a named pipe
! stint: warning: 'a/own.manifest' is in 'a', and will be in its next manifest: name a file elsewhere
! stint: note: 1 path in 'a' left out: neither a file nor a folder
$ stint data diff a b --bandwidth 0MB
! stint: --bandwidth: '0MB' is not above zero
? 2
What looks as if most had been deleted is warned of.
$ rm -rf b; mkdir b; stint data diff a b --base a.manifest | tail -2
| 
| upload          3 B in under 1 s, $0.00
! stint: note: 1 path in 'a' left out: neither a file nor a folder
! stint: warning: 5 of 5 paths of 'a.manifest' would be deleted: is everything mounted, and is it the manifest of the time when both were equal?
