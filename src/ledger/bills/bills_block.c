/* Blocks: some thousand lines of a bill in one value, column by column.
 *
 * What lines say in words they say again and again, and most numbers of a line are found in it
 * twice. So a block keeps each text of a column once, each combination of texts (a "thing")
 * once, and of a line: which thing, when, and the numbers that are not known from others. What
 * remains is packed (base/lz.h). A block is self-contained: reading it needs nothing else.
 *
 *     1                      the version of this form
 *     CRC-32C                of all that follows, 4 bytes, the lowest first
 *     lines, bytes           numbers as below; then so many bytes, packed:
 *       things
 *       column + 1           of FOCUS; 0: there is none left
 *         texts              how many different ones, each with its length
 *         form               ONE, BYTES or NUMBERS: which text a thing has, 0 for none
 *       unit, first          seconds: times are whole units after the first
 *       start, end, thing    of each line: all starts, all lengths, all things
 *       shapes               how many, each HOW a number is known; then which one a line has
 *       scales, coefficients of the numbers that are VALUEs: number by number
 *
 * Numbers are written in groups of seven bits, the lowest first; signed ones as 2n or -2n - 1.
 */
#include <string.h>

#include "base/crc.h"
#include "ledger/bills_internal.h"

#define VERSION 1
#define HEAD 5                    /* bytes before what the checksum is of */
#define RAW_MAX ((size_t)1 << 28) /* of a block before it is packed */
#define SHAPES_KNOWN 64           /* that are looked through before a new one is made */

enum form { FORM_ONE, FORM_BYTES, FORM_NUMBERS };

/* How a number of a line is known. */
enum how {
    HOW_UNKNOWN,
    HOW_VALUE,
    HOW_BEFORE, /* as in the line before of the same thing */
    HOW_SAME,   /* + N: as number N of this line */
};

const enum focus_column bill_number_columns[BILL_NUMBERS] = {
    FOCUS_BilledCost,
    FOCUS_EffectiveCost,
    FOCUS_ListCost,
    FOCUS_ContractedCost,
    FOCUS_PricingQuantity,
    FOCUS_ConsumedQuantity,
    FOCUS_PricingCurrencyEffectiveCost,
    FOCUS_CommitmentDiscountQuantity,
    FOCUS_ListUnitPrice,
    FOCUS_ContractedUnitPrice,
    FOCUS_PricingCurrencyListUnitPrice,
    FOCUS_PricingCurrencyContractedUnitPrice};

bool record_number(const struct record *r, int which, struct decimal *out)
{
    *out = which < BILL_AMOUNTS ? amounts_get(&r->amounts, which)
                                : (struct decimal){r->more[which - BILL_AMOUNTS],
                                                   r->more_scale[which - BILL_AMOUNTS]};
    return (r->known >> which & 1) != 0;
}

void record_set(struct record *r, int which, struct decimal number)
{
    r->known = (uint16_t)(r->known | 1u << which);
    if (which < BILL_AMOUNTS) {
        amounts_set(&r->amounts, which, number);
        return;
    }
    r->more[which - BILL_AMOUNTS] = number.coefficient;
    r->more_scale[which - BILL_AMOUNTS] = (int8_t)number.scale;
}

void record_finish(struct record *r)
{
    for (int n = BILL_LIST; n <= BILL_CONTRACTED; n++)
        if ((r->known >> n & 1) == 0)
            amounts_set(&r->amounts, n, amounts_get(&r->amounts, BILL_BILLED));
}

/* ---- writing ---- */

void block_put_number(struct buf *out, uint64_t n)
{
    char room[10];
    size_t len = 0;

    for (; n > 127; n >>= 7)
        room[len++] = (char)((n & 127) | 128);
    room[len++] = (char)n;
    buf_add(out, (struct str){room, len});
}

static void put_signed(struct buf *out, int64_t n)
{
    block_put_number(out, (uint64_t)n << 1 ^ (n < 0 ? UINT64_MAX : 0));
}

void block_put_wide(struct buf *out, wide n)
{
    uwide bits = (uwide)n << 1 ^ (n < 0 ? ~(uwide)0 : 0);
    char room[20];
    size_t len = 0;

    if (bits <= UINT64_MAX) {
        block_put_number(out, (uint64_t)bits);
        return;
    }
    for (; bits > 127; bits >>= 7)
        room[len++] = (char)((bits & 127) | 128);
    room[len++] = (char)bits;
    buf_add(out, (struct str){room, len});
}

/* Bytes that are no characters become U+FFFD, as wherever texts are written. */
static void add_characters(struct buf *out, struct str text)
{
    while (text.len > 0) {
        size_t plain = 0, len;

        while (plain < text.len && (signed char)text.at[plain] >= 0)
            plain++;
        buf_add(out, (struct str){text.at, plain});
        text = (struct str){text.at + plain, text.len - plain};
        if (text.len == 0)
            return;
        len = str_character(text);
        if (len == 0 || len == SIZE_MAX) {
            buf_adds(out, "\xef\xbf\xbd");
            len = 1;
        } else {
            buf_add(out, (struct str){text.at, len});
        }
        text = (struct str){text.at + len, text.len - len};
    }
}

void block_add_text(struct buf *out, enum focus_column column, struct str text)
{
    uint32_t len = 0;
    size_t start;

    buf_char(out, (char)column);
    start = out->len;
    buf_add(out, (struct str){(const char *)&len, sizeof len});
    add_characters(out, text);
    len = (uint32_t)(out->len - start - sizeof len);
    if (out->failed == ERROR_NONE)
        memcpy(out->at + start, &len, sizeof len);
}

/* The text of a thing in a column, when it is the next; `at` moves on then. */
static struct str next_text(struct str thing, uint32_t *at, int column)
{
    struct str text = {0};
    uint32_t len;

    if (*at >= thing.len || thing.at[*at] != (char)column)
        return text;
    memcpy(&len, thing.at + *at + 1, sizeof len);
    text = (struct str){thing.at + *at + 1 + sizeof len, len};
    *at += 1 + (uint32_t)sizeof len + len;
    return text;
}

/* What one call of block_write() works with. */
struct writing {
    const struct block_lines *of;
    struct buf *raw;
    uint32_t *number; /* by thing of the source: 1 + its number in the block */
    uint32_t *things; /* by number in the block: that of the source */
    size_t thing_count;
    uint32_t *at;           /* how far its text was read */
    bool said[FOCUS_COUNT]; /* columns that some thing has */
    uint32_t *text;         /* by thing: 1 + the number of its text in this column; 0: none */
    struct str *texts;      /* the different ones */
    size_t text_count;
    uint32_t *slots;
    size_t slot_count;
};

static const struct record *block_line(const struct block_lines *of, size_t n)
{
    return &of->records[of->order != NULL ? of->order[n] : n];
}

static void note_columns(struct writing *w, struct str thing)
{
    uint32_t len;

    for (size_t at = 0; at < thing.len; at += 1 + sizeof len + len) {
        w->said[(unsigned char)thing.at[at]] = true;
        memcpy(&len, thing.at + at + 1, sizeof len);
    }
}

/* Things get numbers in the order in which they are met. */
static bool number_things(struct writing *w, struct arena *arena, struct error *err)
{
    size_t slots = 16;

    w->number = arena_array(arena, uint32_t, w->of->thing_count, err);
    w->things = arena_array(arena, uint32_t, w->of->count, err);
    if (w->number == NULL || w->things == NULL)
        return false;
    for (size_t n = 0; n < w->of->count; n++) {
        uint32_t thing = block_line(w->of, n)->thing;

        if (w->number[thing] == 0) {
            w->things[w->thing_count++] = thing;
            w->number[thing] = (uint32_t)w->thing_count;
            note_columns(w, w->of->things[thing]);
        }
    }
    while (slots < w->thing_count * 2)
        slots *= 2;
    w->slot_count = slots;
    w->at = arena_array(arena, uint32_t, w->thing_count, err);
    w->text = arena_array(arena, uint32_t, w->thing_count, err);
    w->texts = arena_array(arena, struct str, w->thing_count, err);
    w->slots = arena_array(arena, uint32_t, slots, err);
    return w->at != NULL && w->text != NULL && w->texts != NULL && w->slots != NULL;
}

/* 1 + its number among the texts of the column. */
static uint32_t number_text(struct writing *w, struct str text)
{
    size_t slot = (size_t)text_hash((uint64_t)(uintptr_t)w, text) & (w->slot_count - 1);

    for (; w->slots[slot] != 0; slot = (slot + 1) & (w->slot_count - 1))
        if (str_eq(w->texts[w->slots[slot] - 1], text))
            return w->slots[slot];
    w->texts[w->text_count] = text;
    w->slots[slot] = (uint32_t)++w->text_count;
    return w->slots[slot];
}

static void put_texts(struct writing *w, int column, bool all)
{
    enum form form = all && w->text_count == 1 ? FORM_ONE
                     : w->text_count < 256     ? FORM_BYTES
                                               : FORM_NUMBERS;

    buf_char(w->raw, (char)(column + 1));
    block_put_number(w->raw, w->text_count);
    for (size_t n = 0; n < w->text_count; n++) {
        block_put_number(w->raw, w->texts[n].len);
        buf_add(w->raw, w->texts[n]);
    }
    buf_char(w->raw, (char)form);
    for (size_t n = 0; form != FORM_ONE && n < w->thing_count; n++) {
        if (form == FORM_BYTES)
            buf_char(w->raw, (char)(unsigned char)w->text[n]);
        else
            block_put_number(w->raw, w->text[n]);
    }
}

static void put_column(struct writing *w, int column)
{
    bool all = true;

    w->text_count = 0;
    for (size_t n = 0; n < w->thing_count; n++) {
        struct str text = next_text(w->of->things[w->things[n]], &w->at[n], column);

        if (text.at == NULL) {
            w->text[n] = 0;
            all = false;
        } else if (n > 0 && w->text[n - 1] > 0 && str_eq(w->texts[w->text[n - 1] - 1], text)) {
            w->text[n] = w->text[n - 1];
        } else {
            w->text[n] = number_text(w, text);
        }
    }
    put_texts(w, column, all);
    memset(w->slots, 0, w->slot_count * sizeof w->slots[0]);
}

static void put_things(struct writing *w)
{
    block_put_number(w->raw, w->thing_count);
    for (int column = 0; column < FOCUS_COUNT; column++)
        if (w->said[column])
            put_column(w, column);
    buf_char(w->raw, 0);
}

/* The longest time that all are whole multiples of. */
static int64_t time_unit_of(const struct block_lines *of, int64_t first)
{
    static const int64_t units[] = {86400, 3600, 60};
    size_t unit = 0;

    for (size_t n = 0; n < of->count && unit < ARRAY_LEN(units);) {
        const struct record *r = block_line(of, n);

        if ((r->start - first) % units[unit] == 0 && (r->end - r->start) % units[unit] == 0)
            n++;
        else
            unit++;
    }
    return unit < ARRAY_LEN(units) ? units[unit] : 1;
}

static void put_times(struct writing *w)
{
    const struct block_lines *of = w->of;
    int64_t first = block_line(of, 0)->start, unit;

    for (size_t n = 1; n < of->count; n++)
        first = block_line(of, n)->start < first ? block_line(of, n)->start : first;
    unit = time_unit_of(of, first);
    block_put_number(w->raw, (uint64_t)unit);
    put_signed(w->raw, first);
    for (size_t n = 0; n < of->count; n++)
        block_put_number(w->raw, (uint64_t)((block_line(of, n)->start - first) / unit));
    for (size_t n = 0; n < of->count; n++)
        put_signed(w->raw, (block_line(of, n)->end - block_line(of, n)->start) / unit);
    for (size_t n = 0; n < of->count; n++)
        block_put_number(w->raw, w->number[block_line(of, n)->thing] - 1);
}

static bool same_decimal(struct decimal a, struct decimal b)
{
    return a.coefficient == b.coefficient && a.scale == b.scale;
}

/* How each number of a line is known. `before`: the last of its thing; NULL: none. */
static void shape_of(const struct record *r, const struct record *before, unsigned char *shape)
{
    struct decimal number[BILL_NUMBERS], earlier;

    for (int n = 0; n < BILL_NUMBERS; n++) {
        int same = 0;

        shape[n] = HOW_UNKNOWN;
        if (!record_number(r, n, &number[n]))
            continue;
        while (same < n &&
               ((r->known >> same & 1) == 0 || !same_decimal(number[same], number[n])))
            same++;
        if (same < n)
            shape[n] = (unsigned char)(HOW_SAME + same);
        else if (before != NULL && record_number(before, n, &earlier) &&
                 same_decimal(earlier, number[n]))
            shape[n] = HOW_BEFORE;
        else
            shape[n] = HOW_VALUE;
    }
}

/* Shapes are few. When they are not, one may be there twice, which does no harm. */
static uint32_t number_shape(unsigned char (*shapes)[BILL_NUMBERS], size_t *count,
                             const unsigned char *shape)
{
    size_t n = *count > SHAPES_KNOWN ? *count - SHAPES_KNOWN : 0;

    while (n < *count && memcmp(shapes[n], shape, BILL_NUMBERS) != 0)
        n++;
    if (n == *count) {
        memcpy(shapes[n], shape, BILL_NUMBERS);
        (*count)++;
    }
    return (uint32_t)n;
}

static void put_values(struct writing *w, unsigned char (*shapes)[BILL_NUMBERS],
                       const uint32_t *shape)
{
    struct decimal number;

    for (int k = 0; k < BILL_NUMBERS; k++) {
        for (size_t n = 0; n < w->of->count; n++)
            if (shapes[shape[n]][k] == HOW_VALUE) {
                (void)record_number(block_line(w->of, n), k, &number);
                buf_char(w->raw, (char)number.scale);
            }
        for (size_t n = 0; n < w->of->count; n++)
            if (shapes[shape[n]][k] == HOW_VALUE) {
                (void)record_number(block_line(w->of, n), k, &number);
                block_put_wide(w->raw, number.coefficient);
            }
    }
}

static bool put_block_numbers(struct writing *w, struct arena *arena, struct error *err)
{
    size_t count = w->of->count, shape_count = 0;
    const struct record **before =
        arena_array(arena, const struct record *, w->thing_count, err);
    uint32_t *shape = arena_array(arena, uint32_t, count, err);
    unsigned char(*shapes)[BILL_NUMBERS] = arena_get(arena, count, BILL_NUMBERS, 1, err);
    unsigned char here[BILL_NUMBERS];

    if (before == NULL || shape == NULL || shapes == NULL)
        return false;
    for (size_t n = 0; n < count; n++) {
        const struct record *r = block_line(w->of, n);
        const struct record **last = &before[w->number[r->thing] - 1];

        shape_of(r, *last, here);
        *last = r;
        shape[n] = n > 0 && memcmp(shapes[shape[n - 1]], here, sizeof here) == 0
                       ? shape[n - 1]
                       : number_shape(shapes, &shape_count, here);
    }
    block_put_number(w->raw, shape_count);
    buf_add(w->raw, (struct str){(const char *)shapes, shape_count * BILL_NUMBERS});
    for (size_t n = 0; n < count; n++)
        block_put_number(w->raw, shape[n]);
    put_values(w, shapes, shape);
    return true;
}

void block_put_head(struct buf *out)
{
    buf_clear(out);
    buf_char(out, VERSION);
    buf_pad(out, '\0', HEAD - 1);
}

void block_put_crc(struct buf *out)
{
    uint32_t crc = crc32c(0, out->at + HEAD, out->len - HEAD);

    for (int n = 0; n < 4; n++)
        out->at[1 + n] = (char)(crc >> 8 * n & 255);
}

/* The packed form of all that was put. */
static bool pack_block(struct block_writer *b, size_t lines, struct error *err)
{
    struct buf *out = &b->content;
    size_t bound = lz_bound(b->raw.len), start;

    block_put_head(out);
    block_put_number(out, lines);
    block_put_number(out, b->raw.len);
    start = out->len;
    buf_pad(out, '\0', bound);
    if (!buf_ok(&b->raw, err) || !buf_ok(out, err))
        return false;
    out->len = start + lz_pack(b->raw.at, b->raw.len, out->at + start, &b->table);
    block_put_crc(out);
    return true;
}

/* What the table has about the block beside it. */
static bool sum_up_block(struct block_writer *b, const struct block_lines *of,
                         struct error *err)
{
    b->sums = (struct amounts){0};
    b->first = INT64_MAX;
    b->last = INT64_MIN;
    for (size_t n = 0; n < of->count; n++) {
        const struct record *r = block_line(of, n);

        b->first = r->start < b->first ? r->start : b->first;
        b->last = r->start > b->last ? r->start : b->last;
        if (!amounts_add(&b->sums, &r->amounts, err))
            return false;
    }
    return true;
}

static bool put_groups(struct block_writer *b, const struct writing *w, struct error *err)
{
    buf_clear(&b->groups);
    for (size_t n = 0; n < w->thing_count; n++)
        block_put_number(&b->groups, (uint64_t)w->of->groups[w->things[n]]);
    return buf_ok(&b->groups, err);
}

struct block_writer *block_writer_make(const struct alloc *alloc, struct error *err)
{
    struct block_writer *b = alloc->get(alloc->ctx, sizeof *b);

    if (b == NULL) {
        (void)error_memory(err);
        return NULL;
    }
    memset(b, 0, sizeof *b);
    b->alloc = alloc;
    b->raw = buf_new(alloc, RAW_MAX);
    b->content = buf_new(alloc, lz_bound(RAW_MAX) + 64);
    b->groups = buf_new(alloc, RAW_MAX);
    return b;
}

void block_writer_free(struct block_writer *b)
{
    if (b == NULL)
        return;
    buf_free(&b->raw);
    buf_free(&b->content);
    buf_free(&b->groups);
    b->alloc->put(b->alloc->ctx, b);
}

bool block_write(struct block_writer *b, const struct block_lines *of, struct error *err)
{
    struct arena arena = {.alloc = b->alloc, .block_size = ARENA_BLOCK_SIZE};
    struct writing w = {.of = of, .raw = &b->raw};
    bool ok;

    buf_clear(&b->raw);
    ok = sum_up_block(b, of, err) && number_things(&w, &arena, err);
    if (ok) {
        put_things(&w);
        put_times(&w);
        ok = put_block_numbers(&w, &arena, err) && put_groups(b, &w, err);
    }
    arena_free(&arena);
    return ok && pack_block(b, of->count, err);
}

void block_write_groups(const int64_t *groups, size_t count, struct buf *out)
{
    for (size_t n = 0; n < count; n++)
        block_put_number(out, (uint64_t)groups[n]);
}

/* ---- reading ---- */

uint64_t block_get_number(struct block_cursor *c)
{
    uint64_t n = 0;

    for (unsigned shift = 0; c->at < c->end && shift < 64; shift += 7) {
        unsigned char byte = *c->at++;

        n |= (uint64_t)(byte & 127) << shift;
        if (byte < 128)
            return n;
    }
    c->bad = true;
    return 0;
}

static int64_t get_signed(struct block_cursor *c)
{
    uint64_t n = block_get_number(c);

    return (int64_t)(n >> 1 ^ ((n & 1) != 0 ? UINT64_MAX : 0));
}

wide block_get_wide(struct block_cursor *c)
{
    uwide n = 0;

    for (unsigned shift = 0; c->at < c->end && shift < 128; shift += 7) {
        unsigned char byte = *c->at++;

        n |= (uwide)(byte & 127) << shift;
        if (byte < 128)
            return (wide)(n >> 1 ^ ((n & 1) != 0 ? ~(uwide)0 : 0));
    }
    c->bad = true;
    return 0;
}

size_t block_get_count(struct block_cursor *c, uint64_t most)
{
    uint64_t n = block_get_number(c);

    if (n > most || n > (uint64_t)(c->end - c->at)) {
        c->bad = true;
        return 0;
    }
    return (size_t)n;
}

static struct str get_block_text(struct block_cursor *c)
{
    uint64_t len = block_get_number(c);
    struct str text = {(const char *)c->at, (size_t)len};

    if (len > (uint64_t)(c->end - c->at)) {
        c->bad = true;
        return (struct str){0};
    }
    c->at += len;
    return text;
}

static bool block_damaged(struct error *err)
{
    error_set(err, ERROR_DAMAGED, "the ledger is damaged: lines of a bill cannot be read");
    error_hint(err, "'stint ledger doctor' names the bill; import its files again");
    return false;
}

static bool read_column(struct block_cursor *c, struct block *b, struct block_column *column,
                        struct arena *arena, struct error *err)
{
    size_t count = block_get_count(c, BLOCK_LINES);
    struct str *texts = arena_array(arena, struct str, count, err);
    uint32_t *which = NULL;
    unsigned form;

    if (texts == NULL)
        return false;
    for (size_t n = 0; n < count; n++)
        texts[n] = get_block_text(c);
    form = (unsigned)block_get_number(c);
    if (c->bad || count == 0 || form > FORM_NUMBERS)
        return block_damaged(err);
    if (form != FORM_ONE && (which = arena_array(arena, uint32_t, b->thing_count, err)) == NULL)
        return false;
    for (size_t n = 0; form != FORM_ONE && n < b->thing_count; n++) {
        uint64_t text = form == FORM_NUMBERS ? block_get_number(c)
                        : c->at < c->end     ? *c->at++
                                             : UINT64_MAX;

        if (text > count)
            return block_damaged(err);
        which[n] = (uint32_t)text;
    }
    *column = (struct block_column){texts, which};
    return true;
}

static bool read_things(struct block_cursor *c, struct block *b, struct arena *arena,
                        struct error *err)
{
    b->thing_count = block_get_count(c, BLOCK_LINES);
    for (;;) {
        uint64_t column = block_get_number(c);

        if (c->bad || column > FOCUS_COUNT)
            return block_damaged(err);
        if (column == 0)
            return true;
        if (!read_column(c, b, &b->columns[column - 1], arena, err))
            return false;
    }
}

static bool read_block_times(struct block_cursor *c, struct block *b, struct error *err)
{
    uint64_t unit = block_get_number(c), first = (uint64_t)get_signed(c);

    /* Unsigned, since what is damaged may be any number. */
    for (size_t n = 0; n < b->count; n++)
        b->lines[n].start = (int64_t)(first + block_get_number(c) * unit);
    for (size_t n = 0; n < b->count; n++)
        b->lines[n].end =
            (int64_t)((uint64_t)b->lines[n].start + (uint64_t)get_signed(c) * unit);
    for (size_t n = 0; n < b->count; n++) {
        uint64_t thing = block_get_number(c);

        if (c->bad || thing >= b->thing_count)
            return block_damaged(err);
        b->lines[n].thing = (uint32_t)thing;
    }
    return true;
}

/* The numbers that a line has from elsewhere, once those that are values are known. */
static bool fill_record_numbers(struct record *r, const struct record *before,
                                const unsigned char *shape)
{
    struct decimal number = DECIMAL_UNKNOWN;

    for (int n = 0; n < BILL_NUMBERS; n++) {
        if (shape[n] == HOW_BEFORE && (before == NULL || !record_number(before, n, &number)))
            return false;
        if (shape[n] >= HOW_SAME &&
            (shape[n] - HOW_SAME >= n || !record_number(r, shape[n] - HOW_SAME, &number)))
            return false;
        if (shape[n] >= HOW_BEFORE)
            record_set(r, n, number);
    }
    record_finish(r);
    return true;
}

static bool read_block_values(struct block_cursor *c, struct block *b,
                              const unsigned char *shapes, const uint32_t *shape,
                              signed char *scales)
{
    for (int k = 0; k < BILL_NUMBERS; k++) {
        size_t count = 0, at = 0;

        for (size_t n = 0; n < b->count; n++)
            count += shapes[shape[n] * BILL_NUMBERS + (size_t)k] == HOW_VALUE;
        if (count > (size_t)(c->end - c->at))
            return false;
        memcpy(scales, c->at, count);
        c->at += count;
        for (size_t n = 0; n < b->count; n++)
            if (shapes[shape[n] * BILL_NUMBERS + (size_t)k] == HOW_VALUE) {
                if (scales[at] > DECIMAL_MAX_SCALE || scales[at] < DECIMAL_MIN_SCALE)
                    return false;
                record_set(&b->lines[n], k, (struct decimal){block_get_wide(c), scales[at++]});
            }
    }
    return !c->bad;
}

static bool read_block_numbers(struct block_cursor *c, struct block *b, struct arena *arena,
                               struct error *err)
{
    size_t count = block_get_count(c, BLOCK_LINES);
    const unsigned char *shapes = c->at;
    const struct record **before =
        arena_array(arena, const struct record *, b->thing_count, err);
    uint32_t *shape = arena_array(arena, uint32_t, b->count, err);
    signed char *scales = arena_array(arena, signed char, b->count, err);

    if (before == NULL || shape == NULL || scales == NULL)
        return false;
    if (c->bad || count > (size_t)(c->end - c->at) / BILL_NUMBERS)
        return block_damaged(err);
    c->at += count * BILL_NUMBERS;
    for (size_t n = 0; n < b->count; n++) {
        uint64_t which = block_get_number(c);

        if (which >= count)
            return block_damaged(err);
        shape[n] = (uint32_t)which;
    }
    if (!read_block_values(c, b, shapes, shape, scales))
        return block_damaged(err);
    for (size_t n = 0; n < b->count; n++) {
        struct record *r = &b->lines[n];

        if (!fill_record_numbers(r, before[r->thing], shapes + (size_t)shape[n] * BILL_NUMBERS))
            return block_damaged(err);
        before[r->thing] = r;
    }
    return c->at == c->end || block_damaged(err);
}

static uint32_t stated_crc(const unsigned char *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 |
           (uint32_t)at[3] << 24;
}

bool block_open(struct str packed, struct block_cursor *out, struct error *err)
{
    const unsigned char *bytes = (const unsigned char *)packed.at;

    if (packed.len > 0 && bytes[0] > VERSION)
        return error_fail(err, ERROR_DAMAGED,
                          "lines of a bill were written by a newer version of Stint");
    if (packed.len < HEAD || bytes[0] != VERSION ||
        stated_crc(bytes + 1) != crc32c(0, bytes + HEAD, packed.len - HEAD))
        return block_damaged(err);
    *out = (struct block_cursor){bytes + HEAD, bytes + packed.len, false};
    return true;
}

bool block_read(struct str content, struct arena *arena, struct block *out, struct error *err)
{
    struct block_cursor c;
    uint64_t lines, size;
    unsigned char *raw;

    *out = (struct block){0};
    if (!block_open(content, &c, err))
        return false;
    lines = block_get_number(&c);
    size = block_get_number(&c);
    if (c.bad || lines > BLOCK_LINES || size > RAW_MAX)
        return block_damaged(err);
    raw = arena_get(arena, (size_t)size, 1, 1, err);
    out->lines = arena_array(arena, struct record, (size_t)lines, err);
    if (raw == NULL || out->lines == NULL)
        return false;
    if (!lz_unpack(c.at, (size_t)(c.end - c.at), raw, (size_t)size))
        return block_damaged(err);
    out->count = (size_t)lines;
    c = (struct block_cursor){raw, raw + size, false};
    return read_things(&c, out, arena, err) && read_block_times(&c, out, err) &&
           read_block_numbers(&c, out, arena, err);
}

bool block_read_groups(struct str groups, size_t count, int64_t *out, struct error *err)
{
    struct block_cursor c = {(const unsigned char *)groups.at,
                             (const unsigned char *)groups.at + groups.len, false};

    for (size_t n = 0; n < count; n++)
        out[n] = (int64_t)block_get_number(&c);
    return (!c.bad && c.at == c.end) || block_damaged(err);
}

void block_thing(const struct block *b, uint32_t thing, struct bill_line *out)
{
    for (int column = 0; column < FOCUS_COUNT; column++) {
        const struct block_column *of = &b->columns[column];
        uint32_t text = of->texts == NULL ? 0 : of->which == NULL ? 1 : of->which[thing];

        out->of[column] = text > 0 ? of->texts[text - 1] : (struct str){0};
    }
}

/* ---- the table of blocks: rows in and out ---- */

#define CONTENT_MAX ((size_t)1 << 29)

static const char next_block[] =
    "SELECT line, lines, billed, effective, list, contracted, groups, content FROM bill_blocks"
    " WHERE bill = ?1 AND line > ?2 AND last >= ?3 AND first < ?4 ORDER BY line LIMIT 1";

struct bulk *blocks_open(struct ledger *l, struct error *err)
{
    static const char *const columns[] = {"bill",       "line",   "lines",     "first",
                                          "last",       "billed", "effective", "list",
                                          "contracted", "groups", "content"};

    return bulk_open(l, "bill_blocks", columns, ARRAY_LEN(columns), err);
}

bool blocks_put(struct bulk *b, int64_t bill, int64_t line, size_t lines,
                const struct block_writer *block, struct error *err)
{
    char room[BILL_AMOUNTS][DECIMAL_ROOM];

    bulk_put(b, as_int(bill));
    bulk_put(b, as_int(line));
    bulk_put(b, as_int((int64_t)lines));
    bulk_put(b, as_int(block->first));
    bulk_put(b, as_int(block->last));
    for (int n = 0; n < BILL_AMOUNTS; n++)
        bulk_put(b, as_text_or_null(decimal_text(amounts_get(&block->sums, n), room[n])));
    bulk_put(b, as_blob(buf_text(&block->groups)));
    bulk_put(b, as_blob(buf_text(&block->content)));
    return bulk_row(b, err);
}

struct block_reader block_reader_make(struct ledger *l)
{
    return (struct block_reader){.l = l,
                                 .arena = {.alloc = l->alloc, .block_size = ARENA_BLOCK_SIZE},
                                 .content = buf_new(l->alloc, CONTENT_MAX),
                                 .groups = buf_new(l->alloc, CONTENT_MAX)};
}

void block_reader_free(struct block_reader *r)
{
    arena_free(&r->arena);
    buf_free(&r->content);
    buf_free(&r->groups);
}

static bool read_block_row(struct block_reader *r, struct query *q, struct error *err)
{
    r->line = column_int(q, 0);
    r->stated = column_int(q, 1);
    for (int n = 0; n < BILL_AMOUNTS; n++) {
        struct decimal sum;

        if (!column_amount(q, 2 + n, &sum, err))
            return false;
        amounts_set(&r->sums, n, sum);
    }
    return column_blob(q, 6, &r->groups, err) && column_blob(q, 7, &r->content, err);
}

int block_next(struct block_reader *r, int64_t bill, int64_t after, int64_t since,
               int64_t until, struct error *err)
{
    struct query *q =
        ledger_query(r->l, next_block,
                     VALUES(as_int(bill), as_int(after), as_int(since), as_int(until)), err);
    bool ok;
    int got = ledger_row(r->l, q, "read", err);

    if (got <= 0)
        return got;
    ok = read_block_row(r, q, err);
    query_reset(q);
    arena_free(&r->arena);
    if (!ok || !block_read(buf_text(&r->content), &r->arena, &r->block, err))
        return -1;
    r->group = arena_array(&r->arena, int64_t, r->block.thing_count, err);
    if (r->group == NULL ||
        !block_read_groups(buf_text(&r->groups), r->block.thing_count, r->group, err))
        return -1;
    return 1;
}
