#!/bin/sh
# Fail when two files of src/ define a function of the same name, static or not: grep, backtraces and
# profiles would not say which. Variants in one file, of which #if picks one, are one function.
set -eu
# Names that several files may define, and why: NAME: REASON, one a line.
exceptions='
main: each program starts there
'
# The functions that src/ defines: NAME FILE LINE.
# shellcheck disable=SC2016 # awk, not the shell, expands what is in the quotes
functions() {
    find src -name '*.[ch]' | sort | xargs awk '
        FNR == 1 { head = "" }
        /^[A-Za-z_]/ { head = $0; at = FNR } # its parameters may follow on lines that are indented
        /^\{$/ && head != "" {
            gsub(/__attribute__\(\([^()]*(\([^()]*\))?\)\)|PRINTF_LIKE\([^()]*\)/, "", head)
            if (match(head, /[A-Za-z_0-9]+\(/)) print substr(head, RSTART, RLENGTH - 1), FILENAME, at
            head = ""
        }'
}

# shellcheck disable=SC2016 # likewise
{
    printf '%s\n' "$exceptions"
    functions
} | awk '
    $1 ~ /:$/ { allowed[substr($1, 1, length($1) - 1)] = 1; next }
    NF == 0 { next }
    !($1 in file) { file[$1] = $2; line[$1] = $3; next }
    file[$1] != $2 && !($1 in allowed) {
        printf "%s:%d: %s is also defined at %s:%d\n", $2, $3, $1, file[$1], line[$1]; bad = 1
    }
    END {
        if (bad) print "names: put the noun into the name of a static function (add_run: add_hourly_run)"
        exit bad
    }'
