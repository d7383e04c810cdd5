#!/bin/bash
# A sweep as an array of jobs on a real Slurm cluster, started for the test: the same result, byte for byte,
# as on this machine alone. run.sh STINT
set -u
stint=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
skip() {
    echo "1..0 # SKIP $1"
    exit 0
}
export PATH=$PATH:/usr/sbin
for program in sbatch slurmctld slurmd slurmdbd munged mariadbd; do
    command -v "$program" >/dev/null || skip "there is no $program here"
done
[ "$(id -u)" = 0 ] || skip "starting a cluster takes root"
scratch=$(mktemp -d) || exit 1
chmod 755 "$scratch"
# shellcheck disable=SC2317 # called at the end
finish() {
    sh "$here/cluster.sh" stop "$scratch/cluster"
    rm -rf "$scratch"
}
trap finish EXIT
trap 'exit 1' HUP INT TERM
SLURM_CONF=$(sh "$here/cluster.sh" start "$scratch/cluster" 2>"$scratch/up.log") || {
    sed 's/^/# /' "$scratch/up.log"
    skip "the cluster did not start: $(head -n 1 "$scratch/up.log")"
}
export SLURM_CONF
cd "$scratch" || exit 1
# shellcheck source=tests/tap.sh
. "$here/../tap.sh"

# Up and down by a fixed rule: 400 ticks of 600 s.
awk 'BEGIN {
    for (z = 0; z < 3; z++) {
        printf "trace zone-%d gap=600 n=400 nodes=1 start=- od=3 spot=1\na ", z
        for (t = 0; t < 400; t++) printf "%d", (t * (z + 3) % 17) < 9
        print ""
    }
}' >made.trc
seq 0 10 90 >windows.txt
# shellcheck disable=SC2119,SC2120 # check calls it with arguments
sweep() {
    "$stint" simulate --traces made.trc --windows windows.txt --window-ticks 300 --work 20h --deadline 24h,40h \
        --delay 0.1h,0.3h --policy greedy,up,optimal --json "$@"
}

# shellcheck disable=SC2119 # without any
sweep >here.json || exit 1
sweep --slurm --shards 3 >slurm.json 2>messages
check 'an array of jobs runs and its results are collected' test $? -eq 0
check 'a note names what runs where' grep -q 'note: running as 3 jobs of Slurm, in ' messages
check 'the result is the same to the byte' cmp here.json slurm.json
check 'the temporary folder is gone' test -z "$(ls -d stint-sweep-* 2>/dev/null)"
check 'the array is submitted without waiting' sweep --slurm --shards 2 --no-wait --resume parts
for _ in $(seq 100); do
    [ -s parts/result.json ] && break
    sleep 0.2
done
check 'and leaves the same result in its folder' cmp here.json parts/result.json
rm parts/part-2
sweep --gather parts >/dev/null 2>&1
check 'a missing part is reported' test $? -ne 0
tap_end
