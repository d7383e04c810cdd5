The pages on plans, prices, spot, commitments and serving show real output: their commands are run in their order.

$ . "$cases/transcript.sh"; transcript "$cases/../../docs/plan.md"; grep -c '^[$] stint' expected.txt
| 10
$ . "$cases/transcript.sh"; transcript "$cases/../../docs/prices.md"; grep -c '^[$] stint' expected.txt
| 1
$ . "$cases/transcript.sh"; transcript "$cases/../../docs/library.md"; grep -c '^[$] stint' expected.txt
| 1
$ . "$cases/transcript.sh"; transcript "$cases/../../docs/storage.md"; grep -c '^[$] stint' expected.txt
| 1
$ . "$cases/transcript.sh"; transcript "$cases/../../docs/spot.md"; grep -c '^[$] stint' expected.txt
| 2
$ . "$cases/transcript.sh"; transcript "$cases/../../docs/commitments.md"; grep -c '^[$] stint' expected.txt
| 1
$ . "$cases/transcript.sh"; transcript "$cases/../../docs/tco.md"; grep -c '^[$] stint' expected.txt
| 3
$ . "$cases/transcript.sh"; transcript "$cases/../../docs/roi.md"; grep -c '^[$] stint' expected.txt
| 2
$ . "$cases/transcript.sh"; transcript "$cases/../../docs/trackers.md"; grep -c '^[$] stint' expected.txt
| 2
$ . "$cases/transcript.sh"; transcript "$cases/../../docs/infer.md"; grep -c '^[$] stint' expected.txt
| 2
$ . "$cases/transcript.sh"; transcript "$cases/../../docs/serve.md"; grep -c '^[$] stint' expected.txt
| 1
