/* What a line item of AWS cost. Commitments are paid in one line and used in others: billed
 * cost follows the invoice, effective cost follows the use. */
#include <inttypes.h>

#include "bill/aws/aws.h"

static const struct cur_type types[] = {
    {"Usage", "Usage", NULL, "Usage-Based", "Standard", true},
    {"DiscountedUsage", "Usage", NULL, "Usage-Based", "Committed", true},
    {"SavingsPlanCoveredUsage", "Usage", NULL, "Usage-Based", "Committed", true},
    {"SavingsPlanNegation", "Usage", NULL, "Usage-Based", NULL, false},
    {"BundledDiscount", "Usage", NULL, "Usage-Based", NULL, false},
    {"Discount", "Usage", NULL, "Usage-Based", NULL, false},
    {"EdpDiscount", "Usage", NULL, "Usage-Based", NULL, false},
    {"PrivateRateDiscount", "Usage", NULL, "Usage-Based", NULL, false},
    {"RiVolumeDiscount", "Usage", NULL, "Usage-Based", NULL, false},
    {"Fee", "Purchase", NULL, "One-Time", "Standard", false},
    {"RIFee", "Purchase", NULL, "Recurring", "Standard", false},
    {"SavingsPlanUpfrontFee", "Purchase", NULL, "One-Time", "Standard", false},
    {"SavingsPlanRecurringFee", "Purchase", NULL, "Recurring", "Standard", false},
    {"Tax", "Tax", NULL, "One-Time", NULL, false},
    {"Credit", "Credit", NULL, "One-Time", NULL, false},
    {"Refund", "Adjustment", "Correction", "One-Time", NULL, false},
};

const struct cur_type *cur_type_of(struct str name)
{
    for (size_t i = 0; i < ARRAY_LEN(types); i++)
        if (bill_name_eq(name, str_from(types[i].name)))
            return &types[i];
    return &types[0];
}

/* What a column says: its text is unknown when it says nothing, and the amount 0. */
struct said {
    struct str text;
    struct decimal amount;
};

static bool amount_of(struct bill *bill, const struct bill_row *row, enum cur_column column,
                      struct said *out, struct error *err)
{
    out->text = cur_cell(bill->state, row, column);
    out->amount = (struct decimal){0};
    return out->text.at == NULL ||
           bill_amount(bill, cur_names[column], &out->text, &out->amount, err);
}

/* Where the account has discounts, the net columns are what is asked for. */
static bool net_or(struct bill *bill, const struct bill_row *row, enum cur_column net,
                   enum cur_column gross, struct said *out, struct error *err)
{
    if (!amount_of(bill, row, net, out, err))
        return false;
    return out->text.at != NULL || amount_of(bill, row, gross, out, err);
}

static bool write_amount(struct bill *bill, struct decimal amount, struct str *out,
                         struct error *err)
{
    buf_clear(&bill->work);
    decimal_write(amount, &bill->work);
    return bill_text_work(bill, out, err);
}

static struct decimal negative(struct decimal d)
{
    return (struct decimal){-d.coefficient, d.scale};
}

static bool sum_of(struct bill *bill, struct decimal a, struct decimal b, struct bill_line *out,
                   struct error *err)
{
    if (!decimal_add(a, b, &out->effective))
        return error_fail(err, ERROR_INPUT, "line %" PRIu64 ": the cost has too many digits",
                          bill->row.line);
    return write_amount(bill, out->effective, &out->of[FOCUS_EffectiveCost], err);
}

/* A fee is paid for use that other lines show: what it leaves is the part nobody used. */
static bool unused_reservation(struct bill *bill, const struct bill_row *row,
                               struct bill_line *out, struct error *err)
{
    struct said upfront, fee;

    if (!net_or(bill, row, CUR_ri_net_unused_upfront, CUR_ri_unused_upfront, &upfront, err) ||
        !net_or(bill, row, CUR_ri_net_unused_fee, CUR_ri_unused_fee, &fee, err))
        return false;
    return (upfront.text.at == NULL && fee.text.at == NULL) ||
           sum_of(bill, upfront.amount, fee.amount, out, err);
}

static bool unused_plan(struct bill *bill, const struct bill_row *row, struct bill_line *out,
                        struct error *err)
{
    struct said promised, used;

    if (!amount_of(bill, row, CUR_sp_commitment, &promised, err) ||
        !amount_of(bill, row, CUR_sp_used, &used, err))
        return false;
    return promised.text.at == NULL || used.text.at == NULL ||
           sum_of(bill, promised.amount, negative(used.amount), out, err);
}

/* Takes the place of the billed cost when the columns have it. */
static bool own_cost(struct bill *bill, const struct bill_row *row, enum cur_column net,
                     enum cur_column gross, struct bill_line *out, struct error *err)
{
    struct said cost;

    if (!net_or(bill, row, net, gross, &cost, err))
        return false;
    if (cost.text.at != NULL) {
        out->effective = cost.amount;
        out->of[FOCUS_EffectiveCost] = cost.text;
    }
    return true;
}

static void nothing(struct bill_line *out)
{
    out->effective = (struct decimal){0};
    out->of[FOCUS_EffectiveCost] = STR("0");
}

static bool effective_cost(struct bill *bill, const struct bill_row *row, struct bill_line *out,
                           struct error *err)
{
    struct str type = cur_cell(bill->state, row, CUR_type);

    out->effective = out->billed;
    out->of[FOCUS_EffectiveCost] = out->of[FOCUS_BilledCost];
    if (str_eq(type, STR("SavingsPlanCoveredUsage")))
        return own_cost(bill, row, CUR_sp_net_cost, CUR_sp_cost, out, err);
    if (str_eq(type, STR("DiscountedUsage")))
        return own_cost(bill, row, CUR_ri_net_cost, CUR_ri_cost, out, err);
    if (str_eq(type, STR("SavingsPlanRecurringFee")))
        return unused_plan(bill, row, out, err);
    if (str_eq(type, STR("RIFee")))
        return unused_reservation(bill, row, out, err);
    if (str_eq(type, STR("SavingsPlanNegation")) ||
        str_eq(type, STR("SavingsPlanUpfrontFee")) ||
        (str_eq(type, STR("Fee")) && cur_cell(bill->state, row, CUR_ri_arn).at != NULL))
        nothing(out);
    return true;
}

/* What it would have cost on demand: said of usage. The lines that take back what a plan covers
 * have no price of their own. */
static bool list_cost(struct bill *bill, const struct bill_row *row, struct bill_line *out,
                      struct error *err)
{
    struct str type = cur_cell(bill->state, row, CUR_type);
    struct decimal zero = {0};
    struct said list;

    out->list = out->contracted = out->billed;
    if (str_eq(type, STR("SavingsPlanNegation"))) {
        out->list = out->contracted = zero;
        out->of[FOCUS_ListCost] = out->of[FOCUS_ContractedCost] = STR("0");
        out->list_known = out->contracted_known = true;
        return true;
    }
    if (!cur_type_of(type)->usage)
        return true;
    if (!amount_of(bill, row, CUR_list_cost, &list, err))
        return false;
    if (list.text.at == NULL)
        return true;
    out->list = list.amount;
    out->list_known = true;
    out->of[FOCUS_ListCost] = list.text;
    /* Usage of a reservation is billed 0: its price without it is the public one. */
    if (str_eq(type, STR("DiscountedUsage"))) {
        out->contracted = out->list;
        out->contracted_known = true;
        out->of[FOCUS_ContractedCost] = list.text;
    }
    return true;
}

bool cur_costs(struct bill *bill, const struct bill_row *row, struct bill_line *out,
               struct error *err)
{
    struct said billed;

    if (!net_or(bill, row, CUR_net_unblended, CUR_unblended, &billed, err))
        return false;
    out->billed = billed.amount;
    out->of[FOCUS_BilledCost] = billed.text.at != NULL ? billed.text : STR("0");
    bill_sum_add(&bill->total, out->billed);
    return effective_cost(bill, row, out, err) && list_cost(bill, row, out, err);
}
