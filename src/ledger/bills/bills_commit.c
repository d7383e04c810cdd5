/* The end of an import: what it brought is seen, and what it replaces no longer is, at one
 * moment. */
#include "ledger/bills_internal.h"

#include "doc/json_write.h"

static const char show[] =
    "UPDATE bills SET state = 'current', first_day = ?2, last_day = ?3, lines = ?4,"
    " billed = ?5, effective = ?6, files = ?7, period_end = ?8, marks = ?9"
    " WHERE bill = ?1 AND state = 'loading' RETURNING bill";
static const char finish[] = "UPDATE imports SET finished = ?2 WHERE import = ?1";
static const char read_grouping[] = "SELECT grouping, regrouping FROM bill_state";
static const char read_sums[] =
    "SELECT SUM_AMOUNT(billed), SUM_AMOUNT(effective), sum(lines) FROM bill_days"
    " WHERE bill = ?1";

static bool add_files(const struct ledger_import *i, const struct loading *b, struct buf *out,
                      struct error *err)
{
    for (size_t n = 0; n < b->file_count; n++) {
        const struct import_file *f = &i->files[b->files[n]];

        buf_adds(out, n == 0 ? "[{\"name\":" : ",{\"name\":");
        json_write_text(f->name, out);
        if (f->digest.len > 0)
            buf_addf(out, ",\"digest\":\"%.*s\"", STR_ARG(f->digest));
        buf_char(out, '}');
    }
    buf_adds(out, b->file_count == 0 ? "[]" : "]");
    return buf_ok(out, err);
}

/* A fee for the month beside usage by the day says nothing of the days to come; a bill of which
 * every charge is of many days speaks for all of them. */
static int32_t last_day_of(const struct loading *b)
{
    return !b->by_day && b->last_end > b->last_day ? b->last_end : b->last_day;
}

static bool describe(const struct ledger_import *i, const struct loading *b, stamp now,
                     struct arena *arena, struct ledger_bill *out, struct error *err)
{
    struct buf files = buf_new(arena->alloc, (size_t)64 << 20);
    bool ok;

    if (b->rest_of != 0)
        buf_add(&files, b->rest_files);
    ok = b->rest_of != 0 ? buf_ok(&files, err) : add_files(i, b, &files, err);

    *out = (struct ledger_bill){.key = b->key,
                                .amounts = b->amounts,
                                .coarse = b->coarse,
                                .period_start = b->period_start,
                                .period_end = b->period_end,
                                .first_day = {b->first_day},
                                .last_day = {last_day_of(b)},
                                .imported = now,
                                .lines = b->lines,
                                .billed = amounts_get(&b->total, 0),
                                .effective = amounts_get(&b->total, 1)};
    bill_cover(out);
    out->provider = (struct str){str_dup(b->provider, arena, err), b->provider.len};
    out->account = (struct str){str_dup(b->account, arena, err), b->account.len};
    out->currency = (struct str){str_dup(b->currency, arena, err), b->currency.len};
    out->format = str_from(str_dup(str_from(b->format), arena, err));
    out->version = str_from(str_dup(str_from(b->version), arena, err));
    if (ok)
        out->files = (struct str){str_dup(buf_text(&files), arena, err), files.len};
    buf_free(&files);
    return ok && out->provider.at != NULL && out->account.at != NULL &&
           out->currency.at != NULL && out->format.at != NULL && out->version.at != NULL &&
           out->files.at != NULL;
}

/* The rules that classify may not change under an import: its sums would be by the old ones. */
static bool check_grouping(struct ledger_import *i, struct error *err)
{
    struct query *q = ledger_query(i->l, read_grouping, err);
    int got = q != NULL ? ledger_row(i->l, q, "read", err) : -1;
    bool same;

    if (got <= 0)
        return got < 0 ? false : error_fail(err, ERROR_FAILED, "the ledger keeps no state");
    same = column_int(q, 0) == i->grouping && column_int(q, 1) == 0;
    query_reset(q);
    if (!same) {
        error_set(err, ERROR_FAILED, "the rules of allocation were changed meanwhile");
        error_hint(err, "nothing was changed: import again");
    }
    return same;
}

/* Do the daily sums that were written come to what the lines did? */
static bool check_sums(struct ledger *l, const struct ledger_bill *b, struct error *err)
{
    struct query *q = ledger_query(l, read_sums, err);
    struct decimal billed, effective;
    bool ok;

    if (q == NULL)
        return false;
    bind_int(q, 1, b->key);
    if (ledger_row(l, q, "read", err) <= 0)
        return false;
    ok = column_amount(q, 0, &billed, err) && column_amount(q, 1, &effective, err);
    if (ok && (decimal_cmp(billed, b->billed) != 0 ||
               decimal_cmp(effective, b->effective) != 0 || column_int(q, 2) != b->lines))
        ok = error_fail(err, ERROR_FAILED,
                        "what was written of the bill of '%.*s' is not what was read",
                        STR_ARG(b->account));
    query_reset(q);
    return ok;
}

static bool show_bill(struct ledger_import *i, const struct loading *from,
                      const struct ledger_bill *b, struct error *err)
{
    struct query *q = ledger_query(i->l, show, err);
    struct buf marks = buf_new(i->l->alloc, (size_t)1 << 20);
    int got = -1;

    if (q == NULL)
        return false;
    bind_int(q, 1, b->key);
    bind_int(q, 2, b->first_day.n);
    bind_int(q, 3, b->last_day.n);
    bind_int(q, 4, b->lines);
    bind_amount(q, 5, &b->billed);
    bind_amount(q, 6, &b->effective);
    bind_text(q, 7, b->files);
    bind_int(q, 8, b->period_end.s);
    if (contain_write(&from->marks, &marks, err)) {
        bind_text(q, 9, buf_text(&marks));
        got = ledger_row(i->l, q, "write", err);
    }
    buf_free(&marks);
    if (got > 0)
        return ledger_row(i->l, q, "write", err) == 0 && check_sums(i->l, b, err) &&
               bills_pair(i->l, b, err);
    return got < 0 ? false : error_fail(err, ERROR_FAILED, "the import was swept away");
}

/* What came in, and what it meets. `meets`: there may be something to meet. */
/* What was left out of coarse data, and what is replaced of it. */
static bool tell_overlaps(const struct ledger_import *i, struct arena *arena,
                          struct outcome *out, struct error *err)
{
    struct ledger_overlap *at =
        arena_array(arena, struct ledger_overlap, i->all_count + i->superseded_count, err);
    size_t count = 0;

    if (at == NULL)
        return false;
    for (size_t n = 0; n < i->all_count; n++) {
        const struct loading *b = i->bills[n];

        if (b->left_out.lines > 0)
            at[count++] = (struct ledger_overlap){.file = i->files[b->files[0]].name,
                                                  .format = str_from(b->format),
                                                  .currency = b->currency,
                                                  .detailed = b->left_out.by->key,
                                                  .lines = b->left_out.lines,
                                                  .amount = b->left_out.amount,
                                                  .first = {b->left_out.first},
                                                  .last = {b->left_out.last}};
    }
    for (size_t n = 0; n < i->superseded_count; n++) {
        const struct superseded *s = &i->superseded[n];

        at[count++] = (struct ledger_overlap){.format = s->coarse->format,
                                              .currency = s->coarse->currency,
                                              .coarse = s->coarse->key,
                                              .detailed = s->by->key,
                                              .lines = s->lines,
                                              .amount = s->amount,
                                              .first = s->first,
                                              .last = s->last,
                                              .rest_lines = s->rest_lines,
                                              .rest = s->rest != NULL ? s->rest->key : 0};
    }
    for (size_t n = 0; n < count; n++)
        if ((at[n].file.len > 0 && (at[n].file.at = str_dup(at[n].file, arena, err)) == NULL) ||
            (at[n].format.at = str_dup(at[n].format, arena, err)) == NULL ||
            (at[n].currency.at = str_dup(at[n].currency, arena, err)) == NULL)
            return false;
    out->overlaps = at;
    out->overlap_count = count;
    return true;
}

/* Bills of which everything was left out move to the end, and are none. */
static void drop_unwanted(struct ledger_import *i)
{
    size_t kept = 0;

    i->all_count = i->bill_count;
    for (size_t n = 0; n < i->all_count; n++) {
        struct loading *b = i->bills[n];

        if (b->wanted) {
            i->bills[n] = i->bills[kept];
            i->bills[kept++] = b;
        }
    }
    i->bill_count = kept;
}

static bool describe_all(struct ledger_import *i, stamp now, bool meets, struct arena *arena,
                         struct outcome *o, struct error *err)
{
    if (!twice_check(i, err))
        return false;
    for (size_t n = 0; n < i->bill_count; n++)
        contain_settle(&i->bills[n]->marks);
    for (size_t n = 0; n < i->bill_count; n++)
        if (!describe(i, i->bills[n], now, arena, &o->bills[n], err) ||
            (meets && i->bills[n]->rest_of == 0 &&
             !meet_same(i, i->bills[n], &o->bills[n], arena, o, err)))
            return false;
    return tell_overlaps(i, arena, o, err);
}

static bool commit(struct ledger_import *i, struct arena *arena, struct outcome *o,
                   struct error *err)
{
    stamp now = i->l->clock->today(i->l->clock->ctx);
    struct query *q;

    if (!import_heard(i, err) || !check_grouping(i, err) ||
        !days_write(&i->days, i->l, i->keys, err))
        return false;
    for (size_t n = 0; i->days.part > 1 && n < i->bill_count; n++)
        if (!days_merge(i->l, i->keys[n], err))
            return false;
    if (!coarse_check(i, err) || !describe_all(i, now, true, arena, o, err) ||
        !coarse_bury(i, err))
        return false;
    for (size_t n = 0; n < i->bill_count; n++)
        if (!show_bill(i, i->bills[n], &o->bills[n], err))
            return false;
    q = ledger_query(i->l, finish, err);
    if (q == NULL)
        return false;
    bind_int(q, 1, i->key);
    bind_int(q, 2, now.s);
    return ledger_done(i->l, q, "write", err);
}

/* What commit would do, from a ledger that is only read. */
static bool rehearse(struct ledger_import *i, struct arena *arena, struct outcome *o,
                     struct error *err)
{
    int tables;
    bool ok;

    if (i->failed)
        return error_fail(err, ERROR_FAILED, "the import has failed already");
    if (i->l->db != NULL && !coarse_meet(i, err))
        return false;
    drop_unwanted(i);
    tables = i->l->db != NULL ? ledger_start_read(i->l, err) : 0;
    if (tables < 0)
        return false;
    ok = (tables == 0 || coarse_check(i, err)) &&
         describe_all(i, i->l->clock->today(i->l->clock->ctx), tables > 0, arena, o, err);
    return tables == 0 ? ok : ledger_finish(i->l, ok, err);
}

static bool make_seen(struct ledger_import *i, struct arena *arena, struct outcome *o,
                      struct error *err)
{
    bool ok = import_flush(i, err) && coarse_meet(i, err) && import_flush(i, err);

    drop_unwanted(i);
    ledger_bulk_mode(i->l, false); /* from here on it must be on the disk */
    return ok && ledger_start_alone(i->l, err) &&
           ledger_finish(i->l, commit(i, arena, o, err), err);
}

bool ledger_import_commit(struct ledger_import *i, struct arena *arena,
                          struct ledger_imported *out, struct error *err)
{
    /* Each coarse bill that is there may leave a rest, which is a bill, too. */
    struct outcome o = {
        .bills = arena_array(arena, struct ledger_bill, i->bill_count + i->there_count, err)};
    struct error later = {0};
    bool ok;

    *out = (struct ledger_imported){0};
    ok = o.bills != NULL &&
         (i->options.dry_run ? rehearse(i, arena, &o, err) : make_seen(i, arena, &o, err));
    if (!ok) {
        ledger_import_abandon(i);
        return false;
    }
    out->bills = o.bills;
    out->count = i->bill_count;
    out->replaced = o.replaced;
    out->replaced_count = o.replaced_count;
    out->overlaps = o.overlaps;
    out->overlap_count = o.overlap_count;
    for (size_t n = 0; n < i->bill_count; n++)
        out->lines += i->bills[n]->rest_of == 0 ? i->bills[n]->lines : 0;
    if (!i->options.dry_run) {
        ledger_bulk_mode(i->l, true);
        (void)sweep_gone(i->l, &later); /* what cannot be swept now will be by the next */
    }
    import_free(i);
    return true;
}

void ledger_import_abandon(struct ledger_import *i)
{
    struct error ignored = {0};

    if (i == NULL)
        return;
    if (!i->options.dry_run)
        ledger_bulk_mode(i->l, true);
    if (i->key > 0 && ledger_start_write(i->l, &ignored) &&
        ledger_finish(i->l, sweep_import(i->l, i->key, &ignored), &ignored))
        (void)sweep_gone(i->l, &ignored);
    import_free(i);
}
