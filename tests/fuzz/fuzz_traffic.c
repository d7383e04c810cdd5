/* Any bytes as a file of traffic: an error with a text, or a day or a week with a peak. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "advise/economics/traffic.h"

#define TEXT_MAX ((size_t)1 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool fact)
{
    if (!fact)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str text = {(const char *)data, size};
    struct error err = {0};
    struct traffic t;
    bool peak = false;

    if (size > TEXT_MAX)
        return 0;
    (void)traffic_is_trace(text);
    if (!traffic_read(text, "day.csv", &alloc_system, &t, &err)) {
        require(err.kind != ERROR_NONE && err.text[0] != '\0');
        return 0;
    }
    require((t.shape.hours == 24 || t.shape.hours == DEPLOY_HOURS) && t.peak > 0 &&
            isfinite(t.peak));
    for (size_t i = 0; i < t.shape.hours; i++) {
        require(t.shape.share[i] >= 0 && t.shape.share[i] <= 1);
        peak |= t.shape.share[i] >= 1;
    }
    require(peak && deploy_mean_share(&t.shape) > 0);
    return 0;
}
