/* rent_command.h - how to ask a cloud for spot machines: its own command, to be copied. */
#ifndef PLAN_RENT_COMMAND_H
#define PLAN_RENT_COMMAND_H

#include "plan/plan.h"
#include "plan/record.h"

/* The command for the machines of a plan on spot, never at more than on-demand; what the user
 * must fill in is in capitals. Empty in other markets, for clouds whose command is not known,
 * and for machines that are put together from parts. */
bool plan_rent_command(const struct plan *best, const struct plan_row *row, struct arena *arena,
                       struct str *out, struct error *err) MUST_USE;

#endif
