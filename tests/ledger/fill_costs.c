/* Bills of AWS in dollars and of Microsoft in euros, from September on, the last up to
 * 2026-11-12; and runs of teams, on days with and without a bill. */
#include "fill_costs.h"

#include <stdio.h>
#include <string.h>

#include "ledger/bills/bills.h"
#include "writes.h"

#define TODAY INT64_C(1794700800) /* 2026-11-15, midnight */
#define DAY INT64_C(86400)
#define SECOND INT64_C(1000000000)

/* What is paid every day of a month, and how it grows from month to month. */
static const struct thing {
    const char *provider, *currency, *service, *category, *pricing, *instance, *gpu, *tier;
    const char *team, *project;
    const char *billed[3], *list; /* in September, October and November; "": not there */
} things[] = {
    {"AWS",
     "USD",
     "Amazon Elastic Compute Cloud",
     "Compute",
     "spot",
     "g5.xlarge",
     "A10G",
     "",
     "nlp",
     "search",
     {"10.123456789012", "11.5", "14.25"},
     "30"},
    {"AWS",
     "USD",
     "Amazon Elastic Compute Cloud",
     "Compute",
     "on-demand",
     "p5.48xlarge",
     "H100",
     "",
     "vision",
     "ads",
     {"98.32", "98.32", ""},
     "98.32"},
    {"AWS",
     "USD",
     "Amazon Elastic Compute Cloud",
     "Compute",
     "committed",
     "m7i.large",
     "",
     "",
     "platform",
     "",
     {"2.4", "2.4", "2.4"},
     "3.6"},
    {"AWS",
     "USD",
     "Amazon Simple Storage Service",
     "Storage",
     "on-demand",
     "",
     "",
     "standard",
     "nlp",
     "search",
     {"3.1", "3.4", "3.9000000001"},
     "3.9"},
    {"AWS",
     "USD",
     "Amazon Simple Storage Service",
     "Storage",
     "on-demand",
     "",
     "",
     "archive",
     "",
     "",
     {"0.2", "0.2", "0.2"},
     "0.2"},
    {"Microsoft",
     "EUR",
     "Virtual Machines",
     "Compute",
     "on-demand",
     "NC24ads",
     "A100",
     "",
     "vision",
     "ads",
     {"", "20.5", "21"},
     "21"},
};

static void classify(void *ctx, const struct bill_line *line, struct dimensions *out)
{
    const struct thing *t = *(const struct thing *const *)ctx;

    (void)line;
    *out = (struct dimensions){0};
    out->of[DIMENSION_provider] = str_from(t->provider);
    out->of[DIMENSION_service] = str_from(t->service);
    out->of[DIMENSION_category] = str_from(t->category);
    out->of[DIMENSION_account] = STR("111");
    out->of[DIMENSION_region] = STR("us-east-1");
    out->of[DIMENSION_charge] = STR("Usage");
    out->of[DIMENSION_pricing] = str_from(t->pricing);
    out->of[DIMENSION_instance] = str_from(t->instance);
    out->of[DIMENSION_gpu] = str_from(t->gpu);
    out->of[DIMENSION_tier] = str_from(t->tier);
    out->of[DIMENSION_team] = str_from(t->team);
    out->of[DIMENSION_project] = str_from(t->project);
}

static bool put_day_of(struct ledger_import *import, const struct thing *t, int month,
                       int64_t period[2], int64_t at, struct error *err)
{
    struct bill_line line = {.start = {at},
                             .end = {at + DAY},
                             .period_start = {period[0]},
                             .period_end = {period[1]},
                             .list_known = true,
                             .line = 1};

    line.of[FOCUS_ProviderName] = str_from(t->provider);
    line.of[FOCUS_BillingAccountId] = STR("111");
    line.of[FOCUS_BillingCurrency] = str_from(t->currency);
    line.of[FOCUS_ServiceName] = str_from(t->service);
    line.of[FOCUS_ChargeCategory] = STR("Usage");
    line.of[FOCUS_ResourceId] = str_from(t->instance);
    line.of[FOCUS_PricingCategory] = str_from(t->pricing);
    line.of[FOCUS_ResourceType] = str_from(t->tier);
    if (!decimal_parse(str_from(t->billed[month]), &line.billed) ||
        !decimal_parse(str_from(t->list), &line.list))
        return error_fail(err, ERROR_INPUT, "an amount is not a number");
    line.effective = line.contracted = line.billed;
    return ledger_import_line(import, &line, err);
}

static bool bills(struct ledger *ledger, struct error *err)
{
    static const int64_t starts[] = {1788220800, 1790812800, 1793491200, 1796083200};
    const struct thing *now = things;
    struct ledger_import_options options = {.classify = classify, .classify_ctx = &now};
    struct bill_about about = {.format = BILL_FOCUS, .version = "1.2"};
    struct ledger_import *import = ledger_import_begin(ledger, &options, err);
    struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    struct ledger_imported imported;
    bool ok = import != NULL && ledger_import_file(import, STR("bills.csv"), &about, err);

    for (int month = 0; ok && month < 3; month++)
        for (int64_t at = starts[month]; ok && at < starts[month + 1] && at < TODAY - 2 * DAY;
             at += DAY)
            for (now = things; ok && now < things + ARRAY_LEN(things); now++) {
                int64_t period[] = {starts[month], starts[month + 1]};

                if (now->billed[month][0] != '\0')
                    ok = put_day_of(import, now, month, period, at, err);
            }
    if (!ok || !ledger_import_file_end(import, STR("bills.csv"), err)) {
        ledger_import_abandon(import);
        return false;
    }
    ok = ledger_import_commit(import, &arena, &imported, err);
    arena_free(&arena);
    return ok;
}

static bool run(struct ledger *ledger, int number, const char *team, const char *offer,
                const char *digest, int64_t started, int64_t seconds, double dollars,
                struct error *err)
{
    char tag[32];
    struct str tags[] = {{tag, 0}};
    struct ledger_start start = {.name = STR("bert"),
                                 .folder = STR("/w"),
                                 .command = STR("python train.py"),
                                 .user = STR("ann"),
                                 .host = STR("h"),
                                 .digest = str_from(digest),
                                 .offer = str_from(offer),
                                 .market = offer[0] != '\0' ? STR("spot") : STR(""),
                                 .rate = {SECOND},
                                 .electricity = {MONEY_UNKNOWN},
                                 .storage_month = {MONEY_UNKNOWN},
                                 .budget = USD_UNKNOWN,
                                 .estimated_cost = USD_UNKNOWN,
                                 .estimated_time = {-1},
                                 .started = {started},
                                 .pid = -1,
                                 .pid_started = -1};
    struct ledger_totals t;
    int attempt;

    (void)snprintf(start.id, sizeof start.id, "019d%04d-0000-7000-8000-00000000%04d", number,
                   number);
    tags[0].len = (size_t)snprintf(tag, sizeof tag, "team=%s", team);
    start.tags = (struct strs){tags, 1};
    ledger_totals_unknown(&t);
    t.at = (stamp){started + seconds};
    t.elapsed = (span){seconds * SECOND};
    t.cost = t.compute = dollars < 0 ? USD_UNKNOWN : usd_from(dollars);
    t.gpus = 2;
    t.gpu = STR("NVIDIA A10G");
    t.gpu_busy = 0.75;
    return ledger_begin(ledger, &start, &attempt, err) &&
           ledger_end(ledger, start.id, attempt, &(struct ledger_ending){RUN_DONE, 0, ""}, &t,
                      err);
}

bool fill_costs(struct ledger *ledger, struct error *err)
{
    const char *aws = "aws/us-east-1/g5.xlarge", *lambda = "lambda/us-east-1/gpu_1x_a10";

    return bills(ledger, err) &&
           /* Covered by a bill; from the last day that is into the first that is not. */
           run(ledger, 1, "nlp", aws, "", TODAY - 10 * DAY, 7200, 2.5, err) &&
           run(ledger, 2, "nlp", aws, "c0ffee", TODAY - 2 * DAY - 3600, 7200, 3.000000001,
               err) &&
           /* Never covered. */
           run(ledger, 3, "vision", lambda, "c0ffee", TODAY - 9 * DAY, 36000, 7.5, err) &&
           run(ledger, 4, "vision", "", "", TODAY - DAY, 36000, 0.21, err) &&
           run(ledger, 5, "vision", lambda, "c0ffee", TODAY - DAY, 3600, 0.75, err) &&
           run(ledger, 6, "nlp", lambda, "", TODAY - DAY, 3600, -1, err);
}
