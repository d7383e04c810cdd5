/* The result of estimate, as fields. */
#include "op/estimate/estimate_work.h"

static const struct field part_fields[] = {
    FIELD(TEXT, estimate_part, name, .help = "of the part"),
    FIELD(NUMBER, estimate_part, amount, .help = "GB of memory, or seconds of a step"),
    FIELD(NUMBER, estimate_part, share, .help = "of the whole"),
    FIELD(TEXT, estimate_part, help, .help = "what it is"),
};
static const struct field_set part_set = FIELD_SET(struct estimate_part, part_fields);

static const struct field line_fields[] = {
    FIELD(TEXT, estimate_line, name, .help = "what it is for"),
    FIELD(USD, estimate_line, amount, .help = "expected"),
    FIELD(NUMBER, estimate_line, hours, .help = "of the clock that it takes"),
};
static const struct field_set line_set = FIELD_SET(struct estimate_line, line_fields);

static const struct field sweep_fields[] = {
    FIELD(TEXT, estimate_sweep, value, .help = "of the key"),
    FIELD(FLAG, estimate_sweep, fits, .help = "the memory of the card"),
    FIELD(TEXT, estimate_sweep, why, .help = "it cannot be done"),
    FIELD(NUMBER, estimate_sweep, memory_gb, .help = "of the fullest GPU"),
    FIELD(NUMBER, estimate_sweep, step_s, .help = "seconds"),
    FIELD(NUMBER, estimate_sweep, rate, .help = "tokens or samples a second, all GPUs"),
    FIELD(NUMBER, estimate_sweep, hours, .help = "of the whole job"),
    FIELD(USD, estimate_sweep, cost, .help = "of the whole job"),
    FIELD(TEXT, estimate_sweep, setting, .help = "what was chosen for the rest"),
};
static const struct field_set sweep_set = FIELD_SET(struct estimate_sweep, sweep_fields);

static const struct field formula_fields[] = {
    FIELD(TEXT, estimate_formula, name, .help = "of the quantity"),
    FIELD(TEXT, estimate_formula, formula, .help = "in words"),
    FIELD(TEXT, estimate_formula, numbers, .help = "the same with its numbers"),
    FIELD(NUMBER, estimate_formula, value, .help = "what it comes to"),
    FIELD(TEXT, estimate_formula, unit, .help = "of the value"),
};
static const struct field_set formula_set = FIELD_SET(struct estimate_formula, formula_fields);

#define GUESS(member, text) \
    FIELD(RECORD, estimate_result, member, .row = &guess_set, .help = (text))

static const struct field result[] = {
    FIELD(TEXT, estimate_result, name, .help = "of the job"),
    FIELD(TEXT, estimate_result, kind, .help = "train or infer"),
    FIELD(TEXT, estimate_result, model, .help = "its name"),
    FIELD(NUMBER, estimate_result, params, .help = "parameters"),
    FIELD(NUMBER, estimate_result, active_params, .help = "that a token meets"),
    FIELD(NUMBER, estimate_result, trained_params, .help = "that are trained"),
    FIELD(FLAG, estimate_result, assumed, .help = "the model's shape is a guess from its size"),
    FIELD(TEXT, estimate_result, method, .help = "full, lora or qlora"),
    FIELD(TEXT, estimate_result, precision, .help = "of the products, or of the weights"),
    FIELD(TEXT, estimate_result, optimizer, .help = "of training"),
    FIELD(TEXT, estimate_result, recompute, .help = "of activations"),
    FIELD(TEXT, estimate_result, framework, .help = "kind of software"),
    FIELD(TEXT, estimate_result, offload, .help = "of states to the machine's memory"),
    FIELD(TEXT, estimate_result, accelerator, .help = "on what"),
    FIELD(COUNT, estimate_result, gpus, .help = "how many"),
    FIELD(COUNT, estimate_result, nodes, .help = "machines that hold them"),
    FIELD(COUNT, estimate_result, data, .help = "data parallel"),
    FIELD(COUNT, estimate_result, tensor, .help = "tensor parallel"),
    FIELD(COUNT, estimate_result, pipeline, .help = "pipeline stages"),
    FIELD(COUNT, estimate_result, context, .help = "context parallel"),
    FIELD(COUNT, estimate_result, expert, .help = "expert parallel"),
    FIELD(COUNT, estimate_result, zero, .help = "stage of ZeRO"),
    FIELD(COUNT, estimate_result, sequence, .help = "tokens"),
    FIELD(COUNT, estimate_result, micro_batch, .help = "sequences of one GPU at a time"),
    FIELD(COUNT, estimate_result, accumulation, .help = "micro-batches of a step"),
    FIELD(NUMBER, estimate_result, global_batch, .help = "sequences of a step"),
    FIELD(FLAG, estimate_result, fits, .help = "the memory of the card"),
    FIELD(FLAG, estimate_result, tight, .help = "it fits, but not surely"),
    FIELD(NUMBER, estimate_result, usable_gb, .help = "of the card, GB"),
    FIELD(NUMBER, estimate_result, memory_gb, .help = "of the fullest GPU, GB"),
    FIELD(NUMBER, estimate_result, memory_low_gb, .help = "10th percentile"),
    FIELD(NUMBER, estimate_result, memory_high_gb, .help = "90th percentile"),
    FIELD(LIST, estimate_result, memory, .row = &part_set, .help = "where it goes"),
    FIELD(NUMBER, estimate_result, host_gb, .help = "in a machine's memory, GB"),
    FIELD(NUMBER, estimate_result, host_usable_gb, .help = "that the machine has, GB"),
    GUESS(step_s, "one optimizer step, s"),
    FIELD(LIST, estimate_result, step, .row = &part_set, .help = "where it goes"),
    GUESS(rate, "all GPUs"),
    FIELD(TEXT, estimate_result, rate_unit, .help = "of the rate"),
    FIELD(NUMBER, estimate_result, mfu,
          .help = "share of the peak that the model makes use of"),
    FIELD(NUMBER, estimate_result, steps, .help = "of the whole job"),
    FIELD(NUMBER, estimate_result, tokens, .help = "or samples, of the whole job"),
    FIELD(NUMBER, estimate_result, epochs, .help = "through the data"),
    GUESS(hours, "of training"),
    FIELD(NUMBER, estimate_result, wall_hours,
          .help = "with set-up, moving data, evaluation, ..."),
    GUESS(prefill_s, "to the first token of one request, s"),
    GUESS(decode_s, "one token, s"),
    GUESS(request_s, "a whole batch, s"),
    FIELD(NUMBER, estimate_result, max_batch, .help = "requests that fit"),
    FIELD(NUMBER, estimate_result, max_context, .help = "tokens of one request that fit"),
    FIELD(NUMBER, estimate_result, utilisation, .help = "of one replica at the rate"),
    FIELD(NUMBER, estimate_result, replicas, .help = "that the rate needs"),
    FIELD(NUMBER, estimate_result, p50_s, .help = "a request, s"),
    FIELD(NUMBER, estimate_result, p95_s, .help = "a request, s"),
    FIELD(NUMBER, estimate_result, p99_s, .help = "a request, s"),
    FIELD(NUMBER, estimate_result, first_p95_s, .help = "to the first token, s"),
    GUESS(usd_per_million_tokens, "output, at this batch"),
    GUESS(usd_per_thousand, "a thousand requests"),
    FIELD(NUMBER, estimate_result, watts, .help = "of one machine at the wall"),
    GUESS(energy_kwh, "with the building's share"),
    GUESS(carbon_kg, "CO2e"),
    FIELD(NUMBER, estimate_result, pue, .help = "of the building"),
    FIELD(NUMBER, estimate_result, carbon_g_kwh, .help = "of the region"),
    FIELD(TEXT, estimate_result, region, .help = "whose power"),
    FIELD(TEXTS, estimate_result, equivalents, .help = "of the carbon"),
    FIELD(TEXTS, estimate_result, equivalent_sources, .help = "where each is from"),
    FIELD(USD, estimate_result, offset_low, .help = "an offset that avoids as much elsewhere"),
    FIELD(USD, estimate_result, offset_high,
          .help = "one that takes it out of the air for good"),
    FIELD(TEXT, estimate_result, offer, .help = "provider/region/instance"),
    FIELD(TEXT, estimate_result, market, .help = "of the price"),
    FIELD(RATE, estimate_result, price, .help = "of one machine"),
    FIELD(COUNT, estimate_result, machines, .help = "rented"),
    FIELD(DAY, estimate_result, price_date, .help = "of the price"),
    FIELD(COUNT, estimate_result, price_age_days, .help = "of the price"),
    FIELD(LIST, estimate_result, cost, .row = &line_set, .help = "line by line"),
    FIELD(USD, estimate_result, total, .help = "expected"),
    FIELD(USD, estimate_result, total_low, .help = "10th percentile"),
    FIELD(USD, estimate_result, total_high, .help = "90th percentile"),
    FIELD(TEXTS, estimate_result, notes, .help = "what was assumed"),
    FIELD(TEXT, estimate_result, sweep_key, .help = "that was changed"),
    FIELD(LIST, estimate_result, sweep, .row = &sweep_set, .help = "a row for each value"),
    FIELD(LIST, estimate_result, formulas, .row = &formula_set, .help = "how it was computed"),
};

const struct field_set estimate_result_fields = FIELD_SET(struct estimate_result, result);
