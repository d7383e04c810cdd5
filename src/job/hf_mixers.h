/* hf_mixers.h - which layers of a config.json have attention, and what the others keep. For
 * src/job only. */
#ifndef JOB_HF_MIXERS_H
#define JOB_HF_MIXERS_H

#include "job/arch.h"

/* As the config lists them; nothing where it has no list. */
struct layer_kinds {
    int64_t listed, full, windowed;
};

struct layer_kinds layer_kinds_of(const struct node *config);

/* Nemotron-H counts mixers, attention and feed-forward as layers of their own. A layer here has
 * one of the first two and a feed-forward: as many as there are of these, with a width that
 * makes the sum of the feed-forward right. */
bool join_single_layers(const struct node *config, struct arch *a, struct error *err) MUST_USE;

/* Fills in the mixers of `a`, whose layers, width and heads are known. */
void read_mixers(const struct node *config, struct arch *a);

#endif
