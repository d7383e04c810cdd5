#include "ledger/runs/learning.h"

#include "ledger/engine/list.h"

static const char outcomes_sql[] =
    "SELECT r.id, r.name, coalesce(max(a.gpu), ''), r.features, coalesce(r.constants, ''),"
    " r.started, r.estimated_cost_nano, sum(a.cost_nano), count(*) - count(a.cost_nano),"
    " avg(a.step_s), avg(a.startup_s),"
    " max(coalesce(a.gpu_memory_run, a.gpu_memory_peak)), avg(a.gpu_watts),"
    " coalesce(min(a.gpu), '')"
    " FROM runs r JOIN attempts a ON a.run = r.run"
    " WHERE r.features IS NOT NULL AND r.started >= ?1"
    " AND EXISTS(SELECT 1 FROM attempts d WHERE d.run = r.run AND d.number = r.attempts"
    "  AND d.state = 'done')"
    " GROUP BY r.run, r.id, r.name, r.features, r.constants, r.started,"
    " r.estimated_cost_nano ORDER BY r.started, r.run";
static const char estimate_sql[] =
    "UPDATE runs SET estimated_cost_nano = ?2, estimated_ns = ?3, features = ?4,"
    " constants = ?5, job = coalesce(job, ?6) WHERE id = ?1 AND features IS NULL";
static const char features_sql[] = "SELECT coalesce(features, '') FROM runs WHERE id = ?1";
static const char job_sql[] = "SELECT coalesce(job, '') FROM runs WHERE id = ?1";
static const char jobs_sql[] =
    "SELECT r.name, coalesce(t.value, ''), r.job FROM runs r"
    " LEFT JOIN tags t ON t.run = r.run AND t.key = 'project' WHERE r.run IN"
    " (SELECT max(n.run) FROM runs n LEFT JOIN tags p ON p.run = n.run AND p.key = 'project'"
    "  WHERE n.job IS NOT NULL AND n.started >= ?1 AND (CAST(?2 AS BIGINT) IS NULL OR"
    "  n.started <= CAST(?2 AS BIGINT)) GROUP BY n.name, coalesce(p.value, ''))"
    " ORDER BY r.run DESC";
static const char drop_sql[] = "DELETE FROM corrections";
static const char put_sql[] =
    "INSERT INTO corrections(what, gpu, framework, model, setting, factor, low, high, runs,"
    " constants, made) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
static const char read_sql[] =
    "SELECT what, gpu, framework, model, setting, factor, low, high, runs, constants, made"
    " FROM corrections ORDER BY what, gpu, framework, model, setting";

static bool read_outcome(struct query *q, struct arena *arena, void *to, struct error *err)
{
    struct ledger_outcome *out = to;

    out->started.s = column_int(q, 5);
    out->predicted_cost.nano = column_money(q, 6);
    out->actual_cost.nano = column_int(q, 8) == 0 ? column_money(q, 7) : MONEY_UNKNOWN;
    out->step_s = column_number(q, 9);
    out->startup_s = column_number(q, 10);
    out->memory = column_number(q, 11);
    out->watts = column_number(q, 12);
    return column_text(q, 0, arena, &out->id, err) &&
           column_text(q, 1, arena, &out->name, err) &&
           column_text(q, 2, arena, &out->gpu, err) &&
           column_text(q, 3, arena, &out->features, err) &&
           column_text(q, 4, arena, &out->constants, err) &&
           column_text(q, 13, arena, &out->other_gpu, err);
}

bool ledger_outcomes(struct ledger *l, stamp since, struct arena *arena,
                     const struct ledger_outcome **out, size_t *count, struct error *err)
{
    static const struct ledger_list list = {.fields.size = sizeof **out, .read = read_outcome};

    return ledger_list_all(l, outcomes_sql, VALUES(as_int(since.s < 0 ? 0 : since.s)), &list,
                           arena, LIST_OUT(out, count), err);
}

bool ledger_put_estimate(struct ledger *l, const char *id,
                         const struct ledger_estimate *estimate, struct error *err)
{
    return ledger_run(l, estimate_sql,
                      VALUES(as_text(str_from(id)), as_money(estimate->cost.nano),
                             as_count(estimate->time.ns), as_text(estimate->features),
                             as_text(estimate->constants), as_text_or_null(estimate->job)),
                      err);
}

/* A text of a run; empty when there is none. */
static bool read_text_of(struct ledger *l, const char *sql, const char *id, struct arena *arena,
                         struct str *out, struct error *err)
{
    static const struct field itself = {.type = FIELD_TEXT};
    static const struct ledger_list list = {.fields = {&itself, 1, sizeof(struct str)}};
    const struct str *texts;
    size_t count;

    if (!ledger_list_all(l, sql, VALUES(as_text(str_from(id))), &list, arena,
                         LIST_OUT(&texts, &count), err))
        return false;
    *out = count > 0 ? texts[0] : (struct str){0};
    return true;
}

bool ledger_features(struct ledger *l, const char *id, struct arena *arena, struct str *out,
                     struct error *err)
{
    return read_text_of(l, features_sql, id, arena, out, err);
}

bool ledger_job(struct ledger *l, const char *id, struct arena *arena, struct str *out,
                struct error *err)
{
    return read_text_of(l, job_sql, id, arena, out, err);
}

bool ledger_jobs(struct ledger *l, stamp since, stamp until, struct arena *arena,
                 const struct ledger_work_job **out, size_t *count, struct error *err)
{
    static const struct field members[] = {MEMBER(TEXT, ledger_work_job, name),
                                           MEMBER(TEXT, ledger_work_job, project),
                                           MEMBER(TEXT, ledger_work_job, job)};
    static const struct ledger_list list = LEDGER_LIST(struct ledger_work_job, members);

    return ledger_list_all(l, jobs_sql,
                           VALUES(as_int(since.s < 0 ? 0 : since.s), as_count(until.s)), &list,
                           arena, LIST_OUT(out, count), err);
}

static const struct field correction_members[] = {
    MEMBER(TEXT, ledger_correction, what),      MEMBER(TEXT, ledger_correction, gpu),
    MEMBER(TEXT, ledger_correction, framework), MEMBER(TEXT, ledger_correction, model),
    MEMBER(TEXT, ledger_correction, setting),   MEMBER(NUMBER, ledger_correction, factor),
    MEMBER(NUMBER, ledger_correction, low),     MEMBER(NUMBER, ledger_correction, high),
    MEMBER(COUNT, ledger_correction, runs),     MEMBER(TEXT, ledger_correction, constants),
    MEMBER(COUNT, ledger_correction, made),
};
static const struct ledger_list correction_list =
    LEDGER_LIST(struct ledger_correction, correction_members);

static bool put_corrections(struct ledger *l, const struct ledger_correction *rows,
                            size_t count, struct error *err)
{
    bool ok = ledger_run(l, drop_sql, NO_VALUES, err);

    for (size_t i = 0; ok && i < count; i++) {
        struct query *q = ledger_query(l, put_sql, NO_VALUES, err);

        (void)query_bind_fields(q, 1, &correction_list.fields, &rows[i]);
        ok = ledger_done(l, q, "write", err);
    }
    return ok;
}

bool ledger_corrections_put(struct ledger *l, const struct ledger_correction *rows,
                            size_t count, struct error *err)
{
    return ledger_start_alone(l, err) &&
           ledger_finish(l, put_corrections(l, rows, count, err), err);
}

bool ledger_corrections(struct ledger *l, struct arena *arena,
                        const struct ledger_correction **out, size_t *count, struct error *err)
{
    return ledger_list_all(l, read_sql, NO_VALUES, &correction_list, arena,
                           LIST_OUT(out, count), err);
}

bool ledger_fact_values(struct ledger *ledger, const struct ledger_query *query,
                        const char *name, struct arena *arena, struct strs *out,
                        struct error *err)
{
    const struct ledger_run *runs;
    struct str *values;
    size_t count;

    *out = (struct strs){0};
    if (!ledger_runs(ledger, query, arena, &runs, &count, err))
        return false;
    values = arena_array(arena, struct str, count + 1, err);
    for (size_t i = 0; values != NULL && i < count; i++) {
        values[out->len] = ledger_fact(&runs[i], name);
        out->len += values[out->len].len > 0;
    }
    out->at = values;
    return values != NULL;
}
