#!/bin/sh
# Planted waste that `stint advise` finds, in simulated months of made-up teams: advise.sh BUILD_FOLDER SCRATCH [WORLDS [SEED]]
# bench/advise_world.py says what is planted and how its money is computed.
set -eu
build=$1
scratch=$2/advise
worlds=${3:-10}
seed=${4:-1}
last=$((seed + worlds - 1))
failed=0
. bench/bar.sh
mkdir -p "$scratch"
export STINT_NOW=2026-11-15
echo 'providers: [aws]' >"$scratch/config.yaml" # the worlds' machines

echo "# advice on planted waste: $worlds simulated worlds of 90 days"
set --
while [ "$seed" -le "$last" ]; do
    world=$scratch/$seed
    python3 bench/advise_world.py "$seed" "$world.csv" "$world.truth"
    "$build/bench/bench_advise_ledger" "$world.csv" "$world.db"
    "$build/stint" advise --since 90d --json --ledger "$world.db" --config "$scratch/config.yaml" >"$world.json"
    set -- "$@" "$world.truth" "$world.json"
    seed=$((seed + 1))
done
python3 bench/advise_score.py "$@" >"$scratch/score.txt"
grep -v '^bar-\|^worst-' "$scratch/score.txt"
value() {
    sed -n "s/^$1 //p" "$scratch/score.txt"
}
echo "worst world: found $(value worst-found), false $(value worst-false)"
bar 'advice, planted money found' "$(value bar-found)" '>=' 0.95
bar 'advice, false money of what was claimed' "$(value bar-false)" '<=' 0.05
exit "$failed"
