/* Looking facts up, by the names that users type. */
#include <stdlib.h>
#include <string.h>

#include "base/characters.h"
#include "base/num.h"
#include "catalog/allowed.h"
#include "catalog/catalog.h"
#include "catalog/discount.h"

/* ---- accelerators ---- */

#define FOLDED_MAX 80

struct folded {
    char text[FOLDED_MAX];
    size_t len;
};

/* Case, blanks, hyphens (typographic ones too) and underscores do not distinguish names. Empty
 * when it is too long to be a name. */
static struct folded fold_gpu_name(struct str name)
{
    struct folded f = {.len = 0};

    for (size_t i = 0; i < name.len; i++) {
        unsigned char c = (unsigned char)name.at[i];

        if (c == 0xE2 && i + 2 < name.len && (unsigned char)name.at[i + 1] == 0x80 &&
            (unsigned char)name.at[i + 2] >= 0x90 && (unsigned char)name.at[i + 2] <= 0x95)
            i += 2;
        else if (c != ' ' && c != '-' && c != '_' && f.len == FOLDED_MAX)
            return (struct folded){.len = 0};
        else if (c != ' ' && c != '-' && c != '_')
            f.text[f.len++] = to_lower(name.at[i]);
    }
    return f;
}

static struct str folded_str(const struct folded *f)
{
    return (struct str){f->text, f->len};
}

/* "NVIDIA GeForce RTX 4090 GPU" is an RTX 4090. */
static struct str without_maker(struct str name)
{
    static const char *const makers[] = {"nvidia", "amd",      "intel",   "google",
                                         "aws",    "apple",    "geforce", "tesla",
                                         "radeon", "instinct", "quadro",  "habana"};

    for (size_t i = 0; i < ARRAY_LEN(makers); i++) {
        struct str maker = str_from(makers[i]);

        if (str_starts(name, maker) && name.len > maker.len) {
            name.at += maker.len;
            name.len -= maker.len;
            i = (size_t)-1; /* "nvidia geforce": once more from the start */
        }
    }
    if (str_ends(name, STR("gpu")) && name.len > 3)
        name.len -= 3;
    return name;
}

static bool same_gpu_name(struct str a, struct str wanted, struct str bare)
{
    struct folded f = fold_gpu_name(a);
    struct str folded = folded_str(&f);

    return folded.len > 0 && (str_eq(folded, wanted) || str_eq(folded, bare));
}

static int compare_name(const void *name, const void *accelerator)
{
    const struct accelerator *a = accelerator;

    return str_cmp(*(const struct str *)name, a->name);
}

const struct accelerator *accelerator_named(const struct catalog *catalog, struct str name)
{
    const struct rows *rows = &catalog->tables[TABLE_ACCELERATORS];

    return rows->len == 0
               ? NULL
               : bsearch(&name, rows->at, rows->len, sizeof(struct accelerator), compare_name);
}

static bool better_of_family(const struct accelerator *a, const struct accelerator *b)
{
    bool a_sxm = str_eq(a->form, STR("SXM")), b_sxm = str_eq(b->form, STR("SXM"));

    return a_sxm != b_sxm ? a_sxm : a->memory_gb > b->memory_gb;
}

static bool accelerator_absent(const struct catalog *catalog, struct str name,
                               struct error *err)
{
    struct suggestion s = {.wanted = name};
    int64_t number;

    for (size_t i = 0; i < catalog->tables[TABLE_ACCELERATORS].len; i++) {
        const struct accelerator *a = CATALOG_ROW(catalog, TABLE_ACCELERATORS, accelerator, i);

        suggestion_try(&s, a->family);
        suggestion_try(&s, a->name);
    }
    for (size_t i = 0; i < catalog->tables[TABLE_NAMES].len; i++)
        suggestion_try(&s, CATALOG_ROW(catalog, TABLE_NAMES, accelerator_name, i)->alias);
    error_set(err, ERROR_ABSENT, "there is no accelerator '%.*s'", STR_ARG(name));
    if (str_eq_nocase(name, STR("cpu")))
        error_hint(err, "'stint plan JOB' names machines without a GPU for small models, "
                        "'stint run --job JOB' estimates on this one");
    else if (num_int(name, &number))
        error_hint(err, "a number follows a name: A100x%lld", (long long)number);
    else if (s.best.len > 0)
        error_hint(err, "did you mean '%.*s'? 'stint gpu list' shows all", STR_ARG(s.best));
    else
        error_hint(err, "'stint gpu list' shows all");
    return false;
}

static const struct accelerator *find_gpu_by_name(const struct catalog *catalog,
                                                  struct str wanted, struct str bare)
{
    for (size_t i = 0; i < catalog->tables[TABLE_ACCELERATORS].len; i++) {
        const struct accelerator *a = CATALOG_ROW(catalog, TABLE_ACCELERATORS, accelerator, i);

        if (same_gpu_name(a->name, wanted, bare))
            return a;
    }
    return NULL;
}

static const struct accelerator *by_family(const struct catalog *catalog, struct str wanted,
                                           struct str bare, enum name_match *match)
{
    const struct accelerator *best = NULL;
    size_t forms = 0;

    for (size_t i = 0; i < catalog->tables[TABLE_ACCELERATORS].len; i++) {
        const struct accelerator *a = CATALOG_ROW(catalog, TABLE_ACCELERATORS, accelerator, i);

        if (!same_gpu_name(a->family, wanted, bare))
            continue;
        forms++;
        if (best == NULL || better_of_family(a, best))
            best = a;
    }
    *match = forms > 1 ? NAME_FAMILY : NAME_ALIAS;
    return best;
}

static const struct accelerator_name *by_alias(const struct catalog *catalog, struct str wanted)
{
    for (size_t i = 0; i < catalog->tables[TABLE_NAMES].len; i++) {
        const struct accelerator_name *n =
            CATALOG_ROW(catalog, TABLE_NAMES, accelerator_name, i);

        if (same_gpu_name(n->alias, wanted, wanted))
            return n;
    }
    return NULL;
}

/* By name, alias or family. `dangling` becomes the row of names.csv that leads to none. */
static const struct accelerator *search_accelerator(const struct catalog *catalog,
                                                    struct str name, enum name_match *match,
                                                    const struct accelerator_name **dangling)
{
    struct folded f = fold_gpu_name(name);
    struct str wanted = folded_str(&f), bare = without_maker(wanted);
    const struct accelerator *found = find_gpu_by_name(catalog, wanted, bare);
    const struct accelerator_name *alias;

    *match = NAME_EXACT;
    *dangling = NULL;
    if (found != NULL)
        return found;
    /* A name that is listed literally wins over a family: "NVIDIA H20" is one card. */
    alias = by_alias(catalog, wanted);
    if (alias == NULL) {
        found = by_family(catalog, wanted, bare, match);
        if (found != NULL)
            return found;
        alias = by_alias(catalog, bare);
    }
    if (alias == NULL)
        return NULL;
    *match = NAME_ALIAS;
    found = accelerator_named(catalog, alias->accelerator);
    if (found == NULL)
        *dangling = alias;
    return found;
}

const struct accelerator *accelerator_search(const struct catalog *catalog, struct str name,
                                             enum name_match *match)
{
    const struct accelerator_name *dangling;

    return search_accelerator(catalog, name, match, &dangling);
}

const struct accelerator *accelerator_find(const struct catalog *catalog, struct str name,
                                           enum name_match *match, struct error *err)
{
    const struct accelerator_name *dangling;
    const struct accelerator *found = search_accelerator(catalog, name, match, &dangling);

    if (found == NULL && dangling != NULL)
        error_set(err, ERROR_INPUT, "%s:%llu: there is no accelerator '%.*s'",
                  dangling->fact.file, (unsigned long long)dangling->fact.line,
                  STR_ARG(dangling->accelerator));
    else if (found == NULL)
        (void)accelerator_absent(catalog, name, err);
    return found;
}

/* ---- GPUs as users type them: "H100", "H100x8" ---- */

#define MAX_GPUS 1000000

const char *const accelerator_options[] = {"gpu", "gpus", "on", NULL};

static bool is_times(char c)
{
    return c == 'x' || c == 'X' || c == '*' || c == ':';
}

/* "H100x8", "H100:8", "H100*8" and "8xH100" in two: the name and the digits. */
static bool cut_count(struct str text, struct str *name, struct str *digits)
{
    size_t end = text.len, start = 0;

    while (end > 0 && is_digit(text.at[end - 1]))
        end--;
    while (start < text.len && is_digit(text.at[start]))
        start++;
    if (end > 0 && end < text.len && is_times(text.at[end - 1])) {
        *digits = (struct str){text.at + end, text.len - end};
        *name = str_trim((struct str){text.at, end - 1});
    } else if (start > 0 && start < text.len && is_times(text.at[start])) {
        *digits = (struct str){text.at, start};
        *name = str_trim((struct str){text.at + start + 1, text.len - start - 1});
    } else {
        return false;
    }
    return name->len > 0;
}

const struct accelerator *accelerator_typed(const struct catalog *catalog, struct str name,
                                            const struct messages *messages, struct error *err)
{
    enum name_match match;
    const struct accelerator *a = accelerator_find(catalog, name, &match, err);

    if (a != NULL && match == NAME_FAMILY && messages != NULL)
        message_note(messages, "'%.*s' means %.*s, the %s with the most memory", STR_ARG(name),
                     STR_ARG(a->name), str_eq(a->form, STR("SXM")) ? "SXM form" : "form");
    return a;
}

bool accelerator_count(const struct catalog *catalog, struct str text, struct str *name,
                       int64_t *count, struct error *err)
{
    struct str digits;
    enum name_match match;

    *name = text;
    *count = 1;
    if (accelerator_search(catalog, text, &match) != NULL || !cut_count(text, name, &digits))
        return true;
    if (num_int(digits, count) && *count >= 1 && *count <= MAX_GPUS)
        return true;
    error_set(err, ERROR_USAGE, "'%.*s' is not a number of GPUs from 1 to %d", STR_ARG(digits),
              MAX_GPUS);
    error_hint(err, "write the GPU, an x and how many: H100x8");
    return false;
}

void offer_name_gpu(const struct catalog *catalog, struct offer_name *name)
{
    const struct accelerator *a;
    struct error ignored = {0};
    enum name_match match;
    struct str gpu;
    int64_t count = 0;

    if (name->provider.at != NULL)
        return;
    a = accelerator_search(catalog, name->instance, &match);
    if (a == NULL && accelerator_count(catalog, name->instance, &gpu, &count, &ignored) &&
        gpu.len < name->instance.len)
        a = accelerator_search(catalog, gpu, &match);
    if (a == NULL)
        return;
    name->gpu = a->name;
    name->gpus = count;
}

/* ---- other facts ---- */

double discount_expected(double low, double high)
{
    return (low + high) / 2;
}

const struct provider *provider_find(const struct catalog *catalog, struct str id)
{
    for (size_t i = 0; i < catalog->tables[TABLE_PROVIDERS].len; i++) {
        const struct provider *p = CATALOG_ROW(catalog, TABLE_PROVIDERS, provider, i);

        if (str_eq_nocase(p->provider, id))
            return p;
    }
    return NULL;
}

bool machine_is_retired(const struct catalog *catalog, const struct machine *machine, day today)
{
    for (size_t i = 0; i < catalog->tables[TABLE_RETIRED].len; i++) {
        const struct retirement *gone = CATALOG_ROW(catalog, TABLE_RETIRED, retirement, i);

        if (gone->until.n < today.n && str_eq(machine->provider, gone->provider) &&
            str_glob(machine->instance, gone->instances))
            return machine->fact.layer == 0;
    }
    return false;
}

const struct region *region_find(const struct catalog *catalog, struct str provider,
                                 struct str region)
{
    const struct region *fallback = NULL;

    for (size_t i = 0; i < catalog->tables[TABLE_REGIONS].len; i++) {
        const struct region *r = CATALOG_ROW(catalog, TABLE_REGIONS, region, i);

        if (!str_eq_nocase(r->provider, provider))
            continue;
        if (str_eq_nocase(r->region, region))
            return r;
        if (str_eq(r->region, STR("*")))
            fallback = r;
    }
    return fallback;
}

bool region_check(const struct catalog *catalog, struct str provider, struct str region,
                  struct error *err)
{
    struct suggestion s = {.wanted = region};
    bool known = false;

    for (size_t i = 0; i < catalog->tables[TABLE_REGIONS].len; i++) {
        const struct region *r = CATALOG_ROW(catalog, TABLE_REGIONS, region, i);

        if (!str_eq_nocase(r->provider, provider))
            continue;
        if (region.len == 0 || str_eq_nocase(r->region, region))
            return true;
        if (!str_eq(r->region, STR("*"))) {
            known = true;
            suggestion_try(&s, r->region);
        }
    }
    if (!known)
        return true;
    error_set(err, ERROR_ABSENT, "%.*s has no region '%.*s'", STR_ARG(provider),
              STR_ARG(region));
    if (!suggestion_hint(&s, err))
        error_hint(err, "'stint catalog show regions' lists them");
    return false;
}

struct str instance_gpu(const struct catalog *catalog, struct str instance)
{
    if (str_starts(instance, STR("ml."))) /* SageMaker's machines are EC2's */
        instance = (struct str){instance.at + 3, instance.len - 3};
    for (size_t i = 0; instance.len > 0 && i < catalog->tables[TABLE_OFFERS].len; i++) {
        const struct machine *o = CATALOG_ROW(catalog, TABLE_OFFERS, machine, i);
        const struct accelerator *a;
        enum name_match how;

        if (!str_eq_nocase(o->instance, instance))
            continue;
        a = accelerator_search(catalog, o->accelerator, &how);
        return a != NULL ? a->family : o->accelerator;
    }
    return (struct str){0};
}

usd transfer_cost(const struct catalog *catalog, struct str provider, struct str kind,
                  bytes size)
{
    const struct rows *rows = &catalog->tables[TABLE_TRANSFER];
    usd total = USD_UNKNOWN;

    if (size.n == 0)
        return (usd){0};
    /* Sorted by from_gb: each tier's price holds up to the next. */
    for (size_t i = 0; i < rows->len; i++) {
        const struct transfer *t = CATALOG_ROW(catalog, TABLE_TRANSFER, transfer, i),
                              *next = t + 1;
        bool more = i + 1 < rows->len && str_eq(next->provider, t->provider) &&
                    str_eq(next->kind, t->kind);
        wide from = (wide)t->from_gb * BYTES_PER_GB, end = (wide)size.n;

        if (!str_eq_nocase(t->provider, provider) || !str_eq(t->kind, kind) || from >= end)
            continue;
        if (more && (wide)next->from_gb * BYTES_PER_GB < end)
            end = (wide)next->from_gb * BYTES_PER_GB;
        if (from == 0)
            total = (usd){0};
        total = usd_add(total, usd_for_bytes(t->usd_gb, (uint64_t)(end - from)));
    }
    return total;
}

usd transfer_from(const struct catalog *catalog, struct str from, struct str to_provider,
                  struct str to_region, bytes size)
{
    struct str provider = str_cut(&from, '/');
    bool same = str_eq_nocase(provider, to_provider);

    if (provider.len == 0 || (same && (from.len == 0 || str_eq_nocase(from, to_region))))
        return (usd){0};
    return transfer_cost(catalog, provider, same ? STR("inter-region") : STR("internet"), size);
}

int64_t transfer_free_gb(const struct catalog *catalog, struct str provider,
                         struct str to_provider)
{
    const struct rows *rows = &catalog->tables[TABLE_TRANSFER];

    for (size_t i = 0; i + 1 < rows->len && !str_eq_nocase(provider, to_provider); i++) {
        const struct transfer *t = CATALOG_ROW(catalog, TABLE_TRANSFER, transfer, i);

        if (str_eq_nocase(t->provider, provider) && str_eq(t->kind, STR("internet")) &&
            t->from_gb == 0)
            return t->usd_gb.nano == 0 && str_eq(t[1].provider, t->provider) &&
                           str_eq(t[1].kind, t->kind)
                       ? t[1].from_gb
                       : 0;
    }
    return 0;
}

/* Try every value of the column in one table; true when the pattern matches one. What was meant
 * is looked for only when asked: that takes far longer. */
static bool matches_column(const struct catalog *catalog, int table, const char *column,
                           struct str glob, struct suggestion *s)
{
    const struct field_set *set = catalog_tables[table].columns;
    const struct field *field = field_find(set, str_from(column));
    const unsigned char *row = catalog->tables[table].at;

    for (size_t i = 0; field != NULL && i < catalog->tables[table].len; i++, row += set->size) {
        const struct str *value = (const struct str *)(const void *)(row + field->offset);

        if (str_glob(*value, glob))
            return true;
        if (s != NULL)
            suggestion_try(s, *value);
    }
    return false;
}

static bool sells_in_region(const struct rows *offers, struct str provider, struct str region)
{
    const struct machine *at = offers->at;

    for (size_t i = 0; i < offers->len; i++)
        if (str_eq(at[i].region, region) && str_eq(at[i].provider, provider))
            return true;
    return false;
}

/* An offer in a longer region that is not asked for, too, of a provider that has none in the
 * region itself. */
static const struct machine *longer_region(const struct rows *offers, struct strs asked,
                                           struct str region)
{
    const struct machine *at = offers->at;

    for (size_t i = 0; i < offers->len; i++)
        if (at[i].region.len > region.len && str_starts(at[i].region, region) &&
            !strs_match(asked, at[i].region) &&
            !sells_in_region(offers, at[i].provider, region))
            return &at[i];
    return NULL;
}

/* Names of regions that longer ones begin with; the first of these, or NULL. */
static const struct machine *shorter_regions(const struct rows *offers, struct strs regions,
                                             struct buf *names, size_t *count)
{
    const struct machine *first = NULL;

    *count = 0;
    for (size_t i = 0; i < regions.len; i++) {
        const struct machine *other = longer_region(offers, regions, regions.at[i]);

        if (other == NULL)
            continue;
        buf_addf(names, "%s'%.*s'", (*count)++ > 0 ? ", " : "", STR_ARG(regions.at[i]));
        if (first == NULL)
            first = other;
    }
    return first;
}

void catalog_note_regions(const struct catalog *catalog, struct strs regions,
                          const struct messages *messages)
{
    struct buf names = buf_new(&alloc_system, 256);
    size_t count;
    const struct machine *first =
        shorter_regions(&catalog->tables[TABLE_OFFERS], regions, &names, &count);

    if (first != NULL)
        message_note(messages, "%.*s %s: '*' behind it includes others, such as %.*s of %.*s",
                     STR_ARG(buf_text(&names)),
                     count > 1 ? "are single regions" : "is one region", STR_ARG(first->region),
                     STR_ARG(first->provider));
    buf_free(&names);
}

struct str provider_meant(struct str name)
{
    static const char *const names[][2] = {
        {"amazon", "aws"},       {"ec2", "aws"},           {"google", "gcp"},
        {"google-cloud", "gcp"}, {"gcloud", "gcp"},        {"microsoft", "azure"},
        {"oracle", "oci"},       {"lambdalabs", "lambda"}, {"lambda-labs", "lambda"},
        {"vastai", "vast"},      {"vast.ai", "vast"},      {"runpod.io", "runpod"},
        {"datacrunch", "verda"}, {"digitalocean", "do"},   {"ovh", "ovhcloud"},
    };

    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (str_eq_nocase(name, str_from(names[i][0])))
            return str_from(names[i][1]);
    return name;
}

/* What a provider is called here, as the suggestion. */
static void suggest_meant(const char *column, struct suggestion *s)
{
    struct str meant = strcmp(column, "provider") == 0 ? provider_meant(s->wanted) : s->wanted;

    if (!str_eq(meant, s->wanted))
        s->best = meant;
}

bool catalog_check_patterns(const struct catalog *catalog, uint64_t tables, const char *column,
                            struct strs wanted, struct error *err)
{
    for (size_t w = 0; w < wanted.len; w++) {
        struct str pattern = wanted.at[w];
        struct suggestion s;
        bool found = false;

        (void)allowed_denies(&pattern); /* what is not there cannot be left out, either */
        s = (struct suggestion){.wanted = pattern};
        for (int t = 0; t < TABLE_COUNT && !found; t++)
            found =
                (tables & TABLE_BIT(t)) && matches_column(catalog, t, column, pattern, NULL);
        if (found)
            continue;
        for (int t = 0; t < TABLE_COUNT; t++)
            if (tables & TABLE_BIT(t))
                (void)matches_column(catalog, t, column, pattern, &s);
        suggest_meant(column, &s);
        error_set(err, ERROR_ABSENT, "there is no %s '%.*s'", column, STR_ARG(pattern));
        if (strcmp(column, "country") == 0)
            error_hint(err, "give its two letters: US, DE, JP, ...");
        else if (!suggestion_hint(&s, err))
            error_hint(err, "'stint catalog show %ss' lists them", column);
        return false;
    }
    return true;
}
