#include "report/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/num.h"

#define HEAD_MAX ((size_t)64) /* bytes of a JSON file that show its schema */

static const struct field written_fields[] = {
    FIELD(TEXT, report_written, path, .help = "path of the file"),
    FIELD(COUNT, report_written, size, .help = "size in bytes"),
};
const struct field_set report_written_fields = FIELD_SET(struct report_written, written_fields);

static bool ends_with(const char *name, const char *tail)
{
    return str_ends(str_from(name), str_from(tail));
}

bool report_files_add(struct report_files *files, const char *name, struct buf *text,
                      struct arena *arena, struct error *err)
{
    struct report_file *file = &files->at[files->len];

    if (files->len == REPORT_FILES_MAX) {
        buf_free(text);
        return error_fail(err, ERROR_FAILED, "more than %d files in a report",
                          REPORT_FILES_MAX);
    }
    if (ends_with(name, ".svg") || ends_with(name, ".html") || ends_with(name, ".md")) {
        if (text->len > 0 && text->at[text->len - 1] != '\n')
            buf_char(text, '\n');
        buf_adds(text, REPORT_MARK);
    }
    file->name = name;
    files->len++;
    return buf_keep(text, arena, &file->text, err);
}

/* ---- whose is a file that is there? ---- */

/* Up to `room` bytes of the file, from its start or its end; -1 when it cannot be read. */
static ssize_t read_edge(const char *path, bool end, char *to, size_t room)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    ssize_t got;

    if (fd < 0)
        return -1;
    if (end && lseek(fd, -(off_t)room, SEEK_END) < 0)
        (void)lseek(fd, 0, SEEK_SET); /* a shorter file */
    got = read(fd, to, room);
    (void)close(fd);
    return got;
}

static bool is_our_report(const char *path)
{
    char edge[HEAD_MAX];
    bool json = ends_with(path, ".json");
    ssize_t got = read_edge(path, !json, edge, json ? sizeof edge : strlen(REPORT_MARK));
    struct str text = {edge, got > 0 ? (size_t)got : 0};

    return json ? str_starts(text, STR("{\"schema\":\"stint."))
                : str_eq(text, STR(REPORT_MARK));
}

/* The file that shows whose `name` is: pictures are known by the SVG that they were made from,
 * CSV files, which cannot have a mark, by the page beside them. */
static void name_witness(const char *name, char *out, size_t room)
{
    const char *dot = strrchr(name, '.');
    size_t stem = dot != NULL ? (size_t)(dot - name) : 0;

    str_copy(str_from(name), out, room);
    if (dot != NULL && strcmp(dot, ".csv") == 0)
        str_copy(STR("report.html"), out, room);
    else if (dot != NULL && (strcmp(dot, ".png") == 0 || strcmp(dot, ".pdf") == 0) &&
             stem + sizeof ".svg" <= room)
        str_copy(STR(".svg"), out + stem, room - stem);
}

static bool may_replace(const char *folder, const char *name, struct arena *arena,
                        struct error *err, bool *out)
{
    char witness[80];
    char *path = fs_join(folder, name, arena, err), *shown;

    name_witness(name, witness, sizeof witness);
    shown = fs_join(folder, witness, arena, err);
    if (path == NULL || shown == NULL)
        return false;
    *out = !fs_exists(path) || is_our_report(shown);
    return true;
}

static bool check_replaced(const struct report_files *files, const char *folder,
                           struct arena *arena, struct error *err)
{
    for (size_t i = 0; i < files->len; i++) {
        bool may;

        if (!may_replace(folder, files->at[i].name, arena, err, &may))
            return false;
        if (may)
            continue;
        error_set(err, ERROR_INPUT, "'%s/%s' was not written by Stint: not replaced", folder,
                  files->at[i].name);
        error_hint(err, "--replace replaces it; -o DIR writes to another folder");
        return false;
    }
    return true;
}

/* ---- what a killed report left ---- */

/* The process of a file "NAME.PID.tmp" beside one of the report's files; 0: it is none. */
static pid_t writer_of(const struct report_files *files, struct str name)
{
    for (size_t i = 0; i < files->len; i++) {
        struct str rest = name, own = str_from(files->at[i].name);
        int64_t pid;

        if (!str_starts(rest, own) || !str_ends(rest, STR(".tmp")) ||
            rest.len < own.len + sizeof "..tmp")
            continue;
        rest = (struct str){rest.at + own.len, rest.len - own.len - (sizeof ".tmp" - 1)};
        if (rest.at[0] == '.' && num_int((struct str){rest.at + 1, rest.len - 1}, &pid) &&
            pid > 0 && pid <= INT32_MAX)
            return (pid_t)pid;
    }
    return 0;
}

/* Files of a report that was killed while it wrote them. */
static void remove_left(const struct report_files *files, const char *folder)
{
    DIR *dir = opendir(folder);
    const struct dirent *entry;

    while (dir != NULL && (entry = readdir(dir)) != NULL) {
        pid_t writer = writer_of(files, str_from(entry->d_name));

        if (writer > 0 && kill(writer, 0) != 0 && errno == ESRCH)
            (void)unlinkat(dirfd(dir), entry->d_name, 0);
    }
    if (dir != NULL)
        (void)closedir(dir);
}

/* ---- writing ---- */

struct placed {
    struct fs_output output;
    bool there; /* before: what takes its place stays */
};

static bool write_one(const struct report_file *file, const char *folder, struct placed *place,
                      struct arena *arena, struct report_written *written, struct error *err)
{
    char *path = fs_join(folder, file->name, arena, err);

    place->output.fd = -1;
    if (path == NULL || !fs_output_open(path, &place->output, err))
        return false;
    place->there = fs_exists(path);
    *written = (struct report_written){str_from(path), (int64_t)file->text.len};
    if (!fs_write_all(place->output.fd, file->text, err)) {
        error_context(err, "%s", path);
        return false;
    }
    return fs_output_flush(&place->output, err);
}

/* Put all in their places when `ok`; else, or when one cannot be, leave none that was not there
 * before. */
static bool place_all(struct placed *places, size_t count, bool ok, struct error *err)
{
    size_t placed = 0;

    for (size_t i = 0; i < count; i++) {
        ok = fs_output_close(&places[i].output, ok, err);
        placed += ok;
    }
    for (size_t i = 0; i < placed && !ok; i++)
        if (!places[i].there)
            (void)unlink(places[i].output.path);
    return ok;
}

bool report_files_put(const struct report_files *files, const char *folder, bool replace,
                      struct arena *arena, struct rows *out, struct error *err)
{
    struct placed *places = arena_array(arena, struct placed, files->len, err);
    struct report_written *written = arena_array(arena, struct report_written, files->len, err);
    bool made, ok = true;
    size_t begun = 0;

    if (places == NULL || written == NULL ||
        (!replace && !check_replaced(files, folder, arena, err)) ||
        !fs_make_output_folder(folder, &made, err))
        return false;
    for (; begun < files->len && ok; begun++)
        ok = write_one(&files->at[begun], folder, &places[begun], arena, &written[begun], err);
    ok = place_all(places, begun, ok, err);
    if (ok) {
        remove_left(files, folder);
        fs_sync_folder(folder);
    } else if (made)
        (void)rmdir(folder);
    *out = (struct rows){written, files->len};
    return ok;
}
