"""The Python package over the built library. run.py runs it."""
import datetime
import decimal
import html
import importlib.util
import json
import os
import pickle
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
import unittest
import unittest.mock

import stint

TRUTH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "truth", "training.csv")
LONG = f"[stint.validate('training', {TRUTH!r}, leave_one_source_out=True) for _ in range(50)]"  # seconds each


def python(code, **environment):
    """A Python of its own."""
    return subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=False,
                          env={**os.environ, **environment}, timeout=120)


class Operations(unittest.TestCase):
    def test_every_operation_is_a_function_with_help(self):
        for operation in stint.schema().operations:
            name = operation.name.replace(".", "_").replace("-", "_")
            name = name + "_" if name == "import" else name
            function = getattr(stint, name)
            self.assertIn(operation.summary[1:], function.__doc__)
            for key in operation.request.properties:
                self.assertIn(key, function.__doc__)

    def test_dir_lists_them(self):
        self.assertIn("price_compare", dir(stint))
        self.assertIn("import_", dir(stint))

    def test_operands_may_be_given_without_their_name(self):
        self.assertEqual(stint.gpu_show("H100").gpu.name, stint.gpu_show(gpu="H100").gpu.name)

    def test_a_wrong_name_is_an_attribute_error(self):
        with self.assertRaisesRegex(AttributeError, "no attribute 'pirce_compare'"):
            stint.pirce_compare  # pylint: disable=pointless-statement,no-member

    def test_call_takes_the_name_of_an_operation(self):
        self.assertEqual(stint.call("gpu.show", {"gpu": "T4"}).gpu.name, "T4")

    def test_versions_agree(self):
        self.assertEqual(stint.library_version(), stint.__version__)


class Results(unittest.TestCase):
    def test_have_attributes_and_are_the_json(self):
        result = stint.price_list(gpu="H100", limit=3)
        self.assertEqual(result.schema, "stint.price.list/1")
        self.assertEqual(len(result.offers), 3)
        self.assertEqual(result.to_dict()["offers"][0]["provider"], result.offers[0].provider)
        self.assertIn("offers", dir(result))

    def test_money_is_exact(self):
        price = stint.price_list(gpu="H100", limit=1).offers[0]
        amounts = [v for _, v in price.items() if isinstance(v, stint.Money)]
        self.assertTrue(amounts)
        self.assertIsInstance(amounts[0].amount, decimal.Decimal)
        self.assertEqual(amounts[0].currency, "USD")
        self.assertEqual(str(stint.Money("1234.5", "USD")), "$1,234.50")
        self.assertEqual(str(stint.Money("2", "EUR")), "2.00 EUR")
        self.assertEqual(str(stint.Money("-0.5", "USD")), "-$0.50")
        self.assertEqual(str(stint.Money("0.0131949", "USD")), "$0.0132")
        self.assertEqual(str(stint.Money("0.000000787", "USD")), "$0.000000787")
        self.assertEqual(str(stint.Money("0", "USD")), "$0.00")

    def test_a_missing_attribute_says_what_there_is(self):
        with self.assertRaisesRegex(AttributeError, "no 'ofers'; it has schema"):
            stint.price_list(gpu="H100", limit=1).ofers  # pylint: disable=expression-not-assigned

    def test_cannot_be_changed(self):
        with self.assertRaises(AttributeError):
            stint.gpu_show("T4").schema = "T5"

    def test_can_be_pickled(self):
        result = stint.gpu_show("T4")
        self.assertEqual(pickle.loads(pickle.dumps(result)), result)

    def test_words_of_python_get_an_underscore(self):
        self.assertEqual(stint.Result({"from": 1}).from_, 1)

    def test_html_escapes_names(self):
        rows = stint.Rows([stint.Result({"name": "<script>alert(1)</script>", "n": None})])
        text = rows._repr_html_()
        self.assertNotIn("<script>", text)
        self.assertIn("&lt;script&gt;", text)
        self.assertNotIn("<th>n</th>", text)  # of which nothing is known
        self.assertIn("<table>", stint.gpu_list(limit=2).gpus._repr_html_())

    def test_a_number_with_a_range_is_a_number(self):
        hours = stint.plan("gpt2", tokens="100M").plans[0].hours
        self.assertIsInstance(hours, float)
        self.assertTrue(0 < hours.low < hours < hours.high)
        self.assertEqual((hours.value, hours["low"], hours + 0), (float(hours), hours.low, float(hours)))
        self.assertEqual(pickle.loads(pickle.dumps(hours)).high, hours.high)
        one = stint.Range(5.2286, 4.4787, 6.1056)
        self.assertEqual((str(one), f"{one}", f"{one:.1f}"), ("5.23 (4.48 to 6.11)", "5.23 (4.48 to 6.11)", "5.2"))
        self.assertEqual(repr(one), "Range(5.2286, low=4.4787, high=6.1056)")
        self.assertEqual([str(stint.Range(value)) for value in (1234.5, 0.0132, 0, 99.96, 1e20)],
                         ["1,230", "0.0132", "0", "100", "1e+20"])
        from stint._result import _wrap
        self.assertIsNone(_wrap({"value": None, "low": None, "high": None}))

    def test_a_line_of_a_shell_is_no_command(self):
        for operation in (stint.run, stint.tune):
            with self.assertRaises(stint.UsageError) as caught:
                operation("python train.py --lr '1 e'")
            self.assertEqual(caught.exception.hint, "write ['python', 'train.py', '--lr', '1 e']")
        with self.assertRaises(stint.UsageError) as caught:
            stint.run("python train.py | tee log")
        self.assertEqual(caught.exception.hint, "write ['sh', '-c', 'python train.py | tee log'] to run it by a shell")
        self.assertEqual(stint.run("true", quiet=True, no_ledger=True).state, "done")

class Values(unittest.TestCase):
    def test_money_adds_and_compares_in_one_currency(self):
        one, two = stint.Money("1.10", "USD"), stint.Money("2.20", "USD")
        self.assertEqual(sum([one, two]), stint.Money("3.30", "USD"))
        self.assertEqual(two - one, one)
        self.assertTrue(one < two <= two)
        self.assertEqual(max(one, two), two)
        with self.assertRaisesRegex(ValueError, "USD and EUR are different currencies"):
            one + stint.Money("1", "EUR")  # pylint: disable=pointless-statement,expression-not-assigned
        with self.assertRaises(TypeError):
            one + 1  # pylint: disable=pointless-statement,expression-not-assigned

    def test_a_job_may_be_text_or_a_dictionary(self):
        job = {"train": {"model": "llama-2-7b", "method": "lora", "data": {"examples": 1000, "tokens": 100}}}
        cost = stint.plan(job).plans[0].cost
        self.assertEqual(stint.plan(json.dumps(job)).plans[0].cost, cost)
        self.assertEqual(stint.plan("train:\n  model: llama-2-7b\n  method: lora\n  data: {examples: 1000, tokens: 100}\n")
                         .plans[0].cost, cost)

    def test_pairs_may_be_a_dictionary(self):
        found = stint.estimate("gpt2", on="T4", tokens="1M", set={"sequence": 256, "micro_batch": 4})
        self.assertEqual((found.sequence, found.micro_batch), (256, 4))

    def test_a_number_that_is_none_is_refused_by_its_name(self):
        with self.assertRaisesRegex(stint.InputError, "hours: nan is not a value"):
            stint.price_compare("H100", hours=float("nan"))

    def test_types_are_those_of_the_package(self):
        self.assertTrue(os.path.exists(os.path.join(os.path.dirname(stint.__file__), "py.typed")))

    def test_python_values_are_given_as_they_are_typed(self):
        a = stint.price_compare("H100x8", hours=datetime.timedelta(days=1), limit=1)
        b = stint.price_compare("H100x8", hours="24h", limit=1)
        self.assertEqual(a.hours, b.hours)
        listed = stint.price_list(gpu="H100", provider=["lambda", "runpod"])
        self.assertEqual({o.provider for o in listed.offers}, {"lambda", "runpod"})
        plan = stint.plan("llama-2-7b", method="lora", tokens=1e6, budget=stint.Money("100", "USD"))
        self.assertLess(float(plan.plans[0].cost), 100)

    def test_none_is_not_given(self):
        self.assertEqual(stint.gpu_list(limit=None).to_dict(), stint.gpu_list().to_dict())


class Errors(unittest.TestCase):
    def test_have_text_hint_and_status(self):
        with self.assertRaises(stint.NotFoundError) as caught:
            stint.gpu_show("H1000")
        self.assertEqual(caught.exception.status, 4)
        self.assertIn("H1000", caught.exception.text)
        self.assertIn("H100", caught.exception.hint)
        self.assertIn("hint", str(caught.exception))
        self.assertEqual(pickle.loads(pickle.dumps(caught.exception)).hint, caught.exception.hint)

    def test_have_a_class_for_each_status(self):
        with self.assertRaises(stint.UsageError):
            stint.call("no.such.operation")
        with self.assertRaises(ValueError):
            stint.price_compare("H100x8", hours="a while")
        with self.assertRaises(stint.NoPlanError):
            stint.plan(["llama-2-70b"], tokens="25M", gpu="T4", max_gpus=1, method="full")

    def test_a_missing_library_is_one_clear_exception(self):
        done = python("import stint; stint.gpu_list()", STINT_LIBRARY="/nowhere/libstint.so.0")
        self.assertEqual(done.returncode, 1)
        self.assertIn("LibraryError: libstint cannot be loaded", done.stderr)
        self.assertIn("STINT_LIBRARY", done.stderr)

    def test_another_library_is_refused(self):
        done = python("import stint; stint.gpu_list()", STINT_LIBRARY="libm.so.6")
        self.assertIn("is not libstint", done.stderr)

    @unittest.skipUnless(shutil.which("cc"), "no compiler")
    def test_another_version_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "libstint.so.0")
            source = ("const char *stint_version(void) { return \"9.9.9\"; } void stint_free(char *p) { (void)p; }\n"
                      "int stint_call(const char *a, const char *b, char **c) { (void)a; (void)b; (void)c; return 0; }\n")
            subprocess.run(["cc", "-shared", "-fPIC", "-o", path, "-x", "c", "-"], input=source, text=True, check=True)
            done = python("import stint; stint.gpu_list()", STINT_LIBRARY=path)
        self.assertIn("libstint is version 9.9.9", done.stderr)


class Processes(unittest.TestCase):
    def test_works_in_a_child_after_fork(self):
        stint.gpu_show("T4")
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                os.write(write, stint.gpu_show("L4").gpu.name.encode())
            finally:
                os._exit(0)
        os.close(write)
        os.waitpid(child, 0)
        self.assertEqual(os.read(read, 100), b"L4")

    def test_works_in_many_threads(self):
        names, problems = ["T4", "L4", "A100", "H100", "V100", "RTX4090", "H200", "B200"], []

        def look(name):
            try:
                for _ in range(5):
                    assert name in stint.gpu_show(name).gpu.name
                    assert name in stint.price_list(gpu=name, limit=1).offers[0].accelerator
            except Exception as error:  # pylint: disable=broad-except
                problems.append(error)

        threads = [threading.Thread(target=look, args=(n,)) for n in names]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(problems, [])

    def test_ctrl_c_ends_a_long_call(self):
        code = f"""
            import stint, os, sys
            print("begun", flush=True)
            try:
                {LONG}
                print("done")
            except KeyboardInterrupt:
                print("interrupted", flush=True)
                os._exit(7)
        """
        with subprocess.Popen([sys.executable, "-c", textwrap.dedent(code)], stdout=subprocess.PIPE, text=True) as child:
            self.assertEqual(child.stdout.readline(), "begun\n")
            time.sleep(0.5)
            child.send_signal(signal.SIGINT)
            self.assertEqual(child.stdout.readline(), "interrupted\n")
            self.assertEqual(child.wait(timeout=60), 7)

    def test_a_home_that_cannot_be_written_is_no_obstacle_to_reading(self):
        done = python("import stint; print(stint.gpu_show('T4').gpu.name)", HOME="/proc/nowhere", XDG_DATA_HOME="/proc/a",
                      XDG_CONFIG_HOME="/proc/b", XDG_CACHE_HOME="/proc/c")
        self.assertEqual(done.stdout, "T4\n", done.stderr)

    def test_import_loads_little(self):
        done = python("import sys; before = set(sys.modules); import stint; print(sorted(set(sys.modules) - before))")
        self.assertEqual(json.loads(done.stdout.replace("'", '"')), ["stint", "stint._errors"])


def command(*words):
    """What the program prints: its output and its messages."""
    done = subprocess.run([os.environ["STINT_PROGRAM"], *words], capture_output=True, text=True, check=True,
                          env={**os.environ, "LC_ALL": "C.UTF-8"})
    return done.stderr + done.stdout


class Demo(unittest.TestCase):
    """Results of a ledger that has everything."""

    @classmethod
    def setUpClass(cls):
        cls.home = tempfile.TemporaryDirectory(prefix="stint-demo-")
        folder = os.path.join(cls.home.name, "demo")
        command("demo", folder, "--date", "2026-11-15")
        cls.set = unittest.mock.patch.dict(os.environ, STINT_LEDGER=folder + "/ledger.db", STINT_NOW="2026-11-15")
        cls.set.start()

    @classmethod
    def tearDownClass(cls):
        cls.set.stop()
        cls.home.cleanup()

    RESULTS = (lambda: stint.plan("llama-2-7b", method="lora", tokens="25M"), lambda: stint.runs(limit=0),
               lambda: stint.costs(by=["team"]), lambda: stint.costs(by=["day"]), lambda: stint.costs_gpus(by=["team"]),
               lambda: stint.bills(), lambda: stint.reconcile(), lambda: stint.show("support-lora"),
               lambda: stint.estimate("gpt2", on="A100", tokens="1M"), lambda: stint.price_compare("H100", hours=24),
               lambda: stint.gpu_list(), lambda: stint.budget_list(), lambda: stint.forecast(), lambda: stint.forecast(by=["team"]),
               lambda: stint.advise(), lambda: stint.rates_list(), lambda: stint.top(), lambda: stint.commitments(),
               lambda: stint.statement(month="2026-10"), lambda: stint.counts_list(), lambda: stint.why("support-lora"),
               lambda: stint.compare(["photo-seg", "photo-diffusion"]), lambda: stint.tags(), lambda: stint.maturity(),
               lambda: stint.infer("llama-3-8b", rate="5/s"), lambda: stint.accuracy(), lambda: stint.alert_list(),
               lambda: stint.price_list(gpu="H100"), lambda: stint.region_list(), lambda: stint.config_show())

    @unittest.skipUnless(importlib.util.find_spec("pandas"), "no pandas")
    def test_tables_are_flat_and_typed(self):
        import pandas
        for make in self.RESULTS:
            result = make()
            for table in [result.to_pandas()] + [rows.to_pandas(all_columns=True) for _, rows in result.items()
                                                if isinstance(rows, stint.Rows)]:
                for name in table.columns:
                    known = table[name].dropna()
                    self.assertFalse(known.map(lambda value: isinstance(value, (dict, list, stint.Money, stint.Result))).any(), name)
                    if table[name].dtype == object and len(known):
                        self.assertTrue(known.map(lambda value: isinstance(value, str)).all(), name)
                        if name not in ("account", "version", "year", "carbon_year"):  # digits that are names
                            self.assertFalse(known.str.fullmatch(r"-?[0-9]+\.[0-9]+").all(), name)
                        self.assertFalse(known.str.fullmatch(r"\d{4}-\d\d-\d\dT[0-9:]+Z").all(), name)
                self.assertEqual(len(set(table.columns)), len(table.columns))
        plan = stint.plan("llama-2-7b", method="lora", tokens="25M")
        table = plan.to_pandas()
        self.assertEqual(list(table.role), [row.role for row in plan.plans])
        self.assertEqual([float(row.cost) for row in plan.plans], list(table.cost))
        self.assertEqual([row.hours.high for row in plan.plans], list(table.hours_high))
        self.assertEqual(set(table.currency), {"USD"})
        self.assertEqual(str(table.price_date.dtype), "datetime64[ns, UTC]")
        self.assertLess(len(table.columns), 40)
        self.assertGreater(len(plan.to_pandas(all_columns=True).columns), 60)
        runs = stint.runs(limit=0).to_pandas()
        self.assertAlmostEqual(runs.cost.sum(), float(sum(run.cost for run in stint.runs(limit=0).runs if run.cost)), 6)
        self.assertTrue((runs.ended >= runs.started).all())
        self.assertIn("team=nlp", set(", ".join(runs.tags).split(", ")))
        empty = stint.runs(since="now").to_pandas()
        self.assertEqual((len(empty), "cost" in empty.columns), (0, True))
        days = stint.costs(by=["day"], since="5d").to_pandas()
        self.assertEqual(days.period.dt.day.tolist(), [11, 12, 13, 14, 15][:len(days)])
        self.assertIsInstance(pandas.concat([days, days]), pandas.DataFrame)

    @unittest.skipUnless(importlib.util.find_spec("pandas"), "no pandas")
    def test_currencies_that_differ_have_a_column_each(self):
        from stint._result import Result, Rows
        one = {"cost": {"amount": "1", "currency": "USD"}, "fee": {"amount": "2", "currency": "EUR"}}
        table = Rows([Result(one)]).to_pandas()
        self.assertEqual(table.iloc[0].to_dict(), {"cost": 1.0, "fee": 2.0, "cost_currency": "USD", "fee_currency": "EUR"})
        table = Rows([Result({"currency": "EUR", "cost": {"amount": "1", "currency": "USD"}})]).to_pandas()
        self.assertEqual(table.iloc[0].to_dict(), {"currency": "EUR", "cost": 1.0, "cost_currency": "USD"})

    def test_a_notebook_shows_what_the_terminal_shows(self):
        def plain(text):
            return re.sub(r"(configurations)( in [0-9.]+ m?s)?", r"\1", text).strip()

        for result, words in ((stint.plan("llama-2-7b", method="lora", tokens="25M"),
                               ("plan", "llama-2-7b", "--method", "lora", "--tokens", "25M")),
                              (stint.estimate("gpt2", on="A100", tokens="1M"), ("estimate", "gpt2", "--on", "A100", "--tokens", "1M")),
                              (stint.runs(limit=3), ("runs", "--limit", "3")), (stint.costs(by=["team"]), ("costs", "--by", "team")),
                              (stint.show("support-lora"), ("show", "support-lora")), (stint.budget_list(), ("budget", "list"))):
            expected = plain(command(*words))
            page = result._repr_html_()
            shown = html.unescape(re.search(r"<pre[^>]*>(.*)</pre>", page, re.S).group(1))
            self.assertEqual(plain(shown), expected)
            self.assertIn(expected.splitlines()[-1], result._repr_markdown_())
            self.assertEqual(plain(str(result)), expected)
            self.assertNotIn("search_ms", page)

    def test_the_picture_of_a_plan(self):
        plan = stint.plan("llama-2-7b", method="lora", tokens="25M")
        self.assertTrue(plan.figure().startswith("<svg"))
        self.assertTrue(plan._repr_html_().startswith("<svg"))
        self.assertIsNone(stint.runs().figure())
        many = stint.plan(["gpt2", "bert-base"], tokens="10M")
        self.assertIsNone(many.figure())
        self.assertIn("gpt2", many.text())

    def test_files_are_not_written_twice(self):
        path = os.path.join(self.home.name, "plan.json")
        plan = stint.plan("gpt2", tokens="1M", save=path)
        os.remove(path)
        self.assertIn("<pre", plan._repr_html_())
        self.assertFalse(os.path.exists(path))

    def test_what_changes_something_is_not_repeated(self):
        before = len(stint.alert_channels().channels)
        added = stint.alert_add("twice", kind="slack", url_env="NOWHERE")
        self.assertIsNone(added.text())
        self.assertIn("<table>", added._repr_html_())
        self.assertEqual(len(stint.alert_channels().channels), before + 1)
        stint.alert_remove("twice")
