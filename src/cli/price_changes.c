#include "cli/price_changes.h"

static void count(struct buf *out, int64_t n, const char *what)
{
    buf_addf(out, ", %lld %s", (long long)n, what);
}

void view_price_changes(const struct view *view, const struct price_changes *changes)
{
    buf_addf(view->out, "%lld offer%s", (long long)changes->offers,
             changes->offers == 1 ? "" : "s");
    count(view->out, changes->new_offers, "of them new");
    buf_addf(view->out, "; prices: %lld changed", (long long)changes->changed);
    count(view->out, changes->unchanged, "confirmed");
    count(view->out, changes->gone, "gone");
    if (changes->doubtful > 0)
        count(view->out, changes->doubtful, "doubtful ('stint price doctor' tells which)");
    buf_char(view->out, '\n');
}
