"""The program `stint`: found, and started for operations that supervise processes.

Those take signals, wait for children and fork. An interpreter has signals, children and threads of its own, so they run in a
process of their own: `stint call`."""
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
import threading

from ._errors import STATUS, FailedError

LONGEST_REQUEST = 100_000  # the system takes no longer word


def program():
    """The program `stint`: STINT_PROGRAM, beside the package or the library, where pip puts programs, or in PATH."""
    named = os.environ.get("STINT_PROGRAM")
    package = os.path.dirname(os.path.abspath(__file__))
    library = os.environ.get("STINT_LIBRARY")
    places = [os.path.join(package, "bin", "stint")]
    if library and os.sep in library:
        places.append(os.path.join(os.path.dirname(os.path.abspath(library)), "stint"))
    scripts = sysconfig.get_path("scripts")
    if scripts:
        places.append(os.path.join(scripts, "stint"))
    for path in [named] if named else places:
        if os.path.isfile(path) and os.access(path, os.X_OK):
            return path
    found = None if named else shutil.which("stint")
    if found:
        return found
    raise FailedError(f"the program '{named}' (STINT_PROGRAM) is not there" if named else "the program 'stint' was not found",
                      "install Stint, add its folder to PATH, or set STINT_PROGRAM to the program")


def has_shell():
    """Does this code run in IPython, a notebook among others?"""
    try:
        return sys.modules["IPython"].get_ipython() is not None
    except Exception:  # pylint: disable=broad-except
        return False


def forward(messages, to):
    """What the program prints, where Python's own messages go: to sys.stdout or sys.stderr. Returns the thread."""
    def work():
        with messages:
            for line in messages:
                try:
                    stream = getattr(sys, to)
                    stream.write(line.decode("utf-8", "replace"))
                    stream.flush()
                except Exception:  # pylint: disable=broad-except
                    pass

    thread = threading.Thread(target=work, daemon=True, name="stint messages")
    thread.start()
    return thread


def _is_descriptor(name, number):
    """Is sys.stdout the process's own? Not in a notebook, nor where it was replaced."""
    try:
        return getattr(sys, name).fileno() == number
    except Exception:  # pylint: disable=broad-except
        return False


def _at_terminal():
    """Does Ctrl-C of a terminal reach the program, too?"""
    try:
        tty = os.open("/dev/tty", os.O_RDONLY | os.O_CLOEXEC | os.O_NOCTTY)
    except OSError:
        return False
    try:
        return os.tcgetpgrp(tty) == os.getpgrp()
    except OSError:
        return False
    finally:
        os.close(tty)


def _read_reply(reply, process):
    """One line, or what there is when the program is gone: a process that it left may hold the other end."""
    text, over = b"", False
    while not text.endswith(b"\n") and not over:
        over = process.poll() is not None
        while select.select([reply], [], [], 0 if over else 0.2)[0]:
            more = os.read(reply, 65536)
            text += more
            if not more or text.endswith(b"\n"):
                return text
    return text


def _await(reply, process):
    """The reply. Ctrl-C is for what the program runs: it ends by that, and is recorded; the second time, it is asked to stop."""
    interrupts = 0
    while True:
        try:
            text = _read_reply(reply, process)
            process.wait()
            return text, interrupts > 0
        except KeyboardInterrupt:
            interrupts += 1
            if interrupts == 1 and not _at_terminal():
                process.send_signal(signal.SIGINT)
            elif interrupts == 2:
                process.terminate()
            elif interrupts > 2:
                raise


def call_program(operation, request):
    """What stint_call() does, by the program: its exit status and its reply."""
    words = [program(), "call", operation, request]
    if len(request.encode()) > LONGEST_REQUEST:
        raise FailedError(f"the request of '{operation}' is longer than {LONGEST_REQUEST:,} bytes")
    reply, given = os.pipe()
    streams = {name: None if _is_descriptor(name, number) else subprocess.PIPE
               for name, number in (("stdout", 1), ("stderr", 2))}
    try:
        process = subprocess.Popen(words + [f"--reply-fd={given}"], pass_fds=(given,), **streams)
    except OSError as error:
        os.close(reply)
        raise FailedError(f"'{words[0]}' cannot be run: {error.strerror}", "set STINT_PROGRAM to the program") from None
    finally:
        os.close(given)
    threads = [forward(getattr(process, name), name) for name, stream in streams.items() if stream is not None]
    try:
        text, interrupted = _await(reply, process)
    finally:
        os.close(reply)
    for thread in threads:
        thread.join(1)  # what still prints is not waited for
    if interrupted:
        raise KeyboardInterrupt
    if not text.endswith(b"\n"):
        raise FailedError(f"'stint call {operation}' ended with status {process.returncode} and without a reply",
                          "its messages say why; is it the program of the same version?")
    return _status_of(text), text.decode("utf-8", "replace")


def _status_of(reply):
    data = json.loads(reply)
    return STATUS.get(data.get("kind"), 1) if data.get("schema") == "stint.error/1" else 0


def call_with_text(operation, request):
    """(exit status, reply, what the command prints, its notes and warnings) of an operation, by the program."""
    with tempfile.TemporaryFile() as reply:
        done = subprocess.run([program(), "call", operation, request, "--text", f"--reply-fd={reply.fileno()}"],
                              stdin=subprocess.DEVNULL, capture_output=True, check=False, pass_fds=(reply.fileno(),),
                              env={**os.environ, "LC_ALL": "C.UTF-8", "NO_COLOR": "1"})
        reply.seek(0)
        text = reply.read().decode("utf-8", "replace")
    return _status_of(text), text, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")
