/* The user's patterns: see metric.h. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/part.h"
#include "run/output/metric_internal.h"
#include "run/output/regex.h"

struct user_pattern {
    char name[METRIC_NAME];
    enum key key;
    struct regex *regex;
    unsigned strikes;  /* limits reached, less the lines that went well since */
    unsigned skipping; /* lines to leave out */
    bool gave_up, said, matched;
};

#define STRIKES_MOST 12 /* leaves out 4096 lines */

struct user_patterns {
    const struct regex_part *part;
    struct user_pattern at[METRIC_USER];
    size_t len;
};

/* Parts a definition into its name and its pattern, which is empty for a name alone. */
static bool part_definition(struct str text, struct str *name, struct str *pattern,
                            struct error *err)
{
    size_t len = 0;

    while (len < text.len && (is_word(text.at[len]) || text.at[len] == '/'))
        len++;
    *name = (struct str){text.at, len};
    *pattern = text;
    if (len == 0 || len >= METRIC_NAME) {
        error_set(err, ERROR_USAGE, "the metric '%.*s' %s", STR_ARG(text),
                  len == 0 ? "begins with no name" : "has too long a name");
        error_hint(err, "write NAME=/PATTERN/, such as val_acc=/acc: ([0-9.]+)/");
        return false;
    }
    if (len == text.len)
        pattern->len = 0;
    else if (text.len > len + 2 && text.at[len] == '=' && text.at[len + 1] == '/' &&
             text.at[text.len - 1] == '/')
        *pattern = (struct str){text.at + len + 2, text.len - len - 3};
    return true;
}

static bool add_pattern(struct user_patterns *user, struct str name, struct str pattern,
                        const struct alloc *alloc, struct error *err)
{
    struct user_pattern *p = &user->at[user->len];
    char room[KEY_ROOM];

    if (user->part == NULL)
        user->part = part_open("regex", REGEX_PART_VERSION, err);
    if (user->part == NULL)
        return false;
    p->regex = user->part->compile(pattern, alloc, err);
    if (p->regex == NULL)
        return false;
    (void)snprintf(p->name, sizeof p->name, "%.*s", STR_ARG(name));
    p->key = key_read(name, room);
    user->len++;
    return true;
}

struct user_patterns *user_open(struct strs definitions, struct arena *arena, struct str *names,
                                size_t *name_count, struct error *err)
{
    struct user_patterns *user = arena_array(arena, struct user_patterns, 1, err);

    *name_count = 0;
    if (user == NULL)
        return NULL;
    if (definitions.len > METRIC_USER) {
        error_set(err, ERROR_USAGE, "there are more than %d metrics", METRIC_USER);
        return NULL;
    }
    for (size_t i = 0; i < definitions.len; i++) {
        struct str name, pattern;
        bool ok = part_definition(definitions.at[i], &name, &pattern, err);

        if (ok && pattern.len > 0)
            ok = add_pattern(user, name, pattern, arena->alloc, err);
        else if (ok)
            names[(*name_count)++] = name;
        if (!ok) {
            user_close(user);
            return NULL;
        }
    }
    return user;
}

bool user_has_patterns(const struct user_patterns *user)
{
    return user->len > 0;
}

void user_close(struct user_patterns *user)
{
    for (size_t i = 0; i < user->len; i++)
        user->part->free(user->at[i].regex);
    user->len = 0;
}

/* A line on which a limit was reached cost about a millisecond. The more often it happens, the
 * more lines are left out, so that a bad pattern costs little whatever is printed. */
static bool match_line(const struct regex_part *part, struct user_pattern *p, struct str line,
                       struct str *group)
{
    enum regex_result result;

    if (p->skipping > 0) {
        p->skipping--;
        return false;
    }
    result = part->match(p->regex, line, group);
    if (result == REGEX_GAVE_UP) {
        p->gave_up = true;
        p->strikes += p->strikes < STRIKES_MOST;
        p->skipping = (1U << p->strikes) - 1;
    } else if (p->strikes > 0) {
        p->strikes--;
    }
    if (result == REGEX_YES)
        *group = str_trim(*group);
    return result == REGEX_YES;
}

bool user_read(struct user_patterns *user, struct str line, struct metric_update *out)
{
    bool told = false;

    for (size_t i = 0; i < user->len; i++) {
        struct user_pattern *p = &user->at[i];
        struct str group;
        double value;

        if (!match_line(user->part, p, line, &group) || !number_take(&group, &value))
            continue;
        p->matched = true;
        value *= number_take_scale(&group);
        update_name(out, p->name, value);
        if (p->key != KEY_OTHER && p->key != KEY_METRIC)
            update_tell(out, p->key, p->name, value, NAN);
        told = true;
    }
    if (told)
        out->style = "pattern";
    return told;
}

const char *user_trouble(struct user_patterns *user)
{
    for (size_t i = 0; i < user->len; i++) {
        if (user->at[i].gave_up && !user->at[i].said) {
            user->at[i].said = true;
            return user->at[i].name;
        }
    }
    return NULL;
}

size_t user_unmatched(const struct user_patterns *user, const char **names, size_t room)
{
    size_t count = 0;

    for (size_t i = 0; i < user->len && count < room; i++)
        if (!user->at[i].matched)
            names[count++] = user->at[i].name;
    return count;
}
