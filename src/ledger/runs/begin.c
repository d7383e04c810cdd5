/* The beginning of a run, or of the next attempt at one. */
#include "ledger/internal.h"

#include <math.h>
#include <string.h>

/* The attempt that a new one goes on from. */
struct before {
    int64_t run, attempt;
    int number;
    stamp started, ended;
    bool open; /* it never said that it ended */
    char id[LEDGER_ID];
};

static bool add_tags(struct ledger *l, int64_t run, const struct strs *tags, struct error *err)
{
    for (size_t i = 0; i < tags->len; i++) {
        struct query *s = ledger_statement(l, SQL_ADD_TAG, err);
        struct str value = tags->at[i];
        struct str key = str_cut(&value, '=');

        if (s == NULL)
            return false;
        bind_int(s, 1, run);
        bind_text(s, 2, key);
        bind_text(s, 3, value);
        if (!ledger_done(l, s, "write", err))
            return false;
    }
    return true;
}

bool ledger_put_facts(struct ledger *l, int64_t attempt, const struct strs *facts,
                      struct error *err)
{
    for (size_t i = 0; i < facts->len; i++) {
        struct query *s = ledger_statement(l, SQL_ADD_FACT, err);

        if (s == NULL)
            return false;
        bind_int(s, 1, attempt);
        bind_int(s, 2, (int64_t)i);
        bind_text(s, 3, facts->at[i]);
        if (!ledger_done(l, s, "write", err))
            return false;
    }
    return true;
}

static bool add_run(struct ledger *l, const struct ledger_start *start, int64_t *run,
                    struct error *err)
{
    struct query *s = ledger_statement(l, SQL_ADD_RUN, err);

    if (s == NULL)
        return false;
    bind_text(s, 1, str_from(start->id));
    bind_text(s, 2, start->name);
    bind_text(s, 3, start->folder);
    bind_text(s, 4, start->command);
    bind_text(s, 5, start->user);
    bind_text(s, 6, start->commit);
    bind_money(s, 7, start->budget.nano);
    bind_money(s, 8, start->electricity.nano);
    bind_money(s, 9, start->storage_month.nano);
    bind_money(s, 10, start->estimated_cost.nano);
    bind_count(s, 11, start->estimated_time.ns);
    bind_int(s, 12, start->started.s);
    bind_text_or_null(s, 13, start->digest);
    bind_text_or_null(s, 14, start->features);
    bind_text_or_null(s, 15, start->constants);
    return ledger_added(l, s, run, err);
}

static bool add_attempt(struct ledger *l, const struct ledger_start *start, int64_t run,
                        int number, double lost_s, int64_t *key, struct error *err)
{
    struct query *s = ledger_statement(l, SQL_ADD_ATTEMPT, err);

    if (s == NULL)
        return false;
    bind_int(s, 1, run);
    bind_int(s, 2, number);
    bind_int(s, 3, start->started.s);
    bind_text(s, 4, start->host);
    bind_text(s, 5, start->boot);
    bind_count(s, 6, start->pid);
    bind_count(s, 7, start->pid_started);
    bind_count(s, 8, start->pid_namespace != 0 ? start->pid_namespace : ledger_namespace());
    bind_text(s, 9, start->offer);
    bind_text(s, 10, start->market);
    bind_text(s, 11, start->price_source);
    bind_money(s, 12, start->rate.nano);
    bind_number(s, 13, lost_s);
    bind_text_or_null(s, 14, str_from(start->attempt_id));
    return ledger_added(l, s, key, err);
}

/* The price that holds from its start on. */
static bool add_segment(struct ledger *l, int64_t attempt, const struct ledger_start *start,
                        struct error *err)
{
    struct query *s = ledger_statement(l, SQL_ADD_SEGMENT, err);

    if (s == NULL)
        return false;
    bind_int(s, 1, attempt);
    bind_int(s, 2, start->started.s);
    bind_money(s, 3, start->rate.nano);
    bind_text(s, 4, start->offer);
    bind_text(s, 5, start->price_source);
    return ledger_done(l, s, "write", err);
}

bool ledger_noticed(struct ledger *l, int64_t attempt, bool *out, struct error *err)
{
    struct query *s = ledger_statement(l, SQL_NOTICED, err);
    int row;

    if (s == NULL)
        return false;
    bind_int(s, 1, attempt);
    row = ledger_row(l, s, "read", err);
    query_reset(s);
    *out = row > 0;
    return row >= 0;
}

/* It ended without a word: say so for good. */
static bool close_lost(struct ledger *l, const struct before *b, struct error *err)
{
    struct query *s;
    bool noticed;

    if (!ledger_noticed(l, b->attempt, &noticed, err))
        return false;
    s = ledger_statement(l, SQL_CLOSE_ATTEMPT, err);
    if (s == NULL)
        return false;
    bind_int(s, 1, b->attempt);
    bind_text(s, 2, noticed ? STR("preempted") : STR("lost"));
    if (!ledger_done(l, s, "write", err))
        return false;
    s = ledger_statement(l, SQL_END_SEGMENT, err);
    if (s == NULL)
        return false;
    bind_int(s, 1, b->attempt);
    bind_int(s, 2, b->ended.s);
    return ledger_done(l, s, "write", err);
}

/* Does the supervisor of this row of SQL_FIND_RESUMABLE live? Its texts are the row's. */
static bool row_alive(const struct ledger *l, struct query *s)
{
    struct ledger_supervisor who = {
        .pid = column_count(s, 9),
        .pid_started = column_count(s, 10),
        .namespace = column_count(s, 11),
        .host = str_from(column_word(s, 7)),
        .boot = str_from(column_word(s, 8)),
        .heard = {column_int(s, 6)},
    };

    return ledger_alive(&who, l->clock->today(l->clock->ctx));
}

/* The run that was named, or the newest of this name and folder if it ended badly. 1, 0 when
 * there is none, or -1. One that is still under way is passed over: two may run at a time. */
static int find_before(struct ledger *l, const struct ledger_start *start, struct before *out,
                       struct error *err)
{
    struct query *s = ledger_statement(l, SQL_FIND_RESUMABLE, err);
    int row;

    if (s == NULL)
        return -1;
    bind_text(s, 1, start->name);
    bind_text(s, 2, start->folder);
    bind_text(s, 3, str_from(start->resume_id));
    while ((row = ledger_row(l, s, "read", err)) > 0) {
        const char *id = column_word(s, 1);
        struct str state = str_from(column_word(s, 3));

        *out = (struct before){.run = column_int(s, 0),
                               .number = (int)column_int(s, 2),
                               .started = {column_int(s, 4)},
                               .ended = {column_int(s, 6)},
                               .open = str_eq(state, STR("running")),
                               .attempt = column_int(s, 12)};
        if (id == NULL || strlen(id) != LEDGER_ID - 1 || (out->open && row_alive(l, s)))
            continue;
        if (start->resume_id[0] == '\0' && str_eq(state, STR("done")))
            row = 0; /* the newest of this name ended well: this is another run */
        memcpy(out->id, id, LEDGER_ID);
        break;
    }
    query_reset(s);
    return row;
}

/* Seconds of work of the attempt before that no checkpoint holds. */
static bool lost_work(struct ledger *l, const struct before *b, double *out, struct error *err)
{
    struct query *s = ledger_statement(l, SQL_LAST_CHECKPOINT, err);
    int64_t saved;
    int row;

    if (s == NULL)
        return false;
    bind_int(s, 1, b->run);
    bind_int(s, 2, b->started.s);
    bind_int(s, 3, b->ended.s);
    row = ledger_row(l, s, "read", err);
    if (row < 0)
        return false;
    saved = row > 0 ? column_count(s, 0) : -1;
    query_reset(s);
    *out = (double)(b->ended.s - (saved >= 0 ? saved : b->started.s));
    return true;
}

static bool go_on(struct ledger *l, const struct before *b, struct ledger_start *start,
                  double *lost_s, struct error *err)
{
    struct query *s;

    if (!lost_work(l, b, lost_s, err) || (b->open && !close_lost(l, b, err)))
        return false;
    s = ledger_statement(l, SQL_COUNT_ATTEMPT, err);
    if (s == NULL)
        return false;
    bind_int(s, 1, b->run);
    bind_int(s, 2, b->number + 1);
    bind_money(s, 3, start->budget.nano);
    memcpy(start->id, b->id, LEDGER_ID);
    return ledger_done(l, s, "write", err);
}

/* All rows of an attempt but those of the run. */
static bool add_all(struct ledger *l, const struct ledger_start *start, int64_t run, int number,
                    double lost_s, struct error *err)
{
    int64_t key;

    if (!add_attempt(l, start, run, number, lost_s, &key, err) ||
        !add_tags(l, run, &start->tags, err) || !ledger_put_facts(l, key, &start->facts, err) ||
        !add_segment(l, key, start, err))
        return false;
    l->open = (struct ledger_open_attempt){.number = number, .key = key};
    memcpy(l->open.id, start->id, LEDGER_ID);
    memcpy(l->open.attempt_id, start->attempt_id, LEDGER_ID);
    return true;
}

static bool begin(struct ledger *l, struct ledger_start *start, int *attempt, struct error *err)
{
    struct before b = {0};
    int found =
        start->resume || start->resume_id[0] != '\0' ? find_before(l, start, &b, err) : 0;
    int64_t run = b.run;
    double lost_s = NAN;

    if (found < 0)
        return false;
    *attempt = found > 0 ? b.number + 1 : 1;
    if (found > 0 ? !go_on(l, &b, start, &lost_s, err) : !add_run(l, start, &run, err))
        return false;
    return add_all(l, start, run, *attempt, lost_s, err);
}

bool ledger_resumable(struct ledger *l, struct ledger_start *start, int *attempt,
                      struct error *err)
{
    bool wanted = start->resume || start->resume_id[0] != '\0';
    int begun = wanted ? ledger_start_read(l, err) : 0;
    struct before b = {0};
    int found;

    *attempt = 1;
    if (begun <= 0)
        return begun == 0;
    found = find_before(l, start, &b, err);
    if (!ledger_finish(l, found >= 0, err))
        return false;
    if (found > 0) {
        *attempt = b.number + 1;
        memcpy(start->id, b.id, LEDGER_ID);
    }
    return true;
}

/* The last attempt at the run of this id, whatever became of it. 1, 0 when there is no such
 * run, or -1. */
static int find_last(struct ledger *l, const char *id, struct before *out, struct error *err)
{
    struct query *s = ledger_statement(l, SQL_FIND_RESUMABLE, err);
    int row;

    if (s == NULL)
        return -1;
    bind_text(s, 1, (struct str){0});
    bind_text(s, 2, (struct str){0});
    bind_text(s, 3, str_from(id));
    row = ledger_row(l, s, "read", err);
    if (row > 0) {
        *out = (struct before){.run = column_int(s, 0),
                               .number = (int)column_int(s, 2),
                               .started = {column_int(s, 4)},
                               .ended = {column_int(s, 6)},
                               .open = str_eq(str_from(column_word(s, 3)), STR("running")) &&
                                       !row_alive(l, s),
                               .attempt = column_int(s, 12)};
        memcpy(out->id, id, LEDGER_ID);
    }
    query_reset(s);
    return row;
}

bool ledger_begin_known(struct ledger *l, struct ledger_start *start, struct error *err)
{
    struct before b = {0};
    int found = find_last(l, start->id, &b, err);
    int64_t run = b.run;
    double lost_s = NAN;

    if (found < 0)
        return false;
    if (found > 0 ? !go_on(l, &b, start, &lost_s, err) : !add_run(l, start, &run, err))
        return false;
    return add_all(l, start, run, found > 0 ? b.number + 1 : 1, lost_s, err);
}

bool ledger_begin(struct ledger *l, struct ledger_start *start, int *attempt, struct error *err)
{
    struct database *db = l->db;
    char id[LEDGER_ID];
    bool begun;

    memcpy(id, start->id, LEDGER_ID);
    /* The command is not to wait for the disk: the first tick, or the end of a short run,
     * writes this down with its own. A power cut in between loses a run of less than a
     * second. */
    if (db->engine->hasten != NULL)
        db->engine->hasten(db, true);
    begun = ledger_start_alone(l, err) && ledger_finish(l, begin(l, start, attempt, err), err);
    if (db->engine->hasten != NULL)
        db->engine->hasten(db, false);
    if (!begun)
        memcpy(start->id, id, LEDGER_ID);
    return begun;
}
