#!/bin/sh
# Fail every allocation and every call to the file system in turn, in the whole program, and see that it
# ends with a message and the right status, and leaves nothing half-written. run.sh STINT FAULTS.so FILL_LEDGER
set -u
stint=$(realpath "$1")
faults=$(realpath "$2")
fill=$(realpath "$3")
limit=5000 # no command makes more calls than this
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
export HOME="$scratch/home" STINT_MACHINE_DIR="$scratch" STINT_NOW=2026-11-15 LC_ALL=C
unset XDG_CONFIG_HOME XDG_CACHE_HOME XDG_DATA_HOME STINT_PRICES STINT_LEDGER STINT_CONFIG STINT_CATALOG STINT_LOG
mkdir -p facts
printf 'country,kind,usd_per_kwh,date,source\nUS,household,0.5,2026-01-01,me\n' | gzip >facts/electricity.csv.gz
config='currency: USD'
number=0
failed=0

fresh_home() {
    rm -rf "$HOME"
    mkdir -p "$HOME/.config/stint"
    echo "$config" >"$HOME/.config/stint/config.yaml"
    mkdir -p "$HOME/.cache"
    [ ! -d prices ] || cp -r prices "$HOME/.cache/stint"
    [ ! -e accelerate.yaml ] || cp accelerate.yaml "$HOME"
    [ ! -e ledger.db ] || cp ledger.db "$HOME"
}

# Whatever happened to who wrote it, a ledger can be read, and has no run that is only half there.
check_ledger() {
    [ -e "$HOME/ledger.db" ] || return 0
    "$stint" --ledger "$HOME/ledger.db" runs --json >/dev/null 2>&1
}

# After an import that may have failed, the store says what it said before, or all that is new.
check_prices() {
    [ -d prices ] || return 0
    "$stint" price list --provider acme >now.out 2>now.err || return 1
    ! grep -q damaged now.err || return 1
    cmp -s now.out before.out || cmp -s now.out after.out
}

# After `stint init`, the configuration is the old one or the new one, and nothing lies beside it.
check_config() {
    case $(cd "$HOME/.config/stint" && echo *) in
    config.yaml | 'config.yaml config.yaml.bak' | 'catalog config.yaml') ;;
    *) return 1 ;;
    esac
    case $(sed -n '/^[^#]/p' "$HOME/.config/stint/config.yaml") in
    "$config" | 'currency: EUR  # of your budgets; prices are in USD
country: "US"  # where it is: electricity and carbon') return 0 ;;
    esac
    return 1
}

# After a plan, the user's configuration is the old one or the new one (whose old one is kept), and what
# else was to be written is whole or not there.
check_plan() {
    [ -e accelerate.yaml ] || return 0
    if ! cmp -s accelerate.yaml "$HOME/accelerate.yaml"; then
        cmp -s changed.yaml "$HOME/accelerate.yaml" && cmp -s accelerate.yaml "$HOME/accelerate.yaml.bak" || return 1
    fi
    for file in "$HOME"/*; do
        case $file in
        */accelerate.yaml) ;;
        */accelerate.yaml.bak) cmp -s accelerate.yaml "$file" || return 1 ;;
        */plan.json) "$stint" plan recheck "$file" >recheck.out 2>&1 || return 1 ;;
        */ledger.db*) ;;
        */plans.csv) [ "$(tail -c 1 "$file" | od -An -tx1)" = ' 0a' ] || return 1 ;;
        *) return 1 ;;
        esac
    done
}

# After an export, the file is whole or not there, and nothing lies beside it but what describes it.
check_export() {
    for file in "$HOME"/account.*; do
        case $file in
        *'*') ;;
        */account.csv) [ "$(wc -l <"$file")" -eq 2 ] || return 1 ;;
        */account.metadata.json) [ "$(tail -c 2 "$file")" = '}' ] || return 1 ;;
        *) return 1 ;;
        esac
    done
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
        elif ! check_prices; then
            problem='left other prices than before or after'
        elif ! check_ledger; then
            problem='left a ledger that cannot be read'
        elif ! check_export; then
            problem="left half an export: $(ls "$HOME")"
        elif ! check_plan; then
            problem="left something half-written: $(ls "$HOME")"
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

# A run runs, whatever fails around it, or says why it does not. (Memory without the ledger: its thousands of
# allocations are failed in its own tests.)
try 'run' memory "$stint" run --no-gpu --no-ledger --price 1usd/hr --progress -- true
for kind in write open read sync; do
    try 'run' "$kind" "$stint" --ledger "$HOME/ledger.db" run --no-gpu --price 1usd/hr --progress -- sleep 0.01
done
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
printf 'num_processes: 1 # mine\nmixed_precision: fp16\n' >accelerate.yaml
fresh_home
"$stint" plan job.yaml --gpu T4 --provider gcp --write-config accelerate --base "$HOME/accelerate.yaml" >/dev/null 2>&1 ||
    exit 1
cp "$HOME/accelerate.yaml" changed.yaml
for kind in memory write open read sync rename; do
    try 'plan' "$kind" "$stint" plan job.yaml --gpu T4 --provider gcp --write-config accelerate \
        --base "$HOME/accelerate.yaml" --save "$HOME/plan.json" --csv "$HOME/plans.csv"
done
rm accelerate.yaml
try 'plan and explain' memory "$stint" plan gpt2 --tokens 1M --gpu T4 --provider gcp --explain
try 'plan and serve' memory "$stint" plan gpt2 --serve --gpu T4 --provider gcp
try 'plan jobs' memory "$stint" plan job.yaml job.yaml --gpu T4 --provider gcp
echo '{"schema":"stint.plan/1","name":"a","plans":[{"cost":{"amount":"9","currency":"USD"}}]}' >plan.json
try 'budget split' memory "$stint" budget split 100usd --storage 5usd
for kind in open read; do # not memory: jansson calls it a syntax error when that runs out within a text
    try 'budget split and a plan' "$kind" "$stint" budget split 100usd plan.json --storage 5usd
done
for kind in memory write open sync rename; do
    try 'validate' "$kind" "$stint" validate training measured.csv --leave-one-source-out --fit \
        --save constants.csv --per-row rows.csv
done
printf 'trace a gap=3600 n=12 nodes=1 start=- od=2 spot=1\na 110011110111\n' | gzip >made.trc.gz
for kind in memory write open read sync rename; do
    try 'simulate' "$kind" "$stint" simulate --traces made.trc.gz --work 4h --deadline 8h,10h --delay 1h --threads 1 \
        --resume "$HOME/journal" --per-run "$HOME/runs.csv"
done
try 'simulate --timeline' memory "$stint" simulate --traces made.trc.gz --work 4h --deadline 8h --delay 1h --threads 1 \
    --timeline --svg "$HOME/run.svg"
for kind in memory write open sync rename; do
    try 'init' "$kind" "$stint" init --force --currency EUR
done
# Prices: on top of a store, all or nothing.
prices='provider,region,zone,instance,accelerator,count,on_demand_usd_h,spot_usd_h,date'
printf '%s\n' "$prices" 'acme,eu,a,big,H100,8,20,9,2026-11-13' 'acme,eu,b,big,H100,8,20,8,2026-11-13' >old.csv
printf '%s\n' "$prices" 'acme,eu,a,big,H100,8,19,7,2026-11-14' 'acme,us,,small,A100,1,2,,2026-11-14' | gzip >new.csv.gz
printf 'provider,discount,date,source\nother,10%%,2026-11-01,us\n' >terms.csv
fresh_home
"$stint" price import old.csv >/dev/null || exit 1
"$stint" price list --provider acme >before.out 2>/dev/null || exit 1
cp -r "$HOME/.cache/stint" prices
"$stint" price import new.csv.gz >/dev/null || exit 1
"$stint" price list --provider acme >after.out 2>/dev/null || exit 1
for kind in memory write open read sync rename; do
    try 'price import' "$kind" "$stint" price import new.csv.gz terms.csv
done
for kind in memory open read; do
    try 'price history' "$kind" "$stint" price history acme/eu/big
done
for command in 'price spot --for 2h' 'price regions big --hours 24' 'price diff 2026-11-13 2026-11-14' 'price doctor' \
    'price list --provider acme'; do
    # shellcheck disable=SC2086 # words
    try "$command" memory "$stint" $command
done
rm -r prices
# The ledger: as it is written, and as it is read. (SQLite takes a medium that cannot be read for damage, which is status 3.)
for kind in open sync; do
    try 'recording runs' "$kind" "$fill" "$HOME/ledger.db" brief
done
"$fill" ledger.db brief
"$stint" --ledger ledger.db runs >/dev/null || exit 1 # puts the log into the file
for kind in write open; do # memory: tests/unit/ledger/test_memory.c, which is faster
    try 'show' "$kind" "$stint" --ledger "$HOME/ledger.db" show vit
    try 'costs' "$kind" "$stint" --ledger "$HOME/ledger.db" costs --by team,day --csv "$HOME/costs.csv"
done
# A budget that is evaluated is told of once, or not at all: the next evaluation makes up for it.
"$stint" --ledger ledger.db budget set all 0.001usd --forecast none >/dev/null || exit 1
"$stint" --ledger ledger.db budget list >/dev/null || exit 1
for kind in write open sync; do
    try 'budget check' "$kind" "$stint" --ledger "$HOME/ledger.db" budget check
    try 'alert add' "$kind" "$stint" --ledger "$HOME/ledger.db" alert add more webhook --url http://127.0.0.1:1/
done
# Exports are whole, or not there.
for kind in write open sync rename; do
    try 'export' "$kind" "$stint" --ledger "$HOME/ledger.db" export --focus "$HOME/account.csv"
done
rm ledger.db
for command in 'gpu list --vendor Intel' 'gpu show a100' 'gpu fit gpt2' 'estimate gpt2 --on T4' 'man job' 'price value' 'region list --country SE' 'catalog list' 'config' \
    'catalog show storage' 'help price' 'completion bash' 'man price' '--version'; do
    # shellcheck disable=SC2086 # words
    try "$command" memory "$stint" $command
done
echo "1..$number"
exit $failed
