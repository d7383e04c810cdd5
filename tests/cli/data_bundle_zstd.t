Bundles that zstd packed, by its own program and tar's.
needs: zstd

$ mkdir set && noise() { awk "BEGIN { srand($1); for (i = 0; i < $2; i++) printf \"%c\", int(rand() * 255) + 1 }"; } && noise 0 2000000 >set/noise && awk 'BEGIN { srand(1); for (i = 0; i < 800000; i++) print "line", i, int(rand() * 1000) }' >set/words && for i in 1 2 3 4 5 6 7 8 9; do tail -c +${i}00000 set/words | head -c ${i}0000 >set/words$i; noise $i ${i}0000 >set/noise$i; done && : >set/empty
$ stint data bundle set -o x.tar.zst >out && tail -1 out | cut -c1-12
| stored as is
$ zstd -q -t x.tar.zst && zstd -dc x.tar.zst | tar -tf - | wc -l
| 22
$ mkdir plain && tar --zstd -xf x.tar.zst -C plain && stint data diff set plain/dataset
| equal: 21 paths
$ stint data unbundle x.tar.zst | head -1 && diff -r set x/dataset && echo equal
| x: 21 files, 15.50 MB, verified
| equal
It is no larger than tar and zstd make it.
$ tar -cf - set | zstd -q -3 >peer.zst; [ $(wc -c <x.tar.zst) -le $(wc -c <peer.zst) ] && echo smaller
| smaller
Any number of processors gives the same bytes.
$ taskset -c $(taskset -cp $$ | sed 's/.*: \([0-9]*\).*/\1/') stint data bundle set -o y.tar.zst >/dev/null && cmp x.tar.zst y.tar.zst && echo same
| same
The same with gzip.
$ stint data bundle set -o x.tar.gz >out && gzip -t x.tar.gz && mkdir gz && tar -xzf x.tar.gz -C gz && diff -r set gz/dataset && echo equal
| equal
