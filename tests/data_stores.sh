#!/bin/sh
# stint data sync with stores, on loopback: a remote of rclone, WebDAV, and S3 where there is a server.
# data_stores.sh STINT [S3RVER]: the program `s3rver` of npm, which `./dev test` installs in tests/stores where there is npm.
# shellcheck disable=SC2317 # functions are called by ok and trap
set -u

skip() {
    echo "1..0 # SKIP $1"
    exit 0
}

stint=$(realpath "$1")
s3rver=${2:-}
for program in rclone python3; do
    command -v $program >/dev/null || skip "there is no $program here"
done
scratch=$(mktemp -d)
pids=
clean() {
    # shellcheck disable=SC2086 # several
    [ -z "$pids" ] || kill $pids
    rm -rf "$scratch"
}
trap clean EXIT
trap 'exit 1' INT TERM
cd "$scratch" || exit 1
export XDG_DATA_HOME="$scratch/data" XDG_CACHE_HOME="$scratch/cache" XDG_CONFIG_HOME="$scratch/config"
unset AWS_CA_BUNDLE
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

port() {
    python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

answers() { # answers PORT
    tries=0
    until python3 -c "import socket; socket.create_connection(('127.0.0.1', $1), 1)" 2>/dev/null; do
        tries=$((tries + 1))
        [ $tries -lt 100 ] || return 1
        sleep 0.1
    done
}

same() { # same FOLDER STORE: a copy of the store has the same files
    rm -rf got
    "$stint" data sync "$2" got >/dev/null 2>errors || {
        cat errors
        return 1
    }
    diff -r --exclude=.stint-sync "$1" got
}

try_store() { # try_store NAME PLACE
    store=$1
    place=$2
    rm -rf a data cache
    mkdir -p a/sub
    printf one >a/one
    printf two >'a/sub/a b'
    printf 3 >a/größe
    ok "$store: a dry run moves nothing" does 'upload 3' a "$place" --dry-run
    ok "$store: a first sync" does 'upload 3' a "$place"
    ok "$store: a second one" does 'unchanged 3' a "$place"
    ok "$store: what arrived" same a "$place"
    printf ONE >a/one
    printf 4 >a/four
    ok "$store: a change" does 'upload 2, unchanged 2' a "$place"
    rm a/four
    ok "$store: deletions are asked for" does 'kept 1, unchanged 3' a "$place"
    ok "$store: deletions" does 'delete remote 1, unchanged 3' a "$place" --delete
    ok "$store: verified" does 'unchanged 3' a "$place" --verify
    # another machine changes it: the manifest is another one
    mkdir b
    printf own >b/own
    printf uno >b/one
    XDG_DATA_HOME="$scratch/data2" XDG_CACHE_HOME="$scratch/cache2" "$stint" data sync "$place" b >/dev/null 2>&1
    printf dos >b/one
    ok "$store: another machine" env XDG_DATA_HOME="$scratch/data2" "$stint" data sync b "$place" --both --newer
    ok "$store: what it changed comes" does 'download 2, unchanged 2' a "$place" --both
    ok "$store: both are equal" same a "$place"
    printf x >a/one
    printf y >b/one
    XDG_DATA_HOME="$scratch/data2" "$stint" data sync b "$place" >/dev/null 2>&1
    ok "$store: a conflict" does 'conflict 1, unchanged 3' a "$place" --both
    rm -rf b data2
    # killed, then again
    head -c 30000000 /dev/urandom >a/big
    "$stint" data sync a "$place" --newer >/dev/null 2>&1 &
    one=$!
    sleep 0.4
    kill -9 $one 2>/dev/null
    wait $one 2>/dev/null
    "$stint" data sync a "$place" --newer >again.log 2>&1
    rm -f a/one
    ok "$store: killed, and again" sh -c "'$stint' data sync '$place' got2 >/dev/null 2>&1; cmp a/big got2/big; rm -rf got2"
}

mkdir local
try_store local ":local:$scratch/local/x"
dav=$(port)
mkdir davroot
rclone serve webdav --addr "127.0.0.1:$dav" davroot >dav.log 2>&1 &
pids="$pids $!"
if answers "$dav"; then
    export RCLONE_CONFIG_NAS_TYPE=webdav RCLONE_CONFIG_NAS_URL="http://127.0.0.1:$dav" RCLONE_CONFIG_NAS_VENDOR=other
    try_store webdav nas:x
fi
if [ -x "$s3rver" ]; then
    s3=$(port)
    mkdir s3root
    "$s3rver" -d s3root -a 127.0.0.1 -p "$s3" --configure-bucket data >s3.log 2>&1 &
    pids="$pids $!"
    export AWS_ACCESS_KEY_ID=S3RVER AWS_SECRET_ACCESS_KEY=S3RVER AWS_REGION=us-east-1
    export AWS_ENDPOINT_URL="http://127.0.0.1:$s3" AWS_CA_BUNDLE=/etc/ssl/certs/ca-certificates.crt
    if answers "$s3"; then
        try_store s3 s3://data/set
        # an object that another program replaces has another ETag and time, which show when the store is listed
        set=s3://data/other
        own="env -u AWS_CA_BUNDLE rclone -q"
        object=":s3,env_auth,provider=Other,endpoint='$AWS_ENDPOINT_URL',region=us-east-1:data/other/sub/two"
        mkdir -p c/sub
        printf one >c/one
        printf two >c/sub/two
        ok 's3: a first sync of another folder' does 'upload 2' c $set
        sleep 2
        printf TWO | $own rcat "$object"
        ok 's3: as long as its manifest is the same, it is not listed' does 'unchanged 2' c $set
        ok 's3: what another program changed shows in a listing' does 'kept 1, unchanged 1' c $set --delete
        ok 's3: it comes' does 'download 1, unchanged 1' c $set --both --delete
        ok 's3: it is that' test TWO = "$(cat c/sub/two)"
        $own deletefile "$object"
        ok 's3: a deletion there is seen with --delete' does 'delete local 1, unchanged 1' c $set --both --delete
        ok 's3: and done here' test ! -e c/sub/two
        ok 's3: no secret is kept' sh -c "! grep -r S3RVER data/stint/sync cache 2>/dev/null"
    fi
else
    echo '# SKIP there is no s3rver here (npm ci in tests/stores): S3 was not tried'
fi
echo "1..$count"
exit $failed
