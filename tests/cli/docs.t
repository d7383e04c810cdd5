The pages on plans, prices, spot, commitments and serving show real output: their commands are run in their order.

$ . "$cases/transcript.sh"; transcript "$cases/../../docs/guide/plan.md"; grep -c '^[$] stint' expected.txt
| 10
$ . "$cases/transcript.sh"; transcript "$cases/../../docs/guide/prices.md"; grep -c '^[$] stint' expected.txt
| 1
$ . "$cases/transcript.sh"; transcript "$cases/../../docs/reference/library.md"; grep -c '^[$] stint' expected.txt
| 1
$ . "$cases/transcript.sh"; transcript "$cases/../../docs/guide/storage.md"; grep -c '^[$] stint' expected.txt
| 1
$ . "$cases/transcript.sh"; transcript "$cases/../../docs/guide/spot.md"; grep -c '^[$] stint' expected.txt
| 2
$ . "$cases/transcript.sh"; transcript "$cases/../../docs/guide/commitments.md"; grep -c '^[$] stint' expected.txt
| 1
$ . "$cases/transcript.sh"; transcript "$cases/../../docs/guide/tco.md"; grep -c '^[$] stint' expected.txt
| 3
$ . "$cases/transcript.sh"; transcript "$cases/../../docs/guide/roi.md"; grep -c '^[$] stint' expected.txt
| 3
$ . "$cases/transcript.sh"; transcript "$cases/../../docs/guide/trackers.md"; grep -c '^[$] stint' expected.txt
| 2
$ . "$cases/transcript.sh"; transcript "$cases/../../docs/guide/infer.md"; grep -c '^[$] stint' expected.txt
| 2
$ . "$cases/transcript.sh"; transcript "$cases/../../docs/guide/serve.md"; grep -c '^[$] stint' expected.txt
| 1
docs/guide/plan.md says what a request's length costs: $11 with 32 tokens ($6 in int8), $37 with 128, $156 with 512.

$ for set in input=32 input=32,weights=int8 input=128 input=512; do stint infer bert-base --rate 1/s --set $set 2>err | sed -n 's/^[> ] *serverless  *\([$][^ ]*\).*/\1/p'; done; grep -c '[$]11 a month serverless with 32 tokens ([$]6 in int8), [$]37 with$' "$cases/../../docs/guide/plan.md"
| $11.2
| $6.25
| $37.1
| $156
| 1
