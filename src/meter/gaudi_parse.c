#include <math.h>
#include <stdio.h>

#include "base/num.h"
#include "meter/gaudi.h"

#define MIB 1048576.0

static double number_of(struct str word)
{
    double value;

    return num_double(word, &value) && value >= 0 ? value : NAN;
}

static int index_of(struct str word)
{
    int64_t value;

    return num_int(word, &value) && value >= 0 && value < 1024 ? (int)value : -1;
}

static void copy(struct str word, char *to, size_t room)
{
    (void)snprintf(to, room, "%.*s", STR_ARG(word));
}

size_t gaudi_parse(struct str text, struct gaudi_row *rows, size_t max)
{
    size_t count = 0;

    while (text.len > 0 && count < max) {
        struct str line = str_cut(&text, '\n'), word[9] = {{NULL, 0}};
        struct gaudi_row *row = &rows[count];
        size_t words = 0;

        while (line.len > 0 && words < 9)
            word[words++] = str_trim(str_cut(&line, ','));
        if (words < 9 || line.len > 0 || index_of(word[0]) < 0)
            continue;
        row->index = index_of(word[0]);
        row->module = index_of(word[1]);
        copy(word[2], row->uuid, sizeof row->uuid);
        copy(word[3], row->name, sizeof row->name);
        row->busy = number_of(word[4]) / 100;
        row->memory = number_of(word[5]) * MIB;
        row->memory_total = number_of(word[6]) * MIB;
        row->watts = number_of(word[7]);
        row->celsius = number_of(word[8]);
        if (row->busy > 1)
            row->busy = NAN;
        count++;
    }
    return count;
}
