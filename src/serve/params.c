#include "serve/params.h"

#include "base/characters.h"
#include "base/hex.h"

static bool refuse_address_text(struct str text, const char *why, struct error *err)
{
    return error_fail(err, ERROR_INPUT, "'%.*s' in the address %s", STR_ARG(text), why);
}

static bool is_utf8_text(struct str text)
{
    while (text.len > 0) {
        size_t n = str_character(text);

        if (n == 0 || n == SIZE_MAX || text.at[0] == '\0')
            return false;
        text.at += n;
        text.len -= n;
    }
    return true;
}

/* Browsers end the lines of what is typed into a form with CR LF: here they end with LF. */
static void use_plain_line_ends(struct buf *text)
{
    size_t n = 0;

    for (size_t i = 0; i < text->len; i++)
        if (text->at[i] != '\r')
            text->at[n++] = text->at[i];
        else if (i + 1 == text->len || text->at[i + 1] != '\n')
            text->at[n++] = '\n';
    text->len = n;
}

bool percent_decode(struct str text, bool plus, struct arena *arena, struct str *out,
                    struct error *err)
{
    struct buf plain = buf_new(arena->alloc, text.len + 1);
    size_t i = 0;

    while (i < text.len) {
        if (text.at[i] != '%') {
            buf_char(&plain, plus && text.at[i] == '+' ? ' ' : text.at[i]);
            i++;
        } else if (text.len - i >= 3 && hex_read((struct str){text.at + i + 1, 2}, &plain)) {
            i += 3;
        } else {
            buf_free(&plain);
            return refuse_address_text(text, "has a % without two digits", err);
        }
    }
    if (plus)
        use_plain_line_ends(&plain);
    if (!buf_keep(&plain, arena, out, err))
        return false;
    return is_utf8_text(*out) || refuse_address_text(text, "is no UTF-8 text", err);
}

void percent_encode(struct str text, struct buf *out)
{
    for (size_t i = 0; i < text.len; i++) {
        char c = text.at[i];

        if (is_letter_or_digit(c) || c == '-' || c == '_' || c == '.' || c == '~')
            buf_char(out, c);
        else
            buf_addf(out, "%%%02X", (unsigned)(unsigned char)c);
    }
}

bool params_read(struct str query, struct arena *arena, struct params *out, struct error *err)
{
    struct param *all = arena_array(arena, struct param, PARAMS_MOST, err);
    size_t count = out->len;

    if (all == NULL)
        return false;
    for (size_t i = 0; i < out->len; i++)
        all[i] = out->at[i];
    while (query.len > 0) {
        struct str value = str_cut(&query, '&');
        struct str name = str_cut(&value, '=');

        if (name.len == 0 && value.len == 0)
            continue;
        if (count == PARAMS_MOST)
            return error_fail(err, ERROR_INPUT, "more than %d parameters", PARAMS_MOST);
        if (!percent_decode(name, true, arena, &all[count].name, err) ||
            !percent_decode(value, true, arena, &all[count].value, err))
            return false;
        count++;
    }
    *out = (struct params){all, count};
    return true;
}

struct str params_get(const struct params *params, const char *name)
{
    for (size_t i = 0; i < params->len; i++)
        if (str_eq(params->at[i].name, str_from(name)))
            return params->at[i].value;
    return (struct str){0};
}
