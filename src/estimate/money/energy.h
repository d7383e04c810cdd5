/* energy.h - power, energy, carbon: from how busy the boards are, not from their label.
 *
 * Between idle and the board's limit power follows what the board does. What it does is
 * given as shares of what is reachable (about 0.8 of the data sheet's arithmetic, 0.85 of
 * its bandwidth), so both are 0 to 1. Watts are NaN when the board's limit is unknown, and
 * so is all that follows.
 */
#ifndef ESTIMATE_MONEY_ENERGY_H
#define ESTIMATE_MONEY_ENERGY_H

#include "estimate/constants.h"
#include "estimate/model/setup.h"
#include "estimate/serving/infer.h"
#include "estimate/step/step.h"
#include "unit/energy.h"

/* Watts of one board at this utilization of arithmetic (0 to 1, of what is reachable) and of
 * memory bandwidth. The first few per cent of arithmetic cost the most: power goes with the
 * square root. */
double board_watts(const struct accelerator *gpu, double arithmetic, double memory,
                   const struct constants *c);

/* With a program loaded and nothing to do. */
double board_idle_watts(const struct accelerator *gpu, const struct constants *c);

/* Mean over a training step: products at the limit, memory-bound kernels a little below,
 * collectives far below, waiting for the host idle. */
double step_watts(const struct step *step, const struct accelerator *gpu,
                  const struct constants *c);

/* Mean over the decode steps of a server, or over the passes of a model that writes nothing. */
double serving_watts(const struct serving *s, const struct serving_time *t,
                     const struct constants *c);

/* Watts of a node with `boards` of these: fans, CPUs and network cards too. At the wall,
 * with what the power supplies lose, or behind them (`dc`). */
double node_watts(const struct accelerator *gpu, int64_t boards, double board_w, bool dc,
                  const struct constants *c);

/* Watts at the wall of `gpus` of these with `per_node` in a machine: machines with all their
 * boards at work, and one with the rest. */
watt cluster_watts(const struct accelerator *gpu, int64_t gpus, int64_t per_node,
                   double board_w, const struct constants *c);

/* Of a job: what the machines draw at the wall, and what the building takes for them. */
struct energy_use {
    double board_w, node_w;
    watt machines;  /* all nodes */
    joule at_wall;  /* over the hours */
    joule facility; /* times PUE: cooling, distribution; NaN when the PUE is unknown */
};

struct energy_use estimate_energy(const struct accelerator *gpu, int64_t boards, int64_t nodes,
                                  double board_w, double hours, double pue,
                                  const struct constants *c);

#endif
