#!/bin/sh
# Reports of many runs: report.sh BUILD_FOLDER SCRATCH. A month of 100,000 runs and four months before it with 10,000; 5,000 runs
# compared.
set -eu
build=$1
scratch=$2/report
failed=0
. bench/bar.sh
mkdir "$scratch"
export STINT_LEDGER="$scratch/ledger.db"
"$build/stint" runs add --name first --start 2026-10-01 --end 2026-10-02 --cost 10usd >/dev/null
python3 bench/report_fill.py "$STINT_LEDGER" 100000

# cost COMMAND...: sets cpu (ms) and peak (KB) of the best of three runs.
cost() {
    # shellcheck disable=SC2046 # three numbers
    set -- $("$build/bench/bench_command" 3 "$@")
    cpu=$1 peak=$3
}

echo '# reports'
cost "$build/stint" report --month 2026-10 -o "$scratch/month"
printf 'a month of 100,000 runs  %6.0f ms of CPU, peak %6s KB\n' "$cpu" "$peak"
bar 'report of a month with 100,000 runs, ms of CPU' "$cpu" '<' 2000
bar 'report of a month with 100,000 runs, peak KB' "$peak" '<' 65536
cost "$build/stint" report --compare 'vision-1*' -o "$scratch/compare"
printf 'a comparison of %s runs  %6.0f ms of CPU, peak %6s KB\n' "$(($(wc -l <"$scratch/compare/comparison.csv") - 1))" "$cpu" "$peak"
exit $failed
