/* The loadable part `postgres`: with its sisters the only code that links libpq. */
#include "base/part.h"
#include "ledger/engine/postgres.h"

const struct engine pg_engine = {
    .open = pg_open,
    .close = pg_close,
    .patience = pg_patience,
    .ready = pg_ready,
    .prepare = pg_prepare,
    .free = pg_free,
    .step = pg_step,
    .reset = pg_reset,
    .clear = pg_clear,
    .bind_int = pg_bind_int,
    .bind_real = pg_bind_real,
    .bind_text = pg_bind_text,
    .bind_word = pg_bind_word,
    .bind_blob = pg_bind_blob,
    .bind_null = pg_bind_null,
    .column_null = pg_column_null,
    .column_int = pg_column_int,
    .column_real = pg_column_real,
    .column_text = pg_column_text,
    .column_blob = pg_column_blob,
    .begin = pg_begin,
    .commit = pg_commit,
    .rollback = pg_rollback,
    .version = pg_version,
    .make = pg_make,
    .set_version = pg_set_version,
    .copy_start = pg_copy_start,
    .copy_put = pg_copy_put,
    .copy_end = pg_copy_end,
    .next_keys = pg_next_keys,
    .make_roles = pg_make_roles,
};

EXPORTED extern const struct part stint_part;

const struct part stint_part = {
    .name = "postgres",
    .version = ENGINE_PART_VERSION,
    .functions = &pg_engine,
};
