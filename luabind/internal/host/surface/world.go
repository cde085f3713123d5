package surface

import (
	"fmt"
	"strings"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/host/api"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// The functions of world that are about single entities, and the properties of world.

// property returns world.NAME for a NAME that is not a method.
func (w *World) property(L *lua.LState) int {
	key, _ := L.Get(2).(lua.LString)
	if w.surface.loading > 0 {
		raise(L, "world.%s while a file is being loaded: a file declares things and returns functions; only those get at a world", cut(string(key)))
	}
	switch key {
	case "dt":
		L.Push(number(w.ecs.DT()))
	case "time":
		L.Push(number(w.ecs.Time()))
	case "frame":
		L.Push(number(float64(w.ecs.Frame())))
	case "commands":
		L.Push(w.commands)
	case "layers":
		L.Push(w.layers)
	case "resources":
		L.Push(w.resources)
	case "states":
		L.Push(w.states)
	default:
		known := append([]string(nil), api.Properties...)
		for k, _ := w.methods.Next(lua.LNil); k != lua.LNil; k, _ = w.methods.Next(k) {
			known = append(known, k.String())
		}
		raiseLacking(L, w.ecs, WorldObject, L.Get(2), known)
	}
	return 1
}

// setProperty is __newindex of world. It always raises an error that says what to do instead.
func (w *World) setProperty(L *lua.LState) int {
	sandbox.Raise(L, WorldObject.Assigned(sandbox.ToString(L, L.Get(2))))
	return 0
}

// worldString is __tostring of world.
func worldString(L *lua.LState) int {
	L.Push(lua.LString("world"))
	return 1
}

// despawn is world:despawn(e). It returns whether the entity was alive. Further work, for its relations, is
// charged. It is an error inside a query loop.
func despawn(c call) int {
	c.structural("despawn")
	before := ecs.Raw.Work(c.w.ecs)
	ok, err := c.w.ecs.Despawn(c.entity(1))
	c.check(err)
	c.worked(before)
	c.Push(lua.LBool(ok))
	return 1
}

// alive is world:alive(e).
func alive(c call) int {
	c.Push(lua.LBool(c.w.ecs.Alive(c.entity(1))))
	return 1
}

// add is world:add(e, names…). Components get their defaults. It returns false for a dead entity. It is an error
// inside a query loop, and relations are refused.
func add(c call) int {
	c.structural("add")
	e := c.entity(1)
	ok, err := c.w.ecs.Add(e, c.dataIDs(2, "world:relate")...)
	c.check(err)
	c.Push(lua.LBool(ok))
	return 1
}

// remove is world:remove(e, names…). Relations can be removed, too. It is an error inside a query loop.
func remove(c call) int {
	c.structural("remove")
	e := c.entity(1)
	ok, err := c.w.ecs.Remove(e, c.componentIDs(2)...)
	c.check(err)
	c.Push(lua.LBool(ok))
	return 1
}

// has is world:has(e, names…): whether the entity has all of them, its own or inherited. It is false for a dead
// entity.
func has(c call) int {
	e := c.entity(1)
	c.Push(lua.LBool(c.w.ecs.Has(e, c.componentIDs(2)...)))
	return 1
}

// set is world:set(e, name, fields). It writes the given fields, and adds the component if the entity does not have
// it itself. Only the latter is structural, so only then it is an error inside a query loop. It returns false for a
// dead entity.
func set(c call) int {
	e, k, fields := c.setting("world:relate")
	if c.w.ecs.Locked() && c.w.ecs.Alive(e) && !c.w.ecs.Owns(e, k.id) {
		c.structural("set")
	}
	ok, err := c.w.ecs.Set(e, k.id, fields...)
	c.check(err)
	c.Push(lua.LBool(ok))
	return 1
}

// setting checks the arguments of set: an entity, a component, its fields. The slice is valid until the next call.
// instead names the function for relations.
func (c call) setting(instead string) (ecs.Entity, *component, []ecs.FieldValue) {
	e, k := c.entity(1), c.data(2, instead)
	s := c.w.spawning()
	if c.args() < 3 {
		return e, k, nil
	}
	var err error
	s.fields, err = c.surface.values(s.fields, c.fieldsTable(3, k.schema), k.schema, "set", e, k.name)
	c.check(err)
	return e, k, s.fields
}

// tag is world:tag(e, names…). It takes effect at once, also inside a query loop, and returns false for a dead
// entity.
func tag(c call) int {
	e := c.entity(1)
	var buf [8]ecs.TagID
	ok, err := c.w.ecs.TryTags(e, c.tagIDs(buf[:0])...)
	c.check(err)
	c.Push(lua.LBool(ok))
	return 1
}

// tagIDs appends the tags from the second argument on, of which there must be one. All are checked before any of them changes.
func (c call) tagIDs(to []ecs.TagID) []ecs.TagID {
	for i := 2; i == 2 || i <= c.args(); i++ {
		to = append(to, c.tagID(i))
	}
	return to
}

// untag is world:untag. It returns true if the entity had one of the tags.
func untag(c call) int {
	e := c.entity(1)
	was := false
	var buf [8]ecs.TagID
	for _, id := range c.tagIDs(buf[:0]) {
		if c.w.ecs.Untag(e, id) {
			was = true
		}
	}
	c.Push(lua.LBool(was))
	return 1
}

// tagged is world:tagged: whether the entity has all of the tags.
func tagged(c call) int {
	e := c.entity(1)
	all := true
	for i := 2; i == 2 || i <= c.args(); i++ {
		if !c.w.ecs.Tagged(e, c.tagID(i)) {
			all = false
		}
	}
	c.Push(lua.LBool(all))
	return 1
}

// components is world:components: the names of the components that the entity has itself, without relations.
func components(c call) int {
	list := c.surface.state.NewTable()
	for _, id := range c.w.ecs.ComponentsOf(c.entity(1)) {
		if k := c.w.componentOf(id); !k.relation {
			list.Append(lua.LString(k.name))
		}
	}
	c.Push(list)
	return 1
}

// tags is world:tags(e): a list of the names of the entity's tags.
func tags(c call) int {
	list := c.surface.state.NewTable()
	for _, id := range c.w.ecs.TagsOf(c.entity(1)) {
		list.Append(lua.LString(c.w.ecs.TagName(id)))
	}
	c.Push(list)
	return 1
}

// stop is world:stop(reason). The run ends after the current frame; the reason is reported.
func stop(c call) int {
	reason := ""
	if c.args() > 0 && c.arg(1) != lua.LNil {
		reason = sandbox.ToString(c.LState, c.arg(1))
	}
	c.w.ecs.Stop(reason)
	return 0
}

// entityName is ecs.name(e), such as "17v2". It needs no world, so the entity may be dead.
func entityName(c call) int {
	c.Push(lua.LString(c.entity(1).String()))
	return 1
}

// describe is ecs.describe(world, e): a line of text for people.
func describe(c call) int {
	w := WorldOf(c.arg(1))
	if w == nil {
		c.expected(1, "world")
	}
	if c.surface.loading > 0 {
		raise(c.LState, "ecs.describe while a file is being loaded: there is no world yet")
	}
	c.Push(lua.LString(w.describe(c.entity(2))))
	return 1
}

// describe returns the text of ecs.describe: entity 17v2 (Position, Velocity, ChildOf 3v1; selected), with what the
// entity has itself.
func (w *World) describe(e ecs.Entity) string {
	if !w.ecs.Alive(e) {
		return fmt.Sprintf("entity %s (dead)", e)
	}
	var parts, targets []string
	for _, id := range w.ecs.ComponentsOf(e) {
		if k := w.componentOf(id); k.relation {
			for to := range w.ecs.Targets(e, id) {
				targets = append(targets, k.name+" "+to.String())
			}
		} else {
			parts = append(parts, k.name)
		}
	}
	inside := strings.Join(append(parts, targets...), ", ")
	var tags []string
	for _, id := range w.ecs.TagsOf(e) {
		tags = append(tags, w.ecs.TagName(id))
	}
	if len(tags) > 0 {
		inside += "; " + strings.Join(tags, ", ")
	}
	return fmt.Sprintf("entity %s (%s)", e, inside)
}
