/* explorer.h - answers of AWS Cost Explorer: what is read of them, and the line made of it. */
#ifndef BILL_AWS_EXPLORER_H
#define BILL_AWS_EXPLORER_H

#include "bill/internal.h"

#define EXPLORER_KEYS 4 /* AWS groups by two at most */

enum explorer_metric {
    EXPLORER_NET_UNBLENDED,
    EXPLORER_UNBLENDED,
    EXPLORER_BLENDED,
    EXPLORER_NET_AMORTIZED,
    EXPLORER_AMORTIZED,
    EXPLORER_QUANTITY,
    EXPLORER_METRICS,
};

extern const char *const explorer_metrics[EXPLORER_METRICS];

/* By what is grouped: {"DIMENSION", "SERVICE"}, {"TAG", "team"}. */
struct explorer_key {
    struct str type, name;
};

struct explorer_group {
    struct str keys[EXPLORER_KEYS];
    size_t key_count;
    struct str amount[EXPLORER_METRICS]; /* unknown: at == NULL */
    struct str currency, unit;           /* of the costs, of the quantity */
    uint64_t line;
};

struct explorer_state {
    struct explorer_key keys[EXPLORER_KEYS];
    size_t key_count;
    struct arena arena; /* of the result that is being handed out */
    struct explorer_group *groups;
    size_t group_count, group_room, group_next;
    stamp start, end;
    enum explorer_metric billed, effective; /* EXPLORER_METRICS: there is none */
    bool in_results, more, ended;
};

/* -- reading (explorer_group.c) -- */

bool explorer_refuse(const struct bill *bill, const char *what, struct error *err);

/* The next token, which must be of this kind; else it is refused in the words of `what`. */
bool explorer_expect(struct bill *bill, enum json_kind kind, const char *what,
                     struct error *err);

/* A text after a key, kept in `arena`; of a number its digits; unknown for null. */
bool explorer_text(struct bill *bill, struct arena *arena, struct str *out, struct error *err);

/* The metrics of a group or a total, whose object is open. */
bool explorer_read_metrics(struct bill *bill, struct explorer_state *state,
                           struct explorer_group *group, struct error *err);

/* The list after "Groups": all go to state->groups. */
bool explorer_read_groups(struct bill *bill, struct explorer_state *state, struct error *err);

/* Room for at least one more in state->groups. */
bool explorer_more_room(struct explorer_state *state, struct error *err);

/* -- mapping (explorer_line.c) -- */

/* Which metrics stand for which cost, by those of the first group; fails when it has none. */
bool explorer_choose(struct bill *bill, const struct explorer_group *group, struct error *err);

bool explorer_line(struct bill *bill, const struct explorer_group *group, struct bill_line *out,
                   struct error *err);

#endif
