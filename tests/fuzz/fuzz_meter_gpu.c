/* Any environment gives a set of the devices there are, and all of them when it has no
 * variable; any output of hl-smi gives rows whose figures are unknown or plausible. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "meter/gaudi.h"
#include "meter/visible.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool fact)
{
    if (!fact)
        abort();
}

#define WORD(text) \
    { \
        text, sizeof(text) - 1 \
    }

static void check_environment(struct str text)
{
    static const struct visible_device devices[] = {
        {WORD("GPU-aaaa-1"), WORD("NVIDIA H100"), 0, false, 2},
        {WORD("GPU-aabb-2"), WORD("NVIDIA H100"), 1, false, 0},
        {WORD("MIG-cccc-3"), WORD("NVIDIA H100 MIG 1g.10gb"), 1, true, 1},
        {WORD(""), WORD("NVIDIA A10"), 2, false, -1},
    };

    for (int vendor = VISIBLE_NVIDIA; vendor <= VISIBLE_HABANA; vendor++)
        for (size_t count = 0; count <= 4; count++) {
            visible_set set = 0;
            bool restricted =
                visible_devices((enum visible_vendor)vendor, text, devices, count, &set);

            require((set & ~visible_all(count)) == 0);
            require(restricted || set == visible_all(count));
        }
}

static void check_amount(double value)
{
    require(isnan(value) || value >= 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct gaudi_row row[8];
    struct str text = {(const char *)data, size};
    size_t count;

    check_environment(text);
    count = gaudi_parse(text, row, 8);
    require(count <= 8);
    for (size_t i = 0; i < count; i++) {
        require(row[i].index >= 0 && row[i].module >= -1);
        require(memchr(row[i].name, '\0', sizeof row[i].name) != NULL);
        require(memchr(row[i].uuid, '\0', sizeof row[i].uuid) != NULL);
        check_amount(row[i].busy);
        require(!(row[i].busy > 1));
        check_amount(row[i].memory);
        check_amount(row[i].watts);
    }
    return 0;
}
