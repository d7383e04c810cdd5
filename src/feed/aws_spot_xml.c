/* aws-spot-xml: what EC2's own interface answers to DescribeSpotPriceHistory. */
#include "doc/xml.h"
#include "feed/aws_spot.h"

/* <DescribeSpotPriceHistoryResponse><spotPriceHistorySet><item><instanceType>: how deep each
 * is. */
enum level { LEVEL_ANSWER = 1, LEVEL_SET, LEVEL_ITEM, LEVEL_VALUE };

#define ANSWER "DescribeSpotPriceHistoryResponse"

struct answer {
    struct aws_reader reader;
    struct aws_spot row;
    struct buf text; /* of the innermost element */
    int depth;
    bool in_set, in_item;
};

static bool recognise(struct str head)
{
    return aws_opens(head, "<") && str_has_nocase(head, STR("<" ANSWER));
}

static bool on_start(void *ctx, struct str name, uint64_t line, struct error *err)
{
    struct answer *a = ctx;

    a->depth++;
    buf_clear(&a->text);
    if (a->depth == LEVEL_ANSWER && !str_eq(name, STR(ANSWER)))
        return error_fail(err, ERROR_INPUT, "line %llu: <%.*s> is not a <%s>",
                          (unsigned long long)line, STR_ARG(name), ANSWER);
    if (a->depth == LEVEL_SET)
        a->in_set = str_eq(name, STR("spotPriceHistorySet"));
    if (a->depth == LEVEL_ITEM) {
        a->in_item = a->in_set && str_eq(name, STR("item"));
        a->reader.line = line;
        aws_spot_start(&a->row);
    }
    return true;
}

static bool on_text(void *ctx, struct str text, struct error *err)
{
    struct answer *a = ctx;

    buf_add(&a->text, text);
    return buf_ok(&a->text, err);
}

static bool on_end(void *ctx, struct str name, struct error *err)
{
    struct answer *a = ctx;
    struct buf *next = &a->reader.summary->next;
    int depth = a->depth--;
    bool ok = true;

    if (depth == LEVEL_VALUE && a->in_item)
        aws_spot_set(&a->row, name, buf_text(&a->text));
    if (depth == LEVEL_ITEM && a->in_item) {
        a->in_item = false;
        ok = aws_spot_end(&a->reader, &a->row, err);
    }
    if (depth == LEVEL_SET && str_eq(name, STR("nextToken"))) {
        buf_add(next, buf_text(&a->text));
        ok = buf_ok(next, err);
    }
    buf_clear(&a->text);
    return ok;
}

static bool read_answer(const struct feed_input *input, const struct feed_sink *sink,
                        struct feed_summary *summary, struct error *err)
{
    struct answer a = {.reader = {.input = input, .sink = sink, .summary = summary}};
    struct xml_handler handler = {on_start, on_text, on_end, &a};
    bool ok;

    a.text = buf_new(input->alloc, XML_MAX_TEXT);
    buf_clear(&summary->next);
    ok = xml_read(input->source, &handler, input->alloc, err) || aws_failed(&a.reader, err);
    buf_free(&a.text);
    return ok;
}

const struct feed_format feed_aws_spot_xml = {
    .name = "aws-spot-xml",
    .about = "AWS's spot prices as EC2 itself answers, in XML",
    .feed = "aws-spot",
    .provider = "aws",
    .confidence = CONFIDENCE_OFFICIAL,
    .scope = SCOPE_LOG,
    .recognise = recognise,
    .read = read_answer,
};
