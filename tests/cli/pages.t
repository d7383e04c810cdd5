Every group of commands has its man page, which is installed (docs/meson.build), and every page is well-formed.

$ stint help | sed -n '/^commands/,/^$/s/^  \([a-z][a-z-]*\( [a-z][a-z-]*\)*\)  .*/\1/p' >commands.txt
$ sed 's/ .*//' commands.txt | sort -u >groups.txt
$ [ "$(wc -l <groups.txt)" -gt 35 ] || cat groups.txt
$ grep -o "'stint-[a-z-]*'" "$cases/../../docs/meson.build" | tr -d "'" | cut -c7- | sort -u | comm -3 - groups.txt
$ while read -r group; do stint man "$group" | mandoc -T lint -W warning; done <groups.txt
$ while read -r group; do stint man "$group"; done <groups.txt | grep -c '^$'
| 0
? 1

Every command explains itself in few columns, and has an example.
$ while read -r command; do stint help $command | sed '/^examples/,$d' | awk -v c="$command" 'length > 84 { print c ": " $0 }'; done <commands.txt
$ while read -r command; do stint help $command | sed '1,/^examples/d' | grep -q "stint $command" || echo "$command"; done <commands.txt

The same option is told in the same words.
$ for option in month where currency cost until; do while read -r command; do stint help $command | awk -v o="--$option" '/^options of/ { exit } $1 == o { on = 1; print; next } /^  [^ ]/ || /^$/ { on = 0 } on' | tr '\n' ' ' | tr -s ' '; echo; done <commands.txt | grep . | sort | uniq -c; done
|       1  --month MONTH 2026-10; the last whole month when nothing is said 
|       1  --month MONTH 2026-12; the running month when nothing is said 
|      11  --month MONTH all of that month instead: 2026-10 
|       1  --where COL=TEXT only rows where it matches: provider=aws 
|       1  --where CONDITION only what is so: gpu=H100, 'team=nlp*', 'service!=AWS Support' 
|       2  --where CONDITION only what is so: gpu=H100, 'team=nlp*', 'service!=AWS Support'; may be repeated 
|       7  --where CONDITION only what is so: gpu=H100, 'team=nlp*', 'service!=AWS Support'; may be repeated, all must hold 
|       1  --where CONDITION only what is so: team=nlp, 'gpu=H100*'; may be repeated, all must hold; none: everything 
|      10  --currency CODE convert to it, at the rate of each day 
|       1  --currency CODE of what names no currency, or none that there is; EUR 
|       1  --currency CODE of your budgets (default: USD) 
|       1  --currency CODES only these: EUR,GBP 
|       1  --cost AMOUNT of all of it, instead of a price 
|       9  --cost KIND effective, billed, list or contracted (default: effective) 
|       1  --until DATE the last day to look at, such as 2026-08-01 (default: today) 
|       1  --until DAY that begin no later than that day 
|       1  --until DAY the last day that counts: 2026-10-31 
|      12  --until DAY the last day that counts: 2026-11-30, or 1d: yesterday 
|       1  --until WHEN begun by then, likewise: of a date, that day counts 
|       1  --until WHEN the last day that counts, or a moment; the first day when nothing is said 
