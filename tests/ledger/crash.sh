#!/bin/sh
# Kill the program at every write, sync and rename that it makes, one after the other, and check that nothing is lost, nothing
# is doubled and the ledger is complete: imports, runs, budgets, a migration, a copy. Then a full disk and a folder that may not be
# written to. crash.sh STINT FAULTS.so UPGRADE
# shellcheck disable=SC2317 # the checks are called by their names
set -u
stint=$(realpath "$1")
faults=$(realpath "$2")
upgrade=$(realpath "$3")
scratch=$(mktemp -d -p "$([ -w /dev/shm ] && echo /dev/shm || echo /tmp)") || exit 1
trap 'chmod -R u+w "$scratch"; rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
mkdir home
export HOME="$scratch/home" STINT_MACHINE_DIR="$scratch" STINT_NOW=2026-11-15 LC_ALL=C STINT_LEDGER="$scratch/ledger.db"
unset XDG_CONFIG_HOME XDG_CACHE_HOME XDG_DATA_HOME STINT_PRICES STINT_CONFIG STINT_CATALOG STINT_LOG
number=0
failed=0

result() { # NAME PROBLEM
    number=$((number + 1))
    if [ -z "$2" ]; then
        echo "ok $number - $1"
    else
        echo "not ok $number - $1: $2"
        failed=1
    fi
}

# restore BASE: the ledger as it was, alone.
restore() {
    rm -rf ledger.db* to.db*
    [ ! -e "$1" ] || cp "$1" ledger.db
}

# What is wrong after a kill; each prints the reason.
# shellcheck disable=SC2317 # they are called by their names What dead imports left is not wrong.
damage() {
    "$stint" ledger doctor >doctor.out 2>&1 || sed -n '/^-/p;/^stint/p' doctor.out | head -1
}

# Likewise, as a Stint with newer tables sees it.
newer_damage() {
    "$upgrade" check ledger.db 2>&1 | head -1
}

total() {
    "$stint" bills --json 2>/dev/null | grep -o '"billed":{"amount":"[0-9.]*"' | head -1
}

after_import() {
    case $(total) in
    '"billed":{"amount":"6.000000000003"' | '"billed":{"amount":"60.00000000003"') ;;
    *) echo "the bill is $(total)" ;;
    esac
    "$stint" import new.csv >again.out 2>&1 || echo "it cannot be imported again: $(head -1 again.out)"
    [ "$(total)" = '"billed":{"amount":"60.00000000003"' ] || echo "imported again, the bill is $(total)"
    [ "$("$stint" bills --json | grep -o '"lines":3' | wc -l)" -ge 1 ] || echo "imported again, it has other lines"
}

after_run() {
    case $("$stint" runs --limit 0 --json | grep -o '"short_id"' | wc -l) in
    40 | 41) ;;
    *) echo "there are $("$stint" runs --limit 0 --json | grep -o '"short_id"' | wc -l) runs" ;;
    esac
}

after_migration() {
    [ "$("$upgrade" open ledger.db)" = 40 ] || echo 'runs are lost'
    [ -s ledger.db.v1.bak ] || echo 'there is no backup'
    mkdir -p older && cp ledger.db.v1.bak older/ledger.db
    [ "$("$stint" --ledger older/ledger.db runs --limit 0 --json | grep -o '"user":"ann"' | wc -l)" = 40 ] ||
        echo 'runs are lost in the backup'
    rm -r older
}

after_copy() {
    case $("$stint" --ledger to.db runs --limit 0 --json 2>/dev/null | grep -o '"short_id"' | wc -l) in
    0) "$stint" ledger copy ledger.db to.db >again.out 2>&1 || echo "it cannot be copied again: $(head -1 again.out)" ;;
    40) ;;
    *) echo 'the copy is not complete' ;;
    esac
    "$stint" --ledger to.db ledger doctor >doctor.out 2>&1 || echo 'the copy is not well'
}

# One event is one alert and one message for its channel, however often it was evaluated.
after_budget() {
    "$stint" budget check >again.out 2>&1
    [ "$("$stint" alert list --json | grep -o '"dedup"' | wc -l)" = 1 ] || echo 'it is not one alert'
    [ "$("$stint" alert log --json | grep -o '"what":"firing"' | wc -l)" = 1 ] || echo 'it is not one message'
}

# kills NAME BASE AFTER COMMAND...: at every boundary ($step: only every $step-th of them, after the first ten), until the
# command gets through.
step=1
doctor=damage # what is wrong after a kill
ends=0 # with this status, when nothing happens to it
kills() {
    name=$1
    base=$2
    after=$3
    shift 3
    at=0
    problem=
    while [ -z "$problem" ]; do
        at=$((at + (at < 10 ? 1 : step)))
        restore "$base"
        rm -f mark
        FAULT_KIND=boundary FAULT_AT=$at FAULT_KILL=1 FAULT_MARK=mark LD_PRELOAD=$faults "$@" >out 2>err </dev/null
        status=$?
        [ -e mark ] || break
        [ $status -eq 137 ] || problem="at boundary $at it ends with $status"
        problem="$problem$($doctor)$($after)"
        [ -z "$problem" ] || problem="killed at boundary $at: $problem"
        [ $at -lt 2000 ] || problem='there is no end'
    done
    if [ -z "$problem" ]; then
        [ "$status" -eq "$ends" ] || problem="it fails without a fault: $(head -1 err)"
        [ $at -gt 5 ] || problem="only $at boundaries were met"
        problem="$problem$($doctor)$($after)"
    fi
    result "$name is killed at up to $((at - 1)) boundaries" "$problem"
}

# A bill, and the same delivered again.
head='BilledCost,BillingAccountId,BillingCurrency,BillingPeriodEnd,BillingPeriodStart,ChargeCategory,ChargePeriodEnd,ChargePeriodStart,EffectiveCost,ListCost,ProviderName,ResourceId,ServiceName'
for name in old new; do
    amounts='1.000000000001 2.000000000001 3.000000000001'
    [ $name = old ] || amounts='10.00000000001 20.00000000001 30.00000000001'
    echo "$head" >$name.csv
    row=0
    for amount in $amounts; do
        row=$((row + 1))
        echo "$amount,111,USD,2026-06-01T00:00:00Z,2026-05-01T00:00:00Z,Usage,2026-05-02T01:00:00Z,2026-05-02T00:00:00Z,$amount,$amount,AWS,i-$row,EC2" \
            >>$name.csv
    done
done
"$stint" import old.csv >out 2>&1 || {
    cat out
    echo 'Bail out! the first import fails'
    exit 1
}
"$stint" bills >out # puts the log into the file
cp ledger.db billed.db
restore nothing
"$upgrade" make ledger.db || exit 1
"$stint" runs >/dev/null || exit 1
cp ledger.db runs.db

restore nothing
sed 's/2026-05-/2026-11-/g; s/2026-06-/2026-12-/g' new.csv >november.csv
{ "$stint" import november.csv && "$stint" alert add ops webhook --url http://127.0.0.1:1/ &&
    "$stint" budget set all 50usd --thresholds 50,100 --alert ops; } >out 2>&1 || exit 1
"$stint" bills >out
cp ledger.db budget.db

ends=1 # no server is there
kills 'an evaluation of budgets' budget.db after_budget "$stint" budget check
ends=0
kills 'an import' billed.db after_import "$stint" import new.csv
kills 'a run' runs.db after_run "$stint" run --no-gpu --price 1usd/hr --progress -- true
step=3 # most of what they write are pages of one transaction
doctor=newer_damage
kills 'a migration' runs.db after_migration "$upgrade" open ledger.db
doctor=damage
kills 'a copy' runs.db after_copy "$stint" ledger copy ledger.db to.db

# A full disk: what was there stays, with a message.
full() { # NAME BASE KBYTES AFTER COMMAND...
    name=$1
    after=$4
    restore "$2"
    space=$3
    shift 4
    (ulimit -f "$space" && exec "$@") >out 2>err </dev/null
    status=$?
    problem=
    [ $status -eq 1 ] || problem="status $status; "
    grep -q "hint: earlier records are intact; .*'df -h" err || problem="${problem}it prints '$(head -1 err)'; "
    result "$name on a full disk" "$problem$($doctor)$($after)"
}
trap '' XFSZ # a write that is too long fails then
full 'an import' billed.db 80 after_import "$stint" import new.csv
full 'a copy' runs.db 80 after_copy "$stint" ledger copy ledger.db to.db
doctor=newer_damage
full 'a migration' runs.db 80 after_migration "$upgrade" open ledger.db
doctor=damage

# Permissions: as an unprivileged user.
if [ "$(id -u)" != 0 ] || command -v setpriv >/dev/null; then
    as=
    [ "$(id -u)" != 0 ] || as='setpriv --reuid=65534 --regid=65534 --clear-groups'
    restore billed.db
    chmod 755 "$scratch"
    chmod 444 ledger.db
    chmod 555 "$scratch"
    $as "$stint" import new.csv >/dev/null 2>home/err
    status=$?
    problem=
    [ $status -eq 1 ] || problem="status $status; "
    grep -q 'it is read-only\|Permission denied' home/err || problem="${problem}it prints '$(head -1 home/err)'; "
    $as "$stint" ledger doctor >/dev/null 2>home/err || problem="${problem}it cannot be read: $(head -1 home/err)"
    chmod 755 "$scratch"
    chmod 600 ledger.db
    result 'a folder that may not be written to' "$problem$(damage)$(after_import)"
fi
echo "1..$number"
exit $failed
