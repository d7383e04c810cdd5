An empty ledger: how to begin.

$ stint report
! stint: there is no ledger 'home/.local/share/stint/ledger.db' yet
!   hint: 'stint run -- COMMAND' makes it
? 4

A run, with all of its files or none.

$ "$STINT_TEST_LEDGER" home/.local/share/stint/ledger.db
$ stint report bert
| report of run bert (aaaa0001):
|   cost_analysis/cost_analysis.json
$ ls -A cost_analysis
| cost_analysis.json
$ stint report bert -o other/place | sed -n '2p'
|   other/place/cost_analysis.json
$ stint report nosuch
! stint: there is no run 'nosuch'
!   hint: 'stint runs' lists them; 'last' is the newest
? 4
A file that Stint did not write stays, and nothing else is written beside it.
$ mkdir mine; echo '{"mine": true}' >mine/cost_analysis.json; stint report bert -o mine; cat mine/cost_analysis.json; ls -A mine
| {"mine": true}
| cost_analysis.json
! stint: 'mine/cost_analysis.json' was not written by Stint: not replaced
!   hint: --replace replaces it; -o DIR writes to another folder
$ stint report bert -o mine --replace | sed -n '1p'; head -c 34 mine/cost_analysis.json
| report of run bert (aaaa0001):
| {"schema":"stint.cost_analysis/1",
| (no newline at the end)
Its own are replaced.
$ stint report bert-wide -o mine | sed -n '1p'
| report of run bert-wide (bbbb0002):
What is no folder, and what cannot be written, is said; nothing is left.
$ echo file >plain; stint report bert -o plain
! stint: cannot make the folder 'plain': Not a directory
? 1
$ mkdir full; mkdir full/cost_analysis.json; stint report bert -o full --replace; ls -A full
| cost_analysis.json
! stint: cannot write 'full/cost_analysis.json': Is a directory
