/* runs add - record work that ran without `stint run`. */
#include "op/runs/run_add.h"

#include <string.h>

#include "account/policy/ledger_policy.h"
#include "account/policy/required.h"
#include "bill/dimension.h"
#include "ledger/runs/records.h"
#include "op/context.h"
#include "op/market.h"
#include "op/op.h"
#include "op/spending.h"

#define GPUS_MAX 1000000

static const struct field request[] = {
    FIELD(TEXT, run_add_request, offer, .value = "OFFER",
          .help = "machine: aws/us-east-1/g5.xlarge:spot; its price at that time is used"),
    FIELD(TEXT, run_add_request, provider, .value = "NAME",
          .help = "provider, if the offer is unknown: 'Acme Cloud'"),
    FIELD(TEXT, run_add_request, start, .value = "WHEN", .required = true,
          .help = "start time: 2026-11-01T10:00:00Z, or a day"),
    FIELD(TEXT, run_add_request, end, .value = "WHEN", .required = true, .help = "end time"),
    FIELD(TEXT, run_add_request, name, .value = "NAME",
          .help = "name of the run (default: the machine's)"),
    FIELD(TEXTS, run_add_request, tag, .value = "LIST", .help = "tags: team=nlp,project=ads"),
    FIELD(RATE, run_add_request, price, .value = "PRICE",
          .help = "price of one machine, instead of the offer's: 2.49usd/hr"),
    FIELD(USD, run_add_request, cost, .value = "AMOUNT",
          .help = "total cost, instead of a price"),
    FIELD(COUNT, run_add_request, count, .value = "N", .fallback = "1", .positive = true,
          .help = "number of machines"),
    FIELD(TEXT, run_add_request, gpu, .value = "GPU", .also = accelerator_options,
          .help = "GPU used, if any"),
    FIELD(COUNT, run_add_request, gpus, .value = "N",
          .help = "number of GPUs (default: the offer's)"),
};

static const struct field result[] = {
    FIELD(RECORD, run_add_result, run, .row = &ledger_run_fields, .help = "run as recorded"),
    FIELD(COUNT, run_add_result, count, .help = "number of machines"),
    FIELD(COUNT, run_add_result, prices, .help = "number of prices during that time"),
    FIELD(FLAG, run_add_result, later_price,
          .help = "later price was used, since none of that time is known"),
};

static bool parse_when(const char *option, struct str text, stamp *out, struct error *err)
{
    if (stamp_parse_typed(text, out))
        return true;
    error_set(err, ERROR_USAGE, "--%s: '%.*s' is not a time", option, STR_ARG(text));
    error_hint(err, "write '2026-11-01 10:00' (UTC), 2026-11-01T10:00:00+01:00 or 2026-11-01");
    return false;
}

/* The work so far: what is recorded, and where its price is from. */
struct adding {
    struct op_context *ctx;
    const struct run_add_request *req;
    struct run_price price;
    struct price_then then;
    struct str machines; /* "machines=4", when there are several: a fact of the run */
    struct ledger_start start;
    struct ledger_totals totals;
};

static bool check_added_times(struct adding *a, struct error *err)
{
    const struct run_add_request *req = a->req;
    stamp start, end;

    if (!parse_when("start", req->start, &start, err) ||
        !parse_when("end", req->end, &end, err))
        return false;
    if (end.s <= start.s)
        return error_fail(err, ERROR_USAGE, "--end (%.*s) is not after --start (%.*s)",
                          STR_ARG(req->end), STR_ARG(req->start));
    if (end.s > op_now(a->ctx).s) {
        error_set(err, ERROR_USAGE, "--end (%.*s) is in the future", STR_ARG(req->end));
        error_hint(err, "add it when it is over, or run it under 'stint run'");
        return false;
    }
    a->start.started = start;
    a->totals.at = end;
    a->totals.elapsed = (span){(end.s - start.s) * SECOND};
    return true;
}

/* "acme/": an offer of a provider, and no machine that is known. */
static bool check_provider(struct adding *a, struct error *err)
{
    struct str name = str_trim(a->req->provider);
    struct buf text;

    if (a->req->provider.len == 0)
        return true;
    if (a->req->offer.len > 0)
        return error_fail(err, ERROR_USAGE,
                          "--provider: the offer names the provider; give one of them");
    if (name.len == 0 || memchr(name.at, '/', name.len) != NULL ||
        memchr(name.at, ':', name.len) != NULL) {
        error_set(err, ERROR_USAGE, "--provider: '%.*s' is not a name",
                  STR_ARG(a->req->provider));
        error_hint(err, "write it as --provider 'Acme Cloud', without '/' and ':'");
        return false;
    }
    text = buf_new(a->ctx->arena->alloc, 1024);
    buf_add(&text, name);
    buf_char(&text, '/');
    return buf_keep(&text, a->ctx->arena, &a->start.offer, err);
}

/* By the history of its prices, which the store may not have. */
static bool find_price_then(struct adding *a, struct error *err)
{
    struct market_view view;

    if (a->price.how == RUN_PRICE_OFFER && op_store(a->ctx, err) == NULL)
        return false;
    view = op_market(a->ctx);
    return run_price_then(&view, &a->price, a->start.started, a->totals.at, &a->then, err);
}

static bool find_added_price(struct adding *a, struct error *err)
{
    const struct run_add_request *req = a->req;
    struct run_price_request ask = run_price_blank();
    bool given = req->price.nano != MONEY_UNKNOWN, offered = req->offer.len > 0;
    bool costed = req->cost.nano != MONEY_UNKNOWN;

    ask.offer = req->offer;
    ask.price = req->price;
    a->price = (struct run_price){.rate = USD_PER_HOUR_UNKNOWN, .accelerators = -1};
    if (!offered && !given && !costed) {
        error_set(err, ERROR_USAGE, "the cost is missing");
        error_hint(err, "give --offer aws/us-east-1/g5.xlarge, --price 2.49usd/hr or "
                        "--cost 12.50usd");
        return false;
    }
    return (!(offered || given) || run_price_find(a->ctx, &ask, &a->price, NULL, err)) &&
           (given || costed || find_price_then(a, err));
}

/* The cost of all machines, and their rate. */
static bool set_added_cost(struct adding *a, struct error *err)
{
    usd cost;

    if (!run_price_machines(&a->price, &a->then, a->totals.elapsed, a->req->count, &cost,
                            &a->start.rate, err))
        return false;
    a->totals.cost = a->totals.compute =
        a->req->cost.nano != MONEY_UNKNOWN ? a->req->cost : cost;
    return true;
}

/* Where the price comes from. */
static bool write_source(struct adding *a, struct error *err)
{
    struct buf text = buf_new(a->ctx->arena->alloc, 2048);

    if (a->req->cost.nano != MONEY_UNKNOWN) {
        buf_adds(&text, "cost given when it was added");
    } else if (a->then.prices > 0) {
        buf_add(&text, a->price.offer);
        buf_addf(&text, ":%.*s, ", STR_ARG(a->price.market));
        if (a->then.prices > 1)
            buf_addf(&text, "%lld prices of that time", (long long)a->then.prices);
        else
            buf_adds(&text, "the price of that time");
        buf_adds(&text, ", ");
        buf_add(&text, a->then.feed);
    } else {
        buf_add(&text, a->price.source);
    }
    if (a->req->count > 1)
        buf_addf(&text, "; %lld machines", (long long)a->req->count);
    return buf_keep(&text, a->ctx->arena, &a->start.price_source, err);
}

static bool write_added_machines(struct adding *a, struct error *err)
{
    struct buf text;

    if (a->req->count <= 1)
        return true;
    text = buf_new(a->ctx->arena->alloc, 64);
    buf_addf(&text, "machines=%lld", (long long)a->req->count);
    a->start.facts = (struct strs){&a->machines, 1};
    return buf_keep(&text, a->ctx->arena, &a->machines, err);
}

/* Its name: given, or that of the machine. */
static struct str added_run_name(const struct adding *a)
{
    struct str name = a->req->name, rest = a->price.offer;

    while (name.len == 0 && rest.len > 0) {
        struct str part = str_cut(&rest, '/');

        if (rest.len == 0)
            name = part;
    }
    return name.len > 0 ? name : STR("work");
}

static bool set_machine(struct adding *a, struct error *err)
{
    int64_t gpus = a->req->gpus;

    a->start.name = added_run_name(a);
    a->start.user = op_user(a->ctx);
    a->start.tags = a->req->tag;
    a->start.market = a->price.market;
    if (a->price.offer.len > 0)
        a->start.offer = a->price.offer;
    ledger_new_id(a->start.started, a->start.id);
    a->totals.gpu = a->req->gpu.len > 0 ? a->req->gpu : a->price.accelerator;
    if ((a->req->gpus < 0 && a->price.accelerators >= 0 &&
         __builtin_mul_overflow(a->price.accelerators, a->req->count, &gpus)) ||
        gpus > GPUS_MAX)
        return error_fail(err, ERROR_USAGE, "--gpus: at most 1000000");
    a->totals.gpus = (int)gpus;
    return true;
}

static bool record_run(struct adding *a, struct ledger *ledger, struct run_add_result *out,
                       struct error *err)
{
    struct account_source account = op_account(a->ctx, ledger);
    const struct allocation_policy *policy = ledger_policy_or_none(ledger, a->ctx->arena, err);
    const struct ledger_ending done = {.state = RUN_DONE, .reason = ""};

    if (policy == NULL || !account_require_tags(&account, policy, &a->start, err) ||
        !ledger_run_add(ledger, &a->start, &done, &a->totals, err) ||
        !ledger_find(ledger, str_from(a->start.id), a->ctx->arena, &out->run, err))
        return false;
    out->count = a->req->count;
    out->prices = a->then.prices;
    out->later_price = a->then.prices == 0 && a->price.date.n != DAY_UNKNOWN.n &&
                       a->price.date.n > day_of(a->totals.at).n &&
                       a->req->cost.nano == MONEY_UNKNOWN &&
                       a->req->price.nano == MONEY_UNKNOWN;
    if (out->later_price)
        message_warn(&a->ctx->messages,
                     "no price of that time is known, so a later one was used: give --price or "
                     "--cost if it was different");
    return true;
}

static bool run_add(struct op_context *ctx, const void *in, void *result_out, struct error *err)
{
    struct adding a = {.ctx = ctx,
                       .req = in,
                       .start = {.budget = USD_UNKNOWN,
                                 .estimated_cost = USD_UNKNOWN,
                                 .origin = STR("added")}};
    struct ledger *ledger;
    bool ok;

    ledger_totals_unknown(&a.totals);
    if (!tags_check(a.req->tag, err) || !check_added_times(&a, err) ||
        !check_provider(&a, err) || !find_added_price(&a, err) || !set_added_cost(&a, err) ||
        !write_source(&a, err) || !write_added_machines(&a, err) || !set_machine(&a, err))
        return false;
    ledger = op_ledger(ctx, LEDGER_WRITE, err);
    ok = ledger != NULL && record_run(&a, ledger, result_out, err);
    ledger_close(ledger);
    if (ok)
        tags_note(a.req->tag, &ctx->messages);
    return ok;
}

const struct op op_run_add = {
    .name = "runs.add",
    .schema = "stint.runs.add/1",
    .remote = OP_WRITE,
    .team = OP_TEAM_TAG,
    .changes = true,
    .summary = "record work that ran without stint run",
    .request = &(const struct field_set)FIELD_SET(struct run_add_request, request),
    .result = &(const struct field_set)FIELD_SET(struct run_add_result, result),
    .run = run_add,
};
