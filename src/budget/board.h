/* board.h - the budgets that stop runs, and everything that spends from them, as a server that
 * receives runs of many machines sees it: read once for all of them, and asked for each. */
#ifndef BUDGET_BOARD_H
#define BUDGET_BOARD_H

#include "account/account.h"
#include "base/log.h"
#include "ledger/ledger.h"
#include "ledger/runs/receipt.h"

struct budget_board;

/* For one thread. Budgets that cannot be evaluated are logged (`log` NULL: they are not). NULL
 * without memory. */
struct budget_board *budget_board_new(const struct log *log, struct error *err) MUST_USE;
void budget_board_free(struct budget_board *board); /* NULL is fine */

/* What is read lives here, until it is read anew: the account's arena for that. */
struct arena *budget_board_arena(struct budget_board *board);

/* Forget what was read, and read it anew. `month`: also what all runs of the month cost. A
 * budget that cannot be evaluated is left out. */
bool budget_board_read(struct budget_board *board, const struct account_source *account,
                       stamp now, bool month, struct error *err) MUST_USE;

/* May a run with this start begin? ERROR_GUARD when a budget that holds for it is spent. The
 * account is of the ledger that was read. */
bool budget_board_admits(const struct budget_board *board, const struct account_source *account,
                         const struct ledger_start *start, struct error *err) MUST_USE;

/* Of the run of this id: the budget with least left, what the month's runs cost when that was
 * read, and who asks it to end. Texts live until it is read anew. */
void budget_board_look(const struct budget_board *board, const char *id,
                       struct run_receipt *out);

#endif
