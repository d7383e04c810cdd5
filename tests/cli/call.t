Operations by name, JSON in and out: `stint call`, what the library's stint_call() does in a process of its own.
$ stint call gpu.show '{"gpu":"H100"}' | cut -c-60
| {"schema":"stint.gpu.show/1","gpu":{"name":"H100-SXM-80GB","
! stint: note: 'H100' means H100-SXM-80GB, the SXM form with the most memory
$ stint call price.lst
| {"schema":"stint.error/1","kind":"usage","text":"there is no operation 'price.lst'","hint":"did you mean 'price.list'?"}
? 2
$ stint call gpu.show '{"gpu":"H1000"}' --reply-fd=3 3>reply; echo status $?; cat reply
| status 4
| {"schema":"stint.error/1","kind":"absent","text":"there is no accelerator 'H1000'","hint":"did you mean 'H100'? 'stint gpu list' shows all"}
The command keeps its output; the reply is on a descriptor that it does not inherit.
$ stint call run '{"command":["sh","-c","echo hello; ls /proc/self/fd | tr -d 0-2 | grep -c 9; exit 3"],"no_ledger":true,"quiet":true}' --reply-fd=9 9>reply
| hello
| 0
? 3
$ grep -Eo '"(state|exit_status)":[^,]*' reply
| "state":"failed"
| "exit_status":3
$ stint call run '{"command":["no-such-command"],"no_ledger":true}' 2>/dev/null
| {"schema":"stint.error/1","kind":"absent","text":"command not found: 'no-such-command'","hint":"is it installed, and in PATH?"}
? 127
What was asked for at the end is done, too.
$ stint call run '{"command":["true"],"no_ledger":true,"quiet":true,"on_exit":"echo over $STINT_EVENT"}' --reply-fd=3 3>reply
| over exit
Mistakes.
$ stint call
! stint: call needs an operation
!   hint: 'stint schema' lists them
? 2
$ stint call --ledger x gpu.list
! stint: call does not expect '--ledger'
!   hint: the request is one word of JSON, quoted: '{"gpu":"H100"}'
? 2
$ stint call gpu.list '{}' more
! stint: call does not expect 'more'
!   hint: the request is one word of JSON, quoted: '{"gpu":"H100"}'
? 2
$ stint call gpu.list --reply-fd=77
! stint: --reply-fd=77 is not an open descriptor
!   hint: in a shell: stint call OPERATION REQUEST --reply-fd=3 3>reply.json
? 2
$ stint call gpu.list --reply-fd=x
! stint: --reply-fd=x is not an open descriptor
!   hint: in a shell: stint call OPERATION REQUEST --reply-fd=3 3>reply.json
? 2
$ stint call gpu.list '{'
| {"schema":"stint.error/1","kind":"input","text":"request:1:2: the text ends inside an object","hint":null}
? 3
$ stint call --help
| usage: stint call OPERATION [REQUEST] [--reply-fd=N] [--text]
| 
| Runs one operation in its own process, like stint_call() of the library, for
| programs that use Stint. REQUEST is a JSON object with a key for each option;
| 'stint schema' lists operations and their keys. The reply is one line of JSON on
| standard output, or on the descriptor N: the result, or the error. Commands
| started by 'run', 'attach', 'watch' or 'tune' keep standard output, so use
| --reply-fd there. With --text, standard output has the result as the command
| prints it.
| 
| examples
|   stint call price.compare '{"gpu": "H100x8", "hours": 24}'
|   stint call run '{"command": ["python", "train.py"]}' --reply-fd=3 3>result.json
$ stint schema --json | grep -Eo '"name":"[a-z._]*","schema":"[^"]*","summary":"[^"]*","changes":(true|false),"own_process":true' | cut -d'"' -f4
| attach
| bench
| data.cache
| run
| tune
| watch
--text prints the result as its command does; --reply-fd has it as JSON, too. An error is a reply.
$ stint call gpu.list '{"limit": 3}' --text >text.txt; stint gpu list --limit 3 2>/dev/null | cmp - text.txt
! stint: warning: 2 of 3 prices are more than 30 days old (oldest: 2026-08-22); 'stint price doctor' shows what to run
$ stint call costs.movers '{}' --text --reply-fd=3 3>reply.json >text.txt; head -c 30 reply.json; wc -l <reply.json
| {"schema":"stint.costs.movers/1
$ stint call gpu.show '{"gpu": "H1000"}' --text
| {"schema":"stint.error/1","kind":"absent","text":"there is no accelerator 'H1000'","hint":"did you mean 'H100'? 'stint gpu list' shows all"}
? 4
