/* The detector of daily spending on any numbers, for NAB: one number a line on standard input;
 * for each alarm its index and score on a line of standard output.
 *
 *     bench_spend_detect THRESHOLD SEASON STRETCH SETTLE
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/num.h"
#include "series/daily.h"
#include "series/values.h"

#define MOST 100000
#define WORTH 0.25 /* of a logarithm: what the spread of the first values is made */

static double value[MOST], first[MOST];

/* The method is made for money, and looks at logarithms: what may be negative, or never near
 * nothing, is put on a scale on which the middle half of the first values is WORTH wide. */
static void put_on_scale(size_t len, size_t settle)
{
    size_t n = settle < len ? settle : len;
    double middle, spread;

    for (size_t i = 0; i < n; i++)
        first[i] = value[i];
    values_sort(first, n);
    middle = values_quantile(first, n, 0.5);
    spread = values_quantile(first, n, 0.75) - values_quantile(first, n, 0.25);
    if (!(spread > 0))
        spread = fmax(values_quantile(first, n, 0.99) - values_quantile(first, n, 0.01),
                      fmax(fabs(middle) * 0.01, 1e-9));
    for (size_t i = 0; i < len; i++)
        value[i] = 100 * exp(fmax(-20, fmin(20, WORTH * (value[i] - middle) / spread)));
}

int main(int argc, char **argv)
{
    struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    double number[4] = {0};
    struct anomaly_options options;
    const struct anomaly *found;
    struct daily daily = {{0}, value, 0};
    struct error err;
    size_t count;
    char line[64];

    for (int i = 0; i < 4; i++)
        if (argc != 5 || !num_double(str_from(argv[i + 1]), &number[i]) || number[i] < 0) {
            (void)fprintf(stderr,
                          "usage: bench_spend_detect THRESHOLD SEASON STRETCH SETTLE\n");
            return 2;
        }
    options = (struct anomaly_options){.threshold = number[0],
                                       .season = (size_t)number[1],
                                       .stretch = (size_t)number[2],
                                       .settle = (size_t)number[3]};
    while (daily.len < MOST && fgets(line, sizeof line, stdin) != NULL)
        if (!num_double((struct str){line, strcspn(line, "\r\n")}, &value[daily.len++])) {
            (void)fprintf(stderr, "bench_spend_detect: line %zu is no number\n", daily.len);
            return 3;
        }
    put_on_scale(daily.len, options.settle);
    if (!daily_anomalies(&daily, &options, &arena, &found, &count, &err)) {
        error_print(&err, stderr);
        return 1;
    }
    for (size_t i = 0; i < count; i++)
        printf("%zu %.3f\n", found[i].seen, found[i].score);
    arena_free(&arena);
    return 0;
}
