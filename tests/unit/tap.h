/* tap.h - the output of a program with several groups of tests, as one stream of TAP. */
#ifndef TESTS_TAP_H
#define TESTS_TAP_H

/* Call it before the first group: the groups' plans are added up. */
void tap_begin(void);

/* Count a test, or a group of them, that did not start for this reason. */
void tap_skipped(const char *name, const char *reason);

/* The plan of all groups, when the output is TAP and there were any. */
void tap_end(void);

#endif
