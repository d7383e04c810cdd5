#!/usr/bin/python3
"""Run a checker on C files, in parallel, and only on those that changed since it last found nothing.

    lint_files.py clang-tidy|cppcheck BUILD FILE...

BUILD is a build folder whose compile commands are followed. A file is known to be clean by a digest of everything
the answer depends on: the file, all headers it includes (also those of the system), how it is compiled, the checker
with its version, its options and its configuration. Digests of clean files are kept in BUILD/lint; what a checker
finds is never kept, so it is printed again until it is repaired. Remove the folder to check everything anew.
"""
import concurrent.futures
import hashlib
import json
import os
import shlex
import subprocess
import sys
import time

KEPT_S = 60 * 86400  # digests that no run has asked for in this time are removed
CPPCHECK = ["cppcheck", "--quiet", "--std=c11", "--enable=warning,performance,portability", "--inline-suppr",
            "--error-exitcode=1", "--suppress=missingIncludeSystem", "-D_GNU_SOURCE", '-DSTINT_VERSION=""',
            '-DSTINT_BUILD=""', '-DSTINT_PARTS_DIR=""', "-Isrc", "-Iinclude"]
digests = {}


def output_of(words):
    return subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout


def digest_of(path):
    """Of a file's bytes; each is read once."""
    if path not in digests:
        with open(path, "rb") as file:
            digests[path] = hashlib.sha256(file.read()).digest()
    return digests[path]


def compile_commands(build):
    """What compiles each file: its folder and its words."""
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        return {os.path.realpath(os.path.join(entry["directory"], entry["file"])):
                (entry["directory"], shlex.split(entry["command"])) for entry in json.load(file)}


def included(folder, words):
    """The files that a compilation reads, as the compiler itself lists them."""
    kept, skip = [], False
    for word in words:
        if skip or word in ("-c", "-MD") or word.endswith("ccache"):
            skip = False
        elif word in ("-o", "-MQ", "-MF"):
            skip = True
        else:
            kept.append(word)
    rule = subprocess.run(kept + ["-M"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    names = rule.stdout.decode().replace("\\\n", " ").split(":", 1)[1].split()
    return sorted({os.path.realpath(os.path.join(folder, name)) for name in names})


class Checker:
    def __init__(self, name, build, commands):
        self.name, self.commands = name, commands
        self.folder = os.path.join(build, "lint", name)
        os.makedirs(self.folder, exist_ok=True)
        # Where char has a sign, a cast to it in a conditional expression is taken for a narrowing conversion.
        self.words = (["clang-tidy", "-p", build, "--quiet", "--extra-arg=-funsigned-char"] if name == "clang-tidy"
                      else CPPCHECK)
        self.base = hashlib.sha256(output_of([name, "--version"]))
        self.base.update(repr(self.words[:2] + CPPCHECK).encode())
        if name == "clang-tidy":
            self.base.update(digest_of(".clang-tidy"))

    def key(self, path):
        """Where it is noted that the file is clean; None when it is not compiled, or does not compile."""
        command = self.commands.get(os.path.realpath(path))
        if command is None:
            return None
        digest = self.base.copy()
        digest.update(repr((path, command[1])).encode())
        try:
            for name in included(*command):
                digest.update(name.encode() + b"\0" + digest_of(name))
        except (subprocess.CalledProcessError, OSError, IndexError):
            return None
        return os.path.join(self.folder, digest.hexdigest())

    def check(self, path):
        """(was it checked, what was found)"""
        key = self.key(path)
        if key is not None and os.path.exists(key):
            os.utime(key)
            return False, None
        ended = subprocess.run(self.words + [path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        found = ended.stdout + (ended.stderr if self.name == "cppcheck" or ended.returncode != 0 else b"")
        if ended.returncode != 0 or ended.stdout.strip():
            return True, found.decode(errors="replace").strip() or f"{path}: {self.name} failed"
        if key is not None:
            with open(key, "wb"):
                pass
        return True, None

    def forget_old(self):
        for entry in os.scandir(self.folder):
            if entry.stat().st_mtime < time.time() - KEPT_S:
                os.unlink(entry.path)


def main(name, build, *paths):
    checker = Checker(name, build, compile_commands(build))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(checker.check, paths))
    checker.forget_old()
    for _, found in results:
        if found is not None:
            print(found)
    print(f"{sum(checked for checked, _ in results)} of {len(paths)} files checked, the others are unchanged")
    return any(found is not None for _, found in results)


sys.exit(main(*sys.argv[1:]))
