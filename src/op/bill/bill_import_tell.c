/* The result of an import: files and bills with all their digits. */

#include "ledger/bills/duplicates.h"
#include "op/bill/bill_import.h"
#include "op/context.h"
#include "op/ledger_open.h"

static const struct field file_fields[] = {
    FIELD(TEXT, import_file_view, file, .help = "as named"),
    FIELD(TEXT, import_file_view, format, .help = "how it was read"),
    FIELD(TEXT, import_file_view, version, .help = "of the format, if known"),
    FIELD(TEXT, import_file_view, amounts, .help = "billed and effective, or amortised"),
    FIELD(COUNT, import_file_view, lines, .help = "charges in it"),
    FIELD(TEXT, import_file_view, column, .help = "that the file bills by"),
    FIELD(MONEY, import_file_view, total, .help = "of that column, exactly"),
    FIELD(FLAG, import_file_view, mixed, .help = "of several currencies: no total"),
    FIELD(FLAG, import_file_view, equal, .help = "what was read comes to the same"),
    FIELD(DAY, import_file_view, first_day, .help = "on which a charge starts"),
    FIELD(DAY, import_file_view, last_day, .help = "likewise"),
    FIELD(FLAG, import_file_view, coarse, .help = "grouped by the cloud: no resources"),
    FIELD(TEXT, import_file_view, unused, .help = "columns that are not stored"),
    FIELD(TEXT, import_file_view, same_as, .help = "the file it is a copy of: skipped"),
};

static const struct field summary_fields[] = {
    FIELD(COUNT, bill_summary, key,
          .help = "number for 'stint bills remove'; null: it was not written"),
    FIELD(TEXT, bill_summary, provider, .help = "who sent it"),
    FIELD(TEXT, bill_summary, account, .help = "that pays"),
    FIELD(TEXT, bill_summary, period, .help = "a month, or from a day to another"),
    FIELD(TIME, bill_summary, period_start, .help = "in UTC"),
    FIELD(TIME, bill_summary, period_end, .help = "the first moment after"),
    FIELD(TEXT, bill_summary, amounts, .help = "billed and effective, or amortised"),
    FIELD(TEXT, bill_summary, format, .help = "it came in"),
    FIELD(TEXT, bill_summary, version, .help = "of that"),
    FIELD(DAY, bill_summary, first_day, .help = "on which a charge starts"),
    FIELD(DAY, bill_summary, last_day, .help = "likewise"),
    FIELD(COUNT, bill_summary, lines, .help = "charges"),
    FIELD(MONEY, bill_summary, billed, .help = "exactly"),
    FIELD(MONEY, bill_summary, effective,
          .help = "with what was paid before spread over its use"),
};

const struct field_set bill_summary_fields = FIELD_SET(struct bill_summary, summary_fields);

static const struct field bill_fields[] = {
    FIELD(RECORD, import_bill_view, bill, .row = &bill_summary_fields, .inlined = true,
          .help = "as it is in the ledger"),
    FIELD(COUNT, import_bill_view, replaced, .help = "bills that it replaced"),
    FIELD(COUNT, import_bill_view, replaced_lines, .help = "charges of those"),
    FIELD(MONEY, import_bill_view, replaced_billed, .help = "of those"),
    FIELD(MONEY, import_bill_view, replaced_effective, .help = "of those"),
    FIELD(TIME, import_bill_view, replaced_imported, .help = "when the newest was imported"),
};

const struct field_set import_file_fields = FIELD_SET(struct import_file_view, file_fields);
const struct field_set import_bill_fields = FIELD_SET(struct import_bill_view, bill_fields);

static struct money money_of(struct decimal amount, struct str currency)
{
    return (struct money){amount, currency_from(currency)};
}

/* "2026-05" for a complete month, else "2026-05-01 to 2026-05-11". */
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

bool bill_summarize(const struct ledger_bill *b, struct arena *arena, struct bill_summary *out,
                    struct error *err)
{
    *out = (struct bill_summary){
        .key = b->key > 0 ? b->key : -1,
        .provider = ledger_known(b->provider),
        .account = ledger_known(b->account),
        .amounts = b->amounts == BILL_BOTH ? STR("billed and effective") : STR("amortised"),
        .format = b->format,
        .version = ledger_known(b->version),
        .first_day = b->first_day,
        .last_day = b->last_day,
        .period_start = b->period_start,
        .period_end = b->period_end,
        .lines = b->lines,
        .billed = money_of(b->billed, b->currency),
        .effective = money_of(b->effective, b->currency)};
    return period_of(b, arena, &out->period, err);
}

/* What a bill replaced, together. The ledger returns those in the order of what came
 * in: `*at` is the next. */
static void add_replaced(const struct ledger_imported *in, const struct ledger_bill *bill,
                         size_t *at, struct import_bill_view *v)
{
    for (; *at < in->replaced_count && ledger_bill_again(&in->replaced[*at], bill); (*at)++) {
        const struct ledger_bill *old = &in->replaced[*at];

        v->replaced_lines += old->lines;
        if (v->replaced++ == 0) {
            v->replaced_billed = money_of(old->billed, old->currency);
            v->replaced_effective = money_of(old->effective, old->currency);
        } else if (!decimal_add(v->replaced_billed.amount, old->billed,
                                &v->replaced_billed.amount) ||
                   !decimal_add(v->replaced_effective.amount, old->effective,
                                &v->replaced_effective.amount))
            v->replaced_billed.currency = v->replaced_effective.currency = currency_none;
        if (old->imported.s > v->replaced_imported.s)
            v->replaced_imported = old->imported;
    }
}

bool import_tell(struct op_context *ctx, const struct ledger_imported *in,
                 struct import_result *out, struct error *err)
{
    struct import_bill_view *views =
        arena_array(ctx->arena, struct import_bill_view, in->count, err);
    size_t replaced = 0;

    if (views == NULL)
        return false;
    for (size_t i = 0; i < in->count; i++) {
        views[i].replaced_imported = STAMP_UNKNOWN;
        if (!bill_summarize(&in->bills[i], ctx->arena, &views[i].bill, err))
            return false;
        add_replaced(in, &in->bills[i], &replaced, &views[i]);
    }
    out->bills = (struct rows){views, in->count};
    out->lines = in->lines;
    out->left_out = 0;
    for (size_t i = 0; i < in->overlap_count; i++)
        out->left_out += in->overlaps[i].coarse == 0 ? in->overlaps[i].lines : 0;
    return true;
}
