The tests' own servers replace the providers'.
$ start_server fetch
A list that is cut off is not kept; the others are.
$ STINT_URL_SKYPILOT=$SERVER stint price fetch skypilot --cloud aws,vast --tries 1 >out; status=$?; mask <out; exit $status
| provider  list  stored as            size  machines  new  changed  gone  bad
| aws       -     skypilot   read    0.2 KB         1    1        2     0    0
| vast      -     skypilot   failed  0.0 KB         0    0        0     0    0
| 
| vast failed, and its prices stay as they were: http://SERVER/v8/vast/vms.csv: the answer was cut off after 120 bytes
| stored in home/.cache/stint/prices.db
? 1
Nothing changed: nothing is sent, and the prices are of today.
$ STINT_URL_SKYPILOT=$SERVER STINT_NOW=2026-11-16 stint price fetch skypilot --cloud aws | mask
| provider  list  stored as               size  machines  new  changed  gone  bad
| aws       -     skypilot   unchanged  0.0 KB         0    0        0     0    0
| 
| stored in home/.cache/stint/prices.db
$ STINT_NOW=2026-11-16 stint price list --provider aws --region us-east-1 --gpu H100 --limit 1
| offer                      GPUs              GPU GB  on-demand    spot  savings  per GPU  age
| aws/us-east-1/p5.48xlarge  8x H100-SXM-80GB      80     $55.04  $20.50     63 %    $6.88  0 d
| 
| US dollars an hour, for the complete machine and for one of its GPUs
| 1 price, read on 2026-11-16; it is 0 days old
! stint: note: 'H100' means H100-SXM-80GB, the SXM form with the most memory
A file has the date that its server reports, also when it has not changed since.
$ STINT_URL_SKYPILOT=$SERVER stint price fetch skypilot --cloud oci | head -2; stint price list --provider oci --gpu H100
| provider  list  stored as          size  machines  new  changed  gone  bad
| oci       -     skypilot   read  0.1 KB         1    1        2     0    0
| offer                           GPUs              GPU GB  on-demand    spot  savings  per GPU   age
| oci/us-ashburn-1/BM.GPU.H100.8  8x H100-SXM-80GB      80     $80.00  $40.00     50 %   $10.00  85 d
| 
| US dollars an hour, for the complete machine and for one of its GPUs
| 1 price, read on 2026-08-22; it is 85 days old
! stint: note: 'H100' means H100-SXM-80GB, the SXM form with the most memory
! stint: warning: 1 of 1 prices is more than 30 days old (oldest: 2026-08-22); 'stint price doctor' shows what to run
$ STINT_URL_SKYPILOT=$SERVER STINT_NOW=2026-11-16 stint price fetch skypilot --cloud oci | head -2; STINT_NOW=2026-11-16 stint price list --provider oci --gpu H100
| provider  list  stored as               size  machines  new  changed  gone  bad
| oci       -     skypilot   unchanged  0.0 KB         0    0        0     0    0
| offer                           GPUs              GPU GB  on-demand    spot  savings  per GPU   age
| oci/us-ashburn-1/BM.GPU.H100.8  8x H100-SXM-80GB      80     $80.00  $40.00     50 %   $10.00  86 d
| 
| US dollars an hour, for the complete machine and for one of its GPUs
| 1 price, read on 2026-08-22; it is 86 days old
! stint: note: 'H100' means H100-SXM-80GB, the SXM form with the most memory
! stint: warning: 1 of 1 prices is more than 30 days old (oldest: 2026-08-22); 'stint price doctor' shows what to run
"Not changed" in answer to an unconditional request.
$ STINT_URL_SKYPILOT=$SERVER stint price fetch skypilot --cloud ibm 2>err; status=$?; mask <err; exit $status
| stint: nothing could be fetched: http://SERVER/v8/ibm/vms.csv: it answers 'not modified', but there is no earlier copy (304)
|   hint: the prices that were there before stay in use
? 1
One bad server fails its own list: headers without an end, a part of a list, an answer that drips.
$ STINT_URL_SKYPILOT=$SERVER stint price fetch skypilot --cloud oci,cudo,scp --again >out; status=$?; mask <out; exit $status
| provider  list  stored as            size  machines  new  changed  gone  bad
| cudo      -     skypilot   failed  0.0 KB         0    0        0     0    0
| oci       -     skypilot   read    0.1 KB         1    0        0     0    0
| scp       -     skypilot   failed  0.0 KB         0    0        0     0    0
| 
| cudo failed, and its prices stay as they were: http://SERVER/v8/cudo/vms.csv: the headers of the answer are too large
| scp failed, and its prices stay as they were: http://SERVER/v8/scp/vms.csv: it sent a partial answer that was not requested (206)
| stored in home/.cache/stint/prices.db
? 1
$ STINT_URL_SKYPILOT=$SERVER stint price fetch skypilot --cloud paperspace --timeout 500ms 2>&1 | mask | sed 's/([0-9]* bytes/(N bytes/'
| stint: nothing could be fetched: http://SERVER/v8/paperspace/vms.csv: no complete answer within 500ms (N bytes arrived); --timeout allows more time
|   hint: the prices that were there before stay in use
$ stint price fetch skypilot --timeout 0s
! stint: --timeout: '0s' is not above zero
? 2

Lambda: one answer, with a key, which is never shown.
$ stint price fetch lambda
! stint: warning: lambda: Lambda Cloud: there is no key; its prices stay as they are
! stint: note: lambda: set LAMBDA_API_KEY, or 'api_key = ...' in ~/.lambda_cloud/lambda_keys
! stint: nothing could be fetched
? 1
$ STINT_URL_LAMBDA=$SERVER LAMBDA_API_KEY=very-secret STINT_LOG=debug stint price fetch lambda 2>log | mask; grep -c very-secret log; grep -c 'Authorization: Bearer very-secret' server.log
| provider  list  stored as           size  machines  new  changed  gone  bad
| lambda    -     lambda-api  read  0.2 KB         2    2        2     0    0
| 
| stored in home/.cache/stint/prices.db
| 0
| 1
$ stint price list --provider lambda
| offer                              GPUs              GPU GB  on-demand  spot  savings  per GPU  age
| lambda/*/gpu_8x_h100_sxm5          8x H100-SXM-80GB      80     $23.92     ?        -    $2.99  0 d
| lambda/us-west-1/gpu_8x_h100_sxm5  8x H100-SXM-80GB      80     $23.92     ?        -    $2.99  0 d
| 
| US dollars an hour, for the complete machine and for one of its GPUs
| 2 prices, read on 2026-11-15; the newest is 0 days old
The second time it need not be sent, and its prices are of that day.
$ STINT_URL_LAMBDA=$SERVER LAMBDA_API_KEY=very-secret STINT_NOW=2026-11-16 stint price fetch lambda | head -2; grep -c 'If-None-Match: "lambda-1"' server.log
| provider  list  stored as                size  machines  new  changed  gone  bad
| lambda    -     lambda-api  unchanged  0.0 KB         0    0        0     0    0
| 1
$ STINT_NOW=2026-11-16 stint price list --provider lambda
| offer                              GPUs              GPU GB  on-demand  spot  savings  per GPU  age
| lambda/*/gpu_8x_h100_sxm5          8x H100-SXM-80GB      80     $23.92     ?        -    $2.99  0 d
| lambda/us-west-1/gpu_8x_h100_sxm5  8x H100-SXM-80GB      80     $23.92     ?        -    $2.99  0 d
| 
| US dollars an hour, for the complete machine and for one of its GPUs
| 2 prices, read on 2026-11-16; the newest is 0 days old
A list without any price is reported, and no offer is removed.
$ STINT_URL_LAMBDA=$SERVER/empty LAMBDA_API_KEY=very-secret STINT_NOW=2026-11-17 stint price fetch lambda
! stint: warning: lambda: the answer has no price of a machine with accelerators; the prices there stay
! stint: nothing could be fetched: the answer has no price of a machine with accelerators
!   hint: the prices that were there before stay in use
? 1
$ STINT_NOW=2026-11-17 stint price list --provider lambda --limit 1
| offer                      GPUs              GPU GB  on-demand  spot  savings  per GPU  age
| lambda/*/gpu_8x_h100_sxm5  8x H100-SXM-80GB      80     $23.92     ?        -    $2.99  1 d
| 
| US dollars an hour, for the complete machine and for one of its GPUs
| 1 price, read on 2026-11-16; it is 1 day old
A server that repeats a wrong key.
$ STINT_URL_LAMBDA=$SERVER LAMBDA_API_KEY=wrong-secret stint price fetch lambda 2>err; status=$?; mask <err; exit $status
| stint: nothing could be fetched: http://SERVER/api/v1/instance-types: the key is missing or wrong (401): API key *** was invalid, expired, or deleted.
|   hint: the prices that were there before stay in use
? 1
$ STINT_URL_RUNPOD=$SERVER RUNPOD_API_KEY=wrong-secret stint price fetch runpod 2>err; status=$?; mask <err; exit $status
| stint: nothing could be fetched: http://SERVER/graphql: the key is missing or wrong (401): unauthorized ***
|   hint: the prices that were there before stay in use
? 1
$ STINT_URL_VAST=$SERVER VAST_API_KEY=wrong-secret stint price fetch vast 2>err; status=$?; mask <err; exit $status
| stint: nothing could be fetched: http://SERVER/api/v0/bundles/: the key is missing or wrong (401): auth_error for ***
|   hint: the prices that were there before stay in use
? 1
$ STINT_URL_GCP=$SERVER GOOGLE_API_KEY=wrong-secret stint price fetch gcp 2>err; status=$?; mask <err; exit $status
| stint: nothing could be fetched: http://SERVER/v1/services/6F81-5844-456A/skus: access is refused (403): The key *** is not for this API.
|   hint: the prices that were there before stay in use
? 1

RunPod: too many requests at first, and a second later it answers.
$ STINT_URL_RUNPOD=$SERVER RUNPOD_API_KEY=rp-secret stint price fetch runpod | head -2; grep -c 'POST /graphql -> 429' server.log
| provider  list  stored as           size  machines  new  changed  gone  bad
| runpod    -     runpod-api  read  0.3 KB         2    2        4     0    0
| 1
$ stint price list --provider runpod --region '*'
| offer                        GPUs              GPU GB  on-demand   spot  savings  per GPU  age
| runpod/*/1x_H100-SXM_SECURE  1x H100-SXM-80GB      80      $2.99  $1.75     41 %    $2.99  0 d
| runpod/*/2x_H100-SXM_SECURE  2x H100-SXM-80GB      80      $5.98  $3.50     41 %    $2.99  0 d
| 
| US dollars an hour, for the complete machine and for one of its GPUs
| 2 prices, read on 2026-11-15; the newest is 0 days old

Vast: on demand and to bid for.
$ STINT_URL_VAST=$SERVER stint price fetch vast | head -2; grep -o '"type":"[a-z-]*"' server.log
| provider  list  stored as          size  machines  new  changed  gone  bad
| vast      -     vast-api   read  0.6 KB         3    1        2     0    0
| "type":"on-demand"
| "type":"on-demand"
| "type":"bid"
$ stint price list --provider vast
| offer                         GPUs        GPU GB  on-demand     spot  savings  per GPU  age
| vast/SE/1x-RTX_4090-32-65536  1x RTX4090      24    $0.3400  $0.2100     38 %  $0.3400  0 d
| 
| US dollars an hour, for the complete machine and for one of its GPUs
| 1 price, read on 2026-11-15; it is 0 days old

Azure: pages, the next of which Azure calls by its own name.
$ STINT_URL_AZURE=$SERVER stint price fetch azure --region eastus | head -2; grep -o 'GET /api/retail/prices?page.*' server.log
| provider  list    stored as             size  machines  new  changed  gone  bad
| azure     eastus  azure-retail  read  0.9 KB         2    1        2     0    0
| GET /api/retail/prices?page=2&$skip=1000 -> 200
$ stint price list --provider azure --region eastus --gpu A100-PCIe-80GB --limit 1
| offer                                  GPUs               GPU GB  on-demand   spot  savings  per GPU  age
| azure/eastus/Standard_NC24ads_A100_v4  1x A100-PCIe-80GB      80      $3.67  $1.47     60 %    $3.67  0 d
| 
| US dollars an hour, for the complete machine and for one of its GPUs
| 1 price, read on 2026-11-15; it is 0 days old
The next day a page comes slowly and is cut off: the prices of the day before stay.
$ STINT_URL_AZURE=$SERVER STINT_NOW=2026-11-16 stint price fetch azure --region eastus,westus --tries 1 2>err; status=$?; mask <err; exit $status
| stint: warning: azure westus: the answer has no price of a machine with accelerators; the prices there stay
| stint: nothing could be fetched: http://SERVER/api/retail/prices: the answer was cut off after 60 bytes
|   hint: the prices that were there before stay in use
? 1
$ STINT_NOW=2026-11-16 stint price list --provider azure --region eastus --gpu A100-PCIe-80GB --limit 1
| offer                                  GPUs               GPU GB  on-demand   spot  savings  per GPU  age
| azure/eastus/Standard_NC24ads_A100_v4  1x A100-PCIe-80GB      80      $3.67  $1.47     60 %    $3.67  1 d
| 
| US dollars an hour, for the complete machine and for one of its GPUs
| 1 price, read on 2026-11-15; it is 1 day old

Google: machines are made of parts, which are on several pages.
$ STINT_URL_GCP=$SERVER GOOGLE_API_KEY=google-secret stint price fetch gcp | head -2; grep -c google-secret home/.cache/stint/feeds.json
| provider  list  stored as            size  machines  new  changed  gone  bad
| gcp       -     gcp-billing  read  0.9 KB         8    8        8     0    0
| 0
? 1
$ stint price list --provider gcp --region us-central1 --gpu L4
| offer                           GPUs   GPU GB  on-demand     spot  savings  per GPU  age
| gcp/us-central1/g2-standard-4   1x L4      24    $0.7068  $0.4240     40 %  $0.7068  0 d
| gcp/us-central1/g2-standard-8   1x L4      24    $0.8536  $0.5120     40 %  $0.8536  0 d
| gcp/us-central1/g2-standard-12  1x L4      24      $1.00  $0.6001     40 %    $1.00  0 d
| gcp/us-central1/g2-standard-24  2x L4      24      $2.00    $1.20     40 %    $1.00  0 d
| gcp/us-central1/g2-standard-48  4x L4      24      $4.00    $2.40     40 %    $1.00  0 d
| gcp/us-central1/g2-standard-96  8x L4      24      $8.00    $4.80     40 %    $1.00  0 d
| gcp/us-central1/g2-standard-16  1x L4      24      $1.15  $0.6881     40 %    $1.15  0 d
| gcp/us-central1/g2-standard-32  1x L4      24      $1.73    $1.04     40 %    $1.73  0 d
| 
| US dollars an hour, for the complete machine and for one of its GPUs
| 8 prices, read on 2026-11-15; the newest is 0 days old

AWS: from index to index to a region's list; spot prices for those with credentials.
$ STINT_URL_AWS_PRICES=$SERVER STINT_URL_AWS_EC2=$SERVER/{region} AWS_ACCESS_KEY_ID=AKIDEXAMPLE AWS_SECRET_ACCESS_KEY=aws-secret stint price fetch aws --region us-east-1 | head -3
| provider  list       stored as               size  machines  new  changed  gone  bad
| aws       us-east-1  aws-price-list  read  0.5 KB         1    1        1     0    0
| aws       us-east-1  aws-spot        read  0.7 KB         2    1        1     0    0
! stint: note: aws: price lists of 1 region, of hundreds of megabytes each where they have changed
! stint: note: aws us-east-1: read 0.0 MB
$ stint price list --provider aws --region us-east-1 --gpu A10G
| offer                    GPUs     GPU GB  on-demand     spot  savings  per GPU  age
| aws/us-east-1/g5.xlarge  1x A10G      24      $1.01  $0.4000     60 %    $1.01  5 d
| 
| US dollars an hour, for the complete machine and for one of its GPUs
| 1 price, read on 2026-11-10; it is 5 days old
$ stint price history aws/us-east-1/us-east-1b/g5.xlarge:spot | head -4
| aws/us-east-1/us-east-1b/g5.xlarge: 1x A10G, 30 days
| 
| spot, by aws-spot (official)
| price           $0.4000 since 2026-11-14T01:00:00Z; last seen 2026-11-15
Each request is signed, the secret stays here, and parameters are in order, as a signature needs it.
$ grep -c 'Authorization: AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/' server.log; grep -c aws-secret server.log
| 2
| 0
? 1
$ grep 'GET /us-east-1/.*-> 200' server.log | while read -r method target rest; do echo "${target#*[?]}" | tr '&' '\n' | sed 's/=.*//' >names; wc -l <names; sort -c names && grep -v InstanceType names | tr '\n' ' '; echo; done
| 75
| Action MaxResults ProductDescription.1 StartTime Version 
| 76
| Action MaxResults NextToken ProductDescription.1 StartTime Version 
Nothing has changed the next day: neither index nor list is sent.
$ STINT_URL_AWS_PRICES=$SERVER STINT_NOW=2026-11-16 stint price fetch aws --region us-east-1 2>&1 | head -4; grep -o 'GET /offers.* -> 304' server.log
| stint: note: aws: price lists of 1 region, of hundreds of megabytes each where they have changed
| stint: note: aws: spot prices need credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or keep them in ~/.aws/credentials (AWS_PROFILE chooses among profiles)
| provider  list       stored as                    size  machines  new  changed  gone  bad
| aws       us-east-1  aws-price-list  unchanged  0.0 KB         0    0        0     0    0
| GET /offers/v1.0/aws/index.json -> 304
| GET /offers/v1.0/aws/AmazonEC2/current/region_index.json -> 304
| GET /offers/v1.0/aws/AmazonEC2/20261110000000/us-east-1/index.json -> 304
$ STINT_NOW=2026-11-16 stint price history aws/us-east-1/g5.xlarge:on-demand 2>/dev/null | sed -n '3,4p'
| on-demand, by aws-price-list (official)
| price           $1.01 since 2026-11-10; last seen 2026-11-16
A wrong key again; none of them is remembered.
$ STINT_URL_AWS_EC2=$SERVER/{region} STINT_URL_AWS_PRICES=$SERVER AWS_ACCESS_KEY_ID=AKIDWRONG AWS_SECRET_ACCESS_KEY=wrong-secret stint price fetch aws --region us-east-1 2>/dev/null | mask
| provider  list       stored as                    size  machines  new  changed  gone  bad
| aws       us-east-1  aws-price-list  unchanged  0.0 KB         0    0        0     0    0
| aws       us-east-1  aws-spot        failed     0.0 KB         0    0        0     0    0
| 
| aws us-east-1 failed, and its prices stay as they were: http://SERVER/us-east-1/: the key is missing or wrong (401): *** with *** is unknown
| stored in home/.cache/stint/prices.db
$ grep -c 'wrong-secret\|AKIDWRONG' home/.cache/stint/feeds.json; grep -o '[^ "]* *[^ ]* [*][*][*]' home/.cache/stint/feeds.json
| 0
| API key ***
| wrong (401): ***
|  with ***

Mistakes.
$ stint price fetch
! stint: price fetch needs a PROVIDER or --all
!   hint: stint price fetch skypilot has 24 clouds and needs no account
? 2
$ stint price fetch lamda
! stint: prices of 'lamda' cannot be fetched
!   hint: did you mean 'lambda'?
? 2
$ stint price fetch lambda --all
! stint: give providers or --all, not both
? 2
$ stint price fetch aws --region mars-1 --tries 1 2>&1 | sed 's/after [0-9]* ms/after N ms/'
| stint: note: aws: price lists of 1 region, of hundreds of megabytes each where they have changed
| stint: note: aws: spot prices need credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or keep them in ~/.aws/credentials (AWS_PROFILE chooses among profiles)
| stint: nothing could be fetched: http://127.0.0.1:1/offers/v1.0/aws/index.json: no connection: Failed to connect to 127.0.0.1 port 1 after N ms: Couldn't connect to server
|   hint: the prices that were there before stay in use
$ STINT_URL_AZURE=http://127.0.0.1:1 stint price fetch azure --tries 1 2>&1 | sed 's/after [0-9]* ms/after N ms/'
| stint: warning: no answer from http://127.0.0.1:1: its other lists are not fetched
| stint: nothing could be fetched: http://127.0.0.1:1/api/retail/prices: no connection: Failed to connect to 127.0.0.1 port 1 after N ms: Couldn't connect to server
|   hint: the prices that were there before stay in use
$ STINT_URL_AZURE=ftp://example stint price fetch azure --tries 1
! stint: warning: no answer from ftp://example: its other lists are not fetched
! stint: nothing could be fetched: an address must start with https:// or http://
!   hint: the prices that were there before stay in use
? 1
$ ls home/.cache/stint
| feeds.json
| prices.db
