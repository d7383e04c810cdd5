#include "report/figures.h"

#include "base/fs.h"

bool figure_write(const struct figure_sheet *sheet, struct str path, struct arena *arena,
                  struct error *err)
{
    struct buf text = buf_new(arena->alloc, BUF_MAX_OUTPUT);

    figure_svg(sheet, &text);
    return fs_put_buf(path, &text, err);
}
