/* The report about a piece of work as a document: report.html and report.md. */
#include <math.h>

#include "render/document.h"
#include "report/work_facts.h"
#include "unit/shown.h"

#define FACTS_MAX 10

static struct str work_usd_text(struct document *d, usd amount)
{
    struct buf text = buf_new(d->arena->alloc, 256);

    if (amount.nano != MONEY_UNKNOWN)
        usd_write_estimate(amount, &text);
    return document_keep(d, &text);
}

/* ---- the facts ---- */

static struct document_fact cost_fact(struct document *d, const struct work_facts *f)
{
    const struct report_work *w = &f->work;
    struct buf text = buf_new(d->arena->alloc, 256);
    struct buf note = buf_new(d->arena->alloc, 1024);

    if (w->rate.nano != MONEY_UNKNOWN) {
        usd_per_hour_write(w->rate, &note);
        buf_adds(&note, w->price_source.len > 0 ? ", " : "");
    }
    buf_add(&note, w->cost.nano != MONEY_UNKNOWN ? w->price_source
                                                 : work_reason(f, "training", "cost_usd"));
    if (w->cost.nano != MONEY_UNKNOWN && !w->modeled)
        usd_write(usd_rounded(w->cost), &text);
    else if (w->cost.nano != MONEY_UNKNOWN)
        usd_write_estimate(w->cost, &text);
    buf_add(&text, w->cost.nano != MONEY_UNKNOWN ? w->per : STR(""));
    return (struct document_fact){STR("Cost"), document_keep(d, &text),
                                  document_keep(d, &note)};
}

static struct document_fact time_fact(struct document *d, const struct work_facts *f)
{
    struct buf text = buf_new(d->arena->alloc, 256);

    if (f->work.time.ns >= 0)
        span_write(f->work.time, &text);
    return (struct document_fact){
        STR("Time"), document_keep(d, &text),
        f->work.time.ns >= 0 ? f->work.time_method : work_reason(f, "training", "time_hours")};
}

static struct document_fact energy_fact(struct document *d, const struct work_facts *f)
{
    const struct report_work *w = &f->work;
    struct buf text = buf_new(d->arena->alloc, 256), note = buf_new(d->arena->alloc, 512);

    if (isnan(w->energy.j)) {
        buf_add(&note, work_reason(f, "training", "energy_kwh"));
    } else {
        joule_write_metered(w->energy, &text);
        buf_add(&note, w->energy_method);
        if (!isnan(w->energy_error))
            buf_addf(&note, ", within %s", percent_text(w->energy_error).text);
    }
    return (struct document_fact){STR("Energy"), document_keep(d, &text),
                                  document_keep(d, &note)};
}

static struct document_fact carbon_fact(struct document *d, const struct work_facts *f)
{
    struct buf text = buf_new(d->arena->alloc, 256);
    bool known = !isnan(f->work.carbon.g);

    if (known)
        gram_co2_write_metered(f->work.carbon, &text);
    return (struct document_fact){STR("Carbon"), document_keep(d, &text),
                                  known ? f->work.carbon_method
                                        : work_reason(f, "environmental", "carbon_kg")};
}

static struct document_fact score_fact(struct document *d, const struct work_facts *f)
{
    double score = f->work.score;

    return (struct document_fact){
        STR("Efficiency"), isnan(score) ? STR("") : document_text(d, "%.0f of 100", score),
        isnan(score) ? work_reason(f, "efficiency", "efficiency_score")
                     : STR("paid time spent usefully: training, busy, at full clock")};
}

static struct document_fact option_fact(struct document *d, const struct work_facts *f,
                                        const char *label, enum market market)
{
    const struct work_option *o = work_cheapest(&f->comparison, market);
    struct buf note = buf_new(d->arena->alloc, 1024);

    if (o == NULL) {
        buf_add(&note, work_reason(f, "training", "cheapest_usd"));
    } else {
        buf_add(&note, o->offer);
        if (o->gpus > 0)
            buf_addf(&note, ", %lldx %.*s", (long long)o->gpus, STR_ARG(o->accelerator));
        else
            buf_addf(&note, ", %.3g vCPUs", o->vcpus);
        if (!isnan(o->hours)) {
            buf_adds(&note, ", in ");
            span_write((span){llround(o->hours * 3600) * SECOND}, &note);
        }
        buf_adds(&note, f->comparison.planned     ? " (estimated)"
                        : f->comparison.same_time ? " (assumed)"
                                                  : " (modeled)");
        buf_adds(&note, ", price from ");
        day_write(o->date, &note);
    }
    return (struct document_fact){str_from(label),
                                  work_usd_text(d, o != NULL ? o->cost : USD_UNKNOWN),
                                  document_keep(d, &note)};
}

static void write_work_facts(struct document *d, const struct work_facts *f, struct error *err)
{
    struct document_fact *facts = arena_array(d->arena, struct document_fact, FACTS_MAX, err);
    size_t n = 0;

    d->failed = d->failed || facts == NULL;
    if (d->failed)
        return;
    facts[n++] = cost_fact(d, f);
    if (f->work.estimated.nano != MONEY_UNKNOWN)
        facts[n++] = (struct document_fact){
            STR("Estimate"), work_usd_text(d, f->work.estimated), STR("before it began")};
    if (f->work.per.len == 0)
        facts[n++] = time_fact(d, f);
    facts[n++] = energy_fact(d, f);
    facts[n++] = carbon_fact(d, f);
    if (str_eq(f->work.kind, STR("run")))
        facts[n++] = score_fact(d, f);
    facts[n++] = option_fact(d, f, "Cheapest on demand", MARKET_ON_DEMAND);
    facts[n++] = option_fact(d, f, "Cheapest on spot", MARKET_SPOT);
    document_facts(d, facts, n);
}

/* ---- the tables ---- */

static void write_advice(struct document *d, const struct work_facts *f)
{
    static const struct column columns[] = {
        COLUMN("what to do", recommendation),
        COLUMN("savings", savings, .form = COLUMN_ESTIMATE),
        COLUMN("priority", priority),
        COLUMN("effort", implementation_effort),
        COLUMN("command", code_example, .unknown = ""),
    };
    static const struct columns list = {.at = columns, .len = ARRAY_LEN(columns)};

    if (f->work.advice.command.len > 0 && f->work.cost.nano != MONEY_UNKNOWN) {
        report_findings_document(d, &f->work.advice);
        return;
    }
    document_heading(d, 2, STR("What to change"));
    if (f->advice.len == 0) {
        document_paragraph(d, f->work.cost.nano == MONEY_UNKNOWN
                                  ? STR("The cost is not known, so no saving can be computed.")
                                  : STR("No change would save 5 % or more of the cost, by what "
                                        "was recorded."));
        return;
    }
    document_table(d,
                   &(struct document_table){
                       .caption = STR("Computed from this run and today's prices; savings do "
                                      "not add up"),
                       .columns = &list,
                       .rows = {&work_advice_fields, f->advice.at, f->advice.len}});
}

/* "The cost was as predicted, within 10 %. The time was ..." */
static void write_work_verdict(struct document *d, const struct work_facts *f)
{
    struct buf text = buf_new(d->arena->alloc, 8192);

    for (size_t i = 0; i < f->work.verdict.len; i++) {
        struct str line = f->work.verdict.at[i];

        if (line.len == 0)
            continue;
        buf_adds(&text, i > 0 ? " " : "");
        buf_char(&text, (char)(line.at[0] >= 'a' && line.at[0] <= 'z' ? line.at[0] - 'a' + 'A'
                                                                      : line.at[0]));
        buf_add(&text, (struct str){line.at + 1, line.len - 1});
        buf_char(&text, '.');
    }
    if (text.len > 0)
        document_paragraph(d, document_keep(d, &text));
    else
        buf_free(&text);
}

static void write_work_parts(struct document *d, const struct work_facts *f)
{
    static const struct column columns[] = {
        COLUMN("part", item),
        COLUMN("cost", cost, .form = COLUMN_FINE),
        COLUMN("share", share),
    };
    static const struct columns list = {.at = columns, .len = ARRAY_LEN(columns)};

    if (f->work.costs.len == 0 && f->work.phases.len == 0)
        return;
    document_heading(
        d, 2, f->work.modeled ? STR("Where the money goes") : STR("Where the money went"));
    if (f->work.costs.len > 0)
        document_table(d, &(struct document_table){
                              .caption = STR("By kind of cost"),
                              .columns = &list,
                              .rows = {&run_part_fields, f->work.costs.at, f->work.costs.len}});
    if (f->work.phases.len > 0)
        document_table(d,
                       &(struct document_table){
                           .caption = STR("Compute, by what the run was doing"),
                           .columns = &list,
                           .rows = {&run_part_fields, f->work.phases.at, f->work.phases.len}});
    write_work_verdict(d, f);
}

static void write_options(struct document *d, const struct work_facts *f,
                          const struct figure_sheet *sheet)
{
    static const struct column columns[] = {
        COLUMN("market", market),
        COLUMN("machine", offer),
        COLUMN("GPU", accelerator, .if_any = true),
        COLUMN("GPUs", gpus, .if_any = true),
        COLUMN("vCPUs", vcpus, .if_any = true),
        COLUMN("time", hours, .form = COLUMN_HOURS),
        COLUMN("cost", cost, .form = COLUMN_ESTIMATE),
        COLUMN("low", cost_low, .form = COLUMN_ESTIMATE, .if_any = true),
        COLUMN("high", cost_high, .form = COLUMN_ESTIMATE, .if_any = true),
        COLUMN("price from", date),
    };
    static const struct columns list = {.at = columns, .len = ARRAY_LEN(columns)};

    document_heading(d, 2, STR("The same work elsewhere"));
    if (f->no_options.len > 0) {
        document_note(d, DOCUMENT_NOTE, f->no_options);
        return;
    }
    document_paragraph(
        d,
        f->comparison.cpus
            ? STR("It used no GPU. Machines without GPUs that have as many vCPUs as cores "
                  "were busy on average, and enough memory, are assumed to take the same "
                  "time. Prices are for that time, with billing steps; ARM machines are left "
                  "out.")
        : f->comparison.same_time
            ? STR("The GPU is not known, so every machine is assumed to take the same time. "
                  "Prices are of complete machines for that time, with billing steps.")
            : STR("Times on other GPUs are modeled from their data sheets: they scale by a "
                  "factor between the ratio of the peaks and the ratio of the memory "
                  "bandwidths. Prices are of complete machines for that time, with billing "
                  "steps; old prices come later. Machines with ARM processors are left out, "
                  "unless the job ran on one. Spot is without interruptions."));
    document_figure(d, STR("cost_comparison.svg"), sheet,
                    STR("The same work on every provider and market"));
    document_table(d, &(struct document_table){
                          .caption = STR("The cheapest machine of each provider and market"),
                          .columns = &list,
                          .rows = {&work_option_fields, f->comparison.options.at,
                                   f->comparison.options.len}});
}

bool work_document(const struct work_facts *f, const struct work_sheets *sheets,
                   struct arena *arena, struct buf *html, struct buf *markdown,
                   struct error *err)
{
    struct document d = document_new(f->title, arena);

    d.subtitle = f->subtitle;
    d.footer = f->footer;
    write_work_facts(&d, f, err);
    document_figure(&d, STR("cost_dashboard.svg"), sheets->dashboard, STR("Cost at a glance"));
    write_advice(&d, f);
    write_work_parts(&d, f);
    work_metrics_section(&d, f, sheets->metrics);
    write_options(&d, f, sheets->comparison);
    document_html(&d, html);
    document_markdown(&d, markdown);
    return buf_ok(html, err) && buf_ok(markdown, err);
}
