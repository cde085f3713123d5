package ecs

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// A cell is a place on a board.
type indexCell struct {
	X, Y int32
	Who  Entity
	Heat float32
}

// boardOf makes a world with an index of 4 × 3 places, and one of the entity of each cell.
func boardOf(t *testing.T, wrap bool) (*World, Component[indexCell], *Index, *Index) {
	t.Helper()
	w := newWorld(Options{Seed: 1})
	c := MustRegister[indexCell](w, "Cell")
	x := must[*Index](t)(w.DeclareIndex(IndexSpec{Name: "cells", Component: "Cell", Fields: []string{"x", "y"}, Width: 4, Height: 3, Wrap: wrap}))
	return w, c, x, must[*Index](t)(w.DeclareIndex(IndexSpec{Name: "by", Component: "Cell", Fields: []string{"who"}}))
}

func at(x *Index, values ...any) string {
	list := make([]Value, len(values))
	for i, v := range values {
		switch v := v.(type) {
		case int:
			list[i] = Number(float64(v))
		case float64:
			list[i] = Number(v)
		case Entity:
			list[i] = EntityOf(v)
		case string:
			list[i] = Text(v)
		case Value:
			list[i] = v
		}
	}
	walk, err := x.All(list...)
	if err != nil {
		return err.Error()
	}
	all := slices.Collect(walk.Entities())
	first, _ := x.At(list...)
	n, _ := x.Count(list...)
	if n != len(all) || n > 0 && first != all[0] || n == 0 && first != None {
		return fmt.Sprint("at ", first, ", count ", n, ", all ", all)
	}
	return fmt.Sprint(all)
}

func TestDeclareIndex(t *testing.T) {
	w := NewWorld(Options{MaxBytes: 1 << 20})
	MustRegister[indexCell](w, "Cell")
	must[TagID](t)(w.DeclareTag("lit"))
	spec := IndexSpec{Name: "cells", Component: "Cell", Fields: []string{"x", "y"}, Width: 80, Height: 40}
	x := must[*Index](t)(w.DeclareIndex(spec))
	if must[*Index](t)(w.DeclareIndex(spec)) != x || w.LookupIndex("cells") != x || !slices.Equal(w.IndexNames(), []string{"cells"}) {
		t.Error("declared again, it is another index")
	}
	other := func(change func(s *IndexSpec)) IndexSpec {
		s := spec
		s.Name = "b"
		change(&s)
		return s
	}
	for want, s := range map[string]IndexSpec{
		"declare index: an index needs a name":                                                                     other(func(s *IndexSpec) { s.Name = "" }),
		"declare index Cell: declared differently: the name belongs to a component":                                other(func(s *IndexSpec) { s.Name = "Cell" }),
		"declare index IsA: declared differently: the name belongs to a relation":                                  other(func(s *IndexSpec) { s.Name = IsA }),
		"declare index lit: declared differently: the name belongs to a tag":                                       other(func(s *IndexSpec) { s.Name = "lit" }),
		"declare index b: \"IsA\" is a relation; an index needs a component":                                       other(func(s *IndexSpec) { s.Component = IsA }),
		"declare index b: component \"Sell\" is not declared":                                                      other(func(s *IndexSpec) { s.Component = "Sell" }),
		"declare index b: an index has 1 to 4 fields, not 0":                                                       other(func(s *IndexSpec) { s.Fields = nil }),
		"declare index b: \"Cell\" has no field \"z\"":                                                             other(func(s *IndexSpec) { s.Fields = []string{"x", "z"} }),
		"declare index b: field \"heat\" is f32; an index takes integers, strings and entities":                    other(func(s *IndexSpec) { s.Fields = []string{"x", "heat"} }),
		"declare index b: field \"x\" is named twice":                                                              other(func(s *IndexSpec) { s.Fields = []string{"x", "x"} }),
		"declare index b: width and height need two fields, x and y, not 1":                                        other(func(s *IndexSpec) { s.Fields = []string{"x"} }),
		"declare index b: width and height need two integer fields, and \"who\" is entity":                         other(func(s *IndexSpec) { s.Fields = []string{"x", "who"} }),
		"declare index b: wrap needs width and height":                                                             other(func(s *IndexSpec) { s.Width, s.Height, s.Wrap = 0, 0, true }),
		"declare index b: 0 × 40 places; both must be at least 1, and the product at most 67108864":                other(func(s *IndexSpec) { s.Width = 0 }),
		"declare index b: 80 × 838861 places; both must be at least 1, and the product at most 67108864":           other(func(s *IndexSpec) { s.Height = 838861 }),
		"declare index cells: declared differently: it is Cell.x, Cell.y of 80 × 40, not Cell.x, Cell.y of 8 × 40": other(func(s *IndexSpec) { s.Name, s.Width = "cells", 8 }),
	} {
		if _, err := w.DeclareIndex(s); err == nil || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
	before := w.Bytes()
	if _, err := w.DeclareIndex(other(func(s *IndexSpec) { s.Width, s.Height = 1<<9, 1<<9 })); !errors.Is(err, ErrBytes) || w.Bytes() != before || w.LookupIndex("b") != nil {
		t.Errorf("beyond the limit: %v", err)
	}
	if _, err := w.DeclareTag("cells"); !errors.Is(err, ErrMismatch) {
		t.Error(err)
	}
	if _, err := w.DeclareRelation("cells"); !errors.Is(err, ErrMismatch) {
		t.Error(err)
	}
	check(t, w)
}

// Those that were there before the index arrive in the order of tables and rows.
func TestAnIndexOfAnOldWorld(t *testing.T) {
	w := newWorld(Options{})
	c := MustRegister[indexCell](w, "Cell")
	tag := must[ComponentID](t)(w.DeclareComponent("Mark", must[*Schema](t)(NewSchema())))
	a := must[Entity](t)(w.Spawn(c.ID(), tag))
	b, d := must[Entity](t)(w.Spawn(c.ID())), must[Entity](t)(w.Spawn(c.ID(), tag))
	x := must[*Index](t)(w.DeclareIndex(IndexSpec{Name: "by", Component: "Cell", Fields: []string{"who"}}))
	if got, want := at(x, None), fmt.Sprint([]Entity{a, d, b}); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	check(t, w)
}

func TestArrival(t *testing.T) {
	w, c, x, by := boardOf(t, false)
	spawn := func(px, py int32) Entity {
		e := must[Entity](t)(w.Spawn())
		must[bool](t)(c.Set(e, indexCell{X: px, Y: py}))
		return e
	}
	said := func(what, want string, values ...any) {
		t.Helper()
		if got := at(x, values...); got != want {
			t.Errorf("%s: %s, want %s", what, got, want)
		}
	}
	a, b, d := spawn(1, 1), spawn(1, 1), spawn(2, 1)
	said("two", "[0v1 1v1]", 1, 1)
	c.Modify(d, func(v *indexCell) { v.X = 1 })
	said("three", "[0v1 1v1 2v1]", 1, 1)
	must[bool](t)(c.Set(a, indexCell{X: 1, Y: 1, Heat: 7}))
	said("written and still there", "[0v1 1v1 2v1]", 1, 1)
	ref := w.Ref(a, c.ID())
	ok(t, ref.SetNumber(0, 9))
	said("outside", "[1v1 2v1]", 1, 1)
	said("outside", "[]", 9, 1)
	ok(t, ref.Set(0, Number(1)))
	said("back", "[1v1 2v1 0v1]", 1, 1)
	must[bool](t)(w.Set(b, c.ID(), FieldValue{0, Number(3)}, FieldValue{1, Number(2)}))
	said("one step", "[2v1 0v1]", 1, 1)
	said("the corner", "[1v1]", 3, 2)
	must[bool](t)(w.Despawn(d))
	said("dead", "[0v1]", 1, 1)
	if got := spawn(1, 1); got.Index() != d.Index() {
		t.Fatal(got)
	}
	said("the slot again", "[0v1 2v2]", 1, 1)
	must[bool](t)(w.Remove(a, c.ID()))
	said("removed", "[2v2]", 1, 1)
	must[bool](t)(w.Add(a, c.ID()))
	said("added", "[0v1]", 0, 0)
	c.Write(a).X = 2
	said("through a pointer", "[0v1]", 0, 0)
	x.Update()
	said("updated", "[0v1]", 2, 0)
	c.Write(a).Who = b
	w.BeginFrame(1)
	if got := at(by, b); got != "[0v1]" {
		t.Error(got)
	}
	if got := at(by, Value{}); got != "[2v2 1v1]" && got != "[1v1 2v2]" {
		t.Error(got)
	}
	for want, values := range map[string][]any{
		`index "cells": x is 1.5; a whole number expected`: {1.5, 1},
		`index "cells": y is string; number expected`:      {1, "a"},
		`index "cells": 1 values given for 2 fields`:       {1},
		`index "cells": x is nil; number expected`:         {Value{}, 1},
		`[]`: {1e300, -1},
	} {
		said("arguments", want, values...)
	}
	if got := at(by, 3); got != `index "by": who is number; entity expected` {
		t.Error(got)
	}
	check(t, w)
}

func TestAnIndexThatWraps(t *testing.T) {
	w, c, x, _ := boardOf(t, true)
	for _, v := range []indexCell{{X: -1, Y: 3}, {X: 3}, {X: 7, Y: -3}, {X: -2147483648, Y: 2147483647}} {
		must[bool](t)(c.Set(must[Entity](t)(w.Spawn()), v))
	}
	for _, v := range [][2]any{{3, 0}, {-1, 0}, {7, 3}, {Int(-9223372036854775805), 0}, {Uint(18446744073709551615), 9}, {1e15 + 3, -3e15}} {
		if got := at(x, v[0], v[1]); got != "[0v1 1v1 2v1]" {
			t.Error(v, got)
		}
	}
	if got := at(x, 0, 1); got != "[3v1]" {
		t.Error(got)
	}
	check(t, w)
}

// What a walk visits was there when it began, and still is.
func TestIndexWalks(t *testing.T) {
	w, c, x, by := boardOf(t, false)
	var all []Entity
	for i := range int32(6) {
		all = append(all, must[Entity](t)(w.Spawn()))
		must[bool](t)(c.Set(all[i], indexCell{X: i % 2, Y: 1, Who: all[i/2*2]}))
	}
	walk := must[*IndexWalk](t)(x.Around(1, 0, 1, Moore))
	var got []string
	for walk.Next() {
		px, py := walk.Place()
		got = append(got, fmt.Sprint(walk.Entity(), px, py))
		if len(got) == 1 {
			must[bool](t)(w.Despawn(all[2]))
			must[bool](t)(c.Set(all[3], indexCell{X: 0, Y: 1}))                     // comes no second time
			must[bool](t)(c.Set(must[Entity](t)(w.Spawn()), indexCell{X: 1, Y: 1})) // was not there
			must[bool](t)(c.Set(all[5], indexCell{X: 3, Y: 1}))                     // left
		}
	}
	if want := "0v1 0 1, 4v1 0 1, 1v1 1 1"; strings.Join(got, ", ") != want {
		t.Errorf("%s, want %s", strings.Join(got, ", "), want)
	}
	if n := testing.AllocsPerRun(100, func() {
		walk, _ := x.Around(1, 0, 1, Moore)
		for walk.Next() {
		}
	}); n > 0 {
		t.Errorf("a walk allocates %v times", n)
	}
	for want, err := range map[string]error{
		`index "cells": around: r is -1; a whole number from 0 expected`:       errorOf(x.Around(0, 0, -1, Moore)),
		`index "by": around needs two integer fields; its fields are Cell.who`: errorOf(by.Around(0, 0, 1, Moore)),
	} {
		if err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// Around a place of an index without a size: each place is looked up, or each entity is looked at; both find the same.
func TestAroundWithoutASize(t *testing.T) {
	w := newWorld(Options{})
	c := MustRegister[indexCell](w, "Cell")
	x := must[*Index](t)(w.DeclareIndex(IndexSpec{Name: "cells", Component: "Cell", Fields: []string{"x", "y"}}))
	random := w.Stream("places")
	for range 60 {
		must[bool](t)(c.Set(must[Entity](t)(w.Spawn()), indexCell{X: int32(random.Between(-9, 9)), Y: int32(random.Between(-9, 9))}))
	}
	must[bool](t)(c.Set(must[Entity](t)(w.Spawn()), indexCell{X: 2147483647, Y: -2147483648}))
	for _, kind := range []Neighbourhood{Moore, Neumann} {
		for _, r := range []int{0, 1, 4, 30, math.MaxInt} {
			var want, got []string
			for dy := -min(r, 30); dy <= min(r, 30); dy++ {
				for dx := -min(r, 30); dx <= min(r, 30); dx++ {
					if (dx != 0 || dy != 0) && (kind == Moore || max(dx, -dx)+max(dy, -dy) <= r) {
						walk := must[*IndexWalk](t)(x.All(Int(int64(2+dx)), Int(int64(dy))))
						for e := range walk.Entities() {
							want = append(want, fmt.Sprint(e, 2+dx, dy))
						}
					}
				}
			}
			walk := must[*IndexWalk](t)(x.Around(2, 0, r, kind))
			for walk.Next() {
				px, py := walk.Place()
				if px < 1<<30 {
					got = append(got, fmt.Sprint(walk.Entity(), px, py))
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("r %d of kind %d: %v, want %v", r, kind, got, want)
			}
		}
	}
	walk := must[*IndexWalk](t)(x.Around(2147483646, -2147483648, 1, Moore))
	if got := slices.Collect(walk.Entities()); len(got) != 1 {
		t.Error(got)
	}
}

// Observers find the new place of what was set and added, and the old one of what is removed and despawned. Indexes follow while no observer is
// called, too.
func TestObserversAskIndexes(t *testing.T) {
	w, c, x, _ := boardOf(t, false)
	var log []string
	for _, kind := range []ObserverKind{OnAdded, OnSet, OnRemoved} {
		must[*Observer](t)(w.Observe(ObserverSpec{Kind: kind, Name: "Cell", Run: func(w *World, change Change) error {
			v := c.Get(change.Entity)
			log = append(log, fmt.Sprint(kind, " ", at(x, int(v.X), int(v.Y))))
			return nil
		}}))
	}
	e := must[Entity](t)(w.Spawn())
	must[bool](t)(c.Set(e, indexCell{X: 2, Y: 1}))
	must[bool](t)(c.Set(e, indexCell{X: 3, Y: 1}))
	must[bool](t)(w.Remove(e, c.ID()))
	q := w.Commands()
	e = must[Entity](t)(q.Spawn(c.ID()))
	c.QueueSet(q, e, indexCell{X: 1, Y: 2})
	q.Despawn(e)
	ok(t, q.Apply())
	want := "added [0v1], set [0v1], set [0v1], removed [0v1], added [1v1], set [1v1], removed [1v1]"
	if got := strings.Join(log, ", "); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	w.Mute(func() { must[bool](t)(c.Set(must[Entity](t)(w.Spawn()), indexCell{X: 3, Y: 2})) })
	if got := at(x, 3, 2); got != "[1v2]" {
		t.Error(got)
	}
	check(t, w)
}

// A write to an indexed field, and a look-up, allocate nothing in a world that has run for a while.
func TestIndexesAllocateNothing(t *testing.T) {
	w, c, x, by := boardOf(t, true)
	var all []Entity
	for range 50 {
		all = append(all, must[Entity](t)(w.Spawn(c.ID())))
	}
	n := int32(0)
	frame := func() {
		w.BeginFrame(1)
		for i, e := range all {
			n++
			must[bool](t)(c.Set(e, indexCell{X: n, Y: n / 4, Who: all[(i+int(n))%len(all)]}))
			must[Entity](t)(x.At(Int(int64(n)), Int(3)))
			must[int](t)(by.Count(EntityOf(e)))
		}
		w.EndFrame()
	}
	for range 60 {
		frame()
	}
	if n := testing.AllocsPerRun(50, frame); n > 0 {
		t.Errorf("a frame allocates %v times", n)
	}
	check(t, w)
}

func BenchmarkIndex(b *testing.B) {
	w := newWorld(Options{})
	c := MustRegister[indexCell](w, "Cell")
	x, _ := w.DeclareIndex(IndexSpec{Name: "cells", Component: "Cell", Fields: []string{"x", "y"}, Width: 100, Height: 100})
	var all []Entity
	for i := range int32(10_000) {
		e, _ := w.Spawn()
		_, _ = c.Set(e, indexCell{X: i % 100, Y: i / 100})
		all = append(all, e)
	}
	b.Run("Set", func(b *testing.B) {
		for i := range b.N {
			_, _ = c.Set(all[i%len(all)], indexCell{X: int32(i*7) % 100, Y: int32(i*13) % 100})
		}
	})
	b.Run("At", func(b *testing.B) {
		for i := range b.N {
			_, _ = x.At(Number(float64(i%100)), Number(5))
		}
	})
}

// Around a place outside of an index comes what is inside, and nothing else, on each side.
func TestIndexWalksFromOutside(t *testing.T) {
	const width, height = 3, 2
	w := NewWorld(Options{})
	c := MustRegister[indexCell](w, "Cell")
	x := must[*Index](t)(w.DeclareIndex(IndexSpec{Name: "cells", Component: "Cell", Fields: []string{"x", "y"}, Width: width, Height: height}))
	for i := range int32(width * height) {
		must[bool](t)(c.Set(must[Entity](t)(w.Spawn()), indexCell{X: i % width, Y: i / width}))
	}
	for cy := -5; cy < 8; cy++ {
		for cx := -5; cx < 9; cx++ {
			for r := range 7 {
				for kind := Moore; kind <= Neumann; kind++ {
					want := 0
					for y := range height {
						for x := range width {
							dx, dy := max(x-cx, cx-x), max(y-cy, cy-y)
							if dx+dy > 0 && (kind == Moore && max(dx, dy) <= r || kind == Neumann && dx+dy <= r) {
								want++
							}
						}
					}
					got := 0
					for walk := must[*IndexWalk](t)(x.Around(int64(cx), int64(cy), r, kind)); walk.Next(); {
						got++
					}
					if got != want {
						t.Errorf("around %d %d, r %d, kind %d: %d, want %d", cx, cy, r, kind, got, want)
					}
				}
			}
		}
	}
}
