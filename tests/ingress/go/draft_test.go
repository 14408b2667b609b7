// SPDX-License-Identifier: BSD-3-Clause

// Chains by chance whose arguments are drafts: a chain gives what the same calls one after another give, also where a part
// that is taken is not there.
package conformance

import (
	"math/rand"
	"reflect"

	"echo"
	"ferryingress"
)

// nestedMax is how often drawn shapes stand in each other: a message has at most 32 levels.
const nestedMax = 4

// knownShape is a promised shape, and what it is when the calls are made in turn.
type knownShape struct {
	promise *ferryingress.Promise[echo.Shape]
	value   echo.Shape
	status  ferryingress.Status
	nested  int
}

type knownText struct {
	promise *ferryingress.Promise[string]
	value   string
	status  ferryingress.Status
	// isGone: its call gave a result, of which it is no part.
	isGone bool
}

// sketch is a call that is being made: what is promised in its arguments, what its call in turn fails with before it
// runs, and how often drawn shapes stand in each other in it.
type sketch struct {
	parts  []ferryingress.Part
	status ferryingress.Status
	nested int
}

type sketcher struct {
	*checker
	draw   *rand.Rand
	texts  []knownText
	shapes []knownShape
	sketch
}

// takes notes what the call fails with, for what it takes: that it needs one that failed comes first.
func (s *sketcher) takes(status ferryingress.Status) {
	if status != ferryingress.OK && s.status != ferryingress.Skipped {
		s.status = status
	}
}

// drawn is an earlier call's shape, if there is one.
func (s *sketcher) drawn() *knownShape {
	var fit []*knownShape
	for index := range s.shapes {
		if s.shapes[index].nested <= nestedMax {
			fit = append(fit, &s.shapes[index])
		}
	}
	if len(fit) == 0 || s.draw.Intn(10) < 3 {
		return nil
	}
	chosen := fit[s.draw.Intn(len(fit))]
	if chosen.nested > s.nested {
		s.nested = chosen.nested
	}
	return chosen
}

// part is that of a drawn shape, which may not be there.
func (s *sketcher) part(of *knownShape, index int) (*ferryingress.Promise[echo.Shape], *echo.Shape) {
	promise := ferryingress.Element(echo.ShapeGroupParts(echo.ShapeAsGroup(of.promise)), index)
	if of.status != ferryingress.OK {
		s.takes(ferryingress.Skipped)
		return promise, nil
	}
	if of.value.Group == nil || index >= len(of.value.Group.Parts) {
		return promise, nil
	}
	return promise, &of.value.Group.Parts[index]
}

// carried is what a case of a part carries.
func (s *sketcher) carried(of *knownShape) (*ferryingress.Promise[echo.ShapeLabel], echo.ShapeLabel) {
	place := s.draw.Intn(3)
	promise, shape := s.part(of, place/2)
	label, found := echo.ShapeAsLabel(promise), (*echo.ShapeLabel)(nil)
	if place == 0 {
		label = echo.ShapeAsCaption(promise)
	}
	switch {
	case shape == nil:
	case place == 0:
		found = shape.Caption
	default:
		found = shape.Label
	}
	if found == nil {
		s.takes(ferryingress.BadPayload)
		return label, echo.ShapeLabel{}
	}
	return label, *found
}

// text puts a text, or the promise of one.
func (s *sketcher) text(at *string) {
	*at = "some"
	if of := s.drawn(); of != nil && s.draw.Intn(3) == 0 {
		promise, value := s.carried(of)
		s.parts = append(s.parts, ferryingress.Put(at, echo.ShapeLabelText(promise)))
		*at = value.Text
	} else if len(s.texts) > 0 && s.draw.Intn(3) > 0 {
		known := s.texts[s.draw.Intn(len(s.texts))]
		if known.isGone {
			s.takes(ferryingress.BadPayload)
		} else if known.status != ferryingress.OK {
			s.takes(ferryingress.Skipped)
		}
		s.parts = append(s.parts, ferryingress.Put(at, known.promise))
		*at = known.value
	}
}

// whole puts a drawn shape, or a part of one.
func (s *sketcher) whole(at *echo.Shape, of *knownShape) {
	index := s.draw.Intn(4)
	if index == 3 {
		if of.status != ferryingress.OK {
			s.takes(ferryingress.Skipped)
		}
		s.parts = append(s.parts, ferryingress.Put(at, of.promise))
		*at = of.value
		return
	}
	promise, found := s.part(of, index)
	s.parts = append(s.parts, ferryingress.Put(at, promise))
	if found == nil {
		s.takes(ferryingress.BadPayload)
	} else {
		*at = *found
	}
}

// shape puts a shape; what is promised stands in it, in what its case carries, or in its place.
func (s *sketcher) shape(at *echo.Shape) {
	*at = echo.Shape{Nothing: true}
	kind, of := s.draw.Intn(5), s.drawn()
	switch {
	case kind == 0:
		*at = echo.Shape{Group: &echo.ShapeGroup{Parts: make([]echo.Shape, s.draw.Intn(3))}}
		for index := range at.Group.Parts {
			s.shape(&at.Group.Parts[index])
		}
	case kind == 1 && of != nil:
		promise, value := s.carried(of)
		*at = echo.Shape{Label: &value}
		s.parts = append(s.parts, ferryingress.Put(at.Label, promise))
	case kind <= 3 && of != nil:
		s.whole(at, of)
	default:
		*at = echo.Shape{Caption: &echo.ShapeLabel{}}
		s.text(&at.Caption.Text)
	}
}

// begin begins a call.
func (s *sketcher) begin() { s.sketch = sketch{} }

func (s *sketcher) echo(host *echo.Echo, chain *echo.EchoChain) {
	s.begin()
	request := echo.EchoRequest{}
	s.text(&request.Message)
	made := chain.Echo(ferryingress.Draft(&request, s.parts...))
	known := knownText{promise: echo.EchoResponseEchoed(made), status: s.status}
	if s.status == ferryingress.OK {
		said, err := host.Echo(s.patient(), request)
		known.value, known.status = said.Echoed, status(err)
	}
	s.texts = append(s.texts, known)
}

// keep asks for a value of every type, and knows the text in a map of it, of a key that may not be there.
func (s *sketcher) keep(host *echo.Echo, chain *echo.EchoChain) {
	s.begin()
	value, key := allTypes(), [...]string{"k", "k", "gone"}[s.draw.Intn(3)]
	s.text(&value.AnObject.Message)
	made := chain.All(ferryingress.Draft(&value, s.parts...))
	object := ferryingress.ValueIn(echo.AllTypesObjectsByText(made), key)
	known := knownText{promise: echo.EchoRequestMessage(object), status: s.status}
	if s.status == ferryingress.OK {
		all, err := host.All(s.patient(), value)
		found, ok := all.ObjectsByText[key]
		known.value, known.status, known.isGone = found.Message, status(err), err == nil && !ok
		if known.isGone {
			known.status = ferryingress.BadPayload
		}
	}
	s.texts = append(s.texts, known)
}

func (s *sketcher) show(host *echo.Echo, chain *echo.EchoChain) {
	s.begin()
	drawing := echo.Drawing{Shapes: make([]echo.Shape, s.draw.Intn(3)), IsColored: echo.DrawingByIsColored{False: true}}
	s.text(&drawing.Name)
	for index := range drawing.Shapes {
		s.shape(&drawing.Shapes[index])
	}
	parts := s.parts
	s.parts = nil
	extra := (*echo.Shape)(nil)
	if s.draw.Intn(2) == 0 {
		extra = &echo.Shape{}
		s.shape(extra)
	}
	known := knownShape{
		promise: chain.Draw(ferryingress.Draft(&drawing, parts...), ferryingress.Draft(&extra, s.parts...)),
		status:  s.status, nested: s.nested + 1,
	}
	if s.status == ferryingress.OK {
		drawn, err := host.Draw(s.patient(), drawing, extra)
		known.value, known.status = drawn, status(err)
	}
	s.shapes = append(s.shapes, known)
}

func aChainOfDraftsGivesWhatCallsInTurnGive(c *checker) {
	host := c.host(options{})
	defer c.destroy(host)
	statuses := map[ferryingress.Status]int{}
	for seed := int64(0); seed < 80; seed++ {
		made := sketcher{checker: c, draw: rand.New(rand.NewSource(seed))}
		chain := host.Chain()
		for call := 0; call < 1+made.draw.Intn(14); call++ {
			switch made.draw.Intn(8) {
			case 0:
				made.echo(host, chain)
			case 1:
				made.keep(host, chain)
			default:
				made.show(host, chain)
			}
		}
		c.require(chain.Submit(c.patient()))
		for index, known := range made.texts {
			value, err := known.promise.Result()
			if value != known.value || status(err) != known.status {
				c.Fatalf("seed %d, text %d: %v, %v in the chain, and %v in turn", seed, index, value, err, known)
			}
		}
		for index, known := range made.shapes {
			value, err := known.promise.Result()
			if !reflect.DeepEqual(value, known.value) || status(err) != known.status {
				c.Fatalf("seed %d, shape %d: %v, %v in the chain, and %v in turn", seed, index, value, err, known)
			}
			statuses[known.status]++
		}
	}
	for _, status := range []ferryingress.Status{
		ferryingress.OK, ferryingress.Raised, ferryingress.Skipped, ferryingress.BadPayload,
	} {
		if statuses[status] < 20 {
			c.Fatal(statuses)
		}
	}
}
