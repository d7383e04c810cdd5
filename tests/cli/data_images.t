Data: an image set made smaller. A photograph of 32 x 32 pixels, a drawing that is not compressed, and a picture of 100,000 x 100,000.

$ echo /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAA0JCgsKCA0LCgsODg0PEyAVExISEyccHhcgLikxMC4pLSwzOko+MzZGNywtQFdBRkxOUlNSMj5aYVpQYEpRUk//2wBDAQ4ODhMREyYVFSZPNS01T09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT0//wAARCAAgACADASIAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/90ABAAC/9oADAMBAAIRAxEAPwDnd25cgfN0+lNJZAGPrTI5PLlLMOvamycSH5vlPT3pywmrifR08ZOM+W455FbuM0M5JBXPTFOhChuRkGo5lxIcEbcVosHyxSNJ4luWm5//0OPuMhBk4q5b4faWHPQ/41n+YZcqWFSbmjQHdlelfXvBwn7ttSo4pqd2E0hhkwDwKlt5RJw20+9NugLiHcCN46+9V1cJgFfrTpUI/BYKmJqX5kf/2Q== | base64 -d >photo
$ echo iVBORw0KGgoAAAANSUhEUgAAABgAAAAYCAAAAADFHGIkAAAAD3RFWHRBdXRob3IAc29tZWJvZHmKs+TfAAACY0lEQVR4AQFYAqf9AAAJEhskLTY/SFFaY2x1foeQmaKrtL3GzwAFDhcgKTI7RE1WX2hxeoOMlZ6nsLnCy9QAChMcJS43QElSW2Rtdn+IkZqjrLW+x9DZAA8YISozPEVOV2BpcnuEjZafqLG6w8zV3gAUHSYvOEFKU1xlbneAiZKbpK22v8jR2uMAGSIrND1GT1hhanN8hY6XoKmyu8TN1t/oAB4nMDlCS1RdZm94gYqTnKWut8DJ0tvk7QAjLDU+R1BZYmt0fYaPmKGqs7zFztfg6fIAKDE6Q0xVXmdweYKLlJ2mr7jBytPc5e73AC02P0hRWmNsdX6HkJmiq7S9xs/Y4erz/AAyO0RNVl9ocXqDjJWep7C5wsvU3ebv+AEAN0BJUltkbXZ/iJGao6y1vsfQ2eLr9P0GADxFTldgaXJ7hI2Wn6ixusPM1d7n8PkCCwBBSlNcZW53gImSm6Sttr/I0drj7PX+BxAARk9YYWpzfIWOl6CpsrvEzdbf6PH6AwwVAEtUXWZveIGKk5ylrrfAydLb5O32/wgRGgBQWWJrdH2Gj5ihqrO8xc7X4Ony+wQNFh8AVV5ncHmCi5Sdpq+4wcrT3OXu9wAJEhskAFpjbHV+h5CZoqu0vcbP2OHq8/wFDhcgKQBfaHF6g4yVnqewucLL1N3m7/gBChMcJS4AZG12f4iRmqOstb7H0Nni6/T9Bg8YISozAGlye4SNlp+osbrDzNXe5/D5AgsUHSYvOABud4CJkpukrba/yNHa4+z1/gcQGSIrND0Ac3yFjpegqbK7xM3W3+jx+gMMFR4nMDlCoHMuUF8aIhUAAAAASUVORK5CYII= | base64 -d >drawing
$ echo iVBORw0KGgoAAAANSUhEUgABhqAAAYagCAIAAAAnMJyfAAAAC0lEQVR4AQEAAP//AAAAAYnWrl8AAAAASUVORK5CYII= | base64 -d >bomb
$ mkdir -p set/sub set/empty && cp photo set/a.jpg && cp photo set/sub/twin.jpeg && echo 'a caption' >set/a.txt && echo '{}' >set/sub/twin.json && ln -s a.jpg set/link.jpg && echo notes >set/README.md && cp bomb set/bomb.png && head -c 300 photo >set/cut.jpg && echo '<html>' >set/page.png && printf 'GIF89a' >set/old.gif && find set -exec touch -h -d '2026-11-01 12:00:00 UTC' {} +
$ stint data images set
| set: 9 files, 6 images
| 
| result       files   before    after
| smaller          2  1.59 kB  1.35 kB
| unsupported      1      6 B      6 B
| too large        1     68 B     68 B
| corrupt          2    307 B    307 B
| sidecar          2     13 B     13 B
| other            1      6 B      6 B
| 
| path      why
| cut.jpg   Invalid JPEG file structure: missing SOS marker
| page.png  no image: its first bytes are of no known format
| 
| path      why
| bomb.png  100000 x 100000 pixels
| old.gif   another format
| 
|  size  identical images
| 793 B  a.jpg, sub/twin.jpeg
| 
| saved           232 B (13.8 %), under 1 s and $0.00 each time the set is moved
| written         set_optimized
! stint: warning: 2 corrupt images copied to 'set_optimized_corrupt', not to the new set
All that was there is there, with its times; nothing of the original has changed.
$ (cd set && find . | sort) >before; (cd set_optimized && find . | sort) | diff before -
| 1a2
| > ./.stint-images
| 6d6
| < ./cut.jpg
| 10d9
| < ./page.png
? 1
$ find set_optimized_corrupt -type f | sort
| set_optimized_corrupt/cut.jpg
| set_optimized_corrupt/page.png
$ cmp set/README.md set_optimized/README.md; cmp set/a.txt set_optimized/a.txt; cmp set/bomb.png set_optimized/bomb.png; cmp photo set/a.jpg; stat -c %y set_optimized/a.jpg | cut -c 1-19; readlink set_optimized/link.jpg
| 2026-11-01 12:00:00
| a.jpg
A second run keeps what is done, and does what has changed. A picture that was compressed badly.
$ cp drawing set/drawing.png && echo 'another caption' >set/a.txt && stint data images set --json | sed 's/.*"images":\([0-9]*\),"kept":\([0-9]*\),.*/images \1, kept \2/'
| images 7, kept 8
! stint: warning: 2 corrupt images copied to 'set_optimized_corrupt', not to the new set
$ cmp set/a.txt set_optimized/a.txt; test $(stat -c %s set_optimized/drawing.png) -lt 400 && echo smaller; stint data images set_optimized -o again --json | sed 's/.*\("outcomes":\[[^}]*},[^}]*}\).*/\1/; s/"[a-z_]*size":[0-9]*//g'
| smaller
| "outcomes":[{"fate":"smaller","files":0,,},{"fate":"small already","files":3,,}
What an interrupted run left is removed, what it wrote half is written again.
$ echo half >set_optimized/.stint-images.tmp.7 && echo half >set_optimized/a.txt && stint data images set --json >/dev/null; ls -A set_optimized | grep tmp; cat set_optimized/a.txt
| another caption
! stint: warning: 2 corrupt images copied to 'set_optimized_corrupt', not to the new set
Of the folder that one is in, the name is known.
$ (cd set && stint data images . | tail -1 | sed 's|/[^ ]*/||') 2>/dev/null
| written         set_optimized, of it 10 files by an earlier run
Bytes, time and money.
$ stint data images set -o priced --from aws/us-east-1 --bandwidth 1MB --limit 1 | tail -2
| saved           821 B (34.5 %), under 1 s and $0.00 each time the set is moved
| written         priced
! stint: warning: 2 corrupt images copied to 'priced_corrupt', not to the new set
Mistakes.
$ stint data images nowhere
! stint: cannot read 'nowhere': No such file or directory
!   hint: name a folder that is there, and that you may read
? 4
$ stint data images photo
! stint: cannot read 'photo': Not a directory
!   hint: name the folder that it is in
? 3
$ stint data images set -o set/inner
! stint: 'set/inner' and 'set' are in each other
!   hint: name a folder elsewhere with -o
? 2
$ stint data images set -o .
! stint: '.' and 'set' are in each other
!   hint: name a folder elsewhere with -o
? 2
$ mkdir full && touch full/x && stint data images set -o full
! stint: 'full' has files that are not from an earlier run
!   hint: name a new folder with -o
? 3
$ cp -r set other && stint data images other -o set_optimized 2>&1 | sed "s|/[^ ,]*/set|SET|; s|/[^ ,]*/other|OTHER|"
| stint: 'set_optimized/.stint-images' is the journal of another job: its folder was SET, not OTHER
|   hint: name another folder with -o, or remove 'set_optimized'
$ stint data images set --from awz
! stint: there is no provider 'awz'
!   hint: did you mean 'aws'?
? 4
$ ls
| again
| before
| bomb
| drawing
| full
| home
| other
| photo
| priced
| priced_corrupt
| set
| set_optimized
| set_optimized_corrupt
