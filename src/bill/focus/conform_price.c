/* Unit price, quantity and cost, each coming to the other. */
#include "bill/focus/conform.h"

#define UNIT_DECIMALS \
    18 /* of a unit price that is worked out; more where there is much of it */
#define UNIT_MOST 36
#define COST_DECIMALS 12 /* that list and contracted cost keep */

static bool known(struct str text)
{
    return text.len > 0;
}

static bool is(const struct str out[FOCUS_COUNT], enum focus_column column, const char *word)
{
    return str_eq(out[column], str_from(word));
}

/* Is the difference below what a row may move by? */
static bool close_to(struct decimal product, struct decimal cost)
{
    struct decimal off, most = {1, COST_DECIMALS};

    if (!decimal_add(product, (struct decimal){-cost.coefficient, cost.scale}, &off))
        return false;
    off.coefficient = off.coefficient < 0 ? -off.coefficient : off.coefficient;
    return decimal_cmp(off, most) < 0;
}

/* A unit price that comes to the cost at this quantity, and the cost that it exactly comes to:
 * they differ by what the last decimal of the price is worth. False when no price has digits
 * enough. */
static bool settle(struct conform *c, struct decimal quantity, struct decimal cost,
                   struct str out[FOCUS_COUNT], enum focus_column unit_at,
                   enum focus_column cost_at)
{
    struct decimal unit = {0}, product;

    if (known(out[unit_at]) && decimal_parse(out[unit_at], &unit) && unit.coefficient >= 0 &&
        decimal_multiply(unit, quantity, &product) && decimal_cmp(product, cost) == 0) {
        out[cost_at] = conform_decimal(c, cost);
        return true;
    }
    c->touched |= 1u << CONFORM_UNIT_PRICE;
    if (cost.coefficient == 0) {
        out[unit_at] = out[cost_at] = STR("0");
        return true;
    }
    for (int decimals = UNIT_DECIMALS; decimals <= UNIT_MOST; decimals += 3)
        if (decimal_divide(cost, quantity, decimals, &unit) &&
            decimal_multiply(unit, quantity, &product) && close_to(product, cost)) {
            out[unit_at] = conform_decimal(c, unit);
            out[cost_at] = conform_decimal(c, product);
            return true;
        }
    return false;
}

/* One unit at the whole cost: what is left when a quantity has too many digits. */
static void one_unit(struct conform *c, struct decimal list, struct decimal contracted,
                     struct str out[FOCUS_COUNT])
{
    bool back = list.coefficient < 0 || (list.coefficient == 0 && contracted.coefficient < 0);

    out[FOCUS_ListCost] = conform_decimal(c, list);
    out[FOCUS_ContractedCost] = conform_decimal(c, contracted);
    if (back) {
        list.coefficient = -list.coefficient;
        contracted.coefficient = -contracted.coefficient;
    }
    out[FOCUS_ListUnitPrice] = conform_decimal(c, list);
    out[FOCUS_ContractedUnitPrice] = conform_decimal(c, contracted);
    out[FOCUS_PricingQuantity] = back ? STR("-1") : STR("1");
    c->touched |= 1u << CONFORM_QUANTITY;
}

/* The quantity that unit prices go by: of the sign of the cost, since no price is negative. */
static struct decimal quantity_of(struct conform *c, struct decimal cost,
                                  struct str out[FOCUS_COUNT])
{
    struct decimal quantity = {0};
    bool given = known(out[FOCUS_PricingQuantity]) &&
                 decimal_parse(out[FOCUS_PricingQuantity], &quantity);

    if (given && (quantity.coefficient == 0) == (cost.coefficient == 0) &&
        (quantity.coefficient < 0) == (cost.coefficient < 0))
        return quantity;
    if (given && cost.coefficient == 0)
        return quantity;
    c->touched |= 1u << CONFORM_QUANTITY;
    if (quantity.coefficient == 0)
        quantity = (struct decimal){1, 0};
    if ((quantity.coefficient < 0) != (cost.coefficient < 0))
        quantity.coefficient = -quantity.coefficient;
    out[FOCUS_PricingQuantity] = conform_decimal(c, quantity);
    return quantity;
}

/* What varies by use: only use has it, and only together with its unit. */
static void consumed(struct conform *c, struct str out[FOCUS_COUNT])
{
    struct str *quantity = &out[FOCUS_ConsumedQuantity], *unit = &out[FOCUS_ConsumedUnit];

    if (known(*quantity) && (!is(out, FOCUS_ChargeCategory, "Usage") ||
                             is(out, FOCUS_CommitmentDiscountStatus, "Unused"))) {
        *quantity = (struct str){0};
        c->touched |= 1u << CONFORM_QUANTITY;
    }
    if (!known(*quantity) && known(*unit)) {
        *unit = (struct str){0};
        c->touched |= 1u << CONFORM_QUANTITY;
    }
    if (known(*quantity) && !known(*unit)) {
        *unit = known(out[FOCUS_PricingUnit]) ? out[FOCUS_PricingUnit] : STR("Units");
        c->touched |= 1u << CONFORM_QUANTITY;
    }
}

/* In the currency of the price list; a row without one is priced as it is billed. */
static void priced(struct str out[FOCUS_COUNT])
{
    bool same = !known(out[FOCUS_PricingCurrency]) ||
                str_eq(out[FOCUS_PricingCurrency], out[FOCUS_BillingCurrency]) ||
                !known(out[FOCUS_PricingCurrencyEffectiveCost]);

    if (!same)
        return;
    out[FOCUS_PricingCurrency] = out[FOCUS_BillingCurrency];
    out[FOCUS_PricingCurrencyEffectiveCost] = out[FOCUS_EffectiveCost];
    out[FOCUS_PricingCurrencyListUnitPrice] = out[FOCUS_ListUnitPrice];
    out[FOCUS_PricingCurrencyContractedUnitPrice] = out[FOCUS_ContractedUnitPrice];
}

void conform_prices(struct conform *c, const struct bill_line *line,
                    struct str out[FOCUS_COUNT])
{
    bool charge =
        (is(out, FOCUS_ChargeCategory, "Usage") || is(out, FOCUS_ChargeCategory, "Purchase")) &&
        !is(out, FOCUS_ChargeClass, "Correction");
    struct decimal paid = line->billed.coefficient != 0 ? line->billed : line->effective;
    struct decimal contracted = line->contracted_known ? line->contracted : paid;
    struct decimal list = line->list_known ? line->list : contracted;

    out[FOCUS_ListCost] = conform_decimal(c, list);
    out[FOCUS_ContractedCost] = conform_decimal(c, contracted);
    if (charge) {
        struct decimal quantity =
            quantity_of(c, list.coefficient != 0 ? list : contracted, out);

        bool fits = settle(c, quantity, list, out, FOCUS_ListUnitPrice, FOCUS_ListCost);

        if (fits && ((contracted.coefficient < 0) == (quantity.coefficient < 0) ||
                     contracted.coefficient == 0))
            fits = settle(c, quantity, contracted, out, FOCUS_ContractedUnitPrice,
                          FOCUS_ContractedCost);
        if (!fits)
            one_unit(c, list, contracted, out);
    } else {
        /* Credits, adjustments and corrections need none, and theirs rarely fit. */
        out[FOCUS_ListUnitPrice] = out[FOCUS_ContractedUnitPrice] = (struct str){0};
    }
    if (!known(out[FOCUS_PricingQuantity]))
        out[FOCUS_PricingUnit] = (struct str){0};
    else if (!known(out[FOCUS_PricingUnit]))
        out[FOCUS_PricingUnit] = STR("Units");
    consumed(c, out);
    priced(out);
}
