/* Entries of the dictionary and the tables: those that are there are found, some at a time; the
 * others are added under keys that were set aside for us. */
#include "ledger/bills_internal.h"

#include <string.h>

#define ASKED 16          /* digests in one question */
#define RESERVE_LEAST 256 /* keys that are set aside at once */

#define IN_16 "(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)"

static const char find_groups[] =
    "SELECT digest_0, digest_1, grp FROM bill_groups WHERE digest_0 IN " IN_16;

static const char reserve_groups[] =
    "UPDATE bill_state SET next_grp = next_grp + ?1 RETURNING next_grp";

/* `count` of the fresh entries: those that the table has get their keys. */
static bool ask(struct ledger *l, const char *sql, struct dictionary *d,
                const struct fresh *fresh, size_t count, struct error *err)
{
    struct query *q = ledger_query(l, sql, err);
    int got;

    if (q == NULL)
        return false;
    for (size_t i = 0; i < ASKED; i++) /* the last again, where there are fewer */
        bind_int(q, (int)i + 1,
                 (int64_t)d->entries[fresh[i < count ? i : count - 1].entry].digest.at[0]);
    while ((got = ledger_row(l, q, "read", err)) > 0) {
        struct digest found = {{(uint64_t)column_int(q, 0), (uint64_t)column_int(q, 1)}};

        for (size_t i = 0; i < count; i++) {
            struct entry *e = &d->entries[fresh[i].entry];

            if (e->digest.at[0] != found.at[0] || e->digest.at[1] != found.at[1])
                continue;
            if (e->key == 0 || column_int(q, 2) < e->key) /* of two the older, always */
                e->key = column_int(q, 2);
        }
    }
    return got == 0;
}

static bool find(struct ledger *l, const char *sql, struct dictionary *d, struct error *err)
{
    if (d->complete)
        return true;
    for (size_t i = 0; i < d->fresh_count; i += ASKED) {
        size_t left = d->fresh_count - i;

        if (!ask(l, sql, d, d->fresh + i, left < ASKED ? left : ASKED, err))
            return false;
    }
    return true;
}

static struct str text_of(const struct dictionary *d, const struct fresh *f)
{
    return (struct str){d->texts.at + f->text, f->length};
}

static void forget_texts(struct dictionary *d)
{
    d->fresh_count = 0;
    buf_clear(&d->texts);
}

static bool add_groups(struct ledger_import *i, struct error *err)
{
    static const char *const columns[] = {"grp", "digest_0", "digest_1",
#define DIMENSION_COLUMN(name, help) #name,
                                          DIMENSIONS(DIMENSION_COLUMN)
#undef DIMENSION_COLUMN
    };
    struct dictionary *d = &i->groups;
    struct bulk *b = bulk_open(i->l, "bill_groups", columns, ARRAY_LEN(columns), err);
    bool ok = b != NULL;

    for (size_t n = 0; ok && n < d->fresh_count; n++) {
        struct entry *e = &d->entries[d->fresh[n].entry];
        struct str values = text_of(d, &d->fresh[n]);

        if (e->key != 0)
            continue;
        e->key = i->next_group++;
        bulk_int(b, e->key);
        bulk_int(b, (int64_t)e->digest.at[0]);
        bulk_int(b, (int64_t)e->digest.at[1]);
        for (int column = 0; column < DIMENSION_COUNT; column++)
            bulk_text(b, str_cut(&values, '\0'));
        ok = bulk_row(b, err);
    }
    return b != NULL && bulk_close(b, ok, err) && ok;
}

/* Of things that are new: by the number of their group's entry until now. */
static void settle_things(struct ledger_import *i)
{
    struct dictionary *d = &i->things;

    for (size_t n = 0; n < d->fresh_count; n++) {
        struct entry *e = &d->entries[d->fresh[n].entry];

        e->group = i->groups.entries[e->group].key;
    }
    d->fresh_count = 0;
}

bool settle_groups(struct ledger_import *i, struct error *err)
{
    struct dictionary *d = &i->groups;
    bool missing = false;

    if (!find(i->l, find_groups, d, err))
        return false;
    for (size_t n = 0; n < d->fresh_count; n++)
        missing |= d->entries[d->fresh[n].entry].key == 0;
    if (missing && !add_groups(i, err))
        return false;
    forget_texts(d);
    settle_things(i);
    return true;
}

/* Set so many keys aside: from *next up to *end. What was left over is given up. */
static bool reserve(struct ledger *l, const char *sql, size_t wanted, int64_t *next,
                    int64_t *end, struct error *err)
{
    int64_t count = wanted < RESERVE_LEAST ? RESERVE_LEAST : (int64_t)wanted;
    struct query *q = ledger_query(l, sql, err);
    int got;

    if (q == NULL)
        return false;
    bind_int(q, 1, count);
    got = ledger_row(l, q, "write", err);
    if (got > 0) {
        *end = column_int(q, 0);
        *next = *end - count;
        got = ledger_row(l, q, "write", err);
        return got == 0;
    }
    return got < 0 ? false : error_fail(err, ERROR_FAILED, "the ledger has lost its counters");
}

/* A transaction of its own, so that of two imports neither waits for the other's chunk. */
bool settle_reserve(struct ledger_import *i, struct error *err)
{
    if (i->end_group - i->next_group >= (int64_t)i->groups.fresh_count)
        return true;
    return ledger_start_write(i->l, err) &&
           ledger_finish(i->l,
                         reserve(i->l, reserve_groups, i->groups.fresh_count, &i->next_group,
                                 &i->end_group, err),
                         err);
}
