#include "job/tool_modules.h"

#include <stdio.h>

#include "base/characters.h"

/* A list of modules with commas, and what they are: each is there once, however many layers of
 * a model a file names. */
struct module_list {
    struct buf text;
    unsigned bits;
    bool (*known)(struct str, unsigned *);
};

/* Add the name if it is that of a module. */
static bool add_module(struct module_list *list, struct str name)
{
    unsigned bits;

    if (!list->known(name, &bits))
        return false;
    if ((bits & ~list->bits) == 0 && buf_text(&list->text).len > 0)
        return true;
    list->bits |= bits;
    if (buf_text(&list->text).len > 0)
        buf_char(&list->text, ',');
    buf_add(&list->text, name);
    return true;
}

/* The alternatives at `open`, "(q|k|v)_proj" or "[qkv]_proj", each with what is before and
 * after them. */
static void add_alternatives(struct module_list *list, struct str text, size_t open)
{
    char close = text.at[open] == '(' ? ')' : ']', name[64];
    size_t from = open, to = open + 1, end;

    while (from > 0 && is_name_character(text.at[from - 1]))
        from--;
    while (to < text.len && text.at[to] != close)
        to++;
    for (end = to + 1; end < text.len && is_name_character(text.at[end]);)
        end++;
    if (to >= text.len || (from == open && end == to + 1))
        return;
    for (struct str rest = {text.at + open + 1, to - open - 1}; rest.len > 0;) {
        struct str one = close == ')' ? str_cut(&rest, '|') : (struct str){rest.at, 1};

        if (close == ']')
            rest = (struct str){rest.at + 1, rest.len - 1};
        if (one.len + (open - from) + (end - to) < sizeof name) {
            (void)snprintf(name, sizeof name, "%.*s%.*s%.*s", (int)(open - from),
                           text.at + from, STR_ARG(one), (int)(end - to - 1), text.at + to + 1);
            (void)add_module(list, str_from(name));
        }
    }
}

/* A regular expression: ".*\\.(q_proj|v_proj)$", ".*(mlp|self_attn)\\.(up|q)_proj". The names
 * of modules in it; those of blocks ("mlp", "attn") only where it has no others. */
static void add_module_pattern(struct module_list *list, struct str text)
{
    static const char *const blocks[] = {"mlp",  "attn",   "attention", "cross-attn",
                                         "ffn",  "linear", "all",       "proj",
                                         "head", "model",  NULL};

    for (size_t i = 0; i < text.len; i++)
        if (text.at[i] == '(' || text.at[i] == '[')
            add_alternatives(list, text, i);
    for (int pass = 0; pass == 0 || (pass == 1 && buf_text(&list->text).len == 0); pass++)
        for (size_t from = 0, to = 0; to < text.len; from = to + 1) {
            struct str word;

            to = from;
            while (to < text.len && is_name_character(text.at[to]))
                to++;
            word = (struct str){text.at + from, to - from};
            if (str_starts(word, STR("self_")))
                word = (struct str){word.at + 5, word.len - 5};
            if (word.len > 0 && (choice_of(blocks, word) >= 0) == (pass == 1))
                (void)add_module(list, word);
        }
}

/* "[q_proj, v_proj]" as "q_proj,v_proj"; a text may be a list, a word for all or a pattern.
 * What is none of these is left open: all linear layers, as without it. */
bool tool_set_modules(struct tool_reading *r, const struct tool_key *k, const struct node *node,
                      bool (*known)(struct str, unsigned *), struct error *err)
{
    struct module_list list = {.text = buf_new(r->arena->alloc, JOB_MAX), .known = known};
    struct str joined;

    if (node->kind == NODE_SCALAR && !tool_is_off(node) && !add_module(&list, node->text))
        add_module_pattern(&list, node->text);
    for (const struct node *item = node->first; item != NULL; item = item->next)
        if (item->kind == NODE_SCALAR && !add_module(&list, item->text))
            (void)add_module(&list, tool_last_part(item->text, "."));
    if (!buf_keep(&list.text, r->arena, &joined, err))
        return false;
    if (joined.len == 0)
        return tool_is_off(node) || tool_add_unused(r, k->path, node, err);
    return tool_set_text(r, node, k->key, joined, err);
}

bool tool_add_target(struct tool_reading *r, const struct node *node, const char *more,
                     struct error *err)
{
    struct buf text = buf_new(r->arena->alloc, JOB_MAX);
    struct str joined;

    buf_add(&text, r->job->train.targets);
    buf_adds(&text, r->job->train.targets.len > 0 ? "," : "");
    buf_adds(&text, more);
    return buf_keep(&text, r->arena, &joined, err) &&
           tool_set_text(r, node, "targets", joined, err);
}
