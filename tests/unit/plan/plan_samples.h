/* plan_samples.h - sample results of plan, of every kind, to test how they are printed. */
#ifndef TESTS_PLAN_SAMPLES_H
#define TESTS_PLAN_SAMPLES_H

#include <math.h>

#include "plan/record.h"

#define DOLLARS(n) ((usd){(int64_t)((n)*100 + 0.5) * 10000000})
#define AN_HOUR(n) ((usd_per_hour){(int64_t)((n)*100 + 0.5) * 10000000})
#define ROWS(array) ((struct rows){(array), ARRAY_LEN(array)})
#define SAMPLE_DAY ((day){20687}) /* 2026-08-22 */

/* Everything unknown, as an operation finds it. */
static inline struct plan_row sample_row(const char *role)
{
    struct arena none = {.alloc = &alloc_system};
    struct error err = {0};
    struct plan_row row;

    if (!fields_reset(&plan_row_fields, &row, &none, &err))
        abort();
    row.role = str_from(role);
    return row;
}

static inline struct plan_result sample_result(void)
{
    struct arena none = {.alloc = &alloc_system};
    struct error err = {0};
    struct plan_result res;

    if (!fields_reset(&plan_result_fields, &res, &none, &err))
        abort();
    return res;
}

static inline struct plan_row sample_plan(const char *role, const char *provider,
                                          const char *region, const char *market, int64_t gpus,
                                          const char *accelerator)
{
    struct plan_row row = sample_row(role);

    row.provider = str_from(provider);
    row.region = str_from(region);
    row.market = (enum market)choice_of(market_names, str_from(market));
    row.gpus = gpus;
    row.machines = 1;
    row.accelerator = str_from(accelerator);
    row.price_date = SAMPLE_DAY;
    row.price_age_days = 3;
    row.method = STR("full");
    row.precision = STR("bf16");
    row.optimizer = STR("adamw");
    row.framework = STR("deepspeed");
    row.recompute = STR("selective");
    row.offload = STR("none");
    row.data = gpus;
    row.tensor = row.pipeline = row.context = row.expert = 1;
    row.zero = 1;
    row.sequence = 2048;
    row.usable_gb = 79;
    row.rate_unit = STR("tokens/s");
    return row;
}

static inline void sample_money(struct plan_row *row, double cost, double hours, double spread)
{
    row->cost = DOLLARS(cost);
    row->cost_low = DOLLARS(cost / spread);
    row->cost_high = DOLLARS(cost * spread);
    row->hours = (struct guess){hours, hours / spread, hours * spread};
}

static inline void sample_searched(struct plan_result *res)
{
    res->prices_from = (day){SAMPLE_DAY.n - 2};
    res->prices_to = SAMPLE_DAY;
    res->offers = 7241;
    res->places = 16902;
    res->settings = 48210;
    res->pruned = 1204511;
    res->search_ms = 84;
}

/* A full fine-tune on 8 GPUs, with all optional parts. */
static inline struct plan_result sample_training(void)
{
    static struct plan_row plans[5], front[4], naive[2];
    static struct plan_line money[5];
    static struct plan_restriction restrictions[3];
    static struct plan_thumb rules[4];
    static struct str notes[1];
    struct plan_result res = sample_result();

    plans[0] = sample_plan("best", "gcp", "us-central1", "on-demand", 8, "A100-SXM-80GB");
    sample_money(&plans[0], 62.14, 1.52, 1.2);
    plans[0].offer = STR("gcp/us-central1/a2-ultragpu-8g");
    plans[0].price = AN_HOUR(40.55);
    plans[0].setting = STR("bf16, zero 1, micro-batch 8 x 4, recompute selective");
    plans[0].micro_batch = 8;
    plans[0].accumulation = 4;
    plans[0].global_batch = 256;
    plans[0].memory_gb = 61.2;
    plans[0].memory_low_gb = 51;
    plans[0].memory_high_gb = 73.4;
    plans[0].rate = 25600;
    plans[0].kwh = 8.13;
    plans[0].carbon_kg = 3.21;

    plans[1] = sample_plan("on spot", "aws", "us-east-2", "spot", 8, "A100-SXM-40GB");
    sample_money(&plans[1], 21.43, 2.31, 1.3);
    plans[1].offer = STR("aws/us-east-2/p4d.24xlarge");
    plans[1].price = AN_HOUR(9.12);
    plans[1].setting = STR("bf16, zero 3, micro-batch 4 x 8, recompute full");
    plans[1].more_usd = 21.43 - 62.14;
    plans[1].more_hours = 0.79;
    plans[1].risk = 0.18;
    plans[1].losses = 0.21;
    plans[1].on_time = 0.972;
    plans[1].save_every_s = 1080;
    plans[1].overhead = 0.061;

    plans[2] = sample_plan("other GPU", "gcp", "us-east4", "on-demand", 8, "H100-SXM-80GB");
    sample_money(&plans[2], 71.20, 0.808, 1.2);
    plans[2].setting = STR("bf16, zero 1, micro-batch 8 x 4");
    plans[2].more_usd = 9.06;
    plans[2].more_hours = -0.712;

    plans[3] = sample_plan("faster", "gcp", "us-east4", "on-demand", 32, "H100-SXM-80GB");
    sample_money(&plans[3], 96.02, 0.273, 1.25);
    plans[3].machines = 4;
    plans[3].setting = STR("bf16, zero 1, micro-batch 8");
    plans[3].more_usd = 33.88;
    plans[3].more_hours = -1.247;

    plans[4] =
        sample_plan("no account", "lambda", "us-west-1", "on-demand", 8, "A100-SXM-80GB");
    sample_money(&plans[4], 21.77, 1.52, 1.2);
    plans[4].more_usd = -40.37;
    plans[4].more_hours = 0;

    front[0] = plans[0];
    front[1] = plans[2];
    front[2] = sample_plan("front", "gcp", "us-east4", "on-demand", 16, "H100-SXM-80GB");
    sample_money(&front[2], 79.90, 0.453, 1.2);
    front[2].machines = 2;
    front[3] = plans[3];

    naive[0] =
        sample_plan("cheapest per hour that fits", "aws", "us-west-2", "on-demand", 8, "A10G");
    sample_money(&naive[0], 118.50, 7.28, 1.3);
    naive[0].more_usd = 118.50 - 62.14;
    naive[1] = sample_plan("8 GPUs of the rule book, on demand", "aws", "us-east-1",
                           "on-demand", 8, "A100-SXM-80GB");
    sample_money(&naive[1], 70.02, 1.53, 1.2);
    naive[1].more_usd = 70.02 - 62.14;

    money[0] = (struct plan_line){STR("compute"), DOLLARS(51.33), 0.826, 1.27};
    money[1] = (struct plan_line){STR("set-up"), DOLLARS(6.76), 0.109, 0.167};
    money[2] = (struct plan_line){STR("moving data"), DOLLARS(3.11), 0.05, 0.05};
    money[3] = (struct plan_line){STR("checkpoints"), DOLLARS(0.94), 0.015, 0.02};
    money[4] = (struct plan_line){STR("interruptions"), DOLLARS(0), 0, 0};

    restrictions[0] =
        (struct plan_restriction){STR("on-demand only"), STR("allow spot"), DOLLARS(21.43),
                                  DOLLARS(40.71), STR("aws/us-east-2/p4d.24xlarge")};
    restrictions[1] = (struct plan_restriction){
        STR("providers with an account"), STR("an account with lambda"), DOLLARS(21.77),
        DOLLARS(40.37), STR("lambda/us-west-1/gpu_8x_a100_80gb_sxm4")};
    restrictions[2] =
        (struct plan_restriction){STR("deadline 24 h"), STR("any time"), DOLLARS(62.14),
                                  DOLLARS(0), STR("gcp/us-central1/a2-ultragpu-8g")};

    rules[0] = (struct plan_thumb){STR("a short job is not worth spot"), STR("disagrees"),
                                   STR("following it costs $40.71 more")};
    rules[1] = (struct plan_thumb){STR("the lowest ZeRO stage that fits"), STR("agrees"),
                                   STR("stage 2 would cost $1.02 more, stage 3 $6.40")};
    rules[2] = (struct plan_thumb){STR("more machines instead of waiting"), STR("agrees"),
                                   STR("4 machines save 1.25 h for $33.88")};
    rules[3] = (struct plan_thumb){STR("fits one GPU: do not shard"), STR("does not apply"),
                                   STR("one GPU does not hold it")};
    notes[0] = STR("sequence length not given: using 2048");

    res.name = STR("llama-7b-finetune");
    res.kind = STR("train");
    res.model = STR("llama-2-7b");
    res.work = STR("76.8 M tokens");
    res.unit = STR("job");
    res.aim = STR("cost");
    res.plans = ROWS(plans);
    res.front = ROWS(front);
    res.naive = ROWS(naive);
    res.money = ROWS(money);
    res.restrictions = ROWS(restrictions);
    res.rules = ROWS(rules);
    res.notes = (struct strs){notes, 1};
    res.simulated = DOLLARS(21.90);
    res.simulated_low = DOLLARS(19.02);
    res.simulated_high = DOLLARS(27.75);
    res.simulated_on_time = 0.968;
    res.simulated_runs = 1000;
    sample_searched(&res);
    return res;
}

/* A model that answers requests for a month. */
static inline struct plan_result sample_serving(void)
{
    static struct plan_row plans[3], front[3];
    struct plan_result res = sample_result();
    static const struct {
        const char *role, *provider, *region, *market, *gpu;
        int64_t gpus, machines, copies;
        double cost, p95, tokens;
    } of[] = {
        {"best", "aws", "us-east-1", "on-demand", "L40S", 16, 2, 4, 21740.80, 1.92, 0.412},
        {"on spot", "aws", "us-east-2", "spot", "L40S", 20, 3, 5, 9120.10, 1.99, 0.173},
        {"faster", "gcp", "us-east4", "on-demand", "H100-SXM-80GB", 8, 1, 2, 61200.55, 0.81,
         1.16},
    };

    for (size_t i = 0; i < ARRAY_LEN(of); i++) {
        struct plan_row row = sample_plan(of[i].role, of[i].provider, of[i].region,
                                          of[i].market, of[i].gpus, of[i].gpu);

        sample_money(&row, of[i].cost, 1, 1.2);
        row.hours = (struct guess){NAN, NAN, NAN};
        row.machines = of[i].machines;
        row.copies = of[i].copies;
        row.p95_s = of[i].p95;
        row.per_million_tokens = usd_about(of[i].tokens);
        row.more_usd = of[i].cost - of[0].cost;
        row.setting = STR("fp8, tensor 4, batch 32");
        row.price = AN_HOUR(15.10);
        plans[i] = row;
    }
    plans[0].offer = STR("aws/us-east-1/g6e.48xlarge");
    plans[1].risk = 0.92;
    front[0] = plans[1];
    front[1] = plans[0];
    front[2] = plans[2];
    res.name = STR("chat");
    res.kind = STR("infer");
    res.model = STR("llama-2-70b");
    res.work = STR("a month of 20 requests/s");
    res.unit = STR("month");
    res.plans = ROWS(plans);
    res.front = ROWS(front);
    sample_searched(&res);
    return res;
}

/* Three jobs in two sessions. */
static inline struct plan_result sample_sessions(void)
{
    static struct plan_slot slots[3];
    struct plan_result res = sample_result();

    slots[0] = (struct plan_slot){STR("tokenizer-ablation"),
                                  STR("gcp/us-central1/a2-ultragpu-8g"),
                                  STR("bf16, zero 1"),
                                  1,
                                  1,
                                  0,
                                  2.4,
                                  DOLLARS(97.20),
                                  {20600},
                                  85};
    slots[1] = (struct plan_slot){STR("caf\xc3\xa9-\xe6\xa8\xa1\xe5\x9e\x8b"),
                                  STR("gcp/us-central1/a2-ultragpu-8g"),
                                  STR("bf16, zero 2"),
                                  1,
                                  1,
                                  2.4,
                                  5.1,
                                  DOLLARS(109.49),
                                  {20600},
                                  85};
    slots[2] = (struct plan_slot){STR("eval"), STR("aws/us-east-1/g5.xlarge"),
                                  STR("fp16"), 2,
                                  2,           5.1,
                                  5.6,         DOLLARS(0.51),
                                  {20645},     40};
    res.name = STR("3 jobs");
    res.slots = ROWS(slots);
    res.together = DOLLARS(209.30);
    res.around = DOLLARS(2.10);
    res.alone = DOLLARS(221.85);
    sample_searched(&res);
    return res;
}

/* Two experiments, cheap trials first, with a ceiling. */
static inline struct plan_result sample_queue(void)
{
    static struct plan_stage stages[4];
    struct plan_result res = sample_result();

    stages[0] = (struct plan_stage){STR("new-optimizer"),
                                    STR("lambda/us-west-1/gpu_8x_a100:on-demand"),
                                    1,
                                    0.05,
                                    1,
                                    14.2,
                                    DOLLARS(2.10),
                                    DOLLARS(2.10),
                                    true,
                                    {20600},
                                    85};
    stages[1] = (struct plan_stage){STR("new-optimizer"),
                                    STR("lambda/us-west-1/gpu_8x_a100:on-demand"),
                                    2,
                                    0.25,
                                    0.45,
                                    9.8,
                                    DOLLARS(8.40),
                                    DOLLARS(5.88),
                                    true,
                                    {20600},
                                    85};
    stages[2] = (struct plan_stage){STR("bigger-data"),
                                    STR("aws/us-east-1/g6e.xlarge:spot"),
                                    3,
                                    0.05,
                                    1,
                                    3.1,
                                    DOLLARS(6.00),
                                    DOLLARS(11.88),
                                    true,
                                    {20600},
                                    85};
    stages[3] = (struct plan_stage){STR("new-optimizer"),
                                    STR("lambda/us-west-1/gpu_8x_a100:on-demand"),
                                    4,
                                    1,
                                    0.3,
                                    2.2,
                                    DOLLARS(31.50),
                                    DOLLARS(21.33),
                                    false,
                                    {20600},
                                    85};
    res.name = STR("2 experiments");
    res.valued = true;
    res.stages = ROWS(stages);
    sample_searched(&res);
    return res;
}

/* A search of 50 trials next to an ordinary plan. */
static inline struct plan_result sample_trials(void)
{
    struct plan_result res = sample_training();

    res.trials = (struct plan_trials){.trials = 50,
                                      .parallel = 8,
                                      .rungs = 3,
                                      .scheme = STR("asha"),
                                      .stopped = 0.88,
                                      .cost = DOLLARS(120.40),
                                      .each = DOLLARS(2.41),
                                      .hours = 3.2,
                                      .serial_hours = 19.5,
                                      .serial_cost = DOLLARS(118.02)};
    return res;
}

#endif
