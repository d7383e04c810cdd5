#include "demo/example_write.h"

#include <string.h>

#include "base/fs.h"

static const struct field row_fields[] = {
    FIELD(TEXT, example_row, name, .help = "name of the example"),
    FIELD(TEXT, example_row, file, .help = "name of its file"),
    FIELD(TEXT, example_row, about, .help = "description"),
    FIELD(TEXT, example_row, command, .help = "command to try it with"),
    FIELD(TEXT, example_row, path, .empty_unknown = true, .help = "file that was written"),
};
const struct field_set example_row_fields = FIELD_SET(struct example_row, row_fields);

struct example_row example_row_of(const struct example *example)
{
    return (struct example_row){.name = str_from(example->name),
                                .file = str_from(example_file(example)),
                                .about = str_from(example->about),
                                .command = str_from(example->command)};
}

/* A file with other content is the user's. */
static bool check_free(const char *path, struct str text, struct arena *arena,
                       struct error *err)
{
    struct error ignored = {0};
    struct str there;

    if (!fs_exists(path) ||
        (fs_read(path, text.len + 1, arena, &there, &ignored) && str_eq(there, text)))
        return true;
    error_set(err, ERROR_FAILED, "'%s' is there already, and differs from the example", path);
    error_hint(err, "--force replaces it; -o DIR writes to another folder");
    return false;
}

static bool place_example(const struct examples_writing *how, const struct example *example,
                          const char *folder, struct arena *arena, char **out,
                          struct error *err)
{
    const char *name = how->all ? example->path : example_file(example);

    *out = folder[0] != '\0' ? fs_join(folder, name, arena, err)
                             : str_dup(str_from(name), arena, err);
    return *out != NULL && (how->force || check_free(*out, example_text(example), arena, err));
}

static bool write_example(const struct example *example, const char *path, struct arena *arena,
                          struct error *err)
{
    const char *slash = strrchr(path, '/');
    const char *folder = slash != NULL && slash != path
                             ? str_dup((struct str){path, (size_t)(slash - path)}, arena, err)
                             : "";
    bool made;

    return folder != NULL && (folder[0] == '\0' || fs_make_output_folder(folder, &made, err)) &&
           fs_put(path, example_text(example), err);
}

bool examples_write(const struct examples_writing *how, const struct example *const *chosen,
                    struct example_row *rows, size_t count, struct arena *arena,
                    struct error *err)
{
    char **paths = arena_array(arena, char *, count, err);
    const char *folder = how->output.len > 0 ? str_dup(how->output, arena, err)
                         : how->all          ? EXAMPLES_FOLDER
                                             : "";

    if (paths == NULL || folder == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        if (!place_example(how, chosen[i], folder, arena, &paths[i], err))
            return false;
    for (size_t i = 0; i < count; i++) {
        if (!write_example(chosen[i], paths[i], arena, err))
            return false;
        rows[i].path = str_from(paths[i]);
    }
    return true;
}
