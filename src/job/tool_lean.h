/* tool_lean.h - training of less than everything in configurations of tools: GaLore's states of
 * low rank, and layers that are frozen. For src/job only. */
#ifndef JOB_TOOL_LEAN_H
#define JOB_TOOL_LEAN_H

#include "job/tool_value.h"

/* Is the optimizer one of GaLore's: "galore_adamw_8bit_layerwise"? */
bool tool_is_galore(struct str optimizer);

/* The optimizer under it, its rank (`optim_args`, as Hugging Face's Trainer reads them), and
 * whether each layer is updated by itself. */
bool tool_set_galore(struct tool_reading *r, const struct node *root, const struct node *node,
                     struct error *err) MUST_USE;

/* LLaMA-Factory's `use_galore` and `finetuning_type: freeze`; and of any tool, keys of full
 * training beside adapters, and the reverse, are dropped: files keep those they do not use. */
bool tool_settle_lean(struct tool_reading *r, const struct node *root,
                      struct error *err) MUST_USE;

#endif
