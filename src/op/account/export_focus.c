/* Bills, runs and recurring costs as rows of FOCUS, and what was done to make them keep its
 * rules. */
#include "op/account/export_focus.h"

#include <string.h>

#include "account/policy/ledger_policy.h"
#include "base/fs.h"
#include "op/account/costs.h"
#include "op/context.h"

#define CURRENCIES 32

struct exporter {
    struct op_context *ctx;
    struct ledger *ledger;
    struct account_source account;
    struct export_result *res;
    struct export_file file;
    struct conform conform;
    struct coverage coverage;
    struct run_dimensions runs;
    struct buf room;
    day since, until;
    bool all; /* runs that a bill covers are left out, recurring costs are in */
    int minor;
    struct {
        char code[4];
        struct decimal sum;
    } sums[CURRENCIES];
    size_t sum_count;
    int64_t unpriced_run;
};

static bool add_sum(struct exporter *x, struct str currency, struct decimal amount,
                    struct error *err)
{
    size_t i = 0;

    while (i < x->sum_count && !str_eq(currency, str_from(x->sums[i].code)))
        i++;
    if (i == CURRENCIES || currency.len > 3)
        return error_fail(err, ERROR_INPUT, "more than %d currencies, or no code: '%.*s'",
                          CURRENCIES, STR_ARG(currency));
    if (i == x->sum_count) {
        memcpy(x->sums[i].code, currency.at, currency.len);
        x->sum_count++;
    }
    if (!decimal_add(x->sums[i].sum, amount, &x->sums[i].sum))
        return error_fail(err, ERROR_INPUT, "the sum does not fit in 128 bits");
    return true;
}

static bool put_line(struct exporter *x, const struct bill_line *line, const struct str *extras,
                     struct error *err)
{
    struct op_context *ctx = x->ctx;
    struct str of[FOCUS_COUNT];

    if (!conform_line(&x->conform, line, of, err) ||
        !add_sum(x, of[FOCUS_BillingCurrency], line->billed, err))
        return false;
    focus_write_row(x->minor, of, extras, EXPORT_EXTRAS, &x->file.text);
    x->res->rows++;
    if (x->res->rows % 4096 == 0) {
        if (ctx->progress != NULL)
            ctx->progress(ctx->progress_ctx, "rows", (uint64_t)x->res->rows, 0);
        if (ctx->stopped != NULL && ctx->stopped())
            return error_fail(err, ERROR_STOPPED, "stopped: nothing was written");
    }
    return export_flush(&x->file, false, err);
}

/* Of two bills for the same, one has what was billed, the other what it is worth by day:
 * neither amount, and no quantity, may be in the file twice. */
static void count_once(const struct ledger_bill *bill, struct bill_line *line)
{
    static const enum focus_column quantities[] = {
        FOCUS_PricingQuantity, FOCUS_ConsumedQuantity, FOCUS_CommitmentDiscountQuantity};

    if (bill->amounts == BILL_BOTH) {
        line->effective = (struct decimal){0};
        line->of[FOCUS_PricingCurrencyEffectiveCost] = (struct str){0};
        return;
    }
    line->list = line->contracted = (struct decimal){0};
    line->list_known = line->contracted_known = true;
    for (size_t i = 0; i < ARRAY_LEN(quantities); i++)
        if (line->of[quantities[i]].len > 0)
            line->of[quantities[i]] = STR("0");
}

static bool each_line(void *ctx, const struct ledger_bill *bill, const struct bill_line *line,
                      struct error *err)
{
    static const struct str none[EXPORT_EXTRAS];
    struct exporter *x = ctx;

    x->res->bill_rows++;
    if (bill->paired) {
        struct bill_line once = *line;

        count_once(bill, &once);
        return put_line(x, &once, none, err);
    }
    return put_line(x, line, none, err);
}

static bool in_range(const struct exporter *x, day on)
{
    return (x->since.n == DAY_UNKNOWN.n || on.n >= x->since.n) &&
           (x->until.n == DAY_UNKNOWN.n || on.n < x->until.n);
}

static bool put_day(struct exporter *x, const struct export_run *run, struct error *err)
{
    struct str extras[EXPORT_EXTRAS];
    struct bill_line line;

    if (run->nano == MONEY_UNKNOWN) {
        x->res->unpriced += x->unpriced_run != run->charge->run;
        x->unpriced_run = run->charge->run;
        return true;
    }
    x->res->run_rows++;
    return export_run_line(run, &x->room, &line, extras, err) &&
           put_line(x, &line, extras, err);
}

static bool each_charge(void *ctx, const struct ledger_charge *charge, struct error *err)
{
    struct exporter *x = ctx;
    struct charge_days days = charge_days_of(charge);
    struct dimensions of;
    struct export_run run = {.charge = charge,
                             .of = &of,
                             .whole = days.until - days.started,
                             .from = charge->started};

    if (!run_dimensions_of(&x->runs, charge, &of, err))
        return false;
    while (charge_days_next(&days, &run.on, &run.nano)) {
        run.to.s = days.at;
        if (in_range(x, run.on) &&
            !(x->all && coverage_has(&x->coverage, of.of[DIMENSION_provider], run.on)) &&
            !put_day(x, &run, err))
            return false;
        run.from = run.to;
    }
    return true;
}

/* ---- recurring costs ---- */

static bool put_recurring(struct exporter *x, const struct policy *policy, size_t i,
                          struct error *err)
{
    static const struct str none[EXPORT_EXTRAS];
    struct export_recurring r = {.cost = policy_recurring_at(policy, i)};
    day end = {op_today(x->ctx).n + 1}; /* days to come cost nothing yet */

    if (x->until.n != DAY_UNKNOWN.n && x->until.n < end.n)
        end = x->until;
    if (r.cost.until.n != DAY_UNKNOWN.n && r.cost.until.n < end.n)
        end.n = r.cost.until.n + 1;
    r.from = r.cost.from.n > x->since.n ? r.cost.from : x->since; /* unknown is before all */
    for (; r.from.n < end.n; r.from = r.until) {
        struct bill_line line;

        r.until = day_month_add(r.from, 1);
        if (r.until.n > end.n)
            r.until = end;
        if (!policy_recurring_cost(policy, i, r.from, r.until, &r.amount, err) ||
            !export_recurring_line(&r, &x->room, &line, err) || !put_line(x, &line, none, err))
            return false;
        x->res->recurring_rows++;
    }
    return true;
}

static bool put_all_recurring(struct exporter *x, struct error *err)
{
    const struct policy *policy;

    if (!ledger_policy_read(x->ledger, x->ctx->arena, &policy, err))
        return false;
    for (size_t i = 0; policy != NULL && i < policy_recurring_count(policy); i++)
        if (!put_recurring(x, policy, i, err))
            return false;
    return true;
}

static bool put_rows(struct exporter *x, struct str from, struct error *err)
{
    struct ledger_line_query query = {.since = x->since, .until = x->until, .bill = -1};
    stamp since = {x->since.n == DAY_UNKNOWN.n ? -1 : x->since.n * SECONDS_PER_DAY};
    stamp until = {x->until.n == DAY_UNKNOWN.n ? -1 : x->until.n * SECONDS_PER_DAY};

    focus_write_header(x->minor, export_extras, EXPORT_EXTRAS, &x->file.text);
    if (!str_eq(from, STR("runs")) && !ledger_bill_lines(x->ledger, &query, each_line, x, err))
        return false;
    if (!str_eq(from, STR("bills")) &&
        !ledger_charges(x->ledger, since, until, each_charge, x, err))
        return false;
    return !x->all || put_all_recurring(x, err);
}

/* "bill.csv" has "bill.metadata.json" beside it. */
static bool put_metadata(struct exporter *x, struct error *err)
{
    struct focus_about about = {.minor = x->minor,
                                .created = x->ctx->clock->today(x->ctx->clock->ctx),
                                .generator_version = STINT_VERSION,
                                .extra = export_extras,
                                .extra_count = EXPORT_EXTRAS};
    struct buf text = buf_new(x->ctx->arena->alloc, BUF_MAX_OUTPUT);
    struct str stem = x->res->file;
    char *path;
    bool ok;

    if (str_ends(stem, STR(".csv")))
        stem.len -= 4;
    path = arena_array(x->ctx->arena, char, stem.len + sizeof ".metadata.json", err);
    if (path == NULL)
        return false;
    memcpy(path, stem.at, stem.len);
    memcpy(path + stem.len, ".metadata.json", sizeof ".metadata.json");
    focus_write_metadata(&about, &text);
    ok = buf_ok(&text, err) && fs_put(path, buf_text(&text), err);
    buf_free(&text);
    x->res->metadata = str_from(path);
    return ok;
}

static bool tell_changes(struct exporter *x, struct error *err)
{
    struct export_change *changes =
        arena_array(x->ctx->arena, struct export_change, CONFORM_CHANGES, err);
    struct str *sums = arena_array(x->ctx->arena, struct str, x->sum_count, err);
    size_t count = 0;

    if (changes == NULL || sums == NULL)
        return false;
    for (int i = 0; i < CONFORM_CHANGES; i++)
        if (x->conform.changed[i] > 0)
            changes[count++] = (struct export_change){
                x->conform.changed[i], str_from(conform_change_words((enum conform_change)i))};
    x->res->changes = (struct rows){changes, count};
    for (size_t i = 0; i < x->sum_count; i++) {
        struct buf text = buf_new(x->ctx->arena->alloc, 256);

        decimal_write(x->sums[i].sum, &text);
        buf_addf(&text, " %s", x->sums[i].code);
        if (!buf_keep(&text, x->ctx->arena, &sums[i], err))
            return false;
    }
    x->res->billed = (struct strs){sums, x->sum_count};
    return true;
}

static bool write_focus(struct exporter *x, const struct export_request *req, struct error *err)
{
    bool ok;

    x->account = op_account(x->ctx, x->ledger);
    x->minor = str_eq(req->version, STR("1.4")) ? 4 : 2;
    x->all = str_eq(req->from, STR("all"));
    x->res->version = req->version;
    x->unpriced_run = -1;
    if (!coverage_read(x->ledger, x->ctx->arena, &x->coverage, err))
        return false;
    x->conform = conform_new(x->minor, x->ctx->arena->alloc);
    x->room = buf_new(x->ctx->arena->alloc, BUF_MAX_OUTPUT);
    run_dimensions_open(&x->runs, &x->account, &x->coverage, NULL, UINT64_MAX);
    ok = export_open(x->ctx, req->file, &x->file, err) && put_rows(x, req->from, err);
    ok = export_close(&x->file, ok, err) && tell_changes(x, err) &&
         (str_eq(req->file, STR("-")) || put_metadata(x, err));
    run_dimensions_close(&x->runs);
    buf_free(&x->room);
    conform_free(&x->conform);
    return ok;
}

bool export_focus(struct op_context *ctx, struct ledger *ledger,
                  const struct export_request *req, const struct export_range *range,
                  struct export_result *res, struct error *err)
{
    struct exporter x = {
        .ctx = ctx, .ledger = ledger, .res = res, .since = range->since, .until = range->until};

    return write_focus(&x, req, err);
}
