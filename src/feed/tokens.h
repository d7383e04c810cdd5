/* tokens.h - prices of hosted models, from the JSON file that LiteLLM keeps
 * (model_prices_and_context_window.json): an object with a member for each model.
 *
 *     {"groq/llama-3.1-8b-instant": {"input_cost_per_token": 5e-08,
 *      "output_cost_per_token": 8e-08, "litellm_provider": "groq", "mode": "chat", ...}, ...}
 *
 * Streams: memory grows with the models that are kept, of which there are at most
 * TOKENS_MOST.
 */
#ifndef FEED_TOKENS_H
#define FEED_TOKENS_H

#include "base/source.h"
#include "catalog/catalog.h"

#define TOKENS_MOST 20000

struct tokens_reading {
    struct source source;
    const char *name;              /* what errors call it */
    const struct catalog *catalog; /* with TABLE_MODELS: to know open weights by their names */
    day date;                      /* of the prices: the file has none */
    struct str read_from;          /* the source of each row */
};

struct tokens_read {
    const struct token_price *rows;
    size_t count;
    size_t open;    /* of them with weights that the catalog knows */
    size_t skipped; /* members that are no chat models, or have no price */
};

/* Prices are exact to a billionth of a dollar for a million tokens. Of a model that is there
 * twice (with and without its provider's name), the first counts. */
bool tokens_read(const struct tokens_reading *reading, struct arena *arena,
                 struct tokens_read *out, struct error *err) MUST_USE;

#endif
