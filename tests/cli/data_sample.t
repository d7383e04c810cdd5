A part of a data set: each folder gives its part, and what belongs together goes together.

$ mkdir -p photos/cats photos/dogs photos/.git && for i in $(seq 100); do echo "$i" >photos/cats/$i.jpg; echo a cat >photos/cats/$i.txt; done; for i in $(seq 40); do echo "$i" >photos/dogs/$i.png; done; echo cats dogs >photos/classes.txt; echo x >photos/.git/HEAD
$ stint data sample photos --fraction 5% --dry-run
| photos: 140 examples, 241 files, 1.01 kB
| 
| group  examples  taken  share
| cats        100      5    5 %
| dogs         40      2    5 %
| 
| asked  folder       examples  files  size
|   5 %  photos_5pct         7     13  60 B
| 
| in each         classes.txt
| this was a dry run: no folder was made
$ stint data sample photos/ --fraction 10%
| photos/: 140 examples, 241 files, 1.01 kB
| 
| group  examples  taken  share
| cats        100     10   10 %
| dogs         40      4   10 %
| 
| asked  folder        examples  files   size
|  10 %  photos_10pct        14     25  111 B
| 
| in each         classes.txt
$ find photos_10pct -type l | wc -l; find -L photos_10pct -type f -path '*cats*' | sed 's/.*\.//' | sort | uniq -c | tr -s ' '; cat photos_10pct/classes.txt; ls photos
| 25
|  10 jpg
|  10 txt
| cats dogs
| cats
| classes.txt
| dogs
A smaller fraction is in a larger one, and a sample of a sample is one, too.
$ stint data sample photos --stages 20,50,100 -o part >stages.txt; (cd photos_10pct && find . -type l) | while read -r f; do [ -L "part_20pct/$f" ] || echo "not in 20: $f"; done; (cd part_20pct && find . -type l) | while read -r f; do [ -L "part_50pct/$f" ] || echo "not in 50: $f"; done; cat stages.txt
| photos: 140 examples, 241 files, 1.01 kB
| 
| group  examples  taken  share
| cats        100     20   20 %
| dogs         40      8   20 %
| 
| asked  folder      examples  files     size
|  20 %  part_20pct        28     49    212 B
|  50 %  part_50pct        70    121    513 B
| 100 %  photos           140    241  1.01 kB
| 
| in each         classes.txt
$ stint data sample part_50pct --fraction 50% -o half --json | tr ',' '\n' | grep -E '"(examples|files|size|made)"'
| "examples":70
| "files":121
| "size":513
| "made":true
| "examples":35
| "files":61
| "size":263
| "examples":50
| "examples":20
Set and sample may be moved together.
$ mkdir moved && cp -r photos photos_10pct moved && rm -r photos_10pct && find moved/photos_10pct -xtype l
Labels instead of folders.
$ (echo file_name,label; for i in $(seq 90); do echo "$i.jpg,$([ $i -le 9 ] && echo rare || echo common)"; done) >labels.csv; stint data sample photos/cats --fraction 10% --labels labels.csv --least 1 -o few
| photos/cats: 100 examples, 200 files, 892 B
| 
| group       examples  taken  share
| common            81      8  9.9 %
| (no label)        10      1   10 %
| rare               9      1   11 %
| 
| asked  folder  examples  files  size
|  10 %  few           10     20  89 B
! stint: warning: 10 of 100 examples have no label in 'labels.csv': they are a group
$ (for i in $(seq 90); do echo "{\"image\": \"$i.jpg\", \"kind\": $((i % 2))}"; done) >labels.jsonl; stint data sample photos/cats --fraction 10% --labels labels.jsonl --label-column kind --dry-run
| photos/cats: 100 examples, 200 files, 892 B
| 
| group       examples  taken  share
| 0                 45      4  8.9 %
| 1                 45      5   11 %
| (no label)        10      1   10 %
| 
| asked  folder             examples  files  size
|  10 %  photos/cats_10pct        10     20  89 B
| this was a dry run: no folder was made
! stint: warning: 10 of 100 examples have no label in 'labels.jsonl': they are a group
Rows of tables, where most of the data is in them.
$ mkdir text && echo '# about' >text/README.md && for i in $(seq 2000); do echo "{\"prompt\": \"question $i\"}"; done >text/train.jsonl && (echo id,text; for i in $(seq 200); do echo "$i,answer"; done) >text/test.csv
$ stint data sample text --stages 5,25,100
| text: 2,200 rows, 3 files, 57.00 kB
| 
| group        examples  taken  share
| train.jsonl      2000     81  4.0 %
| test.csv          200     11  5.5 %
| 
| asked  folder      examples  files      size
|   5 %  text_5pct         92      3   2.36 kB
|  25 %  text_25pct       552      3  14.25 kB
| 100 %  text            2200      3  57.00 kB
| 
| in each         README.md
$ head -2 text_5pct/test.csv; wc -l <text_5pct/train.jsonl; [ -L text_5pct/README.md ]; grep -vxFf text_25pct/train.jsonl text_5pct/train.jsonl
| id,text
| 42,answer
| 81
? 1
What each stage costs.
$ printf 'train:\n  model: llama-3.1-8b\n  method: lora\n  data: {examples: 50000, tokens: 512}\n' >job.yaml; stint data sample photos --stages 5,100 --job job.yaml --dry-run | sed -n '/asked/,$p'
| asked  folder       examples  files     size     cost      time  offer
|   5 %  photos_5pct         7     13     60 B  $0.0844  18min44s  runpod/*/1x_RTXA5000_SECURE
| 100 %  photos            140    241  1.01 kB    $1.43   5h17min  runpod/*/1x_RTXA5000_SECURE
| 
| in each         classes.txt
| this was a dry run: no folder was made
! stint: warning: the price of the best plan is 85 days old, 80 % range $0.2476/hr to $0.2944/hr; 'stint price fetch skypilot' updates prices
docs/guide/data.md shows one, of a set with 527 photos.
$ mkdir -p page/home page/photos/cats page/photos/dogs page/photos/birds; cp job.yaml page/train.yaml; pad=$(head -c 3000 /dev/zero | tr '\0' x); for i in $(seq 527); do in=cats; [ $i -le 400 ] || in=dogs; [ $i -le 520 ] || in=birds; printf %s "$pad" >page/photos/$in/$i.jpg; echo 1 >page/photos/$in/$i.txt; done; echo cats dogs birds >page/photos/classes.txt; echo 'nc: 3' >page/photos/data.yaml
$ cd page; . "$cases/transcript.sh"; transcript "$cases/../../docs/guide/data.md" "stint data sample"; grep -c '^[$] stint' expected.txt
| 1
Mistakes.
$ stint data sample photos
! stint: one of --fraction and --stages says how much to take
!   hint: --fraction 5%, or --stages 5,25,100
? 2
$ stint data sample photos --fraction 5
! stint: --fraction: '5' is not a share from 0 to 1
!   hint: write it as 20% or 0.2
? 2
$ stint data sample photos --fraction 0
! stint: a fraction is above 0 and at most 100 %
!   hint: write it as 5%
? 2
$ stint data sample photos --stages 5,x
! stint: --stages: 'x' is not a percentage
!   hint: write them as 5,25,100
? 2
$ stint data sample nowhere --fraction 5%
! stint: there is no folder 'nowhere'
!   hint: name the folder with the data
? 4
$ stint data sample photos --fraction 20% -o part_20pct
! stint: 'part_20pct' exists
!   hint: remove it, or name another with -o
? 3
$ stint data sample photos --fraction 20% --labels labels.jsonl
! stint: labels.jsonl: no column is called label, class, category or target
!   hint: --label-column NAME says which
? 2
$ stint data sample photos --fraction 20% --labels labels.csv --label-column kind
! stint: labels.csv: there is no column 'kind'
? 3
$ stint data sample photos --fraction 20% --labels none.csv
! stint: cannot open 'none.csv': No such file or directory
? 4
$ stint data sample photos --fraction 20% --labels text
! stint: 'text' is a folder, not a file
? 3
$ mkdir empty; stint data sample empty --fraction 5%
! stint: there are no examples in 'empty'
!   hint: 'stint data manifest' lists what is in a folder
? 4
$ stint data sample photos --fraction 20% -o /nowhere/x
! stint: cannot make a folder in '/nowhere': No such file or directory
? 1
$ cd photos && stint data sample . --fraction 5%
! stint: '.' does not say what to call the new folder
!   hint: -o OUT does
? 2
$ ls -a | grep tmp
? 1
