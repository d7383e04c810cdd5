/* cost_analysis.json: the keys of the cost guides, and our own beside them
 * (docs/guide/report.md). */
#include <math.h>
#include <string.h>

#include "doc/json_write.h"
#include "estimate/money/carbon.h"
#include "report/work_facts.h"

/* ---- what is null, and why ---- */

struct null_row {
    struct str key, reason;
};
static const struct field null_fields[] = {
    FIELD(TEXT, null_row, key, .help = "key with a null value"),
    FIELD(TEXT, null_row, reason, .help = "reason why it is unknown"),
};
static const struct field_set null_set = FIELD_SET(struct null_row, null_fields);

#define NULLS(record) \
    FIELD(LIST, record, unknown, .row = &null_set, .help = "unknown values and reasons")

/* ---- the sections ---- */

struct training_section {
    double time_hours, energy_kwh;
    double cost_local_usd, cost_aws_usd, cost_azure_usd, cost_gcp_usd;
    double cost_usd, projected_daily_usd, estimated_usd, cheapest_usd, cheapest_spot_usd;
    struct str time_method, energy_method, local_method, price_source;
    double energy_error;
    struct rows unknown;
};
static const struct field training_fields[] = {
    FIELD(NUMBER, training_section, time_hours, .help = "hours of the work"),
    FIELD(NUMBER, training_section, energy_kwh, .help = "energy at the wall, kWh"),
    FIELD(NUMBER, training_section, cost_local_usd,
          .help = "cost of electricity at home; the amount paid where only that is paid"),
    FIELD(NUMBER, training_section, cost_aws_usd,
          .help = "cheapest on-demand cost at AWS, modeled"),
    FIELD(NUMBER, training_section, cost_azure_usd,
          .help = "cheapest on-demand cost at Azure, modeled"),
    FIELD(NUMBER, training_section, cost_gcp_usd,
          .help = "cheapest on-demand cost at Google Cloud, modeled"),
    FIELD(NUMBER, training_section, cost_usd, .help = "amount paid, all parts included"),
    FIELD(NUMBER, training_section, projected_daily_usd,
          .help = "cost of 24 hours of the same machines"),
    FIELD(NUMBER, training_section, estimated_usd, .help = "estimate before the start"),
    FIELD(NUMBER, training_section, cheapest_usd,
          .help = "cheapest on-demand cost over all providers"),
    FIELD(NUMBER, training_section, cheapest_spot_usd,
          .help = "cheapest spot cost over all providers"),
    FIELD(TEXT, training_section, time_method, .empty_unknown = true,
          .help = "method of the time: metered, given or estimated"),
    FIELD(TEXT, training_section, energy_method, .empty_unknown = true,
          .help = "method of the energy"),
    FIELD(NUMBER, training_section, energy_error, .help = "relative error of the energy"),
    FIELD(TEXT, training_section, local_method, .empty_unknown = true,
          .help = "method of cost_local_usd"),
    FIELD(TEXT, training_section, price_source, .empty_unknown = true,
          .help = "source of the price for cost_usd"),
    NULLS(training_section),
};
static const struct field_set training_set =
    FIELD_SET(struct training_section, training_fields);

struct inference_section {
    double avg_time_ms, throughput_samples_per_sec, cost_per_1k_usd, cost_per_1m_usd;
    struct str method;
    struct rows batches; /* struct work_batch */
    struct rows unknown;
};
static const struct field inference_fields[] = {
    FIELD(NUMBER, inference_section, avg_time_ms,
          .help = "mean time of one prediction (of the first batch) or one request, ms"),
    FIELD(NUMBER, inference_section, throughput_samples_per_sec,
          .help = "predictions per second, one batch after the other, or requests per second"),
    FIELD(NUMBER, inference_section, cost_per_1k_usd,
          .help = "cost of 1,000 predictions on a machine that is always busy"),
    FIELD(NUMBER, inference_section, cost_per_1m_usd,
          .help = "cost of 1,000,000 predictions on a machine that is always busy"),
    FIELD(TEXT, inference_section, method, .empty_unknown = true,
          .help = "source: given, or measured by stint bench"),
    FIELD(LIST, inference_section, batches, .row = &work_batch_fields,
          .help = "measured times by the size of batches"),
    NULLS(inference_section),
};
static const struct field_set inference_set =
    FIELD_SET(struct inference_section, inference_fields);

struct resources_section {
    double model_size_mb, parameters, peak_memory_mb, cpu_cores;
    struct str gpu;
    int64_t gpus;
    double gpu_utilization, gpu_memory_peak_mb, gpu_memory_total_mb;
    double average_memory_mb, disk_read_mb, disk_written_mb;
    struct rows unknown;
};
static const struct field resources_fields[] = {
    FIELD(NUMBER, resources_section, model_size_mb, .help = "size of the model, 10^6 bytes"),
    FIELD(NUMBER, resources_section, parameters, .help = "parameters of the model"),
    FIELD(NUMBER, resources_section, peak_memory_mb, .help = "peak memory of the processes"),
    FIELD(NUMBER, resources_section, average_memory_mb,
          .help = "mean memory of the processes, over time"),
    FIELD(NUMBER, resources_section, disk_read_mb, .help = "read from disks"),
    FIELD(NUMBER, resources_section, disk_written_mb, .help = "written to disks"),
    FIELD(NUMBER, resources_section, cpu_cores, .help = "mean number of busy cores"),
    FIELD(TEXT, resources_section, gpu, .empty_unknown = true, .help = "GPU used"),
    FIELD(COUNT, resources_section, gpus, .help = "number of GPUs used"),
    FIELD(NUMBER, resources_section, gpu_utilization, .help = "mean GPU utilization, 0 to 1"),
    FIELD(NUMBER, resources_section, gpu_memory_peak_mb,
          .help = "peak memory of the fullest GPU"),
    FIELD(NUMBER, resources_section, gpu_memory_total_mb, .help = "memory of that GPU"),
    NULLS(resources_section),
};
static const struct field_set resources_set =
    FIELD_SET(struct resources_section, resources_fields);

struct environmental_section {
    double carbon_kg, car_km, miles_driven, tree_months, smartphone_charges;
    double offset_usd, offset_low_usd, offset_high_usd;
    struct str carbon_method;
    struct rows unknown;
};
static const struct field environmental_fields[] = {
    FIELD(NUMBER, environmental_section, carbon_kg, .help = "carbon, kg CO2e"),
    FIELD(NUMBER, environmental_section, car_km, .help = "equivalent distance in a US car, km"),
    FIELD(NUMBER, environmental_section, miles_driven,
          .help = "equivalent distance in a US car, miles"),
    FIELD(NUMBER, environmental_section, tree_months,
          .help = "equivalent months of growth of a mature tree"),
    FIELD(NUMBER, environmental_section, smartphone_charges,
          .help = "equivalent smartphone charges on the US grid"),
    FIELD(NUMBER, environmental_section, offset_usd,
          .help = "typical cost of an offset by growing forests"),
    FIELD(NUMBER, environmental_section, offset_low_usd,
          .help = "cost of an offset by emissions avoided elsewhere"),
    FIELD(NUMBER, environmental_section, offset_high_usd,
          .help = "cost of an offset by removal from the air for centuries"),
    FIELD(TEXT, environmental_section, carbon_method, .empty_unknown = true,
          .help = "grid and year of the carbon factor"),
    NULLS(environmental_section),
};
static const struct field_set environmental_set =
    FIELD_SET(struct environmental_section, environmental_fields);

struct efficiency_section {
    double efficiency_score, cost_guides_score, gpu_utilization, gpu_memory_share;
    double cost_per_step_usd, cost_per_point_usd;
    struct rows unknown;
};
static const struct field efficiency_fields[] = {
    FIELD(NUMBER, efficiency_section, efficiency_score, .help = "0 to 100"),
    FIELD(NUMBER, efficiency_section, cost_guides_score,
          .help = "0.7 of utilization and 0.3 of memory, over a target of 95 %"),
    FIELD(NUMBER, efficiency_section, gpu_utilization, .help = "mean GPU utilization, 0 to 1"),
    FIELD(NUMBER, efficiency_section, gpu_memory_share,
          .help = "peak share of GPU memory, 0 to 1"),
    FIELD(NUMBER, efficiency_section, cost_per_step_usd, .help = "cost per step that counts"),
    FIELD(NUMBER, efficiency_section, cost_per_point_usd,
          .help = "cost per point of the efficiency score"),
    NULLS(efficiency_section),
};
static const struct field_set efficiency_set =
    FIELD_SET(struct efficiency_section, efficiency_fields);

struct breakdown {
    struct training_section training;
    struct inference_section inference;
    struct resources_section resources;
    struct environmental_section environmental;
    struct efficiency_section efficiency;
};
static const struct field breakdown_fields[] = {
    FIELD(RECORD, breakdown, training, .row = &training_set,
          .help = "figures of the work itself"),
    FIELD(RECORD, breakdown, inference, .row = &inference_set, .help = "one prediction"),
    FIELD(RECORD, breakdown, resources, .row = &resources_set, .help = "resources used"),
    FIELD(RECORD, breakdown, environmental, .row = &environmental_set,
          .help = "carbon and equivalents"),
    FIELD(RECORD, breakdown, efficiency, .row = &efficiency_set, .help = "efficiency scores"),
};
static const struct field_set breakdown_set = FIELD_SET(struct breakdown, breakdown_fields);

struct analysis {
    struct str kind, name, id, state;
    stamp at, written;
    struct breakdown cost_breakdown;
    struct rows recommendations, findings, applied, costs, phases, comparison;
    struct advise_total findings_total;
    bool same_time;
};
static const struct field analysis_fields[] = {
    FIELD(TEXT, analysis, kind, .help = "run, experiment or plan"),
    FIELD(TEXT, analysis, name, .help = "name of the work"),
    FIELD(TEXT, analysis, id, .empty_unknown = true, .help = "run ID"),
    FIELD(TEXT, analysis, state, .empty_unknown = true, .help = "state of the run"),
    FIELD(TIME, analysis, at, .help = "start time"),
    FIELD(TIME, analysis, written, .help = "time of writing"),
    FIELD(RECORD, analysis, cost_breakdown, .row = &breakdown_set, .help = "cost by part"),
    FIELD(LIST, analysis, recommendations, .row = &work_advice_fields,
          .help = "recommendations, the largest savings first"),
    FIELD(LIST, analysis, findings, .row = &finding_fields,
          .help = "findings about the run, as in 'stint advise RUN'"),
    FIELD(RECORD, analysis, findings_total, .row = &advise_total_fields,
          .help = "totals of their best combination"),
    FIELD(LIST, analysis, applied, .row = &followup_fields,
          .help = "applied findings about its work: predicted and measured"),
    FIELD(LIST, analysis, costs, .row = &run_part_fields, .help = "cost by kind"),
    FIELD(LIST, analysis, phases, .row = &run_part_fields, .help = "compute cost by phase"),
    FIELD(LIST, analysis, comparison, .row = &work_option_fields,
          .help = "modeled cost of the same work elsewhere"),
    FIELD(FLAG, analysis, same_time,
          .help = "comparison assumes the same time on every GPU, since this one is unknown"),
};
static const struct field_set analysis_set = FIELD_SET(struct analysis, analysis_fields);

/* ---- from the work ---- */

static double option_cost(const struct work_option *o)
{
    return o != NULL ? usd_double(o->cost) : NAN;
}

static void fill_training(const struct work_facts *f, struct training_section *s)
{
    const struct report_work *w = &f->work;
    const struct work_comparison *c = &f->comparison;

    *s = (struct training_section){
        .time_hours = w->time.ns < 0 ? NAN : span_in_hours(w->time),
        .energy_kwh = w->energy.j / JOULES_PER_KWH,
        .cost_local_usd = usd_double(c->local),
        .cost_aws_usd = option_cost(work_option_of(c, STR("aws"), MARKET_ON_DEMAND)),
        .cost_azure_usd = option_cost(work_option_of(c, STR("azure"), MARKET_ON_DEMAND)),
        .cost_gcp_usd = option_cost(work_option_of(c, STR("gcp"), MARKET_ON_DEMAND)),
        .cost_usd = usd_double(w->cost),
        .projected_daily_usd = usd_per_hour_double(w->rate) * 24,
        .estimated_usd = usd_double(w->estimated),
        .cheapest_usd = option_cost(work_cheapest(c, MARKET_ON_DEMAND)),
        .cheapest_spot_usd = option_cost(work_cheapest(c, MARKET_SPOT)),
        .time_method = w->time_method,
        .energy_method = w->energy_method,
        .energy_error = w->energy_error,
        .local_method = c->local_method,
        .price_source = w->price_source,
    };
}

static void fill_inference(const struct work_facts *f, struct inference_section *s)
{
    const struct work_inference *i = &f->work.inference;
    double each = work_inference_cost(i, f->work.rate);

    *s = (struct inference_section){.avg_time_ms = i->seconds * 1e3,
                                    .throughput_samples_per_sec = i->per_s,
                                    .cost_per_1k_usd = each * 1e3,
                                    .cost_per_1m_usd = each * 1e6,
                                    .method = i->method,
                                    .batches = i->batches};
}

static void fill_resources(const struct report_work *w, struct resources_section *s)
{
    *s = (struct resources_section){
        .model_size_mb = w->model_bytes / 1e6,
        .parameters = w->parameters,
        .peak_memory_mb = w->memory_peak / 1e6,
        .average_memory_mb = w->memory_mean / 1e6,
        .disk_read_mb = w->disk_read / 1e6,
        .disk_written_mb = w->disk_written / 1e6,
        .cpu_cores = w->cpu_cores,
        .gpu = w->gpu != NULL ? w->gpu->name : w->gpu_name,
        .gpus = w->gpus,
        .gpu_utilization = w->gpu_busy,
        .gpu_memory_peak_mb = w->gpu_memory_peak / 1e6,
        .gpu_memory_total_mb = w->gpu_memory_total / 1e6,
    };
}

#define KM_PER_MILE 1.609344

static void fill_environmental(const struct report_work *w, struct environmental_section *s)
{
    double km = equivalent_of(EQUIVALENT_CAR_KM, w->carbon, w->energy);

    *s = (struct environmental_section){
        .carbon_kg = w->carbon.g / 1e3,
        .car_km = km,
        .miles_driven = km / KM_PER_MILE,
        .tree_months = equivalent_of(EQUIVALENT_TREE_YEARS, w->carbon, w->energy) * 12,
        .smartphone_charges = equivalent_of(EQUIVALENT_PHONE_CHARGES, w->carbon, w->energy),
        .offset_usd = usd_double(offset_cost_of(OFFSET_NATURE, w->carbon).typical),
        .offset_low_usd = usd_double(offset_cost_of(OFFSET_AVOIDANCE, w->carbon).typical),
        .offset_high_usd = usd_double(offset_cost_of(OFFSET_DURABLE, w->carbon).typical),
        .carbon_method = w->carbon_method,
    };
}

static void fill_efficiency(const struct report_work *w, struct efficiency_section *s)
{
    *s = (struct efficiency_section){
        .efficiency_score = w->score,
        .cost_guides_score = w->seed_score,
        .gpu_utilization = w->gpu_busy,
        .gpu_memory_share = w->gpu_memory_peak / w->gpu_memory_total,
        .cost_per_step_usd = usd_double(w->cost_per_step),
        .cost_per_point_usd = w->score > 0 ? usd_double(w->cost) / w->score : NAN,
    };
}

/* The reason of each number of a section that is null. */
static bool list_nulls(const struct work_facts *f, const struct field_set *set,
                       const void *section, const char *name, struct arena *arena,
                       struct rows *out, struct error *err)
{
    struct null_row *rows = arena_array(arena, struct null_row, set->len, err);
    size_t count = 0;

    if (rows == NULL)
        return false;
    for (size_t i = 0; i < set->len; i++) {
        const struct field *field = &set->at[i];

        if (field->type == FIELD_LIST || field_known(field, section))
            continue;
        rows[count++] =
            (struct null_row){str_from(field->name), work_reason(f, name, field->name)};
    }
    *out = (struct rows){rows, count};
    return true;
}

static bool fill_nulls(const struct work_facts *f, struct breakdown *b, struct arena *arena,
                       struct error *err)
{
    return list_nulls(f, &training_set, &b->training, "training", arena, &b->training.unknown,
                      err) &&
           list_nulls(f, &inference_set, &b->inference, "inference", arena,
                      &b->inference.unknown, err) &&
           list_nulls(f, &resources_set, &b->resources, "resources", arena,
                      &b->resources.unknown, err) &&
           list_nulls(f, &environmental_set, &b->environmental, "environmental", arena,
                      &b->environmental.unknown, err) &&
           list_nulls(f, &efficiency_set, &b->efficiency, "efficiency", arena,
                      &b->efficiency.unknown, err);
}

bool work_json(const struct work_facts *f, struct arena *arena, struct buf *out,
               struct error *err)
{
    struct analysis *a = arena_array(arena, struct analysis, 1, err);
    struct advise_total total = {.spent = USD_UNKNOWN,
                                 .saving = USD_UNKNOWN,
                                 .saving_low = USD_UNKNOWN,
                                 .saving_high = USD_UNKNOWN,
                                 .share = NAN,
                                 .findings = -1};
    struct breakdown *b;

    if (a == NULL)
        return false;
    if (f->work.advice.result.total.findings > 0)
        total = f->work.advice.result.total;
    *a = (struct analysis){.kind = f->work.kind,
                           .name = f->work.name,
                           .id = f->work.id,
                           .state = f->work.state,
                           .at = f->work.at,
                           .written = f->now,
                           .recommendations = f->advice,
                           .findings = f->work.advice.result.findings,
                           .findings_total = total,
                           .applied = f->work.advice.result.applied,
                           .costs = f->work.costs,
                           .phases = f->work.phases,
                           .comparison = f->comparison.options,
                           .same_time = f->comparison.same_time};
    b = &a->cost_breakdown;
    fill_training(f, &b->training);
    fill_inference(f, &b->inference);
    fill_resources(&f->work, &b->resources);
    fill_environmental(&f->work, &b->environmental);
    fill_efficiency(&f->work, &b->efficiency);
    if (!fill_nulls(f, b, arena, err))
        return false;
    json_write_record(&analysis_set, a, "stint.cost_analysis/1", out);
    buf_char(out, '\n');
    return buf_ok(out, err);
}
