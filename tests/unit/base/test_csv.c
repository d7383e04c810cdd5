#include "test.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/csv.h"

/* A source that gives `chunk` bytes at a time. */
struct chunks {
    struct str rest;
    size_t chunk;
};

static ptrdiff_t read_chunk(void *ctx, char *to, size_t room, struct error *err)
{
    struct chunks *from = ctx;
    size_t len = from->rest.len < from->chunk ? from->rest.len : from->chunk;

    (void)err;
    if (len > room)
        len = room;
    if (len == 0)
        return 0;
    memcpy(to, from->rest.at, len);
    from->rest.at += len;
    from->rest.len -= len;
    return (ptrdiff_t)len;
}

/* All rows as text: "1:a|b;3:c;" is a row of two fields on line 1, and one of one on line 3.
 * What went wrong follows: "1:a;! line 2: ...". */
static struct buf render(struct csv *csv, struct error *err)
{
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct csv_row row;

    while (csv_next(csv, &row, err)) {
        buf_addf(&out, "%llu:", (unsigned long long)row.line);
        for (size_t i = 0; i < row.count; i++) {
            if (i > 0)
                buf_char(&out, '|');
            buf_add(&out, row.fields[i]);
        }
        buf_char(&out, ';');
    }
    if (csv_failed(csv)) {
        buf_adds(&out, "! ");
        buf_adds(&out, err->text);
        assert_false(csv_next(csv, &row, err)); /* and stays failed */
    } else {
        assert_int_equal(err->kind, ERROR_NONE);
    }
    assert_false(csv_next(csv, &row, err));
    csv_close(csv);
    assert_true(buf_ok(&out, err));
    return out;
}

/* With a chunk of 0 as text in memory, else from a source. The copy is of just the right
 * size, so that ASan sees a read past its end. */
static struct buf read_as(struct str text, struct csv_options options, size_t chunk)
{
    char *exact = malloc(text.len > 0 ? text.len : 1);
    struct chunks from = {{exact, text.len}, chunk};
    struct error err = {0};
    struct csv *csv;
    struct buf out;

    assert_non_null(exact);
    if (text.len > 0)
        memcpy(exact, text.at, text.len);
    options.alloc = &alloc_system;
    csv = chunk == 0 ? csv_open_text(from.rest, &options, &err)
                     : csv_open((struct source){read_chunk, &from}, &options, &err);
    assert_non_null(csv);
    out = render(csv, &err);
    free(exact);
    return out;
}

/* Every way of reading must give the same; `expected` may be NULL. */
static void check_with(struct str text, struct csv_options options, const char *expected,
                       size_t max_chunk)
{
    struct buf first = read_as(text, options, 0);

    if (expected != NULL)
        assert_str_equal(buf_text(&first), expected);
    for (size_t chunk = 0; chunk <= max_chunk; chunk++)
        for (int scalar = 0; scalar < 2; scalar++) {
            struct buf other;

            options.scalar = scalar;
            other = read_as(text, options, chunk);
            assert_int_equal(other.len, first.len);
            if (first.len > 0)
                assert_memory_equal(other.at, first.at, first.len);
            buf_free(&other);
        }
    buf_free(&first);
}

/* "3:a;4:b;" as "4:a;5:b;" */
static void add_shifted(struct buf *out, struct str rows)
{
    while (rows.len > 0) {
        struct str row = str_cut(&rows, ';'), line = str_cut(&row, ':');

        buf_addf(out, "%d:%.*s;", atoi(line.at) + 1, STR_ARG(row));
    }
}

/* Also with the text pushed along by rows of each length, so that each of its bytes is at one
 * time the last of a block, and with more rows after it. */
static void check(const char *text, const char *expected)
{
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT), in = out;

    check_with(str_from(text), (struct csv_options){0}, expected, strlen(text) + 2);
    if (strchr(expected, '!') != NULL || str_ends(str_from(text), STR("\r")))
        return;
    for (size_t shift = 1; shift <= 130; shift++) {
        struct buf got;

        buf_clear(&in);
        buf_clear(&out);
        buf_pad(&in, 'x', shift);
        buf_addf(&in, "\n%s\nlast,\"row\",of the text, and long enough to fill a block,,,,\n",
                 text);
        buf_addf(&out, "1:%.*s;", (int)shift, in.at);
        add_shifted(&out, str_from(expected));
        check_with(buf_text(&in), (struct csv_options){0}, NULL, 0);
        got = read_as(buf_text(&in), (struct csv_options){0}, 0);
        assert_true(str_starts(buf_text(&got), buf_text(&out)));
        buf_free(&got);
    }
    buf_free(&in);
    buf_free(&out);
}

static void test_rows(void **state)
{
    (void)state;
    check("", "");
    check("a", "1:a;");
    check("a\n", "1:a;");
    check("a,b\nc,d\n", "1:a|b;2:c|d;");
    check("a,b\r\nc,d\r\n", "1:a|b;2:c|d;");
    check("a,\n,b\n,\n", "1:a|;2:|b;3:|;");
    check("a,", "1:a|;");
    check(",", "1:|;");
    check("a\nb", "1:a;2:b;");
    check(" a , b ", "1: a | b ;"); /* blanks are data */
    check("a,b\n1,2,3\n4\n", "1:a|b;2:1|2|3;3:4;");
}

static void test_blank_lines(void **state)
{
    (void)state;
    check("\n", "");
    check("\r\n", "");
    check("\n\r\n\na\n\n\nb\n\n", "4:a;7:b;");
    check("a\n\n", "1:a;");
    check(" \n", "1: ;");
    check("\"\"\n", "1:;"); /* an empty field is not a blank line */
    check("\"\"\r\n\"\"", "1:;2:;");
}

static void test_carriage_returns(void **state)
{
    (void)state;
    check("a\rb\n", "1:a\rb;");
    check("\ra\n", "1:\ra;");
    check("a\r,b\r\n", "1:a\r|b;");
    check("a\r\r\n", "1:a\r;");
    check("a\r", "1:a\r;");
    check("\r", "1:\r;");
    check("a,\r\nb", "1:a|;2:b;");
    check("\"a\r\"\r\n", "1:a\r;");
    check("\"a\r\nb\"\r\nc\r\n", "1:a\r\nb;3:c;");
}

static void test_quotes(void **state)
{
    (void)state;
    check("\"a\"", "1:a;");
    check("\"a\",\"b\"\n", "1:a|b;");
    check("\"a,b\",c\n", "1:a,b|c;");
    check("\"a\nb\",c\nd\n", "1:a\nb|c;3:d;");
    check("\"\n\n\"\nd\n", "1:\n\n;4:d;");
    check("\"\",\"\"\n", "1:|;");
    check("\"a\"\"b\"\n", "1:a\"b;");
    check("\"\"\"\"\n", "1:\";");
    check("\"\"\"\"\"\"\n", "1:\"\";");
    check("\"\"\"a\"\"\"", "1:\"a\";");
    check("x,\"a \"\"b\"\" c, \"\"d\"\"\",y\n", "1:x|a \"b\" c, \"d\"|y;");
    check("\"\"\"a\",b,\"c\",\"d\"\"\"\r\n", "1:\"a|b|c|d\";");
    check("\"a\"\"\n\"\"b\",\"\"\"\"\nc\n", "1:a\"\n\"b|\";3:c;");
}

static void test_stray_quotes(void **state)
{
    (void)state;
    check("a\"b\n", "1:a\"b;");
    check("a\"\n", "1:a\";");
    check("a\"\"b,c\n", "1:a\"\"b|c;");
    check("5\" disk,6\" disk\n\"7\"\" disk\"\n", "1:5\" disk|6\" disk;2:7\" disk;");
    check(" \"a\",b\n", "1: \"a\"|b;");
    check("a\"b,\"c,d\"\n\"e\nf\"\n", "1:a\"b|c,d;2:e\nf;");
    check("a\",\"b\"\"c\",\"\"\"\",d\"\"\n", "1:a\"|b\"c|\"|d\"\";");
}

static void test_byte_order_mark(void **state)
{
    (void)state;
    check_with(STR("\xef\xbb\xbf"
                   "a,b\n"),
               (struct csv_options){0}, "1:a|b;", 10);
    check_with(STR("\xef\xbb\xbf"), (struct csv_options){0}, "", 5);
    check_with(STR("\xef\xbb\xbf\"a\"\"b\""), (struct csv_options){0}, "1:a\"b;", 12);
    check_with(STR("\xef\xbb\xbf#a\nb"), (struct csv_options){.comments = true}, "2:b;", 9);
    check_with(STR("a\n\xef\xbb\xbf"), (struct csv_options){0}, "1:a;2:\xef\xbb\xbf;", 7);
    check_with(STR("\xef\xbb"), (struct csv_options){0}, "1:\xef\xbb;", 4);
}

static void test_comments(void **state)
{
    const struct csv_options on = {.comments = true};

    (void)state;
    check("#a,b\n", "1:#a|b;");
    check_with(STR("#a\n"), on, "", 5);
    check_with(STR("#"), on, "", 3);
    check_with(STR("# it's \"odd, \n#\"\"\"\r\na,#b\n #c\n#\n\"#d\"\n\"\n#e\n\"\nf#\n# end"),
               on, "3:a|#b;4: #c;6:#d;7:\n#e\n;10:f#;", 80);
    check_with(
        STR("a,b\n# a comment that is much longer than a block of sixty-four bytes, with\"a "
            "quote and, commas\n\"c\",d\n"),
        on, "1:a|b;3:c|d;", 130);
}

static void test_bad_quotes(void **state)
{
    (void)state;
    check("\"a\"b\n", "! line 1: text after a closing quote");
    check("x\n\"a\" ,b\n", "1:x;! line 2: text after a closing quote");
    check("\"a\nb\"c\n", "! line 2: text after a closing quote");
    check("\"a\"\rb\n", "! line 1: text after a closing quote");
    check("\"a\"\r\"b\n", "! line 1: text after a closing quote");
    check("\"a\"\r,b\n", "! line 1: text after a closing quote");
    check("\"a\"\r", "! line 1: text after a closing quote");
    check("\"a\"b\"\n", "! line 1: text after a closing quote");
    check("\"a\"\"b\"c\"\n", "! line 1: text after a closing quote");
    check("\"a", "! line 1: a quoted field is never closed");
    check("\"", "! line 1: a quoted field is never closed");
    check("a\n\"b\"\"\n\nc\n", "1:a;! line 2: a quoted field is never closed");
    check("a\n\"b\n\",\n\"\"\"\n,\"c\n\nd", "1:a;2:b\n|;! line 5: text after a closing quote");
    check("\"x\n\"\"\ny\",z\n,\"c\n\nd",
          "1:x\n\"\ny|z;! line 4: a quoted field is never closed");
}

static void test_hints(void **state)
{
    struct csv_options options = {.alloc = &alloc_system};
    struct error err = {0};
    struct csv_row row;
    struct csv *csv = csv_open_text(STR("\"a\"b"), &options, &err);

    (void)state;
    assert_non_null(csv);
    assert_false(csv_next(csv, &row, &err));
    assert_int_equal(err.kind, ERROR_INPUT);
    assert_string_equal(err.hint,
                        "write a quote inside a quoted field twice: \"a 3.5\"\" disk\"");
    csv_close(csv);
    csv_close(NULL);
}

static void test_nul(void **state)
{
    const struct csv_options none = {0}, on = {.comments = true};
    const char *const error = "1:a;! line 2: a NUL byte: this is not a text file";

    (void)state;
    check_with(STR("a\nb\0c\n"), none, error, 9);
    check_with(STR("a\n\0"), none, error, 9);
    check_with(STR("a\n\"b\0\""), none, error, 9);
    check_with(STR("a\n\"b\"\0"), none, error, 9);
    check_with(STR("a\n\"b\"\r\0"), none, error, 9);
    check_with(STR("a\n#\0"), on, error, 9);
    check_with(STR("a\n\"\n\0"), none, "1:a;! line 3: a NUL byte: this is not a text file", 9);
    check_with(STR("\xff\xfe"
                   "a\0,\0"),
               none, "! line 1: a NUL byte: this is not a text file", 9);
    check_with(
        STR("0123456789012345678901234567890123456789012345678901234567890\n\0\n0123456789\n"),
        none,
        "1:0123456789012345678901234567890123456789012345678901234567890;! line 2: a NUL "
        "byte: this is not a text file",
        80);
}

static void test_long_rows(void **state)
{
    const struct csv_options ten = {.max_row = 10};
    const char *const error = "1:a;! line 2: a row is longer than 10 bytes";

    (void)state;
    check_with(STR("a\n0123456789\n"), ten, "1:a;2:0123456789;", 20);
    check_with(STR("a\n0123456789\r\nb"), ten, "1:a;2:0123456789;3:b;", 20);
    check_with(STR("a\n0123456789"), ten, "1:a;2:0123456789;", 20);
    check_with(STR("a\n01234,6789a"), ten, error, 20);
    check_with(STR("a\n0123456789a\n"), ten, error, 20);
    check_with(STR("a\n0123456789a\r\n"), ten, error, 20);
    check_with(STR("a\n0123456789\r"), ten, error, 20);
    check_with(STR("a\n0123456789\rb\n"), ten, error, 20);
    check_with(STR("a\n\"012345678\"\n"), ten, error, 20);
    check_with(STR("a\n\"0123456\n\n\n\n\"\"\n"), ten, error, 20);
    /* what is wrong after the limit is not seen; what is wrong before it is */
    check_with(STR("a\n0123456789\0"), ten, "1:a;! line 2: a NUL byte: this is not a text file",
               20);
    check_with(STR("a\n0123456789a\0"), ten, error, 20);
    check_with(STR("a\n\"012345678\"b\0"), ten, error, 20);
    check_with(STR("a\n0123456789a\"b\""), ten, error, 20);
    check_with(STR("a\n\"0123456789a"), ten, error, 20);
}

static void test_many_fields(void **state)
{
    const struct csv_options three = {.max_fields = 3, .max_row = 10};
    const char *const error = "1:a|b|c;! line 2: a row has more than 3 fields";
    struct buf text = buf_new(&alloc_system, BUF_MAX_OUTPUT), got;

    (void)state;
    check_with(STR("a,b,c\n1,2,3"), three, "1:a|b|c;2:1|2|3;", 20);
    check_with(STR("a,b,c\n1,2,3,4\n"), three, error, 20);
    check_with(STR("a,b,c\n1,2,3,4"), three, error, 20);
    check_with(STR("a,b,c\n1,2,3,"), three, error, 20);
    check_with(STR("a,b,c\n1,2,3,4,\0"), three, error, 20);
    check_with(STR("a,b,c\n1,2,\0,3,4,"), three,
               "1:a|b|c;! line 2: a NUL byte: this is not a text file", 20);
    check_with(STR("a,b,c\n1,2,3,456789,0\n"), three,
               "1:a|b|c;! line 2: a row is longer than 10 bytes", 20);
    check_with(STR("a,b,c\n1,2,3,456789"), three,
               "1:a|b|c;! line 2: a row is longer than 10 bytes", 20);

    buf_pad(&text, ',', CSV_MAX_FIELDS - 1);
    got = read_as(buf_text(&text), (struct csv_options){0}, 1000);
    assert_int_equal(got.len, CSV_MAX_FIELDS + 2);
    buf_free(&got);
    buf_char(&text, ',');
    check_with(buf_text(&text), (struct csv_options){0},
               "! line 1: a row has more than 4096 fields", 3);
    check_with((struct str){buf_text(&text).at, 4000},
               (struct csv_options){.max_fields = SIZE_MAX}, NULL, 5);
    buf_free(&text);
}

static void test_columns(void **state)
{
    struct csv_options options = {.alloc = &alloc_system};
    struct error err = {0};
    struct csv *csv = csv_open_text(STR("id, GPU ,\"price\tusd\",id\n"), &options, &err);
    struct csv_row header;

    (void)state;
    assert_non_null(csv);
    assert_true(csv_next(csv, &header, &err));
    assert_int_equal(csv_column(&header, STR("id")), 0);
    assert_int_equal(csv_column(&header, STR("gpu")), 1);
    assert_int_equal(csv_column(&header, STR(" Gpu\t")), 1);
    assert_int_equal(csv_column(&header, STR("PRICE\tUSD")), 2);
    assert_true(csv_column(&header, STR("i")) == SIZE_MAX);
    assert_true(csv_column(&header, STR("")) == SIZE_MAX);
    csv_close(csv);
}

/* Text in memory is not copied, except for fields that cannot be used as they are. */
static void test_slices(void **state)
{
    static const char text[] = "a,\"b\",\"c\"\"d\"\n\"\"\"e\",f";
    struct csv_options options = {.alloc = &alloc_system};
    struct error err = {0};
    struct csv *csv = csv_open_text(STR(text), &options, &err);
    struct csv_row row;

    (void)state;
    assert_non_null(csv);
    assert_true(csv_next(csv, &row, &err));
    assert_ptr_equal(row.fields[0].at, text);
    assert_ptr_equal(row.fields[1].at, text + 3);
    assert_str_equal(row.fields[2], "c\"d");
    assert_true(csv_next(csv, &row, &err));
    assert_str_equal(row.fields[0], "\"e");
    assert_ptr_equal(row.fields[1].at, text + sizeof text - 2);
    csv_close(csv);
}

static uint32_t next_random(uint64_t *seed, uint32_t below)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*seed >> 33) % below;
}

/* Mostly well-formed rows, now and then any byte of those that matter. */
static void add_random_row(struct buf *out, uint64_t *seed)
{
    static const char *const parts[] = {"",           "a",        "12.50",    "\"\"",
                                        "\"x,y\"",    "\"\"\"\"", "\"1\n2\"", "\"a \"\"b\"\"\"",
                                        "long text, "};
    uint32_t fields = 1 + next_random(seed, 12);

    for (uint32_t i = 0; i < fields; i++) {
        if (i > 0)
            buf_char(out, ',');
        buf_adds(out, parts[next_random(seed, ARRAY_LEN(parts))]);
        if (next_random(seed, 40) == 0)
            buf_pad(out, 'z', next_random(seed, 200));
        if (next_random(seed, 60) == 0)
            buf_char(out, "\",\n\r#a\0"[next_random(seed, 7)]);
    }
    buf_adds(out, next_random(seed, 3) == 0 ? "\r\n" : "\n");
}

static void test_random_input(void **state)
{
    struct buf text = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    uint64_t seed = 7;

    (void)state;
    for (int i = 0; i < 1500; i++) {
        struct csv_options options = {.comments = next_random(&seed, 2) == 0};
        uint32_t rows = next_random(&seed, 40);

        if (next_random(&seed, 8) == 0)
            options.max_row = 1 + next_random(&seed, 150);
        buf_clear(&text);
        for (uint32_t row = 0; row < rows; row++)
            add_random_row(&text, &seed);
        check_with(buf_text(&text), options, NULL, i % 50 == 0 ? 200 : 1 + (size_t)(i % 3));
    }
    for (int i = 0; i < 4000; i++) { /* nothing but bytes that matter */
        struct csv_options options = {.comments = next_random(&seed, 2) == 0};
        uint32_t len = next_random(&seed, 300);

        buf_clear(&text);
        for (uint32_t at = 0; at < len; at++)
            buf_char(&text, "aaa\"\"\",,\n\r#"[next_random(&seed, 11)]);
        check_with(buf_text(&text), options, NULL, 1 + (size_t)(i % 3));
    }
    buf_free(&text);
}

/* Input larger than the buffer, with rows that cross every place where it is filled again. */
static void test_large_input(void **state)
{
    struct buf text = buf_new(&alloc_system, BUF_MAX_OUTPUT), first, other;
    struct csv_options options = {.max_row = 400 * 1024};
    static const size_t chunks[] = {1000, 65536, 100003, 1 << 20};
    uint64_t seed = 3;

    (void)state;
    for (int i = 0; i < 5000; i++) {
        buf_addf(&text, "%d,\"quoted, \"\"text\"\" %d\",", i, i);
        buf_pad(&text, 'y', next_random(&seed, i % 1000 == 0 ? 300000 : 300));
        buf_adds(&text, ",\"two\nlines\"\n");
    }
    first = read_as(buf_text(&text), options, 0);
    assert_true(first.len > 100 && first.at[first.len - 1] == ';');
    for (size_t i = 0; i < ARRAY_LEN(chunks); i++) {
        options.scalar = i == 1;
        other = read_as(buf_text(&text), options, chunks[i]);
        assert_int_equal(other.len, first.len);
        assert_memory_equal(other.at, first.at, first.len);
        buf_free(&other);
    }
    buf_free(&first);
    buf_free(&text);
}

static ptrdiff_t read_rows_then_fail(void *ctx, char *to, size_t room, struct error *err)
{
    int *calls = ctx;

    assert_true(room >= 4);
    if (++*calls > 2) {
        error_set(err, ERROR_SYSTEM, "the disk is on fire");
        return -1;
    }
    memcpy(to, "a,b\n", 4);
    return 4;
}

static void test_source_failure(void **state)
{
    struct csv_options options = {.alloc = &alloc_system};
    struct error err = {0};
    int calls = 0;
    struct csv *csv = csv_open((struct source){read_rows_then_fail, &calls}, &options, &err);
    struct buf out;

    (void)state;
    assert_non_null(csv);
    out = render(csv, &err);
    assert_str_equal(buf_text(&out), "1:a|b;2:a|b;! the disk is on fire");
    assert_int_equal(err.kind, ERROR_SYSTEM);
    assert_int_equal(calls, 3);
    buf_free(&out);

    calls = 2; /* at the very first byte */
    csv = csv_open((struct source){read_rows_then_fail, &calls}, &options, &err);
    assert_non_null(csv);
    out = render(csv, &err);
    assert_str_equal(buf_text(&out), "! the disk is on fire");
    buf_free(&out);
}

/* Give memory, and remember the most that was held. */
struct counting_alloc {
    size_t held, most;
};

static void *counting_get(void *ctx, size_t size)
{
    struct counting_alloc *state = ctx;
    size_t *block = malloc(size + 16);

    if (block == NULL)
        return NULL;
    *block = size;
    state->held += size;
    if (state->held > state->most)
        state->most = state->held;
    return block + 2;
}

static void counting_put(void *ctx, void *block)
{
    struct counting_alloc *state = ctx;
    size_t *start = (size_t *)block - 2;

    state->held -= *start;
    free(start);
}

static ptrdiff_t read_gigabyte(void *ctx, char *to, size_t room, struct error *err)
{
    size_t *left = ctx;

    (void)err;
    if (room > *left)
        room = *left;
    memset(to, 'a', room);
    *left -= room;
    return (ptrdiff_t)room;
}

static void test_gigabyte_line(void **state)
{
    struct counting_alloc counts = {0};
    struct alloc alloc = {counting_get, counting_put, &counts};
    struct csv_options options = {.alloc = &alloc};
    struct error err = {0};
    size_t gigabyte = (size_t)1 << 30, left = gigabyte;
    struct csv *csv = csv_open((struct source){read_gigabyte, &left}, &options, &err);
    struct buf out;

    (void)state;
    assert_non_null(csv);
    out = render(csv, &err);
    assert_str_equal(buf_text(&out), "! line 1: a row is longer than 1048576 bytes");
    assert_true(gigabyte - left < 2 * CSV_MAX_ROW);
    assert_true(counts.most < 3 * CSV_MAX_ROW);
    assert_int_equal(counts.held, 0);
    buf_free(&out);
}

static bool read_with(const struct alloc *alloc, struct str text, bool source)
{
    struct csv_options options = {.alloc = alloc};
    struct chunks from = {text, 100000};
    struct error err = {0};
    struct csv_row row;
    struct csv *csv = source ? csv_open((struct source){read_chunk, &from}, &options, &err)
                             : csv_open_text(text, &options, &err);
    bool done;

    if (csv == NULL) {
        assert_int_equal(err.kind, ERROR_MEMORY);
        return false;
    }
    while (csv_next(csv, &row, &err))
        assert_true(row.count > 0);
    done = !csv_failed(csv);
    assert_int_equal(err.kind, done ? ERROR_NONE : ERROR_MEMORY);
    csv_close(csv);
    return done;
}

static void test_failing_allocations(void **state)
{
    struct buf text = buf_new(&alloc_system, BUF_MAX_OUTPUT);

    (void)state;
    buf_adds(&text, "\"a \"\"b\"\"\",c\n");
    buf_pad(&text, ',', 4095); /* more fields than there is room for at first */
    buf_char(&text, '\n');
    buf_pad(&text, 'x', 600000); /* and more bytes */
    for (int source = 0; source < 2; source++) {
        bool done = false;
        size_t allow;

        for (allow = 0; !done && allow < 100; allow++) {
            struct failing_alloc failing = {.allow = allow};
            struct alloc alloc = {failing_get, failing_put, &failing};

            done = read_with(&alloc, buf_text(&text), source);
            assert_int_equal(failing.held, 0);
        }
        assert_true(done && allow >= 4);
    }
    buf_free(&text);
}

static void writes_fields_that_read_back(void **state)
{
    static const char *const fields[] = {"plain", "", "a,b", "say \"no\"", "two\nlines", " x "};
    struct buf out = buf_new(&alloc_system, 1000);
    struct csv_options options = {.alloc = &alloc_system};
    struct csv_row row;
    struct error err = {0};
    struct csv *csv;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(fields); i++) {
        if (i > 0)
            buf_char(&out, ',');
        csv_write_field(str_from(fields[i]), &out);
    }
    csv = csv_open_text(buf_text(&out), &options, &err);
    assert_non_null(csv);
    assert_true(csv_next(csv, &row, &err));
    assert_int_equal(row.count, ARRAY_LEN(fields));
    for (size_t i = 0; i < ARRAY_LEN(fields); i++)
        assert_true(str_eq(row.fields[i], str_from(fields[i])));
    csv_close(csv);
    buf_free(&out);
}

int group_csv(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_fields_that_read_back),
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_blank_lines),
        cmocka_unit_test(test_carriage_returns),
        cmocka_unit_test(test_quotes),
        cmocka_unit_test(test_stray_quotes),
        cmocka_unit_test(test_byte_order_mark),
        cmocka_unit_test(test_comments),
        cmocka_unit_test(test_bad_quotes),
        cmocka_unit_test(test_hints),
        cmocka_unit_test(test_nul),
        cmocka_unit_test(test_long_rows),
        cmocka_unit_test(test_many_fields),
        cmocka_unit_test(test_columns),
        cmocka_unit_test(test_slices),
        cmocka_unit_test(test_random_input),
        cmocka_unit_test(test_large_input),
        cmocka_unit_test(test_source_failure),
        cmocka_unit_test(test_gigabyte_line),
        cmocka_unit_test(test_failing_allocations),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
