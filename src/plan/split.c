/* A month's money in parts that add up. */
#include "plan/split.h"

#include <math.h>

#include "base/num.h"

#define FINE 1e12 /* shares are distinguished to a millionth of a millionth */
#define ROUNDING 1e-9

const char *const split_names[SPLIT_PARTS] = {"experiments", "production", "storage",
                                              "reserve"};

const double split_usual[SPLIT_PARTS] = {0.30, 0.50, 0.10, 0.10};

/* `whole` in the proportion of the weights: rounded down, then one more for the greatest
 * remainders, the first of equals. Weights are not all 0. */
static void divide_amount(int64_t whole, const int64_t weight[static SPLIT_PARTS],
                          int64_t out[static SPLIT_PARTS])
{
    wide rest[SPLIT_PARTS], sum = 0;
    int64_t over = whole;

    for (int i = 0; i < SPLIT_PARTS; i++)
        sum += weight[i];
    for (int i = 0; i < SPLIT_PARTS; i++) {
        out[i] = (int64_t)((wide)whole * weight[i] / sum);
        rest[i] = (wide)whole * weight[i] % sum;
        over -= out[i];
    }
    for (; over > 0; over--) { /* fewer than there are parts */
        int most = 0;

        for (int i = 1; i < SPLIT_PARTS; i++)
            if (rest[i] > rest[most])
                most = i;
        out[most]++;
        rest[most] = -1;
    }
}

/* The share of each part, of the whole; that of storage 0 when its amount is given, which has
 * `taken` so much already. */
static bool settle_shares(double taken, bool stored, const double shares[static SPLIT_PARTS],
                          double out[static SPLIT_PARTS], struct error *err)
{
    double usual = 0, given = taken, left;

    for (int i = 0; i < SPLIT_PARTS; i++) {
        if (i == SPLIT_STORAGE && stored)
            continue;
        if (isnan(shares[i]))
            usual += split_usual[i];
        else
            given += shares[i];
    }
    left = 1 - given;
    if (left < -ROUNDING || (usual == 0 && left > ROUNDING)) {
        error_set(err, ERROR_INPUT, "the parts add up to %.6g %% of the budget", given * 100);
        error_hint(err, "leave one out to give it the rest");
        return false;
    }
    for (int i = 0; i < SPLIT_PARTS; i++) {
        if (i == SPLIT_STORAGE && stored)
            out[i] = 0;
        else
            out[i] = isnan(shares[i]) ? fmax(left, 0) * split_usual[i] / usual : shares[i];
    }
    return true;
}

bool split_budget(int64_t whole, const double shares[static SPLIT_PARTS], int64_t storage,
                  struct split_line out[static SPLIT_PARTS], struct error *err)
{
    bool stored = storage != MONEY_UNKNOWN;
    int64_t rest = stored ? whole - storage : whole, weight[SPLIT_PARTS], amount[SPLIT_PARTS];
    double share[SPLIT_PARTS], sum = 0;

    if (whole <= 0)
        return error_fail(err, ERROR_INPUT, "a budget of 0 cannot be split");
    if (stored && (storage < 0 || rest < 0))
        return error_fail(err, ERROR_INPUT, "storage alone exceeds the budget");
    if (!settle_shares(stored ? (double)storage / (double)whole : 0, stored, shares, share,
                       err))
        return false;
    for (int i = 0; i < SPLIT_PARTS; i++) {
        weight[i] = (int64_t)llround(share[i] * FINE);
        sum += (double)weight[i];
    }
    if (!(sum > 0))
        weight[SPLIT_RESERVE] =
            1; /* storage takes all, but for less than can be distinguished */
    divide_amount(rest, weight, amount);
    if (stored)
        amount[SPLIT_STORAGE] = storage;
    for (int i = 0; i < SPLIT_PARTS; i++)
        out[i] = (struct split_line){.share = (double)amount[i] / (double)whole,
                                     .amount = amount[i],
                                     .planned = MONEY_UNKNOWN,
                                     .left = MONEY_UNKNOWN};
    return true;
}

void split_compare(struct split_line *line, int64_t planned)
{
    line->planned = planned;
    line->left = planned == MONEY_UNKNOWN ? MONEY_UNKNOWN
                                          : usd_add((usd){line->amount}, (usd){-planned}).nano;
}

struct split_sum split_sum(int64_t whole, const struct split_line lines[static SPLIT_PARTS])
{
    struct split_sum sum = {.left = MONEY_UNKNOWN};
    usd planned = {0}, over = {0};

    for (int i = 0; i < SPLIT_PARTS; i++) {
        if (lines[i].left != MONEY_UNKNOWN && lines[i].left < 0)
            over = usd_add(over, (usd){-lines[i].left});
        if (i == SPLIT_EXPERIMENTS || i == SPLIT_PRODUCTION ||
            lines[i].planned != MONEY_UNKNOWN)
            planned = usd_add(planned, (usd){lines[i].planned});
    }
    sum.planned = planned.nano;
    sum.over = over.nano;
    sum.reserve_covers = over.nano != MONEY_UNKNOWN && over.nano <= lines[SPLIT_RESERVE].amount;
    if (planned.nano != MONEY_UNKNOWN)
        sum.left = usd_add((usd){whole}, (usd){-planned.nano}).nano;
    return sum;
}

/* ---- the answer ---- */

#define NANO 9

static const struct field part_fields[] = {
    FIELD(ENUM, budget_part, part, FIELD_NAMES(split_names),
          .help = "experiments, production, storage or reserve"),
    FIELD(SHARE, budget_part, share, .help = "share of the budget"),
    FIELD(MONEY, budget_part, amount, .help = "amount allotted"),
    FIELD(MONEY, budget_part, planned,
          .help = "amount planned; null: no plan is compared with it"),
    FIELD(MONEY, budget_part, remaining, .help = "amount left; negative: over"),
    FIELD(FLAG, budget_part, over, .help = "plans exceed the amount"),
};

static const struct field_set part_set = FIELD_SET(struct budget_part, part_fields);

static const struct field plan_fields[] = {
    FIELD(TEXT, budget_plan, name, .help = "job name"),
    FIELD(TEXT, budget_plan, file, .help = "file it was read from"),
    FIELD(ENUM, budget_plan, part, FIELD_NAMES(split_names), .help = "part it counts toward"),
    FIELD(MONEY, budget_plan, cost, .help = "cost in the plan"),
    FIELD_AS("converted_cost", MONEY, budget_plan, held,
             .help = "cost in the budget's currency; null: no rate"),
};

static const struct field_set plan_set = FIELD_SET(struct budget_plan, plan_fields);

static const struct field fields[] = {
    FIELD(MONEY, budget_split, budget, .help = "monthly budget"),
    FIELD(LIST, budget_split, parts, .row = &part_set, .help = "parts of the budget"),
    FIELD(LIST, budget_split, plans, .row = &plan_set, .help = "plans compared with it"),
    FIELD(MONEY, budget_split, planned, .help = "total planned, including known storage"),
    FIELD(MONEY, budget_split, remaining, .help = "budget left; negative: over"),
    FIELD(MONEY, budget_split, over, .help = "total by which parts are over"),
    FIELD(FLAG, budget_split, reserve_covers,
          .help = "reserve covers the overrun of the other parts"),
};

const struct field_set budget_split_fields = FIELD_SET(struct budget_split, fields);

/* money_from_nano(), of what may be below zero. */
static struct money signed_money(int64_t nano, struct currency currency)
{
    struct money m =
        money_from_nano(nano < 0 && nano != MONEY_UNKNOWN ? -nano : nano, currency);

    if (nano < 0)
        m.amount.coefficient = -m.amount.coefficient;
    return m;
}

bool split_nano(const struct money *m, const char *what, int64_t *out, struct error *err)
{
    if (decimal_fixed(m->amount, NANO, out) && *out >= 0)
        return true;
    return error_fail(err, ERROR_INPUT,
                      "%s is below zero, too large, or has more than 9 decimals", what);
}

bool split_storage_parse(struct str text, double *share, struct money *amount,
                         struct error *err)
{
    struct str number = str_trim(text);

    *share = NAN;
    *amount = (struct money){0};
    if (number.len == 0)
        return true;
    if (str_ends(number, STR("%"))) {
        number = str_trim((struct str){number.at, number.len - 1});
        if (num_double(number, share) && *share >= 0 && *share <= 100) {
            *share /= 100;
            return true;
        }
        return error_fail(err, ERROR_INPUT, "storage: '%.*s' is not between 0%% and 100%%",
                          STR_ARG(text));
    }
    if (money_parse(number, amount, err))
        return true;
    error_context(err, "storage");
    return false;
}

/* What is planned for each part; unknown: nothing is. */
static bool add_split_plans(int64_t storage, struct rows all,
                            int64_t planned[static SPLIT_PARTS], struct error *err)
{
    const struct budget_plan *plans = all.at;

    for (int i = 0; i < SPLIT_PARTS; i++)
        planned[i] = MONEY_UNKNOWN;
    if (all.len > 0)
        planned[SPLIT_EXPERIMENTS] = planned[SPLIT_PRODUCTION] = 0;
    planned[SPLIT_STORAGE] = storage;
    for (size_t i = 0; i < all.len; i++) {
        enum split_part part = plans[i].part;
        int64_t nano = MONEY_UNKNOWN;

        if (!currency_unset(plans[i].held.currency) &&
            !split_nano(&plans[i].held, "what the plan costs", &nano, err))
            return false;
        planned[part] = usd_add((usd){planned[part]}, (usd){nano}).nano;
    }
    return true;
}

static bool list_split_parts(const struct money *budget, int64_t whole,
                             const struct split_line lines[static SPLIT_PARTS],
                             struct arena *arena, struct budget_split *out, struct error *err)
{
    struct budget_part *rows = arena_array(arena, struct budget_part, SPLIT_PARTS, err);
    struct split_sum sum = split_sum(whole, lines);

    if (rows == NULL)
        return false;
    for (int i = 0; i < SPLIT_PARTS; i++)
        rows[i] = (struct budget_part){
            .part = (enum split_part)i,
            .share = lines[i].share,
            .amount = money_from_nano(lines[i].amount, budget->currency),
            .planned = money_from_nano(lines[i].planned, budget->currency),
            .remaining = signed_money(lines[i].left, budget->currency),
            .over = lines[i].left != MONEY_UNKNOWN && lines[i].left < 0,
        };
    out->parts = (struct rows){rows, SPLIT_PARTS};
    out->planned = money_from_nano(sum.planned, budget->currency);
    out->over = money_from_nano(sum.over, budget->currency);
    out->reserve_covers = sum.reserve_covers;
    if (sum.left != MONEY_UNKNOWN)
        out->remaining = signed_money(sum.left, budget->currency);
    return true;
}

bool split_plans(const struct money *budget, const double shares[static SPLIT_PARTS],
                 int64_t storage, struct rows plans, struct arena *arena,
                 struct budget_split *out, struct error *err)
{
    struct split_line lines[SPLIT_PARTS];
    int64_t whole, planned[SPLIT_PARTS];

    out->budget = *budget;
    out->plans = plans;
    if (!split_nano(budget, "the budget", &whole, err) ||
        !split_budget(whole, shares, storage, lines, err) ||
        !add_split_plans(storage, plans, planned, err))
        return false;
    for (int i = 0; i < SPLIT_PARTS; i++)
        split_compare(&lines[i], planned[i]);
    return list_split_parts(budget, whole, lines, arena, out, err);
}
