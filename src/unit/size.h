/* size.h - bytes, read and written with their unit in full. */
#ifndef UNIT_SIZE_H
#define UNIT_SIZE_H

#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"

typedef struct {
    uint64_t n;
} bytes;

#define BYTES_PER_GIB 1073741824.0
#define BYTES_UNKNOWN ((bytes){UINT64_MAX})

/* "80GB" is 80 * 1000^3 bytes and "80GiB" is 80 * 1024^3; "80G" and "80" are refused. */
bool bytes_parse(struct str text, bytes *out, struct error *err) MUST_USE;

/* Of a second: "100MB/s", and as networks are sold, "1Gbit/s" and "800Mbps"; "/s" may be left
 * out of bytes. */
bool bytes_per_second_parse(struct str text, bytes *out, struct error *err) MUST_USE;

/* "80 GB", "1.5 TB": the largest decimal unit that keeps it above one, at most two decimals. */
void bytes_write(bytes size, struct buf *out);

/* What was measured, as an integer; unknown when it is not known or too large. */
bytes bytes_from(double measured);

/* In GB of 10^9 bytes, as transfer and storage are priced. */
double bytes_gb(bytes size);

#endif
