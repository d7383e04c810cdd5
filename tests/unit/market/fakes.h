/* fakes.h - formats that read a small language of the tests instead of the providers' formats,
 * so that requests are tested apart from parsing.
 *
 *     quote NAME     a machine
 *     next TEXT      where the next page is
 *     published S    the list's own date, in seconds
 *     bad TEXT       a row that cannot be used
 *     damaged        the reader gives up, and repeats this line
 */
#ifndef TESTS_FAKES_H
#define TESTS_FAKES_H

#include "server.h"

#include "market/fetch.h"

static inline bool fake_line(const struct feed_reading *feed, char *line, struct error *err)
{
    struct feed_summary *summary = feed->summary;
    struct quote q = quote_blank();

    if (strncmp(line, "quote ", 6) == 0) {
        summary->rows++;
        q.provider = feed->provider;
        q.region = STR("*");
        q.instance = str_from(line + 6);
        q.at = summary->published.s > 0 ? summary->published : feed->date;
        q.price[MARKET_ON_DEMAND] = 1000000000;
        return feed->sink->quote(feed->sink->ctx, &q, err);
    }
    if (strncmp(line, "next ", 5) == 0)
        buf_adds(&summary->next, line + 5);
    else if (strncmp(line, "published ", 10) == 0)
        summary->published.s = strtoll(line + 10, NULL, 10);
    else if (strncmp(line, "bad ", 4) == 0)
        return feed_refuse(feed, 0, err, "%s", line + 4);
    else if (line[0] != '\0')
        return error_fail(err, ERROR_INPUT, "%s", line);
    return true;
}

static inline bool fake_read(const struct feed_reading *feed, struct error *err)
{
    char text[4096] = "", *state = NULL;
    size_t len = 0;
    ptrdiff_t got;

    while ((got = feed->source.read(feed->source.ctx, text + len, sizeof text - 1 - len, err)) >
           0)
        len += (size_t)got;
    if (got < 0)
        return false;
    for (char *line = strtok_r(text, "\n", &state); line != NULL;
         line = strtok_r(NULL, "\n", &state))
        if (!fake_line(feed, line, err))
            return false;
    return buf_ok(&feed->summary->next, err);
}

#define FAKE(label, says) \
    &(const struct feed_format) \
    { \
        .name = (label), .feed = (label), .scope = (says), .read = fake_read \
    }

static const struct feed_format *const fakes[FORMAT_COUNT] = {
    [FORMAT_AWS_OFFERS] = FAKE("aws-offers", SCOPE_REGIONS),
    [FORMAT_AWS_SPOT] = FAKE("aws-spot-xml", SCOPE_ROWS),
    [FORMAT_AZURE] = FAKE("azure", SCOPE_ROWS),
    [FORMAT_GCP] = FAKE("gcp", SCOPE_ROWS),
    [FORMAT_LAMBDA] = FAKE("lambda", SCOPE_PROVIDER),
    [FORMAT_RUNPOD] = FAKE("runpod", SCOPE_PROVIDER),
    [FORMAT_SKYPILOT] = FAKE("skypilot", SCOPE_PROVIDER),
    [FORMAT_VAST] = FAKE("vast", SCOPE_PROVIDER),
};

#endif
