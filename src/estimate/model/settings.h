/* settings.h - the settings of a training job on given machines: all that fit, and the best.
 *
 * What the user sets is kept; everything else is chosen so that the job takes the least time on
 * these machines, and is as simple as that allows.
 */
#ifndef ESTIMATE_MODEL_SETTINGS_H
#define ESTIMATE_MODEL_SETTINGS_H

#include "estimate/memory/memory.h"
#include "estimate/model/space.h"
#include "estimate/step/step.h"

/* One that the GPUs hold. Of a bound (see settings_visitor) only `setup` with its degrees and
 * batch, `hours` and `board_w` are known. */
struct setting {
    struct setup setup;
    struct memory memory;
    struct step step;
    double hours; /* of the complete training: space_hours() */
    double board_w;
};

struct settings_visitor {
    void *ctx;
    /* Are all settings that take at least so many hours, and so much energy, of no use? */
    bool (*hopeless)(void *ctx, const struct setting *bound);
    void (*keep)(void *ctx, const struct setting *setting);
    size_t settings, pruned; /* whose memory or step was computed; that need not be */
};

/* The share of a GPU's memory that the setting may take. */
double space_share(const struct space *space, const struct setup *setup);

/* Every setting of the space that the GPUs hold and that is not hopeless. Of several that
 * differ only in how much they recompute, just the one that recomputes least. */
void settings_walk(const struct space *space, struct settings_visitor *v);

/* How much of it there is to set up and to go wrong: 0 for data parallel alone; more for what
 * shares layers, stages of a pipeline, and states in the machine's memory. */
int setup_complexity(const struct setup *s);

/* What a setting needs, as a share of what there is: of a GPU's memory, and of the machine's
 * for what is offloaded (where that is not known, three times the memory of its GPUs). */
struct setting_need {
    double device, host;
    double chance; /* that the GPU's is enough */
};

/* Bytes of a machine's memory, or what such a machine usually has. */
double hardware_host_bytes(const struct hardware *hw);

/* What its training GPUs keep in the memory of one machine, the critic's among them; those that
 * only read or write answers keep nothing there. */
double hardware_host_used(const struct hardware *hw, const struct setup *s,
                          const struct memory *m);

struct setting_need setup_need(const struct setup *s, const struct hardware *hw,
                               const struct constants *c);

/* With the chance that range.h asks for. */
bool setup_fits(const struct setup *s, const struct hardware *hw, const struct constants *c);

/* The setting that needs least, whether it fits or not. False: there is none at all. */
bool settings_smallest(const struct space *space, const struct hardware *hw, struct setup *out);

/* What the job leaves open, as it is in the setting: "tensor 8, ZeRO 1, micro-batch 2". */
struct setting_words {
    char text[128];
    size_t len;
};

struct setting_words setting_words(const struct job_train *t, const struct setup *s);

/* GPUs that wait, where models have some of their own. */
void settings_note_idle(struct notes *notes, const struct setup *s, const struct step *step);

/* The job with degrees, micro-batch, sharding and recompute left open. False: they were. */
bool job_open_settings(const struct job *job, struct job *out);

/* The setting of a training job on this hardware: what the job sets, and for the rest the
 * simplest of the settings within 3 % of the fastest. Where nothing fits, the one that needs
 * least (and the caller sees that it does not fit). ERROR_INPUT for what is impossible. */
bool choose_training(const struct job *job, const struct hardware *hw,
                     const struct constants *c, struct setup *out, struct notes *notes,
                     struct error *err) MUST_USE;

#endif
