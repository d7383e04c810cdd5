/* step_values.h - the values of a metric by the step or epoch that was printed beside them:
 * what a file that is called by its step holds, however late its line is read.
 *
 * Bounded: the newest STEP_VALUES numbers at least, twice as many at most.
 */
#ifndef RUN_OUTPUT_STEP_VALUES_H
#define RUN_OUTPUT_STEP_VALUES_H

#include <stdint.h>

#include "base/arena.h"

#define STEP_VALUES 8192

enum step_unit {
    STEP_PRINTED, /* as the line has it */
    STEP_IN_ALL,  /* of all epochs, where lines count within one */
    STEP_EPOCH,
};
#define STEP_UNITS (STEP_EPOCH + 1)

struct step_value {
    double number, value;
    enum step_unit unit;
    bool used, evaluated;
    bool differs; /* the number was printed with several values */
};

struct step_values {
    struct step_value *now, *before; /* tables by number; NULL: none are kept */
    size_t count;                    /* in `now` */
    double most[STEP_UNITS];         /* the greatest number; NaN: none yet */
    bool lossy;                      /* lines were left unread */
};

bool step_values_start(struct step_values *values, struct arena *arena,
                       struct error *err) MUST_USE;

/* A line had this number and this value. One of an evaluation counts more than one of training,
 * which may repeat the last. */
void step_values_see(struct step_values *values, enum step_unit unit, double number,
                     double value, bool evaluated);

/* NULL: no line had this number. */
const struct step_value *step_values_find(const struct step_values *values, enum step_unit unit,
                                          double number);

#endif
