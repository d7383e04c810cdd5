/* The findings that together save most. */
#include <math.h>

#include "advise/rules/finding.h"

#define NONE SIZE_MAX
#define GROUPS_MAX 64  /* levers, and users' rules, of one subject */
#define OPTIONS_MAX 32 /* findings of a group: more are not tried */

/* Findings of one subject of which one at most can be applied, as numbers of the list. */
struct group {
    size_t at[OPTIONS_MAX];
    size_t count, chosen;
};

struct subject {
    const struct advise_money *money;
    size_t number; /* behind the last: what is of no subject */
    struct group groups[GROUPS_MAX];
    size_t count;
};

/* Findings by subject: numbers of the list, as chains. */
struct chains {
    size_t *first, *next; /* of a subject; of a finding */
    size_t all;           /* the first of those about everything */
};

struct combining {
    struct findings *list;
    struct chains chains;
    struct subject subject; /* that is being looked at */
    double *adds;           /* of each finding */
    double spent, saving, low, high;
};

/* The share of the subject's money that a finding saves. */
static double fraction(const struct subject *s, usd saving, const struct finding *f)
{
    double share = usd_double(saving) / f->acts_on;

    if (f->by_subject != NULL) { /* it is about some of them */
        double money = advise_money_sum(s->money, f->parts);

        share = f->by_subject[s->number] * (usd_double(saving) / usd_double(f->saving)) / money;
    }
    return share > 0 ? 1 - pow(1 - fmin(share, 1), 1 - f->overlap) : 0;
}

/* What is left of the money after a finding. */
static void apply(const struct finding *f, double share, struct advise_money *left)
{
    for (unsigned i = 0; i < ADVISE_PARTS; i++)
        if ((f->parts & PART_BIT(i)) != 0)
            left->part[i] *= 1 - share;
}

static bool same_finding_group(const struct finding *a, const struct finding *b)
{
    return a->lever == b->lever && (a->parts & b->parts) != 0 &&
           (a->lever != LEVER_CUSTOM || str_eq(a->rule, b->rule));
}

/* Is nothing better about `b`? */
static bool dominates(const struct subject *s, const struct finding *a, const struct finding *b)
{
    return (a->parts & b->parts) == b->parts &&
           fraction(s, a->saving, a) >= fraction(s, b->saving, b);
}

static void add_combine_option(struct combining *c, size_t number)
{
    const struct finding *all = c->list->at, *f = &all[number];
    struct subject *s = &c->subject;
    struct group *g = NULL;

    for (size_t i = 0; i < s->count && g == NULL; i++)
        if (same_finding_group(&all[s->groups[i].at[0]], f))
            g = &s->groups[i];
    if (g == NULL) {
        if (s->count == GROUPS_MAX)
            return;
        g = &s->groups[s->count++];
        g->count = 0;
    }
    for (size_t i = 0; i < g->count; i++)
        if (dominates(s, &all[g->at[i]], f))
            return;
    if (g->count < OPTIONS_MAX)
        g->at[g->count++] = number;
}

static void gather_combine_options(struct combining *c, size_t first)
{
    for (size_t i = first; i != NONE; i = c->chains.next[i])
        if (fraction(&c->subject, c->list->at[i].saving, &c->list->at[i]) > 0)
            add_combine_option(c, i);
}

/* What the subject costs with what is chosen. */
static double cost_left(const struct combining *c)
{
    struct advise_money left = *c->subject.money;

    for (size_t i = 0; i < c->subject.count; i++) {
        const struct group *g = &c->subject.groups[i];
        const struct finding *f = &c->list->at[g->at[g->chosen]];

        apply(f, fraction(&c->subject, f->saving, f), &left);
    }
    return advise_money_sum(&left, PARTS_ALL);
}

/* The next combination; false behind the last. */
static bool next_choice(struct subject *s)
{
    for (size_t i = 0; i < s->count; i++) {
        if (++s->groups[i].chosen < s->groups[i].count)
            return true;
        s->groups[i].chosen = 0;
    }
    return false;
}

static void set_choice(struct subject *s, const size_t *choice)
{
    for (size_t i = 0; i < s->count; i++)
        s->groups[i].chosen = choice[i];
}

static void choose_exactly(struct combining *c)
{
    struct subject *s = &c->subject;
    size_t best[GROUPS_MAX] = {0};
    double least = INFINITY;

    do {
        double left = cost_left(c);

        if (left < least) {
            least = left;
            for (size_t i = 0; i < s->count; i++)
                best[i] = s->groups[i].chosen;
        }
    } while (next_choice(s));
    set_choice(s, best);
}

/* Change one choice at a time, as long as that saves more. */
static void choose_nearly(struct combining *c)
{
    struct subject *s = &c->subject;
    double least = cost_left(c);

    for (bool better = true; better;) {
        better = false;
        for (size_t i = 0; i < s->count; i++) {
            struct group *g = &s->groups[i];
            size_t best = g->chosen;

            for (size_t k = 0; k < g->count; k++) {
                double left;

                g->chosen = k;
                left = cost_left(c);
                if (left < least * (1 - 1e-12)) {
                    least = left;
                    best = k;
                    better = true;
                }
            }
            g->chosen = best;
        }
    }
}

/* Waste before machines and prices, else in the order of the list. */
static bool comes_before(const struct combining *c, size_t a, size_t b)
{
    bool x = c->list->at[a].lever == LEVER_MACHINE, y = c->list->at[b].lever == LEVER_MACHINE;

    return x != y ? y : a < b;
}

static void sort_choice(const struct combining *c, size_t *order, size_t count)
{
    for (size_t i = 1; i < count; i++)
        for (size_t k = i; k > 0 && comes_before(c, order[k], order[k - 1]); k--) {
            size_t other = order[k];

            order[k] = order[k - 1];
            order[k - 1] = other;
        }
}

/* Add what the subject saves. */
static void take_combine_choice(struct combining *c)
{
    const struct subject *s = &c->subject;
    struct advise_money mid = *s->money, low = mid, high = mid;
    double before = advise_money_sum(&mid, PARTS_ALL), whole = before;
    size_t order[GROUPS_MAX];

    for (size_t i = 0; i < s->count; i++)
        order[i] = s->groups[i].at[s->groups[i].chosen];
    sort_choice(c, order, s->count);
    for (size_t i = 0; i < s->count; i++) {
        struct finding *f = &c->list->at[order[i]];
        double after;

        apply(f, fraction(s, f->saving, f), &mid);
        apply(f, fraction(s, f->saving_low, f), &low);
        apply(f, fraction(s, f->saving_high, f), &high);
        after = advise_money_sum(&mid, PARTS_ALL);
        c->adds[order[i]] += before - after;
        f->chosen = true;
        before = after;
    }
    c->spent += whole;
    c->saving += whole - before;
    c->low += whole - advise_money_sum(&low, PARTS_ALL);
    c->high += whole - advise_money_sum(&high, PARTS_ALL);
}

static void combine_subject(struct combining *c, const struct advise_money *money,
                            size_t number)
{
    struct subject *s = &c->subject;
    double choices = 1;

    s->money = money;
    s->number = number;
    s->count = 0;
    gather_combine_options(c, c->chains.first[number]);
    gather_combine_options(c, c->chains.all);
    for (size_t i = 0; i < s->count; i++) {
        s->groups[i].chosen = 0;
        choices *= (double)s->groups[i].count;
    }
    if (choices <= COMBINE_MOST)
        choose_exactly(c);
    else
        choose_nearly(c);
    take_combine_choice(c);
}

static bool make_chains(const struct findings *list, size_t subjects, struct chains *out,
                        struct error *err)
{
    out->first = arena_array(list->arena, size_t, subjects + 1, err);
    out->next =
        out->first != NULL ? arena_array(list->arena, size_t, list->count + 1, err) : NULL;
    if (out->next == NULL)
        return false;
    out->all = NONE;
    for (size_t i = 0; i <= subjects; i++)
        out->first[i] = NONE;
    for (size_t i = list->count; i-- > 0;) { /* so that chains are in the list's order */
        const struct finding *f = &list->at[i];
        size_t *head = f->about == SUBJECT_ALL ? &out->all
                       : f->about < subjects   ? &out->first[f->about]
                                               : NULL;

        if (head == NULL || f->state != FINDING_OPEN || f->possible || !(f->acts_on > 0))
            continue;
        out->next[i] = *head;
        *head = i;
    }
    return true;
}

bool findings_combine(struct findings *list, const struct advise_money *money, size_t subjects,
                      const struct advise_money *rest, struct advise_total *out,
                      struct error *err)
{
    struct combining *c = arena_array(list->arena, struct combining, 1, err);

    if (c == NULL || !make_chains(list, subjects, &c->chains, err))
        return false;
    c->list = list;
    c->adds = arena_array(list->arena, double, list->count + 1, err);
    if (c->adds == NULL)
        return false;
    for (size_t i = 0; i < list->count; i++)
        list->at[i].chosen = false;
    for (size_t i = 0; i < subjects; i++)
        combine_subject(c, &money[i], i);
    combine_subject(c, rest, subjects);
    *out = (struct advise_total){.spent = usd_from(c->spent),
                                 .saving = usd_from(c->saving),
                                 .saving_low = usd_from(c->low),
                                 .saving_high = usd_from(c->high),
                                 .share = c->spent > 0 ? c->saving / c->spent : (double)NAN};
    for (size_t i = 0; i < list->count; i++) {
        list->at[i].adds = usd_from(c->adds[i]);
        out->findings += list->at[i].chosen;
    }
    return true;
}
