#!/bin/sh
# stint data sync over ssh, with a real sshd on loopback. data_ssh.sh STINT
# shellcheck disable=SC2317 # functions are called by ok and trap
set -u

skip() {
    echo "1..0 # SKIP $1"
    exit 0
}

stint=$(realpath "$1")
for program in ssh sshd ssh-keygen rsync; do
    PATH=$PATH:/usr/sbin command -v "$program" >/dev/null || skip "there is no $program here"
done
sshd=$(PATH=$PATH:/usr/sbin command -v sshd)
scratch=$(mktemp -d)
pid=
clean() {
    [ -z "$pid" ] || kill "$pid"
    rm -rf "$scratch"
}
trap clean EXIT
trap 'exit 1' INT TERM

# A server for this user, with a key of its own, on a port that nobody has.
cd "$scratch" || exit 1
ssh-keygen -q -t ed25519 -N '' -f host_key
ssh-keygen -q -t ed25519 -N '' -f key
cp key.pub authorized
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
cat >sshd_config <<END
Port $port
ListenAddress 127.0.0.1
HostKey $scratch/host_key
AuthorizedKeysFile $scratch/authorized
StrictModes no
UsePAM no
PasswordAuthentication no
PidFile none
END
[ "$(id -u)" != 0 ] || mkdir -p /run/sshd
"$sshd" -D -e -f "$scratch/sshd_config" 2>sshd.log &
pid=$!
cat >ssh_config <<END
Host there
    HostName 127.0.0.1
    Port $port
    IdentityFile $scratch/key
    IdentitiesOnly yes
    StrictHostKeyChecking no
    UserKnownHostsFile $scratch/known
    LogLevel ERROR
END
export RSYNC_RSH="ssh -F $scratch/ssh_config"
tries=0
until ssh -F ssh_config there true 2>ssh.log; do
    tries=$((tries + 1))
    [ $tries -lt 50 ] || skip "sshd did not start: $(tail -n 1 sshd.log) $(tail -n 1 ssh.log)"
    sleep 0.1
done

export XDG_DATA_HOME="$scratch/data" XDG_CACHE_HOME="$scratch/cache" XDG_CONFIG_HOME="$scratch/config"
count=0
failed=0
ok() { # ok NAME COMMAND...
    name=$1
    shift
    count=$((count + 1))
    if "$@" >result 2>&1; then
        echo "ok $count - $name"
    else
        echo "not ok $count - $name"
        sed 's/^/# /' result
        failed=1
    fi
}

steps() { # what a sync does: "upload 2, kept 1"
    "$stint" data sync "$@" --json 2>errors | python3 -c '
import json, sys
print(", ".join("%s %d" % (s["step"], s["paths"]) for s in json.load(sys.stdin)["steps"] if s["paths"]))'
}

does() { # does EXPECTED SRC DST [option...]
    expected=$1
    shift
    got=$(steps "$@")
    [ "$got" = "$expected" ] && return
    echo "did '$got' instead of '$expected'"
    cat errors
    return 1
}

equal() { # by a mover that reads everything, both ways
    [ -z "$(rsync -nrlc --delete --out-format='%i %n' --exclude=.stint-sync "$1/" "$2/" | grep -v '^\.d' | tee differ)" ] || {
        cat differ
        return 1
    }
}

there="there:$scratch/far away/b"
mkdir -p a/sub a/empty
printf one >a/one
printf two >a/sub/two
printf 3 >"$(printf 'a/new\nline')"
printf 4 >"$(printf 'a/\351 \\#012')"
ln -s 'x -> y' 'a/a -> link'
head -c 3000000 /dev/urandom >a/big

ok 'a dry run moves nothing' does 'upload 7' a "$there" --dry-run
ok 'nothing was made' test ! -e 'far away'
ok 'a first sync moves everything' does 'upload 7' a "$there"
ok 'both are equal' equal a 'far away/b'
ok 'a second sync moves nothing' does 'unchanged 7' a "$there"
printf 2 >a/one
printf TWO >'far away/b/sub/two'
printf own >'far away/b/own'
ok 'what only DST has changed stays' does 'upload 1, kept 2, unchanged 5' a "$there"
ok 'both ways' does 'download 2, unchanged 6' a "$there" --both
ok 'both are equal after both ways' equal a 'far away/b'
rm a/own a/sub/two
ok 'deletions are asked for' does 'delete remote 2, unchanged 7' a "$there" --delete
ok 'both are equal after deletions' equal a 'far away/b'
ok 'an emptied folder is gone, as here' test ! -e 'far away/b/sub' -o -e a/sub
printf x >a/one
sleep 0.1 # a size and a time that are equal to the nanosecond are taken for the same content
printf y >'far away/b/one'
ok 'a conflict is listed' does 'conflict 1, unchanged 6' a "$there"
touch -d '1 hour' 'far away/b/one'
ok 'the newer is taken' does 'download 1, unchanged 6' a "$there" --both --newer
ok 'down into a new folder' does 'download 7' "$there" c
ok 'it is equal' equal c 'far away/b'
ok 'verified' does 'unchanged 7' "$there" c --verify
ok 'without the state of the last sync, content decides' sh -c 'rm -r data/stint/sync; touch a/big'
ok 'nothing moves then' does 'unchanged 7' a "$there"
# Killed at any moment, the next sync goes on.
round=0
while [ $round -lt 6 ]; do
    head -c 2000000 /dev/urandom >a/big
    head -c 100000 /dev/urandom >a/new$round
    "$stint" data sync a "$there" --both >killed.log 2>&1 &
    one=$!
    sleep "0.$((round + 1))"
    kill -9 $one 2>/dev/null
    wait $one 2>/dev/null
    sleep 0.3
    "$stint" data sync a "$there" --both >again.log 2>&1 || cat again.log
    ok "killed after 0.$((round + 1)) s: equal after the next" equal a 'far away/b'
    round=$((round + 1))
done
ok 'the ledger has the transfers' sh -c "\"$stint\" runs --json | grep -q '\"name\":\"data sync\"'"
ok 'a host that is not there is one line' sh -c "\"$stint\" data sync a nowhere.invalid:x 2>&1 | grep -q '^stint: ssh: '"
nowhere() { # its line and its hint
    RSYNC_RSH="ssh -F $scratch/ssh_config -o Port=1" "$stint" data sync a there:nowhere >out 2>errors
    [ $? = 1 ] && grep -q 'Connection refused$' errors && grep -q 'hint: try the connection: ssh there true$' errors && return
    cat errors
    return 1
}
ok 'a host that cannot be reached' nowhere

echo "1..$count"
exit $failed
