/* stint maturity, stint checklist, stint targets, stint targets set, stint targets remove */
#include <math.h>

#include "cli/commands.h"
#include "cli/view.h"
#include "op/advise/practices.h"
#include "op/op.h"

/* "from 2026-10-17 to 2026-11-15" */
static void print_practice_days(const struct view *view, const struct practice_about *about)
{
    buf_adds(view->out, "from ");
    day_write(about->since, view->out);
    buf_adds(view->out, " to ");
    day_write(about->until, view->out);
}

/* ---- maturity ---- */

static bool write_maturity_value(const struct column *column, const void *row, struct buf *out)
{
    const struct maturity_row *r = row;

    (void)column;
    practice_write(r->unit, r->value, out);
    return true;
}

static bool write_level(const struct column *column, const void *row, struct buf *out)
{
    const struct maturity_row *r = row;

    (void)column;
    buf_adds(out, r->level == MATURITY_UNKNOWN ? "not known" : maturity_level_names[r->level]);
    return true;
}

/* "80 % for run" */
static bool write_goal(const struct column *column, const void *row, struct buf *out)
{
    const struct maturity_row *r = row;

    (void)column;
    if (isnan(r->goal))
        return true;
    practice_write(r->unit, r->goal, out);
    buf_addf(out, " for %s", maturity_level_names[r->level + 1]);
    return true;
}

static enum term_style style_of_practice(const void *row)
{
    const struct maturity_row *r = row;

    return r->level == MATURITY_RUN    ? STYLE_GOOD
           : r->level == MATURITY_NONE ? STYLE_WARN
                                       : STYLE_PLAIN;
}

static const struct column practice_columns[] = {
    COLUMN("domain", domain),
    COLUMN("practice", label),
    COLUMN_CELL("value", write_maturity_value, .side = COLUMN_RIGHT),
    COLUMN_CELL("level", write_level),
    COLUMN_CELL("next level", write_goal, .unknown = ""),
    COLUMN("measured on", evidence, .shrink = true),
};

static void print_domains(const struct view *view, const struct maturity *m)
{
    const struct maturity_domain *domains = m->domains.at;

    for (size_t i = 0; i < m->domains.len; i++) {
        const struct maturity_domain *d = &domains[i];

        buf_addf(view->out, "%-10.*s%-11s%lld of %lld practices are known\n",
                 STR_ARG(d->domain),
                 d->level == MATURITY_UNKNOWN ? "not known" : maturity_level_names[d->level],
                 (long long)d->known, (long long)d->practices);
    }
}

static void print_maturity_steps(const struct view *view, const struct maturity *m)
{
    const struct maturity_step *steps = m->steps.at;

    buf_adds(view->out, m->steps.len > 0 ? "\nnext steps\n"
                                         : "\nevery practice is at the highest level\n");
    for (size_t i = 0; i < m->steps.len; i++) {
        struct buf text = buf_new(view->arena->alloc, BUF_MAX_OUTPUT);

        buf_add(&text, steps[i].text);
        if (!isnan(steps[i].worth)) {
            buf_adds(&text, "; worth ");
            usd_write_estimate(usd_from(steps[i].worth), &text);
            buf_adds(&text, " a month");
        }
        buf_addf(view->out, "%zu. ", i + 1);
        view_wrap(buf_text(&text), 3, 3, view->out);
        buf_adds(view->out, "\n   ");
        buf_add(view->out, steps[i].command);
        buf_char(view->out, '\n');
        buf_free_part(&text, view->out);
    }
}

/* Where the levels come from. */
static void print_thresholds(const struct view *view, const struct maturity *m)
{
    const struct maturity_row *rows = m->rows.at;

    buf_adds(view->out, "\nthresholds\n");
    for (size_t i = 0; i < m->rows.len; i++) {
        const struct maturity_row *r = &rows[i];
        struct buf text = buf_new(view->arena->alloc, BUF_MAX_OUTPUT);

        buf_add(&text, r->label);
        buf_adds(&text, ": crawl ");
        practice_write(r->unit, r->crawl, &text);
        buf_adds(&text, ", walk ");
        practice_write(r->unit, r->walk, &text);
        buf_adds(&text, ", run ");
        practice_write(r->unit, r->run, &text);
        buf_adds(&text, ". Source: ");
        buf_add(&text, r->source);
        buf_adds(&text, ", ");
        day_write(r->date, &text);
        buf_adds(&text, ". Now: ");
        buf_add(&text, r->evidence);
        buf_adds(view->out, "  ");
        view_wrap(buf_text(&text), 4, 2, view->out);
        buf_char(view->out, '\n');
        buf_free_part(&text, view->out);
    }
    buf_adds(view->out,
             "\nA domain is at the level that two in three of its known practices have\n"
             "reached. A file maturity.csv in the catalog folder changes thresholds.\n");
}

static void print_maturity(const struct view *view, const void *result)
{
    const struct maturity_result *res = result;

    if (res->about.no_ledger)
        buf_adds(view->out,
                 "There is no ledger yet, so nothing is known. 'stint run -- "
                 "COMMAND' records runs,\n'stint import FILE' adds cloud bills.\n\n");
    print_domains(view, &res->maturity);
    buf_char(view->out, '\n');
    view_rows(view, &op_maturity, res, "practices",
              COLUMNS(practice_columns, .style = style_of_practice));
    print_maturity_steps(view, &res->maturity);
    if (res->explain)
        print_thresholds(view, &res->maturity);
    buf_char(view->out, '\n');
    print_practice_days(view, &res->about);
    if (!res->explain)
        buf_adds(view->out, "; --explain shows thresholds and their sources");
    buf_char(view->out, '\n');
}

const struct command cmd_maturity = {
    .name = "maturity",
    .op = &op_maturity,
    .group = {"how costs are handled, and the next steps", .stage = CLI_AFTER},
    .about = "Rates cost management by facts in the ledger: tagged costs, budgets kept, GPU "
             "utilization, spot and commitments, time from an anomaly to its acknowledgment, "
             "forecasts, estimates. Each practice is below crawl, or at crawl, walk or run, "
             "the levels of the FinOps Foundation, in three domains: inform, optimize, "
             "operate. Unknown practices have no level. The next three steps come with a "
             "command, and with money where it can be computed.",
    .examples = "stint maturity\n"
                "stint maturity --since 30d --explain\n"
                "stint maturity --json\n"
                "stint maturity --svg maturity.svg",
    .print = print_maturity,
};

/* ---- checklist ---- */

static const struct column phase_columns[] = {
    COLUMN("phase", phase),       COLUMN("items", items), COLUMN("done", done),
    COLUMN("not done", not_done), COLUMN("open", open),
};

static void print_item(const struct view *view, const struct checklist_row *r)
{
    static const char marks[] = {
        [CHECKLIST_DONE] = 'x', [CHECKLIST_NOT_DONE] = '!', [CHECKLIST_OPEN] = ' '};
    bool done = r->state == CHECKLIST_DONE;

    buf_addf(view->out, "[%c] ", marks[r->state]);
    view_wrap(r->text, 4, 4, view->out);
    buf_char(view->out, '\n');
    if (r->evidence.len > 0) {
        buf_adds(view->out, "    ");
        view_wrap(r->evidence, 4, 4, view->out);
        buf_char(view->out, '\n');
    }
    if (done)
        return;
    buf_adds(view->out, "    how: ");
    view_wrap(r->how, 9, 9, view->out);
    buf_char(view->out, '\n');
}

static void print_checklist(const struct view *view, const void *result)
{
    const struct checklist_result *res = result;
    const struct checklist_row *rows = res->list.rows.at;
    const struct checklist_phase *phases = res->list.phases.at;

    if (res->phase.len == 0) {
        view_rows(view, &op_checklist, res, "phases", COLUMNS(phase_columns));
        buf_adds(view->out, "\n'stint checklist PHASE' lists its items\n");
    }
    for (size_t i = 0; res->phase.len > 0 && i < res->list.rows.len; i++)
        print_item(view, &rows[i]);
    if (res->phase.len > 0)
        buf_addf(view->out, "\n%lld of %lld done, %lld not done, %lld open\n",
                 (long long)phases[0].done, (long long)phases[0].items,
                 (long long)phases[0].not_done, (long long)phases[0].open);
    if (res->about.no_ledger)
        buf_adds(view->out, "There is no ledger yet: 'stint run -- COMMAND' records the "
                            "facts that prove items.\n");
}

const struct command cmd_checklist = {
    .name = "checklist",
    .op = &op_checklist,
    .group = {"progress by phase: done and open items", .stage = CLI_AFTER},
    .about = "Ticks the items of a phase that the ledger, the configuration and a job file "
             "prove, and shows the evidence. [!] means measured and not done; [ ] means "
             "unknown, with instructions. Phases: data, experiment, before, during, after, "
             "evaluation, compression, deployment, monthly.",
    .examples = "stint checklist\n"
                "stint checklist before job.yaml\n"
                "stint checklist monthly --month 2026-10\n"
                "stint checklist during --md checklist.md",
    .print = print_checklist,
};

/* ---- targets ---- */

/* Of a column's index. */
enum target_amount { TARGET_VALUE, TARGET_BEFORE, TARGET_GOAL };

static bool write_target_amount(const struct column *column, const void *row, struct buf *out)
{
    const struct target_row *r = row;

    if (column->index == TARGET_GOAL)
        buf_adds(out, r->less ? "at most " : "at least ");
    practice_write(r->unit,
                   column->index == TARGET_GOAL     ? r->goal
                   : column->index == TARGET_BEFORE ? r->before
                                                    : r->value,
                   out);
    return true;
}

static bool write_target_state(const struct column *column, const void *row, struct buf *out)
{
    const struct target_row *r = row;

    (void)column;
    buf_adds(out, r->state == TARGET_NOT_KNOWN ? "not known" : target_state_names[r->state]);
    return true;
}

static enum term_style style_of_target(const void *row)
{
    const struct target_row *r = row;

    return r->state == TARGET_MET      ? STYLE_GOOD
           : r->state == TARGET_MISSED ? STYLE_WARN
                                       : STYLE_PLAIN;
}

static const struct column target_columns[] = {
    COLUMN("target", label),
    COLUMN_CELL("goal", write_target_amount, .index = TARGET_GOAL, .side = COLUMN_RIGHT),
    COLUMN_CELL("value", write_target_amount, .index = TARGET_VALUE, .side = COLUMN_RIGHT),
    COLUMN_CELL("state", write_target_state),
    COLUMN("score", score, .form = COLUMN_PERCENT),
    COLUMN_CELL("before", write_target_amount, .index = TARGET_BEFORE, .side = COLUMN_RIGHT,
                .optional = true),
    COLUMN("trend", trend, .optional = true),
    COLUMN("measured on, or command that records it", record, .otherwise = "evidence",
           .shrink = true),
};

static void print_targets(const struct view *view, const void *result)
{
    const struct targets_result *res = result;
    const struct target_scores *s = &res->scores;

    if (res->about.no_ledger)
        buf_adds(view->out, "There is no ledger yet, so nothing is known. 'stint run -- "
                            "COMMAND' records runs.\n\n");
    view_rows(view, &op_targets, res, "targets",
              COLUMNS(target_columns, .style = style_of_target));
    buf_char(view->out, '\n');
    if (s->known > 0)
        buf_addf(view->out, "score %.0f of 100: %lld of %lld known targets are met\n",
                 s->score * 100, (long long)s->met, (long long)s->known);
    else
        buf_adds(view->out, "no target is known yet\n");
    print_practice_days(view, &res->about);
    buf_adds(view->out,
             ", compared with the same number of days before; 'stint targets set NAME VALUE'\n"
             "changes a goal, --json lists their sources\n");
}

static void print_target_set(const struct view *view, const void *result)
{
    const struct targets_set_result *res = result;

    buf_add(view->out, res->label);
    buf_adds(view->out, res->less ? ": at most " : ": at least ");
    practice_write(res->unit, res->value, view->out);
    if (!isnan(res->before)) {
        buf_adds(view->out, ", instead of ");
        practice_write(res->unit, res->before, view->out);
    }
    buf_char(view->out, '\n');
}

static void print_target_removed(const struct view *view, const void *result)
{
    const struct targets_remove_result *res = result;

    buf_addf(view->out, "removed %lld target%s\n", (long long)res->removed,
             res->removed == 1 ? "" : "s");
}

const struct command cmd_targets = {
    .name = "targets",
    .op = &op_targets,
    .group = {"goals, and how far they are reached", .stage = CLI_AFTER},
    .about = "Scores goals over a period and compares them with the period before. Yours "
             "('stint targets set') replace the defaults. The score of a goal is value / goal, "
             "or goal / value where less is better, up to 100. Unknown values are excluded.",
    .examples = "stint targets\n"
                "stint targets --month 2026-10\n"
                "stint targets set cost-per-lora 1.50usd\n"
                "stint targets --svg targets.svg",
    .print = print_targets,
};

const struct command cmd_targets_set = {
    .name = "targets set",
    .op = &op_targets_set,
    .about = "Sets a goal in the ledger, for all its users. The fact determines whether more "
             "or less is better. docs/guide/maturity.md lists the facts.",
    .examples = "stint targets set gpu-busy 75%\n"
                "stint targets set cost-per-thousand 0.40usd\n"
                "stint targets set anomaly-hours 8h",
    .print = print_target_set,
};

const struct command cmd_targets_remove = {
    .name = "targets remove",
    .op = &op_targets_remove,
    .about = "Removes a goal that was set; the default applies again, if there is one.",
    .examples = "stint targets remove gpu-busy\n"
                "stint targets remove --all",
    .print = print_target_removed,
};
