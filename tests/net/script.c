#include "script.h"

#include "comments.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static struct rule rules[256];
static size_t rule_count;
static unsigned our_port;

void fail(const char *what, const char *which)
{
    (void)fprintf(stderr, "server: %s '%s'\n", what, which);
    exit(2);
}

static void *more(void *block, size_t size)
{
    void *grown = realloc(block, size);

    if (grown == NULL)
        fail("no memory for", "a body");
    return grown;
}

/* --- the script -------------------------------------------------------------------------- */

/* Append text, with "\n" as a newline and {port} as ours. */
static void add_body(struct rule *rule, const char *text)
{
    for (; *text != '\0'; text++) {
        char piece[16] = {*text};

        if (text[0] == '\\' && text[1] == 'n') {
            piece[0] = '\n';
            text++;
        } else if (strncmp(text, "{port}", 6) == 0) {
            (void)snprintf(piece, sizeof piece, "%u", our_port);
            text += 5;
        }
        rule->body = more(rule->body, rule->body_len + sizeof piece);
        memcpy(rule->body + rule->body_len, piece, strlen(piece));
        rule->body_len += strlen(piece);
    }
}

static void add_file(struct rule *rule, const char *script, const char *name)
{
    const char *slash = strrchr(script, '/');
    char path[4096], chunk[65536];
    size_t got;
    FILE *file;

    (void)snprintf(path, sizeof path, "%.*s%s",
                   slash == NULL || name[0] == '/' ? 0 : (int)(slash - script) + 1, script,
                   name);
    file = fopen(path, "rb");
    if (file == NULL)
        fail("cannot read", path);
    while ((got = fread(chunk, 1, sizeof chunk, file)) > 0) {
        rule->body = more(rule->body, rule->body_len + got);
        memcpy(rule->body + rule->body_len, chunk, got);
        rule->body_len += got;
    }
    (void)fclose(file);
}

static void add_header(struct rule *rule, const char *text)
{
    struct rule line = {.body = NULL};
    size_t used = strlen(rule->headers);

    add_body(&line, text);
    (void)snprintf(rule->headers + used, sizeof rule->headers - used, "%.*s\r\n",
                   (int)line.body_len, line.body);
    free(line.body);
}

static void add_detail(struct rule *rule, const char *script, const char *line)
{
    char word[32] = "";
    int used = 0;
    const char *value;
    struct {
        const char *name;
        long *number;
    } numbers[] = {{"times", &rule->times},   {"delay", &rule->delay},
                   {"cut", &rule->cut},       {"dribble", &rule->dribble},
                   {"length", &rule->length}, {"wide", &rule->wide},
                   {"many", &rule->many}};

    (void)sscanf(line, "%31s%n", word, &used);
    value = line + used + (line[used] == ' ' ? 1 : 0);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (strcmp(word, numbers[i].name) == 0) {
            *numbers[i].number = strtol(value, NULL, 10);
            rule->limited = rule->limited || i == 0;
            return;
        }
    if (strcmp(word, "header") == 0) {
        add_header(rule, value);
    } else if (strcmp(word, "when") == 0 || strcmp(word, "when-not") == 0) {
        (void)snprintf(rule->when, sizeof rule->when, "%s", value);
        rule->when_not = word[4] != '\0';
    } else if (strcmp(word, "ask") == 0) {
        (void)snprintf(rule->ask, sizeof rule->ask, "%s", value);
    } else if (strcmp(word, "body") == 0) {
        add_body(rule, value);
    } else if (strcmp(word, "file") == 0) {
        add_file(rule, script, value);
    } else if (strcmp(word, "gzip") == 0) {
        rule->gzip = true;
    } else if (strcmp(word, "endless") == 0) {
        rule->endless = true;
    } else if (strcmp(word, "garbage") == 0) {
        rule->garbage = true;
    } else if (strcmp(word, "nevertheless") == 0) {
        rule->nevertheless = true;
    } else {
        fail("the script has an unknown word", word);
    }
}

static void pack(struct rule *rule)
{
    z_stream z = {.next_in = (Bytef *)rule->body, .avail_in = (uInt)rule->body_len};
    size_t room = rule->body_len + 1024;
    char *packed = more(NULL, room);

    if (deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        fail("cannot pack for", rule->path);
    z.next_out = (Bytef *)packed;
    z.avail_out = (uInt)room;
    if (deflate(&z, Z_FINISH) != Z_STREAM_END)
        fail("cannot pack for", rule->path);
    rule->body_len = room - z.avail_out;
    (void)deflateEnd(&z);
    free(rule->body);
    rule->body = packed;
    add_header(rule, "Content-Encoding: gzip");
}

void read_script(const char *script, unsigned port)
{
    FILE *file = fopen(script, "r");
    static char line[65536];
    struct rule *rule = NULL;

    our_port = port;
    if (file == NULL)
        fail("cannot read", script);
    while (fgets(line, sizeof line, file) != NULL) {
        const char *start = line + strspn(line, " \t");
        char target[512];
        char *query;

        line[strcspn(line, "\r\n")] = '\0';
        if (*start == '\0' || *start == '#')
            continue;
        if (start > line && rule != NULL) {
            add_detail(rule, script, start);
            continue;
        }
        if (rule_count == sizeof rules / sizeof rules[0])
            fail("too many rules in", script);
        rule = &rules[rule_count++];
        *rule = (struct rule){.cut = -1, .length = -1};
        if (sscanf(line, "%7s %511s %d", rule->method, target, &rule->status) != 3)
            fail("no rule:", line);
        if (strcmp(rule->method, "FORGE") == 0) {
            forge_open(target, rule->status);
            rule_count--;
            continue;
        }
        query = strchr(target, '?');
        if (query != NULL)
            *query++ = '\0';
        (void)snprintf(rule->path, sizeof rule->path, "%s", target);
        (void)snprintf(rule->query, sizeof rule->query, "%s", query == NULL ? "" : query);
    }
    (void)fclose(file);
    for (size_t i = 0; i < rule_count; i++)
        if (rules[i].gzip)
            pack(&rules[i]);
}

/* --- which rule -------------------------------------------------------------------------- */

static void decode(char *text)
{
    char *to = text;

    for (; *text != '\0'; text++) {
        unsigned byte;

        if (*text == '%' && sscanf(text + 1, "%2x", &byte) == 1) {
            *to++ = (char)byte;
            text += 2;
        } else {
            *to++ = *text;
        }
    }
    *to = '\0';
}

/* The parameter's value, decoded, in `value`. */
static bool find_parameter(const char *query, const char *name, char *value, size_t room)
{
    char copy[8192], *state = NULL;

    (void)snprintf(copy, sizeof copy, "%s", query);
    for (char *pair = strtok_r(copy, "&", &state); pair != NULL;
         pair = strtok_r(NULL, "&", &state)) {
        char *equals = strchr(pair, '=');

        if (equals != NULL)
            *equals = '\0';
        decode(pair);
        if (strcmp(pair, name) == 0) {
            (void)snprintf(value, room, "%s", equals == NULL ? "" : equals + 1);
            decode(value);
            return true;
        }
    }
    return false;
}

static bool query_matches(const char *wanted, const char *query)
{
    char copy[512], value[8192], *state = NULL;

    (void)snprintf(copy, sizeof copy, "%s", wanted);
    for (char *pair = strtok_r(copy, "&", &state); pair != NULL;
         pair = strtok_r(NULL, "&", &state)) {
        char *equals = strchr(pair, '=');

        if (pair[0] == '-') {
            if (find_parameter(query, pair + 1, value, sizeof value))
                return false;
            continue;
        }
        if (equals != NULL)
            *equals = '\0';
        if (!find_parameter(query, pair, value, sizeof value) ||
            (equals != NULL && fnmatch(equals + 1, value, 0) != 0))
            return false;
    }
    return true;
}

/* Does the request have a header such as "Name: pattern"? */
static bool has_header(const struct request *req, const char *wanted)
{
    const char *colon = strchr(wanted, ':');
    const char *line = strstr(req->text, "\r\n");
    size_t name = colon == NULL ? strlen(wanted) : (size_t)(colon - wanted);

    while (line != NULL && line + 2 < req->head_end) {
        const char *end = strstr(line + 2, "\r\n");
        char value[4096];

        line += 2;
        if (strncasecmp(line, wanted, name) == 0 && line[name] == ':') {
            line += name + 1;
            line += strspn(line, " ");
            (void)snprintf(value, sizeof value, "%.*s", (int)(end - line), line);
            return colon == NULL || fnmatch(colon + 1 + strspn(colon + 1, " "), value, 0) == 0;
        }
        line = end;
    }
    return false;
}

const struct rule *find_rule(const struct request *req)
{
    char path[8192];
    const char *query = strchr(req->target, '?');

    (void)snprintf(path, sizeof path, "%.*s", (int)strcspn(req->target, "?"), req->target);
    for (size_t i = 0; i < rule_count; i++) {
        struct rule *rule = &rules[i];

        if (strcmp(rule->method, req->method) != 0 || fnmatch(rule->path, path, 0) != 0 ||
            !query_matches(rule->query, query == NULL ? "" : query + 1) ||
            (rule->when[0] != '\0' && has_header(req, rule->when) == rule->when_not) ||
            (rule->ask[0] != '\0' && fnmatch(rule->ask, req->body, 0) != 0))
            continue;
        if (rule->limited && rule->times-- <= 0)
            continue;
        return rule;
    }
    return NULL;
}
