/* Tables: a line of column names, then lines of numbers (fastai; CSV loggers). */
#include <math.h>
#include <string.h>

#include "run/output/metric_internal.h"

/* The next cell: parted by blanks, commas or bars. Empty at the end. */
static struct str take_cell(struct str *text)
{
    struct str cell;

    while (text->len > 0 && (text->at[0] == ' ' || text->at[0] == '\t' || text->at[0] == ',' ||
                             text->at[0] == '|'))
        step_over(text, 1);
    cell = (struct str){text->at, 0};
    while (cell.len < text->len && text->at[cell.len] != ' ' && text->at[cell.len] != '\t' &&
           text->at[cell.len] != ',' && text->at[cell.len] != '|')
        cell.len++;
    step_over(text, cell.len);
    return cell;
}

/* "epoch train_loss valid_loss accuracy time": only names, a counter first, a loss among
 * them. */
static bool read_head(struct str line, struct line_memory *memory)
{
    struct line_memory seen = {.columns = 0};
    bool loss = false;

    for (struct str cell = take_cell(&line); cell.len > 0; cell = take_cell(&line)) {
        char name[KEY_ROOM];
        enum key key;

        if (seen.columns == METRIC_USER || cell.len >= METRIC_NAME || !is_letter(cell.at[0]))
            return false;
        for (size_t i = 0; i < cell.len; i++) {
            if (!is_word(cell.at[i]) && cell.at[i] != '/' && cell.at[i] != '@')
                return false;
        }
        key = key_read(cell, name);
        if (seen.columns == 0 && key != KEY_EPOCH && key != KEY_STEP)
            return false;
        loss |= key == KEY_LOSS || key == KEY_EVAL_LOSS;
        memcpy(seen.column[seen.columns], name, METRIC_NAME - 1);
        seen.column[seen.columns][METRIC_NAME - 1] = '\0';
        seen.column_key[seen.columns++] = key;
    }
    if (!loss || seen.columns < 2)
        return false;
    memory->columns = seen.columns;
    memcpy(memory->column, seen.column, sizeof seen.column);
    memcpy(memory->column_key, seen.column_key, sizeof seen.column_key);
    return true;
}

static bool read_row(struct str line, const struct line_memory *memory,
                     struct metric_update *out)
{
    int i = 0;

    metric_clear(out);
    for (struct str cell = take_cell(&line); cell.len > 0; cell = take_cell(&line), i++) {
        double value = NAN;
        bool time = number_take_time(&cell, &value),
             none = cell.len == 4 &&
                    (memcmp(cell.at, "None", 4) == 0 || memcmp(cell.at, "#na#", 4) == 0);

        if (i == memory->columns || (!time && !none && !number_take(&cell, &value)) ||
            (!none && cell.len > 0))
            return false;
        if (!time && !none)
            update_tell(out, memory->column_key[i], memory->column[i], value, NAN);
    }
    out->style = "table";
    return i == memory->columns;
}

bool style_table(struct str line, struct line_memory *memory, struct metric_update *out)
{
    if (memory->columns > 0 && read_row(line, memory, out))
        return true;
    metric_clear(out);
    (void)read_head(line, memory);
    return false;
}
