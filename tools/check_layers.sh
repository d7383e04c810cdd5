#!/bin/sh
# Fail when a file of src/ includes a module that tools/layers.txt does not allow, or another
# module's *_internal.h, or a library that another module hides.
set -eu
# shellcheck disable=SC2016 # awk, not the shell, expands what is in the quotes
find src -name '*.[ch]' | sort | xargs awk '
    NR == FNR {
        if ($0 ~ /^#/ || NF == 0) next
        module = $1; sub(/:$/, "", module); known[module] = 1
        for (i = 2; i <= NF; i++) may[module, $i] = 1
        next
    }
    function problem(text) {
        printf "%s:%d: %s\n", FILENAME, FNR, text; bad = 1
    }
    /^#include "/ {
        split(FILENAME, path, "/"); from = path[2]
        name = $2; gsub(/"/, "", name)
        if (name == "stint.h") next
        to = name; sub(/\/.*/, "", to)
        if (!(from in known)) problem(from " is not in tools/layers.txt")
        else if (from != to && !((from, to) in may)) problem(from " may not include " to)
        else if (from != to && name ~ /_internal\.h$/) problem(name " is private to " to)
    }
    /^#include <(jansson|yaml|zlib|lzma|zstd|expat)/ {
        split(FILENAME, path, "/")
        if (path[2] != "doc") problem("only doc stands on this library")
    }
    /^#include <curl/ {
        split(FILENAME, path, "/")
        if (path[2] != "net") problem("only net stands on this library")
    }
    /^#include <pcre2/ {
        split(FILENAME, path, "/")
        if (path[2] != "run") problem("only run stands on this library")
    }
    /^#include <sqlite3/ && FILENAME != "src/ledger/sqlite.h" {
        problem("only the files of the engine stand on this library: ledger/sqlite.h")
    }
    /^#include <libpq/ && FILENAME != "src/ledger/postgres.h" {
        problem("only the part stands on this library: ledger/postgres.h")
    }
    /^#include "ledger\/(sqlite|postgres)\.h"/ && FILENAME !~ /^src\/ledger\/(sqlite|postgres)/ {
        problem("an engine is private: ledger/engine.h")
    }
    END { exit bad }
' tools/layers.txt
