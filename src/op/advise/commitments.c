/* commitments - what to commit to, for the load in the ledger or in a file. */
#include "op/advise/commitments.h"

#include <math.h>

#include "advise/economics/commitments_read.h"
#include "base/fs.h"
#include "bill/provider.h"
#include "op/advise/advise_billed.h"
#include "op/advise/commitments_figure.h"
#include "op/context.h"
#include "op/ledger_open.h"
#include "op/op.h"
#include "op/options.h"
#include "op/spending.h"

#define NOTES_MAX 8
#define NOTE_MAX 512
#define FILE_MAX ((size_t)64 << 20)
#define DEFAULT_DAYS 365
#define LOADS_MAX 20 /* that options are computed for: the largest */
#define SMALL 0.01   /* a share that is not worth a note */

static const char *const groupings[] = {"family", "region", "provider", NULL};

static const struct field request[] = {
    OP_SINCE_UNTIL(commitments_request, days, "the last 365 days"),
    FIELD(CHOICE, commitments_request, by, .value = "SCOPE", .choices = groupings,
          .fallback = "family",
          .help =
              "scope of a commitment: a machine family in a region, a region, or a provider"),
    FIELD(TEXT, commitments_request, load, .local = true, .value = "FILE",
          .help = "file of hourly loads, instead of the ledger: columns hour,amount"),
    FIELD(TEXT, commitments_request, provider, .value = "NAME",
          .help = "provider of the commitments; with the ledger, only its loads"),
    FIELD(TEXT, commitments_request, family, .value = "NAME",
          .help = "machine family (n1), for --load and discounts that depend on it"),
    FIELD(RATE, commitments_request, price, .value = "PRICE", .positive = true,
          .help = "price of one machine: the amounts of --load count machines"),
    FIELD(SHARE, commitments_request, discount, .value = "SHARE",
          .help = "discount you were quoted, instead of the catalog's: 35%"),
    FIELD(COUNT, commitments_request, term, .value = "MONTHS", .positive = true,
          .help = "term in months (default: all; with --discount 12)"),
    FIELD(TEXT, commitments_request, svg, .value = "FILE", .output = true,
          .help = "draw the load by hour and the cost by commitment to FILE as SVG"),
};

static const struct field result[] = {
    FIELD(TEXT, commitments_result, source, .help = "source: ledger, or the load file"),
    FIELD(DAY, commitments_result, since, .help = "first day"),
    FIELD(DAY, commitments_result, until, .help = "last day"),
    FIELD(COUNT, commitments_result, hours, .help = "hours in these days"),
    FIELD(LIST, commitments_result, loads, .row = &hourly_load_fields,
          .help = "on-demand machine loads, the largest first"),
    FIELD(LIST, commitments_result, options, .row = &commitment_option_fields,
          .help = "commitments to consider, by load and term"),
    FIELD(LIST, commitments_result, held, .row = &hourly_commitment_fields,
          .help = "commitments on the bills, the largest first"),
    FIELD(SHARE, commitments_result, covered,
          .help =
              "share of machine use (at list prices, without spot) they cover; null: no use"),
    FIELD(NUMBER, commitments_result, spot, .help = "spot cost, US dollars: left out"),
    FIELD(NUMBER, commitments_result, idle,
          .help = "cost of machines between runs, US dollars: left out"),
    FIELD(NUMBER, commitments_result, unused,
          .help = "cost of machines without any run, US dollars: left out"),
    FIELD(NUMBER, commitments_result, moved,
          .help = "US dollars of machines that cost less on spot, in another region, with a "
                  "newer GPU, or off at night: left out"),
    FIELD(NUMBER, commitments_result, others,
          .help = "cost of loads that are too many to list, US dollars"),
    FIELD(TEXTS, commitments_result, notes, .help = "limitations of the answer"),
    FIELD(TEXT, commitments_result, svg, .help = "file that was written"),
};

struct commitments_call {
    struct op_context *ctx;
    const struct commitments_request *req;
    struct commitments_result *res;
    struct hourly_load *loads;
    struct commitment_load *hourly; /* beside them */
    size_t count;
    struct str *notes;
    size_t note_count;
};

static bool add_commitments_note(struct commitments_call *c, struct buf *text,
                                 struct error *err)
{
    if (c->note_count == NOTES_MAX) {
        buf_free(text);
        return true;
    }
    return buf_keep(text, c->ctx->arena, &c->notes[c->note_count++], err);
}

/* ---- the load ---- */

/* A file as one load. */
static bool read_usage_file(struct commitments_call *c, struct error *err)
{
    const struct commitments_request *req = c->req;
    struct arena *arena = c->ctx->arena;
    const char *path = str_dup(req->load, arena, err);
    double price = usd_per_hour_double(req->price);
    struct hourly_load *load = arena_array(arena, struct hourly_load, 1, err);
    struct commitment_load *hours = arena_array(arena, struct commitment_load, 1, err);
    struct str text;

    if (path == NULL || load == NULL || hours == NULL ||
        !fs_read(path, FILE_MAX, arena, &text, err) ||
        !commitment_load_read(text, path, isnan(price) ? 0 : price, arena, hours, err))
        return false;
    *load = (struct hourly_load){.provider = req->provider, .family = req->family};
    for (size_t i = 0; i < hours->hours; i++)
        if (!isnan(hours->dollars[i])) {
            load->observed++;
            load->total += hours->dollars[i];
            load->peak = fmax(load->peak, hours->dollars[i]);
        }
    load->mean = load->total / (double)load->observed;
    c->loads = load;
    c->hourly = hours;
    c->count = 1;
    c->res->source = req->load;
    c->res->since = day_of(hours->first);
    c->res->until = day_of((stamp){hours->first.s + (int64_t)(hours->hours - 1) * 3600});
    c->res->hours = (int64_t)hours->hours;
    c->res->covered = NAN;
    return true;
}

static void keep_provider(struct commitments_call *c)
{
    size_t kept = 0;

    for (size_t i = 0; i < c->count; i++)
        if (c->req->provider.len == 0 || provider_same(c->loads[i].provider, c->req->provider))
            c->loads[kept++] = c->loads[i];
    c->count = kept;
}

/* What 'stint advise' moves to something cheaper is not committed to. */
static bool leave_moves_out(void *ctx, const struct reconciliation *bills, struct map *ids,
                            struct error *err)
{
    struct commitments_call *c = ctx;
    double days = bills->last.n == DAY_UNKNOWN.n ? 0 : bills->last.n - bills->first.n + 1.0;

    return advise_billed_moves(c->ctx, bills, 24 * days, ids, err);
}

static bool read_commitments_ledger(struct commitments_call *c, struct error *err)
{
    struct commitments_result *res = c->res;
    struct hourly_query query = {.by = HOURLY_PROVIDER | HOURLY_REGION | HOURLY_FAMILY,
                                 .leave_out = leave_moves_out,
                                 .leave_out_ctx = c};
    struct hourly_use use;
    struct ledger *ledger = NULL;
    bool ok;

    if (!days_asked_parse(op_today(c->ctx), &c->req->days, DEFAULT_DAYS, &query.since,
                          &query.until, err))
        return false;
    if (query.until.n > op_today(c->ctx).n)
        query.until = op_today(c->ctx); /* today is not over */
    if (!str_eq(c->req->by, STR("family")))
        query.by &= ~(unsigned)HOURLY_FAMILY;
    if (str_eq(c->req->by, STR("provider")))
        query.by &= ~(unsigned)HOURLY_REGION;
    ledger = op_ledger(c->ctx, LEDGER_READ, err);
    if (ledger == NULL) {
        if (err->kind == ERROR_ABSENT)
            error_hint(err, "'stint import BILL' makes it; --load load.csv takes the load of "
                            "each hour from a file");
        return false;
    }
    {
        struct account_source account = op_account(c->ctx, ledger);

        ok = account_hourly(&account, &query, &use, err);
    }
    ledger_close(ledger);
    if (!ok)
        return false;
    rates_used_warn(&use.rates, &c->ctx->messages);
    c->loads = use.loads;
    c->count = use.count;
    keep_provider(c);
    c->hourly = arena_array(c->ctx->arena, struct commitment_load, c->count + 1, err);
    for (size_t i = 0; c->hourly != NULL && i < c->count; i++)
        c->hourly[i] = (struct commitment_load){use.first, c->loads[i].dollars, use.hours};
    res->source = STR("ledger");
    res->since = query.since;
    res->until = (day){query.until.n - 1};
    res->hours = (int64_t)use.hours;
    res->held = (struct rows){use.commitments, use.commitment_count};
    res->covered =
        use.commitment_count > 0 ? use.committed / (use.committed + use.on_demand) : NAN;
    res->spot = use.spot;
    res->others = use.others;
    res->idle = use.idle;
    res->unused = use.unused;
    res->moved = use.moved;
    return c->hourly != NULL;
}

/* ---- what is sold ---- */

/* The provider as the catalog calls it. */
static struct str catalog_provider(const struct op_context *ctx, struct str name)
{
    for (size_t i = 0; i < ctx->catalog.tables[TABLE_COMMITMENTS].len; i++) {
        const struct commitment *row =
            CATALOG_ROW(&ctx->catalog, TABLE_COMMITMENTS, commitment, i);

        if (provider_same(row->provider, name))
            return row->provider;
    }
    return name;
}

/* Of a load: those of the catalog, or what the user was quoted. */
static bool find_commitment_offers(struct commitments_call *c, const struct hourly_load *load,
                                   struct commitment_offer **offers, size_t *count,
                                   struct error *err)
{
    const struct commitments_request *req = c->req;
    double price = usd_per_hour_double(req->price), unit = isnan(price) ? 0 : price;
    size_t kept = 0;

    *offers = commitment_offers_find(&c->ctx->catalog, catalog_provider(c->ctx, load->provider),
                                     load->family, unit, c->ctx->arena, count, err);
    if (*offers == NULL)
        return false;
    if (!isnan(req->discount)) {
        double sustained = *count > 0 ? (*offers)[0].sustained : 0;

        *offers = arena_array(c->ctx->arena, struct commitment_offer, 1, err);
        if (*offers == NULL)
            return false;
        **offers = (struct commitment_offer){.term_months = req->term > 0 ? req->term : 12,
                                             .discount_low = req->discount,
                                             .discount_high = req->discount,
                                             .sustained = sustained,
                                             .unit = unit,
                                             .source = STR("--discount"),
                                             .date = op_today(c->ctx)};
        *count = 1;
        return true;
    }
    for (size_t i = 0; i < *count; i++)
        if (req->term < 0 || (*offers)[i].term_months == req->term)
            (*offers)[kept++] = (*offers)[i];
    *count = kept;
    return true;
}

struct option_list {
    struct commitment_option *at;
    size_t count;
};

static bool add_options(struct commitments_call *c, size_t place, struct option_list *list,
                        struct error *err)
{
    const struct hourly_load *load = &c->loads[place];
    struct arena *arena = c->ctx->arena;
    struct commitment_offer *offers;
    struct commitment_option *all;
    size_t count;

    if (!find_commitment_offers(c, load, &offers, &count, err))
        return false;
    all = arena_array(arena, struct commitment_option, list->count + count + 1, err);
    if (all == NULL ||
        !commitment_options(&c->hourly[place], offers, count, arena, &all[list->count], err))
        return false;
    for (size_t i = 0; i < list->count; i++)
        all[i] = list->at[i];
    for (size_t i = list->count; i < list->count + count; i++) {
        all[i].provider = load->provider;
        all[i].region = load->region;
        all[i].family = load->family;
    }
    *list = (struct option_list){all, list->count + count};
    return true;
}

/* ---- notes ---- */

static bool note_spread(struct commitments_call *c, double dollars, double all,
                        const char *what, struct error *err)
{
    struct buf text = buf_new(c->ctx->arena->alloc, NOTE_MAX);

    if (!(dollars > SMALL * all)) {
        buf_free(&text);
        return true;
    }
    buf_addf(&text,
             "%.0f %% of the use is known by the %s only and spread evenly over it: savings "
             "are upper limits, and a bill by the hour would show the steady part",
             100 * dollars / all, what);
    return add_commitments_note(c, &text, err);
}

static bool note_gaps(struct commitments_call *c, struct error *err)
{
    struct buf text = buf_new(c->ctx->arena->alloc, NOTE_MAX);
    int64_t most = 0;

    for (size_t i = 0; i < c->count; i++)
        if (c->res->hours - c->loads[i].observed > most)
            most = c->res->hours - c->loads[i].observed;
    if (most == 0) {
        buf_free(&text);
        return true;
    }
    buf_addf(&text,
             "%lld of %lld hours have no observation: they are unknown, not zero, and left "
             "out",
             (long long)most, (long long)c->res->hours);
    return add_commitments_note(c, &text, err);
}

static bool note_text(struct commitments_call *c, const char *what, double dollars,
                      struct error *err)
{
    struct buf text = buf_new(c->ctx->arena->alloc, NOTE_MAX);

    usd_write_estimate(usd_about(dollars), &text);
    buf_adds(&text, what);
    return add_commitments_note(c, &text, err);
}

static bool add_commitments_notes(struct commitments_call *c, struct error *err)
{
    double days = 0, months = 0, runs = 0, all = 0;

    for (size_t i = 0; i < c->count; i++) {
        all += c->loads[i].total;
        days += c->loads[i].to_day * c->loads[i].total;
        months += c->loads[i].to_month * c->loads[i].total;
        runs += c->loads[i].from_runs * c->loads[i].total;
    }
    if (!note_spread(c, days, all, "day", err) || !note_spread(c, months, all, "month", err) ||
        !note_gaps(c, err))
        return false;
    if (runs > SMALL * all &&
        !note_text(c,
                   " of it is from runs: hours in which a machine was rented but ran "
                   "nothing that Stint metered are not in it; 'stint import' adds bills",
                   runs, err))
        return false;
    if (c->res->unused > SMALL * (all + c->res->unused) &&
        !note_text(
            c,
            " of machines that no run was on is left out: 'stint advise' says what to do "
            "with them first",
            c->res->unused, err))
        return false;
    if (c->res->moved > SMALL * (all + c->res->moved) &&
        !note_text(
            c,
            " of machines that cost less on spot, in another region, with a newer GPU or "
            "off at night is left out: 'stint advise' lists them",
            c->res->moved, err))
        return false;
    if (c->res->idle > SMALL * (all + c->res->idle) &&
        !note_text(c,
                   " of machines while no run was on them is left out: turn them off first "
                   "('stint advise')",
                   c->res->idle, err))
        return false;
    return !(c->res->spot > 0) ||
           note_text(c, " on spot is left out: commitments do not cover it", c->res->spot, err);
}

/* ---- the operation ---- */

static bool check_commitments_request(const struct commitments_request *req, struct error *err)
{
    if (req->load.len == 0 && (req->price.nano != MONEY_UNKNOWN || req->family.len > 0)) {
        error_set(err, ERROR_USAGE, "--price and --family are for --load");
        error_hint(err, "'stint commitments --load load.csv --provider aws --price "
                        "32.77usd/hr'");
        return false;
    }
    if (req->load.len > 0 && (req->days.since.len > 0 || req->days.until.len > 0)) {
        error_set(err, ERROR_USAGE, "--since and --until are for the ledger, not for --load");
        return false;
    }
    if (req->load.len > 0 && req->provider.len == 0 && isnan(req->discount)) {
        error_set(err, ERROR_USAGE, "--load needs the provider or the discount");
        error_hint(err, "--provider aws (discounts of the catalog), or --discount 35%% --term "
                        "12");
        return false;
    }
    if (req->term > 120) {
        error_set(err, ERROR_USAGE, "--term: up to 120 months");
        error_hint(err, "--term 12, --term 36");
        return false;
    }
    if (req->discount >= 1) {
        error_set(err, ERROR_USAGE, "a discount of 100 %% or more is no price");
        error_hint(err, "--discount 35%%");
        return false;
    }
    return true;
}

static bool commitments_run(struct op_context *ctx, const void *in, void *out,
                            struct error *err)
{
    struct commitments_call c = {.ctx = ctx, .req = in, .res = out};
    struct option_list options = {0};

    c.notes = arena_array(ctx->arena, struct str, NOTES_MAX, err);
    if (c.notes == NULL || !check_commitments_request(c.req, err) ||
        !op_catalog(ctx, TABLE_BIT(TABLE_COMMITMENTS), err) ||
        !(c.req->load.len > 0 ? read_usage_file(&c, err) : read_commitments_ledger(&c, err)))
        return false;
    for (size_t i = 0; i < c.count && i < LOADS_MAX; i++)
        if (!add_options(&c, i, &options, err))
            return false;
    c.res->loads = (struct rows){c.loads, c.count};
    c.res->hourly = (struct rows){c.hourly, c.count};
    c.res->options = (struct rows){options.at, options.count};
    if (!add_commitments_notes(&c, err))
        return false;
    c.res->notes = (struct strs){c.notes, c.note_count};
    c.res->svg = c.req->svg;
    return c.req->svg.len == 0 || commitments_figure_write(ctx, c.res, c.req->svg, err);
}

const struct op op_commitments = {
    .name = "commitments",
    .schema = "stint.commitments/1",
    .summary = "compute which commitments to buy and what they save",
    .remote = OP_READ,
    .request = &(const struct field_set)FIELD_SET(struct commitments_request, request),
    .result = &(const struct field_set)FIELD_SET(struct commitments_result, result),
    .run = commitments_run,
};
