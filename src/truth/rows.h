/* rows.h - a CSV of measured rows, with columns found by name. For the readers of points. */
#ifndef TRUTH_ROWS_H
#define TRUTH_ROWS_H

#include "base/csv.h"
#include "truth/truth.h"

#define ROW_MAX_COLUMNS 128

struct rows_reader {
    struct csv *csv;
    struct csv_row row;
    struct str names[ROW_MAX_COLUMNS];
    size_t columns;
    const struct catalog *catalog;
    struct arena *arena;
};

/* The value of a column, trimmed; empty when there is no such column. */
struct str row_text(const struct rows_reader *r, const char *column);

/* NaN when it is empty or no number. */
double row_number(const struct rows_reader *r, const char *column);

/* `fallback` when it is empty, no whole number, or below 1. */
int64_t row_count(const struct rows_reader *r, const char *column, int64_t fallback);

bool row_has(const struct rows_reader *r, const char *column);

/* What all kinds share: id, source, gpu, set, quality. A copy of the texts is in the arena.
 * Sets p->reason for quality C and for an accelerator that is not known. */
bool row_begin(const struct rows_reader *r, struct measured_value *p,
               const struct accelerator **gpu, struct error *err) MUST_USE;

/* The architecture of column `model`, with the shapes of the row where it has them. False, with
 * the reason in the point, when neither is known. */
bool row_arch(const struct rows_reader *r, struct measured_value *p);

/* The readers: each adds the points of the current row. */
struct point_list {
    struct measured_value *at;
    size_t len, room;
    struct arena *arena;
};

struct measured_value *point_add(struct point_list *list, struct error *err) MUST_USE;

bool read_training_row(const struct rows_reader *r, struct point_list *list,
                       struct error *err) MUST_USE;
bool read_memory_row(const struct rows_reader *r, struct point_list *list,
                     struct error *err) MUST_USE;
bool read_inference_row(const struct rows_reader *r, struct point_list *list,
                        struct error *err) MUST_USE;
bool read_energy_row(const struct rows_reader *r, struct point_list *list,
                     struct error *err) MUST_USE;
bool read_run_row(const struct rows_reader *r, struct point_list *list,
                  struct error *err) MUST_USE;

/* GPU-hours of a run; NaN when its setting is impossible. */
struct guess predict_run(const struct run_row *row, const struct constants *c);

/* The setting of a row of serving, after row_begin(); the reason names its mistake. */
void read_serving_setting(const struct rows_reader *r, struct measured_value *p);

/* Decide what a training row leaves open, as the software it names does by default. */
void settle_setup(struct setup *s, const struct rows_reader *r);

#endif
