"""%%stint and %stint in a real IPython: in this process, and as a program of its own. run.py runs it."""
import contextlib
import importlib.util
import io
import os
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
import unittest
import unittest.mock

import stint

HAVE = importlib.util.find_spec("IPython") is not None
if HAVE:
    from IPython.core.interactiveshell import InteractiveShell
    from stint import _magic


@unittest.skipUnless(HAVE, "there is no IPython here")
class Cells(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.home = tempfile.TemporaryDirectory(prefix="stint-magic-")
        cls.ledger = os.environ.get("STINT_LEDGER")
        os.environ["STINT_LEDGER"] = os.path.join(cls.home.name, "ledger.db")
        InteractiveShell.clear_instance()
        cls.shell = InteractiveShell.instance(colors="NoColor")
        cls.shell.run_line_magic("load_ext", "stint")

    @classmethod
    def tearDownClass(cls):
        cls.shell.run_line_magic("unload_ext", "stint")
        InteractiveShell.clear_instance()
        os.environ.pop("STINT_LEDGER")
        if cls.ledger is not None:
            os.environ["STINT_LEDGER"] = cls.ledger
        cls.home.cleanup()

    def run_cell(self, text, fails=None):
        """What a cell prints; `fails` names the exception that it must end with."""
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            result = self.shell.run_cell(text)
        error = result.error_before_exec or result.error_in_exec
        self.assertEqual(type(error).__name__ if error is not None else None, fails, out.getvalue() + err.getvalue())
        return out.getvalue(), err.getvalue()

    def test_a_cell_is_a_run(self):
        out, err = self.run_cell("%%stint --price 3600usd/hr --name one --tag team=nlp\nx = 41\nprint(x + 1)")
        self.assertIn("42", out)
        run = stint.show("one").run
        self.assertEqual((run.state, run.tags), ("done", ["team=nlp"]))
        self.assertIn(run.short_id, err)
        self.assertEqual(self.shell.user_ns["x"], 41)
        self.assertNotIn("STINT_RUN_ID", os.environ)
        self.assertIn(run.short_id, self.run_cell("%stint")[0])

    def test_a_budget_ends_the_cell_and_not_the_kernel(self):
        out, err = self.run_cell("%%stint --price 3600usd/hr --budget 3usd --name two\nturns = 0\n"
                                 "import time\nuntil = time.monotonic() + 60\nwhile time.monotonic() < until:\n    turns += 1",
                                 fails="GuardError")
        self.assertIn("GuardError", out + err)
        self.assertGreater(self.shell.user_ns["turns"], 0)
        run = stint.show("two").run
        self.assertEqual((run.state, run.reason), ("stopped", "budget"))
        self.assertLess(float(run.cost), 3.0)
        self.assertIn("7", self.run_cell("print(3 + 4)")[0])

    def test_a_callback_of_an_earlier_cell_does_not_keep_the_budget_from_this_one(self):
        from stint import _socket
        before = _socket._shared
        self.addCleanup(setattr, _socket, "_shared", before)
        _socket._shared = _socket.Connection("/nowhere/socket")
        _socket._shared._listens = True
        out, err = self.run_cell("%%stint --price 3600usd/hr --budget 3usd --name three\n"
                                 "import time\nuntil = time.monotonic() + 60\n"
                                 "while time.monotonic() < until: time.sleep(0.01)", fails="GuardError")
        self.assertIn("GuardError", out + err)

    def test_code_that_goes_on_or_ends_well_after_its_budget_is_a_cell_that_failed(self):
        for name, code in (("goes-on", "try:\n    while time.monotonic() < until: time.sleep(0.01)\n"
                                       "except Exception: caught = True"),
                           ("listens", "from stint import _socket\nbefore = _socket._shared\n"
                                       "_socket._shared = _socket.Connection(os.environ['STINT_SOCKET'])\n"
                                       "_socket._shared.listen()\n"
                                       "while time.monotonic() < until and not _socket._shared.look(): time.sleep(0.01)\n"
                                       "_socket._shared = before")):
            out, _ = self.run_cell(f"%%stint --price 3600usd/hr --budget 3usd --name {name}\nimport os, time\n"
                                   f"until = time.monotonic() + 60\n{code}", fails="GuardError")
            self.assertIn("stint: the run was stopped: ", out)
            self.assertIn("hint: ", out)
            self.assertEqual((stint.show(name).run.state, stint.show(name).run.reason), ("stopped", "budget"))

    def test_an_error_is_recorded(self):
        out, err = self.run_cell("%%stint --price 1usd/hr --name bad\ndef f():\n    1 / 0\nf()", fails="ZeroDivisionError")
        self.assertEqual((out + err).count("ZeroDivisionError: division by zero"), 1)  # shown once, as below a plain cell
        self.assertNotIn("run_cell_magic", out + err)
        self.assertEqual(stint.show("bad").run.state, "failed")
        self.run_cell("%%stint --price 1usd/hr --name syntax\nif", fails="SyntaxError")
        self.assertEqual(stint.show("syntax").run.state, "failed")
        self.run_cell("%%stint --price 1usd/hr --name exits\nimport sys\nsys.exit(3)", fails="SystemExit")
        self.assertEqual(stint.show("exits").run.state, "failed")

    def test_an_interrupted_cell_is_an_error(self):
        out, err = self.run_cell("%%stint --price 1usd/hr --name interrupted\nimport os, signal, time\n"
                                 "os.kill(os.getpid(), signal.SIGINT)\ntime.sleep(60)", fails="KeyboardInterrupt")
        self.assertIn("KeyboardInterrupt", out + err)
        run = stint.show("interrupted").run
        self.assertEqual((run.state, run.reason), ("stopped", "user"))

    def test_an_exception_that_is_raised_again_has_its_own_traceback(self):
        self.run_cell("%%stint --price 1usd/hr --name kept\nkept = ValueError('kept')\nraise kept", fails="ValueError")
        out = "".join(self.run_cell("def elsewhere():\n    raise kept\nelsewhere()", fails="ValueError"))
        self.assertIn("elsewhere", out)

    def test_cells_without_a_name_are_runs_of_their_own(self):
        with unittest.mock.patch("time.strftime", lambda form: "notebook-20260101-000000-"):
            self.run_cell("%%stint --price 1usd/hr\n1 / 0", fails="ZeroDivisionError")
            self.run_cell("%%stint --price 1usd/hr\n1 / 0", fails="ZeroDivisionError")
        mine = [run for run in stint.runs().runs if run.name.startswith("notebook-20260101-000000")]
        self.assertEqual([run.state for run in mine], ["failed", "failed"])
        self.assertEqual(len({run.id for run in mine}), 2)

    def test_a_cell_with_a_mistake_in_its_options_is_not_run(self):
        for options, text in (("--bugdet 3usd", "unrecognized arguments"), ("--budget '$1", "cannot be read")):
            out = self.run_cell(f"%%stint {options}\nran = True", fails="UsageError")[0]
            self.assertIn("stint: ", out)
            self.assertIn(text, out)
            self.assertIn("hint:", out)
            self.assertNotIn("Traceback", out)
        self.run_cell("%%stint --budget 3\nran = True", fails="UsageError")
        self.assertNotIn("ran", self.shell.user_ns)
        self.assertIn("--budget", self.run_cell("%%stint --help\nran = True")[0])
        with unittest.mock.patch.dict(os.environ, STINT_PROGRAM="/nowhere/stint"):
            self.assertIn("STINT_PROGRAM", self.run_cell("%%stint\nran = True", fails="FailedError")[0])
        self.assertNotIn("ran", self.shell.user_ns)

    def test_an_operation_that_changes_something_has_its_text_at_once(self):
        out, _ = self.run_cell(f"import stint\nwrote = stint.example('lora', output={self.home.name!r})\nwrote")
        self.assertIn(f"wrote {self.home.name}/llama-7b-lora.yaml", out)
        self.assertTrue(os.path.exists(self.home.name + "/llama-7b-lora.yaml"))
        self.assertEqual(self.shell.user_ns["wrote"].examples[0].name, "lora")
        out, _ = self.run_cell("stint.example('nothing')", fails="NotFoundError")
        self.assertIn("there is no example 'nothing'", out)

    def test_mistakes_of_the_line(self):
        for line, text in (("%stint wat", "there is no '%stint wat'"), ("%stint idle soon", "not a length of time"),
                           ("%stint idle 1m --price 3", "not a price an hour"), ("%stint idle", "required: TIME")):
            self.assertIn(text, self.run_cell(line, fails="UsageError")[0])

    def test_idle(self):
        now, work, told = [0.0], [0.0], io.StringIO()
        guard = _magic._Idle(self.shell, 1800, True, 2.0, clock=lambda: now[0], work=lambda: work[0])
        guard.ended.set()  # looked at by hand
        kills = []
        kill, os.kill = os.kill, lambda *arguments: kills.append(arguments)
        try:
            with contextlib.redirect_stderr(told):
                self.assertIsNone(guard.look())  # the cell that set it is still running
                guard._after()
                now[0] = 1799
                self.assertIsNone(guard.look())
                now[0] = 1800
                self.assertEqual(guard.look(), "warned")
                self.assertIsNone(guard.look())  # once
                now[0], work[0] = 1900, 50  # a thread computes
                self.assertIsNone(guard.look())
                now[0] = 3700
                self.assertEqual(guard.look(), "warned")  # 1800 s after it had ended
                now[0] = 3999
                self.assertIsNone(guard.look())
                now[0] = 4000
                self.assertEqual(guard.look(), "stopped")
        finally:
            os.kill = kill
            guard.close()
        self.assertEqual([pid for pid, _ in kills], [os.getpid()])
        # Half an hour at $2/hr is $1.
        self.assertIn("idle for 30min; that was $1.00 at $2.00/hr; it ends in 5min unless a cell runs", told.getvalue())

    def test_idle_only_warns_unless_asked(self):
        now = [0.0]
        guard = _magic._Idle(self.shell, 60, False, None, clock=lambda: now[0], work=lambda: 0.0)
        guard.ended.set()
        self.addCleanup(guard.close)
        guard._after()
        now[0] = 1e6
        with contextlib.redirect_stderr(io.StringIO()):
            self.assertEqual(guard.look(), "warned")
            self.assertIsNone(guard.look())
        self.assertIn("warns when no cell has run for 30min", self.run_cell("%stint idle 30m")[0])
        self.assertIn("off", self.run_cell("%stint idle off")[0])

    def test_lengths_and_amounts(self):
        self.assertEqual([_magic.duration(t) for t in ("30m", "1h30min", "90s", "2h")], [1800, 5400, 90, 7200])
        for bad in ("", "30", "m", "30 parsecs", "5m x", "0s"):
            with self.assertRaises(stint.UsageError):
                _magic.duration(bad)
        self.assertEqual([_magic.hourly(t) for t in ("2.49usd/hr", "$2/h", "3usd/hour")], [2.49, 2, 3])
        self.assertEqual([_magic.dollars(a) for a in (0, 12345.6, 0.0123, 1e-9)], ["$0.00", "$12,345.60", "$0.0123", "<$0.0001"])


@unittest.skipUnless(HAVE, "there is no IPython here")
class Program(unittest.TestCase):
    """A kernel as a program of its own."""

    def ipython(self, text, home):
        path = os.path.join(home, "session.ipy")
        with open(path, "w", encoding="utf-8") as file:
            file.write(textwrap.dedent(text))
        command = [sys.executable, "-m", "IPython", "--no-banner", "--colors=NoColor", "--no-confirm-exit", path]
        return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120,
                              env={**os.environ, "HOME": home, "IPYTHONDIR": home, "STINT_LEDGER": home + "/ledger.db"})

    def shown(self, home, name):
        until = time.monotonic() + 60
        os.environ["STINT_LEDGER"] = home + "/ledger.db"
        self.addCleanup(os.environ.pop, "STINT_LEDGER", None)
        while True:  # the meter writes the end after the kernel is gone
            run = stint.show(name).run
            if run.state != "running" or time.monotonic() > until:
                return run
            time.sleep(0.1)

    def test_a_session(self):
        with tempfile.TemporaryDirectory(prefix="stint-ipython-") as home:
            done = self.ipython("""\
                %load_ext stint
                get_ipython().run_cell_magic('stint', '--price 3600usd/hr --name cell', 'print(6 * 7)')
                """, home)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("42", done.stdout)
            self.assertIn("run ", done.stderr)
            self.assertEqual(self.shown(home, "cell").state, "done")

    def test_a_kernel_that_dies_leaves_a_complete_record(self):
        with tempfile.TemporaryDirectory(prefix="stint-ipython-") as home:
            done = self.ipython("""\
                %load_ext stint
                get_ipython().run_cell_magic('stint', '--price 3600usd/hr --name dies',
                                             'import os, time; time.sleep(1.2); os.kill(os.getpid(), 9)')
                """, home)
            self.assertEqual(done.returncode, -9)
            run = self.shown(home, "dies")
            self.assertNotIn(run.state, ("running", "lost"))
            self.assertIsNotNone(run.ended)
            self.assertGreater(float(run.cost), 0.0)  # other runs on this machine may divide the price


@unittest.skipUnless(HAVE and importlib.util.find_spec("ipykernel") and importlib.util.find_spec("jupyter_client"),
                     "there is no ipykernel here")
class Notebook(unittest.TestCase):
    """A real kernel, asked as Jupyter asks it."""

    def ask(self, client, code):
        """(kind, text, place) of what a cell shows; self.status is that of the reply, by which "Run All" goes on."""
        # Otherwise the kernel drops what is asked in the moment after a cell that failed.
        asked, shown = client.execute(code, stop_on_error=False), []
        while True:
            message = client.get_iopub_msg(timeout=60)
            content = message["content"]
            if message["parent_header"].get("msg_id") != asked:
                continue
            if message["msg_type"] == "status" and content["execution_state"] == "idle":
                reply = client.get_shell_msg(timeout=60)
                while reply["parent_header"].get("msg_id") != asked:
                    reply = client.get_shell_msg(timeout=60)
                self.status = reply["content"]["status"]
                return shown
            text = content.get("text") or content.get("data", {}).get("text/plain") or content.get("ename")
            shown.append((message["msg_type"], text, content.get("transient", {}).get("display_id")))

    def test_the_cost_is_updated_in_place(self):
        from jupyter_client.manager import KernelManager
        with tempfile.TemporaryDirectory(prefix="stint-kernel-") as home:
            manager = KernelManager()
            manager.start_kernel(env={**os.environ, "HOME": home, "IPYTHONDIR": home, "JUPYTER_RUNTIME_DIR": home,
                                      "STINT_LEDGER": home + "/ledger.db", "PYDEVD_DISABLE_FILE_VALIDATION": "1"},
                                 stderr=subprocess.DEVNULL)
            client = manager.client()
            client.start_channels()
            try:
                client.wait_for_ready(timeout=60)
                self.ask(client, "%load_ext stint")
                shown = self.ask(client, "%%stint --price 3600usd/hr\nimport time\ntime.sleep(2.5)")
                places = {place for kind, _, place in shown if "display_data" in kind}
                self.assertEqual(len(places), 1)  # one line, updated
                kinds = [kind for kind, _, _ in shown]
                self.assertEqual(kinds.count("display_data"), 1)
                self.assertGreaterEqual(kinds.count("update_display_data"), 2)
                self.assertRegex(shown[-1][1], r"^stint: \$[0-9.]+, .* run [0-9a-f]{8}$")
                self.assertEqual(self.status, "ok")
                stopped = self.ask(client, "%%stint --price 3600usd/hr --budget 3usd\nwhile True: time.sleep(0.1)")
                self.assertIn(("error", "GuardError"), [(kind, text) for kind, text, _ in stopped])
                self.assertEqual(self.status, "error")
                failed = self.ask(client, "%%stint --price 1usd/hr\n1 / 0")
                self.assertEqual([text for kind, text, _ in failed if kind == "error"], ["ZeroDivisionError"])
                self.assertEqual(self.status, "error")
                refused = self.ask(client, "%%stint\nawait None")
                self.assertIn(("error", "UsageError"), [(kind, text) for kind, text, _ in refused])
                self.assertEqual(self.status, "error")
                threading.Timer(1.5, manager.interrupt_kernel).start()
                self.ask(client, "%%stint --price 1usd/hr --name broken-off\ntime.sleep(60)")
                self.assertEqual(self.status, "error")
                self.assertIn("alive", self.ask(client, "print('alive')")[-1][1])
            finally:
                client.stop_channels()
                manager.shutdown_kernel(now=True)
