/* alignment.h - training on preferences and rewards: what is written, and by which models.
 *
 * Counted are the models beside the trained one, their passes, and the answers that are written
 * before they are learned from. The lengths of answers are what matters most and what is known
 * least: where the job does not say, half of the longest is assumed. docs/guide/alignment.md
 * says what of this was measured. */
#ifndef ESTIMATE_MODEL_ALIGNMENT_H
#define ESTIMATE_MODEL_ALIGNMENT_H

#include "estimate/model/choose.h"

/* Fill in `alignment` of the setup, and its sequence: prompt and answer. Nothing changes for
 * plain training. */
bool choose_alignment(const struct job *job, struct setup *s, struct notes *notes,
                      struct error *err) MUST_USE;

/* Tokens that all steps together train on; NaN when the amount of data is not known. */
double alignment_total(const struct job *job, const struct setup *s);

/* Tokens of a prompt, on average. */
double alignment_prompt(const struct alignment *a);

#endif
