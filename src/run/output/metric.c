/* A reader of lines: what is cheap first, then each style in turn. See metric.h. */
#include "run/output/metric.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "run/output/metric_internal.h"

struct metric_reader {
    struct scanner scanner;
    struct line_memory memory;
    struct user_patterns *user;     /* NULL: none */
    struct str wanted[METRIC_USER]; /* names alone */
    char wanted_text[METRIC_USER][METRIC_NAME];
    bool wanted_seen[METRIC_USER];
    char seen[METRIC_SEEN][METRIC_NAME]; /* names that lines told, the first of them */
    size_t seen_count;
    long updates;
    double last_step; /* NaN: none yet */
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
    reader->last_step = NAN;
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

static void remember(struct metric_reader *reader, const char *name)
{
    size_t i = 0;

    while (i < reader->seen_count && strcmp(reader->seen[i], name) != 0)
        i++;
    if (i == METRIC_SEEN || i < reader->seen_count)
        return;
    (void)snprintf(reader->seen[i], METRIC_NAME, "%s", name);
    reader->seen_count++;
}

/* "--1/9" is no count of steps. */
static void drop_negative(double *value)
{
    if (*value < 0)
        *value = NAN;
}

void reader_settle(struct metric_reader *reader, struct metric_update *out)
{
    bool counts;
    double value;

    drop_negative(&out->step);
    drop_negative(&out->epoch);
    counts = !isnan(out->step) || !isnan(out->epoch);
    /* Many programs repeat the last val_loss in each line of training. */
    if ((out->told_loss && counts) || (!isnan(out->step) && !(out->step <= reader->last_step)))
        out->evaluated = false;
    if (!isnan(out->step))
        reader->last_step = out->step;
    reader->updates++;
    for (int i = 0; i < out->named_count; i++)
        remember(reader, out->named[i].name);
    for (size_t i = 0; i < reader->memory.wanted.len; i++)
        reader->wanted_seen[i] =
            reader->wanted_seen[i] || metric_find(out, reader->wanted[i], &value);
}

long metric_updates(const struct metric_reader *reader)
{
    return reader->updates;
}

bool metric_missing(const struct metric_reader *reader, struct str name)
{
    for (size_t i = 0; i < reader->memory.wanted.len; i++)
        if (!reader->wanted_seen[i] && str_eq(reader->wanted[i], name))
            return true;
    return false;
}

size_t metric_unmatched(const struct metric_reader *reader,
                        const char *names[static METRIC_USER])
{
    return reader->user != NULL ? user_unmatched(reader->user, names, METRIC_USER) : 0;
}

void metric_seen(const struct metric_reader *reader, struct buf *out)
{
    for (size_t i = 0; i < reader->seen_count; i++)
        buf_addf(out, "%s%s", i > 0 ? ", " : "", reader->seen[i]);
    if (reader->seen_count == METRIC_SEEN)
        buf_adds(out, ", ...");
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
    if (reader->user != NULL) {
        name_wanted(&reader->memory.wanted, out);
        metric_clear(&user);
        if (user_read(reader->user, line, &user)) {
            update_merge(&user, out);
            *out = user;
            told = true;
        }
    }
    if (told)
        reader_settle(reader, out);
    return told;
}
