#!/bin/sh
# Write an assembler file that holds the files named on the command line, each between the symbols
# stint_data_NAME and stint_data_NAME_end, where NAME is the file's, without its ending and with _ for
# what a C name cannot have. Assembling is instant where a C array of this size is not.
set -eu
out=$1
shift
{
    echo '.section .rodata,"a",%progbits'
    for file; do
        name=$(basename "$file")
        name=$(printf %s "${name%.*}" | tr -c 'A-Za-z0-9_' _)
        echo ".global stint_data_$name, stint_data_${name}_end"
        echo ".hidden stint_data_$name, stint_data_${name}_end"
        echo "stint_data_$name: .incbin \"$file\""
        echo "stint_data_${name}_end: .byte 0"
    done
    echo '.section .note.GNU-stack,"",%progbits'
} >"$out"
