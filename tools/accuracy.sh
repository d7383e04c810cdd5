#!/bin/sh
# Compare the estimator with tests/truth and write the results into docs: the scores (evidence/scores.md), our
# column of the table of bars (accuracy.md), the pictures.
#   sh tools/accuracy.sh build/stint
set -eu
stint=$(realpath "${1:?usage: accuracy.sh STINT}")
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# NAME KIND FILE [OPTIONS]: the scores as text, and every row for the pictures
score() {
    name=$1 kind=$2 file=$3
    shift 3
    status=0
    "$stint" validate "$kind" "tests/truth/$file" --per-row "$work/$name.csv" "$@" >"$work/$name.txt" \
        2>"$work/messages" || status=$?
    grep -v '^stint: note:' "$work/messages" >&2 || true
    [ $status -eq 0 ] || exit $status
    {
        printf '\n## %s\n\n```\n$ stint validate %s tests/truth/%s' "$name" "$kind" "$file"
        [ $# -eq 0 ] || printf ' %s' "$@"
        echo
        cat "$work/$name.txt"
        echo '```'
    } >>"$work/scores.md"
}

score 'training, left out' training training.csv --leave-one-source-out
score 'training' training training.csv
score 'training on one H200' training h200_training.csv
score "Hugging Face's model code on one H200" training h200_transformers.csv
score "Hugging Face's model code on one H200, later rows" training h200_transformers_later.csv
score 'training on one H200, second series' training h200_more_training.csv
score 'image models and LSTMs' training h200_vision.csv
score 'image models and LSTMs, second series' training h200_more_vision.csv
score 'diffusion models on one H200' training h200_diffusion.csv
score 'layouts of image models on one H200' training h200_layouts.csv
score 'memory' memory memory.csv
score 'memory on one H200' memory h200_training.csv
score "memory with Hugging Face's model code" memory h200_transformers.csv
score "memory with Hugging Face's model code, later rows" memory h200_transformers_later.csv
score 'inference' inference inference.csv
score 'inference on one H200' inference h200_inference.csv
score "Transformers' generate on one H200" inference h200_generate.csv
score 'power of nodes' energy energy_train.csv
score 'power of boards, image models' energy h200_vision.csv
score 'power of boards, serving on one H200' energy h200_inference.csv
score 'power of boards, serving' energy energy_infer.csv
score 'whole runs' gpu-hours gpu_hours.csv

awk -v scores="$work/scores.md" '
    /^<!-- scores:/ { print; while ((getline line < scores) > 0) print line; print ""; skip = 1; next }
    /^<!-- end -->/ { skip = 0 }
    !skip { print }' docs/evidence/scores.md >"$work/pages.md"
cp "$work/pages.md" docs/evidence/scores.md
python3 tools/accuracy_bars.py "$stint" docs/accuracy.md

plot() {
    python3 tools/plot_accuracy.py "$@"
}
plot docs/evidence/accuracy-training.svg 'Training rate, each source predicted by constants fitted without it' \
    'tokens/s per GPU' tests/truth/training.csv "$work/training, left out.csv"
plot docs/evidence/accuracy-memory.svg 'Peak memory of a GPU' GB tests/truth/memory.csv "$work/memory.csv" \
    tests/truth/h200_training.csv "$work/memory on one H200.csv"
plot docs/evidence/accuracy-inference.svg 'Prefill and decode' ms tests/truth/inference.csv "$work/inference.csv" \
    tests/truth/h200_inference.csv "$work/inference on one H200.csv"
