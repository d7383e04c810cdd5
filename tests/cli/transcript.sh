# shellcheck shell=sh
# transcript FILE [COMMAND]: run what the transcripts of a Markdown page show, in their order, and print
# where they differ from what comes; only those that start with COMMAND, where it is given. A transcript
# is a plain ``` block that starts with "$ "; "..." in it are lines left out. Blocks with a language
# after ``` are not run. What `stint run` measures is never the same twice: its numbers are compared as N.
transcript() {
    awk -v start="$ ${2:-}" '/^```/ { inside = !inside; shown = 0; first = inside && $0 == "```"; next }
        first { shown = index($0, start) == 1; first = 0 }
        shown' "$1" >expected.txt
    # shellcheck disable=SC2094 # commands read nothing
    sed -n 's/^\$ //p' expected.txt | while read -r line; do
        printf '$ %s\n' "$line"
        case $line in export\ *) eval "$line" ;; esac # for the commands that follow
        (export LC_ALL=C.UTF-8; eval "$line") 2>&1 </dev/null
    done | sed "s,home/\\.\\(local\\|config\\),/home/you/.\\1,; s/ *\$//" >came.txt
    awk 'function plain(line) {
            if (measured) gsub(/[0-9][0-9.]*(ms|s)?/, "N", line)
            return line
        }
        NR == FNR { came[++count] = $0; next }
        /^[$] / { measured = 0 }
        /^ *[.][.][.]$/ { skip = 1; next }
        {
            at++
            while (skip && at < count && plain(came[at]) != plain($0)) at++
            skip = 0
            if (plain(came[at]) != plain($0)) { print "page: " $0; print "came: " came[at]; failed = 1; exit }
        }
        /^[$] stint run/ { measured = 1 }
        END { if (!failed && !skip && at < count) print "came: " came[at + 1] }' came.txt expected.txt
}
