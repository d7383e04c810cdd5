First steps: the transcripts of docs/guide/start.md, with a home of their own.

$ . "$cases/transcript.sh"; transcript "$cases/../../docs/guide/start.md"; grep -c '^[$] stint' expected.txt
| 2
