/* Reading runs: each with its attempts and their totals. */
#include <math.h>
#include <string.h>

#include "ledger/runs/members.h"

#define RUN \
    "run, id, name, folder, command, owner, commit_id, budget_nano, electricity_nano," \
    " storage_month_nano, estimated_cost_nano, estimated_ns, started, origin," \
    " coalesce(digest, '')"

/* From the last start (?2) back to the first (?1): a range of the index, which is read only
 * as far as rows are asked for. ?3 and ?4: start and key of the run that the list goes on
 * after. */
#define RUNS_PART \
    " started >= ?1 AND started <= ?2 AND (started < ?3 OR run < ?4)" \
    " ORDER BY started DESC, run DESC"

#define RUNS "SELECT run, name FROM runs WHERE "
#define RUNS_OPEN RUNS "run IN (SELECT run FROM attempts WHERE ended IS NULL) AND"
#define RUNS_TAGGED \
    RUNS "run IN (SELECT run FROM tags WHERE lower(key) = lower(CAST(?5 AS TEXT))" \
         " AND lower(value) = lower(CAST(?6 AS TEXT))) AND"

static const char runs_sql[] = RUNS RUNS_PART;
static const char runs_open_sql[] = RUNS_OPEN RUNS_PART;
static const char runs_tagged_sql[] = RUNS_TAGGED RUNS_PART;
static const char runs_same_sql[] = RUNS "digest = ?5 AND" RUNS_PART;

/* By the sum of a column over the attempts: all runs of that time are looked at. */
#define RUNS_BY(from, column, direction) \
    from " started >= ?1 AND started <= ?2 AND (started < ?3 OR run < ?4) ORDER BY (SELECT " \
         "sum(" column ") FROM attempts a WHERE a.run = runs.run) " direction " NULLS LAST," \
         " started DESC, run DESC"
#define RUNS_SORTED(from) \
    { \
        [LEDGER_COST] = {RUNS_BY(from, "cost_nano", "DESC"), \
                         RUNS_BY(from, "cost_nano", "ASC")}, \
        [LEDGER_TIME] = {RUNS_BY(from, "elapsed_ns", "DESC"), \
                         RUNS_BY(from, "elapsed_ns", "ASC")}, \
        [LEDGER_ENERGY] = {RUNS_BY(from, "joules", "DESC"), RUNS_BY(from, "joules", "ASC")}, \
    }

static const char *const sorted_sql[LEDGER_ORDERS][2] = RUNS_SORTED(RUNS);
static const char *const sorted_open_sql[LEDGER_ORDERS][2] = RUNS_SORTED(RUNS_OPEN);
static const char *const sorted_tagged_sql[LEDGER_ORDERS][2] = RUNS_SORTED(RUNS_TAGGED);
static const char run_sql[] = "SELECT " RUN " FROM runs WHERE run = ?";
/* Finding one run: of the team ?1 only, unless that is empty. */
#define OF_TEAM \
    " AND (CAST(?1 AS TEXT) = '' OR run IN (SELECT run FROM tags WHERE lower(key) = 'team'" \
    " AND lower(value) = lower(CAST(?1 AS TEXT))))"

static const char run_ids_sql[] =
    "SELECT run, id FROM runs WHERE (substr(id, 1, CAST(?2 AS INTEGER)) = ?3"
    " OR substr(id, length(id) + 1 - CAST(?2 AS INTEGER)) = ?3)" OF_TEAM
    " ORDER BY started DESC, run DESC LIMIT 4";
static const char run_of_id_sql[] = "SELECT run FROM runs WHERE id = ?2" OF_TEAM;
static const char place_of_id_sql[] = "SELECT started, run FROM runs WHERE id = ?";
static const char run_named_sql[] =
    "SELECT run FROM runs WHERE name = ?2" OF_TEAM " ORDER BY started DESC, run DESC LIMIT 1";
static const char run_last_sql[] =
    "SELECT run FROM runs WHERE 1 = 1" OF_TEAM " ORDER BY started DESC, run DESC LIMIT 1";
static const char names_sql[] =
    "SELECT DISTINCT name FROM runs WHERE 1 = 1" OF_TEAM " ORDER BY name LIMIT 10000";
static const char tags_sql[] =
    "SELECT CASE value WHEN '' THEN key ELSE key || '=' || value END FROM tags"
    " WHERE run = ? ORDER BY key";
static const char facts_sql[] = "SELECT fact FROM facts WHERE attempt = ? ORDER BY position";
static const char attempts_sql[] =
    "SELECT attempt, number, state, status, reason, started, ended, host, boot,"
    " pid, pid_started, pid_namespace, offer, market, price_source, "
    "rate_nano, " LEDGER_TOTALS_COLUMNS " FROM attempts WHERE run = ? ORDER BY number";

static const char last_state_sql[] =
    "SELECT state FROM attempts WHERE run = ? ORDER BY number DESC LIMIT 1";

static const char events_sql[] =
    "SELECT number, e.at, kind, words, left_out FROM events e JOIN attempts USING(attempt)"
    " JOIN runs USING(run) WHERE id = ? ORDER BY number, event";
static const char checkpoints_sql[] =
    "SELECT "
    "path, at, bytes, step, metric, took_s, cost_nano, best, coalesce(metric_name, ''), gone"
    " FROM checkpoints JOIN runs USING(run) WHERE id = ? ORDER BY at, path";
static const char prices_sql[] =
    "SELECT number, s.started, s.ended, s.rate_nano, s.offer, source FROM segments s"
    " JOIN attempts USING(attempt) JOIN runs USING(run) WHERE id = ?"
    " ORDER BY number, s.started";

/* ---- the sum of attempts ---- */

static void add_known_value(double *to, double value)
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

static double mean_or_unknown(const struct mean *m)
{
    return m->weight > 0 ? m->sum / m->weight : NAN;
}

static void add_totals_money(struct ledger_totals *to, const struct ledger_totals *t)
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

static void add_totals_amounts(struct ledger_totals *to, const struct ledger_totals *t)
{
    to->elapsed.ns =
        to->elapsed.ns < 0 || t->elapsed.ns < 0 ? -1 : to->elapsed.ns + t->elapsed.ns;
    to->paid.ns = to->paid.ns < 0 || t->paid.ns < 0 ? -1 : to->paid.ns + t->paid.ns;
    add_known_value(&to->joules, t->joules);
    add_known_value(&to->gpu_joules, t->gpu_joules);
    add_known_value(&to->cpu_joules, t->cpu_joules);
    add_known_value(&to->grams, t->grams);
    add_known_value(&to->cpu_s, t->cpu_s);
    add_known_value(&to->read, t->read);
    add_known_value(&to->written, t->written);
    add_known_value(&to->received, t->received);
    add_known_value(&to->sent, t->sent);
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
    sum_renew(&to->step_s, t->step_s);
    sum_renew(&to->startup_s, t->startup_s);
    sum_renew(&to->gpu_watts, t->gpu_watts);
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
            add_totals_money(out, t);
            add_totals_amounts(out, t);
            add_states(out, t);
        }
        first = false;
    }
    if (first)
        return;
    out->gpu_busy = mean_or_unknown(&busy);
    out->score = mean_or_unknown(&score);
    out->seed_score = mean_or_unknown(&seed);
    if (energy_error.weight > 0)
        out->energy_error = mean_or_unknown(&energy_error);
    out->lost_s = count > 1 ? lost : NAN;
}

/* ---- runs ---- */

static bool read_run_texts(struct ledger *l, const char *sql, int64_t key, struct arena *arena,
                           struct strs *out, struct error *err)
{
    static const struct field itself = {.type = FIELD_TEXT};
    static const struct ledger_list list = {.fields = {&itself, 1, sizeof(struct str)}};
    struct rows rows;

    if (!ledger_list_read(l, sql, VALUES(as_int(key)), &list, arena, &rows, err))
        return false;
    *out = (struct strs){rows.at, rows.len};
    return true;
}

/* One attempt, as it is stored, and who watched over it. */
struct stored {
    struct ledger_attempt attempt;
    struct ledger_supervisor who;
    struct str market;
    int64_t key;
};

static bool read_attempt(struct query *s, struct arena *arena, void *to, struct error *err)
{
    struct stored *out = to;
    struct ledger_attempt *a = &out->attempt;
    const char *state = column_word(s, 2);

    if (state == NULL)
        return error_memory(err);
    if (!ledger_state_parse(str_from(state), &a->state)) /* the table's CHECK forbids it */
        return error_fail(err, ERROR_DAMAGED, "a run of the ledger has an unknown state");
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
        !column_fields(s, 16, &ledger_totals_members, arena, &a->totals, err))
        return false;
    out->who.host = a->host;
    out->who.heard = a->totals.at;
    return true;
}

/* An attempt that says it runs: does it? */
static bool find_state(struct ledger *l, const struct stored *stored, enum ledger_state *out,
                       struct error *err)
{
    bool noticed;

    *out = stored->attempt.state;
    if (*out != RUN_RUNNING || ledger_alive(&stored->who, l->clock->today(l->clock->ctx)))
        return true;
    if (!ledger_noticed(l, stored->key, &noticed, err))
        return false;
    *out = noticed ? RUN_PREEMPTED : RUN_LOST;
    return true;
}

/* What the run is by its attempts. */
static bool join_attempts(struct ledger *l, const struct stored *stored, size_t count,
                          struct arena *arena, struct ledger_run *out, struct error *err)
{
    struct ledger_attempt *attempts = arena_array(arena, struct ledger_attempt, count, err);
    const struct stored *last = count > 0 ? &stored[count - 1] : NULL;

    if (attempts == NULL)
        return false;
    if (last == NULL)
        return error_fail(err, ERROR_DAMAGED, "the ledger '%s' has a run without an attempt",
                          l->name);
    for (size_t i = 0; i < count; i++) {
        attempts[i] = stored[i].attempt;
        if (!find_state(l, &stored[i], &attempts[i].state, err))
            return false;
        out->interruptions += attempts[i].state == RUN_PREEMPTED;
    }
    out->attempts = attempts;
    out->attempt_count = (int)count;
    ledger_sum(attempts, out->attempt_count, &out->totals);
    out->budget_share = out->start.budget.nano > 0
                            ? usd_double(out->totals.cost) / usd_double(out->start.budget)
                            : NAN;
    out->state = attempts[count - 1].state;
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
    return read_run_texts(l, facts_sql, last->key, arena, &out->start.facts, err);
}

static bool column_run(struct query *s, struct arena *arena, struct ledger_start *out,
                       struct error *err)
{
    const char *id = column_word(s, 1);

    if (id == NULL)
        return error_memory(err);
    if (strlen(id) != LEDGER_ID - 1)
        return error_fail(err, ERROR_DAMAGED, "the ledger has a run with the id '%.40s'", id);
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
           column_text(s, 13, arena, &out->origin, err) &&
           column_text(s, 14, arena, &out->digest, err);
}

bool ledger_read_run(struct ledger *l, int64_t key, struct arena *arena, struct ledger_run *out,
                     struct error *err)
{
    static const struct ledger_list list = {.fields.size = sizeof(struct stored),
                                            .read = read_attempt};
    struct query *q = ledger_query(l, run_sql, VALUES(as_int(key)), err);
    int row = ledger_row(l, q, "read", err);
    struct rows attempts;

    *out = (struct ledger_run){0};
    if (row == 0)
        return error_fail(err, ERROR_ABSENT, "the run is no longer in the ledger");
    if (row > 0 && !column_run(q, arena, &out->start, err))
        row = -1;
    query_reset(q);
    return row > 0 && read_run_texts(l, tags_sql, key, arena, &out->start.tags, err) &&
           ledger_list_read(l, attempts_sql, VALUES(as_int(key)), &list, arena, &attempts,
                            err) &&
           join_attempts(l, attempts.at, attempts.len, arena, out, err);
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
    if (q->unfinished && run->state != RUN_RUNNING && run->state != RUN_LOST)
        return false;
    return (q->name.len == 0 || str_glob(run->start.name, q->name)) &&
           (q->state.len == 0 || str_eq(q->state, str_from(ledger_state_name(run->state))) ||
            str_eq(q->state, str_from(ledger_state_word(run->state, run->reason))));
}

/* Runs as they are read. */
struct run_list {
    struct arena *arena;
    struct ledger_run *at;
    size_t len, room;
};

/* Can it be in the state that is asked for, by what is stored of its last attempt? A state that
 * is final is that of the run. */
static bool may_be_in_state(struct ledger *l, const struct ledger_query *q, int64_t key,
                            bool *may, struct error *err)
{
    struct query *s = ledger_query(l, last_state_sql, VALUES(as_int(key)), err);
    int row = ledger_row(l, s, "read", err);
    enum ledger_state stored, asked;

    *may = row > 0 && (!ledger_state_parse(q->state, &asked) ||
                       !ledger_state_parse(column_view(s, 0), &stored) ||
                       stored == RUN_RUNNING || stored == asked);
    query_reset(s);
    return row >= 0;
}

/* Is it wanted? What is read to find out is not kept: of a million runs few may be. */
static bool look_at_run(struct ledger *l, const struct ledger_query *q, int64_t key,
                        bool *wanted, struct error *err)
{
    struct arena scratch = {.alloc = l->alloc, .block_size = 4096};
    struct ledger_run run;
    bool ok;

    *wanted = true;
    if (q->state.len > 0 && !may_be_in_state(l, q, key, wanted, err))
        return false;
    if (!*wanted)
        return true;
    ok = ledger_read_run(l, key, &scratch, &run, err);
    *wanted = ok && run_wanted(q, &run);
    arena_free(&scratch);
    return ok;
}

static bool add_listed_run(struct ledger *l, const struct ledger_query *q, int64_t key,
                           struct run_list *list, struct error *err)
{
    bool selects = q->limit > 0 && (q->tags.len > 0 || q->state.len > 0), wanted = true;
    struct ledger_run run;

    if (selects && !look_at_run(l, q, key, &wanted, err))
        return false;
    if (!wanted)
        return true;
    if (!ledger_read_run(l, key, list->arena, &run, err))
        return false;
    if (!run_wanted(q, &run))
        return true;
    list->at = arena_grow(list->arena, list->at, list->len, sizeof *list->at, &list->room, err);
    if (list->at == NULL)
        return false;
    list->at[list->len++] = run;
    return true;
}

/* Where the list goes on: the start and the key of the run before it. */
static bool find_run_place(struct ledger *l, struct str id, int64_t *started, int64_t *key,
                           struct error *err)
{
    struct query *q;
    int row;

    *started = *key = INT64_MAX;
    if (id.len == 0)
        return true;
    q = ledger_query(l, place_of_id_sql, VALUES(as_text(id)), err);
    row = ledger_row(l, q, "read", err);
    if (row > 0) {
        *started = column_int(q, 0);
        *key = column_int(q, 1);
    }
    query_reset(q);
    return row > 0 ||
           (row == 0 && error_fail(err, ERROR_ABSENT, "there is no run '%.*s'", STR_ARG(id)));
}

/* A tag of the query that is no pattern: a look through the index of tags finds its runs, where
 * all others would be read to find out that they do not have it. */
static bool exact_tag(const struct ledger_query *q, struct str *key, struct str *value)
{
    for (size_t i = 0; i < q->tags.len; i++) {
        *value = q->tags.at[i];
        if (memchr(value->at, '*', value->len) != NULL ||
            memchr(value->at, '?', value->len) != NULL)
            continue;
        *key = str_cut(value, '=');
        if (value->at == NULL)
            *value = STR("");
        return true;
    }
    return false;
}

/* The keys of the runs that may be wanted, in order. */
static struct query *query_runs(struct ledger *l, const struct ledger_query *q,
                                struct error *err)
{
    /* What runs has not ended: of all that ever ran there is no need to look at the rest. */
    bool open = q->unfinished || str_eq(q->state, str_from(ledger_state_name(RUN_RUNNING)));
    int64_t since = q->since.s < 0 ? INT64_MIN : q->since.s;
    int64_t until = q->until.s < 0 ? INT64_MAX : q->until.s, after, run;
    struct str key, value;
    const char *plain = q->order != LEDGER_NEWEST
                            ? (open ? sorted_open_sql : sorted_sql)[q->order][q->reverse]
                        : open ? runs_open_sql
                               : runs_sql;

    if (!find_run_place(l, q->before, &after, &run, err))
        return NULL;
    until = after < until ? after : until;
    if (q->digest.len > 0)
        return ledger_query(l, runs_same_sql,
                            VALUES(as_int(since), as_int(until), as_int(after), as_int(run),
                                   as_text(q->digest)),
                            err);
    if (!open && exact_tag(q, &key, &value))
        return ledger_query(l,
                            q->order != LEDGER_NEWEST ? sorted_tagged_sql[q->order][q->reverse]
                                                      : runs_tagged_sql,
                            VALUES(as_int(since), as_int(until), as_int(after), as_int(run),
                                   as_text(key), as_text(value)),
                            err);
    return ledger_query(l, plain,
                        VALUES(as_int(since), as_int(until), as_int(after), as_int(run)), err);
}

static bool read_ledger_runs(struct ledger *l, const struct ledger_query *q,
                             struct run_list *list, struct error *err)
{
    struct query *s = query_runs(l, q, err);
    int row = s != NULL ? 0 : -1;

    while ((q->limit <= 0 || list->len < (size_t)q->limit) &&
           (row = ledger_row(l, s, "read", err)) > 0)
        if ((q->name.len == 0 || str_glob(column_view(s, 1), q->name)) &&
            !add_listed_run(l, q, column_int(s, 0), list, err)) {
            row = -1;
            break;
        }
    query_reset(s);
    return row >= 0;
}

/* The key of the run that the statement finds: 1, 0 when there is none, -1. */
static int find_run_key(struct ledger *l, const char *sql, struct values values, int64_t *key,
                        struct error *err)
{
    struct query *q = ledger_query(l, sql, values, err);
    int row = ledger_row(l, q, "read", err);

    if (row > 0)
        *key = column_int(q, 0);
    query_reset(q);
    return row;
}

/* A process that records its end while its run is read is gone when it is looked for, and the
 * run looks lost: it is read once more. */
static bool read_lost_again(struct ledger *l, struct ledger_run *runs, size_t count,
                            struct arena *arena, struct error *err)
{
    size_t lost = 0;
    int begun;
    bool ok = true;

    for (size_t i = 0; i < count; i++)
        lost += runs[i].state == RUN_LOST;
    if (lost == 0)
        return true;
    begun = ledger_start_read(l, err);
    for (size_t i = 0; begun > 0 && ok && i < count; i++) {
        int64_t key = 0;
        int found;

        if (runs[i].state != RUN_LOST)
            continue;
        found = find_run_key(l, run_of_id_sql,
                             VALUES(as_text(STR("")), as_text(str_from(runs[i].start.id))),
                             &key, err);
        ok = found == 0 || (found > 0 && ledger_read_run(l, key, arena, &runs[i], err));
    }
    return begun <= 0 ? begun == 0 : ledger_finish(l, ok, err);
}

bool ledger_runs(struct ledger *l, const struct ledger_query *query, struct arena *arena,
                 const struct ledger_run **out, size_t *count, struct error *err)
{
    struct run_list list = {.arena = arena};
    int begun = ledger_start_read(l, err);

    *out = NULL;
    *count = 0;
    if (begun <= 0)
        return begun == 0;
    if (!ledger_finish(l, read_ledger_runs(l, query, &list, err), err) ||
        !read_lost_again(l, list.at, list.len, arena, err))
        return false;
    for (size_t i = 0; i < list.len; i++)
        if (run_wanted(query, &list.at[i]))
            list.at[(*count)++] = list.at[i];
    *out = list.at;
    return true;
}

/* ---- events, checkpoints and prices of a run ---- */

static bool read_event(struct query *q, struct arena *arena, void *to, struct error *err)
{
    struct ledger_happening *out = to;

    out->attempt = (int)column_int(q, 0);
    return column_fields(q, 1, &ledger_event_members, arena, out, err);
}

static bool read_checkpoint(struct query *q, struct arena *arena, void *to, struct error *err)
{
    struct ledger_checkpoint *out = to;

    (void)arena;
    (void)err;
    out->gone.s = column_count(q, 9);
    out->kept = out->gone.s < 0;
    return true;
}

bool ledger_events(struct ledger *l, const char *id, struct arena *arena,
                   const struct ledger_happening **out, size_t *count, struct error *err)
{
    static const struct ledger_list list = {.fields.size = sizeof **out, .read = read_event};

    return ledger_list_all(l, events_sql, VALUES(as_text(str_from(id))), &list, arena,
                           LIST_OUT(out, count), err);
}

bool ledger_checkpoints(struct ledger *l, const char *id, struct arena *arena,
                        const struct ledger_checkpoint **out, size_t *count, struct error *err)
{
    const struct ledger_list list = {ledger_checkpoint_members, read_checkpoint};

    return ledger_list_all(l, checkpoints_sql, VALUES(as_text(str_from(id))), &list, arena,
                           LIST_OUT(out, count), err);
}

bool ledger_prices(struct ledger *l, const char *id, struct arena *arena,
                   const struct ledger_price **out, size_t *count, struct error *err)
{
    const struct ledger_list list = {.fields = ledger_price_fields};

    return ledger_list_all(l, prices_sql, VALUES(as_text(str_from(id))), &list, arena,
                           LIST_OUT(out, count), err);
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
static int find_id(struct ledger *l, struct str what, struct str team, int64_t *key,
                   struct error *err)
{
    struct query *s;
    char ids[3][LEDGER_ID] = {{0}};
    int row, found = 0;

    if (!could_be_id(what))
        return 0;
    if (what.len == LEDGER_ID - 1) /* complete: by the index */
        return find_run_key(l, run_of_id_sql, VALUES(as_text(team), as_text(what)), key, err);
    s = ledger_query(l, run_ids_sql,
                     VALUES(as_text(team), as_int((int64_t)what.len), as_text(what)), err);
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

/* The name of a run that is nearest to what was asked for; `best` keeps it. */
static bool nearest_run(struct ledger *l, struct str team, struct suggestion *guess,
                        char best[static 80], bool *any, struct error *err)
{
    struct query *s = ledger_query(l, names_sql, VALUES(as_text(team)), err);
    unsigned distance = UINT_MAX;
    int row;

    best[0] = '\0';
    *any = false;
    while ((row = ledger_row(l, s, "read", err)) > 0) {
        *any = true;
        suggestion_try(guess, str_from(column_word(s, 0)));
        if (guess->best.len > 0 && guess->distance < distance) { /* the text is the row's */
            (void)snprintf(best, 80, "%.*s", STR_ARG(guess->best));
            distance = guess->distance;
        }
        guess->best = str_from(best);
    }
    return row == 0;
}

static bool run_absent(struct ledger *l, struct str what, struct str team, struct error *err)
{
    struct suggestion guess = {.wanted = what};
    char best[80];
    bool any;

    if (!nearest_run(l, team, &guess, best, &any, err))
        return false;
    if (team.len > 0)
        error_set(err, ERROR_ABSENT, "the team '%.*s' has no run '%.*s'", STR_ARG(team),
                  STR_ARG(what));
    else if (any)
        error_set(err, ERROR_ABSENT, "there is no run '%.*s'", STR_ARG(what));
    else {
        error_set(err, ERROR_ABSENT, "there is no run '%.*s': the ledger has no runs yet",
                  STR_ARG(what));
        error_hint(err, "'stint run -- COMMAND' records one");
        return false;
    }
    if (!suggestion_hint(&guess, err))
        error_hint(err, "'stint runs' lists them; 'last' is the newest");
    return false;
}

static bool find_ledger_run(struct ledger *l, struct str what, struct str team,
                            struct arena *arena, struct ledger_run *out, struct error *err)
{
    bool last = str_eq(what, STR("last"));
    int64_t key = 0;
    int found = last ? find_run_key(l, run_last_sql, VALUES(as_text(team)), &key, err)
                     : find_id(l, what, team, &key, err);

    if (found == 0 && !last)
        found = find_run_key(l, run_named_sql, VALUES(as_text(team), as_text(what)), &key, err);
    if (found == 0)
        return run_absent(l, what, team, err);
    return found > 0 && ledger_read_run(l, key, arena, out, err);
}

bool ledger_find(struct ledger *l, struct str what, struct arena *arena, struct ledger_run *out,
                 struct error *err)
{
    return ledger_find_of_team(l, what, STR(""), arena, out, err);
}

bool ledger_find_of_team(struct ledger *l, struct str what, struct str team,
                         struct arena *arena, struct ledger_run *out, struct error *err)
{
    int begun = ledger_start_read(l, err);

    if (begun == 0) {
        error_set(err, ERROR_ABSENT, "the ledger '%s' has no runs yet", l->name);
        error_hint(err, "'stint run -- COMMAND' makes one");
    }
    return begun > 0 &&
           ledger_finish(l, find_ledger_run(l, what, team, arena, out, err), err) &&
           read_lost_again(l, out, 1, arena, err);
}
