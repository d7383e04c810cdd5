#include "run/phase.h"

#include <math.h>

#include "base/attr.h"

const char *phase_name(enum run_phase phase)
{
    static const char *const names[PHASE_COUNT] = {"set-up",   "data wait",  "train",
                                                   "evaluate", "checkpoint", "idle"};

    return names[phase];
}

int phase_parse(struct str text)
{
    static const struct {
        const char *word;
        enum run_phase phase;
    } words[] = {
        {"set-up", PHASE_SETUP},        {"setup", PHASE_SETUP},
        {"init", PHASE_SETUP},          {"load", PHASE_SETUP},
        {"loading", PHASE_SETUP},       {"compile", PHASE_SETUP},
        {"data wait", PHASE_DATA},      {"data", PHASE_DATA},
        {"data-wait", PHASE_DATA},      {"data_wait", PHASE_DATA},
        {"train", PHASE_TRAIN},         {"training", PHASE_TRAIN},
        {"fit", PHASE_TRAIN},           {"evaluate", PHASE_EVALUATE},
        {"eval", PHASE_EVALUATE},       {"evaluation", PHASE_EVALUATE},
        {"val", PHASE_EVALUATE},        {"validate", PHASE_EVALUATE},
        {"validation", PHASE_EVALUATE}, {"test", PHASE_EVALUATE},
        {"predict", PHASE_EVALUATE},    {"checkpoint", PHASE_CHECKPOINT},
        {"save", PHASE_CHECKPOINT},     {"saving", PHASE_CHECKPOINT},
        {"ckpt", PHASE_CHECKPOINT},     {"idle", PHASE_IDLE},
        {"wait", PHASE_IDLE},           {"done", PHASE_IDLE},
    };

    text = str_trim(text);
    for (size_t i = 0; i < ARRAY_LEN(words); i++) {
        if (str_eq_nocase(text, str_from(words[i].word)))
            return (int)words[i].phase;
    }
    return -1;
}
