#!/bin/sh
# Bills with that many rows into the ledger, compared with what SQLite's shell and PostgreSQL's COPY take to read the same file into
# a table of texts, in the same run. bill.sh BUILD_FOLDER SCRATCH [ROWS]
# FOCUS 1.2, all 57 columns, about 640 bytes a row, in no order; once with the unit prices of a price list, once with prices that
# differ from line to line. The disk must hold a file three times.
set -eu
build=$1
scratch=$2/bill
rows=${3:-500000}
failed=0
. bench/bar.sh
mkdir "$scratch"
postgres=$(mktemp -d) # the server is another user, who may not enter the other one
trap 'rm -rf "$scratch" "$postgres"' EXIT
csv=$scratch/bill.csv
since=2026-08-03

# cost COMMAND...: sets cpu, wall (ms) and peak (KB) of one run, with nothing left to be written from before.
cost() {
    sync
    # shellcheck disable=SC2046 # three numbers
    set -- $("$build/bench/bench_command" 1 "$@")
    cpu=$1 wall=$2 peak=$3
}

ratio() { # ratio A B: A / B
    awk "BEGIN { printf \"%.3f\", $1 / $2 }"
}

bytes() {
    wc -c <"$1"
}

# The import beside sqlite3's, on a file: speed by wall clock, since both wait for the disk.
compare_import() {
    cost "$build/stint" import "$csv" --ledger "$scratch/ledger.db"
    ours=$wall ours_cpu=$cpu ours_peak=$peak
    printf 'stint import          %8.0f ms, %8.0f ms of CPU, peak %6s KB, ledger %s bytes\n' "$wall" "$cpu" "$peak" \
        "$(bytes "$scratch/ledger.db")"
    cost sqlite3 "$scratch/raw.db" '.mode csv' ".import $csv raw"
    printf 'sqlite3 .import       %8.0f ms, %8.0f ms of CPU, peak %6s KB, file   %s bytes\n' "$wall" "$cpu" "$peak" \
        "$(bytes "$scratch/raw.db")"
    printf 'by CPU time alone, times as fast as sqlite3 .import: %s\n' "$(ratio "$cpu" "$ours_cpu")"
    bar "import, $kind prices, times as fast as sqlite3 .import" "$(ratio "$wall" "$ours")" '>=' 1.5
    bar "import, $kind prices, ledger as a part of the CSV" \
        "$(ratio "$(bytes "$scratch/ledger.db")" "$(bytes "$csv")")" '<=' 0.4
    bar "import, $kind prices, peak KB" "$ours_peak" '<' 65536
    cost "$build/stint" import "$csv" --ledger "$scratch/ledger.db"
    printf 'stint import, again   %8.0f ms, %8.0f ms of CPU, peak %6s KB, ledger %s bytes\n' "$wall" "$cpu" "$peak" \
        "$(bytes "$scratch/ledger.db")"
    "$build/stint" bills --json --ledger "$scratch/ledger.db" >"$scratch/bills.json"
    if python3 bench/bill_total.py "$csv" "$scratch/bills.json"; then exact=1; else exact=0; fi
    bar "import, $kind prices, exact to the last digit" "$exact" '==' 1
}

compare_costs() {
    # shellcheck disable=SC2046 # three numbers
    set -- $("$build/bench/bench_command" 5 "$build/stint" costs --by team,service --since $since --ledger \
        "$scratch/ledger.db")
    printf 'stint costs           %8.0f ms, peak %6s KB\n' "$2" "$3"
    costs=$2
    cost sqlite3 "$scratch/raw.db" "SELECT json_extract(Tags, '\$.team'), ServiceName, sum(BilledCost)
        FROM raw WHERE ChargePeriodStart >= '$since' GROUP BY 1, 2"
    printf 'sqlite3, on the rows  %8.0f ms: %s times as long\n' "$wall" "$(ratio "$wall" "$costs")"
    bar "costs --by team,service of 90 days, $kind prices, ms" "$costs" '<' 200
}

# Both by CPU time, which other programs on the machine change least.
compare_tags() { # compare_tags DAYS BAR
    echo "# a bill: FOCUS, 12 columns, 20,000 tag values, $1 days"
    "$build/bench/bench_bill_generate" "$csv" $(($1 * 20000)) tags
    cat "$csv" >/dev/null
    cost "$build/stint" import "$csv" --ledger "$scratch/ledger.db"
    ours=$cpu
    printf 'stint import          %8.0f ms, %8.0f ms of CPU, peak %6s KB\n' "$wall" "$cpu" "$peak"
    cost sqlite3 "$scratch/raw.db" '.mode csv' ".import $csv raw"
    printf 'sqlite3 .import       %8.0f ms, %8.0f ms of CPU, peak %6s KB\n' "$wall" "$cpu" "$peak"
    bar "import, 20,000 tag values, $1 days, CPU time, sqlite3 takes 1" "$(ratio "$ours" "$cpu")" '<' "$2"
    rm -f "$scratch/raw.db" "$scratch"/ledger.db*
}

compare_server() {
    header=$(head -n 1 "$csv" | tr -d '\r')
    psql -q "$server" -c "DROP TABLE IF EXISTS raw" \
        -c "CREATE TABLE raw($(printf %s "$header" | sed 's/[^,]*/"&" text/g'))"
    cost psql -q "$server" -c "\\copy raw FROM '$csv' WITH (FORMAT csv, HEADER true)"
    copy=$wall
    printf 'psql COPY             %8.0f ms\n' "$copy"
    psql -q "$server" -c "DROP TABLE raw"
    cost "$build/stint" import "$csv" --replace --ledger "$server"
    printf 'stint import, server  %8.0f ms, %8.0f ms of CPU, peak %6s KB\n' "$wall" "$cpu" "$peak"
    bar "import on PostgreSQL, $kind prices, COPY takes 1" "$(ratio "$wall" "$copy")" '<=' 2
    bar "import on PostgreSQL, $kind prices, peak KB" "$peak" '<' 65536
}

if server=$(sh tests/ledger/postgres.sh start "$postgres" $$ 2>/dev/null); then
    psql=yes
else
    psql=
    echo '# SKIPPED: COPY, since PostgreSQL is not installed or does not start'
fi
for kind in fixed varying; do
    echo "# a bill: FOCUS 1.2, 57 columns, $rows rows, $kind unit prices"
    "$build/bench/bench_bill_generate" "$csv" "$rows" "$kind"
    printf 'the file              %s bytes\n' "$(bytes "$csv")"
    cat "$csv" >/dev/null # from memory, for everyone
    compare_import
    compare_costs
    rm -f "$scratch/raw.db" "$scratch"/ledger.db*
    [ -z "$psql" ] || compare_server
done
compare_tags 90 1
compare_tags 5 1 # as many sums by day as lines, and each fifth line has a new value
[ -z "$psql" ] || sh tests/ledger/postgres.sh stop "$postgres"
exit $failed
