/* Any bytes are a condition on costs, which holds for a value or does not and never both ways,
 * or are refused with a text; and they are a file of exchange rates, all of them positive, or
 * are refused. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "account/query/condition.h"
#include "account/query/rates.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool fact)
{
    if (!fact)
        abort();
}

static void check_condition(struct str text)
{
    static const char *const values[] = {"", "nlp", "NLP", "H100-SXM-80GB", "a*b"};
    struct condition condition, opposite;
    struct error err = {0};

    if (!condition_parse(text, &condition, &err)) {
        require(err.kind == ERROR_USAGE && err.text[0] != '\0');
        return;
    }
    require(condition.of >= 0 && condition.of < DIMENSION_COUNT);
    opposite = condition;
    opposite.negated = !condition.negated;
    for (size_t i = 0; i < ARRAY_LEN(values); i++) {
        struct dimensions of = {0};

        of.of[condition.of] = str_from(values[i]);
        require(conditions_hold(&condition, 1, &of) != conditions_hold(&opposite, 1, &of));
    }
}

static void check_rates(struct str text)
{
    struct arena arena = {.alloc = &alloc_system};
    struct error err = {0};
    struct rates_read rates;

    if (!rates_read(text, "rates.csv", &arena, &rates, &err))
        require(err.kind != ERROR_NONE && strncmp(err.text, "rates.csv", 9) == 0);
    else
        for (size_t i = 0; i < rates.count; i++)
            require(rates.at[i].usd.coefficient > 0);
    arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str text = {(const char *)data, size};

    check_condition(text);
    if (size <= 1 << 16)
        check_rates(text);
    return 0;
}
