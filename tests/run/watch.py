#!/usr/bin/python3
"""`stint watch`: guards a machine without running a command."""
import json
import os
import signal

from devices import Cards, Cores
from harness import STINT, main, read, test, wait_for
from metadata import ec2, iso


def watch(w, *words):
    """Its messages go to a file, so that a test can wait for them."""
    with open(w.path("stderr"), "wb") as errors:
        return w.start(STINT, "watch", "--every", "100ms", *words, stderr=errors)


def hear(w, words, times=1):
    wait_for(words, lambda: read(w.path("stderr")).decode().count(words) >= times)


def interrupted(w, process):
    process.send_signal(signal.SIGINT)
    ended = w.end(process)
    ended.err = read(w.path("stderr"))
    return ended


def ends(w, process):
    ended = w.end(process)
    ended.err = read(w.path("stderr"))
    return ended


@test
def idle(w):
    """an idle machine: a note at half the time, a warning, and after the grace period the command: status 5"""
    with Cores(w):
        ended = ends(w, watch(w, "--idle", "1s", "--grace", "1s", "--once", "--do", "echo $STINT_EVENT: $STINT_EVENT_TEXT >done"))
    printed = ended.err.decode()
    assert ended.status == 5 and read(w.path("done")).startswith(b"idle: nothing was more than 5 % busy"), ended
    assert 0 <= printed.find("(--idle 1s)") < printed.find("running the command in 1s"), printed
    assert b"acted           1 time, last for idle" in ended.out, ended


@test
def comes_back(w):
    """work that resumes in the grace period cancels the stop; idle time then counts from zero"""
    with Cores(w) as cores:
        process = watch(w, "--idle", "500ms", "--grace", "5s", "--do", "touch done")
        hear(w, "running the command in 5s")
        cores.busy = 0.5
        hear(w, "busy again: continuing")
        cores.busy = 0.0
        hear(w, "running the command in 5s", 2)
        ended = interrupted(w, process)
    assert ended.status == 0 and not os.path.exists(w.path("done")), ended


@test
def idle_again(w):
    """continued idleness runs the command again"""
    with Cores(w):
        process = watch(w, "--idle", "500ms", "--grace", "0s", "--do", "echo x >>done")
        wait_for("a second time", lambda: read(w.path("done")).count(b"x") >= 2)
        ended = interrupted(w, process)
    assert ended.status == 5, ended


@test
def half_busy(w):
    """cores that are half busy are not idle: of all cores, not of one"""
    with Cores(w, busy=0.5):
        process = watch(w, "--idle", "300ms", "--idle-below", "40%", "--heartbeat", "200ms", "--do", "touch done")
        hear(w, "% busy, 0 devices", 8)
        ended = interrupted(w, process)
    assert ended.status == 0 and not os.path.exists(w.path("done")), ended


@test
def device(w):
    """a device at work keeps a machine whose cores are idle; when it stops, it is idle"""
    cards = Cards(w, 2)
    cards.say(1, util=90)
    with Cores(w):
        process = watch(w, "--idle", "500ms", "--grace", "0s", "--heartbeat", "200ms", "--once", "--do", "touch done")
        hear(w, "90 % busy, 2 devices", 8)
        assert not os.path.exists(w.path("done"))
        cards.say(1, util=0)
        ended = ends(w, process)
    assert ended.status == 5 and os.path.exists(w.path("done")), ended


@test
def silent_device(w):
    """a device that does not report its utilization does not hide the other"""
    cards = Cards(w, 2)
    cards.say(0, util=80)
    cards.say(1, util=None)
    with Cores(w):
        process = watch(w, "--idle", "500ms", "--heartbeat", "200ms", "--do", "touch done")
        hear(w, "80 % busy, 2 devices", 5)
        ended = interrupted(w, process)
    assert ended.status == 0 and not os.path.exists(w.path("done")), ended


@test
def deadline(w):
    """a machine that has been up too long: the command runs once, after the grace period"""
    with Cores(w, busy=1.0):
        process = watch(w, "--deadline", "1h", "--grace", "1s", "--heartbeat", "100ms", "--do", "echo $STINT_EVENT >>done")
        wait_for("the command", lambda: read(w.path("done")))
        hear(w, "% busy", read(w.path("stderr")).count(b"% busy") + 10)
        ended = interrupted(w, process)
    assert ended.status == 5 and read(w.path("done")) == b"deadline\n", ended
    assert ended.err.count(b"running the command in 1s") == 1, ended


@test
def deadline_ahead(w):
    """a deadline still ahead: the warning comes one grace period before"""
    with Cores(w, busy=1.0):
        ended = ends(w, watch(w, "--deadline", "5003s", "--grace", "1s", "--once", "--do", "touch done"))
    assert ended.status == 5 and os.path.exists(w.path("done")) and b"running the command in 1s" in ended.err, ended


@test
def first_process(w):
    """the age of a container is that of its first process, not of its host"""
    w.write("root/proc/1/stat", "1 (init) S 0 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 490000 0 0 0 0 0 0 0 0 0 0 0 0\n")
    with Cores(w, busy=1.0):
        process = watch(w, "--budget", "$1000", "--price", "$3600/hr", "--heartbeat", "100ms", "--json")
        hear(w, "% busy", 3)
        ended = interrupted(w, process)
    assert 99 < float(json.loads(ended.out)["cost"]["amount"]) < 200, ended


@test
def budget(w):
    """a machine that has cost too much since its start: warnings, the grace period, and the command once"""
    with Cores(w, busy=1.0):
        process = watch(w, "--budget", "$5010", "--price", "$3600/hr", "--grace", "1s", "--heartbeat", "100ms",
                        "--do", "echo $STINT_EVENT $STINT_RUN_COST >>done")
        wait_for("the command", lambda: read(w.path("done")))
        hear(w, "% busy", read(w.path("stderr")).count(b"% busy") + 10)
        ended = interrupted(w, process)
    done = read(w.path("done")).split()
    assert ended.status == 5 and done[0] == b"budget" and len(done) == 2, (done, ended)
    assert float(done[1]) > 5000, done
    assert b"90 % of the budget is spent" in ended.err and ended.err.count(b"the budget is almost spent") == 1, ended


@test
def electricity(w):
    """a budget for electricity is spent by the metered energy"""
    Cards(w).say(0, energy=None, power=3600000, util=50)
    with Cores(w, busy=1.0):
        ended = ends(w, watch(w, "--electricity", "1000usd/kWh", "--budget", "$2", "--grace", "0s", "--once", "--do", "touch done",
                              "--json"))
    result = json.loads(ended.out)
    assert ended.status == 5 and result["reason"] == "budget" and os.path.exists(w.path("done")), ended
    assert not result["since_start"] and float(result["rate"]["amount"]) >= 3500 and result["energy_kwh"] > 0.001, result


@test
def silent_meter(w):
    """a meter that stops answering: its last reading is used, and the watch goes on"""
    cards = Cards(w)
    cards.say(0, energy=None, power=3600000, util=50)
    with Cores(w, busy=1.0):
        process = watch(w, "--electricity", "1000usd/kWh", "--budget", "$100000", "--heartbeat", "100ms", "--json")
        hear(w, "% busy", 5)
        cards.say(0, power=None)
        hear(w, "% busy", 10)
        ended = interrupted(w, process)
    result = json.loads(ended.out)
    assert float(result["rate"]["amount"]) >= 3500 and result["energy_kwh"] > 0 and result["cost"] is not None, result


@test
def events(w):
    """the hook receives every event, however many"""
    with Cores(w, busy=1.0):
        process = watch(w, "--idle", "1000h", "--heartbeat", "100ms", "--on-event", "echo $STINT_EVENT >>events")
        wait_for("thirty events", lambda: read(w.path("events")).count(b"heartbeat") >= 30)
        ended = interrupted(w, process)
    assert ended.status == 0, ended


@test
def notice(w):
    """an interruption notice of the cloud: the command runs at once"""
    cloud = ec2(w, **{"/latest/meta-data/spot/instance-action":
                      lambda: json.dumps({"action": "terminate", "time": iso(120)}) if os.path.exists(w.path("go")) else None})
    with Cores(w, busy=1.0):
        process = watch(w, "--idle", "1000h", "--grace", "1h", "--price", "$1/hr", "--once", "--do", "echo $STINT_EVENT >done",
                        "--json")
        wait_for("a question", lambda: ("GET", "/latest/meta-data/spot/instance-action") in cloud.server.log)
        w.write("go", "")
        ended = ends(w, process)
    result = json.loads(ended.out)
    assert ended.status == 5 and read(w.path("done")) == b"notice\n" and result["reason"] == "notice", ended
    assert "EC2 takes this machine back" in result["detail"], result


@test
def interrupt(w):
    """Ctrl-C ends the watch with what it saw"""
    with Cores(w, busy=0.5):
        process = watch(w, "--idle", "1000h", "--deadline", "1000000h", "--price", "$3600/hr", "--do", "touch done",
                        "--heartbeat", "100ms")
        hear(w, "% busy", 3)
        ended = interrupted(w, process)
    assert ended.status == 0 and not os.path.exists(w.path("done")), ended
    assert b"watched " in ended.out and b"$50" in ended.out and b"since the machine was started" in ended.out, ended


@test
def as_json(w):
    """the result as JSON: how long, how busy, how much of it idle"""
    with Cores(w):
        process = watch(w, "--idle", "1000h", "--price", "$3600/hr", "--heartbeat", "100ms", "--json")
        hear(w, "% busy", 5)
        result = json.loads(interrupted(w, process).out)
    assert result["schema"] == "stint.watch/1" and result["reason"] == "user" and result["acted"] == 0, result
    assert result["busy"] == 0 and result["idle_h"] * 3600 <= result["watched"] + 1e-6 and result["idle_h"] > 0, result
    assert float(result["cost"]["amount"]) > 5000 > float(result["idle_cost"]["amount"]) > 0, result
    assert result["command_status"] is None and result["since_start"], result


@test
def failing(w):
    """a command that fails is reported"""
    with Cores(w):
        ended = ends(w, watch(w, "--deadline", "1s", "--grace", "0s", "--once", "--do", "exit 3", "--json"))
    assert json.loads(ended.out)["command_status"] == 3 and b"the command ended with status 3" in ended.err, ended


@test
def without_command(w):
    """without a command, idleness is only reported"""
    with Cores(w):
        ended = ends(w, watch(w, "--deadline", "1s", "--grace", "1s", "--once"))
    assert ended.status == 5 and b"reached its deadline" in ended.err and b"command" not in ended.err, ended


main(8)
