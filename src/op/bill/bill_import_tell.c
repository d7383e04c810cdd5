/* What an import tells: bills with all their digits, and what may be there twice. */
#include <string.h>

#include "op/bill/bill_import.h"
#include "op/context.h"
#include "op/ledger_open.h"

static const struct field file_fields[] = {
    FIELD(TEXT, import_file_view, file, .help = "as named"),
    FIELD(TEXT, import_file_view, format, .help = "how it was read"),
    FIELD(TEXT, import_file_view, version, .help = "of the format, when it can be told"),
    FIELD(TEXT, import_file_view, amounts, .help = "billed and effective, or amortised"),
    FIELD(COUNT, import_file_view, lines, .help = "charges in it"),
    FIELD(TEXT, import_file_view, column, .help = "that the file bills by"),
    FIELD(MONEY, import_file_view, total, .help = "of that column, exactly"),
    FIELD(FLAG, import_file_view, mixed, .help = "of several currencies: no total"),
    FIELD(FLAG, import_file_view, equal, .help = "what was read comes to the same"),
    FIELD(DAY, import_file_view, first_day, .help = "on which a charge starts"),
    FIELD(DAY, import_file_view, last_day, .help = "likewise"),
    FIELD(FLAG, import_file_view, coarse, .help = "grouped by the cloud: no resources"),
    FIELD(TEXT, import_file_view, unused, .help = "columns that are not kept"),
    FIELD(TEXT, import_file_view, same_as, .help = "the file it is a copy of: skipped"),
};

static const struct field bill_fields[] = {
    FIELD(COUNT, import_bill_view, key,
          .help = "by which 'stint bills remove' names it; null: it was not written"),
    FIELD(TEXT, import_bill_view, provider, .help = "who sent it"),
    FIELD(TEXT, import_bill_view, account, .help = "that pays"),
    FIELD(TEXT, import_bill_view, period, .help = "a month, or from a day to another"),
    FIELD(TEXT, import_bill_view, period_start, .help = "in UTC"),
    FIELD(TEXT, import_bill_view, period_end, .help = "the first moment after"),
    FIELD(TEXT, import_bill_view, amounts, .help = "billed and effective, or amortised"),
    FIELD(TEXT, import_bill_view, format, .help = "it came in"),
    FIELD(TEXT, import_bill_view, version, .help = "of that"),
    FIELD(DAY, import_bill_view, first_day, .help = "on which a charge starts"),
    FIELD(DAY, import_bill_view, last_day, .help = "likewise"),
    FIELD(COUNT, import_bill_view, lines, .help = "charges"),
    FIELD(MONEY, import_bill_view, billed, .help = "exactly"),
    FIELD(MONEY, import_bill_view, effective,
          .help = "with what was paid before spread over its use"),
    FIELD(COUNT, import_bill_view, replaced, .help = "bills that it took the place of"),
    FIELD(COUNT, import_bill_view, replaced_lines, .help = "charges of those"),
    FIELD(MONEY, import_bill_view, replaced_billed, .help = "of those"),
    FIELD(MONEY, import_bill_view, replaced_effective, .help = "of those"),
    FIELD(TEXT, import_bill_view, replaced_imported, .help = "when the newest came in"),
};

const struct field_set import_file_fields = FIELD_SET(struct import_file_view, file_fields);
const struct field_set import_bill_fields = FIELD_SET(struct import_bill_view, bill_fields);

static struct money money_of(struct decimal amount, struct str currency)
{
    struct money m = {.amount = amount};

    memcpy(m.currency, currency.at, currency.len < 3 ? currency.len : 3);
    return m;
}

/* "2026-05" when it is a whole month, else "2026-05-01 to 2026-05-11". */
static bool period_of(const struct ledger_bill *bill, struct arena *arena, struct str *out,
                      struct error *err)
{
    struct buf text = buf_new(arena->alloc, 64);
    stamp start = ledger_period_edge(bill->period_start);
    stamp end = ledger_period_edge(bill->period_end);
    stamp next = stamp_next_month(start);
    bool ok;

    day_write(day_of(start), &text);
    if (stamp_month(start).s == start.s && end.s == next.s && text.len == 10) {
        text.len = 7;
    } else {
        buf_adds(&text, " to ");
        day_write(day_of((stamp){end.s - 1}), &text);
    }
    ok = buf_ok(&text, err) && (out->at = str_dup(buf_text(&text), arena, err)) != NULL;
    out->len = text.len;
    buf_free(&text);
    return ok;
}

bool import_view(const struct ledger_bill *b, struct arena *arena, struct import_bill_view *out,
                 struct error *err)
{
    *out = (struct import_bill_view){
        .key = b->key > 0 ? b->key : -1,
        .provider = ledger_known(b->provider),
        .account = ledger_known(b->account),
        .amounts = b->amounts == BILL_BOTH ? STR("billed and effective") : STR("amortised"),
        .format = b->format,
        .version = ledger_known(b->version),
        .first_day = b->first_day,
        .last_day = b->last_day,
        .lines = b->lines,
        .billed = money_of(b->billed, b->currency),
        .effective = money_of(b->effective, b->currency)};
    return period_of(b, arena, &out->period, err) &&
           ledger_when(b->period_start, arena, &out->period_start, err) &&
           ledger_when(b->period_end, arena, &out->period_end, err);
}

bool import_again(const struct ledger_bill *a, const struct ledger_bill *b)
{
    return ledger_period_edge(a->period_start).s == ledger_period_edge(b->period_start).s &&
           a->amounts == b->amounts && a->coarse == b->coarse &&
           str_eq(a->provider, b->provider) && str_eq(a->account, b->account) &&
           str_eq(a->currency, b->currency);
}

/* What a bill took the place of, together. The ledger tells of those in the order of what came
 * in: `*at` is the next. */
static bool add_replaced(const struct ledger_imported *in, const struct ledger_bill *bill,
                         size_t *at, struct arena *arena, struct import_bill_view *v,
                         struct error *err)
{
    stamp newest = {-1};

    for (; *at < in->replaced_count && import_again(&in->replaced[*at], bill); (*at)++) {
        const struct ledger_bill *old = &in->replaced[*at];

        v->replaced_lines += old->lines;
        if (v->replaced++ == 0) {
            v->replaced_billed = money_of(old->billed, old->currency);
            v->replaced_effective = money_of(old->effective, old->currency);
        } else if (!decimal_add(v->replaced_billed.amount, old->billed,
                                &v->replaced_billed.amount) ||
                   !decimal_add(v->replaced_effective.amount, old->effective,
                                &v->replaced_effective.amount))
            v->replaced_billed.currency[0] = v->replaced_effective.currency[0] = '\0';
        newest = old->imported.s > newest.s ? old->imported : newest;
    }
    return ledger_when(newest, arena, &v->replaced_imported, err);
}

bool import_tell(struct op_context *ctx, const struct ledger_imported *in,
                 struct import_result *out, struct error *err)
{
    struct import_bill_view *views =
        arena_array(ctx->arena, struct import_bill_view, in->count, err);
    size_t replaced = 0;

    if (views == NULL)
        return false;
    for (size_t i = 0; i < in->count; i++)
        if (!import_view(&in->bills[i], ctx->arena, &views[i], err) ||
            !add_replaced(in, &in->bills[i], &replaced, ctx->arena, &views[i], err))
            return false;
    out->bills = (struct rows){views, in->count};
    out->lines = in->lines;
    out->left_out = 0;
    for (size_t i = 0; i < in->overlap_count; i++)
        out->left_out += in->overlaps[i].coarse == 0 ? in->overlaps[i].lines : 0;
    return true;
}
