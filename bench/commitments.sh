#!/bin/sh
# What to commit to for three years of hours. commitments.sh BUILD_FOLDER SCRATCH
set -eu
build=$1
scratch=$2
failed=0
. bench/bar.sh

echo
echo '# what to commit to, three years of hours'
"$build/bench/bench_commitments" >"$scratch/commitments.txt"
cat "$scratch/commitments.txt"
bar 'exact optimum of four offers, s' "$(sed -n 's/.*: \([0-9.]*\) s exact.*/\1/p' "$scratch/commitments.txt")" '<' 1
exit $failed
