#include "cli/runs_view.h"

#include <math.h>
#include <string.h>

#include "cli/number_view.h"

void runs_why(const struct ledger_run *run, struct buf *out)
{
    bool failed = run->state == RUN_FAILED;

    if (run->state == RUN_STOPPED && str_eq(run->reason, STR(LEDGER_DETACHED)))
        buf_adds(out, "it went on, unmetered");
    else if (run->state == RUN_STOPPED && str_eq(run->reason, STR(LEDGER_EXIT_UNKNOWN)))
        buf_adds(out, "exit status unknown");
    else if (str_ends(run->reason, STR(LEDGER_PASSED)))
        buf_addf(out, "past its limit: %.*s, not stopped",
                 (int)(run->reason.len - strlen(LEDGER_PASSED)), run->reason.at);
    else if (run->reason.len > 0)
        buf_add_safe(out, run->reason);
    else if (failed && run->status > 128 && run->status < 128 + 65)
        buf_addf(out, "signal %d", run->status - 128);
    else if (failed && run->status >= 0)
        buf_addf(out, "exit %d", run->status);
    if (ledger_origin_given(run->start.origin)) {
        buf_adds(out, out->len > 0 ? ", " : "");
        buf_add(out, run->start.origin);
    }
    if (run->attempt_count > 1)
        buf_addf(out, "%s%d attempts", out->len > 0 ? ", " : "", run->attempt_count);
}

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
        buf_addf(out, " %.3g %% of it", share * 100);
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
