First steps: the transcripts of docs/start.md, with a home of their own.

$ . "$cases/transcript.sh"; transcript "$cases/../../docs/start.md"; grep -c '^[$] stint' expected.txt
| 2
