/* stint report */
#include "cli/commands.h"
#include "cli/view.h"
#include "op/report/report.h"
#include "unit/size.h"

static void print_schedule(const struct view *view, const struct report_result *res)
{
    buf_adds(view->out, "for cron (crontab -e), on the 2nd of each month at 6:00:\n\n");
    buf_add_safe(view->out, res->cron);
    buf_adds(view->out, "\n\nor for systemd, ~/.config/systemd/user/stint-report.service:\n\n");
    buf_add(view->out, res->service);
    buf_adds(view->out, "\n~/.config/systemd/user/stint-report.timer:\n\n");
    buf_add(view->out, res->timer);
    buf_adds(view->out, "\nthen: systemctl --user enable --now stint-report.timer\n");
}

static void print_report(const struct view *view, const void *result)
{
    const struct report_result *res = result;
    const struct report_written *files = res->files.at;

    if (res->cron.len > 0) {
        print_schedule(view, res);
        return;
    }
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
    for (size_t i = 0; i < res->sent.len; i++) {
        buf_adds(view->out, "sent to ");
        buf_add_safe(view->out, res->sent.at[i]);
        buf_char(view->out, '\n');
    }
}

const struct command cmd_report = {
    .name = "report",
    .op = &op_report,
    .group = {"a report to share", CLI_AFTER, .first = true},
    .about =
        "Writes a report of a run, an experiment or a saved plan into a folder: "
        "cost_analysis.json for scripts, a dashboard, a comparison with other providers, a "
        "page and Markdown. An experiment is a folder with a run in the ledger, or one whose "
        "training time is given. With --month it covers a month's spending: by team, project, "
        "service and GPU, with forecast, budgets, anomalies, what changed, GPU utilization and "
        "savings. With --compare it compares runs, any number of them, and marks those that "
        "are Pareto-optimal in cost and quality. All files are written, or none; files of the "
        "same names are replaced only if Stint wrote them. --every month --mail ADDRESS prints "
        "how to schedule the monthly report. docs/guide/report.md explains each number.",
    .examples =
        "stint report\n"
        "stint report bert-large -o reports/bert\n"
        "stint report --experiment experiments/lstm --training-time 420s --gpu RTX4070\n"
        "stint report --plan plan.json\n"
        "stint report --month 2026-10 --where team=nlp -o reports/nlp\n"
        "stint report --compare 'bert*' --metric eval_accuracy\n"
        "stint report --every month --mail finance@example.com",
    .print = print_report,
};
