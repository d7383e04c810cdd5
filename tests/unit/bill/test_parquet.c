#include "clouds.h"

#include <unistd.h>

#include "bill/focus/parquet.h"

/* A folder with a file in it; and where the library of the tests is. */
struct stage {
    char folder[64], path[128], asked[128];
};

static void stage_open(struct stage *s, const char *content)
{
    char library[1000];
    struct error err = {0};

    (void)snprintf(s->folder, sizeof s->folder, "/tmp/stint-parquet-XXXXXX");
    assert_non_null(mkdtemp(s->folder));
    (void)snprintf(s->path, sizeof s->path, "%s/it's.parquet", s->folder);
    (void)snprintf(s->asked, sizeof s->asked, "%s/asked", s->folder);
    assert_true(fs_replace(s->path, str_from(content), &err));
    (void)snprintf(library, sizeof library, "%s/../tests/fake_duckdb.so",
                   env_get("STINT_PARTS"));
    assert_int_equal(setenv("STINT_DUCKDB", library, 1), 0);
    assert_int_equal(setenv("FAKE_DUCKDB_SQL", s->asked, 1), 0);
}

static void stage_close(struct stage *s)
{
    (void)unlink(s->path);
    (void)unlink(s->asked);
    (void)rmdir(s->folder);
}

/* All that the file gives, in reads of `size` bytes; the error's text when it fails. */
static struct str all_of(struct parquet *parquet, size_t size, struct buf *out,
                         struct error *err)
{
    struct source source = parquet_source(parquet);
    char piece[64];
    ptrdiff_t got;

    while ((got = source.read(source.ctx, piece, size, err)) > 0)
        buf_add(out, (struct str){piece, (size_t)got});
    return got < 0 ? str_from(err->text) : buf_text(out);
}

#define FILE_TEXT \
    "PAR1\n" \
    "name:17\tservice:25:id,description\tat:12\tlabels:24\tcost:19\n" \
    "a,\"b\"\tx\tCompute Engine of length\t2026-05-01T00:00:00Z\t[]\t1.50\n" \
    "\\N\t\\N\t\\N\t\\N\t\\N\t\\N\n" \
    "c\tx\ty\tz\tl\t2\n" \
    "d\tx\ty\tz\tl\t3\n"

static void rows_come_as_csv(void **state)
{
    static const char expected[] = "name,service.id,service.description,at,labels,cost\n"
                                   "\"a,\"\"b\"\"\",x,Compute Engine of length,"
                                   "2026-05-01T00:00:00Z,[],1.50\n"
                                   ",,,,,\n"
                                   "c,x,y,z,l,2\n"
                                   "d,x,y,z,l,3\n";
    static const size_t sizes[] = {1, 7, 64};
    struct stage s;

    (void)state;
    stage_open(&s, FILE_TEXT);
    for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
        struct error err = {0};
        struct buf out = buf_new(&alloc_system, 10000);
        struct parquet *parquet = parquet_open(s.path, &alloc_system, &err);

        if (parquet == NULL)
            fail_msg("%s", err.text);
        assert_str_equal(all_of(parquet, sizes[i], &out, &err), expected);
        parquet_close(parquet);
        buf_free(&out);
    }
    stage_close(&s);
}

static void query_asks_for_texts(void **state)
{
    struct arena arena = test_arena();
    struct error err = {0};
    struct parquet *parquet;
    struct str asked;
    struct stage s;
    char expected[1000];

    (void)state;
    stage_open(&s, "PAR1\na\"b:17\tt:31\ts:25:it's\tm:26\n");
    parquet = parquet_open(s.path, &alloc_system, &err);
    assert_non_null(parquet);
    assert_true(fs_read(s.asked, 10000, &arena, &asked, &err));
    (void)snprintf(expected, sizeof expected,
                   "SELECT CAST(\"a\"\"b\" AS VARCHAR), "
                   "strftime(make_timestamp(epoch_us(\"t\")), '%%Y-%%m-%%dT%%H:%%M:%%SZ'), "
                   "CAST(struct_extract(\"s\", 'it''s') AS VARCHAR), "
                   "CAST(to_json(\"m\") AS VARCHAR) FROM read_parquet('%s/it''s.parquet', "
                   "binary_as_string=true)",
                   s.folder);
    assert_str_equal(asked, expected);
    parquet_close(parquet);
    arena_free(&arena);
    stage_close(&s);
}

static void a_bill_is_read_through_it(void **state)
{
    struct error err = {0};
    struct bill_options options = {.alloc = &alloc_system, .format = BILL_FORMATS};
    struct parquet *parquet;
    struct bill_line line;
    struct bill *bill;
    struct stage s;

    (void)state;
    stage_open(&s,
               "PAR1\n"
               "billing_account_id:17\tservice:25:id,description\tsku:25:id,description\t"
               "usage_start_time:31\tcost:19\tcurrency:17\tcredits:24\tinvoice:25:month\n"
               "01-2\tS\tCompute Engine\tK\tN2 Core\t2026-05-01T10:00:00Z\t0.123456789012345678"
               "\tUSD\t[{\"amount\":-0.1}]\t202605\n");
    parquet = parquet_open(s.path, &alloc_system, &err);
    assert_non_null(parquet);
    bill = bill_open(parquet_source(parquet), &options, &err);
    if (bill == NULL || !bill_next(bill, &line, &err))
        fail_msg("%s", err.text);
    assert_decimal(line.billed, "0.023456789012345678");
    assert_str_equal(line.of[FOCUS_ServiceName], "Compute Engine");
    assert_false(bill_next(bill, &line, &err));
    assert_false(bill_failed(bill));
    bill_close(bill);
    parquet_close(parquet);
    stage_close(&s);
}

static void failures_are_reported(void **state)
{
    struct error err = {0};
    struct buf out = buf_new(&alloc_system, 10000);
    struct parquet *parquet;
    struct stage s;
    char expected[300];

    (void)state;
    stage_open(&s, "no parquet");
    assert_null(parquet_open(s.path, &alloc_system, &err));
    (void)snprintf(expected, sizeof expected,
                   "%s: DuckDB cannot read it: Invalid Input Error: No magic bytes found",
                   s.path);
    assert_string_equal(err.text, expected);
    assert_int_equal(err.kind, ERROR_INPUT);
    stage_close(&s);
    stage_open(&s, "PAR1\na:17\nx\ny\nz\nw\n!a damaged page\n");
    parquet = parquet_open(s.path, &alloc_system, &err);
    assert_non_null(parquet);
    (void)snprintf(expected, sizeof expected, "%s: DuckDB cannot read it: a damaged page",
                   s.path);
    assert_str_equal(all_of(parquet, 64, &out, &err), expected);
    parquet_close(parquet);
    buf_free(&out);
    assert_int_equal(setenv("FAKE_DUCKDB_DEAD", "1", 1), 0);
    assert_null(parquet_open(s.path, &alloc_system, &err));
    assert_string_equal(err.text, "DuckDB's library does not start");
    assert_int_equal(unsetenv("FAKE_DUCKDB_DEAD"), 0);
    stage_close(&s);
}

static void missing_library_has_a_hint(void **state)
{
    struct error err = {0};

    (void)state;
    assert_int_equal(setenv("STINT_DUCKDB", "/nonexistent/libduckdb.so", 1), 0);
    assert_null(parquet_open("cur.parquet", &alloc_system, &err));
    assert_int_equal(err.kind, ERROR_ABSENT);
    assert_string_equal(err.text, "cur.parquet is Parquet: cannot open DuckDB's library "
                                  "'/nonexistent/libduckdb.so'");
    assert_string_equal(err.hint,
                        "install libduckdb.so (or set its path in STINT_DUCKDB), or convert: "
                        "duckdb -c \"COPY (FROM 'cur.parquet') TO 'cur.parquet.csv'\"");
    /* Some other library. */
    assert_int_equal(setenv("STINT_DUCKDB", "libc.so.6", 1), 0);
    assert_null(parquet_open("cur.parquet", &alloc_system, &err));
    assert_non_null(strstr(err.text, "DuckDB's library has no duckdb_open"));
}

static void memory_may_run_out(void **state)
{
    struct stage s;
    size_t allow;
    bool done = false;

    (void)state;
    stage_open(&s, FILE_TEXT);
    for (allow = 0; allow < 200 && !done; allow++) {
        struct failing_alloc failing = {.allow = allow};
        struct alloc alloc = {failing_get, failing_put, &failing};
        struct error err = {0};
        struct parquet *parquet = parquet_open(s.path, &alloc, &err);
        struct buf out = buf_new(&alloc_system, 10000);

        if (parquet != NULL) {
            (void)all_of(parquet, 64, &out, &err);
            done = err.kind == ERROR_NONE;
            parquet_close(parquet);
        }
        if (!done)
            assert_int_equal(err.kind, ERROR_MEMORY);
        assert_int_equal(failing.held, 0);
        buf_free(&out);
    }
    assert_in_range(allow, 5, 199);
    stage_close(&s);
}

static void files_are_known_by_their_first_bytes(void **state)
{
    (void)state;
    assert_true(parquet_is(STR("PAR1\x15\x04")));
    assert_false(parquet_is(STR("PAR")));
    assert_false(parquet_is(STR("a,b\n")));
}

int group_parquet(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_come_as_csv),
        cmocka_unit_test(query_asks_for_texts),
        cmocka_unit_test(a_bill_is_read_through_it),
        cmocka_unit_test(failures_are_reported),
        cmocka_unit_test(missing_library_has_a_hint),
        cmocka_unit_test(memory_may_run_out),
        cmocka_unit_test(files_are_known_by_their_first_bytes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
