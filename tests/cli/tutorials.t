The tutorials: each in a folder and a home of its own, with nothing but the program.

$ for name in lora student deepspeed finops; do mkdir -p $name/home; (cd $name; . "$cases/transcript.sh"; transcript "$cases/../../docs/guide/tutorials/$name.md"; echo "$name: $(grep -c '^[$] ' expected.txt) commands"); done
| lora: 15 commands
| student: 11 commands
| deepspeed: 13 commands
| finops: 18 commands
They match on every day: here, on one of the next summer, and on the day of the machine's clock.
$ for name in lora student deepspeed finops; do mkdir -p summer/$name/home; (cd summer/$name; export STINT_NOW=2027-07-07; . "$cases/transcript.sh"; transcript "$cases/../../docs/guide/tutorials/$name.md"); done
$ for name in lora finops; do mkdir -p today/$name/home; (cd today/$name; unset STINT_NOW; . "$cases/transcript.sh"; transcript "$cases/../../docs/guide/tutorials/$name.md"); done
