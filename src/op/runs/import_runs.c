/* What imports of trackers have in common: the ledger, and a machine's price at that time. */
#include "op/runs/import_runs.h"

#include "bill/dimension.h"
#include "op/context.h"
#include "op/ledger_open.h"
#include "op/market.h"
#include "op/run_price.h"

/* The machine of --offer. */
struct offer_prices {
    struct market_view view;
    struct run_price now;
};

static bool offer_price_then(void *ctx, stamp from, stamp to, struct arena *arena,
                             struct import_price *out, struct error *err)
{
    const struct offer_prices *o = ctx;
    struct market_view view = o->view;
    struct price_then then = {0};

    view.arena = arena;
    if (!run_price_then(&view, &o->now, from, to, &then, err))
        return false;
    out->rate = then.prices > 0 ? then.first : o->now.rate;
    out->cost = then.prices > 0 ? then.cost : USD_UNKNOWN;
    return run_price_then_source(&o->now, &then, arena, &out->source, err);
}

static bool find_offer_prices(struct op_context *ctx, struct str offer, struct offer_prices *o,
                              struct import_prices *out, struct error *err)
{
    struct run_price_request ask = run_price_blank();

    ask.offer = offer;
    if (!run_price_find(ctx, &ask, &o->now, NULL, err) || op_store(ctx, err) == NULL)
        return false;
    o->view = op_market(ctx);
    *out = (struct import_prices){.offer = o->now.offer,
                                  .market = o->now.market,
                                  .gpus = o->now.accelerators,
                                  .then = offer_price_then,
                                  .ctx = o};
    return true;
}

static bool check_import_request(const struct import_runs_request *req, struct error *err)
{
    int given = (req->price.nano != MONEY_UNKNOWN) + (req->gpu_price.nano != MONEY_UNKNOWN) +
                (req->offer.len > 0);
    int64_t since_ms;

    if (given > 1)
        return error_fail(err, ERROR_USAGE,
                          "--price, --gpu-price and --offer exclude each other");
    return tags_check(req->tag, err) && import_since(req, &since_ms, err);
}

bool import_runs(struct op_context *ctx, const struct import_runs_request *req,
                 const struct import_tracker *tracker, const struct import_source *source,
                 struct import_runs_result *out, struct error *err)
{
    struct offer_prices offer;
    struct import_prices prices = {0};
    struct tracker_import how = {.ask = req,
                                 .tracker = tracker,
                                 .source = source,
                                 .prices = req->offer.len > 0 ? &prices : NULL,
                                 .arena = ctx->arena,
                                 .watch = ctx->watch,
                                 .now = op_now(ctx)};
    struct str name;
    bool ok;

    if (!check_import_request(req, err) ||
        (req->offer.len > 0 && !find_offer_prices(ctx, req->offer, &offer, &prices, err)) ||
        !op_ledger_name(ctx, &name, err))
        return false;
    how.ledger = op_ledger(ctx, req->dry_run ? LEDGER_READ : LEDGER_WRITE, err);
    if (how.ledger == NULL && !(req->dry_run && err->kind == ERROR_ABSENT))
        return false;
    *err = (struct error){0};
    ok = tracker_import(&how, out, err);
    ledger_close(how.ledger);
    out->ledger = name;
    if (ok)
        tags_note(req->tag, &ctx->messages);
    return ok;
}
