#!/bin/sh
# program.sh ARCH FOLDER: compile Stint for any system of that architecture and install it in FOLDER/stage: a prefix that can be
# moved, with bin, lib, include and share.
set -eu
cpu=$1 folder=$2
sh tools/package/sysroot.sh "$cpu" "$folder"
[ -f "$folder/build/build.ninja" ] || meson setup "$folder/build" --cross-file "$folder/cross.ini" --buildtype=release \
    --optimization=2 -Dhardening=true -Dstandalone=true --prefix=/usr/local --libdir=lib --strip >"$folder/setup.log" || {
    cat "$folder/setup.log" >&2
    exit 1
}
ninja -C "$folder/build" --quiet >"$folder/build.log" 2>&1 || {
    cat "$folder/build.log" >&2
    exit 1
}
rm -rf "$folder/stage" "$folder/installed"
DESTDIR="$(cd "$folder" && pwd)/installed" meson install -C "$folder/build" --no-rebuild --quiet
mv "$folder/installed/usr/local" "$folder/stage"
rm -r "$folder/installed" "$folder/stage/lib/pkgconfig"
# A zip file has no links: the library has one name, that of its interface.
rm "$folder/stage/lib/libstint.so"
mv "$(readlink -f "$folder/stage/lib/libstint.so.0")" "$folder/stage/lib/libstint.so.0"
install -m 644 "$folder/sysroot/usr/lib/$cpu-linux-gnu/libsqlite3.so.0" "$folder/stage/lib/libsqlite3.so.0"
"$cpu-linux-gnu-strip" --strip-unneeded "$folder/stage/lib/libsqlite3.so.0"
# What a cross build leaves out: schemas, and the Python package.
mkdir -p "$folder/stage/share/stint"
"$folder/emulate" "$folder/stage/bin/stint" schema -o "$folder/stage/share/stint/schema" >/dev/null
mkdir "$folder/stage/python"
cp -R python/stint "$folder/stage/python/stint"
find "$folder/stage/python" ! -type d ! -name '*.py' ! -name '*.pyi' ! -name py.typed -exec rm {} +
find "$folder/stage/python" -name __pycache__ -exec rm -r {} +
"$folder/emulate" "$folder/stage/bin/stint" schema --json | python3 tools/python_operations.py "$folder/stage/python/stint"
