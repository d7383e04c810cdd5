/* The text that Prometheus scrapes. */
#include "generate/metrics.h"

#include <math.h>
#include <string.h>

#include "base/num.h"

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

const char *const metric_type_names[METRIC_TYPES] = {"gauge", "counter", "info"};
const char *const metric_format_names[METRICS_FORMATS + 1] = {"prometheus", "openmetrics",
                                                              NULL};
const char *const metric_format_types[METRICS_FORMATS] = {
    "text/plain; version=0.0.4; charset=utf-8",
    "application/openmetrics-text; version=1.0.0; charset=utf-8",
};

static const struct field row_fields[] = {
    FIELD(TEXT, metric_row, name, .help = "metric name, as queried"),
    FIELD(ENUM, metric_row, type, FIELD_NAMES(metric_type_names),
          .help = "gauge, counter or info"),
    FIELD(TEXT, metric_row, unit, .empty_unknown = true,
          .help = "base unit; a count or an amount of money has none"),
    FIELD(TEXT, metric_row, labels, .empty_unknown = true, .help = "names of its labels"),
    FIELD(TEXT, metric_row, help, .help = "meaning of the metric"),
};
const struct field_set metric_row_fields = FIELD_SET(struct metric_row, row_fields);

static const struct field sample_fields[] = {
    FIELD(TEXT, metric_sample, name, .help = "metric name, as queried"),
    FIELD(TEXT, metric_sample, labels, .empty_unknown = true,
          .help = "names and values, as Prometheus reads them"),
    FIELD(NUMBER, metric_sample, value, .help = "value in base units"),
};
const struct field_set metric_sample_fields = FIELD_SET(struct metric_sample, sample_fields);

bool metrics_list(struct arena *arena, struct rows *out, struct error *err)
{
    struct metric_row *rows = arena_array(arena, struct metric_row, METRIC_IDS, err);

    for (size_t i = 0; rows != NULL && i < METRIC_IDS; i++) {
        const struct metric_entry *m = &metrics_table[i];

        rows[i] = (struct metric_row){.name = str_from(m->name),
                                      .type = m->type,
                                      .unit = str_from(m->unit),
                                      .labels = str_from(m->labels),
                                      .help = str_from(m->help)};
    }
    *out = (struct rows){rows, METRIC_IDS};
    return rows != NULL;
}

/* ---- collecting ---- */

/* The bytes of the next character, and whether it can be written as it is. */
static size_t next_character(struct str text, bool *plain)
{
    size_t n = str_character(text);
    unsigned char first = (unsigned char)text.at[0];

    *plain = n > 0 && n <= text.len && first >= ' ' && first != 0x7f;
    return *plain ? n : 1;
}

void metric_label(struct buf *labels, const char *name, struct str value)
{
    size_t end = labels->len + METRIC_LABEL;

    buf_addf(labels, "%s%s=\"", labels->len > 0 ? "," : "", name);
    while (value.len > 0 && labels->len < end) {
        bool plain;
        size_t n = next_character(value, &plain);

        if (value.at[0] == '\n')
            buf_adds(labels, "\\n");
        else if (value.at[0] == '"' || value.at[0] == '\\')
            buf_addf(labels, "\\%c", value.at[0]);
        else if (plain)
            buf_add(labels, (struct str){value.at, n});
        else
            buf_adds(labels, REPLACEMENT);
        value.at += n;
        value.len -= n;
    }
    buf_char(labels, '"');
}

void metric_add(struct metric_samples *s, enum metric_id metric, struct str labels,
                double value)
{
    struct metric_sample sample = {
        .metric = metric, .name = str_from(metrics_table[metric].name), .value = value};
    struct error ignored;

    struct metric_sample *at;

    if (!isfinite(value) || s->failed)
        return;
    at = arena_grow(s->arena, s->at, s->len, sizeof *at, &s->room, &ignored);
    s->failed = at == NULL || !str_keep(labels, s->arena, &sample.labels, &ignored);
    if (at != NULL)
        s->at = at;
    if (!s->failed)
        s->at[s->len++] = sample;
}

/* ---- writing ---- */

/* "text/plain;version=0.0.4;q=0.5" -> 0.5 */
static double quality_of(struct str range)
{
    double quality = 1;

    (void)str_cut(&range, ';');
    while (range.len > 0) {
        struct str value = str_trim(str_cut(&range, ';'));
        struct str name = str_cut(&value, '=');

        if (str_eq_nocase(str_trim(name), STR("q")) && !num_read(str_trim(value), &quality))
            quality = 0;
    }
    return quality;
}

enum metric_format metric_format_wanted(struct str accept)
{
    double open = 0, plain = 0;

    while (accept.len > 0) {
        struct str range = str_trim(str_cut(&accept, ',')), type = range;
        double quality = quality_of(range);

        type = str_trim(str_cut(&type, ';'));
        if (str_eq_nocase(type, STR("application/openmetrics-text")))
            open = fmax(open, quality);
        else if (str_eq_nocase(type, STR("text/plain")) || str_eq_nocase(type, STR("text/*")))
            plain = fmax(plain, quality);
    }
    return open > 0 && open >= plain ? METRICS_OPENMETRICS : METRICS_PROMETHEUS;
}

/* In OpenMetrics a family is named without "_total" and "_info". */
static struct str family_name(const struct metric_entry *m, enum metric_format format)
{
    struct str name = str_from(m->name);

    if (format == METRICS_OPENMETRICS && m->type == METRIC_COUNTER)
        name.len -= strlen("_total");
    else if (format == METRICS_OPENMETRICS && m->type == METRIC_INFO)
        name.len -= strlen("_info");
    return name;
}

static void write_metric_head(const struct metric_entry *m, enum metric_format format,
                              struct buf *out)
{
    struct str name = family_name(m, format);
    bool open = format == METRICS_OPENMETRICS;

    buf_addf(out, "# HELP %.*s %s\n# TYPE %.*s %s\n", STR_ARG(name), m->help, STR_ARG(name),
             m->type == METRIC_INFO && !open ? "gauge" : metric_type_names[m->type]);
    if (open && m->unit != NULL)
        buf_addf(out, "# UNIT %.*s %s\n", STR_ARG(name), m->unit);
}

static void write_metric_sample(const struct metric_sample *s, struct buf *out)
{
    buf_add(out, s->name);
    if (s->labels.len > 0) {
        buf_char(out, '{');
        buf_add(out, s->labels);
        buf_char(out, '}');
    }
    buf_char(out, ' ');
    num_write(s->value, out);
    buf_char(out, '\n');
}

void metrics_write(const struct metric_samples *samples, enum metric_format format,
                   struct buf *out)
{
    for (size_t m = 0; m < METRIC_IDS; m++) {
        bool begun = false;

        for (size_t i = 0; i < samples->len; i++) {
            if (samples->at[i].metric != (enum metric_id)m)
                continue;
            if (!begun)
                write_metric_head(&metrics_table[m], format, out);
            begun = true;
            write_metric_sample(&samples->at[i], out);
        }
    }
    if (format == METRICS_OPENMETRICS)
        buf_adds(out, "# EOF\n");
}
