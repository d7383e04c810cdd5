Rows that somebody measured, with columns in any order.

$ printf 'gpu,id,source,model,set,quality,precision,micro_batch,seq_len,gpu_count,method,framework,tokens_per_s_per_gpu,colour\n' >m.csv
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
| error is |predicted/measured - 1|; the range is the 10th to 90th percentile that goes with each prediction
$ stint validate training m.csv --leave-one-source-out --json | cut -c1-200
| {"schema":"stint.validate/1","kind":"training","rows":6,"scored":3,"median_ape":0.05870955468611583,"p90_ape":0.08123169748788502,"median_ratio":1.0587095546861158,"inside_range":0.6666666666666666,"b
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
| stint: warning: 1 of 1 prices is more than 30 days old (the oldest of 2025-08-27): 'stint price doctor' says what to run
Mistakes.

$ stint validate training
! stint: validate needs a FILE...
!   hint: stint validate training measured.csv
? 2
$ stint validate trainng m.csv
! stint: KIND: 'trainng' is not one of training, memory, inference, energy
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
