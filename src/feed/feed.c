#include "feed/feed.h"

#include <stdarg.h>
#include <string.h>

#include "feed/json_walk.h"
#include "feed/rows.h"

const char *const confidence_names[] = {
    [CONFIDENCE_OFFICIAL] = "official",
    [CONFIDENCE_CATALOG] = "catalog",
    [CONFIDENCE_PRIVATE] = "private",
    [CONFIDENCE_COUNT] = NULL,
};

const struct feed_format *const feed_formats[] = {
    &feed_skypilot,
    &feed_changes,
    &feed_gpuhunt,
    &feed_aws_offers,
    &feed_aws_products,
    &feed_aws_spot,
    &feed_aws_spot_xml,
    &feed_azure,
    &feed_gcp,
    &feed_lambda,
    &feed_runpod,
    &feed_runpod_list,
    &feed_vast,
    &feed_vast_list,
    &feed_own, /* last: it takes many column names */
    NULL,
};

const struct feed_format *feed_format_named(struct str name, struct error *err)
{
    struct suggestion s = {.wanted = name};

    for (size_t i = 0; feed_formats[i] != NULL; i++) {
        if (str_eq_nocase(name, str_from(feed_formats[i]->name)))
            return feed_formats[i];
        suggestion_try(&s, str_from(feed_formats[i]->name));
    }
    error_set(err, ERROR_USAGE, "there is no price format '%.*s'", STR_ARG(name));
    if (!suggestion_hint(&s, err))
        error_hint(err, "'stint help price import' lists the formats");
    return NULL;
}

static bool is_like_format(const struct feed_format *format, struct str head)
{
    if (format->recognize != NULL)
        return format->recognize(head);
    if (format->csv != NULL)
        return rows_header_has(head, format->csv);
    if (format->array && !str_starts(str_trim(head), STR("[")))
        return false;
    return walk_looks_like(head, format->json) ||
           (format->json_or != NULL && walk_looks_like(head, format->json_or));
}

const struct feed_format *feed_format_of(struct str head)
{
    if (str_starts(head, STR("\xef\xbb\xbf")))
        head = (struct str){head.at + 3, head.len - 3};
    for (size_t i = 0; feed_formats[i] != NULL; i++)
        if (is_like_format(feed_formats[i], head))
            return feed_formats[i];
    return NULL;
}

bool feed_failed(const struct feed_reading *feed, struct error *err)
{
    size_t len = strlen(feed->name);

    if (err->kind == ERROR_INPUT &&
        !(strncmp(err->text, feed->name, len) == 0 && err->text[len] == ':'))
        error_place(err, feed->name);
    return false;
}

bool feed_read(const struct feed_format *format, const struct feed_reading *feed,
               struct error *err)
{
    buf_clear(&feed->summary->next);
    return format->read(feed, err) || feed_failed(feed, err);
}

bool feed_ignore(const struct feed_reading *feed)
{
    feed->summary->ignored++;
    return true;
}

bool feed_bad(const struct feed_reading *feed, uint64_t line, struct error *problem,
              struct error *err)
{
    const struct feed_sink *sink = feed->sink;

    if (problem->kind == ERROR_NONE)
        problem->kind = ERROR_INPUT;
    if (line > 0)
        error_context(problem, "%s:%llu", feed->name, (unsigned long long)line);
    else
        error_context(problem, "%s", feed->name);
    if (problem->kind != ERROR_MEMORY && sink->bad != NULL && sink->bad(sink->ctx, problem))
        return true;
    *err = *problem;
    return false;
}

bool feed_refuse(const struct feed_reading *feed, uint64_t line, struct error *err,
                 const char *fmt, ...)
{
    struct error problem = {.kind = ERROR_INPUT};
    va_list args;

    va_start(args, fmt);
    (void)vsnprintf(problem.text, sizeof problem.text, fmt, args);
    va_end(args);
    return feed_bad(feed, line, &problem, err);
}

bool feed_give(const struct feed_reading *feed, uint64_t line, const struct quote *quote,
               struct error *err)
{
    struct error problem = {0};

    if (!quote_good(quote, &problem))
        return feed_bad(feed, line, &problem, err);
    return feed->sink->quote(feed->sink->ctx, quote, err);
}

bool feed_format_unknown(const char *name, struct str head, struct error *err)
{
    error_set(err, ERROR_INPUT, "%s: unknown format of a price list", name);
    if (head.len > 262 && memcmp(head.at + 257, "ustar", 5) == 0)
        error_hint(err, "it is an archive: unpack it with tar, and import the folder");
    else if (str_starts(head, STR("\xff\xfe")) || str_starts(head, STR("\xfe\xff")))
        error_hint(err, "it is UTF-16: save it as UTF-8");
    else if (head.len == 0)
        error_hint(err, "it is empty");
    else
        error_hint(err, "name its format with --format; 'stint help price import' lists the "
                        "formats");
    return false;
}
