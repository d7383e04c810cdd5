What README.md shows of bills is what comes: its commands are run in its order, on examples/bill.csv.

$ ln -s "$cases/../../examples" examples
$ sed -n '/^## After/,/^## All commands/p' "$cases/../../README.md" >after.md
$ sed -n '/^```$/,/^```$/p' after.md | grep -v '^```$' >said.txt
$ sed -n 's/^\$ //p' said.txt | while read -r line; do printf '$ %s\n' "$line"; eval "$line" 2>&1; done | sed 's,home/\.local,/home/you/.local,; s/ *$//' >came.txt
$ diff said.txt came.txt
$ grep -c '^[$] stint' said.txt
| 6
Every document that it names is there.
$ grep -o '](docs/[a-z-]*\.md' "$cases/../../README.md" | cut -c3- | sort -u | while read -r doc; do [ -s "$cases/../../$doc" ] || echo "$doc"; done
Every document is named.
$ (cd "$cases/../.." && ls docs/*.md) | while read -r doc; do grep -q "](${doc})" "$cases/../../README.md" || echo "$doc"; done
