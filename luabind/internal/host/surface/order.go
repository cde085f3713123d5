package surface

import (
	"errors"
	"fmt"
	"strings"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// The order of loops: { order = "Foe.seq" } as the last argument of each and first, or order = in ecs.query.

// randomOrder is the order by chance.
const randomOrder = "random"

// ordersFor reports whether a function takes an order.
func ordersFor(name string) bool { return name == "each" || name == "first" }

// orderIn returns the keys in a table of options; nil if it has no order.
func orderIn(t *lua.LTable) ([]string, error) {
	for k, _ := t.Next(lua.LNil); k != lua.LNil; k, _ = t.Next(k) {
		if k != lua.LValue(lua.LString("order")) {
			return nil, unknownError{fmt.Sprintf("the last table of world:each and world:first has order only, not %s; components are listed one by one in front of it", shown(k))}
		}
	}
	return orderKeys(t.RawGetString("order"))
}

// orderKeys returns the keys that a value of order lists; nil for nil of Lua.
func orderKeys(v lua.LValue) ([]string, error) {
	wrong := func(v lua.LValue) error {
		return fmt.Errorf(`order is a field, as in "Foe.seq" or "-Foe.seq", a list of such fields, or "random", not %s`, shown(v))
	}
	switch v := v.(type) {
	case *lua.LNilType:
		return nil, nil
	case lua.LString:
		return []string{string(v)}, nil
	case *lua.LTable:
		var out []string
		for i := 1; i <= interp.Length(v); i++ {
			key, ok := sandbox.Get(v, lua.LNumber(i)).(lua.LString)
			if !ok {
				return nil, wrong(sandbox.Get(v, lua.LNumber(i)))
			}
			out = append(out, string(key))
		}
		if out == nil {
			return nil, errors.New(`the list of order is empty; it has fields, as in { "Foe.kind", "-Foe.seq" }`)
		}
		return out, nil
	}
	return nil, wrong(v)
}

// ordered returns the query of a plan in an order, the same one for the same keys.
func (p *plan) ordered(w *World, keys []string) (*ecs.Ordered, error) {
	w.key = w.key[:0]
	for _, key := range keys {
		w.key = append(append(w.key, key...), 0)
	}
	if o := p.orders[string(w.key)]; o != nil {
		return o, nil
	}
	o, err := p.makeOrder(w.ecs, keys)
	if err != nil {
		return nil, err
	}
	if p.orders == nil {
		p.orders = map[string]*ecs.Ordered{}
	}
	p.orders[string(w.key)] = o
	return o, nil
}

// makeOrder makes the order of some keys. The error is worded for the script.
func (p *plan) makeOrder(w *ecs.World, keys []string) (*ecs.Ordered, error) {
	if len(keys) == 1 && keys[0] == randomOrder {
		return p.query.Shuffled(nil), nil
	}
	var out []ecs.OrderKey
	for _, key := range keys {
		one, err := orderKey(w, key, p.requires)
		if err != nil {
			return nil, err
		}
		out = append(out, one)
	}
	return p.query.Ordered(out...)
}

// CheckOrder returns what is wrong with a field by which a loop is ordered, nil if nothing is. required says which components the loop requires; it is
// nil if that is not known.
func CheckOrder(w *ecs.World, key string, required func(ecs.ComponentID) bool) error {
	_, err := orderKey(w, key, required)
	return err
}

// orderKey returns one of the fields by which a loop is ordered. The error is worded for the script.
func orderKey(w *ecs.World, key string, required func(ecs.ComponentID) bool) (ecs.OrderKey, error) {
	name, down := strings.CutPrefix(key, "-")
	component, field, ok := strings.Cut(name, ".")
	switch {
	case key == randomOrder:
		return ecs.OrderKey{}, errors.New(`order: "random" stands alone`)
	case !ok:
		return ecs.OrderKey{}, fmt.Errorf(`order: %q is no field; write COMPONENT.FIELD, as in "Foe.seq"`, cut(key))
	}
	id, known := w.LookupComponent(component)
	if !known {
		return ecs.OrderKey{}, undeclared(w, "order", "component", component)
	}
	info, _ := w.ComponentInfo(id)
	i := info.Schema.Index(field)
	switch {
	case required != nil && !required(id):
		return ecs.OrderKey{}, fmt.Errorf("order %q: the loop does not require the component %q; list it", cut(key), component)
	case i < 0:
		var names []string
		for _, f := range info.Schema.Fields() {
			names = append(names, f.Name)
		}
		return ecs.OrderKey{}, unknownError{fmt.Sprintf("order: component %q has no field %q%s", component, cut(field), meant(field, names))}
	}
	if t := info.Schema.Fields()[i].Type; !t.HasOrder() {
		return ecs.OrderKey{}, fmt.Errorf("order %q: the field is of type %s, which has no order", cut(key), t)
	}
	return ecs.OrderKey{Component: id, Field: field, Down: down}, nil
}

// requires reports whether the query of a plan requires a component.
func (p *plan) requires(id ecs.ComponentID) bool {
	for _, one := range p.query.Terms()[:p.query.Required()] {
		if one == id {
			return true
		}
	}
	return false
}

// arrange gives a narrowing the order of these keys. It is an error if a random one has nothing to draw from.
func (to *narrowing) arrange(w *World, p *plan, keys []string) (err error) {
	if len(keys) == 0 {
		return nil
	}
	to.random = keys[0] == randomOrder
	if to.order, err = p.ordered(w, keys); err == nil && to.random && w.host.Random() == nil {
		err = errNoStream
	}
	return err
}

// steps returns what a walk over a plan is charged when it begins: look-ups of bases, and one for each row that is put into an order.
func (p *plan) steps(to narrowing) int {
	n := ecs.Raw.SharedSteps(p.query)
	if to.order != nil {
		n += p.query.Rows()
	}
	return n
}

// begin opens a cursor over the plan.
func (p *plan) begin(w *World, to narrowing) ecs.Cursor {
	cur, err := p.opened(w, to, false)
	if err != nil {
		panic("surface: a declared relation is unknown: " + err.Error())
	}
	return cur
}

// beginFirst opens a cursor of which only the first row is asked for.
func (p *plan) beginFirst(w *World, to narrowing) ecs.Cursor {
	cur, err := p.opened(w, to, true)
	if err != nil {
		panic("surface: a declared relation is unknown: " + err.Error())
	}
	return cur
}

func (p *plan) opened(w *World, to narrowing, first bool) (ecs.Cursor, error) {
	if to.random {
		to.order.DrawFrom(w.host.Random())
	}
	switch {
	case to.order == nil && to.relation == nil:
		return ecs.Raw.Begin(p.query), nil
	case to.order == nil:
		return ecs.Raw.BeginTarget(p.query, to.relation.id, to.target)
	case to.relation == nil && first:
		return to.order.BeginFirst(), nil
	case to.relation == nil:
		return to.order.Begin(), nil
	case first:
		return to.order.BeginFirstOf(to.relation.id, to.target)
	}
	return to.order.BeginTarget(to.relation.id, to.target)
}
