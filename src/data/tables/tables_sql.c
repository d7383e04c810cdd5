#include "data/tables/tables_sql.h"

#include "base/json.h"
#include "base/num.h"

#define SAMPLE_ROWS 2048
#define EXACT "9007199254740992" /* 2^53: doubles have all integers up to it */

/* What may be true of all values of a column: bits of the answer. */
enum {
    FITS_BIGINT = 1,
    FITS_BOOLEAN = 2,
    FITS_DATE = 4,
    FITS_TIMESTAMP = 8,
    FITS_DOUBLE = 16,
    FITS_DOUBLE_WHOLE = 32,
    FITS_DECIMAL = 64,
    ARE_STRINGS = 128,
    ARE_NUMBERS = 256,
    ARE_BOOLEANS = 512,
    ARE_SIMPLE = ARE_STRINGS | ARE_NUMBERS | ARE_BOOLEANS,
};

static void add_name(struct buf *out, const struct tables_column *column)
{
    buf_add_quoted(out, column->name, '"');
}

/* Extensions are never fetched from a network. */
static void add_view(const struct tables_source *source, struct buf *out)
{
    buf_adds(out, "SET autoinstall_known_extensions = false;\nSET preserve_insertion_order = "
                  "true;\nSET temp_directory = ");
    buf_add_quoted(out, str_from(source->spill), '\'');
    buf_adds(out, ";\nCREATE TEMP VIEW source AS SELECT * FROM ");
    buf_adds(out, source->json ? "read_json(" : "read_csv(");
    buf_add_quoted(out, str_from(source->path), '\'');
    if (source->json) {
        buf_adds(out, ", format = 'newline_delimited', records = true, maximum_depth = 1, "
                      "sample_size = -1, map_inference_threshold = -1);\n");
        return;
    }
    /* Nothing is found out that could leave lines out: comments, lines before the header. */
    buf_addf(
        out,
        ", all_varchar = true, allow_quoted_nulls = false, header = %s, skip = 0, comment = "
        "'', quote = '\"', escape = '\"', strict_mode = true, ignore_errors = false, "
        "null_padding = false, delim = ",
        source->no_header ? "false" : "true");
    buf_add_quoted(out, source->delimiter, '\'');
    buf_adds(out, ");\n");
}

void tables_ask_names(const struct tables_source *source, struct buf *out)
{
    add_view(source, out);
    buf_adds(out, "SELECT '" TABLES_ANSWER "' || to_json(list(column_name)) FROM (DESCRIBE "
                  "source);\n");
}

/* ---- the source: its values, and their texts ---- */

/* A null of JSON is one of SQL. */
static void add_json(struct buf *out, const struct tables_column *column)
{
    buf_adds(out, "(CASE WHEN json_type(");
    add_name(out, column);
    buf_adds(out, ") <> 'NULL' THEN ");
    add_name(out, column);
    buf_adds(out, " END)");
}

static void add_text(const struct tables_source *source, struct buf *out,
                     const struct tables_column *column)
{
    if (!source->json) {
        add_name(out, column);
        return;
    }
    buf_adds(out, column->form == TABLES_STRING ? "(" : "CAST(");
    add_json(out, column);
    buf_adds(out, column->form == TABLES_STRING ? " ->> '$')" : " AS VARCHAR)");
}

/* ---- which types fit ---- */

/* A test of all values that are there: '?' in it is the text of one, '!' its JSON. */
static void add_test(const struct tables_source *source, struct buf *out,
                     const struct tables_column *column, const char *test, bool sample)
{
    buf_adds(out, "CAST(coalesce(bool_and(coalesce(");
    for (; *test != '\0'; test++) {
        if (*test == '?')
            add_text(source, out, column);
        else if (*test == '!')
            add_json(out, column);
        else
            buf_char(out, *test);
    }
    buf_adds(out, ", false)) FILTER (");
    add_text(source, out, column);
    buf_addf(out, " IS NOT NULL), %s) AS INTEGER)", sample ? "true" : "false");
}

static const struct fit_test {
    int bit;
    bool json, csv;
    const char *test;
} fit_tests[] = {
    {FITS_BIGINT, true, true,
     "CAST(TRY_CAST(? AS BIGINT) AS VARCHAR) = ? AND TRY_CAST(? AS BIGINT) BETWEEN -" EXACT
     " AND " EXACT},
    {FITS_BOOLEAN, false, true, "CAST(TRY_CAST(? AS BOOLEAN) AS VARCHAR) = ?"},
    {FITS_DATE, false, true, "CAST(TRY_CAST(? AS DATE) AS VARCHAR) = ?"},
    {FITS_TIMESTAMP, false, true, "CAST(TRY_CAST(? AS TIMESTAMP) AS VARCHAR) = ?"},
    {FITS_DOUBLE, true, true, "CAST(TRY_CAST(? AS DOUBLE) AS VARCHAR) = ?"},
    {FITS_DOUBLE_WHOLE, true, true,
     "regexp_replace(CAST(TRY_CAST(? AS DOUBLE) AS VARCHAR), '[.]0$', '') = ?"},
    {FITS_DECIMAL, false, true,
     "length(?) <= 17 AND regexp_matches(?, '^-{0,1}(0|[1-9][0-9]*)[.][0-9]+$') AND NOT "
     "regexp_matches(?, '^-0[.]0+$')"},
    {ARE_STRINGS, true, false, "json_type(!) = 'VARCHAR'"},
    {ARE_NUMBERS, true, false, "json_type(!) IN ('BIGINT', 'UBIGINT', 'DOUBLE')"},
    {ARE_BOOLEANS, true, false, "json_type(!) = 'BOOLEAN'"},
};

/* [bits, decimals of all values or -1, structure of JSON] */
static void add_form(const struct tables_source *source, struct buf *out,
                     const struct tables_column *column, bool sample)
{
    buf_adds(out, "[CAST(0");
    for (size_t i = 0; i < ARRAY_LEN(fit_tests); i++) {
        if ((source->json ? !fit_tests[i].json : !fit_tests[i].csv) ||
            !(column->may & fit_tests[i].bit))
            continue;
        buf_addf(out, " + %d * ", fit_tests[i].bit);
        add_test(source, out, column, fit_tests[i].test, sample);
    }
    buf_adds(out, " AS VARCHAR), ");
    if (sample || (source->json ? column->may & ARE_SIMPLE : !(column->may & FITS_DECIMAL))) {
        buf_adds(out, "'-1', '']");
        return;
    }
    if (source->json) {
        buf_adds(out, "'-1', coalesce(CAST(json_group_structure(");
        add_json(out, column);
        buf_adds(out, ") AS VARCHAR), '')]");
        return;
    }
    buf_adds(out, "CAST(coalesce(CASE WHEN min(length(");
    add_name(out, column);
    buf_adds(out, ") - position('.' IN ");
    add_name(out, column);
    buf_adds(out, ")) = max(length(");
    add_name(out, column);
    buf_adds(out, ") - position('.' IN ");
    add_name(out, column);
    buf_adds(out, ")) THEN max(length(");
    add_name(out, column);
    buf_adds(out, ") - position('.' IN ");
    add_name(out, column);
    buf_adds(out, ")) END, -1) AS VARCHAR), '']");
}

void tables_ask_forms(const struct tables_source *source, const struct tables_column *columns,
                      size_t count, bool sample, struct buf *out)
{
    add_view(source, out);
    buf_adds(out, "SELECT '" TABLES_ANSWER "' || to_json([");
    for (size_t i = 0; i < count; i++) {
        buf_adds(out, i > 0 ? ",\n" : "\n");
        add_form(source, out, &columns[i], sample);
    }
    if (sample)
        buf_addf(out, "]) FROM (SELECT * FROM source LIMIT %d);\n", SAMPLE_ROWS);
    else
        buf_adds(out, "]) FROM source;\n");
}

static void add_transform(struct buf *out, const struct tables_column *column)
{
    buf_adds(out, "json_transform_strict(");
    add_json(out, column);
    buf_adds(out, ", ");
    buf_add_quoted(out, column->structure, '\'');
    buf_char(out, ')');
}

void tables_ask_nested(const struct tables_source *source, const struct tables_column *columns,
                       size_t count, struct buf *out)
{
    bool any = false;

    add_view(source, out);
    buf_adds(out, "SELECT '" TABLES_ANSWER "' || to_json([");
    for (size_t i = 0; i < count; i++) {
        if (!columns[i].maybe_nested)
            continue;
        buf_adds(out, any ? ",\nCAST(coalesce(bool_and(coalesce(CAST(to_json("
                          : "\nCAST(coalesce(bool_and(coalesce(CAST(to_json(");
        add_transform(out, &columns[i]);
        buf_adds(out, ") AS VARCHAR) = ");
        add_text(source, out, &columns[i]);
        buf_adds(out, ", false)) FILTER (");
        add_text(source, out, &columns[i]);
        buf_adds(out, " IS NOT NULL), false) AS VARCHAR)");
        any = true;
    }
    buf_adds(out, "]) FROM source;\n");
}

static enum tables_form form_of(int64_t fits, bool json, int64_t scale)
{
    if (json && fits & ARE_STRINGS)
        return TABLES_STRING;
    if (json && fits & ARE_BOOLEANS)
        return TABLES_BOOLEAN;
    if (json && !(fits & ARE_NUMBERS))
        return TABLES_TEXT;
    if (fits & FITS_BIGINT)
        return TABLES_BIGINT;
    if (fits & FITS_BOOLEAN)
        return TABLES_BOOLEAN;
    if (fits & FITS_DATE)
        return TABLES_DATE;
    if (fits & FITS_TIMESTAMP)
        return TABLES_TIMESTAMP;
    if (fits & FITS_DOUBLE)
        return TABLES_DOUBLE;
    if (fits & FITS_DOUBLE_WHOLE)
        return TABLES_DOUBLE_WHOLE;
    return fits & FITS_DECIMAL && scale > 0 ? TABLES_DECIMAL : TABLES_TEXT;
}

bool tables_take_forms(struct strs answer, bool json, struct tables_column *columns,
                       size_t count)
{
    if (answer.len != 3 * count)
        return false;
    for (size_t i = 0; i < count; i++) {
        struct str structure = answer.at[3 * i + 2];
        int64_t fits, scale;

        if (!num_int(answer.at[3 * i], &fits) || !num_int(answer.at[3 * i + 1], &scale))
            return false;
        columns[i].may = fits;
        columns[i].form = form_of(fits, json, scale);
        columns[i].scale = scale;
        columns[i].structure = structure;
        columns[i].maybe_nested = json && columns[i].form == TABLES_TEXT && structure.len > 0 &&
                                  (structure.at[0] == '{' || structure.at[0] == '[');
    }
    return true;
}

bool tables_take_nested(struct strs answer, struct tables_column *columns, size_t count)
{
    size_t next = 0;

    for (size_t i = 0; i < count; i++) {
        if (!columns[i].maybe_nested)
            continue;
        if (next == answer.len)
            return false;
        if (str_eq(answer.at[next++], STR("true")))
            columns[i].form = TABLES_NESTED;
    }
    return next == answer.len;
}

/* ---- the new file ---- */

static void add_type(struct buf *out, const struct tables_column *column)
{
    static const char *const types[] = {
        [TABLES_TEXT] = "VARCHAR",        [TABLES_BIGINT] = "BIGINT",
        [TABLES_BOOLEAN] = "BOOLEAN",     [TABLES_DATE] = "DATE",
        [TABLES_TIMESTAMP] = "TIMESTAMP", [TABLES_DOUBLE] = "DOUBLE",
        [TABLES_DOUBLE_WHOLE] = "DOUBLE", [TABLES_STRING] = "VARCHAR",
    };

    if (column->form == TABLES_DECIMAL)
        buf_addf(out, "DECIMAL(18, %lld)", (long long)column->scale);
    else
        buf_adds(out, types[column->form]);
}

static void add_value(const struct tables_source *source, struct buf *out,
                      const struct tables_column *column)
{
    if (column->form == TABLES_NESTED) {
        add_transform(out, column);
    } else {
        buf_adds(out, "CAST(");
        add_text(source, out, column);
        buf_adds(out, " AS ");
        add_type(out, column);
        buf_char(out, ')');
    }
    buf_adds(out, " AS ");
    add_name(out, column);
}

/* The text that a value of the new file was made of. */
static void add_text_back(struct buf *out, const struct tables_column *column)
{
    if (column->form == TABLES_DOUBLE_WHOLE)
        buf_adds(out, "regexp_replace(");
    buf_adds(out, column->form == TABLES_NESTED ? "CAST(to_json(" : "CAST(");
    add_name(out, column);
    buf_adds(out, column->form == TABLES_NESTED ? ") AS VARCHAR)" : " AS VARCHAR)");
    if (column->form == TABLES_DOUBLE_WHOLE)
        buf_adds(out, ", '[.]0$', '')");
}

/* ["rows", "of rows with their numbers", "of each column"] */
static void add_column_sums(const struct tables_source *source,
                            const struct tables_column *columns, size_t count, struct buf *out)
{
    buf_adds(out, "SELECT '" TABLES_ANSWER "' || to_json([CAST(count(*) AS VARCHAR), "
                  "coalesce(CAST(sum(hash([CAST(stint_row AS VARCHAR)");
    for (int each = 0; each < 2; each++)
        for (size_t i = 0; i < count; i++) {
            buf_adds(out, each == 0 ? ",\n" : i == 0 ? "])) AS VARCHAR), ''),\n" : ",\n");
            buf_adds(out, each > 0 ? "coalesce(CAST(sum(hash(" : "");
            if (source != NULL)
                add_text(source, out, &columns[i]);
            else
                add_text_back(out, &columns[i]);
            buf_adds(out, each > 0 ? ")) AS VARCHAR), '')" : "");
        }
    buf_adds(out, "]) FROM ");
}

void tables_ask_convert(const struct tables_source *source, const struct tables_column *columns,
                        size_t count, const char *parquet, struct buf *out)
{
    add_view(source, out);
    buf_adds(out, "COPY (SELECT ");
    for (size_t i = 0; i < count; i++) {
        buf_adds(out, i > 0 ? ",\n" : "\n");
        add_value(source, out, &columns[i]);
    }
    buf_adds(out, " FROM source) TO ");
    buf_add_quoted(out, str_from(parquet), '\'');
    buf_adds(out, " (FORMAT parquet, COMPRESSION zstd);\n");
    add_column_sums(source, columns, count, out);
    buf_adds(out, "(SELECT *, row_number() OVER () AS stint_row FROM source);\n");
    add_column_sums(NULL, columns, count, out);
    buf_adds(out, "(SELECT *, file_row_number + 1 AS stint_row FROM read_parquet(");
    buf_add_quoted(out, str_from(parquet), '\'');
    buf_adds(out, ", file_row_number = true));\nSELECT '" TABLES_ANSWER
                  "' || to_json(list(column_name)) FROM (DESCRIBE SELECT * FROM read_parquet(");
    buf_add_quoted(out, str_from(parquet), '\'');
    buf_adds(out, "));\n");
}

/* ---- answers ---- */

bool tables_answer(struct str text, struct arena *arena, struct strs *out, struct error *err)
{
    const struct json_options options = {.alloc = arena->alloc};
    struct json *json = json_open_text(text, &options, err);
    struct json_token token = {.kind = JSON_NULL};
    struct str *list = NULL;
    size_t count = 0, room = 0;
    bool ok = json != NULL;

    while (ok && (ok = json_next(json, &token, err)) && token.kind != JSON_END) {
        if (token.kind != JSON_STRING)
            continue;
        list = arena_grow(arena, list, count, sizeof *list, &room, err);
        ok = list != NULL && str_keep(token.text, arena, &list[count++], err);
    }
    json_close(json);
    *out = (struct strs){list, count};
    return ok;
}
