#!/bin/sh
# Lines covered by the unit and command-line tests, module by module. Fails when one of the modules that everything
# depends on is below the bar.
set -eu
build=$1
bar=95
status=0
for module in base unit doc catalog op; do
    percent=$(gcovr -r . --object-directory "$build" --filter "src/$module/" --exclude '.*_part\.c' \
        --print-summary 2>/dev/null | sed -n 's/^lines: \([0-9.]*\)%.*/\1/p')
    [ -n "$percent" ] || {
        echo "gcovr gave no figure for $module"
        exit 1
    }
    printf '%-8s %s %% of lines\n' "$module" "$percent"
    if [ "$module" != op ] && [ "${percent%.*}" -lt "$bar" ]; then
        echo "$module is below $bar %"
        status=1
    fi
done
exit $status
