#!/usr/bin/python3
"""Who is answered: names of the server, tokens, pages of other sites, paths, sizes, slow and broken clients."""
import json
import os
import shutil
import socket
import sqlite3
import struct
import time

from serving import STINT, Server, sign_in
from harness import main, test, wait_for


def raw(server, data, wait=5, ends=False):
    """What comes back for these bytes until the server ends the connection, or it was silent so long, which `ends` does not allow."""
    host, port = server.host.rsplit(":", 1)
    with socket.create_connection((host, int(port)), timeout=wait) as s:
        s.sendall(data)
        got = b""
        try:
            while True:
                more = s.recv(65536)
                if not more:
                    break
                got += more
        except socket.timeout:
            assert not ends, (data, got)
        return got


@test
def only_with_a_token(world):
    """An operation needs a token; without one or with a wrong one the answer says how to get it."""
    with Server(world) as s:
        assert s.get("/healthz", token=None).status == 200
        none = s.get("/api/v1/runs", token=None)
        assert none.status == 401 and none.json()["hint"].startswith("send 'Authorization"), none.body
        assert s.get("/api/v1/runs", token="stint_" + "0" * 48).status == 401
        assert s.get("/api/v1/runs").status == 200
    assert s.status == 0, s.status


@test
def a_revoked_token_is_refused(world):
    """The server sees within a second that a token was revoked."""
    with Server(world) as s:
        other = s.make_token("other")
        wait_for("the server to see it", lambda: s.get("/api/v1/runs", token=other).status == 200)
        assert world.end(world.start(STINT, "token", "remove", "other")).status == 0
        wait_for("the server to see it", lambda: s.get("/api/v1/runs", token=other).status == 401)


@test
def a_new_token_is_known(world):
    """A token that was just made is accepted at once, also when it signs a browser in."""
    with Server(world) as s:
        for number in range(8):
            time.sleep(0.3)  # tokens are read for an unknown one at most some times a second
            token = s.make_token(f"new{number}")
            status = s.get("/api/v1/runs", token=token).status if number % 2 else sign_in(s, token)[0].status
            assert status in (200, 303), (number, status)


@test
def a_ledger_that_is_gone(world):
    """While the ledger is away, everything says so, no token is called wrong, and agents keep what they have; then it goes on."""
    with Server(world) as s:
        assert s.get("/runs").status == 200
        os.rename(world.ledger, world.path("away"))
        wait_for("the server to see it", lambda: s.get("/healthz", token=None).status == 503)
        for path in ("/", "/runs", "/api/v1/runs", "/metrics"):
            answer = s.get(path)
            assert answer.status == 503 and "ledger is gone" in answer.text() and world.dir not in answer.text(), (path, answer.text())
        assert s.post("/api/v1/agents/records", b"x").status == 503
        assert not os.path.exists(world.ledger)
        os.rename(world.path("away"), world.ledger)
        wait_for("the server to see it", lambda: s.get("/runs").status == 200)


@test
def the_place_of_the_ledger(world):
    """Errors do not say where the ledger is on the server."""
    with Server(world) as s:
        run = {"start": "2026-10-01", "end": "2026-10-02", "cost": "5usd", "name": "x"}
        assert s.post("/api/v1/runs.add", run).status == 200
        other = sqlite3.connect(world.ledger, isolation_level=None)
        other.execute("BEGIN EXCLUSIVE")
        busy = s.post("/api/v1/runs.add", {**run, "name": "y"})
        other.execute("ROLLBACK")
        other.close()
        assert busy.status == 503 and busy.headers["Retry-After"] == "2" and busy.json()["kind"] == "away", busy.body
        assert "the ledger: another program" in busy.text() and world.dir not in busy.text(), busy.body


@test
def a_ledger_that_is_damaged(world):
    """It is not the request that is wrong, nor a token that may have been made since; then it goes on."""
    with Server(world) as s:
        assert s.get("/api/v1/runs").status == 200
        os.rename(world.ledger, world.path("away"))
        with open(world.ledger, "w") as other:
            other.write("some words, and not a few of them: no ledger at all\n" * 20)
        wait_for("the server to see it", lambda: s.get("/healthz", token=None).status == 503)
        for path in ("/runs", "/api/v1/runs"):
            # What was answered in the second before may be used again.
            answer = wait_for("the page to say so", lambda: (a := s.get(path)).status == 500 and a)
            assert "is damaged" in answer.text() and world.dir not in answer.text(), answer.text()
        wait_for("tokens to be unknown", lambda: s.get("/api/v1/runs", token="x" * 43).status == 503)
        assert sign_in(s, "x" * 43)[0].status == 503
        os.replace(world.path("away"), world.ledger)
        wait_for("the server to see it", lambda: s.get("/api/v1/runs").status == 200)
        wait_for("tokens to be known", lambda: s.get("/api/v1/runs", token="x" * 43).status == 401)


@test
def scopes(world):
    """Reading is not changing: a token of scope read may not make tokens; GET never changes anything."""
    with Server(world) as s:
        reader = s.make_token("reader")
        wait_for("the server to see it", lambda: s.get("/api/v1/runs", token=reader).status == 200)
        assert s.post("/api/v1/token.add", {"name": "more"}, token=reader).status == 403
        assert s.get("/api/v1/token.add?name=more").status == 405
        # What would run commands here is refused to everybody.
        marker = world.path("marker")
        for operation, request in (("run", {"command": ["touch", marker]}), ("attach", {"pid": 1}),
                                   ("watch", {"deadline": "1s", "do": f"touch {marker}", "once": True}),
                                   ("tune", {"command": ["touch", marker], "batch": "8..8"})):
            answer = s.post(f"/api/v1/{operation}", request)
            assert answer.status == 403 and b"needs files, programs or a terminal" in answer.body, (operation, answer.body)
        assert not os.path.exists(marker)
        made = s.post("/api/v1/token.add", {"name": "more"})
        assert made.status == 200 and made.json()["secret"].startswith("stint_"), made.body
        assert made.json()["secret"] not in open(world.ledger, "rb").read().decode("latin-1")


@test
def wrong_tokens_must_wait(world):
    """After ten wrong tokens an address has to wait; the right one is answered all the same."""
    with Server(world) as s:
        seen = {s.get("/api/v1/runs", token="stint_" + "%048d" % n).status for n in range(14)}
        assert seen == {401, 429}, seen
        assert s.get("/api/v1/runs").status == 200
        assert sign_in(s, "stint_0")[0].status == 403
        assert sign_in(s)[0].status == 303


@test
def wrong_tokens_are_not_led_around(world):
    """A program with a wrong token is told so, on pages too; what a proxy sends for itself is no token of ours."""
    with Server(world) as s:
        for path in ("/", "/runs", "/sign-in", "/api/v1/runs"):
            answer = s.get(path, token="stint_" + "0" * 48)
            assert answer.status == 401 and answer.headers["WWW-Authenticate"].startswith("Bearer"), (path, answer.status)
        assert s.get("/runs", token=None).status == 303
        assert s.get("/runs", token=None, headers={"Authorization": "Basic eDp5"}).status == 303
        _, cookie = sign_in(s, headers={"Authorization": "Basic eDp5"})
        assert s.get("/runs", token=None, headers={"Cookie": cookie, "Authorization": "Basic eDp5"}).status == 200


@test
def only_under_our_names(world):
    """A page of another site that resolves to this machine (DNS rebinding) is refused before anything is done."""
    with Server(world, "--name", "costs.example.org") as s:
        assert s.get("/healthz", headers={"Host": "evil.example"}).status == 421
        assert s.get("/healthz", headers={"Host": "costs.example.org"}).status == 200
        assert s.get("/healthz", headers={"Host": "costs.example.org.evil.example"}).status == 421
        assert s.get("/healthz", headers={"Host": "localhost:1"}).status == 200
        for bad in (b"GET /healthz HTTP/1.1\r\n\r\n", b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: evil\r\n\r\n"):
            assert b" 400 " in raw(s, bad, 2).split(b"\r\n")[0], bad


@test
def not_from_other_pages(world):
    """What changes something is refused when a page of another site sent it."""
    with Server(world) as s:
        for headers in ({"Origin": "https://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"},
                        {"Referer": "https://evil.example/x"}):
            assert s.post("/api/v1/token.add", {"name": "x"}, headers=headers).status == 403, headers
        own = s.post("/api/v1/token.add", {"name": "x"}, headers={"Origin": s.base, "Sec-Fetch-Site": "same-origin"})
        assert own.status == 200, own.body


@test
def paths(world):
    """No path leads anywhere but to a route."""
    with Server(world) as s:
        for path, status in (("/../etc/passwd", 404), ("/api/v1/..%2f..%2fetc/passwd", 404), ("/%2e%2e/%2e%2e/etc/passwd", 404),
                             ("//api/v1/runs", 404), ("/api/v1/runs%00", 400), ("/api/v1/%ff", 400), ("/api/v1/%zz", 400),
                             ("/api/v1/runs%0d%0aX:y", 400), ("/api/v1/", 200), ("/api/v1/nosuch", 404)):
            answer = s.get(path)
            assert answer.status == status, (path, answer.status, answer.body)


@test
def sizes(world):
    """A body that is too long is refused, whether its length is announced or not."""
    with Server(world) as s:
        announced = raw(s, b"POST /api/v1/runs HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nContent-Length: 99999999\r\n\r\n"
                        % s.token.encode(), 3)
        assert b" 413 " in announced.split(b"\r\n")[0], announced[:200]
        chunk = b"%x\r\n" % 65536 + b" " * 65536 + b"\r\n"
        chunked = raw(s, b"POST /api/v1/runs HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nTransfer-Encoding: chunked\r\n\r\n"
                      % s.token.encode() + chunk * 20 + b"0\r\n\r\n", 3)
        assert chunked.startswith((b"HTTP/1.1 411 ", b"HTTP/1.1 413 ")), chunked[:200]
        long_header = raw(s, b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 100000 + b"\r\n\r\n", 3)
        assert b" 4" in long_header.split(b"\r\n")[0], long_header[:200]


@test
def bodies_without_a_clear_end(world):
    """Two lengths, a length beside chunks, or another encoding: a proxy in front may see another request in it. It is refused, and the
    connection ends, so that nothing after it is taken for a request."""
    with Server(world) as s:
        inner = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
        chunks = b"2\r\n{}\r\n0\r\n\r\n"
        for headers, body in ((b"Content-Length: 2\r\nContent-Length: %d\r\n" % (2 + len(inner)), b"{}"),
                              (b"Content-Length: 2\r\nContent-Length: 2\r\n", b"{}"), (b"Content-Length: 2, 2\r\n", b"{}"),
                              (b"Content-Length: %d\r\nTransfer-Encoding: chunked\r\n" % len(chunks + inner), chunks),
                              (b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", chunks),
                              (b"Transfer-Encoding: gzip, chunked\r\n", chunks), (b"Transfer-Encoding: xchunked\r\n", b"{}")):
            got = raw(s, b"POST /api/v1/runs HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + s.token.encode() + b"\r\n" + headers
                      + b"\r\n" + body + inner, ends=True)
            assert got.startswith(b"HTTP/1.1 400 ") and b"200 OK" not in got, (headers, got)
        chunked = b"POST /api/v1/runs HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + s.token.encode() \
            + b"\r\nTransfer-Encoding: Chunked\r\n\r\n"
        plain = raw(s, chunked + chunks + inner, 1)
        # A library that takes a lone LF for the end of a line gets no chunks at all.
        assert plain.count(b"HTTP/1.1 200 OK") == 2 or (plain.startswith(b"HTTP/1.1 411 ") and plain.count(b"HTTP/1.1 ") == 1), plain
        for lenient in (b"2\n{}\r\n0\r\n\r\n", b"2\r\n{}\n0\r\n\r\n", b"2\r\n{}\r\n0\n\r\n", b"2\r\n{}\r\n0\r\n\n", b"2\n{}\n0\n\n",
                        b"2\r{}\r\n0\r\n\r\n", b"2;x\ny\r\n{}\r\n0\r\n\r\n"):
            got = raw(s, chunked + lenient + inner, ends=True)
            assert got.startswith((b"HTTP/1.1 400 ", b"HTTP/1.1 411 ")) and got.count(b"HTTP/1.1 ") == 1, (lenient, got)


@test
def headers_that_others_read_differently(world):
    """A length that is no number, a blank before a colon, lines that go on or end with half of a line end: 400 with one head, and the
    connection ends."""
    with Server(world) as s:
        inner = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
        start = b"POST /api/v1/runs HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + s.token.encode() + b"\r\n"
        lengths = [b"Content-Length:" + v for v in (b" +2", b" 2,2", b" 2 ", b" 0x2", b"", b" ", b" -2", b" 2;", b" 2 2", b" 9" + b"9" * 30, b" 1\r\n 2")]
        names = [b"Transfer-Encoding : chunked", b"Transfer-Encoding\t: chunked", b"Content-Length : 2", b"A B: c", b": x", b"no colon",
                 b"A: b\rC: d", b"A: b\nC: d", b"A: b\r\n c", b"A: b\x01c", b"A: b\x00c", b"A: b\x7fc", b"(): x",
                 b"Authorization: Bearer x", b"authorization: Basic eDp5", b"Host: localhost", b"Content-Type: a/b\r\nContent-Type: a/b",
                 b"Origin: http://localhost\r\nOrigin: http://a.example"]
        for line in lengths + names:
            for after in (b"\r\n", b"\r\nX: y\r\n"):
                got = raw(s, start + line + after + b"\r\n{}" + inner, ends=True)
                assert got.startswith(b"HTTP/1.1 400 ") and got.count(b"HTTP/1.1 ") == 1, (line, got)
        for line in (b"GET /healthz HTTP/1.1\n", b"GET /healthz HTTP/1.1\r", b"GET /healthz\r\n"):
            got = raw(s, line + b"Host: localhost\r\n\r\n" + inner, ends=True)
            assert b"200 OK" not in got and got.count(b"HTTP/1.1 ") <= 1, (line, got)
        for line in (b"GET /healthz\x00 HTTP/1.1\r\nHost: localhost\r\n", b"GET /api/v1/\x00/../ HTTP/1.1\r\nHost: localhost\r\n",
                     b"GET  /healthz HTTP/1.1\r\nHost: localhost\r\n",
                     b"GET /healthz HTTP/1.1\r\n", b"GET /healthz HTTP/1.1\r\nX: y\r\n", b"POST /healthz HTTP/1.1\r\nContent-Length: 2\r\n"):
            got = raw(s, line + b"\r\n" + inner, ends=True)
            assert got.startswith(b"HTTP/1.1 400 ") and got.count(b"HTTP/1.1 ") == 1, (line, got)
        slow = s.connect()  # its Host is still to come when another request has none
        slow.connect()
        slow.sock.sendall(b"GET /healthz HTTP/1.1\r\n")
        for _ in range(8):
            assert raw(s, b"GET /healthz HTTP/1.1\r\n\r\n", ends=True).count(b"HTTP/1.1 400 ") == 1
        slow.sock.sendall(b"Host: localhost\r\n\r\n")
        assert slow.sock.recv(1000).startswith(b"HTTP/1.1 200 OK")
        slow.close()
        assert raw(s, start + b"Content-Length: 2\r\n\r\n{}" + inner, 1).count(b"HTTP/1.1 200 OK") == 2


@test
def many_parameters(world):
    """More parameters than are read are refused at once, and so are addresses and headers that are too long."""
    with Server(world) as s:
        head = b" HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + s.token.encode() + b"\r\n"
        for n in (257, 300, 1500):
            got = raw(s, b"GET /api/v1/runs?" + b"&".join(b"a=%d" % i for i in range(n)) + head + b"Connection: close\r\n\r\n", 30, ends=True)
            assert got.startswith(b"HTTP/1.1 400 ") and b"more than 128 parameters" in got, (n, got)
        for data in (b"GET /api/v1/runs?" + b"a" * 20000 + head, b"GET /healthz" + head + b"".join(b"X%d: y\r\n" % i for i in range(3000))):
            got = raw(s, data + b"\r\n", 30, ends=True)
            assert got.startswith(b"HTTP/1.1 4") and got.count(b"HTTP/1.1 ") == 1, got[:200]
        assert s.get("/healthz", token=None).status == 200


@test
def health_says_nothing_else(world):
    """/healthz says whether, to anybody: no notes, no version, no cookie."""
    with Server(world) as s:
        healthy = s.get("/healthz", token=None)
        assert healthy.status == 200 and healthy.body == b"ok\n", healthy.body
        assert not {"Stint-Notes", "Server", "Set-Cookie"} & set(healthy.headers), healthy.headers


@test
def behind_a_proxy(world):
    """A proxy that is named may say who asks, and that it has TLS; nobody else may."""
    with Server(world, "--proxy", "127.0.0.1") as s:
        forwarded = {"X-Forwarded-Proto": "https"}
        assert "; Secure" in sign_in(s, headers=forwarded)[0].headers["Set-Cookie"]
        assert "; Secure" not in sign_in(s)[0].headers["Set-Cookie"]
        for _ in range(12):  # of one client behind it: the last address is the proxy's own word
            wrong = s.get("/api/v1/runs", token="wrong", headers={"X-Forwarded-For": "198.51.100.1, 192.0.2.7"})
        assert wrong.status == 429, wrong.status
        assert s.get("/api/v1/runs", token="wrong", headers={"X-Forwarded-For": "192.0.2.7, 192.0.2.8"}).status == 401
    assert world.end(world.start(STINT, "token", "remove", "tests")).status == 0
    with Server(world) as s:
        assert "; Secure" not in sign_in(s, headers={"X-Forwarded-Proto": "https"})[0].headers["Set-Cookie"]
        for i in range(12):
            wrong = s.get("/api/v1/runs", token="wrong", headers={"X-Forwarded-For": "192.0.2.%d" % i})
        assert wrong.status == 429, wrong.status


@test
def places_on_the_server(world):
    """Errors do not say where the catalog of the server is."""
    catalog = world.path("facts")
    os.mkdir(catalog)
    with open(catalog + "/offers.csv", "w") as f:
        f.write("provider,nonsense\n1,2\n")
    with Server(world, env={"STINT_CATALOG": catalog}) as s:
        bad = s.get("/api/v1/price.list")
        assert bad.status >= 400 and world.dir not in bad.text() and "offers.csv" in bad.text(), bad.body
        shutil.rmtree(catalog)
        gone = s.get("/api/v1/gpu.list")
        assert gone.status >= 400 and world.dir not in gone.text(), gone.body


@test
def places_in_answers(world):
    """No answer says where the files of the server are."""
    with Server(world) as s:
        paths = json.loads(s.get("/api/v1/openapi.json").body)["paths"]
        names = [path for path in paths if "{" not in path]
        assert "/api/v1/catalog.list" in names and "/api/v1/price.doctor" in names, names
        for path in names:
            if path not in ("/api/v1/token.remove", "/api/v1/alert.send"):
                answer = s.post(path, {})
                assert world.dir not in answer.text() + str(answer.headers), (path, answer.body)


@test
def clients_that_go_away(world):
    """A client that ends its connection while its answer is made, or is being sent, takes nothing with it."""
    with Server(world) as s:
        host, port = s.host.rsplit(":", 1)
        head = b" HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + s.token.encode() + b"\r\n"
        for n in range(300):
            with socket.create_connection((host, int(port)), timeout=5) as c:
                if n % 3 == 0:
                    c.sendall(b"POST /api/v1/runs" + head + b"Content-Length: 2\r\n\r\n{}")
                elif n % 3 == 1:
                    c.sendall(b"POST /api/v1/agents/records" + head + b"Content-Length: 3\r\n\r\nabc")
                else:
                    c.sendall(b"GET /events" + head + b"\r\n")
                if n % 2 == 0:
                    c.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        assert s.get("/api/v1/runs").status == 200


@test
def slow_clients_are_cut_off(world):
    """A client that sends a byte now and then is cut off; others are answered meanwhile."""
    with Server(world) as s:
        host, port = s.host.rsplit(":", 1)
        slow = [socket.create_connection((host, int(port))) for _ in range(100)]
        begun, cut = time.monotonic(), set()
        for c in slow:
            c.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n")
        while len(cut) < len(slow) and time.monotonic() < begun + 40:
            assert s.get("/healthz").status == 200
            for c in slow:
                if c in cut:
                    continue
                try:
                    c.sendall(b"X")
                except OSError:
                    cut.add(c)
            time.sleep(0.5)
        for c in slow:
            c.close()
        assert len(cut) == len(slow), "%d of %d were cut off" % (len(cut), len(slow))


@test
def broken_requests(world):
    """What is no HTTP ends the connection and nothing else."""
    with Server(world) as s:
        for data in (b"\x16\x03\x01\x02\x00", b"GET\r\n\r\n", b"\r\n\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", os.urandom(512),
                     b"GET /" + b"a" * 60000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
                     b"POST /api/v1/runs HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\n",
                     b"POST /api/v1/runs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nContent-Length: 50\r\n\r\nhello"):
            raw(s, data, 1)
        assert s.get("/healthz").status == 200


@test
def addresses_that_others_reach(world):
    """Without TLS only this machine is served, unless it is asked for."""
    refused = world.end(world.start(STINT, "serve", "--listen", "0.0.0.0:0"))
    assert refused.status == 2 and b"--certificate" in refused.err, refused


main()
