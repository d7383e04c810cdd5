/* parquet_duckdb.h - the functions of DuckDB's library that the part `parquet` calls.
 *
 * Declared here, after the stable C API of DuckDB 1.x (https://duckdb.org/docs/api/c), so that
 * the part builds without DuckDB's header.
 */
#ifndef BILL_FOCUS_PARQUET_DUCKDB_H
#define BILL_FOCUS_PARQUET_DUCKDB_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

/* Handles: what they point to is DuckDB's. */
typedef void *duck_handle;

/* `duckdb_result`: passed by value, so its size matters; nothing in it is for us. */
struct duck_result {
    uint64_t unused[3];
    void *also_unused[3];
};

/* `duckdb_string_t`: short texts are in it, of longer ones a pointer. */
union duck_text {
    struct {
        uint32_t len;
        char at[12];
    } here;
    struct {
        uint32_t len;
        char head[4];
        const char *at;
    } there;
};

#define DUCK_TEXT_HERE 12

/* The numbers of `duckdb_type` that are not simply cast to text. */
enum duck_type {
    DUCK_TIMESTAMP = 12,
    DUCK_TIMESTAMP_S = 20,
    DUCK_TIMESTAMP_MS = 21,
    DUCK_TIMESTAMP_NS = 22,
    DUCK_LIST = 24,
    DUCK_STRUCT = 25,
    DUCK_MAP = 26,
    DUCK_TIMESTAMP_TZ = 31,
    DUCK_ARRAY = 33,
};

struct duck_library {
    void *handle;
    int (*open)(const char *path, duck_handle *database); /* 0 is success, here and below */
    void (*close)(duck_handle *database);
    int (*connect)(duck_handle database, duck_handle *connection);
    void (*disconnect)(duck_handle *connection);
    int (*query)(duck_handle connection, const char *sql, struct duck_result *out);
    void (*destroy_result)(struct duck_result *result);
    const char *(*result_error)(struct duck_result *result);
    uint64_t (*column_count)(struct duck_result *result);
    const char *(*column_name)(struct duck_result *result, uint64_t column);
    duck_handle (*column_type)(struct duck_result *result, uint64_t column);
    int (*type_id)(duck_handle type);
    void (*destroy_type)(duck_handle *type);
    uint64_t (*child_count)(duck_handle type);
    char *(*child_name)(duck_handle type, uint64_t child);
    duck_handle (*child_type)(duck_handle type, uint64_t child);
    void (*free)(void *block);
    int (*prepare)(duck_handle connection, const char *sql, duck_handle *out);
    const char *(*prepare_error)(duck_handle prepared);
    void (*destroy_prepare)(duck_handle *prepared);
    int (*pending)(duck_handle prepared, duck_handle *out); /* streaming where there is one */
    const char *(*pending_error)(duck_handle pending);
    int (*execute)(duck_handle pending, struct duck_result *out);
    void (*destroy_pending)(duck_handle *pending);
    duck_handle (*fetch)(struct duck_result result); /* NULL at the end, and on failure */
    uint64_t (*chunk_size)(duck_handle chunk);
    duck_handle (*chunk_vector)(duck_handle chunk, uint64_t column);
    void (*destroy_chunk)(duck_handle *chunk);
    void *(*vector_data)(duck_handle vector);
    uint64_t *(*vector_validity)(duck_handle vector); /* NULL: all are valid */
};

/* Open the library at `path`, or in the usual places when that is NULL. It stays for the life
 * of the program: a C++ library with threads of its own is not safe to take out again. */
bool duck_load(struct duck_library *library, const char *path, struct error *err) MUST_USE;

#endif
