/* The loadable part `parquet`: asks DuckDB for every column as text, and writes CSV. */
#include <string.h>

#include "base/csv.h"
#include "base/part.h"
#include "bill/focus/parquet.h"
#include "bill/focus/parquet_duckdb.h"

#define MAX_SQL ((size_t)1 << 20)
#define MAX_CHUNK ((size_t)1 << 28) /* 2,048 rows as text */
#define MAX_DEPTH 8                 /* of structs in structs; what is deeper becomes JSON */

struct file {
    const struct alloc *alloc;
    const char *path;
    struct duck_library duck;
    duck_handle database, connection, prepared;
    struct duck_result result;
    bool running, ended;
    size_t columns;
    struct buf text; /* CSV that was not read yet, from `given` on */
    size_t given;
};

static const char *const settings[] = {
    /* One thread: memory stays small, and rows keep their order. */
    "SET threads=1",
    "SET memory_limit='512MB'",
    /* Nothing is fetched from anywhere. */
    "SET autoinstall_known_extensions=false",
    "SET autoload_known_extensions=false",
};

/* The first line of DuckDB's message. */
static bool refused(const struct file *f, const char *message, struct error *err)
{
    struct str rest = str_from(message), line = str_cut(&rest, '\n');

    return error_fail(err, ERROR_INPUT, "%s: DuckDB cannot read it: %.*s", f->path,
                      (int)(line.len > 300 ? 300 : line.len),
                      line.len > 0 ? line.at : "no reason given");
}

static void from_file(const struct file *f, struct buf *sql)
{
    buf_adds(sql, " FROM read_parquet(");
    /* "https://..." is a file's name here, as it is everywhere else in the program. */
    if (f->path[0] == '/') {
        buf_add_quoted(sql, str_from(f->path), '\'');
    } else {
        struct buf here = buf_new(f->alloc, MAX_SQL);

        buf_adds(&here, "./");
        buf_adds(&here, f->path);
        buf_add_quoted(sql, buf_text(&here), '\'');
        buf_free(&here);
    }
    buf_adds(sql, ", binary_as_string=true)");
}

static void timestamp_text(struct buf *sql, struct str expression)
{
    buf_adds(sql, "strftime(make_timestamp(epoch_us(");
    buf_add(sql, expression);
    buf_adds(sql, ")), '%Y-%m-%dT%H:%M:%SZ')");
}

/* A column of the answer: its name, how it is reached, and what it is. */
struct column {
    struct str name, expression;
    duck_handle type;
    unsigned depth;
};

static bool add_parquet_column(struct file *f, const struct column *column, struct buf *sql,
                               struct error *err);

static bool add_children(struct file *f, const struct column *column, struct buf *sql,
                         struct error *err)
{
    uint64_t count = f->duck.child_count(column->type);
    bool ok = true;

    for (uint64_t i = 0; i < count && ok; i++) {
        struct buf name = buf_new(f->alloc, MAX_SQL), expression = buf_new(f->alloc, MAX_SQL);
        char *child_name = f->duck.child_name(column->type, i);
        struct column child = {.type = f->duck.child_type(column->type, i),
                               .depth = column->depth + 1};

        buf_add(&name, column->name);
        buf_char(&name, '.');
        buf_adds(&name, child_name);
        buf_adds(&expression, "struct_extract(");
        buf_add(&expression, column->expression);
        buf_adds(&expression, ", ");
        buf_add_quoted(&expression, str_from(child_name), '\'');
        buf_char(&expression, ')');
        child.name = buf_text(&name);
        child.expression = buf_text(&expression);
        ok = buf_ok(&name, err) && buf_ok(&expression, err) &&
             add_parquet_column(f, &child, sql, err);
        f->duck.destroy_type(&child.type);
        f->duck.free(child_name);
        buf_free(&name);
        buf_free(&expression);
    }
    return ok;
}

/* Add the column to the question, and its name to the header. */
static bool add_parquet_column(struct file *f, const struct column *column, struct buf *sql,
                               struct error *err)
{
    int type = f->duck.type_id(column->type);

    if (type == DUCK_STRUCT && column->depth < MAX_DEPTH)
        return add_children(f, column, sql, err);
    if (++f->columns > CSV_MAX_FIELDS)
        return error_fail(err, ERROR_INPUT, "%s: it has more than %zu columns", f->path,
                          CSV_MAX_FIELDS);
    if (f->columns > 1) {
        buf_char(&f->text, ',');
        buf_adds(sql, ", ");
    }
    csv_write_field(column->name, &f->text);
    if (type == DUCK_TIMESTAMP || type == DUCK_TIMESTAMP_S || type == DUCK_TIMESTAMP_MS ||
        type == DUCK_TIMESTAMP_NS || type == DUCK_TIMESTAMP_TZ) {
        timestamp_text(sql, column->expression);
    } else if (type == DUCK_LIST || type == DUCK_STRUCT || type == DUCK_MAP ||
               type == DUCK_ARRAY) {
        buf_adds(sql, "CAST(to_json(");
        buf_add(sql, column->expression);
        buf_adds(sql, ") AS VARCHAR)");
    } else {
        buf_adds(sql, "CAST(");
        buf_add(sql, column->expression);
        buf_adds(sql, " AS VARCHAR)");
    }
    return true;
}

static bool add_columns(struct file *f, struct duck_result *shape, struct buf *sql,
                        struct error *err)
{
    uint64_t count = f->duck.column_count(shape);
    bool ok = true;

    for (uint64_t i = 0; i < count && ok; i++) {
        struct buf expression = buf_new(f->alloc, MAX_SQL);
        struct column column = {.name = str_from(f->duck.column_name(shape, i)),
                                .type = f->duck.column_type(shape, i)};

        buf_add_quoted(&expression, column.name, '"');
        column.expression = buf_text(&expression);
        ok = buf_ok(&expression, err) && add_parquet_column(f, &column, sql, err);
        f->duck.destroy_type(&column.type);
        buf_free(&expression);
    }
    buf_char(&f->text, '\n');
    return ok;
}

/* The question for all rows: its text needs the columns, which a first question returns. */
static bool make_question(struct file *f, struct buf *sql, struct error *err)
{
    struct duck_result shape = {0};
    bool ok = true;

    buf_adds(sql, "SELECT *");
    from_file(f, sql);
    buf_adds(sql, " LIMIT 0");
    buf_char(sql, '\0');
    if (!buf_ok(sql, err))
        return false;
    if (f->duck.query(f->connection, sql->at, &shape) != 0)
        ok = refused(f, f->duck.result_error(&shape), err);
    buf_clear(sql);
    buf_adds(sql, "SELECT ");
    ok = ok && add_columns(f, &shape, sql, err);
    f->duck.destroy_result(&shape);
    from_file(f, sql);
    buf_char(sql, '\0');
    return ok && buf_ok(sql, err) && buf_ok(&f->text, err);
}

static bool run_query(struct file *f, const char *sql, struct error *err)
{
    duck_handle pending = NULL;
    bool ok = true;

    if (f->duck.prepare(f->connection, sql, &f->prepared) != 0)
        return refused(f, f->duck.prepare_error(f->prepared), err);
    if (f->duck.pending(f->prepared, &pending) != 0)
        ok = refused(f, f->duck.pending_error(pending), err);
    if (ok && f->duck.execute(pending, &f->result) != 0)
        ok = refused(f, f->duck.result_error(&f->result), err);
    f->running = true;
    f->duck.destroy_pending(&pending);
    return ok;
}

static bool begin_parquet(struct file *f, struct error *err)
{
    struct buf sql = buf_new(f->alloc, MAX_SQL);
    bool ok;

    if (f->duck.open(NULL, &f->database) != 0 ||
        f->duck.connect(f->database, &f->connection) != 0)
        return error_fail(err, ERROR_FAILED, "DuckDB's library does not start");
    for (size_t i = 0; i < ARRAY_LEN(settings); i++) {
        struct duck_result ignored = {0};

        (void)f->duck.query(f->connection, settings[i], &ignored);
        f->duck.destroy_result(&ignored);
    }
    ok = make_question(f, &sql, err) && run_query(f, sql.at, err);
    buf_free(&sql);
    return ok;
}

static void close_file(void *file)
{
    struct file *f = file;
    const struct alloc *alloc = f->alloc;

    if (f->running)
        f->duck.destroy_result(&f->result);
    if (f->prepared != NULL)
        f->duck.destroy_prepare(&f->prepared);
    if (f->connection != NULL)
        f->duck.disconnect(&f->connection);
    if (f->database != NULL)
        f->duck.close(&f->database);
    buf_free(&f->text);
    alloc->put(alloc->ctx, f);
}

static void *open_parquet(const char *path, const char *library, const struct alloc *alloc,
                          struct error *err)
{
    struct file *f = alloc->get(alloc->ctx, sizeof *f);

    if (f == NULL) {
        (void)error_memory(err);
        return NULL;
    }
    *f = (struct file){.alloc = alloc, .path = path, .text = buf_new(alloc, MAX_CHUNK)};
    if (!duck_load(&f->duck, library, err)) {
        error_context(err, "%s is Parquet", path);
        error_hint(
            err,
            "install libduckdb.so (or set its path in STINT_DUCKDB), or convert: duckdb -c "
            "\"COPY (FROM '%.100s') TO '%.100s.csv'\"",
            path, path);
    } else if (begin_parquet(f, err)) {
        return f;
    }
    close_file(f);
    return NULL;
}

static void add_parquet_cell(duck_handle vector, const struct file *f, uint64_t row,
                             struct buf *out)
{
    const uint64_t *valid = f->duck.vector_validity(vector);
    const union duck_text *text = f->duck.vector_data(vector);

    text += row;
    if (valid != NULL && (valid[row / 64] >> (row % 64) & 1) == 0)
        return;
    csv_write_field(
        (struct str){text->here.len <= DUCK_TEXT_HERE ? text->here.at : text->there.at,
                     text->here.len},
        out);
}

/* The next rows as CSV. False with the error set; at the end `ended` is. */
static bool fetch_rows(struct file *f, struct error *err)
{
    duck_handle chunk = f->duck.fetch(f->result);
    const char *message;

    buf_clear(&f->text);
    f->given = 0;
    if (chunk == NULL) {
        f->ended = true;
        message = f->duck.result_error(&f->result);
        return message == NULL || message[0] == '\0' || refused(f, message, err);
    }
    for (uint64_t row = 0, rows = f->duck.chunk_size(chunk); row < rows; row++) {
        for (uint64_t i = 0; i < f->columns; i++) {
            if (i > 0)
                buf_char(&f->text, ',');
            add_parquet_cell(f->duck.chunk_vector(chunk, i), f, row, &f->text);
        }
        /* A blank line is no row in CSV. */
        if (f->columns == 1 && f->text.len > 0 && f->text.at[f->text.len - 1] == '\n')
            buf_adds(&f->text, "\"\"");
        buf_char(&f->text, '\n');
    }
    f->duck.destroy_chunk(&chunk);
    return buf_ok(&f->text, err);
}

static ptrdiff_t read_parquet(void *file, char *to, size_t room, struct error *err)
{
    struct file *f = file;
    size_t count;

    while (f->given == f->text.len && !f->ended)
        if (!fetch_rows(f, err))
            return -1;
    count = f->text.len - f->given;
    if (count > room)
        count = room;
    if (count > 0)
        memcpy(to, f->text.at + f->given, count);
    f->given += count;
    return (ptrdiff_t)count;
}

static const struct parquet_part functions = {open_parquet, read_parquet, close_file};

EXPORTED extern const struct part stint_part;

const struct part stint_part = {
    .name = "parquet",
    .version = PARQUET_PART_VERSION,
    .functions = &functions,
};
