#include "truth/rows.h"

#include <math.h>
#include <string.h>

#include "base/num.h"

#define MOST_ROWS 50000 /* each takes kilobytes, with its setting */

const char *const truth_kind_names[] = {"training", "memory", "inference", "energy", NULL};
const char *const metric_names[] = {"training",   "memory",  "prefill",    "decode",
                                    "throughput", "latency", "node_power", "board_power"};
const char *const metric_units[] = {"per s per GPU", "GB", "ms", "ms",
                                    "tokens/s",      "ms", "W",  "W"};

struct str row_text(const struct rows_reader *r, const char *column)
{
    struct str wanted = str_from(column);

    for (size_t i = 0; i < r->columns && i < r->row.count; i++)
        if (str_eq_nocase(r->names[i], wanted))
            return str_trim(r->row.fields[i]);
    return (struct str){NULL, 0};
}

double row_number(const struct rows_reader *r, const char *column)
{
    double n;

    return num_double(row_text(r, column), &n) && fabs(n) < 1e15 ? n : NAN;
}

int64_t row_count(const struct rows_reader *r, const char *column, int64_t fallback)
{
    double n = row_number(r, column);

    /* Larger ones are refused by whoever checks, and the product of two must not overflow. */
    return n >= 1 ? (int64_t)fmin(n, 1e9) : fallback;
}

bool row_has(const struct rows_reader *r, const char *column)
{
    return row_text(r, column).len > 0;
}

static bool copy(struct str *text, struct arena *arena, struct error *err)
{
    const char *at = str_dup(*text, arena, err);

    text->at = at;
    return at != NULL;
}

bool row_begin(const struct rows_reader *r, struct point *p, const struct accelerator **gpu,
               struct error *err)
{
    struct str source = row_text(r, "source"), quality = row_text(r, "quality");
    enum name_match match;
    struct error ignored = {0};

    p->id = row_text(r, "id");
    p->source = str_cut(&source, '@');
    p->gpu = row_text(r, "gpu");
    p->set = row_text(r, "set");
    p->measured = NAN;
    p->reason = NULL;
    if (!copy(&p->id, r->arena, err) || !copy(&p->source, r->arena, err) ||
        !copy(&p->gpu, r->arena, err) || !copy(&p->set, r->arena, err))
        return false;
    *gpu = accelerator_find(r->catalog, p->gpu, &match, &ignored);
    if (str_eq_nocase(quality, STR("C")))
        p->reason = "quality C";
    else if (*gpu == NULL)
        p->reason = "the GPU is not in the catalog";
    return true;
}

static void take(const struct rows_reader *r, const char *column, int64_t *to)
{
    *to = row_count(r, column, *to);
}

bool row_arch(const struct rows_reader *r, struct point *p)
{
    struct str model = row_text(r, "model");
    struct error ignored = {0};
    struct arch *a = &p->arch;
    bool known = arch_named(r->catalog, model, a, &ignored);
    int64_t layers = row_count(r, "layers", 0), hidden = row_count(r, "hidden", 0);
    int64_t heads = row_count(r, "heads", 0);

    if (!known && (layers == 0 || hidden == 0 || heads == 0)) {
        p->reason = "the model is not in the catalog and the row has no shapes";
        return false;
    }
    if (!known) {
        int64_t ffn = row_count(r, "ffn", 4 * hidden);

        *a = (struct arch){.kind = ARCH_DECODER,
                           .head_dim = arch_head_width(hidden, heads),
                           .gated = ffn != 4 * hidden,
                           .stated_params = NAN};
        a->vocab = 32000;
    }
    if (!known || a->kind == ARCH_LSTM)
        a->name = STR("model of the row"); /* the text of the row does not last */
    if (known && a->kind != ARCH_DECODER && a->kind != ARCH_ENCODER)
        return true;
    if (known && a->experts > 0) /* the column ffn is then that of an expert */
        return true;
    if (layers > 0 && hidden > 0 && heads > 0) {
        if (hidden != a->hidden || heads != a->heads)
            a->head_dim = arch_head_width(hidden, heads);
        a->layers = layers;
        a->hidden = hidden;
        a->heads = heads;
        a->kv_heads = row_count(r, "kv_heads", heads);
        take(r, "ffn", &a->ffn);
        take(r, "vocab", &a->vocab);
        if (a->ffn == 0)
            a->ffn = 4 * hidden;
    }
    if (row_has(r, "gated_ffn"))
        a->gated = str_eq_nocase(row_text(r, "gated_ffn"), STR("yes"));
    if (row_has(r, "tied_embeddings"))
        a->tied = str_eq_nocase(row_text(r, "tied_embeddings"), STR("yes"));
    if (!arch_check(a, &ignored)) {
        p->reason = "the shapes of the model are impossible";
        return false;
    }
    return true;
}

struct point *point_add(struct point_list *list, struct error *err)
{
    if (list->len == list->room) {
        size_t room = list->room == 0 ? 512 : list->room * 2;
        struct point *more = arena_array(list->arena, struct point, room, err);

        if (more == NULL)
            return NULL;
        if (list->len > 0)
            memcpy(more, list->at, list->len * sizeof *more);
        list->at = more;
        list->room = room;
    }
    list->at[list->len] = (struct point){.measured = NAN};
    return &list->at[list->len++];
}

static bool read_names(struct rows_reader *r, struct error *err)
{
    r->columns = r->row.count;
    if (r->columns > ROW_MAX_COLUMNS)
        return error_fail(err, ERROR_INPUT, "more than %d columns", ROW_MAX_COLUMNS);
    for (size_t i = 0; i < r->columns; i++) {
        r->names[i] = str_trim(r->row.fields[i]);
        if (!copy(&r->names[i], r->arena, err))
            return false;
    }
    return true;
}

static bool has_column(const struct rows_reader *r, const char *name)
{
    for (size_t i = 0; i < r->columns; i++)
        if (str_eq_nocase(r->names[i], str_from(name)))
            return true;
    return false;
}

/* The columns without which no row says anything. */
static bool check_names(const struct rows_reader *r, enum truth_kind kind, struct error *err)
{
    static const char *const needed[] = {"source", "gpu",
                                         "model"}; /* power may lack the last */
    const char *missing = NULL;

    for (size_t i = 0; i < ARRAY_LEN(needed) - (kind == TRUTH_ENERGY); i++)
        if (missing == NULL && !has_column(r, needed[i]))
            missing = needed[i];
    if (missing == NULL && kind == TRUTH_ENERGY && !has_column(r, "mean_node_w") &&
        !has_column(r, "mean_board_w") && !has_column(r, "avg_power_w"))
        missing = "mean_node_w";
    if (missing == NULL)
        return true;
    error_set(err, ERROR_INPUT, "line 1: the column '%s' is missing", missing);
    error_hint(err, "the first line names the columns, with commas between; docs/accuracy.md "
                    "lists them");
    return false;
}

static bool read_all(struct rows_reader *r, enum truth_kind kind, struct point_list *list,
                     size_t *rows, struct error *err)
{
    static bool (*const readers[TRUTH_KINDS])(const struct rows_reader *, struct point_list *,
                                              struct error *) = {
        [TRUTH_TRAINING] = read_training_row,
        [TRUTH_MEMORY] = read_memory_row,
        [TRUTH_INFERENCE] = read_inference_row,
        [TRUTH_ENERGY] = read_energy_row,
    };

    if (!csv_next(r->csv, &r->row, err))
        return csv_failed(r->csv) ? false : error_fail(err, ERROR_INPUT, "line 1: no columns");
    if (!read_names(r, err) || !check_names(r, kind, err))
        return false;
    while (csv_next(r->csv, &r->row, err)) {
        size_t before = list->len;

        if (++*rows > MOST_ROWS)
            return error_fail(err, ERROR_INPUT, "more than %d rows", MOST_ROWS);
        if (!readers[kind](r, list, err))
            return false;
        if (list->len > before)
            list->at[before].first = true;
    }
    return !csv_failed(r->csv);
}

void points_settle(struct point *points, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        points[i].setup.arch = &points[i].arch;
        points[i].serve.arch = &points[i].arch;
    }
}

bool points_read(enum truth_kind kind, struct str text, const char *name,
                 const struct catalog *catalog, struct points *out, struct arena *arena,
                 struct error *err)
{
    struct csv_options options = {.alloc = arena->alloc};
    struct rows_reader r = {.catalog = catalog, .arena = arena};
    struct point_list list = {.arena = arena};
    size_t rows = 0;
    bool ok;

    r.csv = csv_open_text(text, &options, err);
    if (r.csv == NULL)
        return false;
    ok = read_all(&r, kind, &list, &rows, err);
    csv_close(r.csv);
    if (!ok) {
        error_place(err, name);
        return false;
    }
    points_settle(list.at, list.len);
    *out = (struct points){.at = list.at, .len = list.len, .rows = rows};
    return true;
}
