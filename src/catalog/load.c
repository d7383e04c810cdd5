/* Facts from CSV text: rows become records by the table's columns, then are sorted by key. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "catalog/catalog.h"
#include "doc/records.h"

/* The tables whose rows are of one accelerator. */
#define MACHINES (TABLE_BIT(TABLE_OFFERS) | TABLE_BIT(TABLE_LOCAL) | TABLE_BIT(TABLE_ONPREM))

struct loader {
    const struct catalog_table_info *info;
    struct arena *arena;
    unsigned char *rows;
    size_t count;
    struct records_shape shape;
    struct records_columns columns; /* of the file being read */
};

/* At least as many as there are. */
static size_t count_fact_lines(struct str text)
{
    size_t lines = 1;

    for (; text.len > 0; lines++)
        (void)str_cut(&text, '\n');
    return lines;
}

static bool read_fact_row(struct loader *l, const struct catalog_layer *layer,
                          const struct csv_row *row, struct fact *fact, struct error *err)
{
    if (!records_row(&l->shape, &l->columns, row, layer->text, fact, l->arena, err))
        return false;
    fact->file = layer->name;
    fact->line = row->line;
    return true;
}

static bool read_fact_rows(struct loader *l, const struct catalog_layer *layer, unsigned depth,
                           struct csv *csv, struct error *err)
{
    struct csv_row row;

    if (!csv_next(csv, &row, err))
        return !csv_failed(csv) &&
               error_fail(err, ERROR_INPUT,
                          "the file is empty: the first line names the columns");
    if (!records_header(&l->shape, &row, &l->columns, err)) {
        error_context(err, "%s:%llu", layer->name, (unsigned long long)row.line);
        return false;
    }
    while (csv_next(csv, &row, err)) {
        struct fact *fact =
            (struct fact *)(void *)(l->rows + l->count * l->info->columns->size);

        if (!read_fact_row(l, layer, &row, fact, err)) {
            if (err->kind != ERROR_MEMORY)
                error_context(err, "%s:%llu", layer->name, (unsigned long long)row.line);
            return false;
        }
        fact->layer = depth;
        l->count++;
    }
    return !csv_failed(csv);
}

static bool read_layer(struct loader *l, const struct catalog_layer *layer, unsigned depth,
                       struct error *err)
{
    struct csv_options options = {.alloc = l->arena->alloc, .comments = true};
    struct csv *csv = csv_open_text(layer->text, &options, err);
    bool ok;

    if (csv == NULL)
        return false;
    ok = read_fact_rows(l, layer, depth, csv, err);
    if (!ok && err->kind == ERROR_INPUT &&
        !str_starts(str_from(err->text), str_from(layer->name)))
        error_place(err, layer->name);
    csv_close(csv);
    return ok;
}

static int compare_field(const struct field *field, const void *a, const void *b)
{
    const void *x = (const unsigned char *)a + field->offset;
    const void *y = (const unsigned char *)b + field->offset;
    int64_t m, n;

    if (field->type == FIELD_TEXT || field->type == FIELD_CHOICE)
        return str_cmp(*(const struct str *)x, *(const struct str *)y);
    m = *(const int64_t *)x;
    n = *(const int64_t *)y;
    return (m > n) - (m < n);
}

static int compare_key(const struct catalog_table_info *info, const void *a, const void *b)
{
    int order = 0;

    for (size_t i = 0; i < info->columns->len && order == 0; i++)
        if (info->columns->at[i].key)
            order = compare_field(&info->columns->at[i], a, b);
    return order;
}

/* By key; the user's rows before the built-in ones, newer before older. */
static int compare_fact_rows(const void *a, const void *b, void *ctx)
{
    const struct catalog_table_info *info = ctx;
    const struct fact *x = a, *y = b;
    int order = compare_key(info, a, b);

    if (order != 0)
        return order;
    if (x->layer != y->layer)
        return x->layer > y->layer ? -1 : 1;
    if (x->date.n != y->date.n)
        return x->date.n > y->date.n ? -1 : 1;
    return (x->line > y->line) - (x->line < y->line);
}

static struct fact *fact_row_at(const struct loader *l, size_t i)
{
    return (struct fact *)(void *)(l->rows + i * l->info->columns->size);
}

/* Keep the first row of each key (all of them where there is history), and refuse a file that
 * states one fact twice. */
static bool settle_fact_rows(struct loader *l, struct error *err)
{
    size_t size = l->info->columns->size, kept = 0;

    for (size_t i = 0; i < l->count; i++) {
        struct fact *row = fact_row_at(l, i), *last = i > 0 ? fact_row_at(l, i - 1) : NULL;
        bool same = last != NULL && compare_key(l->info, last, row) == 0;

        if (same && last->layer == row->layer &&
            (!l->info->history || last->date.n == row->date.n))
            return error_fail(err, ERROR_INPUT, "%s:%llu: the same fact as on line %llu",
                              row->file, (unsigned long long)row->line,
                              (unsigned long long)last->line);
        if (same && !l->info->history)
            continue;
        row->current = !same;
        if (kept != i)
            memcpy(fact_row_at(l, kept), row, size);
        kept++;
    }
    l->count = kept;
    return true;
}

/* Of a built-in table, the line that names the columns and those of this provider (of every
 * one, where none is named or rows do not start with it). Each row is a line. */
static bool lines_of(struct str text, struct str provider, struct arena *arena, struct str *out,
                     struct error *err)
{
    struct str rest = text, head = str_cut(&rest, '\n');
    struct buf kept = buf_new(arena->alloc, text.len + 1);

    *out = text;
    if (provider.len == 0 || !str_starts(head, STR("provider,")))
        return true;
    buf_add(&kept, head);
    while (rest.len > 0) {
        struct str line = str_cut(&rest, '\n'), values = line;

        if (!str_eq_nocase(str_cut(&values, ','), provider))
            continue;
        buf_adds(&kept, "\n");
        buf_add(&kept, line);
    }
    return buf_keep(&kept, arena, out, err);
}

static bool load_table(struct catalog *catalog, enum catalog_table table, struct str provider,
                       const struct catalog_layer *layers, size_t layer_count,
                       struct arena *arena, struct error *err)
{
    struct loader l = {
        .info = &catalog_tables[table],
        .arena = arena,
        .shape = {.set = catalog_tables[table].columns,
                  .hint = "the first line names the columns; data/README.md lists them"}};
    struct catalog_layer builtin = catalog_builtin(table);
    /* qsort_r() passes its context through a pointer to non-const. */
    union {
        const struct catalog_table_info *in;
        void *out;
    } info = {.in = l.info};
    size_t lines;

    if (!lines_of(builtin.text, provider, arena, &builtin.text, err))
        return false;
    lines = count_fact_lines(builtin.text);
    for (size_t i = 0; i < layer_count; i++)
        lines += layers[i].table == table ? count_fact_lines(layers[i].text) : 0;
    l.rows = arena_get(arena, lines, l.info->columns->size, alignof(max_align_t), err);
    if (l.rows == NULL || !read_layer(&l, &builtin, 0, err))
        return false;
    for (size_t i = 0; i < layer_count; i++)
        if (layers[i].table == table && !read_layer(&l, &layers[i], (unsigned)i + 1, err))
            return false;
    qsort_r(l.rows, l.count, l.info->columns->size, compare_fact_rows, info.out);
    if (!settle_fact_rows(&l, err))
        return false;
    catalog->tables[table] = (struct rows){l.rows, l.count};
    catalog->loaded |= TABLE_BIT(table);
    return true;
}

/* Offers and machines name accelerators; one that is in no table is a mistake in the file. */
static bool check_accelerator(const struct catalog *catalog, const struct fact *fact,
                              struct str name, struct error *err)
{
    const struct accelerator *meant;
    enum name_match match;

    if (accelerator_named(catalog, name) != NULL)
        return true;
    meant = accelerator_find(catalog, name, &match, err);
    if (meant != NULL) {
        error_set(err, ERROR_INPUT, "accelerator: '%.*s' is not an exact name", STR_ARG(name));
        error_hint(err, "write '%.*s'; 'stint gpu list' shows all names", STR_ARG(meant->name));
    }
    err->kind = ERROR_INPUT;
    error_context(err, "%s:%llu", fact->file, (unsigned long long)fact->line);
    return false;
}

static bool check_references(const struct catalog *catalog, uint64_t tables, struct error *err)
{
    for (int t = 0; t < TABLE_COUNT; t++) {
        const struct field_set *columns = catalog_tables[t].columns;
        const struct field *column = field_find(columns, STR("accelerator"));
        const unsigned char *row = catalog->tables[t].at;

        if (!(tables & TABLE_BIT(t)) || !(MACHINES & TABLE_BIT(t)))
            continue;
        for (size_t i = 0; i < catalog->tables[t].len; i++, row += columns->size)
            if (!check_accelerator(catalog, (const void *)row,
                                   *(const struct str *)(const void *)(row + column->offset),
                                   err))
                return false;
    }
    return true;
}

uint64_t catalog_needs(uint64_t tables)
{
    if (tables & MACHINES)
        tables |= TABLE_BIT(TABLE_ACCELERATORS) | TABLE_BIT(TABLE_NAMES);
    return tables;
}

bool catalog_load(struct catalog *catalog, uint64_t wanted, const struct catalog_layer *layers,
                  size_t layer_count, struct arena *arena, struct error *err)
{
    wanted = catalog_needs(wanted) & ~catalog->loaded;
    for (int table = 0; table < TABLE_COUNT; table++)
        if ((wanted & TABLE_BIT(table)) &&
            !load_table(catalog, (enum catalog_table)table, (struct str){0}, layers,
                        layer_count, arena, err))
            return false;
    return check_references(catalog, wanted, err);
}

bool catalog_load_provider(struct catalog *catalog, enum catalog_table table,
                           struct str provider, const struct catalog_layer *layers,
                           size_t layer_count, struct arena *arena, struct error *err)
{
    *catalog = (struct catalog){0};
    return load_table(catalog, table, provider, layers, layer_count, arena, err);
}

static bool has_fact_column(struct str line, const char *word)
{
    while (line.len > 0)
        if (str_eq_nocase(str_trim(str_cut(&line, ',')), str_from(word)))
            return true;
    return false;
}

bool catalog_table_of(struct str head, enum catalog_table *table)
{
    struct str line = {0};

    if (str_starts(head, STR("\xef\xbb\xbf")))
        head = (struct str){head.at + 3, head.len - 3};
    while (head.len > 0 && (line.len == 0 || line.at[0] == '#'))
        line = str_trim(str_cut(&head, '\n'));
    *table = has_fact_column(line, "discount") ? TABLE_DISCOUNTS : TABLE_EXCHANGE;
    return *table == TABLE_DISCOUNTS
               ? has_fact_column(line, "provider")
               : has_fact_column(line, "currency") && has_fact_column(line, "usd");
}
