/* Runs: found by name, tag, state and date, sorted, paged; and compared. */
#include <string.h>

#include "op/op.h"
#include "op/runs/compare.h"
#include "op/runs/runs.h"
#include "report/records.h"
#include "serve/view.h"

#define PAGE_ROWS 50
#define SORTED_MOST 1000
#define FILE_PART 2000

/* ---- the list ---- */

static void link_listed_run(const void *row, struct buf *out)
{
    view_run_link(((const struct ledger_run *)row)->start.id, out);
}

static void id_of_run(const void *row, struct buf *out)
{
    buf_adds(out, ((const struct ledger_run *)row)->start.id);
}

static void write_runs_filter(struct visit *v)
{
    const struct field *state = field_find(op_runs.request, STR("state"));
    const struct page_field fields[] = {
        {.name = "name", .label = "Name", .placeholder = "bert*"},
        {.name = "tag", .label = "Tag", .placeholder = "team=nlp"},
        {.name = "state", .label = "State", .choices = state->choices, .any = "any"},
        {.name = "since", .label = "Since", .placeholder = "7d or 2026-11-01"},
        {.name = "until", .label = "Until", .placeholder = "2026-11-30"},
    };

    buf_adds(&v->out, "<form action=\"/runs\" data-swap><div class=\"row\">\n");
    for (size_t i = 0; i < ARRAY_LEN(fields); i++) {
        struct page_field field = fields[i];

        field.value = params_get(&v->params, field.name);
        page_field(v, &field);
    }
    buf_adds(&v->out, "<div><button type=\"submit\">Find</button></div>\n</div></form>\n");
}

/* A name as people look for one: a part of it will do, unless it is a pattern. */
static struct str name_pattern(struct visit *v, struct str name)
{
    if (name.len == 0 || name.len > 200 || memchr(name.at, '*', name.len) != NULL ||
        memchr(name.at, '?', name.len) != NULL)
        return name;
    return page_text(v, "*%.*s*", (int)name.len, name.at);
}

/* `next`: the run that older ones follow; empty: there are none. */
static void write_pager(struct visit *v, struct str next)
{
    buf_adds(&v->out, "<p class=\"pager\">");
    if (params_get(&v->params, "after").len > 0) {
        buf_adds(&v->out, "<a data-swap href=\"");
        page_link(v, "after", STR(""), &v->out);
        buf_adds(&v->out, "\">Newest</a> ");
    }
    if (next.len > 0) {
        buf_adds(&v->out, "<a data-swap rel=\"next\" href=\"");
        page_link(v, "after", next, &v->out);
        buf_adds(&v->out, "\">Older</a>");
    }
    buf_adds(&v->out, "</p>\n");
}

/* The order of the page as one of the operation, which looks at all runs: by cost, time, energy
 * or start, the highest or lowest first. */
static bool sort_everything(struct visit *v, struct runs_request *req)
{
    static const struct {
        const char *column, *sort;
    } orders[] = {{"cost", "cost"}, {"duration", "time"}, {"energy_kwh", "energy"}};
    struct str by = params_get(&v->params, "sort");

    if (!str_starts(by, STR("runs.")))
        return false;
    by = (struct str){by.at + 5, by.len - 5};
    req->reverse = !str_starts(by, STR("-"));
    if (!req->reverse)
        by = (struct str){by.at + 1, by.len - 1};
    for (size_t i = 0; i < ARRAY_LEN(orders); i++)
        if (str_eq(by, str_from(orders[i].column))) {
            req->sort = str_from(orders[i].sort);
            return true;
        }
    req->reverse = false;
    return false;
}

static bool read_filter(struct visit *v, struct runs_request *req, struct error *err)
{
    if (!view_request(v, &op_runs, req, err))
        return false;
    req->name = name_pattern(v, params_get(&v->params, "name"));
    req->tags = view_one(v, params_get(&v->params, "tag"));
    req->state = params_get(&v->params, "state");
    req->since = params_get(&v->params, "since");
    req->until = params_get(&v->params, "until");
    return true;
}

static bool ask_listed_runs(struct visit *v, struct runs_result *res, struct error *err)
{
    bool sorted = str_starts(params_get(&v->params, "sort"), STR("runs."));
    struct runs_request req;

    if (!read_filter(v, &req, err))
        return false;
    if (sort_everything(v, &req))
        req.limit = 2 * PAGE_ROWS;
    else
        req.limit = sorted ? SORTED_MOST : PAGE_ROWS;
    if (!sorted)
        req.before = params_get(&v->params, "after");
    if (visit_run(v, &op_runs, &req, res, err))
        return true;
    if (req.before.len > 0 && err->kind == ERROR_ABSENT) /* the address is wrong */
        error_set(err, ERROR_INPUT, "'after' is not a place in the list of runs");
    return false;
}

/* ---- the file of all that match ---- */

/* A part of the file, after those that are written; `id` becomes that of its last run, or empty
 * when no more follow. */
static bool write_file_part(struct visit *v, struct runs_request *req, char id[LEDGER_ID],
                            struct error *err)
{
    struct buf text = buf_new(&alloc_system, SERVE_ANSWER);
    struct str lines;
    struct runs_result res;

    req->before = str_from(id);
    if (!visit_run(v, &op_runs, req, &res, err))
        return false;
    columns_csv(&run_columns[PLACE_FILE],
                &(struct table_rows){&ledger_run_fields, res.runs.at, res.runs.len}, &text);
    lines = buf_text(&text);
    if (v->out.len > 0) /* the names of columns are there */
        (void)str_cut(&lines, '\n');
    buf_add(&v->out, lines);
    buf_free_part(&text, &v->out);
    str_copy(res.next, id, LEDGER_ID);
    return v->out.failed == ERROR_NONE || buf_ok(&v->out, err);
}

/* All runs that match, a part at a time: of a million runs only the text is in memory. */
static bool write_runs_file(struct visit *v, struct error *err)
{
    struct str table = params_get(&v->params, "table");
    struct arena *whole = v->ctx.arena;
    struct runs_request req;
    char id[LEDGER_ID] = "";
    bool ok = read_filter(v, &req, err);

    if (table.len > 0 && !str_eq(table, STR("runs")))
        return error_fail(err, ERROR_ABSENT, "this page has no table '%.*s'", STR_ARG(table));
    req.limit = FILE_PART;
    do {
        struct arena part = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};

        v->ctx.arena = &part;
        ok = ok && write_file_part(v, &req, id, err);
        arena_free(&part);
    } while (ok && id[0] != '\0');
    v->ctx.arena = whole;
    v->type = "text/csv; charset=utf-8";
    v->file = "attachment; filename=\"runs.csv\"";
    return ok;
}

/* What was entered stays in the form. */
static bool write_wrong_filter(struct visit *v, struct error *err)
{
    page_begin(v, STR("Runs"), "/runs");
    write_runs_filter(v);
    page_section(v, "list", STR(""), true);
    if (!view_refused(v, err))
        return false;
    page_section_end(v);
    return page_end(v, err);
}

bool view_runs(struct visit *v, struct error *err)
{
    struct runs_result *res = arena_array(&v->arena, struct runs_result, 1, err);
    bool sorted = str_starts(params_get(&v->params, "sort"), STR("runs."));
    struct table_rows rows;

    if (str_eq(params_get(&v->params, "format"), STR("csv")))
        return write_runs_file(v, err);
    if (res == NULL || (!ask_listed_runs(v, res, err) && err->kind != ERROR_USAGE))
        return false;
    if (err->kind == ERROR_USAGE)
        return write_wrong_filter(v, err);
    rows = field_rows(op_runs.result, "runs", res);
    page_begin(v, STR("Runs"), "/runs");
    write_runs_filter(v);
    page_section(v, "list", STR(""), true);
    buf_adds(&v->out, "<form action=\"/compare\" class=\"rows\">\n");
    page_table(v, &(struct page_table){.id = "runs",
                                       .caption = STR("Newest first, unless sorted"),
                                       .columns = &run_columns[PLACE_PAGE],
                                       .file = &run_columns[PLACE_FILE],
                                       .rows = rows,
                                       .most = sorted ? 2 * PAGE_ROWS : 0,
                                       .none = "No run matches.",
                                       .link = link_listed_run,
                                       .pick = "run",
                                       .pick_value = id_of_run});
    if (sorted && res->more && rows.len == SORTED_MOST)
        buf_addf(&v->out, "<p class=\"more\">Sorted are the newest %d runs that match.</p>\n",
                 SORTED_MOST);
    else if (sorted && res->more)
        buf_addf(&v->out, "<p class=\"more\">The first %zu of all runs that match.</p>\n",
                 rows.len);
    if (rows.len > 1)
        buf_adds(&v->out, "<p><button type=\"submit\" data-compare>Compare the selected "
                          "runs</button></p>\n");
    buf_adds(&v->out, "</form>\n");
    if (!sorted)
        write_pager(v, res->next);
    page_section_end(v);
    return page_end(v, err);
}

/* ---- runs side by side ---- */

static struct strs picked_runs(struct visit *v, struct error *err)
{
    struct str *runs = arena_array(&v->arena, struct str, PARAMS_MOST, err);
    size_t count = 0;

    for (size_t i = 0; runs != NULL && i < v->params.len && count < PARAMS_MOST; i++)
        if (str_eq(v->params.at[i].name, STR("run")))
            runs[count++] = v->params.at[i].value;
    return (struct strs){runs, count};
}

static void link_compared(const void *row, struct buf *out)
{
    view_run_link(((const struct compared_run *)row)->run.start.id, out);
}

static void write_compared(struct visit *v, const struct comparison *c)
{
    static const struct column columns[] = {
        COLUMN("run", run.name, .unknown = "(no name)"),
        COLUMN("id", run.short_id, .optional = true),
        COLUMN("state", run.state),
        COLUMN("time", run.duration),
        COLUMN("cost", run.cost, .form = COLUMN_FINE),
        COLUMN("energy, kWh", run.energy_kwh, .decimals = 2, .optional = true),
        COLUMN("GPU", run.gpu, .unknown = "", .if_any = true, .optional = true),
        COLUMN("busy", run.gpu_busy, .optional = true),
        COLUMN("best metric", run.best, .decimals = 4, .if_any = true),
        COLUMN("cost per step", cost_per_step, .form = COLUMN_FINE, .if_any = true,
               .optional = true),
        COLUMN("cost to target", cost_to_target, .form = COLUMN_FINE, .if_any = true),
        COLUMN("time to target", time_to_target, .if_any = true),
    };
    static const struct column measures[] = {
        COLUMN("by", measure),
        COLUMN("best run", id, .optional = true),
        COLUMN("", text, .unknown = ""),
    };

    page_section(v, "compared", STR("What they took"), true);
    page_table(v, &(struct page_table){.id = "compared",
                                       .caption = STR("In the order of the selection"),
                                       .columns = COLUMNS(columns),
                                       .rows = field_rows(op_compare.result, "runs", c),
                                       .link = link_compared});
    page_section_end(v);
    page_section(v, "best", STR("Which is best"), true);
    page_table(
        v, &(struct page_table){
               .id = "best",
               .caption = c->unfinished
                              ? STR("Not all are done: cost, time and energy are not compared")
                              : STR("By each measure"),
               .columns = COLUMNS(measures),
               .rows = field_rows(op_compare.result, "measures", c),
               .none = "They cannot be compared by what was recorded.",
               .sorted = true});
    page_section_end(v);
}

/* Runs of one name are told apart by id and day: "bert 9224d9a1, 2026-11-17". */
static struct str label_of_run(struct visit *v, const struct ledger_run *run)
{
    struct buf text = page_buf(v);

    buf_add(&text, run->start.name);
    buf_adds(&text, text.len > 0 ? " " : "");
    buf_add(&text, ledger_short(run->start.id));
    buf_adds(&text, ", ");
    day_write(day_of(run->start.started), &text);
    return page_keep(v, &text);
}

/* A row for each thing that differs, a column for each run. */
static void write_differences(struct visit *v, const struct comparison *c)
{
    const struct compared_difference *rows = c->differences.at;
    const struct compared_run *runs = c->runs.at;

    page_section(v, "differences", STR("What differs"), true);
    if (c->differences.len == 0)
        buf_adds(&v->out, "<p class=\"sub\">Nothing that is recorded.</p>\n");
    else
        buf_adds(&v->out, "<div class=\"scroll\" role=\"group\" tabindex=\"0\" "
                          "aria-label=\"What differs\">\n<table>\n<thead><tr><td></td>");
    for (size_t i = 0; i < c->runs.len && c->differences.len > 0; i++)
        html_element(&v->out, "<th scope=\"col\" class=\"cut\">", label_of_run(v, &runs[i].run),
                     "</th>");
    buf_adds(&v->out, c->differences.len > 0 ? "</tr></thead>\n<tbody>\n" : "");
    for (size_t i = 0; i < c->differences.len; i++) {
        html_element(&v->out, "<tr><th scope=\"row\">", rows[i].what, "</th>");
        for (size_t k = 0; k < rows[i].values.len; k++)
            html_element(&v->out, "<td class=\"cut\">", rows[i].values.at[k], "</td>");
        buf_adds(&v->out, "</tr>\n");
    }
    buf_adds(&v->out, c->differences.len > 0 ? "</tbody>\n</table>\n</div>\n" : "");
    page_section_end(v);
}

static void write_costs_of(struct visit *v, const struct comparison *c)
{
    const struct compared_run *runs = c->runs.at;
    struct error err = {0};
    struct figure_point *points =
        arena_array(&v->arena, struct figure_point, c->runs.len + 1, &err);
    struct figure_series series = {.at = points, .len = c->runs.len};

    if (points == NULL)
        return;
    for (size_t i = 0; i < c->runs.len; i++)
        points[i] = (struct figure_point){.label = label_of_run(v, &runs[i].run),
                                          .y = usd_double(runs[i].run.totals.cost)};
    page_section(v, "cost", STR(""), true);
    page_figure(v,
                &(struct figure){.kind = FIGURE_BARS,
                                 .title = STR("Cost"),
                                 .y = {.unit = FIGURE_USD},
                                 .series = &series,
                                 .series_count = 1},
                STR(""));
    page_section_end(v);
}

bool view_compare(struct visit *v, struct error *err)
{
    struct compare_request req = {.runs = picked_runs(v, err)};
    struct comparison *c = arena_array(&v->arena, struct comparison, 1, err);

    if (c == NULL || req.runs.at == NULL)
        return false;
    if (req.runs.len < 2) {
        v->status = 400;
        error_set(err, ERROR_INPUT, "select two runs or more to compare them");
        error_hint(err, "go back to the list of runs, and tick the boxes before their names");
        return false;
    }
    if (!visit_run(v, &op_compare, &req, c, err))
        return false;
    page_begin(v, STR("Compare runs"), "/runs");
    write_compared(v, c);
    write_costs_of(v, c);
    write_differences(v, c);
    return page_end(v, err);
}
