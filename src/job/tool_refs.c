#include "job/tool_refs.h"

#include <stdio.h>
#include <string.h>

#include "job/keys.h"

#define PATH_ROOM 200
#define TEXT_MOST 400   /* bytes of a value; longer ones stay references */
#define HOPS_MOST 8     /* references of references */
#define LOOKS_MOST 2000 /* in one document */

struct references {
    struct tool_reading *r;
    const struct node *root;
    int looks;
};

/* The next "${...}" of the text: what is before it, what is in it, and the rest. */
static bool cut_reference(struct str *text, struct str *before, struct str *inside)
{
    const struct str open = STR("${");
    const char *at = text->len > 0 ? memmem(text->at, text->len, open.at, open.len) : NULL;
    const char *end = text->at + text->len;
    const char *close = at != NULL ? memchr(at, '}', (size_t)(end - at)) : NULL;

    if (close == NULL)
        return false;
    *before = (struct str){text->at, (size_t)(at - text->at)};
    at += open.len;
    *inside = (struct str){at, (size_t)(close - at)};
    *text = (struct str){close + 1, (size_t)(end - close - 1)};
    return true;
}

/* Without the last part: "model" of "model.name". */
static size_t parent_length(const char *path, size_t len)
{
    while (len > 0 && path[len - 1] != '.')
        len--;
    return len > 0 ? len - 1 : 0;
}

/* The path that "${name}" means in a section: ".name" is beside it, "..name" one level up. */
static void absolute_path(const char *section, struct str name, char path[PATH_ROOM])
{
    size_t dots = 0, len = strlen(section);

    while (dots < name.len && name.at[dots] == '.')
        dots++;
    if (dots == 0)
        len = 0;
    for (size_t i = 1; i < dots; i++)
        len = parent_length(section, len);
    (void)snprintf(path, PATH_ROOM, "%.*s%s%.*s", (int)len, section, len > 0 ? "." : "",
                   (int)(name.len - dots), name.at + dots);
}

/* "oc.select:model.name,gpt2": the name, and the value where there is no such key. */
static struct str reference_name(struct str inside, struct str *otherwise)
{
    struct str rest = inside, name;

    *otherwise = (struct str){0};
    if (!str_starts(inside, STR("oc.select:")))
        return str_trim(inside);
    (void)str_cut(&rest, ':');
    name = str_trim(str_cut(&rest, ','));
    *otherwise = str_trim(rest);
    return name;
}

static void note_referred(struct references *refs, const char *path)
{
    struct str rest = str_from(path);
    const struct node *section = node_get(refs->root, str_cut(&rest, '.'));
    struct tool_reading *r = refs->r;

    if (section != NULL && r->referred_count < TOOL_REFERRED_MAX &&
        !tool_is_referred(r, section->key))
        r->referred[r->referred_count++] = section->key;
}

static const struct node *find_referred(struct references *refs, const char *section,
                                        struct str name, char path[PATH_ROOM])
{
    const struct node *found;

    if (name.len == 0 || name.len > PATH_ROOM / 2 || refs->looks >= LOOKS_MOST ||
        memchr(name.at, ':', name.len) != NULL)
        return NULL;
    refs->looks++;
    absolute_path(section, name, path);
    found = node_at(refs->root, path);
    if (found != NULL)
        note_referred(refs, path);
    return found;
}

/* The text with what its references mean. False where one of them cannot be replaced. */
static bool expand_references(struct references *refs, const char *section, struct str text,
                              int hops, struct buf *out)
{
    struct str before, inside, otherwise;
    char path[PATH_ROOM];

    while (cut_reference(&text, &before, &inside)) {
        struct str name = reference_name(inside, &otherwise);
        const struct node *found = find_referred(refs, section, name, path);

        buf_add(out, before);
        if (found == NULL && otherwise.len > 0) {
            buf_add(out, otherwise);
            continue;
        }
        if (found == NULL || found->kind != NODE_SCALAR || hops == HOPS_MOST ||
            buf_text(out).len > TEXT_MOST)
            return false;
        path[parent_length(path, strlen(path))] = '\0';
        if (!expand_references(refs, path, found->text, hops + 1, out))
            return false;
    }
    if (str_has_nocase(text, STR("${"))) /* which has no end */
        return false;
    buf_add(out, text);
    return buf_text(out).len <= TEXT_MOST;
}

static bool is_list_of_words(const struct node *node)
{
    if (node == NULL || node->kind != NODE_LIST)
        return false;
    for (const struct node *item = node->first; item != NULL; item = item->next)
        if (item->kind != NODE_SCALAR)
            return false;
    return true;
}

/* A value that is one reference to a list of words becomes that list. */
static bool take_list(struct references *refs, const char *section, struct node *node)
{
    struct str text = str_trim(node->text), before, inside, otherwise;
    const struct node *found;
    char path[PATH_ROOM];

    if (!cut_reference(&text, &before, &inside) || before.len > 0 || text.len > 0)
        return false;
    found = find_referred(refs, section, reference_name(inside, &otherwise), path);
    if (!is_list_of_words(found))
        return false;
    node->kind = NODE_LIST;
    node->first = found->first;
    return true;
}

static bool resolve_value(struct references *refs, const char *section, struct node *node,
                          struct error *err)
{
    struct buf text = buf_new(refs->r->arena->alloc, JOB_MAX);
    bool ok = true;

    if (node->text.len <= TEXT_MOST && str_has_nocase(node->text, STR("${")) &&
        !take_list(refs, section, node) &&
        expand_references(refs, section, node->text, 0, &text))
        ok = buf_keep(&text, refs->r->arena, &node->text, err);
    buf_free(&text);
    return ok;
}

static bool resolve_section(struct references *refs, const char *section, struct node *node,
                            struct error *err)
{
    for (struct node *child = node->first; child != NULL; child = child->next) {
        char path[PATH_ROOM];

        (void)snprintf(path, sizeof path, "%s%s%.*s", section, section[0] != '\0' ? "." : "",
                       STR_ARG(child->key));
        if (child->kind == NODE_SCALAR && !resolve_value(refs, section, child, err))
            return false;
        if ((child->kind == NODE_MAP || child->kind == NODE_LIST) &&
            !resolve_section(refs, node->kind == NODE_MAP ? path : section, child, err))
            return false;
    }
    return true;
}

bool tool_resolve_references(struct tool_reading *r, struct node *root, struct error *err)
{
    struct references refs = {.r = r, .root = root};

    r->referred = arena_array(r->arena, struct str, TOOL_REFERRED_MAX, err);
    return r->referred != NULL && resolve_section(&refs, "", root, err);
}

bool tool_is_referred(const struct tool_reading *r, struct str key)
{
    for (size_t i = 0; i < r->referred_count; i++)
        if (str_eq(r->referred[i], key))
            return true;
    return false;
}

bool tool_default_of_variable(struct str text, struct str *out)
{
    struct str rest = str_trim(text), before, inside;

    if (!cut_reference(&rest, &before, &inside) || before.len > 0 || rest.len > 0 ||
        !str_starts(inside, STR("oc.env:")))
        return false;
    (void)str_cut(&inside, ',');
    *out = str_trim(inside);
    return out->len > 0 && !str_eq_nocase(*out, STR("null"));
}
