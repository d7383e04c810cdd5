/* store_format.h - the price store's file, byte by byte. README.md has it as a table.
 *
 * Little-endian whatever the machine; rows of fixed width; no gaps, so that a checksum covers
 * every byte. The first 16 bytes are the same in every version: a program knows a file that is
 * too new for it from one that is damaged.
 */
#ifndef MARKET_STORE_FORMAT_H
#define MARKET_STORE_FORMAT_H

#include <stdint.h>
#include <string.h>

#define STORE_MAGIC "stint$\r\n" /* what passes through a text mode is noticed */
#define STORE_VERSION 1
#define STORE_HEADER 192
#define STORE_PREAMBLE 16

/* Header: magic 8, version 4, CRC of these 12; size of the file 8; six sections of 24: offset
 * 8, bytes 8, CRC 4, bytes of a row 4; zeros; the CRC of all before it in the last 4. */
#define HEADER_VERSION 8
#define HEADER_PREAMBLE_CRC 12
#define HEADER_SIZE 16
#define HEADER_SECTIONS 24
#define HEADER_CRC (STORE_HEADER - 4)
#define SECTION_ENTRY 24

/* In the order in which they stand in the file. */
enum store_section {
    SECTION_POINTS,  /* of each series, one after the other; a series has the checksum */
    SECTION_STRINGS, /* length 2, bytes */
    SECTION_FEEDS,
    SECTION_READS,
    SECTION_OFFERS,
    SECTION_SERIES,
    SECTION_COUNT,
};

#define FEED_ROW 32
#define READ_ROW 24
#define OFFER_ROW 72
#define SERIES_ROW 72

#define TEXT_LONGEST QUOTE_TEXT_LONGEST

enum offer_text {
    TEXT_PROVIDER,
    TEXT_REGION,
    TEXT_ZONE,
    TEXT_INSTANCE,
    TEXT_ACCELERATOR,
    TEXT_COUNT,
};

enum offer_number {
    NUMBER_COUNT,
    NUMBER_GPU_MEMORY,
    NUMBER_VCPUS,
    NUMBER_MEMORY,
    NUMBER_RELIABILITY,
    NUMBER_KINDS,
};

struct feed_row {
    uint32_t feed, provider, from; /* strings, as offsets into their section */
    uint8_t confidence, scope;
    int64_t read, imported;
};

/* When a feed that speaks of a market was last read whole: what it did not name was not there
 * then, even when an older list that names it comes later. */
struct read_row {
    uint32_t feed;
    uint32_t region; /* a string; empty for all */
    uint32_t market;
    int64_t at;
};

struct offer_row {
    uint32_t text[TEXT_COUNT];
    uint32_t first, count; /* its series */
    double number[NUMBER_KINDS];
};

struct series_row {
    uint32_t offer, feed;
    uint8_t market, doubts;
    uint8_t flags; /* enum quote_flag, of the newest word */
    char currency[4];
    int64_t price; /* SERIES_NONE when it is gone */
    int64_t since, seen, first;
    uint64_t at; /* its points, from the start of their section */
    uint32_t points, size, crc;
};

static inline uint32_t get32(const unsigned char *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 |
           (uint32_t)at[3] << 24;
}

static inline uint64_t get64(const unsigned char *at)
{
    return (uint64_t)get32(at) | (uint64_t)get32(at + 4) << 32;
}

static inline void put32(unsigned char *at, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++)
        at[i] = (unsigned char)(value >> (8 * i));
}

static inline void put64(unsigned char *at, uint64_t value)
{
    put32(at, (uint32_t)value);
    put32(at + 4, (uint32_t)(value >> 32));
}

struct feed_row feed_row_get(const unsigned char *at);
struct read_row read_row_get(const unsigned char *at);
struct offer_row offer_row_get(const unsigned char *at);
struct series_row series_row_get(const unsigned char *at);

void feed_row_put(unsigned char *at, const struct feed_row *row);
void read_row_put(unsigned char *at, const struct read_row *row);
void offer_row_put(unsigned char *at, const struct offer_row *row);
void series_row_put(unsigned char *at, const struct series_row *row);

#endif
