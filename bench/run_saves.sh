#!/bin/sh
# The last save of budgeted runs. run_saves.sh BUILD_FOLDER SCRATCH [full]
# 200 runs, 40 of five minutes, 100 at once: 7 minutes, most of it waiting. Without `full` 24 of half a minute. Exit status 1: a bar is missed.
set -eu
build=$(cd "$1" && pwd)
scratch=$2
failed=0
. bench/bar.sh

runs=24 at_once=24 least=30 most=45 long=0
[ "${3:-}" != full ] || runs=200 at_once=100 least=40 most=120 long=40
uptime
echo "# the last save: $runs budgeted runs of programs that save for 0.1 to 20 s on a simulated disk, $at_once at once"
python3 bench/run_saves.py "$build/stint" "$build/bench/bench_run_grower" "$build/bench/libbench_run_slow_disk.so" \
    $runs $at_once $least $most $long >"$scratch/saves.txt"
cat "$scratch/saves.txt"
field() { # field ROW PATTERN: the number before the pattern in the row that starts so
    sed -n "s/^$1 .* \([0-9.][0-9.]*\) $2.*/\1/p" "$scratch/saves.txt"
}
bar 'runs over budget' "$(field all 'over budget')" '==' 0
bar 'last saves complete, %' "$(sed -n 's/^all .*saved at the end (\([0-9.]*\) %).*/\1/p' "$scratch/saves.txt")" '>=' 99
bar 'left more unused than was reserved' "$(field all 'left more')" '==' 0
[ $long = 0 ] || bar 'unused of five minutes after an earlier save, % at most' \
    "$(sed -n 's/^an earlier save, 5 minutes.* \([0-9.]*\) % at most.*/\1/p' "$scratch/saves.txt")" '<' 3
exit $failed
