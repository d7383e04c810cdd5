docs/reference/commands.md is what the program prints. When this fails: stint help --markdown >docs/reference/commands.md

$ stint help --markdown >commands.md; diff "$cases/../../docs/reference/commands.md" commands.md
Every command has its section and its line in the list of contents, which leads to it.
$ stint completion bash | sed -n "s/.*) command='\(.*\)' ;;/\1/p" | sort >commands.txt; [ "$(wc -l <commands.txt)" -gt 90 ]
$ sed -n 's/^### //p' commands.md | grep -vx 'help\|completion\|call' | sort | diff - commands.txt
$ sed -n 's/^- \[\(.*\)\](#\(.*\)): .*/\1 \2/p' commands.md | while read -r line; do name=${line% *}; [ "$(echo "$name" | tr ' ' -)" = "${line##* }" ] && grep -qx "### $name" commands.md || echo "$name"; done
$ echo $(($(sed -n 's/^- \[\(.*\)\](#.*/\1/p' commands.md | wc -l) - $(wc -l <commands.txt))) # help, completion and call
| 3
It is not for the terminal: help does not name it.
$ stint help --all | grep -c markdown
| 0
? 1
Prose is at most 100 columns wide; examples are as long as needed.
$ awk '/^```/ { code = !code } !code && length > 100' commands.md
