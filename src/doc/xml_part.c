/* The loadable part `xml`: the only code that links expat. */
#include <expat.h>
#include <string.h>

#include "base/buf.h"
#include "base/part.h"
#include "doc/xml.h"

/* Expat reads all of a tag again that a piece cuts, so pieces must not be tiny. */
#define PIECE ((size_t)16 * 1024)

/* --- Memory: ours, and bounded. Expat remembers every name it has seen. --- */

struct memory {
    const struct alloc *alloc;
    size_t held;
    bool refused; /* the limit, not the allocator */
};

struct block {
    size_t size;
    alignas(max_align_t) char bytes[];
};

/* Expat's hooks have no context. One reading is one call in one thread. */
static _Thread_local struct memory *current;

static void *get(size_t size)
{
    struct block *block;

    if (size > XML_MAX_MEMORY - current->held) {
        current->refused = true;
        return NULL;
    }
    block = current->alloc->get(current->alloc->ctx, sizeof *block + size);
    if (block == NULL)
        return NULL;
    block->size = size;
    current->held += size;
    return block->bytes;
}

static struct block *block_of(void *bytes)
{
    return (struct block *)(void *)((char *)bytes - offsetof(struct block, bytes));
}

static void put(void *bytes)
{
    if (bytes == NULL)
        return;
    current->held -= block_of(bytes)->size;
    current->alloc->put(current->alloc->ctx, block_of(bytes));
}

static void *resize(void *bytes, size_t size)
{
    void *grown = get(size);

    if (grown == NULL || bytes == NULL)
        return grown;
    memcpy(grown, bytes, block_of(bytes)->size < size ? block_of(bytes)->size : size);
    put(bytes);
    return grown;
}

/* --- Events --- */

struct reading {
    XML_Parser parser;
    const struct xml_handler *handler;
    struct buf text;
    unsigned depth;
    bool failed; /* `err` has the reason */
    struct error *err;
};

static void fail_xml(struct reading *r)
{
    r->failed = true;
    (void)XML_StopParser(r->parser, XML_FALSE);
}

/* The error is about the parser's position. */
static void fail_here(struct reading *r)
{
    error_context(r->err, "line %llu, column %llu",
                  (unsigned long long)XML_GetCurrentLineNumber(r->parser),
                  (unsigned long long)XML_GetCurrentColumnNumber(r->parser) + 1);
    fail_xml(r);
}

/* What stood before the tag. */
static void give_xml_text(struct reading *r)
{
    if (r->failed || r->text.len == 0)
        return;
    if (!r->handler->text(r->handler->ctx, buf_text(&r->text), r->err))
        fail_xml(r);
    buf_clear(&r->text);
}

static struct str local_name(const char *name)
{
    const char *colon = strrchr(name, ':');

    return str_from(colon != NULL && colon[1] != '\0' ? colon + 1 : name);
}

static void on_expat_start(void *ctx, const char *name, const char **attributes)
{
    struct reading *r = ctx;

    (void)attributes;
    give_xml_text(r);
    if (r->failed)
        return;
    if (r->depth == XML_MAX_DEPTH) {
        error_set(r->err, ERROR_INPUT, "nested deeper than %d levels", XML_MAX_DEPTH);
        fail_here(r);
        return;
    }
    r->depth++;
    if (!r->handler->start(r->handler->ctx, local_name(name),
                           XML_GetCurrentLineNumber(r->parser), r->err))
        fail_xml(r);
}

static void on_expat_end(void *ctx, const char *name)
{
    struct reading *r = ctx;

    give_xml_text(r);
    if (r->failed)
        return;
    r->depth--;
    if (!r->handler->end(r->handler->ctx, local_name(name), r->err))
        fail_xml(r);
}

static void on_expat_text(void *ctx, const char *at, int len)
{
    struct reading *r = ctx;

    if (r->failed)
        return;
    buf_add(&r->text, (struct str){at, (size_t)len});
    if (r->text.failed == ERROR_NONE)
        return;
    if (r->text.failed == ERROR_MEMORY) {
        (void)error_memory(r->err);
        fail_xml(r);
        return;
    }
    error_set(r->err, ERROR_INPUT, "a text is longer than %zu bytes", XML_MAX_TEXT);
    fail_here(r);
}

/* Entities are defined in it, and by one another: refused before the first. */
static void on_doctype(void *ctx, const char *name, const char *system_id,
                       const char *public_id, int internal)
{
    struct reading *r = ctx;

    (void)name, (void)system_id, (void)public_id, (void)internal;
    if (r->failed)
        return;
    error_set(r->err, ERROR_INPUT, "a document type declaration is refused");
    fail_here(r);
}

/* --- Reading --- */

/* Why the parser stopped, when it was not we who stopped it. */
static bool explain_xml_error(struct reading *r, const struct memory *memory)
{
    enum XML_Error code = XML_GetErrorCode(r->parser);

    if (r->failed)
        return false;
    if (code == XML_ERROR_NO_MEMORY && !memory->refused)
        return error_memory(r->err);
    if (code == XML_ERROR_NO_MEMORY)
        error_set(r->err, ERROR_INPUT, "this XML takes more than %zu bytes of memory to read",
                  XML_MAX_MEMORY);
    else if (code == XML_ERROR_NO_ELEMENTS || code == XML_ERROR_UNCLOSED_TOKEN ||
             code == XML_ERROR_PARTIAL_CHAR || code == XML_ERROR_UNCLOSED_CDATA_SECTION)
        error_set(r->err, ERROR_INPUT, "the text ends %s",
                  r->depth > 0 ? "inside an element" : "before there is a complete element");
    else
        error_set(r->err, ERROR_INPUT, "%s", XML_ErrorString(code));
    fail_here(r);
    return false;
}

/* A full piece, except at the end of the text: how much; -1 with the error set. */
static ptrdiff_t read_xml_piece(struct source source, char *to, struct error *err)
{
    size_t len = 0;

    while (len < PIECE) {
        ptrdiff_t got = source.read(source.ctx, to + len, PIECE - len, err);

        if (got < 0)
            return -1;
        if (got == 0)
            break;
        len += (size_t)got;
    }
    return (ptrdiff_t)len;
}

static bool parse_xml(struct reading *r, struct source source, const struct memory *memory)
{
    char piece[PIECE];
    ptrdiff_t len = (ptrdiff_t)PIECE;
    int64_t fed = 0;

    while (len == (ptrdiff_t)PIECE) {
        len = read_xml_piece(source, piece, r->err);
        if (len < 0)
            return false;
        if (XML_Parse(r->parser, piece, (int)len, len < (ptrdiff_t)PIECE) != XML_STATUS_OK)
            return explain_xml_error(r, memory);
        fed += len;
        if (fed - XML_GetCurrentByteIndex(r->parser) > (int64_t)XML_MAX_MARKUP) {
            error_set(r->err, ERROR_INPUT, "a tag or comment is longer than %zu bytes",
                      XML_MAX_MARKUP);
            fail_here(r);
            return false;
        }
    }
    return true;
}

static bool read_xml_document(struct source source, const struct xml_handler *handler,
                              const struct alloc *alloc, struct error *err)
{
    static const XML_Memory_Handling_Suite hooks = {get, resize, put};
    struct memory memory = {.alloc = alloc}, *before = current;
    struct reading r = {.handler = handler, .err = err};
    bool ok;

    current = &memory;
    r.parser = XML_ParserCreate_MM(NULL, &hooks, NULL);
    r.text = buf_new(alloc, XML_MAX_TEXT);
    if (r.parser == NULL) {
        ok = error_memory(err);
    } else {
        XML_SetUserData(r.parser, &r);
        XML_SetElementHandler(r.parser, on_expat_start, on_expat_end);
        XML_SetCharacterDataHandler(r.parser, on_expat_text);
        XML_SetStartDoctypeDeclHandler(r.parser, on_doctype);
        ok = parse_xml(&r, source, &memory);
        XML_ParserFree(r.parser);
    }
    buf_free(&r.text);
    current = before; /* whose reading, if any, called ours */
    return ok;
}

static const struct xml_part functions = {.read = read_xml_document};

EXPORTED extern const struct part stint_part;

const struct part stint_part = {
    .name = "xml",
    .version = XML_PART_VERSION,
    .functions = &functions,
};
