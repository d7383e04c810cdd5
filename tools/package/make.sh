#!/bin/sh
# make.sh wheel|tarball [ARCH]...: packages of Stint in build-package/wheel or tarball (both architectures unless named), with their
# checksums.
# Set SOURCE_DATE_EPOCH to choose the time of the files; it is that of the last commit.
set -eu
kind=$1
shift
[ $# -gt 0 ] || set -- x86_64 aarch64
: "${SOURCE_DATE_EPOCH:=$(git log -1 --format=%ct 2>/dev/null || echo 0)}"
export SOURCE_DATE_EPOCH PYTHONDONTWRITEBYTECODE=1
mkdir -p "build-package/$kind"
for cpu; do
    folder=build-package/$cpu
    sh tools/package/program.sh "$cpu" "$folder"
    python3 tools/package/elf_check.py "$folder/stage"
    python3 tools/package/archive.py "$kind" "$cpu" "$folder" "build-package/$kind"
done
cd "build-package/$kind"
sha256sum stint-* >SHA256SUMS
