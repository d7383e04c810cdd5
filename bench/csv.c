/* bench_csv FILE: read it with our reader, vector and scalar, and with libcsv, side by side.
 * bench_csv --generate FILE MEGABYTES: write the file to read, always the same bytes: a bill,
 * of some 350 bytes a row. With --generate-dense a price list, of some 190 bytes a row in as
 * many columns.
 *
 * Each reader gets the bytes by read(2), 256 KiB at a time, and gets every field: its length
 * and column go into a checksum. A run that is not timed first compares every byte of every
 * field.
 */
#include <csv.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/csv.h"

#define CHUNK ((size_t)256 * 1024)
#define COLUMNS 18
#define RUNS 5

struct tally {
    uint64_t rows, fields, lengths, bytes; /* bytes: a hash, only when `deep` */
    uint64_t column;
    bool deep;
};

static inline void tally_field(struct tally *tally, const char *at, size_t len)
{
    tally->lengths += len * (tally->column + 1);
    if (tally->deep)
        for (size_t i = 0; i <= len; i++)
            tally->bytes =
                (tally->bytes ^ (i < len ? (unsigned char)at[i] : 256)) * 1099511628211u;
    tally->fields++;
    tally->column++;
}

static inline void tally_row(struct tally *tally)
{
    tally->rows++;
    tally->column = 0;
}

static int open_or_die(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);

    if (fd < 0) {
        perror(path);
        exit(1);
    }
    return fd;
}

static ptrdiff_t read_chunk(void *ctx, char *to, size_t room, struct error *err)
{
    ssize_t got = read(*(int *)ctx, to, room < CHUNK ? room : CHUNK);

    if (got < 0)
        error_set(err, ERROR_SYSTEM, "cannot read");
    return got;
}

static void read_ours(const char *path, bool scalar, struct tally *tally)
{
    int fd = open_or_die(path);
    struct csv_options options = {.alloc = &alloc_system, .scalar = scalar};
    struct error err = {0};
    struct csv *csv = csv_open((struct source){read_chunk, &fd}, &options, &err);
    struct csv_row row;

    while (csv != NULL && csv_next(csv, &row, &err)) {
        for (size_t i = 0; i < row.count; i++)
            tally_field(tally, row.fields[i].at, row.fields[i].len);
        tally_row(tally);
    }
    if (csv == NULL || csv_failed(csv)) {
        error_print(&err, stderr);
        exit(1);
    }
    csv_close(csv);
    (void)close(fd);
}

static void read_vector(const char *path, struct tally *tally)
{
    read_ours(path, false, tally);
}

static void read_scalar(const char *path, struct tally *tally)
{
    read_ours(path, true, tally);
}

static void libcsv_field(void *at, size_t len, void *tally)
{
    tally_field(tally, at, len);
}

static void libcsv_row(int end, void *tally)
{
    (void)end;
    tally_row(tally);
}

static void read_libcsv(const char *path, struct tally *tally)
{
    static char chunk[CHUNK];
    int fd = open_or_die(path);
    struct csv_parser parser;
    ssize_t got;

    if (csv_init(&parser, 0) != 0)
        exit(1);
    while ((got = read(fd, chunk, sizeof chunk)) > 0)
        if (csv_parse(&parser, chunk, (size_t)got, libcsv_field, libcsv_row, tally) !=
            (size_t)got) {
            (void)fprintf(stderr, "libcsv: %s\n", csv_strerror(csv_error(&parser)));
            exit(1);
        }
    (void)csv_fini(&parser, libcsv_field, libcsv_row, tally);
    csv_free(&parser);
    (void)close(fd);
}

static const struct reader {
    const char *name;
    void (*read)(const char *path, struct tally *tally);
} readers[] = {
    {"ours (vector)", read_vector},
    {"ours (scalar)", read_scalar},
    {"libcsv", read_libcsv},
};

#define READERS (sizeof readers / sizeof *readers)

static double seconds_now(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void must_agree(const struct tally *a, const struct tally *b, const char *name)
{
    if (a->rows == b->rows && a->fields == b->fields && a->lengths == b->lengths &&
        a->bytes == b->bytes)
        return;
    (void)fprintf(stderr, "%s disagrees: %" PRIu64 " rows, %" PRIu64 " fields\n", name, b->rows,
                  b->fields);
    exit(1);
}

static void compare(const char *path)
{
    double best[READERS] = {0};
    struct tally first[2] = {{.deep = true}, {.deep = false}};
    int fd = open_or_die(path);
    double size = (double)lseek(fd, 0, SEEK_END);

    (void)close(fd);
    for (int run = -1; run < RUNS; run++) /* the first reads deeply and is not timed */
        for (size_t i = 0; i < READERS; i++) {
            struct tally tally = {.deep = run < 0}, *expected = &first[run >= 0];
            double start = seconds_now(), took;

            readers[i].read(path, &tally);
            took = seconds_now() - start;
            if (expected->rows == 0)
                *expected = tally;
            must_agree(expected, &tally, readers[i].name);
            if (run == 0 || (run > 0 && took < best[i]))
                best[i] = took;
        }
    (void)printf("csv  %" PRIu64 " rows, %" PRIu64 " fields, %.0f MB; every byte agrees\n",
                 first[0].rows, first[0].fields, size / 1e6);
    for (size_t i = 0; i < READERS; i++)
        (void)printf("csv  %-14s %6.2f GB/s %6.1fx libcsv\n", readers[i].name,
                     size / 1e9 / best[i], best[READERS - 1] / best[i]);
}

static uint32_t random_below(uint64_t *seed, uint32_t limit)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((*seed >> 33) % limit);
}

#define PICK(from) ((from)[random_below(seed, sizeof(from) / sizeof *(from))])

/* A fraction of `digits` digits, as bills give amounts. */
static void write_amount(FILE *to, uint64_t *seed, uint32_t limit, int digits)
{
    (void)fprintf(to, "%u.", random_below(seed, limit));
    for (int i = 0; i < digits; i++)
        (void)fputc((int)('0' + random_below(seed, 10)), to);
}

/* Names as in the ARN of a resource: letters and digits. */
static void write_name(FILE *to, uint64_t *seed, uint32_t len)
{
    for (uint32_t i = 0; i < len; i++)
        (void)fputc("0123456789abcdef"[random_below(seed, 16)], to);
}

static void write_tags(FILE *to, uint64_t *seed)
{
    static const char *const teams[] = {"search", "ml-platform", "ads", "web", "risk"};
    static const char *const stages[] = {"prod", "staging", "dev"};

    if (random_below(seed, 5) != 0)
        return;
    (void)fprintf(to, "\"{\"\"team\"\":\"\"%s\"\",\"\"env\"\":\"\"%s\"\"", PICK(teams),
                  PICK(stages));
    if (random_below(seed, 2) == 0)
        (void)fprintf(to, ",\"\"job\"\":\"\"train-%u\"\"", random_below(seed, 10000));
    (void)fputs("}\"", to);
}

/* A line of a bill: long names, times, amounts, some quoted text. */
static void write_bill(FILE *to, uint64_t *seed, uint64_t id)
{
    static const char *const kinds[] = {"Usage", "Usage", "DiscountedUsage", "Tax", "Credit"};
    static const char *const products[] = {
        "ComputeInstances,\"Example Compute, on demand\"", "ObjectStorage,Example Storage",
        "DataTransfer,\"Example Network, between regions\"", "Blocks,\"Volumes, general\"",
        "ManagedQueue,Example Queue"};
    static const char *const usages[] = {"EUC1-BoxUsage:p5.48xlarge", "TimedStorage-ByteHrs",
                                         "USE1-DataTransfer-Out-Bytes", "EBS:VolumeUsage.gp3",
                                         "Requests-Tier1"};
    static const char *const zones[] = {"eu-central-1a", "us-east-1b", "us-east-1", ""};
    static const char *const texts[] = {
        "\"$98.32 per On Demand Linux p5.48xlarge Instance Hour, Frankfurt\"",
        "\"$0.023 per GB, first 50 TB a month of storage used, standard class, Ireland\"",
        "USD 0.0900000000 per GB of data sent out to the internet",
        "\"$0.08 per GB-month of general purpose storage, Europe\"",
        "\"Requests to the queue service, first million of each month free\""};
    uint32_t day = 1 + random_below(seed, 28), hour = random_below(seed, 23);

    (void)fprintf(to, "%012" PRIu64 ",%u,%s,", 400000000000 + id % 977 * 7919,
                  700000 + random_below(seed, 90), PICK(kinds));
    (void)fprintf(to, "2026-03-%02uT%02u:00:00Z,2026-03-%02uT%02u:00:00Z,", day, hour, day,
                  hour + 1);
    (void)fprintf(to, "%s,%s,%s,", PICK(products), PICK(usages), PICK(zones));
    (void)fprintf(to, "arn:cloud:compute:eu-central-1:%012u:instance/i-",
                  random_below(seed, 1000000000));
    write_name(to, seed, 12 + random_below(seed, 26));
    (void)fputc(',', to);
    write_amount(to, seed, 1000, (int)random_below(seed, 10));
    (void)fputs(",USD,", to);
    write_amount(to, seed, 100, 10);
    (void)fputc(',', to);
    write_amount(to, seed, 10000, 10);
    (void)fprintf(to, ",%s,", PICK(texts));
    write_tags(to, seed);
    (void)fprintf(to, ",%s,inv-2026-%06u\n", random_below(seed, 3) == 0 ? "OnDemand" : "",
                  random_below(seed, 1000000));
}

/* An offer as providers list them: mostly short plain fields, some quoted text. */
static void write_offer(FILE *to, uint64_t *seed, uint64_t id)
{
    static const char *const names[] = {"amber", "\"Blue Cloud, Inc.\"", "cobalt", "\"delta\"",
                                        "northern-europe-1"};
    static const char *const texts[] = {
        "\"8 GPUs with NVLink, 2 TB of memory\"", "\"2.5\"\" NVMe, \"\"spot\"\" price\"",
        "\"one node, billed by the second\"",     "Linux",
        "\"the \"\"large\"\" one, shared\"",      "\"reserved, no upfront payment\""};
    static const char *const gpus[] = {"H100 SXM", "H200", "A100 80GB", "\"L40S\"", "B200", ""};

    (void)fprintf(to, "offer-%" PRIu64 ",%s,%s,%s,%u,", id, PICK(names), PICK(names),
                  PICK(gpus), 1u << random_below(seed, 4));
    (void)fprintf(to, "%u,%u,%u,%s,", random_below(seed, 256), random_below(seed, 2048),
                  random_below(seed, 30000), PICK(texts));
    (void)fprintf(to, "%u.%02u,USD,hour,%s,", random_below(seed, 98), random_below(seed, 100),
                  random_below(seed, 2) ? "true" : "false");
    (void)fprintf(to, "2026-%02u-%02uT00:00:00Z,%s,,%u,https://example.com/offers/%u\n",
                  1 + random_below(seed, 12), 1 + random_below(seed, 28), PICK(texts),
                  random_below(seed, 1000000), random_below(seed, 100000));
}

static int generate(const char *path, uint64_t megabytes,
                    void (*write_row)(FILE *to, uint64_t *seed, uint64_t id))
{
    FILE *to = fopen(path, "wb");
    uint64_t seed = 1;

    if (to == NULL) {
        perror(path);
        return 1;
    }
    for (int i = 1; i <= COLUMNS; i++)
        (void)fprintf(to, "column %d%c", i, i < COLUMNS ? ',' : '\n');
    for (uint64_t id = 1; (uint64_t)ftell(to) < megabytes * 1000000; id++)
        write_row(to, &seed, id);
    if (fclose(to) != 0) {
        perror(path);
        return 1;
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "--generate") == 0)
        return generate(argv[2], strtoull(argv[3], NULL, 10), write_bill);
    if (argc == 4 && strcmp(argv[1], "--generate-dense") == 0)
        return generate(argv[2], strtoull(argv[3], NULL, 10), write_offer);
    if (argc != 2) {
        (void)fprintf(stderr, "usage: bench_csv FILE | bench_csv --generate FILE MEGABYTES | "
                              "bench_csv --generate-dense FILE MEGABYTES\n");
        return 2;
    }
    compare(argv[1]);
    return 0;
}
