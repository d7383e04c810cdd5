#!/usr/bin/python3
"""`stint run` on cloud machines that are interrupted: the tests' own metadata service on the loopback."""
import json
import os
import time

from harness import main, read, script, test
from metadata import Cloud, ec2, iso


def later(w, page, before=None):
    """A page that changes when the program can save."""
    return lambda: page() if os.path.exists(w.path("ready")) else before


def preempted(w, ended):
    row = w.attempt()
    assert ended.status == 5 and (row["state"], row["reason"]) == ("preempted", "notice"), (ended, tuple(row))
    assert read(w.path("saved")) == b"x", "asked more than once, or not"


@test
def ec2_spot(w):
    """EC2: the spot notice requests a checkpoint, ends it with status 5; the next attempt goes on"""
    ec2(w, **{"/latest/meta-data/spot/instance-action": later(w, lambda: json.dumps({"action": "terminate", "time": iso(120)}))})
    ended = w.run("--name", "spot", "--price", "$1/hr", "--", "python3", "saves.py", "60", "leaves")
    preempted(w, ended)
    assert b"EC2 takes this machine back" in ended.err, ended
    w.env.pop("STINT_ROOT")
    ended = w.run("--name", "spot", "--price", "$1/hr", "--", "sh", "-c", "echo $STINT_ATTEMPT")
    assert ended.out == b"2\n", ended


@test
def ec2_checkpoint(w):
    """EC2: the checkpoint that is saved on the notice is recorded, and older ones are pruned, before the run ends"""
    ec2(w, **{"/latest/meta-data/spot/instance-action": later(w, lambda: json.dumps({"action": "terminate", "time": iso(120)}))})
    os.mkdir(w.path("out"))
    ended = w.run("--price", "$1/hr", "--grace", "3s", "--checkpoints", "out", "--keep", "1", "--", *script(
        "import signal, time\n"
        "def save(n):\n  with open(f'out/step_{n}.bin', 'wb') as f: f.write(b'x' * 999)\n"
        "signal.signal(signal.SIGUSR1, lambda *a: save(2))\nsave(1)\nopen('ready', 'w')\nwhile True: time.sleep(0.1)\n"))
    known = {row["path"]: row["gone"] for row in w.ask("SELECT path, gone FROM checkpoints")}
    assert ended.status == 5 and w.attempt()["state"] == "preempted", ended
    assert known["out/step_1.bin"] and known["out/step_2.bin"] is None and os.listdir(w.path("out")) == ["step_2.bin"], (known, ended)


@test
def ec2_rebalance(w):
    """EC2: a rebalance recommendation is reported, and the run goes on"""
    ec2(w, **{"/latest/meta-data/events/recommendations/rebalance": json.dumps({"noticeTime": iso(0)})})
    ended = w.run("--price", "$1/hr", "--", "python3", "saves.py", "3")
    assert ended.status == 0 and b"rebalance" in ended.err and "rebalance" in w.events(), (ended, w.events())


@test
def ec2_price(w):
    """EC2: the machine's price is used, and recorded with its source"""
    cloud = ec2(w, **{"/latest/meta-data/instance-life-cycle": "on-demand"})
    ended = w.run("--", "sleep", "0.5")
    row = w.attempt()
    asked = [path for _, path in cloud.server.log]
    assert ended.status == 0 and ("PUT", "/latest/api/token") in cloud.server.log, asked
    assert "/latest/dynamic/instance-identity/document" in asked, asked
    assert row["rate_nano"] is not None and row["rate_nano"] > 0 and "g5.xlarge" in row["offer"], (tuple(row), ended)


@test
def ec2_silent(w):
    """EC2: a metadata service that does not answer is reported, and the command runs"""
    cloud = ec2(w)
    cloud.server.pages.clear()
    ended = w.run("--", "sh", "-c", "echo ran; exit 4")
    assert ended.status == 4 and ended.out == b"ran\n" and b"stint: " in ended.err, ended


@test
def gcp(w):
    """GCP: preempted"""
    base = "/computeMetadata/v1/instance/"
    Cloud(w, {"product_name": "Google Compute Engine"},
          {base + "preempted": later(w, lambda: "TRUE", "FALSE"), base + "maintenance-event": "NONE",
           base + "machine-type": "projects/1/machineTypes/g2-standard-4", base + "zone": "projects/1/zones/us-central1-a",
           base + "scheduling/preemptible": "TRUE", base + "id": "123"}, headers={"Metadata-Flavor": "Google", "ETag": "abc"})
    preempted(w, w.run("--price", "$1/hr", "--", "python3", "saves.py", "60", "leaves"))


@test
def azure(w):
    """Azure: a Preempt event of this machine"""
    events = {"DocumentIncarnation": 1, "Events": [
        {"EventId": "1", "EventType": "Preempt", "ResourceType": "VirtualMachine", "Resources": ["this"],
         "EventStatus": "Scheduled", "NotBefore": time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime(time.time() + 60))}]}
    Cloud(w, {"sys_vendor": "Microsoft Corporation", "chassis_asset_tag": "7783-7084-3265-9085-8269-3286-77"},
          {"/metadata/instance/compute": json.dumps({"name": "this", "vmSize": "Standard_NC24ads_A100_v4",
                                                     "location": "eastus", "priority": "Spot", "vmId": "x"}),
           "/metadata/scheduledevents": later(w, lambda: json.dumps(events))})
    preempted(w, w.run("--price", "$1/hr", "--", "python3", "saves.py", "60", "leaves"))


@test
def azure_other(w):
    """Azure: an event of another machine is ignored"""
    events = {"DocumentIncarnation": 1, "Events": [
        {"EventId": "1", "EventType": "Preempt", "ResourceType": "VirtualMachine", "Resources": ["other"],
         "EventStatus": "Scheduled", "NotBefore": ""}]}
    Cloud(w, {"sys_vendor": "Microsoft Corporation", "chassis_asset_tag": "7783-7084-3265-9085-8269-3286-77"},
          {"/metadata/instance/compute": json.dumps({"name": "this", "vmSize": "Standard_NC24ads_A100_v4",
                                                     "location": "eastus", "priority": "Spot", "vmId": "x"}),
           "/metadata/scheduledevents": json.dumps(events)})
    ended = w.run("--price", "$1/hr", "--", "python3", "saves.py", "3")
    assert ended.status == 0, ended


@test
def no_cloud(w):
    """outside a cloud, no metadata service is asked"""
    cloud = Cloud(w, {"sys_vendor": "QEMU"}, {})
    ended = w.run("--", "sleep", "1")
    assert ended.status == 0 and cloud.server.log == [], cloud.server.log


@test
def slow_saver(w):
    """a program that goes on after its save is ended before the machine is taken"""
    ec2(w, **{"/latest/meta-data/spot/instance-action": later(w, lambda: json.dumps({"action": "stop", "time": iso(12)}))})
    ended = w.run("--price", "$1/hr", "--", "python3", "saves.py", "60")
    preempted(w, ended)
    assert {"checkpoint-asked", "term"} <= set(w.events()), w.events()


main(9)
