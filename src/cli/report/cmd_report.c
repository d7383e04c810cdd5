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
    buf_adds(view->out, ":\n");
    for (size_t i = 0; i < res->files.len; i++) {
        buf_adds(view->out, "  ");
        buf_add_safe(view->out, files[i].path);
        buf_char(view->out, '\n');
    }
}

const struct command cmd_report = {
    .name = "report",
    .op = &op_report,
    .about = "Writes a report of a run into a folder: cost_analysis.json for scripts, a\n"
             "dashboard, a comparison with other providers, a page and Markdown. All files\n"
             "are written, or none; files of the same names are replaced only if Stint wrote\n"
             "them. docs/report.md explains each number.",
    .examples = "stint report\n"
                "stint report bert-large -o reports/bert",
    .print = print_report,
};
