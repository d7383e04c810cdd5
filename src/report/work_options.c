#include "report/work_options.h"

static const struct field option_fields[] = {
    FIELD(TEXT, work_option, provider, .help = "who sells it"),
    FIELD(ENUM, work_option, market, FIELD_NAMES(market_names), .help = "on-demand or spot"),
    FIELD(TEXT, work_option, offer, .help = "provider/region/instance"),
    FIELD(TEXT, work_option, accelerator, .empty_unknown = true, .help = "that it has"),
    FIELD(COUNT, work_option, gpus, .help = "that are rented"),
    FIELD(NUMBER, work_option, vcpus, .sparse = true, .help = "of a machine without GPUs"),
    FIELD(COUNT, work_option, machines, .help = "that are rented"),
    FIELD(NUMBER, work_option, hours, .help = "that the work takes, modelled"),
    FIELD(USD, work_option, cost, .help = "of the work, set-up included"),
    FIELD(USD, work_option, cost_low, .help = "80 % range"),
    FIELD(USD, work_option, cost_high, .help = "80 % range"),
    FIELD(DAY, work_option, date, .help = "of the price"),
    FIELD(COUNT, work_option, age_days, .help = "of the price"),
    FIELD(FLAG, work_option, cheapest, .help = "of its market"),
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
