Models that the catalog does not have: from a folder, from the cache of the Hugging Face Hub, or from the Hub.
$ start_server hub
$ mkdir -p out/mine hf/hub/models--acme--my-3b/refs hf/hub/models--acme--my-3b/snapshots/abc
$ printf '{"model_type": "llama", "hidden_size": 2048, "num_hidden_layers": 16, "num_attention_heads": 32, "vocab_size": 32000, "intermediate_size": 5632}' | tee out/mine/config.json >hf/hub/models--acme--my-3b/snapshots/abc/config.json
$ printf abc >hf/hub/models--acme--my-3b/refs/main
$ stint estimate out/mine --lora --tokens 1M --on T4 2>/dev/null | grep '^train '
| train           out/mine: 953 M parameters, lora trains 10.1 M
$ HF_HOME=$PWD/hf stint estimate acme/my-3b --lora --tokens 1M --on T4 2>&1 | grep -E '^train |described' | sed "s#$PWD#.#"
| stint: note: 'acme/my-3b' is described by './hf/hub/models--acme--my-3b/snapshots/abc/config.json'
| train           acme/my-3b: 953 M parameters, lora trains 10.1 M
$ HF_HOME=$PWD/hf stint gpu fit acme/my-3b 2>/dev/null | head -1
| acme/my-3b: 953 M parameters, a batch of 1 x 2048 tokens
$ printf 'base_model: acme/my-3b\nadapter: lora\nnum_epochs: 1\nsequence_len: 1024\n' >a.yml; HF_HOME=$PWD/hf stint plan a.yml --tokens 1M 2>/dev/null | head -1
| train acme/my-3b, lora, 1 M tokens

Nothing is fetched without being asked to; what was fetched is kept.
$ HF_ENDPOINT=$SERVER stint estimate acme/my-1b --lora --tokens 1M --on T4
! stint: there is no model 'acme/my-1b'
!   hint: --fetch-model asks the Hugging Face Hub for its config.json; or give params: 7B
? 4
$ HF_ENDPOINT=$SERVER stint estimate acme/my-1b --lora --tokens 1M --on T4 --fetch-model 2>&1 | grep -E '^train |fetched' | sed "s#'[^' ]*/hub/#'HUB/#"
| stint: note: fetched the configuration of 'acme/my-1b'; kept as 'HUB/models--acme--my-1b/config.json'
| train           acme/my-1b: 953 M parameters, lora trains 10.1 M
$ HF_ENDPOINT=http://127.0.0.1:1 stint estimate acme/my-1b --lora --tokens 1M --on T4 2>&1 | grep '^train '
| train           acme/my-1b: 953 M parameters, lora trains 10.1 M
$ grep -c 'GET /acme/my-1b' server.log
| 1

A token is sent if there is one, and never shown.
$ HF_ENDPOINT=$SERVER stint estimate acme/gated-1b --tokens 1M --on T4 --fetch-model
! stint: the Hub shows no model 'acme/gated-1b'
!   hint: is the name right? of private and gated models: set HF_TOKEN, or 'hf auth login'
? 4
$ HF_ENDPOINT=$SERVER HF_TOKEN=hf_secret STINT_LOG=debug stint estimate acme/gated-1b --tokens 1M --on T4 --fetch-model 2>log | grep '^train '; grep -c hf_secret log
| train           acme/gated-1b: 953 M parameters, full
| 0
? 1
$ HF_ENDPOINT=$SERVER stint estimate acme/none --tokens 1M --on T4 --fetch-model
! stint: the Hub shows no model 'acme/none'
!   hint: is the name right? of private and gated models: set HF_TOKEN, or 'hf auth login'
? 4
$ HF_ENDPOINT=$SERVER stint estimate acme/web --tokens 1M --on T4 --fetch-model 2>&1 | mask
| stint: http://SERVER/acme/web/resolve/main/config.json:1:1: expected a value
|   hint: is HF_ENDPOINT, or a proxy, right?
