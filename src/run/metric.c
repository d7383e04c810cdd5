/* A reader of lines: what is cheap first, then each style in turn. See metric.h. */
#include "run/metric.h"

#include <math.h>

#include "run/metric_internal.h"

struct metric_reader {
    struct scanner scanner;
    struct line_memory memory;
    struct user_patterns *user; /* NULL: none */
    char clean[METRIC_LINE];
};

struct metric_reader *metric_open(struct strs patterns, struct arena *arena, struct error *err)
{
    struct metric_reader *reader = arena_array(arena, struct metric_reader, 1, err);

    if (reader == NULL)
        return NULL;
    scan_prepare(&reader->scanner);
    reader->memory.bar_at = reader->memory.bar_total = NAN;
    reader->memory.epoch = reader->memory.epochs = NAN;
    if (patterns.len > 0) {
        reader->user = user_open(patterns, arena, err);
        if (reader->user == NULL)
            return NULL;
    }
    return reader;
}

void metric_close(struct metric_reader *reader)
{
    if (reader != NULL && reader->user != NULL)
        user_close(reader->user);
}

const char *metric_trouble(struct metric_reader *reader)
{
    return reader->user != NULL ? user_trouble(reader->user) : NULL;
}

bool metric_glance(const struct metric_reader *reader, struct str bytes)
{
    return reader->user != NULL || reader->memory.columns > 0 ||
           scan_may_tell(&reader->scanner, bytes);
}

static bool read_styles(struct metric_reader *reader, struct str line,
                        struct metric_update *out)
{
    struct line_memory *memory = &reader->memory;
    bool maybe = scan_may_tell(&reader->scanner, line);

    if (memory->columns > 0 || maybe) {
        if (style_table(line, memory, out))
            return true;
    }
    if (!maybe)
        return false;
    if (style_dict(line, memory, out))
        return true;
    if (style_bar(line, memory, out))
        return update_says(out);
    if (style_words(line, out))
        return true;
    return style_pairs(line, memory, out);
}

bool metric_line(struct metric_reader *reader, struct str line, struct metric_update *out)
{
    struct metric_update user;
    bool told;

    if (line.len > METRIC_LINE)
        line.len = METRIC_LINE;
    update_clear(out);
    if (!metric_glance(reader, line))
        return false;
    line = scan_clean(line, reader->clean);
    told = read_styles(reader, line, out);
    if (!told)
        update_clear(out);
    if (reader->user == NULL)
        return told;
    update_clear(&user);
    if (!user_read(reader->user, line, &user))
        return told;
    update_merge(&user, out);
    *out = user;
    return true;
}
