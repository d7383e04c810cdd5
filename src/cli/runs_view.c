#include "cli/runs_view.h"
#include "unit/shown.h"

#include <math.h>
#include <string.h>

void runs_metric(double value, struct buf *out)
{
    if (isfinite(value))
        buf_addf(out, fabs(value) >= 1e5 ? "%.10g" : "%.5g", value);
    else
        buf_char(out, '?');
}

void view_share(struct buf *out, struct str pays, int64_t sharers, double share, bool now)
{
    if (str_eq(pays, STR("inside"))) {
        buf_adds(out, ", paid by the run that it is inside of");
        return;
    }
    if (!str_eq(pays, STR("fixed")) && sharers <= 1)
        return;
    if (!str_eq(pays, STR("fixed")))
        buf_addf(out, ", shared by %s%lld runs:", now ? "" : "up to ", (long long)sharers);
    else
        buf_char(out, ',');
    if (isnan(share))
        buf_adds(out, " ? of it");
    else
        buf_addf(out, " %s of it", percent_text(share).text);
}

/* What the driver itself holds of a device is no other process. */
#define DRIVER_BYTES 1.5e9

bool view_shares_device(double device, double run)
{
    return device > run * 1.05 + DRIVER_BYTES;
}

void view_device_memory(struct buf *out, double device, double total, double run)
{
    bool shares = view_shares_device(device, run);

    if (isnan(device))
        return;
    if (shares)
        buf_addf(out, ", %.1f GB used by the run; device", run / 1e9);
    buf_addf(out, shares ? " %.1f" : ", %.1f", device / 1e9);
    if (!isnan(total))
        buf_addf(out, " of %.1f", total / 1e9);
    buf_adds(out, " GB");
}
