#!/usr/bin/env python3
"""Fail every allocation and every call to the file system in turn, in the complete program, and check that it ends with a
message and the right status, and leaves nothing half-written. run.py STINT FAULTS.so FILL_LEDGER RASTER.so

There are thousands of faults, and starting a process takes most of the time: what a fault left is looked at here, and
what only the program itself can read (ledgers, prices, plans) it reads once for the same bytes. A command that only
prints is started once, and forks where memory is to run out (faults.c).
"""
import contextlib
import gzip
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile

STINT, FAULTS, FILL, RASTER = (os.path.realpath(path) for path in sys.argv[1:5])
LIMIT = 5000  # no command makes more calls than this
OLD_CONFIG = "currency: USD"
NEW_CONFIG = """currency: EUR  # of your budgets; prices are in USD
country: "US"  # where it is: electricity and carbon"""
number = 0
failed = False
seen = {}


def read(path):
    with open(path, "rb") as file:
        return file.read()


def write(path, text):
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


def pack(path, text):
    with gzip.open(path, "wb") as file:
        file.write(text.encode())


def run(command, faults=None):
    """Status, output and messages; the status is below 0 where a signal ended it."""
    with open("out", "wb") as out, open("err", "wb") as err:
        status = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, check=False,
                                env=dict(os.environ, **faults) if faults else None).returncode
    return status, read("out"), read("err")


def must(*command):
    status, out, err = run(command)
    if status != 0:
        sys.exit("Bail out! %s: %s" % (" ".join(command), err.decode(errors="replace")))
    return out


def fresh_home():
    shutil.rmtree(HOME, ignore_errors=True)
    os.makedirs(HOME + "/.config/stint")
    os.mkdir(HOME + "/.cache")
    write(HOME + "/.config/stint/config.yaml", OLD_CONFIG + "\n")
    if os.path.isdir("prices"):
        shutil.copytree("prices", HOME + "/.cache/stint")
    for file in ["accelerate.yaml", "ledger.db"]:
        if os.path.exists(file):
            shutil.copy(file, HOME)


def digest(top):
    """Of the names and bytes of a file, or of all below a folder."""
    parts = hashlib.sha256()
    paths = [top] if os.path.isfile(top) else sorted(
        os.path.join(folder, file) for folder, _, files in os.walk(top) for file in files)
    for path in paths:
        data = read(path)
        parts.update(b"%s\0%d\0" % (os.fsencode(path), len(data)))
        parts.update(data)
    return parts.hexdigest()


def once(what, paths, look):
    """The result of look() for these files, or for the same bytes before."""
    key = (what,) + tuple(digest(path) for path in paths)
    if key not in seen:
        seen[key] = look()
    return seen[key]


def ledger_is_complete():
    """Whatever happened to its writer, a ledger can be read, and has no incomplete run."""
    ledger = HOME + "/ledger.db"
    if not os.path.exists(ledger):
        return True
    files = sorted(HOME + "/" + file for file in os.listdir(HOME) if file.startswith("ledger.db"))
    return once("ledger", files, lambda: run([STINT, "--ledger", ledger, "runs", "--json"])[0] == 0)


def list_prices():
    return run([STINT, "price", "list", "--provider", "acme"])


def prices_are_complete():
    """After an import that may have failed, the store has the old prices, or all of the new ones."""
    if not os.path.isdir("prices"):
        return True
    status, out, err = once("prices", [HOME + "/.cache", HOME + "/.config"], list_prices)
    return status == 0 and b"damaged" not in err and out in (before, after)


def config_is_complete():
    """After `stint init`, the configuration is the old one or the new one, and no other file is left."""
    folder = HOME + "/.config/stint"
    if sorted(file for file in os.listdir(folder) if not file.startswith(".")) not in (
            ["config.yaml"], ["config.yaml", "config.yaml.bak"], ["catalog", "config.yaml"]):
        return False
    lines = read(folder + "/config.yaml").decode().split("\n")
    return "\n".join(line for line in lines if line and line[0] != "#") in (OLD_CONFIG, NEW_CONFIG)


def visible():
    """The names in the home folder that do not start with a dot."""
    return sorted(file for file in os.listdir(HOME) if not file.startswith("."))


def plan_is_complete():
    """After a plan, the user's configuration is the old one or the new one (whose old one is kept), and what else was
    to be written is complete or not there."""
    if not os.path.exists("accelerate.yaml"):
        return True
    old = read("accelerate.yaml")
    now = read(HOME + "/accelerate.yaml")
    if now != old and (now != changed or read(HOME + "/accelerate.yaml.bak") != old):
        return False
    for file in visible():
        path = HOME + "/" + file
        if file == "accelerate.yaml" or file.startswith("ledger.db"):
            continue
        if file == "accelerate.yaml.bak" and read(path) == old:
            continue
        if file == "plans.csv" and read(path).endswith(b"\n"):
            continue
        if file == "plan.json" and once("plan", [path], lambda: run([STINT, "plan", "recheck", plan_path])[0] == 0):
            continue
        return False
    return True


def export_is_complete():
    """After an export, the file is complete or not there, and only its description is next to it."""
    for file in visible():
        if not file.startswith("account."):
            continue
        data = read(HOME + "/" + file)
        if file == "account.csv" and data.count(b"\n") == 2:
            continue
        if file == "account.metadata.json" and data.endswith(b"}\n"):
            continue
        return False
    return True


@contextlib.contextmanager
def quick_pictures():
    """Meanwhile pictures are drawn by RASTER.so, which takes no time."""
    parts = os.environ["STINT_PARTS"]
    os.mkdir("parts")
    for file in os.listdir(parts):
        if file.endswith(".so") and file != "raster.so":
            os.symlink(os.path.join(parts, file), "parts/" + file)
    os.symlink(RASTER, "parts/raster.so")
    os.environ["STINT_PARTS"] = os.path.abspath("parts")
    try:
        yield
    finally:
        os.environ["STINT_PARTS"] = parts
        shutil.rmtree("parts")


REPORT = ["cost_analysis.json", "cost_comparison.svg", "cost_dashboard.svg", "report.html", "report.md"]


def report_is_complete():
    """After a report, there are all of its files, or none. (Pictures need a part that need not be there.)"""
    folder = HOME + "/report"
    files = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    return not files or [file for file in files if not file.endswith((".png", ".pdf"))] == REPORT


def problem_of_end(kind, status, out, err, expected):
    """What is wrong with how a command ended; None if nothing is."""
    first = err.decode(errors="replace").partition("\n")[0]
    if status < 0 or status >= 128:
        return "ended by a signal: status %d" % status
    if status != 0 and not err.startswith(b"stint: ") and b"\nstint: " not in err:
        return "failed without a message, status %d" % status
    # SQLite reports a medium that cannot be read as damage: prices cannot be written then (3) or found (4).
    if status > 1 and not (kind == "read" and status in (3, 4) and b"is damaged" in err):
        return "wrong status %d: %s" % (status, first)
    if status == 0 and out != expected:
        return "succeeded with another output"
    return None


def problem_after(kind, status, out, err, expected):
    """What is wrong with how a command ended or what it left; None if nothing is."""
    problem = problem_of_end(kind, status, out, err, expected)
    if problem:
        return problem
    if not config_is_complete():
        return "left the configuration half-written"
    if not prices_are_complete():
        return "left other prices than before or after"
    if not ledger_is_complete():
        return "left a ledger that cannot be read"
    if not export_is_complete():
        return "left half an export: %s" % visible()
    if not report_is_complete():
        return "left half a report: %s" % os.listdir(HOME + "/report")
    if not plan_is_complete():
        return "left something half-written: %s" % visible()
    if status != 0 and not os.path.exists("mark"):
        return "fails without a fault: " + err.decode(errors="replace").partition("\n")[0]
    return None


def faults_of(kind, command):
    """Fault after fault, until the command gets through without one: how many, and what went wrong with the last."""
    fresh_home()
    expected = run(command)[1]
    for at in range(1, LIMIT + 1):
        if os.path.exists("mark"):
            os.remove("mark")
        fresh_home()
        status, out, err = run(command, {"FAULT_KIND": kind, "FAULT_AT": str(at), "FAULT_MARK": "mark",
                                         "LD_PRELOAD": FAULTS})
        problem = problem_after(kind, status, out, err, expected)
        if problem:
            return at, problem
        if not os.path.exists("mark"):
            return at - 1, None
    return LIMIT, "still faults after %d calls" % LIMIT


def forked_faults_of(kind, command):
    """The same for a command that only prints: it is started once, and nothing of its home folder may change."""
    fresh_home()
    expected = run(command)[1]
    before_it = digest(HOME)
    os.mkdir("forked")
    status, out, err = run(command, {"FAULT_KIND": kind, "FAULT_FORK": "forked", "LD_PRELOAD": FAULTS})
    count, problem = 0, problem_of_end(kind, status, out, err, expected)
    if not problem and status != 0:
        problem = "fails without a fault: " + err.decode(errors="replace").partition("\n")[0]
    for line in read("forked/statuses").split() if not problem else []:
        count += 1
        problem = problem_of_end(kind, os.waitstatus_to_exitcode(int(line)), read("forked/%d.out" % count),
                                 read("forked/%d.err" % count), expected)
        if problem:
            break
    shutil.rmtree("forked")
    if not problem and digest(HOME) != before_it:
        problem = "one of them changed files"
    return count, problem


def report(name, kind, count, problem):
    global number, failed
    number += 1
    if problem:
        print("not ok %d - %s: %s fault %d: %s" % (number, name, kind, count, problem), flush=True)
    elif count == 0:
        print("not ok %d - %s: no call of %s was met, so nothing was tested" % (number, name, kind), flush=True)
    else:
        print("ok %d - %s: %d faults of %s" % (number, name, count, kind), flush=True)
    failed = failed or problem is not None or count == 0


def attempt(name, kinds, *command):
    """The command with each call of these kinds failing."""
    for kind in kinds.split():
        report(name, kind, *faults_of(kind, command))


def attempt_print(name, *command):
    """A command that only prints, with each allocation failing."""
    report(name, "memory", *forked_faults_of("memory", command))


def each(commands):
    for words in commands:
        attempt_print(words, STINT, *words.split())


def try_runs():
    """A command runs, whatever fails around it, or the message says why not. (Memory without the ledger: its thousands of
    allocations are failed in its own tests.)"""
    attempt("run", "memory", STINT, "run", "--no-gpu", "--no-ledger", "--price", "1usd/hr", "--progress", "--", "true")
    attempt("run", "write open read sync", STINT, "--ledger", HOME + "/ledger.db", "run", "--no-gpu", "--price",
            "1usd/hr", "--progress", "--", "sleep", "0.01")


def try_estimates():
    os.mkdir("facts")
    pack("facts/electricity.csv.gz",
         "country,kind,usd_per_kwh,date,source\nUS,household,0.5,2026-01-01,me\n")
    compare = [STINT, "price", "compare", "A100", "--hours", "72"]
    attempt_print("price compare", *compare)
    attempt("price compare", "write open read", *compare)
    local = [STINT, "price", "list", "--kind", "local", "--catalog", "facts"]
    attempt_print("local prices from a compressed file", *local)
    attempt("local prices from a compressed file", "write open read", *local)
    write("job.yaml", """name: faulty
train:
  model: llama-2-7b
  method: lora
  data: {examples: 50000, tokens: 512}
  global_batch: 64
""")
    estimate = [STINT, "estimate", "job.yaml", "--on", "A100"]
    attempt_print("estimate", *estimate)
    attempt("estimate", "open read", *estimate)
    sweep = [STINT, "estimate", "llama-2-7b", "--on", "A100x8", "--sweep", "zero=0..3", "--explain"]
    attempt_print("sweep and explain", *sweep)
    attempt("sweep and explain", "open read", *sweep)
    write("measured.csv",
          "id,source,model,gpu,gpu_count,precision,micro_batch,seq_len,method,framework,set,quality,"
          "tokens_per_s_per_gpu\n"
          "a,one,llama-2-7b,H100-SXM-80GB,1,bf16,2,2048,lora,pytorch-eager,lora,A,13000\n"
          "b,two,gpt2,A100-SXM-80GB,1,amp_bf16,8,1024,pretrain,pytorch-eager,dense,A,140000\n")
    attempt("validate", "memory write open sync rename", STINT, "validate", "training", "measured.csv",
            "--leave-one-source-out", "--fit", "--save", "constants.csv", "--per-row", "rows.csv")


def try_plans():
    global changed
    write("accelerate.yaml", "num_processes: 1 # mine\nmixed_precision: fp16\n")
    fresh_home()
    plan = [STINT, "plan", "job.yaml", "--gpu", "T4", "--provider", "gcp"]
    configure = plan + ["--write-config", "accelerate", "--base", HOME + "/accelerate.yaml"]
    must(*configure)
    changed = read(HOME + "/accelerate.yaml")
    attempt("plan", "memory write open read sync rename", *configure, "--save", plan_path, "--csv",
            HOME + "/plans.csv")
    os.remove("accelerate.yaml")
    attempt_print("plan and explain", STINT, "plan", "gpt2", "--tokens", "1M", "--gpu", "T4", "--provider", "gcp",
                  "--explain")
    attempt_print("plan and serve", STINT, "plan", "gpt2", "--serve", "--gpu", "T4", "--provider", "gcp")
    attempt_print("plan jobs", STINT, "plan", "job.yaml", "job.yaml", "--gpu", "T4", "--provider", "gcp")
    write("plan.json",
          '{"schema":"stint.plan/1","name":"a","plans":[{"cost":{"amount":"9","currency":"USD"}}]}\n')
    attempt_print("budget split", STINT, "budget", "split", "100usd", "--storage", "5usd")
    attempt("budget split and a plan", "memory open read", STINT, "budget", "split", "100usd", "plan.json", "--storage",
            "5usd")


def try_simulations():
    pack("made.trc.gz", "trace a gap=3600 n=12 nodes=1 start=- od=2 spot=1\na 110011110111\n")
    simulate = [STINT, "simulate", "--traces", "made.trc.gz", "--work", "4h", "--delay", "1h", "--threads", "1"]
    attempt("simulate", "memory write open read sync rename", *simulate, "--deadline", "8h,10h", "--resume",
            HOME + "/journal", "--per-run", HOME + "/runs.csv")
    attempt("simulate --timeline", "memory", *simulate, "--deadline", "8h", "--timeline", "--svg", HOME + "/run.svg")


def try_prices():
    """On top of a store, all or nothing."""
    global before, after
    head = "provider,region,zone,instance,accelerator,count,on_demand_usd_h,spot_usd_h,date\n"
    write("old.csv", head + "acme,eu,a,big,H100,8,20,9,2026-11-13\nacme,eu,b,big,H100,8,20,8,2026-11-13\n")
    pack("new.csv.gz", head + "acme,eu,a,big,H100,8,19,7,2026-11-14\nacme,us,,small,A100,1,2,,2026-11-14\n")
    write("terms.csv", "provider,discount,date,source\nother,10%,2026-11-01,us\n")
    fresh_home()
    must(STINT, "price", "import", "old.csv")
    before = must(STINT, "price", "list", "--provider", "acme")
    shutil.copytree(HOME + "/.cache/stint", "prices")
    must(STINT, "price", "import", "new.csv.gz")
    after = must(STINT, "price", "list", "--provider", "acme")
    attempt("price import", "memory write open read sync rename", STINT, "price", "import", "new.csv.gz", "terms.csv")
    history = [STINT, "price", "history", "acme/eu/big"]
    attempt_print("price history", *history)
    attempt("price history", "open read", *history)
    each(["price spot --for 2h", "price regions big --hours 24", "price diff 2026-11-13 2026-11-14", "price doctor",
          "price list --provider acme"])
    shutil.rmtree("prices")


def try_ledgers():
    """As it is written, and as it is read. (SQLite reports a medium that cannot be read as damage, which is status 3.)"""
    attempt("recording runs", "open sync", FILL, HOME + "/ledger.db", "brief")
    must(FILL, "ledger.db", "brief")
    must(STINT, "--ledger", "ledger.db", "runs")  # puts the log into the file
    stint = [STINT, "--ledger", HOME + "/ledger.db"]
    # Memory: tests/unit/ledger/test_memory.c, which is faster.
    attempt("show", "write open", *stint, "show", "vit")
    attempt("costs", "write open", *stint, "costs", "--by", "team,day", "--csv", HOME + "/costs.csv")
    # An evaluated budget sends its alert once or not at all; then the next evaluation sends it.
    must(STINT, "--ledger", "ledger.db", "budget", "set", "all", "0.001usd", "--forecast", "none")
    must(STINT, "--ledger", "ledger.db", "budget", "list")
    attempt("budget check", "write open sync", *stint, "budget", "check")
    attempt("alert add", "write open sync", *stint, "alert", "add", "more", "webhook", "--url", "http://127.0.0.1:1/")
    # Exports are complete, or not there.
    attempt("export", "write open sync rename", *stint, "export", "--focus", HOME + "/account.csv")
    # All files of a report, or none. Drawing opens files; all are written after that, so that it is enough to draw while one cannot
    # be opened.
    pages = [*stint, "report", "vit", "-o", HOME + "/report"]
    attempt("report", "open", *pages)
    with quick_pictures():
        attempt("report", "write sync rename", *pages)
    os.remove("ledger.db")


# In memory where possible: on a disk the syncs would take most of the time.
scratch = tempfile.mkdtemp(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None)
HOME = scratch + "/home"
plan_path = HOME + "/plan.json"
before = after = changed = None
os.environ.update(HOME=HOME, STINT_MACHINE_DIR=scratch, STINT_NOW="2026-11-15", LC_ALL="C")
for variable in ["XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "STINT_PRICES", "STINT_LEDGER", "STINT_CONFIG",
                 "STINT_CATALOG", "STINT_LOG"]:
    os.environ.pop(variable, None)
os.chdir(scratch)
try:
    try_runs()
    try_estimates()
    try_plans()
    try_simulations()
    attempt("init", "memory write open sync rename", STINT, "init", "--force", "--currency", "EUR")
    try_prices()
    try_ledgers()
    each(["gpu list --vendor Intel", "gpu show a100", "gpu fit gpt2", "estimate gpt2 --on T4", "man job", "price value",
          "region list --country SE", "catalog list", "config", "catalog show storage", "help price",
          "completion bash", "man price", "--version"])
    print("1..%d" % number)
finally:
    os.chdir("/")
    shutil.rmtree(scratch)
sys.exit(failed)
