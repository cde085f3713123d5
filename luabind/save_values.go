package luabind

import (
	"errors"
	"fmt"
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/host/heap"
	"github.com/ecsrun/ecsrun/luabind/internal/load/script"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// What package heap needs to write the variables of a Runtime: which values have names, which file a function is
// from, and what userdata consist of. Every environment of the Runtime is known, also those that a reload has replaced: functions of
// theirs may still be held by other scripts.

// A saving is a heap.Source over a Runtime.
type saving struct {
	runtime   *Runtime
	files     savedFiles
	mods      []*script.Environment
	instances []*script.Instance
	index     map[*script.Instance]int
	units     []*script.Unit
	unitIndex map[*script.Unit]int
	names     map[lua.LValue]savedName
	protos    map[*lua.FunctionProto]int      // index in its unit
	indexed   map[*script.Unit]bool           // their functions are in protos
	texts     map[*sandbox.Chunk]*script.Unit // of the texts that load was given

	coroutines *sandbox.CoroutineSaver // nil before the first one
}

// A savedName is the name of a value. The instance is nil for what several share.
type savedName struct {
	instance *script.Instance
	text     string
	open     bool
}

// saving collects the names of the Runtime.
func (r *Runtime) saving() *saving {
	s := &saving{
		runtime: r, index: map[*script.Instance]int{}, unitIndex: map[*script.Unit]int{},
		names: map[lua.LValue]savedName{}, protos: map[*lua.FunctionProto]int{}, indexed: map[*script.Unit]bool{}, texts: map[*sandbox.Chunk]*script.Unit{},
	}
	s.files.Units, s.files.Mods, s.files.Instances, s.files.Systems = []savedUnit{}, []savedMod{}, []savedInstance{}, []savedSystem{}
	r.shared(func(name string, v lua.LValue) { s.names[v] = savedName{text: name} })
	for _, env := range r.scripts.Environments() {
		env.Originals(func(o sandbox.Original) { s.names[o.Value] = savedName{nil, nameIn(env.Mod, o.Text()), o.Open} })
		s.mods = append(s.mods, env)
		s.files.Mods = append(s.files.Mods, savedMod{Name: env.Mod, Builtins: env.Builtins()})
	}
	for _, p := range r.made {
		if i := p.Value(); i != nil {
			i.Originals(func(o sandbox.Original) { s.names[o.Value] = savedName{i, o.Text(), o.Open} })
		}
	}
	return s
}

// nameIn returns the name of a value that only an environment has.
func nameIn(mod, text string) string { return "mod " + mod + "/" + text }

// shared calls visit for the values that all scripts share, with their names.
func (r *Runtime) shared(visit func(name string, v lua.LValue)) {
	r.state.Originals(func(o sandbox.Original) { visit("lua/"+o.Text(), o.Value) })
	r.bound.Originals(func(o sandbox.Original) { visit("world/"+o.Text(), o.Value) })
}

// number returns the index of an instance, which is saved from then on.
func (s *saving) number(i *script.Instance) int {
	at, ok := s.index[i]
	if !ok {
		at = len(s.instances)
		s.index[i] = at
		s.instances = append(s.instances, i)
		s.files.Instances = append(s.files.Instances, savedInstance{Unit: s.unitNumber(i.Unit), Mod: slices.Index(s.mods, i.Env), Name: i.Saved().Name})
	}
	return at
}

// unitNumber returns the index of a unit, whose text is saved from then on.
func (s *saving) unitNumber(u *script.Unit) int {
	at, ok := s.unitIndex[u]
	if !ok {
		at = len(s.units)
		s.unitIndex[u] = at
		s.units = append(s.units, u)
		if text, ok := u.Code.Of.(*sandbox.Text); ok {
			mod := slices.IndexFunc(s.mods, func(e *script.Environment) bool { return e.Table == text.Home() })
			s.files.Units = append(s.files.Units, savedUnit{Name: u.Code.Name, Text: []byte(u.Code.Source), Mod: &mod})
			return at
		}
		s.files.Units = append(s.files.Units, savedUnit{Path: u.Path, Name: u.Code.Name, Text: []byte(u.Code.Source), Requires: s.runtime.scripts.Requires(u.Path)})
	}
	return at
}

// label returns how the variables of an instance are shown: by file, and by system if several systems have the file.
func (s *saving) label(i *script.Instance) string {
	if i == nil {
		return ""
	}
	label := i.Unit.Code.Name
	var systems []string
	same := 0
	for _, sys := range s.runtime.systems {
		if sys.instance != nil && sys.instance.Unit == i.Unit {
			same++
			if sys.instance == i {
				systems = append(systems, sys.Name)
			}
		}
	}
	if same > 1 {
		for _, name := range systems {
			label += " (" + name + ")"
		}
	}
	return label + ":"
}

// addMods adds the tables of the environments.
func (s *saving) addMods(e *heap.Encoder) error {
	for _, env := range s.mods {
		label := "globals:"
		if env.Mod != "" {
			label = "globals of " + env.Mod + ":"
		}
		for _, t := range env.Tables() {
			if err := e.Root(label, t); err != nil {
				return err
			}
		}
	}
	return nil
}

// addRoots adds the values of an instance.
func (s *saving) addRoots(e *heap.Encoder, i *script.Instance) error {
	saved, label := i.Saved(), s.label(i)
	value := label
	if _, ok := saved.Value.(*lua.LTable); !ok {
		value += " what the file returns"
	}
	for _, root := range []heap.Root{
		{Label: value, Value: saved.Value},
		{Label: label, Value: saved.Table},
		{Label: label + " init", Value: saved.Init},
		{Label: label + " update", Value: saved.Update},
		{Label: label + " on_reload", Value: saved.OnReload},
		{Label: "", Value: saved.Shape},
	} {
		if err := e.Root(root.Label, root.Value); err != nil {
			return err
		}
	}
	return nil
}

// NameOf implements heap.Source.
func (s *saving) NameOf(v lua.LValue) (name string, open, ok bool) {
	n, ok := s.names[v]
	if !ok {
		return "", false, false
	}
	if n.instance == nil {
		return n.text, n.open, true
	}
	return fmt.Sprintf("%d/%s", s.number(n.instance), n.text), n.open, true
}

// PrototypeOf implements heap.Source.
func (s *saving) PrototypeOf(p *lua.FunctionProto) (file, index int, ok bool) {
	u := s.unitOf(p)
	if u == nil {
		return 0, 0, false
	}
	if !s.indexed[u] {
		s.indexed[u] = true
		for k, of := range u.Code.Prototypes() {
			s.protos[of] = k
		}
	}
	return s.unitNumber(u), s.protos[p], true
}

// unitOf returns the unit that a function is from; nil if none is known. A text that load was given has one without a path.
func (s *saving) unitOf(p *lua.FunctionProto) *script.Unit {
	if u := script.UnitOf(p); u != nil {
		return u
	}
	c := sandbox.ChunkOf(p)
	if c == nil {
		return nil
	}
	if _, ok := c.Of.(*sandbox.Text); !ok {
		return nil
	}
	if s.texts[c] == nil {
		s.texts[c] = &script.Unit{Code: c}
	}
	return s.texts[c]
}

// LineOf implements heap.Source.
func (s *saving) LineOf(p *lua.FunctionProto, upvalue string) int {
	if u := s.unitOf(p); u != nil {
		return u.Code.DeclaredAt(p, upvalue)
	}
	return 0
}

// An unsavedKind is a kind of value that cannot be saved.
type unsavedKind struct{ text, advice string }

func (u *unsavedKind) Error() string { return u.text }

// Kinds of objects that are made again without parts.
const (
	deadCoroutine = "dead coroutine"
	deadWrapper   = "dead coroutine.wrap"
)

// liveWrapper is the kind of a function of coroutine.wrap whose coroutine is its only part.
const liveWrapper = "coroutine.wrap"

// CallsOf implements heap.Source.
func (s *saving) CallsOf(v lua.LValue) (body lua.LValue, calls []interp.SavedCall, ok bool) {
	th, is := v.(*lua.LState)
	if !is || th.Dead {
		return nil, nil, false
	}
	if s.coroutines == nil {
		s.coroutines = s.runtime.state.NewCoroutineSaver()
	}
	return s.coroutines.Calls(th)
}

// PartsOf implements heap.Source.
func (s *saving) PartsOf(v lua.LValue) (kind string, parts []lua.LValue, err error) {
	if th, wrapped := sandbox.CoroutineOf(v); th != nil {
		switch {
		case th.Dead && wrapped:
			return deadWrapper, nil, nil
		case th.Dead:
			return deadCoroutine, nil, nil
		case wrapped && sandbox.Saves(th):
			return liveWrapper, []lua.LValue{th}, nil
		}
		text := "a suspended coroutine"
		if fn := sandbox.BodyOf(th); fn != nil && !fn.IsG {
			text += fmt.Sprintf(" of the function in line %d", fn.Proto.LineDefined)
		}
		return "", nil, &unsavedKind{text + ", made with impl: lua", "make it in a system with another impl"}
	}
	switch v := v.(type) {
	case *lua.LUserData:
		if kind, parts, ok := s.runtime.bound.Parts(v); ok {
			return kind, parts, nil
		}
		return "", nil, errors.New("a value of the host program")
	case *lua.LFunction:
		if interp.IteratorOf(v) != nil {
			return "", nil, &unsavedKind{"an iterator of the world", "call world:each and the like in the loop that uses it"}
		}
		return "", nil, &unsavedKind{"an iterator of a library, such as string.gmatch", "call it in the loop that uses it"}
	}
	return "", nil, fmt.Errorf("a value of type %s", v.Type())
}
