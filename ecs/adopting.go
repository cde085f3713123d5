package ecs

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unsafe"
)

// This file says what [World.Adopt] does with names that the world does not declare: they have been renamed, or what they
// hold is lost, which the caller has to allow.

// Adopting says how [World.Adopt] finds the declarations, and what it may drop. Of the zero value, nothing was renamed, and
// nothing that holds something may be dropped. See its example.
type Adopting struct {
	Renamed Renamed
	// Drop reports whether something may be lost. It is asked once for each name. nil allows nothing.
	Drop func(Loss) bool
}

// Renamed is the part of [Adopting] with the names of now by the names that the other world has. Those of fields have their component, event or
// resource in front on both sides: "Health.hp" is "Health.current" now. See the example of [Adopting].
type Renamed struct {
	Components, Relations, Tags, Events, Resources, Layers, Prefabs, Fields map[string]string
}

// A Loss is something that is dropped, although it holds data. See the example of [Adopting].
type Loss struct {
	Kind  string // component, relation, tag, event, resource, layer, prefab, state, field or system
	Name  string // "Bag"; "Health.spare" for a field
	Count int    // at least 1
	What  string // what is counted: "entity", "value", "event", "cell", "instance", "queued command", "variable"
}

// String returns component "Bag" (12 entities).
func (l Loss) String() string {
	what := l.What
	switch {
	case l.Count == 1:
	case strings.HasSuffix(what, "y"):
		what = strings.TrimSuffix(what, "y") + "ies"
	default:
		what += "s"
	}
	return fmt.Sprintf("%s %q (%d %s)", l.Kind, l.Name, l.Count, what)
}

// ErrLoss says that data would be lost. See [LossError].
var ErrLoss = errors.New("data would be lost")

// A LossError is the error of Adopt for what is no longer declared and holds something. It is an [ErrLoss]. See
// the example of [Adopting].
type LossError struct{ Losses []Loss }

// Error names all that would be lost, in one line.
func (e *LossError) Error() string {
	list := make([]string, len(e.Losses))
	for i, l := range e.Losses {
		list[i] = l.String()
	}
	return fmt.Sprintf("%v, because it is no longer declared: %s", ErrLoss, strings.Join(list, ", "))
}

func (e *LossError) Unwrap() error { return ErrLoss }

// lose notes that something is dropped. What holds nothing is only told.
func (a *adoption) lose(kind, name string, count int, what string) {
	if count == 0 {
		a.warn("%s %q is no longer declared, and was empty", kind, name)
		return
	}
	for i := range a.losses {
		if l := &a.losses[i]; l.Kind == kind && l.Name == name {
			if l.What == what {
				l.Count += count
			}
			return // what it holds is named already
		}
	}
	a.losses = append(a.losses, Loss{kind, name, count, what})
}

// allowed returns an error if something would be lost that may not be. What may be is told.
func (a *adoption) allowed() error {
	refused := slices.DeleteFunc(slices.Clone(a.losses), func(l Loss) bool { return a.how.Drop != nil && a.how.Drop(l) })
	if len(refused) > 0 {
		return &LossError{refused}
	}
	for _, l := range a.losses {
		a.warn("%s is no longer declared: dropped", l)
	}
	return nil
}

// renamed returns the name of now.
func renamed(names map[string]string, name string) string {
	if now, ok := names[name]; ok {
		return now
	}
	return name
}

// fieldName returns the name of now of a field. owner and now are the names of what has the field, before and now.
func (a *adoption) fieldName(owner, now, field string) string {
	if to, ok := a.how.Renamed.Fields[owner+"."+field]; ok {
		return strings.TrimPrefix(to, now+".")
	}
	return field
}

// holding returns in how many of n rows a field has another value than in a fresh row.
func (s *Schema) holding(i int, base unsafe.Pointer, n int) (count int) {
	p, _ := allocRows(nil, s, 1)
	s.setDefault(p)
	fresh := Row{schema: s, ptr: p}.Get(i)
	for row := range n {
		if v := (Row{schema: s, ptr: unsafe.Add(base, uintptr(row)*s.size)}).Get(i); !v.Equal(fresh) {
			count++
		}
	}
	return count
}

// holding returns in how many of n rows a field that scripts do not see is not zero.
func (f *opaqueField) holding(base unsafe.Pointer, size uintptr, n int) (count int) {
	for row := range n {
		if !reflect.NewAt(f.typ, unsafe.Add(base, uintptr(row)*size+f.offset)).Elem().IsZero() {
			count++
		}
	}
	return count
}

// beyond returns how many values of an array, behind the first most, differ from those of a fresh row, in n rows.
func (s *Schema) beyond(i, most int, base unsafe.Pointer, n int) (count int) {
	f := &s.fields[i]
	for row := range n {
		for k := most; k < f.Type.Len(); k++ {
			v := loadValue(f.item(unsafe.Add(base, uintptr(row)*s.size), k), f.Type.Elem())
			if different(v, f.Type.uniform(f.itemDefault(k))) {
				count++
			}
		}
	}
	return count
}
