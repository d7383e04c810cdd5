/* explain_list.h - a list of formulas that is being written. For the files explain*.c alone. */
#ifndef OP_ESTIMATE_EXPLAIN_LIST_H
#define OP_ESTIMATE_EXPLAIN_LIST_H

#include "op/estimate/explain.h"

#define EXPLAIN_MAX 64 /* formulas that one function adds; a test shows that it is enough */

struct explain {
    struct arena *arena;
    struct estimate_formula *at;
    size_t len, max;
    bool failed; /* the error is set; nothing more is added */
    struct error *err;
};

/* What differs between two numbers, as " + 1.2e9" or " - 1.2e9"; empty when it does not
 * matter. */
struct explain_rest {
    char text[32];
};

struct explain_rest explain_rest(double value, double counted);

#endif
