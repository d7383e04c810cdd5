/* bench_json FILE              - read FILE with ours, jansson and yajl, and compare
 * bench_json --generate FILE MEGABYTES [--compact]
 *                              - write a made-up AWS price list, always the same one
 *
 * Every reader visits every token, counts them, and adds up the USD prices; all must agree.
 * Each runs in a process of its own, whose peak memory is counted beyond an empty one's.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/json.h"
#include "json_bench.h"
#include "measure.h"

#define RUNS 3

struct result {
    struct tally tally;
    struct measured used;
};

/* "98.3200000000" in billionths, exactly; later digits must be zeros. */
static int64_t nano_dollars(struct str text)
{
    int64_t value = 0;
    int decimals = -1;

    for (size_t i = 0; i < text.len; i++) {
        if (text.at[i] == '.') {
            decimals = 0;
        } else if (decimals < 9) {
            value = value * 10 + (text.at[i] - '0');
            decimals += decimals >= 0;
        } else if (text.at[i] != '0') {
            (void)fprintf(stderr, "a price finer than a nano-dollar\n");
            exit(1);
        }
    }
    for (decimals = decimals < 0 ? 0 : decimals; decimals < 9; decimals++)
        value *= 10;
    return value;
}

void tally_key(struct tally *tally, struct str key)
{
    tally->tokens++;
    tally->usd = key.len == 3 && memcmp(key.at, "USD", 3) == 0;
}

void tally_string(struct tally *tally, struct str text)
{
    tally->tokens++;
    if (!tally->usd)
        return;
    tally->prices++;
    tally->nano_dollars += nano_dollars(text);
    tally->usd = false;
}

static ptrdiff_t read_fd(void *ctx, char *to, size_t room, struct error *err)
{
    ssize_t got = read(*(int *)ctx, to, room);

    if (got < 0)
        error_system(err, errno, "cannot read");
    return got;
}

bool read_ours(const char *path, struct tally *tally)
{
    struct json_options options = {.alloc = &alloc_system};
    struct json_token token = {0};
    struct error err = {0};
    int fd = open(path, O_RDONLY);
    struct json *json = json_open((struct source){read_fd, &fd}, &options, &err);
    bool ok = json != NULL && fd >= 0;

    while (ok && (ok = json_next(json, &token, &err)) && token.kind != JSON_END) {
        if (token.kind == JSON_KEY)
            tally_key(tally, token.text);
        else if (token.kind == JSON_STRING)
            tally_string(tally, token.text);
        else
            tally->tokens++;
    }
    if (!ok)
        error_print(&err, stderr);
    json_close(json);
    (void)close(fd);
    return ok;
}

static bool work_ours(const char *path, void *tally)
{
    return read_ours(path, tally);
}

static bool work_jansson(const char *path, void *tally)
{
    return read_jansson(path, tally);
}

static bool work_yajl(const char *path, void *tally)
{
    return read_yajl(path, tally);
}

static bool work_nothing(const char *path, void *tally)
{
    (void)path;
    (void)tally;
    return true;
}

static struct result run(bool (*work)(const char *, void *), const char *path, int runs)
{
    struct result result = {0};

    result.used = measure(work, path, runs, &result.tally, sizeof result.tally);
    return result;
}

static void print_result(const char *name, double bytes, const struct result *result,
                         const struct result *jansson, const struct result *yajl, double empty)
{
    (void)printf("json  %-8s %6.3f GB/s  %5.1fx jansson  %5.2fx yajl  peak memory %.1f MB\n",
                 name, bytes / result->used.seconds / 1e9,
                 jansson->used.seconds / result->used.seconds,
                 yajl->used.seconds / result->used.seconds, result->used.megabytes - empty);
}

static bool same(const struct result *a, const struct result *b)
{
    return a->used.ok && b->used.ok && a->tally.tokens == b->tally.tokens &&
           a->tally.prices == b->tally.prices && a->tally.nano_dollars == b->tally.nano_dollars;
}

static int compare(const char *path)
{
    struct result empty, ours, jansson, yajl;
    struct stat stat_;
    double bytes;

    if (stat(path, &stat_) != 0) {
        perror(path);
        return 1;
    }
    bytes = (double)stat_.st_size;
    (void)run(work_yajl, path, 1); /* so that the file is in memory for all alike */
    empty = run(work_nothing, path, 1);
    ours = run(work_ours, path, RUNS);
    yajl = run(work_yajl, path, RUNS);
    jansson = run(work_jansson, path, 2);
    print_result("ours", bytes, &ours, &jansson, &yajl, empty.used.megabytes);
    print_result("yajl", bytes, &yajl, &jansson, &yajl, empty.used.megabytes);
    print_result("jansson", bytes, &jansson, &jansson, &yajl, empty.used.megabytes);
    (void)printf("      %.1f MB, %" PRIu64 " tokens, %" PRIu64 " prices, %" PRId64 ".%09" PRId64
                 " USD in all\n",
                 bytes / 1e6, ours.tally.tokens, ours.tally.prices,
                 ours.tally.nano_dollars / 1000000000, ours.tally.nano_dollars % 1000000000);
    if (!same(&ours, &yajl) || !same(&ours, &jansson)) {
        (void)fprintf(stderr, "bench_json: the readers disagree\n");
        return 1;
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--generate") != 0)
        return compare(argv[1]);
    if (argc >= 4 && argc <= 5 && strcmp(argv[1], "--generate") == 0)
        return generate(argv[2], strtoul(argv[3], NULL, 10), argc == 5);
    (void)fprintf(stderr, "usage: bench_json FILE\n"
                          "       bench_json --generate FILE MEGABYTES [--compact]\n");
    return 2;
}
