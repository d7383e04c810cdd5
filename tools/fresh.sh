#!/bin/sh
# fresh.sh: the two commands of the README on a machine that has nothing: in a minimal Debian 12, from a clean clone of HEAD.
#
# As root: all of `./dev run` and `./dev test`. As a user with sudo, in another new root: all that these install, `./dev run`, and of
# the tests those that depend on who runs them. What root compiled is moved there, since it does not depend on that: compiling it and
# running every test again would take as long as the first time.
#
# The bare root and the packages that were downloaded stay in build-fresh (./dev clean removes them). Everything that is mounted is in
# a mount namespace of its own, and everything that runs in a process namespace: both end with this script, however it ends.
set -eu
. tools/package/archives.sh
. tools/package/debian_root.sh
folder=$PWD/build-fresh
where=/srv/stint # the clone, in each root: builds know their path

say() {
    printf '# %s\n' "$*"
}

[ "$(id -u)" = 0 ] || {
    echo 'fresh: only root can make and enter roots: sudo ./dev fresh' >&2
    exit 1
}
running=
# unshare blocks other signals; with it everything inside ends.
# shellcheck disable=SC2317 # called at the end
leave() {
    if [ -n "$running" ]; then
        kill -9 "$running" 2>/dev/null || :
        wait "$running" 2>/dev/null || :
    fi
    rm -rf --one-file-system "$folder/as-root" "$folder/as-user" || rm -rf --one-file-system "$folder/as-root" "$folder/as-user"
}
trap leave EXIT
trap 'exit 130' INT
trap 'exit 143' HUP TERM

# How this machine reaches its archives, and their packages, as far as it has kept them.
copy_apt_settings() {
    rm -rf "$1/etc/apt/sources.list" "$1/etc/apt/sources.list.d"
    for path in sources.list sources.list.d trusted.gpg.d keyrings auth.conf auth.conf.d; do
        [ ! -e "/etc/apt/$path" ] || cp -rT "/etc/apt/$path" "$1/etc/apt/$path"
    done
    apt-config dump | grep -E '^Acquire::(https?|Check-Valid-Until|Retries)' >"$1/etc/apt/apt.conf.d/90host" || :
    cp -L /etc/resolv.conf /etc/hosts "$1/etc/"
    mkdir -p "$folder/archives/partial"
    cp -lnt "$folder/archives" /var/cache/apt/archives/*.deb 2>/dev/null || :
}

# new_root NAME: a copy of the bare one.
new_root() {
    rm -rf --one-file-system "${folder:?}/$1"
    cp -a "$folder/bare" "$folder/$1"
    copy_apt_settings "$folder/$1"
    mkdir -p "$folder/$1/test-data"
    echo force-unsafe-io >"$folder/$1/etc/dpkg/dpkg.cfg.d/no-sync" # the root is thrown away
}

# enter NAME USER LOG COMMAND: run it in that root, as that user, without a terminal. What it prints goes to the log, too.
enter() {
    root=$folder/$1
    data=
    [ -z "${STINT_TEST_DATA:-}" ] || data=/test-data
    # shellcheck disable=SC2016 # for the shells inside
    unshare --mount --pid --ipc --uts --fork --kill-child sh -euc '
        root=$1 archives=$2 data=$3
        mount -t proc proc "$root/proc"
        mount --rbind /sys "$root/sys"
        mount -t devpts -o newinstance,ptmxmode=0666,mode=0620,gid=5 devpts "$root/dev/pts"
        mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
        mount --bind "$archives" "$root/var/cache/apt/archives"
        [ -z "$data" ] || { mount --bind "$data" "$root/test-data" && mount -o remount,bind,ro "$root/test-data"; }
        shift 3
        exec chroot "$root" "$@"' sh \
        "$root" "$folder/archives" "${STINT_TEST_DATA:-}" \
        su -s /bin/sh "$2" -c "cd $where && exec env -i HOME=\"\$HOME\" USER=$2 PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
            ${data:+STINT_TEST_DATA=$data} $4" </dev/null >>"$3" 2>&1 &
    running=$!
    tail -n +1 -f --pid="$running" "$3" &
    status=0
    wait "$running" || status=$?
    running=
    wait # for the rest of the log
    return "$status"
}

# try NAME USER COMMAND: run it, and note what came of it.
try() {
    log=$folder/$1.${3##* }.log
    case $3 in *' test '*) log=$folder/$1.test.log ;; esac
    : >"$log"
    say "as $2: $3"
    began=$(date +%s)
    status=0
    enter "$1" "$2" "$log" "$3" || status=$?
    say "as $2: $3: status $status, $(($(date +%s) - began)) s"
    counts=$(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed\(, \([0-9]*\) skipped\)\{0,1\}$/\1 \2 \4/p' "$log" | tail -n 1)
    # shellcheck disable=SC2086 # numbers
    set -- ${counts:-0 0}
    if [ -z "$counts" ] && [ "$status" = 0 ]; then passed=$((passed + 1)); fi
    if [ "$2" = 0 ] && [ "$status" != 0 ]; then failed=$((failed + 1)); fi
    passed=$((passed + $1)) failed=$((failed + $2)) skipped=$((skipped + ${3:-0}))
}

passed=0 failed=0 skipped=0
mkdir -p "$folder"
say 'a bare Debian 12'
debian_root bookworm "$folder/bare"
git diff --quiet HEAD || say 'changes that are not committed are not in the clone'

new_root as-root
git clone -q --no-hardlinks . "$folder/as-root$where"
try as-root root './dev run'
try as-root root './dev test'

# Its build is that of `./dev run` again, which has no libraries of tests.
: >"$folder/as-root.configure.log"
enter as-root root "$folder/as-root.configure.log" 'meson configure build -Dtests=false' || :
new_root as-user
mv "$folder/as-root$where" "$folder/as-user$where"
# shellcheck disable=SC2016 # for the shell inside
chroot "$folder/as-user" sh -euc 'useradd --create-home somebody
    chown -R somebody "$1"' sh "$where"
: >"$folder/as-user.sudo.log"
enter as-user root "$folder/as-user.sudo.log" 'sh -euc "apt-get update -qq; apt-get install -y -qq --no-install-recommends sudo;
    echo \"somebody ALL=(ALL) NOPASSWD: ALL\" >/etc/sudoers.d/somebody"'
try as-user somebody './dev run'
try as-user somebody "./dev test base market meter run 'run/*' 'serve/*' crash"

printf '%d passed, %d failed' "$passed" "$failed"
[ "$skipped" = 0 ] || printf ', %d skipped' "$skipped"
printf '\n'
[ "$failed" = 0 ]
