module ferrybench

go 1.19

require (
	echo v0.0.0
	ferryingress v0.0.0
)

replace (
	echo => ../../build/echo/go
	ferryingress => ../../hosts/go
)
