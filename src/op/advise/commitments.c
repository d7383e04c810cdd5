/* commitments - what to commit to, for the load in the ledger or in a file. */
#include "op/advise/commitments.h"

#include <math.h>

#include "base/fs.h"
#include "bill/provider.h"
#include "op/advise/advise_bills.h"
#include "op/context.h"
#include "op/ledger_open.h"
#include "op/op.h"
#include "op/options.h"
#include "op/spending.h"
#include "report/figures.h"

#define FILE_MAX ((size_t)64 << 20)
#define DEFAULT_DAYS 365
#define LOADS_MAX 20 /* that options are computed for: the largest */

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

struct commitments_call {
    struct op_context *ctx;
    const struct commitments_request *req;
    struct commitments_result *res;
};

/* ---- the load ---- */

static bool read_usage_file(struct commitments_call *c, struct error *err)
{
    const struct commitments_request *req = c->req;
    struct arena *arena = c->ctx->arena;
    struct commitment_file file = {.path = str_dup(req->load, arena, err),
                                   .price = usd_per_hour_double(req->price),
                                   .provider = req->provider,
                                   .family = req->family};

    c->res->source = req->load;
    return file.path != NULL && fs_read(file.path, FILE_MAX, arena, &file.text, err) &&
           commitments_of_file(&file, arena, c->res, err);
}

static void keep_provider(struct str provider, struct hourly_use *use)
{
    size_t kept = 0;

    for (size_t i = 0; i < use->count; i++)
        if (provider.len == 0 || provider_same(use->loads[i].provider, provider))
            use->loads[kept++] = use->loads[i];
    use->count = kept;
}

/* What 'stint advise' moves to something cheaper is not committed to. */
static bool leave_moves_out(void *ctx, const struct reconciliation *bills, struct map *ids,
                            struct error *err)
{
    double days = bills->last.n == DAY_UNKNOWN.n ? 0 : bills->last.n - bills->first.n + 1.0;

    return op_billed_moves(ctx, bills, 24 * days, ids, err);
}

static unsigned hourly_scope(struct str by)
{
    return str_eq(by, STR("provider")) ? HOURLY_PROVIDER
           : str_eq(by, STR("region")) ? HOURLY_PROVIDER | HOURLY_REGION
                                       : HOURLY_PROVIDER | HOURLY_REGION | HOURLY_FAMILY;
}

static bool read_commitments_ledger(struct commitments_call *c, struct error *err)
{
    struct hourly_query query = {
        .by = hourly_scope(c->req->by), .leave_out = leave_moves_out, .leave_out_ctx = c->ctx};
    struct account_source account;
    struct hourly_use use;
    struct ledger *ledger;
    bool ok;

    if (!days_asked_parse(op_today(c->ctx), &c->req->days, DEFAULT_DAYS, &query.since,
                          &query.until, err))
        return false;
    if (query.until.n > op_today(c->ctx).n)
        query.until = op_today(c->ctx); /* today is not over */
    ledger = op_ledger(c->ctx, LEDGER_READ, err);
    if (ledger == NULL) {
        if (err->kind == ERROR_ABSENT)
            error_hint(err, "'stint import BILL' makes it; --load load.csv takes the load of "
                            "each hour from a file");
        return false;
    }
    account = op_account(c->ctx, ledger);
    ok = account_hourly(&account, &query, &use, err);
    ledger_close(ledger);
    if (!ok)
        return false;
    rates_used_warn(&use.rates, &c->ctx->messages);
    keep_provider(c->req->provider, &use);
    c->res->source = STR("ledger");
    return commitments_of_use(&use, query.since, query.until, c->ctx->arena, c->res, err);
}

/* ---- what is sold ---- */

/* The provider as the catalog calls it. */
static struct str catalog_provider(const struct catalog *catalog, struct str name)
{
    for (size_t i = 0; i < catalog->tables[TABLE_COMMITMENTS].len; i++) {
        const struct commitment *row = CATALOG_ROW(catalog, TABLE_COMMITMENTS, commitment, i);

        if (provider_same(row->provider, name))
            return row->provider;
    }
    return name;
}

static bool find_commitment_options(struct commitments_call *c, struct error *err)
{
    const struct catalog *catalog = &c->ctx->catalog;
    const struct hourly_load *loads = c->res->loads.at;
    const struct commitment_terms terms = {.discount = c->req->discount,
                                           .months = c->req->term,
                                           .price = usd_per_hour_double(c->req->price),
                                           .today = op_today(c->ctx)};

    for (size_t i = 0; i < c->res->loads.len && i < LOADS_MAX; i++)
        if (!commitments_add_options(i, catalog_provider(catalog, loads[i].provider), &terms,
                                     catalog, c->ctx->arena, c->res, err))
            return false;
    return true;
}

/* ---- the operation ---- */

static bool check_load(const struct commitments_request *req, struct error *err)
{
    if (req->load.len == 0 && (req->price.nano != MONEY_UNKNOWN || req->family.len > 0))
        return error_fail_hint(err, ERROR_USAGE,
                               "'stint commitments --load load.csv --provider aws --price "
                               "32.77usd/hr'",
                               "--price and --family are for --load");
    if (req->load.len > 0 && (req->days.since.len > 0 || req->days.until.len > 0))
        return error_fail(err, ERROR_USAGE,
                          "--since and --until are for the ledger, not for --load");
    return req->load.len == 0 || req->provider.len > 0 || !isnan(req->discount) ||
           error_fail_hint(
               err, ERROR_USAGE,
               "--provider aws (discounts of the catalog), or --discount 35% --term 12",
               "--load needs the provider or the discount");
}

static bool check_terms(const struct commitments_request *req, struct error *err)
{
    if (req->term > 120)
        return error_fail_hint(err, ERROR_USAGE, "--term 12, --term 36",
                               "--term: up to 120 months");
    return !(req->discount >= 1) || error_fail_hint(err, ERROR_USAGE, "--discount 35%",
                                                    "a discount of 100 %% or more is no price");
}

static bool commitments_run(struct op_context *ctx, const void *in, void *out,
                            struct error *err)
{
    struct commitments_call c = {.ctx = ctx, .req = in, .res = out};

    if (!check_load(c.req, err) || !check_terms(c.req, err) ||
        !op_catalog(ctx, TABLE_BIT(TABLE_COMMITMENTS), err) ||
        !(c.req->load.len > 0 ? read_usage_file(&c, err) : read_commitments_ledger(&c, err)) ||
        !find_commitment_options(&c, err) || !commitments_add_notes(ctx->arena, c.res, err))
        return false;
    c.res->svg = c.req->svg;
    return c.req->svg.len == 0 ||
           commitments_figure(c.res, (struct figure_origin){op_today(ctx), ctx->demo},
                              ctx->arena, err);
}

const struct op op_commitments = {
    .name = "commitments",
    .schema = "stint.commitments/1",
    .summary = "compute which commitments to buy and what they save",
    .remote = OP_READ,
    .request = &(const struct field_set)FIELD_SET(struct commitments_request, request),
    .result = &commitments_fields,
    .run = commitments_run,
};
