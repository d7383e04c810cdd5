/* What happens to a run, recorded as it happens. */
#include "ledger/internal.h"

#include <stdio.h>
#include <string.h>

bool ledger_open_attempt(struct ledger *l, const char *id, int attempt, struct error *err)
{
    struct query *s;
    bool tables;
    int row;

    if (l->open.number == attempt && strcmp(l->open.id, id) == 0)
        return true;
    l->open.number = 0;
    if (!ledger_has_tables(l, &tables, err))
        return false;
    s = tables ? ledger_statement(l, SQL_FIND_KEY, err) : NULL;
    if (tables && s == NULL)
        return false;
    if (tables) {
        bind_text(s, 1, str_from(id));
        bind_int(s, 2, attempt);
    }
    row = tables ? ledger_row(l, s, "read", err) : 0;
    if (row == 0)
        return error_fail(err, ERROR_ABSENT, "there is no attempt %d at a run '%.40s'", attempt,
                          id);
    if (row < 0)
        return false;
    l->open =
        (struct ledger_open_attempt){.number = attempt, .key = column_int(s, 0), .count = -1};
    query_reset(s);
    (void)snprintf(l->open.id, sizeof l->open.id, "%s", id);
    return true;
}

bool ledger_put_totals(struct ledger *l, const struct ledger_totals *totals, struct error *err)
{
    struct query *s = ledger_statement(l, SQL_TICK, err);

    if (s == NULL)
        return false;
    bind_int(s, bind_totals(s, 1, totals), l->open.key);
    return ledger_done(l, s, "write", err);
}

/* The last of its kind takes the place of the one that was. */
static bool drop_last_event(struct ledger *l, struct str kind, struct error *err)
{
    struct query *s = ledger_statement(l, SQL_DROP_LAST_EVENT, err);

    if (s == NULL)
        return false;
    bind_int(s, 1, l->open.key);
    bind_text(s, 2, kind);
    return ledger_done(l, s, "write", err);
}

bool ledger_put_event(struct ledger *l, const struct ledger_happening *event, struct error *err)
{
    struct query *s;

    if (event->left_out >= 0 && !drop_last_event(l, event->kind, err))
        return false;
    s = ledger_statement(l, SQL_ADD_EVENT, err);
    if (s == NULL)
        return false;
    bind_int(s, 1, l->open.key);
    bind_int(s, 2, event->at.s);
    bind_text(s, 3, event->kind);
    bind_text(s, 4, event->text);
    bind_count(s, 5, event->left_out);
    return ledger_done(l, s, "write", err);
}

static bool end_segment(struct ledger *l, stamp at, struct error *err)
{
    struct query *s = ledger_statement(l, SQL_END_SEGMENT, err);

    if (s == NULL)
        return false;
    bind_int(s, 1, l->open.key);
    bind_int(s, 2, at.s);
    return ledger_done(l, s, "write", err);
}

static bool put_checkpoint(struct ledger *l, const struct ledger_checkpoint *checkpoint,
                           struct error *err)
{
    struct query *s = ledger_statement(l, SQL_PUT_CHECKPOINT, err);

    if (s == NULL)
        return false;
    bind_int(s, 1, l->open.key);
    bind_text(s, 2, checkpoint->path);
    bind_int(s, 3, checkpoint->at.s);
    bind_number(s, 4, checkpoint->bytes);
    bind_number(s, 5, checkpoint->step);
    bind_number(s, 6, checkpoint->metric);
    bind_number(s, 7, checkpoint->took_s);
    bind_money(s, 8, checkpoint->cost.nano);
    bind_int(s, 9, checkpoint->best);
    bind_text(s, 10, checkpoint->metric_name);
    return ledger_done(l, s, "write", err);
}

static bool no_best(struct ledger *l, struct error *err)
{
    struct query *s = ledger_statement(l, SQL_NOT_BEST, err);

    if (s == NULL)
        return false;
    bind_int(s, 1, l->open.key);
    return ledger_done(l, s, "write", err);
}

bool ledger_put_checkpoint(struct ledger *l, const struct ledger_checkpoint *checkpoint,
                           struct error *err)
{
    return (!checkpoint->best || no_best(l, err)) && put_checkpoint(l, checkpoint, err);
}

bool ledger_put_gone(struct ledger *l, const char *id, struct str path, stamp when,
                     struct error *err)
{
    struct query *s = ledger_statement(l, SQL_CHECKPOINT_GONE, err);

    if (s == NULL)
        return false;
    bind_text(s, 1, str_from(id));
    bind_text(s, 2, path);
    bind_int(s, 3, when.s);
    return ledger_done(l, s, "write", err);
}

bool ledger_checkpoint_gone(struct ledger *l, const char *id, struct str path, stamp when,
                            struct error *err)
{
    bool tables;

    if (!ledger_has_tables(l, &tables, err))
        return false;
    return !tables || ledger_put_gone(l, id, path, when, err);
}

bool ledger_put_end(struct ledger *l, const struct ledger_ending *ending,
                    const struct ledger_totals *totals, struct error *err)
{
    struct query *s = ledger_statement(l, SQL_END, err);
    int at;

    if (s == NULL)
        return false;
    at = bind_totals(s, 1, totals);
    bind_int(s, at, totals->at.s);
    bind_text(s, at + 1, str_from(ledger_state_name(ending->state)));
    bind_int(s, at + 2, ending->status);
    bind_text(s, at + 3, str_from(ending->reason));
    bind_int(s, at + 4, l->open.key);
    return ledger_done(l, s, "write", err) && end_segment(l, totals->at, err);
}
