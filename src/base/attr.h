/* attr.h - the few compiler attributes the project uses, named for what they mean. */
#ifndef BASE_ATTR_H
#define BASE_ATTR_H

/* Ignoring this result is a bug, and the build refuses it. */
#define MUST_USE __attribute__((warn_unused_result))

/* The compiler checks the format string; `fmt` and `first` count arguments from one. */
#define PRINTF_LIKE(fmt, first) __attribute__((format(printf, fmt, first)))

/* Visible outside libstint or a loadable part; everything else is hidden. */
#define EXPORTED __attribute__((visibility("default")))

#define ARRAY_LEN(array) (sizeof(array) / sizeof((array)[0]))

#endif
