#include "comments.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_COMMENTS 2000
#define TOKEN "good-token"
#define GITHUB_PULL "/repos/acme/models/issues/12/comments"
#define GITHUB_COMMENT "/repos/acme/models/issues/comments/"
#define GITLAB_PULL "/api/v4/projects/acme%2Fmodels/merge_requests/7/notes"

/* A comment: its body is the text of JSON that was sent, with quotes. */
struct comment {
    long id;
    char *body;
    bool minimized;
};

static struct comment comments[MAX_COMMENTS];
static size_t comment_count;
static long last_id = 1000;
static bool is_open, is_gitlab;
static char *answer_text;

static void add_comment(const char *body, size_t len)
{
    struct comment *c = &comments[comment_count];

    if (comment_count == MAX_COMMENTS)
        fail("too many comments for", "the forge");
    c->id = ++last_id;
    c->minimized = false;
    c->body = strndup(body, len);
    if (c->body == NULL)
        fail("no memory for", "a comment");
    comment_count++;
}

void forge_open(const char *kind, int others)
{
    static const char reply[] = "\"> <!-- stint:cost -->\\n> quoted\""; /* not at the start */

    is_open = true;
    is_gitlab = strcmp(kind, "gitlab") == 0;
    for (int i = 0; i < others; i++)
        add_comment(reply, sizeof reply - 1);
}

/* ---- texts ---- */

static void start_text(FILE **to)
{
    static size_t size;

    free(answer_text);
    answer_text = NULL;
    *to = open_memstream(&answer_text, &size);
    if (*to == NULL)
        fail("no memory for", "an answer");
}

static void end_text(FILE *from, struct rule *out)
{
    (void)fclose(from);
    out->body = answer_text;
    out->body_len = strlen(answer_text);
}

static void refuse(int status, const char *message, struct rule *out)
{
    FILE *to;

    out->status = status;
    start_text(&to);
    (void)fprintf(to, "{\"message\":\"%s\"}", message);
    end_text(to, out);
}

static void put_comment(const struct comment *c, unsigned port, FILE *to)
{
    if (is_gitlab)
        (void)fprintf(to, "{\"id\":%ld,\"body\":%s,\"system\":false}", c->id, c->body);
    else
        (void)fprintf(to,
                      "{\"id\":%ld,\"node_id\":\"IC_%ld\",\"html_url\":"
                      "\"http://127.0.0.1:%u/acme/models/pull/12#issuecomment-%ld\","
                      "\"user\":{\"login\":\"bot\"},\"body\":%s}",
                      c->id, c->id, port, c->id, c->body);
}

/* ---- requests ---- */

static long query_number(const char *target, const char *name, long otherwise)
{
    const char *at = strchr(target, '?');
    size_t len = strlen(name);

    while (at != NULL) {
        at++;
        if (strncmp(at, name, len) == 0 && at[len] == '=')
            return strtol(at + len + 1, NULL, 10);
        at = strchr(at, '&');
    }
    return otherwise;
}

static void list(const struct request *req, unsigned port, struct rule *out)
{
    size_t size = (size_t)query_number(req->target, "per_page", is_gitlab ? 20 : 30);
    size_t page = (size_t)query_number(req->target, "page", 1), from;
    FILE *to;

    if (size < 1 || size > 100)
        size = 100;
    from = (page < 1 ? 0 : page - 1) * size;
    start_text(&to);
    (void)fputc('[', to);
    for (size_t i = from; i < comment_count && i < from + size; i++) {
        if (i > from)
            (void)fputc(',', to);
        put_comment(&comments[i], port, to);
    }
    (void)fputc(']', to);
    end_text(to, out);
    out->status = 200;
    if (from + size < comment_count)
        (void)snprintf(out->headers, sizeof out->headers,
                       "Link: <http://127.0.0.1:%u/x?page=%zu>; rel=\"next\", "
                       "<http://127.0.0.1:%u/x?page=9>; rel=\"last\"\r\n",
                       port, page + 1, port);
}

/* The text of JSON after {"body":. */
static bool sent_body(const struct request *req, const char **at, size_t *len)
{
    size_t all = strlen(req->body);

    if (all < 11 || strncmp(req->body, "{\"body\":\"", 9) != 0 || req->body[all - 1] != '}')
        return false;
    *at = req->body + 8;
    *len = all - 9;
    return true;
}

static void answer_comment(int status, const struct comment *c, unsigned port, struct rule *out)
{
    FILE *to;

    out->status = status;
    start_text(&to);
    put_comment(c, port, to);
    end_text(to, out);
}

static void post(const struct request *req, unsigned port, struct rule *out)
{
    const char *body;
    size_t len;

    if (!sent_body(req, &body, &len)) {
        refuse(422, "Validation Failed", out);
        return;
    }
    add_comment(body, len);
    answer_comment(201, &comments[comment_count - 1], port, out);
}

static void change(struct comment *c, const struct request *req, unsigned port,
                   struct rule *out)
{
    const char *body;
    size_t len;

    if (!sent_body(req, &body, &len)) {
        refuse(422, "Validation Failed", out);
        return;
    }
    free(c->body);
    c->body = strndup(body, len);
    if (c->body == NULL)
        fail("no memory for", "a comment");
    answer_comment(200, c, port, out);
}

static void delete_comment(struct comment *c, struct rule *out)
{
    size_t at = (size_t)(c - comments);

    free(c->body);
    memmove(c, c + 1, (comment_count - at - 1) * sizeof *c);
    comment_count--;
    out->status = 204;
}

static void one(const char *id, const struct request *req, unsigned port, struct rule *out)
{
    char *end;
    long wanted = strtol(id, &end, 10);

    for (size_t i = 0; *end == '\0' && i < comment_count; i++) {
        if (comments[i].id != wanted)
            continue;
        if (strcmp(req->method, is_gitlab ? "PUT" : "PATCH") == 0)
            change(&comments[i], req, port, out);
        else if (strcmp(req->method, "DELETE") == 0)
            delete_comment(&comments[i], out);
        else
            refuse(405, "Method Not Allowed", out);
        return;
    }
    refuse(404, "Not Found", out);
}

static void graphql(const struct request *req, struct rule *out)
{
    const char *id = strstr(req->body, "\"id\":\"IC_");
    long wanted = id == NULL ? 0 : strtol(id + 9, NULL, 10);
    FILE *to;

    out->status = 200;
    start_text(&to);
    for (size_t i = 0; strstr(req->body, "minimizeComment") != NULL && i < comment_count; i++)
        if (comments[i].id == wanted) {
            comments[i].minimized = true;
            (void)fputs("{\"data\":{\"minimizeComment\":{\"minimizedComment\":"
                        "{\"isMinimized\":true}}}}",
                        to);
            end_text(to, out);
            return;
        }
    (void)fputs("{\"data\":null,\"errors\":[{\"message\":\"Could not resolve to a node\"}]}",
                to);
    end_text(to, out);
}

/* A newline is as good as its number. */
static void put_text(const char *text, FILE *to)
{
    static const char newline[] = "\\u000a";
    const char *at;

    for (; (at = strstr(text, newline)) != NULL; text = at + sizeof newline - 1)
        (void)fprintf(to, "%.*s\\n", (int)(at - text), text);
    (void)fputs(text, to);
}

/* "ID body" a line, with a mark for what is hidden: what a reader sees. */
static void show(struct rule *out)
{
    FILE *to;

    out->status = 200;
    start_text(&to);
    for (size_t i = 0; i < comment_count; i++) {
        (void)fprintf(to, "%ld%s ", comments[i].id, comments[i].minimized ? " hidden" : "");
        put_text(comments[i].body, to);
        (void)fputc('\n', to);
    }
    end_text(to, out);
}

static bool allowed(const struct request *req)
{
    return strstr(req->text, is_gitlab ? "\r\nPRIVATE-TOKEN: " TOKEN "\r\n"
                                       : "\r\nAuthorization: Bearer " TOKEN "\r\n") != NULL;
}

bool forge_answer(const struct request *req, unsigned port, struct rule *out)
{
    const char *base = is_gitlab ? GITLAB_PULL : GITHUB_PULL;
    const char *single = is_gitlab ? GITLAB_PULL "/" : GITHUB_COMMENT;
    char path[8192];

    if (!is_open)
        return false;
    *out = (struct rule){.cut = -1, .length = -1};
    (void)snprintf(path, sizeof path, "%.*s", (int)strcspn(req->target, "?"), req->target);
    if (strcmp(path, "/comments") == 0)
        show(out);
    else if (!allowed(req))
        refuse(401, "Bad credentials", out);
    else if (strcmp(path, base) == 0 && strcmp(req->method, "GET") == 0)
        list(req, port, out);
    else if (strcmp(path, base) == 0 && strcmp(req->method, "POST") == 0)
        post(req, port, out);
    else if (strncmp(path, single, strlen(single)) == 0)
        one(path + strlen(single), req, port, out);
    else if (!is_gitlab && strcmp(path, "/graphql") == 0)
        graphql(req, out);
    else
        refuse(404, "Not Found", out);
    return true;
}
