#!/bin/sh
# Pages of reports in a real browser: run.sh STINT. `./dev test` installs what it needs where there is npm.
set -u
stint=$1
here=$(cd "$(dirname "$0")" && pwd)
skip() {
    echo "1..0 # SKIP $1"
    echo "# SKIPPED browser: $1"
    exit 0
}
for program in node chromium; do
    command -v "$program" >/dev/null || skip "there is no $program here"
done
[ -d "$here/node_modules/playwright-core" ] || skip "npm ci was not run in tests/browser"
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT

# write NAME ARGUMENT...: the page of a report, named so that failures tell which.
write() {
    name=$1
    shift
    "$stint" --ledger "$scratch/$ledger" report "$@" -o "$scratch/$name" >"$scratch/log" 2>&1 ||
        sed 's/^/# /' "$scratch/log"
    mv "$scratch/$name/report.html" "$scratch/$name.html"
}

ledger=bills.db
"$STINT_TEST_LEDGER" "$scratch/$ledger" costs
write month --month 2026-10
write running --month 2026-11 --where team=nlp
ledger=runs.db
"$STINT_TEST_LEDGER" "$scratch/$ledger"
write run bert
write compare --compare bert bert-wide vit prepare
node "$here/check.mjs" "$here"/../unit/render/documents/*.html "$scratch"/*.html
