/* version.h - the version and how this program was built. */
#ifndef CLI_VERSION_H
#define CLI_VERSION_H

#include "base/buf.h"

/* "stint 0.1.0" and a line for each fact of the build. */
void version_write(struct buf *out);

#endif
