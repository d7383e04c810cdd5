/* A report of a month: spend, forecast, budgets, anomalies, movers, utilization, savings. */
#include <math.h>
#include <stdlib.h>

#include "base/num.h"
#include "report/month.h"
#include "report/records.h"
#include "report/report.h"
#include "unit/shown.h"

#define FACTS_MOST 9

/* ---- texts ---- */

static struct str money_text(struct document *d, const struct money *m)
{
    struct buf text = buf_new(d->arena->alloc, 256);

    if (!currency_unset(m->currency))
        money_write_cents(m, &text);
    return document_keep(d, &text);
}

static struct str estimate_text(struct document *d, const struct money *m)
{
    struct buf text = buf_new(d->arena->alloc, 256);

    if (!currency_unset(m->currency))
        value_estimate(decimal_double(m->amount), m->currency, &text);
    return document_keep(d, &text);
}

static struct str change_text(struct document *d, const struct costs_mover *m)
{
    struct buf text = buf_new(d->arena->alloc, 256);

    value_money_change(&m->change, &text);
    if (isfinite(m->percent)) {
        buf_adds(&text, " (");
        value_change(m->percent, &text);
        buf_char(&text, ')');
    }
    return document_keep(d, &text);
}

static struct str share_text(struct document *d, double share)
{
    struct buf text = buf_new(d->arena->alloc, 64);

    if (!isnan(share))
        value_share(share, &text);
    return document_keep(d, &text);
}

/* ---- facts ---- */

static void fact_of_spend(const struct month *m, struct document *d, struct document_fact *out)
{
    const struct costs_total *total = month_total(m);
    struct buf note = buf_new(d->arena->alloc, 1024);

    *out = (struct document_fact){.label = STR("Spend")};
    if (total != NULL)
        out->value = money_text(d, &total->amount);
    buf_addf(&note, "%.*s cost", STR_ARG(m->cost));
    if (total != NULL && total->metered.amount.coefficient != 0) {
        buf_adds(&note, ", of which ");
        money_write_cents(&total->metered, &note);
        buf_adds(&note, " metered and not billed yet");
    }
    if (m->unpriced > 0)
        buf_addf(&note, "; without %lld run%s whose cost is unknown", (long long)m->unpriced,
                 m->unpriced == 1 ? "" : "s");
    out->note = document_keep(d, &note);
}

/* The change of everything in the currency; NULL: nothing is known of the month before. */
static const struct costs_mover *total_change(const struct month *m)
{
    const struct costs_mover *totals = m->movers.totals.at;

    for (size_t i = 0; m->movers.before.known && i < m->movers.totals.len; i++)
        if (currency_is(totals[i].amount.currency, m->currency))
            return &totals[i];
    return NULL;
}

static void fact_of_change(const struct month *m, struct document *d, struct document_fact *out)
{
    const struct costs_mover *change = total_change(m);
    struct buf note = buf_new(d->arena->alloc, 1024);

    *out = (struct document_fact){.label = STR("Change from the month before"),
                                  .note = STR("nothing is recorded of the month before")};
    if (change != NULL) {
        out->value = change_text(d, change);
        money_write_cents(&change->before, &note);
        buf_adds(&note, " from ");
        day_write(m->movers.before.since, &note);
        buf_adds(&note, " to ");
        day_write(m->movers.before.until, &note);
        buf_adds(&note, ", without credits");
        out->note = document_keep(d, &note);
    } else {
        buf_free(&note);
    }
}

static void fact_of_forecast(const struct month *m, struct document *d,
                             struct document_fact *out)
{
    const struct forecast_row *totals = m->forecast.totals.at;

    *out = (struct document_fact){.label = STR("Forecast of the month"),
                                  .note = STR("there is too little data")};
    for (size_t i = 0; i < m->forecast.totals.len; i++) {
        const struct forecast_row *t = &totals[i];
        struct buf note = buf_new(d->arena->alloc, 256);

        if (!currency_is(t->spent.currency, m->currency)) {
            buf_free(&note);
            continue;
        }
        out->value = estimate_text(d, &t->forecast);
        if (t->problem.len > 0) {
            buf_add(&note, t->problem);
        } else {
            buf_adds(&note, "80 % range ");
            buf_add(&note, estimate_text(d, &t->low));
            buf_adds(&note, " to ");
            buf_add(&note, estimate_text(d, &t->high));
            buf_addf(&note, ", %lld days left", (long long)m->forecast.days_left);
        }
        out->note = document_keep(d, &note);
    }
}

static void fact_of_budgets(const struct month *m, struct document *d,
                            struct document_fact *out)
{
    const struct budget_view *views = m->budgets.at;
    size_t spent = 0, unknown = 0;

    for (size_t i = 0; i < m->budgets.len; i++) {
        unknown += budget_level(&views[i].is) == BUDGET_NOT_EVALUATED;
        spent += budget_level(&views[i].is) == BUDGET_SPENT;
    }
    if (unknown > 0) {
        *out = (struct document_fact){
            .label = STR("Budgets"),
            .value = spent > 0 ? document_text(d, "%zu of %zu spent", spent, m->budgets.len)
                               : (struct str){0},
            .note = document_text(d, "%zu could not be evaluated: see below", unknown)};
        return;
    }
    *out = (struct document_fact){
        .label = STR("Budgets"),
        .value = spent > 0
                     ? document_text(d, "%zu of %zu spent", spent, m->budgets.len)
                     : document_text(d, "%zu of %zu kept", m->budgets.len, m->budgets.len),
        .note = m->running ? STR("as of now") : STR("at the end of the month")};
}

static void fact_of_gpus(const struct month *m, struct document *d, struct document_fact *out)
{
    const struct costs_gpus_row *t = &m->gpus.total;
    struct buf note = buf_new(d->arena->alloc, 256);

    *out = (struct document_fact){.label = STR("GPU utilization"),
                                  .value = share_text(d, t->busy)};
    value_count(t->gpu_hours, &note);
    buf_adds(&note, " GPU-hours of runs");
    if (isnan(t->busy))
        buf_adds(&note, "; their use was not measured");
    else if (t->idle.nano != MONEY_UNKNOWN) {
        buf_adds(&note, ", metered; ");
        money_write_cents(
            &(const struct money){.amount = {t->idle.nano, 9}, .currency = currency_usd},
            &note);
        buf_adds(&note, " paid while idle");
    }
    out->note = document_keep(d, &note);
}

static const struct costs_spot_row *spot_total(const struct month *m)
{
    const struct costs_spot_row *totals = m->spot.totals.at;

    for (size_t i = 0; i < m->spot.totals.len; i++)
        if (currency_is(totals[i].amount.currency, m->currency))
            return &totals[i];
    return NULL;
}

static void fact_of_savings(const struct month *m, struct document *d,
                            struct document_fact *out)
{
    const struct costs_spot_row *t = spot_total(m);
    struct money saved = {0};
    struct error ignored;

    *out = (struct document_fact){
        .label = STR("Savings realized"),
        .note = STR("no bill of this month has list prices to compare with")};
    if (t == NULL ||
        (currency_unset(t->saved.currency) && currency_unset(t->saved_by_commitments.currency)))
        return;
    saved = currency_unset(t->saved.currency) ? t->saved_by_commitments : t->saved;
    if (!currency_unset(t->saved.currency) &&
        !currency_unset(t->saved_by_commitments.currency) &&
        !costs_plus(&saved.amount, t->saved_by_commitments.amount, &ignored))
        return;
    out->value = money_text(d, &saved);
    out->note = STR("by spot and commitments, against the list prices of bills");
}

static void fact_of_anomalies(const struct month *m, struct document *d,
                              struct document_fact *out)
{
    *out = (struct document_fact){
        .label = STR("Anomalies"),
        .value = document_text(d, "%zu", m->anomalies.rows.len),
        .note = m->anomalies.series == m->anomalies.too_short
                    ? STR("no service has the 28 days of history that a verdict takes")
                    : document_text(d, "%lld ongoing; by service, $20 a day or more",
                                    (long long)m->anomalies.going_on)};
    if (m->anomalies.series == m->anomalies.too_short)
        out->value = (struct str){0};
}

static void fact_of_findings(const struct report_findings *advice, struct document *d,
                             struct document_fact *out)
{
    const struct advise_result *res = &advice->result;
    struct buf note = buf_new(d->arena->alloc, 256);

    *out = (struct document_fact){.label = STR("What to change")};
    if (advice->problem.len > 0) {
        buf_add(&note, advice->problem);
    } else if (res->findings.len == 0) {
        out->value = STR("nothing found");
    } else {
        struct buf value = buf_new(d->arena->alloc, 64);

        buf_adds(&value, "saves ");
        usd_write_estimate(res->total.saving, &value);
        buf_adds(&value, " a month");
        out->value = document_keep(d, &value);
        usd_write_estimate(res->total.saving_low, &note);
        buf_adds(&note, " to ");
        usd_write_estimate(res->total.saving_high, &note);
        buf_addf(&note, ", %lld finding%s together", (long long)res->total.findings,
                 res->total.findings == 1 ? "" : "s");
    }
    out->note = document_keep(d, &note);
}

/* "Spend: $12.34 (effective cost)" of each fact. */
static bool summarize_month(const struct document_fact *facts, size_t count, struct document *d,
                            struct report *report, struct error *err)
{
    struct str *lines = arena_array(d->arena, struct str, count, err);

    if (lines == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        struct buf text = buf_new(d->arena->alloc, 4096);

        buf_add(&text, facts[i].label);
        buf_adds(&text, ": ");
        buf_add(&text, facts[i].value.len > 0 ? facts[i].value : STR("unknown"));
        if (facts[i].note.len > 0) {
            buf_adds(&text, " (");
            buf_add(&text, facts[i].note);
            buf_char(&text, ')');
        }
        lines[i] = document_keep(d, &text);
    }
    report->summary = (struct strs){lines, count};
    return true;
}

static bool add_month_facts(const struct month *m, const struct report_findings *advice,
                            struct document *d, struct report *report, struct error *err)
{
    struct document_fact *facts = arena_array(d->arena, struct document_fact, FACTS_MOST, err);
    size_t n = 0;

    if (facts == NULL)
        return false;
    fact_of_spend(m, d, &facts[n++]);
    fact_of_change(m, d, &facts[n++]);
    if (m->running)
        fact_of_forecast(m, d, &facts[n++]);
    if (m->budgets.len > 0)
        fact_of_budgets(m, d, &facts[n++]);
    if (m->gpus.rows.len > 0)
        fact_of_gpus(m, d, &facts[n++]);
    fact_of_savings(m, d, &facts[n++]);
    fact_of_anomalies(m, d, &facts[n++]);
    if (advice->problem.len > 0 || advice->result.runs > 0)
        fact_of_findings(advice, d, &facts[n++]);
    document_facts(d, facts, n);
    return summarize_month(facts, n, d, report, err);
}

/* ---- tables ---- */

/* A table by dimensions: columns made at run time live as long as the document. */
static bool add_table_by(struct document *d, const struct costs_by *by, const char *others,
                         const struct columns *more, struct document_table *table,
                         struct error *err)
{
    struct columns *columns = arena_array(d->arena, struct columns, 1, err);
    struct strs names;

    if (columns == NULL || !costs_by_names(by, d->arena, &names, err))
        return false;
    *columns = columns_by(names, others, more, d->arena);
    table->columns = columns;
    document_table(d, table);
    return true;
}

static bool add_spend_tables(const struct month *m, struct document *d, struct error *err)
{
    static const char *const captions[MONTH_BYS] = {"Spend by team", "Spend by project",
                                                    "Spend by service", "Spend by GPU"};
    static const struct column amounts[] = {
        COLUMN("cost", amount),
        COLUMN("share", share),
        COLUMN("not billed yet", metered, .if_any = true, .zero_unknown = true, .unknown = ""),
    };

    for (int i = 0; i < MONTH_BYS; i++) {
        struct document_table table = {.caption = str_from(captions[i]),
                                       .rows = m->spent[i].rows};

        if (m->spent[i].totals.len == 1) {
            table.total_label = "total";
            table.total_set = &costs_total_fields;
            table.total = m->spent[i].totals.at;
        }
        if (!add_table_by(d, &m->by[i], "others", COLUMNS(amounts), &table, err))
            return false;
    }
    return true;
}

static void add_movers(const struct month *m, struct document *d)
{
    static const struct column list[] = {
        COLUMN("dimension", dimension),
        COLUMN("value", value, .unknown = "(none)"),
        COLUMN("before", before, .unknown = "?"),
        COLUMN("now", amount, .unknown = "?"),
        COLUMN("change", change, .form = COLUMN_CHANGE, .unknown = "?"),
        COLUMN("in %", percent, .form = COLUMN_CHANGE),
    };
    static const struct columns columns = {.at = list, .len = ARRAY_LEN(list)};

    document_heading(d, 2, STR("What changed"));
    if (!m->movers.before.known) {
        document_paragraph(d, STR("Nothing is recorded of the month before."));
        return;
    }
    document_table(
        d,
        &(struct document_table){
            .caption = document_text(d, "Largest changes from %.*s", STR_ARG(m->name_before)),
            .columns = &columns,
            .rows = {&costs_mover_fields, m->movers.movers.at, m->movers.movers.len}});
}

static bool add_month_forecast(const struct month *m, struct document *d, struct error *err)
{
    static const struct column amounts[] = {
        COLUMN("spent", spent),
        COLUMN("forecast", forecast, .form = COLUMN_ESTIMATE),
        COLUMN("low", low, .form = COLUMN_ESTIMATE),
        COLUMN("high", high, .form = COLUMN_ESTIMATE),
        COLUMN("without a forecast, because", problem, .if_any = true, .unknown = ""),
    };
    struct document_table table = {.caption = STR("Forecast by team, 80 % ranges"),
                                   .rows = m->forecast.rows};

    if (!m->running)
        return true;
    document_heading(d, 2, STR("Forecast"));
    if (m->forecast.totals.len == 1) {
        table.total_label = "all";
        table.total_set = &forecast_total_fields;
        table.total = m->forecast.totals.at;
    }
    return add_table_by(d, &m->by[MONTH_TEAM], NULL, COLUMNS(amounts), &table, err);
}

static void add_month_budgets(const struct month *m, struct document *d)
{
    document_heading(d, 2, STR("Budgets"));
    if (m->budgets.len == 0)
        document_paragraph(d, STR("There is no budget ('stint budget set' creates one)."));
    else
        document_table(d, &(struct document_table){
                              .caption = m->running ? STR("Budgets as of now")
                                                    : STR("Budgets at the end of the month"),
                              .columns = &budget_columns[PLACE_REPORT],
                              .rows = {&budget_view_fields, m->budgets.at, m->budgets.len}});
}

static bool add_anomalies(const struct month *m, struct document *d, struct error *err)
{
    struct document_table table = {.caption = STR("Days of unusual spending, by service"),
                                   .rows = m->anomalies.rows};

    document_heading(d, 2, STR("Anomalies"));
    if (table.rows.len > 0)
        return add_table_by(d, &m->by[MONTH_SERVICE], NULL, &anomaly_columns[PLACE_REPORT],
                            &table, err);
    document_paragraph(
        d, document_text(d,
                         "None in %lld series of daily spending by service; %lld of them are "
                         "too short to be judged (28 days).",
                         (long long)m->anomalies.series, (long long)m->anomalies.too_short));
    return true;
}

static bool add_month_machines(const struct month *m, struct document *d, struct error *err)
{
    static const struct column gpus[] = {
        COLUMN("runs", runs),
        COLUMN("GPU-hours", gpu_hours, .decimals = 1),
        COLUMN("busy", busy, .unknown = "unknown"),
        COLUMN("cost", cost, .form = COLUMN_CENTS),
        COLUMN("paid while idle", idle, .form = COLUMN_CENTS, .unknown = "unknown"),
    };
    static const struct column spot[] = {
        COLUMN("machines", amount),
        COLUMN("on spot", spot),
        COLUMN("committed", committed),
        COLUMN("on demand", on_demand),
        COLUMN("other", other),
        COLUMN("saved by spot", saved, .unknown = "unknown"),
        COLUMN("saved by commitments", saved_by_commitments, .unknown = "unknown"),
        COLUMN("spot without list price", unknown, .if_any = true, .zero_unknown = true,
               .unknown = ""),
    };
    static const struct columns spot_columns = {.at = spot, .len = ARRAY_LEN(spot)};
    struct document_table table = {.caption = STR("GPUs of runs by team, as metered"),
                                   .rows = m->gpus.rows,
                                   .total_label = "total",
                                   .total_set = &costs_gpus_row_fields,
                                   .total = &m->gpus.total};

    document_heading(d, 2, STR("Utilization and savings"));
    if (m->gpus.rows.len == 0)
        document_paragraph(d, STR("No run on a GPU was metered in this month."));
    else if (!add_table_by(d, &m->by[MONTH_TEAM], NULL, COLUMNS(gpus), &table, err))
        return false;
    if (m->spot.totals.len > 0)
        document_table(
            d, &(struct document_table){
                   .caption = STR("How machines are paid, and what that saved"),
                   .columns = &spot_columns,
                   .rows = {&costs_spot_row_fields, m->spot.totals.at, m->spot.totals.len}});
    return true;
}

/* ---- what such teams spend ---- */

struct band_row {
    struct str size;
    usd low, high;
    struct str source;
    day date;
    bool here;
};

static const struct field band_fields[] = {
    FIELD(TEXT, band_row, size, .help = "minimal, typical or enterprise"),
    FIELD(USD, band_row, low, .help = "low end, US dollars per month"),
    FIELD(USD, band_row, high, .help = "high end, US dollars per month"),
    FIELD(TEXT, band_row, source, .help = "source of the range"),
    FIELD(DAY, band_row, date, .help = "date of the source"),
    FIELD(FLAG, band_row, here, .help = "range that contains the month"),
};
static const struct field_set band_set = FIELD_SET(struct band_row, band_fields);

static enum term_style style_of_band(const void *row)
{
    return ((const struct band_row *)row)->here ? STYLE_BOLD : STYLE_PLAIN;
}

static int compare_bands(const void *a, const void *b)
{
    return num_compare(usd_double(((const struct band_row *)a)->low),
                       usd_double(((const struct band_row *)b)->low));
}

static bool make_bands(const struct month *m, const struct spend *in, struct arena *arena,
                       struct rows *out, struct error *err)
{
    const struct rows *table = &m->catalog->tables[TABLE_SPEND];
    const struct spend *at = table->at;
    struct band_row *rows = arena_array(arena, struct band_row, table->len, err);
    size_t count = 0;

    if (rows == NULL)
        return false;
    for (size_t i = 0; i < table->len; i++)
        if (str_eq(at[i].workload, in->workload))
            rows[count++] = (struct band_row){.size = at[i].size,
                                              .low = at[i].low_usd_month,
                                              .high = at[i].high_usd_month,
                                              .source = at[i].fact.source,
                                              .date = at[i].fact.date,
                                              .here = &at[i] == in};
    if (count > 1)
        qsort(rows, count, sizeof *rows, compare_bands);
    *out = (struct rows){rows, count};
    return true;
}

/* A running month is compared by its forecast, where there is one. */
static const struct money *compared_amount(const struct month *m)
{
    const struct forecast_row *totals = m->forecast.totals.at;
    const struct costs_total *total = month_total(m);

    for (size_t i = 0; m->running && i < m->forecast.totals.len; i++)
        if (currency_is(totals[i].forecast.currency, m->currency))
            return &totals[i].forecast;
    return total != NULL ? &total->amount : NULL;
}

static bool add_bands(const struct month *m, struct document *d, struct error *err)
{
    static const struct column list[] = {
        COLUMN("size", size),
        COLUMN("from", low, .form = COLUMN_CENTS),
        COLUMN("to", high, .form = COLUMN_CENTS),
        COLUMN("this month", here, .yes = "here"),
        COLUMN("source", source),
        COLUMN("as of", date),
    };
    static const struct columns columns = {
        .at = list, .len = ARRAY_LEN(list), .style = style_of_band};
    const struct money *amount = compared_amount(m);
    const struct spend *in = amount != NULL ? month_band(m, amount) : NULL;
    const bool forecast = m->running && m->forecast.totals.len > 0;
    struct rows rows;

    document_heading(d, 2, STR("Compared with other teams"));
    if (in == NULL) {
        document_paragraph(d, amount != NULL && currency_is(amount->currency, currency_usd)
                                  ? STR("Below what even small teams spend on machine "
                                        "learning in a month (catalog, table spend).")
                                  : STR("The catalog has what teams spend in US dollars only: "
                                        "--currency USD converts."));
        return true;
    }
    if (!make_bands(m, in, d->arena, &rows, err))
        return false;
    document_paragraph(
        d, document_text(d, "%s%.*s is in the %.*s range of monthly spend on machine learning.",
                         forecast ? "The forecast of " : "",
                         STR_ARG(forecast ? estimate_text(d, amount) : money_text(d, amount)),
                         STR_ARG(in->size)));
    document_table(d,
                   &(struct document_table){.caption = STR("Total monthly ML spend of teams"),
                                            .columns = &columns,
                                            .rows = {&band_set, rows.at, rows.len}});
    return true;
}

/* ---- the document ---- */

/* Below figures: what their amounts are, and as of when. */
static struct str figure_source(const struct month *m, struct document *d)
{
    struct buf text = buf_new(d->arena->alloc, 256);

    buf_adds(&text, "Effective cost");
    if (m->billed_until.n != DAY_UNKNOWN.n) {
        buf_adds(&text, " of bills until ");
        day_write(m->billed_until, &text);
        buf_adds(&text, " and of metered runs that no bill covers.");
    } else {
        buf_adds(&text, " of metered runs.");
    }
    return document_keep(d, &text);
}

static bool add_month_figure(const struct month *m, struct report *report, struct document *d,
                             const char *stem,
                             bool (*make)(const struct month *, struct arena *, struct figure *,
                                          struct error *),
                             struct error *err)
{
    struct figure f;

    return make(m, d->arena, &f, err) &&
           report_show_figure(report, d, stem, &f, figure_source(m, d), err);
}

/* What `stint advise` finds in the month's runs. */
static bool add_month_findings(const struct report_findings *advice, struct report *report,
                               struct document *d, struct error *err)
{
    struct figure f;

    if (advice->command.len == 0) {
        document_heading(d, 2, STR("What to change"));
        document_paragraph(d, STR("Findings are about all runs, not only about those of "
                                  "--where: 'stint advise' prints them."));
        return true;
    }
    report_findings_document(d, advice);
    if (advice->result.findings.len == 0)
        return true;
    return report_findings_figure(&advice->result, d->arena, &f, err) &&
           report_show_figure(report, d, "month_findings", &f,
                              STR("Dollars a month of 30 days; ranges are 80 %."), err);
}

/* Returns what the report is about: "October 2026: team=nlp". */
static struct str add_month_heads(const struct month *m, stamp now, struct document *d)
{
    struct str about;
    struct buf where = buf_new(d->arena->alloc, 4096), sub = buf_new(d->arena->alloc, 4096),
               foot = buf_new(d->arena->alloc, 4096), title = buf_new(d->arena->alloc, 4096);

    buf_add(&where, m->name);
    for (size_t i = 0; i < m->query.where.len; i++) {
        buf_adds(&where, i == 0 ? ": " : ", ");
        buf_add(&where, m->query.where.at[i]);
    }
    about = document_keep(d, &where);
    buf_adds(&title, "Spend in ");
    buf_add(&title, about);
    d->title = document_keep(d, &title);
    day_write(m->first, &sub);
    buf_adds(&sub, " to ");
    day_write(m->last, &sub);
    buf_adds(&sub, m->running ? " (UTC); the month is not over." : " (UTC).");
    d->subtitle = document_keep(d, &sub);
    buf_adds(&foot, "Made by Stint on ");
    value_time(now, false, &foot);
    buf_adds(&foot, " UTC from the ledger's bills and from metered runs that no bill covers");
    if (m->billed_until.n != DAY_UNKNOWN.n) {
        buf_adds(&foot, "; bills until ");
        day_write(m->billed_until, &foot);
    }
    buf_char(&foot, '.');
    d->footer = document_keep(d, &foot);
    return about;
}

static void add_month_notes(const struct month *m, struct document *d)
{
    if (m->unpriced > 0)
        document_note(d, DOCUMENT_WARNING,
                      document_text(d,
                                    "%lld run%s no known price: the cost is unknown and in "
                                    "no sum.",
                                    (long long)m->unpriced,
                                    m->unpriced == 1 ? " has" : "s have"));
    if (m->spent[MONTH_TEAM].totals.len > 1)
        document_note(d, DOCUMENT_NOTE,
                      document_text(d,
                                    "There are several currencies, which are not added up. "
                                    "Figures show %s; --currency CODE converts.",
                                    m->currency.code));
}

static bool add_blocks(const struct month *m, const struct report_findings *advice,
                       struct document *d, struct report *report, struct error *err)
{
    if (!add_month_facts(m, advice, d, report, err))
        return false;
    add_month_notes(m, d);
    if (!add_month_figure(m, report, d, "month_spend", month_line_figure, err))
        return false;
    document_heading(d, 2, STR("Where the money went"));
    if (!add_month_figure(m, report, d, "month_teams", month_team_figure, err) ||
        !add_month_figure(m, report, d, "month_projects", month_project_figure, err) ||
        !add_spend_tables(m, d, err))
        return false;
    add_movers(m, d);
    if (!add_month_findings(advice, report, d, err) || !add_month_forecast(m, d, err))
        return false;
    add_month_budgets(m, d);
    return add_anomalies(m, d, err) && add_month_machines(m, d, err) && add_bands(m, d, err);
}

bool month_report(const struct month *m, const struct report_findings *advice,
                  struct report *report, struct error *err)
{
    struct document d = document_new(STR(""), report->arena);

    report->kind = STR("month");
    report->title = add_month_heads(m, report->now, &d);
    return add_blocks(m, advice, &d, report, err) && report_add_document(report, &d, err);
}
