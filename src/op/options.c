#include "op/options.h"

#include "base/fs.h"
#include "op/context.h"
#include "render/columns.h"
#include "render/csv_rows.h"

bool op_csv(const struct op_context *ctx, struct str path, const struct columns *columns,
            const struct table_rows *rows, struct error *err)
{
    struct buf text = buf_new(ctx->arena->alloc, BUF_MAX_OUTPUT);
    char *name;
    bool ok;

    if (path.len == 0)
        return true;
    name = str_dup(path, ctx->arena, err);
    if (columns != NULL)
        columns_csv(columns, rows, &text);
    else
        csv_rows_write(rows->row, &(struct rows){rows->at, rows->len}, &text);
    ok = name != NULL && buf_ok(&text, err) && fs_put(name, buf_text(&text), err);
    buf_free(&text);
    return ok;
}
