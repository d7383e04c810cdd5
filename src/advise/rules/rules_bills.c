/* Rules about what bills show and runs do not: machines that no run was on, traffic, addresses,
 * volumes and stored objects. */
#include <math.h>

#include "advise/economics/storage_read.h"
#include "advise/rules/bills.h"
#include "base/num.h"

#define LEAST_DOLLARS 1.0 /* a month: what costs less is not worth a finding */
#define QUIET_DAYS 7      /* of a load balancer or gateway without traffic */
#define COLD_DAYS 28      /* of objects that nothing read */
#define NAMES_MOST 4

static double extra_dollars(const struct reconcile_extra *x)
{
    return currency_is(x->currency, currency_usd) ? decimal_double(x->cost) : 0;
}

/* ---- machines that no run was on ---- */

static bool add_unused_machines(struct advising *a, const struct advise_unused *m, bool sure,
                                struct error *err)
{
    double scale = a->facts->bills.scale;
    struct finding_draft d;

    if (m->machines == 0)
        return true;
    d = finding_begin(a);
    d.least = LEAST_DOLLARS;
    buf_addf(&d.evidence, "%lld machine%s on the bill for %s hours without any run: ",
             (long long)m->machines, num_plural(m->machines), num_about(m->hours).text);
    buf_add(&d.evidence, m->names);
    if (m->machines > NAMES_MOST)
        buf_adds(&d.evidence, ", ...");
    buf_adds(&d.action, sure ? "stop or delete unused machines; 'stint reconcile' lists "
                               "them; tag a machine stint_run=RUN if a run was on it"
                             : "ask who uses them; 'stint run' records what runs there, 'stint "
                               "reconcile' lists the machines");
    if (sure)
        buf_adds(&d.method,
                 "all that they cost since runs are recorded in their account; range: "
                 "only machines that were on for 3 days or more");
    else
        buf_adds(&d.method, a->facts->bills.runs
                                ? "their total cost; they may be services, short jobs or "
                                  "without GPUs, so the savings may be zero"
                                : "their total cost; no run was recorded in this time that "
                                  "could show their use, so the savings may be zero");
    d.saving = (struct saving){sure ? m->saving.low * scale : 0, m->saving.mid * scale,
                               m->saving.high * scale};
    return finding_end(a, &d, err);
}

static bool find_unused(struct advising *a, struct error *err)
{
    return add_unused_machines(a, &a->facts->bills.unused, true, err);
}

static bool find_unexplained(struct advising *a, struct error *err)
{
    return add_unused_machines(a, &a->facts->bills.unexplained, false, err);
}

/* ---- machines of accounts without runs ---- */

static bool add_billed(struct advising *a, enum billed_way way, const char *action,
                       const char *method, struct error *err)
{
    const struct advise_billed *m = &a->facts->bills.billed[way];
    double scale = a->facts->bills.scale;
    struct finding_draft d;

    if (m->machines == 0)
        return true;
    d = finding_begin(a);
    d.least = LEAST_DOLLARS;
    buf_addf(&d.evidence, "%lld machine%s on demand for %s hours, ", (long long)m->machines,
             num_plural(m->machines), num_about(m->hours).text);
    usd_write_estimate(usd_from(m->cost * scale), &d.evidence);
    buf_adds(&d.evidence, " a month: ");
    buf_add(&d.evidence, m->names);
    if (m->machines > NAMES_MOST)
        buf_adds(&d.evidence, ", ...");
    buf_adds(&d.action, action);
    buf_adds(&d.method, method);
    d.saving =
        (struct saving){m->saving.low * scale, m->saving.mid * scale, m->saving.high * scale};
    d.effort = EFFORT_HOURS;
    d.risk = way == BILLED_NIGHTS ? RISK_LOW : RISK_MEDIUM;
    return finding_end(a, &d, err);
}

static bool find_billed_spot(struct advising *a, struct error *err)
{
    return add_billed(
        a, BILLED_SPOT,
        "start them on spot, if the work saves checkpoints, and in the region in brackets, "
        "where one is named, if its data may be moved there; 'stint run' records what runs "
        "there",
        "today's spot price, with 10 min for each interruption; range: their 80 % range, and "
        "half of it in another region, for moving the data",
        err);
}

static bool find_billed_region(struct advising *a, struct error *err)
{
    return add_billed(a, BILLED_REGION,
                      "start them in the region in brackets, if their data may be moved there",
                      "on-demand prices of both regions; what moving the data costs is not "
                      "known: range from half of it",
                      err);
}

static bool find_billed_newer(struct advising *a, struct error *err)
{
    return add_billed(a, BILLED_NEWER,
                      "use the machine in brackets: as many GPUs of a later year, with as much "
                      "memory",
                      "on-demand prices of both, time by data sheets; range: jobs bound by "
                      "memory or by arithmetic",
                      err);
}

static bool find_billed_nights(struct advising *a, struct error *err)
{
    return add_billed(
        a, BILLED_NIGHTS,
        "stop notebooks when they are idle: a lifecycle configuration, or 'stint "
        "watch --idle 30min --do' on the machine",
        "they are on day and night; 50 of 168 hours of a week stay; range: half of "
        "the hours, none",
        err);
}

/* ---- items of one kind ---- */

/* What the items cost that a rule is about, and the names of the most expensive. */
struct bill_items {
    int64_t count;
    double cost; /* in the unit of savings */
    const struct reconcile_extra *top[NAMES_MOST];
    size_t shown;
};

static void add_bill_item(struct bill_items *t, const struct reconcile_extra *x, double cost)
{
    size_t at = t->shown;

    t->count++;
    t->cost += cost;
    while (at > 0 && extra_dollars(x) > extra_dollars(t->top[at - 1]))
        at--;
    if (at == NAMES_MOST)
        return;
    t->shown += t->shown < NAMES_MOST;
    for (size_t i = t->shown - 1; i > at; i--)
        t->top[i] = t->top[i - 1];
    t->top[at] = x;
}

/* The items of a kind that meet a condition. */
static struct bill_items bill_items_of(const struct advising *a, enum extra_kind kind,
                                       double (*cost_of)(const struct advise_bills *bills,
                                                         size_t at))
{
    const struct advise_bills *b = &a->facts->bills;
    struct bill_items out = {0};

    for (size_t i = 0; i < b->extra_count; i++) {
        double cost = b->extras[i].kind == kind ? cost_of(b, i) * b->scale : 0;

        if (cost > 0)
            add_bill_item(&out, &b->extras[i], cost);
    }
    return out;
}

static struct finding_draft begin_bill_items(struct advising *a, const struct bill_items *t,
                                             const char *what)
{
    struct finding_draft d = finding_begin(a);

    d.least = LEAST_DOLLARS;
    usd_write_estimate(usd_from(t->cost), &d.evidence);
    buf_addf(&d.evidence, " a month for %s: ", what);
    for (size_t i = 0; i < t->shown; i++) {
        const struct reconcile_extra *x = t->top[i];
        struct str name = x->resource.len > 0 ? x->resource
                          : x->region.len > 0 ? x->region
                                              : x->provider;

        buf_adds(&d.evidence, i > 0 ? ", " : "");
        buf_add(&d.evidence, name);
        buf_adds(&d.evidence, " (");
        usd_write(usd_about(extra_dollars(x)), &d.evidence);
        buf_char(&d.evidence, ')');
    }
    if (t->count > (int64_t)t->shown)
        buf_addf(&d.evidence, " and %lld more", (long long)t->count - (long long)t->shown);
    return d;
}

static double whole_cost(const struct advise_bills *b, size_t at)
{
    return extra_dollars(&b->extras[at]);
}

/* ---- traffic ---- */

static bool find_regions(struct advising *a, struct error *err)
{
    struct bill_items t = bill_items_of(a, EXTRA_REGIONS, whole_cost);
    struct finding_draft d;

    if (t.count == 0)
        return true;
    d = begin_bill_items(a, &t, "traffic between regions");
    buf_adds(&d.action,
             "run the work in the region of its data, or copy the data once and read "
             "the copy: 'stint plan JOB' with data.at compares both");
    buf_adds(&d.method,
             "all traffic between regions on the bills; range: half of it is needed");
    d.saving = (struct saving){t.cost / 2, t.cost, t.cost};
    return finding_end(a, &d, err);
}

/* A question: how much of it is needed the bill does not say. */
static bool ask_about(struct advising *a, enum extra_kind kind, const char *what,
                      const char *action, struct error *err)
{
    struct bill_items t = bill_items_of(a, kind, whole_cost);
    struct finding_draft d;

    if (t.count == 0)
        return true;
    d = begin_bill_items(a, &t, what);
    buf_adds(&d.action, action);
    buf_adds(&d.method, "its total cost; the bill does not show how much is needed, so the "
                        "savings may be zero");
    d.saving = (struct saving){0, t.cost, t.cost};
    return finding_end(a, &d, err);
}

static bool find_zones(struct advising *a, struct error *err)
{
    return ask_about(a, EXTRA_ZONES, "traffic between zones of a region",
                     "put machines that talk to each other in one zone", err);
}

static bool find_internet(struct advising *a, struct error *err)
{
    return ask_about(a, EXTRA_INTERNET, "traffic to the internet",
                     "compress results, keep them in the cloud, or deliver them through a CDN",
                     err);
}

/* ---- gateways, addresses, load balancers ---- */

static double quiet_cost(const struct advise_bills *b, size_t at)
{
    const struct reconcile_extra *x = &b->extras[at];

    return x->used <= 0 && x->resource.len > 0 && x->days >= QUIET_DAYS ? extra_dollars(x) : 0;
}

static double busy_cost(const struct advise_bills *b, size_t at)
{
    return quiet_cost(b, at) > 0 ? 0 : extra_dollars(&b->extras[at]);
}

static bool find_gateways(struct advising *a, struct error *err)
{
    struct bill_items quiet = bill_items_of(a, EXTRA_NAT, quiet_cost);
    struct bill_items busy = bill_items_of(a, EXTRA_NAT, busy_cost);
    struct finding_draft d;

    if (quiet.count + busy.count == 0)
        return true;
    d = begin_bill_items(a, quiet.count > 0 ? &quiet : &busy,
                         quiet.count > 0 ? "NAT gateways without traffic" : "NAT gateways");
    buf_adds(&d.action, quiet.count > 0
                            ? "delete them"
                            : "reach object stores and registries by endpoints of the "
                              "network, which cost nothing by the GB");
    buf_adds(&d.method,
             quiet.count > 0
                 ? "all of those without traffic; range: up to what all gateways cost"
                 : "its total cost; the bill does not show how much goes to services with "
                   "endpoints, so the savings may be zero");
    d.saving = quiet.count > 0 ? (struct saving){quiet.cost, quiet.cost, quiet.cost + busy.cost}
                               : (struct saving){0, busy.cost, busy.cost};
    return finding_end(a, &d, err);
}

static bool find_addresses(struct advising *a, struct error *err)
{
    struct bill_items t = bill_items_of(a, EXTRA_ADDRESS, whole_cost);
    struct finding_draft d;

    if (t.count == 0)
        return true;
    d = begin_bill_items(a, &t, "public addresses that nothing uses");
    buf_adds(&d.action, "release them");
    buf_adds(&d.method, "what the bill charges for idle addresses");
    d.saving.mid = t.cost;
    return finding_end(a, &d, err);
}

/* AWS's bills always have the use of a load balancer beside its hours; those of others when
 * they have that of another one. */
static double quiet_balancer(const struct advise_bills *b, size_t at)
{
    struct str provider = extra_provider(&b->extras[at]);
    bool shows_use = str_eq(provider, STR("aws"));

    for (size_t i = 0; i < b->extra_count && !shows_use; i++)
        shows_use = b->extras[i].kind == EXTRA_BALANCER && b->extras[i].used > 0 &&
                    str_eq(extra_provider(&b->extras[i]), provider);
    return shows_use ? quiet_cost(b, at) : 0;
}

static bool find_balancers(struct advising *a, struct error *err)
{
    struct bill_items t = bill_items_of(a, EXTRA_BALANCER, quiet_balancer);
    struct finding_draft d;

    if (t.count == 0)
        return true;
    d = begin_bill_items(a, &t, "load balancers without traffic");
    buf_adds(&d.action, "delete them");
    buf_adds(&d.method,
             "hours of load balancers without any charge for traffic in a week or more");
    d.saving.mid = t.cost;
    return finding_end(a, &d, err);
}

/* ---- volumes and snapshots ---- */

static double apart_cost(const struct advise_bills *b, size_t at)
{
    const struct reconcile_extra *x = &b->extras[at];

    return x->detached ? extra_dollars(x) : extra_dollars(x) > 0 ? x->apart : 0;
}

static bool find_volumes(struct advising *a, struct error *err)
{
    struct bill_items t = bill_items_of(a, EXTRA_VOLUME, apart_cost);
    struct finding_draft d;

    if (t.count == 0)
        return true;
    d = begin_bill_items(a, &t, "volumes while no machine was near them");
    buf_adds(&d.action, "delete them, or keep a snapshot and delete them");
    buf_adds(&d.method,
             "what they cost on 7 days in a row or more without any machine in their "
             "account and region; range: a snapshot of half the price stays");
    d.saving = (struct saving){t.cost / 2, t.cost, t.cost};
    return finding_end(a, &d, err);
}

/* AWS in us-east-1, dollars a GB and month: gp2 0.10, gp3 0.08, the same part less elsewhere.
 * gp2 has 3 IOPS a GB up to 16,000, and up to 250 MB/s from 334 GB on (128 MB/s to 170 GB); gp3
 * has 3,000 and 125, and more for $0.005 an IOPS and $0.04 a MB/s. */
#define GP2_PRICE 0.10
#define GP3_PRICE 0.08

/* Of those that are needed. */
static double gp2_cost(const struct advise_bills *b, size_t at)
{
    const struct reconcile_extra *x = &b->extras[at];

    return x->detached ? 0 : fmax(0, x->gp2 - apart_cost(b, at));
}

/* Dollars a month for as many IOPS as a gp2 volume of that size has, and as many MB/s. */
static void gp3_more(double gb, double *iops, double *throughput)
{
    *iops = fmax(0, fmin(16000, 3 * gb) - 3000) * 0.005;
    *throughput = gb > 170 ? 125 * 0.04 : 0;
}

static bool find_gp2(struct advising *a, struct error *err)
{
    const struct advise_bills *b = &a->facts->bills;
    struct bill_items t = bill_items_of(a, EXTRA_VOLUME, gp2_cost);
    struct finding_draft d;

    if (t.count == 0)
        return true;
    d = begin_bill_items(a, &t, "volumes of type gp2");
    d.saving = (struct saving){0};
    for (size_t i = 0; i < b->extra_count; i++) {
        double cost = b->extras[i].kind == EXTRA_VOLUME ? gp2_cost(b, i) * b->scale : 0;
        double space = cost * (1 - GP3_PRICE / GP2_PRICE), iops, throughput;

        gp3_more(b->extras[i].resource.len > 0 ? cost / GP2_PRICE : 0, &iops, &throughput);
        d.saving.low += fmax(0, space - iops - throughput);
        d.saving.mid += fmax(0, space - iops);
        d.saving.high += fmax(0, space);
    }
    buf_adds(&d.action, "change their type to gp3 while they are in use: aws ec2 modify-volume "
                        "--volume-id VOLUME --volume-type gp3");
    buf_adds(&d.method, "gp3 costs 20 % less a GB, with as many IOPS as gp2 has above 3,000; "
                        "range: also with its 250 MB/s above 170 GB, or without either");
    return finding_end(a, &d, err);
}

/* What a snapshot in the archive costs of what it costs now: $0.0125 of $0.05 a GB and month
 * (AWS), $0.019 of $0.05 (Google), list prices; 1: there is no archive for it. */
static double archive_ratio(const struct reconcile_extra *x)
{
    struct str provider = extra_provider(x);

    return str_eq(provider, STR("aws")) ? 0.25 : str_eq(provider, STR("gcp")) ? 0.38 : 1;
}

/* One of which nothing changed in four weeks. */
static double archived_cost(const struct advise_bills *b, size_t at)
{
    const struct reconcile_extra *x = &b->extras[at];

    return x->days >= COLD_DAYS && x->steady && x->resource.len > 0
               ? extra_dollars(x) * (1 - archive_ratio(x))
               : 0;
}

static double kept_snapshot(const struct advise_bills *b, size_t at)
{
    return b->extras[at].days >= COLD_DAYS ? extra_dollars(&b->extras[at]) : 0;
}

static bool find_snapshots(struct advising *a, struct error *err)
{
    struct bill_items t = bill_items_of(a, EXTRA_SNAPSHOT, kept_snapshot);
    struct bill_items archived = bill_items_of(a, EXTRA_SNAPSHOT, archived_cost);
    struct finding_draft d;

    if (t.count == 0)
        return true;
    d = begin_bill_items(a, &t, "snapshots that were kept for four weeks or more");
    if (archived.cost > 0) {
        buf_adds(&d.action, "delete those that are no longer needed; move the others to the "
                            "archive tier");
        buf_adds(&d.method, "snapshots that did not change, at the archive's list price; "
                            "range: up to deleting all of them");
    } else {
        buf_adds(&d.action,
                 "delete those that are no longer needed; give the others a lifecycle");
        buf_adds(&d.method, "their total cost; the bill does not show which are needed, so "
                            "the savings may be zero");
    }
    d.saving = archived.cost > 0 ? (struct saving){archived.cost, archived.cost, t.cost}
                                 : (struct saving){0, t.cost, t.cost};
    return finding_end(a, &d, err);
}

/* ---- stored objects ---- */

static double copy_cost(const struct advise_bills *b, size_t at)
{
    return advise_is_copy(b, at) ? extra_dollars(&b->extras[at]) : 0;
}

static bool find_copied_storage(struct advising *a, struct error *err)
{
    struct bill_items t = bill_items_of(a, EXTRA_OBJECTS, copy_cost);
    struct finding_draft d;

    if (t.count == 0)
        return true;
    d = begin_bill_items(a, &t, "data that is stored twice and was not read there");
    buf_adds(&d.action, "delete the copy, or move it to an archive tier if it is a backup");
    buf_adds(&d.method,
             "the same size as other data on all days, without a request; range: half "
             "of it has to stay");
    d.saving = (struct saving){t.cost / 2, t.cost, t.cost};
    return finding_end(a, &d, err);
}

static double cold_cost(const struct advise_bills *b, size_t at)
{
    const struct reconcile_extra *x = &b->extras[at];

    return x->used <= 0 && x->resource.len > 0 && x->days >= COLD_DAYS && !advise_is_copy(b, at)
               ? extra_dollars(x)
               : 0;
}

/* The price of a tier over that of the first, for data that is not read; 1: not known. */
static double tier_ratio(const struct advising *a, const struct reconcile_extra *x, size_t tier)
{
    struct storage_tier tiers[STORAGE_TIERS_MAX];
    size_t count;
    day date;

    if (a->facts->catalog == NULL)
        return 1;
    count =
        storage_tiers_find(a->facts->catalog, extra_provider(x), (struct str){0}, tiers, &date);
    return tier < count && tiers[0].gb_month > 0 ? tiers[tier].gb_month / tiers[0].gb_month : 1;
}

static bool find_cold(struct advising *a, struct error *err)
{
    const struct advise_bills *b = &a->facts->bills;
    struct bill_items t = bill_items_of(a, EXTRA_OBJECTS, cold_cost);
    double warm = 0, cold = 0;
    struct finding_draft d;

    for (size_t i = 0; i < b->extra_count; i++) {
        double cost = b->extras[i].kind == EXTRA_OBJECTS ? cold_cost(b, i) * b->scale : 0;

        if (!(cost > 0))
            continue;
        warm += cost * (1 - tier_ratio(a, &b->extras[i], 1));
        cold += cost * (1 - tier_ratio(a, &b->extras[i], 2));
    }
    if (!(warm > 0))
        return true;
    d = begin_bill_items(a, &t, "objects that nothing read in four weeks");
    buf_adds(&d.action,
             "a lifecycle rule that moves them to infrequent access: 'stint storage' "
             "computes it");
    buf_adds(&d.method,
             "the price of infrequent access instead; range: half of them, a cold tier");
    d.saving = (struct saving){warm / 2, warm, fmax(warm, cold)};
    return finding_end(a, &d, err);
}

/* ---- the table ---- */

#define BILL_RULE(rule, words, kind, what, part) \
    .name = (rule), .title = (words), .category = (kind), .effort = EFFORT_MINUTES, \
    .risk = RISK_LOW, .lever = (what), .scope = SCOPE_PERIOD, .parts = PART_BIT(part)

static const struct advise_rule rules[] = {
    {BILL_RULE("unused-machines", "stop machines that no run uses", ADVISE_COMPUTE, LEVER_IDLE,
               PART_UNUSED),
     .uses = "imported bills: machines that no run was matched with ('stint reconcile')",
     .applies =
         "other machines of the account have runs, it has GPUs or is of a type that runs "
         "use, was on for a day or more, and neither name nor tags say that it serves",
     .computed = "all that it cost since runs are recorded in its account",
     .source = "measured ('stint reconcile')", .find = find_unused},
    {BILL_RULE("unexplained-machines", "find out what machines are for", ADVISE_COMPUTE,
               LEVER_SCALING, PART_UNUSED),
     .uses = "the other machines on the bills that no run was matched with",
     .applies = "there are some: a question, since what they are for is not recorded",
     .computed = "all that they cost; the range begins at nothing",
     .source = "measured ('stint reconcile')", .find = find_unexplained},
    {BILL_RULE("machines-on-demand", "start machines on spot", ADVISE_COMPUTE, LEVER_MACHINE,
               PART_FOR_SPOT),
     .uses = "machines with GPUs on bills of accounts without recorded runs",
     .applies = "they are on demand for less than 60 % of the time, neither name nor tags say "
                "that they serve, and spot saves most",
     .computed = "spot price with the time that interruptions cost",
     .source = "prices of the store and the catalog; 'stint spot risk'",
     .find = find_billed_spot},
    {BILL_RULE("machines-elsewhere", "use the same machines in a cheaper region",
               ADVISE_COMPUTE, LEVER_MACHINE, PART_FOR_REGION),
     .uses = "machines on bills of accounts without recorded runs",
     .applies = "the same type costs 5 % less or more in another region of the provider",
     .computed = "the difference; the range begins at half",
     .source = "prices of the store and the catalog", .find = find_billed_region},
    {BILL_RULE("old-machines", "use newer GPUs", ADVISE_COMPUTE, LEVER_MACHINE, PART_FOR_NEWER),
     .uses = "machines with GPUs on bills of accounts without recorded runs",
     .applies = "GPUs of a later year in the same region cost 10 % less or more for the same "
                "work, even at worst",
     .computed = "price x time by data sheets",
     .source = "prices of the store and the catalog; docs/accuracy.md",
     .find = find_billed_newer},
    {BILL_RULE("notebooks-at-night", "stop notebooks at night", ADVISE_COMPUTE, LEVER_IDLE,
               PART_FOR_NIGHTS),
     .uses = "notebooks on bills of accounts without recorded runs",
     .applies = "one was on day and night for a week or more",
     .computed = "70 % of what it cost; the range begins at half", .source = "measured (bills)",
     .find = find_billed_nights},
    {BILL_RULE("traffic-between-regions", "keep data and work in one region", ADVISE_COMPUTE,
               LEVER_TRANSFER, PART_REGIONS),
     .uses = "imported bills: traffic between regions", .applies = "there is some",
     .computed = "all of it; the range begins at half", .source = "measured (bills)",
     .find = find_regions},
    {BILL_RULE("traffic-between-zones", "keep machines in one zone", ADVISE_COMPUTE,
               LEVER_TRANSFER, PART_NETWORK),
     .uses = "imported bills: traffic between zones", .applies = "there is some: a question",
     .computed = "all of it; the range begins at nothing", .source = "measured (bills)",
     .find = find_zones},
    {BILL_RULE("traffic-to-internet", "send less to the internet", ADVISE_COMPUTE,
               LEVER_NETWORK, PART_NETWORK),
     .uses = "imported bills: traffic to the internet", .applies = "there is some: a question",
     .computed = "all of it; the range begins at nothing", .source = "measured (bills)",
     .find = find_internet},
    {BILL_RULE("nat-gateways", "use endpoints instead of NAT gateways", ADVISE_COMPUTE,
               LEVER_SCALING, PART_NETWORK),
     .uses = "imported bills: hours and bytes of NAT gateways",
     .applies = "there are some; those without traffic in a week can go, others are a question",
     .computed = "all that they cost", .source = "measured (bills)", .find = find_gateways},
    {BILL_RULE("unused-addresses", "release addresses that nothing uses", ADVISE_COMPUTE,
               LEVER_IDLE, PART_ADDRESSES),
     .uses = "imported bills: charges for idle public addresses", .applies = "there are some",
     .computed = "all that they cost", .source = "measured (bills)", .find = find_addresses},
    {BILL_RULE("unused-load-balancers", "delete load balancers without traffic", ADVISE_COMPUTE,
               LEVER_IDLE, PART_BALANCERS),
     .uses = "imported bills of AWS, and others that show traffic of load balancers: their "
             "hours and traffic",
     .applies = "one had hours on a week's days or more, and no traffic",
     .computed = "all that it cost", .source = "measured (bills)", .find = find_balancers},
    {BILL_RULE("unattached-volumes", "delete volumes without machines", ADVISE_STORAGE,
               LEVER_STORAGE, PART_VOLUMES),
     .uses = "imported bills: volumes, and machines of their account and region",
     .applies = "no machine was there on 7 days in a row or more",
     .computed = "what the volume cost on these days; the range begins at half: a snapshot",
     .source = "measured (bills)", .find = find_volumes},
    {BILL_RULE("older-volumes", "change gp2 volumes to gp3", ADVISE_STORAGE, LEVER_MACHINE,
               PART_VOLUMES),
     .uses = "imported bills of AWS: volumes of type gp2",
     .applies = "there are some that machines are near to",
     .computed = "20 % of their space, less what as many IOPS and MB/s cost with gp3",
     .source = "Amazon EBS prices of us-east-1, as quoted on webuildup.live (2026-04) and "
               "saisci.com (2021-02)",
     .find = find_gp2},
    {BILL_RULE("old-snapshots", "delete old snapshots", ADVISE_STORAGE, LEVER_STORAGE,
               PART_SNAPSHOTS),
     .uses = "imported bills: snapshots of volumes",
     .applies = "one was kept for four weeks or more",
     .computed =
         "archive prices of AWS and Google for those that did not change; of others all "
         "that they cost, as a question",
     .source = "measured (bills)", .find = find_snapshots},
    {BILL_RULE("stored-twice", "delete copies of data", ADVISE_STORAGE, LEVER_STORAGE,
               PART_COPIES),
     .uses = "imported bills: size of stored objects by day, and requests",
     .applies = "two buckets have the same size on as many days, and one had no request",
     .computed = "all that the copy cost; the range begins at half",
     .source = "measured (bills)", .find = find_copied_storage},
    {BILL_RULE("cold-objects", "move objects that nothing reads", ADVISE_STORAGE, LEVER_STORAGE,
               PART_OBJECTS),
     .uses = "imported bills: stored objects of the standard class, and requests",
     .applies = "a bucket had no request on four weeks' days",
     .computed = "the price of infrequent access instead, by the catalog's tiers",
     .source = "table storage of the catalog", .find = find_cold},
};

const struct advise_rules advise_bill_rules = ADVISE_RULES(rules);
