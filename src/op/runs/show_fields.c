#include "op/runs/show_fields.h"

#include "op/runs/show.h"

static const struct field request[] = {
    FIELD(TEXT, show_request, run, .value = "RUN", .operand = true, .required = true,
          .help = "the end or the start of its id, its name, or 'last'"),
};

static const struct field cost_fields[] = {
    FIELD(TEXT, show_cost, item, .help = "what for"),
    FIELD(USD, show_cost, cost, .help = "of all attempts"),
    FIELD(SHARE, show_cost, share, .help = "of the run's cost"),
};

static const struct field attempt_fields[] = {
    FIELD(COUNT, show_attempt, number, .help = "from 1"),
    FIELD(TEXT, show_attempt, state, .help = "how it ended"),
    FIELD(TEXT, show_attempt, started, .help = "in UTC"),
    FIELD(TEXT, show_attempt, ended, .help = "null while it runs, or when nobody saw it"),
    FIELD(SPAN, show_attempt, took, .help = "seconds"),
    FIELD(USD, show_attempt, cost, .help = "of this attempt"),
    FIELD(COUNT, show_attempt, status, .help = "exit status"),
    FIELD(TEXT, show_attempt, reason, .help = "why it was stopped"),
    FIELD(TEXT, show_attempt, host, .help = "where"),
    FIELD(TEXT, show_attempt, offer, .help = "the machine that was paid"),
    FIELD(RATE, show_attempt, price, .help = "an hour, at its start"),
    FIELD(TEXT, show_attempt, price_source, .help = "where the price comes from"),
    FIELD(NUMBER, show_attempt, step, .help = "reached"),
    FIELD(NUMBER, show_attempt, lost_s,
          .help = "seconds of work of the attempt before that were not saved"),
};

static const struct field price_fields[] = {
    FIELD(COUNT, show_price, attempt, .help = "from 1"),
    FIELD(TEXT, show_price, from, .help = "in UTC"),
    FIELD(TEXT, show_price, until, .help = "null while it holds"),
    FIELD(RATE, show_price, price, .help = "an hour"),
    FIELD(TEXT, show_price, offer, .help = "the machine"),
    FIELD(TEXT, show_price, source, .help = "where the price comes from"),
};

static const struct field event_fields[] = {
    FIELD(TEXT, show_event, at, .help = "in UTC"),
    FIELD(COUNT, show_event, attempt, .help = "from 1"),
    FIELD(TEXT, show_event, kind, .help = "what"),
    FIELD(TEXT, show_event, text, .help = "in words"),
    FIELD(COUNT, show_event, left_out,
          .help = "the last of its kind: so many before it were not kept; null: all were"),
};

static const struct field checkpoint_fields[] = {
    FIELD(TEXT, show_checkpoint, path, .help = "where it is"),
    FIELD(TEXT, show_checkpoint, at, .help = "in UTC"),
    FIELD(NUMBER, show_checkpoint, bytes, .help = "how large"),
    FIELD(NUMBER, show_checkpoint, step, .help = "of the training"),
    FIELD(NUMBER, show_checkpoint, metric, .help = "the watched one, then"),
    FIELD(NUMBER, show_checkpoint, took_s, .help = "to write"),
    FIELD(USD, show_checkpoint, cost, .help = "of the run, until then"),
    FIELD(FLAG, show_checkpoint, kept, .help = "it is still there"),
    FIELD(FLAG, show_checkpoint, best, .help = "it is the best"),
    FIELD(TEXT, show_checkpoint, removed, .help = "when, in UTC; null: it is kept"),
};

static const struct field metric_fields[] = {
    FIELD(COUNT, show_metric, attempt, .help = "from 1"),
    FIELD(TEXT, show_metric, name, .help = "as the program prints it"),
    FIELD(COUNT, show_metric, values, .help = "that were printed"),
    FIELD(COUNT, show_metric, odd, .help = "of them: not a finite number"),
    FIELD(NUMBER, show_metric, first, .help = "value"),
    FIELD(NUMBER, show_metric, last, .help = "value"),
    FIELD(NUMBER, show_metric, last_step, .help = "step of the last value"),
    FIELD(NUMBER, show_metric, low, .help = "lowest value"),
    FIELD(NUMBER, show_metric, low_step, .help = "its step"),
    FIELD(NUMBER, show_metric, high, .help = "highest value"),
    FIELD(NUMBER, show_metric, high_step, .help = "its step"),
    FIELD(NUMBERS, show_metric, at_s, .help = "seconds since the attempt began, at most 256"),
    FIELD(NUMBERS, show_metric, steps, .help = "reached by then; null: not known"),
    FIELD(NUMBERS, show_metric, points, .help = "means of the values since the one before"),
};

static const struct field sample_fields[] = {
    FIELD(COUNT, show_sample, attempt, .help = "from 1"),
    FIELD_AS("at_s", NUMBER, show_sample, sample.at_s, .help = "since the attempt began"),
    FIELD_AS("cost_usd", NUMBER, show_sample, sample.cost, .help = "of the attempt by then"),
    FIELD_AS("watts", NUMBER, show_sample, sample.watts, .help = "of what is metered"),
    FIELD_AS("gpu_busy", SHARE, show_sample, sample.gpu_busy, .help = "0 to 1"),
    FIELD_AS("gpu_memory_bytes", NUMBER, show_sample, sample.gpu_memory, .help = "in use"),
    FIELD_AS("cpu_cores", NUMBER, show_sample, sample.cpu_cores, .help = "in use"),
    FIELD_AS("memory_bytes", NUMBER, show_sample, sample.memory, .help = "in use"),
    FIELD_AS("step", NUMBER, show_sample, sample.step, .help = "reached"),
    FIELD_AS("loss", NUMBER, show_sample, sample.loss, .help = "the watched metric"),
    FIELD_AS("steps_per_s", NUMBER, show_sample, sample.rate, .help = "how fast"),
};

static const struct field_set cost_set = FIELD_SET(struct show_cost, cost_fields);
static const struct field_set attempt_set = FIELD_SET(struct show_attempt, attempt_fields);
static const struct field_set price_set = FIELD_SET(struct show_price, price_fields);
static const struct field_set event_set = FIELD_SET(struct show_event, event_fields);
static const struct field_set checkpoint_set =
    FIELD_SET(struct show_checkpoint, checkpoint_fields);
static const struct field_set sample_set = FIELD_SET(struct show_sample, sample_fields);

static const struct field_set metric_set = FIELD_SET(struct show_metric, metric_fields);

static const struct field result[] = {
    FIELD(RECORD, show_result, run, .row = &run_view_fields, .help = "as 'stint runs' has it"),
    FIELD(TEXT, show_result, heard, .help = "the last word of it, in UTC"),
    FIELD(TEXT, show_result, ledger, .help = "the file it is in"),
    FIELD(LIST, show_result, costs, .row = &cost_set, .help = "what the cost is made of"),
    FIELD(LIST, show_result, phases, .row = &cost_set,
          .help = "what computing was paid for, as far as it could be seen"),
    FIELD(NUMBER, show_result, gpu_kwh, .help = "of the GPUs"),
    FIELD(NUMBER, show_result, cpu_kwh, .help = "of the processor"),
    FIELD(NUMBER, show_result, mean_watts, .help = "in the mean"),
    FIELD(NUMBER, show_result, cpu_s, .help = "seconds of the processor"),
    FIELD(NUMBER, show_result, cpu_cores, .help = "busy, in the mean"),
    FIELD_AS("memory_peak_bytes", NUMBER, show_result, memory_peak, .help = "at most"),
    FIELD_AS("read_bytes", NUMBER, show_result, read, .help = "from storage"),
    FIELD_AS("written_bytes", NUMBER, show_result, written, .help = "to storage"),
    FIELD_AS("received_bytes", NUMBER, show_result, received, .help = "from the network"),
    FIELD_AS("sent_bytes", NUMBER, show_result, sent, .help = "to the network"),
    FIELD_AS("gpu_memory_peak_bytes", NUMBER, show_result, gpu_memory_peak,
             .help = "of the fullest GPU, at most"),
    FIELD_AS("gpu_memory_bytes", NUMBER, show_result, gpu_memory_total, .help = "of that GPU"),
    FIELD_AS("gpu_memory_run_bytes", NUMBER, show_result, gpu_memory_run,
             .help = "of one GPU that the run's own processes used, at most"),
    FIELD(TEXT, show_result, pays,
          .help = "for what: machine (all of it, or divided with other runs), fixed (--share), "
                  "inside (another run pays)"),
    FIELD(NUMBER, show_result, share,
          .help = "of the machine's price that it paid, on average; pays now, while it runs"),
    FIELD(COUNT, show_result, sharers, .help = "runs that divided the price, at most; now"),
    FIELD(NUMBER, show_result, seed_score, .help = "0.7 of utilisation and 0.3 of memory"),
    FIELD(USD, show_result, cost_per_step, .help = "of the steps that count"),
    FIELD(NUMBER, show_result, checkpoint_bytes,
          .help = "of the checkpoints that were kept at the last word of it"),
    FIELD(USD, show_result, checkpoint_month,
          .help = "what they cost a month in the provider's object store; not in the cost"),
    FIELD(NUMBER, show_result, cost_over_estimate, .help = "a share; below 0: it cost less"),
    FIELD(NUMBER, show_result, time_over_estimate, .help = "likewise"),
    FIELD(LIST, show_result, attempts, .row = &attempt_set, .help = "in order"),
    FIELD(LIST, show_result, prices, .row = &price_set, .help = "that were paid, in order"),
    FIELD(LIST, show_result, events, .row = &event_set, .help = "in order"),
    FIELD(LIST, show_result, checkpoints, .row = &checkpoint_set, .help = "in order"),
    FIELD(LIST, show_result, samples, .row = &sample_set,
          .help = "moments, evenly over the time of each attempt"),
    FIELD(LIST, show_result, metrics, .row = &metric_set,
          .help = "every metric that was printed, by attempt and name: at most 32 an attempt"),
    FIELD(TEXTS, show_result, verdict, .help = "what it comes to"),
};

const struct field_set show_request_fields = FIELD_SET(struct show_request, request);
const struct field_set show_result_fields = FIELD_SET(struct show_result, result);
