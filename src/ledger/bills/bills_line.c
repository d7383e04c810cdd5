/* A line of an import: its bill, its thing, its amounts. */
#include <string.h>

#include "base/hash.h"
#include "bill/provider.h"
#include "ledger/bills/bills.h"
#include "ledger/bills_internal.h"
#include "unit/money.h"

/* ---- the issuer of a bill ---- */

static struct str first_known_column(const struct bill_line *line,
                                     const enum focus_column *from, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (line->of[from[i]].len > 0)
            return provider_name(line->of[from[i]]);
    return (struct str){0};
}

struct str ledger_line_provider(const struct bill_line *line)
{
    static const enum focus_column from[] = {FOCUS_ServiceProviderName, FOCUS_ProviderName,
                                             FOCUS_InvoiceIssuerName, FOCUS_PublisherName};

    return first_known_column(line, from, ARRAY_LEN(from));
}

static struct str ledger_line_issuer(const struct bill_line *line)
{
    static const enum focus_column from[] = {FOCUS_ProviderName, FOCUS_InvoiceIssuerName,
                                             FOCUS_ServiceProviderName, FOCUS_PublisherName};

    return first_known_column(line, from, ARRAY_LEN(from));
}

/* ---- a line ---- */

#define LONGEST_DAY (25 * INT64_C(3600)) /* in a zone whose clocks go back */

/* Text that any engine takes: bytes that are no characters, and the character 0, become '?'. */
static void add_clean(struct buf *out, struct str text)
{
    while (text.len > 0) {
        size_t len = 0;

        while (len < text.len && (signed char)text.at[len] > 0)
            len++;
        buf_add(out, (struct str){text.at, len});
        text = (struct str){text.at + len, text.len - len};
        if (text.len == 0)
            return;
        len = text.at[0] == '\0' ? 0 : str_character(text);
        if (len == 0 || len > text.len) {
            buf_char(out, '?');
            len = 1;
        } else
            buf_add(out, (struct str){text.at, len});
        text = (struct str){text.at + len, text.len - len};
    }
}

/* As it is, to know it again, and as it is written. */
static bool keep_line_record(struct ledger_import *i, struct str text, struct str *raw,
                             struct str *written, struct error *err)
{
    struct buf clean = buf_new(i->l->alloc, (size_t)4 << 20);

    add_clean(&clean, text);
    return buf_keep(&clean, &i->arena, written, err) && str_keep(text, &i->arena, raw, err);
}

bool ledger_import_file(struct ledger_import *i, struct str name,
                        const struct bill_about *about, struct error *err)
{
    struct import_file *f;
    struct str raw;

    i->files =
        arena_grow(&i->arena, i->files, i->file_count, sizeof i->files[0], &i->file_room, err);
    if (i->files == NULL)
        return false;
    f = &i->files[i->file_count];
    *f = (struct import_file){.format = bill_format_name(about->format),
                              .version = str_dup(str_from(about->version), &i->arena, err),
                              .amounts = about->amounts,
                              .coarse = about->coarse};
    if (f->version == NULL || !keep_line_record(i, name, &raw, &f->name, err))
        return false;
    i->file_count++;
    i->latest = NULL; /* another kind of amounts makes another bill */
    return true;
}

bool ledger_import_file_end(struct ledger_import *i, struct str digest, struct error *err)
{
    return str_keep(digest, &i->arena, &i->files[i->file_count - 1].digest, err);
}

static bool check_currency(struct str currency, struct error *err)
{
    if (currency_known(currency))
        return true;
    return error_fail(err, ERROR_INPUT, "BillingCurrency: '%.*s' is not a currency such as USD",
                      STR_ARG(currency));
}

static size_t there_slot(struct str account)
{
    return (size_t)text_hash(1, account) % IMPORT_SLOTS;
}

/* The bills that are there, once: what comes in is compared with them. */
static bool read_there(struct ledger_import *i, struct error *err)
{
    if (i->there_read || i->l->db == NULL)
        return true;
    i->there_read = true;
    if (!ledger_bills(i->l, &i->arena, &i->there, &i->there_count, err) ||
        (i->there_next = arena_array(&i->arena, uint32_t, i->there_count, err)) == NULL)
        return false;
    for (size_t n = i->there_count; n-- > 0;) { /* so that the first are found first */
        uint32_t *slot = &i->there_slots[there_slot(i->there[n].account)];

        i->there_next[n] = *slot;
        *slot = (uint32_t)n + 1;
    }
    return true;
}

/* Those of the same account and period: is it one of them, delivered again? */
static bool compare_same(struct ledger_import *i, struct loading *b, struct error *err)
{
    if (!read_there(i, err))
        return false;
    for (uint32_t n = i->there_slots[there_slot(b->account)]; n != 0;
         n = i->there_next[n - 1]) {
        const struct ledger_bill *t = &i->there[n - 1];

        if (str_eq(t->account, b->account) && t->amounts == b->amounts &&
            t->coarse == b->coarse && str_eq(t->provider, b->provider) &&
            str_eq(t->currency, b->currency) && str_eq(t->format, str_from(b->format)) &&
            ledger_period_edge(t->period_start).s == b->period_edge.s &&
            !contain_compare(i->l, b, t->key, &i->arena, err))
            return false;
    }
    return true;
}

/* A bill that was not seen before in this import. */
static struct loading *new_bill(struct ledger_import *i, const struct loading *like,
                                struct error *err)
{
    struct loading *b;
    size_t room = i->bill_room;

    if (i->bill_count == IMPORT_BILLS) {
        error_set(err, ERROR_INPUT, "these are more than %d bills at once", IMPORT_BILLS);
        error_hint(err, "import them in smaller groups");
        return NULL;
    }
    if (!check_currency(like->currency, err))
        return NULL;
    i->bills =
        arena_grow(&i->arena, i->bills, i->bill_count, sizeof(struct loading *), &room, err);
    i->keys =
        arena_grow(&i->arena, i->keys, i->bill_count, sizeof i->keys[0], &i->bill_room, err);
    if (i->bills == NULL || i->keys == NULL ||
        (b = arena_array(&i->arena, struct loading, 1, err)) == NULL)
        return NULL;
    *b = *like;
    if (!keep_line_record(i, like->raw_provider, &b->raw_provider, &b->provider, err) ||
        !keep_line_record(i, like->raw_account, &b->raw_account, &b->account, err) ||
        (b->currency.at = str_dup(like->currency, &i->arena, err)) == NULL)
        return NULL;
    contain_begin(&b->marks);
    b->own_names = strcmp(b->format, bill_format_name(BILL_TABLE)) == 0;
    if (b->rest_of == 0 && (!compare_same(i, b, err) || !coarse_begin(i, b, err)))
        return NULL;
    b->number = (uint32_t)i->bill_count;
    b->next = i->slots[b->hash % IMPORT_SLOTS];
    i->slots[b->hash % IMPORT_SLOTS] = b;
    i->keys[i->bill_count] = 0;
    i->bills[i->bill_count++] = b;
    return b;
}

static bool is_of_loading(const struct loading *b, const struct loading *like)
{
    return b->hash == like->hash && b->period_edge.s == like->period_edge.s &&
           b->amounts == like->amounts && b->coarse == like->coarse &&
           str_eq(b->raw_account, like->raw_account) &&
           str_eq(b->raw_provider, like->raw_provider) && str_eq(b->currency, like->currency);
}

/* The bill has lines of the file that is being read. */
static bool note_file(struct ledger_import *i, struct loading *b, struct error *err)
{
    size_t number = i->file_count - 1;

    if (b->file_count > 0 && b->files[b->file_count - 1] == number)
        return true;
    b->files =
        arena_grow(&i->arena, b->files, b->file_count, sizeof b->files[0], &b->file_room, err);
    if (b->files == NULL)
        return false;
    b->files[b->file_count++] = number;
    return true;
}

static struct loading *bill_of(struct ledger_import *i, const struct bill_line *line,
                               struct error *err)
{
    const struct import_file *file = &i->files[i->file_count - 1];
    struct loading like = {.raw_provider = ledger_line_issuer(line),
                           .raw_account = str_trim(line->of[FOCUS_BillingAccountId]),
                           .currency = line->of[FOCUS_BillingCurrency],
                           .format = file->format,
                           .version = file->version,
                           .amounts = file->amounts,
                           .coarse = file->coarse,
                           .period_start = line->period_start,
                           .period_end = line->period_end,
                           .first_day = INT32_MAX,
                           .last_day = INT32_MIN,
                           .last_end = INT32_MIN};
    struct loading *b;

    like.period_edge = i->latest != NULL && i->latest->period_start.s == like.period_start.s
                           ? i->latest->period_edge
                           : ledger_period_edge(like.period_start);
    like.hash = text_hash(i->secret[0] ^ (uint64_t)like.period_edge.s, like.raw_account);
    like.hash = text_hash(like.hash, like.currency) + (uint64_t)like.raw_provider.len;
    if (i->latest != NULL && is_of_loading(i->latest, &like))
        return i->latest;
    b = i->slots[like.hash % IMPORT_SLOTS];
    while (b != NULL && !is_of_loading(b, &like))
        b = b->next;
    if (b == NULL)
        b = new_bill(i, &like, err);
    if (b == NULL || !note_file(i, b, err))
        return NULL;
    i->latest = b;
    return b;
}

/* The group of what the line is about, as the rules say now. */
bool import_classify(struct ledger_import *i, const struct bill_line *line, uint32_t *out,
                     struct error *err)
{
    struct dimensions of = {0};
    struct digester digester;
    size_t start = i->groups.texts.len;
    int known = 0; /* one more than the last dimension that has a name */
    bool added;

    i->options.classify(i->options.classify_ctx, line, &of);
    digest_start(&digester, i->secret);
    for (int n = 0; n < DIMENSION_COUNT; n++) {
        digest_text(&digester, (uint32_t)n, of.of[n]);
        known = of.of[n].len > 0 ? n + 1 : known;
    }
    *out = dictionary_find(&i->groups, digest_end(&digester), &added);
    if (!added)
        return true;
    for (int n = 0; n < known; n++) {
        add_clean(&i->groups.texts, of.of[n]);
        buf_char(&i->groups.texts, '\0');
    }
    return dictionary_fresh(&i->groups, *out, start, err);
}

/* A unit price of a line, when it is a plain number; any other text is kept with the thing. */
static bool plain_price(struct str text, struct decimal *out)
{
    char room[DECIMAL_ROOM];

    return decimal_parse(text, out) && str_eq(decimal_text(*out, room), text);
}

/* The columns that make a thing: not those of the bill or of the line. */
static bool is_fixed_column(enum focus_column column)
{
    return !focus_varies(column) && column != FOCUS_BillingPeriodStart &&
           column != FOCUS_BillingPeriodEnd;
}

static bool is_said(const struct bill_line *line, const struct record *r, int column)
{
    if (line->of[column].len == 0)
        return false;
    if (is_fixed_column((enum focus_column)column))
        return true;
    for (int n = BILL_LIST_UNIT; n < BILL_NUMBERS; n++)
        if (bill_number_columns[n] == (enum focus_column)column)
            return (r->known >> n & 1) == 0;
    return false;
}

struct digest record_digest(const uint64_t secret[2], const struct bill_line *line,
                            const struct record *r)
{
    struct digester digester;

    digest_start(&digester, secret);
    for (int n = 0; n < FOCUS_COUNT; n++)
        if (is_said(line, r, n))
            digest_text(&digester, (uint32_t)n, line->of[n]);
    return digest_end(&digester);
}

/* What a line says in words: its texts for a block. */
static void record_words(const struct bill_line *line, const struct record *r, struct buf *out)
{
    for (int n = 0; n < FOCUS_COUNT; n++)
        if (is_said(line, r, n))
            block_add_text(out, (enum focus_column)n, line->of[n]);
}

/* The numbers of a line that are no amounts, as far as they are known. */
static bool record_numbers(struct record *r, const struct bill_line *line, struct error *err)
{
    struct decimal number;

    for (int n = BILL_AMOUNTS; n < BILL_NUMBERS; n++) {
        struct str text = line->of[bill_number_columns[n]];

        if (text.len == 0)
            continue;
        if (n >= BILL_LIST_UNIT ? plain_price(text, &number) : decimal_parse(text, &number))
            record_set(r, n, number);
        else if (n < BILL_LIST_UNIT)
            return error_fail(err, ERROR_INPUT,
                              "%s: '%.*s' is not a number, or has too many digits",
                              focus_columns[bill_number_columns[n]].name, STR_ARG(text));
    }
    return true;
}

/* What the line is about: in the dictionary, and in the chunk. */
static bool thing_of(struct ledger_import *i, const struct bill_line *line,
                     struct digest digest, struct record *r, struct error *err)
{
    struct chunk *c = &i->chunk;
    uint32_t entry, group;
    struct entry *e;
    bool added;

    entry = dictionary_find(&i->things, digest, &added);
    if (added) {
        if (!import_classify(i, line, &group, err) ||
            !dictionary_fresh(&i->things, entry, i->things.texts.len, err))
            return false;
        i->things.entries[entry].group = group;
    }
    e = &i->things.entries[entry];
    if (e->key >> 32 != c->stamp) {
        e->key = c->stamp << 32 | (int64_t)c->thing_count;
        c->starts[c->thing_count] = c->texts.len;
        c->entries[c->thing_count++] = entry;
        record_words(line, r, &c->texts);
    }
    r->thing = (uint32_t)(e->key & UINT32_MAX);
    return buf_ok(&c->texts, err);
}

static void add_record(struct ledger_import *i, struct loading *b, const struct record *r)
{
    struct chunk *c = &i->chunk;

    if (b->in_chunk++ == 0)
        c->bills[c->bill_count++] = b;
    c->records[c->count++] = *r;
}

#define BY_DAY_MAX ((size_t)16 << 20)

/* To the day's sum of its bill, whatever it is for. */
static bool add_to_day(struct ledger_import *i, struct loading *b, const struct record *r,
                       int32_t on, struct error *err)
{
    struct day_sum sum = {.sum = r->amounts, .bill = b->number, .day = on, .lines = 1};
    size_t before;
    bool grown = true;

    if (i->by_day_lost)
        return true;
    if (days_full(&i->by_day) && !days_grow(&i->by_day, BY_DAY_MAX, &grown, err))
        return false;
    i->by_day_lost = !grown;
    before = i->by_day.count;
    if (grown && !days_add(&i->by_day, &sum, err))
        return false;
    b->days += (int64_t)(i->by_day.count - before);
    return true;
}

static bool add_to_bill(struct ledger_import *i, struct loading *b,
                        const struct bill_line *line, struct error *err)
{
    int32_t first = day_of(line->start).n, last = day_of((stamp){line->end.s - 1}).n;
    struct digest digest;
    struct record r;

    b->wanted = true;
    if (line->period_end.s > b->period_end.s)
        b->period_end = line->period_end;
    memset(&r, 0, sizeof r);
    r.start = line->start.s;
    r.end = line->end.s;
    r.bill = b->number;
    record_set(&r, BILL_BILLED, line->billed);
    record_set(&r, BILL_EFFECTIVE, line->effective);
    if (line->list_known)
        record_set(&r, BILL_LIST, line->list);
    if (line->contracted_known)
        record_set(&r, BILL_CONTRACTED, line->contracted);
    record_finish(&r);
    if (!record_numbers(&r, line, err))
        return false;
    b->first_day = first < b->first_day ? first : b->first_day;
    b->last_day = first > b->last_day ? first : b->last_day;
    b->last_end = last > b->last_end ? last : b->last_end;
    b->by_day = b->by_day || line->end.s - line->start.s <= LONGEST_DAY;
    digest = record_digest(i->secret, line, &r);
    if (!amounts_add(&b->total, &r.amounts, err) || !add_to_day(i, b, &r, first, err) ||
        !twice_note(i, &r, first, digest, err) || !contain_note(b, line, &i->arena, err))
        return false;
    if (i->options.dry_run) {
        b->lines++;
        return true;
    }
    if (!thing_of(i, line, digest, &r, err))
        return false;
    add_record(i, b, &r);
    return true;
}

static bool add_import_line(struct ledger_import *i, const struct bill_line *line,
                            struct error *err)
{
    struct loading *b = bill_of(i, line, err);
    bool left_out;

    return b != NULL && coarse_leave_out(b, line, &left_out, err) &&
           (left_out || add_to_bill(i, b, line, err));
}

/* The bill of what is left of one that is there. */
static struct loading *rest_bill(struct ledger_import *i, const struct ledger_bill *of,
                                 struct error *err)
{
    struct loading like = {.raw_provider = of->provider,
                           .raw_account = of->account,
                           .currency = of->currency,
                           .format = str_dup(of->format, &i->arena, err),
                           .version = str_dup(of->version, &i->arena, err),
                           .amounts = of->amounts,
                           .coarse = of->coarse,
                           .period_start = of->period_start,
                           .period_end = of->period_end,
                           .period_edge = ledger_period_edge(of->period_start),
                           .first_day = INT32_MAX,
                           .last_day = INT32_MIN,
                           .last_end = INT32_MIN,
                           .rest_of = of->key,
                           .rest_files = of->files};

    return like.format != NULL && like.version != NULL ? new_bill(i, &like, err) : NULL;
}

bool import_rest_line(struct ledger_import *i, const struct ledger_bill *of,
                      const struct bill_line *line, struct loading **rest, struct error *err)
{
    if (*rest == NULL)
        *rest = rest_bill(i, of, err);
    return *rest != NULL && add_to_bill(i, *rest, line, err);
}

bool ledger_import_line(struct ledger_import *i, const struct bill_line *line,
                        struct error *err)
{
    if (i->failed)
        return error_fail(err, ERROR_FAILED, "the import has failed already");
    if (!i->options.dry_run && import_due(i) && !import_flush(i, err))
        return false;
    i->failed = !add_import_line(i, line, err);
    return !i->failed;
}
