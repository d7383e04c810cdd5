/* What the run pays of its machine, beside the other runs on it. */
#include "base/fs.h"
#include "run/supervise/supervise_internal.h"
#include "unit/time.h"

/* What is paid: the machine, divided with the other runs on it, or a fixed share of it. This is
 * the one place that says so: a job of Slurm or Kubernetes will pay for its allocation, which
 * is a fixed share that its scheduler names. */
static struct machine_entry what_is_paid(const struct supervisor *s)
{
    return (struct machine_entry){.id = s->result->id,
                                  .pays = s->options->charge.rate.nano != MONEY_UNKNOWN,
                                  .fixed = s->options->share,
                                  .inside = env_get("STINT_RUN_ID")};
}

/* Alone, as far as is known: also when there is no list of runs to look at. */
static struct machine_view alone(const struct supervise_options *o, instant at)
{
    return (struct machine_view){
        .at = at, .part = o->share >= 0 ? (double)o->share / (double)SHARE_ONE : 1, .runs = 1};
}

static void take_view(struct supervisor *s)
{
    const struct machine_view *view = &s->machine;

    if (view->runs > s->sharers_most)
        s->sharers_most = view->runs;
    if (view->part != s->account.share.part)
        log_write(s->options->log, LOG_DEBUG, "pays %.3g %% of the machine, of %d runs on it",
                  view->part * 100, view->runs);
    account_share(&s->account, &(struct account_share){.paid = view->paid,
                                                       .at = view->at,
                                                       .part = view->part,
                                                       .fixed = s->options->share >= 0,
                                                       .inside = view->inside});
}

void sup_share_begin(struct supervisor *s)
{
    struct machine_entry entry = what_is_paid(s);
    struct error err = {0};

    machine_close(&s->seat); /* started again: it is still one run */
    if (!machine_come(&s->seat, &entry, &s->machine, &err)) {
        s->machine = alone(s->options, clock_paid());
        if (entry.pays && entry.fixed < 0)
            sup_say(s, "note: %s: this run pays for the machine in full, also beside others",
                    err.text);
    }
    s->began = s->machine.at;
    take_view(s);
}

/* Thousandths of GPUs that it can use, as far as the meters know. */
static int64_t gpus_of(const struct supervisor *s)
{
    double sum = 0;

    if (!s->sampled)
        return -1;
    for (size_t i = 0; i < s->sample.gpus; i++)
        sum += s->sample.gpu[i].part;
    return (int64_t)(sum * SHARE_GPU + 0.5);
}

/* Nobody knows what the others do: it pays all of what has passed since, until it does. */
static void pay_in_full(struct supervisor *s, instant now)
{
    struct machine_view full = alone(s->options, now);

    full.paid.ns =
        s->machine.paid.ns + (int64_t)((double)(now.ns - s->machine.at.ns) * full.part + 0.5);
    full.runs = s->machine.runs;
    full.inside = s->machine.inside;
    if (full.inside) {
        full.paid = s->machine.paid;
        full.part = 0;
    }
    s->machine = full;
}

void sup_share_look(struct supervisor *s, instant now)
{
    if (!machine_look(&s->seat, gpus_of(s), now, &s->machine))
        pay_in_full(s, now);
    take_view(s);
}

instant sup_share_end(struct supervisor *s)
{
    instant ended = clock_paid();

    if (!machine_go(&s->seat, ended, &s->machine))
        pay_in_full(s, ended);
    take_view(s);
    return s->machine.at;
}

const char *sup_share_pays(const struct supervisor *s)
{
    if (s->machine.inside)
        return "inside";
    if (s->options->charge.rate.nano == MONEY_UNKNOWN)
        return "";
    return s->options->share >= 0 ? "fixed" : "machine";
}
