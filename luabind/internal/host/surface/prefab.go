package surface

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// Prefabs: ecs.prefab, world:prefab, instance and child, and world.commands:instance.

// prefab returns the prefab that the first argument names.
func (c call) prefab() ecs.Entity {
	name := c.text(1, "prefab name")
	e := c.w.ecs.LookupPrefab(name)
	if e == ecs.None {
		c.check(undeclared(c.w.ecs, c.full, "prefab", name))
	}
	return e
}

// prefabEntity is world:prefab(name).
func prefabEntity(c call) int {
	c.Push(c.w.entity(c.prefab()))
	return 1
}

// instance is world:instance(name, parts). If anything in the description is wrong, no entity is made.
func instance(c call) int {
	c.structural("instance")
	w, of := c.w, c.prefab()
	s := w.spawning()
	if c.args() > 1 {
		c.check(s.parse(w, c.parts(2)))
	}
	before := ecs.Raw.Work(w.ecs)
	start := ecs.Raw.Hold(w.ecs) // observers see the whole
	e, err := w.ecs.Instance(of, s.targets, s.ids...)
	if err == nil {
		if err = s.fill(w, e, mark{}, s.mark()); err != nil {
			w.unmake(e)
		}
	}
	ecs.Raw.Release(w.ecs, start, err == nil)
	c.worked(before)
	c.check(err)
	c.Push(w.entity(e))
	return 1
}

// queueInstance is world.commands:instance(name, parts). It returns the handle of the entity, which exists when the queue is applied. The
// description is checked now.
func queueInstance(c call) int {
	w, q, of := c.w, c.queue(), c.prefab()
	s := w.spawning()
	if c.args() > 1 {
		c.check(s.parse(w, c.parts(2)))
	}
	e, err := q.Instance(of, s.targets, s.ids...)
	c.check(err)
	c.check(s.join(q, e))
	c.Push(w.entity(e))
	return 1
}

// child is world:child(e, name): the child of an instance, or nil.
func child(c call) int {
	e := c.w.ecs.Child(c.entity(1), c.text(2, "name of a child"))
	if e == ecs.None {
		c.Push(lua.LNil)
	} else {
		c.Push(c.w.entity(e))
	}
	return 1
}

// A scriptPrefab is a prefab that a file declares. It waits until all files are loaded, because a later one may declare its components or its base.
type scriptPrefab struct {
	name  string
	table *lua.LTable
	pos   sandbox.Pos
	state uint8 // 0 waiting, 1 being declared, 2 done

	failed bool
	err    error // why it has failed; nil if a base of it has failed, which says why
}

// prefabKeys are the keys of a prefab; a child has its name among them.
var prefabKeys = []string{"base", "children", "components", "tags"}

// declarePrefab is ecs.prefab("goblin", { base = "monster", components = { Health = { current = 7 } }, tags = { "enemy" }, children = { { name = "sword" } } }).
func declarePrefab(c call) int {
	_, name := c.declaring(), c.declaredName("a prefab")
	s := c.surface
	if s.loading == 0 {
		raise(c.LState, "ecs.prefab: prefab %q: prefabs are made before startup; declare them at the top of a file, outside of functions", name)
	}
	if !slices.ContainsFunc(s.prefabs, func(o *scriptPrefab) bool { return o.state < 2 }) {
		s.prefabs = nil // of an earlier load
	}
	p := &scriptPrefab{name: name, table: c.table(2), pos: s.state.Where()}
	c.check(checkPrefab(fmt.Sprintf("prefab %q", name), p.table, false))
	s.prefabs = append(s.prefabs, p)
	s.pending = append(s.pending, Pending{p.pos, func(w *ecs.World) error {
		s.declareScriptPrefab(w, p)
		return p.err
	}})
	return 0
}

// checkPrefab returns what is wrong with the keys of a prefab, or of a child, whatever is declared.
func checkPrefab(what string, t *lua.LTable, child bool) error {
	keys := prefabKeys
	if child {
		keys = append([]string{"name"}, keys...)
	}
	for k, v := t.Next(lua.LNil); k != lua.LNil; k, v = t.Next(k) {
		key, ok := k.(lua.LString)
		if !ok || !contains(keys, string(key)) {
			return fmt.Errorf("%s has the keys %s and %s, not %s%s", what, strings.Join(keys[:len(keys)-1], ", "), keys[len(keys)-1], shown(k), meant(k.String(), keys))
		}
		_, text := v.(lua.LString)
		list, table := v.(*lua.LTable)
		switch {
		case (key == "base" || key == "name") && !text:
			return fmt.Errorf("%s: %s is a name, not %s", what, key, shown(v))
		case key == "base" || key == "name":
		case !table:
			return fmt.Errorf("%s: %s is a table, not %s", what, key, shown(v))
		case key == "children":
			for i, item := list.Next(lua.LNil); i != lua.LNil; i, item = list.Next(i) {
				c, ok := item.(*lua.LTable)
				if _, listed := i.(lua.LNumber); !ok || !listed {
					return fmt.Errorf(`%s: children is a list of tables, as in { { name = "sword" } }, not of %s`, what, shown(item))
				}
				name, _ := c.RawGetString("name").(lua.LString)
				if !identifier(string(name)) {
					return fmt.Errorf("%s: a child needs a name of letters, digits and _, not %s", what, shown(c.RawGetString("name")))
				}
				if err := checkPrefab(fmt.Sprintf("child %q of %s", string(name), what), c, true); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// declareScriptPrefab declares a prefab, after those of scripts that it has as bases.
func (s *Surface) declareScriptPrefab(w *ecs.World, p *scriptPrefab) {
	if p.state == 2 {
		return
	}
	p.state = 1
	defer func() { p.state, p.failed = 2, p.failed || p.err != nil }()
	for _, base := range basesIn(p.table, nil) {
		for _, o := range s.prefabs {
			if o.name != base {
				continue
			}
			if o.state == 1 {
				p.failed, p.err = true, fmt.Errorf("prefab %q is made of itself: its base, or that of a child, leads back to it; leave one of them out", p.name)
				return
			}
			if s.declareScriptPrefab(w, o); o.failed {
				p.failed = true
				return
			}
		}
	}
	spec, err := s.prefabSpec(w, p.name, p.table)
	if err != nil {
		p.err = fmt.Errorf("prefab %q: %w", p.name, err)
		return
	}
	have, known := w.PrefabSpec(p.name)
	switch {
	case !known:
		_, p.err = w.DeclarePrefab(spec)
	case have.Same(spec):
	case s.firstPrefab(p) != p:
		o := s.firstPrefab(p)
		p.err = fmt.Errorf("prefab %q is declared differently at %s:%d; say the same in both, or use another name", p.name, o.pos.File, o.pos.Line)
	case s.Reloading:
		p.err = w.RevisePrefab(spec)
	default:
		p.err = fmt.Errorf("prefab %q is declared differently in the config; say the same in both, or use another name", p.name)
	}
}

// firstPrefab returns the first declaration of the name of p.
func (s *Surface) firstPrefab(p *scriptPrefab) *scriptPrefab {
	return s.prefabs[slices.IndexFunc(s.prefabs, func(o *scriptPrefab) bool { return o.name == p.name })]
}

// basesIn appends the bases that a prefab and its children name.
func basesIn(t *lua.LTable, list []string) []string {
	if base, ok := t.RawGetString("base").(lua.LString); ok {
		list = append(list, string(base))
	}
	if children, ok := t.RawGetString("children").(*lua.LTable); ok {
		for i, c := children.Next(lua.LNil); i != lua.LNil; i, c = children.Next(i) {
			list = basesIn(c.(*lua.LTable), list)
		}
	}
	return list
}

// prefabSpec returns the description in a table whose keys are checked.
func (s *Surface) prefabSpec(w *ecs.World, name string, t *lua.LTable) (ecs.PrefabSpec, error) {
	spec := ecs.PrefabSpec{Name: name}
	if base, ok := t.RawGetString("base").(lua.LString); ok {
		spec.Base = string(base)
		if _, known := w.PrefabSpec(spec.Base); !known {
			return spec, undeclared(w, "ecs.prefab", "prefab", spec.Base)
		}
	}
	components, _ := t.RawGetString("components").(*lua.LTable)
	for k, v := nextOf(components, lua.LNil); k != lua.LNil; k, v = components.Next(k) {
		key, named := k.(lua.LString)
		if item, listed := v.(lua.LString); !named && listed { // with all fields as the base has them
			key = item
		} else if !named {
			return spec, fmt.Errorf("components has names, as in { Health = { current = 7 } }, not %s", shown(k))
		}
		id, ok := w.LookupComponent(string(key))
		if !ok {
			return spec, undeclared(w, "ecs.prefab", "component", string(key))
		}
		info, _ := w.ComponentInfo(id)
		if info.Relation {
			return spec, fmt.Errorf("%q is a relation; in init, write world:relate(world:prefab(%q), %q, target)", info.Name, name, info.Name)
		}
		part := ecs.PrefabPart{Component: id}
		if named {
			given, ok := v.(*lua.LTable)
			if !ok {
				return spec, fmt.Errorf("component %q takes a table of its fields, not %s", info.Name, shown(v))
			}
			var err error
			if part.Fields, err = s.values(nil, given, info.Schema, "set", ecs.None, info.Name); err != nil {
				return spec, err
			}
		}
		spec.Components = append(spec.Components, part)
	}
	tags, _ := t.RawGetString("tags").(*lua.LTable)
	for k, v := nextOf(tags, lua.LNil); k != lua.LNil; k, v = tags.Next(k) {
		tag, ok := v.(lua.LString)
		if !ok {
			return spec, fmt.Errorf(`tags is a list of names, as in { "enemy" }, not of %s`, shown(v))
		}
		id, ok := w.LookupTag(string(tag))
		if !ok {
			return spec, undeclared(w, "ecs.prefab", "tag", string(tag))
		}
		spec.Tags = append(spec.Tags, id)
	}
	children, _ := t.RawGetString("children").(*lua.LTable)
	for k, v := nextOf(children, lua.LNil); k != lua.LNil; k, v = children.Next(k) {
		of := v.(*lua.LTable)
		name := string(of.RawGetString("name").(lua.LString))
		c, err := s.prefabSpec(w, name, of)
		if err != nil {
			return spec, fmt.Errorf("child %q: %w", name, err)
		}
		spec.Children = append(spec.Children, c)
	}
	return spec, nil
}

// nextOf is Next of a table that may be nil.
func nextOf(t *lua.LTable, k lua.LValue) (lua.LValue, lua.LValue) {
	if t == nil {
		return lua.LNil, lua.LNil
	}
	return t.Next(k)
}
