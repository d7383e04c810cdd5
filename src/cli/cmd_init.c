/* stint init: from flags, or by asking the few things worth asking. */
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "op/config.h"
#include "op/context.h"
#include "op/op.h"

#define TRIES 3

/* The answer to a question, in the arena; NULL at the end of the input. */
static bool read_answer(struct op_context *ctx, const char *question, struct str fallback,
                        struct str *answer, struct error *err)
{
    char line[512];

    (void)fprintf(stderr, "%s", question);
    if (fallback.len > 0)
        (void)fprintf(stderr, " [%.*s]", STR_ARG(fallback));
    (void)fprintf(stderr, ": ");
    if (fgets(line, sizeof line, stdin) == NULL) {
        error_set(err, ERROR_FAILED, "no answer: nothing was written");
        error_hint(err, "answers can be flags: 'stint init --providers aws --budget 100usd'");
        return false;
    }
    *answer = str_trim((struct str){line, strcspn(line, "\n")});
    answer->at = str_dup(*answer, ctx->arena, err);
    return answer->at != NULL;
}

/* Ask for one field. Empty keeps what there is; a wrong answer is explained and asked again. */
static bool ask_field(struct op_context *ctx, const char *question, const char *name,
                      struct config_init_request *req, struct error *err)
{
    const struct field *field = field_find(op_config_init.request, str_from(name));
    struct buf now = buf_new(ctx->arena->alloc, 256);
    bool ok = false;

    field_write(field, req, &now);
    for (int i = 0; i < TRIES && !ok; i++) {
        struct config_init_request before = *req;
        struct str answer;

        if (!read_answer(ctx, question, buf_text(&now), &answer, err))
            break;
        ok = answer.len == 0 ||
             (field_parse(field, FIELD_SPELLED, answer, req, ctx->arena, err) &&
              config_check(ctx, req, err));
        if (ok)
            break;
        *req = before;
        if (i + 1 < TRIES)
            error_print(err, stderr);
    }
    buf_free(&now);
    return ok;
}

static bool ask_user(struct op_context *ctx, void *request, struct error *err)
{
    struct config_init_request *req = request;

    if (config_target(ctx, req->force, err) == NULL)
        return false; /* before the user answers for nothing */
    req->machine = config_guess_machine(ctx, "/proc");
    (void)fprintf(stderr,
                  "Enter keeps what is in brackets; everything can be changed later.\n");
    return ask_field(ctx, "Clouds you have accounts with (aws, gcp, lambda, runpod, ...)",
                     "providers", req, err) &&
           ask_field(ctx, "Currency of your budgets", "currency", req, err) &&
           ask_field(ctx, "Budget a month, such as 100usd (none)", "budget", req, err) &&
           ask_field(ctx, "Country of this machine", "country", req, err) &&
           ask_field(ctx, "This machine, as in 'stint catalog show local' (none)", "machine",
                     req, err);
}

static void print_init(const struct view *view, const void *result)
{
    const struct config_init_result *res = result;

    buf_addf(view->out, "wrote %.*s:\n\n", (int)res->path.len, res->path.at);
    buf_add(view->out, res->text);
}

const struct command cmd_init = {
    .name = "init",
    .op = &op_config_init,
    .about = "Writes the configuration. On a terminal and without options it asks: which\n"
             "clouds you use, the currency and monthly budget, where this machine is and what\n"
             "it is.",
    .examples = "stint init\n"
                "stint init --providers aws,lambda --budget 100usd --country DE",
    .print = print_init,
    .ask = ask_user,
};
