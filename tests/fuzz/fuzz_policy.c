/* Any bytes are a policy or are refused with a text and a place; and splitting by any policy
 * keeps sums exact. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "account/policy/allocate.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool fact)
{
    if (!fact)
        abort();
}

static struct decimal total(const struct share *at, size_t count)
{
    struct decimal sum = {0};

    for (size_t i = 0; i < count; i++)
        if (at[i].recurring.len == 0)
            require(decimal_add(sum, at[i].amount, &sum));
    return sum;
}

static void try_policy(const struct allocation_policy *p, struct arena *arena)
{
    static const char *const teams[] = {"", "nlp", "vision", "platform"};
    static const char *const services[] = {"AmazonEC2", "AmazonS3", "AWSSupport"};
    struct share in[12] = {0};
    struct share_list out;
    struct error err = {0};

    for (size_t i = 0; i < ARRAY_LEN(in); i++) {
        in[i].of.of[DIMENSION_team] = str_from(teams[i % 4]);
        in[i].of.of[DIMENSION_service] = str_from(services[i % 3]);
        in[i].of.of[DIMENSION_account] = STR("123456");
        in[i].of.of[DIMENSION_charge] = i % 5 == 0 ? STR("Tax") : STR("Usage");
        policy_apply(p,
                     &(struct subject){.of = &in[i].of,
                                       .resource = STR("i-0123/train"),
                                       .tags = STR("{\"app\":\"bert\"}")},
                     &in[i].of);
        in[i].amount = (struct decimal){(wide)(i * i * 12345) - 70000, (int)i};
        in[i].currency = currency_usd;
    }
    if (!policy_split(p, (struct share_list){in, ARRAY_LEN(in)},
                      &(struct split_days){.since = {20000}, .until = {20040}, .each = true},
                      arena, &out, &err)) {
        require(err.kind == ERROR_INPUT);
        return;
    }
    require(decimal_cmp(total(in, ARRAY_LEN(in)), total(out.at, out.count)) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    struct error err = {0};
    const struct allocation_policy *p =
        policy_read((struct str){(const char *)data, size}, "fuzz.yaml", &arena, &err);

    if (p != NULL)
        try_policy(p, &arena);
    else
        require(err.kind == ERROR_INPUT && strncmp(err.text, "fuzz.yaml:", 10) == 0);
    arena_free(&arena);
    return 0;
}
