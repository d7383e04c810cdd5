The tutorials: each in a folder and a home of its own.

$ for name in lora student deepspeed finops; do mkdir -p $name/home; ln -s "$cases/../../examples" $name/examples; (cd $name; . "$cases/transcript.sh"; transcript "$cases/../../docs/tutorials/$name.md"; echo "$name: $(grep -c '^[$] ' expected.txt) commands"); done
| lora: 12 commands
| student: 10 commands
| deepspeed: 11 commands
| finops: 18 commands
