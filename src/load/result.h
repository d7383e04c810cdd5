/* result.h - what a run says: latencies, throughput, errors, money, and whether to believe
 * it. */
#ifndef LOAD_RESULT_H
#define LOAD_RESULT_H

#include "load/drive.h"
#include "unit/money.h"

struct load_error_row {
    struct str what;
    int64_t count;
    double share;
};

struct load_result {
    struct str url, model, api;
    double rate;   /* requests a second that were asked for; NaN: not by rate */
    int64_t users; /* -1: not by users */
    int32_t ended; /* enum load_ended */
    bool valid;
    struct str invalid; /* why not */
    double warmup_s, measured_s;
    int64_t requests, answered, failed; /* without the warm-up */
    struct rows errors;                 /* struct load_error_row */
    struct str first_error;             /* in the server's words */
    double sent_per_s, answered_per_s;
    double input_per_s, output_per_s; /* tokens */
    double mean_input, mean_output;   /* tokens of a request */
    bool counted;                     /* by the server; else pieces are counted as tokens */
    double tokens_per_piece;
    int64_t at_once; /* answers in one piece */
    int64_t most_open;
    struct load_stat first_token, first_token_sent, per_token, gap, longest_gap, total,
        total_sent, late;
    double connect_s;          /* mean of new connections; NaN: none was measured */
    struct load_quantile good; /* share that meets the target */
    double goodput;            /* requests a second that do */
    double client_busy, client_pause_s;
    double quality; /* what a command of the user's said of the endpoint; NaN: none was asked */
    double by_kernel; /* share of pieces that came when the kernel says; NaN: none came */
    /* Of the GPUs that serve, while it was measured; NaN: not metered, `energy` says why. */
    double joules, joules_per_token, idle;
    struct str energy; /* "counter, 2 GPUs of this machine"; "the server is elsewhere" */
    usd_per_hour price;
    usd cost;                                      /* of the run */
    usd per_million_output, per_million, per_1000; /* per_million: of input and output */
};
extern const struct field_set load_result_fields;

/* Nothing is known. */
struct load_result load_result_unknown(void);

/* `work_s`: of the client. Texts are in the arena. */
bool load_result_of(const struct load_options *options, const struct load_run *run,
                    double work_s, usd_per_hour price, struct arena *arena,
                    struct load_result *out, struct error *err) MUST_USE;

/* What the GPUs took while it was measured. */
void load_result_energy(struct load_result *result, double joules, double busy);

/* Requests in flight, on average: users, or by Little's law. */
double load_concurrency(const struct load_result *result);

/* How far it can be trusted: A, B where the server counts no tokens, C where the client was
 * late. */
char load_quality(const struct load_result *result);

/* Does the run meet the target at that share? Not where it is not known. */
bool load_result_meets(const struct load_result *result, double attain);

/* ---- two runs with the same requests ---- */

struct load_difference {
    struct str what;             /* "first token", "per token", "total" */
    double first, second;        /* means, s */
    struct load_quantile change; /* second less first, request by request, s */
    bool sure;                   /* its interval does not hold 0 */
};
extern const struct field_set load_difference_fields;

bool load_compare(const struct load_run *first, const struct load_run *second,
                  struct arena *arena, struct rows *out, struct error *err) MUST_USE;

#endif
