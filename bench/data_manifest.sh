#!/bin/sh
# The manifest of an unchanged tree of 100,000 files beside `find -printf`: data_manifest.sh BUILD_FOLDER SCRATCH.
# shellcheck disable=SC2154 # NAME_wall and the like are set by turn
set -eu
build=$(cd "$1" && pwd)
scratch=$2/manifest
files=${STINT_BENCH_FILES:-100000}
failed=0
. bench/bar.sh
. bench/cost.sh
mkdir "$scratch"
export STINT_PARTS="$build/parts" XDG_CACHE_HOME="$scratch/cache"
echo "# the manifest of $files unchanged files"
python3 - "$scratch/set" "$files" <<'END'
import os, sys
for i in range(int(sys.argv[2])):
    if i % 100 == 0:
        folder = os.path.join(sys.argv[1], f"{i // 10000:02}", f"part-{i // 100:04}")
        os.makedirs(folder)
    with open(os.path.join(folder, f"sample-{i:07}.txt"), "w") as file:
        file.write(f"the text of file {i}\n")
END
sleep 2 # what was written just now is read again
turn first "'$build/stint' data manifest '$scratch/set' -o '$scratch/m'"
for _ in 1 2 3 4 5; do
    turn peer "find '$scratch/set' -printf '%P %y %s %T@ %C@ %i\n' >'$scratch/list'"
    turn ours "'$build/stint' data manifest '$scratch/set' -o '$scratch/m'"
done
tell 'stint data manifest, the first' first
tell 'find -printf' peer
tell 'stint data manifest, unchanged' ours
bar 'manifest, unchanged, time, find -printf takes 1' "$(ratio "$ours_wall" "$peer_wall")" '<=' 1.5
printf 'times of its CPU: %s\n' "$(ratio "$ours_cpu" "$peer_cpu")"
rm -rf "$scratch"
exit $failed
