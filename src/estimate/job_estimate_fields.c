/* An estimate as fields. */
#include "estimate/job_estimate.h"

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
    FIELD(TEXT, estimate_sweep_row, value, .help = "of the key"),
    FIELD(FLAG, estimate_sweep_row, fits, .help = "the memory of the card"),
    FIELD(TEXT, estimate_sweep_row, why, .help = "it cannot be done"),
    FIELD(NUMBER, estimate_sweep_row, memory_gb, .help = "of the fullest GPU"),
    FIELD(NUMBER, estimate_sweep_row, step_s, .help = "seconds"),
    FIELD(NUMBER, estimate_sweep_row, rate, .help = "tokens or samples a second, all GPUs"),
    FIELD(NUMBER, estimate_sweep_row, hours, .help = "of the whole job"),
    FIELD(USD, estimate_sweep_row, cost, .help = "of the whole job"),
    FIELD(TEXT, estimate_sweep_row, setting, .help = "what was chosen for the rest"),
};
static const struct field_set sweep_set = FIELD_SET(struct estimate_sweep_row, sweep_fields);

static const struct field formula_fields[] = {
    FIELD(TEXT, estimate_formula, name, .help = "of the quantity"),
    FIELD(TEXT, estimate_formula, formula, .help = "in words"),
    FIELD(TEXT, estimate_formula, numbers, .help = "the same with its numbers"),
    FIELD(NUMBER, estimate_formula, value, .help = "what it comes to"),
    FIELD(TEXT, estimate_formula, unit, .help = "of the value"),
};
static const struct field_set formula_set = FIELD_SET(struct estimate_formula, formula_fields);

#define GUESS(member, text) FIELD(RECORD, estimate, member, .row = &guess_set, .help = (text))

static const struct field estimate_members[] = {
    FIELD(TEXT, estimate, name, .help = "of the job"),
    FIELD(TEXT, estimate, kind, .help = "train or infer"),
    FIELD(TEXT, estimate, model, .help = "its name"),
    FIELD(NUMBER, estimate, params, .help = "parameters"),
    FIELD(NUMBER, estimate, active_params, .help = "that a token meets"),
    FIELD(NUMBER, estimate, trained_params, .help = "that are trained"),
    FIELD(FLAG, estimate, assumed, .help = "the model's shape is a guess from its size"),
    FIELD(TEXT, estimate, method, .help = "full, lora or qlora"),
    FIELD(TEXT, estimate, precision, .help = "of the products, or of the weights"),
    FIELD(TEXT, estimate, optimizer, .help = "of training"),
    FIELD(TEXT, estimate, recompute, .help = "of activations"),
    FIELD(TEXT, estimate, framework, .help = "kind of software"),
    FIELD(TEXT, estimate, offload, .help = "of states to the machine's memory"),
    FIELD(TEXT, estimate, accelerator, .help = "on what"),
    FIELD(COUNT, estimate, gpus, .help = "how many"),
    FIELD(COUNT, estimate, nodes, .help = "machines that hold them"),
    FIELD(COUNT, estimate, data, .help = "data parallel"),
    FIELD(COUNT, estimate, tensor, .help = "tensor parallel"),
    FIELD(COUNT, estimate, pipeline, .help = "pipeline stages"),
    FIELD(COUNT, estimate, context, .help = "context parallel"),
    FIELD(COUNT, estimate, expert, .help = "expert parallel"),
    FIELD(COUNT, estimate, zero, .help = "stage of ZeRO"),
    FIELD(COUNT, estimate, sequence, .help = "tokens"),
    FIELD(COUNT, estimate, micro_batch, .help = "sequences of one GPU at a time"),
    FIELD(COUNT, estimate, accumulation, .help = "micro-batches of a step"),
    FIELD(NUMBER, estimate, global_batch, .help = "sequences of a step"),
    FIELD(FLAG, estimate, fits, .help = "the memory of the card"),
    FIELD(FLAG, estimate, tight, .help = "it fits, but not surely"),
    FIELD(NUMBER, estimate, usable_gb, .help = "of the card, GB"),
    FIELD(NUMBER, estimate, memory_gb, .help = "of the fullest GPU, GB"),
    FIELD(NUMBER, estimate, memory_low_gb, .help = "10th percentile"),
    FIELD(NUMBER, estimate, memory_high_gb, .help = "90th percentile"),
    FIELD(LIST, estimate, memory, .row = &part_set, .help = "where it goes"),
    FIELD(NUMBER, estimate, host_gb, .help = "in a machine's memory, GB"),
    FIELD(NUMBER, estimate, host_usable_gb, .help = "that the machine has, GB"),
    GUESS(step_s, "one optimizer step, s"),
    FIELD(LIST, estimate, step, .row = &part_set, .help = "where it goes"),
    GUESS(rate, "all GPUs"),
    FIELD(TEXT, estimate, rate_unit, .help = "of the rate"),
    FIELD(NUMBER, estimate, mfu, .help = "share of the peak that the model makes use of"),
    FIELD(NUMBER, estimate, steps, .help = "of the whole job"),
    FIELD(NUMBER, estimate, tokens, .help = "or samples, of the whole job"),
    FIELD(NUMBER, estimate, epochs, .help = "through the data"),
    GUESS(hours, "of training"),
    FIELD(NUMBER, estimate, wall_hours, .help = "with set-up, moving data, evaluation, ..."),
    GUESS(prefill_s, "to the first token of one request, s"),
    GUESS(decode_s, "one token, s"),
    GUESS(request_s, "a whole batch, s"),
    FIELD(NUMBER, estimate, max_batch, .help = "requests that fit"),
    FIELD(NUMBER, estimate, max_context, .help = "tokens of one request that fit"),
    FIELD(NUMBER, estimate, utilisation, .help = "of one replica at the rate"),
    FIELD(NUMBER, estimate, replicas, .help = "that the rate needs"),
    FIELD(NUMBER, estimate, p50_s, .help = "a request, s"),
    FIELD(NUMBER, estimate, p95_s, .help = "a request, s"),
    FIELD(NUMBER, estimate, p99_s, .help = "a request, s"),
    FIELD(NUMBER, estimate, first_p95_s, .help = "to the first token, s"),
    GUESS(usd_per_million_tokens, "output, at this batch"),
    GUESS(usd_per_thousand, "a thousand requests"),
    FIELD(NUMBER, estimate, watts, .help = "of one machine at the wall"),
    GUESS(energy_kwh, "with the building's share"),
    GUESS(carbon_kg, "CO2e"),
    FIELD(NUMBER, estimate, pue, .help = "of the building"),
    FIELD(NUMBER, estimate, carbon_g_kwh, .help = "of the region"),
    FIELD(TEXT, estimate, region, .help = "whose power"),
    FIELD(TEXTS, estimate, equivalents, .help = "of the carbon"),
    FIELD(TEXTS, estimate, equivalent_sources, .help = "where each is from"),
    FIELD(USD, estimate, offset_low, .help = "an offset that avoids as much elsewhere"),
    FIELD(USD, estimate, offset_high, .help = "one that takes it out of the air for good"),
    FIELD(TEXT, estimate, offer, .help = "provider/region/instance"),
    FIELD(TEXT, estimate, market, .help = "of the price"),
    FIELD(RATE, estimate, price, .help = "of one machine"),
    FIELD(COUNT, estimate, machines, .help = "rented"),
    FIELD(DAY, estimate, price_date, .help = "of the price"),
    FIELD(COUNT, estimate, price_age_days, .help = "of the price"),
    FIELD(LIST, estimate, cost, .row = &line_set, .help = "line by line"),
    FIELD(USD, estimate, total, .help = "expected"),
    FIELD(USD, estimate, total_low, .help = "10th percentile"),
    FIELD(USD, estimate, total_high, .help = "90th percentile"),
    FIELD(TEXTS, estimate, notes, .help = "what was assumed"),
    FIELD(TEXT, estimate, sweep_key, .help = "that was changed"),
    FIELD(LIST, estimate, sweep, .row = &sweep_set, .help = "a row for each value"),
    FIELD(LIST, estimate, formulas, .row = &formula_set, .help = "how it was computed"),
};

const struct field_set estimate_fields = FIELD_SET(struct estimate, estimate_members);
