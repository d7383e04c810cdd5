#!/bin/sh
# A bundle beside tar and zstd: data_bundle.sh BUILD_FOLDER SCRATCH SET. Hashes are included: the manifest that is kept is removed
# before each run. Both files are on the disk at the end, since a bundle is not under its name before.
# shellcheck disable=SC2154 # NAME_wall and the like are set by turn
set -eu
build=$(cd "$1" && pwd)
scratch=$2
set=$3
failed=0
. bench/bar.sh
. bench/cost.sh
export STINT_PARTS="$build/parts" XDG_CACHE_HOME="$scratch/cache"

echo '# bundles'
cat "$set"/*/* "$set"/*/*/* >/dev/null 2>&1 || : # all of it is in memory
for _ in 1 2 3; do
    turn peer "rm -f '$scratch/peer.tar.zst'; tar -cf - -C '$scratch' '$(basename "$set")' | zstd -q -T2 -3 -o '$scratch/peer.tar.zst' && sync '$scratch/peer.tar.zst'"
    turn ours "rm -rf '$scratch/cache' '$scratch/x.tar.zst'; '$build/stint' data bundle '$set' -o '$scratch/x.tar.zst'"
done
tell 'tar | zstd -T2 -3' peer ", $(size "$scratch/peer.tar.zst") bytes"
tell 'stint data bundle' ours ", $(size "$scratch/x.tar.zst") bytes"
bar 'bundle, time, tar | zstd -T2 -3 takes 1' "$(ratio "$ours_wall" "$peer_wall")" '<=' 1.3
bar 'bundle, size, that of tar | zstd is 1' "$(ratio "$(size "$scratch/x.tar.zst")" "$(size "$scratch/peer.tar.zst")")" '<=' 1
turn again "rm -f '$scratch/x.tar.zst'; '$build/stint' data bundle '$set' -o '$scratch/x.tar.zst'"
tell 'the same, unchanged' again ': nothing is hashed again'
turn untar "rm -rf '$scratch/peer'; mkdir '$scratch/peer'; zstd -qdc '$scratch/peer.tar.zst' | tar -xf - -C '$scratch/peer' && sync -f '$scratch/peer'"
tell 'zstd -d | tar -x' untar
rm -rf "$scratch/peer"
turn unbundle "rm -rf '$scratch/x'; '$build/stint' data unbundle '$scratch/x.tar.zst'"
tell 'stint data unbundle' unbundle ', verified'
if diff -r "$set" "$scratch/x/dataset" >/dev/null; then equal=1; else equal=0; fi
bar 'bundle, equal after unbundle' "$equal" '==' 1
rm -rf "$scratch/x" "$scratch/x.tar.zst" "$scratch/peer.tar.zst"
exit $failed
