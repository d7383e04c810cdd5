#!/bin/sh
# Mixing units must be a compile error. run.sh SOURCE_ROOT CC...: control.c must compile, or the others
# would fail for some other reason; each of the others must be refused for its types.
set -u
root=$1
shift
number=0
failed=0
for file in "$root"/tests/nocompile/*.c; do
    name=$(basename "$file" .c)
    number=$((number + 1))
    errors=$(LC_ALL=C "$@" -std=c17 -D_GNU_SOURCE -I"$root/src" -fsyntax-only "$file" 2>&1)
    status=$?
    case $name:$status in
    control:0) result=ok ;;
    control:*) result='not ok' ;;
    *:0) result='not ok' ;;
    *) if printf '%s' "$errors" | grep -q 'incompatible type'; then result=ok; else result='not ok'; fi ;;
    esac
    echo "$result $number - $name"
    [ "$result" = ok ] || {
        printf '%s\n' "$errors" | sed 's/^/# /'
        failed=1
    }
done
echo "1..$number"
exit $failed
