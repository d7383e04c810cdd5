#include "advise/economics/storage.h"

#include <math.h>

#include "base/stop.h"

static const struct field step_fields[] = {
    FIELD(TEXT, storage_step, tier, .help = "hot, warm, cold or archive"),
    FIELD(TEXT, storage_step, product, .help = "product name"),
    FIELD(COUNT, storage_step, day,
          .help = "age of the objects in days; 0: stored there at once"),
};

const struct field_set storage_step_fields = FIELD_SET(struct storage_step, step_fields);

/* ---- the data by age ---- */

/* Ages that occur: 0 to one less than this. */
static int ages_of(const struct storage_data *d)
{
    return d->keep_days > 0 && d->keep_days < d->days ? d->keep_days : d->days;
}

/* GB that reach this age within the time: on each of those days they count once. The data set
 * is there from the first day, growth arrives on each. */
static double gb_at(const struct storage_data *d, int age)
{
    return age < d->days ? d->gb + d->grows * (d->days - age) : 0;
}

static double reads_at(const struct storage_data *d, int age)
{
    size_t at = age < 0 ? 0 : (size_t)age;

    if (d->read_days == 0)
        return 0;
    return d->reads[at < d->read_days ? at : d->read_days - 1];
}

double storage_at_end(const struct storage_data *d)
{
    int kept = ages_of(d);

    if (d->keep_days > 0 && d->keep_days < d->days) /* what arrived in the last days */
        return d->grows * kept;
    return d->gb + d->grows * d->days;
}

/* ---- prices ---- */

static double day_price(const struct storage_tier *t, const struct storage_data *d)
{
    double object_kb = d->object_gb * 1e6;
    double larger = object_kb > 0 && t->minimum_kb > object_kb ? t->minimum_kb / object_kb : 1;

    return t->gb_month / STORAGE_MONTH_DAYS * larger;
}

/* Requests for each GB. */
static double request_price(double for_1000, const struct storage_data *d)
{
    return isnan(for_1000) ? 0 : for_1000 / 1000 / d->object_gb;
}

static double retrieval_price(const struct storage_tier *t)
{
    return isnan(t->retrieval) ? 0 : t->retrieval;
}

/* What enters a tier at this age. */
static double enter_cost(const struct storage_tier *t, int age, const struct storage_data *d)
{
    return gb_at(d, age) * request_price(t->put, d);
}

/* Minimum time that is billed for what leaves: moved, or deleted before the end. */
static double leave_cost(const struct storage_tier *t, int from, int age,
                         const struct storage_data *d)
{
    int missing = t->minimum_days - (age - from);

    return missing > 0 ? gb_at(d, age) * day_price(t, d) * missing : 0;
}

static bool is_data_read(const struct storage_data *d)
{
    for (size_t i = 0; i < d->read_days; i++)
        if (d->reads[i] > 0)
            return true;
    return false;
}

bool storage_tier_fits(const struct storage_tier *tier, const struct storage_data *data)
{
    return !isnan(tier->gb_month) && tier->wait_h <= data->wait_h &&
           (!isnan(tier->retrieval) || !is_data_read(data));
}

/* ---- the cost of a policy ---- */

struct storage_costs storage_cost(const struct storage_tier *tiers, const size_t *at,
                                  const int *days, size_t steps, const struct storage_data *d)
{
    struct storage_costs c = {.requests_known = true};
    int ages = ages_of(d);

    for (size_t i = 0; i < steps; i++) {
        const struct storage_tier *t = &tiers[at[i]];
        int until = i + 1 < steps ? days[i + 1] : ages;

        c.requests += enter_cost(t, days[i], d);
        c.requests_known &= !isnan(t->put) && !isnan(t->get);
        for (int age = days[i]; age < until; age++) {
            double read = gb_at(d, age) * reads_at(d, age);

            c.storage += gb_at(d, age) * day_price(t, d);
            c.retrieval += read * retrieval_price(t);
            c.requests += read * request_price(t->get, d);
        }
        c.early += leave_cost(t, days[i], until, d);
    }
    c.total = c.storage + c.retrieval + c.requests + c.early;
    return c;
}

/* ---- the best policy ---- */

struct storage_search {
    const struct storage_tier *tiers;
    size_t count;
    const struct storage_data *data;
    int ages;
    /* Of each tier: the cost of all ages before this one; the least cost from this day of entry
     * on; and what comes next (the tier and its day; `ages`: it stays). */
    double *before[STORAGE_TIERS_MAX], *least[STORAGE_TIERS_MAX];
    int *next_day[STORAGE_TIERS_MAX];
    size_t *next_tier[STORAGE_TIERS_MAX];
};

static bool search_open(struct storage_search *s, struct arena *arena, struct error *err)
{
    size_t n = (size_t)s->ages + 1;

    for (size_t k = 0; k < s->count; k++) {
        const struct storage_tier *t = &s->tiers[k];

        s->before[k] = arena_array(arena, double, n, err);
        s->least[k] = arena_array(arena, double, n, err);
        s->next_day[k] = arena_array(arena, int, n, err);
        s->next_tier[k] = arena_array(arena, size_t, n, err);
        if (s->before[k] == NULL || s->least[k] == NULL || s->next_day[k] == NULL ||
            s->next_tier[k] == NULL)
            return false;
        for (int age = 0; age < s->ages; age++)
            s->before[k][age + 1] =
                s->before[k][age] +
                gb_at(s->data, age) *
                    (day_price(t, s->data) +
                     reads_at(s->data, age) *
                         (retrieval_price(t) + request_price(t->get, s->data)));
    }
    return true;
}

/* The least cost of what was put into tier `k` at age `from`, from there on. Colder tiers, and
 * later days, are known. */
static void find_next(struct storage_search *s, size_t k, int from)
{
    const struct storage_tier *t = &s->tiers[k];
    double best =
        s->before[k][s->ages] - s->before[k][from] + leave_cost(t, from, s->ages, s->data);

    s->next_day[k][from] = s->ages;
    for (size_t j = k + 1; j < s->count; j++) {
        if (!s->tiers[j].by_rule || !storage_tier_fits(&s->tiers[j], s->data))
            continue;
        for (int on = from + 1; on < s->ages; on++) {
            double cost;

            if (on < s->tiers[j].rule_days)
                continue;
            cost = s->before[k][on] - s->before[k][from] + leave_cost(t, from, on, s->data) +
                   enter_cost(&s->tiers[j], on, s->data) + s->least[j][on];
            if (cost < best - 1e-9 * fabs(best)) {
                best = cost;
                s->next_day[k][from] = on;
                s->next_tier[k][from] = j;
            }
        }
    }
    s->least[k][from] = best;
}

static void read_policy(const struct storage_search *s, size_t first,
                        struct storage_policy *out)
{
    size_t tier = first;
    int from = 0;

    out->steps = 0;
    while (from < s->ages && out->steps < STORAGE_TIERS_MAX) {
        int next = s->next_day[tier][from];

        out->at[out->steps] = tier;
        out->days[out->steps++] = from;
        if (next < s->ages)
            tier = s->next_tier[tier][from];
        from = next;
    }
}

bool storage_best(const struct storage_tier *tiers, size_t count,
                  const struct storage_data *data, struct arena *arena,
                  struct storage_policy *out, struct error *err)
{
    struct storage_search s = {
        .tiers = tiers, .count = count, .data = data, .ages = ages_of(data)};
    double best = INFINITY;
    size_t first = count;

    *out = (struct storage_policy){0};
    if (count > STORAGE_TIERS_MAX || s.ages <= 0)
        return error_fail(err, ERROR_INPUT, "too many tiers, or no days");
    if (!search_open(&s, arena, err))
        return false;
    for (size_t k = count; k-- > 0;)
        for (int from = s.ages - 1; from >= 0; from--) {
            if (!stop_check(err))
                return false;
            find_next(&s, k, from);
        }
    for (size_t k = 0; k < count; k++) {
        double cost = enter_cost(&tiers[k], 0, data) + s.least[k][0];

        if (!tiers[k].direct || !storage_tier_fits(&tiers[k], data) ||
            !(cost < best - 1e-9 * fabs(cost)))
            continue;
        best = cost;
        first = k;
    }
    if (first == count)
        return true;
    read_policy(&s, first, out);
    out->costs = storage_cost(tiers, out->at, out->days, out->steps, data);
    return true;
}
