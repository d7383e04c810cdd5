#!/bin/sh
# Data sets: data.sh BUILD_FOLDER SCRATCH [PART]. 12,000 files, 1.2 GB; every bench/data_PART.sh measures on it, or only that one.
set -eu
build=$1
scratch=$2/data
mkdir "$scratch"
python3 bench/data_world.py "$scratch/set"
failed=0
for part in bench/data_*.sh; do
    name=${part#bench/data_}
    [ -z "${3:-}" ] || [ "${name%.sh}" = "$3" ] || continue
    sh "$part" "$build" "$scratch" "$scratch/set" || failed=1
done
rm -rf "$scratch"
exit $failed
