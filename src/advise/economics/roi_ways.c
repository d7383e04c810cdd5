#include "advise/economics/roi_ways.h"

#include <math.h>

#define HOURS_MOST 876600.0 /* a hundred years */

static bool refuse_way(struct str text, struct error *err)
{
    error_set(err, ERROR_USAGE, "--way: '%.*s' is not a way to do a run", STR_ARG(text));
    error_hint(err, "write what it costs and how long it takes: 500usd:40h, or with a name: "
                    "spot=800usd:10h");
    return false;
}

/* What comes before the '=' of a name; none: a letter. */
static struct str way_name(struct str *text, size_t number)
{
    static const char letters[] = "ABCDEF";
    struct str rest = *text, name = str_trim(str_cut(&rest, '='));

    if (rest.at == NULL)
        return (struct str){&letters[number], 1};
    *text = rest;
    return name;
}

/* "500usd:40h", or the other way round. */
static bool read_way(struct str text, usd *paid, span *takes)
{
    struct error ignored = {0};
    struct str second = text, first = str_trim(str_cut(&second, ':'));

    second = str_trim(second);
    return (usd_parse(first, paid, &ignored) && span_parse(second, takes, &ignored)) ||
           (span_parse(first, takes, &ignored) && usd_parse(second, paid, &ignored));
}

static bool take_way(struct str text, size_t number, struct roi_option *options,
                     struct roi_result *res, struct error *err)
{
    struct roi_option *option = &options[res->options.len];
    struct str rest = text;
    usd paid;
    span takes;

    *option = (struct roi_option){
        .money_low = USD_UNKNOWN, .money_high = USD_UNKNOWN, .price_date = DAY_UNKNOWN};
    option->way = way_name(&rest, number);
    if (option->way.len == 0 || !read_way(rest, &paid, &takes) || takes.ns <= 0 ||
        paid.nano < 0 || span_in_hours(takes) > HOURS_MOST)
        return refuse_way(text, err);
    for (size_t i = 0; i < res->options.len; i++)
        if (str_eq_nocase(options[i].way, option->way))
            return error_fail_hint(err, ERROR_USAGE, "--way spot=500usd:40h names one",
                                   "--way: two ways are called '%.*s'", STR_ARG(option->way));
    option->money = paid;
    option->hours = (struct guess){span_in_hours(takes), NAN, NAN};
    res->options = (struct rows){options, res->options.len + 1};
    return true;
}

void roi_take_local_time(span takes, struct roi_option *options, struct roi_result *res)
{
    const struct roi_local *local = &res->local;
    double hours = span_in_hours(takes);

    options[0] = (struct roi_option){
        .way = STR("local"),
        .where = local->machine,
        .market = str_from(market_names[MARKET_OWN]),
        .gpu = local->gpu,
        .gpus = local->gpus,
        .hours = {hours, NAN, NAN},
        .money =
            usd_about(roi_electricity(&local->terms, hours) + roi_wear(&local->terms, hours)),
        .money_low = USD_UNKNOWN,
        .money_high = USD_UNKNOWN,
        .price_date = DAY_UNKNOWN,
    };
    res->options = (struct rows){options, 1};
}

bool roi_take_ways(struct strs ways, struct roi_option *options, struct roi_result *res,
                   struct error *err)
{
    if (res->options.len + ways.len > ROI_OPTIONS_MAX)
        return error_fail(err, ERROR_USAGE, "--way: at most %d ways are compared",
                          ROI_OPTIONS_MAX);
    for (size_t i = 0; i < ways.len; i++)
        if (!take_way(str_trim(ways.at[i]), i, options, res, err))
            return false;
    if (res->options.len >= 2)
        return true;
    return error_fail_hint(err, ERROR_USAGE,
                           "--way 500usd:40h --way 800usd:10h; or --way 10usd:2h --local "
                           "rtx3070 --local-time 12h",
                           "one way alone has nothing to be compared with");
}
