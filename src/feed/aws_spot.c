/* aws-spot: what 'aws ec2 describe-spot-price-history --output json' prints. */
#include <string.h>

#include "feed/aws_spot.h"

#include "unit/time.h"

void aws_spot_start(struct aws_spot *row)
{
    row->instance.len = row->zone.len = row->zone_id.len = 0;
    row->is_linux = false;
    row->price = PRICE_UNSAID;
    row->at = (stamp){0};
    row->problem.kind = ERROR_NONE;
}

static void set_name(struct aws_spot *row, struct aws_name *name, struct str text)
{
    if (!aws_name_set(name, text))
        error_set(&row->problem, ERROR_INPUT, "'%.*s' is longer than %d bytes", STR_ARG(text),
                  AWS_NAME_ROOM);
}

void aws_spot_set(struct aws_spot *row, struct str name, struct str text)
{
    if (str_eq_nocase(name, STR("InstanceType"))) {
        set_name(row, &row->instance, text);
    } else if (str_eq_nocase(name, STR("AvailabilityZone"))) {
        set_name(row, &row->zone, text);
    } else if (str_eq_nocase(name, STR("AvailabilityZoneId"))) {
        set_name(row, &row->zone_id, text);
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

bool aws_spot_end(struct aws_reader *r, struct aws_spot *row, struct error *err)
{
    const struct machine *offer =
        feed_machine(r->input->known, STR("aws"), aws_name(&row->instance));
    struct quote q = quote_blank();

    r->summary->rows++;
    /* How many accelerators a machine has is not given here: without the catalog it is not
     * known, and most of those that the catalog lacks have none. */
    if (!row->is_linux || offer == NULL) {
        r->summary->ignored++;
        return true;
    }
    /* An id is the same place for everybody; a name is another one in each account. */
    q.zone = aws_name(row->zone_id.len > 0 ? &row->zone_id : &row->zone);
    q.region = feed_aws_region(q.zone);
    if (q.region.len == 0)
        q.region = feed_aws_region(aws_name(&row->zone));
    if (str_starts(q.region,
                   STR("cn-"))) /* the history does not say it: China is paid in yuan */
        memcpy(q.currency, "CNY", sizeof q.currency);
    if (row->problem.kind == ERROR_NONE && row->price == PRICE_UNSAID)
        error_set(&row->problem, ERROR_INPUT, "there is no SpotPrice");
    if (row->problem.kind == ERROR_NONE && q.region.len == 0)
        error_set(&row->problem, ERROR_INPUT, "'%.*s' is no zone of a known region",
                  STR_ARG(q.zone));
    if (row->problem.kind != ERROR_NONE)
        return aws_bad(r, &row->problem, err);
    q.provider = STR("aws");
    q.instance = aws_name(&row->instance);
    q.accelerator = offer->accelerator;
    q.count = (double)offer->count;
    q.vcpus = offer->vcpus;
    q.memory_gib = offer->memory_gib;
    q.price[MARKET_SPOT] = row->price;
    q.at = row->at.s > 0 ? row->at : r->input->date;
    return aws_give_quote(r, &q, err);
}

/* --- JSON: pages, one after the other, or the array of rows by itself --- */

struct spot {
    struct aws_reader reader;
    struct aws_spot row;
    bool has_rows;
};

static bool recognise(struct str head)
{
    return aws_opens(head, "{[") && (str_has_nocase(head, STR("\"SpotPriceHistory\"")) ||
                                     str_has_nocase(head, STR("\"SpotPrice\"")));
}

static enum pull row_member(void *ctx, struct str key, struct error *err)
{
    struct spot *s = ctx;
    struct aws_name name; /* the value is read over the key */
    struct str text;

    if (!aws_name_set(&name, key))
        return json_skip(s->reader.json, err) ? PULL_ON : PULL_FAIL;
    if (!pull_text(s->reader.json, &text, err))
        return PULL_FAIL;
    aws_spot_set(&s->row, aws_name(&name), text);
    return PULL_ON;
}

static enum pull item(void *ctx, const struct json_token *first, struct error *err)
{
    struct spot *s = ctx;

    if (first->kind != JSON_OBJECT) {
        error_set(err, ERROR_INPUT, "line %llu: a row is not an object",
                  (unsigned long long)json_line(s->reader.json));
        return PULL_FAIL;
    }
    aws_spot_start(&s->row);
    return pull_members(s->reader.json, first, row_member, s, err) &&
                   aws_spot_end(&s->reader, &s->row, err)
               ? PULL_ON
               : PULL_FAIL;
}

static enum pull page_member(void *ctx, struct str key, struct error *err)
{
    struct spot *s = ctx;
    struct str text;

    if (str_eq(key, STR("SpotPriceHistory"))) {
        s->has_rows = true;
        return pull_array(s->reader.json, "'SpotPriceHistory'", item, s, err) ? PULL_ON
                                                                              : PULL_FAIL;
    }
    if (!str_eq(key, STR("NextToken")))
        return json_skip(s->reader.json, err) ? PULL_ON : PULL_FAIL;
    if (!pull_text(s->reader.json, &text, err))
        return PULL_FAIL;
    buf_add(&s->reader.summary->next, text);
    return buf_ok(&s->reader.summary->next, err) ? PULL_ON : PULL_FAIL;
}

static bool read_page(struct spot *s, const struct json_token *token, struct error *err)
{
    buf_clear(&s->reader.summary->next); /* of several pages the last one's counts */
    if (token->kind == JSON_OBJECT)
        return pull_members(s->reader.json, token, page_member, s, err);
    s->has_rows = true;
    if (token->kind == JSON_ARRAY)
        return pull_items(s->reader.json, token, item, s, err);
    return error_fail(err, ERROR_INPUT, "line %llu: this is neither an object nor an array",
                      (unsigned long long)json_line(s->reader.json));
}

static bool read_file(struct spot *s, struct error *err)
{
    struct json_token token = {.kind = JSON_NULL};

    while (token.kind != JSON_END)
        if (!json_next(s->reader.json, &token, err) ||
            (token.kind != JSON_END && !read_page(s, &token, err)))
            return false;
    return s->has_rows || error_fail(err, ERROR_INPUT, "there is no 'SpotPriceHistory' in it");
}

static bool read_spot(const struct feed_input *input, const struct feed_sink *sink,
                      struct feed_summary *summary, struct error *err)
{
    struct json_options options = {.alloc = input->alloc, .many = true};
    struct spot s = {.reader = {.input = input, .sink = sink, .summary = summary}};
    bool ok;

    s.reader.json = json_open(input->source, &options, err);
    if (s.reader.json == NULL)
        return false;
    ok = read_file(&s, err) || aws_failed(&s.reader, err);
    json_close(s.reader.json);
    return ok;
}

const struct feed_format feed_aws_spot = {
    .name = "aws-spot",
    .about = "AWS's spot prices: 'aws ec2 describe-spot-price-history --output json'",
    .feed = "aws-spot",
    .provider = "aws",
    .confidence = CONFIDENCE_OFFICIAL,
    .scope = SCOPE_LOG,
    .recognise = recognise,
    .read = read_spot,
};
