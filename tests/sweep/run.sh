#!/bin/sh
# A sweep of simulations gives the same bytes on any number of threads, in shards, and when it is ended in
# the middle (with no chance to clean up) and run again. run.sh STINT
set -u
stint=$(realpath "$1")
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
export HOME="$scratch/home" LC_ALL=C STINT_NOW=2026-11-15
export ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0"
number=0
failed=0
check() { # check NAME COMMAND...
    number=$((number + 1))
    name=$1
    shift
    if "$@" >check.out 2>&1; then
        echo "ok $number - $name"
    else
        echo "not ok $number - $name"
        sed 's/^/# /' check.out
        failed=1
    fi
}

awk 'BEGIN {
    for (z = 0; z < 4; z++) {
        printf "trace zone-%d gap=600 n=900 nodes=1 start=- od=3 spot=1\na ", z
        for (t = 0; t < 900; t++) printf "%d", (t * (z + 3) % 17) < 9
        print ""
    }
}' >made.trc
seq 0 20 290 >windows.txt
# A script that becomes the program, so that its number is the program's.
cat >sweep.sh <<END
exec "$stint" simulate --traces made.trc --windows windows.txt --window-ticks 600 --work 48h --deadline 52h,70h \
    --delay 0.1h,0.3h --policy greedy,up,optimal --json "\$@" 2>>said
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

# Stop it when the journal has begun to grow, and again, until it is through.
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
check 'it says what was done before' grep -q 'runs were done before' said
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
check 'and it is said why' grep -q 'checksum of the traces was' said

mkdir parts
for i in 1 2 3; do
    sweep --shard $i/3 --resume parts/part-$i >/dev/null
done
sweep --gather parts >gathered.json
check 'shards that are put together' cmp one.json gathered.json
echo "1..$number"
exit $failed
