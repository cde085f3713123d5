package ecs

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"
)

// Every word of a row that holds a pointer is known as one, and no other.
func TestPointersOfARow(t *testing.T) {
	type inner struct {
		Small uint8
		Text  string
	}
	for _, c := range []struct {
		row      reflect.Type
		pointers []uintptr // offsets
	}{
		{reflect.TypeFor[string](), []uintptr{0}},
		{reflect.TypeFor[struct {
			A, B float64
			S    string
		}](), []uintptr{unsafe.Offsetof(struct {
			A, B float64
			S    string
		}{}.S)}},
		{reflect.TypeFor[[]int](), []uintptr{0}},
		{reflect.TypeFor[any](), []uintptr{pointerSize}},
		{reflect.TypeFor[fmt.Stringer](), []uintptr{pointerSize}},
		{reflect.TypeFor[struct {
			F func()
			_ *int
			M map[string]int
			C chan int
			U unsafe.Pointer
			N uintptr
			D *Data
		}](), []uintptr{0, pointerSize, 2 * pointerSize, 3 * pointerSize, 4 * pointerSize, 6 * pointerSize}},
		{reflect.TypeFor[[3]inner](), []uintptr{pointerSize, 4 * pointerSize, 7 * pointerSize}},
		{reflect.TypeFor[struct {
			empty [0]*int
			none  [5]struct{}
			last  *int
		}](), []uintptr{0}},
		{reflect.TypeFor[time.Time](), []uintptr{unsafe.Sizeof(time.Time{}) - pointerSize}},
		{reflect.TypeFor[[64]*int](), nil}, // filled in below
	} {
		want := uint64(0)
		for _, at := range c.pointers {
			want |= 1 << (at / pointerSize)
		}
		if c.pointers == nil {
			want = ^uint64(0)
		}
		if m := newTypedMemory(c.row); m.end != c.row.Size() || m.pointers != want {
			t.Errorf("%s: %d bytes, pointers %b; want %d, %b", c.row, m.end, m.pointers, c.row.Size(), want)
		}
	}
	if m := newTypedMemory(reflect.TypeFor[[65]*int]()); m.end != 0 {
		t.Errorf("a row of 65 words is copied word by word")
	}
}

// A jumble is a row with pointers of all kinds between numbers of all sizes; a wide one is larger than what is copied
// word by word.
type jumble struct {
	A    uint8
	Name string
	B    float32
	List []int
	Any  any
	C    [3]uint16
	To   *int
	Made time.Time
	Data *Data
}

type wideJumble struct {
	First jumble
	Rest  [64]string
	Last  jumble
}

func someJumble(i int) jumble {
	data, _ := NewData([]DataEntry{{Number(1), Number(float64(i))}})
	return jumble{
		A: uint8(i), Name: fmt.Sprint("name ", i), B: float32(i), List: []int{i, i + 1}, Any: fmt.Sprint("any ", i),
		C: [3]uint16{uint16(i), 1, 2}, To: &[]int{i}[0], Made: time.Unix(int64(i), 0), Data: data,
	}
}

func (j jumble) is(i int) bool {
	o := someJumble(i)
	ok := j.To != nil && *j.To == i && j.Made.Equal(o.Made) && TableOf(j.Data).Equal(TableOf(o.Data))
	j.Data, j.To, o.Data, o.To, j.Made, o.Made = nil, nil, nil, nil, time.Time{}, time.Time{}
	return ok && reflect.DeepEqual(j, o)
}

// Rows with pointers keep their values while entities move and die and the garbage collector runs; what only a dead
// row has referred to is freed.
func TestRowsWithPointersMove(t *testing.T) {
	testRowsWithPointers(t, someJumble, jumble.is)
	testRowsWithPointers(t, func(i int) wideJumble {
		w := wideJumble{First: someJumble(i), Last: someJumble(i + 1)}
		w.Rest[63] = fmt.Sprint(i)
		return w
	}, func(w wideJumble, i int) bool { return w.First.is(i) && w.Last.is(i+1) && w.Rest[63] == fmt.Sprint(i) })
}

func testRowsWithPointers[T any](t *testing.T, fresh func(i int) T, is func(v T, i int) bool) {
	const n = 200
	w := newWorld(Options{})
	c, flag := MustRegister[T](w, "T"), MustRegister[position](w, "Flag")
	s := must[*Spawner1[T]](t)(NewSpawner1[T](w))
	var es []Entity
	var value []int
	spawn := func(i int) {
		es, value = append(es, must[Entity](t)(s.Spawn(fresh(i)))), append(value, i)
	}
	for i := range n {
		spawn(i)
	}
	var stop atomic.Bool
	var collector sync.WaitGroup
	collector.Go(func() {
		for !stop.Load() {
			runtime.GC()
		}
	})
	defer collector.Wait()
	defer stop.Store(true)
	r := rand.New(rand.NewPCG(1, 2))
	for step := range 5 * n {
		at := r.IntN(len(es))
		switch r.IntN(4) {
		case 0:
			must[bool](t)(w.Add(es[at], flag.ID()))
		case 1:
			must[bool](t)(w.Remove(es[at], flag.ID()))
		case 2:
			must[bool](t)(w.Despawn(es[at]))
			es, value = slices.Delete(es, at, at+1), slices.Delete(value, at, at+1)
			spawn(n + step)
		case 3:
			must[bool](t)(c.Set(es[at], fresh(n+step)))
			value[at] = n + step
		}
	}
	for i, e := range es {
		if !is(*c.Get(e), value[i]) {
			t.Fatalf("%T of %s is %v, not that of %d", *c.Get(e), e, *c.Get(e), value[i])
		}
	}
	for _, e := range es {
		must[bool](t)(w.Despawn(e))
	}
	for _, table := range w.tables {
		if col := table.Column(c.ID()); col != nil {
			for row := range table.capacity {
				if v := reflect.NewAt(reflect.TypeFor[T](), col.at(row)).Elem(); !v.IsZero() {
					t.Fatalf("row %d, which no entity has, still refers to %v", row, v)
				}
			}
		}
	}
}
