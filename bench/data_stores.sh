#!/bin/sh
# 1,700 small files to S3 beside `rclone copy`: data_stores.sh BUILD_FOLDER SCRATCH. The store is s3rver of npm on loopback; both have
# the same number of transfers at a time.
# shellcheck disable=SC2154 # NAME_wall and the like are set by turn
set -eu
build=$(cd "$1" && pwd)
scratch=$2/stores
files=1700
failed=0
. bench/bar.sh
. bench/cost.sh
echo "# $files small files to S3"
s3rver=$PWD/tests/stores/node_modules/.bin/s3rver
! missing rclone python3 node "$s3rver" || exit 0
mkdir "$scratch"
unset AWS_CA_BUNDLE # rclone 1.60 fails with it
export STINT_PARTS="$build/parts" XDG_CACHE_HOME="$scratch/cache" XDG_DATA_HOME="$scratch/data" XDG_CONFIG_HOME="$scratch/config"
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
mkdir "$scratch/root"
"$s3rver" -d "$scratch/root" -a 127.0.0.1 -p "$port" --silent --configure-bucket data >"$scratch/s3.log" 2>&1 &
pid=$!
trap 'kill $pid' EXIT
trap 'exit 1' INT TERM
export AWS_ACCESS_KEY_ID=S3RVER AWS_SECRET_ACCESS_KEY=S3RVER AWS_REGION=us-east-1 AWS_ENDPOINT_URL="http://127.0.0.1:$port"
export RCLONE_CONFIG_PEER_TYPE=s3 RCLONE_CONFIG_PEER_PROVIDER=Other RCLONE_CONFIG_PEER_ENV_AUTH=true RCLONE_CONFIG_PEER_ENDPOINT="$AWS_ENDPOINT_URL"
export RCLONE_CONFIG_PEER_REGION=us-east-1
python3 - "$scratch/set" "$files" <<'END'
import os, random, sys
draw = random.Random(40)
for i in range(int(sys.argv[2])):
    path = os.path.join(sys.argv[1], f"{i % 17:02}", f"{i:04}.txt")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(draw.randbytes(draw.randint(100, 8000)))
END
tries=0
until python3 -c "import socket; socket.create_connection(('127.0.0.1', $port), 1)" 2>/dev/null; do
    tries=$((tries + 1))
    [ $tries -lt 100 ] || {
        echo "# SKIPPED: s3rver did not start: $(tail -n 1 "$scratch/s3.log")"
        exit 0
    }
    sleep 0.1
done
copy="rclone copy --transfers=16 --no-check-dest --exclude=/.stint-sync/**"
for round in 1 2 3; do
    turn peer "$copy '$scratch/set' peer:data/peer$round"
    turn ours "'$build/stint' data sync '$scratch/set' s3://data/ours$round"
done
find "$scratch/set" -name '*7.txt' -exec sh -c 'for file; do echo changed >>"$file"; done' sh {} +
turn peer_again "rclone copy --transfers=16 --exclude='/.stint-sync/**' '$scratch/set' peer:data/peer3"
turn again "'$build/stint' data sync '$scratch/set' s3://data/ours3"
tell 'rclone copy' peer
tell 'stint data sync' ours
tell 'rclone copy, 10 % changed' peer_again
tell 'stint data sync, 10 % changed' again
bar "$files small files to S3, time, rclone copy takes 1" "$(ratio "$ours_wall" "$peer_wall")" '<=' 1.1
mkdir "$scratch/got"
rclone copy --exclude='/.stint-sync/**' peer:data/ours3 "$scratch/got"
if diff -r --exclude=.stint-sync "$scratch/set" "$scratch/got" >/dev/null; then equal=1; else equal=0; fi
bar 'S3, equal afterwards' "$equal" '==' 1
exit $failed
