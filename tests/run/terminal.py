#!/usr/bin/python3
"""`stint run` at a terminal: what the command sees of it, Ctrl-C, Ctrl-Z, its size, the status line."""
import fcntl
import os
import pty
import re
import select
import shutil
import signal
import struct
import termios
import time

from harness import LONG, PYTHON, STINT, Skip, main, read, script, test, wait_for


class Terminal:
    """A pseudo-terminal with its own session, as an emulator has."""

    def __init__(self, world, *words, rows=30, columns=100, **how):
        self.master, slave = pty.openpty()
        self.world, self.text = world, b""
        self.resize(rows, columns)

        def take():
            os.setsid()
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)

        for name in ("stdin", "stdout", "stderr"):
            how.setdefault(name, slave)
        self.process = world.start(*words, preexec_fn=take, **how)
        os.close(slave)

    def resize(self, rows, columns):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def type(self, text):
        os.write(self.master, text)

    def look(self):
        """Take what there is; False at the end."""
        if select.select([self.master], [], [], 0.05)[0]:
            try:
                part = os.read(self.master, 65536)
            except OSError:  # the last one closed it
                return False
            self.text += part
            return part != b""
        return True

    def expect(self, words, after=0):
        until = time.monotonic() + LONG
        while words not in self.text[after:]:
            if not self.look() or time.monotonic() > until:
                raise AssertionError(f"{words!r} does not come: {self.text!r}")
        return self.text.index(words, after) + len(words)

    def end(self):
        until = time.monotonic() + LONG
        while self.look() and time.monotonic() < until:
            pass
        status = self.process.wait(LONG)
        os.close(self.master)
        return status


def stint(*words):
    return [STINT, "run", "--no-gpu", *words]


def without_drawn(text):
    """what the command printed: without what was drawn elsewhere on the screen"""
    return re.sub(rb"\x1b7.*?\x1b8", b"", text)


SEEN = """
import os
print("tty", [os.isatty(fd) for fd in (0, 1, 2)])
print("size", *[tuple(os.get_terminal_size(fd)) for fd in (0, 1, 2)])
print("front", os.tcgetpgrp(0) == os.getpgrp(), os.open("/dev/tty", os.O_RDWR) > 2)
"""


@test
def seen(w):
    """the command sees the terminal on 0, 1 and 2, and is in the foreground"""
    for options in ([], ["--progress"]):
        t = Terminal(w, *stint("--quiet", *options, "--", *script(SEEN)))
        assert t.end() == 0, t.text
        assert b"tty [True, True, True]" in t.text and b"front True True" in t.text, t.text
        assert b"size (100, 30) (100, 30) (100, 30)" in t.text, t.text


@test
def seen_status(w):
    """with a status line its outputs are terminals with one row less"""
    t = Terminal(w, *stint("--quiet", "--status", "--", *script(SEEN)))
    assert t.end() == 0, t.text
    printed = without_drawn(t.text)
    assert b"tty [True, True, True]" in printed and b"front True True" in printed, t.text
    assert b"size (100, 30) (100, 29) (100, 29)" in printed, t.text


@test
def status_line(w):
    """the status line shows cost and progress, and is gone at the end"""
    t = Terminal(w, *stint("--status", "--price", "$3.60/hr", "--budget", "$1", "--", *script(
        "import time\nfor i in range(25):\n  print(f'step {i}/25 loss {5 - i / 10:.2f}')\n  time.sleep(0.1)")))
    assert t.end() == 0, t.text
    assert b"of $1.00" in t.text and b"$3.60/hr" in t.text and b"step 2" in t.text, t.text
    printed = without_drawn(t.text)
    for i in range(25):
        assert f"step {i}/25 loss {5 - i / 10:.2f}\r\n".encode() in printed, (i, t.text)
    assert t.text.rindex(b"\x1b[r") > t.text.rindex(b"step 24/25"), "the rows are not given back"
    assert b"stint: " in t.text[t.text.rindex(b"\x1b[r"):], t.text[-600:]


@test
def stdout_away(w):
    """stdout in a file and stderr at the terminal stay what they are"""
    for options in ([], ["--progress"], ["--status"]):
        with open(w.path("out"), "wb") as out:
            t = Terminal(w, *stint("--quiet", *options, "--", *script(
                "import os,sys\nprint('to the file', os.isatty(1))\nos.write(2, b'at once %r\\n' % os.isatty(2))")),
                stdout=out)
            assert t.end() == 0, t.text
        with open(w.path("out"), "rb") as out:
            assert out.read() == b"to the file False\n", options
        assert b"at once True" in t.text and b"to the file" not in t.text, (options, t.text)


CATCH = """
import signal, sys, time
got = []
signal.signal(signal.SIGINT, lambda n, f: got.append("INT"))
signal.signal(signal.SIGQUIT, lambda n, f: got.append("QUIT"))
signal.signal(signal.SIGWINCH, lambda n, f: got.append("WINCH"))
print("ready", flush=True)
while sys.stdin.readline() != "go\\n": pass
time.sleep(0.3)
import os
print("got", *got, "size", *os.get_terminal_size(1), flush=True)
"""


@test
def control_c(w):
    """Ctrl-C and Ctrl-\\ reach the command once"""
    for options in ([], ["--progress"], ["--status"]):
        t = Terminal(w, *stint("--quiet", *options, "--", *script(CATCH)))
        t.expect(b"ready")
        t.type(b"\x03")
        time.sleep(0.2)
        t.type(b"\x1c")
        time.sleep(0.2)
        t.type(b"go\n")
        assert t.end() == 0, (options, t.text)
        assert b"got INT QUIT size" in t.text, (options, t.text)


@test
def control_c_plain(w):
    """Ctrl-C ends a command that does not catch it, and stint by the same signal"""
    for options in ([], ["--status"]):
        t = Terminal(w, *stint(*options, "--", "sh", "-c", "echo ready; exec sleep 60"))
        t.expect(b"ready")
        t.type(b"\x03")
        status = t.end()
        assert status == -signal.SIGINT, (options, status, t.text)
        assert b"stint: " in t.text and b"stopped" in t.text, t.text


@test
def resized(w):
    """a new size reaches the command, with a status line one row less"""
    for options, size in (([], b"size 90 40"), (["--progress"], b"size 90 40"), (["--status"], b"size 90 39")):
        t = Terminal(w, *stint("--quiet", *options, "--", *script(CATCH)))
        t.expect(b"ready")
        t.resize(40, 90)
        time.sleep(0.5)
        t.type(b"go\n")
        assert t.end() == 0, (options, t.text)
        assert b"WINCH" in t.text and size in t.text, (options, t.text)


COUNT = "import time\nprint('ready', flush=True)\nfor i in range(1000):\n  open('count', 'a').write('x')\n  time.sleep(0.02)\n" \
        "  import os\n  if os.path.exists('go'): break\nprint('finished')"


def control_z_with(w, *options):
    t = Terminal(w, "bash", "--norc", "--noprofile", "-i", env={"PS1": "prompt> ", "HISTFILE": ""})
    t.expect(b"prompt> ")
    words = " ".join(f"'{word}'" for word in stint("--quiet", *options, "--", PYTHON, w.write("count.py", COUNT)))
    t.type(words.encode() + b"\n")
    at = t.expect(b"ready")
    time.sleep(0.2)
    t.type(b"\x1a")
    at = t.expect(b"Stopped", at)
    t.expect(b"prompt> ", at)
    count = os.path.getsize(w.path("count"))
    time.sleep(0.5)
    assert os.path.getsize(w.path("count")) == count, "the command goes on"
    t.type(b"fg\n")
    wait_for("the command to go on", lambda: t.look() and os.path.getsize(w.path("count")) > count + 5)
    w.write("go", "")
    at = t.expect(b"finished", at)
    t.expect(b"prompt> ", at)
    t.type(b"echo status=$?\n")
    t.expect(b"status=0", at)
    t.type(b"exit\n")
    t.end()
    assert w.attempt()["state"] == "done"


@test
def control_z(w):
    """Ctrl-Z stops both in a shell with job control, fg goes on"""
    control_z_with(w)


@test
def control_z_status(w):
    """the same with a status line"""
    control_z_with(w, "--status")


@test
def control_z_twice(w):
    """Ctrl-Z and bg: it goes on in the background, and ends there"""
    t = Terminal(w, "bash", "--norc", "--noprofile", "-i", env={"PS1": "prompt> ", "HISTFILE": ""})
    t.expect(b"prompt> ")
    t.type(b" ".join(f"'{word}'".encode() for word in
                     stint("--quiet", "--progress", "--", PYTHON, w.write("count.py", COUNT))) + b"\n")
    at = t.expect(b"ready")
    time.sleep(0.2)
    t.type(b"\x1a")
    at = t.expect(b"Stopped", at)
    t.type(b"bg\n")
    count = os.path.getsize(w.path("count"))
    wait_for("the command to go on", lambda: t.look() and os.path.getsize(w.path("count")) > count + 5)
    w.write("go", "")
    t.type(b"wait; echo all=$((40 + 2))\n")
    t.expect(b"all=42\r\n", at)
    assert b"finished" in t.text[at:], t.text[at:]
    t.type(b"exit\n")
    t.end()


@test
def hangup(w):
    """a terminal that goes away ends the command, and stint with it"""
    for options in ([], ["--status"]):
        t = Terminal(w, *stint("--quiet", *options, "--", "sh", "-c", "echo ready; exec sleep 60"))
        t.expect(b"ready")
        os.close(t.master)
        assert t.process.wait(LONG) == -signal.SIGHUP, (options, t.process.returncode)


@test
def reads_terminal(w):
    """the command reads what is typed, as it is set up"""
    t = Terminal(w, *stint("--quiet", "--status", "--", *script(
        "import sys, termios, tty, os\nprint('ready', flush=True)\nprint('line', input())\ntty.setraw(0)\n"
        "print('raw', flush=True)\nprint(os.read(0, 1))")))
    t.expect(b"ready")
    t.type(b"hello\n")
    t.expect(b"line hello")
    t.expect(b"raw")
    t.type(b"\x03")
    t.expect(b"b'\\x03'")
    assert t.end() == 0, t.text


def text_at_terminal(w, *words):
    t = Terminal(w, STINT, *words)
    t.end()
    return t.text


@test
def results_are_harmless(w):
    """results on a terminal contain no control sequences; in a file they are exact"""
    name = "evil\x1b]0;title\x07\u202egpj"
    added = w.end(w.start(STINT, "runs", "add", "--name", "plain", "--tag", f"team={name}", "--cost", "1usd", "--start",
                          "2026-11-02", "--end", "2026-11-03"))
    assert added.status == 0, added
    for words in (["runs", "--json"], ["tags"], ["export", "--csv"], ["runs", "--csv", "/dev/stdout"],
                  ["costs", "--by", "team", "--since", "2026-11-01"]):
        t = Terminal(w, STINT, *words)
        t.end()
        text = re.sub(rb"\x1b\[[0-9]*m", b"", t.text)
        assert b"\x1b" not in text and b"\x07" not in text and "\u202e".encode() not in text, (words, t.text)
    assert b"\\u202e" in text_at_terminal(w, "runs", "--json"), "JSON stays exact"
    exact = w.end(w.start(STINT, "runs", "--csv", w.path("runs.csv")))
    assert exact.status == 0 and name.encode() in read(w.path("runs.csv")), (exact, read(w.path("runs.csv")))


@test
def in_tmux(w):
    """in a window of tmux"""
    if shutil.which("tmux") is None:
        raise Skip("there is no tmux")
    server = ["tmux", "-S", w.path("tmux"), "-f", "/dev/null"]
    w.write("job", f"'{STINT}' run --no-gpu --status --price '$1/hr' -- sh -c 'echo inside; stty size; sleep 1.5; exit 3'\n"
            "touch over; while [ ! -e go ]; do sleep 0.1; done\n")
    w.end(w.start(*server, "new-session", "-d", "-x", "80", "-y", "24", "sh", "job"))
    wait_for("the end", lambda: os.path.exists(w.path("over")))
    screen = w.end(w.start(*server, "capture-pane", "-p")).out
    w.write("go", "")
    w.end(w.start(*server, "kill-server"))
    assert b"inside\n24 80" in screen and b"stint: sh failed (status 3)" in screen, screen
    assert w.attempt()["status"] == 3


main()
