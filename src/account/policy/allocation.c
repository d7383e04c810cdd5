#include "account/policy/allocation.h"

#include "account/classify/bill_classify.h"
#include "account/query/amount.h"
#include "account/query/charge.h"

#define PROGRESS_EVERY 4096 /* lines */

static const char *const kind_names[] = {
    [ALLOCATION_RULE] = "rule",
    [ALLOCATION_SHARED] = "shared",
    [ALLOCATION_RECURRING] = "recurring",
};

static const struct field row_list[] = {
    FIELD(ENUM, allocation_row, kind, FIELD_NAMES(kind_names),
          .help = "rule, shared or recurring"),
    FIELD(COUNT, allocation_row, line, .help = "line in the policy"),
    FIELD(TEXT, allocation_row, name, .help = "name of the shared or recurring cost"),
    FIELD_AS("text", TEXT, allocation_row, words, .help = "rule in words"),
    FIELD(COUNT, allocation_row, lines, .help = "bill lines that it matches"),
    FIELD(COUNT, allocation_row, runs, .help = "runs that it matches"),
    FIELD(MONEY, allocation_row, amount, .help = "amount that it matches"),
    FIELD(MONEY, allocation_row, changed, .help = "amount whose tags it sets"),
};

static const struct field change_list[] = {
    FIELD(TEXT, tagged_change, tag, .help = "tag whose share changed"),
    FIELD_AS("currency", CURRENCY, tagged_change, total.currency,
             .help = "currency of the amounts"),
    FIELD(MONEY, tagged_change, total, .help = "total recorded amount"),
    FIELD(MONEY, tagged_change, before, .help = "amount that had the tag before"),
    FIELD(MONEY, tagged_change, after, .help = "amount that has the tag now"),
};

static const struct field_set row_set = FIELD_SET(struct allocation_row, row_list);
const struct field_set tagged_change_fields = FIELD_SET(struct tagged_change, change_list);

static const struct field allocation_list[] = {
    FIELD(TEXTS, allocation, required, .help = "required tags"),
    FIELD(TEXT, allocation, enforce, .help = "warn or refuse"),
    FIELD(COUNT, allocation, rules, .help = "rules that set tags"),
    FIELD(COUNT, allocation, shared, .help = "costs that are split"),
    FIELD(COUNT, allocation, recurring, .help = "costs entered once"),
    FIELD(LIST, allocation, rows, .row = &row_set, .help = "rules of the policy"),
};

const struct field_set allocation_fields = FIELD_SET(struct allocation, allocation_list);

/* ---- what is in a policy ---- */

/* "200 USD/month from 2026-01-01 until 2026-12-31, team=platform". */
static bool recurring_words(const struct policy_recurring *r, struct arena *arena,
                            struct str *out, struct error *err)
{
    struct buf text = buf_new(arena->alloc, 2048);

    money_write(&r->cost, &text);
    buf_addf(&text, "/%s from ", policy_per_names[r->per]);
    day_write(r->from, &text);
    if (r->until.n != DAY_UNKNOWN.n) {
        buf_adds(&text, " until ");
        day_write(r->until, &text);
    }
    for (int d = DIMENSION_FIRST_TAG; d < DIMENSION_COUNT; d++)
        if (r->of.of[d].len > 0) {
            buf_addf(&text, ", %s=", dimension_name((enum dimension)d));
            buf_add(&text, r->of.of[d]);
        }
    return buf_keep(&text, arena, out, err);
}

static struct allocation_row make_allocation_row(enum allocation_kind kind, unsigned line,
                                                 struct str name, struct str words)
{
    return (struct allocation_row){
        .kind = kind, .line = line, .name = name, .words = words, .lines = -1, .runs = -1};
}

static bool make_allocation_rows(const struct allocation_policy *p, struct arena *arena,
                                 struct allocation *out, struct error *err)
{
    struct allocation_row *rows =
        arena_array(arena, struct allocation_row,
                    p->rule_count + p->shared_count + p->recurring_count, err);
    size_t n = 0;

    if (rows == NULL)
        return false;
    for (const struct policy_rule *r = p->rules; r < p->rules + p->rule_count; r++)
        rows[n++] = make_allocation_row(ALLOCATION_RULE, r->line, (struct str){0}, r->words);
    for (const struct policy_shared *s = p->shared; s < p->shared + p->shared_count; s++)
        rows[n++] = make_allocation_row(ALLOCATION_SHARED, s->line, s->name, s->words);
    for (size_t i = 0; i < p->recurring_count; i++) {
        const struct policy_recurring *r = &p->recurring[i];
        struct str words;

        if (!recurring_words(r, arena, &words, err))
            return false;
        rows[n++] = make_allocation_row(ALLOCATION_RECURRING, r->line, r->name, words);
    }
    out->rows = (struct rows){rows, n};
    return true;
}

bool allocation_describe(const struct allocation_policy *p, struct arena *arena,
                         struct allocation *out, struct error *err)
{
    out->required = p->required;
    out->enforce = p->refuses ? STR("refuse") : STR("warn");
    out->rules = (int64_t)p->rule_count;
    out->shared = (int64_t)p->shared_count;
    out->recurring = (int64_t)p->recurring_count;
    return make_allocation_rows(p, arena, out, err);
}

/* ---- what it matches ---- */

#define CURRENCIES 8 /* of one rule */

/* What a rule matched in one currency. */
struct tally {
    struct currency currency;
    int64_t lines, runs;
    struct decimal amount, changed;
};

struct allocation_check {
    const struct account_source *account;
    const struct allocation_policy *policy;
    struct bill_classifier *classifier;
    struct run_dimensions runs;
    struct coverage coverage;
    day since, until;
    struct tally (*rules)[CURRENCIES];  /* of each */
    struct tally (*shared)[CURRENCIES]; /* likewise */
    uint64_t seen;
};

static struct tally *tally_of(struct tally all[static CURRENCIES], struct currency currency)
{
    for (size_t i = 0; i < CURRENCIES; i++) {
        if (currency_unset(all[i].currency))
            all[i].currency = currency;
        if (currency_is(all[i].currency, currency))
            return &all[i];
    }
    return &all[CURRENCIES - 1];
}

/* An amount of a line, or of a run. */
struct match {
    struct currency currency;
    struct decimal amount;
    int64_t lines, runs;
};

static bool add_match(struct tally all[static CURRENCIES], const struct match *match,
                      bool changed, struct error *err)
{
    struct tally *t = tally_of(all, match->currency);

    t->lines += match->lines;
    t->runs += match->runs;
    return costs_plus(&t->amount, match->amount, err) &&
           (!changed || costs_plus(&t->changed, match->amount, err));
}

/* All rules in their order, as policy_apply() does, and then what is shared. */
static bool try_rules(struct allocation_check *c, const struct subject *subject,
                      struct dimensions *has, const struct match *match, struct error *err)
{
    for (size_t i = 0; i < c->policy->rule_count; i++) {
        bool changed;

        if (policy_rule_apply(c->policy, i, subject, has, &changed) &&
            !add_match(c->rules[i], match, changed, err))
            return false;
    }
    for (size_t i = 0; i < c->policy->shared_count; i++)
        if (policy_shared_matches(c->policy, i, has) &&
            !add_match(c->shared[i], match, false, err))
            return false;
    return true;
}

static bool check_allocation_line(void *ctx, const struct ledger_bill *bill,
                                  const struct bill_line *line, struct error *err)
{
    struct allocation_check *c = ctx;
    struct dimensions has;
    struct subject subject = {.of = &has,
                              .resource = line->of[FOCUS_ResourceId],
                              .resource_name = line->of[FOCUS_ResourceName],
                              .description = line->of[FOCUS_ChargeDescription],
                              .tags = line->of[FOCUS_Tags],
                              .account_id = line->of[FOCUS_BillingAccountId],
                              .sub_account_id = line->of[FOCUS_SubAccountId]};
    struct match match = {
        .currency = currency_from(bill->currency), .amount = line->effective, .lines = 1};

    if (++c->seen % PROGRESS_EVERY == 0 && !account_goes_on(c->account, "lines", c->seen))
        return error_fail(err, ERROR_STOPPED, "stopped");
    bill_classify(c->classifier, line, &has);
    return try_rules(c, &subject, &has, &match, err);
}

/* What no bill covers of the days of the check. */
static int64_t open_cost(const struct allocation_check *c, const struct ledger_charge *charge,
                         struct str provider)
{
    struct charge_days days = charge_days_of(charge);
    int64_t sum = 0, nano;
    day on;

    while (charge_days_next(&days, &on, &nano))
        if (on.n >= c->since.n && on.n < c->until.n && nano != MONEY_UNKNOWN &&
            !coverage_has(&c->coverage, provider, on))
            sum += nano;
    return sum;
}

static bool check_allocation_charge(void *ctx, const struct ledger_charge *charge,
                                    struct error *err)
{
    struct allocation_check *c = ctx;
    struct dimensions has;
    struct match match = {.currency = {"USD"}, .runs = charge->number == 1};
    struct subject subject = {.of = &has, .tags = charge->tags};

    if (!run_dimensions_of(&c->runs, charge, &has, err))
        return false;
    subject.resource_name = charge->name;
    subject.description = charge->command;
    match.amount = (struct decimal){open_cost(c, charge, has.of[DIMENSION_provider]), 9};
    return try_rules(c, &subject, &has, &match, err);
}

static bool check_allocation_ledger(struct allocation_check *c, struct error *err)
{
    const struct account_source *account = c->account;
    struct ledger_line_query lines = {.since = c->since, .until = c->until, .bill = -1};
    const struct catalog *catalog;
    bool ok;

    if (!coverage_read(account->ledger, account->arena, &c->coverage, err) ||
        (catalog = account_catalog(account, BILL_CLASSIFIER_TABLES, err)) == NULL)
        return false;
    c->classifier = bill_classifier_open(catalog, NULL, account->arena, err);
    ok = c->classifier != NULL &&
         ledger_bill_lines(account->ledger, &lines, check_allocation_line, c, err) &&
         bill_classifier_ok(c->classifier, err);
    bill_classifier_close(c->classifier);
    if (!ok)
        return false;
    run_dimensions_open(&c->runs, account, &c->coverage, NULL, UINT64_MAX);
    ok = ledger_charges(account->ledger, (stamp){c->since.n * SECONDS_PER_DAY},
                        (stamp){c->until.n * SECONDS_PER_DAY}, check_allocation_charge, c, err);
    run_dimensions_close(&c->runs);
    return ok;
}

/* A row for each currency; one without money where nothing was match. */
static size_t add_tallies(const struct allocation_row *from,
                          const struct tally all[static CURRENCIES], struct allocation_row *out)
{
    size_t n = 0;

    for (; n < CURRENCIES && !currency_unset(all[n].currency); n++) {
        out[n] = *from;
        out[n].lines = all[n].lines;
        out[n].runs = all[n].runs;
        out[n].amount = costs_money(all[n].amount, all[n].currency);
        if (from->kind == ALLOCATION_RULE)
            out[n].changed = costs_money(all[n].changed, all[n].currency);
    }
    if (n > 0)
        return n;
    out[0] = *from;
    out[0].lines = out[0].runs = 0;
    return 1;
}

static bool make_matches(struct allocation_check *c, struct allocation *out, struct error *err)
{
    const struct allocation_row *rows = out->rows.at;
    struct allocation_row *made =
        arena_array(c->account->arena, struct allocation_row, out->rows.len * CURRENCIES, err);
    size_t rules = c->policy->rule_count, shared = c->policy->shared_count, n = 0;

    if (made == NULL)
        return false;
    for (size_t i = 0; i < out->rows.len; i++) {
        if (i < rules) {
            n += add_tallies(&rows[i], c->rules[i], &made[n]);
        } else if (i < rules + shared) {
            n += add_tallies(&rows[i], c->shared[i - rules], &made[n]);
        } else {
            const struct policy_recurring *r = &c->policy->recurring[i - rules - shared];
            day until = {c->account->today.n + 1}; /* days to come cost nothing yet */

            made[n] = rows[i];
            made[n].amount = costs_money((struct decimal){0}, r->cost.currency);
            if (!policy_recurring_cost(c->policy, i - rules - shared, c->since,
                                       c->until.n < until.n ? c->until : until,
                                       &made[n++].amount.amount, err))
                return false;
        }
    }
    out->rows = (struct rows){made, n};
    return true;
}

bool account_allocation(const struct account_source *account,
                        const struct allocation_policy *policy, day since, day until,
                        struct allocation *out, struct error *err)
{
    struct allocation_check c = {
        .account = account, .policy = policy, .since = since, .until = until};

    c.rules = arena_get(account->arena, policy->rule_count, sizeof *c.rules,
                        alignof(max_align_t), err);
    c.shared = arena_get(account->arena, policy->shared_count, sizeof *c.shared,
                         alignof(max_align_t), err);
    return c.rules != NULL && c.shared != NULL &&
           allocation_describe(policy, account->arena, out, err) &&
           (account->ledger == NULL || check_allocation_ledger(&c, err)) &&
           make_matches(&c, out, err);
}

/* ---- how much of the money has a tag ---- */

static struct tagged_currency *currency_of(struct tagged_currency *all, size_t *count,
                                           struct currency currency)
{
    for (size_t i = 0; i < *count; i++)
        if (currency_is(all[i].currency, currency))
            return &all[i];
    all[*count].currency = currency;
    return &all[(*count)++];
}

bool account_tagged_money(const struct account_source *account, struct tagged_money *out,
                          struct error *err)
{
    struct spending_query query = {
        .since = DAY_UNKNOWN, .until = DAY_UNKNOWN, .grain = GRAIN_ALL, .raw = true};
    struct spending_answer answer;
    struct tagged_currency *all;

    for (int d = DIMENSION_FIRST_TAG; d < DIMENSION_COUNT; d++)
        query.by |= UINT64_C(1) << d;
    if (!account_spending(account, &query, &answer, err))
        return false;
    all = arena_array(account->arena, struct tagged_currency, answer.count, err);
    if (all == NULL)
        return false;
    *out = (struct tagged_money){.at = all};
    for (size_t i = 0; i < answer.count; i++) {
        const struct spending *s = &answer.at[i];
        struct tagged_currency *c = currency_of(all, &out->count, s->currency);

        if (!costs_plus(&c->total, s->amount, err))
            return false;
        for (int d = DIMENSION_FIRST_TAG; d < DIMENSION_COUNT; d++)
            if (s->of.of[d].len > 0 && !costs_plus(&c->of[d], s->amount, err))
                return false;
    }
    return true;
}

bool tagged_money_changes(const struct tagged_money *before, const struct tagged_money *after,
                          struct arena *arena, struct rows *out, struct error *err)
{
    const struct tagged_currency none = {0};
    struct tagged_change *rows =
        arena_array(arena, struct tagged_change, after->count * DIMENSION_COUNT, err);
    size_t n = 0;

    if (rows == NULL)
        return false;
    for (size_t i = 0; i < after->count; i++) {
        const struct tagged_currency *now = &after->at[i], *was = &none;

        for (size_t k = 0; k < before->count; k++)
            if (currency_is(before->at[k].currency, now->currency))
                was = &before->at[k];
        for (int d = DIMENSION_FIRST_TAG; d < DIMENSION_COUNT; d++)
            if (decimal_cmp(was->of[d], now->of[d]) != 0)
                rows[n++] =
                    (struct tagged_change){.tag = str_from(dimension_name((enum dimension)d)),
                                           .total = costs_money(now->total, now->currency),
                                           .before = costs_money(was->of[d], now->currency),
                                           .after = costs_money(now->of[d], now->currency)};
    }
    *out = (struct rows){rows, n};
    return true;
}
