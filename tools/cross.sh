#!/bin/sh
# cross.sh FOLDER PACKAGE...: build for the other architecture and try what can be tried under qemu-user.
#
# The libraries of that architecture come from those Debian packages, unpacked in FOLDER/sysroot: nothing of
# the system changes (its -dev packages could not be installed beside this machine's). apt works on a
# package list of its own for that. tools/cross.skip names the tests that qemu-user cannot run.
set -eu
. tools/links.sh
folder=$1
shift
root=$PWD/$folder/sysroot
case $(uname -m) in
aarch64) other=amd64 cpu=x86_64 ;;
x86_64) other=arm64 cpu=aarch64 ;;
*)
    echo "cross: no other architecture is known for $(uname -m)" >&2
    exit 1
    ;;
esac

# apt for the other architecture, as if nothing were installed: it finds every library that is needed.
foreign_apt() {
    apt-get -qq -o "APT::Architecture=$other" -o "APT::Architectures::=$other" -o "Dir::State=$PWD/$folder/apt" \
        -o "Dir::State::status=$PWD/$folder/apt/status" -o "Dir::Cache=$PWD/$folder/apt" -o Debug::NoLocking=1 \
        -o APT::Sandbox::User= "$@"
}

make_sysroot() {
    rm -rf "$root" "$root.part" "$folder/build"
    mkdir -p "$folder/apt/lists/partial" "$folder/apt/archives/partial"
    : >"$folder/apt/status"
    foreign_apt update
    foreign_apt install -y --download-only --no-install-recommends "$@" >/dev/null
    for package in "$folder"/apt/archives/*.deb; do
        dpkg -x "$package" "$root.part"
    done
    relative_links "$root.part"
    mv "$root.part" "$root"
    rm -rf "$folder/apt"
    echo "$*" >"$folder/packages.txt"
}

write_cross_file() {
    cat >"$folder/cross.ini" <<EOT
[binaries]
c = ['$cpu-linux-gnu-gcc', '--sysroot=$root']
ar = '$cpu-linux-gnu-ar'
strip = '$cpu-linux-gnu-strip'
pkgconfig = 'pkg-config'
exe_wrapper = '$PWD/$folder/emulate'

[properties]
sys_root = '$root'
pkg_config_libdir = ['$root/usr/lib/$cpu-linux-gnu/pkgconfig', '$root/usr/share/pkgconfig']

[host_machine]
system = 'linux'
cpu_family = '$cpu'
cpu = '$cpu'
endian = 'little'
EOT
    # The program under its emulator, in one word: for meson, and for tests that start it themselves.
    printf '#!/bin/sh\nexec qemu-%s-static -L %s "$@"\n' "$cpu" "$root" >"$folder/emulate"
    for program in stint tests/fill_ledger tests/server; do
        printf '#!/bin/sh\nexec %s %s "$@"\n' "$PWD/$folder/emulate" "$PWD/$folder/build/$program" >"$folder/${program##*/}"
    done
    chmod +x "$folder/emulate" "$folder/stint" "$folder/fill_ledger" "$folder/server"
}
# left_out NAME: does tools/cross.skip name it?
left_out() {
    for pattern in $skipped; do
        # shellcheck disable=SC2254 # a pattern
        case $1 in $pattern) return 0 ;; esac
    done
    return 1
}

# Names of the unit tests, and paths of the cases, that are tried.
unit_tests() {
    meson test -C "$folder/build" --no-rebuild --suite unit --list 2>/dev/null | sed -n 's|.*stint:unit / ||p' |
        while IFS= read -r name; do
            left_out "$name" || echo "$name"
        done
}

cases() {
    for case in tests/cli/*.t; do
        name=${case##*/}
        left_out "cli/${name%.t}" || echo "$case"
    done
}

set -f # the patterns of cross.skip are not file names
skipped=$(sed '/^#/d' tools/cross.skip)
set +f
[ "$*" = "$(cat "$folder/packages.txt" 2>/dev/null)" ] || make_sysroot "$@"
write_cross_file
[ -f "$folder/build/build.ninja" ] || meson setup "$folder/build" --cross-file "$folder/cross.ini" --buildtype=release \
    --optimization=2 -Dhardening=true -Dtests=true >"$folder/setup.log"
ninja -C "$folder/build" --quiet
"$folder/stint" --version
failed=0
# shellcheck disable=SC2046 # names without blanks
meson test -C "$folder/build" --no-rebuild --quiet --print-errorlogs --timeout-multiplier 2 $(unit_tests) || failed=1
# shellcheck disable=SC2046 # likewise
STINT_PARTS=$PWD/$folder/build/parts STINT_TEST_LEDGER=$PWD/$folder/fill_ledger STINT_TEST_SERVER=$PWD/$folder/server \
    sh tests/cli/run.sh "$folder/stint" $(cases) >"$folder/cli.tap" || failed=1
grep -v '^ok ' "$folder/cli.tap" || true
exit $failed
