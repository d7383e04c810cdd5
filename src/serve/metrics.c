/* /metrics: what Prometheus scrapes, of the ledger and of the server itself. */
#include <stdlib.h>

#include "base/hash.h"
#include "op/metrics/metrics.h"
#include "serve/internal.h"

#define KEPT_MOST 65536         /* counters that are remembered */
#define KEPT_FOR (600 * SECOND) /* after they were last scraped */

/* A counter that goes down is taken for one that began anew, and all of it counts as an
 * increase. What a run has cost may become less when its price is corrected: then the counter
 * stays where it was until the run gets there again. */
struct kept_counter {
    uint64_t series;
    double value;
    instant seen;
};

struct counters {
    pthread_mutex_t lock;
    struct kept_counter *at; /* by series */
    size_t len;
};

struct counters *counters_new(struct error *err)
{
    struct counters *c = alloc_system.get(alloc_system.ctx, sizeof *c);

    if (c == NULL) {
        (void)error_memory(err);
        return NULL;
    }
    *c = (struct counters){0};
    (void)pthread_mutex_init(&c->lock, NULL);
    return c;
}

void counters_free(struct counters *c)
{
    if (c == NULL)
        return;
    if (c->at != NULL)
        alloc_system.put(alloc_system.ctx, c->at);
    (void)pthread_mutex_destroy(&c->lock);
    alloc_system.put(alloc_system.ctx, c);
}

static int by_metric_series(const void *a, const void *b)
{
    const struct kept_counter *x = a, *y = b;

    return (x->series > y->series) - (x->series < y->series);
}

/* Called with the lock held. */
static void raise_to_kept(struct counters *c, struct metric_sample *sample,
                          struct kept_counter *now)
{
    struct kept_counter *before =
        c->len > 0 ? bsearch(now, c->at, c->len, sizeof *c->at, by_metric_series) : NULL;

    if (before != NULL && before->value > now->value)
        sample->value = now->value = before->value;
    if (before != NULL)
        before->seen.ns = 0; /* this one replaces it */
}

/* What was scraped lately, besides what is scraped now: others may see other runs. */
static size_t keep_others(const struct counters *c, instant now, struct kept_counter *to,
                          size_t room)
{
    size_t kept = 0;

    for (size_t i = 0; i < c->len && kept < room; i++)
        if (now.ns - c->at[i].seen.ns < KEPT_FOR)
            to[kept++] = c->at[i];
    return kept;
}

/* Without memory, counters are as the ledger has them. */
static void hold_counters(struct counters *c, struct metric_samples *samples)
{
    instant now = clock_system.now(clock_system.ctx);
    struct kept_counter *all;
    size_t len = 0;

    (void)pthread_mutex_lock(&c->lock);
    all = alloc_system.get(alloc_system.ctx, (samples->len + c->len + 1) * sizeof *all);
    for (size_t i = 0; all != NULL && i < samples->len; i++) {
        struct metric_sample *s = &samples->at[i];

        if (metrics_table[s->metric].type != METRIC_COUNTER)
            continue;
        all[len] =
            (struct kept_counter){text_hash((uint64_t)s->metric + 1, s->labels), s->value, now};
        raise_to_kept(c, s, &all[len++]);
    }
    if (all != NULL) {
        len += keep_others(c, now, all + len, len < KEPT_MOST ? KEPT_MOST - len : 0);
        if (len > 0)
            qsort(all, len, sizeof *all, by_metric_series);
        if (c->at != NULL)
            alloc_system.put(alloc_system.ctx, c->at);
        c->at = all;
        c->len = len;
    }
    (void)pthread_mutex_unlock(&c->lock);
}

static void add_server(struct server *s, struct metric_samples *to)
{
    long long all = atomic_load(&s->requests), refused = atomic_load(&s->refused),
              failed = atomic_load(&s->failed);
    int64_t up = (clock_system.now(clock_system.ctx).ns - s->begun.ns) / SECOND;

    metric_add(to, METRIC_REQUESTS, STR("result=\"answered\""),
               (double)(all > refused + failed ? all - refused - failed : 0));
    metric_add(to, METRIC_REQUESTS, STR("result=\"refused\""), (double)refused);
    metric_add(to, METRIC_REQUESTS, STR("result=\"failed\""), (double)failed);
    metric_add(to, METRIC_CONNECTIONS, (struct str){0},
               (double)s->http->connections(s->listener));
    metric_add(to, METRIC_STARTED, (struct str){0},
               (double)(s->ctx.clock->today(s->ctx.clock->ctx).s - up));
}

char metrics_variant(const struct server *s, const struct http_request *request)
{
    return (char)('0' + (int)metric_format_wanted(s->http->header(request, "Accept", NULL)));
}

bool metrics_make(struct visit *v, struct error *err)
{
    struct metric_samples samples = {.arena = &v->arena};
    enum metric_format format = (enum metric_format)(v->variant - '0');

    /* A ledger that cannot be read is a value, not a failure: only so can there be an alert. */
    if (!op_metrics_collect(&v->ctx, str_from(v->caller.team), &samples, err)) {
        log_write(v->server->ctx.messages.log, LOG_WARN, "metrics: %s", err->text);
        *err = (struct error){0};
        samples.len = 0;
        metric_add(&samples, METRIC_LEDGER_UP, (struct str){0}, 0);
    }
    hold_counters(v->server->counters, &samples);
    op_metrics_build(&samples);
    if (v->caller.team[0] == '\0')
        add_server(v->server, &samples);
    v->type = metric_format_types[format];
    metrics_write(&samples, format, &v->out);
    return !samples.failed || error_memory(err);
}
