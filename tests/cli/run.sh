#!/bin/sh
# What the user sees, compared byte for byte. run.sh STINT [FILE.t ...]
#
# A .t file is a conversation: lines starting with "$ " are commands for the shell; what follows each
# is what it must print: "| " before every line of standard output, "! " before standard error,
# "? N" for an exit status other than 0. Other lines are comments. UPDATE=1 writes what came instead:
# read the diff before you commit it. A comment "needs: PROGRAM..." skips the file where one is missing.
#
# Each file runs in a new empty folder, with its own home folder (called home, so that messages do not
# depend on where it is) and the clock at 2026-11-15. Nothing is shared between files: as many run at
# once as there are processors (STINT_TEST_JOBS), and their results are printed in the order of the
# files.
set -u

# For conversations with a server: start_server NAME starts one that does as servers/NAME says
# (tests/net/server.c), logs to server.log, and goes away by itself. Commands then find its address in
# $SERVER; mask hides the port.
# shellcheck disable=SC2317 # conversations call it
start_server() {
    "$STINT_TEST_SERVER" -b "$cases/servers/$1" server.log >server.port
}

# Likewise an inference server: start_mock KEY=VALUE... (tests/load/mock.c) logs to mock.log.
# shellcheck disable=SC2317 # the same
start_mock() {
    "$STINT_TEST_MOCK" -b mock.log "$@" >server.port
}

# shellcheck disable=SC2317 # the same
mask() {
    sed 's/127\.0\.0\.1:[0-9]*/SERVER/g'
}

# Lines of a file with a mark before each; a missing last newline is shown. By the shell itself: there are thousands of files, and a
# process for each takes longer than most commands.
marked() {
    while IFS= read -r text; do
        printf '%s %s\n' "$1" "$text"
    done <"$2"
    [ -z "$text" ] || printf '%s %s\n%s (no newline at the end)\n' "$1" "$text" "$1"
}

# Write the conversation of $1 as it really goes.
replay() {
    while IFS= read -r line || [ -n "$line" ]; do
        case $line in
        '$ '*)
            printf '%s\n' "$line"
            # shellcheck disable=SC2034 # for the command
            [ ! -s server.port ] || SERVER=http://127.0.0.1:$(cat server.port)
            (set +u; eval "${line#??}") >../out 2>../err </dev/null
            status=$?
            marked '|' ../out
            marked '!' ../err
            [ $status -eq 0 ] || printf '? %d\n' $status
            ;;
        '| '* | '! '* | '|' | '!' | '? '*) ;;
        *) printf '%s\n' "$line" ;;
        esac
    done <"$1"
}

# What a conversation needs and is not here, in words; nothing when it can be tried.
missing() {
    if grep -q '^\$ start_server' "$1" && [ -z "${STINT_TEST_SERVER:-}" ]; then
        echo 'there is no STINT_TEST_SERVER'
    fi
    if grep -q '^\$ start_mock' "$1" && [ -z "${STINT_TEST_MOCK:-}" ]; then
        echo 'there is no STINT_TEST_MOCK'
    fi
    for variable in STINT_TEST_LEDGER STINT_FAKE_NVML; do
        if grep -q "\$$variable" "$1" && eval "[ -z \"\${$variable:-}\" ]"; then
            echo "there is no $variable"
        fi
    done
    # shellcheck disable=SC2013 # words
    for program in $(sed -n 's/^needs: //p' "$1"); do
        command -v "$program" >/dev/null || echo "there is no $program here"
    done
}

# Try the conversation in file $2 in the folder $1, which is its own, and leave the result there.
try() {
    place=$1
    file=$2
    why=$(missing "$file" | head -n 1)
    if [ -n "$why" ]; then
        echo "skip $why" >"$place/result"
        return
    fi
    mkdir -p "$place/work/home" "$place/tmp" "$place/machine"
    mkdir -m 700 "$place/run"
    export TMPDIR="$place/tmp"                # journals of runs that no ledger took are not left to others
    export STINT_MACHINE_DIR="$place/machine" # no other run on this machine shares its price
    export XDG_RUNTIME_DIR="$place/run"       # nor its sockets
    unset SERVER
    (cd "$place/work" && replay "$file") >"$place/got"
    if [ "${UPDATE:-}" = 1 ]; then
        cp "$place/got" "$file"
    fi
    if diff -u "$file" "$place/got" >"$place/diff"; then
        echo ok >"$place/result"
    else
        echo failed >"$place/result"
    fi
    rm -rf "$place/work" "$place/tmp"
}

# What came of the case with number $1, as TAP.
report() {
    name=$(basename "$(cat "$scratch/$1/file")" .t)
    read -r result why 2>/dev/null <"$scratch/$1/result" || result=none
    case $result in
    ok) echo "ok $1 - $name" ;;
    skip) echo "ok $1 - $name # SKIP $why" ;;
    *)
        echo "not ok $1 - $name"
        [ "$result" != none ] || echo "# it was ended before it was done"
        [ ! -s "$scratch/$1/diff" ] || sed 's/^/# /' "$scratch/$1/diff"
        failed=1
        ;;
    esac
}

# Numbers of cases that are done come in any order; results are printed as soon as all before them are.
report_in_order() {
    failed=0
    next=1
    while read -r number; do
        : >"$scratch/$number/done"
        while [ -e "$scratch/$next/done" ]; do
            report $next
            next=$((next + 1))
        done
    done
    while [ $next -le "$count" ]; do
        report $next
        next=$((next + 1))
    done
    echo "1..$count"
    return $failed
}

cases=$(cd "$(dirname "$0")" && pwd)
if [ "$1" = --case ]; then # --case SCRATCH NUMBER: what this script starts for each file
    try "$2/$3" "$(cat "$2/$3/file")"
    echo "$3"
    exit
fi

stint=$(realpath "$1")
shift
if [ $# = 0 ]; then
    set -- "$cases"/*.t
    # Their commands are those of other cases, with much more to read: once, by the program that is installed.
    if grep -q __asan_init "$stint"; then
        for file; do
            shift
            case $file in */demo.t | */pages.t | */tutorials.t) ;; *) set -- "$@" "$file" ;; esac
        done
    fi
fi
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
mkdir "$scratch/bin"
ln -s "$stint" "$scratch/bin/stint"
# awk is what Debian has by default, even where gawk is installed, too: pages and cases that need more fail on a fresh machine only.
! mawk=$(command -v mawk) || ln -s "$mawk" "$scratch/bin/awk"
export PATH="$scratch/bin:$PATH" LC_ALL=C TZ=UTC STINT_NOW=2026-11-15 HOME=home
# Leaks, and what is read beyond a table, are found by the unit tests: looking for these takes most of the start of a program.
export ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0:report_globals=0"
unset TERM COLUMNS NO_COLOR XDG_CONFIG_HOME XDG_CACHE_HOME XDG_DATA_HOME XDG_STATE_HOME STINT_PRICES STINT_LEDGER STINT_LOG STINT_CONFIG STINT_CATALOG STINT_COUNTRY
# Only this machine is contacted.
for whose in AWS_PRICES AWS_EC2 AZURE GCP LAMBDA RUNPOD VAST SKYPILOT; do
    export "STINT_URL_$whose=http://127.0.0.1:1"
done
unset AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_PROFILE AWS_SHARED_CREDENTIALS_FILE GOOGLE_API_KEY
unset GOOGLE_OAUTH_ACCESS_TOKEN LAMBDA_API_KEY RUNPOD_API_KEY VAST_API_KEY
unset STINT_PROVIDERS STINT_CURRENCY STINT_BUDGET STINT_MACHINE STINT_OWN_MACHINE LOGNAME
export USER=tester # what is done is recorded with a name
unset STINT_ELECTRICITY STINT_STALE_AFTER STINT_OWNED

# Numbers of the cases in the order in which they begin: those that take longest first, so that none of
# them is left to run alone at the end.
count=0
long=
short=
for file; do
    [ -s "$file" ] || {
        echo "Bail out! there is no case '$file'"
        exit 1
    }
    count=$((count + 1))
    mkdir "$scratch/$count"
    realpath "$file" >"$scratch/$count/file"
    case $file in
    */config.t | */demo.t | */examples.t | */pages.t | */plan.t | */plan_mistakes.t | */report.t | */tutorials.t) long="$long $count" ;;
    *) short="$short $count" ;;
    esac
done
echo "$long$short" | xargs -n 1 -P "${STINT_TEST_JOBS:-$(nproc)}" sh "$0" --case "$scratch" | report_in_order
