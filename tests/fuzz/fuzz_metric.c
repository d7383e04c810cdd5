/* Any bytes are lines of output, of which some report progress: values stay within their range,
 * and lines that the quick check rejects have no values. And any bytes are a text to redact. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "run/output/early_stop.h"
#include "run/output/metric.h"
#include "run/supervise/redact.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool fact)
{
    if (!fact)
        abort();
}

static bool count_or_none(double value)
{
    return isnan(value) || (isfinite(value) && value >= 0);
}

static void check(const struct metric_update *u)
{
    require(u->style != NULL);
    require(count_or_none(u->step) && count_or_none(u->epoch));
    require(count_or_none(u->rate) && count_or_none(u->left_s));
    require(isnan(u->steps) || u->steps >= 0);
    require(u->named_count >= 0 && u->named_count <= METRIC_USER);
    require(u->has_loss || isnan(u->loss));
    for (int i = 0; i < u->named_count; i++) {
        size_t len = strnlen(u->named[i].name, METRIC_NAME);
        double value;

        require(len > 0 && len < METRIC_NAME);
        require(metric_find(u, str_from(u->named[i].name), &value));
    }
}

static void read_lines(struct str text)
{
    struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    const struct str name = STR("kl");
    struct metric_reader *reader;
    struct progress_watch watch;
    struct divergence_watch loss;
    struct error err;
    char why[STOP_WHY];
    instant now = {0};

    reader = metric_open((struct strs){&name, 1}, &arena, &err);
    require(reader != NULL);
    progress_start(&watch);
    divergence_start(&loss);
    while (text.len > 0) {
        struct str line = str_cut(&text, '\n');
        bool maybe = metric_glance(reader, line);
        struct metric_update u;
        double share, left;

        now.ns += 700000000;
        if (metric_json(reader, line, &u, &err))
            check(&u);
        else
            require(err.kind == ERROR_INPUT && err.text[0] != '\0');
        if (!metric_line(reader, line, &u))
            continue;
        require(maybe);
        check(&u);
        progress_see(&watch, &u, now);
        if (u.has_loss)
            (void)divergence_see(&loss, u.loss, watch.step, why);
        share = progress_share(&watch);
        left = progress_left(&watch, now);
        require(isnan(share) || (share >= 0 && share <= 1));
        require(isnan(left) || left >= 0);
    }
    metric_close(reader);
    arena_free(&arena);
}

/* What is redacted once has nothing left to redact. */
static void take_secrets(struct str text)
{
    struct buf once = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct buf twice = buf_new(&alloc_system, BUF_MAX_OUTPUT);

    redact_text(text, &once);
    redact_text(buf_text(&once), &twice);
    require(once.failed == ERROR_NONE);
    require(twice.len <= once.len);
    buf_free(&once);
    buf_free(&twice);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str text = {(const char *)data, size};
    struct stop_options options;
    struct error err;

    read_lines(text);
    take_secrets(text);
    if (!stop_parse(text, &options, &err))
        require(err.kind == ERROR_USAGE);
    return 0;
}
