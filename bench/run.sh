#!/bin/sh
# Every benchmark, each with its peers in the same run. run.sh BUILD_FOLDER [run|full|spend|report|advise|commitments|data [PART]|python|load|serve [soak [SECONDS]]|bill [ROWS]|budget [full]]
# `run`: those of `stint run` alone. `budget`: the last save of budgeted runs. `spend`: those of daily spending. `report`: those of
# reports. `advise`: planted waste that advice finds. `commitments`: what to commit to. `data`: data sets on disks; `bundle`: only that part. `python`: callbacks and the import. `load`: `stint bench` against a server with known delays. `serve`: the server beside nginx; `soak`: minutes of mixed requests. `bill`: those of bills, with that many rows. `full`: all, including the budgeted runs that take minutes.
# The machine's noise changes the figures by tens of percent: compare the ratios. If a bar is missed, it is
# reported and the exit status is 1.
set -eu
build=$1
extent=${2:-}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failed=0
. bench/bar.sh
export XDG_CACHE_HOME="$scratch/cache" XDG_CONFIG_HOME="$scratch/config" # no prices of the user

show() { # show FILE PROGRAM...: its output, kept in the file too; a pipe would hide that it failed
    file=$1
    shift
    "$@" >"$file" || {
        status=$?
        cat "$file"
        echo "$1 failed: $status" >&2
        exit 1
    }
    cat "$file"
}

if [ "$extent" = spend ]; then
    sh bench/spend.sh "$build" "$scratch" || failed=1
    exit $failed
fi
if [ "$extent" = advise ]; then
    sh bench/advise.sh "$build" "$scratch" "${3:-}" "${4:-}" || failed=1
    exit $failed
fi
if [ "$extent" = data ]; then
    sh bench/data.sh "$build" "$scratch" "${3:-}" || failed=1
    exit $failed
fi
if [ "$extent" = commitments ]; then
    sh bench/commitments.sh "$build" "$scratch" || failed=1
    exit $failed
fi
if [ "$extent" = python ]; then
    python3 bench/callbacks.py "$build" || failed=1
    exit $failed
fi
if [ "$extent" = budget ]; then
    sh bench/run_saves.sh "$build" "$scratch" "${3:-}" || failed=1
    exit $failed
fi
if [ "$extent" = report ]; then
    sh bench/report.sh "$build" "$scratch" || failed=1
    exit $failed
fi
if [ "$extent" = load ]; then
    python3 bench/load.py "$build" "$scratch" || failed=1
    exit $failed
fi
if [ "$extent" = serve ] && [ "${3:-}" = attack ]; then
    python3 bench/serve_attack.py "$build" "$scratch" "${4:-}" "${5:-}" || failed=1
    exit $failed
fi
if [ "$extent" = serve ]; then
    python3 bench/serve.py "$build" "$scratch" "${3:-}" "${4:-}" || failed=1
    [ -n "${3:-}" ] || sh bench/serve_agents.sh "$build" "$scratch" || failed=1
    exit $failed
fi
if [ "$extent" = bill ]; then
    sh bench/bill.sh "$build" "$scratch" "${3:-1500000}" || failed=1
    exit $failed
fi
sh bench/run_jobs.sh "$build" "$scratch" "$extent" || failed=1
[ "$extent" = run ] || sh bench/report.sh "$build" "$scratch" || failed=1
[ "$extent" = run ] || python3 bench/serve.py "$build" "$scratch" || failed=1
[ "$extent" = run ] || sh bench/commitments.sh "$build" "$scratch" || failed=1
[ "$extent" = run ] || sh bench/advise.sh "$build" "$scratch" || failed=1
[ "$extent" = run ] || python3 bench/callbacks.py "$build" || failed=1

echo
echo '# the record of a run'
show "$scratch/record.txt" python3 bench/run_record.py "$build/stint"
bar 'stint run -- true with its ledger, ms of CPU' "$(sed -n 's/^stint run.*with a ledger *\([0-9.]*\) ms.*/\1/p' "$scratch/record.txt")" '<' 6
bar '3,000 checkpoint lines on a busy disk, s' "$(sed -n 's/^3,000.*busy disk *\([0-9.]*\) s.*/\1/p' "$scratch/record.txt")" '<' 1
[ "$extent" != run ] || exit $failed

echo
echo '# CSV, 200 MB, 18 columns: short dense rows, which no bar is set on'
"$build/bench/bench_csv" --generate-dense "$scratch/bench.csv" 200
"$build/bench/bench_csv" "$scratch/bench.csv"

echo
echo '# CSV, 200 MB, 18 columns: rows of some 355 bytes, as bills have'
"$build/bench/bench_csv" --generate "$scratch/bench.csv" 200
show "$scratch/csv.txt" "$build/bench/bench_csv" "$scratch/bench.csv"
python3 bench/csv_python.py "$scratch/bench.csv"
bar 'CSV against libcsv' "$(sed -n 's/.*ours (vector).* \([0-9.]*\)x libcsv.*/\1/p' "$scratch/csv.txt")" '>=' 5
rm "$scratch/bench.csv"

echo
echo '# price-list JSON, 120 MB'
"$build/bench/bench_json" --generate "$scratch/bench.json" 120
show "$scratch/json.txt" "$build/bench/bench_json" "$scratch/bench.json"
python3 bench/json_python.py "$scratch/bench.json"
bar 'JSON against jansson' "$(sed -n 's/.*ours.* \([0-9.]*\)x jansson.*/\1/p' "$scratch/json.txt")" '>=' 10
rm "$scratch/bench.json"

echo
echo '# the machines with GPUs in a regional AWS price list, 400 MB'
"$build/bench/bench_feed_aws" --generate "$scratch/aws.json" 400
show "$scratch/aws.txt" "$build/bench/bench_feed_aws" "$scratch/aws.json"
python3 bench/feed_aws_python.py "$scratch/aws.json"
bar 'AWS price list, MB/s' "$(sed -n 's/.*ours  *\([0-9.]*\) MB\/s.*/\1/p' "$scratch/aws.txt")" '>=' 300
bar 'AWS price list, peak MB' "$(sed -n 's/.*ours.*peak memory \([0-9.]*\) MB.*/\1/p' "$scratch/aws.txt")" '<' 32
rm "$scratch/aws.json"

echo
sh bench/bill.sh "$build" "$scratch" || failed=1

echo
echo '# stint price list, all offers'
# shellcheck disable=SC2046 # three numbers
{
    set -- $("$build/bench/bench_command" 9 "$build/stint" price list)
    printf 'stint    %s ms of CPU, %s ms, peak %s KB\n' "$1" "$2" "$3"
    ours=$1 peak=$3
    set -- $("$build/bench/bench_command" 5 python3 bench/price_list.py data/offers.csv)
    printf 'python3  %s ms of CPU, %s ms, peak %s KB: %s times the CPU\n' "$1" "$2" "$3" \
        "$(awk "BEGIN { printf \"%.0f\", $1 / $ours }")"
}
bar 'price list, ms of CPU' "$ours" '<' 10
bar 'price list, peak KB' "$peak" '<' 8192

echo
echo '# 1.8 million changes of prices: the price store and a table with a row for each'
mkdir "$scratch/store"
show "$scratch/store.txt" "$build/bench/bench_store" "$scratch/store"
rm -r "$scratch/store"

# stint_cost RUNS COMMAND...: sets cpu, wall (ms) and peak (KB).
stint_cost() {
    # shellcheck disable=SC2046 # three numbers
    set -- $("$build/bench/bench_command" "$@")
    cpu=$1 wall=$2 peak=$3
    printf '%s ms of CPU, %s ms, peak %s KB\n' "$cpu" "$wall" "$peak"
}

echo
data=${STINT_TEST_DATA:-/nonexistent} # of others: sections that need it are skipped without
shelf=$data/spot
if [ -d "$shelf" ]; then
    mkdir "$scratch/catalog"
    tar -xJf "$shelf"/catalog/skypilot_catalog_*_raw.tar.xz -C "$scratch/catalog"
    echo '# the complete SkyPilot catalog, into an empty store'
    printf 'stint    '
    stint_cost 5 sh -c "rm -rf '$XDG_CACHE_HOME'; '$build/stint' price import '$scratch/catalog' --date 2026-08-22"
    ours=$cpu
    printf 'python3  '
    # shellcheck disable=SC2046 # names without blanks
    stint_cost 2 python3 bench/prices_python.py $(find "$scratch/catalog" -name vms.csv)
    awk "BEGIN { printf \"%.0f times the CPU, and no prices kept\n\", $cpu / $ours }"
    bar 'SkyPilot catalog, ms of CPU' "$ours" '<' 1000
    echo
    echo '# AWS price history, 1.8 million changes, packed by xz, on top of that'
    printf 'stint    '
    stint_cost 3 "$build/stint" price import "$shelf/price_history/aws_gpu_price_history.csv.xz"
    ours=$cpu
    printf 'python3  '
    stint_cost 1 python3 bench/prices_python.py "$shelf/price_history/aws_gpu_price_history.csv.xz"
    awk "BEGIN { printf \"%.0f times the CPU, and no prices kept\n\", $cpu / $ours }"
    bar 'price history import, ms of CPU' "$ours" '<' 5000
    echo
    echo '# questions to that store'
    printf 'price history of one offer    '
    stint_cost 9 "$build/stint" price history aws/us-east-1/use1-az6/p4d.24xlarge:spot --days 365 --until 2026-08-22
    bar 'price history, ms' "$wall" '<' 20
    printf 'price list --gpu H100         '
    stint_cost 9 "$build/stint" price list --gpu H100 --limit 20
    bar 'price list, filtered, ms' "$wall" '<' 30
    printf 'price list, all               '
    stint_cost 9 "$build/stint" price list
    printf 'price spot --for 2h           '
    stint_cost 9 "$build/stint" price spot --gpu A100 --any-form --for 2h
    printf 'price diff                    '
    stint_cost 5 "$build/stint" price diff 2026-07-01 2026-08-22
    printf 'price doctor                  '
    stint_cost 5 "$build/stint" price doctor
else
    echo "# SKIPPED: price catalogs and histories, which are in spot of STINT_TEST_DATA"
fi

echo
echo '# the estimator'
show "$scratch/estimate.txt" "$build/bench/bench_estimate"
bar 'training estimates a second' "$(sed -n 's/^full training estimates *\([0-9]*\) .*/\1/p' "$scratch/estimate.txt")" '>=' 200000

echo '# the best setting on given machines: the complete command'
while read -r job; do
    # shellcheck disable=SC2086 # words
    stint_cost 5 "$build/stint" estimate $job
    bar "estimate $job, ms" "$wall" '<' 100
done <<'EOT'
deepseek-v3 --on H100x2048 --tokens 14.8T
llama-3.1-405b --on H100x4096 --tokens 15T --sequence 8192
llama-3.1-70b --on H100x512 --tokens 15T --sequence 8192
qwen3-30b-a3b --on H100x128 --tokens 1T
llama-3.1-8b --lora --on H100x8 --tokens 100M
llama-3-70b --serve --on H100x8
EOT

echo
if [ -d "$shelf/traces" ]; then
    echo '# spot under deadlines: the 1080 runs of set A'
    set -- "$shelf/traces/aws_2022-10_k80_v100_ping600.trc" "$shelf/traces/windows_set_a_30.txt"
else
    echo "# spot under deadlines: 1080 runs on made-up traces, without those in spot of STINT_TEST_DATA"
    set --
fi
show "$scratch/optimum.txt" "$build/bench/bench_optimum" "$@"
bar 'the optimum, ms a run' "$(sed -n 's/^optimum *\([0-9.]*\) ms.*/\1/p' "$scratch/optimum.txt")" '<' 10
bar 'the online policy, s for 1080 runs' "$(sed -n 's/^stint.* \([0-9.]*\) s for.*/\1/p' "$scratch/optimum.txt")" '<' 1
# The paper's integer program, at most 20 s each.
for case in 0 188 371 554 743 1075; do
    ours=$("$build/bench/bench_optimum" --lp $case "$scratch/case.lp" "$@")
    start=$(date +%s%N)
    cbc "$scratch/case.lp" sec 20 solve solution "$scratch/case.sol" >"$scratch/cbc.txt"
    took=$((($(date +%s%N) - start) / 1000000))
    awk -v number=$case -v ours="$ours" -v took=$took '
        NR == 1 {
            split(ours, o, " ")
            proved = /^Optimal/
            differs = proved && ($NF - o[1] > 1e-4 || o[1] - $NF > 1e-4)
            printf "case %4d: ours $%.4f in %.3f ms; CBC %s $%.4f in %d ms: %.0f times as long%s\n", number, o[1], o[2],
                proved ? "the same" : "got to", $NF, took, took / o[2], differs ? " AND DIFFERS" : ""
            exit differs || $NF < o[1] - 1e-4
        }' "$scratch/case.sol" || failed=1
done

echo
truth=$data/truth
near() { # near FILE: the share of picks by predicted cost that are within 1.05x of the best
    sed -n '/^predicted cost /{s/^predicted cost  *[0-9]*  *\([0-9.]*\) %.*/\1/p;q;}' "$1"
}
if [ -d "$truth" ]; then
    echo '# is the GPU that is predicted to be cheapest the one that was? Built-in prices'
    show "$scratch/choice.txt" env XDG_CACHE_HOME="$scratch/none" \
        "$build/stint" validate choice "$truth/training.csv" "$truth/inference.csv"
    bar 'GPUs picked within 1.05x of the cheapest measured, %' "$(near "$scratch/choice.txt")" '>=' 90
    if [ -d "$shelf" ]; then
        echo
        echo '# the same at the prices of the complete SkyPilot catalog'
        show "$scratch/choice.txt" "$build/stint" validate choice "$truth/training.csv" "$truth/inference.csv"
        bar 'the same at imported prices, %' "$(near "$scratch/choice.txt")" '>=' 90
    fi
else
    echo "# SKIPPED: choices against measured costs, whose rows are in truth of STINT_TEST_DATA"
fi

if [ -d "$shelf" ]; then
    echo
    echo '# plans over the complete imported catalog, on one core'
    jobs='lora-40-images llama-7b-finetune gpt-13b-pretrain bert-search serve-70b'
    for job in $jobs; do
        printf '%-20s' "$job"
        stint_cost 5 "$build/stint" plan "examples/$job.yaml"
        bar "plan $job, ms" "$wall" '<' 300
        bar "plan $job, peak KB" "$peak" '<' 65536
        "$build/stint" plan "examples/$job.yaml" --explain --json >"$scratch/$job.json" 2>/dev/null
    done
    # shellcheck disable=SC2046,SC2086 # names without blanks
    show "$scratch/savings.txt" python3 bench/plan_savings.py $(printf "$scratch/%s.json " $jobs)
    bar 'plans more expensive than the cheapest hour' "$(sed -n 's/^\([0-9]*\) plans more expensive.*/\1/p' "$scratch/savings.txt")" '==' 0
else
    echo "# SKIPPED: plans over an imported catalog, which is in spot of STINT_TEST_DATA"
fi

echo
echo '# a program'"'"'s output read for its progress'
show "$scratch/progress.txt" "$build/bench/bench_progress"
bar 'output without progress, ns a byte' "$(sed -n 's/^prose *\([0-9.]*\) ns.*/\1/p' "$scratch/progress.txt")" '<' 2
exit $failed
