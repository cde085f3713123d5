package ecs

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// These tests hold components, events and resources of any Go type: kept through every move, seen by the garbage
// collector, digested, saved and loaded through codecs, and refused by name without one.

type waypoint struct{ X, Y float64 }

// A path brings its own codec.
type path []waypoint

func (p path) AppendBinary(b []byte) ([]byte, error) { return binary.Append(b, binary.LittleEndian, p) }

func (p *path) UnmarshalBinary(b []byte) error {
	if len(b)%16 != 0 {
		return fmt.Errorf("%d bytes are no path", len(b))
	}
	if len(b) > 0 {
		*p = make(path, len(b)/16)
	}
	_, err := binary.Decode(b, binary.LittleEndian, *p)
	return err
}

// A walker has something of everything.
type walker struct {
	Speed float64
	Route path
	Seen  map[string]int
	Since time.Time
	Next  *time.Time
	Name  string
	Hook  func() int `ecs:",transient"`
}

func mapCodec(w *World) {
	RegisterCodec(w, func(b []byte, v *map[string]int) ([]byte, error) {
		for _, k := range slices.Sorted(maps.Keys(*v)) {
			b = binary.AppendUvarint(append(binary.AppendUvarint(b, uint64(len(k))), k...), uint64((*v)[k]))
		}
		return b, nil
	}, func(v *map[string]int, b []byte) error {
		for len(b) > 0 {
			n, width := binary.Uvarint(b)
			if width <= 0 || n > uint64(len(b)-width) {
				return errors.New("a key is cut")
			}
			key := string(b[width : width+int(n)])
			b = b[width+int(n):]
			count, width := binary.Uvarint(b)
			if width <= 0 {
				return errors.New("a number is cut")
			}
			if b = b[width:]; *v == nil {
				*v = map[string]int{}
			}
			(*v)[key] = int(count)
		}
		return nil
	})
}

func walkerWorld() (*World, Component[walker]) {
	w := newWorld(Options{})
	mapCodec(w)
	return w, MustRegister[walker](w, "Walker")
}

func someWalker(i int) walker {
	at := time.Unix(int64(i), 7).UTC()
	v := walker{Speed: float64(i), Since: at, Name: fmt.Sprint("w", i), Hook: func() int { return i }}
	for k := range i % 5 {
		v.Route = append(v.Route, waypoint{float64(i), float64(k)})
	}
	if i%3 > 0 {
		v.Seen = map[string]int{fmt.Sprint("s", i): i, "z": 1}
		v.Next = &at
	}
	return v
}

// same reports whether two walkers are equal; hooks counts whether the functions are.
func (v walker) same(o walker, hooks bool) bool {
	if hooks && v.Hook() != o.Hook() {
		return false
	}
	v.Hook, o.Hook = nil, nil
	return reflect.DeepEqual(v, o)
}

func TestOpaqueFieldsOfASchema(t *testing.T) {
	w, c := walkerWorld()
	s := w.components[c.ID()].schema
	if got := s.String(); got != "{speed f64, name string, route ecs.path, seen map[string]int, since time.Time, next *time.Time, hook func() int}" {
		t.Error(got)
	}
	want := []OpaqueField{{"route", "ecs.path", false, true}, {"seen", "map[string]int", false, true}, {"since", "time.Time", false, true}, {"next", "*time.Time", false, true}, {"hook", "func() int", true, false}}
	if got := s.OpaqueFields(); !slices.Equal(got, want) {
		t.Errorf("%+v", got)
	}
	if s.PointerFree() || s.Size() != reflect.TypeFor[walker]().Size() {
		t.Errorf("%v, %d bytes", s.PointerFree(), s.Size())
	}
	type open struct{ A, B []int }
	type closed struct {
		A int
		b []int
	}
	type outer struct {
		Open   open
		Closed closed
		N      [2]any
		Stamp  time.Time
		Every  time.Duration
	}
	_ = closed{b: nil}
	o := must[*Schema](t)(SchemaOf[outer]())
	if got := o.String(); got != "{every i64, open_a []int, open_b []int, closed ecs.closed, n_0 interface {}, n_1 interface {}, stamp time.Time}" {
		t.Error(got)
	}
	if got := must[*Schema](t)(SchemaOf[time.Time]()).String(); got != "{value time.Time}" {
		t.Error(got)
	}
	if got := must[*Schema](t)(SchemaOf[chan int]()).String(); got != "{value chan int}" {
		t.Error(got)
	}
	// A config or a script declares what it sees.
	seen := must[*Schema](t)(NewSchema(Field{Name: "name", Type: String}, Field{Name: "speed", Type: F64}))
	if id, err := w.DeclareComponent("Walker", seen); err != nil || id != c.ID() {
		t.Error(id, err)
	}
	// A Go type takes over what a config has declared, as long as nothing relies on the layout.
	early, seen2 := newWorld(Options{}), must[*Schema](t)(NewSchema(Field{Name: "name", Type: String, Default: Text("ann")}, Field{Name: "speed", Type: F64}))
	must[ComponentID](t)(early.DeclareComponent("Walker", seen2))
	taken := MustRegister[walker](early, "Walker")
	if e := must[Entity](t)(early.Spawn(taken.ID())); taken.Get(e).Name != "ann" || taken.Get(e).Route != nil {
		t.Errorf("%+v", taken.Get(e))
	}
	for name, use := range map[string]func(w *World, id ComponentID){
		"an entity has it": func(w *World, id ComponentID) { w.Spawn(id) }, "its schema was given away": func(w *World, id ComponentID) { w.ComponentInfo(id) },
	} {
		late := newWorld(Options{})
		use(late, must[ComponentID](t)(late.DeclareComponent("Walker", seen2)))
		if _, err := Register[walker](late, "Walker"); !errors.Is(err, ErrMismatch) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Register[outer](w, "Walker"); !errors.Is(err, ErrMismatch) || !strings.Contains(err.Error(), "route ecs.path") {
		t.Error(err)
	}
	plain := must[ComponentID](t)(w.DeclareComponent("Plain", seen))
	if _, err := w.DeclareComponent("Plain", s); !errors.Is(err, ErrMismatch) {
		t.Error(plain, err)
	}
}

func pick(r *Random, lo, hi int) int { return lo + int(r.below(uint64(hi-lo+1))) }

// Values stay with their entities through spawns, moves, removals, growth and collections of garbage.
func TestOpaqueValuesMoveWithTheirRows(t *testing.T) {
	w, c := walkerWorld()
	other := MustRegister[position](w, "Position")
	random := w.Stream("test")
	live := map[Entity]walker{}
	var order []Entity
	for i := range 4000 {
		switch op := pick(random, 1, 6); {
		case op <= 3 || len(order) == 0:
			v := someWalker(i)
			e := must[Entity](t)(c.With(w.Build(), v).Spawn())
			live[e], order = v, append(order, e)
		case op == 4:
			at := pick(random, 0, len(order)-1)
			e := order[at]
			if w.Has(e, other.ID()) {
				must[bool](t)(w.Remove(e, other.ID()))
			} else {
				must[bool](t)(w.Add(e, other.ID()))
			}
		case op == 5:
			at := pick(random, 0, len(order)-1)
			must[bool](t)(w.Despawn(order[at]))
			delete(live, order[at])
			order = slices.Delete(order, at, at+1)
		default:
			v := someWalker(i)
			e := order[pick(random, 0, len(order)-1)]
			if i%2 == 0 {
				must[bool](t)(c.Set(e, v))
			} else {
				c.QueueSet(w.Commands(), e, v)
				mustNot(t, w.Commands().Apply())
			}
			live[e] = v
		}
		if i%500 == 0 {
			runtime.GC()
		}
	}
	runtime.GC()
	for e, v := range live {
		if got := c.Get(e); got == nil || !got.same(v, true) {
			t.Fatalf("%s has %+v, not %+v", e, got, v)
		}
	}
}

// Each part of a value changes the digest, except what is transient. Files hold the same.
func TestOpaqueValuesCount(t *testing.T) {
	w, c := walkerWorld()
	e := must[Entity](t)(c.With(w.Build(), someWalker(4)).Spawn())
	w.Spawn(c.ID())
	before := w.Digest()
	later := time.Unix(99, 0)
	for name, change := range map[string]func(*walker){
		"speed": func(v *walker) { v.Speed++ }, "route": func(v *walker) { v.Route[0].X++ }, "shorter route": func(v *walker) { v.Route = v.Route[:1] },
		"seen": func(v *walker) { v.Seen = map[string]int{"z": 2} }, "since": func(v *walker) { v.Since = later }, "next": func(v *walker) { v.Next = nil },
		"another next": func(v *walker) { v.Next = &later },
	} {
		old := *c.Get(e)
		old.Route = slices.Clone(old.Route)
		copied := must[*World](t)(w.Copy())
		change(c.Write(e))
		if w.Digest() == before {
			t.Errorf("%s does not change the digest", name)
		}
		if name != "route" { // a copy shares what references lead to
			if found := w.Differences(copied, 10); len(found) != 1 || !strings.HasPrefix(strings.ReplaceAll(name, "another ", ""), found[0].Field) && !strings.HasSuffix(name, found[0].Field) {
				t.Errorf("%s: differences %+v", name, found)
			}
		}
		*c.Write(e) = old
	}
	c.Write(e).Hook = nil
	if w.Digest() != before {
		t.Error("a transient field changes the digest")
	}
	var file bytes.Buffer
	mustNot(t, w.Save(&file))
	loaded := must[*World](t)(Load(bytes.NewReader(file.Bytes()), Options{}))
	if loaded.Digest() != before || !slices.Equal(loaded.PartDigests(nil), w.PartDigests(nil)) {
		t.Error("the loaded world has another digest")
	}
	var again bytes.Buffer
	mustNot(t, loaded.Save(&again))
	if !bytes.Equal(file.Bytes(), again.Bytes()) {
		t.Error("the loaded world is saved as another file")
	}
	if _, err := Register[walker](loaded, "Walker"); !errors.Is(err, ErrMismatch) {
		t.Error(err)
	}
}

// A failed turn is taken back; a value is what its Go assignment copies.
func TestOpaqueValuesAreTakenBack(t *testing.T) {
	w, c := walkerWorld()
	e := must[Entity](t)(c.With(w.Build(), someWalker(4)).Spawn())
	s := NewSchedule(w)
	s.RollBack = true
	fail := errors.New("no")
	s.Add("fails", func(w *World, dt float64) error {
		*c.Write(e) = someWalker(9)
		must[Entity](t)(c.With(w.Build(), someWalker(3)).Spawn())
		w.Despawn(e)
		return fail
	})
	before := must[*World](t)(w.Copy())
	if err := s.Run(1); !errors.Is(err, fail) {
		t.Fatal(err)
	}
	runtime.GC()
	Raw.UseUp(before, Raw.GivenOut(w))
	if w.Digest() != before.Digest() || !c.Get(e).same(someWalker(4), true) {
		t.Errorf("%+v", c.Get(e))
	}
}
