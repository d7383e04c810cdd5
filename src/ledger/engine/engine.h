/* engine.h - what an engine does for the ledger: open, prepare, bind, step, begin, commit.
 *
 * SQLite is linked in; PostgreSQL is the loadable part `postgres`, whose functions are a
 * `struct engine` too. An engine knows nothing of runs or bills: all its input comes
 * as SQL in the words of db.h.
 */
#ifndef LEDGER_ENGINE_ENGINE_H
#define LEDGER_ENGINE_ENGINE_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/str.h"
#include "ledger/engine/db.h"
#include "ledger/ledger.h"

#define ENGINE_PART_VERSION 5

struct engine;

/* An open database; an engine's own begins with this. */
struct database {
    const struct engine *engine;
    const struct alloc *alloc;
    const char *name; /* as it is shown: never with a password */
    span patience;
};

/* A prepared statement; an engine's own begins with this. */
struct query {
    struct database *db;
    bool failed; /* a value could not be bound because memory ran out: the next step says so */
};

struct engine_options {
    const char *address; /* a file, or where the server is; secrets included */
    const char *name;    /* the same to be shown; outlives the database */
    enum ledger_mode mode;
    span patience;
    const struct alloc *alloc;
    bool (*stopped)(void); /* is the thread asked to end? For engines that are parts (stop.h) */
};

enum engine_begin {
    ENGINE_READ,  /* all at one moment */
    ENGINE_WRITE, /* beside other writers, where the engine can */
    ENGINE_ALONE, /* one such at a time */
};

struct engine {
    /* The database, and the version of its tables: 0 when there are none. It takes itself for
     * no one's when others have tables there. */
    struct database *(*open)(const struct engine_options *options, int *version,
                             struct error *err);
    void (*close)(struct database *db);
    void (*patience)(struct database *db, span patience);

    /* May it be written to, and how? After the version was found to be right. */
    bool (*ready)(struct database *db, bool fresh, struct error *err);

    struct query *(*prepare)(struct database *db, const char *sql, struct error *err);
    void (*free)(struct query *q);
    int (*step)(struct query *q, const char *doing, struct error *err); /* 1, 0, -1 */
    void (*reset)(struct query *q); /* values stay, so that it can be asked again */
    void (*clear)(struct query *q); /* and values go */

    /* From 1 on. Texts and bytes are not copied: they outlive the step. */
    void (*bind)(struct query *q, int at, const struct value *value);

    bool (*column_null)(struct query *q, int at);
    int64_t (*column_int)(struct query *q, int at);
    double (*column_real)(struct query *q, int at);
    struct str (*column_text)(struct query *q, int at); /* ends with a 0; NULL: at is NULL */
    void (*column_blob)(struct query *q, int at,
                        struct buf *out); /* appended; ERROR_INPUT: they are none */

    bool (*begin)(struct database *db, enum engine_begin how, struct error *err);
    bool (*commit)(struct database *db, struct error *err);
    void (*rollback)(struct database *db); /* if there is anything to undo */

    /* The next transaction need not be on the disk when commit returns. NULL: no. */
    void (*hasten)(struct database *db, bool on);

    /* Many rows are coming: take more memory, and let the disk catch up when they are done, or
     * at the next transaction that is not hastened. NULL: nothing need be done. */
    void (*bulk_mode)(struct database *db, bool on);

    /* The version, and the way to the next within a transaction. `sql`: many statements. */
    bool (*version)(struct database *db, int *out, struct error *err);
    bool (*make)(struct database *db, const char *sql, struct error *err);
    bool (*set_version)(struct database *db, int version, struct error *err);

    /* A number that is another one after others have written. */
    bool (*mark)(struct database *db, uint64_t *out, struct error *err);

    /* Keep a copy before the tables are changed. NULL: the tables are only changed when that
     * is asked for by name, and whoever does it keeps copies in the server's own way. */
    bool (*back_up)(struct database *db, int version, struct error *err);

    /* Much was removed: give the room back to the disk. That it cannot now does no harm. NULL:
     * the engine does so by itself. */
    void (*shrink)(struct database *db);

    /* Rows by the block, as COPY takes them: NULL, and rows are inserted one by one. */
    bool (*copy_start)(struct database *db, const char *sql, struct error *err);
    bool (*copy_put)(struct database *db, struct str rows, struct error *err);
    bool (*copy_end)(struct database *db, bool ok, struct error *err);

    /* Rows with keys of their own were added: new ones come after them. NULL: they do. */
    bool (*next_keys)(struct database *db, const char *table, const char *key,
                      struct error *err);

    /* Groups of users: who may read, write, change. NULL: the rights of the file are all. */
    bool (*make_roles)(struct database *db, struct ledger_roles *made, struct error *err);
};

extern const struct engine engine_sqlite;

/* There is no ledger of this name yet. Returns false. */
bool ledger_none(const char *name, struct error *err);

#endif
