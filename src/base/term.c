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
    term.colour = env_get("NO_COLOR") == NULL && (name == NULL || strcmp(name, "dumb") != 0);
    return term;
}

const char *term_style_on(const struct term *term, enum term_style style)
{
    static const char *const codes[] = {"", "\033[1m", "\033[2m", "\033[32m", "\033[33m"};

    return term->colour ? codes[style] : "";
}

const char *term_style_off(const struct term *term, enum term_style style)
{
    return term->colour && style != STYLE_PLAIN ? "\033[0m" : "";
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
    (void)fprintf(p->to, "\r%s [%s] %3u %%\033[K", p->label, bar,
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
    if (p->total > 0)
        draw_bar(p, done);
    else
        (void)fprintf(p->to, "\r%s: %llu\033[K", p->label, (unsigned long long)done);
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
