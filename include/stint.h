/* stint.h - Stint as a library: every operation of the program, by name, JSON in and out.
 *
 *     char *reply;
 *     if (stint_call("price.compare", "{\"gpu\":\"H100x8\",\"hours\":24}", &reply) == 0)
 *         puts(reply);
 *     stint_free(reply);
 *
 * Requests and replies are those of the command line: the request has a key for each option,
 * the reply is what --json prints. Settings come from the configuration file and the
 * environment. Safe to call from several threads at once.
 */
#ifndef STINT_H
#define STINT_H

#ifdef __cplusplus
extern "C" {
#endif

/* Run one operation. `request` is a JSON object; NULL or "" means all defaults. Returns the
 * exit status the program would have: 0 when done. `*reply` is JSON text to be freed with
 * stint_free(): the result, or {"schema":"stint.error/1","kind","text","hint"}; NULL only when
 * memory ran out (status 1). */
int stint_call(const char *name, const char *request, char **reply);

/* Free a reply. NULL is fine. */
void stint_free(char *reply);

/* "0.1.0" */
const char *stint_version(void);

#ifdef __cplusplus
}
#endif

#endif
