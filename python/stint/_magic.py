"""IPython and Jupyter: %load_ext stint, %%stint --budget '$1', %stint idle 30m.

A cell is metered as a run of its own by stint.run(): same meters, guards and ledger. Its cost is shown below it while it
runs. A guard ends the cell with an exception; the kernel stays.
"""
import argparse
import contextlib
import os
import re
import shlex
import signal
import sys
import threading
import time

from ._errors import Error, GuardError, UsageError

SHOW_EVERY_S = 1.0
LOOK_EVERY_S = 5.0  # for an idle kernel
BUSY_SHARE = 0.05  # of a processor: a kernel that computes in a thread is not idle
GRACE_S = 300.0  # between the warning and the end
UNITS = {"s": 1, "sec": 1, "m": 60, "min": 60, "h": 3600, "hr": 3600, "d": 86400}


class _Parser(argparse.ArgumentParser):
    """Mistakes are exceptions: a kernel must not exit."""

    def error(self, message):
        raise UsageError(message, "%%stint --help lists the options")

    def exit(self, status=0, message=None):
        raise _Helped()


class _Helped(Exception):
    """The help was printed."""


def _cell_parser():
    parser = _Parser(prog="%%stint", description="Meter this cell as a run: its cost is shown while it runs.")
    parser.add_argument("--budget", metavar="AMOUNT", help="stop the cell before it costs more: '$1', 1usd")
    parser.add_argument("--price", metavar="PRICE", help="price of this machine: 2.49usd/hr (default: as 'stint run' finds it)")
    parser.add_argument("--offer", metavar="OFFER", help="machine that this is: aws/us-east-1/g5.xlarge")
    parser.add_argument("--electricity", metavar="PRICE", help="price of electricity: 0.30usd/kWh")
    parser.add_argument("--deadline", metavar="TIME", help="stop the cell after so long: 2h")
    parser.add_argument("--name", help="of the run (default: notebook, the time and random letters: a run of its own)")
    parser.add_argument("--tag", action="append", metavar="KEY=VALUE", help="tag of the run; may be repeated")
    parser.add_argument("--quiet", action="store_true", help="no live cost, only the last line")
    return parser


def _idle_parser():
    parser = _Parser(prog="%stint idle", description="Warn when no cell has run for so long.")
    parser.add_argument("after", metavar="TIME", help="30m, 2h; off ends it")
    parser.add_argument("--stop", action="store_true",
                        help="end the kernel 5 minutes after the warning, unless a cell runs: variables are lost")
    parser.add_argument("--price", metavar="PRICE", help="of this machine, to show what idle time costs: 2.49usd/hr")
    return parser


def duration(text):
    """Seconds of "30m", "1h30min", "90s"."""
    parts = re.findall(r"(\d+(?:\.\d+)?)\s*([a-z]+)", text.lower())
    if not parts or re.sub(r"(\d+(?:\.\d+)?)\s*([a-z]+)\s*", "", text.lower()).strip() or \
            any(unit not in UNITS for _, unit in parts):
        raise UsageError(f"'{text}' is not a length of time", "write 30m, 90s or 1h30m")
    seconds = sum(float(number) * UNITS[unit] for number, unit in parts)
    if not 1 <= seconds <= 366 * 86400:
        raise UsageError(f"'{text}' is not between a second and a year", "write 30m")
    return seconds


def hourly(text):
    """Dollars an hour of "2.49usd/hr" or "$2.49/h"."""
    found = re.fullmatch(r"\$?\s*(\d+(?:\.\d+)?)\s*(?:usd)?\s*/\s*h(?:r|our)?", text.strip().lower())
    if not found:
        raise UsageError(f"--price: '{text}' is not a price an hour", "write 2.49usd/hr")
    return float(found.group(1))


def _length(seconds):
    seconds = int(seconds)
    if seconds < 60:
        return f"{seconds}s"
    hours, minutes = divmod(seconds // 60, 60)
    if hours:
        return f"{hours}h{minutes}min" if minutes else f"{hours}h"
    return f"{minutes}min{seconds % 60}s" if seconds % 60 else f"{minutes}min"


def dollars(amount):
    """As the program writes small amounts: cents, or three digits that say something."""
    amount = float(amount)
    if amount == 0 or amount >= 0.1:
        return f"${amount:,.2f}"
    return "$" + f"{amount:.3g}" if amount >= 1e-4 else f"${amount:.2g}" if "e" not in f"{amount:.2g}" else "<$0.0001"


def _small(value, unit):
    return f"{value:.3g} {unit}" if value >= 0.001 or value == 0 else f"<0.001 {unit}"


class _Line:
    """What is shown below a cell; as text and as HTML."""

    def __init__(self):
        self.text = "stint: starting"

    def __repr__(self):
        return self.text

    def _repr_html_(self):
        import html
        return f'<div style="font-family:monospace;opacity:.8">{html.escape(self.text)}</div>'


class _Show:
    """The line, updated in place: by a display handle in a notebook, by itself in a terminal."""

    def __init__(self, shell, run, budget, quiet):
        self.line = _Line()
        self.run, self.budget = run, budget
        self.began = time.monotonic()
        self.notebook = hasattr(shell, "kernel")
        self.terminal = not self.notebook and sys.stderr.isatty()
        self.handle = None
        self.width = 0
        self.ended = threading.Event()
        self.thread = None
        if self.notebook:
            from IPython.display import display
            self.handle = display(self.line, display_id=True)
        if not quiet and (self.notebook or self.terminal):
            self.thread = threading.Thread(target=self._watch, daemon=True, name="stint cell")
            self.thread.start()

    def _watch(self):
        while not self.ended.wait(SHOW_EVERY_S):
            try:
                cost = self.run.cost
                of = f" of {self.budget}" if self.budget else ""
                known = "cost not known" if cost is None else dollars(cost) + of
                self._put(f"stint: {known}, {_length(time.monotonic() - self.began)}")
            except Exception:  # pylint: disable=broad-except
                pass

    def _put(self, text, last=False):
        self.line.text = text
        if self.handle is not None:
            self.handle.update(self.line)
        elif self.terminal:
            sys.stderr.write("\r" + text.ljust(self.width) + ("\n" if last else ""))
            sys.stderr.flush()
            self.width = len(text)
        elif last:
            print(text, file=sys.stderr)

    def end(self, text):
        self.ended.set()
        if self.thread is not None:
            self.thread.join(5)
        self._put(text, last=True)


def _outcome(run, took):
    """The last line, from the record."""
    result, parts = run.result, []
    cost = run.cost
    parts.append("cost not known" if cost is None else dollars(cost))
    parts.append(_length(took))
    if result is not None:
        record = result.to_dict()
        kwh, grams = record.get("energy_kwh"), record.get("carbon_g")
        if isinstance(kwh, (int, float)):
            parts.append(f"{kwh:.3g} kWh" if kwh >= 1 else _small(kwh * 1000, "Wh"))
        if isinstance(grams, (int, float)):
            parts.append(f"{grams / 1000:.3g} kg CO2e" if grams >= 1000 else _small(grams, "g CO2e"))
        if record.get("reason"):
            parts.append(f"stopped: {record['reason']}")
    if run.id:
        parts.append(f"run {run.id[-8:]}" + (" (of the whole program)" if run.joined else ""))
    return "stint: " + ", ".join(parts)


class _Idle:
    """Watches a kernel that is not used."""

    def __init__(self, shell, after, stop, rate, clock=time.monotonic, work=time.process_time):
        self.shell, self.after, self.stop, self.rate = shell, after, stop, rate
        self.clock, self.work = clock, work
        self.since, self.running, self.warned = clock(), True, False  # the cell that set it is still running
        self.seen = (clock(), work())
        self.ended = threading.Event()
        shell.events.register("pre_run_cell", self._before)
        shell.events.register("post_run_cell", self._after)
        self.thread = threading.Thread(target=self._watch, daemon=True, name="stint idle")
        self.thread.start()

    def _before(self, *_):
        self.running, self.warned = True, False

    def _after(self, *_):
        self.running, self.since = False, self.clock()

    def _watch(self):
        while not self.ended.wait(min(LOOK_EVERY_S, self.after / 4)):
            self.look()

    def look(self):
        """One look; what it did: None, "warned" or "stopped"."""
        now, work = self.clock(), self.work()
        before, self.seen = self.seen, (now, work)
        if now > before[0] and (work - before[1]) / (now - before[0]) > BUSY_SHARE:
            self.since, self.warned = now, False
        if self.running:
            return None
        idle = now - self.since
        if idle >= self.after and not self.warned:
            self.warned = True
            self._tell(idle)
            return "warned"
        if self.stop and self.warned and idle >= self.after + GRACE_S:
            print("stint: the kernel was idle: it is ended (%stint idle --stop)", file=sys.stderr, flush=True)
            self.close()
            os.kill(os.getpid(), signal.SIGTERM)
            return "stopped"
        return None

    def _tell(self, idle):
        spent = f"; that was {dollars(self.rate * idle / 3600)} at {dollars(self.rate)}/hr" if self.rate is not None else ""
        then = f"; it ends in {_length(GRACE_S)} unless a cell runs" if self.stop else ""
        print(f"stint: this kernel has been idle for {_length(idle)}{spent}{then}", file=sys.stderr, flush=True)

    def close(self):
        self.ended.set()
        for event, function in (("pre_run_cell", self._before), ("post_run_cell", self._after)):
            try:
                self.shell.events.unregister(event, function)
            except ValueError:
                pass


class Magics:
    """%stint and %%stint of one shell."""

    def __init__(self, shell):
        self.shell = shell
        self.idle = None
        self.last = None  # the last line of the last metered cell

    def line(self, text):
        """%stint: what is set; %stint idle 30m [--stop] [--price 2.49usd/hr]; %stint idle off."""
        with _Mistakes():
            words = _words(text)
            if not words:
                self._show_state()
            elif words[0] == "idle":
                self._set_idle(words[1:])
            else:
                raise UsageError(f"there is no '%stint {words[0]}'", "use %stint idle 30m, or %%stint for a cell")

    def _show_state(self):
        print(self.last or "stint: no cell was metered; put %%stint --budget '$1' at the top of one")
        if self.idle is not None:
            print(f"stint: warns when idle for {_length(self.idle.after)}" + (", then ends the kernel" if self.idle.stop else ""))

    def _set_idle(self, words):
        chosen = _idle_parser().parse_args(words)
        after = None if chosen.after == "off" else duration(chosen.after)
        rate = None if chosen.price is None else hourly(chosen.price)
        if self.idle is not None:
            self.idle.close()
            self.idle = None
        if after is None:
            print("stint: the idle guard is off")
            return
        self.idle = _Idle(self.shell, after, chosen.stop, rate)
        print(f"stint: warns when no cell has run for {_length(after)}" +
              (f", and ends the kernel {_length(GRACE_S)} later" if chosen.stop else ""))

    def cell(self, text, cell):
        """%%stint [options]: run the cell as a metered run. A cell that fails, is stopped or is not run is an error, so that
        "Run All" does not go on."""
        options = None
        with _Mistakes():
            options = vars(_cell_parser().parse_args(_words(text)))
            if hasattr(self.shell, "kernel") and self.shell.should_run_async(cell):
                raise UsageError("a notebook cannot run 'await' below %%stint",
                                 "in a plain cell: async with stint.run(budget='$1'): await ...")
        if options is not None:  # else the help was printed
            quiet = options.pop("quiet")
            options["name"] = options["name"] or _own_name()
            self._meter(cell, self._begin(options), options["budget"], quiet)

    @staticmethod
    def _begin(options):
        """A meter for the cell. Without one, the cell is not run."""
        from ._run import Run, program
        run = Run({"kill": False, **options})
        with _Mistakes():
            program()
        try:
            run.__enter__()
        except Error as error:
            # Unless it failed to start, the meter has printed what is wrong.
            raise _rendered(error, _lines(error) if error.kind == "failed" else ["stint: the cell was not run"])
        return run

    def _meter(self, cell, run, budget, quiet):
        began = time.monotonic()
        show = _Show(self.shell, run, budget, quiet)
        problem = None
        try:
            problem = self._run(cell)
        except BaseException as error:
            problem = error
            raise
        finally:
            stop = run.stop_text or run.stop_reason
            run.__exit__(type(problem) if problem is not None else None, problem, None)
            self.last = _outcome(run, time.monotonic() - began)
            show.end(self.last)
        if problem is None and stop:  # a callback has ended training, or the code went on
            error = GuardError(f"the run was stopped: {stop}", "a larger --budget or --deadline lets the cell run on",
                               "guard", 5)
            raise _rendered(error, _lines(error))
        if problem is not None:
            raise problem

    def _run(self, cell):
        """As if it had been typed. The exception that it ended with, which IPython will show as it would have shown it here
        when the magic raises it."""
        shown = []
        self.shell._showtraceback = lambda kind, error, lines: shown.append(lines)
        try:
            result = self.shell.run_cell(cell, store_history=False)
        finally:
            del self.shell._showtraceback
        problem = result.error_before_exec or result.error_in_exec
        if problem is not None and shown:
            _rendered(problem, shown[-1])
            self._forget_rendering(problem)
        return problem

    def _forget_rendering(self, problem):
        """When this cell has ended: raised again later, the exception has another traceback."""
        def forget(*_):
            problem.__dict__.pop("_render_traceback_", None)
            self.shell.events.unregister("post_run_cell", forget)

        self.shell.events.register("post_run_cell", forget)


# ---- mistakes, in the style of the program ----

def _rendered(error, lines):
    """The exception, which IPython shows as these lines instead of a traceback."""
    with contextlib.suppress(Exception):  # a class may refuse new attributes: then IPython makes a traceback of its own
        error._render_traceback_ = lambda: lines
    return error


def _lines(error):
    return [f"stint: {error.text}"] + ([f"  hint: {error.hint}"] if error.hint else [])


class _Mistakes:
    """Mistakes of the user are shown without a traceback; help that was printed is none."""

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if isinstance(error, Error):
            _rendered(error, _lines(error))
        return isinstance(error, _Helped)


def _words(text):
    try:
        return shlex.split(text)
    except ValueError as error:
        raise UsageError(f"the options cannot be read: {error}", "put values with blanks in quotes") from None


def _own_name():
    """A run of the same name and folder that failed would be resumed, and its cost count."""
    import uuid
    return time.strftime("notebook-%Y%m%d-%H%M%S-") + uuid.uuid4().hex[:6]


_loaded = {}


def load_ipython_extension(shell):
    """%load_ext stint"""
    magics = Magics(shell)
    _loaded[id(shell)] = magics
    shell.register_magic_function(magics.line, "line", "stint")
    shell.register_magic_function(magics.cell, "cell", "stint")


def unload_ipython_extension(shell):
    """%unload_ext stint"""
    magics = _loaded.pop(id(shell), None)
    if magics is not None and magics.idle is not None:
        magics.idle.close()
    for kind in ("line", "cell"):
        shell.magics_manager.magics[kind].pop("stint", None)
