#include "base/csv.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "base/csv_internal.h"

#if defined(__aarch64__) && !defined(__AARCH64EB__)
#include <arm_neon.h>
#define HAVE_NEON 1
#elif defined(__SSE2__)
#include <emmintrin.h>
#define HAVE_SSE2 1
#endif

/* ---- lists of marks ---- */

/* Places in the text, in order, counted from the batch's origin. */
struct csv_list {
    uint32_t *at;
    size_t count, room;
};

/* What a list must have to spare for a batch: blocks are stored without asking how many of
 * their places are taken. */
#define CSV_SPARE (CSV_BATCH + CSV_BLOCK)

/* Which bits are set in a byte, from the lowest; and more, to make it eight. */
struct csv_bits {
    uint8_t at[8];
};

/* Field i is what is between separators i and i + 1: before the first, one byte before the
 * origin, is taken to be one. Of a row whose end is in a later batch, separators and doubled
 * quotes so far come before the others. Doubled quotes and newlines are followed by UINT32_MAX,
 * so that a loop up to some place needs no second test for the end. */
struct csv_batch {
    uint32_t base;            /* where the batch starts, from the origin */
    bool bad;                 /* what follows it is bad */
    size_t len;               /* bytes scanned */
    size_t kept;              /* fields that end before it */
    struct csv_list seps;     /* separators, and newlines that end a row */
    struct csv_list rows;     /* not places: how many fields there are up to the end of each */
    struct csv_list doubled;  /* the second of two quotes */
    struct csv_list newlines; /* inside quotes */

    struct csv_marks marks[CSV_BLOCKS];
    uint16_t before[CSV_BLOCKS];    /* how many fields end in the blocks before it */
    uint8_t rowed[CSV_BLOCKS + 1];  /* blocks in which a row ends */
    uint8_t noted[CSV_BLOCKS + 1];  /* blocks with doubled quotes, or newlines inside quotes */
    uint16_t places[CSV_SPARE + 8]; /* of separators, from the start of the batch */
    struct csv_bits table[256];
};

/* The field from `start` up to the separator at `end`. Without a branch, as it cannot be
 * predicted which fields are quoted. The scanner has seen to it that what opens also closes. */
static inline struct str csv_field(const char *start, const char *end)
{
    size_t quoted = *start == '"';

    return (struct str){start + quoted, (size_t)(end - start) - 2 * quoted};
}

enum csv_step { CSV_STEP_MORE, CSV_STEP_ROW, CSV_STEP_SKIP, CSV_STEP_END, CSV_STEP_FAILED };

struct csv {
    const struct alloc *alloc;
    struct source source; /* no `read` for text in memory */
    size_t max_row, max_fields;

    const char *text; /* what is in memory of the input: the buffer, or the entire text */
    size_t len;
    char *buffer; /* NULL for text in memory */
    size_t capacity;
    bool started, ended, failed; /* ended: nothing follows what is in memory */

    size_t origin,
        next; /* where the places in the batch count from; where the next one starts */
    size_t rows, doubled, newlines; /* how many of the batch are dealt with */
    size_t row;                     /* where the current row starts */
    uint64_t row_line, line;        /* the line on which it does, and the one we are on */
    size_t first, count;            /* its first field, of those in the batch, and how many */

    struct str *fields; /* of the row last handed out */
    size_t field_room;
    char *side; /* where those of them with doubled quotes are put without */
    size_t side_room;
    struct csv_scanner scanner;
    struct csv_batch batch;
};

/* Where field `index` of the current row starts. */
static inline size_t csv_field_start(const struct csv *csv, size_t index)
{
    return csv->origin + (uint32_t)(csv->batch.seps.at[csv->first + index] + 1);
}

/* Byte i of the result is how many bits are set in bytes 0 to i. */
static inline uint64_t count_so_far(uint64_t bits)
{
#ifdef HAVE_NEON
    bits = vget_lane_u64(vreinterpret_u64_u8(vcnt_u8(vcreate_u8(bits))), 0);
#else
    bits -= bits >> 1 & 0x5555555555555555;
    bits = (bits & 0x3333333333333333) + (bits >> 2 & 0x3333333333333333);
    bits = (bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0f;
#endif
    return bits * 0x0101010101010101;
}

static inline uint32_t count_csv_bits(uint64_t bits)
{
    return (uint32_t)(count_so_far(bits) >> 56);
}

static void csv_fill_table(struct csv_bits table[256])
{
    for (unsigned byte = 0; byte < 256; byte++) {
        unsigned count = 0;

        table[byte] = (struct csv_bits){{0}};
        for (unsigned bit = 0; bit < 8; bit++)
            if ((byte >> bit & 1) != 0)
                table[byte].at[count++] = (uint8_t)bit;
    }
}

/* Eight numbers of 16 bits: all the same; with one more number added to each; with eight others
 * added and stored. */
#if defined(HAVE_NEON)

typedef uint16x8_t eight;

static inline eight eight_of(unsigned number)
{
    return vdupq_n_u16((uint16_t)number);
}

static inline eight add_to_eight(eight base, unsigned number)
{
    return vaddq_u16(base, eight_of(number));
}

static inline void store_sum(uint16_t *to, eight base, const struct csv_bits *bits)
{
    vst1q_u16(to, vaddw_u8(base, vld1_u8(bits->at)));
}

#elif defined(HAVE_SSE2)

typedef __m128i eight;

static inline eight eight_of(unsigned number)
{
    return _mm_set1_epi16((short)number);
}

static inline eight add_to_eight(eight base, unsigned number)
{
    return _mm_add_epi16(base, eight_of(number));
}

static inline void store_sum(uint16_t *to, eight base, const struct csv_bits *bits)
{
    __m128i wide = _mm_unpacklo_epi8(_mm_loadl_epi64((const __m128i *)(const void *)bits->at),
                                     _mm_setzero_si128());

    _mm_storeu_si128((__m128i *)(void *)to, _mm_add_epi16(base, wide));
}

#else

typedef unsigned eight;

static inline eight eight_of(unsigned number)
{
    return number;
}

static inline eight add_to_eight(eight base, unsigned number)
{
    return base + number;
}

static inline void store_sum(uint16_t *to, eight base, const struct csv_bits *bits)
{
    for (unsigned i = 0; i < 8; i++)
        to[i] = (uint16_t)(base + bits->at[i]);
}

#endif

/* Store the place of each bit. For each byte of them eight places are looked up and stored, of
 * which the next byte's cover those that are too many: a loop over the bits would end elsewhere
 * in each block, and where cannot be predicted. Not inline, as measured: gcc 12 then mixes it
 * with the loop around it, and that is 5 % slower. */
static __attribute__((noinline)) uint16_t *add_places(uint16_t *to, uint64_t bits, eight base,
                                                      const struct csv_bits table[256])
{
    const uint64_t counts = count_so_far(bits);

    store_sum(to, base, &table[bits & 255]);
    store_sum(to + (counts & 255), add_to_eight(base, 8), &table[bits >> 8 & 255]);
    store_sum(to + (counts >> 8 & 255), add_to_eight(base, 16), &table[bits >> 16 & 255]);
    store_sum(to + (counts >> 16 & 255), add_to_eight(base, 24), &table[bits >> 24 & 255]);
    store_sum(to + (counts >> 24 & 255), add_to_eight(base, 32), &table[bits >> 32 & 255]);
    store_sum(to + (counts >> 32 & 255), add_to_eight(base, 40), &table[bits >> 40 & 255]);
    store_sum(to + (counts >> 40 & 255), add_to_eight(base, 48), &table[bits >> 48 & 255]);
    store_sum(to + (counts >> 48 & 255), add_to_eight(base, 56), &table[bits >> 56]);
    return to + (counts >> 56);
}

/* Add `places`, from the start of the batch, to the separators, as places from the origin. */
static void add_seps(struct csv_batch *batch, size_t count)
{
    const uint16_t *places = batch->places;
    uint32_t *to = batch->seps.at + batch->seps.count;

#ifdef HAVE_NEON
    const uint32x4_t base = vdupq_n_u32(batch->base);

    for (size_t i = 0; i < count; i += 8) { /* up to seven too many, for which there is room */
        uint16x8_t some = vld1q_u16(places + i);

        vst1q_u32(to + i, vaddw_u16(base, vget_low_u16(some)));
        vst1q_u32(to + i + 4, vaddw_high_u16(base, some));
    }
#else
    for (size_t i = 0; i < count; i++)
        to[i] = batch->base + places[i];
#endif
    batch->seps.count += count;
}

/* How many bits there are up to and with the lowest of `upto`. */
static inline uint32_t count_upto(uint64_t bits, uint64_t upto)
{
    return count_csv_bits(bits & (upto ^ (upto - 1)));
}

/* Of each row that ends here, how many fields there are up to its end. */
static void add_csv_rows(struct csv_batch *batch, size_t blocks)
{
    uint32_t *to = batch->rows.at;

    for (size_t i = 0; i < blocks; i++) {
        const struct csv_marks *marks = &batch->marks[batch->rowed[i]];
        uint32_t before = batch->before[batch->rowed[i]];

        for (uint64_t rows = marks->rows; rows != 0; rows &= rows - 1)
            *to++ = (uint32_t)batch->kept + before + count_upto(marks->ends, rows);
    }
    batch->rows.count = (size_t)(to - batch->rows.at);
}

static void add_csv_note(struct csv_list *list, uint64_t bits, uint32_t base)
{
    for (; bits != 0; bits &= bits - 1)
        list->at[list->count++] = base + (uint32_t)__builtin_ctzll(bits);
}

static void add_csv_notes(struct csv_batch *batch, size_t blocks)
{
    batch->newlines.count = 0;
    for (size_t i = 0; i < blocks; i++) {
        const struct csv_marks *marks = &batch->marks[batch->noted[i]];
        uint32_t base = batch->base + (uint32_t)(batch->noted[i] * CSV_BLOCK);

        add_csv_note(&batch->doubled, marks->doubled, base);
        add_csv_note(&batch->newlines, marks->newlines, base);
    }
    batch->doubled.at[batch->doubled.count] = UINT32_MAX;
    batch->newlines.at[batch->newlines.count] = UINT32_MAX;
}

/* Scan on from `text`, which is at `base`, for up to `len` bytes. Adds to the separators and
 * doubled quotes that are there already; the other lists start anew. */
static void csv_split(struct csv_scanner *scanner, const char *text, size_t len,
                      struct csv_batch *batch)
{
    uint16_t *to = batch->places;
    size_t blocks, rowed = 0, noted = 0;

    batch->len = csv_scan(scanner, text, len, batch->marks);
    batch->bad = batch->len < (len < CSV_BATCH ? len : CSV_BATCH);
    batch->kept = batch->seps.count - 1;
    blocks = (batch->len + CSV_BLOCK - 1) / CSV_BLOCK;
    for (size_t i = 0; i < blocks; i++) {
        const struct csv_marks *marks = &batch->marks[i];

        /* Blocks with something rare in them are listed, for loops of their own. Written
         * always, but kept only when it is there: no branch to guess. */
        batch->rowed[rowed] = (uint8_t)i;
        rowed += marks->rows != 0;
        batch->noted[noted] = (uint8_t)i;
        noted += (marks->doubled | marks->newlines) != 0;
        batch->before[i] = (uint16_t)(to - batch->places);
        to = add_places(to, marks->ends, eight_of((unsigned)(i * CSV_BLOCK)), batch->table);
    }
    add_seps(batch, (size_t)(to - batch->places));
    add_csv_rows(batch, rowed);
    add_csv_notes(batch, noted);
}

/* The field which a doubled quote is in. */
static size_t csv_field_at(const struct csv_batch *batch, uint32_t place)
{
    size_t block = (place - batch->base) / CSV_BLOCK, i = 0;
    uint64_t bit = (uint64_t)1 << (place - batch->base) % CSV_BLOCK;

    if (place >= batch->base)
        return batch->kept + batch->before[block] + count_upto(batch->marks[block].ends, bit);
    while (batch->seps.at[i + 1] < place)
        i++;
    return i;
}

#ifdef HAVE_NEON

/* Four fields at a time, with the arithmetic of csv_field(). Returns how many are done. */
static inline size_t slice_fours(struct str *to, const uint32_t *seps, size_t count,
                                 const char *origin)
{
    const uint64x2_t origins = vdupq_n_u64((uint64_t)(uintptr_t)origin);
    const uint32x4_t quote = vdupq_n_u32('"'), one = vdupq_n_u32(1);
    const uint8_t *after = (const uint8_t *)origin + 1;
    size_t i;

    for (i = 0; i + 4 <= count; i += 4) {
        uint8x16_t bytes = vdupq_n_u8(0);
        uint32x4_t start = vaddq_u32(vld1q_u32(seps + i), one), quoted, len;
        uint64x2x2_t low, high;

        bytes = vld1q_lane_u8(after + (int32_t)seps[i], bytes, 0);
        bytes = vld1q_lane_u8(after + (int32_t)seps[i + 1], bytes, 4);
        bytes = vld1q_lane_u8(after + (int32_t)seps[i + 2], bytes, 8);
        bytes = vld1q_lane_u8(after + (int32_t)seps[i + 3], bytes, 12);
        quoted = vceqq_u32(vreinterpretq_u32_u8(bytes), quote); /* -1 where it is */
        start = vsubq_u32(start, quoted);
        len = vaddq_u32(vsubq_u32(vld1q_u32(seps + i + 1), start), quoted);
        low.val[0] = vaddw_u32(origins, vget_low_u32(start));
        low.val[1] = vmovl_u32(vget_low_u32(len));
        high.val[0] = vaddw_high_u32(origins, start);
        high.val[1] = vmovl_high_u32(len);
        vst2q_u64((uint64_t *)(void *)(to + i), low);
        vst2q_u64((uint64_t *)(void *)(to + i + 2), high);
    }
    return i;
}

#else

static inline size_t slice_fours(struct str *to, const uint32_t *seps, size_t count,
                                 const char *origin)
{
    (void)to, (void)seps, (void)count, (void)origin;
    return 0;
}

#endif

/* Make `count` fields, still with doubled quotes in them. */
static void csv_slice(const struct csv_batch *batch, const char *origin, size_t first,
                      size_t count, struct str *fields)
{
    const uint32_t *seps = batch->seps.at + first;

    for (size_t i = slice_fours(fields, seps, count, origin); i < count; i++)
        fields[i] = csv_field(origin + (uint32_t)(seps[i] + 1), origin + seps[i + 1]);
}

/* ---- errors ---- */

/* Each sets the error and returns CSV_STEP_FAILED. Of what is wrong past the longest row, only
 * the length is reported: whether the rest is seen depends on how much the source gives. */
static enum csv_step csv_fail_long(const struct csv *csv, struct error *err)
{
    error_set(err, ERROR_INPUT, "line %" PRIu64 ": a row is longer than %zu bytes",
              csv->row_line, csv->max_row);
    error_hint(err, "check that this is a CSV file, with one row on each line");
    return CSV_STEP_FAILED;
}

static enum csv_step csv_fail_bad(const struct csv *csv, size_t at, struct error *err)
{
    if (at - csv->row > csv->max_row)
        return csv_fail_long(csv, err);
    if (csv->text[at] == '\0') {
        error_set(err, ERROR_INPUT, "line %" PRIu64 ": a NUL byte: this is not a text file",
                  csv->line);
        error_hint(err, "save it again as CSV in UTF-8");
    } else {
        error_set(err, ERROR_INPUT, "line %" PRIu64 ": text after a closing quote", csv->line);
        error_hint(err, "write a quote inside a quoted field twice: \"a 3.5\"\" disk\"");
    }
    return CSV_STEP_FAILED;
}

static enum csv_step csv_fail_fields(const struct csv *csv, struct error *err)
{
    size_t start = csv_field_start(csv, csv->max_fields);
    size_t end = csv_field_start(csv, csv->max_fields + 1) - 1;

    end -= start < end && csv->text[start] == '"'; /* the quote that closes it may be too far */
    if (end - csv->row > csv->max_row)
        return csv_fail_long(csv, err);
    error_set(err, ERROR_INPUT, "line %" PRIu64 ": a row has more than %zu fields",
              csv->row_line, csv->max_fields);
    error_hint(err, "check that this is a CSV file, with one row on each line");
    return CSV_STEP_FAILED;
}

static enum csv_step csv_fail_open_quote(const struct csv *csv, struct error *err)
{
    uint64_t line = csv->line;

    for (size_t i = csv_field_start(csv, csv->count); i < csv->len; i++)
        line -= csv->text[i] == '\n';
    error_set(err, ERROR_INPUT, "line %" PRIu64 ": a quoted field is never closed", line);
    error_hint(err, "end the field with a quote; write a quote inside it twice");
    return CSV_STEP_FAILED;
}

/* ---- reading rows ---- */

#define BUFFER_START ((size_t)256 * 1024)
#define WIDE ((size_t)32)
#define BUFFER_SLACK ((size_t)64 * 1024) /* at least this much is asked of the source at once */

static void csv_put(const struct csv *csv, void *block)
{
    if (block != NULL)
        csv->alloc->put(csv->alloc->ctx, block);
}

static void *csv_get(const struct csv *csv, size_t size, struct error *err)
{
    void *block = csv->alloc->get(csv->alloc->ctx, size);

    if (block == NULL)
        (void)error_memory(err);
    return block;
}

static size_t at_most_size(size_t value, size_t limit)
{
    return value < limit ? value : limit;
}

static bool make_list(const struct csv *csv, struct csv_list *list, struct error *err)
{
    list->room = CSV_SPARE + CSV_BLOCK;
    list->at = csv_get(csv, list->room * sizeof *list->at, err);
    return list->at != NULL;
}

static struct csv *open_with(const struct csv_options *options, struct error *err)
{
    size_t max_row = options->max_row > 0 ? options->max_row : CSV_MAX_ROW;
    size_t max_fields = options->max_fields > 0 ? options->max_fields : CSV_MAX_FIELDS;
    struct csv *csv = options->alloc->get(options->alloc->ctx, sizeof *csv);

    if (csv == NULL) {
        (void)error_memory(err);
        return NULL;
    }
    memset(csv, 0, sizeof *csv);
    csv->alloc = options->alloc;
    csv->line = 1;
    csv->max_row = at_most_size(max_row, UINT32_MAX / 4); /* so that places fit into 32 bits */
    csv->max_fields = at_most_size(max_fields, UINT32_MAX / 4);
    csv->scanner = (struct csv_scanner){
        .state = CSV_AT_ROW, .comments = options->comments, .scalar = options->scalar};
    if (!make_list(csv, &csv->batch.seps, err) || !make_list(csv, &csv->batch.rows, err) ||
        !make_list(csv, &csv->batch.doubled, err) ||
        !make_list(csv, &csv->batch.newlines, err)) {
        csv_close(csv);
        return NULL;
    }
    csv->batch.seps.at[csv->batch.seps.count++] = UINT32_MAX;
    csv_fill_table(csv->batch.table);
    return csv;
}

struct csv *csv_open(struct source source, const struct csv_options *options, struct error *err)
{
    struct csv *csv = open_with(options, err);

    if (csv == NULL)
        return NULL;
    csv->source = source;
    csv->capacity = at_most_size(BUFFER_START, csv->max_row + BUFFER_SLACK);
    csv->buffer = csv_get(csv, csv->capacity, err);
    csv->text = csv->buffer;
    if (csv->buffer == NULL) {
        csv_close(csv);
        return NULL;
    }
    return csv;
}

struct csv *csv_open_text(struct str text, const struct csv_options *options, struct error *err)
{
    struct csv *csv = open_with(options, err);

    if (csv == NULL)
        return NULL;
    csv->text = text.len > 0 ? text.at : "";
    csv->len = text.len;
    csv->ended = true;
    return csv;
}

void csv_close(struct csv *csv)
{
    if (csv == NULL)
        return;
    csv_put(csv, csv->batch.seps.at);
    csv_put(csv, csv->batch.rows.at);
    csv_put(csv, csv->batch.doubled.at);
    csv_put(csv, csv->batch.newlines.at);
    csv_put(csv, csv->fields);
    csv_put(csv, csv->buffer);
    csv_put(csv, csv->side);
    csv->alloc->put(csv->alloc->ctx, csv);
}

/* Both of these make a new block, in which nothing is: only the row at hand needs it. */
static bool make_csv_fields(struct csv *csv, struct error *err)
{
    csv_put(csv, csv->fields);
    csv->field_room = 2 * csv->count;
    csv->fields = csv_get(csv, csv->field_room * sizeof *csv->fields, err);
    return csv->fields != NULL;
}

static bool make_side(struct csv *csv, size_t wanted, struct error *err)
{
    csv_put(csv, csv->side);
    csv->side_room = 2 * wanted;
    csv->side = csv_get(csv, csv->side_room, err);
    return csv->side != NULL;
}

/* Copy the pieces between doubled quotes. They are short, and a piece of any length up to
 * WIDE is copied the same way, with bytes that the next one covers. `wide` says that so many
 * may be read after the field; there is always room to write them. */
static char *copy_piece(char *to, const char *from, size_t len, bool wide)
{
    if (wide && len <= WIDE)
        memcpy(to, from, WIDE);
    else
        memcpy(to, from, len);
    return to + len;
}

/* Copy to `to` without the second of each two quotes, which are next in the list, up to `end`.
 * Returns where the copy ends. */
static char *undouble_quotes(struct csv *csv, struct str *field, uint32_t end, char *to)
{
    const char *origin = csv->text + csv->origin, *from = field->at;
    const char *last = field->at + field->len;
    const uint32_t *doubled = csv->batch.doubled.at + csv->doubled;
    bool wide = csv->len - (size_t)(last - csv->text) >= WIDE;

    field->at = to;
    for (; *doubled < end; doubled++) {
        to = copy_piece(to, from, (size_t)(origin + *doubled - from), wide);
        from = origin + *doubled + 1;
    }
    to = copy_piece(to, from, (size_t)(last - from), wide);
    field->len = (size_t)(to - field->at);
    csv->doubled = (size_t)(doubled - csv->batch.doubled.at);
    return to;
}

static bool undouble_fields(struct csv *csv, size_t end, struct error *err)
{
    const struct csv_batch *batch = &csv->batch;
    char *to;

    if (end - csv->row + WIDE > csv->side_room && !make_side(csv, end - csv->row + WIDE, err))
        return false;
    to = csv->side;
    while (batch->doubled.at[csv->doubled] < end - csv->origin) {
        size_t i = csv_field_at(batch, batch->doubled.at[csv->doubled]);

        to = undouble_quotes(csv, &csv->fields[i - csv->first], batch->seps.at[i + 1], to);
    }
    return true;
}

/* A row may end without a newline. If its last field is empty, there is then no byte to look
 * at, to see whether it is quoted. */
static void slice_row(struct csv *csv, size_t end, bool newline)
{
    size_t last = csv->count - 1, start = csv_field_start(csv, last);
    bool nothing = !newline && start == end;

    csv_slice(&csv->batch, csv->text + csv->origin, csv->first, csv->count - nothing,
              csv->fields);
    if (nothing)
        csv->fields[last] = (struct str){csv->text + start, 0};
}

/* All separators of the row are known; `end` is its newline, or the end of the input. */
static enum csv_step end_row(struct csv *csv, size_t end, bool newline, struct error *err)
{
    bool cr = newline && end > csv->row && csv->text[end - 1] == '\r';

    if (csv->count > csv->max_fields)
        return csv_fail_fields(csv, err);
    if (end - cr - csv->row > csv->max_row)
        return csv_fail_long(csv, err);
    csv->line += newline;
    if (end - cr == csv->row || (csv->scanner.comments && csv->text[csv->row] == '#'))
        return CSV_STEP_SKIP;
    if (csv->count > csv->field_room && !make_csv_fields(csv, err))
        return CSV_STEP_FAILED;
    slice_row(csv, end, newline);
    csv->fields[csv->count - 1].len -= cr;
    if (csv->batch.doubled.at[csv->doubled] < end - csv->origin &&
        !undouble_fields(csv, end, err))
        return CSV_STEP_FAILED;
    return CSV_STEP_ROW;
}

/* The input is over: what is left is a row without a newline, or nothing. */
static enum csv_step last_row(struct csv *csv, struct error *err)
{
    struct csv_list *seps = &csv->batch.seps;
    enum csv_step step;

    if (csv->row == csv->len)
        return CSV_STEP_END;
    if (csv->len - csv->row > csv->max_row)
        return csv_fail_long(csv, err);
    if (csv->scanner.state == CSV_IN_QUOTES)
        return csv_fail_open_quote(csv, err);
    if (csv->scanner.state == CSV_CLOSED_CR)
        return csv_fail_bad(csv, csv->len - 1, err);
    seps->at[seps->count++] = (uint32_t)(csv->len - csv->origin); /* there is room to spare */
    csv->batch.base = seps->at[++csv->count]; /* so that doubled quotes are all before it */
    step = end_row(csv, csv->len, false, err);
    csv->row = csv->len;
    return step;
}

/* Put what is read of the current row, whose start is the origin, at the front of the buffer,
 * or of a larger one. */
static bool make_csv_room(struct csv *csv, struct error *err)
{
    size_t kept = csv->len - csv->row, capacity = csv->capacity;
    char *buffer = csv->buffer;

    if (kept > capacity / 2)
        capacity = at_most_size(capacity * 2, csv->max_row + BUFFER_SLACK);
    if (capacity > csv->capacity) {
        buffer = csv_get(csv, capacity, err);
        if (buffer == NULL)
            return false;
    } else if (csv->row == 0) {
        return true; /* lest a source that gives byte by byte makes us copy all each time */
    }
    memmove(buffer, csv->buffer + csv->row, kept);
    if (buffer != csv->buffer)
        csv_put(csv, csv->buffer);
    csv->text = csv->buffer = buffer;
    csv->capacity = capacity;
    csv->len = kept;
    csv->next -= csv->row;
    csv->origin = csv->row = 0;
    return true;
}

/* More bytes from the source, or the end of it. */
static bool refill_buffer(struct csv *csv, struct error *err)
{
    ptrdiff_t got;

    if (!make_csv_room(csv, err))
        return false;
    got = csv->source.read(csv->source.ctx, csv->buffer + csv->len, csv->capacity - csv->len,
                           err);
    if (got < 0)
        return false;
    assert((size_t)got <= csv->capacity - csv->len);
    csv->len += (size_t)got;
    csv->ended = got == 0;
    return true;
}

/* Move what the list has of the row that goes on to the front, to count from where that row
 * starts, and leave room for what is to come. */
static bool carry_row(const struct csv *csv, struct csv_list *list, size_t dealt,
                      struct error *err)
{
    size_t count = list->count - dealt, room = list->room;
    uint32_t *to = list->at, shift = (uint32_t)(csv->row - csv->origin);

    if (room - count < CSV_SPARE) {
        room *= 2;
        to = csv_get(csv, room * sizeof *to, err);
        if (to == NULL)
            return false;
    }
    if (to != list->at || dealt > 0 || shift > 0) /* else each byte of a slow source costs */
        for (size_t i = 0; i < count; i++)
            to[i] = list->at[dealt + i] - shift;
    to[count] = UINT32_MAX;
    if (to != list->at)
        csv_put(csv, list->at);
    *list = (struct csv_list){.at = to, .count = count, .room = room};
    return true;
}

/* No row ends any more in the batch: keep what it has of the current one. */
static bool keep_csv_row(struct csv *csv, struct error *err)
{
    if (!carry_row(csv, &csv->batch.seps, csv->first, err) ||
        !carry_row(csv, &csv->batch.doubled, csv->doubled, err))
        return false;
    csv->line += csv->batch.newlines.count - csv->newlines;
    csv->origin = csv->row;
    csv->first = csv->rows = csv->doubled = csv->newlines = 0;
    csv->batch.rows.count = csv->batch.newlines.count = 0;
    csv->count = csv->batch.seps.count - 1;
    return true;
}

/* Scan what comes next, after reading more when need be. */
static enum csv_step next_csv_batch(struct csv *csv, struct error *err)
{
    if (!keep_csv_row(csv, err))
        return CSV_STEP_FAILED;
    if (csv->count > csv->max_fields)
        return csv_fail_fields(csv, err);
    if (csv->batch.bad)
        return csv_fail_bad(csv, csv->next, err);
    /* One byte past the limit may yet be the CR of a row that is just short enough. */
    if (csv->next - csv->row > csv->max_row + 1)
        return csv_fail_long(csv, err);
    while (csv->next == csv->len) {
        if (csv->ended)
            return last_row(csv, err);
        if (!refill_buffer(csv, err))
            return CSV_STEP_FAILED;
    }
    csv->batch.base = (uint32_t)(csv->next - csv->origin);
    csv_split(&csv->scanner, csv->text + csv->next, csv->len - csv->next, &csv->batch);
    csv->next += csv->batch.len;
    return CSV_STEP_MORE;
}

static enum csv_step read_csv_row(struct csv *csv, struct error *err)
{
    const struct csv_batch *batch = &csv->batch;
    enum csv_step step;
    uint32_t end;

    csv->first += csv->count;
    csv->count = 0;
    csv->row_line = csv->line;
    while (csv->rows == batch->rows.count) {
        step = next_csv_batch(csv, err);
        if (step != CSV_STEP_MORE)
            return step;
    }
    csv->count = batch->rows.at[csv->rows++] - csv->first;
    end = batch->seps.at[csv->first + csv->count];
    for (; batch->newlines.at[csv->newlines] < end; csv->newlines++)
        csv->line++;
    step = end_row(csv, csv->origin + end, true, err);
    csv->row = csv->origin + end + 1;
    return step;
}

static bool skip_byte_order_mark(struct csv *csv, struct error *err)
{
    while (csv->len < 3 && !csv->ended)
        if (!refill_buffer(csv, err))
            return false;
    if (csv->len >= 3 && memcmp(csv->text, "\xef\xbb\xbf", 3) == 0)
        csv->next = csv->row = csv->origin = 3;
    csv->started = true;
    return true;
}

bool csv_next(struct csv *csv, struct csv_row *row, struct error *err)
{
    enum csv_step step = CSV_STEP_SKIP;

    if (csv->failed)
        return false;
    if (!csv->started && !skip_byte_order_mark(csv, err))
        step = CSV_STEP_FAILED;
    while (step == CSV_STEP_SKIP)
        step = read_csv_row(csv, err);
    csv->failed = step == CSV_STEP_FAILED;
    if (step != CSV_STEP_ROW)
        return false;
    *row = (struct csv_row){csv->fields, csv->count, csv->row_line};
    return true;
}

bool csv_failed(const struct csv *csv)
{
    return csv->failed;
}

size_t csv_column(const struct csv_row *header, struct str name)
{
    for (size_t i = 0; i < header->count; i++)
        if (str_eq_nocase(str_trim(header->fields[i]), str_trim(name)))
            return i;
    return SIZE_MAX;
}

size_t csv_column_of(const struct csv_row *header, const char *const *names)
{
    size_t at = SIZE_MAX;

    for (; at == SIZE_MAX && *names != NULL; names++)
        at = csv_column(header, str_from(*names));
    return at;
}

/* ---- writing ---- */

struct str csv_cell(const struct csv_row *row, size_t at)
{
    return at < row->count ? str_trim(row->fields[at]) : STR("");
}

void csv_write_field(struct str text, struct buf *out)
{
    bool quote = false;

    for (size_t i = 0; i < text.len; i++)
        quote |=
            text.at[i] == ',' || text.at[i] == '"' || text.at[i] == '\n' || text.at[i] == '\r';
    if (!quote) {
        buf_add(out, text);
        return;
    }
    buf_char(out, '"');
    for (size_t i = 0; i < text.len; i++) {
        if (text.at[i] == '"')
            buf_char(out, '"');
        buf_char(out, text.at[i]);
    }
    buf_char(out, '"');
}
