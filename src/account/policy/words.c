/* Rules in words. */
#include "account/policy/internal.h"

#define WORDS_MAX 2048

static void add_globs(struct strs globs, struct buf *out)
{
    for (size_t i = 0; i < globs.len; i++) {
        buf_adds(out, i > 0 ? "|" : "");
        buf_add(out, globs.at[i]);
    }
    if (globs.len == 1 && globs.at[0].len == 0)
        buf_adds(out, "(none)");
}

static void add_conditions(struct conditions when, struct buf *out)
{
    static const char *const names[] = {[LOOK_RESOURCE] = "resource",
                                        [LOOK_RESOURCE_NAME] = "resource_name",
                                        [LOOK_DESCRIPTION] = "description",
                                        [LOOK_TAG] = "tag."};

    if (when.len == 0)
        buf_adds(out, "everything");
    for (size_t i = 0; i < when.len; i++) {
        const struct condition *c = &when.at[i];

        buf_adds(out, i > 0 ? ", " : "");
        buf_adds(out,
                 c->look == LOOK_DIMENSION ? dimension_name(c->dimension) : names[c->look]);
        buf_add(out, c->tag);
        buf_char(out, '=');
        add_globs(c->globs, out);
    }
}

/* The text in the arena; one that is longer than anybody reads is cut. */
static bool keep_words(struct buf *text, struct arena *arena, struct str *out,
                       struct error *err)
{
    struct str words = buf_text(text);
    bool memory = text->failed == ERROR_MEMORY;
    char *copy = memory ? NULL : str_dup(words, arena, err);

    *out = (struct str){copy, words.len};
    buf_free(text);
    return copy != NULL || (memory && error_memory(err));
}

bool rule_words(struct rule *rule, struct arena *arena, struct error *err)
{
    struct buf text = buf_new(arena->alloc, WORDS_MAX);

    add_conditions(rule->when, &text);
    buf_adds(&text, " -> ");
    for (size_t i = 0; i < rule->set.len; i++) {
        buf_addf(&text, "%s%s=", i > 0 ? ", " : "", dimension_name(rule->set.at[i].dimension));
        buf_add(&text, rule->set.at[i].value);
    }
    buf_adds(&text, rule->override ? " (override)" : "");
    return keep_words(&text, arena, &rule->words, err);
}

bool shared_words(struct shared *shared, struct arena *arena, struct error *err)
{
    static const char *const ways[] = {
        [SPLIT_USAGE] = "by usage", [SPLIT_EVEN] = "evenly", [SPLIT_WEIGHTS] = "by weights"};
    struct buf text = buf_new(arena->alloc, WORDS_MAX);

    add_conditions(shared->when, &text);
    buf_addf(&text, ", split %s over %s", ways[shared->split], dimension_name(shared->over));
    if (shared->among.len > 0) {
        buf_char(&text, ' ');
        add_globs(shared->among, &text);
    }
    for (size_t i = 0; i < shared->weight_count; i++) {
        buf_adds(&text, i > 0 ? ", " : " ");
        buf_add(&text, shared->weights[i].name);
        buf_char(&text, ' ');
        decimal_write(shared->weights[i].amount, &text);
    }
    return keep_words(&text, arena, &shared->words, err);
}
