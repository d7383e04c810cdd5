#!/usr/bin/env python3
"""Runs that other machines send to a server: every run arrives once, whatever is killed or cut off meanwhile.

agents.py STINT [FILTER]. Agents are real `stint run --to` processes on this machine, each with folders of its own.
"""
import json
import os
import random
import shutil
import signal
import socket
import sqlite3
import subprocess
import threading
import time

from serving import STINT, Server, sign_in
from harness import LONG, Skip, World, main, script, test, wait_for

AGENTS = int(os.environ.get("STINT_TEST_AGENTS", "8"))  # of the attacked server
TICKS = "import time\nfor i in range(%d):\n time.sleep(0.1)"


class Agent:
    """Another machine: folders of its own, and nothing of the server's but a token."""

    def __init__(self, server_world, to, token):
        self.world, self.to = World(), to
        server_world.started.append(self)
        self.world.env.update(STINT_TO=to, STINT_TOKEN=token, STINT_LEDGER=self.world.path("none.db"))

    def run(self, *words, **how):
        return self.world.run(*words, **how)

    def start(self, *words, **how):
        return self.world.stint(*words, **how)

    def send(self):
        return self.world.end(self.world.start(STINT, "send"))

    def journals(self):
        return [os.path.join(folder, name) for folder, _, names in os.walk(self.world.dir) for name in names
                if name.endswith(".journal")]

    # As a process of the server's world, so that it ends with it.
    def poll(self):
        self.world.close()
        return 0


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def write_token(s, name="agents", *options):
    token = s.make_token(name, "--scope", "write", *options)
    return token


def known(s, token):
    """The server reads new tokens within a second."""
    wait_for("the server to know the token", lambda: s.get("/api/v1/runs", token=token).status == 200)
    return token


def attempts(w):
    return [dict(row) for row in w.ask(
        "SELECT a.attempt, id, name, number, state, status, cost_nano, elapsed_ns, applied FROM attempts a JOIN runs USING (run)"
        " ORDER BY a.attempt")]


def tag(w, run, key):
    return [row["value"] for row in w.ask("SELECT value FROM tags JOIN runs USING (run) WHERE id = ? AND key = ?", run, key)]


class Proxy:
    """Between agents and server: can swallow answers."""

    def __init__(self, to):
        self.to, self.swallow, self.swallowed = to, 0, 0
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.socket.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def serve(self, client):
        try:
            server = socket.create_connection(self.to)
        except OSError:
            client.close()
            return
        threading.Thread(target=self.pass_on, args=(client, server, False), daemon=True).start()
        self.pass_on(server, client, True)

    def pass_on(self, source, sink, answers):
        try:
            while data := source.recv(65536):
                if answers and self.swallow > 0:  # it has committed; nobody learns of it
                    self.swallow -= 1
                    self.swallowed += 1
                    break
                sink.sendall(data)
        except OSError:
            pass
        for end in (source, sink):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def close(self):
        self.socket.close()


@test
def a_run_arrives(w):
    """a run of another machine is in the server's ledger, with its samples, tags and cost; the agent has no ledger"""
    with Server(w) as s:
        agent = Agent(w, s.base, known(s, write_token(s)))
        ended = agent.run("--price", "3600usd/hr", "--tag", "team=nlp", "--name", "far", "--", *script(TICKS % 25))
        assert ended.status == 0 and f"sent       {s.base}".encode() in ended.err, ended
        rows = attempts(w)
        assert [(r["name"], r["state"], r["status"]) for r in rows] == [("far", "done", 0)], rows
        assert rows[0]["cost_nano"] == rows[0]["elapsed_ns"] > 2e9, rows
        assert len(w.ask("SELECT 1 FROM samples")) >= 2 and tag(w, rows[0]["id"], "team") == ["nlp"]
        assert not os.path.exists(agent.world.path("none.db")) and not agent.journals()
        failed = agent.run("--", "sh", "-c", "exit 7")
        assert failed.status == 7 and [r["status"] for r in attempts(w)] == [0, 7], failed


@test
def offline_then_online(w):
    """without the server the command runs all the same; its run waits and is sent once, by the next run or 'stint send'"""
    port = free_port()
    server = Server(w, listen=f"127.0.0.1:{port}")
    token = write_token(server)
    agent = Agent(w, f"http://127.0.0.1:{port}", token)
    ended = agent.run("--price", "3600usd/hr", "--", *script(TICKS % 12 + "\nraise SystemExit(3)"))
    assert ended.status == 3 and b"this run is kept in '" in ended.err and b"'stint send'" in ended.err, ended
    assert len(agent.journals()) == 1 and not os.path.exists(agent.world.path("none.db"))
    left = agent.send()
    assert left.status == 1 and b"sent 0 runs" in left.out and b"1 still waits in " in left.out, left
    with server as s:
        assert agent.send().out == b"sent 1 run to %s\n" % s.base.encode()
        assert agent.send().out.startswith(b"nothing waits") and not agent.journals()
        assert [(r["state"], r["status"]) for r in attempts(w)] == [("failed", 3)], attempts(w)
    assert agent.run("--", "true").status == 0 and len(agent.journals()) == 1
    with server as s:
        job = agent.start("--", *script("import os, time\nwhile not os.path.exists('go'): time.sleep(0.05)"))
        wait_for("the run that waited", lambda: len(attempts(w)) == 3)
        agent.world.write("go", "")
        assert agent.world.end(job).status == 0 and not agent.journals()
        assert [r["status"] for r in attempts(w)] in ([3, 0, 0],), attempts(w)


@test
def the_answer_is_lost(w):
    """an answer that never comes, after the server has committed: what is sent again is not added again"""
    with Server(w) as s:
        proxy = Proxy(("127.0.0.1", int(s.host.split(":")[1])))
        agent = Agent(w, f"http://127.0.0.1:{proxy.port}", known(s, write_token(s)))
        job = agent.start("--price", "3600usd/hr", "--", *script("import os, time\nwhile not os.path.exists('go'): time.sleep(0.05)"))
        w.sampled(2)
        for _ in range(3):
            swallowed = proxy.swallowed
            proxy.swallow = 1
            wait_for("a lost answer", lambda: proxy.swallowed > swallowed)
        agent.world.write("go", "")
        ended = agent.world.end(job)
        if agent.journals():
            assert agent.send().status == 0
        rows = attempts(w)
        assert ended.status == 0 and len(rows) == 1 and rows[0]["state"] == "done", (ended, rows)
        assert rows[0]["cost_nano"] == rows[0]["elapsed_ns"], rows
        times = [r["at_s"] for r in w.ask("SELECT at_s FROM samples ORDER BY at_s")]
        assert len(times) == len(set(times)), times
        assert proxy.swallowed >= 3 and not agent.journals()
        proxy.close()


@test
def a_server_that_says_nothing(w):
    """a server that accepts a connection and says nothing holds up neither the start nor the end, and changes no exit status"""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        agent = Agent(w, "http://127.0.0.1:%d" % silent.getsockname()[1], "stint_" + "0" * 48)
        ended = agent.run("--", *script(TICKS % 12 + "\nraise SystemExit(4)"))
        assert ended.status == 4 and b"this run is kept in '" in ended.err and len(agent.journals()) == 1, ended


@test
def two_send_the_same(w):
    """two programs that send the same journal at the same time: the run is there once"""
    port = free_port()
    server = Server(w, listen=f"127.0.0.1:{port}")
    token = write_token(server)
    agent = Agent(w, f"http://127.0.0.1:{port}", token)
    for _ in range(5):
        assert agent.run("--price", "3600usd/hr", "--", "true").status == 0
    assert len(agent.journals()) == 5
    copies = {path: open(path, "rb").read() for path in agent.journals()}
    with server as s:
        senders = [agent.world.start(STINT, "send") for _ in range(4)]
        for sender in senders:
            agent.world.end(sender)
        assert agent.send().status == 0 and not agent.journals()
        for path, content in copies.items():  # a backup that is restored
            os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
            with open(path, "wb") as file:
                file.write(content)
        assert b"sent 5 runs" in agent.send().out
        rows = attempts(w)
        assert len(rows) == 5 and len({r["id"] for r in rows}) == 5 and all(r["state"] == "done" for r in rows), rows


@test
def killed_at_random(w):
    """agents and server are killed at random and started again: every run arrives once, sums are equal"""
    chance, port = random.Random(7), free_port()
    listen = f"127.0.0.1:{port}"
    server = Server(w, listen=listen)
    token = write_token(server)
    server.__enter__()
    crew = [Agent(w, f"http://{listen}", token) for _ in range(4)]
    ended, lock = [], threading.Lock()

    def work(agent, number):
        mine = random.Random(number)
        for turn in range(4):
            job = agent.start("--if-killed", "stop", "--price", "3600usd/hr", "--json", "--name", f"a{number}-{turn}", "--",
                              *script(TICKS % mine.randrange(3, 18)))
            if mine.random() < 0.3:
                time.sleep(mine.uniform(0.2, 1.5))
                job.kill()
            result = agent.world.end(job)
            with lock:
                ended.append((f"a{number}-{turn}", result))

    def kill_servers():
        for _ in range(4):
            time.sleep(chance.uniform(0.3, 1.2))
            server.stop(signal.SIGKILL)
            time.sleep(chance.uniform(0, 0.8))
            server.__enter__()

    threads = [threading.Thread(target=work, args=(agent, i)) for i, agent in enumerate(crew)]
    threads.append(threading.Thread(target=kill_servers))
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    for agent in crew:
        wait_for("all to be sent", lambda: agent.send().status == 0 and not agent.journals())
    rows = attempts(w)
    names = [r["name"] for r in rows]
    assert len(names) == len(set(names)), names
    assert len(ended) == 16
    for name, result in ended:
        if result.status == 0:  # all that ended by itself is there, to the last second
            row = [r for r in rows if r["name"] == name]
            assert len(row) == 1 and row[0]["state"] == "done", (name, row, result)
            assert row[0]["cost_nano"] == row[0]["elapsed_ns"], row
    twice = w.ask("SELECT attempt, at_s, count(*) FROM samples GROUP BY 1, 2 HAVING count(*) > 1")
    assert not twice, [tuple(row) for row in twice]
    server.stop()
    checked = w.end(w.start(STINT, "ledger", "doctor"))
    assert checked.status == 0, checked


@test
def a_budget_stops_agents(w):
    """a budget with --stop: two agents spend from it together, and both are stopped before it is spent; a third may not start"""
    with Server(w) as s:
        token = known(s, write_token(s))
        assert w.end(w.start(STINT, "budget", "set", "nlp", "10usd", "--where", "team=nlp", "--period", "month", "--stop")).status == 0
        crew = [Agent(w, s.base, token) for _ in range(2)]
        jobs = [agent.start("--price", "3600usd/hr", "--share", "all", "--grace", "0s", "--tag", "team=nlp", "--json", "--",
                            "sleep", "60") for agent in crew]
        results = [agent.world.end(job) for agent, job in zip(crew, jobs)]
        assert [r.status for r in results] == [5, 5], results
        spent = sum(r["cost_nano"] for r in attempts(w)) / 1e9
        assert 5 < spent <= 10, spent
        assert all(b"the budget 'nlp'" in r.err + r.out for r in results), results
        other = Agent(w, s.base, token)
        assert other.run("--price", "3600usd/hr", "--tag", "team=vision", "--", "true").status == 0
        assert w.end(w.start(STINT, "budget", "set", "nlp", "1usd", "--where", "team=nlp", "--period", "month", "--stop")).status == 0
        wait_for("the server to see it", lambda: b"is spent" in other.run("--tag", "team=nlp", "--", "touch", "ran").err)
        assert len(attempts(w)) == 3 and not other.journals(), attempts(w)


@test
def a_budget_is_set_meanwhile(w):
    """a budget that is set, or raised, on the server while an agent's run goes on"""
    def set_budget(amount):
        assert w.end(w.start(STINT, "budget", "set", "nlp", amount, "--where", "team=nlp", "--stop")).status == 0

    with Server(w) as s:
        agent = Agent(w, s.base, known(s, write_token(s)))
        job = agent.start("--price", "3600usd/hr", "--grace", "0s", "--tag", "team=nlp", "--", "sleep", "60")
        w.sampled()
        set_budget("14usd")
        wait_for("the agent to hear of it", lambda: "budget-known" in w.events())
        set_budget("16usd")
        ended = agent.world.end(job)
        spent = sum(r["cost_nano"] for r in attempts(w)) / 1e9
        assert ended.status == 5 and 14 < spent <= 16, (ended, spent)
        assert b"a budget was set: the budget 'nlp' has $" in ended.err and b"is $16.00 now, not $14.00" in ended.err, ended


@test
def stopped_from_elsewhere(w):
    """'stint stop' on the server's machine reaches a run of another machine through the server"""
    with Server(w) as s:
        agent = Agent(w, s.base, known(s, write_token(s)))
        job = agent.start("--name", "far", "--grace", "1s", "--json", "--", "sleep", "60")
        w.sampled()
        w_change(w, "UPDATE attempts SET host = 'elsewhere'")
        listed = w.end(w.start(STINT, "top", "--all", "--once"))
        assert b"elsewhere" in listed.out and b"far" in listed.out, listed
        asked = w.end(w.start(STINT, "stop", "far"))
        assert asked.status == 0, asked
        ended = agent.world.end(job)
        assert b"requested by " in ended.err and b'"reason": "user"' in ended.out.replace(b'"reason":"user"', b'"reason": "user"'), ended
        assert [r["state"] for r in attempts(w)] == ["stopped"] and "stop-asked" in w.events(), (attempts(w), w.events())


def w_change(w, sql):
    """Change the ledger as no command does."""
    base = sqlite3.connect(w.ledger, timeout=LONG)
    with base:
        base.execute(sql)
    base.close()


@test
def silent_runs(w):
    """'stint top --all' lists a run of another machine that was not heard of for minutes; without --all it is gone"""
    with Server(w) as s:
        agent = Agent(w, s.base, known(s, write_token(s)))
        job = agent.start("--name", "far", "--", "sleep", "60")
        w.sampled()
        s.stop()
        w_change(w, "UPDATE attempts SET host = 'elsewhere', at = at - 600")
        assert b"far" not in w.end(w.start(STINT, "top", "--once")).out
        listed = w.end(w.start(STINT, "top", "--all", "--once"))
        assert b"far" in listed.out and b"silent" in listed.out and b"elsewhere" in listed.out, listed
        job.kill()


@test
def a_ledger_that_is_replaced(w):
    """the server's ledger is moved away while it runs: what arrives afterwards is in the one that has its name"""
    with Server(w) as s:
        token = known(s, write_token(s))
        agent = Agent(w, s.base, token)
        assert agent.run("--name", "before", "--", "true").status == 0
        backup = w.path("backup.db")
        base = sqlite3.connect(w.ledger, timeout=LONG)
        base.execute("VACUUM INTO ?", (backup,))
        base.close()
        for end in ("", "-wal", "-shm"):
            if os.path.exists(w.ledger + end):
                os.rename(w.ledger + end, w.path("old.db" + end))
        os.rename(backup, w.ledger)
        assert agent.run("--name", "after", "--", "true").status == 0
        if agent.journals():
            wait_for("it to be sent", lambda: agent.send().status == 0)
        assert [r["name"] for r in attempts(w)] == ["before", "after"], attempts(w)


@test
def teams(w):
    """a token of a team sends runs of its team only: the tag is set where there is none, another one is refused"""
    with Server(w) as s:
        nlp = known(s, write_token(s, "nlp", "--team", "nlp"))
        vision = known(s, write_token(s, "vision", "--team", "vision"))
        mine, theirs = Agent(w, s.base, nlp), Agent(w, s.base, vision)
        assert mine.run("--name", "a", "--", "true").status == 0
        assert tag(w, attempts(w)[0]["id"], "team") == ["nlp"]
        refused = theirs.run("--tag", "team=nlp", "--", "touch", "ran")
        assert refused.status == 1 and b"for runs of the team 'vision'" in refused.err, refused
        assert not os.path.exists(theirs.world.path("ran")) and not theirs.journals() and len(attempts(w)) == 1
        resumed = theirs.run("--resume", attempts(w)[0]["id"], "--", "true")
        assert resumed.status == 4 and b"the team 'vision' has no run" in resumed.err, resumed
        for other in ("Team=nlp", "acme:team=nlp", "t-eam=nlp"):  # which costs would count for the team, too
            refused = theirs.run("--tag", other, "--", "true")
            assert refused.status == 1 and b"for runs of the team 'vision'" in refused.err, (other, refused)
        assert theirs.run("--tag", "Team=VISION", "--", "true").status == 0
        assert len(attempts(w)) == 2, attempts(w)


@test
def teams_with_runs_of_one_name(w):
    """a run is not resumed by the name of another team's in a folder of the same name, and not refused for it"""
    with Server(w) as s:
        ids = []
        for team in ("nlp", "vision", "nlp"):
            agent = Agent(w, s.base, known(s, write_token(s, team + str(len(ids)), "--team", team)))
            assert agent.run("--name", "train", "--", "sh", "-c", "exit 3", cwd="/").status == 3
            ids = [r["id"] for r in attempts(w)]
        assert ids[0] != ids[1], ids


@test
def rules_for_a_team_without_a_tag(w):
    """a run that gets its team from the token meets the rules for that team: required tags, and budgets that are spent"""
    with Server(w) as s:
        nlp = known(s, write_token(s, "nlp", "--team", "nlp"))
        agent = Agent(w, s.base, nlp)
        policy = w.write("policy.yaml", "required: [team]\nenforce: refuse\n")
        assert w.end(w.start(STINT, "allocation", "set", policy)).status == 0
        assert agent.run("--price", "3600usd/hr", "--share", "all", "--", "sleep", "1.5").status == 0
        assert w.end(w.start(STINT, "budget", "set", "nlp", "1usd", "--where", "team=nlp", "--stop")).status == 0
        wait_for("the server to see it", lambda: b"is spent" in agent.run("--", "true").err)
        ended = agent.run("--", "touch", "ran")
        assert ended.status != 0 and not os.path.exists(agent.world.path("ran")), ended


@test
def records_of_another_team(w):
    """records for a run of another team are refused, even for one who knows its ids"""
    port = free_port()
    server = Server(w, listen=f"127.0.0.1:{port}")
    nlp, vision = write_token(server, "nlp", "--team", "nlp"), write_token(server, "vision", "--team", "vision")
    agent = Agent(w, f"http://127.0.0.1:{port}", nlp)
    assert agent.run("--", "true").status == 0
    body = open(agent.journals()[0], "rb").read()
    with server as s:
        path = "/api/v1/agents/records?clock=%d" % time.time()
        assert s.post(path, body, token=nlp).json()["records"] > 0
        again = s.post(path, body, token=vision)
        assert again.status == 403 and b"team 'vision'" in again.body, again.body
        assert s.post(path, body, token=nlp).status == 200 and len(attempts(w)) == 1


@test
def wrong_tokens_and_addresses(w):
    """what can never work is refused before the command starts: tokens, scopes, addresses, plain http to other machines"""
    with Server(w) as s:
        reader = known(s, s.make_token("reader"))
        for token, text in ((reader, b"scope"), ("stint_" + "0" * 48, b"(401)")):
            agent = Agent(w, s.base, token)
            ended = agent.run("--", "touch", "ran")
            assert ended.status == 1 and text in ended.err and b"stint token add" in ended.err, ended
            assert not os.path.exists(agent.world.path("ran")) and not agent.journals()
            assert token.encode() not in ended.err
        agent = Agent(w, s.base, reader)
        for to, status, text in (("costs.example.org", 2, b"not the address"), ("ftp://x", 2, b"not the address"),
                                 ("http://192.0.2.1:8712", 2, b"unencrypted"), (s.base + "/somewhere", 4, b"")):
            ended = agent.run("--to", to, "--", "touch", "ran")
            assert ended.status == status and text in ended.err, (to, ended)
            assert not os.path.exists(agent.world.path("ran"))
        del agent.world.env["STINT_TOKEN"]
        ended = agent.run("--", "true")
        assert ended.status == 2 and b"needs a token" in ended.err, ended
        write = known(s, write_token(s))
        secret = agent.world.write("secret", write + "\n", 0o600)
        assert agent.run("--to-token", secret, "--", "true").status == 0
        os.chmod(secret, 0o644)
        exposed = agent.run("--to-token", secret, "--", "true")
        assert exposed.status == 0 and b"others can read the token" in exposed.err, exposed


@test
def records_that_are_none(w):
    """what is sent is not trusted: garbage, numbers that no run has, records that are cut off, records of the future"""
    port = free_port()
    server = Server(w, listen=f"127.0.0.1:{port}")
    token = write_token(server)
    agent = Agent(w, f"http://127.0.0.1:{port}", token)
    assert agent.run("--", *script(TICKS % 12)).status == 0
    body = open(agent.journals()[0], "rb").read()
    with server as s:
        now, path = int(time.time()), "/api/v1/agents/records"
        for bad in (b"", b"x", body[:15], body[:40], body[:-1], body[:200] + b"\xff" + body[201:], body + b"\0", os.urandom(5000)):
            answer = s.post(path, bad, token=token)
            assert answer.status == 400, (answer.status, answer.body, bad[:40])
        assert s.get(path, token=token).status in (404, 405)
        slow = s.post(f"{path}?clock={now - 3600}", body, token=token)  # its clock is an hour behind
        assert slow.status == 200 and "3600 s behind" in slow.json()["notes"][0].replace("3599", "3600").replace("3601", "3600"), slow.body
        at = w.ask("SELECT at FROM attempts")[0]["at"]
        assert now + 3400 < at + 3600 and at <= time.time() + 301, (at, now)
        assert w.end(w.start(STINT, "runs")).status == 0


@test
def tls_with_an_own_authority(w):
    """https with a certificate of one's own: trusted by --to-certificates, refused without"""
    if not shutil.which("openssl"):
        raise Skip("no openssl")
    made = subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
                           "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", w.path("key"),
                           "-out", w.path("cert")], capture_output=True, check=False)
    assert made.returncode == 0, made
    server = Server(w, "--certificate", w.path("cert"), "--key", w.path("key"))
    token = write_token(server)
    with server as s:
        assert s.base.startswith("https://"), s.base
        agent = Agent(w, s.base, token)
        done = agent.run("--to-certificates", w.path("cert"), "--", "true")
        assert done.status == 0 and b"sent       https://" in done.err and len(attempts(w)) == 1, done
        untrusted = agent.run("--", "true")
        assert untrusted.status == 0 and b"certificate" in untrusted.err and len(agent.journals()) == 1, untrusted


def nobody_learns_where(s, folder):
    """While the database does not answer, pages and answers say so, and nothing of its address, user or name."""
    for name in [name for name in os.listdir(folder) if name.startswith(".s.PGSQL")]:
        os.rename(os.path.join(folder, name), os.path.join(folder, "away" + name))
    reported = 0
    for path in ("/", "/runs", "/budgets", "/bills", "/advice", "/api/v1/runs", "/api/v1/costs?by=team", "/api/v1/top", "/healthz", "/metrics"):
        text = s.get(path).text()
        reported += "cannot open the ledger" in text
        for secret in ("not-for-you", "postgres:", "test:", "PGSQL", folder, folder.replace("/", "%2F"), "psql"):
            assert secret not in text, (path, secret, text)
    work = s.post("/api/v1/work/costs", {"by": ["team"]}).headers["Location"]
    wait_for("the work to fail", lambda: s.get(work).json()["state"] == "failed")
    assert "cannot open the ledger" in s.get(work).text() and folder not in s.get(work).text().replace("%2F", "/"), s.get(work).text()
    assert reported > 4, reported


@test
def a_ledger_on_postgres(w):
    """the server's ledger may be PostgreSQL: runs of several agents arrive there once"""
    here = os.path.dirname(os.path.abspath(__file__))
    command = ["sh", os.path.join(here, "..", "ledger", "postgres.sh")]
    folder = w.path("pg")
    os.mkdir(folder)
    begun = subprocess.run([*command, "start", folder], capture_output=True, text=True, check=False, timeout=4 * LONG)
    if begun.returncode == 77:
        raise Skip(begun.stderr.strip())
    assert begun.returncode == 0, begun
    try:
        w.env["STINT_LEDGER"] = "postgres://test:not-for-you@" + folder.replace("/", "%2F") + "/postgres"
        assert w.end(w.start(STINT, "ledger", "init")).status == 0
        with Server(w) as s:
            token = known(s, write_token(s))
            crew = [Agent(w, s.base, token) for _ in range(3)]
            jobs = [agent.start("--name", f"n{i}", "--price", "3600usd/hr", "--", *script(TICKS % 15)) for i, agent in enumerate(crew)]
            assert [agent.world.end(job).status for agent, job in zip(crew, jobs)] == [0, 0, 0]
            done = [("n0", "done"), ("n1", "done"), ("n2", "done")]
            wait_for("all runs", lambda: sorted((r["name"], r["state"]) for r in s.get("/api/v1/runs").json()["runs"]) == done)
            nobody_learns_where(s, folder)
    finally:
        subprocess.run([*command, "stop", folder], capture_output=True, check=False)


@test
def killed_and_resumed(w):
    """a supervisor that is killed: its keeper's note arrives with the next run, which goes on with it at once"""
    with Server(w) as s:
        agent = Agent(w, s.base, known(s, write_token(s)))
        job = agent.start("--name", "again", "--", "sleep", "60")
        w.sampled()
        job.kill()
        agent.world.end(job)
        wait_for("the keeper's note", agent.journals)
        second = agent.run("--name", "again", "--", "true")
        assert second.status == 0 and b"attempt 2" in second.err, second
        assert [(r["number"], r["state"]) for r in attempts(w)] == [(1, "lost"), (2, "done")], attempts(w)
        assert "supervisor-killed" in w.events() and not agent.journals(), w.events()


@test
def attempts_of_one_run(w):
    """the same name in the same folder goes on with a run that failed: the next attempt, with the cost of the first in its budget"""
    with Server(w) as s:
        agent = Agent(w, s.base, known(s, write_token(s)))
        words = ("--name", "again", "--price", "3600usd/hr", "--budget", "600usd", "--")
        assert agent.run(*words, *script(TICKS % 11 + "\nraise SystemExit(9)")).status == 9
        second = agent.run(*words, "true")
        assert second.status == 0 and b"attempt 2" in second.err and b"with earlier attempts $" in second.err, second
        assert [(r["number"], r["state"]) for r in attempts(w)] == [(1, "failed"), (2, "done")], attempts(w)
        third = agent.run("--resume", "again", "--price", "1usd/hr", "--", "true")
        assert third.status == 0 and [r["number"] for r in attempts(w)] == [1, 2, 3], third


@test
def while_the_server_is_attacked(w):
    """Long questions, idle connections and sign-ins over and over, all at once: no run is lost, pages and health answer."""
    risk = json.dumps({"mtbf": "4h", "work": "1000h", "deadline": "1200h", "spot": "1usd/hr", "on_demand": "3usd/hr", "runs": 55555})
    with Server(w) as s:
        token = known(s, write_token(s))
        over = threading.Event()

        def attack(ask):
            while not over.is_set():
                try:
                    ask()
                except OSError:
                    pass

        host, port = s.host.rsplit(":", 1)
        idle = [socket.create_connection((host, int(port))) for _ in range(200)]
        asks = [lambda: s.post("/api/v1/spot.risk", risk, token=token)] * 6 + [lambda: sign_in(s)] + [
            lambda: s.post("/api/v1/work/spot.risk", risk, token=token)]
        threads = [threading.Thread(target=attack, args=(ask,)) for ask in asks]
        for thread in threads:
            thread.start()
        agents = [Agent(w, s.base, token) for _ in range(AGENTS)]
        running = [a.start("--name", "run-%d" % i, "--price", "3600usd/hr", "--", *script(TICKS % 25)) for i, a in enumerate(agents)]
        while any(r.poll() is None for r in running):
            assert s.get("/healthz", token=None).status == 200
            assert s.get("/runs").status == 200
            time.sleep(0.2)
        for a in agents:
            wait_for("its runs to be sent", lambda a=a: a.send().status == 0 and not a.journals())
        over.set()
        for c in idle:
            c.close()
        assert s.stop() == 0
        for thread in threads:
            thread.join()
    ended = attempts(w)
    assert sorted(a["name"] for a in ended) == sorted("run-%d" % i for i in range(AGENTS)), ended
    for a in ended:  # all of it arrived: to the end, and no sample is left out in between
        assert a["state"] == "done" and a["cost_nano"] == a["elapsed_ns"] > 2e9, a
        assert w.ask("SELECT count(*) AS n FROM samples WHERE attempt = ?", a["attempt"])[0]["n"] >= 2, a


main()
