#!/usr/bin/python3
"""One number for one thing: every command is asked about one ledger and one set of jobs, and all figures that they share agree."""
import json
import os
import re

from harness import STINT, main, test

NOW = "2026-11-15T00:00:00Z"
JOBS = (("llama-3.1-8b", "--lora", "--tokens", "10M"), ("bert-base", "--tokens", "50M"),
        ("llama-2-7b", "--method", "full", "--tokens", "20M"))


def ask(w, *words, env=None):
    ended = w.end(w.start(STINT, *words, "--json", env={"STINT_NOW": NOW, **(env or {})}))
    assert ended.status in (0, 1), (words, ended)
    return json.loads(ended.out)


def usd(amount):
    return None if amount is None else float(amount["amount"])


def agree(what, *figures, within=1e-6):
    """All of them are known, and the same."""
    values = dict(figures)
    assert None not in values.values(), (what, values)
    first = next(iter(values.values()))
    assert all(abs(value - first) <= within * max(1e-9, abs(first)) for value in values.values()), (what, values)


def demo(w):
    ended = w.end(w.start(STINT, "demo", env={"STINT_NOW": NOW}))
    assert ended.status == 0, ended
    return {"STINT_LEDGER": w.path("stint-demo", "ledger.db")}


def phase(rows, name):
    return sum(usd(row["cost"]) for row in rows if row["item"] == name)


def words_of(money):
    return float(money.replace(",", ""))


def check_run(w, env, run):
    """runs, show, why, advise and report of one run."""
    one, shown, why = run["id"], ask(w, "show", run["id"], env=env), ask(w, "why", run["id"], env=env)
    advised = ask(w, "advise", one, env=env)
    ask(w, "report", one, "--output", "of-" + one, env=env)
    with open(w.path("of-" + one, "cost_analysis.json"), encoding="utf-8") as file:
        report = json.load(file)
    training, resources = report["cost_breakdown"]["training"], report["cost_breakdown"]["resources"]
    same = shown["run"]
    agree("cost", ("runs", usd(run["cost"])), ("show", usd(same["cost"])), ("why", usd(why["to_cost"])),
          ("report", training["cost_usd"]), ("parts of show", sum(usd(row["cost"]) for row in shown["costs"])),
          ("parts of why", sum(usd(part["amount"]) for part in why["parts"]) if why["kind"] == "breakdown" else usd(run["cost"])))
    agree("hours", ("runs", run["duration"] / 3600), ("show", same["duration"] / 3600), ("report", training["time_hours"]), within=1e-3)
    agree("energy", ("runs", run["energy_kwh"]), ("show", same["energy_kwh"]), ("report", training["energy_kwh"]))
    agree("score", ("runs", run["score"]), ("show", same["score"]), ("report", report["cost_breakdown"]["efficiency"]["efficiency_score"]))
    if run["gpu_busy"] is not None:
        agree("busy share", ("runs", run["gpu_busy"]), ("show", same["gpu_busy"]), ("report", resources["gpu_utilization"]))
    parts = {part["cause"]: usd(part["amount"]) for part in why["parts"]} if why["kind"] == "breakdown" else {}
    for cause, name in (("data_stalls", "data wait"), ("idle", "idle"), ("evaluation", "evaluate"), ("checkpoints", "checkpoint")):
        if cause in parts and run["attempts"] == 1:
            agree(name, ("why", parts[cause]), ("show", phase(shown["phases"], name)))
    findings = {finding["rule"]: finding for finding in advised["findings"] + advised["possible"]}
    for rule, name in (("idle-time", "idle"), ("data-stalls", "data wait")):
        known = re.search(r"\$([0-9.,]+) of \$([0-9.,]+)", findings[rule]["evidence"]) if rule in findings else None
        if known:
            agree(rule, ("advise", words_of(known[1])), ("show", phase(shown["phases"], name)), within=5e-3)
            agree(rule + ", of", ("advise", words_of(known[2])), ("show", usd(same["cost"])), within=5e-3)
    reported = {finding["rule"]: usd(finding["savings"]) for finding in report["findings"]}
    for rule, saving in reported.items():
        agree("saving by " + rule, ("report", saving), ("advise", usd(findings[rule]["savings"])))
    return len(parts), len(reported)


@test
def runs_of_a_ledger(w):
    """a run costs, takes, waits, idles and can save the same, whoever says it"""
    env = demo(w)
    rows = ask(w, "runs", "--limit", "1000", env=env)["runs"]
    best = {}
    for row in rows:  # the most expensive run of each name
        if row["cost"] is not None and row["energy_kwh"] is not None and usd(row["cost"]) > usd(best.get(row["name"], row)["cost"]) * 0.999999:
            best[row["name"]] = row
    chosen = sorted(best.values(), key=lambda row: -usd(row["cost"]))[:8]
    seen = [check_run(w, env, row) for row in chosen]
    assert len(chosen) == 8 and any(parts for parts, _ in seen) and any(told for _, told in seen), seen


@test
def budgets_and_months(w):
    """what is left of a budget and what a month cost is the same in every list, and sums are those of their rows"""
    env = demo(w)
    listed = {b["name"]: b for b in ask(w, "budget", "list", env=env)["budgets"]}
    checked = {b["name"]: b for b in ask(w, "budget", "check", env=env)["budgets"]}
    assert listed.keys() == checked.keys() and len(listed) >= 2, (listed.keys(), checked.keys())
    for name, b in listed.items():
        agree(name, ("list", b["share"]), ("check", checked[name]["share"]), ("spent of limit", usd(b["spent"]) / usd(b["limit"])))
        agree(name + ", left", ("list", usd(b["remaining"])), ("limit less spent", usd(b["limit"]) - usd(b["spent"])), within=1e-4)
    month = ("--since", "2026-10-01", "--until", "2026-10-31")
    sums = {by: ask(w, "costs", *month, "--by", by, env=env) for by in ("team", "project", "gpu", "service")}
    totals = [(by, usd(rows["totals"][0]["amount"])) for by, rows in sums.items()]
    agree("October", *totals, *(("rows by " + by, sum(usd(r["amount"]) for r in rows["rows"])) for by, rows in sums.items()),
          ("why", usd(ask(w, "why", "2026-10", env=env)["to_cost"])), within=1e-4)
    report = ask(w, "report", "--month", "2026-10", "--output", "october", env=env)
    with open(w.path("october", "report.md"), encoding="utf-8") as file:
        told = re.search(r"\*\*Spend:\*\* \$([0-9.,]+)", file.read())
    assert report["kind"] == "month" and told, report
    agree("the report", ("report", words_of(told[1])), totals[0], within=1e-4)


@test
def estimates_of_jobs(w):
    """a plan costs and takes what an estimate of its machine says, and advice starts from the estimate"""
    for job in JOBS:
        best = ask(w, "plan", *job, "--market", "on-demand")["plans"][0]
        same = ask(w, "estimate", *job, "--offer", best["offer"], "--on", f"{best['accelerator']}x{best['gpus']}")
        agree("hours", ("plan", best["hours"]["value"]), ("estimate", same["wall_hours"]))
        agree("step", ("plan", best["step_s"]), ("estimate", same["step_s"]["value"]))
        agree("memory", ("plan", best["memory_gb"]), ("estimate", same["memory_gb"]))
        agree("energy", ("plan", best["kwh"]), ("estimate", same["energy_kwh"]["value"]))
        agree("cost", ("plan", usd(best["cost"])), ("estimate", usd(same["total"])), within=0.01)  # a plan has billing steps
        here, advice = ask(w, "estimate", *job, "--on", "A100"), ask(w, "advise", *job, "--on", "A100")
        agree("what it costs now", ("estimate", usd(here["total"])), ("advise", usd(advice["total"]["spent"])))
        for finding in advice["findings"] + advice["possible"]:
            if finding["rule"] not in ("cheaper-machine", "spot-machine"):
                continue
            assert re.match(r"\S+, \$[0-9.,]+ a run as it is; \S+, \$", finding["evidence"]), finding["evidence"]
            slower = advice_hours(finding["evidence"]) / here["wall_hours"]
            assert not (slower > 1.5 and finding["risk"] in ("none", "low")) and not (slower > 3 and finding["risk"] != "high"), (slower, finding)


def advice_hours(evidence):
    words = evidence.split("; ", 1)[1].split(",", 1)[0]
    units = {"h": 1, "min": 1 / 60, "s": 1 / 3600}
    return sum(float(n) * units[u] for n, u in re.findall(r"([0-9.]+)(h|min|s)", words))


@test
def ways_to_serve(w):
    """infer, plan --serve, estimate --serve and advise say the same of one machine at one rate, and one volume at all rates"""
    volumes, compared_machines = [], 0
    for rate in (2, 20, 100):
        job = ("llama-3-8b", "--rate", f"{rate}/s")
        planned, compared = ask(w, "plan", *job, "--serve"), ask(w, "infer", *job)
        ways = {row["deployment"]: row for row in compared["deployments"]}
        for row in planned["deployments"]:
            agree(row["deployment"], ("plan", usd(row["cost"])), ("infer", usd(ways[row["deployment"]]["cost"])))
        machine = planned["deployments"][0]
        if machine["deployment"] == "GPU machine" and machine["machines"] == 1:
            same = ask(w, "estimate", *job, "--serve", "--offer", machine["offer"])
            agree("busy share", ("plan", machine["busy"]), ("infer", ways["GPU machine"]["busy"]), ("estimate", same["utilization"]))
            agree("p95", ("plan", machine["p95_s"]), ("infer", ways["GPU machine"]["p95_s"]), ("estimate", same["p95_s"]), within=1e-12)
            assert same["first_p50_s"] <= same["first_p95_s"] <= same["first_p99_s"] < same["p50_s"] <= same["p95_s"] <= same["p99_s"], same
            assert 0 < same["token_p50_s"] <= same["token_p95_s"] <= same["token_p99_s"], same
            compared_machines += 1
        pair, = [even for even in compared["break_evens"] if {even["cheaper"], even["other"]} == {"GPU machine", "hosted API"}]
        volumes += [(f"plan at {rate}/s", planned["volumes"][0]["to_rate"]), (f"infer at {rate}/s", compared["volumes"][0]["to_rate"]),
                    (f"pair at {rate}/s", pair["below_rate"] if pair["below_rate"] is not None else pair["above_rate"])]
    agree("break-even", *volumes, within=1e-6)
    assert compared_machines > 0
    with open(w.path("served.yaml"), "w", encoding="utf-8") as file:
        file.write("name: served\ninfer:\n  model: llama-3.1-8b\n  weights: fp8\n  rate: 20/s\n  slo: {p95: 5s, first_token: 500ms}\nlimits:\n  providers: [aws, lambda, runpod]\n")
    advised = ask(w, "advise", "served.yaml")["compression"][0]
    planned, = [row for row in ask(w, "plan", "served.yaml")["deployments"] if row["deployment"] == "GPU machine"]
    agree("p95 with a target", ("advise", advised["p95_s"]), ("plan", planned["p95_s"]), within=1e-12)
    agree("cost with a target", ("advise", usd(advised["cost"])), ("plan", usd(planned["cost"])), within=1e-3)


@test
def discounts_of_terms(w):
    """a term costs the same in plans and commitments and beside owned machines, and advice saves what is between the ends"""
    with open(w.path("load.csv"), "w", encoding="utf-8") as file:
        file.write("hour,amount\n" + "".join(f"2026-10-{day:02}T{hour:02}:00:00Z,50\n" for day in range(1, 29) for hour in range(24)))
    options = {o["term_months"]: o for o in ask(w, "commitments", "--load", "load.csv", "--provider", "aws")["options"]}
    assert {12, 36} <= options.keys(), options
    for o in options.values():
        agree("discount", ("commitments", o["discount"]), ("middle", (o["discount_low"] + o["discount_high"]) / 2))
        agree("savings", ("commitments", usd(o["savings"])), ("middle", (usd(o["savings_low"]) + usd(o["savings_high"])) / 2), within=1e-4)
    planned = ask(w, "plan", *JOBS[0], "--market", "reserved", "--provider", "aws", "--gpu", "H100-SXM-80GB")["plans"][0]
    listed = ask(w, "price", "list", "--provider", "aws", "--gpu", "H100-SXM-80GB", "--limit", "100")["offers"]
    on_demand = next(usd(row["on_demand"]) for row in listed if row["offer"] == planned["offer"])
    share = 1 - usd(planned["price"]) / on_demand
    assert any(abs(share - o["discount"]) < 1e-6 for o in options.values()), (share, options)
    terms = [r for r in ask(w, "tco", "--gpu", "H100")["market"] if r["note"] and r["note"].startswith("on-demand less")]
    assert terms
    for r in terms:
        agree("tco", ("price", usd(r["price"])), ("middle", (usd(r["price_low"]) + usd(r["price_high"])) / 2), within=2e-3)  # ends have three digits
    advised = [f for f in ask(w, "advise", env=demo(w))["findings"] if f["rule"] == "commitment"]
    for f in advised:
        agree("advice", ("savings", usd(f["savings"])), ("middle", (usd(f["savings_low"]) + usd(f["savings_high"])) / 2), within=0.02)


if __name__ == "__main__":
    os.environ.pop("STINT_NOW", None)
    main()
