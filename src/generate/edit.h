/* edit.h - single values of a text changed in place: JSON, YAML and TOML. For
 * src/generate only.
 *
 * Nothing else of the text moves: comments, order, blanks and line ends stay. What cannot be
 * changed safely is refused; config.c compares the values before and after, so that no
 * mistake here can pass.
 */
#ifndef GENERATE_EDIT_H
#define GENERATE_EDIT_H

#include "doc/node.h"
#include "doc/toml.h"
#include "generate/config.h"

enum syntax {
    SYNTAX_JSON,
    SYNTAX_YAML,
    SYNTAX_TOML,
};

enum value_kind {
    VALUE_NUMBER,
    VALUE_FLAG, /* true or false */
    VALUE_WORD,
    VALUE_LIST, /* of words, with commas between them; only where the key is new */
};

#define PATH_PARTS 4

struct setting {
    struct str part[PATH_PARTS]; /* sections, then the key */
    size_t parts;
    enum value_kind kind;
    char value[400];
    struct str after; /* the key that it is put after, when it is new; empty: see neighbor() */
};

#define SETTINGS_MAX 40

struct settings {
    struct setting at[SETTINGS_MAX];
    size_t len;
};

/* What a format's rules see. */
struct target {
    const struct config_choice *choice;
    const struct node *root; /* of the user's file */
    const char *name;
    bool fresh; /* there is no such file: `root` is what we start from */
    struct arena *arena;
};

/* "zero_optimization.stage" is the key `stage` of a section. The path must outlive the list. */
void set_number(struct settings *all, const char *path, int64_t value);
void set_real(struct settings *all, const char *path, double value);
void set_flag(struct settings *all, const char *path, bool value);
void set_word(struct settings *all, const char *path, const char *value);

/* The same of a text that is not ours; left out when it is too long for a setting or has
 * control characters. */
void set_text(struct settings *all, const char *path, struct str value);

/* Words with commas between them; left out when they are too long for a setting. */
void set_list(struct settings *all, const char *path, struct str words);

/* ["a", "b"], as JSON, YAML and TOML have it. */
void write_list(const struct setting *setting, struct buf *out);

/* The value at the path; NULL when there is none. Null values count as being there. */
const struct node *find_value(const struct node *root, const char *path);
bool target_has(const struct target *target, const char *path);

/* Does the document say what the setting wants? */
bool setting_holds(const struct setting *setting, const struct node *root);
const struct node *setting_find(const struct setting *setting, const struct node *root);

/* The key of the section at `level` after which setting `index` is put when it is new there:
 * that of the nearest setting before it. Empty when there is none. */
struct str neighbor(const struct settings *all, size_t index, size_t level);

/* The rules of the formats: what the plan decided, in the tool's own keys. Only keys of the
 * list are changed, in its order. */
bool deepspeed_settings(const struct target *target, struct settings *out,
                        struct error *err) MUST_USE;
bool accelerate_settings(const struct target *target, struct settings *out,
                         struct error *err) MUST_USE;
bool kohya_settings(const struct target *target, struct settings *out,
                    struct error *err) MUST_USE;
bool hf_settings(const struct target *target, struct settings *out, struct error *err) MUST_USE;

/* What they share. */
bool choice_has_precision(const struct config_choice *choice);
bool choice_has_recompute(const struct config_choice *choice);
/* One change: the text with setting `index` of the list in it. `root` is the text as parsed. */
struct edit {
    struct str text;
    const struct node *root;
    const char *name;
    const struct settings *all;
    size_t index;
};

bool json_edit(const struct edit *edit, struct buf *out, struct error *err) MUST_USE;
bool yaml_edit(const struct edit *edit, struct buf *out, struct error *err) MUST_USE;
bool toml_edit(const struct edit *edit, struct buf *out, struct error *err) MUST_USE;

/* "NAME: 'a.b' WHY", and what to do about it. Returns false. */
bool edit_refuse(const struct edit *edit, unsigned line, const char *why, const char *hint,
                 struct error *err);

/* "\r\n" when the first line ends so, else "\n". */
struct str line_end_of(struct str text);

/* Offsets: where the line starts that `at` is in, and past its end with the line's end. */
size_t line_start(struct str text, size_t at);
size_t line_after(struct str text, size_t at);
size_t line_number(struct str text,
                   unsigned line); /* where it starts, after a byte-order mark */

/* Is the character one of these? */
bool is_one_of(struct str set, char c);

#endif
