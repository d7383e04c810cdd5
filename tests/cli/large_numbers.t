Large numbers are written out, never with an exponent.

$ stint runs add --name sft --offer aws/us-east-1/p4d.24xlarge --start 2026-10-20 --end 2026-11-13 --tag team=nlp >/dev/null 2>&1
$ stint advise sft | grep 'seen'
|     seen      1 run, 4,610 GPU-hours of A100-SXM-40GB at
|     seen      1 run, 4,610 GPU-hours of A100-SXM-40GB on demand; spot is
$ stint advise | grep -E '[0-9]e\+[0-9]'
? 1
$ stint spot interval --checkpoint 5min --mtbf 4h --work 20000h | grep '^job'
| job             20,000 h of work take 25,300 h of machine
$ stint estimate bert-base --on H100 --set train.epochs=1000 --examples 1k 2>/dev/null | grep '^training'
| training        24.0 min (20.1 to 30.0): 1,954 steps, 512 M tokens, 1,000 epochs
$ stint plan llama-3.1-8b --tokens 999.9M --gpu H100 --method lora 2>/dev/null | head -1
| train llama-3.1-8b, lora, 1 B tokens
$ stint plan llama-3.1-8b --serve --rate 12000/s 2>/dev/null | head -1
| serve llama-3.1-8b, 12,000 requests/s for a month of 30 days
$ stint estimate 6e12 --on H100
! stint: a model of 6 trillion parameters is outside 1M to 5T
? 3
An option of any length is refused with a sentence:
$ stint infer llama-3.1-8b --rate 2/s --input "$(printf '%05000d' 0)x" 2>&1 | cut -c 1-60
| stint: input: '000000000000000000000000000000000000000000000
|   hint: write it as 250000, 25M (million), 7B or 1.5T
