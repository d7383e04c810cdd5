/* What a server knows of the budgets that stop runs. */
#include "budget/board.h"

#include <math.h>
#include <string.h>

#include "account/policy/ledger_policy.h"
#include "account/query/charge.h"
#include "account/query/condition.h"
#include "budget/budget.h"
#include "budget/ends.h"
#include "ledger/runs/shared.h"
#include "ledger/runs/stop_request.h"

#define OPEN_MOST 65536 /* runs under way: more are not counted one by one */

/* A budget that stops runs. */
struct board_budget {
    const struct ledger_budget *budget;
    struct condition *where;
    char name[160]; /* "the budget 'nlp'" */
    usd limit, left;
    int64_t unknown;
};

/* A run that is under way. Bit i of `of`: budget i holds for it. */
struct board_run {
    struct ledger_charge charge;
    uint64_t of;
};

#define BUDGETS_MOST 64

struct budget_board {
    const struct log *log;
    struct arena arena; /* all that was read */
    struct board_budget budget[BUDGETS_MOST];
    size_t budgets;
    struct board_run *run;
    size_t runs, room;
    const struct ledger_stop_request *stop;
    size_t stops;
    bool wanted_month;
    bool unread; /* the last reading failed: nothing is known */
    usd month;   /* unknown: not read */
    int64_t month_unknown;
    stamp now;
};

struct budget_board *budget_board_new(const struct log *log, struct error *err)
{
    struct budget_board *b = alloc_system.get(alloc_system.ctx, sizeof *b);

    if (b == NULL) {
        (void)error_memory(err);
        return NULL;
    }
    *b = (struct budget_board){
        .log = log,
        .arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE},
        .month = USD_UNKNOWN,
    };
    return b;
}

void budget_board_free(struct budget_board *b)
{
    if (b == NULL)
        return;
    arena_free(&b->arena);
    alloc_system.put(alloc_system.ctx, b);
}

/* ---- reading ---- */

/* One that cannot be evaluated is left out. */
static bool add_board_budget(struct budget_board *b, const struct account_source *account,
                             const struct ledger_budget *budget, struct error *err)
{
    struct board_budget *to = &b->budget[b->budgets];
    struct budget_state state = {.budget = budget};
    struct error problem = {0};

    *to = (struct board_budget){.budget = budget};
    if (!conditions_parse(budget->scope, account->arena, &to->where, &problem) ||
        !budget_spent(account, b->now, &state, &problem) ||
        !budget_left(account, &state, &to->left, &problem)) {
        if (problem.kind == ERROR_MEMORY)
            return error_memory(err);
        log_write(b->log, LOG_WARN, "the budget '%.*s' cannot be enforced: %s",
                  STR_ARG(budget->name), problem.text);
        return true;
    }
    to->limit = budget_limit(&state, to->left);
    to->unknown = state.unpriced;
    (void)snprintf(to->name, sizeof to->name, "the budget '%.*s'", STR_ARG(budget->name));
    b->budgets++;
    return true;
}

static bool read_board_budgets(struct budget_board *b, const struct account_source *account,
                               struct error *err)
{
    const struct ledger_budget *all;
    size_t count;

    b->budgets = 0;
    if (!ledger_budgets(account->ledger, account->arena, &all, &count, err))
        return false;
    for (size_t i = 0; i < count && b->budgets < BUDGETS_MOST; i++)
        if (all[i].stops && !add_board_budget(b, account, &all[i], err))
            return false;
    return true;
}

struct reading_open {
    struct budget_board *board;
    struct run_dimensions dims;
};

static uint64_t budgets_of(struct budget_board *b, const struct dimensions *of)
{
    uint64_t bits = 0;

    for (size_t i = 0; i < b->budgets; i++)
        if (conditions_hold(b->budget[i].where, b->budget[i].budget->scope.len, of))
            bits |= UINT64_C(1) << i;
    return bits;
}

/* Texts of a charge are the row's: those that are needed later are kept. */
static bool add_open(void *ctx, const struct ledger_charge *charge, struct error *err)
{
    struct reading_open *r = ctx;
    struct budget_board *b = r->board;
    struct dimensions of;
    struct board_run *run;

    if (b->runs == OPEN_MOST)
        return true;
    b->run = arena_grow(&b->arena, b->run, b->runs, sizeof *b->run, &b->room, err);
    if (b->run == NULL || (b->budgets > 0 && !run_dimensions_of(&r->dims, charge, &of, err)))
        return false;
    run = &b->run[b->runs++];
    *run = (struct board_run){.charge = *charge, .of = b->budgets > 0 ? budgets_of(b, &of) : 0};
    return str_keep(charge->id, &b->arena, &run->charge.id, err) &&
           str_keep(charge->boot, &b->arena, &run->charge.boot, err) &&
           str_keep(charge->pays, &b->arena, &run->charge.pays, err);
}

static bool read_open(struct budget_board *b, const struct account_source *account,
                      struct error *err)
{
    static const struct coverage no_bills = {0};
    struct reading_open r = {.board = b};
    const struct allocation_policy *policy;
    bool ok;

    if (!ledger_policy_read(account->ledger, account->arena, &policy, err))
        return false;
    run_dimensions_open(&r.dims, account, &no_bills, policy, UINT64_MAX);
    ok = ledger_charges_open(account->ledger, add_open, &r, err);
    run_dimensions_close(&r.dims);
    return ok;
}

static bool read_board(struct budget_board *b, const struct account_source *account, bool month,
                       struct error *err)
{
    return stop_requests_read(account->ledger, &b->arena, &b->stop, &b->stops, err) &&
           read_board_budgets(b, account, err) &&
           ((b->budgets == 0 && !month) || read_open(b, account, err)) &&
           (!month || ledger_spent(account->ledger, stamp_month(b->now), &b->month,
                                   &b->month_unknown, err));
}

struct arena *budget_board_arena(struct budget_board *b)
{
    return &b->arena;
}

bool budget_board_read(struct budget_board *b, const struct account_source *account, stamp now,
                       bool month, struct error *err)
{
    bool ok;

    arena_free(&b->arena);
    b->arena = (struct arena){.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    b->now = now;
    b->run = NULL;
    b->budgets = b->runs = b->room = b->stops = 0;
    b->month = USD_UNKNOWN;
    b->wanted_month = month;
    ok = ledger_hold(account->ledger, err);
    if (ok) {
        ok = read_board(b, account, month, err);
        ledger_release(account->ledger);
    }
    b->unread = !ok;
    if (!ok)
        b->budgets = b->runs = b->stops = 0;
    return ok;
}

/* ---- asking ---- */

bool budget_board_admits(const struct budget_board *b, const struct account_source *account,
                         const struct ledger_start *start, struct error *err)
{
    struct budget_stops ignored;
    struct ledger_charge run;

    return b->budgets == 0 || (ledger_charge_of_start(start, account->arena, &run, err) &&
                               budget_stops_find(account, b->now, &run, &ignored, err));
}

static const struct board_run *find_board_run(const struct budget_board *b, const char *id)
{
    for (size_t i = 0; i < b->runs; i++)
        if (str_eq(b->run[i].charge.id, str_from(id)))
            return &b->run[i];
    return NULL;
}

/* What others spend, and may have spent unseen, of those that `bit` holds for. */
static void count_others(const struct budget_board *b, const struct board_run *own,
                         uint64_t bit, struct shared_look *look)
{
    *look = (struct shared_look){0};
    for (size_t i = 0; i < b->runs; i++)
        if (bit == 0 || (b->run[i].of & bit) != 0)
            shared_add(look, &b->run[i].charge, b->now, &b->run[i] == own);
}

static void look_at_budgets(const struct budget_board *b, const struct board_run *run,
                            struct receipt_budget *out)
{
    double soonest = INFINITY;

    for (size_t i = 0; i < b->budgets; i++) {
        const struct board_budget *budget = &b->budget[i];
        struct shared_look others;
        usd left;

        if ((run->of >> i & 1) == 0)
            continue;
        count_others(b, run, UINT64_C(1) << i, &others);
        left = usd_less(budget->left, others.spent);
        if (budget_time_left(left, run->charge.rate, others.others) >= soonest)
            continue;
        soonest = budget_time_left(left, run->charge.rate, others.others);
        *out = (struct receipt_budget){.name = str_from(budget->name),
                                       .limit = budget->limit,
                                       .remaining = left,
                                       .own = run->charge.cost,
                                       .others = others.others,
                                       .unknown = budget->unknown};
    }
}

void budget_board_look(const struct budget_board *b, const char *id, struct run_receipt *out)
{
    const struct board_run *run = find_board_run(b, id);
    struct shared_look others;

    for (size_t i = 0; i < b->stops; i++)
        if (str_eq(b->stop[i].run, str_from(id)))
            out->stop = b->stop[i].by;
    out->counted = run != NULL || (!b->unread && b->budgets == 0 && !b->wanted_month);
    if (run == NULL)
        return;
    look_at_budgets(b, run, &out->budget);
    if (b->month.nano == MONEY_UNKNOWN)
        return;
    count_others(b, run, 0, &others);
    out->month_spent = usd_add(b->month, others.spent);
    out->month_own = run->charge.cost;
    out->month_others = others.others;
    out->month_unknown = b->month_unknown;
}
