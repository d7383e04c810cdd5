/* One run: what it cost and why, what it did over time. */
#include <math.h>
#include <string.h>

#include "base/num.h"
#include "op/advise/advise.h"
#include "op/advise/why.h"
#include "op/runs/show.h"
#include "report/records.h"
#include "serve/view.h"
#include "unit/energy.h"
#include "unit/shown.h"

#define METRICS 64 /* figures of metrics */
#define EVENTS 200 /* rows of events, checkpoints and prices */

/* ---- the numbers above ---- */

static struct str cost_note(struct visit *v, const struct ledger_run *run)
{
    struct str share = page_used(v, run->budget_share), budget = page_usd(v, run->start.budget);

    if (run->totals.cost.nano == MONEY_UNKNOWN)
        return STR("the machine's price is not known");
    return budget.len > 0
               ? page_text(v, "%.*s of its budget of %.*s", STR_ARG(share), STR_ARG(budget))
               : run->start.price_source;
}

static struct str estimate_note(struct visit *v, const struct run_review *r)
{
    struct buf note = page_buf(v);

    if (!isnan(r->cost_over_estimate))
        buf_addf(&note, "it cost %s %s", percent_text(fabs(r->cost_over_estimate)).text,
                 r->cost_over_estimate < 0 ? "less" : "more");
    if (!isnan(r->time_over_estimate))
        buf_addf(&note, "%s %s %s", note.len > 0 ? ", took" : "it took",
                 percent_text(fabs(r->time_over_estimate)).text,
                 r->time_over_estimate < 0 ? "less" : "longer");
    return page_keep(v, &note);
}

static struct str energy_text(struct visit *v, const struct ledger_totals *t)
{
    struct buf text = page_buf(v);

    if (!isnan(t->joules))
        joule_write_metered((joule){t->joules}, &text);
    return page_keep(v, &text);
}

static struct str state_note(struct visit *v, const struct ledger_run *run)
{
    struct buf note = page_buf(v);

    buf_add(&note, run->reason);
    if (run->state == RUN_FAILED && run->status >= 0)
        buf_addf(&note, "%sexit status %d", note.len > 0 ? ", " : "", run->status);
    if (run->attempt_count > 1)
        buf_addf(&note, "%s%d attempts", note.len > 0 ? ", " : "", run->attempt_count);
    if (run->interruptions > 0)
        buf_addf(&note, ", %d interrupted", run->interruptions);
    return page_keep(v, &note);
}

static void write_run_facts(struct visit *v, const struct show_result *s)
{
    const struct ledger_run *run = &s->run;
    const struct ledger_totals *t = &run->totals;
    struct str watts = page_watts(v, s->review.mean_watts);
    struct page_fact facts[] = {
        {.label = "State",
         .value = str_from(ledger_state_word(run->state, run->reason)),
         .note = state_note(v, run),
         .style = run_style(run)},
        {.label = "Cost", .value = page_usd_fine(v, t->cost), .note = cost_note(v, run)},
        {.label = "Time",
         .value = page_span(v, t->elapsed),
         .note = page_text(v, "since %.*s", STR_ARG(page_time(v, run->start.started)))},
        {.label = "Estimate",
         .value = page_estimate(v, run->start.estimated_cost),
         .note = estimate_note(v, &s->review)},
        {.label = "GPU use",
         .value = page_share(v, t->gpu_busy),
         .note = page_text(v, "%.*s", STR_ARG(t->gpu))},
        {.label = "Energy",
         .value = energy_text(v, t),
         .note = watts.len > 0 ? page_text(v, "%.*s on average, %.*s", STR_ARG(watts),
                                           STR_ARG(t->energy_method))
                               : STR("")},
        {.label = "Efficiency",
         .value = isnan(t->score) ? STR("") : page_text(v, "%.0f/100", t->score)},
    };

    page_facts(v, "facts", facts, ARRAY_LEN(facts));
}

/* ---- over time ---- */

/* What is looked at of its time: seconds since 1970. */
struct window {
    double from, to;
    bool zoomed;
};

#define LAST_TIME 253402300799.0 /* the end of the year 9999 */

static double attempt_start(const struct show_result *s, int attempt)
{
    const struct ledger_attempt *a = s->details.attempts.at;

    for (size_t i = 0; i < s->details.attempts.len; i++)
        if (a[i].number == attempt)
            return (double)a[i].started.s;
    return (double)s->run.start.started.s;
}

/* When something was last recorded of it. */
static double last_moment(const struct show_result *s)
{
    const struct ledger_moment *samples = s->details.samples.at;
    const struct ledger_metric *m = s->details.metrics.at;
    double last = (double)s->run.start.started.s + span_in_seconds(s->run.totals.elapsed);

    for (size_t i = 0; i < s->details.samples.len; i++)
        last = fmax(last, attempt_start(s, samples[i].attempt) + samples[i].sample.at_s);
    for (size_t i = 0; i < s->details.metrics.len; i++)
        if (m[i].times.len > 0)
            last =
                fmax(last, attempt_start(s, m[i].attempt) + m[i].times.at[m[i].times.len - 1]);
    return last;
}

/* What is asked for, as far as there is something to show. */
static struct window read_run_window(struct visit *v, const struct show_result *s)
{
    struct window all = {-INFINITY, INFINITY, false}, w = {.zoomed = true};

    if (!num_double(params_get(&v->params, "from"), &w.from) ||
        !num_double(params_get(&v->params, "to"), &w.to) || !(w.from >= 0 && w.to <= LAST_TIME))
        return all;
    w.from = fmax(w.from, (double)s->run.start.started.s);
    w.to = fmin(w.to, last_moment(s));
    return w.from < w.to ? w : all;
}

/* What a figure shows of the samples. */
static const struct sampled {
    const char *title;
    size_t offset; /* in struct ledger_sample */
    enum figure_unit unit;
    double most; /* of the axis; 0: as the values need */
} sampled[] = {
    {"Cost", offsetof(struct ledger_sample, cost), FIGURE_USD, 0},
    {"GPU use", offsetof(struct ledger_sample, gpu_busy), FIGURE_SHARE, 1},
    {"Power", offsetof(struct ledger_sample, watts), FIGURE_WATTS, 0},
    {"GPU memory, of the fullest device", offsetof(struct ledger_sample, gpu_memory),
     FIGURE_BYTES, 0},
    {"Processor cores in use", offsetof(struct ledger_sample, cpu_cores), FIGURE_NUMBER, 0},
    {"Memory", offsetof(struct ledger_sample, memory), FIGURE_BYTES, 0},
    {"Steps a second", offsetof(struct ledger_sample, rate), FIGURE_NUMBER, 0},
};

static void draw_over_time(struct visit *v, struct str title, struct figure_axis y,
                           const struct window *w, const struct figure_series *series,
                           size_t known)
{
    if (known == 0)
        return;
    page_figure_beside(v, &(struct figure){.kind = FIGURE_LINES,
                                           .title = title,
                                           .x = {.unit = FIGURE_TIME,
                                                 .from = w->zoomed ? w->from : 0,
                                                 .to = w->zoomed ? w->to : 0},
                                           .y = y,
                                           .series = series,
                                           .series_count = 1,
                                           .zoom = true});
}

/* One line through all attempts, with gaps between them. Cost adds up over attempts. */
static void draw_samples(struct visit *v, const struct show_result *s, const struct sampled *of,
                         const struct window *w)
{
    const struct ledger_moment *m = s->details.samples.at;
    size_t count = s->details.samples.len, known = 0, n = 0;
    struct error err = {0};
    struct figure_point *points =
        arena_array(&v->arena, struct figure_point, 2 * count + 1, &err);
    double before = 0, last = 0;

    for (size_t i = 0; points != NULL && i < count; i++) {
        double x = attempt_start(s, m[i].attempt) + m[i].sample.at_s, y;

        memcpy(&y, (const unsigned char *)&m[i].sample + of->offset, sizeof y);
        if (i > 0 && m[i].attempt != m[i - 1].attempt) {
            points[n++] = (struct figure_point){.x = x, .y = NAN};
            before += last;
        }
        last = isnan(y) ? last : y;
        if (of->offset == offsetof(struct ledger_sample, cost))
            y += before;
        if (x < w->from || x > w->to)
            continue;
        known += isnan(y) ? 0 : 1;
        points[n++] = (struct figure_point){.x = x, .y = y};
    }
    draw_over_time(v, str_from(of->title),
                   (struct figure_axis){.unit = of->unit, .to = of->most}, w,
                   &(struct figure_series){.at = points, .len = n}, known);
}

/* The metric of this name in all attempts. */
static void draw_run_metric(struct visit *v, const struct show_result *s, struct str name,
                            const struct window *w)
{
    const struct ledger_metric *m = s->details.metrics.at;
    size_t room = 1, known = 0, n = 0;
    struct error err = {0};
    struct figure_point *points;

    for (size_t i = 0; i < s->details.metrics.len; i++)
        room += str_eq(m[i].name, name) ? m[i].values.len + 1 : 0;
    points = arena_array(&v->arena, struct figure_point, room, &err);
    for (size_t i = 0; points != NULL && i < s->details.metrics.len; i++) {
        double begun = attempt_start(s, m[i].attempt);

        for (size_t k = 0; str_eq(m[i].name, name) && k < m[i].values.len; k++) {
            double x = begun + m[i].times.at[k];

            if (k >= m[i].times.len || x < w->from || x > w->to)
                continue;
            known += isnan(m[i].values.at[k]) ? 0 : 1;
            points[n++] = (struct figure_point){.x = x, .y = m[i].values.at[k]};
        }
        if (str_eq(m[i].name, name))
            points[n++] = (struct figure_point){.x = NAN, .y = NAN};
    }
    draw_over_time(v, name, (struct figure_axis){.free = true}, w,
                   &(struct figure_series){.at = points, .len = n}, known);
}

static void write_window(struct visit *v, const struct window *w)
{
    struct str from = page_time(v, (stamp){(int64_t)w->from});
    struct str to = page_time(v, (stamp){(int64_t)w->to});

    buf_adds(&v->out, "<p class=\"remark\">Shown is ");
    html_element(&v->out, "", page_text(v, "%.*s to %.*s.", STR_ARG(from), STR_ARG(to)),
                 " <a href=\"");
    html_text(v->path, &v->out);
    buf_adds(&v->out, "\" data-swap>Show all of it</a></p>\n");
}

static void write_over_time(struct visit *v, const struct show_result *s)
{
    const struct ledger_metric *m = s->details.metrics.at;
    struct window w = read_run_window(v, s);
    size_t drawn = 0;

    buf_adds(&v->out, "<section id=\"time\" data-part aria-label=\"Over time\">\n");
    if (w.zoomed)
        write_window(v, &w);
    page_figures(v);
    for (size_t i = 0; i < ARRAY_LEN(sampled); i++)
        draw_samples(v, s, &sampled[i], &w);
    for (size_t i = 0; i < s->details.metrics.len && drawn < METRICS; i++) {
        bool seen = false;

        for (size_t k = 0; k < i; k++)
            seen = seen || str_eq(m[k].name, m[i].name);
        if (!seen)
            draw_run_metric(v, s, m[i].name, &w);
        drawn += !seen;
    }
    page_figures_end(v);
    if (s->details.samples.len > 0)
        buf_adds(
            &v->out,
            "<p class=\"sub\">Times are UTC. <span class=\"with-mouse\">Drag over a figure to "
            "look closer.</span></p>\n");
    buf_adds(&v->out, "</section>\n");
}

/* ---- devices ---- */

static bool write_device_used(const struct column *column, const void *row, struct buf *out)
{
    const struct device_use *use = row;

    (void)column;
    buf_adds(out, use->device.used ? "used" : "not used");
    return true;
}

static void remark_idle_devices(struct visit *v, const struct idle_devices *idle)
{
    struct buf text = page_buf(v);

    idle_devices_write_cost(idle, &text);
    buf_addf(&text, ", if the price is that of all %d", idle->devices);
    page_remark(v, STYLE_WARN, page_keep(v, &text));
}

/* Each GPU beside the others: one that is idle is seen at once. */
static void write_run_devices(struct visit *v, const struct show_result *s)
{
    static const struct column columns[] = {
        COLUMN("attempt", attempt, .if_any = true),
        COLUMN("GPU", number),
        COLUMN("name", name, .unknown = "", .optional = true),
        COLUMN("busy", busy),
        COLUMN("time with work", busy_share),
        COLUMN("memory", memory_bytes),
        COLUMN("at most", memory_peak_bytes, .optional = true),
        COLUMN("power (W)", watts, .decimals = 0, .optional = true),
        COLUMN("idle since (UTC)", idle_since, .unknown = ""),
        COLUMN("", used, .cell = write_device_used),
    };

    if (s->devices.len < 2)
        return;
    page_section(v, "devices", STR("GPUs"), true);
    if (s->idle.idle > 0)
        remark_idle_devices(v, &s->idle);
    page_table(v, &(struct page_table){
                      .id = "devices",
                      .caption = STR("Each GPU that the run could use, on average over time"),
                      .columns = COLUMNS(columns),
                      .rows = {&device_use_fields, s->devices.at, s->devices.len}});
    page_section_end(v);
}

/* ---- tables ---- */

static void write_part_tables(struct visit *v, const struct show_result *s)
{
    static const struct column columns[] = {
        COLUMN("part", item),
        COLUMN("cost", cost, .form = COLUMN_FINE),
        COLUMN("share", share),
    };

    page_section(v, "parts", STR("What it paid for"), false);
    page_table(v, &(struct page_table){
                      .id = "parts",
                      .caption = STR("By kind of cost"),
                      .columns = COLUMNS(columns),
                      .rows = {&run_part_fields, s->review.costs.at, s->review.costs.len},
                      .none = "The cost is not known."});
    page_section_end(v);
    page_section(v, "phases", STR("Phases"), false);
    page_table(v, &(struct page_table){
                      .id = "phases",
                      .caption = STR("Compute, by what the run was doing"),
                      .columns = COLUMNS(columns),
                      .rows = {&run_part_fields, s->review.phases.at, s->review.phases.len},
                      .none = "Phases were not recorded."});
    page_section_end(v);
}

static void write_why_section(struct visit *v, const struct show_result *s)
{
    static const struct column columns[] = {
        COLUMN("cause", name),
        COLUMN("adds", amount, .form = COLUMN_CHANGE),
        COLUMN("", detail, .unknown = ""),
    };
    struct why_request req;
    const struct why_result *why;
    struct error err = {0};

    page_section(v, "why", STR("Why it cost that"), false);
    if (s->run.totals.cost.nano != MONEY_UNKNOWN && s->run.state != RUN_RUNNING &&
        view_request(v, &op_why, &req, &err)) {
        req.of = view_one(v, str_from(s->run.start.id));
        why = view_try(v, &op_why, &req);
        if (why != NULL)
            page_table(v, &(struct page_table){
                              .id = "why",
                              .caption = why->from.len > 0 ? page_text(v, "Compared with %.*s",
                                                                       STR_ARG(why->from))
                                                           : STR("Where the money went"),
                              .columns = COLUMNS(columns),
                              .rows = field_rows(op_why.result, "parts", why),
                              .sorted = true});
        if (why != NULL && why->explained.advice.len > 0)
            html_element(&v->out, "<p>", why->explained.advice, "</p>\n");
    } else {
        buf_adds(&v->out, "<p class=\"sub\">Known when it has ended and its cost is "
                          "known.</p>\n");
    }
    page_section_end(v);
}

static void write_action(struct visit *v, const void *row)
{
    const struct finding *f = row;

    if (f->action.len > 0)
        html_element(&v->out, "<div class=\"below\"><code>", f->action, "</code></div>");
}

static void write_run_findings(struct visit *v, const struct show_result *s)
{
    static const struct column columns[] = {
        COLUMN("what to change", title),
        COLUMN("savings", savings, .form = COLUMN_ESTIMATE),
        COLUMN("effort", effort),
    };
    struct advise_request req;
    const struct advise_result *a = NULL;
    struct error err = {0};

    page_section(v, "findings", STR("Findings"), false);
    if (s->run.state != RUN_RUNNING && view_request(v, &op_advise, &req, &err)) {
        req.source.job = str_from(s->run.start.id);
        a = view_try(v, &op_advise, &req);
    }
    if (a != NULL)
        page_table(v, &(struct page_table){.id = "findings",
                                           .caption = STR("Savings of a run like this one"),
                                           .columns = COLUMNS(columns),
                                           .below = write_action,
                                           .rows = field_rows(op_advise.result, "findings", a),
                                           .none = "No change would save much."});
    else if (s->run.state == RUN_RUNNING)
        buf_adds(&v->out, "<p class=\"sub\">Known when it has ended.</p>\n");
    page_section_end(v);
}

static void write_happened(struct visit *v, const struct show_result *s)
{
    static const struct column events[] = {
        COLUMN("time (UTC)", at, .form = COLUMN_SECONDS),
        COLUMN("attempt", attempt, .if_any = true),
        COLUMN("event", kind),
        COLUMN("", text, .unknown = ""),
    };
    static const struct column checkpoints[] = {
        COLUMN("time (UTC)", at, .optional = true),
        COLUMN("path", path),
        COLUMN("step", step),
        COLUMN("metric", metric, .decimals = 4, .if_any = true),
        COLUMN("cost until then", cost, .form = COLUMN_FINE),
        COLUMN("", kept, .yes = "kept"),
        COLUMN("", best, .yes = "best", .if_any = true),
    };
    static const struct column attempts[] = {
        COLUMN("attempt", number),
        COLUMN("state", state),
        COLUMN("started (UTC)", started, .optional = true),
        COLUMN("time", duration),
        COLUMN("cost", cost, .form = COLUMN_FINE),
        COLUMN("per hour", price),
        COLUMN("machine", host, .unknown = "", .optional = true),
        COLUMN("offer", offer, .unknown = "", .optional = true),
        COLUMN("why it ended", reason, .unknown = ""),
    };

    page_section(v, "attempts", STR("Attempts"), true);
    page_table(v, &(struct page_table){.id = "attempts",
                                       .caption = STR("Each start of the command"),
                                       .columns = COLUMNS(attempts),
                                       .rows = {&ledger_attempt_fields, s->details.attempts.at,
                                                s->details.attempts.len},
                                       .most = EVENTS});
    page_section_end(v);
    page_section(v, "checkpoints", STR("Checkpoints"), true);
    page_table(
        v, &(struct page_table){.id = "checkpoints",
                                .caption = STR("Seen in the watched folder"),
                                .columns = COLUMNS(checkpoints),
                                .rows = {&ledger_checkpoint_fields, s->details.checkpoints.at,
                                         s->details.checkpoints.len},
                                .most = EVENTS,
                                .none = "No checkpoint was seen."});
    page_section_end(v);
    page_section(v, "events", STR("Events"), true);
    page_table(v, &(struct page_table){.id = "events",
                                       .caption = STR("In order of time"),
                                       .columns = COLUMNS(events),
                                       .rows = {&ledger_event_fields, s->details.events.at,
                                                s->details.events.len},
                                       .most = EVENTS,
                                       .none = "No event was recorded."});
    page_section_end(v);
}

static void write_run_detail(struct visit *v, const char *label, struct str value)
{
    if (value.len == 0)
        return;
    buf_addf(&v->out, "<dt>%s</dt>", label);
    html_element(&v->out, "<dd>", value, "</dd>\n");
}

static struct str join_texts(struct visit *v, struct strs texts)
{
    struct buf text = page_buf(v);

    for (size_t i = 0; i < texts.len; i++) {
        buf_adds(&text, i > 0 ? ", " : "");
        buf_add(&text, texts.at[i]);
    }
    return page_keep(v, &text);
}

static void write_details(struct visit *v, const struct ledger_run *run)
{
    page_section(v, "details", STR("Details"), true);
    buf_adds(&v->out, "<dl class=\"keys\">\n");
    write_run_detail(v, "Id", str_from(run->start.id));
    write_run_detail(v, "Command", run->start.command);
    write_run_detail(v, "Folder", run->start.folder);
    write_run_detail(v, "Commit", run->start.commit);
    write_run_detail(v, "User", run->start.user);
    write_run_detail(v, "Machine", run->start.host);
    write_run_detail(v, "Offer", run->start.offer);
    write_run_detail(v, "Market", run->start.market);
    write_run_detail(v, "Price", page_rate(v, run->start.rate));
    write_run_detail(v, "Tags", join_texts(v, run->start.tags));
    write_run_detail(v, "Environment", join_texts(v, run->start.facts));
    buf_adds(&v->out, "</dl>\n");
    page_section_end(v);
}

static void write_run_verdict(struct visit *v, const struct show_result *s)
{
    buf_adds(&v->out, "<div id=\"verdict\" data-part>\n");
    for (size_t i = 0; i < s->review.verdict.len; i++)
        page_remark(v, STYLE_PLAIN, s->review.verdict.at[i]);
    buf_adds(&v->out, "</div>\n");
}

bool view_run(struct visit *v, struct error *err)
{
    struct show_request req = {.run = v->rest};
    struct show_result *s = arena_array(&v->arena, struct show_result, 1, err);

    if (s == NULL || !visit_run(v, &op_show, &req, s, err))
        return false;
    page_begin(v, s->run.start.name.len > 0 ? s->run.start.name : STR("Run"), "/runs");
    write_run_facts(v, s);
    write_run_verdict(v, s);
    write_over_time(v, s);
    write_run_devices(v, s);
    page_cards(v);
    write_part_tables(v, s);
    write_why_section(v, s);
    if (v->caller.team[0] == '\0') /* they compare with the runs of others */
        write_run_findings(v, s);
    page_cards_end(v);
    write_happened(v, s);
    write_details(v, &s->run);
    return page_end(v, err);
}
