/* stint token add, list and remove */
#include "cli/commands.h"
#include "cli/view.h"
#include "op/op.h"
#include "op/token/token.h"

static enum term_style style_of_token(const void *row)
{
    return ((const struct token *)row)->expired ? STYLE_DIM : STYLE_PLAIN;
}

static void print_tokens(const struct view *view, const struct token_result *res)
{
    static const struct column columns[] = {
        COLUMN("token", name, .shrink = true),
        COLUMN("may", scope),
        COLUMN("team", team, .if_any = true),
        COLUMN("created", created),
        COLUMN("by", by, .optional = true),
        COLUMN("ends", expires, .unknown = "never"),
        COLUMN("", expired, .yes = "expired", .if_any = true),
    };

    view_rows(view, &op_token_list, res, "tokens", COLUMNS(columns, .style = style_of_token));
}

static void print_token_list(const struct view *view, const void *result)
{
    const struct token_result *res = result;

    if (res->tokens.len == 0)
        buf_adds(view->out, "there are no tokens: 'stint token add NAME' creates one\n");
    else
        print_tokens(view, res);
}

static void print_add(const struct view *view, const void *result)
{
    const struct token_result *res = result;

    buf_add(view->out, res->secret);
    buf_adds(view->out, "\n\n");
    print_tokens(view, res);
    buf_adds(view->out,
             "The first line is the token. It is not stored and will not be shown again.\n");
}

static void print_token_remove(const struct view *view, const void *result)
{
    const struct token_result *res = result;
    const struct token *t = res->tokens.at;

    buf_adds(view->out, "revoked ");
    buf_add_safe(view->out, t->name);
    buf_adds(view->out, ": servers refuse it from now on\n");
}

const struct command cmd_token_add = {
    .name = "token add",
    .op = &op_token_add,
    .group = {"tokens that grant access to the server", .stage = CLI_AFTER},
    .about = "Creates a token for a user or a program to access 'stint serve'. It is printed "
             "once; the ledger stores only a digest of it. A token of scope read can query, "
             "write can also send runs and acknowledge alerts, admin can change everything.",
    .examples = "stint token add grafana\n"
                "stint token add node-17 --scope write --team nlp --expires 90d",
    .print = print_add,
};

const struct command cmd_token_list = {
    .name = "token list",
    .op = &op_token_list,
    .about = "Lists the tokens of the ledger, without their secrets.",
    .examples = "stint token list",
    .print = print_token_list,
};

const struct command cmd_token_remove = {
    .name = "token remove",
    .op = &op_token_remove,
    .about = "Revokes a token. Running servers reject it within a second, and browsers that "
             "signed in with it are signed out.",
    .examples = "stint token remove node-17",
    .print = print_token_remove,
};
