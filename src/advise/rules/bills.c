#include "advise/rules/bills.h"

#include <math.h>

#include "base/characters.h"

#define GUARD_HOURS (10 / 60.0) /* after each run */
#define LATE_HOURS 1.0
#define UNUSED_HOURS 24.0 /* less may be work that was not recorded */
#define FORGOTTEN_HOURS 72.0
#define NAMES_MOST 4
#define SAME_SIZE 1e-4 /* of sizes: copies */
#define NAMES_MAX 4096

static double bill_dollars(struct decimal amount)
{
    return decimal_double(amount);
}

/* ---- machines that stay on ---- */

/* What was left over beyond so many hours after each run. */
static double beyond(const struct reconcile_resource *r, double rest, double hours)
{
    return fmax(0, rest - (double)r->runs * hours * bill_dollars(r->billed) / r->hours);
}

static struct str name_of_resource(const struct reconcile_resource *r)
{
    return r->machine.name.len > 0 ? r->machine.name : r->machine.resource;
}

static void add_left_on(struct advise_left_on *out, const struct reconcile_resource *r,
                        double *most)
{
    double rest = bill_dollars(r->rest);

    if (!(r->hours > 0) || !(rest > 0) || !(beyond(r, rest, GUARD_HOURS) > 0))
        return;
    out->machines++;
    out->hours += r->hours;
    out->idle += fmax(0, r->hours - r->run_hours);
    out->saving.low += beyond(r, rest, LATE_HOURS);
    out->saving.mid += beyond(r, rest, GUARD_HOURS);
    out->saving.high += rest;
    if (rest > *most) {
        *most = rest;
        out->name = name_of_resource(r);
    }
}

/* ---- machines that no run was on ---- */

/* Is one of the words of a text, which other characters part, one of these? */
static bool has_any_word(struct str text, const char *const *words)
{
    while (text.len > 0) {
        size_t len = 0;

        while (len < text.len && is_letter_or_digit(text.at[len]))
            len++;
        for (size_t i = 0; words[i] != NULL; i++)
            if (str_eq_nocase((struct str){text.at, len}, str_from(words[i])))
                return true;
        len += len < text.len;
        text = (struct str){text.at + len, text.len - len};
    }
    return false;
}

/* Runs are not recorded of such machines. */
bool advise_is_service(const struct reconcile_resource *r)
{
    static const char *const words[] = {
        "inference", "infer",    "serving", "serve", "service",  "endpoint", "prediction",
        "predict",   "gateway",  "bastion", "jump",  "database", "db",       "web",
        "www",       "frontend", "backend", "proxy", "api",      NULL};

    return has_any_word(r->machine.role, words) || has_any_word(r->machine.name, words) ||
           has_any_word(r->machine.resource, words);
}

bool advise_is_notebook(const struct reconcile_resource *r)
{
    static const char *const words[] = {"notebook",  "notebooks", "jupyter", "jupyterlab",
                                        "workbench", "notebk",    NULL};

    return has_any_word(r->machine.role, words) || has_any_word(r->machine.name, words) ||
           has_any_word(r->machine.resource, words);
}

/* Is a run of the ledger on a machine of this type? */
static bool is_type_of_runs(const struct reconciliation *bills, struct str instance)
{
    const struct reconcile_resource *all = bills->resources.at;

    for (size_t i = 0; i < bills->resources.len; i++)
        if (all[i].runs > 0 && instance.len > 0 &&
            str_eq_nocase(all[i].machine.instance, instance))
            return true;
    return false;
}

static void add_unused(struct advise_unused *out, const struct reconcile_resource *r,
                       double amount, struct buf *names)
{
    out->machines++;
    out->hours += r->hours;
    out->saving.mid += amount;
    out->saving.high += amount;
    out->saving.low += r->hours >= FORGOTTEN_HOURS ? amount : 0;
    if (out->machines > NAMES_MOST)
        return;
    buf_adds(names, out->machines > 1 ? ", " : "");
    buf_add(names, name_of_resource(r));
    if (r->machine.instance.len > 0)
        buf_addf(names, " (%.*s, ", STR_ARG(r->machine.instance));
    else
        buf_adds(names, " (");
    usd_write(usd_about(amount), names);
    buf_char(names, ')');
}

/* A machine of its own account's kind that was on for days is unused; of others it is a
 * question. */
static void sort_unused(const struct reconciliation *bills, const struct catalog *offers,
                        const struct reconcile_resource *r, struct advise_bills *out,
                        struct buf names[2])
{
    bool clear = r->watched > 0 && !r->doubtful && r->hours >= UNUSED_HOURS &&
                 !advise_is_service(r) &&
                 (instance_gpu(offers, r->machine.instance).len > 0 || advise_is_notebook(r) ||
                  is_type_of_runs(bills, r->machine.instance));

    if (clear)
        add_unused(&out->unused, r, r->watched, &names[0]);
    else
        add_unused(&out->unexplained, r, bill_dollars(r->rest), &names[1]);
}

/* ---- what is paid for beside machines ---- */

bool advise_is_copy(const struct advise_bills *bills, size_t number)
{
    const struct reconcile_extra *x = &bills->extras[number];

    if (x->kind != EXTRA_OBJECTS || x->resource.len == 0 || x->used > 0 || !(x->quantity > 0))
        return false;
    for (size_t i = 0; i < bills->extra_count; i++) {
        const struct reconcile_extra *y = &bills->extras[i];

        if (i != number && y->kind == EXTRA_OBJECTS && y->resource.len > 0 &&
            y->days == x->days && str_eq(y->provider, x->provider) &&
            fabs(y->quantity - x->quantity) <= SAME_SIZE * x->quantity &&
            (y->used > 0 || i < number))
            return true;
    }
    return false;
}

static enum advise_part advise_part_of(const struct advise_bills *bills, size_t number)
{
    static const enum advise_part parts[EXTRA_KINDS] = {
        [EXTRA_OTHER] = PART_OTHER,        [EXTRA_REGIONS] = PART_REGIONS,
        [EXTRA_ZONES] = PART_NETWORK,      [EXTRA_INTERNET] = PART_NETWORK,
        [EXTRA_NAT] = PART_NETWORK,        [EXTRA_ADDRESS] = PART_ADDRESSES,
        [EXTRA_BALANCER] = PART_BALANCERS, [EXTRA_VOLUME] = PART_VOLUMES,
        [EXTRA_SNAPSHOT] = PART_SNAPSHOTS, [EXTRA_OBJECTS] = PART_OBJECTS,
    };

    return advise_is_copy(bills, number) ? PART_COPIES : parts[bills->extras[number].kind];
}

/* The money of the bills that no work has. */
static void take_unmatched_rest(const struct reconciliation *bills,
                                const struct advise_bills *out, double scale,
                                struct advise_money *rest)
{
    const struct reconcile_sums *sums = bills->sums.at;

    for (size_t i = 0; i < bills->sums.len; i++)
        if (currency_is(sums[i].currency, currency_usd)) {
            rest->part[PART_UNUSED] += fmax(0, bill_dollars(sums[i].untracked)) * scale;
            rest->part[PART_BETWEEN] += fmax(0, bill_dollars(sums[i].idle)) * scale;
            rest->part[PART_OTHER] += bill_dollars(sums[i].other) * scale;
        }
    for (size_t i = 0; i < out->extra_count; i++) {
        double cost = bill_dollars(out->extras[i].cost) * scale;

        if (!currency_is(out->extras[i].currency, currency_usd) || !(cost > 0))
            continue;
        rest->part[advise_part_of(out, i)] += cost;
        rest->part[PART_OTHER] -= cost;
    }
    rest->part[PART_OTHER] = fmax(0, rest->part[PART_OTHER]);
}

bool advise_bills_take(const struct reconciliation *bills, const struct catalog *offers,
                       double scale, struct arena *arena, struct advise_facts *facts,
                       struct error *err)
{
    const struct reconcile_resource *machines = bills->resources.at;
    struct advise_bills *out = &facts->bills;
    struct buf names[2] = {buf_new(arena->alloc, NAMES_MAX), buf_new(arena->alloc, NAMES_MAX)};
    double most = 0;
    bool ok;

    *out = (struct advise_bills){.resources = bills->resources.len + bills->extras.len,
                                 .runs = bills->matched_runs > 0,
                                 .extras = bills->extras.at,
                                 .extra_count = bills->extras.len,
                                 .scale = scale};
    for (size_t i = 0; i < bills->resources.len; i++) {
        const struct reconcile_resource *r = &machines[i];

        if (!currency_is(r->currency, currency_usd))
            continue;
        if (r->runs > 0)
            add_left_on(&facts->left_on, r, &most);
        else if (bill_dollars(r->rest) > 0)
            sort_unused(bills, offers, r, out, names);
    }
    facts->left_on.scale = scale;
    take_unmatched_rest(bills, out, scale, &facts->rest);
    ok = buf_keep(&names[0], arena, &out->unused.names, err);
    ok = ok ? buf_keep(&names[1], arena, &out->unexplained.names, err)
            : (buf_free(&names[1]), false);
    return ok;
}
