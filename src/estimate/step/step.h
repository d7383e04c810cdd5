/* step.h - how long one optimizer step takes, and what it spends the time on. */
#ifndef ESTIMATE_STEP_STEP_H
#define ESTIMATE_STEP_STEP_H

#include "estimate/constants.h"
#include "estimate/kernels/kernels.h"
#include "estimate/model/setup.h"

/* Seconds on the slowest GPU. The parts are exposed time and add up to `total`. */
struct step {
    double products; /* matrix products of the layers, forward and backward */
    double attention;
    double elementwise; /* norms, activations, residuals: bound by memory bandwidth */
    double loss;        /* head and loss */
    double recompute;
    double dequantise;
    double encoders; /* of pictures and texts, around a diffusion model */
    double optimizer;
    double offload;
    double tensor; /* communication of tensor and sequence parallel */
    double context;
    double expert;
    double pipeline; /* sends, and the bubble */
    double data;     /* gradients and ZeRO's gathers */
    double host;     /* launches the GPU had to wait for */
    double scores;   /* passes of a reference and a reward model */
    double critic;   /* training of PPO's, beyond what runs beside that of the model */
    double rollouts; /* answers that are written, to be learned from */
    double total;
    double at_work[ROLE_COUNT]; /* seconds in which the GPUs of each have work; 0: none own */
    double tokens;              /* that the step trains on, over all GPUs */
    double model_flop;          /* of one GPU: what the model needs */
    double effort;     /* share of what products could do in their time: small ones wait */
    double busy;       /* share of the time in which arithmetic or memory of the GPU works */
    double power_more; /* learned: so much more power than modeled, as a fraction */
};

struct step estimate_step(const struct setup *s, const struct constants *c);

/* Of the plain training alone, without what was learned from runs. */
struct step estimate_plain_step(const struct setup *s, const struct constants *c);

/* The same with it: whatever models beside it and answers add. */
struct step estimate_step_alone(const struct setup *s, const struct constants *c);

/* The share of the job's GPU time in which GPUs of one model wait for those of another. */
double step_idle_share(const struct step *step, const struct setup *s);

/* Tokens (samples of image models) a second of one GPU. */
double step_rate(const struct step *step, const struct setup *s);

/* Samples: sequences, or pictures. */
double step_samples(const struct setup *s);

/* Tokens of a micro-batch that one GPU works on. */
double micro_tokens(const struct setup *s);

/* The mean share of keys that a query sees, over all layers. */
double visible_share(const struct arch *a, double sequence);

#endif
