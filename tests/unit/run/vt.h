/* vt.h - a small model of a terminal, to see what a user would see: cursor, scrolling region,
 * wrap at the right edge, two screens, a saved cursor for each. Written from the VT510's manual
 * and xterm's list of sequences, apart from what it tests. */
#ifndef TESTS_RUN_VT_H
#define TESTS_RUN_VT_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VT_ROWS 60
#define VT_COLUMNS 220

struct vt_cursor {
    int row, column; /* from 0 */
    bool wrap;       /* the next character goes to the next row */
    bool origin;
};

struct vt {
    int rows, columns, top, bottom; /* of the region, inclusive */
    unsigned cell[2][VT_ROWS][VT_COLUMNS];
    struct vt_cursor at, saved[2];
    int screen; /* 1: the alternate */
    int state, left, count;
    unsigned character;
    char text[256];
};

static void vt_erase(struct vt *vt, int row, int from, int to)
{
    for (int i = from; i < to; i++)
        vt->cell[vt->screen][row][i] = ' ';
}

static void vt_reset(struct vt *vt)
{
    vt->top = 0;
    vt->bottom = vt->rows - 1;
    vt->at = vt->saved[0] = vt->saved[1] = (struct vt_cursor){0};
    vt->state = vt->left = 0;
    for (vt->screen = 1; vt->screen >= 0; vt->screen--)
        for (int row = 0; row < VT_ROWS; row++)
            vt_erase(vt, row, 0, VT_COLUMNS);
    vt->screen = 0;
}

static void vt_start(struct vt *vt, int rows, int columns)
{
    vt->rows = rows;
    vt->columns = columns;
    vt_reset(vt);
}

/* The rows from `top` to `bottom` go up by `count`, down when it is negative. */
static void vt_scroll(struct vt *vt, int top, int bottom, int count)
{
    int height = bottom - top + 1, n = abs(count) < height ? abs(count) : height;
    unsigned(*cell)[VT_COLUMNS] = vt->cell[vt->screen];

    if (count > 0)
        memmove(cell[top], cell[top + n], (size_t)(height - n) * sizeof cell[0]);
    else
        memmove(cell[top + n], cell[top], (size_t)(height - n) * sizeof cell[0]);
    for (int i = 0; i < n; i++)
        vt_erase(vt, count > 0 ? bottom - i : top + i, 0, VT_COLUMNS);
}

static void vt_index(struct vt *vt)
{
    if (vt->at.row == vt->bottom)
        vt_scroll(vt, vt->top, vt->bottom, 1);
    else if (vt->at.row < vt->rows - 1)
        vt->at.row++;
    vt->at.wrap = false;
}

static void vt_print(struct vt *vt, unsigned character)
{
    if (vt->at.wrap) {
        vt->at.column = 0;
        vt_index(vt);
    }
    vt->cell[vt->screen][vt->at.row][vt->at.column] = character;
    if (vt->at.column == vt->columns - 1)
        vt->at.wrap = true;
    else
        vt->at.column++;
}

static int vt_clamp(int value, int low, int high)
{
    return value < low ? low : value > high ? high : value;
}

static void vt_goto(struct vt *vt, int row, int column)
{
    if (vt->at.origin)
        vt->at.row = vt_clamp(row + vt->top, vt->top, vt->bottom);
    else
        vt->at.row = vt_clamp(row, 0, vt->rows - 1);
    vt->at.column = vt_clamp(column, 0, vt->columns - 1);
    vt->at.wrap = false;
}

/* Up or down, not over an edge of the region. */
static void vt_move(struct vt *vt, int by)
{
    int top = vt->at.row >= vt->top ? vt->top : 0;
    int bottom = vt->at.row <= vt->bottom ? vt->bottom : vt->rows - 1;

    vt->at.row = vt_clamp(vt->at.row + by, top, bottom);
    vt->at.wrap = false;
}

static int vt_number(const struct vt *vt, int which, int fallback)
{
    const char *at = vt->text + strspn(vt->text, "?");
    int value;

    while (which-- > 0) {
        at = strchr(at, ';');
        if (at == NULL)
            return fallback;
        at++;
    }
    value = atoi(at); /* NOLINT(cert-err34-c): the tests' own text */
    return value > 0 ? value : fallback;
}

static void vt_mode(struct vt *vt, int mode, bool set)
{
    if (mode == 6) {
        vt->at.origin = set;
        vt_goto(vt, 0, 0);
    }
    if (mode == 1048 || (mode == 1049 && set)) {
        if (set)
            vt->saved[vt->screen] = vt->at;
        else
            vt->at = vt->saved[vt->screen];
    }
    if (mode == 47 || mode == 1047 || mode == 1049) {
        if (mode == 1049 && set && vt->screen == 0) {
            vt->screen = 1;
            for (int i = 0; i < vt->rows; i++)
                vt_erase(vt, i, 0, VT_COLUMNS);
        }
        vt->screen = set;
    }
    if (mode == 1049 && !set)
        vt->at = vt->saved[0];
}

static void vt_erase_screen(struct vt *vt, int what)
{
    for (int row = 0; row < vt->rows; row++) {
        if (what == 2 || (what == 0 && row > vt->at.row) || (what == 1 && row < vt->at.row))
            vt_erase(vt, row, 0, vt->columns);
    }
    if (what == 0)
        vt_erase(vt, vt->at.row, vt->at.column, vt->columns);
    if (what == 1)
        vt_erase(vt, vt->at.row, 0, vt->at.column + 1);
}

static void vt_region(struct vt *vt)
{
    int top = vt_number(vt, 0, 1), bottom = vt_number(vt, 1, vt->rows);

    bottom = bottom > vt->rows ? vt->rows : bottom;
    if (top >= bottom)
        return;
    vt->top = top - 1;
    vt->bottom = bottom - 1;
    vt_goto(vt, 0, 0);
}

static void vt_rows(struct vt *vt, char last, int n)
{
    bool inside = vt->at.row >= vt->top && vt->at.row <= vt->bottom;

    if (last == 'S' || last == 'T')
        vt_scroll(vt, vt->top, vt->bottom, last == 'S' ? n : -n);
    else if (inside)
        vt_scroll(vt, vt->at.row, vt->bottom, last == 'M' ? n : -n);
}

static void vt_control(struct vt *vt, char last)
{
    int n = vt_number(vt, 0, 1);

    if (strcmp(vt->text, "!") == 0 && last == 'p') {
        vt->top = 0;
        vt->bottom = vt->rows - 1;
        vt->at.origin = false;
        vt->saved[vt->screen] = (struct vt_cursor){0};
    } else if (vt->text[0] == '?' && (last == 'h' || last == 'l')) {
        for (int i = 0; vt_number(vt, i, 0) > 0; i++)
            vt_mode(vt, vt_number(vt, i, 0), last == 'h');
    } else if (vt->text[0] == '?' || vt->text[0] == '>') {
        return;
    } else if (last == 'H' || last == 'f') {
        vt_goto(vt, n - 1, vt_number(vt, 1, 1) - 1);
    } else if (last == 'd') {
        vt_goto(vt, n - 1, vt->at.column);
    } else if (last == 'e') {
        vt_goto(vt, vt->at.row + n, vt->at.column);
    } else if (last == 'A' || last == 'B') {
        vt_move(vt, last == 'A' ? -n : n);
    } else if (last == 'E' || last == 'F') {
        vt_move(vt, last == 'F' ? -n : n);
        vt->at.column = 0;
    } else if (last == 'C' || last == 'D') {
        vt->at.column = vt_clamp(vt->at.column + (last == 'C' ? n : -n), 0, vt->columns - 1);
        vt->at.wrap = false;
    } else if (last == 'G') {
        vt->at.column = vt_clamp(n - 1, 0, vt->columns - 1);
        vt->at.wrap = false;
    } else if (last == 'J') {
        vt_erase_screen(vt, vt_number(vt, 0, 0));
    } else if (last == 'K') {
        vt_erase(vt, vt->at.row, vt_number(vt, 0, 0) == 0 ? vt->at.column : 0, vt->columns);
    } else if (last == 'L' || last == 'M' || last == 'S' || last == 'T') {
        vt_rows(vt, last, n);
    } else if (last == 'r') {
        vt_region(vt);
    } else if (last == 's') {
        vt->saved[vt->screen] = vt->at;
    } else if (last == 'u') {
        vt->at = vt->saved[vt->screen];
    }
}

static void vt_escape(struct vt *vt, char c)
{
    vt->state = c == '[' ? '[' : c == ']' || c == 'P' || c == '_' ? ']' : 0;
    vt->count = 0;
    if (c >= 0x20 && c <= 0x2F)
        vt->state = c;
    else if (c == '7')
        vt->saved[vt->screen] = vt->at;
    else if (c == '8')
        vt->at = vt->saved[vt->screen];
    else if (c == 'c')
        vt_reset(vt);
    else if (c == 'D' || c == 'E')
        vt_index(vt);
    else if (c == 'M' && vt->at.row == vt->top)
        vt_scroll(vt, vt->top, vt->bottom, -1);
    else if (c == 'M')
        vt_move(vt, -1);
    if (c == 'E')
        vt->at.column = 0;
}

static void vt_text(struct vt *vt, unsigned char c)
{
    if (vt->left > 0 && (c & 0xC0) == 0x80) {
        vt->character = vt->character << 6 | (c & 0x3F);
        if (--vt->left == 0)
            vt_print(vt, vt->character);
        return;
    }
    if (vt->left > 0) /* cut off */
        vt_print(vt, 0xFFFD);
    vt->left = c > 0xF4 ? 0 : c >= 0xF0 ? 3 : c >= 0xE0 ? 2 : c >= 0xC2 ? 1 : 0;
    vt->character = c & (vt->left == 3 ? 0x07 : vt->left == 2 ? 0x0F : 0x1F);
    if (c == '\r') {
        vt->at.column = 0;
        vt->at.wrap = false;
    } else if (c == '\n') {
        vt_index(vt);
    } else if (c == '\b') {
        vt->at.column -= vt->at.column > 0;
        vt->at.wrap = false;
    } else if (c >= 0x20 && vt->left == 0) {
        vt_print(vt, c < 0x80 ? c : 0xFFFD);
    }
}

static void vt_byte(struct vt *vt, char c)
{
    if (c == '\030') {
        vt->state = 0;
    } else if (c == '\033') {
        if (vt->left > 0)
            vt_print(vt, 0xFFFD);
        vt->left = 0;
        vt->state = '\033';
    } else if (vt->state == 0) {
        vt_text(vt, (unsigned char)c);
    } else if (vt->state == '\033') {
        vt_escape(vt, c);
    } else if (vt->state == '[' && c >= 0x40) {
        vt->state = 0;
        vt->text[vt->count] = '\0';
        vt_control(vt, c);
    } else if (vt->state == '[') {
        vt->text[vt->count] = c;
        vt->count += vt->count < 255;
    } else if (vt->state == ']') {
        if (c == '\007')
            vt->state = 0;
    } else { /* intermediate bytes */
        if (vt->state == '#' && c == '8') {
            vt->top = 0;
            vt->bottom = vt->rows - 1;
            vt_goto(vt, 0, 0);
            for (int i = 0; i < vt->rows * vt->columns; i++)
                vt->cell[vt->screen][i / vt->columns][i % vt->columns] = 'E';
        }
        vt->state = 0;
    }
}

static void vt_write(struct vt *vt, const char *at, size_t len)
{
    for (size_t i = 0; i < len; i++)
        vt_byte(vt, at[i]);
}

/* A row as text without the blanks at its end; characters that are not ASCII as '#'. */
static const char *vt_row(struct vt *vt, int row)
{
    int len = 0;

    for (int i = 0; i < vt->columns && i < 255; i++) {
        unsigned character = vt->cell[vt->screen][row][i];

        vt->text[i] = character < 0x80 ? (char)character : '#';
        len = character != ' ' ? i + 1 : len;
    }
    vt->text[len] = '\0';
    return vt->text;
}

#endif
