#include "truth/constants_file.h"

#include <string.h>

#include "base/csv.h"
#include "base/fs.h"
#include "base/num.h"

#define FITTED "fitted with stint validate on "
#define BEFORE "before: "

static double constant_value_of(const struct constants *values, struct str name,
                                double fallback)
{
    for (size_t i = 0; i < CONSTANT_COUNT; i++)
        if (str_eq(str_from(constant_names[i]), name))
            return values->at[i];
    return fallback;
}

static void add_escaped_csv(struct buf *out, struct str text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (text.at[i] == '"')
            buf_char(out, '"');
        buf_char(out, text.at[i]);
    }
}

static void add_constant_text(struct buf *out, struct str text)
{
    buf_char(out, ',');
    csv_write_field(text, out);
}

/* A value that was fitted again no longer has its source. Fitted once more, it does not
 * name the fit in between: the text would grow with each. */
static void add_source(struct buf *out, const struct constant *row, bool fitted, day today)
{
    struct str before = row->fact.source, rest = before;

    if (!fitted) {
        add_constant_text(out, row->fact.source);
        return;
    }
    if (str_starts(rest, STR(FITTED))) {
        (void)str_cut(&rest, ';');
        rest = str_trim(rest);
        if (str_starts(rest, STR(BEFORE)))
            before =
                str_trim((struct str){rest.at + strlen(BEFORE), rest.len - strlen(BEFORE)});
    }
    buf_adds(out, ",\"" FITTED);
    day_write(today, out);
    buf_adds(out, "; " BEFORE);
    add_escaped_csv(out, before);
    buf_char(out, '"');
}

static void add_constant_row(struct buf *out, const struct constant *row, double value,
                             day today)
{
    bool fitted = value != row->value;

    buf_add(out, row->name);
    buf_char(out, ',');
    num_write(value, out);
    add_constant_text(out, row->unit);
    buf_char(out, ',');
    if (row->prior > 0)
        num_write(row->prior, out);
    buf_char(out, ',');
    if (row->spread >= 0)
        num_write(row->spread, out);
    add_constant_text(out, row->fitted_on);
    buf_char(out, ',');
    day_write(fitted ? today : row->fact.date, out);
    add_source(out, row, fitted, today);
    add_constant_text(out, row->fact.notes);
    buf_char(out, '\n');
}

bool constants_save(const struct catalog *catalog, const struct constants *values, day today,
                    struct str path, struct arena *arena, struct error *err)
{
    struct buf out = buf_new(arena->alloc, BUF_MAX_OUTPUT);
    char *name = str_dup(path, arena, err);
    bool ok;

    buf_adds(&out, "name,value,unit,prior,spread,fitted_on,date,source,notes\n");
    for (size_t i = 0; i < catalog->tables[TABLE_CONSTANTS].len; i++) {
        const struct constant *row = CATALOG_ROW(catalog, TABLE_CONSTANTS, constant, i);

        add_constant_row(&out, row, constant_value_of(values, row->name, row->value), today);
    }
    ok = name != NULL && buf_ok(&out, err) &&
         fs_replace(name, (struct str){out.at, out.len}, err);
    buf_free(&out);
    return ok;
}
