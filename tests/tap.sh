# shellcheck shell=sh
# The checks of a test that is a script, as TAP. Source it in a folder that may be written to; at the end, call
# tap_end.
tap_number=0
tap_failed=0
check() { # check NAME COMMAND...
    tap_number=$((tap_number + 1))
    tap_name=$1
    shift
    if "$@" >check.out 2>&1; then
        echo "ok $tap_number - $tap_name"
    else
        echo "not ok $tap_number - $tap_name"
        sed 's/^/# /' check.out
        tap_failed=1
    fi
}

tap_end() {
    echo "1..$tap_number"
    exit $tap_failed
}
