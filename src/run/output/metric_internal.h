/* metric_internal.h - what metric.c, metric_styles.c and metric_update.c share. */
#ifndef RUN_OUTPUT_METRIC_INTERNAL_H
#define RUN_OUTPUT_METRIC_INTERNAL_H

#include "base/characters.h"
#include "run/output/metric.h"

/* --- Numbers (metric_number.c) --- */

/* The number at the start of `*text`: "12", "-0.5", "2.3E-04", ".5", "nan", "-inf". Steps over
 * it. False, and `*text` as it was, when there is none. */
bool number_take(struct str *text, double *out);
/* Likewise with what may be behind it, stepped over too: "1.2k", "5.0M", "3 days, 2:03:04",
 * "00:12", "1:02:03", as a number of seconds; "450/1000" is left at the slash. */
bool number_take_time(struct str *text, double *out);
/* A suffix of thousands at the start of `*text` that no other letter follows (k, K, M, G, T):
 * its factor, and stepped over; 1 when there is none. */
double number_take_scale(struct str *text);

static inline void step_over(struct str *text, size_t count)
{
    text->at += count;
    text->len -= count;
}

static inline void skip_metric_blanks(struct str *text)
{
    while (text->len > 0 && (text->at[0] == ' ' || text->at[0] == '\t'))
        step_over(text, 1);
}

/* --- Names and values (metric_update.c) --- */

enum key {
    KEY_OTHER,
    KEY_NONE, /* known to say nothing: ranks, ports, ... */
    KEY_STEP,
    KEY_STEPS,
    KEY_EPOCH,
    KEY_EPOCHS,
    KEY_LOSS,
    KEY_EVAL_LOSS,
    KEY_METRIC, /* accuracy and the like */
    KEY_RATE,
    KEY_STEP_TIME,    /* seconds a step */
    KEY_STEP_TIME_MS, /* milliseconds */
    KEY_SAMPLES_RATE,
    KEY_TOKENS_RATE,
    KEY_SAMPLES,
    KEY_TOKENS,
    KEY_LEFT,
};

/* A name, however it is written ("Train Loss", "train/loss"), in lower case with underscores
 * between its words: `name` has room for KEY_ROOM bytes. What it means. */
#define KEY_ROOM 64
enum key key_read(struct str words, char *name);
bool key_ends_with(struct str name, struct str tail); /* complete words of it */
/* Is one of its words an evaluation's ("eval", "val", "valid", "validation", "test", "dev")? */
bool key_of_evaluation(struct str name);

/* A value that belongs to a name: added to the update. `total`: NaN, or what was behind a
 * slash. */
void update_set(struct metric_update *out, enum key key, const char *name, double value,
                double total);
/* A value under its name. Without a name it is dropped. */
void update_name(struct metric_update *out, const char *name, double value);
/* Does it hold anything? */
bool update_says(const struct metric_update *out);
/* What `more` has and `out` lacks. */
void update_merge(struct metric_update *out, const struct metric_update *more);

/* --- Styles (metric_styles.c): each reads a clean line, and returns whether it was its own ---
 */

/* What the reader remembers between lines. */
struct line_memory {
    double bar_at, bar_total; /* of the bar that counts training; NaN: none yet */
    double epoch, epochs;     /* the last that a line had by itself */
    int columns;              /* of a table; 0: none */
    enum key column_key[METRIC_USER];
    char column[METRIC_USER][METRIC_NAME];
    struct strs wanted; /* names that the user wants, whatever else the line says */
};

bool style_bar(struct str line, struct line_memory *memory, struct metric_update *out);
bool style_table(struct str line, struct line_memory *memory, struct metric_update *out);
bool style_pairs(struct str line, struct line_memory *memory, struct metric_update *out);
bool style_words(struct str line, struct metric_update *out);

#endif
