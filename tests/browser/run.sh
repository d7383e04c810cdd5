#!/bin/sh
# Pages of reports in a real browser: run.sh STINT. `./dev test` installs what it needs where there is npm.
set -u
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
exec node "$here/check.mjs" "$here"/../unit/report/documents/*.html
