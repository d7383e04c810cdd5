#!/usr/bin/python3
"""/metrics as Prometheus reads it: formats, names, counters, limits; a real Prometheus with the rules and the dashboard."""
import json
import os
import re
import shutil
import socket
import sqlite3
import urllib.parse
import urllib.request

from serving import STINT, Server
from devices import Cards
from harness import Skip, main, read, script, test, wait_for

HERE = os.path.dirname(os.path.abspath(__file__))
OPEN = "application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1"
WORKS = script("""
import os, time
open("pid.new", "w").write(str(os.getpid())); os.rename("pid.new", "pid")
step = 0
while not os.path.exists("leave"):
    step += 1; print(f"step {step}/100000 loss 2.0", flush=True)
    time.sleep(0.05)
""")


def parse(text):
    """Strictly: families with their type, help and unit; samples as {(name, labels): value}. Each family is in one piece."""
    families, samples, family = {}, {}, None
    lines = text.split("\n")
    assert lines[-1] == "", "the last line has no end"
    for line in lines[:-1]:
        if line == "# EOF":
            families["EOF"] = True
            continue
        assert "EOF" not in families, "something follows # EOF"
        note = re.fullmatch(r"# (HELP|TYPE|UNIT) ([a-z_]+) (.+)", line)
        if note:
            kind, name, value = note.groups()
            if name != family:
                assert name not in families, f"{name} is in two pieces"
                family, families[name] = name, {}
            assert kind not in families[name], line
            families[name][kind] = value
            continue
        found = re.fullmatch(r'([a-z_]+)(?:\{((?:[a-z_]+="(?:[^"\\\n]|\\[n"\\])*",?)*)\})? ([-0-9.e+]+)', line)
        assert found, line
        name, labels, value = found.groups()
        labels = tuple((n, v.replace(r"\n", "\n").replace(r"\"", '"').replace(r"\\", "\\"))
                       for n, v in re.findall(r'([a-z_]+)="((?:[^"\\]|\\.)*)"', labels or ""))
        assert name.startswith(family), (name, family)
        assert (name, labels) not in samples, line
        samples[name, labels] = float(value)
    return families, samples


def scrape(server, accept=OPEN, **how):
    answer = server.get("/metrics", headers={"Accept": accept}, **how)
    assert answer.status == 200, answer.body
    return answer


def values(server, name, **how):
    """Values of a metric by the id of the run, or by the labels."""
    _, samples = parse(scrape(server, **how).text())
    return {dict(labels).get("run_id", labels): value for (n, labels), value in samples.items() if n == name}


class Run:
    """A run that goes on until it is told to leave."""

    def __init__(self, world, *words):
        self.world = world
        self.process = world.start(STINT, "run", "--every", "100ms", "--progress", *words, "--", *WORKS, stdout=-3, stderr=-3)
        self.pid = int(wait_for("its number", lambda: read(world.path("pid"))))

    def end(self):
        self.world.write("leave", "")
        return self.world.end(self.process)


@test
def formats(world):
    """A client gets the format that it asks for, and both say the same."""
    with Server(world) as s:
        assert s.get("/metrics", token=None).status == 401
        reader = s.make_token("prometheus")
        wait_for("the server to see it", lambda: s.get("/metrics", token=reader).status == 200)
        run = Run(world, "--no-gpu", "--price", "3.60usd/hr", "--tag", "team=nlp,project=search")
        wait_for("its cost", lambda: values(s, "stint_run_cost_total"))
        new, old = scrape(s), scrape(s, accept="")
        assert new.headers["Content-Type"] == "application/openmetrics-text; version=1.0.0; charset=utf-8", new.headers
        assert old.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8", old.headers
        assert scrape(s, accept="text/plain, application/openmetrics-text;q=0.1").headers["Content-Type"] == old.headers["Content-Type"]
        assert scrape(s, accept="application/openmetrics-text;q=0, */*").headers["Content-Type"] == old.headers["Content-Type"]
        families, samples = parse(new.text())
        assert families.pop("EOF")
        for name, facts in families.items():
            assert facts["TYPE"] in ("gauge", "counter", "info") and facts["HELP"], (name, facts)
            assert "UNIT" not in facts or name.endswith("_" + facts["UNIT"]), (name, facts)
        assert families["stint_run_time_seconds"] == {"TYPE": "counter", "UNIT": "seconds",
                                                      "HELP": "Time that a running run has run, over all attempts"}
        assert families["stint_build"]["TYPE"] == "info"
        old_families, _ = parse(old.text())
        assert "EOF" not in old_families and old_families["stint_run_cost_total"]["TYPE"] == "counter"
        assert old_families["stint_build_info"]["TYPE"] == "gauge"
        wait_for("both to say the same", lambda: set(parse(scrape(s).text())[1]) == set(parse(scrape(s, accept="").text())[1]))
        one = [dict(labels) for (name, labels) in samples if name == "stint_run_cost_total"][0]
        assert one["team"] == "nlp" and one["project"] == "search" and one["currency"] == "USD", one
        # 3.60 dollars an hour are a tenth of a cent a second
        assert list(values(s, "stint_run_cost_per_second").values()) == [0.001]
        run.end()
        wait_for("the series to end", lambda: not values(s, "stint_run_cost_total"))
        assert values(s, "stint_runs") == {(("state", "running"),): 0, (("state", "silent"),): 0}


@test
def hostile_names(world):
    """Quotes, backslashes, ends of lines, control characters and broken UTF-8 in names stay values of labels."""
    with Server(world) as s:
        name = 'a"b\\c\n# EOF\n{x="1"} \x1b[31m é'
        run = Run(world, "--no-gpu", "--name", name, "--tag", "team=" + "t" * 500)
        labels = wait_for("the run", lambda: [dict(key) for (n, key) in parse(scrape(s).text())[1] if n == "stint_run_info"])[0]
        assert labels["run"].startswith('a"b\\c') and "é" in labels["run"] and "\x1b" not in labels["run"], labels
        assert 100 < len(labels["team"]) <= 160, labels
        run.end()


def copies(world, count):
    """Copies of the run that goes on, whose supervisor is alive: they stay as they are."""
    world.sampled()
    base = sqlite3.connect(world.ledger, timeout=60)
    changed = {"run": "run + n", "attempt": "attempt + n", "id": "printf('%s%08x', substr(id, 1, 28), n)",
               "attempt_id": "printf('%s%08x', substr(attempt_id, 1, 28), n)"}
    for table, key in (("runs", "run"), ("attempts", "attempt")):
        columns = [row[1] for row in base.execute(f"PRAGMA table_info({table})")]
        base.execute(f"WITH RECURSIVE many(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many WHERE n < {count})"
                     f" INSERT INTO {table} SELECT {', '.join(changed.get(c, c) for c in columns)} FROM {table}, many WHERE {key} = 1")
    base.commit()
    return base


@test
def counters_do_not_fall(world):
    """A cost that is corrected downwards does not make a counter fall; one that rises again goes on from there."""
    run = Run(world, "--no-gpu", "--price", "3.60usd/hr")
    base = copies(world, 1)
    with Server(world) as s:
        def set_cost(dollars):
            base.execute("UPDATE attempts SET cost_nano = ? WHERE attempt = 2", (dollars * 10**9,))
            base.commit()

        def cost():
            return values(s, "stint_run_cost_total").get("00000001")

        set_cost(7)
        wait_for("the cost", lambda: cost() == 7)
        set_cost(5)
        wait_for("the server to see it", lambda: b'"amount":"5"' in s.get("/api/v1/show?run=00000001").body)
        assert cost() == 7
        set_cost(8)
        wait_for("the cost", lambda: cost() == 8)
    base.close()
    run.end()


@test
def bounded(world):
    """Of more than a thousand runs the first thousand have series; the gauges of the others are added up and counted."""
    run = Run(world, "--no-gpu", "--price", "3.60usd/hr")
    copies(world, 1004).close()
    with Server(world) as s:
        costs, rates = values(s, "stint_run_cost_total"), values(s, "stint_run_cost_per_second")
        assert len(costs) == 1000 and "other" not in costs, len(costs)
        assert len(rates) == 1001 and abs(rates["other"] - 0.005) < 1e-9, rates.get("other")
        assert values(s, "stint_metrics_left_out")[(("of", "runs"),)] == 5
        assert sum(values(s, "stint_runs").values()) == 1005
    run.end()


@test
def teams(world):
    """The token of a team sees its own runs, spending and budgets, and nothing of the server."""
    run = Run(world, "--no-gpu", "--price", "3.60usd/hr", "--tag", "team=nlp")
    world.sampled()
    for name in ("nlp", "vision"):
        made = world.end(world.start(STINT, "budget", "set", name, "5usd", "--where", "team=" + name))
        assert made.status == 0, made
    with Server(world) as s:
        nlp, vision = s.make_token("nlp", "--team", "nlp"), s.make_token("vision", "--team", "vision")
        wait_for("the server to see it", lambda: s.get("/metrics", token=vision).status == 200)
        assert len(values(s, "stint_run_cost_total", token=nlp)) == 1
        assert values(s, "stint_budget_limit", token=nlp) == {(("budget", "nlp"), ("currency", "USD")): 5}
        assert values(s, "stint_run_cost_total", token=vision) == {}
        assert values(s, "stint_month_cost", token=vision) == {}
        assert values(s, "stint_budget_limit", token=vision) == {(("budget", "vision"), ("currency", "USD")): 5}
        assert values(s, "stint_server_requests_total", token=nlp) == {} != values(s, "stint_server_requests_total")
    run.end()


@test
def without_a_ledger(world):
    """A ledger that cannot be read is a value that an alert can be made of; the server says so at /healthz, too."""
    with Server(world) as s:
        assert s.get("/healthz", token=None).text() == "ok\n"
        assert list(values(s, "stint_ledger_up").values()) == [1]
        os.rename(world.ledger, world.path("kept"))
        world.write("ledger.db", "this is no ledger" * 1000)
        wait_for("the server to see it", lambda: list(values(s, "stint_ledger_up").values()) == [0])
        sick = s.get("/healthz", token=None)
        assert sick.status == 503 and world.dir not in sick.text(), sick.body
        os.rename(world.path("kept"), world.ledger)
        wait_for("the server to see it", lambda: s.get("/healthz", token=None).status == 200)
        wait_for("the server to see it", lambda: list(values(s, "stint_ledger_up").values()) == [1])


class Prometheus:
    """Debian's, which scrapes a server each second by the rules of `stint metrics rules`."""

    def __init__(self, world, server, rules):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        world.write("token", server.token, 0o600)
        world.write("stint.rules.yml", rules)
        world.write("prometheus.yml", f"""
global: {{scrape_interval: 1s, evaluation_interval: 1s}}
rule_files: [stint.rules.yml]
scrape_configs:
  - job_name: stint
    authorization: {{credentials_file: token}}
    static_configs: [{{targets: ['{server.host}']}}]
""")
        self.process = world.start("prometheus", "--config.file=prometheus.yml", "--storage.tsdb.path=tsdb",
                                   f"--web.listen-address=127.0.0.1:{self.port}", stdout=-3, stderr=-3)

    def ask(self, query):
        address = f"http://127.0.0.1:{self.port}/api/v1/query?" + urllib.parse.urlencode({"query": query})
        try:
            with urllib.request.urlopen(address, timeout=60) as answer:
                return json.load(answer)["data"]["result"]
        except urllib.error.HTTPError as error:
            if error.code == 503:  # it is still starting
                return []
            raise AssertionError(f"{query}: {error.read()}") from None
        except OSError:
            return []


def rule_queries(rules):
    """What each rule asks; of an alert the side that is compared, and no longer ago than this test has run."""
    for query in re.findall(r"expr: '(.+)'", rules):
        query = re.sub(r" (==|<|>) [0-9.]+( and .*)?$", "", query)
        yield re.sub(r" offset \w+", "", query)


def panel_queries(dashboard):
    for panel in dashboard["panels"]:
        for target in panel.get("targets", []):
            query = target["expr"].replace("$currency", "USD")
            yield re.sub(r"\$(run|team|project)", ".*", query)


def checked(world, *words, given=None):
    done = world.end(world.start("promtool", *words, stdin=-1), given)
    assert done.status == 0 and not done.err.strip(), done


@test
def prometheus(world):
    """Prometheus scrapes the server; promtool finds nothing wrong; every query of the rules and of the dashboard has data."""
    if not shutil.which("prometheus") or not shutil.which("promtool"):
        raise Skip("there is no prometheus")
    made = world.end(world.start(STINT, "demo", "demo"))
    assert made.status == 0, made
    world.ledger = world.env["STINT_LEDGER"] = world.path("demo", "ledger.db")
    rules = world.end(world.start(STINT, "metrics", "rules")).out.decode()
    dashboard = json.loads(world.end(world.start(STINT, "metrics", "dashboard")).out)
    assert {v["name"] for v in dashboard["templating"]["list"]} == {"datasource", "currency", "team", "project", "run"}
    queries = list(rule_queries(rules)) + list(panel_queries(dashboard))
    assert len(queries) > 30, queries
    cards = Cards(world)
    run = Run(world, "--price", "3.60usd/hr", "--budget", "5usd", "--tag", "team=nlp,project=search")
    cards.say(0, util=90, process=[(run.pid, 10**9)])
    with Server(world) as s, cards:
        p = Prometheus(world, s, rules)
        for query in queries:
            wait_for("data for " + query, lambda q=query: p.ask(q))
        assert [one["value"][1] for one in p.ask("stint_run_cost_per_second")] == ["0.001"]
        assert p.ask('up{job="stint"}')[0]["value"][1] == "1"
        checked(world, "check", "rules", "stint.rules.yml")
        checked(world, "check", "metrics", given=scrape(s, accept="").body)
        checked(world, "test", "rules", shutil.copy(os.path.join(HERE, "rules_test.yml"), world.dir))
    run.end()


main()
