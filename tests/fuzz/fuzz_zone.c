/* Any bytes are a zone or refused; a clock of it shows a time that leads back to a moment. */
#include <stdint.h>
#include <stdlib.h>

#include "unit/zone.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const int64_t moments[] = {0, 1794700800, 4000000000, -2000000000};
    struct arena arena = {.alloc = &alloc_system};
    struct str file = {(const char *)data, size};
    struct error err = {0};
    struct zone zone;
    struct zone_rule rule;

    if (zone_read(file, &arena, &zone, &err))
        for (size_t i = 0; i < ARRAY_LEN(moments); i++) {
            stamp at = {moments[i]};
            day date = zone_day(&zone, at);
            int64_t apart = zone_moment(&zone, date, 0).s - at.s;

            if (apart > 4 * SECONDS_PER_DAY || apart < -4 * SECONDS_PER_DAY)
                abort();
        }
    else if (err.kind == ERROR_NONE)
        abort();
    if (zone_rule_parse(file, &rule))
        (void)zone_rule_offset(&rule, (stamp){1794700800});
    arena_free(&arena);
    return 0;
}
