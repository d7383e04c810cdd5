#include "base/decimal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/characters.h"

/* Leaves `*n` as it is when ten times it does not fit. (The compiler's own check of a 128-bit
 * product needs a function that libgcc does not have.) */
static bool times_ten(wide *n)
{
    const wide half = (wide)1 << 126, limit = (half - 1 + half) / 10;

    if (*n > limit || *n < -limit)
        return false;
    *n *= 10;
    return true;
}

/* The exponent after 'e': at most three digits, since no more can fit. */
static bool parse_exponent(struct str text, int *out)
{
    bool negative = text.len > 0 && text.at[0] == '-';
    size_t i = text.len > 0 && (text.at[0] == '-' || text.at[0] == '+') ? 1 : 0;
    int value = 0;

    if (i == text.len || text.len - i > 3)
        return false;
    for (; i < text.len; i++) {
        if (!is_digit(text.at[i]))
            return false;
        value = value * 10 + (text.at[i] - '0');
    }
    *out = negative ? -value : value;
    return true;
}

static bool parse_digits(struct str text, size_t start, struct decimal *d, size_t *end)
{
    bool point = false, any = false;
    size_t i = start;
    uint64_t first = 0; /* the first digits, as many as fit in a word: bills have millions */

    for (unsigned digits = 0; i < text.len && digits < 18; i++) {
        unsigned digit = (unsigned)(unsigned char)text.at[i] - '0';

        if (digit <= 9) {
            first = first * 10 + digit;
            d->scale += point;
            any = true;
            digits++;
        } else if (text.at[i] == '.' && !point) {
            point = true;
        } else {
            break;
        }
    }
    d->coefficient = first;
    for (; i < text.len; i++) {
        if (text.at[i] == '.' && !point) {
            point = true;
            continue;
        }
        if (!is_digit(text.at[i]))
            break;
        any = true;
        d->scale += point;
        if (!times_ten(&d->coefficient) ||
            __builtin_add_overflow(d->coefficient, (wide)(text.at[i] - '0'), &d->coefficient))
            return false;
    }
    *end = i;
    return any;
}

bool decimal_parse(struct str text, struct decimal *out)
{
    bool negative = text.len > 0 && text.at[0] == '-';
    size_t i = text.len > 0 && (text.at[0] == '-' || text.at[0] == '+') ? 1 : 0;
    struct decimal d = {0};
    int exponent = 0;

    if (!parse_digits(text, i, &d, &i))
        return false;
    if (i < text.len) {
        struct str rest = {text.at + i + 1, text.len - i - 1};

        if ((text.at[i] != 'e' && text.at[i] != 'E') || !parse_exponent(rest, &exponent))
            return false;
    }
    d.scale -= exponent;
    if (d.scale > DECIMAL_MAX_SCALE || d.scale < DECIMAL_MIN_SCALE)
        return false;
    if (negative)
        d.coefficient = -d.coefficient;
    *out = d;
    return true;
}

/* Give `d` the larger scale `scale` without changing its value. */
static bool rescale_decimal(struct decimal *d, int scale)
{
    for (; d->scale < scale; d->scale++)
        if (d->coefficient != 0 && !times_ten(&d->coefficient))
            return false;
    return true;
}

bool decimal_add(struct decimal a, struct decimal b, struct decimal *out)
{
    int scale = a.scale > b.scale ? a.scale : b.scale;

    if (!rescale_decimal(&a, scale) || !rescale_decimal(&b, scale))
        return false;
    out->scale = scale;
    return !__builtin_add_overflow(a.coefficient, b.coefficient, &out->coefficient);
}

static int sign(wide n)
{
    return (n > 0) - (n < 0);
}

int decimal_cmp(struct decimal a, struct decimal b)
{
    int scale = a.scale > b.scale ? a.scale : b.scale;
    int sign_a = sign(a.coefficient), sign_b = sign(b.coefficient);

    if (sign_a != sign_b)
        return sign_a - sign_b;
    /* The one whose digits overflow at the common scale has the larger magnitude. */
    if (!rescale_decimal(&a, scale))
        return sign_a;
    if (!rescale_decimal(&b, scale))
        return -sign_b;
    return (a.coefficient > b.coefficient) - (a.coefficient < b.coefficient);
}

struct decimal decimal_magnitude(struct decimal d)
{
    if (d.coefficient < 0)
        d.coefficient = -d.coefficient;
    return d;
}

/* The same value without zeros at the end of its decimals. */
static struct decimal trim_zeros(struct decimal d)
{
    while (d.scale > 0 && d.coefficient % 10 == 0) {
        d.coefficient /= 10;
        d.scale--;
    }
    return d;
}

/* The product, when it fits: the magnitudes are multiplied half by half. */
static bool multiply_wide(wide a, wide b, wide *out)
{
    const uint64_t low = UINT64_MAX;
    bool negative = (a < 0) != (b < 0);
    uwide x = a < 0 ? -(uwide)a : (uwide)a, y = b < 0 ? -(uwide)b : (uwide)b;
    uwide cross, product;

    if (x > y) { /* so that only y may have an upper half */
        uwide other = x;

        x = y;
        y = other;
    }
    if (x > low)
        return false;
    cross = x * (y >> 64);
    if (cross > low)
        return false;
    product = x * (y & low);
    if (product + (cross << 64) < product || (product + (cross << 64)) >> 127 != 0)
        return false;
    product += cross << 64;
    *out = negative ? -(wide)product : (wide)product;
    return true;
}

bool decimal_multiply(struct decimal a, struct decimal b, struct decimal *out)
{
    struct decimal d;

    a = trim_zeros(a);
    b = trim_zeros(b);
    if (!multiply_wide(a.coefficient, b.coefficient, &d.coefficient))
        return false;
    d.scale = a.scale + b.scale;
    while (d.scale > DECIMAL_MAX_SCALE && d.coefficient % 10 == 0) {
        d.coefficient /= 10;
        d.scale--;
    }
    *out = d;
    return d.scale <= DECIMAL_MAX_SCALE && d.scale >= DECIMAL_MIN_SCALE;
}

/* The one number that has no opposite. */
static bool is_least(wide n)
{
    return n < -(((wide)1 << 126) - 1 + ((wide)1 << 126));
}

bool decimal_divide(struct decimal a, struct decimal b, int scale, struct decimal *out)
{
    bool negative;
    wide rest;

    a = trim_zeros(a);
    b = trim_zeros(b);
    if (b.coefficient == 0 || is_least(a.coefficient) || is_least(b.coefficient))
        return false;
    /* a / b at this scale: the digits of a, moved, over those of b. */
    for (int move = scale + b.scale - a.scale; move != 0; move += move < 0 ? 1 : -1)
        if (!times_ten(move > 0 ? &a.coefficient : &b.coefficient))
            return false;
    out->coefficient = a.coefficient / b.coefficient;
    out->scale = scale;
    negative = (a.coefficient < 0) != (b.coefficient < 0);
    rest = a.coefficient % b.coefficient;
    if (rest < 0)
        rest = -rest;
    if (b.coefficient < 0)
        b.coefficient = -b.coefficient;
    if (rest >= b.coefficient - rest) /* half or more: away from zero */
        out->coefficient += negative ? -1 : 1;
    *out = trim_zeros(*out);
    return true;
}

bool decimal_fixed(struct decimal d, unsigned digits, int64_t *out)
{
    int wanted = (int)digits;

    while (d.scale > wanted && d.coefficient % 10 == 0) {
        d.coefficient /= 10;
        d.scale--;
    }
    if (d.scale > wanted || !rescale_decimal(&d, wanted))
        return false;
    if (d.coefficient > INT64_MAX || d.coefficient < INT64_MIN)
        return false;
    *out = (int64_t)d.coefficient;
    return true;
}

#define DIGITS_MAX 40 /* of 128 bits */

/* The digits of `n` without its sign, at the end of `room`: where they start. */
static size_t put_coefficient(wide n, char room[DIGITS_MAX])
{
    size_t at = DIGITS_MAX;

    if (n >= INT64_MIN / 2 && n <= INT64_MAX) { /* far quicker */
        uint64_t small = (uint64_t)(n < 0 ? -n : n);

        do
            room[--at] = (char)('0' + small % 10);
        while ((small /= 10) != 0);
        return at;
    }
    /* Digit by digit from the right; the remainder of a negative number is negative. */
    do {
        int digit = (int)(n % 10);

        room[--at] = (char)('0' + (digit < 0 ? -digit : digit));
        n /= 10;
    } while (n != 0);
    return at;
}

struct decimal decimal_trim(struct decimal d, int scale)
{
    while (decimal_known(d) && d.scale > scale && d.coefficient % 10 == 0) {
        d.coefficient /= 10;
        d.scale--;
    }
    return d;
}

double decimal_double(struct decimal d)
{
    const wide exact = (wide)1 << 53;
    char text[DIGITS_MAX + 16];
    double size;

    /* One rounding when both parts are exact (Clinger's fast path). */
    if (d.coefficient > -exact && d.coefficient < exact && d.scale >= -22 && d.scale <= 22)
        return d.scale >= 0 ? (double)d.coefficient / pow(10, d.scale)
                            : (double)d.coefficient * pow(10, -d.scale);
    /* Text without a point is the same in every locale. */
    (void)snprintf(text + DIGITS_MAX, sizeof text - DIGITS_MAX, "e%d", -d.scale);
    size =
        strtod(text + put_coefficient(d.coefficient, text), NULL); /* allowed: no point in it */
    return d.coefficient < 0 ? -size : size;
}

void decimal_write(struct decimal d, struct buf *out)
{
    char digits[DIGITS_MAX];
    size_t at = put_coefficient(d.coefficient, digits), count = sizeof digits - at;
    bool negative = d.coefficient < 0;

    if (!decimal_known(d)) {
        buf_char(out, '?');
        return;
    }
    if (negative)
        buf_char(out, '-');
    if (d.scale <= 0) {
        buf_add(out, (struct str){digits + at, count});
        buf_pad(out, '0', d.coefficient != 0 ? (size_t)-d.scale : 0);
        return;
    }
    if (count <= (size_t)d.scale) {
        buf_adds(out, "0.");
        buf_pad(out, '0', (size_t)d.scale - count);
        buf_add(out, (struct str){digits + at, count});
        return;
    }
    buf_add(out, (struct str){digits + at, count - (size_t)d.scale});
    buf_char(out, '.');
    buf_add(out, (struct str){digits + at + count - (size_t)d.scale, (size_t)d.scale});
}
