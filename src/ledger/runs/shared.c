#include "ledger/runs/shared.h"

#include <math.h>

#include "base/hash.h"
#include "unit/time.h"

/* Of an attempt that is under way; 0: not known, or nothing. */
static double charge_rate_of(const struct ledger_charge *c)
{
    if (str_eq(c->pays, STR("inside")))
        return 0;
    if (c->rate.nano != MONEY_UNKNOWN)
        return (double)c->rate.nano *
               (str_eq(c->pays, STR("fixed")) && !isnan(c->share) ? c->share : 1);
    if (c->compute.nano == MONEY_UNKNOWN || c->elapsed.ns <= 0)
        return 0;
    return (double)c->compute.nano / (double)c->elapsed.ns * (double)SPAN_HOUR; /* its energy */
}

/* The machine that it divides with others; NULL: it pays alone, or there are too many. */
static struct shared_machine *machine_of(struct shared_look *look,
                                         const struct ledger_charge *c)
{
    uint64_t key = text_hash(0, c->boot);

    if (!str_eq(c->pays, STR("machine")) || c->boot.len == 0)
        return NULL;
    for (size_t i = 0; i < look->machines; i++)
        if (look->machine[i].key == key)
            return &look->machine[i];
    if (look->machines == SHARED_MACHINES)
        return NULL;
    look->machine[look->machines] = (struct shared_machine){.key = key};
    return &look->machine[look->machines++];
}

/* What the others on it may spend beyond what this run is counted with. */
static int64_t spent_beyond(const struct shared_machine *m)
{
    return m->rate > m->own ? m->rate - m->own : 0;
}

static void add_on_machine(struct shared_look *look, struct shared_machine *m, double rate,
                           double unseen, bool own)
{
    int64_t before = spent_beyond(m);

    if (own && (int64_t)rate > m->own)
        m->own = (int64_t)rate;
    if (!own && (int64_t)rate > m->rate)
        m->rate = (int64_t)rate;
    look->others.nano += spent_beyond(m) - before;
    if (!own && (int64_t)unseen + 1 > m->unseen) {
        look->spent.nano += (int64_t)unseen + 1 - m->unseen;
        m->unseen = (int64_t)unseen + 1;
    }
}

void shared_add(struct shared_look *look, const struct ledger_charge *c, stamp now, bool own)
{
    double rate = charge_rate_of(c);
    /* Moments of the ledger are complete seconds, cut off: a second more than they say. */
    double silent_s = (now.s > c->until.s ? (double)(now.s - c->until.s) : 0) + 1;
    double unseen = rate * silent_s / 3600;
    struct shared_machine *machine;

    if (!(rate > 0) || rate + (double)look->others.nano > 1e18 || unseen > 1e18)
        return;
    machine = machine_of(look, c);
    if (machine != NULL) {
        add_on_machine(look, machine, rate, unseen, own);
    } else if (!own) {
        look->others.nano += (int64_t)rate;
        look->spent.nano += (int64_t)unseen + 1;
    }
}

struct month_others {
    struct shared_look *look;
    struct str id;
    stamp now;
};

static bool add_other_spender(void *ctx, const struct ledger_charge *charge, struct error *err)
{
    const struct month_others *m = ctx;

    (void)err;
    shared_add(m->look, charge, m->now, str_eq(charge->id, m->id));
    return true;
}

bool shared_month(struct ledger *ledger, stamp began, const char *id, stamp now,
                  struct shared_look *out, struct error *err)
{
    struct month_others others = {out, str_from(id), now};

    *out = (struct shared_look){0};
    return ledger_spent(ledger, began, &out->spent, &out->unknown, err) &&
           ledger_charges_open(ledger, add_other_spender, &others, err);
}
