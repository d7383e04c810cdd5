A server is kept busy: as many requests at a time as make most for the money, or as are asked for. A batch is run at once.
$ stint estimate llama-3.1-8b --serve --on H100 2>/dev/null | grep -E '^with|^TIME|^first|^decode|^request|million|at a time|concurrency'
| with            fp16, vllm
| TIME            5,210 tokens/s with a batch of 256
| first token     108 ms (85 to 145)
| decode step     48.5 ms (42.2 to 57.4)
| request         6.33 s (5.50 to 7.49)
| COST            $0.105 ($0.0822 to $0.138) for a million output tokens, input
| note: kept busy by 256 requests at a time, which makes most for the money; --set
|       concurrency=N sets another number
$ stint estimate llama-3.1-8b --serve --on H100 --set concurrency=64 2>/dev/null | grep -E '^with|^TIME|^first|^decode|^request|million|at a time|concurrency'
| with            fp16, vllm
| TIME            3,760 tokens/s with a batch of 64
| first token     52.3 ms (40.9 to 70.1)
| decode step     16.7 ms (14.5 to 19.8)
| request         2.19 s (1.90 to 2.59)
| COST            $0.146 ($0.114 to $0.191) for a million output tokens, input
$ stint estimate llama-3.1-8b --serve --on H100 --batch 64 2>/dev/null | grep -E '^with|^TIME|^first|^decode|^request|million|at a time|concurrency'
| with            fp16, vllm
| TIME            3,190 tokens/s with a batch of 64
| first token     772 ms (605 to 1036)
| decode step     14.1 ms (12.3 to 16.7)
| request         2.57 s (2.23 to 3.04)
| COST            $0.172 ($0.134 to $0.225) for a million output tokens, input
$ stint estimate llama-3.1-8b --serve --on L4 --set concurrency=1000 2>/dev/null | grep -E '^MEMORY|^TIME|wait'
| MEMORY          fits: 21.5 GB of 23.9 GB usable
| TIME            225 tokens/s with a batch of 1000
| note: 8 of 1000 requests fit at a time; the others wait
$ stint estimate llama-3.1-8b --serve --on H100-SXM-80GB --set concurrency=8 --batch 4
! stint: batch and concurrency contradict each other
!   hint: batch: requests that start and end together; concurrency: requests in flight at a server; give one of them
? 3
$ stint estimate llama-3.1-8b --serve --on H100 --set concurrency=0
! stint: concurrency: '0' is not 1 or more
? 3

TensorRT-LLM with fp8: the cache is fp8, too, so that more requests fit.
$ stint estimate llama-3.1-8b --serve --on H100 --set weights=fp8 --set framework=trtllm --set input=1000 --set output=1000 2>/dev/null | grep -E '^with|cache|^TIME|^holds|million'
| with            fp8, tensorrt-llm
|   cache              33.6 GB   44 %  ##################
| TIME            12,600 tokens/s with a batch of 256
| holds           a batch of 492, or one sequence of 131,072 tokens
| COST            $0.0438 ($0.0327 to $0.0604) for a million output tokens, input
$ stint estimate llama-3.1-8b --serve --on H100 --set weights=fp8 --set framework=trtllm --set input=1000 --set output=1000 --set kv=fp16 2>/dev/null | grep -E '^with|cache|^TIME|^holds|million'
| with            fp8, tensorrt-llm
|   cache              33.6 GB   44 %  ##################
| TIME            7,710 tokens/s with a batch of 128
| holds           a batch of 246, or one sequence of 131,072 tokens
| COST            $0.0713 ($0.0533 to $0.0984) for a million output tokens, input

Measured rows of serving: with what is known of the setting, and as a user asks who gives what the row says.
$ printf 'id,source,model,gpu,gpu_count,precision,framework,concurrency,input_len,output_len,tokens_per_s,throughput_kind,quality\n' >served.csv
$ printf 'a,mine,llama-3.1-8b,H100,1,bf16,vllm,64,500,400,3500,output,A\nb,mine,llama-3.1-8b,H100,2,bf16,vllm,64,500,400,6000,output,A\n' >>served.csv
$ stint validate inference served.csv | sed -n '/^as asked/,/^$/p'
| as asked    rows  scored  median error  90th pct.  pred/meas  in range
| throughput     2       2        17.1 %     27.3 %      1.171      50 %
| 
A model that is published in 4 bits for cards of 16 GB fits one: where a server's own memory leaves no room, by llama.cpp; a batch fits with a chance of 80 %.
$ for gpu in T4 RTX4080 L4; do stint estimate gpt-oss-20b --serve --on $gpu 2>/dev/null | grep '^with\|^MEMORY\|^note: served'; done
| with            mxfp4, llama.cpp
| MEMORY          fits (chance 84 %): 15.5 GB (15.3 to 16.0) of 15.9 GB usable
| note: served by llama.cpp: beside the model there is no room for vllm
| with            mxfp4, llama.cpp
| MEMORY          fits (chance 83 %): 16.6 GB (16.3 to 17.1) of 17.0 GB usable
| note: served by llama.cpp: beside the model there is no room for vllm
| with            mxfp4, vllm
| MEMORY          fits: 21.5 GB of 23.9 GB usable
| note: served by vllm
$ stint plan gpt-oss-20b --serve --rate 1/min 2>/dev/null | grep '^   GPU machine'
|    GPU machine             $108   $89.2 to $131  1.86 s        above 1.05/s  hyperstack/*/n3-RTX-A4000x1         81 d  mxfp4, llama.cpp, 1x RTXA4000
$ stint estimate gpt-oss-20b --serve --on RTX3060
! stint: warning: most prices of RTX3060 are too old: this one is 384 days old, 80 % range $0.1216/hr to $0.3628/hr; 'stint price fetch skypilot' updates prices
! stint: gpt-oss-20b needs 16.6 GB on each RTX3060, which has 12.8 GB
!   hint: try --on RTX3060x2, or --set weights=int4; 'stint gpu fit gpt-oss-20b' shows what holds it
? 6
