#include "base/hex.h"

static void write_digits(struct str bytes, char *out)
{
    static const char digits[] = "0123456789abcdef";

    for (size_t i = 0; i < bytes.len; i++) {
        unsigned char byte = (unsigned char)bytes.at[i];

        out[2 * i] = digits[byte >> 4];
        out[2 * i + 1] = digits[byte & 15];
    }
}

void hex_write(struct str bytes, struct buf *out)
{
    size_t start = out->len;

    buf_pad(out, '0', 2 * bytes.len);
    if (out->failed == ERROR_NONE)
        write_digits(bytes, out->at + start);
}

void hex_copy(struct str bytes, char *out)
{
    write_digits(bytes, out);
    out[2 * bytes.len] = '\0';
}

/* One more than the value of each digit; 0: not a digit. */
static const unsigned char digit_values[256] = {
    ['0'] = 1,  ['1'] = 2,  ['2'] = 3,  ['3'] = 4,  ['4'] = 5,  ['5'] = 6,
    ['6'] = 7,  ['7'] = 8,  ['8'] = 9,  ['9'] = 10, ['a'] = 11, ['b'] = 12,
    ['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16, ['A'] = 11, ['B'] = 12,
    ['C'] = 13, ['D'] = 14, ['E'] = 15, ['F'] = 16,
};

bool hex_read(struct str digits, struct buf *out)
{
    const unsigned char *from = (const unsigned char *)digits.at;
    size_t start = out->len;

    for (size_t i = 0; i < digits.len; i++)
        if (digit_values[from[i]] == 0)
            return false;
    if (digits.len % 2 != 0)
        return false;
    buf_pad(out, '\0', digits.len / 2);
    for (size_t i = 0; out->failed == ERROR_NONE && i < digits.len; i += 2)
        out->at[start++] =
            (char)((digit_values[from[i]] - 1) << 4 | (digit_values[from[i + 1]] - 1));
    return true;
}

void base64_write(struct str bytes, struct buf *out)
{
    static const char digits[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *b = (const unsigned char *)bytes.at;

    for (size_t i = 0; i < bytes.len; i += 3) {
        size_t left = bytes.len - i;
        unsigned three = (unsigned)b[i] << 16 | (left > 1 ? (unsigned)b[i + 1] << 8 : 0) |
                         (left > 2 ? (unsigned)b[i + 2] : 0);

        buf_char(out, digits[three >> 18]);
        buf_char(out, digits[three >> 12 & 63]);
        buf_char(out, left > 1 ? digits[three >> 6 & 63] : '=');
        buf_char(out, left > 2 ? digits[three & 63] : '=');
    }
}
