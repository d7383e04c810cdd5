/* sample_labels.h - a label for each file, from a table. */
#ifndef DATA_SAMPLE_SAMPLE_LABELS_H
#define DATA_SAMPLE_SAMPLE_LABELS_H

#include "base/arena.h"
#include "base/map.h"
#include "base/str.h"
#include "base/watch.h"

/* The file is a CSV with a first line of names (.tsv: separated by tabs), or lines of JSON.
 * Which files: its column file_name, file, path, image, id or the like. Labels: `column`, or
 * when that is empty its column label, class, category or target. `out`: the label (struct str)
 * by the file's name as the table has it; of a file that is there twice, the first counts. */
bool sample_labels_read(const char *path, struct str column, const struct watch *watch,
                        struct arena *arena, struct map *out, struct error *err) MUST_USE;

#endif
