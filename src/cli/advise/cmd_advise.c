/* stint advise, and its commands */

#include "cli/commands.h"
#include "cli/data_view.h"
#include "cli/view.h"
#include "op/advise/advise.h"
#include "op/op.h"
#include "unit/shown.h"

/* ---- the finding ---- */

static void print_range(usd low, usd high, struct buf *out)
{
    if (low.nano == high.nano)
        return;
    buf_adds(out, " (");
    value_estimate_range(low, high, out);
    buf_char(out, ')');
}

static void print_advice_line(const struct view *view, const char *label, struct str text)
{
    if (text.len == 0)
        return;
    buf_addf(view->out, "    %-9s ", label);
    view_wrap(text, 14, 14, view->out);
    buf_char(view->out, '\n');
}

/* "; adds $15.8 beside the others": where another finding is about the same money. */
static void print_finding_added(const struct advise_result *res, const struct finding *f,
                                struct buf *out)
{
    if (!f->chosen || usd_double(f->adds) > 0.995 * usd_double(f->saving))
        return;
    buf_adds(out, "; adds ");
    usd_write_estimate(f->adds, out);
    buf_adds(out, " a ");
    buf_add(out, res->per);
    buf_adds(out, " beside the others");
}

/* " 1. bert: stop runs that are idle" and what it saves. */
static void print_advice_finding(const struct view *view, const struct advise_result *res,
                                 const struct finding *f, size_t number)
{
    struct buf saves = buf_new(view->arena->alloc, 512);

    buf_addf(view->out, "%2zu. %s", number, term_style_on(&view->term, STYLE_BOLD));
    buf_add_safe(view->out, f->subject);
    buf_adds(view->out, ": ");
    buf_add_safe(view->out, f->title);
    buf_addf(view->out, "%s\n", term_style_off(&view->term, STYLE_BOLD));
    usd_write_estimate(f->saving, &saves);
    buf_adds(&saves, " a ");
    buf_add(&saves, res->per);
    print_range(f->saving_low, f->saving_high, &saves);
    buf_adds(&saves, ", ");
    value_share(f->share, &saves);
    buf_addf(&saves, " of its cost; effort: %s; risk: %s", advise_effort_names[f->effort],
             advise_risk_names[f->risk]);
    if (f->state != FINDING_OPEN)
        buf_addf(&saves, "; %s", finding_state_names[f->state]);
    else if (!f->chosen && !f->possible)
        buf_adds(&saves, "; instead of another finding");
    print_finding_added(res, f, &saves);
    print_advice_line(view, "saves", buf_text(&saves));
    print_advice_line(view, "seen", f->evidence);
    print_advice_line(view, "do", f->action);
    print_advice_line(view, "computed", f->method);
    print_advice_line(view, "reason", f->reason);
    print_advice_line(view, "id", str_from(f->id));
    buf_free_part(&saves, view->out);
}

/* ---- the answer ---- */

static void print_advice_head(const struct view *view, const struct advise_result *res)
{
    if (str_eq(res->kind, STR("job"))) {
        view_label(view, "job");
        buf_add_safe(view->out, res->of);
    } else if (str_eq(res->kind, STR("run"))) {
        view_label(view, "run");
        buf_add_safe(view->out, res->of);
    } else {
        view_label(view, "period");
        day_write(res->since, view->out);
        buf_adds(view->out, " to ");
        day_write(res->until, view->out);
        buf_addf(view->out, ": %lld run%s of %lld job%s", (long long)res->runs,
                 res->runs == 1 ? "" : "s", (long long)res->works, res->works == 1 ? "" : "s");
    }
    buf_char(view->out, '\n');
    view_label(view, "cost");
    usd_write_estimate(res->total.spent, view->out);
    buf_adds(view->out, " a ");
    buf_add(view->out, res->per);
    buf_char(view->out, '\n');
    view_label(view, "savings");
    if (res->findings.len == 0) {
        buf_adds(view->out, res->possible.len == 0 ? "nothing found\n" : "nothing certain\n");
        return;
    }
    usd_write_estimate(res->total.saving, view->out);
    buf_adds(view->out, " a ");
    buf_add(view->out, res->per);
    print_range(res->total.saving_low, res->total.saving_high, view->out);
    buf_adds(view->out, ", ");
    value_share(res->total.share, view->out);
    buf_addf(view->out, ", with %lld finding%s together\n", (long long)res->total.findings,
             res->total.findings == 1 ? "" : "s");
}

static void print_findings(const struct view *view, const struct advise_result *res)
{
    const struct finding *sure = res->findings.at, *possible = res->possible.at;

    for (size_t i = 0; i < res->findings.len; i++) {
        buf_char(view->out, '\n');
        print_advice_finding(view, res, &sure[i], i + 1);
    }
    if (res->possible.len > 0)
        buf_adds(view->out, "\nmay save nothing, and not in the total\n");
    for (size_t i = 0; i < res->possible.len; i++) {
        buf_char(view->out, '\n');
        print_advice_finding(view, res, &possible[i], res->findings.len + i + 1);
    }
}

static void print_applied(const struct view *view, const struct advise_result *res)
{
    const struct followup *rows = res->applied.at;

    for (size_t i = 0; i < res->applied.len; i++) {
        const struct followup *f = &rows[i];

        buf_addf(view->out, "%s%s", i == 0 ? "\napplied\n" : "", "  - ");
        buf_add_safe(view->out, f->decision.subject);
        buf_adds(view->out, ": ");
        buf_add_safe(view->out, f->decision.title);
        buf_adds(view->out, ", since ");
        day_write(day_of(f->decision.at), view->out);
        buf_adds(view->out, "\n    ");
        view_wrap(f->verdict, 4, 4, view->out);
        if (f->unit.len > 0) {
            print_range(f->measured_low, f->measured_high, view->out);
            buf_addf(view->out, ", by the cost of a %.*s", STR_ARG(f->unit));
        }
        buf_char(view->out, '\n');
    }
}

static void print_compression(const struct view *view, const struct advise_result *res)
{
    static const struct column columns[] = {
        COLUMN("model", method),
        COLUMN("weights", weights, .optional = true),
        COLUMN("GB", size_gb, .form = COLUMN_FIGURES),
        COLUMN("on a GPU", memory_gb, .decimals = 1, .optional = true),
        COLUMN("speed", speed, .decimals = 2, .unit = "x"),
        COLUMN("cost", cost, .form = COLUMN_ESTIMATE),
        COLUMN("saves", savings, .form = COLUMN_PERCENT),
        COLUMN("loses", loss_low, .to = "loss_high", .form = COLUMN_PERCENT),
        COLUMN("of", metric, .shrink = true),
        COLUMN("needs", needs, .shrink = true, .optional = true),
        COLUMN("cheapest on", offer, .times = "machines", .otherwise = "reason",
               .shrink = true),
    };

    if (res->compression.len == 0)
        return;
    buf_adds(view->out, "\nsmaller models: cost of ");
    buf_adds(view->out, str_starts(res->compression_unit, STR("m")) ? "a " : "");
    buf_add(view->out, res->compression_unit);
    buf_adds(view->out, " on the cheapest machines; losses are published, not measured\n\n");
    view_rows(view, &op_advise, res, "compression", COLUMNS(columns));
}

static bool write_advice_start(const struct column *column, const void *row, struct buf *out)
{
    const struct cleaner_row *r = row;

    (void)column;
    if (r->start_hour >= 0)
        buf_addf(out, "at %02lld:00 UTC", (long long)r->start_hour);
    return true;
}

static void print_cleaner(const struct view *view, const struct advise_result *res)
{
    static const struct column columns[] = {
        COLUMN("where", offer, .otherwise = "region", .shrink = true),
        COLUMN_CELL("start", write_advice_start),
        COLUMN("g/kWh", g_kwh),
        COLUMN("kg CO2e", carbon_kg, .decimals = 2),
        COLUMN("less", avoided, .form = COLUMN_PERCENT),
        COLUMN("cost", cost, .form = COLUMN_ESTIMATE),
        COLUMN("extra", extra, .form = COLUMN_CHANGE),
        COLUMN("basis", basis, .optional = true, .shrink = true),
    };

    if (res->cleaner.len == 0)
        return;
    buf_adds(view->out, "\nless carbon: where and when, and what that costs more\n\n");
    view_rows(view, &op_advise, res, "cleaner", COLUMNS(columns));
}

static void print_advise(const struct view *view, const void *result)
{
    const struct advise_result *res = result;

    print_advice_head(view, res);
    print_findings(view, res);
    print_applied(view, res);
    print_compression(view, res);
    print_cleaner(view, res);
    data_view(view, &res->data);
    if (res->dismissed + res->hidden > 0 || res->notes.len > 0)
        buf_char(view->out, '\n');
    if (res->dismissed > 0)
        buf_addf(view->out, "%lld dismissed or applied: --all shows %s\n",
                 (long long)res->dismissed, res->dismissed == 1 ? "it" : "them");
    if (res->hidden > 0)
        buf_addf(view->out, "%lld left out by options\n", (long long)res->hidden);
    for (size_t i = 0; i < res->notes.len; i++) {
        buf_adds(view->out, "note: ");
        view_wrap(res->notes.at[i], 6, 6, view->out);
        buf_char(view->out, '\n');
    }
}

const struct command cmd_advise = {
    .name = "advise",
    .op = &op_advise,
    .group = {"what to change, and what it saves", CLI_AFTER, .first = true},
    .about =
        "Finds changes that save money: from the runs of the last 30 days, of one run, or from "
        "a job before it runs. Each finding shows its evidence, what to type, and its savings "
        "with a range. Findings that exclude each other or act on the same cost are combined "
        "so that no dollar is counted twice. Dismissed findings stay hidden; applied ones are "
        "compared with their prediction. 'stint advise rules' explains the rules. --data "
        "measures "
        "a sample of a folder: what smaller images, a bundle or a kept copy would save each "
        "time "
        "it is moved.",
    .examples = "stint advise\n"
                "stint advise --since 90d --category compute --min-savings 5usd\n"
                "stint advise last\n"
                "stint advise llama-2-7b --lora --tokens 25M --on A100\n"
                "stint advise job.yaml --data photos\n"
                "stint advise dismiss idle-time-764e9c1d --reason 'a demo machine'\n"
                "stint advise apply data-stalls-0b1c2d3e",
    .print = print_advise,
};

/* ---- decisions ---- */

static void print_decision(const struct view *view, const void *result)
{
    const struct advise_decide_result *res = result;
    const struct advise_decision *d = &res->decision;
    static const char *const done[FINDING_STATES] = {[FINDING_OPEN] = "restored",
                                                     [FINDING_DISMISSED] = "dismissed",
                                                     [FINDING_APPLIED] = "applied"};

    buf_addf(view->out, "%s ", done[d->state]);
    buf_add_safe(view->out, d->id);
    buf_adds(view->out, " (");
    buf_add_safe(view->out, d->subject);
    buf_adds(view->out, ": ");
    buf_add_safe(view->out, d->title);
    buf_adds(view->out, ")\n");
    if (d->state != FINDING_APPLIED)
        return;
    buf_adds(view->out, "predicted ");
    usd_write_estimate(d->saving, view->out);
    buf_adds(view->out, " a ");
    buf_add(view->out, d->per);
    buf_adds(view->out, "; 'stint advise' measures it from now on\n");
}

const struct command cmd_advise_dismiss = {
    .name = "advise dismiss",
    .op = &op_advise_dismiss,
    .about = "Hides a finding in advice and reports, for all users of the ledger, until 'stint "
             "advise restore' shows it again.",
    .examples = "stint advise dismiss idle-time-764e9c1d --reason 'a demo machine'",
    .print = print_decision,
};

const struct command cmd_advise_restore = {
    .name = "advise restore",
    .op = &op_advise_restore,
    .about = "Shows a finding again that was dismissed or marked as applied.",
    .examples = "stint advise restore idle-time-764e9c1d",
    .print = print_decision,
};

const struct command cmd_advise_apply = {
    .name = "advise apply",
    .op = &op_advise_apply,
    .about = "Marks a finding as applied, with today's date and its predicted savings. Advice "
             "then compares the same work before and after: predicted and measured. It changes "
             "nothing but the ledger: the finding says what to do.",
    .examples = "stint advise apply idle-time-764e9c1d",
    .print = print_decision,
};

/* ---- rules and facts ---- */

static void print_rules(const struct view *view, const void *result)
{
    const struct advise_rules_result *res = result;
    const struct advise_rule_row *rules = res->rules.at;

    for (size_t i = 0; i < res->rules.len; i++) {
        const struct advise_rule_row *r = &rules[i];
        struct buf kind = buf_new(view->arena->alloc, 256);

        buf_addf(view->out, "%s%s", i > 0 ? "\n" : "", term_style_on(&view->term, STYLE_BOLD));
        buf_add_safe(view->out, r->name);
        buf_addf(view->out, "%s  ", term_style_off(&view->term, STYLE_BOLD));
        buf_add_safe(view->out, r->title);
        buf_char(view->out, '\n');
        buf_addf(&kind, "%s; effort: %s; risk: %s; lever: %s",
                 advise_category_names[r->category], advise_effort_names[r->effort],
                 advise_risk_names[r->risk], advise_lever_names[r->lever]);
        print_advice_line(view, "category", buf_text(&kind));
        print_advice_line(view, "looks at", r->uses);
        print_advice_line(view, "applies", r->applies);
        print_advice_line(view, "computed", r->computed);
        print_advice_line(view, "source", r->source);
        buf_free_part(&kind, view->out);
    }
}

const struct command cmd_advise_rules = {
    .name = "advise rules",
    .op = &op_advise_rules,
    .about =
        "Lists every rule: what it looks at, when it applies, how its savings are computed, "
        "and where it comes from.",
    .examples = "stint advise rules\n"
                "stint advise rules idle-time",
    .print = print_rules,
};

static void print_facts(const struct view *view, const void *result)
{
    static const struct column columns[] = {
        COLUMN("fact", name),
        COLUMN("unit", unit),
        COLUMN("what", about, .shrink = true),
    };

    view_rows(view, &op_advise_facts, result, "facts", COLUMNS(columns));
}

const struct command cmd_advise_facts = {
    .name = "advise facts",
    .op = &op_advise_facts,
    .about = "Lists the facts of a job: runs of one name and project in the period.",
    .examples = "stint advise facts\n"
                "stint advise facts cost",
    .print = print_facts,
};
