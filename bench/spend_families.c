#include "spend_families.h"

#include <math.h>
#include <string.h>

#define DAYS 240
#define FIRST_EVENT 40 /* the earliest day of one */
#define WEEK 7
#define SERVICES 3

/* xorshift64*: not the generator of the other source. */
struct lots {
    uint64_t state;
};

static double draw(struct lots *l)
{
    l->state ^= l->state >> 12;
    l->state ^= l->state << 25;
    l->state ^= l->state >> 27;
    return (double)((l->state * UINT64_C(2685821657736338717)) >> 11) * 0x1p-53;
}

static double draw_between(struct lots *l, double low, double high)
{
    return low + (high - low) * draw(l);
}

static double draw_log(struct lots *l, double low, double high)
{
    return low * pow(high / low, draw(l));
}

/* The sum of twelve: near enough to normal, and never beyond six deviations. */
static double draw_normal(struct lots *l)
{
    double sum = -6;

    for (int i = 0; i < 12; i++)
        sum += draw(l);
    return sum;
}

static size_t draw_days(struct lots *l, size_t low, size_t high)
{
    return low + (size_t)(draw(l) * (double)(high - low + 1));
}

const char *spend_family_name(enum spend_family family)
{
    static const char *const names[SPEND_FAMILIES] = {
        [FAMILY_LOGNORMAL] = "lognormal", [FAMILY_WEEKLY] = "weekly",
        [FAMILY_STEADY] = "steady",       [FAMILY_QUIET] = "quiet",
        [FAMILY_TREND] = "trend",         [FAMILY_ZEROS] = "zeros",
        [FAMILY_MONTH] = "month",         [FAMILY_SERVICES] = "services",
        [FAMILY_SLOW] = "slow",           [FAMILY_HEAVY] = "heavy"};

    return names[family];
}

/* What one stream of spending is made of. */
struct stream {
    double level, sigma, follows, growth, week[WEEK], zeros, charge, before, heavy;
    int charge_day;
};

static void make_stream(struct lots *l, enum spend_family family, struct stream *s)
{
    double strength = family == FAMILY_WEEKLY   ? draw_between(l, 0.3, 0.8)
                      : family == FAMILY_STEADY ? 0
                                                : draw_between(l, 0, 0.25);

    *s = (struct stream){.level = draw_log(l, 60, 6000), .sigma = draw_log(l, 0.03, 0.2)};
    if (family == FAMILY_LOGNORMAL)
        s->sigma = draw_log(l, 0.05, 0.3);
    if (family == FAMILY_STEADY)
        s->sigma = draw_log(l, 0.005, 0.03);
    if (family == FAMILY_WEEKLY)
        s->sigma = draw_log(l, 0.03, 0.12);
    if (family == FAMILY_TREND)
        s->growth = draw_between(l, -0.008, 0.01);
    if (family == FAMILY_ZEROS)
        s->zeros = draw_between(l, 0.1, 0.5);
    if (family == FAMILY_HEAVY)
        s->heavy = 0.05;
    if (family == FAMILY_SLOW)
        s->follows = draw_between(l, 0.4, 0.8);
    if (family == FAMILY_MONTH) {
        s->charge = s->level * draw_log(l, 0.3, 4);
        s->charge_day = (int)draw_days(l, 1, 3);
    }
    for (size_t i = 0; i < WEEK; i++) /* two days off, the others a little apart */
        s->week[i] = (i < 2 ? 1 - strength : 1) * exp(0.3 * strength * draw_normal(l) / 3);
}

/* The day of the month of a count of days since 1970. */
static int day_in_month(int32_t n)
{
    static const int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int year = 1970, month = 0;

    for (;; year++) {
        int length = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 366 : 365;

        if (n < length)
            break;
        n -= length;
    }
    for (;; month++) {
        int length = lengths[month] + (month == 1 && year % 4 == 0);

        if (n < length)
            return n + 1;
        n -= length;
    }
}

static double stream_day(struct lots *l, struct stream *s, int32_t day, size_t t)
{
    double fresh = sqrt(1 - s->follows * s->follows), amount;

    s->before = s->follows * s->before + fresh * draw_normal(l);
    if (s->heavy > 0 && draw(l) < s->heavy)
        s->before *= 3;
    amount = s->level * exp(s->growth * (double)t + s->sigma * s->before) * s->week[day % WEEK];
    if (draw(l) < s->zeros)
        amount = 0;
    return amount + (day_in_month(day) == s->charge_day ? s->charge : 0);
}

/* By what the days of an event are multiplied: all at once, or growing; it ends, or stays. */
static void apply_event(struct spend_event *e, bool ends, double factor, double *amount,
                        size_t days)
{
    size_t length = e->last - e->first + 1;

    for (size_t t = e->first; t < (ends ? e->last + 1 : days); t++) {
        double part = e->kind == SPEND_RAMP && t <= e->last
                          ? (double)(t - e->first + 1) / (double)length
                          : 1;
        double before = amount[t];

        amount[t] *= pow(factor, part);
        if (t <= e->last)
            e->money += fabs(amount[t] - before);
    }
}

/* One moderate event from day `at`. */
static void draw_event(struct lots *l, size_t at, struct spend_series *out)
{
    struct spend_event *e = &out->event[out->events++];
    double kind = draw(l), factor = draw_log(l, 1.3, 3);
    size_t length = draw_days(l, 1, 14);
    bool ends = true;

    e->kind = length <= 2 ? SPEND_SPIKE : SPEND_PLATEAU;
    if (kind < 0.2) {
        e->kind = SPEND_SHIFT;
        length = 14;
        ends = false;
    } else if (kind < 0.4) {
        e->kind = SPEND_RAMP;
        length = draw_days(l, 5, 14);
        ends = draw(l) < 0.5;
    } else if (kind < 0.55) {
        e->kind = SPEND_DROP;
        factor = 1 / factor;
    }
    e->down = factor < 1;
    e->first = at;
    e->last = at + length - 1;
    apply_event(e, ends, factor, out->amount, out->days);
    if (!(e->money > 0)) /* on days without spending: there is nothing to see */
        out->events--;
}

/* Next to nothing, until it begins. */
static size_t make_quiet(struct lots *l, struct spend_series *out)
{
    size_t begins = draw_days(l, FIRST_EVENT, 90);
    double rest = draw(l) < 0.5 ? 0 : draw_between(l, 0.005, 0.05);

    for (size_t t = 0; t < begins; t++)
        out->amount[t] *= rest;
    out->event[out->events++] =
        (struct spend_event){.kind = SPEND_SHIFT, .first = begins, .last = begins + 13};
    for (size_t t = begins; t < begins + 14; t++)
        out->event[0].money += out->amount[t];
    return begins + 30;
}

void spend_family_make(enum spend_family family, uint64_t seed, struct spend_series *out)
{
    struct lots l = {seed * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)family * 1000003 + 77};
    size_t streams = family == FAMILY_SERVICES ? SERVICES : 1, at;
    double one[SPEND_DAYS];
    bool events;

    memset(out, 0, sizeof *out);
    out->days = DAYS;
    for (int i = 0; i < 16; i++)
        (void)draw(&l); /* near seeds part */
    out->first_day = 19500 + (int32_t)draw_days(&l, 0, 700);
    events = draw(&l) < 0.75;
    for (size_t k = 0; k < streams; k++) {
        struct stream s;

        make_stream(&l, family, &s);
        if (k > 0) /* of the size of the first, or less */
            s.level = one[0] * draw_log(&l, 0.3, 1);
        for (size_t t = 0; t < DAYS; t++) {
            one[t] = stream_day(&l, &s, out->first_day + (int32_t)t, t);
            out->amount[t] += one[t];
        }
    }
    at = family == FAMILY_QUIET ? make_quiet(&l, out) : FIRST_EVENT + draw_days(&l, 0, 60);
    memcpy(out->ordinary, out->amount, sizeof out->ordinary);
    for (; events && out->events < SPEND_EVENTS && at + 28 < DAYS;
         at = out->event[out->events - 1].last + draw_days(&l, 25, 90)) {
        size_t before = out->events;

        draw_event(&l, at, out);
        if (out->events == before)
            break;
    }
}
