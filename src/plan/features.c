#include "plan/features.h"

#include <math.h>

#include "doc/json_write.h"
#include "estimate/money/cost.h"
#include "job/choices.h"

/* What the prediction was based on, so that corrections can be learned from the outcome. */
static const struct field features[] = {
    FIELD_AS("gpu", TEXT, plan_row, accelerator, .help = "GPU of the plan"),
    FIELD(COUNT, plan_row, gpus, .help = "GPUs used"),
    FIELD(TEXT, plan_row, framework, .help = "framework of the plan"),
    FIELD(TEXT, plan_row, method, .help = "method of training"),
    FIELD(TEXT, plan_row, precision, .help = "arithmetic precision"),
    FIELD(NUMBER, plan_row, global_batch, .help = "sequences per step"),
    FIELD(NUMBER, plan_row, rate, .help = "predicted throughput"),
    FIELD(TEXT, plan_row, rate_unit, .help = "unit of the throughput"),
    FIELD(COUNT, plan_row, accumulation, .help = "micro-batches per step"),
    FIELD_AS("setting", TEXT, plan_row, step_setting,
             .help = "step settings that corrections are learned for"),
    FIELD(NUMBER, plan_row, step_s, .help = "predicted step time, s"),
    FIELD(NUMBER, plan_row, memory_gb, .help = "predicted memory, GB"),
    FIELD(NUMBER, plan_row, board_w, .help = "predicted power of one GPU, W"),
    FIELD(NUMBER, plan_row, correction,
          .help = "correction factor of the step time in the prediction"),
    FIELD(NUMBER, plan_row, memory_correction,
          .help = "correction factor of the memory in the prediction"),
    FIELD(NUMBER, plan_row, power_correction,
          .help = "correction factor of the power in the prediction"),
};

/* What the plan's cost is made of, for `stint why`: exact, and of all machines. */
static void write_feature_lines(const struct plan_result *plan, const struct plan_row *row,
                                struct buf *out)
{
    const struct plan_line *lines = plan->money.at;
    const char *separator = "";

    buf_addf(out, ",\"machines\":%lld", (long long)(row->machines > 0 ? row->machines : 1));
    if (row->price.nano != MONEY_UNKNOWN) {
        buf_adds(out, ",\"price\":\"");
        nano_write(row->price.nano, out);
        buf_char(out, '"');
    }
    buf_adds(out, ",\"lines\":{");
    for (size_t i = 0; i < plan->money.len; i++) {
        if (lines[i].amount.nano == MONEY_UNKNOWN)
            continue;
        buf_adds(out, separator);
        separator = ",";
        json_write_text(lines[i].name, out);
        buf_adds(out, ":{\"amount\":\"");
        nano_write(lines[i].amount.nano, out);
        buf_addf(out, "\",\"hours\":%.9g}", isfinite(lines[i].hours) ? lines[i].hours : 0);
    }
    buf_char(out, '}');
}

static bool write_plan_features(const struct plan_result *plan, const struct plan_row *row,
                                struct arena *arena, struct str *out, struct error *err)
{
    static const struct field_set set = FIELD_SET(struct plan_row, features);
    struct buf text = buf_new(arena->alloc, BUF_MAX_OUTPUT);

    json_write_record(&set, row, NULL, &text);
    if (text.failed == ERROR_NONE && text.len > 0) {
        text.len--; /* the closing brace */
        if (plan->model.len > 0) {
            buf_adds(&text, ",\"model\":");
            json_write_text(plan->model, &text);
        }
        write_feature_lines(plan, row, &text);
        buf_char(&text, '}');
    }
    return buf_keep(&text, arena, out, err);
}

struct plan_prediction plan_prediction_unknown(void)
{
    return (struct plan_prediction){.cost = USD_UNKNOWN,
                                    .cost_low = USD_UNKNOWN,
                                    .cost_high = USD_UNKNOWN,
                                    .time = SPAN_UNKNOWN,
                                    .rate = USD_PER_HOUR_UNKNOWN,
                                    .setup = USD_UNKNOWN,
                                    .storage = USD_UNKNOWN,
                                    .egress = USD_UNKNOWN};
}

/* One machine's share of a line of the plan's money; unknown when there is no such line. */
static usd plan_line_share(const struct plan_result *plan, enum cost_line_id line,
                           int64_t machines)
{
    const struct plan_line *lines = plan->money.at;

    for (size_t i = 0; i < plan->money.len; i++)
        if (str_eq(lines[i].name, str_from(cost_line_names[line])))
            return usd_from(usd_double(lines[i].amount) / (double)machines);
    return USD_UNKNOWN;
}

bool plan_predict(const struct plan_result *plan, const struct plan_row *row,
                  struct arena *arena, struct plan_prediction *out, struct error *err)
{
    int64_t machines = row->machines > 0 ? row->machines : 1;

    *out = plan_prediction_unknown();
    out->machines = machines;
    out->rate = usd_per_hour_times(row->price, machines);
    out->setup = plan_line_share(plan, COST_SETUP, machines);
    out->storage = plan_line_share(plan, COST_STORAGE, machines);
    out->egress = plan_line_share(plan, COST_EGRESS, machines);
    if (!(row->hours.value > 0)) /* serving goes on for ever */
        return true;
    out->cost = row->cost;
    out->cost_low = row->cost_low;
    out->cost_high = row->cost_high;
    out->time = span_hours(row->hours.value);
    return (plan->constants.len == 0 ||
            str_keep(plan->constants, arena, &out->constants, err)) &&
           write_plan_features(plan, row, arena, &out->features, err);
}

/* ---- of an estimate ---- */

static const enum cost_line_id run_lines[] = {COST_COMPUTE, COST_EVALUATION, COST_CHECKPOINTS,
                                              COST_LOST};

struct run_lines {
    struct plan_line at[ARRAY_LEN(run_lines) + 2]; /* and start-up, electricity */
    size_t len;
};

static void add_run_line(struct run_lines *lines, const char *name, usd amount, double hours)
{
    lines->at[lines->len++] = (struct plan_line){
        .name = str_from(name), .amount = amount, .share = NAN, .hours = hours};
}

/* Lines of the estimate that a run pays, at its own price. */
static void price_run_lines(const struct estimate *e, const struct plan_run_price *price,
                            struct run_lines *lines, struct plan_prediction *out)
{
    const struct estimate_line *from = e->cost.at;
    usd_per_hour rate = usd_per_hour_times(price->rate, e->machines);
    double hours = 0;
    usd cost = {0};

    for (size_t i = 0; i < e->cost.len; i++)
        for (size_t k = 0; k < ARRAY_LEN(run_lines); k++) {
            usd amount = cost_of_hours(rate, from[i].hours);

            if (!str_eq(from[i].name, str_from(cost_line_names[run_lines[k]])))
                continue;
            add_run_line(lines, cost_line_names[run_lines[k]], amount, from[i].hours);
            cost = usd_add(cost, amount);
            hours += from[i].hours;
        }
    if (!(hours > 0))
        return;
    if (price->electricity.nano != MONEY_UNKNOWN) {
        usd power = usd_from(e->energy_kwh.value * (hours / e->wall_hours) *
                             (double)price->electricity.nano / 1e9);

        add_run_line(lines, cost_line_names[COST_ELECTRICITY], power, 0);
        cost = rate.nano != MONEY_UNKNOWN ? usd_add(cost, power) : power;
    }
    if (price->startup_h > 0) {
        usd startup = cost_of_hours(rate, price->startup_h);

        add_run_line(lines, PLAN_STARTUP_LINE, startup, price->startup_h);
        if (rate.nano != MONEY_UNKNOWN)
            cost = usd_add(cost, startup);
        hours += price->startup_h;
    }
    out->time = span_hours(hours);
    out->cost = cost;
}

bool plan_run_of_estimate(const struct estimate *e, const struct plan_run_price *price,
                          struct arena *arena, struct plan_prediction *out, struct error *err)
{
    struct run_lines lines = {.len = 0};
    struct plan_result plan = {.model = e->key.model};
    struct plan_row row;

    *out = plan_prediction_unknown();
    if (!fields_reset(&plan_row_fields, &row, arena, err))
        return false;
    price_run_lines(e, price, &lines, out);
    plan.money = (struct rows){lines.at, lines.len};
    row.accelerator = e->accelerator;
    row.gpus = e->gpus;
    row.framework = e->key.framework;
    row.method = str_from(method_names[e->method]);
    row.precision = e->precision;
    row.global_batch = e->global_batch;
    row.rate = e->rate.value;
    row.rate_unit = e->rate_unit;
    row.accumulation = e->accumulation;
    row.step_setting = e->key.setting;
    row.step_s = e->step_s.value;
    row.memory_gb = e->memory_gb;
    row.board_w = e->board_w;
    row.correction = e->corrections[CORRECTION_STEP];
    row.memory_correction = e->corrections[CORRECTION_MEMORY];
    row.power_correction = e->corrections[CORRECTION_POWER];
    row.machines = e->machines;
    row.price = price->rate;
    return write_plan_features(&plan, &row, arena, &out->features, err);
}
