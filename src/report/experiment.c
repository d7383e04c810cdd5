#include "report/experiment.h"

#include <dirent.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/fs.h"
#include "base/num.h"
#include "doc/node.h"

#define ANALYSIS_MAX ((size_t)4 << 20) /* bytes of a cost_analysis.json */
#define EXPERIMENTS "experiments"
#define MODEL_DEPTH 2 /* folders in each other */

/* ---- which ---- */

bool experiment_folder(struct str named, struct arena *arena, char **out, struct error *err)
{
    while (named.len > 1 && named.at[named.len - 1] == '/')
        named.len--;
    *out = str_dup(named, arena, err);
    if (*out == NULL)
        return false;
    if (fs_is_folder(*out))
        return true;
    return error_fail_hint(err, ERROR_ABSENT, "--experiment names the folder of an experiment",
                           "there is no folder '%s'", *out);
}

bool experiment_newest(char *out, size_t room, stamp *at)
{
    DIR *entries = opendir(EXPERIMENTS);
    struct dirent *entry;

    at->s = -1;
    while (entries != NULL && (entry = readdir(entries)) != NULL) {
        char path[PATH_MAX];
        struct stat st;
        int len = snprintf(path, sizeof path, EXPERIMENTS "/%s", entry->d_name);

        if (entry->d_name[0] == '.' || len < 0 || (size_t)len >= room || stat(path, &st) != 0 ||
            !S_ISDIR(st.st_mode))
            continue;
        if (st.st_mtime > at->s || (st.st_mtime == at->s && strcmp(path, out) > 0)) {
            at->s = st.st_mtime;
            memcpy(out, path, (size_t)len + 1);
        }
    }
    if (entries != NULL)
        (void)closedir(entries);
    return at->s >= 0;
}

/* ---- its model ---- */

static bool is_model_file(const char *name)
{
    static const char *const endings[] = {".pt",   ".pth", ".safetensors", ".onnx",
                                          ".ckpt", ".h5",  ".keras",       ".gguf"};

    for (size_t i = 0; i < ARRAY_LEN(endings); i++)
        if (str_ends(str_from(name), str_from(endings[i])))
            return true;
    return false;
}

static off_t largest_model(const char *folder, int depth)
{
    DIR *entries = opendir(folder);
    off_t largest = 0;
    struct dirent *entry;

    while (entries != NULL && (entry = readdir(entries)) != NULL) {
        char path[PATH_MAX];
        struct stat st;
        off_t size = 0;
        int len = snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);

        if (entry->d_name[0] == '.' || len < 0 || (size_t)len >= sizeof path ||
            lstat(path, &st) != 0)
            continue;
        if (S_ISREG(st.st_mode) && is_model_file(entry->d_name))
            size = st.st_size;
        else if (S_ISDIR(st.st_mode) && depth > 0)
            size = largest_model(path, depth - 1);
        largest = size > largest ? size : largest;
    }
    if (entries != NULL)
        (void)closedir(entries);
    return largest;
}

double experiment_model_size(const char *folder)
{
    return (double)largest_model(folder, MODEL_DEPTH);
}

/* ---- what an earlier report says ---- */

/* A number of a cost_analysis.json, of Stint or of others with the same keys; NaN: none. */
static double analysis_number(const struct node *root, const char *section, const char *key)
{
    const char *const path[] = {"cost_breakdown", section, key};
    const struct node *node = root;
    double value;

    for (size_t i = 0; i < ARRAY_LEN(path) && node != NULL; i++)
        node = node->kind == NODE_MAP ? node_get(node, str_from(path[i])) : NULL;
    return node != NULL && node->kind == NODE_SCALAR && num_double(node->text, &value) &&
                   value > 0
               ? value
               : NAN;
}

/* The one that the folder has; NULL in `out` when there is none that can be read. */
static bool read_analysis(const char *folder, struct arena *arena, const struct node **out,
                          struct error *err)
{
    char *file = fs_join(folder, "cost_analysis/cost_analysis.json", arena, err);
    struct error why = {0};
    struct str text;

    *out = NULL;
    if (file == NULL)
        return false;
    if (fs_read(file, ANALYSIS_MAX, arena, &text, &why))
        *out = json_read_python(text, file, arena, &why);
    return why.kind != ERROR_MEMORY || error_memory(err);
}

/* What an earlier report of this experiment was given, where it is not given now. */
static void take_earlier(const struct node *earlier, bool energy, struct report_work *work)
{
    double hours = analysis_number(earlier, "training", "time_hours");
    double ms = analysis_number(earlier, "inference", "avg_time_ms");

    if (work->time.ns < 0 && hours > 0) {
        work->time = span_hours(hours);
        work->time_method = STR("from its cost_analysis.json");
        if (energy) {
            work->energy.j =
                analysis_number(earlier, "training", "energy_kwh") * JOULES_PER_KWH;
            work->energy_method = STR("from its cost_analysis.json");
        }
    }
    if (isnan(work->model_bytes))
        work->model_bytes = analysis_number(earlier, "resources", "model_size_mb") * 1e6;
    if (isnan(work->parameters))
        work->parameters = analysis_number(earlier, "resources", "parameters");
    if (isnan(work->inference.seconds) && ms > 0) {
        work_inference_given(ms / 1e3, &work->inference);
        work->inference.method = STR("from its cost_analysis.json");
    }
}

bool experiment_take_earlier(const char *folder, bool energy, struct arena *arena,
                             struct report_work *work, struct error *err)
{
    const struct node *earlier;

    if (!read_analysis(folder, arena, &earlier, err))
        return false;
    if (earlier != NULL)
        take_earlier(earlier, energy, work);
    return work->time.ns > 0 ||
           error_fail_hint(err, ERROR_INPUT, "give it: --training-time 420s",
                           "'%s': the training time is not known", folder);
}
