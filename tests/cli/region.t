$ stint region list --provider gcp --max-carbon 60
| provider  region                   place          g/kWh   PUE  g/kWh x PUE  carbon-free  factor                  of
| gcp       northamerica-northeast1  Montreal, CA       2  1.10            2        100 %  location-based average  2023
| gcp       europe-north2            Stockholm, SE      3  1.10            3        100 %  location-based average  2024
| gcp       europe-west9             Paris, FR         34  1.10           37         94 %  location-based average  2023
| gcp       europe-north1            Hamina, FI        46  1.09           50         98 %  location-based average  2023
| gcp       northamerica-northeast2  Toronto, CA       47  1.10           52         87 %  location-based average  2023
| gcp       southamerica-east1       Sao Paulo, BR     56  1.10           62         90 %  location-based average  2023
| gcp       europe-west6             Zurich, CH        59  1.10           65         92 %  location-based average  2023
| 
| 7 regions; g CO2e for a kWh of the grid, and for a kWh at the machine (x PUE);
| factors of different kinds are not comparable to within a few percent; '-' is unknown
$ stint region list --country SE --provider aws --json
| {"schema":"stint.region.list/1","regions":[{"provider":"aws","region":"eu-north-1","place":"Stockholm","country":"SE","carbon_g_kwh":8.8,"carbon_kind":"location-based average","carbon_year":"2020-2023","pue":1.135,"pue_kind":"fleet average","facility_g_kwh":9.988000000000001,"carbon_free":null,"date":"2026-11-15","source":"Cloud Carbon Footprint, 2024-03 (github.com/cloud-carbon-footprint/cloud-carbon-footprint)"}]}
$ stint region list --provider aws --sort pue --country US
| provider  region         place                 g/kWh   PUE  g/kWh x PUE  carbon-free  factor                  of
| aws       us-east-1      N. Virginia, US         379  1.14          430            -  location-based average  2020-2023
| aws       us-east-2      Ohio, US                411  1.14          466            -  location-based average  2020-2023
| aws       us-gov-east-1  GovCloud, Ohio, US      379  1.14          430            -  location-based average  2020-2023
| aws       us-gov-west-1  GovCloud, Oregon, US    322  1.14          366            -  location-based average  2020-2023
| aws       us-west-1      N. California, US       322  1.14          366            -  location-based average  2020-2023
| aws       us-west-2      Oregon, US              322  1.14          366            -  location-based average  2020-2023
| 
| 6 regions; g CO2e for a kWh of the grid, and for a kWh at the machine (x PUE);
| factors of different kinds are not comparable to within a few percent; '-' is unknown
$ stint region list --provider azur
! stint: there is no provider 'azur'
!   hint: did you mean 'azure'?
? 4
$ stint region list --country QQ
! stint: there is no country 'QQ'
!   hint: give its two letters: US, DE, JP, ...
? 4
