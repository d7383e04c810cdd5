#include "run/supervise/start.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/hash.h"
#include "base/process.h"
#include "ledger/runs/charges.h"
#include "run/supervise/redact.h"
#include "unit/time.h"

#define SMALL_FILE ((size_t)4 * 1024)
#define PACKED_REFS ((size_t)16 << 20)
#define FACTS_MOST 16
#define FILE_MOST ((size_t)1 << 20) /* bytes: scripts and configurations, not data */
#define FILES_MOST 16
#define WORTH_NANO INT64_C(100000000)  /* a tenth of a dollar ... */
#define WORTH_NS INT64_C(600000000000) /* ... or ten minutes: less is not worth a warning */
#define SEED_LOW UINT64_C(0x7374696e74206c6f) /* fixed: the ledger is read for years */
#define SEED_HIGH UINT64_C(0x7374696e74206869)

static struct str read_start_file(const char *folder, const char *name, size_t most,
                                  struct arena *arena)
{
    struct error ignored;
    struct str text = {0};
    char *path = fs_join(folder, name, arena, &ignored);

    return path != NULL && fs_read(path, most, arena, &text, &ignored) ? text : (struct str){0};
}

/* The first line of a file. */
static struct str read_start_line(const char *folder, const char *name, struct arena *arena)
{
    struct str text = read_start_file(folder, name, SMALL_FILE, arena);

    return str_cut(&text, '\n');
}

static struct str rest_of(struct str text, size_t from)
{
    return (struct str){text.at + from, text.len - from};
}

/* ---- the commit ---- */

/* "gitdir: ../x" in a file called .git leads elsewhere. */
static const char *git_folder(const char *at, struct arena *arena)
{
    struct error ignored;
    char *path = fs_join(at, ".git", arena, &ignored);
    struct str text = {0};

    if (path == NULL || !fs_exists(path))
        return NULL;
    if (!fs_read(path, SMALL_FILE, arena, &text, &ignored)) /* a folder: the usual case */
        return path;
    text = str_cut(&text, '\n');
    if (!str_starts(text, STR("gitdir: ")))
        return NULL;
    text = rest_of(text, strlen("gitdir: "));
    path = str_dup(text, arena, &ignored);
    return path == NULL || path[0] == '/' ? path : fs_join(at, path, arena, &ignored);
}

/* The line "ID REF" of packed-refs. */
static struct str packed_ref(struct str text, struct str ref)
{
    while (text.len > 0) {
        struct str line = str_cut(&text, '\n');
        struct str id = str_cut(&line, ' ');

        if (str_eq(line, ref))
            return id;
    }
    return (struct str){0};
}

static struct str resolve_ref(const char *git, struct str ref, struct arena *arena)
{
    struct str common = read_start_line(git, "commondir", arena), id;
    struct error ignored;
    const char *name = str_dup(ref, arena, &ignored);
    const char *shared = git;

    if (name == NULL)
        return (struct str){0};
    id = read_start_line(git, name, arena);
    if (id.len == 0 && common.len > 0) { /* a worktree: branches are the main folder's */
        const char *folder = str_dup(common, arena, &ignored);

        shared =
            folder == NULL || folder[0] == '/' ? folder : fs_join(git, folder, arena, &ignored);
        if (shared == NULL)
            return (struct str){0};
        id = read_start_line(shared, name, arena);
    }
    return id.len > 0
               ? id
               : packed_ref(read_start_file(shared, "packed-refs", PACKED_REFS, arena), ref);
}

/* The commit that is checked out in the folder or above it; empty when there is none. Read from
 * git's files: starting git would take longer than many commands. */
static struct str checked_out_commit(const char *folder, struct arena *arena)
{
    char at[4096];
    const char *git = NULL;
    struct str head;

    (void)snprintf(at, sizeof at, "%s", folder);
    while (git == NULL && at[0] != '\0') {
        char *slash = strrchr(at, '/');

        git = git_folder(at, arena);
        if (slash == NULL)
            break;
        *slash = '\0';
    }
    if (git == NULL)
        return (struct str){0};
    head = read_start_line(git, "HEAD", arena);
    if (str_starts(head, STR("ref: ")))
        head = resolve_ref(git, rest_of(head, strlen("ref: ")), arena);
    return head.len >= 40 && head.len <= 64 ? head : (struct str){0};
}

/* ---- who and where ---- */

/* "KEY=value" of the environment that explains a run later, without secrets. */
static const char *const variables[] = {
    "SLURM_JOB_ID",       "SLURM_JOB_NAME",       "SLURM_JOB_PARTITION", "CONDA_DEFAULT_ENV",
    "VIRTUAL_ENV",        "CUDA_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "WORLD_SIZE",
    "KUBERNETES_POD_UID", "RUNPOD_POD_ID",
};

static bool add_fact(struct strs *facts, struct str *room, const char *name, const char *value,
                     struct arena *arena, struct error *err)
{
    struct buf text = buf_new(arena->alloc, 1024);

    buf_addf(&text, "%s=%.400s", name, value); /* the longest: a resource of Azure */
    return buf_keep(&text, arena, &room[facts->len++], err);
}

static bool gather_facts(bool ours, struct arena *arena, struct strs *out, struct error *err)
{
    struct str *room = arena_array(arena, struct str, FACTS_MOST, err);
    struct utsname system;
    char text[200];

    if (room == NULL)
        return false;
    *out = (struct strs){.at = room};
    if (uname(&system) == 0) {
        (void)snprintf(text, sizeof text, "%.60s %.60s %.40s", system.sysname, system.release,
                       system.machine);
        if (!add_fact(out, room, "system", text, arena, err))
            return false;
    }
    for (size_t i = 0; ours && i < ARRAY_LEN(variables); i++) {
        const char *value = env_get(variables[i]);

        if (value != NULL && !add_fact(out, room, variables[i], value, arena, err))
            return false;
    }
    return true;
}

/* A run without a name is called after its program: the script, when an interpreter runs it. */
static struct str default_name(const struct strs *command)
{
    static const char *const launchers[] = {
        "python", "python3", "accelerate", "torchrun", "sh",     "bash", "deepspeed",
        "env",    "nice",    "python3.11", "uv",       "poetry", NULL};
    struct str name = {0};

    for (size_t i = 0; i < command->len; i++) {
        struct str word = command->at[i];

        if (word.len == 0 || word.at[0] == '-')
            continue;
        word = str_after_last(word, '/');
        if (name.len == 0 || str_ends(word, STR(".py")) || str_ends(word, STR(".sh")))
            name = word;
        if (!str_is_one_of(word, launchers) || i + 1 == command->len)
            break;
    }
    return name.len > 64 ? (struct str){name.at, 64} : name;
}

static bool redact_words(const struct strs *command, struct arena *arena, struct str *out,
                         struct error *err)
{
    struct buf text = buf_new(arena->alloc, (size_t)1 << 16);
    const char **words = arena_array(arena, const char *, command->len + 1, err);
    bool ok = words != NULL;

    for (size_t i = 0; ok && i < command->len; i++)
        ok = (words[i] = str_dup(command->at[i], arena, err)) != NULL;
    if (ok) {
        redact_command(words, &text);
        if (text.failed != ERROR_NONE) { /* longer than is kept: its first word is enough */
            buf_clear(&text);
            buf_adds(&text, words[0]);
        }
        *out = (struct str){str_dup(buf_text(&text), arena, err), text.len};
        ok = out->at != NULL;
    }
    buf_free(&text);
    return ok;
}

/* ---- has it been run before? ---- */

/* Two hashes side by side; each text counts with its length. */
struct digest {
    uint64_t low, high;
};

static void digest_add(struct digest *d, struct str text)
{
    d->low = text_hash(d->low, text);
    d->high = text_hash(d->high, text);
}

/* A plain file that is small enough to be a script or a configuration. */
static void digest_file(struct digest *d, struct str word, struct arena *scratch, size_t *files)
{
    struct error ignored = {0};
    struct stat about;
    struct str text;
    char *path;

    if (*files == FILES_MOST || word.len == 0)
        return;
    path = str_dup(word, scratch, &ignored);
    if (path == NULL || stat(path, &about) != 0 || !S_ISREG(about.st_mode) ||
        about.st_size > (off_t)FILE_MOST)
        return;
    if (!fs_read(path, FILE_MOST, scratch, &text, &ignored))
        return;
    ++*files;
    digest_add(d, text);
}

/* "--config=x.yaml" names x.yaml. */
static struct str file_named(struct str word)
{
    struct str rest = word;

    if (!str_starts(word, STR("--")) || memchr(word.at, '=', word.len) == NULL)
        return word;
    (void)str_cut(&rest, '=');
    return rest;
}

/* Without the folder, so that a checkout elsewhere is the same. */
static void digest_start_text(struct digest *d, struct str text, struct str folder)
{
    size_t from = 0;

    for (size_t i = 0; folder.len > 1 && i + folder.len < text.len;) {
        struct str here = {text.at + i, text.len - i};

        if (str_starts(here, folder) && here.at[folder.len] == '/') {
            digest_add(d, (struct str){text.at + from, i - from});
            i += folder.len + 1;
            from = i;
        } else {
            i++;
        }
    }
    digest_add(d, (struct str){text.at + from, text.len - from});
}

bool run_start_digest(const struct strs *command, struct ledger_start *start,
                      struct arena *arena, struct error *err)
{
    struct arena scratch = {.alloc = arena->alloc, .block_size = ARENA_BLOCK_SIZE};
    struct digest d = {SEED_LOW, SEED_HIGH};
    struct buf text = buf_new(arena->alloc, 64);
    size_t files = 0;

    digest_start_text(&d, start->command, start->folder);
    digest_add(&d, start->commit);
    for (size_t i = 0; i < command->len; i++)
        digest_file(&d, file_named(command->at[i]), &scratch, &files);
    arena_free(&scratch);
    buf_addf(&text, "%016llx%016llx", (unsigned long long)d.high, (unsigned long long)d.low);
    return buf_keep(&text, arena, &start->digest, err);
}

static void warn_repeated(const struct ledger_run *run, struct arena *arena,
                          const struct messages *to)
{
    struct buf text = buf_new(arena->alloc, 128);
    struct str id = ledger_short(run->start.id);

    day_write(day_of(run->start.started), &text);
    buf_addf(&text, ": %s, ", ledger_state_name(run->state));
    usd_write(run->totals.cost, &text);
    if (text.failed == ERROR_NONE)
        message_warn(to, "this was already run on %.*s; 'stint show %.*s' shows the result",
                     (int)text.len, text.at, STR_ARG(id));
    buf_free(&text);
}

void run_start_repeated(struct ledger *ledger, const struct ledger_start *start,
                        struct arena *arena, const struct messages *to)
{
    struct ledger_repeat worth = {start->digest, {WORTH_NANO}, {WORTH_NS}};
    struct error ignored = {0};
    struct ledger_run run;
    bool found = false;

    if (ledger_repeated(ledger, &worth, arena, &run, &found, &ignored) && found &&
        run.state == RUN_DONE &&
        ((run.totals.cost.nano != MONEY_UNKNOWN && run.totals.cost.nano >= WORTH_NANO) ||
         run.totals.elapsed.ns >= WORTH_NS))
        warn_repeated(&run, arena, to);
}

/* ---- together ---- */

bool run_start_fact(struct ledger_start *start, const char *name, struct str value,
                    struct arena *arena, struct error *err)
{
    struct strs *facts = &start->facts;
    struct str *room = arena_array(arena, struct str, facts->len + 1, err);
    char *text = str_dup(value, arena, err);

    if (room == NULL || text == NULL)
        return false;
    if (facts->len > 0)
        memcpy(room, facts->at, facts->len * sizeof *room);
    facts->at = room;
    return add_fact(facts, room, name, text, arena, err);
}

/* Of a process that runs already: its number, and for how long nothing was measured. Names of
 * files in its command line are not ours to look at: it has no digest. */
static bool add_attach_target(struct ledger_start *start, const struct attach_target *target,
                              struct arena *arena, struct error *err)
{
    struct buf before = buf_new(arena->alloc, 64);
    char pid[32];
    bool ok;

    (void)snprintf(pid, sizeof pid, "%d", (int)target->pid);
    span_write(target->before, &before);
    ok = run_start_fact(start, "attached_pid", str_from(pid), arena, err) &&
         run_start_fact(start, "ran_before", buf_text(&before), arena, err);
    buf_free(&before);
    return ok;
}

bool run_start_make(const struct run_request *request, const struct attach_target *target,
                    stamp now, struct arena *arena, struct ledger_start *out, struct error *err)
{
    char folder[4096] = "", host[256] = "?";

    if (target != NULL)
        str_copy(target->folder, folder, sizeof folder);
    else
        (void)!getcwd(folder, sizeof folder);
    (void)gethostname(host, sizeof host - 1);
    *out = (struct ledger_start){
        .user = process_user(arena),
        .commit = checked_out_commit(folder, arena),
        .tags = request->tag,
        .rate = USD_PER_HOUR_UNKNOWN,
        .electricity = {MONEY_UNKNOWN},
        .storage_month = {MONEY_UNKNOWN},
        .budget = request->budget,
        .estimated_cost = USD_UNKNOWN,
        .estimated_time = {-1},
        .started = now,
        .pid = getpid(),
        .pid_started = process_start(getpid()),
        .boot = process_boot(arena),
    };
    return str_keep(request->name.len > 0 ? request->name : default_name(&request->command),
                    arena, &out->name, err) &&
           str_keep(str_from(folder), arena, &out->folder, err) &&
           str_keep(str_from(host), arena, &out->host, err) &&
           gather_facts(target == NULL, arena, &out->facts, err) &&
           (target == NULL || add_attach_target(out, target, arena, err)) &&
           redact_words(&request->command, arena, &out->command, err) &&
           (target != NULL || run_start_digest(&request->command, out, arena, err));
}
