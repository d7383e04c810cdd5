/* statement - what each team is shown or charged for a month. */
#include "op/account/statement.h"

#include "base/fs.h"
#include "op/context.h"
#include "op/ledger_open.h"
#include "op/op.h"
#include "op/spending.h"
#include "report/statement_csv.h"
#include "unit/moment.h"

static const char *const kinds[] = {"showback", "chargeback", NULL};

static const struct field request[] = {
    FIELD(TEXT, statement_request, team, .value = "TEAM",
          .help = "team to include; 'nlp*' matches several"),
    FIELD(TEXT, statement_request, by, .value = "TAG", .fallback = "team",
          .help = "tag to write statements by: team, project, cost_center, ..."),
    FIELD_AS("for", TEXT, statement_request, whose, .value = "NAME",
             .help = "value of the --by tag to include"),
    FIELD(TEXT, statement_request, month, .value = "MONTH",
          .help = "month: 2026-10 (default: the last complete month)"),
    FIELD(CHOICE, statement_request, kind, .value = "KIND", .choices = kinds,
          .fallback = "showback",
          .help = "showback: all known costs; chargeback: only what is billed and final"),
    OP_CURRENCY(statement_request, currency),
    OP_CSV(statement_request),
    FIELD(TEXT, statement_request, html, .value = "FILE", .output = true,
          .help = "write a page to send or print to FILE"),
};

static const struct field result[] = {
    FIELD(RECORD, statement_result, set, .row = &statement_set_fields, .inlined = true,
          .help = "statements"),
    OP_CSV_WRITTEN(statement_result),
    FIELD(TEXT, statement_result, html, .help = "page that was written"),
    FIELD(FLAG, statement_result, no_ledger, .help = "no ledger exists yet"),
};

static bool refuse_by(struct str by, struct error *err)
{
    struct suggestion s = {.wanted = by};

    for (int d = DIMENSION_FIRST_TAG; d < DIMENSION_COUNT; d++)
        suggestion_try(&s, str_from(dimension_name((enum dimension)d)));
    error_set(err, ERROR_USAGE, "--by: '%.*s' is not a tag", STR_ARG(by));
    if (!suggestion_hint(&s, err))
        error_hint(err, "statements are by team, project, cost_center, owner, ...");
    return false;
}

/* Does it ask about others than the team? */
static bool asks_others(const struct statement_request *req, struct str team)
{
    return !str_eq(req->by, STR("team")) || req->whose.len > 0 ||
           (req->team.len > 0 && !str_eq_nocase(req->team, team));
}

/* `team`: the only one that may be seen; empty: any. */
static bool read_whose(const struct statement_request *req, struct str team,
                       struct statement_question *q, struct error *err)
{
    if (team.len > 0 && asks_others(req, team))
        return error_fail(err, ERROR_GUARD, "this token is for statements of the team '%.*s'",
                          STR_ARG(team));
    q->by = dimension_find(req->by);
    if (q->by == DIMENSION_COUNT || q->by < DIMENSION_FIRST_TAG)
        return refuse_by(req->by, err);
    if (req->team.len > 0 && q->by != DIMENSION_team) {
        error_set(err, ERROR_USAGE, "--team does not go with --by %.*s", STR_ARG(req->by));
        error_hint(err, "write --by %.*s --for %.*s", STR_ARG(req->by), STR_ARG(req->team));
        return false;
    }
    q->whose = team.len > 0 ? team : req->team.len > 0 ? req->team : req->whose;
    return true;
}

static bool parse_statement_month(const struct op_context *ctx,
                                  const struct statement_request *req,
                                  struct statement_question *q, struct error *err)
{
    const struct days_asked asked = {.month = req->month};
    day today = op_today(ctx);

    q->since = day_month_add(today, -1);
    q->until = day_month_start(today);
    if (req->month.len > 0 &&
        !days_asked_parse(op_today(ctx), &asked, 1, &q->since, &q->until, err))
        return false;
    if (q->since.n > today.n)
        return error_fail(err, ERROR_USAGE, "--month: %.*s is still to come",
                          STR_ARG(req->month));
    if (q->chargeback && q->until.n > today.n) {
        error_set(err, ERROR_INPUT, "the month is not over, so its costs are not final");
        error_hint(err, "--kind showback shows the costs known so far");
        return false;
    }
    return true;
}

/* ---- files ---- */

static bool put_statement_file(const struct statement_set *set, struct str file,
                               void (*write)(const struct statement_set *set, struct buf *out),
                               struct arena *arena, struct error *err)
{
    struct buf text = buf_new(arena->alloc, BUF_MAX_OUTPUT);
    char *path = str_dup(file, arena, err);
    bool ok;

    write(set, &text);
    ok = path != NULL && buf_ok(&text, err) && fs_put(path, buf_text(&text), err);
    buf_free(&text);
    return ok;
}

/* Bills, and rules that found no one, are about everybody: a team sees its own statement. */
static void leave_team(struct statement_set *set)
{
    set->bills = set->kept = set->elsewhere = (struct rows){0};
    set->unpriced = -1;
}

static bool statement_run(struct op_context *ctx, const void *in, void *result_out,
                          struct error *err)
{
    const struct statement_request *req = in;
    struct statement_result *out = result_out;
    struct statement_question question = {.chargeback = str_eq(req->kind, STR("chargeback")),
                                          .currency = req->currency};
    struct account_source account;
    struct ledger *ledger = NULL;
    bool ok;

    if (!read_whose(req, ctx->team, &question, err) ||
        !parse_statement_month(ctx, req, &question, err) || !op_ledger_there(ctx, &ledger, err))
        return false;
    account = op_account(ctx, ledger);
    if (ctx->team.len > 0)
        account.messages = (struct messages){0}; /* they name bills */
    out->no_ledger = ledger == NULL;
    ok = account_statements(&account, &question, op_now(ctx), &out->set, err);
    ledger_close(ledger);
    if (ok && ctx->team.len > 0)
        leave_team(&out->set);
    out->csv = req->csv;
    out->html = req->html;
    return ok &&
           (req->csv.len == 0 ||
            put_statement_file(&out->set, req->csv, statements_write_csv, ctx->arena, err)) &&
           (req->html.len == 0 ||
            put_statement_file(&out->set, req->html, statements_write_html, ctx->arena, err));
}

const struct op op_statement = {
    .name = "statement",
    .schema = "stint.statement/1",
    .summary = "write the monthly showback or chargeback of each team",
    .remote = OP_READ,
    .team = OP_TEAM_OWN,
    .request = &(const struct field_set)FIELD_SET(struct statement_request, request),
    .result = &(const struct field_set)FIELD_SET(struct statement_result, result),
    .run = statement_run,
};
