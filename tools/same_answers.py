#!/usr/bin/env python3
"""same_answers.py OLD NEW [CASE...]: do two builds give the same answers? For rebuilding the structure without changing behavior.

Replays the command-line cases of the OLD checkout with both builds. Every command that can print JSON is asked for it; answers
and exit statuses must be equal. OLD and NEW are build folders (stint, parts, tests/fill_ledger, tests/server); the cases come
from the source folder of OLD, so that words that changed do not matter."""
import concurrent.futures
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

WRAPPER = r'''#!/usr/bin/env python3
import json, os, subprocess, sys
real, log, can = os.environ["SAME_REAL"], os.environ["SAME_LOG"], json.load(open(os.environ["SAME_JSON"]))
words = sys.argv[1:]
name = " ".join(words[:2]) if " ".join(words[:2]) in can else words[0] if words else ""
before = words[:words.index("--")] if "--" in words else words
if name in can and not {"--json", "--csv", "--help", "-h", "--focus", "--html", "--tsv"} & set(before) and "--" not in words:
    words = words + ["--json"]
child = subprocess.run([real] + words, stdout=subprocess.PIPE)
with open(log, "a") as f:
    f.write(json.dumps({"ask": sys.argv[1:], "status": child.returncode, "out": child.stdout.decode("utf-8", "replace")}) + "\n")
sys.stdout.buffer.write(child.stdout)
sys.stdout.flush()
os._exit(child.returncode if child.returncode >= 0 else 128 - child.returncode)
'''

def commands_with_json(stint):
    found = set()
    listing = subprocess.run([stint, "completion", "bash"], capture_output=True, text=True).stdout
    names = set(re.findall(r"\b([a-z][a-z-]+(?: [a-z][a-z-]+)?)\)", listing))
    text = subprocess.run([stint, "help", "--all"], capture_output=True, text=True).stdout or \
        subprocess.run([stint], capture_output=True, text=True).stdout
    names |= {m.strip() for m in re.findall(r"^  ([a-z-]+(?: [a-z-]+)?)  ", text, re.M)}
    for name in names:
        help_text = subprocess.run([stint] + name.split() + ["--help"], capture_output=True, text=True)
        if help_text.returncode == 0 and "--json" in help_text.stdout:
            found.add(name)
    return found - {"run", "watch", "top", "init"}

VOLATILE = [(re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}"), "ID"),
            (re.compile(r'"short_id":"[0-9a-f]+"'), '"short_id":0'), (re.compile(r"127\.0\.0\.1:\d+"), "SERVER"), (re.compile(r"/tmp/[\w./-]+"), "TMP"),
            (re.compile(r'"(search_ms|seconds|elapsed|took|pid|ms|wall|space)":\s*[-0-9.e+]+'), r'"\1":0')]

def plain(text):
    for pattern, word in VOLATILE:
        text = pattern.sub(word, text)
    return text

def replay(source, tag, build, case, scratch, can):
    log = os.path.join(scratch, tag + "-" + os.path.basename(case))
    open(log, "w").close()
    env = dict(os.environ, SAME_REAL=os.path.join(build, "stint"), SAME_LOG=log, SAME_JSON=can,
               STINT_PARTS=os.path.join(build, "parts"), STINT_TEST_LEDGER=os.path.join(build, "tests/fill_ledger"),
               STINT_TEST_SERVER=os.path.join(build, "tests/server"), STINT_FAKE_NVML=os.path.join(build, "tests/fake_nvml.so"))
    subprocess.run(["sh", os.path.join(source, "tests/cli/run.sh"), os.path.join(scratch, "stint"), case], env=env,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return [json.loads(line) for line in open(log)]

def leaves(old, new):
    """Where two answers differ: PATH: OLD -> NEW."""
    def walk(path, a, b):
        if isinstance(a, dict) and isinstance(b, dict):
            for key in list(a) + [k for k in b if k not in a]:
                yield from walk(path + "." + key, a.get(key, "(absent)"), b.get(key, "(absent)"))
        elif isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
            for i, (x, y) in enumerate(zip(a, b)):
                yield from walk(path + "[]", x, y)
        elif a != b:
            yield f"{path}: {json.dumps(a)[:200]} -> {json.dumps(b)[:200]}"
    try:
        return list(walk("", json.loads(plain(old)), json.loads(plain(new))))
    except ValueError:
        return ["not JSON"]

def main():
    old, new = (os.path.realpath(f) for f in sys.argv[1:3])
    source = os.path.dirname(old)
    cases = [os.path.realpath(c) for c in sys.argv[3:]] or sorted(glob.glob(os.path.join(source, "tests/cli/*.t")))
    scratch = tempfile.mkdtemp()
    with open(os.path.join(scratch, "stint"), "w") as f:
        f.write(WRAPPER)
    os.chmod(os.path.join(scratch, "stint"), 0o755)
    can = os.path.join(scratch, "can.json")
    json.dump(sorted(commands_with_json(os.path.join(old, "stint"))), open(can, "w"))
    asked = answers = differ = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = [(c, pool.submit(replay, source, "old", old, c, scratch, can), pool.submit(replay, source, "new", new, c, scratch, can)) for c in cases]
        for case, a, b in jobs:
            a, b = a.result(), b.result()
            if len(a) != len(b):
                print(f"{os.path.basename(case)}: {len(a)} commands before, {len(b)} after")
                differ += 1
            for x, y in zip(a, b):
                asked += 1
                is_json = x["out"].lstrip().startswith(("{", "["))
                answers += is_json
                ended = -13 in (x["status"], y["status"])  # by its pipe: which one is earlier is chance
                same = plain(" ".join(x["ask"])) == plain(" ".join(y["ask"])) and (ended or x["status"] == y["status"])
                if is_json and not ended:
                    same = same and plain(x["out"]) == plain(y["out"])
                if not same:
                    differ += 1
                    print(f"{os.path.basename(case)}: stint {' '.join(x['ask'])}: status {x['status']} -> {y['status']}")
                    if is_json:
                        for line in leaves(x["out"], y["out"]):
                            print("  " + line)
    print(f"{asked} commands, {answers} JSON answers compared, {differ} differ")
    return differ > 0

sys.exit(main())
