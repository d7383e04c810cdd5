/* bench_feed_aws FILE - read a regional AWS price list with ours and with jansson, and compare
 * bench_feed_aws --generate FILE MEGABYTES
 *                      - write a made-up one, always the same
 *
 * Each finds the machines with GPUs and adds up what they cost on demand; they must agree. Each
 * runs in a process of its own, and the memory is all that the process has.
 */
#include "feed_aws.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "feed/feed.h"
#include "measure.h"

#define RUNS 3

static bool on_quote(void *ctx, const struct quote *quote, struct error *err)
{
    struct found *found = ctx;

    (void)err;
    found->machines++;
    found->nano_dollars += quote->price[MARKET_ON_DEMAND];
    return true;
}

static bool find_ours(const char *path, void *found)
{
    struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    struct feed_summary summary = {.next = buf_new(&alloc_system, 4096)};
    struct feed_sink sink = {.quote = on_quote, .ctx = found};
    struct feed_reading input = {
        .name = path, .alloc = &alloc_system, .sink = &sink, .summary = &summary};
    struct error err = {0};
    struct catalog catalog = {0};
    struct fs_stream stream = {fs_open(path, &err), path};
    bool ok = stream.fd >= 0 &&
              catalog_load(&catalog, TABLE_BIT(TABLE_OFFERS), NULL, 0, &arena, &err) &&
              (input.known = feed_known_new(&catalog, &arena, &err)) != NULL;

    input.source = fs_source(&stream);
    ok = ok && feed_read(&feed_aws_offers, &input, &err);
    if (!ok)
        error_print(&err, stderr);
    buf_free(&summary.next);
    arena_free(&arena);
    (void)close(stream.fd);
    return ok;
}

static int compare(const char *path)
{
    struct found a = {0}, b = {0};
    struct measured ours, jansson;
    struct stat stat_;
    double megabytes;

    if (stat(path, &stat_) != 0) {
        perror(path);
        return 1;
    }
    megabytes = (double)stat_.st_size / 1e6;
    ours = measure(find_ours, path, RUNS, &a, sizeof a);
    jansson = measure(find_jansson, path, 1, &b, sizeof b);
    (void)printf("feed  %-8s %7.1f MB/s  %5.1fx jansson  peak memory %.1f MB\n", "ours",
                 megabytes / ours.seconds, jansson.seconds / ours.seconds, ours.megabytes);
    (void)printf("feed  %-8s %7.1f MB/s  %5.1fx jansson  peak memory %.1f MB\n", "jansson",
                 megabytes / jansson.seconds, 1.0, jansson.megabytes);
    (void)printf("      %.1f MB, %" PRIu64 " machines, %" PRId64 ".%09" PRId64 " USD in all\n",
                 megabytes, a.machines, a.nano_dollars / 1000000000,
                 a.nano_dollars % 1000000000);
    if (!ours.ok || !jansson.ok || a.machines != b.machines ||
        a.nano_dollars != b.nano_dollars) {
        (void)fprintf(stderr, "bench_feed_aws: the readers disagree\n");
        return 1;
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--generate") != 0)
        return compare(argv[1]);
    if (argc == 4 && strcmp(argv[1], "--generate") == 0)
        return generate_aws(argv[2], strtoul(argv[3], NULL, 10));
    (void)fprintf(stderr, "usage: bench_feed_aws FILE\n"
                          "       bench_feed_aws --generate FILE MEGABYTES\n");
    return 2;
}
