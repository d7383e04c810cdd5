#include "advise/practice/practice.h"

#include <math.h>

#include "base/num.h"
#include "unit/shown.h"
#include "unit/time.h"

const char *const practice_unit_names[] = {"share", "hours", "USD", "number", "yes", NULL};

#define RUN "stint run -- COMMAND"
#define IMPORT "stint import BILL.csv"
#define BUDGET "stint budget set NAME AMOUNT --alert CHANNEL"
#define PLANNED "stint plan JOB --save PLAN.json, then stint run --plan PLAN.json -- COMMAND"
#define COUNTS "stint counts add predictions N --since DAY"
#define JOB "stint checklist PHASE JOB.yaml"

const struct practice_info practice_infos[PRACTICE_COUNT] = {
    [PRACTICE_TAGGED] = {"tagged", "cost that is tagged", PRACTICE_SHARE, false,
                         "stint run --tag team=NAME -- COMMAND"},
    [PRACTICE_PRICED] = {"priced", "runs with a known cost", PRACTICE_SHARE, false, RUN},
    [PRACTICE_MEASURED] = {"measured", "GPU-hours measured", PRACTICE_SHARE, false, RUN},
    [PRACTICE_RECONCILED] = {"reconciled", "billed machines linked to runs", PRACTICE_SHARE,
                             false, IMPORT},
    [PRACTICE_BUDGET_ALERTS] = {"budget_alerts", "budgets that alert in time", PRACTICE_SHARE,
                                false, BUDGET},
    [PRACTICE_GPU_BUSY] = {"gpu_busy", "GPU utilization", PRACTICE_SHARE, false, RUN},
    [PRACTICE_SPOT] = {"spot", "compute on spot", PRACTICE_SHARE, false, IMPORT},
    [PRACTICE_COMMITTED] = {"committed", "compute covered by commitments", PRACTICE_SHARE,
                            false, IMPORT},
    [PRACTICE_DISCOUNTED] = {"discounted", "compute on spot or commitments", PRACTICE_SHARE,
                             false, IMPORT},
    [PRACTICE_FAILED] = {"failed", "cost of failed runs", PRACTICE_SHARE, true, RUN},
    [PRACTICE_REPEATED] = {"repeated", "cost of repeated runs", PRACTICE_SHARE, true, RUN},
    [PRACTICE_CHECKPOINTED] = {"checkpointed", "long runs with checkpoints", PRACTICE_SHARE,
                               false, "stint run --checkpoints DIR -- COMMAND"},
    [PRACTICE_ESTIMATED] = {"estimated", "runs estimated first", PRACTICE_SHARE, false,
                            PLANNED},
    [PRACTICE_LIMITED] = {"limited", "runs with a budget limit", PRACTICE_SHARE, false,
                          "stint run --budget 5usd -- COMMAND"},
    [PRACTICE_BUDGET_KEPT] = {"budget_kept", "budget periods kept", PRACTICE_SHARE, false,
                              BUDGET},
    [PRACTICE_BUDGET_USED] = {"budget_used", "budget used", PRACTICE_SHARE, true, BUDGET},
    [PRACTICE_ANOMALY_HOURS] = {"anomaly_hours", "time to acknowledge anomalies",
                                PRACTICE_HOURS, true, "stint anomalies --alert CHANNEL"},
    [PRACTICE_FORECAST_ERROR] = {"forecast_error", "forecast error of a month", PRACTICE_SHARE,
                                 true, "stint forecast"},
    [PRACTICE_ESTIMATE_ERROR] = {"estimate_error", "estimate error of a run", PRACTICE_SHARE,
                                 true, PLANNED},
    [PRACTICE_COST_PER_LORA] = {"cost_per_lora", "cost per LoRA", PRACTICE_USD, true,
                                "stint run --tag method=lora -- COMMAND"},
    [PRACTICE_COST_PER_RUN] = {"cost_per_run", "cost per completed run", PRACTICE_USD, true,
                               RUN},
    [PRACTICE_COST_PER_THOUSAND] = {"cost_per_thousand", "cost per 1,000 predictions",
                                    PRACTICE_USD, true, COUNTS},
    [PRACTICE_COST_PER_GPU_HOUR] = {"cost_per_gpu_hour", "cost per GPU-hour", PRACTICE_USD,
                                    true, RUN},
    [PRACTICE_TIME_SAVED] = {"time_saved", "time saved over local runs", PRACTICE_SHARE, false,
                             "stint run --name NAME -- COMMAND, here and in the cloud"},
    [PRACTICE_QUALITY_LOST] = {"quality_lost", "quality lost over local runs", PRACTICE_SHARE,
                               true,
                               "stint run --name NAME --early-stop val_loss:min -- COMMAND, "
                               "here and in the cloud"},
    [PRACTICE_SPEND] = {"spend", "cost a month", PRACTICE_USD, true, IMPORT},
    [PRACTICE_GUARDED] = {"guarded", "runs that a guard stopped", PRACTICE_NUMBER, false,
                          "stint run --budget 5usd --idle 10min -- COMMAND"},
    [PRACTICE_EARLY_STOPPED] = {"early_stopped", "runs stopped early", PRACTICE_NUMBER, false,
                                "stint run --early-stop val_loss:min,patience=3 -- COMMAND"},
    [PRACTICE_CHANNELS] = {"channels", "alert channels", PRACTICE_NUMBER, false,
                           "stint alert add NAME slack --url-env SLACK_URL"},
    [PRACTICE_BUDGETS] = {"budgets", "budgets", PRACTICE_NUMBER, false, BUDGET},
    [PRACTICE_POLICY] = {"policy", "allocation policy", PRACTICE_YES, false,
                         "stint allocation set FILE"},
    [PRACTICE_BILLS] = {"bills", "bills", PRACTICE_NUMBER, false, IMPORT},
    [PRACTICE_COUNTS] = {"counts", "counts of predictions", PRACTICE_NUMBER, false, COUNTS},
    [PRACTICE_CORRECTIONS] = {"corrections", "corrections learned from runs", PRACTICE_NUMBER,
                              false, "stint calibrate"},
    [PRACTICE_PROVIDERS] = {"providers", "providers in the configuration", PRACTICE_NUMBER,
                            false, "stint init"},
    [PRACTICE_JOB_PRECISION] = {"job_precision", "mixed precision", PRACTICE_YES, false, JOB},
    [PRACTICE_JOB_ACCUMULATION] = {"job_accumulation", "gradient accumulation", PRACTICE_YES,
                                   false, JOB},
    [PRACTICE_JOB_RECOMPUTE] = {"job_recompute", "activation recomputation", PRACTICE_YES,
                                false, JOB},
    [PRACTICE_JOB_RESUME] = {"job_resume", "resumes from a checkpoint", PRACTICE_YES, false,
                             JOB},
    [PRACTICE_JOB_KEEP] = {"job_keep", "keeps only some checkpoints", PRACTICE_YES, false, JOB},
    [PRACTICE_JOB_BUDGET] = {"job_budget", "budget limit", PRACTICE_YES, false, JOB},
    [PRACTICE_JOB_SPOT] = {"job_spot", "may run on spot", PRACTICE_YES, false, JOB},
    [PRACTICE_JOB_EARLY_STOP] = {"job_early_stop", "search that stops bad trials early",
                                 PRACTICE_YES, false, JOB},
    [PRACTICE_JOB_LORA] = {"job_lora", "LoRA instead of full fine-tuning", PRACTICE_YES, false,
                           JOB},
    [PRACTICE_JOB_COLOCATED] = {"job_colocated", "place of the data is known", PRACTICE_YES,
                                false, JOB},
    [PRACTICE_JOB_QUANTIZED] = {"job_quantized", "quantized weights", PRACTICE_YES, false, JOB},
    [PRACTICE_JOB_SCALE_TO_ZERO] = {"job_scale_to_zero", "scales to zero", PRACTICE_YES, false,
                                    JOB},
    [PRACTICE_JOB_LATENCY] = {"job_latency", "latency objective", PRACTICE_YES, false, JOB},
};

void practices_reset(struct practices *out)
{
    for (int i = 0; i < PRACTICE_COUNT; i++)
        out->at[i] = (struct practice){.value = NAN, .monthly = NAN};
}

static bool same_key(struct str typed, const char *key)
{
    for (size_t i = 0; i < typed.len; i++)
        if (key[i] == '\0' || (typed.at[i] == '-' ? '_' : typed.at[i]) != key[i])
            return false;
    return key[typed.len] == '\0';
}

bool practice_find(struct str key, enum practice_fact *out)
{
    for (int i = 0; i < PRACTICE_COUNT; i++)
        if (same_key(key, practice_infos[i].key)) {
            *out = (enum practice_fact)i;
            return true;
        }
    return false;
}

bool practice_unknown(const char *noun, struct str key, struct error *err)
{
    struct suggestion near = {.wanted = key};

    error_set(err, ERROR_USAGE, "there is no %s '%.*s'", noun, STR_ARG(key));
    for (int i = 0; i < PRACTICE_COUNT; i++)
        suggestion_try(&near, str_from(practice_infos[i].key));
    (void)suggestion_hint(&near, err);
    return false;
}

void practice_write(enum practice_unit unit, double value, struct buf *out)
{
    if (isnan(value)) {
        buf_char(out, '?');
        return;
    }
    switch (unit) {
    case PRACTICE_SHARE:
        value_share(value, out);
        break;
    case PRACTICE_HOURS:
        value_hours(value, out);
        break;
    case PRACTICE_USD:
        usd_write_estimate(usd_from(value), out);
        break;
    case PRACTICE_NUMBER:
        buf_addf(out, "%.0f", value);
        break;
    case PRACTICE_YES:
        buf_adds(out, value > 0 ? "yes" : "no");
        break;
    }
}

static bool parse_practice_share(struct str text, double *out)
{
    bool percent = str_ends(text, STR("%"));

    if (percent)
        text = str_trim((struct str){text.at, text.len - 1});
    if (!num_double(text, out))
        return false;
    if (percent)
        *out /= 100;
    return *out >= 0 && *out <= 10;
}

static bool refuse_value(enum practice_fact fact, struct str text, const char *like,
                         struct error *err)
{
    const struct practice_info *info = &practice_infos[fact];

    error_set(err, ERROR_USAGE, "%s: '%.*s' is not a value of it", info->key, STR_ARG(text));
    error_hint(err, "%s is %s", info->label, like);
    return false;
}

bool practice_parse(enum practice_fact fact, struct str text, double *out, struct error *err)
{
    usd amount;
    span time;

    text = str_trim(text);
    switch (practice_infos[fact].unit) {
    case PRACTICE_SHARE:
        return parse_practice_share(text, out) ||
               refuse_value(fact, text, "a share: 70% or 0.7", err);
    case PRACTICE_HOURS:
        if (!span_parse(text, &time, err))
            return false;
        *out = span_in_hours(time);
        return true;
    case PRACTICE_USD:
        if (!usd_parse(text, &amount, err))
            return false;
        *out = usd_double(amount);
        return *out >= 0 || refuse_value(fact, text, "an amount: 2usd", err);
    case PRACTICE_NUMBER:
    case PRACTICE_YES:
        break;
    }
    return (num_double(text, out) && *out >= 0 && *out <= 1e9) ||
           refuse_value(fact, text, "a number", err);
}
