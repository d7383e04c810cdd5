#!/bin/sh
# A bill of so many rows into the ledger, beside what SQLite's shell and PostgreSQL's COPY take to read the same file into
# a table of texts, in the same run. bill.sh BUILD_FOLDER SCRATCH [ROWS]
# A row has about 840 bytes; the disk must hold the file three times.
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

# cost COMMAND...: sets cpu, wall (ms) and peak (KB) of one run, with nothing left to be written from before.
cost() {
    sync
    # shellcheck disable=SC2046 # three numbers
    set -- $("$build/bench/bench_command" 1 "$@")
    cpu=$1 wall=$2 peak=$3
}

ratio() { # ratio A B: A / B
    awk "BEGIN { printf \"%.2f\", $1 / $2 }"
}

echo "# a bill: FOCUS 1.2, 57 columns, $rows rows"
"$build/bench/bench_bill_generate" "$csv" "$rows"
cat "$csv" >/dev/null # from memory, for everyone
cost "$build/stint" import "$csv" --ledger "$scratch/ledger.db"
ours=$wall
printf 'stint import          %8.0f ms, %8.0f ms of CPU, peak %6s KB, ledger %s MB\n' "$wall" "$cpu" "$peak" \
    "$(du -m "$scratch/ledger.db" | cut -f 1)"
ours_peak=$peak
cost sqlite3 "$scratch/raw.db" '.mode csv' ".import $csv raw"
printf 'sqlite3 .import       %8.0f ms, %8.0f ms of CPU, peak %6s KB, file   %s MB\n' "$wall" "$cpu" "$peak" \
    "$(du -m "$scratch/raw.db" | cut -f 1)"
bar 'import, times as fast as sqlite3 .import' "$(ratio "$wall" "$ours")" '>=' 1.5
bar 'import, peak KB' "$ours_peak" '<' 65536
cost "$build/stint" import "$csv" --ledger "$scratch/ledger.db"
printf 'stint import, again   %8.0f ms, %8.0f ms of CPU, peak %6s KB\n' "$wall" "$cpu" "$peak"
"$build/stint" bills --json --ledger "$scratch/ledger.db" >"$scratch/bills.json"
if python3 bench/bill_total.py "$csv" "$scratch/bills.json"; then exact=1; else exact=0; fi
bar 'import, exact to the last digit' "$exact" '==' 1

since=2026-08-03
# shellcheck disable=SC2046 # three numbers
set -- $("$build/bench/bench_command" 5 "$build/stint" costs --by team,service --since $since --ledger \
    "$scratch/ledger.db")
printf 'stint costs           %8.0f ms, peak %6s KB\n' "$2" "$3"
costs=$2
cost sqlite3 "$scratch/raw.db" "SELECT json_extract(Tags, '\$.\"user:team\"'), ServiceName, sum(BilledCost)
    FROM raw WHERE ChargePeriodStart >= '$since' GROUP BY 1, 2"
printf 'sqlite3, on the rows  %8.0f ms: %s times as long\n' "$wall" "$(ratio "$wall" "$costs")"
bar 'costs --by team,service of 90 days, ms' "$costs" '<' 200
rm -f "$scratch/raw.db" "$scratch"/ledger.db*

if server=$(sh tests/ledger/postgres.sh start "$postgres" $$ 2>/dev/null); then
    header=$(head -n 1 "$csv" | tr -d '\r')
    psql -q "$server" -c "CREATE TABLE raw($(printf %s "$header" | sed 's/[^,]*/"&" text/g'))"
    cost psql -q "$server" -c "\\copy raw FROM '$csv' WITH (FORMAT csv, HEADER true)"
    copy=$wall
    printf 'psql COPY             %8.0f ms\n' "$copy"
    cost "$build/stint" import "$csv" --ledger "$server"
    printf 'stint import, server  %8.0f ms, %8.0f ms of CPU, peak %6s KB\n' "$wall" "$cpu" "$peak"
    bar 'import on PostgreSQL, COPY takes 1' "$(ratio "$wall" "$copy")" '<=' 2
    bar 'import on PostgreSQL, peak KB' "$peak" '<' 65536
    sh tests/ledger/postgres.sh stop "$postgres"
else
    echo '# SKIPPED: COPY, since PostgreSQL is not installed or does not start'
fi
exit $failed
