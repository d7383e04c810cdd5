/* What is known of a run besides its totals: events, checkpoints, prices. */
#include "ledger/internal.h"

/* Ask for the rows of a run, and how many there are, so that they can be given room at once. */
static struct query *rows_of(struct ledger *l, enum ledger_sql which, const char *id,
                             size_t *count, struct error *err)
{
    struct query *s = ledger_statement(l, which, err);
    int row;

    *count = 0;
    if (s == NULL)
        return NULL;
    bind_text(s, 1, str_from(id));
    while ((row = ledger_row(l, s, "read", err)) > 0)
        ++*count;
    return row == 0 ? s : NULL;
}

static bool column_event(struct query *s, struct arena *arena, void *to, struct error *err)
{
    struct ledger_happening *out = to;

    out->at.s = column_int(s, 0);
    out->attempt = (int)column_int(s, 1);
    out->left_out = column_count(s, 4);
    return column_text(s, 2, arena, &out->kind, err) &&
           column_text(s, 3, arena, &out->text, err);
}

static bool column_checkpoint(struct query *s, struct arena *arena, void *to, struct error *err)
{
    struct ledger_checkpoint *out = to;

    *out = (struct ledger_checkpoint){.at = {column_int(s, 1)},
                                      .bytes = column_number(s, 2),
                                      .step = column_number(s, 3),
                                      .metric = column_number(s, 4),
                                      .took_s = column_number(s, 5),
                                      .cost = {column_money(s, 6)},
                                      .gone = {column_count(s, 7)},
                                      .best = (int)column_int(s, 8) != 0};
    out->kept = out->gone.s < 0;
    return column_text(s, 0, arena, &out->path, err) &&
           column_text(s, 9, arena, &out->metric_name, err);
}

static bool column_price(struct query *s, struct arena *arena, void *to, struct error *err)
{
    struct ledger_price *out = to;

    out->attempt = (int)column_int(s, 0);
    out->from.s = column_int(s, 1);
    out->until.s = column_count(s, 2);
    out->rate.nano = column_money(s, 3);
    return column_text(s, 4, arena, &out->offer, err) &&
           column_text(s, 5, arena, &out->source, err);
}

/* What a list is made of. */
struct kind {
    enum ledger_sql which;
    size_t size;
    bool (*read)(struct query *s, struct arena *arena, void *to, struct error *err);
};

static bool read_rows(struct ledger *l, const struct kind *kind, const char *id,
                      struct arena *arena, struct rows *out, struct error *err)
{
    struct query *s = rows_of(l, kind->which, id, &out->len, err);
    unsigned char *list =
        s != NULL ? arena_get(arena, out->len, kind->size, alignof(max_align_t), err) : NULL;
    int row = 1;

    for (size_t i = 0; list != NULL && row > 0 && i < out->len; i++) {
        row = ledger_row(l, s, "read", err);
        if (row > 0 && !kind->read(s, arena, list + i * kind->size, err))
            row = -1;
    }
    query_reset(s);
    out->at = list;
    return list != NULL && row > 0;
}

/* Rows are counted, then read: both at the same moment of the ledger. */
static bool read_list(struct ledger *l, const struct kind *kind, const char *id,
                      struct arena *arena, struct rows *out, struct error *err)
{
    int begun = ledger_start_read(l, err);

    *out = (struct rows){0};
    if (begun <= 0)
        return begun == 0;
    return ledger_finish(l, read_rows(l, kind, id, arena, out, err), err);
}

bool ledger_events(struct ledger *l, const char *id, struct arena *arena,
                   const struct ledger_happening **out, size_t *count, struct error *err)
{
    static const struct kind kind = {SQL_EVENTS, sizeof **out, column_event};
    struct rows rows;
    bool ok = read_list(l, &kind, id, arena, &rows, err);

    *out = rows.at;
    *count = rows.len;
    return ok;
}

bool ledger_checkpoints(struct ledger *l, const char *id, struct arena *arena,
                        const struct ledger_checkpoint **out, size_t *count, struct error *err)
{
    static const struct kind kind = {SQL_CHECKPOINTS, sizeof **out, column_checkpoint};
    struct rows rows;
    bool ok = read_list(l, &kind, id, arena, &rows, err);

    *out = rows.at;
    *count = rows.len;
    return ok;
}

bool ledger_prices(struct ledger *l, const char *id, struct arena *arena,
                   const struct ledger_price **out, size_t *count, struct error *err)
{
    static const struct kind kind = {SQL_PRICES, sizeof **out, column_price};
    struct rows rows;
    bool ok = read_list(l, &kind, id, arena, &rows, err);

    *out = rows.at;
    *count = rows.len;
    return ok;
}
