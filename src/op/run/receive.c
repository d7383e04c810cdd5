#include "op/run/receive.h"

#include <string.h>
#include <sys/stat.h>

#include "account/policy/required.h"
#include "bill/dimension.h"
#include "budget/board.h"
#include "ledger/runs/run_journal.h"
#include "op/context.h"
#include "op/ledger_open.h"
#include "op/spending.h"

#define CLOCK_CLOSE 60 /* s: clocks that differ by less are left as they are */
#define FUTURE 300     /* s: no moment is later than this, by our clock */
#define LEAST_AGE \
    SECOND /* of the board, or if reading it takes long, than so many times that */
#define AGE_TIMES 10
#define URGENT_TIMES 2

struct receive {
    struct op_context *ctx;
    const char *path;      /* of the ledger */
    struct ledger *ledger; /* NULL: not open yet, or it was lost */
    dev_t device;          /* of its file */
    ino_t inode;
    instant tried;    /* to open it */
    struct error why; /* it is not open */
    struct budget_board *board;
    instant read, urgent; /* when it was read; when a run that began was the reason */
    span took;
};

struct receive *receive_open(struct op_context *ctx, struct error *err)
{
    struct receive *r = alloc_system.get(alloc_system.ctx, sizeof *r);

    if (r == NULL) {
        (void)error_memory(err);
        return NULL;
    }
    *r = (struct receive){.ctx = ctx,
                          .path = str_dup(ctx->settings->ledger, ctx->arena, err),
                          .board = budget_board_new(ctx->messages.log, err)};
    if (r->board != NULL && r->path != NULL)
        return r;
    receive_close(r);
    return NULL;
}

void receive_close(struct receive *r)
{
    if (r == NULL)
        return;
    budget_board_free(r->board);
    ledger_close(r->ledger);
    alloc_system.put(alloc_system.ctx, r);
}

static void lose_ledger(struct receive *r)
{
    ledger_close(r->ledger);
    r->ledger = NULL;
}

/* Does the ledger's name still lead to the file that was opened? What is written to one that
 * was moved away or replaced is not found where it is looked for. */
static bool is_receive_ledger_there(const struct receive *r)
{
    struct stat file;

    return ledger_is_server(r->path) ||
           (stat(r->path, &file) == 0 && file.st_dev == r->device && file.st_ino == r->inode);
}

static void open_receive_ledger(struct receive *r)
{
    struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    struct op_context ctx = op_apart(r->ctx, &arena, true); /* it may be opened for years */
    struct stat file;

    r->why = (struct error){0};
    r->ledger = op_ledger(&ctx, LEDGER_WRITE, &r->why);
    if (r->ledger != NULL && stat(r->path, &file) == 0) {
        r->device = file.st_dev;
        r->inode = file.st_ino;
    }
    op_done(&ctx);
    arena_free(&arena);
}

/* One that cannot be opened, or was lost, is tried again after a second. */
static bool receive_ledger(struct receive *r, struct error *err)
{
    instant now = clock_system.now(clock_system.ctx);

    if (r->ledger != NULL && !is_receive_ledger_there(r))
        lose_ledger(r);
    if (r->ledger == NULL && (r->tried.ns == 0 || now.ns - r->tried.ns >= SECOND)) {
        r->tried = now;
        open_receive_ledger(r);
    }
    if (r->ledger == NULL)
        *err = r->why;
    if (r->ledger == NULL && err->kind == ERROR_NONE)
        error_set(err, ERROR_FAILED, "the ledger cannot be written: try again in a second");
    return r->ledger != NULL;
}

/* Read the board anew if it is old. `urgent`: a run has begun, and is to be among it, unless
 * that was so a moment ago. `month`: someone asks for what all runs of the month cost. */
static bool refresh_board(struct receive *r, bool month, bool urgent, struct error *err)
{
    instant now = clock_system.now(clock_system.ctx);
    int64_t age = r->read.ns > 0 ? now.ns - r->read.ns : INT64_MAX;
    struct account_source account;
    struct op_context ctx;
    bool ok;

    if (urgent ? now.ns - r->urgent.ns < URGENT_TIMES * r->took.ns
               : age < LEAST_AGE || age / AGE_TIMES < r->took.ns)
        return true;
    if (urgent)
        r->urgent = now;
    ctx = op_apart(r->ctx, budget_board_arena(r->board), true);
    account = op_account(&ctx, r->ledger);
    ok = budget_board_read(r->board, &account, op_now(&ctx), month, err);
    op_done(&ctx);
    r->read = now;
    r->took = span_between(now, clock_system.now(clock_system.ctx));
    return ok;
}

/* ---- what is asked ---- */

/* The run that is to be resumed, of the same team. */
static bool find_resumed(struct receive *r, const struct received *item,
                         struct ledger_received *to, struct arena *arena, struct error *err)
{
    struct ledger_run run;

    to->resume = str_eq(item->resume, STR("name"));
    if (item->resume.len == 0 || to->resume)
        return true;
    if (!ledger_find_of_team(r->ledger, item->resume, item->team, arena, &run, err))
        return false;
    memcpy(to->resume_id, run.start.id, sizeof to->resume_id);
    return run.state != RUN_RUNNING ||
           error_fail(err, ERROR_GUARD, "the run '%.*s' is still running",
                      STR_ARG(item->resume));
}

/* Policies and budgets decide before a run begins, never over what it has spent. */
static bool may_begin(struct receive *r, const struct received *item, struct str first,
                      struct arena *arena, struct error *err)
{
    struct op_context ctx = op_apart(r->ctx, arena, true);
    struct account_source account = op_account(&ctx, r->ledger);
    struct ledger_start start;
    bool ok = run_journal_read_start(first, arena, &start, err) &&
              tags_check(start.tags, err) &&
              run_journal_set_team(&start, item->team, arena, err) &&
              (!item->begin || (account_check_start(&account, &start, err) &&
                                budget_board_admits(r->board, &account, &start, err)));

    op_done(&ctx);
    return ok;
}

/* A clock that is far off is corrected: only differences between machines show what is late,
 * silent, or of which month. */
static void set_clock(struct receive *r, const struct received *item,
                      struct ledger_received *to)
{
    int64_t now = op_now(r->ctx).s;
    int64_t behind = item->clock.s >= 0 ? now - item->clock.s : 0;

    to->shift_s = behind > CLOCK_CLOSE || behind < -CLOCK_CLOSE ? behind : 0;
    to->latest = (stamp){now + FUTURE};
}

static bool prepare_receiving(struct receive *r, struct received *item,
                              struct ledger_received *to, struct arena *arena,
                              struct error *err)
{
    *to = (struct ledger_received){.team = item->team};
    set_clock(r, item, to);
    if (!run_journal_split(item->body, &to->start, &to->records, err) ||
        !find_resumed(r, item, to, arena, err))
        return false;
    if (to->records.len == 0 && !item->begin) /* a note, or the start of one that was away */
        return true;
    return !item->begin || may_begin(r, item, to->start, arena, err);
}

/* ---- what is answered ---- */

/* What earlier attempts cost, of which the sender knows nothing. */
static bool add_before(struct receive *r, struct run_receipt *out, struct arena *arena,
                       struct error *err)
{
    struct ledger_run run;

    if (out->attempt <= 1)
        return true;
    if (!ledger_find(r->ledger, out->run, arena, &run, err))
        return false;
    out->before_cost = run.totals.cost;
    out->before_budget = run.start.budget;
    return true;
}

static void fill_receipt(struct receive *r, struct received *item,
                         const struct ledger_received *from, struct arena *arena)
{
    struct run_receipt *out = &item->receipt;

    out->attempt = from->number;
    out->records = from->last <= INT64_MAX ? (int64_t)from->last : 0;
    if (!str_keep(str_from(from->id), arena, &out->run, &item->err) ||
        (item->begin && !add_before(r, out, arena, &item->err)) ||
        !run_receipt_note_clock(out, from->shift_s, arena, &item->err))
        return;
    budget_board_look(r->board, from->id, out);
}

/* ---- together ---- */

static void fail_all(struct received *items, size_t count, const struct error *why)
{
    for (size_t i = 0; i < count; i++)
        if (items[i].err.kind == ERROR_NONE)
            items[i].err = *why;
}

/* Those that can be added, in their order. */
static size_t prepare_all(struct receive *r, struct received *items, size_t count,
                          struct ledger_received *to, size_t *of, struct arena *arena)
{
    size_t good = 0;

    for (size_t i = 0; i < count; i++) {
        if (!prepare_receiving(r, &items[i], &to[good], arena, &items[i].err))
            continue;
        of[good++] = i;
    }
    return good;
}

/* What the senders ask for together. */
static void find_wishes(const struct received *items, size_t count, bool *month, bool *begin)
{
    *month = *begin = false;
    for (size_t i = 0; i < count; i++) {
        *month = *month || items[i].month;
        *begin = *begin || items[i].begin;
    }
}

void receive_all(struct receive *r, struct received *items, size_t count, struct arena *arena)
{
    struct error err = {0};
    struct ledger_received *to = arena_array(arena, struct ledger_received, count, &err);
    size_t *of = arena_array(arena, size_t, count, &err), good;
    bool month, begin, lost = false;

    find_wishes(items, count, &month, &begin);
    for (size_t i = 0; i < count; i++) {
        items[i].receipt = run_receipt_blank();
        items[i].err = (struct error){0};
        items[i].foreign = false;
    }
    if (to == NULL || of == NULL || !receive_ledger(r, &err) ||
        !refresh_board(r, month, false, &err)) {
        fail_all(items, count, &err);
        lose_ledger(r);
        return;
    }
    good = prepare_all(r, items, count, to, of, arena);
    ledger_apply_received(r->ledger, to, good);
    if (begin) /* what a run may spend is known before it begins */
        (void)!refresh_board(r, month, true, &err);
    for (size_t i = 0; i < good; i++) {
        items[of[i]].err = to[i].err;
        items[of[i]].foreign = !to[i].ok && to[i].err.kind == ERROR_GUARD;
        lost = lost || (!to[i].ok && error_is_of_machine(to[i].err.kind));
        if (to[i].ok)
            fill_receipt(r, &items[of[i]], &to[i], arena);
    }
    if (lost)
        lose_ledger(r);
}
