#!/usr/bin/python3
"""The page without a browser: signing in, what is escaped, tables as CSV, paging, news of changes, other teams."""
import csv
import html
import http.client
import io
import json
import os
import re
import sqlite3
import time
from urllib.parse import quote

from serving import STINT, Server, sign_in
from harness import main, test, wait_for

NASTY = "<script>alert(1)</script>\"'&amp;\x1b[31m"


def add_runs(world, *names, **tags):
    for name in names:
        added = world.end(world.start(STINT, "runs", "add", "--name", name, "--start", "2026-01-02T10:00:00Z",
                                      "--end", "2026-01-02T11:00:00Z", "--cost", "2usd", *[f"--tag={k}={v}" for k, v in tags.items()]))
        assert added.status == 0, added


@test
def signing_in(world):
    """Whoever is not signed in is led to the form, and from there to where they wanted, on this server only."""
    with Server(world) as s:
        led = s.get("/runs?name=a%20b", token=None)
        assert led.status == 303 and led.headers["Location"] == "/sign-in?to=%2Fruns%3Fname%3Da%2520b", led.headers
        form = s.get(led.headers["Location"], token=None)
        assert form.status == 200 and 'value="/runs?name=a%20b"' in form.text(), form.text()
        answer, cookie = sign_in(s, to="/runs?name=a%20b")
        assert answer.status == 303 and answer.headers["Location"] == "/runs?name=a%20b", answer.headers
        attributes = answer.headers["Set-Cookie"].split("; ")[1:]
        assert sorted(attributes) == ["HttpOnly", "Path=/", "SameSite=Lax"], attributes
        page = s.get("/runs", token=None, headers={"Cookie": cookie})
        assert page.status == 200 and "<h1>Runs</h1>" in page.text()
        for bad in ("//evil.example", "https://evil.example", "/\\evil.example", "/a\r\nX: y", "evil"):
            answer, _ = sign_in(s, to=bad)
            assert answer.headers["Location"] == "/", (bad, answer.headers)
        out = s.ask("POST", "/sign-out", token=None, headers={"Cookie": cookie, "Origin": s.base})
        assert out.status == 303 and "Max-Age=0" in out.headers["Set-Cookie"]
        assert s.get("/runs", token=None, headers={"Cookie": cookie}).status == 303


@test
def the_link_works_once(world):
    """The link that the server prints signs in once; the second time there is the form, and no cookie."""
    with Server(world) as s:
        path = s.link[len(s.base):]
        assert "Set-Cookie" not in s.ask("HEAD", path, token=None).headers
        first, second = s.get(path, token=None), s.get(path, token=None)
        assert first.status == 303 and "Set-Cookie" in first.headers, first.headers
        assert second.status == 403 and "Set-Cookie" not in second.headers and "not valid" in second.text()
        assert sign_in(s, secret="stint_" + "0" * 48)[0].status == 403


@test
def forms_of_other_sites(world):
    """A form of another site changes nothing, with our cookie or without."""
    with Server(world) as s:
        _, cookie = sign_in(s)
        for origin in ("https://evil.example", "null"):
            answer = s.ask("POST", "/sign-out", token=None, headers={"Cookie": cookie, "Origin": origin})
            assert answer.status == 403, answer.status
        assert s.get("/", token=None, headers={"Cookie": cookie}).status == 200


@test
def what_is_entered_stays(world):
    """A form that is refused comes back with what was entered, and says what is wrong; lines end as they were typed."""
    with Server(world) as s:
        _, cookie = sign_in(s)
        def send(path, body):
            return s.ask("POST", path, body=body, token=None, headers={"Cookie": cookie, "Origin": s.base,
                         "Content-Type": "application/x-www-form-urlencoded"})
        new = send("/budgets", "name=vision&amount=500&period=quarter&where=team%3Dvision&thresholds=50%25&alert=")
        page = new.text()
        assert new.status == 400 and 'role="alert"' in page and "500usd" in page, page
        for kept in ('name="name" required value="vision"', 'value="500"', '<option value="quarter" selected', 'value="team=vision"', 'value="50%"'):
            assert kept in page, (kept, page)
        assert send("/budgets", "name=vision&amount=500usd").status == 303
        change = send("/budgets", "name=vision&change=yes&amount=12&where=&thresholds=abc&alert=")
        assert change.status == 400 and "<h2>Change it</h2>" in change.text() and 'value="12"' in change.text(), change.text()
        assert "$500.00" in s.get("/budgets/vision").text()
        prices = s.get("/prices?gpu=H100&max_price=cheap")
        assert prices.status == 400 and 'value="cheap"' in prices.text() and 'value="H100"' in prices.text(), prices.text()
        job = "train:\r\n  model: llama-3-8b\r\n  method: lora\r\n  data: {tokens: 1M}\r\n"
        plan = s.get("/plan?job=" + quote(job, safe=""))
        assert plan.status == 200 and html.escape(job.replace("\r", ""), quote=False) in plan.text(), plan.text()
        wrong = s.get("/plan?job=" + quote(job.replace("lora", "lara"), safe=""))
        assert wrong.status == 400 and "method: lara" in wrong.text() and 'role="alert"' in wrong.text(), wrong.text()


@test
def errors_keep_the_frame(world):
    """Who is signed in finds the views also around a page that is not there, or that they may not see."""
    with Server(world) as s:
        reader = s.make_token("reader", "--scope", "read")
        _, cookie = sign_in(s)
        html_only = {"Accept": "text/html"}
        for path in ("/nosuch", "/runs/nosuch", "/budgets/nosuch"):
            page = s.get(path, token=None, headers={"Cookie": cookie, **html_only})
            assert page.status == 404 and 'class="views"' in page.text(), (path, page.status, page.text())
        stranger = s.get("/nosuch", token=None, headers=html_only)
        assert stranger.status == 404 and 'class="views"' not in stranger.text() and "/sign-in" in stranger.text(), stranger.text()
        wait_for("the token to be known", lambda: sign_in(s, secret=reader)[0].status == 303)
        _, cookie = sign_in(s, secret=reader)
        refused = s.ask("POST", "/budgets", body="name=x&amount=5usd", token=None, headers={"Cookie": cookie, "Origin": s.base, **html_only,
                        "Content-Type": "application/x-www-form-urlencoded"})
        assert refused.status == 403 and 'class="views"' in refused.text(), (refused.status, refused.text())
        assert json.loads(s.get("/nosuch").body)["kind"] == "absent"


@test
def names_are_harmless(world):
    """Names with markup, quotes and escape sequences are text, on every page and in CSV."""
    add_runs(world, NASTY, "=1+1", team=NASTY.replace(",", ""))
    with Server(world) as s:
        run = next(r for r in s.get("/api/v1/runs").json()["runs"] if r["name"].startswith("<script>"))
        pages = ["/", "/runs", "/runs/" + run["id"], "/runs?name=" + quote(NASTY), "/runs/" + quote(NASTY, safe=""),
                 "/nosuch/" + quote(NASTY, safe="")]
        for path in pages:
            answer = s.get(path, headers={"Accept": "text/html"})
            assert "<script>alert" not in answer.text() and "\x1b" not in answer.text(), path
            assert "style=" not in answer.text() and "<style" not in answer.text(), path
            assert re.search(r"\son\w+=", answer.text()) is None, path
        assert "&lt;script&gt;" in s.get("/runs").text()
        table = list(csv.reader(io.StringIO(s.get("/runs?format=csv&table=runs").text())))
        assert "'=1+1" in [row[1] for row in table[1:]], table


@test
def tables_as_csv(world):
    """Every table of a page downloads as CSV, with a name; a table that is not there is not found."""
    add_runs(world, "first", "second")
    with Server(world) as s:
        page = s.get("/runs").text()
        link = re.search(r'href="([^"]*format=csv[^"]*)"', page)[1].replace("&amp;", "&")
        answer = s.get(link)
        assert answer.headers["Content-Type"] == "text/csv; charset=utf-8", answer.headers
        assert answer.headers["Content-Disposition"] == 'attachment; filename="runs.csv"', answer.headers
        rows = list(csv.DictReader(io.StringIO(answer.text())))
        assert sorted(r["name"] for r in rows) == ["first", "second"] and rows[0]["cost_usd"] == "2", rows
        assert s.get("/runs?format=csv&table=nosuch").status == 404


@test
def every_link_leads_somewhere(world):
    """From the overview of the demo: each kind of link on each kind of page; a CSV file is one, with as many columns in each row."""
    demo = world.end(world.start(STINT, "demo", world.path("demo")))
    assert demo.status == 0, demo
    kinds, ahead, followed = {}, [("/", "the start")], 0
    with Server(world, env={"STINT_LEDGER": world.path("demo", "ledger.db")}) as s:
        for path in ("/", "/bills", "/advice"):
            wait_for("all parts of " + path, lambda: "eing computed" not in s.get(path).text())
        while ahead:
            path, source = ahead.pop()
            kind = re.sub(r"^/(runs|prices|budgets)/[^?]+|(?<=[=.-])[^&=]{6,}", "X", path)
            if kinds.setdefault(kind, 0) == 2:
                continue
            kinds[kind], followed = kinds[kind] + 1, followed + 1
            answer = s.get(path)
            assert answer.status == 200, (path, source, answer.status)
            if "format=csv" in path:
                assert len({len(row) for row in csv.reader(io.StringIO(answer.text()), strict=True)}) == 1, path
            elif answer.headers["Content-Type"].startswith("text/html"):
                links = re.findall(r' href="(/[^"#]*)', answer.text())
                ahead += [(html.unescape(link), path) for link in links]
    assert followed > 60, followed


@test
def runs_are_paged(world):
    """Older runs are on further pages: each run once, also those that began in the same second."""
    names = ["run-%03d" % n for n in range(107)]
    with Server(world) as s:
        for i, name in enumerate(names):
            start = "2026-01-%02dT10:00:00Z" % (1 + i // 30)
            added = s.post("/api/v1/runs.add", {"name": name, "start": start, "end": start.replace("10:", "11:"), "cost": "1usd"})
            assert added.status == 200, added.body
        seen, path, pages = [], "/runs", 0
        while path:
            page = s.get(path).text()
            seen += re.findall(r'<a href="/runs/[0-9a-f-]{36}">(run-\d+)</a>', page)
            more = re.search(r'rel="next" href="([^"]+)"', page)
            path, pages = more and more[1].replace("&amp;", "&"), pages + 1
        assert sorted(seen) == names and pages == 3, (len(seen), pages)
        assert s.get("/runs?after=nonsense").status == 400
        some = s.get("/runs?name=run-00&sort=runs.name").text()
        assert re.findall(r">(run-\d+)</a>", some) == ["run-%03d" % n for n in range(10)], some


@test
def sorted_runs(world):
    """Runs are sorted by cost over the complete ledger, not only the newest; the file has all runs, each once."""
    add_runs(world, "seed")
    base = sqlite3.connect(world.ledger, timeout=60)
    changed = {"run": "run + n", "attempt": "attempt + n", "id": "printf('%s%08x', substr(id, 1, 28), n)", "started": "started + n",
               "attempt_id": "printf('%s%08x', substr(attempt_id, 1, 28), n)", "name": "printf('run-%04d', n)", "cost_nano": "(3000 - n) * 1000000000"}
    for table, key in (("runs", "run"), ("attempts", "attempt")):
        columns = [row[1] for row in base.execute(f"PRAGMA table_info({table})")]
        base.execute("WITH RECURSIVE many(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many WHERE n < 2100)"
                     f" INSERT INTO {table} SELECT {', '.join(changed.get(c, c) for c in columns)} FROM {table}, many WHERE {key} = 1")
    base.commit()
    base.close()
    with Server(world) as s:
        page = s.get("/runs?sort=runs.-cost").text()  # the oldest cost most: $2,999 is the first
        assert re.findall(r">(run-\d+)</a>", page)[:3] == ["run-0001", "run-0002", "run-0003"] and "$2,999.00" in page, page
        assert "The first 100 of all runs that match." in page, page
        page = s.get("/runs?sort=runs.cost&name=run-00").text()
        assert re.findall(r">(run-\d+)</a>", page)[:2] == ["run-0099", "run-0098"], page
        rows = list(csv.DictReader(io.StringIO(s.get("/runs?format=csv&table=runs").text())))
        assert len(rows) == len({row["id"] for row in rows}) == 2101 and rows[0]["name"] == "run-2100", len(rows)
        assert s.get("/runs?format=csv&table=nosuch").status == 404
        few = list(csv.DictReader(io.StringIO(s.get("/runs?format=csv&table=runs&name=run-0001").text())))
        assert [row["cost_usd"] for row in few] == ["2999"], few


@test
def files_of_the_page(world):
    """The style sheet and the script are kept by browsers under their version; pages are not kept."""
    with Server(world) as s:
        page = s.get("/")
        assert page.headers["Cache-Control"] == "no-store"
        for path, kind in re.findall(r'(?:href|src)="(/(style|script)\.[^"]+)"', page.text()):
            answer = s.get(path, token=None)
            assert answer.status == 200 and "immutable" in answer.headers["Cache-Control"], (path, answer.headers)
            assert "immutable" not in s.get(path.split("?")[0], token=None).headers["Cache-Control"]


@test
def an_empty_ledger(world):
    """Where nothing is recorded the overview shows how to begin; other pages say so."""
    with Server(world, env={"STINT_LEDGER": world.path("empty.db")}) as s:
        assert "stint demo" in s.get("/").text()
        for path in ("/runs", "/plan", "/prices", "/budgets", "/alerts", "/bills", "/allocation", "/advice"):
            assert s.get(path).status == 200, path


@test
def other_teams(world):
    """A token for one team shows its runs and costs, and nothing of others."""
    add_runs(world, "ours", team="nlp")
    add_runs(world, "theirs", team="vision")
    with Server(world) as s:
        theirs = next(r["id"] for r in s.get("/api/v1/runs").json()["runs"] if r["name"] == "theirs")
        nlp = s.make_token("nlp", "--team", "nlp", "--scope", "admin")
        wait_for("the server to see it", lambda: s.get("/runs", token=nlp).status == 200)
        assert "theirs" in s.get("/runs").text() and "ours" in s.get("/runs", token=nlp).text()
        for path in ("/", "/runs", "/budgets", "/allocation?month=2026-01", "/advice", "/runs?format=csv&table=runs"):
            wait_for("its parts", lambda: "eing computed" not in s.get(path, token=nlp).text())
            page = s.get(path, token=nlp)
            assert page.status == 200 and "theirs" not in page.text() and "vision" not in page.text(), (path, page.text())
        assert s.get("/runs/" + theirs, token=nlp).status == 404
        assert s.get("/bills", token=nlp).status == 403


@test
def forms(world):
    """Forms change what they say, for those who may, and say what is wrong."""
    with Server(world) as s:
        def send(path, body, token=True):
            return s.ask("POST", path, body=body, token=token, headers={"Content-Type": "application/x-www-form-urlencoded"})
        made = send("/budgets", "name=nlp&amount=500usd&period=month&where=team%3Dnlp")
        assert made.status == 303 and made.headers["Location"] == "/budgets?done=saved", (made.status, made.body)
        page = s.get("/budgets?done=saved").text()
        assert "Saved." in page and '<a href="/budgets/nlp">nlp</a>' in page and "team=nlp" in page, page
        wrong = send("/budgets", "name=nlp&amount=500")
        assert wrong.status == 400 and "500usd" in wrong.text() and wrong.text().startswith("<!DOCTYPE"), wrong.text()
        reader = s.make_token("reader")
        wait_for("the server to see it", lambda: s.get("/budgets", token=reader).status == 200)
        assert "Set a budget" not in s.get("/budgets", token=reader).text()
        for path in ("/budgets", "/budgets/remove", "/alerts/acknowledge", "/alerts/test", "/advice/dismiss", "/advice/restore"):
            assert send(path, "name=nlp&id=1", token=reader).status == 403, path
            assert s.get(path).status != 303, path
        assert send("/budgets/remove", "name=nlp").status == 303
        assert send("/budgets/remove", "name=nlp").status == 404
        assert send("/alerts/acknowledge", "id=77").status == 404


@test
def choices_of_forms(world):
    """What a form offers to choose is accepted."""
    with Server(world) as s:
        def choices(page, name):
            return re.findall(r'<option[^>]* value="([^"]+)"', re.search(rf'<select[^>]* name="{name}".*?</select>', page, re.S)[0])
        for period in choices(s.get("/budgets").text(), "period"):
            made = s.ask("POST", "/budgets", body=f"name=b-{period}&amount=5usd&period={period}",
                         headers={"Content-Type": "application/x-www-form-urlencoded"})
            assert made.status == 303, (period, made.text())
        for path, names in (("/plan?model=llama-3.1-8b&tokens=1M", ("method", "market", "aim")), ("/prices?gpu=H100", ("market",)), ("/runs?x=", ("state",))):
            page = s.get(path).text()
            for name in names:
                for value in choices(page, name):
                    answer = s.get(f"{path}&{name}={value}")
                    late = "takes longer than 10 s" in answer.text()  # with a sanitizer, on a machine in use
                    assert late or (answer.status == 200 and "remark failure" not in answer.text()), (path, name, value, answer.text())


@test
def several_currencies(world):
    """Amounts are shown in each currency; a budget without a rate says so, and does not hide one that is nearly spent."""
    today = time.strftime("%Y-%m-%d", time.gmtime())
    bill = world.write("bill.csv", f"date,cost,provider,currency,team\n{today},31.50,Hetzner,EUR,nlp\n{today},7000,Sakura,JPY,nlp\n"
                       f"{today},1234.50,Lambda,USD,vision\n")
    assert world.end(world.start(STINT, "import", bill)).status == 0
    for name, *words in (("all", "5usd"), ("vision", "2000usd", "--where", "team=vision")):
        assert world.end(world.start(STINT, "budget", "set", name, *words)).status == 0
    with Server(world) as s:
        wait_for("its parts", lambda: "eing computed" not in s.get("/").text())
        page = s.get("/").text()
        assert "31.50 EUR" in page and "7,000.00 JPY" in page and "and $1,234.50" not in page, page
        facts = re.search(r'<dl class="tiles".*?</dl>', page, re.S)[0]
        assert "$1,234.50" in facts and "Only what was spent in EUR." in page, facts
        assert "vision: $765.50 left of $2,000.00" in facts, facts
        one = s.get("/budgets/all").text()
        assert "of $5.00" in one and "there is no rate of" in one and "Nothing was spent" not in one, one
        hints = s.get("/budgets").text().count("stint rates import")
        assert hints == 1, hints


@test
def many_groups(world):
    """The overview sums up small teams as others, not as those without a team; the file has every team, and each amount its currency."""
    today = time.strftime("%Y-%m-%d", time.gmtime())
    lines = [f"{today},{n}.25,Lambda,USD,team-{n:02d}" for n in range(1, 31)] + [f"{today},31.50,Hetzner,EUR,"]
    bill = world.write("bill.csv", "date,cost,provider,currency,team\n" + "\n".join(lines) + "\n")
    assert world.end(world.start(STINT, "import", bill)).status == 0
    assert world.end(world.start(STINT, "budget", "set", "all", "50eur", "--where", "provider=Hetzner")).status == 0
    with Server(world) as s:
        wait_for("its parts", lambda: "eing computed" not in s.get("/").text())
        teams = re.search(r'id="teams".*?</section>', s.get("/").text(), re.S)[0]
        assert ">others (22)<" in teams and teams.count("(none)") == 1, teams
        rows = list(csv.DictReader(io.StringIO(s.get("/?format=csv&table=teams").text())))
        assert len(rows) == 31 and {row["currency"] for row in rows} == {"EUR", "USD"}, rows
        assert sum(float(row["amount"]) for row in rows if row["team"]) == sum(range(1, 31)) + 30 * 0.25, rows
        for path, table, amount in (("/", "budgets", "limit"), ("/budgets", "budgets", "spent"), ("/bills", "bills", "billed")):
            rows = list(csv.DictReader(io.StringIO(s.get(f"{path}?format=csv&table={table}").text())))
            assert rows and all(row["currency"] in ("EUR", "USD") and row[amount] for row in rows), (path, rows)
        files = s.get("/bills?format=csv&table=reconciled").text().split("\n")[0]
        assert "metered_usd" in files and files.endswith("currency"), files


@test
def reconciled_runs(world):
    """Bills show the newest runs and say so; the file has all of them."""
    today = time.strftime("%Y-%m-%d", time.gmtime())
    with Server(world) as s:
        for n in range(25):
            run = {"name": f"run-{n}", "start": f"{today}T00:00:00Z", "end": f"{today}T00:00:01Z", "cost": "1usd"}
            assert s.post("/api/v1/runs.add", run).status == 200
        page = "eing computed"
        while "eing computed" in page:
            page = s.get("/bills").text()
        assert page.count(">run-") == 20 and "The newest 20 runs; the CSV file has all." in page, page
        rows = list(csv.DictReader(io.StringIO(s.get("/bills?format=csv&table=reconciled").text())))
        assert len(rows) == 25, len(rows)


@test
def each_gpu(world):
    """The page of a run has a line for each GPU; one without work shows."""
    filled = world.end(world.start(os.environ["STINT_TEST_LEDGER"], world.ledger, "devices"))
    assert filled.status == 0, filled
    with Server(world) as s:
        page = s.get("/runs/one-idle").text()
        assert page.count("<td>not used</td>") == 1 and "1 of 8 GPUs was idle for 100 % of the time" in page, page
        rows = list(csv.DictReader(io.StringIO(s.get("/runs/one-idle?format=csv&table=devices").text())))
        assert [row["number"] for row in rows] == [str(n) for n in range(8)], rows
        assert [round(float(row["busy"]), 6) for row in rows] == [0 if n == 5 else 0.93 for n in range(8)], rows
        assert rows[5]["idle_since"] and not rows[4]["idle_since"], rows
        even, single = s.get("/runs/even").text(), s.get("/runs/single").text()
        assert "Each GPU that the run could use" in even and "GPUs was idle" not in even, even
        assert "Each GPU that the run could use" not in single, single


@test
def zooming_out_of_time(world):
    """A range that is no time of ours shows all of the run."""
    add_runs(world, "one")
    with Server(world) as s:
        whole = s.get("/runs/last")
        assert whole.status == 200 and "Shown is" not in whole.text()
        assert "Shown is" in s.get("/runs/last?from=1767348000&to=1767351600").text()
        for query in ("from=-1&to=99999999999999999999", "from=0&to=1e300", "from=nan&to=5", "from=-inf&to=inf", "from=5&to=3", "from=-9e18&to=9e18"):
            page = s.get("/runs/last?" + query)
            assert page.status == 200 and "Shown is" not in page.text(), (query, page.text())


@test
def many_offers(world):
    """The list of prices says how many offers there are; the file has all."""
    with Server(world) as s:
        every = len(s.post("/api/v1/price.list", {"limit": 1000}).json()["offers"])
        page = s.get("/prices").text()
        assert every > 100 and page.count("<tr>") == 101 and f"Rows 1 to 100 of {every}." in page, page
        second = s.get("/prices?from-prices=100").text()
        assert "Rows 101 to 200" in second and "Previous" in second and "Next" in second, second
        assert not set(re.findall(r"/prices/([^\"]+)\"", page)) & set(re.findall(r"/prices/([^\"]+)\"", second))
        rows = list(csv.DictReader(io.StringIO(s.get("/prices?format=csv&table=prices").text())))
        assert len(rows) == every, (len(rows), every)
        few = s.get("/prices?gpu=H100&provider=aws").text()
        assert "Rows 1 to" not in few, few


@test
def an_offer_without_history(world):
    """The page of an offer has its prices and their age also before any were fetched; one that is not there is not found."""
    with Server(world) as s:
        offer = s.post("/api/v1/price.list", {"limit": 1}).json()["offers"][0]
        page = s.get("/prices/" + quote(offer["offer"], safe=""))
        assert page.status == 200 and "days old" in page.text() and "On demand" in page.text(), page.text()
        assert s.get("/prices/nosuch").status in (400, 404)


@test
def plans(world):
    """A job is planned from the form; what is wrong with it is said on the page, and files are not read."""
    with Server(world) as s:
        plan = s.get("/plan?model=llama-3-8b&method=lora&tokens=20M").text()
        assert 'id="plans"' in plan and "<tbody>" in plan, plan
        assert "remark failure" in s.get("/plan?model=nosuchmodel").text()
        assert "remark failure" in s.get("/plan?model=llama-3-8b&budget=100").text()
        job = "name: mine\ntrain:\n  model: llama-3-8b\n  method: qlora\n  data: {tokens: 5M}\n"
        assert 'id="plans"' in s.get("/plan?job=" + quote(job)).text()
        wrong = s.get("/plan?job=" + quote("model: llama-3-8b\ntrian: x\n")).text()
        assert "remark failure" in wrong and "trian" in wrong, wrong
        world.write("secret.yaml", "hunter2: yes\n")
        for name in (world.path("secret.yaml"), "/etc/passwd", "../secret.yaml"):
            page = s.get("/plan?model=" + quote(name, safe="")).text()
            assert "hunter2" not in page and "root:" not in page, page


@test
def wrong_filters(world):
    """A filter that is wrong stays in its form, with what is wrong in the words of the page; keys are not shown without a script."""
    with Server(world) as s:
        page = s.get("/runs?since=garbage&name=bert")
        assert page.status == 400 and 'value="bert"' in page.text() and 'value="garbage"' in page.text(), page.text()
        assert "since: &#39;garbage&#39; is neither" in page.text().replace("'", "&#39;") and "--since" not in page.text(), page.text()
        assert s.get("/api/v1/runs?since=garbage").json()["text"].startswith("since: "), s.get("/api/v1/runs?since=garbage").body
        assert "<kbd>" not in page.text() and 'data-key="r"' in page.text()


@test
def errors_are_pages(world):
    """People get a page, programs JSON."""
    with Server(world) as s:
        page = s.get("/nosuch", headers={"Accept": "text/html"})
        assert page.status == 404 and page.text().startswith("<!DOCTYPE html>")
        assert s.get("/nosuch").json()["schema"] == "stint.error/1"
        missing = s.get("/runs/nosuch")
        assert missing.status == 404 and "<h1>Not found</h1>" in missing.text(), missing.text()
        assert s.get("/compare?run=a").status == 400


@test
def a_reload_shows_what_is_new(world):
    """A page that may be shown while a new one is made is new when the browser asks for that: reloaded, or told of a change."""
    with Server(world) as s:
        assert "Nothing is recorded yet" in s.get("/").text()
        add_runs(world, "first")
        time.sleep(2.5)
        reloaded = s.get("/", headers={"Cache-Control": "max-age=0"}).text()
        assert "Nothing is recorded yet" not in reloaded, reloaded
        for name in ("no-cache", "Max-Age=0"):
            assert s.get("/budgets").status == 200
            assert world.end(world.start(STINT, "budget", "set", "c-" + name.lower()[:2], "5usd")).status == 0
            time.sleep(1)
            assert "c-" + name.lower()[:2] in s.get("/budgets", headers={"Cache-Control": name}).text(), name


@test
def news(world):
    """A change of the ledger is announced to those who look, and their page is new then."""
    with Server(world) as s:
        connection = http.client.HTTPConnection(s.host, timeout=30)
        connection.request("GET", "/events", headers={"Authorization": "Bearer " + s.token})
        stream = connection.getresponse()
        assert stream.status == 200 and stream.headers["Content-Type"] == "text/event-stream"
        assert "brand-new" not in s.get("/runs").text()
        add_runs(world, "brand-new")
        while b"changed" not in stream.readline():
            pass
        wait_for("the page to show it", lambda: "brand-new" in s.get("/runs").text())
        assert s.ask("GET", "/events", token=None).status == 401
        connection.close()
    assert s.status == 0, json.dumps(s.status)


main()
