/* memory.h - what a GPU must hold, part by part, in bytes. */
#ifndef ESTIMATE_MEMORY_MEMORY_H
#define ESTIMATE_MEMORY_MEMORY_H

#include "estimate/constants.h"
#include "estimate/model/setup.h"

/* When a step needs the most. */
enum memory_moment {
    MOMENT_LOSS,      /* all activations are there, and the logits */
    MOMENT_GRADIENTS, /* the first layer goes backward: nearly all gradients are there */
    MOMENT_STEP,      /* the optimizer's temporaries beside all gradients */
    MOMENT_PIPELINE,  /* the first stage has the most micro-batches under way */
    MOMENT_WRITING,   /* answers are written by an engine beside the training */
    MOMENT_ENCODING,  /* pictures become latents, before a diffusion model's own pass */
    MOMENT_SCORING,   /* a frozen model reads answers, on GPUs of its own */
    MOMENT_COUNT,
};

extern const char *const memory_moment_names[]; /* ends with NULL */

/* At the fullest moment of the fullest GPU. Parts add up to `allocated`, but for those below
 * it. */
struct memory {
    enum memory_moment moment;
    enum role at;   /* whose GPU is the fullest */
    double weights; /* as stored, and autocast's 16-bit copies; of QLoRA the packed base */
    double master;  /* the fp32 copy */
    double gradients;
    double optimizer;
    double lora;        /* adapters with their gradients and states */
    double models;      /* reference, reward model, critic */
    double engine;      /* that writes answers */
    double activations; /* kept for the backward pass */
    double working;     /* of the layer that is being computed */
    double logits;
    double gathered;  /* shards of ZeRO-3 put together, and the next ones */
    double workspace; /* of libraries */
    double allocated; /* what the framework's allocator has handed out */
    double fragmentation;
    double reserved; /* what it has taken from the device */
    double context;  /* CUDA and its kernels */
    double buffers;  /* of collectives, outside the allocator */
    double device;   /* what nvidia-smi shows */
    double paged;    /* states of a paged optimizer that find no room on the device */
    double host;     /* in the machine's memory, for a GPU that is trained on: what is offloaded
                        or paged */
    double critic_host; /* the same for a GPU of the critic's own */
};

struct memory estimate_memory(const struct setup *s, const struct constants *c);

/* Of a GPU that has this model: the trained one with all that share its GPUs, or another on its
 * own. */
struct memory estimate_role_memory(const struct setup *s, enum role role,
                                   const struct constants *c);

/* What can be used of the card: its memory as the driver counts it. */
double usable_memory(const struct accelerator *gpu);

/* Bytes of one micro-batch on one GPU, for one layer. */
struct layer_memory {
    double saved;   /* kept for the backward pass when nothing is computed again */
    double input;   /* what full recompute keeps instead */
    double working; /* gradients of its tensors while its backward pass runs */
};

/* Of a layer with dense feed-forward, or of one with experts. */
struct layer_memory layer_memory_of(const struct setup *s, bool sparse);

/* What all layers of one pipeline stage keep for one micro-batch, as the setup recomputes. */
double stage_activations(const struct setup *s);

/* What the largest layer needs while it is computed (again) and goes backward. */
double layer_working(const struct setup *s);

/* The input of the last norm and of the head. */
double head_activations(const struct setup *s);

/* Logits, their copies and gradients at the worst moment of the loss. */
double loss_memory(const struct setup *s, const struct constants *c);

#endif
