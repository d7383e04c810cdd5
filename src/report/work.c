#include <math.h>
#include <string.h>

#include "report/work_facts.h"
#include "unit/shown.h"

void work_blank(struct report_work *out)
{
    *out = (struct report_work){.at = STAMP_UNKNOWN,
                                .time = SPAN_UNKNOWN,
                                .lost_s = NAN,
                                .gpus = -1,
                                .gpu_busy = NAN,
                                .gpu_memory_peak = NAN,
                                .gpu_memory_total = NAN,
                                .cpu_cores = NAN,
                                .memory_peak = NAN,
                                .memory_mean = NAN,
                                .disk_read = NAN,
                                .disk_written = NAN,
                                .energy = {NAN},
                                .energy_error = NAN,
                                .carbon = {NAN},
                                .cost = USD_UNKNOWN,
                                .estimated = USD_UNKNOWN,
                                .time_cost = USD_UNKNOWN,
                                .cost_per_step = USD_UNKNOWN,
                                .rate = USD_PER_HOUR_UNKNOWN,
                                .score = NAN,
                                .seed_score = NAN,
                                .model_bytes = NAN,
                                .parameters = NAN};
    work_inference_unknown(&out->inference);
}

/* What an hour costs of something that cost so much in so long; unknown when either is. */
static usd_per_hour usd_per_hour_from(double dollars, span time)
{
    return time.ns <= 0 ? USD_PER_HOUR_UNKNOWN
                        : (usd_per_hour){usd_from(dollars / span_in_hours(time)).nano};
}

/* ---- why something is not known ---- */

static struct str reason_of_training(const struct work_facts *f, const char *key)
{
    const struct report_work *w = &f->work;
    bool run = str_eq(w->kind, STR("run"));

    if (strcmp(key, "cost_local_usd") == 0)
        return f->comparison.local_method;
    if (strcmp(key, "cost_usd") == 0)
        return w->price_source.len > 0 ? w->price_source : STR("there is no price");
    if (strcmp(key, "time_hours") == 0)
        return STR("the time was not recorded");
    if (strcmp(key, "estimated_usd") == 0)
        return STR("no estimate was made before it began");
    if (strcmp(key, "energy_error") == 0)
        return STR("its method has no stated error");
    if (str_starts(str_from(key), STR("energy")))
        return run ? STR("no meter of that machine reports energy")
                   : STR("neither the GPU nor --watts is given");
    if (strcmp(key, "projected_daily_usd") == 0)
        return STR("the price of an hour is not known");
    if (str_starts(str_from(key), STR("cost_")) || str_starts(str_from(key), STR("cheapest")))
        return f->no_options.len > 0 ? f->no_options
               : f->comparison.planned
                   ? STR("not among the plan's choices: 'stint plan --provider'")
                   : STR("none of the compared offers can do this work");
    return STR("not recorded");
}

struct str work_reason(const struct work_facts *f, const char *section, const char *key)
{
    const struct report_work *w = &f->work;
    bool run = str_eq(w->kind, STR("run"));

    if (strcmp(section, "training") == 0)
        return reason_of_training(f, key);
    if (strcmp(section, "inference") == 0)
        return isnan(w->inference.seconds)
                   ? STR("not measured: 'stint bench --run', or give --inference-time")
                   : STR("the price of the machine is not known");
    if (strcmp(key, "model_size_mb") == 0)
        return STR("not recorded: give --model-size");
    if (strcmp(key, "parameters") == 0)
        return STR("not recorded: give --parameters");
    if (strcmp(section, "environmental") == 0)
        return isnan(w->energy.j) ? STR("the energy is not known")
                                  : STR("the grid of the machine is not known");
    if (strcmp(key, "cost_per_step_usd") == 0)
        return STR("no steps were recorded");
    if (strcmp(key, "cost_per_point_usd") == 0)
        return isnan(w->score)   ? STR("there is no efficiency score")
               : !(w->score > 0) ? STR("the efficiency score is 0")
                                 : STR("there is no price");
    if (!run && (strcmp(key, "gpu") == 0 || strcmp(key, "gpus") == 0))
        return STR("not recorded: give --gpu");
    return run ? STR("the meters did not see it") : STR("only metered runs have it");
}

/* ---- the texts of figures and documents ---- */

/* "bert, 2026-11-13, 16min40s on 1 x A10G, $0.1167" */
static bool write_subtitle(struct work_facts *f, struct arena *arena, struct error *err)
{
    const struct report_work *w = &f->work;
    struct buf text = buf_new(arena->alloc, BUF_MAX_OUTPUT);

    buf_add(&text, w->kind);
    if (w->per.len > 0) {
        buf_adds(&text, ", cost");
        buf_add(&text, w->per);
    }
    if (w->id.len > 0) {
        buf_char(&text, ' ');
        buf_add(&text, ledger_short(w->id.at));
    }
    if (w->at.s >= 0) {
        buf_adds(&text, ", ");
        value_time(w->at, false, &text);
        buf_adds(&text, " UTC");
    }
    if (w->time.ns >= 0) {
        buf_adds(&text, ", ");
        span_write(w->time, &text);
        buf_adds(&text, " (");
        buf_add(&text, w->time_method);
        buf_char(&text, ')');
    }
    if (w->gpu_name.len > 0 || w->gpu != NULL) {
        buf_adds(&text, " on ");
        if (w->gpus > 0)
            buf_addf(&text, "%lldx ", (long long)w->gpus);
        buf_add(&text, w->gpu != NULL ? w->gpu->name : w->gpu_name);
    }
    if (w->offer.len > 0) {
        buf_adds(&text, ", ");
        buf_add(&text, w->offer);
    }
    return buf_keep(&text, arena, &f->subtitle, err);
}

static bool write_footer(struct work_facts *f, const struct report *report, struct error *err)
{
    struct buf text = buf_new(report->arena->alloc, BUF_MAX_OUTPUT);

    if (f->comparison.options.len > 0) {
        buf_adds(&text, "Comparison: prices from ");
        day_write(f->comparison.oldest, &text);
        if (f->comparison.newest.n != f->comparison.oldest.n) {
            buf_adds(&text, " to ");
            day_write(f->comparison.newest, &text);
        }
        buf_adds(&text, f->comparison.planned ? ", set-up included; 80 % ranges of the plan. "
                        : f->comparison.cpus
                            ? "; their ranges are not known. "
                            : "; ranges: 80 % of prices, data sheets of GPUs. ");
    }
    buf_adds(&text, "Written by Stint, ");
    value_time(report->now, false, &text);
    buf_adds(&text, " UTC");
    return buf_keep(&text, report->arena, &f->footer, err);
}

/* ---- the summary ---- */

#define SUMMARY_MAX 5

/* "$0.06 on demand (hyperstack, RTXA4000)" */
static void write_cheapest(const struct work_option *o, struct buf *out)
{
    if (o == NULL)
        return;
    buf_adds(out, out->len > 0 ? ", " : "cheapest: ");
    usd_write_estimate(o->cost, out);
    buf_adds(out, o->market == MARKET_SPOT ? " on spot (" : " on demand (");
    buf_add(out, o->provider);
    buf_adds(out, ", ");
    if (o->accelerator.len > 0)
        buf_add(out, o->accelerator);
    else
        buf_addf(out, "%.3g vCPUs", o->vcpus);
    buf_char(out, ')');
}

static void write_work_total(const struct report_work *w, struct buf *out)
{
    if (w->cost.nano == MONEY_UNKNOWN)
        buf_adds(out, "cost unknown");
    else if (w->modeled)
        usd_write_estimate(w->cost, out);
    else
        usd_write(usd_rounded(w->cost), out);
    if (w->cost.nano != MONEY_UNKNOWN) {
        buf_adds(out, w->electricity ? " of electricity" : "");
        buf_add(out, w->per);
    }
    if (w->time.ns >= 0) {
        buf_adds(out, ", ");
        span_write(w->time, out);
    }
    if (!isnan(w->energy.j)) {
        buf_adds(out, ", ");
        joule_write(w->energy, out);
    }
    if (!isnan(w->carbon.g)) {
        buf_adds(out, ", ");
        gram_co2_write(w->carbon, out);
    }
}

static bool write_summary(const struct work_facts *f, struct arena *arena, struct strs *out,
                          struct error *err)
{
    const struct work_advice *advice = f->advice.at;
    struct str *lines = arena_array(arena, struct str, SUMMARY_MAX, err);
    struct buf text = buf_new(arena->alloc, 4096);
    size_t n = 0;

    if (lines == NULL)
        return false;
    write_work_total(&f->work, &text);
    if (!buf_keep(&text, arena, &lines[n++], err))
        return false;
    text = buf_new(arena->alloc, 4096);
    write_cheapest(work_cheapest(&f->comparison, MARKET_ON_DEMAND), &text);
    write_cheapest(work_cheapest(&f->comparison, MARKET_SPOT), &text);
    if (text.len > 0)
        buf_adds(&text, f->comparison.planned     ? ", estimated"
                        : f->comparison.same_time ? ", same time assumed"
                                                  : ", modeled");
    if (!buf_keep(&text, arena, &lines[n], err))
        return false;
    n += lines[n].len > 0;
    if (f->work.advice.result.findings.len > 0) {
        text = buf_new(arena->alloc, 4096);
        buf_adds(&text, "what to change: ");
        report_findings_total(&f->work.advice.result, &text);
        if (!buf_keep(&text, arena, &lines[n++], err))
            return false;
    }
    for (size_t i = 0; i < f->advice.len && n < SUMMARY_MAX; i++) {
        text = buf_new(arena->alloc, 4096);
        buf_add(&text, advice[i].title);
        buf_adds(&text, ": ");
        buf_add(&text, advice[i].improvement);
        if (!buf_keep(&text, arena, &lines[n++], err))
            return false;
    }
    *out = (struct strs){lines, n};
    return true;
}

/* ---- files ---- */

static bool add_work_json(const struct work_facts *f, struct report *report, struct error *err)
{
    struct buf text = buf_new(report->arena->alloc, BUF_MAX_OUTPUT);

    if (!work_json(f, report->arena, &text, err)) {
        buf_free(&text);
        return false;
    }
    return report_files_add(&report->files, "cost_analysis.json", &text, report->arena, err);
}

static bool add_work_document(const struct work_facts *f, const struct work_sheets *sheets,
                              struct report *report, struct error *err)
{
    struct arena *arena = report->arena;
    struct buf html = buf_new(arena->alloc, BUF_MAX_OUTPUT);
    struct buf markdown = buf_new(arena->alloc, BUF_MAX_OUTPUT);

    if (!work_document(f, sheets, arena, &html, &markdown, err) ||
        !report_files_add(&report->files, "report.html", &html, arena, err)) {
        buf_free(&html);
        buf_free(&markdown);
        return false;
    }
    return report_files_add(&report->files, "report.md", &markdown, arena, err);
}

static bool mark_demo(struct work_facts *f, struct arena *arena, struct error *err)
{
    struct buf text = buf_new(arena->alloc, BUF_MAX_OUTPUT);

    buf_add(&text, f->title);
    buf_adds(&text, " (demo data)");
    return buf_keep(&text, arena, &f->title, err);
}

/* What is computed and written about it. */
static bool describe_work(struct work_facts *f, struct report *report, struct error *err)
{
    f->title = f->work.name;
    f->now = report->now;
    if (f->work.electricity && f->work.cost.nano == MONEY_UNKNOWN) {
        f->work.cost = f->comparison.local;
        f->work.price_source = f->comparison.local_method;
        f->work.rate = usd_per_hour_from(usd_double(f->work.cost), f->work.time);
    }
    if (report->demo && !mark_demo(f, report->arena, err))
        return false;
    return work_advise(&f->work, &f->comparison, report->arena, &f->advice, err) &&
           write_subtitle(f, report->arena, err) && write_footer(f, report, err) &&
           report_mark_footer(report->demo, report->arena, &f->footer, err);
}

bool work_report(struct work_facts *f, struct report *report, struct error *err)
{
    struct work_sheets sheets = {0};

    if (!describe_work(f, report, err))
        return false;
    sheets.dashboard = work_dashboard(f, report->arena, err);
    if (sheets.dashboard == NULL)
        return false;
    sheets.comparison = work_comparison_sheet(f, report->arena, err);
    return sheets.comparison != NULL &&
           work_metrics_sheet(f, report->arena, &sheets.metrics, err) &&
           write_summary(f, report->arena, &report->summary, err) &&
           add_work_json(f, report, err) &&
           report_add_figure(report, "cost_dashboard", sheets.dashboard, true, err) &&
           report_add_figure(report, "cost_comparison", sheets.comparison, false, err) &&
           (sheets.metrics == NULL ||
            report_add_figure(report, "metrics", sheets.metrics, false, err)) &&
           add_work_document(f, &sheets, report, err);
}
