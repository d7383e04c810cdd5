/* stint comment */
#include "cli/commands.h"
#include "op/ci/comment.h"

static void print_count(int64_t count, const char *what, struct buf *out)
{
    if (count > 0)
        buf_addf(out, "; %s %lld earlier comment%s", what, (long long)count,
                 count == 1 ? "" : "s");
}

static void print_comment(const struct view *view, const void *result)
{
    static const char *const words[] = {[FORGE_CREATED] = "posted a comment on ",
                                        [FORGE_UPDATED] = "updated the comment on ",
                                        [FORGE_UNCHANGED] = "the comment on "};
    const struct comment_result *res = result;
    struct buf *out = view->out;

    buf_adds(out, res->dry_run ? "would post on " : words[res->outcome.action]);
    buf_add_safe(out, res->repo);
    buf_addf(out, "%c%lld", res->forge == FORGE_GITLAB ? '!' : '#', (long long)res->pull);
    if (!res->dry_run && res->outcome.action == FORGE_UNCHANGED)
        buf_adds(out, " is unchanged");
    if (res->outcome.url.len > 0) {
        buf_adds(out, ": ");
        buf_add_safe(out, res->outcome.url);
    }
    if (!res->dry_run) {
        print_count(res->outcome.hidden, "hid", out);
        print_count(res->outcome.deleted, "deleted", out);
    }
    buf_char(out, '\n');
    for (struct str rest = res->body; rest.len > 0;) {
        buf_add_safe(out, str_cut(&rest, '\n'));
        buf_char(out, '\n');
    }
}

const struct command cmd_comment = {
    .name = "comment",
    .op = &op_comment,
    .group = {"post the result of a check on a pull request", .stage = CLI_AFTER},
    .about = "Posts one comment on a pull request of GitHub or a merge request of GitLab, or "
             "updates the one it posted before, which it finds by a hidden marker. In a CI "
             "job, the repository and the request are those of the job.\n\n"
             "The token comes from the environment: GITHUB_TOKEN (pull-requests: write) or "
             "GITLAB_TOKEN (scope 'api'). It is never printed. STINT_URL_GITHUB and "
             "STINT_URL_GITLAB set the address of the API for a server of your own.\n\n"
             "Rate-limited requests are retried after the time the server gives, up to 2 "
             "minutes. A comment is posted once, even if the answer is lost.",
    .examples = "stint comment github --repo acme/models --pull 12 --body check.md\n"
                "stint comment gitlab --repo acme/models --pull 7 --body check.md\n"
                "stint comment github --body check.md --behavior hide-and-new\n"
                "stint comment github --body check.md --only-if-changed\n"
                "stint comment github --repo acme/models --pull 12 --body check.md --dry-run",
    .print = print_comment,
};
