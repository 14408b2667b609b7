// SPDX-License-Identifier: BSD-3-Clause

// Prints the shapes of a stream, and how many another has (test_shapes_hosts.py), in the format that its argument names.
package main

import (
	"context"
	"fmt"
	"os"

	"ferryingress"
	"shapes"
)

func draw(ctx context.Context, host *shapes.Shapes, count, credits uint32, isPrinted bool) int {
	stream := host.Draw(count, credits)
	defer stream.Close()
	for values := 0; ; values++ {
		shape, isThere, err := stream.Next(ctx)
		switch {
		case err != nil:
			panic(err)
		case !isThere:
			return values
		case !isPrinted:
		case shape.Nothing:
			fmt.Println("nothing")
		case shape.Circle != nil:
			fmt.Printf("circle %.1f\n", shape.Circle.Radius)
		case shape.Label != nil:
			fmt.Println("label", shape.Label.Text)
		}
	}
}

func main() {
	format := map[string]ferryingress.Wire{"C": ferryingress.WireC, "CBOR": ferryingress.WireCBOR}[os.Args[1]]
	host, err := shapes.Create(context.Background(), &ferryingress.Options{Wire: format})
	if err != nil {
		panic(err)
	}
	draw(context.Background(), host, 4, 0, true)
	fmt.Println(draw(context.Background(), host, 1000, 1, false))
	if err := host.Destroy(context.Background()); err != nil {
		panic(err)
	}
}
