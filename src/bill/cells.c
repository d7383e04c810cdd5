/* Cells and columns of a bill, and the texts that readers make of them. */
#include <inttypes.h>
#include <string.h>

#include "base/characters.h"
#include "bill/internal.h"
#include "doc/json_write.h"

static bool is_joint(char c)
{
    return c == ' ' || c == '_' || c == '-' || c == '/' || c == '.';
}

bool bill_name_eq(struct str a, struct str b)
{
    size_t i = 0, j = 0;

    for (;;) {
        while (i < a.len && is_joint(a.at[i]))
            i++;
        while (j < b.len && is_joint(b.at[j]))
            j++;
        if (i == a.len || j == b.len)
            return i == a.len && j == b.len;
        if (to_lower(a.at[i++]) != to_lower(b.at[j++]))
            return false;
    }
}

bool bill_head_has(const struct bill_head *head, const char *name)
{
    for (size_t i = 0; i < head->count; i++)
        if (bill_name_eq(head->columns[i], str_from(name)))
            return true;
    return false;
}

int bill_head_count(const struct bill_head *head, const char *const *names)
{
    int count = 0;

    for (; *names != NULL; names++)
        count += bill_head_has(head, *names);
    return count;
}

#define UNUSED_MAX 4096
#define MEANT_MAX 200
#define NAME_MAX_LEN 64 /* str_distance() compares no longer ones */

void bill_unused(struct bill *bill, size_t column)
{
    struct buf *unused = &bill->unused;
    struct str name = bill->columns[column];

    if (bill->odd_count < BILL_ODD && column <= UINT16_MAX)
        bill->odd[bill->odd_count++] = (uint16_t)column;
    if (name.len == 0 || unused->len + name.len + 2 > UNUSED_MAX)
        return;
    if (unused->len > 0)
        buf_adds(unused, ", ");
    buf_add(unused, name);
    bill->about.unused = buf_text(unused);
}

static struct str plain_name(struct str name, char *room)
{
    size_t len = 0;

    for (size_t i = 0; i < name.len && len < NAME_MAX_LEN; i++)
        if (!is_joint(name.at[i]))
            room[len++] = to_lower(name.at[i]);
    return (struct str){room, len};
}

/* All of the shorter name is in the other, before and after what that has besides. */
static bool one_has_more(struct str a, struct str b)
{
    size_t least = a.len < b.len ? a.len : b.len, before = 0, after = 0;

    while (before < least && a.at[before] == b.at[before])
        before++;
    while (after < least && a.at[a.len - 1 - after] == b.at[b.len - 1 - after])
        after++;
    return before + after >= least;
}

/* How alike the names are, without what bill_name_eq() does not look at. */
enum likeness { UNLIKE, SLIP, OTHER };

/* A letter or two are a slip; but in a short word they make another one of it, as another word
 * does: gpu is no ecu, and unblended not blended. What is before a slash does not
 * count. */
static enum likeness likeness(struct str column, struct str name)
{
    char rooms[2][NAME_MAX_LEN];
    struct str last = name;
    struct str a = plain_name(column, rooms[0]), b = plain_name(name, rooms[1]);
    size_t more = a.len > b.len ? a.len - b.len : b.len - a.len;
    unsigned limit;

    while (memchr(last.at, '/', last.len) != NULL)
        (void)str_cut(&last, '/');
    limit = last.len < 4 ? 0 : last.len < 14 ? 1 : 2;
    if (more > 1 && one_has_more(a, b))
        return OTHER;
    return a.len > 0 && more <= limit && str_distance(a, b, limit) <= limit ? SLIP : UNLIKE;
}

/* What a column is, by its name: a price or a balance, an amount, a currency, a time or any
 * other. A rate is never close to a date, nor a balance to a cost, whatever letters they
 * share. */
static int cell_kind_of(struct str name)
{
    static const char *const words[][7] = {
        {"price", "rate", "balance", "perhour", "per_hour", "hourly", NULL},
        {"cost", "amount", "credit", "spend", NULL},
        {"currency", NULL},
        {"date", "time", "start", "end", "month", NULL}};

    for (int kind = 0; kind < (int)ARRAY_LEN(words); kind++)
        for (const char *const *word = words[kind]; *word != NULL; word++)
            if (str_has_nocase(name, str_from(*word)))
                return kind;
    return -1;
}

static bool may_be_kind(int a, int b)
{
    return a == b || a < 0 || b < 0;
}

/* A slip of the pen away, but a price or a balance where none is wanted. */
static bool is_harmful(struct str column, struct str wanted)
{
    return cell_kind_of(column) == 0 && cell_kind_of(wanted) != 0;
}

void bill_meant(struct bill *bill, size_t first, const char *name)
{
    struct buf *meant = &bill->meant;

    for (size_t i = 0; i < bill->odd_count; i++) {
        size_t at = bill->odd[i];

        if (at < first || meant->len > MEANT_MAX ||
            str_starts(bill->columns[at], STR("x_")) || /* meant so */
            likeness(bill->columns[at], str_from(name)) != SLIP ||
            is_harmful(bill->columns[at], str_from(name)))
            continue;
        buf_addf(meant, "%s'%.*s' (%s?)", meant->len > 0 ? ", " : "",
                 STR_ARG(bill->columns[at]), name);
        bill->about.meant = buf_text(meant);
    }
}

bool bill_twice(const struct bill *bill, size_t first, size_t second, struct error *err)
{
    error_set(err, ERROR_INPUT, "the columns '%.*s' and '%.*s' are the same amount",
              STR_ARG(bill->columns[first]), STR_ARG(bill->columns[second]));
    error_hint(err, "leave one of them out%s",
               bill->reader == &bill_table ? ", or --map cost=COLUMN says which is paid" : "");
    return false;
}

/* Which of the columns without a use the missing one may be. */
static struct suggestion closest(const struct bill *bill, const char *name)
{
    struct suggestion s = {.wanted = str_from(name)};

    for (size_t c = 0; c < bill->odd_count; c++) {
        struct str column = bill->columns[bill->odd[c]];
        enum likeness like = likeness(column, s.wanted);

        if ((like == SLIP && !is_harmful(column, s.wanted)) ||
            (like == UNLIKE && may_be_kind(cell_kind_of(column), cell_kind_of(s.wanted))))
            suggestion_try(&s, column);
    }
    return s;
}

bool bill_lacks(const struct bill *bill, const char *const *names, size_t count,
                struct error *err)
{
    struct suggestion close = {0};
    char list[256] = "";
    size_t len = 0;

    for (size_t i = 0; i < count; i++) {
        int n = snprintf(list + len, sizeof list - len, "%s%s",
                         i == 0          ? ""
                         : i + 1 < count ? ", "
                                         : " and ",
                         names[i]);

        if (n > 0 && (size_t)n < sizeof list - len)
            len += (size_t)n;
        if (close.best.len == 0)
            close = closest(bill, names[i]);
    }
    error_set(err, ERROR_INPUT, "there is no %s among the columns of this %s file", list,
              bill->reader->title);
    if (close.best.len > 0)
        error_hint(err, "'%.*s' is close: name it %.*s", STR_ARG(close.best),
                   STR_ARG(close.wanted));
    return false;
}

static bool is_none_cell(struct str s)
{
    return str_eq_nocase(s, STR("null")) || str_eq_nocase(s, STR("n/a")) ||
           str_eq_nocase(s, STR("none")) || str_eq_nocase(s, STR("nan"));
}

struct str bill_cell(const struct bill_row *row, size_t column)
{
    struct str cell;

    if (column >= row->count)
        return (struct str){0};
    cell = str_trim(row->cells[column]);
    return cell.len > 4 || (cell.len > 0 && !is_none_cell(cell)) ? cell : (struct str){0};
}

struct str bill_words(const struct bill_row *row, size_t column)
{
    struct str cell;

    if (column >= row->count)
        return (struct str){0};
    cell = row->cells[column];
    return cell.len > 0 && !str_eq(cell, STR("NULL")) ? cell : (struct str){0};
}

bool bill_refuse(const struct bill *bill, const char *column, struct str text, const char *why,
                 struct error *err)
{
    if (text.len == 0)
        return error_fail(err, ERROR_INPUT, "line %" PRIu64 ": %s is empty", bill->row.line,
                          column);
    return error_fail(err, ERROR_INPUT, "line %" PRIu64 ": %s: '%.*s' %s", bill->row.line,
                      column, STR_ARG(text), why);
}

struct bill_block {
    struct bill_block *next;
    size_t room;
    char at[];
};

#define BLOCK_ROOM ((size_t)16 * 1024)

bool bill_texts_room(struct bill *bill, size_t size, char **out, struct error *err)
{
    struct bill_texts *t = &bill->texts;
    struct bill_block *block = t->now;

    if (block == NULL || block->room - t->used < size) {
        struct bill_block **at = block == NULL ? &t->first : &block->next;

        /* Those that are there from earlier lines first. */
        while (*at != NULL && (*at)->room < size)
            at = &(*at)->next;
        if (*at == NULL) {
            size_t room = size > BLOCK_ROOM ? size : BLOCK_ROOM;

            *at = bill->alloc->get(bill->alloc->ctx, sizeof **at + room);
            if (*at == NULL) {
                (void)error_memory(err);
                return false;
            }
            (*at)->next = NULL;
            (*at)->room = room;
        }
        t->now = block = *at;
        t->used = 0;
    }
    *out = block->at + t->used;
    t->used += size;
    return true;
}

void bill_texts_free(struct bill *bill)
{
    struct bill_block *block = bill->texts.first;

    while (block != NULL) {
        struct bill_block *next = block->next;

        bill->alloc->put(bill->alloc->ctx, block);
        block = next;
    }
}

bool bill_text(struct bill *bill, struct str text, struct str *out, struct error *err)
{
    char *room;

    if (!bill_texts_room(bill, text.len + 1, &room, err)) /* one more: never no address */
        return false;
    if (text.len > 0)
        memcpy(room, text.at, text.len);
    *out = (struct str){room, text.len};
    return true;
}

bool bill_text_work(struct bill *bill, struct str *out, struct error *err)
{
    bool done = buf_ok(&bill->work, err) && bill_text(bill, buf_text(&bill->work), out, err);

    buf_clear(&bill->work);
    return done;
}

void bill_put(struct buf *out, struct str key, struct str value)
{
    buf_char(out, out->len == 0 ? '{' : ',');
    json_write_text(key, out);
    buf_char(out, ':');
    json_write_text(value, out);
}

bool bill_object(struct bill *bill, struct str *out, struct error *err)
{
    *out = (struct str){0};
    if (bill->work.len == 0)
        return buf_ok(&bill->work, err);
    buf_char(&bill->work, '}');
    return bill_text_work(bill, out, err);
}
