#include "run/remote/receiver.h"

#include <inttypes.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/fs.h"
#include "doc/json_restore.h"
#include "ledger/runs/run_journal.h"
#include "net/http.h"
#include "net/url.h"
#include "run/supervise/supervise.h"

#define ANSWER_MOST 65536 /* bytes */
#define TOKEN_MOST 128
#define NAME_MOST 256
#define PARAMETERS 4

struct receiver {
    struct receiver_options o;
    char *address, *url, *certificates;
    char authorization[TOKEN_MOST + 8];
    struct http_session *session;
    atomic_bool abandoned; /* by another thread */
    struct arena kept;     /* the texts above */
    struct arena answer;   /* of the receipt */
    struct run_receipt receipt;
    uint64_t acknowledged; /* the last record that it has */
    bool others;           /* of an attempt whose receipts are not kept */
    span wait;
    char name[NAME_MOST]; /* of the budget that ends first, for the supervisor */
};

char *receiver_address(struct str text, bool unencrypted, struct arena *arena,
                       struct error *err)
{
    struct url url;

    while (text.len > 0 && text.at[text.len - 1] == '/')
        text.len--;
    if (!url_parse(text, &url, err) || url.query.len > 0) {
        error_set(err, ERROR_USAGE, "--to: this is not the address of a server");
        error_hint(err, "write https://costs.example.org:8712");
        return NULL;
    }
    if (!url.tls && !url_is_loopback(&url) && !unencrypted) {
        error_set(err, ERROR_USAGE,
                  "--to: plain http would send the token and the runs unencrypted to '%.*s'",
                  STR_ARG(url.host));
        error_hint(err, "write https://, or add --to-unencrypted on a trusted network only");
        return NULL;
    }
    return str_dup(text, arena, err);
}

/* ---- opening ---- */

static bool take_texts(struct receiver *r, const struct receiver_options *o, struct error *err)
{
    size_t room = strlen(o->address) + sizeof RECEIPT_PATH;

    r->address = str_dup(str_from(o->address), &r->kept, err);
    r->url = arena_array(&r->kept, char, room, err);
    if (r->address == NULL || r->url == NULL)
        return false;
    (void)snprintf(r->url, room, "%s" RECEIPT_PATH, o->address);
    if (o->certificates != NULL) {
        r->certificates = str_dup(str_from(o->certificates), &r->kept, err);
        if (r->certificates == NULL)
            return false;
    }
    if (strlen(o->token) >= TOKEN_MOST)
        return error_fail(err, ERROR_INPUT, "the token is too long to be one");
    (void)snprintf(r->authorization, sizeof r->authorization, "Bearer %s", o->token);
    return true;
}

struct receiver *receiver_open(const struct receiver_options *o, struct error *err)
{
    struct receiver *r = o->alloc->get(o->alloc->ctx, sizeof *r);

    if (r == NULL) {
        (void)error_memory(err);
        return NULL;
    }
    *r = (struct receiver){.o = *o,
                           .kept = {.alloc = o->alloc, .block_size = 1024},
                           .answer = {.alloc = o->alloc, .block_size = 4096}};
    if (!take_texts(r, o, err) || (r->session = http_session_open(err)) == NULL) {
        receiver_close(r);
        return NULL;
    }
    return r;
}

void receiver_close(struct receiver *r)
{
    if (r == NULL)
        return;
    http_session_close(r->session);
    explicit_bzero(r->authorization, sizeof r->authorization);
    arena_free(&r->answer);
    arena_free(&r->kept);
    r->o.alloc->put(r->o.alloc->ctx, r);
}

const char *receiver_name(const struct receiver *r)
{
    return r->address;
}

const struct run_receipt *receiver_receipt(const struct receiver *r)
{
    return &r->receipt;
}

span receiver_wait(const struct receiver *r)
{
    return r->wait;
}

void receiver_abandon(struct receiver *r)
{
    atomic_store(&r->abandoned, true);
}

static bool is_answer_wanted(void *ctx, uint64_t done, uint64_t total)
{
    struct receiver *r = ctx;

    (void)done;
    (void)total;
    return !atomic_load(&r->abandoned);
}

void receiver_next(struct receiver *r, bool others)
{
    r->acknowledged = 0;
    r->others = others;
}

/* ---- one post ---- */

/* No other try will end otherwise: what is sent, or who sends it, is wrong. */
static bool is_refusal(int status)
{
    return status >= 400 && status < 500 && status != 408 && status != 429;
}

static bool read_receipt(struct receiver *r, struct http_response *response, struct error *err)
{
    struct arena own = {.alloc = r->o.alloc, .block_size = 4096};
    struct run_receipt receipt = {0};
    struct str text;
    struct node *root;
    bool ok = fs_read_from(response->fd, r->address, ANSWER_MOST, &own, &text, err) &&
              (root = json_read(text, r->address, &own, err)) != NULL &&
              json_restore(&run_receipt_fields, root, r->address, &receipt, &own, err);

    if (ok && receipt.records > 0 && (uint64_t)receipt.records > r->acknowledged)
        r->acknowledged = (uint64_t)receipt.records;
    if (!ok || r->others) {
        arena_free(&own);
        return ok;
    }
    arena_free(&r->answer);
    r->answer = own;
    r->receipt = receipt;
    return true;
}

struct posted {
    struct http_parameter parameters[PARAMETERS];
    size_t count;
    char clock[24];
};

static void add_parameter(struct posted *p, struct str name, struct str value)
{
    p->parameters[p->count++] = (struct http_parameter){name, value};
}

static void set_parameters(const struct receiver *r, const struct receiver_begin *begin,
                           struct posted *p)
{
    *p = (struct posted){.count = 0};
    (void)snprintf(p->clock, sizeof p->clock, "%" PRId64, r->o.clock->today(r->o.clock->ctx).s);
    add_parameter(p, STR("clock"), str_from(p->clock));
    if (r->o.month_budget.nano != MONEY_UNKNOWN)
        add_parameter(p, STR("month"), STR("1"));
    if (begin != NULL && begin->begin)
        add_parameter(p, STR("begin"), STR("1"));
    if (begin != NULL && (begin->wanted.len > 0 || begin->resume))
        add_parameter(p, STR("resume"), begin->wanted.len > 0 ? begin->wanted : STR("name"));
}

/* The path is always the same: the address is enough. */
static void shorten(struct error *err)
{
    char *path = strstr(err->text, RECEIPT_PATH);

    if (path != NULL)
        memmove(path, path + strlen(RECEIPT_PATH), strlen(path + strlen(RECEIPT_PATH)) + 1);
}

/* The errors of the server's own budgets are those of ours. */
static void name_refusal(const struct receiver *r, int status, bool begin, struct error *err)
{
    if (status == 409)
        err->kind = ERROR_GUARD;
    if (status == 401 || status == 403)
        error_hint(err, "'stint token add NAME --scope write' on the server makes a token; put "
                        "it into STINT_TOKEN, or into a file that --to-token names");
    else if (begin && status == 404 && strstr(err->text, "there is no run") == NULL)
        error_hint(err, "is '%s' the address of 'stint serve'?", r->address);
}

static bool post(struct receiver *r, struct str body, const struct receiver_begin *begin,
                 bool *refused, struct error *err)
{
    span most = begin != NULL && begin->most.ns > 0 ? begin->most : (span){3 * SECOND};
    struct http_manners manners = {.tries = 1,
                                   .connect = most.ns < 2 * SECOND ? most : (span){2 * SECOND},
                                   .stall = {3 * SECOND},
                                   .attempt = most,
                                   .altogether = most};
    struct http_client client = {.alloc = r->o.alloc,
                                 .log = r->o.log,
                                 .manners = &manners,
                                 .session = r->session,
                                 .progress = is_answer_wanted,
                                 .progress_ctx = r};
    struct http_header headers[] = {{"Authorization", r->authorization, true}};
    struct posted with;
    struct http_request request = {.url = r->url,
                                   .stay = true,
                                   .plain_allowed = r->o.unencrypted,
                                   .certificates = r->certificates,
                                   .headers = headers,
                                   .header_count = 1,
                                   .body = body,
                                   .content_type = RECEIPT_TYPE,
                                   .max_body = ANSWER_MOST};
    struct http_response response;
    bool ok;

    set_parameters(r, begin, &with);
    request.parameters = with.parameters;
    request.parameter_count = with.count;
    ok = http_get(&client, &request, &response, err);
    *refused = !ok && is_refusal(response.status);
    r->wait = (span){response.retry_after > 0 && response.retry_after < 3600
                         ? response.retry_after * SECOND
                         : 0};
    if (response.stopped)
        error_set(err, ERROR_FAILED, "%s does not answer", r->address);
    else if (!ok)
        shorten(err);
    if (*refused)
        name_refusal(r, response.status, begin != NULL, err);
    ok = ok && read_receipt(r, &response, err);
    http_response_close(&response);
    return ok;
}

bool receiver_send(struct receiver *r, struct str start, struct str records,
                   const struct receiver_begin *begin, bool *refused, struct error *err)
{
    struct buf body = buf_new(r->o.alloc, RECEIPT_BODY);
    struct str some;
    uint64_t last, ignored;
    bool ok;

    *refused = false;
    do {
        some = run_journal_fit(records, r->acknowledged, RECEIPT_CHUNK, &last);
        buf_clear(&body);
        run_journal_put_head(&body);
        buf_add(&body, start);
        buf_add(&body, some);
        ok = buf_ok(&body, err) && post(r, buf_text(&body), begin, refused, err);
        if (ok && r->acknowledged < last)
            ok = error_fail(err, ERROR_FAILED, "%s: it does not have what it was sent",
                            r->address);
        begin = NULL;
    } while (ok && run_journal_fit(records, last, RECEIPT_CHUNK, &ignored).len > 0);
    buf_free(&body);
    return ok;
}

/* ---- budgets ---- */

/* How long `left` lasts: in what order budgets end, not when. */
static double receiver_time_left(usd left, usd_per_hour rate, usd_per_hour others)
{
    double own = rate.nano != MONEY_UNKNOWN ? (double)rate.nano : 0;

    return left.nano <= 0 ? (double)left.nano
                          : (double)left.nano / fmax(own + (double)others.nano, 1);
}

bool receiver_spent(void *receiver, struct ledger *none, const char *id, usd_per_hour rate,
                    struct shared_look *out, struct error *err)
{
    struct receiver *r = receiver;
    const struct run_receipt *a = &r->receipt;
    usd left = a->budget.remaining;
    bool stops = a->budget.limit.nano != MONEY_UNKNOWN && left.nano != MONEY_UNKNOWN;
    bool month =
        r->o.month_budget.nano != MONEY_UNKNOWN && a->month_spent.nano != MONEY_UNKNOWN;
    bool by_month = false; /* it ends first */

    (void)none;
    (void)id;
    if (!a->counted)
        return error_fail(err, ERROR_FAILED, "%s has not counted this run yet", r->address);
    *out = (struct shared_look){.limit = USD_UNKNOWN,
                                .others = a->budget.others,
                                .counted = true,
                                .recorded = a->budget.own};
    out->unknown = a->budget.unknown;
    if (month) {
        usd rest = usd_less(r->o.month_budget, a->month_spent);

        if (!stops || receiver_time_left(rest, rate, a->month_others) <
                          receiver_time_left(left, rate, a->budget.others)) {
            by_month = true;
            left = rest;
            out->others = a->month_others;
            out->recorded = a->month_own;
            out->unknown = a->month_unknown;
        }
    }
    if (!stops && !month)
        return true;
    str_copy(by_month ? STR("") : a->budget.name, r->name, sizeof r->name);
    out->limit = by_month ? r->o.month_budget : a->budget.limit;
    out->name = r->name[0] != '\0' ? r->name : NULL;
    out->spent = usd_less(out->limit, left);
    if (out->others.nano == MONEY_UNKNOWN)
        out->others.nano = 0;
    return true;
}

void receiver_take_answer(struct supervise_options *options)
{
    const struct run_receipt *receipt = receiver_receipt(options->receiver);
    struct ledger_start *start = options->start;
    struct shared_look look;
    struct error ignored;

    if (receipt->run.len == LEDGER_ID - 1)
        str_copy(receipt->run, start->id, sizeof start->id);
    options->receiver_attempt =
        receipt->attempt > 0 && receipt->attempt < 1000000 ? (int)receipt->attempt : 1;
    options->receiver_before = receipt->before_cost;
    options->receiver_budget = receipt->before_budget;
    options->month_later =
        !receiver_spent(options->receiver, NULL, start->id, start->rate, &look, &ignored);
    options->month_budget = options->month_later ? USD_UNKNOWN : look.limit;
    options->month_name = options->month_later ? NULL : look.name;
}
