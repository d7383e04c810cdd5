/* How much of the money has a tag, and what a new policy changes of it. */
#include <string.h>

#include "op/account/allocation_work.h"
#include "op/context.h"

static const struct field row_list[] = {
    FIELD(TEXT, allocation_row, kind, .help = "rule, shared or recurring"),
    FIELD(COUNT, allocation_row, line, .help = "of the policy"),
    FIELD(TEXT, allocation_row, name, .help = "of a shared or recurring cost"),
    FIELD(TEXT, allocation_row, words, .help = "what it says"),
    FIELD(COUNT, allocation_row, lines, .help = "of bills that it matches"),
    FIELD(COUNT, allocation_row, runs, .help = "that it matches"),
    FIELD(MONEY, allocation_row, amount, .help = "of them"),
    FIELD(MONEY, allocation_row, changed, .help = "of what it sets a tag of"),
};

static const struct field coverage_list[] = {
    FIELD(TEXT, allocation_coverage, tag, .help = "whose share changed"),
    FIELD(TEXT, allocation_coverage, currency, .help = "of the amounts"),
    FIELD(MONEY, allocation_coverage, total, .help = "of all that is recorded"),
    FIELD(MONEY, allocation_coverage, before, .help = "that had the tag"),
    FIELD(MONEY, allocation_coverage, after, .help = "that has it now"),
};

static const struct field_set row_set = FIELD_SET(struct allocation_row, row_list),
                              coverage_set =
                                  FIELD_SET(struct allocation_coverage, coverage_list);

static const struct field result[] = {
    FIELD(TEXT, allocation_result, file, .help = "that was read"),
    FIELD(TEXT, allocation_result, ledger, .help = "that keeps it"),
    FIELD(TEXT, allocation_result, set_at, .help = "when it was set, in UTC"),
    FIELD(FLAG, allocation_result, none, .help = "there is no policy"),
    FIELD(FLAG, allocation_result, same, .help = "it is the one that was there"),
    FIELD(TEXTS, allocation_result, required, .help = "tags that must be there"),
    FIELD(TEXT, allocation_result, enforce, .help = "warn or refuse"),
    FIELD(COUNT, allocation_result, rules, .help = "that set tags"),
    FIELD(COUNT, allocation_result, shared, .help = "costs that are split"),
    FIELD(COUNT, allocation_result, recurring, .help = "costs entered once"),
    FIELD(LIST, allocation_result, rows, .row = &row_set, .help = "all of them"),
    FIELD(LIST, allocation_result, coverage, .row = &coverage_set,
          .help = "what setting it changed"),
    FIELD(DAY, allocation_result, since, .help = "the first day that was looked at"),
    FIELD(DAY, allocation_result, until, .help = "the last"),
    FIELD(TEXT, allocation_result, text, .help = "the policy itself"),
};

const struct field_set allocation_fields = FIELD_SET(struct allocation_result, result);

/* "200 USD/month from 2026-01-01 until 2026-12-31, team=platform". */
static bool recurring_words(const struct policy_recurring *r, struct arena *arena,
                            struct str *out, struct error *err)
{
    struct buf text = buf_new(arena->alloc, 2048);

    money_write(&r->cost, &text);
    buf_addf(&text, "/%s from ", r->per);
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

static bool make_rows(struct op_context *ctx, const struct policy *p,
                      struct allocation_result *out, struct error *err)
{
    size_t rules = policy_rule_count(p), shared = policy_shared_count(p),
           recurring = policy_recurring_count(p), n = 0;
    struct allocation_row *rows =
        arena_array(ctx->arena, struct allocation_row, rules + shared + recurring, err);

    if (rows == NULL)
        return false;
    for (size_t i = 0; i < rules; i++, n++) {
        struct policy_rule r = policy_rule_at(p, i);

        rows[n] = (struct allocation_row){
            .kind = STR("rule"), .line = r.line, .words = r.words, .lines = -1, .runs = -1};
    }
    for (size_t i = 0; i < shared; i++, n++) {
        struct policy_shared s = policy_shared_at(p, i);

        rows[n] = (struct allocation_row){.kind = STR("shared"),
                                          .line = s.line,
                                          .name = s.name,
                                          .words = s.words,
                                          .lines = -1,
                                          .runs = -1};
    }
    for (size_t i = 0; i < recurring; i++, n++) {
        struct policy_recurring r = policy_recurring_at(p, i);

        rows[n] = (struct allocation_row){
            .kind = STR("recurring"), .line = r.line, .name = r.name, .lines = -1, .runs = -1};
        if (!recurring_words(&r, ctx->arena, &rows[n].words, err))
            return false;
    }
    out->rows = (struct rows){rows, n};
    return true;
}

bool allocation_describe(struct op_context *ctx, const struct policy *p,
                         struct allocation_result *out, struct error *err)
{
    out->required = policy_required(p);
    out->enforce = policy_refuses(p) ? STR("refuse") : STR("warn");
    out->rules = (int64_t)policy_rule_count(p);
    out->shared = (int64_t)policy_shared_count(p);
    out->recurring = (int64_t)policy_recurring_count(p);
    return make_rows(ctx, p, out, err);
}

/* ---- coverage ---- */

static struct tagged_currency *currency_of(struct tagged_currency *all, size_t *count,
                                           const char currency[static 4])
{
    for (size_t i = 0; i < *count; i++)
        if (strncmp(all[i].currency, currency, 4) == 0)
            return &all[i];
    memcpy(all[*count].currency, currency, 4);
    return &all[(*count)++];
}

bool tagged_money(struct op_context *ctx, struct ledger *ledger, struct tagged *out,
                  struct error *err)
{
    struct spending_query query = {
        .since = DAY_UNKNOWN, .until = DAY_UNKNOWN, .grain = GRAIN_ALL, .raw = true};
    struct spending_answer answer;
    struct tagged_currency *all;

    for (int d = DIMENSION_FIRST_TAG; d < DIMENSION_COUNT; d++)
        query.by |= UINT64_C(1) << d;
    if (!op_spending(ctx, ledger, &query, &answer, err))
        return false;
    all = arena_array(ctx->arena, struct tagged_currency, answer.count, err);
    if (all == NULL)
        return false;
    *out = (struct tagged){.at = all};
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

bool tagged_changes(struct op_context *ctx, const struct tagged *before,
                    const struct tagged *after, struct allocation_result *out,
                    struct error *err)
{
    const struct tagged_currency none = {0};
    struct allocation_coverage *rows = arena_array(ctx->arena, struct allocation_coverage,
                                                   after->count * DIMENSION_COUNT, err);
    size_t n = 0;

    if (rows == NULL)
        return false;
    for (size_t i = 0; i < after->count; i++) {
        const struct tagged_currency *now = &after->at[i], *was = &none;

        for (size_t k = 0; k < before->count; k++)
            if (strncmp(before->at[k].currency, now->currency, 4) == 0)
                was = &before->at[k];
        for (int d = DIMENSION_FIRST_TAG; d < DIMENSION_COUNT; d++)
            if (decimal_cmp(was->of[d], now->of[d]) != 0)
                rows[n++] = (struct allocation_coverage){
                    .tag = str_from(dimension_name((enum dimension)d)),
                    .currency = str_from(now->currency),
                    .total = costs_money(now->total, now->currency),
                    .before = costs_money(was->of[d], now->currency),
                    .after = costs_money(now->of[d], now->currency)};
    }
    out->coverage = (struct rows){rows, n};
    return true;
}
