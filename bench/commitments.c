/* How long it takes to find what to commit to for three years of hours, against trying every
 * amount that is some hour's load.
 *
 *     bench_commitments
 */
#include <math.h>
#include <stdio.h>
#include <time.h>

#include "advise/economics/commitments.h"
#include "base/draw.h"

#define HOURS ((size_t)3 * 8760)
#define TRIED 200 /* amounts of the peer: it needs as long for each */

static double dollars[HOURS];

static double now(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* The cost of an amount, from the definition. */
static double cost_of(double commit, double discount)
{
    double sum = 0;

    for (size_t i = 0; i < HOURS; i++)
        sum += fmax(dollars[i] - commit, 0);
    return commit * (1 - discount) + sum / (double)HOURS;
}

int main(void)
{
    struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    const struct commitment_offer offers[] = {
        {.term_months = 12, .discount_low = 0.3, .discount_high = 0.4},
        {.term_months = 36, .discount_low = 0.5, .discount_high = 0.6},
        {.term_months = 12, .discount_low = 0.3, .discount_high = 0.37, .sustained = 0.3},
        {.term_months = 36, .discount_low = 0.45, .discount_high = 0.55, .sustained = 0.3}};
    struct commitment_option options[ARRAY_LEN(offers)];
    struct commitment_load load = {{0}, dollars, HOURS};
    struct error err = {0};
    uint64_t draw = 1;
    double start, exact, tried;

    for (size_t i = 0; i < HOURS; i++)
        dollars[i] = (double)draw_below(&draw, 1000000) * 1e-3 + (i % 24 < 12 ? 200 : 0);
    start = now();
    if (!commitment_options(&load, offers, ARRAY_LEN(offers), &arena, options, &err)) {
        (void)fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    exact = now() - start;
    start = now();
    for (size_t i = 0; i < TRIED; i++)
        start += cost_of(dollars[i], 0.3) < 0 ? 1 : 0;
    tried = (now() - start) / TRIED * (double)HOURS * ARRAY_LEN(offers);
    printf("%zu hours, %zu offers: %.4f s exact; %.1f s by trying each hour's load\n", HOURS,
           ARRAY_LEN(offers), exact, tried);
    arena_free(&arena);
    return 0;
}
