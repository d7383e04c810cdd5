"""Cloud machines: their firmware as files, and their metadata service on the loopback."""
import http.server
import json
import threading
import time
import urllib.parse

SAVES = """
import os, signal, sys, time
def save(n, f):
    open("saved", "a").write("x")
    if "leaves" in sys.argv: sys.exit(0)
signal.signal(signal.SIGUSR1, save)
open("ready", "w").close()
end = time.monotonic() + float(sys.argv[1])
while time.monotonic() < end: time.sleep(0.02)
"""


class Metadata(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self):
        length = int(self.headers.get("Content-Length") or 0)
        self.rfile.read(length)
        path = urllib.parse.urlsplit(self.path).path
        pages, log = self.server.pages, self.server.log
        log.append((self.command, path))
        page = pages.get((self.command, path), pages.get(path))
        if callable(page):
            page = page()
        if self.server.token and path != "/latest/api/token" and self.headers.get("X-aws-ec2-metadata-token") != "tok":
            self.reply(401, b"")
        elif page is None:
            self.reply(404, b"")
        else:
            self.reply(200, page if isinstance(page, bytes) else page.encode())

    do_GET = do_PUT = answer

    def reply(self, status, body):
        self.send_response(status)
        for name, value in self.server.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        try:
            self.end_headers()
            self.wfile.write(body)
        except OSError:  # it did not wait for the answer
            self.close_connection = True

    def log_message(self, *_):
        pass


class Cloud:
    """A cloud machine: its firmware as files, its metadata service, and a program that can save."""

    def __init__(self, w, firmware, pages, headers=None, token=False):
        for name, text in firmware.items():
            w.write("root/sys/class/dmi/id/" + name, text + "\n")
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Metadata)
        self.server.pages, self.server.headers, self.server.token, self.server.log = pages, headers or {}, token, []
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        w.env.update(STINT_ROOT=w.path("root"), STINT_METADATA_URL=f"http://127.0.0.1:{self.server.server_port}")
        w.write("saves.py", SAVES)


EC2 = {"sys_vendor": "Amazon EC2", "product_name": "g5.xlarge", "board_asset_tag": "i-0123456789abcdef0"}
DOCUMENT = {"instanceType": "g5.xlarge", "region": "us-east-1", "availabilityZone": "us-east-1b",
            "instanceId": "i-0123456789abcdef0"}


def ec2(w, **pages):
    return Cloud(w, EC2, {"/latest/api/token": "tok", "/latest/meta-data/instance-life-cycle": "spot",
                          "/latest/dynamic/instance-identity/document": json.dumps(DOCUMENT), **pages}, token=True)


def iso(seconds):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + seconds))
