#include "account/classify/bill_classify.h"

#include <string.h>

#include "account/policy/ledger_policy.h"
#include "base/hash.h"
#include "base/json.h"

#define GPU_SLOTS 4096 /* instance types: there are some thousands */
#define SCRATCH_MAX ((size_t)16 << 20)

/* Instance types, or names, that were looked up. */
struct known_gpus {
    struct known_gpu {
        struct str key, gpu;
    } at[GPU_SLOTS];
    size_t count;
};

struct bill_classifier {
    const struct catalog *catalog;
    struct arena *arena;
    const struct allocation_policy *policy; /* NULL: there are no rules */
    struct buf tags, details;               /* texts of the line that was last classified */
    struct known_gpus instances, named;
    struct error failed;
};

/* The parts of SkuPriceDetails that are dimensions. */
struct details {
    struct str instance, tier, gpu;
};

struct bill_classifier *bill_classifier_open(const struct catalog *catalog,
                                             const struct allocation_policy *policy,
                                             struct arena *arena, struct error *err)
{
    struct bill_classifier *c = arena_array(arena, struct bill_classifier, 1, err);

    if (c == NULL)
        return NULL;
    c->catalog = catalog;
    c->policy = policy;
    c->arena = arena;
    c->tags = buf_new(arena->alloc, SCRATCH_MAX);
    c->details = buf_new(arena->alloc, SCRATCH_MAX);
    return c;
}

void bill_classifier_close(struct bill_classifier *c)
{
    if (c == NULL)
        return;
    buf_free(&c->tags);
    buf_free(&c->details);
}

bool bill_classifier_ok(const struct bill_classifier *c, struct error *err)
{
    if (c->failed.kind == ERROR_NONE)
        return true;
    *err = c->failed;
    return false;
}

/* Which detail a key is: FOCUS's own, or what clouds call it. */
static struct str *find_detail(struct details *d, struct str key)
{
    static const char *const instances[] = {"InstanceType", "x_InstanceType", "instance_type",
                                            "MachineType",  "x_MachineType",  "ServiceType",
                                            "x_ServiceType"};
    static const char *const tiers[] = {"StorageClass", "x_StorageClass", "storage_class",
                                        "AccessTier"};

    static const char *const gpus[] = {"x_GpuName", "GpuName", "GpuType", "x_GpuType"};

    for (size_t i = 0; i < ARRAY_LEN(gpus); i++)
        if (str_eq_nocase(key, str_from(gpus[i])))
            return &d->gpu;
    for (size_t i = 0; i < ARRAY_LEN(instances); i++)
        if (str_eq_nocase(key, str_from(instances[i])))
            return &d->instance;
    for (size_t i = 0; i < ARRAY_LEN(tiers); i++)
        if (str_eq_nocase(key, str_from(tiers[i])))
            return &d->tier;
    return NULL;
}

/* Texts in c->details, which may move until all are found. */
struct details_sought {
    struct bill_classifier *c;
    struct details *out;
    struct {
        struct str *of;
        size_t start, len;
    } found[3];
    size_t count;
};

static bool take_detail(void *ctx, struct str key, enum json_kind kind, struct str text)
{
    struct details_sought *s = ctx;
    struct str *of = find_detail(s->out, key);

    if (of == NULL || of->at != NULL || kind != JSON_STRING || text.len == 0)
        return true;
    s->found[s->count].of = of;
    s->found[s->count].start = s->c->details.len;
    s->found[s->count++].len = text.len;
    of->at = ""; /* the first counts */
    buf_add(&s->c->details, text);
    return s->count < ARRAY_LEN(s->found);
}

/* What is no JSON is ignored. */
static struct details details_of(struct bill_classifier *c, struct str json)
{
    struct details out = {0};
    struct details_sought s = {.c = c, .out = &out};
    struct error err = {0};

    buf_clear(&c->details);
    if (json.len == 0)
        return out;
    if (!json_members(json, c->arena->alloc, take_detail, &s, &err) ||
        !buf_ok(&c->details, &err)) {
        if (err.kind == ERROR_MEMORY)
            c->failed = err;
        return (struct details){0};
    }
    for (size_t i = 0; i < s.count; i++)
        *s.found[i].of = (struct str){c->details.at + s.found[i].start, s.found[i].len};
    return out;
}

/* The family of the GPU that people call so. */
static struct str find_gpu_name(const struct catalog *catalog, struct str name)
{
    enum name_match how;
    const struct accelerator *a = accelerator_search(catalog, name, &how);

    return a != NULL ? a->family : (struct str){0};
}

/* What `find` returns for the key, called once. */
static struct str
remember_gpu(struct bill_classifier *c, struct known_gpus *known, struct str key,
             struct str (*find)(const struct catalog *catalog, struct str key))
{
    size_t at = (size_t)text_hash((uint64_t)(uintptr_t)c, key) % GPU_SLOTS;
    struct str gpu;
    char *kept;

    for (; known->at[at].key.at != NULL; at = (at + 1) % GPU_SLOTS)
        if (str_eq(known->at[at].key, key))
            return known->at[at].gpu;
    gpu = find(c->catalog, key);
    if (known->count == GPU_SLOTS / 2) /* more than there are: not worth remembering */
        return gpu;
    kept = str_dup(key, c->arena, &c->failed);
    if (kept != NULL) {
        known->at[at] = (struct known_gpu){{kept, key.len}, gpu};
        known->count++;
    }
    return gpu;
}

/* Is a word like A100 or L4, or even one that nothing else is called? */
static bool may_be_gpu(struct str word, bool *certain)
{
    int digits = 0, letters = 0;

    for (size_t i = 0; i < word.len; i++) {
        char c = word.at[i];

        digits += c >= '0' && c <= '9';
        letters += (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (c == '.' || c == '$' || c == '/') /* of machines, prices and paths */
            return false;
    }
    *certain = digits > 1;
    return digits > 0 && letters > 0 && word.len <= 16;
}

static bool names_gpus(struct str text)
{
    return str_has_nocase(text, STR("gpu")) || str_has_nocase(text, STR("nvidia")) ||
           str_has_nocase(text, STR("tpu"));
}

/* The GPU in "Nvidia Tesla A100 80GB GPU attached to Spot VMs running in Americas". Words such
 * as M1 and L4 are machines too: they count where a GPU is spoken of. */
static struct str described_gpu(struct bill_classifier *c, struct str text)
{
    bool spoken = names_gpus(text);

    while (text.len > 0) {
        struct str start = text, word = str_cut(&text, ' '), next = text, two, gpu;
        bool certain;

        if (memchr(word.at, '.', word.len) != NULL && word.at[0] >= 'a' && word.at[0] <= 'z') {
            gpu = remember_gpu(c, &c->instances, word, instance_gpu); /* p4d.24xlarge */
            if (gpu.len > 0)
                return gpu;
        }
        if (!may_be_gpu(word, &certain) || !(certain || spoken))
            continue;
        next = str_cut(&next, ' '); /* "A100 80GB" is another one than "A100" */
        two = (struct str){start.at, word.len + 1 + next.len};
        gpu = next.len > 0 && two.len <= 24 ? remember_gpu(c, &c->named, two, find_gpu_name)
                                            : (struct str){0};
        if (gpu.len == 0)
            gpu = remember_gpu(c, &c->named, word, find_gpu_name);
        if (gpu.len > 0)
            return gpu;
    }
    return (struct str){0};
}

/* A column that is a GPU: "NVIDIA GeForce RTX 4090", "4x RTX_4090", "H100 80GB HBM3". The first
 * words that a GPU goes by, the longest of them; or as it is written. */
static struct str named_gpu(struct bill_classifier *c, struct str text)
{
    char room[64];
    struct str rest = {room, text.len};

    if (text.len > sizeof room)
        return text;
    for (size_t i = 0; i < text.len; i++)
        room[i] = text.at[i] == '_' ? ' ' : text.at[i];
    while (rest.len > 0) {
        struct str some = rest;

        while (some.len > 0) {
            struct str gpu = remember_gpu(c, &c->named, some, find_gpu_name);

            if (gpu.len > 0)
                return gpu;
            while (some.len > 0 && some.at[some.len - 1] != ' ')
                some.len--;
            some.len -= some.len > 0;
        }
        (void)str_cut(&rest, ' ');
    }
    return text;
}

static struct str classify_gpu(struct bill_classifier *c, const struct bill_line *line,
                               const struct details *details)
{
    struct str gpu, instance = details->instance;

    if (details->gpu.len > 0)
        return named_gpu(c, details->gpu);
    if (instance.len == 0) {
        gpu = described_gpu(c, line->of[FOCUS_SkuMeter]);
        return gpu.len > 0 ? gpu : described_gpu(c, line->of[FOCUS_ChargeDescription]);
    }
    return remember_gpu(c, &c->instances, instance, instance_gpu);
}

static struct str pricing_of_category(struct str category)
{
    if (str_eq_nocase(category, STR("Standard")))
        return STR("on-demand");
    if (str_eq_nocase(category, STR("Dynamic")))
        return STR("spot");
    if (str_eq_nocase(category, STR("Committed")))
        return STR("committed");
    return category.len > 0 ? STR("other") : (struct str){0};
}

static struct str either(struct str first, struct str second)
{
    return first.len > 0 ? first : second;
}

static void apply_rules(const struct bill_classifier *c, const struct bill_line *line,
                        struct dimensions *out)
{
    struct subject subject = {.of = out,
                              .resource = line->of[FOCUS_ResourceId],
                              .resource_name = line->of[FOCUS_ResourceName],
                              .description = line->of[FOCUS_ChargeDescription],
                              .tags = line->of[FOCUS_Tags],
                              .account_id = line->of[FOCUS_BillingAccountId],
                              .sub_account_id = line->of[FOCUS_SubAccountId]};

    if (c->policy != NULL)
        policy_apply(c->policy, &subject, out);
}

void bill_classify(void *classifier, const struct bill_line *line, struct dimensions *out)
{
    struct bill_classifier *c = classifier;
    struct details details = details_of(c, line->of[FOCUS_SkuPriceDetails]);

    *out = (struct dimensions){0};
    out->of[DIMENSION_provider] = ledger_line_provider(line);
    out->of[DIMENSION_service] = line->of[FOCUS_ServiceName];
    out->of[DIMENSION_category] = line->of[FOCUS_ServiceCategory];
    out->of[DIMENSION_account] =
        either(line->of[FOCUS_BillingAccountName], line->of[FOCUS_BillingAccountId]);
    out->of[DIMENSION_sub_account] =
        either(line->of[FOCUS_SubAccountName], line->of[FOCUS_SubAccountId]);
    out->of[DIMENSION_region] = either(line->of[FOCUS_RegionId], line->of[FOCUS_RegionName]);
    out->of[DIMENSION_charge] = line->of[FOCUS_ChargeCategory];
    out->of[DIMENSION_pricing] = pricing_of_category(line->of[FOCUS_PricingCategory]);
    out->of[DIMENSION_instance] = details.instance;
    out->of[DIMENSION_gpu] = classify_gpu(c, line, &details);
    out->of[DIMENSION_tier] = details.tier;
    buf_clear(&c->tags);
    (void)dimensions_from_tags(line->of[FOCUS_Tags], out, &c->tags); /* no object: no tags */
    if (c->tags.failed == ERROR_MEMORY)
        (void)error_memory(&c->failed);
    apply_rules(c, line, out);
}

bool ledger_reclassify(struct ledger *ledger, const struct catalog *catalog,
                       struct arena *arena, struct error *err)
{
    struct ledger_import_options options = {.classify = bill_classify};
    const struct allocation_policy *policy;
    struct bill_classifier *c;
    int64_t changed;
    bool ok;

    if (!ledger_policy_read(ledger, arena, &policy, err))
        return false;
    c = bill_classifier_open(catalog, policy, arena, err);
    options.classify_ctx = c;
    ok = c != NULL && ledger_regroup(ledger, &options, &changed, err) &&
         bill_classifier_ok(c, err);
    bill_classifier_close(c);
    return ok;
}
