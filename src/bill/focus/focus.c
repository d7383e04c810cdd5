/* The columns of FOCUS, by their names. */
#include "bill/focus/focus.h"

const struct focus_definition focus_columns[FOCUS_COUNT] = {
#define FOCUS_ROW(label, form, since, until) \
    [FOCUS_##label] = {.name = #label, .kind = FOCUS_##form, .first = (since), .last = (until)},
    FOCUS_COLUMNS(FOCUS_ROW)
#undef FOCUS_ROW
};

enum focus_column focus_find(struct str name)
{
    int low = 0, high = FOCUS_COUNT; /* in the order of the alphabet */

    while (low < high) {
        int middle = (low + high) / 2;
        int order = str_cmp(name, str_from(focus_columns[middle].name));

        if (order == 0)
            return (enum focus_column)middle;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return FOCUS_COUNT;
}

bool focus_varies(enum focus_column column)
{
    static const bool varies[FOCUS_COUNT] = {
        [FOCUS_BilledCost] = true,
        [FOCUS_EffectiveCost] = true,
        [FOCUS_ListCost] = true,
        [FOCUS_ContractedCost] = true,
        [FOCUS_PricingQuantity] = true,
        [FOCUS_ConsumedQuantity] = true,
        [FOCUS_PricingCurrencyEffectiveCost] = true,
        [FOCUS_CommitmentDiscountQuantity] = true,
        [FOCUS_ListUnitPrice] = true, /* of spot machines they change by the hour */
        [FOCUS_ContractedUnitPrice] = true,
        [FOCUS_PricingCurrencyListUnitPrice] = true,
        [FOCUS_PricingCurrencyContractedUnitPrice] = true,
        [FOCUS_ChargePeriodStart] = true,
        [FOCUS_ChargePeriodEnd] = true,
    };

    return varies[column];
}
