#include "account/reconcile/extras.h"

#include <math.h>
#include <string.h>

#include "account/reconcile/internal.h"
#include "base/hash.h"

#define EXTRAS_MAX 8192 /* things; what comes after them is counted in sums only */
#define KEY_MAX ((size_t)1 << 16)
#define APART_DAYS 7 /* in a row: a volume may wait over a weekend */

const char *const extra_kind_names[] = {[EXTRA_OTHER] = "other",
                                        [EXTRA_REGIONS] = "between regions",
                                        [EXTRA_ZONES] = "between zones",
                                        [EXTRA_INTERNET] = "to the internet",
                                        [EXTRA_NAT] = "NAT gateway",
                                        [EXTRA_ADDRESS] = "unused address",
                                        [EXTRA_BALANCER] = "load balancer",
                                        [EXTRA_VOLUME] = "volume",
                                        [EXTRA_SNAPSHOT] = "snapshot",
                                        [EXTRA_OBJECTS] = "objects",
                                        [EXTRA_KINDS] = NULL};

#define EXTRA(kind, member, text) FIELD(kind, reconcile_extra, member, .help = (text))
#define EXTRA_TEXT(member, text) \
    FIELD(TEXT, reconcile_extra, member, .empty_unknown = true, .help = (text))

static const struct field fields[] = {
    FIELD(ENUM, reconcile_extra, kind, .names = extra_kind_names, .help = "kind of cost"),
    EXTRA_TEXT(provider, "provider that bills it"),
    EXTRA_TEXT(account, "billed account"),
    EXTRA_TEXT(region, "region, as the provider names it"),
    EXTRA_TEXT(resource, "resource as the bill names it; null: all without a name"),
    EXTRA(CURRENCY, currency, "currency of the amount"),
    EXTRA(DECIMAL, cost, "exact effective cost"),
    EXTRA(COUNT, days, "days with a charge"),
};

const struct field_set reconcile_extra_fields = FIELD_SET(struct reconcile_extra, fields);

/* ---- kinds ---- */

/* The words of a meter or description that make a charge one of a kind; the first that is found
 * decides. */
struct extra_words {
    const char *words;
    enum extra_kind kind;
    bool use;
};

static const struct extra_words all_words[] = {
    {"NatGateway-Bytes", EXTRA_NAT, true},
    {"NAT gateway data", EXTRA_NAT, true},
    {"Cloud NAT Data", EXTRA_NAT, true},
    {"NatGateway", EXTRA_NAT, false},
    {"NAT gateway", EXTRA_NAT, false},
    {"Cloud NAT", EXTRA_NAT, false},
    {"IdleAddress", EXTRA_ADDRESS, false},
    {"idle address", EXTRA_ADDRESS, false},
    {"idle public", EXTRA_ADDRESS, false},
    {"idle Elastic IP", EXTRA_ADDRESS, false},
    {"not attached to a running", EXTRA_ADDRESS, false},
    {"Static Ip Charge", EXTRA_ADDRESS, false}, /* Google: of one that nothing uses */
    {"LCUUsage", EXTRA_BALANCER, true},
    {"LCU-hour", EXTRA_BALANCER, true},
    {"LoadBalancer-DataProcessing", EXTRA_BALANCER, true},
    {"DataProcessing-Bytes", EXTRA_BALANCER, true},
    {"Load Balancing Data", EXTRA_BALANCER, true},
    {"processed by load balancer", EXTRA_BALANCER, true},
    {"LoadBalancer", EXTRA_BALANCER, false},
    {"Load Balanc", EXTRA_BALANCER, false},
    {"Forwarding Rule", EXTRA_BALANCER, false},
    {"Snapshot", EXTRA_SNAPSHOT, false},
    {"VolumeUsage", EXTRA_VOLUME, false},
    {"VolumeP-", EXTRA_VOLUME, false},
    {"VolumeIOUsage", EXTRA_VOLUME, false},
    {"PD Capacity", EXTRA_VOLUME, false},
    {"Managed Disk", EXTRA_VOLUME, false},
    {"SSD Disk", EXTRA_VOLUME, false},
    {"HDD Disk", EXTRA_VOLUME, false},
    {"-AWS-Out-Bytes", EXTRA_REGIONS, false},
    {"-AWS-In-Bytes", EXTRA_REGIONS, false},
    {"Inter Region", EXTRA_REGIONS, false},
    {"Inter-Region", EXTRA_REGIONS, false},
    {"InterRegion", EXTRA_REGIONS, false},
    {"cross-region", EXTRA_REGIONS, false},
    {"cross region", EXTRA_REGIONS, false},
    {"between regions", EXTRA_REGIONS, false},
    {"to another region", EXTRA_REGIONS, false},
    {"Intra Continent", EXTRA_REGIONS, false},
    {"Inter Continent", EXTRA_REGIONS, false},
    {"DataTransfer-Regional", EXTRA_ZONES, false},
    {"Inter Zone", EXTRA_ZONES, false},
    {"inter-AZ", EXTRA_ZONES, false},
    {"InterZone", EXTRA_ZONES, false},
    {"between zones", EXTRA_ZONES, false},
    {"availability zone", EXTRA_ZONES, false},
    {"DataTransfer-Out", EXTRA_INTERNET, false},
    {"Internet", EXTRA_INTERNET, false},
    {"Data Transfer Out", EXTRA_INTERNET, false},
    {"Egress", EXTRA_INTERNET, false},
    {"TimedStorage-ByteHrs", EXTRA_OBJECTS, false},
    {"Standard Storage", EXTRA_OBJECTS, false},
    {"Hot LRS Data Stored", EXTRA_OBJECTS, false},
    {"Hot Data Stored", EXTRA_OBJECTS, false},
};

/* Requests: of buckets alone, whose storage has a resource. */
static const char *const request_words[] = {"Requests-", "Class A", "Class B",  "Operations",
                                            "GET ",      "PUT ",    "Retrieval"};

static bool has_words(const struct bill_line *line, const char *words)
{
    static const enum focus_column texts[] = {FOCUS_SkuMeter, FOCUS_ChargeDescription,
                                              FOCUS_ServiceName, FOCUS_SkuId};

    for (size_t i = 0; i < ARRAY_LEN(texts); i++)
        if (str_has_nocase(line->of[texts[i]], str_from(words)))
            return true;
    return false;
}

/* By the id of what is paid for, where the words are of no kind. */
static enum extra_kind kind_by_id(const struct bill_line *line)
{
    static const struct extra_words ids[] = {
        {"vol-", EXTRA_VOLUME, false},       {"volume/", EXTRA_VOLUME, false},
        {"/disks/", EXTRA_VOLUME, false},    {"snap-", EXTRA_SNAPSHOT, false},
        {"snapshot", EXTRA_SNAPSHOT, false}, {"natgateway/", EXTRA_NAT, false},
        {"nat-", EXTRA_NAT, false},          {"loadbalancer/", EXTRA_BALANCER, false}};

    for (size_t i = 0; i < ARRAY_LEN(ids); i++)
        if (str_has_nocase(line->of[FOCUS_ResourceId], str_from(ids[i].words)))
            return ids[i].kind;
    return EXTRA_OTHER;
}

enum extra_kind extra_kind_of(const struct bill_line *line, bool *use)
{
    *use = false;
    if (!str_eq(line->of[FOCUS_ChargeCategory], STR("Usage")))
        return EXTRA_OTHER;
    if (str_eq(line->of[FOCUS_ServiceCategory], STR("Storage")) &&
        line->of[FOCUS_ResourceId].len > 0)
        for (size_t i = 0; i < ARRAY_LEN(request_words); i++)
            if (has_words(line, request_words[i])) {
                *use = true;
                return EXTRA_OBJECTS;
            }
    for (size_t i = 0; i < ARRAY_LEN(all_words); i++)
        if (has_words(line, all_words[i].words)) {
            *use = all_words[i].use;
            return all_words[i].kind;
        }
    return kind_by_id(line);
}

static bool is_detached(const struct bill_line *line)
{
    static const enum focus_column texts[] = {FOCUS_Tags, FOCUS_ChargeDescription,
                                              FOCUS_ResourceName, FOCUS_ResourceId};
    static const char *const words[] = {"unattached", "detached", "orphan"};

    for (size_t i = 0; i < ARRAY_LEN(texts); i++)
        for (size_t k = 0; k < ARRAY_LEN(words); k++)
            if (str_has_nocase(line->of[texts[i]], str_from(words[k])))
                return true;
    return false;
}

struct str extra_provider(const struct reconcile_extra *extra)
{
    static const char *const names[] = {"aws", "gcp", "azure", "oci"};

    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (provider_same(extra->provider, str_from(names[i])))
            return str_from(names[i]);
    return extra->provider;
}

/* ---- things ---- */

static void key_text(struct buf *key, struct str text)
{
    buf_add(key, text);
    buf_char(key, '\0');
}

static bool keep_extra_texts(struct reconciler *r, struct reconcile_extra *x, struct error *err)
{
    struct str *const texts[] = {&x->provider, &x->account, &x->region, &x->resource};

    for (size_t i = 0; i < ARRAY_LEN(texts); i++)
        if (!str_keep(*texts[i], r->account->arena, texts[i], err))
            return false;
    return true;
}

/* The thing's place in the list; NULL with no error: there are too many. */
static struct reconcile_extra *find_extra(struct reconciler *r,
                                          const struct reconcile_extra *like, size_t *place,
                                          struct error *err)
{
    char head[8] = {(char)like->kind};
    struct reconcile_extra *x;
    struct map_entry *e;
    bool added;

    memcpy(head + 4, like->currency.code, sizeof like->currency.code);
    buf_clear(&r->lower);
    buf_add(&r->lower, (struct str){head, sizeof head});
    key_text(&r->lower, like->provider);
    key_text(&r->lower, like->account);
    key_text(&r->lower, like->resource.len > 0 ? like->resource : like->region);
    if (!buf_ok(&r->lower, err))
        return NULL;
    e = map_find(&r->extra_keys, buf_text(&r->lower));
    if (e == NULL && r->extra_count == EXTRAS_MAX)
        return NULL;
    if (e == NULL) {
        e = map_add(&r->extra_keys, buf_text(&r->lower), &added, err);
        if (e == NULL || (e->key.at = str_dup(e->key, r->scratch, err)) == NULL)
            return NULL;
        r->extras = arena_grow(r->account->arena, r->extras, r->extra_count, sizeof *x,
                               &r->extra_room, err);
        r->extra_days = arena_grow(r->scratch, r->extra_days, r->extra_count,
                                   sizeof *r->extra_days, &r->extra_day_room, err);
        if (r->extras == NULL || r->extra_days == NULL)
            return NULL;
        x = &r->extras[r->extra_count];
        *x = *like;
        x->first = x->last = DAY_UNKNOWN;
        r->extra_days[r->extra_count] = NULL;
        if (!keep_extra_texts(r, x, err))
            return NULL;
        r->extra_count++;
    }
    *place = (size_t)(e - r->extra_keys.at);
    return &r->extras[*place];
}

static size_t day_count(const struct reconciler *r)
{
    return r->since.n != DAY_UNKNOWN.n && r->until.n != DAY_UNKNOWN.n && r->until.n > r->since.n
               ? (size_t)(r->until.n - r->since.n)
               : 0;
}

/* What it cost by day: to count days, and to see when no machine could use a volume. */
static bool add_extra_day(struct reconciler *r, size_t place, day on, double cost,
                          struct error *err)
{
    size_t days = day_count(r);

    if (days == 0 || on.n < r->since.n || (size_t)(on.n - r->since.n) >= days)
        return true;
    if (r->extra_days[place] == NULL) {
        r->extra_days[place] = arena_array(r->scratch, double, days, err);
        if (r->extra_days[place] == NULL)
            return false;
    }
    r->extra_days[place][on.n - r->since.n] += cost;
    return true;
}

/* ---- kinds that were seen ---- */

#define KINDS_SEEN 4096 /* a power of 2 */

struct kind_seen {
    uint64_t hash; /* 0: free */
    enum extra_kind kind;
    bool use;
};

/* Bills have few meters, so words are looked for once for each. */
bool reconcile_kind(struct reconciler *r, const struct bill_line *line, enum extra_kind *kind,
                    bool *use, struct error *err)
{
    static const enum focus_column texts[] = {
        FOCUS_SkuMeter,       FOCUS_ChargeDescription, FOCUS_ServiceName, FOCUS_SkuId,
        FOCUS_ChargeCategory, FOCUS_ServiceCategory,   FOCUS_ResourceId};
    uint64_t hash = (uint64_t)(uintptr_t)r;
    struct kind_seen *seen;

    if (r->kinds == NULL)
        r->kinds = arena_array(r->scratch, struct kind_seen, KINDS_SEEN, err);
    if (r->kinds == NULL)
        return false;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++)
        hash = text_hash(hash, line->of[texts[i]]);
    hash |= 1;
    seen = &r->kinds[hash / 2 % KINDS_SEEN];
    if (seen->hash != hash) {
        seen->kind = extra_kind_of(line, &seen->use);
        seen->hash = hash;
    }
    *kind = seen->kind;
    *use = seen->use;
    return true;
}

bool extra_is_traffic(enum extra_kind kind)
{
    return kind == EXTRA_REGIONS || kind == EXTRA_ZONES || kind == EXTRA_INTERNET;
}

bool reconcile_add_extra(struct reconciler *r, const struct bill_line *line,
                         struct currency currency, struct error *err)
{
    struct reconcile_extra like = {
        .provider = coverage_name(&r->coverage, ledger_line_provider(line)),
        .account = line->of[FOCUS_SubAccountId].len > 0 ? line->of[FOCUS_SubAccountId]
                                                        : line->of[FOCUS_BillingAccountId],
        .region = line->of[FOCUS_RegionId],
        .resource = line->of[FOCUS_ResourceId],
        .currency = currency};
    day on = day_of(line->start);
    struct reconcile_extra *x;
    struct decimal quantity;
    size_t place;
    bool use;

    if (!reconcile_kind(r, line, &like.kind, &use, err))
        return false;
    if (like.kind == EXTRA_OTHER)
        return true;
    if (extra_is_traffic(like.kind)) /* by region, not by what sent it */
        like.resource = (struct str){0};
    x = find_extra(r, &like, &place, err);
    if (x == NULL)
        return err->kind == ERROR_NONE;
    if (!costs_plus(&x->cost, line->effective, err))
        return false;
    if (like.kind == EXTRA_VOLUME && !x->detached)
        x->detached = is_detached(line);
    if (like.kind == EXTRA_VOLUME && has_words(line, "gp2"))
        x->gp2 += decimal_double(line->effective);
    if (decimal_parse(line->of[FOCUS_PricingQuantity], &quantity) ||
        decimal_parse(line->of[FOCUS_ConsumedQuantity], &quantity)) {
        if (use)
            x->used += fabs(decimal_double(quantity));
        else
            x->quantity += decimal_double(quantity);
    }
    if (use)
        x->used += fabs(decimal_double(line->effective));
    if (use)
        return true;
    if (x->first.n == DAY_UNKNOWN.n || on.n < x->first.n)
        x->first = on;
    if (x->last.n == DAY_UNKNOWN.n || on.n > x->last.n)
        x->last = on;
    return add_extra_day(r, place, on, decimal_double(line->effective), err);
}

/* ---- volumes without machines ---- */

/* On which days any machine was billed in the volume's account and region. */
static void mark_machines(const struct reconciler *r, const struct reconcile_extra *x,
                          bool *there)
{
    for (size_t i = 0; i < r->cell_count; i++) {
        const struct reconcile_machine *m = &r->machines[r->cells[i].machine];
        size_t at = (size_t)(r->cells[i].on.n - r->since.n);

        if (at < day_count(r) && str_eq(m->region, x->region) &&
            str_eq(m->account, x->account) && str_eq(m->provider, x->provider))
            there[at] = true;
    }
}

/* The same places have many volumes: look once for each place. */
static bool same_place(const struct reconcile_extra *a, const struct reconcile_extra *b)
{
    return str_eq(a->region, b->region) && str_eq(a->account, b->account) &&
           str_eq(a->provider, b->provider);
}

static void count_days(struct reconcile_extra *x, const double *costs, size_t days)
{
    double least = INFINITY, most = 0;

    for (size_t d = 0; d < days; d++)
        if (costs[d] > 0) {
            x->days++;
            least = fmin(least, costs[d]);
            most = fmax(most, costs[d]);
        }
    x->steady = x->days > 1 && most - least <= 0.01 * most;
}

bool reconcile_extras_finish(struct reconciler *r, struct error *err)
{
    size_t days = day_count(r);
    const struct reconcile_extra *last = NULL;
    bool *there = arena_array(r->scratch, bool, days, err);

    if (there == NULL)
        return false;
    for (size_t i = 0; i < r->extra_count; i++) {
        struct reconcile_extra *x = &r->extras[i];

        if (r->extra_days[i] == NULL)
            continue;
        count_days(x, r->extra_days[i], days);
        if (x->kind != EXTRA_VOLUME)
            continue;
        if (last == NULL || !same_place(last, x)) {
            memset(there, 0, days * sizeof *there);
            mark_machines(r, x, there);
            last = x;
        }
        for (size_t from = 0, to; from < days; from = to + 1) {
            double cost = 0;
            size_t charged = 0;

            for (to = from; to < days && !there[to]; to++) {
                cost += r->extra_days[i][to];
                charged += r->extra_days[i][to] > 0;
            }
            x->apart += charged >= APART_DAYS ? cost : 0;
        }
    }
    return true;
}
