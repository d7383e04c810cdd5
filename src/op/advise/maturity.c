/* maturity - how mature the handling of costs is, from facts in the ledger. */
#include "op/advise/maturity.h"

#include <math.h>

#include "op/advise/practices.h"
#include "op/context.h"
#include "op/ledger_open.h"
#include "op/op.h"
#include "render/figure.h"

#define DAYS 90
#define TEXT_MAX ((size_t)1 << 12)

static const struct field request[] = {
    OP_PERIOD(maturity_request, days, "90d"),
    FIELD(FLAG, maturity_request, explain, .help = "show evidence, thresholds and sources"),
    FIELD(TEXT, maturity_request, svg, .value = "FILE", .output = true,
          .help = "draw the levels as bars to FILE as SVG"),
};

static const struct field result[] = {
    FIELD(DAY, maturity_result, since, .help = "first day"),
    FIELD(DAY, maturity_result, until, .help = "last day"),
    FIELD(TEXT, maturity_result, ledger, .help = "ledger that was read"),
    FIELD(FLAG, maturity_result, none_yet, .help = "no ledger exists yet"),
    FIELD_AS("domains", LIST, maturity_result, maturity.domains, .row = &maturity_domain_fields,
             .help = "inform, optimize and operate"),
    FIELD_AS("practices", LIST, maturity_result, maturity.rows, .row = &maturity_row_fields,
             .help = "practices by domain"),
    FIELD_AS("steps", LIST, maturity_result, maturity.steps, .row = &maturity_step_fields,
             .help = "next three steps, the largest cost at stake first"),
    FIELD(TEXT, maturity_result, svg, .help = "file that was written"),
};

/* "62 %, next 70 %" */
static bool write_maturity_bar_note(const struct maturity_row *r, struct arena *arena,
                                    struct str *out, struct error *err)
{
    struct buf text = buf_new(arena->alloc, TEXT_MAX);

    buf_adds(&text,
             r->level == MATURITY_UNKNOWN ? "not known" : maturity_level_names[r->level]);
    if (!isnan(r->value)) {
        buf_adds(&text, ": ");
        practice_write(r->unit, r->value, &text);
    }
    if (!isnan(r->goal)) {
        buf_adds(&text, ", next level at ");
        practice_write(r->unit, r->goal, &text);
    }
    return buf_keep(&text, arena, out, err);
}

static bool draw_maturity(struct op_context *ctx, const struct maturity_result *res,
                          struct error *err)
{
    const struct maturity_row *rows = res->maturity.rows.at;
    size_t count = res->maturity.rows.len;
    struct figure_point *bars = arena_array(ctx->arena, struct figure_point, count + 1, err);
    struct figure_series series = {.at = bars, .len = count};
    struct figure figure = {.kind = FIGURE_BARS,
                            .title = STR("Cost maturity by practice"),
                            .note = STR("1 is crawl, 2 is walk, 3 is run"),
                            .y = {.label = STR("level"), .from = 0, .to = 3},
                            .series = &series,
                            .series_count = 1};

    if (bars == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        bars[i] = (struct figure_point){
            .label = rows[i].label,
            .y = rows[i].level == MATURITY_UNKNOWN ? NAN : (double)rows[i].level};
        if (!write_maturity_bar_note(&rows[i], ctx->arena, &bars[i].note, err))
            return false;
    }
    return practices_draw(ctx, &figure, res->since, res->until, res->svg, err);
}

static bool maturity_run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct maturity_request *req = in;
    struct maturity_result *res = out;
    struct practices facts;
    struct ledger *ledger = NULL;
    bool ok;

    if (!days_asked_parse(op_today(ctx), &req->days, DAYS, &res->since, &res->until, err) ||
        !op_catalog(ctx, TABLE_BIT(TABLE_MATURITY), err) || !op_ledger_there(ctx, &ledger, err))
        return false;
    res->none_yet = ledger == NULL;
    res->ledger = op_ledger_shown(ctx);
    res->explain = req->explain;
    res->svg = req->svg;
    ok = op_practices(ctx, ledger, res->since, res->until, &facts, err) &&
         maturity_judge(&facts, &ctx->catalog.tables[TABLE_MATURITY], ctx->arena,
                        &res->maturity, err);
    ledger_close(ledger);
    res->until.n--;
    return ok && (req->svg.len == 0 || draw_maturity(ctx, res, err));
}

const struct op op_maturity = {
    .name = "maturity",
    .schema = "stint.maturity/1",
    .summary = "rate cost management practices and suggest next steps",
    .remote = OP_READ,
    .request = &(const struct field_set)FIELD_SET(struct maturity_request, request),
    .result = &(const struct field_set)FIELD_SET(struct maturity_result, result),
    .run = maturity_run,
};
