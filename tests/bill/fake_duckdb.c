/* A library with the functions of DuckDB that are called, for tests. Its "Parquet" files are
 * text: "PAR1", a line of columns as NAME:TYPE with tabs between them (a struct is
 * NAME:25:CHILD,CHILD), then rows of the texts that DuckDB would give, \N for null. A row "!x"
 * is a failure that says x. Every third row begins a new chunk. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))
#define CELLS 16
#define ROWS 3

struct result {
    uint64_t unused[3];
    void *also[2];
    struct fake *fake;
};

union text {
    struct {
        uint32_t len;
        char at[12];
    } here;
    struct {
        uint32_t len;
        char head[4];
        const char *at;
    } there;
};

struct fake {
    FILE *file;
    char error[400], lines[ROWS][1000], columns[1000];
    size_t rows, leaves;
    union text texts[CELLS][ROWS];
    uint64_t valid[CELLS];
    size_t asked;
};

EXPORT int duckdb_open(const char *path, void **database);
EXPORT void duckdb_close(void **database);
EXPORT int duckdb_connect(void *database, void **connection);
EXPORT void duckdb_disconnect(void **connection);
EXPORT int duckdb_query(void *connection, const char *sql, struct result *result);
EXPORT void duckdb_destroy_result(struct result *result);
EXPORT const char *duckdb_result_error(struct result *result);
EXPORT uint64_t duckdb_column_count(struct result *result);
EXPORT const char *duckdb_column_name(struct result *result, uint64_t index);
EXPORT void *duckdb_column_logical_type(struct result *result, uint64_t index);
EXPORT int duckdb_get_type_id(void *type);
EXPORT void duckdb_destroy_logical_type(void **type);
EXPORT uint64_t duckdb_struct_type_child_count(void *type);
EXPORT char *duckdb_struct_type_child_name(void *type, uint64_t index);
EXPORT void *duckdb_struct_type_child_type(void *type, uint64_t index);
EXPORT void duckdb_free(void *block);
EXPORT int duckdb_prepare(void *connection, const char *sql, void **prepared);
EXPORT const char *duckdb_prepare_error(void *prepared);
EXPORT void duckdb_destroy_prepare(void **prepared);
EXPORT int duckdb_pending_prepared_streaming(void *prepared, void **pending);
EXPORT const char *duckdb_pending_error(void *pending);
EXPORT int duckdb_execute_pending(void *pending, struct result *result);
EXPORT void duckdb_destroy_pending(void **pending);
EXPORT void *duckdb_fetch_chunk(struct result result);
EXPORT uint64_t duckdb_data_chunk_get_size(void *chunk);
EXPORT void *duckdb_data_chunk_get_vector(void *chunk, uint64_t index);
EXPORT void *duckdb_vector_get_data(void *vector);
EXPORT uint64_t *duckdb_vector_get_validity(void *vector);
EXPORT void duckdb_destroy_data_chunk(void **chunk);

static struct fake fake;
static char column_text[CELLS][64];

/* How many things of ours are out: a test sees a leak as a failure of the last close. */
static int out;

int duckdb_open(const char *path, void **database)
{
    *database = path == NULL && getenv("FAKE_DUCKDB_DEAD") == NULL ? &fake : NULL;
    return *database == NULL;
}

void duckdb_close(void **database)
{
    *database = NULL;
    if (out != 0)
        abort();
}

int duckdb_connect(void *database, void **connection)
{
    *connection = database;
    return 0;
}

void duckdb_disconnect(void **connection)
{
    *connection = NULL;
}

static int fail(const char *text)
{
    (void)snprintf(fake.error, sizeof fake.error, "%s\nLINE 1: SELECT", text);
    return 1;
}

/* Open the file that the question names, and read its columns. */
static int ask(const char *sql)
{
    const char *from = strstr(sql, " FROM read_parquet('");
    char path[500] = "", *to = path, mark[16];

    fake.error[0] = '\0';
    if (strstr(sql, "', binary_as_string=true)") == NULL || from == NULL)
        return fail("Parser Error: odd question");
    for (from += 20; *from != '\'' || from[1] == '\''; from++) {
        from += *from == '\'';
        *to++ = *from;
    }
    if (fake.file != NULL)
        (void)fclose(fake.file);
    fake.file = fopen(path, "r");
    if (fake.file == NULL)
        return fail("IO Error: no such file");
    if (fgets(mark, sizeof mark, fake.file) == NULL || strcmp(mark, "PAR1\n") != 0 ||
        fgets(fake.columns, sizeof fake.columns, fake.file) == NULL)
        return fail("Invalid Input Error: No magic bytes found");
    fake.columns[strcspn(fake.columns, "\n")] = '\0';
    return 0;
}

int duckdb_query(void *connection, const char *sql, struct result *result)
{
    (void)connection;
    out++;
    result->fake = &fake;
    if (strncmp(sql, "SET ", 4) == 0)
        return strstr(sql, "threads=1") == NULL; /* unknown settings do no harm */
    return ask(sql);
}

void duckdb_destroy_result(struct result *result)
{
    (void)result;
    out--;
}

const char *duckdb_result_error(struct result *result)
{
    (void)result;
    return fake.error[0] == '\0' ? NULL : fake.error;
}

static const char *column(size_t index)
{
    const char *at = fake.columns;

    for (size_t i = 0; i < index; i++)
        at = strchr(at, '\t') + 1;
    (void)snprintf(column_text[index], sizeof column_text[index], "%.*s",
                   (int)strcspn(at, "\t"), at);
    return column_text[index];
}

uint64_t duckdb_column_count(struct result *result)
{
    uint64_t count = 1;

    (void)result;
    for (const char *c = fake.columns; *c != '\0'; c++)
        count += *c == '\t';
    return count;
}

const char *duckdb_column_name(struct result *result, uint64_t index)
{
    static char name[CELLS][64];

    (void)result;
    (void)snprintf(name[index], sizeof name[index], "%s", column(index));
    name[index][strcspn(name[index], ":")] = '\0';
    return name[index];
}

/* A type is its text: "17", or "25:id,description". */
void *duckdb_column_logical_type(struct result *result, uint64_t index)
{
    (void)result;
    out++;
    return strdup(strchr(column(index), ':') + 1);
}

int duckdb_get_type_id(void *type)
{
    return (int)strtol(type, NULL, 10);
}

void duckdb_destroy_logical_type(void **type)
{
    free(*type);
    *type = NULL;
    out--;
}

uint64_t duckdb_struct_type_child_count(void *type)
{
    uint64_t count = 1;

    for (const char *c = type; *c != '\0'; c++)
        count += *c == ',';
    return count;
}

char *duckdb_struct_type_child_name(void *type, uint64_t index)
{
    const char *at = strchr(type, ':') + 1;

    for (uint64_t i = 0; i < index; i++)
        at = strchr(at, ',') + 1;
    out++;
    return strndup(at, strcspn(at, ","));
}

void *duckdb_struct_type_child_type(void *type, uint64_t index)
{
    (void)type;
    (void)index;
    out++;
    return strdup("17");
}

void duckdb_free(void *block)
{
    free(block);
    out--;
}

int duckdb_prepare(void *connection, const char *sql, void **prepared)
{
    FILE *log =
        getenv("FAKE_DUCKDB_SQL") == NULL ? NULL : fopen(getenv("FAKE_DUCKDB_SQL"), "w");

    if (log != NULL) {
        (void)fputs(sql, log);
        (void)fclose(log);
    }
    out++;
    *prepared = connection;
    return ask(sql);
}

const char *duckdb_prepare_error(void *prepared)
{
    (void)prepared;
    return fake.error;
}

void duckdb_destroy_prepare(void **prepared)
{
    *prepared = NULL;
    out--;
}

int duckdb_pending_prepared_streaming(void *prepared, void **pending)
{
    out++;
    *pending = prepared;
    return 0;
}

const char *duckdb_pending_error(void *pending)
{
    (void)pending;
    return "?";
}

int duckdb_execute_pending(void *pending, struct result *result)
{
    (void)pending;
    out++;
    result->fake = &fake;
    return 0;
}

void duckdb_destroy_pending(void **pending)
{
    *pending = NULL;
    out--;
}

static void split(size_t row)
{
    char *at = fake.lines[row], *next;

    at[strcspn(at, "\n")] = '\0';
    for (size_t i = 0; at != NULL && i < CELLS; i++, at = next) {
        union text *text = &fake.texts[i][row];

        next = strchr(at, '\t');
        if (next != NULL)
            *next++ = '\0';
        text->here.len = (uint32_t)strlen(at);
        if (text->here.len <= 12)
            memcpy(text->here.at, at, text->here.len);
        else
            text->there.at = at;
        if (strcmp(at, "\\N") != 0)
            fake.valid[i] |= UINT64_C(1) << row;
    }
}

void *duckdb_fetch_chunk(struct result result)
{
    (void)result;
    memset(fake.valid, 0, sizeof fake.valid);
    for (fake.rows = 0; fake.rows < ROWS; fake.rows++) {
        if (fgets(fake.lines[fake.rows], sizeof fake.lines[0], fake.file) == NULL)
            break;
        if (fake.lines[fake.rows][0] == '!') {
            (void)fail(fake.lines[fake.rows] + 1);
            return NULL;
        }
        split(fake.rows);
    }
    if (fake.rows == 0)
        return NULL;
    out++;
    return &fake;
}

uint64_t duckdb_data_chunk_get_size(void *chunk)
{
    (void)chunk;
    return fake.rows;
}

void *duckdb_data_chunk_get_vector(void *chunk, uint64_t index)
{
    (void)chunk;
    return &fake.valid[index];
}

void *duckdb_vector_get_data(void *vector)
{
    return fake.texts[(uint64_t *)vector - fake.valid];
}

uint64_t *duckdb_vector_get_validity(void *vector)
{
    return vector;
}

void duckdb_destroy_data_chunk(void **chunk)
{
    *chunk = NULL;
    out--;
}
