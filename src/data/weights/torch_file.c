#include "data/weights/torch_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/map.h"

#define VISITED 3     /* the number of a node whose tensors are known */
#define NAME_MOST 512 /* bytes of a tensor's name; longer ones end here */
#define TRIM_LEAST 64 /* bytes; the same is the alignment of what is trimmed */

/* Keys of checkpoints that only a training that goes on needs: of PyTorch's tutorials,
 * Lightning, Fairseq, timm, DeepSpeed, Megatron. */
static const char *const optimizer_keys[] = {"optimizer",
                                             "optimizer_state_dict",
                                             "optimizer_state",
                                             "optimizer_states",
                                             "optim",
                                             "optim_state_dict",
                                             "optimizers",
                                             "last_optimizer_state",
                                             "scheduler",
                                             "scheduler_state_dict",
                                             "lr_scheduler",
                                             "lr_schedulers",
                                             "opt_param_scheduler",
                                             "lr_scheduler_state_dict",
                                             "scaler",
                                             "grad_scaler",
                                             "scaler_state_dict",
                                             "amp",
                                             "amp_scaler",
                                             "rng_state",
                                             "rng_states",
                                             "cuda_rng_state",
                                             "torch_rng_state",
                                             "random_rng_state",
                                             "np_rng_state",
                                             "numpy_rng_state",
                                             "rng_tracker_states",
                                             NULL};

struct torch_reader {
    struct torch_file *file;
    struct arena *arena;
    struct map entries, storages; /* of the archive, by name; by key: 1 + their number */
    size_t tensor_room, storage_room, outer_room;
    char name[NAME_MOST];
    bool optimizer;
    struct error *err;
};

static bool refuse_torch(const struct torch_reader *r, const char *why)
{
    return error_fail(r->err, ERROR_INPUT, "its pickle is damaged: %s", why);
}

/* ---- storages ---- */

static bool is_number(const struct pickle_node *node)
{
    return node->kind == PICKLE_INT && node->value >= 0;
}

static bool type_storage(const struct torch_reader *r, const struct pickle_node *class,
                         struct torch_storage *s)
{
    s->untyped = pickle_is_global(class, "torch.storage", "UntypedStorage");
    s->type = s->untyped ? TENSOR_U8
              : class->kind == PICKLE_GLOBAL && str_eq(class->module, STR("torch"))
                  ? tensor_type_of_storage(class->text)
                  : TENSOR_TYPES;
    s->cast = s->type;
    return s->type != TENSOR_TYPES || refuse_torch(r, "a storage has no type");
}

/* Its memory in the archive must be as large as the pickle says. */
static bool place_storage(const struct torch_reader *r, struct torch_storage *s,
                          uint64_t elements)
{
    struct buf name = buf_new(r->arena->alloc, BUF_MAX_OUTPUT);
    const struct stored_entry *e;
    const struct map_entry *found;
    uint64_t size;

    buf_add(&name, r->file->prefix);
    buf_adds(&name, "data/");
    buf_add(&name, s->key);
    found = name.failed == ERROR_NONE ? map_find(&r->entries, buf_text(&name)) : NULL;
    buf_free(&name);
    if (found == NULL)
        return error_fail(r->err, ERROR_INPUT, "the memory of storage '%.*s' is missing",
                          STR_ARG(s->key));
    e = found->value;
    if (!tensor_size(s->type, &elements, 1, &size) || size != e->size)
        return error_fail(r->err, ERROR_INPUT, "storage '%.*s' has another size than it says",
                          STR_ARG(s->key));
    s->entry = e;
    s->size = s->last = size;
    return true;
}

/* The storage of a reference: known, or added. */
static bool find_storage(struct torch_reader *r, const struct pickle_node *given,
                         size_t *number)
{
    struct torch_file *file = r->file;
    struct torch_storage s = {0}, *list;
    struct map_entry *e;
    bool added;

    if (given->kind != PICKLE_TUPLE || given->count < 5 ||
        given->items[0]->kind != PICKLE_TEXT ||
        !str_eq(given->items[0]->text, STR("storage")) ||
        given->items[2]->kind != PICKLE_TEXT || !is_number(given->items[4]))
        return refuse_torch(r, "a storage is not described");
    s.key = given->items[2]->text;
    if (!type_storage(r, given->items[1], &s))
        return false;
    e = map_add(&r->storages, s.key, &added, r->err);
    if (e == NULL)
        return false;
    *number = (size_t)(e - r->storages.at);
    if (!added)
        return (file->storages[*number].type == s.type &&
                file->storages[*number].untyped == s.untyped) ||
               refuse_torch(r, "a storage has two types");
    if (!place_storage(r, &s, (uint64_t)given->items[4]->value))
        return false;
    list = arena_grow(r->arena, file->storages, file->storage_count, sizeof *list,
                      &r->storage_room, r->err);
    if (list == NULL)
        return false;
    file->storages = list;
    file->storages[file->storage_count++] = s;
    return true;
}

static bool add_outer(struct torch_reader *r, struct pickle_node *node, size_t *number)
{
    struct torch_outer *list;

    if (node->kind != PICKLE_OUTER)
        return refuse_torch(r, "a tensor has no storage");
    if (node->value > 0) {
        *number = (size_t)node->value - 1;
        return true;
    }
    if (!find_storage(r, node->given, number))
        return false;
    node->value = (int64_t)*number + 1;
    list = arena_grow(r->arena, r->file->outers, r->file->outer_count, sizeof *list,
                      &r->outer_room, r->err);
    if (list == NULL)
        return false;
    r->file->outers = list;
    r->file->outers[r->file->outer_count++] = (struct torch_outer){node, *number};
    return true;
}

/* ---- tensors ---- */

static bool read_extents(struct torch_reader *r, const struct pickle_node *tuple,
                         const uint64_t **out)
{
    uint64_t *list = arena_array(r->arena, uint64_t, tuple->count, r->err);

    if (list == NULL)
        return false;
    for (uint32_t i = 0; i < tuple->count; i++) {
        if (!is_number(tuple->items[i]))
            return refuse_torch(r, "a shape has no number");
        list[i] = (uint64_t)tuple->items[i]->value;
    }
    *out = list;
    return true;
}

static bool is_torch_contiguous(const struct torch_tensor *t)
{
    uint64_t step = 1;

    for (uint32_t i = t->dimensions; i-- > 0;) {
        if (t->shape[i] == 0)
            return true;
        if (t->shape[i] > 1 && t->strides[i] != step)
            return false;
        if (__builtin_mul_overflow(step, t->shape[i], &step))
            return false;
    }
    return true;
}

/* One behind the last element, counted from the first of the storage; 0 when there is none;
 * UINT64_MAX when it is out of reach. */
static uint64_t end_of_tensor(const struct torch_tensor *t)
{
    uint64_t end = 1, step;

    for (uint32_t i = 0; i < t->dimensions; i++)
        if (t->shape[i] == 0)
            return 0;
    for (uint32_t i = 0; i < t->dimensions; i++)
        if (__builtin_mul_overflow(t->shape[i] - 1, t->strides[i], &step) ||
            __builtin_add_overflow(end, step, &end))
            return UINT64_MAX;
    return __builtin_add_overflow(end, t->offset, &end) ? UINT64_MAX : end;
}

static bool type_tensor(const struct torch_reader *r, const struct pickle_node *given,
                        bool typed, struct torch_tensor *t)
{
    const struct torch_storage *s = &r->file->storages[t->storage];
    uint64_t end, size;

    t->type = s->type;
    if (typed) {
        const struct pickle_node *type = given->items[6];

        t->type = type->kind == PICKLE_GLOBAL && str_eq(type->module, STR("torch"))
                      ? tensor_type_of_torch(type->text)
                      : TENSOR_TYPES;
        if (t->type == TENSOR_TYPES)
            return refuse_torch(r, "a tensor has no type");
    }
    if (typed != s->untyped)
        return refuse_torch(r, "a tensor and its storage have different types");
    end = end_of_tensor(t);
    return (tensor_size(t->type, &end, 1, &size) && size <= s->size) ||
           error_fail(r->err, ERROR_INPUT, "'%.*s' is larger than its storage",
                      STR_ARG(t->name));
}

static bool is_torch_tensor(const struct pickle_node *node, bool *typed)
{
    *typed = pickle_is_global(node->callee, "torch._utils", "_rebuild_tensor_v3");
    return node->kind == PICKLE_CALL &&
           (*typed || pickle_is_global(node->callee, "torch._utils", "_rebuild_tensor_v2"));
}

static bool add_tensor(struct torch_reader *r, struct pickle_node *node, bool typed)
{
    const struct pickle_node *given = node->given;
    struct torch_tensor t = {.node = node, .optimizer = r->optimizer}, *list;

    if (r->file->tensor_count == TORCH_TENSORS_MOST)
        return error_fail(r->err, ERROR_UNFIT, "more than a million tensors");
    if (given->count < (typed ? 7 : 6) || given->items[2]->kind != PICKLE_TUPLE ||
        given->items[3]->kind != PICKLE_TUPLE ||
        given->items[2]->count != given->items[3]->count ||
        given->items[2]->count > TENSOR_DIMENSIONS || !is_number(given->items[1]))
        return refuse_torch(r, "a tensor is not described");
    t.dimensions = given->items[2]->count;
    t.offset = (uint64_t)given->items[1]->value;
    if (!str_keep(str_from(r->name), r->arena, &t.name, r->err) ||
        !add_outer(r, given->items[0], &t.storage) ||
        !read_extents(r, given->items[2], &t.shape) ||
        !read_extents(r, given->items[3], &t.strides) || !type_tensor(r, given, typed, &t))
        return false;
    t.contiguous = is_torch_contiguous(&t);
    list = arena_grow(r->arena, r->file->tensors, r->file->tensor_count, sizeof *list,
                      &r->tensor_room, r->err);
    if (list == NULL)
        return false;
    r->file->tensors = list;
    r->file->tensors[r->file->tensor_count++] = t;
    return true;
}

/* ---- the way through the graph ---- */

static bool visit_node(struct torch_reader *r, struct pickle_node *node);

/* With one more part of the name. */
static bool visit_named(struct torch_reader *r, struct pickle_node *node, struct str part)
{
    size_t len = strlen(r->name);
    bool ok;

    (void)snprintf(r->name + len, sizeof r->name - len, "%s%.*s", len > 0 ? "." : "",
                   (int)(part.len < NAME_MOST ? part.len : NAME_MOST), part.at);
    ok = visit_node(r, node);
    r->name[len] = '\0';
    return ok;
}

static bool visit_numbered(struct torch_reader *r, struct pickle_node *node, int64_t number)
{
    char text[24];

    (void)snprintf(text, sizeof text, "%lld", (long long)number);
    return visit_named(r, node, str_from(text));
}

static bool visit_value(struct torch_reader *r, const struct pickle_node *key,
                        struct pickle_node *value)
{
    if (key->kind == PICKLE_TEXT)
        return visit_named(r, value, key->text);
    return key->kind == PICKLE_INT ? visit_numbered(r, value, key->value)
                                   : visit_named(r, value, STR("?"));
}

static bool visit_pairs(struct torch_reader *r, const struct pickle_node *node)
{
    for (uint32_t i = 0; i + 1 < node->count; i += 2)
        if (!visit_node(r, node->items[i]) ||
            !visit_value(r, node->items[i], node->items[i + 1]))
            return false;
    return true;
}

/* Something that is no tensor, but uses a storage: all of it, as it is. */
static bool visit_outer(struct torch_reader *r, struct pickle_node *node)
{
    size_t number;

    if (!add_outer(r, node, &number))
        return false;
    r->file->storages[number].fixed = r->file->storages[number].kept = true;
    return true;
}

static bool visit_call(struct torch_reader *r, struct pickle_node *node)
{
    bool typed, tensor = is_torch_tensor(node, &typed);

    if (tensor && !add_tensor(r, node, typed))
        return false;
    if (node->number == VISITED)
        return true;
    node->number = VISITED;
    if (pickle_is_global(node->callee, "torch._utils", "_rebuild_parameter") &&
        node->given->count > 0)
        return visit_node(r, node->given->items[0]);
    for (uint32_t i = tensor ? 4 : 0; i < node->given->count; i++)
        if (!visit_numbered(r, node->given->items[i], i))
            return false;
    return visit_pairs(r, node) &&
           (node->state == NULL || visit_named(r, node->state, STR("state")));
}

static bool visit_node(struct torch_reader *r, struct pickle_node *node)
{
    if (node->kind == PICKLE_CALL || node->kind == PICKLE_MAKE)
        return visit_call(r, node);
    if (node->number == VISITED)
        return true;
    node->number = VISITED;
    if (node->kind == PICKLE_OUTER)
        return visit_outer(r, node);
    if (node->kind == PICKLE_DICT)
        return visit_pairs(r, node);
    for (uint32_t i = 0; i < node->count; i++)
        if (!visit_numbered(r, node->items[i], i))
            return false;
    return true;
}

static bool is_optimizer_key(const struct pickle_node *key)
{
    return key->kind == PICKLE_TEXT && str_is_one_of(key->text, optimizer_keys);
}

static bool has_optimizer_keys(const struct pickle_node *root)
{
    return root->kind == PICKLE_DICT ||
           pickle_is_global(root->callee, "collections", "OrderedDict");
}

/* Objects that the state of an optimizer shares with the rest belong to the rest, so that comes
 * first. */
static bool visit_root(struct torch_reader *r)
{
    struct pickle_node *root = r->file->root;

    if (!has_optimizer_keys(root))
        return visit_node(r, root);
    for (int optimizer = 0; optimizer < 2; optimizer++) {
        r->optimizer = optimizer > 0;
        for (uint32_t i = 0; i + 1 < root->count; i += 2)
            if (is_optimizer_key(root->items[i]) == r->optimizer &&
                !visit_value(r, root->items[i], root->items[i + 1]))
                return false;
        r->optimizer = false;
        if (optimizer == 0 && root->state != NULL && !visit_named(r, root->state, STR("state")))
            return false;
    }
    return true;
}

/* ---- the archive ---- */

static bool read_torch_entry(int fd, const struct stored_entry *e, struct arena *arena,
                             struct str *out, struct error *err)
{
    char *text = arena_get(arena, e->size, 1, 1, err);

    if (text == NULL || !stored_zip_read_part(fd, e->at, text, e->size, err))
        return false;
    *out = (struct str){text, e->size};
    return true;
}

static const struct stored_entry *find_torch_entry(const struct torch_reader *r,
                                                   const char *name)
{
    struct str prefix = r->file->prefix;

    for (size_t i = 0; i < r->entries.count; i++) {
        struct str own = r->entries.at[i].key;

        if (own.len == prefix.len + strlen(name) && str_starts(own, prefix) &&
            str_ends(own, str_from(name)))
            return r->entries.at[i].value;
    }
    return NULL;
}

/* The pickle is PREFIX/data.pkl. */
static bool find_torch_pickle(struct torch_reader *r)
{
    struct torch_file *file = r->file;

    for (size_t i = 0; i < file->zip.count; i++) {
        const struct stored_entry *e = &file->zip.entries[i];
        struct map_entry *added = map_add(&r->entries, e->name, NULL, r->err);

        if (added == NULL)
            return false;
        memcpy(&added->value, &(const void *){e}, sizeof added->value);
        if (str_ends(e->name, STR("/data.pkl")) &&
            memchr(e->name.at, '/', e->name.len) == e->name.at + e->name.len - 9) {
            file->pickle = e;
            file->prefix = (struct str){e->name.at, e->name.len - 8};
        }
    }
    if (file->pickle == NULL)
        return error_fail(r->err, ERROR_UNFIT, "a zip archive that torch.save() did not write");
    if (find_torch_entry(r, "constants.pkl") != NULL)
        return error_fail(r->err, ERROR_UNFIT, "a TorchScript program");
    return true;
}

static bool check_byte_order(int fd, struct torch_reader *r)
{
    const struct stored_entry *e = find_torch_entry(r, "byteorder");
    struct str order;

    if (e == NULL)
        return true;
    if (e->size > NAME_MOST)
        return refuse_torch(r, "its byte order is not known");
    return read_torch_entry(fd, e, r->arena, &order, r->err) &&
           (str_eq(order, STR("little")) ||
            error_fail(r->err, ERROR_UNFIT, "values in big-endian order"));
}

bool torch_read(int fd, uint64_t size, struct arena *arena, struct torch_file *out,
                struct error *err)
{
    struct torch_reader r = {.file = out,
                             .arena = arena,
                             .entries = map_in_arena(arena),
                             .storages = map_in_arena(arena),
                             .err = err};
    struct str text;

    *out = (struct torch_file){0};
    if (!stored_zip_read(fd, size, arena, &out->zip, err) || !find_torch_pickle(&r) ||
        !check_byte_order(fd, &r))
        return false;
    if (out->pickle->size > PICKLE_MOST)
        return error_fail(err, ERROR_UNFIT, "a pickle of more than 64 MiB");
    return read_torch_entry(fd, out->pickle, arena, &text, err) &&
           pickle_read(text, arena, &out->root, err) && visit_root(&r);
}

/* ---- the plan ---- */

bool torch_is_optimizer(const struct torch_file *file)
{
    const struct pickle_node *root = file->root;
    int found = 0;

    if (root->kind != PICKLE_DICT || root->count != 4)
        return false;
    for (uint32_t i = 0; i < root->count; i += 2)
        found += root->items[i]->kind == PICKLE_TEXT &&
                 (str_eq(root->items[i]->text, STR("state")) ||
                  str_eq(root->items[i]->text, STR("param_groups")));
    return found == 2;
}

bool torch_extent(const struct torch_tensor *t, uint64_t *first, uint64_t *end)
{
    uint64_t width = tensor_kinds[t->type].bits / 8;

    *end = end_of_tensor(t) * width;
    *first = *end > 0 ? t->offset * width : 0;
    return *end > 0;
}

uint64_t torch_new_size(const struct torch_storage *s)
{
    return (s->last - s->first) / (tensor_kinds[s->type].bits / 8) *
           (tensor_kinds[s->cast].bits / 8);
}

static bool drop_optimizer_keys(struct torch_file *file, struct arena *arena,
                                struct torch_plan *out, struct error *err)
{
    struct pickle_node *root = file->root;
    struct buf names = buf_new(arena->alloc, BUF_MAX_OUTPUT);
    uint32_t kept = 0;

    if (!has_optimizer_keys(root))
        return true;
    for (uint32_t i = 0; i + 1 < root->count; i += 2) {
        if (is_optimizer_key(root->items[i])) {
            buf_adds(&names, names.len > 0 ? ", " : "");
            buf_add(&names, root->items[i]->text);
            continue;
        }
        root->items[kept++] = root->items[i];
        root->items[kept++] = root->items[i + 1];
    }
    root->count = kept;
    return buf_keep(&names, arena, &out->dropped, err);
}

/* What of each storage is used. */
static void plan_extents(struct torch_file *file, const struct torch_wish *wish,
                         struct torch_plan *out)
{
    for (size_t i = 0; i < file->storage_count; i++) {
        struct torch_storage *s = &file->storages[i];

        s->first = s->fixed ? 0 : UINT64_MAX;
        s->last = s->fixed ? s->size : 0;
    }
    for (size_t i = 0; i < file->tensor_count; i++) {
        const struct torch_tensor *t = &file->tensors[i];
        struct torch_storage *s = &file->storages[t->storage];
        uint64_t first, end;

        if (t->optimizer && wish->drop_optimizer)
            continue;
        s->kept = true;
        if (!torch_extent(t, &first, &end))
            continue;
        s->first = first < s->first ? first : s->first;
        s->last = end > s->last ? end : s->last;
    }
    for (size_t i = 0; i < file->storage_count; i++) {
        struct torch_storage *s = &file->storages[i];

        s->first = s->last > 0 ? s->first / TRIM_LEAST * TRIM_LEAST : 0;
        if (s->kept && s->size - (s->last - s->first) >= TRIM_LEAST) {
            out->trimmed += s->size - (s->last - s->first);
        } else {
            s->first = 0;
            s->last = s->size;
        }
        out->changed = out->changed || (s->kept && (s->first > 0 || s->last < s->size));
    }
}

static void plan_casts(struct torch_file *file, const struct torch_wish *wish,
                       struct torch_plan *out)
{
    for (size_t i = 0; i < file->tensor_count; i++)
        file->storages[file->tensors[i].storage].fixed |=
            file->tensors[i].optimizer && !wish->drop_optimizer;
    for (size_t i = 0; i < file->storage_count; i++) {
        struct torch_storage *s = &file->storages[i];

        if (!s->fixed && !s->untyped && !wish->optimizer)
            s->cast = tensor_cast_type(s->type, wish->cast);
    }
    for (size_t i = 0; i < file->tensor_count; i++) {
        const struct torch_tensor *t = &file->tensors[i];
        const struct torch_storage *s = &file->storages[t->storage];

        out->cast += s->cast != s->type && !(t->optimizer && wish->drop_optimizer);
    }
    out->changed = out->changed || out->cast > 0;
}

/* References to storages that change, and places of tensors in them. */
static bool change_graph(struct torch_file *file, const struct torch_wish *wish,
                         struct arena *arena, struct error *err)
{
    struct pickle_node *classes[TENSOR_TYPES] = {NULL};

    for (size_t i = 0; i < file->outer_count; i++) {
        const struct torch_storage *s = &file->storages[file->outers[i].storage];
        struct pickle_node *node = file->outers[i].node, *items[5];
        uint64_t width = tensor_kinds[s->type].bits / 8;

        if (!s->kept || (s->cast == s->type && s->last - s->first == s->size))
            continue;
        memcpy(items, node->given->items, sizeof items);
        if (s->cast != s->type && classes[s->cast] == NULL)
            classes[s->cast] =
                pickle_global("torch", tensor_kinds[s->cast].storage, arena, err);
        items[1] = s->cast != s->type ? classes[s->cast] : items[1];
        items[4] = pickle_int((int64_t)((s->last - s->first) / width), arena, err);
        if (items[1] == NULL || items[4] == NULL)
            return false;
        node->given = pickle_tuple(items, 5, arena, err);
        if (node->given == NULL)
            return false;
    }
    for (size_t i = 0; i < file->tensor_count; i++) {
        const struct torch_tensor *t = &file->tensors[i];
        const struct torch_storage *s = &file->storages[t->storage];
        uint64_t shift = s->first / (tensor_kinds[t->type].bits / 8);
        struct pickle_node *place;

        if (shift == 0 || (t->optimizer && wish->drop_optimizer))
            continue;
        place = pickle_int((int64_t)(t->offset > shift ? t->offset - shift : 0), arena, err);
        if (place == NULL)
            return false;
        t->node->given->items[1] = place;
    }
    return true;
}

bool torch_plan(struct torch_file *file, const struct torch_wish *wish, struct arena *arena,
                struct torch_plan *out, struct error *err)
{
    *out = (struct torch_plan){0};
    if (wish->drop_optimizer && !drop_optimizer_keys(file, arena, out, err))
        return false;
    out->changed = out->dropped.len > 0;
    plan_extents(file, wish, out);
    plan_casts(file, wish, out);
    return change_graph(file, wish, arena, err);
}
