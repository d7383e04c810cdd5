#include "ledger/runs/details.h"

#define MOMENT(joined, member, type, label, text) \
    FIELD_AS(label, type, ledger_moment, sample.member, .help = (text)),
#define MOMENT_DEVICES(parts, member, label, text) \
    FIELD_AS(label, NUMBERS, ledger_moment, sample.member, .sparse = true, .help = (text)),

static const struct field moment_fields[] = {
    FIELD(COUNT, ledger_moment, attempt, .help = "attempt number, from 1"),
    LEDGER_SAMPLE(MOMENT) LEDGER_SAMPLE_DEVICES(MOMENT_DEVICES)};

const struct field_set ledger_moment_fields = FIELD_SET(struct ledger_moment, moment_fields);

static bool read_moments(struct ledger *ledger, const struct ledger_run *run,
                         struct arena *arena, struct rows *out, struct error *err)
{
    size_t room = (size_t)run->attempt_count * LEDGER_SAMPLES, n = 0;
    struct ledger_moment *moments = arena_array(arena, struct ledger_moment, room, err);

    if (moments == NULL)
        return false;
    for (int i = 0; i < run->attempt_count; i++) {
        const struct ledger_sample *samples;
        int number = run->attempts[i].number;
        size_t count;

        if (!ledger_samples(ledger, run->start.id, number, arena, &samples, &count, err))
            return false;
        for (size_t k = 0; k < count; k++)
            moments[n++] = (struct ledger_moment){number, samples[k]};
    }
    *out = (struct rows){moments, n};
    return true;
}

bool ledger_details(struct ledger *ledger, const struct ledger_run *run, struct arena *arena,
                    struct ledger_details *out, struct error *err)
{
    const char *id = run->start.id;
    const struct ledger_price *prices;
    const struct ledger_happening *events;
    const struct ledger_checkpoint *checkpoints;
    const struct ledger_metric *metrics;

    out->attempts = (struct rows){run->attempts, (size_t)run->attempt_count};
    if (!ledger_prices(ledger, id, arena, &prices, &out->prices.len, err) ||
        !ledger_events(ledger, id, arena, &events, &out->events.len, err) ||
        !ledger_checkpoints(ledger, id, arena, &checkpoints, &out->checkpoints.len, err) ||
        !read_moments(ledger, run, arena, &out->samples, err) ||
        !ledger_metrics(ledger, id, arena, &metrics, &out->metrics.len, err))
        return false;
    out->prices.at = prices;
    out->events.at = events;
    out->checkpoints.at = checkpoints;
    out->metrics.at = metrics;
    return true;
}
