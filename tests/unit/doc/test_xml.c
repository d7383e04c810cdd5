#include "test.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/part.h"
#include "doc/xml.h"

/* Without the loadable part there is nothing to test: print that. */
static void need_the_part(void)
{
    struct error err = {0};

    if (part_open("xml", XML_PART_VERSION, &err) == NULL)
        fail_msg("%s (%s)", err.text, err.hint);
}

/* --- events as text ----------------------------------------------------------------------- */

struct pieces {
    struct str text;
    size_t chunk;
    bool failing;
};

static ptrdiff_t read_piece(void *ctx, char *to, size_t room, struct error *err)
{
    struct pieces *p = ctx;
    size_t len = p->text.len < p->chunk ? p->text.len : p->chunk;

    if (len == 0 && p->failing) {
        error_set(err, ERROR_SYSTEM, "the disk is on fire");
        return -1;
    }
    len = len < room ? len : room;
    if (len > 0)
        memcpy(to, p->text.at, len);
    p->text.at += len;
    p->text.len -= len;
    return (ptrdiff_t)len;
}

static bool on_start(void *ctx, struct str name, uint64_t line, struct error *err)
{
    buf_addf(ctx, "%d<%.*s ", (int)line, STR_ARG(name));
    return !str_eq(name, STR("stop")) || error_fail(err, ERROR_GUARD, "stopped");
}

static bool on_text(void *ctx, struct str text, struct error *err)
{
    buf_addf(ctx, "[%.*s] ", (int)text.len, text.at);
    return !str_eq(text, STR("stop here")) || error_fail(err, ERROR_GUARD, "stopped at text");
}

static bool on_end(void *ctx, struct str name, struct error *err)
{
    buf_addf(ctx, "%.*s> ", STR_ARG(name));
    return !str_eq(name, STR("last")) || error_fail(err, ERROR_GUARD, "stopped at the end");
}

static bool read_events(struct pieces *pieces, struct buf *out, const struct alloc *alloc,
                        struct error *err)
{
    struct xml_handler handler = {on_start, on_text, on_end, out};

    return xml_read((struct source){read_piece, pieces}, &handler, alloc, err);
}

static void check(const char *text, const char *expected)
{
    static const size_t chunks[] = {1, 2, 3, 7, 100000};

    need_the_part();
    for (size_t i = 0; i < ARRAY_LEN(chunks); i++) {
        struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
        struct pieces pieces = {.text = str_from(text), .chunk = chunks[i]};
        struct error err = {0};

        if (!read_events(&pieces, &out, &alloc_system, &err)) {
            assert_int_not_equal(err.kind, ERROR_NONE);
            buf_addf(&out, "! %s", err.text);
        }
        assert_str_equal(buf_text(&out), expected);
        buf_free(&out);
    }
}

static void gives_elements_and_text(void **state)
{
    (void)state;
    check("<a/>", "1<a a> ");
    check(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<a xmlns=\"urn:x\">\n<b>1</b>\n<c/></a>\n",
        "2<a [\n] 3<b [1] b> [\n] 4<c c> a> ");
    check("<x:a xmlns:x=\"urn:x\"><x:b y=\"1\">t</x:b></x:a>", "1<a 1<b [t] b> a> ");
    check("<:><b:/></:>", "1<: 1<b: b:> :> "); /* a prefix of nothing is the name */
}

static void joins_text_between_two_tags(void **state)
{
    (void)state;
    check("<a>one &amp; two &lt;<!-- no -->3<![CDATA[<&>]]>&#65;&#x42;&gt;</a>",
          "1<a [one & two <3<&>AB>] a> ");
    check("<a>r\xc3\xa9gion<?pi data?>s</a>", "1<a [r\xc3\xa9gions] a> ");
    check("<?xml version='1.0' encoding='ISO-8859-1'?><a>\xe9</a>", "1<a [\xc3\xa9] a> ");
}

static void names_the_place_of_a_fault(void **state)
{
    (void)state;
    check("<a>\n  <b></a>", "1<a [\n  ] 2<b ! line 2, column 8: mismatched tag");
    check("<a/><b/>", "1<a a> ! line 1, column 5: junk after document element");
    check("<a>&nbsp;</a>", "1<a ! line 1, column 4: undefined entity");
    check("<a b=1/>", "! line 1, column 6: not well-formed (invalid token)");
    check("<a>\xff</a>", "1<a ! line 1, column 4: not well-formed (invalid token)");
    check("{\"a\":1}", "! line 1, column 1: not well-formed (invalid token)");
    check("<?xml version='1.0' encoding='EBCDIC'?><a/>",
          "! line 1, column 31: unknown encoding");
}

static void text_that_is_cut_is_an_error(void **state)
{
    static const char text[] = "<?xml version=\"1.0\"?><a><b>x</b><!-- c --><![CDATA[d]]></a>";

    (void)state;
    need_the_part();
    for (size_t len = 0; len < strlen(text); len++) {
        struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
        struct pieces pieces = {.text = {text, len}, .chunk = 5};
        struct error err = {0};

        assert_false(read_events(&pieces, &out, &alloc_system, &err));
        assert_int_equal(err.kind, ERROR_INPUT);
        assert_non_null(strstr(err.text, ": the text ends "));
        assert_true(strncmp(err.text, "line 1, column ", 15) == 0);
        buf_free(&out);
    }
    check("", "! line 1, column 1: the text ends before there is a complete element");
    check("<a><b>", "1<a 1<b ! line 1, column 7: the text ends inside an element");
}

static void refuses_document_types(void **state)
{
    (void)state;
    check("<!DOCTYPE a [\n<!ENTITY x 'lol'><!ENTITY y '&x;&x;&x;'>]>\n<a>&y;</a>",
          "! line 1, column 13: a document type declaration is refused");
    check("<!DOCTYPE a SYSTEM 'file:///etc/passwd'><a/>",
          "! line 1, column 40: a document type declaration is refused");
}

static void a_handler_can_stop(void **state)
{
    (void)state;
    check("<a>1<stop>2</stop></a>", "1<a [1] 1<stop ! stopped");
    check("<a>stop here<b/></a>", "1<a [stop here] ! stopped at text");
    check("<a><last/><b/></a>", "1<a 1<last last> ! stopped at the end");
}

static void a_source_can_fail(void **state)
{
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct pieces pieces = {.text = STR("<a>1</a>"), .chunk = 3, .failing = true};
    struct error err = {0};

    (void)state;
    need_the_part();
    assert_false(read_events(&pieces, &out, &alloc_system, &err));
    assert_string_equal(err.text, "the disk is on fire");
    buf_free(&out);
}

/* --- limits ------------------------------------------------------------------------------- */

/* "HEAD", `unit` so often, "TAIL": the error it is refused with, or "" when it is read. */
static void check_much(const char *head, const char *unit, size_t times, const char *tail,
                       const char *expected)
{
    static const size_t chunks[] = {13, 100000};
    struct buf text = buf_new(&alloc_system, BUF_MAX_OUTPUT);

    need_the_part();
    buf_adds(&text, head);
    for (size_t i = 0; i < times; i++)
        buf_adds(&text, unit);
    buf_adds(&text, tail);
    for (size_t i = 0; i < ARRAY_LEN(chunks); i++) {
        struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
        struct pieces pieces = {.text = buf_text(&text), .chunk = chunks[i]};
        struct error err = {0};

        (void)read_events(&pieces, &out, &alloc_system, &err);
        if (strstr(err.text, expected) == NULL ||
            (err.text[0] != '\0') != (expected[0] != '\0'))
            fail_msg("'%s', not '%s'", err.text, expected);
        buf_free(&out);
    }
    buf_free(&text);
}

static void enforces_its_limits(void **state)
{
    (void)state;
    check_much("", "<a>", XML_MAX_DEPTH, "", "the text ends inside an element");
    check_much("", "<a>", XML_MAX_DEPTH + 1, "", "nested deeper than 64 levels");
    check_much("<a>", "x", XML_MAX_TEXT, "</a>", "");
    check_much("<a>", "x", XML_MAX_TEXT + 1, "</a>", "a text is longer than 65536 bytes");
    check_much("<a>", "&lt;", XML_MAX_TEXT + 1, "</a>", "a text is longer than 65536 bytes");
    check_much("<", "x", XML_MAX_MARKUP + 40000, "/>", "a tag or comment is longer than");
    check_much("<a ", "x", XML_MAX_MARKUP + 40000, "='1'/>", "a tag or comment is longer than");
    check_much("<a><!--", "x", XML_MAX_MARKUP + 40000, "--></a>", "a tag or comment is longer");
    check_much("", " ", 3 * XML_MAX_MARKUP, "<a/>", "");
    check_much("<a>", "<b>12345</b>\n", 100000, "</a>", "");
    check_much("<a/>", "\n", 3 * XML_MAX_MARKUP, "", "");
}

static void many_names_do_not_take_all_the_memory(void **state)
{
    struct buf text = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct error err = {0};
    struct pieces pieces;

    (void)state;
    need_the_part();
    buf_adds(&text, "<a>");
    for (unsigned i = 0; i < 200000; i++)
        buf_addf(&text, "<n%u/>", i);
    buf_adds(&text, "</a>");
    pieces = (struct pieces){.text = buf_text(&text), .chunk = 4096};
    assert_false(read_events(&pieces, &out, &alloc_system, &err));
    assert_int_equal(err.kind, ERROR_INPUT);
    assert_non_null(
        strstr(err.text, "this XML takes more than 4194304 bytes of memory to read"));
    buf_free(&out);
    buf_free(&text);
}

static void survives_every_failing_allocation(void **state)
{
    size_t allow = 0;
    bool done = false;

    (void)state;
    need_the_part();
    for (; !done; allow++) {
        struct failing_alloc failing = {.allow = allow};
        struct alloc alloc = {failing_get, failing_put, &failing};
        struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
        struct pieces pieces = {
            .text =
                STR("<a x='1'><b>text</b><a-long-name-indeed>&amp;</a-long-name-indeed></a>"),
            .chunk = 9};
        struct error err = {0};

        done = read_events(&pieces, &out, &alloc, &err);
        if (!done) {
            assert_int_equal(err.kind, ERROR_MEMORY);
            assert_string_equal(err.text, "out of memory");
        }
        buf_free(&out);
        assert_int_equal(failing.held, 0);
    }
    assert_true(allow > 5);
}

int group_xml(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_elements_and_text),
        cmocka_unit_test(joins_text_between_two_tags),
        cmocka_unit_test(names_the_place_of_a_fault),
        cmocka_unit_test(text_that_is_cut_is_an_error),
        cmocka_unit_test(refuses_document_types),
        cmocka_unit_test(a_handler_can_stop),
        cmocka_unit_test(a_source_can_fail),
        cmocka_unit_test(enforces_its_limits),
        cmocka_unit_test(many_names_do_not_take_all_the_memory),
        cmocka_unit_test(survives_every_failing_allocation),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
