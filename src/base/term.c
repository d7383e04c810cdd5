#include "base/term.h"

#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/num.h"

#define DEFAULT_WIDTH 80
#define BAR_COLUMNS 30
#define REDRAW_NS 100000000 /* ten times a second is as fast as anyone reads */

static unsigned probe_width(int fd)
{
    const char *columns = env_get("COLUMNS");
    struct winsize size = {0};
    int64_t given;

    if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    if (columns != NULL && num_int(str_from(columns), &given) && given > 0 && given < 10000)
        return (unsigned)given;
    return DEFAULT_WIDTH;
}

struct term term_probe(int fd)
{
    const char *name = env_get("TERM");
    struct term term = {.tty = isatty(fd) == 1};

    if (!term.tty)
        return term;
    term.width = probe_width(fd);
    term.color = env_get("NO_COLOR") == NULL && (name == NULL || strcmp(name, "dumb") != 0);
    return term;
}

static const char *const styles[] = {"",         "\033[1m",  "\033[2m",
                                     "\033[32m", "\033[33m", "\033[31m"};
static const char style_end[] = "\033[0m";

const char *term_style_on(const struct term *term, enum term_style style)
{
    return term->color ? styles[style] : "";
}

const char *term_style_off(const struct term *term, enum term_style style)
{
    return term->color && style != STYLE_PLAIN ? style_end : "";
}

void term_print(struct str text, FILE *to)
{
    while (text.len > 0) {
        size_t bad = str_unsafe(text), len = bad > 0 ? bad : str_character(text);

        if (bad > 0)
            (void)fputc('?', to);
        else
            (void)fwrite(text.at, 1, len, to);
        text.at += len;
        text.len -= len;
    }
}

/* Bytes of a line end, a tab, or a style of ours that `text` starts with. */
static size_t own_escape_length(struct str text)
{
    if (text.at[0] == '\n' || text.at[0] == '\t')
        return 1;
    for (size_t i = STYLE_BOLD; text.at[0] == '\033' && i < ARRAY_LEN(styles); i++)
        if (str_starts(text, str_from(styles[i])))
            return strlen(styles[i]);
    return str_starts(text, str_from(style_end)) ? sizeof style_end - 1 : 0;
}

static void add_escape(uint32_t code, struct buf *out)
{
    if (code > 0xffff)
        buf_addf(out, "\\u%04x\\u%04x", 0xd800 + (unsigned)((code - 0x10000) >> 10),
                 0xdc00 + (unsigned)(code & 0x3ff));
    else
        buf_addf(out, "\\u%04x", (unsigned)code);
}

void term_filter(struct str text, bool json, struct buf *out)
{
    while (text.len > 0) {
        size_t ours = own_escape_length(text), bad = ours > 0 ? 0 : str_unsafe(text);
        size_t len = ours > 0 ? ours : bad > 0 ? bad : str_character(text);

        if (bad == 0)
            buf_add(out, (struct str){text.at, len});
        else if (json && str_character(text) == len)
            add_escape(str_code(text, len), out);
        else
            buf_char(out, '?');
        text.at += len;
        text.len -= len;
    }
}

bool term_write(int fd, struct str text, bool json, const struct alloc *alloc,
                struct error *err)
{
    struct buf shown = buf_new(alloc, BUF_MAX_OUTPUT);
    bool ok;

    if (isatty(fd) != 1)
        return fs_write_all(fd, text, err);
    term_filter(text, json, &shown);
    ok = buf_ok(&shown, err) && fs_write_all(fd, buf_text(&shown), err);
    buf_free(&shown);
    return ok;
}

bool term_utf8(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};

    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        const char *value = env_get(names[i]);

        if (value != NULL) /* the first that is set decides */
            return str_has_nocase(str_from(value), STR("UTF-8")) ||
                   str_has_nocase(str_from(value), STR("utf8"));
    }
    return false;
}

static bool starts_character(char c)
{
    return ((unsigned char)c & 0xC0) != 0x80;
}

size_t term_columns(struct str text)
{
    size_t columns = 0;

    for (size_t i = 0; i < text.len; i++)
        columns += starts_character(text.at[i]);
    return columns;
}

void term_wrap(struct str text, size_t left, size_t column, size_t width, struct buf *out)
{
    bool first = true; /* word of the line */

    while (text.len > 0) {
        struct str word = str_cut(&text, ' ');
        size_t columns = term_columns(word);

        if (!first && column + 1 + columns > width) {
            buf_char(out, '\n');
            buf_pad(out, ' ', left);
            column = left;
        } else if (!first) {
            buf_char(out, ' ');
            column++;
        }
        buf_add_safe(out, word);
        column += columns;
        first = false;
    }
}

void term_wrap_lines(struct str text, size_t width, struct buf *out)
{
    while (text.len > 0) {
        struct str line = str_cut(&text, '\n');

        if (str_starts(line, STR(" ")))
            buf_add_safe(out, line);
        else
            term_wrap(line, 0, 0, width, out);
        buf_char(out, '\n');
    }
}

struct str term_cut(struct str text, size_t columns)
{
    size_t seen = 0;

    for (size_t i = 0; i < text.len; i++) {
        seen += starts_character(text.at[i]);
        if (seen > columns)
            return (struct str){text.at, i};
    }
    return text;
}

static void draw_bar(const struct progress *p, uint64_t done)
{
    uint64_t part = done < p->total ? done : p->total;
    unsigned filled = (unsigned)((double)part / (double)p->total * BAR_COLUMNS);
    char bar[BAR_COLUMNS + 1];

    memset(bar, '-', BAR_COLUMNS);
    memset(bar, '#', filled);
    bar[BAR_COLUMNS] = '\0';
    (void)fprintf(p->to, " [%s] %3u %%\033[K", bar,
                  (unsigned)((double)part / (double)p->total * 100));
}

void progress_show(struct progress *p, uint64_t done)
{
    instant now;

    if (!p->term->tty)
        return;
    now = p->clock->now(p->clock->ctx);
    if (p->visible && now.ns - p->drawn.ns < REDRAW_NS)
        return;
    p->drawn = now;
    p->visible = true;
    (void)fputc('\r', p->to);
    term_print(str_from(p->label), p->to); /* it may be the name of a file */
    if (p->total > 0)
        draw_bar(p, done);
    else
        (void)fprintf(p->to, ": %llu\033[K", (unsigned long long)done);
    (void)fflush(p->to);
}

void progress_clear(struct progress *p)
{
    if (!p->visible)
        return;
    (void)fputs("\r\033[K", p->to);
    (void)fflush(p->to);
    p->visible = false;
}
