package surface

import (
	"github.com/ecsrun/ecsrun/ecs"
	lua "github.com/yuin/gopher-lua"
)

// A Layout says which fields a query loop reads and writes where its views
// cannot be told from plain variables: a pass over the syntax of a file has made
// sure of that.
type Layout struct {
	Reads  []FieldRef // fields that each turn yields, after the entity
	Writes []FieldRef // fields with a setter
	Views  []bool     // by view of the loop: whether the turn yields it, too, after the fields; nil: none
}

// A FieldRef is a field of a view of a loop.
type FieldRef struct {
	View   int // counted from 0
	Field  string
	Number bool // the loop is for fields that read as numbers only
	Text   bool // … as numbers or strings
}

// fits reports whether a field of type t is what ref is for.
func (ref FieldRef) fits(t ecs.FieldType) bool {
	number := t.Numeric() || t == ecs.EntityField
	switch {
	case t == ecs.TableField: // a copy, which a script could tell from the view's
		return false
	case ref.Number:
		return number
	case ref.Text:
		return number || t == ecs.String
	}
	return true
}

// FieldLoop makes the function that opens loops of this layout, for the hidden
// name of such a loop. It takes what world:each was called with, the world first,
// and returns a generator followed by one setter per Write; or nil, when the loop
// must be run as it was written, so that it raises (or not) where the script
// says: the first value is no world, the arguments are wrong, a component lacks a
// field, or a view may be nil.
//
// The generator locks structure as that of world:each does. A setter takes the
// new value, checks it, writes it into the row of the running turn, stamps the
// row and returns the value as it was stored (an f32 is rounded).
func (s *Surface) FieldLoop(layout Layout) *lua.LFunction {
	return s.state.NewFunction(func(L *lua.LState) int {
		w := WorldOf(L.Get(1))
		if w == nil || w.surface.loading > 0 {
			L.Push(lua.LNil)
			return 1
		}
		p, to := w.planOf(L)
		l := &fieldLoop{layout: layout, reads: make([]int, len(layout.Reads))}
		if p == nil || !l.resolve(p, layout) {
			L.Push(lua.LNil)
			return 1
		}
		l.world, l.plan, l.narrow, l.turn = w, p, to, w.turn
		l.generator = lua.LFunction{IsG: true, Env: L.Env, GFunction: l.stepFields}
		L.Push(&l.generator)
		for i, ref := range layout.Writes {
			L.Push(&lua.LFunction{IsG: true, Env: L.Env, GFunction: l.setter(ref.View, l.writes[i])})
		}
		return 1 + len(layout.Writes)
	})
}

type fieldLoop struct {
	eachLoop
	layout        Layout
	reads, writes []int // places of the fields
}

// planOf is what the arguments after the world ask for, as [call.plan] reads them;
// no plan when they are wrong.
func (w *World) planOf(L *lua.LState) (*plan, narrowing) {
	last := L.GetTop()
	var to narrowing
	if target, ok := L.Get(last).(lua.LNumber); ok && last > 3 {
		name, ok := L.Get(last - 1).(lua.LString)
		if !ok || w.relationOf(string(name)) == nil {
			return nil, to
		}
		to = narrowing{w.relationOf(string(name)), entityOf(target)}
		last -= 2
	}
	if ud, ok := L.Get(2).(*lua.LUserData); ok {
		q, ok := ud.Value.(*query)
		if !ok || last > 2 {
			return nil, to
		}
		p, err := q.plan(w)
		if err != nil {
			return nil, to
		}
		return p, to
	}
	for i := 2; i == 2 || i <= last; i++ {
		name, ok := L.Get(i).(lua.LString)
		if !ok {
			return nil, to
		}
		if _, err := w.component(string(name)); err != nil {
			return nil, to
		}
		for j := 2; j < i; j++ {
			if L.Get(j) == lua.LValue(name) {
				return nil, to // listed twice
			}
		}
	}
	p, _ := call{LState: L, w: w, surface: w.surface, name: "each", skip: 1}.plan()
	return p, to
}

// resolve finds the fields; false when one is not there, or of a type the loop is
// not for. A
// relation yields no view.
func (l *fieldLoop) resolve(p *plan, layout Layout) bool {
	place := func(ref FieldRef) int {
		if ref.View >= p.query.Required() {
			return -1
		}
		c := p.terms[ref.View]
		if c.relation {
			return -1
		}
		i := c.field(ref.Field)
		if i >= 0 && !ref.fits(c.fields[i].Type) {
			return -1
		}
		return i
	}
	for i, ref := range layout.Reads {
		if l.reads[i] = place(ref); l.reads[i] < 0 {
			return false
		}
	}
	for _, ref := range layout.Writes {
		i := place(ref)
		if i < 0 {
			return false
		}
		l.writes = append(l.writes, i)
	}
	for i, wanted := range layout.Views {
		if wanted && i >= len(p.terms) {
			return false
		}
	}
	return true
}

func (l *fieldLoop) stepFields(L *lua.LState) int {
	if !l.advance(L) {
		return 0
	}
	w := l.world
	L.Push(w.entity(l.cursor.Entity()))
	n := 1
	for i, ref := range l.layout.Reads {
		row, c := l.cursor.Row(ref.View), l.plan.terms[ref.View]
		L.Push(w.field(row, l.reads[i], c.fields[l.reads[i]].Type))
		n++
	}
	for i, wanted := range l.layout.Views {
		if wanted {
			L.Push(w.term(&l.cursor, i, l.plan.terms[i]))
			n++
		}
	}
	return n
}

// setter writes field i of a view in the running turn.
func (l *fieldLoop) setter(view, i int) lua.LGFunction {
	c := l.plan.terms[view]
	f := &c.fields[i]
	return func(L *lua.LState) int {
		v := L.Get(1)
		if x, ok := v.(lua.LNumber); ok && f.Type.Numeric() && l.cursor.Column(view) != nil { // nil: an inherited one
			row := l.cursor.Row(view)
			if err := row.SetNumber(i, float64(x)); err == nil {
				l.cursor.Stamp(view)
				if f.Type != ecs.F64 { // an f32 is rounded, an integer has no -0
					v = l.world.field(row, i, f.Type)
				}
				L.Push(v)
				return 1
			}
		}
		l.slowSet(L, view, i, v)
		return 1
	}
}

// slowSet is a setter's way for what is no fitting number: the same as an
// assignment to the view, with its errors.
func (l *fieldLoop) slowSet(L *lua.LState, view, i int, v lua.LValue) {
	c := l.plan.terms[view]
	c.assign(L, l.cursor.Ref(view), i, v)
	L.Push(l.world.field(l.cursor.Row(view), i, c.fields[i].Type))
}
