#!/bin/sh
# Build the meters alone, with nothing but a C compiler: for trying them on any machine with a GPU.
#   sh tools/meter_only.sh [FOLDER]     leaves meter_gpu and meter_cost in FOLDER (build-meter), compiled
#                                       with $OPTIMIZE (-O2)
#   build-meter/meter_gpu               energy, shares and cost of NVIDIA's devices: three minutes; needs the
#                                       driver, not CUDA
#   build-meter/meter_cost              what a sample of everything costs: six seconds
set -eu
cd "$(dirname "$0")/.."
folder=${1:-build-meter}
compiler=${CC:-cc}
flags="-std=c17 ${OPTIMIZE:--O2} -g -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -fno-common -Isrc"

mkdir -p "$folder"
rm -f "$folder"/*.o "$folder/libmeter.a"
objects=
for source in src/base/*.c src/unit/*.c src/meter/*.c; do
    object=$folder/$(printf '%s' "${source#src/}" | tr / _).o
    # shellcheck disable=SC2086 # a list of words
    $compiler $flags -c -o "$object" "$source"
    objects="$objects $object"
done
# shellcheck disable=SC2086 # lists of words
{
    ar rcs "$folder/libmeter.a" $objects
    $compiler $flags -o "$folder/meter_gpu" bench/meter_gpu*.c bench/gpu_load.c \
        "$folder/libmeter.a" -lm -ldl -lpthread
    $compiler $flags -o "$folder/meter_cost" bench/meter_cost.c bench/gpu_load.c \
        "$folder/libmeter.a" -lm -ldl -lpthread
}
rm -f "$folder"/*.o
printf '%s\n' "$folder/meter_gpu" "$folder/meter_cost"
