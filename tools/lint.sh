#!/bin/sh
# Everything that reads the code without running it. The argument is a build folder of clang, whose
# compile commands clang-tidy follows.
set -u
build=$1
failed=0

check() { # check NAME COMMAND...
    name=$1
    shift
    if output=$("$@" 2>&1); then
        echo "ok      $name"
    else
        printf 'FAILED  %s\n%s\n' "$name" "$output"
        failed=1
    fi
}

ours() {
    git ls-files -co --exclude-standard "$@"
}

# clang-format leaves comments as they are.
# shellcheck disable=SC2317 # called through check
check_length() {
    ! ours '*.c' '*.h' | xargs grep -nE '^.{97,}$'
}

# shellcheck disable=SC2317 # called through check
check_tidy() {
    ours 'src/*.c' | xargs -P 2 -n 8 clang-tidy -p "$build" --quiet 2>/dev/null
}

# shellcheck disable=SC2317 # called through check
check_cppcheck() {
    cppcheck --quiet --std=c11 --enable=warning,performance,portability --inline-suppr \
        --error-exitcode=1 --suppress=missingIncludeSystem -D_GNU_SOURCE -DSTINT_VERSION='""' \
        -DSTINT_BUILD='""' -DSTINT_PARTS_DIR='""' -Isrc -Iinclude src
}

# shellcheck disable=SC2046 # lists of files without blanks
{
    check 'format' clang-format --dry-run --Werror $(ours '*.c' '*.h')
    check 'lines of 96 columns' check_length
    check 'layers' sh tools/check_layers.sh
    check 'banned functions' sh tools/check_banned.sh
    check 'clang-tidy' check_tidy
    check 'cppcheck' check_cppcheck
    check 'shell' shellcheck dev .ci/run $(ours '*.sh')
    check 'spelling' codespell -q 3 -L nd,upto,zar,rouge,cach,braket,produkt,nin $(ours | grep -vE '^(data/|tests/|LICENSE)')
}
exit $failed
