#include "spend_score.h"

#define QUARTER 90

double tally_recall(const struct spend_tally *t)
{
    return t->events > 0 ? (double)t->found / (double)t->events : 0;
}

double tally_precision(const struct spend_tally *t)
{
    size_t reported = t->found + t->false_alarms;

    return reported > 0 ? (double)t->found / (double)reported : 0;
}

double tally_f1(const struct spend_tally *t)
{
    double p = tally_precision(t), r = tally_recall(t);

    return p + r > 0 ? 2 * p * r / (p + r) : 0;
}

double tally_false_per_quarter(const struct spend_tally *t)
{
    return t->days > 0 ? (double)t->false_alarms / (double)t->days * QUARTER : 0;
}

static size_t reach(const struct spend_event *e)
{
    return e->last > e->first + SCORE_LATE ? e->last : e->first + SCORE_LATE;
}

static void add_event(const struct spend_series *s, const struct spend_event *e, bool found,
                      size_t delay, struct spend_score *score)
{
    struct spend_tally *to[] = {&score->of[e->kind][s->noise], &score->noise[s->noise],
                                &score->all};

    for (size_t i = 0; i < 3; i++) {
        to[i]->events++;
        to[i]->money += e->money;
        if (found) {
            to[i]->found++;
            to[i]->delay += (double)delay;
            to[i]->money_found += e->money;
        }
    }
}

/* Is this alarm false? Marks what it finds. */
static bool judge(const struct spend_series *s, const struct spend_alarm *a, bool *found,
                  size_t *delay)
{
    for (size_t i = 0; i < s->events; i++) {
        const struct spend_event *e = &s->event[i];

        if (a->at < e->first || a->at > reach(e) + SCORE_GRACE)
            continue;
        if (a->at > reach(e) || a->down != e->down)
            return false;
        if (found[i])
            return true;
        found[i] = true;
        delay[i] = a->at - e->first;
        return false;
    }
    return true;
}

void spend_score(const struct spend_series *s, const struct spend_alarm *alarms, size_t count,
                 size_t settle, struct spend_score *score)
{
    bool found[SPEND_EVENTS] = {false};
    size_t delay[SPEND_EVENTS] = {0}, wrong = 0;
    struct spend_tally *to[] = {&score->noise[s->noise], &score->all};

    for (size_t i = 0; i < count; i++)
        wrong += judge(s, &alarms[i], found, delay);
    for (size_t i = 0; i < s->events; i++)
        add_event(s, &s->event[i], found[i], delay[i], score);
    for (size_t i = 0; i < 2; i++) {
        to[i]->series++;
        to[i]->alarms += count;
        to[i]->false_alarms += wrong;
        to[i]->days += s->days - settle;
    }
}
