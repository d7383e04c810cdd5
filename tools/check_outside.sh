#!/bin/sh
# Fail when a file names a folder beside the checkout: a clone works wherever it is, and data of others is found through
# STINT_TEST_DATA. Only .ci/run, which sets that, may. Run it in the root of the tree.
set -eu
files() {
    find . \( -name .git -o -name 'build*' -o -name node_modules -o -name corpus -o -path ./shared \) -prune -o -type f -print |
        grep -vE '^\./(\.ci/run|tools/check_outside\.sh)$'
}

# The name of such a folder, in any file.
by_name() {
    files | xargs grep -nIE 'STINT_SHARED|\.\./shared|(parent|dirname|\.\.)[^[:alnum:]]+shared([^[:alnum:]]|$)' || :
}

# More steps up than the file's own folder is deep, in what is run and in what the build reads. Tests of how the program treats paths
# have such paths as data.
by_steps() {
    # shellcheck disable=SC2016 # awk, not the shell, expands what is in the quotes
    files | grep -E '^\./dev$|\.(sh|build|py)$|^\./(tools/package|debian)/' | grep -vE '^\./tests/(serve|package)/' | xargs awk '
        FNR == 1 { deep = split(FILENAME, folders, "/") - 2 }
        {
            for (text = $0; match(text, /(\.\.\/)+[A-Za-z0-9_*]/); text = substr(text, RSTART + RLENGTH))
                if (RLENGTH - 1 > 3 * deep && substr(text, RSTART - 1, 1) != ".") {
                    print FILENAME ":" FNR ": " $0
                    break
                }
        }'
}

found=$(by_name && by_steps)
[ -z "$found" ] || {
    printf '%s\n' "$found"
    echo 'outside: these name a folder outside the tree; data of others is below STINT_TEST_DATA'
    exit 1
}
