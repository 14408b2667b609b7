module ferryingress

go 1.19
