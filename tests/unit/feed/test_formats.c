/* Which format a text has, by its start: each its own, and other texts none. */
#include "checks.h"

struct sample {
    const char *path;
    const struct feed_format *format; /* NULL: none */
};

static const struct sample samples[] = {
    {ODDITIES "README.md", NULL},
    {ODDITIES "aws-offers.json", &feed_aws_offers},
    {ODDITIES "aws-products.json", &feed_aws_products},
    {ODDITIES "aws-spot.json", &feed_aws_spot},
    {ODDITIES "aws-spot.xml", &feed_aws_spot_xml},
    {ODDITIES "azure_items.json", &feed_azure},
    {ODDITIES "changes_aws.csv", &feed_changes},
    {ODDITIES "changes_gcp.csv", &feed_changes},
    {ODDITIES "changes_order.csv", &feed_changes},
    {ODDITIES "gcp_skus.json", &feed_gcp},
    {ODDITIES "skypilot_bad.csv", &feed_skypilot},
    {ODDITIES "skypilot_gcp.csv", &feed_skypilot},
    {ODDITIES "skypilot_order.csv", &feed_skypilot},
    {ODDITIES "skypilot_twice.csv", &feed_skypilot},
    {ODDITIES "skypilot_vast.csv", &feed_skypilot},
    {ODDITIES "vast_nulls.json", &feed_vast},
    {SAMPLES "aws_describe_spot_price_history.json", &feed_aws_spot},
    {SAMPLES "aws_describe_spot_price_history.xml", &feed_aws_spot_xml},
    {SAMPLES "aws_get_products.json", &feed_aws_products},
    {SAMPLES "aws_offer_ec2_minimal.json", &feed_aws_offers},
    {SAMPLES "aws_offer_index.json", NULL},
    {SAMPLES "aws_region_index.json", NULL},
    {SAMPLES "azure_retail_prices.json", &feed_azure},
    {SAMPLES "gcp_skus.json", &feed_gcp},
    {SAMPLES "lambda_instance_types.json", &feed_lambda},
    {SAMPLES "runpod_gputypes_request.json", NULL},
    {SAMPLES "runpod_gputypes_response.json", &feed_runpod},
    {SAMPLES "vast_bundles_request.json", NULL},
    {SAMPLES "vast_bundles_response.json", &feed_vast},
};

static const char *name_of(const struct feed_format *format)
{
    return format != NULL ? format->name : "none";
}

static void check_format(const char *what, struct str head, const struct feed_format *expected)
{
    const struct feed_format *got = feed_format_of(head);

    if (got != expected)
        fail_msg("%s is recognized as %s, not %s", what, name_of(got), name_of(expected));
}

/* The text with something before it. */
static struct str after(const char *start, struct str text, struct arena *arena)
{
    struct buf joined = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct error err = {0};
    struct str kept;

    buf_adds(&joined, start);
    buf_add(&joined, text);
    kept = (struct str){str_dup(buf_text(&joined), arena, &err), joined.len};
    assert_non_null(kept.at);
    buf_free(&joined);
    return kept;
}

/* Check each sample; the test is skipped at the end when some of others are not there. */
static void each_sample(void (*check)(const struct sample *sample, struct str text,
                                      struct arena *arena))
{
    struct test_path path;
    size_t missing = 0;

    for (size_t i = 0; i < ARRAY_LEN(samples); i++) {
        struct arena arena = test_arena();
        struct str text;

        if (!file_there(samples[i].path, &path)) {
            missing++;
            continue;
        }
        file_text(samples[i].path, &arena, &text);
        check(&samples[i], text, &arena);
        arena_free(&arena);
    }
    if (missing > 0)
        test_skip("%zu of %zu samples: %s", missing, ARRAY_LEN(samples), path.missing);
}

static void check_own_format(const struct sample *sample, struct str text, struct arena *arena)
{
    check_format(sample->path, text, sample->format);
    /* As others save it; a table of rows starts with its header at once. */
    if (!str_starts(text, STR("\xef\xbb\xbf")))
        check_format(sample->path, after("\xef\xbb\xbf", text, arena), sample->format);
    if (str_starts(text, STR("{")) || str_starts(text, STR("[")))
        check_format(sample->path, after("\r\n\t ", text, arena), sample->format);
}

static void every_sample_has_its_format(void **state)
{
    (void)state;
    each_sample(check_own_format);
}

static void check_starts(const struct sample *sample, struct str text, struct arena *arena)
{
    (void)arena;
    for (size_t len = 0; len < text.len; len += 1 + len / 16) {
        const struct feed_format *got = feed_format_of((struct str){text.at, len});

        /* A header that is cut may be one of ours: it has fewer columns. */
        if (got != NULL && got != sample->format && got != &feed_own)
            fail_msg("%zu bytes of %s are recognized as %s", len, sample->path, got->name);
    }
}

/* However much of the start is there, no other format accepts it. */
static void start_is_never_recognized_as_another_format(void **state)
{
    (void)state;
    each_sample(check_starts);
}

static void other_texts_have_none(void **state)
{
    static const char *const others[] = {
        "",
        " \n\t",
        "\xef\xbb\xbf",
        "{}",
        "[]",
        "{\"data\":[]}",
        "null",
        "<html><body>502 Bad Gateway</body></html>",
        "<?xml version=\"1.0\"?><Response><Errors/></Response>",
        "Tag,Region,OS,OSVersion,ImageId,CreationDate\n",
        "InstanceType,OnDemandInstanceCode,SpotInstanceCode\n",
        "GPU,MemoryGB,Manufacturer\n",
        "date,price\n2026-01-01,3\n",
        "It was a dark and stormy night; the rain fell in torrents.\n",
        "provider: aws\ninstance: g5.xlarge\nprice: 1\n",
        "%PDF-1.7\n",
        "\x1f\x8b\x08",
    };
    char noise[4096];
    uint32_t n = 1;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(others); i++)
        check_format(others[i], str_from(others[i]), NULL);
    for (int round = 0; round < 200; round++) {
        for (size_t i = 0; i < sizeof noise; i++) {
            n = n * 1664525 + 1013904223;
            noise[i] = (char)(n >> 24);
        }
        noise[0] = "{[<\"\n#,a"[round % 8];
        check_format("noise", (struct str){noise, sizeof noise}, NULL);
    }
}

static void every_format_is_found_by_its_name(void **state)
{
    struct error err = {0};

    (void)state;
    for (size_t i = 0; feed_formats[i] != NULL; i++) {
        const struct feed_format *f = feed_formats[i];

        assert_ptr_equal(feed_format_named(str_from(f->name), &err), f);
        assert_true(f->feed[0] != '\0');
        assert_true(f->confidence < CONFIDENCE_COUNT);
        for (size_t other = 0; other < i; other++)
            assert_string_not_equal(f->name, feed_formats[other]->name);
    }
    assert_ptr_equal(feed_format_named(STR("AWS-Offers"), &err), &feed_aws_offers);
}

static void a_wrong_name_gets_a_suggestion(void **state)
{
    struct error err = {0};

    (void)state;
    assert_null(feed_format_named(STR("aws-offer"), &err));
    assert_int_equal(err.kind, ERROR_USAGE);
    assert_string_equal(err.text, "there is no price format 'aws-offer'");
    assert_string_equal(err.hint, "did you mean 'aws-offers'?");
    err = (struct error){0};
    assert_null(feed_format_named(STR("skypilt"), &err));
    assert_string_equal(err.hint, "did you mean 'skypilot'?");
    err = (struct error){0};
    assert_null(feed_format_named(STR("spreadsheet"), &err));
    assert_string_equal(err.hint, "'stint help price import' lists the formats");
    err = (struct error){0};
    assert_null(feed_format_named(STR(""), &err));
    assert_int_equal(err.kind, ERROR_USAGE);
}

int group_formats(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_sample_has_its_format),
        cmocka_unit_test(start_is_never_recognized_as_another_format),
        cmocka_unit_test(other_texts_have_none),
        cmocka_unit_test(every_format_is_found_by_its_name),
        cmocka_unit_test(a_wrong_name_gets_a_suggestion),
    };

    return cmocka_run_group_tests(tests, load_facts, free_facts);
}
