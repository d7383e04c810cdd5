/* From a request to an answer: the surroundings of a `make` function. */
#include "serve/internal.h"

#include <string.h>

#include "base/hash.h"
#include "doc/json_write.h"
#include "serve/page.h"

#define NOTES_HEADER ((size_t)4096) /* bytes of the header with notes */

/* Leave a place out of a text, with what is below it: "the ledger '/var/lib/...': busy" is "the
 * ledger: busy", "/etc/stint/offers.csv: line 3" is "offers.csv: line 3". */
static bool hide_one(struct str place, char *text)
{
    char *at;
    bool found = false;

    while (place.len > 1 && (at = memmem(text, strlen(text), place.at, place.len)) != NULL) {
        bool quoted = at > text + 1 && at[-1] == '\'' && at[-2] == ' ';
        char *after = at + place.len, *end = quoted ? strchr(after, '\'') : NULL;

        if (end != NULL) {
            at -= 2;
            after = end + 1;
        } else if (*after == '/') {
            after++;
        }
        memmove(at, after, strlen(after) + 1);
        found = true;
    }
    return found;
}

/* Where things are on the server. */
static bool hide_place(const struct server *s, char *text)
{
    bool found = false;

    for (size_t i = 0; i < SERVE_HIDDEN; i++)
        found = hide_one(s->hidden[i], text) || found;
    return found;
}

/* What a database says when it is not reached names its address, user and database. */
static void hide_ledger_address(char *text)
{
    static const char begin[] = "cannot open the ledger";
    size_t len = sizeof begin - 1;

    if (strncmp(text, begin, len) == 0)
        memcpy(text + len, ": its database does not answer",
               sizeof ": its database does not answer");
}

struct error visit_shown(const struct server *s, const struct error *err)
{
    struct error shown = *err;
    bool found = hide_place(s, shown.text), server = s->place_is_server;

    if (found && server)
        hide_ledger_address(shown.text);
    if (str_starts(str_from(shown.text), STR("--")))
        memmove(shown.text, shown.text + 2, strlen(shown.text + 2) + 1);
    if (hide_place(s, shown.hint) || (found && server)) /* it says what to do there */
        shown.hint[0] = '\0';
    return shown;
}

static void collect_note(void *ctx, enum message_kind kind, const char *text)
{
    struct visit *v = ctx;
    struct error ignored;
    char *kept;

    if (v->note_count == SERVE_NOTES)
        return;
    kept = str_dup(str_from(text), &v->arena, &ignored);
    if (kept == NULL)
        return;
    (void)hide_place(v->server, kept);
    v->note_kinds[v->note_count] = kind;
    v->notes[v->note_count++] = str_from(kept);
}

/* The status that fits the kind of an error. */
static int status_of(enum error_kind kind)
{
    switch (kind) {
    case ERROR_USAGE:
    case ERROR_INPUT:
        return 400;
    case ERROR_ABSENT:
        return 404;
    case ERROR_GUARD:
        return 403;
    case ERROR_UNFIT:
        return 422;
    case ERROR_MEMORY:
    case ERROR_AWAY:
    case ERROR_STOPPED:
        return 503;
    case ERROR_NONE:
    case ERROR_FAILED:
    case ERROR_SYSTEM:
    case ERROR_DAMAGED:
        break;
    }
    return 500;
}

static void add_header(struct http_reply *reply, const char *name, const char *value)
{
    if (value != NULL && reply->header_count < HTTP_HEADERS)
        reply->headers[reply->header_count++] = (struct http_header){name, value};
}

/* When it may work: a wrong token too many is forgotten after a minute. */
static const char *retry_after_text(int status)
{
    return status == 429 ? "60" : status == 503 ? "2" : NULL;
}

static void add_status_headers(struct http_reply *reply)
{
    add_header(reply, "Retry-After", retry_after_text(reply->status));
    add_header(reply, "WWW-Authenticate",
               reply->status == 401 ? "Bearer realm=\"stint\"" : NULL);
}

/* Headers that every answer has: nothing of ours is framed, sniffed, kept by a proxy or shown
 * to others. */
static void add_usual_headers(struct http_reply *reply, const struct server *s,
                              const char *keep)
{
    add_header(reply, "X-Content-Type-Options", "nosniff");
    add_header(reply, "Referrer-Policy", "same-origin");
    add_header(reply, "Content-Security-Policy", PAGE_POLICY);
    add_header(reply, "Cross-Origin-Resource-Policy", "same-origin");
    add_header(reply, "Cache-Control", keep != NULL ? keep : "no-store");
    if (s->request.key.len > 0)
        add_header(reply, "Strict-Transport-Security", "max-age=31536000");
}

/* Notes and warnings as one header: a JSON array in ASCII. What does not fit is left out. */
const char *visit_notes(struct visit *v)
{
    struct buf all = buf_new(&alloc_system, 2 * NOTES_HEADER), one = all;
    struct error ignored;
    const char *kept;

    for (size_t i = 0; i < v->note_count; i++) {
        buf_clear(&one);
        buf_addf(&one, "{\"kind\":\"%s\",\"text\":",
                 v->note_kinds[i] == MESSAGE_WARNING ? "warning" : "note");
        json_write_ascii(v->notes[i], &one);
        buf_char(&one, '}');
        if (!buf_ok(&one, &ignored) || all.len + one.len > NOTES_HEADER)
            continue;
        buf_char(&all, all.len == 0 ? '[' : ',');
        buf_add(&all, buf_text(&one));
    }
    buf_char(&all, ']');
    kept = all.len > 1 && buf_ok(&all, &ignored) ? str_dup(buf_text(&all), &v->arena, &ignored)
                                                 : NULL;
    buf_free(&one);
    buf_free(&all);
    return kept;
}

static struct http_answer *visit_answer(struct visit *v)
{
    struct http_reply reply = {.status = v->status, .body = buf_text(&v->out)};
    char etag[HTTP_ETAG];

    if (v->route != NULL && v->route->fresh.ns > 0 && v->status == 200) {
        (void)snprintf(etag, sizeof etag, "\"%016llx\"",
                       (unsigned long long)text_hash(1, reply.body));
        reply.etag = etag;
    }
    if (v->route != NULL && !v->route->page && v->route->scope != TOKEN_NONE)
        add_header(&reply, "Stint-Notes", visit_notes(v));

    add_header(&reply, "Content-Type", v->type);
    add_header(&reply, "Location", v->location);
    add_header(&reply, "Set-Cookie", v->cookie);
    add_header(&reply, "Content-Disposition", v->file);
    add_header(&reply, "Allow", v->allow);
    add_status_headers(&reply);
    add_usual_headers(&reply, v->server, v->keep);
    /* cppcheck-suppress returnDanglingLifetime ; the answer is a copy */
    return v->server->http->answer(&reply);
}

static void write_failure(struct visit *v, bool page, const struct error *err)
{
    struct error shown = visit_shown(v->server, err);

    buf_clear(&v->out);
    if (page) {
        v->type = "text/html; charset=utf-8";
        page_error(v, &shown);
    } else {
        v->type = "application/json";
        op_write_error(&shown, &v->out);
        buf_char(&v->out, '\n');
    }
}

void visit_begin(struct visit *v, struct server *s)
{
    *v = (struct visit){.server = s,
                        .arena = {.alloc = &v->running.alloc, .block_size = ARENA_BLOCK_SIZE},
                        .status = 200,
                        .type = "application/json",
                        .out = buf_new(&alloc_system, SERVE_ANSWER)};
    running_prepare(s, &v->running);
    v->ctx = op_apart(&s->ctx, &v->arena, true);
    v->ctx.messages = (struct messages){.show = collect_note, .ctx = v};
    v->ctx.watch.progress = NULL;
    v->ctx.watch.stopped = stop_asked;
    v->ctx.remote = true;
}

void visit_for(struct visit *v, const struct caller *caller)
{
    struct error ignored;
    struct buf by = buf_new(&alloc_system, TOKEN_NAME + 16);

    v->caller = *caller;
    v->ctx.team = str_from(v->caller.team);
    buf_addf(&by, "token %s", caller->name);
    if (caller->token[0] == '\0' || !buf_keep(&by, &v->arena, &v->ctx.by, &ignored)) {
        v->ctx.by = STR("sign-in link");
        buf_free(&by);
    }
}

void visit_end(struct visit *v)
{
    op_done(&v->ctx);
    buf_free(&v->out);
    arena_free(&v->arena);
}

static struct http_answer *visit_finish(struct visit *v)
{
    struct error ignored;
    struct http_answer *answer = buf_ok(&v->out, &ignored) ? visit_answer(v) : NULL;

    visit_end(v);
    return answer;
}

bool visit_is_form(const struct visit *v)
{
    struct str body = v->request != NULL ? str_trim(v->request->body) : (struct str){0};

    return body.len > 0 && body.at[0] != '{' &&
           str_starts(v->server->http->header(v->request, "Content-Type", NULL),
                      STR("application/x-www-form-urlencoded"));
}

static bool visit_read(struct visit *v, struct error *err)
{
    const char *allow;

    if (route_find(str_from(v->route->method), v->path, &v->rest, &allow) == NULL)
        return error_fail(err, ERROR_ABSENT, "there is no such page");
    if (!params_read(v->query, &v->arena, &v->params, err) || v->request == NULL)
        return v->request == NULL && err->kind == ERROR_NONE;
    return !visit_is_form(v) || params_read(v->request->body, &v->arena, &v->params, err);
}

char visit_variant(const struct server *s, const struct route *route,
                   const struct http_request *request)
{
    return route->variant != NULL ? route->variant(s, request) : '\0';
}

static bool check_ledger(struct visit *v, struct error *err)
{
    if (v->route->scope == TOKEN_NONE || !atomic_load(&v->server->ledger_gone))
        return true;
    error_set(err, ERROR_AWAY, "the server's ledger is gone");
    error_hint(err, "put it back: the server sees it within a second");
    return false;
}

static const struct run_limits direct_limits = {
    .time = {10 * SECOND}, .bytes = (size_t)256 << 20, .threads = 1};

/* The status of what was ended. */
static int status_of_end(enum end_reason why)
{
    return why == END_TIME ? 504 : why == END_MEMORY ? 422 : why == END_TOKEN ? 401 : 503;
}

static bool visit_try(struct visit *v, struct error *err)
{
    return check_ledger(v, err) && visit_read(v, err) && v->route->make(v, err) &&
           buf_ok(&v->out, err) &&
           (!str_eq(str_from(v->route->method), STR("GET")) || stop_check(err));
}

/* It waited so long that whoever asked may have given up. */
#define WAIT_LONGEST (5 * SECOND)

static bool is_too_late(const struct asked *asked)
{
    return server_now().ns - asked->since.ns > WAIT_LONGEST;
}

struct http_answer *visit_make(struct server *s, const struct asked *asked, bool *good,
                               enum end_reason *why)
{
    struct visit v;
    struct error err = {0};
    bool ok;

    *good = false;
    *why = END_NONE;
    if (is_too_late(asked))
        return visit_busy(s);
    visit_begin(&v, s);
    v.route = asked->route;
    visit_for(&v, asked->caller);
    v.path = asked->path;
    v.query = asked->query;
    v.variant = asked->variant;
    v.request = asked->request;
    v.running.left = asked->left;
    v.running.left_ctx = asked->left_ctx;
    running_begin(s, &v.running, &direct_limits);
    ok = visit_try(&v, &err);
    *why = running_end(s, &v.running);
    if (!ok) {
        if (running_problem(*why, &direct_limits, &err))
            v.status = status_of_end(*why);
        else if (v.status < 400)
            v.status = status_of(err.kind);
        if (v.status >= 500)
            atomic_fetch_add_explicit(&s->failed, 1, memory_order_relaxed);
        write_failure(&v, v.route->page, &err);
    }
    *good = v.status == 200 && *why == END_NONE;
    return visit_finish(&v);
}

struct http_answer *visit_refuse(struct server *s, bool page, const struct caller *caller,
                                 int status, const char *allow, const struct error *err)
{
    struct visit v;

    atomic_fetch_add_explicit(&s->refused, 1, memory_order_relaxed);
    visit_begin(&v, s);
    if (caller != NULL)
        v.caller = *caller;
    v.status = status;
    v.allow = allow;
    write_failure(&v, page, err);
    return visit_finish(&v);
}

/* Parts of pages are made beside them, and may take longer. */
static const struct run_limits part_limits = {
    .time = {60 * SECOND}, .bytes = (size_t)512 << 20, .threads = 1};

bool visit_part(struct server *s, const char *team, const char *path,
                void (*write)(struct visit *v), struct buf *out)
{
    struct caller caller = {.scope = TOKEN_READ};
    struct error ignored;
    struct visit v;
    bool ok;

    str_copy(str_from(team), caller.team, sizeof caller.team);
    visit_begin(&v, s);
    visit_for(&v, &caller);
    v.path = str_from(path);
    running_begin(s, &v.running, &part_limits);
    write(&v);
    ok = running_end(s, &v.running) == END_NONE && buf_ok(&v.out, &ignored);
    buf_add(out, buf_text(&v.out));
    visit_end(&v);
    return ok && buf_ok(out, &ignored);
}

struct http_answer *visit_lead(struct server *s, const struct http_request *request)
{
    struct buf to = buf_new(&alloc_system, SERVE_ANSWER);
    struct visit v;

    visit_begin(&v, s);
    if (str_eq(request->method, STR("GET")) && !str_eq(request->path, STR("/"))) {
        buf_add(&to, request->path);
        buf_adds(&to, request->query.len > 0 ? "?" : "");
        buf_add(&to, request->query);
    }
    v.status = 303;
    v.location = page_address(&v, "/sign-in", "to", buf_text(&to));
    v.type = "text/plain; charset=utf-8";
    buf_free_part(&to, &v.out);
    return visit_finish(&v);
}

struct http_answer *visit_json(struct server *s, int status, struct str body)
{
    struct http_reply reply = {.status = status, .body = body};

    add_header(&reply, "Content-Type", "application/json");
    add_status_headers(&reply);
    add_usual_headers(&reply, s, NULL);
    /* cppcheck-suppress returnDanglingLifetime ; the answer is a copy */
    return s->http->answer(&reply);
}

struct http_answer *visit_fail(struct server *s, int status, const struct error *err)
{
    struct buf text = buf_new(&alloc_system, SERVE_ANSWER);
    struct error shown = visit_shown(s, err);
    struct http_answer *answer;

    if (status == 0)
        status = status_of(err->kind);
    atomic_fetch_add_explicit(status >= 500 ? &s->failed : &s->refused, 1,
                              memory_order_relaxed);
    op_write_error(&shown, &text);
    buf_char(&text, '\n');
    answer = text.failed == ERROR_NONE ? visit_json(s, status, buf_text(&text)) : NULL;
    buf_free(&text);
    return answer;
}

struct http_answer *visit_busy(struct server *s)
{
    static const char text[] =
        "{\"schema\":\"stint.error/1\",\"kind\":\"away\","
        "\"text\":\"too many requests wait: try again in a moment\",\"hint\":null}\n";

    atomic_fetch_add_explicit(&s->refused, 1, memory_order_relaxed);
    return visit_json(s, 503, STR(text));
}

bool visit_run(struct visit *v, const struct op *op, const void *request, void *result,
               struct error *err)
{
    return op_run(&v->ctx, op, request, result, err);
}
