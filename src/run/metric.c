/* A reader of lines: what is cheap first, then each style in turn. See metric.h. */
#include "run/metric.h"

#include <math.h>
#include <stdio.h>

#include "run/metric_internal.h"

struct metric_reader {
    struct scanner scanner;
    struct line_memory memory;
    struct user_patterns *user;     /* NULL: none */
    struct str wanted[METRIC_USER]; /* names alone */
    char wanted_text[METRIC_USER][METRIC_NAME];
    char clean[METRIC_LINE];
};

/* Names that the user wants: looked for in each line. */
static void want(struct metric_reader *reader, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        (void)snprintf(reader->wanted_text[i], METRIC_NAME, "%.*s", STR_ARG(reader->wanted[i]));
        reader->wanted[i] = str_from(reader->wanted_text[i]);
        scan_add(&reader->scanner, reader->wanted[i]);
    }
    reader->memory.wanted = (struct strs){reader->wanted, count};
}

struct metric_reader *metric_open(struct strs patterns, struct arena *arena, struct error *err)
{
    struct metric_reader *reader = arena_array(arena, struct metric_reader, 1, err);

    if (reader == NULL)
        return NULL;
    scan_prepare(&reader->scanner);
    reader->memory.bar_at = reader->memory.bar_total = NAN;
    reader->memory.epoch = reader->memory.epochs = NAN;
    if (patterns.len > 0) {
        size_t names;

        reader->user = user_open(patterns, arena, reader->wanted, &names, err);
        if (reader->user == NULL)
            return NULL;
        want(reader, names);
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
    return (reader->user != NULL && user_has_patterns(reader->user)) ||
           reader->memory.columns > 0 || scan_may_tell(&reader->scanner, bytes);
}

bool metric_allows(struct metric_allowance *a, instant now)
{
    double passed = (double)(now.ns - a->at.ns) / 1e9;

    if (!a->begun || passed < 0)
        a->lines = METRIC_A_SECOND;
    else
        a->lines = fmin(a->lines + passed * METRIC_A_SECOND, METRIC_A_SECOND);
    a->begun = true;
    a->at = now;
    if (a->lines < 1)
        return false;
    a->lines -= 1;
    return true;
}

static bool read_styles(struct metric_reader *reader, struct str line,
                        struct metric_update *out)
{
    struct line_memory *memory = &reader->memory;

    if (style_table(line, memory, out))
        return true;
    if (!scan_may_tell(&reader->scanner, line))
        return false;
    if (style_dict(line, memory, out))
        return true;
    if (style_bar(line, memory, out))
        return update_says(out);
    if (style_words(line, out))
        return true;
    return style_pairs(line, memory, out);
}

/* A wanted name that the line has as the end of a longer one: "mean_reward" for "reward". */
static void name_wanted(const struct strs *wanted, struct metric_update *out)
{
    for (size_t i = 0; i < wanted->len; i++) {
        double value;
        int found = 0;

        if (metric_find(out, wanted->at[i], &value))
            continue;
        while (found < out->named_count &&
               !key_ends_with(str_from(out->named[found].name), wanted->at[i]))
            found++;
        if (found < out->named_count)
            update_name(out, wanted->at[i].at, out->named[found].value);
    }
}

bool metric_line(struct metric_reader *reader, struct str line, struct metric_update *out)
{
    struct metric_update user;
    bool told;

    if (line.len > METRIC_LINE)
        line.len = METRIC_LINE;
    if (!metric_glance(reader, line))
        return false;
    line = scan_clean(line, reader->clean);
    told = read_styles(reader, line, out);
    if (!told)
        metric_clear(out);
    if (reader->user == NULL)
        return told;
    name_wanted(&reader->memory.wanted, out);
    metric_clear(&user);
    if (!user_read(reader->user, line, &user))
        return told;
    update_merge(&user, out);
    *out = user;
    return true;
}
