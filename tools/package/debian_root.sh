#!/bin/sh
# debian_root.sh: read by other scripts, after archives.sh. A small Debian in a folder, to try things where nothing else is.

# debian_root RELEASE FOLDER [PACKAGE,...]: made once, from this machine's archive and for its architecture.
debian_root() {
    [ ! -d "$2" ] || return 0
    rm -rf --one-file-system "$2.part"
    [ -n "$(main_archive)" ] || apt-get update -qq
    debootstrap --variant=minbase ${3:+--include="$3"} "$1" "$2.part" "$(main_archive)" >"$2.log" 2>&1 || {
        tail -n 5 "$2.log" >&2
        echo "cannot make a root with Debian $1" >&2
        return 1
    }
    mv "$2.part" "$2"
}
