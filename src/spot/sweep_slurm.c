/* A sweep as an array of Slurm jobs: each takes every Nth run and keeps a journal in a shared
 * folder; then the parts are put together. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/crc.h"
#include "base/fs.h"
#include "base/spawn.h"
#include "spot/sweep.h"

#define REPLY_MAX 4096

/* Options that parts do not get: how the sweep is run, and what is done with its result. */
static const char *const not_passed[] = {
    "slurm",  "slurm_script", "no_wait", "shards",   "sbatch", "shard",       "gather",
    "resume", "threads",      "per_run", "timeline", "svg",    "save_traces",
};

static bool passed_on(const char *name)
{
    for (size_t i = 0; i < ARRAY_LEN(not_passed); i++)
        if (strcmp(not_passed[i], name) == 0)
            return false;
    return true;
}

/* In single quotes, for a shell. */
static void write_shell_quoted(struct buf *out, struct str text)
{
    buf_adds(out, " '");
    for (size_t i = 0; i < text.len; i++) {
        if (text.at[i] == '\'')
            buf_adds(out, "'\\''");
        else
            buf_char(out, text.at[i]);
    }
    buf_char(out, '\'');
}

/* With all its digits: field_write() rounds. */
static void write_exact(const struct field *field, const void *record, struct buf *out)
{
    const void *at = (const unsigned char *)record + field->offset;

    if (field->type == FIELD_SPAN) {
        nano_write(((const span *)at)->ns, out);
        buf_char(out, 's');
    } else if (field->type == FIELD_RATE) {
        nano_write(((const usd_per_hour *)at)->nano, out);
        buf_adds(out, "usd/hr");
    } else if (field->type == FIELD_PER_GB) {
        nano_write(((const usd_per_gb *)at)->nano, out);
        buf_adds(out, "usd/GB");
    } else if (field->type == FIELD_BYTES) {
        buf_addf(out, "%lluB", (unsigned long long)((const bytes *)at)->n);
    } else {
        field_write(field, record, out);
    }
}

static void write_option_name(const struct field *field, struct buf *out)
{
    buf_adds(out, " --");
    for (const char *c = field->name; *c != '\0'; c++)
        buf_char(out, *c == '_' ? '-' : *c);
}

void sweep_write_option(const struct field *field, const void *record,
                        const struct alloc *alloc, struct buf *out)
{
    struct buf value = buf_new(alloc, (size_t)1 << 20);

    if (field->type == FIELD_TEXTS) { /* one by one: a value may hold a comma */
        const struct strs *list =
            (const struct strs *)(const void *)((const unsigned char *)record + field->offset);

        for (size_t i = 0; i < list->len; i++) {
            write_option_name(field, out);
            write_shell_quoted(out, list->at[i]);
        }
        return;
    }
    write_exact(field, record, &value);
    if (!field->operand)
        write_option_name(field, out);
    if (field->type != FIELD_FLAG)
        write_shell_quoted(out, buf_text(&value));
    buf_free_part(&value, out);
}

/* The command line that does the same as this one, so far. */
static void write_slurm_command(const struct sweep *s, struct buf *out)
{
    char self[4096];

    write_shell_quoted(out, str_from(spawn_self(self, sizeof self) ? self : "stint"));
    buf_adds(out, " simulate");
    for (size_t i = 0; i < simulate_request_fields.len; i++) {
        const struct field *field = &simulate_request_fields.at[i];

        if (passed_on(field->name) && field_known(field, s->asked))
            sweep_write_option(field, s->asked, s->arena->alloc, out);
    }
    buf_add(out, s->settings);
}

static void write_slurm_parts(const struct sweep *s, const char *folder, const char *log,
                              struct buf *out)
{
    long long shards = (long long)s->request->shards;

    buf_addf(out,
             "#!/bin/sh\n#SBATCH --job-name=stint-simulate\n#SBATCH --array=1-%lld\n"
             "#SBATCH --output=%s%%a.log\nmkdir -p",
             shards, log);
    write_shell_quoted(out, str_from(folder));
    buf_adds(out, " || exit\nexec");
    write_slurm_command(s, out);
    buf_addf(out, " --shard \"$SLURM_ARRAY_TASK_ID/%lld\" --resume", shards);
    write_shell_quoted(out, str_from(folder));
    buf_adds(out, "\"/part-$SLURM_ARRAY_TASK_ID\" --threads \"${SLURM_CPUS_PER_TASK:-1}\"\n");
}

/* Of a folder that is there. */
static void write_array(const struct sweep *s, const char *folder, struct buf *out)
{
    char log[4200];

    (void)snprintf(log, sizeof log, "%s/part-", folder);
    write_slurm_parts(s, folder, log, out);
}

static void write_gather(const struct sweep *s, const char *folder, struct buf *out)
{
    buf_addf(out,
             "#!/bin/sh\n#SBATCH --job-name=stint-gather\n#SBATCH --kill-on-invalid-dep=yes\n"
             "#SBATCH --output=%s/gather.log\nexec",
             folder);
    write_slurm_command(s, out);
    buf_addf(out, " --shards %lld --gather", (long long)s->request->shards);
    write_shell_quoted(out, str_from(folder));
    buf_adds(out, " --json >");
    write_shell_quoted(out, str_from(folder));
    buf_adds(out, "/result.json\n");
}

static bool write_script(const struct sweep *s, const char *folder, const char *name,
                         void (*write)(const struct sweep *, const char *, struct buf *),
                         const char **path, struct error *err)
{
    struct buf text = buf_new(s->arena->alloc, (size_t)16 << 20);
    bool ok;

    write(s, folder, &text);
    *path = fs_join(folder, name, s->arena, err);
    ok = *path != NULL && buf_ok(&text, err) && fs_replace(*path, buf_text(&text), err);
    buf_free(&text);
    return ok;
}

/* sbatch SCRIPT, with an option or NULL: the number of the job. */
static bool submit(const struct sweep *s, const char *extra, const char *script,
                   const char **job, struct error *err)
{
    char *program = str_dup(s->request->sbatch, s->arena, err);
    const char *argv[] = {program, "--parsable", script, NULL, NULL};
    struct str reply;
    int status;

    if (extra != NULL) {
        argv[2] = extra;
        argv[3] = script;
    }
    if (program == NULL || !spawn_run(argv, REPLY_MAX, s->arena, &reply, &status, err)) {
        if (err->kind == ERROR_ABSENT)
            error_hint(err, "run it where Slurm is, or name its sbatch with --sbatch");
        return false;
    }
    reply = str_trim(str_cut(&reply, '\n'));
    *job = str_dup(str_cut(&reply, ';'), s->arena, err); /* "12;cluster" */
    if (*job == NULL)
        return false;
    if (status == 0 && (*job)[0] != '\0')
        return true;
    error_set(err, ERROR_FAILED, "'%s %s' ended with status %d", program, script, status);
    error_hint(err, "the output of the parts is beside the script, in part-*.log");
    return false;
}

/* It is part of a comment that sbatch reads: a blank ends it there, and % is a pattern. */
static bool check_slurm_folder(const char *folder, struct error *err)
{
    for (const char *c = folder; *c != '\0'; c++)
        if ((unsigned char)*c <= ' ' || strchr("%\\\"'#", *c) != NULL) {
            error_set(err, ERROR_USAGE,
                      "--slurm: the folder '%s' has a blank, a quote, '%%', '#' or '\\' in its "
                      "path",
                      folder);
            error_hint(err, "name another with --resume");
            return false;
        }
    return true;
}

/* The folder of --resume, or one named after the sweep: the same command finds it again. */
static bool find_slurm_folder(const struct sweep *s, const char **out, struct error *err)
{
    char name[40], whole[4096];
    struct str header, given = s->request->resume;
    char *folder;

    if (!sweep_header(s, &header, err))
        return false;
    (void)snprintf(name, sizeof name, "stint-sweep-%08x", crc32c(0, header.at, header.len));
    folder = str_dup(given.len > 0 ? given : str_from(name), s->arena, err);
    if (folder == NULL || !fs_make_folders(folder, err))
        return false;
    if (realpath(folder, whole) == NULL) {
        error_system(err, errno, "cannot find the folder '%s'", folder);
        return false;
    }
    *out = str_dup(str_from(whole), s->arena, err);
    return *out != NULL && check_slurm_folder(*out, err);
}

static bool print_script(const struct sweep *s, struct simulate_result *res, struct error *err)
{
    struct buf text = buf_new(s->arena->alloc, (size_t)16 << 20);
    char *folder = str_dup(s->request->resume.len > 0 ? s->request->resume : STR("stint-sweep"),
                           s->arena, err);

    if (folder == NULL)
        return false;
    /* Slurm opens the log before the script makes the folder: it is not in there. */
    write_slurm_parts(s, folder, "stint-simulate-%A_", &text);
    return buf_keep(&text, s->arena, &res->script, err);
}

void sweep_slurm_clean(const struct sweep *s, const char *folder)
{
    char path[4200];

    for (long long i = 1; i <= (long long)s->request->shards; i++) {
        (void)snprintf(path, sizeof path, "%s/part-%lld", folder, i);
        (void)unlink(path);
        (void)snprintf(path, sizeof path, "%s/part-%lld.log", folder, i);
        (void)unlink(path);
    }
    (void)snprintf(path, sizeof path, "%s/sweep.sh", folder);
    (void)unlink(path);
    (void)rmdir(folder); /* what others put there stays */
}

bool sweep_slurm(const struct sweep *s, struct simulate_result *res, const char **folder,
                 struct error *err)
{
    const char *dir, *script, *array, *last;
    char after[64];

    if (s->request->slurm_script)
        return print_script(s, res, err);
    if (!find_slurm_folder(s, &dir, err) ||
        !write_script(s, dir, "sweep.sh", write_array, &script, err))
        return false;
    if (!s->request->no_wait) {
        message_note(s->messages, "running as %lld jobs of Slurm, in '%s'",
                     (long long)s->request->shards, dir);
        if (!submit(s, "--wait", script, &array, err)) {
            if (err->kind == ERROR_ABSENT && s->request->resume.len == 0)
                sweep_slurm_clean(s, dir);
            return false;
        }
        *folder = dir;
        return true;
    }
    if (!submit(s, NULL, script, &array, err) ||
        !write_script(s, dir, "gather.sh", write_gather, &script, err))
        return false;
    (void)snprintf(after, sizeof after, "--dependency=afterok:%.30s", array);
    if (!submit(s, after, script, &last, err))
        return false;
    res->submitted = str_from(last);
    res->folder = str_from(dir);
    return true;
}
