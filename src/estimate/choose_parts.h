/* choose_parts.h - what the two choosers share. */
#ifndef ESTIMATE_CHOOSE_PARTS_H
#define ESTIMATE_CHOOSE_PARTS_H

#include "estimate/choose.h"

/* What is not said is 1. */
int64_t choose_or_one(int64_t n);

#endif
