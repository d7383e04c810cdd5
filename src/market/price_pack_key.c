#include "market/price_pack.h"

#include <string.h>

#include "base/fs.h"
#include "base/hex.h"

#define KEY_FILE_MAX 4096
#define SECRET_START "ed25519-private:"

bool price_key_secret(struct str file, struct arena *arena, unsigned char out[static SIGN_KEY],
                      struct error *err)
{
    const char *path = str_dup(file, arena, err);
    struct buf secret = buf_new(&alloc_system, KEY_FILE_MAX);
    struct str text, start = STR(SECRET_START);
    bool ok;

    if (path == NULL || !fs_read(path, KEY_FILE_MAX, arena, &text, err))
        return false;
    text = str_trim(str_cut(&text, '\n'));
    ok = str_starts(text, start) &&
         hex_read((struct str){text.at + start.len, text.len - start.len}, &secret) &&
         secret.len == SIGN_KEY;
    if (ok)
        memcpy(out, secret.at, SIGN_KEY);
    buf_free(&secret);
    if (!ok) {
        error_set(err, ERROR_INPUT, "%s: no private key", path);
        error_hint(err, "'stint price pack --create-key FILE' makes one%s",
                   str_starts(text, STR("ed25519:")) ? "; this is the public one" : "");
    }
    return ok;
}

bool price_key_public(const unsigned char secret[static SIGN_KEY], struct arena *arena,
                      struct str *out, struct error *err)
{
    struct buf text = buf_new(arena->alloc, 256);
    unsigned char key[SIGN_KEY];

    if (!sign_public_key(secret, key, err))
        return false;
    price_pack_key_write(key, &text);
    return buf_keep(&text, arena, out, err);
}

/* The private key is for its owner only. */
static bool write_key_line(const char *path, struct str line, bool secret, struct error *err)
{
    struct buf text = buf_new(&alloc_system, 256);
    bool ok;

    buf_add(&text, line);
    buf_char(&text, '\n');
    ok = secret ? fs_replace(path, buf_text(&text), err) : fs_put(path, buf_text(&text), err);
    buf_free(&text);
    return ok;
}

bool price_key_create(struct str file, struct arena *arena, struct str *made,
                      struct str *public, struct error *err)
{
    struct buf text = buf_new(arena->alloc, 256), path = buf_new(arena->alloc, 4096);
    unsigned char secret[SIGN_KEY];
    struct str line, public_path;

    if (!str_keep(file, arena, made, err))
        return false;
    if (fs_exists(made->at)) {
        error_set(err, ERROR_USAGE, "%s exists: a key that is replaced is lost", made->at);
        error_hint(err, "name another file, or remove it first");
        return false;
    }
    if (!sign_new_key(secret, err) || !price_key_public(secret, arena, public, err))
        return false;
    buf_adds(&text, SECRET_START);
    hex_write((struct str){(const char *)secret, sizeof secret}, &text);
    buf_add(&path, file);
    buf_adds(&path, ".pub");
    buf_char(&path, '\0');
    return buf_keep(&text, arena, &line, err) && buf_keep(&path, arena, &public_path, err) &&
           write_key_line(made->at, line, true, err) &&
           write_key_line(public_path.at, *public, false, err);
}

bool price_key_read(struct str text, struct arena *arena, struct str *out, struct error *err)
{
    unsigned char key[SIGN_KEY];
    const char *path = str_dup(text, arena, err);
    struct error ignored = {0};

    if (path == NULL)
        return false;
    *out = text;
    if (!price_pack_key_parse(text, key) && fs_exists(path) &&
        fs_read(path, KEY_FILE_MAX, arena, out, &ignored))
        *out = str_trim(str_cut(out, '\n'));
    if (price_pack_key_parse(*out, key))
        return true;
    error_set(err, ERROR_USAGE, "'%.*s' is no public key, and no file with one", STR_ARG(text));
    error_hint(err, "keys are ed25519: and 64 digits; 'stint price pack --create-key FILE' "
                    "makes a pair");
    return false;
}
