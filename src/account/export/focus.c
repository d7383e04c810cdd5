#include "account/export/focus.h"

#include <math.h>
#include <string.h>

#include "account/policy/ledger_policy.h"
#include "account/query/charge.h"
#include "bill/focus/conform.h"
#include "doc/json_write.h"
#include "unit/energy.h"

#define CURRENCIES 32
#define PROGRESS_EVERY 4096 /* rows */

static const struct field change_list[] = {
    FIELD(COUNT, focus_change, rows, .help = "rows changed in this way"),
    FIELD(TEXT, focus_change, what, .help = "change to the rows"),
};

static const struct field_set change_set = FIELD_SET(struct focus_change, change_list);

static const struct field export_list[] = {
    FIELD(COUNT, focus_export, rows, .help = "rows in total"),
    FIELD(COUNT, focus_export, bill_rows, .help = "lines of bills"),
    FIELD(COUNT, focus_export, run_rows, .help = "days of runs"),
    FIELD(COUNT, focus_export, recurring_rows, .help = "months of recurring costs"),
    FIELD(LIST, focus_export, changes, .row = &change_set,
          .help = "changes that make rows follow the rules of FOCUS"),
    FIELD(TEXTS, focus_export, billed, .help = "exact sum of billed cost, by currency"),
    FIELD(COUNT, focus_export, unpriced, .help = "runs without a known cost: not included"),
};

const struct field_set focus_export_fields = FIELD_SET(struct focus_export, export_list);

const struct focus_extra focus_extras[FOCUS_EXTRAS] = {
    {"x_RunId", FOCUS_TEXT},
    {"x_EnergyKWh", FOCUS_DECIMAL},
    {"x_EmissionsGCO2e", FOCUS_DECIMAL},
    {"x_GpuHours", FOCUS_DECIMAL},
    {"x_GpuUtilization", FOCUS_DECIMAL},
};

/* ---- a day of a run, a month of a recurring cost as a line ---- */

/* A day of a run. */
struct run_day {
    const struct ledger_charge *charge;
    const struct dimensions *of;
    day on;
    int64_t nano;   /* that it cost on the day */
    stamp from, to; /* of the day's part */
    int64_t whole;  /* seconds of all days */
};

/* The part of a recurring cost in one month. */
struct recurring_days {
    struct policy_recurring cost;
    struct decimal amount;
    day from, until; /* the first day, and the first day after */
};

/* Texts are put one after the other and pointed at when all are there: the room may move. */
struct piece {
    size_t from, len;
};

static struct piece put_focus_number(double value, int decimals, struct buf *room)
{
    struct piece p = {room->len, 0};

    if (isfinite(value)) {
        buf_addf(room, "%.*f", decimals, value);
        p.len = room->len - p.from;
    }
    return p;
}

static struct piece put_details(const struct run_day *run, struct buf *room)
{
    struct piece p = {room->len, 0};

    buf_adds(room, "{\"InstanceType\":");
    json_write_text(run->of->of[DIMENSION_instance], room);
    if (run->charge->gpus >= 0)
        buf_addf(room, ",\"GpuCount\":%d", run->charge->gpus);
    buf_char(room, '}');
    p.len = room->len - p.from;
    return p;
}

static struct piece put_sku(const struct run_day *run, struct buf *room)
{
    struct piece p = {room->len, 0};

    buf_add(room, run->of->of[DIMENSION_provider]);
    buf_char(room, '/');
    buf_add(room, run->of->of[DIMENSION_instance].len > 0 ? run->of->of[DIMENSION_instance]
                                                          : STR("machine"));
    buf_char(room, ':');
    buf_add(room, run->of->of[DIMENSION_pricing]);
    p.len = room->len - p.from;
    return p;
}

static struct str piece_text(const struct buf *room, struct piece p)
{
    return (struct str){p.len > 0 ? buf_text(room).at + p.from : NULL, p.len};
}

static struct str or_null(struct str text)
{
    return text.len > 0 ? text : (struct str){0};
}

/* What FOCUS calls the ways of paying. */
static struct str pricing(struct str ours)
{
    if (str_eq(ours, STR("spot")))
        return STR("Dynamic");
    if (str_eq(ours, STR("committed")))
        return STR("Committed");
    return str_eq(ours, STR("on-demand")) ? STR("Standard") : STR("Other");
}

static void fixed_columns(const struct run_day *run, struct bill_line *out)
{
    const struct str *of = run->of->of;

    out->of[FOCUS_ProviderName] = out->of[FOCUS_PublisherName] = of[DIMENSION_provider];
    out->of[FOCUS_ServiceProviderName] = out->of[FOCUS_HostProviderName] =
        of[DIMENSION_provider];
    out->of[FOCUS_InvoiceIssuerName] = of[DIMENSION_provider];
    out->of[FOCUS_BillingAccountId] =
        of[DIMENSION_account].len > 0 ? of[DIMENSION_account] : STR("stint-ledger");
    out->of[FOCUS_BillingAccountName] = out->of[FOCUS_BillingAccountId];
    out->of[FOCUS_BillingAccountType] = STR("Ledger");
    out->of[FOCUS_BillingCurrency] = out->of[FOCUS_PricingCurrency] = STR("USD");
    out->of[FOCUS_ChargeCategory] = STR("Usage");
    out->of[FOCUS_ChargeFrequency] = STR("Usage-Based");
    out->of[FOCUS_ChargeDescription] = or_null(run->charge->name);
    out->of[FOCUS_ServiceCategory] = STR("Compute");
    out->of[FOCUS_ServiceSubcategory] = STR("Virtual Machines");
    out->of[FOCUS_ServiceName] = of[DIMENSION_service];
    out->of[FOCUS_SkuMeter] = STR("Machine Hours");
    out->of[FOCUS_PricingCategory] = pricing(of[DIMENSION_pricing]);
    out->of[FOCUS_PricingUnit] = out->of[FOCUS_ConsumedUnit] = STR("Hours");
    out->of[FOCUS_RegionId] = out->of[FOCUS_RegionName] = or_null(of[DIMENSION_region]);
    out->of[FOCUS_ResourceId] = run->charge->id;
    out->of[FOCUS_ResourceName] = or_null(run->charge->name);
    out->of[FOCUS_ResourceType] = STR("Run");
    out->of[FOCUS_Tags] = run->charge->tags;
}

/* Texts live in `room`, which is cleared first. */
static bool make_run_line(const struct run_day *run, struct buf *room, struct bill_line *out,
                          struct str extras[FOCUS_EXTRAS], struct error *err)
{
    const struct ledger_charge *c = run->charge;
    double part = (double)(run->to.s - run->from.s) / (double)run->whole;
    double hours = (double)c->elapsed.ns / 3.6e12 * part;
    struct piece quantity, details, sku, energy, carbon, gpu_hours, busy;

    *out = (struct bill_line){.start = run->from,
                              .end = run->to,
                              .period_start = stamp_month(run->from),
                              .period_end = stamp_next_month(run->from)};
    out->billed = out->effective = decimal_trim((struct decimal){run->nano, 9}, 0);
    buf_clear(room);
    fixed_columns(run, out);
    quantity = put_focus_number(c->elapsed.ns >= 0 ? hours : NAN, 9, room);
    details = put_details(run, room);
    sku = put_sku(run, room);
    energy = put_focus_number(c->joules / JOULES_PER_KWH * part, 6, room);
    carbon = put_focus_number(c->grams * part, 3, room);
    gpu_hours =
        put_focus_number(c->gpus >= 0 && c->elapsed.ns >= 0 ? hours * c->gpus : NAN, 6, room);
    busy = put_focus_number(c->gpu_busy, 4, room);
    if (!buf_ok(room, err))
        return false;
    out->of[FOCUS_PricingQuantity] = out->of[FOCUS_ConsumedQuantity] =
        piece_text(room, quantity);
    out->of[FOCUS_SkuPriceDetails] = piece_text(room, details);
    out->of[FOCUS_SkuId] = out->of[FOCUS_SkuPriceId] = piece_text(room, sku);
    extras[0] = c->id;
    extras[1] = piece_text(room, energy);
    extras[2] = piece_text(room, carbon);
    extras[3] = piece_text(room, gpu_hours);
    extras[4] = piece_text(room, busy);
    return true;
}

static struct piece put_tags(const struct dimensions *of, struct buf *room)
{
    struct piece p = {room->len, 0};

    for (int d = DIMENSION_FIRST_TAG; d < DIMENSION_COUNT; d++)
        if (of->of[d].len > 0) {
            buf_char(room, room->len == p.from ? '{' : ',');
            json_write_text(str_from(dimension_name((enum dimension)d)), room);
            buf_char(room, ':');
            json_write_text(of->of[d], room);
        }
    if (room->len > p.from)
        buf_char(room, '}');
    p.len = room->len - p.from;
    return p;
}

/* Paid as it is used, by the day: FOCUS has no effective cost for what is bought. */
static bool recurring_line(const struct recurring_days *r, struct buf *room,
                           struct bill_line *out, struct error *err)
{
    struct str provider = r->cost.of.of[DIMENSION_provider];
    struct piece days, tags, sku;
    stamp from = {r->from.n * SECONDS_PER_DAY};

    *out = (struct bill_line){.start = from,
                              .end = {r->until.n * SECONDS_PER_DAY},
                              .period_start = stamp_month(from),
                              .period_end = stamp_next_month(from)};
    out->billed = out->effective = decimal_trim(r->amount, 0);
    buf_clear(room);
    days = put_focus_number(r->until.n - r->from.n, 0, room);
    tags = put_tags(&r->cost.of, room);
    sku.from = room->len;
    buf_add(room, provider);
    buf_char(room, '/');
    buf_add(room, r->cost.name);
    sku.len = room->len - sku.from;
    if (!buf_ok(room, err))
        return false;
    out->of[FOCUS_ProviderName] = out->of[FOCUS_PublisherName] = provider;
    out->of[FOCUS_ServiceProviderName] = out->of[FOCUS_HostProviderName] = provider;
    out->of[FOCUS_InvoiceIssuerName] = provider;
    out->of[FOCUS_BillingAccountId] = out->of[FOCUS_BillingAccountName] = STR("stint-ledger");
    out->of[FOCUS_BillingAccountType] = STR("Ledger");
    out->of[FOCUS_BillingCurrency] = out->of[FOCUS_PricingCurrency] =
        currency_text(&r->cost.cost.currency);
    out->of[FOCUS_ChargeCategory] = STR("Usage");
    out->of[FOCUS_ChargeFrequency] = STR("Recurring");
    out->of[FOCUS_ChargeDescription] = out->of[FOCUS_ServiceName] = r->cost.name;
    out->of[FOCUS_ServiceCategory] = STR("Other");
    out->of[FOCUS_ServiceSubcategory] = STR("Other (Other)");
    out->of[FOCUS_SkuMeter] = STR("Days");
    out->of[FOCUS_PricingCategory] = STR("Standard");
    out->of[FOCUS_PricingUnit] = out->of[FOCUS_ConsumedUnit] = STR("Days");
    out->of[FOCUS_PricingQuantity] = out->of[FOCUS_ConsumedQuantity] = piece_text(room, days);
    out->of[FOCUS_SkuId] = out->of[FOCUS_SkuPriceId] = piece_text(room, sku);
    out->of[FOCUS_Tags] = piece_text(room, tags);
    return true;
}

/* ---- the export ---- */

struct exporter {
    const struct account_source *account;
    const struct focus_question *question;
    const struct focus_sink *sink;
    struct focus_export *out;
    struct conform conform;
    struct coverage coverage;
    struct run_dimensions runs;
    struct buf room;
    struct money sums[CURRENCIES];
    size_t sum_count;
    int64_t unpriced_run;
};

/* Runs that a bill covers are left out then, and recurring costs are included. */
static bool is_all(const struct exporter *x)
{
    return x->question->from == SPENDING_ALL;
}

static bool add_sum(struct exporter *x, struct str currency, struct decimal amount,
                    struct error *err)
{
    struct currency code = currency_from(currency);
    size_t i = 0;

    while (i < x->sum_count && !currency_is(code, x->sums[i].currency))
        i++;
    if (i == CURRENCIES || currency.len > 3)
        return error_fail(err, ERROR_INPUT, "more than %d currencies, or no code: '%.*s'",
                          CURRENCIES, STR_ARG(currency));
    if (i == x->sum_count)
        x->sums[x->sum_count++].currency = code;
    if (!decimal_add(x->sums[i].amount, amount, &x->sums[i].amount))
        return error_fail(err, ERROR_INPUT, "the sum does not fit in 128 bits");
    return true;
}

static bool put_focus_line(struct exporter *x, const struct bill_line *line,
                           const struct str *extras, struct error *err)
{
    struct str of[FOCUS_COUNT];

    if (!conform_line(&x->conform, line, of, err) ||
        !add_sum(x, of[FOCUS_BillingCurrency], line->billed, err))
        return false;
    focus_write_row(x->question->minor, of, extras, FOCUS_EXTRAS, x->sink->text);
    x->out->rows++;
    if (x->out->rows % PROGRESS_EVERY == 0 &&
        !account_goes_on(x->account, "rows", (uint64_t)x->out->rows))
        return error_fail(err, ERROR_STOPPED, "stopped: nothing was written");
    return x->sink->flush(x->sink->ctx, err);
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

static bool export_bill_line(void *ctx, const struct ledger_bill *bill,
                             const struct bill_line *line, struct error *err)
{
    static const struct str none[FOCUS_EXTRAS];
    struct exporter *x = ctx;

    x->out->bill_rows++;
    if (bill->paired) {
        struct bill_line once = *line;

        count_once(bill, &once);
        return put_focus_line(x, &once, none, err);
    }
    return put_focus_line(x, line, none, err);
}

static bool in_export_range(const struct exporter *x, day on)
{
    return (x->question->since.n == DAY_UNKNOWN.n || on.n >= x->question->since.n) &&
           (x->question->until.n == DAY_UNKNOWN.n || on.n < x->question->until.n);
}

static bool put_run_day(struct exporter *x, const struct run_day *run, struct error *err)
{
    struct str extras[FOCUS_EXTRAS];
    struct bill_line line;

    if (run->nano == MONEY_UNKNOWN) {
        x->out->unpriced += x->unpriced_run != run->charge->run;
        x->unpriced_run = run->charge->run;
        return true;
    }
    x->out->run_rows++;
    return make_run_line(run, &x->room, &line, extras, err) &&
           put_focus_line(x, &line, extras, err);
}

static bool export_charge(void *ctx, const struct ledger_charge *charge, struct error *err)
{
    struct exporter *x = ctx;
    struct charge_days days = charge_days_of(charge);
    struct dimensions of;
    struct run_day run = {.charge = charge,
                          .of = &of,
                          .whole = days.until - days.started,
                          .from = charge->started};

    if (!run_dimensions_of(&x->runs, charge, &of, err))
        return false;
    while (charge_days_next(&days, &run.on, &run.nano)) {
        run.to.s = days.at;
        if (in_export_range(x, run.on) &&
            !(is_all(x) && coverage_has(&x->coverage, of.of[DIMENSION_provider], run.on)) &&
            !put_run_day(x, &run, err))
            return false;
        run.from = run.to;
    }
    return true;
}

/* ---- recurring costs ---- */

static bool put_recurring(struct exporter *x, const struct allocation_policy *policy, size_t i,
                          struct error *err)
{
    static const struct str none[FOCUS_EXTRAS];
    struct recurring_days r = {.cost = policy->recurring[i]};
    day end = {x->account->today.n + 1}; /* days to come cost nothing yet */

    if (x->question->until.n != DAY_UNKNOWN.n && x->question->until.n < end.n)
        end = x->question->until;
    if (r.cost.until.n != DAY_UNKNOWN.n && r.cost.until.n < end.n)
        end.n = r.cost.until.n + 1;
    r.from = r.cost.from.n > x->question->since.n
                 ? r.cost.from
                 : x->question->since; /* unknown is before all */
    for (; r.from.n < end.n; r.from = r.until) {
        struct bill_line line;

        r.until = day_month_add(r.from, 1);
        if (r.until.n > end.n)
            r.until = end;
        if (!policy_recurring_cost(policy, i, r.from, r.until, &r.amount, err) ||
            !recurring_line(&r, &x->room, &line, err) || !put_focus_line(x, &line, none, err))
            return false;
        x->out->recurring_rows++;
    }
    return true;
}

static bool put_all_recurring(struct exporter *x, struct error *err)
{
    const struct allocation_policy *policy;

    if (!ledger_policy_read(x->account->ledger, x->account->arena, &policy, err))
        return false;
    for (size_t i = 0; policy != NULL && i < policy->recurring_count; i++)
        if (!put_recurring(x, policy, i, err))
            return false;
    return true;
}

static bool put_focus_rows(struct exporter *x, struct error *err)
{
    struct ledger_line_query query = {
        .since = x->question->since, .until = x->question->until, .bill = -1};
    stamp since = {
        x->question->since.n == DAY_UNKNOWN.n ? -1 : x->question->since.n * SECONDS_PER_DAY};
    stamp until = {
        x->question->until.n == DAY_UNKNOWN.n ? -1 : x->question->until.n * SECONDS_PER_DAY};

    focus_write_header(x->question->minor, focus_extras, FOCUS_EXTRAS, x->sink->text);
    if (x->question->from != SPENDING_RUNS &&
        !ledger_bill_lines(x->account->ledger, &query, export_bill_line, x, err))
        return false;
    if (x->question->from != SPENDING_BILLS &&
        !ledger_charges(x->account->ledger, since, until, export_charge, x, err))
        return false;
    return !is_all(x) || put_all_recurring(x, err);
}

static bool make_export_summary(struct exporter *x, struct error *err)
{
    struct focus_change *changes =
        arena_array(x->account->arena, struct focus_change, CONFORM_CHANGES, err);
    struct str *sums = arena_array(x->account->arena, struct str, x->sum_count, err);
    size_t count = 0;

    if (changes == NULL || sums == NULL)
        return false;
    for (int i = 0; i < CONFORM_CHANGES; i++)
        if (x->conform.changed[i] > 0)
            changes[count++] = (struct focus_change){
                x->conform.changed[i], str_from(conform_change_words((enum conform_change)i))};
    x->out->changes = (struct rows){changes, count};
    for (size_t i = 0; i < x->sum_count; i++) {
        struct buf text = buf_new(x->account->arena->alloc, 256);

        decimal_write(x->sums[i].amount, &text);
        buf_addf(&text, " %s", x->sums[i].currency.code);
        if (!buf_keep(&text, x->account->arena, &sums[i], err))
            return false;
    }
    x->out->billed = (struct strs){sums, x->sum_count};
    return true;
}

bool account_export_focus(const struct account_source *account,
                          const struct focus_question *question, const struct focus_sink *sink,
                          struct focus_export *out, struct error *err)
{
    struct exporter x = {
        .account = account, .question = question, .sink = sink, .out = out, .unpriced_run = -1};
    bool ok;

    *out = (struct focus_export){0};
    if (!coverage_read(account->ledger, account->arena, &x.coverage, err))
        return false;
    x.conform = conform_new(question->minor, account->arena->alloc);
    x.room = buf_new(account->arena->alloc, BUF_MAX_OUTPUT);
    run_dimensions_open(&x.runs, account, &x.coverage, NULL, UINT64_MAX);
    ok = put_focus_rows(&x, err) && make_export_summary(&x, err);
    run_dimensions_close(&x.runs);
    buf_free(&x.room);
    conform_free(&x.conform);
    return ok;
}
