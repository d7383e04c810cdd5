/* Lines of bills as machines and pieces of their days. Memory is bounded by machines, days and
 * meters, not by lines. */
#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "base/json.h"
#include "op/account/reconcile_work.h"

#define MACHINES_MAX ((size_t)1 << 20)
#define PIECES_MAX ((size_t)1 << 26)
#define DAY_HOURS 24.0

/* ---- machines ---- */

static struct str kept(struct reconciler *r, struct str text, struct error *err)
{
    char *copy = str_dup(text, r->arena, err);

    return (struct str){copy, copy != NULL ? text.len : 0};
}

/* The value of the first of these keys that an object has, and it is a text. */
static bool value_of(struct reconciler *r, struct str object, const char *const *keys,
                     struct str *out, struct error *err)
{
    struct json_options options = {.alloc = r->arena->alloc};
    struct error bad = {0};
    struct json *j = json_open_text(object, &options, &bad);
    struct json_token t = {0};
    bool wanted = false, ok = true;

    while (ok && j != NULL && out->len == 0 && json_next(j, &t, &bad) && t.kind != JSON_END) {
        if (t.kind == JSON_STRING && wanted && t.text.len > 0) {
            *out = kept(r, t.text, err);
            ok = out->at != NULL;
        }
        wanted = false;
        for (size_t i = 0; t.kind == JSON_KEY && t.depth == 1 && keys[i] != NULL; i++)
            wanted |= str_eq_nocase(t.text, str_from(keys[i]));
    }
    json_close(j);
    if (ok && bad.kind == ERROR_MEMORY) {
        *err = bad;
        ok = false;
    }
    return ok;
}

/* What a machine is and whom it is for may stand in any of its lines: a disk's has no type. */
static bool learn(struct reconciler *r, size_t at, const struct bill_line *line,
                  struct error *err)
{
    static const char *const runs[] = {
        "stint_run", "stint:run", "stint-run", "run_id",         "run-id",         "runid",
        "run",       "user:run",  "user_run",  "user:stint_run", "user_stint_run", NULL};
    static const char *const types[] = {"InstanceType", NULL};
    struct reconcile_machine *m = &r->machines[at];
    struct str tags = line->of[FOCUS_Tags], details = line->of[FOCUS_SkuPriceDetails];
    uint64_t hash = text_hash((uint64_t)(uintptr_t)r, tags);

    if (m->instance.len == 0 && details.len > 0 &&
        !value_of(r, details, types, &m->instance, err))
        return false;
    if (m->run.len > 0 || tags.len == 0 || hash == r->seen[at])
        return true;
    r->seen[at] = hash;
    return value_of(r, tags, runs, &m->run, err);
}

/* Azure writes one id in several cases. */
static uint64_t hash_id(const struct reconciler *r, struct str id)
{
    char small[256];
    size_t len = id.len < sizeof small ? id.len : sizeof small;

    for (size_t i = 0; i < len; i++) {
        char c = id.at[id.len - len + i];

        small[i] = (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    }
    return text_hash((uint64_t)(uintptr_t)r, (struct str){small, len});
}

static uint64_t machine_hash(const struct reconciler *r, size_t at)
{
    return hash_id(r, r->machines[at].resource);
}

static bool add_machine(struct reconciler *r, const struct bill_line *line, struct error *err)
{
    struct reconcile_machine *m =
        arena_grow(r->arena, r->machines, r->machine_count, sizeof *m, &r->machine_room, err);
    uint64_t *seen = m != NULL ? arena_grow(r->arena, r->seen, r->machine_count, sizeof *seen,
                                            &r->seen_room, err)
                               : NULL;

    if (seen == NULL)
        return false;
    r->machines = m;
    r->seen = seen;
    if (r->machine_count == MACHINES_MAX) {
        error_set(err, ERROR_INPUT, "more than %zu machines in the bills", MACHINES_MAX);
        error_hint(err, "ask for a shorter time: --month 2026-10");
        return false;
    }
    m = &r->machines[r->machine_count];
    *m = (struct reconcile_machine){
        .resource = kept(r, line->of[FOCUS_ResourceId], err),
        .name = kept(r, line->of[FOCUS_ResourceName], err),
        .provider = kept(r, coverage_name(&r->coverage, ledger_line_provider(line)), err),
        .region = kept(r, line->of[FOCUS_RegionId], err)};
    r->machine_count++;
    return m->resource.at != NULL && m->name.at != NULL && m->provider.at != NULL &&
           m->region.at != NULL;
}

/* The place of the line's machine in the list. */
static bool find_machine(struct reconciler *r, const struct bill_line *line, size_t *out,
                         struct error *err)
{
    struct str resource = line->of[FOCUS_ResourceId];
    struct slots *s = &r->machine_slots;
    size_t slot;

    if (!reconcile_grow_slots(r, s, r->machine_count, machine_hash, err))
        return false;
    slot = hash_id(r, resource) & (s->count - 1);
    while (s->at[slot] != 0 && !str_eq_nocase(r->machines[s->at[slot] - 1].resource, resource))
        slot = (slot + 1) & (s->count - 1);
    if (s->at[slot] == 0) {
        if (!add_machine(r, line, err))
            return false;
        s->at[slot] = (uint32_t)r->machine_count;
    }
    *out = s->at[slot] - 1;
    return learn(r, *out, line, err);
}

/* ---- lines ---- */

/* Is it something that is neither a machine nor a part of one, by its id or type? */
static bool is_apart(const struct bill_line *line)
{
    static const char *const kinds[] = {
        "volume/",      "vol-",          "snapshot/",     "snap-",
        "natgateway/",  "nat-",          "vpc-endpoint/", "elastic-ip/",
        "eipalloc-",    "loadbalancer/", "disks/",        "disk/",
        "commitments/", "reservation",   "savingsplan",   "capacityReservations/",
        "functions/"};
    struct str id = line->of[FOCUS_ResourceId];
    struct str last = id;

    for (size_t i = id.len, cuts = 0; i > 0; i--)
        if ((id.at[i - 1] == '/' || id.at[i - 1] == ':') && ++cuts == 2) {
            last = (struct str){id.at + i, id.len - i};
            break;
        }
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
        struct str kind = str_from(kinds[i]);

        if (last.len >= kind.len && str_eq_nocase((struct str){last.at, kind.len}, kind))
            return true;
    }
    return false;
}

/* May it be of a machine? Commitments that nobody used are of none, and what is bought ahead
 * is not used yet. */
static bool may_be_machine(const struct bill_line *line)
{
    const struct str *of = line->of;

    return of[FOCUS_ResourceId].len > 0 && !is_apart(line) &&
           (str_eq(of[FOCUS_ServiceCategory], STR("Compute")) ||
            (str_eq(of[FOCUS_ServiceCategory], STR("AI and Machine Learning")) &&
             str_has_nocase(of[FOCUS_SkuPriceDetails], STR("\"InstanceType\"")))) &&
           !str_eq(of[FOCUS_ChargeCategory], STR("Tax")) &&
           !str_eq(of[FOCUS_ChargeCategory], STR("Purchase")) &&
           !str_eq(of[FOCUS_CommitmentDiscountStatus], STR("Unused")) &&
           !str_eq(of[FOCUS_CapacityReservationStatus], STR("Unused"));
}

/* The hours that a line is for, of however many cores or GPUs at a time; 0: it is not paid by
 * time, or gives back what another line took. */
static double hours_of(const struct ledger_bill *bill, const struct bill_line *line)
{
    static const enum focus_column ways[][2] = {{FOCUS_PricingUnit, FOCUS_PricingQuantity},
                                                {FOCUS_ConsumedUnit, FOCUS_ConsumedQuantity}};
    bool azure = str_starts(bill->format, STR("azure"));

    if (!str_eq(line->of[FOCUS_ChargeCategory], STR("Usage")) ||
        line->of[FOCUS_ChargeClass].len > 0)
        return 0;
    for (size_t i = 0; i < ARRAY_LEN(ways); i++) {
        double unit = reconcile_unit_hours(line->of[ways[i][0]], azure);
        struct decimal quantity;

        if (unit > 0 && decimal_parse(line->of[ways[i][1]], &quantity) &&
            quantity.coefficient > 0)
            return unit * decimal_double(quantity);
    }
    return 0;
}

static uint64_t hash_piece(const struct reconciler *r, const struct piece *p)
{
    uint32_t parts[4] = {p->machine, p->meter, (uint32_t)p->on.n, 0};

    memcpy(&parts[3], p->currency, sizeof parts[3]);
    return text_hash((uint64_t)(uintptr_t)r, (struct str){(const char *)parts, sizeof parts});
}

static uint64_t piece_hash(const struct reconciler *r, size_t at)
{
    return hash_piece(r, &r->pieces[at]);
}

static bool same_piece(const struct piece *a, const struct piece *b)
{
    return a->machine == b->machine && a->meter == b->meter && a->on.n == b->on.n &&
           strcmp(a->currency, b->currency) == 0;
}

static bool add_piece(struct reconciler *r, const struct piece *p, struct error *err)
{
    struct slots *s = &r->piece_slots;
    struct piece *known;
    size_t slot;

    if (!reconcile_grow_slots(r, s, r->piece_count, piece_hash, err))
        return false;
    slot = hash_piece(r, p) & (s->count - 1);
    while (s->at[slot] != 0 && !same_piece(&r->pieces[s->at[slot] - 1], p))
        slot = (slot + 1) & (s->count - 1);
    if (s->at[slot] == 0) {
        known = arena_grow(r->arena, r->pieces, r->piece_count, sizeof *p, &r->piece_room, err);
        if (known == NULL)
            return false;
        r->pieces = known;
        if (r->piece_count == PIECES_MAX)
            return error_fail(err, ERROR_INPUT, "the bills are too long: ask for fewer days");
        r->pieces[r->piece_count++] = *p;
        s->at[slot] = (uint32_t)r->piece_count;
        return true;
    }
    known = &r->pieces[s->at[slot] - 1];
    known->from = p->from.s < known->from.s ? p->from : known->from;
    known->to = p->to.s > known->to.s ? p->to : known->to;
    known->hours += p->hours;
    known->period += p->period;
    known->at_a_time = fmax(known->at_a_time, p->at_a_time);
    known->longest = fmax(known->longest, p->longest);
    return reconcile_add(&known->cost, p->cost, err);
}

bool reconcile_line(struct reconciler *r, const struct ledger_bill *bill,
                    const struct bill_line *line, struct error *err)
{
    struct piece p = {.on = day_of(line->start), .from = line->start, .to = line->end};
    struct tally *t = reconcile_tally(r, p.on, bill->currency, err);
    struct str meter =
        line->of[FOCUS_SkuMeter].len > 0 ? line->of[FOCUS_SkuMeter] : line->of[FOCUS_SkuId];
    size_t machine;

    if (t == NULL || !reconcile_add(&t->billed, line->effective, err))
        return false;
    t->lines++;
    if (!may_be_machine(line))
        return reconcile_add(&t->other, line->effective, err);
    memcpy(p.currency, t->currency, sizeof p.currency);
    if (!find_machine(r, line, &machine, err))
        return false;
    p.machine = (uint32_t)machine;
    p.cost = line->effective;
    p.hours = hours_of(bill, line);
    p.period = (double)(line->end.s - line->start.s) / 3600;
    if (!(p.period > 0)) {
        p.period = DAY_HOURS;
        p.to = (stamp){p.from.s + SECONDS_PER_DAY};
    }
    if (p.hours > 0) {
        p.meter = (uint32_t)text_hash(0, meter) | 1;
        p.at_a_time = p.hours / p.period;
        p.longest = p.period;
    }
    return add_piece(r, &p, err);
}
