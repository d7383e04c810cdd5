#include "bill/focus/focus_write.h"

#include "base/csv.h"
#include "unit/time.h"

/* Is the column one of the version's? */
static bool has(int minor, int column)
{
    return focus_columns[column].first <= minor && focus_columns[column].last >= minor;
}

void focus_write_header(int minor, const struct focus_extra *extra, size_t count,
                        struct buf *out)
{
    bool first = true;

    for (int i = 0; i < FOCUS_COUNT; i++) {
        if (!has(minor, i))
            continue;
        if (!first)
            buf_char(out, ',');
        buf_adds(out, focus_columns[i].name);
        first = false;
    }
    for (size_t i = 0; i < count; i++)
        buf_addf(out, ",%s", extra[i].name);
    buf_char(out, '\n');
}

void focus_write_row(int minor, const struct str of[FOCUS_COUNT], const struct str *values,
                     size_t count, struct buf *out)
{
    bool first = true;

    for (int i = 0; i < FOCUS_COUNT; i++) {
        if (!has(minor, i))
            continue;
        if (!first)
            buf_char(out, ',');
        csv_write_field(of[i], out);
        first = false;
    }
    for (size_t i = 0; i < count; i++) {
        buf_char(out, ',');
        csv_write_field(values[i], out);
    }
    buf_char(out, '\n');
}

static void write_column(const char *name, enum focus_kind kind, struct buf *out)
{
    static const char *const types[] = {
        [FOCUS_TEXT] = "\"STRING\",\"StringEncoding\":\"UTF-8\"",
        [FOCUS_DECIMAL] = "\"DECIMAL\",\"NumericPrecision\":38,\"NumberScale\":28",
        [FOCUS_TIME] = "\"DATETIME\"",
        [FOCUS_JSON] = "\"JSON\"",
    };

    buf_addf(out, "    {\"ColumnName\":\"%s\",\"DataType\":%s}", name, types[kind]);
}

void focus_write_metadata(const struct focus_about *about, struct buf *out)
{
    bool first = true;

    buf_addf(out, "{\n  \"SchemaId\": \"stint-focus-1.%d-1\",\n", about->minor);
    buf_addf(out, "  \"FocusVersion\": \"1.%d\",\n  \"CreationDate\": \"", about->minor);
    stamp_write(about->created, out);
    buf_addf(out, "\",\n  \"DataGenerator\": \"stint\",\n  \"DataGeneratorVersion\": \"%s\",\n",
             about->generator_version);
    buf_adds(out, "  \"ColumnDefinition\": [\n");
    for (int i = 0; i < FOCUS_COUNT; i++) {
        if (!has(about->minor, i))
            continue;
        if (!first)
            buf_adds(out, ",\n");
        write_column(focus_columns[i].name, focus_columns[i].kind, out);
        first = false;
    }
    for (size_t i = 0; i < about->extra_count; i++) {
        buf_adds(out, ",\n");
        write_column(about->extra[i].name, about->extra[i].kind, out);
    }
    buf_adds(out, "\n  ]\n}\n");
}
