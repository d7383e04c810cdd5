#include <math.h>

#include "base/characters.h"
#include "base/num.h"
#include "feed/azure.h"

/* Machines that the catalog has no offer of, as the pages of Azure's sizes describe them.
 * Shares of an accelerator are so many of so many parts. The number in the name is of vCPUs. */
static const struct {
    const char *name, *accelerator;
    int count, parts;
    double memory_gib; /* 0: not known */
} machines[] = {
    {"NC6s_v2", "P100-PCIe-16GB", 1, 1, 112},
    {"NC12s_v2", "P100-PCIe-16GB", 2, 1, 224},
    {"NC24s_v2", "P100-PCIe-16GB", 4, 1, 448},
    {"NC24rs_v2", "P100-PCIe-16GB", 4, 1, 448},
    {"NC24rs_v3", "V100-PCIe", 4, 1, 448},
    {"NCC40ads_H100_v5", "H100-NVL-94GB", 1, 1, 320},
    {"ND6s", "P40", 1, 1, 112},
    {"ND12s", "P40", 2, 1, 224},
    {"ND24s", "P40", 4, 1, 448},
    {"ND24rs", "P40", 4, 1, 448},
    {"ND96*_A100_v4", "A100-SXM-80GB", 8, 1, 1900},
    {"ND96*_H100_v5", "H100-SXM-80GB", 8, 1, 1900},
    {"ND96*_H200_v5", "H200-SXM-141GB", 8, 1, 1850},
    {"ND96*_MI300X_v5", "MI300X", 8, 1, 1850},
    {"ND128*_GB200_v6", "GB200-NVL72", 4, 1, 0},
    {"ND128*_GB300_v6", "GB300-NVL72", 4, 1, 0},
    {"NV6s_v2", "M60", 1, 1, 112},
    {"NV12s_v2", "M60", 2, 1, 224},
    {"NV24s_v2", "M60", 4, 1, 448},
    {"NV4as_v4", "MI25", 1, 8, 14},
    {"NV8as_v4", "MI25", 1, 4, 28},
    {"NV16as_v4", "MI25", 1, 2, 56},
    {"NV6ads_A10_v5", "A10", 1, 6, 55},
    {"NV12ads_A10_v5", "A10", 1, 3, 110},
    {"NV18ads_A10_v5", "A10", 1, 2, 220},
    {"NV36adms_A10_v5", "A10", 1, 1, 880},
    {"NV4ads_V710_v5", "Radeon Pro V710", 1, 6, 16},
    {"NV8ads_V710_v5", "Radeon Pro V710", 1, 3, 32},
    {"NV12ads_V710_v5", "Radeon Pro V710", 1, 2, 64},
    {"NV24ads_V710_v5", "Radeon Pro V710", 1, 1, 128},
    {"NV28adms_V710_v5", "Radeon Pro V710", 1, 1, 160},
    {"NG8ads_V620_v1", "Radeon Pro V620", 1, 4, 16},
    {"NG16ads_V620_v1", "Radeon Pro V620", 1, 2, 32},
    {"NG32ads_V620_v1", "Radeon Pro V620", 1, 1, 64},
    {"NG32adms_V620_v1", "Radeon Pro V620", 1, 1, 176},
};

/* The first number in a name: of NC24ads_A100_v4 24. */
static double first_number(struct str name)
{
    size_t from = 0, end;
    int64_t number;

    while (from < name.len && (name.at[from] < '0' || name.at[from] > '9'))
        from++;
    for (end = from; end < name.len && is_digit(name.at[end]); end++)
        continue;
    return num_int((struct str){name.at + from, end - from}, &number) ? (double)number : NAN;
}

bool azure_machine(struct feed_known *known, struct str sku, struct azure_machine *out)
{
    struct str full = sku, name;
    const struct machine *offer;

    if (str_ends(full, STR("_Promo"))) /* the same machine, sold off */
        full.len -= STR("_Promo").len;
    offer = feed_machine(known, STR("azure"), full);
    if (offer != NULL) {
        *out = (struct azure_machine){offer->accelerator, (double)offer->count, offer->vcpus,
                                      offer->memory_gib};
        return true;
    }
    if (!str_starts(full, STR("Standard_N")))
        return false;
    name = (struct str){full.at + STR("Standard_").len, full.len - STR("Standard_").len};
    for (size_t i = 0; i < ARRAY_LEN(machines); i++) {
        const struct accelerator *a;

        if (!str_glob(name, str_from(machines[i].name)))
            continue;
        a = feed_accelerator(known, str_from(machines[i].accelerator), NAN);
        out->accelerator = a != NULL ? a->name : str_from(machines[i].accelerator);
        out->count = (double)machines[i].count / machines[i].parts;
        out->vcpus = first_number(name);
        out->memory_gib = machines[i].memory_gib > 0 ? machines[i].memory_gib : NAN;
        return true;
    }
    return false;
}
