$ stint --version | sed -n 1p
| stint 0.1.0
$ stint --version | cut -c1-10
| stint 0.1.
| compiler  
| machine   
| build     
| libraries 
| parts     

Completion and man pages come from the same table as the commands.

$ stint completion bash >c.bash; bash -c '. ./c.bash; _stint_words price; _stint_words "price list"; _stint_words "price list --sort"; _stint_words completion; _stint_words "price compare A100"; _stint_words "price list --gpu"; _stint_words plan; _stint_words "plan --market"; _stint_words "plan slots --aim"'
| list compare value spot regions history diff fetch import pack doctor
|  --gpu --provider --region --kind --any-form --min-memory --max-price --max-age --market --sort --limit --json --help --config --catalog --prices --ledger --log
| price per-gpu memory age name
| bash zsh fish
|  --hours --egress --provider --region --kind --any-form --min-memory --max-price --max-age --max-machines --separate --supply --limit --all --json --help --config --catalog --prices --ledger --log
| 
| slots recheck --budget --deadline --market --aim --value-of-time --confidence --provider --region --gpu --max-gpus --min-gpus --max-risk --min-reliability --max-carbon-kg --max-age --within --platform --owned --supply --explain --limit --set --deepspeed --fetch-model --serve --rate --p95 --objective --method --lora --qlora --tokens --examples --epochs --sequence --batch --precision --data --data-at --session --parallel --queue --save --csv --svg --write-config --base --output --force --json --help --config --catalog --prices --ledger --log
| on-demand spot reserved any
| cost carbon
$ { stint help --all | sed -n 's/^  \([a-z][a-z-]*\).*/\1/p' | uniq; echo --help; echo --version; } >words.txt; [ "$(wc -l <words.txt)" -gt 35 ] || cat words.txt
$ bash -c '. ./c.bash; _stint_words ""' | tr ' ' '\n' | diff words.txt -
$ bash -c '. ./c.bash; _stint_words help' | tr ' ' '\n' | diff words.txt -
| 0a1
| > --all
? 1
$ stint man price | grep -A 1 '^\.Pp$'
| .Pp
| Keys are read from the default locations of the providers' own tools, never from the command line: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY or ~/.aws/credentials (for spot prices; on\-demand prices need none), GOOGLE_API_KEY or GOOGLE_OAUTH_ACCESS_TOKEN, LAMBDA_API_KEY or ~/.lambda_cloud/lambda_keys, RUNPOD_API_KEY or ~/.runpod/config.toml, VAST_API_KEY or ~/.config/vastai/vast_api_key.
| --
| .Pp
| STINT_URL_AWS_PRICES, STINT_URL_AWS_EC2, STINT_URL_AZURE, STINT_URL_GCP, STINT_URL_LAMBDA, STINT_URL_RUNPOD, STINT_URL_VAST and STINT_URL_SKYPILOT set other addresses, such as mirrors.
| --
| .Pp
| A CSV with provider and discount (and region, instance, market, price_h, currency, from, until, date, source) or with currency, usd, date and source is no price list: it is checked and written to your catalog folder as discounts.csv or exchange.csv, replacing existing rows.
| .Pp
| A price pack ('stint price pack') is imported when its checksum and signature are right and its key is trusted: \-\-trust, or the setting trusted_keys.
| --
| .Pp
| Create a key once, where prices are packed.
$ for p in '' init price gpu plan estimate validate region catalog config job; do stint man $p; done | grep -c '^$'
| 0
? 1
