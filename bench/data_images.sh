#!/bin/sh
# Images beside ImageMagick, jpegtran and vips: data_images.sh BUILD_FOLDER SCRATCH. Pictures are plasma of ImageMagick with noise, whose
# detail is as that of photographs. Peers that take several files get all at once, the others run on two files at a time.
# shellcheck disable=SC2154 # NAME_wall and the like are set by turn
set -eu
build=$(cd "$1" && pwd)
scratch=$2/images
pictures=${STINT_BENCH_PICTURES:-24}
failed=0
. bench/bar.sh
. bench/cost.sh
echo "# images: $pictures of 12, 3 and 1 megapixels"
! missing convert mogrify jpegtran || exit 0
mkdir -p "$scratch/png" "$scratch/jpg" "$scratch/out"
export STINT_PARTS="$build/parts" XDG_CACHE_HOME="$scratch/cache" MAGICK_THREAD_LIMIT=2
n=0
while [ $n -lt "$pictures" ]; do
    case $((n % 6)) in 0) side=4000x3000 ;; 1 | 2) side=2048x1536 ;; *) side=1200x900 ;; esac
    convert -seed $n -size $side plasma:fractal -attenuate 0.05 +noise Gaussian -depth 8 -define png:compression-level=4 \
        "PNG24:$scratch/png/$n.png"
    convert "$scratch/png/$n.png" -quality 90 -sampling-factor 4:2:0 -define jpeg:optimize-coding=off "$scratch/jpg/$n.jpg"
    n=$((n + 1))
done

# ours OPTIONS: the command for a folder that is not there yet
ours() {
    echo "rm -rf '$scratch/ours'; '$build/stint' data images $1 -o '$scratch/ours'"
}

echo '# PNG to JPEG, quality 95'
for _ in 1 2 3; do
    turn magick "rm -rf '$scratch/out'; mkdir '$scratch/out'; mogrify -path '$scratch/out' -format jpg -quality 95 '$scratch'/png/*.png"
    turn photo "$(ours "'$scratch/png' --quality 95")"
done
tell 'mogrify -quality 95' magick ", $(size "$scratch"/out/*) bytes"
tell 'stint data images --quality 95' photo ", $(size "$scratch"/ours/*.jpg) bytes"
bar 'PNG to JPEG q95, speed, ImageMagick is 1' "$(ratio "$magick_wall" "$photo_wall")" '>=' 1.8
bar 'PNG to JPEG q95, size, that of ImageMagick is 1' "$(ratio "$(size "$scratch"/ours/*.jpg)" "$(size "$scratch"/out/*)")" '<=' 1.01
bar 'PNG to JPEG q95, peak MB' "$((photo_peak / 1024))" '<' 128
if ! missing vips; then
    for _ in 1 2 3; do
        turn vips "rm -rf '$scratch/out'; mkdir '$scratch/out'; cd '$scratch/png'; ls | xargs -P 2 -I NAME vips copy NAME '$scratch/out/NAME.jpg[Q=95]'"
        turn photo "$(ours "'$scratch/png' --quality 95")"
    done
    tell 'vips copy, Q=95, 2 at a time' vips ", $(size "$scratch"/out/*) bytes"
    bar 'PNG to JPEG q95, speed, vips is 1' "$(ratio "$vips_wall" "$photo_wall")" '>=' 1
fi

echo '# JPEG without loss'
for _ in 1 2 3; do
    turn tran "rm -rf '$scratch/out'; mkdir '$scratch/out'; cd '$scratch/jpg'; for i in *; do jpegtran -copy all -optimize -progressive -outfile '$scratch/out/'\$i \$i; done"
    turn lossless "$(ours "'$scratch/jpg'")"
done
tell 'jpegtran -optimize -progressive' tran ", $(size "$scratch"/out/*) bytes"
tell 'stint data images' lossless ", verified, $(size "$scratch"/ours/*.jpg) bytes"
bar 'JPEG without loss, speed, jpegtran is 1' "$(ratio "$tran_wall" "$lossless_wall")" '>=' 1.8
bar 'JPEG without loss, size, that of jpegtran is 1' "$(ratio "$(size "$scratch"/ours/*.jpg)" "$(size "$scratch"/out/*)")" '<=' 1.01
bar 'JPEG without loss, peak MB' "$((lossless_peak / 1024))" '<' 128
turn baseline "rm -rf '$scratch/out'; mkdir '$scratch/out'; cd '$scratch/jpg'; for i in *; do jpegtran -copy all -optimize -outfile '$scratch/out/'\$i \$i; done"
tell 'jpegtran -optimize, not progressive' baseline ", $(size "$scratch"/out/*) bytes"

echo '# at most 1024 pixels a side'
! missing vipsthumbnail || exit $failed
for _ in 1 2 3; do
    turn thumb "rm -rf '$scratch/out'; mkdir '$scratch/out'; cd '$scratch/jpg'; vipsthumbnail --size '1024x1024>' -o '$scratch/out/%s.jpg[Q=95]' *.jpg"
    turn side "$(ours "'$scratch/jpg' --max-side 1024 --quality 95")"
done
tell 'vipsthumbnail' thumb ", $(size "$scratch"/out/*) bytes"
tell 'stint data images --max-side 1024' side ", $(size "$scratch"/ours/*.jpg) bytes"
bar 'resized, speed, vipsthumbnail is 1' "$(ratio "$thumb_wall" "$side_wall")" '>=' 1
bar 'resized, peak MB' "$((side_peak / 1024))" '<' 128
rm -rf "$scratch"
exit $failed
