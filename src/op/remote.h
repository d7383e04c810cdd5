/* remote.h - what may be asked from elsewhere: no files, programs or addresses of this machine;
 * and what belongs to one team, for those who may see only that.
 *
 * op_run() admits every request, so that pages, the API and whatever else serves others cannot
 * forget it.
 */
#ifndef OP_REMOTE_H
#define OP_REMOTE_H

#include "ledger/ledger.h"
#include "op/context.h"
#include "op/op.h"

/* May this request be answered? `*request` becomes a copy that is limited to the team of the
 * context, if it has one. */
bool op_admit(struct op_context *ctx, const struct op *op, const void **request,
              struct error *err) MUST_USE;

/* ledger_find(), for operations with OP_TEAM_RUN: of a run that is not the team's it says that
 * there is none. */
bool op_find_run(const struct op_context *ctx, struct ledger *ledger, struct str what,
                 struct arena *arena, struct ledger_run *out, struct error *err) MUST_USE;

/* Does one of these tags or conditions say that it belongs to the team of the context? Always,
 * where it has none. */
bool op_is_of_team(const struct op_context *ctx, struct strs tags);

/* The condition "team=TEAM" after those that are there; as it is without a team. */
bool op_team_condition(const struct op_context *ctx, struct strs *conditions,
                       struct error *err) MUST_USE;

/* A name that can be a team's: not a pattern. */
bool op_team_name(struct str team, struct error *err) MUST_USE;

#endif
