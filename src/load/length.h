/* length.h - how many tokens a request has: the same of all, or drawn. */
#ifndef LOAD_LENGTH_H
#define LOAD_LENGTH_H

#include "base/dice.h"
#include "base/str.h"

enum length_kind {
    LENGTH_FIXED,
    LENGTH_UNIFORM,   /* from `a` to `b`, both included */
    LENGTH_NORMAL,    /* mean `a`, deviation `b` */
    LENGTH_LOGNORMAL, /* median `a`, deviation `b` of the logarithm */
};

struct length_spread {
    enum length_kind kind;
    double a, b;
};

/* "512", "256..1024", "normal:512:128", "lognormal:512:0.8". */
bool length_parse(struct str text, struct length_spread *out, struct error *err) MUST_USE;

/* From 1 to LOAD_TOKENS_MAX. */
int32_t length_draw(const struct length_spread *spread, struct dice *dice);

#endif
