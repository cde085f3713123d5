package script

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ecsrun/ecsrun/config/suggest"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	"github.com/ecsrun/ecsrun/luabind/internal/run/loops"
	lua "github.com/yuin/gopher-lua"
)

// Instances: a unit that was loaded, with variables of its own. The Runtime makes one for each system, require one for each module in
// a set, and luatest one for each test file. Load runs the file; Adopt then finds a system in what it returned.

// An Instance is a unit that was loaded once: a system, a module, or a test file. [Set.Instance] makes it, [Instance.Load] runs the file.
type Instance struct {
	Unit *Unit
	Env  *Environment // its globals, and those of the other files of its mod

	// Functions of a system, set by [Instance.Adopt]; nil if the file has none.
	Init, Update, OnReload *lua.LFunction

	set    *Set               // in which it was made
	loops  *loops.Runner      // runs its loops; nil: the interpreter runs them
	hidden []sandbox.Original // the values of the hidden names of its code
	name   string             // by which it was required first: "..." of a module; "" for any other instance
	value  lua.LValue         // what the file returned; nil until Load has succeeded
	table  *lua.LTable        // the table of a system; nil if its file returned a function
	shape  *shape             // that of its state when the file was loaded
}

// body returns the function that the code of the file is. The hidden names that calls of kernels use have their
// values in it (loops.Runner.Fill).
func (i *Instance) body() *lua.LFunction {
	h := i.set.host
	fill := i.loops.Fill(h.State, i.Env.Env, i)
	if counts := i.Unit.Counts; counts != nil { // then it has no loops
		fill = counts.Fill(h.State)
	}
	i.hidden = nil
	for _, name := range slices.Sorted(maps.Keys(fill)) {
		i.hidden = append(i.hidden, sandbox.Original{Group: "hidden", Name: name, Value: fill[name]})
	}
	return i.Env.Load(i.Unit.Code, fill)
}

// loading calls fn, which runs the file.
func (i *Instance) loading(fn func() error) error {
	m := i.Env.home
	m.loading = append(m.loading, i)
	defer func() { m.loading = slices.Delete(m.loading, len(m.loading)-1, len(m.loading)) }() // the array forgets the instance
	return i.set.host.Surface.Load(i.Unit.Path, fn)
}

// Load runs the file, once; of a data file it makes the table. What the file declares is declared in the world of the Surface. The error is a
// [*sandbox.Error]. The caller sets the budget and watches the call.
func (i *Instance) Load() error {
	if v := i.Unit.Data; v != nil {
		i.value = i.set.host.State.Frozen(*v)
		return nil
	}
	return i.loading(func() error {
		var args []lua.LValue
		if i.name != "" {
			args = []lua.LValue{lua.LString(i.name)}
		}
		results, err := i.set.host.State.CallResults(i.body(), 1, args...)
		if err == nil {
			i.value = results[0]
		}
		return err
	})
}

// Adopt finds the functions and the state of a system in what the file returned: a function, which is the update; a
// table with init, update, on_reload and state; or a list of such tables, of which the one with that name counts.
// The error says what is wrong with the returned value, without a position.
func (i *Instance) Adopt(system string) error {
	state := i.set.host.State
	switch v := i.value.(type) {
	case *lua.LFunction:
		i.Update = v
		state.NameFunction(v, "update")
		return nil
	case *lua.LTable:
		t, err := entryOf(v, system)
		if err != nil {
			return err
		}
		i.table = t
		for _, f := range []struct {
			name string
			to   **lua.LFunction
		}{{"init", &i.Init}, {"update", &i.Update}, {"on_reload", &i.OnReload}} {
			switch fn := t.RawGetString(f.name).(type) {
			case *lua.LFunction:
				*f.to = fn
				state.NameFunction(fn, f.name)
			case *lua.LNilType:
			default:
				return fmt.Errorf("%s is a %s; it must be a function", f.name, fn.Type())
			}
		}
		if i.Init == nil && i.Update == nil {
			return fmt.Errorf("the table the file returns has neither update nor init%s", nearKey(t))
		}
		if st := t.RawGetString("state"); st != lua.LNil && st.Type() != lua.LTTable {
			return fmt.Errorf("state is a %s; it must be a table", st.Type())
		}
		i.shape = shapeOf(i.State())
		return nil
	case *lua.LNilType:
		return errors.New("the file returns nothing; write return function(world, dt) … end, or return a table with update: local M = {} function M.update(world, dt) … end return M")
	}
	return fmt.Errorf("the file returns a %s; a system's file returns a function or a table with update", i.value.Type())
}

// Uses reports whether the instance was made from one of these files, or its code has required one of them, directly or
// through other files.
func (i *Instance) Uses(paths map[string]bool) bool {
	return i.set.live().uses(i.Unit.Path, paths, map[string]bool{})
}

// Units adds the units of the instance, and of the files that its code has required directly or through others, to a map
// by path.
func (i *Instance) Units(to map[string]*Unit) {
	if to[i.Unit.Path] == nil {
		to[i.Unit.Path] = i.Unit
		i.set.live().units(i.Unit.Path, to)
	}
}

// units adds the units of what a file has required to a map by path.
func (s *Set) units(path string, to map[string]*Unit) {
	of := s.scripts[path]
	if of == nil {
		return
	}
	for other := range of.requires {
		if required := s.scripts[other]; required != nil && to[other] == nil {
			to[other] = required.Unit
			s.units(other, to)
		}
	}
}

// nearKey returns a suggestion for a message, if a key of a system's table is a misspelled init, update or
// on_reload; "" otherwise.
func nearKey(t *lua.LTable) string {
	for k, _ := t.Next(lua.LNil); k != lua.LNil; k, _ = t.Next(k) {
		if name, ok := k.(lua.LString); ok {
			if near, ok := suggest.Closest(string(name), []string{"init", "update", "on_reload"}); ok {
				return fmt.Sprintf(": %q; did you mean %q?", string(name), near)
			}
		}
	}
	return ""
}

// entryOf finds the system called name in t, the table that a file returned. If t is a list, it is the item with that name; otherwise
// it is t, whose name is not looked at.
func entryOf(t *lua.LTable, name string) (*lua.LTable, error) {
	if t.RawGetInt(1) == lua.LNil {
		return t, nil
	}
	var known []string
	for i := 1; ; i++ {
		item := t.RawGetInt(i)
		if item == lua.LNil {
			break
		}
		entry, ok := item.(*lua.LTable)
		if !ok {
			return nil, fmt.Errorf("item %d of the list the file returns is a %s; it must be a table with a name", i, item.Type())
		}
		n, ok := entry.RawGetString("name").(lua.LString)
		if !ok {
			return nil, fmt.Errorf("item %d of the list the file returns has no name", i)
		}
		if string(n) == name {
			return entry, nil
		}
		known = append(known, string(n))
	}
	text := fmt.Sprintf("the file returns no system of the name %q", name)
	if near, ok := suggest.Closest(name, known); ok {
		text += fmt.Sprintf("; did you mean %q?", near)
	} else {
		text += "; it has " + quoted(known)
	}
	return nil, errors.New(text)
}

// quoted joins names for a message, each in quotes.
func quoted(names []string) string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = fmt.Sprintf("%q", n)
	}
	return strings.Join(out, ", ")
}
