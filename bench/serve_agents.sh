#!/bin/sh
# 500 machines that send one sample a second each to one server. The machines are simulated: one process (bench_serve_agents) with real
# records, a connection each. The server, its ledger on the disk and the load share this machine.
# serve_agents.sh BUILD_FOLDER SCRATCH [AGENTS] [SECONDS]
set -eu
build=$(cd "$1" && pwd)
scratch=$2/agents
agents=${3:-500}
seconds=${4:-20}
failed=0
. bench/bar.sh
mkdir -p "$scratch"
export HOME="$scratch" XDG_CONFIG_HOME="$scratch" XDG_DATA_HOME="$scratch" XDG_STATE_HOME="$scratch" STINT_PARTS="$build/parts"
export STINT_LEDGER="$scratch/ledger.db"
unset STINT_TO STINT_TOKEN

# The server's processor time so far, in seconds.
used() {
    awk -v hz="$(getconf CLK_TCK)" '{ sub(/.*\) /, ""); print ($12 + $13) / hz }' "/proc/$1/stat"
}

# load NAME: one run against a new server.
load() {
    rm -f "$scratch/serve.log"
    : >"$scratch/serve.log"
    "$build/stint" serve --listen 127.0.0.1:0 2>"$scratch/serve.log" >/dev/null &
    server=$!
    trap 'kill $server 2>/dev/null' EXIT
    tries=0
    until port=$(sed -n 's/.*listening at .*:\([0-9]*\)$/\1/p' "$scratch/serve.log") && [ -n "$port" ]; do
        tries=$((tries + 1))
        [ $tries -lt 100 ] || { cat "$scratch/serve.log"; exit 1; }
        sleep 0.1
    done
    before=$(used $server)
    wall=$(date +%s.%N)
    "$build/bench/bench_serve_agents" "$port" "$token" "$agents" "$seconds" >"$scratch/load.txt"
    wall=$(echo "$(date +%s.%N) - $wall" | bc)
    cores=$(echo "scale=3; ($(used $server) - $before) / $wall" | bc)
    memory=$(awk '/VmHWM/ { print $2 / 1000 }' "/proc/$server/status")
    kill $server
    wait $server || true
    trap - EXIT
    value() { tr ' ' '\n' <"$scratch/load.txt" | grep -A1 "^$1$" | tail -1; }
    kept=$(sqlite3 "$STINT_LEDGER" "SELECT count(*) FROM samples JOIN attempts USING (attempt) JOIN runs USING (run) WHERE runs.started >= $begun")
    echo "$1: $agents simulated agents, $seconds s: $(value answered) posts answered, $(value failed) failed; answers after $(value p50_ms) ms (p99 $(value p99_ms) ms); server $cores cores, $memory MB"
    bar "$1: samples lost" $((agents * seconds - kept)) '<' 1
    bar "$1: cores of the server" "$cores" '<' 1
}

echo
echo "# $agents agents that send to one server (simulated, on this machine)"
token=$("$build/stint" token add bench --scope write --json | sed 's/.*"secret":"\([^"]*\)".*/\1/')
begun=$(date +%s)
load 'no budget'
"$build/stint" budget set nlp 1000000usd --where team=nlp --stop >/dev/null
sleep 1
begun=$(date +%s)
load 'with a budget that stops runs'
exit $failed
