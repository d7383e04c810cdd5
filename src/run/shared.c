#include "run/shared.h"

#include "unit/time.h"

/* Of an attempt that is under way; 0: not known. */
static double rate_of(const struct ledger_charge *c)
{
    if (c->rate.nano != MONEY_UNKNOWN)
        return (double)c->rate.nano;
    if (c->compute.nano == MONEY_UNKNOWN || c->elapsed.ns <= 0)
        return 0;
    return (double)c->compute.nano / (double)c->elapsed.ns * (double)SPAN_HOUR; /* its energy */
}

void shared_add(struct shared_look *look, const struct ledger_charge *c, stamp now)
{
    double rate = rate_of(c);
    /* Moments of the ledger are whole seconds, cut off: a second more than they say. */
    double silent_s = (now.s > c->until.s ? (double)(now.s - c->until.s) : 0) + 1;
    double unseen = rate * silent_s / 3600;

    if (!(rate > 0) || rate + (double)look->others.nano > 1e18 || unseen > 1e18)
        return;
    look->others.nano += (int64_t)rate;
    look->spent.nano += (int64_t)unseen + 1;
}

struct month_others {
    struct shared_look *look;
    struct str id;
    stamp now;
};

static bool add_other(void *ctx, const struct ledger_charge *charge, struct error *err)
{
    const struct month_others *m = ctx;

    (void)err;
    if (!str_eq(charge->id, m->id))
        shared_add(m->look, charge, m->now);
    return true;
}

bool shared_month(struct ledger *ledger, stamp began, const char *id, stamp now,
                  struct shared_look *out, struct error *err)
{
    struct month_others others = {out, str_from(id), now};

    *out = (struct shared_look){0};
    return ledger_spent(ledger, began, &out->spent, &out->unknown, err) &&
           ledger_charges_open(ledger, add_other, &others, err);
}
