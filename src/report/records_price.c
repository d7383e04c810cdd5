/* Prices of machines as rows. */
#include "report/records.h"

static const struct column list[] = {
    COLUMN("", outlier, .yes = "!", .if_any = true, .places = ON_TERMINAL),
    COLUMN("offer", offer, .shrink = true),
    COLUMN("GPUs", accelerator, .times = "count", .wide = true),
    COLUMN("", count, .places = IN_FILE),
    COLUMN("GPU GB", gpu_memory_gb, .optional = true),
    COLUMN("on-demand", on_demand),
    COLUMN("spot", spot),
    COLUMN("savings", spot_savings, .form = COLUMN_PERCENT, .optional = true),
    COLUMN("per GPU", per_gpu, .wide = true),
    COLUMN("80 % range", price_low, .to = "price_high", .form = COLUMN_ESTIMATE, .spread = true,
           .unknown = "", .if_any = true, .optional = true, .places = ON_TERMINAL | ON_PAGE),
    COLUMN("age", age_days, .form = COLUMN_AGE, .wide = true),
};

const struct columns price_columns[PLACES] = COLUMNS_OF_RECORD(list, NULL);
