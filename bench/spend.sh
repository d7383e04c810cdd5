#!/bin/sh
# Anomalies and forecasts on daily spending: spend.sh BUILD_FOLDER SCRATCH. The bars are of series that the method was not chosen on.
set -eu
build=$1
scratch=$2
failed=0
. bench/bar.sh

echo '# daily spending: events found and months forecast, on generated series'
"$build/bench/bench_spend" >"$scratch/spend.txt"
grep -v '^bar-' "$scratch/spend.txt"
value() {
    sed -n "s/^bar-$1 //p" "$scratch/spend.txt"
}
for world in plain bills other; do
    bar "anomalies ($world), event F1" "$(value "f1-$world")" '>=' 0.75
    bar "anomalies ($world), false alarms a series and quarter" "$(value "false-$world")" '<=' 0.1
done
for which in families kept; do
    bar "anomalies (second source, $which), event F1" "$(value "f1-$which")" '>=' 0.82
    bar "anomalies (second source, $which), false alarms a series and quarter" "$(value "false-$which")" '<=' 0.05
done
for world in plain bills; do
    bar "forecast ($world) made on day 10, mean error %" "$(value "forecast-$world")" '<=' 3
done
echo "forecast (other) made on day 10, mean error %: $(value forecast-other); with all but level and growth known $(value learner-other)," \
    "an oracle $(value oracle-other). No bar: 3 is missed there."

echo
echo '# runaway days in spiky spending, found by the command as users type it'
python3 bench/spend_spiky.py "$build/stint" "$scratch" >"$scratch/spiky.txt"
grep -v '^bar-' "$scratch/spiky.txt"
cat "$scratch/spiky.txt" >>"$scratch/spend.txt"
for kinds in tuned held-out; do
    bar "spiky spending ($kinds), runaway days found" "$(value "spiky-found-$kinds")" '>=' 0.9
    bar "spiky spending ($kinds), false alarms a series and quarter" "$(value "spiky-false-$kinds")" '<=' 0.06
done
bar 'smooth spending by the same command, event F1' "$(value spiky-f1-smooth)" '>=' 0.93

echo
nab=${STINT_TEST_DATA:-/nonexistent}/finops/data/nab.tar.xz
if [ -f "$nab" ]; then
    echo '# NAB 1.1: values that come more often than daily, beside published scores'
    python3 bench/spend_nab.py "$build/bench/bench_spend_detect" "$nab" >>"$scratch/spend.txt"
    sed -n '/^windows,/,$p' "$scratch/spend.txt" | grep -v '^bar-'
    for which in values hourly; do
        bar "NAB's windows kept aside ($which), F1" "$(value "nab-$which")" '>=' 0.55
    done
else
    echo "# SKIPPED NAB: no finops/data/nab.tar.xz in STINT_TEST_DATA"
fi
exit "$failed"
