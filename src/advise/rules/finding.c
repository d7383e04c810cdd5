#include "advise/rules/finding.h"

#include <math.h>
#include <stdlib.h>

#include "base/crc.h"

const char *const advise_category_names[] = {"compute", "training", "serving",
                                             "storage", "carbon",   NULL};
const char *const advise_effort_names[] = {"minutes", "hours", "days", NULL};
const char *const advise_risk_names[] = {"none", "low", "medium", "high", NULL};
const char *const advise_lever_names[] = {
    "machine", "hour",     "precision", "memory", "kernels", "network",  "steps",
    "method",  "data",     "start-up",  "saving", "idle",    "failures", "repeats",
    "storage", "transfer", "scaling",   "power",  "custom",  NULL};
const char *const advise_part_names[] = {
    "training",    "data_stalls", "startup",        "evaluation",
    "checkpoints", "idle",        "setup",          "unseen",
    "lost",        "failed",      "repeated",       "between_runs",
    "unused",      "storage",     "transfer",       "between_regions",
    "network",     "addresses",   "load_balancers", "volumes",
    "snapshots",   "objects",     "copies",         "for_spot",
    "for_region",  "for_newer",   "for_nights",     "other",
    NULL};
const char *const finding_state_names[] = {"open", "dismissed", "applied", NULL};

_Static_assert(ARRAY_LEN(advise_lever_names) == ADVISE_LEVERS + 1, "a name for each lever");
_Static_assert(ARRAY_LEN(advise_part_names) == ADVISE_PARTS + 1, "a name for each part");

static const struct field finding_rows[] = {
    FIELD(CHARS, finding, id, .help = "ID: the rule and a digest of the subject, for dismiss"),
    FIELD(TEXT, finding, rule, .help = "rule, explained by 'stint advise rules'"),
    FIELD(TEXT, finding, title, .help = "short title"),
    FIELD(ENUM, finding, category, .names = advise_category_names,
          .help = "compute, training, serving, storage or carbon"),
    FIELD(TEXT, finding, subject, .help = "subject: the job, or everything"),
    FIELD_AS("savings", USD, finding, saving,
             .help = "savings if applied alone, in the unit of savings"),
    FIELD_AS("savings_low", USD, finding, saving_low, .help = "low end of the savings"),
    FIELD_AS("savings_high", USD, finding, saving_high, .help = "high end of the savings"),
    FIELD(SHARE, finding, share, .help = "share of the subject's cost"),
    FIELD(ENUM, finding, effort, .names = advise_effort_names, .help = "effort it takes"),
    FIELD(ENUM, finding, risk, .names = advise_risk_names, .help = "risk that it goes wrong"),
    FIELD(ENUM, finding, lever, .names = advise_lever_names,
          .help = "setting it changes: findings that change the same one exclude each other"),
    FIELD(TEXT, finding, evidence, .help = "evidence"),
    FIELD(TEXT, finding, action, .help = "recommended action"),
    FIELD(TEXT, finding, method, .help = "method of computing the savings"),
    FIELD(TEXT, finding, source, .empty_unknown = true,
          .help = "source of the rule or its range"),
    FIELD(FLAG, finding, chosen, .help = "part of the best combination"),
    FIELD(USD, finding, adds,
          .help = "savings added to the combination, waste first; sums to the total"),
    FIELD(ENUM, finding, state, .names = finding_state_names,
          .help = "open, dismissed or applied"),
    FIELD(TEXT, finding, reason, .empty_unknown = true, .sparse = true,
          .help = "reason for dismissing it"),
    FIELD(TIME, finding, decided, .sparse = true,
          .help = "time when it was dismissed or applied"),
};
const struct field_set finding_fields = FIELD_SET(struct finding, finding_rows);

static const struct field total_rows[] = {
    FIELD(USD, advise_total, spent, .help = "cost of everything examined"),
    FIELD_AS("savings", USD, advise_total, saving,
             .help = "savings of the best combination: no dollar counts twice"),
    FIELD_AS("savings_low", USD, advise_total, saving_low, .help = "low end of the savings"),
    FIELD_AS("savings_high", USD, advise_total, saving_high, .help = "high end of the savings"),
    FIELD(SHARE, advise_total, share, .help = "share of the cost"),
    FIELD(COUNT, advise_total, findings, .help = "findings in the best combination"),
};
const struct field_set advise_total_fields = FIELD_SET(struct advise_total, total_rows);

double advise_money_sum(const struct advise_money *money, unsigned parts)
{
    double sum = 0;

    for (unsigned i = 0; i < ADVISE_PARTS; i++)
        sum += (parts & PART_BIT(i)) != 0 ? money->part[i] : 0;
    return sum;
}

void finding_id(struct str rule, struct str subject, char out[static ADVISE_ID_MAX])
{
    /* A rule's name is its own in the first digits, too: two rules may share a beginning. */
    uint32_t digest = crc32c(crc32c(0, rule.at, rule.len), subject.at, subject.len);
    char copy[ADVISE_ID_MAX - 9];

    str_copy(rule, copy, sizeof copy);
    (void)snprintf(out, ADVISE_ID_MAX, "%s-%08x", copy, (unsigned)digest);
}

bool finding_is_possible(const struct finding *finding)
{
    return usd_double(finding->saving_low) < 0.01 * usd_double(finding->saving);
}

static int by_finding_saving(const void *a, const void *b)
{
    const struct finding *x = a, *y = b;
    int order = usd_compare(y->saving, x->saving);

    if (order == 0)
        order = (x->effort > y->effort) - (x->effort < y->effort);
    return order != 0 ? order : str_cmp(str_from(x->id), str_from(y->id));
}

static int by_certainty(const void *a, const void *b)
{
    const struct finding *x = a, *y = b;

    return x->possible != y->possible ? x->possible - y->possible : by_finding_saving(a, b);
}

size_t findings_part(struct findings *list)
{
    size_t sure = 0;

    if (list->count > 1)
        qsort(list->at, list->count, sizeof list->at[0], by_certainty);
    while (sure < list->count && !list->at[sure].possible)
        sure++;
    return sure;
}

void findings_sort(struct findings *list)
{
    if (list->count > 1)
        qsort(list->at, list->count, sizeof list->at[0], by_finding_saving);
}
