#include "feed/feed.h"

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

const struct feed_format *feed_format_of(struct str head)
{
    if (str_starts(head, STR("\xef\xbb\xbf")))
        head = (struct str){head.at + 3, head.len - 3};
    for (size_t i = 0; feed_formats[i] != NULL; i++)
        if (feed_formats[i]->recognize(head))
            return feed_formats[i];
    return NULL;
}

bool feed_bad(const struct feed_input *input, const struct feed_sink *sink, uint64_t line,
              struct error *problem, struct error *err)
{
    if (problem->kind == ERROR_NONE)
        problem->kind = ERROR_INPUT;
    if (line > 0)
        error_context(problem, "%s:%llu", input->name, (unsigned long long)line);
    else
        error_context(problem, "%s", input->name);
    if (problem->kind != ERROR_MEMORY && sink->bad != NULL && sink->bad(sink->ctx, problem))
        return true;
    *err = *problem;
    return false;
}

struct str feed_provider(struct str name)
{
    static const char *const names[][2] = {{"lambdalabs", "lambda"},
                                           {"vastai", "vast"},
                                           {"datacrunch", "verda"},
                                           {"digitalocean", "do"}};

    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (str_eq_nocase(name, str_from(names[i][0])))
            return str_from(names[i][1]);
    return name;
}

bool feed_give(const struct feed_input *input, const struct feed_sink *sink, uint64_t line,
               const struct quote *quote, struct error *err)
{
    struct error problem = {0};

    if (!quote_good(quote, &problem))
        return feed_bad(input, sink, line, &problem, err);
    return sink->quote(sink->ctx, quote, err);
}
