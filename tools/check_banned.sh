#!/bin/sh
# Fail when src/ calls a function that the project does without: those that cannot fail safely, that
# follow the locale, or that call the system without base. A line with "allowed:" and
# why is let through.
set -eu
status=0
never='strtod|strtof|strtol|strtoul|strtoll|atoi|atol|atof|sprintf|vsprintf|strcpy|strcat|strncpy|strtok|gets|gmtime|localtime|asctime|ctime|system|popen|tmpnam|mktemp|alloca|setlocale'
only_base='malloc|calloc|realloc|clock_gettime|gettimeofday|time|getenv'
if grep -nE "(^|[^a-zA-Z0-9_.>])($never)\(" -r src --include='*.[ch]' |
    grep -vE '^[^:]+:[0-9]+: *(/?\*|//)|allowed:'; then
    echo 'banned: use the helpers of src/base instead'
    status=1
fi
if grep -nE "(^|[^a-zA-Z0-9_.>])($only_base)\(" -r src --include='*.[ch]' | grep -v '^src/base/' |
    grep -vE '^[^:]+:[0-9]+: *(/?\*|//)'; then
    echo 'banned outside src/base: take an arena, a clock, or env_get()'
    status=1
fi
exit $status
