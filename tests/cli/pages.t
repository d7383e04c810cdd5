Every group of commands has its man page, which is installed, and every page is well-formed.
needs: mandoc

$ stint help --all | sed -n 's/^  \([a-z][a-z-]*\( [a-z][a-z-]*\)*\)  .*/\1/p' | grep -vx 'help\|completion\|call' >commands.txt
$ stint completion bash | sed -n "s/.*) command='\(.*\)' ;;/\1/p" | sort >complete.txt; sort commands.txt | diff - complete.txt
$ sed 's/ .*//' commands.txt | sort -u >groups.txt
$ [ "$(wc -l <groups.txt)" -gt 35 ] || cat groups.txt
$ stint man -o man; ls man | sed 's/^stint-//; s/\.1$//' | sort | comm -3 - groups.txt
| stint
$ stint man >main.1; stint man price >price.1; cmp main.1 man/stint.1; cmp price.1 man/stint-price.1; stint man -o main.1
! stint: cannot make the folder 'main.1': Not a directory
? 1
$ for page in man/*; do mandoc -T lint -W warning <"$page"; done
$ cat man/* | grep -c '^$'
| 0
? 1

Every command explains itself in few columns, and has an example.
$ mkdir help; while read -r command; do stint help $command >"help/$command" || echo "$command"; done <commands.txt
$ while read -r command; do sed '/^examples/,$d' "help/$command" | awk -v c="$command" 'length > 84 { print c ": " $0 }'; done <commands.txt
$ while read -r command; do sed '1,/^examples/d' "help/$command" | grep -q "stint $command" || echo "$command"; done <commands.txt

The same option has the same help everywhere.
$ for option in month where currency cost until; do while read -r command; do awk -v o="--$option" '/^options of/ { exit } $1 == o { on = 1; print; next } /^  [^ ]/ || /^$/ { on = 0 } on' "help/$command" | tr '\n' ' ' | tr -s ' '; echo; done <commands.txt | grep . | sort | uniq -c; done
|       1  --month MONTH month of a table without dates: 2026-05 
|      14  --month MONTH month to show instead: 2026-10, or last 
|       1  --month MONTH month: 2026-10 (default: the last complete month) 
|       1  --month MONTH month: 2026-12 (default: this month) 
|       1  --month MONTH report on a month's spending instead: 2026-10, or last 
|       1  --where COL=TEXT filter on rows: provider=aws 
|       1  --where CONDITION conditions on costs: team=nlp, 'gpu=H100*'; may be repeated, all must match; none: all costs 
|      12  --where CONDITION filter: gpu=H100, 'team=nlp*'; may be repeated, all must match 
|      12  --currency CODE convert to this currency, at each day's rate 
|       1  --currency CODE currency of lines with none or an unknown one: EUR 
|       1  --currency CODE currency of your budgets (default: that of --budget, else USD) 
|       1  --currency CODES currencies to list: EUR,GBP 
|       1  --cost AMOUNT total cost, instead of a price 
|       9  --cost KIND kind of cost: effective, billed, list or contracted (default: effective) 
|       1  --until DATE last day, such as 2026-08-01 (default: today) 
|       1  --until DAY counts that begin on this day or before 
|       1  --until DAY last day: 2026-10-31 
|      19  --until DAY last day: 2026-11-30, or 1d for yesterday 
|       1  --until WHEN last day, or a time (default: the first day) 
|       1  --until WHEN show runs started until then; a day is included 

So are the pages of the program itself and of job files. What a page looks like:
$ for p in '' job; do stint man $p | mandoc -T lint -W warning; done
$ stint man price | mandoc -T ascii | sed 's/.\x08//g' | sed -n 1,20p
| STINT-PRICE(1)              General Commands Manual             STINT-PRICE(1)
| 
| NAME
|      stint-price - what machines cost: list, compare, history, fetch
| 
| DESCRIPTION
|    stint price list [options]
|      Lists hourly machine prices, one line for each offer.  A '?' is an
|      unknown price.  A family name such as A100 means its SXM form with the
|      most memory; --any-form includes the complete family.  The 80 % range is
|      the likely price today, given its age; '!' marks prices far below those
|      of other regions.
| 
|      --gpu GPU[xN]
|              accelerator, such as H100 or 'RTX 4090'; H100x8: machines with 8.
| 
|      --provider LIST
|              providers to include, such as aws,gcp.
| 
|      --region LIST
