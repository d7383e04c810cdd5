/* range.h - how sure an estimate is: the 10th and 90th percentile around it. */
#ifndef ESTIMATE_RANGE_H
#define ESTIMATE_RANGE_H

#include "doc/field.h"
#include "estimate/constants.h"
#include "estimate/model/setup.h"
#include "estimate/serving/infer.h"
#include "estimate/step/step.h"

/* Low and high are the 10th and 90th percentile: about 8 of 10 measured values lie between. */
struct guess {
    double value, low, high;
};

extern const struct field_set guess_set;

/* How far a time may be off: the logarithm of what is measured over what is expected is spread
 * around `late`, since more can make work slower than faster. */
struct doubt {
    double spread, late;
};

/* The spread of a step's time: wider where more is guessed, and where the host decides. */
double step_spread(const struct setup *s, const struct step *step, const struct constants *c);
struct doubt step_doubt(const struct setup *s, const struct step *step,
                        const struct constants *c);

/* Of the memory of training: narrow for Hugging Face's model code, whose tensors are
 * counted. */
struct doubt memory_doubt(const struct setup *s, const struct constants *c);

/* Of a time or rate of serving, whose own spread is `base`. */
double serving_spread(const struct serving *s, enum constant_id base,
                      const struct constants *c);

struct doubt serving_doubt(const struct serving *s, enum constant_id base,
                           const struct constants *c);

/* Of its latencies under a load that takes this share of what it can do: the nearer to all, the
 * more an error of that shows in them. 0: not known, or always busy. */
struct doubt serving_load_doubt(const struct serving *s, enum constant_id base,
                                double utilization, const struct constants *c);

/* Of the memory of serving. */
struct doubt serving_memory_doubt(const struct serving_memory *m, const struct constants *c);

/* Around `value`, when the logarithm of its error has this spread (one standard deviation). */
struct guess guess_of(double value, double spread);

/* Of a time or a size, and of what is done in a time. */
struct guess guess_time(double value, struct doubt doubt);
struct guess guess_rate(double value, struct doubt doubt);

/* The same guess times something that is in 8 of 10 cases within a factor of exp(width). */
struct guess guess_widen(struct guess guess, double width);

/* The chance that it is at most `limit`. */
double guess_chance(double value, struct doubt doubt, double limit);

/* The rule for memory, wherever something is said to fit. Below the second it does not. */
#define FITS_CHANCE 0.8
#define MAY_FIT_CHANCE 0.2

/* The share of the memory that something of this doubt may take, to fit by that rule. */
double fits_share(struct doubt doubt);

/* The chance of a guess that is known by its ends; and what it is below with that chance. */
double guess_chance_below(struct guess guess, double limit);
double guess_most(struct guess guess, double chance);

#endif
