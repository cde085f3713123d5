package ecs_test

import (
	"fmt"
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
)

// A Cursor walks a query without Go types. Terms are counted in the order of the filter, optional ones last.
func ExampleCursor() {
	w := ecs.NewWorld(ecs.Options{})
	pos, health := ecs.MustRegister[Position](w, "Position"), ecs.MustRegister[Health](w, "Health")
	ecs.Must(pos.With(w.Build(), Position{X: 1}).Spawn())
	ecs.Must(health.With(pos.With(w.Build(), Position{X: 2}), Health{9}).Spawn())
	q := ecs.Must(w.Query(ecs.Filter{Required: []ecs.ComponentID{pos.ID()}, Optional: []ecs.ComponentID{health.ID()}}))
	c := ecs.Raw.Begin(q)
	defer c.End()
	for c.Next() {
		try(c.Row(0).SetNumber(1, 5))
		c.Stamp(0) // a write through a row stamps nothing
		fmt.Println(c.Entity(), c.Row(0).Get(0), c.Row(1).Valid())
	}
	// Output:
	// 0v1 1 false
	// 1v1 2 true
}

// A host that compiles loops works on addresses. They are valid until the layout changes.
func ExampleRawAccess() {
	w := ecs.NewWorld(ecs.Options{})
	health := ecs.MustRegister[Health](w, "Health")
	e := ecs.Must(health.With(w.Build(), Health{7}).Spawn())
	layout := ecs.Raw.Layout(w)
	t, row := w.TableOf(e)
	base, stride := ecs.Raw.Column(t.Column(health.ID()))
	w.BeforeWrite(health.ID())
	*(*float64)(unsafe.Add(base, uintptr(row)*stride)) = 8
	t.Column(health.ID()).Stamp(row)
	fmt.Println(*health.Get(e), ecs.Raw.Layout(w) == layout)
	// Output:
	// {8} true
}

// A finder looks up one component for many entities, such as the targets that a loop has collected.
func ExampleFinder() {
	w := ecs.NewWorld(ecs.Options{})
	health := ecs.MustRegister[Health](w, "Health")
	a, b := ecs.Must(w.Spawn(health.ID())), ecs.Must(w.Spawn())
	healths := ecs.Raw.Finder(w, health.ID())
	w.BeforeWrite(health.ID())
	for _, e := range []ecs.Entity{a, b} {
		if at := healths.Find(e); at.Memory != nil {
			(*Health)(at.Memory).Current = 4
			healths.Column(at.Table).Stamp(at.Row)
		}
	}
	fmt.Println(*health.Get(a), health.Get(b))
	// Output:
	// {4} <nil>
}
