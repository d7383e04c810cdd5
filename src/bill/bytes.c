#include "bill/bytes.h"

#include <stdio.h>
#include <string.h>

#include "base/hash.h"

struct bill_bytes bill_bytes_of(struct source inner)
{
    return (struct bill_bytes){.inner = inner, .hash = {1, 2}, .lines = 1};
}

static void hash_whole(struct bill_bytes *h, const char *at, size_t len)
{
    uint64_t first = h->hash[0], second = h->hash[1], words[2];

    for (; len >= sizeof words; at += sizeof words, len -= sizeof words) {
        memcpy(words, at, sizeof words);
        first = word_hash(first, words[0]);
        second = word_hash(second, words[1]);
    }
    h->hash[0] = first;
    h->hash[1] = second;
}

static void hash_bytes(struct bill_bytes *h, const char *at, size_t len)
{
    size_t fill = 16 - h->left_len;

    h->len += len;
    if (h->left_len > 0) {
        fill = fill < len ? fill : len;
        memcpy(h->left + h->left_len, at, fill);
        h->left_len += fill;
        at += fill;
        len -= fill;
        if (h->left_len < 16)
            return;
        hash_whole(h, h->left, 16);
    }
    hash_whole(h, at, len);
    h->left_len = len % 16;
    memcpy(h->left, at + (len - h->left_len), h->left_len);
}

void bill_bytes_digest(const struct bill_bytes *h, char out[static 40])
{
    struct str rest = {h->left, h->left_len};

    (void)snprintf(out, 40, "%016llx%016llx",
                   (unsigned long long)text_hash(h->hash[0] + h->len, rest),
                   (unsigned long long)text_hash(h->hash[1] + h->len, rest));
}

/* How many bytes follow the first one of a character; -1 when it is none. */
static int following(unsigned char c)
{
    return c < 0x80 ? 0 : c < 0xc2 ? -1 : c < 0xe0 ? 1 : c < 0xf0 ? 2 : c < 0xf5 ? 3 : -1;
}

/* Where the text stops being UTF-8; `len` when it does not. A character may go on in the next
 * piece. */
static size_t find_odd(struct bill_bytes *h, const char *at, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        uint64_t word;
        unsigned char c;

        while (h->wanted == 0 && len - i >= sizeof word) { /* nearly all of it is ASCII */
            memcpy(&word, at + i, sizeof word);
            if ((word & UINT64_C(0x8080808080808080)) != 0)
                break;
            i += sizeof word;
        }
        if (i == len)
            break;
        c = (unsigned char)at[i];
        if (h->wanted > 0 ? (c & 0xc0) != 0x80 : following(c) < 0)
            return i;
        h->wanted = h->wanted > 0 ? h->wanted - 1 : following(c);
    }
    return len;
}

static uint64_t count_byte_lines(const char *at, size_t len)
{
    uint64_t count = 0;

    for (const char *end; len > 0 && (end = memchr(at, '\n', len)) != NULL;) {
        count++;
        len -= (size_t)(end + 1 - at);
        at = end + 1;
    }
    return count;
}

static ptrdiff_t read_bill_bytes(void *ctx, char *to, size_t room, struct error *err)
{
    struct bill_bytes *h = ctx;
    ptrdiff_t got = h->inner.read(h->inner.ctx, to, room, err);

    if (got <= 0)
        return got;
    if (h->len == 0)
        h->utf16 =
            got > 1 && (memcmp(to, "\xff\xfe", 2) == 0 || memcmp(to, "\xfe\xff", 2) == 0);
    hash_bytes(h, to, (size_t)got);
    if (h->odd_line == 0 && !h->utf16) {
        size_t odd = find_odd(h, to, (size_t)got);

        h->lines += count_byte_lines(to, odd);
        if (odd < (size_t)got)
            h->odd_line = h->lines;
    }
    return got;
}

struct source bill_bytes_source(struct bill_bytes *h)
{
    return (struct source){read_bill_bytes, h};
}
