/* experiment.h - the folder of an experiment: its model, and what an earlier report of it said.
 */
#ifndef REPORT_EXPERIMENT_H
#define REPORT_EXPERIMENT_H

#include <stddef.h>

#include "report/work.h"

/* The folder without slashes at its end; ERROR_ABSENT when there is none. */
bool experiment_folder(struct str named, struct arena *arena, char **out,
                       struct error *err) MUST_USE;

/* The folder in `experiments` that changed last; false when there is none. */
bool experiment_newest(char *out, size_t room, stamp *at);

/* Bytes of the largest file of a model in the folder and those in it; 0: none. */
double experiment_model_size(const char *folder);

/* What an earlier report of it says, where it is not known now: time, model, and, when `energy`
 * is wanted, energy. ERROR_INPUT when the time is not known then. */
bool experiment_take_earlier(const char *folder, bool energy, struct arena *arena,
                             struct report_work *work, struct error *err) MUST_USE;

#endif
