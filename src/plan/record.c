#include "plan/record.h"

#include "job/choices.h"

static const char *const markets[] = {"on-demand", "spot", "reserved", "any", NULL};

static const char *const output_names[] = {"o", NULL};

static const struct field request[] = {
    FIELD(TEXTS, plan_request, jobs, .value = "JOB", .operand = true, .required = true,
          .help = "a job file, a model's name, or a number of parameters: 7B; several files "
                  "share rented machines"),
    FIELD(USD, plan_request, budget, .value = "AMOUNT", .positive = true,
          .help = "maximum cost: 50usd; when serving, per month"),
    FIELD(SPAN, plan_request, deadline, .value = "TIME", .positive = true, .hours = true,
          .help = "must finish within this time from now: 24h"),
    FIELD(CHOICE, plan_request, market, .value = "MARKET", .choices = markets,
          .help = "on-demand, spot, reserved or any (default: as the job file allows)"),
    FIELD(TEXT, plan_request, aim, .value = "AIM",
          .help = "cost, time, carbon or value, or weights: cost=0.7,time=0.3 (default: cost)"),
    FIELD(USD, plan_request, hour_worth, .value = "AMOUNT",
          .help = "worth of an hour of waiting: 50usd; implies --aim value"),
    FIELD_AS("provider", TEXTS, plan_request, providers, .value = "LIST",
             .help = "only these, such as aws,gcp; '!aws' excludes it"),
    FIELD_AS("region", TEXTS, plan_request, regions, .value = "LIST",
             .help = "only these, such as 'us-*'; '!us-*' excludes"),
    FIELD_AS("gpu", TEXTS, plan_request, gpus, .value = "LIST", .also = accelerator_options,
             .help = "only these, such as 'H100*'; '!T4' excludes"),
    FIELD(COUNT, plan_request, max_gpus, .value = "N", .positive = true,
          .help = "maximum number of GPUs"),
    FIELD(COUNT, plan_request, min_gpus, .value = "N", .positive = true,
          .help = "minimum number of GPUs"),
    FIELD(SHARE, plan_request, max_risk, .value = "SHARE",
          .help = "maximum interruption risk during the job: 20%"),
    FIELD(SHARE, plan_request, min_reliability, .value = "SHARE",
          .help = "minimum reliability of a provider: 99%"),
    FIELD(NUMBER, plan_request, max_carbon_kg, .value = "KG", .positive = true,
          .help = "maximum kg of CO2e"),
    FIELD(SPAN, plan_request, max_age, .value = "TIME", .positive = true,
          .help = "ignore prices older than this: 30d"),
    FIELD(SPAN, plan_request, within, .value = "TIME", .positive = true, .hours = true,
          .help = "find the best start within this time: 48h"),
    FIELD(TEXT, plan_request, platform, .value = "NAME",
          .help = "use a managed platform, at its price: sagemaker"),
    FIELD(TEXTS, plan_request, owned, .value = "OFFER=HOURS",
          .help = "prepaid machine-hours: aws/us-east-1/p5.48xlarge=200h"),
    FIELD(TEXTS, plan_request, supply, .value = "OFFER=N",
          .help = "machines you can get, instead of the limit assumed: vast=4"),
    FIELD(FLAG, plan_request, explain,
          .help =
              "show where the money goes, what each restriction costs and how uncertain it is"),
    FIELD(COUNT, plan_request, limit, .value = "N", .positive = true, .fallback = "6",
          .help = "rows of each table"),
    JOB_SOURCE_OPTIONS(plan_request),
    FIELD(SPAN, plan_request, session, .value = "TIME", .positive = true, .hours = true,
          .help = "several jobs: maximum length of a rented session: 8h"),
    FIELD(COUNT, plan_request, parallel, .value = "N", .positive = true,
          .help = "several jobs: maximum number of sessions at a time"),
    FIELD(FLAG, plan_request, queue, .help = "several jobs: order them by expected value"),
    FIELD(TEXT, plan_request, save, .value = "FILE.json", .output = true,
          .help = "save the plan to a file for 'stint plan recheck' and 'stint run'"),
    FIELD(TEXT, plan_request, csv, .value = "FILE.csv", .output = true,
          .help = "write the plans, the front and the naive choices to this file"),
    FIELD(TEXT, plan_request, svg, .value = "FILE.svg", .output = true,
          .help = "draw cost over time to this file"),
    FIELD(CHOICE, plan_request, write_config, .local = true, .value = "FORMAT",
          .choices = config_format_names,
          .help = "write a configuration for deepspeed, accelerate, kohya or hf-trainer, "
                  "changing the file of --base if given"),
    FIELD(TEXT, plan_request, base, .local = true, .value = "FILE",
          .help = "your configuration, for --write-config (default: a new one)"),
    FIELD(TEXT, plan_request, output, .local = true, .output = true, .value = "FILE",
          .also = output_names,
          .help = "write the configuration here and leave --base as it is, also as -o; -: "
                  "print the configuration and nothing else"),
    FIELD(FLAG, plan_request, force, .local = true,
          .help = "replace the file of --output if it exists"),
};

static const struct field row_fields[] = {
    FIELD(TEXT, plan_row, role,
          .help = "best, on spot, on demand, faster, cheaper, other GPU, no account"),
    FIELD(TEXT, plan_row, offer, .help = "provider/region/instance"),
    FIELD(TEXT, plan_row, provider, .help = "who rents it out"),
    FIELD(TEXT, plan_row, region, .help = "where"),
    FIELD(TEXT, plan_row, instance, .help = "the machine's type"),
    FIELD(TEXT, plan_row, accelerator, .help = "what it has"),
    FIELD(ENUM, plan_row, market, .names = plan_market_names,
          .help = "on-demand, spot, reserved or own"),
    FIELD(COUNT, plan_row, gpus, .help = "used, over all machines"),
    FIELD(COUNT, plan_row, rented_gpus, .help = "of all machines, used or not"),
    FIELD(COUNT, plan_row, machines, .help = "rented at once"),
    FIELD(COUNT, plan_row, copies, .help = "of a model that serves"),
    FIELD(NUMBER, plan_row, network_gbit_s,
          .help = "between the machines of one run, of each; null: one machine"),
    FIELD(TEXT, plan_row, network, .help = "its kind, or assumed"),
    FIELD(USD, plan_row, cost, .help = "expected, of the result's unit"),
    FIELD(USD, plan_row, cost_low, .help = "10th percentile"),
    FIELD(USD, plan_row, cost_high, .help = "90th percentile"),
    FIELD(RATE, plan_row, price, .help = "of one machine"),
    FIELD(DAY, plan_row, price_date, .help = "of the price"),
    FIELD(COUNT, plan_row, price_age_days, .help = "of the price"),
    FIELD(RATE, plan_row, price_low, .help = "80 % range of that price today"),
    FIELD(RATE, plan_row, price_high, .help = "80 % range of that price today"),
    FIELD(SHARE, plan_row, price_unchanged, .help = "probability that it is still the same"),
    FIELD(NUMBER, plan_row, owned_hours,
          .help = "prepaid machine-hours that it uses; null: none"),
    FIELD(FLAG, plan_row, owned_suffice, .help = "prepaid hours suffice"),
    FIELD(RECORD, plan_row, hours, .row = &guess_set, .help = "from start to end"),
    FIELD(NUMBER, plan_row, p95_s, .help = "of serving: of a request, s"),
    FIELD(NUMBER, plan_row, rate, .help = "over all GPUs"),
    FIELD(TEXT, plan_row, rate_unit, .help = "of the rate"),
    FIELD(USD, plan_row, per_million_tokens, .help = "of serving: of output tokens"),
    FIELD(NUMBER, plan_row, start_h, .help = "hours from now"),
    FIELD(TIME, plan_row, start, .help = "as a time; null: now"),
    FIELD(NUMBER, plan_row, start_saves_usd,
          .help = "over a start now, if the pattern holds; null: it starts now"),
    FIELD(NUMBER, plan_row, start_saves_kg, .help = "CO2e that it saves"),
    FIELD(NUMBER, plan_row, carbon_kg, .help = "CO2e"),
    FIELD(NUMBER, plan_row, kwh, .help = "with the building's share"),
    FIELD(SHARE, plan_row, risk,
          .help = "on spot: of an interruption during the job; when serving, per day"),
    FIELD(NUMBER, plan_row, losses, .help = "on spot: interruptions expected"),
    FIELD(SHARE, plan_row, on_time,
          .help = "chance to meet the deadline; on spot, if it runs as fast as estimated"),
    FIELD(NUMBER, plan_row, save_every_s, .help = "on spot: between two checkpoints, s"),
    FIELD(NUMBER, plan_row, overhead, .help = "on spot: time lost, a share of the work"),
    FIELD(NUMBER, plan_row, more_usd, .help = "than the best plan; negative: less"),
    FIELD(NUMBER, plan_row, more_hours, .help = "than the best plan; negative: less"),
    FIELD(TEXT, plan_row, method, .help = "full, lora or qlora"),
    FIELD(TEXT, plan_row, precision, .help = "of the products, or of the weights"),
    FIELD(TEXT, plan_row, optimizer, .help = "of training"),
    FIELD(TEXT, plan_row, recompute, .help = "of activations"),
    FIELD(TEXT, plan_row, framework, .help = "kind of software"),
    FIELD(TEXT, plan_row, step_setting, .empty_unknown = true,
          .help = "what a step does: corrections are learned for it"),
    FIELD(NUMBER, plan_row, step_s, .help = "seconds of an optimizer step"),
    FIELD(NUMBER, plan_row, board_w, .help = "watts of one GPU while it trains"),
    FIELD(NUMBER, plan_row, correction, .help = "factor on the time, learned from your runs"),
    FIELD(NUMBER, plan_row, memory_correction, .help = "the same for memory"),
    FIELD(NUMBER, plan_row, power_correction, .help = "the same for power"),
    FIELD(TEXT, plan_row, offload, .help = "of states to the machine's memory"),
    FIELD(TEXT, plan_row, weights, .help = "how frozen or served weights are stored"),
    FIELD(COUNT, plan_row, data, .help = "data parallel"),
    FIELD(COUNT, plan_row, tensor, .help = "tensor parallel"),
    FIELD(COUNT, plan_row, pipeline, .help = "pipeline stages"),
    FIELD(COUNT, plan_row, virtual_pipeline, .help = "parts of each, that take turns"),
    FIELD(COUNT, plan_row, context, .help = "context parallel"),
    FIELD(COUNT, plan_row, expert, .help = "expert parallel"),
    FIELD(COUNT, plan_row, zero, .help = "stage of ZeRO"),
    FIELD(COUNT, plan_row, shard, .help = "GPUs that ZeRO shards over"),
    FIELD(COUNT, plan_row, sequence, .help = "tokens"),
    FIELD(COUNT, plan_row, micro_batch, .help = "sequences of one GPU at a time"),
    FIELD(COUNT, plan_row, accumulation, .help = "micro-batches of a step"),
    FIELD(COUNT, plan_row, parallel_trials, .help = "of a search, at the same time"),
    FIELD(NUMBER, plan_row, global_batch, .help = "sequences of a step"),
    FIELD(NUMBER, plan_row, memory_gb, .help = "of the fullest GPU, GB"),
    FIELD(NUMBER, plan_row, memory_low_gb, .help = "10th percentile"),
    FIELD(NUMBER, plan_row, memory_high_gb,
          .help = "90th percentile; above usable_gb: it only probably fits"),
    FIELD(NUMBER, plan_row, usable_gb, .help = "of the card, GB"),
    FIELD(TEXT, plan_row, setting, .help = "in few words"),
};
const struct field_set plan_row_fields = FIELD_SET(struct plan_row, row_fields);

static const struct field deployment_fields[] = {
    FIELD(TEXT, plan_deployment, deployment,
          .help = "GPU machine, CPU machine, serverless, serverless GPU, managed endpoint, "
                  "scale to zero, hosted API, shared GPU or edge device"),
    FIELD(FLAG, plan_deployment, best, .help = "the first"),
    FIELD(TEXT, plan_deployment, condition, .empty_unknown = true,
          .help = "under which it costs this; it is then never the best; null: none"),
    FIELD(TEXT, plan_deployment, offer, .help = "provider/region/instance or product"),
    FIELD(TEXT, plan_deployment, provider, .help = "who sells it"),
    FIELD(TEXT, plan_deployment, region, .help = "where"),
    FIELD(TEXT, plan_deployment, product, .help = "the machine's type, or the product"),
    FIELD(TEXT, plan_deployment, accelerator, .empty_unknown = true, .help = "what it has"),
    FIELD(TEXT, plan_deployment, setting, .help = "in few words"),
    FIELD(USD, plan_deployment, cost, .help = "of a month of 30 days"),
    FIELD(USD, plan_deployment, cost_low, .help = "10th percentile"),
    FIELD(USD, plan_deployment, cost_high, .help = "90th percentile"),
    FIELD(USD, plan_deployment, per_million_requests, .help = "cost of a million requests"),
    FIELD(USD, plan_deployment, requests_usd, .help = "of the cost, fees of requests"),
    FIELD(USD, plan_deployment, memory_usd, .help = "of the cost, memory"),
    FIELD(USD, plan_deployment, vcpu_usd, .help = "of the cost, vCPUs"),
    FIELD(USD, plan_deployment, gpu_usd, .help = "of the cost, GPUs"),
    FIELD(NUMBER, plan_deployment, billed_s, .help = "seconds of instances that are billed"),
    FIELD(USD, plan_deployment, free_saves,
          .help = "what the free amounts of an account would pay; not counted in the cost"),
    FIELD(NUMBER, plan_deployment, p95_s, .help = "of a request, cold starts included, s"),
    FIELD(NUMBER, plan_deployment, p95_low_s, .help = "10th percentile"),
    FIELD(NUMBER, plan_deployment, p95_high_s,
          .help = "90th percentile; null: so slow, it would not keep up"),
    FIELD(NUMBER, plan_deployment, request_s, .help = "of a request that waits for nothing, s"),
    FIELD(NUMBER, plan_deployment, cold_start_s, .help = "null: it is always up"),
    FIELD(NUMBER, plan_deployment, idle_timeout_s, .help = "without a request, until it stops"),
    FIELD(SHARE, plan_deployment, cold_share, .help = "of requests that start an instance"),
    FIELD(SHARE, plan_deployment, delayed_share, .help = "of requests that wait for a start"),
    FIELD(NUMBER, plan_deployment, instances, .help = "up, on average"),
    FIELD(COUNT, plan_deployment, machines, .help = "rented; null: paid by use"),
    FIELD(SHARE, plan_deployment, busy, .help = "of the time that they are up"),
    FIELD(NUMBER, plan_deployment, vcpus, .help = "of an instance"),
    FIELD(NUMBER, plan_deployment, memory_gb, .help = "of an instance, GiB"),
    FIELD(RATE, plan_deployment, price, .help = "of one machine; null: paid by use"),
    FIELD(NUMBER, plan_deployment, markup,
          .help = "of a managed platform, on top of the price"),
    FIELD(DAY, plan_deployment, price_date, .help = "of the price"),
    FIELD(COUNT, plan_deployment, price_age_days, .help = "of the price"),
    FIELD(TEXT, plan_deployment, source, .empty_unknown = true, .help = "of the price"),
    FIELD(TEXT, plan_deployment, basis, .empty_unknown = true,
          .help = "how well start, idle time and limits are known"),
    FIELD(NUMBER, plan_deployment, more_usd, .help = "than the best"),
    FIELD(NUMBER, plan_deployment, cheaper_below,
          .help = "requests/s below which it costs less than the best; null: it never does"),
    FIELD(NUMBER, plan_deployment, cheaper_above, .help = "the same above"),
};
const struct field_set plan_deployment_fields =
    FIELD_SET(struct plan_deployment, deployment_fields);

static const struct field volume_fields[] = {
    FIELD(TEXT, plan_volume, deployment, .help = "the cheapest"),
    FIELD(TEXT, plan_volume, offer,
          .help = "provider/region/instance or product, at the lowest of these rates"),
    FIELD(NUMBER, plan_volume, from_rate, .help = "requests/s; null: from the lowest on"),
    FIELD(NUMBER, plan_volume, to_rate, .help = "requests/s; null: up to the highest"),
    FIELD(NUMBER, plan_volume, from_month, .help = "requests a month"),
    FIELD(NUMBER, plan_volume, to_month, .help = "requests a month"),
};
const struct field_set plan_volume_fields = FIELD_SET(struct plan_volume, volume_fields);

static const struct field excluded_fields[] = {
    FIELD(TEXT, plan_excluded, deployment, .help = "kind of deployment"),
    FIELD(TEXT, plan_excluded, offer, .help = "provider/region/instance or product"),
    FIELD(TEXT, plan_excluded, reason, .help = "why it cannot be used"),
};
const struct field_set plan_excluded_fields = FIELD_SET(struct plan_excluded, excluded_fields);

static const struct field line_fields[] = {
    FIELD(TEXT, plan_line, name, .help = "what it is for"),
    FIELD(USD, plan_line, amount, .help = "expected"),
    FIELD(SHARE, plan_line, share, .help = "of the total"),
    FIELD(NUMBER, plan_line, hours, .help = "of the clock that it takes"),
};
static const struct field_set line_set = FIELD_SET(struct plan_line, line_fields);

static const struct field restriction_fields[] = {
    FIELD(TEXT, plan_restriction, name, .help = "what is asked for"),
    FIELD(TEXT, plan_restriction, change, .help = "how it would be lifted"),
    FIELD(USD, plan_restriction, cost, .help = "of the best plan without it"),
    FIELD(USD, plan_restriction, saves, .help = "against the best plan with it"),
    FIELD(TEXT, plan_restriction, offer, .help = "provider/region/instance of that plan"),
};
static const struct field_set restriction_set =
    FIELD_SET(struct plan_restriction, restriction_fields);

static const struct field thumb_fields[] = {
    FIELD(TEXT, plan_thumb, rule, .help = "the rule"),
    FIELD(TEXT, plan_thumb, verdict, .help = "agrees, disagrees or does not apply"),
    FIELD(TEXT, plan_thumb, effect, .help = "of following it, on this job"),
};
static const struct field_set thumb_set = FIELD_SET(struct plan_thumb, thumb_fields);

static const struct field slot_fields[] = {
    FIELD(TEXT, plan_slot, job, .help = "its name"),
    FIELD(TEXT, plan_slot, offer, .help = "provider/region/instance"),
    FIELD(TEXT, plan_slot, setting, .help = "in few words"),
    FIELD(COUNT, plan_slot, session, .help = "its number, from 1"),
    FIELD(COUNT, plan_slot, machines, .help = "of the session"),
    FIELD(NUMBER, plan_slot, start_h, .help = "hours from now"),
    FIELD(NUMBER, plan_slot, end_h, .help = "hours from now"),
    FIELD(USD, plan_slot, cost, .help = "of this job in the session"),
};
static const struct field_set slot_set = FIELD_SET(struct plan_slot, slot_fields);

static const struct field stage_fields[] = {
    FIELD(TEXT, plan_stage, job, .help = "its name"),
    FIELD(TEXT, plan_stage, offer, .help = "provider/region/instance:market of its best plan"),
    FIELD(COUNT, plan_stage, order, .help = "from 1"),
    FIELD(SHARE, plan_stage, share, .help = "of the data"),
    FIELD(SHARE, plan_stage, chance, .help = "that it is reached"),
    FIELD(NUMBER, plan_stage, worth, .help = "expected value over expected cost"),
    FIELD(USD, plan_stage, cost, .help = "of this stage alone"),
    FIELD(USD, plan_stage, spent, .help = "expected, up to and with this stage"),
    FIELD(FLAG, plan_stage, affordable, .help = "within the budget"),
};
static const struct field_set stage_set = FIELD_SET(struct plan_stage, stage_fields);

static const struct field trials_fields[] = {
    FIELD(COUNT, plan_trials, trials, .help = "settings that are tried"),
    FIELD(COUNT, plan_trials, parallel, .help = "at the same time"),
    FIELD(COUNT, plan_trials, rungs, .help = "at which trials are stopped"),
    FIELD(TEXT, plan_trials, scheme, .help = "grid, random or asha"),
    FIELD(SHARE, plan_trials, stopped, .help = "of the trials, early"),
    FIELD(USD, plan_trials, cost, .help = "of all trials"),
    FIELD(USD, plan_trials, each, .help = "of one trial, on average"),
    FIELD(NUMBER, plan_trials, hours, .help = "until the last ends"),
    FIELD(NUMBER, plan_trials, serial_hours, .help = "one trial at a time"),
    FIELD(USD, plan_trials, serial_cost, .help = "one trial at a time"),
};
static const struct field_set trials_set = FIELD_SET(struct plan_trials, trials_fields);

#define PLATFORM(kind, member, text) FIELD(kind, plan_platform, member, .help = (text))

static const struct field platform_fields[] = {
    PLATFORM(TEXT, name, "of the platform, or plain machine"),
    PLATFORM(FLAG, asked, "--platform names it"),
    PLATFORM(USD, cost, "of the best plan on it"),
    PLATFORM(USD, plain, "of the best plan on plain machines of the same clouds"),
    PLATFORM(USD, more, "than that"),
    PLATFORM(SHARE, markup, "on top of the machine's price"),
    PLATFORM(NUMBER, hours, "from start to end"),
    PLATFORM(TEXT, provider, "of the machine"),
    PLATFORM(TEXT, offer, "the machine"),
    PLATFORM(TEXT, accelerator, "in it"),
    PLATFORM(COUNT, gpus, "that are used"),
    PLATFORM(RATE, price, "of a machine, with the markup"),
    PLATFORM(RATE, notebook_low, "of the smallest notebook"),
    PLATFORM(RATE, notebook_high, "of the largest notebook"),
    PLATFORM(TEXT, includes, "what it pays for besides machines"),
};

static const struct field_set platform_set = FIELD_SET(struct plan_platform, platform_fields);

static const struct field result[] = {
    FIELD(TEXT, plan_result, name, .help = "of the job"),
    FIELD(TEXT, plan_result, kind, .help = "train or infer"),
    FIELD(TEXT, plan_result, model, .help = "its name"),
    FIELD(TEXT, plan_result, work, .help = "how much"),
    FIELD(TEXT, plan_result, unit, .help = "of cost: job, month or million (output) tokens"),
    FIELD(TEXT, plan_result, aim, .help = "what counts"),
    FIELD(FLAG, plan_result, experiment, .help = "the job has an experiment section"),
    FIELD(FLAG, plan_result, explain, .help = "was asked for"),
    FIELD(DAY, plan_result, prices_from, .help = "the oldest price"),
    FIELD(DAY, plan_result, prices_to, .help = "the newest price"),
    FIELD(LIST, plan_result, plans, .row = &plan_row_fields,
          .help = "the best first, then alternatives"),
    FIELD(LIST, plan_result, front, .row = &plan_row_fields,
          .help = "plans that no other beats in cost and time at once, cheapest first"),
    FIELD(LIST, plan_result, deployments, .row = &plan_deployment_fields,
          .help =
              "of serving at a rate: ways to deploy, the best first; plans are GPU machines"),
    FIELD(LIST, plan_result, volumes, .row = &plan_volume_fields,
          .help = "which deployment is cheapest at which rate"),
    FIELD(LIST, plan_result, excluded, .row = &plan_excluded_fields,
          .help = "ways to deploy that cannot be used"),
    FIELD(LIST, plan_result, platforms, .row = &platform_set,
          .help = "with --platform: managed platforms and plain machines, the cheapest first"),
    FIELD(LIST, plan_result, money, .row = &line_set, .help = "where it goes, of the best"),
    FIELD(LIST, plan_result, restrictions, .row = &restriction_set, .help = "what each costs"),
    FIELD(LIST, plan_result, rules, .row = &thumb_set, .help = "of thumb, computed"),
    FIELD(LIST, plan_result, naive, .row = &plan_row_fields,
          .help = "what others would take, for comparison"),
    FIELD(RECORD, plan_result, trials, .row = &trials_set, .help = "a search, if there is one"),
    FIELD(LIST, plan_result, slots, .row = &slot_set, .help = "several jobs: what runs when"),
    FIELD(LIST, plan_result, stages, .row = &stage_set, .help = "of the queue, in order"),
    FIELD(FLAG, plan_result, valued,
          .help = "worth is value per dollar; else improvement per dollar"),
    FIELD(USD, plan_result, together, .help = "several jobs: in shared sessions"),
    FIELD(USD, plan_result, around, .help = "of together: setup, and billed but unused time"),
    FIELD(USD, plan_result, alone, .help = "several jobs: each in a session of its own"),
    FIELD(TEXT, plan_result, start_why, .help = "why another hour is better"),
    FIELD(NUMBER, plan_result, deadline_h, .help = "hours from now; null: none is set"),
    FIELD(USD, plan_result, hour_worth, .help = "of an hour of waiting"),
    FIELD(USD, plan_result, time_worth,
          .help = "of the hours that the best plan saves over the cheapest"),
    FIELD(USD, plan_result, simulated, .help = "on spot: average cost of the simulated runs"),
    FIELD(USD, plan_result, simulated_low, .help = "10th percentile"),
    FIELD(USD, plan_result, simulated_high, .help = "90th percentile"),
    FIELD(NUMBER, plan_result, simulated_hours, .help = "until done, in half of the runs"),
    FIELD(SHARE, plan_result, simulated_on_time, .help = "of the simulated runs"),
    FIELD(COUNT, plan_result, simulated_runs, .help = "how many"),
    FIELD(COUNT, plan_result, places, .help = "offers x markets that were searched"),
    FIELD(COUNT, plan_result, offers, .help = "machines among them"),
    FIELD(COUNT, plan_result, settings, .help = "that were computed"),
    FIELD(COUNT, plan_result, pruned, .help = "that a bound ruled out"),
    FIELD(NUMBER, plan_result, search_ms, .help = "by the clock"),
    FIELD(TEXT, plan_result, constants, .help = "version of the estimator's constants"),
    FIELD(TEXTS, plan_result, notes, .help = "what was assumed"),
    FIELD(TEXTS, plan_result, not_used,
          .help = "keys of the configuration that may change the cost and were not used"),
    FIELD(TEXT, plan_result, job_text, .help = "the job's file as it was read"),
    FIELD(RECORD, plan_result, asked, .row = &plan_request_fields,
          .help = "the request, so that it can be planned again"),
    FIELD(TEXT, plan_result, saved, .help = "file that was written"),
    FIELD(TEXT, plan_result, diff, .help = "what --write-config changed"),
    FIELD(TEXT, plan_result, configuration, .help = "what --write-config made, complete"),
    FIELD(TEXT, plan_result, written, .help = "file of --output that it was written to"),
};

const struct field_set plan_request_fields = FIELD_SET(struct plan_request, request);
const struct field_set plan_result_fields = FIELD_SET(struct plan_result, result);

usd plan_result_cost(const struct plan_result *res)
{
    if (res->deployments.len > 0)
        return ((const struct plan_deployment *)res->deployments.at)->cost;
    return res->plans.len > 0 ? ((const struct plan_row *)res->plans.at)->cost : USD_UNKNOWN;
}

struct str plan_row_market(const struct plan_row *row)
{
    bool known = (int)row->market >= 0 && row->market < PLAN_MARKETS;

    return known ? str_from(plan_market_names[row->market]) : (struct str){0};
}
