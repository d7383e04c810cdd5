/* A month's money in parts that add up. */
#include "plan/split.h"

#include <math.h>

#define FINE 1e12 /* shares are told apart to a millionth of a millionth */
#define ROUNDING 1e-9

const char *const split_names[SPLIT_PARTS] = {"experiments", "production", "storage",
                                              "reserve"};

const double split_usual[SPLIT_PARTS] = {0.30, 0.50, 0.10, 0.10};

/* `whole` in the proportion of the weights: rounded down, then one more for the greatest
 * remainders, the first of equals. Weights are not all 0. */
static void divide(int64_t whole, const int64_t weight[static SPLIT_PARTS],
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
static bool settle(double taken, bool stored, const double shares[static SPLIT_PARTS],
                   double out[static SPLIT_PARTS], struct error *err)
{
    double usual = 0, said = taken, left;

    for (int i = 0; i < SPLIT_PARTS; i++) {
        if (i == SPLIT_STORAGE && stored)
            continue;
        if (isnan(shares[i]))
            usual += split_usual[i];
        else
            said += shares[i];
    }
    left = 1 - said;
    if (left < -ROUNDING || (usual == 0 && left > ROUNDING)) {
        error_set(err, ERROR_INPUT, "the parts add up to %.6g %% of the budget", said * 100);
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
    if (!settle(stored ? (double)storage / (double)whole : 0, stored, shares, share, err))
        return false;
    for (int i = 0; i < SPLIT_PARTS; i++) {
        weight[i] = (int64_t)llround(share[i] * FINE);
        sum += (double)weight[i];
    }
    if (!(sum > 0))
        weight[SPLIT_RESERVE] = 1; /* storage takes all, but for less than can be told */
    divide(rest, weight, amount);
    if (stored)
        amount[SPLIT_STORAGE] = storage;
    for (int i = 0; i < SPLIT_PARTS; i++)
        out[i] = (struct split_line){.share = (double)amount[i] / (double)whole,
                                     .amount = amount[i],
                                     .planned = MONEY_UNKNOWN,
                                     .left = MONEY_UNKNOWN};
    return true;
}

void split_hold(struct split_line *line, int64_t planned)
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
