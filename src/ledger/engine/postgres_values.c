/* PostgreSQL: values in and out of statements, as text. */
#include <math.h>

#include "base/hex.h"
#include "base/num.h"
#include "ledger/engine/postgres.h"

/* The place of a value, about to be set; NULL when the statement has none of that number. */
static struct pg_value *place(struct query *base, int at)
{
    struct pg_query *q = (struct pg_query *)base;

    if (at < 1 || at > q->value_count)
        return NULL;
    q->values[at - 1] = (struct pg_value){.known = true, .offset = q->words.len};
    return &q->values[at - 1];
}

static void placed(struct query *base)
{
    struct pg_query *q = (struct pg_query *)base;

    buf_char(&q->words, '\0');
    if (q->words.failed)
        base->failed = true;
}

void pg_bind_int(struct query *q, int at, int64_t value)
{
    struct pg_value *v = place(q, at);

    if (v == NULL)
        return;
    buf_addf(&((struct pg_query *)q)->words, "%lld", (long long)value);
    placed(q);
}

void pg_bind_real(struct query *q, int at, double value)
{
    struct pg_value *v = place(q, at);
    struct buf *words = &((struct pg_query *)q)->words;

    if (v == NULL)
        return;
    if (isinf(value))
        buf_adds(words, value < 0 ? "-Infinity" : "Infinity");
    else if (isnan(value))
        buf_adds(words, "NaN");
    else
        num_write(value, words);
    placed(q);
}

void pg_bind_text(struct query *q, int at, struct str text)
{
    struct pg_value *v = place(q, at);

    if (v == NULL)
        return;
    pg_clean(text, &((struct pg_query *)q)->words);
    placed(q);
}

void pg_bind_word(struct query *q, int at, struct str word)
{
    pg_bind_text(q, at, word);
}

void pg_bind_blob(struct query *q, int at, struct str bytes)
{
    struct pg_value *v = place(q, at);

    if (v == NULL)
        return;
    buf_adds(&((struct pg_query *)q)->words, "\\x");
    hex_write(bytes, &((struct pg_query *)q)->words);
    placed(q);
}

void pg_bind_null(struct query *q, int at)
{
    struct pg_value *v = place(q, at);

    if (v != NULL)
        v->known = false;
}

static struct pg_cell *cell(struct query *base, int at)
{
    static struct pg_cell none;
    struct pg_query *q = (struct pg_query *)base;

    return at >= 0 && at < q->cell_count ? &q->cells[at] : &none;
}

bool pg_column_null(struct query *q, int at)
{
    return cell(q, at)->at == NULL;
}

struct str pg_column_text(struct query *q, int at)
{
    const struct pg_cell *c = cell(q, at);

    return (struct str){c->at, c->len};
}

/* "\\x0123": in hexadecimal, as the connection was told. */
void pg_column_blob(struct query *q, int at, struct buf *out)
{
    struct str text = pg_column_text(q, at);

    if (text.at != NULL && (!str_starts(text, STR("\\x")) ||
                            !hex_read((struct str){text.at + 2, text.len - 2}, out)))
        out->failed = ERROR_INPUT;
}

int64_t pg_column_int(struct query *q, int at)
{
    struct str text = pg_column_text(q, at);
    int64_t whole;
    double real;

    if (text.len == 0)
        return 0;
    if (num_int(text, &whole))
        return whole;
    if (text.at[0] == 't') /* true */
        return 1;
    return num_double(text, &real) && fabs(real) < 9e18 ? (int64_t)real : 0;
}

double pg_column_real(struct query *q, int at)
{
    struct str text = pg_column_text(q, at);
    double real;

    if (num_read(text, &real))
        return real;
    if (str_eq(text, STR("Infinity")))
        return INFINITY;
    if (str_eq(text, STR("NaN")))
        return NAN;
    return str_eq(text, STR("-Infinity")) ? -INFINITY : 0;
}
