#!/bin/sh
# check.deb.sh: are the packages in build-package/deb good? What Debian's own tools say, equal bytes when built
# again, and a bare root in which they are installed, tried and removed. Root only, for the last. Prints TAP.
# shellcheck disable=SC2317 # check calls the functions
set -u
here=$PWD
packages=$here/build-package/deb
changes=$(find "$packages" -name '*.changes' 2>/dev/null)
[ -n "$changes" ] || {
    echo "package: there are no packages in build-package/deb; './dev package deb' makes them" >&2
    exit 1
}
[ "$(id -u)" = 0 ] || {
    echo 'package: only root can make the root to install them in' >&2
    exit 1
}
work=$(mktemp -d) || exit 1
root=$work/root
leave() {
    halt_machine
    umount "$root/proc" 2>/dev/null
    rm -rf --one-file-system "$work"
}
trap leave EXIT
trap 'exit 1' HUP INT TERM
cd "$work" || exit 1
# shellcheck source=tests/tap.sh
. "$here/tests/tap.sh"
# shellcheck source=tools/package/units.sh
. "$here/tools/package/units.sh"
# shellcheck source=tools/package/archives.sh
. "$here/tools/package/archives.sh"
# shellcheck source=tools/package/debian_root.sh
. "$here/tools/package/debian_root.sh"

lintian_is_silent() {
    lintian --allow-root --fail-on error,warning "$changes" >lintian.txt
    status=$?
    cat lintian.txt
    [ "$status" = 0 ] && [ ! -s lintian.txt ]
}
# meson is content when a name matches no test.
tests_ran() {
    sed -n '/^Ok:/,/^Timeout:/p' "$packages/build.log" | tee summary.txt
    grep -q '^Ok: *7 *$' summary.txt && grep -q '^Skipped: *0 *$' summary.txt
}
blhc_is_silent() {
    blhc "$packages/build.log"
}

# In a folder with another name, in another time zone, by another locale, without tests.
equal_bytes() {
    (cd "$here" && DEB_BUILD_OPTIONS="nocheck parallel=$(nproc)" TZ=Pacific/Kiritimati LC_ALL=C \
        sh tools/package/deb "$work/a-folder-with-another-name" "$(cat "$packages/commit")") >again.log 2>&1 || {
        cat again.log
        return 1
    }
    compared=0
    for file in "$packages"/*.deb "$packages"/*.tar.xz; do
        cmp "$file" "$work/a-folder-with-another-name/${file##*/}" || return 1
        compared=$((compared + 1))
    done
    echo "$compared files"
    [ "$compared" -ge 10 ]
}

make_root() {
    debian_root bookworm "$root" && mount -t proc proc "$root/proc"
}
inside() {
    chroot "$root" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 \
        DEBIAN_FRONTEND=noninteractive "$@"
}

# The packages alone: nothing that is recommended, no compiler.
install_bare() {
    mkdir -p "$root/packages"
    find "$packages" -name '*.deb' ! -name '*-dbgsym_*' -exec cp {} "$root/packages" \;
    inside sh -c 'apt-get install -y --no-install-recommends /packages/stint_*.deb /packages/stint-parts_*.deb'
}
plans() {
    inside stint plan /usr/share/doc/stint/examples/llama-7b-lora.yaml >plan.txt || return 1
    cat plan.txt
    grep -q '^rent ' plan.txt
}
has_no_compiler() {
    ! inside sh -c 'command -v cc || command -v gcc || command -v python3'
}
names_package() {
    inside stint price fetch skypilot >fetch.txt 2>&1
    cat fetch.txt
    grep -q "install the package 'stint-part-net'" fetch.txt || return 1
    inside stint serve >serve.txt 2>&1
    cat serve.txt
    grep -q "install the package 'stint-part-http'" serve.txt
}
parts_are_found() {
    inside sh -c 'apt-get install -y --no-install-recommends /packages/stint-part-*.deb' || return 1
    inside env STINT_URL_LAMBDA=http://127.0.0.1:1 LAMBDA_API_KEY=none stint price fetch lambda --tries 1 >fetch.txt 2>&1
    inside stint runs --ledger postgresql://127.0.0.1:1/none >ledger.txt 2>&1
    inside sh -c 'cd /root && stint run --price 1usd/hr -- true && stint report last -o last && ls last' >report.txt 2>&1
    inside sh -c 'cd /root && timeout 2 stint serve --listen 127.0.0.1:0' >serve.txt 2>&1
    cat fetch.txt ledger.txt report.txt serve.txt
    grep -q 'no connection' fetch.txt && grep -qi 'connect' ledger.txt && grep -q '\.png$' report.txt &&
        grep -q 'sign in once' serve.txt && ! grep -q 'not installed' fetch.txt ledger.txt report.txt serve.txt
}
autopkgtests_pass() {
    find "$packages" -name '*.deb' ! -name '*-dbgsym_*' >debs.txt
    # shellcheck disable=SC2046 # files without blanks
    autopkgtest --no-built-binaries $(cat debs.txt) "$packages"/*.dsc -- chroot "$root" >autopkgtest.log 2>&1
    status=$?
    tail -60 autopkgtest.log
    echo "exit status $status"
    # Each result is printed twice: after the test, and in the summary.
    passed=$(sed -n '/@ summary$/,$p' autopkgtest.log | grep -cE '^(command|library|python) +PASS$')
    [ "$status $passed" = '0 3' ]
}
nothing_is_left() {
    # shellcheck disable=SC2016,SC2046 # dpkg's own variable; words
    inside dpkg -P $(inside dpkg-query -W -f '${Package}\n' '*stint*' | sort -u) || return 1
    rm -rf "$root/packages" "$root/root"
    # systemd remembers when a timer ran, whoever made it.
    ! find "$root" -xdev -name '*stint*' | grep -v '/var/lib/apt\|/var/cache\|/var/log\|/var/lib/systemd/timers/\|/tmp/' | grep .
}

check 'lintian has no errors or warnings' lintian_is_silent
check 'all tests of the library, the command and Python ran' tests_ran
check 'blhc finds no flags missing' blhc_is_silent
check 'built again, all packages are equal' equal_bytes
check 'a bare root' make_root
check 'stint can be installed there' install_bare
check 'without compiler and Python' has_no_compiler
check 'a first plan' plans
check 'a missing part names its package' names_package
check 'parts that are installed are found' parts_are_found
check 'autopkgtest: command, library, Python' autopkgtests_pass
check_units
check 'all can be removed' nothing_is_left
tap_end
