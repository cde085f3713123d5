package ecs

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// Tests of opaque values in files, and of the codecs that write and read them.

type arrived struct {
	Who  Entity
	Path path
}

// A world that was loaded from a file gets its Go values back in a world with the Go types: components, events,
// resources and queued values.
func TestOpaqueValuesFromAFile(t *testing.T) {
	build := func() (*World, Component[walker], Event[arrived], *walker) {
		w, c := walkerWorld()
		return w, c, must[Event[arrived]](t)(RegisterEvent[arrived](w, "Arrived")), must[*walker](t)(RegisterResource[walker](w, "leader"))
	}
	w, c, ev, leader := build()
	live := map[Entity]walker{}
	for i := range 200 {
		v := someWalker(i)
		e := must[Entity](t)(c.With(w.Build(), v).Spawn())
		live[e] = v
		ev.Send(arrived{e, v.Route})
	}
	*leader = someWalker(77)
	late := must[Entity](t)(w.Commands().Spawn())
	c.QueueSet(w.Commands(), late, someWalker(300))
	var file bytes.Buffer
	mustNot(t, w.Save(&file))
	loaded := must[*World](t)(Load(&file, Options{}))
	to, c2, ev2, leader2 := build()
	if err := to.Restore(loaded); !errors.Is(err, ErrMismatch) {
		t.Error("Restore:", err)
	}
	if warnings, err := to.Adopt(loaded, Adopting{}); err != nil || len(warnings) > 0 {
		t.Fatal(warnings, err)
	}
	if to.Digest() != w.Digest() {
		t.Error("another digest")
	}
	mustNot(t, w.Commands().Apply())
	mustNot(t, to.Commands().Apply())
	runtime.GC()
	if to.Digest() != w.Digest() {
		t.Error("another digest after the commands")
	}
	live[late] = someWalker(300)
	for e, v := range live {
		if got := c2.Get(e); got == nil || !got.same(v, false) {
			t.Fatalf("%s has %+v, not %+v", e, got, v)
		}
	}
	for i, a := range ev2.Peek() {
		if !slices.Equal(a.Path, someWalker(i).Route) {
			t.Errorf("event %d: %+v", i, a)
		}
	}
	if !leader2.same(someWalker(77), false) {
		t.Errorf("the leader: %+v", *leader2)
	}
}

// What cannot be saved or digested is named, with what to do.
func TestOpaqueValuesWithoutACodec(t *testing.T) {
	type nav struct{ Cells []int }
	w := newWorld(Options{})
	c := MustRegister[nav](w, "Nav")
	w.Digest() // no value is there yet
	e := must[Entity](t)(c.With(w.Build(), nav{[]int{1}}).Spawn())
	const want = `field "cells" holds a []int, which has no codec: give that type the methods AppendBinary and UnmarshalBinary, call RegisterCodec before it is registered, or tag the field ` + "`ecs:\",transient\"`"
	if got := said(func() { w.Digest() }); got != "ecs: digest of a ecs.nav: "+want {
		t.Error(got)
	}
	if got := said(func() { w.PartDigests(nil) }); !strings.Contains(got, want) {
		t.Error(got)
	}
	if err := w.Save(&bytes.Buffer{}); err == nil || err.Error() != "save world: a ecs.nav: "+want {
		t.Error(err)
	}
	if got := c.Get(must[*World](t)(w.Copy()).tables[1].entities[0]); got == nil || got.Cells[0] != 1 || !w.Alive(e) {
		t.Error(got)
	}
}

// A codec that fails is an error of the save and of the adoption, and names the field. Nothing changes.
func TestCodecsThatFail(t *testing.T) {
	type box struct{ V chan int }
	bad := errors.New("no channel today")
	declare := func(failing *bool) (*World, Component[box]) {
		w := newWorld(Options{})
		RegisterCodec(w, func(b []byte, v *chan int) ([]byte, error) {
			if *failing {
				return nil, bad
			}
			return append(b, 1), nil
		}, func(v *chan int, b []byte) error {
			if *failing {
				return bad
			}
			*v = make(chan int)
			return nil
		})
		return w, MustRegister[box](w, "Box")
	}
	failing := true
	w, c := declare(&failing)
	w.Spawn(c.ID())
	if err := w.Save(&bytes.Buffer{}); !errors.Is(err, bad) || !strings.Contains(err.Error(), `field "v", a chan int`) {
		t.Error(err)
	}
	failing = false
	var file bytes.Buffer
	mustNot(t, w.Save(&file))
	loaded := must[*World](t)(Load(&file, Options{}))
	to, c2 := declare(&failing)
	mine := must[Entity](t)(to.Spawn())
	failing = true
	if _, err := to.Adopt(loaded, Adopting{}); !errors.Is(err, bad) || !strings.Contains(err.Error(), `field "v", a chan int`) {
		t.Error(err)
	}
	if !to.Alive(mine) || to.Has(mine, c2.ID()) {
		t.Error("a failed adoption has changed the world")
	}
	failing = false
	must[[]string](t)(to.Adopt(loaded, Adopting{}))
	type other struct{ V map[int]int }
	strange := newWorld(Options{})
	MustRegister[other](strange, "Box")
	if _, err := strange.Adopt(loaded, Adopting{}); !errors.Is(err, ErrMismatch) || !strings.Contains(err.Error(), "was a chan int and is a map[int]int now") {
		t.Error(err)
	}
	lacking := newWorld(Options{})
	MustRegister[box](lacking, "Box")
	if _, err := lacking.Adopt(loaded, Adopting{}); !errors.Is(err, ErrMismatch) || !strings.Contains(err.Error(), "cannot be decoded") {
		t.Error(err)
	}
}

// A guild brings a codec for the whole of itself.
type guild struct {
	Gold    int64
	Members []string
}

func (g *guild) AppendBinary(b []byte) ([]byte, error) {
	return fmt.Appendf(b, "%d %s", g.Gold, strings.Join(g.Members, "/")), nil
}

func (g *guild) UnmarshalBinary(b []byte) error {
	gold, members, _ := strings.Cut(string(b), " ")
	g.Members = strings.Split(members, "/")
	_, err := fmt.Sscan(gold, &g.Gold)
	return err
}

func TestCodecOfAWholeComponent(t *testing.T) {
	w := newWorld(Options{})
	c := MustRegister[guild](w, "Guild")
	e := must[Entity](t)(c.With(w.Build(), guild{5, []string{"a", "b"}}).Spawn())
	before := w.Digest()
	c.Write(e).Members[1] = "c"
	if w.Digest() == before {
		t.Error("the members do not count")
	}
	var file bytes.Buffer
	mustNot(t, w.Save(&file))
	loaded := must[*World](t)(Load(&file, Options{}))
	to := newWorld(Options{})
	c2 := MustRegister[guild](to, "Guild")
	must[[]string](t)(to.Adopt(loaded, Adopting{}))
	if got := c2.Get(e); got.Gold != 5 || !slices.Equal(got.Members, []string{"a", "c"}) {
		t.Errorf("%+v", got)
	}
	if loaded.Digest() != w.Digest() || to.Digest() != w.Digest() {
		t.Error("other digests")
	}
}
