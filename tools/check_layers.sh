#!/bin/sh
# Fail when a file of src/ includes a module or a group of commands (src/op/GROUP) that tools/layers.txt
# does not allow, the internal.h of another folder, or a library that another module hides; and when
# tools/layers.txt allows what no file does.
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
    function group(name) { # "op/price" of "op/price/price.h"; empty for files of op itself
        return name ~ /^op\/.*\// ? substr(name, 1, 3 + index(substr(name, 4), "/") - 1) : ""
    }
    /^#include "/ {
        file = FILENAME; sub(/^src\//, "", file)
        from = file; sub(/\/.*/, "", from)
        name = $2; gsub(/"/, "", name)
        if (name == "stint.h") next
        to = name; sub(/\/.*/, "", to)
        used[from, to] = used[group(file), group(name)] = 1
        folder = name; sub(/[^\/]*$/, "", folder)
        if (!(from in known)) problem(from " is not in tools/layers.txt")
        else if (from != to && !((from, to) in may)) problem(from " may not include " to)
        else if (name ~ /[\/_]internal\.h$/ && index(file, folder) != 1) problem(name " is private to " folder)
        if (from == "op" && group(name) != "" && group(file) != group(name) && !((group(file), group(name)) in may))
            problem((group(file) == "" ? "op" : group(file)) " may not include " group(name))
    }
    /^#include <(yaml|zlib|lzma|zstd|expat)/ && FILENAME != "src/data/bundle/archive_part.c" {
        split(FILENAME, path, "/")
        if (path[2] != "doc" && FILENAME != "src/data/images/image_png.c") problem("only doc uses this library, and data/images/image_png.c zlib")
    }
    /^#include <(jpeglib|spng|webp)/ {
        split(FILENAME, path, "/")
        if (path[2] != "data") problem("only data uses this library")
    }
    /^#include <archive/ && FILENAME != "src/data/bundle/archive_part.c" {
        problem("only data/bundle/archive_part.c uses this library")
    }
    /^#include <curl/ {
        split(FILENAME, path, "/")
        if (path[2] != "net") problem("only net uses this library")
    }
    /^#include <pcre2/ {
        split(FILENAME, path, "/")
        if (path[2] != "run") problem("only run uses this library")
    }
    /^#include <sqlite3/ && FILENAME != "src/ledger/engine/sqlite.h" && FILENAME != "src/market/store_internal.h" {
        problem("only the ledger and the price store use this library: ledger/engine/sqlite.h, market/store_internal.h")
    }
    /^#include <libpq/ && FILENAME != "src/ledger/engine/postgres.c" {
        problem("only ledger/engine/postgres.c uses this library")
    }
    /^#include "ledger\/engine\/sqlite\.h"/ && FILENAME !~ /^src\/ledger\/engine\/sqlite/ {
        problem("an engine is private: ledger/engine/engine.h")
    }
    END {
        for (arrow in may) if (!(arrow in used)) {
            split(arrow, ends, SUBSEP)
            print "tools/layers.txt: no file of " ends[1] " includes " ends[2]; bad = 1
        }
        exit bad
    }
' tools/layers.txt
