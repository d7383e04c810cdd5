#include "run/terminal/screen.h"

#include "base/num.h"

enum {
    GROUND,
    ESCAPE,
    ESCAPE_MORE, /* ESC and intermediate bytes: a choice of character set, ESC # 8 */
    CONTROL,     /* CSI: parameters until a final byte */
    STRING,      /* OSC, DCS, APC, PM, SOS: until ST, or BEL */
    STRING_ESCAPE,
};

#define SAVE "\0337"
#define RESTORE "\0338"
#define PLAIN "\033[m\017" /* no colors, the first character set */
#define CANCEL "\030"      /* ends an escape sequence that is not complete */

static bool is_large(int rows, int columns)
{
    return rows >= SCREEN_ROWS && columns >= SCREEN_COLUMNS;
}

static bool is_screen_whole(const struct screen *screen)
{
    return screen->parser == GROUND && screen->utf8_left == 0;
}

bool screen_may_write(const struct screen *screen)
{
    return is_screen_whole(screen) && !screen->hidden && !screen->holds_cursor;
}

/* The program's region, as far as it leaves our row alone. This takes the cursor to the first
 * row. */
static void put_region(const struct screen *screen, struct buf *out)
{
    buf_addf(out, "\033[%d;%dr", screen->top, screen->bottom);
}

static void forget_region(struct screen *screen)
{
    screen->top = 1;
    screen->bottom = screen->rows - 1;
}

/* Down one row, which scrolls when the cursor is on the last, and up again: now it is not. */
static void leave_last_row(struct buf *out)
{
    buf_adds(out, "\033D\033[A");
}

static void set_scroll_region(struct screen *screen, struct buf *out)
{
    if (screen->setting == SCREEN_RESIZED) {
        /* Where the old line is now differs between terminals, but it is below the cursor. */
        buf_adds(out, SAVE "\033[r" RESTORE);
        leave_last_row(out);
        buf_adds(out, SAVE PLAIN "\033[E\033[J" RESTORE);
        forget_region(screen);
    }
    screen->setting = SCREEN_SET;
    screen->erased = true;
    if (!screen->active)
        return;
    buf_adds(out, SAVE);
    put_region(screen, out);
    buf_adds(out, RESTORE);
}

static void set_when_possible(struct screen *screen, struct buf *out)
{
    if (screen->setting != SCREEN_SET && screen_may_write(screen))
        set_scroll_region(screen, out);
}

void screen_start(struct screen *screen, int rows, int columns, struct buf *out)
{
    *screen = (struct screen){.rows = rows,
                              .columns = columns,
                              .active = is_large(rows, columns),
                              .starts_row = true};
    if (!screen->active)
        return;
    forget_region(screen);
    leave_last_row(out);
    set_scroll_region(screen, out);
}

void screen_resize(struct screen *screen, int rows, int columns, struct buf *out)
{
    if (!screen->active && !is_large(rows, columns)) {
        screen->rows = rows;
        screen->columns = columns;
        return;
    }
    screen->rows = rows;
    screen->columns = columns;
    screen->active = is_large(rows, columns);
    screen->setting = SCREEN_RESIZED;
    set_when_possible(screen, out);
}

/* The parameter number `which` of a sequence, from 0; `fallback` when it is left out or 0. */
static int64_t read_parameter(struct str all, int which, int64_t fallback)
{
    struct str one = {0};
    int64_t value;

    for (int i = 0; i <= which; i++)
        one = str_cut(&all, ';');
    return num_int(one, &value) && value > 0 ? value : fallback;
}

/* The program set a region, which took the cursor to the first row: so may we. */
static void see_region(struct screen *screen, struct str all, struct buf *out)
{
    int64_t top = read_parameter(all, 0, 1), bottom = read_parameter(all, 1, screen->rows);

    if (!screen->active || top >= bottom)
        return;
    forget_region(screen);
    if (top < screen->bottom) {
        screen->top = (int)top;
        screen->bottom = bottom < screen->bottom ? (int)bottom : screen->bottom;
    }
    if (bottom >= screen->rows)
        put_region(screen, out);
}

/* Private modes, set or reset. */
static void see_modes(struct screen *screen, struct str all, bool set, struct buf *out)
{
    while (all.len > 0) {
        int64_t mode = read_parameter(all, 0, 0);

        if (mode == 6) {
            screen->origin = set;
        } else if (mode == 47 || mode == 1047 || mode == 1049) {
            if (!set && screen->hidden)
                screen->setting = SCREEN_LOST; /* some terminals have one for each screen */
            screen->hidden = set;
        }
        if (mode == 1048 || mode == 1049)
            screen->holds_cursor = set;
        (void)str_cut(&all, ';');
    }
    set_when_possible(screen, out);
}

/* The cursor was sent to a row: on a terminal with one row less it would have got to the last
 * of them. */
static void see_row(const struct screen *screen, int64_t row, struct buf *out)
{
    if (screen->active && row >= screen->rows && !screen->origin)
        buf_adds(out, "\033[A");
}

/* A control sequence without a sign before its parameters. */
static void see_plain(struct screen *screen, char last, struct str all, struct buf *out)
{
    switch (last) {
    case 'H':
    case 'f':
    case 'd':
        see_row(screen, read_parameter(all, 0, 1), out);
        break;
    case 'e': /* down, past the region's end: up and down again stops there */
        buf_adds(out, screen->active && screen->top == 1 ? "\033[A\033[B" : "");
        break;
    case 'J':
        screen->erased = true;
        break;
    case 'r':
        see_region(screen, all, out);
        break;
    case 's':
        screen->holds_cursor = screen->holds_cursor || all.len == 0;
        break;
    case 'u':
        screen->holds_cursor = false;
        set_when_possible(screen, out);
        break;
    default:
        break;
    }
}

/* Numbers alone: no sign before them, no byte after them that makes it another sequence. */
static bool is_parameter_text(struct str all)
{
    for (size_t i = 0; i < all.len; i++)
        if (all.at[i] < '0' || all.at[i] > ';')
            return false;
    return true;
}

static void see_control(struct screen *screen, char last, struct buf *out)
{
    struct str all = {screen->pending, (size_t)screen->pending_len};

    screen->parser = GROUND;
    if (all.len > sizeof screen->pending)
        return;
    if (all.len > 0 && all.at[0] == '?' && (last == 'h' || last == 'l')) {
        see_modes(screen, (struct str){all.at + 1, all.len - 1}, last == 'h', out);
    } else if (str_eq(all, STR("!")) && last == 'p') {
        screen->origin = screen->holds_cursor = false;
        screen->setting = SCREEN_LOST;
        forget_region(screen);
        set_when_possible(screen, out);
    } else if (is_parameter_text(all)) {
        see_plain(screen, last, all, out);
    }
}

/* The entire screen is new, without a region, and the cursor in the first row. */
static void set_up_screen(struct screen *screen, struct buf *out)
{
    screen->setting = SCREEN_SET;
    screen->erased = true;
    forget_region(screen);
    if (screen->active)
        put_region(screen, out);
}

static void see_escape(struct screen *screen, char c, struct buf *out)
{
    screen->parser = GROUND;
    if (c == '[') {
        screen->parser = CONTROL;
        screen->pending_len = 0;
    } else if (c == ']' || c == 'P' || c == '_' || c == '^' || c == 'X') {
        screen->parser = STRING;
    } else if (c >= 0x20 && c <= 0x2F) {
        screen->parser = ESCAPE_MORE;
        screen->pending[0] = c;
    } else if (c == '7') {
        screen->holds_cursor = true;
    } else if (c == '8') {
        screen->holds_cursor = false;
        set_when_possible(screen, out);
    } else if (c == 'c') {
        screen->hidden = screen->holds_cursor = screen->origin = false;
        set_up_screen(screen, out);
    }
}

/* A byte of a title and its like: until BEL or ST. */
static void see_string(struct screen *screen, char c, struct buf *out)
{
    bool after_escape = screen->parser == STRING_ESCAPE;

    if (c == '\007' || (after_escape && c == '\\'))
        screen->parser = GROUND;
    else if (c == '\033')
        screen->parser = STRING_ESCAPE;
    else if (after_escape)
        see_escape(screen, c, out); /* another sequence has begun */
    else
        screen->parser = STRING;
}

/* A byte inside an escape sequence. */
static void see_inside(struct screen *screen, char c, struct buf *out)
{
    if (c == '\030' || c == '\032') { /* given up */
        screen->parser = GROUND;
    } else if (screen->parser == STRING || screen->parser == STRING_ESCAPE) {
        see_string(screen, c, out);
    } else if (c == '\033') {
        screen->parser = ESCAPE;
    } else if ((unsigned char)c < 0x20) {
        return; /* done at once by the terminal */
    } else if (screen->parser == ESCAPE) {
        see_escape(screen, c, out);
    } else if (screen->parser == ESCAPE_MORE) {
        if (c >= 0x20 && c <= 0x2F)
            return;
        screen->parser = GROUND;
        if (screen->pending[0] == '#' && c == '8') /* a screen full of E */
            set_up_screen(screen, out);
    } else if (c >= 0x40 && c <= 0x7E) {
        see_control(screen, c, out);
    } else if (screen->pending_len < (int)sizeof screen->pending) {
        screen->pending[screen->pending_len++] = c;
    } else {
        screen->pending_len = (int)sizeof screen->pending + 1;
    }
}

/* A byte of text: where in a character are we? */
static void see_text(struct screen *screen, unsigned char c)
{
    if (screen->utf8_left > 0 && (c & 0xC0) == 0x80) {
        screen->utf8_left--;
        if (c == 0x9B && screen->pending[0] == '\302') { /* CSI as a character */
            screen->parser = CONTROL;
            screen->pending_len = 0;
        }
    } else {
        screen->utf8_left = c >= 0xF0 && c <= 0xF4 ? 3 : c >= 0xE0 ? 2 : c >= 0xC2 ? 1 : 0;
        screen->utf8_left = c > 0xF4 ? 0 : screen->utf8_left;
        screen->pending[0] = (char)c;
    }
}

void screen_pass(struct screen *screen, struct str bytes, struct buf *out)
{
    size_t from = 0;

    for (size_t i = 0; i < bytes.len; i++) {
        char c = bytes.at[i];

        if (screen->parser == GROUND && c != '\033') {
            if ((unsigned char)c >= 0x20 || c == '\n')
                screen->starts_row = c == '\n';
            if ((unsigned char)c >= 0x80 || screen->utf8_left > 0)
                see_text(screen, (unsigned char)c);
            continue;
        }
        if (screen->parser == GROUND) {
            screen->utf8_left = 0;
            screen->parser = ESCAPE;
            continue;
        }
        /* What must follow comes right after the byte that ends the sequence. */
        if (c >= 0x30 && screen->parser != STRING) {
            buf_add(out, (struct str){bytes.at + from, i + 1 - from});
            from = i + 1;
        }
        see_inside(screen, c, out);
    }
    buf_add(out, (struct str){bytes.at + from, bytes.len - from});
    set_when_possible(screen, out);
}

/* The longest start of `line` that takes at most `columns`: colors take none. */
static struct str cut_line(struct str line, size_t columns, size_t *taken)
{
    bool inside = false;

    *taken = 0;
    for (size_t i = 0; i < line.len; i++) {
        if (line.at[i] == '\033')
            inside = true;
        else if (inside)
            inside = line.at[i] == '[' || line.at[i] < '@';
        else if (((unsigned char)line.at[i] & 0xC0) != 0x80 && ++*taken > columns)
            return (--*taken, (struct str){line.at, i});
    }
    return line;
}

bool screen_draw(struct screen *screen, struct str line, struct buf *out)
{
    size_t taken;

    set_when_possible(screen, out);
    if (!screen->active || !screen_may_write(screen))
        return false;
    line = cut_line(line, (size_t)screen->columns, &taken);
    buf_addf(out, SAVE "%s\033[%d;1H" PLAIN, screen->origin ? "\033[?6l" : "", screen->rows);
    buf_add(out, line);
    buf_adds(out, taken < (size_t)screen->columns ? "\033[m\033[K" : "");
    /* Not every terminal keeps this with the cursor. */
    buf_adds(out, screen->origin ? "\033[?6h" RESTORE : RESTORE);
    screen->erased = false;
    return true;
}

void screen_stop(struct screen *screen, struct buf *out)
{
    if (!is_screen_whole(screen))
        buf_adds(out, CANCEL);
    if (screen->active && !screen->hidden)
        buf_addf(out, SAVE "%s\033[%d;1H" PLAIN "\033[K\033[r" RESTORE,
                 screen->origin ? "\033[?6l" : "", screen->rows);
    else if (screen->active)
        buf_adds(out, SAVE "\033[r" RESTORE);
    screen->active = false;
}
