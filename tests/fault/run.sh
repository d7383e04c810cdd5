#!/bin/sh
# Fail every allocation and every call to the file system in turn, in the whole program, and see that it
# ends with a message and the right status, and leaves nothing half-written. run.sh STINT FAULTS.so
set -u
stint=$(realpath "$1")
faults=$(realpath "$2")
limit=5000 # no command makes more calls than this
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
export HOME="$scratch/home" STINT_NOW=2026-11-15 LC_ALL=C
unset XDG_CONFIG_HOME XDG_CACHE_HOME STINT_PRICES STINT_CONFIG STINT_CATALOG STINT_LOG
mkdir -p facts
printf 'country,kind,usd_per_kwh,date,source\nUS,household,0.5,2026-01-01,me\n' | gzip >facts/electricity.csv.gz
config='currency: USD'
number=0
failed=0

fresh_home() {
    rm -rf "$HOME"
    mkdir -p "$HOME/.config/stint"
    echo "$config" >"$HOME/.config/stint/config.yaml"
}

# After `stint init`, the configuration is the old one or the new one, and nothing lies beside it.
check_config() {
    case $(cd "$HOME/.config/stint" && echo *) in
    config.yaml | 'config.yaml config.yaml.bak') ;;
    *) return 1 ;;
    esac
    case $(sed -n '/^[^#]/p' "$HOME/.config/stint/config.yaml") in
    "$config" | 'currency: EUR  # of your budgets; prices are in USD
country: "US"  # where it is: electricity and carbon') return 0 ;;
    esac
    return 1
}

# try NAME KIND COMMAND...: fault after fault, until the command gets through without one.
try() {
    name=$1
    kind=$2
    shift 2
    number=$((number + 1))
    at=0
    problem=
    fresh_home
    "$@" >expected.out 2>expected.err </dev/null
    while [ -z "$problem" ]; do
        at=$((at + 1))
        rm -f mark
        fresh_home
        FAULT_KIND=$kind FAULT_AT=$at FAULT_MARK=mark LD_PRELOAD=$faults \
            "$@" >out 2>err </dev/null
        status=$?
        if [ $status -ge 128 ]; then
            problem="ended by a signal: status $status"
        elif [ $status -ne 0 ] && ! grep -q '^stint: ' err; then
            problem="failed without a message, status $status"
        elif [ $status -gt 1 ]; then
            problem="wrong status $status: $(head -1 err)"
        elif [ $status -eq 0 ] && ! cmp -s out expected.out; then
            problem='succeeded with another output'
        elif ! check_config; then
            problem='left the configuration half-written'
        elif [ ! -e mark ]; then
            [ $status -eq 0 ] || problem="fails without a fault: $(head -1 err)"
            break
        elif [ $at -ge $limit ]; then
            problem="still faults after $limit calls"
        fi
    done
    if [ -z "$problem" ] && [ $at -gt 1 ]; then
        echo "ok $number - $name: $((at - 1)) faults of $kind"
    elif [ -z "$problem" ]; then
        echo "not ok $number - $name: no call of $kind was met, so nothing was tested"
        failed=1
    else
        echo "not ok $number - $name: $kind fault $at: $problem"
        failed=1
    fi
}

for kind in memory write open read; do
    try 'price compare' "$kind" "$stint" price compare A100 --hours 72
    try 'local prices from a compressed file' "$kind" "$stint" price list --kind local --catalog facts
done
cat >job.yaml <<'END'
name: faulty
train:
  model: llama-2-7b
  method: lora
  data: {examples: 50000, tokens: 512}
  global_batch: 64
END
cat >measured.csv <<'END'
id,source,model,gpu,gpu_count,precision,micro_batch,seq_len,method,framework,set,quality,tokens_per_s_per_gpu
a,one,llama-2-7b,H100-SXM-80GB,1,bf16,2,2048,lora,pytorch-eager,lora,A,13000
b,two,gpt2,A100-SXM-80GB,1,amp_bf16,8,1024,pretrain,pytorch-eager,dense,A,140000
END
for kind in memory open read; do
    try 'estimate' "$kind" "$stint" estimate job.yaml --on A100
    try 'sweep and explain' "$kind" "$stint" estimate llama-2-7b --on A100x8 --sweep zero=0..3 --explain
done
for kind in memory write open sync rename; do
    try 'validate' "$kind" "$stint" validate training measured.csv --leave-one-source-out --fit \
        --save constants.csv --per-row rows.csv
done
for kind in memory write open sync rename; do
    try 'init' "$kind" "$stint" init --force --currency EUR
done
for command in 'gpu list' 'gpu show a100' 'gpu fit gpt2' 'estimate gpt2 --on T4' 'man job' 'price value' 'region list' 'catalog list' 'config' \
    'catalog show storage' 'help price' 'completion bash' 'man price' '--version'; do
    # shellcheck disable=SC2086 # words
    try "$command" memory "$stint" $command
done
echo "1..$number"
exit $failed
