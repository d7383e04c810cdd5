/* The same money under another account or in another format: Azure's export and its FOCUS file
 * name the account differently, a payer's report has what the linked account's has, Oracle's
 * report names the tenancy and its FOCUS file the subscription.
 *
 * What both have in common is what each resource cost on each day. Of every bill a sample of
 * these sums is kept: those with the smallest hashes of resource and day, so that two bills
 * keep the same ones. When all but little of the smaller sample is in the other, it is the
 * same money: that is refused, or replaced when the user says so. Bills without resources
 * are compared by the accounts, projects or subscriptions within them in the same way, and
 * by what each day cost (bills_same_days.c). Less than that, or the same total of the same
 * days, is a guess and only reported; unless the account is the same, however it is written.
 *
 * Only what came again is replaced: what the other bill has of other days stays, and a bill
 * that has more on the same days, such as a payer's, is not replaced by a part of it. */
#include <math.h>
#include <string.h>

#include "base/characters.h"
#include "base/num.h"
#include "ledger/bills_internal.h"

#define MONEY_SAMPLE ((size_t)256)
#define MONEY_SEED UINT64_C(0x6d6f6e65796d6f6e)
#define ID_MAX 400
#define FEW_DAYS ((size_t)5)
#define LOADS_MAX ((size_t)4096) /* samples of bills that are read */

static const char bury_same[] =
    "UPDATE bills SET state = 'gone' WHERE bill = ?1 AND state = 'current' RETURNING bill";

/* ---- what a resource cost on a day ---- */

/* Ids that clouds give are paths, or long and with digits; names such as "vm-1" are the same in
 * many accounts. In a table of one's own, longer ones are names, too: "node-0001". */
static bool is_given_id(struct str id, bool own_names)
{
    size_t digits = 0, slashes = 0;

    for (size_t i = 0; i < id.len; i++) {
        digits += is_digit(id.at[i]);
        slashes += id.at[i] == '/';
    }
    if (own_names)
        return id.len >= 12 && digits >= 4;
    return slashes >= 3 || str_starts(id, STR("ocid1.")) || str_starts(id, STR("arn:")) ||
           (id.len >= 8 && digits >= 3);
}

/* Without what is written differently: case, a slash at the end, the path of an ARN. */
static struct str plain_id(struct str id, char *room)
{
    bool arn = str_starts(id, STR("arn:"));
    size_t start = 0;

    id = str_trim(id);
    while (id.len > 0 && id.at[id.len - 1] == '/')
        id.len--;
    id.len = id.len > ID_MAX ? ID_MAX : id.len;
    for (size_t i = 0; i < id.len; i++) {
        room[i] = to_lower(id.at[i]);
        if (arn && (room[i] == '/' || room[i] == ':'))
            start = i + 1;
    }
    return (struct str){room + start, id.len - start};
}

/* "8608480" is the account "/providers/Microsoft.Billing/billingAccounts/8608480". */
static struct str account_core(struct str account)
{
    for (size_t i = account.len; i > 0; i--)
        if (account.at[i - 1] == '/')
            return (struct str){account.at + i, account.len - i};
    return account;
}

void money_sample_begin(struct money_sample *s)
{
    *s = (struct money_sample){.limit = UINT64_MAX};
}

/* Where the hash is, or would be. */
static size_t money_sample_place(const struct money_sample *s, uint64_t hash)
{
    size_t low = 0, high = s->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (s->at[middle].hash < hash)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static struct money_mark *insert_mark(struct money_sample *s, size_t at, uint64_t hash,
                                      struct arena *arena, struct error *err)
{
    if (s->count == MONEY_SAMPLE) { /* the largest hash leaves for good */
        s->count--;
        s->limit = s->at[s->count].hash;
    } else {
        s->at = arena_grow(arena, s->at, s->count, sizeof s->at[0], &s->room, err);
        if (s->at == NULL)
            return NULL;
    }
    memmove(&s->at[at + 1], &s->at[at], (s->count - at) * sizeof s->at[0]);
    s->at[at] = (struct money_mark){.hash = hash};
    s->count++;
    return &s->at[at];
}

static struct decimal mark_sum(const struct money_mark *m, int which)
{
    return (struct decimal){m->coefficient[which], m->scale[which]};
}

static void add_to_mark(struct money_mark *m, int which, struct decimal amount)
{
    struct decimal sum;

    if (!decimal_add(mark_sum(m, which), amount, &sum) || sum.scale < INT8_MIN ||
        sum.scale > INT8_MAX)
        return;
    m->coefficient[which] = sum.coefficient;
    m->scale[which] = (int8_t)sum.scale;
}

/* To the sum of what has this hash, which is of one day. */
static bool add_to_sample(struct money_sample *s, uint64_t hash, int32_t on,
                          const struct bill_line *line, struct arena *arena, struct error *err)
{
    struct money_mark *mark;
    size_t at;

    if (hash >= s->limit)
        return true;
    at = money_sample_place(s, hash);
    if (at < s->count && s->at[at].hash == hash) {
        mark = &s->at[at];
    } else {
        if (s->count == MONEY_SAMPLE && at == s->count) {
            s->limit = hash; /* it is not in it, so nothing from here on is */
            return true;
        }
        mark = insert_mark(s, at, hash, arena, err);
    }
    if (mark == NULL)
        return false;
    mark->day = on;
    add_to_mark(mark, 0, line->billed);
    add_to_mark(mark, 1, line->effective);
    return true;
}

bool money_note(struct bill_marks *m, const struct bill_line *line, bool own_names,
                struct arena *arena, struct error *err)
{
    char room[ID_MAX];
    struct str id = line->of[FOCUS_ResourceId],
               account = account_core(line->of[FOCUS_SubAccountId]);
    int32_t on = day_of(line->start).n;
    uint64_t hash;

    if (is_given_id(id, own_names)) {
        hash = number_hash(text_hash(MONEY_SEED, plain_id(id, room)), (uint64_t)(int64_t)on);
        if (!add_to_sample(&m->money, hash, on, line, arena, err))
            return false;
    }
    if (!is_given_id(account, true))
        return true;
    hash = number_hash(text_hash(MONEY_SEED, plain_id(account, room)), (uint64_t)(int64_t)on);
    return add_to_sample(&m->accounts, hash, on, line, arena, err);
}

/* ---- as it is kept ---- */

void money_sample_write(const struct money_sample *s, struct buf *out)
{
    buf_addf(out, " %016llx", (unsigned long long)s->limit);
    for (size_t i = 0; i < s->count; i++) {
        buf_addf(out, ";%llx,%d,", (unsigned long long)s->at[i].hash, (int)s->at[i].day);
        decimal_write(mark_sum(&s->at[i], 0), out);
        buf_char(out, ',');
        decimal_write(mark_sum(&s->at[i], 1), out);
    }
}

static bool read_hash(struct str text, uint64_t *out)
{
    *out = 0;
    for (size_t i = 0; i < text.len; i++) {
        int digit = is_digit(text.at[i])                     ? text.at[i] - '0'
                    : text.at[i] >= 'a' && text.at[i] <= 'f' ? text.at[i] - 'a' + 10
                                                             : -1;

        if (digit < 0 || i == 16)
            return false;
        *out = *out << 4 | (uint64_t)digit;
    }
    return text.len > 0;
}

static bool read_money_mark(struct str text, struct money_mark *out)
{
    struct str hash = str_cut(&text, ','), on = str_cut(&text, ','), billed;
    struct decimal sums[2];
    int64_t number;

    billed = str_cut(&text, ',');
    if (!read_hash(hash, &out->hash) || !num_int(on, &number) || number < INT32_MIN ||
        number > INT32_MAX || !decimal_parse(billed, &sums[0]) ||
        !decimal_parse(text, &sums[1]))
        return false;
    out->day = (int32_t)number;
    for (int n = 0; n < 2; n++) {
        out->coefficient[n] = sums[n].coefficient;
        out->scale[n] = (int8_t)sums[n].scale;
    }
    return true;
}

int money_sample_read(struct str text, struct money_sample *s, struct arena *arena,
                      struct error *err)
{
    struct str limit = str_cut(&text, ';');

    money_sample_begin(s);
    if (!read_hash(limit, &s->limit))
        return 0;
    while (text.len > 0) {
        struct money_mark mark;

        if (!read_money_mark(str_cut(&text, ';'), &mark) || s->count == MONEY_SAMPLE ||
            (s->count > 0 && mark.hash <= s->at[s->count - 1].hash))
            return 0;
        s->at = arena_grow(arena, s->at, s->count, sizeof s->at[0], &s->room, err);
        if (s->at == NULL)
            return -1;
        s->at[s->count++] = mark;
    }
    return 1;
}

/* ---- two bills ---- */

/* How much of two samples, of the days that both have, is the same. */
struct common {
    size_t least;   /* sums of the bill that has fewer */
    size_t present; /* resources and days that both have */
    size_t equal;   /* with the same sums */
    bool sampled;
    const char *by; /* NULL: by days alone */
};

static bool about_equal(struct decimal a, struct decimal b)
{
    double x = decimal_double(a), y = decimal_double(b);

    return fabs(x - y) <= 0.005 * fmax(fabs(x), fabs(y));
}

static bool counts_mark(const struct money_mark *m, int which, uint64_t limit, int32_t first,
                        int32_t last)
{
    return m->hash < limit && m->day >= first && m->day <= last && m->coefficient[which] != 0;
}

static struct common compare_samples(const struct money_sample *a, const struct money_sample *b,
                                     int which, int32_t first, int32_t last)
{
    uint64_t limit = a->limit < b->limit ? a->limit : b->limit;
    struct common c = {.sampled = limit != UINT64_MAX, .by = "resource"};
    size_t i = 0, k = 0, in_a = 0, in_b = 0;

    while (i < a->count || k < b->count) {
        bool left = k == b->count || (i < a->count && a->at[i].hash <= b->at[k].hash);
        bool right = i == a->count || (k < b->count && b->at[k].hash <= a->at[i].hash);
        bool here = left && counts_mark(&a->at[i], which, limit, first, last);
        bool there = right && counts_mark(&b->at[k], which, limit, first, last);

        in_a += here;
        in_b += there;
        if (here && there) {
            c.present++;
            c.equal += about_equal(mark_sum(&a->at[i], which), mark_sum(&b->at[k], which));
        }
        i += left;
        k += right;
    }
    c.least = in_a < in_b ? in_a : in_b;
    return c;
}

bool same_account(struct str a, struct str b)
{
    size_t i = 0, k = 0;

    a = account_core(a);
    b = account_core(b);
    for (;;) {
        while (i < a.len && a.at[i] == '-')
            i++;
        while (k < b.len && b.at[k] == '-')
            k++;
        if (i == a.len || k == b.len)
            return i == a.len && k == b.len;
        if (to_lower(a.at[i++]) != to_lower(b.at[k++]))
            return false;
    }
}

/* All but little of the smaller one is in the other, with the same amounts; with others, too,
 * when the account is the same, since a month is corrected until it is final. */
static bool is_same_bill(const struct common *c, bool account)
{
    return c->present > 0 && 5 * c->present >= 4 * c->least &&
           (c->present >= 3 || c->present == c->least) &&
           (2 * c->equal >= c->present || account);
}

/* Of bills without resources: the same accounts within them, with the same amounts on each of
 * some days. Where both have resources, and others, it is other money. */
static bool is_same_within(const struct common *resources, const struct common *accounts)
{
    return accounts->equal >= 3 && 5 * accounts->equal >= 4 * accounts->least &&
           (resources->least < 3 || 5 * resources->present >= resources->least);
}

/* ---- a bill that came, and those that are there ---- */

/* What a bill of either kind is known by. */
struct party {
    struct str provider, account, currency, format;
    enum bill_amounts amounts;
    bool coarse;
    stamp edge;
    int32_t first, last;
    struct decimal total;
    const struct bill_marks *marks;
    struct day_totals days;
};

static struct decimal bill_total(enum bill_amounts amounts, struct decimal billed,
                                 struct decimal effective)
{
    return amounts == BILL_BOTH ? billed : effective;
}

static struct party loading_party(const struct loading *b)
{
    return (struct party){
        .provider = b->provider,
        .account = b->account,
        .currency = b->currency,
        .format = str_from(b->format),
        .amounts = b->amounts,
        .coarse = b->coarse,
        .edge = b->period_edge,
        .first = b->first_day,
        .last = !b->by_day && b->last_end > b->last_day ? b->last_end : b->last_day,
        .total = bill_total(b->amounts, amounts_get(&b->total, 0), amounts_get(&b->total, 1)),
        .marks = &b->marks};
}

static struct party bill_party(const struct ledger_bill *t)
{
    return (struct party){.provider = t->provider,
                          .account = t->account,
                          .currency = t->currency,
                          .format = t->format,
                          .amounts = t->amounts,
                          .coarse = t->coarse,
                          .edge = ledger_period_edge(t->period_start),
                          .first = t->first_day.n,
                          .last = t->last_day.n,
                          .total = bill_total(t->amounts, t->billed, t->effective)};
}

/* They may be the same money, and nothing else sees to it: not the same bill again, nor the two
 * files of actual and amortized costs of an account, nor coarse and detailed data of one
 * (bills_coarse.c). */
static bool may_be_same(const struct party *a, const struct party *b)
{
    if (a->first > b->last || b->first > a->last || !str_eq(a->currency, b->currency) ||
        !str_eq(a->provider, b->provider))
        return false;
    if (a->coarse != b->coarse && a->amounts == b->amounts &&
        (a->account.len == 0 || b->account.len == 0 || same_account(a->account, b->account)))
        return false;
    if (!str_eq(a->account, b->account))
        return true;
    return a->amounts == b->amounts && a->coarse == b->coarse && a->edge.s != b->edge.s;
}

static int amount_in_common(const struct party *a, const struct party *b)
{
    return a->amounts == BILL_BOTH && b->amounts == BILL_BOTH ? 0 : 1;
}

/* The same days, and the same total: two accounts may be as alike by chance. */
static bool is_alike(const struct party *a, const struct party *b)
{
    double x = decimal_double(a->total), y = decimal_double(b->total);
    int32_t first = a->first > b->first ? a->first : b->first;
    int32_t last = a->last < b->last ? a->last : b->last;
    int32_t days = (a->last > b->last ? a->last : b->last) -
                   (a->first < b->first ? a->first : b->first) + 1;

    return a->amounts == b->amounts && a->account.len > 0 && b->account.len > 0 &&
           last - first + 1 >= 3 && 10 * (last - first + 1) >= 9 * days && fabs(x) > 0.01 &&
           fabs(x - y) <= 0.001 * fabs(x);
}

/* ---- what is done about it ---- */

static void write_bill_money(struct decimal amount, struct str currency, struct buf *out)
{
    decimal_write(decimal_trim(amount, 2), out);
    buf_addf(out, " %.*s", STR_ARG(currency));
}

static void write_common(const struct common *c, const struct party *a, const struct party *b,
                         struct buf *out)
{
    int32_t first = a->first > b->first ? a->first : b->first;
    int32_t last = a->last < b->last ? a->last : b->last;

    day_write((day){first}, out);
    if (last > first) {
        buf_adds(out, " to ");
        day_write((day){last}, out);
    }
    if (c->least == 0 && same_account(a->account, b->account))
        buf_adds(out, ": the same account");
    else if (c->least == 0)
        buf_adds(out, ": the same total");
    else if (c->by == NULL)
        buf_addf(out, ": %zu of %zu days cost the same", c->present, c->least);
    else if (c->sampled)
        buf_addf(out, ": about %d %% of its costs by %s and day",
                 (int)(100.0 * (double)c->present / (double)c->least + 0.5), c->by);
    else
        buf_addf(out, ": %zu of %zu costs by %s and day", c->present, c->least, c->by);
    buf_adds(out, "; ");
    write_bill_money(a->total, a->currency, out);
    buf_adds(out, " and ");
    write_bill_money(b->total, b->currency, out);
}

/* All days of the other, and more money: half a percent may be a correction. */
static bool has_all_and_more(const struct party *there, const struct party *now)
{
    return there->first <= now->first && there->last >= now->last &&
           decimal_double(now->total) < 0.995 * decimal_double(there->total);
}

static bool refuse_same(const struct ledger_import *i, const struct loading *b,
                        const struct ledger_bill *t, const struct common *c, struct error *err)
{
    struct party now = loading_party(b), there = bill_party(t);
    struct buf text = buf_new(i->l->alloc, 512);

    write_common(c, &now, &there, &text);
    error_set(err, ERROR_INPUT,
              "'%.*s' has the same money as bill %lld (%.*s, account %.*s), %.*s",
              STR_ARG(i->files[b->files[0]].name), (long long)t->key, STR_ARG(t->format),
              STR_ARG(t->account.len > 0 ? t->account : STR("unknown")), (int)text.len,
              text.len > 0 ? text.at : "");
    if (b->coarse && !t->coarse)
        error_hint(err,
                   "nothing was changed: bill %lld has it already, in detail: leave it out; "
                   "--add counts both",
                   (long long)t->key);
    else if (has_all_and_more(&there, &now))
        error_hint(err,
                   "nothing was changed: bill %lld has it already, and more: leave it out; "
                   "--add counts both",
                   (long long)t->key);
    else
        error_hint(
            err, "nothing was changed: --replace replaces bill %lld with it; --add counts both",
            (long long)t->key);
    buf_free(&text);
    return false;
}

static bool refuse_both(const struct ledger_import *i, const struct loading *a,
                        const struct loading *b, const struct common *c, struct error *err)
{
    struct party one = loading_party(a), other = loading_party(b);
    struct buf text = buf_new(i->l->alloc, 512);

    write_common(c, &one, &other, &text);
    error_set(err, ERROR_INPUT, "'%.*s' has the same money as '%.*s' (account %.*s), %.*s",
              STR_ARG(i->files[a->files[0]].name), STR_ARG(i->files[b->files[0]].name),
              STR_ARG(b->account), (int)text.len, text.len > 0 ? text.at : "");
    error_hint(err, "nothing was changed: leave one of them out, or --add counts both");
    buf_free(&text);
    return false;
}

static bool add_likeness(struct ledger_import *i, const struct loading *b,
                         const struct ledger_bill *t, double share, bool replaced,
                         struct error *err)
{
    i->likenesses = arena_grow(&i->arena, i->likenesses, i->likeness_count,
                               sizeof i->likenesses[0], &i->likeness_room, err);
    if (i->likenesses == NULL)
        return false;
    i->likenesses[i->likeness_count++] = (struct likeness){b, t, share, replaced, false};
    return true;
}

/* The sample and the days of a bill that is there, read once. 0: it is one of too many. */
static int load_there(struct ledger_import *i, size_t n, struct party *out, struct error *err)
{
    struct bill_marks *marks;

    if (i->there_marks == NULL) {
        i->there_marks = arena_array(&i->arena, const struct bill_marks *, i->there_count, err);
        i->there_days = arena_array(&i->arena, struct day_totals, i->there_count, err);
        if (i->there_marks == NULL || i->there_days == NULL)
            return -1;
    }
    if (i->there_marks[n] == NULL && i->there_loads < LOADS_MAX) {
        marks = arena_array(&i->arena, struct bill_marks, 1, err);
        if (marks == NULL || !contain_load(i->l, i->there[n].key, marks, &i->arena, err) ||
            !same_days_there(i, &i->there[n], &i->there_days[n], err))
            return -1;
        i->there_loads++;
        i->there_marks[n] = marks;
    }
    out->marks = i->there_marks[n];
    out->days = i->there_days[n];
    return out->marks != NULL;
}

/* Both name resources or accounts within them, and have none in common. */
static bool differ(const struct common *c)
{
    return c->least >= 3 && c->present == 0;
}

static bool is_same_by_days(const struct party *a, const struct party *b,
                            const struct same_days *days, const struct common *resources,
                            const struct common *accounts)
{
    bool tables = contain_own_names(a->format) && contain_own_names(b->format);

    if (!same_days_agree(days) || tables) /* names of accounts are the user's there */
        return false;
    if (str_eq(a->format, b->format)) /* which names a resource in one way */
        return same_days_telling(days) && !differ(resources);
    return same_days_telling(days) ||
           (a->coarse == b->coarse && !differ(resources) && !differ(accounts));
}

static bool equal_total(const struct party *a, const struct party *b)
{
    double x = decimal_double(a->total), y = decimal_double(b->total);

    return a->amounts == b->amounts && a->first == b->first && a->last == b->last &&
           fabs(x) >= 1 && fabs(x - y) <= 0.01;
}

/* Sums of the same days in two formats, one of which names no account: a total that is the same
 * to the cent is no coincidence, though one has months and the other days. */
static bool is_same_total(const struct party *a, const struct party *b)
{
    return a->coarse && b->coarse && (a->account.len == 0 || b->account.len == 0) &&
           !str_eq(a->format, b->format) && equal_total(a, b);
}

/* What two bills have in common: by resource, or else by account within them, or by day. Is it
 * the same money? Coarse ones have days alone. */
static bool compare_parties(const struct party *a, const struct party *b, struct common *out)
{
    int which = amount_in_common(a, b);
    int32_t first = a->first > b->first ? a->first : b->first;
    int32_t last = a->last < b->last ? a->last : b->last;
    bool account = a->account.len > 0 && same_account(a->account, b->account);
    struct common within = {0};
    struct same_days days = same_days_compare(&a->days, &b->days, which);

    *out = (struct common){0};
    if (!a->coarse && !b->coarse) {
        *out = compare_samples(&a->marks->money, &b->marks->money, which, first, last);
        if (is_same_bill(out, account))
            return true;
        within = compare_samples(&a->marks->accounts, &b->marks->accounts, which, first, last);
        if (is_same_within(out, &within)) {
            *out = within;
            out->by = "account";
            return true;
        }
    }
    if (is_same_by_days(a, b, &days, out, &within)) {
        *out = (struct common){.least = days.days, .present = days.equal, .equal = days.equal};
        return true;
    }
    return (account && a->coarse == b->coarse && is_alike(a, b)) || is_same_total(a, b);
}

/* Sums by day that are of no account may be of any: a month that came again has about the same
 * amounts, but for its last days. A single sum of a month that was not over says nothing. */
static bool is_other_account(const struct same_days *days, const struct ledger_bill *there)
{
    if (there->account.len > 0 || days->both == 0)
        return false;
    if (days->both >= FEW_DAYS)
        return 2 * days->near < days->both;
    return days->near == 0 && there->imported.s >= ledger_period_edge(there->period_end).s;
}

static struct regrouping compare_days(const struct same_days *days, const struct party *now,
                                      const struct party *there, const struct ledger_bill *t)
{
    bool equal = days->days > 0 && (days->equal == days->days || same_days_telling(days));
    bool total = !equal && equal_total(now, there);

    return (struct regrouping){.same = equal || total,
                               .total = total,
                               .other_account = !equal && !total && is_other_account(days, t)};
}

/* A bill of sums whose place it may take. */
static bool meet_again(struct ledger_import *i, struct loading *b, const struct party *now,
                       size_t n, struct error *err)
{
    const struct ledger_bill *t = &i->there[n];
    struct party there = bill_party(t);

    for (size_t k = 0; b->coarse && k < b->kept_count; k++) {
        struct same_days days;
        int got;

        if (b->kept[k].bill != t->key)
            continue;
        got = load_there(i, n, &there, err);
        if (got <= 0)
            return got == 0;
        days = same_days_compare(&there.days, &now->days, amount_in_common(now, &there));
        b->kept[k].by_days = compare_days(&days, now, &there, t);
    }
    return true;
}

static bool meet_there(struct ledger_import *i, const struct loading *b,
                       const struct party *now, size_t n, struct error *err)
{
    const struct ledger_bill *t = &i->there[n];
    struct party there = bill_party(t);
    struct common c = {0};
    int got;

    if (!may_be_same(now, &there))
        return true;
    got = load_there(i, n, &there, err);
    if (got <= 0)
        return got == 0;
    if (compare_parties(now, &there, &c))
        return i->options.replace && (!b->coarse || t->coarse)
                   ? add_likeness(i, b, t, 1, true, err)
                   : refuse_same(i, b, t, &c, err);
    if (c.present >= 3 && 5 * c.present >= c.least)
        return add_likeness(i, b, t, (double)c.present / (double)c.least, false, err);
    return !is_alike(now, &there) || add_likeness(i, b, t, 0, false, err);
}

/* Two files of one command. */
static bool meet_loading(struct ledger_import *i, const struct loading *b,
                         const struct party *now, const struct loading *other,
                         struct error *err)
{
    struct party there = loading_party(other);
    struct common c;

    if (other->rest_of != 0 || !other->wanted || !may_be_same(now, &there))
        return true;
    return same_days_loading(i, other, &there.days, err) &&
           (!compare_parties(now, &there, &c) || refuse_both(i, b, other, &c, err));
}

/* ---- what is replaced ---- */

static bool refuse_more(const struct ledger_import *i, const struct likeness *like, double more,
                        struct error *err)
{
    const struct ledger_bill *t = like->there;

    error_set(
        err, ERROR_INPUT,
        "'%.*s' cannot replace bill %lld (%.*s, account %.*s): that has %.2f %.*s more on "
        "the same days, which would be lost",
        STR_ARG(i->files[like->loading->files[0]].name), (long long)t->key, STR_ARG(t->format),
        STR_ARG(t->account), more, STR_ARG(t->currency));
    error_hint(
        err,
        "nothing was changed: leave it out, since bill %lld has it; or remove that first "
        "('stint bills remove %lld --force')",
        (long long)t->key, (long long)t->key);
    return false;
}

/* The bills that came and replace this one, and the days that they do it for. */
#define COVERS_MOST 64

static size_t find_same_covers(const struct ledger_import *i, const struct ledger_bill *t,
                               struct cover *covers)
{
    stamp now = i->l->clock->today(i->l->clock->ctx);
    size_t count = 0;

    for (size_t n = 0; n < i->likeness_count && count < COVERS_MOST; n++)
        if (i->likenesses[n].replaced && i->likenesses[n].there == t)
            covers[count++] = coarse_cover(i->likenesses[n].loading, now);
    return count;
}

/* A twentieth more is what corrections change. */
static bool check_more(struct ledger_import *i, const struct likeness *like,
                       const struct cover *covers, size_t count, struct error *err)
{
    struct party there = bill_party(like->there), now;
    int which = there.amounts == BILL_BOTH ? 0 : 1;
    int32_t first = INT32_MAX, last = INT32_MIN;
    double came = 0, kept;

    for (size_t n = 0; n < count; n++) {
        now = loading_party(covers[n].loading);
        which = amount_in_common(&now, &there) == 1 ? 1 : which;
        first = covers[n].first < first ? covers[n].first : first;
        last = covers[n].last > last ? covers[n].last : last;
    }
    for (size_t n = 0; n < count; n++) {
        if (!same_days_loading(i, covers[n].loading, &now.days, err))
            return false;
        if (now.days.count == 0) /* not known: too many days */
            return true;
        came += same_days_sum(&now.days, which, covers[n].first, covers[n].last);
    }
    if (!same_days_there(i, like->there, &there.days, err))
        return false;
    kept = same_days_sum(&there.days, which, first, last);
    return kept <= 1.05 * came + 1 || refuse_more(i, like, kept - came, err);
}

static bool divide_replaced(struct ledger_import *i, struct error *err)
{
    size_t count = i->likeness_count;

    for (size_t n = 0; n < count; n++) {
        struct likeness *like = &i->likenesses[n];
        struct cover covers[COVERS_MOST];
        size_t cover_count;
        bool divided;

        if (!like->replaced || like->divided)
            continue;
        cover_count = find_same_covers(i, like->there, covers);
        if (!check_more(i, like, covers, cover_count, err) ||
            !coarse_divide(i, like->there, covers, cover_count, &divided, err))
            return false;
        for (size_t k = n; k < count && divided; k++)
            if (i->likenesses[k].there == like->there)
                i->likenesses[k].divided = i->likenesses[k].replaced;
    }
    return true;
}

bool same_meet(struct ledger_import *i, struct error *err)
{
    size_t count = i->bill_count; /* rests are added */

    for (size_t n = 0; n < count && !i->options.add; n++) {
        struct loading *b = i->bills[n];
        struct party now = loading_party(b);

        if (!b->wanted || b->rest_of != 0)
            continue;
        if (!same_days_loading(i, b, &now.days, err))
            return false;
        for (size_t k = 0; k < n; k++)
            if (!meet_loading(i, b, &now, i->bills[k], err))
                return false;
        for (size_t k = 0; k < i->there_count; k++)
            if (!meet_again(i, b, &now, k, err) || !meet_there(i, b, &now, k, err))
                return false;
    }
    return divide_replaced(i, err);
}

bool same_bury(struct ledger_import *i, struct error *err)
{
    for (size_t n = 0; n < i->likeness_count && !i->options.dry_run; n++) {
        struct query *q;
        int got;

        if (!i->likenesses[n].replaced || i->likenesses[n].divided)
            continue;
        q = ledger_query(i->l, bury_same, VALUES(as_int(i->likenesses[n].there->key)), err);
        got = ledger_row(i->l, q, "write", err);
        if (got > 0)
            got = ledger_row(i->l, q, "write", err); /* 0: there are no more */
        if (got < 0)
            return false;
    }
    return true;
}
