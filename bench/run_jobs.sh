#!/bin/sh
# The benchmarks of `stint run`. run_jobs.sh BUILD_FOLDER SCRATCH [full]
# Cases that are compared run by turns, many times: medians are printed. Exit status 1: a bar is missed.
set -eu
build=$(cd "$1" && pwd)
scratch=$2
extent=${3:-}
failed=0
. bench/bar.sh
stint=$build/stint
python=$(python3 -c 'import sys; print(sys.executable)') # not a wrapper of it
export STINT_LEDGER="$scratch/run.db"

added() { # added NAME: the median of what the case adds, in ms
    sed -n "s/^$1  *.*adds *\([0-9.-]*\) ms.*/\1/p" "$scratch/start.txt"
}

uptime
echo '# starting: true, by itself and under each, 200 times by turns'
"$build/bench/bench_run_start" 200 true true \
    ::: time /usr/bin/time true \
    ::: python3 "$python" bench/run_python.py true \
    ::: stint "$stint" run --quiet -- true \
    ::: no-ledger "$stint" run --quiet --no-ledger -- true \
    ::: first-ever "-$scratch/first.db" "STINT_LEDGER=$scratch/first.db" "$stint" run --quiet -- true \
    ::: no-ledger-no-keeper "$stint" run --quiet --no-ledger --if-killed leave -- true \
    ::: stint-version "$stint" --version >"$scratch/start.txt"
cat "$scratch/start.txt"
bar 'stint run -- true adds, ms' "$(added stint)" '<=' 10
bar 'the same without a ledger, ms' "$(added no-ledger)" '<=' 10

echo
echo '# the same for sleep 0.1, which is sampled once: meters are opened for it'
set --
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
    set -- ::: as-nobody setpriv --reuid=65534 --regid=65534 --clear-groups "$stint" run --quiet --no-ledger -- sleep 0.1
fi
"$build/bench/bench_run_start" 20 sleep sleep 0.1 ::: stint "$stint" run --quiet -- sleep 0.1 "$@"

# supervisor NAME BARRED SECONDS ARGUMENT...: what the supervisor takes meanwhile
supervisor() {
    name=$1 barred=$2
    shift 2
    # shellcheck disable=SC2046 # five numbers
    set -- $("$build/bench/bench_run_supervisor" "$@")
    printf '%-34s %s %% of a core, %s KB after 5 s, %s KB at the end; keeper %s KB, %s %%\n' "$name" "$@"
    [ "$barred" = yes ] || return 0
    bar "$name, % of a core" "$1" '<' 0.1
    bar "$name, KB" "$(awk "BEGIN { print ($2 > $3 ? $2 : $3) }")" '<' 6144
}

echo
echo '# the supervisor (proportional set size; processor time from 2 s on)'
load=$build/bench/bench_run_load
supervisor 'a busy process, 30 s' yes 30 "$stint" run --quiet -- "$load" busy
supervisor 'a tree of 20' yes 15 "$stint" run --quiet -- "$load" tree
supervisor 'without a ledger' no 15 "$stint" run --quiet --no-ledger -- "$load" busy
supervisor '--progress, 100 lines a second' no 15 "$stint" run --quiet --progress -- "$load" lines
supervisor '--status on a terminal, likewise' no 15 --pty "$stint" run --quiet --status -- "$load" lines
"$load" lines | supervisor 'cat, 100 lines a second' no 15 cat -u
supervisor 'python3, a busy process' no 15 "$python" bench/run_python.py "$load" busy

# rates MB_A_SECOND: five times by turns; sets alone and under, the medians
rates() {
    : >"$scratch/alone" && : >"$scratch/under"
    for _ in 1 2 3 4 5; do
        "$build/bench/bench_run_pipe" "$1" 2 "$scratch/rate" | cat >/dev/null
        cat "$scratch/rate" >>"$scratch/alone"
        "$stint" run --quiet --progress -- "$build/bench/bench_run_pipe" "$1" 2 "$scratch/rate" | cat >/dev/null
        cat "$scratch/rate" >>"$scratch/under"
    done
    alone=$(sort -n "$scratch/alone" | sed -n 3p)
    under=$(sort -n "$scratch/under" | sed -n 3p)
}

echo
echo '# output: lines through stint run --progress into a pipe'
rates 200
echo "200 MB/s: $alone MB/s alone, $under MB/s under stint"
bar 'of the rate that it has alone' "$(awk "BEGIN { printf \"%.4f\", $under / $alone }")" '>=' 0.95
rates 0
echo "as fast as it goes: $alone MB/s alone, $under MB/s under stint"

# tree NAME PREFIX...: 10,000 children; the same execution by getrusage() and by stint
tree() {
    name=$1
    shift
    "$@" "$stint" run --quiet --json -- "$load" short 10000 "$scratch/open/used" >"$scratch/tree.json"
    ours=$(sed -n 's/.*"cpu_s":\([0-9.e+-]*\),.*/\1/p' "$scratch/tree.json")
    used=$(cat "$scratch/open/used")
    rm -f "$scratch/open/used"
    off=$(awk "BEGIN { d = ($ours - $used) / $used * 100; printf \"%.3f\", d < 0 ? -d : d }")
    echo "$name: $ours s by stint, $used s by getrusage of the job itself"
    bar "$name, % off" "$off" '<' 2
}

echo
echo '# 10,000 short-lived children'
mkdir -p "$scratch/open"
tree "$(if [ "$(id -u)" = 0 ]; then echo 'as root'; else echo 'as this user'; fi)"
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
    chmod 711 "$scratch" && chmod 777 "$scratch/open"
    tree 'as nobody, without a control group' env STINT_LEDGER="$scratch/open/run.db" \
        setpriv --reuid=65534 --regid=65534 --clear-groups
fi

budgets() { # budgets RUNS AT_ONCE LEAST_S MOST_S
    "$python" bench/run_budget.py "$stint" "$build/bench/bench_run_saver" "$@" >"$scratch/budget.txt"
    cat "$scratch/budget.txt"
    bar 'the dearest run, % of its budget' "$(sed -n 's/^all .*at most \([0-9.]*\) %.*/\1/p' "$scratch/budget.txt")" '<=' 100
    bar 'runs that saved in time' "$(sed -n 's/.* \([0-9]*\) saved in time.*/\1/p' "$scratch/budget.txt" | tail -1)" '==' "$1"
}

echo
if [ "$extent" = full ]; then
    echo '# budgets: 100 runs of a program that saves in 2 s; the budget buys 60 to 75 s'
    budgets 100 50 60 75
    bar 'unused, % on average' "$(sed -n 's/^all .*unused \([0-9.]*\) %.*/\1/p' "$scratch/budget.txt")" '<' 2
else
    echo '# budgets: 24 runs of a program that saves in 2 s; the budget buys 10 to 14 s (100 of a minute: ./dev bench full)'
    budgets 24 24 10 14
fi

echo
sh bench/run_saves.sh "$build" "$scratch" "$extent" || failed=1
exit $failed
