/* budget_board.h - the budgets that stop runs, and everything that spends from them, as a
 * server that receives runs of many machines sees it: read once for all of them, and asked for
 * each. */
#ifndef OP_RUN_BUDGET_BOARD_H
#define OP_RUN_BUDGET_BOARD_H

#include "ledger/ledger.h"
#include "run/remote/receipt.h"

struct op_context; /* op/context.h */
struct budget_board;

/* For one thread. NULL without memory. */
struct budget_board *budget_board_new(struct op_context *ctx, struct error *err) MUST_USE;
void budget_board_free(struct budget_board *board); /* NULL is fine */

/* Read it anew if it is older than a second, or if reading takes long: than ten times that.
 * `urgent`: a run has begun, and is to be among it, unless that was so a moment ago. `month`:
 * someone asks for what all runs of the month cost. A budget that cannot be evaluated is left
 * out. */
bool budget_board_refresh(struct budget_board *board, struct ledger *ledger, bool month,
                          bool urgent, struct error *err) MUST_USE;

/* May a run with this start begin? ERROR_GUARD when a budget that holds for it is spent. The
 * ledger is the one that was read. */
bool budget_board_admits(struct budget_board *board, struct ledger *ledger,
                         const struct ledger_start *start, struct error *err) MUST_USE;

/* Of the run of this id: the budget with least left, what the month's runs cost when that was
 * read, and who asks it to end. Texts live until the next refresh. */
void budget_board_look(const struct budget_board *board, const char *id,
                       struct run_receipt *out);

#endif
