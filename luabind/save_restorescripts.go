package luabind

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/ecs/snapfile"
	"github.com/ecsrun/ecsrun/luabind/internal/host/heap"
	"github.com/ecsrun/ecsrun/luabind/internal/host/surface"
	"github.com/ecsrun/ecsrun/luabind/internal/load/script"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// This file restores what scripts remember: it finds the files, instances and functions of a snapshot in a Runtime, decodes their
// variables, and brings back what the Runtime keeps for each system.

// A loading is a heap.Target over a Runtime.
type loading struct {
	runtime   *Runtime
	files     *savedFiles
	units     []*script.Unit
	changed   map[string]*script.Unit // by path: the saved unit of files that have another text now
	instances []*script.Instance
	prototype [][]*lua.FunctionProto  // by unit, in the order of Prototypes
	names     []map[string]lua.LValue // by instance
	shared    map[string]lua.LValue
	hidden    map[string]map[lua.LValue]*script.Unit // by name of a hidden upvalue: its values, with the file whose functions have it
}

// findScripts finds or makes the units and the instances of the snapshot.
func (l *loading) findScripts() error {
	r := l.runtime
	inUse := map[int]bool{}
	for _, sys := range l.files.Systems {
		if sys.Instance >= 0 {
			inUse[l.files.Instances[sys.Instance].Unit] = true
		}
		for _, u := range sys.Dropped {
			inUse[u] = true
		}
	}
	for _, i := range l.files.Instances {
		inUse[i.Unit] = inUse[i.Unit] || i.Module
	}
	for k, u := range l.files.Units {
		if u.Mod != nil {
			chunk, err := sandbox.CompileText(u.Name, string(u.Text), r.scripts.Environment(l.files.Mods[*u.Mod].Name).Env)
			if err != nil {
				return &snapfile.Damage{Section: filesSection, Reason: err.Error()}
			}
			l.units = append(l.units, &script.Unit{Code: chunk})
			continue
		}
		if now, err := r.scripts.Script(u.Path); err == nil && now.Code.Source == string(u.Text) {
			l.units = append(l.units, now.Unit)
			continue
		}
		unit, err := r.host.Compile(u.Path, u.Name, string(u.Text))
		if err != nil {
			return &snapfile.Damage{Section: filesSection, Reason: err.Error()}
		}
		l.units = append(l.units, unit)
		if inUse[k] {
			l.changed[u.Path] = unit
		}
	}
	if len(l.changed) > 0 {
		old := r.scripts
		r.scripts = old.Replaced(l.changed)
		old.Retire(r.scripts)
	}
	l.instances = make([]*script.Instance, len(l.files.Instances))
	for _, saved := range l.files.Systems {
		if sys := r.named[saved.Name]; sys != nil && saved.Instance >= 0 && sys.instance != nil && l.units[l.files.Instances[saved.Instance].Unit] == sys.instance.Unit {
			l.instances[saved.Instance] = sys.instance
		}
	}
	for _, mod := range l.files.Mods {
		env := r.scripts.Environment(mod.Name)
		for _, name := range mod.Builtins {
			if !env.BuiltIn(name) {
				return fmt.Errorf("the snapshot needs the module %q, which this program does not have", name)
			}
		}
	}
	for _, u := range l.files.Units {
		for _, other := range u.Requires {
			r.scripts.Require(u.Path, other)
		}
	}
	for k := range l.files.Instances {
		if err := l.findInstance(k); err != nil {
			return err
		}
	}
	return nil
}

// findInstance finds or makes instance k.
func (l *loading) findInstance(k int) error {
	r, saved := l.runtime, &l.files.Instances[k]
	unit := l.units[saved.Unit]
	if l.instances[k] == nil && saved.Module && l.changed[unit.Path] == nil {
		if l.instances[k] = r.scripts.Module(unit.Path); l.instances[k] == nil && !l.usesChanged(unit.Path, map[string]bool{}) {
			// The file runs because it may declare things. A module that a turn has loaded may fail now, when it asks for globals of
			// that turn: its variables are restored all the same.
			module, failed := r.scripts.LoadModule(unit.Path, saved.Name, func(load func() error) error { return r.guarded(load) })
			if err := errors.Join(r.resolve(r.scripts)...); err != nil && failed == nil {
				return r.scriptError("", err)
			}
			if failed == nil {
				l.instances[k] = module
			}
		}
	}
	if l.instances[k] == nil {
		l.instances[k] = r.scripts.Empty(unit, r.scripts.Environment(l.files.Mods[saved.Mod].Name))
		if saved.Module {
			r.scripts.SetModule(l.instances[k])
		}
	}
	for _, in := range saved.Entered {
		r.scripts.Enter(unit.Path, l.files.Mods[in.Mod].Name, in.Name)
	}
	return nil
}

// usesChanged reports whether the code of a file has required a file that has changed, directly or through others.
func (l *loading) usesChanged(path string, seen map[string]bool) bool {
	if seen[path] {
		return false
	}
	seen[path] = true
	if l.changed[path] != nil {
		return true
	}
	for _, u := range l.files.Units {
		if u.Path != path {
			continue
		}
		for _, other := range u.Requires {
			if l.usesChanged(other, seen) {
				return true
			}
		}
	}
	return false
}

// decode restores all variables.
func (l *loading) decode(b []byte) error {
	r := l.runtime
	l.shared, l.hidden = map[string]lua.LValue{}, map[string]map[lua.LValue]*script.Unit{}
	r.shared(func(name string, v lua.LValue) { l.shared[name] = v })
	for _, env := range r.scripts.Environments() {
		env.Originals(func(o sandbox.Original) { l.shared[nameIn(env.Mod, o.Text())] = o.Value })
	}
	for _, i := range l.instances {
		names := map[string]lua.LValue{}
		i.Originals(func(o sandbox.Original) {
			names[o.Text()] = o.Value
			if l.hidden[o.Name] == nil {
				l.hidden[o.Name] = map[lua.LValue]*script.Unit{}
			}
			l.hidden[o.Name][o.Value] = i.Unit
		})
		l.names = append(l.names, names)
	}
	for _, u := range l.units {
		l.prototype = append(l.prototype, u.Code.Prototypes())
	}
	roots, err := heap.Decode(b, l)
	if err := scriptsDamage(err); errors.As(err, new(*snapfile.Damage)) {
		return err
	}
	if err != nil {
		return fmt.Errorf("the variables of scripts cannot be restored: %w", err)
	}
	bad := func(what string) error { return &snapfile.Damage{Section: scriptsSection, Reason: what} }
	tables := script.TablesOfEnvironment
	ofMods := len(roots) - len(l.files.Observers) - rootsOfInstance*len(l.instances)
	if ofMods == (tables-1)*len(l.files.Mods) {
		tables-- // the file was written before there was the library bit
	}
	if ofMods != tables*len(l.files.Mods) {
		return bad("the number of scripts differs from that of the section files")
	}
	for _, o := range l.files.Observers {
		fn, ok := roots[0].Value.(*lua.LFunction)
		if !ok {
			return bad("an observer is no function")
		}
		roots = roots[1:]
		if err := l.observeAs(o, fn); err != nil {
			return err
		}
	}
	for _, mod := range l.files.Mods {
		env := r.scripts.Environment(mod.Name)
		for _, t := range env.Tables()[:tables] {
			if roots[0].Value != t {
				return bad("a mod has the globals of another one")
			}
			roots = roots[1:]
		}
		if tables < script.TablesOfEnvironment {
			env.Complete()
		}
	}
	for k, i := range l.instances {
		v := roots[k*rootsOfInstance:]
		s := script.Saved{Name: l.files.Instances[k].Name, Value: v[0].Value, Table: v[1].Value, Init: v[2].Value, Update: v[3].Value, OnReload: v[4].Value, Shape: v[5].Value}
		if err := i.Restore(s); err != nil {
			return bad(err.Error())
		}
	}
	return nil
}

// observeAs declares an observer again.
func (l *loading) observeAs(o savedObserver, fn *lua.LFunction) error {
	r := l.runtime
	sys := r.named[o.System]
	if sys == nil {
		return nil // Adopt has warned of it
	}
	kind := ecs.ObserverKind(o.Kind)
	o.Name = l.nowNamed(kind.Subject(), o.Name)
	if kind.Subject() != "" && l.unknown(kind, o.Name) {
		r.warn(fmt.Sprintf("%s:%d: the observer of %s %q is dropped: it is no longer declared", o.File, o.Line, kind.Subject(), o.Name))
		return nil
	}
	made := &observer{runtime: r, sys: sys, fn: fn, at: sandbox.Pos{File: o.File, Line: o.Line}, what: ecs.ObserverSpec{Kind: kind, Name: o.Name}}
	made.what.Label, made.what.Owner, made.what.Run = made.at.String(), sys.entry, made.told
	return made.declare()
}

// nowNamed returns the name of now of a component, tag, relation or event of the snapshot.
func (l *loading) nowNamed(what, name string) string {
	renamed := l.runtime.options.Adopting.Renamed
	now, ok := map[string]map[string]string{"component": renamed.Components, "tag": renamed.Tags, "relation": renamed.Relations, "event": renamed.Events}[what][name]
	if !ok {
		return name
	}
	return now
}

// lostStates returns the states of systems that are no longer there.
func (l *loading) lostStates() (list []ecs.Loss) {
	for _, saved := range l.files.Systems {
		if l.runtime.named[saved.Name] != nil || saved.Instance < 0 {
			continue
		}
		state, _ := l.instances[saved.Instance].State().(*lua.LTable)
		if state == nil {
			continue
		}
		n := 0
		state.ForEach(func(lua.LValue, lua.LValue) { n++ })
		if n > 0 {
			list = append(list, ecs.Loss{Kind: "system", Name: saved.Name, Count: n, What: "variable"})
		}
	}
	return list
}

// unknown reports whether the name that an observer has is not declared.
func (l *loading) unknown(kind ecs.ObserverKind, name string) bool {
	of, ok := map[string]surface.NameKind{"component": surface.ComponentName, "tag": surface.TagName, "relation": surface.RelationName}[kind.Subject()]
	return !ok || surface.Known(l.runtime.world, "", of, name) != nil
}

// restoreSystems restores what the Runtime keeps for each system.
func (l *loading) restoreSystems() error {
	r := l.runtime
	for _, saved := range l.files.Systems {
		sys := r.named[saved.Name]
		if sys == nil {
			continue // Adopt has warned of it
		}
		sys.begun, sys.strikes = saved.Begun, saved.Strikes
		if len(saved.Dropped) > 0 {
			sys.instance, sys.dropped = nil, map[string]*script.Unit{}
			for _, u := range saved.Dropped {
				sys.dropped[l.files.Units[u].Path] = l.units[u]
			}
		}
		if saved.Instance >= 0 || len(saved.Dropped) > 0 {
			if saved.Instance >= 0 {
				sys.instance = l.instances[saved.Instance]
			}
			if sys.Script != saved.Script {
				sys.wanted, sys.Script = sys.Script, saved.Script
			}
		}
		if sys.Disabled != saved.Disabled {
			sys.entry.SetEnabled(!sys.Disabled)
		}
	}
	for _, sys := range r.systems {
		if !slices.ContainsFunc(l.files.Systems, func(s savedSystem) bool { return s.Name == sys.Name }) {
			r.warn(fmt.Sprintf("system %q is not in the snapshot: its init runs before the first frame", sys.Name))
		}
	}
	r.edits = l.files.Edits
	for _, named := range l.files.Named {
		r.nameEntity(named.Name, named.Entity)
	}
	f := l.files.Failures
	r.failures = Failures{Errors: f.Errors, Limits: f.Limits, FirstError: restoredError(f.FirstError), FirstLimit: restoredError(f.FirstLimit), Disabled: f.Disabled}
	return nil
}

// restoredError makes an error of its text; nil for "".
func restoredError(text string) error {
	if text == "" {
		return nil
	}
	return errors.New(text)
}

// Named implements heap.Target.
func (l *loading) Named(name string) (lua.LValue, error) {
	group, rest, _ := bytes.Cut([]byte(name), []byte("/"))
	missing := fmt.Errorf("there is no %q; the snapshot is from another version of ecsrun, or from a program with other modules", rest)
	if v := l.shared[name]; v != nil {
		return v, nil
	}
	if record, ok := bytes.CutPrefix(rest, []byte("world.resources.")); ok && string(group) == "world" {
		return l.runtime.bound.Record(string(record))
	}
	if layer, ok := bytes.CutPrefix(rest, []byte("world.layers.")); ok && string(group) == "world" {
		name := string(layer)
		if now, ok := l.runtime.options.Adopting.Renamed.Layers[name]; ok {
			name = now
		}
		return l.runtime.bound.SavedLayer(name), nil
	}
	var k int
	if n, err := fmt.Sscanf(string(group), "%d", &k); n != 1 || err != nil || k < 0 || k >= len(l.names) || l.names[k][string(rest)] == nil {
		return nil, missing
	}
	return l.names[k][string(rest)], nil
}

// PrototypeAt implements heap.Target.
func (l *loading) PrototypeAt(file, index int) (*lua.FunctionProto, error) {
	if file >= len(l.prototype) || index >= len(l.prototype[file]) {
		return nil, &heap.Damage{Reason: "there is no such function"}
	}
	return l.prototype[file][index], nil
}

// MayHold implements heap.Target.
func (l *loading) MayHold(fn *lua.LFunction, upvalue string, v lua.LValue) bool {
	if is := l.runtime.state.Hidden(upvalue); is != nil {
		return v == is
	}
	values, ok := l.hidden[upvalue]
	return !ok || values[v] == script.UnitOf(fn.Proto)
}

// MakeObject implements heap.Target.
func (l *loading) MakeObject(kind string) (lua.LValue, func([]lua.LValue) error, error) {
	r := l.runtime
	switch kind {
	case deadCoroutine, deadWrapper:
		return r.state.DeadCoroutine(kind == deadWrapper), func([]lua.LValue) error { return nil }, nil
	case liveWrapper:
		fn, set := r.state.NewWrapper()
		return fn, func(parts []lua.LValue) error {
			if len(parts) == 1 {
				if th, ok := parts[0].(*lua.LState); ok && sandbox.Saves(th) {
					set(th)
					return nil
				}
			}
			return &heap.Damage{Reason: "a function of coroutine.wrap without a coroutine"}
		}, nil
	}
	if ud, fill, ok := r.bound.Remake(kind); ok {
		return ud, func(parts []lua.LValue) error { return fill(l.renamedParts(kind, parts)) }, nil
	}
	return nil, nil, &heap.Damage{Reason: fmt.Sprintf("there is no kind of value %q", kind)}
}

// MakeCoroutine implements heap.Target.
func (l *loading) MakeCoroutine() (lua.LValue, func(lua.LValue, []interp.SavedCall) error) {
	th, fill := l.runtime.state.NewSuspended()
	return th, func(body lua.LValue, calls []interp.SavedCall) error {
		fn, ok := body.(*lua.LFunction)
		if !ok {
			return &heap.Damage{Reason: "a coroutine without a function"}
		}
		err := fill(fn, calls)
		if e := new(interp.RestoreError); errors.As(err, &e) && e.Damaged {
			return &heap.Damage{Reason: e.Reason}
		}
		return err
	}
}

// renamedParts gives the parts of a view, an event or a query the names of now.
func (l *loading) renamedParts(kind string, parts []lua.LValue) []lua.LValue {
	parts = slices.Clone(parts)
	rename := func(i int, kinds ...string) {
		name, ok := parts[i].(lua.LString)
		for _, what := range kinds {
			if now := l.nowNamed(what, string(name)); ok && now != string(name) {
				parts[i] = lua.LString(now)
				return
			}
		}
	}
	for i := range parts {
		switch {
		case kind == "query" && (i+1 == len(parts) || parts[i+1].Type() != lua.LTNumber): // a number follows a key
			rename(i, "component", "relation", "tag")
		case i > 0:
		case kind == "view":
			rename(i, "component")
		case kind == "event":
			rename(i, "event")
		}
	}
	return parts
}

// warn logs a warning of a restore.
func (r *Runtime) warn(text string) { r.options.Log.Warn(text) }
