#include "data/cache/cache_run.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/hex.h"
#include "base/num.h"
#include "base/spawn.h"
#include "data/bundle/bundle.h"
#include "data/cache/cache_changes.h"
#include "data/cache/cache_place.h"
#include "data/digest.h"
#include "data/named.h"

enum { CHANGES_LOOKS = 200000 }; /* files in the working folder that are looked at */

static const char *const did_names[] = {"ran",    "restored", "in place", "failed",
                                        "listed", "cleared",  NULL};

static const struct field output_fields[] = {
    FIELD(TEXT, cache_output, path, .help = "output"),
    FIELD(TEXT, cache_output, sha256, .help = "SHA-256 of its content"),
    FIELD(BYTES, cache_output, size, .help = "size"),
};

static const struct field_set output_set = FIELD_SET(struct cache_output, output_fields);

static const struct field result_fields[] = {
    FIELD(ENUM, cached_result, outcome, .names = did_names,
          .help = "ran, restored, in place, failed, listed or cleared"),
    FIELD(TEXT, cached_result, key, .empty_unknown = true,
          .help = "SHA-256 of all that the outputs depend on"),
    FIELD(TEXT, cached_result, command, .empty_unknown = true, .help = "command"),
    FIELD(LIST, cached_result, outputs, .row = &output_set, .help = "outputs"),
    FIELD(SPAN, cached_result, duration, .help = "time that the command took, or restoring"),
    FIELD(SPAN, cached_result, saved, .help = "time that the command took when it ran"),
    FIELD(COUNT, cached_result, status, .help = "exit status of the command"),
    FIELD(TEXTS, cached_result, undeclared,
          .help = "files that changed meanwhile and are no outputs"),
    FIELD(LIST, cached_result, entries, .row = &cache_entry_fields,
          .help = "entries of the cache, the last used first"),
    FIELD(BYTES, cached_result, kept, .help = "size of all entries"),
    FIELD(COUNT, cached_result, removed, .help = "entries that were removed"),
};

const struct field_set cached_result_fields = FIELD_SET(struct cached_result, result_fields);

/* One call. */
struct caching {
    const struct data_task *task;
    const struct cached_command *wish;
    struct cached_result *res;
    struct cache cache;
    struct cache_place places[CACHE_OUTPUTS];
    struct cache_output outputs[CACHE_OUTPUTS];
    struct tree trees[CACHE_OUTPUTS]; /* of the outputs */
    char key[CACHE_KEY + 1];
};

/* ---- contents ---- */

static bool digest_path(struct caching *c, const char *path, struct tree *tree, bool *folder,
                        char hex[static CACHE_KEY + 1], struct error *err)
{
    struct manifest_took took;
    struct manifest manifest;
    const unsigned char *digest;
    const char *where;

    *folder = fs_is_folder(path);
    if (*folder) {
        if (!data_tree_named(c->task, str_from(path), false, &manifest, &took, err))
            return false;
        if (manifest.tree.problem_count > 0)
            return error_fail(err, ERROR_INPUT, "'%s/%.*s': %.*s", path,
                              STR_ARG(manifest.tree.problems[0].path),
                              STR_ARG(manifest.tree.problems[0].reason));
        *tree = manifest.tree;
        digest = manifest.digest;
    } else {
        if (!bundle_file(path, c->task->watch, c->task->arena, tree, &where, err))
            return false;
        digest = tree->entries[0].digest;
    }
    hex_copy((struct str){(const char *)digest, TREE_DIGEST}, hex);
    return true;
}

static bool add_content(struct caching *c, const char *what, const char *path, struct buf *text,
                        struct error *err)
{
    char hex[CACHE_KEY + 1];
    struct tree tree;
    bool folder;

    if (!digest_path(c, path, &tree, &folder, hex, err))
        return false;
    buf_addf(text, "%s %zu %s\n%s\n", what, strlen(path), path, hex);
    return true;
}

/* ---- the key ---- */

/* The program itself: another one of the same name is another command. */
static bool add_program(struct caching *c, struct buf *text, struct error *err)
{
    char path[PATH_MAX];
    char *name = str_dup(c->wish->command.at[0], c->task->arena, err);

    if (name == NULL)
        return false;
    if (!spawn_find(name, path))
        return error_fail_hint(err, ERROR_ABSENT, "a shell's command: sh -c '...'",
                               "there is no program '%s'", name);
    return add_content(c, "program", path, text, err);
}

static bool is_output(const struct caching *c, const char *path)
{
    for (size_t i = 0; i < c->wish->outputs.len; i++) {
        const char *output = c->places[i].path;
        size_t len = strlen(output);

        if (strncmp(path, output, len) == 0 && (path[len] == '\0' || path[len] == '/'))
            return true;
    }
    return false;
}

/* An argument that is a file, alone or after a '=': a script, a configuration. */
static bool add_argument(struct caching *c, struct str argument, struct buf *text,
                         struct error *err)
{
    char *word = str_dup(argument, c->task->arena, err);
    char *value = word != NULL ? strchr(word, '=') : NULL;
    const char *path = word;

    if (word == NULL)
        return false;
    buf_addf(text, "argument %zu %s\n", argument.len, word);
    if (value != NULL && !fs_exists(word))
        path = value + 1;
    if (!fs_exists(path) || fs_is_folder(path) || is_output(c, path))
        return true;
    return add_content(c, "script", path, text, err);
}

static bool add_variable(struct caching *c, struct str variable, struct buf *text,
                         struct error *err)
{
    char *name = str_dup(variable, c->task->arena, err);
    const char *value = name != NULL ? env_get(name) : NULL;

    if (name == NULL)
        return false;
    if (name[0] == '\0' || strchr(name, '=') != NULL)
        return error_fail_hint(err, ERROR_USAGE, "its value is that of the environment",
                               "--env: '%s' is not the name of a variable", name);
    buf_addf(text, "env %s %d %zu %s\n", name, env_is_set(name),
             value != NULL ? strlen(value) : 0, value != NULL ? value : "");
    return true;
}

static bool add_parts(struct caching *c, struct buf *text, struct error *err)
{
    const struct cached_command *wish = c->wish;

    buf_adds(text, "stint cache 1\n");
    if (!add_program(c, text, err))
        return false;
    for (size_t i = 1; i < wish->command.len; i++)
        if (!add_argument(c, wish->command.at[i], text, err))
            return false;
    for (size_t i = 0; i < wish->outputs.len; i++)
        buf_addf(text, "output %s\n", c->places[i].path);
    for (size_t i = 0; i < wish->env.len; i++)
        if (!add_variable(c, wish->env.at[i], text, err))
            return false;
    for (size_t i = 0; i < wish->inputs.len; i++) {
        struct str name = wish->inputs.at[i];
        const char *path;

        while (name.len > 1 && name.at[name.len - 1] == '/')
            name.len--;
        path = str_dup(name, c->task->arena, err);
        if (path == NULL)
            return false;
        if (!fs_exists(path))
            return error_fail(err, ERROR_ABSENT, "there is no input '%s'", path);
        if (!add_content(c, "input", path, text, err))
            return false;
    }
    return true;
}

static bool make_cache_key(struct caching *c, char key[static CACHE_KEY + 1], struct error *err)
{
    struct buf text = buf_new(c->task->arena->alloc, (size_t)64 << 20);
    unsigned char digest[TREE_DIGEST];
    bool ok = add_parts(c, &text, err) && buf_ok(&text, err) &&
              digest_of_text(buf_text(&text), digest, err);

    buf_free(&text);
    if (ok)
        hex_copy((struct str){(const char *)digest, sizeof digest}, key);
    return ok;
}

/* ---- outputs ---- */

/* Its real path, or that of the folder that it will be in. */
static bool find_output(struct caching *c, const char *output, char real[static PATH_MAX],
                        struct error *err)
{
    char *folder = str_dup(str_from(output), c->task->arena, err);

    for (char *slash; folder != NULL && realpath(folder, real) == NULL; *slash = '\0') {
        slash = strrchr(folder, '/');
        if (slash == NULL || slash == folder)
            return getcwd(real, PATH_MAX) != NULL;
    }
    return folder != NULL;
}

/* An output inside of an input would change it. */
static bool check_output_apart(struct caching *c, const char *output, struct error *err)
{
    char in[PATH_MAX], out[PATH_MAX];

    if (!find_output(c, output, out, err))
        return false;
    for (size_t i = 0; i < c->wish->inputs.len; i++) {
        const char *input = str_dup(c->wish->inputs.at[i], c->task->arena, err);

        if (input == NULL)
            return false;
        if (realpath(input, in) != NULL && str_starts(str_from(out), str_from(in)) &&
            (out[strlen(in)] == '\0' || out[strlen(in)] == '/'))
            return error_fail_hint(err, ERROR_INPUT, "name as inputs the parts that are read",
                                   "the output '%s' is in the input '%s'", output, input);
    }
    return true;
}

static bool open_places(struct caching *c, struct error *err)
{
    const struct strs *names = &c->wish->outputs;

    if (names->len > CACHE_OUTPUTS)
        return error_fail(err, ERROR_USAGE, "--output: at most %d", CACHE_OUTPUTS);
    for (size_t i = 0; i < names->len; i++) {
        char *name = str_dup(names->at[i], c->task->arena, err);

        if (name == NULL || !cache_place_open(name, c->task->arena, &c->places[i], err) ||
            !check_output_apart(c, c->places[i].path, err))
            return false;
        c->outputs[i] = (struct cache_output){.path = str_from(c->places[i].path)};
    }
    return true;
}

static bool look_at_output(struct caching *c, size_t i, struct error *err)
{
    struct cache_output *output = &c->outputs[i];
    char *hex = arena_array(c->task->arena, char, CACHE_KEY + 1, err);

    if (hex == NULL ||
        !digest_path(c, c->places[i].path, &c->trees[i], &output->folder, hex, err))
        return false;
    output->sha256 = (struct str){hex, CACHE_KEY};
    output->size = (bytes){c->trees[i].bytes};
    return true;
}

static bool came_from_cache(const struct cache_entry *entries, size_t count, struct str sha256)
{
    for (size_t i = 0; i < count; i++)
        for (size_t o = 0; o < entries[i].outputs.len; o++)
            if (str_eq(((const struct cache_output *)entries[i].outputs.at)[o].sha256, sha256))
                return true;
    return false;
}

/* What is there goes only when it can be made again: it came from the cache as it is. */
static bool check_replaceable(struct caching *c, size_t i, struct error *err)
{
    struct cache_entry *entries;
    size_t count;

    if (c->wish->replace || !fs_exists(c->places[i].path))
        return true;
    if (!look_at_output(c, i, err) ||
        !cache_list(&c->cache, c->task->arena, &entries, &count, err))
        return false;
    if (came_from_cache(entries, count, c->outputs[i].sha256))
        return true;
    return error_fail_hint(err, ERROR_INPUT, "move it away, or --replace",
                           "'%s' is not what the cache had made: it would be lost",
                           c->places[i].path);
}

/* All of them, with the earlier ones back where something failed. */
static bool close_places(struct caching *c, bool made, struct error *err)
{
    bool ok = true;

    for (size_t i = 0; i < c->wish->outputs.len; i++) {
        struct error own = {0};
        bool broken;

        if (!cache_place_close(&c->places[i], made && fs_exists(c->places[i].path), &broken,
                               &own) &&
            ok) {
            *err = own;
            ok = false;
        }
        if (broken)
            message_note(c->task->messages, "what there was of '%s' is kept as '%s.broken'",
                         c->places[i].path, c->places[i].path);
    }
    return ok;
}

/* ---- a hit ---- */

static bool is_in_place(struct caching *c, const struct cache_entry *entry, size_t i)
{
    const struct cache_output *kept = &((const struct cache_output *)entry->outputs.at)[i];
    struct error ignored = {0};

    return fs_exists(c->places[i].path) && look_at_output(c, i, &ignored) &&
           str_eq(c->outputs[i].sha256, kept->sha256);
}

static bool restore_output(struct caching *c, const struct cache_entry *entry, size_t i,
                           struct error *err)
{
    bool broken, ok;

    if (!check_replaceable(c, i, err) || !cache_place_clear(&c->places[i], err))
        return false;
    ok = cache_restore(&c->cache, entry, i, c->places[i].path, c->task->arena, err);
    return cache_place_close(&c->places[i], ok, &broken, err) && ok;
}

static bool restore_outputs(struct caching *c, const struct cache_entry *entry,
                            struct error *err)
{
    instant begun = data_task_now(c->task);
    size_t there = 0;

    c->res->saved = entry->duration;
    c->res->outputs = entry->outputs;
    for (size_t i = 0; i < entry->outputs.len; i++) {
        if (is_in_place(c, entry, i))
            there++;
        else if (!restore_output(c, entry, i, err))
            return false;
    }
    c->res->outcome = there == entry->outputs.len ? CACHED_THERE : CACHED_RESTORED;
    c->res->duration = span_between(begun, data_task_now(c->task));
    return true;
}

/* ---- a miss ---- */

static bool run_command_words(struct caching *c, int *status, struct error *err)
{
    const struct strs *command = &c->wish->command;
    const char **words = arena_array(c->task->arena, const char *, command->len + 1, err);

    if (words == NULL)
        return false;
    for (size_t i = 0; i < command->len; i++) {
        words[i] = str_dup(command->at[i], c->task->arena, err);
        if (words[i] == NULL)
            return false;
    }
    return spawn_attached(words, c->task->watch, status, err);
}

/* The working folder, without the outputs and what they are being written beside. */
static bool note_undeclared(struct caching *c, int64_t since_ns, struct error *err)
{
    char cwd[PATH_MAX], real[PATH_MAX];
    const char *own = c->task->home;
    struct str *spared = arena_array(c->task->arena, struct str, CACHE_OUTPUTS + 1, err);
    struct changes_work work = {
        .since_ns = since_ns, .looks = CHANGES_LOOKS, .watch = c->task->watch};
    size_t count = 0;
    bool all;

    if (spared == NULL || getcwd(cwd, sizeof cwd) == NULL)
        return spared != NULL;
    if (realpath(own, real) != NULL &&
        !str_keep(str_from(real), c->task->arena, &spared[count++], err))
        return false;
    for (size_t i = 0; i < c->wish->outputs.len; i++)
        if (realpath(c->places[i].path, real) != NULL &&
            !str_keep(str_from(real), c->task->arena, &spared[count++], err))
            return false;
    work.folder = cwd;
    work.spared = (struct strs){spared, count};
    if (!changes_find(&work, c->task->arena, &c->res->undeclared, &all, err))
        return false;
    if (c->res->undeclared.len > 0)
        message_warn(c->task->messages,
                     "'%.*s'%s changed meanwhile and %s no output: if the command wrote it, "
                     "--output keeps it, too",
                     STR_ARG(c->res->undeclared.at[0]),
                     c->res->undeclared.len > 1 ? " and others" : "",
                     c->res->undeclared.len > 1 ? "are" : "is");
    return true;
}

static bool keep_outputs(struct caching *c, span took, struct error *err)
{
    struct cache_entry entry = {.key = {c->key, CACHE_KEY},
                                .command = c->res->command,
                                .outputs = {c->outputs, c->wish->outputs.len},
                                .duration = took};
    char key[CACHE_KEY + 1];
    size_t removed;

    for (size_t i = 0; i < c->wish->outputs.len; i++) {
        if (!fs_exists(c->places[i].path))
            return error_fail(err, ERROR_FAILED, "the command did not make '%s'",
                              c->places[i].path);
        if (!look_at_output(c, i, err))
            return false;
    }
    if (!make_cache_key(c, key, err))
        return false;
    if (strcmp(key, c->key) != 0)
        return error_fail(
            err, ERROR_FAILED,
            "inputs have changed while the command ran: its outputs are not kept");
    return cache_keep(&c->cache, &entry, c->outputs, c->trees, c->task->arena, err) &&
           cache_shrink(&c->cache, c->wish->keep.n, c->key, c->task->arena, &removed, err);
}

static bool clear_places(struct caching *c, struct error *err)
{
    for (size_t i = 0; i < c->wish->outputs.len; i++)
        if (!check_replaceable(c, i, err))
            return false;
    for (size_t i = 0; i < c->wish->outputs.len; i++) {
        struct error ignored = {0};

        if (!cache_place_clear(&c->places[i], err)) {
            (void)close_places(c, false, &ignored);
            return false;
        }
    }
    return true;
}

/* Run it with nothing at the places of its outputs. False, too, when it fails: its status is
 * that of this call, and the earlier outputs are back. */
static bool run_in_places(struct caching *c, bool *done, struct error *err)
{
    instant begun = data_task_now(c->task);
    struct error unclosed = {0};
    int status = 0;
    bool ran;

    if (!clear_places(c, err))
        return false;
    ran = run_command_words(c, &status, err);
    c->res->duration = span_between(begun, data_task_now(c->task));
    c->res->status = status;
    *done = ran && status == 0;
    if (!close_places(c, *done, &unclosed) && ran) {
        *err = unclosed;
        return false;
    }
    return ran;
}

/* Outputs that cannot be kept are there all the same: the command did its work. */
static bool make_outputs(struct caching *c, struct error *err)
{
    int64_t since_ns = changes_begin();
    struct error unkept = {0};
    bool done = false;

    c->res->outcome = CACHED_FAILED;
    if (!run_in_places(c, &done, err))
        return false;
    if (!done)
        return true;
    if (!note_undeclared(c, since_ns, err))
        return false;
    if (keep_outputs(c, c->res->duration, &unkept))
        c->res->outcome = CACHED_RAN;
    else
        message_warn(c->task->messages, "not kept: %s", unkept.text);
    *c->task->partly = c->res->outcome == CACHED_FAILED;
    c->res->outputs = (struct rows){c->outputs, c->wish->outputs.len};
    return true;
}

static bool run_cached(struct caching *c, struct error *err)
{
    struct buf text = buf_new(c->task->arena->alloc, (size_t)1 << 20);
    struct cache_entry entry;
    bool there, ok;
    int lock;

    for (size_t i = 0; i < c->wish->command.len; i++) {
        buf_adds(&text, i > 0 ? " " : "");
        buf_add_shell(&text, c->wish->command.at[i]);
    }
    if (!buf_keep(&text, c->task->arena, &c->res->command, err) || !open_places(c, err) ||
        !make_cache_key(c, c->key, err))
        return false;
    lock = cache_lock(&c->cache, c->key, c->task->arena, err);
    if (lock < 0)
        return false;
    c->res->key = (struct str){c->key, CACHE_KEY};
    ok = cache_find(&c->cache, c->key, c->task->arena, &entry, &there, err) &&
         (there ? restore_outputs(c, &entry, err) : make_outputs(c, err));
    (void)close(lock);
    return ok;
}

/* ---- the cache itself ---- */

static bool list_entries(struct caching *c, struct error *err)
{
    struct cache_entry *entries;
    size_t count, removed = 0;

    if (!cache_list(&c->cache, c->task->arena, &entries, &count, err) ||
        (c->wish->clear && !cache_shrink(&c->cache, 0, "", c->task->arena, &removed, err)))
        return false;
    c->res->outcome = c->wish->clear ? CACHED_CLEARED : CACHED_LISTED;
    c->res->entries = (struct rows){entries, count};
    c->res->removed = (int64_t)removed;
    c->res->kept = (bytes){0};
    for (size_t i = 0; i < count; i++)
        c->res->kept.n += entries[i].kept.n;
    return true;
}

bool cache_run(const struct data_task *task, const struct cached_command *wish,
               struct cached_result *out, struct error *err)
{
    struct caching *c = arena_array(task->arena, struct caching, 1, err);

    if (c == NULL)
        return false;
    *c = (struct caching){.task = task, .wish = wish, .res = out};
    c->cache = (struct cache){.folder = fs_join(task->home, "commands", task->arena, err),
                              .watch = task->watch,
                              .now = task->clock->today(task->clock->ctx)};
    if (c->cache.folder == NULL)
        return false;
    if (wish->list || wish->clear)
        return list_entries(c, err);
    if (wish->command.len == 0 || wish->outputs.len == 0)
        return error_fail_hint(err, ERROR_USAGE,
                               "stint data cache --input raw --output tokens -- python "
                               "tokenize.py",
                               wish->outputs.len == 0 ? "--output says what the command makes"
                                                      : "there is no command");
    return run_cached(c, err);
}
