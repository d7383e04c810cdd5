#!/bin/sh
# postgres.sh start DIR [PID]: a separate PostgreSQL server in DIR (created when it is not there), reached only through a
# socket in it; prints the address of its database, for --ledger. It is stopped when process PID is gone, so that a test
# that is killed leaves nothing behind. postgres.sh stop DIR: end it, and remove DIR.
# postgres.sh halt DIR, postgres.sh again DIR: stop it and start it again with its data.
# postgres.sh crash DIR: stop it as a power cut would; `again` starts it.
# Exits with 77, with the reason, where PostgreSQL is not installed.
set -eu

usage() {
    echo "usage: postgres.sh start DIR [PID] | stop|halt|crash|again DIR" >&2
    exit 2
}

[ $# = 2 ] || [ $# = 3 ] || usage
dir=$2

# Of several versions the newest.
bin=
for folder in /usr/lib/postgresql/*/bin /usr/local/pgsql/bin; do
    [ -x "$folder/initdb" ] && bin=$folder
done
if [ -z "$bin" ] && command -v initdb >/dev/null; then
    bin=$(dirname "$(command -v initdb)")
fi
if [ -z "$bin" ]; then
    echo "SKIPPED: PostgreSQL is not installed (apt-get install postgresql)" >&2
    exit 77
fi

# The server refuses to run as root.
as_owner() {
    if [ "$(id -u)" = 0 ]; then
        (cd / && runuser -u postgres -- "$@")
    else
        (cd / && "$@")
    fi
}

start_server() {
    # Nothing of it has to outlive the machine; and tests want many connections at once.
    as_owner "$bin/pg_ctl" -D "$dir/db" -w -t 60 -l "$dir/log" -o "-k '$dir' -c listen_addresses='' \
        -c fsync=off -c max_connections=120 -c shared_buffers=16MB" start >/dev/null || {
        cat "$dir/log" >&2
        exit 1
    }
}

stop_server() {
    [ ! -f "$dir/db/postmaster.pid" ] ||
        as_owner "$bin/pg_ctl" -D "$dir/db" -m "$1" -w -t 60 stop >/dev/null 2>&1 || :
}

case $1 in
start)
    if [ "$(id -u)" = 0 ] && ! id postgres >/dev/null 2>&1; then
        echo "SKIPPED: there is no user 'postgres' to run the server as" >&2
        exit 77
    fi
    mkdir -p "$dir"
    dir=$(cd "$dir" && pwd)
    [ "$(id -u)" != 0 ] || chown postgres "$dir"
    chmod 755 "$dir"
    as_owner "$bin/initdb" -D "$dir/db" --no-sync -A trust -U test -E UTF8 --locale=C.UTF-8 >"$dir/initdb.log" 2>&1 || {
        cat "$dir/initdb.log" >&2
        exit 1
    }
    start_server
    if [ $# = 3 ]; then
        here=$(cd "$(dirname "$0")" && pwd)
        (
            cd /
            while kill -0 "$3" 2>/dev/null && [ -d "$dir" ]; do sleep 1; done
            sh "$here/postgres.sh" stop "$dir"
        ) </dev/null >/dev/null 2>&1 &
    fi
    # A percent-encoded path takes the place of the host.
    printf 'postgres://test@%s/postgres\n' "$(printf %s "$dir" | sed 's|/|%2F|g')"
    ;;
stop)
    [ -d "$dir" ] || exit 0
    dir=$(cd "$dir" && pwd)
    stop_server immediate
    rm -rf "$dir"
    ;;
halt)
    dir=$(cd "$dir" && pwd)
    stop_server fast
    ;;
crash)
    dir=$(cd "$dir" && pwd)
    stop_server immediate
    ;;
again)
    dir=$(cd "$dir" && pwd)
    start_server
    ;;
*) usage ;;
esac
