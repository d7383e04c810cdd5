#!/usr/bin/env python3
"""Any tree, any edits, any interruption: data_sync_kill.py STINT FAULTS.so

Trees and edits are random (STINT_SYNC_SEED; it is printed), as many as fit into STINT_SYNC_SECONDS (36). After each kill, and
after the sync that goes on from there:
- nothing is lost: what one side alone has is still there, unless its user deleted it and --delete was given;
- both sides are equal, but for as many paths as the sync says;
- nothing that a sync keeps for itself is left over, in neither folder nor in TMPDIR."""
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

STINT, FAULTS = (os.path.realpath(name) for name in sys.argv[1:3])
SECONDS = float(os.environ.get("STINT_SYNC_SECONDS", "36"))
SEED = int(os.environ.get("STINT_SYNC_SEED", "40"))
NAMES = [b"a", b"A", b"b.txt", b"b", b"new\nline", b"\xe9\xff", b" space ", b"#c", b"-n", b"x -> y", b"gr\xc3\xb6\xc3\x9fe", b"\\#012",
         b"deep", b"Deep", b"*", b"data.bin", b".hidden", b"~"]
OWN = b".stint-sync"


class Wrong(Exception):
    pass


class World:
    """Two folders and what a user of Stint has besides, below one folder."""

    def __init__(self, root):
        self.root = root
        self.sides = [os.path.join(os.fsencode(root), name) for name in (b"a", b"b")]
        self.env = dict(os.environ, HOME=root, TMPDIR=os.path.join(root, "tmp"), STINT_MACHINE_DIR=root, LC_ALL="C")
        for name in ("XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "STINT_LEDGER", "STINT_CONFIG", "STINT_LOG"):
            self.env.pop(name, None)
        for path in [os.path.join(root, "tmp"), *self.sides]:
            os.makedirs(path, exist_ok=True)
        self.base = {}  # what both had in common when they last had it, by path
        self.unsure = set()  # of these: a sync was killed before it could note that

    def trees(self):
        return [tree_of(side) for side in self.sides]

    def note_equal(self, noted):
        a, b = self.trees()
        if noted:
            self.unsure.clear()
        for path in {*a, *b, *self.base}:
            if a.get(path) == b.get(path):
                if not noted and self.base.get(path) != a.get(path):
                    self.unsure.add(path)
                if path in a:
                    self.base[path] = a[path]
                else:
                    self.base.pop(path, None)

    def start(self, options, reverse=False, **env):
        sides = [os.fsdecode(side) for side in self.sides]
        return subprocess.Popen([STINT, "data", "sync", *(sides[::-1] if reverse else sides), *options, "--json"], cwd=self.root,
                                env={**self.env, **env}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                start_new_session=True)


def tree_of(folder):
    """What is in it, by path: files, links, empty folders. What Stint keeps for itself is not."""
    found = {}
    for place, folders, files in os.walk(folder):
        if place == folder:
            folders[:] = [name for name in folders if name != OWN]
        inside = os.path.relpath(place, folder)
        inside = b"" if inside == b"." else inside + b"/"
        if place != folder and not folders and not files:
            found[inside] = ("folder", b"")
        for name in folders + files:
            path = os.path.join(place, name)
            if os.path.islink(path):
                found[inside + name] = ("link", os.readlink(path))
            elif name in files:
                with open(path, "rb") as file:
                    found[inside + name] = ("file", file.read())
    return found


# ---- edits ----

def remove(path):
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path)
    elif os.path.lexists(path):
        os.unlink(path)


def content(draw):
    size = draw.choice((0, 1, 30, 30, 3000, 70000))
    return draw.randbytes(size)


def any_path(draw, side):
    """A path of the tree, or a new one; its folders are there."""
    inside = [path.rstrip(b"/") for path in tree_of(side)]
    if inside and draw.random() < 0.6:
        return os.path.join(side, draw.choice(inside))
    place = side
    for _ in range(draw.choice((0, 0, 1, 1, 2, 3))):
        place = os.path.join(place, draw.choice(NAMES))
        if os.path.lexists(place) and (not os.path.isdir(place) or os.path.islink(place)):
            remove(place)  # a file becomes a folder
        if not os.path.isdir(place):
            os.mkdir(place)
    return os.path.join(place, draw.choice(NAMES))


def edit(draw, side):
    path = any_path(draw, side)
    what = draw.choice(("write", "write", "write", "same size", "delete", "delete", "delete folder", "empty folder", "link", "dangling",
                        "hard link", "case", "move folder", "sparse", "to folder", "touch", "mode"))
    plain = os.path.isfile(path) and not os.path.islink(path)
    if what == "same size" and plain and os.path.getsize(path) > 0:
        before = os.stat(path)
        with open(path, "rb+") as file:
            file.write(draw.randbytes(before.st_size))
        if draw.random() < 0.5:  # and of the same time
            os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    elif what == "delete":
        remove(path)
    elif what == "delete folder":
        if os.path.dirname(path) != side:
            remove(os.path.dirname(path))
    elif what == "empty folder":
        remove(path)
        os.mkdir(path)
    elif what in ("link", "dangling"):
        remove(path)
        os.symlink(draw.choice(NAMES) if what == "link" else b"/nowhere/" + draw.choice(NAMES), path)
    elif what == "hard link" and plain:
        other = path + b"-hard"
        remove(other)
        os.link(path, other)
    elif what == "case" and os.path.lexists(path):
        other = os.path.join(os.path.dirname(path), os.path.basename(path).swapcase())
        if other != path:
            remove(other)
            os.rename(path, other)
    elif what == "move folder" and os.path.dirname(path) != side:
        other = os.path.join(side, b"moved")
        remove(other)
        if os.path.isdir(os.path.dirname(path)):
            os.rename(os.path.dirname(path), other)
    elif what == "sparse":
        remove(path)
        with open(path, "wb") as file:
            file.write(draw.randbytes(10))
            file.truncate(1 << 20)
    elif what == "to folder" and plain:
        remove(path)
        os.mkdir(path)
        with open(os.path.join(path, draw.choice(NAMES)), "wb") as file:
            file.write(content(draw))
    elif what == "touch" and plain:
        os.utime(path)
    elif what == "mode" and plain:
        os.chmod(path, draw.choice((0o644, 0o755, 0o600)))
    else:
        remove(path)
        with open(path, "wb") as file:
            file.write(content(draw))


# ---- what must hold ----

def has(tree, path, entry):
    if entry[0] == "folder":  # it may have got something in it
        return any(other.startswith(path) for other in tree)
    return tree.get(path) == entry


def check_kept(world, before, after, options):
    """What a side alone has is not lost; what was synced goes only where the other side changed or deleted it."""
    for path in {*before[0], *before[1]}:
        had, old = [tree.get(path) for tree in before], world.base.get(path)
        own = [entry for entry in had if entry is not None and entry != old]
        if "--newer" in options and None not in had and (len(own) == 2 or path in world.unsure):
            own = [] if any(has(tree, path, entry) for entry in had for tree in after) else had[:1]
        if not own and had[0] == old and had[1] == old:
            own = [old]
        if not own and "--delete" not in options and None in had and "--newer" not in options:
            own = [old]
        for entry in own:
            if not any(has(tree, path, entry) for tree in after):
                raise Wrong(f"{path!r} is lost: {[short(e) for e in had]}, both had {short(old)}, now "
                            f"{[short(tree.get(path)) for tree in after]}")


def short(entry):
    return entry and (entry[0], entry[1][:12], len(entry[1]))


def differing(a, b):
    """Paths that are not equal. That a folder is empty on one side only is no difference."""
    paths = {path for path in {*a, *b} if a.get(path) != b.get(path)}
    return {path for path in paths if not (path.endswith(b"/") and any(other.startswith(path) for other in (b if path in a else a)))}


def check_stray(world):
    left = os.listdir(world.env["TMPDIR"])
    for side in world.sides:
        for place, folders, files in os.walk(side):
            left += [name for name in folders + files if name.startswith(b".stint-part") or (name == OWN and place != side)]
            if os.path.basename(place) == OWN:
                left += [name for name in folders + files if name not in (b"manifest", b"tmp")]
            if os.path.basename(place) == b"tmp" and OWN in place:
                left += folders + files
    if left:
        raise Wrong(f"left over: {left}")


def finish(world, options, reverse):
    """A sync to its end, and once more. Returns how often each step was taken in the first."""
    taken = []
    for turn in range(2):
        before = world.trees()
        process = world.start(options, reverse)
        out, err = process.communicate(timeout=60)
        if process.returncode not in (0, 1) or not out:
            raise Wrong(f"it ended with {process.returncode}: {err.decode(errors='replace')}")
        steps = {row["step"]: row["paths"] for row in json.loads(out)["steps"]}
        after = world.trees()
        check_kept(world, before, after, options)
        differ = differing(*after)
        listed = sum(steps[name] for name in ("conflict", "kept", "unknown", "failed"))
        if listed != len(differ):
            raise Wrong(f"sync {turn + 1}: {listed} paths are listed, {len(differ)} differ: {sorted(differ)}; {steps}; "
                        f"{err.decode(errors='replace')}")
        if turn == 1 and sum(steps[name] for name in ("upload", "download", "delete local", "delete remote")):
            raise Wrong(f"the sync after it did something: {steps}")
        check_stray(world)
        world.note_equal(True)
        taken.append(steps)
    return taken[0]


# ---- kills ----

def kill_later(process, delay):
    """All of it after that time. False: it had ended."""
    try:
        process.wait(delay)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    return process.returncode == -signal.SIGKILL


def kill_at(world, options, reverse, at, kind):
    """At the Nth write, sync or rename (or open) of any of its processes. False: there are not so many."""
    mark = os.path.join(world.root, "mark")
    remove(mark)
    process = world.start(options, reverse, LD_PRELOAD=FAULTS, FAULT_KIND=kind, FAULT_AT=str(at), FAULT_KILL="1", FAULT_MARK=mark)
    process.communicate(timeout=60)
    try:  # what is left of it, an rsync that lost its other half, ends by itself: not here and now
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    return os.path.exists(mark)


def random_options(draw):
    options = draw.choice(([], ["--both"], ["--both"], ["--delete"], ["--both", "--delete"]))
    return options + (["--newer"] if draw.random() < 0.2 else []) + (["--verify"] if draw.random() < 0.1 else [])


def some_edits(draw, world):
    for side in world.sides:
        for _ in range(draw.choice((0, 2, 5, 9))):
            edit(draw, side)


def keep_if_wrong(world, what):
    folder = os.environ.get("STINT_SYNC_KEEP")
    if folder:
        shutil.copytree(world.root, os.path.join(folder, what), symlinks=True, dirs_exist_ok=True)


def keep_before(world, seed):
    """As it is before a kill, for whoever looks for the cause."""
    folder = os.environ.get("STINT_SYNC_KEEP")
    if folder:
        last = os.path.join(folder, f"random{seed}-before")
        shutil.rmtree(last, ignore_errors=True)
        shutil.copytree(world.root, last, symlinks=True)


def random_world(seed, scratch, counts):
    draw = random.Random(seed)
    world = World(os.path.join(scratch, f"w{seed}"))
    log = []
    delay = 0.1
    try:
        for _ in range(4):
            some_edits(draw, world)
            for _ in range(draw.choice((0, 1, 1, 3))):
                options, reverse, before = random_options(draw), draw.random() < 0.3, world.trees()
                keep_before(world, seed)
                log.append((options, reverse, "killed"))
                killed = kill_later(world.start(options, reverse), draw.random() * delay)
                counts["killed"] += killed
                delay = delay * 1.3 if killed and delay < 2 else delay * 0.8
                check_kept(world, before, world.trees(), options)
                world.note_equal(False)
                if draw.random() < 0.3:
                    log.append("edited")
                    some_edits(draw, world)
            options, reverse = random_options(draw), draw.random() < 0.3
            log.append((options, reverse))
            for step, paths in finish(world, options, reverse).items():
                counts[step] = counts.get(step, 0) + paths
            counts["syncs"] += 1
    except Wrong as wrong:
        keep_if_wrong(world, f"random{seed}")
        raise Wrong(f"seed {seed}, {log}: {wrong}") from None
    shutil.rmtree(world.root)


def random_worlds(scratch, seconds, counts):
    ends, seed = time.monotonic() + seconds, SEED * 1000
    while counts["worlds"] == 0 or time.monotonic() < ends:
        random_world(seed, scratch, counts)
        counts["worlds"] += 1
        seed += 1


def fill(folder, files):
    for path, text in files.items():
        path = os.path.join(os.fsencode(folder), path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(text)


def every_kind(scratch, kind):
    """A world in which the next sync, both ways with deletions, does everything."""
    world = World(os.path.join(scratch, f"every-{kind}"))
    common = {b"sub/one": b"1", b"sub/two": b"22", b"gone/a": b"a", b"switch": b"file", b"away/b": b"b", b"turn/c": b"c", b"big": b"x" * 90000}
    fill(world.sides[0], common)
    finish(world, [], False)
    fill(world.sides[0], {b"sub/one": b"ONE", b"new\nline": b"n", b"own/\xe9": b"", b"big": b"y" * 90000, b"both": b"1"})
    fill(world.sides[1], {b"sub/two": b"TWO", b"other": b"o", b"both": b"2"})
    shutil.rmtree(os.path.join(world.sides[0], b"gone"))
    shutil.rmtree(os.path.join(world.sides[1], b"away"))
    remove(os.path.join(world.sides[0], b"switch"))
    fill(world.sides[0], {b"switch/now": b"a folder"})
    shutil.rmtree(os.path.join(world.sides[1], b"turn"))
    fill(world.sides[1], {b"turn": b"a file"})
    os.symlink(b"sub/one", os.path.join(world.sides[0], b"link"))
    os.mkdir(os.path.join(world.sides[1], b"empty"))
    return world


def every_step(scratch, kind, seconds, counts):
    """Killed at every step of that world, or at every Nth when there is no time for all."""
    world = every_kind(scratch, kind)
    kept, base = world.root + "-kept", dict(world.base)
    shutil.copytree(world.root, kept, symlinks=True)
    options, at, stride, ends = ["--both", "--delete"], 1, 1, time.monotonic() + seconds
    began = time.monotonic()
    while True:
        # in place: the state and kept manifests know the folders by their names
        shutil.rmtree(world.root)
        shutil.copytree(kept, world.root, symlinks=True)
        world.base = dict(base)
        before = world.trees()
        try:
            if not kill_at(world, options, False, at, kind):
                break
            check_kept(world, before, world.trees(), options)
            world.note_equal(False)
            finish(world, options, False)
        except Wrong as wrong:
            keep_if_wrong(world, f"{kind}{at}")
            raise Wrong(f"killed at {kind} {at}: {wrong}") from None
        counts["steps"] += 1
        spent = time.monotonic() - began
        if counts["steps"] == 5:
            stride = max(1, round(spent / 5 * 150 / seconds))
        at += stride
        if time.monotonic() > ends:
            counts["all"] = False
            break
    counts["all"] = counts.get("all", True) and stride == 1
    shutil.rmtree(world.root)
    shutil.rmtree(kept)


def no_permission(scratch):
    world = World(os.path.join(scratch, "denied"))
    fill(world.sides[0], {b"open": b"1", b"shut/in": b"2", b"file": b"3"})
    finish(world, ["--both"], False)
    fill(world.sides[0], {b"open": b"new", b"shut/in": b"new"})
    os.chmod(os.path.join(world.sides[1], b"shut"), 0)
    try:
        process = world.start(["--both", "--delete"])
        out, _ = process.communicate(timeout=60)
        steps = {row["step"]: row["paths"] for row in json.loads(out)["steps"]}
    finally:
        os.chmod(os.path.join(world.sides[1], b"shut"), 0o755)
    if steps["delete local"] or steps["delete remote"] or steps["upload"] != 1:
        raise Wrong(f"{steps}")
    finish(world, ["--both"], False)
    if differing(*world.trees()):
        raise Wrong("they are not equal afterwards")


number, failures = 0, 0


def ok(name, what, *args, skip=None):
    global number, failures
    number += 1
    if skip:
        print(f"ok {number} - {name} # SKIP {skip}")
        return
    try:
        what(*args)
        print(f"ok {number} - {name}", flush=True)
    except Wrong as wrong:
        failures += 1
        print(f"not ok {number} - {name}\n# {wrong}", flush=True)


def main():
    if shutil.which("rsync") is None:
        print("1..0 # SKIP there is no rsync here")
        return
    scratch = tempfile.mkdtemp(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None)
    print(f"# seed {SEED}, {SECONDS:g} s")
    try:
        for kind in ("boundary", "open"):
            counts = {"steps": 0}
            ok(f"killed at one step after the other ({kind})", every_step, scratch, kind, SECONDS / 4, counts)
            print(f"# {counts}")
        counts = {"worlds": 0, "killed": 0, "syncs": 0}
        ok("random trees and edits, killed at any moment", random_worlds, scratch, SECONDS / 2, counts)
        print(f"# {counts}")
        ok("a folder without permission", no_permission, scratch, skip="root may read everything" if os.geteuid() == 0 else None)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    print(f"1..{number}")
    sys.exit(failures > 0)


main()
