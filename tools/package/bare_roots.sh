#!/bin/sh
# bare_roots.sh wheel|tarball: try the packages of build-package/wheel or tarball where nothing else is: in roots without compiler and network that
# this makes once in build-package/roots. Only root may make and enter them. STINT_CHECK_RELEASES: Debian releases to try, the
# oldest first; STINT_CHECK_ROOT: a root of another distribution in which to try the tarball as well.
set -eu
. tools/package/archives.sh
. tools/package/debian_root.sh
. tools/links.sh
roots=build-package/roots
dist=build-package/$1
cpu=$(uname -m)
case $cpu in x86_64) other_cpu=aarch64 ;; *) other_cpu=x86_64 ;; esac
version=$(sed -n "s/.*version: '\([0-9.]*\)'.*/\1/p" meson.build | head -1)
releases=${STINT_CHECK_RELEASES:-bullseye $(main_release)}
old_release=${releases%% *}

say() {
    printf '%s\n' "$*"
}

refuse() {
    printf 'package: %s\n' "$*" >&2
    exit 1
}

# enter ROOT COMMAND: run a shell command there, without network but its own loopback, with /proc and an empty home.
enter() {
    root=$1
    shift
    # shellcheck disable=SC2016 # for the shell inside
    unshare --net --mount --pid --fork sh -c 'ip link set lo up && mount -t proc proc "$0/proc" && exec env -i PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin \
        HOME=/tmp/home LC_ALL=C chroot "$0" /bin/sh -euc "$1"' "$root" "$*"
}

# A root with Debian's Python and pip, which is made once.
python_root() {
    debian_root "$1" "$roots/$1" python3,python3-pip,python3-venv || exit 1
}

# download STATE ARCH RELEASE PACKAGE...: these packages and what they depend on, in STATE/archives.
download() {
    state=$1 arch=$2
    mkdir -p "$state/lists/partial" "$state/archives/partial"
    : >"$state/status"
    echo "deb $(main_archive) $3 main" >"$state/sources.list"
    shift 3
    for task in update "install -y --download-only --no-install-recommends $*"; do
        # shellcheck disable=SC2086 # words
        apt-get -qq -o "APT::Architecture=$arch" -o "APT::Architectures::=$arch" -o "Dir::State=$state" \
            -o "Dir::State::status=$state/status" -o "Dir::Cache=$state" -o "Dir::Etc::sourcelist=$state/sources.list" \
            -o Dir::Etc::sourceparts=/dev/null -o Debug::NoLocking=1 -o APT::Sandbox::User= $task >/dev/null
    done
}

# A root with the C library and a shell of one static file: nothing else.
bare_root() {
    [ ! -d "$roots/libc" ] || return 0
    state=$PWD/$roots/libc.apt
    download "$state" "$(dpkg --print-architecture)" "$old_release" libc6 busybox-static
    for package in "$state"/archives/libc6_*.deb "$state"/archives/busybox-static_*.deb; do
        dpkg -x "$package" "$roots/libc.part"
    done
    chroot "$roots/libc.part" /bin/busybox --install -s /bin
    mkdir -p "$roots/libc.part/proc" "$roots/libc.part/tmp" "$roots/libc.part/dev"
    rm -r "$state"
    mv "$roots/libc.part" "$roots/libc"
}

# What an emulated server needs: GnuTLS of this release, which needs a newer C library than the program.
emulated_root() {
    [ ! -d "$roots/$other_cpu" ] || return 0
    case $other_cpu in x86_64) other_arch=amd64 ;; *) other_arch=arm64 ;; esac
    state=$PWD/$roots/$other_cpu.apt
    download "$state" "$other_arch" "$(main_release)" libgnutls30
    for package in "$state"/archives/*.deb; do
        dpkg -x "$package" "$roots/$other_cpu.part"
    done
    relative_links "$roots/$other_cpu.part"
    rm -r "$state"
    mv "$roots/$other_cpu.part" "$roots/$other_cpu"
}

# What a first user does; shell commands for `enter`. STINT is the program.
# shellcheck disable=SC2016 # for the shell inside
first_minutes='
"$STINT" --version | head -1
"$STINT" plan llama-2-7b --method lora --tokens 25M --budget 100usd >/tmp/plan
grep -q "best  " /tmp/plan
"$STINT" plan llama-2-7b --method lora --tokens 25M --budget 100usd --json | grep -q "stint.plan/"
"$STINT" run --budget "\$5" --price "\$1/hr" -- sleep 0.1
"$STINT" runs | grep -q sleep
'
# Loadable parts: found, and those whose libraries are not here say so in one line.
# shellcheck disable=SC2016 # likewise
parts='

LAMBDA_API_KEY=none STINT_URL_LAMBDA=https://127.0.0.1:1 "$STINT" price fetch lambda --tries 1 2>/tmp/said && exit 1
grep -q "no connection" /tmp/said || { cat /tmp/said; exit 1; }
"$STINT" costs --ledger postgresql://127.0.0.1:1/x 2>/tmp/said && exit 1
grep -q "needs libpq.so.5, which is not installed" /tmp/said || { cat /tmp/said; exit 1; }
grep -q "hint: install the package libpq5" /tmp/said
timeout 3 "$STINT" serve --listen 127.0.0.1:0 >/tmp/said 2>&1 || :
if ls /usr/lib/*/libgnutls.so.30 /lib/*/libgnutls.so.30 >/dev/null 2>&1; then
    grep -q "sign in once" /tmp/said || { cat /tmp/said; exit 1; }
else
    grep -q "needs libgnutls.so.30, which is not installed" /tmp/said || { cat /tmp/said; exit 1; }
fi
'
python_first='
import stint
plan = stint.plan("llama-2-7b", method="lora", tokens="25M", budget="100usd")
print(stint.library_version(), plan.plans[0].offer)
import sqlite3
maps = {line.split()[-1] for line in open("/proc/self/maps") if "libsqlite3" in line}
assert len(maps) == 1, maps
'

check_wheel() {
    wheel=$(find "$dist" -name "stint-$version-py3-none-manylinux_*_$cpu.whl" | head -1)
    [ -n "$wheel" ] || refuse "there is no wheel for $cpu: ./dev package wheel"
    for release in $releases; do
        python_root "$release"
        root=$roots/$release
        rm -rf "$root/tmp/"* && mkdir "$root/tmp/home"
        cp "$wheel" "$root/tmp/"
        enter "$root" "
            if command -v cc gcc; then exit 1; fi
            python3 -m venv /tmp/venv
            /tmp/venv/bin/pip install --no-index --quiet --disable-pip-version-check /tmp/${wheel##*/}
            STINT=/tmp/venv/bin/stint
            $first_minutes
            $parts
            ln -s /tmp/venv/bin/stint /tmp/home/linked
            STINT=/tmp/home/linked
            $parts
            /tmp/venv/bin/python3 -c '$python_first'
            /tmp/venv/bin/pip check
            test -f /tmp/venv/share/man/man1/stint.1
            /tmp/venv/bin/pip install --no-index --quiet --disable-pip-version-check --target /tmp/target /tmp/${wheel##*/}
            STINT=/tmp/target/bin/stint
            $parts
            /tmp/venv/bin/pip uninstall --quiet --yes stint
            if find /tmp/venv -name '*stint*' | grep .; then exit 1; fi"
        say "ok: ${wheel##*/} in Debian $release"
    done
    other=$dist/stint-$version-py3-none-manylinux_${wheel##*manylinux_}
    other=${other%"$cpu.whl"}$other_cpu.whl
    [ ! -f "$other" ] || {
        rm -rf "$roots/other" && mkdir -p "$roots/other/bin"
        python3 -m zipfile -e "$other" "$roots/other"
        mv "$roots/other"/*.data/scripts/stint "$roots/other/bin/stint"
        try_emulated "$roots/other/bin/stint"
        say "ok: ${other##*/} in an emulator"
    }
}

# try_emulated PROGRAM: a program of the other architecture, with the C library that it was linked with.
try_emulated() {
    emulate=build-package/$other_cpu/emulate
    home=$roots/other/home
    chmod +x "$1"
    mkdir -p "$home"
    env -i PATH="$PATH" HOME="$home" "$emulate" "$1" plan llama-2-7b --method lora --tokens 25M --budget 100usd 2>/dev/null |
        grep -q 'best  '
    if env -i PATH="$PATH" HOME="$home" LAMBDA_API_KEY=none STINT_URL_LAMBDA=https://127.0.0.1:1 "$emulate" "$1" \
        price fetch lambda --tries 1 2>"$home/said"; then exit 1; fi
    grep -q 'no connection' "$home/said" || refuse "$(cat "$home/said")"
    serve_emulated "$1"
}

# serve_emulated PROGRAM: its server starts, answers and ends.
serve_emulated() {
    emulated_root
    env -i PATH="$PATH" HOME="$home" "qemu-$other_cpu-static" -L "$roots/$other_cpu" "$1" serve --listen 127.0.0.1:0 2>"$home/said" &
    server=$!
    for _ in $(seq 60); do
        address=$(sed -n 's/.* listening at //p' "$home/said")
        if [ -n "$address" ] || ! kill -0 "$server" 2>/dev/null; then break; fi
        sleep 1
    done
    [ -n "$address" ] || {
        kill "$server" 2>/dev/null || :
        refuse "the emulated server does not start: $(cat "$home/said")"
    }
    answer=$(python3 -c 'import sys, urllib.request
print(urllib.request.urlopen(sys.argv[1] + "/healthz", timeout=60).read().decode())' "$address") || :
    kill "$server" || :
    wait "$server" || refuse "the emulated server ended with status $?: $(cat "$home/said")"
    [ "$answer" = ok ] || refuse "the emulated server answered '$answer': $(cat "$home/said")"
}

# try_tarball ROOT: unpacked, moved, through a link, on a file system that cannot be written.
try_tarball() {
    name=${tarball##*/}
    name=${name%.tar.gz}
    mkdir -p "$1/tmp" "$1/proc"
    rm -rf "$1/tmp/"* && mkdir "$1/tmp/home"
    cp "$tarball" "$1/tmp/"
    enter "$1" "
        cd /tmp
        gzip -dc $name.tar.gz | tar xf -
        (cd $name && sha256sum -c SHA256SUMS >/dev/null)
        mv $name '/tmp/another folder'
        ln -s '/tmp/another folder/bin/stint' /tmp/home/stint
        cd /
        STINT=/tmp/home/stint
        $first_minutes
        $parts
        mount --bind '/tmp/another folder' '/tmp/another folder'
        mount -o remount,ro,bind '/tmp/another folder'
        if touch '/tmp/another folder/x' 2>/dev/null; then exit 1; fi
        $first_minutes
        $parts"
}

check_tarball() {
    tarball=$dist/stint-$version-linux-$cpu.tar.gz
    [ -f "$tarball" ] || refuse "there is no tarball for $cpu: ./dev package tarball"
    bare_root
    try_tarball "$roots/libc"
    say "ok: ${tarball##*/} in a root with the C library of Debian $old_release and nothing else"
    if [ -n "${STINT_CHECK_ROOT:-}" ]; then
        try_tarball "$STINT_CHECK_ROOT"
        say "ok: ${tarball##*/} in $STINT_CHECK_ROOT"
    fi
    other=$dist/stint-$version-linux-$other_cpu.tar.gz
    [ ! -f "$other" ] || {
        rm -rf "$roots/other" && mkdir "$roots/other"
        tar xzf "$other" -C "$roots/other"
        try_emulated "$roots/other"/*/bin/stint
        say "ok: ${other##*/} in an emulator"
    }
}

[ "$(id -u)" = 0 ] || refuse 'only root can make and enter roots: sudo ./dev package --check'
mkdir -p "$roots"
"check_$1"
