"""Metering from inside: stint.run() and stint.metered, with real supervisors. run.py runs it."""
import asyncio
import contextlib
import io
import json
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
import unittest

import stint
from stint import _library, _run, _socket

LONG = 60
RATE = "$3600/hr"  # a dollar a second


class World(unittest.TestCase):
    """A ledger and a folder for sockets of its own."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="sp", dir="/tmp")  # short: it has sockets
        self.ledger = os.path.join(self.folder.name, "ledger.db")
        self.before = dict(os.environ)
        os.environ.update(STINT_LEDGER=self.ledger, STINT_MACHINE_DIR=self.folder.name, XDG_RUNTIME_DIR=self.folder.name,
                          STINT_NVML="/nonexistent", STINT_ROCM="/nonexistent", STINT_HL_SMI="/nonexistent")

    def tearDown(self):
        os.environ.clear()
        os.environ.update(self.before)
        self.folder.cleanup()

    def rows(self):
        base = sqlite3.connect(f"file:{self.ledger}?mode=ro", uri=True, timeout=LONG)
        base.row_factory = sqlite3.Row
        try:
            return base.execute("SELECT attempts.*, id, name FROM attempts JOIN runs USING (run) ORDER BY attempt").fetchall()
        except sqlite3.OperationalError:
            return []
        finally:
            base.close()

    def events(self):
        base = sqlite3.connect(f"file:{self.ledger}?mode=ro", uri=True, timeout=LONG)
        try:
            return [row[0] for row in base.execute("SELECT kind FROM events ORDER BY event")]
        finally:
            base.close()

    def ended(self):
        """The only run, when it has ended."""
        until = time.monotonic() + LONG
        while time.monotonic() < until:
            rows = self.rows() if os.path.exists(self.ledger) else []
            if rows and all(row["state"] != "running" for row in rows):
                self.assertEqual(len(rows), 1)
                return rows[0]
            time.sleep(0.05)
        self.fail("the run has not ended")

    def python(self, code, **how):
        """A Python of its own, in this world."""
        return subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=False,
                              timeout=LONG, **how)


class Commands(World):
    """stint.run(["command"]) and the others that supervise processes: by the program, not inside this process."""

    def test_names_and_paths_are_kept_as_they_are(self):
        with stint.run(name="names", price="$1/hr", tag={"team": "Größe"}) as r:
            self.assertTrue(r.log({"größe/日本": 2, 'a"b\\c': 3}, step=1))
            r.checkpoint('out/grö"ße')
        shown = stint.show(r.id)
        self.assertEqual({m.name: m.last for m in shown.metrics}, {"größe_日本": 2, 'a"b\\c': 3})
        self.assertIn('out/grö"ße', " ".join(str(e.to_dict()["text"]) for e in shown.events))
        self.assertEqual(stint.runs(tag={"team": "Größe"}).count, 1)

    def test_a_warning_names_the_line_of_the_block(self):
        with stint.run(name="line", price="$1/hr"):
            with self.assertWarnsRegex(RuntimeWarning, "budget of the inner block is not used") as caught:
                with stint.run(budget="$1"):
                    pass
        self.assertEqual(caught.filename, __file__)

    def test_an_option_of_the_meter_itself_is_none(self):
        with self.assertRaisesRegex(stint.UsageError, "has no option 'pid'(?!.*mean 'pid')"):
            stint.run(pid=1).__enter__()

    def test_a_command_that_ends_never_hangs_and_the_host_keeps_its_signals_and_children(self):
        done = self.python("""
            import signal, subprocess, stint
            heard = []
            signal.signal(signal.SIGCHLD, lambda *_: heard.append(1))
            own = subprocess.Popen(["sh", "-c", "sleep 0.1; exit 7"])
            for _ in range(3):
                stint.run(["sleep", "0.1"], no_ledger=True, quiet=True)
            print(own.wait(), bool(heard), signal.pthread_sigmask(signal.SIG_BLOCK, []))
            """)
        self.assertEqual((done.stdout, done.stderr), ("7 True set()\n", ""))

    def test_how_the_command_ended_is_a_result(self):
        ended = stint.run(["sh", "-c", "exit 3"], name="three", quiet=True, price=RATE)
        self.assertEqual((ended.state, ended.exit_status, ended.name), ("failed", 3, "three"))
        row = self.ended()
        self.assertEqual((row["id"], row["state"], row["status"]), (ended.id, "failed", 3))

    def test_its_output_goes_where_pythons_does(self):
        text = io.StringIO()
        with contextlib.redirect_stdout(text):
            stint.run(["echo", "hello"], no_ledger=True, quiet=True)
        self.assertEqual(text.getvalue(), "hello\n")
        done = self.python("import stint; stint.run(['echo', 'plain'], no_ledger=True, quiet=True)")
        self.assertEqual((done.stdout, done.stderr), ("plain\n", ""))

    def test_mistakes_are_exceptions_with_a_hint(self):
        with self.assertRaisesRegex(stint.InputError, "budget") as caught:
            stint.run(["true"], budget="5")
        self.assertTrue(caught.exception.hint)
        with self.assertRaisesRegex(stint.NotFoundError, "command not found: 'no-such-command'"):
            stint.run(["no-such-command"], no_ledger=True, quiet=True)
        with self.assertRaises(stint.Error):
            stint.attach(2 ** 22)
        os.environ["STINT_PROGRAM"] = "/bin/true"
        with self.assertRaisesRegex(stint.FailedError, "without a reply"):
            stint.run(["true"])

    def test_a_trial_and_a_watch_use_the_program_too(self):
        tuned = stint.tune(["sh", "-c", "echo '100 samples/s' #{}"], batch="8..8", warmup="0s", seconds="1s")
        self.assertEqual(tuned.best, 8)
        with contextlib.redirect_stderr(io.StringIO()):
            watched = stint.watch(deadline="1s", grace="0s", every="100ms", once=True)
        self.assertEqual((watched.reason, watched.acted), ("deadline", 1))

    def test_the_library_itself_refuses_them(self):
        for name in ("run", "attach", "watch", "tune"):
            request = {"run": {"command": ["true"]}, "attach": {"pid": os.getpid()}, "watch": {"idle": "1h"},
                       "tune": {"command": ["true"], "batch": "8..8"}}[name]
            status, reply = _library._call_library(name, json.dumps(request))
            self.assertEqual(status, 2, reply)
            self.assertIn(f"stint call {name} REQUEST", json.loads(reply)["hint"])

    def test_an_interrupt_ends_the_command_and_is_recorded(self):
        code = "import stint\nprint('begun', flush=True)\nstint.run(['sleep', '60'], name='long', quiet=True)"
        with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              start_new_session=True) as process:
            process.stdout.readline()
            until = time.monotonic() + LONG
            while time.monotonic() < until and not (os.path.exists(self.ledger) and self.rows()):
                time.sleep(0.05)
            process.send_signal(signal.SIGINT)
            self.assertNotEqual(process.wait(LONG), 0)
        self.assertEqual((self.ended()["state"], self.ended()["reason"]), ("stopped", "user"))


class Blocks(World):
    def test_a_block_is_a_run_in_the_ledger(self):
        with stint.run(name="block", price=RATE, tag=["team=nlp"]) as r:
            self.assertEqual(os.environ["STINT_RUN_ID"], r.id)
            self.assertFalse(r.joined or r.stop_requested)
            r.log(step=7, loss=0.5)
            r.log({"eval/accuracy": 0.9}, step=8)
            self.assertIsInstance(r.cost, stint.Money)
            time.sleep(1.2)
            self.assertGreater(float(r.cost), 0)
        row = self.ended()
        self.assertEqual((row["id"], row["name"], row["state"], row["status"]), (r.id, "block", "done", 0))
        self.assertEqual((row["step"], row["loss"]), (8, 0.5))
        self.assertEqual(int(r.cost.amount * 10 ** 9), row["cost_nano"])
        self.assertEqual((r.result.state, r.result.attached_pid), ("done", os.getpid()))
        self.assertNotIn("STINT_SOCKET", os.environ)

    def test_only_the_block_counts(self):
        with stint.run() as r:
            until = time.process_time() + 0.3
            while time.process_time() < until:
                pass
        self.assertTrue(0.2 <= r.result.cpu_s <= 0.9, r.result.cpu_s)

    def test_an_exception_fails_the_run_and_goes_on(self):
        with self.assertRaises(ZeroDivisionError):
            with stint.run():
                1 / 0  # pylint: disable=pointless-statement
        row = self.ended()
        self.assertEqual((row["state"], row["reason"], row["status"]), ("failed", "ZeroDivisionError", 1))
        self.assertIn("exception", self.events())

    def test_an_interrupt_is_the_users(self):
        with self.assertRaises(KeyboardInterrupt):
            with stint.run():
                raise KeyboardInterrupt
        self.assertEqual((self.ended()["state"], self.ended()["reason"]), ("stopped", "user"))

    def test_a_block_is_used_once(self):
        block = stint.run()
        with block:
            pass
        with self.assertRaisesRegex(stint.UsageError, "used once"):
            with block:
                pass

    def test_without_a_price_the_cost_is_unknown_not_zero(self):
        with stint.run(no_ledger=True) as r:
            self.assertIsNone(r.cost)
        self.assertIsNone(r.cost)
        self.assertFalse(os.path.exists(self.ledger))

    def test_wrong_options_are_errors_before_anything_begins(self):
        for options, error, words in (({"budgit": "$5"}, stint.UsageError, "did you mean 'budget'"),
                                      ({"budget": "5"}, stint.UsageError, "not an amount of money"),
                                      ({"budget": "$5"}, stint.UsageError, "a budget needs a price"),
                                      ({"pid": 4}, stint.UsageError, "no option 'pid'"),
                                      ({"alert": "nosuch"}, stint.NotFoundError, "nosuch")):
            with self.assertRaisesRegex(error, words):
                with stint.run(**options):
                    self.fail("it must not begin")
        self.assertNotIn("STINT_RUN_ID", os.environ)

    def test_a_missing_program_is_one_clear_error(self):
        os.environ["STINT_PROGRAM"] = "/nonexistent/stint"
        with self.assertRaisesRegex(stint.FailedError, "'/nonexistent/stint' .STINT_PROGRAM. is not there .hint: install"):
            with stint.run():
                pass
        os.environ["STINT_PROGRAM"] = "/bin/false"
        with self.assertRaisesRegex(stint.FailedError, "status 1 before metering began"):
            with stint.run():
                pass

    def test_home_that_cannot_be_written(self):
        os.environ["STINT_LEDGER"] = "/proc/nothing/ledger.db"
        with stint.run(price=RATE) as r:
            time.sleep(1.2)
            self.assertGreater(float(r.cost), 0)
        self.assertIs(r.result.recorded, False)


class Guards(World):
    def test_a_guard_raises_in_a_call_that_waits(self):
        with self.assertRaisesRegex(stint.GuardError, "the run is stopped: budget reached") as caught:
            with stint.run(price=RATE, budget="$3", grace="2s", kill=False) as r:
                time.sleep(LONG)
        self.assertEqual((caught.exception.status, r.stop_reason, r.stop_requested), (5, "budget", True))
        row = self.ended()
        self.assertEqual((row["state"], row["reason"], row["status"]), ("stopped", "budget", 5))
        self.assertLess(row["cost_nano"], 3e9)
        self.assertIn(signal.getsignal(signal.SIGURG), (signal.SIG_DFL, None))

    def test_a_guard_raises_while_python_works(self):
        with self.assertRaises(stint.GuardError):
            with stint.run(deadline="3s", grace="2s", kill=False):
                while True:
                    sum(range(1000))

    def test_in_a_thread_it_is_raised_at_the_next_report(self):
        box = []

        def work():
            try:
                with stint.run(deadline="3s", grace="2s", kill=False) as r:
                    while True:
                        r.log(step=1)
                        time.sleep(0.05)
            except stint.GuardError as error:
                box.append(error)

        thread = threading.Thread(target=work)
        thread.start()
        thread.join(LONG)
        self.assertEqual(len(box), 1)
        self.assertEqual(self.ended()["reason"], "deadline")

    def test_a_block_that_goes_on_is_ended_and_says_so(self):
        done = self.python(f"""
            import stint, time
            with stint.run(price="{RATE}", budget="$3", grace="2s"):
                try:
                    time.sleep(60)
                except stint.GuardError:
                    print("asked", flush=True)
                time.sleep(60)
            """)
        self.assertEqual((done.stdout, done.returncode), ("asked\n", -signal.SIGTERM), done.stderr)
        self.assertRegex(done.stderr, "budget reached|stopping to save")
        row = self.ended()
        self.assertEqual((row["state"], row["reason"]), ("stopped", "budget"))

    def test_kill_false_never_ends_the_process(self):
        done = self.python("""
            import stint, time
            with stint.run(deadline="3s", grace="2s", kill=False) as r:
                try:
                    time.sleep(60)
                except stint.GuardError:
                    time.sleep(3)
                    print("still here", r.stop_reason)
            """)
        self.assertEqual((done.stdout, done.returncode), ("still here deadline\n", 0), done.stderr)
        self.assertIn("continues and still costs money", done.stderr)
        self.assertEqual(self.ended()["reason"], "deadline-passed")

    def test_a_prompt_is_not_killed_by_default(self):
        done = subprocess.run([sys.executable, "-i", "-q"], capture_output=True, text=True, timeout=LONG, check=False, input=textwrap.dedent("""
            import stint, time
            r = stint.run(deadline="3s", grace="2s").__enter__()
            try: time.sleep(60)
            except stint.GuardError as e: print("raised", e.status)

            time.sleep(3); print("alive", r.stop_reason)
            r.__exit__(None, None, None)
            """))
        self.assertIn("raised 5", done.stdout, done.stderr)
        self.assertIn("alive deadline", done.stdout, done.stderr)
        self.assertIn("--no-kill", done.stderr)

    def test_stint_stop_is_raised_too(self):
        done = self.python("""
            import os, stint, subprocess, time
            from stint import _run
            try:
                with stint.run(name="one") as r:
                    subprocess.run([_run.program(), "stop", "one"], check=True, capture_output=True)
                    time.sleep(60)
            except stint.GuardError as error:
                print(r.stop_reason)
            """)
        self.assertEqual(done.stdout, "user\n", done.stderr)
        self.assertEqual((self.ended()["state"], self.ended()["reason"]), ("stopped", "user"))


class Deaths(World):
    def test_kill_leaves_a_complete_record(self):
        done = self.python(f"""
            import os, signal, stint, time
            with stint.run(price="{RATE}") as r:
                r.log(step=3, loss=1.5)
                time.sleep(1.5)
                os.kill(os.getpid(), signal.SIGKILL)
            """)
        self.assertEqual(done.returncode, -signal.SIGKILL)
        row = self.ended()
        self.assertGreater(row["cost_nano"], 1e9)
        self.assertEqual((row["step"], row["loss"]), (3, 1.5))
        if row["status"] is not None:  # newer kernels report it
            self.assertEqual((row["state"], row["status"]), ("failed", 128 + signal.SIGKILL))
        else:
            self.assertEqual((row["state"], row["reason"]), ("stopped", "exit-unknown"))

    def test_an_exit_without_the_end_of_the_block(self):
        self.assertEqual(self.python("import os, stint\nstint.run().__enter__()\nos._exit(9)").returncode, 9)
        self.assertIn(self.ended()["status"], (9, None))

    def test_sys_exit_is_no_failure_unless_it_says_so(self):
        self.assertEqual(self.python("import stint, sys\nwith stint.run(name='a'): sys.exit(0)").returncode, 0)
        self.assertEqual(self.ended()["state"], "done")

    def test_ctrl_c_at_the_terminal_does_not_end_the_meter_first(self):
        process = subprocess.Popen([sys.executable, "-c", "import stint, time\nwith stint.run():\n print('x', flush=True)\n time.sleep(60)"],
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True)
        with process.stdout:
            process.stdout.readline()
            os.killpg(process.pid, signal.SIGINT)
            process.wait(LONG)
        self.assertEqual((self.ended()["state"], self.ended()["reason"]), ("stopped", "user"))

    def test_a_meter_that_is_killed_is_a_warning(self):
        with self.assertWarnsRegex(RuntimeWarning, "was killed: its record is incomplete"):
            with stint.run() as r:
                r._process.kill()  # pylint: disable=protected-access
                r._process.wait()  # pylint: disable=protected-access
                r.log(step=1)
                self.assertIsNone(r.cost)


class Inside(World):
    def test_inner_blocks_join_the_outer_one(self):
        with stint.run(name="outer", price=RATE) as outer:
            time.sleep(1.1)
            with stint.run(name="inner") as inner:
                self.assertTrue(inner.joined)
                self.assertEqual((inner.id, inner.name), (outer.id, "outer"))
                self.assertLess(float(inner.cost), float(outer.cost))
                inner.log(step=4)
            self.assertIn("STINT_SOCKET", os.environ)
            with self.assertWarnsRegex(RuntimeWarning, "budget of the inner block is not used"):
                with stint.run(budget="$1"):
                    pass
        self.assertEqual(self.ended()["step"], 4)

    def test_under_stint_run_it_joins(self):
        code = "import stint\nwith stint.run(name='inner') as r:\n    r.log(step=5)\n    print(r.joined, r.id)"
        done = subprocess.run([_run.program(), "run", "--quiet", "--name", "outer", "--", sys.executable, "-c", code],
                              capture_output=True, text=True, timeout=LONG, check=True)
        row = self.ended()
        self.assertEqual(done.stdout.split(), ["True", row["id"]])
        self.assertEqual((row["name"], row["state"], row["step"]), ("outer", "done", 5))

    def test_a_socket_that_is_gone_is_no_run(self):
        os.environ.update(STINT_SOCKET=os.path.join(self.folder.name, "gone.sock"), STINT_RUN_ID="old")
        with stint.run() as r:
            self.assertFalse(r.joined)
        self.assertEqual(os.environ["STINT_RUN_ID"], "old")
        self.ended()

    def test_children_of_fork_report_and_do_not_end_the_run(self):
        done = self.python("""
            import os, stint, sys
            with stint.run() as r:
                pid = os.fork()
                if pid == 0:
                    r.log(step=11)
                    with stint.run() as inner: print(inner.joined, inner.id == r.id, flush=True)
                    raise SystemExit(3)
                assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 3
                print(r.cost, flush=True)
            print(r.result.state)
            """)
        self.assertEqual(done.stdout, "True True\nNone\ndone\n", done.stderr)
        self.assertEqual(self.ended()["step"], 11)

    def test_workers_of_multiprocessing_count(self):
        for method in ("fork", "spawn"):
            code = f"""
                import multiprocessing, os, stint, time
                def work(_):
                    until = time.process_time() + 0.2
                    while time.process_time() < until: pass
                    return os.environ["STINT_RUN_ID"]
                if __name__ == "__main__":
                    with stint.run(name="{method}") as r:
                        with multiprocessing.get_context("{method}").Pool(2) as pool:
                            assert set(pool.map(work, range(2), 1)) == {{r.id}}
                    print(r.result.cpu_s >= 0.35, r.result.state)
                """
            path = os.path.join(self.folder.name, "workers.py")
            with open(path, "w", encoding="utf-8") as file:
                file.write(textwrap.dedent(code))
            done = subprocess.run([sys.executable, path], capture_output=True, text=True, timeout=LONG, check=False)
            self.assertEqual(done.stdout, "True done\n", done.stderr)

    def test_a_callback_that_listens_ends_training_itself(self):
        with stint.run(deadline="3s", grace="2s", kill=False) as r:
            listener = _socket.connect()
            listener.listen()
            until = time.monotonic() + LONG
            while listener.look() is None and time.monotonic() < until:
                time.sleep(0.02)
            time.sleep(0.3)  # nothing is raised
            self.assertTrue(r.stop_requested)
        self.assertEqual((r.result.state, r.result.reason), ("stopped", "deadline"))


class Functions(World):
    def test_calls_are_runs(self):
        @stint.metered
        def train(x, y=1):
            """Trains."""
            return x + y

        @stint.metered(name="named", price=RATE)
        def other():
            raise ValueError

        self.assertEqual((train(2, y=3), train.__name__, train.__doc__), (5, "train", "Trains."))
        with self.assertRaises(ValueError):
            other()
        self.assertEqual([(r["name"], r["state"], r["reason"]) for r in self.rows()],
                         [("train", "done", ""), ("named", "failed", "ValueError")])

    def test_a_call_after_one_that_failed_is_a_new_run_unless_it_has_a_name(self):
        @stint.metered(price=RATE)
        def flaky(fails):
            if fails:
                raise ValueError

        @stint.metered(name="chosen", price=RATE)
        def chosen(fails):
            if fails:
                raise ValueError

        @stint.metered(name="fresh", new_run=True, price=RATE)
        def fresh(fails):
            if fails:
                raise ValueError

        for function in (flaky, chosen, fresh):
            with self.assertRaises(ValueError):
                function(True)
            function(False)
        attempts = [(r["name"], r["state"]) for r in self.rows()]
        self.assertEqual(sorted(attempts), [(name, state) for name in ("chosen", "flaky", "fresh") for state in ("done", "failed")])
        runs = {name: len({r["id"] for r in self.rows() if r["name"] == name}) for name in ("chosen", "flaky", "fresh")}
        self.assertEqual(runs, {"chosen": 1, "flaky": 2, "fresh": 2})

    def test_coroutines_are_metered_until_they_return(self):
        @stint.metered(name="co")
        async def train():
            await asyncio.sleep(0.1)
            return 7

        self.assertEqual(asyncio.run(train()), 7)
        self.assertEqual(self.ended()["state"], "done")

    def test_a_guard_cancels_a_coroutine_that_waits(self):
        @stint.metered(deadline="3s", grace="2s", kill=False)
        async def train():
            await asyncio.sleep(LONG)

        async def main():
            with self.assertRaises(stint.GuardError):
                await train()
            await asyncio.sleep(0)  # the task itself is not cancelled
            return "went on"

        self.assertEqual(asyncio.run(main()), "went on")
        self.assertEqual(self.ended()["reason"], "deadline")

    def test_a_plain_block_in_a_coroutine(self):
        async def main():
            with self.assertRaises(stint.GuardError):
                with stint.run(deadline="3s", grace="2s", kill=False):
                    await asyncio.sleep(LONG)
            return "went on"

        self.assertEqual(asyncio.run(main()), "went on")

    def test_generators_and_classes_are_refused(self):
        def values():
            yield 1

        async def more():
            yield 1

        for what in (values, more):
            with self.assertRaisesRegex(stint.UsageError, "does not take the generator"):
                stint.metered(what)
        with self.assertRaisesRegex(stint.UsageError, "for functions"):
            stint.metered(int)


class Machines(World):
    def test_without_proc_it_is_one_clear_error(self):
        probe = subprocess.run(["unshare", "-m", "true"], capture_output=True, check=False) if os.geteuid() == 0 else None
        if probe is None or probe.returncode != 0:
            self.skipTest("needs to unmount /proc")
        code = ("import stint\ntry:\n    with stint.run(): pass\n"
                "except stint.FailedError as e: print(e)")
        done = subprocess.run(["unshare", "-m", "sh", "-c", 'mount -t tmpfs none /proc && exec "$@"', "sh", sys.executable, "-c", code],
                              capture_output=True, text=True, timeout=LONG, check=False)
        self.assertIn("/proc is not mounted", done.stdout, done.stderr)


if __name__ == "__main__":
    unittest.main()
