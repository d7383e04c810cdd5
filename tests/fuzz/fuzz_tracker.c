/* Any bytes as an export of a tracker: an error with a text, or runs whose texts are UTF-8. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "tracker/tracker.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool fact)
{
    if (!fact)
        abort();
}

static void require_text(struct str text)
{
    require(text.len <= TRACKER_TEXT);
    while (text.len > 0) {
        size_t len = str_character(text);

        require(len > 0 && len <= text.len);
        text = (struct str){text.at + len, text.len - len};
    }
}

static bool check_run(void *ctx, const struct tracker_run *run, struct error *err)
{
    (void)ctx;
    (void)err;
    require_text(run->id);
    require_text(run->name);
    require_text(run->user);
    require_text(run->gpu);
    require(run->param_count <= TRACKER_PARAMS && run->metric_count <= TRACKER_METRICS);
    require(run->started_ms >= -1 && run->ended_ms >= -1 && run->gpus >= -1);
    return true;
}

static void see_point(void *ctx, const struct tracker_metric *point)
{
    (void)ctx;
    require(point->at_ms >= -1);
}

static ptrdiff_t read_some(void *ctx, char *to, size_t room, struct error *err)
{
    struct str *left = ctx;
    size_t n = left->len < room ? left->len : room;

    (void)err;
    if (n > 0)
        memcpy(to, left->at, n);
    *left = (struct str){left->at + n, left->len - n};
    return (ptrdiff_t)n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tracker_sink sink = {.run = check_run, .point = see_point};

    for (int reader = 0; reader < 5; reader++) {
        struct str left = {(const char *)data, size};
        struct source source = {read_some, &left};
        struct buf next = buf_new(&alloc_system, 4096);
        struct error err = {0};
        bool ok = reader == 0   ? mlflow_read_runs(source, &alloc_system, &sink, &next, &err)
                  : reader == 1 ? mlflow_read_history(source, &alloc_system, &sink, &next, &err)
                  : reader == 2
                      ? wandb_read_runs(source, &alloc_system, &sink, &err)
                      : tracker_read_table(source, reader == 3, &alloc_system, &sink, &err);

        require(ok || (err.kind != ERROR_NONE && err.text[0] != '\0'));
        buf_free(&next);
    }
    return 0;
}
