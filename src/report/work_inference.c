#include "report/work_inference.h"

#include <math.h>

#include "base/num.h"
#include "unit/time.h"

static const struct field batch_list[] = {
    FIELD(COUNT, work_batch, batch, .help = "size of the batch"),
    FIELD(NUMBER, work_batch, avg_time_ms, .help = "mean time of a batch, ms"),
    FIELD_AS("throughput_samples_per_sec", NUMBER, work_batch, per_s,
             .help = "predictions per second"),
    FIELD_AS("cost_per_1k_usd", NUMBER, work_batch, per_1k,
             .help = "cost of 1,000 predictions on a machine that is always busy"),
    FIELD_AS("cost_per_1m_usd", NUMBER, work_batch, per_1m,
             .help = "cost of 1,000,000 predictions on a machine that is always busy"),
};
const struct field_set work_batch_fields = FIELD_SET(struct work_batch, batch_list);

void work_inference_unknown(struct work_inference *out)
{
    *out = (struct work_inference){.seconds = NAN, .per_s = NAN, .rate = USD_PER_HOUR_UNKNOWN};
}

void work_inference_given(double seconds, struct work_inference *out)
{
    *out = (struct work_inference){.seconds = seconds,
                                   .per_s = 1 / seconds,
                                   .rate = USD_PER_HOUR_UNKNOWN,
                                   .method = STR("given")};
}

double work_inference_cost(const struct work_inference *inference, usd_per_hour rate)
{
    if (inference->rate.nano != MONEY_UNKNOWN)
        rate = inference->rate;
    return usd_per_hour_double(rate) / 3600 / inference->per_s;
}

/* "batch_32_s=0.012": 32; 0: it is another fact. */
static int64_t batch_of_fact(struct str fact, double *seconds)
{
    struct str value = fact, name = str_cut(&value, '=');
    int64_t batch;

    if (!str_starts(name, STR("batch_")) || !str_ends(name, STR("_s")) || name.len <= 8)
        return 0;
    name = (struct str){name.at + 6, name.len - 8};
    return num_int(name, &batch) && batch > 0 && num_double(value, seconds) && *seconds > 0
               ? batch
               : 0;
}

static bool take_measured_batches(const struct ledger_run *bench, struct arena *arena,
                                  struct work_inference *out, struct error *err)
{
    const struct strs *facts = &bench->start.facts;
    double dollars_per_s = usd_per_hour_double(bench->start.rate) / 3600, seconds = NAN;
    struct work_batch *rows = arena_array(arena, struct work_batch, facts->len + 1, err);

    if (rows == NULL)
        return false;
    for (size_t i = 0; i < facts->len; i++) {
        int64_t batch = batch_of_fact(facts->at[i], &seconds);
        double per_s = (double)batch / seconds;

        if (batch > 0)
            rows[out->batches.len++] =
                (struct work_batch){.batch = batch,
                                    .avg_time_ms = seconds * 1e3,
                                    .per_s = per_s,
                                    .per_1k = dollars_per_s / per_s * 1e3,
                                    .per_1m = dollars_per_s / per_s * 1e6};
    }
    out->batches.at = rows;
    if (out->batches.len > 0) { /* the first is what one prediction waits for */
        out->seconds = rows[0].avg_time_ms / 1e3;
        out->per_s = rows[0].per_s;
    }
    return true;
}

static bool describe_measurement(const struct ledger_run *bench, struct arena *arena,
                                 struct work_inference *out, struct error *err)
{
    struct buf text = buf_new(arena->alloc, 256);

    buf_adds(&text, "measured by stint bench on ");
    day_write(day_of(bench->start.started), &text);
    buf_adds(&text, " (");
    buf_add(&text, ledger_short(bench->start.id));
    buf_adds(&text, ")");
    return buf_keep(&text, arena, &out->method, err);
}

bool work_inference_measured(const struct ledger_run *bench, struct arena *arena,
                             struct work_inference *out, struct error *err)
{
    work_inference_unknown(out);
    out->seconds = ledger_fact_number(bench, "total_mean_s");
    out->per_s = ledger_fact_number(bench, "requests_per_s");
    out->at_once = !isnan(out->seconds);
    out->rate = bench->start.rate;
    return take_measured_batches(bench, arena, out, err) &&
           (isnan(out->seconds) || describe_measurement(bench, arena, out, err));
}

static bool is_bench(const struct ledger_run *run)
{
    return str_eq(run->start.origin, STR("bench"));
}

/* The newest of these tags and this name (empty: any). */
static bool find_bench(struct ledger *ledger, struct str name, struct strs tags,
                       struct arena *arena, const struct ledger_run **out, struct error *err)
{
    const struct ledger_query query = {
        .name = name, .tags = tags, .since = {-1}, .until = {-1}, .limit = 1};
    size_t count;

    *out = NULL;
    if (!ledger_runs(ledger, &query, arena, out, &count, err))
        return false;
    if (count == 0)
        *out = NULL;
    return true;
}

bool work_inference_find(struct ledger *ledger, const struct ledger_run *run,
                         struct arena *arena, struct work_inference *out, struct error *err)
{
    struct str tags[] = {STR(BENCH_ACTIVITY), {0}};
    struct buf tag = buf_new(arena->alloc, 256);
    const struct ledger_run *bench = NULL;

    work_inference_unknown(out);
    if (is_bench(run))
        return work_inference_measured(run, arena, out, err);
    buf_adds(&tag, BENCH_OF_RUN);
    buf_adds(&tag, run->start.id);
    if (!buf_keep(&tag, arena, &tags[1], err) ||
        !find_bench(ledger, (struct str){0}, (struct strs){tags, 2}, arena, &bench, err))
        return false;
    if (bench == NULL && run->start.name.len > 0 &&
        !find_bench(ledger, run->start.name, (struct strs){tags, 1}, arena, &bench, err))
        return false;
    return bench == NULL || work_inference_measured(bench, arena, out, err);
}
