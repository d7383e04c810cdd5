/* The options of simulate, and what it answers, as tables. */
#include "op/simulate_fields.h"

#include "op/trace_files.h"

static const struct field request[] = {
    FIELD(TEXT, simulate_request, job, .value = "JOB", .operand = true,
          .help = "a job file or a model: its work, delay and prices are estimated"),
    FIELD(TEXTS, simulate_request, traces, .value = "FILE,...",
          .help =
              "when there was spot: .trc, JSON of data sets, price histories; packed or not"),
    FIELD(TEXTS, simulate_request, zones, .value = "LIST",
          .help = "only these of the traces; 'us-*' matches"),
    FIELD(TEXT, simulate_request, windows, .value = "FILE",
          .help = "ticks at which runs start, one a line; without it, the first"),
    FIELD(COUNT, simulate_request, window_ticks, .value = "N", .positive = true,
          .help = "ticks of a window; without it, to the end of the trace"),
    FIELD(SPAN, simulate_request, work, .value = "TIME", .positive = true, .hours = true,
          .help = "how long the job runs when nothing stops it"),
    FIELD_AS("deadline", TEXTS, simulate_request, deadlines, .value = "TIME,...",
             .help = "how long it may take in all; several are all simulated"),
    FIELD_AS("delay", TEXTS, simulate_request, delays, .value = "TIME,...",
             .help = "how long a machine takes to start, with what was lost; likewise"),
    FIELD(COUNT, simulate_request, gang, .value = "N", .positive = true, .fallback = "1",
          .help = "machines at once, all or none; each is paid"),
    FIELD(RATE, simulate_request, on_demand, .value = "PRICE",
          .help = "of a machine, instead of the trace's: '$3.06/hr'"),
    FIELD(RATE, simulate_request, spot, .value = "PRICE", .help = "likewise"),
    FIELD_AS("policy", TEXTS, simulate_request, policies, .value = "LIST",
             .help = "all, or of on-demand, greedy, time-sliced:N, up-plain, up, up-oracle, "
                     "stint, optimal"),
    FIELD(FLAG, simulate_request, roam, .help = "one job that moves over all zones given"),
    FIELD(CHOICE, simulate_request, ones, .value = "WORD", .choices = trace_ones,
          .help = TRACE_ONES_HELP),
    FIELD(FLAG, simulate_request, by_second,
          .help = "bill the last tick as far as it was used, not whole"),
    FIELD(SPAN, simulate_request, checkpoint_every, .value = "TIME", .positive = true,
          .help = "work between two checkpoints: what is lost with a machine"),
    FIELD(SPAN, simulate_request, checkpoint_time, .value = "TIME",
          .help = "that the job stops for each"),
    FIELD(SPAN, simulate_request, notice, .value = "TIME",
          .help = "before a machine is taken away: long enough, it is used to save"),
    FIELD(BYTES, simulate_request, checkpoint_size, .value = "SIZE",
          .help = "of a checkpoint, which moves with --roam between regions: 20GB"),
    FIELD(PER_GB, simulate_request, egress, .value = "PRICE",
          .help = "of moving it, instead of the catalog's: '$0.02/GB'"),
    FIELD(COUNT, simulate_request, synthetic, .value = "N", .positive = true,
          .help = "on N made-up traces for each zone, whose lifetimes are fitted on the trace"),
    FIELD(COUNT, simulate_request, seed, .value = "N", .fallback = "1",
          .help = "of what is made up: the same gives the same"),
    FIELD(TEXT, simulate_request, offer, .value = "OFFER",
          .help = "of JOB, a machine: aws/p5.48xlarge, aws/us-east-1/p5.48xlarge"),
    FIELD(TEXT, simulate_request, on, .value = "GPU[xN]", .help = "of JOB, on what: H100x8"),
    FIELD(TEXTS, simulate_request, set, .value = "KEY=VALUE", .help = "change a key of JOB"),
    FIELD(TEXT, simulate_request, per_run, .value = "FILE.csv",
          .help = "write every run to this file"),
    FIELD(FLAG, simulate_request, timeline, .help = "draw the first run, and simulate only it"),
    FIELD(TEXT, simulate_request, svg, .value = "FILE.svg", .help = "draw it to this file"),
    FIELD(COUNT, simulate_request, threads, .value = "N", .positive = true,
          .help = "as many threads; without it, one for each core"),
    FIELD(TEXT, simulate_request, resume, .value = "FILE",
          .help = "keep what is done in this file, and go on from it"),
    FIELD(FLAG, simulate_request, slurm,
          .help = "run as an array of Slurm jobs, in the folder of --resume, and gather"),
    FIELD(FLAG, simulate_request, slurm_script, .help = "only print the script for that"),
    FIELD(FLAG, simulate_request, no_wait, .help = "with --slurm: submit, and do not wait"),
    FIELD(COUNT, simulate_request, shards, .value = "N", .positive = true, .fallback = "8",
          .help = "jobs of the array"),
    FIELD(TEXT, simulate_request, sbatch, .value = "PROGRAM", .fallback = "sbatch",
          .help = "that submits to Slurm"),
    FIELD(TEXT, simulate_request, shard, .value = "I/N",
          .help = "only every Nth run, from the Ith on"),
    FIELD(TEXT, simulate_request, gather, .value = "DIR",
          .help = "simulate nothing: sum up the parts in this folder"),
};

static const struct field policy_fields[] = {
    FIELD(TEXT, simulate_policy, name, .help = "of the policy"),
    FIELD(COUNT, simulate_policy, runs, .help = "simulated"),
    FIELD(NUMBER, simulate_policy, mean_usd, .help = "cost of a run in the mean"),
    FIELD(COUNT, simulate_policy, late, .help = "runs that missed the deadline"),
    FIELD(NUMBER, simulate_policy, p10_usd, .help = "one run of ten costs less"),
    FIELD(NUMBER, simulate_policy, p90_usd, .help = "one run of ten costs more"),
    FIELD(NUMBER, simulate_policy, saving, .help = "share of what on-demand alone costs"),
    FIELD(NUMBER, simulate_policy, gap_closed,
          .help = "share of the gap from uniform progress to the optimum"),
    FIELD(NUMBER, simulate_policy, p50_usd, .help = "the middle run"),
    FIELD(NUMBER, simulate_policy, max_usd, .help = "the dearest run"),
    FIELD(NUMBER, simulate_policy, spot_h, .help = "paid in the mean, of one machine"),
    FIELD(NUMBER, simulate_policy, on_demand_h, .help = "paid in the mean, of one machine"),
    FIELD(NUMBER, simulate_policy, lost_h, .help = "work done twice, in the mean"),
    FIELD(NUMBER, simulate_policy, egress_usd, .help = "part of the cost: moving checkpoints"),
    FIELD(NUMBER, simulate_policy, starts, .help = "of machines, in the mean"),
    FIELD(NUMBER, simulate_policy, losses, .help = "of spot machines, in the mean"),
    FIELD(FLAG, simulate_policy, foresees,
          .help = "a yardstick, not a policy to use: it knows what will come"),
};
static const struct field_set policy_set = FIELD_SET(struct simulate_policy, policy_fields);

static const struct field stretch_fields[] = {
    FIELD(NUMBER, simulate_stretch, from_h, .help = "hours from the start"),
    FIELD(NUMBER, simulate_stretch, to_h, .help = "hours from the start"),
    FIELD(TEXT, simulate_stretch, what, .help = "spot, on-demand, starting or waiting"),
    FIELD(TEXT, simulate_stretch, zone, .help = "in which"),
};
static const struct field_set stretch_set = FIELD_SET(struct simulate_stretch, stretch_fields);

static const struct field track_fields[] = {
    FIELD(TEXT, simulate_track, policy, .help = "its name"),
    FIELD(NUMBER, simulate_track, usd, .help = "cost of the run"),
    FIELD(NUMBER, simulate_track, end_h, .help = "when the work was done"),
    FIELD(FLAG, simulate_track, late, .help = "it missed the deadline"),
    FIELD(LIST, simulate_track, stretches, .row = &stretch_set, .help = "what ran when"),
};
static const struct field_set track_set = FIELD_SET(struct simulate_track, track_fields);

static const struct field result[] = {
    FIELD(LIST, simulate_result, policies, .row = &policy_set,
          .help = "in the order asked for"),
    FIELD(COUNT, simulate_result, runs, .help = "simulated under each policy"),
    FIELD(COUNT, simulate_result, zones, .help = "of the traces"),
    FIELD(COUNT, simulate_result, windows, .help = "in each"),
    FIELD(COUNT, simulate_result, deadlines, .help = "for each window"),
    FIELD(COUNT, simulate_result, delays, .help = "for each deadline"),
    FIELD(FLAG, simulate_result, roam, .help = "one job moved over all zones"),
    FIELD(NUMBER, simulate_result, work_h, .help = "of one run"),
    FIELD(TEXT, simulate_result, traces, .help = "simulated on"),
    FIELD(TEXT, simulate_result, prices, .help = "of a machine"),
    FIELD(TEXT, simulate_result, rules, .help = "of time and money"),
    FIELD(LIST, simulate_result, timeline, .row = &track_set, .help = "of the first run"),
    FIELD(TEXT, simulate_result, svg, .help = "the picture that was written"),
    FIELD(TEXT, simulate_result, script, .help = "for Slurm"),
    FIELD(TEXT, simulate_result, submitted, .help = "Slurm's job that gathers the result"),
    FIELD(TEXT, simulate_result, folder, .help = "where its parts are"),
};

const struct field_set simulate_request_fields = FIELD_SET(struct simulate_request, request);
const struct field_set simulate_result_fields = FIELD_SET(struct simulate_result, result);
