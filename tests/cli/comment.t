One comment on a pull request. The server limits requests twice; the comment is found again on the second page.
$ start_server github
$ echo "export STINT_URL_GITHUB=$SERVER GITHUB_TOKEN=good-token" >env
$ printf '### Cost check: passed\n' >check.md
$ . ./env; stint comment github --repo acme/models --pull 12 --body check.md | mask
| posted a comment on acme/models#12: http://SERVER/acme/models/pull/12#issuecomment-1131
$ . ./env; stint comment github --repo acme/models --pull 12 --body check.md --only-if-changed | mask
| the comment on acme/models#12 is unchanged: http://SERVER/acme/models/pull/12#issuecomment-1131
$ . ./env; printf '### Cost check: failed\n' | stint comment github --repo acme/models --pull 12 --only-if-changed | mask
| updated the comment on acme/models#12: http://SERVER/acme/models/pull/12#issuecomment-1131
$ . ./env; stint comment github --repo acme/models --pull 12 --body check.md --behavior hide-and-new --json | mask
| {"schema":"stint.comment/1","forge":"github","repo":"acme/models","pull":12,"action":"created","id":"1132","url":"http://SERVER/acme/models/pull/12#issuecomment-1132","hidden":1,"deleted":0,"problem":null,"dry_run":false,"body":null,"left_out":0}
$ . ./env; stint comment github --repo acme/models --pull 12 --body check.md --behavior delete-and-new | mask
| posted a comment on acme/models#12: http://SERVER/acme/models/pull/12#issuecomment-1133; deleted 2 earlier comments
$ . ./env; stint comment github --repo acme/models --pull 12 --body check.md --behavior new --tag other | mask
| posted a comment on acme/models#12: http://SERVER/acme/models/pull/12#issuecomment-1134
$ grep -c '^GET.*-> 403' server.log; grep '^[PD].* ->' server.log; grep body: server.log
| 1
| POST /repos/acme/models/issues/12/comments -> 429
| POST /repos/acme/models/issues/12/comments -> 201
| PATCH /repos/acme/models/issues/comments/1131 -> 200
| POST /repos/acme/models/issues/12/comments -> 201
| POST /graphql -> 200
| POST /repos/acme/models/issues/12/comments -> 201
| DELETE /repos/acme/models/issues/comments/1131 -> 204
| DELETE /repos/acme/models/issues/comments/1132 -> 204
| POST /repos/acme/models/issues/12/comments -> 201
|     body: {"body":"<!-- stint:cost -->\u000a### Cost check: passed\u000a"}
|     body: {"body":"<!-- stint:cost -->\u000a### Cost check: passed\u000a"}
|     body: {"body":"<!-- stint:cost -->\u000a### Cost check: failed\u000a"}
|     body: {"body":"<!-- stint:cost -->\u000a### Cost check: passed\u000a"}
|     body: {"query":"mutation($id:ID!){minimizeComment(input:{subjectId:$id,classifier:OUTDATED}){minimizedComment{isMinimized}}}","variables":{"id":"IC_1131"}}
|     body: {"body":"<!-- stint:cost -->\u000a### Cost check: passed\u000a"}
|     body: {"body":"<!-- stint:other -->\u000a### Cost check: passed\u000a"}

In a CI job, the job names the repository and the request.
$ . ./env; GITHUB_REPOSITORY=acme/models GITHUB_REF=refs/pull/12/merge stint comment github --body check.md | mask
| updated the comment on acme/models#12: http://SERVER/acme/models/pull/12#issuecomment-1133

A dry run sends nothing, and needs no token.
$ stint comment github --repo acme/models --pull 12 --body check.md --dry-run
| would post on acme/models#12
| <!-- stint:cost -->
| ### Cost check: passed
$ printf 'a \033[31mb' | stint comment gitlab --repo acme/models --pull 7 --dry-run --json
| {"schema":"stint.comment/1","forge":"gitlab","repo":"acme/models","pull":7,"action":null,"id":null,"url":null,"hidden":null,"deleted":null,"problem":null,"dry_run":true,"body":"<!-- stint:cost -->\u000aa \u001b[31mb","left_out":0}

Errors.
$ stint comment github --repo acme/models --pull 12 --body check.md
! stint: there is no key
!   hint: set GITHUB_TOKEN to a token that may write comments (pull-requests: write)
? 4
$ echo "export STINT_URL_GITHUB=$SERVER GITHUB_TOKEN=bad-token" >bad; . ./bad; stint comment github --repo acme/models --pull 12 --body check.md 2>err; status=$?; mask <err; exit $status
| stint: http://SERVER/repos/acme/models/issues/12/comments: the key is missing or wrong (401): Bad credentials
|   hint: set GITHUB_TOKEN to a token that may write comments (pull-requests: write)
? 1
$ . ./env; stint comment github --repo acme/private --pull 1 --body check.md 2>err; status=$?; mask <err; exit $status
| stint: http://SERVER/repos/acme/private/issues/1/comments: not found (404): Not Found
|   hint: check that the pull request exists and the token can read it
? 4
$ . ./env; stint comment github --repo acme/slow --pull 1 --body check.md 2>err; status=$?; mask <err; exit $status
| stint: http://SERVER/repos/acme/slow/issues/1/comments: too many requests (403): API rate limit exceeded for user ID 1
|   hint: the server asks to wait 3000 s: try again then
? 1
$ . ./env; stint comment github --repo acme/echo --pull 1 --body check.md --log log 2>err; status=$?; mask <err; grep -c good-token log err; exit $status
| stint: http://SERVER/repos/acme/echo/issues/1/comments: access is refused (403): *** has no access
|   hint: set GITHUB_TOKEN to a token that may write comments (pull-requests: write)
| log:0
| err:0
? 1
$ GITHUB_TOKEN=x STINT_URL_GITHUB=http://git.example.org stint comment github --repo acme/models --pull 12 --body check.md
! stint: http://git.example.org/repos/acme/models/issues/12/comments: refusing to send a key over plain http
!   hint: give an https:// address
? 3
$ GITHUB_TOKEN='a b' stint comment github --repo acme/models --pull 12 --body check.md
! stint: GITHUB_TOKEN contains a blank, a control character or another that keys do not have
? 3
$ stint comment github --pull 12 --body check.md
! stint: which repository? add --repo OWNER/NAME
!   hint: in a CI job, GITHUB_REPOSITORY names it
? 2
$ stint comment github --repo acme/models --body check.md
! stint: which pull request? add --pull N
!   hint: in a CI job for a pull request, the job names it
? 2
$ stint comment github --repo acme/../x --pull 12 --body check.md
! stint: --repo: 'acme/../x' is not the name of a repository on GitHub
!   hint: give OWNER/NAME
? 2
$ stint comment github --repo acme/models --pull 0 --body check.md
! stint: --pull: '0' is not 1 or more
? 2
$ stint comment github --repo acme/models --pull 12 --body none.md
! stint: cannot open 'none.md': No such file or directory
? 4
$ stint comment github --repo acme/models --pull 12
! stint: standard input: the comment is empty
!   hint: 'stint check ... --markdown FILE' writes one for --body FILE
? 3
$ stint comment github --repo acme/models --pull 12 --body check.md --tag 'a -->'
! stint: --tag: 'a -->' is not a valid tag
!   hint: use letters, digits, '_', '.' and single '-', at most 64
? 2
$ stint comment github --repo acme/models --pull 12 --body check.md --behavior replace
! stint: --behavior: 'replace' is not one of update, new, hide-and-new, delete-and-new
? 2
$ stint comment gitea --repo acme/models --pull 12 --body check.md
! stint: FORGE: 'gitea' is not one of github, gitlab
!   hint: did you mean 'gitlab'?
? 2
$ stint comment
! stint: comment needs a FORGE
!   hint: stint comment github --repo acme/models --pull 12 --body check.md
? 2

GitLab.
$ start_server gitlab
$ echo "export STINT_URL_GITLAB=$SERVER/api/v4 GITLAB_TOKEN=good-token" >env
$ . ./env; stint comment gitlab --repo acme/models --pull 7 --body check.md | mask
| posted a comment on acme/models!7: http://SERVER/acme/models/-/merge_requests/7#note_1004
$ . ./env; CI_PROJECT_PATH=acme/models CI_MERGE_REQUEST_IID=7 stint comment gitlab --body check.md --behavior hide-and-new | mask
| posted a comment on acme/models!7: http://SERVER/acme/models/-/merge_requests/7#note_1005; hid 1 earlier comment
$ . ./env; stint comment gitlab --repo acme/models --pull 7 --body check.md --behavior delete-and-new | mask
| posted a comment on acme/models!7: http://SERVER/acme/models/-/merge_requests/7#note_1006; deleted 1 earlier comment
$ grep '^[PD].* ->' server.log; grep -c 'PRIVATE-TOKEN: good-token' server.log
| POST /api/v4/projects/acme%2Fmodels/merge_requests/7/notes -> 201
| POST /api/v4/projects/acme%2Fmodels/merge_requests/7/notes -> 201
| PUT /api/v4/projects/acme%2Fmodels/merge_requests/7/notes/1004 -> 200
| POST /api/v4/projects/acme%2Fmodels/merge_requests/7/notes -> 201
| DELETE /api/v4/projects/acme%2Fmodels/merge_requests/7/notes/1005 -> 204
| 8
