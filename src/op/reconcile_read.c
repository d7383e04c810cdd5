/* Lines of bills as machines and days; attempts at runs beside them. */
#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "base/json.h"
#include "op/reconcile_work.h"

#define MACHINES_MAX ((size_t)1 << 20)

/* Room for one more at the end of a list of the arena. */
static void *grow(struct reconciler *r, void *at, size_t *room, size_t count, size_t size,
                  struct error *err)
{
    size_t wanted = *room == 0 ? 64 : *room * 2;
    void *grown;

    if (count < *room)
        return at;
    grown = arena_get(r->arena, wanted, size, alignof(max_align_t), err);
    if (grown == NULL)
        return NULL;
    if (count > 0)
        memcpy(grown, at, count * size);
    *room = wanted;
    return grown;
}

bool reconcile_add(struct decimal *to, struct decimal amount, struct error *err)
{
    return decimal_add(*to, amount, to) ||
           error_fail(err, ERROR_INPUT, "a sum does not fit in 128 bits");
}

struct tally *reconcile_tally(struct reconciler *r, day on, struct str currency,
                              struct error *err)
{
    struct tally *t;

    /* Lines come by day: the wanted one is near the end. */
    for (size_t i = r->tally_count; i-- > 0;)
        if (r->tallies[i].on.n == on.n && str_eq(str_from(r->tallies[i].currency), currency))
            return &r->tallies[i];
    t = grow(r, r->tallies, &r->tally_room, r->tally_count, sizeof *t, err);
    if (t == NULL)
        return NULL;
    r->tallies = t;
    t = &r->tallies[r->tally_count++];
    *t = (struct tally){.on = on};
    memcpy(t->currency, currency.at, currency.len < 3 ? currency.len : 3);
    return t;
}

/* ---- machines ---- */

static struct str kept(struct reconciler *r, struct str text, struct error *err)
{
    char *copy = str_dup(text, r->arena, err);

    return (struct str){copy, copy != NULL ? text.len : 0};
}

/* The value of one of these keys in an object of tags: the run that the machine was for. */
static struct str run_of_tags(struct reconciler *r, struct str tags, struct error *err)
{
    static const char *const keys[] = {"stint_run", "stint:run", "stint-run",
                                       "run_id",    "run-id",    "runid",
                                       "run",       "user:run",  "user_run"};
    struct json_options options = {.alloc = r->arena->alloc};
    struct error ignored = {0};
    struct json *j = tags.len > 0 ? json_open_text(tags, &options, &ignored) : NULL;
    struct json_token t = {0};
    struct str found = {0};
    bool wanted = false;

    while (j != NULL && found.len == 0 && json_next(j, &t, &ignored) && t.kind != JSON_END) {
        if (t.kind == JSON_STRING && wanted)
            found = kept(r, t.text, err);
        wanted = false;
        for (size_t i = 0; t.kind == JSON_KEY && t.depth == 1 && i < ARRAY_LEN(keys); i++)
            wanted |= str_eq_nocase(t.text, str_from(keys[i]));
    }
    json_close(j);
    return found;
}

/* The type of machine that SkuPriceDetails name. */
static struct str instance_of(struct reconciler *r, struct str details, struct error *err)
{
    struct json_options options = {.alloc = r->arena->alloc};
    struct error ignored = {0};
    struct json *j = details.len > 0 ? json_open_text(details, &options, &ignored) : NULL;
    struct json_token t = {0};
    struct str found = {0};
    bool wanted = false;

    while (j != NULL && found.len == 0 && json_next(j, &t, &ignored) && t.kind != JSON_END) {
        if (t.kind == JSON_STRING && wanted)
            found = kept(r, t.text, err);
        wanted = t.kind == JSON_KEY && str_eq(t.text, STR("InstanceType"));
    }
    json_close(j);
    return found;
}

static size_t slot_of(const struct reconciler *r, struct str resource)
{
    size_t at = text_hash((uint64_t)(uintptr_t)r, resource) & (r->slot_count - 1);

    while (r->slots[at] != 0 && !str_eq(r->machines[r->slots[at] - 1].resource, resource))
        at = (at + 1) & (r->slot_count - 1);
    return at;
}

static bool grow_slots(struct reconciler *r, struct error *err)
{
    size_t wanted = r->slot_count == 0 ? 256 : r->slot_count * 2;

    if (r->machine_count * 2 < r->slot_count)
        return true;
    r->slots = arena_array(r->arena, uint32_t, wanted, err);
    if (r->slots == NULL)
        return false;
    r->slot_count = wanted;
    for (size_t i = 0; i < r->machine_count; i++)
        r->slots[slot_of(r, r->machines[i].resource)] = (uint32_t)i + 1;
    return true;
}

static bool add_machine(struct reconciler *r, const struct bill_line *line, size_t slot,
                        struct error *err)
{
    struct reconcile_machine *m =
        grow(r, r->machines, &r->machine_room, r->machine_count, sizeof *m, err);
    struct str provider = line->of[FOCUS_ServiceProviderName].len > 0
                              ? line->of[FOCUS_ServiceProviderName]
                              : line->of[FOCUS_ProviderName];

    if (m == NULL)
        return false;
    if (r->machine_count == MACHINES_MAX) {
        error_set(err, ERROR_INPUT, "more than %zu machines in the bills", MACHINES_MAX);
        error_hint(err, "ask for a shorter time: --month 2026-10");
        return false;
    }
    r->machines = m;
    m = &r->machines[r->machine_count++];
    *m = (struct reconcile_machine){
        .resource = kept(r, line->of[FOCUS_ResourceId], err),
        .name = kept(r, line->of[FOCUS_ResourceName], err),
        .provider = kept(r, coverage_name(&r->coverage, provider), err),
        .region = kept(r, line->of[FOCUS_RegionId], err),
        .instance = instance_of(r, line->of[FOCUS_SkuPriceDetails], err),
        .run = run_of_tags(r, line->of[FOCUS_Tags], err)};
    r->slots[slot] = (uint32_t)r->machine_count;
    return m->resource.at != NULL && m->name.at != NULL && m->provider.at != NULL &&
           m->region.at != NULL;
}

/* ---- lines ---- */

/* Is it a machine that is paid by the hour? */
static bool is_machine(const struct bill_line *line)
{
    return line->of[FOCUS_ResourceId].len > 0 &&
           str_eq(line->of[FOCUS_ServiceCategory], STR("Compute")) &&
           !str_eq(line->of[FOCUS_ChargeCategory], STR("Tax"));
}

static double hours_of(const struct bill_line *line)
{
    struct str unit = line->of[FOCUS_PricingUnit];
    struct decimal quantity;

    if (!str_has_nocase(unit, STR("hour")) && !str_eq_nocase(unit, STR("Hrs")))
        return 0; /* disks and traffic of the machine add to its cost, not to its time */
    return decimal_parse(line->of[FOCUS_PricingQuantity], &quantity) ? decimal_double(quantity)
                                                                     : 0;
}

static bool each_line(void *ctx, const struct ledger_bill *bill, const struct bill_line *line,
                      struct error *err)
{
    struct reconciler *r = ctx;
    day on = day_of(line->start);
    struct tally *t = reconcile_tally(r, on, bill->currency, err);
    struct reconcile_cell *cell;
    size_t slot;

    if (t == NULL || !reconcile_add(&t->billed, line->effective, err))
        return false;
    if (!is_machine(line))
        return reconcile_add(&t->other, line->effective, err);
    if (!grow_slots(r, err))
        return false;
    slot = slot_of(r, line->of[FOCUS_ResourceId]);
    if (r->slots[slot] == 0 && !add_machine(r, line, slot, err))
        return false;
    cell = grow(r, r->cells, &r->cell_room, r->cell_count, sizeof *cell, err);
    if (cell == NULL)
        return false;
    r->cells = cell;
    cell = &r->cells[r->cell_count];
    *cell = (struct reconcile_cell){.machine = r->slots[slot] - 1,
                                    .on = on,
                                    .hours = hours_of(line),
                                    .cost = line->effective};
    memcpy(cell->currency, t->currency, sizeof cell->currency);
    /* Lines of the same machine and day mostly follow each other. */
    if (r->cell_count > 0 && cell[-1].machine == cell->machine && cell[-1].on.n == on.n &&
        strcmp(cell[-1].currency, cell->currency) == 0) {
        cell[-1].hours += cell->hours;
        return reconcile_add(&cell[-1].cost, cell->cost, err);
    }
    r->cell_count++;
    return true;
}

/* ---- attempts ---- */

static bool each_charge(void *ctx, const struct ledger_charge *c, struct error *err)
{
    struct reconciler *r = ctx;
    struct reconcile_attempt *a;
    struct attempt_money *m;
    struct dimensions of;
    size_t room = r->attempt_room;

    if (!run_dimensions_of(&r->dimensions, c, &of, err))
        return false;
    a = grow(r, r->attempts, &r->attempt_room, r->attempt_count, sizeof *a, err);
    m = a != NULL ? grow(r, r->money, &room, r->attempt_count, sizeof *m, err) : NULL;
    if (m == NULL)
        return false;
    r->attempts = a;
    r->money = m;
    a = &r->attempts[r->attempt_count];
    m = &r->money[r->attempt_count++];
    *a = (struct reconcile_attempt){.run = kept(r, c->id, err),
                                    .name = kept(r, c->name, err),
                                    .resource = kept(r, c->machine, err),
                                    .host = kept(r, c->host, err),
                                    .provider = kept(r, of.of[DIMENSION_provider], err),
                                    .region = kept(r, of.of[DIMENSION_region], err),
                                    .instance = kept(r, of.of[DIMENSION_instance], err),
                                    .from = c->started,
                                    .to = c->until};
    *m = (struct attempt_money){.run = c->run, .metered = c->cost, .estimated = c->estimated};
    return a->run.at != NULL && a->name.at != NULL && a->resource.at != NULL &&
           a->host.at != NULL && a->provider.at != NULL && a->region.at != NULL &&
           a->instance.at != NULL;
}

bool reconcile_gather(struct reconciler *r, struct error *err)
{
    struct ledger_line_query query = {.since = r->since, .until = r->until, .bill = -1};
    stamp since = {r->since.n == DAY_UNKNOWN.n ? -1 : r->since.n * SECONDS_PER_DAY};
    stamp until = {r->until.n == DAY_UNKNOWN.n ? -1 : r->until.n * SECONDS_PER_DAY};

    return ledger_bill_lines(r->ledger, &query, each_line, r, err) &&
           ledger_charges(r->ledger, since, until, each_charge, r, err);
}
