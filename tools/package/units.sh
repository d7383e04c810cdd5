# shellcheck shell=sh
# units.sh: read by check.deb.sh. Starts the units of systemd for real, in a machine that systemd-nspawn boots in the root of that
# script, with no network but its own loopback. `check` calls the functions; each continues where the one before it ended.
# shellcheck disable=SC2016,SC2154,SC2317 # scripts for the shell inside; variables and calls of check.deb.sh
machine= # the process of systemd-nspawn

# booted SCRIPT: a shell command in the machine that was booted; -x, so that a failure shows where.
booted() {
    timeout 180 nsenter --all --target "$(pgrep -P "$machine")" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 \
        sh -euxc "$inside_helpers $1"
}
inside_helpers='
export STINT_LEDGER=/var/lib/stint/ledger.db
ask() { curl --silent --show-error --max-time 20 "$@"; }
prop() { systemctl show --value --property "$2" "$1"; } # UNIT NAME
not() { if "$@"; then return 1; fi; } # where "!" would not end a script
is_now() { [ "$(prop "$1" ActiveState)" = "$2" ]; } # UNIT STATE
# wait_until COMMAND...: for at most a minute
wait_until() { for _ in $(seq 120); do ! "$@" || return 0; sleep 0.5; done; journalctl -b -u "stint*" --no-pager | tail -40; return 1; }
at=http://127.0.0.1:8712
'

install_systemd() {
    inside apt-get install -y --no-install-recommends curl dbus openssl procps systemd systemd-sysv
}
boot_machine() {
    set -- --quiet --register=no --private-network --console=pipe --boot
    # Without systemd on this side there is nothing to make a scope for the machine.
    [ -d /run/systemd/system ] || set -- "$@" --keep-unit
    SYSTEMD_NSPAWN_UNIFIED_HIERARCHY=1 systemd-nspawn "$@" --directory "$root" </dev/null >boot.log 2>&1 &
    machine=$!
    for _ in $(seq 60); do
        sleep 1
        kill -0 "$machine" || break
        case $(booted 'systemctl is-system-running') in running | degraded) return 0 ;; esac
    done
    halt_machine
    return 1
}

halt_machine() {
    [ -n "$machine" ] || return 0
    kill "$machine" 2>/dev/null
    wait "$machine"
    machine=
}

unit_starts_with_request() {
    booted '
        not systemctl is-enabled stint.socket
        systemctl enable --now stint.socket stint-budget-check.timer
        is_now stint.service inactive
        [ "$(ask $at/healthz)" = ok ]
        wait_until is_now stint.service active
        [ "$(prop stint.service NRestarts)" = 0 ]'
}
# The first command that writes to the ledger is root's.
unit_knows_tokens() {
    booted '
        [ ! -e /var/lib/stint/ledger.db ]
        token=$(stint token add check --json | sed "s/.*\"secret\":\"\([^\"]*\)\".*/\1/")
        knows() { ask -H "Authorization: Bearer $token" $at/api/v1/runs | grep stint.runs/1; }
        wait_until knows
        [ "$(ask -o /dev/null -w "%{http_code}" $at/api/v1/runs)" = 401 ]'
}
unit_is_confined() {
    booted '
        as_service() { nsenter --mount --target "$(prop stint.service MainPID)" setpriv --reuid "$1" --regid "$1" --clear-groups sh -c "$2"; }
        user=$(stat -Lc %u /var/lib/stint/ledger.db)
        [ "$user" -ge 61184 ]
        [ "$(stat -Lc "%a %u" /var/lib/stint /var/lib/stint/ledger.db | sort -u | tr "\n" " ")" = "600 $user 700 $user " ]
        [ "$(stat -c %U:%a /etc/stint)" = root:755 ]
        as_service "$user" "touch /var/lib/stint/own /var/cache/stint/own && rm /var/lib/stint/own /var/cache/stint/own"
        for path in /etc/stint /etc /usr/bin /var/lib; do not as_service "$user" "touch $path/other"; done
        not as_service "$user" "ls /root"
        journalctl --boot >/root/journal.txt
        grep "listening at" /root/journal.txt
        not grep -E "sign-in|stint_[0-9a-f]{8}" /root/journal.txt'
}
# A budget that is spent, a webhook, and the service that the timer starts.
unit_sends_alerts() {
    booted '
        perl -MIO::Socket::INET -e "
            \$server = IO::Socket::INET->new(Listen => 1, LocalAddr => q(127.0.0.1:8713)) or die;
            \$client = \$server->accept; \$client->recv(\$text, 65536); print \$text;
            print \$client qq(HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n)" >/root/hook.txt &
        stint alert add hook webhook --url http://127.0.0.1:8713/
        stint budget set all 1usd --alert hook
        day=$(date -u +%Y-%m-%d)
        stint runs add --name check --cost 120usd --start "${day}T00:00:00Z" --end "${day}T00:00:01Z"
        systemctl start stint-budget-check.service
        [ "$(prop stint-budget-check.service Result)" = success ]
        wait
        grep "Budget all: 12000" /root/hook.txt
        [ "$(prop stint-budget-check.timer NextElapseUSecRealtime)" != "" ]'
}
# Killed; stopped, so that the watchdog must notice. The request waits at the socket meanwhile.
unit_is_restarted() {
    booted '
        mkdir -p /etc/systemd/system/stint.service.d
        printf "[Service]\nWatchdogSec=2\n" >/etc/systemd/system/stint.service.d/watchdog.conf
        systemctl daemon-reload
        systemctl restart stint.service
        since=$(prop stint.service WatchdogTimestampMonotonic)
        reported() { [ "$(prop stint.service WatchdogTimestampMonotonic)" != "$since" ]; }
        wait_until reported
        [ "$(prop stint.service NRestarts)" = 0 ]
        kill -KILL "$(prop stint.service MainPID)"
        [ "$(ask $at/healthz)" = ok ]
        [ "$(prop stint.service NRestarts)" = 1 ]
        kill -STOP "$(prop stint.service MainPID)"
        [ "$(ask $at/healthz)" = ok ]
        [ "$(prop stint.service NRestarts)" = 2 ]
        journalctl --boot --unit stint.service | grep "Watchdog timeout"
        rm /etc/systemd/system/stint.service.d/watchdog.conf
        systemctl daemon-reload'
}
# At an address that others reach, with a key that a group may read; then a new certificate.
unit_reloads_certificate() {
    booted '
        mkdir -p /etc/systemd/system/stint.socket.d
        groupadd --force --system ssl-cert
        make_certificate() {
            openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj "/CN=$1" \
                -addext subjectAltName=DNS:costs.test -keyout /etc/stint/key.pem -out /etc/stint/certificate.pem
            chgrp ssl-cert /etc/stint/key.pem
            chmod 640 /etc/stint/key.pem
        }
        tls() { ask --resolve costs.test:8714:127.0.0.1 --cacert /etc/stint/certificate.pem --verbose https://costs.test:8714/healthz 2>&1; }
        make_certificate first
        printf "[Socket]\nListenStream=\nListenStream=0.0.0.0:8714\n" >/etc/systemd/system/stint.socket.d/check.conf
        printf "[Service]\nSupplementaryGroups=ssl-cert\n" >/etc/systemd/system/stint.service.d/check.conf
        echo "STINT_SERVE=\"--name costs.test --certificate /etc/stint/certificate.pem --key /etc/stint/key.pem\"" >/etc/stint/environment
        systemctl daemon-reload
        systemctl restart stint.socket
        tls | grep "subject: CN=first"
        before=$(prop stint.service MainPID)
        make_certificate second
        systemctl reload stint.service
        renewed() { tls | grep "subject: CN=second"; }
        wait_until renewed
        [ "$(prop stint.service MainPID)" = "$before" ]
        [ "$(prop stint.service NRestarts)" = 0 ]'
}
unit_ends() {
    booted '
        systemctl stop stint.service
        [ "$(prop stint.service Result) $(prop stint.service ExecMainStatus)" = "success 0" ]
        systemctl start stint.service
        systemctl stop stint.socket
        is_now stint.service inactive
        [ "$(prop stint.service Result) $(prop stint.service ExecMainStatus)" = "success 0" ]
        [ -z "$(systemctl --failed --no-legend "stint*")" ]'
}
# A new version of the package restarts the server; without the package there is none.
unit_follows_package() {
    booted '
        rm -r /etc/systemd/system/stint.s* /etc/stint/*
        systemctl daemon-reload
        systemctl start stint.socket stint.service
        before=$(prop stint.service MainPID)
        dpkg -i /packages/stint_*.deb
        wait_until is_now stint.service active
        [ "$(prop stint.service MainPID)" != "$before" ]
        [ "$(ask $at/healthz)" = ok ]
        dpkg --purge stint
        not pgrep -x stint
        not ask $at/healthz
        [ -z "$(find /etc /lib/systemd /var/lib/systemd -name "stint*" ! -path "*/deb-systemd-helper*")" ]
        [ -s /var/lib/stint/ledger.db ]
        rm -r /var/lib/stint /var/lib/private/stint /var/cache/stint /var/cache/private/stint
        dpkg -i /packages/stint_*.deb
        is_now stint.socket inactive
        is_now stint-budget-check.timer inactive'
}

check_started_units() {
    check 'systemd: the first request starts the server' unit_starts_with_request
    check 'systemd: a token that root adds is valid' unit_knows_tokens
    check 'systemd: files are its own, others are out of reach; the journal has no secret' unit_is_confined
    check 'systemd: the service of the timer checks budgets and sends alerts' unit_sends_alerts
    check 'systemd: restarted when it is killed or hangs' unit_is_restarted
    check 'systemd: a reload reads a renewed certificate' unit_reloads_certificate
    check 'systemd: it ends cleanly' unit_ends
    check 'systemd: an upgrade restarts it, a purge ends it and keeps the ledger' unit_follows_package
}

check_units() {
    check 'systemd can be installed' install_systemd
    umount "$root/proc" # the machine has processes of its own
    if boot_machine >boot.out 2>&1; then
        check_started_units
        halt_machine
    else
        tap_number=$((tap_number + 1))
        echo "ok $tap_number - systemd: the units # SKIP no machine can be booted here: $(tail -1 boot.log)"
    fi
    mount -t proc proc "$root/proc"
}
