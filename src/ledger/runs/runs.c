/* Reading runs: each with its attempts and their totals. */
#include <math.h>
#include <string.h>

#include "ledger/internal.h"

/* ---- the totals of an attempt as columns ---- */

enum kind {
    MONEY, /* usd */
    NUMBER,
    WORDS,
    NANOSECONDS, /* span */
    SECONDS,     /* stamp */
    WHOLE,       /* int */
};

#define ROW(name, kind, member) {kind, offsetof(struct ledger_totals, member)},

static const struct {
    enum kind kind;
    size_t offset;
} columns[] = {LEDGER_TOTALS(ROW){NUMBER, offsetof(struct ledger_totals, lost_s)}};

int bind_totals(struct query *s, int at, const struct ledger_totals *totals)
{
    for (size_t i = 0; i < ARRAY_LEN(columns); i++, at++) {
        const void *member = (const unsigned char *)totals + columns[i].offset;

        switch (columns[i].kind) {
        case MONEY:
            bind_money(s, at, ((const usd *)member)->nano);
            break;
        case NUMBER:
            bind_number(s, at, *(const double *)member);
            break;
        case WORDS:
            bind_text(s, at, *(const struct str *)member);
            break;
        case NANOSECONDS:
            bind_count(s, at, ((const span *)member)->ns);
            break;
        case SECONDS:
            bind_count(s, at, ((const stamp *)member)->s);
            break;
        case WHOLE:
            bind_count(s, at, *(const int *)member);
            break;
        }
    }
    return at;
}

static bool column_totals(struct query *s, int at, struct arena *arena,
                          struct ledger_totals *out, struct error *err)
{
    for (size_t i = 0; i < ARRAY_LEN(columns); i++, at++) {
        void *member = (unsigned char *)out + columns[i].offset;

        switch (columns[i].kind) {
        case MONEY:
            ((usd *)member)->nano = column_money(s, at);
            break;
        case NUMBER:
            *(double *)member = column_number(s, at);
            break;
        case WORDS:
            if (!column_text(s, at, arena, member, err))
                return false;
            break;
        case NANOSECONDS:
            ((span *)member)->ns = column_count(s, at);
            break;
        case SECONDS:
            ((stamp *)member)->s = column_count(s, at);
            break;
        case WHOLE:
            *(int *)member = (int)column_count(s, at);
            break;
        }
    }
    return true;
}

/* ---- the sum of attempts ---- */

static void sum_add(double *to, double value)
{
    *to += value; /* NaN stays NaN */
}

static void raise_to(double *to, double value)
{
    if (isnan(*to) || value > *to)
        *to = value;
}

/* The last that is known. */
static void sum_renew(double *to, double value)
{
    if (!isnan(value))
        *to = value;
}

/* A mean over time of what is known. */
struct mean {
    double sum, weight;
};

static void sum_weighted(struct mean *m, double value, double weight)
{
    if (isnan(value) || !(weight > 0))
        return;
    m->sum += value * weight;
    m->weight += weight;
}

static double mean_of(const struct mean *m)
{
    return m->weight > 0 ? m->sum / m->weight : NAN;
}

static void add_money(struct ledger_totals *to, const struct ledger_totals *t)
{
    to->cost = usd_add(to->cost, t->cost);
    to->compute = usd_add(to->compute, t->compute);
    to->setup = usd_add(to->setup, t->setup);
    to->storage = usd_add(to->storage, t->storage);
    to->transfer = usd_add(to->transfer, t->transfer);
    to->extra = usd_add(to->extra, t->extra);
    for (int i = 0; i < LEDGER_PHASES; i++)
        to->phase[i] = usd_add(to->phase[i], t->phase[i]);
}

static void add_amounts(struct ledger_totals *to, const struct ledger_totals *t)
{
    to->elapsed.ns =
        to->elapsed.ns < 0 || t->elapsed.ns < 0 ? -1 : to->elapsed.ns + t->elapsed.ns;
    to->paid.ns = to->paid.ns < 0 || t->paid.ns < 0 ? -1 : to->paid.ns + t->paid.ns;
    sum_add(&to->joules, t->joules);
    sum_add(&to->gpu_joules, t->gpu_joules);
    sum_add(&to->cpu_joules, t->cpu_joules);
    sum_add(&to->grams, t->grams);
    sum_add(&to->cpu_s, t->cpu_s);
    sum_add(&to->read, t->read);
    sum_add(&to->written, t->written);
    sum_add(&to->received, t->received);
    sum_add(&to->sent, t->sent);
    if (t->energy_method.len > 0 && !str_eq(t->energy_method, to->energy_method))
        to->energy_method = to->energy_method.len == 0 ? t->energy_method : STR("mixed");
}

static void add_states(struct ledger_totals *to, const struct ledger_totals *t)
{
    to->at = t->at;
    raise_to(&to->memory_peak, t->memory_peak);
    raise_to(&to->gpu_memory_peak, t->gpu_memory_peak);
    raise_to(&to->gpu_memory_total, t->gpu_memory_total);
    raise_to(&to->gpu_memory_run, t->gpu_memory_run);
    to->gpus = t->gpus > to->gpus ? t->gpus : to->gpus;
    if (t->gpu.len > 0)
        to->gpu = t->gpu;
    sum_renew(&to->step, t->step);
    sum_renew(&to->steps, t->steps);
    sum_renew(&to->loss, t->loss);
    sum_renew(&to->best, t->best);
    sum_renew(&to->checkpoint_bytes, t->checkpoint_bytes);
    if (!(t->save_s <= to->save_s) && !isnan(t->save_s)) { /* the memory is that of the save */
        to->save_s = t->save_s;
        to->save_memory = t->save_memory;
    }
    sum_renew(&to->reserve_s, t->reserve_s);
    if (t->reserve_why.len > 0)
        to->reserve_why = t->reserve_why;
    if (t->pays.len > 0) {
        to->pays = t->pays;
        to->share = t->share;
        to->sharers = t->sharers;
    }
    if (t->sharers_most > to->sharers_most)
        to->sharers_most = t->sharers_most;
}

/* An attempt of which nothing was heard after its start says nothing of the others. */
static bool total_unknown(const struct ledger_attempt *a)
{
    return a->totals.elapsed.ns < 0;
}

void ledger_sum(const struct ledger_attempt *attempts, int count, struct ledger_totals *out)
{
    struct mean busy = {0}, score = {0}, seed = {0}, energy_error = {0};
    double lost = 0;
    bool first = true;

    ledger_totals_unknown(out);
    for (int i = 0; i < count; i++) {
        const struct ledger_totals *t = &attempts[i].totals;
        double seconds = (double)t->elapsed.ns / 1e9;

        if (!isnan(t->lost_s))
            lost += t->lost_s;
        out->at = t->at;
        if (total_unknown(&attempts[i]))
            continue;
        sum_weighted(&busy, t->gpu_busy, seconds);
        sum_weighted(&score, t->score, seconds);
        sum_weighted(&seed, t->seed_score, seconds);
        sum_weighted(&energy_error, t->energy_error, t->joules);
        if (first) {
            *out = *t;
        } else {
            add_money(out, t);
            add_amounts(out, t);
            add_states(out, t);
        }
        first = false;
    }
    if (first)
        return;
    out->gpu_busy = mean_of(&busy);
    out->score = mean_of(&score);
    out->seed_score = mean_of(&seed);
    if (energy_error.weight > 0)
        out->energy_error = mean_of(&energy_error);
    out->lost_s = count > 1 ? lost : NAN;
}

/* ---- runs ---- */

/* A list that grows in an arena. */
struct list {
    struct arena *arena;
    void *at;
    size_t len, room, size;
};

static void *list_add(struct list *list, struct error *err)
{
    list->at = arena_grow(list->arena, list->at, list->len, list->size, &list->room, err);
    if (list->at == NULL)
        return NULL;
    return (unsigned char *)list->at + list->size * list->len++;
}

/* Texts of the first column. */
static bool read_texts(struct ledger *l, enum ledger_sql which, int64_t key,
                       struct arena *arena, struct strs *out, struct error *err)
{
    struct list list = {.arena = arena, .size = sizeof(struct str)};
    struct query *s = ledger_statement(l, which, err);
    int row;

    if (s == NULL)
        return false;
    bind_int(s, 1, key);
    while ((row = ledger_row(l, s, "read", err)) > 0) {
        struct str *text = list_add(&list, err);

        if (text == NULL || !column_text(s, 0, arena, text, err)) {
            query_reset(s);
            return false;
        }
    }
    *out = (struct strs){list.at, list.len};
    return row == 0;
}

/* One attempt, as it is stored, and who watched over it. */
struct stored {
    struct ledger_attempt attempt;
    struct ledger_supervisor who;
    struct str market;
    int64_t key;
};

static bool column_attempt(struct query *s, struct arena *arena, struct stored *out,
                           struct error *err)
{
    struct ledger_attempt *a = &out->attempt;
    const char *state = column_word(s, 2);

    if (state == NULL)
        return error_memory(err);
    if (!ledger_state_parse(str_from(state), &a->state)) /* the table's CHECK forbids it */
        return error_fail(err, ERROR_INPUT, "a run of the ledger has an unknown state");
    out->key = column_int(s, 0);
    a->number = (int)column_int(s, 1);
    a->status = (int)column_count(s, 3);
    a->started.s = column_int(s, 5);
    a->ended.s = column_count(s, 6);
    out->who.pid = column_count(s, 9);
    out->who.pid_started = column_count(s, 10);
    out->who.namespace = column_count(s, 11);
    a->rate.nano = column_money(s, 15);
    if (!column_text(s, 4, arena, &a->reason, err) ||
        !column_text(s, 7, arena, &a->host, err) ||
        !column_text(s, 8, arena, &out->who.boot, err) ||
        !column_text(s, 12, arena, &a->offer, err) ||
        !column_text(s, 13, arena, &out->market, err) ||
        !column_text(s, 14, arena, &a->price_source, err) ||
        !column_totals(s, 16, arena, &a->totals, err))
        return false;
    out->who.host = a->host;
    out->who.heard = a->totals.at;
    return true;
}

static bool read_attempts(struct ledger *l, int64_t run, struct list *list, struct error *err)
{
    struct query *s = ledger_statement(l, SQL_ATTEMPTS, err);
    int row;

    if (s == NULL)
        return false;
    bind_int(s, 1, run);
    while ((row = ledger_row(l, s, "read", err)) > 0) {
        struct stored *stored = list_add(list, err);

        if (stored == NULL || !column_attempt(s, list->arena, stored, err)) {
            query_reset(s);
            return false;
        }
    }
    return row == 0;
}

/* An attempt that says it runs: does it? */
static bool find_out(struct ledger *l, struct stored *stored, struct error *err)
{
    bool noticed;

    if (stored->attempt.state != RUN_RUNNING ||
        ledger_alive(&stored->who, l->clock->today(l->clock->ctx)))
        return true;
    if (!ledger_noticed(l, stored->key, &noticed, err))
        return false;
    stored->attempt.state = noticed ? RUN_PREEMPTED : RUN_LOST;
    return true;
}

/* What the run is by its attempts. */
static bool join_attempts(struct ledger *l, const struct list *list, struct ledger_run *out,
                          struct error *err)
{
    struct stored *stored = list->at;
    struct ledger_attempt *attempts =
        arena_array(list->arena, struct ledger_attempt, list->len, err);
    const struct stored *last = list->len > 0 ? &stored[list->len - 1] : NULL;

    if (attempts == NULL)
        return false;
    if (last == NULL)
        return error_fail(err, ERROR_INPUT, "the ledger '%s' has a run without an attempt",
                          l->name);
    for (size_t i = 0; i < list->len; i++) {
        if (!find_out(l, &stored[i], err))
            return false;
        attempts[i] = stored[i].attempt;
        out->preemptions += attempts[i].state == RUN_PREEMPTED;
    }
    out->attempts = attempts;
    out->attempt_count = (int)list->len;
    ledger_sum(attempts, out->attempt_count, &out->totals);
    out->of_budget = out->start.budget.nano > 0
                         ? usd_double(out->totals.cost) / usd_double(out->start.budget)
                         : NAN;
    out->state = last->attempt.state;
    out->status = last->attempt.status;
    out->reason = last->attempt.reason;
    out->ended = last->attempt.ended;
    out->heard = last->who.heard;
    out->start.host = stored[0].attempt.host;
    out->start.offer = stored[0].attempt.offer;
    out->start.market = stored[0].market;
    out->start.price_source = stored[0].attempt.price_source;
    out->start.rate = stored[0].attempt.rate;
    out->start.boot = stored[0].who.boot;
    out->start.pid = last->who.pid;
    out->start.pid_started = last->who.pid_started;
    return read_texts(l, SQL_FACTS, last->key, list->arena, &out->start.facts, err);
}

static bool column_run(struct query *s, struct arena *arena, struct ledger_start *out,
                       struct error *err)
{
    const char *id = column_word(s, 1);

    if (id == NULL)
        return error_memory(err);
    if (strlen(id) != LEDGER_ID - 1)
        return error_fail(err, ERROR_INPUT, "the ledger has a run with the id '%.40s'", id);
    memcpy(out->id, id, LEDGER_ID);
    out->budget.nano = column_money(s, 7);
    out->electricity.nano = column_money(s, 8);
    out->storage_month.nano = column_money(s, 9);
    out->estimated_cost.nano = column_money(s, 10);
    out->estimated_time.ns = column_count(s, 11);
    out->started.s = column_int(s, 12);
    return column_text(s, 2, arena, &out->name, err) &&
           column_text(s, 3, arena, &out->folder, err) &&
           column_text(s, 4, arena, &out->command, err) &&
           column_text(s, 5, arena, &out->user, err) &&
           column_text(s, 6, arena, &out->commit, err) &&
           column_text(s, 14, arena, &out->origin, err);
}

bool ledger_read_run(struct ledger *l, int64_t key, struct arena *arena, struct ledger_run *out,
                     struct error *err)
{
    struct list attempts = {.arena = arena, .size = sizeof(struct stored)};
    struct query *s = ledger_statement(l, SQL_RUN, err);
    int row;

    if (s == NULL)
        return false;
    *out = (struct ledger_run){0};
    bind_int(s, 1, key);
    row = ledger_row(l, s, "read", err);
    if (row == 0)
        return error_fail(err, ERROR_ABSENT, "the run is no longer in the ledger");
    if (row < 0 || !column_run(s, arena, &out->start, err)) {
        query_reset(s);
        return false;
    }
    query_reset(s);
    return read_texts(l, SQL_TAGS, key, arena, &out->start.tags, err) &&
           read_attempts(l, key, &attempts, err) && join_attempts(l, &attempts, out, err);
}

static bool has_tag(const struct ledger_start *start, struct str pattern)
{
    for (size_t i = 0; i < start->tags.len; i++)
        if (str_glob(start->tags.at[i], pattern))
            return true;
    return false;
}

static bool run_wanted(const struct ledger_query *q, const struct ledger_run *run)
{
    for (size_t i = 0; i < q->tags.len; i++)
        if (!has_tag(&run->start, q->tags.at[i]))
            return false;
    return (q->name.len == 0 || str_glob(run->start.name, q->name)) &&
           (q->state.len == 0 || str_eq(q->state, str_from(ledger_state_name(run->state))));
}

static bool read_runs(struct ledger *l, const struct ledger_query *q, struct list *list,
                      struct error *err)
{
    /* What runs has not ended: of all that ever ran there is no need to look at the rest. */
    bool open = str_eq(q->state, str_from(ledger_state_name(RUN_RUNNING)));
    struct query *s = ledger_statement(l, open ? SQL_RUNS_OPEN : SQL_RUNS, err);
    int row = 0;

    if (s == NULL)
        return false;
    bind_int(s, 1, q->since.s < 0 ? INT64_MIN : q->since.s);
    bind_count(s, 2, q->until.s);
    while ((q->limit <= 0 || list->len < (size_t)q->limit) &&
           (row = ledger_row(l, s, "read", err)) > 0) {
        struct ledger_run run, *kept;

        if (!ledger_read_run(l, column_int(s, 0), list->arena, &run, err)) {
            row = -1;
            break;
        }
        if (!run_wanted(q, &run))
            continue;
        kept = list_add(list, err);
        if (kept == NULL) {
            row = -1;
            break;
        }
        *kept = run;
    }
    query_reset(s);
    return row >= 0;
}

bool ledger_runs(struct ledger *l, const struct ledger_query *query, struct arena *arena,
                 const struct ledger_run **out, size_t *count, struct error *err)
{
    struct list list = {.arena = arena, .size = sizeof(struct ledger_run)};
    int begun = ledger_start_read(l, err);

    *out = NULL;
    *count = 0;
    if (begun <= 0)
        return begun == 0;
    if (!ledger_finish(l, read_runs(l, query, &list, err), err))
        return false;
    *out = list.at;
    *count = list.len;
    return true;
}

/* ---- finding a run by id or name ---- */

#define SHORTEST 4 /* characters of an id that are enough to look for it */

static bool could_be_id(struct str what)
{
    if (what.len < SHORTEST || what.len >= LEDGER_ID)
        return false;
    for (size_t i = 0; i < what.len; i++)
        if (strchr("0123456789abcdef-", what.at[i]) == NULL || what.at[i] == '\0')
            return false;
    return true;
}

/* The run whose id starts or ends so: 1, 0 when there is none, -1 with the error set. */
static int find_id(struct ledger *l, struct str what, int64_t *key, struct error *err)
{
    struct query *s = could_be_id(what) ? ledger_statement(l, SQL_RUN_IDS, err) : NULL;
    char ids[3][LEDGER_ID] = {{0}};
    int row, found = 0;

    if (s == NULL)
        return could_be_id(what) ? -1 : 0;
    bind_int(s, 1, (int64_t)what.len);
    bind_text(s, 2, what);
    while ((row = ledger_row(l, s, "read", err)) > 0 && found < 3) {
        const char *id = column_word(s, 1);

        if (found == 0)
            *key = column_int(s, 0);
        (void)snprintf(ids[found++], LEDGER_ID, "%s", id != NULL ? id : "");
    }
    query_reset(s);
    if (row < 0)
        return -1;
    if (found < 2)
        return found;
    error_set(err, ERROR_INPUT, "several runs have ids that start or end with '%.*s'",
              STR_ARG(what));
    error_hint(err, "give more of it: %s, %s%s%s", ids[0], ids[1], found > 2 ? ", " : "",
               ids[2]);
    return -1;
}

static int find_key(struct ledger *l, enum ledger_sql which, struct str name, int64_t *key,
                    struct error *err)
{
    struct query *s = ledger_statement(l, which, err);
    int row;

    if (s == NULL)
        return -1;
    if (which == SQL_RUN_NAMED)
        bind_text(s, 1, name);
    row = ledger_row(l, s, "read", err);
    if (row > 0)
        *key = column_int(s, 0);
    query_reset(s);
    return row;
}

static bool run_absent(struct ledger *l, struct str what, struct error *err)
{
    struct query *s = ledger_statement(l, SQL_NAMES, err);
    struct suggestion guess = {.wanted = what};
    char best[80] = "";
    unsigned distance = UINT_MAX;
    int row;

    if (s == NULL)
        return false;
    while ((row = ledger_row(l, s, "read", err)) > 0) {
        suggestion_try(&guess, str_from(column_word(s, 0)));
        if (guess.best.len > 0 && guess.distance < distance) { /* the text is the row's */
            (void)snprintf(best, sizeof best, "%.*s", STR_ARG(guess.best));
            distance = guess.distance;
        }
        guess.best = str_from(best);
    }
    if (row < 0)
        return false;
    error_set(err, ERROR_ABSENT, "there is no run '%.*s'", STR_ARG(what));
    if (!suggestion_hint(&guess, err))
        error_hint(err, "'stint runs' lists them; 'last' is the newest");
    return false;
}

static bool find_run(struct ledger *l, struct str what, struct arena *arena,
                     struct ledger_run *out, struct error *err)
{
    bool last = str_eq(what, STR("last"));
    int64_t key = 0;
    int found = last ? find_key(l, SQL_RUN_LAST, what, &key, err) : find_id(l, what, &key, err);

    if (found == 0 && !last)
        found = find_key(l, SQL_RUN_NAMED, what, &key, err);
    if (found == 0)
        return run_absent(l, what, err);
    return found > 0 && ledger_read_run(l, key, arena, out, err);
}

bool ledger_find(struct ledger *l, struct str what, struct arena *arena, struct ledger_run *out,
                 struct error *err)
{
    int begun = ledger_start_read(l, err);

    if (begun == 0) {
        error_set(err, ERROR_ABSENT, "the ledger '%s' has no runs yet", l->name);
        error_hint(err, "'stint run -- COMMAND' makes one");
    }
    return begun > 0 && ledger_finish(l, find_run(l, what, arena, out, err), err);
}
