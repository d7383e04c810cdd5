#!/bin/sh
# A sync beside `rsync -a`: data_sync.sh BUILD_FOLDER SCRATCH SET. First all of it, then after 10 % of the files have changed, between
# two folders and over ssh with an sshd on loopback. What a sync does besides moving is in its time: manifests, checksums, the ledger.
# Bytes are those that go through the connection, both ways, as a proxy counts them in runs that are not timed.
# shellcheck disable=SC2154 # NAME_wall and the like are set by turn
set -eu
build=$(cd "$1" && pwd)
scratch=$2/sync
failed=0
. bench/bar.sh
. bench/cost.sh
echo '# syncs'
! missing rsync python3 || exit 0
mkdir "$scratch"
cp -a "$3" "$scratch/set"
set=$scratch/set
export STINT_PARTS="$build/parts" XDG_CACHE_HOME="$scratch/cache" XDG_DATA_HOME="$scratch/data"
pids=
# shellcheck disable=SC2086 # several
trap '[ -z "$pids" ] || kill $pids' EXIT
trap 'exit 1' INT TERM
cat "$set"/*/* "$set"/*/*/* >/dev/null 2>&1 || : # all of it is in memory

# change ROUND: a tenth of the files, drawn by lot, get other content of the same size.
change() {
    python3 - "$set" "$1" <<'END'
import os, random, sys
draw = random.Random(int(sys.argv[2]))
paths = sorted(os.path.join(place, name) for place, _, names in os.walk(sys.argv[1]) if ".stint-sync" not in place for name in names)
for path in draw.sample(paths, len(paths) // 10):
    with open(path, "rb+") as file:
        file.write(draw.randbytes(os.path.getsize(path)))
END
}

# The manifest that a sync keeps in the folder is none of the peer's.
peer="rsync -a --exclude=.stint-sync"

# measure NAME PEER_DST OUR_DST: the first sync, then three after a change, in turns.
measure() {
    turn "peer_first_$1" "$peer '$set/' '$2/'"
    turn "ours_first_$1" "'$build/stint' data sync '$set' '$3'"
    for round in 1 2 3 4; do
        change "$round"
        sleep 3 # what was written less than two seconds before is read again
        if [ $((round % 2)) = 1 ]; then turn "peer_$1" "$peer '$set/' '$2/'"; fi
        turn "ours_$1" "'$build/stint' data sync '$set' '$3'"
        if [ $((round % 2)) = 0 ]; then turn "peer_$1" "$peer '$set/' '$2/'"; fi
    done
    turn "peer_none_$1" "$peer '$set/' '$2/'"
    turn "ours_none_$1" "'$build/stint' data sync '$set' '$3'"
    tell "rsync -a, $1, all of it" "peer_first_$1"
    tell "stint data sync, $1, all of it" "ours_first_$1"
    tell "rsync -a, $1, 10 % changed" "peer_$1"
    tell "stint data sync, $1, 10 % changed" "ours_$1"
    tell "rsync -a, $1, unchanged" "peer_none_$1"
    tell "stint data sync, $1, unchanged" "ours_none_$1"
    eval "bar \"sync after 10 % changed, $1, ms\" \"\$ours_${1}_wall\" '<=' \"\$(awk \"BEGIN { printf \\\"%.0f\\\", 1.15 * \$peer_${1}_wall + 300 }\")\""
    eval "printf 'times of rsync: %s, of its CPU %s\n' \"\$(ratio \"\$ours_${1}_wall\" \"\$peer_${1}_wall\")\" \"\$(ratio \"\$ours_${1}_cpu\" \"\$peer_${1}_cpu\")\""
}

mkdir "$scratch/peer"
measure local "$scratch/peer" "$scratch/ours"
if diff -r --exclude=.stint-sync "$set" "$scratch/ours" >/dev/null; then equal=1; else equal=0; fi
bar 'sync, local, equal afterwards' "$equal" '==' 1
rm -rf "$scratch/peer" "$scratch/ours"

PATH=$PATH:/usr/sbin
! missing ssh sshd ssh-keygen || exit $failed
port() {
    python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}
listening=$(port)
counted=$(port)
ssh-keygen -q -t ed25519 -N '' -f "$scratch/host_key"
ssh-keygen -q -t ed25519 -N '' -f "$scratch/key"
cat >"$scratch/sshd_config" <<END
Port $listening
ListenAddress 127.0.0.1
HostKey $scratch/host_key
AuthorizedKeysFile $scratch/key.pub
StrictModes no
UsePAM no
PasswordAuthentication no
PidFile none
END
for name in there counted; do
    cat <<END
Host $name
    HostName 127.0.0.1
    Port $(if [ $name = there ]; then echo "$listening"; else echo "$counted"; fi)
    IdentityFile $scratch/key
    IdentitiesOnly yes
    StrictHostKeyChecking no
    UserKnownHostsFile $scratch/known
    LogLevel ERROR
END
done >"$scratch/ssh_config"
[ "$(id -u)" != 0 ] || mkdir -p /run/sshd
"$(command -v sshd)" -D -e -f "$scratch/sshd_config" 2>"$scratch/sshd.log" &
pids="$pids $!"
python3 - "$counted" "$listening" "$scratch/bytes" <<'END' &
import socket, sys, threading
total, lock = 0, threading.Lock()
def pump(source, target):
    global total
    while data := source.recv(1 << 16):
        target.sendall(data)
        with lock:
            total += len(data)
            with open(sys.argv[3], "w") as file:
                print(total, file=file)
    target.shutdown(socket.SHUT_WR)
server = socket.create_server(("127.0.0.1", int(sys.argv[1])))
while True:
    client, _ = server.accept()
    there = socket.create_connection(("127.0.0.1", int(sys.argv[2])))
    for ends in ((client, there), (there, client)):
        threading.Thread(target=pump, args=ends, daemon=True).start()
END
pids="$pids $!"
export RSYNC_RSH="ssh -F $scratch/ssh_config"
tries=0
until ssh -F "$scratch/ssh_config" there true 2>"$scratch/ssh.log"; do
    tries=$((tries + 1))
    [ $tries -lt 50 ] || {
        echo "# SKIPPED: sshd did not start: $(tail -n 1 "$scratch/sshd.log")"
        exit $failed
    }
    sleep 0.1
done
mkdir "$scratch/peer"
measure ssh "there:$scratch/peer" "there:$scratch/ours"

# carried COMMAND: bytes through the proxy
carried() {
    before=$(cat "$scratch/bytes" 2>/dev/null || echo 0)
    sh -c "$1" >/dev/null 2>&1
    sleep 0.5
    echo $(($(cat "$scratch/bytes") - before))
}
# its state is that of another place: once, so that it is known there
"$build/stint" data sync "$set" "counted:$scratch/ours" >/dev/null 2>&1
change 5
theirs=$(carried "$peer '$set/' 'counted:$scratch/peer/'")
ours=$(carried "'$build/stint' data sync '$set' 'counted:$scratch/ours'")
printf 'bytes of both ways: rsync %s, stint %s\n' "$theirs" "$ours"
bar 'sync after 10 % changed, ssh, bytes, those of rsync are 1' "$(ratio "$ours" "$theirs")" '<=' 1.02
if diff -r --exclude=.stint-sync "$set" "$scratch/ours" >/dev/null; then equal=1; else equal=0; fi
bar 'sync, ssh, equal afterwards' "$equal" '==' 1
exit $failed
