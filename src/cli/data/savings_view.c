#include "cli/data/savings_view.h"

#include "unit/shown.h"

void view_savings(const struct view *view, const struct data_savings *saved, bytes before,
                  const char *what)
{
    view_label(view, "saved");
    bytes_write(saved->size, view->out);
    if (saved->size.n > 0) {
        buf_addf(view->out, " (%s), ",
                 percent_text((double)saved->size.n / (double)before.n).text);
        if (saved->seconds < 1)
            buf_adds(view->out, "under 1 s");
        else
            value_seconds(saved->seconds, view->out);
        buf_adds(view->out, " and ");
        if (saved->cost.nano == MONEY_UNKNOWN)
            buf_adds(view->out, "an unknown price");
        else
            usd_write(saved->cost, view->out);
        buf_addf(view->out, " each time %s is moved", what);
    }
    buf_char(view->out, '\n');
}
