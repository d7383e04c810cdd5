/* A manifest as text, and back. */
#include "data/manifest.h"

#include <stdio.h>
#include <string.h>

#include "base/decimal.h"
#include "base/hex.h"
#include "base/num.h"
#include "base/stop.h"
#include "data/digest.h"

#define TITLE "stint manifest 1"
#define HEX_DIGEST ((size_t)2 * TREE_DIGEST)

/* Lines that are read. */
struct manifest_lines {
    struct str rest;
    int64_t number; /* of the line that was taken last */
    struct tree *tree;
};

static void write_path(struct str path, struct buf *out)
{
    size_t from = 0;

    for (size_t i = 0; i < path.len; i++) {
        if (path.at[i] != '\\' && path.at[i] != '\n')
            continue;
        buf_add(out, (struct str){path.at + from, i - from});
        buf_adds(out, path.at[i] == '\n' ? "\\n" : "\\\\");
        from = i + 1;
    }
    buf_add(out, (struct str){path.at + from, path.len - from});
    buf_char(out, '\n');
}

static void write_digest(const unsigned char *digest, struct buf *out)
{
    char hex[HEX_DIGEST + 1];

    hex_copy((struct str){(const char *)digest, TREE_DIGEST}, hex);
    buf_add(out, (struct str){hex, HEX_DIGEST});
}

static void write_number(uint64_t n, struct buf *out)
{
    decimal_write((struct decimal){n, 0}, out);
    buf_char(out, ' ');
}

/* Seconds with nine decimals: of a time before 1970 they count down. */
static void write_time_ns(int64_t ns, struct buf *out)
{
    decimal_write((struct decimal){ns, 9}, out);
    buf_char(out, ' ');
}

static void write_entry(const struct tree_entry *e, bool private, struct buf *out)
{
    if (e->kind == TREE_EMPTY || e->trouble) {
        buf_adds(out, e->trouble ? "? " : "d ");
        write_path(e->path, out);
        return;
    }
    buf_adds(out, e->kind == TREE_LINK ? "l " : e->chunk_count > 0 ? "c " : "f ");
    write_digest(e->digest, out);
    buf_char(out, ' ');
    write_number(e->stat.size, out);
    write_time_ns(e->stat.modified, out);
    if (private) {
        buf_adds(out, "i ");
        write_number(e->stat.inode, out);
        write_time_ns(e->stat.changed, out);
    }
    write_path(e->path, out);
    for (uint32_t c = 0; c < e->chunk_count; c++) {
        buf_adds(out, "+ ");
        write_digest(e->chunks + (size_t)c * TREE_DIGEST, out);
        buf_char(out, '\n');
    }
}

void manifest_write(const struct manifest *manifest, bool private, struct buf *out)
{
    const struct tree *tree = &manifest->tree;

    buf_addf(out, TITLE "\nfiles %zu\nbytes %llu\nsha256 ", tree->files,
             (unsigned long long)tree->bytes);
    write_digest(manifest->digest, out);
    buf_addf(out, "\ntaken %lld", (long long)manifest->taken.s);
    if (private && manifest->taken_part > 0)
        buf_addf(out, ".%09lld", (long long)manifest->taken_part);
    buf_adds(out, "\n\n");
    for (size_t i = 0; i < tree->count; i++)
        write_entry(&tree->entries[i], private, out);
    buf_adds(out, "end\n");
}

static bool bad_line(const struct manifest_lines *in, const char *why, struct error *err)
{
    error_set(err, ERROR_INPUT, "line %lld: %s", (long long)in->number, why);
    error_hint(err, "'stint data manifest' writes a new one");
    return false;
}

static bool take_line(struct manifest_lines *in, struct str *line, struct error *err)
{
    in->number++;
    if (memchr(in->rest.at, '\n', in->rest.len) == NULL)
        return bad_line(in, "the manifest ends here: it is not complete", err);
    *line = str_cut(&in->rest, '\n');
    return true;
}

static bool read_digest(struct str digits, unsigned char *out)
{
    char memory[TREE_DIGEST + 1];
    struct buf bytes = buf_within(memory, sizeof memory);

    if (digits.len != HEX_DIGEST || !hex_read(digits, &bytes) || bytes.len != TREE_DIGEST)
        return false;
    memcpy(out, memory, TREE_DIGEST);
    return true;
}

static bool read_entry_size(struct str text, uint64_t *out)
{
    int64_t value;

    if (!num_int(text, &value) || value < 0)
        return false;
    *out = (uint64_t)value;
    return true;
}

/* The path without its escapes: the text itself when it has none. */
static bool read_path(struct str text, struct arena *arena, struct str *out, struct error *err)
{
    char *to;
    size_t len = 0;

    *out = text;
    if (text.len == 0 || memchr(text.at, '\\', text.len) == NULL)
        return true;
    to = arena_get(arena, 1, text.len + 1, 1, err);
    if (to == NULL)
        return false;
    for (size_t i = 0; i < text.len; i++) {
        bool escape = text.at[i] == '\\' && i + 1 < text.len;

        i += escape;
        to[len++] = escape && text.at[i] == 'n' ? '\n' : text.at[i];
    }
    *out = (struct str){to, len};
    return true;
}

/* A folder has a slash at its end. */
static bool is_inside(struct str path, bool folder)
{
    if (folder && !str_ends(path, STR("/")))
        return false;
    path.len -= folder;
    return tree_path_stays(path);
}

/* "i INODE SECONDS ", where there is one. */
static bool read_private(struct str *line, struct tree_stat *stat)
{
    if (!str_starts(*line, STR("i ")))
        return true;
    (void)str_cut(line, ' ');
    return read_entry_size(str_cut(line, ' '), &stat->inode) &&
           num_fixed(str_cut(line, ' '), 9, &stat->changed);
}

/* "DIGEST SIZE SECONDS " of a file or a link. */
static bool read_content(struct str *line, struct tree_entry *e)
{
    e->hashed = true;
    return read_digest(str_cut(line, ' '), e->digest) &&
           read_entry_size(str_cut(line, ' '), &e->stat.size) &&
           num_fixed(str_cut(line, ' '), 9, &e->stat.modified) && read_private(line, &e->stat);
}

/* "+ DIGEST" for each chunk; the file's digest is that of all of them. */
static bool read_chunks(struct manifest_lines *in, struct tree_entry *e, struct error *err)
{
    uint64_t count = (e->stat.size + DIGEST_CHUNK - 1) / DIGEST_CHUNK;
    unsigned char own[TREE_DIGEST], *chunks;
    struct str line;

    if (count < 2 || count > in->rest.len / HEX_DIGEST)
        return bad_line(in, "its chunks are missing", err);
    chunks = arena_get(in->tree->arena, (size_t)count, TREE_DIGEST, 1, err);
    if (chunks == NULL)
        return false;
    for (uint64_t c = 0; c < count; c++) {
        if (!take_line(in, &line, err))
            return false;
        if (!str_starts(line, STR("+ ")) ||
            !read_digest((struct str){line.at + 2, line.len - 2}, chunks + c * TREE_DIGEST))
            return bad_line(in, "the digest of a chunk is expected", err);
    }
    if (!digest_of_text((struct str){(const char *)chunks, (size_t)count * TREE_DIGEST}, own,
                        err))
        return false;
    if (memcmp(own, e->digest, TREE_DIGEST) != 0)
        return bad_line(in, "these chunks are not those of the file", err);
    e->chunks = chunks;
    e->chunk_count = (uint32_t)count;
    return true;
}

static bool read_entry(struct manifest_lines *in, struct str line, struct tree_entry *e,
                       struct error *err)
{
    char kind = line.len > 2 && line.at[1] == ' ' ? line.at[0] : 0;

    *e = (struct tree_entry){.kind = kind == 'd'   ? TREE_EMPTY
                                     : kind == 'l' ? TREE_LINK
                                                   : TREE_FILE};
    if (kind == 0 || strchr("fcld?", kind) == NULL)
        return bad_line(in, "an entry begins with f, c, l, d or ?", err);
    line = (struct str){line.at + 2, line.len - 2};
    e->hashed = kind == 'd';
    e->trouble = kind == '?';
    if (kind != 'd' && kind != '?' && !read_content(&line, e))
        return bad_line(in, "SHA-256, size and time are expected", err);
    if (!read_path(line, in->tree->arena, &e->path, err))
        return false;
    if (!is_inside(e->path, kind == 'd' || (kind == '?' && str_ends(e->path, STR("/")))))
        return bad_line(in, "the path leads outside the folder", err);
    return kind != 'c' || read_chunks(in, e, err);
}

static bool add_read_entry(struct manifest_lines *in, struct str line, struct error *err)
{
    struct tree *tree = in->tree;
    struct tree_entry *e = tree_add_entry(tree, err);

    if (e == NULL || !read_entry(in, line, e, err))
        return false;
    if (tree->count > 1 && str_cmp(e[-1].path, e->path) >= 0)
        return bad_line(in, "the paths are not in order", err);
    if (e->kind == TREE_FILE && !e->trouble) {
        tree->files++;
        if (__builtin_add_overflow(tree->bytes, e->stat.size, &tree->bytes))
            return bad_line(in, "these are too many bytes", err);
    }
    return true;
}

/* "NAME VALUE" */
static bool take_head_line(struct manifest_lines *in, const char *name, struct str *value,
                           struct error *err)
{
    struct str line;

    if (!take_line(in, &line, err))
        return false;
    if (!str_eq(str_cut(&line, ' '), str_from(name))) {
        char why[64];

        (void)snprintf(why, sizeof why, "'%s' is expected", name);
        return bad_line(in, why, err);
    }
    *value = line;
    return true;
}

/* "SECONDS" or, of one that Stint keeps for itself, "SECONDS.NANOSECONDS". */
static bool read_taken(struct str text, struct manifest *out)
{
    struct str seconds = str_cut(&text, '.');

    return num_int(seconds, &out->taken.s) &&
           (text.len == 0 ||
            (text.len == 9 && num_int(text, &out->taken_part) && out->taken_part >= 0));
}

static bool read_heads(struct manifest_lines *in, struct manifest *out, uint64_t *files,
                       uint64_t *bytes, struct error *err)
{
    struct str value;

    in->number = 1;
    if (!str_starts(in->rest, STR(TITLE "\n")))
        return bad_line(in, "not a Stint manifest", err);
    (void)str_cut(&in->rest, '\n');
    if (!take_head_line(in, "files", &value, err))
        return false;
    if (!read_entry_size(value, files))
        return bad_line(in, "a number of files is expected", err);
    if (!take_head_line(in, "bytes", &value, err))
        return false;
    if (!read_entry_size(value, bytes))
        return bad_line(in, "a number of bytes is expected", err);
    if (!take_head_line(in, "sha256", &value, err))
        return false;
    if (!read_digest(value, out->digest))
        return bad_line(in, "a SHA-256 of 64 digits is expected", err);
    if (!take_head_line(in, "taken", &value, err))
        return false;
    if (!read_taken(value, out))
        return bad_line(in, "a time in seconds is expected", err);
    if (!take_line(in, &value, err))
        return false;
    return value.len == 0 || bad_line(in, "an empty line is expected", err);
}

/* The head says what follows: a manifest that was edited, or cut, is not believed. */
static bool check_head_sums(const struct manifest_lines *in, const struct manifest *m,
                            uint64_t files, uint64_t bytes, struct error *err)
{
    unsigned char own[TREE_DIGEST];

    if (m->tree.files != files || m->tree.bytes != bytes)
        return bad_line(in, "its files and bytes are not those of its head", err);
    if (!manifest_digest(&m->tree, own, err))
        return false;
    return memcmp(own, m->digest, TREE_DIGEST) == 0 ||
           bad_line(in, "its SHA-256 is not that of its head", err);
}

/* Room for as many as the head says, and can be in the text. */
static bool reserve_entries(const struct manifest_lines *in, uint64_t files, struct error *err)
{
    struct tree *tree = in->tree;
    uint64_t most = in->rest.len / HEX_DIGEST;

    tree->room = (size_t)(files < most ? files : most) + 1;
    tree->entries = arena_array(tree->arena, struct tree_entry, tree->room, err);
    return tree->entries != NULL;
}

bool manifest_read(struct str text, struct arena *arena, struct manifest *out,
                   struct error *err)
{
    struct manifest_lines in = {.rest = text, .tree = &out->tree};
    uint64_t files, bytes;
    struct str line;

    *out = (struct manifest){.tree = {.arena = arena}};
    if (!read_heads(&in, out, &files, &bytes, err) || !reserve_entries(&in, files, err))
        return false;
    for (;;) {
        if (!stop_check(err) || !take_line(&in, &line, err))
            return false;
        if (str_eq(line, STR("end")))
            break;
        if (!add_read_entry(&in, line, err))
            return false;
    }
    if (in.rest.len > 0)
        return bad_line(&in, "something follows its end", err);
    return check_head_sums(&in, out, files, bytes, err);
}
