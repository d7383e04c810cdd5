#!/usr/bin/python3
"""How it runs: TLS and renewed certificates, the log, sockets and notices of systemd."""
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import warnings

from serving import STINT, Server
from harness import Skip, main, read, test, wait_for


def make_certificate(world, name="server", kind=("ec", "-pkeyopt", "ec_paramgen_curve:prime256v1")):
    """A certificate that signs itself, and its key: names of files."""
    if not shutil.which("openssl"):
        raise Skip("there is no openssl")
    certificate, key = world.path(name + ".pem"), world.path(name + ".key")
    made = world.end(world.start("openssl", "req", "-x509", "-newkey", *kind, "-nodes",
                                 "-keyout", key, "-out", certificate, "-days", "2", "-subj", "/CN=" + name))
    assert made.status == 0, made
    os.chmod(key, 0o600)
    return certificate, key


def subject(server):
    """Who the certificate of a new connection is for."""
    host, port = server.host.rsplit(":", 1)
    pem = ssl.get_server_certificate((host, int(port)))
    shown = subprocess.run(["openssl", "x509", "-noout", "-subject"], input=pem.encode(), capture_output=True, check=True)
    return shown.stdout.decode().strip().rsplit("= ", 1)[-1]


def shakes_hands(server, version):
    """Whether a client that knows only this version of TLS gets in."""
    host, port = server.host.rsplit(":", 1)
    context = ssl._create_unverified_context()
    context.minimum_version = context.maximum_version = version
    if version < ssl.TLSVersion.TLSv1_2:
        context.set_ciphers("ALL:@SECLEVEL=0")
    try:
        with socket.create_connection((host, int(port)), timeout=30) as plain, context.wrap_socket(plain) as s:
            return s.version() is not None
    except (ssl.SSLError, ConnectionError):
        return False


@test
def tls(world):
    """TLS 1.2 and 1.3, nothing older; browsers are told to stay with it."""
    certificate, key = make_certificate(world)
    with Server(world, "--certificate", certificate, "--key", key) as s:
        assert s.base.startswith("https://"), s.base
        answer = s.get("/api/v1/runs")
        assert answer.status == 200 and answer.headers["Strict-Transport-Security"] == "max-age=31536000", answer.headers
        assert s.get("/api/v1/runs", token=None).status == 401
        signed_in = s.ask("POST", "/sign-in", body="with=" + s.token, token=None,
                          headers={"Content-Type": "application/x-www-form-urlencoded", "Origin": s.base})
        assert "; Secure" in signed_in.headers["Set-Cookie"] and "HttpOnly" in signed_in.headers["Set-Cookie"], signed_in.headers
        assert shakes_hands(s, ssl.TLSVersion.TLSv1_2) and shakes_hands(s, ssl.TLSVersion.TLSv1_3)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert not shakes_hands(s, ssl.TLSVersion.TLSv1_1)
            assert not shakes_hands(s, ssl.TLSVersion.TLSv1)
        host, port = s.host.rsplit(":", 1)
        with socket.create_connection((host, int(port)), timeout=30) as plain:  # no TLS: no answer
            plain.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
            try:
                assert b"200" not in plain.recv(1000)
            except ConnectionError:
                pass
    assert s.status == 0


@test
def old_ciphers(world):
    """With TLS 1.2 nothing with CBC, and no key that the certificate's own RSA key has carried."""
    certificate, key = make_certificate(world, kind=("rsa:2048",))
    with Server(world, "--certificate", certificate, "--key", key) as s:
        host, port = s.host.rsplit(":", 1)
        taken = []
        for cipher in ssl._create_unverified_context().get_ciphers() + [{"name": n} for n in ("AES128-SHA", "AES128-GCM-SHA256", "ECDHE-RSA-AES128-SHA")]:
            context = ssl._create_unverified_context()
            context.maximum_version = ssl.TLSVersion.TLSv1_2
            try:
                context.set_ciphers(cipher["name"] + ":@SECLEVEL=0")
                with socket.create_connection((host, int(port)), timeout=30) as plain, context.wrap_socket(plain) as c:
                    taken.append(c.cipher()[0])
            except (ssl.SSLError, ConnectionError):
                pass
        assert taken and all(name.startswith("ECDHE-") and ("GCM" in name or "CHACHA20" in name) for name in taken), taken


@test
def a_renewed_certificate(world):
    """SIGHUP reads a renewed certificate; connections that are open stay open; a wrong one changes nothing."""
    certificate, key = make_certificate(world)
    with Server(world, "--certificate", certificate, "--key", key) as s:
        assert subject(s) == "server"
        held = s.connect()
        held.request("GET", "/healthz")
        assert held.getresponse().read() == b"ok\n"
        new_certificate, new_key = make_certificate(world, "renewed")
        shutil.copy(new_key, key)
        s.process.send_signal(signal.SIGHUP)  # the new key with the old certificate
        line = wait_for("a warning", s.process.stderr.readline)
        assert b"stays as it was: --key: this is not the key of the certificate" in line, line
        assert subject(s) == "server"
        shutil.copy(new_certificate, certificate)
        s.process.send_signal(signal.SIGHUP)
        line = wait_for("a note", s.process.stderr.readline)
        assert b"new connections use" in line, line
        assert subject(s) == "renewed"
        held.request("GET", "/healthz")
        assert held.getresponse().read() == b"ok\n"
        held.close()


@test
def wrong_certificates(world):
    """What is wrong with a certificate or a key is said in one line."""
    certificate, key = make_certificate(world)
    _, other = make_certificate(world, "other")
    broken = world.write("broken.pem", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n")

    def refused(*options):
        ended = world.end(world.start(STINT, "serve", "--listen", "127.0.0.1:0", *options))
        assert ended.status in (2, 3, 4), ended
        return ended.err.decode().splitlines()[0]

    assert refused("--certificate", certificate, "--key", other) == "stint: --key: this is not the key of the certificate"
    assert "not a PEM certificate" in refused("--certificate", broken, "--key", key)
    assert "not a PEM key" in refused("--certificate", certificate, "--key", world.write("no.key", "nothing", 0o600))
    assert "go together" in refused("--certificate", certificate)
    assert "go together" in refused("--key", key)
    assert "nowhere" in refused("--certificate", world.path("nowhere"), "--key", key)
    os.chmod(key, 0o644)
    server = Server(world, "--certificate", certificate, "--key", key)
    with server as s:
        assert s.get("/healthz").status == 200
    assert b"every user can read the key" in server.seen, server.seen


@test
def the_log(world):
    """--log has a line for each request: by whom, what, and how it was answered; never a token, never a query."""
    path = world.path("log")
    with Server(world, "--log", path, env={"STINT_LOG": "info"}) as s:
        secret = s.link.split("with=")[1]
        assert s.get("/api/v1/runs?limit=3").status == 200
        assert s.get("/api/v1/runs", token="stint_" + "1" * 48).status == 401
        s.get("/sign-in?with=" + secret, token=None)
        s.get("/x%0a%1b[31mforged", token=None)
    log = read(path).decode()
    assert re.search(r"Z info: 127\.0\.0\.1 tests GET /api/v1/runs 200 \d+ us\n", log), log
    assert re.search(r"Z info: 127\.0\.0\.1 - GET /api/v1/runs 401 \d+ us\n", log), log
    assert s.token not in log and secret not in log and "stint_" not in log and "limit" not in log and "\x1b" not in log, log


def answers_at(host, port):
    """Whether the server answers there; None where this machine has no such address."""
    try:
        with socket.create_connection((host, port), timeout=60) as c:
            c.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            return b" 200 " in c.recv(1000)
    except ConnectionRefusedError:
        return False
    except OSError:
        return None


@test
def every_address(world):
    """':PORT' is every address, of both kinds; the link is one that a browser on this machine can open."""
    with socket.create_server(("127.0.0.1", 0)) as s:
        port = s.getsockname()[1]
    with Server(world, "--unencrypted", listen=f":{port}") as s:
        assert s.host == f"127.0.0.1:{port}" and b"and at every other address of this machine" in s.seen, s.seen
        assert answers_at("127.0.0.1", port) and answers_at("::1", port) is not False
        taken = world.end(world.start(STINT, "serve", "--unencrypted", "--listen", f":{port}"))
        assert taken.status == 1 and b"name another port" in taken.err, taken


@test
def address_of_a_certificate(world):
    """With TLS the link has the name that the certificate is for."""
    certificate, key = make_certificate(world)
    with Server(world, "--certificate", certificate, "--key", key, "--name", "costs.test", listen="127.0.0.1:0") as s:
        assert s.base.startswith("https://costs.test:"), s.base


def launched(world, sockets, *options, env=None):
    """`stint serve` with listening sockets as systemd passes them; and the process."""
    fds = [s.fileno() for s in sockets]
    code = ("import fcntl, os, sys\nfds = [int(x) for x in sys.argv[1].split(',')]\n"
            "high = [fcntl.fcntl(fd, fcntl.F_DUPFD, 100) for fd in fds]\n"
            "for i, fd in enumerate(high): os.dup2(fd, 3 + i, inheritable=True)\n"
            "os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS=str(len(fds)))\n"
            "os.execv(sys.argv[2], sys.argv[2:])\n")
    words = [sys.executable, "-c", code, ",".join(map(str, fds)), STINT, "serve", *options]
    return world.start(*words, env=env, pass_fds=fds)


@test
def sockets_of_systemd(world):
    """Sockets that systemd has opened are served, several at once; one that others reach needs TLS."""
    first, second = socket.create_server(("127.0.0.1", 0)), socket.create_server(("127.0.0.1", 0))
    process = launched(world, [first, second])
    for s in (first, second):
        with socket.create_connection(s.getsockname(), timeout=60) as c:
            c.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            assert b" 200 " in c.recv(1000)
    process.send_signal(signal.SIGTERM)
    ended = world.end(process)
    assert ended.status == 0, ended
    public = socket.create_server(("0.0.0.0", 0))
    refused = world.end(launched(world, [public]))
    where = f"'0.0.0.0:{public.getsockname()[1]}': tokens would be sent unencrypted".encode()
    assert refused.status == 2 and where in refused.err, refused
    for s in (first, second, public):
        s.close()


@test
def notices_to_systemd(world):
    """The service manager hears when the server is ready, that it lives, and that it ends."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(world.path("notify"))
        manager.settimeout(60)
        with Server(world, env={"NOTIFY_SOCKET": world.path("notify"), "WATCHDOG_USEC": "200000"}) as s:
            assert manager.recv(100) == b"READY=1"
            assert manager.recv(100) == b"WATCHDOG=1"
            assert s.get("/healthz").status == 200
        heard = set()
        while b"STOPPING=1" not in heard:
            heard.add(manager.recv(100))
        assert heard <= {b"WATCHDOG=1", b"STOPPING=1"}, heard


@test
def nothing_accumulates(world):
    """A short soak: thousands of requests on kept and on new connections leave no files, no threads and no memory behind."""
    sanitized = b"__asan_init" in read(STINT)
    with Server(world) as s:
        def facts():
            pid = s.process.pid
            resident = int(re.search(rb"VmRSS:\s+(\d+)", read(f"/proc/{pid}/status"))[1])
            return len(os.listdir(f"/proc/{pid}/fd")), len(os.listdir(f"/proc/{pid}/task")), resident

        def ask(rounds):
            for _ in range(rounds):
                kept = s.connect()
                for path in ("/api/v1/runs?limit=10", "/metrics", "/healthz", "/", "/api/v1/nosuch") * 4:
                    kept.request("GET", path, headers={"Authorization": "Bearer " + s.token})
                    answer = kept.getresponse()
                    assert answer.read() and answer.status == (404 if path.endswith("nosuch") else 200), (path, answer.status)
                kept.close()

        ask(40)
        files, threads, memory = facts()
        ask(40)
        wait_for("connections to end", lambda: facts()[0] <= files)
        assert facts()[1] <= threads, (facts(), threads)
        assert sanitized or facts()[2] < memory + 4096, (facts(), memory)
    assert s.status == 0


@test
def it_ends_while_it_works(world):
    """SIGTERM ends the server although clients hold connections, complete and incomplete ones."""
    with Server(world) as s:
        held = s.connect()
        held.request("GET", "/healthz")
        assert held.getresponse().read() == b"ok\n"
        host, port = s.host.rsplit(":", 1)
        with socket.create_connection((host, int(port))) as slow:
            slow.sendall(b"GET /healthz HTTP/1.1\r\nHost:")
            assert s.stop() == 0, s.ended
        held.close()


@test
def units_of_systemd(world):
    """The units are valid, and their sandbox is rated 2.0 or better."""
    folder = os.path.join(os.path.dirname(STINT), "systemd")
    if not shutil.which("systemd-analyze") or not os.path.isdir(folder):
        raise Skip("there is no systemd-analyze")
    source = os.path.join(os.path.dirname(__file__), "..", "..", "systemd")
    world.write("stint.socket", read(os.path.join(source, "stint.socket")).decode())
    for unit in ("stint.service", "stint-budget-check.service"):
        text = read(os.path.join(folder, unit)).decode()
        path = world.write(unit, re.sub(r"(?m)^(ExecStart=)\S+", r"\g<1>" + STINT, text))
        rated = world.end(world.start("systemd-analyze", "security", "--offline=true", "--threshold=20", "--no-pager", path))
        assert rated.status == 0, rated.out.decode()[-2000:]
        valid = world.end(world.start("systemd-analyze", "verify", "--man=no", path))
        about_us = [line for line in valid.err.decode().splitlines() if unit in line and ("Failed" in line or "Unknown" in line)]
        assert not about_us, about_us


main()
