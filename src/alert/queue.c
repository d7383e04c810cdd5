/* The queue of messages: taken one by one, sent, tried again, given up. */
#include "alert/queue.h"

#include <string.h>

#include "doc/json_restore.h"
#include "net/http.h"

#define MINUTE INT64_C(60)
#define STALE (5 * MINUTE) /* a try takes half a minute at most */
#define MOST 1000          /* messages at once */
/* At 0, 1, 6 and 21 minutes, then each hour: a day. */
#define MAX_TRIES 28
/* How long an alert is remembered after its end: a year, and what it is compared with. */
#define REMEMBERED (400 * SECONDS_PER_DAY)

static const struct field failure_fields[] = {
    FIELD(TEXT, alert_failure, channel, .help = "name of the channel"),
    FIELD(TEXT, alert_failure, title, .help = "title of the message"),
    FIELD(TEXT, alert_failure, answer, .help = "reason for the failure"),
    FIELD_AS("next_try", TIME, alert_failure, again,
             .help = "next retry, in UTC; null: given up"),
};
static const struct field_set failure_set = FIELD_SET(struct alert_failure, failure_fields);

static const struct field sent_fields[] = {
    FIELD(COUNT, alert_sent, sent, .help = "messages accepted by their receivers"),
    FIELD(COUNT, alert_sent, waiting, .help = "messages that failed and will be retried"),
    FIELD(COUNT, alert_sent, given_up, .help = "messages that failed for good"),
    FIELD(COUNT, alert_sent, postponed,
          .help = "messages postponed to the end of quiet hours, or to a digest"),
    FIELD(LIST, alert_sent, failures, .row = &failure_set, .help = "messages that failed"),
};
const struct field_set alert_sent_fields = FIELD_SET(struct alert_sent, sent_fields);

/* ---- messages in the ledger ---- */

/* A message as the ledger has it: written by ledger/alerts.c. */
struct snapshot {
    struct str id, dedup, kind, what, severity, title, words;
    int64_t began, ended;
    struct alert_detail detail;
};

static const struct field snapshot_fields[] = {
    FIELD(TEXT, snapshot, id, .help = "id of the message"),
    FIELD(TEXT, snapshot, dedup, .help = "key of the event"),
    FIELD(TEXT, snapshot, kind, .help = "kind of event"),
    FIELD(TEXT, snapshot, what, .help = "state: firing, update, resolved or acknowledged"),
    FIELD(TEXT, snapshot, severity, .help = "info, warning, error or critical"),
    FIELD(TEXT, snapshot, title, .help = "title, one line"),
    FIELD(TEXT, snapshot, words, .help = "text: a sentence or more"),
    FIELD(COUNT, snapshot, began, .help = "start, in seconds since 1970"),
    FIELD(COUNT, snapshot, ended, .help = "end, in seconds since 1970; null while it fires"),
    FIELD(RECORD, snapshot, detail, .row = &alert_detail_fields,
          .help = "details of the event"),
};
static const struct field_set snapshot_set = FIELD_SET(struct snapshot, snapshot_fields);

static bool what_parse(struct str name, enum alert_what *out)
{
    for (size_t i = 0; alert_what_names[i] != NULL; i++)
        if (str_eq(name, str_from(alert_what_names[i]))) {
            *out = (enum alert_what)i;
            return true;
        }
    return false;
}

bool alert_message_read(const struct ledger_delivery *d, struct arena *arena,
                        struct alert_message *out, struct error *err)
{
    struct snapshot s;
    const struct node *root = json_read(d->snapshot, "message", arena, err);

    if (root == NULL || !json_restore(&snapshot_set, root, "message", &s, arena, err))
        return false;
    *out = (struct alert_message){.id = s.id,
                                  .dedup = s.dedup,
                                  .type = s.kind,
                                  .title = s.title,
                                  .words = s.words,
                                  .facts = s.detail.facts.at,
                                  .fact_count = s.detail.facts.len,
                                  .scope = s.detail.scope,
                                  .budget = s.detail.budget,
                                  .link = s.detail.link,
                                  .began = {s.began},
                                  .ended = {s.ended}};
    if (what_parse(s.what, &out->what) && severity_parse(s.severity, &out->severity))
        return true;
    return error_fail(err, ERROR_INPUT, "a newer Stint wrote it");
}

static bool make_digest(const struct alert_message *messages, size_t count, stamp now,
                        struct arena *arena, struct alert_message *out, struct error *err)
{
    struct buf title = buf_new(arena->alloc, 200), id = buf_new(arena->alloc, 1000),
               words = buf_new(arena->alloc, BUF_MAX_OUTPUT);
    bool ok;

    *out = (struct alert_message){
        .what = ALERT_DIGEST, .type = STR("digest"), .began = now, .ended = {-1}};
    for (size_t i = 0; i < count; i++) {
        const struct alert_message *m = &messages[i];

        if (m->severity > out->severity)
            out->severity = m->severity;
        buf_addf(&words, "%s- [%s] ", i > 0 ? "\n" : "",
                 m->what == ALERT_RESOLVED ? "resolved" : severity_name(m->severity));
        buf_add(&words, m->title);
        if (m->words.len > 0) {
            buf_adds(&words, ". ");
            buf_add(&words, m->words);
        }
    }
    buf_addf(&title, "%zu alerts", count);
    buf_adds(&id, "digest.");
    buf_add(&id, count > 0 ? messages[0].id : STR("none"));
    ok = buf_keep(&title, arena, &out->title, err);
    ok = buf_keep(&id, arena, &out->id, err) && ok; /* all are freed */
    out->dedup = out->id;
    return buf_keep(&words, arena, &out->words, err) && ok;
}

/* ---- sending ---- */

struct delivery {
    const struct alert_sender *with;
    const struct channel *channels;
    size_t channel_count;
    struct http_client client;
    struct alert_sent *out;
    struct alert_failure *failures;
    size_t failure_room;
    stamp now; /* when the message at hand was taken; after a try, when that ended */
};

/* A receiver may take half a minute: the next message is taken after it. */
static void read_delivery_clock(struct delivery *w)
{
    w->now = w->with->clock->today(w->with->clock->ctx);
}

static bool goes_on(void *ctx, uint64_t done, uint64_t total)
{
    const struct delivery *w = ctx;

    (void)done;
    (void)total;
    return w->with->stopped == NULL || !w->with->stopped();
}

/* ---- failures ---- */

static stamp next_try(const struct delivery *w, const struct ledger_delivery *d,
                      const struct alert_outcome *outcome)
{
    static const int64_t waits[] = {MINUTE, 5 * MINUTE, 15 * MINUTE, 60 * MINUTE};
    const int64_t last = ARRAY_LEN(waits) - 1;
    int64_t nth = d->tries > last ? last : d->tries > 0 ? d->tries - 1 : 0;
    int64_t wait = waits[nth];
    int64_t asked = outcome->after.ns / INT64_C(1000000000);

    if (!outcome->retry || d->tries >= MAX_TRIES)
        return (stamp){-1};
    return (stamp){w->now.s + (asked > wait ? asked : wait)};
}

static bool add_failure(struct delivery *w, const struct ledger_delivery *d, struct str title,
                        const char *answer, stamp again, struct error *err)
{
    struct alert_failure *f;
    char *copy = str_dup(str_from(answer), w->with->arena, err);

    w->failures = arena_grow(w->with->arena, w->failures, w->out->failures.len,
                             sizeof *w->failures, &w->failure_room, err);
    if (w->failures == NULL)
        return false;
    w->out->failures.at = w->failures;
    f = &w->failures[w->out->failures.len++];
    *f = (struct alert_failure){
        .channel = d->channel, .title = title, .answer = str_from(copy), .again = again};
    return copy != NULL;
}

/* What became of one, for the ledger and the result. */
static bool record_outcome(struct delivery *w, const struct ledger_delivery *d, bool taken,
                           const struct alert_outcome *outcome, struct error *err)
{
    stamp again = !taken ? next_try(w, d, outcome) : (stamp){-1};

    if (taken)
        w->out->sent++;
    else if (again.s >= 0)
        w->out->waiting++;
    else
        w->out->given_up++;
    return ledger_delivery_told(w->with->ledger, d, taken, str_from(outcome->answer), w->now,
                                again, err);
}

static bool give_up_delivery(struct delivery *w, const struct ledger_delivery *d,
                             const char *why, struct error *err)
{
    struct alert_outcome outcome = {0};

    (void)snprintf(outcome.answer, sizeof outcome.answer, "%.190s", why);
    return record_outcome(w, d, false, &outcome, err) &&
           add_failure(w, d, (struct str){0}, why, (stamp){-1}, err);
}

/* A secret that is missing may be there the next time. */
static bool deliver_message(struct delivery *w, const struct channel *channel,
                            const struct alert_message *message, struct alert_outcome *outcome)
{
    struct open_channel open;
    struct error err = {0};
    bool taken = false;

    *outcome = (struct alert_outcome){.retry = true};
    if (channel_open(channel, w->with->arena, &open, &err)) {
        if (w->client.session == NULL)
            w->client.session = http_session_open(&err);
        if (w->client.session != NULL)
            taken = alert_send(&w->client, &open.to, message, w->now, outcome);
        channel_close(&open);
    }
    if (err.kind != ERROR_NONE)
        (void)snprintf(outcome->answer, sizeof outcome->answer, "%.190s", err.text);
    read_delivery_clock(w);
    return taken;
}

static bool send_one(struct delivery *w, const struct channel *channel,
                     const struct ledger_delivery *d, const struct alert_message *message,
                     struct error *err)
{
    struct alert_outcome outcome;
    bool taken = deliver_message(w, channel, message, &outcome);

    return record_outcome(w, d, taken, &outcome, err) &&
           (taken ||
            add_failure(w, d, message->title, outcome.answer, next_try(w, d, &outcome), err));
}

/* All messages that are due for the channel, as one. */
static bool send_digest(struct delivery *w, const struct channel *channel,
                        const struct ledger_delivery *first,
                        const struct alert_message *message, struct error *err)
{
    const struct ledger_delivery *more;
    struct alert_message *all, digest;
    struct alert_outcome outcome;
    size_t count, read = 1;
    bool taken;

    if (!ledger_delivery_take_more(w->with->ledger, first, w->now, w->with->arena, &more,
                                   &count, err))
        return false;
    if (count == 0)
        return send_one(w, channel, first, message, err);
    all = arena_array(w->with->arena, struct alert_message, count + 1, err);
    if (all == NULL)
        return false;
    all[0] = *message;
    for (size_t i = 0; i < count; i++) {
        struct error ignored = {0};

        read += alert_message_read(&more[i], w->with->arena, &all[read], &ignored);
        if (ignored.kind == ERROR_MEMORY)
            return error_memory(err);
    }
    if (!make_digest(all, read, w->now, w->with->arena, &digest, err))
        return false;
    taken = deliver_message(w, channel, &digest, &outcome);
    if (!record_outcome(w, first, taken, &outcome, err))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!record_outcome(w, &more[i], taken, &outcome, err))
            return false;
    return taken || add_failure(w, first, digest.title, outcome.answer,
                                next_try(w, first, &outcome), err);
}

static bool postpone(struct delivery *w, const struct ledger_delivery *d, const char *why,
                     stamp until, struct error *err)
{
    w->out->postponed++;
    return ledger_delivery_postpone(w->with->ledger, d, str_from(why), until, err);
}

static bool deliver_one(struct delivery *w, const struct ledger_delivery *d, struct error *err)
{
    struct alert_message message;
    const struct channel *channel;
    struct error problem = {0};
    bool critical;
    stamp until;

    channel = channel_find(w->channels, w->channel_count, d->channel, &problem);
    if (channel == NULL || !alert_message_read(d, w->with->arena, &message, &problem))
        return problem.kind == ERROR_MEMORY ? error_memory(err)
                                            : give_up_delivery(w, d, problem.text, err);
    critical = message.severity == SEVERITY_CRITICAL;
    if (channel->digest.any && !critical) {
        if (d->made.s >= digest_last(&channel->digest, w->now).s)
            return postpone(w, d, "waits for the digest", digest_next(&channel->digest, w->now),
                            err);
        return send_digest(w, channel, d, &message, err);
    }
    if (quiet_now(&channel->quiet, w->now, &until) &&
        (!critical || channel->settings.quiet_all))
        return postpone(w, d, "waits for the end of quiet hours", until, err);
    return send_one(w, channel, d, &message, err);
}

/* What becomes due meanwhile is for the next call: dead channels would keep it busy forever. */
static bool deliver_due(struct delivery *w, struct error *err)
{
    stamp began = w->now;

    for (int i = 0; i < MOST && goes_on(w, 0, 0); i++) {
        struct ledger_delivery d;
        struct ledger_due due;
        bool found;

        read_delivery_clock(w);
        due = (struct ledger_due){began, {w->now.s - STALE}};
        if (!ledger_delivery_take(w->with->ledger, &due, w->now, w->with->arena, &d, &found,
                                  err))
            return false;
        if (!found)
            break;
        if (!deliver_one(w, &d, err))
            return false;
    }
    return true;
}

static struct http_client client_of(const struct alert_sender *with)
{
    return (struct http_client){
        .alloc = with->arena->alloc, .log = with->log, .manners = &alert_manners};
}

bool alert_deliver(const struct alert_sender *with, struct alert_sent *out, struct error *err)
{
    struct delivery w = {.with = with, .out = out, .client = client_of(with)};
    bool ok;

    *out = (struct alert_sent){0};
    w.client.progress = goes_on;
    w.client.progress_ctx = &w;
    read_delivery_clock(&w);
    ok = channels_read(with->ledger, with->arena, &w.channels, &w.channel_count, err) &&
         deliver_due(&w, err) &&
         ledger_alerts_forget(with->ledger, (stamp){w.now.s - REMEMBERED}, err);
    http_session_close(w.client.session);
    return ok;
}

bool alert_send_now(const struct alert_sender *with, const struct channel *channel,
                    const struct alert_message *message, struct str *answer, struct error *err)
{
    struct http_client client = client_of(with);
    stamp now = with->clock->today(with->clock->ctx);
    struct alert_outcome outcome = {0};
    struct open_channel open;
    char *copy;
    bool sent;

    if (!channel_open(channel, with->arena, &open, err))
        return false;
    sent = alert_send(&client, &open.to, message, now, &outcome);
    channel_close(&open);
    if (!sent)
        return error_fail(err, ERROR_FAILED, "'%.*s' did not accept it: %s",
                          STR_ARG(channel->name), outcome.answer);
    copy = str_dup(str_from(outcome.answer), with->arena, err);
    *answer = str_from(copy);
    return copy != NULL;
}

bool alert_send_test(const struct alert_sender *with, const struct channel *channel,
                     struct str *answer, struct error *err)
{
    struct alert_message m = {.id = STR("test"),
                              .dedup = STR("stint/test"),
                              .type = STR("test"),
                              .what = ALERT_TEST,
                              .title = STR("A test of Stint"),
                              .words = STR("Alerts about money will come here."),
                              .began = with->clock->today(with->clock->ctx),
                              .ended = {-1}};
    struct error ignored;
    struct str second;

    if (!alert_send_now(with, channel, &m, answer, err))
        return false;
    m.what = ALERT_RESOLVED; /* a test must not stay open as an incident */
    if (channel->kind == ALERT_PAGERDUTY)
        (void)!alert_send_now(with, channel, &m, &second, &ignored);
    return true;
}
