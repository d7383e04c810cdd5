"""A server that is being tested: `with Server(ledger) as s: s.get("/api/v1/runs")`."""
import http.client
import json
import os
import re
import signal
import ssl
import sys
from urllib.parse import quote

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "run"))
from harness import STINT  # noqa: E402


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    def json(self):
        return json.loads(self.body)

    def text(self):
        return self.body.decode()


class Server:
    """`stint serve` in a world of harness.py, on a free port of this machine. `token`: one of scope admin, made before;
    `link`: signs in once."""

    def __init__(self, world, *options, env=None, listen="127.0.0.1:0"):
        self.world, self.env = world, {**world.env, **(env or {})}
        self.command = [STINT, "serve", "--listen", listen, *options]
        self.token = self.make_token("tests", "--scope", "admin")

    def make_token(self, name, *options):
        made = self.world.end(self.world.start(STINT, "token", "add", name, "--json", *options, env=self.env))
        assert made.status == 0, made
        return json.loads(made.out)["secret"]

    def __enter__(self):
        self.process = self.world.start(*self.command, env=self.env)
        self.seen = b""
        for line in self.process.stderr:
            self.seen += line
            at = re.search(rb"sign in once, within 5 minutes: (\S+)", line)
            if at:
                self.link = at[1].decode()
                break
        else:
            raise AssertionError(f"the server did not start: {self.seen}")
        self.base = self.link.split("/sign-in")[0]
        self.host = self.base.split("//")[1]
        return self

    def __exit__(self, *what):
        self.status = self.stop()

    def stop(self, how=signal.SIGTERM):
        if self.process.poll() is None:
            self.process.send_signal(how)
        self.ended = self.world.end(self.process)
        return self.ended.status

    def connect(self, timeout=60):
        """A connection of its own; with TLS, whoever signed the certificate."""
        if self.base.startswith("https:"):
            return http.client.HTTPSConnection(self.host, timeout=timeout, context=ssl._create_unverified_context())
        return http.client.HTTPConnection(self.host, timeout=timeout)

    def ask(self, method, path, body=None, headers=None, token=True, timeout=60):
        """One request on a connection of its own. `token`: True for ours, None for none, or another."""
        all_headers = dict(headers or {})
        if token:
            all_headers["Authorization"] = "Bearer " + (self.token if token is True else token)
        connection = self.connect(timeout)
        try:
            connection.request(method, path, body, all_headers)
            reply = connection.getresponse()
            return Answer(reply.status, dict(reply.getheaders()), reply.read())
        finally:
            connection.close()

    def get(self, path, **how):
        return self.ask("GET", path, **how)

    def post(self, path, body, **how):
        if not isinstance(body, (str, bytes)):
            body = json.dumps(body)
        return self.ask("POST", path, body=body, **how)


def sign_in(server, secret=None, to="", headers=None):
    """The answer to the form of the sign-in page, and the cookie."""
    body = "with=" + (secret or server.token) + ("&to=" + quote(to, safe="") if to else "")
    answer = server.ask("POST", "/sign-in", body=body, token=None,
                        headers={"Content-Type": "application/x-www-form-urlencoded", "Origin": server.base, **(headers or {})})
    return answer, answer.headers.get("Set-Cookie", "").split(";")[0]
