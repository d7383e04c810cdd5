/* lstm.h - one pass, forward and backward, through the layers of an LSTM. */
#ifndef ESTIMATE_LSTM_H
#define ESTIMATE_LSTM_H

#include "estimate/kernels.h"
#include "estimate/step.h"

void lstm_pass(struct step *t, const struct setup *s, const struct rates *r,
               const struct constants *c);

#endif
