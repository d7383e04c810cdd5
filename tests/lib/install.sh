#!/bin/sh
# What programs that use the library get: install.sh SOURCE BUILD COMPILER...: installs into a folder of its own, and looks
# there. Prints TAP.
# shellcheck disable=SC2317 # check calls the functions
set -u
source=$1
build=$2
shift 2
# shellcheck source=tests/tap.sh
. "$source/tests/tap.sh"

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
if ! meson install -C "$build" --no-rebuild --quiet --destdir "$work/root" >install.log 2>&1; then
    sed 's/^/# /' install.log
    echo '1..1'
    echo 'not ok 1 - it can be installed'
    exit 1
fi
header=$(find root -name stint.h)
pc=$(find root -name stint.pc)
stint=$PWD/$(find root -path '*/bin/stint')
library=$PWD/$(find root -name libstint.so.0)
schema=$(find root -path '*/share/stint/schema')
man=$(find root -type d -path '*/man/man3')
pc_dir=$(dirname "$pc")
lib_dir=$(dirname "$library")
export STINT_PARTS="$lib_dir/stint" HOME="$work" XDG_CONFIG_HOME="$work"

# The functions that a header or a page declares.
declared() {
    sed -n 's/^[a-z].*[ *]\(stint_[a-z_]*\)(.*/\1/p' "$header" | sort
}
in_page() {
    sed -n 's/^\.Fn \(stint_[a-z_]*\) .*/\1/p' "$man/stint.3" | sort -u
}
exported() {
    LC_ALL=C nm -D --defined-only --with-symbol-versions "$1" | sed -n 's/.* [^A] //p' | LC_ALL=C sort
}

same_symbols() {
    exported "$library" | diff "$source/tests/lib/symbols.txt" -
}
same_in_header() {
    declared >header.txt
    exported "$library" | sed 's/@.*//' | diff - header.txt
}
has_soname() {
    readelf -d "$library" | grep -q 'SONAME.*\[libstint\.so\.0\]' && [ -e "$lib_dir/libstint.so" ]
}
parts_export_one() {
    for part in "$STINT_PARTS"/*.so; do
        [ "$(exported "$part")" = stint_part ] || { exported "$part"; return 1; }
    done
    [ "$(find "$STINT_PARTS" -name '*.so' | wc -l)" -ge 6 ]
}
same_in_page() {
    declared >header.txt
    in_page | diff header.txt - || return 1
    while read -r name; do
        grep -q "^\.so man3/stint\.3$" "$man/$name.3" || { echo "no page '$name'"; return 1; }
    done <header.txt
}
page_is_valid() {
    mandoc -T lint -W warning "$man/stint.3"
}
header_is_plain_c() {
    echo '#include <stint.h>' >use.c
    "$@" -std=c89 -pedantic -Wall -Wextra -Werror -I"$(dirname "$header")" -fsyntax-only use.c
}
compares() {
    build_and_link "$@" && "./$1" | grep -q '^{"schema":"stint.price.compare/1"'
}
page_example() {
    sed -n '/^#include <stdio.h>/,/^\.Ed/ { /^\.Ed/d; s/\\e/\\/g; p; }' "$man/stint.3" >page.c
    compares page "$@"
}
# The C blocks of the pages: docs-1.c and so on. What is no program is what a program would do.
docs_blocks() {
    rm -f docs-*.c
    awk '/^```c$/ { inside = 1; text = ""; next }
        /^```$/ && inside {
            inside = 0
            file = "docs-" ++count ".c"
            if (text !~ /int main\(/)
                text = "#include <stdio.h>\n#include <stint.h>\n\nint main(void)\n{\n" text \
                    (text ~ /int status/ ? "" : "int status = 0;\n") \
                    (text ~ /stint_free/ ? "" : "puts(reply);\nstint_free(reply);\n") "return status;\n}\n"
            printf "%s", text >file
            close(file)
        }
        inside { text = text $0 "\n" }' "$source"/docs/*/*.md
}
docs_examples() {
    docs_blocks
    for file in docs-*.c; do
        name=${file%.c}
        if ! build_and_link "$name" "$@" || ! "./$name" | grep -q '^{"schema":"stint.p'; then
            cat "$file"
            return 1
        fi
    done
    [ "$(find . -name 'docs-*.c' | wc -l)" -ge 3 ]
}
# A call with its arguments is in a block, where it is compiled.
calls_are_in_blocks() {
    # shellcheck disable=SC2016 # they are no commands
    ! grep -n '`stint_call([^`]*"' "$source"/docs/*/*.md "$source"/README.md
}

# As a user would, with pkg-config, below a folder.
# shellcheck disable=SC2046 # words
build_and_link() {
    name=$1
    shift
    "$@" -std=c17 -Wall -Wextra -Werror "$name.c" -o "$name" \
        $(PKG_CONFIG_PATH="$pc_dir" PKG_CONFIG_SYSROOT_DIR="$PWD/root" pkg-config --cflags --libs stint) \
        $(pkg-config --cflags --libs jansson)
}
version_of_pc() {
    [ "stint $(PKG_CONFIG_PATH="$pc_dir" pkg-config --modversion stint)" = "$("$stint" --version | sed -n 1p)" ]
}
example_answers() {
    cp "$source/examples/c/plan.c" . && build_and_link plan "$@" || return 1
    ./plan llama-2-7b >plan.txt || return 1
    "$stint" plan llama-2-7b --method lora --tokens 25M --budget 100usd --json >plan.json 2>warnings.txt || return 1
    offer=$(sed -n 's/^rent *//p' plan.txt)
    cost=$(sed -n 's/^cost *\([0-9.]*\) USD$/\1/p' plan.txt)
    cat plan.txt
    [ -n "$offer" ] && [ -n "$cost" ] && grep -qF "\"plans\":[{\"role\":\"best\",\"offer\":\"$offer\"," plan.json &&
        grep -qF "\"cost\":{\"amount\":\"$cost\",\"currency\":\"USD\"}" plan.json &&
        grep -Eq '^time +[0-9.]+ h \([0-9.]+ to [0-9.]+\)$' plan.txt
}
example_reports_errors() {
    ./plan lama-2-7b >plan.txt 2>error.txt
    status=$?
    cat plan.txt error.txt
    [ "$status" = 4 ] && [ ! -s plan.txt ] && sed -n 1p error.txt | grep -q "^plan: .*'lama-2-7b'" &&
        sed -n 2p error.txt | grep -q '^  hint: '
}
same_schemas() {
    "$stint" schema -o written >/dev/null && diff -r written "$schema" &&
        [ "$(find written -name '*.json' | wc -l)" -ge 200 ]
}

export LD_LIBRARY_PATH="$lib_dir"
check 'exported symbols are those of symbols.txt' same_symbols
check 'and those that stint.h declares' same_in_header
check 'the soname is libstint.so.0' has_soname
check 'loadable parts export one symbol' parts_export_one
check 'stint.h is plain C' header_is_plain_c "$@"
check 'stint.pc has the version of the program' version_of_pc
check 'the C example prints the plan of the command' example_answers "$@"
check 'the C example reports errors' example_reports_errors
check 'stint.3 describes all functions' same_in_page
check 'the example of stint.3 works' page_example "$@"
check 'the C examples of the pages work' docs_examples "$@"
check 'calls of the library in the pages are in C blocks' calls_are_in_blocks
if command -v mandoc >/dev/null; then
    check 'stint.3 is well-formed' page_is_valid
else
    tap_number=$((tap_number + 1))
    echo "ok $tap_number - stint.3 is well-formed # SKIP there is no mandoc"
fi
check 'installed schemas are those that the program writes' same_schemas
tap_end
