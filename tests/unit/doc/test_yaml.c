#include "test.h"

#include <math.h>
#include <string.h>

#include "document.h"
#include "every.h"

/* --- a document as text ------------------------------------------------------------------- */

static void check(const char *text, const char *expected)
{
    check_document(yaml_read, true, text, expected);
}

static void check_refused(struct str text, const char *expected, const char *hint)
{
    struct arena arena = test_arena();
    struct error err = {0};

    if (read_exact(yaml_read, text, "c.yaml", &arena, &err) != NULL)
        fail_msg("'%.*s' was not refused", STR_ARG(text));
    assert_int_equal(err.kind, ERROR_INPUT);
    assert_string_equal(err.text, expected);
    assert_string_equal(err.hint, hint);
    arena_free(&arena);
}

/* --- what is read ------------------------------------------------------------------------- */

static void reads_maps_lists_and_scalars(void **state)
{
    (void)state;
    check("a: 1\nb: two words\n", "{a:'1' b:'two words'}");
    check("a:\n  b:\n    c: 1\nd: 2", "{a:{b:{c:'1'}} d:'2'}");
    check("a:\n- 1\n- 2\n", "{a:['1' '2']}");
    check("- a\n- [b, c]\n- {d: e}\n", "['a' ['b' 'c'] {d:'e'}]");
    check("{a: 1, b: [], c: {}}", "{a:'1' b:[] c:{}}");
    check("--- \na: 1\n...\n", "{a:'1'}");
    check("%YAML 1.1\n---\na: 1\n", "{a:'1'}");
    check("a: 1 # one\n# two\nb: 2\n", "{a:'1' b:'2'}");
    check("a: 1\r\nb: 2\r\n", "{a:'1' b:'2'}");
    check("\xef\xbb\xbf"
          "a: 1\n",
          "{a:'1'}");
    check("just text", "'just text'");
    check("caf\xc3\xa9: \xe2\x82\xac", "{caf\xc3\xa9:'\xe2\x82\xac'}");
}

static void keeps_numbers_as_written(void **state)
{
    (void)state;
    check("a: 0.10\nb: 1e3\nc: 0x10\nd: 010\ne: yes\nf: 2026-11-15\n",
          "{a:'0.10' b:'1e3' c:'0x10' d:'010' e:'yes' f:'2026-11-15'}");
}

static void distinguishes_null_from_quoted_text(void **state)
{
    (void)state;
    check("a: ~\nb: null\nc:\n", "{a:~ b:~ c:~}");
    check("a: '~'\nb: \"null\"\nc: ''\n", "{a:'~' b:'null' c:''}");
    check("- ~\n-\n- null\n", "[~ ~ ~]");
}

static void reads_quoted_and_folded_scalars(void **state)
{
    (void)state;
    check("a: 'it''s'\nb: \"x\\ty\\u00e9\"\n", "{a:'it's' b:'x\ty\xc3\xa9'}");
    check("a: |\n  one\n  two\nb: >\n  one\n  two\n", "{a:'one\ntwo\n' b:'one two\n'}");
    check("'quoted key': \"# no comment\"\n", "{quoted key:'# no comment'}");
}

static void an_empty_file_is_null(void **state)
{
    (void)state;
    check("", "~");
    check("\n\n", "~");
    check("# only a comment\n", "~");
    check("---\n", "~");
}

static void a_nul_byte_in_a_quoted_scalar_is_kept(void **state)
{
    struct arena arena = test_arena();
    struct error err = {0};
    const struct node *root = read_exact(yaml_read, STR("\"a\\0b\""), "c.yaml", &arena, &err);

    (void)state;
    assert_non_null(root);
    assert_int_equal(root->text.len, 3);
    assert_memory_equal(root->text.at, "a\0b", 3);
    arena_free(&arena);
}

static void places_keys_and_values(void **state)
{
    struct arena arena = test_arena();
    struct error err = {0};
    const struct node *root =
        read_exact(yaml_read, STR("a: 1\nlong:\n  - x\n"), "c.yaml", &arena, &err);
    const struct node *list;

    (void)state;
    assert_non_null(root);
    list = node_get(root, STR("long"));
    assert_non_null(list);
    assert_int_equal(list->key_line, 2);
    assert_int_equal(list->key_column, 1);
    assert_int_equal(list->line, 3);
    assert_int_equal(list->column, 3);
    assert_int_equal(list->first->line, 3);
    assert_int_equal(list->first->column, 5);
    assert_null(node_get(root, STR("lon")));
    arena_free(&arena);
}

/* --- what is refused ---------------------------------------------------------------------- */

#define INDENT_HINT "indent with blanks, not tabs, and quote values that start with %, @ or `"

static void refuses_invalid_yaml_with_its_place(void **state)
{
    static const struct {
        const char *text, *error, *hint;
    } cases[] = {
        {"a:\n\tb: 1\n", "c.yaml:2:1: found character that cannot start any token",
         INDENT_HINT},
        {"a: @x", "c.yaml:1:4: found character that cannot start any token", INDENT_HINT},
        {"a: 1\nb: [1, 2\n", "c.yaml:3:1: did not find expected ',' or ']'", ""},
        {"a: b: c", "c.yaml:1:5: mapping values are not allowed in this context", ""},
        {"a: 'x", "c.yaml:1:6: found unexpected end of stream", ""},
        {"a: 1\nb: \"\\q\"", "c.yaml:2:5: found unknown escape character", ""},
        {"%NONE\n---\na", "c.yaml:1:6: found unknown directive name", ""},
        {"? [a]\n: 1\n", "c.yaml:1:3: a key must be one word", ""},
        {"? {a: 1}\n: 1\n", "c.yaml:1:3: a key must be one word", ""},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        check_refused(str_from(cases[i].text), cases[i].error, cases[i].hint);
}

static void refuses_bytes_that_are_not_utf8_with_their_place(void **state)
{
    (void)state;
    check_refused(STR("\xff"), "c.yaml:1:1: invalid leading UTF-8 octet", "");
    check_refused(STR("a: 1\nb: x\xff\n"), "c.yaml:2:5: invalid leading UTF-8 octet", "");
    check_refused(STR("a: \xc3"), "c.yaml:1:4: incomplete UTF-8 octet sequence", "");
    check_refused(STR("a: \xc3("), "c.yaml:1:5: invalid trailing UTF-8 octet", "");
    check_refused(STR("a: \xed\xa0\x80"), "c.yaml:1:4: invalid Unicode character", "");
    check_refused(STR("a: x\0"), "c.yaml:1:5: control characters are not allowed", "");
    check_refused(STR("a: 1\n\nb: \x01"), "c.yaml:3:4: control characters are not allowed", "");
}

static void refuses_a_second_key_and_names_the_first(void **state)
{
    (void)state;
    check_refused(STR("a: 1\nb: 2\na: 3\n"), "c.yaml:3:1: the second key 'a'",
                  "the first 'a' is on line 1: keep one of them");
    check_refused(STR("x: 0\na:\n\n  - 1\nb: 2\na: 3\n"), "c.yaml:6:1: the second key 'a'",
                  "the first 'a' is on line 2: keep one of them");
    check_refused(STR("a: {b: 1, b: 2}"), "c.yaml:1:11: the second key 'b'",
                  "the first 'b' is on line 1: keep one of them");
    check("a: {b: 1}\nc: {b: 1}\n", "{a:{b:'1'} c:{b:'1'}}"); /* not the same map */
}

static void an_alias_repeats_what_its_anchor_names(void **state)
{
    (void)state;
    check("a: &x 1\nb: *x\n", "{a:'1' b:'1'}");
    check("a: &x [1, {b: 2}]\nc: *x\nd: [*x, *x]\n",
          "{a:['1' {b:'2'}] c:['1' {b:'2'}] d:[['1' {b:'2'}] ['1' {b:'2'}]]}");
    check("a: &x\nb: *x\n", "{a:~ b:~}");
    check("- &x 1\n- &x 2\n- *x\n", "['1' '2' '2']"); /* the latest of a name */
    check("&x a: 1\nb: *x\n", "{a:'1' b:'a'}");
    check("a: &x b\n*x : 1\n", "{a:'b' b:'1'}");
    check("&x [1]", "['1']");
}

static void merge_keys_add_what_is_not_there(void **state)
{
    (void)state;
    check("a: &x {b: 1, c: 2}\nd: {<<: *x, c: 3}\n", "{a:{b:'1' c:'2'} d:{c:'3' b:'1'}}");
    check("a: &x {b: 1, c: 2}\nd: {c: 3, <<: *x}\n", "{a:{b:'1' c:'2'} d:{c:'3' b:'1'}}");
    check("a: &x {b: 1}\ne: &y {b: 2, f: 3}\nd:\n  <<: [*x, *y]\n",
          "{a:{b:'1'} e:{b:'2' f:'3'} d:{b:'1' f:'3'}}");
    check("a: &x {b: 1}\ne: &y {<<: *x, f: 3}\nd:\n  <<: *y\n  b: 4\n",
          "{a:{b:'1'} e:{f:'3' b:'1'} d:{b:'4' f:'3'}}");
    check("a: &x {b: 1}\ne: &y {f: 3}\nd:\n  <<: *x\n  <<: *y\n",
          "{a:{b:'1'} e:{f:'3'} d:{b:'1' f:'3'}}");
    check("a:\n  <<: {b: 1}\n", "{a:{b:'1'}}");
    check("a: {<<: }\n", "{a:{}}");
    check("'<<': 1\n", "{<<:'1'}"); /* in quotes it is a key */
    check("a: &x {b: {c: 1}}\nd: {<<: *x}\ne: {<<: *x}\n",
          "{a:{b:{c:'1'}} d:{b:{c:'1'}} e:{b:{c:'1'}}}");
}

static void refuses_aliases_that_cannot_be_resolved(void **state)
{
    static const char add[] =
        "write &x before the value to repeat, or quote a text that starts with *";
    static const struct {
        const char *text, *error, *hint;
    } cases[] = {
        {"a: *x\n", "c.yaml:1:4: there is no anchor before this alias: 'x'", add},
        {"a: *x\nb: &x 1\n", "c.yaml:1:4: there is no anchor before this alias: 'x'", add},
        {"*x : 1\n", "c.yaml:1:1: there is no anchor before this alias: 'x'", add},
        {"*x", "c.yaml:1:1: there is no anchor before this alias: 'x'", add},
        {"a: &x [*x]\n", "c.yaml:1:8: an alias within what it repeats: 'x'", ""},
        {"&x a: &y {b: *y}\n", "c.yaml:1:14: an alias within what it repeats: 'y'", ""},
        {"a: &x {<<: *x}\n", "c.yaml:1:12: an alias within what it repeats: 'x'", ""},
        {"a: &x [1]\n*x : 1\n", "c.yaml:2:1: a key must be one word", ""},
        {"a: &x 1\nb: {<<: *x}\n", "c.yaml:2:5: << merges a map, or a list of maps", ""},
        {"a: &x 1\nb: {<<: [*x]}\n", "c.yaml:2:5: << merges a map, or a list of maps", ""},
        {"a: &x b\nb: 1\n*x : 1\n", "c.yaml:3:1: the second key 'b'",
         "the first 'b' is on line 2: keep one of them"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        check_refused(str_from(cases[i].text), cases[i].error, cases[i].hint);
}

/* Each level repeats the one before eight times: 8^9 values, written in nine lines. */
static void refuses_an_alias_bomb(void **state)
{
    struct arena arena = test_arena();
    struct error err = {0};
    struct buf lists = buf_new(&alloc_system, 100000), maps = buf_new(&alloc_system, 100000);

    (void)state;
    buf_adds(&lists, "l0: &l0 [x, x, x, x, x, x, x, x]\n");
    buf_adds(&maps, "m0: &m0 {k: v}\n");
    for (int i = 1; i < 10; i++) {
        buf_addf(&lists, "l%d: &l%d [*l%d, *l%d, *l%d, *l%d, *l%d, *l%d, *l%d, *l%d]\n", i, i,
                 i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1);
        buf_addf(&maps, "m%d: &m%d {a: *m%d, b: *m%d, c: *m%d, d: *m%d, e: {<<: *m%d}}\n", i, i,
                 i - 1, i - 1, i - 1, i - 1, i - 1);
    }
    assert_null(yaml_read(buf_text(&lists), "c.yaml", &arena, &err));
    assert_string_equal(err.text,
                        "c.yaml:6:15: too many values, or too deep inside each other");
    err = (struct error){0};
    assert_null(yaml_read(buf_text(&maps), "c.yaml", &arena, &err));
    assert_non_null(strstr(err.text, "too many values, or too deep inside each other"));
    buf_free(&lists);
    buf_free(&maps);
    arena_free(&arena);
}

static void refuses_too_many_anchors_and_aliases_that_are_too_deep(void **state)
{
    struct arena arena = test_arena();
    struct error err = {0};
    struct buf text = buf_new(&alloc_system, 100000);

    (void)state;
    for (int i = 0; i < 1001; i++)
        buf_addf(&text, "- &a%d 1\n", i);
    assert_null(yaml_read(buf_text(&text), "c.yaml", &arena, &err));
    assert_string_equal(err.text, "c.yaml:1001:3: too many anchors");
    buf_clear(&text);
    buf_adds(&text, "- &a0 [x]\n");
    for (int i = 1; i < 40; i++) /* one level more each */
        buf_addf(&text, "- &a%d [*a%d]\n", i, i - 1);
    err = (struct error){0};
    assert_null(yaml_read(buf_text(&text), "c.yaml", &arena, &err));
    assert_non_null(strstr(err.text, "too many values, or too deep inside each other"));
    buf_free(&text);
    arena_free(&arena);
}

static void refuses_anchors_where_values_are_changed_in_place(void **state)
{
    static const char *const texts[] = {"a: &x 1\n", "&x a: 1\n", "a: *x\n", "*x : 1\n"};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        struct arena arena = test_arena();
        struct error err = {0};

        assert_null(yaml_read_written_out(str_from(texts[i]), "c.yaml", &arena, &err));
        assert_non_null(strstr(err.text, "anchors and aliases are not read here: 'x'"));
        assert_string_equal(err.hint, "write the values out: yq 'explode(.)' c.yaml");
        arena_free(&arena);
    }
}

static void refuses_a_second_document(void **state)
{
    (void)state;
    check_refused(STR("a: 1\n---\na: 2\n"), "c.yaml:3:1: a second document starts here", "");
    check_refused(STR("--- a\n--- b\n"), "c.yaml:2:5: a second document starts here", "");
    check_refused(STR("a: 1\n---\n"), "c.yaml:3:1: a second document starts here", "");
}

/* --- limits ------------------------------------------------------------------------------- */

static struct buf nested(size_t depth)
{
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);

    buf_pad(&out, '[', depth);
    buf_pad(&out, ']', depth);
    return out;
}

static void limits_depth(void **state)
{
    struct buf deep = nested(DOC_MAX_DEPTH), deeper = nested(DOC_MAX_DEPTH + 1),
               deepest = nested(100000);
    struct arena arena = test_arena();
    struct error err = {0};

    (void)state;
    assert_non_null(read_exact(yaml_read, buf_text(&deep), "c.yaml", &arena, &err));
    check_refused(buf_text(&deeper),
                  "c.yaml:1:33: too many values, or too deep inside each other", "");
    check_refused(buf_text(&deepest),
                  "c.yaml:1:33: too many values, or too deep inside each other", "");
    buf_free(&deep);
    buf_free(&deeper);
    buf_free(&deepest);
    arena_free(&arena);
}

static void limits_the_number_of_values(void **state)
{
    struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    struct buf text = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct error err = {0};

    (void)state;
    for (size_t i = 1; i < DOC_MAX_NODES; i++) /* and the list itself */
        buf_adds(&text, "- 1\n");
    assert_non_null(yaml_read(buf_text(&text), "c.yaml", &arena, &err));
    buf_adds(&text, "- 1\n");
    assert_null(yaml_read(buf_text(&text), "c.yaml", &arena, &err));
    assert_string_equal(err.text,
                        "c.yaml:100000:3: too many values, or too deep inside each other");
    buf_free(&text);
    arena_free(&arena);
}

static void limits_the_keys_of_one_map(void **state)
{
    struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    struct buf text = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct error err = {0};

    (void)state;
    for (unsigned i = 0; i < DOC_MAX_KEYS; i++)
        buf_addf(&text, "k%u: 1\n", i);
    assert_non_null(yaml_read(buf_text(&text), "c.yaml", &arena, &err));
    buf_adds(&text, "last: 1\n");
    assert_null(yaml_read(buf_text(&text), "c.yaml", &arena, &err));
    assert_string_equal(err.text, "c.yaml:1001:1: too many keys in one place");
    buf_free(&text);
    arena_free(&arena);
}

static void survives_every_failing_allocation(void **state)
{
    const struct str text = STR("text: a\ntexts: [b, c]\nrows:\n  - {name: d, count: 1}\n");
    size_t allow = 0;
    bool done = false;

    (void)state;
    for (; !done; allow++) {
        struct failing_alloc failing = {.allow = allow};
        struct alloc alloc = {failing_get, failing_put, &failing};
        struct arena arena = {.alloc = &alloc};
        struct error err = {0};
        struct every record;
        const struct node *root;

        memset(&record, 0, sizeof record);
        root = yaml_read(text, "c.yaml", &arena, &err);
        done =
            root != NULL && fields_from_node(&every_set, root, "c.yaml", &record, &arena, &err);
        if (!done) {
            assert_int_equal(err.kind, ERROR_MEMORY);
            assert_string_equal(err.text, "out of memory");
        }
        arena_free(&arena);
        assert_int_equal(failing.held, 0);
    }
    assert_true(allow > 15);
    done = false;
    for (allow = 0; !done; allow++) { /* an empty document takes memory too */
        struct failing_alloc failing = {.allow = allow};
        struct alloc alloc = {failing_get, failing_put, &failing};
        struct arena arena = {.alloc = &alloc};
        struct error err = {0};

        done = yaml_read(STR(""), "c.yaml", &arena, &err) != NULL;
        arena_free(&arena);
    }
    assert_int_equal(allow, 2);
}

/* --- records ------------------------------------------------------------------------------ */

static bool fill(const struct field_set *set, const char *text, void *record,
                 struct arena *arena, struct error *err)
{
    const struct node *root = read_exact(yaml_read, str_from(text), "c.yaml", arena, err);

    assert_non_null(root);
    assert_true(fields_reset(set, record, arena, err));
    return fields_from_node(set, root, "c.yaml", record, arena, err);
}

static void fills_a_record_of_every_type(void **state)
{
    struct arena arena = test_arena();
    struct error err = {0};
    struct every r;
    const struct every_row *rows;

    (void)state;
    if (!fill(&every_set,
              "flag: yes\ntext: 'a b'\nchoice: Fastest\ntexts: [x, \"y, z\"]\ncount: 8\n"
              "number: 1.5\nshare: 20%\namount: 100usd\nmax-price: $2.49/hr\n"
              "moving: 0.09usd/GB\npower: 0.17usd/kWh\nbudget: 99.50 EUR\nmemory: 80GB\n"
              "time: 90min\nsince: 2026-11-15\n"
              "rows:\n  - name: one\n    count: 1\n  - {name: two}\ninner: {name: three}\n",
              &r, &arena, &err))
        fail_msg("%s", err.text);
    assert_true(r.flag);
    assert_str_equal(r.text, "a b");
    assert_str_equal(r.choice, "fastest");
    assert_int_equal(r.texts.len, 2);
    assert_str_equal(r.texts.at[0], "x");
    assert_str_equal(r.texts.at[1], "y, z"); /* an item of a list is not cut at its commas */
    assert_int_equal(r.count, 8);
    assert_true(r.number == 1.5);
    assert_true(r.share == 0.2);
    assert_int_equal(r.amount.nano, 100000000000);
    assert_int_equal(r.max_price.nano, 2490000000);
    assert_int_equal(r.moving.nano, 90000000);
    assert_int_equal(r.power.nano, 170000000);
    assert_string_equal(r.budget.currency.code, "EUR");
    assert_int_equal(r.memory.n, 80000000000);
    assert_int_equal(r.time.ns, 5400000000000);
    assert_int_equal(r.since.n, 20772);
    assert_int_equal(r.rows.len, 2);
    rows = r.rows.at;
    assert_str_equal(rows[0].name, "one");
    assert_int_equal(rows[0].count, 1);
    assert_str_equal(rows[1].name, "two");
    assert_int_equal(rows[1].count, -1);
    assert_str_equal(r.inner.name, "three");
    arena_free(&arena);
}

static void absent_and_null_keep_what_is_there(void **state)
{
    struct arena arena = test_arena();
    struct error err = {0};
    struct every_row row = {.name = STR("kept"), .count = 4};
    struct every r = {.count = 7, .number = 0.5, .rows = {&row, 1}, .inner = row};
    const struct node *root =
        read_exact(yaml_read, STR("count: ~\ntexts:\nrows: null\ninner: ~\ntext: new\n"),
                   "c.yaml", &arena, &err);

    (void)state;
    assert_non_null(root);
    assert_true(fields_from_node(&every_set, root, "c.yaml", &r, &arena, &err));
    assert_int_equal(r.count, 7);
    assert_true(r.number == 0.5);
    assert_ptr_equal(r.rows.at, &row);
    assert_str_equal(r.inner.name, "kept");
    assert_str_equal(r.text, "new");
    arena_free(&arena);
}

static void refuses_documents_that_do_not_fit_the_record(void **state)
{
    static const struct {
        const char *text, *error, *hint;
    } cases[] = {
        {"count: 8 GPUs\n", "c.yaml:1:8: count: '8 GPUs' is not a whole number",
         "write digits only, without a unit"},
        {"text: a\nmemory: 80G\n", "c.yaml:2:9: memory: '80G' is not a size",
         "give the unit in full: 80GB is 80 * 1000^3 bytes, 80GiB is 80 * 1024^3"},
        {"budget: 100\n", "c.yaml:1:9: budget: '100' is not an amount of money",
         "give the currency: 100usd, or '$100' in quotes, since the shell expands $ and "
         "digits"},
        {"cuont: 1\n", "c.yaml:1:1: there is no key 'cuont'", "did you mean 'count'?"},
        {"text: a\n\nmax_prise:\n  - 1\n", "c.yaml:3:1: there is no key 'max_prise'",
         "did you mean 'max_price'?"},
        {"zzzzzz: 1\n", "c.yaml:1:1: there is no key 'zzzzzz'", ""},
        {"max_price: 1usd/hr\nmax-price: 2usd/hr\n",
         "c.yaml:2:1: 'max-price' is the same key as 'max_price'", ""},
        {"inner:\n  count: 3\n", "c.yaml:2:3: 'name' is missing", "name: what it is called"},
        {"inner: {name: ~}\n", "c.yaml:1:8: 'name' is missing", "name: what it is called"},
        {"rows:\n  - ~\n", "c.yaml:2:5: 'name' is missing", "name: what it is called"},
        {"rows:\n  - {name: a, count: 0}\n", "c.yaml:2:22: count: '0' is not 1 or more", ""},
        {"rows: [{nam: a}]\n", "c.yaml:1:9: there is no key 'nam'", "did you mean 'name'?"},
        {"rows: a\n", "c.yaml:1:7: rows: expected a list", ""},
        {"rows: {name: a}\n", "c.yaml:1:7: rows: expected a list", ""},
        {"rows: [a]\n", "c.yaml:1:8: expected keys and values", ""},
        {"inner: a\n", "c.yaml:1:8: expected keys and values", ""},
        {"text: [a]\n", "c.yaml:1:7: text: expected one value", ""},
        {"count: {a: 1}\n", "c.yaml:1:8: count: expected one value", ""},
        {"texts: {a: 1}\n", "c.yaml:1:8: texts: expected one value", ""},
        {"texts: [a, [b]]\n", "c.yaml:1:12: texts: expected a list of plain values", ""},
        {"texts: [a, ~]\n", "c.yaml:1:12: texts: expected a list of plain values", ""},
        {"- a\n", "c.yaml:1:1: expected keys and values", ""},
        {"text\n", "c.yaml:1:1: expected keys and values", ""},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct arena arena = test_arena();
        struct error err = {0};
        struct every record;

        if (fill(&every_set, cases[i].text, &record, &arena, &err))
            fail_msg("'%s' was not refused", cases[i].text);
        assert_int_equal(err.kind, ERROR_INPUT);
        assert_string_equal(err.text, cases[i].error);
        assert_string_equal(err.hint, cases[i].hint);
        arena_free(&arena);
    }
}

static void an_empty_document_lacks_what_is_required(void **state)
{
    struct arena arena = test_arena();
    struct error err = {0};
    struct every every;
    struct every_row row;

    (void)state;
    assert_true(fill(&every_set, "", &every, &arena, &err));
    assert_false(fill(&every_row_set, "# nothing\n", &row, &arena, &err));
    assert_int_equal(err.kind, ERROR_INPUT);
    assert_string_equal(err.text, "c.yaml: 'name' is missing");
    assert_string_equal(err.hint, "name: what it is called");
    arena_free(&arena);
}

static void a_required_key_without_help_has_no_hint(void **state)
{
    struct field field = {.name = "name", .type = FIELD_TEXT, .required = true};
    struct field_set set = {&field, 1, sizeof(struct every_row)};
    struct arena arena = test_arena();
    struct error err = {0};
    struct every_row row;

    (void)state;
    assert_false(fill(&set, "{}", &row, &arena, &err));
    assert_string_equal(err.text, "c.yaml:1:1: 'name' is missing");
    assert_string_equal(err.hint, "");
    arena_free(&arena);
}

int group_yaml(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_maps_lists_and_scalars),
        cmocka_unit_test(keeps_numbers_as_written),
        cmocka_unit_test(distinguishes_null_from_quoted_text),
        cmocka_unit_test(reads_quoted_and_folded_scalars),
        cmocka_unit_test(an_empty_file_is_null),
        cmocka_unit_test(a_nul_byte_in_a_quoted_scalar_is_kept),
        cmocka_unit_test(places_keys_and_values),
        cmocka_unit_test(refuses_invalid_yaml_with_its_place),
        cmocka_unit_test(refuses_bytes_that_are_not_utf8_with_their_place),
        cmocka_unit_test(refuses_a_second_key_and_names_the_first),
        cmocka_unit_test(an_alias_repeats_what_its_anchor_names),
        cmocka_unit_test(merge_keys_add_what_is_not_there),
        cmocka_unit_test(refuses_aliases_that_cannot_be_resolved),
        cmocka_unit_test(refuses_an_alias_bomb),
        cmocka_unit_test(refuses_too_many_anchors_and_aliases_that_are_too_deep),
        cmocka_unit_test(refuses_anchors_where_values_are_changed_in_place),
        cmocka_unit_test(refuses_a_second_document),
        cmocka_unit_test(limits_depth),
        cmocka_unit_test(limits_the_number_of_values),
        cmocka_unit_test(limits_the_keys_of_one_map),
        cmocka_unit_test(survives_every_failing_allocation),
        cmocka_unit_test(fills_a_record_of_every_type),
        cmocka_unit_test(absent_and_null_keep_what_is_there),
        cmocka_unit_test(refuses_documents_that_do_not_fit_the_record),
        cmocka_unit_test(an_empty_document_lacks_what_is_required),
        cmocka_unit_test(a_required_key_without_help_has_no_hint),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
