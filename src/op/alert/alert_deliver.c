/* The queue of messages: taken one by one, sent, tried again, given up. */
#include <string.h>

#include "op/alert/alert_message.h"
#include "op/alert/alert_send.h"

#define MINUTE INT64_C(60)
#define STALE (5 * MINUTE) /* a try takes half a minute at most */
#define MOST 1000          /* messages at once: whoever has more has another problem */
/* At 0, 1, 6 and 21 minutes, then each hour: a day. */
#define MAX_TRIES 28
/* How long an alert is remembered after its end: a year, and what it is compared with. */
#define REMEMBERED (400 * SECONDS_PER_DAY)

static const struct field failure_fields[] = {
    FIELD(TEXT, alert_failure, channel, .help = "that was to be told"),
    FIELD(TEXT, alert_failure, title, .help = "of what"),
    FIELD(TEXT, alert_failure, answer, .help = "what came instead"),
    FIELD(TEXT, alert_failure, again, .help = "the next try, in UTC; null: it was given up"),
};
static const struct field_set failure_set = FIELD_SET(struct alert_failure, failure_fields);

static const struct field sent_fields[] = {
    FIELD(COUNT, alert_sent, sent, .help = "messages that were taken"),
    FIELD(COUNT, alert_sent, waiting, .help = "that did not work, and are tried again"),
    FIELD(COUNT, alert_sent, given_up, .help = "that did not work, and are not"),
    FIELD(COUNT, alert_sent, postponed, .help = "to the end of quiet hours, or a digest"),
    FIELD(LIST, alert_sent, failures, .row = &failure_set, .help = "what did not work"),
};
const struct field_set alert_sent_fields = FIELD_SET(struct alert_sent, sent_fields);

struct work {
    struct op_context *ctx;
    struct ledger *ledger;
    const struct channel *channels;
    size_t channel_count;
    struct http_client client;
    struct alert_sent *out;
    struct alert_failure *failures;
    size_t failure_room;
    stamp now; /* when the message at hand was taken; after a try, when that ended */
};

/* A receiver may take half a minute: what is taken after it is not taken before it. */
static void look_at_clock(struct work *w)
{
    w->now = w->ctx->clock->today(w->ctx->clock->ctx);
}

static bool go_on(void *ctx, uint64_t done, uint64_t total)
{
    const struct work *w = ctx;

    (void)done;
    (void)total;
    return w->ctx->stopped == NULL || !w->ctx->stopped();
}

/* ---- what did not work ---- */

static stamp next_try(const struct work *w, const struct ledger_delivery *d,
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

static bool remember(struct work *w, const struct ledger_delivery *d, struct str title,
                     const char *answer, stamp again, struct error *err)
{
    struct alert_failure *f;
    char *copy = str_dup(str_from(answer), w->ctx->arena, err);

    w->failures = arena_grow(w->ctx->arena, w->failures, w->out->failures.len,
                             sizeof *w->failures, &w->failure_room, err);
    if (w->failures == NULL)
        return false;
    w->out->failures.at = w->failures;
    f = &w->failures[w->out->failures.len++];
    *f =
        (struct alert_failure){.channel = d->channel, .title = title, .answer = str_from(copy)};
    return copy != NULL && ledger_when(again, w->ctx->arena, &f->again, err);
}

/* What became of one, told to the ledger. */
static bool settle(struct work *w, const struct ledger_delivery *d, bool taken,
                   const struct alert_outcome *outcome, struct error *err)
{
    stamp again = !taken ? next_try(w, d, outcome) : (stamp){-1};

    if (taken)
        w->out->sent++;
    else if (again.s >= 0)
        w->out->waiting++;
    else
        w->out->given_up++;
    return ledger_delivery_told(w->ledger, d, taken, str_from(outcome->answer), w->now, again,
                                err);
}

static bool give_up(struct work *w, const struct ledger_delivery *d, const char *why,
                    struct error *err)
{
    struct alert_outcome outcome = {0};

    (void)snprintf(outcome.answer, sizeof outcome.answer, "%.190s", why);
    return settle(w, d, false, &outcome, err) &&
           remember(w, d, (struct str){0}, why, (stamp){-1}, err);
}

/* ---- sending ---- */

/* A secret that cannot be had may be there the next time. */
static bool bring(struct work *w, const struct channel *channel,
                  const struct alert_message *message, struct alert_outcome *outcome)
{
    struct open_channel open;
    struct error err = {0};
    bool taken = false;

    *outcome = (struct alert_outcome){.retry = true};
    if (channel_open(w->ctx, channel, &open, &err)) {
        if (w->client.session == NULL)
            w->client.session = http_session_open(&err);
        if (w->client.session != NULL)
            taken = alert_send(&w->client, &open.to, message, w->now, outcome);
        channel_close(&open);
    }
    if (err.kind != ERROR_NONE)
        (void)snprintf(outcome->answer, sizeof outcome->answer, "%.190s", err.text);
    look_at_clock(w);
    return taken;
}

static bool send_one(struct work *w, const struct channel *channel,
                     const struct ledger_delivery *d, const struct alert_message *message,
                     struct error *err)
{
    struct alert_outcome outcome;
    bool taken = bring(w, channel, message, &outcome);

    return settle(w, d, taken, &outcome, err) &&
           (taken ||
            remember(w, d, message->title, outcome.answer, next_try(w, d, &outcome), err));
}

/* All that is due for the channel, in one message. */
static bool send_digest(struct work *w, const struct channel *channel,
                        const struct ledger_delivery *first,
                        const struct alert_message *message, struct error *err)
{
    const struct ledger_delivery *more;
    struct alert_message *all, digest;
    struct alert_outcome outcome;
    size_t count, read = 1;
    bool taken;

    if (!ledger_delivery_take_more(w->ledger, first, w->now, w->ctx->arena, &more, &count, err))
        return false;
    if (count == 0)
        return send_one(w, channel, first, message, err);
    all = arena_array(w->ctx->arena, struct alert_message, count + 1, err);
    if (all == NULL)
        return false;
    all[0] = *message;
    for (size_t i = 0; i < count; i++) {
        struct error ignored = {0};

        read += alert_message_read(w->ctx, &more[i], &all[read], &ignored);
        if (ignored.kind == ERROR_MEMORY)
            return error_memory(err);
    }
    if (!alert_message_digest(w->ctx, all, read, w->now, &digest, err))
        return false;
    taken = bring(w, channel, &digest, &outcome);
    if (!settle(w, first, taken, &outcome, err))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!settle(w, &more[i], taken, &outcome, err))
            return false;
    return taken ||
           remember(w, first, digest.title, outcome.answer, next_try(w, first, &outcome), err);
}

static bool postpone(struct work *w, const struct ledger_delivery *d, const char *why,
                     stamp until, struct error *err)
{
    w->out->postponed++;
    return ledger_delivery_postpone(w->ledger, d, str_from(why), until, err);
}

static bool handle(struct work *w, const struct ledger_delivery *d, struct error *err)
{
    struct alert_message message;
    const struct channel *channel;
    struct error problem = {0};
    bool critical;
    stamp until;

    channel = channel_find(w->channels, w->channel_count, d->channel, &problem);
    if (channel == NULL || !alert_message_read(w->ctx, d, &message, &problem))
        return problem.kind == ERROR_MEMORY ? error_memory(err)
                                            : give_up(w, d, problem.text, err);
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

/* What becomes due meanwhile is for the next time: dead channels would have no end. */
static bool handle_all(struct work *w, struct error *err)
{
    stamp began = w->now;

    for (int i = 0; i < MOST && go_on(w, 0, 0); i++) {
        struct ledger_delivery d;
        struct ledger_due due;
        bool found;

        look_at_clock(w);
        due = (struct ledger_due){began, {w->now.s - STALE}};
        if (!ledger_delivery_take(w->ledger, &due, w->now, w->ctx->arena, &d, &found, err))
            return false;
        if (!found)
            break;
        if (!handle(w, &d, err))
            return false;
    }
    return true;
}

bool op_alert_deliver(struct op_context *ctx, struct ledger *ledger, struct alert_sent *out,
                      struct error *err)
{
    struct work w = {.ctx = ctx,
                     .ledger = ledger,
                     .out = out,
                     .client = {.alloc = ctx->arena->alloc,
                                .log = ctx->messages.log,
                                .manners = &alert_manners,
                                .progress = go_on}};
    bool ok;

    *out = (struct alert_sent){0};
    w.client.progress_ctx = &w;
    look_at_clock(&w);
    ok = channels_read(ctx, ledger, &w.channels, &w.channel_count, err) &&
         handle_all(&w, err) &&
         ledger_alerts_forget(ledger, (stamp){w.now.s - REMEMBERED}, err);
    http_session_close(w.client.session);
    return ok;
}
