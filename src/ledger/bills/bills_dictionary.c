/* Texts that repeat are stored once: digests to keys, in bounded memory. */
#include <string.h>

#include "ledger/bills_internal.h"

/* SipHash-1-3 of 128 bits (Aumasson and Bernstein, https://www.aumasson.jp/siphash), over words
 * of eight bytes: each text is padded to whole words after one that has its number and length,
 * so that nothing is copied together first and no two lists of texts look the same. */

static inline uint64_t rotate_left(uint64_t x, int by)
{
    return x << by | x >> (64 - by);
}

static inline void mix_round(uint64_t v[static 4])
{
    v[0] += v[1];
    v[1] = rotate_left(v[1], 13) ^ v[0];
    v[0] = rotate_left(v[0], 32);
    v[2] += v[3];
    v[3] = rotate_left(v[3], 16) ^ v[2];
    v[0] += v[3];
    v[3] = rotate_left(v[3], 21) ^ v[0];
    v[2] += v[1];
    v[1] = rotate_left(v[1], 17) ^ v[2];
    v[2] = rotate_left(v[2], 32);
}

static inline void digest_word(struct digester *d, uint64_t word)
{
    d->v[3] ^= word;
    mix_round(d->v);
    d->v[0] ^= word;
}

void digest_start(struct digester *d, const uint64_t key[2])
{
    d->v[0] = key[0] ^ UINT64_C(0x736f6d6570736575);
    d->v[1] = key[1] ^ UINT64_C(0x646f72616e646f6d) ^ 0xee;
    d->v[2] = key[0] ^ UINT64_C(0x6c7967656e657261);
    d->v[3] = key[1] ^ UINT64_C(0x7465646279746573);
    d->words = 0;
}

void digest_text(struct digester *d, uint32_t number, struct str text)
{
    const char *at = text.at;
    size_t len = text.len;
    struct digester local = *d; /* in registers */
    uint64_t word;

    digest_word(&local, (uint64_t)number << 40 ^ len);
    for (; len >= sizeof word; at += sizeof word, len -= sizeof word) {
        memcpy(&word, at, sizeof word);
        digest_word(&local, word);
    }
    if (len > 0) {
        word = 0;
        memcpy(&word, at, len);
        digest_word(&local, word);
    }
    local.words += 1 + (text.len + 7) / 8;
    *d = local;
}

struct digest digest_end(struct digester *d)
{
    struct digest out;

    digest_word(d, d->words);
    d->v[2] ^= 0xee;
    for (int i = 0; i < 3; i++)
        mix_round(d->v);
    out.at[0] = d->v[0] ^ d->v[1] ^ d->v[2] ^ d->v[3];
    d->v[1] ^= 0xdd;
    for (int i = 0; i < 3; i++)
        mix_round(d->v);
    out.at[1] = d->v[0] ^ d->v[1] ^ d->v[2] ^ d->v[3];
    return out;
}

/* ---- the dictionary ---- */

#define TEXTS_ROOM 4 /* a share of the memory: 1 in so many, for texts of new entries */
#define FRESH_ROOM BLOCK_LINES
#define SLOTS_LEAST ((size_t)64)

/* Texts are few or many; a single one may be longer than its share. */
#define TEXT_MAX ((size_t)64 << 20)

static void *slots_get(const struct alloc *alloc, size_t size)
{
    return alloc->get(alloc->ctx, size);
}

static void slots_put(const struct alloc *alloc, void *block)
{
    if (block != NULL)
        alloc->put(alloc->ctx, block);
}

bool dictionary_make(struct dictionary *d, const struct alloc *alloc, size_t memory,
                     struct error *err)
{
    size_t most = (memory - memory / TEXTS_ROOM) / (sizeof d->entries[0] - 4), room;
    size_t slots = SLOTS_LEAST;

    while (slots * 2 <= most)
        slots *= 2;
    room = slots - slots / 4; /* three quarters of the slots may be taken */
    *d = (struct dictionary){.alloc = alloc,
                             .room = room,
                             .slot_count = slots,
                             .fresh_room = room < FRESH_ROOM ? room : FRESH_ROOM,
                             .text_limit = memory / TEXTS_ROOM,
                             .texts = buf_new(alloc, TEXT_MAX)};
    d->entries = slots_get(alloc, room * sizeof d->entries[0]);
    d->slots = slots_get(alloc, slots * sizeof d->slots[0]);
    d->fresh = slots_get(alloc, d->fresh_room * sizeof d->fresh[0]);
    if (d->entries == NULL || d->slots == NULL || d->fresh == NULL)
        return error_memory(err);
    memset(d->slots, 0, slots * sizeof d->slots[0]);
    return true;
}

void dictionary_free(struct dictionary *d)
{
    if (d->alloc == NULL)
        return;
    slots_put(d->alloc, d->entries);
    slots_put(d->alloc, d->slots);
    slots_put(d->alloc, d->fresh);
    buf_free(&d->texts);
}

uint32_t dictionary_find(struct dictionary *d, struct digest digest, bool *added)
{
    size_t mask = d->slot_count - 1, at = (size_t)digest.at[0] & mask;

    for (; d->slots[at] != 0; at = (at + 1) & mask) {
        const struct entry *e = &d->entries[d->slots[at] - 1];

        if (e->digest.at[0] == digest.at[0] && e->digest.at[1] == digest.at[1]) {
            *added = false;
            return d->slots[at] - 1;
        }
    }
    d->entries[d->count] = (struct entry){.digest = digest};
    d->slots[at] = (uint32_t)++d->count;
    *added = true;
    return (uint32_t)d->count - 1;
}

bool dictionary_fresh(struct dictionary *d, uint32_t entry, size_t start, struct error *err)
{
    if (!buf_ok(&d->texts, err))
        return false;
    d->fresh[d->fresh_count++] = (struct fresh){
        .entry = entry, .text = start, .length = (uint32_t)(d->texts.len - start)};
    return true;
}

bool dictionary_full(const struct dictionary *d)
{
    return d->count == d->room || d->fresh_count == d->fresh_room ||
           d->texts.len > d->text_limit;
}

bool dictionary_spent(const struct dictionary *d)
{
    return d->count + d->fresh_room / 2 >= d->room;
}

void dictionary_forget(struct dictionary *d)
{
    memset(d->slots, 0, d->slot_count * sizeof d->slots[0]);
    d->count = 0;
    d->complete = false;
}

/* ---- entries and the tables: those that exist are looked up, a few at a time; the others
 * are added under reserved keys ---- */

#define ASKED 16          /* digests in one question */
#define RESERVE_LEAST 256 /* keys that are set aside at once */

#define IN_16 "(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)"

static const char find_groups[] =
    "SELECT digest_0, digest_1, grp FROM bill_groups WHERE digest_0 IN " IN_16;

static const char reserve_groups[] =
    "UPDATE bill_state SET next_grp = next_grp + ?1 RETURNING next_grp";

/* `count` of the fresh entries: those that the table has get their keys. */
static bool ask_keys(struct ledger *l, const char *sql, struct dictionary *d,
                     const struct fresh *fresh, size_t count, struct error *err)
{
    struct query *q = ledger_query(l, sql, NO_VALUES, err);
    int got;

    for (size_t i = 0; i < ASKED; i++) /* the last again, where there are fewer */
        query_bind(
            q, (int)i + 1,
            as_int((int64_t)d->entries[fresh[i < count ? i : count - 1].entry].digest.at[0]));
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

static bool find_dictionary_keys(struct ledger *l, const char *sql, struct dictionary *d,
                                 struct error *err)
{
    if (d->complete)
        return true;
    for (size_t i = 0; i < d->fresh_count; i += ASKED) {
        size_t left = d->fresh_count - i;

        if (!ask_keys(l, sql, d, d->fresh + i, left < ASKED ? left : ASKED, err))
            return false;
    }
    return true;
}

void group_names(struct str names, struct dimensions *out)
{
    for (int n = 0; n < DIMENSION_COUNT; n++)
        out->of[n] = str_cut(&names, '\0');
}

static struct str fresh_text(const struct dictionary *d, const struct fresh *f)
{
    return (struct str){d->texts.at + f->text, f->length};
}

static void forget_texts(struct dictionary *d)
{
    d->fresh_count = 0;
    buf_clear(&d->texts);
}

static bool add_fresh_groups(struct ledger_import *i, struct error *err)
{
    static const char *const columns[] = {"grp", "digest_0", "digest_1", "names"};
    struct dictionary *d = &i->groups;
    struct bulk *b = bulk_open(i->l, "bill_groups", columns, ARRAY_LEN(columns), err);
    bool ok = b != NULL;

    for (size_t n = 0; ok && n < d->fresh_count; n++) {
        struct entry *e = &d->entries[d->fresh[n].entry];

        if (e->key != 0)
            continue;
        e->key = i->next_group++;
        bulk_put(b, as_int(e->key));
        bulk_put(b, as_int((int64_t)e->digest.at[0]));
        bulk_put(b, as_int((int64_t)e->digest.at[1]));
        bulk_put(b, as_blob(fresh_text(d, &d->fresh[n])));
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

    if (!find_dictionary_keys(i->l, find_groups, d, err))
        return false;
    for (size_t n = 0; n < d->fresh_count; n++)
        missing |= d->entries[d->fresh[n].entry].key == 0;
    if (missing && !add_fresh_groups(i, err))
        return false;
    forget_texts(d);
    settle_things(i);
    return true;
}

/* Set so many keys aside: from *next up to *end. What was left over is given up. */
static bool reserve_keys(struct ledger *l, const char *sql, size_t wanted, int64_t *next,
                         int64_t *end, struct error *err)
{
    int64_t count = wanted < RESERVE_LEAST ? RESERVE_LEAST : (int64_t)wanted;
    struct query *q = ledger_query(l, sql, VALUES(as_int(count)), err);
    int got = ledger_row(l, q, "write", err);

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
                         reserve_keys(i->l, reserve_groups, i->groups.fresh_count,
                                      &i->next_group, &i->end_group, err),
                         err);
}
