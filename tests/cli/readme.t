README.md shows real output: its commands are run in its order, with nothing but the program.

$ . "$cases/transcript.sh"; transcript "$cases/../../README.md"; grep -c '^[$] stint' expected.txt
| 6
A page that shows something else is found, and so is one that leaves lines out without a mark.
$ printf '```\n$ echo one; echo two\none\n...\n```\n' >page.md; . "$cases/transcript.sh"; transcript page.md
$ printf '```\n$ echo one; echo two\none\n```\n' >page.md; . "$cases/transcript.sh"; transcript page.md
| came: two
$ printf '```\n$ echo one; echo two\n...\nthree\n```\n' >page.md; . "$cases/transcript.sh"; transcript page.md
| page: three
| came: two
$ printf '```sh\nfalse\n```\n```\n$ echo one\nother\n```\n' >page.md; . "$cases/transcript.sh"; transcript page.md
| page: other
| came: one
It is short, and no line is long.
$ [ "$(wc -l <"$cases/../../README.md")" -le 140 ] || wc -l <"$cases/../../README.md"
$ LC_ALL=C.UTF-8 grep -nE '^.{101}' "$cases/../../README.md"
? 1
Every document that it names is there.
$ grep -o '](docs/[a-z/-]*\.md' "$cases/../../README.md" | cut -c3- | sort -u | while read -r doc; do [ -s "$cases/../../$doc" ] || echo "$doc"; done
Every document is named in their index.
$ (cd "$cases/../../docs" && find . -name '*.md' ! -path ./README.md | cut -c3- | sort) | while read -r doc; do grep -qF "]($doc)" "$cases/../../docs/README.md" || echo "$doc"; done
