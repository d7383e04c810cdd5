#!/bin/sh
# What the user sees, byte for byte. run.sh STINT [FILE.t ...]
#
# A .t file is a conversation: lines starting with "$ " are commands for the shell; what follows each
# is what it must print: "| " before every line of standard output, "! " before standard error,
# "? N" for an exit status other than 0. Other lines are comments. UPDATE=1 writes what came instead:
# read the diff before you commit it.
#
# Each file runs in a new empty folder, with a home of its own (called home, so that messages do not
# depend on where it is) and the clock at 2026-11-15.
set -u
stint=$(realpath "$1")
shift
cases=$(cd "$(dirname "$0")" && pwd)
[ $# -gt 0 ] || set -- "$cases"/*.t
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/bin" "$scratch/tmp"
ln -s "$stint" "$scratch/bin/stint"
export PATH="$scratch/bin:$PATH" LC_ALL=C STINT_NOW=2026-11-15 HOME=home
export TMPDIR="$scratch/tmp" # journals of runs that no ledger took are not left to others
export STINT_MACHINE_DIR="$scratch" # no other run on this machine shares its price
export ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0" # leaks are the unit tests' business
unset TERM COLUMNS NO_COLOR XDG_CONFIG_HOME XDG_CACHE_HOME XDG_DATA_HOME XDG_STATE_HOME STINT_PRICES STINT_LEDGER STINT_LOG STINT_CONFIG STINT_CATALOG STINT_COUNTRY
# Nobody is asked but this machine itself.
for whose in AWS_PRICES AWS_EC2 AZURE GCP LAMBDA RUNPOD VAST SKYPILOT; do
    export "STINT_URL_$whose=http://127.0.0.1:1"
done
unset AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_PROFILE AWS_SHARED_CREDENTIALS_FILE GOOGLE_API_KEY
unset GOOGLE_OAUTH_ACCESS_TOKEN LAMBDA_API_KEY RUNPOD_API_KEY VAST_API_KEY
unset STINT_PROVIDERS STINT_CURRENCY STINT_BUDGET STINT_MACHINE STINT_ELECTRICITY STINT_STALE_AFTER STINT_OWNED

# For conversations with a server: start_server NAME starts one that does as servers/NAME says
# (tests/net/server.c), logs to server.log, and goes away by itself. Commands then find its address in
# $SERVER; mask hides the port.
# shellcheck disable=SC2317 # conversations call it
start_server() {
    "$STINT_TEST_SERVER" -b "$cases/servers/$1" server.log >server.port
}

# shellcheck disable=SC2317 # likewise
mask() {
    sed 's/127\.0\.0\.1:[0-9]*/SERVER/g'
}

# Lines of a file with a mark before each; a missing last newline is shown.
marked() {
    sed "s/^/$1 /" "$2"
    if [ -s "$2" ] && [ "$(tail -c 1 "$2" | od -An -tx1 | tr -d ' ')" != 0a ]; then
        printf '\n%s (no newline at the end)\n' "$1"
    fi
}

# Write the conversation of $1 as it really goes.
replay() {
    while IFS= read -r line || [ -n "$line" ]; do
        case $line in
        '$ '*)
            printf '%s\n' "$line"
            # shellcheck disable=SC2034 # for the command
            [ ! -s server.port ] || SERVER=http://127.0.0.1:$(cat server.port)
            (set +u; eval "${line#??}") >"$scratch/out" 2>"$scratch/err" </dev/null
            status=$?
            marked '|' "$scratch/out"
            marked '!' "$scratch/err"
            [ $status -eq 0 ] || printf '? %d\n' $status
            ;;
        '| '* | '! '* | '|' | '!' | '? '*) ;;
        *) printf '%s\n' "$line" ;;
        esac
    done <"$1"
}

count=0
failed=0
for file; do
    file=$(realpath "$file")
    [ -s "$file" ] || {
        echo "Bail out! there is no case '$file'"
        exit 1
    }
    if grep -q '^\$ start_server' "$file" && [ -z "${STINT_TEST_SERVER:-}" ]; then
        echo "# SKIPPED $(basename "$file"): there is no STINT_TEST_SERVER"
        continue
    fi
    count=$((count + 1))
    unset SERVER
    name=$(basename "$file" .t)
    rm -rf "$scratch/work"
    mkdir -p "$scratch/work/home"
    (cd "$scratch/work" && replay "$file") >"$scratch/$name.got"
    if [ "${UPDATE:-}" = 1 ]; then
        cp "$scratch/$name.got" "$file"
    fi
    if diff -u "$file" "$scratch/$name.got" >"$scratch/diff"; then
        echo "ok $count - $name"
    else
        echo "not ok $count - $name"
        sed 's/^/# /' "$scratch/diff"
        failed=1
    fi
done
echo "1..$count"
exit $failed
