/* How large a bundle would be: some of its pieces are packed, and not written. */
#include <string.h>

#include "base/hash.h"
#include "base/parallel.h"
#include "data/bundle/bundle_internal.h"
#include "data/images/images.h"

#define TRIALS_MOST 8     /* pieces that are packed, beside those of the manifest: 64 MB */
#define TRIALS_LEAST 2    /* of a kind */
#define TRIAL_FILES 16384 /* in them, about */
#define PLAIN_DOUBT 0.1   /* a piece of many files may become so much smaller than others */
#define PACKED_DOUBT 0.01
#define TRIAL_SHARE 0.005 /* of the size: digests of the files are not known */
#define SAME_BYTES 16     /* of a file, in the manifest: less where others are equal to it */
#define TRIAL_EDGE 512    /* bytes, likewise of small bundles */

/* Ends of names of what is compressed already, beside pictures. */
static const char *const packed_names[] = {
    "gz",  "tgz", "zst", "xz",  "bz2",     "lz4", "zip",  "7z",   "npz",  "pt",  "mp4", "mkv",
    "mov", "avi", "mp3", "m4a", "parquet", "ogg", "opus", "flac", "webm", "pdf", NULL};

/* What is compressed already becomes no smaller: few pieces say all about it. The manifest has
 * digests, which do not become smaller either. */
enum piece_kind { PIECE_PLAIN, PIECE_PACKED, PIECE_MANIFEST, PIECE_KINDS };

static enum piece_kind kind_of_piece(const struct bundle_crew *crew,
                                     const struct bundle_piece *piece)
{
    uint64_t packed = 0, all = 0;

    if (piece->first == 0)
        return PIECE_MANIFEST;
    for (size_t i = piece->first; i < piece->first + piece->count; i++) {
        const struct tree_entry *e = bundle_entry(crew, i);

        if (e->kind != TREE_FILE)
            continue;
        all += e->stat.size;
        if (images_has_image_name(e->path) || tree_path_has_extension(e->path, packed_names))
            packed += e->stat.size;
    }
    return packed > all / 2 ? PIECE_PACKED : PIECE_PLAIN;
}

static uint64_t trial_key(const struct bundle_crew *crew, const struct bundle_piece *piece)
{
    struct str path = piece->first > 0 ? bundle_entry(crew, piece->first)->path : STR("");

    return text_hash(piece->from, path);
}

/* One piece of each of so many equal parts, so that no folder is left out. */
static void choose_pieces_of(struct bundle_crew *crew, enum piece_kind kind,
                             const struct bundle_piece **list, size_t all, size_t most)
{
    for (size_t part = 0; part < most; part++) {
        size_t from = part * all / most, to = (part + 1) * all / most;
        const struct bundle_piece *best = list[from];

        for (size_t i = from + 1; i < to; i++)
            if (trial_key(crew, list[i]) < trial_key(crew, best))
                best = list[i];
        crew->trials[crew->trial_count++] =
            (struct bundle_trial){.piece = best, .kind = (int)kind};
    }
}

/* How many of each kind; fewer of pieces with thousands of files, which take long to open. */
static void share_trials(const struct bundle_crew *crew, const size_t count[PIECE_KINDS],
                         size_t most[PIECE_KINDS])
{
    size_t pieces = crew->piece_count > 0 ? crew->piece_count : 1;
    size_t members = crew->bundle->manifest.tree.count / pieces + 1;
    size_t all = TRIAL_FILES / members, packed = count[PIECE_PACKED];

    all = all > TRIALS_MOST ? TRIALS_MOST : all < 2 * TRIALS_LEAST ? 2 * TRIALS_LEAST : all;
    packed = packed < TRIALS_LEAST ? packed : TRIALS_LEAST;
    most[PIECE_MANIFEST] = TRIALS_LEAST;
    most[PIECE_PLAIN] = all - packed;
    most[PIECE_PACKED] = count[PIECE_PLAIN] + packed < all ? all - count[PIECE_PLAIN] : packed;
    for (int kind = 0; kind < PIECE_KINDS; kind++)
        if (most[kind] > count[kind])
            most[kind] = count[kind];
}

static bool choose_pieces(struct bundle_crew *crew, struct error *err)
{
    const struct bundle_piece **lists[PIECE_KINDS];
    size_t count[PIECE_KINDS] = {0}, most[PIECE_KINDS];

    crew->trials =
        arena_array(&crew->arena, struct bundle_trial, PIECE_KINDS * (size_t)TRIALS_MOST, err);
    crew->strata = arena_array(&crew->arena, struct sampled_stratum, PIECE_KINDS, err);
    for (int kind = 0; kind < PIECE_KINDS; kind++) {
        lists[kind] =
            arena_array(&crew->arena, const struct bundle_piece *, crew->piece_count, err);
        if (crew->trials == NULL || crew->strata == NULL || lists[kind] == NULL)
            return false;
        crew->strata[kind] =
            (struct sampled_stratum){.doubt = kind == PIECE_PLAIN ? PLAIN_DOUBT : PACKED_DOUBT};
    }
    for (size_t i = 0; i < crew->piece_count; i++) {
        const struct bundle_piece *piece = &crew->pieces[i];
        enum piece_kind kind = kind_of_piece(crew, piece);

        lists[kind][count[kind]++] = piece;
        crew->strata[kind].count++;
        crew->strata[kind].size += bundle_piece_size(crew, piece);
    }
    share_trials(crew, count, most);
    for (int kind = 0; kind < PIECE_KINDS; kind++)
        choose_pieces_of(crew, (enum piece_kind)kind, lists[kind], count[kind], most[kind]);
    return true;
}

static bool try_piece(void *ctx, size_t index, struct arena *scratch, struct error *err)
{
    struct bundle_crew *crew = ctx;
    struct bundle_trial *trial = &crew->trials[index];
    struct bundle_packer *p = bundle_take_packer(crew);
    struct error why = {0};

    (void)scratch;
    trial->missed = !bundle_pack_piece(crew, p, trial->piece, &trial->packed, &why);
    bundle_free_packer(crew, p);
    if (!trial->missed || (why.kind != ERROR_MEMORY && why.kind != ERROR_STOPPED))
        return true;
    *err = why;
    return false;
}

static void report_pieces(void *ctx, size_t done)
{
    const struct bundle_crew *crew = ctx;

    watch_progress(crew->work->watch, "measuring", done, crew->trial_count);
}

static void sum_up_pieces(struct bundle_crew *crew)
{
    struct sampled *out = crew->guess;
    uint64_t error;

    for (size_t i = 0; i < crew->trial_count; i++) {
        const struct bundle_trial *trial = &crew->trials[i];

        if (!trial->missed)
            sampled_add(&crew->strata[trial->kind], bundle_piece_size(crew, trial->piece),
                        trial->packed);
    }
    *out = sampled_total(crew->strata, PIECE_KINDS);
    error = TRIAL_EDGE + (uint64_t)(TRIAL_SHARE * (double)out->size);
    out->high += error;
    error += SAME_BYTES * crew->bundle->manifest.tree.files;
    out->low -= out->low < error ? out->low : error;
}

static bool try_pieces(struct bundle_crew *crew, struct error *err)
{
    struct parallel what = {
        .alloc = crew->arena.alloc,
        .item = try_piece,
        .stop = bundle_stopped,
        .report = report_pieces,
        .ctx = crew,
    };

    if (!choose_pieces(crew, err) ||
        !bundle_add_packers(crew, crew->trial_count, &what.threads, err) ||
        !parallel_run(&what, crew->trial_count, err))
        return false;
    sum_up_pieces(crew);
    return true;
}

/* Digests take as much room as others do. */
static void make_up_digest(struct tree_entry *e)
{
    for (size_t i = 0; i < TREE_DIGEST / sizeof(uint64_t); i++) {
        uint64_t part = text_hash(i, e->path);

        memcpy(e->digest + i * sizeof part, &part, sizeof part);
    }
    e->hashed = true;
    e->chunks = NULL;
    e->chunk_count = 0;
}

bool bundle_measure(const struct bundle_work *work, const char *folder, const struct tree *tree,
                    struct arena *arena, struct sampled *out, struct error *err)
{
    const struct bundle_source source = {STR("dataset/"), folder, tree};
    struct bundle bundle = {
        .manifest = {.tree = {.arena = arena}}, .sources = &source, .source_count = 1};
    struct bundle_crew crew = {.work = work, .bundle = &bundle, .guess = out};
    struct tree *own = &bundle.manifest.tree;

    if (!bundle_join_tree(&source, &bundle, err))
        return false;
    for (size_t i = 0; i < own->count; i++)
        if (!own->entries[i].trouble)
            make_up_digest(&own->entries[i]);
    return bundle_with_pieces(&crew, try_pieces, err);
}
