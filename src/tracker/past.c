#include "tracker/past.h"

#include <string.h>

#include "base/buf.h"

#define FACTS_MOST (TRACKER_PARAMS + 8)
#define TAGS_MOST (2 * TRACKER_TAGS)
#define TEXT_MOST (4 * (size_t)TRACKER_TEXT)
#define FIRST_YEAR_MS INT64_C(946684800000) /* 2000-01-01: before it a clock was wrong */
#define SLACK_MS 999                        /* times that were cut to seconds */

static bool is_mlflow(const char *tracker)
{
    return strcmp(tracker, "mlflow") == 0;
}

/* ---- times ---- */

const char *tracker_end_of(const struct tracker_run *run, int64_t now_ms,
                           struct tracker_end *out)
{
    *out = (struct tracker_end){.ended_ms = run->ended_ms};
    if (run->started_ms < FIRST_YEAR_MS || run->started_ms > now_ms)
        return "its start is not known";
    if (run->state == TRACKER_RUNNING)
        return "still running: import again when it is over";
    if (out->ended_ms < 0 && run->runtime_ms >= 0)
        out->ended_ms = run->started_ms + run->runtime_ms;
    if (out->ended_ms < 0 && run->heard_ms >= run->started_ms) {
        out->ended_ms = run->heard_ms;
        out->assumed = "its end is not recorded: the last sign of it counts";
    }
    if (out->ended_ms < 0)
        return "its end is not known";
    if (out->ended_ms < run->started_ms)
        return "it ends before it starts";
    return out->ended_ms > now_ms ? "it ends in the future" : NULL;
}

struct tracker_spans tracker_spans_in(struct arena *arena)
{
    return (struct tracker_spans){map_in_arena(arena), arena};
}

bool tracker_spans_add(struct tracker_spans *spans, const struct tracker_run *run,
                       const struct tracker_end *end, struct error *err)
{
    struct tracker_span *times;
    struct map_entry *entry;
    struct str id;

    if (run->id.len == 0)
        return true;
    if (!str_keep(run->id, spans->arena, &id, err))
        return false;
    entry = map_add(&spans->by_id, id, NULL, err);
    times = entry == NULL ? NULL : arena_array(spans->arena, struct tracker_span, 1, err);
    if (times == NULL)
        return false;
    *times = (struct tracker_span){run->started_ms, end->ended_ms};
    entry->value = times;
    return true;
}

const struct tracker_span *tracker_spans_find(const struct tracker_spans *spans, struct str id)
{
    const struct map_entry *entry = map_find(&spans->by_id, id);

    return entry != NULL ? entry->value : NULL;
}

bool tracker_span_holds(const struct tracker_span *outer, struct tracker_span inner)
{
    return outer->started_ms >= 0 && inner.started_ms >= outer->started_ms - SLACK_MS &&
           inner.ended_ms <= outer->ended_ms + SLACK_MS;
}

/* ---- what is kept ---- */

bool tracker_identity(const char *tracker, const struct tracker_run *run, struct str id,
                      struct arena *arena, struct str *out, struct error *err)
{
    struct buf text = buf_new(arena->alloc, TEXT_MOST);

    buf_adds(&text, tracker);
    buf_char(&text, ':');
    if (!is_mlflow(tracker) && id.len != 8 && run->project.len > 0) {
        buf_add(&text, run->project);
        buf_char(&text, '/');
    }
    if (id.len > 0) {
        buf_add(&text, id);
    } else { /* a table without ids */
        buf_add(&text, run->name);
        buf_addf(&text, "@%lld", (long long)(run->started_ms / 1000));
    }
    return buf_keep(&text, arena, out, err);
}

/* Add KEY and value, if there is one. */
static bool add_past_text(const char *key, struct str value, struct arena *arena,
                          struct str *list, size_t *count, struct error *err)
{
    struct buf text = buf_new(arena->alloc, TEXT_MOST);

    if (value.len == 0)
        return true;
    buf_adds(&text, key);
    buf_add(&text, value);
    return buf_keep(&text, arena, &list[(*count)++], err);
}

bool tracker_facts(const char *tracker, const struct tracker_run *run,
                   const struct tracker_end *end, struct arena *arena, struct strs *out,
                   struct error *err)
{
    struct str *facts = arena_array(arena, struct str, FACTS_MOST, err);
    bool is_unknown = run->state == TRACKER_UNKNOWN;
    size_t count = 0;

    if (facts == NULL ||
        !add_past_text(is_mlflow(tracker) ? "mlflow_run=" : "wandb_run=", run->id, arena, facts,
                       &count, err) ||
        !add_past_text("parent=", run->parent, arena, facts, &count, err) ||
        !add_past_text("deleted=", run->deleted ? STR("yes") : (struct str){0}, arena, facts,
                       &count, err) ||
        !add_past_text("state=", is_unknown ? STR("unknown") : (struct str){0}, arena, facts,
                       &count, err) ||
        !add_past_text("end=", end->assumed != NULL ? STR("last sign") : (struct str){0}, arena,
                       facts, &count, err))
        return false;
    for (size_t i = 0; i < run->param_count; i++)
        if (!add_past_text("param.", run->params[i], arena, facts, &count, err))
            return false;
    *out = (struct strs){facts, count};
    return true;
}

static void add_past_tag(struct str *tags, size_t *count, struct str tag)
{
    for (size_t i = 0; i < *count; i++) {
        struct str a = tags[i], b = tag;

        if (str_eq(str_cut(&a, '='), str_cut(&b, '='))) {
            tags[i] = tag;
            return;
        }
    }
    if (*count < TAGS_MOST)
        tags[(*count)++] = tag;
}

bool tracker_tags(const char *tracker, const struct tracker_run *run, struct strs more,
                  struct arena *arena, struct strs *out, struct error *err)
{
    struct str *tags = arena_array(arena, struct str, TAGS_MOST, err);
    size_t count = 0;

    if (tags == NULL || !add_past_text(is_mlflow(tracker) ? "experiment=" : "project=",
                                       run->project, arena, tags, &count, err))
        return false;
    for (size_t i = 0; i < run->tag_count; i++)
        add_past_tag(tags, &count, run->tags[i]);
    for (size_t i = 0; i < more.len; i++)
        add_past_tag(tags, &count, more.at[i]);
    *out = (struct strs){tags, count};
    return true;
}
