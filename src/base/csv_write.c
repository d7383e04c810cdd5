#include "base/csv.h"

void csv_write_field(struct str text, struct buf *out)
{
    bool quote = false;

    for (size_t i = 0; i < text.len; i++)
        quote |=
            text.at[i] == ',' || text.at[i] == '"' || text.at[i] == '\n' || text.at[i] == '\r';
    if (!quote) {
        buf_add(out, text);
        return;
    }
    buf_char(out, '"');
    for (size_t i = 0; i < text.len; i++) {
        if (text.at[i] == '"')
            buf_char(out, '"');
        buf_char(out, text.at[i]);
    }
    buf_char(out, '"');
}
