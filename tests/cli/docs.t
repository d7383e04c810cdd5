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
