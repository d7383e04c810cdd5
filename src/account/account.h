/* account.h - what questions about money are answered from.
 *
 * The values that every question needs, instead of whatever the caller's context holds. An
 * account is cheap to make and to copy: one with another arena or with empty messages asks the
 * same ledger into other memory, or quietly.
 */
#ifndef ACCOUNT_ACCOUNT_H
#define ACCOUNT_ACCOUNT_H

#include "base/arena.h"
#include "base/message.h"
#include "unit/time.h"

struct catalog;       /* catalog/catalog.h */
struct charge_memory; /* account/query/charges.h */
struct ledger;        /* ledger/ledger.h */

struct account_source {
    struct ledger *ledger; /* NULL: there is none, so nothing was spent */
    struct arena *arena;   /* answers and their texts live here */
    day today;
    struct messages messages;               /* for what may be wrong with an answer */
    const struct charge_memory *remembered; /* account_remember(); NULL: nothing */
    /* The catalog with at least these tables (TABLE_BIT), loaded at their first use: most
     * questions need none. NULL with the error set. */
    const struct catalog *(*catalog)(void *ctx, uint64_t tables, struct error *err);
    void *catalog_ctx;
    /* Called now and then by long questions: how much of what is done; false: stop. NULL:
     * neither reported nor stopped. */
    bool (*progress)(void *ctx, const char *what, uint64_t done);
    void *progress_ctx;
};

/* Report progress; false when the question is to be given up. */
static inline bool account_goes_on(const struct account_source *a, const char *what,
                                   uint64_t done)
{
    return a->progress == NULL || a->progress(a->progress_ctx, what, done);
}

/* The catalog with these tables; NULL with the error set. */
static inline const struct catalog *account_catalog(const struct account_source *a,
                                                    uint64_t tables, struct error *err)
{
    return a->catalog(a->catalog_ctx, tables, err);
}

#endif
