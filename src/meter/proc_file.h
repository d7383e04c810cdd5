/* proc_file.h - small files of /proc, into the caller's memory: read each second, so nothing is
 * allocated. */
#ifndef METER_PROC_FILE_H
#define METER_PROC_FILE_H

#include "base/str.h"

#define PROC_PATH 512

/* The first `room` bytes of the file; empty when it cannot be read. */
struct str proc_file(const char *path, char *to, size_t room);

/* What a link says; empty when there is none. */
struct str proc_link(const char *path, char *to, size_t room);

#endif
