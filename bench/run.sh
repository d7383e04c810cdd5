#!/bin/sh
# Every benchmark, each beside its peers in the same run. run.sh BUILD_FOLDER
# The machine's noise moves the figures by tens of per cent: read the ratios. A bar that is missed is
# said so, and the exit status is 1.
set -eu
build=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failed=0

bar() { # bar WHAT VALUE OPERATOR LIMIT
    if awk "BEGIN { exit !($2 $3 $4) }"; then verdict=met; else
        verdict=MISSED
        failed=1
    fi
    printf 'bar: %s: %s (%s %s) %s\n' "$1" "$2" "$3" "$4" "$verdict"
}

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
echo '# the estimator'
show "$scratch/estimate.txt" "$build/bench/bench_estimate"
bar 'training estimates a second' "$(sed -n 's/^full training estimates *\([0-9]*\) .*/\1/p' "$scratch/estimate.txt")" '>=' 200000
exit $failed
