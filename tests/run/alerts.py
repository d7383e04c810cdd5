#!/usr/bin/python3
"""Alerts and budgets with real receivers on this machine: every kind of message, servers that fail, senders that are killed."""
import base64
import datetime
import email
import hashlib
import hmac
import http.server
import json
import os
import shutil
import signal
import socketserver
import ssl
import subprocess
import threading
import time

from harness import STINT, Skip, main, read, test, wait_for

SECRET = "TOKEN-that-must-not-appear-0123456789"
KEY = "KEY-that-must-not-appear-9876543210"
DAY = "2026-11-15T10:00:00Z"


class Quiet:
    """A server that does not log clients that disconnect."""
    daemon_threads = True

    def handle_error(self, request, client_address):
        pass


class WebServer(Quiet, http.server.ThreadingHTTPServer):
    pass


class MailServer(Quiet, socketserver.ThreadingTCPServer):
    pass


class Receiver:
    """A web server that keeps what it gets, and answers with `answers`: a status, (status, headers), or an event to wait for."""

    def __init__(self):
        self.got, self.answers, self.lock = [], [], threading.Lock()
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                with outer.lock:
                    outer.got.append((self.path, dict(self.headers), body))
                    answer = outer.answers.pop(0) if outer.answers else 200
                if isinstance(answer, threading.Event):
                    answer.wait(60)
                    return
                status, headers = answer if isinstance(answer, tuple) else (answer, {})
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                text = b"" if status == 204 else f"rejected {SECRET}".encode()
                if status != 204:
                    self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            def log_message(self, *_):
                pass

        self.server = WebServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"

    def json(self, which=-1):
        return json.loads(self.got[which][2])


class Mailbox:
    """A mail server: AUTH, and STARTTLS when it has a certificate. `refuse` is its answer to RCPT."""

    def __init__(self, certificate=None, refuse=None):
        self.mails, self.logins, self.safe = [], [], []
        outer = self

        class Handler(socketserver.StreamRequestHandler):
            def say(self, text):
                self.wfile.write(text.encode() + b"\r\n")

            def data(self):
                self.say("354 go on")
                lines = []
                while (line := self.rfile.readline()) not in (b".\r\n", b""):
                    lines.append(line[1:] if line.startswith(b"..") else line)
                outer.mails.append(b"".join(lines))
                self.say("250 kept")

            def handle(self):
                safe = False
                self.say("220 here")
                while line := self.rfile.readline():
                    word = line.strip().decode().upper()
                    if word.startswith("EHLO"):
                        more = ["STARTTLS"] if certificate and not safe else []
                        for each in ["here", "AUTH PLAIN", *more][:-1]:
                            self.say("250-" + each)
                        self.say("250 " + ["here", "AUTH PLAIN", *more][-1])
                    elif word == "STARTTLS" and certificate:
                        self.say("220 now")
                        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
                        context.load_cert_chain(*certificate)
                        self.connection = context.wrap_socket(self.connection, server_side=True)
                        self.rfile, self.wfile = self.connection.makefile("rb"), self.connection.makefile("wb", 0)
                        safe = True
                    elif word.startswith("AUTH PLAIN"):
                        given = line.split()[2] if len(line.split()) > 2 else None
                        if given is None:
                            self.say("334 ")
                            given = self.rfile.readline().strip()
                        outer.logins.append(base64.b64decode(given))
                        self.say("235 yes" if KEY.encode() in outer.logins[-1] else f"535 no {KEY}x")
                    elif word.startswith("RCPT") and refuse:
                        self.say(refuse)
                    elif word.startswith("DATA"):
                        outer.safe.append(safe)
                        self.data()
                    elif word.startswith("QUIT"):
                        self.say("221 bye")
                        return
                    else:
                        self.say("250 ok")

        self.server = MailServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.port = self.server.server_address[1]


def stint(w, *words, now=DAY, ok=0, env=None):
    """Run a stint command; what it printed. No secret is in the output or in any file of this world."""
    ended = w.end(w.start(STINT, *words, env={"STINT_NOW": now, "ALERT_URL": "", "STINT_LOG": "debug", **(env or {})}))
    assert ended.status == ok, (words, ended)
    for secret in (SECRET, KEY):
        assert secret.encode() not in ended.out + ended.err, (words, ended)
        for folder, _, names in os.walk(w.dir):
            for name in names:
                if not name.endswith(".secret"):
                    assert secret.encode() not in read(os.path.join(folder, name)), name
    return ended.out.decode()


def add(w, r, name, kind, *more, path="/" + SECRET, ok=0):
    """A channel whose address is in a file."""
    w.write(f"{name}.secret", r.url + path + "\n", 0o600)
    return stint(w, "alert", "add", name, kind, "--url-file", f"{name}.secret", *more, ok=ok)


def spend(w, amount, now=DAY, tag="team=nlp"):
    ended = w.end(w.start(STINT, "run", "--no-gpu", "--quiet", "--price", "$1/hr", "--extra", f"x=${amount}", "--tag", tag, "--", "true",
                          env={"STINT_NOW": now}))
    assert ended.status == 0, ended


@test
def every_kind_is_notified(w):
    """Every kind of receiver is notified of a budget alert, when it gets worse, and when it ends"""
    r, mail = Receiver(), Mailbox()
    w.write("key.secret", KEY, 0o600)
    for kind in ("slack", "discord", "teams"):
        add(w, r, kind, kind, path=f"/{kind}/{SECRET}")
    add(w, r, "ntfy", "ntfy", path=f"/ntfy/{SECRET}")
    stint(w, "alert", "add", "pager", "pagerduty", "--url", r.url + "/pager", "--key-file", "key.secret")
    stint(w, "alert", "add", "hook", "webhook", "--url", r.url + "/hook", "--key-file", "key.secret")
    stint(w, "alert", "add", "am", "alertmanager", "--url", r.url)
    stint(w, "alert", "add", "mail", "email", "--url", f"smtp://127.0.0.1:{mail.port}", "--from", "stint@example.org",
          "--to", "a@example.org,b@example.org", "--user", "me", "--key-file", "key.secret")
    names = "slack,discord,teams,ntfy,pager,hook,am,mail"
    stint(w, "budget", "set", "nlp", "100usd", "--where", "team=nlp", "--alert", names, "--forecast", "none")
    spend(w, 60)
    assert "sent 8 messages" in stint(w, "budget", "check")
    assert "sent" not in stint(w, "budget", "check"), "once"
    got = {path.split("/")[1]: (headers, body) for path, headers, body in r.got}
    assert set(got) == {"slack", "discord", "teams", "ntfy", "pager", "hook", "api"}, set(got)
    hook = json.loads(got["hook"][1])
    assert hook["status"] == "firing" and hook["budget"]["threshold_pct"] == 50 and hook["scope"] == {"team": "nlp"}, hook
    signed = hmac.new(KEY.encode(), got["hook"][0]["X-Stint-Timestamp"].encode() + b"." + got["hook"][1], hashlib.sha256)
    assert got["hook"][0]["X-Signature-256"] == "sha256=" + signed.hexdigest()
    assert json.loads(got["pager"][1])["routing_key"] == KEY
    assert json.loads(got["ntfy"][1])["topic"] == SECRET
    assert json.loads(got["api"][1])[0]["labels"]["team"] == "nlp"
    assert mail.logins == [b"\0me\0" + KEY.encode()] and b"Subject: [info] Budget nlp: 60 % spent" in mail.mails[0], mail.mails
    r.got.clear()
    spend(w, 45)
    assert "sent 8 messages" in stint(w, "budget", "check")
    first = mail.mails[0].split(b"Message-ID: ")[1].split(b"\r\n")[0]
    assert b"In-Reply-To: " + first in mail.mails[1]
    r.got.clear()
    stint(w, "alert", "ack", "1")
    assert sorted(path for path, _, _ in r.got) == ["/hook", "/pager"]
    assert {json.loads(body).get("event_action") for _, _, body in r.got} == {"acknowledge", None}
    r.got.clear()
    stint(w, "budget", "set", "nlp", "1000usd")
    assert "sent 8 messages" in stint(w, "budget", "check")
    assert any(json.loads(body).get("event_action") == "resolve" for path, _, body in r.got if path == "/pager")
    assert "nlp" not in stint(w, "alert", "list", "--firing")
    assert stint(w, "alert", "log", "--limit", "0").count(" sent ") == 26


@test
def outages_are_survived(w):
    """What a server does not accept is retried with increasing delays and delivered in order"""
    r = Receiver()
    add(w, r, "team", "slack")
    stint(w, "budget", "set", "all", "100usd", "--alert", "team", "--forecast", "none")
    spend(w, 60)
    r.answers = [500]
    out = stint(w, "budget", "check", ok=1)
    assert "team: not sent" in out and "next try at 2026-11-15 10:01" in out, out
    assert "sent 0" in stint(w, "alert", "send", now="2026-11-15T10:00:59Z")
    r.answers = [(429, {"Retry-After": "3600"})]
    out = stint(w, "alert", "send", now="2026-11-15T10:01:00Z", ok=1)
    assert "next try at 2026-11-15 11:01" in out, out
    spend(w, 20)  # the alert gets worse meanwhile: both are sent, in order
    stint(w, "budget", "check", now="2026-11-15T10:30:00Z")
    assert len(r.got) == 2, "nothing before the server's time"
    r.server.shutdown()
    r.server.server_close()  # an outage
    out = stint(w, "alert", "send", now="2026-11-15T11:01:00Z", ok=1)
    assert "no connection" in out and "next try at 2026-11-15 11:16" in out, out
    back = Receiver()
    w.write("team.secret", back.url + "/" + SECRET, 0o600)  # it moved
    assert "sent 2 messages" in stint(w, "alert", "send", now="2026-11-15T11:16:00Z")
    assert [json.loads(body)["text"][:9] for _, _, body in back.got] == ["[info] Bu", "[warning,"], back.got


@test
def refused_messages_are_given_up(w):
    """A refused message is given up at once, stays visible, and can be sent again"""
    r = Receiver()
    add(w, r, "team", "slack")
    stint(w, "budget", "set", "all", "100usd", "--alert", "team", "--forecast", "none")
    spend(w, 60)
    r.answers = [404]
    out = stint(w, "budget", "check", ok=1)
    assert "(404): rejected ***; given up" in out, out
    assert "given up" in stint(w, "alert", "log")
    assert "sent 0" in stint(w, "alert", "send", now="2026-11-15T12:00:00Z")
    assert "sent 1 message" in stint(w, "alert", "send", "--given-up", now="2026-11-15T12:00:00Z")


@test
def a_day_of_failure_is_enough(w):
    """After a day of tries a message is given up"""
    r = Receiver()
    add(w, r, "team", "slack")
    stint(w, "budget", "set", "all", "100usd", "--alert", "team", "--forecast", "none")
    spend(w, 60)
    r.answers = [503] * 100
    stint(w, "budget", "check", ok=1)
    tries = 1
    while tries < 100:
        row = json.loads(stint(w, "alert", "log", "--json"))["deliveries"][0]
        if row["state"] == "given up":
            break
        stint(w, "alert", "send", now=row["next"], ok=1)
        tries += 1
        last = row["next"]
    assert row["tries"] == tries == 28 and last.startswith("2026-11-16T10:21"), (row, tries, last)


@test
def a_killed_sender_loses_no_message(w):
    """A sender that is killed between taking and sending costs five minutes, and no message"""
    r = Receiver()
    add(w, r, "team", "slack")
    stint(w, "budget", "set", "all", "100usd", "--alert", "team", "--forecast", "none")
    spend(w, 60)
    hang = threading.Event()
    r.answers = [hang]
    check = w.start(STINT, "budget", "check", env={"STINT_NOW": DAY})
    wait_for("the message", lambda: r.got)
    check.send_signal(signal.SIGKILL)
    check.communicate()
    hang.set()
    assert "sending" in stint(w, "alert", "log")
    assert "sent 0" in stint(w, "alert", "send", now="2026-11-15T10:04:59Z"), "another may be at it"
    assert "sent 1 message" in stint(w, "alert", "send", now="2026-11-15T10:05:00Z")
    assert len(r.got) == 2 and r.got[0][2] == r.got[1][2], "the same message, which receivers can recognize"
    assert "sent 0" in stint(w, "alert", "send", now="2026-11-15T11:00:00Z")


@test
def many_senders_send_once(w):
    """Many senders and evaluations at once: each message goes once"""
    r = Receiver()
    add(w, r, "team", "slack")
    for i in range(10):
        stint(w, "budget", "set", f"b{i}", "100usd", "--alert", "team", "--forecast", "none")
    spend(w, 60)
    words = [("budget", "check"), ("alert", "send")] * 4
    for each in [w.start(STINT, *word, env={"STINT_NOW": DAY}) for word in words]:
        ended = w.end(each)
        assert ended.status == 0, ended
    stint(w, "alert", "send")
    titles = [json.loads(body)["text"] for _, _, body in r.got]
    assert sorted(titles) == [f"[info] Budget b{i}: 60 % spent" for i in range(10)], titles


@test
def killed_evaluations_alert_once(w):
    """Evaluations that are killed at any moment fire nothing twice and lose nothing"""
    r = Receiver()
    add(w, r, "team", "slack")
    for i in range(5):
        stint(w, "budget", "set", f"b{i}", "100usd", "--alert", "team", "--forecast", "none")
    spend(w, 60)
    for step in range(20):
        check = w.start(STINT, "budget", "check", env={"STINT_NOW": DAY, "HTTP_PROXY": ""})
        try:
            check.wait(0.002 * step)
        except subprocess.TimeoutExpired:
            check.kill()
        check.communicate()
    stint(w, "budget", "check")
    stint(w, "budget", "check", now="2026-11-15T10:06:00Z")
    titles = [json.loads(body)["text"] for _, _, body in r.got]
    assert set(titles) == {f"[info] Budget b{i}: 60 % spent" for i in range(5)}, titles
    rows = json.loads(stint(w, "alert", "log", "--json", "--limit", "0"))["deliveries"]
    assert sorted(row["alert"] for row in rows) == [1, 2, 3, 4, 5] and all(row["state"] == "sent" for row in rows), rows


@test
def quiet_hours_and_digests(w):
    """Quiet hours hold back what is not critical; a digest sends it in one message"""
    r = Receiver()
    add(w, r, "quiet", "slack", "--quiet", "09:00-12:00", path="/quiet/" + SECRET)
    add(w, r, "daily", "slack", "--digest", "daily at 18:00", path="/daily/" + SECRET)
    for name, amount in (("a", "100usd"), ("b", "100usd"), ("c", "10usd")):
        stint(w, "budget", "set", name, amount, "--alert", "quiet,daily", "--forecast", "none")
    spend(w, 60)
    assert "sent 2 messages; 4 postponed" in stint(w, "budget", "check")
    assert all("critical" in json.loads(body)["text"] for _, _, body in r.got)
    assert stint(w, "alert", "log").count("waits for the") == 4
    r.got.clear()
    assert "sent 2 messages" in stint(w, "alert", "send", now="2026-11-15T12:00:00Z")
    assert all(path.startswith("/quiet") for path, _, _ in r.got)
    r.got.clear()
    assert "sent 2 messages" in stint(w, "alert", "send", now="2026-11-15T18:00:00Z")
    assert len(r.got) == 1 and json.loads(r.got[0][2])["text"] == "[digest] 2 alerts", r.got
    assert "Budget a" in r.got[0][2].decode() and "Budget b" in r.got[0][2].decode()


@test
def digests_over_summer_time(w):
    """A digest comes once, at 09:00 of its zone, also on the days on which clocks change"""
    if not os.path.exists("/usr/share/zoneinfo/Europe/Berlin"):
        raise Skip("there are no time zones here")
    r = Receiver()
    add(w, r, "daily", "slack", "--digest", "daily at 09:00 Europe/Berlin", "--quiet", "22:00-08:30 Europe/Berlin")
    for saturday, sunday, monday, nine in (("2026-03-28", "2026-03-29", "2026-03-30", 7), ("2026-10-24", "2026-10-25", "2026-10-26", 8)):
        came = []
        stint(w, "budget", "set", "one", "100usd", "--alert", "daily", "--forecast", "none", now=f"{saturday}T09:30:00Z")
        spend(w, 60, now=f"{saturday}T10:00:00Z")
        stint(w, "budget", "check", now=f"{saturday}T10:00:00Z")
        times = [f"{saturday}T{hour:02}:00:00Z" for hour in (11, 20, 23)] + [f"{sunday}T{hour:02}:00:00Z" for hour in range(0, nine)]
        times += [f"{sunday}T{nine - 1:02}:59:59Z", f"{sunday}T{nine:02}:00:00Z", f"{sunday}T{nine:02}:00:01Z", f"{sunday}T{nine + 1:02}:00:00Z"]
        times += [f"{monday}T{nine:02}:00:00Z"]
        for now in times:
            r.got.clear()
            stint(w, "alert", "send", now=now)
            came += [now] * len(r.got)
        assert came == [f"{sunday}T{nine:02}:00:00Z"], came
        stint(w, "budget", "remove", "one", now=f"{monday}T12:00:00Z")
        assert "sent 1 message" in stint(w, "alert", "send", now=f"{monday[:8]}{int(monday[8:]) + 1}T{nine:02}:00:00Z"), "that it is over"


@test
def critical_alerts_do_not_wait(w):
    """An alert that becomes critical while its message is postponed is sent at once"""
    r = Receiver()
    add(w, r, "quiet", "slack", "--quiet", "09:00-12:00", path="/quiet/" + SECRET)
    add(w, r, "daily", "slack", "--digest", "daily at 18:00", path="/daily/" + SECRET)
    add(w, r, "never", "slack", "--quiet", "09:00-12:00", "--quiet-all", path="/never/" + SECRET)
    stint(w, "budget", "set", "a", "100usd", "--alert", "quiet,daily,never", "--forecast", "none")
    spend(w, 60)
    assert "3 postponed" in stint(w, "budget", "check")
    spend(w, 20)
    assert "3 postponed" in stint(w, "budget", "check", now="2026-11-15T10:10:00Z") and not r.got
    spend(w, 30)
    assert "sent 2 messages; 1 postponed" in stint(w, "budget", "check", now="2026-11-15T10:20:00Z")
    assert sorted((path[:6], json.loads(body)["text"][:10]) for path, _, body in r.got) == [
        ("/daily", "[critical]"), ("/quiet", "[critical]")], r.got
    assert "sent 1 message" in stint(w, "alert", "send", now="2026-11-15T12:00:00Z")
    assert "sent 0" in stint(w, "alert", "send", now="2026-11-15T18:00:00Z"), "the digest has nothing left"


@test
def anomaly_alerts_have_figures(w):
    """An anomaly alert has the expected and the actual amount as facts, next to its text"""
    r = Receiver()
    stint(w, "alert", "add", "hook", "webhook", "--url", r.url + "/hook")
    first, lines = datetime.date(2026, 8, 1), []
    for i in range(106):
        day = first + datetime.timedelta(i)
        month, after = day.replace(day=1), (day.replace(day=1) + datetime.timedelta(32)).replace(day=1)
        cost = 900 if i >= 104 else 100 + i % 7
        lines.append(f"1,{month}T00:00:00Z,{after}T00:00:00Z,{day}T00:00:00Z,{day + datetime.timedelta(1)}T00:00:00Z,Usage,"
                     f"{cost},{cost},{cost},{cost},USD,AWS,EC2,Compute,x")
    w.write("bill.csv", "BillingAccountId,BillingPeriodStart,BillingPeriodEnd,ChargePeriodStart,ChargePeriodEnd,ChargeCategory,BilledCost,"
                        "EffectiveCost,ListCost,ContractedCost,BillingCurrency,ProviderName,ServiceName,ServiceCategory,ChargeDescription\n"
                        + "\n".join(lines) + "\n")
    stint(w, "import", w.path("bill.csv"))
    stint(w, "anomalies", "--by", "service", "--alert", "hook")
    sent = r.json()
    assert sent["type"] == "anomaly" and sent["status"] == "firing", sent
    assert [fact["name"] for fact in sent["facts"]] == ["Expected", "Spent"], sent
    assert sent["facts"][1]["value"].replace(",", "").startswith("$1800"), sent


@test
def mail_over_tls(w):
    """Mail is sent with STARTTLS to a server with a trusted certificate, and to no other"""
    if shutil.which("openssl") is None:
        raise Skip("there is no openssl to make a certificate")
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
                    "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", w.path("tls.secret"), "-out", w.path("tls.crt")],
                   check=True, capture_output=True)
    mail = Mailbox((w.path("tls.crt"), w.path("tls.secret")))
    w.write("key.secret", KEY, 0o600)
    how = ("--url", f"smtp://127.0.0.1:{mail.port}", "--from", "stint@example.org", "--to", "a@example.org", "--user", "me",
           "--key-file", "key.secret")
    stint(w, "alert", "add", "mail", "email", *how, "--ca", "tls.crt")
    assert "accepted it" in stint(w, "alert", "test", "mail")
    assert mail.safe == [True] and b"A test of Stint" in mail.mails[0]
    stint(w, "alert", "add", "mail", "email", *how)
    stint(w, "alert", "test", "mail", ok=1)
    assert len(mail.mails) == 1 and len(mail.logins) == 1, "no password for a stranger"
    for variable in "SSL_CERT_FILE", "CURL_CA_BUNDLE":
        w.env[variable] = w.path("tls.crt")
        assert "accepted it" in stint(w, "alert", "test", "mail"), variable
        w.env[variable] = w.path("absent.crt")
        stint(w, "alert", "test", "mail", ok=1)
        del w.env[variable]
    assert mail.safe == [True] * 3, mail.safe


@test
def mail_is_refused(w):
    """A mail server's refusal is reported, without the password"""
    mail, w.env["STINT_LOG"] = Mailbox(refuse="550 no such box"), "debug"
    how = ("--url", f"smtp://127.0.0.1:{mail.port}", "--from", "stint@example.org", "--to", "a@example.org")
    stint(w, "alert", "add", "mail", "email", *how)
    ended = w.end(w.start(STINT, "alert", "test", "mail"))
    assert ended.status == 1 and b"550 no such box" in ended.err, ended
    wrong = Mailbox()
    w.write("key.secret", "another-key-0123", 0o600)
    stint(w, "alert", "add", "mail", "email", "--url", f"smtp://127.0.0.1:{wrong.port}", "--from", "stint@example.org",
          "--to", "a@example.org", "--user", "me", "--key-file", "key.secret")
    ended = w.end(w.start(STINT, "alert", "test", "mail"))
    assert ended.status == 1 and b"535" in ended.err and not wrong.mails, ended


@test
def a_report_is_mailed(w):
    """A month's report is mailed: its main points, where it is, its page and pictures; a refusal fails the command"""
    mail = Mailbox()
    stint(w, "alert", "add", "money", "email", "--url", f"smtp://127.0.0.1:{mail.port}", "--from", "stint@example.org", "--to", "cfo@example.org")
    spend(w, 12, tag="team=nlp")
    assert "sent to money" in stint(w, "report", "--month", "2026-11", "--mail", "CFO@example.org", "-o", "out")
    assert len(mail.mails) == 1 and b"Report of month November 2026" in mail.mails[0] and b"Spend: $12.00" in mail.mails[0], mail.mails
    letter = email.message_from_bytes(mail.mails[0])
    assert letter.get_content_type() == "multipart/mixed" and not letter.defects, letter
    text, *files = letter.get_payload()
    assert text.get_content_type() == "text/plain" and b"Report of month November 2026" in text.get_payload(decode=True)
    assert files and files[0].get_filename() == "report.html" and files[0].get_content_type() == "text/html", files
    for file in files:
        assert file.get_payload(decode=True) == read(os.path.join(w.dir, "out", file.get_filename())), file.get_filename()
    assert {file.get_filename() for file in files} == {name for name in os.listdir(os.path.join(w.dir, "out")) if name.endswith((".html", ".png"))}
    assert all(len(line) <= 78 for line in mail.mails[0].split(b"\r\n\r\n", 1)[1].split(b"\r\n"))
    stint(w, "report", "--month", "2026-11", "--mail", "ceo@example.org", "-o", "out", ok=4)
    refusing = Mailbox(refuse="550 no such box")
    stint(w, "alert", "add", "money", "email", "--url", f"smtp://127.0.0.1:{refusing.port}", "--from", "stint@example.org", "--to", "cfo@example.org")
    stint(w, "report", "--month", "2026-11", "--send", "money", "-o", "out", ok=1)


@test
def a_mail_server_elsewhere_needs_tls(w):
    """Nothing is sent to another machine without TLS, and no password"""
    w.write("key.secret", KEY, 0o600)
    for url in ("smtp://user:secret@example.org", "http://example.org"):
        ended = w.end(w.start(STINT, "alert", "add", "m", "email", "--url", url, "--from", "a@b", "--to", "c@d"))
        assert ended.status == 2 and b"secret" not in ended.err, ended


@test
def a_run_keeps_to_a_budget(w):
    """A run is stopped before a budget that covers it is spent, and does not start when it is"""
    def run(*words):
        return w.end(w.start(STINT, "run", "--no-gpu", "--price", "$36/hr", *words))

    def budget(*words):
        ended = w.end(w.start(STINT, "budget", "set", *words))
        assert ended.status == 0, ended

    budget("nlp", "0.04usd", "--where", "team=nlp", "--stop")
    budget("vision", "0.001usd", "--where", "team=vision", "--stop")
    budget("alerts", "0.001usd")  # alerts, but stops nothing
    ended = run("--tag", "team=nlp", "--", "sleep", "60")
    assert ended.status == 5 and b"the budget 'nlp' is reached" in ended.err, ended
    assert w.attempt()["reason"] == "month" and w.attempt()["cost_nano"] <= 40_000_000, tuple(w.attempt())
    ended = run("--tag", "team=nlp", "--extra", "x=$1", "--", "true")
    budget("nlp", "0.001usd")
    ended = run("--tag", "team=nlp", "--", "touch", w.path("ran"))
    assert ended.status == 5 and b"the budget 'nlp' is spent" in ended.err and not os.path.exists(w.path("ran")), ended
    ended = run("--tag", "team=other", "--", "touch", w.path("ran"))
    assert ended.status == 0 and os.path.exists(w.path("ran")), ended


@test
def a_run_sends_its_events(w):
    """Cost and idleness of a run reach a channel once each, and end with it; a receiver that hangs holds nothing up"""
    r = Receiver()
    add(w, r, "team", "webhook")
    began = time.monotonic()
    ended = w.end(w.start(STINT, "run", "--no-gpu", "--name", "job", "--price", "$36/hr", "--budget", "0.05usd", "--grace", "1s", "--every", "200ms",
                          "--alert", "team", "--", "sleep", "60"))
    assert ended.status == 5 and time.monotonic() - began < 30, ended
    wait_for("the end", lambda: any(json.loads(body)["status"] == "resolved" for _, _, body in r.got))
    got = [json.loads(body) for _, _, body in r.got]
    fired = [m["title"] for m in got if m["status"] == "firing"]
    assert len(fired) == len(set(fired)) and any("% of the budget is spent" in title or "50 %" in title for title in fired), got
    assert all(title.startswith("job: ") for title in fired) and all(m["type"] == "run_event" for m in got), got
    assert "resolved" in stint(w, "alert", "list") and "warning" not in stint(w, "alert", "list", "--firing")
    # Only what was asked for.
    count = len(r.got)
    ended = w.end(w.start(STINT, "run", "--no-gpu", "--price", "$36/hr", "--budget", "0.03usd", "--grace", "1s", "--every", "200ms", "--alert", "team",
                          "--alert-on", "idle", "--", "sleep", "60"))
    assert ended.status == 5 and len(r.got) == count, (ended, r.got)
    # A receiver that does not answer.
    hang = threading.Event()
    r.answers = [hang] * 20
    began = time.monotonic()
    ended = w.end(w.start(STINT, "run", "--no-gpu", "--price", "$36/hr", "--budget", "1usd", "--idle", "1s", "--idle-do", "warn", "--every", "200ms",
                          "--alert", "team", "--", "sleep", "4"))
    hang.set()
    cost = w.ask("SELECT * FROM attempts WHERE state = 'done'")[0]["cost_nano"]
    assert ended.status == 0 and 40_000_000 <= cost < 55_000_000 and time.monotonic() - began < 30, (ended, cost)
    for words, hint in ((("--alert", "absent"), b"no channel 'absent'"), (("--alert", "team", "--alert-on", "x"), b"not a kind of event"),
                        (("--alert-on", "idle"), b"needs channels")):
        ended = w.end(w.start(STINT, "run", "--no-gpu", *words, "--", "touch", w.path("ran")))
        assert ended.status != 0 and hint in ended.err and not os.path.exists(w.path("ran")), ended


@test
def others_spend_meanwhile(w):
    """What others spend of a budget while a run lasts stops it, too"""
    ended = w.end(w.start(STINT, "budget", "set", "nlp", "0.5usd", "--where", "team=nlp", "--stop"))
    assert ended.status == 0, ended
    long = w.start(STINT, "run", "--no-gpu", "--price", "$6/hr", "--every", "200ms", "--tag", "team=nlp", "--", "sleep", "600")
    wait_for("the run", lambda: w.ask("SELECT * FROM attempts WHERE cost_nano > 0"))
    start, end = (time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - ago)) for ago in (2, 1))
    added = w.end(w.start(STINT, "runs", "add", "--name", "elsewhere", "--cost", "5usd", "--start", start, "--end", end, "--tag", "team=nlp"))
    assert added.status == 0, added
    ended = w.end(long)
    assert ended.status == 5 and b"the budget 'nlp' is reached" in ended.err, ended


if __name__ == "__main__":
    main()
