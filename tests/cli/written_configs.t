needs: python3
What a plan writes is read back as what was planned: memory, step and hours, for every tool, method and number of GPUs.
$ python3 "$cases/written_configs.py"
! 86 files are what was planned, 7 have no plan
