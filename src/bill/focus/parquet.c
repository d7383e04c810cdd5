#include "bill/focus/parquet.h"

#include "base/fs.h"
#include "base/part.h"

struct parquet {
    const struct alloc *alloc;
    const struct parquet_part *part;
    void *file;
};

bool parquet_is(struct str head)
{
    return str_starts(head, STR("PAR1"));
}

struct parquet *parquet_open(const char *path, const struct alloc *alloc, struct error *err)
{
    const struct parquet_part *part = part_open("parquet", PARQUET_PART_VERSION, err);
    struct parquet *parquet;

    if (part == NULL)
        return NULL;
    parquet = alloc->get(alloc->ctx, sizeof *parquet);
    if (parquet == NULL) {
        (void)error_memory(err);
        return NULL;
    }
    *parquet = (struct parquet){.alloc = alloc, .part = part};
    parquet->file = part->open(path, env_get("STINT_DUCKDB"), alloc, err);
    if (parquet->file == NULL) {
        parquet_close(parquet);
        return NULL;
    }
    return parquet;
}

static ptrdiff_t read_parquet_text(void *ctx, char *to, size_t room, struct error *err)
{
    struct parquet *parquet = ctx;

    return parquet->part->read(parquet->file, to, room, err);
}

struct source parquet_source(struct parquet *parquet)
{
    return (struct source){.read = read_parquet_text, .ctx = parquet};
}

void parquet_close(struct parquet *parquet)
{
    if (parquet == NULL)
        return;
    if (parquet->file != NULL)
        parquet->part->close(parquet->file);
    parquet->alloc->put(parquet->alloc->ctx, parquet);
}
