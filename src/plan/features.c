#include "plan/features.h"

#include <math.h>

#include "doc/json_write.h"

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

bool plan_features(const struct plan_result *plan, const struct plan_row *row,
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
