#!/usr/bin/python3
"""What nobody may take from the others: time, memory, threads, connections, sessions."""
import concurrent.futures
import json
import re
import resource
import signal
import socket
import sqlite3
import threading
import time

from serving import STINT, Server, sign_in
from harness import main, read, test, wait_for

RISK = {"mtbf": "4h", "work": "1000h", "deadline": "1200h", "spot": "1usd/hr", "on_demand": "3usd/hr", "runs": 55555}
LONG_JOB = "train:\n  model: llama-3.1-8b\n  method: lora\n  data: {tokens: 30B}\n"
JOB = "train:\n  model: llama-3.1-8b\n  data: {tokens: 1B}\n"

# Of each operation that may be asked from elsewhere: what takes it longest, as far as its own checks admit.
EXPENSIVE = {
    "accuracy": [{"since": "1970-01-01"}],
    "advise": [{"since": "1970-01-01", "most_jobs": 10 ** 9, "all": True}],
    "anomalies": [{"since": "1970-01-01", "by": ["team", "project"], "limit": 1000}],
    "budget.split": [{"budget": "1000000usd", "plans": [JOB]}],
    "check": [{"what": JOB, "on": "H100", "max_cost": "5usd"}],
    "commitments": [{"since": "1970-01-01", "term": 100}],
    "compare": [{"runs": ["nosuch", "last"]}],
    "costs": [{"since": "1970-01-01", "by": ["team", "project"], "limit": 1000}],
    "costs.trend": [{"months": 60, "limit": 1000}],
    "estimate": [{"job": "llama-3.1-405b", "on": "H100", "tokens": "1000T"}],
    "forecast": [{"limit": 1000}],
    "gpu.fit": [{"model": "llama-3.1-405b", "batch": 10 ** 6, "max_gpus": 10 ** 18, "limit": 1000}],
    "infer": [{"job": "llama-3.1-405b", "rate": "1000000/s", "payback_months": 1000}],
    "maturity": [{"since": "1970-01-01"}],
    "plan": [{"jobs": ["llama-3.1-8b"], "tokens": "10M", "limit": 1000, "max_gpus": 10 ** 18, "deadline": "1000000h"},
             {"jobs": ["llama-3.1-8b", "llama-2-7b", "gpt2", "bert-base", "llama-3.1-70b"], "tokens": "10M", "max_gpus": 10 ** 5,
              "deadline": "100000h", "queue": True}],
    "plan.slots": [{"hours": 128, "gpu": "H100", "days": 366, "limit": 128}],
    "price.compare": [{"gpu": "H100", "hours": 10 ** 5, "max_machines": 10 ** 5, "all": True}],
    "price.regions": [{"instances": ["p4d.24xlarge"], "hours": 10 ** 5}],
    "reconcile": [{"since": "1970-01-01", "limit": 1000}],
    "roi": [{"job": "llama-3.1-8b", "tokens": "1T", "value_of_time": "50usd/hr"}],
    "simulate": [{"job": LONG_JOB, "offer": "aws/p5.48xlarge", "synthetic": 100000, "deadline": ["2000h"], "policy": [policy]}
                 for policy in ("stint", "optimal")],
    "spot.decide": [{"work": 1000, "left": 2000, "spot": ["1usd/hr"], "on_demand": ["3usd/hr"], "seen": ["a=1101"], "every": "60s"}],
    "spot.interval": [{"mtbf": "1000000h", "checkpoint": "1s", "work": 10 ** 6}],
    "spot.risk": [RISK, {**RISK, "runs": 100000}],
    "statement": [{}],
    "storage": [{"size": "1000PB", "half_life": "1000000h", "months": 60, "checkpoints": 10 ** 18, "keep_last": 10 ** 18}],
    "tags": [{"since": "1970-01-01", "limit": 1000}],
    "tco": [{"gpu": "H100", "count": 8, "years": 100}],
    "why": [{"of": ["2026-09", "2026-10"]}],
}
# Required fields of the others.
NEEDED = {"id": "1", "name": "nosuch", "what": "nosuch", "kind": "webhook", "url": "http://127.0.0.1:9/", "run": "nosuch", "gpu": "H100",
          "table": "offers", "offer": "nosuch", "from": "2026-01-01", "instances": ["x"], "hours": 5, "runs": ["nosuch"], "amount": "5usd",
          "start": "2026-10-01", "end": "2026-10-02", "tags": ["a=b"], "value": "5%", "of": "nosuch", "job": "llama-3.1-8b", "jobs": ["llama-3.1-8b"],
          "model": "llama-3.1-8b", "work": 10, "left": 20, "checkpoint": "2min"}


def demo(world):
    assert world.end(world.start(STINT, "demo", world.path("demo"))).status == 0
    return {"STINT_LEDGER": world.path("demo") + "/ledger.db"}


def requests_of(operation):
    if operation["name"] in EXPENSIVE:
        return EXPENSIVE[operation["name"]]
    request = {name: NEEDED[name] for name in operation["request"].get("required", [])}
    if operation["name"].startswith("runs.add"):
        request["cost"] = "5usd"
    properties = operation["request"].get("properties", {})
    if "limit" in properties:
        request["limit"] = 1000
    if "since" in properties and operation["remote"] == "read":
        request["since"] = "1970-01-01"
    return [request]


def state_of(server, path):
    answer = server.get(path)
    return answer.json()["state"] if answer.status == 200 else "gone"


@test
def every_operation_ends_when_it_is_asked_to(world):
    """Each operation, asked for the most that it admits, ends soon after it is canceled; the server answers meanwhile."""
    env = demo(world)
    listed = json.loads(world.end(world.start(STINT, "schema", "--json", env=env)).out)["operations"]
    offered = [o for o in listed if o["remote"] != "local"]
    assert set(EXPENSIVE) <= {o["name"] for o in offered}, set(EXPENSIVE) - {o["name"] for o in offered}
    canceled = []
    with Server(world, env=env) as s:
        for operation in offered:
            for request in requests_of(operation):
                begun = s.post("/api/v1/work/" + operation["name"], request)
                assert begun.status in (202, 400), (operation["name"], begun.status, begun.body)
                if begun.status == 400:
                    assert operation["name"] not in EXPENSIVE, begun.body
                    continue
                path = begun.json()["path"]
                wait_for("it to begin", lambda: state_of(s, path) != "waiting")
                time.sleep(0.2)  # so that it is in the midst of it
                assert s.get("/healthz", token=None).status == 200
                if state_of(s, path) == "running":
                    s.ask("DELETE", path)
                    canceled.append(operation["name"])
                wait_for(operation["name"] + " to end", lambda: state_of(s, path) != "running")
                s.ask("DELETE", path)
    assert s.status == 0 and b"did not end in time" not in s.ended.err, s.ended
    assert {"spot.risk", "simulate"} <= set(canceled), canceled


def large_values(name, field, has):
    """Of a field, by what its schema says: the largest first."""
    types = field.get("type", [])
    if "anyOf" in field:
        return [has * 1000] if isinstance(has, list) else []
    if "enum" in field:
        return [value for value in field["enum"] if value is not None]
    if "boolean" in types:
        return [True]
    if "integer" in types:
        return [10 ** 18, 10 ** 9, 10 ** 5, 1000]
    if "number" in types:
        return [10 ** 9, "1000000h", "10000h", 0.5]
    return ["1970-01-01"] if name in ("since", "from") else ["2099-12-31"] if name in ("until", "to") else []


def ask_shortly(server, token, operation, request):
    """The status of the answer; None when the client has left before it came."""
    try:
        answer = server.post("/api/v1/" + operation, request, token=token, timeout=1)
    except TimeoutError:
        return None
    assert answer.status in (200, 400, 403, 404, 422, 503, 504), (operation, request, answer.status, answer.body)
    if answer.status != 200:
        problem = answer.json()
        assert problem["text"] and "\n" not in problem["text"], (operation, request, problem)
    return answer.status


def ask_for_more(server, token, operation):
    """Ask with each field as large as it may be, one after the other: what is admitted stays. How often the client left."""
    left = 0
    for base in requests_of(operation):
        request = dict(base)
        for name, field in operation["request"].get("properties", {}).items():
            for value in large_values(name, field, request.get(name)):
                more = {**request, name: value}
                status = ask_shortly(server, token, operation["name"], more)
                left += status is None
                if status == 200:
                    request = more
                if status != 400 or left > 8:  # enough of what only takes long
                    break
    return left


@test
def large_values_of_every_field(world):
    """A viewer asks every operation, with each field as large as its schema and its own checks admit, and leaves: each request is answered
    or stopped, others are answered meanwhile, and memory stays bounded. An operation that is added is tried as well."""
    env = demo(world)
    listed = json.loads(world.end(world.start(STINT, "schema", "--json", env=env)).out)["operations"]
    offered = [o for o in listed if o["remote"] == "read"]
    with Server(world, env=env) as s:
        viewer = s.make_token("viewer")
        wait_for("the server to see it", lambda: s.get("/api/v1/runs", token=viewer).status == 200)
        with concurrent.futures.ThreadPoolExecutor(3) as pool:
            asked = [pool.submit(ask_for_more, s, viewer, operation) for operation in offered]
            while not all(one.done() for one in asked):
                assert s.get("/healthz", token=None).status == 200
                assert s.get("/runs").status == 200
                time.sleep(0.2)
            left = sum(one.result() for one in asked)
        assert left > 0, "nothing took long"
        assert s.get("/api/v1/gpu.list", token=viewer).status == 200  # a thread is free again
        if b"__asan_init" not in read(STINT):
            most = int(re.search(rb"VmHWM:\s+(\d+)", read(f"/proc/{s.process.pid}/status"))[1]) * 1024
            assert most < 2 << 30, most
    assert s.status == 0 and b"did not end in time" not in s.ended.err, s.ended


@test
def a_direct_request_has_an_end(world):
    """What takes too long is stopped, and says how to ask for it; pages, health, signing in and agents do not wait for it."""
    with Server(world) as s:
        heavy = []
        threads = [threading.Thread(target=lambda: heavy.append(s.post("/api/v1/spot.risk", RISK))) for _ in range(4)]
        for thread in threads:
            thread.start()
        answered = 0
        while not heavy:
            assert s.get("/healthz", token=None).status == 200
            assert s.get("/runs").status == 200
            assert sign_in(s)[0].status == 303
            assert s.post("/api/v1/agents/records", b"x").status == 400
            answered += 1
            time.sleep(0.1)
        for thread in threads:
            thread.join()
        assert answered > 3, answered
        assert sorted({a.status for a in heavy}) in ([504], [503, 504]), [a.body for a in heavy]
        stopped = [a for a in heavy if a.status == 504][0].json()
        assert stopped["kind"] == "stopped" and "request it as a task (POST /api/v1/work/OPERATION), or use the command line" == stopped["hint"], stopped


@test
def others_have_threads_left(world):
    """One token cannot take all threads that compute: another is answered while they are in use."""
    with Server(world) as s:
        other = s.make_token("other")
        wait_for("the server to see it", lambda: s.get("/api/v1/schema?operation=costs", token=other).status == 200)
        heavy = []
        threads = [threading.Thread(target=lambda: heavy.append(s.post("/api/v1/spot.risk", RISK))) for _ in range(16)]
        for thread in threads:
            thread.start()
        time.sleep(0.5)
        assert s.get("/api/v1/gpu.list", token=other).status == 200
        assert not [a for a in heavy if a.status == 504], "it waited for them"
        s.stop()
        for thread in threads:
            thread.join()


@test
def a_client_that_has_left(world):
    """What nobody waits for any more is stopped: its thread is free again."""
    with Server(world) as s:
        host, port = s.host.rsplit(":", 1)
        body = json.dumps(RISK).encode()
        for _ in range(12):
            with socket.create_connection((host, int(port))) as c:
                c.sendall(b"POST /api/v1/spot.risk HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Length: %d\r\n\r\n%s"
                          % (s.host.encode(), s.token.encode(), len(body), body))
                time.sleep(0.05)
        assert s.get("/api/v1/gpu.list").status == 200


@test
def the_end_of_the_server(world):
    """SIGTERM and SIGINT end the server whatever is running, in good order."""
    for how in (signal.SIGTERM, signal.SIGINT):
        with Server(world) as s:
            def ask(path):
                try:
                    s.post(path, RISK)
                except OSError:
                    pass  # the server may be gone before the answer is
            for path in ("/api/v1/work/spot.risk", "/api/v1/work/spot.risk", "/api/v1/work/spot.risk"):
                assert s.post(path, RISK).status == 202
            threads = [threading.Thread(target=ask, args=("/api/v1/spot.risk",)) for _ in range(4)]
            for thread in threads:
                thread.start()
            time.sleep(0.5)
            assert s.stop(how) == 0, s.ended
            for thread in threads:
                thread.join()
            assert b"did not end in time" not in s.ended.err, s.ended.err
        assert world.end(world.start(STINT, "token", "remove", "tests")).status == 0


@test
def work_ends_with_its_token(world):
    """Work that runs ends when the token that asked for it is removed."""
    with Server(world) as s:
        other = s.make_token("other")
        wait_for("the server to see it", lambda: s.get("/api/v1/gpu.list?limit=1", token=other).status == 200)
        path = s.post("/api/v1/work/spot.risk", RISK, token=other).json()["path"]
        wait_for("it to begin", lambda: state_of(s, path) == "running")
        assert world.end(world.start(STINT, "token", "remove", "other")).status == 0
        wait_for("it to end", lambda: state_of(s, path) == "canceled")


@test
def memory_has_a_limit(world):
    """An answer that would take too much memory is refused with one line; the server goes on, and gives the memory back."""
    with Server(world) as s:
        assert s.post("/api/v1/runs.add", {"start": "2026-10-01", "end": "2026-10-02", "cost": "5usd"}).status == 200
        base = sqlite3.connect(world.ledger)
        base.execute("PRAGMA synchronous = OFF")
        names = [row[1] for row in base.execute("PRAGMA table_info(runs)") if row[1] not in ("run", "id", "command")]
        for i in range(280):  # 280 MB of commands
            base.execute(f"INSERT INTO runs(id, command, {', '.join(names)}) SELECT printf('01a1ab9e-c700-74ee-84ff-%012x', ?),"
                         f" printf('%.*c', 1000000, 'x'), {', '.join(names)} FROM runs LIMIT 1", (i,))
        base.commit()
        base.execute("INSERT INTO attempts(run, number, state, started, at, elapsed_ns, host, boot, price_source, offer, market) SELECT run, 1, 'done',"
                     " started, started, 0, '', '', '', '', '' FROM runs WHERE run NOT IN (SELECT run FROM attempts)")
        base.commit()
        base.close()
        for _ in range(6):  # where other work fills the machine, the limit in time may come first
            answer = s.get("/api/v1/runs?limit=1000")
            if answer.status != 504:
                break
        assert answer.status == 422 and answer.json()["text"] == "this takes more than 256 MB of memory, and was stopped", answer.body[:500]
        assert answer.json()["hint"] == "request less, or use the command line", answer.json()
        assert s.get("/api/v1/runs?limit=5").status == 200
        assert s.get("/healthz", token=None).status == 200
        many = {"jobs": ["train:\n  model: llama-3.1-8b\n  data: {tokens: %dM}\n" % i for i in range(1, 400)], "queue": True, "limit": 1000}
        assert s.post("/api/v1/plan", many).status in (200, 400, 422, 504)
        if b"__asan_init" not in read(STINT):
            rests = int(re.search(rb"VmRSS:\s+(\d+)", read(f"/proc/{s.process.pid}/status"))[1])
            assert rests < 200 * 1024, rests


@test
def a_session_ends_with_its_token(world):
    """A cookie is worth what its token is worth now: none when it was removed, also when one of the same name is made again."""
    with Server(world) as s:
        secret = s.make_token("x", "--scope", "admin")
        wait_for("the server to see it", lambda: s.post("/api/v1/token.list", {}, token=secret).status == 200)
        _, cookie = sign_in(s, secret)
        by_cookie = {"Cookie": cookie}
        assert s.post("/api/v1/token.list", {}, token=None, headers={**by_cookie, "Origin": s.base}).status == 200
        assert s.get("/runs", token=None, headers=by_cookie).status == 200
        stream = s.connect()
        stream.request("GET", "/events", headers=by_cookie)
        events = stream.getresponse()
        assert events.status == 200
        assert world.end(world.start(STINT, "token", "remove", "x")).status == 0
        wait_for("the session to end", lambda: s.get("/api/v1/runs", token=None, headers=by_cookie).status == 401)
        events.read()  # until the server ends it
        stream.close()
        again = s.make_token("x", "--scope", "read", "--team", "vision")
        wait_for("the server to see it", lambda: s.get("/api/v1/runs", token=again).status == 200)
        assert s.get("/api/v1/runs", token=None, headers=by_cookie).status == 401
        budget = s.post("/api/v1/budget.set", {"name": "b", "amount": "5usd"}, token=None, headers={**by_cookie, "Origin": s.base})
        assert budget.status == 401, budget.body


@test
def many_sign_ins_of_one_token(world):
    """Signing in over and over signs nobody else out: a token's own oldest session goes first."""
    with Server(world) as s:
        other = s.make_token("other")
        wait_for("the server to see it", lambda: s.get("/api/v1/runs", token=other).status == 200)
        _, kept = sign_in(s, other)
        _, first = sign_in(s)
        last = None
        for _ in range(600):
            last = sign_in(s)[1]
        assert s.get("/runs", token=None, headers={"Cookie": kept}).status == 200
        assert s.get("/runs", token=None, headers={"Cookie": last}).status == 200
        assert s.get("/api/v1/runs", token=None, headers={"Cookie": first}).status == 401


@test
def many_connections_of_one_address(world):
    """Connections that one address keeps open, idle or half sent, lock no other address out."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    if hard != resource.RLIM_INFINITY and hard < 2000:
        return
    with Server(world, listen="127.0.0.1:0") as s:
        host, port = s.host.rsplit(":", 1)
        held = []
        half = [b"", b"GET /healthz HT", b"POST /api/v1/runs.add HTTP/1.1\r\nHost: %s\r\nContent-Length: 50\r\n\r\n{" % s.host.encode()]
        for i in range(1300):
            c = socket.socket()
            c.settimeout(2)
            try:
                c.connect((host, int(port)))
                c.sendall(half[i % len(half)])
            except OSError:
                pass
            held.append(c)
        for _ in range(20):
            with socket.socket() as c:
                c.bind(("127.0.0.2", 0))
                c.settimeout(30)
                c.connect((host, int(port)))
                c.sendall(b"GET /healthz HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n" % s.host.encode())
                assert c.recv(4096).startswith(b"HTTP/1.1 200"), "locked out"
        for c in held:
            c.close()
        assert s.get("/healthz", token=None).status == 200


main()
