/* estimate_print.h - the sections that `stint estimate` prints, and how their numbers look. */
#ifndef CLI_ESTIMATE_PRINT_H
#define CLI_ESTIMATE_PRINT_H

#include "cli/view.h"
#include "op/estimate/estimate.h"

/* No line is longer, whatever the terminal: estimates are pasted into mails and issues. */
#define ESTIMATE_LEFT 16 /* as view_label() */

/* A line that is being put together; estimate_line_end() writes it after its label, wrapped. */
struct buf estimate_line_new(const struct view *view);
void estimate_line_end(const struct view *view, const char *label, enum term_style style,
                       struct buf *text);

/* Three digits that matter: "1.24", "105,000"; "?" when unknown. */
void number_write(double n, struct buf *out);
void count_write(double n, struct buf *out);               /* "3,052" */
void large_write(double n, struct buf *out);               /* "6.74 B", "25.0 M" */
void seconds_write(double seconds, struct buf *out);       /* "12.3 ms", "14.2 h" */
void seconds_range_write(struct guess s, struct buf *out); /* "14.2 h (12.6 to 16.0)" */
void range_write(struct guess g, const char *unit, struct buf *out);
/* As usd_write(), but of a fraction of a cent only three digits. */
void dollars_write(double dollars, struct buf *out);
void dollars_range_write(struct guess dollars, struct buf *out);

/* The sections, in their order. Each is left out when it has nothing to say. */
void estimate_head(const struct view *view, const struct estimate *res);
void estimate_sweep_head(const struct view *view, const struct estimate *res);
void estimate_memory_section(const struct view *view, const struct estimate *res);
void estimate_training_section(const struct view *view, const struct estimate *res);
void estimate_serving_section(const struct view *view, const struct estimate *res);
void estimate_energy_section(const struct view *view, const struct estimate *res);
void estimate_cost_section(const struct view *view, const struct estimate *res);
void estimate_notes(const struct view *view, const struct estimate *res);

#endif
