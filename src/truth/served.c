#include "truth/served.h"

#include <math.h>

#include "estimate/serving/corrected.h"

static bool add_served_run(const struct measured_value *p, const struct constants *c,
                           struct arena *arena, struct correction_run *out, struct error *err)
{
    char setting[SERVING_SETTING];

    *out = (struct correction_run){.key = serving_correction_key(&p->serve, setting),
                                   .startup_s = NAN};
    for (int i = 0; i < CORRECTION_FACTORS; i++)
        out->predicted[i] = out->measured[i] = NAN;
    out->predicted[CORRECTION_STEP] = point_predict(p, c).value / 1e3;
    out->measured[CORRECTION_STEP] = p->measured / 1e3;
    return str_keep(out->key.gpu, arena, &out->key.gpu, err) &&
           str_keep(out->key.model, arena, &out->key.model, err) &&
           str_keep(str_from(setting), arena, &out->key.setting, err);
}

bool served_runs_read(struct str rows, const struct catalog *catalog,
                      const struct constants *constants, struct arena *arena,
                      struct served_runs *out, struct error *err)
{
    struct measured_values points;

    *out = (struct served_runs){0};
    if (!points_read(TRUTH_INFERENCE, rows, "the ledger", catalog, &points, arena, err))
        return false;
    out->at = arena_array(arena, struct correction_run, points.len + 1, err);
    for (size_t i = 0; out->at != NULL && i < points.len; i++) {
        const struct measured_value *p = &points.at[i];

        out->left_out += p->reason != NULL && p->first;
        if (p->reason == NULL && p->metric == METRIC_DECODE &&
            !add_served_run(p, constants, arena, &out->at[out->count++], err))
            return false;
    }
    return out->at != NULL;
}
