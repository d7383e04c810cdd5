#!/bin/sh
# The page of `stint serve` in a real browser: page.sh STINT. `./dev test` installs what it needs where there is npm.
set -u
stint=$1
here=$(cd "$(dirname "$0")" && pwd)
skip() {
    echo "1..0 # SKIP $1"
    echo "# SKIPPED browser/page: $1"
    exit 0
}
for program in node chromium; do
    command -v "$program" >/dev/null || skip "there is no $program here"
done
[ -d "$here/node_modules/playwright-core" ] || skip "npm ci was not run in tests/browser"
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
export XDG_CONFIG_HOME="$scratch/config" XDG_DATA_HOME="$scratch/data" XDG_CACHE_HOME="$scratch/cache"
"$stint" demo "$scratch/demo" >"$scratch/log" 2>&1 || sed 's/^/# /' "$scratch/log"
node "$here/page.mjs" "$stint" "$scratch/demo/ledger.db"
