#include "estimate/money/cost.h"

#include <assert.h>
#include <math.h>

#define SECONDS_PER_HOUR 3600.0
#define DAYS_PER_MONTH 30 /* as bills by the GB-month count, within 2 % */
#define NS_PER_DAY (24 * SPAN_HOUR)

const char *const cost_line_names[COST_LINE_COUNT] = {
    [COST_COMPUTE] = "compute",
    [COST_SETUP] = "setup",
    [COST_UPLOAD] = "upload",
    [COST_EVALUATION] = "evaluation",
    [COST_CHECKPOINTS] = "checkpoints",
    [COST_LOST] = "lost time",
    [COST_DOWNLOAD] = "download",
    [COST_FAILURES] = "failures",
    [COST_SEARCH] = "search",
    [COST_STORAGE] = "storage",
    [COST_EGRESS] = "egress",
    [COST_ELECTRICITY] = "electricity",
    [COST_INTERRUPTIONS] = "interruptions",
    [COST_BILLING] = "billing",
    [COST_MARKUP] = "markup",
    [COST_OWNED] = "paid already",
};

static const struct hours_range no_hours;

void cost_write(struct cost *cost, enum cost_line_id line, struct usd_range amount,
                struct hours_range hours)
{
    assert(!cost->at[line].written);
    cost->at[line] = (struct cost_line){true, amount, hours};
}

struct usd_range cost_total(const struct cost *cost)
{
    struct usd_range sum = {{0}, {0}, {0}};

    for (size_t i = 0; i < COST_LINE_COUNT; i++) {
        const struct cost_line *line = &cost->at[i];

        if (!line->written)
            continue;
        sum.low = usd_add(sum.low, line->amount.low);
        sum.expected = usd_add(sum.expected, line->amount.expected);
        sum.high = usd_add(sum.high, line->amount.high);
    }
    return sum;
}

static struct hours_range hours_add(struct hours_range a, struct hours_range b)
{
    return (struct hours_range){a.low + b.low, a.expected + b.expected, a.high + b.high};
}

/* Less than nothing is unknown, and stays so. */
static struct hours_range hours_times(struct hours_range h, double factor)
{
    factor = factor >= 0 ? factor : NAN;
    return (struct hours_range){h.low * factor, h.expected * factor, h.high * factor};
}

static struct hours_range hours_known(struct hours_range h)
{
    return (struct hours_range){h.low >= 0 ? h.low : NAN, h.expected >= 0 ? h.expected : NAN,
                                h.high >= 0 ? h.high : NAN};
}

static struct hours_range hours_fixed(double hours)
{
    return hours_known((struct hours_range){hours, hours, hours});
}

struct hours_range cost_hours(const struct cost *cost)
{
    struct hours_range sum = no_hours;

    for (size_t i = 0; i < COST_LINE_COUNT; i++)
        if (cost->at[i].written)
            sum = hours_add(sum, cost->at[i].hours);
    return sum;
}

usd cost_of_hours(usd_per_hour price, double hours)
{
    usd amount;

    /* span_hours() would cut what is too long at 292 years, without a word. */
    if (!(hours >= 0) || hours * (double)SPAN_HOUR >= 9.2e18 ||
        !usd_for(price, span_hours(hours), &amount))
        return USD_UNKNOWN;
    return amount;
}

static struct usd_range range_of_hours(usd_per_hour price, struct hours_range h)
{
    return (struct usd_range){cost_of_hours(price, h.low), cost_of_hours(price, h.expected),
                              cost_of_hours(price, h.high)};
}

static struct usd_range range_fixed(usd amount)
{
    return (struct usd_range){amount, amount, amount};
}

static struct usd_range range_add(struct usd_range a, struct usd_range b)
{
    return (struct usd_range){usd_add(a.low, b.low), usd_add(a.expected, b.expected),
                              usd_add(a.high, b.high)};
}

/* Independent causes add as squares of logarithms. */
static usd widened_end(usd end, usd expected, usd fixed, double width, double sign)
{
    double middle = usd_double(expected) - usd_double(fixed),
           at = usd_double(end) - usd_double(fixed);
    double away = middle > 0 && at > 0 ? log(at / middle) : NAN;

    if (isnan(away))
        return end;
    return usd_from(usd_double(fixed) + middle * exp(sign * hypot(away, width)));
}

struct usd_range cost_widen(struct usd_range total, usd fixed, double width)
{
    if (!(width > 0) || total.expected.nano == MONEY_UNKNOWN ||
        total.low.nano == MONEY_UNKNOWN || total.high.nano == MONEY_UNKNOWN ||
        fixed.nano == MONEY_UNKNOWN)
        return total;
    return (struct usd_range){
        widened_end(total.low, total.expected, fixed, width, -1),
        total.expected,
        widened_end(total.high, total.expected, fixed, width, 1),
    };
}

usd cost_of_storage(usd_per_gb month, bytes size, double days, int64_t minimum_days)
{
    usd amount = size.n == BYTES_UNKNOWN.n ? USD_UNKNOWN : usd_for_bytes(month, size.n);
    const wide whole = (wide)DAYS_PER_MONTH * NS_PER_DAY;
    wide nano;

    if (size.n == 0)
        return (usd){0}; /* not even the minimum is billed */
    if (amount.nano == MONEY_UNKNOWN || !(days >= 0) || days > 100000)
        return USD_UNKNOWN;
    nano = (wide)amount.nano * span_hours(fmax(days, (double)minimum_days) * 24).ns;
    nano = (nano + whole / 2) / whole;
    return nano > INT64_MAX ? USD_UNKNOWN : (usd){(int64_t)nano};
}

/* Sets of machines that share the trials; 0 when that makes no sense. */
static int64_t search_sets(const struct cost_inputs *in)
{
    int64_t sets = in->parallel > in->trials ? in->trials : in->parallel;

    return in->trials > 0 && sets > 0 ? sets : 0;
}

/* Trials take the same machine-hours one after the other as side by side; but side by side
 * each set of machines is set up. The run that counts brings one set-up of its own. */
static struct hours_range more_setups(const struct cost_inputs *in)
{
    int64_t sets = search_sets(in);

    if (in->trials == 0)
        return no_hours;
    return hours_fixed(sets > 0 ? (double)(sets - 1) * in->setup_s / SECONDS_PER_HOUR : NAN);
}

/* What the clock shows meanwhile: trials go in rounds. */
static struct hours_range search_clock(const struct cost_inputs *in, struct hours_range trial)
{
    int64_t sets = search_sets(in);

    if (in->trials == 0)
        return no_hours;
    return hours_times(trial, sets > 0 ? ceil((double)in->trials / (double)sets) : NAN);
}

static struct usd_range electricity_of(const struct cost_inputs *in, struct hours_range worked)
{
    if (in->tariff.nano == 0) /* then it does not matter that the power may be unknown */
        return range_fixed((usd){0});
    return range_of_hours(electricity_cost(in->power, in->tariff), worked);
}

/* The phases of a job, in hours of one set of machines. */
struct phases {
    struct hours_range train, evaluation, saving, lost, run; /* run: all of these */
    struct hours_range setup, upload, download;
    struct hours_range trial, trials, setups; /* one; all of them; set-ups of further sets */
};

static struct phases phases_of(const struct cost_inputs *in)
{
    struct phases p = {.train = hours_known(in->training), .lost = hours_known(in->lost)};

    p.evaluation = hours_times(p.train, in->evaluation);
    p.saving = hours_times(p.train, in->checkpoints);
    p.run = hours_add(hours_add(p.train, p.evaluation), hours_add(p.saving, p.lost));
    p.setup = hours_fixed(in->setup_s / SECONDS_PER_HOUR);
    p.upload = hours_fixed(in->upload_s / SECONDS_PER_HOUR);
    p.download = hours_fixed(in->download_s / SECONDS_PER_HOUR);
    p.trial = hours_times(p.run, in->trial_fraction);
    p.trials = in->trials > 0 ? hours_times(p.trial, (double)in->trials) : no_hours;
    p.setups = more_setups(in);
    return p;
}

struct machine_hours cost_machine_hours(const struct cost_inputs *in)
{
    struct phases p = phases_of(in);
    double times = 1 + in->failures;

    return (struct machine_hours){
        .busy = hours_times(hours_add(p.run, p.trials), times),
        .waiting = hours_add(hours_times(hours_add(p.setup, p.setups), times),
                             hours_add(p.upload, p.download))};
}

struct cost estimate_cost(const struct cost_inputs *in)
{
    struct cost cost = {0};
    usd_per_hour price =
        in->machines >= 1 ? usd_per_hour_times(in->price, in->machines) : USD_PER_HOUR_UNKNOWN;
    struct phases p = phases_of(in);
    struct hours_range search = hours_add(p.trials, p.setups);
    struct hours_range again =
        hours_times(hours_add(hours_add(p.run, p.setup), search), in->failures);
    struct machine_hours all = cost_machine_hours(in);

    cost_write(&cost, COST_COMPUTE, range_of_hours(price, p.train), p.train);
    cost_write(&cost, COST_SETUP, range_of_hours(price, p.setup), p.setup);
    cost_write(&cost, COST_UPLOAD,
               range_add(range_of_hours(price, p.upload), range_fixed(in->ingress)), p.upload);
    cost_write(&cost, COST_EVALUATION, range_of_hours(price, p.evaluation), p.evaluation);
    cost_write(&cost, COST_CHECKPOINTS, range_of_hours(price, p.saving), p.saving);
    cost_write(&cost, COST_LOST, range_of_hours(price, p.lost), p.lost);
    cost_write(&cost, COST_DOWNLOAD, range_of_hours(price, p.download), p.download);
    cost_write(&cost, COST_FAILURES, range_of_hours(price, again), again);
    cost_write(&cost, COST_SEARCH, range_of_hours(price, search), search_clock(in, p.trial));
    cost_write(&cost, COST_STORAGE,
               range_fixed(cost_of_storage(in->storage_month, in->stored, in->storage_days,
                                           in->storage_minimum_days)),
               no_hours);
    cost_write(&cost, COST_EGRESS, range_fixed(in->egress), no_hours);
    cost_write(&cost, COST_ELECTRICITY, electricity_of(in, hours_add(all.busy, all.waiting)),
               no_hours);
    return cost;
}

usd cost_each(usd total, double count)
{
    return count > 0 ? usd_from(usd_double(total) / count) : USD_UNKNOWN;
}

usd cost_of_output(usd_per_hour price, double per_second, double utilization, double units)
{
    double hours = units / (per_second * utilization) / SECONDS_PER_HOUR;

    if (!(per_second > 0) || !(utilization > 0) || utilization > 1)
        return USD_UNKNOWN;
    return cost_of_hours(price, hours);
}
