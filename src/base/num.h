/* num.h - numbers read and written without a locale and without silent junk.
 *
 * strtod() and its like accept "8 GPUs" as 8 and follow the user's decimal comma; these do
 * neither.
 */
#ifndef BASE_NUM_H
#define BASE_NUM_H

#include <stdint.h>

#include "base/buf.h"
#include "base/str.h"

/* "-12": digits only. False when it is anything else or does not fit. */
bool num_int(struct str text, int64_t *out) MUST_USE;

/* "-12.34" as an integer count of 10^-digits, exactly: no exponent, and no more than `digits`
 * decimals but for zeros at the end. */
bool num_fixed(struct str text, unsigned digits, int64_t *out) MUST_USE;

/* "1.5", "3e-4": the nearest double. False when it is not a number, or does not fit a
 * decimal. */
bool num_double(struct str text, double *out) MUST_USE;

/* "75", "75%", "112.5": a share above 0 and up to 100 (10,000 %), to a hundredth of a percent.
 */
bool num_percent(struct str text, double *out) MUST_USE;

/* How much of a limit is used, in percent: rounded down, and 100 only when all of it is. */
double num_percent_used(double share);

/* The greatest number that divides both, of which one may be 0. Neither is negative. */
int64_t num_common(int64_t a, int64_t b);

/* Smaller first, NaN last. For larger first compare the negatives: NaN still comes last. */
int num_compare(double a, double b);
int num_by_value(const void *a, const void *b); /* the same of two doubles, for qsort() */

/* The value, or another for NaN; it or 0 where it is not above that. */
double num_known_or(double value, double otherwise);
double num_above_zero(double value);

/* What follows a noun behind this count: "" or "s". */
const char *num_plural(int64_t count);

/* The shortest text that reads back as the same double, with a point whatever the locale.
 * Infinities and NaN, which JSON lacks, are written "null". */
void num_write(double value, struct buf *out);

/* The double that num_write() wrote, or any other program: of every exponent, which
 * num_double() has not. False when it is not a number, or is too large. */
bool num_read(struct str text, double *out) MUST_USE;

/* An estimate as people read it, to three digits and never with an exponent: "0.0132", "43.5",
 * "1,010", "58.1 million"; "?" for NaN. */
struct num_text {
    char text[32];
};
struct num_text num_about(double value);

/* One that was given or measured, to four digits: "1234", "12.34"; from 10,000 on as
 * num_about(). */
struct num_text num_figures(double value);

/* As printf's "%.*f", but with a point whatever the locale; NaN is written "?". */
void num_write_fixed(double value, int decimals, struct buf *out);

#endif
