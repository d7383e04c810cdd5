Two days: one price falls, one rises, one is unchanged, one is new.
$ printf 'provider,region,instance,accelerator,count,spot_usd_h,date\nacme,eu-1,a,H100,8,20,2026-11-01\nacme,eu-1,b,H100,8,20,2026-11-01\nacme,eu-1,c,H100,8,20,2026-11-01\n' >first.csv
$ printf 'provider,region,instance,accelerator,count,spot_usd_h,date\nacme,eu-1,a,H100,8,10,2026-11-10\nacme,eu-1,b,H100,8,22,2026-11-10\nacme,eu-1,c,H100,8,20,2026-11-10\nacme,eu-1,e,A100,8,5,2026-11-10\n' >second.csv
$ stint price import first.csv | tail -2
| 3 offers, 3 of them new; prices: 3 changed, 0 confirmed, 0 gone
| stored in home/.cache/stint/prices.db
$ stint price import second.csv | tail -2
| 4 offers, 1 of them new; prices: 3 changed, 1 confirmed, 0 gone
| stored in home/.cache/stint/prices.db
$ stint price diff 2026-11-01 2026-11-12
|   change    from      to  market  offer        gpus
|    -50 %  $20.00  $10.00  spot    acme/eu-1/a  8x H100-SXM-80GB
|    +10 %  $20.00  $22.00  spot    acme/eu-1/b  8x H100-SXM-80GB
| appeared       -   $5.00  spot    acme/eu-1/e  8x A100-SXM-80GB
| 
| 2 of 3 prices changed (1 up, 1 down), median -20 %; 1 appeared; 0 gone
| between 2026-11-01 and 2026-11-12; the machine for an hour
! stint: warning: private of acme was last read on 2026-11-10, before 2026-11-12: what changed since is not known
$ stint price diff 7d
| no price is known on both days
| 3 prices not compared: no data from 2026-11-02 to 2026-11-09
| the nearest days with data: 2026-11-01, 2026-11-10
| 1 more are priced now but were unknown then: their history starts later
| between 2026-11-08 and 2026-11-15; the machine for an hour
! stint: warning: private of acme was last read on 2026-11-10, before 2026-11-15: what changed since is not known
$ stint price diff 2026-11-01 yesterday --min-change 20% --market spot --sort price
|   change    from      to  market  offer        gpus
| appeared       -   $5.00  spot    acme/eu-1/e  8x A100-SXM-80GB
|    -50 %  $20.00  $10.00  spot    acme/eu-1/a  8x H100-SXM-80GB
| 
| 1 of 3 prices changed (0 up, 1 down), median -50 %; 1 appeared; 0 gone
| between 2026-11-01 and 2026-11-14; the machine for an hour
! stint: warning: private of acme was last read on 2026-11-10, before 2026-11-14: what changed since is not known
$ stint price diff 2026-10-01 2026-11-12
| no price is known on both days
| 4 more are priced now but were unknown then: their history starts later
| between 2026-10-01 and 2026-11-12; the machine for an hour
! stint: warning: private of acme was last read on 2026-11-10, before 2026-11-12: what changed since is not known
$ stint price diff 2026-11-01 today --gpu A100 --json
| {"schema":"stint.price.diff/1","from":"2026-11-01","to":"2026-11-15","compared":0,"changed":0,"up":0,"down":0,"median":null,"appeared":1,"gone":0,"unknown":0,"unseen":0,"unobserved":0,"gaps":[],"jumped":0,"changes":[{"kind":"appeared","offer":"acme/eu-1/e","market":"spot","feed":"private","accelerator":"A100-SXM-80GB","count":8,"before":null,"after":{"amount":"5","currency":"USD"},"change":null,"jump":false}]}
! stint: note: 'A100' means A100-SXM-80GB, the SXM form with the most memory
! stint: warning: private of acme was last read on 2026-11-10, before 2026-11-15: what changed since is not known
Days without data: nothing is known of them, whatever was the price before and after.
$ stint price diff 2026-11-04 2026-11-06
| no price is known on both days
| 3 prices not compared: no data from 2026-11-02 to 2026-11-09
| the nearest days with data: 2026-11-01, 2026-11-10
| between 2026-11-04 and 2026-11-06; the machine for an hour
$ stint price diff 2026-11-01 2026-11-06 --json
| {"schema":"stint.price.diff/1","from":"2026-11-01","to":"2026-11-06","compared":0,"changed":0,"up":0,"down":0,"median":null,"appeared":0,"gone":0,"unknown":0,"unseen":0,"unobserved":3,"gaps":[{"from":"2026-11-02","to":"2026-11-09"}],"jumped":0,"changes":[]}
$ printf 'provider,region,instance,accelerator,count,spot_usd_h,date\nnova,eu-1,a,H100,8,20,2026-03-31\nnova,eu-1,b,H100,8,20,2026-03-31\nnova,eu-1,a,H100,8,20,2026-07-13\nnova,eu-1,b,H100,8,25,2026-07-13\nnova,eu-1,new,H100,8,30,2026-07-13\n' >apart.csv
$ stint price import apart.csv | tail -2
| 3 offers, 3 of them new; prices: 3 changed, 0 confirmed, 0 gone
| stored in home/.cache/stint/prices.db
$ stint price diff 2026-05-01 2026-06-01 --provider nova
| no price is known on both days
| 2 prices not compared: no data from 2026-04-01 to 2026-07-12
| the nearest days with data: 2026-03-31, 2026-07-13
| between 2026-05-01 and 2026-06-01; the machine for an hour
$ stint price diff 2026-05-01 2026-07-13 --provider nova
| no price is known on both days
| 2 prices not compared: no data from 2026-04-01 to 2026-07-12
| the nearest days with data: 2026-03-31, 2026-07-13
| 1 more are priced now but were unknown then: their history starts later
| between 2026-05-01 and 2026-07-13; the machine for an hour
$ stint price diff 2026-03-31 2026-07-13 --provider nova
|   change    from      to  market  offer          gpus
|    +25 %  $20.00  $25.00  spot    nova/eu-1/b    8x H100-SXM-80GB
| appeared       -  $30.00  spot    nova/eu-1/new  8x H100-SXM-80GB
| 
| 1 of 2 prices changed (1 up, 0 down), median +25 %; 1 appeared; 0 gone
| between 2026-03-31 and 2026-07-13; the machine for an hour
Not observed since; a price that rose tenfold.
$ stint price diff 2026-11-11 2026-11-12
| no price is known on both days
| 7 not seen since: they may have changed
| between 2026-11-11 and 2026-11-12; the machine for an hour
! stint: warning: private of nova and 1 more of 2 lists were last read on 2026-07-13 or later, before 2026-11-12: what changed since is not known
$ printf 'provider,region,instance,accelerator,count,spot_usd_h,date\nacme,eu-1,a,H100,8,100,2026-11-14\nacme,eu-1,b,H100,8,22.0001,2026-11-14\n' >third.csv
$ stint price import third.csv | tail -2
| 2 offers, 0 of them new; prices: 2 changed, 0 confirmed, 0 gone, 1 doubtful ('stint price doctor' lists them)
| stored in home/.cache/stint/prices.db
$ stint price diff 2026-11-12 2026-11-14
|    change    from       to  market  offer        gpus
| !  +900 %  $10.00  $100.00  spot    acme/eu-1/a  8x H100-SXM-80GB
| 
| ! ten times or more, up or down
| 1 of 2 prices changed (1 up, 0 down), median +900 %; 0 appeared; 0 gone
| 5 not seen since: they may have changed
| 1 jumped ten times or more at once: possibly an error of the feed
| between 2026-11-12 and 2026-11-14; the machine for an hour
! stint: warning: private of nova was last read on 2026-07-13, before 2026-11-14: what changed since is not known
Mistakes.
$ stint price diff 2030-01-01 2031-01-01
! stint: '2030-01-01' is in the future: prices are known until today
!   hint: use a past day, such as yesterday, or 7d for a week ago
? 2
$ stint price diff 7d 2026-12-01
! stint: '2026-12-01' is in the future: prices are known until today
!   hint: use a past day, such as yesterday, or 7d for a week ago
? 2
$ stint price diff
! stint: price diff needs a FROM
!   hint: stint price diff 2026-08-01 2026-11-01
? 2
$ stint price diff lately
! stint: 'lately' is not a day
!   hint: write 2026-08-01, yesterday, today, or 7d for a week ago
? 2
$ stint price diff 2026-11-12 2026-11-05
! stint: '2026-11-12' is not before '2026-11-05'
!   hint: give the earlier day first
? 2
$ stint price diff 7d --market sopt
! stint: --market: 'sopt' is not one of on-demand, spot, reserved-1y, reserved-3y, savings-1y, savings-3y
!   hint: did you mean 'spot'?
? 2
