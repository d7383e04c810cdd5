#include "account/import/bill_view.h"

#include "base/json.h"
#include "base/num.h"
#include "bill/provider.h"

const char *const bill_amounts_names[] = {"billed and effective", "amortized", NULL};

#define BILL(label, kind, member, ...) \
    FIELD_AS(label, kind, bill_summary, bill.member, __VA_ARGS__)

static const struct field summary_fields[] = {
    BILL("key", COUNT, key, .help = "number for 'stint bills remove'; null: not written"),
    BILL("provider", TEXT, provider, .empty_unknown = true, .help = "provider that sent it"),
    BILL("account", TEXT, account, .empty_unknown = true, .help = "account that pays"),
    FIELD(TEXT, bill_summary, period, .help = "period: a month, or from a day to another"),
    BILL("period_start", TIME, period_start, .help = "start in UTC"),
    BILL("period_end", TIME, period_end, .help = "end: the first moment after it"),
    BILL("amounts", ENUM, amounts, .names = bill_amounts_names,
         .help = "kind of amounts: billed and effective, or amortized"),
    BILL("format", TEXT, format, .help = "file format"),
    BILL("version", TEXT, version, .empty_unknown = true, .help = "version of the format"),
    BILL("first_day", DAY, first_day, .help = "first day on which a charge starts"),
    BILL("last_day", DAY, last_day, .help = "last day on which a charge starts"),
    BILL("lines", COUNT, lines, .help = "number of charges"),
    FIELD(MONEY, bill_summary, billed, .help = "exact billed amount"),
    FIELD(MONEY, bill_summary, effective,
          .help = "effective amount: prepayments spread over their use"),
};

const struct field_set bill_summary_fields = FIELD_SET(struct bill_summary, summary_fields);

static const struct field view_fields[] = {
    FIELD(RECORD, bill_view, bill, .row = &bill_summary_fields, .inlined = true,
          .help = "bill as it is in the ledger"),
    FIELD(TEXTS, bill_view, files, .help = "files it came from"),
    FIELD_AS("imported", TIME, bill_view, bill.bill.imported, .help = "time of import in UTC"),
    FIELD_AS("paired", FLAG, bill_view, bill.bill.paired,
             .help = "counterpart with the other amounts is in the ledger"),
};

const struct field_set bill_view_fields = FIELD_SET(struct bill_view, view_fields);

/* "2026-05" for a complete month, else "2026-05-01 to 2026-05-11". */
static bool period_of(const struct ledger_bill *bill, struct arena *arena, struct str *out,
                      struct error *err)
{
    struct buf text = buf_new(arena->alloc, 64);
    stamp start = ledger_period_edge(bill->period_start);
    stamp end = ledger_period_edge(bill->period_end);
    stamp next = stamp_next_month(start);

    day_write(day_of(start), &text);
    if (stamp_month(start).s == start.s && end.s == next.s && text.len == 10) {
        text.len = 7;
    } else {
        buf_adds(&text, " to ");
        day_write(day_of((stamp){end.s - 1}), &text);
    }
    return buf_keep(&text, arena, out, err);
}

bool bill_summarize(const struct ledger_bill *bill, struct arena *arena,
                    struct bill_summary *out, struct error *err)
{
    struct currency currency = currency_from(bill->currency);

    *out = (struct bill_summary){.bill = *bill,
                                 .billed = {bill->billed, currency},
                                 .effective = {bill->effective, currency}};
    if (bill->key <= 0)
        out->bill.key = -1;
    return period_of(bill, arena, &out->period, err);
}

/* The names in '[{"name":"a.csv","digest":"..."}]'. */
static bool read_bill_names(struct json *json, struct arena *arena, struct strs *out,
                            struct error *err)
{
    struct json_token token = {.kind = JSON_ARRAY};
    struct str *names = NULL;
    size_t room = 0;
    bool name = false;

    while (token.kind != JSON_END) {
        if (!json_next(json, &token, err))
            return false;
        if (name && token.kind == JSON_STRING) {
            names = arena_grow(arena, names, out->len, sizeof names[0], &room, err);
            if (names == NULL || !str_keep(token.text, arena, &names[out->len++], err))
                return false;
        }
        name = token.kind == JSON_KEY && str_eq(token.text, STR("name"));
    }
    out->at = names;
    return true;
}

static bool file_names(struct str files, struct arena *arena, struct strs *out,
                       struct error *err)
{
    struct json_options options = {.alloc = arena->alloc};
    struct json *json = json_open_text(files, &options, err);
    bool ok = json != NULL && read_bill_names(json, arena, out, err);

    json_close(json);
    return ok;
}

bool bill_view_make(const struct ledger_bill *bill, struct arena *arena, struct bill_view *out,
                    struct error *err)
{
    *out = (struct bill_view){0};
    return bill_summarize(bill, arena, &out->bill, err) &&
           file_names(bill->files, arena, &out->files, err);
}

bool bill_is_like(const struct bill_view *bill, struct str what)
{
    return what.len == 0 || provider_same(what, bill->bill.bill.provider) ||
           str_glob(bill->bill.bill.provider, what) || str_glob(bill->bill.bill.account, what);
}

bool bill_is_named(const struct bill_view *bill, struct str what)
{
    struct str provider, period;
    int64_t key;

    if (num_int(what, &key))
        return bill->bill.bill.key == key;
    provider = str_cut(&what, '/');
    for (size_t at = what.len; at-- > 0;)
        if (what.at[at] == '/') {
            period = (struct str){what.at + at + 1, what.len - at - 1};
            what.len = at;
            return provider_same(provider, bill->bill.bill.provider) &&
                   str_eq(what, bill->bill.bill.account) && str_eq(period, bill->bill.period);
        }
    return false;
}

void bill_absent(const struct ledger_bill *bills, size_t count, struct str what,
                 struct error *err)
{
    struct suggestion close = {.wanted = what};
    struct buf known = buf_new(&alloc_system, 512);

    for (size_t i = 0; i < count; i++) {
        bool seen = bills[i].provider.len == 0;

        for (size_t k = 0; k < i && !seen; k++)
            seen = str_eq(bills[k].provider, bills[i].provider);
        if (!seen && known.len + bills[i].provider.len < 200)
            buf_addf(&known, "%s%.*s", known.len > 0 ? ", " : "", STR_ARG(bills[i].provider));
        suggestion_try(&close, bills[i].account);
        suggestion_try(&close, bills[i].provider);
    }
    error_set(err, ERROR_ABSENT, "no bill of '%.*s'; the ledger has bills of %.*s",
              STR_ARG(what), (int)known.len, known.len > 0 ? known.at : "");
    (void)suggestion_hint(&close, err);
    buf_free(&known);
}

bool bill_views(struct ledger *ledger, struct str what,
                bool (*keep)(const struct bill_view *bill, struct str what),
                struct arena *arena, struct rows *out, struct error *err)
{
    const struct ledger_bill *bills;
    struct bill_view *views;
    size_t count, kept = 0;

    if (!ledger_bills(ledger, arena, &bills, &count, err))
        return false;
    views = arena_array(arena, struct bill_view, count, err);
    if (views == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        if (!bill_view_make(&bills[i], arena, &views[kept], err))
            return false;
        kept += keep(&views[kept], what);
    }
    *out = (struct rows){views, kept};
    return true;
}

bool bill_none_like(struct ledger *ledger, struct str what, struct arena *arena,
                    struct error *err)
{
    const struct ledger_bill *bills;
    size_t count;

    if (!ledger_bills(ledger, arena, &bills, &count, err))
        return false;
    if (count > 0)
        bill_absent(bills, count, what, err);
    return count == 0;
}

bool bill_confirm_removal(struct str what, const struct rows *found, bool force,
                          struct error *err)
{
    const struct bill_view *views = found->at;
    int64_t lines = 0;

    if (found->len == 0) {
        return error_fail_hint(err, ERROR_ABSENT, "'stint bills' lists them",
                               "there is no bill '%.*s' in the ledger", STR_ARG(what));
    }
    if (force)
        return true;
    for (size_t i = 0; i < found->len; i++)
        lines += views[i].bill.bill.lines;
    error_set(err, ERROR_USAGE, "this removes %s of %.*s, account %.*s, %.*s (%lld charge%s)",
              found->len == 1 ? "the bill" : "the bills", STR_ARG(views[0].bill.bill.provider),
              STR_ARG(views[0].bill.bill.account), STR_ARG(views[0].bill.period),
              (long long)lines, lines == 1 ? "" : "s");
    error_hint(err, "stint bills remove %.*s --force", STR_ARG(what));
    return false;
}
