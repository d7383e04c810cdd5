/* statement - what each team is shown or charged for a month. */
#include "op/account/statement.h"

#include "account/policy/allocate.h"
#include "op/account/allocation.h"
#include "op/ledger_open.h"

const char *const statement_sections[SECTION_COUNT] = {
    [SECTION_DIRECT] = "direct",
    [SECTION_SHARED] = "shared",
    [SECTION_RECURRING] = "recurring",
    [SECTION_CREDIT] = "credits",
    [SECTION_TAX] = "tax",
};

static const char *const kinds[] = {"showback", "chargeback", NULL};

static const struct field request[] = {
    FIELD(TEXT, statement_request, team, .value = "TEAM",
          .help = "only this team's; 'nlp*' matches"),
    FIELD(TEXT, statement_request, by, .value = "TAG", .fallback = "team",
          .help = "whose statements: team, project, cost_centre, ..."),
    FIELD_AS("for", TEXT, statement_request, whose, .value = "NAME",
             .help = "only the statement of this one, with --by"),
    FIELD(TEXT, statement_request, month, .value = "MONTH",
          .help = "2026-10; the last whole month when nothing is said"),
    FIELD(CHOICE, statement_request, kind, .value = "KIND", .choices = kinds,
          .fallback = "showback",
          .help = "showback: all that is known; chargeback: only what is billed, for good"),
    FIELD(TEXT, statement_request, currency, .value = "CODE",
          .help = "convert to it, at the rate of each day"),
    FIELD(TEXT, statement_request, csv, .value = "FILE", .output = true,
          .help = "write all lines to FILE, with all digits"),
    FIELD(TEXT, statement_request, html, .value = "FILE", .output = true,
          .help = "write a page to send or print to FILE"),
};

static const struct field line_list[] = {
    FIELD(TEXT, statement_line, section, .help = "direct, shared, recurring, credits or tax"),
    FIELD(TEXT, statement_line, item, .help = "the service, rule or recurring cost"),
    FIELD(TEXT, statement_line, project, .help = "of what is direct"),
    FIELD(MONEY, statement_line, amount, .help = "of the month, exactly"),
    FIELD(MONEY, statement_line, before, .help = "of the month before"),
    FIELD(MONEY, statement_line, change, .help = "since then"),
    FIELD(MONEY, statement_line, metered, .help = "of it: metered, and on no bill yet"),
};

static const struct field_set line_set = FIELD_SET(struct statement_line, line_list);

static const struct field statement_list[] = {
    FIELD(TEXT, statement, number, .help = "the same as long as the amounts are"),
    FIELD(TEXT, statement, who, .help = "null: nobody's"),
    FIELD(TEXT, statement, currency, .help = "of the amounts"),
    FIELD(MONEY, statement, total, .help = "exactly"),
    FIELD(MONEY, statement, before, .help = "of the month before"),
    FIELD(MONEY, statement, change, .help = "since then"),
    FIELD(MONEY, statement, metered, .help = "of the total: metered, and on no bill yet"),
    FIELD(LIST, statement, lines, .row = &line_set, .help = "what it is made of"),
};

static const struct field bill_list[] = {
    FIELD(TEXT, statement_bill, provider, .help = "who is paid"),
    FIELD(TEXT, statement_bill, account, .help = "that pays"),
    FIELD(TEXT, statement_bill, account_name, .help = "as the bill calls it"),
    FIELD(TEXT, statement_bill, currency, .help = "of the bill"),
    FIELD(DAY, statement_bill, period_start, .help = "the first day"),
    FIELD(DAY, statement_bill, period_end, .help = "the last"),
    FIELD(TEXT, statement_bill, invoices, .help = "their numbers; of a chargeback"),
    FIELD(DAY, statement_bill, imported, .help = "when it was delivered"),
    FIELD(FLAG, statement_bill, final, .help = "its period was over then"),
};

static const struct field kept_list[] = {
    FIELD(TEXT, statement_kept, rule, .help = "that would have shared it"),
    FIELD(TEXT, statement_kept, currency, .help = "of the amount"),
    FIELD(MONEY, statement_kept, amount, .help = "that nobody could take"),
};

static const struct field elsewhere_list[] = {
    FIELD(TEXT, statement_elsewhere, rule, .help = "of the policy"),
    FIELD(TEXT, statement_elsewhere, over, .help = "the tag over which it is split"),
};

static const struct field_set statement_set = FIELD_SET(struct statement, statement_list),
                              bill_set = FIELD_SET(struct statement_bill, bill_list),
                              kept_set = FIELD_SET(struct statement_kept, kept_list),
                              elsewhere_set =
                                  FIELD_SET(struct statement_elsewhere, elsewhere_list);

static const struct field result[] = {
    FIELD(TEXT, statement_result, month, .help = "2026-10"),
    FIELD(TEXT, statement_result, before, .help = "the month beside it"),
    FIELD(DAY, statement_result, since, .help = "the first day"),
    FIELD(DAY, statement_result, until, .help = "the last day"),
    FIELD(FLAG, statement_result, whole, .help = "the month is over"),
    FIELD(TEXT, statement_result, by, .help = "whose they are"),
    FIELD(TEXT, statement_result, kind, .help = "showback or chargeback"),
    FIELD(LIST, statement_result, statements, .row = &statement_set,
          .help = "one for each and each currency"),
    FIELD(LIST, statement_result, bills, .row = &bill_set, .help = "that it stands on"),
    FIELD(LIST, statement_result, kept, .row = &kept_set,
          .help = "shared costs that stayed where they were"),
    FIELD(LIST, statement_result, elsewhere, .row = &elsewhere_set,
          .help = "shared costs that are split over another tag"),
    FIELD_AS("converted", TEXT, statement_result, rates.of,
             .help = "currencies that were converted"),
    FIELD_AS("rates_from", DAY, statement_result, rates.from,
             .help = "the oldest rate that was used"),
    FIELD_AS("rates_to", DAY, statement_result, rates.to, .help = "the newest"),
    FIELD_AS("rate_source", TEXT, statement_result, rates.source,
             .help = "where they are from"),
    FIELD(COUNT, statement_result, unpriced, .help = "runs whose cost is not known"),
    FIELD(TEXT, statement_result, made, .help = "when it was made, in UTC"),
    FIELD(TEXT, statement_result, csv, .help = "the file that was written"),
    FIELD(TEXT, statement_result, html, .help = "the page that was written"),
    FIELD(FLAG, statement_result, none_yet, .help = "there is no ledger yet"),
};

static const struct field_set statement_fields = FIELD_SET(struct statement_result, result);

static bool take_whose(struct statement_work *w, struct error *err)
{
    const struct statement_request *req = w->req;
    struct suggestion s = {.wanted = req->by};

    w->by = dimension_find(req->by);
    if (w->by == DIMENSION_COUNT || w->by < DIMENSION_FIRST_TAG) {
        for (int d = DIMENSION_FIRST_TAG; d < DIMENSION_COUNT; d++)
            suggestion_try(&s, str_from(dimension_name((enum dimension)d)));
        error_set(err, ERROR_USAGE, "--by: '%.*s' is no tag", STR_ARG(req->by));
        if (!suggestion_hint(&s, err))
            error_hint(err, "statements are by team, project, cost_centre, owner, ...");
        return false;
    }
    if (req->team.len > 0 && w->by != DIMENSION_team) {
        error_set(err, ERROR_USAGE, "--team does not go with --by %.*s", STR_ARG(req->by));
        error_hint(err, "write --by %.*s --for %.*s", STR_ARG(req->by), STR_ARG(req->team));
        return false;
    }
    w->whose = req->team.len > 0 ? req->team : req->whose;
    w->out->by = str_from(dimension_name(w->by));
    return true;
}

static bool take_month(struct statement_work *w, struct error *err)
{
    day today = op_today(w->ctx);
    struct costs_ask ask = {.month = w->req->month};
    struct spending_query query;

    w->since = day_month_add(today, -1);
    w->until = day_month_start(today);
    if (w->req->month.len > 0) {
        if (!costs_query(w->ctx, &ask, 1, &query, err))
            return false;
        w->since = query.since;
        w->until = query.until;
    }
    w->out->since = w->since;
    w->out->until = (day){w->until.n - 1};
    w->out->whole = w->until.n <= today.n;
    if (w->since.n > today.n)
        return error_fail(err, ERROR_USAGE, "--month: %.*s is still to come",
                          STR_ARG(w->req->month));
    if (w->chargeback && !w->out->whole) {
        error_set(err, ERROR_INPUT, "the month is not over, so nothing of it is final");
        error_hint(err, "--kind showback shows what is known so far");
        return false;
    }
    return costs_period_name(COSTS_MONTH, w->since, w->ctx->arena, &w->out->month, err) &&
           costs_period_name(COSTS_MONTH, day_month_add(w->since, -1), w->ctx->arena,
                             &w->out->before, err);
}

static bool find_elsewhere(struct statement_work *w, struct error *err)
{
    size_t count = policy_shared_count(w->policy), n = 0;
    struct statement_elsewhere *list =
        arena_array(w->ctx->arena, struct statement_elsewhere, count, err);

    for (size_t i = 0; list != NULL && i < count; i++) {
        struct policy_shared shared = policy_shared_at(w->policy, i);

        if (shared.over != w->by)
            list[n++] = (struct statement_elsewhere){shared.name,
                                                     str_from(dimension_name(shared.over))};
    }
    w->out->elsewhere = (struct rows){list, n};
    return list != NULL;
}

static bool make(struct statement_work *w, struct error *err)
{
    w->out->rates = (struct rates_used){.from = DAY_UNKNOWN, .to = DAY_UNKNOWN};
    w->policy = op_policy(w->ctx, w->ledger, err);
    if (w->policy == NULL || !find_elsewhere(w, err) || !statement_bills(w, err) ||
        !statement_make(w, err) ||
        !ledger_when(w->ctx->clock->today(w->ctx->clock->ctx), w->ctx->arena, &w->out->made,
                     err))
        return false;
    w->out->csv = w->req->csv;
    w->out->html = w->req->html;
    return (w->req->csv.len == 0 || statement_write_csv(w, err)) &&
           (w->req->html.len == 0 || statement_write_html(w, err));
}

static bool run(struct op_context *ctx, const void *in, void *result_out, struct error *err)
{
    struct statement_work w = {.ctx = ctx, .req = in, .out = result_out};
    bool ok;

    w.chargeback = str_eq(w.req->kind, STR("chargeback"));
    w.out->kind = w.req->kind;
    if (!take_whose(&w, err) || !take_month(&w, err) || !op_ledger_there(ctx, &w.ledger, err))
        return false;
    w.out->none_yet = w.ledger == NULL;
    ok = make(&w, err);
    ledger_close(w.ledger);
    return ok;
}

const struct op op_statement = {
    .name = "statement",
    .schema = "stint.statement/1",
    .summary = "write the monthly showback or chargeback of each team",
    .request = &(const struct field_set)FIELD_SET(struct statement_request, request),
    .result = &statement_fields,
    .run = run,
};
