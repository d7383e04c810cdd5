#!/bin/sh
# Everything that reads the code without running it. The argument is a build folder of clang, whose
# compile commands clang-tidy follows; nothing need be compiled in it. clang-tidy and cppcheck look
# only at files that changed since they were clean, by content (lint_files.py): BUILD/lint has what is
# known.
set -u
build=$1
failed=0

check() { # check NAME COMMAND...
    name=$1
    shift
    if output=$("$@" 2>&1); then
        echo "ok      $name${output:+: $(printf '%s\n' "$output" | tail -n 1)}"
    else
        printf 'FAILED  %s\n%s\n' "$name" "$output"
        failed=1
    fi
}

ours() {
    git ls-files -co --exclude-standard "$@"
}

# shellcheck disable=SC2317 # called through check
check_format() {
    ours '*.c' '*.h' | xargs -P "$(nproc)" -n 64 clang-format --dry-run --Werror
}

# clang-format leaves comments as they are.
# shellcheck disable=SC2317 # called through check
check_length() {
    ! ours '*.c' '*.h' | xargs grep -nE '^.{97,}$'
}

# shellcheck disable=SC2317 # called through check
check_tidy() {
    # shellcheck disable=SC2046 # a list of files without blanks
    python3 tools/lint_files.py clang-tidy "$build" $(ours 'src/*.c')
}

# shellcheck disable=SC2317 # called through check
check_cppcheck() {
    # shellcheck disable=SC2046 # likewise
    python3 tools/lint_files.py cppcheck "$build" $(ours 'src/*.c')
}

# shellcheck disable=SC2046 # lists of files without blanks
{
    check 'format' check_format
    check 'lines of 96 columns' check_length
    check 'layers' sh tools/check_layers.sh
    check 'banned functions' sh tools/check_banned.sh
    check 'names' sh tools/check_names.sh
    check 'words' python3 tools/check_words.py
    check 'functions of op without the context' python3 tools/check_context.py
    check 'clang-tidy' check_tidy
    check 'cppcheck' check_cppcheck
    check 'shell' shellcheck dev .ci/run tools/package/check tools/package/deb debian/tests/command debian/tests/library $(ours '*.sh')
    check 'spelling' codespell -q 3 -L nd,upto,zar,rouge,cach,braket,produkt,nin,reserv,paeth $(ours | grep -vE '^(data/|tests/|LICENSE)')
}
exit $failed
