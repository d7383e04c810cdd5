Servers of our own stand in for the providers'.
$ start_server fetch
A list that is cut off is not kept; the others are.
$ STINT_URL_SKYPILOT=$SERVER stint price fetch skypilot --clouds aws,vast --tries 1 >out; status=$?; mask <out; exit $status
| provider  list  kept as             size  machines  new  changed  gone  bad
| aws       -     skypilot  read    0.2 KB         1    1        2     0    0
| vast      -     skypilot  failed  0.0 KB         0    0        0     0    0
| 
| vast failed, and its prices stay as they were: http://SERVER/v8/vast/vms.csv: the answer was cut off after 120 bytes
| kept in home/.cache/stint/prices.store
? 1
Nothing changed: nothing is sent, and the prices are of today.
$ STINT_URL_SKYPILOT=$SERVER STINT_NOW=2026-11-16 stint price fetch skypilot --clouds aws | mask
| provider  list  kept as                size  machines  new  changed  gone  bad
| aws       -     skypilot  unchanged  0.0 KB         0    0        0     0    0
| 
| kept in home/.cache/stint/prices.store
$ STINT_NOW=2026-11-16 stint price list --provider aws --region us-east-1 --gpu H100 --limit 1
| offer                      gpus              GPU GB  on-demand    spot  saving  per GPU  age
| aws/us-east-1/p5.48xlarge  8x H100-SXM-80GB      80     $55.04  $20.50    63 %    $6.88  0 d
| 
| US dollars an hour, for the whole machine and for one GPU of it
| 1 price, read on 2026-11-16; it is 0 days old
! stint: note: 'H100' means H100-SXM-80GB, the SXM form with the most memory
A key, which nobody sees.
$ stint price fetch lambda
! stint: warning: lambda: Lambda Cloud: there is no key; its prices stay as they are
! stint: note: lambda: set LAMBDA_API_KEY, or 'api_key = ...' in ~/.lambda_cloud/lambda_keys
! stint: nothing could be fetched
? 1
$ STINT_URL_LAMBDA=$SERVER LAMBDA_API_KEY=very-secret STINT_LOG=debug stint price fetch lambda 2>log | mask; grep -c very-secret log; grep -c 'Authorization: Bearer very-secret' server.log
| provider  list  kept as             size  machines  new  changed  gone  bad
| lambda    -     lambda-api  read  0.2 KB         2    2        2     0    0
| 
| kept in home/.cache/stint/prices.store
| 0
| 1
$ stint price list --provider lambda
| offer                              gpus              GPU GB  on-demand  spot  saving  per GPU  age
| lambda/*/gpu_8x_h100_sxm5          8x H100-SXM-80GB      80     $23.92     ?       -    $2.99  0 d
| lambda/us-west-1/gpu_8x_h100_sxm5  8x H100-SXM-80GB      80     $23.92     ?       -    $2.99  0 d
| 
| US dollars an hour, for the whole machine and for one GPU of it
| 2 prices, read on 2026-11-15; the newest is 0 days old
Mistakes.
$ stint price fetch
! stint: price fetch needs a PROVIDER or --all
!   hint: stint price fetch skypilot asks for 24 clouds and needs no account
? 2
$ stint price fetch lamda
! stint: prices of 'lamda' cannot be fetched
!   hint: did you mean 'lambda'?
? 2
$ stint price fetch lambda --all
! stint: give providers or --all, not both
? 2
$ stint price fetch aws --regions mars-1 --tries 1
! stint: note: aws: price lists of 1 region, of hundreds of megabytes each where they have changed
! stint: note: aws: spot prices need credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or keep them in ~/.aws/credentials (AWS_PROFILE chooses among profiles)
! stint: nothing could be fetched: http://127.0.0.1:1/offers/v1.0/aws/index.json: no connection: Failed to connect to 127.0.0.1 port 1 after 0 ms: Couldn't connect to server
!   hint: the prices that were there before stay in use
? 1
$ STINT_URL_AZURE=http://127.0.0.1:1 stint price fetch azure --tries 1 2>&1 | sed 's/after [0-9]* ms/after N ms/'
| stint: nothing could be fetched: http://127.0.0.1:1/api/retail/prices: no connection: Failed to connect to 127.0.0.1 port 1 after N ms: Couldn't connect to server
|   hint: the prices that were there before stay in use
$ STINT_URL_AZURE=ftp://example stint price fetch azure --tries 1
! stint: nothing could be fetched: an address must start with https:// or http://
!   hint: the prices that were there before stay in use
? 1
$ ls home/.cache/stint
| feeds.json
| prices.store
| prices.store.lock
| prices.store~
