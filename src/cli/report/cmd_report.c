/* stint report */
#include "cli/commands.h"
#include "cli/view.h"
#include "op/report/report.h"
#include "unit/size.h"

static void print_report(const struct view *view, const void *result)
{
    const struct report_result *res = result;
    const struct report_written *files = res->files.at;

    buf_adds(view->out, "report of ");
    buf_add(view->out, res->kind);
    buf_char(view->out, ' ');
    buf_add_safe(view->out, res->title);
    buf_char(view->out, '\n');
    for (size_t i = 0; i < res->summary.len; i++) {
        buf_adds(view->out, "  ");
        view_wrap(res->summary.at[i], 4, 2, view->out);
        buf_char(view->out, '\n');
    }
    buf_char(view->out, '\n');
    for (size_t i = 0; i < res->files.len; i++) {
        buf_add_safe(view->out, files[i].path);
        buf_char(view->out, '\n');
    }
}

const struct command cmd_report = {
    .name = "report",
    .op = &op_report,
    .about = "Writes a report of a run, an experiment or a saved plan into a folder:\n"
             "cost_analysis.json for scripts, a dashboard, a comparison with other providers,\n"
             "a page and Markdown. An experiment is a folder with a run of the ledger, or one\n"
             "of which the training time is given. All files are written, or none; files of\n"
             "the same names are replaced only if Stint wrote them. docs/report.md explains\n"
             "each number.",
    .examples =
        "stint report\n"
        "stint report bert-large -o reports/bert\n"
        "stint report --experiment experiments/lstm --training-time 420s --gpu RTX4070\n"
        "stint report --plan plan.json",
    .print = print_report,
};
