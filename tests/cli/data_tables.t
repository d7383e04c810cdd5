Data: tables as Parquet, by duckdb itself. Sizes of Parquet files depend on its version.
needs: duckdb python3

$ python3 "$cases/tables.py" set; find set -exec touch -h -d '2026-11-01 12:00:00 UTC' {} +; find set -type f -exec sha256sum {} + | sort >before; stint data tables set >out; sed -n '1,/^$/p; /^path/,/^$/p; /^written/p' out; sed -n '/^table/,/^$/p' out | awk '{print $1, $2, $3}'
| set: 10 files, 6,000 rows in 4 tables
| 
| path            why
| cut.jsonl       Malformed JSON in file "cut.jsonl", at byte 6 in line 502: unexpected end of data.
| more.csv        Error when sniffing file "more.csv". It was not possible to automatically detect the CSV parsing dialect
| semicolons.csv  one column: name the delimiter with --delimiter
| 
| written         set_optimized
| table rows columns
| a[1]*.csv 3000 1
| comments.csv 1000 2
| rows.csv 1000 12
| sub/chat.jsonl 1000 9
|   
! stint: warning: 3 tables were copied as they are
Which columns are text, and what the types of others are: ids with leading zeros, versions and integers beyond 2^53 are text, so are objects whose keys are in different orders.
$ for f in rows.csv sub/chat; do echo "SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM 'set_optimized/$f.parquet');" | duckdb -init /dev/null -list -noheader; done
| id|BIGINT
| zip|VARCHAR
| price|DECIMAL(18,2)
| version|VARCHAR
| share|DOUBLE
| text|VARCHAR
| empty|VARCHAR
| large|VARCHAR
| day|DATE
| at|TIMESTAMP
| ok|BOOLEAN
| odd "name"|VARCHAR
| id|BIGINT
| share|DOUBLE
| text|VARCHAR
| messages|STRUCT("role" VARCHAR, "content" VARCHAR)[]
| mixed|VARCHAR
| none|VARCHAR
| ok|BOOLEAN
| turned|VARCHAR
| late|BIGINT
$ echo "SELECT id, zip, price, version, share, large, day, \"at\", ok, empty IS NULL FROM 'set_optimized/rows.csv.parquet' LIMIT 2; SELECT count(*), sum(id), sum(messages[1].content = 'hé ' || id) FROM 'set_optimized/sub/chat.parquet'; SELECT count(*) FROM 'set_optimized/comments.parquet'" | duckdb -init /dev/null -list -noheader
| 0|00000|0.50|1.0|0.0|9007199254740992|2024-01-01|2024-01-02 03:04:00|false|false
| 1|00001|1.50|1.1|0.125|9007199254740993|2024-01-02|2024-01-02 03:04:01|true|true
| 1000|499500|1000
| 1000
All is there, with its times; the originals are as they were, and nothing is left elsewhere.
$ find set_optimized -type f | sort; find set_optimized -type f -newermt 2026-11-02; find set -type f -exec sha256sum {} + | sort | diff before -; cmp set/rows.parquet set_optimized/rows.parquet; ls -d set*
| set_optimized/README.md
| set_optimized/a[1]*.parquet
| set_optimized/comments.parquet
| set_optimized/cut.jsonl
| set_optimized/more.csv
| set_optimized/rows.csv.parquet
| set_optimized/rows.parquet
| set_optimized/semicolons.csv
| set_optimized/small.tsv
| set_optimized/sub/chat.parquet
| set
| set_optimized
One file, whatever its size; with its delimiter.
$ stint data tables set/small.tsv | sed -n 1p; stint data tables set/semicolons.csv --delimiter ';' -o x.parquet --json | sed 's/.*"columns":\([0-9]*\).*/columns \1/'; ls set/small.parquet x.parquet
| set/small.tsv: 1 file, 1 row in 1 table
| columns 2
| set/small.parquet
| x.parquet
$ stint data tables set/small.tsv
! stint: 'set/small.parquet' is there already, and is not replaced
!   hint: name another folder with -o, or remove it
? 3
$ stint data tables set/more.csv
! stint: 'more.csv' is no table: Error when sniffing file "more.csv". It was not possible to automatically detect the CSV parsing dialect
? 3
$ stint data tables set/README.md
! stint: 'set/README.md' is no table by its name
!   hint: name a .csv, .tsv, .jsonl or .ndjson file
? 3
$ stint data tables set -o set/new
! stint: 'set/new' is in 'set'
!   hint: name a folder elsewhere with -o
? 2
