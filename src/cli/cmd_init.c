/* stint init: from flags, or by asking the four things worth asking. */
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/view.h"
#include "op/config.h"
#include "op/context.h"
#include "op/op.h"

#define TRIES 10
#define ANSWER_MAX 512

/* One question: Enter takes `fallback`, which is shown with the reason for it. */
struct question {
    const char *name; /* of the request's field */
    const char *text;
    const char *why;      /* one asks */
    const char *fallback; /* as it is shown */
    const char *nothing;  /* the word that means the field stays empty; NULL: none does */
};

/* The next line, in the arena. False at the end of the input. */
static bool read_init_answer(struct op_context *ctx, struct str *answer, struct error *err)
{
    char line[ANSWER_MAX];

    if (fgets(line, sizeof line, stdin) == NULL) {
        (void)fputc('\n', stderr);
        error_set(err, ERROR_FAILED, "no answer: nothing was written");
        error_hint(err, "answers can be flags: 'stint init --providers aws --budget 100usd'");
        return false;
    }
    *answer = str_trim((struct str){line, strcspn(line, "\n")});
    answer->at = str_dup(*answer, ctx->arena, err);
    return answer->at != NULL;
}

/* "aws lambda" and "aws; lambda" are lists, too. */
static bool part_by_commas(struct op_context *ctx, struct str *answer, struct error *err)
{
    char *text = str_dup(*answer, ctx->arena, err);

    for (size_t i = 0; text != NULL && i < answer->len; i++)
        text[i] = text[i] == ' ' || text[i] == ';' ? ',' : text[i];
    answer->at = text;
    return text != NULL;
}

/* Ask for one field until the answer is right: what is wrong with one is a line. */
static bool ask_field(struct op_context *ctx, const struct question *q,
                      struct config_init_request *req, struct error *err)
{
    const struct field *field = field_find(op_config_init.request, str_from(q->name));

    (void)fprintf(stderr, "\n%s\n", q->why);
    for (int i = 0; i < TRIES; i++) {
        struct config_init_request before = *req;
        struct str answer;

        (void)fprintf(stderr, "%s [%s]: ", q->text, q->fallback);
        if (!read_init_answer(ctx, &answer, err))
            return false;
        if (answer.len == 0 || (q->nothing != NULL && str_eq(answer, str_from(q->nothing))))
            return true;
        *err = (struct error){0};
        if (field->type == FIELD_TEXTS && !part_by_commas(ctx, &answer, err))
            return false;
        if (field_parse(field, FIELD_SPELLED, answer, req, ctx->arena, err) &&
            config_check(ctx, req, err))
            return true;
        *req = before;
        (void)fprintf(stderr, "  %s%s%s\n", err->text, err->hint[0] != '\0' ? "; " : "",
                      err->hint);
    }
    error_set(err, ERROR_FAILED, "no answer that can be used: nothing was written");
    error_hint(err, "'stint init --help' lists the flags; 'stint init --yes' asks nothing");
    return false;
}

static bool ask_user(struct op_context *ctx, void *request, struct error *err)
{
    struct config_init_request *req = request;
    char place[128] = "US";
    struct question questions[] = {
        {"providers", "1/4 Clouds you rent from, such as aws,lambda,runpod",
         "Plans and prices show these clouds; with 'all', every cloud.", "all", "all"},
        {"budget", "2/4 Monthly budget, such as 100usd or 80eur",
         "Runs stop before they exceed the month's budget; its currency becomes yours.", "none",
         "none"},
        {"country", "3/4 Country of this machine, two letters",
         "It decides the price and the carbon of electricity.", place, NULL},
        {"own-machine", "4/4 Is this machine your own, not rented? yes or no",
         "A run on your own machine costs its electricity. On a rented one, budgets need its "
         "price.",
         "no", NULL},
    };
    struct str zone, country;

    if (config_target(ctx, req->force, err) == NULL)
        return false; /* before the user answers for nothing */
    if (req->yes)
        return true;
    req->yes = true; /* the machine is not asked for */
    country = config_guess_country(ctx, &zone);
    (void)snprintf(place, sizeof place, "%.*s%s%.*s", STR_ARG(country),
                   zone.len > 0 ? ", by the time zone " : "", STR_ARG(zone));
    (void)fprintf(stderr, "Four questions. Enter takes the answer in brackets; Ctrl-C writes "
                          "nothing;\nevery answer can be changed later.\n");
    for (size_t i = 0; i < ARRAY_LEN(questions); i++)
        if (!ask_field(ctx, &questions[i], req, err))
            return false;
    (void)fputc('\n', stderr);
    return true;
}

static void print_init(const struct view *view, const void *result)
{
    const struct config_init_result *res = result;

    buf_adds(view->out, "wrote ");
    buf_add(view->out, res->path);
    if (res->backup.len > 0) {
        buf_adds(view->out, " (the old one is ");
        buf_add(view->out, res->backup);
        buf_char(view->out, ')');
    }
    buf_adds(view->out, ":\n\n");
    buf_add(view->out, res->text);
    buf_adds(view->out, "\nnext:\n");
    view_steps(view, &res->next);
}

const struct command cmd_config_init = {
    .name = "init",
    .op = &op_config_init,
    .group = {"write the configuration: clouds, currency, budget", CLI_SETUP, .first = true},
    .about =
        "Writes the configuration. On a terminal and without options it asks four questions: "
        "which clouds you use, your monthly budget, the country of this machine, and whether "
        "it is your own. Enter accepts the default. With options, with --yes, or where there "
        "is no terminal, it asks nothing. An existing configuration is replaced only with "
        "--force, and kept as config.yaml.bak. The output ends with the next commands to type.",
    .examples = "stint init\n"
                "stint init --yes\n"
                "stint init --providers aws,lambda --budget 100usd --country DE",
    .print = print_init,
    .ask = ask_user,
};
