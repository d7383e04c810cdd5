Data: what data tables does with the program duckdb: without it, and with one that answers as this file says.

$ mkdir -p set bin && printf 'a,b\n1,2\n' >set/rows.csv && echo notes >set/README.md
$ mkdir scratch && stint=$(command -v stint); PATH=$PWD/none "$stint" data tables set
! stint: duckdb, which reads and writes the tables, is not installed
!   hint: install it from https://duckdb.org/install, so that it is in PATH
? 4
What it is asked first.
$ printf '#!/bin/sh\necho "$*" >>%s/asked\ncat >>%s/asked\necho "not read" >&2\nexit 1\n' "$PWD" "$PWD" >bin/duckdb && chmod +x bin/duckdb && TMPDIR=$PWD/scratch PATH=$PWD/bin:$PATH stint data tables set
| set: 2 files, 0 rows in 0 tables
| 
| result  files  before  after
| left        1     8 B    8 B
| other       1     6 B    6 B
| 
| path      why
| rows.csv  not read
| 
| saved           0 B
| written         set_optimized
! stint: warning: 1 table was copied as it is
$ sed "s|'[^']*/stint-tables-[^/']*|'SCRATCH|" asked; ls set_optimized scratch
| -init /dev/null -bail -list -noheader :memory:
| SET autoinstall_known_extensions = false;
| SET preserve_insertion_order = true;
| SET temp_directory = 'SCRATCH';
| CREATE TEMP VIEW source AS SELECT * FROM read_csv('SCRATCH/0.csv', all_varchar = true, allow_quoted_nulls = false, header = true, skip = 0, comment = '', quote = '"', escape = '"', strict_mode = true, ignore_errors = false, null_padding = false, delim = ',');
| SELECT 'stint:' || to_json(list(column_name)) FROM (DESCRIBE source);
| scratch:
| 
| set_optimized:
| README.md
| rows.csv
Sums that differ are no table; then the file is copied.
$ printf '#!/bin/sh\nsql=$(cat)\ncase $sql in\n*COPY*) echo %s; echo %s; echo %s;;\n*DESCRIBE*) echo %s;;\n*) echo %s;;\nesac\n' "'stint:[\"1\",\"7\",\"8\"]'" "'stint:[\"1\",\"7\",\"9\"]'" "'stint:[\"a\",\"b\"]'" "'stint:[\"a\",\"b\"]'" "'stint:[[\"1\",\"-1\",\"\"],[\"0\",\"-1\",\"\"]]'" >bin/duckdb && PATH=$PWD/bin:$PATH stint data tables set -o other && cmp set/rows.csv other/rows.csv
| set: 2 files, 0 rows in 0 tables
| 
| result  files  before  after
| left        1     8 B    8 B
| other       1     6 B    6 B
| 
| path      why
| rows.csv  the Parquet file is not the same as the table
| 
| saved           0 B
| written         other
! stint: warning: 1 table was copied as it is
