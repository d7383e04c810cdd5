/* A group of Cost Explorer as a line of a bill. */
#include <string.h>

#include "base/characters.h"
#include "bill/aws/aws.h"
#include "bill/aws/explorer.h"

bool explorer_choose(struct bill *bill, const struct explorer_group *group, struct error *err)
{
    struct explorer_state *state = bill->state;

    state->billed = state->effective = EXPLORER_METRICS;
    for (int m = EXPLORER_AMORTIZED; m >= 0; m--) {
        if (group->amount[m].at == NULL)
            continue;
        if (m <= EXPLORER_BLENDED)
            state->billed = (enum explorer_metric)m;
        else
            state->effective = (enum explorer_metric)m;
    }
    if (state->billed == EXPLORER_METRICS && state->effective == EXPLORER_METRICS) {
        error_set(err, ERROR_INPUT, "this answer of Cost Explorer has no cost in it");
        error_hint(err, "ask with --metrics UnblendedCost AmortizedCost");
        return false;
    }
    if (state->billed == EXPLORER_METRICS)
        bill->about.amounts = BILL_AMORTISED;
    bill->total_column =
        explorer_metrics[state->billed != EXPLORER_METRICS ? state->billed : state->effective];
    return true;
}

/* What an unnamed key is, by its looks: the definitions were left out, or come later. */
static const char *guess(struct str key)
{
    size_t digits = 0, dashes = 0;

    for (size_t i = 0; i < key.len; i++) {
        digits += is_digit(key.at[i]);
        dashes += key.at[i] == '-';
        if (key.at[i] == '$')
            return "TAG";
        if (key.at[i] == ' ')
            return "SERVICE";
    }
    if (digits == 12 && key.len == 12)
        return "LINKED_ACCOUNT";
    if (dashes == 2 && digits == 1)
        return "REGION";
    if (digits > 0 && dashes == 0 && memchr(key.at, '.', key.len) != NULL)
        return "INSTANCE_TYPE";
    return "SERVICE";
}

/* "team$nlp", or "team$" for what has no such tag. */
static bool put_tag(struct bill *bill, const char *prefix, struct str key, struct str name,
                    struct error *err)
{
    struct str value = key, tag = str_cut(&value, '$'), whole;
    struct buf text = buf_new(bill->alloc, (size_t)1 << 20);
    bool fine;

    if (value.at == tag.at || value.len == 0)
        return true;
    buf_adds(&text, prefix);
    buf_add(&text, tag.len > 0 ? tag : name);
    fine = buf_ok(&text, err) && bill_text(bill, buf_text(&text), &whole, err);
    buf_free(&text);
    if (fine)
        bill_put(&bill->work, whole, value);
    return fine;
}

static const char *pricing_of(struct str purchase)
{
    if (str_has_nocase(purchase, STR("spot")))
        return "Dynamic";
    if (str_has_nocase(purchase, STR("reserved")) || str_has_nocase(purchase, STR("savings")))
        return "Committed";
    return "Standard";
}

/* A value of one of Cost Explorer's dimensions. */
static void put_dimension(struct str name, struct str key, struct bill_line *out,
                          struct str *instance)
{
    static const struct {
        const char *name;
        enum focus_column to;
    } plain[] = {
        {"LINKED_ACCOUNT", FOCUS_SubAccountId},
        {"LINKED_ACCOUNT_NAME", FOCUS_SubAccountName},
        {"REGION", FOCUS_RegionId},
        {"AZ", FOCUS_AvailabilityZone},
        {"USAGE_TYPE", FOCUS_SkuMeter},
        {"RESOURCE_ID", FOCUS_ResourceId},
        {"OPERATION", FOCUS_ChargeDescription},
        {"LEGAL_ENTITY_NAME", FOCUS_InvoiceIssuerName},
        {"INVOICING_ENTITY", FOCUS_InvoiceIssuerName},
        {"SAVINGS_PLAN_ARN", FOCUS_CommitmentDiscountId},
        {"RESERVATION_ID", FOCUS_CommitmentDiscountId},
    };

    /* "NoRegion", "NoInstanceType": what has none. */
    if (key.len == 0 ||
        (key.len > 2 && key.at[0] == 'N' && key.at[1] == 'o' && is_upper(key.at[2])))
        return;
    for (size_t i = 0; i < ARRAY_LEN(plain); i++)
        if (str_eq_nocase(name, str_from(plain[i].name)))
            out->of[plain[i].to] = key;
    if (str_eq_nocase(name, STR("SERVICE"))) {
        out->of[FOCUS_ServiceName] = key;
        out->of[FOCUS_ServiceCategory] = str_from(aws_service_named(key).category);
        if (str_eq_nocase(key, STR("Tax"))) /* which is no service */
            out->of[FOCUS_ChargeCategory] = STR("Tax");
    } else if (str_eq_nocase(name, STR("INSTANCE_TYPE"))) {
        *instance = key;
    } else if (str_eq_nocase(name, STR("PURCHASE_TYPE"))) {
        out->of[FOCUS_PricingCategory] = str_from(pricing_of(key));
    } else if (str_eq_nocase(name, STR("RECORD_TYPE"))) {
        const struct cur_type *type = cur_type_of(key);

        out->of[FOCUS_ChargeCategory] = str_from(type->category);
        if (type->class != NULL)
            out->of[FOCUS_ChargeClass] = str_from(type->class);
        if (type->pricing != NULL && strcmp(type->pricing, "Committed") == 0)
            out->of[FOCUS_PricingCategory] = STR("Committed");
    }
}

static bool put_keys(struct bill *bill, const struct explorer_group *group,
                     struct bill_line *out, struct error *err)
{
    const struct explorer_state *state = bill->state;
    struct str instance = {0};

    buf_clear(&bill->work);
    for (size_t i = 0; i < group->key_count; i++) {
        bool named = group->key_count == state->key_count;
        struct str type = named ? state->keys[i].type : STR("DIMENSION");
        struct str name = named ? state->keys[i].name : str_from(guess(group->keys[i]));

        if (str_eq_nocase(type, STR("TAG")) || (!named && str_eq(name, STR("TAG")))) {
            if (!put_tag(bill, "", group->keys[i], name, err))
                return false;
        } else if (str_eq_nocase(type, STR("COST_CATEGORY"))) {
            if (!put_tag(bill, "costCategory:", group->keys[i], name, err))
                return false;
        } else {
            put_dimension(name, group->keys[i], out, &instance);
        }
    }
    if (!bill_object(bill, &out->of[FOCUS_Tags], err))
        return false;
    if (instance.at != NULL)
        bill_put(&bill->work, STR("InstanceType"), instance);
    return bill_object(bill, &out->of[FOCUS_SkuPriceDetails], err);
}

static bool take_cost(struct bill *bill, const struct explorer_group *group,
                      enum explorer_metric metric, struct str *text, struct decimal *out,
                      struct error *err)
{
    *text = group->amount[metric];
    return bill_amount(bill, explorer_metrics[metric], text, out, err);
}

static bool take_costs(struct bill *bill, const struct explorer_group *group,
                       struct bill_line *out, struct error *err)
{
    const struct explorer_state *state = bill->state;

    out->of[FOCUS_BilledCost] = STR("0");
    if (state->billed != EXPLORER_METRICS &&
        !take_cost(bill, group, state->billed, &out->of[FOCUS_BilledCost], &out->billed, err))
        return false;
    out->effective = out->billed;
    out->of[FOCUS_EffectiveCost] = out->of[FOCUS_BilledCost];
    if (state->effective != EXPLORER_METRICS &&
        !take_cost(bill, group, state->effective, &out->of[FOCUS_EffectiveCost],
                   &out->effective, err))
        return false;
    bill_sum_add(&bill->total,
                 state->billed != EXPLORER_METRICS ? out->billed : out->effective);
    out->list = out->contracted = out->billed;
    return true;
}

bool explorer_line(struct bill *bill, const struct explorer_group *group, struct bill_line *out,
                   struct error *err)
{
    const struct explorer_state *state = bill->state;

    *out = (struct bill_line){.line = group->line};
    bill->row.line = group->line; /* for what is refused */
    out->start = state->start;
    out->end = state->end;
    bill_month_of(out);
    out->of[FOCUS_ProviderName] = out->of[FOCUS_PublisherName] =
        out->of[FOCUS_InvoiceIssuerName] = out->of[FOCUS_ServiceProviderName] =
            out->of[FOCUS_HostProviderName] = STR("AWS");
    out->of[FOCUS_ChargeCategory] = STR("Usage");
    out->of[FOCUS_BillingCurrency] = group->currency;
    if (group->amount[EXPLORER_QUANTITY].at != NULL && group->unit.len > 0 &&
        !str_eq(group->unit, STR("N/A"))) {
        out->of[FOCUS_ConsumedQuantity] = group->amount[EXPLORER_QUANTITY];
        out->of[FOCUS_ConsumedUnit] = group->unit;
    }
    return put_keys(bill, group, out, err) && take_costs(bill, group, out, err);
}
