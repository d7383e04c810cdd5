Batch sizes tried with a command: scripts that print a speed imitate programs that train. Memory
and times differ each time, and are hidden; each size is reported on standard error as soon as it is known.

$ printf '%s\n' '[ "$1" -le 64 ] || { echo "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2 GiB" >&2; exit 1; }' 'for i in 1 2 3 4; do echo "$((2000 * $1 / ($1 + 16))) samples/s"; done' >bench.sh
$ printf '%s\n' 's/ +[0-9.]+ [kM]B/  SIZE/' '/^batch/s/ +memory /  memory /' 's/"memory":[0-9]+,"seconds":[0-9.e-]+/"memory":N,"seconds":N/g' 's/,,[0-9]+,[0-9.e-]+,/,,SIZE,TIME,/' 's/, +SIZE, [0-9.]+ s$/, SIZE, TIME/' >hide
$ stint tune --batch 8..512 --price '$3.60/hr' --csv sizes.csv -- sh bench.sh {} 2>told | sed -Ef hide; sed -Ef hide told >&2
| batch  samples/s   +-  memory  per million  note
|     8        666  0 %  SIZE        $1.50  
|    16      1,000  0 %  SIZE        $1.00  
|    32      1,330  0 %  SIZE      $0.7502  
|    64      1,600  0 %  SIZE      $0.6250  lowest cost, recommended
|   128          -    -  SIZE            -  out of memory: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2 GiB
| 
| lowest cost     batch 64, $0.6250 per million samples (1600 samples/s, from its own samples/s)
| recommended     batch 64
| ended           memory ran out
| price           $3.60/hr (from --price)
| written to      sizes.csv
! stint: note: batch 8: 666 samples/s, SIZE, TIME
! stint: note: batch 16: 1000 samples/s, SIZE, TIME
! stint: note: batch 32: 1333 samples/s, SIZE, TIME
! stint: note: batch 64: 1600 samples/s, SIZE, TIME
! stint: note: batch 128: out of memory: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2 GiB, SIZE, TIME
docs/guide/tune.md shows it without the file.
$ stint tune --batch 8..512 --price '$3.60/hr' -- sh bench.sh {} 2>/dev/null | sed -E -f hide -e 's/ *$//' >came.txt; sed -n '/^batch  /,/^price/p' "$cases/../../docs/guide/tune.md" | sed -Ef hide | diff - came.txt
$ sed -Ef hide sizes.csv
| batch,outcome,samples_per_s,error,windows,device_memory_bytes,memory_bytes,seconds,usd_per_million_samples,best,recommended,method,note
| 8,measured,666,0,4,,SIZE,TIME,1.5,no,no,its own samples/s,
| 16,measured,1000,0,4,,SIZE,TIME,1,no,no,its own samples/s,
| 32,measured,1333,0,4,,SIZE,TIME,0.7502,no,no,its own samples/s,
| 64,measured,1600,0,4,,SIZE,TIME,0.625,yes,yes,its own samples/s,
| 128,out of memory,,,0,,SIZE,TIME,,no,no,,out of memory: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2 GiB
$ stint tune --batch 48..96 --fine --price '$3.60/hr' -- sh bench.sh {} 2>told | sed -Ef hide; sed -Ef hide told >&2
| batch  samples/s   +-  memory  per million  note
|    48      1,500  0 %  SIZE      $0.6667  
|    56      1,560  0 %  SIZE      $0.6431  
|    64      1,600  0 %  SIZE      $0.6250  lowest cost, recommended
|    72          -    -  SIZE            -  out of memory: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2 GiB
|    96          -    -  SIZE            -  out of memory: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2 GiB
| 
| lowest cost     batch 64, $0.6250 per million samples (1600 samples/s, from its own samples/s)
| recommended     batch 64
| ended           memory ran out
| price           $3.60/hr (from --price)
! stint: note: batch 48: 1500 samples/s, SIZE, TIME
! stint: note: batch 96: out of memory: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2 GiB, SIZE, TIME
! stint: note: batch 72: out of memory: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2 GiB, SIZE, TIME
! stint: note: batch 56: 1555 samples/s, SIZE, TIME
! stint: note: batch 64: 1600 samples/s, SIZE, TIME
$ stint tune --batch 8..8 --json -- sh bench.sh {} 2>told | sed -Ef hide; sed -Ef hide told >&2
| {"schema":"stint.tune/1","sizes":[{"batch":8,"outcome":"measured","samples_per_s":666,"error":0,"windows":4,"method":"its own samples/s","device_memory":null,"memory":N,"seconds":N,"million":null,"best":true,"recommended":true,"note":null}],"ended":"all were tried","best":8,"recommended":8,"near":0.02,"price":null,"price_source":null,"csv":null}
! stint: note: without --price or --offer costs are not known
! stint: note: batch 8: 666 samples/s, SIZE, TIME
Past the knee nothing is tried any more.
$ stint tune --batch 8..4096 --samples-pattern 'speed ([0-9]+)' --price '$1/hr' -- sh -c 'echo "speed $(({} * 100000 / ({} + 4)))"' 2>told | sed -Ef hide; sed -Ef hide told >&2
| batch  samples/s  +-  memory  per million  note
|     8     66,700   ?  SIZE      $0.0042  
|    16     80,000   ?  SIZE      $0.0035  
|    32     88,900   ?  SIZE      $0.0031  
|    64     94,100   ?  SIZE       $0.003  
|   128     97,000   ?  SIZE      $0.0029  
|   256     98,500   ?  SIZE      $0.0028  recommended
|   512     99,200   ?  SIZE      $0.0028  lowest cost
| 
| lowest cost     batch 512, $0.0028 per million samples (99224 samples/s, from --samples-pattern)
| recommended     batch 256: 0.8 % slower than the fastest; the smallest within 2 %
| ended           more does not help any more
| price           $1.00/hr (from --price)
| 
| Smaller batches reach the same loss with as many samples or fewer, and leave
| memory free: among sizes that cost about the same, the smallest is better. The
| learning rate depends on the batch size.
! stint: note: batch 8: 66666 samples/s, SIZE, TIME
! stint: note: batch 16: 80000 samples/s, SIZE, TIME
! stint: note: batch 32: 88888 samples/s, SIZE, TIME
! stint: note: batch 64: 94117 samples/s, SIZE, TIME
! stint: note: batch 128: 96969 samples/s, SIZE, TIME
! stint: note: batch 256: 98461 samples/s, SIZE, TIME
! stint: note: batch 512: 99224 samples/s, SIZE, TIME
Failures are shown, not dropped; two in a row are enough.
$ stint tune --batch 8..64 -- sh -c 'case {} in 16) echo "ValueError: not 16" >&2; exit 1;; esac; echo "{}0 samples/s"' 2>told | sed -Ef hide; sed -Ef hide told >&2
| batch  samples/s  +-  memory  note
|     8       80.0   ?  SIZE  
|    16          -   -  SIZE  exit status 1: ValueError: not 16
|    32        320   ?  SIZE  
|    64        640   ?  SIZE  fastest, recommended
| 
| fastest         batch 64 (640 samples/s, from its own samples/s)
| recommended     batch 64
| ended           all were tried
! stint: note: without --price or --offer costs are not known
! stint: note: batch 8: 80.00 samples/s, SIZE, TIME
! stint: note: batch 16: exit status 1: ValueError: not 16, SIZE, TIME
! stint: note: batch 32: 320 samples/s, SIZE, TIME
! stint: note: batch 64: 640 samples/s, SIZE, TIME
$ stint tune --batch 8..64 -- sh -c 'echo hello from {}' >out 2>told; status=$?; sed -Ef hide out; sed -Ef hide told >&2; (exit $status)
| batch  samples/s  +-  memory  note
|     8          -   -  SIZE  it prints neither steps nor samples/s, last: hello from 8
|    16          -   -  SIZE  it prints neither steps nor samples/s, last: hello from 16
| 
| no size could be measured
| ended           it failed twice in a row
! stint: note: without --price or --offer costs are not known
! stint: note: batch 8: it prints neither steps nor samples/s, last: hello from 8, SIZE, TIME
! stint: note: batch 16: it prints neither steps nor samples/s, last: hello from 16, SIZE, TIME
? 1
$ stint tune --batch 8..64 -- sh -c 'kill -9 $$; : {}' >out 2>told; status=$?; sed -Ef hide out; sed -Ef hide told >&2; (exit $status)
| batch  samples/s  +-  memory  note
|     8          -   -  SIZE  killed, most likely because memory ran out
| 
| no size could be measured
| ended           memory ran out
! stint: note: without --price or --offer costs are not known
! stint: note: batch 8: killed, most likely because memory ran out, SIZE, TIME
? 1
A time may be a bare number of seconds. Known values of the best are printed too.
$ stint tune --batch 8..8 --seconds 2s --warmup 0 --patience 1min --samples 80 -- sh -c ': {}' 2>told | sed -Ef hide -e 's/ +[0-9,]+ +\?/  RATE  ?/' -e 's/\([0-9]+ samples/(RATE samples/'; sed -Ef hide -e 's/[0-9]+ samples/RATE samples/' told >&2
| batch  samples/s  +-  memory  note
|     8  RATE  ?  SIZE  fastest, recommended; its start is part of the time
| 
| fastest         batch 8 (RATE samples/s, from --samples over the entire time)
| recommended     batch 8
| ended           all were tried
! stint: note: without --price or --offer costs are not known
! stint: note: batch 8: RATE samples/s, SIZE, TIME
Options come before the command.
$ stint tune --batch 8..8 sh bench.sh {} --price '$1/hr' 2>told >out; sed -Ef hide told >&2
! stint: warning: --price after the command belongs to the command and limits nothing: type 'stint tune --price ... -- COMMAND'
! stint: note: without --price or --offer costs are not known
! stint: note: batch 8: 666 samples/s, SIZE, TIME
Mistakes.
$ stint tune --batch 8..64
! stint: tune needs a COMMAND
!   hint: stint tune --batch 8..512 --price '$2.49/hr' -- python bench.py --batch {}
? 2
$ stint tune -- sh bench.sh {}
! stint: tune needs --batch LOW..HIGH
!   hint: stint tune --batch 8..512 --price '$2.49/hr' -- python bench.py --batch {}
? 2
$ stint tune --batch 64..8 -- sh bench.sh {}
! stint: --batch: batch sizes go from a smaller to a larger one, at least 1
!   hint: write them as 8..512
? 2
$ stint tune --batch eight -- sh bench.sh {}
! stint: --batch: 'eight' is not a range of batch sizes
!   hint: write it as 8..512
? 2
$ stint tune --batch 8..64 -- sh bench.sh
! stint: the command has no {} to put the batch size in
!   hint: stint tune --batch 8..512 -- python bench.py --batch {}
? 2
$ stint tune --batch 8..64 --price '$1/hr' -- ./nowhere {}
! stint: cannot run './nowhere': No such file or directory
? 4
$ stint tune --batch 8..64 --price '$1' -- sh bench.sh {}
! stint: --price: price '$1' does not say per what
!   hint: write it as 2.49usd/hr
? 2
$ stint tune --batch 8..64 --seconds 0 -- sh bench.sh {}
! stint: --seconds: '0' is not above zero
? 2
$ stint tune --batch 8..64 --seconds 2days -- sh bench.sh {}
! stint: --seconds and --warmup are at most a day
? 2
$ stint tune --batch 8..64 --warmup soon -- sh bench.sh {}
! stint: --warmup: 'soon' is not a length of time
!   hint: write it as 24h, 90min, 1h30min, 20s or 3d
? 2
$ stint tune --batch 8..64 --samples-pattern '(' --price '$1/hr' -- sh bench.sh {}
! stint: --samples-pattern: the pattern '(' is wrong at its character 2: missing closing parenthesis
? 2
$ stint tune --batch 8..8 --price '$1/hr' --csv nowhere/x.csv -- sh bench.sh {} >out 2>told; status=$?; sed -Ef hide out; sed -Ef hide told >&2; (exit $status)
| batch  samples/s   +-  memory  per million  note
|     8        666  0 %  SIZE      $0.4171  lowest cost, recommended
| 
| lowest cost     batch 8, $0.4171 per million samples (666 samples/s, from its own samples/s)
| recommended     batch 8
| ended           all were tried
| price           $1.00/hr (from --price)
! stint: note: batch 8: 666 samples/s, SIZE, TIME
! stint: warning: cannot write 'nowhere/x.csv': No such file or directory
? 1
