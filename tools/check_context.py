#!/usr/bin/env python3
"""Functions of src/op that need no context: they belong into the room whose nouns they use.

An operation reads its request, calls modules and returns their records; all of that takes the context.
So a function of more than 15 lines that neither takes the context, nor reads a request, nor calls a function
of src/op that does, decides or computes something that another room should: it fails.
Usage: check_context.py [--report] [--values] [FOLDER|FILE...]

--report   list and count all, and succeed
--values   list also those that use the context, themselves or through what they call, only for its arena,
           clock, messages and catalog: values that a module can be given
"""
import argparse
import collections
import pathlib
import re
import sys

MOST = 15
HEAD = re.compile(r"^[A-Za-z_][^;=]*?\b(\w+)\(")
VALUES = {"arena", "clock", "messages", "catalog"}
Function = collections.namedtuple("Function", "name file line lines text")


def functions(path):
    """The functions that a file defines: a head at the margin, its body between braces there."""
    lines = path.read_text().split("\n")
    head = start = None
    for number, line in enumerate(lines, 1):
        if re.match(r"[A-Za-z_]", line):
            head = number
        elif line == "{" and head:
            start = head
        elif line == "}" and start:
            text = "\n".join(lines[start - 1:number])
            name = HEAD.match(" ".join(text.split("{")[0].split()))
            if name:
                yield Function(name.group(1), path, start, number - start + 1, text)
            head = start = None


def uses_itself(function):
    """Does it take something of the context that is not a value?"""
    text = function.text
    if re.search(r"\b(settings|store|remote|team|live|demo|own_process|stopped|progress)\b",
                 " ".join(re.findall(r"ctx->(\w+)", text))):
        return True
    return bool(set(re.findall(r"ctx->(\w+)", text)) - VALUES - {"ctx"})


def calls_with_context(function):
    """What it passes the context to."""
    return set(re.findall(r"\b(\w+)\((?=[^()]*\bctx\b(?!->))", function.text.split("{", 1)[1]))


def needing(all_functions):
    """Names of functions that need the context: by what they take or by what they call."""
    by_name = {f.name: f for f in all_functions}
    need = {f.name for f in all_functions if uses_itself(f)}
    while True:
        more = {f.name for f in all_functions if f.name not in need and any(
            call != "op_today" and (call in need or call not in by_name)
            for call in calls_with_context(f))}
        if not more:
            return need
        need |= more


def takes_context(all_functions):
    """Names of functions that take the context or a request, or call one of src/op that does."""
    names = {f.name for f in all_functions}
    calls = {f.name: set(re.findall(r"\b(\w+)\(", f.text.split("{", 1)[1])) & names for f in all_functions}
    takes = {f.name for f in all_functions
             if re.search(r"\bctx\b|struct op_context\b|struct op_[a-z]+ \*", f.text)
             or re.search(r"struct \w+_(request|ask)\b", f.text.split("{")[0])}
    while True:
        more = {name for name in names - takes if calls[name] & takes}
        if not more:
            return takes
        takes |= more


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--report", action="store_true")
    parser.add_argument("--values", action="store_true")
    parser.add_argument("paths", nargs="*")
    options = parser.parse_args()
    found = [f for path in sorted(pathlib.Path("src/op").rglob("*.c")) for f in functions(path)]
    takes = takes_context(found)
    need = needing(found) if options.values else set()
    bad = []
    for f in found:
        where = str(f.file)
        if f.lines <= MOST or options.paths and not any(
                where == p or where.startswith(p.rstrip("/") + "/") for p in options.paths):
            continue
        if f.name not in takes:
            bad.append(f)
            print(f"{where}:{f.line}: {f.name} ({f.lines} lines) does not use the context")
        elif options.values and f.name not in need:
            bad.append(f)
            print(f"{where}:{f.line}: {f.name} ({f.lines} lines) uses only values of the context")
    print(f"{len(bad)} functions, {sum(f.lines for f in bad)} lines, of {len(found)} in src/op")
    return bool(bad) and not options.report


if __name__ == "__main__":
    sys.exit(main())
