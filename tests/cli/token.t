Tokens for servers: made, listed, revoked. The secret is shown once.

$ stint token list
| there are no tokens: 'stint token add NAME' creates one
$ stint token add grafana >made
$ sed 's/^stint_[0-9a-f]\{48\}$/SECRET/' made
| SECRET
| 
| token    may   created           by      ends
| grafana  read  2026-11-15 00:00  tester  2027-11-15 00:00
| The first line is the token. It is not stored and will not be shown again.
$ stint token add node-17 --scope write --team nlp --expires 90d --json | sed 's/stint_[0-9a-f]*/SECRET/'
| {"schema":"stint.token.add/1","tokens":[{"name":"node-17","scope":"write","team":"nlp","created":"2026-11-15T00:00:00Z","expires":"2027-02-13T00:00:00Z","by":"tester","expired":false}],"secret":"SECRET","ledger":"home/.local/share/stint/ledger.db"}
$ stint token add ci --expires never >/dev/null
$ stint token list
| token    may    team  created           by      ends
| ci       read   -     2026-11-15 00:00  tester  never
| grafana  read   -     2026-11-15 00:00  tester  2027-11-15 00:00
| node-17  write  nlp   2026-11-15 00:00  tester  2027-02-13 00:00
$ STINT_NOW=2027-11-16 stint token list
| token    may    team  created           by      ends              
| ci       read   -     2026-11-15 00:00  tester  never             
| grafana  read   -     2026-11-15 00:00  tester  2027-11-15 00:00  expired
| node-17  write  nlp   2026-11-15 00:00  tester  2027-02-13 00:00  expired
$ stint token list --json
| {"schema":"stint.token.list/1","tokens":[{"name":"ci","scope":"read","team":null,"created":"2026-11-15T00:00:00Z","expires":null,"by":"tester","expired":false},{"name":"grafana","scope":"read","team":null,"created":"2026-11-15T00:00:00Z","expires":"2027-11-15T00:00:00Z","by":"tester","expired":false},{"name":"node-17","scope":"write","team":"nlp","created":"2026-11-15T00:00:00Z","expires":"2027-02-13T00:00:00Z","by":"tester","expired":false}],"secret":null,"ledger":"home/.local/share/stint/ledger.db"}

The ledger does not have the secret.
$ grep -c "$(head -1 made)" "$HOME"/.local/share/stint/ledger.db
| 0
? 1
$ stint token remove grafana
| revoked grafana: servers refuse it from now on
$ stint token list
| token    may    team  created           by      ends
| ci       read   -     2026-11-15 00:00  tester  never
| node-17  write  nlp   2026-11-15 00:00  tester  2027-02-13 00:00

Mistakes.
$ stint token remove grafna
! stint: there is no token 'grafna'
!   hint: 'stint token list' shows them
? 4
$ stint token add ci
! stint: there is a token 'ci' already
!   hint: 'stint token remove ci' ends it
? 3
$ stint token add 'a b'
! stint: 'a b' is not a name for a token
!   hint: use letters, digits, '-' and '.': node-17
? 2
$ stint token add x --scope root
! stint: --scope: 'root' is not one of read, write, admin
? 2
$ stint token add x --expires yesterday
! stint: --expires: 'yesterday' is not a time to come
!   hint: write 90d, a date such as 2027-06-30, or never
? 2
$ stint token add x --expires 2026-01-01
! stint: --expires: '2026-01-01' is not a time to come
!   hint: write 90d, a date such as 2027-06-30, or never
? 2
$ stint token add
! stint: token add needs a NAME
!   hint: stint token add grafana
? 2
