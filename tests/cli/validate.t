Measured rows, with columns in any order.

$ printf 'gpu,id,source,model,set,quality,precision,micro_batch,seq_len,gpu_count,method,framework,tokens_per_s_per_gpu,color\n' >m.csv
$ printf 'H200-SXM-141GB,a,mine@1,llama2-7b,dense,A,bf16-true,2,2048,1,pretrain,pytorch-eager,11625.9,red\n' >>m.csv
$ printf 'H200,b,mine@2,gpt2,dense,A,amp_bf16,8,1024,1,pretrain,pytorch-eager,292773.9,\n' >>m.csv
$ printf 'A100-SXM-80GB,c,yours,llama3.2-3b,dense,B,bf16,2,4096,1,full-ft,torchtune,8998,\n' >>m.csv
$ printf 'H9000,d,yours,gpt2,dense,A,bf16,8,1024,1,pretrain,pytorch-eager,100,\n' >>m.csv
$ printf 'H200,e,yours,gpt2,dense,C,bf16,8,1024,1,pretrain,pytorch-eager,100,\n' >>m.csv
$ printf 'H200,f,yours,gtp5,dense,A,bf16,8,1024,1,pretrain,pytorch-eager,100,\n' >>m.csv
$ stint validate training m.csv
| kind      rows  scored  median error  90th pct.  pred/meas  in range
| training     6       3         4.7 %      6.2 %      1.047     100 %
| 
| source  rows  scored  median error  90th pct.  pred/meas  in range
| mine       2       2         5.7 %      6.4 %      1.057     100 %
| yours      4       1         3.9 %      3.9 %      0.961     100 %
| 
| GPU             rows  scored  median error  90th pct.  pred/meas  in range
| A100-SXM-80GB      1       1         3.9 %      3.9 %      0.961     100 %
| H200               3       1         4.7 %      4.7 %      1.047     100 %
| H200-SXM-141GB     1       1         6.6 %      6.6 %      1.066     100 %
| H9000              1       0             -          -          -         -
| 
| not scored:
|        1  the GPU is not in the catalog
|        1  quality C
|        1  the model is not in the catalog and the row has no shapes
| 
| 100 % lie in their range
| median range: the upper end is 1.20 times the lower; Kolmogorov-Smirnov distance of the quantiles 0.314
| error is |predicted/measured - 1|; the range is the 10th to 90th percentile that goes with each prediction
$ stint validate training m.csv --leave-one-source-out --json | cut -c1-200
| {"schema":"stint.validate/1","kind":"training","rows":6,"scored":3,"median_ape":0.05870955468611583,"p90_ape":0.08123169748788502,"median_ratio":1.0587095546861158,"inside_range":1,"by_source":[{"name
$ stint validate training m.csv --per-row out.csv --json >all.json; cut -d, -f1-3,9 out.csv
| id,metric,unit,reason
| a,training,tokens/s per GPU,
| b,training,tokens/s per GPU,
| c,training,tokens/s per GPU,
| d,training,tokens/s per GPU,the GPU is not in the catalog
| e,training,tokens/s per GPU,quality C
| f,training,tokens/s per GPU,the model is not in the catalog and the row has no shapes
$ stint validate training m.csv --fit --save new.csv | head -3
| constant            before  fitted
| gemm_ampere         0.7563  0.7586
| gemm_hopper         0.7038  0.7033
$ head -2 new.csv | cut -d, -f1,3-5
| name,unit,prior,spread
| attention_ampere,share of bf16 peak,0.62,0.12
$ stint estimate gpt2 --on H100 --catalog . 2>&1 | head -1
| stint: ./new.csv: the catalog has no such table
$ mkdir facts; mv new.csv facts/constants.csv; stint estimate gpt2 --on H100 --catalog facts 2>&1 | head -2
| stint: note: 'H100' means H100-SXM-80GB, the SXM form with the most memory
| stint: warning: the price is 85 days old, 80 % range $1.61/hr to $2.43/hr; 'stint price fetch skypilot' updates prices
Learning from three rows of a source: what it does to the others.

$ head -1 m.csv >l.csv; for i in 1 2 3 4 5 6 7 8 9 10; do printf 'H200,%d,mine,gpt2,dense,A,amp_bf16,8,1024,1,pretrain,pytorch-eager,%d,\n' $i $((250000 + 100 * i)); done >>l.csv
$ stint validate training l.csv --calibrate 3
| source  rows  median error  after learning  points
| mine      10        22.4 %           0.6 %   -21.8
| 
| median of the sources: 22 % before, 0.6 % after; largest change -21.8 points
| learned from 3 rows of each source of 10 or more, scored on the others: means over 200 random choices
$ stint validate training m.csv --calibrate 3
| no source has 10 rows to learn from and to score
$ stint validate training l.csv --calibrate 3 --json | sed -E 's/.*"learning"/"learning"/; s/([0-9][.][0-9]{6})[0-9]+/\1/g'
| "learning":{"learned_from":3,"sources":[{"name":"mine","rows":10,"before":0.223510,"after":0.005747,"change":-0.217763}],"before":0.223510,"after":0.005747,"worst":-0.217763},"prices":{"newest":null,"oldest":null,"newest_days":null,"stale":null,"future":null,"total":null}}
$ stint validate inference l.csv --calibrate 3
! stint: --calibrate is for training and memory
!   hint: corrections are learned from training runs only
? 2
$ stint validate training l.csv --calibrate 100000
! stint: --calibrate: 100000 rows are too many (1000 at most)
? 2
$ stint validate training l.csv --calibrate 0
! stint: --calibrate: '0' is not 1 or more
? 2

Was the GPU that is predicted to be cheapest the cheapest? Serving and training in one question.

$ printf 'id,source,model,gpu,gpu_count,seq_len,micro_batch,precision,quality,set,framework,tokens_per_s_per_gpu\n' >t.csv
$ printf 'a,s,gpt2,H100-SXM-80GB,1,1024,8,bf16,A,dense,pytorch-eager,180000\n' >>t.csv
$ printf 'b,s,gpt2,A100-SXM-80GB,1,1024,8,bf16,A,dense,pytorch-eager,120000\n' >>t.csv
$ printf 'c,s,gpt2,L4,1,1024,8,bf16,A,dense,pytorch-eager,20000\n' >>t.csv
$ printf 'd,s,gpt2,MI250,1,1024,8,bf16,A,dense,pytorch-eager,60000\n' >>t.csv
$ printf 'id,source,model,gpu,gpu_count,precision,batch,input_len,output_len,tokens_per_s,throughput_kind,framework,quality\n' >i.csv
$ printf 'e,s,llama-2-7b,H100-SXM-80GB,1,fp16,1,128,128,150,output,vllm,A\n' >>i.csv
$ printf 'f,s,llama-2-7b,A100-SXM-80GB,1,fp16,1,128,128,90,output,vllm,A\n' >>i.csv
$ stint validate choice t.csv i.csv --per-row cases.csv
| 6 rows, 1 case: the same work on the same number of GPUs, of three kinds or more
| 
| GPU picked by           cases  within 1.05x  by model  mean over best  worst
| predicted cost              1       100.0 %   100.0 %           0.0 %    0 %
| predicted, setting too      1       100.0 %   100.0 %           0.0 %    0 %
| predicted, own setting      1       100.0 %   100.0 %           0.0 %    0 %
| price per GPU-hour          1         0.0 %     0.0 %         241.9 %  242 %
| peak FLOP/s per dollar      1       100.0 %   100.0 %           0.0 %    0 %
| bandwidth per dollar        1       100.0 %   100.0 %           0.0 %    0 %
| 
| set    cases  predicted  setting too  own setting  price  peak/$  bandwidth/$
| dense      1      100 %        100 %        100 %    0 %   100 %        100 %
| all        1      100 %        100 %        100 %    0 %   100 %        100 %
| 
| the number of GPUs left open:
| GPU picked by           cases  within 1.05x  by model  mean over best  worst
| predicted cost              1       100.0 %   100.0 %           0.0 %    0 %
| predicted, setting too      1       100.0 %   100.0 %           0.0 %    0 %
| predicted, own setting      1       100.0 %   100.0 %           0.0 %    0 %
| price per GPU-hour          1         0.0 %     0.0 %         241.9 %  242 %
| peak FLOP/s per dollar      1       100.0 %   100.0 %           0.0 %    0 %
| bandwidth per dollar        1       100.0 %   100.0 %           0.0 %    0 %
| 
| not scored:
|        1  no offered machine has that many MI250
|        2  the work was measured on fewer than three kinds of GPU
| 
| the measured cost of the GPU picked, over that of the best: machines at the
| cheapest on-demand price, over work a second; 'by model' is the mean over
| models, each counted once, regardless of its sets and sources
| 669 prices, read between 2025-08-27 and 2026-11-09; the newest is 6 days old
! stint: warning: 645 of 669 prices are more than 30 days old (oldest: 2025-08-27); 'stint price doctor' shows what to run
$ cut -d, -f1-8,12,13,15- cases.csv
| case,set,model,work,gpus,gpu,id,unit,usd_per_hour,cost_over_best,picked_by
| 1,dense,gpt2,16-bit full of 1024 tokens,1,A100-SXM-80GB,b,tokens/s,0.93,1.0813953488372092,""
| 1,dense,gpt2,16-bit full of 1024 tokens,1,H100-SXM-80GB,a,tokens/s,1.29,1,"predicted cost; predicted, setting too; predicted, own setting; peak FLOP/s per dollar; bandwidth per dollar"
| 1,dense,gpt2,16-bit full of 1024 tokens,1,L4,c,tokens/s,0.49,3.4186046511627906,"price per GPU-hour"

A second source; and a row that names 16 GPUs but shares the model over 4 of them is no way to do the work with 4.

$ sed '1d; s/,s,/,other,/; s/,1024,/,2048,/' t.csv >2048.csv; sed 's/,2048,/,4096,/' 2048.csv >4096.csv; cat 2048.csv 4096.csv >>t.csv
$ sed '1s/$/,tensor_parallel/; 2,$s/$/,1/' i.csv >j.csv
$ printf 'g,s,mixtral-8x7b,H100-SXM-80GB,16,fp16,8,128,128,500,output,vllm,A,4\n' >>j.csv
$ stint validate choice t.csv j.csv 2>/dev/null
| 15 rows, 3 cases: the same work on the same number of GPUs, of three kinds or more
| 
| GPU picked by            cases  within 1.05x  by model  mean over best  worst
| predicted cost               3       100.0 %   100.0 %           0.0 %    0 %
| predicted, less largest      1       100.0 %   100.0 %           0.0 %    0 %
| predicted, setting too       3       100.0 %   100.0 %           0.0 %    0 %
| predicted, own setting       3       100.0 %   100.0 %           0.0 %    0 %
| price per GPU-hour           3         0.0 %     0.0 %         241.9 %  242 %
| peak FLOP/s per dollar       3       100.0 %   100.0 %           0.0 %    0 %
| bandwidth per dollar         3       100.0 %   100.0 %           0.0 %    0 %
| less largest: without the 2 cases of other
| 
| set           cases  predicted  setting too  own setting  price  peak/$  bandwidth/$
| dense             3      100 %        100 %        100 %    0 %   100 %        100 %
| less largest      1      100 %        100 %        100 %    0 %   100 %        100 %
| all               3      100 %        100 %        100 %    0 %   100 %        100 %
| 
| the number of GPUs left open:
| GPU picked by            cases  within 1.05x  by model  mean over best  worst
| predicted cost               3       100.0 %   100.0 %           0.0 %    0 %
| predicted, less largest      1       100.0 %   100.0 %           0.0 %    0 %
| predicted, setting too       3       100.0 %   100.0 %           0.0 %    0 %
| predicted, own setting       3       100.0 %   100.0 %           0.0 %    0 %
| price per GPU-hour           3         0.0 %     0.0 %         241.9 %  242 %
| peak FLOP/s per dollar       3       100.0 %   100.0 %           0.0 %    0 %
| bandwidth per dollar         3       100.0 %   100.0 %           0.0 %    0 %
| less largest: without the 2 cases of other
| 
| not scored:
|        3  no offered machine has that many MI250
|        1  the row names another number of GPUs than it is predicted for
|        2  the work was measured on fewer than three kinds of GPU
| 
| the measured cost of the GPU picked, over that of the best: machines at the
| cheapest on-demand price, over work a second; 'by model' is the mean over
| models, each counted once, regardless of its sets and sources
| 669 prices, read between 2025-08-27 and 2026-11-09; the newest is 6 days old
$ stint validate choice t.csv --fit
! stint: choices have no constants of their own to fit
!   hint: fit 'training' or 'inference', and validate with what --save wrote
? 2

Mistakes.

$ stint validate training
! stint: validate needs a FILE
!   hint: stint validate training measured.csv
? 2
$ printf 'source,model,set,tokens_b,gpu,gpu_count,gpu_hours\na,llama-7b,complete run,1000,A100,512,82432\na,llama-7b,throughput,1000,A100,512,70000\na,llama-7b,,,A100,,1000\n' >runs.csv
$ stint validate gpu-hours runs.csv
| kind       rows  scored  median error  90th pct.  pred/meas  in range
| gpu-hours     3       2        10.4 %     11.4 %      0.896     100 %
| 
| set           rows  scored  median error  90th pct.  pred/meas  in range
| (none)           1       0             -          -          -         -
| complete run     1       1         9.3 %      9.3 %      0.907     100 %
| throughput       1       1        11.6 %     11.6 %      0.884     100 %
| 
| source  rows  scored  median error  90th pct.  pred/meas  in range
| a          3       2        10.4 %     11.4 %      0.896     100 %
| 
| GPU   rows  scored  median error  90th pct.  pred/meas  in range
| A100     3       2        10.4 %     11.4 %      0.896     100 %
| 
| not scored:
|        1  the number of tokens is not given
| 
| 100 % lie in their range
| median range: the upper end is 1.97 times the lower; Kolmogorov-Smirnov distance of the quantiles 0.584
| error is |predicted/measured - 1|; the range is the 10th to 90th percentile that goes with each prediction
$ stint validate trainng m.csv
! stint: KIND: 'trainng' is not one of training, memory, inference, energy, gpu-hours, choice
!   hint: did you mean 'training'?
? 2
$ stint validate training nothing.csv
! stint: cannot open 'nothing.csv': No such file or directory
? 4
$ stint validate training m.csv --save new.csv
! stint: --save, --from-priors and --group are for a fit
!   hint: add --fit
? 2
$ printf 'a,b\n1,2\n' >odd.csv; stint validate training odd.csv
! stint: odd.csv:1: the column 'source' is missing
!   hint: the first line names the columns, with commas between; docs/accuracy.md lists them
? 3
$ : >empty.csv; stint validate memory empty.csv
! stint: empty.csv:1: no columns
? 3
