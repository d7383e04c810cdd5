A server measured. Times differ from run to run, so they are masked; counts and words do not.
needs: python3

$ start_mock first=5 gap=1
$ printf '%s\n' 's/[0-9.,]+ (ns|us|ms|s|min)([^a-z]|$)/T\2/g' 's/ +T/ T/g' 's/T( T)+.*$/T.../' 's/[0-9.,]+ (requests|output|input)/N \1/g' 's/[<0-9.]+ %/N %/' 's/[0-9a-f]{8}-[0-9a-f-]{27}/ID/' 's/127\.0\.0\.1:[0-9]+/SERVER/g' >figures.sed
$ stint bench $SERVER --users 2 --requests 50 --warmup 0s --output 8 >out 2>err; grep -v '^INVALID' out | sed -E -f figures.sed | grep -v '^client'
| endpoint        http://SERVER/v1/chat/completions (mock-7b)
| load            2 users, T measured after T of warm-up (end: requests)
| requests        50 answered; on average 11 tokens in, 8 out
| 
| latency                mean      p50      p90      p95      p99    p99.9  p99, N % interval
| first token T...
| per token T...
| gap between pieces T...
| longest gap T...
| complete answer T...
| 
| throughput      N requests/s, N output tokens/s, N input tokens/s
| energy          unknown: no GPU of this machine was seen at work
| recorded as     ID
$ stint runs --json | tr ',' '\n' | grep -E '"(name|command|state)"' | mask
| "name":"mock-7b"
| "state":"done"
| "command":"stint bench http://SERVER --users 2"
$ stint show last | grep -E '^(tags|environment)' | sed -E 's/=[0-9.e-]+/=N/g' | mask
| tags            activity=bench
| environment     endpoint=http://SERVER/v1/chat/completions

Rates one after the other, with a target, and a picture.
$ stint bench $SERVER --rate 50/s,100/s --arrivals even --requests 20 --warmup 0s --output 4 --slo total=20s --svg curve.svg --no-record --json 2>/dev/null >out.json; tr ',' '\n' <out.json | grep -E '"(requests_per_s|answered|failed|target|svg|run)"|"good"'; grep -c '<svg' curve.svg
| "requests_per_s":50
| "answered":20
| "failed":0
| "good":{"value":1
| "requests_per_s":100
| "answered":20
| "failed":0
| "good":{"value":1
| "target":"total 20s for 99 % of requests"
| "run":null
| "svg":"curve.svg"
| 1
$ stint bench $SERVER --rate 30/s --arrivals even --requests 5 --warmup 0s --output 4 --no-record --csv requests.csv >out 2>&1; cut -d, -f1-4,10-14 requests.csv
| number,measured,outcome,status,asked_input,asked_output,input,output,pieces
| 0,yes,answered,200,512,4,11,4,4
| 1,yes,answered,200,512,4,11,4,4
| 2,yes,answered,200,512,4,11,4,4
| 3,yes,answered,200,512,4,11,4,4
| 4,yes,answered,200,512,4,11,4,4

Dialects: the address says which, or --api.
$ for path in v1/completions generate_stream completion api/generate generate v2/models/ensemble/generate_stream; do stint bench $SERVER/$path --model m --users 1 --requests 3 --warmup 0s --output 5 --no-record --json 2>/dev/null | tr ',' '\n' | grep -E '"(api|answered|mean_output|tokens_counted)"' | tr '\n' ' '; echo; done
| "api":"completions" "answered":3 "mean_output":5 "tokens_counted":true 
| "api":"tgi" "answered":3 "mean_output":5 "tokens_counted":true 
| "api":"llamacpp" "answered":3 "mean_output":5 "tokens_counted":true 
| "api":"ollama" "answered":3 "mean_output":5 "tokens_counted":true 
| "api":"sglang" "answered":3 "mean_output":5 "tokens_counted":true 
| "api":"triton" "answered":3 "mean_output":5 "tokens_counted":false 

Functions and commands, by batch size.
$ printf 'calls = []\ndef predict(n):\n    calls.append(n)\n    print("noise")\n' >model.py
$ stint bench --python model:predict --batch 1,4 --max-time 2s --price 1usd/hr --no-record 2>/dev/null | awk 'NR < 4 || $1 + 0 > 0 { print $1 } NR == 4 { print "..." }'
| measured
| 
| batch
| 1
| ...
| 4
$ stint bench --command 'test {} -gt 0' --batch 1,2 --max-time 2s --no-record --json | tr ',' '\n' | grep -E '"batch"'
| "batches":[{"batch":1
| {"batch":2
$ stint bench --command 'exit {}' --batch 3 --no-record
! stint: 'exit {}' failed with a batch of 3 (status 3)
? 1
$ stint bench --python model:nothing --batch 1 --no-record 2>&1 | tail -2
| stint: 'model:nothing' failed with a batch of 1 (status 1)
|   hint: what Python printed is above; the function is MODULE:NAME, called with the size of the batch

What was measured of a run's model is in the run's report: as --run says, or by its name.
$ stint run --name trained --price '$1/hr' -- true 2>/dev/null; printf 'import time\ndef predict(n):\n    time.sleep(0.001 * n)\n' >slow.py
$ stint bench --python slow:predict --batch 1,4 --max-time 2s --price '$3.6/hr' --run trained >/dev/null; stint report trained >/dev/null 2>&1
$ printf '%s\n' 'import json' 'd = json.load(open("cost_analysis/cost_analysis.json"))["cost_breakdown"]["inference"]' 'print(d["method"].split(" on ")[0], d["unknown"])' 'close = lambda a, b: abs(a / b - 1) < 1e-6' 'for row in [d] + d["batches"]:' '    ms, per_s = row["avg_time_ms"], row["throughput_samples_per_sec"]' '    print(row.get("batch"), ms >= row.get("batch", 1), close(per_s, row.get("batch", 1) * 1000 / ms), close(row["cost_per_1k_usd"], 1 / per_s), close(row["cost_per_1m_usd"], 1000 / per_s))' >inference.py; python3 inference.py
| measured by stint bench []
| None True True True True
| 1 True True True True
| 4 True True True True
$ stint run --name mock-7b -- true 2>/dev/null; id=$(stint show mock-7b --json | tr ',' '\n' | sed -n 's/.*"id":"\([^"]*\)".*/\1/p' | head -1); stint bench $SERVER --users 2 --requests 20 --warmup 0s --output 4 --price '$3.6/hr' >/dev/null 2>&1; stint report $id >/dev/null 2>&1
$ printf '%s\n' 'd = json.load(open("cost_analysis/cost_analysis.json"))["cost_breakdown"]["inference"]' 'print(d["method"].split(" on ")[0], d.get("batches"), close(d["cost_per_1m_usd"], 1000 / d["throughput_samples_per_sec"]))' >more.py; sed -n '1p;/^close/p' inference.py | cat - more.py | python3 -
| measured by stint bench [] True
$ stint bench $SERVER --run none-such --users 1
! stint: there is no run 'none-such'
!   hint: 'stint runs' lists them; 'last' is the newest
? 4
$ stint bench $SERVER --run trained --no-record --users 1
! stint: --run is for the ledger: leave --no-record out
? 2

A result as a row of the tables of truth, for others. What the client delayed has the quality C.
$ for i in 1 2; do stint bench $SERVER --users 2 --requests 20 --warmup 0s --output 8 --on H100x2 --weights fp8 --known-as llama-3.1-8b --share-row rows.csv --no-record >/dev/null 2>&1; done; sed -E 's/bench-[0-9]+/bench-T/; s/@[0-9-]+/@DAY/; s/(,11,8),[^,]*,output,[^,]*,[^,]*,/\1,T,output,T,T,/; s/[AC]$/Q/' rows.csv
| id,source,model,params_b,active_params_b,gpu,gpu_count,precision,batch,concurrency,input_len,output_len,tokens_per_s,throughput_kind,ttft_ms,itl_ms,mem_gb,tensor_parallel,pipeline_parallel,framework,quality
| bench-T-1,stint bench@DAY,llama-3.1-8b,,,H100-SXM-80GB,2,fp8,,2,11,8,T,output,T,T,,,,vllm,Q
| bench-T-1,stint bench@DAY,llama-3.1-8b,,,H100-SXM-80GB,2,fp8,,2,11,8,T,output,T,T,,,,vllm,Q
$ sed -i 's/C$/A/' rows.csv; stint validate inference rows.csv --per-row each.csv | awk '/^inference/ { print $1, $2, $3 }'; cut -d, -f2,3 each.csv | sort | uniq -c | awk '{ print $1, $2 }'
| inference 2 4
| 2 decode,ms
| 1 metric,unit
| 2 prefill,ms
| 2 throughput,tokens/s
$ stint bench $SERVER --users 1 --share-row rows.csv --no-record
! stint: --share-row: the row needs to say which GPU serves
!   hint: add --on H100 or --offer OFFER
? 2
$ stint bench $SERVER --users 1 --on H100-SXM-80GB --weights few --no-record
! stint: --weights: 'few' is no precision
!   hint: write fp16, fp8, int8 or int4
? 2
$ stint bench $SERVER --users 1 --engine steam --no-record
! stint: --engine: 'steam' is not known
!   hint: write vllm, sglang, tensorrt-llm or llama.cpp
? 2
$ echo a,b >other.csv; stint bench $SERVER --users 1 --requests 2 --warmup 0s --on H100-SXM-80GB --weights fp8 --known-as m --share-row other.csv --no-record 2>&1 >/dev/null | grep -v invalid; cat other.csv
| stint: warning: 'other.csv' has other columns than rows of serving
| a,b

A server that is started, and stopped at the end.
$ printf 'import http.server, sys\nclass H(http.server.BaseHTTPRequestHandler):\n    def do_GET(self):\n        self.reply(b"{\\"data\\":[{\\"id\\":\\"own\\"}]}")\n    def do_POST(self):\n        self.rfile.read(int(self.headers["Content-Length"]))\n        self.reply(b"{\\"choices\\":[{\\"message\\":{\\"content\\":\\"hi\\"},\\"finish_reason\\":\\"stop\\"}],\\"usage\\":{\\"prompt_tokens\\":9,\\"completion_tokens\\":2}}")\n    def reply(self, body):\n        self.send_response(200)\n        self.send_header("Content-Length", str(len(body)))\n        self.end_headers()\n        self.wfile.write(body)\n    def log_message(self, *a):\n        pass\nhttp.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), H).serve_forever()\n' >own.py; python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])' >port
$ stint bench 127.0.0.1:$(cat port) --start "exec python3 own.py $(cat port)" --users 1 --requests 4 --warmup 0s --no-record 2>/dev/null | grep -E '^(endpoint|requests|not streamed)' | mask; stint bench 127.0.0.1:$(cat port) --no-record --users 1 2>&1 | head -1 | sed "s/port $(cat port)/port PORT/; s/:$(cat port)/:PORT/; s/after [0-9]* ms/after N ms/"
| endpoint        http://SERVER/v1/chat/completions (own)
| requests        4 answered; on average 9 tokens in, 2 out
| not streamed    4 answers came in one piece: their tokens have no times of their own
| stint: cannot ask the server for its model: http://127.0.0.1:PORT/v1/models: no connection: Failed to connect to 127.0.0.1 port PORT after N ms: Couldn't connect to server
$ stint bench 127.0.0.1:$(cat port) --start 'echo no such model; exit 3' --users 1 --no-record 2>&1 | sed "s/:$(cat port)/:PORT/"
| stint: the server ended (status 3) before it answered at http://127.0.0.1:PORT
|   hint: its last line: no such model

What does not work is said in a line.
$ stint bench
! stint: what is to be measured is missing
!   hint: stint bench http://127.0.0.1:8000 --rate 5/s
? 2
$ stint bench $SERVER $SERVER $SERVER
! stint: at most 2 endpoints are compared
? 2
$ stint bench $SERVER --rate 0/s
! stint: --rate: '0/s' is not a rate above 0, up to 1e6/s
!   hint: write 5/s, 300/min, or 1/s..20/s for a ramp
? 2
$ stint bench $SERVER --rate 5/s --users 3
! stint: --rate, --users, --trace and --find-rate exclude each other
? 2
$ stint bench $SERVER --find-rate
! stint: --find-rate needs a target
!   hint: add --slo first_token=500ms,token=50ms
? 2
$ stint bench $SERVER --slo p99=5ms
! stint: --slo: 'p99=5ms' is not a target
!   hint: write first_token=500ms, token=50ms (per token) or total=10s
? 2
$ stint bench $SERVER --input many
! stint: --input: 'many' is not a number of tokens from 1 to 1000000
!   hint: write 512, 256..1024, normal:512:128 (mean, deviation) or lognormal:512:0.8 (median, deviation of the logarithm)
? 2
$ stint bench $SERVER --arrivals burst
! stint: --arrivals: 'burst' is not a pattern of arrivals
!   hint: write poisson, even, or gamma:SHAPE with a shape from 0.01: below 1 requests come in bursts
? 2
$ stint bench $SERVER --budget 1usd
! stint: --budget needs the price of the machine
!   hint: add --offer OFFER or --price 2.49usd/hr
? 2
$ stint bench $SERVER/other 2>&1 | mask
| stint: note: 16 users, who send when they are answered; --rate 5/s sends at a rate, as users who do not wait for each other do
| stint: 'http://SERVER/other' has a path that no known server has
|   hint: give the server's address alone, or say what it is with --api
$ stint bench $SERVER --trace none.csv
! stint: cannot open 'none.csv': No such file or directory
? 4
$ stint bench 'http://me:secret@127.0.0.1/'
! stint: note: 16 users, who send when they are answered; --rate 5/s sends at a rate, as users who do not wait for each other do
! stint: the endpoint: an address needs a host name, and at most a port
? 3
$ stint bench --python model
! stint: --python: 'model' names no function of a module
!   hint: write MODULE:FUNCTION, as in --python serve:predict
? 2
$ stint bench $SERVER --python model:predict
! stint: give a URL, --start, --python or --command: one of them
!   hint: stint bench http://127.0.0.1:8000 --rate 5/s
? 2
