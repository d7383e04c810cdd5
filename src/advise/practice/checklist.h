/* checklist.h - checklists of cost optimization: what is proven by measured facts, and what is
 * left to do.
 *
 * Pure. An item is done when its fact is known and within its bounds. An item whose fact is
 * known and outside is not done; one whose fact is not known, or that no recorded fact proves,
 * stays open with how to do it.
 */
#ifndef ADVISE_CHECKLIST_H
#define ADVISE_CHECKLIST_H

#include "advise/practice/practice.h"
#include "catalog/catalog.h"
#include "doc/field.h"

enum checklist_state { CHECKLIST_DONE, CHECKLIST_NOT_DONE, CHECKLIST_OPEN };
extern const char *const checklist_state_names[]; /* "done", "not done", "open" */

struct checklist_row {
    struct str phase, item, text, how;
    enum checklist_state state;
    struct str fact; /* that proves it; empty: nothing recorded does */
    double value;
    struct str evidence, source;
};

struct checklist_phase {
    struct str phase;
    int64_t items, done, not_done, open;
};

struct checklist {
    struct rows rows;   /* struct checklist_row, as the table has them */
    struct rows phases; /* struct checklist_phase, of the rows */
};

extern const struct field_set checklist_row_fields, checklist_phase_fields;

/* The items of a phase; empty: of all. ERROR_USAGE when there is no such phase, with a
 * suggestion; ERROR_INPUT when an item names a fact that does not exist. */
bool checklist_judge(const struct practices *facts, const struct rows *items, struct str phase,
                     struct arena *arena, struct checklist *out, struct error *err) MUST_USE;

/* As a task list of Markdown. */
void checklist_markdown(const struct checklist *list, struct buf *out);

#endif
