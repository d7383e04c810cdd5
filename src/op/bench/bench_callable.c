/* bench - a Python function or a command, timed batch by batch. */
#include "op/bench/bench_callable.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/num.h"
#include "base/spawn.h"
#include "op/context.h"

#define BATCHES_MOST 32
#define BATCH_MOST 1000000
#define CALLS_MOST 100000 /* of one batch */
#define CALLS_LEAST 5
#define TIMES_MAX ((size_t)4 << 20) /* bytes that Python prints */
#define OUTPUT_MAX ((size_t)64 << 10)

/* Times of calls, one a line, from inside Python: its start and imports are not in them. A
 * function with parameters is given the size of the batch; one of CUDA is waited for. */
static const char timer[] =
    "import importlib, inspect, sys, time\n"
    "sys.path.insert(0, '')\n"
    "name, batch, seconds, most = sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), "
    "int(sys.argv[4])\n"
    "module, _, path = name.partition(':')\n"
    "target = importlib.import_module(module)\n"
    "for part in path.split('.'):\n"
    "    target = getattr(target, part)\n"
    "try:\n"
    "    takes = len(inspect.signature(target).parameters) > 0\n"
    "except (TypeError, ValueError):\n"
    "    takes = True\n"
    "def call():\n"
    "    target(batch) if takes else target()\n"
    "    torch = sys.modules.get('torch')\n"
    "    if torch is not None and torch.cuda.is_available() and torch.cuda.is_initialized():\n"
    "        torch.cuda.synchronize()\n"
    "out, sys.stdout = sys.stdout, sys.stderr\n"
    "begin = time.perf_counter_ns()\n"
    "warm = 0\n"
    "while warm < 3 and (warm == 0 or time.perf_counter_ns() - begin < seconds * 2e8):\n"
    "    call()\n"
    "    warm += 1\n"
    "begin = time.perf_counter_ns()\n"
    "times = []\n"
    "while len(times) < most and (len(times) < 5 or time.perf_counter_ns() - begin < seconds * "
    "1e9):\n"
    "    before = time.perf_counter_ns()\n"
    "    call()\n"
    "    times.append(time.perf_counter_ns() - before)\n"
    "out.write(''.join('%d\\n' % t for t in times))\n";

/* What is timed, and what came of it. */
struct callable {
    struct op_context *ctx;
    const struct bench_request *req;
    double *seconds; /* of each call */
    size_t count;
    size_t sizes; /* of batches, that share the time */
};

static bool read_times(struct callable *c, struct str text, struct error *err)
{
    while (text.len > 0) {
        struct str line = str_cut(&text, '\n');
        int64_t ns;

        if (!num_int(str_trim(line), &ns) || ns < 0 || c->count >= CALLS_MOST)
            return error_fail(err, ERROR_FAILED, "python printed '%.*s' instead of times",
                              STR_ARG(line));
        c->seconds[c->count++] = (double)ns / 1e9;
    }
    return c->count > 0 || error_fail(err, ERROR_FAILED, "python printed no times");
}

/* Time for each batch: that of all shared, which the maximum is for. */
static double batch_seconds(const struct callable *c)
{
    double all = (double)c->req->max_time.ns / 1e9, each = all / (double)c->sizes;

    return fmin(each, 30);
}

static bool time_python(struct callable *c, int64_t batch, struct error *err)
{
    const char *argv[] = {"python3", "-c", timer, NULL, NULL, NULL, NULL, NULL};
    char size[24], seconds[32], most[24];
    struct str text;
    int status;

    argv[3] = str_dup(c->req->python, c->ctx->arena, err);
    (void)snprintf(size, sizeof size, "%lld", (long long)batch);
    (void)snprintf(seconds, sizeof seconds, "%lld", (long long)fmax(ceil(batch_seconds(c)), 1));
    (void)snprintf(most, sizeof most, "%d", CALLS_MOST);
    argv[4] = size;
    argv[5] = seconds;
    argv[6] = most;
    if (argv[3] == NULL || !spawn_run(argv, TIMES_MAX, c->ctx->arena, &text, &status, err))
        return false;
    if (status != 0) {
        error_set(err, ERROR_FAILED, "'%.*s' failed with a batch of %lld (status %d)",
                  STR_ARG(c->req->python), (long long)batch, status);
        error_hint(err,
                   "what Python printed is above; the function is MODULE:NAME, called with "
                   "the size of the batch");
        return false;
    }
    return read_times(c, text, err);
}

/* {} in the command is the size of the batch. */
static char *command_of(struct callable *c, int64_t batch, struct error *err)
{
    struct buf text = buf_new(c->ctx->arena->alloc, OUTPUT_MAX);
    struct str rest = c->req->command, whole;

    while (rest.len > 0) {
        const char *mark = memmem(rest.at, rest.len, "{}", 2);
        size_t len = mark != NULL ? (size_t)(mark - rest.at) : rest.len;

        buf_add(&text, (struct str){rest.at, len});
        if (mark != NULL) {
            buf_addf(&text, "%lld", (long long)batch);
            len += 2;
        }
        rest = (struct str){rest.at + len, rest.len - len};
    }
    return buf_keep(&text, c->ctx->arena, &whole, err) ? str_dup(whole, c->ctx->arena, err)
                                                       : NULL;
}

/* From its start to its end; the first call warms caches and does not count. */
static bool time_command(struct callable *c, int64_t batch, struct error *err)
{
    const char *argv[] = {"sh", "-c", NULL, NULL};
    struct arena scratch = {.alloc = c->ctx->arena->alloc};
    double limit = batch_seconds(c), spent = 0;
    bool ok = (argv[2] = command_of(c, batch, err)) != NULL;

    for (int i = 0; ok && c->count < CALLS_MOST && (c->count < CALLS_LEAST || spent < limit);
         i++) {
        int64_t before = clock_system.now(clock_system.ctx).ns, took;
        struct str text;
        int status = 0;

        ok = spawn_run(argv, OUTPUT_MAX, &scratch, &text, &status, err);
        took = clock_system.now(clock_system.ctx).ns - before;
        arena_free(&scratch);
        if (ok && status != 0)
            ok = error_fail(err, ERROR_FAILED, "'%.*s' failed with a batch of %lld (status %d)",
                            STR_ARG(c->req->command), (long long)batch, status);
        if (i > 0) {
            c->seconds[c->count++] = (double)took / 1e9;
            spent += (double)took / 1e9;
        }
        if (watch_stopped(&c->ctx->watch) && c->count > 0)
            break;
    }
    return ok;
}

static bool time_batch(struct callable *c, int64_t batch, usd_per_hour price,
                       struct bench_batch *out, struct error *err)
{
    double dollars = usd_per_hour_double(price) / 3600;

    c->count = 0;
    watch_progress(&c->ctx->watch, "timing", (uint64_t)batch, 0);
    if (!(c->req->python.len > 0 ? time_python(c, batch, err) : time_command(c, batch, err)) ||
        !load_stat_of(c->seconds, c->count, c->ctx->arena, &out->time, err))
        return false;
    out->batch = batch;
    out->calls = (int64_t)c->count;
    out->items_per_s = (double)batch / out->time.mean.value;
    out->per_1000 = out->per_million = USD_UNKNOWN;
    if (!isnan(dollars)) {
        out->per_1000 = usd_about(dollars / out->items_per_s * 1e3);
        out->per_million = usd_about(dollars / out->items_per_s * 1e6);
    }
    return true;
}

static bool check_callable(const struct bench_request *req, struct error *err)
{
    struct str function = req->python, module = str_cut(&function, ':');

    if (req->python.len > 0 && (module.len == 0 || function.len == 0))
        return error_fail_hint(
            err, ERROR_USAGE, "write MODULE:FUNCTION, as in --python serve:predict",
            "--python: '%.*s' names no function of a module", STR_ARG(req->python));
    if (req->batch.len > BATCHES_MOST)
        return error_fail(err, ERROR_USAGE, "--batch: at most %d sizes", BATCHES_MOST);
    return true;
}

bool bench_callable(struct op_context *ctx, const struct bench_request *req, usd_per_hour price,
                    struct bench_result *out, struct error *err)
{
    static const struct str usual[] = {{"1", 1}, {"8", 1}, {"32", 2}};
    struct strs sizes =
        req->batch.len > 0 ? req->batch : (struct strs){usual, ARRAY_LEN(usual)};
    struct callable c = {.ctx = ctx, .req = req, .sizes = sizes.len};
    struct bench_batch *rows;

    if (!check_callable(req, err))
        return false;
    rows = arena_array(ctx->arena, struct bench_batch, sizes.len + 1, err);
    c.seconds = arena_array(ctx->arena, double, CALLS_MOST, err);
    if (rows == NULL || c.seconds == NULL)
        return false;
    out->batches.at = rows;
    for (size_t i = 0; i < sizes.len && !watch_stopped(&ctx->watch); i++) {
        int64_t batch;

        if (!num_int(sizes.at[i], &batch) || batch < 1 || batch > BATCH_MOST)
            return error_fail(err, ERROR_USAGE, "--batch: '%.*s' is not a size from 1 to %d",
                              STR_ARG(sizes.at[i]), BATCH_MOST);
        if (!time_batch(&c, batch, price, &rows[out->batches.len], err))
            return false;
        out->batches.len++;
    }
    return true;
}
