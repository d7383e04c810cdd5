#include "render/document.h"

#include <stdarg.h>
#include <stdio.h>

struct document document_new(struct str title, struct arena *arena)
{
    return (struct document){.arena = arena, .title = title};
}

static void add_document_block(struct document *d, const struct document_block *block)
{
    struct error ignored;
    struct document_block *copy = arena_array(d->arena, struct document_block, 1, &ignored);

    if (copy == NULL) {
        d->failed = true;
        return;
    }
    *copy = *block;
    if (d->last != NULL)
        d->last->next = copy;
    else
        d->first = copy;
    d->last = copy;
}

/* The level that a heading may have after those before it. */
static unsigned level_after(const struct document *d, unsigned level)
{
    unsigned last = 1;

    for (const struct document_block *b = d->first; b != NULL; b = b->next)
        if (b->kind == DOCUMENT_HEADING)
            last = b->level;
    level = level < 2 ? 2 : level > 6 ? 6 : level;
    return level > last + 1 ? last + 1 : level;
}

void document_heading(struct document *d, unsigned level, struct str text)
{
    add_document_block(d, &(struct document_block){.kind = DOCUMENT_HEADING,
                                                   .level = level_after(d, level),
                                                   .text = text});
}

void document_paragraph(struct document *d, struct str text)
{
    add_document_block(d, &(struct document_block){.kind = DOCUMENT_PARAGRAPH, .text = text});
}

void document_note(struct document *d, enum document_mood mood, struct str text)
{
    add_document_block(
        d, &(struct document_block){.kind = DOCUMENT_REMARK, .mood = mood, .text = text});
}

void document_facts(struct document *d, const struct document_fact *facts, size_t count)
{
    if (count > 0)
        add_document_block(d, &(struct document_block){
                                  .kind = DOCUMENT_FACTS, .facts = facts, .fact_count = count});
}

void document_table(struct document *d, const struct document_table *table)
{
    add_document_block(d, &(struct document_block){.kind = DOCUMENT_TABLE, .table = *table});
}

void document_figure(struct document *d, struct str file, const struct figure_sheet *sheet,
                     struct str caption)
{
    add_document_block(
        d, &(struct document_block){
               .kind = DOCUMENT_FIGURE, .file = file, .sheet = sheet, .text = caption});
}

struct str document_text(struct document *d, const char *fmt, ...)
{
    struct error ignored;
    va_list args, again;
    char *text = NULL;
    int len;

    va_start(args, fmt);
    va_copy(again, args);
    len = vsnprintf(NULL, 0, fmt, args);
    if (len >= 0)
        text = arena_array(d->arena, char, (size_t)len + 1, &ignored);
    if (text != NULL)
        (void)vsnprintf(text, (size_t)len + 1, fmt, again);
    else
        d->failed = true;
    va_end(again);
    va_end(args);
    return str_from(text);
}

struct str document_keep(struct document *d, struct buf *text)
{
    struct error ignored;
    struct str kept = {0};

    if (!buf_keep(text, d->arena, &kept, &ignored))
        d->failed = true;
    return kept;
}
