/* Rules about the model that a job serves: a smaller one may need fewer or cheaper machines. */
#include <math.h>

#include "advise/explain/change.h"
#include "advise/rules/compression.h"
#include "advise/rules/rule.h"
#include "base/num.h"

/* Compared on the places that the caller knows, or on the job's own. */
static bool compare_methods(const struct advising *a, struct rows *out, struct error *err)
{
    const struct advise_job *job = a->facts->job;
    struct compression_input in = {.job = job->input->job,
                                   .constants = job->input->constants,
                                   .catalog = job->input->catalog,
                                   .places = job->input->place,
                                   .place_count = 1};

    if (job->places.len > 0) {
        in.places = job->places.at;
        in.place_count = job->places.len;
    }
    return compression_compare(&in, a->arena, out, err);
}

static void write_compression_row(const struct compression_row *row, struct buf *out)
{
    buf_addf(out, "%.*s: ", STR_ARG(row->method));
    change_write_amount(CHANGE_COST, usd_double(row->cost), false, out);
    buf_addf(out, " a month on %lldx %.*s, %s GB of weights", (long long)row->machines,
             STR_ARG(row->offer), num_about(row->size_gb).text);
}

static void write_compression_loss(const struct compression_row *row, struct buf *out)
{
    if (isnan(row->loss_low))
        buf_adds(out, "; what it loses in accuracy is not published");
    else if (row->loss_low == row->loss_high)
        buf_addf(out, "; loses %.3g %% (%.*s, published)", 100 * row->loss_low,
                 STR_ARG(row->metric));
    else
        buf_addf(out, "; loses %.3g to %.3g %% (%.*s, published)", 100 * row->loss_low,
                 100 * row->loss_high, STR_ARG(row->metric));
}

/* What the method leaves of the money, whatever machines the job has now. */
static bool add_compression_finding(struct advising *a, const struct compression_row *base,
                                    const struct compression_row *row, struct error *err)
{
    double whole = advise_money_sum(a->money, PARTS_ALL), now = usd_double(base->cost);
    struct finding_draft d = finding_begin(a);

    write_compression_row(base, &d.evidence);
    buf_adds(&d.evidence, "; ");
    write_compression_row(row, &d.evidence);
    write_compression_loss(row, &d.evidence);
    if (row->trained)
        buf_addf(&d.action, "make the model: %.*s; measure what it loses on your own task",
                 STR_ARG(row->needs));
    else
        buf_addf(&d.action,
                 "--set weights=%.*s; needs: %.*s; measure what it loses on your own task",
                 STR_ARG(row->weights), STR_ARG(row->needs));
    buf_addf(&d.method, "cheapest machines that serve each: 1 - %s / %s of the cost",
             num_about(usd_double(row->cost)).text, num_about(now).text);
    d.source = row->source;
    d.saving = (struct saving){.low = whole * (1 - usd_double(row->cost_high) / now),
                               .mid = whole * (1 - usd_double(row->cost) / now),
                               .high = whole * (1 - usd_double(row->cost_low) / now)};
    return finding_end(a, &d, err);
}

/* The cheapest method that is (not) trained. Of those that cost the same, the one that loses
 * least. */
static bool find_method(struct advising *a, bool trained, struct error *err)
{
    const struct advise_job *job = a->facts->job;
    const struct compression_row *rows, *best = NULL;
    struct rows found;

    if (job->given->kind != JOB_INFER || !job->input->job->arch_known ||
        !(job->given->infer.rate > 0))
        return true;
    if (!compare_methods(a, &found, err))
        return false;
    rows = found.at;
    for (size_t i = 1; i < found.len; i++) {
        const struct compression_row *row = &rows[i];

        if (row->trained != trained || row->other_framework || !(row->saving > 0))
            continue;
        if (best == NULL || usd_double(row->cost) < usd_double(best->cost) ||
            (usd_double(row->cost) == usd_double(best->cost) &&
             row->loss_high < best->loss_high))
            best = row;
    }
    return best == NULL || add_compression_finding(a, &rows[0], best, err);
}

static bool find_quantization(struct advising *a, struct error *err)
{
    return find_method(a, false, err);
}

static bool find_distillation(struct advising *a, struct error *err)
{
    return find_method(a, true, err);
}

static const struct advise_rule rules[] = {
    {.name = "quantize",
     .title = "serve weights of fewer bits",
     .category = ADVISE_SERVING,
     .effort = EFFORT_HOURS,
     .risk = RISK_MEDIUM,
     .lever = LEVER_METHOD, /* as that of distillation: machines are whole */
     .scope = SCOPE_JOB,
     .parts = PARTS_MACHINE,
     .uses = "weights of a model that serves, its rate and latency target",
     .applies = "fewer or cheaper machines serve it quantized",
     .computed = "cheapest machines that keep up, with and without; accuracy: published",
     .source = "compression.csv",
     .find = find_quantization},
    {.name = "distill",
     .title = "train a smaller model to serve",
     .category = ADVISE_SERVING,
     .effort = EFFORT_DAYS,
     .risk = RISK_HIGH,
     .lever = LEVER_METHOD,
     .scope = SCOPE_JOB,
     .parts = PARTS_MACHINE,
     .uses = "layers of a model that serves, its rate and latency target",
     .applies = "fewer or cheaper machines serve half of the layers, or a model trained for "
                "fewer bits",
     .computed =
         "cheapest machines that keep up, with and without; the training is not counted",
     .source = "compression.csv",
     .find = find_distillation},
};

const struct advise_rules advise_serving_rules = ADVISE_RULES(rules);
