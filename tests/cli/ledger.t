$ stint ledger init
| ledger: home/.local/share/stint/ledger.db
| tables: made, version 2
$ stint ledger init
| ledger: home/.local/share/stint/ledger.db
| tables: there already, version 2
$ stint ledger init --json
| {"schema":"stint.ledger.init/1","ledger":"home/.local/share/stint/ledger.db","engine":"sqlite","version":2,"version_before":2,"roles":false,"roles_made":0,"owner":false}
$ stat -c '%a' home/.local/share/stint/ledger.db
| 600
$ stint runs
| no run is recorded in home/.local/share/stint/ledger.db
$ stint ledger init --roles
! stint: the ledger 'home/.local/share/stint/ledger.db' is a file: it has no roles
!   hint: its owner's rights hold; a team's ledger is at --ledger postgres://HOST/DATABASE
? 2

A server: its address is shown without the password, wherever it is named.
$ stint config --show --ledger postgres://ann:secret@127.0.0.1:1/costs | grep '^ledger'
| ledger       postgres://ann:***@127.0.0.1:1/costs  --ledger  STINT_LEDGER       where runs and bills are kept: a file, or postgres://HOST/DATABASE
$ STINT_LEDGER=postgresql://ann@127.0.0.1:1/costs?password=secret stint config --show --json | tr '{' '\n' | grep ledger
| "name":"ledger","value":"postgresql://ann@127.0.0.1:1/costs?password=***","origin":"STINT_LEDGER","env":"STINT_LEDGER","help":"where runs and bills are kept: a file, or postgres://HOST/DATABASE"},
$ stint ledger init --ledger postgres://ann:secret@127.0.0.1:1/costs
! stint: cannot open the ledger 'postgres://ann:***@127.0.0.1:1/costs': connection to server at "127.0.0.1", port 1 failed: Connection refused
!   hint: is the server running, and reached from here? psql says more
? 1
$ stint runs --ledger postgres://ann:secret@127.0.0.1:1/costs --json
! stint: cannot open the ledger 'postgres://ann:***@127.0.0.1:1/costs': connection to server at "127.0.0.1", port 1 failed: Connection refused
!   hint: is the server running, and reached from here? psql says more
? 1
$ stint runs --ledger postgres://ann:se%zzcret@127.0.0.1/costs
! stint: the address of the ledger 'postgres://ann:***@127.0.0.1/costs' is not understood
!   hint: postgres://USER@HOST:PORT/DATABASE; in a password, '@' is %40, '/' %2F, '%' %25
? 3
$ stint runs --ledger postgres://ann:sec@ret@127.0.0.1:1/costs
! stint: the address of the ledger 'postgres://ann:***@127.0.0.1:1/costs' is not understood
!   hint: postgres://USER@HOST:PORT/DATABASE; in a password, '@' is %40, '/' %2F, '%' %25
? 3
$ stint runs --ledger postgres://ann:secret@127.0.0.1:1/costs?colour=red
! stint: the address of the ledger 'postgres://ann:***@127.0.0.1:1/costs?colour=red' is not understood
!   hint: postgres://USER@HOST:PORT/DATABASE; in a password, '@' is %40, '/' %2F, '%' %25
? 3

A run goes on without it.
$ stint run --ledger postgres://ann:secret@127.0.0.1:1/costs -- echo ran 2>&1 | grep 'RECORDED\|^ran'
| stint: warning: THIS RUN IS NOT BEING RECORDED: cannot open the ledger 'postgres://ann:***@127.0.0.1:1/costs': connection to server at "127.0.0.1", port 1 failed: Connection refused
| ran

Without the part that speaks to servers.
$ STINT_PARTS=nowhere stint runs --ledger postgres://127.0.0.1:1/costs
! stint: the part 'postgres' of Stint is not installed
!   hint: install it with './dev install', or set STINT_PARTS to its folder
? 1
$ stint ledger init --help | head -20
| usage: stint ledger init [options]
| 
| Makes the tables of the ledger: a file, or a schema 'stint' of a PostgreSQL
| database. A first 'stint run' makes them too, where it has the right; what only
| this command does is to take the tables of a server forward when they are of an
| older version. With --roles it makes groups of users as well: stint_reader (sees
| everything), stint_writer (records runs, imports bills), stint_admin (changes the
| tables). Running it again changes nothing.
| 
| options
|   --roles               PostgreSQL: make the groups stint_reader, stint_writer
|                         and stint_admin, with their rights
| 
| options of every command
|   --json                print the result as JSON
|   --help                explain the command
|   --config FILE         read this configuration
|   --catalog DIR         read your own facts and prices from here
|   --prices DIR          keep fetched and imported prices here
|   --ledger FILE         runs and bills are here: a file, or postgres://HOST/DB
