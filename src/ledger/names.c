#include "ledger/ledger.h"

#include <math.h>

static const char *const names[LEDGER_STATES] = {"running", "done",      "failed",
                                                 "stopped", "preempted", "lost"};

const char *ledger_state_name(enum ledger_state state)
{
    return names[state];
}

bool ledger_state_parse(struct str name, enum ledger_state *out)
{
    for (int i = 0; i < LEDGER_STATES; i++)
        if (str_eq(name, str_from(names[i]))) {
            *out = (enum ledger_state)i;
            return true;
        }
    return false;
}

void ledger_totals_unknown(struct ledger_totals *out)
{
    *out = (struct ledger_totals){
        .at = {-1},
        .elapsed = {-1},
        .cost = USD_UNKNOWN,
        .compute = USD_UNKNOWN,
        .setup = USD_UNKNOWN,
        .storage = USD_UNKNOWN,
        .transfer = USD_UNKNOWN,
        .extra = USD_UNKNOWN,
        .joules = NAN,
        .gpu_joules = NAN,
        .cpu_joules = NAN,
        .energy_error = NAN,
        .grams = NAN,
        .cpu_s = NAN,
        .memory_peak = NAN,
        .read = NAN,
        .written = NAN,
        .received = NAN,
        .sent = NAN,
        .gpu_busy = NAN,
        .gpu_memory_peak = NAN,
        .gpu_memory_total = NAN,
        .gpus = -1,
        .score = NAN,
        .seed_score = NAN,
        .step = NAN,
        .steps = NAN,
        .loss = NAN,
        .best = NAN,
        .checkpoint_bytes = NAN,
        .save_s = NAN,
        .save_memory = NAN,
        .reserve_s = NAN,
        .gpu_memory_run = NAN,
        .paid = {-1},
        .share = NAN,
        .sharers = -1,
        .sharers_most = -1,
        .lost_s = NAN,
    };
    for (int i = 0; i < LEDGER_PHASES; i++)
        out->phase[i] = USD_UNKNOWN;
}

struct str ledger_short(const char *id)
{
    return (struct str){id + LEDGER_ID - 1 - LEDGER_SHORT, LEDGER_SHORT};
}
