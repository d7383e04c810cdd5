# shellcheck shell=sh disable=SC2154 # build, scratch: of whoever sources it
# What commands cost, each beside a peer: in turns, since the machine's noise changes with time. Needs $build and $scratch.

# cost COMMAND: one run of it. Sets cpu, wall (ms) and peak (KB).
cost() {
    sync -f "$scratch" # not what others write
    # shellcheck disable=SC2046 # three numbers
    set -- $("$build/bench/bench_command" 1 sh -c "$1")
    [ $# = 3 ] || {
        echo "it failed" >&2
        exit 1
    }
    cpu=$1 wall=$2 peak=$3
}

# keep NAME: the best run so far as NAME_wall and NAME_cpu, the largest NAME_peak.
keep() {
    eval "${1}_wall=\$(least $wall \${${1}_wall:-}) ${1}_cpu=\$(least $cpu \${${1}_cpu:-}) ${1}_peak=\$(most $peak \${${1}_peak:-})"
}

least() {
    printf '%s\n' "$@" | sort -n | head -n 1
}

most() {
    printf '%s\n' "$@" | sort -n | tail -n 1
}

# turn NAME COMMAND: a run that counts for NAME.
turn() {
    cost "$2"
    keep "$1"
}

# tell LABEL NAME [MORE]: a line with what NAME took.
tell() {
    eval "printf '%-34s %8.0f ms, %8.0f ms of CPU, peak %5.0f MB%s\n' \"\$1\" \$${2}_wall \$${2}_cpu \$((${2}_peak / 1024)) \"\${3:-}\""
}

size() { # bytes of all files
    cat "$@" | wc -c
}

ratio() { # ratio A B: A / B
    awk "BEGIN { printf \"%.4f\", $1 / $2 }"
}

# missing PROGRAM...: true, with a line that says so, when one is not here.
missing() {
    for program; do
        command -v "$program" >/dev/null || {
            echo "# SKIPPED: there is no $program here"
            return 0
        }
    done
    return 1
}
