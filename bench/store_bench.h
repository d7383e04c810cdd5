/* store_bench.h - what the two stores of bench_store have in common. */
#ifndef BENCH_STORE_BENCH_H
#define BENCH_STORE_BENCH_H

#include <stddef.h>
#include <stdint.h>

#define MACHINES 83
#define ZONES 20
#define SERIES (MACHINES * ZONES)
#define DAYS 1080
#define START INT64_C(1669939200) /* 2022-12-02 */
#define DAY_S INT64_C(86400)
#define READS 200

extern char theirs[4096]; /* the path of the table's file */

struct prices {
    uint32_t seed;
    int64_t spot[SERIES]; /* in units of 0.0001 */
};

void prices_begin(struct prices *p);

/* Tomorrow's price of a series, in billionths. */
int64_t next_price(struct prices *p, size_t series);

double now_s(void);
void die(const char *what);

/* Steps, of which each returns the seconds that it took; of reads and openings, one of them. */
double insert_all(void);
double insert_one_more(void);
double open_database(void);
double read_database(void);

#endif
