#!/bin/sh
# A bundle beside tar and zstd: data_bundle.sh BUILD_FOLDER SCRATCH SET. Hashes are included: the manifest that is kept is removed
# before each run. Both files are on the disk at the end, since a bundle is not under its name before.
set -eu
build=$(cd "$1" && pwd)
scratch=$2
set=$3
failed=0
. bench/bar.sh
export STINT_PARTS="$build/parts" XDG_CACHE_HOME="$scratch/cache"

# cost COMMAND: sets wall (ms) and peak (KB), of the best of three runs.
cost() {
    sync
    # shellcheck disable=SC2046 # three numbers
    set -- $("$build/bench/bench_command" 3 sh -c "$1")
    wall=$2 peak=$3
}

size() {
    wc -c <"$1"
}

ratio() { # ratio A B: A / B
    awk "BEGIN { printf \"%.4f\", $1 / $2 }"
}

echo '# bundles'
cat "$set"/*/* "$set"/*/*/* >/dev/null 2>&1 || : # all of it is in memory
for run in 1 2; do # in turns: the machine's noise changes with time
    cost "rm -f '$scratch/peer.tar.zst'; tar -cf - -C '$scratch' '$(basename "$set")' | zstd -q -T2 -3 -o '$scratch/peer.tar.zst' && sync '$scratch/peer.tar.zst'"
    [ "$run" = 2 ] && awk "BEGIN { exit !($wall > $peer) }" || peer=$wall
    cost "rm -rf '$scratch/cache' '$scratch/x.tar.zst'; '$build/stint' data bundle '$set' -o '$scratch/x.tar.zst'"
    [ "$run" = 2 ] && awk "BEGIN { exit !($wall > $ours) }" || ours=$wall
done
printf 'tar | zstd -T2 -3    %8.0f ms, %s bytes\n' "$peer" "$(size "$scratch/peer.tar.zst")"
printf 'stint data bundle    %8.0f ms, %s bytes, peak %s KB\n' "$ours" "$(size "$scratch/x.tar.zst")" "$peak"
bar 'bundle, time, tar | zstd -T2 -3 takes 1' "$(ratio "$ours" "$peer")" '<=' 1.3
bar 'bundle, size, that of tar | zstd is 1' "$(ratio "$(size "$scratch/x.tar.zst")" "$(size "$scratch/peer.tar.zst")")" '<=' 1
cost "rm -f '$scratch/x.tar.zst'; '$build/stint' data bundle '$set' -o '$scratch/x.tar.zst'"
printf 'the same, unchanged  %8.0f ms: nothing is hashed again\n' "$wall"
cost "rm -rf '$scratch/peer'; mkdir '$scratch/peer'; zstd -qdc '$scratch/peer.tar.zst' | tar -xf - -C '$scratch/peer' && sync -f '$scratch/peer'"
printf 'zstd -d | tar -x     %8.0f ms\n' "$wall"
rm -rf "$scratch/peer"
cost "rm -rf '$scratch/x'; '$build/stint' data unbundle '$scratch/x.tar.zst'"
printf 'stint data unbundle  %8.0f ms, verified, peak %s KB\n' "$wall" "$peak"
if diff -r "$set" "$scratch/x/dataset" >/dev/null; then equal=1; else equal=0; fi
bar 'bundle, equal after unbundle' "$equal" '==' 1
rm -rf "$scratch/x" "$scratch/x.tar.zst" "$scratch/peer.tar.zst"
exit $failed
