Current prices as one signed file: who packs has a key, who imports trusts it.
$ printf 'date,instance_type,accelerator,count,zone_or_region,on_demand_usd_h,spot_usd_h\n2026-11-13,p5.48xlarge,H100,8,use1-az1,55.04,21.5\n2026-11-14,p5.48xlarge,H100,8,use1-az1,55.04,22.5\n' >aws_gpu_price_history.csv
$ stint price import aws_gpu_price_history.csv
| file                       format         stored as  provider  prices from  rows  machines  not ours  bad
| aws_gpu_price_history.csv  price-changes  skypilot   aws        2026-11-14     2         2         0    0
| 
| 1 offer, 1 of them new; prices: 2 changed, 0 confirmed, 0 gone
| stored in home/.cache/stint/prices.db
$ long=$(printf 'k%.0s' $(seq 100)); stint price pack --create-key $long.key >/dev/null; ls | grep -c "^$long.key"; rm $long.key*
| 2
$ stint price pack --create-key team.key | sed 's/ed25519:[0-9a-f]*/ed25519:KEY/'
| private key     team.key: keep it where prices are packed, and nowhere else
| public key      ed25519:KEY
|                 for the others: trusted_keys in config.yaml, or --trust
$ ls -l team.key | cut -c1-10
| -rw-------
$ stint price pack prices.stint --key team.key
| 2 prices of 1 offer, 487 B: prices.stint
$ sed -n '1,6p' prices.stint
| stint-prices 1
| created 2026-11-15T00:00:00Z
| offers 1
| prices 2
| size 117
| plain 141
Another machine: nothing is imported from a key that it does not know.
$ stint --prices other price import prices.stint 2>&1 | sed 's/ed25519:[0-9a-f]*/ed25519:KEY/'
| stint: prices.stint: signed by an unknown key, ed25519:KEY
|   hint: if it is your team's, --trust KEY, or put it into the setting trusted_keys
$ stint --prices other price import prices.stint --trust team.key.pub
| file          format  stored as  provider  prices from  rows  machines  not ours  bad
| prices.stint  pack    signed     -          2026-11-15     2         1         0    0
| 
| 1 offer, 1 of them new; prices: 2 changed, 0 confirmed, 0 gone
| stored in other/prices.db
$ stint --prices other price pack again.stint --key team.key >/dev/null; cmp prices.stint again.stint
The key of the settings.
$ STINT_TRUSTED_KEYS=$(cat team.key.pub) stint --prices third price import prices.stint | tail -2
| 1 offer, 1 of them new; prices: 2 changed, 0 confirmed, 0 gone
| stored in third/prices.db
What is wrong with a file is one line, and nothing is stored.
$ sed 's/^prices 2/prices 3/' prices.stint >changed.stint; stint --prices none price import changed.stint --trust team.key.pub
! stint: changed.stint: bad signature: it was changed after it was signed
!   hint: get the file again from its author
? 3
$ head -c 400 prices.stint >cut.stint; stint --prices none price import cut.stint --trust team.key.pub
! stint: cut.stint: cut off: 30 of 117 bytes
!   hint: get the file again from its author
? 3
$ sed 's/^sha256 ..../sha256 0000/' prices.stint >sum.stint; stint --prices none price import sum.stint --trust team.key.pub
! stint: sum.stint: bad checksum: the file is damaged
!   hint: get the file again from its author
? 3
$ sed 's/^stint-prices 1/stint-prices 2/' prices.stint >new.stint; stint --prices none price import new.stint --trust team.key.pub
! stint: new.stint: a price pack of version 2; this program reads 1
!   hint: update stint, or pack with the version that you have
? 3
$ stint --prices none price import prices.stint --trust ed25519:12
! stint: 'ed25519:12' is no public key, and no file with one
!   hint: keys are ed25519: and 64 digits; 'stint price pack --create-key FILE' makes a pair
? 2
$ stint price pack plain.stint; stint --prices none price import plain.stint
| 2 prices of 1 offer, 271 B: plain.stint
! stint: warning: the pack is not signed: it is imported only with --allow-unsigned
! stint: plain.stint: not signed
!   hint: if you know where it is from, --allow-unsigned imports it; 'stint price pack --key' signs
? 3
$ [ -e none ] && ls none
? 1
$ stint --prices none price import plain.stint --allow-unsigned | tail -2
| 1 offer, 1 of them new; prices: 2 changed, 0 confirmed, 0 gone
| stored in none/prices.db
Prices of one's own lists stay at home.
$ printf 'provider,region,instance,accelerator,count,price,date\nacme,eu-1,big,H100,8,17.5,2026-11-14\n' >own.csv; stint price import own.csv | tail -2; stint price pack prices.stint --key team.key
| 1 offer, 1 of them new; prices: 1 changed, 0 confirmed, 0 gone
| stored in home/.cache/stint/prices.db
| 2 prices of 1 offer, 487 B: prices.stint
| 1 price of your own lists left out (--own packs them)
$ stint price pack prices.stint --key team.key --own
| 3 prices of 2 offers, 528 B: prices.stint
Mistakes.
$ stint price pack
! stint: price pack needs a file to write
!   hint: stint price pack prices.stint --key team.key
? 2
$ stint price pack x.stint --key team.key.pub
! stint: team.key.pub: no private key
!   hint: 'stint price pack --create-key FILE' makes one; this is the public one
? 3
$ stint price pack x.stint --key nokey
! stint: cannot open 'nokey': No such file or directory
? 4
$ stint price pack --create-key team.key
! stint: team.key exists: a key that is replaced is lost
!   hint: name another file, or remove it first
? 2
$ stint --prices empty price pack x.stint --key team.key
! stint: there are no prices to pack
!   hint: 'stint price fetch skypilot' gets some
? 4
$ stint price pack no/such/folder/x.stint --key team.key
! stint: cannot write 'no/such/folder/x.stint': No such file or directory
? 1
