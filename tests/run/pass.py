#!/usr/bin/python3
"""What passes through `stint run`: status, signals, descriptors, arguments, environment."""
import os
import random
import resource
import signal
import subprocess

from harness import PYTHON, STINT, Skip, main, read, script, test, wait_for

CATCH = """
import os, signal, sys, time
got = []
for name in ("TERM", "USR1", "USR2", "HUP", "ALRM", "INT", "QUIT"):
    signal.signal(getattr(signal, "SIG" + name), lambda n, f: got.append(n))
open("ready", "w").close()
last = time.monotonic()
while time.monotonic() - last < 60 and not os.path.exists("go"):
    time.sleep(0.05)
time.sleep(0.3) # a second one would still come
print(*got)
"""


@test
def statuses(w):
    """the command's status is passed on"""
    for status in (0, 1, 2, 3, 5, 42, 126, 127, 128, 130, 255):
        ended = w.run("--quiet", "--", "sh", "-c", f"exit {status}")
        assert ended.status == status and ended.err == b"", (status, ended)
    rows = w.ask("SELECT status, state FROM attempts")
    assert sorted(row["status"] for row in rows) == [0, 1, 2, 3, 5, 42, 126, 127, 128, 130, 255]
    assert {row["state"] for row in rows if row["status"] != 0} == {"failed"}


@test
def deaths(w):
    """a command that a signal ends ends stint by the same signal"""
    for number in (signal.SIGTERM, signal.SIGKILL, signal.SIGSEGV, signal.SIGUSR1, signal.SIGPIPE, signal.SIGABRT,
                   signal.SIGINT, signal.SIGHUP, signal.SIGRTMIN):
        ended = w.run("--quiet", "--", "sh", "-c", f"ulimit -c 0; kill -{int(number)} $$")
        assert ended.status == -number, (number, ended)
    assert {row["status"] for row in w.ask("SELECT status FROM attempts")} >= {128 + 9, 128 + 15}
    assert not [name for name in os.listdir(w.dir) if "core" in name]


@test
def no_command(w):
    """127 when there is no such command, 126 when it cannot be executed"""
    w.write("data", "no program")
    w.write("format", "\x7fELFno", 0o755)
    for words, status, message in ((["no-such-command-anywhere"], 127, b"not found"), (["./absent"], 127, b"not found"),
                                (["./data"], 126, b"cannot be executed"), ([w.dir], 126, b"cannot be executed"),
                                (["./data/x"], 126, b"cannot be executed")):
        ended = w.run("--", *words)
        assert ended.status == status and message in ended.err, (words, ended)
        assert ended.out == b"", ended
    assert w.run("--").status == 2


@test
def shebang_missing(w):
    """a script without a #! line runs, as in a shell"""
    w.write("plain", "echo plain\n", 0o755)
    ended = w.run("--quiet", "--", "./plain")
    assert (ended.status, ended.out) == (0, b"plain\n"), ended


@test
def words_with_dashes(w):
    """what follows the first word that is not an option is the command's"""
    ended = w.run("--quiet", "echo", "--budget", "-n", "--", "--help", "x=y", "")
    assert (ended.status, ended.out) == (0, b"--budget -n -- --help x=y \n"), ended


def bytes_both_ways(w, *options):
    data = random.Random(7).randbytes(8 << 20)
    with open(w.path("data"), "wb") as file:
        file.write(data)
    ended = w.run("--quiet", *options, "--", "sh", "-c", "tee copy; cat copy >&2", given=data)
    assert ended.status == 0, ended.status
    assert ended.out == data, "stdout differs"
    assert ended.err == data, "stderr differs"


@test
def bytes_untouched(w):
    """8 MB of any bytes go in and out unchanged"""
    bytes_both_ways(w)


@test
def bytes_read(w):
    """so they do when progress is read"""
    bytes_both_ways(w, "--progress")


@test
def bytes_status(w):
    """so they do when a status is wanted, in a log"""
    bytes_both_ways(w, "--status")


@test
def same_file(w):
    """two outputs that are one file keep their order"""
    for options in ([], ["--progress"]):
        with open(w.path("log"), "wb") as log:
            w.run("--quiet", *options, "--", "sh", "-c", "for i in 1 2 3 4 5 6; do echo o$i; echo e$i >&2; done",
                  stdout=log, stderr=log)
        assert read(w.path("log")) == b"".join(b"o%d\ne%d\n" % (i, i) for i in range(1, 7))


@test
def summary_aside(w):
    """stint's messages go to stderr, never to stdout"""
    ended = w.run("--price", "$3.60/hr", "--", "echo", "hello")
    assert ended.out == b"hello\n" and b"stint: echo done" in ended.err and b"$3.60/hr" in ended.err, ended
    ended = w.run("--status", "--progress", "--", "echo", "hello")
    assert ended.out == b"hello\n" and b"stint: echo done" in ended.err, ended


@test
def signals_passed(w):
    """signals sent to stint reach the command once"""
    process = w.stint("--quiet", "--", *script(CATCH))
    wait_for("the command", lambda: os.path.exists(w.path("ready")))
    numbers = [signal.SIGUSR1, signal.SIGUSR2, signal.SIGHUP, signal.SIGALRM, signal.SIGINT, signal.SIGQUIT,
               signal.SIGTERM]
    for number in numbers:
        process.send_signal(number)
    w.write("go", "")
    ended = w.end(process)
    assert sorted(int(word) for word in ended.out.split()) == sorted(int(number) for number in numbers), ended
    assert ended.status == 0 and w.attempt()["state"] == "done", ended


@test
def terminated(w):
    """SIGTERM to stint ends a plain command by it; the ledger has it as stopped"""
    process = w.stint("--", "sleep", "100")
    w.sampled()
    process.terminate()
    ended = w.end(process)
    assert ended.status == -signal.SIGTERM, ended
    row = w.attempt()
    assert (row["state"], row["reason"], row["status"]) == ("stopped", "user", 143), tuple(row)


@test
def signal_masks(w):
    """the command has the signal mask and the ignored signals that stint was given"""
    look = "grep -E '^Sig(Blk|Ign)' /proc/self/status"
    plain = w.end(w.start("sh", "-c", look))

    def strange():
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR2, signal.SIGCHLD})
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        signal.signal(signal.SIGQUIT, signal.SIG_IGN)

    for prepare in (None, strange):
        plain = w.end(w.start("grep", "-E", "^Sig(Blk|Ign)", "/proc/self/status", preexec_fn=prepare))
        for options in ([], ["--progress"]):
            ended = w.run("--quiet", *options, "--", "grep", "-E", "^Sig(Blk|Ign)", "/proc/self/status",
                          preexec_fn=prepare)
            assert ended.out == plain.out, (options, ended, plain)


@test
def nohup(w):
    """under nohup, SIGHUP ends neither"""
    process = w.start("nohup", STINT, "run", "--quiet", "--", "sh", "-c",
                      "touch ready; while [ ! -e go ]; do sleep 0.05; done; echo lived")
    wait_for("the command", lambda: os.path.exists(w.path("ready")))
    process.send_signal(signal.SIGHUP)
    w.write("go", "")
    ended = w.end(process)
    assert ended.status == 0 and ended.out == b"lived\n", ended


@test
def descriptors(w):
    """no descriptor of stint's is open in the command, and those above 2 are passed on"""
    plain = os.listdir("/proc/self/fd")
    look = "import os; print(sorted(int(n) for n in os.listdir('/proc/self/fd')))"
    ends = os.pipe()
    for options in ([], ["--progress"], ["--status", "--checkpoints", ".", "--price", "$1/hr", "--budget", "$1"]):
        direct = w.end(w.start(*script(look), pass_fds=[ends[1]]))
        ended = w.run("--quiet", *options, "--", *script(look), pass_fds=[ends[1]])
        assert ended.out == direct.out, (options, ended, direct, plain)


@test
def closed(w):
    """closed descriptors stay closed, and nothing else takes their place"""
    look = "import os\nfor fd in 0, 1, 2:\n  try: at = os.readlink(f'/proc/self/fd/{fd}')\n" \
           "  except OSError: at = 'closed'\n  open('seen', 'a').write(f'{fd} {at}\\n')"
    w.write("look.py", look)
    for closing in ("<&-", ">&-", "2>&-", "<&- >&-", ">&- 2>&-", "<&- >&- 2>&-"):
        for options in ("", "--progress --status"):
            seen = []
            for command in ("", f"'{STINT}' run --quiet --no-gpu {options} -- "):
                w.write("seen", "")
                ended = w.end(w.start("sh", "-c", f"{command}'{PYTHON}' look.py {closing}", stdout=subprocess.DEVNULL,
                                      stderr=subprocess.DEVNULL))
                assert ended.status == 0, (closing, options, ended)
                seen.append([line for line in read(w.path("seen")).splitlines() if b"pipe" not in line])
            # The relay may put a pipe in place of an output that is open.
            closed_now = [[line for line in lines if b"closed" in line] for lines in seen]
            assert closed_now[0] == closed_now[1], (closing, options, seen)


@test
def full_disk(w):
    """a full stdout is the command's to see; where its output is read the command goes on, and one line says so"""
    program = script("import os,sys\ntry:\n  for i in range(2000): os.write(1, b'step 1 loss 1\\n' * 50)\n"
                     "except OSError as e: sys.exit(7)\nopen('end', 'w').close()")
    for options in ([], ["--progress"], ["--status"]):
        with open("/dev/full", "wb") as full:
            ended = w.run(*options, "--", *program, stdout=full)
        assert ended.status == (0 if options else 7) and os.path.exists(w.path("end")) == bool(options), (options, ended)
        told = ended.err.count(b"warning: standard output cannot be written (No space left on device): the command continues")
        assert told == bool(options), (options, ended)
        assert not options or "output-lost" in w.events(), w.events()
        if options:
            os.remove(w.path("end"))


@test
def reader_gone(w):
    """a reader that goes away ends the command by SIGPIPE, as without stint"""
    for options in ([], ["--progress"]):
        process = w.stint("--quiet", *options, "--", "yes", "loss 1.5")
        process.stdout.read(10)
        process.stdout.close()
        process.stdout = None
        ended = w.end(process)
        assert ended.status == -signal.SIGPIPE, (options, ended)


@test
def many_words(w):
    """a thousand long words and a large environment arrive"""
    words = [f"{i}-" + "y" * 100 for i in range(1000)]
    large = {f"LARGE_{i}": "z" * 1000 for i in range(500)}
    ended = w.run("--quiet", "--", *script(
        "import os,sys; print(len(sys.argv), sum(map(len, sys.argv)), sum(len(v) for k, v in os.environ.items()"
        " if k.startswith('LARGE')))"), *words, env=large)
    assert ended.out.split() == [b"1001", str(2 + sum(map(len, words))).encode(), b"500000"], ended


@test
def variables(w):
    """the command gets its run's variables, and nothing else changes in its environment"""
    plain = dict(line.split(b"=", 1) for line in w.end(w.start("env", "-0")).out.split(b"\0") if line)
    name = "named-" + "x" * 100
    ended = w.run("--quiet", "--name", name, "--", "env", "-0", env={"STINT_ATTEMPT": "77"})
    seen = dict(line.split(b"=", 1) for line in ended.out.split(b"\0") if line)
    assert seen[b"STINT_RUN_NAME"] == name.encode() and seen[b"STINT_ATTEMPT"] == b"1", seen
    assert seen[b"STINT_RUN_ID"].decode() == w.attempt()["id"]
    assert seen.pop(b"STINT_SOCKET").startswith(w.dir.encode())
    for name in (b"STINT_RUN_ID", b"STINT_RUN_NAME", b"STINT_ATTEMPT"):
        seen.pop(name)
    assert seen == plain, (seen, plain)
    assert not [name for name in os.listdir(w.dir) if name.endswith(".sock")], "the socket is left behind"


@test
def limits(w):
    """resource limits and niceness are the command's own"""
    def limit():
        resource.setrlimit(resource.RLIMIT_NOFILE, (123, 456))
        os.nice(7)

    ended = w.run("--quiet", "--", "sh", "-c", "ulimit -Sn; ulimit -Hn; nice", preexec_fn=limit)
    assert ended.out.split() == [b"123", b"456", str(min(19, os.nice(0) + 7)).encode()], ended


@test
def under_timeout(w):
    """under timeout(1) it ends as the command would"""
    ended = w.end(w.start("timeout", "--preserve-status", "-s", "TERM", "2", STINT, "run", "--quiet", "--", "sh", "-c",
                          "trap 'echo got; exit 9' TERM; sleep 50 & wait; exit 1"))
    # It signals its child and its process group: the command gets the signal from both.
    assert ended.out in (b"got\n", b"got\ngot\n") and ended.status in (9, 143), ended


@test
def nested(w):
    """stint run inside stint run: both count"""
    ended = w.run("--name", "outer", "--", STINT, "run", "--name", "inner", "--quiet", "--", "sh", "-c",
                  "echo $STINT_RUN_NAME; exit 3")
    assert ended.status == 3 and ended.out == b"inner\n", ended
    rows = {row["name"]: row["status"] for row in w.ask("SELECT name, status FROM attempts JOIN runs USING (run)")}
    assert rows == {"inner": 3, "outer": 3}, rows


@test
def not_root(w):
    """as a user without rights, in another user's folder"""
    if os.getuid() != 0:
        raise Skip("this is not root")
    os.chmod(w.dir, 0o755)
    home = w.path("home")
    os.mkdir(home)
    os.chown(home, 65534, 65534)
    probe = w.end(w.start("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", STINT, "--version"))
    if probe.status != 0:
        raise Skip("the user 'nobody' cannot run this build")
    ended = w.end(w.start("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", STINT, "run", "--price",
                          "$36/hr", "--budget", "$1", "--", "sh", "-c", "(sleep 0.3; id -u) & exit 4",
                          env={"HOME": home, "STINT_LEDGER": home + "/l.db", "XDG_RUNTIME_DIR": home}))
    assert ended.status == 4 and ended.out == b"65534\n" and b"waiting" in ended.err, ended
    w.ledger = home + "/l.db"
    assert w.attempt()["state"] == "failed"


@test
def bad_words(w):
    """options that make no sense are refused before anything runs"""
    for words in (["--budget", "$0"], ["--budget", "$-1"], ["--budget", "x"], ["--price", "banana"], ["--deadline", "0s"],
                  ["--idle", "x"], ["--leftovers", "eat"], ["--if-killed", "x"], ["--checkpoint-signal", "KILL"],
                  ["--tag", "x"], ["--extra", "x"], ["--extra", "labels=$-1"], ["--metrics", "loss=("], ["--every", "0s"],
                  ["--early-stop", "x:y:z"], ["--grace", "x"], ["--keep", "3"], ["--plan", "absent.json"],
                  ["--offer", "no/such/offer"], ["--budget", "$1", "--price", "$1/hr", "--extra", "labels=$12"],
                  ["--resume", "nothing"], ["--budget", "$1"]):
        ended = w.run(*words, "--", "touch", "ran")
        assert ended.status in (2, 3, 1, 4) and b"stint: " in ended.err and ended.out == b"", (words, ended)
        assert b"ERROR: AddressSanitizer" not in ended.err and b"runtime error" not in ended.err, (words, ended)
        assert not os.path.exists(w.path("ran")), (words, ended)


@test
def silent_ledger(w):
    """--no-ledger leaves no file"""
    ended = w.run("--no-ledger", "--", "true")
    assert ended.status == 0 and not os.path.exists(w.ledger), ended


@test
def bad_ledger(w):
    """a ledger that cannot be written is reported; the command runs, its record waits in a journal, and its status is passed on"""
    w.write("damaged.db", "this is not a ledger\n" * 100)
    os.mkdir(w.path("folder.db"))
    for ledger in ("/proc/nothing/ledger.db", w.path("damaged.db"), w.path("folder.db"), "/dev/full"):
        ended = w.run("--", "sh", "-c", "echo ran; exit 6", env={"STINT_LEDGER": ledger})
        assert ended.status == 6 and ended.out == b"ran\n" and b"this run is kept in '" in ended.err, (ledger, ended)
        assert b"stint show" not in ended.err, (ledger, ended)
    assert read(w.path("damaged.db")).startswith(b"this is not a ledger"), "a foreign file was overwritten"


main()
