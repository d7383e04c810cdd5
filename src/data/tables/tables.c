#include "data/tables/tables.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/map.h"
#include "base/num.h"
#include "base/spawn.h"
#include "data/program.h"
#include "data/remake.h"
#include "data/tables/tables_sql.h"

#define SQL_MOST ((size_t)64 << 20)
#define ANSWER_MOST ((size_t)64 << 20)
#define ANSWERS 3
#define PATH_SHOWN 80 /* bytes that a reason leaves room for */

const char *const tables_fate_names[TABLES_FATES + 1] = {
    [TABLES_PARQUET] = "Parquet",
    [TABLES_BEST] = "small already",
    [TABLES_LEFT] = "left",
    [TABLES_OTHER] = "other",
};

static const struct field sum_fields[] = {
    FIELD(ENUM, tables_sum, outcome, .names = tables_fate_names,
          .help = "result: Parquet, or copied and why"),
    FIELD(COUNT, tables_sum, files, .help = "number of files"),
    FIELD(BYTES, tables_sum, size, .help = "size before"),
    FIELD(BYTES, tables_sum, new_size, .help = "size after"),
};

const struct field_set tables_sum_fields = FIELD_SET(struct tables_sum, sum_fields);

static const struct field table_fields[] = {
    FIELD(TEXT, tables_table, path, .help = "path in the folder"),
    FIELD(TEXT, tables_table, written, .help = "path of the new file"),
    FIELD(COUNT, tables_table, rows, .help = "number of rows"),
    FIELD(COUNT, tables_table, columns, .help = "number of columns"),
    FIELD(TEXTS, tables_table, text, .help = "columns that are text"),
    FIELD(BYTES, tables_table, size, .help = "size before"),
    FIELD(BYTES, tables_table, new_size, .help = "size after"),
};

const struct field_set tables_table_fields = FIELD_SET(struct tables_table, table_fields);

static const struct field note_fields[] = {
    FIELD(TEXT, tables_note, path, .help = "path in the folder"),
    FIELD(TEXT, tables_note, reason, .help = "reason"),
};

const struct field_set tables_note_fields = FIELD_SET(struct tables_note, note_fields);

/* The work on a folder. Names that duckdb sees are our own: links in a folder of their own,
 * since it takes stars and brackets in names for patterns. */
struct tables_crew {
    const struct tables_work *work;
    struct arena *arena;
    struct tables *out;
    struct remake_folder to;
    char scratch[PATH_MAX - 64]; /* empty: not made */
    struct map names;            /* of all files of the folder */
    size_t table_room, note_room, number;
    uint64_t done, total;
};

/* One table on its way. */
struct tables_item {
    struct tree_entry *entry;
    struct tree_stat stat;
    int trouble;
    const char *ending; /* ".csv", ".jsonl.gz" */
    struct tables_source source;
    char link[PATH_MAX], parquet[PATH_MAX];
    struct tables_column *columns;
    size_t count;
    int64_t rows;
    uint64_t new_size;
    bool refused;
    char why[300];
};

static const char *const endings[] = {".csv",    ".tsv",    ".jsonl",    ".ndjson",
                                      ".csv.gz", ".tsv.gz", ".jsonl.gz", ".ndjson.gz"};

static const char *table_ending(struct str path)
{
    for (size_t i = 0; i < ARRAY_LEN(endings); i++) {
        struct str end = str_from(endings[i]);

        if (path.len > end.len &&
            str_eq_nocase((struct str){path.at + path.len - end.len, end.len}, end))
            return endings[i];
    }
    return NULL;
}

/* ---- duckdb ---- */

/* What follows is about its options and our SQL. */
static bool is_advice(struct str text)
{
    return str_starts(text, STR("\n\n")) || str_starts(text, STR("\nPossible")) ||
           str_starts(text, STR("\nThe search"));
}

/* In one line, without what it calls the kind of the error, and with the user's name of the
 * file. */
static void note_refused(struct tables_item *item, struct str trouble, int status)
{
    const struct str kinds[] = {STR("Error: "), STR("Invalid Input "), STR("Binder "),
                                STR("Error: ")};
    struct buf why = buf_within(item->why, sizeof item->why);
    struct str link = str_from(item->link);

    item->refused = true;
    if (trouble.len == 0)
        buf_addf(&why, "duckdb ended with status %d", status);
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
        if (str_starts(trouble, kinds[i])) {
            trouble.at += kinds[i].len;
            trouble.len -= kinds[i].len;
        }
    while (trouble.len > 0 && !is_advice(trouble) && why.len + PATH_SHOWN < sizeof item->why) {
        struct str c = {trouble.at, 1};

        if (link.len > 0 && str_starts(trouble, link)) {
            buf_add_safe(
                &why, (struct str){item->entry->path.at, item->entry->path.len < PATH_SHOWN / 2
                                                             ? item->entry->path.len
                                                             : PATH_SHOWN / 2});
            c.len = link.len;
        } else if (*c.at == '\n') {
            buf_adds(&why, " ");
        } else {
            size_t len = str_character(trouble);

            c.len = len > 0 && len <= trouble.len ? len : 1;
            buf_add_safe(&why, c);
        }
        trouble.at += c.len;
        trouble.len -= c.len;
    }
    while (why.len > 0 && why.len < sizeof item->why && why.at[why.len - 1] == ' ')
        why.len--;
    item->why[why.len < sizeof item->why ? why.len : sizeof item->why - 1] = '\0';
}

/* Its answers to this SQL: `count` of them, or the item is refused. */
static bool ask_duckdb(const struct tables_crew *crew, struct tables_item *item,
                       struct buf *sql, struct strs *answers, size_t count, struct arena *arena,
                       struct error *err)
{
    static const char *const argv[] = {"duckdb", "-init",     "/dev/null", "-bail",
                                       "-list",  "-noheader", ":memory:",  NULL};
    struct program_work program = {
        .argv = argv, .output_max = ANSWER_MOST, .watch = crew->work->watch};
    struct program_end end;
    struct str rest, line;
    size_t found = 0;

    if (!buf_ok(sql, err))
        return false;
    program.input = buf_text(sql);
    if (!program_run(&program, arena, &end, err))
        return false;
    rest = end.output;
    while (rest.len > 0) {
        line = str_cut(&rest, '\n');
        if (!str_starts(line, STR(TABLES_ANSWER)) || found == count)
            continue;
        line.at += strlen(TABLES_ANSWER);
        line.len -= strlen(TABLES_ANSWER);
        if (!tables_answer(line, arena, &answers[found++], err))
            return false;
    }
    if (end.status != 0 || found < count)
        note_refused(item, end.trouble, end.status);
    return true;
}

/* The only column has a name with what may be the delimiter. */
static bool has_other_delimiter(const struct tables_item *item, struct strs names)
{
    return !item->source.json && names.len == 1 &&
           (memchr(names.at[0].at, ';', names.at[0].len) != NULL ||
            memchr(names.at[0].at, '\t', names.at[0].len) != NULL ||
            memchr(names.at[0].at, '|', names.at[0].len) != NULL);
}

static bool take_names(struct tables_item *item, struct strs names, struct arena *arena,
                       struct error *err)
{
    if (has_other_delimiter(item, names)) {
        note_refused(item, STR("one column: name the delimiter with --delimiter"), 0);
        return true;
    }
    if (names.len == 0 || names.len > TABLES_COLUMNS) {
        note_refused(item, names.len == 0 ? STR("no columns") : STR("more than 2000 columns"),
                     0);
        return true;
    }
    item->columns = arena_array(arena, struct tables_column, names.len, err);
    if (item->columns == NULL)
        return false;
    item->count = names.len;
    for (size_t i = 0; i < names.len; i++) {
        item->columns[i].name = names.at[i];
        item->columns[i].may = TABLES_MAY_ANY;
    }
    return true;
}

static bool find_columns(const struct tables_crew *crew, struct tables_item *item,
                         struct buf *sql, struct arena *arena, struct error *err)
{
    struct strs answer = {0};

    tables_ask_names(&item->source, sql);
    return ask_duckdb(crew, item, sql, &answer, 1, arena, err) &&
           (item->refused || take_names(item, answer, arena, err));
}

static bool find_forms(const struct tables_crew *crew, struct tables_item *item,
                       struct buf *sql, struct arena *arena, struct error *err)
{
    struct strs answer = {0};
    bool nested = false;

    for (int sample = 1; sample >= 0 && !item->refused; sample--) {
        buf_clear(sql);
        tables_ask_forms(&item->source, item->columns, item->count, sample > 0, sql);
        if (!ask_duckdb(crew, item, sql, &answer, 1, arena, err))
            return false;
        if (!item->refused &&
            !tables_take_forms(answer, item->source.json, item->columns, item->count))
            note_refused(item, STR("duckdb gives no types"), 0);
    }
    for (size_t i = 0; !item->refused && i < item->count; i++)
        nested = nested || item->columns[i].maybe_nested;
    if (!nested)
        return true;
    buf_clear(sql);
    tables_ask_nested(&item->source, item->columns, item->count, sql);
    if (!ask_duckdb(crew, item, sql, &answer, 1, arena, err))
        return false;
    if (item->refused || !tables_take_nested(answer, item->columns, item->count))
        for (size_t i = 0; i < item->count; i++) /* then as text */
            if (item->columns[i].form == TABLES_NESTED)
                item->columns[i].form = TABLES_TEXT;
    item->refused = false;
    return true;
}

static bool are_answers_same(struct strs a, struct strs b)
{
    bool same = a.len == b.len && a.len > 0;

    for (size_t i = 0; same && i < a.len; i++)
        same = str_eq(a.at[i], b.at[i]);
    return same;
}

static bool convert_table(const struct tables_crew *crew, struct tables_item *item,
                          struct buf *sql, struct arena *arena, struct error *err)
{
    struct strs answers[ANSWERS] = {{0}};
    struct stat st;
    bool names;

    buf_clear(sql);
    tables_ask_convert(&item->source, item->columns, item->count, item->parquet, sql);
    if (!ask_duckdb(crew, item, sql, answers, ANSWERS, arena, err))
        return false;
    if (item->refused)
        return true;
    names = answers[2].len == item->count;
    for (size_t i = 0; names && i < item->count; i++)
        names = str_eq(answers[2].at[i], item->columns[i].name);
    if (!names || !are_answers_same(answers[0], answers[1]) ||
        !num_int(answers[0].at[0], &item->rows) || stat(item->parquet, &st) != 0)
        note_refused(item, STR("the Parquet file is not the same as the table"), 0);
    else
        item->new_size = (uint64_t)st.st_size;
    return true;
}

static bool ask_about_table(const struct tables_crew *crew, struct tables_item *item,
                            struct arena *arena, struct error *err)
{
    struct buf sql = buf_new(arena->alloc, SQL_MOST);
    bool ok = find_columns(crew, item, &sql, arena, err) &&
              (item->refused || find_forms(crew, item, &sql, arena, err)) &&
              (item->refused || convert_table(crew, item, &sql, arena, err));

    buf_free(&sql);
    return ok;
}

/* ---- one file ---- */

static bool join_table_path(char to[static PATH_MAX], const char *folder, struct str name)
{
    int len = snprintf(to, PATH_MAX, "%s/%.*s", folder, (int)name.len, name.at);

    return len >= 0 && len < PATH_MAX;
}

/* Where duckdb finds it and writes to. */
static bool name_for_duckdb(struct tables_crew *crew, struct tables_item *item,
                            struct error *err)
{
    char name[PATH_MAX], real[PATH_MAX], number[64];
    bool tsv = strncmp(item->ending, ".tsv", 4) == 0;

    (void)snprintf(number, sizeof number, "%zu%s", crew->number, item->ending);
    if (!join_table_path(name, crew->work->from, item->entry->path) ||
        !join_table_path(item->link, crew->scratch, str_from(number)) ||
        realpath(name, real) == NULL || symlink(real, item->link) != 0) {
        item->trouble = errno != 0 ? errno : ENAMETOOLONG;
        return true;
    }
    (void)snprintf(number, sizeof number, "out/.stint-%zu.parquet", crew->number++);
    if (!join_table_path(item->parquet, crew->scratch, str_from(number)))
        return remake_fail(item->entry->path, ENAMETOOLONG, err);
    item->source = (struct tables_source){
        .path = item->link,
        .spill = crew->scratch,
        .json = item->ending[1] == 'j' || item->ending[1] == 'n',
        .no_header = crew->work->no_header,
        .delimiter = crew->work->delimiter.len > 0 ? crew->work->delimiter
                     : tsv                         ? STR("\t")
                                                   : STR(","),
    };
    return true;
}

/* The name in the new folder: with another ending, unless a file there has it. */
static bool name_parquet(const struct tables_crew *crew, const struct tables_item *item,
                         struct str *out, struct error *err)
{
    struct str path = item->entry->path, stem = path;
    struct buf name = buf_new(crew->arena->alloc, BUF_MAX_OUTPUT);

    stem.len -= strlen(item->ending);
    buf_add(&name, stem);
    buf_adds(&name, ".parquet");
    if (name.failed == ERROR_NONE && map_find(&crew->names, buf_text(&name)) != NULL) {
        buf_clear(&name);
        buf_add(&name, path);
        buf_adds(&name, ".parquet");
    }
    return buf_keep(&name, crew->arena, out, err);
}

/* From its number to its name, with the time of the original. */
static bool place_parquet(struct tables_crew *crew, struct tables_item *item, struct str name,
                          struct error *err)
{
    char to[PATH_MAX];
    uint64_t size;
    int fd = remake_open(&crew->to, name, err);

    if (fd < 0)
        return false;
    if (!join_table_path(to, crew->to.temporary, name) || rename(item->parquet, to) != 0) {
        (void)close(fd);
        return remake_fail(name, errno, err);
    }
    (void)close(fd);
    fd = open(to, O_RDONLY | O_CLOEXEC);
    return fd < 0 ? remake_fail(name, errno, err)
                  : remake_close(fd, name, &item->stat, true, &size, err);
}

static bool list_text_columns(const struct tables_crew *crew, const struct tables_item *item,
                              struct strs *out, struct error *err)
{
    struct str *list = arena_array(crew->arena, struct str, item->count, err);
    size_t count = 0;

    for (size_t i = 0; list != NULL && i < item->count; i++)
        if (item->columns[i].form == TABLES_TEXT || item->columns[i].form == TABLES_STRING)
            if (!str_keep(item->columns[i].name, crew->arena, &list[count++], err))
                return false;
    *out = (struct strs){list, count};
    return list != NULL;
}

static void count_file(struct tables_crew *crew, const struct tables_item *item,
                       enum tables_fate fate, uint64_t new_size)
{
    struct tables_sum *sum = &crew->out->sums[fate];

    sum->files++;
    sum->size.n += item->stat.size;
    sum->new_size.n += new_size;
}

static bool keep_table(struct tables_crew *crew, struct tables_item *item, struct error *err)
{
    struct tables *out = crew->out;
    struct tables_table table = {.path = item->entry->path,
                                 .rows = item->rows,
                                 .columns = (int64_t)item->count,
                                 .size = {item->stat.size},
                                 .new_size = {item->new_size}};

    if (crew->work->only.len > 0) /* where it goes is known */
        table.written = str_from(crew->work->to);
    else if (!name_parquet(crew, item, &table.written, err) ||
             !place_parquet(crew, item, table.written, err))
        return false;
    if (!list_text_columns(crew, item, &table.text, err))
        return false;
    out->tables = arena_grow(crew->arena, out->tables, out->table_count, sizeof *out->tables,
                             &crew->table_room, err);
    if (out->tables == NULL)
        return false;
    out->tables[out->table_count++] = table;
    count_file(crew, item, TABLES_PARQUET, item->new_size);
    return true;
}

static bool note_left(struct tables_crew *crew, const struct tables_item *item,
                      struct error *err)
{
    struct tables *out = crew->out;
    struct tables_note *list = arena_grow(crew->arena, out->notes, out->note_count,
                                          sizeof *list, &crew->note_room, err);

    if (list == NULL)
        return false;
    out->notes = list;
    list += out->note_count++;
    list->path = item->entry->path;
    return str_keep(str_from(item->why), crew->arena, &list->reason, err);
}

static bool count_table_bytes(void *ctx, uint64_t more, struct error *err)
{
    struct tables_crew *crew = ctx;

    crew->done += more;
    watch_progress(crew->work->watch, "converting", crew->done, crew->total);
    return tree_goes_on(crew->work->watch, err);
}

static bool copy_table(struct tables_crew *crew, struct tables_item *item,
                       enum tables_fate fate, struct arena *scratch, struct error *err)
{
    struct remake_copy copy = {.path = item->entry->path,
                               .size = item->stat.size,
                               .step = count_table_bytes,
                               .ctx = crew};
    uint64_t size;
    bool ok;

    copy.fd = remake_open_original(crew->work->from, copy.path, &item->stat, &item->trouble);
    if (copy.fd < 0)
        return true;
    copy.to = remake_open(&crew->to, copy.path, err);
    ok = copy.to >= 0 && remake_copy(&copy, scratch, &item->trouble, err);
    if (ok && item->trouble == 0 && !tree_file_is_unchanged(copy.fd, &item->stat, NULL))
        item->trouble = REMAKE_CHANGING;
    (void)close(copy.fd);
    if (copy.to >= 0)
        ok = remake_close(copy.to, copy.path, &item->stat, ok && item->trouble == 0, &size,
                          err) &&
             ok;
    if (item->trouble != 0)
        remake_remove(&crew->to, copy.path);
    else if (ok)
        count_file(crew, item, fate, item->stat.size);
    return ok;
}

/* As Parquet, or as it is. */
static bool do_table(struct tables_crew *crew, struct tables_item *item, struct arena *scratch,
                     struct error *err)
{
    int fd =
        remake_open_original(crew->work->from, item->entry->path, &item->stat, &item->trouble);
    bool single = crew->work->only.len > 0;

    if (fd < 0)
        return true;
    if (!name_for_duckdb(crew, item, err) ||
        (item->trouble == 0 && !ask_about_table(crew, item, scratch, err))) {
        (void)close(fd);
        return false;
    }
    if (!tree_file_is_unchanged(fd, &item->stat, NULL))
        item->trouble = REMAKE_CHANGING;
    (void)close(fd);
    if (item->trouble != 0)
        return true;
    if (single && item->refused)
        return error_fail(err, ERROR_INPUT, "'%.*s' is no table: %s",
                          STR_ARG(item->entry->path), item->why);
    if (!item->refused && (single || item->new_size < item->stat.size)) {
        crew->done += item->stat.size;
        return keep_table(crew, item, err);
    }
    (void)unlink(item->parquet);
    if (item->refused && !note_left(crew, item, err))
        return false;
    return copy_table(crew, item, item->refused ? TABLES_LEFT : TABLES_BEST, scratch, err);
}

static bool do_tables_entry(struct tables_crew *crew, struct tree_entry *entry,
                            struct error *err)
{
    struct arena scratch = {.alloc = crew->arena->alloc, .block_size = crew->arena->block_size};
    struct tables_item *item = arena_array(&scratch, struct tables_item, 1, err);
    bool ok = item != NULL;

    if (ok) {
        item->entry = entry;
        ok = remake_follow(crew->work->from, entry, &item->stat, &scratch, err);
    }
    if (ok && entry->kind != TREE_FILE)
        ok = remake_other(crew->work->from, &crew->to, entry, &item->trouble, err);
    else if (ok && (item->ending = table_ending(entry->path)) != NULL)
        ok = do_table(crew, item, &scratch, err);
    else if (ok)
        ok = copy_table(crew, item, TABLES_OTHER, &scratch, err);
    if (ok && item->trouble != 0)
        ok = remake_note_trouble(&crew->out->tree, entry, item->trouble, err);
    arena_free(&scratch);
    return ok;
}

/* ---- all of them ---- */

static bool make_scratch(struct tables_crew *crew, struct error *err)
{
    const char *chosen = env_get("TMPDIR");
    char real[PATH_MAX], out[PATH_MAX];
    int len;

    if (chosen == NULL || strpbrk(chosen, "*?[") != NULL) /* duckdb would look for others */
        chosen = "/tmp";
    len = snprintf(crew->scratch, sizeof crew->scratch, "%s/stint-tables-XXXXXX", chosen);
    if (len < 0 || (size_t)len >= sizeof crew->scratch || mkdtemp(crew->scratch) == NULL) {
        crew->scratch[0] = '\0';
        error_system(err, errno, "cannot make a folder in '%s'", chosen);
        return false;
    }
    if (realpath(crew->to.temporary, real) != NULL &&
        join_table_path(out, crew->scratch, STR("out")) && symlink(real, out) == 0)
        return true;
    error_system(err, errno, "cannot make a folder in '%s'", chosen);
    return false;
}

static bool is_wanted(const struct tables_work *work, const struct tree_entry *entry)
{
    return !entry->trouble && (work->only.len == 0 || str_eq(entry->path, work->only));
}

static bool do_all_tables(struct tables_crew *crew, struct error *err)
{
    struct tree *tree = &crew->out->tree;

    for (size_t i = 0; i < tree->count; i++) {
        if (is_wanted(crew->work, &tree->entries[i]))
            crew->total += tree->entries[i].stat.size;
        if (map_add(&crew->names, tree->entries[i].path, NULL, err) == NULL)
            return false;
    }
    for (size_t i = 0; i < tree->count; i++) {
        watch_progress(crew->work->watch, "converting", crew->done, crew->total);
        if (!tree_goes_on(crew->work->watch, err) ||
            (is_wanted(crew->work, &tree->entries[i]) &&
             !do_tables_entry(crew, &tree->entries[i], err)))
            return false;
    }
    return true;
}

/* One file goes to its place from the folder that was made for it. */
static bool place_tables(struct tables_crew *crew, struct error *err)
{
    char from[PATH_MAX];

    if (crew->work->only.len == 0)
        return remake_place(&crew->to, err);
    if (crew->out->table_count == 0)
        return error_fail(err, ERROR_INPUT, "'%.*s' could not be read",
                          STR_ARG(crew->work->only));
    if (!join_table_path(from, crew->to.temporary, STR(".stint-0.parquet")) ||
        rename(from, crew->work->to) != 0)
        return remake_fail(crew->work->only, errno, err);
    return true;
}

static bool check_duckdb(struct error *err)
{
    char path[PATH_MAX];

    return spawn_find("duckdb", path) ||
           error_fail_hint(err, ERROR_ABSENT,
                           "install it from https://duckdb.org/install, so that it is in PATH",
                           "duckdb, which reads and writes the tables, is not installed");
}

/* A file alone is a tree of one entry. */
static bool walk_tables(struct tables_crew *crew, struct error *err)
{
    struct tree *tree = &crew->out->tree;
    char path[PATH_MAX];
    struct tree_entry *e;
    struct stat st;

    if (crew->work->only.len == 0)
        return tree_walk(crew->work->from, crew->work->watch, crew->arena, tree, err);
    tree->arena = crew->arena;
    e = tree_add_entry(tree, err);
    if (e == NULL)
        return false;
    if (!join_table_path(path, crew->work->from, crew->work->only) || stat(path, &st) != 0) {
        error_system(err, errno, "cannot read '%s'", path);
        return false;
    }
    *e = (struct tree_entry){
        .path = crew->work->only, .kind = TREE_FILE, .stat = tree_stat_of(&st)};
    return true;
}

bool tables_convert(const struct tables_work *work, struct arena *arena, struct tables *out,
                    struct error *err)
{
    struct tables_crew *crew = arena_array(arena, struct tables_crew, 1, err);
    bool ok;

    *out = (struct tables){0};
    if (crew == NULL)
        return false;
    crew->work = work;
    crew->arena = arena;
    crew->out = out;
    crew->to.name = work->to;
    crew->names = map_in_arena(arena);
    for (int32_t f = 0; f < TABLES_FATES; f++)
        out->sums[f] = (struct tables_sum){.outcome = f};
    if (!check_duckdb(err) ||
        !(work->only.len > 0 ? remake_check_absent(work->to, err)
                             : remake_check(work->from, work->to, err)) ||
        !walk_tables(crew, err))
        return false;
    ok = remake_start(&crew->to, err) && make_scratch(crew, err) && do_all_tables(crew, err) &&
         place_tables(crew, err);
    if (crew->scratch[0] != '\0')
        (void)fs_remove_folder(crew->scratch);
    remake_drop(&crew->to);
    return ok;
}
