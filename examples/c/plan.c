/* plan.c - ask Stint for the cheapest way to fine-tune a model, and print it.
 *
 *     cc plan.c $(pkg-config --cflags --libs stint jansson) -o plan
 *     ./plan llama-2-7b
 *
 * Results are JSON: any library can read them, here jansson. The files in share/stint/schema
 * describe all keys.
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#include <stint.h>

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));

    return text != NULL ? text : "unknown";
}

/* Money is exact: an amount in digits, and a currency. */
static void print_plan(const json_t *plan)
{
    const json_t *cost = json_object_get(plan, "cost");
    const json_t *hours = json_object_get(plan, "hours");

    printf("%-10s %s\n", "rent", text_of(plan, "offer"));
    printf("%-10s %s %s\n", "cost", text_of(cost, "amount"), text_of(cost, "currency"));
    printf("%-10s %.1f h (%.1f to %.1f)\n", "time",
           json_number_value(json_object_get(hours, "value")),
           json_number_value(json_object_get(hours, "low")),
           json_number_value(json_object_get(hours, "high")));
}

/* The library writes the text for a person; what to do next depends on the status alone. */
static void print_error(const json_t *error)
{
    const char *hint = json_string_value(json_object_get(error, "hint"));

    fprintf(stderr, "plan: %s\n", text_of(error, "text"));
    if (hint != NULL)
        fprintf(stderr, "  hint: %s\n", hint);
}

/* A JSON library writes the request, too, so that quotes in a name cannot break it. */
static char *write_request(const char *model)
{
    json_t *request = json_pack("{s:[s], s:s, s:s, s:s}", "jobs", model, "method", "lora",
                                "tokens", "25M", "budget", "100usd");
    char *text = request == NULL ? NULL : json_dumps(request, JSON_COMPACT);

    json_decref(request);
    return text;
}

int main(int argc, char **argv)
{
    char *request = write_request(argc > 1 ? argv[1] : "llama-2-7b");
    char *reply = NULL;
    int status = request == NULL ? 1 : stint_call("plan", request, &reply);
    json_t *result = reply == NULL ? NULL : json_loads(reply, 0, NULL);

    if (result == NULL)
        fputs("plan: out of memory, or the model's name is not UTF-8\n", stderr);
    else if (status == 0)
        print_plan(json_array_get(json_object_get(result, "plans"), 0));
    else
        print_error(result);
    json_decref(result);
    stint_free(reply);
    free(request);
    return status;
}
