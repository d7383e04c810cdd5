needs: python3 git
The jobs of docs/guide/ci.md, as they are written there: their shell steps in a clean folder, against servers that act as the forges.
Only the lines that install are left out.

$ python3 "$cases/ci_steps.py" "$cases/../../docs/guide/ci.md" GitHub; python3 "$cases/ci_steps.py" "$cases/../../docs/guide/ci.md" GitLab
| 0 stint check job.yaml --baseline before.yaml --max-increase 10% --markdown check.md
| 1 stint comment github --body check.md --only-if-changed
| 4 shell steps, 1 actions
| 0 git fetch --depth 1 origin "$CI_MERGE_REQUEST_TARGET_BRANCH_NAME"
| 1 git show FETCH_HEAD:job.yaml >before.yaml || cp job.yaml before.yaml
| 2 exit $status
| 5 shell steps, 0 actions

A repository whose main branch has a job, and a branch that makes it more expensive.
$ export HOME="$PWD/home" GIT_CONFIG_NOSYSTEM=1; mkdir -p home; git config --global user.name a; git config --global user.email a@example.org; git config --global init.defaultBranch main; git init -q origin; cd origin; printf 'name: lora\ntrain:\n  model: llama-2-7b\n  method: lora\n  data: {tokens: 25M}\n' >job.yaml; git add job.yaml; git commit -qm first; cd ..; git clone -q origin work; cd work; git checkout -qb more; sed -i 's/25M/50M/' job.yaml; git commit -qam more; ls
| job.yaml

GitHub: the check fails, and the comment says so, once.
$ start_server github
$ echo "export STINT_URL_GITHUB=$SERVER HOME=$PWD/home GITHUB_TOKEN=good-token GITHUB_REPOSITORY=acme/models GITHUB_REF=refs/pull/12/merge GITHUB_BASE_REF=main GITHUB_WORKSPACE=$PWD/work" >env
$ . ./env; cd work; sh -e ../GitHub-0.sh >../out.txt; status=$?; tail -n 1 ../out.txt; head -n 1 check.md; exit $status
| failed: cost increased by 92 % ($1.45 to $2.78), time by 92 % (36min25s to 1h9min), energy by 97 % (707.1 Wh to 1.39 kWh); the limit is 10 %
| ### Cost check: failed
! stint: warning: the price of the best plan is 85 days old, 80 % range $2.19/hr to $2.61/hr; 'stint price fetch skypilot' updates prices
? 5
$ . ./env; cd work; sh -e ../GitHub-1.sh | mask; sh -e ../GitHub-1.sh | mask
| posted a comment on acme/models#12: http://SERVER/acme/models/pull/12#issuecomment-1131
| the comment on acme/models#12 is unchanged: http://SERVER/acme/models/pull/12#issuecomment-1131

A job file that is new has no baseline.
$ . ./env; cd work; git rm -q --cached job.yaml; git update-ref refs/remotes/origin/main "$(git commit-tree -m empty "$(git hash-object -t tree -w /dev/null)")"; sh -e ../GitHub-0.sh 2>/dev/null | tail -n 1
| passed: nothing increased by more than 10 %

GitLab: the same in one script, whose status is that of the check.
$ start_server gitlab
$ echo "export STINT_URL_GITLAB=$SERVER/api/v4 HOME=$PWD/home GITLAB_TOKEN=good-token CI_PROJECT_PATH=acme/models CI_MERGE_REQUEST_IID=7 CI_MERGE_REQUEST_TARGET_BRANCH_NAME=main" >env
$ . ./env; rm -rf work; git clone -q origin work; cd work; sed -i 's/25M/50M/' job.yaml; cat ../GitLab-*.sh >all.sh; sh -e all.sh >out.txt 2>/dev/null; echo $?; tail -n 2 out.txt | mask
| 5
| failed: cost increased by 92 % ($1.45 to $2.78), time by 92 % (36min25s to 1h9min), energy by 97 % (707.1 Wh to 1.39 kWh); the limit is 10 %
| posted a comment on acme/models!7: http://SERVER/acme/models/-/merge_requests/7#note_1004
