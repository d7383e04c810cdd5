/* Is a delivery the one that is there, delivered again, or another part of it?
 *
 * The same month delivered again has the charges that are there, and more; another part has
 * none of them. What a charge is known by is what it is for and when it starts, not its amount,
 * which a correction changes. Of each bill a sample is kept: the smallest of all hashes of its
 * charges, so that a charge is in it by its content alone, and every one of a small bill is.
 * Charges that cost nothing do not count: nothing is lost with them. */
#include "ledger/bills_internal.h"

#include <stdlib.h>

#include "base/characters.h"
#include "base/num.h"

#define SAMPLE ((size_t)512)
#define KIND_SEED UINT64_C(0x5bd1e9955bd1e995)
#define HEX 16 /* digits of a number */

static const char read_marks[] = "SELECT marks FROM bills WHERE bill = ?1";

/* ---- what a charge is known by ---- */

static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    hash = (hash ^ hash >> 32) * UINT64_C(0xd6e8feb86659fd93);
    return hash ^ hash >> 29;
}

static uint64_t mark_of_kind(const struct bill_line *line)
{
    static const enum focus_column columns[] = {
        FOCUS_SubAccountId, FOCUS_ServiceName, FOCUS_RegionId,       FOCUS_ResourceId,
        FOCUS_SkuId,        FOCUS_SkuMeter,    FOCUS_ChargeCategory, FOCUS_PricingCategory};
    uint64_t hash = KIND_SEED;
    bool described = line->of[FOCUS_SkuId].len > 0 || line->of[FOCUS_SkuMeter].len > 0;

    for (size_t i = 0; i < ARRAY_LEN(columns); i++)
        hash = text_hash(hash + i, line->of[columns[i]]);
    if (!described) /* the words often contain prices, but nothing else distinguishes them */
        hash = text_hash(hash, line->of[FOCUS_ChargeDescription]);
    return mix(hash, (uint64_t)line->start.s);
}

static uint64_t mix_amount(uint64_t hash, struct decimal amount)
{
    struct decimal d = decimal_trim(amount, DECIMAL_MIN_SCALE);

    hash = mix(hash, (uint64_t)d.coefficient);
    return mix(hash, (uint64_t)(uwide)d.coefficient ^ (uint64_t)(int64_t)d.scale);
}

/* The very same charge: the amounts, too. */
static uint64_t mark_of_charge(const struct bill_line *line, uint64_t kind)
{
    uint64_t hash = mix(kind, (uint64_t)line->end.s);

    hash = mix_amount(hash, line->billed);
    return mix_amount(hash, line->effective);
}

/* ---- samples ---- */

static int by_number(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return x < y ? -1 : x > y;
}

/* Sorted, each once, and no more than a sample holds. */
static void sample_settle(struct mark_sample *s)
{
    size_t kept = 0;

    if (s->count > 0)
        qsort(s->at, s->count, sizeof s->at[0], by_number);
    for (size_t i = 0; i < s->count; i++)
        if (kept == 0 || s->at[kept - 1] != s->at[i])
            s->at[kept++] = s->at[i];
    s->count = kept;
    if (kept > SAMPLE) {
        s->count = SAMPLE;
        s->limit = s->at[SAMPLE - 1];
    }
}

static bool sample_add(struct mark_sample *s, uint64_t mark, struct arena *arena,
                       struct error *err)
{
    if (mark > s->limit)
        return true;
    if (s->count == 2 * SAMPLE)
        sample_settle(s);
    if (mark > s->limit)
        return true;
    s->at = arena_grow(arena, s->at, s->count, sizeof s->at[0], &s->room, err);
    if (s->at == NULL)
        return false;
    s->at[s->count++] = mark;
    return true;
}

/* How many different ones there are, from the sample. */
static double sample_distinct(const struct mark_sample *s)
{
    if (s->limit == UINT64_MAX)
        return (double)s->count;
    return (double)s->count / ((double)s->limit / 18446744073709551616.0);
}

static void sample_find(struct mark_sample *s, uint64_t mark)
{
    const uint64_t *at;

    if (mark > s->limit || s->count == 0)
        return;
    at = bsearch(&mark, s->at, s->count, sizeof s->at[0], by_number);
    if (at == NULL || s->found[at - s->at])
        return;
    s->found[at - s->at] = true;
    s->hits++;
}

static bool marks_add(struct bill_marks *m, const struct bill_line *line, uint64_t kind,
                      struct arena *arena, struct error *err)
{
    m->charges++;
    m->bare += line->of[FOCUS_ResourceId].len == 0;
    return sample_add(&m->kinds, kind, arena, err) &&
           sample_add(&m->exact, mark_of_charge(line, kind), arena, err);
}

/* ---- as they are kept ---- */

static void write_sample(const struct mark_sample *s, struct buf *out)
{
    buf_addf(out, " %016llx", (unsigned long long)s->limit);
    for (size_t i = 0; i < s->count; i++)
        buf_addf(out, "%016llx", (unsigned long long)s->at[i]);
}

void contain_settle(struct bill_marks *m)
{
    sample_settle(&m->kinds);
    sample_settle(&m->exact);
}

bool contain_write(const struct bill_marks *m, struct buf *out, struct error *err)
{
    buf_addf(out, "%lld %lld", (long long)m->charges, (long long)m->bare);
    write_sample(&m->kinds, out);
    write_sample(&m->exact, out);
    return buf_ok(out, err);
}

static bool read_number(struct str text, size_t at, uint64_t *out)
{
    *out = 0;
    for (size_t i = at; i < at + HEX; i++) {
        char c = text.at[i];
        unsigned digit = is_digit(c)            ? (unsigned)(c - '0')
                         : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10
                                                : 16;

        if (digit > 15)
            return false;
        *out = *out << 4 | digit;
    }
    return true;
}

/* 1: read; 0: it is none; -1 with the error set. */
static int read_sample(struct str text, struct mark_sample *s, struct arena *arena,
                       struct error *err)
{
    if (text.len < HEX || text.len % HEX != 0 || !read_number(text, 0, &s->limit))
        return 0;
    s->room = text.len / HEX;
    s->at = arena_array(arena, uint64_t, s->room, err);
    if (s->at == NULL)
        return -1;
    for (size_t i = HEX; i < text.len; i += HEX) {
        if (!read_number(text, i, &s->at[s->count]) ||
            (s->count > 0 && s->at[s->count] <= s->at[s->count - 1]))
            return 0;
        s->count++;
    }
    return 1;
}

static int read_text(struct str text, struct bill_marks *m, struct arena *arena,
                     struct error *err)
{
    struct str rest = text, charges = str_cut(&rest, ' '), bare = str_cut(&rest, ' ');
    struct str kinds = str_cut(&rest, ' ');
    int got;

    *m = (struct bill_marks){0};
    if (!num_int(charges, &m->charges) || !num_int(bare, &m->bare))
        return 0;
    got = read_sample(kinds, &m->kinds, arena, err);
    return got > 0 ? read_sample(rest, &m->exact, arena, err) : got;
}

/* ---- bills that are there ---- */

struct reread {
    struct bill_marks *marks;
    struct arena *arena;
};

static bool take_kept(void *ctx, const struct ledger_bill *bill, const struct bill_line *line,
                      struct error *err)
{
    const struct reread *r = ctx;

    (void)bill;
    if (line->billed.coefficient == 0 && line->effective.coefficient == 0)
        return true;
    return marks_add(r->marks, line, mark_of_kind(line), r->arena, err);
}

/* From its lines: a ledger of an earlier version has no samples. */
static bool reread(struct ledger *l, int64_t bill, struct bill_marks *m, struct arena *arena,
                   struct error *err)
{
    struct ledger_line_query query = {DAY_UNKNOWN, DAY_UNKNOWN, bill};
    struct reread r = {m, arena};

    contain_begin(m);
    if (!ledger_bill_lines(l, &query, take_kept, &r, err))
        return false;
    contain_settle(m);
    return true;
}

static int read_kept(struct ledger *l, int64_t bill, struct bill_marks *m, struct arena *arena,
                     struct error *err)
{
    struct query *q = ledger_query(l, read_marks, VALUES(as_int(bill)), err);
    int got = ledger_row(l, q, "read", err);

    if (got > 0) {
        got = column_null(q, 0) ? 0 : read_text(column_view(q, 0), m, arena, err);
        query_reset(q);
    }
    return got;
}

static bool load_marks(struct ledger *l, int64_t bill, struct bill_marks *m,
                       struct arena *arena, struct error *err)
{
    int tables = ledger_start_read(l, err), got = 0;

    if (tables < 0)
        return false;
    if (tables > 0) {
        got = read_kept(l, bill, m, arena, err);
        if (!ledger_finish(l, got >= 0, err))
            return false;
    }
    return got > 0 || reread(l, bill, m, arena, err);
}

static bool make_found(struct mark_sample *s, struct arena *arena, struct error *err)
{
    s->found = arena_array(arena, bool, s->count, err);
    return s->found != NULL;
}

bool contain_compare(struct ledger *l, struct loading *b, int64_t bill, struct arena *arena,
                     struct error *err)
{
    struct kept_bill *k;

    b->kept = arena_grow(arena, b->kept, b->kept_count, sizeof b->kept[0], &b->kept_room, err);
    if (b->kept == NULL)
        return false;
    k = &b->kept[b->kept_count];
    *k = (struct kept_bill){.bill = bill};
    if (!load_marks(l, bill, &k->marks, arena, err) ||
        !make_found(&k->marks.kinds, arena, err) || !make_found(&k->marks.exact, arena, err))
        return false;
    b->kept_count++;
    return true;
}

/* ---- lines that come in ---- */

void contain_begin(struct bill_marks *m)
{
    *m = (struct bill_marks){.kinds = {.limit = UINT64_MAX}, .exact = {.limit = UINT64_MAX}};
}

bool contain_note(struct loading *b, const struct bill_line *line, struct arena *arena,
                  struct error *err)
{
    uint64_t kind = mark_of_kind(line);

    for (size_t i = 0; i < b->kept_count; i++) {
        sample_find(&b->kept[i].marks.kinds, kind);
        sample_find(&b->kept[i].marks.exact, mark_of_charge(line, kind));
    }
    if (line->billed.coefficient == 0 && line->effective.coefficient == 0)
        return true;
    return marks_add(&b->marks, line, kind, arena, err);
}

/* ---- what that comes to ---- */

static double found_of(const struct mark_sample *s)
{
    return s->count > 0 ? (double)s->hits / (double)s->count : 1;
}

struct containment contain_of(const struct loading *now, const struct kept_bill *there)
{
    const struct bill_marks *m = &there->marks;
    double distinct = sample_distinct(&m->kinds), came = sample_distinct(&now->marks.kinds);
    struct containment c = {.charges = m->charges, .share = found_of(&m->kinds)};
    /* Sums are grouped by all that they are known by; charges without resources may not be. */
    bool apart = distinct >= 0.9 * (double)m->charges &&
                 (now->coarse || (double)m->bare <= 0.1 * (double)m->charges);

    c.exact = m->kinds.limit == UINT64_MAX && distinct >= (double)m->charges;
    c.found = (int64_t)m->kinds.hits;
    /* Charges that are known by the same, as of a service without its resources, may be others
     * in another part: some of the amounts must be the same as well. */
    c.contained = c.share >= 0.8 && (apart || found_of(&m->exact) >= 0.5);
    c.amounts = c.share >= 0.8 && !c.contained;
    c.apart = c.share <= 0.2;
    c.within = came <= 0 || c.share * distinct / came >= 0.5;
    return c;
}
