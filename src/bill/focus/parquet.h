/* parquet.h - Parquet files as a stream of CSV text, through DuckDB's library.
 *
 * Reading Parquet takes a library of 60 MB that few have: it is not linked but opened at run
 * time, by the loadable part `parquet`, from $STINT_DUCKDB or the usual places. The readers of
 * bills see a CSV file with the same columns: structs become columns named "service.id", lists
 * and maps JSON, times "2026-05-01T00:00:00Z", decimals all of their digits, null nothing.
 */
#ifndef BILL_FOCUS_PARQUET_H
#define BILL_FOCUS_PARQUET_H

#include "base/arena.h"
#include "base/source.h"
#include "base/str.h"

/* Do these first bytes of a file (4 or more) say that it is Parquet? */
bool parquet_is(struct str head);

struct parquet;

/* `path` is of a plain file and must outlive the reader. NULL with the error set: ERROR_ABSENT
 * with what to install or how to convert when the library is not there. */
struct parquet *parquet_open(const char *path, const struct alloc *alloc,
                             struct error *err) MUST_USE;
struct source parquet_source(struct parquet *parquet);
void parquet_close(struct parquet *parquet); /* NULL is fine */

/* The functions of the part. */
#define PARQUET_PART_VERSION 1

struct parquet_part {
    /* `library` is where DuckDB's is, NULL: in the usual places. */
    void *(*open)(const char *path, const char *library, const struct alloc *alloc,
                  struct error *err);
    ptrdiff_t (*read)(void *file, char *to, size_t room, struct error *err);
    void (*close)(void *file);
};

#endif
