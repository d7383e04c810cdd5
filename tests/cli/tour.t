docs/tour.md shows real output: its commands are run in its order, on the files in examples/.

$ ln -s "$cases/../../examples" examples
$ . "$cases/transcript.sh"; transcript "$cases/../../docs/tour.md"; grep -c '^[$] stint' expected.txt
| 9
