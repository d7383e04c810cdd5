#include "settings/token_file.h"

#include <sys/stat.h>

#include "base/fs.h"

#define TOKEN_FILE_MAX 4096

static bool refuse_without_token(const char *path, struct error *err)
{
    error_set(err, ERROR_USAGE,
              "--to needs a token: STINT_TOKEN is not set, and there is no "
              "file '%s'",
              path);
    error_hint(err, "make one on the server with 'stint token add NAME --scope write'");
    return false;
}

/* Where others can read it, they can send runs in our name. */
static void warn_exposed(const char *path, const struct messages *messages)
{
    struct stat file;

    if (stat(path, &file) == 0 && (file.st_mode & 077) != 0)
        message_warn(messages, "others can read the token in '%s': chmod 600 '%s'", path, path);
}

bool settings_token(struct str file, const struct messages *messages, struct arena *arena,
                    const char **out, struct error *err)
{
    const char *given = env_get("STINT_TOKEN");
    const char *path =
        file.len > 0 ? str_dup(file, arena, err) : settings_path("token", arena, err);
    struct str text;

    if (path == NULL)
        return false;
    if (given != NULL && given[0] != '\0' && file.len == 0) {
        *out = given;
        return true;
    }
    if (!fs_exists(path))
        return refuse_without_token(path, err);
    if (!fs_read(path, TOKEN_FILE_MAX, arena, &text, err))
        return false;
    warn_exposed(path, messages);
    text = str_trim(str_cut(&text, '\n'));
    if (text.len == 0)
        return error_fail(err, ERROR_INPUT, "the token file '%s' is empty", path);
    *out = str_dup(text, arena, err);
    return *out != NULL;
}
