#!/bin/sh
# A Slurm cluster on this machine, for tests: munged, MariaDB, slurmdbd, slurmctld and a slurmd for each node, on
# loopback, on ports that are free, with every file in one folder. Takes root.
#
#   cluster.sh start FOLDER [OPTION...]   prints the path of slurm.conf: export SLURM_CONF=...
#   cluster.sh stop FOLDER                ends what start started, and nothing else; removes the folder
#
#   --nodes N                 nodes n1 to nN (2)
#   --cpus N, --memory MB     processors and memory that each node claims (2, 2000)
#   --gpus N, --gpu-type NAME GPUs of each node (0, h100): character devices, so that jobs get CUDA_VISIBLE_DEVICES
#   --partition 'NAME LINE'   a partition and its settings ("gpu Nodes=n1 MaxTime=60"); the first is the default one.
#                             Without: "main", with all nodes
#   --account NAME[:PARENT]   an account; without any: "lab"
#   --user NAME[:ACCOUNT]     a user of this machine in an account (the first one); root always is
#   --config LINE             a line of slurm.conf (PrivateData=jobs)
#
# FOLDER may exist already, with files that Slurm expects beside slurm.conf (job_submit.lua, plugstack.conf).
set -u
PATH=$PATH:/usr/sbin:/sbin
export PATH

say() {
    printf 'cluster.sh: %s\n' "$*" >&2
}

# --- processes: FOLDER/processes has "PID START NAME", in the order in which they started ---------------------------

# When a process started, which tells it from a later one with its number; nothing when it is gone.
start_of() {
    [ -r "/proc/$1/stat" ] && sed 's/.*) //' "/proc/$1/stat" 2>/dev/null | cut -d ' ' -f 20
}

# daemon NAME COMMAND...: start it in the background, in a session of its own, with a log in the folder.
daemon() {
    name=$1
    shift
    setsid "$@" </dev/null >"$folder/log/$name.out" 2>&1 &
    printf '%s %s %s\n' "$!" "$(start_of "$!")" "$name" >>"$folder/processes"
}

# is_ours PID START
is_ours() {
    [ -n "$2" ] && [ "$(start_of "$1")" = "$2" ]
}

# wait_for SECONDS COMMAND...: until it is true.
wait_for() {
    tries=$(($1 * 5))
    shift
    while [ "$tries" -gt 0 ]; do
        "$@" >/dev/null 2>&1 && return
        sleep 0.2
        tries=$((tries - 1))
    done
    return 1
}

# need SECONDS WHAT COMMAND...: wait for it, or give the cluster up.
need() {
    seconds=$1 what=$2
    shift 2
    wait_for "$seconds" "$@" && return
    say "$what within $seconds s; the last lines of the logs:"
    for log in "$folder"/log/*; do
        [ -s "$log" ] && tail -n 4 "$log" | sed "s|^|${log##*/}: |" >&2
    done
    stop
    exit 1
}

# The processes below these, each before its children. Not by ps, which a bare machine may not have.
descendants() {
    for parent; do
        # shellcheck disable=SC2013 # numbers
        for child in $(sed -n "s/^\([0-9]*\) .*) [A-Za-z] $parent .*/\1/p" /proc/[0-9]*/stat 2>/dev/null); do
            echo "$child"
            descendants "$child"
        done
    done
}

all_gone() {
    while read -r pid start _; do
        ! is_ours "$pid" "$start" || return 1
    done <"$folder/ending"
}

# Jobs first, since their processes outlive slurmd; then the daemons, the last one first.
stop() {
    [ -f "$folder/processes" ] || return 0
    if [ -f "$folder/slurm.conf" ] && SLURM_CONF=$folder/slurm.conf timeout 5 scontrol ping >/dev/null 2>&1; then
        SLURM_CONF=$folder/slurm.conf timeout 5 scancel --full --quiet --user "$(id -un)" >/dev/null 2>&1
        SLURM_CONF=$folder/slurm.conf timeout 5 scancel --quiet --state=RUNNING >/dev/null 2>&1
        SLURM_CONF=$folder/slurm.conf timeout 5 scancel --quiet --state=PENDING >/dev/null 2>&1
    fi
    : >"$folder/ending"
    sed '1!G;h;$!d' "$folder/processes" | while read -r pid start name; do
        is_ours "$pid" "$start" || continue
        case $name in slurmd-*)
            for below in $(descendants "$pid"); do
                printf '%s %s %s\n' "$below" "$(start_of "$below")" job >>"$folder/ending"
            done
            ;;
        esac
        kill "$pid" 2>/dev/null
        printf '%s %s %s\n' "$pid" "$start" "$name" >>"$folder/ending"
    done
    wait_for 10 all_gone || while read -r pid start _; do
        ! is_ours "$pid" "$start" || kill -9 "$pid" 2>/dev/null
    done <"$folder/ending"
    wait_for 2 all_gone || say "some processes of $folder did not end"
}

# --- configuration ---------------------------------------------------------------------------------------------------

free_ports() {
    python3 -c '
import socket, sys
held = [socket.socket() for _ in range(int(sys.argv[1]))]
for one in held:
    one.bind(("127.0.0.1", 0))
print(*(one.getsockname()[1] for one in held))' "$1"
}

write_slurmdbd_conf() {
    cat <<END
AuthType=auth/munge
AuthInfo=socket=$folder/munge/socket
DbdHost=localhost
DbdPort=$dbd_port
SlurmUser=root
StorageType=accounting_storage/mysql
StorageHost=127.0.0.1
StoragePort=$sql_port
StorageUser=accounting
StoragePass=loopback
StorageLoc=accounting
PidFile=$folder/slurmdbd.pid
LogFile=$folder/log/slurmdbd
END
}

# Processes are found by their parents, and no cgroup is made: it works in containers.
write_slurm_conf() {
    cat <<END
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$controller_port
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/munge/socket
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool-%n
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd-%n.pid
SlurmctldLogFile=$folder/log/slurmctld
SlurmdLogFile=$folder/log/slurmd-%n
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=1
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=$((memory / cpus))
MpiDefault=none
ReturnToService=2
KillWait=2
MinJobAge=600
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost=localhost
AccountingStoragePort=$dbd_port
AccountingStoragePass=$folder/munge/socket
END
    gres=
    if [ "$gpus" -gt 0 ]; then
        printf 'GresTypes=gpu\nAccountingStorageTRES=gres/gpu,gres/gpu:%s\n' "$gpu_type"
        gres="Gres=gpu:$gpu_type:$gpus"
    fi
    [ -z "$config" ] || printf '%s\n' "$config"
    node=0
    for port in $node_ports; do
        node=$((node + 1))
        echo "NodeName=n$node NodeHostname=$host NodeAddr=127.0.0.1 Port=$port CPUs=$cpus RealMemory=$memory $gres State=UNKNOWN"
    done
    default=YES
    printf '%s\n' "$partitions" | while read -r name settings; do
        echo "PartitionName=$name Default=$default State=UP $settings"
        default=NO
    done
}

# Devices that swallow what is written to them; where none can be made, GPUs are only counted.
write_gres_conf() {
    device=0
    while [ "$device" -lt "$gpus" ]; do
        mknod -m 666 "$folder/gpu$device" c 1 3 2>/dev/null || break
        device=$((device + 1))
    done
    if [ "$device" -lt "$gpus" ]; then
        echo "Name=gpu Type=$gpu_type Count=$gpus"
    else
        echo "Name=gpu Type=$gpu_type File=$folder/gpu[0-$((gpus - 1))]"
    fi
}

# --- start -----------------------------------------------------------------------------------------------------------

start_munge() {
    mkdir -p "$folder/munge"
    chmod 755 "$folder/munge"
    (umask 077 && head -c 1024 /dev/urandom >"$folder/munge/key")
    # --force: it dislikes a folder in /tmp, which others may write to.
    daemon munged munged --foreground --force --num-threads=2 --key-file="$folder/munge/key" --socket="$folder/munge/socket" \
        --pid-file="$folder/munge/pid" --log-file="$folder/log/munged" --seed-file="$folder/munge/seed"
    need 20 'munged did not start' munge --no-input --socket "$folder/munge/socket"
}

sql() { # sql OPTION...
    mariadb --no-defaults --user=root --socket="$folder/sql/socket" "$@"
}

start_database() {
    mkdir -p "$folder/sql"
    chown mysql "$folder/sql"
    mariadb-install-db --no-defaults --user=mysql --datadir="$folder/sql/data" --skip-test-db \
        --auth-root-authentication-method=normal >"$folder/log/install-db" 2>&1
    daemon mariadbd mariadbd --no-defaults --user=mysql --datadir="$folder/sql/data" --socket="$folder/sql/socket" \
        --pid-file="$folder/sql/pid" --bind-address=127.0.0.1 --port="$sql_port" --performance-schema=OFF \
        --innodb-buffer-pool-size=64M --innodb-lock-wait-timeout=900 --innodb-flush-log-at-trx-commit=0
    need 60 'MariaDB did not start' sql --execute 'SELECT 1'
    for at in localhost 127.0.0.1; do
        echo "CREATE USER accounting@$at IDENTIFIED BY 'loopback'; GRANT ALL ON accounting.* TO accounting@$at;"
    done | sql --batch
}

add_accounts() {
    printf '%s\n' "$accounts" | while IFS=: read -r name parent; do
        sacctmgr --immediate --quiet add account "$name" Cluster=test ${parent:+parent="$parent"}
    done
    printf '%s\n' "$users" | while IFS=: read -r name account; do
        sacctmgr --immediate --quiet add user "$name" account="${account:-$first_account}" Cluster=test
    done
}

nodes_idle() {
    [ "$(timeout 5 sinfo --noheader --Node --format '%N %T' | sort -u | grep -c ' idle$')" = "$nodes" ]
}

start() {
    host=$(uname -n | cut -d . -f 1)
    # shellcheck disable=SC2046 # a list of numbers
    set -- $(free_ports $((3 + nodes)))
    sql_port=$1 dbd_port=$2 controller_port=$3
    shift 3
    node_ports=$*
    mkdir -p "$folder/log" "$folder/state"
    chmod 755 "$folder"
    : >"$folder/processes"
    (umask 077 && write_slurmdbd_conf >"$folder/slurmdbd.conf")
    write_slurm_conf >"$folder/slurm.conf"
    [ "$gpus" -eq 0 ] || write_gres_conf >"$folder/gres.conf"
    export SLURM_CONF="$folder/slurm.conf"
    start_munge
    start_database
    daemon slurmdbd slurmdbd -D
    need 60 'slurmdbd did not answer' timeout 5 sacctmgr --noheader list cluster
    {
        sacctmgr --immediate --quiet add cluster test
        add_accounts
    } >"$folder/log/accounts" 2>&1
    daemon slurmctld slurmctld -D
    need 30 'slurmctld did not answer' timeout 5 scontrol ping
    node=0
    while [ "$node" -lt "$nodes" ]; do
        node=$((node + 1))
        mkdir -p "$folder/spool-n$node"
        daemon "slurmd-n$node" slurmd -D -N "n$node"
    done
    need 60 'the nodes were not ready' nodes_idle
    echo "$folder/slurm.conf"
}

# add LIST LINE: the list with a line more.
add() {
    printf '%s%s' "${1:+$1
}" "$2"
}

usage() {
    sed -n '5,6s/^# *//p' "$0" >&2
    exit 2
}

[ $# -ge 2 ] || usage
task=$1
case $2 in /*) folder=$2 ;; *) folder=$PWD/$2 ;; esac
shift 2
nodes=2 cpus=2 memory=2000 gpus=0 gpu_type=h100 partitions='' accounts='' users='' config=''
while [ $# -ge 2 ]; do
    case $1 in
    --nodes) nodes=$2 ;;
    --cpus) cpus=$2 ;;
    --memory) memory=$2 ;;
    --gpus) gpus=$2 ;;
    --gpu-type) gpu_type=$2 ;;
    --partition) partitions=$(add "$partitions" "$2") ;;
    --account) accounts=$(add "$accounts" "$2") ;;
    --user) users=$(add "$users" "$2") ;;
    --config) config=$(add "$config" "$2") ;;
    *) usage ;;
    esac
    shift 2
done
[ $# -eq 0 ] || usage
: "${partitions:=main Nodes=n[1-$nodes]}" "${accounts:=lab}"
first_account=$(printf '%s\n' "$accounts" | sed 's/:.*//;q')
users=$(add "$users" root)
case $task in
start)
    for program in munged mariadbd slurmdbd slurmctld slurmd python3; do
        command -v "$program" >/dev/null || { say "there is no $program here" && exit 1; }
    done
    [ "$(id -u)" = 0 ] || { say 'starting a cluster takes root' && exit 1; }
    start
    ;;
stop)
    stop
    rm -rf "$folder"
    ;;
*) usage ;;
esac
