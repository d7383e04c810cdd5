/* metric_internal.h - what the readers of the styles share. */
#ifndef RUN_OUTPUT_METRIC_INTERNAL_H
#define RUN_OUTPUT_METRIC_INTERNAL_H

#include "base/characters.h"
#include "run/output/metric.h"

/* --- Numbers (metric_number.c) --- */

/* The number at the start of `*text`: "12", "-0.5", "2.3E-04", ".5", "nan", "-inf". Steps over
 * it. False, and `*text` as it was, when there is none. */
bool number_take(struct str *text, double *out);
/* Likewise with what may stand behind it, stepped over too: "1.2k", "5.0M", "3 days, 2:03:04",
 * "00:12", "1:02:03", as a number of seconds; "450/1000" is left at the slash. */
bool number_take_time(struct str *text, double *out);
/* A suffix of thousands at the start of `*text` that no other letter follows (k, K, M, G, T):
 * its factor, and stepped over; 1 when there is none. */
double number_take_scale(struct str *text);

static inline bool is_word(char c)
{
    return is_letter_or_digit(c) || c == '_';
}

static inline void step_over(struct str *text, size_t count)
{
    text->at += count;
    text->len -= count;
}

static inline void skip_blanks(struct str *text)
{
    while (text->len > 0 && (text->at[0] == ' ' || text->at[0] == '\t'))
        step_over(text, 1);
}

/* --- Cheap looks (metric_scan.c) --- */

#define SCAN_NAMES METRIC_USER

/* What to look for: the signs of the styles, and names that the user wants. For each of three
 * bytes in a row: the signs that it may belong to, as bits. */
struct scanner {
    uint64_t may[3][256];
    struct str names[SCAN_NAMES];
    size_t name_count;
};

/* --- Names (metric_key.c) --- */

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
bool key_ends_with(struct str name, struct str tail); /* whole words of it */
/* Is one of its words an evaluation's ("eval", "val", "valid", "validation", "test", "dev")? */
bool key_of_evaluation(struct str name);

/* A value that belongs to a name: told to the update. `total`: NaN, or what stood behind a
 * slash. */
void update_tell(struct metric_update *out, enum key key, const char *name, double value,
                 double total);
void update_name(struct metric_update *out, const char *name, double value);
/* What `more` has and `out` lacks. */
bool update_says(const struct metric_update *out);

/* --- Pairs of names and numbers (metric_pairs.c) --- */

struct pair {
    enum key key;
    char name[KEY_ROOM]; /* empty: a bare "450/1000" */
    double value, total; /* NaN: no slash */
    char sign;           /* '=' or ':' when one stood between, else ' ' */
    struct str unit;     /* letters and signs glued to the number: "ms", "%" */
    bool is_time;        /* "12:34": seconds */
};

struct pairs {
    struct str rest;
    struct str phrase; /* words just before `rest` that may turn out to be a name */
    char sign, before; /* since the phrase; the byte before `rest` */
    int brackets;      /* open: commas between digits are between numbers */
    int prose;         /* words that were no names */
};

bool pairs_next(struct pairs *pairs, struct pair *out);

/* --- Dictionaries (metric_dict.c) --- */

#define DICT_DEPTH 8

struct dict_entry {
    struct str key, parent; /* as written, escapes and all; of the one around it, or empty */
    struct str text;        /* of strings, likewise */
    double value;           /* NaN for strings that are no numbers: see is_number */
    bool is_number;
};

struct dict {
    struct str rest;
    bool strict;         /* JSON's strings and words only, but for NaN and Infinity */
    const char *problem; /* NULL: none */
    struct str parents[DICT_DEPTH];
    int depth;
    bool after_value; /* a comma or a brace comes next */
};

/* --- Styles: each is given a clean line, and tells whether it was its own --- */

/* What the reader remembers between lines. */
struct line_memory {
    double bar_at, bar_total; /* of the bar that counts training; NaN: none yet */
    double epoch, epochs;     /* the last that a line told by itself */
    int columns;              /* of a table; 0: none */
    enum key column_key[METRIC_USER];
    char column[METRIC_USER][METRIC_NAME];
    struct strs wanted; /* names that the user wants, whatever else the line says */
};

bool style_bar(struct str line, struct line_memory *memory, struct metric_update *out);
bool style_dict(struct str line, struct line_memory *memory, struct metric_update *out);
bool style_table(struct str line, struct line_memory *memory, struct metric_update *out);
bool style_pairs(struct str line, struct line_memory *memory, struct metric_update *out);
bool style_words(struct str line, struct metric_update *out);

/* The values of a postfix or a line. True when any was told. */
bool pairs_tell(struct str text, struct metric_update *out);

/* A line was read, all of it: is it an evaluation's, and what names did it tell? (metric.c) */
void reader_settle(struct metric_reader *reader, struct metric_update *out);

/* --- The user's patterns (metric_user.c) --- */

struct user_patterns;
#endif
