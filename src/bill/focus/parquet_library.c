/* Opening DuckDB's library. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "bill/focus/parquet_duckdb.h"

static void *open_duck_library(const char *path)
{
    static const char *const usual[] = {
        "libduckdb.so",
        "/usr/local/lib/libduckdb.so",
        "/opt/duckdb/libduckdb.so",
        "/opt/homebrew/lib/libduckdb.dylib",
        "libduckdb.dylib",
    };
    void *handle = NULL;

    if (path != NULL)
        return dlopen(path, RTLD_NOW | RTLD_LOCAL);
    for (size_t i = 0; i < sizeof usual / sizeof *usual && handle == NULL; i++)
        handle = dlopen(usual[i], RTLD_NOW | RTLD_LOCAL);
    return handle;
}

static bool find_duck_symbol(void *handle, const char *name, void *to)
{
    void *symbol = dlsym(handle, name);

    if (symbol == NULL)
        return false;
    /* ISO C has no cast from object to function pointer; POSIX makes them alike. */
    memcpy(to, &symbol, sizeof symbol);
    return true;
}

/* Every function but `pending`, which has two names. The name of one that is not there, or NULL
 * when all are. */
static const char *find_duck_symbols(struct duck_library *library)
{
    const struct {
        const char *name;
        void *to;
    } wanted[] = {
        {"duckdb_open", &library->open},
        {"duckdb_close", &library->close},
        {"duckdb_connect", &library->connect},
        {"duckdb_disconnect", &library->disconnect},
        {"duckdb_query", &library->query},
        {"duckdb_destroy_result", &library->destroy_result},
        {"duckdb_result_error", &library->result_error},
        {"duckdb_column_count", &library->column_count},
        {"duckdb_column_name", &library->column_name},
        {"duckdb_column_logical_type", &library->column_type},
        {"duckdb_get_type_id", &library->type_id},
        {"duckdb_destroy_logical_type", &library->destroy_type},
        {"duckdb_struct_type_child_count", &library->child_count},
        {"duckdb_struct_type_child_name", &library->child_name},
        {"duckdb_struct_type_child_type", &library->child_type},
        {"duckdb_free", &library->free},
        {"duckdb_prepare", &library->prepare},
        {"duckdb_prepare_error", &library->prepare_error},
        {"duckdb_destroy_prepare", &library->destroy_prepare},
        {"duckdb_pending_error", &library->pending_error},
        {"duckdb_execute_pending", &library->execute},
        {"duckdb_destroy_pending", &library->destroy_pending},
        {"duckdb_fetch_chunk", &library->fetch},
        {"duckdb_data_chunk_get_size", &library->chunk_size},
        {"duckdb_data_chunk_get_vector", &library->chunk_vector},
        {"duckdb_destroy_data_chunk", &library->destroy_chunk},
        {"duckdb_vector_get_data", &library->vector_data},
        {"duckdb_vector_get_validity", &library->vector_validity},
    };

    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (!find_duck_symbol(library->handle, wanted[i].name, wanted[i].to))
            return wanted[i].name;
    /* The streaming one keeps memory bounded; it is called deprecated, and may go one day. */
    if (!find_duck_symbol(library->handle, "duckdb_pending_prepared_streaming",
                          &library->pending) &&
        !find_duck_symbol(library->handle, "duckdb_pending_prepared", &library->pending))
        return "duckdb_pending_prepared";
    return NULL;
}

bool duck_load(struct duck_library *library, const char *path, struct error *err)
{
    const char *absent;

    *library = (struct duck_library){.handle = open_duck_library(path)};
    if (library->handle == NULL && path != NULL)
        return error_fail(err, ERROR_ABSENT, "cannot open DuckDB's library '%s'", path);
    if (library->handle == NULL)
        return error_fail(err, ERROR_ABSENT, "DuckDB's library (libduckdb.so) is not here");
    absent = find_duck_symbols(library);
    if (absent == NULL)
        return true;
    (void)dlclose(library->handle);
    return error_fail(err, ERROR_ABSENT,
                      "DuckDB's library has no %s: version 1.0 or later is needed", absent);
}
