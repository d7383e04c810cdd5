/* The detector of values that come more often than daily, for NAB: one number a line on
 * standard input; for each alarm its index and score on a line of standard output.
 *
 *     bench_spend_detect THRESHOLD SECONDS_BETWEEN_VALUES SETTLE
 */
#include <stdio.h>
#include <string.h>

#include "base/num.h"
#include "series/telemetry.h"

#define MOST 100000

static double value[MOST];

static bool read_values(struct telemetry *series)
{
    char line[64];

    while (series->len < MOST && fgets(line, sizeof line, stdin) != NULL)
        if (!num_double((struct str){line, strcspn(line, "\r\n")}, &value[series->len++])) {
            (void)fprintf(stderr, "bench_spend_detect: line %zu is not a number\n",
                          series->len);
            return false;
        }
    return true;
}

int main(int argc, char **argv)
{
    struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    double number[3] = {0};
    struct telemetry_options options;
    struct telemetry series = {value, 0, 0};
    const struct anomaly *found;
    struct error err;
    size_t count;

    for (int i = 0; i < 3; i++)
        if (argc != 4 || !num_double(str_from(argv[i + 1]), &number[i]) || number[i] < 0 ||
            number[i] > MOST) {
            (void)fprintf(stderr, "usage: bench_spend_detect THRESHOLD "
                                  "SECONDS_BETWEEN_VALUES SETTLE\n");
            return 2;
        }
    series.interval = number[1];
    options = (struct telemetry_options){number[0], (size_t)number[2]};
    if (!read_values(&series))
        return 3;
    if (!telemetry_anomalies(&series, &options, &arena, &found, &count, &err)) {
        error_print(&err, stderr);
        return 1;
    }
    for (size_t i = 0; i < count; i++)
        printf("%zu %.3f\n", found[i].seen, found[i].score);
    arena_free(&arena);
    return 0;
}
