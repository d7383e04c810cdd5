/* The options of a sweep: their fields, and those that contradict each other or would do
 * nothing. */
#include <string.h>

#include "base/fs.h"
#include "base/parallel.h"
#include "spot/sweep.h"
#include "spot/trace_files.h"

static const struct field request[] = {
    FIELD(TEXT, simulate_request, job, .value = "JOB", .operand = true,
          .help = "job file or model: its work, delay and prices are estimated"),
    FIELD(
        TEXTS, simulate_request, traces, .local = true, .value = "FILE,...",
        .help =
            "availability traces: .trc, JSON of data sets, price histories; compressed or not"),
    FIELD(TEXTS, simulate_request, zones, .value = "LIST",
          .help = "zones of the traces to use; 'us-*' matches"),
    FIELD(TEXT, simulate_request, windows, .local = true, .value = "FILE",
          .help = "file of ticks at which runs start, one per line (default: the first tick)"),
    FIELD(COUNT, simulate_request, window_ticks, .value = "N", .positive = true,
          .help = "length of a window in ticks (default: to the end of the trace)"),
    FIELD(SPAN, simulate_request, work, .value = "TIME", .positive = true, .hours = true,
          .help = "hours of work of the job without interruptions"),
    FIELD_AS("deadline", TEXTS, simulate_request, deadlines, .value = "TIME,...",
             .help = "time until the job must be done; several: simulate each"),
    FIELD_AS("delay", TEXTS, simulate_request, delays, .value = "TIME,...",
             .help =
                 "time from getting a machine until work continues; several: simulate each"),
    FIELD(COUNT, simulate_request, gang, .value = "N", .positive = true, .fallback = "1",
          .help = "machines needed at once, all or none"),
    FIELD(RATE, simulate_request, on_demand, .value = "PRICE",
          .help = "on-demand price, instead of the trace's: '$3.06/hr'"),
    FIELD(RATE, simulate_request, spot, .value = "PRICE",
          .help = "spot price, instead of the trace's"),
    FIELD_AS("policy", TEXTS, simulate_request, policies, .value = "LIST",
             .help = "policies to simulate: all, or on-demand, greedy, time-sliced:N, "
                     "up-plain, up, up-oracle, stint, optimal"),
    FIELD(FLAG, simulate_request, roam,
          .help = "simulate one job that moves over all zones given"),
    FIELD_AS("ones_mean", CHOICE, simulate_request, ones, .value = "WORD",
             .choices = trace_ones, .help = TRACE_ONES_HELP),
    FIELD(FLAG, simulate_request, by_second,
          .help = "bill the last tick by the second, not in full"),
    FIELD(SPAN, simulate_request, checkpoint_every, .value = "TIME", .positive = true,
          .help = "work between two checkpoints"),
    FIELD(SPAN, simulate_request, checkpoint_time, .value = "TIME",
          .help = "time that the job stops for a checkpoint"),
    FIELD(SPAN, simulate_request, notice, .value = "TIME",
          .help = "warning before an interruption; used to save when it is long enough"),
    FIELD(BYTES, simulate_request, checkpoint_size, .value = "SIZE",
          .help = "size of a checkpoint, which moves between regions with --roam: 20GB"),
    FIELD(PER_GB, simulate_request, egress, .value = "PRICE",
          .help = "price of moving it, instead of the catalog's: '$0.02/GB'"),
    FIELD(COUNT, simulate_request, synthetic, .value = "N", .positive = true,
          .help = "use N synthetic traces for each zone, with lifetimes fitted on its trace"),
    FIELD(COUNT, simulate_request, seed, .value = "N",
          .help = "seed of synthetic traces (default: 1)"),
    FIELD(TEXT, simulate_request, offer, .value = "OFFER",
          .help = "machine for JOB: aws/p5.48xlarge, aws/us-east-1/p5.48xlarge"),
    FIELD(TEXT, simulate_request, on, .value = "GPU[xN]", .also = accelerator_options,
          .help = "GPUs for JOB: H100x8"),
    FIELD(TEXTS, simulate_request, set, .value = "KEY=VALUE", .help = "change a key of JOB"),
    FIELD(TEXT, simulate_request, per_run, .value = "FILE.csv", .output = true,
          .help = "write every run to FILE"),
    FIELD(TEXT, simulate_request, save_traces, .value = "FILE.trc", .output = true,
          .help = "write the traces of the simulation, also synthetic ones, to FILE"),
    FIELD(FLAG, simulate_request, timeline, .help = "draw the first run, and simulate only it"),
    FIELD(TEXT, simulate_request, svg, .value = "FILE.svg", .output = true,
          .help = "draw the timeline to FILE as SVG"),
    FIELD(COUNT, simulate_request, threads, .local = true, .value = "N", .positive = true,
          .help = "number of threads (default: one per core)"),
    FIELD(TEXT, simulate_request, resume, .local = true, .value = "FILE",
          .help = "store finished runs in this file, and resume from it"),
    FIELD(FLAG, simulate_request, slurm, .local = true,
          .help = "run as an array of Slurm jobs, in the folder of --resume, and gather"),
    FIELD(FLAG, simulate_request, slurm_script, .local = true,
          .help = "print only the script for that"),
    FIELD(FLAG, simulate_request, no_wait, .local = true,
          .help = "submit without waiting, with --slurm"),
    FIELD(COUNT, simulate_request, shards, .local = true, .value = "N", .positive = true,
          .help = "jobs of the array (default: 8); with --gather, the number of parts"),
    FIELD(TEXT, simulate_request, sbatch, .local = true, .value = "PROGRAM",
          .help = "program that submits to Slurm (default: sbatch)"),
    FIELD(TEXT, simulate_request, shard, .local = true, .value = "I/N",
          .help = "simulate only every Nth run, starting at the Ith"),
    FIELD(TEXT, simulate_request, gather, .local = true, .value = "DIR",
          .help = "combine the parts in this folder without simulating"),
};

const struct field_set simulate_request_fields = FIELD_SET(struct simulate_request, request);

/* An option, and without what it does nothing. */
struct rule {
    bool asked, works;
    const char *option, *needs;
};

static bool check_rules(const struct rule *rules, size_t count, struct error *err)
{
    for (size_t i = 0; i < count; i++)
        if (rules[i].asked && !rules[i].works) {
            error_set(err, ERROR_USAGE, "%s does nothing without %s", rules[i].option,
                      rules[i].needs);
            error_hint(err, "give both, or neither");
            return false;
        }
    return true;
}

static bool check_useful(const struct simulate_request *r, struct error *err)
{
    bool job = r->job.len > 0, traces = r->traces.len > 0;
    bool moves = r->checkpoint_size.n != UINT64_MAX, script = r->slurm_script;
    const struct rule rules[] = {
        {r->offer.len > 0, job, "--offer", "a JOB"},
        {r->on.len > 0, job, "--on", "a JOB"},
        {r->set.len > 0, job, "--set", "a JOB"},
        {r->zones.len > 0, traces || !job, "--zones", "--traces"},
        {r->ones.len > 0, traces || !job, "--ones-mean-mean", "--traces"},
        {r->seed >= 0, r->synthetic > 0 || (job && !traces), "--seed", "--synthetic"},
        {moves, r->roam, "--checkpoint-size", "--roam"},
        {r->egress.nano != MONEY_UNKNOWN, r->roam, "--egress", "--roam"},
        {r->egress.nano != MONEY_UNKNOWN, moves || job, "--egress", "--checkpoint-size"},
        {r->svg.len > 0, r->timeline, "--svg", "--timeline, which draws one run"},
        {r->no_wait, r->slurm, "--no-wait", "--slurm"},
        {r->sbatch.len > 0, r->slurm, "--sbatch", "--slurm"},
        {r->shards > 0, r->slurm || script || r->gather.len > 0, "--shards",
         "--slurm, --slurm-script or --gather"},
    };

    return check_rules(rules, ARRAY_LEN(rules), err);
}

static bool refuse_pair(const char *one, const char *other, const char *why, struct error *err)
{
    error_set(err, ERROR_USAGE, "%s and %s do not go together: %s", one, other, why);
    return false;
}

/* Refuse a file that cannot be written before hours of work, not after. */
static bool check_request_folder(const char *option, struct str path, struct error *err)
{
    char folder[4096] = ".";
    size_t len = path.len;

    while (len > 0 && path.at[len - 1] != '/')
        len--;
    if (len >= sizeof folder)
        return error_fail(err, ERROR_USAGE, "--%s: the path is too long", option);
    if (len > 0) {
        memcpy(folder, path.at, len);
        folder[len] = '\0';
    }
    if (fs_exists(folder))
        return true;
    return error_fail(err, ERROR_ABSENT, "--%s: there is no folder '%s'", option, folder);
}

bool sweep_check_options(const struct simulate_request *r, struct error *err)
{
    bool slurm = r->slurm || r->slurm_script;

    if (r->threads > PARALLEL_MOST)
        return error_fail(err, ERROR_USAGE, "--threads: %lld are more than %d",
                          (long long)r->threads, PARALLEL_MOST);
    if (r->shards > SWEEP_SHARDS_MAX)
        return error_fail(err, ERROR_USAGE, "--shards: %lld are more than %d",
                          (long long)r->shards, SWEEP_SHARDS_MAX);
    if (r->gather.len > 0 && (r->resume.len > 0 || r->shard.len > 0 || slurm)) {
        error_set(err, ERROR_USAGE, "--gather only combines finished runs");
        error_hint(err, "leave out --resume, --shard and --slurm");
        return false;
    }
    if (r->timeline && slurm)
        return refuse_pair("--timeline", "--slurm", "it draws one run", err);
    if (r->timeline && (r->shard.len > 0 || r->gather.len > 0))
        return refuse_pair("--timeline", r->shard.len > 0 ? "--shard" : "--gather",
                           "it draws the first run", err);
    if (slurm && r->shard.len > 0)
        return refuse_pair("--shard", "--slurm", "each job of the array takes its own", err);
    if (r->per_run.len > 0 && (r->no_wait || r->slurm_script))
        return refuse_pair("--per-run", r->no_wait ? "--no-wait" : "--slurm-script",
                           "there are no runs yet to write", err);
    return check_request_folder("per-run", r->per_run, err) &&
           check_request_folder("svg", r->svg, err) &&
           check_request_folder("save-traces", r->save_traces, err) && check_useful(r, err);
}
