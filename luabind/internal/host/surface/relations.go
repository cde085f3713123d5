package surface

import (
	"fmt"
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// Relations: their declaration, the functions that set and read them, and walks over the sources of one target.

// DeclareRelations declares the relations that every world of scripts has, ChildOf and IsA, if the world does not
// have them.
func DeclareRelations(w *ecs.World) error {
	for _, name := range []string{ecs.ChildOf, ecs.IsA} {
		if _, err := w.DeclareRelation(name); err != nil {
			return err
		}
	}
	return nil
}

// declareRelation is ecs.relation(name, { targets = "many" }).
func declareRelation(c call) int {
	w, name := c.declaring(), c.declaredName("a relation")
	var how []ecs.RelationOption
	if c.args() > 1 && c.arg(2) != lua.LNil {
		t := c.table(2)
		for k, v := t.Next(lua.LNil); k != lua.LNil; k, v = t.Next(k) {
			switch {
			case k != lua.LString("targets"):
				raise(c.LState, "ecs.relation: a relation has targets, not %s", shown(k))
			case v == lua.LString("many"):
				how = append(how, ecs.ManyTargets)
			case v != lua.LString("one"):
				raise(c.LState, `ecs.relation: targets must be "one" or "many", not %s`, shown(v))
			}
		}
	}
	id, err := w.DeclareRelation(name, how...)
	c.check(err)
	if c.surface.tracking {
		w.TrackRemoved(id)
	}
	return 0
}

// relation returns the declared relation that argument n names.
func (c call) relation(n int) *component {
	name := c.text(n, "relation name")
	k := c.w.relationOf(name)
	if k == nil {
		c.check(undeclared(c.w.ecs, c.full, "relation", name))
	}
	return k
}

// relationOf returns the relation with a name, nil if there is none.
func (w *World) relationOf(name string) *component {
	if k := w.components[name]; k != nil && k.relation {
		return k
	}
	id, ok := w.ecs.LookupRelation(name)
	if !ok {
		return nil
	}
	return w.componentOf(id)
}

// data returns the declared component that argument n names. A relation is an error; instead names the function for
// relations.
func (c call) data(n int, instead string) *component {
	k := c.component(n)
	if k.relation {
		c.check(relationError{k.name, instead})
	}
	return k
}

// dataIDs is componentIDs without relations.
func (c call) dataIDs(n int, instead string) []ecs.ComponentID {
	ids := c.componentIDs(n)
	for _, id := range ids {
		if k := c.w.componentOf(id); k.relation {
			c.check(relationError{k.name, instead})
		}
	}
	return ids
}

// A relationError is a relation that was given where a component is expected.
type relationError struct{ name, instead string }

func (e relationError) Error() string {
	return fmt.Sprintf("%q is a relation; use %s", e.name, e.instead)
}

// target converts a value to the target of a relation. The target may be dead, but a number that was never an
// entity is an error.
func target(relation string, v lua.LValue) (ecs.Entity, error) {
	n, ok := v.(lua.LNumber)
	if !ok {
		instead := ""
		if name, ok := v.(lua.LString); ok && relation == "IsA" {
			instead = fmt.Sprintf("; of a prefab write world:prefab(%[1]q), or make an instance with world:instance(%[1]q)", string(name))
		}
		return ecs.None, fmt.Errorf("relation %q takes an entity as its target, not %s%s", relation, shown(v), instead)
	}
	e := entityOf(n)
	switch {
	case e != ecs.None:
		return e, nil
	case n == 0:
		return e, fmt.Errorf("relation %q takes an entity as its target, not ecs.none", relation)
	}
	return e, fmt.Errorf("relation %q takes an entity as its target, not %s", relation, shown(v))
}

// targetsOf adds what a description gives for a relation: an entity, or a list of them if the relation has many targets.
func (s *spawning) targetsOf(c *component, v lua.LValue) error {
	list, ok := v.(*lua.LTable)
	switch {
	case ok && !c.many:
		return fmt.Errorf(`relation %q takes an entity as its target, not a table; one with targets = "many" takes a list`, c.name)
	case !ok:
		to, err := target(c.name, v)
		s.targets = append(s.targets, ecs.Target{Relation: c.id, Entity: to})
		return err
	}
	n := list.Len()
	for k, _ := list.Next(lua.LNil); k != lua.LNil; k, _ = list.Next(k) {
		if i, ok := k.(lua.LNumber); !ok || i < 1 || int(i) > n || i != lua.LNumber(int(i)) {
			return fmt.Errorf("relation %q takes a list of entities; the table has the key %s", c.name, shown(k))
		}
	}
	for i := 1; i <= n; i++ {
		to, err := target(c.name, list.RawGetInt(i))
		if err != nil {
			return err
		}
		s.targets = append(s.targets, ecs.Target{Relation: c.id, Entity: to})
	}
	return nil
}

// target is argument n as what a relation leads to.
func (c call) target(n int, relation string) ecs.Entity {
	if _, ok := c.arg(n).(lua.LNumber); !ok {
		c.expected(n, "entity")
	}
	e, err := target(relation, c.arg(n))
	c.check(err)
	return e
}

// relate is world:relate(e, relation, target). It returns false for a dead entity. It is an error inside a query
// loop.
func relate(c call) int {
	c.structural("relate")
	e, k := c.entity(1), c.relation(2)
	target, before := c.target(3, k.name), ecs.Raw.Work(c.w.ecs)
	ok, err := c.w.ecs.Relate(e, k.id, target)
	c.worked(before)
	c.check(err)
	c.Push(lua.LBool(ok))
	return 1
}

// unrelate is world:unrelate(e, relation, target): without a target all of them are taken away. It is an error inside a query loop.
func unrelate(c call) int {
	c.structural("unrelate")
	e, k := c.entity(1), c.relation(2)
	before := ecs.Raw.Work(c.w.ecs)
	var ok bool
	var err error
	if c.args() > 2 && c.arg(3) != lua.LNil {
		ok, err = c.w.ecs.UnrelateFrom(e, k.id, c.target(3, k.name))
	} else {
		ok, err = c.w.ecs.Unrelate(e, k.id)
	}
	c.worked(before)
	c.check(err)
	c.Push(lua.LBool(ok))
	return 1
}

// related is world:related(e, relation): the target, or nil. A nil is remembered, so that an error about it can say
// what the entity lacked.
func related(c call) int {
	e, k := c.entity(1), c.relation(2)
	if to := c.w.ecs.Related(e, k.id); to != ecs.None {
		c.Push(c.w.entity(to))
	} else {
		c.surface.absences.note(absence{sandbox.CallSite(c.LState), c.w.ecs, e, k.name})
		c.Push(lua.LNil)
	}
	return 1
}

// sources is world:sources: a loop over the sources that there are now, in the order in which they were related.
func sources(c call) int {
	w, k := c.w, c.relation(1)
	to := c.entity(2)
	c.charge(w.ecs.SourceCount(k.id, to))
	list := w.ecs.Sources(nil, k.id, to)
	return c.entities("sources", list)
}

// targets is world:targets: a loop over the targets that there are now, in the order in which they came.
func targets(c call) int {
	e, k := c.entity(1), c.relation(2)
	c.charge(c.w.ecs.TargetCount(e, k.id))
	return c.entities("targets", slices.Collect(c.w.ecs.Targets(e, k.id)))
}

// relates is world:relates(e, relation, target).
func relates(c call) int {
	e, k := c.entity(1), c.relation(2)
	to := c.entity(3)
	c.charge(min(c.w.ecs.TargetCount(e, k.id), c.w.ecs.SourceCount(k.id, to)))
	c.Push(lua.LBool(c.w.ecs.Relates(e, k.id, to)))
	return 1
}

// queueRelate is world.commands:relate(e, relation, target).
func queueRelate(c call) int {
	e, k := c.entity(1), c.relation(2)
	c.check(c.queue().Relate(e, k.id, c.target(3, k.name)))
	return 0
}

// queueUnrelate is world.commands:unrelate.
func queueUnrelate(c call) int {
	e, k := c.entity(1), c.relation(2)
	if c.args() > 2 && c.arg(3) != lua.LNil {
		c.check(c.queue().UnrelateFrom(e, k.id, c.target(3, k.name)))
	} else {
		c.check(c.queue().Unrelate(e, k.id))
	}
	return 0
}

// A narrowing is what a walk has besides its query: a limit to the sources of one target, and an order. It limits a walk to the sources of one target, in the order in which they were related. The zero value
// limits nothing.
type narrowing struct {
	relation *component // nil if nothing is limited
	target   ecs.Entity
	order    *ecs.Ordered // nil: that of the plain loop
	random   bool         // the order is random
}

// narrow reads a relation and its target from arguments n and n+1.
func (c call) narrow(n int) narrowing {
	k := c.relation(n)
	return narrowing{relation: k, target: c.entity(n + 1)}
}

// term returns what a step of a loop gives for term i: a view, the target of a relation, or nil for an optional
// component that the entity lacks.
func (w *World) term(cur *ecs.Cursor, i int, k *component) lua.LValue {
	if cur.Column(i) == nil && cur.Row(i).Schema() == nil {
		return lua.LNil
	}
	if k.relation {
		return w.entity(cur.Row(i).Get(0).Entity())
	}
	return w.view(cur.Ref(i), k)
}

// An inheritedError is a write to a component that the entity inherits from another one. It is an ecs.ErrInherited.
type inheritedError struct{ component, field string }

func (e inheritedError) Error() string {
	return fmt.Sprintf("the component is inherited; world:set(e, %q, { %s = … }) gives the entity its own, which starts from the base's values", e.component, e.field)
}

func (e inheritedError) Unwrap() error { return ecs.ErrInherited }

// raiseInherited raises the error of an assignment to field i through a view of an inherited component.
func (c *component) raiseInherited(L *lua.LState, e ecs.Entity, i int) {
	sandbox.Raise(L, c.inherited(e, i))
}

// inherited returns the error of a write to field i of a component that e inherits.
func (c *component) inherited(e ecs.Entity, i int) error {
	field := c.fields[i].Name
	return &ecs.OpError{Op: "set", Entity: e, Component: c.name + "." + field, Err: inheritedError{c.name, field}}
}
