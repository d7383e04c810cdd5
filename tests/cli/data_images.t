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
| saved           232 B (14 %), under 1 s and $0.00 each time the set is moved
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
| "outcomes":[{"outcome":"smaller","files":0,,},{"outcome":"small already","files":3,,}
What an interrupted run left is removed, what it wrote half is written again.
$ echo half >set_optimized/.stint-images.tmp.7 && echo half >set_optimized/a.txt && stint data images set --json >/dev/null; ls -A set_optimized | grep tmp; cat set_optimized/a.txt
| another caption
! stint: warning: 2 corrupt images copied to 'set_optimized_corrupt', not to the new set
Of the folder that one is in, the name is known.
$ (cd set && stint data images . | tail -1 | sed 's|/[^ ]*/||') 2>/dev/null
| written         set_optimized, of it 10 files by an earlier run
Bytes, time and money.
$ stint data images set -o priced --from aws/us-east-1 --bandwidth 1MB --limit 1 | tail -2
| saved           821 B (34 %), under 1 s and $0.00 each time the set is moved
| written         priced
! stint: warning: 2 corrupt images copied to 'priced_corrupt', not to the new set
Photographs with a quality: those with alpha, with 16 bits and with few colors, and one whose new name is another image's.
$ mkdir photos && echo iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAIAAAD8GO2jAAALKUlEQVR42hWW51NbZxbG9Yftl92dTDLxZuMUO14DtrEBiypAICGEeu9XvV1d9d7LVe8FCVABJITBNmAIMTaJHafMJs5ks69n3s/vOXPO8/yeg/nbramPvlr4+Jv5G2O4G/dW/zVF+nKKeGuS/PUCYwTHGl3hPiCIxgnSR2uieZoMR9PiWfplFrwsMpGllg2pm6n2srV+HhwRwBG+JSlEEpAN1Xgy2kBF7y8bQpuYv9/BfvzN7Ef3Fj4dX745uXZznHwTS747Sx6bpd9dZN/HCyaIwsk14SQdmqMrcHTlElu3JjCQRGaixEyTuqkqH1vnYyN+gSkmNEVlloTSU9R7SoZQVRetIokG5uORuX/eWbxxd/nm/eXPJok3p8jfTFNHppmjc9yHBNbkqgBLlk3SZHNMxQxDscg0LLKNeAlCktipMjdL4eXo/SzYzzHGJEhC5EhLHSm5q6AOlkyRGhxvWEGBf9yZ+/juwuf3Vz+fwP/78cbtacpdHG1siXZvlTeG5zwkSyaIYixdOsNU4RgaAtdE5COrEvsaZKVrXHSVh6UJc5GQEA6LLWmlNaN2FrXeEhwumRIVJLrjyu5gbozhP3m4+Ol94hdY0tdY8q05xu051r1lxn0ib3yNP0GUTtEhLEW9xFIvMbVEoXFFBJPlVobCRpF7uIYQFwlz4ZjQnpLbcmp3WuUr6gJFfaCBROu25JYj28Z8Nrb42X3C54/Wb09Tv35MAfMZneeM4Pj3CbxxsmiCJp2lyZeouhW+epVrIklhMuSkqBxUpYep87LgKFcfAnOXuNJSd07ryxhDeX24Coc3rYm2I9Vy5XYwn4yvfD658hWWcBtLujPPHF3ijOPZE0v8B2vCiTUZliLFsdR4lmqRA6+JzSSpZU3uokI+qgLsNsQ1xETmhAiJKV1Jlaeg9xb1oaopVrehLRu6ZUvtefMDzKfjq188Wvtmav3WAmN0nj6yyH6wLHxAkDzckM1uSKc31LNMzbLASBSZVmQwSQZ2a2fI3QyVD/QuMkWkjiRkR5XOlNJbMQbrxmADiTSdqaYnv+vK9wL5HubLR2tfTlJuTZH/M826g2PeIwjGl8WTZGiCqlyga3B01QpTQxTCKxIzQWKhKhxMuY+hDfJ0YYEhLLOhEntWYSuo3AVVoKQLVsxoC0m0HLmes7DvLe75C0PMV9h1MJyRWebYLGdkkTW2wp8kS6cpoimafI6imGPrcGwDnm8iCyw0qW1D4eYoXFy9n2eM8UwxsTkucSchb07pLmsDZWO4bke37Om2O7PrKe36y/uRxgHm9gz17izl9ixjFIhySfiQKJgiSR+vy+Yp6nmOapmvI4oRogghSZ0UyE7TuJmqMM8Y4hmiAltc7M5qnCmdL2uM1MzRsjlZdyTbntyuF7xKP1R7kqgfYD7IZo45skAfXebfIwjHV0XTJGBazSxNi2PqiFwdXmghiK0bUgdV7uMog1xNQKiPiC1xqSWrdKc1vpwxnDdEGkZ00xJvWdAde74TKPRCpSfhyiDcPMR8PcO4M88dwwseEbiTa+LH61IsVbVAU8/x1CsC/YrIRJTZNyAbVeNl6twMQB5zSGxOiM0pOQCOF8w9bwrVkPimPQJks+VIdwOZjr88iDUOQq0jtH2CGZ3jjCwAaYomCRIsQThNU8xtaJY4ygWOnsiFiWLwHDSljanz8NR+liEGfCsyg/ZRtf3Dbg3eoiFWsSQ2kdimLbXjzXW9hYNAZRhsHKDbzzNbzzF38BygnAmC4CFBjN2QzzAhHEOHY2pW+bpVPrwBmclKBw3y0NQ+tjEq1McESFzmSEOenNaZUXnzcLBqjbWQdMOS6LqybV92ECodhhvHaO15pnWcan+LGV0B0hQ+JPMfkRXzVAjIZp6rX+LCqxIDSWBaVzqYKidbE2TrgiID4GVcZsmoPDnIlTP4i5pgwxytWiI7znTbkd7x5Xv+/H6kNIjUhsmtk0zveap7gXlAZD/Ci7BE6DFZid2AFrnqBQ5oH14V2kgiF00N5u7jqLw8fQToUgh0aQW7LeqCRZ33g2lNwFbxlivT9WV7/sKev3EQaR2mWqeJndNU70W5c4W5vyweXxfNUKTzZGiGpl1iGZf5CJGHkKVmusIJCrBUISYc4BkTQjglt6SUnqzaVTKGKggATrxlim1a0a4vv+cpD0K1frw8jNdPMjsn+c5ZrnNe7F9iHq4Kp9fljzfUM2zlIsOA5yAEiYkstJAlH3hA17s5uhAIEzGclNqSSk9S7s/oPGU4WteHGnCibk607MmOp7DrrxxGSn108yi59QztnmX2v8vvvioOrjETRAmWIpnZgHAs3SoXJvDNqzLbmszBgOxspYtuCAq1fjGMSqxxpSuh8eSUgYraC7KwCXzrSDTt2S1fuh+q7IUbg0TzMLb9PN46zXZeZLsXtcPLxpM3mGkqtECRL7IVeBBVHAMYPUVooUEuhsrJUnp5Jh/PFJHZkiJbSunMqb1ZTahiCFYt4U1HetueaNvT+77iAfBtvP4k3HyKbp+leqf5zmVp+LI6uKo8+QEzR5PPsLRLbBWObyCILOsiK1Vpp0EOpsbD0wVAlEuQGITEVe6U2p9Ru6vaYA2klTm+bct0Hdk9X6HnyQ/9gArN41jrGG2/SHfOy/1vC8PrxvGb7afvMFiqZp6mwwtMK1zTOt9CFX/wLQ2YVvuBaAJzCDKlIVcKcuZB+/pAwRAoW9GmNdNyJzs+wMty39foh2tHkfppfPs8tfuisHtZPXhZG75sHl1vP3uDWaApFnmGJa6OJIbXJQ6S3EpT+JnaAEsT5MExmTUqdaIqT0rhL6qCRUN00xhpIPGGPdf1ZPZchQNfZS/aOAYFEp2n6NZJdv+sOnhdGr6qDt82nv3YefELBkfX4bmAl+ZVgZ0K2SgaF1PnAlTgGONCMyq3ZRTunNqRVvnz+kDdFKwiyYYz03bnuq5cL1zpR+sH8dYTdOso0brI9C6KvatS/6r55Put5++aZ292zn/CLLD1RIGFKLaCRFxXeRhaL08bEiJhkTEmdMQU7pTcndH48rpwzRDYtCSbTrTpSW37Cnsgs4K1Ybx6FGseZbZPU92TYve8MrguD39oPn3TPv6ld/pr+/JnzAoXXuHBJImVqrDSID9HF+DBPpEhKEViEmsC3Aoqb1HtLxjCZSSyaY433Zm2N9vxgjyp7seqB8ntk/jOSWr7LNv5ttB7Xd7/vnH0tvH0bevsl+2z3/rn7zF4kCeQiSxzbihdVOWH34WmkNSalCJgOGmVM6cPgrCtGeItW6RuiXe9ebDYPX+1H64O0cZhHHzdfl7oXWa756XD75vH19uHP7ZPf2qf/Xf38v3B6z8wRGArqZWs9DDkXo4uLARhi0QklqjYnYPceZ2vrAmXDOFNG9qwJ1uO7A7ATrDSizYOolUwdwDkZ7mdF6XOVXlwXRu82Tp6s/n0l/azn/cuftt79fvhqz8wJImZLnNsKJ0cVYBtBGESk9pjcicKOQoKb1kVqOn9NSvaQNI7dnDnFHYD2d4H31aeJusn6eZZaues2D8v739X2r+uHb1qnbxtn77bPf2tc/Xr8Or90cs/MWSpkw556RovB/YKAJAt4KFAORpnRu0paEJ1fbRhjrVA2ALlBIqDQHkYqPcTzSG6CaB2ke9eVrrf1ftXm0fXjaPr5tNfOy9+3b/8rX/xv6Pv/jz68S9QwM1S+3ngUDD5hSZUbIuJ3QnIA6I8pw2X4EjTFN4Cl4gT7blyu6HyIFIEVBgmmyfx9nm2fZ7fvSgNrhqH11vPX+8cv9u+eLd78b5/+X7w+vcnr/46efvX/wE5EoyxNl8TOQAAAABJRU5ErkJggg== | base64 -d >photos/one.png && echo iVBORw0KGgoAAAANSUhEUgAAABgAAAAYCAYAAADgdz34AAAH3klEQVR4AQ3Vh3PW9gGH8V/byzWna5tL89I0TfOmaZYChBCFEIbYIDaIDQI8Bd7ytmVjjC1vW962vG15YSzbTGEwBrFBbBAbRGiaIEoJGU1nmub6/R8+zz2EjFpNfs6spn7FbPSNmCj6R0wX6d/PjWLenJvAvrkkjRu5Ko3/cFWWMGFDgTghtECaFlkmc5G1ChffrC6Wm7WVcqe+fpthrM83zJDSPVZE6UE7ouaoE9d01E1tOuOR58auJL8Yu5566ZMQ30tTQ/y/mxNBvzEnjnljUSpLr0jlPliRyY8X8oTxwXnilHBVmh1eLc+ObVQWpjSqy1PatXVbd+jrcncYQSW7zLCSQSus6ogtNRxxkhtOuRn6BY9QY9aRFz8Ool5kg3y/nRXmf32WRL++IJl5Z1ky+/6yDG7c2hx+XGCOMHlzsThzc6U0M6Zenp9Ur/BJbeqaLdu1Ncp2PaBowNhUZJqbKoat6LphO7HuhJPees5N7z7nkRc+CiAvTAqgfjNjk++1GdH+1+Yl0m8tTWRGLU1nmdXZHLMxm58oFgrTxXJxepQmzU3Q5CUJLcqqtC51VVaXtqGgTw8t2GuElg2ZkbVDVnztMVtuPuvInWfdbcZlj/xywgbimxZKvTot0vcqF+//4+J4+r3FMjN25TZ27Ppt3Cch+fzUkFJhakSNOCeuRloU1ySvSO1QVmR2qEJerxact1sPVg8Y4dUHzNhqy0ppPG2ntJ92tu646ObuuO6RX08JJq9MCademR3r+8PCWP+7C1PoMcu3MmPWbWU/Dsrl2KASng2rEmZJVeICqUFalqzLyzJ0ZW1OjxqYs1MLLN6vb67cb8RUHjaT6k9aSW0n7S3bzzvK9muuMnDHIy9P3kxenhlD+efH+N6en+QfzW+hR6/ZwnwUoLCTAoq4SZsq+BnRFcK86DpxaWKrtDS9VV6d3a1szO5XNxbu08TyfXpU+SEjQTtuJrQct9K6bDur64qT1XfLLdh7yyMjpkcRsKTA0jdySZofLOkPN2QxYMlOCC3jwJIHS2FxfLMIltLKbZ0yWCrr8/eoYKmBpR5Xc9QASzO144yV2XHJzuy94eTtvuGqu+97BCwJWFL0olQfWPo/EDJpsGTGB6ssWHJgyS+MbRTAUly+tV0CS3ld7i4FLFWw1KSqIzpYGsn6KRMsrYwex87Z6TjFO++6lfv/5BGwJO8sSKbA0vf+2gw/WNLjAosZsGTBkpsfU8+DpcBvaRPBUlqjDMhgqYClGl0xrIGlnth6wgBLM737qpXdf9Uu7L/tlO/71C0/9KlH3pqXSMCSGrU63QeWfmZjIQ2WDFiyc6M0Diz5JWktAliKq7L6JLCUwVKJLBtSwVKLbz6mg6Uhd142wdLKN27apXtcp/Sg69Yc/dwjYEneWylTYOkbuz7fD5Y0WDJzImpYsOQWpTbxYCmsyOwVwVICSzlcPaCApRrbaGlgqae0XzTA0gRLq2TXPbtk8J5TdeQzt+HIXzzy7vIUApYIOtcHln6wpGeFVTFgyS5IbuDAkl+W0SOApQiW0ubi/TJYKjH1h1Ww1JLazutgaYClWTRwxyoy79gVww+dumHPrTvxzCNgSUavUSiw9IGlf8amChosmXmJdSxYckvTu3mwFMBSFAv3SWApR2mHFLBUE1psDSx1sDQK+m6ZYGmVDT2wa4e+cGqPPXWbzz71yMhVWQQsKbBE0GV+sKS5+FoGLNnFcicHljxYCiH5e0SwlCJqDspgqcQ1nVHBUgNLPa/3hgGWpnrgvlV94M92tfXEaTz9xG0//Y1HwJKAJTUlWPWBpX92bDUNlszClHYWLDmw5INydwlgKYZVDUpgKUsNpxSwVMFSy+lxdLA0ivffNcHSqjz82K4/+dhpO/mVu/38PzwClmRyYDEFlr6ZMZUIup6en9TGgCULllyAMsCDpbCpwhTBUoquOyGDpQKWanb3VQ0s9cJ9tw2wNMsPPbK044/sluNfOl32d27Xle88MnFjIQFLanpUuQ8s/XMTWmiwZMCS3ZDVx4ElH1q2VwBLMbL2mASWMlgq2zovq2Cp5e+5qYOlUXrwcxMsraajf7U7znzrdFz61u298W+PgCWZGlFKgaVvTlyTHywRdAcjZPayYMkFq7t5sBTCqy0RLCWwlLe2X1TAUs3ddV0DS71k8DMDLE2wtPRTX9v6ha+dHuef7k7nfx5hw0oIWFKzpAYfWPrBkl6b0cOAJRtYvJMDS35z5WEBLEWwlLa0nZfBUlEGrqlgqRWZD3WwNMDSbD3xzGo998zuvvp3p//qf93+2z/1CFiSGdF1FFj6wNK/Or2bBksE3c+CJSeWH+LBUgBLMa3FlsBSzuq7ooClWrD3gQaWOlgazceemmBpdV7+m21c/o9j3CTuHpd4ZFpkLQFLCix9GLgfLGkMnAFLNqT0IAeWPFgKGLgIllJm7yUZLJW83fdVsNTAUm+0nhhgabZf/MbacfFf9o7rPzq77v3oDt57ziNgScCSwsB9YOnHwGmwZIJKBvGZQQ4seQxcAEsxo+eCBJZyzs67CliqYKnVH36sg6XRdv4rEyyt7dd+sAfu/OCYd37mDj+kPAKWBAOnwNKHgfvBkg4oMhmwZMGSw8B5sBQwcBEspez+2zJYKmCpaoceaWCpt9hfGmBpdl353uq79b2999ZPnKEHz7tDXzzv/R9D2ok5aZsjdwAAAABJRU5ErkJggg== | base64 -d >photos/alpha.png && echo iVBORw0KGgoAAAANSUhEUgAAABQAAAAUEAAAAAD4cp6SAAADP0lEQVR4AQE0A8v8AAAABZwKOA/UFHAZDB6oI0Qo4C18Mhg3tDxQQexGiEskUMBVXFr4X5QAA10I+Q2VEjEXzRxpIQUmoSs9MNk1dToRP61ESUnlToFTHVi5XVVi8QAGugtWEPIVjhoqH8YkYin+LpozNjjSPW5CCkemTEJR3lZ6WxZgsmVOAAkXDrMTTxjrHYciIye/LFsx9zaTOy9Ay0VnSgNPn1Q7Wddec2MPaKsADHQREBasG0gg5CWAKhwvuDRUOfA+jEMoSMRNYFL8V5hcNGHQZmxrCAAP0RRtGQkepSNBKN0teTIVN7E8TUHpRoVLIVC9VVla9V+RZC1pyW5lABIuF8ocZiECJp4rOjDWNXI6Dj+qREZJ4k5+UxpYtl1SYu5nimwmccIAFYsaJx/DJF8p+y6XMzM4zz1rQgdHo0w/UdtWd1sTYK9lS2rnb4N0HwAY6B2EIiAnvCxYMfQ2kDssQMhFZEoAT5xUOFnUXnBjDGiobURy4Hd8ABtFIOElfSoZL7U0UTntPolDJUjBTV1S+VeVXDFhzWZpawVwoXU9etkAHqIjPijaLXYyEjeuPEpB5kaCSx5QulVWWvJfjmQqacZuYnP+eJp9NgAh/yabKzcw0zVvOgs/p0RDSd9Oe1MXWLNdT2LrZ4dsI3G/dlt794CTACRcKfgulDMwOMw9aEIER6BMPFHYVnRbEGCsZUhq5G+AdBx5uH5Ug/AAJ7ksVTHxNo07KUDFRWFK/U+ZVDVZ0V5tYwlopW1Bct13eXwVgbGGTQAqFi+yNE456j6GQyJIvk1aUvZXklwuYcpmZmsCcJ51OnrWf3KEDomqAC1zMg83qzxHQeNGf0sbULdVU1rvX4tkJ2nDbl9z+3iXfTOCz4drjAcAMNA1bDoIP6REQEncTnhTFFiwXUxi6GeEbCBxvHZYe/SAkIUsisiPZAAzLTjJPWVCAUedTDlR1VZxWw1gqWVFauFvfXQZebV+UYPtiImNJZLBADaKOyZAwkVeSvpPllQyWc5eamMGaKJtPnLad3Z8EoGuhkqL5pCClR4AOec+g0MfSLtNV1LzV49cK2HHZmNr/3CbdTd6039vhAuJp45Dk9+Ye4A/Pei9NhyOAAAAAElFTkSuQmCC | base64 -d >photos/deep.png && cp photos/one.png photos/two.PNG && cp photo photos/two.jpg && cp drawing photos/mask.png && echo text >photos/one.txt
$ stint data images photos --quality 50 --json | sed 's/.*"images":\([0-9]*\),.*"renamed":\([0-9]*\),.*/images \1, renamed \2/'; ls photos_optimized
| images 6, renamed 2
| alpha.webp
| deep.png
| mask.png
| one.jpg
| one.txt
| two.PNG
| two.jpg
! stint: note: 2 images have a new extension: lists that name images, such as metadata.jsonl, still have the old ones
$ stint data images photos --quality 50 --format webp -o webp >/dev/null; ls webp
| alpha.webp
| deep.png
| mask.png
| one.txt
| one.webp
| two.PNG
| two.jpg
! stint: note: 2 images have a new extension: lists that name images, such as metadata.jsonl, still have the old ones
What was written for an image that has changed since goes when the new one has another name.
$ cp drawing photos/one.png && stint data images photos --quality 50 >/dev/null; ls photos_optimized
| alpha.webp
| deep.png
| mask.png
| one.png
| one.txt
| two.PNG
| two.jpg
! stint: note: 1 image has a new extension: lists that name images, such as metadata.jsonl, still have the old one
$ stint data images photos --quality 40
! stint: 'photos_optimized/.stint-images' is the journal of another job: its output was JPEG of quality 50, not JPEG of quality 40
!   hint: name another folder with -o, or remove 'photos_optimized'
? 3
$ stint data images photos --quality 101
! stint: --quality: '101' is more than 100
? 2
$ stint data images photos --quality 50 --format gif
! stint: --format: 'gif' is not one of jpeg, webp
? 2
$ stint data images photos --max-side 99999
! stint: --max-side: '99999' is more than 16384
? 2
$ stint data images photos --buckets 100
! stint: --buckets: '100' is not between 256 and 16384
? 2
$ stint data images photos --buckets 512 --max-side 512
! stint: --buckets and --max-side exclude each other
? 2
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
| photos
| photos_optimized
| priced
| priced_corrupt
| set
| set_optimized
| set_optimized_corrupt
| webp
