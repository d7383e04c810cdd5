/* The loadable part `regex`: the only code that links PCRE2. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "base/part.h"
#include "run/output/regex.h"

struct regex {
    const struct alloc *alloc;
    pcre2_general_context *memory;
    pcre2_code *code;
    pcre2_match_context *limits;
    pcre2_match_data *data;
};

static void *regex_get(PCRE2_SIZE size, void *ctx)
{
    const struct alloc *alloc = ctx;

    return alloc->get(alloc->ctx, size);
}

static void regex_put(void *block, void *ctx)
{
    const struct alloc *alloc = ctx;

    if (block != NULL)
        alloc->put(alloc->ctx, block);
}

static void free_regex(struct regex *regex)
{
    const struct alloc *alloc;

    if (regex == NULL)
        return;
    alloc = regex->alloc;
    pcre2_match_data_free(regex->data);
    pcre2_match_context_free(regex->limits);
    pcre2_code_free(regex->code);
    pcre2_general_context_free(regex->memory);
    alloc->put(alloc->ctx, regex);
}

/* What is wrong, and the pattern with a mark below the place. */
static bool write_regex_error(struct str pattern, int number, PCRE2_SIZE at, struct error *err)
{
    PCRE2_UCHAR text[160] = "";
    bool mark = at < pattern.len;

    (void)pcre2_get_error_message(number, text, sizeof text);
    error_set(err, ERROR_USAGE, "the pattern '%.*s' is wrong at its character %zu%s%.1s%s: %s",
              STR_ARG(pattern), (size_t)at + 1, mark ? " ('" : "", mark ? pattern.at + at : "",
              mark ? "')" : "", (const char *)text);
    return false;
}

static bool regex_prepare(struct regex *regex, struct str pattern, struct error *err)
{
    union {
        const struct alloc *is;
        void *ctx;
    } alloc = {.is = regex->alloc};
    uint32_t groups = 0;
    PCRE2_SIZE at = 0;
    int number = 0;

    regex->memory = pcre2_general_context_create(regex_get, regex_put, alloc.ctx);
    if (regex->memory == NULL)
        return error_memory(err);
    regex->limits = pcre2_match_context_create(regex->memory);
    if (regex->limits == NULL)
        return error_memory(err);
    /* Bytes, not UTF: a program's output may be anything. No \C, no callouts from a user. */
    regex->code = pcre2_compile((PCRE2_SPTR)pattern.at, pattern.len, PCRE2_NEVER_BACKSLASH_C,
                                &number, &at, NULL);
    if (regex->code == NULL)
        return write_regex_error(pattern, number, at, err);
    (void)pcre2_pattern_info(regex->code, PCRE2_INFO_CAPTURECOUNT, &groups);
    if (groups == 0) {
        error_set(err, ERROR_USAGE, "the pattern '%.*s' has no group for the value",
                  STR_ARG(pattern));
        error_hint(err, "put parentheses around the number: loss=([0-9.]+)");
        return false;
    }
    regex->data = pcre2_match_data_create(2, regex->memory);
    if (regex->data == NULL)
        return error_memory(err);
    (void)pcre2_set_match_limit(regex->limits, REGEX_STEPS);
    (void)pcre2_set_depth_limit(regex->limits, REGEX_DEPTH);
    (void)pcre2_set_heap_limit(regex->limits, REGEX_KIB);
    return true;
}

static struct regex *regex_compile(struct str pattern, const struct alloc *alloc,
                                   struct error *err)
{
    struct regex *regex;

    if (pattern.len > REGEX_LONGEST) {
        error_set(err, ERROR_USAGE, "a pattern is longer than %d bytes", REGEX_LONGEST);
        return NULL;
    }
    regex = alloc->get(alloc->ctx, sizeof *regex);
    if (regex == NULL) {
        (void)error_memory(err);
        return NULL;
    }
    *regex = (struct regex){.alloc = alloc};
    if (!regex_prepare(regex, pattern, err)) {
        free_regex(regex);
        return NULL;
    }
    return regex;
}

static enum regex_result regex_match(struct regex *regex, struct str text, struct str *group)
{
    const char *at = text.len > 0 ? text.at : "";
    const PCRE2_SIZE *ends;
    int count =
        pcre2_match(regex->code, (PCRE2_SPTR)at, text.len, 0, 0, regex->data, regex->limits);

    if (count == PCRE2_ERROR_NOMATCH)
        return REGEX_NO;
    if (count < 0)
        return REGEX_GAVE_UP;
    ends = pcre2_get_ovector_pointer(regex->data);
    if (count == 1 || ends[2] == PCRE2_UNSET)
        return REGEX_NO; /* the group took no part */
    *group = (struct str){at + ends[2], ends[3] - ends[2]};
    return REGEX_YES;
}

static const struct regex_part functions = {
    .compile = regex_compile, .match = regex_match, .free = free_regex};

EXPORTED extern const struct part stint_part;

const struct part stint_part = {
    .name = "regex",
    .version = REGEX_PART_VERSION,
    .functions = &functions,
};
