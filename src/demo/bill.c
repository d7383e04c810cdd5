/* The bills of two clouds, from the machines of the runs and from what no run explains. */
#include <math.h>
#include <string.h>

#include "base/draw.h"
#include "demo/team.h"

#define BOOT_S 240   /* a machine is billed before its run begins */
#define TAIL_S 420   /* and after it has ended */
#define PLAN_HOURS 8 /* of the server, a day: under a savings plan */
#define PLAN_OFF 0.28
#define PLAN_ID "arn:aws:savingsplans::kestrel:savingsplan/sp-0demo"
/* A machine that was left on: no run was ever on it. */
#define FORGOTTEN_ID "i-0f0c60773d0000001"
#define FORGOTTEN_FIRST 40
#define FORGOTTEN_LAST 51

static const char columns[] =
    "BilledCost,EffectiveCost,ListCost,ContractedCost,BillingAccountId,BillingAccountName,"
    "BillingCurrency,BillingPeriodStart,BillingPeriodEnd,ChargePeriodStart,ChargePeriodEnd,"
    "ChargeCategory,ChargeDescription,ProviderName,ServiceName,ServiceCategory,RegionId,"
    "ResourceId,PricingCategory,PricingQuantity,PricingUnit,ConsumedQuantity,ConsumedUnit,"
    "SkuPriceDetails,CommitmentDiscountId,CommitmentDiscountType,CommitmentDiscountStatus,"
    "Tags\n";

struct line {
    day on;
    usd billed, effective, list;
    const char *charge, *description, *service, *category, *region, *pricing, *unit;
    const char *resource, *details; /* details: the instance type, or the class of storage */
    const char *commitment;
    const char *team, *project, *phase, *model, *experiment;
    double quantity;
};

struct pair {
    const char *key, *value; /* NULL: it is left out */
};

struct writer {
    const struct demo *demo;
    const char *provider, *title, *account;
    struct buf *out;
};

static usd demo_bill_cost(usd_per_hour rate, int64_t seconds, double factor)
{
    usd cost;

    if (!usd_for(rate, (span){seconds * INT64_C(1000000000)}, &cost))
        return USD_UNKNOWN;
    cost.nano = llround((double)cost.nano * factor);
    return cost;
}

static void put_demo_day(struct buf *out, day d)
{
    day_write(d, out);
    buf_adds(out, "T00:00:00Z,");
}

/* {""team"":""nlp""}: JSON as a cell. */
static void put_pairs(struct buf *out, const struct pair *pairs, size_t count)
{
    const char *separator = "";

    buf_adds(out, "\"{");
    for (size_t i = 0; i < count; i++) {
        if (pairs[i].value == NULL)
            continue;
        buf_addf(out, "%s\"\"%s\"\":\"\"%s\"\"", separator, pairs[i].key, pairs[i].value);
        separator = ",";
    }
    buf_adds(out, "}\"");
}

static void put_demo_line(struct writer *w, const struct line *l)
{
    bool machine = strcmp(l->category, "Compute") == 0 && l->details != NULL;
    const struct pair details[] = {{machine ? "InstanceType" : "StorageClass", l->details}};
    const struct pair tags[] = {{"team", l->team},
                                {"project", l->project},
                                {"phase", l->phase},
                                {"model", l->model},
                                {"experiment", l->experiment}};
    struct buf *out = w->out;

    nano_write(l->billed.nano, out);
    buf_char(out, ',');
    nano_write(l->effective.nano, out);
    buf_char(out, ',');
    nano_write(l->list.nano, out);
    buf_char(out, ',');
    nano_write(l->effective.nano, out);
    buf_addf(out, ",%s,Kestrel,USD,", w->account);
    put_demo_day(out, day_month_start(l->on));
    put_demo_day(out, day_month_add(l->on, 1));
    put_demo_day(out, l->on);
    put_demo_day(out, (day){l->on.n + 1});
    buf_addf(out, "%s,%s,%s,%s,%s,%s,%s,%s,%.6f,%s,%.6f,%s,", l->charge, l->description,
             w->title, l->service, l->category, l->region,
             l->resource != NULL ? l->resource : "", l->pricing, l->quantity, l->unit,
             l->quantity, l->unit);
    put_pairs(out, details, l->details != NULL);
    buf_addf(out, ",%s,%s,%s,", l->commitment != NULL ? l->commitment : "",
             l->commitment != NULL ? "Savings Plan" : "",
             l->commitment != NULL && strcmp(l->charge, "Usage") == 0 ? "Used" : "");
    put_pairs(out, tags, ARRAY_LEN(tags));
    buf_char(out, '\n');
}

/* ---- machines of runs ---- */

/* A spot price moves a little from day to day: the same for all that day. */
static double spot_factor(day on)
{
    uint64_t state = (uint64_t)on.n * 104729;

    (void)draw_below(&state, 2);
    return 0.95 + (double)draw_below(&state, 1001) / 10000;
}

static bool is_demo_spot(const struct demo_machine *m)
{
    return strcmp(m->market, "spot") == 0;
}

/* The part of the server that a savings plan pays: its use, and the fee of the day. */
static void put_planned(struct writer *w, struct line l, const struct demo_machine *m,
                        int64_t *seconds)
{
    int64_t planned = *seconds * PLAN_HOURS / 24;

    l.list = demo_bill_cost(m->list, planned, 1);
    l.effective = demo_bill_cost(m->list, planned, 1 - PLAN_OFF);
    l.billed = (usd){0};
    l.pricing = "Committed";
    l.commitment = PLAN_ID;
    l.quantity = (double)planned / 3600;
    put_demo_line(w, &l);
    l.charge = "Purchase";
    l.description = "Savings plan fee of the day";
    l.billed = l.effective;
    l.effective = l.list = (usd){0};
    l.resource = l.details = NULL;
    l.unit = "Hours";
    put_demo_line(w, &l);
    *seconds -= planned;
}

static void put_machine_day(struct writer *w, const struct demo_run *run, const char *id,
                            day on, int64_t seconds)
{
    const struct demo_machine *m = run->machine;
    char resource[160];
    struct line l = {
        .on = on,
        .charge = "Usage",
        .description = run->work->one_machine ? "machine hours" : "training machine",
        .service = m->provider[0] == 'a' ? "Amazon Elastic Compute Cloud" : "Compute Engine",
        .category = "Compute",
        .region = m->region,
        .pricing = is_demo_spot(m) ? "Dynamic" : "Standard",
        .unit = "Hours",
        .resource = resource,
        .details = m->instance,
        /* what its owners forgot to tag */
        .team = run->work->project != NULL ? run->work->team : NULL,
        .project = run->work->project,
        .phase = run->work->phase,
        .model = run->work->model,
        .experiment = run->work->experiment};

    (void)snprintf(
        resource, sizeof resource,
        m->provider[0] == 'a'
            ? "%s"
            : "//compute.googleapis.com/projects/kestrel/zones/us-central1-a/instance/%s",
        id);
    if (run->work->hours >= 168)
        put_planned(w, l, m, &seconds);
    l.billed = l.effective =
        demo_bill_cost(m->rate, seconds, is_demo_spot(m) ? spot_factor(on) : 1);
    l.list = demo_bill_cost(m->list, seconds, 1);
    l.quantity = (double)seconds / 3600;
    put_demo_line(w, &l);
}

static void put_attempt(struct writer *w, const struct demo_run *run,
                        const struct demo_attempt *a)
{
    bool server = run->work->hours >= 168;
    int64_t from = a->start.s - (server ? 0 : BOOT_S);
    int64_t until = a->start.s + a->seconds + (server ? 0 : TAIL_S);
    int32_t end = w->demo->today.n - DEMO_BILL_LAG;

    for (day on = day_of((stamp){from}); on.n < end && on.n * SECONDS_PER_DAY < until; on.n++) {
        int64_t begin = on.n * SECONDS_PER_DAY, close = begin + SECONDS_PER_DAY;

        begin = begin > from ? begin : from;
        close = close < until ? close : until;
        if (close > begin)
            put_machine_day(w, run, a->machine_id, on, close - begin);
    }
}

/* ---- what no run explains ---- */

static void put_daily(struct writer *w, day on, double dollars, struct line l)
{
    l.on = on;
    l.charge = l.charge != NULL ? l.charge : "Usage";
    l.pricing = "Standard";
    l.billed = l.effective = l.list = usd_from(dollars);
    put_demo_line(w, &l);
}

static double varied(day on, int salt)
{
    uint64_t state = (uint64_t)on.n * 7919 + (uint64_t)salt * 15485863;

    (void)draw_below(&state, 2);
    return 0.85 + (double)draw_below(&state, 301) / 1000;
}

static void put_aws_day(struct writer *w, day on, int number)
{
    const struct demo_machine *g5 = &w->demo->machines[MACHINE_AWS_A10G];
    double grown = 1 + 0.5 * number / DEMO_DAYS;

    put_daily(w, on, 4.6 * grown,
              (struct line){.description = "6 TB and more of training data",
                            .service = "Amazon Simple Storage Service",
                            .category = "Storage",
                            .region = "us-east-1",
                            .unit = "GB-Months",
                            .details = "Standard",
                            .resource = "arn:aws:s3:::kestrel-data",
                            .quantity = 200 * grown,
                            .team = "nlp",
                            .project = "search"});
    put_daily(w, on, 3.2 * grown,
              (struct line){.description = "volumes and snapshots",
                            .service = "Amazon Elastic Block Store",
                            .category = "Storage",
                            .region = "us-east-1",
                            .unit = "GB-Months",
                            .details = "gp3",
                            .quantity = 40 * grown});
    put_daily(w, on, 2.4 * varied(on, 1),
              (struct line){.description = "traffic to the internet",
                            .service = "AWS Data Transfer",
                            .category = "Networking",
                            .region = "us-east-1",
                            .unit = "GB",
                            .quantity = 27,
                            .team = "platform",
                            .project = "support-bot"});
    if (number >= FORGOTTEN_FIRST && number <= FORGOTTEN_LAST)
        put_daily(w, on, usd_double(demo_bill_cost(g5->list, SECONDS_PER_DAY, 1)),
                  (struct line){.description = "machine hours",
                                .service = "Amazon Elastic Compute Cloud",
                                .category = "Compute",
                                .region = "us-east-1",
                                .unit = "Hours",
                                .details = g5->instance,
                                .resource = FORGOTTEN_ID,
                                .quantity = 24});
    if (on.n == day_month_start(on).n)
        put_daily(w, on, 100,
                  (struct line){.charge = "Purchase",
                                .description = "Developer support",
                                .service = "AWS Support",
                                .category = "Other",
                                .region = "",
                                .unit = "Months",
                                .quantity = 1});
}

static void put_gcp_day(struct writer *w, day on, int number)
{
    double grown = 1 + 0.8 * number / DEMO_DAYS;

    put_daily(w, on, 2.7 * grown,
              (struct line){.description = "photos and videos",
                            .service = "Cloud Storage",
                            .category = "Storage",
                            .region = "us-central1",
                            .unit = "GB-Months",
                            .details = "Standard",
                            .resource = "kestrel-photos",
                            .quantity = 130 * grown,
                            .team = "vision",
                            .project = "product-photos"});
    put_daily(w, on, 0.35,
              (struct line){.description = "old checkpoints",
                            .service = "Cloud Storage",
                            .category = "Storage",
                            .region = "us-central1",
                            .unit = "GB-Months",
                            .details = "Archive",
                            .resource = "kestrel-archive",
                            .quantity = 290,
                            .team = "vision"});
    put_daily(w, on, 1.6 * varied(on, 2),
              (struct line){.description = "traffic between regions",
                            .service = "Networking",
                            .category = "Networking",
                            .region = "us-central1",
                            .unit = "GB",
                            .quantity = 80});
}

void demo_bill(const struct demo *demo, const char *provider, struct buf *out)
{
    bool aws = strcmp(provider, "aws") == 0;
    struct writer w = {.demo = demo,
                       .provider = provider,
                       .title = aws ? "AWS" : "Google Cloud",
                       .account = aws ? "214365870912" : "01A2B3-C4D5E6-F70819",
                       .out = out};

    buf_adds(out, columns);
    for (size_t i = 0; i < demo->run_count; i++)
        for (int n = 0; n < demo->runs[i].attempt_count; n++)
            if (strcmp(demo->runs[i].machine->provider, provider) == 0)
                put_attempt(&w, &demo->runs[i], &demo->runs[i].attempts[n]);
    for (int number = 0; number < DEMO_DAYS - DEMO_BILL_LAG; number++) {
        day on = {demo->today.n - DEMO_DAYS + number};

        if (aws)
            put_aws_day(&w, on, number);
        else
            put_gcp_day(&w, on, number);
    }
}
