/* bundle_internal.h - what the files that pack bundles share. */
#ifndef DATA_BUNDLE_BUNDLE_INTERNAL_H
#define DATA_BUNDLE_BUNDLE_INTERNAL_H

#include <pthread.h>
#include <stdatomic.h>

#include "data/bundle/archive_part.h"
#include "data/bundle/bundle.h"

#define PIECE ((size_t)8 << 20)         /* bytes of the archive that are packed at once */
#define STORED_LEAST ((size_t)32 << 10) /* bytes of a file that are worth a look */
#define STORED_PARTS (PIECE / STORED_LEAST + 1)

/* Complete members, or bytes of one. Member 0 is the manifest; the others are its entries. */
struct bundle_piece {
    size_t first, count;
    uint64_t from, to; /* of the content of the only one, when it is cut */
    bool cut;
};

/* Bytes of a piece that are stored as they are. */
struct bundle_stored {
    size_t at, len;
};

/* What a thread needs for a piece. */
struct bundle_packer {
    struct bundle_packer *next; /* that is free */
    void *state;
    unsigned char *plain, *packed;
    size_t len, packed_room;
    struct bundle_stored stored[STORED_PARTS];
    size_t stored_count;
};

/* A piece that is packed to see how small it becomes. */
struct bundle_trial {
    const struct bundle_piece *piece;
    int kind; /* its stratum */
    size_t packed;
    bool missed; /* a file of it has changed */
};

struct bundle_crew {
    const struct archive_part *part;
    const struct bundle_work *work;
    const struct bundle *bundle;
    struct str text; /* the manifest */
    struct arena arena;
    int *roots; /* of the sources */
    struct bundle_piece *pieces;
    size_t piece_count, piece_room;
    pthread_mutex_t lock; /* of all below */
    pthread_cond_t moved;
    struct bundle_packer *free;
    size_t turn;   /* the piece to write next */
    size_t failed; /* the first piece that did; SIZE_MAX: none */
    uint32_t sum;
    uint64_t plain_size;
    struct bundle_took *took;
    atomic_uint_fast64_t done; /* bytes */
    struct bundle_trial *trials;
    size_t trial_count;
    struct sampled_stratum *strata; /* pieces that are alike */
    struct sampled *guess;
};

/* What lies in the folder of a source becomes part of the bundle. */
bool bundle_join_tree(const struct bundle_source *source, struct bundle *out,
                      struct error *err) MUST_USE;

/* Write the manifest, open the sources, cut the archive, and call `use` with all that. */
bool bundle_with_pieces(struct bundle_crew *crew,
                        bool (*use)(struct bundle_crew *crew, struct error *err),
                        struct error *err) MUST_USE;

/* A packer for each of the threads that so many pieces need; one that is free, and back. */
bool bundle_add_packers(struct bundle_crew *crew, size_t pieces, unsigned *threads,
                        struct error *err) MUST_USE;
struct bundle_packer *bundle_take_packer(struct bundle_crew *crew);
void bundle_free_packer(struct bundle_crew *crew, struct bundle_packer *packer);

/* Read a piece and pack it. */
bool bundle_pack_piece(struct bundle_crew *crew, struct bundle_packer *p,
                       const struct bundle_piece *piece, size_t *packed,
                       struct error *err) MUST_USE;

/* Should the work end? Of parallel.h. */
bool bundle_stopped(void *crew);

/* Bytes of a piece before it is packed, without the ends of long names. */
uint64_t bundle_piece_size(const struct bundle_crew *crew, const struct bundle_piece *piece);

/* The entry of a member but the first. */
const struct tree_entry *bundle_entry(const struct bundle_crew *crew, size_t member);

#endif
