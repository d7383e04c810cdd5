#include "estimate/serving/corrected.h"

#include <stdio.h>

struct correction_key serving_correction_key(const struct serving *s,
                                             char setting[static SERVING_SETTING])
{
    (void)snprintf(setting, SERVING_SETTING, "%s tp%lld pp%lld", weights_names[s->weights],
                   (long long)s->tensor, (long long)s->pipeline);
    return (struct correction_key){s->gpu->name, str_from(engine_names[s->engine]),
                                   s->arch->name, str_from(setting)};
}

double serving_corrected(const struct serving *s, double seconds, const struct constants *c)
{
    char setting[SERVING_SETTING];
    struct correction_key key;

    if (c->learned_count == 0)
        return seconds;
    key = serving_correction_key(s, setting);
    return seconds * correction_factor(c->learned, c->learned_count, CORRECTION_TOKEN, &key);
}

bool serving_describe_correction(const struct serving *s, const struct constants *c,
                                 struct arena *arena, struct str *out, struct error *err)
{
    char setting[SERVING_SETTING];
    struct correction_key key = serving_correction_key(s, setting);

    return correction_describe_token(c->learned, c->learned_count, &key, arena, out, err);
}
