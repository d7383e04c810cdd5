#include "report/work_options.h"

static const struct field option_fields[] = {
    FIELD(TEXT, work_option, provider, .help = "provider that sells it"),
    FIELD(ENUM, work_option, market, .names = market_names, .only = MARKETS_LISTED,
          .help = "market: on-demand or spot"),
    FIELD(TEXT, work_option, offer, .help = "provider/region/instance"),
    FIELD(TEXT, work_option, accelerator, .empty_unknown = true, .help = "accelerator"),
    FIELD(COUNT, work_option, gpus, .help = "rented GPUs"),
    FIELD(NUMBER, work_option, vcpus, .sparse = true,
          .help = "vCPUs of a machine without GPUs"),
    FIELD(COUNT, work_option, machines, .help = "rented machines"),
    FIELD(NUMBER, work_option, hours, .help = "modeled hours of the work"),
    FIELD(USD, work_option, cost,
          .help = "cost of the work; of a run without set-up, as it was metered"),
    FIELD(USD, work_option, cost_low, .help = "low end of the 80 % range"),
    FIELD(USD, work_option, cost_high, .help = "high end of the 80 % range"),
    FIELD(DAY, work_option, date, .help = "date of the price"),
    FIELD(COUNT, work_option, age_days, .help = "age of the price in days"),
    FIELD(FLAG, work_option, cheapest, .help = "cheapest of its market"),
};
const struct field_set work_option_fields = FIELD_SET(struct work_option, option_fields);

const struct work_option *work_option_of(const struct work_comparison *comparison,
                                         struct str provider, enum market market)
{
    const struct work_option *options = comparison->options.at;

    for (size_t i = 0; i < comparison->options.len; i++)
        if (options[i].market == market && str_eq(options[i].provider, provider))
            return &options[i];
    return NULL;
}

const struct work_option *work_cheapest(const struct work_comparison *comparison,
                                        enum market market)
{
    const struct work_option *options = comparison->options.at;

    for (size_t i = 0; i < comparison->options.len; i++)
        if (options[i].market == market)
            return &options[i];
    return NULL;
}
