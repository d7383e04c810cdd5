#include "op/run/run_repeat.h"

#include <string.h>
#include <sys/stat.h>

#include "base/fs.h"
#include "base/hash.h"
#include "ledger/runs/charges.h"
#include "op/context.h"
#include "op/ledger_open.h"

#define FILE_MOST ((size_t)1 << 20) /* bytes: scripts and configurations, not data */
#define FILES_MOST 16
#define WORTH_NANO INT64_C(100000000)  /* a tenth of a dollar ... */
#define WORTH_NS INT64_C(600000000000) /* ... or ten minutes: less is no reason to speak */
#define SEED_LOW UINT64_C(0x7374696e74206c6f) /* fixed: the ledger is read for years */
#define SEED_HIGH UINT64_C(0x7374696e74206869)

/* Two hashes side by side; each text counts with its length. */
struct digest {
    uint64_t low, high;
};

static void add(struct digest *d, struct str text)
{
    d->low = text_hash(d->low, text);
    d->high = text_hash(d->high, text);
}

/* A plain file that is small enough to be a script or a configuration. */
static void add_file(struct digest *d, struct str word, struct arena *scratch, size_t *files)
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
    add(d, text);
}

/* "--config=x.yaml" names x.yaml. */
static struct str value_of(struct str word)
{
    struct str rest = word;

    if (!str_starts(word, STR("--")) || memchr(word.at, '=', word.len) == NULL)
        return word;
    (void)str_cut(&rest, '=');
    return rest;
}

/* Without the folder, so that a checkout elsewhere is the same. */
static void add_text(struct digest *d, struct str text, struct str folder)
{
    size_t from = 0;

    for (size_t i = 0; folder.len > 1 && i + folder.len < text.len;) {
        struct str here = {text.at + i, text.len - i};

        if (str_starts(here, folder) && here.at[folder.len] == '/') {
            add(d, (struct str){text.at + from, i - from});
            i += folder.len + 1;
            from = i;
        } else {
            i++;
        }
    }
    add(d, (struct str){text.at + from, text.len - from});
}

bool run_repeat_digest(struct op_context *ctx, const struct strs *command,
                       struct ledger_start *start, struct error *err)
{
    struct arena scratch = {.alloc = ctx->arena->alloc, .block_size = ARENA_BLOCK_SIZE};
    struct digest d = {SEED_LOW, SEED_HIGH};
    struct buf text = buf_new(ctx->arena->alloc, 64);
    size_t files = 0;
    bool ok;

    add_text(&d, start->command, start->folder);
    add(&d, start->commit);
    for (size_t i = 0; i < command->len; i++)
        add_file(&d, value_of(command->at[i]), &scratch, &files);
    arena_free(&scratch);
    buf_addf(&text, "%016llx%016llx", (unsigned long long)d.high, (unsigned long long)d.low);
    start->digest.len = text.len;
    ok = buf_ok(&text, err) &&
         (start->digest.at = str_dup(buf_text(&text), ctx->arena, err)) != NULL;
    buf_free(&text);
    return ok;
}

static void say(struct op_context *ctx, const struct ledger_run *run)
{
    struct buf text = buf_new(ctx->arena->alloc, 128);
    struct str id = ledger_short(run->start.id);

    day_write(day_of(run->start.started), &text);
    buf_addf(&text, ": %s, ", ledger_state_name(run->state));
    usd_write(run->totals.cost, &text);
    if (text.failed == ERROR_NONE)
        message_warn(
            &ctx->messages,
            "this was run on %.*s; 'stint show %.*s' has what came of it (--again: do not "
            "say so)",
            (int)text.len, text.at, STR_ARG(id));
    buf_free(&text);
}

void run_repeat_warn(struct op_context *ctx, struct ledger *ledger,
                     const struct ledger_start *start)
{
    struct ledger_repeat worth = {start->digest, {WORTH_NANO}, {WORTH_NS}};
    struct error ignored = {0};
    struct ledger_run run;
    bool found = false;

    if (ledger_repeated(ledger, &worth, ctx->arena, &run, &found, &ignored) && found &&
        run.state == RUN_DONE &&
        ((run.totals.cost.nano != MONEY_UNKNOWN && run.totals.cost.nano >= WORTH_NANO) ||
         run.totals.elapsed.ns >= WORTH_NS))
        say(ctx, &run);
}
