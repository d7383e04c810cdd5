/* Prices of machines as rows. */
#include "catalog/machine.h"
#include "report/records.h"

/* Of the price asked for: nothing while it is sure. */
static bool write_price_range(const struct column *column, const void *row, struct buf *out)
{
    const struct machine *m = row;

    (void)column;
    if (m->price_low.nano == MONEY_UNKNOWN || m->price_low.nano >= m->price_high.nano)
        return true;
    usd_write_estimate((usd){m->price_low.nano}, out);
    buf_adds(out, " to ");
    usd_write_estimate((usd){m->price_high.nano}, out);
    return true;
}

static const struct column list[] = {
    COLUMN("", outlier, .yes = "!", .if_any = true, .places = ON_TERMINAL),
    COLUMN("offer", offer, .shrink = true),
    COLUMN("GPUs", accelerator, .times = "count", .wide = true),
    COLUMN("", count, .places = IN_FILE),
    COLUMN("GPU GB", gpu_memory_gb, .optional = true),
    COLUMN("on-demand", on_demand),
    COLUMN("spot", spot),
    COLUMN("saving", spot_saving, .form = COLUMN_PERCENT, .optional = true),
    COLUMN("per GPU", per_gpu, .wide = true),
    COLUMN_CELL("80 % range", write_price_range, .unknown = "", .side = COLUMN_RIGHT,
                .if_any = true, .optional = true),
    COLUMN("age", age_days, .form = COLUMN_AGE, .wide = true),
};

const struct columns price_columns[PLACES] = COLUMNS_OF_RECORD(list, NULL);
