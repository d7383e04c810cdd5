#include "load/length.h"

#include <math.h>

#include "base/num.h"
#include "load/arrival.h"

static bool is_length(double tokens)
{
    return tokens >= 1 && tokens <= LOAD_TOKENS_MAX;
}

/* "256..1024". */
static bool parse_length_range(struct str text, struct length_spread *out)
{
    for (size_t i = 0; i + 1 < text.len; i++)
        if (text.at[i] == '.' && text.at[i + 1] == '.') {
            struct str low = {text.at, i}, high = {text.at + i + 2, text.len - i - 2};
            int64_t a, b;

            if (!num_int(low, &a) || !num_int(high, &b) || a > b)
                return false;
            *out = (struct length_spread){LENGTH_UNIFORM, (double)a, (double)b};
            return is_length(out->a) && is_length(out->b);
        }
    return false;
}

/* "normal:512:128". */
static bool parse_length_words(struct str text, struct length_spread *out)
{
    struct str rest = text, word = str_cut(&rest, ':'), middle = str_cut(&rest, ':');
    bool normal = str_eq_nocase(word, STR("normal"));

    if ((!normal && !str_eq_nocase(word, STR("lognormal"))) || !num_double(middle, &out->a) ||
        !num_double(rest, &out->b))
        return false;
    out->kind = normal ? LENGTH_NORMAL : LENGTH_LOGNORMAL;
    return is_length(out->a) && out->b >= 0 && out->b <= (normal ? LOAD_TOKENS_MAX : 10);
}

bool length_parse(struct str text, struct length_spread *out, struct error *err)
{
    struct length_spread found;
    int64_t fixed;

    if (num_int(text, &fixed) && is_length((double)fixed)) {
        *out = (struct length_spread){LENGTH_FIXED, (double)fixed, 0};
        return true;
    }
    if (parse_length_range(text, &found) || parse_length_words(text, &found)) {
        *out = found;
        return true;
    }
    return error_fail_hint(err, ERROR_USAGE,
                           "write 512, 256..1024, normal:512:128 (mean, deviation) or "
                           "lognormal:512:0.8 (median, deviation of the logarithm)",
                           "'%.*s' is not a number of tokens from 1 to 1000000", STR_ARG(text));
}

int32_t length_draw(const struct length_spread *spread, struct dice *dice)
{
    double drawn = spread->a;

    if (spread->kind == LENGTH_UNIFORM)
        drawn = floor(spread->a + dice_unit(dice) * (spread->b - spread->a + 1));
    else if (spread->kind == LENGTH_NORMAL)
        drawn = spread->a + spread->b * chance_normal(dice);
    else if (spread->kind == LENGTH_LOGNORMAL)
        drawn = spread->a * exp(spread->b * chance_normal(dice));
    drawn = fmin(fmax(floor(drawn + 0.5), 1), LOAD_TOKENS_MAX);
    return (int32_t)drawn;
}
