/* Any bytes reach the terminal, in their order, however they are cut; what is added is bounded,
 * and a terminal that is too small for a line gets nothing added at all. The first byte chooses
 * where the line is drawn. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "run/terminal/screen.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool fact)
{
    if (!fact)
        abort();
}

/* Are all bytes of `part` in `all`, in their order? */
static bool holds(struct str all, struct str part)
{
    size_t at = 0;

    for (size_t i = 0; i < all.len && at < part.len; i++)
        at += all.at[i] == part.at[at];
    return at == part.len;
}

static struct buf pass(struct str text, size_t step, int rows, int draw_each)
{
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct screen screen;
    int draws = 0;

    screen_start(&screen, rows, 40, &out);
    for (size_t i = 0; i < text.len; i += step) {
        screen_pass(&screen,
                    (struct str){text.at + i, text.len - i < step ? text.len - i : step}, &out);
        if (draw_each > 0 && ++draws % draw_each == 0)
            (void)screen_draw(&screen, STR("\033[33m$0.42\033[0m of $5"), &out);
        if (draw_each > 0 && draws % 7 == 0)
            screen_resize(&screen, 2 + draws % 9, 15 + draws % 30, &out);
    }
    screen_stop(&screen, &out);
    require(out.failed == ERROR_NONE);
    return out;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str text = {(const char *)data + 1, size > 0 ? size - 1 : 0};
    int each = size > 0 ? data[0] % 8 + 1 : 1;
    struct buf once, bytewise, small, drawn;

    if (size == 0 || size > 65536)
        return 0;
    once = pass(text, text.len + 1, 24, 0);
    bytewise = pass(text, 1, 24, 0);
    require(once.len == bytewise.len && memcmp(once.at, bytewise.at, once.len) == 0);
    require(holds(buf_text(&once), text));
    require(once.len <= text.len * 8 + 128);
    small = pass(text, 3, 2, 0);
    require(small.len <= text.len + 1 && holds(buf_text(&small), text));
    drawn = pass(text, (size_t)each, 24, each);
    require(holds(buf_text(&drawn), text));
    buf_free(&once);
    buf_free(&bytewise);
    buf_free(&small);
    buf_free(&drawn);
    return 0;
}
