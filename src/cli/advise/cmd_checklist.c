/* stint checklist */
#include "cli/commands.h"
#include "cli/view.h"
#include "op/advise/checklist.h"
#include "op/op.h"

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
    if (res->none_yet)
        buf_adds(view->out, "There is no ledger yet: 'stint run -- COMMAND' records the "
                            "facts that prove items.\n");
}

const struct command cmd_checklist = {
    .name = "checklist",
    .op = &op_checklist,
    .group = {"progress by phase: done and open items", CLI_AFTER},
    .about = "Ticks the items of a phase that the ledger, the configuration and a job file\n"
             "prove, and shows the evidence. [!] means measured and not done; [ ] means\n"
             "unknown, with instructions. Phases: data, experiment, before, during, after,\n"
             "evaluation, compression, deployment, monthly.",
    .examples = "stint checklist\n"
                "stint checklist before job.yaml\n"
                "stint checklist monthly --month 2026-10\n"
                "stint checklist during --md checklist.md",
    .print = print_checklist,
};
