docs/guide/tour.md shows real output: its commands are run in its order, with nothing but the program.

$ . "$cases/transcript.sh"; transcript "$cases/../../docs/guide/tour.md"; grep -c '^[$] stint' expected.txt
| 10
