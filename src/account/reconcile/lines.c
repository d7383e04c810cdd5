/* Lines of bills as machines and pieces of their days, and those as cells. Memory is bounded by
 * machines, days and meters, not by lines. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "account/reconcile/internal.h"
#include "base/characters.h"
#include "base/hash.h"
#include "base/json.h"

#define MACHINES_MAX ((size_t)1 << 20)
#define PIECES_MAX ((size_t)1 << 26)
#define DAY_HOURS 24.0

/* ---- machines ---- */

static struct str keep_reconcile_text(struct reconciler *r, struct str text, struct error *err)
{
    char *copy = str_dup(text, r->account->arena, err);

    return (struct str){copy, copy != NULL ? text.len : 0};
}

struct value_sought {
    struct reconciler *r;
    const char *const *keys;
    struct str *out;
    struct error *err;
};

static bool take_object_value(void *ctx, struct str key, enum json_kind kind, struct str text)
{
    struct value_sought *s = ctx;

    for (size_t i = 0; kind == JSON_STRING && text.len > 0 && s->keys[i] != NULL; i++)
        if (str_eq_nocase(key, str_from(s->keys[i]))) {
            *s->out = keep_reconcile_text(s->r, text, s->err);
            return false;
        }
    return true;
}

/* The value of the first of these keys that an object has, and it is a text. */
static bool find_object_value(struct reconciler *r, struct str object, const char *const *keys,
                              struct str *out, struct error *err)
{
    struct error bad = {0};
    struct value_sought s = {r, keys, out, &bad};

    (void)json_members(object, r->scratch->alloc, take_object_value, &s, &bad);
    if (bad.kind != ERROR_MEMORY)
        return true;
    *err = bad;
    return false;
}

/* Any of its lines may have the type of a machine and the run that it is for: a disk's has
 * neither. */
static bool learn_machine(struct reconciler *r, size_t at, const struct bill_line *line,
                          struct error *err)
{
    static const char *const runs[] = {
        "stint_run", "stint:run", "stint-run", "run_id",         "run-id",         "runid",
        "run",       "user:run",  "user_run",  "user:stint_run", "user_stint_run", NULL};
    static const char *const roles[] = {"phase",     "role",     "purpose",      "service",
                                        "component", "workload", "app",          "application",
                                        "user:role", "user:app", "user:service", NULL};
    static const char *const types[] = {"InstanceType", NULL};
    struct reconcile_machine *m = &r->machines[at];
    struct str tags = line->of[FOCUS_Tags], details = line->of[FOCUS_SkuPriceDetails];
    struct str pricing = line->of[FOCUS_PricingCategory];
    uint64_t hash = text_hash((uint64_t)(uintptr_t)r, tags);

    if (m->instance.len == 0 && details.len > 0 &&
        !find_object_value(r, details, types, &m->instance, err))
        return false;
    if (m->market == RECONCILE_ANY && !str_eq_nocase(pricing, STR("Other")) &&
        str_eq(line->of[FOCUS_ChargeCategory], STR("Usage")))
        m->market = reconcile_market_of(pricing);
    if (tags.len == 0 || hash == r->seen[at])
        return true;
    r->seen[at] = hash;
    return (m->run.len > 0 || find_object_value(r, tags, runs, &m->run, err)) &&
           (m->role.len > 0 || find_object_value(r, tags, roles, &m->role, err));
}

static bool add_billed_machine(struct reconciler *r, const struct bill_line *line,
                               struct error *err)
{
    struct reconcile_machine *m;

    r->machines =
        arena_grow(r->scratch, r->machines, r->machine_count, sizeof *m, &r->machine_room, err);
    if (r->machines == NULL)
        return false;
    r->seen =
        arena_grow(r->scratch, r->seen, r->machine_count, sizeof *r->seen, &r->seen_room, err);
    if (r->seen == NULL)
        return false;
    m = &r->machines[r->machine_count++];
    *m = (struct reconcile_machine){
        .resource = keep_reconcile_text(r, line->of[FOCUS_ResourceId], err),
        .name = keep_reconcile_text(r, line->of[FOCUS_ResourceName], err),
        .provider = keep_reconcile_text(
            r, coverage_name(&r->coverage, ledger_line_provider(line)), err),
        .region = keep_reconcile_text(r, line->of[FOCUS_RegionId], err),
        .account = keep_reconcile_text(r,
                                       line->of[FOCUS_SubAccountId].len > 0
                                           ? line->of[FOCUS_SubAccountId]
                                           : line->of[FOCUS_BillingAccountId],
                                       err)};
    return m->resource.at != NULL && m->name.at != NULL && m->provider.at != NULL &&
           m->region.at != NULL && m->account.at != NULL;
}

/* The place of the line's machine in the list. Azure writes one id in several cases. */
static bool find_billed_machine(struct reconciler *r, const struct bill_line *line, size_t *out,
                                struct error *err)
{
    struct str resource = line->of[FOCUS_ResourceId];
    struct map_entry *e;
    bool added;

    buf_clear(&r->lower);
    for (size_t i = 0; i < resource.len; i++)
        buf_char(&r->lower, to_lower(resource.at[i]));
    if (!buf_ok(&r->lower, err))
        return false;
    e = map_add(&r->machine_ids, buf_text(&r->lower), &added, err);
    if (e == NULL)
        return false;
    *out = (size_t)(e - r->machine_ids.at);
    if (added) {
        if (*out == MACHINES_MAX) {
            error_set(err, ERROR_INPUT, "more than %zu machines in the bills", MACHINES_MAX);
            error_hint(err, "use a shorter period: --month 2026-10");
            return false;
        }
        e->key.at = str_dup(e->key, r->scratch, err);
        if (e->key.at == NULL || !add_billed_machine(r, line, err))
            return false;
    }
    return learn_machine(r, *out, line, err);
}

/* ---- units ---- */

static double time_word(struct str word)
{
    static const struct {
        const char *word;
        double hours;
    } times[] = {{"hour", 1},
                 {"hours", 1},
                 {"hr", 1},
                 {"hrs", 1},
                 {"h", 1},
                 {"minute", 1 / 60.0},
                 {"minutes", 1 / 60.0},
                 {"min", 1 / 60.0},
                 {"second", 1 / 3600.0},
                 {"seconds", 1 / 3600.0},
                 {"sec", 1 / 3600.0},
                 {"s", 1 / 3600.0}};

    for (size_t i = 0; i < ARRAY_LEN(times); i++)
        if (str_eq_nocase(word, str_from(times[i].word)))
            return times[i].hours;
    return 0;
}

/* Of what there may be several at a time: "GPU Hours". Not of bytes, which are a disk's or a
 * function's, nor of credits ("vCPU-Hours"). */
static bool of_machines(struct str word)
{
    static const char *const words[] = {
        "gpu",      "gpus",      "ocpu", "ocpus",   "core",     "cores",       "node", "nodes",
        "instance", "instances", "vm",   "machine", "machines", "accelerator", "per"};

    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (str_eq_nocase(word, str_from(words[i])))
            return true;
    return false;
}

static struct str next_line_word(struct str *rest)
{
    size_t len = 0;
    struct str word;

    while (rest->len > 0 && (rest->at[0] == ' ' || rest->at[0] == '-' || rest->at[0] == '/'))
        *rest = (struct str){rest->at + 1, rest->len - 1};
    while (len < rest->len && rest->at[len] != ' ' && rest->at[len] != '-' &&
           rest->at[len] != '/')
        len++;
    word = (struct str){rest->at, len};
    *rest = (struct str){rest->at + len, rest->len - len};
    return word;
}

double reconcile_unit_hours(struct str unit, bool of_azure)
{
    double many = 1, hours = 0;

    while (unit.len > 0) {
        struct str word = next_line_word(&unit);
        struct decimal number;

        if (word.len == 0)
            break;
        if (hours > 0)
            return 0; /* "Hours of something" */
        if (decimal_parse(word, &number) && number.coefficient > 0)
            many = of_azure ? 1 : decimal_double(number);
        else if (!of_machines(word)) {
            hours = time_word(word);
            if (hours <= 0)
                return 0;
        }
    }
    return many * hours;
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

/* May it be of a machine? Unused commitments are not, and what is bought in advance is not used
 * yet. */
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
static double billed_hours(const struct ledger_bill *bill, const struct bill_line *line)
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

/* Is the line of a machine? Traffic that it sent is not. */
static bool is_machine_line(struct reconciler *r, const struct bill_line *line, bool timed,
                            bool *is, struct error *err)
{
    enum extra_kind kind;
    bool use;

    *is = may_be_machine(line);
    if (!*is || timed)
        return true;
    if (!reconcile_kind(r, line, &kind, &use, err))
        return false;
    *is = !extra_is_traffic(kind);
    return true;
}

/* Into the piece of its machine, meter, day and currency. */
static bool add_piece(struct reconciler *r, const struct piece *p, struct error *err)
{
    uint32_t key[4] = {p->machine, p->meter, (uint32_t)p->on.n, 0};
    struct map_entry *e;
    struct piece *known;
    bool added;

    memcpy(&key[3], p->currency.code, sizeof key[3]);
    e = map_add(&r->piece_keys, (struct str){(const char *)key, sizeof key}, &added, err);
    if (e == NULL)
        return false;
    if (added) {
        if (r->piece_count == PIECES_MAX)
            return error_fail(err, ERROR_INPUT, "too many bill lines: select fewer days");
        e->key.at = str_dup(e->key, r->scratch, err);
        r->pieces =
            arena_grow(r->scratch, r->pieces, r->piece_count, sizeof *p, &r->piece_room, err);
        if (e->key.at == NULL || r->pieces == NULL)
            return false;
        r->pieces[r->piece_count++] = *p;
        return true;
    }
    known = &r->pieces[e - r->piece_keys.at];
    known->from = p->from.s < known->from.s ? p->from : known->from;
    known->to = p->to.s > known->to.s ? p->to : known->to;
    known->hours += p->hours;
    known->period += p->period;
    known->at_a_time = fmax(known->at_a_time, p->at_a_time);
    known->longest = fmax(known->longest, p->longest);
    return costs_plus(&known->cost, p->cost, err);
}

bool reconcile_line(struct reconciler *r, const struct ledger_bill *bill,
                    const struct bill_line *line, struct error *err)
{
    struct piece p = {.on = day_of(line->start), .from = line->start, .to = line->end};
    struct reconcile_day *t = reconcile_day_of(r, p.on, currency_from(bill->currency), err);
    struct str meter =
        line->of[FOCUS_SkuMeter].len > 0 ? line->of[FOCUS_SkuMeter] : line->of[FOCUS_SkuId];
    bool machine_line;
    size_t machine;

    if (t == NULL || !costs_plus(&t->sums.billed, line->effective, err))
        return false;
    t->lines++;
    if (!is_machine_line(r, line, billed_hours(bill, line) > 0, &machine_line, err))
        return false;
    if (!machine_line)
        return costs_plus(&t->sums.other, line->effective, err) &&
               reconcile_add_extra(r, line, t->sums.currency, err);
    p.currency = t->sums.currency;
    if (!find_billed_machine(r, line, &machine, err))
        return false;
    p.machine = (uint32_t)machine;
    p.cost = line->effective;
    p.hours = billed_hours(bill, line);
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

/* ---- cells ---- */

static int by_meter(const void *a, const void *b)
{
    const struct piece *x = a, *y = b;

    if (x->machine != y->machine)
        return x->machine < y->machine ? -1 : 1;
    return (x->meter > y->meter) - (x->meter < y->meter);
}

/* Eight GPUs for an hour are eight hours of a meter and one of the machine: divide by how many
 * there were at a time, as the fullest line has it. */
static void settle_hours(struct reconciler *r)
{
    for (size_t from = 0, to; from < r->piece_count; from = to) {
        double many = 1;

        for (to = from; to < r->piece_count && by_meter(&r->pieces[from], &r->pieces[to]) == 0;
             to++)
            many = fmax(many, round(r->pieces[to].at_a_time));
        for (size_t i = from; i < to; i++) {
            struct piece *p = &r->pieces[i];

            p->hours = fmin(p->hours / many, p->period);
            if (p->longest <= DAY_HOURS)
                p->hours = fmin(p->hours, DAY_HOURS);
        }
    }
}

static int by_billed_day(const void *a, const void *b)
{
    const struct piece *x = a, *y = b;
    int order;

    if (x->machine != y->machine)
        return x->machine < y->machine ? -1 : 1;
    if (x->on.n != y->on.n)
        return x->on.n < y->on.n ? -1 : 1;
    order = currency_compare(x->currency, y->currency);
    return order != 0 ? order : (x->meter > y->meter) - (x->meter < y->meter);
}

/* Is `a` the more expensive meter, whose hours are the machine's? */
static bool costs_more(const struct piece *a, const struct piece *b)
{
    struct decimal x = a->cost, y = b->cost;
    int order;

    x.coefficient = x.coefficient < 0 ? -x.coefficient : x.coefficient;
    y.coefficient = y.coefficient < 0 ? -y.coefficient : y.coefficient;
    order = decimal_cmp(x, y);
    return order != 0 ? order > 0 : a->hours > b->hours;
}

/* One cell of the pieces of a machine, day and currency: `count` from `p` on. */
static bool make_cell(const struct piece *p, size_t count, bool timed, struct reconcile_cell *c,
                      struct error *err)
{
    const struct piece *chief = NULL;

    *c = (struct reconcile_cell){.machine = p->machine,
                                 .on = p->on,
                                 .currency = p->currency,
                                 .from = {p->on.n * SECONDS_PER_DAY},
                                 .to = {(p->on.n + INT64_C(1)) * SECONDS_PER_DAY},
                                 .hours = timed ? 0 : NAN};
    for (size_t i = 0; i < count; i++) {
        if (p[i].meter != 0 && (chief == NULL || costs_more(&p[i], chief)))
            chief = &p[i];
        if (!costs_plus(&c->cost, p[i].cost, err))
            return false;
    }
    if (chief != NULL) {
        c->from = chief->from;
        c->to = chief->to;
        c->hours = chief->hours;
    }
    return true;
}

/* The cells of a machine, whose pieces are these. What is not paid by time and has no type is
 * no machine. */
static bool make_cells(struct reconciler *r, const struct piece *p, size_t count,
                       struct error *err)
{
    bool timed = false;

    for (size_t i = 0; i < count; i++)
        timed |= p[i].meter != 0;
    for (size_t from = 0, to; from < count; from = to) {
        struct reconcile_cell *c = &r->cells[r->cell_count];
        struct reconcile_day *t;

        for (to = from; to < count && p[to].on.n == p[from].on.n &&
                        currency_is(p[to].currency, p[from].currency);)
            to++;
        if (!make_cell(p + from, to - from, timed, c, err))
            return false;
        if (timed || r->machines[p->machine].instance.len > 0) {
            r->cell_count++;
            continue;
        }
        t = reconcile_day_of(r, c->on, c->currency, err);
        if (t == NULL || !costs_plus(&t->sums.other, c->cost, err))
            return false;
    }
    return true;
}

bool reconcile_cells(struct reconciler *r, struct error *err)
{
    r->cells = arena_array(r->scratch, struct reconcile_cell, r->piece_count, err);
    if (r->cells == NULL)
        return false;
    if (r->piece_count == 0)
        return true;
    qsort(r->pieces, r->piece_count, sizeof *r->pieces, by_meter);
    settle_hours(r);
    qsort(r->pieces, r->piece_count, sizeof *r->pieces, by_billed_day);
    for (size_t from = 0, to; from < r->piece_count; from = to) {
        for (to = from;
             to < r->piece_count && r->pieces[to].machine == r->pieces[from].machine;)
            to++;
        if (!make_cells(r, r->pieces + from, to - from, err))
            return false;
    }
    return true;
}
