package surface

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ecsrun/ecsrun/ecs"
	lua "github.com/yuin/gopher-lua"
)

// world:spawn and world:spawn_many. A description of an entity is parsed and checked completely before anything is
// made, so an error leaves no half-made entity.

// A spawning is a parsed description of one or several entities, such as { Position = { x = 1 }, "player" }. Its
// memory is used again.
type spawning struct {
	ids    []ecs.ComponentID
	ends   []int // fields of ids[i] end at fields[ends[i]]
	fields []ecs.FieldValue
	tags   []ecs.TagID

	targets []ecs.Target
}

// reset empties the spawning and keeps its memory.
func (s *spawning) reset() {
	clear(s.fields) // so that strings can be freed
	s.ids, s.ends, s.fields, s.tags, s.targets = s.ids[:0], s.ends[:0], s.fields[:0], s.tags[:0], s.targets[:0]
}

// of returns the fields that component i of ids gets.
func (s *spawning) of(i int) []ecs.FieldValue {
	from := 0
	if i > 0 {
		from = s.ends[i-1]
	}
	return s.fields[from:s.ends[i]]
}

// spawning returns memory for one description. done returns it. Calls nest if the function given to spawn_many
// spawns.
func (w *World) spawning() *spawning {
	for w.depth >= len(w.scratch) { // an observer is deeper than what has called it, which may have needed none
		w.scratch = append(w.scratch, &spawning{})
	}
	s := w.scratch[w.depth]
	s.reset()
	return s
}

// parse parses a description.
func (s *spawning) parse(w *World, t *lua.LTable) error {
	for k, v := t.Next(lua.LNil); k != lua.LNil; k, v = t.Next(k) {
		switch k := k.(type) {
		case lua.LNumber:
			if err := s.name(w, v); err != nil {
				return err
			}
		case lua.LString:
			c, err := w.component("world:spawn", string(k))
			if err != nil {
				return err
			}
			if c.relation {
				if err := s.targetsOf(c, v); err != nil {
					return err
				}
				continue
			}
			given, ok := v.(*lua.LTable)
			if !ok {
				return fmt.Errorf("component %q takes a table of its fields, not %s", c.name, shown(v))
			}
			s.ids = append(s.ids, c.id)
			if s.fields, err = w.surface.values(s.fields, given, c.schema, "spawn", ecs.None, c.name); err != nil {
				return err
			}
			s.ends = append(s.ends, len(s.fields))
		default:
			return fmt.Errorf("an entity is described by names, not by %s", shown(k))
		}
	}
	return nil
}

// name adds an item of the list part: a tag, or a component with its defaults.
func (s *spawning) name(w *World, v lua.LValue) error {
	name, ok := v.(lua.LString)
	if !ok {
		return fmt.Errorf("the list part holds names of tags, not %s", shown(v))
	}
	if id, err := w.tag("world:spawn", string(name)); err == nil {
		s.tags = append(s.tags, id)
		return nil
	}
	c, err := w.component("world:spawn", string(name))
	if err != nil {
		return undeclared(w.ecs, "world:spawn", "tag or component", string(name))
	}
	if c.relation {
		return fmt.Errorf("relation %q needs a target: write %s = parent", c.name, c.name)
	}
	s.ids = append(s.ids, c.id)
	s.ends = append(s.ends, len(s.fields))
	return nil
}

// fill writes the fields and tags of a new entity: those of the components ids[from.ids:to.ids], and the tags
// between the marks.
func (s *spawning) fill(w *World, e ecs.Entity, from, to mark) error {
	t, row := w.ecs.TableOf(e)
	for i := from.ids; i < to.ids; i++ {
		fields := s.of(i)
		if len(fields) == 0 {
			continue
		}
		into := t.Column(s.ids[i]).Row(row)
		for _, f := range fields {
			if err := into.Set(f.Index, f.Value); err != nil {
				panic("surface: a checked value did not fit: " + err.Error())
			}
		}
	}
	for _, id := range s.tags[from.tags:to.tags] {
		if _, err := w.ecs.TryTag(e, id); err != nil {
			return err
		}
	}
	return nil
}

// A mark is a position between two descriptions in a spawning.
type mark struct{ ids, tags, targets int }

// mark returns the position after the last description.
func (s *spawning) mark() mark { return mark{len(s.ids), len(s.tags), len(s.targets)} }

// cut drops what was added after a mark.
func (s *spawning) cut(m mark) {
	fields := 0
	if m.ids > 0 {
		fields = s.ends[m.ids-1]
	}
	clear(s.fields[fields:])
	s.fields = s.fields[:fields]
	s.ids, s.ends, s.tags, s.targets = s.ids[:m.ids], s.ends[:m.ids], s.tags[:m.tags], s.targets[:m.targets]
}

// grow makes room for n descriptions like the one that is there.
func (s *spawning) grow(n int) {
	n = min(n, 4096)
	s.ids, s.ends = slices.Grow(s.ids, n*len(s.ids)), slices.Grow(s.ends, n*len(s.ends))
	s.fields, s.tags = slices.Grow(s.fields, n*len(s.fields)), slices.Grow(s.tags, n*len(s.tags))
}

// repeat adds the description in another spawning once more.
func (s *spawning) repeat(t *spawning) {
	for i, id := range t.ids {
		s.ids = append(s.ids, id)
		s.fields = append(s.fields, t.of(i)...)
		s.ends = append(s.ends, len(s.fields))
	}
	s.tags = append(s.tags, t.tags...)
	s.targets = append(s.targets, t.targets...)
}

// entity makes the entity that is described between two marks.
func (s *spawning) entity(w *World, from, to mark) (ecs.Entity, error) {
	var e ecs.Entity
	var err error
	start := ecs.Raw.Hold(w.ecs) // observers see the whole entity
	if from.targets == to.targets {
		e, err = w.ecs.Spawn(s.ids[from.ids:to.ids]...)
	} else {
		e, err = w.ecs.SpawnRelated(s.targets[from.targets:to.targets], s.ids[from.ids:to.ids]...)
	}
	if err == nil {
		if err = s.fill(w, e, from, to); err != nil {
			w.unmake(e)
		}
	}
	ecs.Raw.Release(w.ecs, start, err == nil)
	return e, err
}

// unmake removes entities that could not be completed.
func (w *World) unmake(list ...ecs.Entity) {
	if _, err := w.ecs.DespawnMany(list); err != nil {
		panic("surface: " + err.Error())
	}
}

// spawn is world:spawn(parts). It returns the new entity. If anything in the description is wrong, no entity is
// made. It is an error inside a query loop.
func spawn(c call) int {
	c.structural("spawn")
	w := c.w
	s := w.spawning()
	if c.args() > 0 {
		c.check(s.parse(w, c.parts(1)))
	}
	before := ecs.Raw.Work(w.ecs)
	e, err := s.entity(w, mark{}, s.mark())
	c.worked(before)
	c.check(err)
	c.Push(w.entity(e))
	return 1
}

// parts returns argument n, which must be a table that describes an entity.
func (c call) parts(n int) *lua.LTable {
	hint := ""
	if name, ok := c.arg(n).(lua.LString); ok {
		hint = fmt.Sprintf("write %s{ %q }", c.full, cut(string(name)))
		if n == 1 && c.w.ecs.LookupPrefab(string(name)) != ecs.None {
			hint = fmt.Sprintf("%q is a prefab: write %s(%q)", cut(string(name)), strings.TrimSuffix(c.full, "spawn")+"instance", cut(string(name)))
		}
		if n > 1 { // of instance, behind the name of a prefab
			hint = fmt.Sprintf("write %s(%q, { %q })", c.full, cut(string(c.arg(1).(lua.LString))), cut(string(name)))
		}
	}
	return c.table(n, hint)
}
