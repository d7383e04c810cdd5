#include "plan/several.h"

#include <math.h>

#include "plan/pack.h"
#include "plan/queue.h"

/* ---- several jobs: which first ---- */

/* Its name, or its file. */
static struct str job_name(const struct several *m, size_t i)
{
    const struct job *job = m->works[i]->job;

    return job->name.len > 0 ? job->name : job_shown(m->request->jobs.at[i]);
}

/* Only deadlines that are set. */
static double deadline_of(const struct several *m, size_t i)
{
    const struct plan_request *r = m->request;
    span given = r->deadline.ns > 0 ? r->deadline : m->works[i]->job->limits.deadline;

    return given.ns > 0 ? span_in_hours(given) : INFINITY;
}

/* Of one job. */
static bool find_after(const struct several *m, size_t job, struct pack_job *out,
                       struct error *err)
{
    struct strs after = m->works[job]->job->after;
    size_t *jobs = arena_array(m->arena, size_t, after.len + 1, err);

    if (jobs == NULL)
        return false;
    for (size_t i = 0; i < after.len; i++) {
        struct suggestion s = {.wanted = after.at[i]};
        size_t k = 0;

        for (; k < m->count && !str_eq(job_name(m, k), after.at[i]); k++)
            suggestion_try(&s, job_name(m, k));
        if (k == m->count) {
            error_set(err, ERROR_INPUT, "%.*s comes after '%.*s', which is not among the jobs",
                      STR_ARG(job_name(m, job)), STR_ARG(after.at[i]));
            if (!suggestion_hint(&s, err))
                error_hint(err, "give its file too, or take it out of after:");
            return false;
        }
        jobs[i] = k;
    }
    out->after = jobs;
    out->after_count = after.len;
    return true;
}

/* The jobs with their names, deadlines and what they come after; NULL with the error set when
 * that is none of them. */
static struct pack_job *pack_jobs_of(const struct several *m, struct error *err)
{
    struct pack_job *jobs = arena_array(m->arena, struct pack_job, m->count, err);

    for (size_t i = 0; jobs != NULL && i < m->count; i++) {
        jobs[i] = (struct pack_job){.name = str_dup(job_name(m, i), m->arena, err),
                                    .deadline_h = deadline_of(m, i)};
        if (jobs[i].name == NULL || !find_after(m, i, &jobs[i], err))
            return NULL;
    }
    return jobs;
}

/* By what they are worth, but none before those that it comes after. */
static bool put_in_order(const struct several *m, const struct queue_job *jobs,
                         struct queue_stage **stages, size_t *count, struct error *err)
{
    struct pack_job *named = pack_jobs_of(m, err);
    struct queue_after *after = arena_array(m->arena, struct queue_after, m->count, err);
    double budget = usd_double(m->request->budget);
    double ceiling = isnan(budget) ? INFINITY : budget;

    if (named == NULL || after == NULL || !pack_check_after(named, m->count, m->arena, err))
        return false;
    for (size_t i = 0; i < m->count; i++)
        after[i] = (struct queue_after){named[i].after, named[i].after_count};
    return queue_order(jobs, m->count, ceiling, m->arena, stages, count, err) &&
           queue_keep_after(*stages, *count, after, ceiling, m->arena, err);
}

/* "OFFER:MARKET" of a plan. */
static struct str plan_where(struct planning *w, const struct plan *plan, struct error *err)
{
    return plan_words(w, err, "%.*s:%s", STR_ARG(plan->place->machine->name),
                      market_names[plan->place->market]);
}

static int64_t place_age_days(const struct planning *w, const struct plan_place *place)
{
    return day_of(w->now).n - place->date.n;
}

static bool show_stages(struct several *m, const struct queue_stage *stages, size_t count,
                        struct plan_result *res, struct error *err)
{
    struct plan_stage *rows = arena_array(m->arena, struct plan_stage, count + 1, err);

    if (rows == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        size_t job = stages[i].job;

        rows[i] = (struct plan_stage){.job = job_name(m, job),
                                      .offer = plan_where(m->works[job], &m->bests[job], err),
                                      .order = (int64_t)i + 1,
                                      .share = stages[i].share,
                                      .chance = stages[i].chance,
                                      .worth = stages[i].worth,
                                      .cost = usd_about(stages[i].usd),
                                      .spent = usd_about(stages[i].spent),
                                      .affordable = stages[i].affordable,
                                      .price_date = m->bests[job].place->date,
                                      .price_age_days =
                                          place_age_days(m->works[job], m->bests[job].place)};
        if (rows[i].offer.at == NULL)
            return false;
    }
    res->stages = (struct rows){rows, count};
    return true;
}

/* What an experiment promises, where its job does not say. */
static void note_assumed_gain(const struct several *m, const struct queue_job *jobs)
{
    size_t gains = 0, chances = 0;

    for (size_t i = 0; i < m->count; i++) {
        gains += isnan(jobs[i].improvement) ? 1 : 0;
        chances += isnan(jobs[i].chance) ? 1 : 0;
    }
    if (gains + chances > 0)
        message_note(m->messages,
                     "assumed: an improvement of %.3g %% (%zu of %zu jobs do not say) with a "
                     "chance of %.3g %% (%zu do not say); experiment: {improvement: 5%%, "
                     "chance: 50%%} in a job sets them",
                     100 * QUEUE_IMPROVEMENT, gains, m->count, 100 * QUEUE_CHANCE, chances);
}

/* --queue: the jobs in order, as stages of the result. */
static bool order_jobs(struct several *m, struct plan_result *res, struct error *err)
{
    struct queue_job *jobs = arena_array(m->arena, struct queue_job, m->count, err);
    struct queue_stage *stages;
    size_t count;

    if (jobs == NULL)
        return false;
    for (size_t i = 0; i < m->count; i++) {
        const struct job_experiment *e = &m->works[i]->job->experiment;

        jobs[i] = (struct queue_job){.usd = usd_double(m->bests[i].total.expected),
                                     .improvement = e->improvement,
                                     .chance = e->chance,
                                     .value = usd_double(e->value)};
    }
    if (!put_in_order(m, jobs, &stages, &count, err))
        return false;
    note_assumed_gain(m, jobs);
    res->valued = queue_valued(jobs, m->count);
    if (!res->valued)
        message_note(m->messages, "not every job has a value: ranked by improvement per "
                                  "dollar");
    return show_stages(m, stages, count, res, err);
}

/* ---- when the sessions of several jobs start, where prices change over the week ---- */

/* What is known of one session. */
struct session {
    double from, to; /* hours: the first start, set-up before it; the last end */
    double usd;      /* for its hours */
    double slack;    /* that its jobs can be put off by */
    const struct plan_place *place;
    int64_t machines;
    bool alone; /* waits for no other, and no other for it */
};

static size_t session_of(const struct pack_result *packed, size_t job)
{
    for (size_t i = 0; i < packed->slot_count; i++)
        if (packed->slots[i].job == job)
            return packed->slots[i].session;
    return SIZE_MAX;
}

/* Does a job here come after one elsewhere, or one elsewhere after a job here? */
static bool is_independent(const struct several *m, const struct pack_job *jobs,
                           const struct pack_result *packed, size_t session)
{
    for (size_t i = 0; i < m->count; i++)
        for (size_t k = 0; k < jobs[i].after_count; k++) {
            size_t here = session_of(packed, i), there = session_of(packed, jobs[i].after[k]);

            if (here != there && (here == session || there == session))
                return false;
        }
    return true;
}

static struct session session_at(const struct several *m, const struct pack_job *jobs,
                                 const struct pack_result *packed, size_t number)
{
    struct session s = {.from = INFINITY, .slack = INFINITY};

    for (size_t i = 0; i < packed->slot_count; i++) {
        const struct pack_slot *slot = &packed->slots[i];
        const struct pack_way *way = &m->ways[slot->way];

        if (slot->session != number)
            continue;
        s.from = fmin(s.from, slot->start_h - way->setup_h);
        s.to = fmax(s.to, slot->end_h);
        s.usd = fmax(s.usd, way->usd_h);
        s.machines = way->machines > s.machines ? way->machines : s.machines;
        s.slack = fmin(s.slack, jobs[slot->job].deadline_h - slot->end_h);
        s.place = m->plans[slot->way].place;
    }
    s.usd *= s.to - s.from;
    s.alone = is_independent(m, jobs, packed, number);
    return s;
}

/* Let sessions that wait for none, and that none waits for, start when machines are
 * cheapest within so many hours: slots and cost of the result are changed. `price_x`: what the
 * price of each session is multiplied with then. */
static void choose_starts(const struct several *m, const struct pack_job *jobs,
                          struct pack_result *packed, double within_h, double *price_x)
{
    double now = m->works[0]->problem.hour_of_week;

    for (size_t n = 0; n < packed->sessions; n++) {
        struct session s = session_at(m, jobs, packed, n);
        struct week_wish wish = {.price_weight = 1, .now = now, .hours = s.to - s.from};
        double later;

        if (s.place == NULL || !s.alone || s.place->prices == NULL)
            continue;
        wish.prices = s.place->prices;
        wish.carbon = s.place->carbon;
        if (m->works[0]->problem.aim.carbon > 0)
            wish.price_weight = 0, wish.carbon_weight = 1;
        later = week_best_start(&wish, within_h, wish.hours + s.slack);
        price_x[n] = week_mean(wish.prices, now + later, wish.hours);
        packed->usd += s.usd * (price_x[n] - 1);
        for (size_t i = 0; i < packed->slot_count; i++)
            if (packed->slots[i].session == n) {
                packed->slots[i].start_h += later - s.from;
                packed->slots[i].end_h += later - s.from;
                packed->hours = fmax(packed->hours, packed->slots[i].end_h);
            }
    }
}

/* ---- all of them in one plan ---- */

/* Machines that some job would do well on. */
struct machine_set {
    struct str offer;
    enum market market;
    double commit_hours; /* of several terms, which */
    int64_t machines;
};

#define WAYS_OF_A_JOB 3 /* GPUs whose machines the others are tried on too */
#define SECONDS_PER_HOUR 3600.0
#define MINUTES_PER_HOUR 60

static struct str words_for_span(struct planning *w, span length, struct error *err)
{
    struct buf text = buf_new(w->arena->alloc, 64);
    struct str words;

    span_write(length, &text);
    words = plan_text(w, &text, err);
    buf_free(&text);
    return words;
}

/* In whole minutes, up: what is to be typed must be enough. */
static span enough_for(double hours)
{
    const int64_t minute = SPAN_HOUR / MINUTES_PER_HOUR;

    return (span){(int64_t)ceil(hours * MINUTES_PER_HOUR - 1e-6) * minute};
}

/* What the job takes when nothing but time counts, and that this would do. */
static bool session_too_short(struct planning *w, struct str name, double deadline_h,
                              struct error *err)
{
    struct str session, least;
    struct plan fastest;
    bool found;

    w->problem.limits.deadline_h = deadline_h;
    w->problem.aim =
        (struct plan_aim){.time = 1, .cost_unit = 1, .time_unit = 1, .carbon_unit = 1};
    if (!search_best(w->search, &w->problem, NULL, &fastest, &found, err))
        return false;
    if (!found)
        return plan_unfit(w, err);
    session = words_for_span(w, w->request->session, err);
    least = words_for_span(w, enough_for(fastest.hours), err);
    if (session.at == NULL || least.at == NULL)
        return false;
    error_set(err, ERROR_UNFIT,
              "%.*s takes at least %.*s with its setup, but a session lasts %.*s",
              STR_ARG(name), STR_ARG(least), STR_ARG(session));
    error_hint(err, "--session %.*s would do", STR_ARG(least));
    return false;
}

/* No way that takes longer than a session is of use: a faster one, which alone would not be the
 * best, may be. */
static bool keep_to_session(struct several *m, size_t i, struct error *err)
{
    struct planning *w = m->works[i];
    double deadline_h = w->problem.limits.deadline_h;
    struct plan plan;
    bool found;

    if (m->request->queue || m->request->session.ns <= 0)
        return true;
    w->problem.limits.deadline_h = fmin(deadline_h, span_in_hours(m->request->session));
    if (!search_best(w->search, &w->problem, NULL, &plan, &found, err))
        return false;
    return found || session_too_short(w, job_name(m, i), deadline_h, err);
}

/* Hours that are owned can be used once only, and each job is priced by itself. */
static void forget_owned(struct planning *w, bool say)
{
    bool any = false;

    for (size_t i = 0; i < w->place_count; i++) {
        any |= w->places[i].owned_hours > 0;
        w->places[i].owned_hours = 0;
    }
    if (any && say)
        message_warn(w->messages,
                     "prepaid hours are not counted for several jobs: plan jobs that use them "
                     "alone");
}

bool several_add(struct several *m, size_t i, struct error *err)
{
    struct str job = job_shown(m->request->jobs.at[i]);
    struct planning *w = m->works[i];

    forget_owned(w, i == 0);
    if (!plan_best(w, &m->bests[i], err)) {
        plan_name_job(err, job);
        return false;
    }
    if (w->job->kind == JOB_INFER) {
        error_set(err, ERROR_USAGE, "%.*s serves: it never ends and cannot share machines",
                  STR_ARG(job));
        error_hint(err, "plan it alone");
        return false;
    }
    w->problem.limits.within_h = 0; /* sessions start when it is best, not jobs */
    return keep_to_session(m, i, err);
}

/* Machines that do well for one of the jobs. */
static bool find_machine_sets(struct several *m, struct error *err)
{
    m->sets = arena_array(m->arena, struct machine_set, m->count * (WAYS_OF_A_JOB + 1), err);
    if (m->sets == NULL)
        return false;
    for (size_t i = 0; i < m->count; i++) {
        struct plan plans[WAYS_OF_A_JOB + 1];
        size_t found;

        if (!search_different(m->works[i]->search, &m->works[i]->problem, WAYS_OF_A_JOB, plans,
                              &found, err))
            return false;
        plans[found++] = m->bests[i];
        for (size_t k = 0; k < found; k++) {
            struct machine_set s = {plans[k].place->machine->name, plans[k].place->market,
                                    plans[k].place->commit_hours, plans[k].way.machines};
            bool there = false;

            for (size_t n = 0; n < m->set_count && !there; n++)
                there = str_eq(m->sets[n].offer, s.offer) && m->sets[n].market == s.market &&
                        m->sets[n].commit_hours == s.commit_hours &&
                        m->sets[n].machines == s.machines;
            if (!there)
                m->sets[m->set_count++] = s;
        }
    }
    return true;
}

static const struct plan_place *place_of_set(const struct planning *w,
                                             const struct machine_set *s)
{
    for (size_t i = 0; i < w->place_count; i++)
        if (w->places[i].market == s->market && w->places[i].commit_hours == s->commit_hours &&
            str_eq(w->places[i].machine->name, s->offer))
            return &w->places[i];
    return NULL;
}

/* What a plan is when its machines are shared: hours at a price, and what is paid in any case.
 * Time that is billed and not used is the session's, not the job's. On spot some of the hours
 * are waiting, and not paid: an hour is an average. */
static struct pack_way make_pack_way(const struct plan *plan, size_t job, size_t set)
{
    const struct plan_place *place = plan->place;
    double setup_h = fmin(place->terms->setup_s / SECONDS_PER_HOUR, plan->hours);
    double billing = usd_double(plan->cost.at[COST_BILLING].amount.expected);
    double paid = usd_double(plan->total.expected) - billing;
    double usd_h = usd_per_hour_double(place->price) * (double)plan->way.machines;

    if (usd_h * plan->hours > paid)
        usd_h = paid / plan->hours;
    return (struct pack_way){
        .job = job,
        .place = set,
        .machines = plan->way.machines,
        .hours = plan->hours - setup_h,
        .setup_h = setup_h,
        .usd_h = usd_h,
        .usd_fixed = fmax(0, paid - usd_h * plan->hours),
        .minimum_h = fmax(place->minimum_s / SECONDS_PER_HOUR, place->commit_hours),
        .step_h = place->billing_s / SECONDS_PER_HOUR,
    };
}

/* Every job on every one of these machines. */
static bool find_pack_ways(struct several *m, struct error *err)
{
    size_t most = m->count * m->set_count;

    m->plans = arena_array(m->arena, struct plan, most, err);
    m->ways = arena_array(m->arena, struct pack_way, most, err);
    if (m->plans == NULL || m->ways == NULL)
        return false;
    for (size_t i = 0; i < m->count; i++)
        for (size_t k = 0; k < m->set_count; k++) {
            struct planning *w = m->works[i];
            struct search_filter filter = {.only = place_of_set(w, &m->sets[k]),
                                           .machines = m->sets[k].machines};
            struct plan plan;
            bool found;

            if (filter.only == NULL)
                continue;
            if (!search_best(w->search, &w->problem, &filter, &plan, &found, err))
                return false;
            if (!found || plan.way.trials_parallel > 1)
                continue;
            m->plans[m->way_count] = plan;
            m->ways[m->way_count++] = make_pack_way(&plan, i, k);
        }
    return true;
}

static bool show_slots(struct several *m, const struct pack_result *packed,
                       const double *price_x, struct plan_result *res, struct error *err)
{
    struct plan_slot *rows =
        arena_array(m->arena, struct plan_slot, packed->slot_count + 1, err);
    double rest = packed->usd;

    if (rows == NULL)
        return false;
    for (size_t i = 0; i < packed->slot_count; i++) {
        const struct pack_slot *s = &packed->slots[i];
        const struct pack_way *way = &m->ways[s->way];
        struct planning *w = m->works[s->job];
        double own =
            (s->end_h - s->start_h) * way->usd_h * price_x[s->session] + way->usd_fixed;

        rest -= own;
        rows[i] = (struct plan_slot){
            .job = job_name(m, s->job),
            .offer = plan_where(w, &m->plans[s->way], err),
            .setting = plan_setting(w, &m->plans[s->way], err),
            .session = (int64_t)s->session + 1,
            .machines = way->machines,
            .start_h = s->start_h,
            .end_h = s->end_h,
            .cost = usd_about(own),
            .price_date = m->plans[s->way].place->date,
            .price_age_days = place_age_days(w, m->plans[s->way].place),
        };
        if (rows[i].offer.at == NULL || rows[i].setting.at == NULL)
            return false;
    }
    res->slots = (struct rows){rows, packed->slot_count};
    res->together = usd_about(packed->usd);
    res->around = usd_about(fmax(rest, 0));
    res->alone = usd_about(packed->alone_usd);
    return true;
}

/* A budget on the command line is of all jobs together. */
static bool refuse_over_budget(double together, usd budget, struct error *err)
{
    error_set(err, ERROR_UNFIT, "together they cost $%.2f, but the budget is $%.2f",
              ceil(together * 100) / 100, usd_double(budget));
    error_hint(err, "--budget %.2fusd would do", ceil(together * 100) / 100);
    return false;
}

/* Sessions at the beginning of one, it among them, and the machines of its offer that they
 * have. */
static size_t sessions_at(const struct session *sessions, size_t count, const struct session *s,
                          int64_t *machines)
{
    size_t found = 0;

    *machines = 0;
    for (size_t i = 0; i < count; i++) {
        const struct session *o = &sessions[i];

        if (o->place == NULL || o->from > s->from || !(o->to > s->from))
            continue;
        found++;
        if (str_eq(o->place->machine->name, s->place->machine->name))
            *machines += o->machines;
    }
    return found;
}

/* A place of which sessions that overlap have more machines than there are; NULL: none. `most`:
 * the sessions at a time. */
static bool find_excess(const struct several *m, const struct pack_job *jobs,
                        const struct pack_result *packed, const struct plan_place **out,
                        size_t *most, struct error *err)
{
    struct session *sessions = arena_array(m->arena, struct session, packed->sessions + 1, err);

    *out = NULL;
    *most = 0;
    if (sessions == NULL)
        return false;
    for (size_t i = 0; i < packed->sessions; i++)
        sessions[i] = session_at(m, jobs, packed, i);
    for (size_t i = 0; i < packed->sessions; i++) {
        int64_t machines;
        size_t at_once;

        if (sessions[i].place == NULL)
            continue;
        at_once = sessions_at(sessions, packed->sessions, &sessions[i], &machines);
        if (machines > sessions[i].place->join.supply)
            *out = sessions[i].place;
        if (at_once > *most)
            *most = at_once;
    }
    return true;
}

static bool hint_supply(const struct plan_place *place, struct error *err)
{
    int64_t supply = place->join.supply;

    if (err->kind == ERROR_UNFIT)
        error_hint(err,
                   "only %lld machine%s of %.*s %s known to be available: --supply sets how "
                   "many, or choose others",
                   (long long)supply, supply == 1 ? "" : "s", STR_ARG(place->machine->name),
                   supply == 1 ? "is" : "are");
    return false;
}

static void note_fewer_sessions(const struct several *m, const struct plan_place *place,
                                size_t sessions)
{
    int64_t supply = place->join.supply;

    message_note(m->messages,
                 "%zu session%s at a time: %.*s has %lld machine%s, as far as is known "
                 "(--supply)",
                 sessions, sessions == 1 ? "" : "s", STR_ARG(place->machine->name),
                 (long long)supply, supply == 1 ? "" : "s");
}

/* A packing for which there are enough machines. */
struct fitting {
    struct pack_result packed;
    const struct plan_place *short_of; /* for which sessions wait; NULL: none does */
    size_t parallel;                   /* sessions at a time, then */
};

/* Pack with ever fewer sessions at a time, until there are enough machines for all. */
static bool pack_available(const struct several *m, const struct pack_input *all,
                           struct fitting *out, struct error *err)
{
    struct pack_input input = *all;
    const struct plan_place *place = NULL;
    size_t most;

    *out = (struct fitting){.short_of = NULL};
    for (;;) {
        if (!pack(&input, m->arena, &out->packed, err))
            return out->short_of != NULL && hint_supply(out->short_of, err);
        if (!find_excess(m, input.jobs, &out->packed, &place, &most, err))
            return false;
        if (place == NULL || most < 2)
            return true;
        out->short_of = place;
        out->parallel = input.limits.parallel = most - 1;
    }
}

#define SHARING_SAVES 0.05 /* a share of the cost, below which each job has its own best plan */

/* The ways that are the best plan of their job alone. */
static bool take_own_ways(const struct several *m, struct pack_way *out, struct plan *plans,
                          size_t *count)
{
    *count = 0;
    for (size_t i = 0; i < m->count; i++) {
        size_t before = *count;

        for (size_t n = 0; n < m->way_count; n++)
            if (m->ways[n].job == i && m->plans[n].place == m->bests[i].place &&
                m->plans[n].way.machines == m->bests[i].way.machines) {
                plans[*count] = m->plans[n];
                out[(*count)++] = m->ways[n];
            }
        if (*count == before)
            return false;
    }
    return true;
}

/* A job has the machine that it has when it is planned alone, unless sharing another one saves
 * money or time. */
static bool prefer_own_ways(struct several *m, const struct pack_input *input,
                            struct fitting *shared, struct error *err)
{
    struct several own = *m;
    struct pack_input alone = *input;
    struct fitting each;
    struct error why = {0};

    own.ways = arena_array(m->arena, struct pack_way, m->way_count + 1, err);
    own.plans = arena_array(m->arena, struct plan, m->way_count + 1, err);
    if (own.ways == NULL || own.plans == NULL)
        return false;
    if (!take_own_ways(m, own.ways, own.plans, &own.way_count))
        return true;
    alone.ways = own.ways;
    alone.way_count = own.way_count;
    if (!pack_available(&own, &alone, &each, &why)) {
        if (why.kind == ERROR_UNFIT) /* a session or a deadline does not let it */
            return true;
        *err = why;
        return false;
    }
    if (each.packed.usd * (1 - SHARING_SAVES) > shared->packed.usd ||
        each.packed.hours > shared->packed.hours)
        return true;
    *shared = each;
    *m = own;
    return true;
}

static bool pack_jobs(struct several *m, struct plan_result *res, struct error *err)
{
    const struct plan_request *r = m->request;
    struct pack_job *jobs = pack_jobs_of(m, err);
    struct pack_input input = {
        .limits = {.session_h = r->session.ns > 0 ? span_in_hours(r->session) : INFINITY,
                   .parallel = r->parallel > 0 ? (size_t)r->parallel : 0},
    };
    struct fitting fitting;
    struct pack_result *packed = &fitting.packed;
    double *price_x = arena_array(m->arena, double, m->count, err);

    if (jobs == NULL || price_x == NULL || !find_machine_sets(m, err) ||
        !find_pack_ways(m, err))
        return false;
    input.jobs = jobs;
    input.job_count = m->count;
    input.ways = m->ways;
    input.way_count = m->way_count;
    if (!pack_available(m, &input, &fitting, err) || !prefer_own_ways(m, &input, &fitting, err))
        return false;
    if (fitting.short_of != NULL)
        note_fewer_sessions(m, fitting.short_of, fitting.parallel);
    for (size_t i = 0; i < m->count; i++)
        price_x[i] = 1;
    if (r->within.ns > 0)
        choose_starts(m, jobs, packed, span_in_hours(r->within), price_x);
    if (packed->usd > usd_double(r->budget))
        return refuse_over_budget(packed->usd, r->budget, err);
    if (!packed->exact)
        message_note(m->messages,
                     "too many jobs to try all combinations: this is the best found");
    return show_slots(m, packed, price_x, res, err);
}

bool several_check(const struct plan_request *request, const struct messages *messages,
                   struct error *err)
{
    const char *single = request->save.len > 0           ? "--save"
                         : request->csv.len > 0          ? "--csv"
                         : request->svg.len > 0          ? "--svg"
                         : request->write_config.len > 0 ? "--write-config"
                                                         : NULL;

    if (single != NULL) {
        error_set(err, ERROR_USAGE, "%s is for one job%s", single,
                  request->jobs.len > 1 ? "" : " without --queue");
        error_hint(err, "plan each by itself: stint plan %.*s %s ...",
                   STR_ARG(request->jobs.at[0]), single);
        return false;
    }
    if (request->queue && (request->session.ns > 0 || request->parallel > 0))
        message_note(messages,
                     "--session and --parallel are ignored with --queue: they are for jobs "
                     "that share machines");
    return request->jobs.len <= SEVERAL_JOBS ||
           error_fail(err, ERROR_USAGE, "more than %d jobs at once", SEVERAL_JOBS);
}

bool several_plan(struct several *m, struct plan_result *res, struct error *err)
{
    res->kind = STR("train");
    res->unit = STR("job");
    res->name = plan_words(m->works[0], err, "%zu job%s", m->count, m->count == 1 ? "" : "s");
    return m->request->queue ? order_jobs(m, res, err) : pack_jobs(m, res, err);
}
