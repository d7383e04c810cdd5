#!/bin/sh
# Reports: report.sh BUILD_FOLDER SCRATCH. All files of one run; a month of 100,000 runs and four months before it with 10,000;
# some 5,700 runs compared. Pictures included: without the part that draws them there is nothing to measure.
set -eu
build=$(cd "$1" && pwd)
scratch=$2/report
failed=0
. bench/bar.sh
mkdir "$scratch"
export STINT_LEDGER="$scratch/ledger.db" STINT_PARTS="$build/parts"
"$build/stint" runs add --name first --start 2026-10-01 --end 2026-10-02 --cost 10usd >/dev/null
python3 bench/report_fill.py "$STINT_LEDGER" 100000

# cost RUNS FOLDER FILES OPTION...: sets cpu (ms) and peak (KB) of the best of RUNS reports, which must have that many files.
cost() {
    runs=$1 folder=$scratch/$2 files=$3
    shift 3
    # shellcheck disable=SC2046 # three numbers
    set -- $("$build/bench/bench_command" "$runs" "$build/stint" report "$@" -o "$folder")
    cpu=$1 peak=$3
    written=$(find "$folder" -type f | wc -l)
    [ "$written" -eq "$files" ] || {
        echo "report.sh: $written files in $folder instead of $files" >&2
        exit 1
    }
}

echo '# reports'
cost 5 run 8 measured
printf 'one run, all 8 files     %6.0f ms of CPU, peak %6s KB\n' "$cpu" "$peak"
bar 'report of a run, ms of CPU' "$cpu" '<' 400
cost 3 month 10 --month 2026-10
printf 'a month of 100,000 runs  %6.0f ms of CPU, peak %6s KB\n' "$cpu" "$peak"
bar 'report of a month with 100,000 runs, ms of CPU' "$cpu" '<' 2000
bar 'report of a month with 100,000 runs, peak KB' "$peak" '<' 65536
cost 3 compare 7 --compare 'vision-1*'
printf 'a comparison of %s runs  %6.0f ms of CPU, peak %6s KB\n' "$(($(wc -l <"$scratch/compare/comparison.csv") - 1))" "$cpu" "$peak"
exit $failed
