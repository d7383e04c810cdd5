/* temporary.h - a file without a name, gone when it is closed, however the program ends. */
#ifndef NET_TEMPORARY_H
#define NET_TEMPORARY_H

#include "base/error.h"

/* Open for reading and writing, in $TMPDIR or /tmp; -1 with the error set. */
int temporary_file(struct error *err) MUST_USE;

/* Likewise in memory: for what is small. */
int temporary_memory(struct error *err) MUST_USE;

#endif
