# shellcheck shell=sh
# bar WHAT VALUE OPERATOR LIMIT: prints whether it is met; `failed` becomes 1 when it is not.
bar() {
    if awk "BEGIN { exit !($2 $3 $4) }"; then verdict=met; else
        verdict=MISSED
        export failed=1
    fi
    printf 'bar: %s: %s (%s %s) %s\n' "$1" "$2" "$3" "$4" "$verdict"
}
