#include "load/drive.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "load/join.h"
#include "unit/time.h"

#define CHECK_NS (SECOND / 4) /* between two looks at how precise it is */
#define LEAST_MEASURED_S 5.0  /* before it may end by being precise */
#define LEAST_ANSWERS 100     /* likewise */
#define HOPELESS 20           /* failures from the start without an answer: the run ends */
#define REFUSAL_MAX 4096      /* bytes of a refusal that are looked at */
#define BODY_MAX ((size_t)16 << 20)

const char *const load_outcome_names[LOAD_OUTCOMES + 1] = {
    "answered", "no connection", "timed out",  "refused", "too many requests",
    "failed",   "cut off",       "not an LLM", "empty",   "too large",
    "TLS",      "unfinished",    NULL};
const char *const load_end_names[LOAD_ENDS + 1] = {
    "precise enough",      "time",    "requests", "end of the trace", "stopped",
    "no request succeeds", "decided", NULL};

/* A request that is open. */
struct load_open {
    struct load_sample sample;
    struct load_answer stream;
    struct buf refusal; /* what came with a status other than 200 */
    uint64_t bytes;
    struct load_open *next; /* that is free */
    bool in_use;
};

struct load_drive {
    struct load_options o;
    struct arena *arena;
    struct load_open *slots, *free;
    size_t open;
    struct arrivals arrivals;
    double next_s;  /* of the next request by rate or trace */
    bool more;      /* there is one */
    int64_t *ready; /* when users are ready again, a ring */
    size_t ready_from, ready_count;
    uint64_t number;
    int64_t start, warm,
        stop;        /* ns: of the run; its warm-up's end; when sending ended, or -1 */
    int64_t counted; /* sent after the warm-up */
    int64_t measured, answered, failed, met;
    bool enough; /* requests were sent */
    bool stopped, no_memory;
    struct buf body, prompt;
    const struct load_wire *wire;
    struct load_run *run;
    int precise; /* looks in a row that found it so */
};

/* ---- what is known of one request ---- */

static double seconds_between(int64_t from, int64_t to)
{
    return from < 0 || to < 0 ? NAN : (double)(to - from) / 1e9;
}

/* Did it never end, as far as we waited? */
static bool endless(const struct load_sample *s)
{
    return s->outcome == LOAD_TIMED_OUT || s->outcome == LOAD_UNFINISHED;
}

double load_first_token(const struct load_sample *s, bool sent)
{
    if (s->first >= 0)
        return seconds_between(sent ? s->sent : s->intended, s->first);
    return endless(s) ? INFINITY : NAN;
}

double load_total(const struct load_sample *s, bool sent)
{
    if (endless(s))
        return INFINITY;
    if (s->outcome != LOAD_ANSWERED)
        return NAN;
    return seconds_between(sent ? s->sent : s->intended, s->end);
}

double load_per_token(const struct load_sample *s)
{
    int32_t tokens = s->output > 0 ? s->output : s->pieces;

    if (s->outcome != LOAD_ANSWERED || s->at_once || tokens < 2 || s->first < 0)
        return NAN;
    return seconds_between(s->first, s->last) / (tokens - 1);
}

/* A limit that nothing is known about is not met, except of a single token, which has no time
 * between tokens. */
bool load_meets(const struct load_sample *s, const struct load_target *target)
{
    int32_t tokens = s->output > 0 ? s->output : s->pieces;

    if (s->outcome != LOAD_ANSWERED)
        return false;
    return (isnan(target->first_token) || load_first_token(s, false) <= target->first_token) &&
           (isnan(target->token) || load_per_token(s) <= target->token || tokens == 1) &&
           (isnan(target->total) || load_total(s, false) <= target->total);
}

bool load_target_parse(struct str text, struct load_target *out, struct error *err)
{
    struct str value = text, name = str_cut(&value, '=');
    double *to = NULL;
    span limit;

    if (str_eq(name, STR("first_token")) || str_eq(name, STR("ttft")))
        to = &out->first_token;
    else if (str_eq(name, STR("token")) || str_eq(name, STR("tpot")))
        to = &out->token;
    else if (str_eq(name, STR("total")) || str_eq(name, STR("e2e")))
        to = &out->total;
    if (to != NULL && span_parse(value, &limit, err) && limit.ns > 0) {
        *to = (double)limit.ns / 1e9;
        return true;
    }
    return error_fail_hint(err, ERROR_USAGE,
                           "write first_token=500ms, token=50ms (per token) or total=10s",
                           "--slo: '%.*s' is not a target", STR_ARG(text));
}

/* ---- opening and closing ---- */

struct load_drive *load_drive_new(const struct load_options *options, struct arena *arena,
                                  struct error *err)
{
    struct load_drive *d = arena_array(arena, struct load_drive, 1, err);
    size_t users =
        options->arrivals.kind == ARRIVAL_USERS ? (size_t)options->arrivals.users : 0;

    if (d == NULL)
        return NULL;
    d->o = *options;
    d->arena = arena;
    d->slots = arena_array(arena, struct load_open, options->most, err);
    d->ready = arena_array(arena, int64_t, users + 1, err);
    if (d->slots == NULL || d->ready == NULL)
        return NULL;
    for (size_t i = options->most; i-- > 0;) {
        d->slots[i].stream = load_answer_new(arena->alloc);
        d->slots[i].refusal = buf_new(arena->alloc, REFUSAL_MAX);
        d->slots[i].next = d->free;
        d->free = &d->slots[i];
    }
    d->body = buf_new(arena->alloc, BODY_MAX);
    d->prompt = buf_new(arena->alloc, BODY_MAX);
    return d;
}

void load_drive_free(struct load_drive *d)
{
    if (d == NULL)
        return;
    for (size_t i = 0; i < d->o.most; i++) {
        load_answer_free(&d->slots[i].stream);
        buf_free(&d->slots[i].refusal);
    }
    buf_free(&d->body);
    buf_free(&d->prompt);
}

/* ---- what arrives ---- */

static int64_t drive_now(const struct load_drive *d)
{
    return d->wire->now(d->wire->ctx) - d->start;
}

static bool in_window(const struct load_drive *d, int64_t now)
{
    return now >= d->warm && d->stop < 0;
}

/* Pieces that arrived together have no gap between them. Of those one came when the kernel
 * says: it may have joined segments that waited. */
static void take_pieces(struct load_drive *d, struct load_open *open, int pieces,
                        const struct net_moment *when)
{
    struct load_sample *s = &open->sample;
    int64_t now = when->ns - d->start;

    d->run->came += (uint64_t)pieces;
    d->run->came_by_kernel += when->by_kernel && now > s->last;
    for (int i = 0; i < pieces; i++) {
        int64_t gap = i > 0 ? 0 : now - s->last;

        if (s->pieces++ == 0)
            continue;
        if (gap > s->longest_gap)
            s->longest_gap = gap;
        if (s->measured)
            load_gaps_add(&d->run->gaps, (double)(now - d->warm) / 1e9, gap);
    }
    if (s->first < 0) {
        s->first = now;
        if (in_window(d, now))
            d->run->input += (uint64_t)s->asked_input;
    }
    s->last = now;
    if (in_window(d, now))
        d->run->pieces += (uint64_t)pieces;
}

bool load_arrived(struct load_drive *d, void *stream, int status, struct str bytes,
                  const struct net_moment *when)
{
    struct load_open *open = stream;
    int pieces = 0;
    bool fine;

    open->bytes += bytes.len;
    if (status != 200) {
        if (bytes.len > REFUSAL_MAX - open->refusal.len)
            bytes.len = REFUSAL_MAX - open->refusal.len;
        buf_add(&open->refusal, bytes);
        return open->bytes <= LOAD_ANSWER_MAX;
    }
    fine = load_answer_take(&open->stream, bytes, &pieces);
    if (pieces > 0)
        take_pieces(d, open, pieces, when);
    return fine && open->bytes <= LOAD_ANSWER_MAX;
}

static enum load_outcome outcome_of_fault(enum stream_fault fault)
{
    switch (fault) {
    case STREAM_FINE:
        return LOAD_ANSWERED;
    case STREAM_FOREIGN:
        return LOAD_FOREIGN;
    case STREAM_TOO_LARGE:
    case STREAM_MEMORY:
        return LOAD_TOO_LARGE;
    case STREAM_SERVER:
        return LOAD_FAILED;
    case STREAM_HALF:
        return LOAD_CUT_OFF;
    case STREAM_EMPTY:
        return LOAD_EMPTY;
    }
    return LOAD_FAILED;
}

static enum load_outcome outcome_of_end(struct load_open *open, enum net_end end, int status)
{
    switch (end) {
    case NET_ANSWERED:
    case NET_STOPPED:
        if (status == 429 || status == 503)
            return LOAD_BUSY;
        if (status != 200)
            return status >= 500 ? LOAD_FAILED : LOAD_REFUSED;
        if (end == NET_STOPPED && open->stream.fault == STREAM_FINE)
            return LOAD_TOO_LARGE;
        return outcome_of_fault(load_answer_end(&open->stream));
    case NET_TIMED_OUT:
        return LOAD_TIMED_OUT;
    case NET_CUT_OFF:
        return LOAD_CUT_OFF;
    case NET_UNTRUSTED:
        return LOAD_UNTRUSTED;
    case NET_GARBAGE:
    case NET_HEADERS:
        return LOAD_FOREIGN;
    case NET_TOO_LARGE:
        return LOAD_TOO_LARGE;
    case NET_UNREACHABLE:
        return status > 0 || open->bytes > 0 ? LOAD_CUT_OFF : LOAD_UNREACHABLE;
    case NET_DISK:
    case NET_NO_MEMORY:
    case NET_FORBIDDEN:
    case NET_FAILED:
        break;
    }
    return LOAD_UNREACHABLE;
}

/* The first failure in words: the server's, or libcurl's. */
static void note_load_failure(struct load_drive *d, struct load_open *open, int status,
                              const char *problem)
{
    struct stream_event event = {0};
    const char *said = open->stream.message;
    struct buf text = buf_within(d->run->message, sizeof d->run->message);

    if (d->run->message[0] != '\0' || open->sample.outcome == LOAD_ANSWERED)
        return;
    if (open->refusal.len > 0 &&
        stream_event_read(buf_text(&open->refusal), d->arena->alloc, &event))
        said = event.message;
    buf_adds(&text, load_outcome_names[open->sample.outcome]);
    if (status > 0 && status != 200)
        buf_addf(&text, " (%d)", status);
    if (said[0] == '\0' && status == 0 && problem != NULL)
        said = problem;
    if (said[0] != '\0') {
        buf_adds(&text, ": ");
        buf_add_safe(&text, str_from(said));
    }
    buf_char(&text, '\0');
    d->run->message[sizeof d->run->message - 1] = '\0';
}

static bool keep_sample(struct load_drive *d, const struct load_sample *s)
{
    struct load_run *run = d->run;
    struct error ignored;

    run->samples =
        arena_grow(d->arena, run->samples, run->count, sizeof *s, &run->room, &ignored);
    if (run->samples == NULL) {
        d->no_memory = true;
        return false;
    }
    run->samples[run->count++] = *s;
    return true;
}

/* An answer in one piece has no first token that was seen to come. */
static void settle_at_once(struct load_drive *d, struct load_open *open, int64_t now)
{
    struct load_sample *s = &open->sample;

    s->at_once = true;
    if (s->first >= 0 && in_window(d, s->first))
        d->run->pieces -= (uint64_t)s->pieces;
    else if (in_window(d, now))
        d->run->input += (uint64_t)s->asked_input;
    if (in_window(d, now))
        d->run->tokens += (uint64_t)(s->output > 0 ? s->output : 0);
    s->first = s->last = -1;
}

static void user_is_ready(struct load_drive *d, int64_t now)
{
    size_t users = (size_t)d->o.arrivals.users;

    if (d->o.arrivals.kind != ARRIVAL_USERS || d->ready_count >= users)
        return;
    d->ready[(d->ready_from + d->ready_count++) % users] =
        now + (int64_t)(d->o.arrivals.think_s * 1e9);
}

static void end_request(struct load_drive *d, struct load_open *open, int64_t now)
{
    struct load_sample *s = &open->sample;

    if (s->outcome == LOAD_ANSWERED) {
        d->answered++;
        d->met += s->measured && load_meets(s, &d->o.target);
    } else {
        d->failed++;
    }
    d->measured += s->measured;
    d->run->answered_measured += s->outcome == LOAD_ANSWERED && in_window(d, s->end);
    (void)keep_sample(d, s);
    open->in_use = false;
    open->next = d->free;
    d->free = open;
    d->open--;
    user_is_ready(d, now);
}

/* Users go on when the client knows of the answer, not before. */
void load_done(struct load_drive *d, void *stream, const struct net_ended *ended)
{
    struct load_open *open = stream;
    struct load_sample *s = &open->sample;
    struct error ignored;

    s->end = ended->when.ns - d->start;
    s->status = (uint16_t)ended->status;
    s->connect_us = (int32_t)fmin(ended->connect_s * 1e6, 2e9);
    s->outcome = (uint8_t)outcome_of_end(open, ended->end, ended->status);
    s->input = (int32_t)fmin((double)open->stream.input, INT32_MAX);
    s->output = (int32_t)fmin((double)open->stream.output, INT32_MAX);
    if (open->stream.pieces > s->pieces) /* its last line had no end */
        take_pieces(d, open, (int)(open->stream.pieces - s->pieces), &ended->when);
    if (open->stream.whole)
        settle_at_once(d, open, s->end);
    if (d->o.keep_ids)
        d->no_memory |= !str_keep(str_from(open->stream.id), d->arena, &s->id, &ignored);
    note_load_failure(d, open, ended->status, ended->problem);
    end_request(d, open, drive_now(d));
}

/* ---- sending ---- */

static bool send_load_request(struct load_drive *d, int64_t intended, struct error *err)
{
    struct prompt_ask ask = prompt_of(&d->o.prompts, d->number);
    struct load_open *open = d->free;

    d->free = open->next;
    buf_clear(&d->prompt);
    buf_clear(&d->body);
    prompt_write(&d->o.prompts, &ask, &d->prompt);
    load_body_write(&d->o.format, buf_text(&d->prompt), ask.output, &d->body);
    if (!buf_ok(&d->body, err) || !buf_ok(&d->prompt, err))
        return false;
    load_answer_again(&open->stream);
    buf_clear(&open->refusal);
    open->bytes = 0;
    open->in_use = true;
    open->sample = (struct load_sample){.intended = intended,
                                        .first = -1,
                                        .last = -1,
                                        .end = -1,
                                        .longest_gap = -1,
                                        .number = d->number,
                                        .asked_input = ask.input,
                                        .asked_output = ask.output,
                                        .input = -1,
                                        .output = -1,
                                        .measured = intended >= d->warm};
    d->number++;
    d->open++;
    if ((int64_t)d->open > d->run->open_most)
        d->run->open_most = (int64_t)d->open;
    d->run->sent++;
    open->sample.sent = drive_now(d);
    d->run->sent_measured += in_window(d, open->sample.sent);
    return d->wire->send(d->wire->ctx, buf_text(&d->body), open, err);
}

/* When the next request is due; INT64_MAX: none is. */
static int64_t next_due(const struct load_drive *d)
{
    if (d->stop >= 0 || d->enough)
        return INT64_MAX;
    if (d->o.arrivals.kind == ARRIVAL_USERS)
        return d->ready_count > 0 ? d->ready[d->ready_from] : INT64_MAX;
    return d->more ? (int64_t)(d->next_s * 1e9) : INT64_MAX;
}

static void take_due_request(struct load_drive *d)
{
    if (d->o.arrivals.kind == ARRIVAL_USERS) {
        d->ready_from = (d->ready_from + 1) % (size_t)d->o.arrivals.users;
        d->ready_count--;
    } else {
        d->more = arrivals_next(&d->arrivals, &d->next_s);
    }
}

/* One that is due: what its connection waits for comes before the next. One that finds too many
 * open waits, which counts for its latency. */
static bool send_due(struct load_drive *d, struct error *err)
{
    int64_t due = next_due(d);

    if (due > drive_now(d))
        return true;
    if (d->free == NULL) {
        d->run->waited++;
        return true;
    }
    take_due_request(d);
    if (!send_load_request(d, due, err))
        return false;
    d->enough = d->o.requests > 0 && due >= d->warm && ++d->counted >= d->o.requests;
    return true;
}

/* ---- when it ends ---- */

/* The means of what users feel, known to the share that is wanted. Two looks in a row, since a
 * single one may find it so by chance. */
static bool is_precise(struct load_drive *d)
{
    bool ok = d->o.precision > 0 && d->answered >= LEAST_ANSWERS &&
              load_run_precise(d->run, d->o.precision, d->arena->alloc);

    d->precise = ok ? d->precise + 1 : 0;
    return d->precise >= 2;
}

/* Is the share that meets the target surely on one side? What is still open and late already
 * counts as missing it. */
static bool is_decided(const struct load_drive *d, int64_t now)
{
    const struct load_target *t = &d->o.target;
    int64_t late = 0, all;
    struct load_quantile share;

    if (isnan(d->o.attain))
        return false;
    for (size_t i = 0; i < d->o.most; i++) {
        const struct load_open *open = &d->slots[i];
        double waited = seconds_between(open->sample.intended, now);

        if (open->in_use && open->sample.measured)
            late += (open->sample.first < 0 && waited > t->first_token) || waited > t->total;
    }
    all = d->measured + late;
    share = load_share(d->met, all);
    return all >= LEAST_ANSWERS && (share.low > d->o.attain || share.high < d->o.attain);
}

/* Nothing but failures. */
static bool is_hopeless(const struct load_drive *d)
{
    return d->answered == 0 && d->failed >= HOPELESS;
}

/* Looks that read all samples are rarer the more there are. */
static int64_t look_pause(const struct load_drive *d)
{
    return CHECK_NS + (int64_t)d->run->count * 20000;
}

static bool should_end(struct load_drive *d, int64_t now, bool look, enum load_ended *why)
{
    double measured_s = (double)(now - d->warm) / 1e9;

    if (watch_stopped(&d->o.watch)) {
        *why = LOAD_END_STOPPED;
        d->stopped = true;
        return true;
    }
    *why = LOAD_END_FAILING;
    if (is_hopeless(d))
        return true;
    *why = LOAD_END_TIME;
    if (measured_s >= d->o.max_s)
        return true;
    *why = d->enough ? LOAD_END_REQUESTS : LOAD_END_TRACE;
    if (d->open == 0 && next_due(d) == INT64_MAX)
        return true;
    if (!look || measured_s < LEAST_MEASURED_S)
        return false;
    *why = LOAD_END_DECIDED;
    if (is_decided(d, now))
        return true;
    *why = LOAD_END_PRECISE;
    return is_precise(d);
}

static void show_load_progress(const struct load_drive *d, int64_t now)
{
    double all = d->o.warmup_s + d->o.max_s;

    watch_progress(&d->o.watch, d->o.label, (uint64_t)((double)now / 1e9),
                   isfinite(all) ? (uint64_t)all : 0);
}

/* One step: send, wait, take. Time that passed beyond the moment to wake up is the client's
 * own. */
static bool step_load(struct load_drive *d, int64_t until, struct error *err)
{
    double over;

    if (!send_due(d, err))
        return false;
    if (d->free != NULL && next_due(d) < until)
        until = next_due(d);
    if (!d->wire->wait(d->wire->ctx, d->start + until, err))
        return false;
    over = (double)(drive_now(d) - until) / 1e9;
    if (over > d->run->longest_pause)
        d->run->longest_pause = over;
    return !d->no_memory || error_memory(err);
}

/* What is open at the end: wait for it, unless the user wants an end. What then has no end is
 * unfinished. */
static bool drain(struct load_drive *d, struct error *err)
{
    int64_t limit = d->stop + (int64_t)(d->o.drain_s * 1e9);

    while (d->open > 0 && drive_now(d) < limit && !d->stopped) {
        int64_t until = drive_now(d) + CHECK_NS;

        if (!step_load(d, until < limit ? until : limit, err))
            return false;
        d->stopped |= watch_stopped(&d->o.watch);
    }
    for (size_t i = 0; i < d->o.most; i++)
        if (d->slots[i].in_use) {
            d->slots[i].sample.outcome = LOAD_UNFINISHED;
            if (!keep_sample(d, &d->slots[i].sample))
                return error_memory(err);
        }
    return true;
}

static void start_load(struct load_drive *d, const struct load_wire *wire, struct load_run *out)
{
    d->wire = wire;
    d->run = out;
    d->start = wire->now(wire->ctx);
    d->warm = (int64_t)(d->o.warmup_s * 1e9);
    d->stop = -1;
    d->number = d->o.first;
    d->arrivals = arrivals_start(&d->o.arrivals, d->o.seed);
    if (d->o.arrivals.kind != ARRIVAL_USERS)
        d->more = arrivals_next(&d->arrivals, &d->next_s);
    for (int64_t i = 0; d->o.arrivals.kind == ARRIVAL_USERS && i < d->o.arrivals.users; i++)
        d->ready[d->ready_count++] = 0;
}

bool load_drive(struct load_drive *d, const struct load_wire *wire, struct load_run *out,
                struct error *err)
{
    int64_t next_look = 0, shown = 0;

    *out = (struct load_run){0};
    if (!load_gaps_new(d->arena, &out->gaps, err))
        return false;
    start_load(d, wire, out);
    for (;;) {
        int64_t now = drive_now(d);
        bool look = now >= next_look;

        if (should_end(d, now, look, &out->ended) || out->count >= LOAD_REQUESTS_MOST) {
            d->stop = now;
            break;
        }
        if (look)
            next_look = now + look_pause(d);
        if (now >= shown) {
            show_load_progress(d, now);
            shown = now + CHECK_NS;
        }
        if (!step_load(d, now + CHECK_NS, err))
            return false;
    }
    out->window_s = fmax((double)(d->stop - d->warm) / 1e9, 0);
    out->whole_s = (double)d->stop / 1e9;
    return drain(d, err);
}
