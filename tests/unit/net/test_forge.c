#include "server.h"

#include "net/forge.h"

#define MS INT64_C(1000000)

static const struct http_manners quick = {
    .tries = 3,
    .wait = {10 * MS},
    .patience = {1200 * MS},
    .connect = {2000 * MS},
    .stall = {1000 * MS},
    .attempt = {10000 * MS},
    .altogether = {10000 * MS},
};
static const struct http_client client = {.alloc = &alloc_system, .manners = &quick};
static struct arena arena = {.alloc = &alloc_system};

static struct forge_pull github(void)
{
    return (struct forge_pull){.kind = FORGE_GITHUB,
                               .base = str_from(server_url("")),
                               .repo = STR("acme/models"),
                               .number = 12,
                               .token = "good-token"};
}

static struct forge_pull gitlab(void)
{
    return (struct forge_pull){.kind = FORGE_GITLAB,
                               .base = str_from(server_url("/api/v4")),
                               .repo = STR("acme/models"),
                               .number = 7,
                               .token = "good-token"};
}

static struct str body_of(const char *text)
{
    struct error err = {0};
    struct str body;
    size_t left_out;

    assert_true(
        forge_body(FORGE_GITHUB, STR("cost"), str_from(text), &arena, &body, &left_out, &err));
    assert_int_equal(left_out, 0);
    return body;
}

/* Comment, or return the error. */
static struct forge_outcome comment_as(struct forge_pull pull, const char *text,
                                       enum forge_behavior behavior, bool only_if_changed,
                                       struct error *err)
{
    struct forge_wish wish = {
        .body = body_of(text), .behavior = behavior, .only_if_changed = only_if_changed};
    struct forge_outcome outcome;

    if (!forge_comment(&client, &pull, &wish, &arena, &outcome, err)) {
        assert_int_not_equal(err->kind, ERROR_NONE);
        assert_null(strstr(err->text, "good-token"));
        assert_null(strstr(err->hint, "good-token"));
    }
    return outcome;
}

static struct forge_outcome comment(struct forge_pull pull, const char *text,
                                    enum forge_behavior behavior)
{
    struct error err = {0};
    struct forge_outcome o = comment_as(pull, text, behavior, false, &err);

    assert_string_equal(err.text, "");
    return o;
}

/* What a reader of the request sees. */
static const char *seen(void)
{
    static char text[8192];
    struct http_response response;
    struct error err = {0};
    ssize_t len;

    assert_true(http_get(
        &client, &(struct http_request){.url = server_url("/comments"), .max_body = 8000},
        &response, &err));
    len = read(response.fd, text, sizeof text - 1);
    assert_true(len >= 0);
    text[len] = '\0';
    http_response_close(&response);
    return text;
}

/* ---- one comment ---- */

static void test_update(void **state)
{
    struct forge_outcome o;
    struct error err = {0};

    (void)state;
    server_start("FORGE github 0\n");
    o = comment(github(), "first\n", FORGE_UPDATE);
    assert_int_equal(o.action, FORGE_CREATED);
    assert_str_equal(o.id, "1001");
    assert_true(str_ends(o.url, STR("/acme/models/pull/12#issuecomment-1001")));
    o = comment(github(), "second\n", FORGE_UPDATE);
    assert_int_equal(o.action, FORGE_UPDATED);
    assert_str_equal(o.id, "1001");
    assert_string_equal(seen(), "1001 \"<!-- stint:cost -->\\nsecond\\n\"\n");
    o = comment_as(github(), "second", FORGE_UPDATE, true, &err);
    assert_int_equal(o.action, FORGE_UNCHANGED);
    assert_str_equal(o.id, "1001");
    assert_int_equal(server_count("PATCH "), 1);
    o = comment_as(github(), "third", FORGE_NEW, true, &err);
    assert_int_equal(o.action, FORGE_CREATED);
    assert_int_equal(server_count("POST "), 2);
    assert_int_equal(server_count("X-GitHub-Api-Version: 2022-11-28"), 7);
}

static void test_new(void **state)
{
    (void)state;
    server_start("FORGE github 1\n");
    (void)comment(github(), "a", FORGE_NEW);
    (void)comment(github(), "a", FORGE_NEW);
    assert_string_equal(seen(), "1001 \"> <!-- stint:cost -->\\n> quoted\"\n"
                                "1002 \"<!-- stint:cost -->\\na\"\n"
                                "1003 \"<!-- stint:cost -->\\na\"\n");
}

static void test_replace(void **state)
{
    struct forge_outcome o;

    (void)state;
    server_start("FORGE github 0\n");
    (void)comment(github(), "a", FORGE_NEW);
    o = comment(github(), "b", FORGE_HIDE_AND_NEW);
    assert_int_equal(o.hidden, 1);
    assert_string_equal(seen(), "1001 hidden \"<!-- stint:cost -->\\na\"\n"
                                "1002 \"<!-- stint:cost -->\\nb\"\n");
    o = comment(github(), "c", FORGE_DELETE_AND_NEW);
    assert_int_equal(o.deleted, 2);
    assert_string_equal(seen(), "1003 \"<!-- stint:cost -->\\nc\"\n");
}

static void test_gitlab(void **state)
{
    struct forge_outcome o;

    (void)state;
    server_start("FORGE gitlab 120\n");
    o = comment(gitlab(), "a", FORGE_UPDATE);
    assert_true(str_ends(o.url, STR("/acme/models/-/merge_requests/7#note_1121")));
    assert_int_equal(server_count("page=2"), 1);
    o = comment(gitlab(), "b", FORGE_UPDATE);
    assert_int_equal(o.action, FORGE_UPDATED);
    assert_int_equal(server_count("PUT /api/v4/projects/acme%2Fmodels/merge_requests/7/notes/"
                                  "1121 -> 200"),
                     1);
    o = comment(gitlab(), "c", FORGE_HIDE_AND_NEW);
    assert_int_equal(o.hidden, 1);
    assert_non_null(strstr(seen(), "1121 \"<!-- stint:cost:old -->\\n<details><summary>"
                                   "Superseded by a newer comment</summary>\\n\\nb\\n\\n"
                                   "</details>\\n\"\n1122 \"<!-- stint:cost -->\\nc\""));
    o = comment(gitlab(), "d", FORGE_DELETE_AND_NEW);
    assert_int_equal(o.deleted, 1);
}

/* ---- pages ---- */

static void test_pages(void **state)
{
    struct forge_outcome o;

    (void)state;
    server_start("FORGE github 250\n");
    o = comment(github(), "a", FORGE_UPDATE);
    assert_str_equal(o.id, "1251");
    assert_int_equal(server_count("GET "), 3);
    o = comment(github(), "b", FORGE_UPDATE);
    assert_int_equal(o.action, FORGE_UPDATED);
    assert_str_equal(o.id, "1251");
}

/* A full page without a link, as behind some proxies, is not the last. */
static void test_pages_without_links(void **state)
{
    struct buf script = buf_new(&alloc_system, 1 << 20);
    struct forge_outcome o;

    (void)state;
    buf_adds(&script, "GET /repos/acme/models/issues/12/comments?page=1 200\n body [");
    for (int i = 0; i < 100; i++)
        buf_addf(&script, "%s{\"id\":%d,\"body\":\"x\"}", i > 0 ? "," : "", i + 1);
    buf_adds(&script, "]\nGET /repos/acme/models/issues/12/comments?page=2 200\n"
                      " body [{\"id\":500,\"body\":\"<!-- stint:cost -->\\u000aold\"}]\n"
                      "PATCH /repos/acme/models/issues/comments/500 200\n"
                      " body {\"id\":500,\"body\":\"\",\"html_url\":\"https://x/500\"}\n");
    buf_char(&script, '\0');
    server_start(script.at);
    buf_free(&script);
    o = comment(github(), "a", FORGE_UPDATE);
    assert_int_equal(o.action, FORGE_UPDATED);
    assert_str_equal(o.url, "https://x/500");
}

/* ---- limits on requests ---- */

static void test_rate_limits(void **state)
{
    (void)state;
    server_start("GET /repos/* 429\n header Retry-After: 0\n times 1\n"
                 "GET /repos/* 403\n header Retry-After: 0\n times 1\n"
                 " body {\"message\":\"You have exceeded a secondary rate limit\"}\n"
                 "POST /repos/* 403\n header X-RateLimit-Remaining: 0\n"
                 " header Date: Tue, 17 Nov 2026 10:00:00 GMT\n"
                 " header X-RateLimit-Reset: 1794909601\n times 1\n"
                 "POST /repos/* 429\n header Retry-After: 0\n times 1\n"
                 "FORGE github 0\n");
    (void)comment(github(), "a", FORGE_UPDATE);
    assert_int_equal(server_count("GET "), 3);
    assert_int_equal(server_count("POST "), 3);
    assert_string_equal(seen(), "1001 \"<!-- stint:cost -->\\na\"\n");
}

static void test_rate_limit_too_long(void **state)
{
    struct error err = {0};

    (void)state;
    server_start("GET /repos/* 403\n header X-RateLimit-Remaining: 0\n"
                 " header Date: Tue, 17 Nov 2026 10:00:00 GMT\n"
                 " header X-RateLimit-Reset: 1794913200\n"
                 " body {\"message\":\"API rate limit exceeded\"}\n");
    (void)comment_as(github(), "a", FORGE_UPDATE, false, &err);
    assert_non_null(strstr(err.text, "too many requests (403): API rate limit exceeded"));
    assert_string_equal(err.hint, "the server asks to wait 3600 s: try again then");
    assert_int_equal(server_count("GET "), 1);
}

/* ---- failures ---- */

static void expect_failure(const char *script, const char *text, const char *hint)
{
    struct error err = {0};

    server_start(script);
    (void)comment_as(github(), "a", FORGE_UPDATE, false, &err);
    if (strstr(err.text, text) == NULL)
        fail_msg("'%s' has no '%s'", err.text, text);
    if (strstr(err.hint, hint) == NULL)
        fail_msg("'%s' has no '%s'", err.hint, hint);
}

static void test_wrong_token(void **state)
{
    struct error err = {0};
    struct forge_pull pull;

    (void)state;
    server_start("GET /repos/acme/other/* 403\n"
                 " body {\"message\":\"ghp_bad-token may not, nor Bearer ghp_bad-token\"}\n"
                 "FORGE github 0\n");
    pull = github();
    pull.token = "ghp_bad-token";
    (void)comment_as(pull, "a", FORGE_UPDATE, false, &err);
    assert_non_null(strstr(err.text, "the key is missing or wrong (401): Bad credentials"));
    assert_non_null(strstr(err.hint, "GITHUB_TOKEN"));
    pull.repo = STR("acme/other");
    (void)comment_as(pull, "a", FORGE_UPDATE, false, &err);
    assert_null(strstr(err.text, "ghp_bad"));
    assert_non_null(strstr(err.text, "*** may not, nor Bearer ***"));
}

static void test_no_such_pull(void **state)
{
    (void)state;
    expect_failure("GET /repos/* 404\n body {\"message\":\"Not Found\"}\n", "(404): Not Found",
                   "check that the pull request exists");
}

static void test_not_json(void **state)
{
    (void)state;
    expect_failure("GET /repos/* 200\n body <html>a page of a proxy</html>\n",
                   "/repos/acme/models/issues/12/comments:", "");
}

static void test_not_a_list(void **state)
{
    (void)state;
    expect_failure("GET /repos/* 200\n body {\"id\":1}\n", "not a list of comments", "");
}

/* An id goes into an address. */
static void test_bad_id(void **state)
{
    (void)state;
    expect_failure("GET /repos/* 200\n body [{\"id\":\"../../x\",\"body\":"
                   "\"<!-- stint:cost -->\\u000a\"}]\n",
                   "a comment without an id", "");
}

/* The comment was made, but the answer was lost: it is not made twice. */
static void test_lost_answer(void **state)
{
    (void)state;
    server_start("POST /repos/* 502\n times 1\n nevertheless\n"
                 "FORGE github 0\n");
    (void)comment(github(), "a", FORGE_NEW);
    assert_string_equal(seen(), "1001 \"<!-- stint:cost -->\\na\"\n");
    assert_int_equal(server_count("POST "), 1);
}

/* An earlier comment with the same text is not mistaken for it. */
static void test_not_made(void **state)
{
    (void)state;
    server_start("POST /repos/*?-x 500\n times 1\n ask *second*\n"
                 "POST /repos/*?-x 200\n times 1\n ask *second*\n cut 3\n body {\"id\":\n"
                 "FORGE github 0\n");
    (void)comment(github(), "second", FORGE_NEW);
    assert_int_equal(server_count("POST "), 3);
    (void)comment(github(), "second", FORGE_NEW);
    assert_string_equal(seen(), "1001 \"<!-- stint:cost -->\\nsecond\"\n"
                                "1002 \"<!-- stint:cost -->\\nsecond\"\n");
}

static void test_gives_up(void **state)
{
    (void)state;
    expect_failure("POST /repos/* 500\nFORGE github 0\n", "the server failed (500)", "");
    assert_int_equal(server_count("POST "), 3);
}

/* The new comment is there; that an old one cannot be hidden is reported beside it. */
static void test_cannot_hide(void **state)
{
    struct forge_outcome o;

    (void)state;
    server_start("POST /graphql 200\n body {\"errors\":[{\"message\":\"not allowed\"}]}\n"
                 "FORGE github 0\n");
    (void)comment(github(), "a", FORGE_NEW);
    o = comment(github(), "b", FORGE_HIDE_AND_NEW);
    assert_int_equal(o.action, FORGE_CREATED);
    assert_int_equal(o.hidden, 0);
    assert_non_null(strstr(o.problem.at, "not allowed"));
}

/* ---- texts and names ---- */

static void test_body(void **state)
{
    static char text[70000];
    struct error err = {0};
    struct str body;
    size_t left_out;

    (void)state;
    memset(text, 'x', sizeof text - 1);
    assert_true(
        forge_body(FORGE_GITHUB, STR("a-b"), str_from(text), &arena, &body, &left_out, &err));
    assert_true(body.len <= 65536);
    assert_true(left_out > 4000);
    assert_true(str_ends(body, STR("*(the rest did not fit)*\n")));
    text[60000] = '\n';
    assert_true(
        forge_body(FORGE_GITHUB, STR("a-b"), str_from(text), &arena, &body, &left_out, &err));
    assert_int_equal(left_out, sizeof text - 1 - 60001);
    assert_true(
        forge_body(FORGE_GITLAB, STR("a"), str_from(text), &arena, &body, &left_out, &err));
    assert_int_equal(left_out, 0);
    for (const char *const *tag = (const char *const[]){"", "a b", "a--b", "a-", "-->", NULL};
         *tag != NULL; tag++) {
        assert_false(
            forge_body(FORGE_GITHUB, str_from(*tag), STR("x"), &arena, &body, &left_out, &err));
        assert_int_equal(err.kind, ERROR_USAGE);
    }
}

static bool repo_good(enum forge_kind kind, const char *repo)
{
    struct forge_pull pull = {.kind = kind, .repo = str_from(repo), .number = 1};
    struct error err = {0};

    return forge_pull_check(&pull, &err);
}

static void test_repo(void **state)
{
    (void)state;
    assert_true(repo_good(FORGE_GITHUB, "acme/my.models-2"));
    assert_false(repo_good(FORGE_GITHUB, "acme"));
    assert_false(repo_good(FORGE_GITHUB, "a/b/c"));
    assert_false(repo_good(FORGE_GITHUB, "../x"));
    assert_false(repo_good(FORGE_GITHUB, "a/b?c"));
    assert_false(repo_good(FORGE_GITHUB, "a/b/"));
    assert_false(repo_good(FORGE_GITHUB, ""));
    assert_true(repo_good(FORGE_GITLAB, "group/sub/name"));
    assert_true(repo_good(FORGE_GITLAB, "278964"));
    assert_false(repo_good(FORGE_GITLAB, "group/../name"));
    assert_false(repo_good(FORGE_GITLAB, "group//name"));
}

static void test_environment(void **state)
{
    (void)state;
    assert_int_equal(setenv("GITHUB_REF", "refs/pull/31/merge", 1), 0);
    assert_int_equal(forge_own_pull(FORGE_GITHUB), 31);
    assert_int_equal(setenv("GITHUB_REF", "refs/heads/main", 1), 0);
    assert_int_equal(forge_own_pull(FORGE_GITHUB), 0);
    assert_int_equal(setenv("CI_MERGE_REQUEST_IID", "8", 1), 0);
    assert_int_equal(forge_own_pull(FORGE_GITLAB), 8);
    assert_int_equal(setenv("GITHUB_API_URL", "https://ghe.example.org/api/v3/", 1), 0);
    assert_str_equal(forge_base(FORGE_GITHUB), "https://ghe.example.org/api/v3");
    assert_int_equal(setenv("STINT_URL_GITHUB", "http://127.0.0.1:1", 1), 0);
    assert_str_equal(forge_base(FORGE_GITHUB), "http://127.0.0.1:1");
    for (const char *const *name =
             (const char *const[]){"GITHUB_REF", "CI_MERGE_REQUEST_IID", "GITHUB_API_URL",
                                   "STINT_URL_GITHUB", NULL};
         *name != NULL; name++)
        assert_int_equal(unsetenv(*name), 0);
    assert_str_equal(forge_base(FORGE_GITHUB), "https://api.github.com");
    assert_str_equal(forge_base(FORGE_GITLAB), "https://gitlab.com/api/v4");
}

static int forge_teardown(void **state)
{
    arena_free(&arena);
    return server_teardown(state);
}

#define SERVED(test) cmocka_unit_test_setup_teardown(test, server_setup, forge_teardown)

int group_forge(void)
{
    const struct CMUnitTest tests[] = {
        SERVED(test_update),      SERVED(test_new),
        SERVED(test_replace),     SERVED(test_gitlab),
        SERVED(test_pages),       SERVED(test_pages_without_links),
        SERVED(test_rate_limits), SERVED(test_rate_limit_too_long),
        SERVED(test_wrong_token), SERVED(test_no_such_pull),
        SERVED(test_not_json),    SERVED(test_not_a_list),
        SERVED(test_bad_id),      SERVED(test_lost_answer),
        SERVED(test_not_made),    SERVED(test_gives_up),
        SERVED(test_cannot_hide), SERVED(test_body),
        SERVED(test_repo),        SERVED(test_environment),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
