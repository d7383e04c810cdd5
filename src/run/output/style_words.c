/* What is told in words: a checkpoint written, an evaluation begun. See metric_internal.h. */
#include <string.h>

#include "run/output/metric_internal.h"

static size_t find_nocase(struct str text, struct str part)
{
    for (size_t i = 0; i + part.len <= text.len; i++) {
        if ((text.at[i] | 0x20) == (part.at[0] | 0x20) &&
            str_eq_nocase((struct str){text.at + i, part.len}, part))
            return i;
    }
    return SIZE_MAX;
}

/* The path behind " to " or a colon: without quotes, and without the dots of an ellipsis. */
static struct str take_path(struct str text)
{
    struct str path = {text.at, 0};

    while (text.len > 0 && (text.at[0] == ' ' || text.at[0] == ':' || text.at[0] == '\'' ||
                            text.at[0] == '"' || text.at[0] == '`'))
        step_over(&text, 1);
    path.at = text.at;
    while (path.len < text.len && text.at[path.len] != ' ' && text.at[path.len] != '\'' &&
           text.at[path.len] != '"' && text.at[path.len] != '`' && text.at[path.len] != ',')
        path.len++;
    while (path.len > 0 && path.at[path.len - 1] == '.')
        path.len--;
    return path;
}

static bool looks_like_path(struct str text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (text.at[i] == '/' || text.at[i] == '.' || text.at[i] == '-' || text.at[i] == '_')
            return true;
    }
    return false;
}

/* "Saving model checkpoint to out/checkpoint-500", "saved checkpoint: out/x.safetensors". */
static bool tells_checkpoint(struct str line, struct metric_update *out)
{
    static const char *const verbs[] = {"saving ", "saved ", "wrote ", "writing "};
    static const char *const things[] = {"checkpoint", "ckpt",    "model",
                                         "state",      "weights", "adapter"};
    static const char *const ways[] = {" to ", " as ", " in ", ": "};
    size_t verb = SIZE_MAX, thing = SIZE_MAX;

    for (size_t i = 0; i < ARRAY_LEN(verbs) && verb == SIZE_MAX; i++)
        verb = find_nocase(line, str_from(verbs[i]));
    if (verb == SIZE_MAX)
        return false;
    step_over(&line, verb);
    for (size_t i = 0; i < ARRAY_LEN(things) && thing == SIZE_MAX; i++)
        thing = find_nocase(line, str_from(things[i]));
    if (thing == SIZE_MAX)
        return false;
    out->saved = true;
    for (size_t i = 0; i < ARRAY_LEN(ways) && out->saved_path.len == 0; i++) {
        size_t way = find_nocase(line, str_from(ways[i]));
        struct str path = line;

        if (way == SIZE_MAX)
            continue;
        step_over(&path, way + strlen(ways[i]));
        path = take_path(path);
        if (looks_like_path(path))
            out->saved_path = path;
    }
    return true;
}

bool style_words(struct str line, struct metric_update *out)
{
    metric_clear(out);
    out->style = "words";
    if (find_nocase(line, STR("running evaluation")) != SIZE_MAX ||
        find_nocase(line, STR("running prediction")) != SIZE_MAX)
        out->evaluated = true;
    return tells_checkpoint(line, out) || out->evaluated;
}
