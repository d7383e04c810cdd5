/* example.h - files to try Stint with: request and result of example. */
#ifndef OP_EXAMPLE_H
#define OP_EXAMPLE_H

#include "demo/example_write.h"

extern const struct op op_example;

struct example_request {
    struct strs names;
    bool all, force;
    struct str output; /* a folder; empty: the current one, or "examples" for all */
};

struct example_result {
    struct rows examples; /* struct example_row */
    struct str folder;    /* of all; unknown: single files, or none */
};

#endif
