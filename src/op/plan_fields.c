/* The options of plan, and what it answers, as tables. */
#include "generate/config.h"
#include "op/plan.h"

static const char *const markets[] = {"on-demand", "spot", "reserved", "any", NULL};

static const struct field request[] = {
    FIELD(TEXTS, plan_request, jobs, .value = "JOB", .operand = true, .required = true,
          .help = "a job file, a model's name, or a number of parameters: 7B; several files "
                  "share rented machines"),
    FIELD(USD, plan_request, budget, .value = "AMOUNT", .positive = true,
          .help = "it may cost at most so much: 50usd; when serving, a month"),
    FIELD(SPAN, plan_request, deadline, .value = "TIME", .positive = true, .hours = true,
          .help = "it must be done within this time from now: 24h"),
    FIELD(CHOICE, plan_request, market, .value = "MARKET", .choices = markets,
          .help = "on-demand, spot, reserved or any; without it, what the job file allows"),
    FIELD(TEXT, plan_request, aim, .value = "AIM",
          .help = "cost, time, carbon or value, or weights: cost=0.7,time=0.3 (default: cost)"),
    FIELD(USD, plan_request, hour_worth, .value = "AMOUNT",
          .help = "an hour of waiting costs you so much: 50usd; aims at value"),
    FIELD_AS("provider", TEXTS, plan_request, providers, .value = "LIST",
             .help = "only these, such as aws,gcp; '!aws' is all but it"),
    FIELD_AS("region", TEXTS, plan_request, regions, .value = "LIST",
             .help = "only these; 'us-*' matches, '!us-*' denies"),
    FIELD_AS("gpu", TEXTS, plan_request, gpus, .value = "LIST",
             .help = "only these; 'H100*' matches, '!T4' denies"),
    FIELD(COUNT, plan_request, max_gpus, .value = "N", .positive = true,
          .help = "at most so many GPUs in all"),
    FIELD(COUNT, plan_request, min_gpus, .value = "N", .positive = true,
          .help = "at least so many"),
    FIELD(SHARE, plan_request, max_risk, .value = "SHARE",
          .help = "at most this chance to lose a machine during the job: 20%"),
    FIELD(SHARE, plan_request, min_reliability, .value = "SHARE",
          .help = "of a provider, at least: 99%"),
    FIELD(NUMBER, plan_request, max_carbon_kg, .value = "KG", .positive = true,
          .help = "at most so many kg of CO2e"),
    FIELD(SPAN, plan_request, max_age, .value = "TIME", .positive = true,
          .help = "no prices older than this: 30d"),
    FIELD(SPAN, plan_request, within, .value = "TIME", .positive = true, .hours = true,
          .help = "it may start at any time within this: 48h finds the best start"),
    FIELD(TEXT, plan_request, platform, .value = "NAME",
          .help = "through a managed platform, at its price: sagemaker"),
    FIELD(TEXTS, plan_request, owned, .value = "OFFER=HOURS",
          .help = "machine-hours that are paid for: aws/us-east-1/p5.48xlarge=200h"),
    FIELD(FLAG, plan_request, explain,
          .help =
              "where the money goes, what each restriction costs, rules of thumb, how sure"),
    FIELD(COUNT, plan_request, limit, .value = "N", .positive = true, .fallback = "6",
          .help = "rows of each table"),
    FIELD(TEXTS, plan_request, set, .value = "KEY=VALUE",
          .help = "change a key of the job: parallel.zero=3, batch=8"),
    FIELD(TEXT, plan_request, deepspeed, .value = "FILE",
          .help = "take batch, precision, ZeRO and optimizer from a DeepSpeed configuration"),
    FIELD(FLAG, plan_request, serve, .help = "serve the model that is named, not train it"),
    FIELD(TEXT, plan_request, method, .value = "M", .help = "full, lora or qlora"),
    FIELD(TEXT, plan_request, tokens, .value = "N", .help = "of the data: 25M, 1.5T"),
    FIELD(TEXT, plan_request, examples, .value = "N", .help = "of the data, or images"),
    FIELD(TEXT, plan_request, epochs, .value = "N", .help = "through the data"),
    FIELD(TEXT, plan_request, sequence, .value = "N", .help = "tokens of a sequence"),
    FIELD(TEXT, plan_request, batch, .value = "N", .help = "sequences of one GPU at a time"),
    FIELD(TEXT, plan_request, precision, .value = "P", .help = "bf16, fp8, ..."),
    FIELD(SPAN, plan_request, session, .value = "TIME", .positive = true, .hours = true,
          .help = "several jobs: a rented session lasts at most so long: 8h"),
    FIELD(COUNT, plan_request, parallel, .value = "N", .positive = true,
          .help = "several jobs: at most so many sessions at the same time"),
    FIELD(FLAG, plan_request, queue,
          .help = "several jobs: order them by what they are worth, cheap trials first"),
    FIELD(TEXT, plan_request, save, .value = "FILE.json",
          .help = "keep the plan, for 'stint plan recheck'"),
    FIELD(TEXT, plan_request, csv, .value = "FILE.csv",
          .help = "write the plans, the front and the naive choices to this file"),
    FIELD(CHOICE, plan_request, write_config, .value = "FORMAT", .choices = config_format_names,
          .help = "a configuration with what was chosen, for deepspeed, accelerate, kohya or "
                  "hf-trainer, and what it changes in --base"),
    FIELD(TEXT, plan_request, base, .value = "FILE",
          .help = "your own configuration, for --write-config; without it, a new one"),
};

static const struct field guess_fields[] = {
    FIELD(NUMBER, guess, value, .help = "expected"),
    FIELD(NUMBER, guess, low, .help = "10th percentile"),
    FIELD(NUMBER, guess, high, .help = "90th percentile"),
};
static const struct field_set guess_set = FIELD_SET(struct guess, guess_fields);

static const struct field row_fields[] = {
    FIELD(TEXT, plan_row, role,
          .help = "best, on spot, on demand, faster, cheaper, other GPU, no account"),
    FIELD(TEXT, plan_row, offer, .help = "provider/region/instance"),
    FIELD(TEXT, plan_row, provider, .help = "who rents it out"),
    FIELD(TEXT, plan_row, region, .help = "where"),
    FIELD(TEXT, plan_row, instance, .help = "the machine's type"),
    FIELD(TEXT, plan_row, accelerator, .help = "what it has"),
    FIELD(TEXT, plan_row, market, .help = "on-demand, spot, reserved or own"),
    FIELD(COUNT, plan_row, gpus, .help = "used, over all machines"),
    FIELD(COUNT, plan_row, machines, .help = "rented at once"),
    FIELD(COUNT, plan_row, copies, .help = "of a model that serves"),
    FIELD(USD, plan_row, cost, .help = "expected, of the result's unit"),
    FIELD(USD, plan_row, cost_low, .help = "10th percentile"),
    FIELD(USD, plan_row, cost_high, .help = "90th percentile"),
    FIELD(RATE, plan_row, price, .help = "of one machine"),
    FIELD(DAY, plan_row, price_date, .help = "of the price"),
    FIELD(COUNT, plan_row, price_age_days, .help = "of the price"),
    FIELD(RECORD, plan_row, hours, .row = &guess_set, .help = "from start to end"),
    FIELD(NUMBER, plan_row, p95_s, .help = "of serving: of a request, s"),
    FIELD(NUMBER, plan_row, rate, .help = "over all GPUs"),
    FIELD(TEXT, plan_row, rate_unit, .help = "of the rate"),
    FIELD(USD, plan_row, per_million_tokens, .help = "of serving"),
    FIELD(NUMBER, plan_row, start_h, .help = "hours from now"),
    FIELD(TEXT, plan_row, start, .help = "as a time; null: now"),
    FIELD(NUMBER, plan_row, carbon_kg, .help = "CO2e"),
    FIELD(NUMBER, plan_row, kwh, .help = "with the building's share"),
    FIELD(SHARE, plan_row, risk, .help = "on spot: to lose a machine during the job"),
    FIELD(NUMBER, plan_row, losses, .help = "on spot: of machines, expected"),
    FIELD(SHARE, plan_row, on_time, .help = "on spot: the chance to keep the deadline"),
    FIELD(NUMBER, plan_row, save_every_s, .help = "on spot: between two checkpoints, s"),
    FIELD(NUMBER, plan_row, overhead, .help = "on spot: time lost, a share of the work"),
    FIELD(NUMBER, plan_row, more_usd, .help = "than the best plan; negative: less"),
    FIELD(NUMBER, plan_row, more_hours, .help = "than the best plan; negative: less"),
    FIELD(TEXT, plan_row, method, .help = "full, lora or qlora"),
    FIELD(TEXT, plan_row, precision, .help = "of the products, or of the weights"),
    FIELD(TEXT, plan_row, optimizer, .help = "of training"),
    FIELD(TEXT, plan_row, recompute, .help = "of activations"),
    FIELD(TEXT, plan_row, framework, .help = "kind of software"),
    FIELD(TEXT, plan_row, offload, .help = "of states to the machine's memory"),
    FIELD(TEXT, plan_row, weights, .help = "how frozen or served weights are stored"),
    FIELD(COUNT, plan_row, data, .help = "data parallel"),
    FIELD(COUNT, plan_row, tensor, .help = "tensor parallel"),
    FIELD(COUNT, plan_row, pipeline, .help = "pipeline stages"),
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
    FIELD(NUMBER, plan_row, usable_gb, .help = "of the card, GB"),
    FIELD(TEXT, plan_row, setting, .help = "in few words"),
};
const struct field_set plan_row_fields = FIELD_SET(struct plan_row, row_fields);

static const struct field line_fields[] = {
    FIELD(TEXT, plan_line, name, .help = "what it is for"),
    FIELD(USD, plan_line, amount, .help = "expected"),
    FIELD(SHARE, plan_line, share, .help = "of the whole"),
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
    FIELD(TEXT, plan_thumb, rule, .help = "what people say"),
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
    FIELD(USD, plan_trials, each, .help = "of one trial, in the mean"),
    FIELD(NUMBER, plan_trials, hours, .help = "until the last ends"),
    FIELD(NUMBER, plan_trials, serial_hours, .help = "one trial at a time"),
    FIELD(USD, plan_trials, serial_cost, .help = "one trial at a time"),
};
static const struct field_set trials_set = FIELD_SET(struct plan_trials, trials_fields);

static const struct field result[] = {
    FIELD(TEXT, plan_result, name, .help = "of the job"),
    FIELD(TEXT, plan_result, kind, .help = "train or infer"),
    FIELD(TEXT, plan_result, model, .help = "its name"),
    FIELD(TEXT, plan_result, work, .help = "how much"),
    FIELD(TEXT, plan_result, unit, .help = "of cost: job, month or million tokens"),
    FIELD(TEXT, plan_result, aim, .help = "what counts"),
    FIELD(FLAG, plan_result, explain, .help = "was asked for"),
    FIELD(DAY, plan_result, prices_from, .help = "the oldest price"),
    FIELD(DAY, plan_result, prices_to, .help = "the newest price"),
    FIELD(LIST, plan_result, plans, .row = &plan_row_fields,
          .help = "the best first, then what stands beside it"),
    FIELD(LIST, plan_result, front, .row = &plan_row_fields,
          .help = "plans that no other beats in cost and time at once, cheapest first"),
    FIELD(LIST, plan_result, money, .row = &line_set, .help = "where it goes, of the best"),
    FIELD(LIST, plan_result, restrictions, .row = &restriction_set,
          .help = "what each costs; without a plan, what would give one"),
    FIELD(LIST, plan_result, rules, .row = &thumb_set, .help = "of thumb, computed"),
    FIELD(LIST, plan_result, naive, .row = &plan_row_fields,
          .help = "what others would take, for comparison"),
    FIELD(RECORD, plan_result, trials, .row = &trials_set, .help = "a search, if there is one"),
    FIELD(LIST, plan_result, slots, .row = &slot_set, .help = "several jobs: what runs when"),
    FIELD(LIST, plan_result, stages, .row = &stage_set, .help = "of the queue, in order"),
    FIELD(USD, plan_result, together, .help = "several jobs: in shared sessions"),
    FIELD(USD, plan_result, alone, .help = "several jobs: each in a session of its own"),
    FIELD(USD, plan_result, hour_worth, .help = "of an hour of waiting"),
    FIELD(USD, plan_result, time_worth,
          .help = "of the hours that the best plan saves against the cheapest"),
    FIELD(USD, plan_result, simulated, .help = "on spot: mean cost of the simulated runs"),
    FIELD(USD, plan_result, simulated_low, .help = "10th percentile"),
    FIELD(USD, plan_result, simulated_high, .help = "90th percentile"),
    FIELD(SHARE, plan_result, simulated_on_time, .help = "of the simulated runs"),
    FIELD(COUNT, plan_result, simulated_runs, .help = "how many"),
    FIELD(COUNT, plan_result, places, .help = "offers x markets that were looked at"),
    FIELD(COUNT, plan_result, offers, .help = "machines among them"),
    FIELD(COUNT, plan_result, settings, .help = "that were computed"),
    FIELD(COUNT, plan_result, pruned, .help = "that a bound ruled out"),
    FIELD(NUMBER, plan_result, search_ms, .help = "by the clock"),
    FIELD(TEXTS, plan_result, notes, .help = "what was assumed"),
    FIELD(TEXT, plan_result, job_text, .help = "the job as it was read"),
    FIELD(TEXT, plan_result, saved, .help = "file that was written"),
    FIELD(TEXT, plan_result, diff, .help = "what --write-config changed"),
};

const struct field_set plan_request_fields = FIELD_SET(struct plan_request, request);
const struct field_set plan_result_fields = FIELD_SET(struct plan_result, result);
