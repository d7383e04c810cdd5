/* Tables on pages: from the same records and columns as on the command line. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "serve/page.h"
#include "unit/money.h"
#include "unit/size.h"
#include "unit/time.h"

#define ROWS_FROM "from-" /* "from-prices=100": the first row that is shown of a table */
#define LONG_TEXT 34      /* bytes of a cell that stays in one line */

const char *page_style_class(enum term_style style)
{
    static const char *const classes[] = {
        [STYLE_PLAIN] = "",     [STYLE_BOLD] = "bold",  [STYLE_DIM] = "dim",
        [STYLE_GOOD] = "green", [STYLE_WARN] = "amber", [STYLE_BAD] = "red",
    };

    return classes[style];
}

/* What is known of a table before its rows are written. */
struct html_table {
    const struct page_table *table;
    const size_t *order; /* of the rows */
    struct column_layout layout;
    struct str sorted_by;
    bool descending;
    size_t state; /* the column that says how a row is: it alone has the row's color */
};

/* ---- sorting ---- */

/* What a row is sorted by: a text, or a number (unknown: NaN). */
struct row_key {
    size_t at;
    struct str text;
    double number;
};

static double key_number(const struct field *f, const void *at)
{
    union {
        const void *any;
        const usd *dollars;
        const struct money *money;
        const span *time;
        const stamp *when;
        const day *date;
        const bytes *size;
        const bool *flag;
    } m = {.any = (const unsigned char *)at + f->offset};

    if (!field_known(f, at))
        return NAN;
    switch (f->type) {
    case FIELD_USD:
    case FIELD_RATE:
    case FIELD_PER_GB:
    case FIELD_PER_KWH:
        return usd_double(*m.dollars);
    case FIELD_MONEY:
        return decimal_double(m.money->amount);
    case FIELD_SPAN:
        return (double)m.time->ns;
    case FIELD_TIME:
        return (double)m.when->s;
    case FIELD_DAY:
        return (double)m.date->n;
    case FIELD_BYTES:
        return (double)m.size->n;
    case FIELD_FLAG:
        return *m.flag;
    case FIELD_COUNT:
    case FIELD_ENUM:
        return (double)field_count(f, at);
    case FIELD_NUMBER:
    case FIELD_SHARE:
        return field_number(f, at);
    case FIELD_TEXT:
    case FIELD_TEXTS:
    case FIELD_CHOICE:
    case FIELD_DECIMAL:
    case FIELD_CURRENCY:
    case FIELD_CHARS:
    case FIELD_LIST:
    case FIELD_TABLE:
    case FIELD_NUMBERS:
    case FIELD_RECORD:
    case FIELD_JSON:
        break;
    }
    return NAN;
}

static bool is_text_field(const struct field *f)
{
    return f->type == FIELD_TEXT || f->type == FIELD_CHOICE || f->type == FIELD_CHARS ||
           f->type == FIELD_CURRENCY || f->type == FIELD_ENUM;
}

static bool is_sortable(const struct field *f)
{
    return f->type != FIELD_TEXTS && f->type != FIELD_LIST && f->type != FIELD_TABLE &&
           f->type != FIELD_NUMBERS && f->type != FIELD_RECORD && f->type != FIELD_JSON &&
           f->type != FIELD_DECIMAL;
}

/* Unknown is last in either direction; what is equal stays as it was. */
static int compare_row_keys(const struct row_key *a, const struct row_key *b, int sign)
{
    bool a_known = a->text.at != NULL || !isnan(a->number);
    bool b_known = b->text.at != NULL || !isnan(b->number);
    int by = a->text.at != NULL && b->text.at != NULL
                 ? str_cmp(a->text, b->text)
                 : (a->number > b->number) - (a->number < b->number);

    if (a_known != b_known)
        return a_known ? -1 : 1;
    if (a_known && by != 0)
        return sign * by;
    return (a->at > b->at) - (a->at < b->at);
}

static int compare_up(const void *a, const void *b)
{
    return compare_row_keys(a, b, 1);
}

static int compare_down(const void *a, const void *b)
{
    return compare_row_keys(a, b, -1);
}

/* The column that "-cost" or "cost" names, if rows can be sorted by it. */
static bool find_sort(const struct columns *columns, const struct table_rows *rows,
                      struct str sort, struct field_place *out)
{
    if (sort.len > 0 && sort.at[0] == '-')
        sort = (struct str){sort.at + 1, sort.len - 1};
    for (size_t c = 0; c < columns->len && sort.len > 0; c++)
        if (columns->at[c].member != NULL && str_eq(str_from(columns->at[c].member), sort))
            return field_reach(rows->row, sort, out) && is_sortable(out->field);
    return false;
}

const size_t *page_table_order(const struct columns *columns, const struct table_rows *rows,
                               struct str sort, struct arena *arena, struct error *err)
{
    struct field_place by;
    bool sorted = find_sort(columns, rows, sort, &by);
    struct row_key *keys = arena_array(arena, struct row_key, rows->len + 1, err);
    size_t *order = arena_array(arena, size_t, rows->len + 1, err);

    if (keys == NULL || order == NULL)
        return NULL;
    for (size_t i = 0; i < rows->len; i++) {
        const unsigned char *row = (const unsigned char *)rows->at + i * rows->row->size;

        keys[i] = (struct row_key){.at = i, .number = NAN};
        if (sorted && is_text_field(by.field))
            keys[i].text = field_text(by.field, row + by.base);
        else if (sorted)
            keys[i].number = key_number(by.field, row + by.base);
    }
    if (sorted && rows->len > 1)
        qsort(keys, rows->len, sizeof keys[0], sort.at[0] == '-' ? compare_down : compare_up);
    for (size_t i = 0; i < rows->len; i++)
        order[i] = keys[i].at;
    return order;
}

/* ---- links ---- */

static void add_param(struct str name, struct str value, bool *first, struct buf *out)
{
    buf_adds(out, *first ? "?" : "&amp;");
    *first = false;
    percent_encode(name, out);
    buf_char(out, '=');
    percent_encode(value, out);
}

void page_link(const struct visit *v, const char *name, struct str value, struct buf *out)
{
    bool first = true;

    html_text(v->path, out);
    for (size_t i = 0; i < v->params.len; i++) {
        struct str p = v->params.at[i].name;

        if (!str_eq(p, str_from(name)) && !str_eq(p, STR("format")) &&
            !str_eq(p, STR("table")) && !str_starts(p, STR(ROWS_FROM)))
            add_param(p, v->params.at[i].value, &first, out);
    }
    if (value.len > 0)
        add_param(str_from(name), value, &first, out);
}

const char *page_address(struct visit *v, const char *path, const char *name, struct str value)
{
    struct buf to = page_buf(v);

    buf_adds(&to, path);
    if (value.len > 0) {
        buf_addf(&to, "?%s=", name);
        percent_encode(value, &to);
    }
    buf_char(&to, '\0');
    return page_keep(v, &to).at;
}

static void write_csv_link(const struct visit *v, const char *id, struct buf *out)
{
    struct buf link = buf_new(&alloc_system, SERVE_ANSWER);

    page_link(v, "format", STR("csv"), &link);
    buf_adds(out, "<a href=\"");
    buf_add(out, buf_text(&link));
    buf_addf(out, "&amp;table=%s\" download>CSV</a>", id);
    buf_free_part(&link, out);
}

/* ---- writing ---- */

/* `count` of the layout: there is none. */
static size_t find_state_column(const struct column_layout *layout,
                                const struct columns *columns)
{
    size_t c = 0;

    while (c < layout->count && (!layout->shown[c] || columns->at[c].member == NULL ||
                                 (strcmp(columns->at[c].member, "state") != 0 &&
                                  strcmp(columns->at[c].member, "run.state") != 0)))
        c++;
    return c;
}

static struct html_table table_begin(struct visit *v, const struct page_table *table)
{
    struct html_table t = {.table = table,
                           .layout = columns_layout(table->columns, &table->rows)};
    struct str sort = params_get(&v->params, "sort");
    struct error err = {0};

    if (!str_eq(str_cut(&sort, '.'), str_from(table->id)) || table->sorted)
        sort = (struct str){0};
    t.order = page_table_order(table->columns, &table->rows, sort, &v->arena, &err);
    if (t.order == NULL)
        v->out.failed = ERROR_MEMORY;
    t.state = find_state_column(&t.layout, table->columns);
    t.descending = sort.len > 0 && sort.at[0] == '-';
    t.sorted_by = t.descending ? (struct str){sort.at + 1, sort.len - 1} : sort;
    return t;
}

/* ' class="num wide"'; nothing where all are empty. */
static void write_class_names(const char *const *names, size_t count, struct buf *out)
{
    bool any = false;

    for (size_t i = 0; i < count; i++)
        if (names[i][0] != '\0') {
            buf_addf(out, "%s%s", any ? " " : " class=\"", names[i]);
            any = true;
        }
    buf_adds(out, any ? "\"" : "");
}

/* What may be left out on a phone: what it says is on the page that the row leads to. */
static const char *width_class(const struct column *column)
{
    return column->optional || column->wide ? "wide" : "";
}

/* A link that sorts: numbers first by the largest, texts by the first letter; again: the other
 * way. */
static void write_page_title(struct visit *v, const struct html_table *t, size_t c)
{
    const struct column *column = &t->table->columns->at[c];
    struct str member = str_from(column->member);
    struct field_place place;
    bool by_this = str_eq(member, t->sorted_by) && member.len > 0;
    bool down = by_this ? !t->descending : t->layout.right[c];
    bool sortable = !t->table->sorted && t->table->rows.len > 1 && member.len > 0 &&
                    field_reach(t->table->rows.row, member, &place) && is_sortable(place.field);

    buf_adds(&v->out, "<th scope=\"col\"");
    write_class_names((const char *[]){t->layout.right[c] ? "num" : "", width_class(column)}, 2,
                      &v->out);
    buf_adds(&v->out, !by_this        ? ">"
                      : t->descending ? " aria-sort=\"descending\">"
                                      : " aria-sort=\"ascending\">");
    if (sortable) {
        buf_adds(&v->out, "<a data-swap href=\"");
        page_link(v, "sort",
                  page_text(v, "%s.%s%s", t->table->id, down ? "-" : "", column->member),
                  &v->out);
        buf_adds(&v->out, "\">");
    }
    html_text(str_from(column->title), &v->out);
    buf_adds(&v->out, sortable ? "</a></th>" : "</th>");
}

static void write_page_table_head(struct visit *v, const struct html_table *t)
{
    const struct page_table *table = t->table;

    buf_adds(&v->out, "<thead>\n<tr>");
    if (table->pick != NULL)
        buf_adds(&v->out, "<td class=\"pick\"></td>");
    for (size_t c = 0; c < t->layout.count; c++)
        if (t->layout.shown[c] && table->columns->at[c].title[0] != '\0')
            write_page_title(v, t, c);
        else if (t->layout.shown[c])
            buf_adds(&v->out, "<td></td>");
    if (table->actions != NULL)
        buf_adds(&v->out, "<td></td>");
    buf_adds(&v->out, "</tr>\n</thead>\n");
}

static const char *row_class(const struct html_table *t, const void *row)
{
    const struct columns *columns = t->table->columns;

    return columns->style != NULL ? page_style_class(columns->style(row)) : "";
}

static void write_page_cell(struct visit *v, const struct html_table *t, size_t c,
                            struct str text, struct str link, const void *row)
{
    const char *name = c == t->layout.first ? "th" : "td";
    const char *color = c == t->state && row != NULL
                            ? row_class(t, row)
                            : page_style_class(t->table->columns->at[c].style);
    bool dot = c == t->state && color[0] != '\0';
    bool is_long = text.len > LONG_TEXT || t->table->columns->at[c].shrink ||
                   (t->table->below != NULL && c == t->layout.first);

    buf_addf(&v->out, "<%s%s", name, c == t->layout.first ? " scope=\"row\"" : "");
    write_class_names((const char *[]){t->layout.right[c] ? "num"
                                       : is_long          ? "cut"
                                                          : "",
                                       color, width_class(&t->table->columns->at[c])},
                      3, &v->out);
    buf_adds(&v->out, dot ? "><span class=\"state\">" : ">");
    if (link.len > 0)
        html_element(&v->out, "<a href=\"", link, "\">");
    html_text(text, &v->out);
    buf_adds(&v->out, link.len > 0 ? "</a>" : "");
    buf_adds(&v->out, dot ? "</span>" : "");
    if (t->table->below != NULL && c == t->layout.first && row != NULL)
        t->table->below(v, row);
    buf_addf(&v->out, "</%s>", name);
}

static void write_pick(struct visit *v, const struct page_table *table, const void *row,
                       struct str label, struct buf *text)
{
    buf_clear(text);
    table->pick_value(row, text);
    buf_addf(&v->out, "<td class=\"pick\"><input type=\"checkbox\" name=\"%s\"", table->pick);
    html_element(&v->out, " value=\"", buf_text(text), "\"");
    html_element(&v->out, " aria-label=\"select ", label, "\"></td>");
}

static void write_page_row(struct visit *v, const struct html_table *t, const void *row)
{
    const struct page_table *table = t->table;
    struct buf cell = page_buf(v), link = page_buf(v);

    buf_adds(&v->out, "<tr");
    write_class_names((const char *[]){t->state == t->layout.count ? row_class(t, row) : ""}, 1,
                      &v->out);
    buf_char(&v->out, '>');
    if (table->link != NULL)
        table->link(row, &link);
    if (table->pick != NULL) {
        struct buf value = page_buf(v);

        column_write(&table->columns->at[t->layout.first], table->rows.row, row, &cell);
        write_pick(v, table, row, buf_text(&cell), &value);
        buf_free_part(&value, &v->out);
    }
    for (size_t c = 0; c < t->layout.count; c++)
        if (t->layout.shown[c]) {
            buf_clear(&cell);
            column_write(&table->columns->at[c], table->rows.row, row, &cell);
            write_page_cell(v, t, c, buf_text(&cell),
                            c == t->layout.first ? buf_text(&link) : STR(""), row);
        }
    if (table->actions != NULL) {
        buf_adds(&v->out, "<td class=\"num do\">");
        table->actions(v, row);
        buf_adds(&v->out, "</td>");
    }
    buf_adds(&v->out, "</tr>\n");
    buf_free_part(&cell, &v->out);
    buf_free_part(&link, &v->out);
}

/* At most as many as are wanted; how many there are. */
/* The number of rows before those that are shown; 0 for what is no number. */
static size_t first_row(struct visit *v, const struct page_table *table)
{
    int64_t from;

    if (table->most == 0 ||
        !num_int(params_get(&v->params, page_text(v, ROWS_FROM "%s", table->id).at), &from) ||
        from < 0 || (uint64_t)from >= table->rows.len)
        return 0;
    return (size_t)from;
}

static size_t write_page_rows(struct visit *v, const struct html_table *t, size_t from)
{
    const struct table_rows *rows = &t->table->rows;
    const struct columns *columns = t->table->columns;
    size_t count = 0;

    for (size_t i = 0; i < rows->len && t->order != NULL; i++) {
        const unsigned char *row =
            (const unsigned char *)rows->at + t->order[i] * rows->row->size;

        if (columns->shown != NULL && !columns->shown(row))
            continue;
        if (count >= from && (count < from + t->table->most || t->table->most == 0))
            write_page_row(v, t, row);
        count++;
    }
    return count;
}

static void write_rows_link(struct visit *v, const struct page_table *table, size_t from,
                            const char *words)
{
    struct str first = from > 0 ? page_text(v, "%zu", from) : STR("");

    buf_adds(&v->out, " <a data-swap href=\"");
    page_link(v, page_text(v, ROWS_FROM "%s", table->id).at, first, &v->out);
    buf_addf(&v->out, "\">%s</a>", words);
}

/* "Rows 101 to 200 of 427", with links to those before and after. */
static void write_rows_pager(struct visit *v, const struct page_table *table, size_t from,
                             size_t count)
{
    size_t most = table->most, end = count - from < most ? count : from + most;

    if (most == 0 || count <= most)
        return;
    buf_addf(&v->out, "<p class=\"more\">Rows %zu to %zu of %zu.", from + 1, end, count);
    if (from > 0)
        write_rows_link(v, table, from > most ? from - most : 0, "Previous");
    if (end < count)
        write_rows_link(v, table, end, "Next");
    buf_adds(&v->out, "</p>\n");
}

static void write_page_total(struct visit *v, const struct html_table *t)
{
    const struct page_table *table = t->table;
    struct buf cell = page_buf(v);

    buf_adds(&v->out, "<tfoot>\n<tr>");
    if (table->pick != NULL)
        buf_adds(&v->out, "<td></td>");
    for (size_t c = 0; c < t->layout.count; c++)
        if (t->layout.shown[c]) {
            buf_clear(&cell);
            columns_write_total(table->columns, c, table->total_label, table->total_set,
                                table->total, &cell);
            write_page_cell(v, t, c, buf_text(&cell), STR(""), NULL);
        }
    if (table->actions != NULL)
        buf_adds(&v->out, "<td></td>");
    buf_adds(&v->out, "</tr>\n</tfoot>\n");
    buf_free_part(&cell, &v->out);
}

static void keep_csv(struct visit *v, const struct page_table *table)
{
    struct str wanted = params_get(&v->params, "table");
    struct buf text = page_buf(v);

    if (v->csv_found || (wanted.len > 0 && !str_eq(wanted, str_from(table->id))))
        return;
    columns_csv(table->file != NULL ? table->file : table->columns, &table->rows, &text);
    v->csv = page_keep(v, &text);
    v->csv_name = str_from(table->id);
    v->csv_found = true;
}

void page_table(struct visit *v, const struct page_table *table)
{
    struct html_table t;
    size_t from = first_row(v, table), count;

    if (str_eq(params_get(&v->params, "format"), STR("csv"))) {
        keep_csv(v, table);
        return;
    }
    if (table->rows.len == 0) {
        html_element(&v->out, "<p class=\"sub\">",
                     str_from(table->none != NULL ? table->none : "None."), "</p>\n");
        return;
    }
    t = table_begin(v, table);
    html_element(&v->out, "<div class=\"scroll\" role=\"group\" tabindex=\"0\" aria-label=\"",
                 table->caption, "\">\n<table>\n");
    html_element(&v->out, "<caption>", table->caption, " ");
    write_csv_link(v, table->id, &v->out);
    buf_adds(&v->out, "</caption>\n");
    write_page_table_head(v, &t);
    buf_adds(&v->out, "<tbody>\n");
    count = write_page_rows(v, &t, from);
    buf_adds(&v->out, "</tbody>\n");
    if (table->total != NULL)
        write_page_total(v, &t);
    buf_adds(&v->out, "</table>\n</div>\n");
    write_rows_pager(v, table, from, count);
}
