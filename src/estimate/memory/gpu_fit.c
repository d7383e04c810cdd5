#include "estimate/memory/gpu_fit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/num.h"
#include "estimate/memory/memory.h"
#include "estimate/model/setup.h"
#include "estimate/range.h"
#include "estimate/serving/infer.h"

#define NODE 8 /* GPUs that tensor parallel joins: those of one machine */
#define LORA_RANK 16

/* Least demanding first of those that serve, then of those that train. */
const struct fit_mode fit_modes[] = {
    {.name = "inference", .with = "int4", .serving = true, .weights = WEIGHTS_INT4},
    {.name = "inference", .with = "int8", .serving = true, .weights = WEIGHTS_INT8},
    {.name = "inference", .with = "fp8", .serving = true, .weights = WEIGHTS_FP8},
    {.name = "inference", .with = "fp16", .serving = true, .weights = WEIGHTS_FP16},
    {.name = "qlora", .with = "nf4 base", .weights = WEIGHTS_NF4, .method = METHOD_QLORA},
    {.name = "lora", .with = "bf16 base", .method = METHOD_LORA},
    {.name = "full", .with = "adamw-8bit", .optimizer = OPTIMIZER_ADAMW_8BIT},
    {.name = "full", .with = "adamw"},
};
const size_t fit_mode_count = ARRAY_LEN(fit_modes);

/* Devices that the usual software does not train on. */
static bool is_serving_only_gpu(const struct accelerator *gpu)
{
    return str_starts(gpu->name, STR("Inferentia")) || str_starts(gpu->name, STR("AI100")) ||
           str_eq(gpu->vendor, STR("Apple"));
}

/* Old cards have memory enough, but half precision is slow on them, and no library is built for
 * them any more. */
static bool is_supported(const struct accelerator *gpu)
{
    bool half = gpu->bf16_tflops > 0 || gpu->fp16_tflops >= gpu->fp32_tflops;

    if (!(gpu->memory_gb > 0) || !half)
        return false;
    return !str_eq(gpu->vendor, STR("AMD")) || gpu->year >= 2021 ||
           str_starts(gpu->architecture, STR("CDNA"));
}

/* Kernels that unpack weights of 8 and 4 bits are written for GPUs; fp8 needs no unpacking
 * where the device computes in it. */
static bool takes_packed(enum weights weights, const struct accelerator *gpu)
{
    if (weights == WEIGHTS_FP8)
        return gpu->fp8_tflops > 0;
    return str_eq(gpu->vendor, STR("NVIDIA")) || str_eq(gpu->vendor, STR("AMD")) ||
           str_eq(gpu->vendor, STR("Apple"));
}

/* Can such a model be used so at all? Can this device do it? */
static bool fit_mode_suits(const struct fit_mode *mode, const struct arch *arch)
{
    bool packed = mode->serving ? mode->weights != WEIGHTS_FP16 : mode->method == METHOD_QLORA;

    if (arch_is_other(arch) && packed) /* the weights of small models are not packed */
        return false;
    return mode->serving || mode->method == METHOD_FULL || arch->kind != ARCH_LSTM;
}

static bool fit_mode_runs(const struct fit_mode *mode, const struct accelerator *gpu)
{
    bool packed = mode->serving ? mode->weights != WEIGHTS_FP16 : mode->method == METHOD_QLORA;

    return is_supported(gpu) && (!packed || takes_packed(mode->weights, gpu)) &&
           (mode->serving || !is_serving_only_gpu(gpu));
}

static struct guess infinite_guess(void)
{
    return (struct guess){INFINITY, INFINITY, INFINITY};
}

static struct guess serving_bytes(const struct fit_mode *mode, const struct fit_work *work,
                                  const struct accelerator *gpu, int64_t count,
                                  char setting[FIT_SETTING_MAX])
{
    const struct arch *a = work->arch;
    struct serving s = {
        .arch = a,
        .gpu = gpu,
        .gpus = count,
        .tensor = 1,
        .weights = mode->weights,
        .kv = WEIGHTS_FP16,
        .engine = ENGINE_GRAPH, /* takes no more than it needs */
        .batch = (double)work->batch,
        .input = (double)work->sequence,
    };
    struct serving_memory m;
    struct error err = {0};

    if (arch_is_other(a) && count > 1) /* they are copied, not split */
        return infinite_guess();
    while (!arch_is_other(a) && 2 * s.tensor <= count && 2 * s.tensor <= NODE &&
           a->heads % (2 * s.tensor) == 0)
        s.tensor *= 2;
    s.pipeline = count / s.tensor;
    if (!serving_check(&s, &err))
        return infinite_guess();
    if (s.pipeline > 1)
        (void)snprintf(setting, FIT_SETTING_MAX, "tensor %lld, pipeline %lld",
                       (long long)s.tensor, (long long)s.pipeline);
    else if (s.tensor > 1)
        (void)snprintf(setting, FIT_SETTING_MAX, "tensor %lld", (long long)s.tensor);
    m = estimate_serving_memory(&s, work->constants);
    return guess_time(m.device, serving_memory_doubt(&m, work->constants));
}

static struct guess training_bytes(const struct fit_mode *mode, const struct fit_work *work,
                                   const struct accelerator *gpu, int64_t count,
                                   char setting[FIT_SETTING_MAX])
{
    struct setup s = {
        .arch = work->arch,
        .gpu = gpu,
        .gpus = count,
        .per_node = count < NODE ? count : NODE,
        .network_gb_s = NAN,
        .method = mode->method,
        .targets = TARGET_ALL,
        .rank = LORA_RANK,
        .base = mode->weights,
        .precision = PRECISION_BF16,
        .optimizer = mode->optimizer,
        .recompute = RECOMPUTE_FULL,
        .stack = arch_is_other(work->arch) || work->arch->kind == ARCH_VIT
                     ? (count > 1 ? STACK_FSDP : STACK_EAGER)
                     : STACK_HF, /* as choose.h has it */
        .attention = ATTENTION_FLASH,
        .head_share = 1,
        .sequence = work->sequence,
        .micro_batch = work->batch,
        .accumulation = 1,
        .data = count,
        .tensor = 1,
        .pipeline = 1,
        .virtual_pipeline = 1,
        .context = 1,
        .expert = 1,
        .zero = count > 1 ? 3 : 0,
        .shard = count,
    };
    struct error err = {0};

    if (!setup_check(&s, &err))
        return infinite_guess();
    if (count > 1)
        (void)snprintf(setting, FIT_SETTING_MAX, "ZeRO 3 over %lld", (long long)count);
    return guess_time(estimate_memory(&s, work->constants).device,
                      memory_doubt(&s, work->constants));
}

struct guess fit_bytes(const struct fit_mode *mode, const struct fit_work *work,
                       const struct accelerator *gpu, int64_t count,
                       char setting[FIT_SETTING_MAX])
{
    struct guess size;

    setting[0] = '\0';
    /* Computers with memory for all have no fast link to one another. */
    if (count > 1 && str_eq(gpu->vendor, STR("Apple")))
        return infinite_guess();
    size = mode->serving ? serving_bytes(mode, work, gpu, count, setting)
                         : training_bytes(mode, work, gpu, count, setting);
    return isnan(size.value) ? infinite_guess() : size;
}

/* The fewest of this GPU, a power of two up to `most`, that hold it, and what they need; 0 when
 * none do, or when the device cannot. */
static int64_t fit_fewest(const struct fit_mode *mode, const struct fit_work *work,
                          const struct accelerator *gpu, int64_t most, double *needed,
                          char setting[FIT_SETTING_MAX])
{
    if (!fit_mode_runs(mode, gpu))
        return 0;
    for (int64_t n = 1; n <= most; n *= 2) {
        struct guess size = fit_bytes(mode, work, gpu, n, setting);

        *needed = size.value;
        if (guess_chance_below(size, usable_memory(gpu)) >= FITS_CHANCE)
            return n;
        if (n > most / 2)
            break;
    }
    return 0;
}

/* ---- all of it ---- */

#define MOST_GPUS 4096 /* tried to find what would hold it */

static const struct field option_fields[] = {
    FIELD(TEXT, gpu_fit_option, mode, .help = "inference, qlora, lora or full (training)"),
    FIELD(TEXT, gpu_fit_option, with, .help = "storage format of weights or optimizer states"),
    FIELD(TEXT, gpu_fit_option, gpu, .help = "accelerator name"),
    FIELD(COUNT, gpu_fit_option, count, .help = "number of GPUs"),
    FIELD(NUMBER, gpu_fit_option, memory_gb, .help = "memory needed on the fullest GPU, GB"),
    FIELD(NUMBER, gpu_fit_option, usable_gb, .help = "memory available on each GPU, GB"),
    FIELD(NUMBER, gpu_fit_option, total_gb, .help = "memory of all GPUs together, GB"),
    FIELD(TEXT, gpu_fit_option, setting, .help = "parallelism settings"),
    FIELD(FLAG, gpu_fit_option, smallest, .help = "smallest memory that fits"),
    FIELD(FLAG, gpu_fit_option, cheapest, .help = "lowest price that fits"),
    FIELD(RATE, gpu_fit_option, price,
          .help = "on-demand price of as many GPUs, in complete machines"),
    FIELD(TEXT, gpu_fit_option, offer, .help = "cheapest offer"),
    FIELD(COUNT, gpu_fit_option, machines, .help = "machines of that offer"),
    FIELD(DAY, gpu_fit_option, price_date, .help = "date of that price"),
    FIELD(COUNT, gpu_fit_option, price_age_days, .help = "age of that price in days"),
};

const struct field_set gpu_fit_option_fields = FIELD_SET(struct gpu_fit_option, option_fields);

static const struct field missing_fields[] = {
    FIELD(TEXT, gpu_fit_missing, mode, .help = "use that fits none of the requested GPUs"),
    FIELD(TEXT, gpu_fit_missing, with, .help = "storage format of weights or optimizer states"),
    FIELD_AS("would_fit", TEXT, gpu_fit_missing, would, .help = "hardware that would fit"),
};

const struct field_set gpu_fit_missing_fields =
    FIELD_SET(struct gpu_fit_missing, missing_fields);

struct fit_search {
    const struct catalog *catalog;
    const struct gpu_fit_query *query;
    struct arena *arena;
    struct gpu_fit_option *found; /* of one mode */
    size_t found_count;
    struct gpu_fit_option *options;
    size_t option_count;
    struct gpu_fit_missing *missing;
    size_t missing_count;
};

bool gpu_fit_matches(const struct accelerator *gpu, struct str pattern)
{
    return pattern.len == 0 || str_glob(gpu->name, pattern) || str_glob(gpu->family, pattern);
}

static bool is_wanted_fit_gpu(const struct gpu_fit_query *query, const struct accelerator *gpu)
{
    return query->only != NULL ? gpu == query->only : gpu_fit_matches(gpu, query->gpu);
}

/* The cheapest machines with so many: one machine, or machines of 8. Cards that are
 * rented one by one cannot work together. */
static void price_option(const struct fit_search *f, const struct accelerator *a,
                         struct gpu_fit_option *o)
{
    int64_t least = o->count < NODE ? o->count : NODE;

    for (size_t i = 0; i < f->query->machine_count; i++) {
        const struct machine *offer = &f->query->machines[i];
        struct joining join;
        usd_per_hour price;
        int64_t machines;
        double ranked;

        if (offer->gpu != a || offer->count < least)
            continue;
        join = machine_joining(f->catalog, offer, f->query->supply);
        machines = joining_rented(&join, (o->count + offer->count - 1) / offer->count);
        if (!joining_allows(&join, machines))
            continue;
        price = usd_per_hour_times(offer->on_demand, machines);
        ranked = usd_per_hour_double(price) * (1 + offer->trust[MARKET_ON_DEMAND].premium);
        if (price.nano == MONEY_UNKNOWN || !(isnan(o->ranked) || ranked < o->ranked))
            continue;
        o->price = price;
        o->ranked = ranked;
        o->machines = machines;
        o->offer = offer->name;
        o->price_date = offer->fact.date;
        o->price_age_days = offer->age_days;
    }
}

static bool try_gpu(struct fit_search *f, const struct fit_mode *mode,
                    const struct accelerator *a, struct error *err)
{
    char setting[FIT_SETTING_MAX];
    struct str text;
    double needed = NAN;
    int64_t count = fit_fewest(mode, &f->query->work, a, f->query->max_gpus, &needed, setting);
    struct gpu_fit_option *o = &f->found[f->found_count];

    if (count == 0)
        return true;
    if (!str_keep(str_from(setting), f->arena, &text, err))
        return false;
    *o = (struct gpu_fit_option){
        .mode = str_from(mode->name),
        .with = str_from(mode->with),
        .gpu = a->name,
        .setting = text,
        .count = count,
        .memory_gb = needed / 1e9,
        .usable_gb = usable_memory(a) / 1e9,
        .total_gb = a->memory_gb * (double)count,
        .machines = -1,
        .price_age_days = -1,
        .price = USD_PER_HOUR_UNKNOWN,
        .ranked = NAN,
        .price_date = DAY_UNKNOWN,
    };
    price_option(f, a, o);
    f->found_count++;
    return true;
}

/* The smallest total first; of those the cheapest, then the fewest. */
static int compare_fit_options(const void *x, const void *y)
{
    const struct gpu_fit_option *a = x, *b = y;
    int order = num_compare(a->total_gb, b->total_gb);

    if (order == 0)
        order = usd_per_hour_compare(a->price, b->price);
    if (order == 0)
        order = (a->count > b->count) - (a->count < b->count);
    return order != 0 ? order : str_cmp(a->gpu, b->gpu);
}

/* Keep the smallest, and the cheapest when it is not one of them. */
static void keep_best_fits(struct fit_search *f)
{
    size_t cheapest = 0, limit = (size_t)f->query->limit;

    qsort(f->found, f->found_count, sizeof f->found[0], compare_fit_options);
    for (size_t i = 1; i < f->found_count; i++)
        if (num_compare(f->found[i].ranked, f->found[cheapest].ranked) < 0)
            cheapest = i;
    f->found[0].smallest = true;
    f->found[cheapest].cheapest = f->found[cheapest].price.nano != MONEY_UNKNOWN;
    for (size_t i = 0; i < f->found_count; i++)
        if (i < limit || f->found[i].cheapest)
            f->options[f->option_count++] = f->found[i];
}

/* Of all GPUs in the catalog, the fewest that hold it. */
static bool find_any(const struct fit_search *f, const struct fit_mode *mode, struct str *out,
                     struct error *err)
{
    size_t total = f->catalog->tables[TABLE_ACCELERATORS].len;
    int64_t best = 0;
    char text[128] = "", setting[FIT_SETTING_MAX];

    for (size_t i = 0; i < total; i++) {
        const struct accelerator *a =
            CATALOG_ROW(f->catalog, TABLE_ACCELERATORS, accelerator, i);
        double needed;
        int64_t count = fit_fewest(mode, &f->query->work, a, best > 0 ? best - 1 : MOST_GPUS,
                                   &needed, setting);

        if (count == 0)
            continue;
        best = count;
        (void)snprintf(text, sizeof text, "%lldx %.*s", (long long)count, STR_ARG(a->name));
    }
    return str_keep(str_from(text), f->arena, out, err);
}

static bool try_mode(struct fit_search *f, const struct fit_mode *mode, struct error *err)
{
    size_t total = f->catalog->tables[TABLE_ACCELERATORS].len;
    struct gpu_fit_missing *m = &f->missing[f->missing_count];

    f->found_count = 0;
    for (size_t i = 0; i < total; i++) {
        const struct accelerator *a =
            CATALOG_ROW(f->catalog, TABLE_ACCELERATORS, accelerator, i);

        if (is_wanted_fit_gpu(f->query, a) && !try_gpu(f, mode, a, err))
            return false;
    }
    if (f->found_count > 0) {
        keep_best_fits(f);
        return true;
    }
    *m = (struct gpu_fit_missing){.mode = str_from(mode->name), .with = str_from(mode->with)};
    f->missing_count++;
    return find_any(f, mode, &m->would, err);
}

bool gpu_fit(const struct catalog *catalog, const struct gpu_fit_query *query,
             struct arena *arena, struct gpu_fit *out, struct error *err)
{
    struct fit_search f = {.catalog = catalog, .query = query, .arena = arena};
    size_t total = catalog->tables[TABLE_ACCELERATORS].len;

    f.found = arena_array(arena, struct gpu_fit_option, total + 1, err);
    f.options = arena_array(arena, struct gpu_fit_option, (total + 1) * fit_mode_count, err);
    f.missing = arena_array(arena, struct gpu_fit_missing, fit_mode_count, err);
    if (f.found == NULL || f.options == NULL || f.missing == NULL)
        return false;
    for (size_t i = 0; i < fit_mode_count; i++)
        if (fit_mode_suits(&fit_modes[i], query->work.arch) &&
            !try_mode(&f, &fit_modes[i], err))
            return false;
    out->options = (struct rows){f.options, f.option_count};
    out->missing = (struct rows){f.missing, f.missing_count};
    return true;
}
