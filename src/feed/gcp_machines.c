/* Which parts Google's descriptions mean, and which parts its machines are made of. */
#include <math.h>

#include "feed/gcp.h"

/* Take `word` from the start of `s`, whatever the case, when a blank or the end follows. */
static bool take(struct str *s, struct str word)
{
    struct str head = {s->at, word.len};

    if (s->len < word.len || !str_eq_nocase(head, word) ||
        (s->len > word.len && s->at[word.len] != ' '))
        return false;
    *s = str_trim((struct str){s->at + word.len, s->len - word.len});
    return true;
}

static const struct {
    const char *name;
    enum gcp_part part;
} gpu_names[] = {
    {"T4 GPU", PART_T4},
    {"P4 GPU", PART_P4},
    {"P100 GPU", PART_P100},
    {"V100 GPU", PART_V100},
    {"K80 GPU", PART_K80},
    {"L4 GPU", PART_L4},
    {"A100 GPU", PART_A100_40GB},
    {"A100 80GB GPU", PART_A100_80GB},
    {"H100 GPU", PART_H100},
    {"H100 80GB GPU", PART_H100},
    {"H100 80GB Plus GPU", PART_H100_MEGA},
    {"H100 80GB Mega GPU", PART_H100_MEGA},
    {"H100 Mega 80GB GPU", PART_H100_MEGA},
    {"H200 141GB GPU", PART_H200},
    {"B200 (1 gpu slice)", PART_B200_SLICE},
    {"RTX 6000 96GB", PART_RTX_PRO_6000},
    {"RTX PRO 6000 96GB", PART_RTX_PRO_6000},
};

static const struct {
    const char *name;
    enum gcp_part core;
} series_names[] = {
    {"N1", PART_N1_CORE},
    {"A2", PART_A2_CORE},
    {"A3Plus", PART_A3_MEGA_CORE},
    {"A3Mega", PART_A3_MEGA_CORE},
    {"A3 Mega", PART_A3_MEGA_CORE},
    {"A3Ultra", PART_A3_ULTRA_CORE},
    {"A3 Ultra", PART_A3_ULTRA_CORE},
    {"A3", PART_A3_CORE},
    {"G2", PART_G2_CORE},
    {"G4", PART_G4_CORE},
};

/* "Nvidia Tesla T4 GPU running in Americas", "A4 Nvidia B200 (1 gpu slice) running in ..." */
static bool gpu_part(struct str text, enum gcp_part *part)
{
    (void)take(&text, STR("A4"));
    (void)take(&text, STR("Nvidia"));
    (void)take(&text, STR("Tesla"));
    for (size_t i = 0; i < ARRAY_LEN(gpu_names); i++)
        if (take(&text, str_from(gpu_names[i].name))) {
            *part = gpu_names[i].part;
            return true;
        }
    return false;
}

/* "A2 Instance Core running in Americas", and of commitments "A2 Cpu in Americas for 1 Year"; a
 * commitment that names no series is for N1. */
static bool series_part(struct str text, bool commitment, enum gcp_part *part)
{
    bool named = false;

    *part = PART_N1_CORE;
    for (size_t i = 0; i < ARRAY_LEN(series_names) && !named; i++) {
        named = take(&text, str_from(series_names[i].name));
        if (named)
            *part = series_names[i].core;
    }
    (void)take(&text, STR("Predefined"));
    if (!take(&text, STR("Instance")) && !commitment)
        return false;
    if (!named && !commitment)
        return false;
    if (take(&text, STR("Core")) || take(&text, STR("Cpu")))
        return true;
    *part = (enum gcp_part)(*part + 1);
    return take(&text, STR("Ram"));
}

/* Prices of other things under much the same names: virtual workstations, machines of one's own
 * shape or of one tenant, reservations by calendar, premiums on top of prices. */
static bool special(struct str description)
{
    static const char *const words[] = {
        "Custom",   "Premium",     "Reserved", "Sole Tenancy", "DWS",
        "Calendar", "Workstation", "Flex",     "vGPU",
    };

    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (str_has_nocase(description, str_from(words[i])))
            return true;
    return false;
}

/* Descriptions are more right than `usageType`: some spot prices are listed as on-demand. */
static enum market market_of(struct str description, struct str usage, bool commitment)
{
    if (commitment) {
        if (str_eq(usage, STR("Commit1Yr")) || str_has_nocase(description, STR("for 1 Year")))
            return MARKET_RESERVED_1Y;
        if (str_eq(usage, STR("Commit3Yr")) || str_has_nocase(description, STR("for 3 Year")))
            return MARKET_RESERVED_3Y;
        return MARKET_COUNT;
    }
    if (str_eq(usage, STR("Preemptible")) || str_has_nocase(description, STR("Preemptible")))
        return MARKET_SPOT;
    return str_eq(usage, STR("OnDemand")) ? MARKET_ON_DEMAND : MARKET_COUNT;
}

bool gcp_sku(struct str description, struct str usage, enum gcp_part *part, enum market *market)
{
    struct str text = str_trim(description);
    bool commitment = str_starts(usage, STR("Commit"));

    if (special(text))
        return false;
    if (take(&text, STR("Commitment v1:")) || take(&text, STR("Commitment:")))
        commitment = true;
    *market = market_of(description, usage, commitment);
    if (*market == MARKET_COUNT)
        return false;
    (void)take(&text, STR("Spot"));
    (void)take(&text, STR("Preemptible"));
    if (take(&text, STR("SSD backed Local Storage")) ||
        (commitment && take(&text, STR("Local SSD")))) {
        *part = PART_LOCAL_SSD;
        return true;
    }
    return gpu_part(text, part) || series_part(text, commitment, part);
}

/* Machines by the start of their names. Types with local disks that come with them are billed
 * for those too, so they are in the price; catalogs that add cores, memory and accelerators
 * alone are 0.7 to 1 % below what Google bills for them. */
static const struct {
    const char *start;
    enum gcp_part core, gpu;
    int64_t ssd_gib; /* for each accelerator */
} types[] = {
    {"a2-highgpu-", PART_A2_CORE, PART_A100_40GB, 0},
    {"a2-megagpu-", PART_A2_CORE, PART_A100_40GB, 0},
    {"a2-ultragpu-", PART_A2_CORE, PART_A100_80GB, 375},
    {"a3-highgpu-", PART_A3_CORE, PART_H100, 750},
    {"a3-edgegpu-", PART_A3_CORE, PART_H100, 750},
    {"a3-megagpu-", PART_A3_MEGA_CORE, PART_H100_MEGA, 750},
    {"a3-ultragpu-", PART_A3_ULTRA_CORE, PART_H200, 1500},
    {"a4-highgpu-", PART_COUNT, PART_B200_SLICE, 0}, /* the slice has it all */
    {"g2-standard-", PART_G2_CORE, PART_L4, 0},
    {"g4-standard-", PART_G4_CORE, PART_RTX_PRO_6000, 0},
};

/* Accelerators that are added to N1 machines: "n1-highmem-8+2xT4". */
static const struct {
    const char *start;
    enum gcp_part part;
} attached[] = {
    {"T4", PART_T4},      {"P4", PART_P4},   {"P100-", PART_P100},
    {"V100-", PART_V100}, {"K80", PART_K80},
};

static int64_t in_1024ths(double number)
{
    return isnan(number) || number < 0 || number > 1e6 ? -1 : llround(number * 1024);
}

bool gcp_recipe(const struct machine *machine, struct gcp_recipe *out)
{
    struct str name = machine->instance;

    *out = (struct gcp_recipe){.core = in_1024ths(machine->vcpus),
                               .ram = in_1024ths(machine->memory_gib),
                               .gpu = machine->count * 1024,
                               .core_part = PART_COUNT,
                               .gpu_part = PART_COUNT};
    if (out->core < 0 || out->ram < 0 || machine->count < 1 || machine->count > 1024)
        return false;
    for (size_t i = 0; i < ARRAY_LEN(types); i++)
        if (str_starts(name, str_from(types[i].start))) {
            out->core_part = types[i].core;
            out->gpu_part = types[i].gpu;
            out->ssd = str_ends(name, STR("-nolssd")) ? 0 : types[i].ssd_gib * out->gpu;
            return true;
        }
    if (!str_starts(name, STR("n1-")))
        return false;
    out->core_part = PART_N1_CORE;
    for (size_t i = 0; i < ARRAY_LEN(attached); i++)
        if (str_starts(machine->accelerator, str_from(attached[i].start)))
            out->gpu_part = attached[i].part;
    return out->gpu_part != PART_COUNT;
}

#define MACHINE(name, gpu, n, cpus, gib) \
    { \
        .provider = {"gcp", 3}, .instance = {name, sizeof(name) - 1}, \
        .accelerator = {gpu, sizeof(gpu) - 1}, .count = (n), .vcpus = (cpus), \
        .memory_gib = (gib) \
    }

const struct machine gcp_more_machines[] = {
    MACHINE("a3-edgegpu-8g", "H100-SXM-80GB", 8, 208, 1872),
    MACHINE("a3-edgegpu-8g-nolssd", "H100-SXM-80GB", 8, 208, 1872),
    MACHINE("g4-standard-48", "RTXPRO6000-Blackwell-SE", 1, 48, 180),
    MACHINE("g4-standard-96", "RTXPRO6000-Blackwell-SE", 2, 96, 360),
    MACHINE("g4-standard-192", "RTXPRO6000-Blackwell-SE", 4, 192, 720),
    MACHINE("g4-standard-384", "RTXPRO6000-Blackwell-SE", 8, 384, 1440),
};
const size_t gcp_more_machine_count = ARRAY_LEN(gcp_more_machines);
