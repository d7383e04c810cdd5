Bundles: a data set, its configuration and scripts in one archive, and back.
Sizes of bundles depend on the version of the libraries that pack: they are masked.

$ echo 's/ in [0-9.]* [kM]*B$/ in SIZE/' >mask.sed; mkdir -p set/sub set/empty && printf one >set/one.txt && printf two >set/sub/two.txt && ln -s ../one.txt set/sub/link && printf x >"$(printf 'set/new\nline')" && printf '#!/bin/sh\n' >set/run && chmod 750 set/run && find set -exec touch -h -d '2026-11-01 12:00:00 UTC' {} +
$ stint data bundle set | sed -f mask.sed
| set_bundle.tar.gz: 4 files, 17 B in SIZE
| 
| name      files  size
| dataset/      4  17 B
| 
| sha256          95ba02ed6af083a9b186e85436b7f28d32d5c8256c3a36f0e658425966f3e183
$ stint data unbundle set_bundle.tar.gz
| set_bundle: 4 files, 17 B, verified
| 
| sha256          95ba02ed6af083a9b186e85436b7f28d32d5c8256c3a36f0e658425966f3e183
$ stint data diff set set_bundle/dataset
| equal: 6 paths
$ ls -l set_bundle/dataset/run | cut -c1-4; ls -A set_bundle; find . -name '*.tmp'
| -rwx
| dataset
Plain tar reads it: the manifest is first.
$ tar -tzf set_bundle.tar.gz
| stint.manifest
| dataset/empty/
| dataset/new\nline
| dataset/one.txt
| dataset/run
| dataset/sub/link
| dataset/sub/two.txt
$ mkdir plain && tar -xzf set_bundle.tar.gz -C plain && stint data diff plain/dataset set && head -4 plain/stint.manifest && ls -ln --time-style=+%s plain/dataset/run | cut -d' ' -f1,5,6
| equal: 6 paths
| stint manifest 1
| files 4
| bytes 17
| sha256 95ba02ed6af083a9b186e85436b7f28d32d5c8256c3a36f0e658425966f3e183
| -rwxr-xr-x 10 1793534400
$ gzip -t set_bundle.tar.gz && gzip -dc set_bundle.tar.gz | tar -tvf - --utc | head -2 | sed 's/  */ /g' | cut -d' ' -f1,2,4-
| -rw-r--r-- 0/0 2026-11-01 12:00 stint.manifest
| drwxr-xr-x 0/0 2026-11-01 12:00 dataset/empty/
The same files give the same bytes, wherever they are.
$ mkdir there && cp -a set there/set && stint data bundle there/set -o there.tar.gz >/dev/null && cmp there.tar.gz set_bundle.tar.gz && echo same
| same
With a configuration and scripts; the ending of the configuration stays.
$ mkdir scripts && printf 'echo\n' >scripts/train.sh && printf 'lr: 1\n' >job.yaml && stint data bundle set/ --config job.yaml -o all.tar.zst | sed -f mask.sed
| all.tar.zst: 6 files, 28 B in SIZE
| 
| name         files  size
| config.yaml      1   6 B
| dataset/         4  17 B
| scripts/         1   5 B
| 
| sha256          3668016415189a73f17e0e872055e43d0e8de7b9548876bce87902dedc08c399
$ stint data unbundle all.tar.zst -o new/ && cat new/config.yaml new/scripts/train.sh && rm -r scripts
| new: 6 files, 28 B, verified
| 
| sha256          3668016415189a73f17e0e872055e43d0e8de7b9548876bce87902dedc08c399
| lr: 1
| echo
$ printf '{}' >train && stint data bundle set --config train -o x.tgz | sed -n 3,4p; printf '{}' >a.json; stint data bundle set --config a.json -o x.tzst | sed -n 4p
| name      files  size
| config        1   2 B
| config.json      1   2 B
$ stint data bundle set -o x.tgz --json | sed 's/"bundle_size":{*[^,}]*}*,/"bundle_size":SIZE,/; s/"compression_ratio":[0-9.]*/"compression_ratio":RATIO/'
| {"schema":"stint.data.bundle/1","folder":"set","output":"x.tgz","sha256":"95ba02ed6af083a9b186e85436b7f28d32d5c8256c3a36f0e658425966f3e183","contents":[{"name":"dataset/","files":4,"size":17}],"files":4,"links":1,"empty_folders":1,"left_out":0,"size":17,"bundle_size":SIZE,"stored_size":0,"compression_ratio":RATIO,"problems":[]}
$ (cd set && HOME=../home stint data bundle . | sed -f ../mask.sed | head -1 | sed "s|.*/||"); ls | grep bundle
| set_bundle.tar.gz: 4 files, 17 B in SIZE
| set_bundle
| set_bundle.tar.gz
What leads outside, or is no file, is left out.
$ ln -s /etc/passwd set/passwd && ln -s ../train set/sub/up && mkfifo set/pipe && stint data bundle set -o x.tgz >out || echo $? && sed -f mask.sed out
| 1
| x.tgz: 4 files, 17 B in SIZE
| 
| name      files  size
| dataset/      4  17 B
| 
| sha256          6c9ff602aa984461b0603f0a88bba60cc512f76d29e8669137f36373bdd28dc0
| 
| left out        problem
| dataset/pipe    a named pipe
| dataset/passwd  a link that leads outside the folder
! stint: note: 1 path in 'set' left out: neither a file nor a folder
! stint: warning: 1 link left out: it leads outside its folder
$ rm -rf x && stint data unbundle x.tgz
| x: 4 files, 17 B, verified
| 
| sha256          6c9ff602aa984461b0603f0a88bba60cc512f76d29e8669137f36373bdd28dc0
! stint: warning: 2 paths were left out when 'x.tgz' was made
? 1
$ ls x/dataset/sub && rm set/passwd set/pipe && rm set/sub/up
| link
| two.txt
| up
Compressed files are stored as they are.
$ rm -rf set && mkdir set && awk 'BEGIN { srand(1); for (i = 0; i < 200000; i++) printf "%c", int(rand() * 255) + 1 }' >set/noise && stint data bundle set -o noise.tar.gz | tail -1 | cut -c1-15
| stored as is   
Mistakes.
$ stint data bundle nowhere
! stint: there is no folder 'nowhere'
!   hint: name the folder with the data
? 4
$ stint data bundle train
! stint: 'train' is not a folder
!   hint: name the folder that it is in
? 3
$ stint data bundle set -o x.zip
! stint: --output: 'x.zip' is not the name of a bundle
!   hint: name it .tar.gz or .tar.zst
? 2
$ stint data bundle set -o set/x.tar.gz
! stint: 'set/x.tar.gz' would be in 'set', which it holds
!   hint: write it elsewhere: -o ../NAME.tar.gz
? 3
$ stint data bundle set --config nothing.yaml
! stint: cannot read 'nothing.yaml': No such file or directory
? 4
$ stint data bundle set --config set
! stint: 'set' is not a file
!   hint: name a file
? 3
$ stint data bundle set -o nowhere/x.tar.gz
! stint: cannot write 'nowhere/x.tar.gz': No such file or directory
? 1
$ stint data unbundle nothing.tar.gz
! stint: cannot open 'nothing.tar.gz': No such file or directory
? 4
$ stint data unbundle train
! stint: 'train' has no ending of a bundle
!   hint: name the folder to make with -o
? 2
$ stint data unbundle train -o out
! stint: 'out' is there already, and is not replaced
!   hint: name another folder with -o
? 3
$ mkdir thing && stint data unbundle all.tar.zst -o thing/
! stint: 'thing' is there already, and is not replaced
!   hint: name another folder with -o
? 3
$ stint data unbundle all.tar.zst -o nowhere/new
! stint: cannot make the folder 'nowhere/new': No such file or directory
? 1
$ tar -czf other.tar.gz set && stint data unbundle other.tar.gz
! stint: other.tar.gz: this is no bundle of Stint: it does not begin with stint.manifest
!   hint: unpack other archives with tar
? 3
$ head -c 300 set_bundle.tar.gz >cut.tar.gz && stint data unbundle cut.tar.gz; ls -d cut*
| cut.tar.gz
! stint: cut.tar.gz: the gzip data are damaged or cut off
A bundle that was made anew with other content than its manifest has.
$ printf evil >plain/dataset/one.txt && (cd plain && tar -czf ../evil.tar.gz stint.manifest dataset/empty "$(printf 'dataset/new\nline')" dataset/one.txt dataset/run dataset/sub/link dataset/sub/two.txt) && stint data unbundle evil.tar.gz
! stint: evil.tar.gz: 'dataset/one.txt' is not what its manifest announces
!   hint: do not use it: it is damaged, or not made by 'stint data bundle'
? 3
$ printf big >plain/dataset/one.txt && (cd plain && tar -czf ../evil.tar.gz stint.manifest dataset/empty "$(printf 'dataset/new\nline')" dataset/one.txt dataset/run dataset/sub/link dataset/sub/two.txt) && stint data unbundle evil.tar.gz; ls -d evil*
| evil.tar.gz
! stint: evil.tar.gz: 'dataset/one.txt' is not what its manifest says
!   hint: do not use it: it is damaged, or not made by 'stint data bundle'
Without the loadable part that packs, the message says what is missing.
$ cp "$(realpath "$(command -v stint)")" alone; mkdir some && cp "$STINT_PARTS"/digest.so some && STINT_PARTS=$PWD/some ./alone data bundle set -o y.tgz
! stint: the part 'archive' of Stint is not installed
!   hint: install Stint again, or set STINT_PARTS to the folder of its parts
? 1
