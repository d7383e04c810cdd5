#include "advise/rules/job_facts.h"

#include <math.h>

static enum advise_part part_of_line(struct str name)
{
    static const struct {
        enum cost_line_id line;
        enum advise_part part;
    } parts[] = {
        {COST_COMPUTE, PART_TRAIN},     {COST_SETUP, PART_SETUP},
        {COST_UPLOAD, PART_TRANSFER},   {COST_EVALUATION, PART_EVALUATE},
        {COST_CHECKPOINTS, PART_SAVE},  {COST_LOST, PART_LOST},
        {COST_DOWNLOAD, PART_TRANSFER}, {COST_FAILURES, PART_LOST},
        {COST_SEARCH, PART_TRAIN},      {COST_STORAGE, PART_STORAGE},
        {COST_EGRESS, PART_TRANSFER},
    };

    for (size_t i = 0; i < ARRAY_LEN(parts); i++)
        if (str_eq(name, str_from(cost_line_names[parts[i].line])))
            return parts[i].part;
    return PART_OTHER;
}

void advise_job_money(const struct estimate *e, struct advise_money *out)
{
    const struct estimate_line *lines = e->cost.at;

    for (size_t i = 0; i < e->cost.len; i++)
        if (lines[i].amount.nano != MONEY_UNKNOWN)
            out->part[part_of_line(lines[i].name)] += usd_double(lines[i].amount);
}

/* Machines of one kind that serve the job's rate: those of the place, or more where the rate
 * needs them. */
static double serving_machines(const struct estimate *e, const struct estimate_place *place)
{
    double each = (double)(e->tensor * e->pipeline);
    double needed = ceil(e->replicas * each / (double)place->hardware.per_node);

    return needed > (double)place->machines ? needed : (double)place->machines;
}

void advise_serving_month(const struct job_infer *t, const struct estimate *e,
                          const struct estimate_place *place, struct advise_money *out)
{
    double hours = ADVISE_MONTH_DAYS * (t->hours_per_day > 0 ? t->hours_per_day : 24);
    double price = usd_double(cost_of_hours(place->price, hours));

    if (price > 0)
        out->part[PART_TRAIN] = price * serving_machines(e, place);
}

struct advise_option advise_option_of_plan(const struct plan_row *row)
{
    return (struct advise_option){.offer = row->offer,
                                  .provider = row->provider,
                                  .region = row->region,
                                  .gpu = row->accelerator,
                                  .market = row->market == MARKET_SPOT ? MARKET_SPOT
                                                                       : MARKET_ON_DEMAND,
                                  .gpus = row->gpus,
                                  .cost = row->cost,
                                  .cost_low = row->cost_low,
                                  .cost_high = row->cost_high,
                                  .hours = row->hours.value > 0 ? row->hours.value : 0,
                                  .date = row->price_date,
                                  .interruptions = row->losses,
                                  .estimated = true};
}
