Operations of the library and what they read and write.
$ stint schema | grep -E '^(operation|accuracy|why) '
| operation          result                     over HTTP  what it does
| accuracy           stint.accuracy/1           read       compare estimates with the runs that followed
| why                stint.why/1                read       explain why a run or a month cost more or less
$ stint schema | tail -1 | sed 's/^[0-9]*/N/'
| N operations; 'stint schema OPERATION' prints the JSON Schema of its request and of its result
$ stint schema region.list | head -c 200
| {"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"provider":{"description":"providers to include, such as aws,gcp","anyOf":[{"type":"array","items":{"type":"stri
| (no newline at the end)
$ stint schema checkpoints.best --json | head -c 330
| {"schema":"stint.schema/1","operations":[{"name":"checkpoints.best","schema":"stint.checkpoints.best/1","summary":"show the best checkpoint and a cheaper one close to it","changes":false,"own_process":false,"remote":"local","team":"none","request":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","propert
| (no newline at the end)
$ stint schema -o schemas >/dev/null && ls schemas | head -2
| accuracy.request.json
| accuracy.result.json
$ stint schema plan -o one && ls one
| 2 files written to one
| plan.request.json
| plan.result.json
$ cut -c-60 one/plan.request.json
| {"$schema":"https://json-schema.org/draft/2020-12/schema","t
Mistakes.
$ stint schema pirce.list
! stint: there is no operation 'pirce.list'
!   hint: did you mean 'price.list'?
? 2
$ stint schema nothing.like.it
! stint: there is no operation 'nothing.like.it'
!   hint: 'stint schema' lists them
? 2
$ touch file; stint schema -o file/there
! stint: cannot make the folder 'file/there': Not a directory
? 1
