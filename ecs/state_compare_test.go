package ecs

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unsafe"
)

// This file compares two simulations field by field, with reflection. state_test.go says which fields are state.

// A stateComparison walks through two states at once.
type stateComparison struct {
	met     map[[2]unsafe.Pointer]bool // pairs of objects
	fields  map[string]bool            // by type and field: whether some value was not zero
	differs []string
}

func newStateComparison() *stateComparison {
	return &stateComparison{met: map[[2]unsafe.Pointer]bool{}, fields: map[string]bool{}}
}

// schedules compares all that two schedules and their worlds hold.
func (c *stateComparison) schedules(a, b *Schedule) {
	c.values("Schedule", reflect.ValueOf(a), reflect.ValueOf(b))
}

func (c *stateComparison) say(path string, a, b any) {
	if len(c.differs) < 20 {
		c.differs = append(c.differs, fmt.Sprintf("%s: %v and %v", path, a, b))
	}
}

func (c *stateComparison) values(path string, a, b reflect.Value) {
	switch a.Kind() {
	case reflect.Pointer:
		if s := reflect.TypeFor[*singleStamps](); a.Type() == s && a.IsNil() != b.IsNil() { // no stamps are as good as those of zero
			zero := reflect.New(s.Elem())
			if a.IsNil() {
				a = zero
			} else {
				b = zero
			}
		}
		if a.IsNil() || b.IsNil() {
			if a.IsNil() != b.IsNil() {
				c.say(path, a.IsNil(), b.IsNil())
			}
			return
		}
		pair := [2]unsafe.Pointer{a.UnsafePointer(), b.UnsafePointer()}
		if c.met[pair] {
			return
		}
		c.met[pair] = true
		switch a.Type() {
		case reflect.TypeFor[*Schema]():
			if x, y := (*Schema)(pair[0]), (*Schema)(pair[1]); differentSchema("", "", x, y) != nil {
				c.say(path, x, y)
			}
		case reflect.TypeFor[*Data]():
			if x, y := (*Data)(pair[0]), (*Data)(pair[1]); !x.Equal(y) {
				c.say(path, x, y)
			}
		default:
			c.values(path, a.Elem(), b.Elem())
		}
	case reflect.Struct:
		c.structs(path, a, b)
	case reflect.Slice, reflect.Array:
		if a.Len() != b.Len() {
			c.say(path+" (length)", a.Len(), b.Len())
			return
		}
		for i := range a.Len() {
			c.values(fmt.Sprintf("%s[%d]", path, i), a.Index(i), b.Index(i))
		}
	case reflect.Map:
		if a.Len() != b.Len() {
			c.say(path+" (length)", a.Len(), b.Len())
		}
		for _, key := range a.MapKeys() {
			if v := b.MapIndex(key); !v.IsValid() || v.Uint() != a.MapIndex(key).Uint() {
				c.say(path, a, b)
			}
		}
	case reflect.Bool, reflect.String, reflect.Int, reflect.Int32, reflect.Int64, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Float64, reflect.Uintptr:
		if !a.Equal(b) && (a.Kind() != reflect.Float64 || math.Float64bits(a.Float()) != math.Float64bits(b.Float())) {
			c.say(path, a, b)
		}
	default:
		c.say(path, "a field of a kind that the test does not know:", a.Kind())
	}
}

func (c *stateComparison) structs(path string, a, b reflect.Value) {
	t := a.Type()
	if t.PkgPath() == "sync/atomic" {
		if a.FieldByName("v").Int() != b.FieldByName("v").Int() {
			c.say(path, a.FieldByName("v"), b.FieldByName("v"))
		}
		return
	}
	if t == reflect.TypeFor[Index]() {
		c.places(path, (*Index)(a.Addr().UnsafePointer()), (*Index)(b.Addr().UnsafePointer()))
	}
	if t == reflect.TypeFor[Commands]() {
		c.queues(path, (*Commands)(a.Addr().UnsafePointer()), (*Commands)(b.Addr().UnsafePointer()))
	}
	for i := range t.NumField() {
		generic, _, _ := strings.Cut(t.Name(), "[")
		name := generic + "." + t.Field(i).Name
		if noState[name] != "" {
			continue
		}
		x, y := a.Field(i), b.Field(i)
		c.fields[name] = c.fields[name] || !x.IsZero()
		if x.Kind() == reflect.UnsafePointer {
			c.rows(path+"."+t.Field(i).Name, a.Addr().UnsafePointer(), b.Addr().UnsafePointer(), t)
		} else {
			c.values(path+"."+t.Field(i).Name, x, y)
		}
	}
}

// rows compares the rows that a struct holds in untyped memory.
func (c *stateComparison) rows(path string, a, b unsafe.Pointer, t reflect.Type) {
	switch t {
	case reflect.TypeFor[Column]():
		x, y := (*Column)(a), (*Column)(b)
		c.memory(path, x.info.schema, x.base, y.base, min(x.Len(), y.Len()))
	case reflect.TypeFor[eventLog]():
		x, y := (*eventLog)(a), (*eventLog)(b)
		c.memory(path, x.schema, x.base, y.base, int(min(x.end-x.first, y.end-y.first)))
	case reflect.TypeFor[resource]():
		x, y := (*resource)(a), (*resource)(b)
		c.memory(path, x.schema, x.ptr, y.ptr, 1)
	case reflect.TypeFor[AnyLayer]():
		x, y := (*AnyLayer)(a), (*AnyLayer)(b)
		c.memory(path, x.schema, x.cells, y.cells, min(x.Len(), y.Len()))
	case reflect.TypeFor[Value]():
		if x, y := (*Value)(a), (*Value)(b); !x.Equal(*y) {
			c.say(path, x, y)
		}
	case reflect.TypeFor[commandStore]():
		// Only its place in the queue says what it holds: see queues.
	default:
		c.say(path, "untyped memory that the test does not know:", t)
	}
}

// queues compares the values in two command queues.
func (c *stateComparison) queues(path string, a, b *Commands) {
	x, y := slices.Sorted(slices.Values(a.stored)), slices.Sorted(slices.Values(b.stored))
	if !slices.Equal(x, y) {
		c.say(path+".values (components)", x, y)
		return
	}
	for _, id := range x {
		if a.values[id].n != b.values[id].n {
			c.say(path+".values (length)", a.values[id].n, b.values[id].n)
		}
		c.memory(path+".values", a.world.components[id].schema, a.values[id].base, b.values[id].base, min(a.values[id].n, b.values[id].n))
	}
}

// memory compares n rows.
func (c *stateComparison) memory(path string, schema *Schema, a, b unsafe.Pointer, n int) {
	for row := range n {
		at := uintptr(row) * schema.size
		for i := range schema.fields {
			if v, w := (Row{schema: schema, ptr: unsafe.Add(a, at)}).Get(i), (Row{schema: schema, ptr: unsafe.Add(b, at)}).Get(i); !v.Equal(w) {
				c.say(fmt.Sprintf("%s row %d field %d", path, row, i), v, w)
			}
		}
	}
}

// report fails the test for each difference.
func (c *stateComparison) report(t *testing.T, what string) {
	t.Helper()
	for _, d := range c.differs {
		t.Errorf("%s: %s", what, d)
	}
}

// places compares who is at the places of two indexes, in order. The numbers of places without a size are no state.
func (c *stateComparison) places(path string, a, b *Index) {
	text := func(x *Index) string {
		var list []string
		for place := range x.lists {
			list = append(list, fmt.Sprint(x.placeText(place), x.members(nil, place)))
		}
		return strings.Join(list, " ")
	}
	if x, y := text(a), text(b); x != y {
		c.say(path, x, y)
	}
}
