/* right_size.h - does a GPU fit the work, by its utilization and its memory?
 *
 * The decision matrix of the ML Cost Optimization guide has five rows with gaps between them,
 * and its code contradicts three of them. Here every pair has an answer: below 60 % of
 * utilization the GPU is too fast, and its memory decides whether a smaller one will do; above
 * 85 % of both it is too small.
 */
#ifndef ADVISE_RIGHT_SIZE_H
#define ADVISE_RIGHT_SIZE_H

enum right_size {
    SIZE_UNKNOWN,
    SIZE_SMALLEST, /* much too large */
    SIZE_SMALLER,  /* too large */
    SIZE_MEMORY,   /* too fast, but its memory is needed */
    SIZE_GOOD,
    SIZE_LARGER, /* too small */
};

/* Both 0 to 1; NaN: not known. */
enum right_size right_size_of(double utilization, double memory);

/* "the GPU is much too large" */
extern const char *const right_size_words[];

#endif
