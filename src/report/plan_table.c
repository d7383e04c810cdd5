#include "report/plan_table.h"

#include "render/csv_rows.h"

/* The columns are fields too, but their names carry the units. */
#define COLUMN(label, kind, member) FIELD_AS(label, kind, plan_row, member, .help = "")

static const struct field columns[] = {
    COLUMN("role", TEXT, role),
    COLUMN("offer", TEXT, offer),
    COLUMN("provider", TEXT, provider),
    COLUMN("region", TEXT, region),
    COLUMN("instance", TEXT, instance),
    FIELD(ENUM, plan_row, market, .names = market_names, .only = MARKETS_PLANNED, .help = ""),
    COLUMN("accelerator", TEXT, accelerator),
    COLUMN("gpus", COUNT, gpus),
    COLUMN("machines", COUNT, machines),
    COLUMN("copies", COUNT, copies),
    COLUMN("cost_usd", USD, cost),
    COLUMN("cost_low_usd", USD, cost_low),
    COLUMN("cost_high_usd", USD, cost_high),
    COLUMN("price_usd_h", RATE, price),
    COLUMN("price_date", DAY, price_date),
    COLUMN("price_age_days", COUNT, price_age_days),
    COLUMN("hours", NUMBER, hours.value),
    COLUMN("hours_low", NUMBER, hours.low),
    COLUMN("hours_high", NUMBER, hours.high),
    COLUMN("p95_s", NUMBER, p95_s),
    COLUMN("rate", NUMBER, rate),
    COLUMN("rate_unit", TEXT, rate_unit),
    COLUMN("usd_per_million_tokens", USD, per_million_tokens),
    COLUMN("start_h", NUMBER, start_h),
    COLUMN("start", TIME, start),
    COLUMN("carbon_kg", NUMBER, carbon_kg),
    COLUMN("energy_kwh", NUMBER, kwh),
    COLUMN("risk_share", SHARE, risk),
    COLUMN("losses", NUMBER, losses),
    COLUMN("on_time_share", SHARE, on_time),
    COLUMN("save_every_s", NUMBER, save_every_s),
    COLUMN("overhead_share", NUMBER, overhead),
    COLUMN("more_usd", NUMBER, more_usd),
    COLUMN("more_hours", NUMBER, more_hours),
    COLUMN("method", TEXT, method),
    COLUMN("precision", TEXT, precision),
    COLUMN("optimizer", TEXT, optimizer),
    COLUMN("recompute", TEXT, recompute),
    COLUMN("framework", TEXT, framework),
    COLUMN("offload", TEXT, offload),
    COLUMN("weights", TEXT, weights),
    COLUMN("data_parallel", COUNT, data),
    COLUMN("tensor_parallel", COUNT, tensor),
    COLUMN("pipeline_parallel", COUNT, pipeline),
    COLUMN("context_parallel", COUNT, context),
    COLUMN("expert_parallel", COUNT, expert),
    COLUMN("zero_stage", COUNT, zero),
    COLUMN("shard_gpus", COUNT, shard),
    COLUMN("sequence_tokens", COUNT, sequence),
    COLUMN("micro_batch", COUNT, micro_batch),
    COLUMN("accumulation", COUNT, accumulation),
    COLUMN("parallel_trials", COUNT, parallel_trials),
    COLUMN("global_batch", NUMBER, global_batch),
    COLUMN("memory_gb", NUMBER, memory_gb),
    COLUMN("usable_gb", NUMBER, usable_gb),
    COLUMN("setting", TEXT, setting),
};

static void write_plan_list(const char *name, const struct rows *list, struct buf *out)
{
    const struct plan_row *rows = list->at;

    for (size_t i = 0; i < list->len; i++) {
        buf_adds(out, name);
        for (size_t c = 0; c < ARRAY_LEN(columns); c++) {
            buf_char(out, ',');
            csv_rows_value(&columns[c], &rows[i], out);
        }
        buf_char(out, '\n');
    }
}

void plan_csv_text(const struct plan_result *res, struct buf *out)
{
    buf_adds(out, "list");
    for (size_t c = 0; c < ARRAY_LEN(columns); c++)
        buf_addf(out, ",%s", columns[c].name);
    buf_char(out, '\n');
    write_plan_list("plan", &res->plans, out);
    write_plan_list("front", &res->front, out);
    write_plan_list("naive", &res->naive, out);
}
