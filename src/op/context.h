/* context.h - what an operation works with (memory, clock, settings, messages, facts, prices),
 * and how to call one.
 *
 * Only operations and the adapters that call them use it. A module gets values instead.
 */
#ifndef OP_CONTEXT_H
#define OP_CONTEXT_H

#include "base/clock.h"
#include "base/message.h"
#include "base/watch.h"
#include "catalog/catalog.h"
#include "settings/settings.h"

struct op;    /* op/op.h */
struct store; /* market/store.h */

struct op_context {
    struct arena *arena; /* holds the result; freed by the caller when done with it */
    const struct clock *clock;
    const struct settings *settings;
    const struct settings_origin *settings_origin;
    struct messages messages; /* empty: the operation runs quietly */
    /* The process is the operation's: true in the program, false in a library and a server. */
    bool own_process;
    /* Of long work. `stopped` is first called by the thread that runs the operation; where it
     * is stop_asked() of base/stop.h, as in a server, everything that takes memory or reads the
     * ledger ends by itself. */
    struct watch watch;
    /* The request came from elsewhere: nothing in it is the name of a file, and nothing that is
     * marked as local is done (op_run). */
    bool remote;
    struct str team;        /* only what belongs to it; empty: everything */
    struct str by;          /* who asks: "token ci"; empty: the user of this process */
    struct catalog catalog; /* tables are loaded when an operation first needs them */
    struct store *store;    /* opened likewise */
    struct store *book;     /* the built-in prices as one, while that is empty (op_zones) */
    bool live;              /* the store's offers are among the catalog's */
    bool demo;              /* the ledger that was opened holds demo data */
    bool journals_reported; /* that runs wait to be added to the ledger */
    bool partly; /* set by an operation that did only part of its work: exit status 1 */
    /* Set by an operation that passes on how another program ended: the exit status, and the
     * signal that ended it. 0: not set. */
    int status, signal;
    /* Set by an operation that has something left to do after its result has been printed (or
     * its failure is certain). NULL: nothing. */
    void (*then)(struct op_context *ctx);
    void *then_ctx;
};

/* Now and today, by the context's clock. */
stamp op_now(const struct op_context *ctx);
day op_today(const struct op_context *ctx);

/* Who asks, for what is recorded. */
struct str op_user(const struct op_context *ctx);

/* A context for another operation, with its own arena, catalog and store, so that it may
 * outlive the call or be used by another thread; so the process is not its own. `quiet`:
 * without notes and warnings. Close it with op_done(). */
struct op_context op_apart(const struct op_context *ctx, struct arena *arena, bool quiet);

/* The process is ours alone, not a program that has loaded our library: call it first of all
 * (ledger_own_process). */
void op_own_process(void);

/* The operation of that name; NULL when there is none. */
const struct op *op_find(struct str name);

/* "there is no operation 'pirce.list'", with what was probably meant. */
bool op_unknown(struct str name, struct error *err);

/* Run an operation on a request that is filled in. Refuses to write to a file that it reads,
 * operations that need the process for themselves in a context that does not have it, and what
 * may not be asked from elsewhere. */
bool op_run(struct op_context *ctx, const struct op *op, const void *request, void *result,
            struct error *err) MUST_USE;

/* The clock to work with: the system's, or, if STINT_NOW is set, one that shows that moment,
 * which `fixed` keeps. */
bool op_clock(stamp *fixed, struct clock *out, struct error *err) MUST_USE;

/* Run an operation on a request in JSON (an object; empty means all defaults). The result is in
 * the context's arena. */
bool op_call_record(struct op_context *ctx, const struct op *op, struct str request,
                    const void **result, struct error *err) MUST_USE;

/* Likewise, and write its result as JSON. This is what the library and servers do. */
bool op_call(struct op_context *ctx, const struct op *op, struct str request, struct buf *out,
             struct error *err) MUST_USE;

/* An error as JSON: what the library and servers reply. */
void op_write_error(const struct error *err, struct buf *out);

/* A file that a request may name, where it may also name something else: a model, a plan, a
 * machine. Texts that come from elsewhere name none, and are not looked for. */
bool op_file_exists(const struct op_context *ctx, const char *path);
bool op_file_read(struct op_context *ctx, const char *path, size_t most, struct str *out,
                  struct error *err) MUST_USE;

/* "is a file": false, with the error that files cannot be named from elsewhere. */
bool op_refuse_file(struct str name, struct error *err);

/* Load the wanted tables (TABLE_BIT): built in, then the user's catalog folder. */
bool op_catalog(struct op_context *ctx, uint64_t tables, struct error *err) MUST_USE;

/* One provider's rows of a table, for callers that need no others (catalog_load_provider). */
bool op_catalog_provider(struct op_context *ctx, enum catalog_table table, struct str provider,
                         struct catalog *out, struct error *err) MUST_USE;

/* The price store of the settings, opened at its first use (store_open). NULL with the error
 * set. */
const struct store *op_store(struct op_context *ctx, struct error *err) MUST_USE;

/* Load the catalog's offers and add those of the store, with the user's discounts
 * subtracted. */
bool op_offers(struct op_context *ctx, struct error *err) MUST_USE;

/* Where the price store is; NULL with the error set when there is no home. */
const char *op_store_path(struct op_context *ctx, struct error *err) MUST_USE;

/* Close what the context opened. */
void op_done(struct op_context *ctx);

/* The accelerator that `name` means (accelerator_typed); `quiet`: without the note. */
const struct accelerator *op_accelerator(struct op_context *ctx, struct str name, bool quiet,
                                         struct error *err) MUST_USE;

/* The GPU and the count of "H100x8" (accelerator_count). */
bool op_gpu_count(struct op_context *ctx, struct str text, struct str *name, int64_t *count,
                  struct error *err) MUST_USE;

#endif
