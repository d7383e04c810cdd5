/* decimal.h - exact decimal numbers: coefficient x 10^-scale.
 *
 * Bills carry up to 28 decimals and exponents such as 7.0E-10; both are kept exactly, and a
 * sum that does not fit in 128 bits is an error, never a rounding.
 */
#ifndef BASE_DECIMAL_H
#define BASE_DECIMAL_H

#include <limits.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/str.h"

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 uwide;

struct decimal {
    wide coefficient;
    int scale; /* DECIMAL_MIN_SCALE to DECIMAL_MAX_SCALE */
};

#define DECIMAL_MAX_SCALE 60
#define DECIMAL_MIN_SCALE (-60)

/* Where a number is not known; no result of a computation. */
#define DECIMAL_UNKNOWN ((struct decimal){.coefficient = 0, .scale = INT_MAX})

static inline bool decimal_known(struct decimal d)
{
    return d.scale != INT_MAX;
}

/* "-12.340", "7.0E-10", "+3", ".5": no blanks, no other text. Trailing zeros are kept (12.340
 * has scale 3). False when it is not a number, or does not fit. */
bool decimal_parse(struct str text, struct decimal *out) MUST_USE;

/* False when the result does not fit. */
bool decimal_add(struct decimal a, struct decimal b, struct decimal *out) MUST_USE;

/* The exact product; false when it does not fit. */
bool decimal_multiply(struct decimal a, struct decimal b, struct decimal *out) MUST_USE;

/* a / b to this many decimals, halves away from zero. False when b is zero or it does not
 * fit. */
bool decimal_divide(struct decimal a, struct decimal b, int scale,
                    struct decimal *out) MUST_USE;

struct decimal decimal_magnitude(struct decimal d); /* without its sign */

/* Below, equal or above: negative, zero or positive, whatever the scales. */
int decimal_cmp(struct decimal a, struct decimal b);

/* As an integer count of 10^-digits. False when it has more decimals or does not fit. */
bool decimal_fixed(struct decimal d, unsigned digits, int64_t *out) MUST_USE;

/* Without trailing zeros, but with at least this many decimals: 1.500 is 1.5 with 0, 1.50 with
 * 2. Unknown stays unknown. */
struct decimal decimal_trim(struct decimal d, int scale);

/* The nearest double. */
double decimal_double(struct decimal d);

/* Plain digits, never an exponent: "-12.340"; "?" when unknown. */
void decimal_write(struct decimal d, struct buf *out);

#endif
