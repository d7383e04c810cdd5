#include "advise/explain/why.h"

#include <math.h>
#include <stdlib.h>

#include "base/num.h"
#include "unit/shown.h"
#include "unit/time.h"

#define SECONDS_PER_HOUR 3600.0
#define DOLLAR INT64_C(1000000000)
#define NEAR 1e-3 /* what was charged is what the price says */
#define SAME 1e-6 /* prices and shares that differ by less are the same */

static const char *const cause_keys[WHY_CAUSES] = {
    [WHY_TRAINING] = "training",
    [WHY_DATA] = "data_stalls",
    [WHY_WAITS] = "step_waits",
    [WHY_STARTUP] = "startup",
    [WHY_EVALUATION] = "evaluation",
    [WHY_SAVING] = "checkpoints",
    [WHY_REPEATED] = "repeated_work",
    [WHY_IDLE] = "idle",
    [WHY_UNSEEN] = "not_explained",
    [WHY_SETUP] = "setup",
    [WHY_STORAGE] = "storage",
    [WHY_TRANSFER] = "transfer",
    [WHY_EXTRA] = "extra",
    [WHY_TRIALS] = "trials",
    [WHY_MACHINES] = "other_machines",
    [WHY_BILLING] = "billing",
    [WHY_PRICE] = "price",
    [WHY_SHARING] = "sharing",
    [WHY_STEPS] = "steps",
    [WHY_SPEED] = "step_time",
};

/* The words of a part that adds cost, and of one that saves. */
static const struct {
    const char *more, *less;
} cause_names[WHY_CAUSES] = {
    [WHY_TRAINING] = {"training outside steady steps", "training outside steady steps"},
    [WHY_DATA] = {"data stalls", "fewer data stalls"},
    [WHY_WAITS] = {"waiting for data inside steps", "less waiting for data inside steps"},
    [WHY_STARTUP] = {"start-up", "shorter start-up"},
    [WHY_EVALUATION] = {"evaluation", "less evaluation"},
    [WHY_SAVING] = {"checkpoints", "shorter checkpoints"},
    [WHY_REPEATED] = {"failures and repeated work", "fewer failures than planned"},
    [WHY_IDLE] = {"idle time", "less idle time"},
    [WHY_UNSEEN] = {"not explained", "not explained"},
    [WHY_SETUP] = {"machine set-up", "machine set-up"},
    [WHY_STORAGE] = {"storage", "storage"},
    [WHY_TRANSFER] = {"data transfer", "data transfer"},
    [WHY_EXTRA] = {"extra costs", "extra costs"},
    [WHY_TRIALS] = {"trials", "trials (runs of their own)"},
    [WHY_MACHINES] = {"other machines", "other machines (runs of their own)"},
    [WHY_BILLING] = {"billing and markup", "billing and markup"},
    [WHY_PRICE] = {"higher price", "lower price"},
    [WHY_SHARING] = {"less sharing of the machine", "shared machine"},
    [WHY_STEPS] = {"more steps", "fewer steps"},
    [WHY_SPEED] = {"slower steps", "faster steps"},
};

/* What to do about a part that adds cost. */
static const char *const remedies[WHY_CAUSES] = {
    [WHY_TRAINING] = "look for pauses between steps (logging, evaluation, compilation) in "
                     "'stint show'",
    [WHY_DATA] = "give the data loader more workers, or keep the data on a local disk",
    [WHY_WAITS] = "give the data loader more workers, or keep the data on a local disk",
    [WHY_STARTUP] = "use an image that has everything, and a cache for model and packages",
    [WHY_EVALUATION] = "evaluate less often, or on fewer examples",
    [WHY_SAVING] = "save less often ('stint spot interval' computes how often is enough), or "
                   "in the background",
    [WHY_REPEATED] = "save more often ('stint spot interval' computes how often), and resume "
                     "from the checkpoint",
    [WHY_IDLE] = "'stint run --idle 10min' stops a run that does nothing",
    [WHY_UNSEEN] = "run it with 'stint run' and let it print its steps, so that the machine's "
                   "activity is recorded",
    [WHY_SETUP] = "use an image that has everything",
    [WHY_STORAGE] = "remove old checkpoints ('stint checkpoints prune'), or keep fewer",
    [WHY_TRANSFER] = "keep data and machine in one region",
    [WHY_EXTRA] = "check what is passed to --extra",
    [WHY_TRIALS] = "stop bad trials early",
    [WHY_MACHINES] = "compare runs on the same number of machines",
    [WHY_BILLING] = "end runs near the end of a billed hour, or rent by the second",
    [WHY_PRICE] = "'stint price compare' lists what costs less now, 'stint plan' finds the "
                  "cheapest for the job",
    [WHY_SHARING] = "run several at once: they divide the machine's price",
    [WHY_STEPS] = "stop when the metric no longer improves ('stint run --early-stop')",
    [WHY_SPEED] = "'stint tune' finds the batch size with the lowest cost; 'stint calibrate' "
                  "makes the next estimate learn from it",
};

/* ---- sides ---- */

static int64_t known_nano(usd amount)
{
    return amount.nano != MONEY_UNKNOWN ? amount.nano : 0;
}

/* `amount` x `by`; as it is when that does not fit. */
static int64_t scale_why_amount(int64_t amount, double by)
{
    double product = (double)amount * by;

    return fabs(product) < 9e18 ? llround(product) : amount;
}

/* Did nothing ever come after the start-up? Of a command that reports no steps that means only
 * that what it did is not known. */
static bool only_started(const struct why_side *side)
{
    for (int i = 0; i < WHY_TIMES; i++)
        if (i != WHY_STARTUP && side->item[i].nano != 0)
            return false;
    return !(side->steps > 0);
}

/* What is left of the cost is machine time of which nothing is known. */
static void close_side(struct why_side *side)
{
    int64_t known = 0;

    if (only_started(side))
        side->item[WHY_STARTUP].nano = 0;
    for (int i = 0; i < WHY_ITEMS; i++)
        known += i != WHY_UNSEEN ? side->item[i].nano : 0;
    side->item[WHY_UNSEEN].nano = side->cost.nano - known;
}

/* Work that was not saved was paid for twice: its share of the attempt is taken from training,
 * and from the rest when it is more than that. */
static void take_repeated(const struct why_attempt *a, double lost_s, int64_t time[WHY_TIMES])
{
    static const enum why_cause order[] = {WHY_TRAINING, WHY_EVALUATION, WHY_SAVING,
                                           WHY_DATA,     WHY_IDLE,       WHY_STARTUP};
    double part = lost_s > 0 && a->elapsed_s > 0 ? fmin(lost_s / a->elapsed_s, 1) : 0;
    int64_t left = scale_why_amount(known_nano(a->compute), part);

    for (size_t i = 0; i < ARRAY_LEN(order) && left > 0; i++) {
        int64_t taken = time[order[i]] < left ? time[order[i]] : left;

        time[order[i]] -= taken;
        time[WHY_REPEATED] += taken;
        left -= taken;
    }
}

static void add_why_attempt(const struct why_attempt *a, bool again, double lost_s,
                            struct why_side *out)
{
    int64_t time[WHY_TIMES] = {0};

    for (int i = 0; i < WHY_TIMES; i++) {
        out->seen |= a->time[i].nano > 0;
        time[again && i == WHY_STARTUP ? WHY_REPEATED : i] += known_nano(a->time[i]);
    }
    take_repeated(a, lost_s, time);
    for (int i = 0; i < WHY_TIMES; i++)
        out->item[i].nano += time[i];
    out->item[again ? WHY_REPEATED : WHY_SETUP].nano += known_nano(a->setup);
    out->item[WHY_STORAGE].nano += known_nano(a->storage);
    out->item[WHY_TRANSFER].nano += known_nano(a->transfer);
    out->item[WHY_EXTRA].nano += known_nano(a->extra);
    out->cost.nano += known_nano(a->cost);
}

void why_side_of_run(const struct why_attempt *attempts, size_t count, double steps,
                     double step_s, struct why_side *out)
{
    double compute = 0, priced = 0, paid = 0, elapsed = 0;

    *out = (struct why_side){
        .steps = steps, .step_s = step_s, .attempts = (int64_t)count, .machines = 1};
    for (size_t i = 0; i < count; i++) {
        const struct why_attempt *a = &attempts[i];
        double hours = (isnan(a->paid_s) ? a->elapsed_s : a->paid_s) / SECONDS_PER_HOUR;

        add_why_attempt(a, i > 0, i + 1 < count ? attempts[i + 1].lost_s : 0, out);
        if (!(a->elapsed_s > 0)) /* nothing was heard of it */
            continue;
        compute += (double)known_nano(a->compute) / 1e9;
        priced += a->rate * hours;
        paid += hours;
        elapsed += a->elapsed_s / SECONDS_PER_HOUR;
    }
    close_side(out);
    out->rate = compute > 0 && paid > 0 ? compute / paid : (double)NAN;
    if (fabs(priced / compute - 1) < NEAR) /* but for the last moments of its clock */
        out->rate = priced / paid;
    out->share = paid > 0 && elapsed > 0 ? paid / elapsed : 1;
}

bool why_side_wait(const struct why_wait *wait, struct why_side *side)
{
    double second = side->rate * side->share / SECONDS_PER_HOUR;
    usd waited = usd_from(side->steps * wait->step_s * second),
        stepping = usd_from(side->steps * side->step_s * second);
    int64_t moved = waited.nano, data = side->item[WHY_DATA].nano,
            *training = &side->item[WHY_TRAINING].nano, between;

    if (!(wait->step_s > 0 && wait->step_s < side->step_s) || moved == MONEY_UNKNOWN ||
        stepping.nano == MONEY_UNKNOWN)
        return false;
    /* What steps take beyond training is data stalls: short ones between them. */
    between = stepping.nano - *training;
    between = between < 0 ? 0 : between < data ? between : data;
    moved -= data < moved ? data : moved;
    moved = moved < *training ? moved : *training;
    *training -= moved;
    side->item[WHY_WAITS].nano += moved;
    side->step_s -= (double)(moved + between) / 1e9 / (side->steps * second);
    return moved > 0;
}

static const enum why_cause item_of_line[COST_LINE_COUNT] = {
    [COST_COMPUTE] = WHY_TRAINING,       [COST_SETUP] = WHY_SETUP,
    [COST_UPLOAD] = WHY_TRANSFER,        [COST_EVALUATION] = WHY_EVALUATION,
    [COST_CHECKPOINTS] = WHY_SAVING,     [COST_LOST] = WHY_REPEATED,
    [COST_DOWNLOAD] = WHY_TRANSFER,      [COST_FAILURES] = WHY_REPEATED,
    [COST_SEARCH] = WHY_TRIALS,          [COST_STORAGE] = WHY_STORAGE,
    [COST_EGRESS] = WHY_TRANSFER,        [COST_ELECTRICITY] = WHY_TRAINING,
    [COST_INTERRUPTIONS] = WHY_REPEATED, [COST_BILLING] = WHY_BILLING,
    [COST_MARKUP] = WHY_BILLING,         [COST_OWNED] = WHY_BILLING,
};

void why_side_of_plan(const struct why_plan *plan, struct why_side *out)
{
    int64_t machines = plan->machines > 1 ? plan->machines : 1, own = 0;
    double hours = plan->compute_hours;

    *out = (struct why_side){.cost = plan->cost,
                             .rate = plan->rate,
                             .share = 1,
                             .step_s = plan->step_s,
                             .seen = true,
                             .attempts = 1,
                             .machines = machines};
    for (int i = 0; i < COST_LINE_COUNT; i++)
        out->item[item_of_line[i]].nano += known_nano(plan->line[i]) / machines;
    out->item[WHY_STARTUP].nano += known_nano(plan->startup) / machines;
    for (int i = 0; i < WHY_ITEMS; i++)
        own += out->item[i].nano;
    if (plan->line[COST_COMPUTE].nano == MONEY_UNKNOWN) { /* only the sum was recorded */
        usd training = usd_from(plan->rate * plan->hours);

        own = plan->cost.nano / machines;
        hours = plan->hours;
        out->item[WHY_TRAINING].nano =
            training.nano != MONEY_UNKNOWN && training.nano < own ? training.nano : own;
    }
    if (machines > 1)
        out->item[WHY_MACHINES].nano = plan->cost.nano - own;
    close_side(out);
    if (isnan(out->rate) && hours > 0)
        out->rate = (double)out->item[WHY_TRAINING].nano / 1e9 / hours;
    out->steps = hours * SECONDS_PER_HOUR / plan->step_s;
    if (!(out->steps > 0))
        out->steps = out->step_s = NAN;
}

/* ---- the difference ---- */

struct why_work {
    const struct why_side *from, *to;
    enum why_kind kind;
    int64_t now[WHY_TIMES]; /* machine time of `to`, at the price of `from` */
    int64_t part[WHY_CAUSES];
};

/* a / b; 1 when they are the same or not known. */
static double ratio_of(double a, double b)
{
    double ratio = a / b;

    return ratio > 0 && isfinite(ratio) && fabs(ratio - 1) > SAME ? ratio : 1;
}

/* Machine time at the first side's price: what that changes is the part of the price, and
 * before it of sharing. */
static void split_price(struct why_work *w)
{
    double share = ratio_of(w->to->share, w->from->share);
    double price = ratio_of(w->to->rate, w->from->rate);

    for (int i = 0; i < WHY_TIMES; i++) {
        int64_t paid = w->to->item[i].nano;
        int64_t alone = share == 1 ? paid : scale_why_amount(paid, 1 / share);

        w->now[i] = price == 1 ? alone : scale_why_amount(alone, 1 / price);
        w->part[WHY_SHARING] += paid - alone;
        w->part[WHY_PRICE] += alone - w->now[i];
    }
}

/* Training is steps, each of which takes its time; what is left of it is neither. */
static void split_training(struct why_work *w)
{
    const struct why_side *from = w->from, *to = w->to;
    double second = from->rate * from->share / SECONDS_PER_HOUR;
    usd steps = usd_from((to->steps - from->steps) * from->step_s * second);
    usd speed = usd_from(to->steps * (to->step_s - from->step_s) * second);

    if (steps.nano == MONEY_UNKNOWN || speed.nano == MONEY_UNKNOWN)
        return;
    w->part[WHY_STEPS] = steps.nano;
    w->part[WHY_SPEED] = speed.nano;
    w->part[WHY_TRAINING] -= steps.nano + speed.nano;
}

static void split_difference(struct why_work *w)
{
    bool seen = w->from->seen && w->to->seen;

    split_price(w);
    for (int i = 0; i < WHY_ITEMS; i++) {
        enum why_cause as = seen || i >= WHY_TIMES ? (enum why_cause)i : WHY_UNSEEN;

        w->part[as] +=
            (i < WHY_TIMES ? w->now[i] : w->to->item[i].nano) - w->from->item[i].nano;
    }
    if (seen)
        split_training(w);
}

/* ---- in words ---- */

static void write_why_seconds(double seconds, struct buf *out)
{
    if (!(seconds >= 0 && seconds < 1e9))
        buf_char(out, '?');
    else if (seconds < 0.0005)
        buf_adds(out, seconds > 0 ? "<1 ms" : "none");
    else if (seconds < 1)
        buf_addf(out, "%s ms", num_about(seconds * 1000).text);
    else if (seconds < 60)
        buf_addf(out, "%s s", num_about(seconds).text);
    else
        span_write((span){llround(seconds) * INT64_C(1000000000)}, out);
}

static void write_why_rate(double rate, struct buf *out)
{
    usd amount = usd_from(rate);

    usd_per_hour_write((usd_per_hour){amount.nano}, out);
}

/* "12min instead of 2min"; of a breakdown the first alone. */
static void write_pair(const struct why_work *w, double to, double from,
                       void (*write)(double value, struct buf *out), struct buf *out)
{
    write(to, out);
    if (w->kind == WHY_BREAKDOWN)
        return;
    buf_adds(out, " instead of ");
    write(from, out);
}

/* Cents; more digits where both cost less than a dollar. */
static void write_dollars(const struct why_work *w, int64_t nano, struct buf *out)
{
    struct money amount = money_from_usd((usd){nano});

    if (nano == 0)
        buf_adds(out, "nothing");
    else if (w->from->cost.nano < DOLLAR && w->to->cost.nano < DOLLAR)
        usd_write(usd_rounded((usd){nano}), out);
    else
        money_write_cents(&amount, out);
}

static void write_why_count(double count, struct buf *out)
{
    buf_addf(out, "%.0f", count);
}

/* How long the machine did it, at the first side's price. */
static void write_why_times(const struct why_work *w, enum why_cause item, struct buf *out)
{
    double second = w->from->rate * w->from->share / SECONDS_PER_HOUR;
    double to = (double)w->now[item] / 1e9, from = (double)w->from->item[item].nano / 1e9;

    if (second > 0 && to >= 0 && from >= 0)
        write_pair(w, to / second, from / second, write_why_seconds, out);
}

static void detail_price(const struct why_work *w, struct buf *out)
{
    write_pair(w, w->to->rate, w->from->rate, write_why_rate, out);
}

static void detail_sharing(const struct why_work *w, struct buf *out)
{
    buf_addf(out, "it pays %s of the machine's price instead of %s",
             percent_text(w->to->share).text, percent_text(w->from->share).text);
}

static void detail_steps(const struct why_work *w, struct buf *out)
{
    write_pair(w, w->to->steps, w->from->steps, write_why_count, out);
}

static void detail_speed(const struct why_work *w, struct buf *out)
{
    write_pair(w, w->to->step_s, w->from->step_s, write_why_seconds, out);
    buf_adds(out, " a step");
}

static void detail_machines(const struct why_work *w, struct buf *out)
{
    buf_addf(out, "the plan rents %lld machines, this run is one",
             (long long)w->from->machines);
}

static void detail_repeated(const struct why_work *w, struct buf *out)
{
    write_why_times(w, WHY_REPEATED, out);
    if (w->to->attempts > 1)
        buf_addf(out, "%s%lld attempts", out->len > 0 ? ", " : "", (long long)w->to->attempts);
}

/* All of the machine's time, where its use is not known. */
static void detail_unseen(const struct why_work *w, struct buf *out)
{
    double second = w->from->rate * w->from->share / SECONDS_PER_HOUR, to = 0, from = 0;

    for (int i = 0; i < WHY_TIMES; i++) {
        to += (double)w->now[i] / 1e9;
        from += (double)w->from->item[i].nano / 1e9;
    }
    if (w->from->seen && w->to->seen) {
        buf_adds(out, "cost without a recorded use");
        return;
    }
    if (!(second > 0 && to >= 0 && from >= 0))
        return;
    write_pair(w, to / second, from / second, write_why_seconds, out);
    buf_adds(out, " of the machine; its use is not recorded");
}

/* Is training not divided into steps? */
static bool is_all_training(const struct why_work *w)
{
    return w->part[WHY_STEPS] == 0 && w->part[WHY_SPEED] == 0;
}

static void detail_training(const struct why_work *w, struct buf *out)
{
    if (!is_all_training(w)) {
        buf_adds(out, "warm-up and pauses");
        return;
    }
    write_why_times(w, WHY_TRAINING, out);
    if (w->kind != WHY_BREAKDOWN && (isnan(w->from->steps) || isnan(w->to->steps)))
        buf_adds(out, "; steps are not known");
}

/* Of a breakdown, its amount is there already. */
static void detail_fixed(const struct why_work *w, enum why_cause cause, struct buf *out)
{
    if (w->kind == WHY_BREAKDOWN)
        return;
    write_dollars(w, w->to->item[cause].nano, out);
    buf_adds(out, " instead of ");
    write_dollars(w, w->from->item[cause].nano, out);
}

static void write_why_detail(const struct why_work *w, enum why_cause cause, struct buf *out)
{
    static void (*const details[WHY_CAUSES])(const struct why_work *w, struct buf *out) = {
        [WHY_PRICE] = detail_price,       [WHY_SHARING] = detail_sharing,
        [WHY_STEPS] = detail_steps,       [WHY_SPEED] = detail_speed,
        [WHY_MACHINES] = detail_machines, [WHY_REPEATED] = detail_repeated,
        [WHY_UNSEEN] = detail_unseen,     [WHY_TRAINING] = detail_training,
    };

    if (details[cause] != NULL)
        details[cause](w, out);
    else if (cause < WHY_TIMES)
        write_why_times(w, cause, out);
    else
        detail_fixed(w, cause, out);
}

/* Without steps, or without anything to compare, it is all of the training. */
static const char *why_cause_name(const struct why_work *w, enum why_cause cause)
{
    bool more = w->part[cause] > 0;

    if (cause == WHY_TRAINING && w->kind == WHY_BREAKDOWN)
        return "training";
    if (cause == WHY_TRAINING && is_all_training(w))
        return more ? "longer training" : "shorter training";
    return w->kind == WHY_BREAKDOWN || more ? cause_names[cause].more : cause_names[cause].less;
}

static bool make_why_part(const struct why_work *w, enum why_cause cause, struct arena *arena,
                          struct why_part *out, struct error *err)
{
    struct buf text = buf_new(arena->alloc, 512);

    *out = (struct why_part){.cause = str_from(cause_keys[cause]),
                             .name = str_from(why_cause_name(w, cause)),
                             .amount = money_from_usd((usd){w->part[cause]})};
    write_why_detail(w, cause, &text);
    if (text.len == 0 && text.failed == ERROR_NONE) {
        buf_free(&text);
        return true;
    }
    return buf_keep(&text, arena, &out->detail, err);
}

/* "data stalls add $1.24: give the data loader more workers"; of the largest that adds cost. */
static bool make_why_advice(const struct why_work *w, struct arena *arena, struct str *out,
                            struct error *err)
{
    struct buf text = buf_new(arena->alloc, 1024);
    int largest = -1;

    for (int i = 0; i < WHY_CAUSES; i++) {
        bool work = w->kind == WHY_BREAKDOWN && i == WHY_TRAINING; /* what is wanted */

        if (w->part[i] > 0 && !work && (largest < 0 || w->part[i] > w->part[largest]))
            largest = i;
    }
    if (largest < 0 || (double)w->part[largest] < WHY_SMALL * (double)w->to->cost.nano) {
        buf_addf(&text, "nothing to do: no part %s more than %s of the cost",
                 w->kind == WHY_BREAKDOWN ? "but training is" : "adds",
                 percent_text(WHY_SMALL).text);
        return buf_keep(&text, arena, out, err);
    }
    buf_adds(&text, why_cause_name(w, (enum why_cause)largest));
    buf_adds(&text, w->kind == WHY_BREAKDOWN ? ", " : ", +");
    write_dollars(w, w->part[largest], &text);
    buf_adds(&text, ": ");
    buf_adds(&text, remedies[largest]);
    return buf_keep(&text, arena, out, err);
}

static int by_why_part_size(const void *a, const void *b)
{
    const int64_t *x = *(const int64_t *const *)a, *y = *(const int64_t *const *)b;

    if (llabs(*x) != llabs(*y))
        return llabs(*x) < llabs(*y) ? 1 : -1;
    return x < y ? -1 : x > y; /* as they are listed */
}

bool why_explain(const struct why_side *from, const struct why_side *to, enum why_kind kind,
                 struct arena *arena, struct why_explained *out, struct error *err)
{
    struct why_work w = {.from = from, .to = to, .kind = kind};
    struct why_part *parts = arena_array(arena, struct why_part, WHY_CAUSES, err);
    const int64_t *order[WHY_CAUSES];
    size_t count = 0;

    if (parts == NULL)
        return false;
    split_difference(&w);
    for (int i = 0; i < WHY_CAUSES; i++)
        if (i != WHY_UNSEEN && w.part[i] != 0)
            order[count++] = &w.part[i];
    if (count > 1)
        qsort(order, count, sizeof *order, by_why_part_size);
    if (w.part[WHY_UNSEEN] != 0)
        order[count++] = &w.part[WHY_UNSEEN];
    for (size_t i = 0; i < count; i++)
        if (!make_why_part(&w, (enum why_cause)(order[i] - w.part), arena, &parts[i], err))
            return false;
    *out = (struct why_explained){
        .from = money_from_usd(from->cost),
        .to = money_from_usd(to->cost),
        .difference = money_from_usd((usd){to->cost.nano - from->cost.nano}),
        .parts = {parts, count},
    };
    return make_why_advice(&w, arena, &out->advice, err);
}

static const struct field part_fields[] = {
    FIELD(TEXT, why_part, cause, .help = "price, sharing, steps, step_time, data_stalls, ..."),
    FIELD(TEXT, why_part, name, .help = "cause in words"),
    FIELD(MONEY, why_part, amount, .help = "amount that it adds; below zero: saves"),
    FIELD(TEXT, why_part, detail, .help = "values now and before"),
};

const struct field_set why_part_fields = FIELD_SET(struct why_part, part_fields);
