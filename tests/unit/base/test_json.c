#include "test.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/json.h"
#include "base/json_internal.h"

/* --- tokens as text ----------------------------------------------------------------------- */

/* A source that gives the text in pieces of `chunk` bytes, the last followed by `failing`. */
struct pieces {
    struct str text;
    size_t chunk, reads;
    bool failing;
};

static ptrdiff_t read_piece(void *ctx, char *to, size_t room, struct error *err)
{
    struct pieces *p = ctx;
    size_t len = p->text.len < p->chunk ? p->text.len : p->chunk;

    p->reads++;
    if (len == 0 && p->failing) {
        error_set(err, ERROR_SYSTEM, "the disk is on fire");
        return -1;
    }
    assert_true(room > 0);
    len = len < room ? len : room;
    if (len > 0)
        memcpy(to, p->text.at, len);
    p->text.at += len;
    p->text.len -= len;
    return (ptrdiff_t)len;
}

static void add_token(struct buf *out, const struct json_token *token)
{
    static const char *const names[] = {
        [JSON_END] = "end",       [JSON_OBJECT] = "{",      [JSON_OBJECT_END] = "}",
        [JSON_ARRAY] = "[",       [JSON_ARRAY_END] = "]",   [JSON_KEY] = "key",
        [JSON_STRING] = "string", [JSON_NUMBER] = "number", [JSON_TRUE] = "true",
        [JSON_FALSE] = "false",   [JSON_NULL] = "null",
    };

    buf_addf(out, "%u%s", token->depth, names[token->kind]);
    if (token->kind == JSON_KEY || token->kind == JSON_STRING || token->kind == JSON_NUMBER) {
        buf_char(out, '=');
        buf_add(out, token->text);
    } else {
        assert_int_equal(token->text.len, 0);
    }
    buf_char(out, ' ');
}

/* Every token, then "end" or the error. Closes the reader. */
static struct buf drain(struct json *json)
{
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct json_token token = {.kind = JSON_NULL};
    struct error err = {0}, again = {0};

    assert_non_null(json);
    while (token.kind != JSON_END) {
        if (!json_next(json, &token, &err)) {
            assert_int_not_equal(err.kind, ERROR_NONE);
            buf_addf(&out, "! %s", err.text);
            assert_false(json_next(json, &token, &again)); /* and it stays so */
            assert_string_equal(again.text, err.text);
            assert_false(json_skip(json, &again));
            break;
        }
        add_token(&out, &token);
    }
    if (token.kind == JSON_END && err.kind == ERROR_NONE) {
        assert_true(json_next(json, &token, &err));
        assert_int_equal(token.kind, JSON_END);
    }
    json_close(json);
    assert_int_equal(out.failed, ERROR_NONE);
    return out;
}

static struct buf drain_text(struct str text, struct json_options options)
{
    struct error err;
    struct buf out;
    char *exact = malloc(text.len > 0 ? text.len : 1); /* for ASan to see each overrun */

    assert_non_null(exact);
    if (text.len > 0)
        memcpy(exact, text.at, text.len);
    options.alloc = &alloc_system;
    out = drain(json_open_text((struct str){exact, text.len}, &options, &err));
    free(exact);
    return out;
}

static struct buf drain_pieces(struct str text, size_t chunk, struct json_options options)
{
    struct pieces pieces = {.text = text, .chunk = chunk};
    struct error err;

    options.alloc = &alloc_system;
    return drain(json_open((struct source){read_piece, &pieces}, &options, &err));
}

/* The tokens of the text, from memory and from a source with each size of piece. */
static void check_with(struct str text, struct json_options options, const char *expected)
{
    struct buf tokens = drain_text(text, options);

    assert_str_equal(buf_text(&tokens), expected);
    buf_free(&tokens);
    for (size_t chunk = 1; chunk <= text.len + 1 && chunk < 70; chunk++) {
        struct buf pieces = drain_pieces(text, chunk, options);

        assert_str_equal(buf_text(&pieces), expected);
        buf_free(&pieces);
    }
}

static void check(const char *text, const char *expected)
{
    check_with(str_from(text), (struct json_options){0}, expected);
}

static void check_many(const char *text, const char *expected)
{
    check_with(str_from(text), (struct json_options){.many = true}, expected);
}

/* --- what is read ------------------------------------------------------------------------- */

static void reads_every_kind_of_token(void **state)
{
    (void)state;
    check("{\"a\":[1,\"x\",true,false,null,{}],\"b\":-2.50e+3}",
          "0{ 1key=a 1[ 2number=1 2string=x 2true 2false 2null 2{ 2} 1] 1key=b "
          "1number=-2.50e+3 0} 0end ");
    check("[]", "0[ 0] 0end ");
    check("{}", "0{ 0} 0end ");
    check(" \t\r\n[ \n] \n", "0[ 0] 0end ");
    check("\"\"", "0string= 0end ");
    check("{\"\":\"\"}", "0{ 1key= 1string= 0} 0end ");
    check("true", "0true 0end ");
    check("null ", "0null 0end ");
    check("{\"a\" : 1 , \"a\":2}", "0{ 1key=a 1number=1 1key=a 1number=2 0} 0end ");
}

static void keeps_numbers_as_written(void **state)
{
    static const char *const good[] = {
        "0",
        "-0",
        "1",
        "10",
        "-1",
        "0.1",
        "0.10",
        "1e5",
        "1E5",
        "1e+5",
        "1E-05",
        "0e0",
        "-0.0e-0",
        "1.5E300",
        "123e9",
        "1e9999",
        "9007199254740993",
        "0.1000000000000000055511151231257827021181583404541015625",
    };
    static const char *const bad[] = {
        "-",  "+1",  ".5",  "5.",        "1.e5",  "01",    "-01",  "00",
        "1e", "1e+", "1E-", "--1",       "1-2",   "1.2.3", "0x10", "1_000",
        "1f", "-e1", "-.5", "-Infinity", "1e5.5", "1true",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(good); i++) {
        char text[100], tokens[100];

        (void)snprintf(text, sizeof text, "[%s]", good[i]);
        (void)snprintf(tokens, sizeof tokens, "0[ 1number=%s 0] 0end ", good[i]);
        check(text, tokens);
        (void)snprintf(tokens, sizeof tokens, "0number=%s 0end ", good[i]);
        check(good[i], tokens);
    }
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        char text[100], tokens[100];

        (void)snprintf(text, sizeof text, "[%s]", bad[i]);
        (void)snprintf(tokens, sizeof tokens,
                       "0[ ! line 1, column 2: '%s' is not a JSON number", bad[i]);
        check(text, tokens);
    }
}

static void reads_numbers_of_python_that_are_not_finite(void **state)
{
    const struct json_options python = {.not_finite = true};

    (void)state;
    check_with(STR("[NaN, Infinity, -Infinity, {\"a\": NaN}]"), python,
               "0[ 1number=NaN 1number=Infinity 1number=-Infinity 1{ 2key=a 2number=NaN 1} 0] "
               "0end ");
    check_with(STR("[nan]"), python, "0[ ! line 1, column 2: unknown word 'nan'");
    check_with(STR("[+Infinity]"), python,
               "0[ ! line 1, column 2: '+Infinity' is not a JSON number");
}

static void decodes_a_string_alone(void **state)
{
    static const struct {
        const char *raw, *text;
    } cases[] = {
        {"", ""},
        {"plain", "plain"},
        {"gr\\u00f6\\u00dfe \\\"x\\\\", "gr\xc3\xb6\xc3\x9f"
                                        "e \"x\\"},
        {"\\ud83d\\ude00", "\xf0\x9f\x98\x80"},
        {"\\ud83d", "\\ud83d"}, /* half of a pair: as it is */
        {"bad \\x", "bad \\x"},
        {"\\", "\\"},
    };
    char room[64];

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        size_t len = json_unescape(str_from(cases[i].raw), room);

        assert_true(str_eq((struct str){room, len}, str_from(cases[i].text)));
    }
}

static void decodes_escapes(void **state)
{
    (void)state;
    check("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "0string=\"\\/\b\f\n\r\t 0end ");
    check("\"a\\u0041\\u00e9\\u20AC\\ud83d\\uDE00z\"",
          "0string=aA\u00e9\u20ac\U0001f600z 0end ");
    check("\"\\u007f\\u0080\\u07ff\\u0800\\uffff\"",
          "0string=\x7f\xc2\x80\u07ff\u0800\xef\xbf\xbf 0end ");
    check("\"\\ud800\\udc00\\udbff\\udfff\"", "0string=\U00010000\U0010ffff 0end ");
    check("{\"k\\u0065y\\n\":1}", "0{ 1key=key\n 1number=1 0} 0end ");
    check("[\"\\n\",\"longer than the first \\\" one\",\"plain\",\"\\t\"]",
          "0[ 1string=\n 1string=longer than the first \" one 1string=plain 1string=\t 0] "
          "0end ");
}

static void decodes_an_escaped_nul(void **state)
{
    struct json_options options = {.alloc = &alloc_system};
    struct json_token token;
    struct error err;
    struct json *json = json_open_text(STR("\"a\\u0000b\""), &options, &err);

    (void)state;
    assert_true(json_next(json, &token, &err));
    assert_int_equal(token.text.len, 3);
    assert_memory_equal(token.text.at, "a\0b", 3);
    json_close(json);
}

static void refuses_bad_escapes(void **state)
{
    static const char hex[] =
        "! line 1, column 2: expected four hexadecimal digits after '\\u'";
    static const char half[] = "! line 1, column 2: half of a surrogate pair";

    (void)state;
    check("\"\\x41\"", "! line 1, column 2: unknown escape in a string");
    check("\"ab\\'\"", "! line 1, column 4: unknown escape in a string");
    check("\"\\N\"", "! line 1, column 2: unknown escape in a string");
    check("\"\\\n\"", "! line 1, column 2: unknown escape in a string");
    check_with(STR("\"\\\0\""), (struct json_options){0},
               "! line 1, column 2: unknown escape in a string");
    check("\"\\u12\"", hex);
    check("\"\\u12g4\"", hex);
    check("\"\\u 123\"", hex);
    check("\"\\u+123\"", hex);
    check("\"\\ud83d\"", half);
    check("\"\\ud83dx\"", half);
    check("\"\\ud83d\\n\"", half);
    check("\"\\ud83d\\u0041\"", half);
    check("\"\\ud83d\\ud83d\\ude00\"", half);
    check("\"\\ude00\"", half);
    check("\"\\ude00\\ud83d\"", half);
    check("\"\\ud83d\\u12", "! line 1, column 12: the text ends inside a string");
    check("\"\\u12", "! line 1, column 6: the text ends inside a string");
    check("\"\\", "! line 1, column 3: the text ends inside a string");
}

static void refuses_control_bytes_in_strings(void **state)
{
    (void)state;
    for (int c = 0; c < 256; c++) {
        char text[] = {'"', 'a', (char)c, 'b', '"'};
        struct buf out = drain_text((struct str){text, sizeof text}, (struct json_options){0});

        if (c < 0x20)
            assert_str_equal(buf_text(&out), "! line 1, column 3: a control byte in a string");
        else if (c >= 0x80)
            assert_str_equal(buf_text(&out), "! line 1, column 3: invalid UTF-8 in a string");
        else if (c != '"' && c != '\\')
            assert_int_equal(out.at[0], '0');
        buf_free(&out);
    }
    check_with(STR("[\"\0\"]"), (struct json_options){0},
               "0[ ! line 1, column 3: a control byte in a string");
    check("[\"two\nlines\"]", "0[ ! line 1, column 6: a control byte in a string");
}

static void checks_utf8(void **state)
{
    static const char *const bad[] = {
        "\x80",
        "\xbf",
        "\xc0\x80",
        "\xc1\xbf",
        "\xc3",
        "\xc3(",
        "\xe0\x80\x80",
        "\xe0\x9f\xbf",
        "\xe2\x82",
        "\xe2(\xa1",
        "\xe2\x82(",
        "\xed\xa0\x80",
        "\xed\xbf\xbf",
        "\xf0\x80\x80\x80",
        "\xf0\x8f\xbf\xbf",
        "\xf0\x9f\x98",
        "\xf0\x9f\x98(",
        "\xf4\x90\x80\x80",
        "\xf5\x80\x80\x80",
        "\xf8\x88\x80\x80\x80",
        "\xfe",
        "\xff",
    };

    (void)state;
    check("\"\xc2\x80\u07ff\u0800\ud7ff\ue000\uffff\U00010000\U0010ffff\"",
          "0string=\xc2\x80\u07ff\u0800\ud7ff\ue000\uffff\U00010000\U0010ffff 0end ");
    check("{\"\u5024\u6bb5\":\"\u00e9t\u00e9 \u2013 \U0001f600\"}",
          "0{ 1key=\u5024\u6bb5 1string=\u00e9t\u00e9 \u2013 \U0001f600 0} 0end ");
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        char text[32];

        (void)snprintf(text, sizeof text, "[\"%s\"]", bad[i]);
        check(text, "0[ ! line 1, column 3: invalid UTF-8 in a string");
        (void)snprintf(text, sizeof text, "[\"\u00e9%s\"]", bad[i]);
        check(text, "0[ ! line 1, column 5: invalid UTF-8 in a string");
    }
    check("\"\xe2\x82", "! line 1, column 4: the text ends inside a string");
    check("[\u00e9]", "0[ ! line 1, column 2: expected a value or ']'");
}

/* --- what is refused ---------------------------------------------------------------------- */

static void reports_what_it_expected(void **state)
{
    static const struct {
        const char *text, *tokens;
    } cases[] = {
        {"[1 2]", "0[ 1number=1 ! line 1, column 4: expected ',' or ']'"},
        {"[1:2]", "0[ 1number=1 ! line 1, column 3: expected ',' or ']'"},
        {"[1}", "0[ 1number=1 ! line 1, column 3: expected ',' or ']'"},
        {"{\"a\":1]", "0{ 1key=a 1number=1 ! line 1, column 7: expected ',' or '}'"},
        {"{\n\"a\":1,\n\"b\":2 \"c\":3}", "0{ 1key=a 1number=1 1key=b 1number=2 ! line 3, "
                                          "column 7: expected ',' or '}'"},
        {"[1,]", "0[ 1number=1 ! line 1, column 4: expected a value"},
        {"[,1]", "0[ ! line 1, column 2: expected a value or ']'"},
        {"[1,,2]", "0[ 1number=1 ! line 1, column 4: expected a value"},
        {"[}", "0[ ! line 1, column 2: expected a value or ']'"},
        {"{]", "0{ ! line 1, column 2: expected a key in double quotes or '}'"},
        {"{a:1}", "0{ ! line 1, column 2: expected a key in double quotes or '}'"},
        {"{'a':1}", "0{ ! line 1, column 2: expected a key in double quotes or '}'"},
        {"{1:1}", "0{ ! line 1, column 2: expected a key in double quotes or '}'"},
        {"{\"a\":1,}", "0{ 1key=a 1number=1 ! line 1, column 8: expected a key in double "
                       "quotes"},
        {"{\"a\" 1}", "0{ 1key=a ! line 1, column 6: expected ':'"},
        {"{\"a\"}", "0{ 1key=a ! line 1, column 5: expected ':'"},
        {"{\"a\",\"b\"}", "0{ 1key=a ! line 1, column 5: expected ':'"},
        {"{\"a\"::1}", "0{ 1key=a ! line 1, column 6: expected a value"},
        {"{\"a\":}", "0{ 1key=a ! line 1, column 6: expected a value"},
        {"{\"a\":1:2}", "0{ 1key=a 1number=1 ! line 1, column 7: expected ',' or '}'"},
        {"]", "! line 1, column 1: expected a value"},
        {"}", "! line 1, column 1: expected a value"},
        {",", "! line 1, column 1: expected a value"},
        {":", "! line 1, column 1: expected a value"},
        {"'a'", "! line 1, column 1: expected a value"},
        {"\v1", "! line 1, column 1: expected a value"},
        {"\f[]", "! line 1, column 1: expected a value"},
        {"// no\n1", "! line 1, column 1: expected a value"},
        {"[1/* no */]", "0[ 1number=1 ! line 1, column 3: expected ',' or ']'"},
        {"[True]", "0[ ! line 1, column 2: unknown word 'True'"},
        {"[NaN]", "0[ ! line 1, column 2: unknown word 'NaN'"},
        {"tru", "! line 1, column 1: unknown word 'tru'"},
        {"truee", "! line 1, column 1: unknown word 'truee'"},
        {"nullnull", "! line 1, column 1: unknown word 'nullnull'"},
        {"_", "! line 1, column 1: unknown word '_'"},
        {"1 2", "0number=1 ! line 1, column 3: expected nothing more after the document"},
        {"[]\n\n ]", "0[ 0] ! line 3, column 2: expected nothing more after the document"},
        {"{}{}", "0{ 0} ! line 1, column 3: expected nothing more after the document"},
        {"{},", "0{ 0} ! line 1, column 3: expected nothing more after the document"},
        {"\"a\"\"b\"",
         "0string=a ! line 1, column 4: expected nothing more after the document"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        check(cases[i].text, cases[i].tokens);
}

static void reports_where_the_text_ends(void **state)
{
    (void)state;
    check("", "! line 1, column 1: expected a value, but the text ends");
    check(" \n ", "! line 2, column 2: expected a value, but the text ends");
    check("[", "0[ ! line 1, column 2: the text ends inside an array");
    check("[1", "0[ 1number=1 ! line 1, column 3: the text ends inside an array");
    check("[1,\n", "0[ 1number=1 ! line 2, column 1: the text ends inside an array");
    check("{", "0{ ! line 1, column 2: the text ends inside an object");
    check("{\"a\"", "0{ 1key=a ! line 1, column 5: the text ends inside an object");
    check("{\"a\":", "0{ 1key=a ! line 1, column 6: the text ends inside an object");
    check("[{}", "0[ 1{ 1} ! line 1, column 4: the text ends inside an array");
    check("\"", "! line 1, column 2: the text ends inside a string");
    check("[\"abc", "0[ ! line 1, column 6: the text ends inside a string");
    check("{\"abc", "0{ ! line 1, column 6: the text ends inside a string");
}

static void refuses_nul_bytes(void **state)
{
    (void)state;
    check_with(STR("\0"), (struct json_options){0}, "! line 1, column 1: expected a value");
    check_with(STR("[\0]"), (struct json_options){0},
               "0[ ! line 1, column 2: expected a value or ']'");
    check_with(STR("[]\0"), (struct json_options){0},
               "0[ 0] ! line 1, column 3: expected nothing more after the document");
    check_with(STR("1\0"), (struct json_options){.many = true},
               "0number=1 ! line 1, column 2: expected a value");
}

static void skips_a_byte_order_mark_at_the_start_only(void **state)
{
    (void)state;
    check("\xef\xbb\xbf[1]", "0[ 1number=1 0] 0end ");
    check("\xef\xbb\xbf x", "! line 1, column 2: unknown word 'x'");
    check("\xef\xbb\xbf\n x", "! line 2, column 2: unknown word 'x'");
    check("\xef\xbb\xbf", "! line 1, column 1: expected a value, but the text ends");
    check("\xef\xbb", "! line 1, column 1: expected a value");
    check("\xef", "! line 1, column 1: expected a value");
    check("\xef\xbb[]", "! line 1, column 1: expected a value");
    check(" \xef\xbb\xbf[]", "! line 1, column 2: expected a value");
    check("\xef\xbb\xbf\xef\xbb\xbf[]", "! line 1, column 1: expected a value");
    check_many("\xef\xbb\xbf", "0end ");
    check_many("1 \xef\xbb\xbf 2", "0number=1 ! line 1, column 3: expected a value");
}

static void reads_many_documents(void **state)
{
    (void)state;
    check_many("", "0end ");
    check_many(" \n", "0end ");
    check_many("1", "0number=1 0end ");
    check_many("{\"a\":1}\n{\"a\":2}\n", "0{ 1key=a 1number=1 0} 0{ 1key=a 1number=2 0} 0end ");
    check_many("[][]\"a\"\"b\" 1 true\nnull", "0[ 0] 0[ 0] 0string=a 0string=b 0number=1 0true "
                                              "0null 0end ");
    check_many("1,2", "0number=1 ! line 1, column 2: expected a value");
    check_many("{}\n{\"a\":1\n", "0{ 0} 0{ 1key=a 1number=1 ! line 3, column 1: the text ends "
                                 "inside an object");
}

/* --- limits ------------------------------------------------------------------------------- */

static void limits_depth(void **state)
{
    struct buf deep = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct buf out;

    (void)state;
    buf_pad(&deep, '[', JSON_MAX_DEPTH);
    buf_pad(&deep, ']', JSON_MAX_DEPTH);
    out = drain_text(buf_text(&deep), (struct json_options){0});
    assert_true(str_ends(buf_text(&out), STR("1] 0] 0end ")));
    buf_free(&out);

    buf_clear(&deep);
    buf_pad(&deep, '[', JSON_MAX_DEPTH);
    buf_adds(&deep, "{");
    out = drain_text(buf_text(&deep), (struct json_options){0});
    assert_true(str_ends(buf_text(&out),
                         STR("255[ ! line 1, column 257: nested deeper than 256 levels")));
    buf_free(&out);
    buf_free(&deep);
}

static void limits_tokens(void **state)
{
    struct json_options four = {.max_token = 4};

    (void)state;
    check_with(STR("[\"abcd\",1234,true]"), four,
               "0[ 1string=abcd 1number=1234 1true 0] 0end ");
    check_with(STR("[\"abcde\"]"), four,
               "0[ ! line 1, column 2: a string is longer than 4 bytes");
    check_with(STR("{\"abcde\":1}"), four,
               "0{ ! line 1, column 2: a string is longer than 4 bytes");
    check_with(STR("[12345]"), four, "0[ ! line 1, column 2: a number is longer than 4 bytes");
    check_with(STR("false"), four, "! line 1, column 1: a word is longer than 4 bytes");
    check_with(STR("\"\\n\\t\""), four, "0string=\n\t 0end ");
    check_with(STR("\"\\n\\t.\""), four, "! line 1, column 1: a string is longer than 4 bytes");
    check_with(STR("\"\\u00e9\""), four, "! line 1, column 1: a string is longer than 4 bytes");
    check_with(STR("\"abcdefgh"), four, "! line 1, column 1: a string is longer than 4 bytes");
    check_with(STR("\"abcde\x01"), four, "! line 1, column 1: a string is longer than 4 bytes");
    check_with(STR("\"abcd\x01"), four, "! line 1, column 6: a control byte in a string");
    check_with(STR("\"abcd\\x"), four, "! line 1, column 6: unknown escape in a string");
    check_with(STR("\"\u00e9\u00e9\""), four, "0string=\u00e9\u00e9 0end ");
    check_with(STR("\"\u00e9\u00e9\u00e9\xff\""), four,
               "! line 1, column 1: a string is longer than 4 bytes");
    check_with(STR("\"\""), (struct json_options){.max_token = SIZE_MAX}, "0string= 0end ");
}

static void reads_long_strings(void **state)
{
    static const size_t lens[] = {55,     56,     57,     63,     64,
                                  65,     8190,   8191,   8192,   8193,
                                  131071, 131072, 131073, 500000, JSON_MAX_TOKEN};
    struct buf text = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct buf expected = buf_new(&alloc_system, BUF_MAX_OUTPUT);

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(lens); i++) {
        struct buf out;

        buf_clear(&text);
        buf_adds(&text, "[1,\n\"");
        buf_pad(&text, 'x', lens[i]);
        buf_adds(&text, "\" ?");
        buf_clear(&expected);
        buf_adds(&expected, "0[ 1number=1 1string=");
        buf_pad(&expected, 'x', lens[i]);
        buf_addf(&expected, " ! line 2, column %zu: expected ',' or ']'", lens[i] + 4);
        for (size_t chunk = 100; chunk < 10000000; chunk *= 37) {
            out = drain_pieces(buf_text(&text), chunk, (struct json_options){0});
            assert_true(str_eq(buf_text(&out), buf_text(&expected)));
            buf_free(&out);
        }
        out = drain_text(buf_text(&text), (struct json_options){0});
        assert_true(str_eq(buf_text(&out), buf_text(&expected)));
        buf_free(&out);
    }
    buf_free(&text);
    buf_free(&expected);
}

/* Documents far larger than the buffer: every kind of token meets every edge in time. */
static void reads_long_documents(void **state)
{
    struct buf text = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct buf tokens;

    (void)state;
    buf_adds(&text, "[");
    for (unsigned i = 0; i < 8000; i++)
        buf_addf(&text,
                 "{\n%*s\"k\\u00e9y %u\" : [\"\u00e9\U0001f600\\ud83d\\ude00 %u\", %u.5e-3,"
                 "true ,\tnull, \"%.*s\"]\r\n},\n",
                 (int)(i % 80), "", i, i, i, (int)(i % 60),
                 "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghij");
    buf_adds(&text, "?");
    tokens = drain_text(buf_text(&text), (struct json_options){0});
    assert_true(
        str_ends(buf_text(&tokens), STR("1} ! line 24001, column 1: expected a value")));
    for (size_t chunk = 61; chunk < 2000000; chunk = chunk * 7 + 3) {
        struct json_options options = {.max_token = chunk % 2 == 0 ? 100 : 0};
        struct buf pieces = drain_pieces(buf_text(&text), chunk, options);

        assert_true(str_eq(buf_text(&pieces), buf_text(&tokens)));
        buf_free(&pieces);
    }
    buf_free(&tokens);
    buf_free(&text);
}

/* A source that never ends: a quote, then `fill` forever. Counts what it was asked for. */
struct flood {
    char fill;
    uint64_t given;
};

static ptrdiff_t read_flood(void *ctx, char *to, size_t room, struct error *err)
{
    struct flood *flood = ctx;

    (void)err;
    memset(to, flood->fill, room);
    if (flood->given == 0 && flood->fill != '1')
        to[0] = '"';
    flood->given += room;
    return flood->given > (uint64_t)1 << 30 ? 0 : (ptrdiff_t)room;
}

/* Counts the bytes that are held, and the most that ever were. */
struct counting_alloc {
    size_t held, peak;
};

static void *counting_get(void *ctx, size_t size)
{
    struct counting_alloc *state = ctx;
    size_t *block = malloc(sizeof(max_align_t) + size);

    assert_non_null(block);
    *block = size;
    state->held += size;
    state->peak = state->held > state->peak ? state->held : state->peak;
    return (char *)block + sizeof(max_align_t);
}

static void counting_put(void *ctx, void *block)
{
    struct counting_alloc *state = ctx;
    size_t *start = (size_t *)(void *)((char *)block - sizeof(max_align_t));

    state->held -= *start;
    free(start);
}

static void refuses_a_gigabyte_with_little_memory(void **state)
{
    static const struct {
        char fill;
        size_t max_token;
        const char *text;
    } cases[] = {
        {'x', 0, "line 1, column 1: a string is longer than 1048576 bytes"},
        {'1', 0, "line 1, column 1: a number is longer than 1048576 bytes"},
        {'x', 1000, "line 1, column 1: a string is longer than 1000 bytes"},
        {'\\', 0, "line 1, column 1: a string is longer than 1048576 bytes"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct counting_alloc count = {0};
        struct alloc alloc = {counting_get, counting_put, &count};
        struct json_options options = {.alloc = &alloc, .max_token = cases[i].max_token};
        struct flood flood = {.fill = cases[i].fill};
        struct json_token token;
        struct error err = {0};
        struct json *json = json_open((struct source){read_flood, &flood}, &options, &err);

        assert_non_null(json);
        assert_false(json_next(json, &token, &err));
        assert_string_equal(err.text, cases[i].text);
        assert_int_equal(err.kind, ERROR_INPUT);
        assert_true(flood.given < 3 * JSON_MAX_TOKEN);
        assert_true(count.peak < 2 * JSON_MAX_TOKEN + 65536);
        json_close(json);
        assert_int_equal(count.held, 0);
    }
}

static void white_space_takes_no_memory(void **state)
{
    struct counting_alloc count = {0};
    struct alloc alloc = {counting_get, counting_put, &count};
    struct json_options options = {.alloc = &alloc, .many = true};
    struct flood flood = {.fill = '\n', .given = 1}; /* 1: no quote first */
    struct json_token token;
    struct error err = {0};
    struct json *json = json_open((struct source){read_flood, &flood}, &options, &err);

    (void)state;
    assert_non_null(json);
    assert_true(json_next(json, &token, &err));
    assert_int_equal(token.kind, JSON_END);
    assert_true(flood.given > 1000000000);
    assert_true(count.peak < 200000);
    json_close(json);
}

/* --- failures of others ------------------------------------------------------------------- */

static void passes_read_errors_through(void **state)
{
    static const char *const texts[] = {"",       "[",  "\xef\xbb", "[\"ab",   "\"\\u00",
                                        "\"\xe2", "12", "{\"a\"",   "{\"a\":", "[1,"};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++)
        for (size_t chunk = 1; chunk < 8; chunk++) {
            struct pieces pieces = {str_from(texts[i]), chunk, .failing = true};
            struct json_options options = {.alloc = &alloc_system};
            struct error err = {0};
            struct buf out =
                drain(json_open((struct source){read_piece, &pieces}, &options, &err));

            assert_true(str_ends(buf_text(&out), STR("! the disk is on fire")));
            buf_free(&out);
        }
}

static void reads_nothing_after_the_end(void **state)
{
    struct pieces pieces = {.text = STR("1"), .chunk = 10};
    struct json_options options = {.alloc = &alloc_system};
    struct json_token token;
    struct error err;
    struct json *json = json_open((struct source){read_piece, &pieces}, &options, &err);

    (void)state;
    for (int i = 0; i < 5; i++)
        assert_true(json_next(json, &token, &err));
    assert_int_equal(token.kind, JSON_END);
    assert_int_equal(pieces.reads, 2);
    json_close(json);
}

/* Read all with an allocator that gives `allow` times; true when that is enough. */
static bool survives(struct str text, bool source, size_t allow)
{
    struct failing_alloc failing = {.allow = allow};
    struct alloc alloc = {failing_get, failing_put, &failing};
    struct json_options options = {.alloc = &alloc};
    struct pieces pieces = {.text = text, .chunk = SIZE_MAX};
    struct json_token token = {.kind = JSON_NULL};
    struct error err = {0};
    struct json *json = source ? json_open((struct source){read_piece, &pieces}, &options, &err)
                               : json_open_text(text, &options, &err);
    bool ok = json != NULL;

    while (ok && token.kind != JSON_END)
        ok = json_next(json, &token, &err);
    json_close(json);
    assert_int_equal(failing.held, 0);
    if (!ok) {
        assert_int_equal(err.kind, ERROR_MEMORY);
        assert_string_equal(err.text, "out of memory");
    }
    return ok;
}

static void survives_every_failing_allocation(void **state)
{
    struct buf text = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    size_t allow;

    (void)state;
    buf_adds(&text, "[\"\\n\",\"a longer \\n\",\"");
    buf_pad(&text, 'x', 600000);
    buf_adds(&text, "\\n\"]");
    for (allow = 0; !survives(buf_text(&text), false, allow); allow++)
        continue;
    assert_int_equal(allow, 4); /* the reader, and three sizes of decoded text */
    for (allow = 0; !survives(buf_text(&text), true, allow); allow++)
        continue;
    assert_int_equal(allow, 8); /* and a buffer that grew three times */
    buf_free(&text);
}

/* --- skipping ----------------------------------------------------------------------------- */

/* Read the text, skipping after each token of depth `depth` that can be. */
static void check_skip(const char *text, unsigned depth, const char *expected)
{
    for (size_t chunk = 1; chunk < 40; chunk++) {
        struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
        struct pieces pieces = {.text = str_from(text), .chunk = chunk};
        struct json_options options = {.alloc = &alloc_system};
        struct json_token token = {.kind = JSON_NULL};
        struct error err = {0};
        struct json *json = json_open((struct source){read_piece, &pieces}, &options, &err);
        bool ok = json != NULL;

        while (ok && token.kind != JSON_END) {
            ok = json_next(json, &token, &err);
            if (ok)
                add_token(&out, &token);
            if (ok && token.depth == depth)
                ok = json_skip(json, &err);
        }
        if (!ok)
            buf_addf(&out, "! %s", err.text);
        assert_str_equal(buf_text(&out), expected);
        buf_free(&out);
        json_close(json);
    }
}

static void skips_values(void **state)
{
    (void)state;
    check_skip("{\"a\":1,\"b\":[1,{\"c\":[]}],\"d\":\"\\n\",\"e\":{},\"f\":null}", 1,
               "0{ 1key=a 1key=b 1key=d 1key=e 1key=f 0} 0end ");
    check_skip("{\"a\":1,\"b\":[1,{\"c\":[]}]}", 0, "0{ 0end ");
    check_skip("[1,[2,[3]],{\"a\":{}},\"x\"]", 1, "0[ 1number=1 1[ 1{ 1string=x 0] 0end ");
    check_skip("[[[]],{}]", 0, "0[ 0end ");
    check_skip("3", 0, "0number=3 0end ");
}

static void checks_what_it_skips(void **state)
{
    (void)state;
    check_skip("{\"a\":[1 2]}", 1, "0{ 1key=a ! line 1, column 9: expected ',' or ']'");
    check_skip("{\"a\":\"\\x\"}", 1,
               "0{ 1key=a ! line 1, column 7: unknown escape in a string");
    check_skip("[\"\xff\"]", 0, "0[ ! line 1, column 3: invalid UTF-8 in a string");
    check_skip("[01]", 0, "0[ ! line 1, column 2: '01' is not a JSON number");
    check_skip("{\"a\" 1}", 1, "0{ 1key=a ! line 1, column 6: expected ':'");
    check_skip("{\"a\":[", 1, "0{ 1key=a ! line 1, column 7: the text ends inside an array");
}

/* Read up to the first string "!", then leave to `depth` and read on. */
static void check_leave(const char *text, unsigned depth, const char *expected)
{
    for (size_t chunk = 1; chunk < 40; chunk++) {
        struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
        struct pieces pieces = {.text = str_from(text), .chunk = chunk};
        struct json_options options = {.alloc = &alloc_system};
        struct json_token token = {.kind = JSON_NULL};
        struct error err = {0};
        struct json *json = json_open((struct source){read_piece, &pieces}, &options, &err);
        bool ok = json != NULL;

        while (ok && token.kind != JSON_END) {
            ok = json_next(json, &token, &err);
            if (ok && token.kind == JSON_STRING && str_eq(token.text, STR("!")))
                ok = json_leave(json, depth, &err);
            else if (ok)
                add_token(&out, &token);
        }
        if (!ok) {
            buf_addf(&out, "! %s", err.text);
            assert_false(json_leave(json, 0, &err)); /* and it stays so */
            assert_false(json_leave(json, JSON_MAX_DEPTH, &err));
        }
        assert_str_equal(buf_text(&out), expected);
        buf_free(&out);
        json_close(json);
    }
}

static void leaves_containers(void **state)
{
    static const char text[] = "{\"a\":[{\"b\":[\"!\",{\"c\":[]}],\"d\":1},2],\"e\":\"\\n\"}";

    (void)state;
    check_leave(text, 4,
                "0{ 1key=a 1[ 2{ 3key=b 3[ 4{ 5key=c 5[ 5] 4} 3] 3key=d 3number=1 2} "
                "2number=2 1] 1key=e 1string=\n 0} 0end ");
    check_leave(text, 3,
                "0{ 1key=a 1[ 2{ 3key=b 3[ 3key=d 3number=1 2} 2number=2 1] 1key=e 1string=\n "
                "0} 0end ");
    check_leave(text, 2, "0{ 1key=a 1[ 2{ 3key=b 3[ 2number=2 1] 1key=e 1string=\n 0} 0end ");
    check_leave(text, 1, "0{ 1key=a 1[ 2{ 3key=b 3[ 1key=e 1string=\n 0} 0end ");
    check_leave(text, 0, "0{ 1key=a 1[ 2{ 3key=b 3[ 0end ");
    check_leave("[\"!\",1 2]", 0, "0[ ! line 1, column 8: expected ',' or ']'");
    check_leave("[\"!\",", 0, "0[ ! line 1, column 6: the text ends inside an array");
}

static void knows_the_line_it_is_on(void **state)
{
    static const char text[] = "\n{\"a\":\n1,\n\n\"b\" : [2\n,3]}\n\n";
    static const uint64_t lines[] = {2, 2, 3, 5, 5, 5, 6, 6, 6, 8};

    (void)state;
    for (size_t chunk = 1; chunk < 40; chunk++) {
        struct pieces pieces = {.text = str_from(text), .chunk = chunk};
        struct json_options options = {.alloc = &alloc_system};
        struct json_token token;
        struct error err = {0};
        struct json *json = json_open((struct source){read_piece, &pieces}, &options, &err);

        assert_non_null(json);
        assert_int_equal(json_line(json), 1);
        for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
            assert_true(json_next(json, &token, &err));
            assert_int_equal(json_line(json), lines[i]);
            assert_int_equal(json_line(json), lines[i]);
        }
        assert_int_equal(token.kind, JSON_END);
        json_close(json);
    }
}

static void asking_for_the_line_does_not_move_an_error(void **state)
{
    struct json_options options = {.alloc = &alloc_system};
    struct json_token token;
    struct error err = {0};
    struct json *json = json_open_text(STR("[1,\n\n  x]"), &options, &err);

    (void)state;
    assert_non_null(json);
    while (json_next(json, &token, &err))
        assert_int_equal(json_line(json), 1);
    assert_string_equal(err.text, "line 3, column 3: unknown word 'x'");
    assert_int_equal(json_line(json), 3);
    json_close(json);
}

/* --- vectors ------------------------------------------------------------------------------ */

static void vectors_agree_with_scalars(void **state)
{
    static const char favorites[] = "\"\\ \t\n\r\x1f\x20\x21\x7f\x80\xff\x0b\x00\x10,:{a";
    static struct json_index fast, slow;
    uint32_t random = 1;

    (void)state;
    for (int round = 0; round < 3000; round++) {
        size_t len = (size_t)(round % 300), words = len / 64 + 1 + (len % 64 > 0);
        char *bytes = malloc(len + 1); /* exact, for ASan */

        assert_non_null(bytes);
        for (size_t i = 0; i < len; i++) {
            random = random * 1664525 + 1013904223;
            bytes[i] =
                (char)(round % 2 == 0
                           ? random >> 24
                           : (unsigned char)favorites[(random >> 16) % sizeof favorites]);
        }
        json_index(bytes, len, &fast);
        json_index_scalar(bytes, len, &slow);
        assert_memory_equal(fast.special, slow.special, words * sizeof fast.special[0]);
        assert_memory_equal(fast.solid, slow.solid, words * sizeof fast.solid[0]);
        assert_int_equal(json_count_lines(bytes, bytes + len),
                         json_count_lines_scalar(bytes, bytes + len));
        free(bytes);
    }
}

static void indexes_every_byte_as_specified(void **state)
{
    (void)state;
    for (int c = 0; c < 256; c++)
        for (size_t at = 0; at < 130; at += 43) {
            bool space = c == ' ' || c == '\t' || c == '\n' || c == '\r';
            bool special = c == '"' || c == '\\' || c < 0x20 || c >= 0x80;
            struct json_index index;
            char text[130];

            memset(text, special ? 'x' : '\0', sizeof text);
            memset(text, space ? 'x' : ' ', at);
            text[at] = (char)c;
            json_index(text, sizeof text, &index);
            if (special && !space)
                assert_ptr_equal(json_find(text, index.special, text), text + at);
            if (!space)
                assert_ptr_equal(json_find(text, index.solid, text), text + at);
            else
                assert_ptr_not_equal(json_find(text, index.solid, text + at), text + at);
        }
}

static void counts_lines_beyond_one_byte_of_sums(void **state)
{
    size_t len = 100000;
    char *lines = malloc(len);

    (void)state;
    assert_non_null(lines);
    memset(lines, '\n', len);
    assert_int_equal(json_count_lines(lines, lines + len), len);
    assert_int_equal(json_count_lines(lines + 3, lines + len - 2), len - 5);
    free(lines);
}

static bool write_member(void *ctx, struct str key, enum json_kind kind, struct str text)
{
    struct buf *out = ctx;

    buf_addf(out, "%.*s/%d/", STR_ARG(key), kind);
    buf_add(out, kind == JSON_STRING || kind == JSON_NUMBER ? text : (struct str){0});
    buf_adds(out, ";");
    return !str_eq(key, STR("last"));
}

static void check_members(const char *text, bool ok, const char *expected)
{
    struct buf out = buf_new(&alloc_system, 1000);
    struct error err = {0};

    assert_true(json_members(str_from(text), &alloc_system, write_member, &out, &err) == ok);
    assert_true((err.kind == ERROR_NONE) == ok);
    assert_str_equal(buf_text(&out), expected);
    buf_free(&out);
}

static void gives_the_members_of_an_object(void **state)
{
    (void)state;
    check_members("{}", true, "");
    check_members("{\"a\": \"x\", \"b\": 1.50, \"c\": null}", true, "a/6/x;b/7/1.50;c/10/;");
    check_members("{\"\\u00e9\": \"\\n\"}", true, "\xc3\xa9/6/\n;"); /* both are decoded */
    check_members("{\"a\": {\"b\": [1]}, \"c\": true}", true, "a/1/;c/8/;");
    check_members("{\"last\": 1, \"b\": 2} no matter what", true, "last/7/1;");
    check_members("{\"a\": 1} 2", false, "a/7/1;");
    check_members("{\"a\": 1", false, "a/7/1;");
    check_members("[]", false, "");
    check_members("", false, "");
}

int group_json(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_every_kind_of_token),
        cmocka_unit_test(keeps_numbers_as_written),
        cmocka_unit_test(reads_numbers_of_python_that_are_not_finite),
        cmocka_unit_test(decodes_a_string_alone),
        cmocka_unit_test(decodes_escapes),
        cmocka_unit_test(decodes_an_escaped_nul),
        cmocka_unit_test(refuses_bad_escapes),
        cmocka_unit_test(refuses_control_bytes_in_strings),
        cmocka_unit_test(checks_utf8),
        cmocka_unit_test(reports_what_it_expected),
        cmocka_unit_test(reports_where_the_text_ends),
        cmocka_unit_test(refuses_nul_bytes),
        cmocka_unit_test(skips_a_byte_order_mark_at_the_start_only),
        cmocka_unit_test(reads_many_documents),
        cmocka_unit_test(limits_depth),
        cmocka_unit_test(limits_tokens),
        cmocka_unit_test(reads_long_strings),
        cmocka_unit_test(reads_long_documents),
        cmocka_unit_test(refuses_a_gigabyte_with_little_memory),
        cmocka_unit_test(white_space_takes_no_memory),
        cmocka_unit_test(passes_read_errors_through),
        cmocka_unit_test(reads_nothing_after_the_end),
        cmocka_unit_test(survives_every_failing_allocation),
        cmocka_unit_test(skips_values),
        cmocka_unit_test(checks_what_it_skips),
        cmocka_unit_test(leaves_containers),
        cmocka_unit_test(gives_the_members_of_an_object),
        cmocka_unit_test(knows_the_line_it_is_on),
        cmocka_unit_test(asking_for_the_line_does_not_move_an_error),
        cmocka_unit_test(vectors_agree_with_scalars),
        cmocka_unit_test(indexes_every_byte_as_specified),
        cmocka_unit_test(counts_lines_beyond_one_byte_of_sums),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
