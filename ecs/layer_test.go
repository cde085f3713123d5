package ecs

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// layerOf declares a layer of a type.
func layerOf(t *testing.T, w *World, typ FieldType, width, height int, wrap bool) *AnyLayer {
	t.Helper()
	return must[*AnyLayer](t)(w.DeclareLayer(LayerSpec{Name: typ.String(), Type: typ, Width: width, Height: height, Wrap: wrap}))
}

func TestDeclareLayer(t *testing.T) {
	w := newWorld(Options{MaxBytes: 1 << 20})
	spec := LayerSpec{Name: "ground", Type: U8, Width: 80, Height: 40, Default: Number(1)}
	l := must[*AnyLayer](t)(w.DeclareLayer(spec))
	ok(t, l.Set(3, 1, Number(9)))
	if again := must[*AnyLayer](t)(w.DeclareLayer(spec)); again != l || must[Value](t)(again.Get(3, 1)).Float() != 9 {
		t.Error("declared again, it is another layer")
	}
	if n := must[int](t)(l.Count(Number(1))); n != 3199 || l.Spec().Default.Float() != 1 {
		t.Errorf("%d cells have the default", n)
	}
	other := func(change func(s *LayerSpec)) LayerSpec { s := spec; change(&s); return s }
	for want, s := range map[string]LayerSpec{
		"declare layer: a layer needs a name":                                                                               other(func(s *LayerSpec) { s.Name = "" }),
		"declare layer ground: a layer holds numbers, bool or entity, not string":                                           other(func(s *LayerSpec) { s.Type = String }),
		"declare layer ground: 0 × 40 cells; both must be at least 1, and the product at most 67108864":                     other(func(s *LayerSpec) { s.Width = 0 }),
		"declare layer ground: 80 × 838861 cells; both must be at least 1, and the product at most 67108864":                other(func(s *LayerSpec) { s.Height = 838861 }),
		"declare layer ground: declared differently: it is u8 of 80 × 40, default 1, not u8 of 80 × 40":                     other(func(s *LayerSpec) { s.Default = Number(0) }),
		"declare layer ground: declared differently: it is u8 of 80 × 40, default 1, not i16 of 80 × 40, default 1":         other(func(s *LayerSpec) { s.Type = I16 }),
		"declare layer ground: declared differently: it is u8 of 80 × 40, default 1, not u8 of 80 × 40, wrapped, default 1": other(func(s *LayerSpec) { s.Wrap = true }),
	} {
		if _, err := w.DeclareLayer(s); err == nil || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
	if _, err := w.DeclareLayer(other(func(s *LayerSpec) { s.Name, s.Default = "b", Number(256) })); err == nil {
		t.Error("a default that does not fit")
	}
	before := w.Bytes()
	if _, err := w.DeclareLayer(LayerSpec{Name: "large", Type: F64, Width: 1 << 10, Height: 1 << 8}); !errors.Is(err, ErrBytes) || w.Bytes() != before || w.LookupLayer("large") != nil {
		t.Errorf("beyond the limit: %v", err)
	}
	if _, err := LayerOf[int8](w, "ground"); !errors.Is(err, ErrMismatch) {
		t.Error(err)
	}
	if _, err := LayerOf[int8](w, "sea"); !errors.Is(err, ErrUnknown) {
		t.Error(err)
	}
	if must[*Layer[uint8]](t)(LayerOf[uint8](w, "ground")).Any() != l {
		t.Error("LayerOf")
	}
	check(t, w)
}

// Each type keeps what a field of it keeps, and refuses what a field refuses.
func TestCellsAreAsFields(t *testing.T) {
	w := newWorld(Options{})
	e := must[Entity](t)(w.Spawn())
	for _, typ := range allFieldTypes {
		if typ == String || typ == TableField {
			continue
		}
		l := layerOf(t, w, typ, 3, 2, false)
		c := must[ComponentID](t)(w.DeclareComponent("C"+typ.String(), must[*Schema](t)(NewSchema(Field{Name: "v", Type: typ}))))
		must[bool](t)(w.Add(e, c))
		for _, v := range []Value{
			Number(0), Number(1), Number(-1), Number(127.5), Number(255), Number(256), Number(1e300), Number(math.NaN()), Number(math.Copysign(0, -1)), Number(1 << 53), Number(1<<53 + 2),
			Boolean(true), Text("x"), EntityOf(e),
			{},
		} {
			_, want := w.Set(e, c, FieldValue{0, v})
			err := l.Set(1, 1, v)
			if (err == nil) != (want == nil) {
				t.Errorf("%s %s: %v, a field: %v", typ, v, err, want)
			}
			if err != nil && !strings.HasPrefix(err.Error(), fmt.Sprintf("layer %q: ", typ)) {
				t.Error(err)
			}
			row := must[Row](t)(w.Ref(e, c).Row())
			if got, want := must[Value](t)(l.Get(1, 1)), row.Get(0); different(got, want) {
				t.Errorf("%s %s: the cell is %s, the field %s", typ, v, got, want)
			}
			if err := l.Fill(v); (err == nil) != (want == nil) {
				t.Errorf("%s %s: fill: %v", typ, v, err)
			}
			if want == nil && must[int](t)(l.Count(v)) != 6 {
				t.Errorf("%s: %d cells are %s", typ, must[int](t)(l.Count(v)), v)
			}
		}
	}
}

// add adds exactly, and writes nothing where the sum does not fit.
func TestAddToCells(t *testing.T) {
	w := newWorld(Options{})
	for _, c := range []struct {
		typ     FieldType
		at      Value
		add     float64
		want    string
		refused bool
	}{
		{U8, Number(250), 5, "255", false},
		{U8, Number(250), 6, "250", true},
		{U8, Number(5), -6, "5", true},
		{U8, Number(5), 0.5, "5", true},
		{I8, Number(-100), -28, "-128", false},
		{F32, Number(0.5), 0.25, "0.75", false},
		{F64, Number(1), math.Inf(1), "+Inf", false},
		{I64, Int(1<<53 + 1), 2, "9007199254740995", false},
		{I64, Int(math.MaxInt64), 1, "9223372036854775807", true},
		{I64, Int(math.MinInt64), -1, "-9223372036854775808", true},
		{I64, Int(7), 0, "7", false},
		{U64, Uint(math.MaxUint64 - 1), 1, "18446744073709551615", false},
		{U64, Uint(math.MaxUint64), 1, "18446744073709551615", true},
		{U64, Uint(3), -4, "3", true},
		{U64, Uint(3), -3, "0", false},
		{U64, Uint(3), 1 << 54, "3", true},
		{Bool, Boolean(true), 1, "true", true},
		{EntityField, EntityOf(None), 1, "", true},
	} {
		l := layerOf(t, w, c.typ, 2, 2, true)
		ok(t, l.Set(1, 0, c.at))
		sum, err := l.Add(-1, 2, c.add)
		if (err != nil) != c.refused || c.want != "" && must[Value](t)(l.Get(1, 0)).String() != c.want {
			t.Errorf("%s %s + %v is %s (%v): %v", c.typ, c.at, c.add, must[Value](t)(l.Get(1, 0)), sum, err)
		}
	}
}

func TestPlacesOutside(t *testing.T) {
	w := newWorld(Options{})
	l := layerOf(t, w, U8, 4, 3, false)
	const want = `layer "u8": (4, 0) is outside of it; x is 0 to 3, y 0 to 2`
	_, err := l.Get(4, 0)
	_, sum := l.Add(4, 0, 1)
	_, around := l.Around(4, 0, 1, Moore)
	for _, err := range []error{err, l.Set(4, 0, Number(1)), sum, around} {
		if err == nil || err.Error() != want {
			t.Error(err)
		}
	}
	for _, r := range [][4]int{{-1, 0, 1, 1}, {0, 0, 5, 1}, {4, 0, 1, 1}, {0, 2, 1, 2}, {0, 0, -1, 1}, {math.MaxInt, 0, 1, 1}, {1, 0, math.MaxInt, 1}} {
		if err := l.FillRect(Number(1), r[0], r[1], r[2], r[3]); err == nil || !strings.HasPrefix(err.Error(), `layer "u8": fill: `) {
			t.Error(r, err)
		}
	}
	ok(t, l.FillRect(Number(1), 4, 3, 0, 0))
	ok(t, l.FillRect(Number(2), 1, 1, 3, 2))
	if sum := must[float64](t)(l.Sum()); sum != 12 {
		t.Error(sum)
	}
	if err := l.Copy(layerOf(t, w, I8, 4, 3, false)); err == nil || err.Error() != `layer "u8": copy: it is u8 of 4 × 3, and layer "i8" is i8 of 4 × 3` {
		t.Error(err)
	}
	if _, err := layerOf(t, w, EntityField, 2, 2, false).Sum(); err == nil {
		t.Error("a sum of entities")
	}
}

// What is around a place is what a search through all offsets finds.
func TestAround(t *testing.T) {
	for _, size := range [][2]int{{1, 1}, {2, 1}, {1, 4}, {3, 3}, {5, 4}, {7, 2}} {
		for r := range 12 {
			for _, kind := range []Neighbourhood{Moore, Neumann} {
				for _, wrap := range []bool{false, true} {
					w := newWorld(Options{})
					l := layerOf(t, w, U8, size[0], size[1], wrap)
					for place := range l.Len() {
						x, y := place%size[0], place/size[0]
						var want, got [][2]int
						for dy := -r; dy <= r; dy++ {
							for dx := -r; dx <= r; dx++ {
								at := [2]int{x + dx, y + dy}
								if kind == Neumann && max(dx, -dx)+max(dy, -dy) > r {
									continue
								}
								if wrap {
									at = [2]int{modulo(at[0], size[0]), modulo(at[1], size[1])}
								} else if at[0] < 0 || at[1] < 0 || at[0] >= size[0] || at[1] >= size[1] {
									continue
								}
								if at != [2]int{x, y} && !slices.Contains(want, at) {
									want = append(want, at)
								}
							}
						}
						walk := must[AreaWalk](t)(l.Around(x, y, r, kind))
						for x, y := range walk.All() {
							got = append(got, [2]int{x, y})
						}
						if !slices.Equal(got, want) || walk.Next() {
							t.Fatalf("%d × %d, wrap %v, r %d, kind %d, around %d,%d:\n%v\nwant\n%v", size[0], size[1], wrap, r, kind, x, y, got, want)
						}
					}
				}
			}
		}
	}
}

// A place, not a walk through all of r, decides what a large r costs.
func TestAroundWithALargeRadius(t *testing.T) {
	w := newWorld(Options{})
	for _, wrap := range []bool{false, true} {
		l := layerOf(t, w, I16, 3, 5, wrap)
		walk := must[AreaWalk](t)(l.Around(1, 1, math.MaxInt, Neumann))
		n := 0
		for range walk.All() {
			n++
		}
		if n != 14 {
			t.Errorf("wrap %v: %d places", wrap, n)
		}
		w = newWorld(Options{})
	}
}

// A turn that fails leaves the cells as they were, and steady turns allocate nothing.
func TestFailedTurnsLeaveCells(t *testing.T) {
	w := newWorld(Options{})
	l := must[*Layer[uint16]](t)(DeclareLayer[uint16](w, LayerSpec{Name: "l", Width: 100, Height: 100}, 3))
	s := NewSchedule(w)
	s.RollBack, s.OnError = true, func(*System, error) error { return nil }
	fails := true
	must[*System](t)(s.AddSystem(SystemSpec{Name: "s", Run: func(w *World, _ float64) error {
		ok(t, l.Set(5, 99, 1))
		l.Slice()[77]++
		ok(t, l.Set(5, 99, 2))
		l.Fill(9)
		ok(t, l.Any().FillRect(Number(4), 5, 5, 10, 10))
		if fails {
			return errors.New("no")
		}
		return nil
	}}))
	digest := w.Digest()
	run(t, s, 3)
	if w.Digest() != digest {
		t.Error("the cells have changed")
	}
	fails = false
	run(t, s, 1)
	if got := must[uint16](t)(l.Get(5, 5)); got != 4 {
		t.Error(got)
	}
	if n := testing.AllocsPerRun(10, func() { run(t, s, 1) }); n > 0 {
		t.Errorf("%v allocations a frame", n)
	}
}
