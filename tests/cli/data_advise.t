Advice about moving a folder: what would make it smaller, measured on a sample of its files.

$ mkdir -p set/texts && awk 'BEGIN { x = 1; for (i = 0; i < 900; i++) { file = "set/texts/" i ".json"; for (j = 0; j < 20; j++) print "{\"line\": " j ", \"word\": \"w" ((x = x * 16807 % 2147483647) % 1000) "\"}" >file; close(file) } }' && head -c 3000000 /dev/zero >set/zeros && find set -exec touch -d '2026-11-01 12:00:00 UTC' {} + && find set -type f -exec cat {} + | wc -c
| 3510921
Advice about the same folder: with a job, and alone.
$ stint advise llama-2-7b --lora --tokens 25M --on A100 --price 2usd/hr --data set --category storage
| job             llama-2-7b
| cost            $3.34 a run
| savings         nothing found
| 
| set: 901 files, 3.51 MB, from a machine of your own to
| shadeform/desmoines-usa-1, where $2.00/hr waits for it
| 
| data        moves  files    time      cost  saves
| as it is  3.51 MB    901  305 ms  $0.00017  
| 
| no gain         bundle
| measured        bundle: 1 piece, 3.51 MB
| 
| 4 left out by options
| note: computed from the job alone: runs recorded with 'stint run' would add
|       measured idle time, stalls, failures and a corrected estimate
! stint: note: 'A100' means A100-SXM-80GB, the SXM form with the most memory
$ stint advise --data set --data-at aws/us-east-1 | sed -nE '/^set:/,${ s/^bundle +[0-9.]+ kB.*/bundle: smaller/; s/   +/  /g; p }'
| set: 901 files, 3.51 MB, from aws/us-east-1
| 
| data  moves  80 % range  files  time  cost  saves
| as it is  3.51 MB  901  2.85 s  $0.00  
| bundle: smaller
| 
| bundle  stint data bundle set -o data.tar.zst
| measured  bundle: 1 piece, 3.51 MB
| 
| note: nothing is recorded yet. 'stint run -- COMMAND' records runs: idle time,
|   stalls, failures, repeats and right-sizing come from them. 'stint advise
|   JOB' needs no records
Without a part it is unknown, not nothing.
$ mkdir parts && for part in "$STINT_PARTS"/*.so; do ln -s "$part" parts/; done; rm parts/archive.so && STINT_PARTS=$PWD/parts stint advise --data set | grep 'not measured'
| not measured    bundle: the part 'archive' of Stint is not installed
Images: what is measured on some of them holds for all, within the range.
$ echo /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAA0JCgsKCA0LCgsODg0PEyAVExISEyccHhcgLikxMC4pLSwzOko+MzZGNywtQFdBRkxOUlNSMj5aYVpQYEpRUk//2wBDAQ4ODhMREyYVFSZPNS01T09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT0//wAARCAAgACADASIAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/90ABAAC/9oADAMBAAIRAxEAPwDnd25cgfN0+lNJZAGPrTI5PLlLMOvamycSH5vlPT3pywmrifR08ZOM+W455FbuM0M5JBXPTFOhChuRkGo5lxIcEbcVosHyxSNJ4luWm5//0OPuMhBk4q5b4faWHPQ/41n+YZcqWFSbmjQHdlelfXvBwn7ttSo4pqd2E0hhkwDwKlt5RJw20+9NugLiHcCN46+9V1cJgFfrTpUI/BYKmJqX5kf/2Q== | base64 -d >photo
$ echo iVBORw0KGgoAAAANSUhEUgAAABgAAAAYCAAAAADFHGIkAAAAD3RFWHRBdXRob3IAc29tZWJvZHmKs+TfAAACY0lEQVR4AQFYAqf9AAAJEhskLTY/SFFaY2x1foeQmaKrtL3GzwAFDhcgKTI7RE1WX2hxeoOMlZ6nsLnCy9QAChMcJS43QElSW2Rtdn+IkZqjrLW+x9DZAA8YISozPEVOV2BpcnuEjZafqLG6w8zV3gAUHSYvOEFKU1xlbneAiZKbpK22v8jR2uMAGSIrND1GT1hhanN8hY6XoKmyu8TN1t/oAB4nMDlCS1RdZm94gYqTnKWut8DJ0tvk7QAjLDU+R1BZYmt0fYaPmKGqs7zFztfg6fIAKDE6Q0xVXmdweYKLlJ2mr7jBytPc5e73AC02P0hRWmNsdX6HkJmiq7S9xs/Y4erz/AAyO0RNVl9ocXqDjJWep7C5wsvU3ebv+AEAN0BJUltkbXZ/iJGao6y1vsfQ2eLr9P0GADxFTldgaXJ7hI2Wn6ixusPM1d7n8PkCCwBBSlNcZW53gImSm6Sttr/I0drj7PX+BxAARk9YYWpzfIWOl6CpsrvEzdbf6PH6AwwVAEtUXWZveIGKk5ylrrfAydLb5O32/wgRGgBQWWJrdH2Gj5ihqrO8xc7X4Ony+wQNFh8AVV5ncHmCi5Sdpq+4wcrT3OXu9wAJEhskAFpjbHV+h5CZoqu0vcbP2OHq8/wFDhcgKQBfaHF6g4yVnqewucLL1N3m7/gBChMcJS4AZG12f4iRmqOstb7H0Nni6/T9Bg8YISozAGlye4SNlp+osbrDzNXe5/D5AgsUHSYvOABud4CJkpukrba/yNHa4+z1/gcQGSIrND0Ac3yFjpegqbK7xM3W3+jx+gMMFR4nMDlCoHMuUF8aIhUAAAAASUVORK5CYII= | base64 -d >drawing
$ mkdir pictures && for i in $(seq 40); do cp photo pictures/$i.jpg; cp drawing pictures/$i.png; echo "a caption of $i" >pictures/$i.txt; done && find pictures -exec touch -d '2026-11-01 12:00:00 UTC' {} + && head -c 300 photo >pictures/cut.jpg && stint advise --data pictures | sed -n '/^pictures:/,$p'
| pictures: 121 files, 60.45 kB, from a machine of your own
| 
| data         moves  files     time   cost  saves
| as it is  60.45 kB    121  36.9 ms  $0.00  
| 
| no gain         images, images 95, bundle
| measured        images: 63 files, 46.82 kB
| measured        images 95: 63 files, 46.82 kB
| measured        bundle: 1 piece, 60.45 kB
| 
| note: nothing is recorded yet. 'stint run -- COMMAND' records runs: idle time,
|       stalls, failures, repeats and right-sizing come from them. 'stint advise
|       JOB' needs no records
$ stint advise --data pictures --json >advice.json; for way in images 'images 95'; do quality=; [ "$way" = images ] || quality='--quality 95'; size=$(stint data images pictures -o "out$quality" $quality --json 2>/dev/null | grep -o '"new_size":[0-9]*,"comp' | grep -o '[0-9]*'); grep -o "\"way\":\"$way\"[^}]*" advice.json | tr ',' '\n' | awk -F: -v size="$size" '/size_low/ { low = $2 } /size_high/ { high = $2 } END { print (size >= low && size <= high) ? "within" : "outside: " size " of " low " to " high }'; done
| within
| within
