/* A dashboard for Grafana, from the table of metrics. */
#include "generate/metrics.h"

#include <string.h>

#include "doc/json_write.h"

#define COLUMNS 24 /* of Grafana's grid */
#define GRAPH_WIDTH 8
#define STAT_WIDTH 4
#define GRAPH_HEIGHT 8
#define STAT_HEIGHT 4
#define SOURCE "\"datasource\":{\"type\":\"prometheus\",\"uid\":\"${datasource}\"}"

/* Where the next panel goes. */
struct grid {
    int x, y, height; /* height: of the line of panels */
    int id;
};

static void write_panel_member(const char *name, const char *value, struct buf *out)
{
    buf_addf(out, ",\"%s\":", name);
    json_write_text(str_from(value), out);
}

/* ---- variables ---- */

static const struct {
    const char *name, *label, *query;
    bool many; /* any number of values, all by default */
} variables[] = {
    {"currency", "Currency", "label_values(stint_month_cost, currency)", false},
    {"team", "Team", "label_values(stint_month_cost, team)", true},
    {"project", "Project", "label_values(stint_month_cost{team=~\"$team\"}, project)", true},
    {"run", "Run", "label_values(stint_run_info{team=~\"$team\",project=~\"$project\"}, run)",
     true},
};

static void write_variables(struct buf *out)
{
    buf_adds(out, "\"templating\":{\"list\":[\n{\"name\":\"datasource\",\"label\":\"Source\","
                  "\"type\":\"datasource\",\"query\":\"prometheus\"}");
    for (size_t i = 0; i < ARRAY_LEN(variables); i++) {
        buf_addf(out, ",\n{\"name\":\"%s\",\"label\":\"%s\",\"type\":\"query\"," SOURCE,
                 variables[i].name, variables[i].label);
        write_panel_member("query", variables[i].query, out);
        write_panel_member("definition", variables[i].query, out);
        buf_adds(out, ",\"refresh\":2,\"sort\":1");
        if (variables[i].many)
            buf_adds(out, ",\"multi\":true,\"includeAll\":true,\"allValue\":\".*\","
                          "\"current\":{\"text\":\"All\",\"value\":\"$__all\"}");
        buf_char(out, '}');
    }
    buf_adds(out, "\n]}");
}

/* ---- panels ---- */

static void write_panel_place(struct grid *g, int width, int height, struct buf *out)
{
    if (g->x + width > COLUMNS) {
        g->x = 0;
        g->y += g->height;
        g->height = 0;
    }
    buf_addf(out, "\"gridPos\":{\"x\":%d,\"y\":%d,\"w\":%d,\"h\":%d}", g->x, g->y, width,
             height);
    g->x += width;
    g->height = height > g->height ? height : g->height;
}

static void write_section(const char *title, struct grid *g, struct buf *out)
{
    g->y += g->height;
    g->x = g->height = 0;
    buf_addf(out, "%s{\"id\":%d,\"type\":\"row\",\"collapsed\":false,\"panels\":[]",
             g->id > 0 ? ",\n" : "", g->id + 1);
    g->id++;
    write_panel_member("title", title, out);
    buf_char(out, ',');
    write_panel_place(g, COLUMNS, 1, out);
    buf_char(out, '}');
}

static void write_look(const struct metric_panel *p, struct buf *out)
{
    buf_adds(out, ",\"fieldConfig\":{\"defaults\":{\"min\":0");
    write_panel_member("unit", p->unit, out);
    if (strcmp(p->unit, "none") == 0)
        buf_adds(out, ",\"decimals\":2");
    if (strcmp(p->kind, "bargauge") == 0 && strcmp(p->unit, "percentunit") == 0)
        buf_adds(out, ",\"max\":1");
    buf_adds(out, "},\"overrides\":[]}");
    if (strcmp(p->kind, "bargauge") == 0)
        buf_adds(out, ",\"options\":{\"orientation\":\"horizontal\",\"displayMode\":\"basic\","
                      "\"reduceOptions\":{\"calcs\":[\"lastNotNull\"]}}");
    else if (strcmp(p->kind, "stat") == 0)
        buf_adds(out, ",\"options\":{\"colorMode\":\"none\",\"reduceOptions\":{\"calcs\":"
                      "[\"lastNotNull\"]}}");
}

static void write_panel(const struct metric_entry *m, struct grid *g, struct buf *out)
{
    const struct metric_panel *p = &m->panel;
    bool stat = strcmp(p->kind, "stat") == 0;

    buf_addf(out, ",\n{\"id\":%d," SOURCE, g->id + 1);
    g->id++;
    write_panel_member("type", p->kind, out);
    write_panel_member("title", p->title, out);
    write_panel_member("description", m->help, out);
    buf_char(out, ',');
    write_panel_place(g, stat ? STAT_WIDTH : GRAPH_WIDTH, stat ? STAT_HEIGHT : GRAPH_HEIGHT,
                      out);
    write_look(p, out);
    buf_adds(out, ",\"targets\":[{\"refId\":\"A\"," SOURCE);
    write_panel_member("expr", p->query, out);
    write_panel_member("legendFormat", p->legend, out);
    /* A bar for each series that is there now, not for each of the time that is shown. */
    if (strcmp(p->kind, "timeseries") != 0)
        buf_adds(out, ",\"instant\":true");
    buf_adds(out, "}]}");
}

/* Sections in the order in which they first appear; their numbers before their graphs. */
static void write_section_panels(const char *section, struct grid *g, struct buf *out)
{
    write_section(section, g, out);
    for (int graphs = 0; graphs < 2; graphs++)
        for (size_t i = 0; i < METRIC_IDS; i++) {
            const struct metric_panel *p = &metrics_table[i].panel;

            if (p->title != NULL && strcmp(p->section, section) == 0 &&
                (strcmp(p->kind, "stat") != 0) == (graphs == 1))
                write_panel(&metrics_table[i], g, out);
        }
}

void metrics_write_dashboard(struct buf *out)
{
    static const char *const sections[] = {"Now", "Month and budgets", "Runs", "Server"};
    struct grid grid = {0};

    buf_adds(
        out,
        "{\"title\":\"Stint\",\"uid\":\"stint\",\"tags\":[\"stint\",\"cost\"],\"description\":"
        "\"Running jobs, their cost, and the budgets left. Written by 'stint metrics "
        "dashboard'.\",\"schemaVersion\":38,\"editable\":true,\"graphTooltip\":1,\"refresh\":"
        "\"30s\",\"timezone\":\"browser\",\"time\":{\"from\":\"now-6h\",\"to\":\"now\"},\n");
    write_variables(out);
    buf_adds(out, ",\n\"panels\":[\n");
    for (size_t i = 0; i < ARRAY_LEN(sections); i++)
        write_section_panels(sections[i], &grid, out);
    buf_adds(out, "\n]}\n");
}
