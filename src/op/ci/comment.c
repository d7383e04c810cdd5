/* comment - post or update one comment on a pull request of GitHub or GitLab. */
#include "op/ci/comment.h"

#include "base/fs.h"
#include "net/credentials.h"
#include "op/context.h"
#include "op/op.h"

#define BODY_MAX ((size_t)4 << 20)
#define SECOND INT64_C(1000000000)

static const struct http_manners manners = {
    .tries = 4,
    .wait = {SECOND},
    .patience = {120 * SECOND}, /* GitHub's limits on writing last about a minute */
    .connect = {15 * SECOND},
    .stall = {30 * SECOND},
    .attempt = {60 * SECOND},
    .altogether = {300 * SECOND},
};

static const struct field request_fields[] = {
    FIELD(ENUM, comment_request, forge, .value = "FORGE", .operand = true, .required = true,
          .names = forge_names, .help = "github or gitlab"),
    FIELD(TEXT, comment_request, repo, .value = "OWNER/NAME",
          .help = "repository (default: that of the CI job)"),
    FIELD(COUNT, comment_request, pull, .value = "N", .positive = true,
          .help = "number of the pull or merge request (default: that of the CI job)"),
    FIELD(TEXT, comment_request, body, .value = "FILE", .fallback = "-",
          .help = "Markdown to post (default: standard input)"),
    FIELD(ENUM, comment_request, behavior, .value = "HOW", .fallback = "update",
          .names = forge_behavior_names,
          .help = "treatment of an earlier comment: update it (default), or post a new one "
                  "and keep, hide or delete the earlier ones"),
    FIELD(FLAG, comment_request, only_if_changed,
          .help = "do nothing if the newest comment already has this text"),
    FIELD(TEXT, comment_request, tag, .value = "NAME", .fallback = "cost",
          .help = "name in the hidden marker, for several comments on one request (default: "
                  "cost)"),
    FIELD(FLAG, comment_request, dry_run,
          .help = "print the comment without sending it; needs no token"),
};

static const struct field result_fields[] = {
    FIELD(ENUM, comment_result, forge, .names = forge_names, .help = "github or gitlab"),
    FIELD(TEXT, comment_result, repo, .help = "repository"),
    FIELD(COUNT, comment_result, pull, .help = "number of the request"),
    FIELD_AS("action", ENUM, comment_result, outcome.action, .names = forge_action_names,
             .help = "created, updated or unchanged; null for a dry run"),
    FIELD_AS("id", TEXT, comment_result, outcome.id, .empty_unknown = true,
             .help = "ID of the comment"),
    FIELD_AS("url", TEXT, comment_result, outcome.url, .empty_unknown = true,
             .help = "URL of the comment"),
    FIELD_AS("hidden", COUNT, comment_result, outcome.hidden,
             .help = "earlier comments that were hidden"),
    FIELD_AS("deleted", COUNT, comment_result, outcome.deleted,
             .help = "earlier comments that were deleted"),
    FIELD_AS("problem", TEXT, comment_result, outcome.problem, .empty_unknown = true,
             .help = "reason why some of them are unchanged"),
    FIELD(FLAG, comment_result, dry_run, .help = "dry run: nothing was sent"),
    FIELD(TEXT, comment_result, body, .empty_unknown = true,
          .help = "dry run: text that would be sent"),
    FIELD(COUNT, comment_result, left_out,
          .help = "bytes left out because the forge does not accept them"),
};

static bool read_comment_body(struct op_context *ctx, const struct comment_request *req,
                              struct comment_result *res, struct str *out, struct error *err)
{
    bool standard = str_eq(req->body, STR("-"));
    const char *path = standard ? "/dev/stdin" : str_dup(req->body, ctx->arena, err);
    struct str text;
    size_t left_out;

    if (path == NULL || !fs_read(path, BODY_MAX, ctx->arena, &text, err))
        return false;
    if (str_trim(text).len == 0) {
        error_set(err, ERROR_INPUT, "%s: the comment is empty",
                  standard ? "standard input" : path);
        error_hint(err, "'stint check ... --markdown FILE' writes one for --body FILE");
        return false;
    }
    if (!forge_body(req->forge, req->tag, text, ctx->arena, out, &left_out, err))
        return false;
    res->left_out = (int64_t)left_out;
    if (left_out > 0)
        message_warn(&ctx->messages, "the text is too long for %s: %zu bytes are left out",
                     forge_names[req->forge], left_out);
    return true;
}

static bool keep_commenting(void *ctx, uint64_t done, uint64_t total)
{
    const struct op_context *op = ctx;

    (void)done;
    (void)total;
    return !watch_stopped(&op->watch);
}

static bool send_comment(struct op_context *ctx, const struct forge_pull *pull,
                         const struct forge_wish *wish, struct comment_result *res,
                         struct error *err)
{
    struct http_client client = {.alloc = ctx->arena->alloc,
                                 .log = ctx->messages.log,
                                 .manners = &manners,
                                 .progress = keep_commenting,
                                 .progress_ctx = ctx};
    struct forge_outcome outcome;
    bool ok;

    client.session = http_session_open(err);
    if (client.session == NULL)
        return false;
    ok = forge_comment(&client, pull, wish, ctx->arena, &outcome, err);
    http_session_close(client.session);
    if (!ok)
        return false;
    res->outcome = outcome;
    if (outcome.problem.len > 0) {
        message_warn(&ctx->messages, "posted, but earlier comments stay: %.*s",
                     (int)outcome.problem.len, outcome.problem.at);
        ctx->partly = true;
    }
    return true;
}

static bool comment_run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct comment_request *req = in;
    struct comment_result *res = out;
    struct forge_pull pull = {.kind = req->forge,
                              .base = forge_base(req->forge),
                              .repo =
                                  req->repo.len > 0 ? req->repo : forge_own_repo(req->forge),
                              .number = req->pull > 0 ? req->pull : forge_own_pull(req->forge)};
    struct forge_wish wish = {.behavior = req->behavior,
                              .only_if_changed = req->only_if_changed};
    struct credentials credentials = {0};
    bool ok;

    if (!forge_pull_check(&pull, err) || !read_comment_body(ctx, req, res, &wish.body, err))
        return false;
    res->forge = req->forge;
    res->repo = pull.repo;
    res->pull = pull.number;
    res->dry_run = req->dry_run;
    if (req->dry_run) {
        res->body = wish.body;
        return true;
    }
    if (!credentials_find(req->forge == FORGE_GITHUB ? CREDENTIALS_GITHUB : CREDENTIALS_GITLAB,
                          &credentials, err))
        return false;
    pull.token = credentials.secret;
    ok = send_comment(ctx, &pull, &wish, res, err);
    credentials_wipe(&credentials);
    return ok;
}

const struct op op_comment = {
    .name = "comment",
    .schema = "stint.comment/1",
    .changes = true,
    .summary = "post or update one comment on a pull request",
    .request = &(const struct field_set)FIELD_SET(struct comment_request, request_fields),
    .result = &(const struct field_set)FIELD_SET(struct comment_result, result_fields),
    .run = comment_run,
};
