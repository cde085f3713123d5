package surface

import (
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	lua "github.com/yuin/gopher-lua"
)

// Answer returns a value that code gives to somebody outside of the world as plain data: a view or an event is a table of its
// fields; what plain data cannot hold, such as a function, or a table within itself, is a text that says what it is. It is
// charged by entry. The error is that of a view whose entity is gone, of a limit, or of the budget.
func (s *Surface) Answer(v lua.LValue) (ecs.Value, error) {
	c := copying{s.state.Budget(), mostEntries}
	return c.answer(s, v, nil)
}

// answer is Answer. path has the tables around v.
func (c *copying) answer(s *Surface, v lua.LValue, path []*lua.LTable) (ecs.Value, error) {
	t, ok := v.(*lua.LTable)
	if ud, is := v.(*lua.LUserData); is {
		fields, err := s.Plain(ud)
		if err != nil {
			return ecs.Value{}, err
		}
		t, ok = fields, fields != nil
	}
	if !ok {
		plain, err := scalar(v)
		if err != nil {
			return ecs.Text(kindOf(v)), nil
		}
		return plain, nil
	}
	if slices.Contains(path, t) || len(path) >= ecs.MaxDataDepth {
		return ecs.Text("table"), nil
	}
	path = append(path, t)
	var entries []ecs.DataEntry
	for k, v := t.Next(lua.LNil); k != lua.LNil; k, v = t.Next(k) {
		if c.left--; c.left < 0 {
			return ecs.Value{}, tooManyEntries()
		}
		if !c.budget.Charge(entryCost) {
			return ecs.Value{}, c.budget.Spent()
		}
		key, err := scalar(k)
		if err != nil {
			key = ecs.Text(kindOf(k))
		}
		value, err := c.answer(s, v, path)
		if err != nil {
			return ecs.Value{}, err
		}
		entries = append(entries, ecs.DataEntry{Key: key, Value: value})
	}
	d, err := ecs.NewData(entries)
	return ecs.TableOf(d), err
}
