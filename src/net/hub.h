/* hub.h - the config.json of a model on the Hugging Face Hub: from the cache that its own
 * library keeps, from ours, or from the Hub itself.
 *
 * The address can be set by HF_ENDPOINT, as for its library: mirrors, and tests. */
#ifndef NET_HUB_H
#define NET_HUB_H

#include "net/http.h"

#define HUB_CONFIG_MAX ((size_t)1 << 20) /* bytes */

/* "org/name", or "name" as the oldest models have it: letters, digits, '-', '_' and '.'. */
bool hub_names_model(struct str text);

/* The file in the cache of the Hub's library (HF_HUB_CACHE, HF_HOME, ~/.cache/huggingface) or
 * in `own`, the folder of what was fetched (NULL: none). `*path` is NULL when neither has
 * it. */
bool hub_cached_config(struct str model, const char *own, struct arena *arena, char **path,
                       struct error *err) MUST_USE;

/* Ask the Hub, with the user's token if there is one, and keep the answer in `own`. */
bool hub_fetch_config(const struct http_client *client, struct str model, const char *own,
                      struct arena *arena, char **path, struct error *err) MUST_USE;

#endif
