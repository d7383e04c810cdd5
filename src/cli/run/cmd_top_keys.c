/* What keys mean, and what they do. */
#include <stdio.h>
#include <string.h>

#include "cli/run/cmd_top.h"

const char *const top_sorts[] = {"cost", "rate", "time", "name"};
#define SORTS 4

static enum top_key plain_top_key(char c)
{
    static const struct {
        char c;
        enum top_key key;
    } keys[] = {{'k', TOP_UP},     {'j', TOP_DOWN},   {'g', TOP_FIRST},   {'G', TOP_LAST},
                {'\r', TOP_ENTER}, {'\n', TOP_ENTER}, {'\177', TOP_BACK}, {'\b', TOP_BACK},
                {'q', TOP_QUIT},   {'Q', TOP_QUIT},   {'s', TOP_SORT},    {'x', TOP_STOP},
                {'y', TOP_YES},    {'Y', TOP_YES}};

    for (size_t i = 0; i < ARRAY_LEN(keys); i++)
        if (keys[i].c == c)
            return keys[i].key;
    return TOP_OTHER;
}

/* The sequences of keys that have no character, after the escape. */
static enum top_key escape_key(struct str rest, size_t *used)
{
    static const struct {
        const char *text;
        enum top_key key;
    } keys[] = {{"[A", TOP_UP},    {"OA", TOP_UP},       {"[B", TOP_DOWN},
                {"OB", TOP_DOWN},  {"[5~", TOP_PAGE_UP}, {"[6~", TOP_PAGE_DOWN},
                {"[H", TOP_FIRST}, {"OH", TOP_FIRST},    {"[1~", TOP_FIRST},
                {"[F", TOP_LAST},  {"OF", TOP_LAST},     {"[4~", TOP_LAST},
                {"OM", TOP_ENTER}};

    for (size_t i = 0; i < ARRAY_LEN(keys); i++)
        if (str_starts(rest, str_from(keys[i].text))) {
            *used = strlen(keys[i].text);
            return keys[i].key;
        }
    *used = 0;
    if (rest.len == 0 || (rest.at[0] != '[' && rest.at[0] != 'O'))
        return TOP_BACK;                       /* the key itself */
    for (*used = 1; *used < rest.len; ++*used) /* some other key: to the end of its sequence */
        if (rest.at[*used] >= '@' && rest.at[*used] <= '~')
            break;
    *used += *used < rest.len;
    return TOP_OTHER;
}

enum top_key top_key_take(struct str *bytes)
{
    char c = bytes->at[0];
    size_t used = 0;
    enum top_key key;

    bytes->at++;
    bytes->len--;
    if (c != '\033')
        return plain_top_key(c);
    key = escape_key(*bytes, &used);
    bytes->at += used;
    bytes->len -= used;
    return key;
}

/* Its place in the list; 0 when it is no longer there. */
static size_t selected_place(const struct top_view *view, const struct top_result *now)
{
    const struct live_run *runs = now->runs.at;

    for (size_t i = 0; i < now->runs.len; i++)
        if (strcmp(runs[i].run.start.id, view->selected) == 0)
            return i;
    return 0;
}

const struct live_run *top_selected(const struct top_view *view, const struct top_result *now)
{
    const struct live_run *runs = now->runs.at;

    return now->runs.len > 0 ? &runs[selected_place(view, now)] : NULL;
}

static void select_run(struct top_view *view, const struct top_result *now, long by)
{
    const struct live_run *runs = now->runs.at;
    long place, last = (long)now->runs.len - 1;

    if (last < 0)
        return;
    place = (long)selected_place(view, now) + by;
    place = place < 0 ? 0 : place > last ? last : place;
    (void)snprintf(view->selected, sizeof view->selected, "%s", runs[place].run.start.id);
}

static enum top_wish confirm_stop(struct top_view *view, const struct top_result *now,
                                  enum top_key key)
{
    view->confirm = false;
    if (key == TOP_YES && top_selected(view, now) != NULL)
        return WISH_STOP;
    (void)snprintf(view->message, sizeof view->message, "it keeps running");
    return WISH_NOTHING;
}

static enum top_wish ask_to_stop(struct top_view *view, const struct top_result *now)
{
    const struct live_run *run = top_selected(view, now);

    if (run != NULL && run->pid < 0)
        (void)snprintf(view->message, sizeof view->message, "it runs on %.*s: stop it there",
                       STR_ARG(run->host));
    view->confirm = run != NULL && run->pid >= 0;
    if (run != NULL) /* the question stays about this one when the list changes */
        select_run(view, now, 0);
    return WISH_NOTHING;
}

enum top_wish top_press(struct top_view *view, const struct top_result *now, enum top_key key)
{
    long page = view->rows > 8 ? view->rows - 6 : 1;

    view->message[0] = '\0';
    if (view->confirm)
        return confirm_stop(view, now, key);
    switch (key) {
    case TOP_QUIT:
        return WISH_QUIT;
    case TOP_SORT:
        view->sort = (view->sort + 1) % SORTS;
        return WISH_FACTS;
    case TOP_STOP:
        return ask_to_stop(view, now);
    case TOP_ENTER:
        select_run(view, now, 0);
        view->details = !view->details && now->runs.len > 0;
        return WISH_FACTS;
    case TOP_BACK:
        view->details = false;
        return WISH_NOTHING;
    case TOP_UP:
    case TOP_DOWN:
        select_run(view, now, key == TOP_UP ? -1 : 1);
        break;
    case TOP_PAGE_UP:
    case TOP_PAGE_DOWN:
        select_run(view, now, key == TOP_PAGE_UP ? -page : page);
        break;
    case TOP_FIRST:
    case TOP_LAST:
        select_run(view, now, key == TOP_FIRST ? -(long)now->runs.len : (long)now->runs.len);
        break;
    case TOP_OTHER:
    case TOP_YES:
        break;
    }
    return view->details ? WISH_FACTS : WISH_NOTHING;
}
