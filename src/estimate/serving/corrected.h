/* corrected.h - what the user's own measurements of servers say about predictions.
 *
 * `stint calibrate` learns one factor from what `stint bench` has measured: how much longer a
 * decode step takes than is predicted, for a GPU, an engine on it, a model with that engine, or
 * a setting of that model (estimate/correction.h). What contains decode steps follows from the
 * corrected step. Prompts are not corrected: a time to the first token under load is mostly
 * waiting for others. */
#ifndef ESTIMATE_SERVING_CORRECTED_H
#define ESTIMATE_SERVING_CORRECTED_H

#include "estimate/correction.h"
#include "estimate/serving/infer.h"

#define SERVING_SETTING 24 /* "fp8 tp2 pp1" */

/* What a correction is looked up by. The setting is written to `setting`. */
struct correction_key serving_correction_key(const struct serving *s,
                                             char setting[static SERVING_SETTING]);

/* The one place where a correction is applied: a predicted decode step of `seconds`, as the
 * user's measurements have it. */
double serving_corrected(const struct serving *s, double seconds, const struct constants *c);

/* "tokens take 1.12 times as long (1.04 to 1.21), learned from 6 runs on H100-SXM-80GB with
 * vllm"; empty when nothing was learned. */
bool serving_describe_correction(const struct serving *s, const struct constants *c,
                                 struct arena *arena, struct str *out,
                                 struct error *err) MUST_USE;

#endif
