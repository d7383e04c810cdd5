#!/bin/sh
# A program like hl-smi: it prints the file named by FAKE_HL_SMI, or does worse. Words in the file's
# first line: "hang" waits for a minute, "fail" ends with an error.
read -r first <"$FAKE_HL_SMI" || exit 1
printf '%s\n' "$*" >"$FAKE_HL_SMI.asked"
case $first in
hang) exec sleep 60 ;;
fail)
    echo 'no driver' >&2
    exit 1
    ;;
esac
cat "$FAKE_HL_SMI"
