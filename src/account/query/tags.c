#include "account/query/tags.h"

#include <stdlib.h>
#include <string.h>

#include "account/policy/ledger_policy.h"

static const struct field row_list[] = {
    FIELD(TEXT, tags_row, tag, .help = "tag name"),
    FIELD(FLAG, tags_row, required, .help = "required by the allocation policy"),
    FIELD_AS("currency", CURRENCY, tags_row, total.currency, .help = "currency of the amounts"),
    FIELD(MONEY, tags_row, total, .help = "amount in bills and runs"),
    FIELD(MONEY, tags_row, tagged, .help = "amount with the tag"),
    FIELD(MONEY, tags_row, untagged, .help = "amount without the tag"),
    FIELD(MONEY, tags_row, split, .help = "untagged amount that the policy splits"),
    FIELD(SHARE, tags_row, share, .help = "tagged share"),
    FIELD_AS("largest", TEXT, tags_row, most, .help = "value with the largest amount"),
};

static const struct field untagged_list[] = {
    FIELD(TEXT, tags_untagged, provider, .help = "provider that bills it"),
    FIELD(TEXT, tags_untagged, service, .help = "service, as the provider names it"),
    FIELD(TEXT, tags_untagged, account, .help = "billing account"),
    FIELD(TEXT, tags_untagged, sub_account, .help = "project, subscription or linked account"),
    FIELD(TEXTS, tags_untagged, missing, .help = "required tags that are missing"),
    FIELD_AS("currency", CURRENCY, tags_untagged, amount.currency,
             .help = "currency of the amount"),
    FIELD(MONEY, tags_untagged, amount, .help = "untagged amount"),
    FIELD(COUNT, tags_untagged, lines, .help = "bill lines"),
    FIELD(COUNT, tags_untagged, runs, .help = "runs in it"),
    FIELD(TEXT, tags_untagged, rule, .help = "rule that would tag it"),
};

const struct field_set tags_row_fields = FIELD_SET(struct tags_row, row_list);
const struct field_set tags_untagged_fields = FIELD_SET(struct tags_untagged, untagged_list);

/* The tags of the answer: those that are required, else the five usual ones. */
struct wanted {
    const struct allocation_policy *policy;
    enum dimension at[DIMENSION_COUNT];
    size_t count;
    uint64_t bits;
    bool required;
};

static void choose_tags(const struct allocation_policy *policy, struct wanted *out)
{
    struct strs required = policy->required;

    *out = (struct wanted){.policy = policy, .required = required.len > 0};
    for (size_t i = 0; i < required.len; i++)
        out->at[out->count++] = dimension_find(required.at[i]);
    for (int d = DIMENSION_team; !out->required && d <= DIMENSION_cost_center; d++)
        out->at[out->count++] = (enum dimension)d;
    for (size_t i = 0; i < out->count; i++)
        out->bits |= UINT64_C(1) << out->at[i];
}

/* Does the policy give it to others? */
static bool is_split(const struct wanted *w, const struct dimensions *of)
{
    for (size_t i = 0; i < w->policy->shared_count; i++)
        if (policy_shared_matches(w->policy, i, of))
            return true;
    return false;
}

struct tags_rows {
    struct tags_row *at;
    size_t len;
};

/* Of what is above zero: a part that is below is none. */
static bool set_tag_share(struct tags_row *row, struct error *err)
{
    struct decimal used = {0};

    if ((row->tagged.amount.coefficient > 0 && !costs_plus(&used, row->tagged.amount, err)) ||
        (row->untagged.amount.coefficient > 0 && !costs_plus(&used, row->untagged.amount, err)))
        return false;
    row->share = costs_share(row->tagged.amount, used);
    return true;
}

/* One tag: amounts by its value, of which each currency makes a row. */
static bool add_tag_costs(const struct account_source *account, const struct spending_answer *a,
                          const struct wanted *w, enum dimension d, struct tags_rows *out,
                          struct error *err)
{
    struct tags_row *rows =
        arena_array(account->arena, struct tags_row, out->len + a->count, err);
    struct decimal *most =
        arena_array(account->arena, struct decimal, out->len + a->count, err);
    size_t first = out->len, n = first;

    if (rows == NULL || most == NULL)
        return false;
    if (first > 0)
        memcpy(rows, out->at, first * sizeof *rows);
    for (size_t i = 0; i < a->count; i++) {
        const struct spending *s = &a->at[i];
        struct str value = s->of.of[d];
        size_t r = first;

        while (r < n && !currency_is(rows[r].total.currency, s->currency))
            r++;
        if (r == n) {
            rows[n] = (struct tags_row){.tag = str_from(dimension_name(d)),
                                        .required = w->required,
                                        .total = costs_money((struct decimal){0}, s->currency)};
            rows[n].tagged = rows[n].untagged = rows[n].split = rows[n].total;
            n++;
        }
        if (!costs_plus(&rows[r].total.amount, s->amount, err) ||
            !costs_plus(value.len > 0 ? &rows[r].tagged.amount : &rows[r].untagged.amount,
                        s->amount, err))
            return false;
        if (value.len > 0 && decimal_cmp(s->amount, most[r]) > 0) {
            most[r] = s->amount;
            rows[r].most = value;
        }
    }
    for (size_t r = first; r < n; r++) {
        rows[r].total = costs_money(rows[r].total.amount, rows[r].total.currency);
        rows[r].tagged = costs_money(rows[r].tagged.amount, rows[r].tagged.currency);
        rows[r].untagged = costs_money(rows[r].untagged.amount, rows[r].untagged.currency);
        if (!set_tag_share(&rows[r], err))
            return false;
    }
    *out = (struct tags_rows){rows, n};
    return true;
}

/* What has no value of it, but is given to others by the policy. */
static bool add_split(const struct account_source *account, struct spending_query query,
                      const struct wanted *w, enum dimension d, struct tags_rows *rows,
                      struct error *err)
{
    struct spending_answer a;

    if (w->policy->shared_count == 0)
        return true;
    query.by |= policy_split_by(w->policy);
    if (!account_spending(account, &query, &a, err))
        return false;
    for (size_t i = 0; i < a.count; i++) {
        struct str tag = str_from(dimension_name(d));

        if (a.at[i].of.of[d].len > 0 || !is_split(w, &a.at[i].of))
            continue;
        for (size_t r = 0; r < rows->len; r++)
            if (str_eq(rows->at[r].tag, tag) &&
                currency_is(rows->at[r].split.currency, a.at[i].currency) &&
                !costs_plus(&rows->at[r].split.amount, a.at[i].amount, err))
                return false;
    }
    return true;
}

static bool add_all_tag_costs(const struct account_source *account, struct spending_query query,
                              const struct wanted *w, struct tag_costs *out, struct error *err)
{
    struct spending_answer answer = {.billed_until = DAY_UNKNOWN};
    struct tags_rows rows = {0};

    for (size_t i = 0; i < w->count; i++) {
        query.by = UINT64_C(1) << w->at[i];
        if (!account_spending(account, &query, &answer, err) ||
            !add_tag_costs(account, &answer, w, w->at[i], &rows, err) ||
            !add_split(account, query, w, w->at[i], &rows, err))
            return false;
    }
    for (size_t i = 0; i < rows.len; i++)
        rows.at[i].split = costs_money(rows.at[i].split.amount, rows.at[i].split.currency);
    out->rows = (struct rows){rows.at, rows.len};
    out->spent = answer;
    return true;
}

/* ---- what has none ---- */

static void yaml_value(struct str text, struct buf *out)
{
    buf_char(out, '\'');
    for (size_t i = 0; i < text.len; i++) {
        if (text.at[i] == '\'')
            buf_char(out, '\'');
        buf_char(out, text.at[i]);
    }
    buf_char(out, '\'');
}

static void yaml_condition(const char *name, struct str value, bool *first, struct buf *out)
{
    if (value.len == 0)
        return;
    buf_addf(out, "%s%s: ", *first ? "" : ", ", name);
    yaml_value(value, out);
    *first = false;
}

/* "{when: {service: 'AmazonEC2', account: '1234'}, set: {team: ...}}". */
static bool suggest_tag_rule(const struct tags_untagged *u, struct arena *arena,
                             struct str *out, struct error *err)
{
    struct buf text = buf_new(arena->alloc, 4096);
    bool first = true;

    buf_adds(&text, "- {when: {");
    yaml_condition("provider", u->service.len == 0 ? u->provider : (struct str){0}, &first,
                   &text);
    yaml_condition("service", u->service, &first, &text);
    yaml_condition(u->sub_account.len > 0 ? "sub_account" : "account",
                   u->sub_account.len > 0 ? u->sub_account : u->account, &first, &text);
    buf_adds(&text, "}, set: {");
    for (size_t i = 0; i < u->missing.len; i++) {
        buf_adds(&text, i > 0 ? ", " : "");
        buf_add(&text, u->missing.at[i]);
        buf_adds(&text, ": ...");
    }
    buf_adds(&text, "}}");
    return buf_keep(&text, arena, out, err);
}

static bool missing_of(const struct spending *s, const struct wanted *w, struct arena *arena,
                       struct strs *out, struct error *err)
{
    struct str *names = arena_array(arena, struct str, w->count, err);

    *out = (struct strs){.at = names};
    for (size_t i = 0; names != NULL && i < w->count; i++)
        if (s->of.of[w->at[i]].len == 0)
            names[out->len++] = str_from(dimension_name(w->at[i]));
    return names != NULL;
}

/* The most money first; of equals by name, so that it is always the same. */
static int by_amount(const void *a, const void *b)
{
    const struct spending *x = a, *y = b;
    int order = currency_compare(x->currency, y->currency);

    if (order == 0)
        order = decimal_cmp(y->amount, x->amount);
    for (int d = 0; order == 0 && d < DIMENSION_COUNT; d++)
        order = str_cmp(x->of.of[d], y->of.of[d]);
    return order;
}

static bool is_untagged(const struct spending *s, const struct wanted *w)
{
    bool missing = false;

    for (size_t i = 0; i < w->count; i++)
        missing |= s->of.of[w->at[i]].len == 0;
    return missing && s->amount.coefficient > 0 && !is_split(w, &s->of);
}

static bool add_untagged(const struct account_source *account, const struct spending *s,
                         const struct wanted *w, struct tags_untagged *u, struct error *err)
{
    *u = (struct tags_untagged){.provider = s->of.of[DIMENSION_provider],
                                .service = s->of.of[DIMENSION_service],
                                .account = s->of.of[DIMENSION_account],
                                .sub_account = s->of.of[DIMENSION_sub_account],
                                .amount = costs_money(s->amount, s->currency),
                                .lines = s->lines,
                                .runs = s->runs};
    return missing_of(s, w, account->arena, &u->missing, err) &&
           suggest_tag_rule(u, account->arena, &u->rule, err);
}

static bool find_untagged(const struct account_source *account, struct spending_query query,
                          const struct wanted *w, int64_t limit, struct tag_costs *out,
                          struct error *err)
{
    struct spending_answer answer;
    struct spending *found;
    struct tags_untagged *list;
    size_t n = 0, shown;

    query.by = w->bits | policy_split_by(w->policy) | DIMENSION_BIT(provider) |
               DIMENSION_BIT(service) | DIMENSION_BIT(account) | DIMENSION_BIT(sub_account);
    if (!account_spending(account, &query, &answer, err))
        return false;
    found = arena_array(account->arena, struct spending, answer.count, err);
    if (found == NULL)
        return false;
    for (size_t i = 0; i < answer.count; i++)
        if (is_untagged(&answer.at[i], w))
            found[n++] = answer.at[i];
    if (n > 0)
        qsort(found, n, sizeof *found, by_amount);
    shown = limit > 0 && (size_t)limit < n ? (size_t)limit : n;
    out->more = (int64_t)(n - shown);
    list = arena_array(account->arena, struct tags_untagged, shown, err);
    for (size_t i = 0; list != NULL && i < shown; i++)
        if (!add_untagged(account, &found[i], w, &list[i], err))
            return false;
    out->untagged = (struct rows){list, shown};
    return list != NULL;
}

bool account_tags(const struct account_source *account, struct spending_query *query,
                  int64_t limit, struct tag_costs *out, struct error *err)
{
    const struct allocation_policy *policy =
        ledger_policy_or_none(account->ledger, account->arena, err);
    struct wanted w;

    if (policy == NULL)
        return false;
    query->raw = true;
    query->credits = CREDITS_OUT;
    choose_tags(policy, &w);
    *out = (struct tag_costs){.policy = w.required};
    return add_all_tag_costs(account, *query, &w, out, err) &&
           find_untagged(account, *query, &w, limit, out, err) &&
           account_credits(account, query, &out->credits, err);
}
