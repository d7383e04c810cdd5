/* AWS: how spot prices changed, a region at a time, for those with credentials. */
#include <string.h>

#include "base/fs.h"
#include "market/fetch_internal.h"
#include "unit/time.h"

#define MOST_PAGES 5000 /* of 1000 changes each */
#define MOST_TYPES 500
#define BACK (90 * SECONDS_PER_DAY) /* AWS has no older prices */
#define OVERLAP 3600 /* seconds read again, for changes that were published late */

static const char home[] = "https://ec2.{region}.amazonaws.com";

/* The address of EC2 in a region. */
static const char *endpoint(struct fetch *fetch, struct str region, struct error *err)
{
    const char *form = env_get("STINT_URL_AWS_EC2"), *mark;

    if (form == NULL)
        form = home;
    mark = strstr(form, "{region}");
    if (mark == NULL)
        return fetch_text(fetch, err, "%s%s", form, form[strlen(form) - 1] == '/' ? "" : "/");
    return fetch_text(fetch, err, "%.*s%.*s%s/", (int)(mark - form), form, STR_ARG(region),
                      mark + sizeof "{region}" - 1);
}

/* From when on: all that AWS has, or what is new. */
static const char *start_time(struct fetch_list *list, struct error *err)
{
    stamp now = list->fetch->request->now, from = {now.s - BACK};
    struct buf text = buf_new(list->fetch->ctx->alloc, 64);
    const char *start = NULL;

    if (!list->fetch->request->anew && list->since.s - OVERLAP > from.s &&
        list->since.s <= now.s)
        from.s = list->since.s - OVERLAP;
    stamp_write(from, &text);
    if (buf_ok(&text, err))
        start = str_dup(buf_text(&text), &list->fetch->arena, err);
    buf_free(&text);
    return start;
}

/* The fixed parameters and one for each machine with accelerators; the token of a page comes
 * last. */
static struct http_parameter *make_parameters(struct fetch_list *list, size_t *count,
                                              struct error *err)
{
    struct fetch *fetch = list->fetch;
    const char *start = start_time(list, err);
    struct http_parameter fixed[] = {{STR("Action"), STR("DescribeSpotPriceHistory")},
                                     {STR("Version"), STR("2016-11-15")},
                                     {STR("MaxResults"), STR("1000")},
                                     {STR("ProductDescription.1"), STR("Linux/UNIX")},
                                     {STR("StartTime"), str_from(start)}};
    const struct machine *const *machines;
    struct http_parameter *all;
    size_t types;

    feed_machines(fetch->ctx->known, STR("aws"), &machines, &types);
    if (types > MOST_TYPES)
        types = MOST_TYPES;
    all = arena_array(&fetch->arena, struct http_parameter, ARRAY_LEN(fixed) + types + 1, err);
    if (all == NULL || start == NULL)
        return NULL;
    memcpy(all, fixed, sizeof fixed);
    *count = ARRAY_LEN(fixed);
    for (size_t i = 0; i < types; i++) {
        const char *name = fetch_text(fetch, err, "InstanceType.%zu", i + 1);

        if (name == NULL)
            return NULL;
        all[(*count)++] = (struct http_parameter){str_from(name), machines[i]->instance};
    }
    return all;
}

static bool ask(struct fetch_list *list, struct error *err)
{
    struct fetch *fetch = list->fetch;
    const char *region = str_dup(list->feed.part, &fetch->arena, err);
    struct http_aws aws = {.key = fetch->keys.id,
                           .secret = fetch->keys.secret,
                           .token = fetch->keys.token[0] != '\0' ? fetch->keys.token : NULL,
                           .region = region,
                           .service = "ec2"};
    struct http_request request = {.url = list->feed.from, .aws = &aws, .max_body = MAX_PAGE};
    struct http_parameter *parameters = make_parameters(list, &request.parameter_count, err),
                          *last;

    if (region == NULL || parameters == NULL)
        return false;
    request.parameters = parameters;
    last = &parameters[request.parameter_count];
    for (;;) {
        const char *token;

        if (!fetch_page(list, &request, err))
            return false;
        if (list->summary.next.len == 0)
            return true;
        token = fetch_next(list, MOST_PAGES, err);
        if (token == NULL)
            return false;
        *last = (struct http_parameter){STR("NextToken"), str_from(token)};
        request.parameter_count = (size_t)(last - parameters) + 1;
    }
}

bool fetch_aws_spot(struct fetch *fetch, const struct strs *regions, struct error *err)
{
    struct fetch_feed feed = {.format = fetch->ctx->formats->aws_spot, .provider = STR("aws")};

    for (size_t i = 0; i < regions->len; i++) {
        feed.part = regions->at[i];
        feed.from = endpoint(fetch, feed.part, err);
        if (feed.from == NULL || !fetch_list(fetch, &feed, ask, NULL, err))
            return false;
        /* A region may be closed to an account; when the first is, it is the key. */
        if (i == 0 && (fetch->status == 401 || fetch->status == 403))
            break;
    }
    return true;
}
