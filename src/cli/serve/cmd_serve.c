/* stint serve */
#include "cli/commands.h"
#include "cli/view.h"
#include "serve/serve.h"

static void print_serve(const struct view *view, const void *result)
{
    const struct serve_result *res = result;

    buf_addf(view->out, "ended: %lld requests, %lld refused, %lld failed, in ",
             (long long)res->requests, (long long)res->refused, (long long)res->failed);
    span_write(res->duration, view->out);
    buf_char(view->out, '\n');
}

const struct command cmd_serve = {
    .name = "serve",
    .op = &op_serve,
    .group = {"a page, an API and metrics for a team", .stage = CLI_AFTER},
    .about = "Serves runs, costs and budgets to a team over HTTP: a page for browsers, and "
             "every operation at /api/v1/OPERATION, with the requests and results of the "
             "command line. It listens on this machine only, unless --listen says otherwise; "
             "then it needs a certificate. Every request needs a token ('stint token add'), or "
             "the link that is printed at the start and signs in once. Ctrl-C ends it.",
    .examples = "stint serve --open\n"
                "stint serve --listen :8712 --name costs.example.org --certificate cert.pem "
                "--key key.pem",
    .print = print_serve,
};
