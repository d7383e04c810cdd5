#include "net/forge.h"

#include <string.h>

#include "base/fs.h"
#include "base/num.h"
#include "doc/json_write.h"
#include "doc/node.h"
#include "net/credentials.h"
#include "net/url.h"

const char *const forge_names[] = {"github", "gitlab", NULL};
const char *const forge_behavior_names[] = {"update", "new", "hide-and-new", "delete-and-new",
                                            NULL};
const char *const forge_action_names[] = {"created", "updated", "unchanged", NULL};

#define PAGE 100      /* comments of one answer: the most that both give */
#define MAX_PAGES 100 /* 10,000 comments */
#define MAX_POSTS 3   /* tries to post, when answers are lost */
#define MAX_TAG 64    /* bytes */
#define MAX_NAME 255  /* of a repository */
#define MAX_ADDRESS 2048
#define MAX_ANSWER ((size_t)64 << 20)
#define MARKER_END " -->"

/* What differs between the two. */
static const struct forge {
    const char *title;    /* for messages */
    const char *home;     /* of its API */
    const char *variable; /* that sets it */
    const char *job_base, *job_repo;
    const char *pull;   /* what it calls a request */
    size_t longest;     /* comment that it takes, bytes */
    const char *change; /* method */
    enum credentials_of credentials;
} forges[] = {
    [FORGE_GITHUB] = {.title = "GitHub",
                      .home = "https://api.github.com",
                      .variable = "STINT_URL_GITHUB",
                      .job_base = "GITHUB_API_URL",
                      .job_repo = "GITHUB_REPOSITORY",
                      .pull = "pull request",
                      .longest = 65536,
                      .change = "PATCH",
                      .credentials = CREDENTIALS_GITHUB},
    [FORGE_GITLAB] = {.title = "GitLab",
                      .home = "https://gitlab.com/api/v4",
                      .variable = "STINT_URL_GITLAB",
                      .job_base = "CI_API_V4_URL",
                      .job_repo = "CI_PROJECT_PATH",
                      .pull = "merge request",
                      .longest = 1000000,
                      .change = "PUT",
                      .credentials = CREDENTIALS_GITLAB},
};

/* ---- which request ---- */

struct str forge_base(enum forge_kind kind)
{
    const char *set = env_get(forges[kind].variable);
    struct str base;

    if (set == NULL)
        set = env_get(forges[kind].job_base);
    base = str_from(set != NULL ? set : forges[kind].home);
    while (base.len > 0 && base.at[base.len - 1] == '/')
        base.len--;
    return base;
}

struct str forge_own_repo(enum forge_kind kind)
{
    return str_from(env_get(forges[kind].job_repo));
}

int64_t forge_own_pull(enum forge_kind kind)
{
    struct str text;
    int64_t number;

    if (kind == FORGE_GITLAB) {
        text = str_from(env_get("CI_MERGE_REQUEST_IID"));
    } else { /* "refs/pull/12/merge" */
        text = str_from(env_get("GITHUB_REF"));
        if (!str_starts(text, STR("refs/pull/")))
            return 0;
        text = (struct str){text.at + 10, text.len - 10};
        text = str_cut(&text, '/');
    }
    return num_int(text, &number) && number > 0 ? number : 0;
}

static bool is_url_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           c == '_' || c == '.' || c == '-';
}

/* "OWNER/NAME", without "." and "..", which an address would resolve. */
static bool repo_named(struct str repo, size_t least, size_t most)
{
    size_t parts = 0;

    if (repo.len == 0 || repo.len > MAX_NAME || repo.at[repo.len - 1] == '/')
        return false;
    while (repo.len > 0) {
        struct str part = str_cut(&repo, '/');

        if (part.len == 0 || str_eq(part, STR(".")) || str_eq(part, STR("..")))
            return false;
        for (size_t i = 0; i < part.len; i++)
            if (!is_url_word(part.at[i]))
                return false;
        parts++;
    }
    return parts >= least && parts <= most;
}

bool forge_pull_check(const struct forge_pull *pull, struct error *err)
{
    const struct forge *forge = &forges[pull->kind];
    bool github = pull->kind == FORGE_GITHUB;

    if (pull->repo.len == 0) {
        error_set(err, ERROR_USAGE, "which repository? add --repo %s",
                  github ? "OWNER/NAME" : "GROUP/NAME");
        error_hint(err, "in a CI job, %s names it", forge->job_repo);
        return false;
    }
    if (!repo_named(pull->repo, github ? 2 : 1, github ? 2 : 20)) {
        error_set(err, ERROR_USAGE, "--repo: '%.*s' is not the name of a repository on %s",
                  STR_ARG(pull->repo), forge->title);
        error_hint(err, "%s", github ? "give OWNER/NAME" : "give GROUP/NAME, or its number");
        return false;
    }
    if (pull->number > 0)
        return true;
    error_set(err, ERROR_USAGE, "which %s? add --pull N", forge->pull);
    error_hint(err, "in a CI job for a %s, the job names it", forge->pull);
    return false;
}

/* ---- texts ---- */

static bool tag_good(struct str tag)
{
    if (tag.len == 0 || tag.len > MAX_TAG)
        return false;
    for (size_t i = 0; i < tag.len; i++)
        if (!is_url_word(tag.at[i]) ||
            (tag.at[i] == '-' && (i + 1 == tag.len || tag.at[i + 1] == '-')))
            return false;
    return true;
}

/* What of the text fits: complete lines, or complete characters of its first. */
static struct str text_within(struct str text, size_t room)
{
    size_t len = 0, line = 0;

    if (text.len <= room)
        return text;
    for (size_t i = 0; i < room; i++)
        if (text.at[i] == '\n')
            line = i + 1;
    if (line > 0)
        return (struct str){text.at, line};
    while (len < room) {
        size_t size = str_character((struct str){text.at + len, text.len - len});

        size = size == 0 || size == SIZE_MAX ? 1 : size;
        if (len + size > room)
            break;
        len += size;
    }
    return (struct str){text.at, len};
}

bool forge_body(enum forge_kind kind, struct str tag, struct str text, struct arena *arena,
                struct str *out, size_t *left_out, struct error *err)
{
    static const char note[] = "\n\n*(the rest did not fit)*\n";
    size_t room = forges[kind].longest - MAX_TAG - sizeof note - sizeof MARKER_END - 16;
    struct buf body = buf_new(arena->alloc, forges[kind].longest + 1);
    struct str kept = text_within(text, room);

    *left_out = text.len - kept.len;
    if (!tag_good(tag)) {
        error_set(err, ERROR_USAGE, "--tag: '%.*s' is not a valid tag", STR_ARG(tag));
        error_hint(err, "use letters, digits, '_', '.' and single '-', at most %d", MAX_TAG);
        buf_free(&body);
        return false;
    }
    buf_adds(&body, "<!-- stint:");
    buf_add(&body, tag);
    buf_adds(&body, MARKER_END "\n");
    buf_add(&body, kept);
    if (*left_out > 0)
        buf_adds(&body, note);
    return buf_keep(&body, arena, out, err);
}

/* The marker of a body: its first line. */
static struct str body_marker(struct str body)
{
    return str_cut(&body, '\n');
}

/* The same text, but for carriage returns and blanks at the end, which forges change. */
static bool same_text(struct str a, struct str b)
{
    size_t i = 0, j = 0;

    while (a.len > 0 && strchr(" \t\r\n", a.at[a.len - 1]) != NULL)
        a.len--;
    while (b.len > 0 && strchr(" \t\r\n", b.at[b.len - 1]) != NULL)
        b.len--;
    for (;; i++, j++) {
        while (i < a.len && a.at[i] == '\r')
            i++;
        while (j < b.len && b.at[j] == '\r')
            j++;
        if (i == a.len || j == b.len)
            return i == a.len && j == b.len;
        if (a.at[i] != b.at[j])
            return false;
    }
}

/* ---- answers ---- */

static struct str answer_text(const struct node *map, const char *key)
{
    const struct node *node = node_get(map, str_from(key));

    return node != NULL && node->kind == NODE_SCALAR ? node->text : (struct str){0};
}

/* It becomes a part of addresses: nothing but digits. */
static bool is_id(struct str id)
{
    for (size_t i = 0; i < id.len; i++)
        if (id.at[i] < '0' || id.at[i] > '9')
            return false;
    return id.len > 0 && id.len < 24;
}

static bool read_comment(const struct node *map, const char *name, struct arena *arena,
                         struct forge_comment *out, struct error *err)
{
    struct str id = map->kind == NODE_MAP ? answer_text(map, "id") : (struct str){0};

    if (!is_id(id))
        return error_fail(err, ERROR_INPUT, "%s: a comment without an id", name);
    return str_keep(id, arena, &out->id, err) &&
           str_keep(answer_text(map, "node_id"), arena, &out->node, err) &&
           str_keep(answer_text(map, "body"), arena, &out->body, err) &&
           str_keep(answer_text(map, "html_url"), arena, &out->url, err);
}

bool forge_page_parse(struct str text, const char *name, struct str marker, struct arena *arena,
                      struct forge_page *out, struct error *err)
{
    struct arena scratch = {.alloc = arena->alloc, .block_size = ARENA_BLOCK_SIZE};
    const struct node *root = json_read(text, name, &scratch, err);
    bool ok = root != NULL;
    size_t room = 0;

    *out = (struct forge_page){0};
    if (ok && root->kind != NODE_LIST)
        ok = error_fail(err, ERROR_INPUT, "%s: not a list of comments", name);
    for (const struct node *item = ok ? root->first : NULL; ok && item != NULL;
         item = item->next) {
        out->all++;
        if (item->kind == NODE_MAP && !str_starts(answer_text(item, "body"), marker))
            continue;
        out->at = arena_grow(arena, out->at, out->count, sizeof out->at[0], &room, err);
        ok = out->at != NULL && read_comment(item, name, arena, &out->at[out->count], err);
        out->count += ok;
    }
    arena_free(&scratch);
    return ok;
}

/* ---- requests ---- */

struct forge_call {
    const struct http_client *client;
    const struct forge_pull *pull;
    struct arena *arena;
    struct str marker;
    char bearer[CREDENTIAL_MAX + 16];
};

/* One request, and its answer's text. `status`: of a failure too, -1 when it was stopped. */
static bool forge_ask(struct forge_call *call, struct http_request request, struct str *text,
                      bool *next, int *status, struct error *err)
{
    const struct forge *forge = &forges[call->pull->kind];
    bool github = call->pull->kind == FORGE_GITHUB;
    const struct http_header headers[] = {
        {github ? "Authorization" : "PRIVATE-TOKEN", github ? call->bearer : call->pull->token,
         true},
        {"Accept", github ? "application/vnd.github+json" : "application/json", false},
        {"X-GitHub-Api-Version", "2022-11-28", false},
    };
    struct http_response response = {.fd = -1};
    bool ok;

    request.headers = headers;
    request.header_count = github ? 3 : 2;
    request.content_type = "application/json";
    request.max_body = MAX_ANSWER;
    request.watch = "Link:";
    request.refused = credentials_where(forge->credentials);
    ok = http_get(call->client, &request, &response, err);
    *status = response.stopped ? -1 : response.status;
    if (next != NULL)
        *next = strstr(response.watched, "rel=\"next\"") != NULL;
    *text = (struct str){0};
    if (ok && response.fd >= 0)
        ok = fs_read_from(response.fd, request.url, MAX_ANSWER, call->arena, text, err);
    else if (!ok && response.status == 404)
        error_hint(err, "check that the %s exists and the token can read it", forge->pull);
    http_response_close(&response);
    return ok;
}

/* The address of the comments, or of one; with a NUL after it. */
static const char *comments_address(struct forge_call *call, struct str id, struct error *err)
{
    const struct forge_pull *pull = call->pull;
    struct buf address = buf_new(call->arena->alloc, MAX_ADDRESS);
    struct str text;

    buf_add(&address, pull->base);
    if (pull->kind == FORGE_GITLAB) {
        buf_adds(&address, "/projects/");
        url_encode(pull->repo, &address);
        buf_addf(&address, "/merge_requests/%lld/notes", (long long)pull->number);
    } else {
        buf_adds(&address, "/repos/");
        buf_add(&address, pull->repo);
        if (id.len > 0)
            buf_adds(&address, "/issues/comments");
        else
            buf_addf(&address, "/issues/%lld/comments", (long long)pull->number);
    }
    if (id.len > 0) {
        buf_char(&address, '/');
        buf_add(&address, id);
    }
    buf_char(&address, '\0');
    return buf_keep(&address, call->arena, &text, err) ? text.at : NULL;
}

/* {"body": TEXT}. */
static bool body_json(struct str body, struct arena *arena, struct str *out, struct error *err)
{
    struct buf text = buf_new(arena->alloc, BUF_MAX_OUTPUT);

    buf_adds(&text, "{\"body\":");
    json_write_text(body, &text);
    buf_char(&text, '}');
    return buf_keep(&text, arena, out, err);
}

/* ---- the comments that are there ---- */

struct forge_comments {
    struct forge_comment *at;
    size_t count, room;
};

static bool add_page(struct forge_call *call, struct str text, const char *address,
                     struct forge_comments *out, size_t *all, struct error *err)
{
    struct forge_page page;

    if (!forge_page_parse(text, address, call->marker, call->arena, &page, err)) {
        err->kind = err->kind == ERROR_INPUT ? ERROR_FAILED : err->kind;
        return false;
    }
    for (size_t i = 0; i < page.count; i++) {
        out->at =
            arena_grow(call->arena, out->at, out->count, sizeof out->at[0], &out->room, err);
        if (out->at == NULL)
            return false;
        out->at[out->count++] = page.at[i];
    }
    *all = page.all;
    return true;
}

/* All comments with the marker, the oldest first. A page that is full may be followed by
 * another even where the server does not link to it. */
static bool list_comments(struct forge_call *call, struct forge_comments *out,
                          struct error *err)
{
    const char *address = comments_address(call, (struct str){0}, err);
    bool gitlab = call->pull->kind == FORGE_GITLAB;

    *out = (struct forge_comments){0};
    if (address == NULL)
        return false;
    for (int page = 1; page <= MAX_PAGES; page++) {
        char number[16];
        struct http_parameter parameters[] = {{STR("per_page"), STR("100")},
                                              {STR("page"), {number, 0}},
                                              {STR("order_by"), STR("created_at")},
                                              {STR("sort"), STR("asc")}};
        struct http_request request = {
            .url = address, .parameters = parameters, .parameter_count = gitlab ? 4 : 2};
        struct str text;
        bool next;
        size_t all;
        int status;

        parameters[1].value.len = (size_t)snprintf(number, sizeof number, "%d", page);
        if (!forge_ask(call, request, &text, &next, &status, err) ||
            !add_page(call, text, address, out, &all, err))
            return false;
        if (all == 0 || (!next && all < PAGE))
            return true;
    }
    return error_fail(err, ERROR_FAILED, "%s: more than %d comments", address,
                      MAX_PAGES * PAGE);
}

/* ---- changes ---- */

/* GitLab does not say where a note is seen. */
static bool note_address(struct forge_call *call, struct str id, struct str *out,
                         struct error *err)
{
    struct str base = call->pull->base;
    struct buf text = buf_new(call->arena->alloc, MAX_ADDRESS);

    if (call->pull->kind != FORGE_GITLAB || !str_ends(base, STR("/api/v4")))
        return true;
    buf_add(&text, (struct str){base.at, base.len - 7});
    buf_char(&text, '/');
    buf_add(&text, call->pull->repo);
    buf_addf(&text, "/-/merge_requests/%lld#note_", (long long)call->pull->number);
    buf_add(&text, id);
    return buf_keep(&text, call->arena, out, err);
}

/* The comment that an answer describes. */
static bool take_comment(struct forge_call *call, struct str text, const char *address,
                         struct forge_outcome *out, struct error *err)
{
    const struct node *root = json_read(text, address, call->arena, err);
    struct forge_comment comment = {0};

    if (root == NULL || !read_comment(root, address, call->arena, &comment, err)) {
        err->kind = err->kind == ERROR_INPUT ? ERROR_FAILED : err->kind;
        return false;
    }
    out->id = comment.id;
    out->url = comment.url;
    return out->url.len > 0 || note_address(call, out->id, &out->url, err);
}

static bool change_comment(struct forge_call *call, const struct forge_comment *comment,
                           struct str body, struct forge_outcome *out, struct error *err)
{
    struct http_request request = {.method = forges[call->pull->kind].change};
    struct str text;
    int status;

    request.url = comments_address(call, comment->id, err);
    return request.url != NULL && body_json(body, call->arena, &request.body, err) &&
           forge_ask(call, request, &text, NULL, &status, err) &&
           (out == NULL || take_comment(call, text, request.url, out, err));
}

/* Was it posted although the answer was lost? `before`: those that were there. */
static bool find_posted(struct forge_call *call, const struct forge_comments *before,
                        struct str body, bool *found, struct forge_outcome *out,
                        struct error *err)
{
    struct forge_comments now;

    *found = false;
    if (!list_comments(call, &now, err))
        return false;
    for (size_t i = 0; i < now.count; i++) {
        bool known = !same_text(now.at[i].body, body);

        for (size_t j = 0; j < before->count; j++)
            known = known || str_eq(before->at[j].id, now.at[i].id);
        if (known)
            continue;
        *found = true;
        out->id = now.at[i].id;
        out->url = now.at[i].url;
        return out->url.len > 0 || note_address(call, out->id, &out->url, err);
    }
    return true;
}

/* Post it once: a failure that leaves it open whether it was is looked into before another
 * try. */
static bool post_comment(struct forge_call *call, const struct forge_comments *before,
                         struct str body, struct forge_outcome *out, struct error *err)
{
    struct http_request request = {.once = true};
    span wait = call->client->manners->wait;

    request.url = comments_address(call, (struct str){0}, err);
    if (request.url == NULL || !body_json(body, call->arena, &request.body, err))
        return false;
    out->action = FORGE_CREATED;
    for (int tries = 1;; tries++, wait.ns *= 2) {
        struct error lost = {0};
        struct str text;
        bool found;
        int status;

        if (forge_ask(call, request, &text, NULL, &status, &lost) &&
            take_comment(call, text, request.url, out, &lost))
            return true;
        if (status < 0 || (status >= 300 && status < 500)) {
            *err = lost;
            return false;
        }
        if (!http_sleep(call->client, wait) ||
            !find_posted(call, before, body, &found, out, err))
            return false;
        if (found)
            return true;
        if (tries == MAX_POSTS) {
            *err = lost;
            return false;
        }
    }
}

static bool delete_comment(struct forge_call *call, const struct forge_comment *comment,
                           struct error *err)
{
    struct http_request request = {.method = "DELETE"};
    struct str text;
    int status;

    request.url = comments_address(call, comment->id, err);
    if (request.url == NULL)
        return false;
    return forge_ask(call, request, &text, NULL, &status, err) || status == 404;
}

/* ---- hiding ---- */

/* "https://api.github.com/graphql"; of one's own server ".../api/graphql" beside
 * ".../api/v3". */
static bool graphql_address(struct forge_call *call, struct str *out, struct error *err)
{
    struct str base = call->pull->base;
    struct buf address = buf_new(call->arena->alloc, MAX_ADDRESS);

    if (str_ends(base, STR("/api/v3")))
        base.len -= 3;
    buf_add(&address, base);
    buf_adds(&address, "/graphql");
    buf_char(&address, '\0');
    return buf_keep(&address, call->arena, out, err);
}

/* A refusal comes as a good answer with "errors" in it. */
static bool check_graphql(struct str text, const char *address, struct arena *arena,
                          struct error *err)
{
    const struct node *root = json_read(text, address, arena, err), *errors;

    if (root == NULL)
        return false;
    errors = root->kind == NODE_MAP ? node_get(root, STR("errors")) : NULL;
    if (errors == NULL || errors->first == NULL)
        return true;
    return error_fail(err, ERROR_FAILED, "%s: %.*s", address,
                      STR_ARG(errors->first->kind == NODE_MAP
                                  ? answer_text(errors->first, "message")
                                  : STR("refused")));
}

static bool minimize_comment(struct forge_call *call, const struct forge_comment *comment,
                             struct error *err)
{
    struct buf body = buf_new(call->arena->alloc, MAX_ADDRESS);
    struct http_request request = {0};
    struct str address, text;
    int status;

    buf_adds(&body, "{\"query\":\"mutation($id:ID!){minimizeComment(input:{subjectId:$id,"
                    "classifier:OUTDATED}){minimizedComment{isMinimized}}}\","
                    "\"variables\":{\"id\":");
    json_write_text(comment->node, &body);
    buf_adds(&body, "}}");
    if (!buf_keep(&body, call->arena, &request.body, err) ||
        !graphql_address(call, &address, err))
        return false;
    request.url = address.at;
    return forge_ask(call, request, &text, NULL, &status, err) &&
           check_graphql(text, request.url, call->arena, err);
}

/* GitLab has nothing to hide a note with: it is folded up, and loses its marker. */
static bool fold_comment(struct forge_call *call, const struct forge_comment *comment,
                         struct error *err)
{
    struct buf body = buf_new(call->arena->alloc, BUF_MAX_OUTPUT);
    struct str old = comment->body, text, marker = str_cut(&old, '\n');

    if (marker.len > sizeof MARKER_END - 1)
        marker.len -= sizeof MARKER_END - 1;
    buf_add(&body, marker);
    buf_adds(&body, ":old" MARKER_END
                    "\n<details><summary>Superseded by a newer comment</summary>\n\n");
    buf_add(&body, old);
    buf_adds(&body, "\n\n</details>\n");
    return buf_keep(&body, call->arena, &text, err) &&
           change_comment(call, comment, text, NULL, err);
}

static bool hide_comment(struct forge_call *call, const struct forge_comment *comment,
                         struct error *err)
{
    return call->pull->kind == FORGE_GITHUB ? minimize_comment(call, comment, err)
                                            : fold_comment(call, comment, err);
}

/* Earlier comments, when the new one is there: a failure is no failure of the new one. */
static bool retire_comments(struct forge_call *call, const struct forge_comments *before,
                            enum forge_behavior behavior, struct forge_outcome *out,
                            struct error *err)
{
    struct error problem = {0};

    for (size_t i = 0; i < before->count && problem.kind == ERROR_NONE; i++) {
        bool hide = behavior == FORGE_HIDE_AND_NEW;

        if (hide ? hide_comment(call, &before->at[i], &problem)
                 : delete_comment(call, &before->at[i], &problem)) {
            out->hidden += hide;
            out->deleted += !hide;
            problem = (struct error){0};
        }
    }
    if (problem.kind == ERROR_MEMORY)
        return error_memory(err);
    return str_keep(str_from(problem.text), call->arena, &out->problem, err);
}

/* ---- all of it ---- */

static bool bring_about(struct forge_call *call, const struct forge_wish *wish,
                        struct forge_outcome *out, struct error *err)
{
    const struct forge_comment *newest;
    struct forge_comments before;

    if (!list_comments(call, &before, err))
        return false;
    newest = before.count > 0 ? &before.at[before.count - 1] : NULL;
    if (newest != NULL && wish->only_if_changed && same_text(newest->body, wish->body)) {
        out->action = FORGE_UNCHANGED;
        out->id = newest->id;
        out->url = newest->url;
        return out->url.len > 0 || note_address(call, out->id, &out->url, err);
    }
    if (newest != NULL && wish->behavior == FORGE_UPDATE) {
        out->action = FORGE_UPDATED;
        return change_comment(call, newest, wish->body, out, err);
    }
    if (!post_comment(call, &before, wish->body, out, err))
        return false;
    if (wish->behavior != FORGE_HIDE_AND_NEW && wish->behavior != FORGE_DELETE_AND_NEW)
        return true;
    return retire_comments(call, &before, wish->behavior, out, err);
}

bool forge_comment(const struct http_client *client, const struct forge_pull *pull,
                   const struct forge_wish *wish, struct arena *arena,
                   struct forge_outcome *out, struct error *err)
{
    struct forge_call call = {
        .client = client, .pull = pull, .arena = arena, .marker = body_marker(wish->body)};
    bool ok;

    *out = (struct forge_outcome){0};
    (void)snprintf(call.bearer, sizeof call.bearer, "Bearer %s", pull->token);
    ok = forge_pull_check(pull, err) && bring_about(&call, wish, out, err);
    explicit_bzero(&call, sizeof call);
    return ok;
}
