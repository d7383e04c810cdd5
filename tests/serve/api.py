#!/usr/bin/python3
"""The HTTP API: what may be asked from elsewhere and by whom, requests, lists in parts, errors."""
import ctypes
import json
import os
import shutil
import socket
import sqlite3
import struct
import subprocess
import threading

from serving import STINT, Server
from harness import World, main, test, wait_for

lock = threading.Lock()
made = []


def demo(world):
    """The made-up quarter of 'stint demo' as the ledger of the world: 3 teams with runs, bills and budgets."""
    with lock:
        if not made:
            first = World()
            made.append(first.path("demo"))
            done = first.end(first.start(STINT, "demo", made[0]))
            assert done.status == 0, done
    shutil.copy(made[0] + "/ledger.db", world.ledger)
    for tail in ("-wal", "-shm"):
        if os.path.exists(made[0] + "/ledger.db" + tail):
            shutil.copy(made[0] + "/ledger.db" + tail, world.ledger + tail)


def operations(world):
    done = world.end(world.start(STINT, "schema", "--json"))
    assert done.status == 0, done
    return {o["name"]: o for o in json.loads(done.out)["operations"]}


def token(server, name, *options):
    """A token that the server knows."""
    made_token = server.make_token(name, *options)
    wait_for("the server to see it", lambda: server.get("/api/v1/gpu.list?limit=1", token=made_token).status == 200)
    return made_token


class Watched:
    """A folder in which nothing may be opened: `with Watched(folder) as w: ...; assert not w.events()`."""

    def __init__(self, *folders):
        self.libc = ctypes.CDLL(None, use_errno=True)
        self.fd = self.libc.inotify_init1(os.O_NONBLOCK)
        for folder in folders:
            # open, access, modify, create, delete, move
            assert self.libc.inotify_add_watch(self.fd, folder.encode(), 0x20 | 0x1 | 0x2 | 0x100 | 0x200 | 0x40 | 0x80) >= 0

    def events(self):
        try:
            data = os.read(self.fd, 65536)
        except BlockingIOError:
            return []
        names, at = [], 0
        while at < len(data):
            _, mask, _, length = struct.unpack_from("iIII", data, at)
            names.append((hex(mask), data[at + 16:at + 16 + length].rstrip(b"\0").decode()))
            at += 16 + length
        return names


# A request that gets as far as reading what it names.
COMPLETE = {
    "advise.apply": {"id": "x"}, "advise.dismiss": {"id": "x"}, "advise.restore": {"id": "x"}, "alert.ack": {"id": 1},
    "alert.add": {"name": "x", "kind": "webhook", "url": "http://127.0.0.1:9/"}, "alert.raise": {"name": "x", "title": "x"},
    "alert.remove": {"name": "x"}, "alert.test": {"name": "x"}, "bills.remove": {"what": "x"}, "budget.remove": {"name": "x"},
    "budget.set": {"name": "x", "amount": "5usd"}, "budget.show": {"name": "x"}, "budget.split": {"budget": "100usd"},
    "catalog.show": {"table": "models"}, "check": {"what": "last", "baseline": "last"}, "compare": {"runs": ["last", "last"]},
    "counts.add": {"what": "images", "amount": "5", "since": "2026-10-01"}, "counts.remove": {"what": "images"},
    "estimate": {"job": "llama-3.1-8b", "on": "H100"}, "gpu.fit": {"model": "7B"}, "gpu.show": {"gpu": "H100"},
    "infer": {"job": "llama-3.1-8b", "rate": "1/s"}, "plan": {"jobs": ["7B"], "gpu": ["H100"], "provider": ["aws"]},
    "plan.slots": {"hours": 4}, "price.compare": {"gpu": "H100"}, "price.diff": {"from": "2026-08-01"},
    "price.history": {"offer": "aws/us-east-1/p5.48xlarge"}, "price.regions": {"instances": ["p5.48xlarge"]},
    "roi": {"job": "7B", "runs": "1/month"}, "runs.add": {"start": "2026-10-01", "end": "2026-10-02", "cost": "5usd"},
    "show": {"run": "last"}, "simulate": {"job": "7B", "on": "H100", "deadline": ["48h"]}, "spot.fleet": {"gpus": 8},
    "spot.interval": {"offer": "aws/p5.48xlarge"}, "spot.risk": {"offer": "aws/p5.48xlarge"}, "storage": {"size": "1TB"},
    "tags.set": {"run": "last", "tags": ["x=y"]}, "targets.set": {"name": "x", "value": "1"}, "tco": {"gpu": "H100x8"},
    "token.add": {"name": "x"}, "why": {"of": ["last"]}, "unit_costs": {},
}


@test
def nothing_is_read_or_written(world):
    """No text of any request, not even one of an admin, opens, makes or finds a file of the server."""
    folder = world.path("secrets")
    os.mkdir(folder)
    for name in ("x.yaml", "x.json", "x.csv", "config.json", "x"):
        world.write("secrets/" + name, "train: {model: 7B}\n")
    texts = asked = 0
    with Server(world) as s:
        watched = Watched(folder)
        assert s.post("/api/v1/runs.add", {**COMPLETE["runs.add"], "name": "x"}).status == 200
        for name, operation in sorted(operations(world).items(), key=lambda o: (o[1]["remote"] != "read", o[0])):
            if operation["remote"] == "local" or name == "stop":
                continue
            for field, schema in operation["request"]["properties"].items():
                kinds = json.dumps(schema)
                if '"string"' not in kinds or '"enum"' in kinds:
                    continue
                texts += 1
                answers = []
                for value in (folder + "/x.yaml", folder + "/y.yaml"):
                    request = {**COMPLETE.get(name, {}), field: [value] if '"array"' in kinds else value}
                    reply = s.post("/api/v1/" + name, request)
                    assert reply.status < 500, (name, field, reply.body)
                    answers.append((reply.status, reply.text().replace(value, "")))
                    asked += 1
                if operation["remote"] == "read":  # what is entered twice differs
                    assert answers[0] == answers[1], (name, field, answers)
                if field in ("job", "jobs", "of", "what", "dataset", "model", "load", "traffic", "baseline", "plans"):
                    for end in ("", "/", "/x", "/x.json", "/x.csv", "/config.json"):
                        value = folder + end
                        s.post("/api/v1/" + name, {**COMPLETE.get(name, {}), field: [value] if '"array"' in kinds else value})
                assert not watched.events(), (name, field)
        assert not watched.events()
        assert s.post("/api/v1/plan", {"jobs": ["7B"], "csv": folder + "/new.csv"}).status == 400
        assert sorted(os.listdir(folder)) == ["config.json", "x", "x.csv", "x.json", "x.yaml"]
    assert texts > 150 and asked > 300, (texts, asked)


@test
def scopes(world):
    """Each operation needs its scope, and POST where it changes something; local ones are refused for everybody."""
    with Server(world) as s:
        have = {"read": token(s, "r"), "write": token(s, "w", "--scope", "write"), "admin": s.token}
        order = ["read", "write", "admin"]
        for name, operation in operations(world).items():
            needed = operation["remote"]
            for scope, secret in have.items():
                if needed != "local" and order.index(scope) >= order.index(needed):
                    continue  # what it would do is tested elsewhere
                refused = s.post("/api/v1/" + name, {}, token=secret)
                assert refused.status == 403 and refused.json()["schema"] == "stint.error/1", (name, scope, refused.body)
                assert "scope " + needed in refused.text() or needed == "local", refused.body
            if needed in ("write", "admin"):
                changing = s.get("/api/v1/" + name)
                assert changing.status == 405 and changing.headers["Allow"] == "POST", (name, changing.body)


@test
def teams(world):
    """A token of a team sees what is tagged so and nothing else, whatever it asks for."""
    demo(world)
    with Server(world) as s:
        mine = token(s, "nlp", "--team", "nlp")
        everything = s.get("/api/v1/runs?limit=1000&fields=id,tags,name").json()
        runs = s.get("/api/v1/runs?limit=1000&fields=id,tags,name", token=mine).json()
        own = [r for r in everything["runs"] if "team=nlp" in r["tags"]]
        others = [r for r in everything["runs"] if "team=nlp" not in r["tags"]]
        assert own and others and runs["runs"] == own, (len(own), len(others), len(runs["runs"]))
        assert s.get("/api/v1/runs?tag=team=vision", token=mine).json()["runs"] == []
        for path, key in (("show?run=%s", None), ("compare?runs=%s&runs=" + own[0]["id"], None), ("why?of=%s", None), ("top?run=%s", None)):
            assert s.get("/api/v1/" + path % own[-1]["id"], token=mine).status == 200, path
            hidden = s.get("/api/v1/" + path % others[0]["id"], token=mine)
            assert hidden.status == 404 and others[0]["name"] not in hidden.text(), (path, hidden.body)
        for name, what in (("shared", "vision"), ("shared", "nlp"), ("shared", "vision")):  # the newest is not theirs
            world.end(world.start(STINT, "run", "--quiet", "--name", name, "--tag", "team=" + what, "--", "true"))
        wait_for("the runs", lambda: len(s.get("/api/v1/runs?name=shared").json()["runs"]) == 3)
        for path in ("show?run=shared", "show?run=last", "compare?runs=last&runs=shared", "compare?runs=last&runs=" + own[0]["id"][-8:]):
            seen = s.get("/api/v1/" + path, token=mine)
            assert seen.status == 200 and "vision" not in seen.text(), (path, seen.body)
        guess = s.get("/api/v1/show?run=share", token=mine).json()
        assert "did you mean 'shared'" in guess["hint"], guess
        for path in ("costs?by=team&since=2000-01-01", "costs.movers?by=team", "costs.trend?by=team", "costs.gpus?by=team&since=2000-01-01",
                     "costs.spot?by=team&since=2000-01-01", "costs.storage?by=team&since=2000-01-01", "forecast?by=team", "anomalies?by=team",
                     "tags?since=2000-01-01", "why?of=2026-09&of=2026-10&by=team"):
            whole, part = s.get("/api/v1/" + path), s.get("/api/v1/" + path, token=mine)
            assert whole.status == part.status == 200, (path, part.body)
            assert "vision" not in part.text() and "speech" not in part.text(), (path, part.text()[:2000])
        assert "vision" in s.get("/api/v1/costs?by=team&since=2000-01-01").text()
        assert s.get("/api/v1/costs?by=team&where=team=vision&since=2000-01-01", token=mine).json()["rows"] == []
        budgets = s.get("/api/v1/budget.list", token=mine).json()["budgets"]
        assert all("team=nlp" in b["where"] for b in budgets) and len(budgets) < len(s.get("/api/v1/budget.list").json()["budgets"]), budgets
        for b in s.get("/api/v1/budget.list").json()["budgets"]:
            seen = s.get("/api/v1/budget.show?name=" + b["name"], token=mine).status
            assert seen == (200 if "team=nlp" in b["where"] else 404), (b["name"], seen)
        statement = s.get("/api/v1/statement?month=2026-10", token=mine)
        assert statement.status == 200 and "vision" not in statement.text(), statement.body
        assert s.get("/api/v1/statement?month=2026-10&team=vision", token=mine).status == 403
        assert s.get("/api/v1/statement?month=2026-10&by=project", token=mine).status == 403
        top = s.get("/api/v1/top", token=mine).json()
        assert top["month"] is None and top["budget"] is None, top
        for name, operation in operations(world).items():
            if operation["remote"] == "read" and operation["team"] == "none":
                refused = s.get("/api/v1/" + name, token=mine)
                assert refused.status in (400, 403), (name, refused.body)
                assert refused.status == 400 or "shows more than the team 'nlp'" in refused.text(), (name, refused.body)


@test
def entering_for_a_team(world):
    """What a token of a team enters belongs to it."""
    with Server(world) as s:
        mine = token(s, "nlp", "--team", "nlp", "--scope", "write")
        run = {"start": "2026-10-01", "end": "2026-10-02", "cost": "5usd", "name": "x"}
        added = s.post("/api/v1/runs.add", run, token=mine)
        assert added.status == 200 and "team=nlp" in added.text(), added.body
        assert s.post("/api/v1/runs.add", {**run, "tag": ["team=vision"]}, token=mine).status == 403
        for other in ("Team=vision", "acme:team=vision", "t-eam=vision"):  # which costs would count for that team
            refused = s.post("/api/v1/runs.add", {**run, "tag": [other]}, token=mine)
            assert refused.status == 403 and "for the team 'nlp'" in refused.text(), (other, refused.body)
        assert s.post("/api/v1/runs.add", {**run, "name": "y", "tag": ["Team=NLP"]}, token=mine).status == 200
        assert s.post("/api/v1/tags.set", {"run": "last", "tags": ["team=x"]}, token=mine).status == 403
        assert s.make_token("ok", "--team", "R&D")
        for bad in ("nlp*", "a,b", "a=b"):
            refused = world.end(world.start(STINT, "token", "add", "bad", "--team", bad))
            assert refused.status == 2 and b"is no name of a team" in refused.err, refused


@test
def parameters(world):
    """Parameters are fields, spelled as on the command line; unknown ones are refused with what was meant."""
    with Server(world) as s:
        for path, status, text in (("gpu.list?limit=2", 200, '"gpus":['), ("gpu.list?limt=2", 400, "did you mean 'limit'?"),
                                   ("gpu.list?limit=many", 400, "limit: "), ("runs?nonsense=1", 400, "parameters: name, since, until"), ("runs?limit=1001", 400, "more than 1000 rows"),
                                   ("gpu.show", 400, "'gpu' of gpu.show is missing"), ("gpu.show", 400, '"hint":"gpu: '), ("gpu.shwo", 404, "did you mean 'gpu.show'?"),
                                   ("gpu.list?fields=name,vendr", 400, "did you mean 'vendor'?"), ("runs?csv=x.csv", 400, "'csv' of runs"),
                                   ("price.list?gpu=H100&provider=aws,gcp&limit=3", 200, '"stint.price.list/1"')):
            answer = s.get("/api/v1/" + path)
            assert answer.status == status and text in answer.text(), (path, answer.status, answer.body[:500])
        rows = s.get("/api/v1/gpu.list?limit=3&fields=name,vendor").json()["gpus"]
        assert len(rows) == 3 and all(set(r) == {"name", "vendor"} for r in rows), rows
        posted = s.post("/api/v1/gpu.list", {"limit": 3})
        assert posted.json() == s.get("/api/v1/gpu.list?limit=3").json()
        assert s.post("/api/v1/gpu.list?fields=name", {"limit": 1}).json()["gpus"][0].keys() == {"name"}
        assert s.post("/api/v1/gpu.list?limit=3", {"limit": 3}).status == 400
        assert s.post("/api/v1/gpu.list", {"limti": 3}).status == 400
        for bad in ("{", "[]", "3", '{"limit":3}}', "\xff", '{"limit":' + "[" * 100000):
            assert s.post("/api/v1/gpu.list", bad.encode("latin-1")).status == 400, bad[:20]


@test
def jobs_in_requests(world):
    """A job is sent as its text, YAML or JSON; the answers are those of the same file."""
    with Server(world) as s:
        text = "train:\n  model: llama-3.1-8b\n  method: lora\n  data: {tokens: 10M}\n"
        world.write("job.yaml", text)
        for name, key, more in (("estimate", "job", {"on": "H100"}), ("plan", "jobs", {"gpu": ["H100"]}), ("advise", "of", {})):
            sent = s.post("/api/v1/" + name, {key: [text] if key == "jobs" else text, **more})
            words = [name, "job.yaml", "--json"] + [w for k, v in more.items() for w in ("--" + k, v if isinstance(v, str) else v[0])]
            done = world.end(world.start(STINT, *words))
            assert sent.status == 200 and done.status == 0, (name, sent.body[:500], done)
            local = json.loads(done.out)
            both = [{k: v for k, v in r.items() if k not in ("took_ms", "ledger", "searched_ms", "seconds", "commands")} for r in (sent.json(), local)]
            if name == "estimate":
                assert both[0] == both[1], name
            assert sent.json().keys() == local.keys()
        wrong = s.post("/api/v1/estimate", {"job": text.replace("model", "modle"), "on": "H100"})
        assert wrong.status == 400 and "the job:2:3" in wrong.text(), wrong.body
        path = s.post("/api/v1/estimate", {"job": world.path("job.yaml"), "on": "H100"})
        assert path.status == 400 and "send the text itself" in path.json()["hint"], path.body


@test
def kept_answers(world):
    """Who has an answer already is told so until something changes; HEAD has no body; notes come in a header."""
    with Server(world) as s:
        first = s.get("/api/v1/runs?limit=5")
        etag = first.headers["ETag"]
        assert first.status == 200 and etag.startswith('"'), first.headers
        for given in (etag, '"x", W/' + etag, "*"):
            again = s.get("/api/v1/runs?limit=5", headers={"If-None-Match": given})
            assert again.status == 304 and again.body == b"" and again.headers["ETag"] == etag, (given, again.status, again.body)
        assert s.get("/api/v1/runs?limit=5", headers={"If-None-Match": '"other"'}).status == 200
        head = s.ask("HEAD", "/api/v1/runs?limit=5")
        assert head.status == 200 and head.body == b"" and head.headers["Content-Length"] == str(len(first.body)), head.headers
        assert s.post("/api/v1/runs.add", {**COMPLETE["runs.add"], "name": "Z\u00fcrich \U0001f600"}).status == 200
        changed = s.get("/api/v1/runs?limit=5", headers={"If-None-Match": etag})
        assert changed.status == 200 and changed.json()["runs"][0]["name"] == "Z\u00fcrich \U0001f600", changed.body
        assert "ETag" not in s.post("/api/v1/runs", {}).headers
        noted = s.get("/api/v1/gpu.show?gpu=H100")
        notes = json.loads(noted.headers["Stint-Notes"])
        assert noted.status == 200 and notes and {"kind", "text"} == set(notes[0]), noted.headers
        assert "Stint-Notes" not in first.headers


@test
def long_work(world):
    """Work that takes long is answered at once; its result waits for who asked, and is bounded."""
    with Server(world) as s:
        reader, other = token(s, "r"), token(s, "o")
        request = {"jobs": ["7B"], "gpu": ["H100"], "provider": ["aws"], "set": ["data.tokens=1M"]}
        begun = s.post("/api/v1/work/plan", request, token=reader)
        assert begun.status == 202 and begun.json()["state"] in ("waiting", "running"), begun.body
        path = begun.headers["Location"]
        assert path == begun.json()["path"] and path.startswith("/api/v1/work/")
        wait_for("the plan", lambda: s.get(path, token=reader).json()["state"] == "done")
        done = s.get(path, token=reader).json()
        assert done["result"]["schema"] == "stint.plan/1" and done["error"] is None, done
        assert s.get(path, token=other).status == 404 and s.get(path).status == 200
        assert s.ask("DELETE", path, token=other).status == 404
        assert s.ask("DELETE", path, token=reader).status == 200
        assert s.get(path, token=reader).status == 404
        preferred = s.post("/api/v1/gpu.list", {"limit": 1}, headers={"Prefer": "respond-async"}, token=reader)
        assert preferred.status == 202, preferred.body
        failed = s.post("/api/v1/work/show", {"run": "nosuch"}, token=reader).json()["path"]
        wait_for("its end", lambda: s.get(failed, token=reader).json()["state"] == "failed")
        assert s.get(failed, token=reader).json()["error"]["kind"] == "absent", s.get(failed, token=reader).body
        for bad, status in (("/api/v1/work/run", 403), ("/api/v1/work/token.add", 403), ("/api/v1/work/nosuch", 404)):
            assert s.post(bad, {}, token=reader).status == status, bad
        assert s.post("/api/v1/work/plan", {"jbos": []}, token=reader).status == 400
        answers = [s.post("/api/v1/work/plan", {**request, "explain": True}, token=reader) for _ in range(40)]
        assert {a.status for a in answers} <= {202, 429} and any(a.status == 429 for a in answers), [a.status for a in answers]
    assert s.status == 0, s.ended


@test
def in_parts(world):
    """A list of runs is read in parts, each of about 2 KB for 10 runs and three fields, to its end and without a gap."""
    demo(world)
    with Server(world) as s:
        whole = [r["id"] for r in s.get("/api/v1/runs?limit=1000&fields=id").json()["runs"]]
        seen, query = [], ""
        while True:
            part = s.get("/api/v1/runs?limit=10&fields=id,name,state,cost" + query)
            assert part.status == 200 and len(part.body) < 2600, len(part.body)
            seen += [r["id"] for r in part.json()["runs"]]
            if not part.json()["more"]:
                break
            query = "&before=" + part.json()["next"]
        assert seen == whole and len(seen) > 100 and part.json()["next"] is None, (len(seen), len(whole))
        assert s.get("/api/v1/runs?before=nosuchrun").status == 404


@test
def described(world):
    """/api/v1/ lists what is offered; the OpenAPI document is valid and answers match it."""
    demo(world)
    with Server(world) as s:
        listed = s.get("/api/v1/").json()
        names = {o["name"] for o in listed["operations"]}
        offered = {name for name, o in operations(world).items() if o["remote"] != "local"}
        assert names == offered, names ^ offered
        document = s.get(listed["openapi"]).json()
        assert {p.rsplit("/", 1)[1] for p in document["paths"]} >= offered
        check_openapi(document)
        for field, name in (("csv", "runs"), ("fetch_model", "plan"), ("deepspeed", "estimate"), ("traces", "simulate")):
            assert field not in document["components"]["schemas"][name + ".request"]["properties"], field
        matched = 0
        for path, methods in document["paths"].items():
            name = path.rsplit("/", 1)[1]
            if "get" in methods and name in offered and name not in ("maturity", "advise", "checklist"):  # slow, and tested by schema/check.py
                answer = s.post(path, COMPLETE.get(name, {}))
                validate(document, name + ".result" if answer.status == 200 else "error", answer.json(), path)
                matched += answer.status == 200
        assert matched > 35, matched


def validate(document, schema, value, what):
    try:
        import jsonschema
    except ImportError:
        return
    described_as = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$ref": "#/components/schemas/" + schema, **{
        "components": document["components"]}}
    problem = jsonschema.exceptions.best_match(jsonschema.Draft202012Validator(described_as).iter_errors(value))
    assert problem is None, (what, problem and problem.message[:300])


VALIDATOR = """
import { readFileSync } from "node:fs";
import { Validator } from "@seriousme/openapi-schema-validator";
const found = await new Validator().validate(JSON.parse(readFileSync(0, "utf8")));
if (!found.valid) { console.error(JSON.stringify(found.errors).slice(0, 2000)); process.exit(1); }
"""


def check_openapi(document):
    """By a validator, where ./dev could install it (tests/browser); and by rules that generated documents break."""
    tools = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "browser")
    if os.path.isdir(os.path.join(tools, "node_modules", "@seriousme")):
        done = subprocess.run(["node", "--input-type=module", "-e", VALIDATOR], input=json.dumps(document), cwd=tools, text=True,
                              capture_output=True, timeout=60, check=False)
        assert done.returncode == 0, done.stderr
    assert document["openapi"].startswith("3.1.") and document["info"]["title"] and document["info"]["version"]
    seen = set()

    def resolve(reference):
        at = document
        assert reference.startswith("#/"), reference
        for part in reference[2:].split("/"):
            at = at[part]
        return at

    def walk(value):
        if isinstance(value, dict):
            if isinstance(value.get("$ref"), str):
                resolve(value["$ref"])
            for one in value.values():
                walk(one)
        elif isinstance(value, list):
            for one in value:
                walk(one)

    walk(document)
    for path, methods in document["paths"].items():
        assert path.startswith("/")
        for method, operation in methods.items():
            if method == "parameters":
                continue
            assert method in ("get", "post", "delete") and operation["operationId"] not in seen, (path, method)
            seen.add(operation["operationId"])
            assert operation["responses"] and all(r.isdigit() or r == "default" for r in operation["responses"])
            parameters = [resolve(p["$ref"]) if "$ref" in p else p for p in operation.get("parameters", [])]
            keys = [(p["name"], p["in"]) for p in parameters]
            assert len(keys) == len(set(keys)) and all("schema" in p for p in parameters), (path, keys)


@test
def bodies_of_any_kind(world):
    """A JSON object is one whatever its type is said to be (curl -d says it is a form); the fields of a form are parameters."""
    with Server(world) as s:
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        for body, headers in (('{"name": "a", "amount": "5usd"}', form), (' {"name": "b", "amount": "5usd"}', {"Content-Type": "text/plain"}),
                              ('{"name": "c", "amount": "5usd"}', {}), ("name=d&amount=5usd&where=team%3Dnlp", form)):
            made = s.post("/api/v1/budget.set", body, headers=headers)
            assert made.status == 200, (body, headers, made.body)
        assert [b["name"] for b in s.get("/api/v1/budget.list").json()["budgets"]] == list("abcd")
        missing = s.post("/api/v1/budget.set", "amount=5usd", headers=form)
        assert missing.status == 400 and "'name' of budget.set is missing" in missing.json()["text"], missing.body


@test
def names_are_said_once(world):
    """What is wrong names the parameter, once."""
    with Server(world) as s:
        for path in ("/api/v1/runs?limit=abc", "/api/v1/price.compare?gpu=H100&hours=abc", "/prices?gpu=H100&hours=abc"):
            answer = s.get(path)
            name = "limit" if "limit" in path else "hours"
            assert answer.status == 400 and answer.text().replace("&#39;", "'").count(name + ": 'abc'") == 1, answer.text()
            assert f"{name}: {name}:" not in answer.text(), answer.text()
        wrong = s.ask("POST", "/budgets", body="name=x&amount=-1usd", headers={"Content-Type": "application/x-www-form-urlencoded"})
        assert wrong.status == 400 and "amount: amount:" not in wrong.text() and "amount: " in wrong.text(), wrong.text()


@test
def who_did_it(world):
    """What is changed over HTTP is recorded with the name of the token."""
    with Server(world) as s:
        ops = token(s, "ops", "--scope", "admin")
        s.post("/api/v1/budget.set", {"name": "b", "amount": "5usd"}, token=ops)
        with sqlite3.connect(world.ledger) as kept:
            assert kept.execute("SELECT owner FROM budgets").fetchall() == [("token ops",)]
        s.post("/api/v1/token.add", {"name": "made"}, token=ops)
        made_by = {t["name"]: t["by"] for t in s.post("/api/v1/token.list", {}).json()["tokens"]}
        assert made_by["made"] == "token ops" and made_by["ops"] != "token ops", made_by
        added = s.post("/api/v1/runs.add", {"start": "2026-10-01", "end": "2026-10-02", "cost": "5usd", "name": "x"}, token=ops)
        assert added.status == 200, added.body
        assert '"user":"token ops"' in s.get("/api/v1/show?run=x").text()
        added = world.end(world.start(STINT, "alert", "add", "team", "webhook", "--url", "http://127.0.0.1:1/hook"))
        assert added.status == 0, added
        raised = s.post("/api/v1/alert.raise", {"name": "disk", "title": "disk full", "severity": "error", "alert": ["team"]}, token=ops)
        assert raised.status == 200, raised.body
        alert = s.get("/api/v1/alert.list").json()["alerts"][0]
        assert s.post("/api/v1/alert.ack", {"id": alert["id"]}, token=ops).status == 200
        assert "token ops" in s.get("/api/v1/alert.list").text()
        assert 'stint_alerts_firing{severity="error"} 1' in s.get("/metrics").text()


@test
def a_receiver_that_refuses(world):
    """A webhook that does not take a test message is not our failure: 502, with its reason; one at a link-local address is refused."""
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        with Server(world) as s:
            add = {"name": "w", "kind": "webhook", "url": "http://127.0.0.1:%d/" % closed.getsockname()[1]}
            assert s.post("/api/v1/alert.add", add).status == 200
            refused = s.post("/api/v1/alert.test", {"name": "w"})
            assert refused.status == 502 and "did not accept it: " in refused.text(), (refused.status, refused.body)
            for host in ("169.254.169.254", "[fe80::1]", "[::ffff:169.254.169.254]", "2852039166", "[fd00:ec2::254]"):
                refused = s.post("/api/v1/alert.add", {"name": "m", "kind": "webhook", "url": "http://" + host + "/latest"})
                assert refused.status == 400 and "link-local" in refused.text(), (host, refused.body)


def names_of_others(server):
    """What only other teams than nlp have: names and numbers of runs, budgets, projects, accounts and bills."""
    words = set()
    mine = set()
    for run in server.get("/api/v1/runs?limit=1000").json()["runs"]:
        tags = dict(tag.split("=", 1) for tag in run["tags"])
        own = tags.get("team") == "nlp"
        (mine if own else words).update([run["id"], run["name"]] + [v for k, v in tags.items() if k not in ("team", "env")])
    budgets = server.get("/api/v1/budget.list")
    assert budgets.status == 200, budgets.body
    for budget in budgets.json()["budgets"]:
        if "team=nlp" not in budget["where"]:
            words.add(budget["name"])
    for bill in server.get("/api/v1/bills").json()["bills"]:
        words.update(str(bill[key]) for key in ("account", "account_name", "invoices") if bill.get(key))
    words.update(["zebra-run", "zebra-budget", "zebra-project", "zebra-channel"])
    return {w for w in words - mine if len(w) > 3 and not w.replace(".", "").isalpha() or w.startswith("zebra")}


def some_value(schema):
    """A value of the schema, perhaps one that is refused."""
    if "enum" in schema:
        return schema["enum"][0]
    kind = schema.get("type", "string")
    kind = kind if isinstance(kind, str) else kind[0]
    return {"array": ["1"], "integer": 1, "number": 1, "boolean": True}.get(kind, "1")


@test
def no_name_of_another_team(world):
    """Nothing that a token of a team is answered has a name of another team: not in results, errors, hints or notes."""
    demo(world)
    listed = operations(world)
    with Server(world) as s:
        zebra = {"start": "2026-10-01", "end": "2026-10-02", "cost": "5usd", "name": "zebra-run", "tag": ["team=zebra-team", "project=zebra-project"]}
        assert s.post("/api/v1/runs.add", zebra).status == 200
        assert s.post("/api/v1/budget.set", {"name": "zebra-budget", "amount": "1usd", "where": ["team=zebra-team"]}).status == 200
        assert s.post("/api/v1/alert.add", {"name": "zebra-channel", "kind": "webhook", "url": "http://127.0.0.1:9/"}).status == 200
        mine = token(s, "nlp", "--team", "nlp", "--scope", "admin")
        forbidden = names_of_others(s)
        assert len(forbidden) > 10, forbidden
        needed = {"run": "zebr", "runs": ["zebr", "last"], "name": "zebr", "of": ["zebr", "last"], "what": "zebr", "job": "llama-3.1-8b", "id": "1",
                  "jobs": ["llama-3.1-8b"], "model": "gpt2", "gpu": "H100", "hours": 5, "table": "offers", "offer": "zebr", "from": "2026-01-01",
                  "instances": ["p4d.24xlarge"], "amount": "5usd", "start": "2026-10-01", "end": "2026-10-02", "tags": ["team=nlp"], "kind": "webhook",
                  "value": "5%", "work": 10, "left": 20, "checkpoint": "2min"}
        for name, operation in sorted(listed.items()):
            if operation["remote"] == "local":
                continue
            properties = operation["request"].get("properties", {})
            least = {k: needed[k] if k in needed else some_value(properties[k]) for k in operation["request"].get("required", [])}
            asked = [least]
            for key, value in (("month", "2026-10"), ("since", "2000-01-01"), ("by", "project"), ("by", ["team"]), ("by", ["project"]), ("where", ["team!=nlp"]),
                               ("where", ["project=zebr"]), ("tag", ["team=zebr"]), ("run", "zebr"), ("name", "zebr"), ("team", "zebr"), ("for", "zebr"),
                               ("explain", True), ("all", True), ("kind", "chargeback"), ("of", ["2026-09", "2026-10"])):
                if key in properties and operation["remote"] == "read":
                    asked.append({**least, key: value})
                    if "month" in properties and key != "month":
                        asked.append({**least, key: value, "month": "2026-10"})
            for request in asked:
                answer = s.post("/api/v1/" + name, request, token=mine)
                told = answer.text() + answer.headers.get("Stint-Notes", "")
                found = [word for word in forbidden if word in told]
                assert not found, (name, request, found, told[:500])
        for path in ("/", "/runs", "/budgets", "/budgets/zebra-budget", "/allocation", "/alerts", "/bills", "/advice", "/metrics", "/runs/zebra-run"):
            told = s.get(path, token=mine).text()
            found = [word for word in forbidden if word in told and word not in path]
            assert not found, (path, found)


@test
def some_fields(world):
    """What fields= leaves out is not required by the document that describes the answer."""
    demo(world)
    with Server(world) as s:
        schemas = s.get("/api/v1/openapi.json").json()["components"]["schemas"]
        answer = s.get("/api/v1/runs?limit=3&fields=id,name").json()
        rows = schemas["runs.result"]["properties"]["runs"]["items"]
        assert set(answer["runs"][0]) == {"id", "name"} <= set(rows["properties"]), answer
        assert not set(rows.get("required", [])) - set(answer["runs"][0]), rows
        assert "runs" in schemas["runs.result"]["required"]


main()
