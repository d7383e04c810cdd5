#!/usr/bin/python3
"""`stint watch`: a whole machine that is guarded without a command of its own."""
import os
import signal
import threading

from harness import STINT, main, read, test, wait_for


def watch(w, *words):
    return w.start(STINT, "watch", "--every", "200ms", *words)


@test
def deadline(w):
    """a machine that has been up too long: the command is run, status 5"""
    ended = w.end(watch(w, "--deadline", "1s", "--grace", "1s", "--once", "--do", "echo $STINT_EVENT >done"))
    assert ended.status == 5 and read(w.path("done")) != b"", ended


@test
def budget(w):
    """one that has cost too much since it was started"""
    ended = w.end(watch(w, "--budget", "$0.01", "--price", "$3600/hr", "--grace", "1s", "--once", "--do", "touch done",
                        "--on-event", "echo $STINT_EVENT >>events"))
    assert ended.status == 5 and os.path.exists(w.path("done")) and read(w.path("events")) != b"", ended


@test
def idle(w):
    """an idle one: its counters are ours, since the real machine runs tests"""
    stop = threading.Event()

    def count():
        ticks = 1000
        while not stop.wait(0.05):
            ticks += 10
            w.write("stat.new", f"cpu  100 0 100 {ticks} 0 0 0 0 0 0\ncpu0 100 0 100 {ticks} 0 0 0 0 0 0\nbtime 1\n")
            os.rename(w.path("stat.new"), w.path("root/proc/stat"))

    w.write("root/proc/stat", "cpu  100 0 100 1000 0 0 0 0 0 0\ncpu0 100 0 100 1000 0 0 0 0 0 0\nbtime 1\n")
    w.write("root/proc/uptime", "5000.00 5000.00\n")
    w.write("root/proc/meminfo", "MemTotal: 1000000 kB\nMemAvailable: 900000 kB\n")
    w.env["STINT_ROOT"] = w.path("root")
    counter = threading.Thread(target=count)
    counter.start()
    try:
        ended = w.end(watch(w, "--idle", "1s", "--grace", "1s", "--once", "--do", "touch done"))
    finally:
        stop.set()
        counter.join()
    assert ended.status == 5 and os.path.exists(w.path("done")), ended


@test
def patient(w):
    """one that is within its limits is left alone, and Ctrl-C ends the watch"""
    process = watch(w, "--idle", "1000h", "--deadline", "1000000h", "--do", "touch done", "--heartbeat", "200ms")
    wait_for("a heartbeat", lambda: os.read(process.stderr.fileno(), 4096))
    process.send_signal(signal.SIGINT)
    ended = w.end(process)
    assert ended.status in (0, 130, -signal.SIGINT) and not os.path.exists(w.path("done")), ended


@test
def only_said(w):
    """without a command it is only said"""
    ended = w.end(watch(w, "--deadline", "1s", "--grace", "1s", "--once"))
    assert ended.status == 5 and b"stint: " in ended.err, ended


@test
def nothing_to_watch(w):
    """without a guard it is refused"""
    ended = w.end(watch(w))
    assert ended.status == 2 and b"hint" in ended.err, ended


main()
