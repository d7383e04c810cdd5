#!/bin/sh
# A sweep of simulations gives the same bytes on any number of threads, in shards, and when it is ended in
# the middle (with no chance to clean up) and run again. run.sh STINT
set -u
stint=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
export HOME="$scratch/home" LC_ALL=C STINT_NOW=2026-11-15
export ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0:report_globals=0"
# shellcheck source=tests/tap.sh
. "$here/../tap.sh"

awk 'BEGIN {
    for (z = 0; z < 4; z++) {
        printf "trace zone-%d gap=600 n=900 nodes=1 start=- od=3 spot=1\na ", z
        for (t = 0; t < 900; t++) printf "%d", (t * (z + 3) % 17) < 9
        print ""
    }
}' >made.trc
seq 0 35 290 >windows.txt
# A script that becomes the program, so that its number is the program's.
cat >sweep.sh <<END
exec "$stint" simulate --traces made.trc --windows windows.txt --window-ticks 600 --work 48h --deadline 52h,70h \
    --delay 0.1h,0.3h --policy greedy,up,optimal --json "\$@" 2>>messages
END
sweep() {
    sh sweep.sh "$@"
}

sweep --threads 1 --per-run runs.csv >one.json || exit 1
for threads in 2 7; do
    sweep --threads $threads --per-run more.csv >more.json
    check "$threads threads" cmp one.json more.json
    check "$threads threads, run by run" cmp runs.csv more.csv
done

size_of() {
    if [ -e "$1" ]; then wc -c <"$1"; else echo 0; fi
}

# Stop it when the journal starts to grow, and again, until it is complete.
ended=0
while [ $ended -lt 4 ]; do
    size=$(size_of journal)
    sh sweep.sh --resume journal >resumed.json &
    pid=$!
    for _ in $(seq 500); do
        [ "$(size_of journal)" -gt $((size + 3000)) ] && break
        kill -0 $pid 2>/dev/null || break
        sleep 0.01
    done
    kill -9 $pid 2>/dev/null || break
    wait $pid 2>/dev/null
    ended=$((ended + 1))
done
check 'it was ended in the middle' test "$ended" -gt 0
sweep --resume journal >resumed.json
check 'and goes on to the same result' cmp one.json resumed.json
check 'a note reports what was done before' grep -q 'runs were done before' messages
head -c 3001 journal >cut.journal
sweep --resume cut.journal >resumed.json
check 'a journal that ends within a record' cmp one.json resumed.json
head -c 20 journal >cut.journal
sweep --resume cut.journal >resumed.json
check 'a journal that ends within its header' cmp one.json resumed.json
cp made.trc kept.trc
sed 's/^a 1/a 0/' kept.trc >made.trc
sweep --resume journal >refused.json
check 'another trace is refused' test $? -ne 0
cp kept.trc made.trc
check 'and the message has the reason' grep -q 'checksum of the traces was' messages

# Whatever changes the work is refused; one option at a time.
cat >ones.json <<'END'
{"metadata": {"gap_seconds": 3600}, "data": [0,0,0,0,0,0,0,0,1,1,1,1,1,1,1,1,0,0,0,0,1,1,1,1]}
END
{
    echo 'trace us-east-1a gap=3600 n=48 nodes=2 start=- od=3 spot=1'
    echo 'a 222222000000222222000000222222000000222222000000'
    echo 'trace us-west-2a gap=3600 n=48 nodes=2 start=- od=3 spot=1'
    echo 'a 000000222222000000222222000000222222000000222222'
} >two.trc
echo 1 >one.txt
seq 0 1 >more.txt
base='--traces two.trc --work 10h --deadline 20h --delay 30min --policy up,stint'
refuse() { # refuse NAME OPTIONS...: after a journal of the base, with $journal for its options
    name=$1
    shift
    rm -f kept
    # shellcheck disable=SC2086 # words
    "$stint" simulate $journal --resume kept >/dev/null 2>&1 || echo "# $name: no journal"
    "$stint" simulate "$@" --resume kept >refused.out 2>&1
    status=$?
    check "$name is other work" test "$status" -eq 3 -a -n "$(grep 'is the journal of another job' refused.out)"
}
journal=$base
# shellcheck disable=SC2016,SC2086 # prices; words
{
    refuse 'other work' $base --work 11h
    refuse 'a deadline' $base --deadline 21h
    refuse 'a delay' $base --delay 20min
    refuse 'a gang' $base --gang 2
    refuse 'a price' $base --spot '$0.9/hr'
    refuse 'a policy' $base --policy greedy
    refuse 'a zone' $base --zones us-east-1a
    refuse 'a window' $base --windows one.txt
    refuse 'more windows' $base --windows more.txt
    refuse 'the length of windows' $base --window-ticks 30
    refuse 'billing' $base --by-second
    refuse 'roaming' $base --roam
    refuse 'checkpoints' $base --checkpoint-every 1h
    refuse 'synthetic traces' $base --synthetic 1
    journal="$base --checkpoint-every 1h --checkpoint-time 2min"
    refuse 'the time of a checkpoint' $base --checkpoint-every 1h --checkpoint-time 1min
    refuse 'a notice' $journal --notice 3min
    journal="$base --roam --checkpoint-size 20GB --egress \$0.02/GB"
    refuse 'egress' $base --roam --checkpoint-size 20GB --egress '$0.03/GB'
    refuse 'the size of a checkpoint' $base --roam --checkpoint-size 30GB --egress '$0.02/GB'
    journal="$base --synthetic 2"
    refuse 'a seed' $journal --seed 2
    one='--work 4h --deadline 8h --delay 30min --on-demand $3/hr --spot $1/hr --policy up'
    journal="--traces ones.json --ones-mean available $one"
    refuse 'what 1 means' --traces ones.json --ones-mean preempted $one
}

# Ctrl-C: finished runs are kept, with a message.
rm -f journal
# In the foreground: else the signal comes twice, and the second ends it at once.
timeout --foreground --preserve-status -s INT 3 sh sweep.sh --resume journal --synthetic 3000 >stopped.json
status=$?
check 'Ctrl-C keeps finished runs' grep -q 'stopped: [1-9][0-9]* of [0-9]* runs are kept in ' messages
check 'and the status is 130' test $status -eq 130

mkdir parts
for i in 1 2 3; do
    sweep --shard $i/3 --resume parts/part-$i >/dev/null
done
sweep --gather parts >gathered.json
check 'shards that are put together' cmp one.json gathered.json
tap_end
