/* spot_world.h - a market of four pools, and what is asked of it. */
#ifndef TESTS_OP_SPOT_WORLD_H
#define TESTS_OP_SPOT_WORLD_H

#include "market_world.h"

#define AZ1 "aws/us-east-1/use1-az1/p5.48xlarge"
#define AZ2 "aws/us-east-1/use1-az2/p5.48xlarge"
#define WEST "aws/us-west-2/usw2-az1/p5.48xlarge"
#define GCP "gcp/us-central1/us-central1-a/a3-highgpu-8g"

/* Sixty days of four pools; az1 vanishes twice. */
static inline void fill(void)
{
    struct store_edit *e = market_edit("skypilot", CONFIDENCE_CATALOG);

    for (int d = 60; d >= 0; d--) {
        market_tell(e, AZ1, d, MARKET_SPOT, d == 30 || d == 10 ? PRICE_NONE : 20 * DOLLAR);
        market_tell(e, AZ2, d, MARKET_SPOT, 21 * DOLLAR);
        market_tell(e, WEST, d, MARKET_SPOT, 24 * DOLLAR);
        market_tell(e, GCP, d, MARKET_SPOT, 22 * DOLLAR);
        market_tell(e, "aws/us-east-1/p5.48xlarge", d, MARKET_ON_DEMAND, 55 * DOLLAR);
        market_tell(e, "aws/us-west-2/p5.48xlarge", d, MARKET_ON_DEMAND, 55 * DOLLAR);
        market_tell(e, "gcp/us-central1/a3-highgpu-8g", d, MARKET_ON_DEMAND, 88 * DOLLAR);
    }
    market_commit(e);
}

/* The error of a request that is refused. */
static inline const char *ask_fails(struct world *w, const char *name, const char *request,
                                    enum error_kind kind)
{
    const char *reply = ask(w, name, request), *kind_name = error_kind_name(kind);

    if (strncmp(reply, kind_name, strlen(kind_name)) != 0)
        fail_msg("not an error of kind %s: %s", kind_name, reply);
    return reply + strlen(kind_name);
}

static inline double number(const char *reply, const char *key)
{
    const char *at = strstr(reply, key);
    double value;

    if (at == NULL)
        fail_msg("'%s' is not in:\n%s", key, reply);
    at += strlen(key);
    if (*at == '{') /* an amount */
        at = strstr(at, "\"amount\":\"") + strlen("\"amount\":\"");
    if (sscanf(at, "%lf", &value) != 1)
        fail_msg("no number after '%s' in:\n%s", key, reply);
    return value;
}

#endif
