/* crc.h - CRC-32C (Castagnoli): notices what a disk or a cable changed; no protection
 * against attackers. */
#ifndef BASE_CRC_H
#define BASE_CRC_H

#include <stddef.h>
#include <stdint.h>

/* Of `len` bytes that follow those whose checksum is `before` (0 for none). */
uint32_t crc32c(uint32_t before, const void *data, size_t len);

/* The same without the processor's own instruction: for tests and for processors without it. */
uint32_t crc32c_portable(uint32_t before, const void *data, size_t len);

#endif
