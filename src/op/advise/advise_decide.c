/* advise.dismiss, advise.restore, advise.apply, advise.rules, advise.facts. */
#include <stdio.h>

#include "advise/rules/custom.h"
#include "doc/json_write.h"
#include "ledger/budgets.h"
#include "op/advise/advise.h"
#include "op/advise_facts.h"
#include "op/context.h"
#include "op/ledger_open.h"
#include "op/op.h"

#define DOCUMENT_NAME_MAX (sizeof ADVISE_DOCUMENTS + ADVISE_ID_MAX)

static const struct field decide_request[] = {
    FIELD(TEXT, advise_decide_request, id, .value = "ID", .operand = true, .required = true,
          .help = "ID of the finding, as shown by 'stint advise'"),
    FIELD(TEXT, advise_decide_request, of, .value = "RUN|JOB", .operand = true,
          .help = "subject of the finding, unless it is about all runs"),
    FIELD(TEXT, advise_decide_request, reason, .value = "TEXT",
          .help = "reason, for later readers"),
};
static const struct field_set decide_set =
    FIELD_SET(struct advise_decide_request, decide_request);

static const struct field restore_request[] = {
    FIELD(TEXT, advise_decide_request, id, .value = "ID", .operand = true, .required = true,
          .help = "ID of a finding that was dismissed or applied"),
};

static const struct field decide_result[] = {
    FIELD(RECORD, advise_decide_result, decision, .row = &advise_decision_fields,
          .inlined = true),
    FIELD(TEXT, advise_decide_result, ledger, .help = "ledger that records it"),
};
static const struct field_set decided_set =
    FIELD_SET(struct advise_decide_result, decide_result);

static bool decision_document_name(struct str id, char out[static DOCUMENT_NAME_MAX],
                                   struct error *err)
{
    if (id.len >= ADVISE_ID_MAX)
        return error_fail(err, ERROR_INPUT, "'%.*s' is no id of a finding", STR_ARG(id));
    (void)snprintf(out, DOCUMENT_NAME_MAX, "%s%.*s", ADVISE_DOCUMENTS, (int)id.len, id.at);
    return true;
}

static bool absent_finding(const struct findings *list, struct str id, struct error *err)
{
    struct suggestion s = {.wanted = id};

    for (size_t i = 0; i < list->count; i++)
        suggestion_try(&s, str_from(list->at[i].id));
    error_set(err, ERROR_ABSENT, "there is no finding '%.*s'", STR_ARG(id));
    if (!suggestion_hint(&s, err))
        error_hint(err, "'stint advise' lists them with their ids; name the run or the job for "
                        "one of theirs");
    return false;
}

/* The finding as it is today, as a record to keep. */
static bool find_finding(struct op_context *ctx, const struct advise_decide_request *req,
                         struct advise_decision *out, struct error *err)
{
    struct advise_answer *answer = arena_array(ctx->arena, struct advise_answer, 1, err);
    struct advise_request ask;
    struct advise_result ignored = {0};
    const struct advise_work *works;

    if (answer == NULL || !fields_reset(op_advise.request, &ask, ctx->arena, err))
        return false;
    ask.source.job = req->of;
    if (!advise_answer(ctx, &ask, answer, &ignored, err))
        return false;
    works = answer->facts.works.at;
    for (size_t i = 0; i < answer->findings.count; i++) {
        const struct finding *f = &answer->findings.at[i];

        if (!str_eq(str_from(f->id), req->id))
            continue;
        *out = (struct advise_decision){.id = req->id,
                                        .rule = f->rule,
                                        .title = f->title,
                                        .subject = f->subject,
                                        .lever = f->lever,
                                        .per = answer->facts.per,
                                        .saving = f->saving,
                                        .saving_low = f->saving_low,
                                        .saving_high = f->saving_high};
        if (f->about < answer->facts.works.len) {
            out->name = works[f->about].name;
            out->project = works[f->about].project;
        }
        return true;
    }
    return absent_finding(&answer->findings, req->id, err);
}

static bool put_decision(struct op_context *ctx, const struct advise_decision *d,
                         struct error *err)
{
    struct buf text = buf_new(ctx->arena->alloc, BUF_MAX_OUTPUT);
    char name[DOCUMENT_NAME_MAX];
    struct ledger *ledger;
    bool ok;

    json_write_record(&advise_decision_fields, d, NULL, &text);
    if (!buf_ok(&text, err) || !decision_document_name(d->id, name, err)) {
        buf_free(&text);
        return false;
    }
    ledger = op_ledger(ctx, LEDGER_WRITE, err);
    ok =
        ledger != NULL && ledger_document_put(ledger, name, buf_text(&text), d->by, d->at, err);
    ledger_close(ledger);
    buf_free(&text);
    return ok;
}

static bool decide_finding(struct op_context *ctx, const void *in, void *out,
                           enum finding_state state, struct error *err)
{
    const struct advise_decide_request *req = in;
    struct advise_decide_result *res = out;

    if (!find_finding(ctx, req, &res->decision, err))
        return false;
    res->decision.state = state;
    res->decision.reason = req->reason;
    res->decision.by = op_user(ctx);
    res->decision.at = op_now(ctx);
    res->ledger = op_ledger_shown(ctx);
    return put_decision(ctx, &res->decision, err);
}

static bool dismiss_run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    return decide_finding(ctx, in, out, FINDING_DISMISSED, err);
}

static bool apply_run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    return decide_finding(ctx, in, out, FINDING_APPLIED, err);
}

/* What was decided about the finding; ERROR_ABSENT when nothing was. */
static bool find_decision(struct op_context *ctx, struct str id, struct advise_decision *out,
                          struct error *err)
{
    struct advise_decision *decisions = NULL;
    struct ledger *ledger;
    size_t count = 0;
    bool ok = op_ledger_there(ctx, &ledger, err);

    if (ok && ledger != NULL)
        ok = advise_decisions_read(ledger, ctx->arena, &decisions, &count, err);
    ledger_close(ledger);
    for (size_t i = 0; ok && i < count; i++)
        if (str_eq(decisions[i].id, id)) {
            *out = decisions[i];
            return true;
        }
    if (!ok)
        return false;
    error_set(err, ERROR_ABSENT, "'%.*s' was neither dismissed nor applied", STR_ARG(id));
    error_hint(err, "'stint advise --all' shows what was");
    return false;
}

static bool restore_run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct advise_decide_request *req = in;
    struct advise_decide_result *res = out;
    stamp now = op_now(ctx);
    struct ledger *ledger;
    char name[DOCUMENT_NAME_MAX];
    bool ok;

    if (!find_decision(ctx, req->id, &res->decision, err) ||
        !decision_document_name(req->id, name, err))
        return false;
    ledger = op_ledger(ctx, LEDGER_WRITE, err);
    ok = ledger != NULL &&
         ledger_document_put(ledger, name, (struct str){0}, (struct str){0}, now, err);
    ledger_close(ledger);
    res->decision.state = FINDING_OPEN;
    res->ledger = op_ledger_shown(ctx);
    return ok;
}

const struct op op_advise_dismiss = {
    .name = "advise.dismiss",
    .schema = "stint.advise.dismiss/1",
    .summary = "dismiss a finding from now on",
    .request = &decide_set,
    .result = &decided_set,
    .remote = OP_WRITE,
    .changes = true,
    .run = dismiss_run,
};

const struct op op_advise_apply = {
    .name = "advise.apply",
    .schema = "stint.advise.apply/1",
    .summary = "mark a finding as applied, to measure its savings",
    .request = &decide_set,
    .result = &decided_set,
    .remote = OP_WRITE,
    .changes = true,
    .run = apply_run,
};

const struct op op_advise_restore = {
    .name = "advise.restore",
    .schema = "stint.advise.restore/1",
    .summary = "show a dismissed or applied finding again",
    .request =
        &(const struct field_set)FIELD_SET(struct advise_decide_request, restore_request),
    .result = &decided_set,
    .remote = OP_WRITE,
    .changes = true,
    .run = restore_run,
};

/* ---- rules ---- */

static const struct field rules_request[] = {
    FIELD(TEXT, advise_rules_request, rule, .value = "RULE", .operand = true,
          .help = "rule to show (default: all)"),
};

static const struct field rules_result[] = {
    FIELD(LIST, advise_rules_result, rules, .row = &advise_rule_fields,
          .help = "rules: what they look at and how they compute savings"),
};

static bool advise_rules_run(struct op_context *ctx, const void *in, void *out,
                             struct error *err)
{
    const struct advise_rules_request *req = in;
    struct advise_rules_result *res = out;
    struct suggestion s = {.wanted = req->rule};
    const struct advise_rule_row *rows;

    if (!advise_rules_list(ctx->arena, &res->rules, err))
        return false;
    rows = res->rules.at;
    for (size_t i = 0; i < res->rules.len && req->rule.len > 0; i++) {
        if (str_eq(rows[i].name, req->rule)) {
            res->rules = (struct rows){&rows[i], 1};
            return true;
        }
        suggestion_try(&s, rows[i].name);
    }
    if (req->rule.len == 0)
        return true;
    error_set(err, ERROR_ABSENT, "there is no rule '%.*s'", STR_ARG(req->rule));
    if (!suggestion_hint(&s, err))
        error_hint(err, "'stint advise rules' lists them");
    return false;
}

const struct op op_advise_rules = {
    .name = "advise.rules",
    .schema = "stint.advise.rules/1",
    .summary = "list the rules: when they apply and how savings are computed",
    .remote = OP_READ,
    .team = OP_TEAM_ALL,
    .request = &(const struct field_set)FIELD_SET(struct advise_rules_request, rules_request),
    .result = &(const struct field_set)FIELD_SET(struct advise_rules_result, rules_result),
    .run = advise_rules_run,
};

/* ---- facts ---- */

static const struct field facts_request[] = {
    FIELD(TEXT, advise_facts_request, fact, .value = "FACT", .operand = true,
          .help = "text that the fact's name contains"),
};

static const struct field facts_result[] = {
    FIELD(LIST, advise_facts_result, facts, .row = &advise_fact_fields,
          .help = "facts of a job"),
};

static bool facts_run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct advise_facts_request *req = in;
    struct advise_facts_result *res = out;

    return custom_facts_list(req->fact, ctx->arena, &res->facts, err);
}

const struct op op_advise_facts = {
    .name = "advise.facts",
    .schema = "stint.advise.facts/1",
    .summary = "list the facts that custom rules can use",
    .remote = OP_READ,
    .team = OP_TEAM_ALL,
    .request = &(const struct field_set)FIELD_SET(struct advise_facts_request, facts_request),
    .result = &(const struct field_set)FIELD_SET(struct advise_facts_result, facts_result),
    .run = facts_run,
};
