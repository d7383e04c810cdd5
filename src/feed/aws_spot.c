/* aws-spot: what 'aws ec2 describe-spot-price-history --output json' prints. */
#include "feed/aws.h"

#include "doc/xml.h"
#include "unit/time.h"

struct aws_spot {
    struct aws_name instance, zone, zone_id;
    bool is_linux; /* of the system: other systems cost more */
    int64_t price; /* PRICE_UNSAID */
    stamp at;      /* 0 when not given */
    struct error problem;
};

static void aws_spot_start(struct aws_spot *row)
{
    row->instance.len = row->zone.len = row->zone_id.len = 0;
    row->is_linux = false;
    row->price = PRICE_UNSAID;
    row->at = (stamp){0};
    row->problem.kind = ERROR_NONE;
}

static void set_spot_name(struct aws_spot *row, struct aws_name *name, struct str text)
{
    if (!aws_name_set(name, text))
        error_set(&row->problem, ERROR_INPUT, "'%.*s' is longer than %d bytes", STR_ARG(text),
                  AWS_NAME_ROOM);
}

/* A member of the row: InstanceType in JSON, instanceType in XML. */
static void aws_spot_set(struct aws_spot *row, struct str name, struct str text)
{
    if (str_eq_nocase(name, STR("InstanceType"))) {
        set_spot_name(row, &row->instance, text);
    } else if (str_eq_nocase(name, STR("AvailabilityZone"))) {
        set_spot_name(row, &row->zone, text);
    } else if (str_eq_nocase(name, STR("AvailabilityZoneId"))) {
        set_spot_name(row, &row->zone_id, text);
    } else if (str_eq_nocase(name, STR("ProductDescription"))) {
        row->is_linux =
            str_eq(text, STR("Linux/UNIX")) || str_eq(text, STR("Linux/UNIX (Amazon VPC)"));
    } else if (str_eq_nocase(name, STR("SpotPrice"))) {
        if (!quote_price(text, &row->price) || row->price == 0)
            error_set(&row->problem, ERROR_INPUT, "SpotPrice: '%.*s' is not a price",
                      STR_ARG(text));
    } else if (str_eq_nocase(name, STR("Timestamp"))) {
        if (!stamp_parse_offset(text, &row->at))
            error_set(&row->problem, ERROR_INPUT, "Timestamp: '%.*s' is not a moment",
                      STR_ARG(text));
    }
}

/* The row is read: give its quote, count it as ignored, or report why it cannot be used. */
static bool aws_spot_end(struct aws_reader *r, struct aws_spot *row, struct error *err)
{
    const struct machine *offer =
        feed_machine(r->feed->known, STR("aws"), aws_name(&row->instance));
    struct quote q = quote_blank();

    r->feed->summary->rows++;
    /* How many accelerators a machine has is not given here: without the catalog it is not
     * known, and most of those that the catalog lacks have none. */
    if (!row->is_linux || offer == NULL)
        return feed_ignore(r->feed);
    /* An id is the same place for everybody; a name is another one in each account. */
    q.zone = aws_name(row->zone_id.len > 0 ? &row->zone_id : &row->zone);
    q.region = feed_aws_region(q.zone);
    if (q.region.len == 0)
        q.region = feed_aws_region(aws_name(&row->zone));
    if (str_starts(q.region,
                   STR("cn-"))) /* the history does not have it: China is paid in yuan */
        q.currency = (struct currency){"CNY"};
    if (row->problem.kind == ERROR_NONE && row->price == PRICE_UNSAID)
        error_set(&row->problem, ERROR_INPUT, "there is no SpotPrice");
    if (row->problem.kind == ERROR_NONE && q.region.len == 0)
        error_set(&row->problem, ERROR_INPUT, "'%.*s' is not a zone of a known region",
                  STR_ARG(q.zone));
    if (row->problem.kind != ERROR_NONE)
        return aws_bad(r, &row->problem, err);
    q.provider = STR("aws");
    q.instance = aws_name(&row->instance);
    quote_machine(&q, offer);
    q.price[MARKET_SPOT] = row->price;
    q.at = row->at.s > 0 ? row->at : r->feed->date;
    return feed_give(r->feed, 0, &q, err);
}

/* --- JSON: pages, one after the other, or the array of rows by itself --- */

struct spot {
    struct aws_reader reader;
    struct aws_spot row;
    bool has_rows;
};

static bool row_member(void *ctx, const struct json_token *key, struct error *err)
{
    struct spot *s = ctx;
    struct aws_name name; /* the value is read over the key */
    struct str text;

    if (!aws_name_set(&name, key->text))
        return json_skip(s->reader.json, err);
    if (!pull_text(s->reader.json, &text, err))
        return false;
    aws_spot_set(&s->row, aws_name(&name), text);
    return true;
}

static bool spot_item(void *ctx, const struct json_token *first, struct error *err)
{
    struct spot *s = ctx;

    if (first->kind != JSON_OBJECT)
        return error_fail(err, ERROR_INPUT, "line %llu: a row is not an object",
                          (unsigned long long)json_line(s->reader.json));
    aws_spot_start(&s->row);
    return pull_opened(s->reader.json, first, row_member, s, err) &&
           aws_spot_end(&s->reader, &s->row, err);
}

static bool read_spot_member(void *ctx, const struct json_token *key, struct error *err)
{
    struct spot *s = ctx;
    struct buf *next = &s->reader.feed->summary->next;
    struct str text;

    if (str_eq(key->text, STR("SpotPriceHistory"))) {
        s->has_rows = true;
        return pull_array(s->reader.json, "'SpotPriceHistory'", spot_item, s, err);
    }
    if (!str_eq(key->text, STR("NextToken")))
        return json_skip(s->reader.json, err);
    if (!pull_text(s->reader.json, &text, err))
        return false;
    buf_add(next, text);
    return buf_ok(next, err);
}

static bool read_spot_page(struct spot *s, const struct json_token *token, struct error *err)
{
    buf_clear(&s->reader.feed->summary->next); /* of several pages the last one's counts */
    if (token->kind == JSON_OBJECT)
        return pull_opened(s->reader.json, token, read_spot_member, s, err);
    s->has_rows = true;
    if (token->kind == JSON_ARRAY)
        return pull_opened(s->reader.json, token, spot_item, s, err);
    return error_fail(err, ERROR_INPUT, "line %llu: this is neither an object nor an array",
                      (unsigned long long)json_line(s->reader.json));
}

static bool read_spot_file(struct spot *s, struct error *err)
{
    struct json_token token = {.kind = JSON_NULL};

    while (token.kind != JSON_END)
        if (!json_next(s->reader.json, &token, err) ||
            (token.kind != JSON_END && !read_spot_page(s, &token, err)))
            return false;
    return s->has_rows || error_fail(err, ERROR_INPUT, "there is no 'SpotPriceHistory' in it");
}

static bool read_spot(const struct feed_reading *feed, struct error *err)
{
    struct json_options options = {.alloc = feed->alloc, .many = true};
    struct spot s = {.reader = {.feed = feed}};
    bool ok;

    s.reader.json = json_open(feed->source, &options, err);
    ok = s.reader.json != NULL && read_spot_file(&s, err);
    json_close(s.reader.json);
    return ok;
}

const struct feed_format feed_aws_spot = {
    .name = "aws-spot",
    .feed = "aws-spot",
    .provider = "aws",
    .confidence = CONFIDENCE_OFFICIAL,
    .scope = SCOPE_LOG,
    .json = (const char *const[]){"SpotPriceHistory", NULL},
    .json_or = (const char *const[]){"SpotPrice", NULL},
    .read = read_spot,
};

/* ---- aws-spot-xml: what EC2's own interface answers to DescribeSpotPriceHistory ---- */

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

static bool recognize_xml(struct str head)
{
    return str_starts(str_trim(head), STR("<")) && str_has_nocase(head, STR("<" ANSWER));
}

static bool on_spot_start(void *ctx, struct str name, uint64_t line, struct error *err)
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

static bool on_spot_text(void *ctx, struct str text, struct error *err)
{
    struct answer *a = ctx;

    buf_add(&a->text, text);
    return buf_ok(&a->text, err);
}

static bool on_spot_end(void *ctx, struct str name, struct error *err)
{
    struct answer *a = ctx;
    struct buf *next = &a->reader.feed->summary->next;
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

static bool read_spot_answer(const struct feed_reading *feed, struct error *err)
{
    struct answer a = {.reader = {.feed = feed}, .text = buf_new(feed->alloc, XML_MAX_TEXT)};
    struct xml_handler handler = {on_spot_start, on_spot_text, on_spot_end, &a};
    bool ok = xml_read(feed->source, &handler, feed->alloc, err);

    buf_free(&a.text);
    return ok;
}

const struct feed_format feed_aws_spot_xml = {
    .name = "aws-spot-xml",
    .feed = "aws-spot",
    .provider = "aws",
    .confidence = CONFIDENCE_OFFICIAL,
    .scope = SCOPE_LOG,
    .recognize = recognize_xml,
    .read = read_spot_answer,
};
