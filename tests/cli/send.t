# stint send: runs that wait for a server, and what keeps them from being sent.

$ stint send --help
| usage: stint send [options]
| 
| Sends runs that 'stint run --to' kept on this machine while the server was
| unreachable. Every run to that server does the same, so this is only needed when
| no further run will start here: at the end of a job, before the machine is
| returned. Runs that the server has are removed here; nothing is counted twice.
| Exit status 1 if some could not be sent.
| 
| options
|   --to URL              send the run to this server instead of the ledger:
|                         https://HOST:8712 (default: the configured one)
|   --to-token FILE       file with the token for it (default: 'token' beside
|                         config.yaml; STINT_TOKEN is the token itself)
|   --to-certificates FILE
|                         CA bundle to verify the server, PEM (default: the
|                         system's)
|   --to-unencrypted      allow plain http to it, on a trusted network only
| 
| options of every command
|   --json                print the result as JSON
|   --help                explain the command
|   --config FILE         configuration file to read
|   --catalog DIR         folder of your own facts and prices
|   --prices DIR          folder of fetched and imported prices
|   --ledger FILE         ledger of runs and bills: a file, or postgres://HOST/DB
|   --log FILE            write a log to FILE
| 
| examples
|   stint send --to https://costs.example.org:8712
|   STINT_TO=https://costs.example.org:8712 stint send
$ stint send
! stint: no server is configured
!   hint: stint send --to https://costs.example.org:8712
? 2
$ stint send --to costs.example.org
! stint: --to: this is not the address of a server
!   hint: write https://costs.example.org:8712
? 2
$ stint send --to http://192.0.2.1:8712
! stint: --to: plain http would send the token and the runs unencrypted to '192.0.2.1'
!   hint: write https://, or add --to-unencrypted on a trusted network only
? 2
$ stint send --to https://costs.example.org:8712
! stint: --to needs a token: STINT_TOKEN is not set, and there is no file 'home/.config/stint/token'
!   hint: make one on the server with 'stint token add NAME --scope write'
? 2
$ STINT_TOKEN=stint_0 stint send --to https://costs.example.org:8712
| nothing waits to be sent to https://costs.example.org:8712
$ STINT_TOKEN=stint_0 stint send --to https://costs.example.org:8712/ --json
| {"schema":"stint.send/1","to":"https://costs.example.org:8712","sent":0,"waiting":0,"cost":null,"folder":null,"reason":null}
$ STINT_TO=https://costs.example.org:8712 STINT_TOKEN=stint_0 stint send
| nothing waits to be sent to https://costs.example.org:8712
$ STINT_TOKEN=stint_0 stint send --to https://costs.example.org --to-certificates none.pem
! stint: --to-certificates: there is no file 'none.pem'
? 2
$ stint send now
! stint: send does not expect 'now'
!   hint: 'stint send --help' shows what it takes; quote values with blanks
? 2
$ stint run --to http://192.0.2.1:8712 -- true
! stint: --to: plain http would send the token and the runs unencrypted to '192.0.2.1'
!   hint: write https://, or add --to-unencrypted on a trusted network only
? 2
$ stint run --to https://costs.example.org --alert ops -- true
! stint: --alert needs a ledger on this machine, not --to
!   hint: budgets of the server's ledger alert for runs of every machine
? 2

# Nothing answers there: the command runs, and its run waits.
$ STINT_TOKEN=stint_0 XDG_STATE_HOME=$PWD/state stint run --quiet --no-gpu --to http://127.0.0.1:1 -- true 2>&1 | sed 's/after [0-9]* ms/after N ms/; s|/[^ ]*/state|STATE|; s/[0-9a-f-]*[.]journal/ID.journal/; s|journals/[0-9a-f]*|journals/HASH|'
| stint: warning: http://127.0.0.1:1: no connection: Failed to connect to 127.0.0.1 port 1 after N ms: Couldn't connect to server; until the server answers, only --budget AMOUNT stops this run, not the budgets that it shares with others
| stint: warning: http://127.0.0.1:1: no connection: Failed to connect to 127.0.0.1 port 1 after N ms: Couldn't connect to server: this run is kept in 'STATE/stint/journals/HASH/ID.journal', and sent when the server can be reached, by this run, the next one, or 'stint send'
$ STINT_TOKEN=stint_0 XDG_STATE_HOME=$PWD/state stint send --to http://127.0.0.1:1 | sed 's/after [0-9]* ms/after N ms/; s|/[^ ]*/state|STATE|; s|journals/[0-9a-f]*|journals/HASH|'
| sent 0 runs to http://127.0.0.1:1
| 1 still waits in STATE/stint/journals/HASH: http://127.0.0.1:1: no connection: Failed to connect to 127.0.0.1 port 1 after N ms: Couldn't connect to server
