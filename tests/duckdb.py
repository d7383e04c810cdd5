#!/usr/bin/python3
"""DuckDB's shell for machines where only its library is to be had: the options that Stint uses, on DuckDB itself.

Called duckdb in a folder of PATH, with STINT_TEST_DUCKDB=/path/to/libduckdb.so (npm pack @duckdb/node-bindings-linux-x64
has one), it makes tests/cli/data_tables.t run. SQL comes from standard input."""
import ctypes
import os
import sys

class Result(ctypes.Structure):
    _fields_ = [(n, ctypes.c_uint64) for n in ("a", "b", "c")] + [(n, ctypes.c_void_p) for n in ("d", "e", "f")]

def main():
    options = sys.argv[1:]
    allowed = {"-init": 1, "-bail": 0, "-list": 0, "-noheader": 0, "-batch": 0}
    while options:
        name = options.pop(0)
        if name == ":memory:":
            continue
        del options[:allowed[name]]
    lib = ctypes.CDLL(os.environ["STINT_TEST_DUCKDB"])
    P, V = ctypes.POINTER, ctypes.c_void_p
    lib.duckdb_value_varchar.restype = V
    lib.duckdb_value_varchar.argtypes = [P(Result), ctypes.c_uint64, ctypes.c_uint64]
    for f in ("duckdb_row_count", "duckdb_column_count", "duckdb_extract_statements"):
        getattr(lib, f).restype = ctypes.c_uint64
    for f in ("duckdb_result_error", "duckdb_prepare_error", "duckdb_extract_statements_error"):
        getattr(lib, f).restype = ctypes.c_char_p
    db, con, many = V(), V(), V()
    assert lib.duckdb_open(None, ctypes.byref(db)) == 0 and lib.duckdb_connect(db, ctypes.byref(con)) == 0
    def fail(text):
        sys.stdout.flush()
        sys.stderr.write((text or b"?").decode() + "\n")
        os._exit(1)
    sql = sys.stdin.buffer.read()
    count = lib.duckdb_extract_statements(con, sql, ctypes.byref(many))
    if count == 0:
        fail(lib.duckdb_extract_statements_error(many))
    for i in range(count):
        one, result = V(), Result()
        if lib.duckdb_prepare_extracted_statement(con, many, ctypes.c_uint64(i), ctypes.byref(one)):
            fail(lib.duckdb_prepare_error(one))
        if lib.duckdb_execute_prepared(one, ctypes.byref(result)):
            fail(lib.duckdb_result_error(ctypes.byref(result)))
        if not lib.duckdb_column_count(ctypes.byref(result)): continue
        for row in range(lib.duckdb_row_count(ctypes.byref(result))):
            cells = []
            for col in range(lib.duckdb_column_count(ctypes.byref(result))):
                at = lib.duckdb_value_varchar(ctypes.byref(result), col, row)
                cells.append(ctypes.string_at(at).decode() if at else "")
            print("|".join(cells))
    sys.stdout.flush()
    os._exit(0)

main()
